//! DiskSpd, as text and XML.

use diskcap::measure::diskspd;
use diskcap::measure::error::ParseError;
use diskcap::measure::model::Format;
use diskcap::units::BlockSize;
use diskcap::workload::Pattern;

use crate::{iops, mbps, mean_ms, near, percentile_ms, read, share};

#[test]
fn diskspd_weighs_latencies_by_their_ios() {
    let runs = read(diskspd::text::parse, "diskspd-2.0-mix-two-targets.txt");
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    assert_eq!(run.format, Format::DiskspdText);
    assert_eq!(run.host.as_deref(), Some("sqlhost7"));
    assert_eq!(run.tests.len(), 6);

    // E: 3,000 reads of 2 ms and 1,000 of 6 ms in 10 s; a plain mean of the threads would be 4 ms.
    let read = &run.tests[0];
    assert_eq!(read.target.as_deref(), Some(r"E:\io.dat"));
    assert_eq!(read.kind.pattern, Some(Pattern::Random));
    assert_eq!(read.kind.block_size, Some(BlockSize::KIB_64));
    assert_eq!(
        (read.kind.queue_depth, read.kind.threads),
        (Some(4), Some(2))
    );
    assert_eq!(read.kind.read_share, share(100));
    near(iops(read), 400.0);
    near(mbps(read), 26.2144);
    near(mean_ms(read), 3.0);
    near(percentile_ms(read, 99.9), 4.5);

    // 1,000 writes of 1 ms and 500 of 4 ms.
    let write = &run.tests[1];
    near(iops(write), 150.0);
    near(mean_ms(write), 2.0);
    near(percentile_ms(write, 50.0), 1.0);

    // Both together name their sum: 5,500 I/Os of 64 KiB.
    let sum = &run.tests[2];
    assert_eq!(sum.kind.read_share, share(75));
    assert_eq!(read.part_of.as_ref(), Some(&sum.name));
    assert_eq!(write.part_of.as_ref(), Some(&sum.name));
    assert_eq!((sum.part_of.as_ref(), sum.io_count), (None, Some(5500)));
    near(iops(sum), 550.0);
    near(mbps(sum), 36.0448);

    // F: 500 reads of 10 ms and 500 of 20 ms; its own percentiles, not those of both targets.
    let other = &run.tests[3];
    assert_eq!(other.target.as_deref(), Some(r"F:\io.dat"));
    near(iops(other), 100.0);
    near(mean_ms(other), 15.0);
    near(percentile_ms(other, 99.999_999_9), 31.0);
}

#[test]
fn diskspd_time_spans_are_tests_of_one_run_and_totals_are_not() {
    let runs = read(diskspd::text::parse, "diskspd-2.2-two-time-spans.txt");
    let [reads, writes] = runs[0].tests.as_slice() else {
        panic!("{} tests", runs[0].tests.len());
    };
    assert_eq!(reads.kind.block_size, Some(BlockSize::KIB_8));
    near(iops(reads), 500.0);
    near(mbps(reads), 4.096);
    near(mean_ms(reads), 4.0);
    assert!(reads.notes[0].contains("file cache"));

    assert_eq!(writes.kind.pattern, Some(Pattern::Sequential));
    assert_eq!(writes.kind.read_share, share(0));
    near(iops(writes), 60.0);
    near(mbps(writes), 62.914_56);
    near(mean_ms(writes), 16.0);
    assert!(writes.notes.iter().any(|note| note.contains("60 IOPS")));
    assert_ne!(reads.name, writes.name);
}

#[test]
fn diskspd_fragments_tell_time_by_their_rate_and_mb_are_mebibytes() {
    let runs = read(
        diskspd::text::parse,
        "diskspd-2.0-fragment-read-only-tables.txt",
    );
    let [local, remote] = runs[0].tests.as_slice() else {
        panic!("{} tests", runs[0].tests.len());
    };
    // 64,000 I/Os at 3,200 a second are 20 s; 200 MiB/s are 209.7 MB/s, whatever the head says.
    near(local.seconds.unwrap(), 20.0);
    near(mbps(local), 209.7152);
    assert_eq!(local.kind.block_size, Some(BlockSize::KIB_64));
    assert_eq!((local.kind.pattern, local.kind.queue_depth), (None, None));
    assert_eq!(remote.target.as_deref(), Some(r"\\nas\test\test.dat"));
    near(iops(remote), 800.0);
}

#[test]
fn diskspd_xml_adds_threads_up_and_minds_bare_ampersands() {
    let runs = read(diskspd::xml::parse, "diskspd-2.1-mix-latency.xml");
    let run = &runs[0];
    assert_eq!(run.version.as_deref(), Some("2.1"));
    assert_eq!(run.host.as_deref(), Some("APP-R&D-2"));
    let [read, write, sum] = run.tests.as_slice() else {
        panic!("{} tests", run.tests.len());
    };
    assert_eq!(read.target.as_deref(), Some(r"D:\R&D\io.dat"));
    near(iops(read), 3200.0);
    near(mbps(read), 26.2144);
    near(mean_ms(read), 1.25);
    near(percentile_ms(read, 99.9), 9.0);
    near(iops(write), 800.0);
    near(write.latency.as_ref().unwrap().max.unwrap().millis(), 30.0);
    near(iops(sum), 4000.0);
    near(mean_ms(sum), 1.7);
    assert_eq!(sum.kind.read_share, share(80));
}

#[test]
fn diskspd_without_results_says_what_was_looked_for() {
    let interrupted = "Results for timespan 1:\n***\n\nThe test was interrupted before the measurements began. No results are displayed.\n";
    let error = diskspd::text::parse(interrupted).unwrap_err();
    assert!(error.to_string().contains("I/O per s"), "{error}");
    let empty = "<Results><TimeSpan><Error>interrupted</Error></TimeSpan></Results>";
    assert!(matches!(
        diskspd::xml::parse(empty),
        Err(ParseError::NoResult { .. })
    ));
    let broken = "text\n<Results><TimeSpan></Results>";
    assert!(matches!(
        diskspd::xml::parse(broken),
        Err(ParseError::Malformed { line: 2, .. })
    ));
}
