//! Real reports, where some are at hand.

use diskcap::measure::model::Test;

use crate::{CASES, Case, iops, mbps};

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
