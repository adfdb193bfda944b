//! Judges a benchmark result from code: what was each figure limited by?
//!
//! `cargo run --example judge_a_file [FILE]`

use std::error::Error;
use std::path::PathBuf;

use diskcap::catalog::Catalog;
use diskcap::deployment::{DiskSpec, PlanRequest};
use diskcap::measure::judge::verdict::Verdict;
use diskcap::measure::judge::{Options, Target, judge};
use diskcap::measure::read::read_path;

#[expect(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Box<dyn Error>> {
    let own = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/docs/src/examples/crystaldiskmark.txt"
    );
    let file = std::env::args().nth(1).map_or(own.into(), PathBuf::from);

    // What was measured: one disk on one VM size.
    let catalog = Catalog::embedded();
    let disk: DiskSpec = "data=P30".parse()?;
    let request = PlanRequest {
        vm: Some("Standard_D8s_v3".to_owned()),
        volumes: vec![disk.into()],
        ..PlanRequest::default()
    };
    let plan = request.build(catalog)?;
    let target = Target {
        deployment: &plan.deployment,
        volume: 0,
    };

    // The format is found by itself; a file may hold several runs.
    for run in read_path(&file)? {
        let judgement = judge(catalog, &run, Some(target), &Options::default());
        for test in &judgement.tests {
            println!(
                "{:20} {:20} {}",
                test.name,
                test.verdict.title(),
                test.words
            );
        }
        let below = |verdict: &Verdict| matches!(verdict, Verdict::BelowEveryLimit { .. });
        let slow = judgement.tests.iter().filter(|t| below(&t.verdict)).count();
        println!("{slow} of {} tests fall short", judgement.tests.len());
    }
    Ok(())
}
