//! Judgement and identification of measured results: verdicts worked out by hand from the limits of sizes and disks.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

mod credit;
mod devices;
mod disks_of_files;
mod host_cache;
mod identified;
mod judged;
mod latency_alone;
mod predicted;
mod properties;
mod queue_depth;
mod reports;
mod whole;

use diskcap::catalog::Catalog;
use diskcap::deployment::{Deployment, DiskSpec};
use diskcap::measure::bench::{Bench, Input, Request, bench};
use diskcap::measure::judge::{Judgement, Options, Target, TestReport, judge};
use diskcap::measure::model::{Format, Run, Test};
use diskcap::measure::read::{read_bytes, read_path};
use diskcap::measure::test_name;
use diskcap::units::{Iops, MBps};
use std::path::Path;

fn deployment(vm: Option<&str>, disks: &[&str]) -> Deployment {
    let catalog = Catalog::embedded();
    let vm = vm.map(|name| catalog.vm(name, None).unwrap());
    let specs = disks
        .iter()
        .map(|disk| disk.parse::<DiskSpec>().unwrap().into());
    Deployment::new(catalog, vm, specs.collect()).unwrap()
}

/// A test by its name, such as `RND4K Q32T1 read`, with IOPS.
fn test(name: &str, iops: f64) -> Test {
    let kind = test_name::parse(name).unwrap();
    let iops = Iops::new(iops).unwrap();
    Test {
        name: name.to_owned(),
        kind,
        iops: Some(iops),
        mbps: kind.block_size.map(|block| iops.throughput(block)),
        ..Test::default()
    }
}

/// A test by its name with MB/s.
fn moved(name: &str, mbps: f64) -> Test {
    let kind = test_name::parse(name).unwrap();
    let mbps = MBps::new(mbps).unwrap();
    test(name, mbps.iops_at(kind.block_size.unwrap()).get())
}

fn run(format: Format, tests: Vec<Test>) -> Run {
    Run {
        format,
        tool: "tool".into(),
        version: None,
        host: None,
        os: None,
        date: None,
        target: None,
        comment: None,
        tests,
        notes: Vec::new(),
    }
}

fn judged(deployment: &Deployment, run: &Run) -> Judgement {
    let target = Target {
        deployment,
        volume: 0,
    };
    judge(Catalog::embedded(), run, Some(target), &Options::default())
}

/// The only test, judged.
fn one(vm: Option<&str>, disk: &str, test: Test) -> TestReport {
    let run = run(Format::FioJson, vec![test]);
    judged(&deployment(vm, &[disk]), &run).tests.remove(0)
}

/// A test that ran so long.
fn timed(name: &str, iops: f64, seconds: f64) -> Test {
    let mut test = test(name, iops);
    test.seconds = Some(seconds);
    test
}

#[track_caller]
fn close(actual: f64, expected: f64) {
    assert!(
        (actual / expected - 1.0).abs() < 1e-9,
        "{actual} is not {expected}"
    );
}

fn titles(judgement: &Judgement) -> Vec<String> {
    judgement
        .tests
        .iter()
        .map(|test| test.verdict.title())
        .collect()
}

fn fixture(name: &str) -> Vec<Run> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/bench");
    read_path(&folder.join(name)).unwrap()
}

fn inputs(names: &[&str]) -> Vec<Input> {
    let input = |name: &&str| Input {
        name: (*name).to_owned(),
        target: None,
        runs: fixture(name),
    };
    names.iter().map(input).collect()
}

fn of_fixtures(names: &[&str], request: &Request<'_>) -> Bench {
    bench(Catalog::embedded(), &inputs(names), request).unwrap()
}

/// The result of such a text on a VM, and disks where they are named.
fn of_text(text: &str, vm: &str, disks: &[&str]) -> Bench {
    let catalog = Catalog::embedded();
    let runs = read_bytes(text.as_bytes(), "x").unwrap();
    let deployment = (!disks.is_empty()).then(|| deployment(Some(vm), disks));
    let request = Request {
        vm: catalog.vm(vm, None).ok(),
        deployment: deployment.as_ref(),
        ..Request::default()
    };
    let input = Input {
        name: "x".to_owned(),
        target: None,
        runs,
    };
    bench(catalog, &[input], &request).unwrap()
}
