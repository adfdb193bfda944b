//! Timelines worked by hand: burst credit spent and earned, backlogs, and what stops a volume when.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/timeline.rs"]
mod timeline;

use diskcap::catalog::{Axis, Catalog};
use diskcap::planner::findings::{Finding, Severity};
use diskcap::planner::timeline::Simulation;
use diskcap::planner::timeline::model::BucketPlace;
use diskcap::planner::{Bottleneck, Phase, System, evaluate, simulate};
use diskcap::units::Share;
use diskcap::workload::Io;
use timeline::{
    at, bucket, close, deployment, iops, mbps, plan, result, run, schedule, settings, volume,
};

/// A P10 has 500 IOPS and bursts to 3,500: (3,500 - 500) x 1,800 = 5,400,000 credits, gone after 30 minutes.
/// What is asked beyond 500 then waits: 3,000 x 1,800 s = 5,400,000 I/Os after an hour.
#[test]
fn a_p10_at_full_burst_lasts_half_an_hour() {
    let s = run("", &["d=P10"], &[("1h", "block=4KiB iops=3500")]);
    let credit = bucket(&s, "d", Axis::Iops);
    assert_eq!(credit.full, 5_400_000.0);
    assert_eq!(credit.emptied_at, [1800.0]);
    assert_eq!(credit.end, 0.0);
    // Empty for half an hour, 5,400,000 / 500 = 3 hours to fill.
    close(credit.empty_seconds, 1800.0, 1e-6);
    close(credit.refill_seconds.unwrap(), 10_800.0, 1e-6);
    assert_eq!(s.segments.len(), 2);
    close(iops(&at(&s, 0.0)), 3500.0, 1e-9);
    close(iops(&at(&s, 1800.0)), 500.0, 1e-9);
    let d = volume(&s, "d");
    close(d.throttled_seconds, 1800.0, 1e-6);
    assert_eq!(
        d.held_by[0].by,
        Bottleneck::Disk {
            axis: Axis::Iops,
            burst: false
        }
    );
    close(d.backlog.peak.ios, 5_400_000.0, 1.0);
    close(d.backlog.left.ios, 5_400_000.0, 1.0);
    assert_eq!(d.backlog.worked_off_at, None);
    close(d.asked.unwrap().ios, 12_600_000.0, 1.0);
    close(d.served.unwrap().ios, 3500.0 * 1800.0 + 500.0 * 1800.0, 1.0);
}

/// 2,000 of 500: 1,500 a second spent of 5,400,000: an hour.
#[test]
fn half_the_burst_lasts_twice_as_long() {
    let s = run("", &["d=P10"], &[("2h", "block=4KiB iops=2000")]);
    assert_eq!(bucket(&s, "d", Axis::Iops).emptied_at, [3600.0]);
    close(volume(&s, "d").throttled_seconds, 3600.0, 1e-6);
    // 2,000 flowed, not the 3,500 that the burst would have allowed.
    let mut said = s.findings.iter().map(|finding| finding.message.as_str());
    assert!(said.any(|text| text.contains(": 2,000 IOPS become 500;")));
}

/// Ten minutes at 3,500, ten minutes idle. A cycle spends 3,000 x 600 and earns 500 x 600: 1,500,000 less each time.
/// The fourth cycle begins with 5.4 - 4.5 = 0.9 million: 300 s, so the bucket is empty at 3 x 1,200 + 300 = 3,900 s.
/// The 300 s left of the load leave 300 x 3,000 = 900,000 I/Os waiting; the idle ten minutes serve 500 x 600 of them
/// and earn nothing.
#[test]
fn an_alternating_load_runs_down_the_credit() {
    let cycle = [
        ("10min", "block=4KiB iops=3500"),
        ("10min", "block=4KiB iops=0"),
    ];
    let s = run("", &["d=P10"], &cycle.repeat(4));
    let credit = bucket(&s, "d", Axis::Iops);
    close(credit.emptied_at[0], 3900.0, 1e-6);
    let level_after = |cycles: f64| {
        let last = s
            .segments
            .iter()
            .find(|seg| (seg.end - cycles * 1200.0).abs() < 1e-6);
        let position = s.buckets.iter().position(|b| b.axis == Axis::Iops).unwrap();
        last.unwrap().buckets[position].to
    };
    close(level_after(1.0), 3_900_000.0, 1e-3);
    close(level_after(2.0), 2_400_000.0, 1e-3);
    close(level_after(3.0), 900_000.0, 1e-3);
    close(level_after(4.0), 0.0, 1e-3);
    let d = volume(&s, "d");
    close(d.backlog.peak.ios, 900_000.0, 1.0);
    close(d.backlog.peak_at.unwrap(), 4200.0, 1e-6);
    close(d.backlog.left.ios, 600_000.0, 1.0);
    close(iops(&at(&s, 4500.0)), 500.0, 1e-9);
    // Throttled from 3,900 to 4,800 s, 600 s of it while nothing new is asked.
    close(d.throttled_seconds, 900.0, 1e-6);
}

/// As above with one cycle and a longer rest: 3,500 for 40 minutes leave 10 x 60 x 3,000 = 1,800,000 waiting, which the
/// 500 IOPS work off in an hour; the last 20 minutes earn 500 x 1,200 = 600,000 credits.
#[test]
fn a_backlog_is_worked_off_before_credit_is_earned() {
    let s = run(
        "",
        &["d=P10"],
        &[
            ("40min", "block=4KiB iops=3500"),
            ("80min", "block=4KiB iops=0"),
        ],
    );
    let d = volume(&s, "d");
    close(d.backlog.peak.ios, 1_800_000.0, 1.0);
    close(d.backlog.worked_off_at.unwrap(), 6000.0, 1e-5);
    close(d.backlog.seconds, 600.0 + 3600.0, 1e-5);
    assert_eq!(d.backlog.left.mb, 0.0);
    close(bucket(&s, "d", Axis::Iops).end, 600_000.0, 0.01);
    close(d.served.unwrap().ios, d.asked.unwrap().ios, 1.0);
}

/// A P10 on a D2s_v3, 170 MB/s asked. The disk: (170 - 100) x 1,800 = 126,000 MB, 70 a second: empty at 1,800 s. The VM:
/// (200 - 48) x 1,800 = 273,600 MB, 122 a second until then leave 54,000; then 100 - 48 = 52 a second: 1,038.46 s more.
#[test]
fn the_disk_s_burst_ends_before_the_vm_s() {
    let s = run(
        "Standard_D2s_v3",
        &["v1=P10"],
        &[("1h", "block=1MiB mbps=170")],
    );
    let (disk, vm) = (
        bucket(&s, "v1", Axis::Mbps),
        bucket(&s, "uncached", Axis::Mbps),
    );
    close(disk.full, 126_000.0, 1e-6);
    close(vm.full, 273_600.0, 1e-6);
    close(disk.emptied_at[0], 1800.0, 1e-6);
    close(vm.emptied_at[0], 1800.0 + 54_000.0 / 52.0, 1e-6);
    close(mbps(&at(&s, 0.0)), 170.0, 1e-9);
    close(mbps(&at(&s, 1800.0)), 100.0, 1e-9);
    close(mbps(&at(&s, 3000.0)), 48.0, 1e-9);
    assert_eq!(
        at(&s, 2000.0).bottleneck,
        Bottleneck::Disk {
            axis: Axis::Mbps,
            burst: false
        }
    );
    assert_eq!(
        at(&s, 3000.0).bottleneck,
        Bottleneck::VmUncached {
            axis: Axis::Mbps,
            burst: false
        }
    );
    // With the VM at 48, the disk has room below its 100 and earns 52 a second for the rest of the hour.
    close(disk.end, 52.0 * (1800.0 - 54_000.0 / 52.0), 1e-3);
}

/// Two v2 disks on a D2s_v3 ask for 125 MB/s each: the VM's 200 - 48 = 152 a second are gone after 1,800 s.
/// v2 disks have no credit, so the VM's is the only one that empties.
#[test]
fn the_vm_s_burst_ends_where_disks_do_not_burst() {
    let disks = ["a=v2:size=64", "b=v2:size=64"];
    let s = run("Standard_D2s_v3", &disks, &[("1h", "block=1MiB mbps=125")]);
    assert!(
        s.buckets
            .iter()
            .all(|b| matches!(b.place, BucketPlace::Vm { .. }))
    );
    close(
        bucket(&s, "uncached", Axis::Mbps).emptied_at[0],
        1800.0,
        1e-6,
    );
    close(mbps(&at(&s, 0.0)), 100.0, 1e-9);
    close(mbps(&at(&s, 1800.0)), 24.0, 1e-9);
}

/// A P10 at half credit under 2,000 I/Os of 4 KiB: 8.192 MB/s. IOPS: 2,700,000 credits, 1,500 a second spent: 1,800 s.
/// MB/s: 63,000 missing, 100 - 8.192 = 91.808 a second earned: full after 686.2 s.
#[test]
fn iops_credit_is_spent_while_mbps_credit_is_earned() {
    let schedule = schedule(1, &[("1h", "block=4KiB iops=2000")]).from_credit(Share::percent(50));
    let s = simulate(Catalog::embedded(), &deployment("", &["d=P10"]), &schedule);
    let (ios, mb) = (bucket(&s, "d", Axis::Iops), bucket(&s, "d", Axis::Mbps));
    assert_eq!((ios.start, mb.start), (2_700_000.0, 63_000.0));
    close(ios.emptied_at[0], 1800.0, 1e-6);
    close(mb.filled_at[0], 63_000.0 / 91.808, 1e-6);
    assert_eq!(ios.filled_at, [0.0_f64; 0]);
    assert_eq!(mb.emptied_at, [0.0_f64; 0]);
    assert_eq!(mb.end, mb.full);
}

/// Azure, managed disk bursting: burstable VM with non-burstable disks. 600 MB/s of 167.77 base: the VM's bucket of
/// (1,280 - 167.772) x 1,800 MB lasts 2,001,990 / 432.228 = 4,632 s; then 167.77 are shared.
#[test]
fn a_bursting_vm_with_disks_that_do_not() {
    let disks = ["os=P50:os,cache=none", "d1=P50", "d2=P50"];
    let s = run(
        "Standard_L8s_v2",
        &disks,
        &[("2h", "block=256KiB mbps=200")],
    );
    let base = 167.772_16;
    let lasts = (1280.0 - base) * 1800.0 / (600.0 - base);
    close(
        bucket(&s, "uncached", Axis::Mbps).emptied_at[0],
        lasts,
        1e-6,
    );
    let total = |seconds: f64| {
        let segment = s
            .segments
            .iter()
            .find(|x| (x.start..x.end).contains(&seconds))
            .unwrap();
        segment.volumes.iter().map(mbps).sum::<f64>()
    };
    close(total(0.0), 600.0, 1e-9);
    close(total(lasts + 1.0), base, 1e-9);
}

/// Azure, managed disk bursting: burstable VM with burstable disks. 20 + 170 + 170 MB/s. The P4 data disks have
/// (170 - 25) x 1,800 s: empty at 1,800 s, then 25 each. The VM lost 360 - 167.772 = 192.228 a second until then, and
/// earns 167.772 - 70 = 97.772 afterwards.
#[test]
fn a_bursting_vm_with_bursting_disks() {
    let words = "block=256KiB mbps=20|block=256KiB mbps=170|block=256KiB mbps=170";
    let s = run(
        "Standard_L8s_v2",
        &["os=P4:os,cache=none", "d1=P4", "d2=P4"],
        &[("1h", words)],
    );
    for name in ["d1", "d2"] {
        close(bucket(&s, name, Axis::Mbps).emptied_at[0], 1800.0, 1e-6);
        close(volume(&s, name).throttled_seconds, 1800.0, 1e-6);
    }
    let os = volume(&s, "os");
    assert_eq!((os.throttled_seconds, os.backlog.peak.mb), (0.0, 0.0));
    let vm = bucket(&s, "uncached", Axis::Mbps);
    close(vm.lowest, vm.full - 192.227_84 * 1800.0, 1e-3);
    close(
        vm.end,
        vm.full - 192.227_84 * 1800.0 + 97.772_16 * 1800.0,
        1e-3,
    );
}

/// The field report's disks, each alone under an hour of all it can get: 48 MB/s after 30 minutes at most.
#[test]
fn the_field_report_falls_to_48_after_half_an_hour() {
    for (disk, burst, falls) in [
        // The P10: 170, its own credit lasts 1,800 s, then 100 until the VM's is gone.
        ("v1=P10", 170.0, 1800.0 + 54_000.0 / 52.0),
        // 125 - 48 = 77 a second of 273,600.
        (
            "v2base=v2:size=129,iops=3000,mbps=125",
            125.0,
            273_600.0 / 77.0,
        ),
        ("v2double=v2:size=130,iops=6000,mbps=250", 200.0, 1800.0),
    ] {
        let s = run("Standard_D2s_v3", &[disk], &[("1h", "block=1MiB")]);
        close(mbps(&at(&s, 0.0)), burst, 1e-9);
        close(
            bucket(&s, "uncached", Axis::Mbps).emptied_at[0],
            falls,
            1e-6,
        );
        close(mbps(&at(&s, falls + 1.0)), 48.0, 1e-9);
        assert_eq!(at(&s, 0.0).asked, None);
        // Nothing is throttled while it bursts, and it is once the credit is used up.
        assert!(!at(&s, 0.0).throttled && at(&s, falls + 1.0).throttled);
    }
}

/// `plan` says how long each burst lasts: as long as the first bucket to empty holds, (burst - base) x 1,800 s over
/// what is used above the base. The simulation of the same load empties it then.
#[test]
fn plan_and_simulation_agree_on_how_long_a_burst_lasts() {
    let mut compared = 0;
    for (vm, disk) in [
        ("", "d=P10"),
        ("", "d=4xP15"),
        ("", "d=E20"),
        ("Standard_D2s_v3", "d=P20"),
        ("Standard_L8s_v2", "d=P50"),
        ("Standard_D8s_v5", "d=2xP20"),
    ] {
        for words in [
            "block=4KiB",
            "block=64KiB",
            "block=1MiB",
            "block=4KiB iops=2600",
            "block=1MiB mbps=120",
        ] {
            let io = settings(words).over(Io::RANDOM_4K);
            let system = System::new(&deployment(vm, &[disk]), &[io]);
            let used = evaluate(&system, Phase::Burst).used;
            let lasts = system.resources.iter().zip(used).filter_map(|(r, used)| {
                let above = used? - r.base?;
                (above > 1e-6).then_some(r.bucket()? / above)
            });
            let Some(lasts) = lasts.reduce(f64::min) else {
                continue;
            };
            let s = run(vm, &[disk], &[("10 days", words)]);
            let emptied = s.buckets.iter().filter_map(|b| b.emptied_at.first());
            let first = emptied.copied().reduce(f64::min).unwrap();
            close(first, lasts, 1e-9 * lasts + 2e-6);
            let plan = plan(vm, &[disk], words);
            let plateau = &result(&plan, "", "d").plateaus[0];
            close(plateau.lasts_seconds.unwrap(), lasts, 1e-9 * lasts + 3e-4);
            compared += 1;
        }
    }
    assert!(compared > 15, "{compared}");
}

/// What waits is served as it was asked, before what the next step asks: a P30 does 200 of 300 MB/s of 1 MiB I/Os for
/// ten minutes, so that 60,000 MB wait. They are gone after 300 s at 200 MB/s; what the next step asked meanwhile,
/// 300 x 100 I/Os of 4 KiB, waits behind them and takes 30,000 / (5,000 - 100) s.
#[test]
fn a_backlog_keeps_its_block_size_and_goes_first() {
    let steps = [
        ("10min", "block=1MiB mbps=300"),
        ("2h", "block=4KiB iops=100"),
    ];
    let s = run("", &["d=P30"], &steps);
    let d = volume(&s, "d");
    close(d.backlog.peak.mb, 60_000.0, 1e-6);
    close(d.backlog.peak.ios, 60_000.0 / 1.048_576, 1e-6);
    let while_waiting = at(&s, 700.0);
    close(mbps(&while_waiting), 200.0, 1e-9);
    close(iops(&while_waiting), 200.0 / 1.048_576, 1e-9);
    close(while_waiting.asked.unwrap().iops.get(), 100.0, 1e-9);
    close(while_waiting.backlog.ios, 30_000.0, 1e-3);
    let after = at(&s, 901.0);
    close(iops(&after), 5000.0, 1e-9);
    close(
        d.backlog.worked_off_at.unwrap(),
        900.0 + 30_000.0 / 4900.0,
        1e-6,
    );
    close(
        d.served.unwrap().mb,
        180_000.0 + 720_000.0 * 0.004_096,
        1e-3,
    );
}

/// 120 I/Os of 1 MiB a second are asked of an S30, which does 60 MB/s: after ten minutes 600 x (125.83 - 60) MB wait. In
/// the next ten minutes 36,000 MB of them are served, and 240,000 I/Os of 4 KiB come to wait behind the rest: fewer MB,
/// and more I/Os than ever before.
#[test]
fn the_most_that_waits_is_told_in_ios_and_in_mb() {
    let steps = [
        ("10min", "block=1MiB iops=120"),
        ("10min", "block=4KiB iops=400"),
    ];
    let s = run("", &["d=S30"], &steps);
    let backlog = volume(&s, "d").backlog;
    let most_mb = 600.0 * (120.0 * 1.048_576 - 60.0);
    close(backlog.peak.mb, most_mb, 1e-6);
    assert_eq!(backlog.peak_at, Some(600.0));
    let ios_left = (most_mb - 36_000.0) / 1.048_576 + 240_000.0;
    close(backlog.peak.ios, ios_left, 1e-3);
}

/// What waits is as much whatever is asked next: 1,800 s of 3,000 waiting I/Os of 4 KiB are 5,400,000. In an idle step
/// and beside one that takes as much as it gets, a P10 works 500 a second of them off.
#[test]
fn a_backlog_is_worked_off_as_it_was_asked() {
    let first = ("1h", "block=4KiB iops=3500");
    for next in ["block=1MiB iops=0", "block=1MiB"] {
        let s = run("", &["d=P10"], &[first, ("100s", next)]);
        let segment = s.segments.iter().find(|x| x.start >= 3600.0).unwrap();
        close(iops(&segment.volumes[0]), 500.0, 1e-9);
        close(segment.volumes[0].backlog.ios, 5_400_000.0 - 50_000.0, 1.0);
    }
}

/// With its queue depth as the limit, a volume falls behind but nothing throttles it.
#[test]
fn a_queue_depth_delays_without_throttling() {
    // 4 outstanding at 1 ms: 4,000 of the 4,500 asked.
    let s = run(
        "",
        &["d=P30:latency=1ms"],
        &[("100s", "block=4KiB iops=4500 depth=4")],
    );
    let d = volume(&s, "d");
    assert_eq!(d.throttled_seconds, 0.0);
    assert_eq!(d.held_by[0].by, Bottleneck::QueueDepth);
    close(d.backlog.left.ios, 50_000.0, 1e-3);
    let told = s.findings.iter().find(|f| f.id.code() == "QUEUE-DEPTH");
    let told = &told.unwrap().message;
    assert!(told.contains("up to 50,000 I/Os (205 MB) wait"), "{told}");
    // More and more waits, and no other disk of its kind answers faster.
    let need = &s.sizing.disks[0];
    assert_eq!((need.present_is_enough, need.present_lasts), (false, true));
}

/// What no known limit is on the way of is unknown, not infinite.
#[test]
fn unknown_limits_are_said_to_be_unknown() {
    let s = run(
        "",
        &["d=custom"],
        &[("1h", "block=4KiB"), ("1h", "block=4KiB iops=100")],
    );
    let d = volume(&s, "d");
    assert!(d.at_most);
    assert_eq!((d.served, d.asked), (None, None));
    assert_eq!(at(&s, 0.0).served, None);
    assert_eq!(at(&s, 0.0).bottleneck, Bottleneck::Unknown);
    assert_eq!(iops(&at(&s, 4000.0)), 100.0);
    let json = serde_json::to_string(&s).unwrap();
    let read: Simulation = serde_json::from_str(&json).unwrap();
    assert_eq!((read.volumes, read.sizing), (s.volumes, s.sizing));
    assert_eq!(read.segments[0], s.segments[0]);
}

fn of_code<'a>(simulation: &'a Simulation, code: &str) -> Vec<&'a Finding> {
    let found = simulation.findings.iter();
    found.filter(|finding| finding.id.code() == code).collect()
}

/// A P10 holds (3,500 - 500) x 1,800 = 5,400,000 I/Os. 28 minutes at 3,500 IOPS take 3,000 x 1,680 = 5,040,000: 360,000
/// are left, 6.7 %, which would last another 120 s.
#[test]
fn credit_that_comes_near_its_end_is_low() {
    let run = |minutes: &str| {
        let steps = [
            (minutes, "block=4KiB iops=3500"),
            ("30min", "block=4KiB iops=100"),
        ];
        run("", &["P10"], &steps)
    };
    let near = run("28min");
    let [low] = of_code(&near, "CREDIT-LOW")[..] else {
        panic!("{:?}", near.findings);
    };
    assert_eq!(
        (low.severity, low.subject.as_str()),
        (Severity::Warning, "P10")
    );
    assert_eq!(
        low.message,
        "the disk's burst credit for IOPS falls to 6.7 % after 28 min (360,000 of 5,400,000 I/Os): at that rate it would \
         be empty in another 2 min, and 3,500 IOPS become 500"
    );
    let figures: Vec<(&str, f64)> = (low.figures.iter())
        .map(|figure| (figure.name.as_str(), figure.value))
        .collect();
    for (name, value) in [
        ("lowest", 360_000.0),
        ("full", 5_400_000.0),
        ("lowest_at", 1680.0),
        ("empty_in", 120.0),
    ] {
        let found = figures.iter().find(|(of, _)| *of == name).unwrap();
        close(found.1, value, 1e-6);
    }
    // 27 minutes leave (1,800 - 1,620) / 1,800 = 10 %: not below. Half an hour leaves nothing, which is said otherwise.
    assert!(of_code(&run("27min"), "CREDIT-LOW").is_empty());
    let emptied = run("31min");
    assert!(of_code(&emptied, "CREDIT-LOW").is_empty());
    assert_eq!(of_code(&emptied, "CREDIT-EMPTY").len(), 1);
}

/// Two disks without host caching, and hits that every step states; with one of them cached they are its own.
#[test]
fn hits_without_a_cache_are_remarked() {
    let steps = [
        ("10min", "block=8KiB hit=0.8 iops=1000"),
        ("10min", "iops=100"),
    ];
    let s = run("E16bds_v5", &["data=P30", "log=P20"], &steps);
    let found = of_code(&s, "HIT-SHARE-UNUSED");
    assert_eq!(
        found[0].message,
        "80 % cache hits are stated for data, log, which have no host caching: they change nothing"
    );
    let s = run("E16bds_v5", &["data=P30:cache=ro", "log=P20"], &steps);
    assert!(of_code(&s, "HIT-SHARE-UNUSED").is_empty());
}

/// 1 ms an I/O on a P30: one at a time makes 1,000 of 2,000 asked, two make 2,000 of 3,000. The rule is the plan's: one at
/// a time is what such a workload is.
#[test]
fn a_queue_depth_weighs_as_in_a_plan() {
    for (words, severity) in [
        ("iops=2000 depth=1", Severity::Info),
        ("iops=3000 depth=2", Severity::Warning),
    ] {
        let s = run("", &["d=P30"], &[("10min", words)]);
        assert_eq!(of_code(&s, "QUEUE-DEPTH")[0].severity, severity);
        let a = timeline::plan("", &["d=P30"], words);
        let planned = a.findings.iter().find(|f| f.id.code() == "QUEUE-DEPTH");
        assert_eq!(planned.unwrap().severity, severity);
    }
}

/// A cached volume that mostly writes whenever something is asked of it. One that reads for a time needs its cache.
#[test]
fn a_cached_volume_that_mostly_writes_is_told_over_time() {
    let told = |steps: &[(&str, &str)]| {
        let s = run("E16ds_v5", &["log=P30:cache=ro"], steps);
        let mut ids = s.findings.iter().map(|finding| finding.id.code());
        ids.any(|code| code == "WRITE-HEAVY-CACHE")
    };
    let (writes, reads, idle) = ("iops=100 read=0", "iops=100 read=0.9", "iops=0 read=1");
    assert!(told(&[("1h", writes)]));
    assert!(told(&[("1h", writes), ("1h", idle)]));
    assert!(!told(&[("1h", writes), ("1h", reads)]));
}

/// E8ds_v5 lets 20,000 IOPS through for 30 minutes, then 12,800. A load that ends then is held back by nothing.
#[test]
fn credit_that_lasts_to_the_end_is_no_warning() {
    let found = |lasts: &str| {
        let s = run("E8ds_v5", &["4xP30"], &[(lasts, "iops=20000")]);
        let mut found = s.findings.into_iter();
        found.find(|f| f.id.code() == "CREDIT-EMPTY").unwrap()
    };
    let at_the_end = found("30min");
    assert_eq!(at_the_end.severity, Severity::Info);
    assert_eq!(
        at_the_end.message,
        "the VM's uncached burst credit for IOPS is used up after 30 min, just as the time that is looked at ends: a \
         load that lasts longer is then held to 12,800 IOPS"
    );
    assert_eq!(found("31min").severity, Severity::Warning);
}

/// A P10 does 170 MB/s for 30 min, then 100, of 400 asked for 20 min: 230 x 1,200 = 276,000 MB wait then. The most I/Os
/// wait when the 480,000 MB that were asked are nearly done: 306,000 by minute 30, the other 174,000 in 29 minutes at 100.
/// By then 39 x 60 x 3,000 = 7,020,000 small ones wait.
#[test]
fn two_maxima_of_two_moments_are_told_apart() {
    let steps = [
        ("20min", "block=1MiB mbps=400"),
        ("1h", "block=4KiB iops=3000"),
    ];
    let s = run("E8s_v5", &["d=P10"], &steps);
    let backlog = volume(&s, "d").backlog;
    close(backlog.peak_at.unwrap(), 1200.0, 1e-6);
    close(backlog.peak_ios_at.unwrap(), 3540.0, 1e-6);
    let most = "up to 7,020,000 I/Os (after 59 min), up to 276,000 MB (after 20 min)";
    assert_eq!(backlog.most(), most);
    let mut said = s.findings.iter().map(|finding| finding.message.as_str());
    assert!(said.any(|text| text.contains(&format!("; {most} wait"))));
    let s = run("", &["d=P10"], &[("1h", "block=4KiB iops=3500")]);
    assert_eq!(
        volume(&s, "d").backlog.most(),
        "up to 5,400,000 I/Os (22,118 MB)"
    );
}

/// One at a time at 400 IOPS an I/O may take 2.5 ms, which nobody promises of a Standard HDD; at 40, in the second step,
/// 25 ms, of which 20 are promised.
#[test]
fn what_an_unknown_latency_decides_is_an_upper_bound_of_its_step() {
    let steps = [("1h", "depth=1 iops=400"), ("1h", "depth=1 iops=40")];
    let s = run("D8s_v5", &["data=S40"], &steps);
    let data = volume(&s, "data");
    assert!(data.at_most);
    assert_eq!(data.latency_needed.unwrap().millis(), 2.5);
    assert_eq!(at(&s, 10.0).latency_needed.unwrap().millis(), 2.5);
    assert_eq!(at(&s, 4000.0).latency_needed, None);
    let found = s.findings.iter().find(|f| f.id.code() == "LATENCY-UNKNOWN");
    assert!(
        found
            .unwrap()
            .message
            .contains("400 IOPS at queue depth 1 hold only where")
    );
    let deep = run("D8s_v5", &["data=S40"], &[("1h", "depth=8 iops=400")]);
    assert!(!volume(&deep, "data").at_most);
}
