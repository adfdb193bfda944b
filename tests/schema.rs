//! The JSON schemas that are committed in `docs/schema/` are those of the code, and the output keeps to them.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use diskcap::azure::validate::{FleetValidation, lines};
use diskcap::compare::{DiskComparison, PlanComparison, VmComparison};
use diskcap::measure::bench::Bench;
use diskcap::measure::over_time::{PeersReport, SeriesReport};
use diskcap::planner::{Assessment, Simulation};
use diskcap::recommend::Recommendations;
use diskcap::report::saved::KINDS;
use diskcap::report::views::settings::{SCHEMA as SETTINGS, SettingsView};
use serde::Serialize;
use serde::de::DeserializeOwned;
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

/// The file of a schema: `diskcap.plan/1` lies in `diskcap.plan-1.json`.
fn check_kind(name: &str) -> Value {
    let kind = KINDS.iter().find(|kind| kind.schema == name).unwrap();
    check(&name.replace('/', "-"), &kind.json_schema())
}

/// What `words` print keeps to the schema `name`, and is the same when it is read as `R` and written again.
#[track_caller]
fn keeps_to<R: DeserializeOwned + Serialize>(name: &str, words: &[&str]) {
    let schema = check_kind(name);
    for words in words {
        let text = cli::stdout(words);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["schema"], name);
        assert_valid(&schema, &value);
        let read: R = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string_pretty(&read).unwrap() + "\n", text);
    }
}

#[test]
fn a_validation_keeps_to_its_schema_and_reads_back() {
    let words = [
        "validate --from tests/fixtures/azure/one --format json",
        "validate --from tests/fixtures/azure/one --bench lun0=tests/fixtures/bench/small.txt --format json",
        "validate --from tests/fixtures/azure/shop --cost --format json",
    ];
    keeps_to::<FleetValidation>("diskcap.validate/1", &words);
}

#[test]
fn a_bench_keeps_to_its_schema_and_reads_back() {
    keeps_to::<Bench>(
        "diskcap.bench/1",
        &[
            "bench tests/fixtures/bench/disks.md --vm D2s_v3 --disk v1=P10 --disk v2base=v2:size=129 --disk v2double=v2:size=130 --format json",
            "bench tests/fixtures/bench/cached.txt --vm D8s_v3 --disk P20:cache=rw --queue-depth 8 --paging 1GiB --format json",
            "bench tests/fixtures/bench/system.txt tests/fixtures/bench/temp.txt --paging 400MiB --format json",
            "bench tests/fixtures/bench/cache-modes.txt --vm D8s_v3 --format json",
        ],
    );
}

#[test]
fn the_lines_of_a_fleet_have_a_schema() {
    let name = lines::SCHEMA.replace('/', "-");
    check(&name, &schemars::schema_for!(lines::Line));
}

#[test]
fn recommendations_keep_to_their_schema_and_read_back() {
    keeps_to::<Recommendations>(
        "diskcap.recommend/1",
        &[
            "recommend --capacity 1TiB --iops 4000 --mbps 50 --series Dsv3 --frontier --format json",
            "recommend --volume data:size=600,iops=9000,hit=90%,read=80% --volume log:size=64,latency=1ms --format json",
        ],
    );
}

#[test]
fn a_simulation_keeps_to_its_schema_and_reads_back() {
    keeps_to::<Simulation>(
        "diskcap.simulate/1",
        &[
            "simulate --vm D2s_v3 --disk P10 --disk v2:size=130,iops=6000,mbps=250 --block-size 1MiB --format json",
            "simulate --vm E8ds_v5 --disk os=P10:os --disk 2xP20:cache=ro --disk temp --iops 2500 --for 5h --format json",
            "simulate --disk custom --disk P30:burst=on --profile backup --mbps P30=300 --cost --format json",
        ],
    );
}

#[test]
fn a_plan_keeps_to_its_schema_and_reads_back() {
    keeps_to::<Assessment>(
        "diskcap.plan/1",
        &[
            "plan --vm D2s_v3 --disk P10 --disk v2:size=130,iops=6000,mbps=250 --format json",
            "plan --vm E8bds_v5 --interface nvme --disk os=P10:os --disk 2xP30:cache=ro --disk temp --profile oltp --format json",
            "plan --disk custom --disk ultra:size=64,iops=5000,mbps=100 --format json",
            "plan --vm D2s_v3 --disk v1=P10 --disk v2double=v2:size=130,iops=6000,mbps=250 --disk old=E30 --cost --format json",
            "plan --disk custom --disk P30:burst=on --cost --format json",
        ],
    );
}

#[test]
fn comparisons_keep_to_their_schemas_and_read_back() {
    keeps_to::<DiskComparison>(
        "diskcap.compare-disks/1",
        &[
            "compare disks P* E30 custom v2:size=5,iops=10000 --vm E8bds_v5 --interface nvme --format json",
            "compare disks --capacity 4TiB --iops 20000 --max-stripe 2 --no-prices --format json",
            "compare disks temp nvme P30:burst=on,cache=ro --vm L8s_v3 --profile oltp --format json",
        ],
    );
    keeps_to::<VmComparison>(
        "diskcap.compare-vms/1",
        &[
            "compare vms D8s_v5 E8bds_v5 L8s_v3 DC8s_v3 --format json",
            "compare vms D8s_v5 E8bds_v5 D8ds_v5 A2_v2 --disk temp --disk 4xP30:cache=ro --no-prices --format json",
        ],
    );
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let plan = "[vm]\nsize = 'D8s_v5'\n[[disk]]\nspec = 'P30'\n[[disk]]\nspec = 'data=custom'\n";
    std::fs::write(path("a.toml"), plan).unwrap();
    std::fs::write(
        path("b.toml"),
        plan.replace("D8s_v5", "D16s_v5").replace("data", "log"),
    )
    .unwrap();
    let words = format!(
        "compare plans {} {} --format json",
        path("a.toml"),
        path("b.toml")
    );
    keeps_to::<PlanComparison>("diskcap.compare-plans/1", &[&words]);
}

#[test]
fn every_result_that_can_be_read_again_has_its_schema_committed() {
    for kind in &KINDS {
        check_kind(kind.schema);
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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.csv");
    std::fs::write(&path, log).unwrap();
    let path = path.display();
    let bound = "--vm D2s_v3 --disk one=P10 --disk two=P20 --map a=one --map b=two";
    keeps_to::<SeriesReport>(
        "diskcap.series/1",
        &[
            &format!("bench series {path} --format json"),
            &format!("bench series {path} {bound} --format json"),
        ],
    );
    keeps_to::<PeersReport>(
        "diskcap.peers/1",
        &[
            &format!("bench twins {path} --format json"),
            &format!("bench twins {path} {bound} --format json"),
            &format!("bench twins {path} --group-by file --format json"),
        ],
    );
}

#[test]
fn the_settings_keep_to_their_schema() {
    let schema = check(
        &SETTINGS.replace('/', "-"),
        &schemars::schema_for!(SettingsView),
    );
    let value: Value = serde_json::from_str(&cli::stdout("config show --format json")).unwrap();
    assert_eq!(value["schema"], SETTINGS);
    assert_valid(&schema, &value);
}
