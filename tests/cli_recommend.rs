//! `diskcap recommend` as it is typed.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

#[test]
fn the_answer_says_what_is_reached_first_and_why_the_cheaper_size_fails() {
    let shown =
        cli::stdout("recommend --capacity 1TiB --iops 4000 --block-size 4KiB --series Dsv3");
    assert!(
        shown.starts_with("Recommended: Standard_D4s_v3 for "),
        "{shown}"
    );
    assert!(
        shown.contains("3,200 uncached IOPS, 4,000 are needed"),
        "{shown}"
    );
    assert!(shown.contains("6,400"), "{shown}");
}

#[test]
fn an_example_file_is_a_need_and_flags_go_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let example = cli::stdout("recommend --example");
    std::fs::write(folder.path().join("need.toml"), example).unwrap();
    let words = "recommend need.toml --top 1 --format json --max-stripe 1 --headroom 0";
    let output = cli::run_in(folder.path(), words);
    assert!(output.status.success(), "{}", cli::shown(words, &output));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["need"]["headroom"], 0.0);
    assert_eq!(found["best"][0]["volumes"].as_array().unwrap().len(), 3);
    assert_eq!(found["best"][0]["volumes"][0]["disks"], 1);
}

#[test]
fn what_cannot_be_met_exits_with_2_and_names_the_nearest() {
    let words = "recommend --capacity 1TiB --iops 90000 --series Dsv3 --family v2";
    let output = cli::run(words);
    let shown = cli::shown(words, &output);
    assert_eq!(output.status.code(), Some(2), "{shown}");
    assert!(
        shown.contains("IOPS of data") && shown.contains("80,000"),
        "{shown}"
    );
}

#[test]
fn wrong_words_are_answered_with_right_ones() {
    for (words, right) in [
        ("recommend", "--capacity"),
        (
            "recommend --volume data:size=1,iosp=5",
            "did you mean iops?",
        ),
        ("recommend --capacity 1TiB --family floppy", "v2 and ultra"),
        (
            "recommend --capacity 1TiB --family temp",
            "cannot be recommended",
        ),
        ("recommend --capacity 1TiB --vcpus many", "--vcpus"),
        ("recommend nowhere.toml", "nowhere.toml"),
    ] {
        let output = cli::run(words);
        let shown = cli::shown(words, &output);
        assert_eq!(output.status.code(), Some(2), "{shown}");
        assert!(shown.contains(right), "{shown}");
    }
}

#[test]
fn volumes_of_a_plan_that_are_not_in_the_need_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let words =
        "plan --vm D8ds_v5 --disk data=P30 --disk os=P10:os --disk tempdb=temp --format json";
    std::fs::write(folder.path().join("plan.json"), cli::stdout(words)).unwrap();
    let words = "recommend --like plan.json --top 1 --series Ddsv5 --width 200";
    let shown = cli::shown(words, &cli::run_in(folder.path(), words));
    for left in [
        "Left as it is, its load counted at the ceilings of the VM, its price in neither sum: os.",
        "Left as it is, neither its load nor its price counted: tempdb.",
    ] {
        assert!(shown.contains(left), "{shown}");
    }
}

#[test]
fn prices_that_are_not_known_are_no_impossible_need() {
    let words = "recommend --capacity 1TiB --offer spot-windows --region westeurope --width 200";
    let output = cli::run(words);
    let shown = cli::shown(words, &output);
    assert_eq!(output.status.code(), Some(2), "{shown}");
    assert!(shown.contains("no known price for Windows spot"), "{shown}");
    assert!(
        shown.contains("diskcap skus update --region westeurope"),
        "{shown}"
    );
    assert!(!shown.contains("othing delivers"), "{shown}");
}

/// A day in four steps.
const LOG: &str = "time,disk,iops,mbps\n21600,sdc,500,4.096\n43200,sdc,2000,16.384\n64800,sdc,4000,32.768\n86400,sdc,500,4.096\n";

#[test]
fn a_need_is_taken_from_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("day.csv"), LOG).unwrap();
    let run = |words: &str| cli::shown(words, &cli::run_in(folder.path(), words));
    let words = "recommend --capacity 512 --trace day.csv --percentile 75 --series Dsv3 --top 2";
    insta::assert_snapshot!("from_trace", run(&format!("{words} --width 100")));
    insta::assert_snapshot!(
        "from_trace_csv",
        run(&format!("{words} --table from-trace --format csv"))
    );
    for (words, right) in [
        ("recommend --trace day.csv", "nothing is needed"),
        ("recommend --capacity 1 --percentile 99", "--trace"),
        (
            "recommend --capacity 1 --trace day.csv --percentile 0",
            "such as 95",
        ),
        (
            "recommend --volume a:size=1 --volume b:size=1 --trace day.csv",
            "--map DEVICE=VOLUME",
        ),
    ] {
        let output = cli::run_in(folder.path(), words);
        let shown = cli::shown(words, &output);
        assert_eq!(output.status.code(), Some(2), "{shown}");
        assert!(shown.contains(right), "{shown}");
    }
}

#[test]
fn the_frontier_is_a_table_and_a_chart() {
    let words = "recommend --capacity 256 --iops 4000 --series Dsv3 --frontier";
    let table = cli::stdout(&format!("{words} --table frontier-iops --format csv"));
    assert_eq!(table.lines().count(), 13, "{table}");
    let table = cli::stdout(&format!("{words} --table frontier-latency --format csv"));
    assert!(table.starts_with("latency_us,"), "{table}");
    assert!(cli::stdout(&format!("{words} --format svg")).contains("<svg"));
}

#[test]
fn a_file_of_code_asks_for_its_language() {
    let output = cli::run("recommend --capacity 1TiB --iops 100 --output never-written.tf");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("--emit terraform"), "{said}");
}

/// What is to be run must not hold a report of why there is nothing to run.
#[test]
fn nothing_to_emit_is_nothing_on_stdout() {
    // A Premium SSD takes 1 ms; what an Ultra disk takes is not known, nor promised to be so little.
    for (family, why) in [
        ("premium", "nothing delivers this need"),
        ("ultra", "nothing is known to deliver this need"),
    ] {
        let words = "recommend --capacity 1TiB --latency 0.01ms --iops 20000 --emit az --family";
        let output = cli::run(&format!("{words} {family}"));
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let said = format!("{why}: there is no code; leave --emit out to see why");
        assert!(String::from_utf8_lossy(&output.stderr).contains(&said));
    }
}

/// A size whose month alone is lower is told apart from one that fails: it delivers, with dearer disks.
#[test]
fn a_cheaper_size_with_dearer_disks_says_why_it_is_not_chosen() {
    let words =
        "recommend --capacity 1TiB --iops 6000 --mbps 300 --hit-share 80% --read-share 90% --top 6";
    let csv = cli::stdout(&format!("{words} --table cheaper --format csv"));
    let last = csv
        .lines()
        .find(|row| row.starts_with("6,Standard_B8pls_v2,"));
    let last = last.unwrap_or_else(|| panic!("{csv}"));
    let vm: f64 = last.split(',').nth(2).unwrap().parse().unwrap();
    let (_, said) = last
        .split_once("dearer with the disks that it needs: ")
        .unwrap();
    let whole: f64 = said.split(' ').next().unwrap().parse().unwrap();
    let best = cli::stdout(&format!(
        "{words} --table best --format csv --columns rank,month,vm_month --no-header"
    ));
    let sixth: Vec<f64> = (best.lines().last().unwrap().split(','))
        .map(|n| n.parse().unwrap())
        .collect();
    assert!(vm < sixth[2] && whole > sixth[1], "{last} {best}");
}

#[test]
fn the_scale_of_a_frontier_is_explained() {
    let text = cli::stdout("recommend --capacity 1TiB --iops 4000 --frontier --width 200");
    let legend = "x asked: times the IOPS or MB/s that are asked for. At 1.5 every volume asks for half as much again";
    assert!(text.contains(legend), "{text}");
    let help = cli::stdout("recommend --help --width 120");
    assert!(
        help.contains("at 1.5 x asked, every volume's IOPS"),
        "{help}"
    );
}

/// E8-2ds_v5 and E8-4ds_v5 are E8ds_v5 with vCPUs switched off, at its price.
#[test]
fn of_sizes_at_one_price_the_one_with_most_vcpus_comes_first() {
    let sizes = cli::stdout(
        "recommend --volume data:size=1TiB,iops=20000,hit=0.5 --series Edsv5 --table best --format csv --columns size \
         --no-header",
    );
    let sizes: Vec<&str> = sizes.lines().take(3).collect();
    let wanted = [
        "Standard_E8ds_v5",
        "Standard_E8-4ds_v5",
        "Standard_E8-2ds_v5",
    ];
    assert_eq!(sizes, wanted);
    let few = cli::stdout(
        "recommend --volume data:size=1TiB,iops=20000,hit=0.5 --series Edsv5 --vcpus ..4 --table best --format csv \
         --columns size --no-header",
    );
    assert!(few.starts_with("Standard_E8-4ds_v5"), "{few}");
}
