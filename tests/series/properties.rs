//! Whatever is in a log: a series or an error, never a panic; and whatever is in a series, a judgement in its bounds.

use std::path::Path;

use diskcap::measure::series::analysis::{DiskReport, Known, analyse};
use diskcap::measure::series::results;
use diskcap::measure::series::twins::{Peer, twins};
use diskcap::measure::series::{DiskSeries, LogKind, ReadOptions, Series, read};
use proptest::prelude::*;

/// Names that lead to every reader.
const NAMES: [&str; 4] = ["x_lat.1.log", "x_bw.1.log", "x_iops.log", "x.txt"];

fn fixtures() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/series");
    let mut found = Vec::new();
    for folder in [folder.clone(), folder.join("fio")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                found.push(std::fs::read(path).unwrap());
            }
        }
    }
    assert!(found.len() > 10);
    found
}

/// Reads and judges everything that can be; what comes out has to be in its bounds.
fn exercise(bytes: &[u8]) {
    for name in NAMES {
        if let Ok(series) = read(name, bytes, &ReadOptions::default()) {
            check(&series);
        }
    }
    let told = ReadOptions {
        fio_kind: Some(LogKind::CompletionLatency),
        bin_ms: 1,
        ..ReadOptions::default()
    };
    if let Ok(series) = read("y", bytes, &told) {
        check(&series);
    }
    let text = String::from_utf8_lossy(bytes);
    let _ = results::iostat_text::parse(&text);
    let _ = results::iostat_json::parse(&text);
    let _ = results::perfmon::parse(&text);
    let _ = results::azure_monitor::parse(&text);
}

fn check(series: &Series) {
    assert!(!series.disks.is_empty());
    for notice in &series.notices {
        assert!(!notice.to_string().is_empty());
    }
    for disk in &series.disks {
        well_formed(disk);
        judged(&analyse(disk, &Known::default()));
    }
    let peers: Vec<Peer<'_>> = series
        .disks
        .iter()
        .take(8)
        .map(|disk| Peer {
            name: &disk.name,
            series: disk,
        })
        .collect();
    let report = twins(&peers);
    assert_eq!(report.peers.len(), peers.len());
    serde_json::to_string(&report).unwrap();
}

fn well_formed(disk: &DiskSeries) {
    assert!(!disk.is_empty());
    assert_eq!(disk.end_ms.len(), disk.length_ms.len());
    assert!(disk.end_ms.is_sorted(), "{:?}", disk.end_ms);
    for i in 0..disk.len() {
        for value in [
            disk.total.iops.number(i),
            disk.total.mbps.number(i),
            disk.total.latency.number(i),
            disk.outstanding(i),
        ] {
            assert!(value.is_none_or(|v| v.is_finite() && v >= 0.0), "{value:?}");
        }
        assert_ne!(disk.total.latency.number(i), Some(0.0));
    }
}

fn judged(report: &DiskReport) {
    if let Some(iops) = report.iops {
        assert!(iops.min <= iops.p50 && iops.p50 <= iops.max);
        let slack = iops.max.get() * 1e-9;
        assert!(
            iops.mean.get() >= iops.min.get() - slack && iops.mean.get() <= iops.max.get() + slack
        );
    }
    for verdict in &report.verdicts {
        assert!(!verdict.to_string().is_empty());
    }
    serde_json::to_string(report).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        exercise(&bytes);
    }

    #[test]
    fn any_text_of_numbers(text in "([0-9]{1,20}[,; .x-]{1,2}){0,200}\n?([0-9,\n ]{0,300})") {
        exercise(text.as_bytes());
    }

    #[test]
    fn broken_logs(which in 0_usize..64, cut in 0.0..1.0_f64,
                   hits in prop::collection::vec((0.0..1.0_f64, any::<u8>()), 0..12)) {
        let all = fixtures();
        let mut bytes = all[which % all.len()].clone();
        for (place, byte) in hits {
            let at = (place * (bytes.len() - 1) as f64) as usize;
            bytes[at] = byte;
        }
        bytes.truncate((cut * bytes.len() as f64) as usize + 1);
        exercise(&bytes);
    }

    #[test]
    fn any_figures(rows in prop::collection::vec(
        (prop::option::of(0.0..1e6_f64), prop::option::of(0.0..1e5_f64), prop::option::of(0.0..500.0_f64)), 1..300)) {
        let cell = |v: &Option<f64>| v.map_or_else(String::new, |v| v.to_string());
        let mut text = String::from("time,iops,latency_ms,queue_depth\n");
        for (i, (iops, latency, queue)) in rows.iter().enumerate() {
            text += &format!("{i},{},{},{}\n", cell(iops), cell(latency), cell(queue));
        }
        if let Ok(series) = read("x.csv", text.as_bytes(), &ReadOptions::default()) {
            check(&series);
        }
    }

    #[test]
    fn no_io_of_a_log_gets_lost(gaps in prop::collection::vec(0_u64..700, 10..400)) {
        // Entries of single I/Os up to a whole second, so that the last interval is whole.
        let mut time = 0;
        let mut text = String::new();
        for gap in &gaps {
            time += gap;
            text += &format!("{time}, 1000, 0, 4096, 0\n");
        }
        let end = (time / 1000 + 1) * 1000 - 1;
        text += &format!("{end}, 1000, 0, 4096, 0\n");
        let series = read("x_lat.log", text.as_bytes(), &ReadOptions::default()).unwrap();
        let disk = &series.disks[0];
        let ios: f64 = (0..disk.len()).map(|i| disk.total.iops.number(i).unwrap() * disk.seconds(i)).sum();
        prop_assert!((ios - (gaps.len() + 1) as f64).abs() < 1e-6, "{}", ios);
    }
}
