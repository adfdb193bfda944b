//! Premium SSD v2, Ultra, custom and local disks, and ARM's names, against values worked out from the provider's
//! documents. The tiered families are in `catalog_rules.rs`.

#[path = "common/requests.rs"]
mod requests;

use diskcap::catalog::azure::{premium_v2, ultra};
use diskcap::catalog::{
    Basis, Catalog, DiskError, DiskRequest, Family, Lane, Limits, Redundancy, Setting,
};
use diskcap::units::{GiB, Iops, Latency, MBps};
use requests::{out_of_range, refused, resolve, sized, v2};

#[test]
fn premium_v2_limits_by_size() {
    let cap = |gib| premium_v2::RULES.iops_cap(GiB::whole(gib)).get();
    let caps = [1, 6, 7, 8, 10, 159, 160, 161, 65_536].map(cap);
    let expected = [
        3000.0, 3000.0, 3500.0, 4000.0, 5000.0, 79_500.0, 80_000.0, 80_000.0, 80_000.0,
    ];
    assert_eq!(caps, expected);
    let mbps = |iops| premium_v2::RULES.mbps_cap(Iops::whole(iops)).get();
    assert_eq!(
        [3000, 4000, 8000, 80_000].map(mbps),
        [750.0, 1000.0, 2000.0, 2000.0]
    );
    assert_eq!(
        premium_v2::RULES.size_for(Iops::whole(80_000)),
        Some(GiB::whole(160))
    );
    assert_eq!(
        premium_v2::RULES.size_for(Iops::whole(3001)),
        Some(GiB::whole(7))
    );
    assert_eq!(premium_v2::RULES.size_for(Iops::whole(80_001)), None);
    assert_eq!(
        premium_v2::RULES.iops_for(MBps::whole(2000)),
        Some(Iops::whole(8000))
    );
    assert_eq!(premium_v2::RULES.iops_for(MBps::whole(2001)), None);
}

#[test]
fn premium_v2_defaults_to_what_is_free() {
    let plain = resolve(&sized(Family::PremiumSsdV2, 100));
    assert_eq!(plain.model.base, Limits::whole(3000, 125));
    assert_eq!(plain.model.label, "v2");
    assert_eq!(plain.model.lane, Lane::RemoteFast);
    assert_eq!(plain.model.accounting_unit, None);
    assert!(!plain.model.cacheable);
    assert_eq!(plain.violations, []);
    assert!(matches!(
        refused(&DiskRequest::new(Family::PremiumSsdV2)),
        DiskError::Missing { .. }
    ));
}

#[test]
fn premium_v2_out_of_range_is_refused_and_clamped() {
    // The size decides the IOPS, and the IOPS that it gets decide the MB/s.
    let small = resolve(&v2(5, 10_000, 2500));
    assert_eq!(
        out_of_range(&small),
        [
            (Setting::Iops, 3000.0, 3000.0),
            (Setting::Mbps, 125.0, 750.0)
        ]
    );
    assert_eq!(small.model.base, Limits::whole(3000, 750));
    let low = resolve(&v2(100, 100, 10));
    assert_eq!(low.model.base, Limits::whole(3000, 125));
    assert_eq!(out_of_range(&low).len(), 2);
    let huge = resolve(&v2(70_000, 80_000, 2000));
    assert_eq!(out_of_range(&huge), [(Setting::Size, 1.0, 65_536.0)]);
    assert_eq!(huge.model.size, Some(GiB::whole(65_536)));
    let field = resolve(&v2(130, 6000, 250));
    assert_eq!(field.violations, []);
    assert_eq!(field.model.base, Limits::whole(6000, 250));
}

#[test]
fn ultra_limits_by_size() {
    // The table of the disk types page.
    let table = [
        (4, 4000, 1000),
        (8, 8000, 2000),
        (16, 16_000, 4000),
        (32, 32_000, 8000),
        (64, 64_000, 10_000),
        (128, 128_000, 10_000),
        (256, 256_000, 10_000),
        (512, 400_000, 10_000),
        (1024, 400_000, 10_000),
        (65_536, 400_000, 10_000),
    ];
    for (gib, iops, mbps) in table {
        let most = ultra::RULES.iops_cap(GiB::whole(gib));
        assert_eq!(most, Iops::whole(iops), "{gib} GiB");
        assert_eq!(ultra::RULES.mbps_cap(most), MBps::whole(mbps), "{gib} GiB");
    }
}

#[test]
fn ultra_needs_its_figures() {
    let ultra = |gib, iops: Option<u32>, mbps: Option<u32>| DiskRequest {
        iops: iops.map(Iops::whole),
        mbps: mbps.map(MBps::whole),
        ..sized(Family::Ultra, gib)
    };
    assert!(matches!(
        refused(&ultra(64, None, Some(10))),
        DiskError::Missing { missing, .. } if missing.contains("iops=")
    ));
    assert!(matches!(
        refused(&ultra(64, Some(1000), None)),
        DiskError::Missing { missing, .. } if missing.contains("mbps=")
    ));
    let least = resolve(&ultra(4, Some(100), Some(1)));
    assert_eq!(least.violations, []);
    assert_eq!(least.model.base, Limits::whole(100, 1));
    let over = resolve(&ultra(4, Some(5000), Some(2000)));
    assert_eq!(
        out_of_range(&over),
        [(Setting::Iops, 100.0, 4000.0), (Setting::Mbps, 1.0, 1000.0)]
    );
    assert_eq!(over.model.base, Limits::whole(4000, 1000));
}

#[test]
fn custom_volumes_take_what_is_given_and_nothing_else() {
    let plain = resolve(&DiskRequest::new(Family::Custom)).model;
    assert_eq!(plain.base, Limits::UNKNOWN);
    assert_eq!((plain.size, plain.latency), (None, None));
    let array = resolve(&DiskRequest {
        iops: Some(Iops::whole(50_000)),
        latency: Latency::from_millis(0.4).ok(),
        ..DiskRequest::new(Family::Custom)
    })
    .model;
    assert_eq!(array.base.iops, Some(Iops::whole(50_000)));
    assert_eq!(array.base.mbps, None);
    let latency = array.latency.expect("as given");
    assert_eq!(
        (latency.read.micros(), latency.basis),
        (400.0, Basis::Measured)
    );
}

#[test]
fn local_disks_are_the_sizes_own() {
    let catalog = Catalog::embedded();
    let local = |vm: &str, family| {
        let vm = catalog.vm(vm, None).expect("a known size");
        catalog.local_disk(vm, &DiskRequest::new(family))
    };
    let temp = local("D2s_v3", Family::Temp).expect("a temp disk").model;
    assert_eq!((temp.lane, temp.size), (Lane::Temp, Some(GiB::whole(16))));
    assert_eq!(temp.base, Limits::UNKNOWN);
    assert_eq!(temp.latency.map(|l| l.read.micros()), Some(250.0));
    let nvme = local("D8ds_v6", Family::LocalNvme)
        .expect("local NVMe")
        .model;
    assert_eq!(nvme.base, Limits::whole(150_000, 720));
    assert_eq!(nvme.write, Some(Limits::whole(60_000, 360)));
    assert_eq!(
        local("D8s_v6", Family::Temp),
        Err(DiskError::NoLocalDisk {
            family: "temp disk",
            vm: "Standard_D8s_v6".to_owned(),
            // D8ds_v6 has local NVMe disks and no temp disk.
            instead: None,
        })
    );
}

#[test]
fn arm_names_of_families() {
    for name in Family::arm_skus() {
        let (family, redundancy) = Family::from_arm_sku(&name.to_lowercase()).expect("a family");
        assert_eq!(family.arm_sku(redundancy), Some(name));
    }
    assert_eq!(
        Family::from_arm_sku("PremiumV2_LRS"),
        Some((Family::PremiumSsdV2, Redundancy::Lrs))
    );
    assert_eq!(Family::from_arm_sku("Premium_V2"), None);
    assert_eq!(Family::Ultra.arm_sku(Redundancy::Zrs), None);
    for family in Family::ALL {
        let json = serde_json::to_value(family).expect("JSON");
        assert_eq!(json, family.id());
        assert_eq!(Family::from_id(family.id()), Some(family));
    }
    let os: Vec<Family> = Family::ALL
        .into_iter()
        .filter(|f| f.can_be_os_disk())
        .collect();
    assert_eq!(
        os,
        [
            Family::PremiumSsd,
            Family::StandardSsd,
            Family::StandardHdd,
            Family::Custom
        ]
    );
}
