//! Hand-kept tables with the settings of a test in columns of their own beside columns of disks or configurations. Values
//! worked out by hand.

#[path = "common/measured.rs"]
mod measured;

use diskcap::measure::model::{Run, Test};

use measured::{block, error, iops, mbps, micros, runs, share, tools};

/// What a test did: its block, queue depth and share of reads.
fn did(test: &Test) -> (Option<u64>, Option<u32>, Option<f64>) {
    (block(test), test.kind.queue_depth, share(test))
}

/// The IOPS of every test.
fn all_iops(run: &Run) -> Vec<Option<f64>> {
    run.tests.iter().map(iops).collect()
}

/// Random reads of 4 KiB 32 deep and writes one at a time, of two disks; 20.5 MB/s / 4,096 = 5,004.9 IOPS.
#[test]
fn two_disks_beside_block_size_and_queue_depth() {
    let plain = "Test,Block size,Queue depth,data,log\nrand read,4K,32,20.5,12.3\nrand write,4K,1,1.7,5.9\n";
    let with_unit = "Test,Block size,Queue depth,data (IOPS),log (IOPS)\n\
                     rand read,4K,32,5005,3003\nrand write,4K,1,415,1440\n";
    let in_cells = with_unit
        .replace("5005", "5005 IOPS")
        .replace(" (IOPS)", "");
    let markdown = "| Test | Block size | Queue depth | data (IOPS) | log (IOPS) |\n|---|---|---|---|---|\n\
                    | rand read | 4K | 32 | 5,005 | 3,003 |\n| rand write | 4K | 1 | 415 | 1,440 |\n";
    let tabs = with_unit.replace(',', "\t");
    let blanks = "Test        Block size  Queue depth  data (IOPS)  log (IOPS)\n\
                  rand read   4K          32           5005         3003\n\
                  rand write  4K          1            415          1440\n";
    let underscores = with_unit
        .replace("data (IOPS)", "data_iops")
        .replace("log (IOPS)", "log_iops");
    let unit_first = with_unit
        .replace("data (IOPS)", "IOPS data")
        .replace("log (IOPS)", "IOPS (log)");
    let bare = with_unit.replace(" (IOPS)", "");
    let over_names = bare.replacen("Test,", "Test (IOPS),", 1);
    let unit_row = bare.replacen('\n', "\nIOPS,,,,\n", 1);
    let unit_of_each = bare.replacen('\n', "\n,,,IOPS,IOPS\n", 1);
    let unit_row_markdown =
        markdown
            .replace(" (IOPS)", "")
            .replacen("|---|\n", "|---|\n| IOPS | | | | |\n", 1);
    for text in [
        plain,
        with_unit,
        markdown,
        &over_names,
        &unit_row,
        &unit_of_each,
        &unit_row_markdown,
        &tabs,
        blanks,
        &underscores,
        &unit_first,
    ] {
        let all = runs(text);
        assert_eq!(tools(&all), ["data", "log"], "{text}");
        assert_eq!(all_iops(&all[0]), [Some(5005.0), Some(415.0)], "{text}");
        assert_eq!(all_iops(&all[1]), [Some(3003.0), Some(1440.0)], "{text}");
        let tests = &all[1].tests;
        assert_eq!(did(&tests[0]), (Some(4096), Some(32), Some(1.0)), "{text}");
        assert_eq!(did(&tests[1]), (Some(4096), Some(1), Some(0.0)), "{text}");
    }
    assert!(runs(plain)[0].notes[0].contains("taken as MB/s"));
    // One cell says its unit, the others are MB/s: 3,003 of them at random are none.
    assert!(
        error(&in_cells).contains("say no unit"),
        "{}",
        error(&in_cells)
    );
}

#[test]
fn several_quantities_of_each_disk() {
    let all = runs(
        "Test;Block size;QD;data IOPS;data MB/s;data (lat ms);data p99 ms;log IOPS;log MB/s;log (lat ms)\n\
         rand write;8K;32;4990;40,9;6,4;12,5;2998;24,6;10,7\n",
    );
    assert_eq!(tools(&all), ["data", "log"]);
    let (data, log) = (&all[0].tests[0], &all[1].tests[0]);
    assert_eq!(
        (iops(data), mbps(data), micros(data)),
        (Some(4990.0), Some(40.9), Some(6400.0))
    );
    assert_eq!(
        (iops(log), mbps(log), micros(log)),
        (Some(2998.0), Some(24.6), Some(10_700.0))
    );
    let percentiles = &data.latency.as_ref().unwrap().percentiles;
    assert_eq!(
        (percentiles[0].percent, percentiles[0].latency.micros()),
        (99.0, 12_500.0)
    );
}

/// Tiers are called like percentiles.
#[test]
fn disks_called_like_percentiles() {
    let all =
        runs("Test,Block,QD,P30 IOPS,P30 ms,P40 IOPS,P40 ms\nrand read,8K,32,5000,6.4,7500,4.27\n");
    assert_eq!(tools(&all), ["P30", "P40"]);
    assert_eq!(micros(&all[1].tests[0]), Some(4270.0));
}

#[test]
fn a_column_says_the_unit_of_its_row() {
    let wide = runs(
        "Test,Metric,before,after\nrand read 4K QD32,IOPS,5012,7540\nrand read 4K QD32,lat ms,6.38,4.24\n",
    );
    assert_eq!(tools(&wide), ["before", "after"]);
    let [test] = wide[1].tests.as_slice() else {
        panic!("{wide:?}")
    };
    assert_eq!((iops(test), micros(test)), (Some(7540.0), Some(4240.0)));
    let long = runs(
        "disk,test,metric,value\ndata,rand read 4K QD32,IOPS,5012\ndata,rand read 4K QD32,lat ms,6.38\n\
         log,seq write 1M QD8,MB/s,150\n",
    );
    assert_eq!(tools(&long), ["data", "log"]);
    assert_eq!(
        (iops(&long[0].tests[0]), micros(&long[0].tests[0])),
        (Some(5012.0), Some(6380.0))
    );
    assert_eq!(mbps(&long[1].tests[0]), Some(150.0));
}

#[test]
fn disks_in_rows_and_configurations_in_columns() {
    let all = runs(
        "Disk,Test,before (IOPS),after (IOPS)\ndata,rand read 4K QD32,5012,7540\nlog,rand write 4K QD1,420,1450\n",
    );
    let named: Vec<_> = all
        .iter()
        .map(|run| {
            (
                run.tool.as_str(),
                run.target.as_deref(),
                iops(&run.tests[0]),
            )
        })
        .collect();
    assert_eq!(
        named,
        [
            ("before", Some("data"), Some(5012.0)),
            ("after", Some("data"), Some(7540.0)),
            ("before", Some("log"), Some(420.0)),
            ("after", Some("log"), Some(1450.0)),
        ]
    );
}

#[test]
fn reads_and_writes_of_each_disk() {
    let all = runs(
        "Pattern,Block,QD,data read IOPS,data write IOPS,log read IOPS,log write IOPS\n\
         random,8K,16,4800,3100,2900,2200\n",
    );
    assert_eq!(tools(&all), ["data", "log"]);
    assert_eq!(all_iops(&all[1]), [Some(2900.0), Some(2200.0)]);
    assert_eq!(
        (share(&all[1].tests[0]), share(&all[1].tests[1])),
        (Some(1.0), Some(0.0))
    );
}

#[test]
fn words_of_a_test_may_stand_apart() {
    for head in [
        "Test,Size,data (IOPS),log (IOPS)",
        "What,How large,data (IOPS),log (IOPS)",
    ] {
        let all = runs(&format!("{head}\nrand read,4K,5012,3004\n"));
        assert_eq!(tools(&all), ["data", "log"], "{head}");
        assert_eq!(block(&all[1].tests[0]), Some(4096), "{head}");
        assert_eq!(iops(&all[1].tests[0]), Some(3004.0), "{head}");
    }
}

/// Sums, text and figures that are no rates are no configurations.
#[test]
fn what_is_not_read_is_told() {
    let all = runs(
        "Test,Block,QD,Runtime,data (IOPS),remark\nrand read,4K,32,60,5012,after reboot\nAverage,,,60,5012,\n",
    );
    assert_eq!(tools(&all), ["data"]);
    assert_eq!(all[0].tests.len(), 1);
    assert_eq!(
        all[0].notes,
        ["columns that were passed over: Runtime, remark"]
    );
    // A latency whose unit nothing says.
    let text = error("Test,Block,QD,data latency,log latency\nrand read,4K,32,6.4,10.6\n");
    assert!(text.contains("latency"), "{text}");
}

/// 5.000 may be five or five thousand.
#[test]
fn figures_that_may_mean_two_things_are_refused() {
    let text = error("Test;Block;QD;data (IOPS);log (IOPS)\nrand read;4K;32;5.000;3.000\n");
    assert!(text.contains("line 2") && text.contains("5000"), "{text}");
    let text = error("Test,Block,QD,data (IOPS),log (IOPS)\nrand read,4K,deep,5000,3000\n");
    assert!(text.contains("line 2") && text.contains("'deep'"), "{text}");
}

/// Heads as tests: one disk a row.
#[test]
fn tests_above_and_disks_in_rows() {
    let all = runs(
        "Disk,Block,QD,Random read IOPS,Random write IOPS\ndata,4K,32,5012,4800\nlog,4K,32,3004,2990\n",
    );
    assert_eq!(tools(&all), ["data", "log"]);
    assert_eq!(did(&all[1].tests[1]), (Some(4096), Some(32), Some(0.0)));
    assert_eq!(all_iops(&all[1]), [Some(3004.0), Some(2990.0)]);
    let whole =
        runs("Disk,RND4K Q32 read (IOPS),RND4K Q1 write (IOPS)\ndata,5012,420\nlog,3004,1450\n");
    assert_eq!(tools(&whole), ["data", "log"]);
    assert_eq!(did(&whole[1].tests[1]), (Some(4096), Some(1), Some(0.0)));
}

/// Disks over groups of quantities, as a spreadsheet with merged cells is saved.
#[test]
fn heads_in_two_lines() {
    let all =
        runs("Test,data,,log,\n,IOPS,lat ms,IOPS,lat ms\nrand read 4K QD32,5012,6.4,3004,10.6\n");
    assert_eq!(tools(&all), ["data", "log"]);
    let log = &all[1].tests[0];
    assert_eq!((iops(log), micros(log)), (Some(3004.0), Some(10_600.0)));
}

/// 8,145 would be megabytes of a tool's line, but the 8 is a queue depth; German words, and columns of no rate.
#[test]
fn cells_with_units_and_words_of_others() {
    let units = runs(
        "Test,Block,QD,before,after\nrand read,4K,32,\"5,012 IOPS\",\"7,540 IOPS\"\nseq read,1M,8,145 MB/s,200 MB/s\n",
    );
    assert_eq!(tools(&units), ["before", "after"]);
    assert_eq!(
        (iops(&units[1].tests[0]), mbps(&units[1].tests[1])),
        (Some(7540.0), Some(200.0))
    );
    let german =
        runs("Test;Blockgröße;QD;vorher (MB/s);nachher (MB/s)\nZufällig lesen;4K;32;20,5;30,9\n");
    assert_eq!(did(&german[1].tests[0]), (Some(4096), Some(32), Some(1.0)));
    assert_eq!(mbps(&german[1].tests[0]), Some(30.9));
    let depth = runs(
        "Server,Test,Block size (KB),Outstanding IO,data IOPS,log IOPS\nsql1,Random read,8,32,5012,3004\n",
    );
    assert_eq!(tools(&depth), ["data", "log"]);
    assert_eq!(did(&depth[0].tests[0]), (Some(8192), Some(32), Some(1.0)));
}

/// A row may say the unit of those below it: 5,012 IOPS, then 198 MB/s and 189 of 1 MiB each (198 / 1.048576).
#[test]
fn a_row_says_the_unit_of_those_below_it() {
    let text = "Test,Block size,Queue depth,data,log\nIOPS,,,,\nrand read,4K,32,5012,3004\n\
                MB/s,,,,\nseq read,1M,8,198,122\n";
    for text in [text.to_owned(), text.replace("MB/s,,,,", ",,,MB/s,MB/s")] {
        let all = runs(&text);
        assert_eq!(tools(&all), ["data", "log"], "{text}");
        assert_eq!(iops(&all[0].tests[0]), Some(5012.0), "{text}");
        assert_eq!(mbps(&all[0].tests[1]), Some(198.0), "{text}");
        assert_eq!(mbps(&all[1].tests[1]), Some(122.0), "{text}");
    }
}

/// 5,012 without a unit would be MB/s of 4 KiB each, which no disk makes: a column that names the run changes nothing.
#[test]
fn figures_without_a_unit_are_refused_where_a_column_names_the_run() {
    let named = "Run|Test|Block size|A|B\nfirst|rand read|4K|5012|200\n";
    for text in [
        named.to_owned(),
        named.replace("Run|", "").replace("first|", ""),
    ] {
        let told = error(&text);
        assert!(
            told.contains("say no unit") && told.contains("5012"),
            "{text}: {told}"
        );
    }
}

/// A local disk makes 1,200 MB/s of 4 KiB, and its cells say so; those beside them say nothing, which is noted of these alone.
#[test]
fn figures_with_a_unit_are_not_doubted_for_those_without() {
    let of_cells = "Test|Block size|A|B\nrand read|4K|1200 MB/s|200\nseq read|1M|1100 MB/s|150\n";
    let all = runs(of_cells);
    assert_eq!(mbps(&all[0].tests[0]), Some(1200.0));
    let noted = |run: &Run| run.notes.iter().any(|note| note.contains("without a unit"));
    assert_eq!(all.iter().map(noted).collect::<Vec<_>>(), [false, true]);
    // A row that says its unit beside one that does not.
    let of_rows = "Test|Block size|Unit|A|B\nrand read|4K|MB/s|1200|200\nseq read|1M||1100|150\n";
    let all = runs(of_rows);
    assert_eq!(mbps(&all[0].tests[0]), Some(1200.0));
    assert!(all.iter().all(noted));
}

/// A hundred thousand rules above a table are looked at once each: their square would take minutes.
#[test]
fn rules_above_a_table_are_no_heads() {
    let text = "|---|---|\n".repeat(100_000)
        + "| Test | Block size | QD | data (IOPS) | log (IOPS) |\n|---|---|---|---|---|\n| rand read | 4K | 32 | 5012 | 3004 |\n";
    let all = runs(&text);
    assert_eq!(tools(&all), ["data", "log"]);
    assert_eq!(iops(&all[1].tests[0]), Some(3004.0));
}
