//! Plain CSV and results matrices.

use diskcap::measure::error::ParseError;
use diskcap::measure::{csv, matrix};
use diskcap::workload::Pattern;

use crate::{iops, mbps, mean_ms, near, percentile_ms, read, share};

#[test]
fn csv_rows_of_two_runs_and_two_disks() {
    let runs = read(csv::parse, "plain-comma.csv");
    let [before, other_disk, after] = runs.as_slice() else {
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
    assert_eq!(other_disk.tool, "before");
    let log = &other_disk.tests[0];
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
