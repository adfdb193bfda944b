//! The rules of the tiered families, and what holds of every family, against values worked out from the provider's
//! documents. The provisioned families are in `catalog_provisioned.rs`.

#[path = "common/requests.rs"]
mod requests;

use diskcap::catalog::azure::BURST_BUCKET_SECONDS;
use diskcap::catalog::{
    Axis, Basis, BurstKind, Catalog, DiskError, DiskRequest, Family, Lane, Limits, Redundancy,
    Setting, Violation,
};
use diskcap::units::{BlockSize, GiB, Iops, MBps};
use proptest::prelude::*;
use requests::{out_of_range, refused, resolve, sized, v2};

/// A disk of this tier.
fn tier(family: Family, name: &str) -> DiskRequest {
    DiskRequest {
        tier: Some(name.to_owned()),
        ..DiskRequest::new(family)
    }
}

fn premium(name: &str) -> DiskRequest {
    tier(Family::PremiumSsd, name)
}

#[test]
fn sizes_round_up_to_the_next_tier() {
    let cases = [
        (Family::PremiumSsd, 1, "P1", Limits::whole(120, 25)),
        (Family::PremiumSsd, 4, "P1", Limits::whole(120, 25)),
        (Family::PremiumSsd, 5, "P2", Limits::whole(120, 25)),
        (Family::PremiumSsd, 128, "P10", Limits::whole(500, 100)),
        (Family::PremiumSsd, 129, "P15", Limits::whole(1100, 125)),
        (Family::PremiumSsd, 513, "P30", Limits::whole(5000, 200)),
        (Family::PremiumSsd, 4096, "P50", Limits::whole(7500, 250)),
        (Family::PremiumSsd, 4097, "P60", Limits::whole(16_000, 500)),
        (
            Family::PremiumSsd,
            32_767,
            "P80",
            Limits::whole(20_000, 900),
        ),
        (Family::StandardSsd, 100, "E10", Limits::whole(500, 100)),
        (Family::StandardSsd, 8193, "E70", Limits::whole(4000, 600)),
        (Family::StandardHdd, 1, "S4", Limits::whole(500, 60)),
        (Family::StandardHdd, 33, "S6", Limits::whole(500, 60)),
        (Family::StandardHdd, 5000, "S60", Limits::whole(1300, 300)),
    ];
    for (family, gib, name, limits) in cases {
        let resolved = resolve(&sized(family, gib));
        assert_eq!(resolved.model.tier.as_deref(), Some(name), "{gib} GiB");
        assert_eq!(resolved.model.base, limits, "{name}");
        assert_eq!(resolved.model.size, Some(GiB::whole(gib)));
        assert_eq!(resolved.violations, []);
    }
    let fraction = DiskRequest {
        size: GiB::new(128.5).ok(),
        ..DiskRequest::new(Family::PremiumSsd)
    };
    assert_eq!(resolve(&fraction).model.label, "P15");
}

#[test]
fn a_tier_alone_is_its_largest_disk() {
    let p30 = resolve(&premium("p30")).model;
    assert_eq!(p30.label, "P30");
    assert_eq!(p30.size, Some(GiB::whole(1024)));
    assert_eq!(p30.lane, Lane::Remote);
    assert_eq!(p30.accounting_unit, Some(BlockSize::kib(256)));
    assert_eq!(p30.latency.map(|l| l.basis), Some(Basis::Typical));
    assert!(p30.burst.is_none());
    let e30 = resolve(&tier(Family::StandardSsd, "E30")).model;
    assert_eq!(e30.accounting_unit, Some(BlockSize::kib(256)));
    assert_eq!(e30.latency, None);
    assert_eq!(
        resolve(&tier(Family::StandardHdd, "S4"))
            .model
            .accounting_unit,
        None
    );
}

#[test]
fn a_size_out_of_range_is_refused_and_clamped() {
    let large = resolve(&sized(Family::PremiumSsd, 40_000));
    assert_eq!(out_of_range(&large), [(Setting::Size, 1.0, 32_767.0)]);
    assert_eq!(large.model.label, "P80");
    assert_eq!(large.model.size, Some(GiB::whole(32_767)));
    let none = resolve(&sized(Family::StandardHdd, 0));
    assert_eq!(out_of_range(&none), [(Setting::Size, 1.0, 32_767.0)]);
    assert_eq!(none.model.label, "S4");
}

#[test]
fn unknown_tiers_are_answered_with_their_neighbours() {
    let nearest = |family, name: &str| match refused(&tier(family, name)) {
        DiskError::UnknownTier { nearest, .. } => nearest,
        other => panic!("{other}"),
    };
    assert_eq!(nearest(Family::PremiumSsd, "P35"), ["P30", "P40"]);
    assert_eq!(nearest(Family::PremiumSsd, "p99"), ["P80"]);
    assert_eq!(nearest(Family::StandardHdd, "S5"), ["S4", "S6"]);
    assert!(refused(&premium("P35")).to_string().contains("P30, P40"));
    let any = Catalog::embedded().tiers().any_named("e15").expect("E15");
    assert_eq!((any.family, any.max_gib), (Family::StandardSsd, 256));
    for odd in ["", "P", "é", "P-1", "P99999999999999999999", "30"] {
        assert!(
            matches!(refused(&premium(odd)), DiskError::UnknownTier { .. }),
            "{odd}"
        );
    }
    assert!(matches!(
        refused(&DiskRequest::new(Family::PremiumSsd)),
        DiskError::Missing { .. }
    ));
}

#[test]
fn performance_tiers_stay_between_the_baseline_and_p50_or_p80() {
    let raised = |gib, to: &str| {
        resolve(&DiskRequest {
            performance_tier: Some(to.to_owned()),
            ..sized(Family::PremiumSsd, gib)
        })
    };
    let p10 = raised(128, "P50");
    assert_eq!(p10.violations, []);
    assert_eq!(p10.model.label, "P10 as P50");
    assert_eq!(p10.model.tier.as_deref(), Some("P50"));
    assert_eq!(p10.model.base, Limits::whole(7500, 250));
    let too_high = raised(4096, "P60");
    assert_eq!(
        too_high.violations,
        [Violation::TierTooHigh {
            asked: "P60".to_owned(),
            highest: "P50".to_owned()
        }]
    );
    assert_eq!(too_high.model.label, "P50");
    assert_eq!(raised(4097, "P80").violations, []);
    assert_eq!(raised(4097, "P80").model.base, Limits::whole(20_000, 900));
    let below = raised(1024, "P20");
    assert_eq!(
        below.violations,
        [Violation::TierBelowBaseline {
            asked: "P20".to_owned(),
            baseline: "P30".to_owned()
        }]
    );
    assert_eq!(below.model.label, "P30");
    assert_eq!(raised(1024, "P30").model.label, "P30");
}

#[test]
fn a_tier_named_for_another_size() {
    let named = |family, name: &str, gib| {
        resolve(&DiskRequest {
            size: Some(GiB::whole(gib)),
            ..tier(family, name)
        })
    };
    // Smaller than its tier: the tier is its performance tier.
    let raised = named(Family::PremiumSsd, "P30", 100);
    assert_eq!(raised.model.label, "P10 as P30");
    assert_eq!(raised.violations, []);
    // Larger than its tier: refused, and the size's own tier holds.
    let lowered = named(Family::PremiumSsd, "P10", 1024);
    assert_eq!(lowered.model.label, "P30");
    assert!(matches!(
        lowered.violations.as_slice(),
        [Violation::TierBelowBaseline { asked, baseline }] if asked == "P10" && baseline == "P30"
    ));
    // Within its tier: just that size.
    assert_eq!(named(Family::PremiumSsd, "P10", 100).violations, []);
    assert_eq!(
        named(Family::PremiumSsd, "P10", 100).model.size,
        Some(GiB::whole(100))
    );
    // Families without performance tiers.
    let standard = named(Family::StandardSsd, "E30", 100);
    assert_eq!(standard.model.label, "E10");
    assert!(matches!(
        standard.violations.as_slice(),
        [Violation::NotOffered { feature, .. }] if feature == "performance tier E30"
    ));
}

#[test]
fn credit_bursting_of_small_disks() {
    let p1 = resolve(&premium("P1")).model;
    let burst = p1.burst.expect("a burst");
    assert_eq!(burst.limits, Limits::whole(3500, 170));
    assert_eq!(burst.kind, BurstKind::Credit { seconds: 1800.0 });
    // The API gives the bucket of a P1: 6,084,000 I/Os.
    assert_eq!((3500.0 - 120.0) * BURST_BUCKET_SECONDS, 6_084_000.0);
    assert!(resolve(&premium("P20")).model.burst.is_some());
    let e30 = resolve(&tier(Family::StandardSsd, "E30")).model;
    assert_eq!(
        e30.burst.map(|burst| burst.limits),
        Some(Limits::whole(1000, 250))
    );
    assert_eq!(resolve(&tier(Family::StandardSsd, "E40")).model.burst, None);
    assert_eq!(resolve(&tier(Family::StandardHdd, "S4")).model.burst, None);
}

#[test]
fn a_raised_tier_keeps_the_burst_of_its_size_where_that_lifts_anything() {
    let p10_as = |to: &str| {
        resolve(&DiskRequest {
            performance_tier: Some(to.to_owned()),
            ..premium("P10")
        })
        .model
    };
    let p20 = p10_as("P20");
    assert_eq!(p20.base, Limits::whole(2300, 150));
    assert_eq!(
        p20.burst.map(|burst| burst.limits),
        Some(Limits::whole(3500, 170))
    );
    // P30 is 5,000 IOPS and 200 MB/s: more than the burst of a disk of 512 GiB or smaller.
    assert_eq!(p10_as("P30").burst, None);
}

#[test]
fn on_demand_bursting_of_large_premium_disks() {
    let on_demand = |request: DiskRequest| {
        resolve(&DiskRequest {
            on_demand_burst: true,
            ..request
        })
    };
    let p30 = on_demand(premium("P30"));
    let burst = p30.model.burst.expect("a burst");
    assert_eq!(burst.limits, Limits::whole(30_000, 1000));
    assert_eq!(burst.kind, BurstKind::OnDemand);
    assert_eq!(p30.violations, []);
    assert!(
        on_demand(sized(Family::PremiumSsd, 513))
            .violations
            .is_empty()
    );
    // 512 GiB and smaller: refused, the credits stay.
    let p20 = on_demand(sized(Family::PremiumSsd, 512));
    assert!(matches!(
        p20.violations.as_slice(),
        [Violation::NotOffered { .. }]
    ));
    assert_eq!(
        p20.model.burst.map(|burst| burst.kind),
        Some(BurstKind::Credit { seconds: 1800.0 })
    );
    for request in [tier(Family::StandardSsd, "E40"), v2(8, 3000, 125)] {
        let resolved = on_demand(request);
        assert!(matches!(
            resolved.violations.as_slice(),
            [Violation::NotOffered { .. }]
        ));
        assert_eq!(resolved.model.burst, None);
    }
}

#[test]
fn performance_plus_expands_disks_of_513_gib_and_more() {
    let plus = |request: DiskRequest| {
        resolve(&DiskRequest {
            performance_plus: true,
            ..request
        })
    };
    let cases = [
        (premium("P30"), Limits::whole(8000, 300)),
        (premium("P50"), Limits::whole(20_000, 900)),
        (tier(Family::StandardSsd, "E50"), Limits::whole(6000, 600)),
        (tier(Family::StandardHdd, "S40"), Limits::whole(3000, 300)),
        (tier(Family::StandardHdd, "S80"), Limits::whole(3000, 500)),
    ];
    for (request, limits) in cases {
        let resolved = plus(request);
        assert_eq!(resolved.model.base, limits, "{}", resolved.model.label);
        assert_eq!(resolved.violations, []);
        assert!(resolved.model.label.ends_with(" perfplus"));
    }
    // E30 expanded: 1,500 IOPS is above its burst of 1,000, 150 MB/s below its burst of 250.
    let e30 = plus(tier(Family::StandardSsd, "E30")).model;
    assert_eq!(e30.base, Limits::whole(1500, 150));
    assert_eq!(
        e30.burst.map(|burst| burst.limits),
        Some(Limits::whole(1500, 250))
    );
    let small = plus(premium("P20"));
    assert_eq!(small.model.base, Limits::whole(2300, 150));
    assert!(matches!(
        small.violations.as_slice(),
        [Violation::NotOffered { .. }]
    ));
}

#[test]
fn settings_that_the_family_does_not_have() {
    let setting = |request: &DiskRequest| match refused(request) {
        DiskError::NotASetting { setting, rule, .. } => {
            assert!(!rule.is_empty());
            setting
        }
        other => panic!("{other}"),
    };
    let p30_iops = DiskRequest {
        iops: Some(Iops::whole(9000)),
        ..premium("P30")
    };
    assert_eq!(setting(&p30_iops), "iops");
    let e30_mbps = DiskRequest {
        mbps: Some(MBps::whole(900)),
        ..tier(Family::StandardSsd, "E30")
    };
    assert_eq!(setting(&e30_mbps), "mbps");
    let v2_tier = DiskRequest {
        performance_tier: Some("P30".to_owned()),
        ..v2(100, 3000, 125)
    };
    assert_eq!(setting(&v2_tier), "tier");
    let custom_burst = DiskRequest {
        on_demand_burst: true,
        ..DiskRequest::new(Family::Custom)
    };
    assert_eq!(setting(&custom_burst), "burst");
    assert_eq!(setting(&sized(Family::Temp, 100)), "size");
}

#[test]
fn host_caching_by_family_size_and_sharing() {
    let cacheable = |request: &DiskRequest| resolve(request).model.cacheable;
    assert!(cacheable(&sized(Family::PremiumSsd, 4095)));
    assert!(!cacheable(&sized(Family::PremiumSsd, 4096)));
    assert!(cacheable(&tier(Family::StandardHdd, "S10")));
    assert!(!cacheable(&v2(100, 3000, 125)));
    let shared = DiskRequest {
        max_shares: 2,
        ..premium("P30")
    };
    assert!(!cacheable(&shared));
}

#[test]
fn redundancy_and_shares_that_are_not_offered() {
    let zrs = |request: DiskRequest| {
        resolve(&DiskRequest {
            redundancy: Redundancy::Zrs,
            ..request
        })
    };
    assert_eq!(zrs(premium("P30")).model.redundancy, Redundancy::Zrs);
    assert_eq!(zrs(premium("P30")).violations, []);
    for request in [tier(Family::StandardHdd, "S10"), v2(100, 3000, 125)] {
        let resolved = zrs(request);
        assert_eq!(resolved.model.redundancy, Redundancy::Lrs);
        assert!(matches!(
            resolved.violations.as_slice(),
            [Violation::NotOffered { feature, .. }] if feature == "ZRS"
        ));
    }
    let shared = |request: DiskRequest, vms| {
        resolve(&DiskRequest {
            max_shares: vms,
            ..request
        })
        .violations
        .len()
    };
    assert_eq!(shared(premium("P10"), 3), 0);
    assert_eq!(shared(premium("P10"), 4), 1);
    assert_eq!(shared(premium("P60"), 10), 0);
    assert_eq!(shared(tier(Family::StandardHdd, "S10"), 2), 1);
    assert_eq!(shared(v2(100, 3000, 125), 15), 0);
    assert_eq!(shared(v2(100, 3000, 125), 16), 1);
    assert_eq!(shared(premium("P10"), 0), 1);
}

fn any_request() -> impl Strategy<Value = DiskRequest> {
    let tiers = prop_oneof![
        Just(None),
        "[PESpes][1-8]?[0-9]".prop_map(Some),
        ".{0,4}".prop_map(Some)
    ];
    let number = prop_oneof![
        Just(None),
        (0.0..200_000.0_f64).prop_map(Some),
        Just(Some(f64::MAX)),
        Just(Some(0.0))
    ];
    (
        proptest::sample::select(Family::ALL.to_vec()),
        (tiers.clone(), tiers),
        (number.clone(), number.clone(), number),
        (any::<bool>(), any::<bool>(), any::<bool>()),
        0..20_u32,
    )
        .prop_map(|(family, names, numbers, flags, max_shares)| DiskRequest {
            family,
            tier: names.0,
            performance_tier: names.1,
            size: numbers.0.and_then(|n| GiB::new(n).ok()),
            iops: numbers.1.and_then(|n| Iops::new(n).ok()),
            mbps: numbers.2.and_then(|n| MBps::new(n).ok()),
            on_demand_burst: flags.0,
            performance_plus: flags.1,
            redundancy: if flags.2 {
                Redundancy::Zrs
            } else {
                Redundancy::Lrs
            },
            max_shares,
            latency: None,
        })
}

/// The most that the documents allow any disk of the family: base, then burst.
fn documented_most(family: Family) -> Option<(Limits, Limits)> {
    match family {
        Family::PremiumSsd => Some((Limits::whole(20_000, 900), Limits::whole(30_000, 1000))),
        Family::StandardSsd => Some((Limits::whole(6000, 750), Limits::whole(6000, 750))),
        Family::StandardHdd => Some((Limits::whole(3000, 500), Limits::whole(3000, 500))),
        Family::PremiumSsdV2 => Some((Limits::whole(80_000, 2000), Limits::UNKNOWN)),
        Family::Ultra => Some((Limits::whole(400_000, 10_000), Limits::UNKNOWN)),
        _ => None,
    }
}

proptest! {
    #[test]
    fn a_larger_disk_is_never_of_a_lower_tier(small in 0.0..40_000.0_f64, more in 0.0..40_000.0_f64) {
        let tiers = Catalog::embedded().tiers();
        for family in [Family::PremiumSsd, Family::StandardSsd, Family::StandardHdd] {
            let of = |gib| {
                let size = GiB::new(gib).expect("a size");
                tiers.for_size(family, size).expect("a tier").min_gib
            };
            prop_assert!(of(small) <= of(small + more));
        }
    }

    #[test]
    fn no_disk_goes_above_what_is_documented(request in any_request()) {
        let Ok(resolved) = Catalog::embedded().disk(&request) else { return Ok(()) };
        let model = resolved.model;
        let Some((base, burst)) = documented_most(model.family) else { return Ok(()) };
        for axis in [Axis::Iops, Axis::Mbps] {
            prop_assert!(model.base.on(axis) <= base.on(axis), "{model:?}");
            let bursting = model.burst.and_then(|burst| burst.limits.on(axis));
            prop_assert!(bursting <= burst.on(axis), "{model:?}");
            prop_assert!(bursting.is_none() || bursting >= model.base.on(axis), "{model:?}");
        }
        let size = model.size.expect("a size").get();
        prop_assert!(size >= 1.0 && size.fract() == 0.0);
    }

    #[test]
    fn what_is_resolved_is_not_refused_again(request in any_request()) {
        let catalog = Catalog::embedded();
        let Ok(first) = catalog.disk(&request) else { return Ok(()) };
        let Some(rules) = first.model.family.provisioned_rules() else { return Ok(()) };
        let again = resolve(&DiskRequest {
            size: first.model.size,
            iops: first.model.base.iops,
            mbps: first.model.base.mbps,
            ..DiskRequest::new(rules.family)
        });
        prop_assert_eq!(again.violations, vec![]);
        prop_assert_eq!(again.model.base, first.model.base);
    }
}
