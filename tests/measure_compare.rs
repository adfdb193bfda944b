//! Comparisons of several runs: ratios, the best, and what the figures mean by rule.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use diskcap::measure::compare::{
    Cell, Column, CompareError, Comparison, Note, NoteId, Options, Subject, columns, compare,
};
use diskcap::measure::matrix;
use diskcap::measure::model::{Format, LatencyStats, Run, Test};
use diskcap::measure::test_name;
use diskcap::units::{Iops, Latency};
use proptest::prelude::*;

fn of_matrix(text: &str, options: Options) -> Comparison {
    let runs = matrix::parse(text).unwrap();
    compare(&columns(&runs), options).unwrap()
}

fn same_disk(text: &str) -> Comparison {
    of_matrix(text, Options::default())
}

fn cell<'a>(comparison: &'a Comparison, row: &str, column: usize) -> &'a Cell {
    let row = comparison.rows.iter().find(|found| found.name == row);
    row.unwrap().cell(column).unwrap()
}

fn notes(comparison: &Comparison, id: NoteId) -> Vec<&Note> {
    comparison
        .notes
        .iter()
        .filter(|note| note.id == id)
        .collect()
}

fn ids(comparison: &Comparison) -> Vec<(&'static str, Vec<usize>)> {
    let notes = comparison.notes.iter();
    notes
        .map(|note| (note.id.code(), note.columns.clone()))
        .collect()
}

/// Cache modes of one slow disk: 8 and 8.4 ms a random read without a cache.
const CACHE_MODES: &str = "\
[Read]          none   through      back    native
SEQ1M Q8T1      40.0    6100.0    6000.0      50.0
SEQ1M Q1T1      30.0    5000.0    5100.0      36.0
RND4K Q32T16     2.0     300.0     310.0       1.6
RND4K Q1T1     0.512      70.0      72.0     0.488

[Write]
SEQ1M Q8T1      60.0      12.0     300.0      66.0
SEQ1M Q1T1      50.0       9.0     280.0      60.0
RND4K Q32T16     3.0       1.0     100.0       2.7
RND4K Q1T1      1.00      0.30      50.0      0.95
";

#[test]
fn rates_are_held_against_the_baseline_and_latency_follows_from_little_s_law() {
    let comparison = same_disk(CACHE_MODES);
    assert_eq!(comparison.columns, ["none", "through", "back", "native"]);
    // 0.512 MB/s are 125 reads of 4,096 bytes a second: 8 ms each.
    let none = cell(&comparison, "RND4K Q1T1 read", 0);
    assert!((none.implied_latency.unwrap().millis() - 8.0).abs() < 1e-9);
    assert_eq!(none.ratio, Some(1.0));
    // 32 x 16 outstanding at 2 MB/s (488.28 a second): 1.048576 s.
    let deep = cell(&comparison, "RND4K Q32T16 read", 0);
    assert!((deep.implied_latency.unwrap().seconds() - 1.048_576).abs() < 1e-9);
    let through = cell(&comparison, "SEQ1M Q8T1 write", 1);
    assert!((through.ratio.unwrap() - 0.2).abs() < 1e-12);
}

#[test]
fn the_best_figure_and_the_best_disk_are_two_things() {
    let comparison = same_disk(CACHE_MODES);
    let row = &comparison.rows[0];
    assert_eq!((row.best, row.best_disk), (Some(1), Some(3)));
    let writes = comparison
        .rows
        .iter()
        .find(|row| row.name == "RND4K Q1T1 write")
        .unwrap();
    assert_eq!((writes.best, writes.best_disk), (Some(2), Some(0)));
}

#[test]
fn cache_modes_of_one_slow_disk_are_told_apart() {
    let comparison = same_disk(CACHE_MODES);
    assert_eq!(comparison.subject, Subject::SameDisk);
    assert!(comparison.subject_assumed);
    assert_eq!(
        ids(&comparison),
        [
            ("HOST-CACHE-READS", vec![1]),
            ("HOST-CACHE-READS", vec![2]),
            ("VOLATILE-WRITE-CACHE", vec![2]),
            ("WRITES-COLLAPSE", vec![1]),
            ("CACHE-HIDES-DEVICE", vec![0, 3]),
            ("SAME-SLOW-DEVICE", vec![0, 3]),
        ]
    );
    for (row, column, memory) in [
        ("SEQ1M Q8T1 read", 1, true),
        ("RND4K Q1T1 read", 2, true),
        ("RND4K Q1T1 write", 2, true),
        ("RND4K Q1T1 write", 1, false),
        ("SEQ1M Q8T1 read", 3, false),
        ("RND4K Q1T1 read", 0, false),
    ] {
        assert_eq!(
            cell(&comparison, row, column).not_the_disk,
            memory,
            "{row} {column}"
        );
    }
    // 12/60 and 9/50
    let collapse = notes(&comparison, NoteId::WritesCollapse)[0];
    assert!(
        collapse.message.contains("0.18 to 0.20"),
        "{}",
        collapse.message
    );
    assert!(collapse.message.contains("write-through"));
    // Sequential 50/40, 36/30, 66/60, 60/50; random 1.6/2, 0.488/0.512, 2.7/3, 0.95/1.
    let same = notes(&comparison, NoteId::SameSlowDevice)[0];
    assert!(
        same.message.contains("sequential 1.1 to 1.2 times"),
        "{}",
        same.message
    );
    assert!(
        same.message
            .contains("random 0.80 to 0.95 times, which is within noise")
    );
    let times: Vec<f64> = same.figures.iter().map(|figure| figure.value).collect();
    assert!((times[0] - 8.0).abs() < 1e-9 && (times[1] - 8.393_442_622_950_82).abs() < 1e-9);
    let hidden = notes(&comparison, NoteId::CacheHidesDevice)[0];
    assert!(hidden.message.contains("about 8 ms"), "{}", hidden.message);
}

#[test]
fn a_cached_baseline_does_not_turn_the_rules_round() {
    let options = Options {
        baseline: 1,
        ..Options::default()
    };
    let comparison = of_matrix(CACHE_MODES, options);
    // Against the column whose reads show the device: the slowest.
    let cached: Vec<usize> = notes(&comparison, NoteId::HostCacheReads)
        .iter()
        .flat_map(|note| note.columns.clone())
        .collect();
    assert_eq!(cached, [1, 2]);
    assert_eq!(cell(&comparison, "RND4K Q1T1 read", 1).ratio, Some(1.0));
    assert!(cell(&comparison, "RND4K Q1T1 read", 1).not_the_disk);
}

#[test]
fn a_fast_disk_beside_a_slow_one_is_no_cache() {
    let options = Options {
        subject: Some(Subject::DifferentDisks),
        ..Options::default()
    };
    let comparison = of_matrix(CACHE_MODES, options);
    assert!(!comparison.subject_assumed);
    assert!(notes(&comparison, NoteId::HostCacheReads).is_empty());
    assert!(
        comparison
            .rows
            .iter()
            .flat_map(|row| &row.cells)
            .flatten()
            .all(|cell| !cell.not_the_disk)
    );
    // 58 and 57 us at queue depth 1 are still no disk behind a network.
    let quick: Vec<usize> = notes(&comparison, NoteId::NotARemoteDisk)
        .iter()
        .flat_map(|note| note.columns.clone())
        .collect();
    assert_eq!(quick, [1, 2]);
}

#[test]
fn drives_are_different_disks() {
    let drives = "Disk  C:  D:\nRND4K Q1T1 read   0.5   30.0\nRND4K Q1T1 write   0.8   28.0\n";
    let comparison = same_disk(drives);
    assert_eq!(comparison.subject, Subject::DifferentDisks);
    assert!(comparison.notes.is_empty(), "{:?}", ids(&comparison));
}

#[test]
fn files_are_of_one_disk_only_where_they_name_the_same_target() {
    let pair = |first: Option<&str>, second: Option<&str>| {
        let runs = [first, second].map(|target| Run {
            target: target.map(str::to_owned),
            ..run("fio", "RND4K Q1T1 read", None, 100)
        });
        compare(&columns(&runs), Options::default())
            .unwrap()
            .subject
    };
    assert_eq!(pair(Some("/dev/sdb"), Some("/dev/sdb")), Subject::SameDisk);
    assert_eq!(
        pair(Some("/dev/sdb"), Some("/dev/sdc")),
        Subject::DifferentDisks
    );
    assert_eq!(pair(Some("/dev/sdb"), None), Subject::DifferentDisks);
    assert_eq!(pair(None, None), Subject::DifferentDisks);
}

#[test]
fn a_faster_tier_is_no_cache() {
    // Ten times the IOPS at depth, the same latency at queue depth 1.
    let tiers = "Test  P10  P40\nRND4K Q1T1 read   1.8   2.0\nRND4K Q64T1 read   2.0   30.0\nRND4K Q64T1 write   2.0   30.0\n";
    assert!(same_disk(tiers).notes.is_empty());
}

#[test]
fn one_slow_device_is_the_same_in_every_test() {
    // 2.4 MB/s of 4 KiB are 586 IOPS, 1.71 ms. 125 to 130 and 12.3 to 12.9 MB/s are within 5 %.
    let alike = "Test  old  new\nSEQ1M Q8T1 read   125   130\nRND4K Q32T16 read   12.3   12.9\nRND4K Q1T1 read   2.4   2.5\n";
    assert_eq!(ids(&same_disk(alike)), [("SAME-SLOW-DEVICE", vec![0, 1])]);
    // Sequential reads at 1.6 times: another disk.
    let sequential = alike.replace("130", "200");
    assert!(same_disk(&sequential).notes.is_empty());
    // Deep random reads at 1.3 times: another limit.
    let deep = alike.replace("12.9", "16.0");
    assert!(same_disk(&deep).notes.is_empty());
    // At 18.6 ms (0.22 MB/s) few I/Os complete: 0.22 and 0.25 are the same, whatever is sequential.
    let very_slow = sequential.replace("2.4", "0.22").replace("2.5", "0.25");
    assert_eq!(
        ids(&same_disk(&very_slow)),
        [("SAME-SLOW-DEVICE", vec![0, 1])]
    );
}

#[test]
fn a_disk_that_is_slower_in_all_has_no_collapse_of_writes() {
    let slower = "Test  old  new\nSEQ1M Q8T1 read   900   300\nSEQ1M Q8T1 write   800   250\n";
    assert!(same_disk(slower).notes.is_empty());
    let writes_alone =
        "Test  old  new\nSEQ1M Q8T1 read   900   880\nSEQ1M Q8T1 write   800   250\n";
    assert_eq!(
        ids(&same_disk(writes_alone)),
        [("WRITES-COLLAPSE", vec![1])]
    );
}

#[test]
fn a_guest_at_a_third_of_its_host() {
    let guest = "Test  host  guest\nSEQ1M Q8T1 read   1000   380\nRND4K Q1T1 read   20   6.4\nSEQ1M Q8T1 write   900   300\n";
    let comparison = same_disk(guest);
    let share = notes(&comparison, NoteId::HypervisorShare);
    assert_eq!(share.len(), 1);
    // 380/1000, 6.4/20, 300/900
    assert!(
        share[0].message.contains("0.32 to 0.38 of host"),
        "{}",
        share[0].message
    );
    let one_row_differs = guest.replace("300", "700");
    assert!(notes(&same_disk(&one_row_differs), NoteId::HypervisorShare).is_empty());
}

/// A run of one test.
fn run(tool: &str, name: &str, threads: Option<u32>, iops: u32) -> Run {
    let mut kind = test_name::parse(name).unwrap();
    kind.threads = threads;
    Run {
        format: Format::FioJson,
        tool: tool.into(),
        version: None,
        host: None,
        os: None,
        date: None,
        target: None,
        comment: None,
        tests: vec![Test {
            name: format!("{tool}'s own name"),
            kind,
            iops: Some(Iops::whole(iops)),
            ..Test::default()
        }],
        notes: Vec::new(),
    }
}

#[test]
fn tests_are_aligned_by_what_they_did_not_by_their_names() {
    let runs = [
        run("fio", "4k randread qd8", None, 1000),
        run("DiskSpd", "RND4K Q8T1 read", Some(1), 1500),
        run("ioping", "RND4K Q1T1 read", Some(1), 300),
    ];
    let comparison = compare(&columns(&runs), Options::default()).unwrap();
    assert_eq!(comparison.rows.len(), 2);
    assert_eq!(comparison.rows[0].name, "RND4K Q8T1 read");
    assert_eq!(comparison.rows[0].cell(1).unwrap().ratio, Some(1.5));
    assert!(comparison.rows[1].cell(0).is_none());
    assert_eq!(comparison.rows[1].best, None);
    assert_eq!(comparison.rows[1].cell(2).unwrap().ratio, None);
}

#[test]
fn runs_with_nothing_in_common_are_told_so() {
    let runs = [
        run("a", "RND4K Q8T1 read", None, 1),
        run("b", "RND8K Q8T1 read", None, 1),
    ];
    let comparison = compare(&columns(&runs), Options::default()).unwrap();
    assert_eq!(ids(&comparison), [("NO-COMMON-TEST", vec![])]);
}

#[test]
fn repetitions_pair_off_and_equal_names_are_numbered() {
    let mut twice = run("dd", "RND4K Q1T1 read", None, 100);
    twice.tests.push(twice.tests[0].clone());
    let runs = [twice.clone(), twice];
    let columns = columns(&runs);
    let labels: Vec<&str> = columns.iter().map(|column| column.label.as_str()).collect();
    assert_eq!(labels, ["dd #1", "dd #2"]);
    let comparison = compare(&columns, Options::default()).unwrap();
    let repetitions: Vec<u32> = comparison.rows.iter().map(|row| row.repetition).collect();
    assert_eq!(repetitions, [1, 2]);
    assert!(
        comparison
            .rows
            .iter()
            .all(|row| row.cells.iter().all(Option::is_some))
    );
}

#[test]
fn one_direction_of_a_mixed_test_is_a_row_of_its_own() {
    let whole = run("a", "RND4K Q4T1 read", None, 100);
    let mut half = run("b", "RND4K Q4T1 read", None, 60);
    half.tests[0].part_of = Some("sum".into());
    let comparison = compare(&columns(&[whole, half]), Options::default()).unwrap();
    assert_eq!(comparison.rows.len(), 2);
    let part = comparison.rows.iter().find(|row| row.part).unwrap();
    assert_eq!(part.cell(1).unwrap().implied_latency, None);
}

#[test]
fn measured_latency_goes_before_implied() {
    let mut slow = run("a", "RND4K Q1T1 read", None, 1000);
    slow.tests[0].latency = Some(LatencyStats {
        mean: Latency::from_millis(0.9).ok(),
        ..LatencyStats::default()
    });
    let fast = run("b", "RND4K Q1T1 read", None, 1000);
    let comparison = compare(&columns(&[slow, fast]), Options::default()).unwrap();
    let times: Vec<f64> = (0..2)
        .map(|column| {
            comparison.rows[0]
                .cell(column)
                .unwrap()
                .time()
                .unwrap()
                .millis()
        })
        .collect();
    assert_eq!(times, [0.9, 1.0]);
}

#[test]
fn too_few_runs_and_a_baseline_that_is_not_there() {
    let one = [run("a", "RND4K Q1T1 read", None, 1)];
    let error = compare(&columns(&one), Options::default()).unwrap_err();
    assert_eq!(error, CompareError::TooFew { found: 1 });
    let two = [one[0].clone(), one[0].clone()];
    let options = Options {
        baseline: 2,
        ..Options::default()
    };
    let error = compare(&columns(&two), options).unwrap_err();
    assert_eq!(
        error,
        CompareError::NoBaseline {
            baseline: 2,
            last: 1
        }
    );
    assert!(error.to_string().contains("0 to 1"));
}

#[test]
fn a_comparison_survives_json_and_has_a_schema() {
    let comparison = same_disk(CACHE_MODES);
    let json = serde_json::to_string(&comparison).unwrap();
    let back: Comparison = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&back.columns, back.subject),
        (&comparison.columns, comparison.subject)
    );
    assert_eq!(ids(&back), ids(&comparison));
    assert_eq!(back.rows.len(), comparison.rows.len());
    let schema = serde_json::to_string(&schemars::schema_for!(Comparison)).unwrap();
    assert!(schema.contains("HOST-CACHE-READS") && schema.contains("not_the_disk"));
}

proptest! {
    /// Whatever the figures: no panic, the baseline is 1 to itself, and the best is not beaten.
    #[test]
    fn any_matrix_is_compared(
        rates in prop::collection::vec(prop::collection::vec(0.0_f64..2e4, 3), 1..6),
        baseline in 0_usize..3,
    ) {
        let names = ["SEQ1M Q8T1 read", "RND4K Q1T1 read", "RND4K Q32T1 read", "RND4K Q1T1 write", "SEQ1M Q1T1 write"];
        let mut text = String::from("Test\tA (MB/s)\tB (MB/s)\tC (MB/s)\n");
        for (name, row) in names.iter().zip(&rates) {
            text.push_str(&format!("{name}\t{:.3}\t{:.3}\t{:.3}\n", row[0], row[1], row[2]));
        }
        let comparison = of_matrix(&text, Options { baseline, ..Options::default() });
        for row in &comparison.rows {
            let rate = |column: usize| row.cell(column).unwrap().mbps.unwrap().get();
            if rate(baseline) > 0.0 {
                prop_assert_eq!(row.cell(baseline).unwrap().ratio, Some(1.0));
            }
            let best = rate(row.best.unwrap());
            prop_assert!((0..3).all(|column| rate(column) <= best));
        }
        for note in &comparison.notes {
            prop_assert!(note.columns.iter().all(|column| *column < 3));
            prop_assert!(note.rows.iter().all(|row| *row < comparison.rows.len()));
        }
    }
}

/// The published cache-mode matrix beside the project, where it is: pasted as people do, its stated conclusions come out.
#[test]
fn the_published_cache_modes_come_to_their_conclusions() {
    let cases = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/cases/measured-reports.toml"
    );
    let Ok(text) = std::fs::read_to_string(cases) else {
        return;
    };
    let cases: toml::Table = text.parse().unwrap();
    let report = cases["report"]
        .as_array()
        .unwrap()
        .iter()
        .find(|report| report["id"].as_str() == Some("kvm-vdi-cache-modes"))
        .unwrap();
    let heads: Vec<&str> = report["columns"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(toml::Value::as_str)
        .collect();
    let mut pasted = String::new();
    for section in ["read", "write"] {
        pasted.push_str(&format!("[{section}]  {}\n", heads.join("  ")));
        for (name, values) in report[section].as_table().unwrap() {
            let values: Vec<String> = values
                .as_array()
                .unwrap()
                .iter()
                .map(|value| format!("{:.2}", value.as_float().unwrap()))
                .collect();
            pasted.push_str(&format!("{name}  {}\n", values.join("  ")));
        }
    }
    let runs = matrix::parse(&pasted).unwrap();
    let comparison = compare(&columns(&runs), Options::default()).unwrap();
    assert_eq!(comparison.columns, heads);
    let at = |head: &str| heads.iter().position(|name| *name == head).unwrap();
    for (head, expected) in report["expect"]["implied_qd1_read_latency_ms"]
        .as_table()
        .unwrap()
    {
        let found = cell(&comparison, "RND4K Q1T1 read", at(head))
            .implied_latency
            .unwrap()
            .millis();
        assert!(
            (found - expected.as_float().unwrap()).abs() < 0.05,
            "{head}: {found}"
        );
    }
    let about = |id: NoteId| -> Vec<usize> {
        notes(&comparison, id)
            .iter()
            .flat_map(|note| note.columns.clone())
            .collect()
    };
    assert_eq!(about(NoteId::HostCacheReads), [at("B"), at("C")]);
    assert_eq!(about(NoteId::VolatileWriteCache), [at("C")]);
    assert_eq!(about(NoteId::WritesCollapse), [at("B")]);
    assert_eq!(about(NoteId::SameSlowDevice), [at("A"), at("D")]);
    assert_eq!(about(NoteId::CacheHidesDevice), [at("A"), at("D")]);
    let same = &notes(&comparison, NoteId::SameSlowDevice)[0].message;
    assert!(
        same.contains("1.2 to 1.6") && same.contains("within noise"),
        "{same}"
    );
    assert!(
        notes(&comparison, NoteId::CacheHidesDevice)[0]
            .message
            .contains("about 18 ms")
    );
}

#[test]
fn labels_may_be_given() {
    let runs = [
        run("a", "RND4K Q1T1 read", None, 1),
        run("a", "RND4K Q1T1 read", None, 1),
    ];
    let named: Vec<Column<'_>> = runs
        .iter()
        .zip(["before", "after"])
        .map(|(run, label)| Column {
            label: label.into(),
            run,
        })
        .collect();
    assert_eq!(
        compare(&named, Options::default()).unwrap().columns,
        ["before", "after"]
    );
}

/// 24.6 over 20.5 MB/s is 1.2, whatever the IOPS beside them say; 3,004 over 5,012 IOPS is 0.599 where they agree.
#[test]
fn the_ratio_and_the_best_are_of_one_figure() {
    let table = |mbps: &str| {
        format!(
            "test,block,qd,config,IOPS,MB/s\nrand read,8k,32,data,5012,{mbps}\nrand read,8k,32,log,3004,24.6\n"
        )
    };
    let compared = |text: &str| {
        let runs = diskcap::measure::csv::parse(text).unwrap();
        compare(&columns(&runs), Options::default()).unwrap()
    };
    let rounded = |comparison: &Comparison| {
        let ratio = comparison.rows[0].cell(1).unwrap().ratio.unwrap();
        ((ratio * 1000.0).round() / 1000.0, comparison.rows[0].best)
    };
    assert_eq!(rounded(&compared(&table("20.5"))), (1.2, Some(1)));
    assert_eq!(rounded(&compared(&table("41.06"))), (0.599, Some(0)));
}
