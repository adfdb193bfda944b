//! Traces as workloads: what the steps are is worked out by hand from the lines of the logs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/timeline.rs"]
mod common;

use proptest::prelude::*;

use common::{bucket, close, deployment, request, volume};
use diskcap::catalog::{Axis, Catalog};
use diskcap::deployment::over_time::MeasuredStep;
use diskcap::deployment::{OverTime, PlanError, PlanRequest};
use diskcap::measure::trace::{Gaps, Trace, TraceError, TraceOptions, read};
use diskcap::planner::{Simulation, simulate};
use diskcap::units::{BlockSize, Iops, Share};
use diskcap::workload::{Demand, IoSettings};

/// Writes logs, each a name and a text, and reads them for volumes.
fn traced(
    files: &[(&str, &str)],
    volumes: &[&str],
    options: &TraceOptions,
) -> Result<Trace, TraceError> {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = files
        .iter()
        .map(|(name, _)| folder.path().join(name))
        .collect();
    for (path, (_, text)) in paths.iter().zip(files) {
        std::fs::write(path, text).unwrap();
    }
    let names: Vec<String> = volumes.iter().map(|name| (*name).to_owned()).collect();
    Trace::of(&read(&paths, options)?, &names, options)
}

fn steps(
    files: &[(&str, &str)],
    volumes: &[&str],
    options: &TraceOptions,
) -> (Trace, Vec<MeasuredStep>) {
    let trace = traced(files, volumes, options).unwrap();
    let steps = trace.steps(volumes.len()).unwrap();
    (trace, steps)
}

fn mapped(pairs: &[&str]) -> TraceOptions {
    TraceOptions {
        map: pairs.iter().map(|pair| pair.parse().unwrap()).collect(),
        ..TraceOptions::default()
    }
}

fn every(text: &str) -> TraceOptions {
    TraceOptions {
        every: Some(text.parse().unwrap()),
        ..TraceOptions::default()
    }
}

fn lengths(steps: &[MeasuredStep]) -> Vec<f64> {
    steps.iter().map(|step| step.lasts.get()).collect()
}

/// What the first volume is asked for in each step.
fn first(steps: &[MeasuredStep]) -> Vec<IoSettings> {
    steps.iter().map(|step| step.volumes[0].unwrap()).collect()
}

fn iops(settings: &IoSettings) -> f64 {
    match settings.demand {
        Some(Demand::Iops(iops)) => iops.get(),
        other => panic!("no IOPS: {other:?}"),
    }
}

fn block(settings: &IoSettings) -> u64 {
    settings.block_size.unwrap().bytes()
}

fn read_share(settings: &IoSettings) -> f64 {
    settings.read_share.unwrap().get()
}

fn near(a: f64, b: f64) {
    close(a, b, 1e-9 * b.abs());
}

fn errors(files: &[(&str, &str)], volumes: &[&str], options: &TraceOptions) -> String {
    traced(files, volumes, options).unwrap_err().to_string()
}

/// A disk at 8 KiB, idle, then at 64 KiB of writes only.
const CSV: &str = "\
time,disk,read_iops,write_iops,read_mbps,write_mbps
10,data,300,100,2.4576,0.8192
20,data,0,0,0,0
30,data,0,50,0,3.2768
40,data,0,50,0,3.2768
";

#[test]
fn a_sample_asks_for_its_iops_in_blocks_of_their_quotient() {
    let (trace, steps) = steps(&[("a.csv", CSV)], &["data"], &TraceOptions::default());
    assert_eq!(lengths(&steps), [10.0; 4]);
    let first = first(&steps);
    // 400 IOPS, 3.2768 MB/s: 8,192 bytes; 300 of 400 are reads.
    assert_eq!((iops(&first[0]), block(&first[0])), (400.0, 8192));
    assert_eq!(read_share(&first[0]), 0.75);
    // What may still wait is worked off as it was asked for.
    assert_eq!(
        first[1].demand,
        Some(Demand::Mbps(diskcap::units::MBps::ZERO))
    );
    assert_eq!((block(&first[1]), read_share(&first[1])), (8192, 0.75));
    // 3,276,800 / 50 = 65,536.
    assert_eq!((iops(&first[2]), block(&first[2])), (50.0, 65_536));
    assert_eq!(read_share(&first[2]), 0.0);
    // 400 x 10 + 50 x 20 = 5,000 I/Os and 32.768 + 65.536 = 98.304 MB in 40 s; 3,000 reads.
    let facts = &trace.traced.volumes[0];
    assert_eq!(facts.iops, Some(Iops::whole(125)));
    near(facts.mbps.unwrap().get(), 2.4576);
    assert_eq!(facts.block_size, BlockSize::from_bytes(19_661).ok());
    assert_eq!(facts.read_share, Share::new(0.6).ok());
    assert_eq!((facts.samples, facts.unknown.get()), (4, 0.0));
    assert_eq!(facts.peak_iops, Some(Iops::whole(400)));
}

#[test]
fn averaging_keeps_ios_and_bytes() {
    let (trace, steps) = steps(&[("a.csv", CSV)], &["data"], &every("15s"));
    // 0 to 15 s: 4,000 I/Os and 32.768 MB; to 30 s: 500 and 32.768 MB; the 10 s that are left: 500 and 32.768 MB.
    assert_eq!(lengths(&steps), [15.0, 15.0, 10.0]);
    let first = first(&steps);
    for (settings, (ios, seconds, bytes)) in first.iter().zip([
        (4000.0, 15.0, 8192),
        (500.0, 15.0, 65_536),
        (500.0, 10.0, 65_536),
    ]) {
        near(iops(settings), ios / seconds);
        assert_eq!(block(settings), bytes);
    }
    let facts = &trace.traced.volumes[0];
    near(facts.iops.unwrap().get(), 125.0);
    near(facts.mbps.unwrap().get(), 2.4576);
    near(facts.peak_iops.unwrap().get(), 4000.0 / 15.0);
}

const IOSTAT: &str = "\
Linux 5.15.0 (db1) \t03/14/2026 \t_x86_64_\t(4 CPU)

03/14/2026 10:00:00 AM
Device            r/s     rkB/s     w/s     wkB/s  aqu-sz  %util
sda              9.00     90.00    9.00     90.00    0.10   1.00
sdc              9.00     90.00    9.00     90.00    0.10   1.00
sdd              9.00     90.00    9.00     90.00    0.10   1.00

03/14/2026 10:00:05 AM
Device            r/s     rkB/s     w/s     wkB/s  aqu-sz  %util
sda              1.00      4.00    0.00      0.00    0.10   1.00
sdc            100.00    800.00    0.00      0.00    0.10   1.00
sdd              0.00      0.00   20.00   1280.00    0.10   1.00

03/14/2026 10:00:10 AM
Device            r/s     rkB/s     w/s     wkB/s  aqu-sz  %util
sda              1.00      4.00    0.00      0.00    0.10   1.00
sdc            200.00   1600.00    0.00      0.00    0.10   1.00
sdd              0.00      0.00   20.00   1280.00    0.10   1.00
";

#[test]
fn devices_are_volumes_by_map_or_by_name() {
    let (trace, steps) = steps(
        &[("io.txt", IOSTAT)],
        &["SDD", "data", "other"],
        &mapped(&["sdc=Data"]),
    );
    // The block since boot counts for nothing; its time is where the first sample begins.
    assert_eq!(lengths(&steps), [5.0, 5.0]);
    let asked = |step: usize, volume: usize| steps[step].volumes[volume].unwrap();
    // 20 x 64 KiB a second by the name; 100 then 200 x 8 KiB by the map.
    assert_eq!((iops(&asked(0, 0)), block(&asked(0, 0))), (20.0, 65_536));
    assert_eq!((iops(&asked(0, 1)), block(&asked(0, 1))), (100.0, 8192));
    assert_eq!(iops(&asked(1, 1)), 200.0);
    assert_eq!(steps[0].volumes[2], None);
    assert_eq!(trace.traced.left_out, ["sda"]);
    assert_eq!(trace.traced.start.as_deref(), Some("2026-03-14T10:00:00"));
}

#[test]
fn devices_of_one_volume_add_up() {
    let (trace, steps) = steps(
        &[("io.txt", IOSTAT)],
        &["data"],
        &mapped(&["sdc=data", "sdd=data"]),
    );
    let first = first(&steps);
    // 100 reads of 8 KiB and 20 writes of 64 KiB: 120 I/Os, 2,129,920 bytes, 17,749 bytes each.
    assert_eq!((iops(&first[0]), block(&first[0])), (120.0, 17_749));
    near(read_share(&first[0]), 100.0 / 120.0);
    assert_eq!(trace.traced.volumes[0].devices, ["sdc", "sdd"]);
}

#[test]
fn logs_of_one_device_are_put_together() {
    let files = [
        (
            "data_bw.1.log",
            "1000, 400, 0, 0\n2000, 800, 0, 0\n4000, 800, 0, 0\n",
        ),
        (
            "data_iops.1.log",
            "1000, 100, 0, 0\n2000, 100, 0, 0\n4000, 100, 0, 0\n",
        ),
    ];
    let (trace, steps) = steps(&files, &["P10"], &TraceOptions::default());
    // 400 KiB/s at 100 IOPS are 4 KiB each, then 8 KiB; fio logs nothing where no I/O finishes.
    assert_eq!(lengths(&steps), [1.0, 1.0, 1.0, 1.0]);
    let first = first(&steps);
    assert_eq!((iops(&first[0]), block(&first[0])), (100.0, 4096));
    assert_eq!((iops(&first[1]), block(&first[1])), (100.0, 8192));
    assert_eq!(
        first[2].demand,
        Some(Demand::Mbps(diskcap::units::MBps::ZERO))
    );
    assert_eq!(iops(&first[3]), 100.0);
    assert_eq!(trace.traced.volumes[0].unknown.get(), 0.0);
}

#[test]
fn a_log_of_iops_and_a_log_of_throughput_make_one_device() {
    let files = [
        ("iops.csv", "time,disk,iops\n10,sdc,1000\n20,sdc,2000\n"),
        ("mbps.csv", "time,disk,mbps\n10,sdc,8.192\n20,sdc,8.192\n"),
    ];
    let (trace, steps) = steps(&files, &["sdc"], &TraceOptions::default());
    let first = first(&steps);
    assert_eq!((iops(&first[0]), block(&first[0])), (1000.0, 8192));
    assert_eq!((iops(&first[1]), block(&first[1])), (2000.0, 4096));
    assert_eq!(first[0].read_share, None);
    assert!(
        trace
            .traced
            .notes
            .iter()
            .any(|n| n.contains("taken to start together"))
    );
}

/// Azure Monitor leaves out a minute: 10:01.
const AZURE: &str = r#"{"interval": "PT1M", "value": [
  {"name": {"value": "Data Disk Read Operations/Sec"}, "timeseries": [
    {"metadatavalues": [{"name": {"value": "LUN"}, "value": "0"}],
     "data": [{"timeStamp": "2026-03-14T10:00:00Z", "average": 600.0}, {"timeStamp": "2026-03-14T10:01:00Z"},
              {"timeStamp": "2026-03-14T10:02:00Z", "average": 100.0}]}]},
  {"name": {"value": "Data Disk Read Bytes/sec"}, "timeseries": [
    {"metadatavalues": [{"name": {"value": "LUN"}, "value": "0"}],
     "data": [{"timeStamp": "2026-03-14T10:00:00Z", "average": 2457600.0}, {"timeStamp": "2026-03-14T10:01:00Z"},
              {"timeStamp": "2026-03-14T10:02:00Z", "average": 409600.0}]}]}
]}"#;

#[test]
fn a_gap_goes_on_as_before_or_is_idle_and_both_are_said() {
    let (trace, held) = steps(&[("m.json", AZURE)], &["data"], &mapped(&["lun 0=data"]));
    let rates: Vec<f64> = first(&held).iter().map(iops).collect();
    assert_eq!(rates, [600.0, 600.0, 100.0]);
    assert_eq!(lengths(&held), [60.0, 60.0, 60.0]);
    let facts = &trace.traced.volumes[0];
    assert_eq!((facts.samples, facts.unknown.get()), (2, 60.0));
    // (600 + 600 + 100) / 3
    near(facts.iops.unwrap().get(), 1300.0 / 3.0);
    let notes = trace.traced.notes.join("\n");
    assert!(notes.contains("go on as before"), "{notes}");
    assert!(notes.contains("only reads of 'LUN 0'"), "{notes}");
    assert_eq!(trace.traced.start.as_deref(), Some("2026-03-14T10:00:00Z"));

    let options = TraceOptions {
        gaps: Gaps::Idle,
        ..mapped(&["LUN 0=data"])
    };
    let (trace, idle) = steps(&[("m.json", AZURE)], &["data"], &options);
    let first = first(&idle);
    assert_eq!(
        first[1].demand,
        Some(Demand::Mbps(diskcap::units::MBps::ZERO))
    );
    near(trace.traced.volumes[0].iops.unwrap().get(), 700.0 / 3.0);
    assert!(trace.traced.notes.join("\n").contains("without I/O"));
}

#[test]
fn a_rate_that_is_missing_once_is_reckoned_with_the_block_size_before() {
    let csv = "time,disk,iops,mbps\n10,d,100,0.8192\n20,d,300,\n30,d,,4.096\n";
    let (trace, steps) = steps(&[("a.csv", csv)], &["d"], &TraceOptions::default());
    let first = first(&steps);
    assert_eq!((iops(&first[1]), block(&first[1])), (300.0, 8192));
    // 4,096,000 / 8,192 = 500.
    near(iops(&first[2]), 500.0);
    assert!(trace.traced.notes.join("\n").contains("2 sample(s)"));
}

#[test]
fn what_a_trace_never_says_is_left_to_the_plan() {
    let csv = "time,disk,mbps\n10,d,50\n20,d,60\n";
    let (trace, steps) = steps(&[("a.csv", csv)], &["d"], &TraceOptions::default());
    assert_eq!(first(&steps)[0].block_size, None);
    assert_eq!(trace.traced.volumes[0].iops, None);
    let plan = PlanRequest {
        settings: common::settings("block=256KiB"),
        ..request("", &["d=P10"])
    };
    let deployment = deployment("", &["d=P10"]);
    let schedule = plan
        .measured_schedule(&deployment, &steps, OverTime::default())
        .unwrap();
    let load = schedule.steps()[1].loads[0];
    assert_eq!(load.block_size, BlockSize::kib(256));
    assert_eq!(
        load.demand.iops(load.block_size).unwrap().get(),
        60e6 / 262_144.0
    );
}

fn simulated(csv: &str, disks: &[&str], options: &TraceOptions) -> Simulation {
    let deployment = deployment("", disks);
    let names: Vec<String> = deployment.volume_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (_, steps) = steps(&[("a.csv", csv)], &names, options);
    let schedule = request("", disks)
        .measured_schedule(&deployment, &steps, OverTime::default())
        .unwrap();
    simulate(Catalog::embedded(), &deployment, &schedule)
}

/// A P10 does 500 IOPS and bursts to 3,500 from a bucket of (3,500 - 500) x 1,800 = 5,400,000. Asked for 3,500 in blocks
/// of 4 KiB for 40 minutes, it empties after 30; 600 s x 3,000 = 1,800,000 I/Os wait then, and another 100 IOPS are asked:
/// they are worked off at 400 a second in 4,500 s. A P20 bursts no higher, for as long; a P30 does 5,000.
#[test]
fn a_trace_is_simulated_as_its_steps_are() {
    let csv = "time,disk,iops,mbps\n600,d,3500,14.336\n1200,d,3500,14.336\n1800,d,3500,14.336\n\
               2400,d,3500,14.336\n9600,d,100,0.4096\n";
    let result = simulated(csv, &["d=P10"], &TraceOptions::default());
    let credit = bucket(&result, "d", Axis::Iops);
    assert_eq!(credit.emptied_at.len(), 1);
    near(credit.emptied_at[0], 1800.0);
    let run = volume(&result, "d");
    near(run.backlog.peak.ios, 1_800_000.0);
    near(run.backlog.worked_off_at.unwrap(), 2400.0 + 4500.0);
    near(run.throttled_seconds, 600.0 + 4500.0);
    assert_eq!(result.sizing.disks[0].smallest.as_deref(), Some("P30"));
}

#[test]
fn a_plan_and_its_flags_go_round_a_trace() {
    let (_, steps) = steps(
        &[("a.csv", CSV)],
        &["data", "log"],
        &TraceOptions::default(),
    );
    let disks = ["data=P10", "log=P10"];
    let deployment = deployment("", &disks);
    let scheduled =
        |request: &PlanRequest| request.measured_schedule(&deployment, &steps, OverTime::default());
    let plan = request("", &disks);
    assert_eq!(
        scheduled(&plan),
        Err(PlanError::NotTraced {
            name: "log".to_owned()
        })
    );
    let with = |name: &str| PlanRequest {
        demands: vec![(name.to_owned(), Demand::Iops(Iops::whole(70)))],
        ..plan.clone()
    };
    let schedule = scheduled(&with("log")).unwrap();
    let load = schedule.steps()[2].loads[1];
    assert_eq!(load.demand, Demand::Iops(Iops::whole(70)));
    assert!(matches!(
        scheduled(&with("data")),
        Err(PlanError::DemandOfTraced { .. })
    ));
    let for_all = PlanRequest {
        settings: common::settings("iops=5"),
        ..plan
    };
    assert_eq!(scheduled(&for_all), Err(PlanError::DemandAndTrace));
}

#[test]
fn what_cannot_be_a_workload_says_why() {
    let plain = TraceOptions::default();
    let untimed = IOSTAT
        .replace("03/14/2026 10:00:", "")
        .replace(" AM\n", "\n");
    let no_times: String = untimed
        .lines()
        .filter(|line| line.len() != 2)
        .map(|line| format!("{line}\n"))
        .collect();
    let says = errors(&[("io.txt", &no_times)], &["sda"], &plain);
    assert!(
        says.contains("says no times") && says.contains("--interval"),
        "{says}"
    );
    let timed = TraceOptions {
        interval: Some("5s".parse().unwrap()),
        ..TraceOptions::default()
    };
    let (_, steps) = steps(&[("io.txt", &no_times)], &["sdc"], &timed);
    assert_eq!(lengths(&steps), [5.0, 5.0]);

    let says = errors(&[("io.txt", IOSTAT)], &["data"], &plain);
    assert!(says.contains("devices are 'sda', 'sdc', 'sdd'"), "{says}");
    assert!(says.contains("volumes are 'data'"), "{says}");
    let says = errors(&[("io.txt", IOSTAT)], &["data"], &mapped(&["sdx=data"]));
    assert!(says.contains("no trace has a device 'sdx'"), "{says}");
    let says = errors(&[("io.txt", IOSTAT)], &["data"], &mapped(&["sdc=dta"]));
    assert!(says.contains("there is no volume 'dta'"), "{says}");
    let two = mapped(&["sdc=a", "sdc=b"]);
    let says = errors(&[("io.txt", IOSTAT)], &["a", "b"], &two);
    assert!(says.contains("mapped to 'a' and to 'b'"), "{says}");

    let files = [("io.txt", IOSTAT), ("m.json", AZURE)];
    let says = errors(
        &files,
        &["data", "log"],
        &mapped(&["sdc=data", "LUN 0=log"]),
    );
    assert!(says.contains("cannot be put side by side"), "{says}");
    let boot = IOSTAT.split("03/14/2026 10:00:05").next().unwrap();
    let says = errors(&[("io.txt", boot)], &["sda"], &plain);
    assert!(says.contains("averages since boot"), "{says}");
    let files = [("a.csv", CSV), ("b.csv", CSV)];
    let says = errors(&files, &["data"], &plain);
    assert!(says.contains("at the same time"), "{says}");
    let says = errors(
        &[("d_clat.1.log", "1000, 5000, 0, 0\n2000, 5000, 0, 0\n")],
        &["d"],
        &plain,
    );
    assert!(says.contains("neither IOPS nor MB/s"), "{says}");
    let csv = "time,disk,iops,mbps\n10,d,100,\n20,d,,5\n";
    let says = errors(&[("a.csv", csv)], &["d"], &plain);
    assert!(says.contains("never both"), "{says}");
    let says = errors(&[("a.csv", CSV)], &["data"], &every("0.1ms"));
    assert!(says.contains("1 ms or more"), "{says}");
}

#[test]
fn logs_of_one_time_after_another_follow_one_another() {
    let files = [
        (
            "b.csv",
            "time,disk,iops\n2026-03-14T04:00:00Z,d,300\n2026-03-14T05:00:00Z,d,400\n",
        ),
        (
            "a.csv",
            "time,disk,iops\n2026-03-14T01:00:00Z,d,100\n2026-03-14T02:00:00Z,d,200\n",
        ),
    ];
    let (trace, steps) = steps(&files, &["d"], &TraceOptions::default());
    // A sample counts for the hour before it; from 02:00 to 03:00 nothing is known.
    let rates: Vec<f64> = first(&steps).iter().map(iops).collect();
    assert_eq!(rates, [100.0, 200.0, 200.0, 300.0, 400.0]);
    assert_eq!(lengths(&steps), [3600.0; 5]);
    assert_eq!(trace.traced.start.as_deref(), Some("2026-03-14T00:00:00Z"));
    assert_eq!(trace.traced.volumes[0].unknown.get(), 3600.0);
    assert_eq!(trace.traced.volumes[0].samples, 4);
}

/// Lines of a CSV: how many seconds after the line before, and IOPS and MB/s where they are said.
fn lines() -> impl Strategy<Value = Vec<(u32, Option<u32>, Option<u32>)>> {
    let line = (1..200_u32, any::<Option<u16>>(), any::<Option<u8>>());
    let line =
        line.prop_map(|(after, iops, mbps)| (after, iops.map(u32::from), mbps.map(u32::from)));
    prop::collection::vec(line, 1..40)
}

fn csv(lines: &[(u32, Option<u32>, Option<u32>)]) -> String {
    let cell = |value: Option<u32>| value.map_or_else(String::new, |v| v.to_string());
    let mut text = "time,disk,iops,mbps\n".to_owned();
    let mut time = 0;
    for (after, iops, mbps) in lines {
        time += after;
        text += &format!("{time},d,{},{}\n", cell(*iops), cell(*mbps));
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever is averaged has as many I/Os and bytes as before, and steps are as long as the trace.
    #[test]
    fn averages_keep_everything(lines in lines(), seconds in 1..500_u32) {
        let text = csv(&lines);
        let files = [("a.csv", text.as_str())];
        let Ok(plain) = traced(&files, &["d"], &TraceOptions::default()) else {
            return Ok(());
        };
        let coarse = traced(&files, &["d"], &every(&format!("{seconds}s"))).unwrap();
        let (a, b) = (&plain.traced.volumes[0], &coarse.traced.volumes[0]);
        for (a, b) in [(a.iops.map(Iops::get), b.iops.map(Iops::get)),
                       (a.mbps.map(diskcap::units::MBps::get), b.mbps.map(diskcap::units::MBps::get))] {
            match (a, b) {
                (Some(a), Some(b)) => prop_assert!((a - b).abs() <= 1e-9 * a.abs(), "{a} {b}"),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
        for trace in [&plain, &coarse] {
            let steps = trace.steps(1).unwrap();
            let sum: f64 = lengths(&steps).iter().sum();
            prop_assert!((sum - trace.traced.lasts.get()).abs() < 1e-6);
            for step in &steps {
                prop_assert!(step.lasts.get() > 0.0);
                prop_assert!(step.volumes[0].unwrap().demand.is_some());
            }
        }
    }

    /// What a step asks for is what the trace did: its I/Os, and its bytes to half a byte an I/O (or to a hundredth of
    /// the I/Os where a block was rounded to whole units).
    #[test]
    fn steps_ask_for_what_was_done(lines in lines()) {
        let text = csv(&lines);
        let Ok(trace) = traced(&[("a.csv", text.as_str())], &["d"], &TraceOptions::default()) else {
            return Ok(());
        };
        let steps = trace.steps(1).unwrap();
        for (step, piece) in steps.iter().zip(&trace.volumes[0].pieces) {
            let settings = step.volumes[0].unwrap();
            let (Some(iops), Some(mbps)) = (piece.load.iops, piece.load.mbps) else {
                continue;
            };
            let Some(block) = settings.block_size.filter(|_| iops > 0.0 && mbps > 0.0) else {
                continue;
            };
            let asked = settings.demand.unwrap().iops(block).unwrap().get();
            prop_assert!((asked - iops).abs() <= 0.0101 * iops, "{asked} {iops}");
            let bytes = asked * block.bytes_f64() / 1e6;
            prop_assert!((bytes - mbps).abs() <= 0.5e-6 * asked + 1e-9 * mbps, "{bytes} {mbps}");
        }
    }
}
