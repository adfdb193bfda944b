//! The JSON schemas that are committed in `docs/schema/` are those of the code, and the output keeps to them.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use diskcap::measure::series::analysis::{TOLERANCE, analyse};
use diskcap::measure::series::twins::{Peer, twins};
use diskcap::measure::series::{ReadOptions, read};
use diskcap::planner::Assessment;
use diskcap::report::views::peers::PeersReport;
use diskcap::report::views::series::SeriesReport;
use serde_json::Value;

/// Compares with the committed file; `UPDATE_SCHEMA=1 cargo test --test schema` writes it anew.
fn check(name: &str, schema: &schemars::Schema) -> Value {
    let path = format!("{}/docs/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::create_dir_all(std::path::Path::new(&path).parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        committed, text,
        "{path} is out of date: UPDATE_SCHEMA=1 cargo test --test schema"
    );
    serde_json::from_str(&text).unwrap()
}

#[track_caller]
fn assert_valid(schema: &Value, instance: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(instance)
        .map(|e| e.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn a_plan_keeps_to_its_schema_and_reads_back() {
    let schema = check("diskcap.plan-1", &schemars::schema_for!(Assessment));
    for words in [
        "plan --vm D2s_v3 --disk P10 --disk v2:size=130,iops=6000,mbps=250 --format json",
        "plan --vm E8bds_v5 --interface nvme --disk os=P10:os --disk 2xP30:cache=ro --disk temp --profile oltp --format json",
        "plan --disk custom --disk ultra:size=64,iops=5000,mbps=100 --format json",
    ] {
        let text = cli::stdout(words);
        assert_valid(&schema, &serde_json::from_str(&text).unwrap());
        let read: Assessment = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string_pretty(&read).unwrap() + "\n", text);
    }
}

#[test]
fn disks_over_time_and_peers_keep_to_their_schemas_and_read_back() {
    // Two disks, of which one collapses every tenth second.
    let mut log = String::from("time,iops:a,latency_ms:a,iops:b,latency_ms:b\n");
    for i in 0..200 {
        let b = if i % 10 < 2 { "100,80" } else { "900,9" };
        log += &format!("{i},1000,8.{},{b}\n", i % 7);
    }
    let series = read("x.csv", log.as_bytes(), &ReadOptions::default()).unwrap();
    let disks = series
        .disks
        .iter()
        .map(|disk| analyse(disk, &[], TOLERANCE));
    let over_time = SeriesReport::new(disks.collect(), series.notices.clone());
    let schema = check("diskcap.series-1", &schemars::schema_for!(SeriesReport));
    let json = serde_json::to_value(&over_time).unwrap();
    assert_valid(&schema, &json);
    assert_eq!(
        serde_json::from_value::<SeriesReport>(json).unwrap(),
        over_time
    );

    let named: Vec<Peer<'_>> = series
        .disks
        .iter()
        .map(|disk| Peer {
            name: &disk.name,
            series: disk,
        })
        .collect();
    let peers = PeersReport::of_twins(twins(&named), series.notices.clone());
    let schema = check("diskcap.peers-1", &schemars::schema_for!(PeersReport));
    let json = serde_json::to_value(&peers).unwrap();
    assert_valid(&schema, &json);
    assert_eq!(serde_json::from_value::<PeersReport>(json).unwrap(), peers);
}
