//! What is not known: nothing follows from it, and it counts as nothing nowhere.

use diskcap::azure::validate::{Summary, VmValidation};
use diskcap::planner::FindingId;
use serde_json::{Value, json};

use crate::fixtures::{attached, close, disk, judge, limits, of, only, priced, vm};

fn v2_without_limits() -> VmValidation {
    let on_vm = attached(0, "data", "None");
    only(judge(&[
        vm("web", "Standard_D8s_v5", &[on_vm]),
        disk("data", "PremiumV2_LRS", 512, &json!({})),
    ]))
}

#[test]
fn nothing_is_asked_by_a_disk_whose_limit_is_unknown() {
    let validated = v2_without_limits();
    let workload = &validated.assessment.as_ref().unwrap().workloads[0];
    let uncached: Vec<_> = workload
        .ceilings
        .iter()
        .filter(|row| row.ceiling.name() == "uncached")
        .collect();
    assert_eq!(uncached.len(), 2);
    assert!(uncached.iter().all(|row| row.asked.sustained.is_none()));
    assert!(uncached.iter().all(|row| row.asked.burst.is_none()));
    for id in [
        FindingId::VmUncachedIops,
        FindingId::VmUncachedMbps,
        FindingId::VmBurstOnly,
        FindingId::NeighbourBurst,
    ] {
        assert!(of(&validated.findings, id).is_empty(), "{id:?}");
    }
    // The OS disk is known: a P10, whose burst ends.
    assert_eq!(of(&validated.findings, FindingId::BurstOnly)[0].0, "os");
    assert_eq!(of(&validated.findings, FindingId::UnknownCap).len(), 1);
}

#[test]
fn under_an_unknown_size_every_figure_is_an_upper_bound() {
    let on_vm = attached(0, "data", "ReadOnly");
    let validated = only(judge(&[
        vm("web", "Standard_D77s_v9", &[on_vm]),
        disk("data", "Premium_LRS", 1024, &limits(5000, 200)),
    ]));
    let workload = &validated.assessment.as_ref().unwrap().workloads[0];
    assert!(workload.total.sustained.at_most && workload.total.burst.at_most);
    let data = &workload.volumes[1];
    assert!(data.alone.sustained.at_most && data.together.burst.at_most);
    assert_eq!(data.alone.sustained.iops.unwrap().get(), 5000.0);
    let cache = data.cache.as_ref().unwrap();
    assert_eq!((cache.warm.iops, cache.warm.mbps), (None, None));
    assert_eq!(cache.cold.iops.unwrap().get(), 5000.0);
}

#[test]
fn a_vm_without_a_price_is_missing_in_the_sums() {
    let validated = only(priced(&[vm("web", "Standard_D77s_v9", &[])]));
    let assessment = validated.assessment.as_ref().unwrap();
    let cost = assessment.cost.as_ref().unwrap();
    assert_eq!(cost.vm.as_ref().unwrap().month, None);
    assert!(!cost.total.is_priced());
    let missing: Vec<String> = cost.total.missing.iter().map(ToString::to_string).collect();
    assert!(
        missing.contains(&"VM Standard_D77s_v9: price unknown".to_owned()),
        "{missing:?}"
    );
}

#[test]
fn a_shared_disk_is_billed_once() {
    let shared = json!({ "diskIOPSReadWrite": 5000, "diskMBpsReadWrite": 200, "maxShares": 2 });
    let on_vm = || [attached(0, "shared", "None")];
    let both = [
        vm("a", "Standard_D8s_v5", &on_vm()),
        vm("b", "Standard_D8s_v5", &on_vm()),
        disk("shared", "Premium_LRS", 1024, &shared),
    ];
    let judged = priced(&both);
    let known = |summary: &Summary| summary.month.as_ref().unwrap().known.amount;
    let months: f64 = judged
        .vms
        .iter()
        .map(|vm| vm.month().unwrap().known.amount)
        .sum();
    let of_disk = judged.vms[0].disks[1].month.as_ref().unwrap().known.amount;
    assert!(of_disk > 0.0);
    close(known(&judged.summary), months - of_disk);
    let said = |vm: &VmValidation| {
        let found = of(&vm.findings, FindingId::SharedDisk);
        found[0].1.contains("sums of all VMs have it with a")
    };
    assert_eq!((said(&judged.vms[0]), said(&judged.vms[1])), (false, true));
}

fn without_id(mut disk: Value, group: Option<&str>) -> Value {
    disk.as_object_mut().unwrap().remove("id");
    if let Some(group) = group {
        disk["resourceGroup"] = json!(group);
    }
    disk
}

#[test]
fn disks_without_an_id_are_joined_by_group_and_name() {
    let data = disk("data", "PremiumV2_LRS", 130, &limits(6100, 255));
    let on_vm = vm("web", "Standard_D8s_v5", &[attached(0, "Data", "None")]);
    let judged = judge(&[on_vm.clone(), without_id(data.clone(), Some("SHOP"))]);
    assert!(judged.disks.is_empty());
    let joined = only(judged);
    assert_eq!(joined.disks[1].limits.iops.unwrap().get(), 6100.0);
    // Of another group, or of none that is said, it may be another.
    for group in [Some("other"), None] {
        let judged = judge(&[on_vm.clone(), without_id(data.clone(), group)]);
        assert_eq!(judged.disks.len(), 1);
        let apart = only(judged);
        assert!(!apart.disks[1].read_itself);
        let told = apart.unknowns.iter();
        let told: Vec<_> = told.filter(|u| u.what.contains("has no id")).collect();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].subject, "lun0");
    }
}

fn with(mut vm: Value, field: &str, value: Value) -> Value {
    vm["properties"][field] = value;
    vm
}

#[test]
fn a_windows_vm_with_its_own_licence_is_billed_without_one() {
    let mut windows = vm("web", "Standard_D8s_v5", &[]);
    windows["properties"]["storageProfile"]["osDisk"]["osType"] = json!("Windows");
    let offer = |vm: Value| {
        let validated = only(priced(&[vm]));
        let cost = validated.assessment.as_ref().unwrap().cost.clone();
        cost.unwrap().vm.unwrap().offer.label()
    };
    let linux = vm("web", "Standard_D8s_v5", &[]);
    assert_eq!(offer(windows.clone()), "Windows");
    let own = with(windows.clone(), "licenseType", json!("Windows_Server"));
    assert_eq!(offer(own), "Linux");
    let spot = with(linux, "priority", json!("Spot"));
    assert_eq!(offer(spot), "Linux spot");
    let spot = with(windows, "priority", json!("Spot"));
    assert_eq!(offer(spot), "Windows spot");
}

#[test]
fn a_stopped_vm_costs_what_its_size_costs() {
    let mut stopped = vm("web", "Standard_D8s_v5", &[]);
    stopped["properties"]["instanceView"] =
        json!({ "statuses": [{ "code": "PowerState/stopped" }] });
    let validated = only(priced(&[stopped]));
    let assessment = validated.assessment.as_ref().unwrap();
    let cost = assessment.cost.as_ref().unwrap();
    let vm = cost
        .vm
        .as_ref()
        .unwrap()
        .month
        .as_ref()
        .unwrap()
        .known
        .amount;
    close(
        crate::fixtures::month(&validated.findings, FindingId::VmStopped),
        vm,
    );
}

#[test]
fn the_burst_of_an_os_disk_is_a_remark_and_none_while_the_vm_is_off() {
    let running = vm("web", "Standard_D8s_v5", &[]);
    let validated = only(judge(std::slice::from_ref(&running)));
    let bursts: Vec<_> = validated
        .findings
        .iter()
        .filter(|finding| finding.id == FindingId::BurstOnly)
        .collect();
    assert_eq!(bursts.len(), 1);
    assert_eq!(bursts[0].severity.name(), "info");
    assert!(!bursts[0].fix.as_ref().unwrap().contains("v2"));
    let mut off = running;
    off["properties"]["instanceView"] =
        json!({ "statuses": [{ "code": "PowerState/deallocated" }] });
    let validated = only(judge(&[off]));
    assert!(of(&validated.findings, FindingId::BurstOnly).is_empty());
}

#[test]
fn the_credit_that_lowers_the_sum_is_named() {
    // Together 20,000 IOPS while the VM's uncached credit lasts, then 12,800; the OS disk's 2,900 or so more go at once.
    let data = vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]);
    let validated = only(judge(&[
        data,
        disk("data", "PremiumV2_LRS", 512, &limits(20_000, 600)),
    ]));
    let of_vm = of(&validated.findings, FindingId::VmBurstOnly);
    let all: Vec<_> = of_vm
        .iter()
        .filter(|(_, text)| text.starts_with("all volumes at once"))
        .collect();
    assert_eq!(all.len(), 1, "{:?}", validated.findings);
    assert!(all[0].1.contains("the VM's uncached"), "{}", all[0].1);
    let by_disk = of(&validated.findings, FindingId::BurstOnly);
    assert!(by_disk.iter().all(|(subject, _)| *subject == "os"));
}

#[test]
fn of_two_states_of_one_resource_the_last_is_used_and_that_is_said() {
    let on_vm = || [attached(0, "data", "None")];
    let judged = judge(&[
        vm("web", "Standard_D8s_v5", &on_vm()),
        disk("data", "PremiumV2_LRS", 130, &limits(3000, 125)),
        disk("data", "PremiumV2_LRS", 130, &limits(6100, 125)),
        vm("web", "Standard_D16s_v5", &on_vm()),
    ]);
    let validated = only(judged);
    assert_eq!(validated.vm.size.as_deref(), Some("Standard_D16s_v5"));
    assert_eq!(validated.disks[1].limits.iops.unwrap().get(), 6100.0);
    let told: Vec<&str> = validated.problems.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().any(|text| text.contains("another size")));
    assert!(told.iter().any(|text| text.contains("another IOPS limit")));
}

#[test]
fn an_ephemeral_os_disk_needs_room() {
    // A D2s_v5 has no temp disk.
    let mut placed = vm("web", "Standard_D2s_v5", &[]);
    placed["properties"]["storageProfile"]["osDisk"] = json!({
        "osType": "Linux", "name": "web-os", "caching": "ReadOnly", "diskSizeGB": 30,
        "diffDiskSettings": { "option": "Local", "placement": "ResourceDisk" }
    });
    let validated = only(judge(&[placed]));
    let found = of(&validated.findings, FindingId::FeatureNotOffered);
    assert_eq!(found.len(), 1, "{:?}", validated.findings);
    assert!(found[0].1.contains("has no temp disk"), "{}", found[0].1);
}

/// On-demand bursting is for Premium SSD above 512 GiB, performance plus for disks of 513 GiB or more.
#[test]
fn what_a_disk_of_its_size_cannot_have_is_not_called_unknown() {
    let unknowns = |sku: &str, gib: u32| -> Vec<String> {
        let on_vm = json!({
            "lun": 0, "name": "data", "caching": "None", "diskSizeGB": gib,
            "managedDisk": { "storageAccountType": sku }
        });
        let vm = only(judge(&[vm("web", "Standard_D8s_v5", &[on_vm])]));
        let of_data = vm.unknowns.into_iter().filter(|of| of.subject == "lun0");
        let what = of_data.map(|of| of.what.split(": ").next().unwrap().to_owned());
        what.collect()
    };
    assert_eq!(unknowns("Premium_LRS", 512), ["its performance tier"]);
    assert_eq!(
        unknowns("Premium_LRS", 513),
        ["its performance tier, on-demand bursting and performance plus"]
    );
    assert_eq!(unknowns("StandardSSD_LRS", 512), [""; 0]);
    assert_eq!(unknowns("Standard_LRS", 32), [""; 0]);
    for sku in ["StandardSSD_LRS", "Standard_LRS"] {
        assert_eq!(
            unknowns(sku, 1024),
            ["whether it has performance plus"],
            "{sku}"
        );
    }
}

/// S4 to S50 have 500 IOPS and 60 MB/s alike, and no family is slower; E60 has more than E50.
#[test]
fn a_disk_that_is_the_least_there_is_is_not_to_be_smaller() {
    let fix = |sku: &str, gib: u32, iops: u32, mbps: u32| {
        let machine = vm("web", "Standard_A1_v2", &[attached(0, "data", "None")]);
        let resources = [machine, disk("data", sku, gib, &limits(iops, mbps))];
        let mut found = only(judge(&resources)).findings.into_iter();
        let found = found.find(|f| f.id == FindingId::Unusable && f.subject == "lun0");
        found.unwrap().fix.unwrap()
    };
    // Standard_A1_v2 lets 24 MB/s through.
    assert_eq!(
        fix("Standard_LRS", 1023, 500, 60),
        "take a larger size of a series that stays: no such disk has less"
    );
    assert_eq!(
        fix("Standard_LRS", 8192, 1300, 300),
        "take a larger size of a series that stays; or a smaller disk, where its capacity, IOPS and MB/s are enough"
    );
    assert_eq!(
        fix("StandardSSD_LRS", 4, 500, 100),
        "take a larger size of a series that stays; or a slower family, where its IOPS, MB/s and latency are enough"
    );
    assert_eq!(
        fix("StandardSSD_LRS", 8192, 2000, 400),
        "take a larger size of a series that stays; or a smaller disk or a slower family, where its capacity, IOPS, MB/s and latency are enough"
    );
}
