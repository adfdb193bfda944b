//! The JSON schemas that are committed in `docs/schema/` are those of the code, and the output keeps to them.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use diskcap::measure::bench::Bench;
use diskcap::planner::{Assessment, Simulation};
use diskcap::recommend::Recommendations;
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
fn a_bench_keeps_to_its_schema_and_reads_back() {
    let schema = check("diskcap.bench-1", &schemars::schema_for!(Bench));
    for words in [
        "bench tests/fixtures/bench/disks.md --vm D2s_v3 --disk v1=P10 --disk v2base=v2:size=129 --disk v2double=v2:size=130 --format json",
        "bench tests/fixtures/bench/cached.txt --vm D8s_v3 --disk P20:cache=rw --queue-depth 8 --paging 1GiB --format json",
        "bench tests/fixtures/bench/system.txt tests/fixtures/bench/temp.txt --paging 400MiB --format json",
        "bench tests/fixtures/bench/cache-modes.txt --vm D8s_v3 --format json",
    ] {
        let text = cli::stdout(words);
        assert_valid(&schema, &serde_json::from_str(&text).unwrap());
        let read: Bench = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string_pretty(&read).unwrap() + "\n", text);
    }
}

#[test]
fn recommendations_keep_to_their_schema_and_read_back() {
    let schema = check(
        "diskcap.recommend-1",
        &schemars::schema_for!(Recommendations),
    );
    for words in [
        "recommend --capacity 1TiB --iops 4000 --mbps 50 --series Dsv3 --frontier --format json",
        "recommend --volume data:size=600,iops=9000,hit=90%,read=80% --volume log:size=64,latency=1ms --format json",
    ] {
        let text = cli::stdout(words);
        assert_valid(&schema, &serde_json::from_str(&text).unwrap());
        let read: Recommendations = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string_pretty(&read).unwrap() + "\n", text);
    }
}

#[test]
fn a_simulation_keeps_to_its_schema_and_reads_back() {
    let schema = check("diskcap.simulate-1", &schemars::schema_for!(Simulation));
    for words in [
        "simulate --vm D2s_v3 --disk P10 --disk v2:size=130,iops=6000,mbps=250 --block-size 1MiB --format json",
        "simulate --vm E8ds_v5 --disk os=P10:os --disk 2xP20:cache=ro --disk temp --iops 2500 --for 5h --format json",
        "simulate --disk custom --disk P30:burst=on --profile backup --mbps P30=300 --cost --format json",
    ] {
        let text = cli::stdout(words);
        assert_valid(&schema, &serde_json::from_str(&text).unwrap());
        let read: Simulation = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string_pretty(&read).unwrap() + "\n", text);
    }
}
