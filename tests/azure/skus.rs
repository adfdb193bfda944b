//! The SKUs list as catalogue rows and disk limits.

use diskcap::azure::arm::read::read_stream;
use diskcap::azure::facts::{DiskSkuFacts, FleetFacts, SkuFacts, VmSkuFacts};
use diskcap::catalog::{Family, Interface, Limits, VmSize};
use diskcap::units::{GiB, Iops, MBps};
use serde_json::{Value, json};

use crate::fixtures::size_sku;

fn read(list: &Value) -> FleetFacts {
    let mut facts = FleetFacts::default();
    read_stream(list.to_string().as_bytes(), "skus.json".into(), &mut facts);
    assert_eq!(facts.problems, []);
    facts
}

fn only_vm(list: &Value) -> VmSkuFacts {
    match read(list).skus.as_slice() {
        [SkuFacts::Vm(vm)] => (**vm).clone(),
        other => panic!("one VM size, not {other:?}"),
    }
}

fn only_disk(list: &Value) -> DiskSkuFacts {
    match read(list).skus.as_slice() {
        [SkuFacts::Disk(disk)] => (**disk).clone(),
        other => panic!("one disk SKU, not {other:?}"),
    }
}

fn with_capabilities(pairs: &[(&str, &str)]) -> Value {
    let pairs: Vec<Value> = pairs
        .iter()
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    json!({
        "resourceType": "virtualMachines", "name": "Standard_X16-8bds_v9", "locations": ["eastus"],
        "capabilities": pairs
    })
}

#[test]
fn a_size_with_everything_becomes_a_full_row() {
    let sku = only_vm(&with_capabilities(&[
        ("vCPUs", "16"),
        ("vCPUsAvailable", "8"),
        ("ParentSize", "Standard_X16bds_v9"),
        ("MemoryGB", "127.5"),
        ("CpuArchitectureType", "x64"),
        ("MaxDataDiskCount", "31"),
        ("PremiumIO", "True"),
        ("DiskControllerTypes", "SCSI,NVMe"),
        ("UncachedDiskIOPS", "44000"),
        ("UncachedDiskBytesPerSecond", "131072000"),
        ("CombinedTempDiskAndCachedIOPS", "77000"),
        ("CombinedTempDiskAndCachedReadBytesPerSecond", "500000000"),
        ("CombinedTempDiskAndCachedWriteBytesPerSecond", "250000000"),
        ("CachedDiskBytes", "429496729600"),
        ("MaxResourceVolumeMB", "614400"),
        ("NvmeDiskSizeInMiB", "3604480"),
        ("NvmeSizePerDiskInMiB", "901120"),
        ("NvmeMaxReadIops", "900000"),
        ("NvmeMaxWriteBytesPerSecond", "2000000000"),
        ("MaxWriteAcceleratorDisksAllowed", "4"),
        ("EphemeralOSDiskSupported", "True"),
        ("UltraSSDAvailable", "True"),
        ("RetirementDateUtc", "11/15/2028"),
    ]));
    let size = &sku.size;
    assert_eq!(size.name, "Standard_X16-8bds_v9");
    assert_eq!(size.parent.as_deref(), Some("Standard_X16bds_v9"));
    assert_eq!(size.vcpus, 8);
    assert_eq!(size.memory, Some(GiB::new(127.5).unwrap()));
    assert_eq!(size.max_data_disks, Some(31));
    assert_eq!(size.premium_storage, Some(true));
    assert_eq!(size.controllers, [Interface::Scsi, Interface::Nvme]);
    assert_eq!(
        size.uncached.base,
        Limits::new(Iops::whole(44_000), MBps::new(131.072).unwrap())
    );
    assert_eq!(size.cached.base, Limits::whole(77_000, 500));
    assert_eq!(size.cached_write_mbps, Some(MBps::whole(250)));
    assert_eq!(size.cache_size, Some(GiB::whole(400)));
    assert_eq!(size.temp.as_ref().unwrap().size, GiB::whole(600));
    let nvme = size.nvme.as_ref().unwrap();
    assert_eq!((nvme.disks, nvme.total), (Some(4), Some(GiB::whole(3520))));
    assert_eq!(
        nvme.read,
        Limits {
            iops: Some(Iops::whole(900_000)),
            mbps: None
        }
    );
    assert_eq!(
        nvme.write,
        Limits {
            iops: None,
            mbps: Some(MBps::whole(2000))
        }
    );
    assert_eq!(size.retirement.as_deref(), Some("2028-11-15"));
    assert_eq!(size.ultra, Some(true));
    assert_eq!(sku.write_accelerator_disks, Some(4));
    assert_eq!(sku.ephemeral_os_disk, Some(true));
    assert!(sku.offers[0].ultra.regional);
}

#[test]
fn what_a_list_does_not_say_is_unknown() {
    let sku = only_vm(&with_capabilities(&[
        ("vCPUs", "4"),
        ("CombinedTempDiskAndCachedIOPS", "8000"),
        ("MaxResourceVolumeMB", "0"),
    ]));
    let expected = VmSize {
        name: sku.size.name.clone(),
        series: sku.size.series.clone(),
        vcpus: 4,
        origin: sku.size.origin.clone(),
        cached: sku.size.cached,
        ..VmSize::default()
    };
    assert_eq!(sku.size, expected);
    assert_eq!(
        sku.size.cached.base,
        Limits {
            iops: Some(Iops::whole(8000)),
            mbps: None
        }
    );
}

#[test]
fn regions_of_one_size_are_put_together() {
    let mut other = size_sku("standard_x8S_v9");
    other["locations"] = json!(["NorthEurope"]);
    other["locationInfo"] = json!([{ "location": "NorthEurope", "zones": ["3"] }]);
    other["restrictions"] = json!([
        {
            "type": "Location", "values": ["northeurope"], "reasonCode": "NotAvailableForSubscription",
            "restrictionInfo": { "locations": ["northeurope"] }
        },
        {
            "type": "Zone", "values": ["westeurope"], "reasonCode": "QuotaId",
            "restrictionInfo": { "locations": ["westeurope"], "zones": ["1"] }
        }
    ]);
    let sku = only_vm(&json!([size_sku("Standard_X8s_v9"), other]));
    let mut regions: Vec<&str> = sku
        .offers
        .iter()
        .map(|offer| offer.region.as_str())
        .collect();
    regions.sort_unstable();
    assert_eq!(regions, ["northeurope", "westeurope"]);
    let north = sku
        .offers
        .iter()
        .find(|o| o.region.as_str() == "northeurope")
        .unwrap();
    assert_eq!(north.restrictions.len(), 1);
    assert_eq!(
        &*north.restrictions[0].reason,
        "NotAvailableForSubscription"
    );
    assert!(north.ultra.zones.is_empty());
}

fn disk_entry(name: &str, size: &str, pairs: &[(&str, &str)]) -> Value {
    let mut entry = with_capabilities(pairs);
    entry["resourceType"] = json!("disks");
    entry["name"] = json!(name);
    entry["size"] = json!(size);
    entry
}

#[test]
fn tiers_have_one_pair_of_limits_and_maybe_a_burst() {
    let sku = only_disk(&disk_entry(
        "Premium_LRS",
        "P7",
        &[
            ("MinSizeGiB", "40"),
            ("MaxSizeGiB", "50"),
            ("MaxIOps", "300"),
            ("MinIOps", "300"),
            ("MaxBandwidthMBps", "40"),
            ("MaxBurstIops", "4000"),
            ("MaxBurstBandwidthMBps", "180"),
            ("MaxValueOfMaxShares", "2"),
        ],
    ));
    assert_eq!(sku.sku.family, Some(Family::PremiumSsd));
    assert_eq!(sku.tier.as_deref(), Some("P7"));
    assert_eq!(
        (sku.above, sku.up_to),
        (Some(GiB::whole(40)), Some(GiB::whole(50)))
    );
    assert_eq!(sku.limits, Limits::whole(300, 40));
    assert_eq!(sku.burst, Some(Limits::whole(4000, 180)));
    assert_eq!(sku.max_shares, Some(2));
}

#[test]
fn provisioned_families_have_a_range() {
    let sku = only_disk(&disk_entry(
        "PremiumV2_LRS",
        "P",
        &[
            ("MaxIOpsReadWrite", "70000"),
            ("MinIOpsReadWrite", "2000"),
            ("MaxBandwidthMBpsReadWrite", "1100"),
            ("MinBandwidthMBpsReadWrite", "90"),
            ("MaxIopsReadOnly", "70000"),
            ("MaxIopsPerGiBReadWrite", "450"),
        ],
    ));
    assert_eq!(sku.sku.family, Some(Family::PremiumSsdV2));
    assert_eq!(sku.limits, Limits::whole(70_000, 1_100));
    assert_eq!(sku.least, Limits::whole(2_000, 90));
    assert_eq!(sku.iops_per_gib, Some(Iops::whole(450)));
    assert_eq!(sku.burst, None);
}

#[test]
fn entries_of_other_kinds_are_passed_over_in_silence() {
    let list = json!({ "value": [
        { "resourceType": "availabilitySets", "name": "Classic", "locations": ["eastus"], "capabilities": [] },
        { "resourceType": "snapshots", "name": "Standard_LRS", "locations": ["eastus"], "capabilities": [] }
    ]});
    assert!(read(&list).skus.is_empty());
}
