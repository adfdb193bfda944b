//! Zones of VMs and their disks, and where disks are offered.

use diskcap::planner::FindingId;
use serde_json::{Value, json};

use crate::fixtures::{attached, disk, found, judge, limits, only, vm, with_p30};

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
