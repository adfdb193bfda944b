//! Disks that several VMs have: what is billed and what can be saved counts once.

use diskcap::azure::validate::{FleetValidation, VmValidation};
use diskcap::planner::{Finding, FindingId, Severity};
use serde_json::{Value, json};

use crate::fixtures::{attached, close, disk, month, of, path, priced, vm};

/// A VM that has the disk `shared` at LUN 0.
fn sharing(name: &str, size: &str, power: &str) -> Value {
    let mut machine = vm(name, size, &[attached(0, "shared", "None")]);
    machine["properties"]["instanceView"]["statuses"][0]["code"] =
        json!(format!("PowerState/{power}"));
    machine
}

/// A P30 that is set to P40 and that the VMs of these names have.
fn raised(vms: &[&str]) -> Value {
    let ids: Vec<String> = vms.iter().map(|vm| path("virtualMachines", vm)).collect();
    let settings = json!({
        "diskIOPSReadWrite": 7500, "diskMBpsReadWrite": 250, "tier": "P40", "maxShares": 2
    });
    let mut shared = disk("shared", "Premium_LRS", 1024, &settings);
    shared["managedByExtended"] = json!(ids);
    shared
}

fn finding(vm: &VmValidation, id: FindingId) -> &Finding {
    vm.findings.iter().find(|of| of.id == id).unwrap()
}

/// What all findings of an id say together that a month costs.
fn together(fleet: &FleetValidation, id: FindingId) -> f64 {
    let mut counts = fleet.summary.by_finding.iter();
    let count = counts.find(|count| count.id == id).unwrap();
    count.month.unwrap().amount
}

/// East US, a month: P40 259.0457, P30 135.17, P10 19.71 and S10 5.888 USD.
#[test]
fn a_disk_that_a_running_vm_shares_is_not_billed_for_nothing() {
    let fleet = priced(&[
        sharing("a", "Standard_D8s_v5", "deallocated"),
        sharing("b", "Standard_D8s_v5", "running"),
        raised(&["a", "b"]),
    ]);
    let [a, b] = fleet.vms.as_slice() else {
        panic!("two VMs");
    };
    let off = finding(a, FindingId::VmDeallocated);
    assert_eq!(
        off.message,
        "is deallocated; its disk is billed on (os P10): 19.71 USD a month; lun0 is shared with b, which is not deallocated"
    );
    close(month(&a.findings, FindingId::VmDeallocated), 19.71 - 5.888);
    // The raised tier is no part of that, and is there once.
    close(month(&a.findings, FindingId::TierRaised), 123.8757);
    close(together(&fleet, FindingId::TierRaised), 123.8757);
    let once = &finding(b, FindingId::TierRaised).message;
    assert!(once.ends_with("; sums have its money with a"), "{once}");
}

#[test]
fn a_disk_of_two_vms_that_are_off_is_billed_once() {
    let fleet = priced(&[
        sharing("a", "Standard_D8s_v5", "deallocated"),
        sharing("b", "Standard_D8s_v5", "deallocated"),
        raised(&["a", "b"]),
    ]);
    let said: Vec<&str> = fleet
        .vms
        .iter()
        .flat_map(|vm| of(&vm.findings, FindingId::VmDeallocated))
        .map(|(_, text)| text)
        .collect();
    assert_eq!(
        said,
        [
            "is deallocated; its 2 disks are billed on (os P10, lun0 P30 as P40): 278.76 USD a month",
            "is deallocated; its disk is billed on (os P10): 19.71 USD a month; lun0 is shared, and counted with a"
        ]
    );
    close(together(&fleet, FindingId::TierRaised), 123.8757);
    close(
        together(&fleet, FindingId::VmDeallocated),
        2.0 * (19.71 - 5.888),
    );
}

/// 6,000 IOPS behind the 4,000 of a D2s_v3: 2,000 never pass there, and may by a VM that has the disk too.
#[test]
fn what_one_vm_does_not_let_through_another_may_use() {
    let of_sharers = |others: &[Value]| {
        let settings =
            json!({ "diskIOPSReadWrite": 6000, "diskMBpsReadWrite": 125, "maxShares": 2 });
        let mut all = vec![sharing("a", "Standard_D2s_v3", "running")];
        all.push(disk("shared", "PremiumV2_LRS", 100, &settings));
        all.extend_from_slice(others);
        let fleet = priced(&all);
        let mut findings = fleet.vms[0].findings.iter();
        let is_it = |of: &&Finding| of.id == FindingId::Unusable && of.subject == "lun0";
        findings.find(is_it).unwrap().clone()
    };
    let alone = of_sharers(&[]);
    assert_eq!(alone.severity, Severity::Warning);
    close(alone.per_month().unwrap().amount, 2000.0 * 7e-6 * 730.0);
    let shared = of_sharers(&[sharing("b", "Standard_D8s_v5", "running")]);
    assert_eq!(
        (shared.severity, shared.per_month()),
        (Severity::Info, None)
    );
    assert!(
        shared.message.ends_with("; the disk is shared with b"),
        "{}",
        shared.message
    );
    let fix = shared.fix.unwrap();
    assert!(
        fix.starts_with("where b can do without it too, `az disk update -g shop -n shared --disk-iops-read-write 4000"),
        "{fix}"
    );
}
