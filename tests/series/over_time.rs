//! Disks over time on a named VM: what holds their rates, alone and added up.

use std::fmt::Write as _;

use diskcap::catalog::Catalog;
use diskcap::deployment::{Deployment, DiskSpec};
use diskcap::measure::over_time::{Input, PeersReport, Request, SeriesReport, over_time, peers};
use diskcap::measure::series::analysis::{ChangeCause, Hold};
use diskcap::measure::series::twins::PeerVerdict;
use diskcap::measure::series::{ReadOptions, read};
use diskcap::planner::{FindingId, Severity};

/// A log of these disks, ten seconds a sample, each with its IOPS, latency in ms and outstanding I/Os at a second.
fn log(seconds: u32, disks: &[&str], at: impl Fn(usize, u32) -> (f64, f64, f64)) -> Input {
    let mut text = String::from("time,disk,iops,mbps,latency_ms,queue_depth\n");
    for second in (0..seconds).step_by(10) {
        // Some 0.6 % to either side.
        let jitter = 1.0 + (f64::from((second / 10 * 7) % 13) - 6.0) * 1e-3;
        for (place, disk) in disks.iter().enumerate() {
            let (iops, ms, queue) = at(place, second);
            let (iops, mbps) = (iops * jitter, iops * jitter * 4096.0 / 1e6);
            writeln!(text, "{second},{disk},{iops:.1},{mbps:.4},{ms:.3},{queue}").unwrap();
        }
    }
    Input {
        name: None,
        series: read("x.csv", text.as_bytes(), &ReadOptions::default()).unwrap(),
    }
}

/// A rate that so many outstanding I/Os make.
fn queued(iops: f64, outstanding: f64) -> (f64, f64, f64) {
    (iops, outstanding / iops * 1e3, outstanding)
}

fn with<R>(vm: &str, disks: &[&str], maps: &[&str], ask: impl Fn(&Request<'_>) -> R) -> R {
    let catalog = Catalog::embedded();
    let size = catalog.vm(vm, None).unwrap();
    let specs = disks
        .iter()
        .map(|disk| disk.parse::<DiskSpec>().unwrap().into());
    let deployment = Deployment::new(catalog, Some(size), specs.collect()).unwrap();
    ask(&Request {
        vm: Some(size),
        deployment: Some(&deployment),
        bindings: maps.iter().map(|map| map.parse().unwrap()).collect(),
        ..Request::default()
    })
}

fn judged(log: Input, vm: &str, disks: &[&str], maps: &[&str]) -> SeriesReport {
    let logs = [log];
    with(vm, disks, maps, |request| {
        over_time(Catalog::embedded(), &logs, request).unwrap()
    })
}

fn compared(log: Input, vm: &str, disks: &[&str], maps: &[&str]) -> PeersReport {
    let logs = [log];
    with(vm, disks, maps, |request| {
        peers(Catalog::embedded(), &logs, request, None).unwrap()
    })
}

fn messages(report: &SeriesReport) -> String {
    let all = report
        .findings
        .iter()
        .map(|finding| finding.message.as_str());
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn as_few_ios_as_make_the_rate_at_the_usual_latency_are_the_load() {
    // A P40's typical latency is 1 ms: 2 and 4 at a time make 2,000 and 4,000 of its 7,500 IOPS.
    for outstanding in [2.0, 4.0] {
        let log = log(1200, &["sdc"], |_, _| {
            queued(outstanding * 1e3, outstanding)
        });
        let report = judged(log, "D8s_v5", &["P40"], &[]);
        assert_eq!(report.disks[0].report.plateaus[0].hold, Hold::Load);
        assert!(report.findings.is_empty(), "{:?}", report.findings);
    }
    // At 8 ms they wait.
    let log = log(1200, &["sdc"], |_, _| queued(500.0, 4.0));
    let report = judged(log, "D8s_v5", &["P40"], &[]);
    assert_eq!(report.disks[0].report.plateaus[0].hold, Hold::UnknownLimit);
}

#[test]
fn disks_at_their_own_limits_are_no_limit_of_the_vm() {
    // 5,000 + 5,000 + 3,500 = 13,500, where E8ds_v5 has 12,800 without and 20,000 with burst.
    let rates = [
        queued(5000.0, 24.0),
        queued(5000.0, 24.0),
        queued(3500.0, 16.0),
    ];
    let log = log(1800, &["a", "b", "log"], |disk, _| rates[disk]);
    let report = judged(
        log,
        "E8ds_v5",
        &["data=2xP30", "log=P20"],
        &["a=data", "b=data"],
    );
    let held: Vec<&str> = report.together[0].report.plateaus[0].hold.names().collect();
    assert_eq!(held, ["the disks' own limits together in burst"]);
    let of_sum = report
        .findings
        .iter()
        .find(|of| of.subject == "all uncached disks");
    assert_eq!(of_sum.unwrap().severity, Severity::Info);
    let member: Vec<&str> = report.disks[0].report.plateaus[0].hold.names().collect();
    assert_eq!(member, ["the disk's IOPS limit, 5,000 IOPS, one disk of 2"]);
}

#[test]
fn a_full_member_beside_an_idle_one_is_named_in_the_sum() {
    let rates = [queued(5000.0, 24.0), queued(250.0, 0.25)];
    let log = log(1800, &["a", "b"], |disk, _| rates[disk]);
    let report = judged(log, "E8ds_v5", &["data=2xP30"], &["a=data", "b=data"]);
    let held = &report.together[0].report.plateaus[0].hold;
    let expected = Hold::Parts {
        disks: vec!["a".to_owned()],
    };
    assert_eq!(*held, expected);
    assert!(report.together[0].steady().is_none());
}

#[test]
fn credit_that_ran_out_is_told_whichever_limit_held_before() {
    // Four P30 have 20,000 IOPS, as D4s_v5 has in burst; without it 6,400.
    let log_of = |before: f64, after: f64| {
        log(2400, &["md0"], move |_, second| {
            queued(if second < 900 { before } else { after }, 128.0)
        })
    };
    let report = judged(log_of(19_999.0, 6400.0), "D4s_v5", &["4xP30"], &[]);
    let first = &report.disks[0].report.plateaus[0];
    assert_eq!(first.hold.names().count(), 2, "{:?}", first.hold);
    let text = messages(&report);
    assert!(
        text.contains("its burst credit had run out, after 15 min at"),
        "{text}"
    );
    // Three have 15,000, within the VM's burst: the disks held first, the VM since.
    let report = judged(log_of(15_000.0, 6400.0), "D4s_v5", &["3xP30"], &[]);
    let text = messages(&report);
    assert!(
        text.contains("its burst credit had run out, after 15 min at 15,000 IOPS"),
        "{text}"
    );
}

#[test]
fn a_steady_rate_on_credit_cannot_last() {
    // A P10 has 500 IOPS and a bucket of 3,000 x 1,800 s: at 2,000 it lasts 3,600 s.
    let log = log(1200, &["sdc"], |_, _| queued(2000.0, 2.0));
    let report = judged(log, "D8s_v5", &["P10"], &[]);
    let credit = report.disks[0].on_credit.as_ref().unwrap();
    assert_eq!(credit.limit, "the disk's IOPS limit, 500 IOPS");
    assert!(
        (credit.lasts_seconds / 3600.0 - 1.0).abs() < 0.01,
        "{credit:?}"
    );
    let words = report.disks[0].steady().unwrap();
    assert!(
        words.contains("on burst credit") && words.contains("cannot last"),
        "{words}"
    );
}

#[test]
fn a_step_is_told_with_what_changed() {
    let cause = |after: (f64, f64, f64)| {
        let before = queued(3000.0, 4.0);
        let log = log(
            3600,
            &["sdc"],
            move |_, second| if second < 1800 { before } else { after },
        );
        let report = judged(log, "E8ds_v5", &["P30"], &[]);
        let step = report.disks[0].report.step.unwrap();
        assert_eq!(step.at_ms, 1_800_000);
        assert!(
            report
                .findings
                .iter()
                .any(|finding| finding.id == FindingId::SeriesStep)
        );
        step.cause
    };
    assert_eq!(cause(queued(1500.0, 4.0)), ChangeCause::Slower);
    assert_eq!(cause(queued(3000.0, 16.0)), ChangeCause::Slower);
    assert_eq!(cause(queued(1500.0, 1.5)), ChangeCause::Load);
}

#[test]
fn a_load_that_had_not_begun_is_no_warm_up() {
    let log = log(3600, &["sdc"], |_, second| match second {
        0..600 => (800.0, 1.05, 0.8),
        _ => (4000.0, 1.1, 4.4),
    });
    let text = messages(&judged(log, "E8ds_v5", &["P30"], &[]));
    assert!(text.contains("less was asked then"), "{text}");
}

#[test]
fn a_member_slow_throughout_is_found_although_credit_ended() {
    // All fall from 3,500 to 2,300; c takes ten times as long as a and b all the while.
    let log = log(3600, &["a", "b", "c"], |disk, second| {
        let (iops, slow) = if second < 1200 {
            (3500.0, 9.0)
        } else {
            (2300.0, 14.0)
        };
        let ms = if disk == 2 { slow } else { 1.2 };
        (iops, ms, iops * ms / 1e3)
    });
    let disks = ["data=3xP20"];
    let report = compared(log, "E16ds_v5", &disks, &["a=data", "b=data", "c=data"]);
    let verdicts: Vec<PeerVerdict> = report.peers().map(|(_, peer)| peer.verdict).collect();
    assert_eq!(
        verdicts,
        [PeerVerdict::Alike, PeerVerdict::Alike, PeerVerdict::Slow]
    );
    // As fast as the others by rate: no limit explains it.
    let finding = report
        .findings
        .iter()
        .find(|of| of.id == FindingId::PeerSlow)
        .unwrap();
    assert!(!finding.message.contains("limit"), "{}", finding.message);
    let stripe = report.groups[0].report.stripe.as_ref().unwrap();
    assert_eq!((stripe.slowest.as_str(), stripe.gain), ("c", None));
}

#[test]
fn what_is_asked_less_of_is_not_the_slowest() {
    let log = log(2000, &["a", "b"], |disk, _| match disk {
        0 => queued(5000.0, 24.0),
        _ => (250.0, 1.0, 0.25),
    });
    let report = compared(log, "E8ds_v5", &["data=2xP30"], &["a=data", "b=data"]);
    let group = &report.groups[0].report;
    assert_eq!(group.asked_less, ["b"]);
    assert!(group.stripe.is_none() && group.mirror.is_none());
}

#[test]
fn rates_alone_blame_nobody() {
    let mut text = String::from("time,iops:a,iops:b\n");
    for second in 0..600 {
        let jitter = 1.0 + f64::from((second * 7) % 13) * 1e-2;
        writeln!(
            text,
            "{second},{:.1},{:.1}",
            2000.0 * jitter,
            800.0 * jitter
        )
        .unwrap();
    }
    let log = Input {
        name: None,
        series: read("x.csv", text.as_bytes(), &ReadOptions::default()).unwrap(),
    };
    let report = compared(log, "E8ds_v5", &["data=2xP30"], &["a=data", "b=data"]);
    let verdicts: Vec<PeerVerdict> = report.peers().map(|(_, peer)| peer.verdict).collect();
    assert_eq!(verdicts, [PeerVerdict::Alike, PeerVerdict::DidLess]);
}

#[test]
fn disks_of_two_kinds_are_said_to_be_so() {
    let log = log(2000, &["a", "b"], |_, _| queued(2000.0, 2.0));
    let report = compared(log, "E8ds_v5", &["x=P30", "y=P20"], &["a=x", "b=y"]);
    let text: Vec<&str> = report
        .findings
        .iter()
        .map(|of| of.message.as_str())
        .collect();
    assert!(
        text.iter()
            .all(|text| text.contains("no other disk is of its SKU P")),
        "{text:?}"
    );
}

#[test]
fn that_latency_was_not_judged_is_said() {
    // 800 I/Os a second at 2.9 ms each, of a size that nobody knows.
    let mut text = String::from("time,disk,iops,latency_ms\n");
    for second in 0..120 {
        let iops = 800 + second * 7 % 13;
        writeln!(text, "{second},sdc,{iops},2.9").unwrap();
    }
    let log = Input {
        name: None,
        series: read("x.csv", text.as_bytes(), &ReadOptions::default()).unwrap(),
    };
    let disk = judged(log, "D8s_v5", &["P30"], &[]).disks.remove(0);
    assert!(disk.latency_of_unknown_size && disk.slow_latency.is_none());
    let told = disk.steady().unwrap();
    assert!(
        told.contains("the log does not say the size of its I/Os"),
        "{told}"
    );
}

/// A disk at 500 IOPS of 4 KiB, 2.6 ms each: far below a P30's 5,000, and above the 1.5 ms that are usual for it.
fn slow_at_500() -> Input {
    log(2000, &["sdc"], |_, _| (500.0, 2.6, 1.3))
}

/// The disks that are told to be slow, each with what is told.
fn slow(report: &SeriesReport) -> Vec<(&str, &str)> {
    let found = report.findings.iter();
    let found = found.filter(|of| of.id == FindingId::SlowLatency);
    found
        .map(|of| (of.subject.as_str(), of.message.as_str()))
        .collect()
}

#[test]
fn a_slow_disk_is_below_the_limits_that_are_known() {
    let told = "each I/O takes 2.6 ms, where up to 1.5 ms is usual for such a disk; it is below every limit";
    let named = judged(slow_at_500(), "D8s_v5", &["P30"], &[]);
    let whole = format!("{told} on its way, so that none makes it wait");
    assert_eq!(slow(&named), [("sdc", whole.as_str())]);
    // Which limits the VM has is not known where none is named.
    let catalog = Catalog::embedded();
    let specs = ["P30"].map(|disk| disk.parse::<DiskSpec>().unwrap().into());
    let deployment = Deployment::new(catalog, None, specs.to_vec()).unwrap();
    let request = Request {
        deployment: Some(&deployment),
        ..Request::default()
    };
    let open = over_time(catalog, &[slow_at_500()], &request).unwrap();
    let part = format!("{told} that is known, so that none of these makes it wait");
    assert_eq!(slow(&open), [("sdc", part.as_str())]);
    // 5,000 IOPS are known of this one, its MB/s are not; of the other nothing is.
    let of_custom = |keys: &str| {
        let disk = format!("custom:latency=1ms{keys}");
        let report = judged(slow_at_500(), "D8s_v5", &[&disk], &[]);
        report.disks[0].slow_latency.map(|slow| slow.limits_known)
    };
    assert_eq!(of_custom(",iops=5000,mbps=200"), Some(true));
    assert_eq!(of_custom(",iops=5000"), Some(false));
    assert_eq!(of_custom(""), None);
    // A queue behind some limit: 1,000 IOPS with 32 outstanding.
    let queue = log(2000, &["sdc"], |_, _| queued(1000.0, 32.0));
    let report = judged(queue, "D8s_v5", &["P30"], &[]);
    assert_eq!(report.disks[0].report.plateaus[0].hold, Hold::UnknownLimit);
    assert!(!report.disks[0].slow_latency.unwrap().limits_known);
}

/// Two disks at half the 3,750 IOPS of a D2s_v5's uncached ceiling, or the 9,000 of its cached one, and a third at 200.
#[test]
fn only_disks_that_pass_a_full_ceiling_wait_for_it() {
    let all = |each: f64| {
        log(2000, &["a", "b", "c"], move |disk, _| match disk {
            2 => (200.0, 3.0, 0.6),
            _ => queued(each, 15.0),
        })
    };
    let disks = ["a=P30:cache=ro", "b=P30:cache=ro", "c=P30"];
    let report = judged(all(4500.0), "D2s_v5", &disks, &[]);
    let told: Vec<&str> = slow(&report).into_iter().map(|(disk, _)| disk).collect();
    assert_eq!(told, ["c"]);
    // What misses the cache of `c` passes the uncached ceiling, too.
    let disks = ["a=P30", "b=P30", "c=P30:cache=ro"];
    let report = judged(all(1875.0), "D2s_v5", &disks, &[]);
    let sum = report.together[0].report.plateaus[0].hold.limits();
    assert_eq!(sum, "the VM's uncached limit");
    assert!(report.disks.iter().all(|disk| disk.slow_latency.is_none()));
    assert_eq!(slow(&report), []);
}

#[test]
fn limits_say_whether_they_take_burst_credit() {
    let report = judged(slow_at_500(), "D8s_v5", &["P20"], &[]);
    let limits = &report.disks[0].limits;
    let of_disk = limits
        .iter()
        .filter(|cap| cap.name.contains("the disk's IOPS"));
    let of_disk: Vec<(Option<f64>, bool)> = of_disk
        .map(|cap| (cap.limits.iops.map(|iops| iops.get()), cap.in_burst))
        .collect();
    assert_eq!(of_disk, [(Some(2300.0), false), (Some(3500.0), true)]);
}
