//! Logs of all kinds, read into series. The expected values were worked out by hand from the fixtures.

use std::path::PathBuf;

use diskcap::measure::series::results;
use diskcap::measure::series::{
    Aggregation, DiskSeries, GaugeKind, LatencyUnit, LogKind, Notice, ReadOptions, Series,
    SeriesError, StartTime, UnitRule, read, read_files,
};
use diskcap::units::Iops;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/series")
        .join(name)
}

fn series(names: &[&str]) -> Series {
    let files: Vec<PathBuf> = names.iter().map(|name| fixture(name)).collect();
    let mut all = read_files(&files, &ReadOptions::default()).unwrap();
    assert_eq!(all.len(), 1, "{names:?}");
    all.remove(0)
}

#[track_caller]
fn close(read: Option<f64>, expected: f64) {
    let read = read.expect("a value");
    assert!(
        (read - expected).abs() <= expected.abs() * 1e-9 + 1e-12,
        "{read} is not {expected}"
    );
}

#[track_caller]
fn total(disk: &DiskSeries, i: usize, iops: f64, mbps: f64, micros: Option<f64>) {
    close(disk.total.iops.number(i), iops);
    close(disk.total.mbps.number(i), mbps);
    match micros {
        Some(us) => close(disk.total.latency.number(i), us),
        None => assert_eq!(disk.total.latency.get(i), None),
    }
}

fn utc(text: &str) -> Option<StartTime> {
    Some(StartTime::Utc(text.parse().unwrap()))
}

#[test]
fn old_iostat_with_stamps_and_an_average_since_boot() {
    let series = series(&["iostat-old-timestamps.txt"]);
    let [sda, sdb] = series.disks.as_slice() else {
        panic!("{:?}", series.disks)
    };
    assert_eq!(sda.host.as_deref(), Some("dbhost"));
    assert_eq!(sda.end_ms, [5000, 10_000]);
    let quarter_past = "2024-03-14T10:15:00".parse().unwrap();
    assert_eq!(sda.start, Some(StartTime::Local(quarter_past)));
    total(sda, 0, 400.0, 3.2768, Some(4000.0));
    total(sda, 1, 200.0, 2.4576, Some(2000.0));
    close(sda.read.latency.number(0), 2000.0);
    close(sda.queue_depth.number(0), 1.6);
    close(sda.gauge(GaugeKind::Busy).unwrap().number(0), 80.0);
    total(sdb, 0, 0.0, 0.0, None);
    total(sdb, 1, 5.0, 0.04096, Some(1000.0));
    assert_eq!(series.notices, [Notice::SinceBootLeftOut { blocks: 1 }]);
}

#[test]
fn new_iostat_in_mebibytes_with_decimal_commas_and_a_counter_that_ran_over() {
    let series = series(&["iostat-12-comma.txt"]);
    let [disk] = series.disks.as_slice() else {
        panic!("{:?}", series.disks)
    };
    assert_eq!(disk.name, "nvme0n1");
    assert_eq!(disk.end_ms, [1000]);
    // (900.5 x 0.5 + 100 x 1.5) / 1000.5 ms
    total(disk, 0, 1000.5, 3.145_728, Some(600.25 / 1000.5 * 1000.0));
    assert_eq!(disk.quality.resets, 1);
    assert!(
        series
            .notices
            .contains(&Notice::CountersReset { samples: 1 })
    );
}

#[test]
fn iostat_without_times_and_with_torn_lines() {
    let series = series(&["iostat-plain-no-times.txt"]);
    assert_eq!(series.disks.len(), 1);
    total(&series.disks[0], 0, 50.0, 1.024, None);
    assert_eq!(series.disks[0].interval_ms, 1000);
    assert!(
        series
            .notices
            .contains(&Notice::IntervalAssumed { ms: 1000 })
    );
    assert!(
        series
            .notices
            .contains(&Notice::MalformedLines { count: 2, first: 8 })
    );
    let told = ReadOptions {
        interval_ms: Some(30_000),
        first_block_counts: true,
        ..ReadOptions::default()
    };
    let told = read_files(&[fixture("iostat-plain-no-times.txt")], &told).unwrap();
    assert_eq!(told[0].disks[0].end_ms, [30_000, 60_000]);
    close(told[0].disks[0].total.iops.number(0), 9.0);
}

#[test]
fn iostat_for_people_in_several_tables_with_units_behind_the_figures() {
    let series = series(&["iostat-12-pretty.txt"]);
    let [vda, vdb] = series.disks.as_slice() else {
        panic!("{:?}", series.disks)
    };
    assert_eq!(
        (vda.end_ms.as_slice(), vda.interval_ms),
        (&[2000][..], 2000)
    );
    // 300 x 5.1 KiB, which says more than 1.5 MiB, and 800 KiB a second; (300 x 2 + 100 x 6) / 400 ms.
    total(vda, 0, 400.0, (1530.0 + 800.0) * 1024.0 / 1e6, Some(3000.0));
    close(vda.queue_depth.number(0), 1.2);
    close(vda.gauge(GaugeKind::Busy).unwrap().number(0), 61.0);
    total(vdb, 0, 7.0, 0.028_672, Some(1000.0));
    assert_eq!(series.notices, [Notice::SinceBootLeftOut { blocks: 1 }]);
}

#[test]
fn iostat_json_report_by_report_and_cut_short() {
    let series = series(&["iostat-11.json"]);
    let [vdb, vdc] = series.disks.as_slice() else {
        panic!("{:?}", series.disks)
    };
    assert_eq!(vdb.host.as_deref(), Some("n1"));
    assert_eq!(vdb.interval_ms, 10_000);
    total(vdb, 0, 500.0, 4.9152, Some(1000.0));
    total(vdb, 1, 300.0, 2.4576, Some(500.0));
    assert_eq!(vdc.len(), 1);

    let text = std::fs::read_to_string(fixture("iostat-11.json")).unwrap();
    let cut = text.find("10:00:20").unwrap();
    let cut = read(
        "iostat.json",
        &text.as_bytes()[..cut],
        &ReadOptions::default(),
    )
    .unwrap();
    assert!(cut.notices.contains(&Notice::CutShort));
    total(&cut.disks[0], 0, 500.0, 4.9152, Some(1000.0));
}

#[test]
fn perfmon_in_german_with_its_time_zone() {
    let series = series(&["perfmon-german.csv"]);
    let [disk] = series.disks.as_slice() else {
        panic!("{:?}", series.disks)
    };
    assert_eq!(
        (disk.name.as_str(), disk.host.as_deref()),
        ("0 C:", Some("SQL01"))
    );
    assert_eq!(disk.start, utc("2024-03-14T09:00:00Z"));
    assert_eq!(disk.end_ms, [15_000, 30_000]);
    total(disk, 0, 250.0, 2.4576, Some(2000.0));
    total(disk, 1, 200.0, 1.6384, Some(3000.0));
    close(disk.queue_depth.number(0), 3.0);
    assert_eq!(series.notices, [Notice::LogicalDisksLeftOut]);

    let logical = ReadOptions {
        disks: vec!["c:".to_owned()],
        ..ReadOptions::default()
    };
    let logical = read_files(&[fixture("perfmon-german.csv")], &logical).unwrap();
    assert_eq!(logical[0].disks[0].name, "C:");
    close(logical[0].disks[0].read.iops.number(0), 200.0);
}

#[test]
fn perfmon_on_old_code_pages() {
    let text = std::fs::read_to_string(fixture("perfmon-german.csv")).unwrap();
    let western: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let series = read("x.csv", western.as_slice(), &ReadOptions::default()).unwrap();
    total(&series.disks[0], 0, 250.0, 2.4576, Some(2000.0));

    let japanese = "\"(PDH-CSV 4.0)\",\"\\\\H\\物理ディスク(0 C:)\\ディスク読み取り/秒\"\r\n\
                    \"01/01/2024 00:00:00.000\",\"5\"\r\n\"01/01/2024 00:00:01.000\",\"6\"\r\n";
    let (bytes, _, _) = encoding_rs::SHIFT_JIS.encode(japanese);
    let series = read("x.csv", &bytes[..], &ReadOptions::default()).unwrap();
    assert_eq!(series.disks[0].read.iops.numbers(2), [5.0, 6.0]);
}

#[test]
fn perfmon_in_a_language_that_is_not_known() {
    let series = series(&["perfmon-unknown-language.csv"]);
    let disk = &series.disks[0];
    assert_eq!((disk.name.as_str(), disk.interval_ms), ("1 E:", 10_000));
    total(disk, 0, 300.0, 3.0, Some(3000.0));
    total(disk, 1, 500.0, 4.0, Some(1000.0));
    close(disk.queue_depth.number(0), 0.9);
    close(disk.gauge(GaugeKind::Busy).unwrap().number(1), 3.0);
    assert!(
        series
            .notices
            .iter()
            .any(|n| matches!(n, Notice::CountersByPosition { .. }))
    );
}

#[test]
fn azure_monitor_of_one_vm_split_by_lun() {
    let series = series(&["azure-one-resource.json"]);
    let [zero, one] = series.disks.as_slice() else {
        panic!("{:?}", series.disks)
    };
    assert_eq!(
        (zero.name.as_str(), zero.host.as_deref()),
        ("LUN 0", Some("sql-a"))
    );
    assert_eq!(zero.start, utc("2024-03-14T10:00:00Z"));
    assert_eq!(zero.end_ms, [60_000, 120_000]);
    total(zero, 0, 100.0, 1.0, Some(2000.0));
    total(zero, 1, 300.0, 2.0, Some(6000.0));
    assert_eq!(zero.caps[0].limits.iops, Some(Iops::whole(500)));
    close(zero.gauge(GaugeKind::IopsConsumed).unwrap().number(1), 60.0);
    assert_eq!(one.total.iops.numbers(3), [7.0, 8.0, 9.0]);
    assert!(
        series
            .notices
            .iter()
            .any(|n| matches!(n, Notice::NotARate { metric, aggregation }
            if metric == "Data Disk Write Operations/Sec" && aggregation == "count"))
    );
}

#[test]
fn azure_monitor_of_several_vms_whose_values_are_peaks() {
    let series = series(&["azure-batch.json"]);
    let names: Vec<&str> = series.disks.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["vm-a OS disk", "vm-b OS disk"]);
    assert!(
        series
            .disks
            .iter()
            .all(|d| d.aggregation == Aggregation::Maximum)
    );
    assert_eq!(series.disks[0].interval_ms, 300_000);
    assert_eq!(series.disks[0].total.iops.numbers(2), [40.0, 60.0]);
    assert_eq!(
        series.notices,
        [Notice::Extremes {
            aggregation: Aggregation::Maximum
        }]
    );
}

#[test]
fn events_of_metricbeat_one_a_line() {
    let series = series(&["metricbeat.ndjson"]);
    let [os] = series.disks.as_slice() else {
        panic!("{:?}", series.disks)
    };
    assert_eq!(
        (os.name.as_str(), os.host.as_deref()),
        ("OS disk", Some("vm-c"))
    );
    assert_eq!(os.total.iops.numbers(2), [10.0, 10.0]);
    assert_eq!(os.queue_depth.numbers(2), [0.5, 0.2]);
    assert_eq!(series.notices, [Notice::TotalLeftOut]);
}

#[test]
fn fio_logs_of_one_job_are_put_together() {
    let series = series(&[
        "fio/pair_iops.1.log",
        "fio/pair_bw.1.log",
        "fio/pair_lat.1.log",
    ]);
    let [disk] = series.disks.as_slice() else {
        panic!("{:?}", series.disks)
    };
    assert_eq!(disk.name, "pair");
    assert_eq!(disk.end_ms, [500, 1000, 1500, 2000]);
    total(disk, 0, 400.0, 1.6384, Some(4000.0));
    total(disk, 1, 400.0, 1.6384, Some(6000.0));
    // A window without any I/O has no line: its rates are 0, its latency is not said.
    total(disk, 2, 0.0, 0.0, None);
    total(disk, 3, 400.0, 1.6384, Some(5000.0));
    assert_eq!(
        series.notices,
        [Notice::FioLatencyUnit {
            unit: LatencyUnit::Nanoseconds,
            by: UnitRule::Outstanding
        }]
    );
}

#[test]
fn fio_logs_of_single_ios_make_rates_and_percentiles() {
    let series = series(&["fio/single_clat.2.log"]);
    let disk = &series.disks[0];
    assert_eq!(disk.name, "single.2");
    assert_eq!(disk.end_ms, [1000, 2000, 3000]);
    total(disk, 0, 3.0, 0.016_384, Some(5e3 / 3.0));
    total(disk, 1, 0.0, 0.0, None);
    // One in the 501 ms that the log goes on for.
    close(disk.total.iops.number(2), 2.0);
    close(disk.latency_max.number(0), 3000.0);
    let p50 = disk.io_latency[0];
    assert_eq!(p50.percent, 50.0);
    assert!(
        (p50.latency.micros() / 1000.0 - 1.0).abs() < 0.02,
        "{p50:?}"
    );
    assert!(
        series
            .notices
            .contains(&Notice::TrimsLeftOut { samples: 1 })
    );
    assert!(series.notices.contains(&Notice::CompletionLatency));
}

#[test]
fn fio_logs_with_mean_and_highest_value() {
    let series = series(&["fio/both_lat.1.log"]);
    for (i, micros) in [5.0, 6.0, 7.0].into_iter().enumerate() {
        close(series.disks[0].total.latency.number(i), micros);
    }
}

#[test]
fn the_unit_of_fio_2_is_told_by_the_iops_or_by_the_user() {
    let lat = b"1000, 4000, 0, 0\n2000, 4000, 0, 0\n3000, 4000, 0, 0\n";
    let iops = b"1000, 250, 0, 0\n2000, 250, 0, 0\n3000, 250, 0, 0\n";
    let folder = tempfile::tempdir().unwrap();
    let paths = [("j_lat.1.log", &lat[..]), ("j_iops.1.log", &iops[..])].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    });
    // 250 IOPS at 4,000 us keep one I/O going; at 4,000 ns it would be a thousandth of one.
    let both = read_files(&paths, &ReadOptions::default()).unwrap();
    close(both[0].disks[0].total.latency.number(0), 4000.0);
    let alone = read("j_lat.1.log", &lat[..], &ReadOptions::default()).unwrap();
    close(alone.disks[0].total.latency.number(0), 4.0);
    let told = ReadOptions {
        fio_latency: Some(LatencyUnit::Microseconds),
        ..ReadOptions::default()
    };
    let told = read("j_lat.1.log", &lat[..], &told).unwrap();
    close(told.disks[0].total.latency.number(0), 4000.0);
}

#[test]
fn times_since_1970_become_a_start() {
    let log = "1710410401000, 5, 0, 0\n1710410402000, 6, 0, 0\n";
    let series = read("e_iops.log", log.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(series.disks[0].end_ms, [1000, 2000]);
    assert_eq!(series.disks[0].start, utc("2024-03-14T10:00:00Z"));
}

#[test]
fn errors_name_the_input_and_what_would_be_right() {
    let message = |name: &str, text: &str, options: &ReadOptions| {
        read(name, text.as_bytes(), options)
            .unwrap_err()
            .to_string()
    };
    let default = ReadOptions::default();
    let unknown = message("notes.txt", "hello\n", &default);
    assert!(
        unknown.contains("'notes.txt'") && unknown.contains("iostat"),
        "{unknown}"
    );
    let kind = message("x.log", "1000, 5, 0, 0\n2000, 6, 0, 0\n", &default);
    assert!(kind.contains("_iops"), "{kind}");
    let other = ReadOptions {
        disks: vec!["sdz".to_owned()],
        ..ReadOptions::default()
    };
    let text = std::fs::read_to_string(fixture("iostat-old-timestamps.txt")).unwrap();
    let missing = message("io.txt", &text, &other);
    assert!(
        missing.contains("sdz") && missing.contains("sda, sdb"),
        "{missing}"
    );
    let gone = read_files(&["no/such/file.log"], &default).unwrap_err();
    assert!(matches!(&gone, SeriesError::Io { name, .. } if name == "no/such/file.log"));
}

#[test]
fn a_fio_log_with_another_name_is_read_when_its_kind_is_told() {
    let told = ReadOptions {
        fio_kind: Some(LogKind::Iops),
        ..ReadOptions::default()
    };
    let series = read("x.txt", &b"1000, 5, 0, 0\n2000, 6, 0, 0\n"[..], &told).unwrap();
    assert_eq!(series.disks[0].total.iops.numbers(2), [5.0, 6.0]);
}

#[test]
fn counters_summed_up_as_results() {
    let text = std::fs::read_to_string(fixture("iostat-old-timestamps.txt")).unwrap();
    assert!(results::iostat_text::sniff(&text));
    let runs = results::iostat_text::parse(&text).unwrap();
    let run = &runs[0];
    assert_eq!(run.host.as_deref(), Some("dbhost"));
    assert_eq!(run.os.as_deref(), Some("Linux 3.10.0-957.el7.x86_64"));
    let mean = &run.tests[0];
    assert_eq!(mean.name, "sda, mean");
    // 400 and 200 IOPS for 5 s each: 3,000 I/Os; latency (2000 x 4 + 1000 x 2) / 3000 ms.
    close(mean.iops.map(Iops::get), 300.0);
    assert_eq!(mean.io_count, Some(3000));
    close(
        mean.latency
            .as_ref()
            .and_then(|l| l.mean)
            .map(|l| l.micros()),
        1e4 / 3.0,
    );
    close(mean.kind.read_share.map(|s| s.get()), 2.0 / 3.0);
    assert_eq!(run.tests[1].name, "sda, most IOPS");
    close(run.tests[1].iops.map(Iops::get), 400.0);

    let count_only = r#"{"value":[{"name":{"value":"OS Disk Read Operations/Sec"},"timeseries":[{"data":
        [{"timeStamp":"2024-03-14T10:00:00Z","count":5.0}]}]}]}"#;
    let error = results::azure_monitor::parse(count_only)
        .unwrap_err()
        .to_string();
    assert!(error.contains("count"), "{error}");
    assert!(results::perfmon::parse("").is_err());
}

#[test]
fn fences_and_prompts_around_a_log_are_no_lines_of_it() {
    let text = "```console\nadmin@db1:~$ iostat -x 1\nLinux 6.1.0 (db1)\t2026-02-03\t_x86_64_\t(2 CPU)\n\n\
                Device r/s rMB/s rareq-sz w/s wMB/s wareq-sz %util\nsda 1.00 0.10 41.00 1.00 0.00 4.00 1.00\n\n\
                Device r/s rMB/s rareq-sz w/s wMB/s wareq-sz %util\nsda 4.00 0.02 4.00 0.00 0.00 0.00 1.00\n\
                ^C\nadmin@db1:~$\n```\n";
    let series =
        diskcap::measure::series::read("x", text.as_bytes(), &ReadOptions::default()).unwrap();
    let told = |notice: &Notice| matches!(notice, Notice::MalformedLines { .. });
    assert!(!series.notices.iter().any(told), "{:?}", series.notices);
    // 4 x 4 KiB, where 0.02 MiB are printed.
    total(&series.disks[0], 0, 4.0, 0.016_384, None);
}
