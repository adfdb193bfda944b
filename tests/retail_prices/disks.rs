//! Which meter of a managed disk an item is.

use diskcap::azure::retail::Skipped;
use diskcap::catalog::Family;
use diskcap::catalog::price::{BurstPart, DiskMeter, ProvisionedPart, Region, TierPart, VmOffer};

use crate::fixtures::{
    LRS, PREMIUM, ZRS, assert_disk, assert_skipped, assert_vm, collect_text, disk, part, tier, vm,
    with,
};

#[test]
fn disk_mount_and_operations_share_a_sku_and_are_told_apart() {
    let of = |meter, unit, price| disk(PREMIUM, "P10 LRS", meter, unit, price);
    assert_disk(
        of("P10 LRS Disk", "1/Month", 17.5),
        tier("P10", LRS, TierPart::Disk),
        17.5,
    );
    assert_disk(
        of("P10 LRS Disk Mount", "1/Month", 1.25),
        tier("P10", LRS, TierPart::Mount),
        1.25,
    );
    let standard = "Standard SSD Managed Disks";
    assert_disk(
        disk(standard, "E10 ZRS", "E10 ZRS Disk Operations", "10K", 0.003),
        tier("E10", ZRS, TierPart::Transactions),
        0.003,
    );
    assert_disk(
        disk(
            "Standard HDD Managed Disks",
            "S4 LRS",
            "S4 LRS Disk Operations",
            "10K",
            0.0007,
        ),
        tier("S4", LRS, TierPart::Transactions),
        0.0007,
    );
}

#[test]
fn the_arm_name_of_a_disk_does_not_matter() {
    for arm in [
        "Premium_SSD_Managed_Disk_P10",
        "Premium_SSD_Managed_Disks_P10",
        "",
    ] {
        let fields = disk(PREMIUM, "P10 ZRS", "P10 ZRS Disk", "1/Month", 30.0);
        assert_disk(
            with(fields, "armSkuName", arm),
            tier("P10", ZRS, TierPart::Disk),
            30.0,
        );
    }
}

#[test]
fn blanks_and_case_do_not_matter() {
    let fields = disk(
        " Premium SSD managed disks ",
        "P10 LRS ",
        "P10 LRS Disk ",
        "1/Month ",
        17.5,
    );
    let fields = with(fields, "serviceName", "storage");
    assert_disk(fields, tier("P10", LRS, TierPart::Disk), 17.5);
    let fields = vm(
        "Virtual Machines DSv3 Series Windows ",
        "D2s v3 ",
        " Standard_D2s_v3",
        0.2,
    );
    assert_vm(fields, "Standard_D2s_v3", VmOffer::Windows, 0.2);
}

#[test]
fn older_names_of_disks_are_understood() {
    assert_disk(
        disk(PREMIUM, "P10", "P10 Disks", "1/Month", 17.5),
        tier("P10", LRS, TierPart::Disk),
        17.5,
    );
    assert_disk(
        disk(PREMIUM, "P10 ZRS", "P10 Disks", "1/Month", 26.0),
        tier("P10", ZRS, TierPart::Disk),
        26.0,
    );
}

#[test]
fn other_meters_of_disk_products_are_left() {
    for (sku, meter) in [
        ("P60 - Special LRS", "P60 - Special LRS Disk"),
        ("Snapshots LRS", "LRS Snapshots"),
        ("P10 LRS", "P10 ZRS Disk"),
        ("P10 LRS", "P10 LRS Disk Operations"),
        ("E10 LRS", "E10 LRS Disk"),
        ("P10 LRS", ""),
    ] {
        assert_skipped(
            disk(PREMIUM, sku, meter, "1/Month", 5.0),
            Skipped::OtherMeter,
        );
    }
    let v2 = "Azure Premium SSD v2";
    for sku in [
        "Confidential Compute Encryption LRS",
        "Instant Access Snapshots LRS",
    ] {
        assert_skipped(disk(v2, sku, sku, "1 GiB/Hour", 0.1), Skipped::OtherMeter);
    }
}

#[test]
fn unmanaged_disks_have_the_same_meters_under_another_product() {
    let fields = disk("Premium Page Blob", "P4 LRS", "P4 LRS Disk", "1/Month", 5.0);
    assert_skipped(fields, Skipped::OtherProduct);
}

#[test]
fn premium_lrs_of_v2_is_v2() {
    let of = |meter, unit, price| disk("Azure Premium SSD v2", "Premium LRS", meter, unit, price);
    let v2 = |which| part(Family::PremiumSsdV2, which);
    assert_disk(
        of("Premium LRS Provisioned Capacity", "1 GiB/Hour", 0.0002),
        v2(ProvisionedPart::Capacity),
        0.0002,
    );
    assert_disk(
        of("Premium LRS Provisioned IOPS", "1/Hour", 6e-6),
        v2(ProvisionedPart::Iops),
        6e-6,
    );
    assert_disk(
        of("Premium LRS Provisioned Throughput (MBps)", "1/Hour", 5e-5),
        v2(ProvisionedPart::Mbps),
        5e-5,
    );
    // v2 has no reservation of vCPUs
    let fields = of(
        "Premium LRS Reservation per vCPU Provisioned",
        "1/Hour",
        0.01,
    );
    assert_skipped(fields, Skipped::OtherMeter);
}

#[test]
fn ultra_has_four_parts_and_small_numbers() {
    let text = r#"[
        {"serviceName":"Storage","productName":"Ultra Disks","skuName":"Ultra LRS","meterName":"Ultra LRS Provisioned IOPS",
         "unitOfMeasure":"1/Hour","type":"Consumption","retailPrice":7.7E-05,"armRegionName":"eastus","currencyCode":"USD"},
        {"serviceName":"Storage","productName":"Ultra Disks","skuName":"Ultra LRS","meterName":"Ultra LRS Provisioned Capacity",
         "unitOfMeasure":"1 GiB/Hour","type":"Consumption","retailPrice":0.00021,"armRegionName":"eastus","currencyCode":"USD"},
        {"serviceName":"Storage","productName":"Ultra Disks","skuName":"Ultra LRS",
         "meterName":"Ultra LRS Provisioned Throughput (MBps)",
         "unitOfMeasure":"1/Hour","type":"Consumption","retailPrice":0.0005,"armRegionName":"eastus","currencyCode":"USD"},
        {"serviceName":"Storage","productName":"Ultra Disks","skuName":"Ultra LRS",
         "meterName":"Ultra LRS Reservation per vCPU Provisioned",
         "unitOfMeasure":"1/Hour","type":"Consumption","retailPrice":0.007,"armRegionName":"eastus","currencyCode":"USD"}
    ]"#;
    let (books, tally) = collect_text(text);
    let book = &books[&Region::new("eastus")];
    let of = |which| book.disk(part(Family::Ultra, which)).unwrap().price.amount;
    assert_eq!(of(ProvisionedPart::Iops), 7.7e-5);
    assert_eq!(of(ProvisionedPart::Capacity), 2.1e-4);
    assert_eq!(of(ProvisionedPart::Mbps), 5e-4);
    assert_eq!(of(ProvisionedPart::VcpuReservation), 0.007);
    assert_eq!((tally.used, tally.skipped.len()), (4, 0));
}

#[test]
fn on_demand_bursting_has_two_meters() {
    let burst = |part| DiskMeter::Burst {
        redundancy: LRS,
        part,
    };
    assert_disk(
        disk(
            PREMIUM,
            "Burst Enablement LRS",
            "LRS Burst Enablement",
            "1/Month",
            22.0,
        ),
        burst(BurstPart::Enablement),
        22.0,
    );
    assert_disk(
        disk(
            PREMIUM,
            "Burst Transactions LRS",
            "LRS Burst Transactions",
            "10K",
            0.004,
        ),
        burst(BurstPart::Transactions),
        0.004,
    );
}

#[test]
fn units_are_converted_or_refused() {
    // a price an hour of what is billed by the month: x 730
    assert_disk(
        disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1/Hour", 0.02),
        tier("P10", LRS, TierPart::Disk),
        14.6,
    );
    // a price for a million transactions: / 100
    let standard = "Standard SSD Managed Disks";
    assert_disk(
        disk(standard, "E10 LRS", "E10 LRS Disk Operations", "1M", 0.3),
        tier("E10", LRS, TierPart::Transactions),
        0.003,
    );
    // a price a GiB-month of what is billed by the hour: / 730
    assert_disk(
        disk(
            "Azure Premium SSD v2",
            "Premium LRS",
            "Premium LRS Provisioned Capacity",
            "1 GiB/Month",
            0.073,
        ),
        part(Family::PremiumSsdV2, ProvisionedPart::Capacity),
        0.0001,
    );
    assert_skipped(
        disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1/Day", 0.5),
        Skipped::OtherUnit,
    );
    assert_skipped(
        disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1 GB/Month", 0.5),
        Skipped::OtherUnit,
    );
    assert_skipped(
        disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "10K", 0.5),
        Skipped::OtherUnit,
    );
    assert_skipped(
        disk(
            standard,
            "E10 LRS",
            "E10 LRS Disk Operations",
            "1/Month",
            0.5,
        ),
        Skipped::OtherUnit,
    );
    let fields = with(
        vm(
            "Virtual Machines Dv9 Series",
            "D2 v9",
            "Standard_D2_v9",
            0.1,
        ),
        "unitOfMeasure",
        "1 GB",
    );
    assert_skipped(fields, Skipped::OtherUnit);
}
