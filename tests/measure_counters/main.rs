//! DiskSpd, sysbench, ioping, dd, plain CSV and results matrices: whole reports with figures worked out by hand.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod any_text;
mod disk_speed;
mod probes;
mod samples;
mod sysbench_fileio;
mod tables;

use diskcap::measure::error::ParseError;
use diskcap::measure::model::{Run, Test};
use diskcap::measure::{csv, dd, diskspd, ioping, matrix, sysbench};
use diskcap::units::Share;

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
            report: include_str!(concat!("../fixtures/measure/", $file)),
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
