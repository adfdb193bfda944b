//! Every rule about deployed VMs and disks, by hand.

use diskcap::azure::validate::{FleetValidation, Options, Stripe, VmValidation};
use diskcap::catalog::Redundancy;
use diskcap::catalog::price::{BurstPart, DiskMeter, Region, embedded};
use diskcap::deployment::PlanRequest;
use diskcap::planner::{FindingId, Severity};
use diskcap::units::Share;
use diskcap::workload::{IoSettings, Profile};
use serde_json::{Value, json};

use crate::fixtures::{
    attached, close, disk, judge, judge_with, limits, month, of, only, priced, priced_by, vm,
};

/// A VM of a size with P30 disks of 1 TiB, at LUN 0 and on, each cached as said.
fn with_p30(size: &str, caching: &[&str]) -> Vec<Value> {
    let on_vm = caching.iter().enumerate();
    let on_vm: Vec<Value> = on_vm
        .map(|(lun, caching)| attached(lun as u32, &format!("data{lun}"), caching))
        .collect();
    let mut resources = vec![vm("web", size, &on_vm)];
    resources.extend((0..caching.len()).map(|lun| {
        disk(
            &format!("data{lun}"),
            "Premium_LRS",
            1024,
            &limits(5000, 200),
        )
    }));
    resources
}

fn found(resources: &[Value], id: FindingId) -> Vec<String> {
    let vm: VmValidation = only(judge(resources));
    let found = of(&vm.findings, id);
    found
        .iter()
        .map(|(subject, text)| format!("{subject}: {text}"))
        .collect()
}

/// Whether host caching against writes is found under a workload.
fn write_heavy(workload: PlanRequest) -> Vec<String> {
    let options = Options {
        workload,
        ..Options::default()
    };
    let vm = only(judge_with(
        &with_p30("Standard_D8s_v5", &["ReadOnly", "None"]),
        &options,
    ));
    let found = of(&vm.findings, FindingId::WriteHeavyCache);
    found
        .iter()
        .map(|(subject, text)| format!("{subject}: {text}"))
        .collect()
}

#[test]
fn host_caching_is_held_against_the_share_of_writes() {
    let reading = |percent| PlanRequest {
        settings: IoSettings {
            read_share: Some(Share::percent(percent)),
            ..IoSettings::default()
        },
        ..PlanRequest::default()
    };
    let heavy = write_heavy(reading(30));
    assert_eq!(heavy.len(), 1);
    assert!(
        heavy[0].starts_with("lun0: host caching ReadOnly with 70 % writes"),
        "{heavy:?}"
    );
    assert!(write_heavy(reading(60)).is_empty());
    // Nobody said what is written: the standard tests do not.
    assert!(write_heavy(PlanRequest::default()).is_empty());
    // The profile of a desktop says 80 % writes.
    let profiles = vec![Profile::named("vdi").unwrap()];
    let vdi = write_heavy(PlanRequest {
        profiles,
        ..PlanRequest::default()
    });
    assert!(vdi[0].contains("80 % writes"), "{vdi:?}");
}

fn striped(resources: &[Value], stripe: &str) -> VmValidation {
    let options = Options {
        stripes: vec![stripe.parse().unwrap()],
        ..Options::default()
    };
    only(judge_with(resources, &options))
}

#[test]
fn a_stripe_is_one_volume() {
    let resources = with_p30("Standard_D8s_v5", &["None", "None"]);
    // By number, and by name in another case.
    for stripe in ["data=lun0,lun1", "data=0,1", "data=DATA0,data1"] {
        let vm = striped(&resources, stripe);
        let volumes = &vm.assessment.as_ref().unwrap().volumes;
        let names: Vec<(&str, usize)> = volumes.iter().map(|v| (&*v.name, v.members)).collect();
        assert_eq!(names, [("os", 1), ("data", 2)], "{stripe}");
        // 2 x 5,000 IOPS, 2 x 200 MB/s.
        assert_eq!(volumes[1].provisioned.iops.unwrap().get(), 10_000.0);
        assert_eq!(volumes[1].provisioned.mbps.unwrap().get(), 400.0);
        assert!(of(&vm.findings, FindingId::StripeUnequal).is_empty());
        assert!(of(&vm.findings, FindingId::StripeZones).is_empty());
    }
}

#[test]
fn unequal_members_of_a_stripe_are_found() {
    let mut resources = with_p30("Standard_D8s_v5", &["None", "ReadOnly"]);
    resources[2] = disk("data1", "Premium_LRS", 512, &limits(2300, 150));
    resources[2]["zones"] = json!(["2"]);
    let vm = striped(&resources, "data=lun0,lun1");
    // 2 x 2,300 of 5,000 + 2,300.
    let unequal = of(&vm.findings, FindingId::StripeUnequal);
    assert!(
        unequal[0].1.contains("4,600 of the 7,300 IOPS"),
        "{unequal:?}"
    );
    assert_eq!(of(&vm.findings, FindingId::StripeCaching).len(), 1);
    assert_eq!(
        of(&vm.findings, FindingId::StripeZones),
        [("data", "its members are in zone 1 and zone 2")]
    );
}

#[test]
fn texts_that_are_no_stripe_are_refused() {
    for text in [
        "",
        "data",
        "data=lun0",
        "data=lun0,LUN0",
        "=lun0,lun1",
        "a b=lun0,lun1",
        "d=lun0,",
    ] {
        let error = text.parse::<Stripe>().unwrap_err().to_string();
        assert!(error.contains("NAME=lun0,lun1"), "{text}: {error}");
    }
}

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
    let deleted = "delete it where nobody needs it (`az disk delete`): ";
    assert!(fix(&validation).starts_with(&format!("{deleted}135.17 USD less a month.")));
    let unpriced = fix(&judge(&[alone("left", "Unattached")]));
    assert!(
        unpriced.starts_with(&format!("{deleted}its whole price ends.")),
        "{unpriced}"
    );
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
        (caps, vm.worst())
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
    let premium = "change Premium SSD to Standard SSD or Standard HDD";
    assert_eq!(fix("Premium_LRS", &own), off(premium));
    assert_eq!(
        fix("Premium_LRS", &raised),
        off(&format!(
            "lower raised performance tiers to those of the sizes, {premium}"
        ))
    );
    assert_eq!(
        fix("PremiumV2_LRS", &own),
        off("lower the figures of Premium SSD v2 and Ultra disks")
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
        "while it is off, change Premium SSD to Standard HDD: 108.03 USD less a month; set it back before the VM starts"
    );
    // Standard HDD begins with 32 GiB: what is smaller is cheapest as Standard SSD.
    let (saved, fix) = saved_while_off("Standard_LRS", "Premium_LRS", 4, &limits(120, 25));
    close(saved, 0.60 - 0.30);
    assert!(
        fix.contains("change Premium SSD to Standard SSD: 0.3"),
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
    assert!(fix("Unattached").contains("`az snapshot create`"));
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
fn limits_that_cannot_be_are_not_used_and_not_looked_for_elsewhere() {
    let judged = |properties: &Value| {
        let resources = [
            vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]),
            disk("data", "PremiumV2_LRS", 256, properties),
        ];
        let vm = only(judge(&resources));
        let of = |id| {
            vm.findings
                .iter()
                .find(|f| f.id == id && f.subject == "lun0")
        };
        let unknown = of(FindingId::UnknownCap).map(|f| f.fix.clone().unwrap());
        (unknown, of(FindingId::ImplausibleValue).is_some())
    };
    let says = |fix: &Option<String>| {
        fix.as_ref()
            .is_some_and(|fix| fix.starts_with("the answer says limits that cannot be"))
    };
    // 10^18 IOPS; exchanged figures; a negative one. Ten times the largest disk's 400,000 is where belief ends.
    for properties in [
        json!({ "diskIOPSReadWrite": 1_000_000_000_000_000_000_u64, "diskMBpsReadWrite": 600 }),
        json!({ "diskIOPSReadWrite": 125, "diskMBpsReadWrite": 3000 }),
    ] {
        let (fix, implausible) = judged(&properties);
        assert!(says(&fix) && implausible, "{properties}: {fix:?}");
    }
    let (fix, _) = judged(&json!({ "diskIOPSReadWrite": -1, "diskMBpsReadWrite": 600 }));
    assert!(says(&fix), "{fix:?}");
    // What no source says is looked for.
    let (fix, implausible) = judged(&json!({}));
    assert!(!says(&fix) && !implausible, "{fix:?}");
    // More than the rules know may be new: it is believed.
    let (fix, implausible) = judged(&limits(100_000, 600));
    assert_eq!((fix, implausible), (None, false));
}

#[test]
fn a_stopped_vm_is_billed_as_if_it_ran() {
    assert_eq!(found(&in_state("stopped"), FindingId::VmStopped).len(), 1);
    assert!(found(&in_state("running"), FindingId::VmStopped).is_empty());
}

#[test]
fn a_raised_tier_costs_the_difference() {
    let raised = json!({ "diskIOPSReadWrite": 7500, "diskMBpsReadWrite": 250, "tier": "P40" });
    let resources = [
        vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]),
        disk("data", "Premium_LRS", 1024, &raised),
    ];
    let vm = only(priced(&resources));
    assert_eq!(
        of(&vm.findings, FindingId::TierRaised),
        [(
            "lun0",
            "set to P40 (7,500 IOPS and 250 MB/s), its size is P30 (5,000 IOPS and 200 MB/s)"
        )]
    );
    // P40 less P30: 259.0457 - 135.17 USD a month.
    close(month(&vm.findings, FindingId::TierRaised), 123.8757);
}

#[test]
fn on_demand_bursting_costs_its_enablement() {
    let bursting =
        json!({ "diskIOPSReadWrite": 5000, "diskMBpsReadWrite": 200, "burstingEnabled": true });
    let resources = [
        vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]),
        disk("data", "Premium_LRS", 1024, &bursting),
    ];
    // The embedded prices know no enablement: 24.5 USD a month is made up.
    let mut book = embedded(&Region::new("eastus")).unwrap();
    let enablement = DiskMeter::Burst {
        redundancy: Redundancy::Lrs,
        part: BurstPart::Enablement,
    };
    book.set_disk(enablement, 24.5);
    let vm = only(priced_by(book, &resources));
    close(month(&vm.findings, FindingId::PaidBurst), 24.5);
    let vm = only(priced(&resources));
    assert!(of(&vm.findings, FindingId::PaidBurst).is_empty());
    assert_eq!(of(&vm.findings, FindingId::OnDemandBurst).len(), 1);
}

#[test]
fn v2_that_the_vm_does_not_let_through_costs_money() {
    // 6,000 IOPS and 125 MB/s behind 3,200 IOPS and 48 MB/s, 4,000 and 200 in burst: 2,000 IOPS never pass, and iops=4000
    // saves what they cost. The 800 that pass in burst are no waste, and what is free (3,000 IOPS, 125 MB/s) costs
    // nothing.
    let resources = [
        vm("web", "Standard_D2s_v3", &[attached(0, "data", "None")]),
        disk("data", "PremiumV2_LRS", 100, &limits(6000, 125)),
    ];
    let vm = only(priced(&resources));
    close(
        month(
            vm.findings.iter().filter(|f| f.subject == "lun0"),
            FindingId::Unusable,
        ),
        2000.0 * 7e-6 * 730.0,
    );
    let unusable = |vm: &VmValidation| {
        let mut own = vm.findings.iter();
        own.find(|f| f.id == FindingId::Unusable && f.subject == "lun0")
            .cloned()
            .unwrap()
    };
    let fix = unusable(&vm).fix.unwrap();
    assert!(
        fix.starts_with(
            "`az disk update --disk-iops-read-write 4000 --disk-mbps-read-write 125` pays for no more"
        ),
        "{fix}"
    );
    // 4,000 IOPS all pass in burst: that is worth knowing and no money to save, so it is in no sum.
    let resources = [
        vm_of_v2(),
        disk("data", "PremiumV2_LRS", 100, &limits(4000, 125)),
    ];
    let in_burst = unusable(&only(priced(&resources)));
    assert_eq!(
        (in_burst.severity, in_burst.per_month()),
        (Severity::Info, None)
    );
    assert!(
        in_burst.message.contains("a month of it costs 4.09 USD"),
        "{}",
        in_burst.message
    );
}

fn vm_of_v2() -> Value {
    vm("web", "Standard_D2s_v3", &[attached(0, "data", "None")])
}

fn with_ultra(enabled: Option<bool>, attached_ultra: bool) -> Vec<Value> {
    let on_vm = if attached_ultra {
        vec![attached(0, "data", "None")]
    } else {
        Vec::new()
    };
    let mut machine = vm("web", "Standard_D2s_v3", &on_vm);
    if let Some(enabled) = enabled {
        machine["properties"]["additionalCapabilities"] = json!({ "ultraSSDEnabled": enabled });
    }
    let mut resources = vec![machine];
    if attached_ultra {
        resources.push(disk("data", "UltraSSD_LRS", 64, &limits(9600, 400)));
    }
    resources
}

#[test]
fn ultra_that_is_enabled_and_not_used_is_reserved() {
    let vm = only(priced(&with_ultra(Some(true), false)));
    // 2 vCPUs at 0.006 USD an hour.
    close(
        month(&vm.findings, FindingId::UltraReservation),
        2.0 * 0.006 * 730.0,
    );
    assert!(found(&with_ultra(Some(true), true), FindingId::UltraReservation).is_empty());
    assert!(found(&with_ultra(None, false), FindingId::UltraReservation).is_empty());
}

#[test]
fn an_ultra_disk_needs_it_enabled() {
    let id = FindingId::UltraNotEnabled;
    assert_eq!(
        found(&with_ultra(Some(false), true), id),
        ["lun0: has an Ultra disk, and ultraSSDEnabled is false"]
    );
    assert_eq!(found(&with_ultra(None, true), id).len(), 1);
    assert!(found(&with_ultra(Some(true), true), id).is_empty());
}

#[test]
fn a_disk_in_another_zone_than_its_vm_is_found() {
    let mut resources = with_p30("Standard_D8s_v5", &["None"]);
    assert!(found(&resources, FindingId::ZoneMismatch).is_empty());
    resources[1]["zones"] = json!(["3"]);
    assert_eq!(
        found(&resources, FindingId::ZoneMismatch),
        ["lun0: is in zone 3, its VM in zone 1"]
    );
    resources[1]["zones"] = json!([]);
    assert!(found(&resources, FindingId::ZoneMismatch).is_empty());
}

/// A list that offers Premium SSD v2 in zones 2 and 3 of East US, and Ultra on D8s_v5 in zone 3.
fn offers() -> [Value; 2] {
    [
        json!({
            "resourceType": "disks", "name": "PremiumV2_LRS", "tier": "Premium",
            "locations": ["eastus"],
            "locationInfo": [{ "location": "eastus", "zones": ["3", "2"] }],
            "capabilities": []
        }),
        json!({
            "resourceType": "virtualMachines", "name": "Standard_D8s_v5", "locations": ["eastus"],
            "locationInfo": [{
                "location": "eastus", "zones": ["1", "2", "3"],
                "zoneDetails": [{
                    "Name": ["3"],
                    "capabilities": [{ "name": "UltraSSDAvailable", "value": "True" }]
                }]
            }],
            "capabilities": [
                { "name": "vCPUs", "value": "8" },
                { "name": "UncachedDiskIOPS", "value": "12345" }
            ]
        }),
    ]
}

#[test]
fn v2_and_ultra_are_not_offered_in_every_zone() {
    let with = |sku: &str, zone: &str| {
        let mut machine = vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]);
        machine["zones"] = json!([zone]);
        let mut data = disk("data", sku, 64, &limits(4000, 200));
        data["zones"] = json!([zone]);
        let mut resources = vec![machine, data];
        resources.extend(offers());
        found(&resources, FindingId::ZoneNotOffered)
    };
    let v2 = with("PremiumV2_LRS", "1");
    assert!(v2[0].contains("zone 1 is not listed to offer it"), "{v2:?}");
    assert!(with("PremiumV2_LRS", "2").is_empty());
    let ultra = with("UltraSSD_LRS", "2");
    assert!(
        ultra[0].contains("the size takes Ultra disks in zone 3, not in zone 2"),
        "{ultra:?}"
    );
    assert!(with("UltraSSD_LRS", "3").is_empty());
}

#[test]
fn a_list_of_skus_goes_over_the_embedded_sizes() {
    let mut resources = with_p30("standard_d8S_v5", &["None"]);
    resources.extend(offers());
    let vm = only(judge(&resources));
    let size = vm.assessment.as_ref().unwrap().vm.as_ref().unwrap();
    assert_eq!(size.uncached.base.iops.unwrap().get(), 12_345.0);
}

fn accelerated(size: &str, caching: &str, count: usize) -> Vec<Value> {
    let mut resources = with_p30(size, &vec![caching; count]);
    let disks = resources[0]["properties"]["storageProfile"]["dataDisks"].as_array_mut();
    for disk in disks.unwrap() {
        disk["writeAcceleratorEnabled"] = json!(true);
    }
    resources
}

#[test]
fn write_accelerator_exists_on_m_series_premium_disks_only() {
    let id = FindingId::WriteAccelerator;
    let d = found(&accelerated("Standard_D8s_v5", "None", 1), id);
    assert!(d[0].contains("only M-series sizes do"), "{d:?}");
    assert!(found(&accelerated("Standard_M32ts", "ReadOnly", 1), id).is_empty());
    let rw = found(&accelerated("Standard_M32ts", "ReadWrite", 1), id);
    assert!(
        rw[0].contains("only None and ReadOnly are possible"),
        "{rw:?}"
    );
    // A list that says how many.
    let mut three = accelerated("Standard_M32ts", "None", 3);
    three.push(json!({
        "resourceType": "virtualMachines", "name": "Standard_M32ts", "locations": ["eastus"],
        "capabilities": [
            { "name": "vCPUs", "value": "32" },
            { "name": "MaxWriteAcceleratorDisksAllowed", "value": "2" }
        ]
    }));
    let many = found(&three, id);
    assert_eq!(
        many,
        ["Standard_M32ts: Write Accelerator on 3 disks, the size has it for 2"]
    );
}

#[test]
fn the_controller_is_held_against_size_and_image() {
    let id = FindingId::Controller;
    let controlled = |size: &str, controller: &str, image: Option<&str>| {
        let mut machine = vm("web", size, &[]);
        machine["properties"]["storageProfile"]["diskControllerType"] = json!(controller);
        let mut resources = vec![machine];
        if let Some(image) = image {
            let supported = json!({ "supportedCapabilities": { "diskControllerTypes": image } });
            resources.push(disk("web-os", "Premium_LRS", 128, &supported));
        }
        found(&resources, id)
    };
    // D2s_v6 has NVMe only, E8bds_v5 both.
    let size = controlled("Standard_D2s_v6", "SCSI", None);
    assert_eq!(
        size,
        ["Standard_D2s_v6: its controller is SCSI, the size has NVMe"]
    );
    assert!(controlled("Standard_E8bds_v5", "NVMe", Some("SCSI, NVMe")).is_empty());
    let image = controlled("Standard_E8bds_v5", "NVMe", Some("SCSI"));
    assert_eq!(
        image,
        ["Standard_E8bds_v5: runs with NVMe, the image on its OS disk says SCSI"]
    );
}

#[test]
fn windows_expects_a_temp_disk() {
    let windows = |size: &str, os: &str| {
        let mut machine = vm("web", size, &[]);
        machine["properties"]["storageProfile"]["osDisk"]["osType"] = json!(os);
        found(&[machine], FindingId::NoTempDisk)
    };
    assert_eq!(windows("Standard_D8s_v5", "Windows").len(), 1);
    assert!(windows("Standard_D8ds_v5", "Windows").is_empty());
    assert!(windows("Standard_D8s_v5", "Linux").is_empty());
}

/// D8s_v5 sustains 12,800 IOPS and 290 MB/s uncached, and 20,000 and 1,200 in burst.
#[test]
fn what_only_bursts_of_the_vm_let_through_says_what_to_do() {
    let fix = |sku: &str, gib: u32, properties: &Value| {
        let machine = vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]);
        let vm = only(judge(&[machine, disk("data", sku, gib, properties)]));
        let mut found = vm.findings.into_iter();
        let found = found.find(|f| f.id == FindingId::Unusable && f.subject == "lun0");
        let found = found.unwrap();
        assert_eq!(found.severity, Severity::Info);
        found.fix.unwrap()
    };
    let otherwise = "leave it where the VM's bursts are what it is for; to have all of it all the time, take a larger size";
    assert_eq!(
        fix("PremiumV2_LRS", 500, &limits(18_000, 500)),
        format!(
            "`az disk update --disk-iops-read-write 12800 --disk-mbps-read-write 290` pays for no more than this VM sustains; \
             {otherwise}"
        )
    );
    // A P60 has 16,000 IOPS and 500 MB/s, and no setting below.
    assert_eq!(fix("Premium_LRS", 8192, &limits(16_000, 500)), otherwise);
}
