//! Which offer of a VM size an item is.

use diskcap::azure::retail::Skipped;
use diskcap::catalog::price::{TierPart, VmOffer};
use serde_json::Value;

use crate::fixtures::{LRS, PREMIUM, assert_disk, assert_skipped, assert_vm, disk, tier, vm, with};

#[test]
fn vm_rows_are_told_apart() {
    let linux = "Virtual Machines Dv9 Series";
    let windows = "Virtual Machines Dv9 Series Windows";
    let arm = "Standard_D2s_v9";
    assert_vm(vm(linux, "D2s v9", arm, 0.1), arm, VmOffer::Linux, 0.1);
    assert_vm(
        vm("Virtual Machines Dv9-series Linux", "D2s v9", arm, 0.1),
        arm,
        VmOffer::Linux,
        0.1,
    );
    assert_vm(vm(windows, "D2s v9", arm, 0.2), arm, VmOffer::Windows, 0.2);
    assert_vm(
        vm(linux, "D2s v9 Spot", arm, 0.03),
        arm,
        VmOffer::SpotLinux,
        0.03,
    );
    assert_vm(
        vm(windows, "Standard_D2s_v9 Spot", arm, 0.06),
        arm,
        VmOffer::SpotWindows,
        0.06,
    );
    assert_vm(
        vm(linux, "A2", "Basic_A2", 0.05),
        "Basic_A2",
        VmOffer::Linux,
        0.05,
    );
    assert_skipped(
        vm(linux, "D2s v9 Low Priority", arm, 0.02),
        Skipped::LowPriority,
    );
    assert_skipped(
        with(
            vm(linux, "D2s v9", arm, 0.02),
            "meterName",
            "D2s v9 Low Priority",
        ),
        Skipped::LowPriority,
    );
    assert_skipped(
        with(vm(linux, "D2s v9", arm, 0.08), "type", "DevTestConsumption"),
        Skipped::DevTest,
    );
    assert_skipped(
        with(vm(linux, "D2s v9", arm, 0.08), "type", "Barter"),
        Skipped::OtherType,
    );
    assert_skipped(
        vm("Dsv9 Series DedicatedHost", "Dsv9 Type1", "Dsv9_Type1", 4.0),
        Skipped::OtherProduct,
    );
    assert_skipped(
        vm(
            "Dasv9 Series Dedicated Host",
            "Dasv9 Type1",
            "Dasv9_Type1",
            4.0,
        ),
        Skipped::OtherProduct,
    );
    assert_skipped(
        vm("Dv9 Series CloudServices", "D2s v9", arm, 0.1),
        Skipped::OtherProduct,
    );
    assert_skipped(
        vm("Dv9 Series Cloud Services", "D2s v9", arm, 0.1),
        Skipped::OtherProduct,
    );
    assert_skipped(vm(linux, "D2s v9 Expired", arm, 0.1), Skipped::Withdrawn);
    assert_skipped(vm(linux, "D2s v9", "", 0.1), Skipped::NoSize);
    assert_skipped(
        with(
            vm(linux, "D2s v9", arm, 0.1),
            "serviceName",
            "Virtual Machines Licenses",
        ),
        Skipped::OtherService,
    );
}

#[test]
fn a_reservation_carries_the_price_of_its_term() {
    let of = |term: &str, price: f64| {
        let fields = vm(
            "Virtual Machines Dv9 Series",
            "D2s v9",
            "Standard_D2s_v9",
            price,
        );
        with(with(fields, "type", "Reservation"), "reservationTerm", term)
    };
    // 438 for a year's 8,760 hours, 876 for the 26,280 of three
    assert_vm(
        of("1 Year", 438.0),
        "Standard_D2s_v9",
        VmOffer::Reserved1Year,
        0.05,
    );
    assert_vm(
        of("3 Years", 876.0),
        "Standard_D2s_v9",
        VmOffer::Reserved3Years,
        876.0 / 26_280.0,
    );
    assert_skipped(of("5 Years", 1000.0), Skipped::OtherTerm);
    assert_skipped(of("", 1000.0), Skipped::OtherTerm);
    let fields = disk(PREMIUM, "P30 LRS", "P30 LRS Disk", "1/Month", 1200.0);
    let fields = with(
        with(fields, "type", "Reservation"),
        "reservationTerm",
        "1 Year",
    );
    // 1,200 for twelve months
    assert_disk(fields, tier("P30", LRS, TierPart::Reserved1Year), 100.0);
}

#[test]
fn a_price_of_0_is_none() {
    assert_skipped(
        vm(
            "Virtual Machines Dv9 Series",
            "D2s v9",
            "Standard_D2s_v9",
            0.0,
        ),
        Skipped::Zero,
    );
    assert_skipped(
        disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1/Month", -1.0),
        Skipped::NoPrice,
    );
    let fields = disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1/Month", 1.0);
    let fields = with(
        with(fields, "retailPrice", Value::Null),
        "unitPrice",
        Value::Null,
    );
    assert_skipped(fields, Skipped::NoPrice);
}
