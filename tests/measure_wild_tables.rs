//! Tables of other people's tools, read as what their heads say. Values worked out by hand.

#[path = "common/measured.rs"]
mod measured;

use diskcap::measure::model::Format;
use diskcap::workload::Pattern;

use measured::{block, error, iops, mbps, micros, runs, share, tools};

#[test]
fn named_columns_of_a_markdown_table() {
    let all = runs(
        "## Lab disk\n\n\
         | test | block size | queue depth | IOPS | Latency (ms) | Throughput (MB/s) |\n\
         |---|---|--:|--:|--:|--:|\n\
         | randread | 8K | 2 | 12,000 | 0.16 | 98.30 |\n\
         | **randwrite** | 8K | 4 | 9,000 | 0.44 | n/a |\n",
    );
    assert_eq!(tools(&all), ["Lab disk"]);
    assert_eq!(all[0].format, Format::Matrix);
    let [read, write] = all[0].tests.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!(read.kind.pattern, Some(Pattern::Random));
    assert_eq!((share(read), block(read)), (Some(1.0), Some(8192)));
    assert_eq!(
        (read.kind.queue_depth, iops(read)),
        (Some(2), Some(12_000.0))
    );
    assert_eq!((mbps(read), micros(read)), (Some(98.3), Some(160.0)));
    // 9,000 x 8,192 = 73.73 MB/s.
    assert_eq!((mbps(write), micros(write)), (Some(73.73), Some(440.0)));
}

#[test]
fn heads_of_latencies_say_their_unit_without_the_word() {
    let all = runs(
        "| Arm | IOPS | MB/s | mean µs | p50 µs | p99 ms |\n|---|---|---|---|---|---|\n\
         | 4k QD1 randread | 2,500 | 10.2 | 395 | 380 | 1.5 |\n",
    );
    assert_eq!(all.len(), 1);
    let test = &all[0].tests[0];
    assert_eq!(
        (iops(test), mbps(test), micros(test)),
        (Some(2500.0), Some(10.2), Some(395.0))
    );
    let percentiles = &test.latency.as_ref().unwrap().percentiles;
    let points: Vec<(f64, f64)> = percentiles
        .iter()
        .map(|point| (point.percent, point.latency.micros()))
        .collect();
    assert_eq!(points, [(50.0, 380.0), (99.0, 1500.0)]);
}

#[test]
fn latencies_whose_cells_say_the_unit() {
    let all = runs(
        "| Test | IOPS | mean latency |\n|---|---|---|\n| 4k QD1 randread | 2,500 | 395 us |\n",
    );
    assert_eq!(micros(&all[0].tests[0]), Some(395.0));
}

#[test]
fn shares_of_reads_are_words_too() {
    let all = runs(
        "| Access Size | Read/Write Ratio | Queue Depth | IOPS | Latency (ms) |\n|--|--|--|--|--|\n\
         | 4K | 100% Read | 1 | 5,000 | 0.19 |\n| 16K | 70% Read/30% Write | 8 | 6,000 | 1.3 |\n",
    );
    let tests = &all[0].tests;
    assert_eq!(
        (share(&tests[0]), block(&tests[0])),
        (Some(1.0), Some(4096))
    );
    assert_eq!(
        (share(&tests[1]), block(&tests[1])),
        (Some(0.7), Some(16_384))
    );
}

#[test]
fn the_heading_above_says_what_rows_do_not() {
    let all = runs(
        "### Sequential reads\n| File Size | Bandwidth in MiB/sec | IOPS(avg) | Avg Latency (msec) |\n|--|--|--|--|\n\
         | 1MB | 100 | 400 | 2.5 |\n",
    );
    let test = &all[0].tests[0];
    assert_eq!(
        (test.name.as_str(), share(test)),
        ("File Size 1MB", Some(1.0))
    );
    assert_eq!(test.kind.pattern, Some(Pattern::Sequential));
    // 100 x 1.048576; the size of the file is no block size.
    assert_eq!((mbps(test), block(test)), (Some(104.86), None));
    assert_eq!(micros(test), Some(2500.0));
}

#[test]
fn block_sizes_above_and_directions_at_the_side() {
    let all = runs(
        "# Card A\n\
         | Block Size | 4k (IOPS) | 64k (IOPS) |\n|---|---|---|\n\
         | Read | 20.48 MB/s (5000) | 65.54 MB/s (1000) |\n\
         | Randwrite | 8.19 MB/s (2000) | 32.77 MB/s (500) |\n",
    );
    assert_eq!(tools(&all), ["Card A"]);
    let tests = &all[0].tests;
    assert_eq!(tests.len(), 4);
    assert_eq!(
        (block(&tests[0]), share(&tests[0])),
        (Some(4096), Some(1.0))
    );
    assert_eq!(
        (iops(&tests[0]), mbps(&tests[0])),
        (Some(5000.0), Some(20.48))
    );
    assert_eq!(tests[0].kind.pattern, None);
    assert_eq!(tests[3].kind.pattern, Some(Pattern::Random));
    assert_eq!(
        (iops(&tests[3]), mbps(&tests[3])),
        (Some(500.0), Some(32.77))
    );
}

#[test]
fn a_total_has_its_reads_and_writes_as_parts() {
    let all = runs(
        "fio Disk Speed Tests (Mixed R/W 50/50):\n---------------------------------\n\
         Block Size | 4k            (IOPS) | 64k           (IOPS)\n\
         \u{20} ------   | ---            ----  | ----           ----\n\
         Read       | 122.88 MB/s  (30.0k) | 65.54 MB/s    (1.0k)\n\
         Write      | 40.96 MB/s   (10.0k) | 65.54 MB/s    (1.0k)\n\
         Total      | 163.84 MB/s  (40.0k) | 131.07 MB/s   (2.0k)\n\
         \u{20}          |                      |\n\
         Block Size | 512k          (IOPS) | 1m            (IOPS)\n\
         \u{20} ------   | ---            ----  | ----           ----\n\
         Read       | 52.43 MB/s     (100) | 1.05 GB/s     (1.0k)\n\
         Write      | 52.43 MB/s     (100) | 1.05 GB/s     (1.0k)\n\
         Total      | 104.86 MB/s    (200) | 2.10 GB/s     (2.0k)\n",
    );
    let tests = &all[0].tests;
    assert_eq!(tests.len(), 12);
    let named = |name: &str| tests.iter().find(|test| test.name == name).unwrap();
    let total = named("Total 4k");
    // 30,000 of 40,000 were reads.
    assert_eq!((share(total), iops(total)), (Some(0.75), Some(40_000.0)));
    assert_eq!(named("Read 4k").part_of.as_deref(), Some("Total 4k"));
    assert_eq!(named("Write 512k").part_of.as_deref(), Some("Total 512k"));
    assert_eq!(mbps(named("Read 1m")), Some(1050.0));
}

#[test]
fn a_setting_at_the_side_is_read_as_well() {
    let all = runs(
        "### 4k IOPS\n| Queue Depth | Random Read | Random Write |\n|---|---|---|\n| 1 | 4,000 | 3,000 |\n| 32 | 60,000 | 50,000 |\n",
    );
    let tests = &all[0].tests;
    let found: Vec<_> = tests
        .iter()
        .map(|test| (test.kind.queue_depth, share(test), iops(test)))
        .collect();
    assert_eq!(
        found,
        [
            (Some(1), Some(1.0), Some(4000.0)),
            (Some(32), Some(1.0), Some(60_000.0)),
            (Some(1), Some(0.0), Some(3000.0)),
            (Some(32), Some(0.0), Some(50_000.0)),
        ]
    );
}

#[test]
fn a_figure_whose_unit_nothing_says_is_refused() {
    let message = error("| Block Size | 4k | 64k |\n|---|---|---|\n| Read | 5000 | 1000 |\n");
    assert!(message.contains("line 3"), "{message}");
    assert!(message.contains("unit of '5000'"), "{message}");
}

#[test]
fn a_test_over_the_names_of_rows_and_a_latency_in_the_cell() {
    let all = runs(
        "|Sequential Read|old|new|\n| :--- | ---: | ---: |\n\
         |[4K](#4096B)|20000 IOps@6.4ms|25000 IOps@5.1ms|\n|[64K](#65536B)|900 MB/s@17.5ms|950 MB/s@16.6ms|\n",
    );
    assert_eq!(tools(&all), ["old", "new"]);
    let tests = &all[1].tests;
    assert_eq!(
        (iops(&tests[0]), micros(&tests[0])),
        (Some(25_000.0), Some(5100.0))
    );
    assert_eq!(
        (block(&tests[0]), share(&tests[0])),
        (Some(4096), Some(1.0))
    );
    assert_eq!(
        (mbps(&tests[1]), micros(&tests[1])),
        (Some(950.0), Some(16_600.0))
    );
}

#[test]
fn brackets_without_a_blank_and_rows_that_go_on() {
    let all = runs(
        "Disk\n\n|Name        | Read(MB/s)|Write(MB/s)|  Mix(MB/s)|\n|------------|-----------|-----------|-----------|\n\
         |RND4K Q32T16|     400.00|     200.00|     300.00|\n|... IOPS    |   97650.50|   48820.25|   73230.75|\n\
         |... latency |    5000.00|    9000.00|    7000.00|\n",
    );
    assert_eq!(tools(&all), ["Disk"]);
    let run = &all[0];
    let found: Vec<_> = run
        .tests
        .iter()
        .map(|test| (share(test), mbps(test), iops(test)))
        .collect();
    assert_eq!(
        found,
        [
            (Some(1.0), Some(400.0), Some(97_651.0)),
            (Some(0.0), Some(200.0), Some(48_820.0)),
            (None, Some(300.0), Some(73_231.0)),
        ]
    );
    assert!(run.tests.iter().all(|test| test.latency.is_none()));
    assert!(
        run.notes[0].contains("its unit is not said"),
        "{:?}",
        run.notes
    );
}

#[test]
fn two_results_of_crystaldiskmark_side_by_side() {
    let all = runs(
        "[Read]                           *One disk*                       *Two disks*\n\
         Sequential 1MiB (Q=  8, T= 1):   104.858 MB/s [    100.0 IOPS]   209.715 MB/s [    200.0 IOPS]\n\
         \u{20}   Random 4KiB (Q=  1, T= 1):     0.410 MB/s [    100.1 IOPS]     0.819 MB/s [    200.0 IOPS]\n",
    );
    assert_eq!(tools(&all), ["One disk", "Two disks"]);
    let test = &all[1].tests[0];
    assert_eq!(
        (share(test), mbps(test), iops(test)),
        (Some(1.0), Some(209.72), Some(200.0))
    );
    assert_eq!(test.kind.queue_depth, Some(8));
}

#[test]
fn pairs_of_reads_and_writes_below_a_quantity() {
    let all = runs(
        "=====================\nFIO Benchmark Summary\nFor: test_device\nSIZE: 30G\n=====================\n\
         IOPS (Read/Write)\n        Random:           20,000 / 5,000\n  CPU Idleness:                      86%\n\n\
         Bandwidth in KiB/sec (Read/Write)\n    Sequential:      1,000,000 / 200,000\n\n\
         Latency in ns (Read/Write)\n        Random:      300,000 / 1,000,000\n",
    );
    let run = &all[0];
    assert_eq!(run.target.as_deref(), Some("test_device"));
    let found: Vec<_> = run
        .tests
        .iter()
        .map(|test| (test.name.as_str(), iops(test), mbps(test), micros(test)))
        .collect();
    // KiB/s are 1,024 bytes: 1,024 and 204.8 MB/s. IOPS are of 4 KiB, bandwidth is of 128 KiB: 20,000 x 4,096 bytes are
    // 81.92 MB/s, and 1,024,000,000 over 131,072 bytes are 7,812.5 a second.
    assert_eq!(
        found,
        [
            ("Random read, IOPS", Some(20_000.0), Some(81.92), None),
            ("Random write, IOPS", Some(5000.0), Some(20.48), None),
            (
                "Sequential read, Bandwidth",
                Some(7813.0),
                Some(1024.0),
                None
            ),
            (
                "Sequential write, Bandwidth",
                Some(1563.0),
                Some(204.8),
                None
            ),
            ("Random read, Latency", None, None, Some(300.0)),
            ("Random write, Latency", None, None, Some(1000.0)),
        ]
    );
}

#[test]
fn quantities_of_one_result_are_one_run() {
    for mark in ["\t", " | "] {
        let all = runs(&["RND4K Q1T1 read", "940 IOPS", "3.85 MB/s", "1.06 ms"].join(mark));
        assert_eq!(all.len(), 1, "{mark:?}");
        let test = &all[0].tests[0];
        let found = (iops(test), mbps(test), micros(test));
        assert_eq!(found, (Some(940.0), Some(3.85), Some(1060.0)), "{mark:?}");
    }
    // The same quantity twice is of two configurations.
    assert_eq!(runs("RND4K Q1T1 read\t940 IOPS\t1,200 IOPS\n").len(), 2);
}

#[test]
fn the_decimal_mark_is_decided_by_the_whole_file() {
    let head = "test;queue_depth;iops;latency_ms\n";
    let points = runs(&format!("{head}4k randread;1;10,500;0.095\n"));
    assert_eq!(iops(&points[0].tests[0]), Some(10_500.0));
    let commas = runs(&format!("{head}4k randread;1;10.500;0,095\n"));
    // A comma before three digits may part thousands, so that ';' decides.
    assert_eq!(micros(&commas[0].tests[0]), Some(95.0));
}

#[test]
fn tools_named_before_a_test() {
    let all = runs("| Benchmark | Result |\n|---|---|\n| fio 1M sequential read | 400MB/s |\n");
    let test = &all[0].tests[0];
    assert_eq!(
        (share(test), block(test), mbps(test)),
        (Some(1.0), Some(1 << 20), Some(400.0))
    );
}

#[test]
fn figures_with_their_ranges_and_directions_without_io() {
    let all = runs(
        "| Test Name | readIOPS | writeIOPS | readBW (MB/s) | writeBW (MB/s) | readLat (ms) |\n|--|--|--|--|--|--|\n\
         | \"single\" | \"3000.5\" (\"2900.1\"–\"3100.2\") | \"0.00\" (\"0.00\"–\"0.00\") | 12.3 ± 0.4 | 0.00 | 0.30 |\n",
    );
    let [test] = all[0].tests.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!(test.name, "single read");
    assert_eq!(
        (iops(test), mbps(test), micros(test)),
        (Some(3001.0), Some(12.3), Some(300.0))
    );
}

#[test]
fn a_table_that_is_not_understood_says_what_was() {
    let message = error(
        "text\n\n| Machine | Link | Sequential Read | Random Write(MB/s) |\n|--|--|--|--|\n| one | PCIe | 4991 | 1021 |\n",
    );
    assert!(message.contains("line 3"), "{message}");
    let known =
        "'Sequential Read', 'Random Write(MB/s)' were understood, but not 'Machine', 'Link'";
    assert!(message.contains(known), "{message}");
}

#[test]
fn one_wrong_table_does_not_hide_another() {
    let all = runs(
        "| test | qd | IOPS |\n|--|--|--|\n| 4k randread | 1 | 5000 |\n\n\
         | Block Size | 4k | 64k |\n|---|---|---|\n| Read | 5000 | 1000 |\n",
    );
    assert_eq!(iops(&all[0].tests[0]), Some(5000.0));
    let note = "a table in the same input could not be read: line 7";
    assert!(
        all[0].notes.iter().any(|told| told.contains(note)),
        "{:?}",
        all[0].notes
    );
}

#[test]
fn throughput_whose_cells_say_the_unit() {
    let all = runs(
        "| Job | Read IOPS | Read BW | Read lat (us) avg | Write IOPS | Write BW |\n|--|--|--|--|--|--|\n\
         | db | 1000 | 8.0 MiB/s | 450 | 500 | 4.0 MB/s |\n",
    );
    let [read, write] = all[0].tests.as_slice() else {
        panic!("{all:?}")
    };
    // 8 x 1.048576
    assert_eq!(
        (iops(read), mbps(read), micros(read)),
        (Some(1000.0), Some(8.39), Some(450.0))
    );
    assert_eq!((iops(write), mbps(write)), (Some(500.0), Some(4.0)));
}

#[test]
fn tests_above_and_configurations_at_the_side() {
    let all = runs(
        "| Storage | Random Read 4k | Seq Read 1M |\n|---|---|---|\n\
         | Premium | 5,000 IOPS | 200 MB/s |\n| Ultra | 20,000 IOPS | 800 MB/s |\n",
    );
    assert_eq!(tools(&all), ["Premium", "Ultra"]);
    let tests = &all[1].tests;
    assert_eq!(
        (iops(&tests[0]), block(&tests[0])),
        (Some(20_000.0), Some(4096))
    );
    assert_eq!(
        (mbps(&tests[1]), block(&tests[1])),
        (Some(800.0), Some(1 << 20))
    );
}

#[test]
fn quantities_in_the_names_of_rows() {
    let all = runs(
        "| Test | before | after |\n|---|---|---|\n| 4k randread IOPS | 5000 | 7500 |\n| 4k randread latency (ms) | 6.4 | 4.2 |\n",
    );
    assert_eq!(tools(&all), ["before", "after"]);
    let [test] = all[1].tests.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!((iops(test), micros(test)), (Some(7500.0), Some(4200.0)));
}

#[test]
fn two_volumes_of_a_comparison() {
    let all = runs(
        "FIO Benchmark Comparsion Summary\nFor: local vs remote\nIOPS (Read/Write)\n\
         \u{20}       Random:         50,000 / 40,000   vs         20,000 / 10,000    :   -60.00% / -75.00%\n",
    );
    assert_eq!(tools(&all), ["local", "remote"]);
    let rates: Vec<_> = all
        .iter()
        .flat_map(|run| run.tests.iter().map(iops))
        .collect();
    assert_eq!(
        rates,
        [
            Some(50_000.0),
            Some(40_000.0),
            Some(20_000.0),
            Some(10_000.0)
        ]
    );
}

/// 19.5 thousand IOPS of 4 KiB are 79.87 MB/s; 70/30 are 70 % reads; fio calls sequential writes `write`.
#[test]
fn thousands_mixes_and_plain_directions() {
    let all = runs(
        "| test | bs | qd | IOPS (k) | Latency (us) |\n|---|---|---|---|---|\n\
         | randread | 4k | 32 | 19.5 | 1641 |\n| write | 1m | 8 | 0.2 | 40000 |\n",
    );
    let [read, write] = all[0].tests.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!((iops(read), mbps(read)), (Some(19_500.0), Some(79.87)));
    assert_eq!((share(write), iops(write)), (Some(0.0), Some(200.0)));
    assert!(write.notes.is_empty(), "{:?}", write.notes);

    let mixed = runs(
        "| Pattern | Block | QD | IOPS |\n|---|---|---|---|\n\
         | Random Read | 8K | 16 | 12.8k |\n| Random 70/30 | 8K | 16 | 12,790 |\n",
    );
    assert_eq!(share(&mixed[0].tests[1]), Some(0.7));
    assert_eq!(mixed[0].tests[1].kind.pattern, Some(Pattern::Random));
}

/// A queue depth is no configuration, a spread no run, and 5,000 of 4 KiB at random are no MB/s.
#[test]
fn what_is_no_configuration_is_no_run() {
    let settings =
        runs("| test | qd | A | B |\n|---|---|---|---|\n| randread 4k | 32 | 50 | 70 |\n");
    assert_eq!(tools(&settings), ["A", "B"]);
    assert_eq!(settings[1].tests[0].kind.queue_depth, Some(32));
    assert_eq!(mbps(&settings[1].tests[0]), Some(70.0));
    let unsaid = error("| test | A | B |\n|---|---|---|\n| randread 4k QD32 | 5000 | 7500 |\n");
    assert!(unsaid.contains("say no unit"), "{unsaid}");
    let spread = runs(
        "| test | Run 1 | Run 2 | stddev |\n|---|---|---|---|\n\
         | RND4K Q32T1 read IOPS | 5000 | 5010 | 7 |\n",
    );
    assert_eq!(tools(&spread), ["Run 1", "Run 2"]);
}
