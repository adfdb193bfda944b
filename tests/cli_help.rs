//! Help that teaches: every command opens with examples, every example runs, and what goes wrong at first is answered
//! with what would be right.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use cli::{command, run, shown, stdout};

/// The files that examples read, and what of the fixtures they are; a folder's files keep their names.
const FILES: [(&str, &str); 32] = [
    ("result.txt", "bench/system.txt"),
    ("before.txt", "bench/system.txt"),
    ("after.txt", "bench/temp.txt"),
    ("c.txt", "bench/system.txt"),
    ("d.txt", "bench/temp.txt"),
    ("matrix.md", "bench/disks.md"),
    ("a.json", "measure/fio3-clones-and-sync-engine.json"),
    ("b.json", "measure/fio3-clones-and-sync-engine.json"),
    ("fio.json", "measure/fio3-clones-and-sync-engine.json"),
    ("plan.toml", "help/plan.toml"),
    ("today.toml", "help/plan.toml"),
    ("tomorrow.toml", "help/plan.toml"),
    ("small.toml", "help/plan.toml"),
    ("large.toml", "help/plan.toml"),
    ("larger.toml", "help/plan.toml"),
    ("series", "bench/system.txt"),
    ("iostat.log", "help/iostat.log"),
    ("web1.log", "help/iostat.log"),
    ("web2.log", "help/iostat.log"),
    ("counters.csv", "help/counters.csv"),
    ("a.csv", "help/a.csv"),
    ("b.csv", "help/b.csv"),
    ("data_lat.1.log", "help/data_lat.1.log"),
    ("left_lat.1.log", "help/data_lat.1.log"),
    ("right_lat.1.log", "help/right_lat.1.log"),
    ("data_bw.1.log", "help/data_bw.1.log"),
    ("data_iops.1.log", "help/data_iops.1.log"),
    ("vms.json", "help/az-vms.json"),
    ("disks.json", "help/az-disks.json"),
    ("skus.json", "help/az-skus.json"),
    ("accepted.toml", "help/accepted.toml"),
    ("m.json", "help/az-metrics.json"),
];

/// What cannot run here as it stands: pages are shown on a terminal, prices come from the network, VMs from the cloud.
const STAND_INS: [(&str, &str); 6] = [
    ("| man -l -", "| cat"),
    ("diskcap skus update", "diskcap skus update --offline"),
    ("--subscription ID", "--auth token --subscription ID"),
    ("--id /subscriptions/", "--auth token --id /subscriptions/"),
    ("--id RESOURCE_ID", "--auth token --id /subscriptions/ID"),
    (
        "--management-group MG",
        "--auth token --management-group MG",
    ),
];

/// How stand-ins end: what is not reached ends with 3.
fn expected(line: &str) -> &'static [i32] {
    if line.contains("--offline") || line.contains("--auth token") {
        &[3]
    } else if line.contains("--fail-on") {
        &[0, 1]
    } else {
        &[0]
    }
}

/// Every command, by its words; the whole of them by none.
fn commands() -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    stdout(&format!("man {}", folder.path().display()));
    let names = std::fs::read_dir(folder.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names
        .map(|name| name.trim_end_matches(".1").replace('-', " "))
        .collect();
    names.sort();
    let words = names
        .iter()
        .map(|name| name.trim_start_matches("diskcap").trim());
    words.map(str::to_owned).collect()
}

/// The examples of a help text, each a line for a shell.
fn examples(help: &str) -> Vec<String> {
    let blocks = help.split("\n\n");
    let blocks = blocks
        .filter(|block| block.starts_with("Examples:") || block.starts_with("More examples:"));
    let lines = blocks.flat_map(|block| block.lines().skip(1));
    let text: String = lines
        .filter(|line| !line.trim_start().starts_with('#'))
        .map(|line| format!("{}\n", line.trim()))
        .collect();
    text.replace("\\\n", "")
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Runs a line in bash, in `folder`, with the built command on the path and nothing of the user's.
fn in_bash(folder: &Path, line: &str) -> Output {
    let built = Path::new(env!("CARGO_BIN_EXE_diskcap")).parent().unwrap();
    let stand_ins = fixtures().join("help");
    let old = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{}:{old}", built.display(), stand_ins.display());
    Command::new("bash")
        .env_clear()
        .current_dir(folder)
        .args(["--norc", "--noprofile", "-o", "pipefail", "-c", line])
        .env("PATH", path)
        .env("DISKCAP_TODAY", "2026-12-01")
        .env("HOME", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn fixtures() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let exports = folder.path().join("exports");
    std::fs::create_dir(&exports).unwrap();
    for (name, fixture) in FILES {
        let fixture = fixtures().join(fixture);
        std::fs::copy(&fixture, folder.path().join(name)).unwrap();
        if fixture.to_string_lossy().contains("/az-") && name != "m.json" {
            std::fs::copy(&fixture, exports.join(name)).unwrap();
        }
    }
    let saved = stdout("plan --disk P30 --format json");
    std::fs::write(folder.path().join("saved.json"), &saved).unwrap();
    std::fs::write(folder.path().join("plan.json"), &saved).unwrap();
    folder
}

#[cfg(unix)]
#[test]
fn every_command_opens_with_examples_and_each_of_them_runs() {
    let commands = commands();
    assert!(commands.len() > 15, "{commands:?}");
    for words in commands {
        let long = stdout(&format!("{words} --help"));
        let short = stdout(&format!("{words} -h"));
        assert!(short.len() < long.len(), "{words}");
        for help in [&long, &short] {
            let opening = help.split("Usage:").next().unwrap();
            assert!(opening.contains("\n\nExamples:\n"), "{words}: {help}");
        }
        assert!(long.contains("\n\nExit codes:\n"), "{words}: {long}");
        let examples = examples(&long);
        assert!(examples.len() >= 2, "{words}: {examples:?}");
        for example in examples {
            let mut line = example.clone();
            for (written, stand_in) in STAND_INS {
                line = line.replace(written, stand_in);
            }
            let folder = prepared();
            let output = in_bash(folder.path(), &line);
            let code = output.status.code().unwrap();
            let shown = || format!("{line}\n{}", shown(&words, &output));
            assert!(expected(&line).contains(&code), "{}", shown());
            assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
        }
    }
}

#[test]
fn the_long_help_explains_specs_and_profiles() {
    for words in ["plan", "bench", "simulate", "compare disks", "compare vms"] {
        let help = stdout(&format!("{words} --help"));
        assert!(help.contains("\nDisk spec: [NAME=][Nx]SKU"), "{words}");
        assert!(help.contains("  data=4xP30:cache=ro  "), "{words}");
        let has_profile = help.contains("--profile <");
        assert_eq!(help.contains("\nProfiles:\n"), has_profile, "{words}");
    }
    let help = stdout("plan --help");
    for profile in diskcap::workload::PROFILES {
        assert!(
            help.contains(&format!("\n  {}  ", profile.name))
                || help.contains(&format!("\n  {} ", profile.name))
        );
    }
}

#[test]
fn every_key_of_a_spec_is_in_the_help() {
    let help = stdout("plan --help");
    let (_, keys) = help.split_once("Keys: ").unwrap();
    let keys = keys.split("\n\n").next().unwrap();
    let named = |key: &&str| {
        keys.split([',', '\n'])
            .any(|word| word.trim().split('=').next() == Some(*key))
    };
    let missing: Vec<&str> = diskcap::deployment::spec::KEYS
        .into_iter()
        .filter(|key| !named(key))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Only `plan`, `bench`, `simulate` and `validate` have --fail-on; only `validate` and `skus update` ask the cloud.
#[test]
fn each_command_lists_the_exit_codes_that_it_has() {
    for (words, codes) in [
        ("", "0123"),
        ("plan", "012"),
        ("bench twins", "012"),
        ("simulate", "012"),
        ("validate", "0123"),
        ("recommend", "02"),
        ("compare disks", "02"),
        ("skus", "023"),
        ("skus list", "02"),
        ("skus update", "023"),
        ("explain", "02"),
        ("render", "02"),
    ] {
        let help = stdout(&format!("{words} --help"));
        let listed = help.split("Exit codes:\n").nth(1).unwrap();
        let digits = listed.lines().filter_map(|line| line.trim().chars().next());
        assert_eq!(digits.collect::<String>(), codes, "{words}: {listed}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for words in ["--help", "plan --help", "--version"] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let output = command()
            .args(words.split(' '))
            .stdout(full.unwrap())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(
            told.starts_with("error: cannot write to standard output"),
            "{told}"
        );
    }
}

#[test]
fn no_arguments_show_what_there_is() {
    let output = run("");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    for words in ["Examples:", "plan ", "bench ", "recommend ", "--help"] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn what_is_in_the_wrong_place_is_told_where_it_belongs() {
    let folder = prepared();
    std::fs::write(folder.path().join("x.toml"), "").unwrap();
    for (words, tip) in [
        ("pln", "tip: a similar subcommand exists: 'plan'"),
        ("help pln", "tip: a similar subcommand exists: 'plan'"),
        ("help skus lst", "tip: a similar subcommand exists: 'list'"),
        ("plan --dsk P30", "tip: a similar argument exists: '--disk'"),
        (
            "plan P30",
            "tip: a disk is given with --disk: diskcap plan --disk P30",
        ),
        (
            "plan data=4xP30:cache=ro",
            "tip: a disk is given with --disk",
        ),
        (
            "plan D8s_v5",
            "tip: a VM size is given with --vm: diskcap plan --vm D8s_v5",
        ),
        (
            "simulate P30",
            "tip: a disk is given with --disk: diskcap simulate --disk P30",
        ),
        ("plan result.json", "cannot read 'result.json'"),
        (
            "recommend saved.json",
            "tip: it is a saved result: diskcap render saved.json",
        ),
        (
            "plan fio.json",
            "tip: measured results are judged with: diskcap bench fio.json",
        ),
        (
            "plan result.txt",
            "tip: measured results are judged with: diskcap bench result.txt",
        ),
        ("plan --disk ./x.toml", "'./x.toml' is the name of a file"),
        ("plan --disk x.toml", "'x.toml' is the name of a file"),
        ("compare disks ./x.toml", "'./x.toml' is the name of a file"),
        (
            "bench P30",
            "tip: a disk is given with --disk: diskcap bench --disk P30",
        ),
        (
            "bench plan.toml",
            "tip: it is a plan file: diskcap plan plan.toml",
        ),
        (
            "bench saved.json",
            "tip: it is a saved result: diskcap render saved.json",
        ),
        (
            "render plan.toml",
            "tip: it is a plan file: diskcap plan plan.toml",
        ),
    ] {
        let output = cli::run_in(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{}", shown(words, &output));
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.contains(tip), "{}", shown(words, &output));
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = prepared();
    for line in [
        "diskcap skus list | head -n 1",
        "diskcap skus list --format json | head -n 1",
        "diskcap plan --help | head -n 1",
        "diskcap explain 2>&1 | head -n 1",
        "diskcap man | head -n 1",
        "diskcap completions bash | true",
        "diskcap config path --config x.toml 2>&1 | true",
        "diskcap config init --config y.toml 2>&1 | true",
    ] {
        let output = in_bash(folder.path(), line);
        assert_eq!(output.status.code(), Some(0), "{}", shown(line, &output));
        assert!(output.stderr.is_empty(), "{}", shown(line, &output));
    }
    // Where the error itself has no reader, the code still tells.
    let output = in_bash(
        folder.path(),
        "diskcap plan --disk P99 2>&1 | true; exit ${PIPESTATUS[0]}",
    );
    assert_eq!(output.status.code(), Some(2), "{}", shown("", &output));
}

#[test]
fn a_narrow_terminal_gets_narrow_tables() {
    for words in [
        "plan --vm D8s_v5 --disk data=4xP30",
        "skus list --series Dsv3",
        "explain",
        "config show",
    ] {
        let output = command()
            .env("COLUMNS", "40")
            .args(words.split(' '))
            .output()
            .unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= 40, "{words}: {widest} columns\n{text}");
    }
}

/// Words that are longer than a line by themselves are the only ones to stick out.
fn sticking_out(text: &str, width: usize) -> Vec<&str> {
    let long = text.lines().filter(|line| line.chars().count() > width);
    long.filter(|line| line.trim().contains(' ')).collect()
}

#[test]
fn help_and_errors_fit_the_width() {
    for width in [40usize, 60, 80, 120] {
        for words in commands() {
            let output = command()
                .env("COLUMNS", width.to_string())
                .args(words.split_whitespace())
                .arg("--help")
                .output()
                .unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let long = sticking_out(&text, width);
            assert!(long.is_empty(), "{words} at {width}: {long:#?}");
        }
    }
    let wide = |words: &str| stdout(words).lines().map(str::len).max().unwrap();
    assert!(wide("plan --help --width 60") <= 60);
    assert!(wide("plan --help --width=60") > 50);
    for words in [
        "plan --vm D8s_v9 --disk P30",
        "plan --no-such-flag",
        "plan --disk P99",
    ] {
        let output = command()
            .env("COLUMNS", "40")
            .args(words.split(' '))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(sticking_out(&text, 40).is_empty(), "{text}");
    }
    // Below the message, not below the word `error`; a log, where nobody says a width, keeps a line a line.
    let output = command()
        .env("COLUMNS", "40")
        .args(["plan", "--no-such-flag"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.starts_with("error: unexpected argument\n       '--no-such-flag' found\n"),
        "{text}"
    );
    let logged = run("plan --vm D8s_v9 --disk P30").stderr;
    assert_eq!(String::from_utf8(logged).unwrap().lines().count(), 1);
}

#[test]
fn no_colour_where_none_is_wanted() {
    for words in ["--help", "plan --disk P99", "plan --disk P30", "explain"] {
        let output = command()
            .env("NO_COLOR", "1")
            .args(words.split(' '))
            .output()
            .unwrap();
        let text = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(!text.contains('\u{1b}'), "{words}: {text}");
    }
}

#[test]
fn without_a_home_folder_everything_but_fetching_works() {
    for words in [
        "plan --disk P30 --cost",
        "compare disks P30",
        "config show",
        "explain",
        "skus show P30",
    ] {
        let mut homeless = command();
        for name in [
            "HOME",
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "USERPROFILE",
            "APPDATA",
            "LOCALAPPDATA",
        ] {
            homeless.env_remove(name);
        }
        homeless.env_remove("DISKCAP_CONFIG");
        let output = homeless.args(words.split(' ')).output().unwrap();
        assert!(output.status.success(), "{}", shown(words, &output));
        assert!(output.stderr.is_empty(), "{}", shown(words, &output));
    }
}
