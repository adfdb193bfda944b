//! Settings that hold for every command: file, environment and flags over one another.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use std::path::Path;
use std::process::{Command, Output};

use cli::{command, shown};
use serde_json::Value;

const PLAN: &str = "plan --vm D2s_v3 --disk P30";

/// The command with the configuration file `config.toml` of `folder`.
fn configured(folder: &Path) -> Command {
    let mut command = command();
    command
        .current_dir(folder)
        .env("DISKCAP_CONFIG", "config.toml");
    command
}

fn run(command: &mut Command, words: &str) -> Output {
    command.args(words.split_whitespace()).output().unwrap()
}

/// A folder with this text as its configuration file.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.toml"), text).unwrap();
    folder
}

#[track_caller]
fn out(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", shown("", output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", shown("", output));
    assert!(output.stdout.is_empty(), "{}", shown("", output));
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Each setting by its key, from `config show --format json`.
fn settings(command: &mut Command, words: &str) -> Value {
    let text = out(&run(command, &format!("config show --format json {words}")));
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], "diskcap.settings/1");
    let rows = value["settings"].as_array().unwrap().iter();
    rows.map(|row| (row["key"].as_str().unwrap().to_owned(), row.clone()))
        .collect()
}

#[test]
fn flags_go_over_the_environment_and_that_over_the_file() {
    let folder = folder("format = 'csv'\n\nfail_on = 'warning'\n");
    let first = |output: Output| out(&output).lines().next().unwrap().to_owned();
    let of_file = first(run(&mut configured(folder.path()), "explain"));
    assert!(of_file.starts_with("id,title"), "{of_file}");
    let of_environment = first(run(
        configured(folder.path()).env("DISKCAP_FORMAT", "markdown"),
        "explain",
    ));
    assert_eq!(of_environment, "# Findings");
    let of_flag = first(run(
        configured(folder.path()).env("DISKCAP_FORMAT", "markdown"),
        "explain --format table",
    ));
    assert_eq!(of_flag, "Findings");

    let code = |command: &mut Command, words: &str| run(command, words).status.code();
    assert_eq!(code(&mut command(), PLAN), Some(0));
    assert_eq!(code(&mut configured(folder.path()), PLAN), Some(1));
    let over = |value: &str| {
        let mut command = configured(folder.path());
        command.env("DISKCAP_FAIL_ON", value);
        command
    };
    assert_eq!(code(&mut over("error"), PLAN), Some(0));
    assert_eq!(
        code(&mut over("error"), &format!("{PLAN} --fail-on info")),
        Some(1)
    );
    let never = format!("{PLAN} --fail-on never");
    assert_eq!(code(&mut configured(folder.path()), &never), Some(0));
}

#[test]
fn each_value_is_shown_with_its_origin() {
    let folder = folder("# mine\nregion = 'West Europe'\ncurrency = 'EUR'\n");
    let mut command = configured(folder.path());
    command.env("DISKCAP_CURRENCY", "usd");
    let found = settings(&mut command, "");
    assert_eq!(found["region"]["value"], "West Europe");
    assert_eq!(found["region"]["origin"]["from"], "file");
    assert_eq!(found["region"]["origin"]["line"], 2);
    assert_eq!(found["currency"]["value"], "usd");
    assert_eq!(found["currency"]["origin"]["variable"], "DISKCAP_CURRENCY");
    assert_eq!(found["format"]["origin"]["flag"], "--format");
    assert_eq!(found["tolerance"]["value"], "7.5%");
    assert_eq!(found["tolerance"]["origin"]["from"], "default");
    assert_eq!(found["auth"]["value"], Value::Null);
    let table = out(&run(
        configured(folder.path())
            .env("DISKCAP_AUTH", "cli")
            .env("DISKCAP_DATA_DIR", "/srv/prices"),
        "config show --color never --width 100",
    ));
    insta::assert_snapshot!("show", table);
}

#[test]
fn the_region_is_a_flag_s_then_the_plan_s_then_the_one_that_is_set() {
    let folder = folder("region = 'westeurope'\n");
    let plan = |head: &str| format!("[vm]\nsize = 'D2s_v3'\n{head}\n[[disk]]\nsku = 'P30'\n");
    std::fs::write(folder.path().join("anywhere.toml"), plan("")).unwrap();
    std::fs::write(
        folder.path().join("paris.toml"),
        plan("region = 'francecentral'"),
    )
    .unwrap();
    let region = |command: &mut Command, words: &str| {
        let text = out(&run(command, &format!("{words} --cost --format json")));
        let plan: Value = serde_json::from_str(&text).unwrap();
        plan["cost"]["prices"]["region"].as_str().map(str::to_owned)
    };
    let set = |words: &str| region(&mut configured(folder.path()), words);
    assert_eq!(set("plan anywhere.toml").as_deref(), Some("westeurope"));
    assert_eq!(set("plan paris.toml").as_deref(), Some("francecentral"));
    assert_eq!(
        set("plan paris.toml --region uksouth").as_deref(),
        Some("uksouth")
    );
    let mut over = configured(folder.path());
    over.env("DISKCAP_REGION", "northeurope");
    assert_eq!(
        region(&mut over, "plan anywhere.toml").as_deref(),
        Some("northeurope")
    );
    let text = out(&run(&mut configured(folder.path()), "compare disks P30"));
    assert!(text.contains("westeurope"), "{text}");
    let text = out(&run(
        &mut configured(folder.path()),
        "recommend --capacity 64 --top 1",
    ));
    assert!(text.contains("westeurope"), "{text}");
}

#[test]
fn a_file_s_ending_goes_over_the_format_that_is_set() {
    let folder = folder("format = 'json'\n");
    out(&run(
        &mut configured(folder.path()),
        "explain VM-UNCACHED-IOPS --output finding.md",
    ));
    let text = std::fs::read_to_string(folder.path().join("finding.md")).unwrap();
    assert!(text.starts_with("# VM-UNCACHED-IOPS"), "{text}");
}

#[test]
fn colour_and_tolerance_are_taken_from_the_file() {
    let folder = folder("color = 'always'\ntolerance = '30%'\n");
    let text = out(&run(&mut configured(folder.path()), "explain"));
    assert!(text.contains('\u{1b}'));
    let text = out(&run(
        &mut configured(folder.path()),
        "explain --color never",
    ));
    assert!(!text.contains('\u{1b}'));
    std::fs::write(
        folder.path().join("r.csv"),
        "test,read_write,block_size,queue_depth,iops\nrandom,read,4KiB,32,400\n",
    )
    .unwrap();
    let words = "bench r.csv --vm D8s_v3 --disk P10 --color never --format json";
    let judged = |words: &str| {
        let text = out(&run(&mut configured(folder.path()), words));
        let value: Value = serde_json::from_str(&text).unwrap();
        value["tolerance"].as_f64()
    };
    assert_eq!(judged(words), Some(0.3));
    assert_eq!(judged(&format!("{words} --tolerance 10%")), Some(0.1));
}

#[test]
fn the_data_folder_holds_the_prices() {
    let folder = folder("data_dir = 'mine'\n");
    let prices = folder.path().join("mine/prices");
    std::fs::create_dir_all(&prices).unwrap();
    std::fs::write(prices.join("manifest.json"), "no manifest").unwrap();
    let output = run(&mut configured(folder.path()), "compare disks P30");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(
        err.contains("mine") && err.contains("manifest.json"),
        "{err}"
    );
}

#[test]
fn what_cannot_be_set_is_told_with_its_place() {
    let refused = |text: &str| refusal(&run(&mut configured(folder(text).path()), PLAN));
    assert_eq!(
        refused("region = 'westeurope'\nregoin = 'westeurope'\n"),
        "error: configuration 'config.toml': line 2: unknown key 'regoin'; did you mean region?\n"
    );
    assert_eq!(
        refused("\nfail_on = 'warn'\n"),
        "error: configuration 'config.toml', line 2: fail_on: 'warn' is none of error, warning, info, never\n"
    );
    assert_eq!(
        refused("region = 'westeurop'"),
        "error: configuration 'config.toml', line 1: region: unknown region 'westeurop'; did you mean westeurope?\n"
    );
    let message = refused("region = westeurope");
    assert!(
        message.contains("config.toml") && message.contains("line 1"),
        "{message}"
    );
    assert_eq!(
        refusal(&run(command().env("DISKCAP_COLOR", "blue"), PLAN)),
        "error: environment variable DISKCAP_COLOR: color: 'blue' is none of auto, always, never\n"
    );
    let message = refusal(&run(command().env("DISKCAP_CONFIG", "no/such.toml"), PLAN));
    assert!(
        message.starts_with("error: cannot read the configuration 'no/such.toml': "),
        "{message}"
    );
    // A mistake in the file does not hide behind the environment, and help needs no file at all.
    let bad = folder("color = 'blue'");
    let mut covered = configured(bad.path());
    refusal(&run(covered.env("DISKCAP_COLOR", "never"), PLAN));
    out(&run(&mut configured(bad.path()), "--help"));
    out(&run(&mut configured(bad.path()), "config path"));
}

/// A slip in the name of a variable is told, as one in the file is; those of completion and sign-in are no slips.
#[test]
fn variables_that_set_nothing_are_told() {
    let folder = folder("");
    let mut command = configured(folder.path());
    command
        .env("DISKCAP_REGON", "westeurope")
        .env("DISKCAP_ACCESS_TOKEN", "x")
        .env("DISKCAP_REGION", "northeurope");
    let output = run(&mut command, "skus show P30");
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "warning: the environment variable DISKCAP_REGON sets nothing; did you mean DISKCAP_REGION?\n"
    );
}

/// A home folder that cannot be looked into is not one without a configuration; its data are not written anew there.
#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_not_called_missing() {
    let folder = folder("");
    let no_folder = folder.path().join("file");
    std::fs::write(&no_folder, "").unwrap();
    let mut command = cli::command();
    command
        .env_remove("DISKCAP_CONFIG")
        .env("XDG_CONFIG_HOME", &no_folder);
    let shown = run(&mut command, "config show");
    let text = out(&shown);
    assert!(
        text.contains("config.toml (cannot be looked at: "),
        "{text}"
    );
    let mut command = cli::command();
    command.env("DISKCAP_DATA_DIR", &no_folder);
    let output = run(&mut command, "skus show P30");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("cannot be read (Not a directory"), "{told}");
    assert!(told.contains("name another one (data_dir in the configuration, or DISKCAP_DATA_DIR)"));
    assert!(!told.contains("skus update"), "{told}");
}

#[test]
fn a_file_is_begun_once_and_found_again() {
    let home = tempfile::tempdir().unwrap();
    let at_home = || {
        let mut command = command();
        command
            .env_remove("DISKCAP_CONFIG")
            .env("HOME", home.path())
            .env("APPDATA", home.path().join("AppData"))
            .env_remove("XDG_CONFIG_HOME");
        command
    };
    let output = run(&mut at_home(), "config path");
    let path = out(&output).trim_end().to_owned();
    assert!(path.ends_with("config.toml") && path.starts_with(home.path().to_str().unwrap()));
    assert!(String::from_utf8_lossy(&output.stderr).contains("diskcap config init"));
    out(&run(&mut at_home(), PLAN));
    out(&run(&mut at_home(), "config init"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("#region = "));
    std::fs::write(&path, text.replace("#fail_on", "fail_on")).unwrap();
    assert_eq!(run(&mut at_home(), PLAN).status.code(), Some(1));
    let message = refusal(&run(&mut at_home(), "config init"));
    assert!(message.contains("exists and is left as it is"), "{message}");
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .contains("\nfail_on")
    );
}

#[test]
fn a_file_that_a_shell_saved_as_utf_16_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let utf_16 = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    std::fs::write(
        folder.path().join("config.toml"),
        utf_16("format = 'csv'\r\n"),
    )
    .unwrap();
    let text = out(&run(&mut configured(folder.path()), "explain"));
    assert!(text.starts_with("id,"), "{text}");
    let need = out(&run(&mut command(), "recommend --example"));
    std::fs::write(folder.path().join("need.toml"), utf_16(&need)).unwrap();
    out(&run(
        &mut configured(folder.path()),
        "recommend need.toml --top 1 --format json",
    ));
    std::fs::write(folder.path().join("need.toml"), [0xE9, b'=']).unwrap();
    let message = refusal(&run(&mut configured(folder.path()), "recommend need.toml"));
    assert!(message.contains("save it as UTF-8"), "{message}");
}

#[test]
fn no_file_is_wanted_with_none() {
    let message = refusal(&run(&mut command(), "config path"));
    assert!(message.contains("--config or DISKCAP_CONFIG"), "{message}");
    let folder = folder("format = 'csv'\n");
    let text = out(&run(
        &mut configured(folder.path()),
        "explain --config none",
    ));
    assert!(text.starts_with("Findings"), "{text}");
    let text = out(&run(
        command().current_dir(folder.path()),
        "--config config.toml explain",
    ));
    assert!(text.starts_with("id,"), "{text}");
}

/// Standard_DS2_v2 retires on 2028-05-01: on the day after it cannot be planned, and what is no day is told.
#[test]
fn the_environment_can_name_the_day() {
    let code = |day: &str| {
        let mut command = command();
        command.args(["plan", "--vm", "DS2_v2", "--disk", "P10"]);
        let output = command.env("DISKCAP_TODAY", day).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), stderr)
    };
    assert_eq!(code("2028-04-30").0, Some(0));
    assert_eq!(code("2028-05-02").0, Some(2));
    let (no_day, told) = code("tomorrow");
    assert_eq!(no_day, Some(2));
    assert!(
        told.contains("DISKCAP_TODAY: 'tomorrow' is not a day: write it as 2026-12-31"),
        "{told}"
    );
}
