//! Any bytes give a result or an error, never a panic; and whatever is given is sound in itself.

#![expect(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::fs;
use std::path::Path;

use diskcap::measure::model::Run;
use diskcap::measure::read::read_bytes;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// All fixtures.
fn inputs() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/measure");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .filter(|path| path.is_file())
        .map(|path| fs::read(path).unwrap())
        .collect()
}

/// A change to an input.
#[derive(Debug, Clone)]
enum Change {
    Set(Index, u8),
    Cut(Index, usize),
    Repeat(Index, usize),
    Insert(Index, &'static str),
    /// Puts a text in place of a number.
    Number(Index, &'static str),
    End(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let words = select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "\\",
        "\n",
        "\r\n",
        "\0",
        "MB/s",
        "IOPS",
        "<",
        "\"bins\" : {",
        "\"jobs\" : [",
        "read: IOPS=",
        "(groupid=0, jobs=1): err= 0: pid=1: x",
        "Run status group 0",
        "3;fio-3.1;a;0;0;",
        "\u{FEFF}",
        "é",
    ]);
    let numbers = select(vec![
        "0",
        "-1",
        "nan",
        "-inf",
        "1e999",
        "1e-999",
        "18446744073709551616",
        "0.0000000001",
        "99999999999999999999999999",
        "",
        "1.2.3",
        "١",
    ]);
    let at = any::<Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (at(), 1..400_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        (at(), 1..400_usize).prop_map(|(at, length)| Change::Repeat(at, length)),
        (at(), words).prop_map(|(at, word)| Change::Insert(at, word)),
        (at(), numbers).prop_map(|(at, number)| Change::Number(at, number)),
        at().prop_map(Change::End),
    ]
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        let length = bytes.len();
        match change {
            Change::Set(at, byte) => bytes[at.index(length)] = *byte,
            Change::Cut(at, count) => {
                let from = at.index(length);
                bytes.drain(from..length.min(from + count));
            }
            Change::Repeat(at, count) => {
                let from = at.index(length);
                let piece = bytes[from..length.min(from + count)].to_vec();
                bytes.splice(from..from, piece);
            }
            Change::Insert(at, word) => {
                let from = at.index(length);
                bytes.splice(from..from, word.bytes());
            }
            Change::Number(at, number) => {
                let from = at.index(length);
                let Some(start) = bytes[from..].iter().position(u8::is_ascii_digit) else {
                    continue;
                };
                let start = from + start;
                let end = bytes[start..]
                    .iter()
                    .position(|byte| !byte.is_ascii_digit());
                let end = end.map_or(length, |count| start + count);
                bytes.splice(start..end, number.bytes());
            }
            Change::End(at) => bytes.truncate(at.index(length)),
        }
    }
    bytes
}

/// What holds for whatever is read.
fn check(runs: &[Run]) -> Result<(), TestCaseError> {
    prop_assert!(!runs.is_empty());
    for run in runs {
        prop_assert!(!run.tests.is_empty());
        for test in &run.tests {
            prop_assert!(test.iops.is_some() || test.mbps.is_some() || test.latency.is_some());
            if let Some(whole) = &test.part_of {
                prop_assert!(
                    run.tests.iter().any(|other| other.name == *whole),
                    "no test {whole}"
                );
            }
            let percents = test.latency.iter().flat_map(|latency| &latency.percentiles);
            let percents: Vec<f64> = percents.map(|percentile| percentile.percent).collect();
            prop_assert!(percents.is_sorted(), "{percents:?}");
            prop_assert!(
                test.seconds
                    .is_none_or(|seconds| seconds.is_finite() && seconds > 0.0)
            );
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_give_a_result_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        if let Ok(runs) = read_bytes(&bytes, "noise") {
            check(&runs)?;
        }
    }

    #[test]
    fn changed_results_give_a_result_or_an_error(
        input in select(inputs()),
        changes in prop::collection::vec(change(), 1..12),
    ) {
        let bytes = changed(input, &changes);
        match read_bytes(&bytes, "changed") {
            Ok(runs) => check(&runs)?,
            Err(error) => prop_assert!(error.to_string().contains("'changed'")),
        }
    }

    #[test]
    fn what_crystaldiskmark_prints_is_what_is_read(
        rows in prop::collection::vec((any::<bool>(), 0..11_u32, 1..513_u32, 1..65_u32, 1..20_000_000_u32, 1..900_000_000_u32), 1..9),
    ) {
        let mut text = String::from("[Write]\n");
        for (random, power, queue, threads, thousandths, hundredths) in &rows {
            let (kind, kib) = (if *random { "RND" } else { "SEQ" }, 1_u32 << power);
            let size = if kib >= 1024 { format!("{:4}MiB", kib / 1024) } else { format!("{kib:4}KiB") };
            let mbps = f64::from(*thousandths) / 1e3;
            let iops = mbps * 1e6 / (f64::from(kib) * 1024.0);
            let us = f64::from(*hundredths) / 1e2;
            text += &format!("  {kind} {size} (Q={queue:3}, T={threads:2}): {mbps:9.3} MB/s [{iops:9.1} IOPS] <{us:9.2} us>\n");
        }
        let runs = read_bytes(text.as_bytes(), "printed").unwrap();
        let tests: Vec<_> = runs.iter().flat_map(|run| &run.tests).collect();
        prop_assert_eq!(tests.len(), rows.len());
        for (test, (random, power, queue, threads, thousandths, hundredths)) in tests.iter().zip(&rows) {
            prop_assert_eq!(test.kind.pattern == Some(diskcap::workload::Pattern::Random), *random);
            prop_assert_eq!(test.kind.block_size.unwrap().bytes(), 1024_u64 << power);
            prop_assert_eq!((test.kind.queue_depth, test.kind.threads), (Some(*queue), Some(*threads)));
            prop_assert_eq!(test.kind.read_share.unwrap().get(), 0.0);
            prop_assert_eq!(test.mbps.unwrap().get(), f64::from(*thousandths) / 1e3);
            let mean = test.latency.as_ref().unwrap().mean.unwrap();
            prop_assert_eq!(mean.micros(), f64::from(*hundredths) / 1e2);
            prop_assert!(test.notes.is_empty(), "{:?}", test.notes);
        }
    }
}
