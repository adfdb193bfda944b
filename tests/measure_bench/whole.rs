//! Runs as a whole: paging, binding to volumes, findings.

use diskcap::catalog::Catalog;
use diskcap::measure::bench::{Input, Request, bench};
use diskcap::measure::compare::Subject;
use diskcap::measure::identify::Place;
use diskcap::measure::model::Format;
use diskcap::measure::read::read_bytes;
use diskcap::planner::{FindingId, Severity};
use diskcap::report::{RenderOptions, render};

use crate::{deployment, inputs, of_fixtures, of_text, run, test};

#[test]
fn the_page_file_is_moved_to_the_temporary_disk() {
    let request = Request {
        paging: "400MiB".parse().ok(),
        ..Request::default()
    };
    let result = of_fixtures(&["system.txt", "temp.txt", "small.txt"], &request);
    let finding = &result.findings[0];
    assert_eq!(finding.id, FindingId::PageFilePlace);
    assert_eq!(finding.subject, "system");
    assert!(
        finding
            .fix
            .as_ref()
            .unwrap()
            .starts_with("move it to temp (local temporary")
    );
    let paging = result.paging.unwrap();
    assert_eq!(paging.best.as_deref(), Some("temp"));
    // 102,400 pages / 112 a second = 914.3 s; / 7,200 = 14.2 s.
    let seconds: Vec<f64> = paging
        .drives
        .iter()
        .map(|d| d.page_in.random_seconds.unwrap().round())
        .collect();
    assert_eq!(seconds, [914.0, 14.0, 31.0]);
}

#[test]
fn a_page_file_is_spoken_of_where_paging_is_asked_about() {
    let result = of_fixtures(
        &["system.txt", "temp.txt", "small.txt"],
        &Request::default(),
    );
    let ids = result.findings.iter().map(|finding| finding.id);
    assert!(!ids.collect::<Vec<_>>().contains(&FindingId::PageFilePlace));
}

/// A table of two disks whose names have blanks.
fn two_disks() -> Input {
    let text = "| Test | Disk A (IOPS) | Disk B (IOPS) |\n|---|---|---|\n| 4K random read QD32 | 4,900 | 2,300 |\n";
    Input {
        name: "t.md".to_owned(),
        target: Some("b".to_owned()),
        runs: read_bytes(text.as_bytes(), "t.md").unwrap(),
    }
}

#[test]
fn one_column_of_a_table_is_bound() {
    let deployment = deployment(Some("Standard_D8s_v5"), &["a=P30", "b=P20"]);
    let request = Request {
        deployment: Some(&deployment),
        ..Request::default()
    };
    let column = two_disks().only("disk b").unwrap();
    let result = bench(Catalog::embedded(), &[column], &request).unwrap();
    assert_eq!(result.runs.len(), 1);
    assert_eq!(result.runs[0].volume.as_deref(), Some("b"));
    // 2,300 IOPS are those of a P20.
    let verdict = &result.runs[0].judgement.tests[0].verdict;
    assert_eq!(verdict.title(), "at disk IOPS");
    let error = two_disks().only("Disk C").unwrap_err().to_string();
    assert!(
        error.ends_with("what was read of it is 'Disk A', 'Disk B'"),
        "{error}"
    );
    let unbound = Input {
        target: None,
        ..two_disks()
    };
    let error = bench(Catalog::embedded(), &[unbound], &request).unwrap_err();
    assert!(error.to_string().contains("'NAME=t.md#Disk A'"), "{error}");
}

#[test]
fn a_named_disk_pages_without_burst_credit() {
    // Measured in burst at 990 IOPS; a P10 holds 500, and Standard_D2s_v3 48 MB/s without its cache.
    let plan = deployment(Some("D2s_v3"), &["P10"]);
    let request = Request {
        vm: plan.vm.as_ref(),
        deployment: Some(&plan),
        paging: "400MiB".parse().ok(),
        ..Request::default()
    };
    let measured = Input {
        name: "p10.json".to_owned(),
        target: None,
        runs: vec![run(
            Format::FioJson,
            vec![
                test("SEQ1M Q1T1 read", 162.0),
                test("RND4K Q1T1 read", 990.0),
            ],
        )],
    };
    let result = bench(Catalog::embedded(), &[measured], &request).unwrap();
    let page_in = result.paging.unwrap().drives[0].page_in;
    // 102,400 pages / 500 = 204.8 s; 6,400 clusters / 500 = 12.8 s, and 419.4 MB / 48 MB/s = 8.7 s are less.
    assert_eq!(page_in.random_seconds, Some(204.8));
    assert_eq!(page_in.clustered_seconds, Some(12.8));
}

#[test]
fn reads_from_memory_are_no_local_disk() {
    let result = of_fixtures(&["cache-modes.txt"], &Request::default());
    let places: Vec<Place> = result
        .runs
        .iter()
        .map(|run| run.identification.as_ref().unwrap().place)
        .collect();
    assert_eq!(places[1], Place::Memory);
    assert_eq!(places[2], Place::Memory);
    assert!(matches!(places[0], Place::Persistent { slow: true, .. }));
    let comparison = result.comparison.unwrap();
    assert_eq!(comparison.columns, ["none", "through", "back", "native"]);
}

#[test]
fn columns_named_after_volumes_bind_by_themselves() {
    let plan = deployment(
        Some("D2s_v3"),
        &[
            "v1=P10",
            "v2base=v2:size=129,iops=3000,mbps=125",
            "v2double=v2:size=130,iops=6000,mbps=250",
        ],
    );
    let request = Request {
        vm: plan.vm.as_ref(),
        deployment: Some(&plan),
        ..Request::default()
    };
    let result = of_fixtures(&["disks.md"], &request);
    let volumes: Vec<&str> = result
        .runs
        .iter()
        .map(|run| run.volume.as_deref().unwrap())
        .collect();
    assert_eq!(volumes, ["v1", "v2base", "v2double"]);
    assert_eq!(result.findings, []);
    let open = bench(Catalog::embedded(), &inputs(&["temp.txt"]), &request).unwrap_err();
    assert!(open.to_string().contains("NAME=temp.txt"), "{open}");
}

#[test]
fn what_no_limit_lets_through_fails_a_gate_and_a_fast_disk_does_not() {
    let judged = |name: &str, iops: f64| {
        let plan = deployment(Some("D8s_v3"), &["P30"]);
        let request = Request {
            vm: plan.vm.as_ref(),
            deployment: Some(&plan),
            ..Request::default()
        };
        let input = Input {
            name: "p30.json".to_owned(),
            target: None,
            runs: vec![run(Format::FioJson, vec![test(name, iops)])],
        };
        let found = bench(Catalog::embedded(), &[input], &request).unwrap();
        let mut findings = found.findings.into_iter();
        findings
            .find(|f| f.id == FindingId::AboveLimits)
            .map(|f| f.severity)
    };
    // 100,000 IOPS of a P30 (5,000) came from memory. One at a time 2,000 IOPS are twice what the usual 1 ms makes, and
    // within the limit: usual latencies are no promise.
    assert_eq!(
        judged("RND4K Q32T1 read", 100_000.0),
        Some(Severity::Warning)
    );
    assert_eq!(judged("RND4K Q1T1 read", 5600.0), Some(Severity::Warning));
    assert_eq!(judged("RND4K Q1T1 read", 2000.0), Some(Severity::Info));
    assert_eq!(judged("RND4K Q1T1 read", 1400.0), None);
}

#[test]
fn a_queue_whose_depth_is_known_is_not_to_be_made_deeper() {
    let fix = |name: &str, iops: f64| {
        let plan = deployment(Some("D8s_v3"), &["P30"]);
        let request = Request {
            vm: plan.vm.as_ref(),
            deployment: Some(&plan),
            ..Request::default()
        };
        let input = Input {
            name: "p30.json".to_owned(),
            target: None,
            runs: vec![run(Format::FioJson, vec![test(name, iops)])],
        };
        let found = bench(Catalog::embedded(), &[input], &request).unwrap();
        let mut findings = found.findings.into_iter();
        let short = findings.find(|f| f.id == FindingId::BelowPrediction);
        short.unwrap().fix.unwrap()
    };
    // 64 / 320 = 200 ms an I/O: they wait already. Eight at 1 ms are enough for the 5,000 IOPS of a P30.
    assert!(!fix("RND4K Q64T1 read", 320.0).contains("more outstanding"));
    assert!(!fix("RND4K Q8T1 read", 1000.0).contains("more outstanding"));
    assert!(fix("RND4K read", 1000.0).contains("more outstanding"));
}

#[test]
fn drive_d_is_most_likely_the_temp_disk() {
    let found = |size: &str, disk: &str, measured: &str| {
        let plan = deployment(Some(size), &[disk]);
        let request = Request {
            vm: plan.vm.as_ref(),
            deployment: Some(&plan),
            ..Request::default()
        };
        let mut of_d = run(Format::DiskspdText, vec![test("RND4K Q32T1 read", 450.0)]);
        of_d.target = Some(measured.to_owned());
        let input = Input {
            name: "d.txt".to_owned(),
            target: None,
            runs: vec![of_d],
        };
        let found = bench(Catalog::embedded(), &[input], &request).unwrap();
        found.findings.iter().any(|f| f.id == FindingId::TempDrive)
    };
    assert!(found("D2s_v3", "P10", r"D:\io.dat"));
    assert!(found("D2s_v3", "P10", "d: 3.4% (1.2/31.9 GiB)"));
    // Another drive; a size without a temp disk; the temp disk itself; a disk that is called d.
    assert!(!found("D2s_v3", "P10", r"F:\io.dat"));
    assert!(!found("D2s_v5", "P10", r"D:\io.dat"));
    assert!(!found("D2s_v3", "temp", r"D:\io.dat"));
    assert!(!found("D2s_v3", "d=P10", r"D:\io.dat"));
    assert!(!found("D2s_v3", "P10", "Ä"));
}

#[test]
fn what_a_finding_quotes_is_not_said_twice() {
    let plan = deployment(Some("D8s_v3"), &["P30"]);
    let request = Request {
        vm: plan.vm.as_ref(),
        deployment: Some(&plan),
        ..Request::default()
    };
    let input = Input {
        name: "p30.json".to_owned(),
        target: None,
        runs: vec![run(
            Format::FioJson,
            vec![
                test("RND4K Q32T1 read", 2500.0),
                test("RND4K Q32T1 write", 4990.0),
            ],
        )],
    };
    let found = bench(Catalog::embedded(), &[input], &request).unwrap();
    let shown = render(
        &found,
        diskcap::report::Format::Table,
        &RenderOptions::default(),
    )
    .unwrap();
    let shown = String::from_utf8(shown).unwrap();
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let times = |words: &str| shown.matches(words).count();
    assert_eq!(times("50 % of the disk's IOPS limit"), 1, "{shown}");
    assert_eq!(times("at the disk's IOPS limit, 5,000 IOPS."), 1, "{shown}");
}

#[test]
fn a_disk_that_falls_short_is_a_warning() {
    let plan = deployment(Some("D8s_v3"), &["P80"]);
    let request = Request {
        vm: plan.vm.as_ref(),
        deployment: Some(&plan),
        ..Request::default()
    };
    let result = of_fixtures(&["system.txt"], &request);
    let short = result
        .findings
        .iter()
        .find(|f| f.id == FindingId::BelowPrediction)
        .unwrap();
    assert_eq!(short.severity, Severity::Warning);
}

#[test]
fn what_a_plan_refuses_bench_refuses() {
    for (vm, disk, id) in [
        ("D8_v5", "P30", FindingId::PremiumUnsupported),
        ("D8s_v5", "40xP30", FindingId::TooManyDisks),
        ("D8s_v5", "v2:size=256,cache=ro", FindingId::V2Caching),
        ("D8s_v5", "v2:size=256,iops=900000", FindingId::V2Range),
        ("D8s_v5", "P50:cache=ro", FindingId::LargeDiskCaching),
    ] {
        let result = of_text("test,iops\n4k randread QD32,100\n", vm, &[disk]);
        let first = &result.findings[0];
        assert_eq!((first.id, first.severity), (id, Severity::Error), "{disk}");
    }
}

#[test]
fn columns_of_drive_letters_are_drives() {
    let text = "| Test | C: | D: |\n|---|---|---|\n| RND4K Q1T1 read | 3.9 | 24.1 |\n\
                | RND4K Q32T16 read | 14.3 | 155.6 |\n| SEQ1M Q8T1 read | 170 | 500 |\n";
    let result = of_text(text, "E8ds_v5", &[]);
    let labels: Vec<&str> = result.runs.iter().map(|run| run.label.as_str()).collect();
    assert_eq!(labels, ["C", "D"]);
    let place = |run: usize| result.runs[run].identification.as_ref().unwrap().place;
    assert_eq!(place(1), Place::LocalTemporary);
    assert!(matches!(place(0), Place::Persistent { .. }));
}

#[test]
fn each_reason_why_figures_do_not_go_together_is_told() {
    // 5,000 x 8 KiB = 40.96 MB/s, half of what is told; 8 / 3,052 = 2.62 ms, not 5.5.
    let text = "test,block_size,queue_depth,threads,pattern,direction,iops,mbps,latency_ms\n\
                x,8KiB,32,1,random,read,5000,81.92,6.4\nz,64KiB,8,1,random,read,3052,200,5.5\n";
    let result = of_text(text, "D8s_v5", &[]);
    let of = |finding: &&diskcap::planner::Finding| finding.id == FindingId::InconsistentResult;
    let messages: Vec<&str> = result
        .findings
        .iter()
        .filter(of)
        .map(|f| f.message.as_str())
        .collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].starts_with("x: ") && messages[0].contains("2.00 times"));
    assert!(messages[1].starts_with("z: ") && messages[1].contains("5.5 ms"));
}

#[test]
fn reads_of_a_cache_and_writes_of_its_disk_are_told_apart() {
    // D8s_v3 caches 16,000 IOPS and 131.1 MB/s; a P30 takes 5,000 and 200.
    let text = "SEQ1M Q8T1 read: 131.5 MB/s\nRND4K Q32T1 read: 65.4 MB/s\n\
                SEQ1M Q8T1 write: 201.0 MB/s\nRND4K Q32T1 write: 20.9 MB/s\n";
    let result = of_text(text, "D8s_v3", &[]);
    let conclusion = &result.runs[0].identification.as_ref().unwrap().conclusion;
    assert!(
        conclusion.contains("the reads fit the cached limit of Standard_D8s_v3")
            && conclusion.contains("and the writes the P30"),
        "{conclusion}"
    );
}

#[test]
fn sizes_that_few_figures_fit_are_named_as_such() {
    let text = "test,iops,mbps\n4k randread QD64,6396,26.2\n1M seqread QD16,,145\n";
    let runs = read_bytes(text.as_bytes(), "x").unwrap();
    let found = diskcap::measure::identify::identify(Catalog::embedded(), &runs[0], None, 0.075);
    assert!(
        found
            .conclusion
            .contains("of VM sizes, which may be chance")
            && found.conclusion.contains("(6,400 IOPS, 145 MB/s)"),
        "{}",
        found.conclusion
    );
}

/// A table with the runs and the disks of two VM disks before and after a change.
const BEFORE_AFTER: &str = "\
run,disk,test,iops
before,data,RND4K Q32T1 read,5000
before,log,RND4K Q32T1 read,500
after,data,RND4K Q32T1 read,5100
after,log,RND4K Q32T1 read,490
";

/// That table, bound to a volume where one is named.
fn before_after(text: &str, target: Option<&str>) -> Input {
    Input {
        name: "t".to_owned(),
        target: target.map(str::to_owned),
        runs: read_bytes(text.as_bytes(), "t").unwrap(),
    }
}

#[test]
fn rows_of_a_run_go_to_the_disk_that_each_names() {
    let plan = deployment(Some("D8s_v5"), &["data=P30", "log=P10"]);
    let request = Request {
        deployment: Some(&plan),
        ..Request::default()
    };
    let of = |input: Input| -> Vec<(String, Option<String>, String)> {
        let result = bench(Catalog::embedded(), &[input], &request).unwrap();
        let told = result.runs.into_iter().map(|run| {
            let title = run.judgement.tests[0].verdict.title();
            (run.label, run.volume, title)
        });
        told.collect()
    };
    // 5,000 IOPS are those of a P30, 500 those of a P10.
    let row = |label: &str, volume: &str| {
        let at = "at disk IOPS".to_owned();
        (label.to_owned(), Some(volume.to_owned()), at)
    };
    let all = [
        row("before data", "data"),
        row("before log", "log"),
        row("after data", "data"),
        row("after log", "log"),
    ];
    let markdown = format!(
        "|{}|",
        BEFORE_AFTER.trim().replace(',', "|").replace('\n', "|\n|")
    );
    let markdown = markdown.replacen("|\n", "|\n|---|---|---|---|\n", 1);
    for text in [BEFORE_AFTER, &markdown] {
        assert_eq!(of(before_after(text, None)), all);
        // That the file is of one volume is no word on rows that name another.
        assert_eq!(of(before_after(text, Some("data"))), all);
        let before = before_after(text, Some("log")).only("before").unwrap();
        assert_eq!(of(before), [row("before", "log")]);
        let after = before_after(text, None).only("after").unwrap();
        assert_eq!(of(after), all[2..]);
        let one = before_after(text, Some("data")).only("After Data").unwrap();
        assert_eq!(of(one), [row("after", "data")]);
    }
    let error = before_after(BEFORE_AFTER, Some("temp")).only("before");
    assert_eq!(
        error.unwrap_err().to_string(),
        "'t' has no column or device 'before'; what was read of it is 'before data', 'before log', 'after data', 'after log'"
    );
}

/// A P30 with writes of 2.38 ms beside a v2 with such of 690 us: 3.45 times as many writes one at a time, and no cache.
#[test]
fn columns_of_different_disks_are_not_one_disk_with_a_cache() {
    let found = |heads: [&str; 2]| {
        let text = format!(
            "Test,Block size,Queue depth,{} (IOPS),{} (IOPS)\nrand read,4K,32,5012,3004\n\
             rand write,8K,32,4990,2998\nrand write,4K,1,420,1450\n",
            heads[0], heads[1]
        );
        let input = Input {
            name: "t.csv".to_owned(),
            target: None,
            runs: read_bytes(text.as_bytes(), "t.csv").unwrap(),
        };
        let request = Request::default();
        let result = bench(Catalog::embedded(), &[input], &request).unwrap();
        let compared = result.comparison.unwrap();
        (compared.subject, compared.subject_assumed, compared.notes)
    };
    // By their names, and by the limits that they fit.
    for heads in [["data", "log"], ["Disk A", "Disk B"], ["before", "after"]] {
        let (subject, assumed, notes) = found(heads);
        assert_eq!((subject, assumed), (Subject::DifferentDisks, true));
        assert!(notes.is_empty(), "{notes:?}");
    }
}

#[test]
fn runs_of_csv_files_without_names_go_by_their_files() {
    let labels = |files: &[&str]| -> Vec<String> {
        let text = b"test,iops\nRND4K Q1T1 read,900\n";
        let input = |name: &&str| Input {
            name: (*name).to_owned(),
            target: None,
            runs: read_bytes(text, name).unwrap(),
        };
        let inputs: Vec<Input> = files.iter().map(input).collect();
        let result = bench(Catalog::embedded(), &inputs, &Request::default()).unwrap();
        result.runs.into_iter().map(|run| run.label).collect()
    };
    assert_eq!(labels(&["x/before.csv", "after.csv"]), ["before", "after"]);
    assert_eq!(labels(&["x/a.csv", "y/a.csv"]), ["a #1", "a #2"]);
    assert_eq!(labels(&["a.csv"]), ["CSV"]);
}
