//! The cheapest sizes and ways, once there are prices.

use crate::common::plan;
use crate::{book, eastus, finding, priced, priced_fix};

/// A P40 does 250 MB/s, a D8s_v3 192, a D16s_v3 384: (0.768 - 0.384) x 730 h = 280.32 more. Of all sizes with 8 vCPUs,
/// 32 GiB and 250 MB/s the cheapest in eastus are B8s_v2 (0.333; its CPU runs on credit), DC8as_cc_v5 and DC8as_v6
/// (0.344, 0.363; confidential) and D8s_v5 (0.384 as well, 290 MB/s), which has no temp disk.
#[test]
fn with_prices_a_fix_names_the_cheapest_sizes() {
    let fix = priced_fix(&eastus(), "D8s_v3", &["P40"], "VM-UNCACHED-MBPS");
    assert_eq!(
        fix,
        "Standard_D16s_v3 is the cheapest Dsv3 size that lifts every cap met here (384 uncached MB/s), for 280.32 USD \
         a month more, but retires on 2029-11-15 as well; of all sizes that take what is deployed, Standard_D8s_v5 is \
         the cheapest that lifts every cap (290 uncached MB/s), at the same price, without a local disk: a deployed VM must be made anew for it"
    );
}

/// With the temp disk in use D8s_v5 does not do. D8ds_v5 has 300 GiB where D8s_v3 has 64: (0.452 - 0.384) x 730 = 49.64.
#[test]
fn a_temp_disk_in_use_has_to_be_there() {
    let fix = priced_fix(&eastus(), "D8s_v3", &["P40", "temp"], "VM-UNCACHED-MBPS");
    assert!(fix.ends_with(
        "Standard_D8ds_v5 is the cheapest that lifts every cap (290 uncached MB/s), for 49.64 USD a month more"
    ), "{fix}");
}

/// A book in which the larger size is the cheaper one: (0.5 - 0.4) x 730 h = 73.
#[test]
fn the_cheapest_of_a_series_need_not_be_the_smallest() {
    let prices = [
        ("Standard_D8s_v3", 0.4),
        ("Standard_D16s_v3", 0.9),
        ("Standard_D32s_v3", 0.5),
    ];
    let fix = priced_fix(&book(&prices), "D8s_v3", &["P40"], "VM-UNCACHED-MBPS");
    assert_eq!(
        fix,
        "Standard_D32s_v3 is the cheapest Dsv3 size that lifts every cap met here (768 uncached MB/s), for 73.00 USD a \
         month more, but retires on 2029-11-15 as well"
    );
    // D2s_v3 takes 4 data disks, D4s_v3 8: the larger ones have prices.
    let disks = ["a=P4", "b=P4", "c=P4", "d=P4", "e=P4"];
    let fix = priced_fix(&book(&prices), "D2s_v3", &disks, "TOO-MANY-DISKS");
    assert_eq!(
        fix,
        "Standard_D8s_v3 is the cheapest Dsv3 size that takes 5 (16), but retires on 2029-11-15 as well"
    );
}

/// An accelerator has no other size in its place.
#[test]
fn special_hardware_has_no_size_in_its_place() {
    let a = plan("NV12s_v3", &["P20"], "");
    let found = finding(&a, "RETIRING-SIZE", "Standard_NV12s_v3");
    assert_eq!(
        found.fix.as_deref(),
        Some(
            "plan for a size of a newer generation with the same special hardware, of which the sizes known here say too \
             little to name one"
        )
    );
}

/// A P50 has no more than a P40, and costs 495.57 where that costs 259.05: 236.52 less, of two disks twice that.
#[test]
fn a_tier_that_gives_no_more_than_a_lower_one_says_what_that_costs() {
    for (disk, less) in [("d=P30:tier=P50", 236.52), ("d=2xP30:tier=P50", 473.04)] {
        let a = priced("D16s_v5", &[disk]);
        let found = finding(&a, "TIER-RAISED", "d");
        let fix = format!(
            "set tier=P40, which is billed as the smaller disk: {less:.2} USD a month less"
        );
        assert_eq!(found.fix.as_deref(), Some(fix.as_str()));
        assert!((found.per_month().unwrap().amount - less).abs() < 1e-6);
    }
}

/// Where the region has no price for the series, its smallest size is named; another may still have one.
#[test]
fn without_a_price_the_smallest_of_the_series_is_named() {
    let code = "VM-UNCACHED-MBPS";
    let smallest = "Standard_D16s_v3 is the smallest Dsv3 size that lifts every cap met here (384 uncached MB/s), but \
                    retires on 2029-11-15 as well";
    let a = plan("D8s_v3", &["P40"], "");
    let fix = finding(&a, code, "Standard_D8s_v3").fix.as_deref().unwrap();
    let stays = "; of all sizes that take what is deployed, Standard_D8ds_v5 is the smallest that lifts every cap (290 \
                 uncached MB/s)";
    assert_eq!(fix, format!("{smallest}{stays}"));
    assert_eq!(priced_fix(&book(&[]), "D8s_v3", &["P40"], code), smallest);
    // D8s_v6 lets 424 MB/s through, but has an NVMe controller only, for which an image may have no driver. Of E16bs_v6
    // no source names the controller; those of its generation have NVMe.
    let others = [
        ("Standard_E16bs_v6", 0.1),
        ("Standard_D8s_v6", 0.2),
        ("Standard_E16s_v5", 0.3),
    ];
    let fix = priced_fix(&book(&others), "D8s_v3", &["P40"], code);
    let elsewhere = "; of all sizes that take what is deployed, Standard_E16s_v5 is the cheapest that lifts every cap (600 uncached \
                     MB/s), without a local disk: a deployed VM must be made anew for it";
    assert_eq!(fix, format!("{smallest}{elsewhere}"));
}

/// The largest Dsv3 size lets 1,200 MB/s through, eight P40 do 2,000, an E104is_v5 lets 4,000 through. The price of D64s_v3
/// is not known, and so neither is the difference.
#[test]
fn another_series_may_be_the_only_one() {
    let disks = ["8xP40"];
    let code = "VM-UNCACHED-MBPS";
    let none = priced_fix(&book(&[]), "D64s_v3", &disks, code);
    assert_eq!(
        none,
        "no Dsv3 size lets all of it through (2,000 uncached MB/s): look for another series, or provision less"
    );
    let fix = priced_fix(
        &book(&[("Standard_E104is_v5", 6.0)]),
        "D64s_v3",
        &disks,
        code,
    );
    assert_eq!(
        fix,
        "no Dsv3 size lets all of it through (2,000 uncached MB/s); of all sizes that take what is deployed, \
         Standard_E104is_v5 is the cheapest that lifts every cap (4,000 uncached MB/s), without a local disk: a deployed VM must be made anew for it"
    );
}

/// What is paid for as a burst is part of what another way has to do: 30,000 IOPS and 1,000 MB/s of a P40 that bursts on
/// demand; a v2 of 7,500 and 250 is not the same.
#[test]
fn a_cheaper_way_does_the_burst_that_is_paid_for() {
    let ways = |disk: &str| {
        let a = priced("D16s_v5", &[&format!("d={disk}")]);
        a.cost.unwrap().volumes[0].alternatives.clone()
    };
    // Of v2 16 of 128 GiB cost least, 3,000 IOPS and 125 MB/s each for nothing.
    let does = |way: &diskcap::planner::money::Way| {
        let stripe = "16 x v2 of 128 GiB: 48,000 IOPS, 2,000 MB/s";
        way.reason.contains("30,000 IOPS, 1,000 MB/s") || way.reason.starts_with(stripe)
    };
    assert!(
        ways("P40:burst=on").iter().all(does),
        "{:?}",
        ways("P40:burst=on")
    );
    assert!(!ways("P40").is_empty());
    // Of Ultra no latency is known; a Premium SSD is another family.
    let of_ultra = ways("ultra:size=128,iops=20000,mbps=500");
    let premium = of_ultra
        .iter()
        .find(|way| way.way == "performance plus")
        .unwrap();
    assert!(
        premium
            .reason
            .ends_with("; how its latency compares is not known"),
        "{}",
        premium.reason
    );
}

/// A D2s_v3 takes four data disks and has three: in place of one of them there may be two.
#[test]
fn a_cheaper_stripe_fits_beside_the_other_disks() {
    let a = priced("D2s_v3", &["a=P30:tier=P50", "b=P10", "c=P10"]);
    let cost = a.cost.as_ref().unwrap();
    let ways = cost.volumes[0].alternatives.iter();
    let specs: Vec<&str> = ways.filter_map(|way| way.spec.as_deref()).collect();
    let stripe = specs.iter().find(|spec| spec.contains("xPremium"));
    assert!(
        stripe.is_some_and(|spec| spec.starts_with("2x")),
        "{specs:?}"
    );
}
