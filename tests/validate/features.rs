//! What a VM is set to, and its size, image or disks do not have.

use diskcap::azure::validate::FleetValidation;
use diskcap::catalog::price::{Region, embedded};
use diskcap::planner::FindingId;
use serde_json::{Value, json};

use crate::fixtures::{
    attached, close, disk, found, judge, limits, month, only, priced, priced_by, vm, with_p30,
};

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
    assert_eq!(
        fix_of(&accelerated("Standard_M32ts", "ReadWrite", 1), id),
        "set host caching to None or ReadOnly: `az vm update -g shop -n web --disk-caching 0=None`"
    );
    // The documentation: one disk of an M8ms, four of an M32ts.
    assert_eq!(
        found(&accelerated("Standard_M8ms", "None", 3), id),
        ["Standard_M8ms: Write Accelerator on 3 disks, the size has it for 1"]
    );
    assert!(found(&accelerated("Standard_M32ts", "None", 4), id).is_empty());
    assert_eq!(
        found(&accelerated("Standard_M32ts", "None", 5), id).len(),
        1
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
    // From version 6 on the local disks are NVMe: there is no temp disk to resize to.
    let mut machine = vm("web", "Standard_D8ds_v6", &[]);
    machine["properties"]["storageProfile"]["osDisk"]["osType"] = json!("Windows");
    let fix = fix_of(&[machine], FindingId::NoTempDisk);
    assert!(fix.starts_with("format the local NVMe disks"), "{fix}");
}

/// Standard_A1_v2 has no premium storage, Standard_D2s_v5 has it.
#[test]
fn an_os_disk_on_hdd_is_changed_to_what_the_size_takes() {
    let fix = |size: &str| {
        let mut machine = vm("web", size, &[]);
        machine["properties"]["storageProfile"]["osDisk"]["managedDisk"]["storageAccountType"] =
            json!("Standard_LRS");
        let mut found = only(judge(&[machine])).findings.into_iter();
        let found = found.find(|f| f.id == FindingId::OsDiskHdd).unwrap();
        found.fix.unwrap()
    };
    let standard = "change it while the VM is deallocated: `az disk update -g shop -n web-os --sku StandardSSD_LRS`";
    assert_eq!(fix("Standard_A1_v2"), standard);
    assert_eq!(
        fix("Standard_D2s_v5"),
        format!("{standard}, or Premium_LRS")
    );
}

fn fix_of(resources: &[Value], id: FindingId) -> String {
    fix_in(judge(resources), id)
}

fn fix_in(validation: FleetValidation, id: FindingId) -> String {
    let vm = only(validation);
    let finding = vm.findings.into_iter().find(|f| f.id == id).unwrap();
    finding.fix.unwrap()
}

/// Four P30 (20,000 IOPS) are more than an M8ms lets through; E-series sizes that would be enough for less have no Write
/// Accelerator, and are named for disks without it only.
#[test]
fn no_size_without_write_accelerator_takes_the_place_of_one_with_it() {
    let id = FindingId::VmUncachedIops;
    let plain = fix_in(priced(&with_p30("Standard_M8ms", &["None"; 4])), id);
    assert!(plain.contains(", Standard_E"), "{plain}");
    let fix = fix_in(priced(&accelerated("Standard_M8ms", "None", 4)), id);
    let names = fix
        .split_whitespace()
        .filter(|word| word.starts_with("Standard_"));
    let others: Vec<&str> = names
        .filter(|name| !name.starts_with("Standard_M"))
        .collect();
    assert!(others.is_empty(), "{fix}");
}

/// DS1_v2 lets 4,000 cached IOPS through, D2a_v4 3,000: an ephemeral OS disk passes that ceiling. In France Central D2a_v4 is
/// the cheaper of those that do (0.112 USD an hour, D2lds_v5 0.115).
#[test]
fn an_ephemeral_os_disk_needs_the_cached_ceiling_of_the_next_size() {
    let mut resources = vec![vm("web", "Standard_DS1_v2", &[])];
    let os = &mut resources[0]["properties"]["storageProfile"]["osDisk"];
    os["managedDisk"]["storageAccountType"] = json!("StandardSSD_LRS");
    let book = || embedded(&Region::new("francecentral")).unwrap();
    let fix = fix_in(priced_by(book(), &resources), FindingId::RetiringSize);
    assert!(fix.starts_with("Standard_D2a_v4 "), "{fix}");
    let os = &mut resources[0]["properties"]["storageProfile"]["osDisk"];
    os["diffDiskSettings"] = json!({ "option": "Local", "placement": "CacheDisk" });
    let fix = fix_in(priced_by(book(), &resources), FindingId::RetiringSize);
    assert!(!fix.starts_with("Standard_D2a_v4 "), "{fix}");
    let name = fix.split(' ').next().unwrap();
    let size = diskcap::catalog::Catalog::embedded()
        .vm(name, None)
        .unwrap();
    assert!(size.cached.base.iops.unwrap().get() >= 4000.0, "{fix}");
}

/// D4_v3 and its twin D4s_v3 go on the same day.
#[test]
fn a_premium_twin_that_retires_says_so_and_one_that_stays_is_named() {
    let fix = fix_of(
        &with_p30("Standard_D4_v3", &["None"]),
        FindingId::PremiumUnsupported,
    );
    assert!(
        fix.starts_with(
            "Standard_D4s_v3 has the same vCPUs and memory with premium storage, but retires on 2029-11-15 as well; \
             Standard_"
        ),
        "{fix}"
    );
}
