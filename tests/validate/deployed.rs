//! Disks as they are deployed: what the platform says of them wins.

use diskcap::azure::validate::{BackingKind, DeployedDisk};
use diskcap::catalog::{BurstKind, Limits};
use diskcap::deployment::HostCaching;
use diskcap::planner::FindingId;
use diskcap::units::{GiB, Iops, MBps};
use serde_json::{Value, json};

use crate::fixtures::{attached, disk, judge, limits, of, only, vm, volume};

fn pair(iops: u32, mbps: u32) -> Limits {
    Limits::new(Iops::whole(iops), MBps::whole(mbps))
}

/// The data disk of a VM with this one, read by itself.
fn deployed(sku: &str, gib: u32, properties: &Value) -> DeployedDisk {
    let on_vm = attached(0, "data", "None");
    let resources = [
        vm("web", "Standard_D8s_v5", &[on_vm]),
        disk("data", sku, gib, properties),
    ];
    let validated = only(judge(&resources));
    volume(&validated, "lun0").clone()
}

#[test]
fn tiers_follow_from_the_size() {
    let p30 = deployed("Premium_LRS", 1000, &limits(5000, 200));
    assert_eq!((p30.label.as_str(), p30.limits), ("P30", pair(5000, 200)));
    assert!(p30.read_itself);
    let p20 = deployed("Premium_LRS", 300, &limits(2300, 150));
    let burst = p20.burst.unwrap();
    assert_eq!(burst.limits, pair(3500, 170));
    assert!(matches!(burst.kind, BurstKind::Credit { .. }));
}

#[test]
fn a_raised_tier_is_the_one_that_holds() {
    let raised = json!({ "diskIOPSReadWrite": 7500, "diskMBpsReadWrite": 250, "tier": "P40" });
    let disk = deployed("Premium_LRS", 1024, &raised);
    assert_eq!(disk.label, "P30 as P40");
    assert_eq!(disk.limits, pair(7500, 250));
    assert_eq!(disk.size_gib, Some(GiB::whole(1024)));
}

#[test]
fn performance_plus_shows_by_its_setting_or_by_its_limits() {
    let said = json!({
        "creationData": { "createOption": "Empty", "performancePlus": true },
        "diskIOPSReadWrite": 8000, "diskMBpsReadWrite": 300, "tier": "P30"
    });
    let unsaid = json!({ "diskIOPSReadWrite": 8000, "diskMBpsReadWrite": 300, "tier": "P30" });
    for properties in [said, unsaid] {
        let disk = deployed("Premium_LRS", 530, &properties);
        assert_eq!(disk.label, "P30 perfplus", "{properties}");
        assert_eq!(disk.limits, pair(8000, 300));
    }
}

#[test]
fn on_demand_bursting_is_as_set() {
    let bursting =
        json!({ "diskIOPSReadWrite": 5000, "diskMBpsReadWrite": 200, "burstingEnabled": true });
    let burst = deployed("Premium_LRS", 1024, &bursting).burst.unwrap();
    assert_eq!(burst.limits, pair(30_000, 1000));
    assert_eq!(burst.kind, BurstKind::OnDemand);
}

#[test]
fn provisioned_figures_are_those_deployed() {
    let v2 = deployed("PremiumV2_LRS", 130, &limits(6100, 255));
    assert_eq!((v2.label.as_str(), v2.limits), ("v2", pair(6100, 255)));
    let ultra = deployed("UltraSSD_LRS", 64, &limits(9600, 400));
    assert_eq!(ultra.limits, pair(9600, 400));
}

#[test]
fn what_is_not_said_of_a_provisioned_disk_is_unknown_not_the_default() {
    let silent = deployed("PremiumV2_LRS", 130, &json!({}));
    assert_eq!(silent.limits, Limits::UNKNOWN);
    let half = deployed("UltraSSD_LRS", 64, &json!({ "diskIOPSReadWrite": 9600 }));
    assert_eq!(half.limits.iops, Some(Iops::whole(9600)));
    assert_eq!(half.limits.mbps, None);
}

#[test]
fn a_disk_that_was_not_read_is_known_from_its_vm() {
    let on_vm = json!({
        "lun": 3, "name": "data", "caching": "ReadOnly", "diskSizeGB": 512,
        "managedDisk": { "storageAccountType": "Premium_LRS" }
    });
    let v2 = json!({
        "lun": 4, "name": "log", "caching": "None", "diskSizeGB": 64,
        "managedDisk": { "storageAccountType": "PremiumV2_LRS" }
    });
    let validated = only(judge(&[vm("web", "Standard_D8s_v5", &[on_vm, v2])]));
    let p20 = volume(&validated, "lun3");
    assert_eq!((p20.label.as_str(), p20.read_itself), ("P20", false));
    assert_eq!(
        (p20.limits, p20.caching),
        (pair(2300, 150), HostCaching::ReadOnly)
    );
    assert_eq!(volume(&validated, "lun4").limits, Limits::UNKNOWN);
    let unknowns: Vec<_> = validated
        .unknowns
        .iter()
        .map(|u| (&*u.subject, &*u.what))
        .collect();
    assert!(unknowns.contains(&(
        "lun4",
        "its provisioned IOPS and MB/s: the disk itself was not read"
    )));
    assert_eq!(of(&validated.findings, FindingId::UnknownCap).len(), 1);
}

#[test]
fn implausible_values_are_pointed_out_and_not_believed() {
    // 125 I/Os a second cannot carry 3,000 MB/s: the two are exchanged.
    let on_vm = attached(0, "data", "None");
    let resources = [
        vm("web", "Standard_D8s_v5", &[on_vm]),
        disk("data", "PremiumV2_LRS", 200, &limits(125, 3000)),
    ];
    let validated = only(judge(&resources));
    assert_eq!(volume(&validated, "lun0").limits, Limits::UNKNOWN);
    let found = of(&validated.findings, FindingId::ImplausibleValue);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "lun0");
    assert!(found[0].1.contains("look exchanged"), "{}", found[0].1);
}

/// The largest disks have 80,000 IOPS and 2,000 MB/s (Premium SSD v2), 400,000 and 10,000 (Ultra), 20,000 and 900
/// (Premium SSD), 6,000 and 750 (Standard SSD); twice as much may be a limit that was raised.
#[test]
fn more_than_twice_what_the_largest_disk_of_its_kind_has_is_not_believed() {
    for (sku, gib, most) in [
        ("PremiumV2_LRS", 1024, (160_000, 4_000)),
        ("UltraSSD_LRS", 1024, (800_000, 20_000)),
    ] {
        let (iops, mbps) = most;
        assert_eq!(
            deployed(sku, gib, &limits(iops, mbps)).limits,
            pair(iops, mbps)
        );
        for beyond in [limits(iops + 1, 1_000), limits(iops, mbps + 1)] {
            let disk = deployed(sku, gib, &beyond);
            assert_eq!(disk.limits, Limits::UNKNOWN, "{sku} {beyond}");
        }
    }
    // Of a tier the limits are known without its answer: a P30 has 5,000 and 200, an E10 500 and 100.
    let p30 = deployed("Premium_LRS", 1024, &limits(40_001, 200));
    assert_eq!(p30.limits, pair(5_000, 200));
    let e10 = deployed("StandardSSD_LRS", 128, &limits(500, 1_501));
    assert_eq!(e10.limits, pair(500, 100));
}

#[test]
fn a_figure_that_is_not_believed_is_said_with_what_there_can_be() {
    let resources = [
        vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]),
        disk("data", "PremiumV2_LRS", 1024, &limits(200_000, 1_200)),
    ];
    let validated = only(judge(&resources));
    let found = of(&validated.findings, FindingId::ImplausibleValue);
    let text = "diskIOPSReadWrite 200,000 cannot be: the largest Premium SSD v2 disk has 80,000 IOPS and 2,000 MB/s: not \
                believed, taken as unknown";
    assert_eq!(found, [("lun0", text)]);
    assert!(of(&validated.findings, FindingId::DeployedLimits).is_empty());
    let unknowns = validated.unknowns.iter();
    let of_data = unknowns.filter(|of| of.subject == "lun0");
    let whats: Vec<_> = of_data.map(|of| &*of.what).collect();
    assert_eq!(
        whats,
        ["its provisioned IOPS and MB/s: the answer has no figures that can be used"]
    );
}

#[test]
fn other_limits_than_the_tables_are_used_and_said() {
    let on_vm = attached(0, "data", "None");
    let resources = [
        vm("web", "Standard_D8s_v5", &[on_vm]),
        disk("data", "StandardSSD_LRS", 128, &limits(500, 60)),
    ];
    let validated = only(judge(&resources));
    assert_eq!(volume(&validated, "lun0").limits, pair(500, 60));
    assert_eq!(
        of(&validated.findings, FindingId::DeployedLimits),
        [(
            "lun0",
            "reports 500 IOPS and 60 MB/s, where E10 has 500 IOPS and 100 MB/s: used as reported"
        )]
    );
}

#[test]
fn an_unknown_sku_is_reported_with_what_it_says_itself() {
    let on_vm = attached(0, "data", "ReadOnly");
    let resources = [
        vm("web", "Standard_D8s_v5", &[on_vm]),
        disk("data", "Quantum_LRS", 77, &limits(7700, 77)),
    ];
    let validated = only(judge(&resources));
    let disk = volume(&validated, "lun0");
    assert_eq!(
        (disk.label.as_str(), disk.limits),
        ("Quantum_LRS", pair(7700, 77))
    );
    assert_eq!(disk.caching, HostCaching::ReadOnly);
    assert_eq!(of(&validated.findings, FindingId::UnknownDiskSku).len(), 1);
    assert!(validated.assessment.is_some());
}

#[test]
fn an_unknown_size_leaves_the_disks_judged_by_themselves() {
    let on_vm = attached(0, "data", "None");
    let resources = [
        vm("web", "Standard_D8s_v77", &[on_vm]),
        disk("data", "Premium_LRS", 1024, &limits(5000, 200)),
    ];
    let validated = only(judge(&resources));
    assert_eq!(
        of(&validated.findings, FindingId::UnknownSize)[0].0,
        "Standard_D8s_v77"
    );
    let assessment = validated.assessment.unwrap();
    assert!(assessment.vm.is_none());
    let random = &assessment.workloads[0].volumes[1];
    assert_eq!(random.alone.sustained.iops, Some(Iops::whole(5000)));
}

#[test]
fn an_ephemeral_os_disk_lies_behind_the_cached_ceiling() {
    let mut machine = vm("web", "Standard_D2s_v3", &[]);
    let os = &mut machine["properties"]["storageProfile"]["osDisk"];
    os["diffDiskSettings"] = json!({ "option": "Local", "placement": "CacheDisk" });
    os["caching"] = json!("ReadOnly");
    // The cache of the size has 50 GiB.
    os["diskSizeGB"] = json!(30);
    let validated = only(judge(&[machine]));
    let disk = volume(&validated, "os");
    assert_eq!(
        (disk.backing, disk.label.as_str()),
        (BackingKind::Ephemeral, "ephemeral")
    );
    let assessment = validated.assessment.unwrap();
    // The size's cached ceiling: 4,000 IOPS.
    let random = &assessment.workloads[0].volumes[0];
    assert_eq!(random.alone.sustained.iops, Some(Iops::whole(4000)));
    assert_eq!(of(&validated.findings, FindingId::LocalData).len(), 1);
    assert!(of(&validated.findings, FindingId::FeatureNotOffered).is_empty());
}

#[test]
fn an_unmanaged_disk_has_unknown_limits() {
    let vhd = json!({
        "lun": 0, "name": "data", "caching": "ReadOnly", "diskSizeGB": 1023,
        "vhd": { "uri": "https://shop.blob.core.windows.net/vhds/data.vhd" }
    });
    let validated = only(judge(&[vm("web", "Standard_D8s_v5", &[vhd])]));
    let disk = volume(&validated, "lun0");
    assert_eq!(
        (disk.backing, disk.limits),
        (BackingKind::Unmanaged, Limits::UNKNOWN)
    );
    assert_eq!(of(&validated.findings, FindingId::UnmanagedDisk).len(), 1);
    assert!(of(&validated.findings, FindingId::UnknownCap).is_empty());
}

#[test]
fn shared_disks_say_so() {
    let shared = json!({ "diskIOPSReadWrite": 5000, "diskMBpsReadWrite": 200, "maxShares": 3 });
    let on_vm = attached(0, "data", "None");
    let resources = [
        vm("web", "Standard_D8s_v5", &[on_vm]),
        disk("data", "Premium_LRS", 1024, &shared),
    ];
    let validated = only(judge(&resources));
    assert_eq!(volume(&validated, "lun0").max_shares, Some(3));
    assert_eq!(of(&validated.findings, FindingId::SharedDisk).len(), 1);
}

#[test]
fn a_vm_without_a_known_disk_is_still_reported() {
    let bare = json!({
        "id": crate::fixtures::path("virtualMachines", "bare"),
        "name": "bare",
        "type": "Microsoft.Compute/virtualMachines",
        "location": "eastus",
        "properties": { "hardwareProfile": { "vmSize": "Standard_D8s_v5" } }
    });
    let validated = only(judge(&[bare]));
    assert!(validated.assessment.is_none());
    assert_eq!(of(&validated.findings, FindingId::DisksUnknown).len(), 1);
    assert_eq!(
        validated.unknowns[0].what,
        "its disks: the answer names none"
    );
}

#[test]
fn unknown_fields_are_named() {
    let mut odd = attached(0, "data", "WriteMostly");
    odd["diskSizeGB"] = json!("large");
    let resources = [
        vm("web", "Standard_D8s_v5", &[odd]),
        disk("data", "Premium_LRS", 1024, &limits(5000, 200)),
    ];
    let validated = only(judge(&resources));
    let whats: Vec<&str> = validated.unknowns.iter().map(|u| &*u.what).collect();
    assert!(
        whats.contains(&"its host caching 'WriteMostly': computed with None"),
        "{whats:?}"
    );
    assert!(
        validated
            .problems
            .iter()
            .any(|p| p.text.contains("diskSizeGB"))
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
