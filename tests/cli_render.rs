//! `diskcap render`, and where results are written, as a person meets them.

#[path = "common/cli.rs"]
mod cli;

use std::fs;

use cli::{plans, run_in, shown, stdout};
use serde_json::Value;

#[test]
fn a_saved_result_renders_again_as_it_was_shown() {
    let folder = tempfile::tempdir().unwrap();
    plans(folder.path());
    for words in [
        "compare disks P* v2:size=512GiB --vm Standard_D8s_v5",
        "compare vms D?ds_v5 D8s_v5 --disk temp --disk P30 --profile oltp",
        "compare plans today.toml larger.toml",
        "plan today.toml --cost",
    ] {
        let saved = run_in(folder.path(), &format!("{words} --output saved.json"));
        assert!(saved.status.success(), "{}", shown(words, &saved));
        for format in ["json", "table", "markdown", "csv", "html", "xlsx", "svg"] {
            if format == "svg" && words.starts_with("compare plans") {
                continue;
            }
            let direct = run_in(folder.path(), &format!("{words} --format {format}"));
            let again = run_in(
                folder.path(),
                &format!("render saved.json --format {format}"),
            );
            assert!(again.status.success(), "{}", shown(words, &again));
            assert!(direct.stdout == again.stdout, "{words} as {format}");
        }
    }
}

#[test]
fn a_result_that_a_shell_redirected_as_utf_16_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let words = "compare disks P30 --vm D8s_v5";
    let text = stdout(&format!("{words} --format json"));
    let utf16 = "\u{feff}".encode_utf16().chain(text.encode_utf16());
    let bytes: Vec<u8> = utf16.flat_map(u16::to_le_bytes).collect();
    fs::write(folder.path().join("x.json"), bytes).unwrap();
    let again = run_in(folder.path(), "render x.json");
    assert_eq!(String::from_utf8(again.stdout).unwrap(), stdout(words));
}

#[test]
fn a_saved_plan_that_lost_a_part_still_renders() {
    let folder = tempfile::tempdir().unwrap();
    let text = stdout("plan --vm D8s_v5 --disk P30 --disk P10 --format json");
    let mut plan: Value = serde_json::from_str(&text).unwrap();
    plan["workloads"][0]["volumes"]
        .as_array_mut()
        .unwrap()
        .pop();
    plan["workloads"][1]["volumes"] = Value::Array(Vec::new());
    fs::write(folder.path().join("x.json"), plan.to_string()).unwrap();
    for format in ["table", "markdown", "csv", "html", "xlsx", "json"] {
        let words = format!("render x.json --format {format}");
        let output = run_in(folder.path(), &words);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&words, &output));
    }
}

#[test]
fn what_was_not_saved_by_us_is_refused_with_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let render = |text: &str| {
        fs::write(folder.path().join("x.json"), text).unwrap();
        let output = run_in(folder.path(), "render x.json");
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(render("{\"a\": 1}").contains("diskcap.compare-vms/1"));
    assert!(render("{\"schema\": \"diskcap.plan/99\"}").contains("'diskcap.plan/99'"));
    assert!(render("{\"schema\"").contains("line 1"));
    assert!(render("\u{feff}{\"schema\": \"diskcap.plan/1\"}").contains("is not whole"));
}

#[test]
fn an_output_that_cannot_be_written_is_said_and_one_that_exists_is_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let words = "compare disks P30 --output";
    let output = run_in(folder.path(), &format!("{words} missing/disks.csv"));
    let message = shown(words, &output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("there is no folder 'missing'"),
        "{message}"
    );
    let output = run_in(folder.path(), &format!("{words} ."));
    assert_eq!(output.status.code(), Some(2));
    // An earlier file is there whole until the new one is.
    let path = folder.path().join("disks.csv");
    fs::write(&path, "x".repeat(100_000)).unwrap();
    assert!(
        run_in(folder.path(), &format!("{words} disks.csv"))
            .status
            .success()
    );
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.starts_with("disk,sku,") && text.lines().count() == 2,
        "{text}"
    );
    // What fails leaves it as it was, and nothing beside it.
    let failed = run_in(folder.path(), "compare disks P35 --output disks.csv");
    assert_eq!(failed.status.code(), Some(2));
    let failed = run_in(
        folder.path(),
        "compare disks P30 --columns nothing --output disks.csv",
    );
    assert_eq!(failed.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_reader_that_goes_is_no_error() {
    use std::io::Read;
    let mut child = cli::command()
        .args(["compare", "vms", "*s_v5", "--no-prices", "--format", "json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0_u8; 16];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}
