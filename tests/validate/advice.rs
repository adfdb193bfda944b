//! Advice that can be followed: commands with names, sizes that are sold and reached, disks that the VM may have.

use diskcap::azure::metrics::Metrics;
use diskcap::azure::validate::{Options, Prices, VmValidation, commands};
use diskcap::catalog::price::{Region, embedded};
use diskcap::planner::FindingId;
use serde_json::{Value, json};

use crate::fixtures::{
    attached, close, disk, judge, judge_with, limits, month, only, path, priced, vm, with_p30,
};

fn fix(vm: &VmValidation, id: FindingId) -> String {
    let finding = vm.findings.iter().find(|finding| finding.id == id);
    let finding = finding.unwrap_or_else(|| panic!("no {id} among {:?}", vm.findings));
    finding.fix.clone().unwrap()
}

/// A raised P30 called `data 1` in a group of another name than the VM's.
#[test]
fn a_command_names_the_disk_in_its_own_group_and_is_quoted() {
    let elsewhere = path("disks", "data 1").replace("/shop/", "/shop (old)/");
    let raised = json!({ "diskIOPSReadWrite": 7500, "diskMBpsReadWrite": 250, "tier": "P40" });
    let mut data = disk("data 1", "Premium_LRS", 1024, &raised);
    data["id"] = json!(elsewhere);
    let mut on_vm = attached(0, "data 1", "None");
    on_vm["managedDisk"]["id"] = json!(elsewhere);
    let vm = only(judge(&[vm("web", "Standard_D8s_v5", &[on_vm]), data]));
    let own = fix(&vm, FindingId::TierRaised);
    assert!(
        own.contains("`az disk update -g 'shop (old)' -n 'data 1' --set tier=P30`"),
        "{own}"
    );
    let general = commands::general(&vm, &own).unwrap();
    assert!(
        general.contains("`az disk update -g RESOURCE-GROUP -n DISK --set tier=P30`"),
        "{general}"
    );
}

/// Two P30 behind D8s_v3 (192 MB/s uncached): a v2 disk is among the cheaper ways, and is only for VMs in a zone.
#[test]
fn a_vm_in_no_zone_is_told_of_disks_for_zones() {
    let told = |region: &str, zones: Value| {
        let mut resources = with_p30("Standard_D8s_v3", &["None"]);
        resources[0]["location"] = json!(region);
        resources[0]["zones"] = zones;
        let vm = only(priced(&resources));
        let whats: Vec<String> = vm
            .unknowns
            .into_iter()
            .map(|unknown| unknown.what)
            .collect();
        whats
            .into_iter()
            .filter(|what| what.contains("zone"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        told("eastus", json!([])),
        [
            "whether all the cheaper ways are open to it: it is in no zone, and most regions with zones, as eastus is one, \
          attach Premium SSD v2 only to VMs in a zone"
        ]
    );
    assert!(told("eastus", json!(["1"])).is_empty());
}

/// 8 P30 (40,000 IOPS, 1,600 MB/s) on E8ds_v5 (12,800, 290), which has a temp disk: a resize keeps it.
#[test]
fn the_cheapest_size_that_a_resize_reaches_is_named_beside_one_for_a_new_vm() {
    let vm = only(priced(&with_p30("Standard_E8ds_v5", &["None"; 4])));
    let own = fix(&vm, FindingId::VmUncachedMbps);
    let own = match own.starts_with("as for") {
        true => fix(&vm, FindingId::VmUncachedIops),
        false => own,
    };
    // Ebdsv5 sizes have the ceilings of Ebsv5 and a temp disk, for little more.
    assert!(
        own.contains("of all sizes that the VM can be resized to, Standard_E16bds_v5"),
        "{own}"
    );
    assert!(
        own.contains("a deployed VM must be made anew for it"),
        "{own}"
    );
}

fn sku(name: &str, restrictions: Value) -> Value {
    let caps = [
        ("vCPUs", "16"),
        ("MemoryGB", "128"),
        ("MaxDataDiskCount", "32"),
        ("PremiumIO", "True"),
        ("UncachedDiskIOPS", "44000"),
        ("UncachedDiskBytesPerSecond", "1050000000"),
    ];
    let caps = caps.map(|(name, value)| json!({ "name": name, "value": value }));
    json!({
        "resourceType": "virtualMachines",
        "name": name,
        "size": name.trim_start_matches("Standard_"),
        "family": "standardEBSv5Family",
        "locations": ["eastus"],
        "locationInfo": [{ "location": "eastus", "zones": ["1"] }],
        "capabilities": caps,
        "restrictions": restrictions
    })
}

#[test]
fn a_size_that_a_list_says_cannot_be_had_is_not_advised() {
    let resources = with_p30("Standard_E8ds_v5", &["None"; 4]);
    let advised = |skus: &[Value]| {
        let mut all = resources.clone();
        all.extend_from_slice(skus);
        let vm = only(priced(&all));
        fix(&vm, FindingId::VmUncachedIops)
    };
    let without = advised(&[]);
    assert!(without.contains("Standard_E16bds_v5"), "{without}");
    let restricted = json!([{
        "type": "Location",
        "values": ["eastus"],
        "restrictionInfo": { "locations": ["eastus"] },
        "reasonCode": "NotAvailableForSubscription"
    }]);
    let with = advised(&[
        sku("Standard_E16bds_v5", restricted.clone()),
        sku("Standard_E16bs_v5", restricted),
    ]);
    assert!(
        !with.contains("Standard_E16bds_v5") && !with.contains("Standard_E16bs_v5"),
        "{with}"
    );
    // Of one that is not in a list of some sizes nothing is known, whatever else of its series is in it.
    let other = advised(&[sku("Standard_E8bds_v5", json!([]))]);
    let unsaid = "(the list of SKUs of eastus does not say whether it sells";
    assert!(
        other.contains("Standard_E16bds_v5") && other.contains(unsaid),
        "{other}"
    );
    // A list of many sizes is whole: what it lacks is not sold.
    let many: Vec<Value> = (1..=100)
        .map(|n| sku(&format!("Standard_F{n}s_v9"), json!([])))
        .collect();
    let whole = advised(&many);
    assert!(!whole.contains("Standard_E16b"), "{whole}");
}

/// Without a list Standard_E16bds_v5 is advised; a restriction of its zone is as good as one of the region.
#[test]
fn a_size_that_is_restricted_in_the_zone_of_a_vm_is_not_advised() {
    let restricted = json!([{
        "type": "Zone",
        "values": ["eastus"],
        "restrictionInfo": { "locations": ["eastus"], "zones": ["1"] },
        "reasonCode": "NotAvailableForSubscription"
    }]);
    let advised = |zone: &str| {
        let mut all = with_p30("Standard_E8ds_v5", &["None"; 4]);
        all[0]["zones"] = json!([zone]);
        for name in ["Standard_E16bds_v5", "Standard_E16bs_v5"] {
            let mut listed = sku(name, restricted.clone());
            listed["locationInfo"][0]["zones"] = json!(["1", "2"]);
            all.push(listed);
        }
        fix(&only(priced(&all)), FindingId::VmUncachedIops)
    };
    assert!(!advised("1").contains("Standard_E16b"), "{}", advised("1"));
    let other = advised("2");
    assert!(other.contains("Standard_E16bs_v5 (SCSI)"), "{other}");
}

/// Generation 1 has no NVMe: of the sizes that do without SCSI none is advised, and no driver helps.
#[test]
fn a_vm_of_generation_1_is_advised_no_nvme() {
    let advised = |generation: &str| {
        let mut all = with_p30("Standard_E2bs_v5", &["None"; 4]);
        all[0]["properties"]["storageProfile"]["osDisk"] = attached(0, "os", "None");
        let mut os = disk("os", "Premium_LRS", 128, &json!({}));
        os["properties"]["hyperVGeneration"] = json!(generation);
        all.push(os);
        let vm = only(priced(&all));
        let fixes = vm.findings.iter().filter_map(|of| of.fix.clone());
        (vm.vm.is_generation_1, fixes.collect::<Vec<_>>().join("\n"))
    };
    let (first, second) = (advised("V1"), advised("V2"));
    assert!(first.0 && !second.0);
    assert!(second.1.contains("NVMe"), "{}", second.1);
    assert!(!first.1.contains("NVMe"), "{}", first.1);
}

/// L8s_v3 lets 80 MB/s through its cached ceiling and 290 uncached: no caching costs nothing.
#[test]
fn caching_is_set_to_none_before_a_size_is_bought() {
    let vm = only(judge(&with_p30("Standard_L8s_v3", &["ReadOnly"])));
    let own = fix(&vm, FindingId::VmCachedMbps);
    assert!(
        own.starts_with(
            "set host caching of lun0 to None first, which costs nothing (CACHE-LOWERS-THROUGHPUT); where that is not enough, "
        ),
        "{own}"
    );
}

#[test]
fn a_vm_that_is_off_is_not_billed_for_another_size() {
    let mut resources = with_p30("Standard_D8s_v3", &["None"]);
    resources[0]["properties"]["instanceView"]["statuses"][0]["code"] =
        json!("PowerState/deallocated");
    let vm = only(priced(&resources));
    let own = fix(&vm, FindingId::VmUncachedMbps);
    assert!(own.contains(" a month more once it runs"), "{own}");
    let off = vm
        .findings
        .iter()
        .find(|f| f.id == FindingId::VmDeallocated)
        .unwrap();
    assert!(
        off.message
            .starts_with("is deallocated; its 2 disks are billed on (os P10, lun0 P30)"),
        "{}",
        off.message
    );
}

/// 100 GiB of v2 with 6,000 IOPS, of which a D8s_v5 lets all through, in no zone: it is there.
#[test]
fn who_has_such_a_disk_in_no_zone_is_told_nothing() {
    let mut machine = vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]);
    machine["zones"] = json!([]);
    let vm = only(priced(&[
        machine,
        disk("data", "PremiumV2_LRS", 100, &limits(6000, 125)),
    ]));
    assert!(
        vm.unknowns
            .iter()
            .all(|unknown| !unknown.what.contains("zone"))
    );
}

/// A day in which a v2 disk of 12,000 IOPS and 500 MB/s did 900 IOPS of 10 KB at most. East US: 0.000007 USD for an IOPS-hour
/// and 0.000055 for an MB/s-hour above 3,000 and 125.
#[test]
fn what_was_never_used_says_what_lower_settings_save() {
    let rate = |name: &str, value: f64| {
        let point = |hour: usize| json!({ "timeStamp": format!("2026-03-01T{hour:02}:00:00Z"), "average": value, "maximum": value });
        json!({
            "name": { "value": name },
            "timeseries": [{
                "metadatavalues": [{ "name": { "value": "LUN" }, "value": "0" }],
                "data": (0..24).map(point).collect::<Vec<_>>()
            }]
        })
    };
    let answer = json!({ "interval": "PT1H", "namespace": "Microsoft.Compute/virtualMachines", "value": [
        rate("Data Disk Read Operations/Sec", 600.0),
        rate("Data Disk Write Operations/Sec", 300.0),
        rate("Data Disk Read Bytes/sec", 6e6),
        rate("Data Disk Write Bytes/sec", 3e6),
    ] });
    let metrics = Metrics::read(answer.to_string().as_bytes(), "m.json").unwrap();
    let book = embedded(&Region::new("eastus")).unwrap();
    let options = Options {
        metrics: Some(metrics),
        prices: Some(Prices {
            books: [("eastus".to_owned(), book)].into(),
            region: None,
            offer: None,
        }),
        ..Options::default()
    };
    let resources = [
        vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]),
        disk("data", "PremiumV2_LRS", 100, &limits(12_000, 500)),
    ];
    let vm = only(judge_with(&resources, &options));
    close(
        month(&vm.findings, FindingId::PaidUnused),
        (9000.0 * 0.000_007 + 375.0 * 0.000_055) * 730.0,
    );
    let own = fix(&vm, FindingId::PaidUnused);
    assert_eq!(
        own,
        "provision 3,000 IOPS and 125 MB/s (`az disk update -g shop -n data --disk-iops-read-write 3000 \
         --disk-mbps-read-write 125`) unless another time needs more: 61.05 USD less a month"
    );
}
