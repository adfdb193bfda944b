//! Numbers as the locales of people write them, and tests in the words of people. Values worked out by hand.

#[path = "common/measured.rs"]
mod measured;

use diskcap::workload::Pattern;

use measured::{error, iops, mbps, micros, runs, tools};

/// The IOPS of disks A and B.
fn table(a: &str, b: &str) -> String {
    format!("| Test | A (IOPS) | B (IOPS) |\n|---|---|---|\n| 4K random read QD32 | {a} | {b} |\n")
}

#[test]
fn thousands_that_can_be_nothing_else() {
    for (a, b, expected) in [
        ("1.234.567", "9'800", [1_234_567.0, 9800.0]),
        ("1\u{202f}234", "12\u{a0}345 IOPS", [1234.0, 12_345.0]),
        ("1 234", "9\u{2019}800", [1234.0, 9800.0]),
        ("1_234_567", "9,800", [1_234_567.0, 9800.0]),
        // The point that parts millions parts the thousands beside them.
        ("1.234.567", "1.234", [1_234_567.0, 1234.0]),
        // A decimal comma shows it, too.
        ("5.678,5", "1.234", [5679.0, 1234.0]),
    ] {
        let runs = runs(&table(a, b));
        let found: Vec<Option<f64>> = runs.iter().map(|run| iops(&run.tests[0])).collect();
        assert_eq!(found, expected.map(Some), "{a} and {b}");
    }
}

#[test]
fn thousands_or_decimals_are_not_guessed() {
    let refused = error(&table("1.234", "5.678"));
    assert!(
        refused.contains("line 3: '1.234' may be 1234 or a number with three decimals"),
        "{refused}"
    );
    // Another number shows that the point is the decimal one.
    let shown = runs(&table("1.234", "0.5"));
    assert_eq!(iops(&shown[0].tests[0]), Some(1.0));
    // Three decimals of MB/s are usual.
    let rate = runs(&table("45.123 MB/s", "190.250 MB/s"));
    assert_eq!(mbps(&rate[1].tests[0]), Some(190.25));
}

#[test]
fn a_csv_of_doubtful_iops_is_refused_in_its_line() {
    let text = "test;block_size;iops\n\n# a remark\nrandread;4KiB;5.000\n";
    let refused = error(text);
    assert!(
        refused.contains("line 4: column 3 ('iops'): '5.000' may be 5000"),
        "{refused}"
    );
    // Commas between the cells are of tables with a decimal point.
    let plain = runs("test,block_size,iops\nrandread,4KiB,5.125\n");
    assert_eq!(iops(&plain[0].tests[0]), Some(5.0));
}

#[test]
fn errors_name_the_line_of_a_markdown_table() {
    for line in [5, 6] {
        let cell = |at| if at == line { "12x0" } else { "1200" };
        let text = format!(
            "# x\n\n| test | bs | iops |\n|---|---|---|\n| randread | 4k | {} |\n| randwrite | 4k | {} |\n",
            cell(5),
            cell(6)
        );
        let refused = error(&text);
        assert!(
            refused.contains(&format!("line {line}: column 3")),
            "{refused}"
        );
    }
}

#[test]
fn a_test_and_its_figures_in_one_line() {
    let all = runs(
        "Box of the archive\n\nseq read 1M: 950 MB/s\n- random read 4k QD32 = 12,345 IOPS\n\
         4k random write qd1 - 0.8 ms\n\n## Second box\nrandom write 4k QD32: 9800 IOPS, 3.2 ms\n",
    );
    assert_eq!(tools(&all), ["Box of the archive", "Second box"]);
    let [seq, read, write] = all[0].tests.as_slice() else {
        panic!("{all:?}")
    };
    // Nothing is added that the line does not say: no queue depth.
    assert_eq!((mbps(seq), seq.kind.queue_depth), (Some(950.0), None));
    assert_eq!(seq.kind.pattern, Some(Pattern::Sequential));
    // 12,345 x 4,096 = 50.57 MB/s.
    assert_eq!((iops(read), mbps(read)), (Some(12_345.0), Some(50.57)));
    assert_eq!((iops(write), micros(write)), (None, Some(800.0)));
    let other = &all[1].tests[0];
    assert_eq!((iops(other), micros(other)), (Some(9800.0), Some(3200.0)));
}

#[test]
fn a_line_that_leaves_something_to_guess_is_refused() {
    for text in ["seq read 1M: 950\n", "read of the disk: 950 MB/s\n"] {
        error(text);
    }
}

#[test]
fn a_test_a_row_with_its_disk_beside_it() {
    let in_two = "| Disk | Test | Result |\n|---|---|---|\n\
                  | P30 | random read 4k QD32 | 5,010 IOPS |\n\
                  | P30 | seq read 1M | 195 MB/s |\n\
                  | v2 | random read 4k QD32 | 3,000 IOPS (12.3 MB/s) |\n";
    let in_one = "| Disk | Result |\n|---|---|\n\
                  | P30 | random read 4k QD32: 5,010 IOPS |\n\
                  | P30 | seq read 1M: 195 MB/s |\n\
                  | v2 | random read 4k QD32: 3,000 IOPS, 12.3 MB/s |\n";
    for text in [in_two, in_one] {
        let all = runs(text);
        assert_eq!(tools(&all), ["P30", "v2"]);
        assert_eq!(iops(&all[0].tests[0]), Some(5010.0));
        assert_eq!(mbps(&all[0].tests[1]), Some(195.0));
        assert_eq!(
            (iops(&all[1].tests[0]), mbps(&all[1].tests[0])),
            (Some(3000.0), Some(12.3))
        );
    }
}

#[test]
fn heads_in_quotes() {
    for (left, right) in [("\"", "\""), ("“", "”"), ("„", "“"), ("«", "»")] {
        let all = runs(&format!(
            "| Disk | SEQ/{left}read{right} | SEQ/{left}write{right} |\n|---|---|---|\n\
             | a | 900 MB/s | 800 MB/s |\n| b | 90 MB/s | 80 MB/s |\n"
        ));
        assert_eq!(tools(&all), ["a", "b"]);
        let found: Vec<Option<f64>> = all[0].tests.iter().map(mbps).collect();
        assert_eq!(found, [Some(900.0), Some(800.0)]);
    }
}
