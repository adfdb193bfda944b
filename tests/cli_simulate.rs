//! `diskcap simulate` as a person meets it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use cli::{run, run_in, shown, stdout, transcript};

/// Two disks with a quiet day and a busy hour and a half, three days long.
const NIGHTLY: &str = "\
name = 'nightly'
repeat = 3
[vm]
size = 'D4s_v3'
[workload]
block_size = '8KiB'
read_share = 0.7
[[disk]]
name = 'data'
sku = 'P20'
[[disk]]
name = 'log'
sku = 'P10'
[[step]]
for = '20h'
iops = 900
volume.log = { iops = 300 }
[[step]]
for = '90min'
iops = 3300
volume.log = { iops = 2500, read_share = 0 }
[[step]]
for = '150min'
iops = 200
";

fn nightly(words: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("nightly.toml"), NIGHTLY).unwrap();
    let words = format!("simulate nightly.toml {words}");
    shown(&words, &run_in(folder.path(), &words))
}

#[test]
fn the_field_report_over_an_hour_reads_well() {
    let words = "simulate --vm Standard_D2s_v3 --disk v1=P10 --disk v2base=v2:size=129,iops=3000,mbps=125 \
                 --disk v2double=v2:size=130,iops=6000,mbps=250 --block-size 1MiB --for 1h --width 100";
    insta::assert_snapshot!("field_report", transcript(words));
}

#[test]
fn credit_that_is_nearly_used_up_reads_well() {
    let words = "simulate --disk P10 --block-size 4KiB --iops 3500 --for 28min --width 100";
    insta::assert_snapshot!("credit_low", transcript(words));
}

#[test]
fn steps_of_a_plan_file_read_well() {
    insta::assert_snapshot!("nightly_80", nightly("--width 80"));
    insta::assert_snapshot!("nightly_markdown", nightly("--format markdown"));
    insta::assert_snapshot!("nightly_csv", nightly("--format csv --table buckets"));
}

/// A database at work: a busy hour and a quiet end.
const IOSTAT: &str = "\
Linux 5.15.0 (db1) \t03/14/2026 \t_x86_64_\t(4 CPU)

03/14/2026 10:00:00 AM
Device            r/s     rkB/s     w/s     wkB/s  aqu-sz  %util
sdc              9.00     90.00    9.00     90.00    0.10   1.00
sdd              9.00     90.00    9.00     90.00    0.10   1.00

03/14/2026 10:30:00 AM
Device            r/s     rkB/s     w/s     wkB/s  aqu-sz  %util
sdc           2000.00  16000.00 1000.00   8000.00    4.10  99.00
sdd              0.00      0.00   90.00   5760.00    0.10   5.00

03/14/2026 11:00:00 AM
Device            r/s     rkB/s     w/s     wkB/s  aqu-sz  %util
sdc           2200.00  17600.00 1100.00   8800.00    4.10  99.00
sdd              0.00      0.00   95.00   6080.00    0.10   5.00

03/14/2026 11:30:00 AM
Device            r/s     rkB/s     w/s     wkB/s  aqu-sz  %util
sdc             20.00    160.00   10.00     80.00    0.10   1.00
sdd              0.00      0.00    1.00     64.00    0.10   1.00
";

fn folder_with_logs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("io.log", IOSTAT.to_owned()),
        ("since_boot.log", IOSTAT.lines().take(5).collect::<Vec<_>>().join("\n")),
        (
            "plan.toml",
            "[vm]\nsize = 'D4s_v5'\n[[disk]]\nname = 'data'\nsku = 'P15'\n[[disk]]\nname = 'sdd'\nsku = 'P10'\n".to_owned(),
        ),
        ("steps.toml", NIGHTLY.to_owned()),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn a_trace_reads_well() {
    let folder = folder_with_logs();
    let trace = "simulate plan.toml --trace io.log --map sdc=data";
    let shown = |words: &str| shown(words, &run_in(folder.path(), words));
    insta::assert_snapshot!("trace_100", shown(&format!("{trace} --width 100")));
    let coarse = format!("{trace} --every 1h --repeat 2 --format csv --table segments");
    insta::assert_snapshot!("trace_coarse_csv", shown(&coarse));
    let facts = format!("{trace} --format csv --table traces");
    insta::assert_snapshot!("trace_facts_csv", shown(&facts));
    let saved = format!("{trace} --output run.json");
    assert!(run_in(folder.path(), &saved).status.success());
    let rendered = run_in(folder.path(), "render run.json --width 100");
    assert_eq!(
        String::from_utf8_lossy(&rendered.stdout),
        String::from_utf8_lossy(&run_in(folder.path(), &format!("{trace} --width 100")).stdout)
    );
    let picture = format!("{trace} --output run.svg");
    assert!(run_in(folder.path(), &picture).status.success());
}

#[test]
fn a_trace_that_cannot_be_used_says_why() {
    let folder = folder_with_logs();
    for (name, words) in [
        ("unmatched", "--vm D2s_v3 --disk data=P10 --trace io.log"),
        ("unmapped", "plan.toml --trace io.log"),
        ("no_device", "plan.toml --trace io.log --map sdx=data"),
        ("no_volume", "plan.toml --trace io.log --map sdc=dta"),
        ("map_form", "plan.toml --trace io.log --map sdc"),
        (
            "steps",
            "steps.toml --trace io.log --map sdc=data --map sdd=log",
        ),
        ("since_boot", "plan.toml --trace since_boot.log"),
        ("no_log", "plan.toml --trace plan.toml"),
        ("no_file", "plan.toml --trace gone.log"),
        ("for", "plan.toml --trace io.log --for 1h"),
        ("map_alone", "plan.toml --map sdc=data"),
    ] {
        let words = format!("simulate {words}");
        let output = run_in(folder.path(), &words);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&words, &output));
        insta::assert_snapshot!(format!("trace_error_{name}"), shown(&words, &output));
    }
}

#[test]
fn on_demand_bursting_is_counted_and_compared() {
    let words = "simulate --disk d=P30:burst=on --iops 7000 --for 10min --cost --width 120";
    insta::assert_snapshot!("paid", transcript(words));
}

#[test]
fn every_picture_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ["svg", "png", "html", "xlsx"] {
        let words =
            format!("simulate --vm D2s_v3 --disk P10 --block-size 1MiB --output p.{ending}");
        let output = run_in(folder.path(), &words);
        assert!(output.status.success(), "{}", shown(&words, &output));
        let bytes = std::fs::read(folder.path().join(format!("p.{ending}"))).unwrap();
        assert!(bytes.len() > 1000, "{ending}");
    }
    let svg = std::fs::read_to_string(folder.path().join("p.svg")).unwrap();
    for words in [
        "VM uncached 48",
        "throttled by VM uncached MB/s",
        "P10 burst 170",
        "Burst credit left",
    ] {
        assert!(svg.contains(words), "{words}");
    }
}

#[test]
fn a_ceiling_that_stops_something_is_drawn() {
    // 131,072,000 bytes/s cached: what a ReadOnly disk is held to once the credit of 117 min is used up.
    let svg =
        stdout("simulate --vm D8s_v3 --disk P30:cache=ro --block-size 64KiB --for 3h --format svg");
    for words in ["VM cached 131", "throttled by VM cached MB/s"] {
        assert!(svg.contains(words), "{words}");
    }
    // One that stops nothing and lends nothing stays away.
    let svg = stdout("simulate --vm D8s_v3 --disk P30 --block-size 64KiB --for 3h --format svg");
    assert!(svg.contains("VM uncached 192") && !svg.contains("VM cached"));
    // Of several volumes, the disk that stopped one: 500 IOPS without its credit.
    let svg = stdout(
        "simulate --vm D8s_v3 --disk a=P30 --disk b=P10 --block-size 4KiB --for 3h --format svg",
    );
    assert!(svg.contains("b: P10 500") && svg.contains("a: P30 5,000"));
}

#[test]
fn wrong_input_is_named_with_what_would_be_right() {
    for (name, words) in [
        ("no_unit", "simulate --disk P10 --for 20"),
        ("too_long", "simulate --disk P10 --for 4000d"),
        ("too_often", "simulate --disk P10 --repeat 5000000"),
        ("never", "simulate --disk P10 --repeat 0"),
        ("credit", "simulate --disk P10 --credit 150%"),
        (
            "several_profiles",
            "simulate --disk P10 --profile oltp --profile backup",
        ),
        ("unknown_volume", "simulate --disk P10 --iops data=5"),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{}", shown(words, &output));
        insta::assert_snapshot!(format!("error_{name}"), shown(words, &output));
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        (
            "step_key",
            "[[disk]]\nsku = 'P10'\n[[step]]\nfor = '1h'\nipos = 5\n",
        ),
        (
            "step_volume",
            "[[disk]]\nsku = 'P10'\n[[step]]\nfor = '1h'\nvolume.data = { iops = 5 }\n",
        ),
        (
            "step_time",
            "[[disk]]\nsku = 'P10'\n[[step]]\nfor = 'soon'\n",
        ),
    ] {
        std::fs::write(folder.path().join("steps.toml"), text).unwrap();
        let output = run_in(folder.path(), "simulate steps.toml");
        assert_eq!(output.status.code(), Some(2));
        insta::assert_snapshot!(
            format!("error_{name}"),
            shown("simulate steps.toml", &output)
        );
    }
}

#[test]
fn findings_decide_the_exit_code() {
    let throttled = "simulate --disk P10 --iops 3000 --for 2h";
    assert_eq!(run(throttled).status.code(), Some(0));
    assert_eq!(
        run(&format!("{throttled} --fail-on warning")).status.code(),
        Some(1)
    );
    let calm = "simulate --disk P10 --iops 300 --for 2h --fail-on info";
    assert_eq!(run(calm).status.code(), Some(0));
    // What cannot be deployed cannot be simulated to any purpose.
    let output = run("simulate --vm D2s_v3 --disk P10:burst=on --iops 100");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("FEATURE-NOT-OFFERED"));
}

#[test]
fn help_is_kept_under_review() {
    insta::assert_snapshot!("help", transcript("simulate --help"));
    for id in ["THROTTLED", "CREDIT-EMPTY", "BACKLOG-LEFT", "PAID-BURST"] {
        assert!(stdout(&format!("explain {id}")).contains(id));
    }
}

/// The month is that of `plan`, whatever is simulated.
#[test]
fn a_simulation_shows_what_a_month_costs() {
    let cost = |command: &str| {
        let words =
            "--vm D2s_v3 --disk P10 --iops 100 --cost --region eastus --format csv --table cost";
        let rows = stdout(&format!("{command} {words}"));
        let first_two = |row: &str| row.split(',').take(2).collect::<Vec<_>>().join(",");
        rows.lines().map(first_two).collect::<Vec<_>>()
    };
    let simulated = cost("simulate");
    assert!(simulated.len() >= 4, "{simulated:?}");
    assert_eq!(simulated, cost("plan"));
}

/// Half of the credit of a P10, 0.5 x 3,000 x 1,800 = 2,700,000 I/Os, drains by 1,500 a second; that of the VM, 0.5 x 800 x
/// 1,800, by 800 a second and is empty after 900 s. Both disks then get 1,600 IOPS, which leaves 1,350,000 of a disk's credit
/// for 1,227 s more. Buckets that fill meanwhile split rows for machines only.
#[test]
fn people_read_times_and_a_row_a_stretch_machines_seconds_and_every_event() {
    let words = "simulate --vm D2s_v3 --disk data=P10 --disk log=P10 --iops 2000 --for 18h --credit 50% --table segments";
    let shown = stdout(&format!("{words} --width 200"));
    let rows: Vec<Vec<&str>> = shown
        .lines()
        .filter(|line| line.contains(" data "))
        .map(|line| line.split('│').take(6).map(str::trim).collect())
        .collect();
    assert_eq!(
        rows,
        [
            ["0 s", "15 min", "data", "2,000", "2,000", "8.2"],
            ["15 min", "35 min 27 s", "data", "2,000", "1,600", "8.2"],
            ["35 min 27 s", "18 h", "data", "2,000", "500", "8.2"],
        ]
    );
    let csv = stdout(&format!("{words} --format csv"));
    let rows: Vec<&str> = csv.lines().filter(|row| row.contains(",data,")).collect();
    assert_eq!(rows.len(), 7, "{csv}");
    assert!(rows[1].starts_with("686.2") && rows[1].contains(",900,data,2000,2000,"));
    assert!(rows[6].contains(",64800,data,2000,500,"));
}

/// A disk whose limits were given has no other of its family: it is enough, or nothing is.
#[test]
fn a_disk_without_a_choice_is_the_present_one_or_none() {
    let of = |demand: &str| {
        let words = format!(
            "simulate --disk c=custom:iops=100,mbps=10 --iops {demand} --for 1h --width 100"
        );
        let output = run(&words);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (
            text.contains("the present one"),
            text.contains("none of its family"),
        )
    };
    assert_eq!(of("50"), (true, false));
    assert_eq!(of("500"), (false, true));
}

/// At 40 columns what stops a volume stays, also where there are many rows.
#[test]
fn what_stops_a_volume_stays_at_40_columns() {
    let steps =
        "for = \"20min\"\niops = 3000\n[[step]]\nfor = \"20min\"\niops = 100\n[[step]]\n".repeat(4);
    let plan = format!(
        "[vm]\nsize = \"D2s_v3\"\n[[disk]]\nname = \"a\"\nspec = \"P30\"\n[[disk]]\nname = \"b\"\nspec = \"P20\"\n[[step]]\n\
         {steps}for = \"1h\"\niops = 0\n"
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let output = run_in(folder.path(), "simulate plan.toml --width 40");
    let text = String::from_utf8_lossy(&output.stdout);
    let table = text.split("What happens when").nth(1).unwrap_or_default();
    let head = table.lines().nth(1).unwrap_or_default();
    assert!(head.contains("Stopped by"), "{table}");
    assert!(text.lines().all(|line| line.chars().count() <= 40));
}

/// 80 MB/s in I/Os of 512 KiB are 153 a second, which a P10 counts twice each. From half its credit on nothing is drawn:
/// 305 of 500 IOPS, 80 of 100 MB/s.
#[test]
fn what_a_disk_counts_and_credit_that_only_fills_are_noted() {
    let words = "simulate --vm E8s_v5 --disk P10 --mbps 80 --block-size 512KiB --for 2h --credit 50% --width 120";
    let text = stdout(words);
    assert!(
        text.contains(
            "Peak IOPS of a disk are what the disk counts: an I/O larger than 256 KiB as several (P10)."
        ),
        "{text}"
    );
    assert!(text.contains("No burst credit was drawn on."), "{text}");
    assert!(!text.contains("Burst credit that was drawn on"), "{text}");
    let text =
        stdout("simulate --vm E8s_v5 --disk P10 --mbps 80 --block-size 64KiB --for 2h --width 120");
    assert!(!text.contains("Peak IOPS of a disk are"), "{text}");
}
