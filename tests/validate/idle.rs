//! What is billed and does no work: VMs that are off or stopped, disks that nobody has.

use diskcap::azure::validate::{FleetValidation, VmValidation};
use diskcap::planner::{FindingId, Severity};
use serde_json::{Value, json};

use crate::fixtures::{
    attached, close, disk, found, judge, limits, month, of, only, priced, vm, with_p30,
};

fn alone(name: &str, state: &str) -> Value {
    let mut disk = disk(name, "Premium_LRS", 1024, &limits(5000, 200));
    disk["properties"]["diskState"] = json!(state);
    disk
}

#[test]
fn unattached_disks_are_billed_and_the_fix_says_what_ends() {
    let validation = priced(&[alone("left", "Unattached"), alone("kept", "Reserved")]);
    let findings: Vec<_> = validation.findings().cloned().collect();
    let found = of(&findings, FindingId::DiskUnattached);
    assert_eq!(
        found,
        [(
            "left",
            "is attached to no VM and billed all the same: 135.17 USD a month"
        )]
    );
    let fix = |validation: &FleetValidation| {
        let mut found = validation.findings();
        let left = found.find(|f| f.id == FindingId::DiskUnattached).unwrap();
        left.fix.clone().unwrap()
    };
    let first = |options: &str| {
        format!(
            "take a snapshot first where its data may be wanted (`az snapshot create -g shop -n left-snapshot --source \
             left{options}`), which is billed for what is used of the disk only; then delete the disk where nobody needs it \
             (`az disk delete -g shop -n left`): "
        )
    };
    assert_eq!(fix(&validation), first("") + "135.17 USD less a month");
    let unpriced = fix(&judge(&[alone("left", "Unattached")]));
    assert_eq!(unpriced, first("") + "its whole price ends");
    // Of v2 and Ultra there are incremental snapshots only.
    for sku in ["PremiumV2_LRS", "UltraSSD_LRS"] {
        let mut other = alone("left", "Unattached");
        other["sku"]["name"] = json!(sku);
        let fix = fix(&judge(&[other]));
        assert_eq!(fix, first(" --incremental true") + "its whole price ends");
    }
    // A P30 LRS in East US costs 135.17 USD a month.
    close(month(&findings, FindingId::DiskUnattached), 135.17);
    let summary = &validation.summary;
    assert_eq!(
        (summary.vms, summary.other_disks, summary.warnings),
        (0, 2, 1)
    );
    close(summary.month.as_ref().unwrap().known.amount, 2.0 * 135.17);
}

#[test]
fn a_disk_of_a_vm_that_was_read_is_no_disk_alone() {
    let validation = judge(&with_p30("Standard_D8s_v5", &["None"]));
    assert_eq!((validation.vms.len(), validation.disks.len()), (1, 0));
}

fn in_state(state: &str) -> Vec<Value> {
    let mut resources = with_p30("Standard_D8s_v5", &["None"]);
    resources[0]["properties"]["instanceView"]["statuses"][0]["code"] =
        json!(format!("PowerState/{state}"));
    resources
}

#[test]
fn a_deallocated_vm_pays_for_its_disks_only() {
    let vm = only(priced(&in_state("deallocated")));
    let found = of(&vm.findings, FindingId::VmDeallocated);
    assert!(
        found[0]
            .1
            .starts_with("is deallocated; its 2 disks are billed on"),
        "{found:?}"
    );
    // A P30 and a P10: 135.17 + 19.71.
    let expected = 135.17 + 19.71;
    assert!(found[0].1.contains("154.88 USD a month"), "{found:?}");
    close(vm.month().unwrap().known.amount, expected);
    // Running, the size is billed besides: 0.384 USD an hour for 730 hours.
    let running = only(priced(&in_state("running")));
    close(
        running.month().unwrap().known.amount,
        expected + 0.384 * 730.0,
    );
    assert!(of(&running.findings, FindingId::VmDeallocated).is_empty());
}

#[test]
fn nobody_is_slow_while_a_vm_is_off() {
    // A P30 (200 MB/s) and a P10 (100) behind the 192 MB/s of D8s_v3.
    let weights = |state: &str| {
        let mut resources = with_p30("Standard_D8s_v3", &["None"]);
        resources[0]["properties"]["instanceView"]["statuses"][0]["code"] =
            json!(format!("PowerState/{state}"));
        let vm = only(judge(&resources));
        let caps = vm
            .findings
            .iter()
            .filter(|f| f.id == FindingId::VmUncachedMbps);
        let caps: Vec<Severity> = caps.map(|f| f.severity).collect();
        // That the size retires some day is said of a VM that is off as well.
        let others = vm.findings.iter();
        let others = others.filter(|f| f.id != FindingId::RetiringSize);
        (caps, others.map(|f| f.severity).min())
    };
    let (running, off) = (weights("running"), weights("deallocated"));
    assert_eq!(running.0, [Severity::Warning]);
    assert_eq!(off, (vec![Severity::Info], Some(Severity::Info)));
}

#[test]
fn what_lowers_the_bill_of_a_vm_that_is_off_follows_from_its_disks() {
    let fix = |sku: &str, properties: &Value| {
        let mut machine = vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]);
        machine["properties"]["instanceView"]["statuses"][0]["code"] =
            json!("PowerState/deallocated");
        let os = disk("web-os", "Standard_LRS", 128, &json!({}));
        let vm = only(judge(&[machine, os, disk("data", sku, 1024, properties)]));
        let mut found = vm.findings.into_iter();
        found
            .find(|f| f.id == FindingId::VmDeallocated)
            .unwrap()
            .fix
    };
    let own = limits(5000, 200);
    let raised = json!({ "diskIOPSReadWrite": 7500, "diskMBpsReadWrite": 250, "tier": "P40" });
    let off = |ways: &str| {
        Some(format!(
            "while it is off, {ways}; set it back before the VM starts"
        ))
    };
    let data = "az disk update -g shop -n data";
    let premium = format!(
        "change Premium SSD to Standard SSD (`{data} --sku StandardSSD_LRS`) or to Standard HDD (`{data} --sku Standard_LRS`)"
    );
    assert_eq!(fix("Premium_LRS", &own), off(&premium));
    assert_eq!(
        fix("Premium_LRS", &raised),
        off(&format!(
            "lower the raised tier to P30, that of the size (`{data} --set tier=P30`); {premium}"
        ))
    );
    assert_eq!(
        fix("PremiumV2_LRS", &own),
        off(&format!(
            "lower the figures to 3,000 IOPS and 125 MB/s (`{data} --disk-iops-read-write 3000 --disk-mbps-read-write 125`)"
        ))
    );
    assert_eq!(fix("Standard_LRS", &limits(500, 60)), None);
    // The least that a v2 disk can have, what a disk has that was created so, and what another VM may use, stay.
    assert_eq!(fix("PremiumV2_LRS", &limits(3000, 125)), None);
    let plus = json!({ "creationData": { "createOption": "Empty", "performancePlus": true } });
    assert_eq!(fix("Premium_LRS", &plus), None);
    let shared = json!({ "diskIOPSReadWrite": 5000, "diskMBpsReadWrite": 200, "maxShares": 2 });
    assert_eq!(fix("Premium_LRS", &shared), None);
}

/// What the fix and the figure say that is saved, of a VM that is off: its OS disk and a data disk of 1 TiB.
fn saved_while_off(os: &str, sku: &str, gib: u32, properties: &Value) -> (f64, String) {
    let mut machine = vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]);
    machine["properties"]["instanceView"]["statuses"][0]["code"] = json!("PowerState/deallocated");
    let os = disk("web-os", os, 128, &json!({}));
    let vm = only(priced(&[machine, os, disk("data", sku, gib, properties)]));
    let saved = month(&vm.findings, FindingId::VmDeallocated);
    let mut found = vm.findings.into_iter();
    let found = found.find(|f| f.id == FindingId::VmDeallocated).unwrap();
    (saved, found.fix.unwrap())
}

/// East US, a month: P30 135.17, P10 19.71, S30 40.96, S10 5.888, P1 0.60, S4 1.536 and E1 0.30 USD; v2 0.000007 USD for
/// an IOPS-hour and 0.000055 for an MB/s-hour above 3,000 and 125. ZRS: P30 202.73, E30 115.2.
#[test]
fn what_is_saved_while_a_vm_is_off_is_reckoned_disk_by_disk() {
    let p30 = limits(5000, 200);
    let (saved, fix) = saved_while_off("Premium_LRS", "Premium_LRS", 1024, &p30);
    close(saved, 135.17 - 40.96 + 19.71 - 5.888);
    assert_eq!(
        fix,
        "while it is off, change Premium SSD to Standard HDD (`az disk update -g shop -n DISK --sku Standard_LRS`) (DISK: \
         web-os, data): 108.03 USD less a month; set it back before the VM starts"
    );
    // Standard HDD begins with 32 GiB: what is smaller is cheapest as Standard SSD.
    let (saved, fix) = saved_while_off("Standard_LRS", "Premium_LRS", 4, &limits(120, 25));
    close(saved, 0.60 - 0.30);
    assert!(
        fix.contains("change Premium SSD to Standard SSD (`az disk update -g shop -n data --sku StandardSSD_LRS`): 0.3"),
        "{fix}"
    );
    let (saved, fix) = saved_while_off("Standard_LRS", "PremiumV2_LRS", 1024, &limits(8000, 325));
    close(saved, (5000.0 * 0.000_007 + 200.0 * 0.000_055) * 730.0);
    assert!(fix.contains("lower the figures"), "{fix}");
    // There is no zone-redundant Standard HDD.
    let (saved, _) = saved_while_off("Standard_LRS", "Premium_ZRS", 1024, &p30);
    close(saved, 202.73 - 115.2);
}

#[test]
fn a_disk_that_is_exported_is_not_to_be_deleted_first() {
    let fix = |state: &str| {
        let validation = judge(&[alone("left", state)]);
        let mut found = validation
            .findings()
            .filter(|f| f.id == FindingId::DiskUnattached);
        found.next().unwrap().fix.clone().unwrap()
    };
    assert!(fix("ActiveSAS").starts_with("find out who exports it"));
    assert!(!fix("ActiveSAS").contains("delete"));
    assert!(
        fix("Unattached").contains("`az snapshot create -g shop -n left-snapshot --source left`")
    );
}

#[test]
fn what_a_fix_does_not_save_is_not_ranked_as_money() {
    // Disks of a VM that is off become cheaper, not free: a P30 and a P10 as S30 and S10. A disk that is being exported may
    // be in use. Only the P30 that nobody has can go: 135.17 USD a month.
    let mut resources = in_state("deallocated");
    resources.push(alone("left", "Unattached"));
    resources.push(alone("going", "ActiveSAS"));
    resources.push(alone("coming", "ReadyToUpload"));
    let validation = priced(&resources);
    let messages: Vec<&str> = validation
        .findings()
        .filter(|f| f.id == FindingId::DiskUnattached)
        .map(|f| f.message.as_str())
        .collect();
    assert_eq!(messages.len(), 3);
    assert!(
        messages.iter().all(|m| m.contains("135.17 USD a month")),
        "{messages:?}"
    );
    let idle = [FindingId::DiskUnattached, FindingId::VmDeallocated];
    let costliest = &validation.summary.costliest;
    let ranked: Vec<&str> = costliest
        .iter()
        .filter(|costly| idle.contains(&costly.id))
        .map(|costly| costly.subject.as_str())
        .collect();
    assert_eq!(ranked, ["left", "Standard_D8s_v5"]);
    let counted = &validation.summary.by_finding;
    let unattached = counted
        .iter()
        .find(|c| c.id == FindingId::DiskUnattached)
        .unwrap();
    close(unattached.month.unwrap().amount, 135.17);
    let off = counted.iter().find(|c| c.id == FindingId::VmDeallocated);
    close(
        off.unwrap().month.unwrap().amount,
        135.17 - 40.96 + 19.71 - 5.888,
    );
}

#[test]
fn a_stopped_vm_is_billed_as_if_it_ran() {
    assert_eq!(found(&in_state("stopped"), FindingId::VmStopped).len(), 1);
    assert!(found(&in_state("running"), FindingId::VmStopped).is_empty());
}

/// A VM without a power state whose disks are in `states`: the OS disk, and a data disk that two VMs may attach.
fn without_power(states: [&str; 2]) -> VmValidation {
    let mut machine = vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]);
    machine["properties"]
        .as_object_mut()
        .unwrap()
        .remove("instanceView");
    let [mut os, mut data] =
        ["web-os", "data"].map(|name| disk(name, "Premium_LRS", 128, &limits(500, 100)));
    os["properties"]["diskState"] = json!(states[0]);
    data["properties"]["diskState"] = json!(states[1]);
    data["properties"]["maxShares"] = json!(2);
    only(priced(&[machine, os, data]))
}

#[test]
fn disks_tell_that_a_vm_is_deallocated_that_does_not_say_so() {
    // The shared disk is attached as long as another VM runs.
    for state in ["Reserved", "Attached"] {
        let vm = without_power(["Reserved", state]);
        assert_eq!(vm.vm.power.as_deref(), Some("deallocated"));
        assert_eq!(of(&vm.findings, FindingId::VmDeallocated).len(), 1);
        assert!(vm.unknowns.is_empty(), "{:?}", vm.unknowns);
        // Two P10 at 19.71 USD a month, and no size.
        close(vm.month().unwrap().known.amount, 2.0 * 19.71);
    }
    let vm = without_power(["Attached", "Attached"]);
    assert_eq!(vm.vm.power, None);
    let [unknown] = vm.unknowns.as_slice() else {
        panic!("{:?}", vm.unknowns);
    };
    assert_eq!(unknown.subject, "web");
    assert!(
        unknown
            .what
            .starts_with("its power state, which the answer does not say"),
        "{}",
        unknown.what
    );
}
