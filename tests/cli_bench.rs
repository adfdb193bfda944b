//! `diskcap bench` as a person meets it.

#[path = "common/cli.rs"]
mod cli;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use cli::{command, files_begin, run, shown, stdout, transcript};

const FIELD_REPORT: &str = "bench tests/fixtures/bench/disks.md --vm D2s_v3 --disk v1=P10 --disk v2base=v2:size=129,iops=3000,mbps=125 \
                            --disk v2double=v2:size=130,iops=6000,mbps=250";

#[test]
fn the_field_report_is_judged() {
    insta::assert_snapshot!(
        "field_report",
        transcript(&format!("{FIELD_REPORT} --queue-depth 16 --width 120"))
    );
}

#[test]
fn every_text_format_says_the_same() {
    for format in ["csv", "markdown", "json"] {
        let words = format!("{FIELD_REPORT} --format {format}");
        insta::assert_snapshot!(format!("field_report_{format}"), transcript(&words));
    }
}

#[test]
fn formats_for_files_are_written() {
    files_begin(
        FIELD_REPORT,
        &[("html", b"<!DOCTYPE"), ("xlsx", b"PK"), ("svg", b"<svg")],
    );
}

#[test]
fn drives_without_names_are_told_apart() {
    let words = "bench tests/fixtures/bench/system.txt tests/fixtures/bench/temp.txt tests/fixtures/bench/small.txt --paging 400MiB";
    insta::assert_snapshot!("three_drives", transcript(words));
}

#[test]
fn a_cached_limit_is_named() {
    insta::assert_snapshot!(
        "cached",
        transcript("bench tests/fixtures/bench/cached.txt --vm D8s_v3")
    );
    insta::assert_snapshot!(
        "cached_judged",
        transcript(
            "bench tests/fixtures/bench/cached.txt --vm D8s_v3 --disk data=P20:cache=rw --width 120"
        )
    );
}

#[test]
fn cache_modes_are_compared() {
    let words = "bench tests/fixtures/bench/cache-modes.txt --baseline native --table comparison --columns all --width 140";
    insta::assert_snapshot!("cache_modes", transcript(words));
    let notes = stdout("bench tests/fixtures/bench/cache-modes.txt --format markdown");
    for id in [
        "HOST-CACHE-READS",
        "VOLATILE-WRITE-CACHE",
        "WRITES-COLLAPSE",
        "CACHE-HIDES-DEVICE",
    ] {
        assert!(notes.contains(id), "{notes}");
    }
}

#[test]
fn fail_on_turns_a_shortfall_into_exit_code_1() {
    let short = "bench tests/fixtures/bench/system.txt --vm D8s_v3 --disk P30";
    assert_eq!(run(short).status.code(), Some(0));
    assert_eq!(
        run(&format!("{short} --fail-on warning")).status.code(),
        Some(1)
    );
    assert_eq!(
        run(&format!("{short} --fail-on error")).status.code(),
        Some(0)
    );
    let met = format!("{FIELD_REPORT} --fail-on info");
    assert_eq!(run(&met).status.code(), Some(0));
}

#[test]
fn a_wider_tolerance_takes_more_for_the_limit() {
    let words = "bench tests/fixtures/bench/cached.txt --vm D8s_v3 --disk P20:cache=ro --format csv --columns test,verdict";
    let strict = stdout(&format!("{words} --tolerance 1%"));
    let usual = stdout(words);
    // 16,210 is 1.3 % above 16,000.
    assert!(
        strict.contains("RND4K Q32T1 read,above every limit"),
        "{strict}"
    );
    assert!(
        usual.contains("RND4K Q32T1 read,at VM cached IOPS"),
        "{usual}"
    );
}

#[test]
fn a_file_is_bound_to_a_volume_in_three_ways() {
    let disks = "--vm D8s_v3 --disk os=P10:os --disk data=P30 --format csv --columns volume";
    let file = "tests/fixtures/bench/temp.txt";
    for words in [
        format!("bench data={file} {disks}"),
        format!("bench {file} --target data {disks}"),
        format!("bench --target data={file} {disks}"),
    ] {
        let text = stdout(&words);
        assert_eq!(text.lines().nth(1), Some("data"), "{words}");
    }
}

#[test]
fn results_come_from_stdin_and_vm_and_disks_from_a_plan_file() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    std::fs::write(
        &plan,
        "[vm]\nsize = 'd8s v3'\n\n[[disk]]\nname = 'data'\nsku = 'P20'\n",
    )
    .unwrap();
    let mut child = command()
        .args([
            "bench",
            "-",
            "--format",
            "csv",
            "--columns",
            "volume,test",
            "--plan",
        ])
        .arg(&plan)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = std::fs::read("tests/fixtures/bench/temp.txt").unwrap();
    child.stdin.take().unwrap().write_all(&text).unwrap();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(out.lines().nth(1), Some("data,SEQ128K Q32T1 read"), "{out}");
}

/// An idle C: and a D: at 500 IOPS, a sample a second.
fn counters() -> String {
    let counter = |disk: &str, name: &str| format!(",\"\\\\HOST\\PhysicalDisk({disk})\\{name}\"");
    let mut text = String::from("\"(PDH-CSV 4.0)\"");
    for disk in ["0 C:", "1 D:"] {
        text += &counter(disk, "Disk Reads/sec");
        text += &counter(disk, "Disk Read Bytes/sec");
    }
    text.push('\n');
    for second in 10..40 {
        let row =
            format!("\"03/14/2024 10:00:{second}.000\",\"3.0\",\"12288\",\"500.0\",\"2048000\"");
        text += &row;
        text.push('\n');
    }
    text
}

#[test]
fn counters_fall_short_of_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("counters.csv"), counters()).unwrap();
    let words = "bench counters.csv --vm D2s_v3 --disk P10 --map *=P10 --fail-on warning --format csv --columns test,verdict,ratio";
    let output = cli::run_in(folder.path(), words);
    assert_eq!(output.status.code(), Some(0), "{}", shown(words, &output));
    let text = String::from_utf8(output.stdout)
        .unwrap()
        .replace("\r\n", "\n");
    // 3 of the P10's 500 IOPS are asked for: 0.6 %. D: is at the limit all the time.
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert!(
        rows[0].starts_with("\"0 C:, mean") && rows[0].ends_with(",asked for less,0.006"),
        "{text}"
    );
    let busy = rows
        .iter()
        .find(|row| row.starts_with("\"1 D:, mean"))
        .unwrap();
    assert!(busy.contains(",at disk IOPS,"), "{text}");

    let output = cli::run_in(folder.path(), "bench counters.csv --vm D2s_v3");
    let text = String::from_utf8(output.stdout).unwrap();
    // Long lines are wrapped.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("counters of what was asked"), "{text}");
    assert!(
        text.contains("`diskcap bench series` judges them over time"),
        "{text}"
    );
    assert!(!text.contains("Limits that the figures fit"), "{text}");
}

#[test]
fn a_log_over_time_is_sent_to_the_command_that_judges_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = "1000, 250, 0, 0\n2000, 240, 0, 0\n3000, 260, 0, 0\n";
    std::fs::write(folder.path().join("data_iops.1.log"), log).unwrap();
    let output = cli::run_in(folder.path(), "bench data_iops.1.log");
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        err.contains("is a fio log") && err.contains("`diskcap bench series data_iops.1.log`"),
        "{err}"
    );
}

#[test]
fn latencies_are_drawn_as_percentiles_and_histograms() {
    let file = "tests/fixtures/measure/fio3-jsonplus-two-documents-wrapped.utf16le.json";
    let svg = stdout(&format!("bench {file} --format svg"));
    for title in [
        "Latency percentiles",
        "Latency histogram",
        "I/Os that took no longer (%)",
    ] {
        assert!(svg.contains(title), "{title}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&format!("bench {file} --format json"))).unwrap();
    let spread = &json["runs"][0]["latencies"][0];
    let shares = spread["bins"].as_array().unwrap().iter();
    let sum: f64 = shares.filter_map(|bin| bin["share"].as_f64()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{spread}");
}

#[test]
fn disks_that_cannot_be_deployed_are_bad_input() {
    // 64 GiB of Premium SSD v2 have 32,000 IOPS at most.
    let words = "bench tests/fixtures/bench/temp.txt --vm D8s_v5 --disk v2:size=64,iops=40000";
    let output = run(words);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("this cannot be deployed: V2-RANGE"), "{said}");
}

#[test]
fn wrong_input_is_named_with_what_would_be_right() {
    for (name, words) in [
        ("no_file", "bench"),
        ("missing_file", "bench missing.txt"),
        ("no_result", "bench tests/fixtures/measure/no-result.txt"),
        (
            "which_volume",
            "bench tests/fixtures/bench/temp.txt --disk a=P10 --disk b=P20",
        ),
        (
            "unknown_volume",
            "bench c=tests/fixtures/bench/temp.txt --disk a=P10 --disk b=P20",
        ),
        (
            "target_without_disk",
            "bench a=tests/fixtures/bench/temp.txt",
        ),
        (
            "unknown_baseline",
            "bench tests/fixtures/bench/cache-modes.txt --baseline nun",
        ),
        (
            "one_run_to_compare",
            "bench tests/fixtures/bench/temp.txt --baseline D",
        ),
        (
            "tolerance",
            "bench tests/fixtures/bench/temp.txt --tolerance 2",
        ),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{}", shown(words, &output));
        insta::assert_snapshot!(format!("error_{name}"), shown(words, &output));
    }
}

#[test]
fn help_is_kept_under_review() {
    insta::assert_snapshot!("help", transcript("bench --help"));
}

#[test]
fn every_sample_is_shown_or_refused_with_a_reason() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/samples"));
    let Ok(folders) = std::fs::read_dir(root) else {
        return;
    };
    let folders = folders
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir());
    for file in folders.flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
        let path = file.unwrap().path();
        let output = command()
            .arg("bench")
            .arg(&path)
            .arg("--vm=D4s_v5")
            .output()
            .unwrap();
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        let text = shown(&path.display().to_string(), &output);
        match output.status.code() {
            Some(0) => assert!(out.starts_with("Measured") && err.is_empty(), "{text}"),
            Some(2) => assert!(
                err.contains("looked for") || err.contains("export it with"),
                "{text}"
            ),
            _ => panic!("{text}"),
        }
    }
}

#[test]
fn a_result_that_is_cut_off_is_marked_before_its_figures() {
    let text = stdout("bench tests/fixtures/measure/fio3-cut-off.json");
    let mut lines = text.lines();
    assert!(lines.next().unwrap().ends_with(" (incomplete)"), "{text}");
    let place = |words: &str| text.find(words).unwrap_or(usize::MAX);
    assert!(place("the file is cut off") < place("Measured\n"), "{text}");
    assert_eq!(text.matches("the file is cut off").count(), 1, "{text}");
    let json = stdout("bench tests/fixtures/measure/fio3-cut-off.json --format json");
    let result: serde_json::Value = serde_json::from_str(&json).unwrap();
    let why = result["runs"][0]["incomplete"].as_str().unwrap();
    assert!(why.starts_with("the file is cut off"), "{why}");
    let whole = stdout("bench tests/fixtures/measure/fio3-clones-and-sync-engine.json");
    assert!(!whole.contains("incomplete"), "{whole}");
}

#[test]
fn what_holds_for_every_run_is_noted_once() {
    let folder = tempfile::tempdir().unwrap();
    let table = "Test,A,B,C\nSEQ1M Q8T1 read,200,300,400\nRND4K Q32T1 read,100,90,80\n";
    std::fs::write(folder.path().join("m.csv"), table).unwrap();
    let output = cli::run_in(folder.path(), "bench m.csv");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("were taken as MB/s").count(), 1, "{text}");
    assert!(text.contains("All runs: figures without a unit"), "{text}");
}

#[test]
fn one_finding_holds_what_says_the_same() {
    // Of a P30, 5,000 IOPS: 5,500 are above by more than the tolerance, 4,900 and 5,100 are not; all are too fast for 1 ms.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fast.csv");
    std::fs::write(
        &path,
        "test,iops,bs,rw,qd\nRND4K Q1T1 read,4900,4k,randread,1\nRND4K Q1T1 read,5100,4k,randread,1\n\
         RND4K Q1T1 read,5500,4k,randread,1\n",
    )
    .unwrap();
    let output = command()
        .args(["bench", path.to_str().unwrap()])
        .args("--vm D4s_v5 --disk P30".split_whitespace())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (meanings, findings) = text.split_once("\nFindings\n").unwrap();
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (findings, meanings) = (one_line(findings), one_line(meanings));
    let (first, rest) = findings.split_once("info ABOVE-LIMITS CSV ").unwrap();
    assert!(
        first.contains("CSV RND4K Q1T1 read: faster")
            && first.contains("it is also above the disk's IOPS limit, 5,000 IOPS fix:"),
        "{findings}"
    );
    assert!(
        rest.starts_with("RND4K Q1T1 read: faster than the disk")
            && rest.contains("5.10 times")
            && rest.contains(
                "; also faster than the disk: RND4K Q1T1 read (4.90 times 1,000 IOPS) fix:"
            )
            && !rest.contains("5,000"),
        "{findings}"
    );
    // All have the name that the findings quote: each is told by itself.
    for times in ["4.90 times", "5.10 times", "5.50 times"] {
        assert!(meanings.contains(times), "{times}: {meanings}");
    }
}
