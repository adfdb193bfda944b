//! Disks among their peers, on generated series of described shapes.

use crate::generated::{Noise, Second, array_one, array_two, closed_loop, series};
use crate::judgement::{at_rate, judged};
use diskcap::catalog::Axis;
use diskcap::measure::series::analysis::{Concern, DipCause, DiskReport, Verdict};
use diskcap::measure::series::twins::{
    FleetMember, Peer, PeerVerdict, Reason, TwinsReport, fleet, twins,
};
use diskcap::measure::series::{DiskSeries, ReadOptions, read};
use diskcap::units::GiB;

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
