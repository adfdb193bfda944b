//! sysbench fileio.

use diskcap::measure::error::ParseError;
use diskcap::measure::sysbench;
use diskcap::units::BlockSize;

use crate::{iops, mbps, mean_ms, near, percentile_ms, read, share};

#[test]
fn sysbench_counts_in_powers_of_two() {
    let runs = read(sysbench::parse, "sysbench-0.4-rndwr-two-runs.txt");
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0].version.as_deref(), Some("0.4.12"));
    // 18,000 writes of 16 KiB in 60 s: 300 a second, 4.9152 MB/s (the report says 4.6875 "Mb").
    let [one] = runs[0].tests.as_slice() else {
        panic!("{} tests", runs[0].tests.len());
    };
    near(iops(one), 300.0);
    near(mbps(one), 4.9152);
    near(mean_ms(one), 3.28);
    near(percentile_ms(one, 95.0), 7.05);
    assert_eq!(one.kind.outstanding(), Some(1));
    assert!(one.notes.is_empty(), "{:?}", one.notes);
    let four = &runs[1].tests[0];
    near(iops(four), 800.0);
    assert_eq!(four.kind.outstanding(), Some(4));
}

#[test]
fn sysbench_latency_is_of_both_directions() {
    let runs = read(sysbench::parse, "sysbench-1.0-rndrw.txt");
    let [read, write, sum] = runs[0].tests.as_slice() else {
        panic!("{} tests", runs[0].tests.len());
    };
    near(iops(read), 600.0);
    near(mbps(read), 9.8304);
    near(iops(write), 400.0);
    assert_eq!((&read.latency, &write.latency), (&None, &None));
    assert_eq!(read.part_of.as_ref(), Some(&sum.name));
    near(iops(sum), 1000.0);
    near(mbps(sum), 16.384);
    near(mean_ms(sum), 0.88);
    // 0.00 ms is too short to be known, not no time.
    assert_eq!(sum.latency.as_ref().unwrap().min, None);
    assert_eq!(sum.kind.read_share, share(60));
    assert!(sum.notes.iter().any(|note| note.contains("fsync")));
    assert!(sum.notes.iter().any(|note| note.contains("page cache")));
}

#[test]
fn sysbench_1_1_in_a_quoted_mail() {
    let runs = read(sysbench::parse, "sysbench-1.1-seqrd-quoted.txt");
    let [test] = runs[0].tests.as_slice() else {
        panic!("{} tests", runs[0].tests.len());
    };
    near(mbps(test), 262.144);
    near(percentile_ms(test, 99.0), 9.5);
    assert_eq!(test.kind.block_size, Some(BlockSize::MIB_1));
}

#[test]
fn other_tests_of_sysbench_and_fio_s_reads_are_not_its_fileio() {
    let cpu = include_str!("../fixtures/measure/sysbench-cpu-only.txt");
    assert!(!sysbench::sniff(cpu));
    assert!(matches!(
        sysbench::parse(cpu),
        Err(ParseError::NoResult { .. })
    ));
    let fio = "  read: IOPS=141, BW=564KiB/s (578kB/s)(33.1MiB/60001msec)\n";
    assert!(!sysbench::sniff(fio));
    assert!(sysbench::parse(fio).is_err());
}

#[test]
fn sysbench_without_a_head_finds_its_block_size() {
    let cut = "Operations performed:  1000 reads, 0 writes, 0 Other = 1000 Total\n\
               Read 62.5Mb  Written 0b  Total transferred 62.5Mb  (31.25Mb/sec)\n  500.00 Requests/sec executed\n";
    let runs = sysbench::parse(cut).unwrap();
    let test = &runs[0].tests[0];
    // 62.5 MiB over 1,000 I/Os are 64 KiB; 1,000 I/Os at 500 a second are 2 s.
    assert_eq!(test.kind.block_size, Some(BlockSize::KIB_64));
    near(iops(test), 500.0);
    near(mbps(test), 32.768);
    assert_eq!((test.kind.queue_depth, test.kind.pattern), (None, None));
}
