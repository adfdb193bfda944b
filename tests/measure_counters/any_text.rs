//! Whatever is in a report: results in proportion to it or an error, never a panic.

use diskcap::measure::model::Format;
use diskcap::measure::read::read_bytes;
use diskcap::measure::{csv, dd, matrix, sysbench};
use proptest::prelude::*;

use crate::{CASES, Parse};

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
    let sysbench = include_str!("../fixtures/measure/sysbench-1.1-seqrd-quoted.txt");
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
