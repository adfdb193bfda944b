//! Needs worked out by hand: what is recommended for them, why, and what stands in the way of those that cannot be met.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

mod common;
#[path = "common/market.rs"]
mod market;

use common::plan;
use diskcap::catalog::{Axis, Bounds, Catalog, Family};
use diskcap::deployment::HostCaching;
use diskcap::measure::series::{ReadOptions, read};
use diskcap::measure::trace::{Trace, TraceOptions};
use diskcap::planner::Assessment;
use diskcap::recommend::from_trace::FromTrace;
use diskcap::recommend::frontier::FrontierAxis;
use diskcap::recommend::like::{LikeError, Wanted, like};
use diskcap::recommend::model::{Constraint, LimitedPlace};
use diskcap::recommend::{Hold, Need, NeedError, VolumeNeed, frontier, recommend};
use diskcap::units::{BlockSize, GiB, Iops, MBps, QueueDepth, Share};
use market::{book, market, need, of_series};

/// The price per vCPU and month in the tests' book: 730 h at 0.05.
const VCPU: f64 = 36.5;

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}

#[test]
fn four_thousand_iops_on_the_smallest_dsv3() {
    // D2s_v3 lets 3,200 uncached IOPS through (4,000 in burst only), D4s_v3 6,400. 4,000 x 4,096 B = 16.4 MB/s of 96.
    let book = book();
    let need = of_series(need(&["data:size=1TiB,iops=4000,block=4KiB"]), "Dsv3");
    let found = recommend(&market(&book), &need, 5).unwrap();
    let best = &found.best[0];
    assert_eq!(best.size, "Standard_D4s_v3");
    close(best.vm_month.amount, 4.0 * VCPU);
    let fails = &best.cheaper_sizes[0];
    assert_eq!(fails.size, "Standard_D2s_v3");
    assert_eq!(fails.reason, "3,200 uncached IOPS, 4,000 are needed");
    let short = fails.short.as_ref().unwrap();
    assert_eq!((short.capacity, short.used), (3200.0, 4000.0));
    // Seven sizes are in the series: 2, 4, 8, 16, 32, 48, 64 vCPUs. One fails, the five cheapest of the others are given.
    assert_eq!(found.sizes_looked_at, 7);
    assert_eq!(found.best[4].size, "Standard_D48s_v3");
}

#[test]
fn a_peak_counts_burst_credit_as_far_as_it_lasts() {
    // D2s_v3 bursts from 3,200 to 4,000 for 30 min: a bucket of 800 x 1,800 = 1,440,000. At 3,600 it lasts an hour.
    let book = book();
    let peak = |iops: u32, minutes: f64| {
        let mut need = need(&["data:size=1TiB,iops=1"]);
        need.volumes[0].iops = Some(Iops::whole(iops));
        need.hold = Hold::Peak { minutes };
        let need = of_series(need, "Dsv3");
        recommend(&market(&book), &need, 1).unwrap().best[0]
            .size
            .clone()
    };
    assert_eq!(peak(4000, 30.0), "Standard_D2s_v3");
    assert_eq!(peak(4000, 31.0), "Standard_D4s_v3");
    assert_eq!(peak(3600, 60.0), "Standard_D2s_v3");
    assert_eq!(peak(3601, 60.0), "Standard_D4s_v3");
    assert_eq!(peak(4001, 1.0), "Standard_D4s_v3");
}

#[test]
fn twenty_thousand_iops_and_500_mbps_on_two_tib() {
    // One v2: 2,048 GiB x 0.0001 x 730 = 149.504; (20,000 - 3,000) x 0.00001 x 730 = 124.10; (500 - 125) x 0.0001 x 730
    // = 27.375: 300.979 in all. Every Premium SSD that does it costs more in the tests' book.
    // Ebdsv5: E2bds_v5 lets 170 MB/s of v2 through on SCSI, E4bds_v5 21,400 IOPS and 600 MB/s on NVMe.
    let book = book();
    let mut need = of_series(need(&["data:size=2TiB,iops=20000,mbps=500"]), "Ebdsv5");
    need.max_stripe = 1;
    let found = recommend(&market(&book), &need, 1).unwrap();
    let best = &found.best[0];
    assert_eq!(best.size, "Standard_E4bds_v5");
    assert_eq!(best.volumes[0].spec, "v2:size=2048,iops=20000,mbps=500");
    close(best.disks_month.amount, 300.979);
    close(best.month.amount, 300.979 + 4.0 * VCPU);
    assert_eq!(best.volumes[0].delivered_iops, Some(20_000.0));
    assert_eq!(best.volumes[0].delivered_mbps, Some(500.0));
}

#[test]
fn a_stripe_makes_use_of_what_each_v2_has_free() {
    // Four of 512 GiB: 149.504 for the capacity as before; each has 3,000 IOPS and 125 MB/s free, so 4 x 2,000 IOPS are
    // paid (58.40) and no MB/s: 207.904.
    let book = book();
    let need = of_series(need(&["data:size=2TiB,iops=20000,mbps=500"]), "Ebdsv5");
    let best = recommend(&market(&book), &need, 1).unwrap().best.remove(0);
    assert_eq!(best.volumes[0].spec, "4xv2:size=512,iops=5000,mbps=125");
    close(best.disks_month.amount, 207.904);
}

#[test]
fn a_log_below_a_millisecond_is_on_the_only_family_with_such_a_figure() {
    // Typical: Premium SSD 1 ms (which is not below 1 ms), Premium SSD v2 0.65 ms; of the others nothing is known.
    let book = book();
    let need = need(&["log:size=128,iops=1000,read=0,depth=1,latency=1ms"]);
    let found = recommend(&market(&book), &need, 3).unwrap();
    assert_eq!(found.best.len(), 3);
    for best in &found.best {
        assert_eq!(best.volumes[0].family, Family::PremiumSsdV2);
        assert_eq!(best.volumes[0].latency_us.unwrap().micros(), 650.0);
    }
    let reason = |family| {
        let left_out = found.left_out.iter().find(|l| l.family == family);
        left_out.unwrap().reason.clone()
    };
    assert_eq!(reason(Family::PremiumSsd), "1 ms is not below 1 ms");
    assert_eq!(reason(Family::Ultra), "its latency is not known");
    assert_eq!(reason(Family::StandardSsd), "its latency is not known");
}

#[test]
fn a_queue_depth_bounds_the_rate() {
    // Queue depth 1 at 0.65 ms makes 1,538 IOPS, at 1 ms 1,000: 1,600 need more outstanding I/Os than one.
    let book = book();
    let need = need(&["log:size=128,iops=1600,depth=1"]);
    let found = recommend(&market(&book), &need, 1).unwrap();
    assert!(found.best.is_empty());
    let v2 = found
        .left_out
        .iter()
        .find(|l| l.family == Family::PremiumSsdV2)
        .unwrap();
    assert_eq!(
        v2.reason,
        "queue depth 1 at 650 us makes 1,538 IOPS, 1,600 are needed"
    );
    // Nearest: 1,538 IOPS at this depth, or depth 2 for these IOPS (2 / 0.65 ms = 3,077).
    let nearest = |constraint| {
        let blame = found.blame.iter().find(|b| b.constraint == constraint);
        blame.unwrap().nearest.clone()
    };
    assert_eq!(nearest(Constraint::Iops), "1,538");
    assert_eq!(nearest(Constraint::QueueDepth), "2");
}

#[test]
fn one_p30_is_not_enough_for_250_mbps() {
    // P30: 200 MB/s at 140. With performance plus, at the same price, 300. P40 would have 250 at 270; two P20 300 at 160.
    let book = book();
    let mut need = need(&["data:size=1TiB,mbps=250"]);
    need.families = vec![Family::PremiumSsd];
    let best = recommend(&market(&book), &need, 1).unwrap().best.remove(0);
    let volume = &best.volumes[0];
    assert_eq!(volume.spec, "P30:perfplus");
    close(volume.month.amount, 140.0);
    let slower = volume.slower_disks.as_ref().unwrap();
    assert_eq!((slower.sku.as_str(), slower.axis), ("P30", Axis::Mbps));
    assert_eq!((slower.has, slower.needs), (200.0, 250.0));
}

#[test]
fn a_read_cache_pays_where_hits_are_stated_and_only_there() {
    // 10,000 IOPS, all reads, of which 90 % hit: 1,000 reach the disk. A P30 (5,000) is enough with the cache, and
    // is not without it. D4s_v3: 8,000 cached; D8s_v3: 16,000.
    let book = book();
    let with = |volume: &str| {
        let mut need = of_series(need(&[volume]), "Dsv3");
        need.families = vec![Family::PremiumSsd];
        recommend(&market(&book), &need, 1).unwrap().best.remove(0)
    };
    let cached = with("data:size=600,iops=10000,hit=90%");
    assert_eq!(cached.size, "Standard_D8s_v3");
    assert_eq!(cached.volumes[0].caching, HostCaching::ReadOnly);
    let at_cache = |l: &&diskcap::recommend::model::LimitUse| {
        l.place == LimitedPlace::Cached && l.axis == Axis::Iops
    };
    let limit = cached.limits.iter().find(at_cache).unwrap();
    assert_eq!((limit.capacity, limit.used), (16_000.0, 10_000.0));
    let plain = with("data:size=600,iops=10000");
    assert_eq!(plain.volumes[0].caching, HostCaching::None);
    assert!(plain.disks_month.amount > cached.disks_month.amount);
}

#[test]
fn headroom_raises_what_must_be_possible() {
    // 6,000 x 1.1 = 6,600 are more than the 6,400 of D4s_v3; without headroom it is enough.
    let book = book();
    let mut need = of_series(need(&["data:size=1TiB,iops=6000"]), "Dsv3");
    let size = |need: &Need| {
        recommend(&market(&book), need, 1).unwrap().best[0]
            .size
            .clone()
    };
    assert_eq!(size(&need), "Standard_D4s_v3");
    need.headroom = Share::percent(10);
    assert_eq!(size(&need), "Standard_D8s_v3");
}

#[test]
fn what_cannot_be_met_says_what_is_to_blame_and_the_nearest_that_can() {
    // D64s_v3, the largest of the series, lets 80,000 uncached IOPS through.
    let book = book();
    let mut need = of_series(need(&["data:size=1TiB,iops=90000"]), "Dsv3");
    need.families = vec![Family::PremiumSsdV2];
    let found = recommend(&market(&book), &need, 1).unwrap();
    assert!(found.best.is_empty());
    let nearest: Vec<(Constraint, &str)> = found
        .blame
        .iter()
        .map(|b| (b.constraint, b.nearest.as_str()))
        .collect();
    assert!(
        nearest.contains(&(Constraint::Iops, "80,000")),
        "{nearest:?}"
    );
    assert!(
        nearest.iter().any(|(c, _)| *c == Constraint::Series),
        "{nearest:?}"
    );
    // A larger stripe or less capacity changes nothing.
    assert!(
        !nearest.iter().any(|(c, _)| *c == Constraint::MaxStripe),
        "{nearest:?}"
    );
    assert!(
        !nearest.iter().any(|(c, _)| *c == Constraint::Capacity),
        "{nearest:?}"
    );
}

#[test]
fn one_disk_too_few_is_the_stripe_to_blame() {
    // One P30 with performance plus has 8,000 IOPS, a P80 20,000 at most; 50,000 take three of 20,000 (P50 to P80).
    let book = book();
    let mut need = need(&["data:size=1TiB,iops=50000"]);
    need.families = vec![Family::PremiumSsd];
    need.max_stripe = 2;
    let found = recommend(&market(&book), &need, 1).unwrap();
    let stripe = found
        .blame
        .iter()
        .find(|b| b.constraint == Constraint::MaxStripe);
    assert_eq!(stripe.unwrap().nearest, "3");
    let iops = found
        .blame
        .iter()
        .find(|b| b.constraint == Constraint::Iops);
    assert_eq!(iops.unwrap().nearest, "40,000");
}

#[test]
fn zrs_leaves_what_has_it() {
    let book = book();
    let need = need(&["data:size=512,iops=2000,zrs"]);
    let found = recommend(&market(&book), &need, 1).unwrap();
    let best = &found.best[0];
    assert_eq!(best.volumes[0].family, Family::PremiumSsd);
    assert!(best.volumes[0].spec.contains("zrs"));
    let v2 = found
        .left_out
        .iter()
        .find(|l| l.family == Family::PremiumSsdV2);
    assert_eq!(v2.unwrap().reason, "not offered with ZRS");
}

#[test]
fn sizes_are_as_wanted() {
    let book = book();
    let mut need = need(&["data:size=64,iops=500"]);
    need.size.vcpus = Bounds {
        min: Some(8),
        max: Some(16),
    };
    need.size.memory_gib = Bounds {
        min: Some(GiB::whole(64)),
        max: None,
    };
    need.size.not_series = vec!["D*".to_owned()];
    need.size.generation = Bounds {
        min: Some(5),
        max: Some(5),
    };
    need.size.arch = Some("x64".to_owned());
    need.size.local_disk = true;
    let found = recommend(&market(&book), &need, 20).unwrap();
    assert!(!found.best.is_empty());
    for best in &found.best {
        assert!((8..=16).contains(&best.vcpus) && best.memory_gib.unwrap().get() >= 64.0);
        assert!(
            best.size.ends_with("_v5") && !best.series.starts_with('D'),
            "{}",
            best.size
        );
        assert_eq!(best.arch.as_deref(), Some("x64"));
    }
}

#[test]
fn what_has_no_price_is_not_ranked_and_is_named() {
    use diskcap::catalog::Redundancy;
    use diskcap::catalog::price::{DiskMeter, PriceBook, ProvisionedPart, VmOffer};
    let mut book = PriceBook::new(market::info());
    book.set_vm("Standard_D8s_v5", VmOffer::Linux, 0.5);
    for (part, price) in [
        (ProvisionedPart::Capacity, 1e-4),
        (ProvisionedPart::Iops, 1e-5),
    ] {
        let (family, redundancy) = (Family::PremiumSsdV2, Redundancy::Lrs);
        book.set_disk(
            DiskMeter::Provisioned {
                family,
                redundancy,
                part,
            },
            price,
        );
    }
    // 125 MB/s are free; more have no price in this book.
    let cheap = recommend(&market(&book), &need(&["data:size=64,mbps=100"]), 5).unwrap();
    assert_eq!(cheap.best.len(), 1);
    assert!(cheap.unpriced_sizes.contains(&"Standard_D8s_v3".to_owned()));
    let mut fast = need(&["data:size=64,mbps=150"]);
    fast.max_stripe = 1;
    let fast = recommend(&market(&book), &fast, 5).unwrap();
    assert!(fast.best.is_empty());
    let v2 = fast
        .left_out
        .iter()
        .find(|l| l.family == Family::PremiumSsdV2)
        .unwrap();
    assert!(v2.reason.contains("price unknown"), "{}", v2.reason);
}

#[test]
fn standard_ssd_where_it_suffices_with_its_transactions() {
    // An E10 in the tests' book: 9 a month, 0.002 for 10,000 transactions. 100 IOPS for 10 h a month: 3,600,000
    // transactions, 0.72: 9.72. The cheapest of the other families that hold 128 GiB: v2 at 9.344, so v2 is not allowed here.
    let book = book();
    let mut need = need(&["data:size=128,iops=100"]);
    need.families = vec![Family::StandardSsd, Family::PremiumSsd];
    need.busy_hours = 10.0;
    need.max_stripe = 1;
    let best = recommend(&market(&book), &need, 1).unwrap().best.remove(0);
    assert_eq!(best.volumes[0].spec, "E10");
    close(best.disks_month.amount, 9.72);
    // All month: 262,800,000 transactions are 52.56 more, and the P10 at 20 is cheaper.
    need.busy_hours = 730.0;
    let best = recommend(&market(&book), &need, 1).unwrap().best.remove(0);
    assert_eq!(best.volumes[0].spec, "P10");
}

#[test]
fn more_performance_never_costs_less() {
    let book = book();
    let need = need(&[
        "data:size=1TiB,iops=10000,mbps=200",
        "log:size=64,iops=2000",
    ]);
    let points = frontier(&market(&book), &need);
    let of = |axis| points.iter().filter(move |p| p.axis == axis);
    assert_eq!(of(FrontierAxis::Iops).count(), 12);
    assert_eq!(of(FrontierAxis::Mbps).count(), 12);
    let asked = of(FrontierAxis::Iops)
        .find(|p| p.multiple == Some(1.0))
        .unwrap();
    assert_eq!(asked.performance, Some(12_000.0));
    let best = recommend(&market(&book), &need, 1).unwrap().best.remove(0);
    assert_eq!(asked.month, Some(best.month));
    for axis in [FrontierAxis::Iops, FrontierAxis::Mbps] {
        let months: Vec<f64> = of(axis)
            .map(|p| p.month.map_or(f64::INFINITY, |m| m.amount))
            .collect();
        assert!(months.is_sorted(), "{months:?}");
    }
}

/// Seven GiB and 500 IOPS beyond the 3,000 that come with it: 7 x 0.073 + 500 x 0.0073 a month; a P1 bursts to 3,500.
#[test]
fn a_shorter_latency_has_its_price() {
    let book = book();
    let mut need = of_series(need(&["data:size=4,iops=3500,block=4KiB"]), "Dsv3");
    need.hold = Hold::Peak { minutes: 10.0 };
    need.max_stripe = 1;
    // What is asked of the latency does not bound the curve.
    need.volumes[0].latency_below = "1s".parse().ok();
    let points = frontier(&market(&book), &need);
    let points: Vec<_> = (points.iter().filter(|p| p.axis == FrontierAxis::Latency))
        .map(|p| {
            let month = p.month.unwrap().amount;
            (p.performance.unwrap().round(), month, p.disks[0].as_str())
        })
        .collect();
    let [fast, slow] = points.as_slice() else {
        panic!("{points:?}")
    };
    assert_eq!((fast.0, slow.0), (650.0, 1000.0));
    close(fast.1, 2.0 * VCPU + 7.0 * 0.073 + 500.0 * 0.0073);
    close(slow.1, 2.0 * VCPU + 1.0);
    assert!(fast.2.starts_with("v2:size=7,iops=3500"), "{}", fast.2);
    assert_eq!(slow.2, "P1");
}

/// 400 IOPS in 256 GiB: a P15 (1,100 IOPS) at 40, or an E15 (500 IOPS) at 18, of which no latency is known.
#[test]
fn disks_of_unknown_latency_stand_last_and_without_one() {
    let book = book();
    let mut need = of_series(need(&["data:size=256,iops=400"]), "Dsv3");
    need.families = vec![Family::PremiumSsd, Family::StandardSsd];
    need.max_stripe = 1;
    need.busy_hours = 0.0;
    let points = frontier(&market(&book), &need);
    let latencies = points.iter().filter(|p| p.axis == FrontierAxis::Latency);
    let rows: Vec<_> = latencies
        .map(|p| (p.performance, p.month.unwrap().amount - 2.0 * VCPU))
        .collect();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!((rows[0].0.map(f64::round), rows[1].0), (Some(1000.0), None));
    close(rows[0].1, 40.0);
    close(rows[1].1, 18.0);
    let found = recommend(&market(&book), &need, 1).unwrap();
    assert_eq!(found.latency_unknown, [Family::StandardSsd]);
}

/// Twenty minutes at 100, 200, ... 2,000 IOPS: up to 1,000 in blocks of 8 KiB and half of them reads, then in blocks of
/// 16 KiB and three quarters reads.
fn twenty_minutes() -> String {
    let mut text = "time,disk,read_iops,write_iops,mbps\n".to_owned();
    for minute in 1..=20_u32 {
        let iops = f64::from(minute) * 100.0;
        let (bytes, reads) = if minute <= 10 {
            (8192.0, 0.5)
        } else {
            (16_384.0, 0.75)
        };
        let (read, write) = (iops * reads, iops * (1.0 - reads));
        let mbps = iops * bytes / 1e6;
        text += &format!("{},sdc,{read},{write},{mbps}\n", minute * 60);
    }
    text
}

fn traced(need: &mut Need, covered: &str) -> FromTrace {
    let options = TraceOptions {
        map: vec!["sdc=data".parse().unwrap()],
        ..TraceOptions::default()
    };
    let logs = [read(
        "t.csv",
        twenty_minutes().as_bytes(),
        &ReadOptions::default(),
    )
    .unwrap()];
    let names: Vec<String> = need.volumes.iter().map(|v| v.name.clone()).collect();
    let trace = Trace::of(&logs, &names, &options).unwrap();
    FromTrace::complete(need, trace, covered.parse().unwrap())
}

#[test]
fn a_need_is_taken_from_a_trace() {
    // 19 of the 20 minutes are at or below 1,900 IOPS; 1,900 x 16,384 B are 31.13 MB/s, rounded up to 31.2.
    let mut asked = need(&["data:size=512", "log:size=64,iops=50"]);
    let taken = traced(&mut asked, "95");
    let data = &asked.volumes[0];
    assert_eq!(data.iops, Some(Iops::whole(1900)));
    assert_eq!(data.mbps, MBps::new(31.2).ok());
    assert_eq!(data.block_size, Some(BlockSize::kib(16)));
    assert_eq!(data.read_share, Share::percent(75));
    assert_eq!(asked.volumes[1], need(&["log:size=64,iops=50"]).volumes[0]);
    assert_eq!(taken.volumes.len(), 1);
    assert_eq!(taken.traces.volumes[0].peak_iops, Some(Iops::whole(2000)));
    // Half of the time: 1,000 IOPS; of the minutes at or above them 1,000 of 16,500 I/Os are of 8 KiB.
    let mut half = need(&["data:size=512"]);
    let taken = traced(&mut half, "50");
    assert_eq!(half.volumes[0].iops, Some(Iops::whole(1000)));
    let bytes = (1000.0 * 8192.0 + 15_500.0 * 16_384.0) / 16_500.0_f64;
    let block = taken.volumes[0].block_size.unwrap().bytes() as f64;
    assert_eq!(block, bytes.round());
    let mut all = need(&["data:size=512"]);
    traced(&mut all, "max");
    assert_eq!(all.volumes[0].iops, Some(Iops::whole(2000)));
    assert_eq!(all.volumes[0].mbps, MBps::new(32.8).ok());
}

#[test]
fn what_a_need_says_goes_over_its_trace() {
    let mut asked = need(&["data:size=512,iops=700,read=20%"]);
    let taken = traced(&mut asked, "95");
    let data = &asked.volumes[0];
    assert_eq!((data.iops, data.block_size), (Some(Iops::whole(700)), None));
    assert_eq!(data.read_share, Share::percent(20));
    assert_eq!(data.mbps, MBps::new(31.2).ok());
    assert_eq!(taken.volumes[0].iops, Some(Iops::whole(1900)));
}

#[test]
fn wrong_needs_are_refused() {
    let book = book();
    let refused = |need: &Need| recommend(&market(&book), need, 1).unwrap_err();
    assert_eq!(refused(&Need::new(vec![])), NeedError::NoVolume);
    let many = vec![VolumeNeed::new("x", GiB::whole(1)); 11];
    assert_eq!(
        refused(&Need::new(many)),
        NeedError::TooManyVolumes { given: 11 }
    );
}

#[test]
fn absurd_needs_do_not_panic() {
    let book = book();
    for volume in [
        "data:size=1e300,iops=1e300,mbps=1e300",
        "data:size=1e-9,iops=0,mbps=0",
        "data:size=64,iops=1e9,block=1B,hit=100%,read=0",
        "data:size=64,latency=0ms",
    ] {
        let mut need = need(&[]);
        need.volumes.extend(volume.parse::<VolumeNeed>());
        if let Ok(found) = recommend(&market(&book), &of_series(need, "Dsv3"), 1) {
            assert!(found.best.len() <= 1);
        }
    }
    let mut need = need(&["data:size=64"]);
    need.volumes[0].queue_depth = QueueDepth::new(u32::MAX);
    need.volumes[0].mbps = Some(MBps::whole(10));
    need.hold = Hold::Peak {
        minutes: f64::MIN_POSITIVE,
    };
    assert!(recommend(&market(&book), &need, usize::MAX).is_ok());
}

/// A P30 (1,024 GiB, 5,000 IOPS, 200 MB/s) on a D2s_v3 is let through 3,200 IOPS and 48 MB/s of it, sustained.
fn d2s_v3_with_a_p30() -> Assessment {
    plan("Standard_D2s_v3", &["data=P30"], "")
}

#[test]
fn like_wants_what_is_delivered_today() {
    let catalog = Catalog::embedded();
    let today = d2s_v3_with_a_p30();
    let (need, like) = like(catalog, &today, "db1", Wanted::Delivered).unwrap();
    let volume = &need.volumes[0];
    assert_eq!(
        (volume.name.as_str(), volume.capacity_gib),
        ("data", GiB::whole(1024))
    );
    assert_eq!(volume.iops, Some(Iops::whole(3200)));
    assert_eq!(volume.mbps, Some(MBps::whole(48)));
    assert_eq!(need.size.vcpus.min, Some(2));
    assert_eq!(need.size.memory_gib.min, Some(GiB::whole(8)));
    assert_eq!(need.size.arch.as_deref(), Some("x64"));
    assert_eq!(
        (like.size.as_deref(), like.month),
        (Some("Standard_D2s_v3"), None)
    );
    // Two Premium SSD v2 of 512 GiB have 3,000 IOPS each for nothing: 1,024 x 0.073 = 74.752 a month, the P30 140.
    let book = book();
    let found = recommend(&market(&book), &of_series(need, "Dsv3"), 1).unwrap();
    assert_eq!(found.best[0].size, "Standard_D2s_v3");
    close(found.best[0].disks_month.amount, 74.752);
}

#[test]
fn like_without_caps_wants_what_is_provisioned() {
    let catalog = Catalog::embedded();
    let today = d2s_v3_with_a_p30();
    let (need, _) = like(catalog, &today, "db1", Wanted::Provisioned).unwrap();
    assert_eq!(need.volumes[0].iops, Some(Iops::whole(5000)));
    assert_eq!(need.volumes[0].mbps, Some(MBps::whole(200)));
    // D8s_v3 lets 192 MB/s through, D16s_v3 384.
    let book = book();
    let found = recommend(&market(&book), &of_series(need, "Dsv3"), 1).unwrap();
    assert_eq!(found.best[0].size, "Standard_D16s_v3");
}

#[test]
fn like_under_one_workload_keeps_its_io() {
    // 64 KiB: 200,000,000 / 65,536 = 3,051.8 I/Os a second are what the P30 can do.
    let catalog = Catalog::embedded();
    let today = plan(
        "Standard_D8s_v3",
        &["data=P30", "os=P10:os"],
        "block=64KiB read=70%",
    );
    let (need, like) = like(catalog, &today, "db1", Wanted::Provisioned).unwrap();
    let volume = &need.volumes[0];
    assert_eq!(volume.iops, Some(Iops::whole(3051)));
    assert_eq!(
        (volume.mbps, volume.block_size),
        (None, Some(BlockSize::kib(64)))
    );
    assert_eq!(volume.read_share, Share::percent(70));
    assert_eq!(like.left, ["os"]);
}

#[test]
fn like_says_what_is_not_known() {
    let catalog = Catalog::embedded();
    let of = |disks: &[&str]| {
        let today = plan("Standard_D8s_v3", disks, "");
        like(catalog, &today, "db1", Wanted::Delivered).unwrap_err()
    };
    assert!(matches!(
        of(&["d=custom:iops=500,mbps=50"]),
        LikeError::NoCapacity { .. }
    ));
    assert!(matches!(
        of(&["d=custom:size=100,iops=500"]),
        LikeError::NotKnown { .. }
    ));
    assert!(matches!(of(&["os=P10:os"]), LikeError::NoVolume { .. }));
}

#[test]
fn like_without_caps_counts_cache_hits_and_queue_depth() {
    let catalog = Catalog::embedded();
    let of = |disk: &str, words: &str| {
        let today = plan("Standard_E8ds_v5", &[disk], words);
        let (need, like) = like(catalog, &today, "db1", Wanted::Provisioned).unwrap();
        (
            need.volumes[0].iops.unwrap().get(),
            like.volumes[0].queue_bound,
        )
    };
    // Four reads in ten reach the disk: 5,000 / 0.4.
    assert_eq!(
        of("d=P30:cache=ro", "block=4KiB hit=0.6"),
        (12_500.0, false)
    );
    // One at a time: 1 / 650 us = 1,538.5, whatever is provisioned.
    assert_eq!(
        of("d=v2:size=256,iops=6000,mbps=250", "block=4KiB depth=1"),
        (1538.0, true)
    );
}

/// A slip is said to be one, before it empties the search.
#[test]
fn unknown_architectures_and_series_are_named() {
    let book = book();
    let of = |series: &str, arch: &str| {
        let mut need = of_series(need(&["data:size=64GiB,iops=100"]), series);
        need.size.arch = Some(arch.to_owned());
        recommend(&market(&book), &need, 1)
    };
    for arch in ["x64", "amd64", "X86_64"] {
        assert_eq!(of("Dsv3", arch).unwrap().best.len(), 1, "{arch}");
    }
    assert_eq!(
        of("Dsv3", "riscv"),
        Err(NeedError::Architecture("riscv".to_owned()))
    );
    let error = of("Dssv3", "x64").unwrap_err().to_string();
    assert!(
        error.starts_with("no VM size is of a series like 'Dssv3'; did you mean"),
        "{error}"
    );
}

/// 512 GiB of Premium SSD v2 cost the same on one disk or on two: one is less to look after. (3,000 IOPS and 125 MB/s
/// are free with each disk.)
#[test]
fn fewer_disks_win_at_the_same_price() {
    let book = book();
    let mut wanted = of_series(need(&["data:size=512GiB,iops=1000"]), "Dsv3");
    wanted.families = vec![Family::PremiumSsdV2];
    let found = recommend(&market(&book), &wanted, 1).unwrap();
    assert_eq!(found.best[0].volumes[0].disks, 1);
}
