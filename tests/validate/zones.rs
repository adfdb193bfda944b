//! Zones of VMs and their disks, and where disks are offered.

use diskcap::planner::{FindingId, Severity};
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

/// What a list of SKUs says of the size of a VM in `zone` of East US, where it is sold in `sold` and has `restrictions`.
fn of_own_size(zone: Option<&str>, power: &str, sold: &Value, restrictions: &Value) -> Vec<String> {
    let mut resources = with_p30("Standard_D8s_v5", &["None"]);
    resources[0]["zones"] = zone.map_or(json!([]), |zone| json!([zone]));
    resources[0]["properties"]["instanceView"]["statuses"][0]["code"] = json!(power);
    let [_, mut size] = offers();
    size["locationInfo"][0]["zones"] = sold.clone();
    size["restrictions"] = restrictions.clone();
    resources.push(size);
    found(&resources, FindingId::SizeNotOffered)
}

#[test]
fn a_vm_whose_own_size_it_could_not_have_again_is_told() {
    let all = json!(["1", "2", "3"]);
    let running = "PowerState/running";
    let restricted = |info: Value| {
        json!([{
            "type": "Zone", "values": ["eastus"], "restrictionInfo": info, "reasonCode": "NotAvailableForSubscription"
        }])
    };
    let runs_on = "the VM runs on, but may not start again once it is deallocated, and none like it can be made there";
    let in_region = restricted(json!({ "locations": ["eastus"] }));
    let of_region = format!(
        "Standard_D8s_v5: the list of SKUs of eastus restricts Standard_D8s_v5 for this subscription (NotAvailableForSubscription): {runs_on}"
    );
    assert_eq!(
        of_own_size(Some("1"), running, &all, &in_region),
        [of_region.as_str()]
    );
    assert_eq!(of_own_size(None, running, &all, &in_region), [of_region]);
    assert_eq!(
        of_own_size(Some("1"), "PowerState/deallocated", &all, &in_region),
        [
            "Standard_D8s_v5: the list of SKUs of eastus restricts Standard_D8s_v5 for this subscription (NotAvailableForSubscription): \
             the VM may not start again, and none like it can be made there"
        ]
    );
    let elsewhere = restricted(json!({ "locations": ["westus"] }));
    assert!(of_own_size(Some("1"), running, &all, &elsewhere).is_empty());
    // A restriction of zone 1 is none of zone 2, nor of a VM that is in none.
    let in_zone_1 = restricted(json!({ "locations": ["eastus"], "zones": ["1"] }));
    assert_eq!(
        of_own_size(Some("1"), running, &all, &in_zone_1),
        [format!(
            "Standard_D8s_v5: the list of SKUs of eastus restricts Standard_D8s_v5 in zone 1 for this subscription \
             (NotAvailableForSubscription): {runs_on}"
        )]
    );
    assert!(of_own_size(Some("2"), running, &all, &in_zone_1).is_empty());
    assert!(of_own_size(None, running, &all, &in_zone_1).is_empty());
    assert_eq!(
        of_own_size(Some("1"), running, &json!(["2", "3"]), &json!([])),
        [format!(
            "Standard_D8s_v5: the list of SKUs of eastus has Standard_D8s_v5 in zones 2, 3, not in zone 1: {runs_on}"
        )]
    );
    assert!(of_own_size(Some("1"), running, &all, &json!([])).is_empty());
}

/// A list of many sizes is that of all that a region sells; one of a few says nothing of others.
#[test]
fn a_size_that_a_whole_list_lacks_is_told_as_information() {
    let listed = |count: usize| {
        let mut resources = with_p30("Standard_D8s_v5", &["None"]);
        resources.extend((0..count).map(|n| {
            let [_, mut size] = offers();
            size["name"] = json!(format!("Standard_F{n}s_v9"));
            size
        }));
        let vm = only(judge(&resources));
        let mut found = vm.findings.into_iter();
        found.find(|finding| finding.id == FindingId::SizeNotOffered)
    };
    assert!(listed(0).is_none() && listed(99).is_none());
    let lacking = listed(100).unwrap();
    assert_eq!(lacking.severity, Severity::Info);
    assert!(
        lacking.message.starts_with(
            "Standard_D8s_v5 is not among the 100 sizes in the list of SKUs of eastus: the VM runs on"
        ),
        "{}",
        lacking.message
    );
    assert_eq!(
        lacking.fix.as_deref(),
        Some(
            "ask Azure support for the size in this region, or resize the VM to one that it can have \
             (`az vm list-vm-resize-options -g shop -n web`)"
        )
    );
}

#[test]
fn a_list_of_skus_goes_over_the_embedded_sizes() {
    let mut resources = with_p30("standard_d8S_v5", &["None"]);
    resources.extend(offers());
    let vm = only(judge(&resources));
    let size = vm.assessment.as_ref().unwrap().vm.as_ref().unwrap();
    assert_eq!(size.uncached.base.iops.unwrap().get(), 12_345.0);
}
