//! DiskSpd, sysbench, ioping, dd, plain CSV and results matrices: whole reports with figures worked out by hand.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use diskcap::measure::error::ParseError;
use diskcap::measure::model::{Format, Run, Test};
use diskcap::measure::read::read_bytes;
use diskcap::measure::{csv, dd, diskspd, ioping, matrix, sysbench};
use diskcap::units::{BlockSize, Share};
use diskcap::workload::Pattern;
use proptest::prelude::*;

type Parse = fn(&str) -> Result<Vec<Run>, ParseError>;

/// A parser with its sniffer and a report that it reads.
struct Case {
    name: &'static str,
    sniff: fn(&str) -> bool,
    parse: Parse,
    report: &'static str,
}

macro_rules! case {
    ($($parser:ident)::+, $file:literal) => {
        Case {
            name: stringify!($($parser)::+),
            sniff: $($parser)::+::sniff,
            parse: $($parser)::+::parse,
            report: include_str!(concat!("fixtures/measure/", $file)),
        }
    };
}

const CASES: &[Case] = &[
    case!(diskspd::text, "diskspd-2.0-mix-two-targets.txt"),
    case!(diskspd::text, "diskspd-2.2-two-time-spans.txt"),
    case!(diskspd::text, "diskspd-2.0-fragment-read-only-tables.txt"),
    case!(diskspd::xml, "diskspd-2.1-mix-latency.xml"),
    case!(sysbench, "sysbench-0.4-rndwr-two-runs.txt"),
    case!(sysbench, "sysbench-1.0-rndrw.txt"),
    case!(sysbench, "sysbench-1.1-seqrd-quoted.txt"),
    case!(ioping, "ioping-several.txt"),
    case!(dd, "dd-languages.txt"),
    case!(dd, "dd-progress.txt"),
    case!(csv, "plain-comma.csv"),
    case!(csv, "plain-semicolon.csv"),
    case!(matrix, "matrix-aligned.txt"),
    case!(matrix, "matrix-markdown.md"),
];

fn read(parse: Parse, file: &str) -> Vec<Run> {
    let path = format!(
        "{}/tests/fixtures/measure/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn iops(test: &Test) -> f64 {
    test.iops.unwrap().get()
}

fn mbps(test: &Test) -> f64 {
    test.mbps.unwrap().get()
}

fn mean_ms(test: &Test) -> f64 {
    test.latency.as_ref().unwrap().mean.unwrap().millis()
}

fn percentile_ms(test: &Test, percent: f64) -> f64 {
    let percentiles = &test.latency.as_ref().unwrap().percentiles;
    let found = percentiles.iter().find(|p| p.percent == percent).unwrap();
    found.latency.millis()
}

fn near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-9 * expected.abs(),
        "{found} is not {expected}"
    );
}

fn share(percent: u8) -> Option<Share> {
    Some(Share::percent(percent))
}

#[test]
fn every_report_is_known_by_its_own_sniffer_alone() {
    for case in CASES {
        for other in CASES {
            let own = other.name == case.name;
            assert_eq!(
                (other.sniff)(case.report),
                own,
                "{}: {:.60}",
                other.name,
                case.report
            );
        }
    }
}

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
    let cpu = include_str!("fixtures/measure/sysbench-cpu-only.txt");
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

#[test]
fn ioping_old_new_and_cut_off() {
    let runs = read(ioping::parse, "ioping-several.txt");
    let [old, new, cut] = runs.as_slice() else {
        panic!("{} runs", runs.len());
    };
    let test = &old.tests[0];
    near(iops(test), 1000.0);
    near(mbps(test), 3.9 * 1.048_576);
    near(mean_ms(test), 1.0);
    assert_eq!(test.kind.read_share, share(100));
    assert_eq!(test.kind.block_size, Some(BlockSize::KIB_4));
    assert_eq!(old.target.as_deref(), Some("/srv"));

    let test = &new.tests[0];
    near(iops(test), 400.0);
    near(mean_ms(test), 2.5);
    assert_eq!(test.kind.read_share, share(0));
    assert_eq!((test.io_count, test.seconds), (Some(10), Some(10.0)));

    // 200, 600 and 1,600 us; the warm-up does not count.
    let test = &cut.tests[0];
    near(mean_ms(test), 0.8);
    near(iops(test), 1250.0);
    assert_eq!(test.kind.block_size.map(BlockSize::bytes), Some(16_384));
    assert_eq!(cut.target.as_deref(), Some("/dev/vdc"));
}

#[test]
fn ioping_sequential_is_told_by_its_flag_alone() {
    let statistics = "--- /dev/sda (device 465.8 GiB) ioping statistics ---\n\
                      800 requests completed in 3000.0 ms, 280 iops, 70.0 MiB/s\nmin/avg/max/mdev = 2.0/3.6/28.9/2.0 ms\n";
    let alone = &ioping::parse(statistics).unwrap()[0].tests[0];
    assert_eq!(alone.kind.block_size.map(BlockSize::bytes), Some(262_144));
    assert_eq!((alone.kind.pattern, alone.kind.read_share), (None, None));
    let told = format!("$ ioping -RL /dev/sda\n{statistics}");
    let told = &ioping::parse(&told).unwrap()[0].tests[0];
    assert_eq!(told.kind.pattern, Some(Pattern::Sequential));
    assert_eq!(told.kind.read_share, share(100));
}

#[test]
fn dd_in_many_languages() {
    let runs = read(dd::parse, "dd-languages.txt");
    let rates: Vec<f64> = runs.iter().map(|run| mbps(&run.tests[0])).collect();
    // 536,870,912 bytes in 4, 0.5, 10, 8, 20 and 16 s.
    let expected = [
        134.217_728,
        1_073.741_824,
        53.687_091_2,
        67.108_864,
        26.843_545_6,
        33.554_432,
    ];
    assert_eq!(rates.len(), expected.len());
    for (rate, expected) in rates.into_iter().zip(expected) {
        near(rate, expected);
    }
    let direct = &runs[0].tests[0];
    assert_eq!(direct.kind.read_share, share(0));
    assert_eq!(direct.kind.queue_depth, Some(1));
    assert_eq!(runs[0].target.as_deref(), Some("/srv/t"));
    near(iops(direct), 128.0);
    let cached = &runs[1].tests[0];
    assert_eq!(cached.kind.read_share, share(100));
    assert_eq!(cached.kind.queue_depth, None);
    assert!(cached.notes[0].contains("page cache"));
    // 536,870,912 bytes in 4,096 full records are blocks of 128 KiB; nothing says which way they went.
    let french = &runs[2].tests[0];
    assert_eq!(french.kind.block_size.map(BlockSize::bytes), Some(131_072));
    assert_eq!(french.kind.read_share, None);
    assert_eq!(runs[4].tests[0].kind.block_size, None);
    assert_eq!(runs[4].tests[0].iops, None);
}

#[test]
fn dd_s_progress_is_not_a_result() {
    let runs = read(dd::parse, "dd-progress.txt");
    assert_eq!(runs.len(), 1);
    let test = &runs[0].tests[0];
    assert_eq!(test.seconds, Some(20.982));
    assert_eq!(test.kind.block_size.map(BlockSize::bytes), Some(4 << 20));
    assert_eq!(test.io_count, Some(501));
}

#[test]
fn dd_needs_a_rate_that_agrees() {
    for text in [
        "100 bytes (1 kB) copied, 1 s, 200 MB/s",
        "0 bytes copied, 0.1 s, 0.0 kB/s",
        "moved 3 of 5, 2 s, 1 MB/s",
        "16+0 records out",
    ] {
        assert!(!dd::sniff(text), "{text}");
        assert!(dd::parse(text).is_err(), "{text}");
    }
}

#[test]
fn csv_rows_of_two_runs() {
    let runs = read(csv::parse, "plain-comma.csv");
    let [before, after] = runs.as_slice() else {
        panic!("{} runs", runs.len());
    };
    assert_eq!(
        (before.tool.as_str(), after.tool.as_str()),
        ("before", "after")
    );
    assert!(before.notes[0].contains("rack"), "{:?}", before.notes);
    let oltp = &before.tests[0];
    near(iops(oltp), 4000.0);
    // 31.25 MiB/s
    near(mbps(oltp), 32.768);
    near(mean_ms(oltp), 2.0);
    near(percentile_ms(oltp, 99.0), 9.0);
    assert_eq!(oltp.target.as_deref(), Some("/dev/sdb"));
    let log = &before.tests[1];
    // 52.4288 MB/s in blocks of 64 KiB
    near(iops(log), 800.0);
    assert_eq!(log.kind.pattern, Some(Pattern::Sequential));
    assert_eq!(log.kind.read_share, share(0));
    near(mbps(&after.tests[0]), 65.536);
}

#[test]
fn csv_with_decimal_commas() {
    let runs = read(csv::parse, "plain-semicolon.csv");
    let [mixed, read] = runs[0].tests.as_slice() else {
        panic!("{} tests", runs[0].tests.len());
    };
    near(iops(mixed), 1234.5);
    near(mbps(mixed), 1234.5 * 4096.0 / 1e6);
    near(mean_ms(mixed), 25.92);
    near(percentile_ms(mixed, 99.9), 80.5);
    assert_eq!(mixed.kind.read_share, share(70));
    assert_eq!(
        (mixed.kind.queue_depth, mixed.kind.threads),
        (Some(8), Some(4))
    );
    near(iops(read), 100.0);
    assert_eq!(read.kind.read_share, share(100));
}

#[test]
fn csv_errors_name_line_and_column() {
    let wrong = "notes first\ntest,iops,mbps\na,5,1\nb,12x,3\n";
    let error = csv::parse(wrong).unwrap_err();
    assert!(
        matches!(error, ParseError::Malformed { line: 4, .. }),
        "{error:?}"
    );
    let text = error.to_string();
    assert!(
        text.contains("column 2 ('iops')") && text.contains("12x"),
        "{text}"
    );
    let extra = csv::parse("test,iops,mbps\na,5,1,7\n")
        .unwrap_err()
        .to_string();
    assert!(extra.contains("line 2") && extra.contains("'7'"), "{extra}");
    let none = csv::parse("test,iops,mbps\na,-,n/a\n").unwrap_err();
    assert!(matches!(none, ParseError::NoResult { .. }));
}

#[test]
fn csv_ends_where_text_begins_and_begins_again() {
    let text =
        "test,iops,mbps\na,5,1\n\nThat was it, all of it, really, yes.\nname\tqd\tIOPS\nb\t1\t7\n";
    let runs = csv::parse(text).unwrap();
    let names: Vec<&str> = runs
        .iter()
        .flat_map(|run| &run.tests)
        .map(|test| test.name.as_str())
        .collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn matrix_of_aligned_columns_with_sections() {
    let runs = read(matrix::parse, "matrix-aligned.txt");
    let names: Vec<&str> = runs.iter().map(|run| run.tool.as_str()).collect();
    assert_eq!(names, ["none", "through", "back"]);
    let none: Vec<(&str, f64)> = runs[0]
        .tests
        .iter()
        .map(|test| (test.name.as_str(), mbps(test)))
        .collect();
    assert_eq!(
        none,
        [
            ("SEQ1M Q8T1 read", 40.0),
            ("RND4K Q1T1 read", 0.5),
            ("SEQ1M Q8T1 write", 60.0),
            ("RND4K Q1T1 write", 1.0),
        ]
    );
    // 0.5 MB/s in blocks of 4,096 bytes
    near(iops(&runs[0].tests[1]), 122.070_312_5);
    near(mbps(&runs[2].tests[3]), 50.0);
}

#[test]
fn matrix_of_a_markdown_table_with_directions_and_units_in_its_heads() {
    let runs = read(matrix::parse, "matrix-markdown.md");
    let [old, new] = runs.as_slice() else {
        panic!("{} runs", runs.len());
    };
    assert_eq!((old.tool.as_str(), new.tool.as_str()), ("Old", "New"));
    near(mbps(&old.tests[0]), 512.5);
    assert_eq!(old.tests[0].kind.read_share, share(100));
    near(mbps(&old.tests[1]), 480.0);
    // Both figures of one cell, and no write of the second row.
    near(iops(&old.tests[2]), 48_828.0);
    assert_eq!(old.tests.len(), 3);
    // 1,000 MiB/s
    near(mbps(&new.tests[0]), 1048.576);
    assert!(old.notes.iter().any(|note| note.contains("Average")));
}

#[test]
fn matrix_pasted_in_other_ways() {
    let tabs = "\tC:\tD:\nRead\nSEQ1M Q8T1\t23,5\t79,6\nRND4K Q1T1\t0,25\t-\n";
    let runs = matrix::parse(tabs).unwrap();
    assert_eq!(runs[1].target.as_deref(), Some("D:"));
    near(mbps(&runs[0].tests[1]), 0.25);
    assert_eq!(runs[1].tests.len(), 1);

    let words = "A B\nSEQ1M Q8T1 Read 23.5 79.6\nSEQ1M Q8T1 Write 3.5 9.6\n";
    let runs = matrix::parse(words).unwrap();
    assert_eq!(runs[1].tool, "B");
    assert_eq!(runs[1].tests[1].kind.read_share, share(0));

    let headless = "Random Read 4KiB (Q= 32,T= 1)   1.5   2.5\n";
    let runs = matrix::parse(headless).unwrap();
    assert_eq!(runs[1].tool, "column 2");
    near(mbps(&runs[1].tests[0]), 2.5);

    let metrics = "| Test | MB/s | us |\n|--|--|--|\n| Write: RND4K Q8T1 | 40.96 | 800 |\n";
    let test = &matrix::parse(metrics).unwrap()[0].tests[0];
    near(iops(test), 10_000.0);
    near(mean_ms(test), 0.8);

    let iops_caption = "All in IOPS\n           A      B\nRND4K Q1T1 read   1000   2000\n";
    let test = &matrix::parse(iops_caption).unwrap()[0].tests[0];
    near(iops(test), 1000.0);
    near(mbps(test), 4.096);
}

#[test]
fn matrix_rows_that_cannot_be_placed_are_named_not_guessed() {
    let aligned = "Test  A  B  C\nSEQ1M Q8T1 read  1.0  2.0  3.0\nRND4K Q1T1 read  4.0       6.0\n";
    let runs = matrix::parse(aligned).unwrap();
    assert_eq!(runs.len(), 3);
    assert!(runs.iter().all(|run| run.tests.len() == 1));
    assert!(
        runs[0]
            .notes
            .iter()
            .any(|note| note.contains("RND4K Q1T1 read (2 cells under 3 heads)")),
        "{:?}",
        runs[0].notes
    );
    // With tabs the missing cells are known to be the last.
    let tabs = "Test\tA\tB\tC\nSEQ1M Q8T1 read\t1.0\t2.0\t3.0\nRND4K Q1T1 read\t4.0\n";
    let counts: Vec<usize> = matrix::parse(tabs)
        .unwrap()
        .iter()
        .map(|run| run.tests.len())
        .collect();
    assert_eq!(counts, [2, 1, 1]);
}

#[test]
fn a_section_ends_with_its_table() {
    let text = "[Write]\n| Test | A | B |\n| SEQ1M Q8T1 | 1 | 2 |\n\n| Test | C | D |\n| SEQ1M Q8T1 | 3 | 4 |\n";
    let runs = matrix::parse(text).unwrap();
    assert_eq!(runs[0].tests[0].kind.read_share, share(0));
    assert_eq!(runs[2].tests[0].kind.read_share, None);
}

#[test]
fn crystaldiskmark_s_own_lines_are_no_matrix() {
    let lines = "SEQ    1MiB (Q=  8, T= 1):   563.218 MB/s [    537.1 IOPS] < 14852.95 us>\n\
                 Sequential Read :   123.456 MB/s\nRandom Read 4KB (QD=32) :   271.859 MB/s [ 66371.9 IOPS]\n";
    assert!(!matrix::sniff(lines));
}

#[test]
fn results_stay_in_proportion_to_their_input() {
    let repeated: [(Parse, String); 4] = [
        (dd::parse, "8 bytes copied, 2 s, 4 B/s\n".repeat(20_000)),
        (
            csv::parse,
            format!("test,iops,mbps\n{}", "a,1,2\n".repeat(20_000)),
        ),
        (matrix::parse, "SEQ\t1\t2\t3\n".repeat(20_000)),
        (
            sysbench::parse,
            "Operations performed: 1 read\n9 Requests/sec executed\n".repeat(20_000),
        ),
    ];
    for (parse, text) in repeated {
        let runs = parse(&text).unwrap();
        let tests: usize = runs.iter().map(|run| run.tests.len()).sum();
        assert!(tests <= 8192 + text.len() / 128, "{tests} of {:.20}", text);
        let note = runs.last().unwrap().notes.last().unwrap();
        assert!(note.contains("left out"), "{note}");
    }
}

#[test]
fn other_readers_leave_these_reports_alone() {
    let formats = |text: &str| -> Vec<Format> {
        let runs = read_bytes(text.as_bytes(), "report").unwrap();
        let mut formats: Vec<Format> = runs.iter().map(|run| run.format).collect();
        formats.dedup();
        formats
    };
    let sysbench = include_str!("fixtures/measure/sysbench-1.1-seqrd-quoted.txt");
    assert_eq!(formats(sysbench), [Format::Sysbench]);
    let table = "Test                             A             B\n\
                 Random Read 4KiB (Q= 32,T= 1) :  31.010 MB/s  52.460 MB/s\n";
    assert_eq!(formats(table), [Format::Matrix]);
}

/// A report with some of its characters cut out, repeated or replaced.
fn mutated() -> impl Strategy<Value = (usize, String)> {
    let edit = (
        any::<prop::sample::Index>(),
        0_usize..40,
        0_u8..3,
        "\\PC{0,8}",
    );
    (0..CASES.len(), prop::collection::vec(edit, 1..6)).prop_map(|(case, edits)| {
        let mut text: Vec<char> = CASES[case].report.chars().collect();
        for (at, length, how, with) in edits {
            let start = at.index(text.len().max(1)).min(text.len());
            let end = (start + length).min(text.len());
            let replacement: Vec<char> = match how {
                0 => Vec::new(),
                1 => text[start..end].repeat(2),
                _ => with.chars().collect(),
            };
            text.splice(start..end, replacement);
        }
        (case, text.into_iter().collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_damaged_report_is_read_or_refused((case, text) in mutated()) {
        for case in [&CASES[case], &CASES[(case + 5) % CASES.len()]] {
            let _ = (case.sniff)(&text);
            if let Ok(runs) = (case.parse)(&text) {
                prop_assert!(runs.iter().all(|run| !run.tests.is_empty()));
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~\t\n\r|;,éÄ读（），]{0,300}") {
        for case in CASES {
            let _ = (case.sniff)(&text);
            let _ = (case.parse)(&text);
        }
    }
}

/// Real reports beside the project, where there are some: each is read, and its figures agree with each other.
#[test]
fn real_reports_beside_the_project() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/samples");
    for folder in ["diskspd", "sysbench", "ioping", "dd"] {
        let Ok(entries) = std::fs::read_dir(format!("{samples}/{folder}")) else {
            return;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let known: Vec<&Case> = CASES.iter().filter(|case| (case.sniff)(&text)).collect();
            let case = known
                .first()
                .unwrap_or_else(|| panic!("{} is not known", path.display()));
            assert!(
                known.iter().all(|other| other.name == case.name),
                "{}",
                path.display()
            );
            for test in (case.parse)(&text)
                .unwrap()
                .iter()
                .flat_map(|run| &run.tests)
            {
                let block = test.kind.block_size.unwrap().bytes_f64();
                let ratio = mbps(test) * 1e6 / (iops(test) * block);
                assert!(
                    (ratio - 1.0).abs() < 0.02,
                    "{}: {}",
                    path.display(),
                    test.name
                );
                printed_total_agrees(&text, test);
            }
        }
    }
}

/// The rate of the first total line of a DiskSpd table is that of its only test.
fn printed_total_agrees(text: &str, test: &Test) {
    let Some(total) = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("total:"))
    else {
        return;
    };
    let Some(printed) = total
        .split('|')
        .nth(3)
        .and_then(|cell| cell.trim().parse::<f64>().ok())
    else {
        return;
    };
    assert!(
        (iops(test) - printed).abs() < 0.006,
        "{} is not {printed}",
        iops(test)
    );
}
