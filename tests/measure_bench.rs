//! Judgement and identification of measured results: verdicts worked out by hand from the limits of sizes and disks.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

use std::path::Path;

use diskcap::catalog::Catalog;
use diskcap::deployment::{Deployment, DiskSpec};
use diskcap::measure::bench::{Bench, Input, Request, bench};
use diskcap::measure::identify::candidates::CandidateKind;
use diskcap::measure::identify::{Identification, Place, identify};
use diskcap::measure::judge::verdict::{LatencySource, Verdict};
use diskcap::measure::judge::{Judgement, Options, Target, TestReport, judge};
use diskcap::measure::model::{Format, LatencyStats, Run, Test};
use diskcap::measure::read::{read_bytes, read_path};
use diskcap::measure::test_name;
use diskcap::planner::{FindingId, Severity};
use diskcap::units::{Iops, Latency, MBps, QueueDepth, Share};
use proptest::prelude::*;

fn deployment(vm: Option<&str>, disks: &[&str]) -> Deployment {
    let catalog = Catalog::embedded();
    let vm = vm.map(|name| catalog.vm(name, None).unwrap());
    let specs = disks
        .iter()
        .map(|disk| disk.parse::<DiskSpec>().unwrap().into());
    Deployment::new(catalog, vm, specs.collect()).unwrap()
}

/// A test by its name, such as `RND4K Q32T1 read`, with IOPS.
fn test(name: &str, iops: f64) -> Test {
    let kind = test_name::parse(name).unwrap();
    let iops = Iops::new(iops).unwrap();
    Test {
        name: name.to_owned(),
        kind,
        iops: Some(iops),
        mbps: kind.block_size.map(|block| iops.throughput(block)),
        ..Test::default()
    }
}

/// A test by its name with MB/s.
fn moved(name: &str, mbps: f64) -> Test {
    let kind = test_name::parse(name).unwrap();
    let mbps = MBps::new(mbps).unwrap();
    test(name, mbps.iops_at(kind.block_size.unwrap()).get())
}

fn run(format: Format, tests: Vec<Test>) -> Run {
    Run {
        format,
        tool: "tool".into(),
        version: None,
        host: None,
        os: None,
        date: None,
        target: None,
        comment: None,
        tests,
        notes: Vec::new(),
    }
}

fn judged(deployment: &Deployment, run: &Run) -> Judgement {
    let target = Target {
        deployment,
        volume: 0,
    };
    judge(Catalog::embedded(), run, Some(target), &Options::default())
}

/// The only test, judged.
fn one(vm: Option<&str>, disk: &str, test: Test) -> TestReport {
    let run = run(Format::FioJson, vec![test]);
    judged(&deployment(vm, &[disk]), &run).tests.remove(0)
}

fn titles(judgement: &Judgement) -> Vec<String> {
    judgement
        .tests
        .iter()
        .map(|test| test.verdict.title())
        .collect()
}

#[test]
fn the_field_report_is_told_limit_by_limit() {
    // Standard_D2s_v3: 3,200 IOPS / 48 MB/s uncached, 4,000 / 200 in burst. P10: 500 / 100, 3,500 / 170 in burst.
    let expected: [(&str, [f64; 3], [&str; 3]); 3] = [
        (
            "v1=P10",
            [3500.0, 170.0, 1000.0],
            [
                "at disk IOPS (burst)",
                "at disk MB/s (burst)",
                "latency-bound",
            ],
        ),
        (
            "v2base=v2:size=129,iops=3000,mbps=125",
            [3000.0, 125.0, 1538.0],
            ["at disk IOPS", "at disk MB/s", "latency-bound"],
        ),
        (
            "v2double=v2:size=130,iops=6000,mbps=250",
            [4000.0, 200.0, 1538.0],
            [
                "at VM uncached IOPS (burst)",
                "at VM uncached MB/s (burst)",
                "latency-bound",
            ],
        ),
    ];
    for (disk, [deep, sequential, single], verdicts) in expected {
        let run = run(
            Format::CrystalDiskMark,
            vec![
                test("RND4K Q32T16 read", deep),
                moved("SEQ1M Q8T1 read", sequential),
                test("RND4K Q1T1 read", single),
            ],
        );
        let judgement = judged(&deployment(Some("Standard_D2s_v3"), &[disk]), &run);
        assert_eq!(titles(&judgement), verdicts, "{disk}");
        for test in &judgement.tests {
            assert!(
                (test.ratio.unwrap() - 1.0).abs() < 1e-3,
                "{disk} {}",
                test.name
            );
        }
    }
}

#[test]
fn what_holds_only_in_burst_is_told_so() {
    let run = run(
        Format::CrystalDiskMark,
        vec![test("RND4K Q32T1 read", 3480.0)],
    );
    let judgement = judged(&deployment(Some("D2s_v3"), &["P10"]), &run);
    let words = &judgement.tests[0].words;
    assert!(words.contains("in burst, 3,500 IOPS"), "{words}");
    assert!(words.contains("a run this short fits"), "{words}");
    assert!(
        words.ends_with("the disk's IOPS limit, 500 IOPS"),
        "{words}"
    );
}

#[test]
fn a_run_longer_than_the_credit_is_held_against_what_holds_without_end() {
    // A full bucket of P10 holds (3,500 - 500) x 1,800 s = 5,400,000 I/Os; an hour at 3,500 draws 10,800,000.
    let mut long = test("RND4K Q32T1 read", 300.0);
    long.seconds = Some(3600.0);
    let report = one(None, "P10", long);
    assert_eq!(report.verdict, Verdict::BelowEveryLimit { expected: None });
    assert_eq!(report.predicted_iops, Some(Iops::whole(500)));
    assert!((report.ratio.unwrap() - 0.6).abs() < 1e-9);
    // Ten minutes fit: held against 3,500.
    let mut short = test("RND4K Q32T1 read", 300.0);
    short.seconds = Some(600.0);
    assert_eq!(
        one(None, "P10", short).predicted_iops,
        Some(Iops::whole(3500))
    );
}

#[test]
fn credit_is_spent_by_the_tests_before() {
    // Each test draws (3,500 - 500) x 1,000 s = 3,000,000 of 5,400,000 I/Os: the second does not fit any more.
    let timed = |iops| {
        let mut test = test("RND4K Q32T1 read", iops);
        test.seconds = Some(1000.0);
        test
    };
    let run = run(Format::FioJson, vec![timed(3500.0), timed(300.0)]);
    let judgement = judged(&deployment(None, &["P10"]), &run);
    assert_eq!(judgement.tests[0].verdict.title(), "at disk IOPS (burst)");
    assert_eq!(judgement.tests[1].predicted_iops, Some(Iops::whole(500)));
}

#[test]
fn between_the_limits_is_neither() {
    let report = one(None, "P10", test("RND4K Q32T1 read", 2000.0));
    assert!(
        matches!(report.verdict, Verdict::BetweenLimits { lower, upper }
        if lower.iops == Iops::whole(500) && upper.iops == Iops::whole(3500))
    );
}

#[test]
fn a_cache_that_answers_in_part_is_told() {
    // ReadOnly on D8s_v3: 5,000 cold, 16,000 warm; at 9,000 some 44 % of the reads hit.
    let report = one(
        Some("D8s_v3"),
        "P30:cache=ro",
        test("RND4K Q32T1 read", 9000.0),
    );
    assert_eq!(report.verdict.title(), "between limits");
    assert!(
        report.words.contains("host cache answered a part"),
        "{}",
        report.words
    );
}

#[test]
fn queue_depth_over_latency_bounds_the_rate() {
    // 4 outstanding at the typical 1 ms of Premium SSD make 4,000 of a P30's 5,000 IOPS.
    let report = one(Some("D8s_v3"), "P30", test("RND4K Q4T1 read", 3900.0));
    assert_eq!(report.verdict.title(), "latency-bound");
    assert_eq!(report.predicted_iops, Some(Iops::whole(4000)));
    // Measured at queue depth 1 in the same run: 800 IOPS are 1.25 ms, four at a time 3,200.
    let run = run(
        Format::FioJson,
        vec![
            test("RND4K Q1T1 read", 800.0),
            test("RND4K Q4T1 read", 3200.0),
        ],
    );
    let judgement = judged(&deployment(Some("D8s_v3"), &["P30"]), &run);
    let Verdict::LatencyBound {
        expected: Some(expected),
    } = &judgement.tests[1].verdict
    else {
        panic!("{:?}", judgement.tests[1].verdict);
    };
    assert_eq!(expected.latency_us.micros(), 1250.0);
    assert!(
        matches!(&expected.source, LatencySource::SameRun { test } if test == "RND4K Q1T1 read")
    );
    let check = &judgement.queue_depth_1[0];
    assert_eq!(check.implied_latency_us.micros(), 1250.0);
    assert_eq!(check.ratio_to_typical, Some(1.25));
    // 5,000 IOPS x 1.25 ms = 6.25, so 7 outstanding.
    assert_eq!(check.depth_to_reach_limit, Some(7.0));
}

/// One I/O at a time at queue depth `depth`, of a P10 or of no named disk.
fn at_depth(disk: Option<&str>, depth: u32, tests: Vec<Test>) -> (Option<f64>, f64, bool) {
    let plan = disk.map(|disk| deployment(Some("D8s_v3"), &[disk]));
    let target = plan.as_ref().map(|deployment| Target {
        deployment,
        volume: 0,
    });
    let options = Options {
        queue_depth: QueueDepth::new(depth),
        ..Options::default()
    };
    let run = run(Format::FioJson, tests);
    let judgement = judge(Catalog::embedded(), &run, target, &options);
    let check = &judgement.queue_depth_1[0];
    let at = check.application.unwrap();
    (check.depth_to_reach_limit, at.iops.get(), at.at_most)
}

#[test]
fn no_queue_makes_more_than_a_deeper_one_made() {
    let tests = || {
        vec![
            test("RND4K Q1T1 read", 10_000.0),
            test("RND4K Q8T1 read", 40_000.0),
            test("RND4K Q32T1 read", 64_000.0),
            test("RND4K Q32T1 write", 90_000.0),
        ]
    };
    // 16 x 10,000 = 160,000 by latency, 2 x 40,000 = 80,000 by the shallower queue, 64,000 by the deeper one.
    assert_eq!(at_depth(None, 16, tests()), (None, 64_000.0, true));
    // 4 x 10,000 = 40,000: what eight at a time made is no less.
    assert_eq!(at_depth(None, 4, tests()), (None, 40_000.0, true));
    // Deeper than any test: 64 at a time make at most twice what 32 made.
    assert_eq!(at_depth(None, 64, tests()), (None, 128_000.0, true));
}

#[test]
fn an_application_is_held_to_what_holds_without_credit() {
    // P30 (5,000 IOPS, no credit burst): 8 x 800 = 6,400 by latency, 5,000 by the disk; 5,000 x 1.25 ms = 6.25.
    let p30 = at_depth(Some("P30"), 8, vec![test("RND4K Q1T1 read", 800.0)]);
    assert_eq!(p30, (Some(7.0), 5000.0, false));
    // P10 (500 IOPS, 3,500 in burst): 400 at a time are 2.5 ms, two reach 500.
    let p10 = at_depth(Some("P10"), 8, vec![test("RND4K Q1T1 read", 400.0)]);
    assert_eq!(p10, (Some(2.0), 500.0, false));
    // Measured in burst, one at a time makes 990 already: no less.
    let burst = at_depth(Some("P10"), 8, vec![test("RND4K Q1T1 read", 990.0)]);
    assert_eq!(burst, (Some(1.0), 990.0, false));
}

#[test]
fn the_application_s_queue_depth_is_worked_out() {
    let run = run(Format::FioJson, vec![test("RND4K Q1T1 read", 800.0)]);
    let plan = deployment(Some("D8s_v3"), &["P30"]);
    let target = Target {
        deployment: &plan,
        volume: 0,
    };
    let options = Options {
        queue_depth: QueueDepth::new(32),
        ..Options::default()
    };
    let judgement = judge(Catalog::embedded(), &run, Some(target), &options);
    // 32 / 1.25 ms = 25,600, but 5,000 is the limit; 32 / 5,000 = 6.4 ms.
    let at = judgement.queue_depth_1[0].application.unwrap();
    assert_eq!(at.iops, Iops::whole(5000));
    assert!((at.latency_us.unwrap().millis() - 6.4).abs() < 1e-9);
}

#[test]
fn far_slower_than_typical_falls_short() {
    // 400 IOPS at queue depth 1 are 2.5 ms; 1 ms is typical, 1.5 times that is let pass.
    let report = one(Some("D8s_v3"), "P30", test("RND4K Q1T1 read", 400.0));
    assert!(matches!(
        report.verdict,
        Verdict::BelowEveryLimit { expected: Some(_) }
    ));
    assert_eq!(report.ratio, Some(0.4));
    // Held against a figure of one's own there is no slack but the tolerance.
    let own = one(
        Some("D8s_v3"),
        "P30:latency=2ms",
        test("RND4K Q1T1 read", 400.0),
    );
    assert!(matches!(
        own.verdict,
        Verdict::BelowEveryLimit { expected: Some(_) }
    ));
    let near = one(
        Some("D8s_v3"),
        "P30:latency=2.4ms",
        test("RND4K Q1T1 read", 400.0),
    );
    assert_eq!(near.verdict.title(), "latency-bound");
}

#[test]
fn below_every_limit_says_by_how_much() {
    let report = one(Some("D8s_v3"), "P30", test("RND4K Q32T1 read", 2500.0));
    assert_eq!(report.verdict, Verdict::BelowEveryLimit { expected: None });
    assert_eq!(report.ratio, Some(0.5));
    // 32 / 2,500 = 12.8 ms
    assert_eq!(
        report.words,
        "50 % of the disk's IOPS limit, 5,000 IOPS; 32 outstanding took 12.8 ms each"
    );
}

#[test]
fn above_every_limit_says_what_it_fits() {
    // 5,050 IOPS are 1.44 times a bursting P10, and at the 5,000 of a P30 within 1 %.
    let report = one(None, "P10", test("RND4K Q32T1 read", 5050.0));
    let Verdict::AboveEveryLimit { fits } = &report.verdict else {
        panic!("{:?}", report.verdict);
    };
    assert_eq!(fits[0].name, "P30 (5,000 IOPS)");
    assert!((report.ratio.unwrap() - 5050.0 / 3500.0).abs() < 1e-9);
    // 16,100 IOPS on an uncached P30 fit the VM's cached limit: caching is on after all, or it is the temp disk.
    let cached = one(Some("D8s_v3"), "P30", test("RND4K Q32T1 read", 16_100.0));
    assert!(
        cached
            .words
            .contains("cached limit of Standard_D8s_v3 (16,000 IOPS)"),
        "{}",
        cached.words
    );
}

#[test]
fn a_cached_disk_is_judged_cold_and_warm() {
    // ReadOnly on D8s_v3: cold 5,000 of the disk, warm 16,000 of the cache.
    let cold = one(
        Some("D8s_v3"),
        "P30:cache=ro",
        test("RND4K Q32T1 read", 4950.0),
    );
    assert_eq!(cold.verdict.title(), "at disk IOPS");
    let warm = one(
        Some("D8s_v3"),
        "P30:cache=ro",
        test("RND4K Q32T1 read", 16_300.0),
    );
    assert_eq!(warm.verdict.title(), "at VM cached IOPS");
    let listed = one(
        Some("D8s_v3"),
        "P30:cache=ro",
        moved("SEQ1M Q8T1 read", 133.0),
    );
    assert!(
        listed.words.contains("131.1 MB/s (listed as 128)"),
        "{}",
        listed.words
    );
}

#[test]
fn a_stripe_has_the_sum_of_its_members() {
    // 2 x P30 = 10,000 IOPS, below the 12,800 of D8s_v3.
    let report = one(Some("D8s_v3"), "2xP30", test("RND4K Q64T1 read", 9800.0));
    assert_eq!(report.verdict.title(), "at disk IOPS");
    assert_eq!(report.predicted_iops, Some(Iops::whole(10_000)));
}

#[test]
fn an_unknown_limit_is_named_and_makes_no_promise() {
    let disk = "custom:iops=9000";
    let report = one(None, disk, test("RND4K Q32T1 read", 4000.0));
    assert_eq!(report.unknown_limits, ["disk MB/s"]);
    assert!(
        report.words.ends_with("not known: disk MB/s"),
        "{}",
        report.words
    );
    let nothing = one(None, "custom", test("RND4K Q32T1 read", 4000.0));
    assert!(matches!(nothing.verdict, Verdict::Unjudged { .. }));
}

#[test]
fn a_share_of_a_mixed_test_is_not_judged() {
    let mut part = test("RND4K Q32T1 read", 400.0);
    part.part_of = Some("mixed".into());
    let report = one(None, "P30", part);
    assert!(matches!(report.verdict, Verdict::Unjudged { .. }));
    assert_eq!(report.predicted_iops, None);
    assert_eq!(report.implied_latency_us, None);
}

fn fixture(name: &str) -> Vec<Run> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/bench");
    read_path(&folder.join(name)).unwrap()
}

fn identified(name: &str, vm: Option<&str>) -> Identification {
    let catalog = Catalog::embedded();
    let vm = vm.map(|vm| catalog.vm(vm, None).unwrap());
    identify(catalog, &fixture(name)[0], vm, 0.075)
}

#[test]
fn a_cached_limit_is_told_from_the_disk_behind_it() {
    let named = identified("cached.txt", Some("D8s_v3"));
    assert_eq!(named.place, Place::HostCache);
    let best = &named.matches[0];
    assert_eq!(best.kind, CandidateKind::VmCached);
    assert_eq!((best.iops_hits, best.mbps_hits), (2, 4));
    assert_eq!(
        named.conclusion,
        "IOPS and MB/s fit the cached limit of Standard_D8s_v3 (16,000 IOPS, 131.1 MB/s, listed as 128): the VM's limit, not the disk's"
    );
    assert!(
        named
            .ruled_out
            .iter()
            .any(|out| out.name.starts_with("uncached limit"))
    );
    // Without the size the limit is found all the same, with every size that has it.
    let unnamed = identified("cached.txt", None);
    assert!(
        unnamed
            .conclusion
            .contains("16,000 IOPS, 131.1 MB/s, listed as 128"),
        "{}",
        unnamed.conclusion
    );
    assert!(unnamed.conclusion.contains("more sizes"));
}

#[test]
fn three_drives_are_told_apart() {
    // 112 IOPS one at a time are 8.93 ms; 260 with 32 outstanding are 2.3 times that.
    let system = identified("system.txt", None);
    assert_eq!(system.place.words(), "persistent, throttled");
    assert_eq!(
        system.place.headline(),
        "persistent, throttled: a remote disk at its limit, or a hard disk"
    );
    // 7,200 are 139 us.
    assert_eq!(identified("temp.txt", None).place, Place::LocalTemporary);
    // 3,300 are 303 us, and 18,500 IOPS are more than any remote disk of 1.4 GiB has.
    assert_eq!(identified("small.txt", None).place, Place::Local);
}

fn unnamed(tests: Vec<Test>) -> Identification {
    let run = run(Format::FioJson, tests);
    identify(Catalog::embedded(), &run, None, 0.075)
}

#[test]
fn one_test_is_too_few_to_tell() {
    let one = unnamed(vec![test("RND4K Q32T1 read", 5000.0)]);
    assert_eq!(
        one.conclusion,
        "too few tests to tell; 5,000 IOPS would be a P30"
    );
    // Two random tests at a P30's limit, none that moves large blocks.
    let random = unnamed(vec![
        test("RND4K Q32T1 read", 5000.0),
        test("RND4K Q32T1 write", 5000.0),
    ]);
    assert!(
        random.conclusion.starts_with("the IOPS fit the P30")
            && random.conclusion.ends_with("there is no sequential test"),
        "{}",
        random.conclusion
    );
}

#[test]
fn what_a_test_of_one_io_lacks_is_said() {
    let mut mixed = test("RND4K Q1T1 read", 800.0);
    mixed.kind.read_share = Share::new(0.7).ok();
    let reasons = unnamed(vec![mixed]).reasons;
    assert!(reasons[0].contains("is a mixed one"), "{reasons:?}");
    let mut untold = test("RND4K Q1T1 read", 800.0);
    untold.kind.pattern = None;
    let reasons = unnamed(vec![untold]).reasons;
    assert!(reasons[0].contains("not said whether"), "{reasons:?}");
}

#[test]
fn the_page_cache_fits_no_disk() {
    let mut buffered = run(
        Format::Sysbench,
        vec![
            test("RND4K Q1T1 read", 5000.0),
            test("RND4K Q1T1 write", 5000.0),
        ],
    );
    buffered
        .notes
        .push("files were opened without O_DIRECT: the page cache may have answered".to_owned());
    let found = identify(Catalog::embedded(), &buffered, None, 0.075);
    assert_eq!(found.place, Place::Memory);
    assert!(found.matches.is_empty());
    assert!(found.conclusion.contains("direct I/O"));
}

#[test]
fn a_deeper_queue_that_made_less_is_not_asked_for() {
    // Four at a time at 1 ms would make 4,000; eight made 3,800.
    let run = run(
        Format::FioJson,
        vec![
            test("RND4K Q4T1 read", 3900.0),
            test("RND4K Q8T1 read", 3800.0),
        ],
    );
    let judgement = judged(&deployment(Some("D8s_v3"), &["P30"]), &run);
    let words = &judgement.tests[0].words;
    assert!(
        words.contains("a deeper queue made no more (RND4K Q8T1 read: 3,800 IOPS)"),
        "{words}"
    );
    // One at a time at 2,670 IOPS is 2.67 times what the typical 1 ms makes.
    let fast = one(Some("D8s_v3"), "P30", test("RND4K Q1T1 read", 2670.0));
    assert!(
        fast.words.contains("2.67 times what that latency makes"),
        "{}",
        fast.words
    );
}

fn inputs(names: &[&str]) -> Vec<Input> {
    let input = |name: &&str| Input {
        name: (*name).to_owned(),
        target: None,
        runs: fixture(name),
    };
    names.iter().map(input).collect()
}

fn of_fixtures(names: &[&str], request: &Request<'_>) -> Bench {
    bench(Catalog::embedded(), &inputs(names), request).unwrap()
}

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

fn any_test() -> impl Strategy<Value = Test> {
    let names = prop_oneof![
        Just("RND4K Q1T1 read"),
        Just("RND4K Q32T16 write"),
        Just("SEQ1M Q8T1 read"),
        Just("RND8K Q4T1 write"),
    ];
    (
        names,
        0.0..1e6_f64,
        proptest::option::of(1.0..1e7_f64),
        proptest::option::of(0.0..1e5_f64),
    )
        .prop_map(|(name, iops, latency, seconds)| Test {
            latency: latency.map(|us| LatencyStats {
                mean: Latency::from_micros(us).ok(),
                ..LatencyStats::default()
            }),
            seconds,
            ..test(name, iops)
        })
}

proptest! {
    #[test]
    fn every_test_gets_one_verdict_that_agrees_with_its_ratio(tests in proptest::collection::vec(any_test(), 0..6)) {
        let run = run(Format::FioJson, tests);
        for disk in ["P10", "P30:cache=rw", "2xE10:cache=ro", "v2:size=100", "S10", "temp", "custom:iops=100"] {
            let judgement = judged(&deployment(Some("D8s_v3"), &[disk]), &run);
            prop_assert_eq!(judgement.tests.len(), run.tests.len());
            for test in &judgement.tests {
                match (&test.verdict, test.ratio) {
                    (Verdict::At { .. }, Some(ratio)) => prop_assert!((ratio - 1.0).abs() <= 0.075 + 1e-9),
                    (Verdict::AboveEveryLimit { .. }, Some(ratio)) => prop_assert!(ratio > 1.0),
                    (Verdict::BelowEveryLimit { .. }, Some(ratio)) => prop_assert!(ratio < 1.0),
                    _ => {}
                }
            }
        }
        let found = identify(Catalog::embedded(), &run, None, 0.075);
        prop_assert!(!found.conclusion.is_empty());
    }
}

/// CrystalDiskMark 5 text of the drives of a field report, where its figures are at hand.
fn report_drive(drive: &toml::Table, letter: &str) -> String {
    let number = |value: &toml::Value| value.as_float().unwrap();
    let mbps = |key: &str| number(&drive[key]);
    let random = |key: &str| (number(&drive[key]["mbps"]), number(&drive[key]["iops"]));
    let mut lines = vec!["CrystalDiskMark 5.1.2 x64 (C) 2007-2016 hiyohiyo".to_owned()];
    for (name, key) in [
        ("Sequential Read (Q= 32,T= 1)", "seq_q32t1_read"),
        ("Sequential Write (Q= 32,T= 1)", "seq_q32t1_write"),
        ("Sequential Read (T= 1)", "seq_t1_read"),
        ("Sequential Write (T= 1)", "seq_t1_write"),
    ] {
        lines.push(format!("{name} : {} MB/s", mbps(key)));
    }
    for (name, key) in [
        ("Random Read 4KiB (Q= 32,T= 1)", "rnd4k_q32t1_read"),
        ("Random Write 4KiB (Q= 32,T= 1)", "rnd4k_q32t1_write"),
        ("Random Read 4KiB (Q= 1,T= 1)", "rnd4k_q1t1_read"),
        ("Random Write 4KiB (Q= 1,T= 1)", "rnd4k_q1t1_write"),
    ] {
        let (mbps, iops) = random(key);
        lines.push(format!("{name} : {mbps} MB/s [{iops} IOPS]"));
    }
    let size = drive["size"].as_str().unwrap();
    let (size, used) = size.split_once(", ").unwrap();
    let used = used.trim_end_matches(" % used");
    lines.push(format!(
        "  Test : 500 MiB [{letter}: {used}% (1.0/{size})] (x5)  [Interval=5 sec]"
    ));
    lines.join("\n") + "\n"
}

#[test]
fn the_three_drives_of_the_report_are_told_apart() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/cases/measured-reports.toml"
    );
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    let cases: toml::Table = text.parse().unwrap();
    let report = &cases["report"][0];
    for (letter, words) in [
        ("C", "persistent, throttled"),
        ("D", "local temporary"),
        ("E", "local"),
    ] {
        let drive = report["drive"][letter].as_table().unwrap();
        let runs = read_bytes(report_drive(drive, letter).as_bytes(), letter).unwrap();
        let found = identify(Catalog::embedded(), &runs[0], None, 0.075);
        assert_eq!(found.place.words(), words, "{letter}");
        let expected = report["expect"]["implied_qd1_read_latency_ms"][letter]
            .as_float()
            .unwrap();
        let latency = found.queue_depth_1_latency_us.unwrap().millis();
        assert!((latency - expected).abs() < 0.005, "{letter}: {latency}");
    }
}

#[test]
fn a_real_cached_disk_and_one_of_another_cloud() {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/samples/cdm"
    ));
    let Ok(azure) = read_path(&folder.join("cdm521-azure-1.txt")) else {
        return;
    };
    let catalog = Catalog::embedded();
    let vm = catalog.vm("Standard_DS3_v2", None).unwrap();
    let found = identify(catalog, &azure[0], Some(vm), 0.075);
    assert_eq!(found.place, Place::HostCache);
    assert!(
        found
            .conclusion
            .contains("cached limit of Standard_DS3_v2 (16,000 IOPS, 131.1 MB/s, listed as 128)")
    );
    assert!(found.conclusion.ends_with("not the disk's"));
    let other = read_path(&folder.join("cdm521-aws-1.txt")).unwrap();
    let found = identify(catalog, &other[0], None, 0.075);
    assert!(
        found.matches.iter().all(|fit| !fit.on_both_axes()),
        "{found:?}"
    );
    assert!(found.conclusion.contains("the MB/s fit nothing"));
}
