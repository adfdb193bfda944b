//! Saved answers: from standard input, of some VMs only, with measured results beside them.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::{command, run, shown, stdout};
use crate::{ONE, SHOP, code, fails};

#[test]
fn measured_results_are_held_against_the_volume() {
    // By the volume's name, and by the disk's.
    for target in ["lun0", "DB1-data0"] {
        let text = stdout(&format!(
            "{ONE} --bench {target}=tests/fixtures/bench/small.txt --format json"
        ));
        let value: Value = serde_json::from_str(&text).unwrap();
        let bench = &value["vms"][0]["bench"];
        assert_eq!(bench["runs"][0]["volume"], "lun0", "{target}");
        assert_eq!(bench["vm"], "Standard_D8s_v5");
    }
    let shown = stdout(&format!(
        "{ONE} --bench lun0=tests/fixtures/bench/small.txt"
    ));
    assert!(
        shown.contains("QD for prov. IOPS") && shown.contains("Measured")
            || shown.contains("Predicted"),
        "{shown}"
    );
}

#[test]
fn saved_answers_come_from_standard_input_too() {
    use std::io::Write;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/azure/one");
    let mut child = command()
        .args(["validate", "--from", "-", "--format", "csv"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let text = std::fs::read(folder.join("vms.json")).unwrap();
    child.stdin.take().unwrap().write_all(&text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("db1,SHOP"));
}

/// What `--vm` and `--id` leave of saved answers: the VMs by name.
fn left(words: &str) -> Vec<String> {
    let text = stdout(&format!("{SHOP} {words} --format json"));
    let value: Value = serde_json::from_str(&text).unwrap();
    let vms = value["vms"].as_array().unwrap();
    let name = |vm: &Value| vm["vm"]["name"].as_str().unwrap().to_owned();
    vms.iter().map(name).collect()
}

#[test]
fn saved_answers_are_looked_at_for_some_vms_only() {
    assert_eq!(left("--vm DB1"), ["db1"]);
    assert_eq!(left("--vm web1 --vm db1"), ["db1", "web1"]);
    let all: Value = serde_json::from_str(&stdout(&format!("{SHOP} --format json"))).unwrap();
    let id = all["vms"][1]["vm"]["id"].as_str().unwrap();
    assert_eq!(left(&format!("--id {id}")), ["web1"]);
    // A disk that no VM has belongs to none of those asked about.
    let one: Value =
        serde_json::from_str(&stdout(&format!("{SHOP} --vm db1 --format json"))).unwrap();
    assert_eq!(one["disks"], json!([]));
    let of_db1 = |value: &Value| value["vms"][0]["disks"].clone();
    assert_eq!(of_db1(&one), of_db1(&all));
    let (group, _) = id.split_once("/providers").unwrap();
    let group = stdout(&format!("{SHOP} --id {group} --format json"));
    let group: Value = serde_json::from_str(&group).unwrap();
    assert_eq!(group["vms"], all["vms"]);
    let told = fails(&run(&format!("{SHOP} --vm db9")), 2);
    assert!(
        told.contains("no VM 'db9' in what was read, which has app1, db1")
            && told.contains("; did you mean db1?"),
        "{told}"
    );
    let group = "/providers/Microsoft.Management/managementGroups/mg";
    let told = fails(&run(&format!("{SHOP} --id {group}")), 2);
    assert!(told.contains("beside --from"), "{told}");
    let bench = "--bench lun0=tests/fixtures/bench/small.txt";
    let told = fails(&run(&format!("{SHOP} {bench}")), 2);
    assert!(told.contains("name the one with --vm or --id"), "{told}");
    let output = run(&format!("{SHOP} --vm db1 {bench} --format json"));
    assert_eq!(code(&output), 0, "{}", shown("bench", &output));
}

#[test]
fn columns_of_a_table_are_bound_by_the_names_of_disks() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.md");
    let heads = ["db1-data0 (IOPS)", "Log disk (IOPS)"];
    let text = format!(
        "| Test | {} | {} |\n|---|---|---|\n| 4K random read QD32 | 4,900 | 15,800 |\n",
        heads[0], heads[1]
    );
    std::fs::write(&table, text).unwrap();
    let volumes = |bench: &str| -> Vec<Value> {
        let file = table.display();
        let bench = bench.replace("t.md", &file.to_string());
        let from = ONE.split_whitespace().skip(1);
        let output = command()
            .arg("validate")
            .args(from)
            .args(["--format", "json", "--bench", &bench])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let runs = value["vms"][0]["bench"]["runs"].as_array().cloned();
        let runs = runs.unwrap_or_default().into_iter();
        runs.map(|run| run["volume"].clone()).collect()
    };
    assert_eq!(volumes("t.md#db1-data0"), ["lun0"]);
    assert_eq!(volumes("lun2=t.md#log disk"), ["lun2"]);
    // Of the whole table one column is of no disk: it has to be said.
    assert!(volumes("t.md").is_empty());
}
