//! Constant rates and what holds them, on generated series of described shapes.

use crate::generated::{Noise, Second, series};
use crate::judgement::{at_rate, csv, judged};
use diskcap::catalog::Limits;
use diskcap::measure::series::Cap;
use diskcap::measure::series::analysis::{Hold, Known, Verdict, analyse};

fn of_caps(caps: &[Cap]) -> Known<'_> {
    Known {
        caps,
        ..Known::default()
    }
}

#[test]
fn a_plateau_sits_on_the_cap_that_is_near() {
    // A minute at burst, nine minutes throttled with 32 outstanding, both with 1 % noise.
    let mut noise = Noise::new(3);
    let seconds: Vec<Second> = (0..600)
        .map(|i| {
            let iops = if i < 60 { 3500.0 } else { 500.0 } * (1.0 + 0.01 * noise.normal());
            at_rate(iops, 32.0 / iops * 1e3)
        })
        .collect();
    let caps = [
        Cap {
            kind: diskcap::measure::series::CapKind::One,
            in_burst: true,
            name: "P10 burst".to_owned(),
            limits: Limits::whole(3500, 170),
        },
        Cap {
            kind: diskcap::measure::series::CapKind::One,
            in_burst: false,
            name: "P10".to_owned(),
            limits: Limits::whole(500, 100),
        },
        Cap {
            kind: diskcap::measure::series::CapKind::One,
            in_burst: false,
            name: "VM uncached".to_owned(),
            limits: Limits::whole(3200, 48),
        },
    ];
    let report = analyse(&series("d", &seconds), &of_caps(&caps));
    let held: Vec<(&str, i64)> = report
        .plateaus
        .iter()
        .map(|p| match &p.hold {
            Hold::Cap { name, .. } => (name.as_str(), (p.share.get() * 100.0).round() as i64),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(held, [("P10 burst", 10), ("P10", 90)]);
    let warm_up = report.warm_up.unwrap();
    assert_eq!(warm_up.length_ms, 60_000);
    assert!((warm_up.ratio - 7.0).abs() < 0.2, "{warm_up:?}");
    // The fall from burst to base is no dip: it does not come back.
    assert_eq!(report.dips, None);

    let unnamed = judged(&seconds);
    assert_eq!(unnamed.plateaus[1].hold, Hold::UnknownLimit);
    assert!((unnamed.plateaus[1].level / 500.0 - 1.0).abs() < 0.01);
}

#[test]
fn a_constant_load_is_no_throttle() {
    let seconds: Vec<Second> = (0..300)
        .map(|i| at_rate(100.0 + f64::from(i % 3), 2.0))
        .collect();
    let report = judged(&seconds);
    assert_eq!(report.plateaus[0].hold, Hold::Load);
    assert_eq!(report.verdicts, [Verdict::Steady]);
}

/// A rate that scatters by 8 % about a mean is at no limit, near one or not: 1 log of 100 may look so by chance.
#[test]
fn scattered_rates_make_no_plateaus() {
    let cap = Cap {
        kind: diskcap::measure::series::CapKind::One,
        in_burst: false,
        name: "P30".to_owned(),
        limits: Limits::whole(5000, 200),
    };
    for count in [120, 300, 1000] {
        for lognormal in [true, false] {
            let mut found = 0;
            for seed in 0..100 {
                let mut noise = Noise::new(seed);
                let seconds: Vec<Second> = (0..count)
                    .map(|_| {
                        let off = 0.08 * noise.normal();
                        let iops = 5000.0 * if lognormal { off.exp() } else { 1.0 + off };
                        at_rate(iops, 32.0 / iops * 1e3)
                    })
                    .collect();
                let known = of_caps(std::slice::from_ref(&cap));
                let report = analyse(&series("d", &seconds), &known);
                found += usize::from(!report.plateaus.is_empty());
            }
            assert!(found <= 1, "{found} of 100, {count} samples, {lognormal}");
        }
    }
}

/// A load that is at its limit for 30 % of the time, in one go or now and then, with up to 2 % of jitter below it.
#[test]
fn a_rate_at_its_limit_is_found() {
    for jitter in [0.01, 0.02] {
        for in_one_go in [true, false] {
            let mut found = 0;
            for seed in 0..100 {
                let mut noise = Noise::new(seed);
                let seconds: Vec<Second> = (0..300)
                    .map(|i| {
                        let held = match in_one_go {
                            true => (100..190).contains(&i),
                            false => noise.even() < 0.3,
                        };
                        let part = match held {
                            true => 1.0 - jitter * noise.even(),
                            false => 0.3 + 0.6 * noise.even(),
                        };
                        at_rate(5000.0 * part, 32.0 / part / 5.0)
                    })
                    .collect();
                let plateaus = judged(&seconds).plateaus;
                found += usize::from(plateaus.iter().any(|p| {
                    (p.level / 5000.0 - 1.0).abs() < 0.03 && (0.2..0.5).contains(&p.share.get())
                }));
            }
            assert!(found >= 99, "{found} of 100, jitter {jitter}, {in_one_go}");
        }
    }
}

/// Levels near each other, on both axes: no moment is counted twice.
#[test]
fn shares_of_plateaus_never_add_up_to_more_than_all() {
    for seed in 0..200 {
        let mut noise = Noise::new(seed);
        let (mut level, mut jitter) = (1000.0, 0.0);
        let mut text = String::from("time,iops,mbps\n");
        for i in 0..400 {
            if i % 25 == 0 {
                level = 1000.0 * (1.0 + 0.3 * noise.even());
                jitter = 0.05 * noise.even();
            }
            let iops = level * (1.0 + jitter * noise.normal());
            let mbps = 100.0 * (1.0 + 0.06 * f64::from(i / 40 % 3)) * (1.0 + 0.01 * noise.even());
            text += &format!(
                "2026-11-30T10:{:02}:{:02}Z,{iops:.1},{mbps:.2}\n",
                i / 60,
                i % 60
            );
        }
        let plateaus = analyse(&csv(&text), &Known::default()).plateaus;
        let all: f64 = plateaus.iter().map(|p| p.share.get()).sum();
        assert!(all <= 1.0 + 1e-9, "seed {seed}: {all}");
        let mut spans: Vec<_> = plateaus.iter().flat_map(|p| p.spans.clone()).collect();
        spans.sort_unstable();
        assert!(spans.windows(2).all(|w| w[0].1 <= w[1].0), "seed {seed}");
    }
}

/// A mean of 3,200 with 1 or 2 % of noise to both sides and some nine I/Os at a time: no limit is to be seen, in any log.
#[test]
fn a_rate_that_is_merely_even_shows_no_limit() {
    for deviation in [0.01, 0.02] {
        for seed in 0..12 {
            let mut noise = Noise::new(seed);
            let seconds: Vec<Second> = (0..600)
                .map(|_| {
                    let iops = 3200.0 * (1.0 + deviation * noise.normal());
                    at_rate(iops, 2.9 * (1.0 + 0.07 * noise.normal()))
                })
                .collect();
            let report = judged(&seconds);
            assert_eq!(
                report.verdicts,
                [Verdict::Steady],
                "{deviation}, seed {seed}"
            );
            assert!(!report.plateaus.iter().any(|p| p.is_shown()));
        }
    }
}

/// The level at which a limit that nobody named holds 32 outstanding I/Os.
fn held_at(seconds: &[Second]) -> Vec<i64> {
    let verdicts = judged(seconds).verdicts;
    let held = verdicts.iter().filter_map(|verdict| match verdict {
        Verdict::Throttled(plateau) if plateau.hold == Hold::UnknownLimit => Some(plateau.level),
        _ => None,
    });
    held.map(|level| (level / 100.0).round() as i64 * 100)
        .collect()
}

#[test]
fn rates_that_pile_up_show_a_limit_that_nobody_named() {
    let mut noise = Noise::new(5);
    let mut noisy = |rate: f64, deviation: f64| {
        let iops = rate * (1.0 + deviation * noise.normal());
        at_rate(iops, 32.0 / iops * 1e3)
    };
    // Asked for more than 5,000 for most of the time, for 4,000 now and then.
    let piled: Vec<Second> = (0..600)
        .map(|i| noisy(if i % 8 == 0 { 4000.0 } else { 5000.0 }, 0.005))
        .collect();
    assert_eq!(held_at(&piled), [5000]);
    // A limit in burst, then the one without.
    let levels: Vec<Second> = (0..600)
        .map(|i| noisy(if i < 400 { 7500.0 } else { 6400.0 }, 0.005))
        .collect();
    assert_eq!(held_at(&levels), [7500, 6400]);
}

#[test]
fn the_time_at_a_rate_is_that_of_the_samples_at_it() {
    let seconds: Vec<Second> = (0..100)
        .map(|i| at_rate(if i == 50 { 12.0 } else { 30.0 }, 2.0))
        .collect();
    let plateaus = judged(&seconds).plateaus;
    assert_eq!(plateaus.len(), 1);
    // 99 samples of 100; 50 in a row before the one that is off, 49 behind it.
    assert!((plateaus[0].share.get() - 0.99).abs() < 1e-9);
    assert_eq!(plateaus[0].longest_ms, 50_000);
}
