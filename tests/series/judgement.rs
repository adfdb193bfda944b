//! Judgement over time, on generated series of described shapes.

use crate::generated::{Noise, Second, closed_loop, series};
use diskcap::measure::series::analysis::{DipCause, DiskReport, Known, analyse};
use diskcap::measure::series::{DiskSeries, ReadOptions, read};

pub(crate) fn judged(seconds: &[Second]) -> DiskReport {
    analyse(&series("disk", seconds), &Known::default())
}

pub(crate) fn csv(text: &str) -> DiskSeries {
    read("x.csv", text.as_bytes(), &ReadOptions::default())
        .unwrap()
        .disks
        .remove(0)
}

pub(crate) fn at_rate(iops: f64, latency_ms: f64) -> Second {
    Second { iops, latency_ms }
}

#[test]
fn noise_makes_neither_plateaus_nor_dips_nor_drift() {
    let mut trends = 0;
    for seed in 0..100 {
        let report = judged(&closed_loop(seed, 600, 32.0, 4.0, 0.2, 0.5));
        trends += usize::from(report.rate_drift.is_some() || report.latency_drift.is_some());
        trends += usize::from(report.warm_up.is_some());
        assert_eq!(report.fence, None, "seed {seed}");
        assert_eq!(report.dips, None, "seed {seed}");
        assert_eq!(report.plateaus, [], "seed {seed}");
        assert!(report.outstanding.unwrap().constant, "seed {seed}");
    }
    assert!(trends <= 1, "{trends} trends or beginnings in 100 logs");
}

#[test]
fn collapses_at_random_are_no_fence() {
    let mut fences = 0;
    for seed in 0..200 {
        let mut noise = Noise::new(seed);
        let seconds: Vec<Second> = (0..600)
            .map(|_| {
                if noise.even() < 0.05 {
                    at_rate(200.0, 50.0)
                } else {
                    at_rate(1000.0, 10.0)
                }
            })
            .collect();
        let report = judged(&seconds);
        assert_eq!(report.dips.as_ref().unwrap().cause, DipCause::Choked);
        fences += usize::from(report.fence.is_some());
    }
    assert!(fences <= 2, "{fences} of 200");
}

#[test]
fn a_standstill_with_ios_waiting_is_a_stall_and_one_without_is_a_pause() {
    let rows = |queue: &str| {
        let mut text = String::from("time,iops,latency_ms,queue_depth\n");
        for i in 0..60 {
            text += &match i {
                30..35 => format!("{i},0,,{queue}\n"),
                _ => format!("{i},1000,4,4\n"),
            };
        }
        csv(&text)
    };
    let stalled = analyse(&rows("4"), &Known::default()).stalls.unwrap();
    assert_eq!((stalled.longest_ms, stalled.each.len()), (5000, 1));
    assert_eq!(stalled.each[0].from_ms, 30_000);
    assert_eq!(analyse(&rows("0"), &Known::default()).stalls, None);

    // Without a queue: what finishes right behind has waited for four seconds.
    let mut seconds = vec![at_rate(1000.0, 4.0); 60];
    for second in &mut seconds[30..35] {
        *second = at_rate(0.0, 0.0);
    }
    assert_eq!(judged(&seconds).stalls, None);
    seconds[35].latency_ms = 4000.0;
    assert_eq!(judged(&seconds).stalls.unwrap().total_ms, 5000);
}

#[test]
fn a_slow_decline_is_a_drift() {
    let mut noise = Noise::new(5);
    let seconds: Vec<Second> = (0..1200)
        .map(|i| {
            let iops = (2000.0 - 0.5 * f64::from(i)) * (1.0 + 0.1 * noise.normal());
            at_rate(iops, 5.0)
        })
        .collect();
    let drift = judged(&seconds).rate_drift.unwrap();
    // 2,000 to 1,400.
    assert!((drift.change + 0.3).abs() < 0.05, "{drift:?}");
    assert_eq!(judged(&seconds).latency_drift, None);
}

#[test]
fn figures_are_weighted_by_time_and_by_ios() {
    let report = judged(&[at_rate(900.0, 1.0), at_rate(100.0, 11.0)]);
    assert_eq!(report.iops.unwrap().mean.get(), 500.0);
    // (900 x 1 + 100 x 11) / 1000
    assert_eq!(report.latency.unwrap().mean.millis(), 2.0);
}
