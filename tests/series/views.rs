//! Reports of disks over time and of peers, in words and in every format.

use crate::generated::{Second, array_one, array_two, series};
use diskcap::catalog::{Catalog, Limits};
use diskcap::measure::over_time::{Input, PeersReport, Request, SeriesReport, over_time, peers};
use diskcap::measure::series::{Cap, DiskSeries, Notice, Series};
use diskcap::report::{Format, RenderOptions, Report, render};

fn table<R: Report>(report: &R) -> String {
    let options = RenderOptions {
        width: Some(400),
        ..RenderOptions::default()
    };
    String::from_utf8(render(report, Format::Table, &options).unwrap()).unwrap()
}

fn input(name: &str, disk: DiskSeries) -> Input {
    Input {
        name: Some(name.to_owned()),
        series: Series {
            disks: vec![disk],
            notices: vec![Notice::CompletionLatency],
        },
    }
}

fn arrays() -> PeersReport {
    let inputs = [
        input("one", series("array", &array_one(1, 600))),
        input("two", series("array", &array_two(2, 600))),
    ];
    peers(Catalog::embedded(), &inputs, &Request::default(), None).unwrap()
}

fn alone(disk: DiskSeries) -> SeriesReport {
    let inputs = [input("data", disk)];
    over_time(Catalog::embedded(), &inputs, &Request::default()).unwrap()
}

#[test]
fn the_slow_array_is_named_in_plain_words() {
    // Long lines are wrapped: the words are looked for as if they were not.
    let text = table(&arrays())
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for words in [
        "Peers: one deserves a look",
        "slow: replace or repair it",
        "it chokes: latency peaks exactly when the rate collapses",
        "its collapses are a fence: every 10 s",
        "the load fell: less was asked of the disk, whose I/Os took no longer",
        "mirror",
        "Completion latency (_clat): the time of submission is not in it.",
    ] {
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }
}

#[test]
fn a_plateau_is_said_with_the_limit_that_it_sits_on() {
    let flat = Second {
        iops: 497.0,
        latency_ms: 64.0,
    };
    // A limit that the log itself states.
    let mut disk = series("data", &[flat; 60]);
    disk.caps = vec![Cap {
        kind: diskcap::measure::series::CapKind::One,
        in_burst: false,
        name: "P10".to_owned(),
        limits: Limits::whole(500, 100),
    }];
    let text = table(&alone(disk));
    let words = "flat at 497 IOPS for 100 % of the time: held by P10 (99 % of that limit)";
    assert!(text.contains(words), "{text}");
}

#[test]
fn every_format_takes_both_reports() {
    let over_time = alone(series("one", &array_one(1, 600)));
    let peers = arrays();
    for format in Format::ALL {
        let options = RenderOptions::default();
        for bytes in [
            render(&over_time, format, &options),
            render(&peers, format, &options),
        ] {
            assert!(bytes.is_ok_and(|b| !b.is_empty()), "{format:?}");
        }
    }
    let json: serde_json::Value =
        serde_json::from_slice(&render(&peers, Format::Json, &RenderOptions::default()).unwrap())
            .unwrap();
    assert_eq!(json["schema"], "diskcap.peers/1");
    let second = &json["groups"][0]["report"]["peers"][1];
    assert_eq!(second["verdict"], "slow");
    assert!(second["slowness"]["ratio"].as_f64().unwrap() > 4.0);
}

#[test]
fn a_slow_peer_that_is_flat_at_a_limit_is_told_so() {
    // 2,301 is within 3 % of the 2,300 of a P20, and 1,850 of the limit of no disk.
    let flat = |seed: u64, level: f64| {
        let mut noise = crate::generated::Noise::new(seed);
        let seconds: Vec<Second> = (0..300)
            .map(|_| {
                let iops = level * (1.0 + 0.005 * noise.normal());
                let latency_ms = 32_000.0 / iops;
                Second { iops, latency_ms }
            })
            .collect();
        seconds
    };
    let slow = |level| {
        let inputs = [
            input("one", series("disk", &flat(1, 5000.0))),
            input("two", series("disk", &flat(2, level))),
        ];
        let found = peers(Catalog::embedded(), &inputs, &Request::default(), None).unwrap();
        let of_slow =
            |f: &&diskcap::planner::Finding| f.id == diskcap::planner::FindingId::PeerSlow;
        found.findings.iter().find(of_slow).unwrap().message.clone()
    };
    let held = slow(2301.0);
    assert!(held.starts_with("slow, as a limit makes it"), "{held}");
    assert!(
        held.contains("where the P20 is held (2,300 IOPS)"),
        "{held}"
    );
    let broken = slow(1850.0);
    assert!(broken.starts_with("slow: replace or repair it"), "{broken}");
}
