//! Runs as a whole: paging, binding to volumes, findings.

use diskcap::catalog::Catalog;
use diskcap::measure::bench::{Input, Request, bench};
use diskcap::measure::identify::Place;
use diskcap::measure::model::Format;
use diskcap::planner::{FindingId, Severity};

use crate::{deployment, inputs, of_fixtures, run, test};

#[test]
fn the_page_file_is_moved_to_the_temporary_disk() {
    let request = Request {
        paging: "400MiB".parse().ok(),
        ..Request::default()
    };
    let result = of_fixtures(&["system.txt", "temp.txt", "small.txt"], &request);
    let finding = &result.findings[0];
    assert_eq!(finding.id, FindingId::PageFilePlace);
    assert_eq!(finding.subject, "system");
    assert!(
        finding
            .fix
            .as_ref()
            .unwrap()
            .starts_with("move it to temp (local temporary")
    );
    let paging = result.paging.unwrap();
    assert_eq!(paging.best.as_deref(), Some("temp"));
    // 102,400 pages / 112 a second = 914.3 s; / 7,200 = 14.2 s.
    let seconds: Vec<f64> = paging
        .drives
        .iter()
        .map(|d| d.page_in.random_seconds.unwrap().round())
        .collect();
    assert_eq!(seconds, [914.0, 14.0, 31.0]);
}

#[test]
fn a_named_disk_pages_without_burst_credit() {
    // Measured in burst at 990 IOPS; a P10 holds 500, and Standard_D2s_v3 48 MB/s without its cache.
    let plan = deployment(Some("D2s_v3"), &["P10"]);
    let request = Request {
        vm: plan.vm.as_ref(),
        deployment: Some(&plan),
        paging: "400MiB".parse().ok(),
        ..Request::default()
    };
    let measured = Input {
        name: "p10.json".to_owned(),
        target: None,
        runs: vec![run(
            Format::FioJson,
            vec![
                test("SEQ1M Q1T1 read", 162.0),
                test("RND4K Q1T1 read", 990.0),
            ],
        )],
    };
    let result = bench(Catalog::embedded(), &[measured], &request).unwrap();
    let page_in = result.paging.unwrap().drives[0].page_in;
    // 102,400 pages / 500 = 204.8 s; 6,400 clusters / 500 = 12.8 s, and 419.4 MB / 48 MB/s = 8.7 s are less.
    assert_eq!(page_in.random_seconds, Some(204.8));
    assert_eq!(page_in.clustered_seconds, Some(12.8));
}

#[test]
fn reads_from_memory_are_no_local_disk() {
    let result = of_fixtures(&["cache-modes.txt"], &Request::default());
    let places: Vec<Place> = result
        .runs
        .iter()
        .map(|run| run.identification.as_ref().unwrap().place)
        .collect();
    assert_eq!(places[1], Place::Memory);
    assert_eq!(places[2], Place::Memory);
    assert!(matches!(places[0], Place::Persistent { slow: true, .. }));
    let comparison = result.comparison.unwrap();
    assert_eq!(comparison.columns, ["none", "through", "back", "native"]);
}

#[test]
fn columns_named_after_volumes_bind_by_themselves() {
    let plan = deployment(
        Some("D2s_v3"),
        &[
            "v1=P10",
            "v2base=v2:size=129,iops=3000,mbps=125",
            "v2double=v2:size=130,iops=6000,mbps=250",
        ],
    );
    let request = Request {
        vm: plan.vm.as_ref(),
        deployment: Some(&plan),
        ..Request::default()
    };
    let result = of_fixtures(&["disks.md"], &request);
    let volumes: Vec<&str> = result
        .runs
        .iter()
        .map(|run| run.volume.as_deref().unwrap())
        .collect();
    assert_eq!(volumes, ["v1", "v2base", "v2double"]);
    assert_eq!(result.findings, []);
    let open = bench(Catalog::embedded(), &inputs(&["temp.txt"]), &request).unwrap_err();
    assert!(open.to_string().contains("NAME=temp.txt"), "{open}");
}

#[test]
fn a_disk_that_falls_short_is_a_warning() {
    let plan = deployment(Some("D8s_v3"), &["P80"]);
    let request = Request {
        vm: plan.vm.as_ref(),
        deployment: Some(&plan),
        ..Request::default()
    };
    let result = of_fixtures(&["system.txt"], &request);
    let short = result
        .findings
        .iter()
        .find(|f| f.id == FindingId::BelowPrediction)
        .unwrap();
    assert_eq!(short.severity, Severity::Warning);
}
