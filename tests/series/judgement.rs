//! Judgement over time and among peers, on generated series of described shapes.

use crate::generated::{Noise, Second, array_one, array_two, closed_loop, series};
use diskcap::catalog::{Axis, Limits};
use diskcap::measure::series::analysis::{
    Concern, DipCause, DiskReport, Hold, Known, Verdict, analyse,
};
use diskcap::measure::series::twins::{
    FleetMember, Peer, PeerVerdict, Reason, TwinsReport, fleet, twins,
};
use diskcap::measure::series::{Cap, DiskSeries, ReadOptions, read};
use diskcap::units::GiB;

fn judged(seconds: &[Second]) -> DiskReport {
    analyse(&series("disk", seconds), &Known::default())
}

fn of_caps(caps: &[Cap]) -> Known<'_> {
    Known {
        caps,
        ..Known::default()
    }
}

fn pair(a: &DiskSeries, b: &DiskSeries) -> TwinsReport {
    twins(&[
        Peer {
            name: "one",
            series: a,
        },
        Peer {
            name: "two",
            series: b,
        },
    ])
}

fn csv(text: &str) -> DiskSeries {
    read("x.csv", text.as_bytes(), &ReadOptions::default())
        .unwrap()
        .disks
        .remove(0)
}

#[test]
fn mirrored_arrays_the_slow_one_is_named_with_the_reason() {
    for seed in 0..100 {
        let report = pair(
            &series("one", &array_one(seed, 600)),
            &series("two", &array_two(seed + 1000, 600)),
        );
        let [one, two] = report.peers.as_slice() else {
            panic!()
        };
        assert!(!report.same_time);
        assert_eq!(one.verdict, PeerVerdict::Alike, "seed {seed}: {one}");
        assert_eq!(two.verdict, PeerVerdict::Slow, "seed {seed}: {two}");
        // Latency 4 to 8 times its twin's at two thirds of the IOPS.
        let slowness = two.slowness.unwrap();
        assert!(
            (4.0..8.0).contains(&slowness.ratio),
            "seed {seed}: {slowness:?}"
        );
        assert!(two.reasons.iter().any(|r| matches!(r,
            Reason::Rate { axis: Axis::Iops, ratio, .. } if (0.6..0.75).contains(ratio))));

        // Array two chokes, like a fence; array one is asked for less at times.
        let fence = two.report.fence.as_ref().unwrap();
        assert_eq!(fence.cause, DipCause::Choked, "seed {seed}");
        assert_eq!(fence.period_ms, 10_000, "seed {seed}");
        assert!(
            (0.25..0.35).contains(&fence.share.get()),
            "seed {seed}: {fence:?}"
        );
        assert!(
            two.reasons
                .iter()
                .any(|r| matches!(r, Reason::Chokes { .. }))
        );
        assert_eq!(
            one.report.dips.as_ref().unwrap().cause,
            DipCause::LoadFell,
            "seed {seed}"
        );
        assert!(!one.report.verdicts.iter().any(Verdict::blames_device));

        // 160 to 320 I/Os outstanding against up to 62.
        let outstanding = |p: &DiskReport| p.outstanding.unwrap().spread;
        assert!(
            outstanding(&one.report).p95 <= 64.0,
            "{:?}",
            outstanding(&one.report)
        );
        let piled = outstanding(&two.report);
        assert!(
            piled.p5 >= 155.0 && piled.p95 <= 320.0,
            "seed {seed}: {piled:?}"
        );
        assert!(
            two.reasons
                .iter()
                .any(|r| matches!(r, Reason::Outstanding { .. }))
        );

        // The mirror runs at 1,600; with the member replaced at the pace of array one.
        let mirror = report.mirror.unwrap();
        assert_eq!(mirror.slowest, "two");
        assert!(
            (mirror.iops.unwrap().get() - 1600.0).abs() < 30.0,
            "seed {seed}: {mirror}"
        );
        assert!(mirror.gain.unwrap() > 1.3, "seed {seed}: {mirror}");
    }
}

#[test]
fn noise_alone_alarms_nobody() {
    let mut alarms = 0;
    for seed in 0..100 {
        let peers: Vec<DiskSeries> = (0..4)
            .map(|i| {
                series(
                    "disk",
                    &closed_loop(seed * 10 + i, 300, 32.0, 4.0, 0.2, 0.7),
                )
            })
            .collect();
        let pair = pair(&peers[0], &peers[1]);
        let named: Vec<Peer<'_>> = peers
            .iter()
            .map(|s| Peer {
                name: "disk",
                series: s,
            })
            .collect();
        let group = twins(&named);
        alarms += usize::from(pair.suspicious().next().is_some());
        alarms += usize::from(group.suspicious().next().is_some());
    }
    assert!(alarms <= 2, "{alarms} false alarms in 200 comparisons");
}

#[test]
fn a_member_twice_as_slow_is_found() {
    let (mut in_pairs, mut in_groups) = (0, 0);
    for seed in 0..100 {
        let good: Vec<DiskSeries> = (0..3)
            .map(|i| {
                series(
                    "good",
                    &closed_loop(seed * 10 + i, 300, 32.0, 4.0, 0.2, 0.7),
                )
            })
            .collect();
        let bad = series("bad", &closed_loop(seed * 10 + 9, 300, 32.0, 8.0, 0.2, 0.7));
        let two = pair(&good[0], &bad);
        in_pairs += usize::from(
            two.peers[1].verdict == PeerVerdict::Slow && two.peers[0].verdict == PeerVerdict::Alike,
        );
        let mut peers: Vec<Peer<'_>> = good
            .iter()
            .map(|s| Peer {
                name: "good",
                series: s,
            })
            .collect();
        peers.push(Peer {
            name: "bad",
            series: &bad,
        });
        let slow: Vec<String> = twins(&peers).suspicious().map(|p| p.name.clone()).collect();
        in_groups += usize::from(slow == ["bad"]);
    }
    assert!(
        in_pairs >= 99 && in_groups >= 99,
        "{in_pairs} of 100 pairs, {in_groups} of 100 groups"
    );
}

#[test]
fn heavy_noise_alarms_nobody_either() {
    // Short logs, and latencies that vary by a factor of two from one second to the next: a single deep dip comes to
    // every disk, and makes none of two erratic.
    for (seconds, cv, memory) in [(60, 0.3, 0.0), (300, 0.3, 0.7), (300, 0.7, 0.0)] {
        let mut alarms = 0;
        for seed in 0..100 {
            let peers = [0, 1].map(|i| {
                let noise = closed_loop(seed * 10 + i, seconds, 32.0, 4.0, cv, memory);
                series("disk", &noise)
            });
            alarms += pair(&peers[0], &peers[1]).suspicious().count();
        }
        assert!(
            alarms <= 1,
            "{alarms} of 100 with {seconds} s, {cv}, {memory}"
        );
    }
}

#[test]
fn a_disk_that_chokes_again_and_again_is_erratic() {
    // As fast as its twin on the whole, but at irregular times it answers at twenty times the latency.
    let mut noise = Noise::new(11);
    let mut seconds = closed_loop(1, 600, 8.0, 1.0, 0.05, 0.3);
    for second in &mut seconds {
        if noise.even() < 0.03 {
            *second = at_rate(400.0, 20.0);
        }
    }
    let twin = series("twin", &closed_loop(2, 600, 8.0, 1.0, 0.05, 0.3));
    let report = pair(&series("choker", &seconds), &twin);
    assert_eq!(
        report.peers[0].verdict,
        PeerVerdict::Erratic,
        "{}",
        report.peers[0]
    );
    assert_eq!(report.peers[1].verdict, PeerVerdict::Alike);
}

#[test]
fn a_common_load_does_not_hide_a_difference_at_the_same_time() {
    // Latency swings by a factor of four for both, over many minutes; one is 1.5 times as slow throughout.
    let mut noise = Noise::new(7);
    let mut text = String::from("time,iops:a,latency_ms:a,iops:b,latency_ms:b\n");
    for i in 0..900 {
        let load = 2_f64.powf((f64::from(i) / 200.0 * std::f64::consts::TAU).sin());
        let (a, b) = (
            load * (1.0 + 0.1 * noise.normal()),
            1.5 * load * (1.0 + 0.1 * noise.normal()),
        );
        text += &format!("{i},1000,{a},1000,{b}\n");
    }
    let all = read("x.csv", text.as_bytes(), &ReadOptions::default()).unwrap();
    let report = pair(&all.disks[0], &all.disks[1]);
    assert!(report.same_time);
    assert_eq!(
        report.peers[1].verdict,
        PeerVerdict::Slow,
        "{}",
        report.peers[1]
    );
    let ratio = report.peers[1].slowness.unwrap().ratio;
    assert!((1.4..1.6).contains(&ratio), "{ratio}");
}

#[test]
fn who_is_asked_for_more_is_not_to_blame() {
    let idle = series("idle", &closed_loop(1, 300, 4.0, 2.0, 0.1, 0.3));
    let busy = series("busy", &closed_loop(2, 300, 16.0, 4.0, 0.1, 0.3));
    let report = pair(&idle, &busy);
    assert_eq!(report.peers[1].verdict, PeerVerdict::BusierThanOthers);
    assert_eq!(report.suspicious().count(), 0);
}

#[test]
fn too_few_samples_are_said_to_be_too_few() {
    let short = series("short", &closed_loop(1, 6, 8.0, 2.0, 0.1, 0.0));
    let other = series("other", &closed_loop(2, 6, 8.0, 9.0, 0.1, 0.0));
    let report = pair(&short, &other);
    assert!(
        report
            .peers
            .iter()
            .all(|p| p.verdict == PeerVerdict::NotEnough)
    );
    assert!(report.peers[0].to_string().contains("not enough"));
    // Each is told of itself, not of the other.
    for peer in &report.peers {
        let told = report.shortfall_of(peer).unwrap();
        assert!(told.starts_with(&format!("{} has ", peer.name)), "{told}");
    }
    let report = judged(&closed_loop(1, 6, 8.0, 2.0, 0.1, 0.0));
    assert!(
        report
            .not_judged
            .iter()
            .any(|n| n.concern == Concern::Dips && n.needed == 8)
    );
    assert_eq!(report.verdicts, []);
}

#[test]
fn a_fleet_is_compared_by_sku_and_size() {
    let fast = |seed| {
        series(
            &format!("d{seed}"),
            &closed_loop(seed, 300, 8.0, 1.0, 0.1, 0.3),
        )
    };
    let slow = |seed| {
        series(
            &format!("d{seed}"),
            &closed_loop(seed, 300, 8.0, 5.0, 0.1, 0.3),
        )
    };
    let (a, b, c, d, e) = (fast(1), fast(2), slow(3), slow(4), slow(5));
    let member = |name, sku, gib, series| FleetMember {
        name,
        sku,
        size: Some(GiB::whole(gib)),
        series,
    };
    // Slow ones are slow for a P30, and usual for an E30.
    let groups = fleet(&[
        member("a", "P30", 1024, &a),
        member("b", "p30", 1024, &b),
        member("c", "P30", 1024, &c),
        member("d", "E30", 1024, &d),
        member("e", "E30", 1024, &e),
    ]);
    let found: Vec<(&str, Vec<&str>)> = groups
        .iter()
        .map(|g| {
            (
                g.sku.as_str(),
                g.suspicious().map(|p| p.name.as_str()).collect(),
            )
        })
        .collect();
    assert_eq!(found, [("E30", vec![]), ("P30", vec!["c"])]);
}

fn at_rate(iops: f64, latency_ms: f64) -> Second {
    Second { iops, latency_ms }
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
            name: "P10 burst".to_owned(),
            limits: Limits::whole(3500, 170),
        },
        Cap {
            kind: diskcap::measure::series::CapKind::One,
            name: "P10".to_owned(),
            limits: Limits::whole(500, 100),
        },
        Cap {
            kind: diskcap::measure::series::CapKind::One,
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

/// A rate that scatters by 8 % about a mean is at no limit, near one or not: 1 log of 100 may look so by chance.
#[test]
fn scattered_rates_make_no_plateaus() {
    let cap = Cap {
        kind: diskcap::measure::series::CapKind::One,
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

/// Three writes a second at 2 ms are no measure of a disk beside 2,500 I/Os at 1 ms; one that is as slow under the load is slow.
#[test]
fn a_disk_that_is_hardly_used_is_not_called_slow() {
    let at = |seed: u64, iops: f64, ms: f64| {
        let mut noise = Noise::new(seed);
        let seconds: Vec<Second> = (0..300)
            .map(|_| at_rate(iops, ms * (1.0 + 0.05 * noise.normal())))
            .collect();
        series("x", &seconds)
    };
    for (iops, verdict) in [(3.0, PeerVerdict::HardlyUsed), (1250.0, PeerVerdict::Slow)] {
        let all = [at(1, iops, 2.0), at(2, 2500.0, 1.0), at(3, 2500.0, 1.0)];
        let peers: Vec<Peer<'_>> = (["os", "a", "b"].iter().zip(&all))
            .map(|(name, series)| Peer { name, series })
            .collect();
        let report = twins(&peers);
        assert_eq!(report.peers[0].verdict, verdict);
        assert!(
            report.peers[1..]
                .iter()
                .all(|p| p.verdict == PeerVerdict::Alike)
        );
        assert_eq!(report.asked_less.is_empty(), verdict == PeerVerdict::Slow);
    }
}
