//! Findings in a pipeline: suppressions, exit codes, SARIF and JUnit, as somebody who writes one meets them.

#![allow(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it must be"
)]

#[path = "common/cli.rs"]
mod cli;

use std::fs;
use std::process::Output;

use cli::{run, run_in, shown};
use tempfile::TempDir;

/// Warnings and no error: a P30 (5,000 IOPS, 200 MB/s) on a D2s_v3 (3,200 IOPS and 48 MB/s uncached).
const PLAN: &str = "\
name = 'orders'

[vm]
size = 'Standard_D2s_v3'

[[disk]]
name = 'data'
sku = 'P30'
";

/// A folder with the plan and a suppression file.
fn folder(suppressions: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    fs::write(folder.path().join("accepted.toml"), suppressions).unwrap();
    folder
}

fn plan(suppressions: &str, words: &str) -> Output {
    run_in(
        folder(suppressions).path(),
        &format!("plan plan.toml --suppress accepted.toml {words}"),
    )
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const ALL_HELD: &str =
    "[[suppress]]\nid = '*'\nreason = 'a small one is enough here'\nexpires = 2999-12-31\n";

#[test]
fn what_is_suppressed_does_not_fail_and_is_listed_with_its_reason() {
    assert_eq!(plan("", "--fail-on warning").status.code(), Some(1));
    let output = plan(ALL_HELD, "--fail-on info --width 80");
    assert_eq!(output.status.code(), Some(0), "{}", shown("", &output));
    assert_eq!(stderr(&output), "");
    let text = String::from_utf8_lossy(&output.stdout);
    let list = text.split_once("Suppressed findings").unwrap().1;
    assert!(
        list.contains("a small one is enough here (until 2999-12-31, accepted.toml, line 1)"),
        "{text}"
    );
    assert!(!text.contains("\nFindings\n"), "{text}");

    let one = "[[suppress]]\nid = 'unusable'\nvm = 'orders'\nsubject = 'DATA'\nreason = 'r'\n";
    let output = plan(one, "--fail-on warning");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("at or above --fail-on warning, 1 suppressed"),
        "{}",
        stderr(&output)
    );
    for vm in ["D2s_v3", "standard_d2s_v3", "ord*"] {
        let entry = format!("[[suppress]]\nid = '*'\nvm = '{vm}'\nreason = 'r'\n");
        assert_eq!(
            plan(&entry, "--fail-on warning").status.code(),
            Some(0),
            "{vm}"
        );
    }
}

#[test]
fn what_has_expired_counts_again_and_what_fits_nothing_is_told() {
    let text = "[[suppress]]\nid = 'UNUSABLE'\nreason = 'r'\nexpires = '2020-02-29'\n\
                [[suppress]]\nid = 'V2-*'\nsubject = 'log'\nreason = 'r'\n";
    let output = plan(text, "--fail-on warning");
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(
        said.contains(
            "warning: accepted.toml, line 1: the suppression of UNUSABLE expired on 2020-02-29: "
        ),
        "{said}"
    );
    assert!(
        said.contains(
            "note: accepted.toml, line 5: the suppression of V2-* (subject log) fits no finding\n"
        ),
        "{said}"
    );
    // Without --fail-on both are said, and nothing fails.
    let output = plan(text, "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output).lines().count(), 2);
}

#[test]
fn several_files_count_together_and_an_accepted_error_does_not_stop() {
    let words = "plan --vm D2s_v3 --disk v2:size=100,cache=ro";
    assert_eq!(run(words).status.code(), Some(2));
    let folder = folder("[[suppress]]\nid = 'V2-CACHING'\nreason = 'the template is mended'\n");
    fs::write(folder.path().join("b.toml"), ALL_HELD).unwrap();
    let words = format!("{words} --suppress accepted.toml --suppress b.toml --fail-on info");
    let output = run_in(folder.path(), &words);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&words, &output));
}

#[test]
fn a_bad_file_ends_with_2_and_names_line_and_key() {
    for (text, words) in [
        (
            "[[suppress]]\nid = 'UNUSABLE'\nraeson = 'r'",
            "'accepted.toml', line 3: unknown key 'raeson'; did you mean reason?",
        ),
        (
            "[[suppress]]\nid = 'UNUSABL'\nreason = 'r'",
            "line 2: unknown finding id 'UNUSABL'; did you mean UNUSABLE?",
        ),
        (
            "[[suppress]]\nid = 'UNUSABLE'",
            "line 1: this entry has no 'reason'",
        ),
        ("[[suppress", "'accepted.toml': TOML parse error at line 1"),
    ] {
        let output = plan(text, "");
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(
            output.stdout.is_empty() && stderr(&output).contains(words),
            "{}",
            stderr(&output)
        );
    }
    let output = run("plan --vm D2s_v3 --disk P30 --suppress no-such.toml");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot read 'no-such.toml'"));
}

/// Without what changes with every version: the version, the rules, and the places of rules among them.
fn steady(sarif: &str) -> String {
    let lines = sarif.lines().filter(|line| !line.starts_with("{\"id\":"));
    let lines = lines.map(|line| match line.split_once("\"ruleIndex\":") {
        Some((before, rest)) => {
            let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}\"ruleIndex\":0{after}")
        }
        None => line.replace(env!("CARGO_PKG_VERSION"), "0.0.0"),
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn a_plan_file_as_sarif_and_as_junit() {
    let text = "[[suppress]]\nid = 'UNUSABLE'\nsubject = 'data'\nreason = 'moves in spring'\nexpires = 2999-12-31\n";
    let output = plan(text, "--format sarif --fail-on warning");
    let sarif = String::from_utf8(output.stdout).unwrap();
    insta::assert_snapshot!("plan_sarif", steady(&sarif));
    let output = plan(text, "--format junit --fail-on warning");
    insta::assert_snapshot!("plan_junit", String::from_utf8(output.stdout).unwrap());
}

#[test]
fn the_ending_decides_and_places_are_seen_from_the_working_folder() {
    let folder = folder("");
    let inner = folder.path().join("ci");
    fs::create_dir(&inner).unwrap();
    let uri = |place: &std::path::Path, file: &str| {
        let output = run_in(place, &format!("plan {file} --output x.sarif"));
        assert!(output.status.success(), "{}", shown("", &output));
        let text = fs::read_to_string(place.join("x.sarif")).unwrap();
        let log: serde_json::Value = serde_json::from_str(&text).unwrap();
        let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(location["region"]["startLine"], 3);
        location["artifactLocation"].clone()
    };
    let whole = folder.path().join("plan.toml").display().to_string();
    let relative = serde_json::json!({ "uri": "plan.toml", "uriBaseId": "%SRCROOT%" });
    assert_eq!(uri(folder.path(), "ci/../plan.toml"), relative);
    assert_eq!(uri(folder.path(), &whole), relative);
    let above = uri(&inner, "../plan.toml");
    assert!(
        above["uri"].as_str().unwrap().starts_with("file:///") && above.get("uriBaseId").is_none(),
        "{above}"
    );

    let words = "plan --vm D64s_v5 --disk P10 --iops 100 --output x.junit.xml";
    assert_eq!(run_in(folder.path(), words).status.code(), Some(0));
    let text = fs::read_to_string(folder.path().join("x.junit.xml")).unwrap();
    let xml = roxmltree::Document::parse(&text).unwrap();
    let cases: Vec<_> = xml
        .descendants()
        .filter(|n| n.has_tag_name("testcase"))
        .collect();
    assert_eq!(cases.len(), 1, "{text}");
    assert_eq!(cases[0].attribute("name"), Some("no findings"));
    assert_eq!(cases[0].attribute("classname"), Some("Standard_D64s_v5"));
}

#[test]
fn a_saved_plan_keeps_its_suppressions() {
    let folder = folder(ALL_HELD);
    let words = "plan plan.toml --suppress accepted.toml --output plan.json";
    assert!(run_in(folder.path(), words).status.success());
    let output = run_in(folder.path(), "render plan.json --format junit");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("suppressed: a small one is enough here (until 2999-12-31)"),
        "{text}"
    );
    assert!(!text.contains("<failure"), "{text}");
}

#[test]
fn measured_results_have_a_suite_a_run() {
    let words = "bench tests/fixtures/bench/small.txt tests/fixtures/bench/temp.txt --vm D2s_v3 --disk P10 --format junit";
    let output = run(words);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let xml = roxmltree::Document::parse(&text).unwrap();
    let suites = xml.descendants().filter(|n| n.has_tag_name("testsuite"));
    let names: Vec<_> = suites.map(|n| n.attribute("name").unwrap()).collect();
    assert_eq!(names, ["small", "temp"], "{}", shown(words, &output));
    let output = run(&words.replace("junit", "sarif"));
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let first = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
        ["uri"];
    assert!(
        first.as_str().unwrap().starts_with("tests/fixtures/bench/"),
        "{first}"
    );
}

/// `az vm list` of two VMs alike, each a small size with a large disk.
fn fleet() -> String {
    let vm = |name: &str| {
        let id = |kind: &str, name: &str| {
            format!(
                "/subscriptions/s1/resourceGroups/rg1/providers/Microsoft.Compute/{kind}/{name}"
            )
        };
        let disk = |name: &str, size: u32| {
            serde_json::json!({
                "name": name, "diskSizeGb": size, "caching": "None", "lun": 0,
                "managedDisk": { "id": id("disks", name), "storageAccountType": "Premium_LRS" }
            })
        };
        serde_json::json!({
            "id": id("virtualMachines", name), "name": name, "location": "westeurope", "resourceGroup": "rg1",
            "hardwareProfile": { "vmSize": "Standard_D2s_v3" },
            "storageProfile": {
                "osDisk": disk(&format!("{name}-os"), 128),
                "dataDisks": [disk(&format!("{name}-data"), 1024)]
            }
        })
    };
    serde_json::json!([vm("db1"), vm("db2")]).to_string()
}

#[test]
fn deployed_vms_have_a_suite_each_and_are_suppressed_by_name_or_id() {
    let folder = folder(
        "[[suppress]]\nid = '*'\nvm = '*/virtualMachines/db1'\nreason = 'is shut down in May'\n",
    );
    fs::write(folder.path().join("vms.json"), fleet()).unwrap();
    let words = "validate --from vms.json --suppress accepted.toml --fail-on info";
    let output = run_in(folder.path(), &format!("{words} --format junit"));
    assert_eq!(output.status.code(), Some(1), "{}", shown(words, &output));
    let text = String::from_utf8(output.stdout).unwrap();
    let xml = roxmltree::Document::parse(&text).unwrap();
    let suites: Vec<_> = xml
        .descendants()
        .filter(|n| n.has_tag_name("testsuite"))
        .collect();
    let of = |name: &str| {
        suites
            .iter()
            .map(|n| n.attribute(name).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("name"), ["rg1/db1", "rg1/db2"], "{text}");
    let (tests, failures, skipped) = (of("tests"), of("failures"), of("skipped"));
    assert_eq!(tests[0], tests[1], "two alike: {text}");
    assert_eq!((failures[0], failures[1]), ("0", tests[1]));
    assert_eq!((skipped[0], skipped[1]), (tests[0], "0"));

    let output = run_in(folder.path(), &format!("{words} --format sarif"));
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(
        results.len().to_string(),
        (2 * tests[0].parse::<usize>().unwrap()).to_string()
    );
    let of_vm = results
        .iter()
        .find(|r| r["ruleId"] == "VM-UNCACHED-IOPS")
        .unwrap();
    let place = &of_vm["locations"][0];
    assert_eq!(place["logicalLocations"][0]["name"], "db1");
    let id = "/subscriptions/s1/resourceGroups/rg1/providers/Microsoft.Compute/virtualMachines/db1";
    assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], id);
    assert_eq!(
        place["physicalLocation"]["artifactLocation"]["uri"],
        "vms.json"
    );
    let print = format!("VM-UNCACHED-IOPS|{id}||1");
    assert_eq!(of_vm["partialFingerprints"]["findingNames/v1"], print);

    let output = run_in(folder.path(), &format!("{words} --width 100"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1 of 2 VMs have findings"), "{text}");
    assert!(text.contains(&format!("{} suppressed", tests[0])), "{text}");
    assert!(
        text.contains("db1/lun0") && text.contains("is shut down in May (accepted.toml, line 1)"),
        "{text}"
    );

    // A table of findings has those that count; the others are a table of their own.
    let owners = |table: &str| {
        let asked = format!("{words} --format csv --table {table} --columns owner");
        let output = run_in(folder.path(), &asked);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let (open, suppressed) = (owners("findings"), owners("suppressed"));
    assert!(open.iter().all(|owner| owner == "db2"), "{open:?}");
    assert!(
        suppressed.iter().all(|owner| owner == "db1"),
        "{suppressed:?}"
    );
    assert_eq!(
        (open.len().to_string(), suppressed.len().to_string()),
        (tests[0].to_owned(), tests[0].to_owned())
    );
}

#[test]
fn what_judges_nothing_says_so() {
    let output = run("skus list --vm D2s_v3 --format sarif");
    assert_eq!(output.status.code(), Some(2));
    let output = run("compare vms D2s_v3 D4s_v3 --format junit");
    assert_eq!(output.status.code(), Some(2), "{}", shown("", &output));
    assert!(
        stderr(&output).contains("nothing to show as junit"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_example_file_is_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ci/suppressions.toml");
    let folder = tempfile::tempdir().unwrap();
    let example = cli::stdout("plan --example");
    fs::write(folder.path().join("plan.toml"), example).unwrap();
    let output = run_in(folder.path(), &format!("plan plan.toml --suppress {path}"));
    assert_eq!(output.status.code(), Some(0), "{}", shown("", &output));
    // Both entries fit a finding of the example plan, and neither has expired.
    let told = stderr(&output);
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("simulate"), "{told}");
}

#[test]
fn what_is_missing_in_an_answer_is_said_to_pipelines() {
    let folder = folder("");
    let page: serde_json::Value = serde_json::from_str(&fleet()).unwrap();
    let page = serde_json::json!({ "value": page, "nextLink": "https://example.com/more" });
    fs::write(folder.path().join("page.json"), page.to_string()).unwrap();
    for format in ["junit", "sarif"] {
        let words = format!("validate --from page.json --format {format}");
        let output = run_in(folder.path(), &words);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.contains(
                "Incomplete: page.json: a list of VMs goes on in further pages (nextLink"
            ),
            "{text}"
        );
    }
}
