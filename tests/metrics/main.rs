//! Azure Monitor's metrics, judged: the figures are made up here, the verdicts follow from them by hand.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod unused;

use diskcap::azure::facts::ResourceId;
use diskcap::azure::metrics::{
    DiskLimits, Level, Lowering, Metrics, MetricsJudgement, Subject, Throttling, VmLimits, judge,
};
use diskcap::catalog::{Axis, Catalog, Ceiling, Limits};
use diskcap::deployment::HostCaching;
use diskcap::planner::{Finding, FindingId, Severity};
use serde_json::{Value, json};

const VM: &str =
    "/subscriptions/s1/resourceGroups/rg1/providers/Microsoft.Compute/virtualMachines/db1";

/// One minute of a metric, `HH:MM` of one day; `Value::Null` for what is not said.
fn point(minute: u32, average: Value, maximum: Value) -> Value {
    let at = format!("2026-03-01T{:02}:{:02}:00Z", minute / 60, minute % 60);
    json!({ "timeStamp": at, "average": average, "maximum": maximum })
}

/// A metric of minutes that follow each other, means alone.
fn steady(name: &str, lun: Option<u32>, averages: impl IntoIterator<Item = f64>) -> Value {
    let points = averages.into_iter().zip(0..);
    metric(
        name,
        lun,
        points
            .map(|(v, at)| point(at, json!(v), Value::Null))
            .collect(),
    )
}

fn metric(name: &str, lun: Option<u32>, points: Vec<Value>) -> Value {
    let dimensions: Vec<Value> = lun
        .iter()
        .map(|lun| json!({ "name": { "value": "LUN" }, "value": lun.to_string() }))
        .collect();
    json!({
        "id": format!("{VM}/providers/Microsoft.Insights/metrics/{name}"),
        "type": "Microsoft.Insights/metrics",
        "name": { "value": name, "localizedValue": name },
        "unit": "Percent",
        "timeseries": [{ "metadatavalues": dimensions, "data": points }],
        "errorCode": "Success"
    })
}

fn judged(metrics: &[Value], limits: &VmLimits) -> MetricsJudgement {
    let answer = json!({ "interval": "PT1M", "namespace": "Microsoft.Compute/virtualMachines", "value": metrics });
    let read = Metrics::read(answer.to_string().as_bytes(), "m.json").unwrap();
    let id = ResourceId::new(VM).unwrap();
    judge(&read.vm(Some(&id), "db1", &[]).unwrap(), limits)
}

fn d8s_v3(disks: Vec<DiskLimits>) -> VmLimits {
    let size = Catalog::embedded().vm("Standard_D8s_v3", None).unwrap();
    VmLimits::of("db1", Some(size), disks)
}

fn p30(lun: u32, name: &str) -> DiskLimits {
    DiskLimits {
        name: Some(name.to_owned()),
        lun: Some(lun),
        ceiling: Ceiling {
            base: Limits::whole(5_000, 200),
            ..Ceiling::default()
        },
        on_demand: Some(false),
        caching: Some(HostCaching::ReadOnly),
        lowering: Lowering::WithSize,
        ..DiskLimits::default()
    }
}

fn found(judgement: &MetricsJudgement, id: FindingId) -> Vec<&Finding> {
    judgement.findings.iter().filter(|f| f.id == id).collect()
}

fn minutes(of: f64, count: usize) -> impl Iterator<Item = f64> {
    std::iter::repeat_n(of, count)
}

#[test]
fn the_cached_ceiling_throttles_while_the_uncached_one_shows_80_percent() {
    let cached = minutes(40.0, 10)
        .chain(minutes(100.0, 30))
        .chain(minutes(30.0, 20));
    let uncached = minutes(30.0, 10)
        .chain(minutes(80.0, 30))
        .chain(minutes(20.0, 20));
    let metrics = [
        steady("VM Cached Bandwidth Consumed Percentage", None, cached),
        steady("VM Uncached Bandwidth Consumed Percentage", None, uncached),
        steady("VM Cached IOPS Consumed Percentage", None, minutes(6.0, 60)),
    ];
    let judgement = judged(&metrics, &d8s_v3(vec![p30(0, "data")]));
    assert_eq!(judgement.throttling, Throttling::Throttled);
    let [span] = judgement.spans.as_slice() else {
        panic!("one span, not {:?}", judgement.spans);
    };
    assert_eq!((span.subject, span.axis), (Subject::VmCached, Axis::Mbps));
    assert_eq!(span.start.to_string(), "2026-03-01T00:10:00Z");
    assert_eq!(span.end.to_string(), "2026-03-01T00:40:00Z");
    assert_eq!((span.seconds, span.whole_seconds), (1800.0, 1800.0));
    let first = &judgement.ceilings[0];
    // What the API says in bytes; documentation prints 128.
    assert_eq!(first.ceiling, Some(131.072));
    let [finding] = found(&judgement, FindingId::ThrottledVmCached)[..] else {
        panic!("one finding, not {:?}", judgement.findings);
    };
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(
        finding.message,
        "VM cached bandwidth at its ceiling (131.1 MB/s, listed as 128) for 30 min, from 2026-03-01 00:10 UTC, if its \
         burst credit was used up, which no metric here says: with credit left it is not held there; VM uncached \
         bandwidth showed 80 % meanwhile, a percentage of another ceiling"
    );
    assert!(finding.fix.as_ref().unwrap().contains("cached: LUN 0 data"));
    assert!(found(&judgement, FindingId::ThrottledVmUncached).is_empty());
    assert_eq!(
        judgement.summary,
        "throttled by VM cached bandwidth for 30 min (if its burst credit was used up) in 60 min; next: VM uncached bandwidth at 80 %"
    );
}

#[test]
fn a_missing_minute_is_a_break_and_no_zero() {
    let name = "VM Uncached IOPS Consumed Percentage";
    let full = |minute| point(minute, json!(100.4), Value::Null);
    let points = vec![
        full(0),
        full(1),
        point(2, Value::Null, Value::Null),
        full(3),
        point(4, json!(0), Value::Null),
        full(6),
    ];
    let judgement = judged(&[metric(name, None, points)], &d8s_v3(vec![]));
    let lengths: Vec<f64> = judgement.spans.iter().map(|s| s.seconds).collect();
    assert_eq!(lengths, [120.0, 60.0, 60.0]);
    let used = &judgement.ceilings[0];
    assert_eq!((used.samples, used.missing), (5, 2));
    assert_eq!(used.throttled_seconds, 240.0);
    assert!(
        judgement
            .notes
            .iter()
            .any(|n| n.contains("not known, not idle: VM uncached IOPS 2"))
    );
}

#[test]
fn maxima_say_what_means_hide() {
    let name = "VM Uncached IOPS Consumed Percentage";
    let points = (0..10).map(|m| point(m, json!(35.0), json!(if m == 4 { 100.0 } else { 50.0 })));
    let points: Vec<Value> = points.collect();
    // It may burst, but nothing says that credit is left: a peak that stops at 100 % touched the ceiling.
    let bursts = judged(&[metric(name, None, points.clone())], &d8s_v3(vec![]));
    assert_eq!(bursts.throttling, Throttling::Touched);
    let mut limits = d8s_v3(vec![]);
    limits.uncached.burst = None;
    let judgement = judged(&[metric(name, None, points)], &limits);
    assert_eq!(judgement.throttling, Throttling::Touched);
    let span = &judgement.spans[0];
    assert_eq!((span.seconds, span.whole_seconds), (60.0, 0.0));
    let finding = found(&judgement, FindingId::ThrottledVmUncached)[0];
    assert_eq!(finding.severity, Severity::Info);
    assert!(
        finding.message.contains("for parts of 60 s"),
        "{}",
        finding.message
    );
}

#[test]
fn a_mean_of_94_percent_with_full_maxima_touched_the_ceiling() {
    let name = "VM Uncached IOPS Consumed Percentage";
    let points = (0..10).map(|m| point(m, json!(94.0), json!(100.0)));
    let judgement = judged(&[metric(name, None, points.collect())], &d8s_v3(vec![]));
    assert_eq!(judgement.throttling, Throttling::Touched);
    assert!(
        judgement.summary.contains("within 10 intervals"),
        "{}",
        judgement.summary
    );
    let found = found(&judgement, FindingId::ThrottledVmUncached);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Info);
}

/// A P20: 2,300 IOPS, 3,500 while bursting: 152.2 %.
fn p20() -> DiskLimits {
    DiskLimits {
        ceiling: Ceiling {
            base: Limits::whole(2_300, 150),
            burst: Some(Limits::whole(3_500, 170)),
            listed_mbps: None,
        },
        ..p30(1, "log")
    }
}

#[test]
fn above_100_is_bursting_until_the_burst_ceiling() {
    let used = [120.0, 152.0, 151.0, 100.0, 99.0, 20.0];
    let metrics = [steady("Data Disk IOPS Consumed Percentage", Some(1), used)];
    let judgement = judged(&metrics, &d8s_v3(vec![p20()]));
    let spans: Vec<_> = judgement
        .spans
        .iter()
        .map(|s| (s.level, s.seconds))
        .collect();
    // Without a word on the credit, 100 % of a disk that may burst is taken for its sustained limit.
    assert_eq!(spans, [(Level::Burst, 120.0), (Level::Sustained, 120.0)]);
    assert_eq!(judgement.ceilings[0].bursting_seconds, 60.0);
    assert_eq!(judgement.ceilings[0].burst, Some(3_500.0));
}

#[test]
fn without_a_word_on_the_credit_being_held_is_an_if() {
    let at_100 = steady(
        "Data Disk IOPS Consumed Percentage",
        Some(1),
        minutes(100.0, 60),
    );
    let credit = |used: f64| {
        let name = "Data Disk Used Burst IO Credits Percentage";
        steady(name, Some(1), minutes(used, 60))
    };
    let unsure = judged(std::slice::from_ref(&at_100), &d8s_v3(vec![p20()]));
    let finding = found(&unsure, FindingId::ThrottledDisk)[0];
    assert!(
        finding.message.contains("for 60 min")
            && finding
                .message
                .contains(", if its burst credit was used up"),
        "{}",
        finding.message
    );
    assert!(
        finding
            .fix
            .as_ref()
            .unwrap()
            .starts_with("export its Used Burst Credits Percentage too")
    );
    assert!(
        unsure
            .summary
            .contains("for 60 min (if its burst credit was used up)"),
        "{}",
        unsure.summary
    );
    let table = |judgement: &MetricsJudgement| {
        use diskcap::report::{Format, RenderOptions, render};
        let text = render(judgement, Format::Table, &RenderOptions::default());
        String::from_utf8(text.unwrap()).unwrap()
    };
    assert!(table(&unsure).contains("3,600 (possibly 60 min)"));
    // Where the credit is known to be gone there is no if; a P30 has none to have left.
    let sure = judged(&[at_100.clone(), credit(100.0)], &d8s_v3(vec![p20()]));
    assert!(
        !found(&sure, FindingId::ThrottledDisk)[0]
            .message
            .contains("if its")
    );
    assert!(table(&sure).contains("3,600 (60 min)"));
    let none = judged(&[at_100], &d8s_v3(vec![p30(1, "log")]));
    assert!(!none.summary.contains("if its"), "{}", none.summary);
}

#[test]
fn with_credit_left_100_percent_is_no_throttling() {
    let metrics = |left: f64| {
        [
            steady(
                "Data Disk IOPS Consumed Percentage",
                Some(1),
                minutes(100.0, 5),
            ),
            steady(
                "Data Disk Used Burst IO Credits Percentage",
                Some(1),
                minutes(left, 1),
            ),
        ]
    };
    let spare = judged(&metrics(40.0), &d8s_v3(vec![p20()]));
    assert_eq!(spare.throttling, Throttling::NotSeen);
    let empty = judged(&metrics(100.0), &d8s_v3(vec![p20()]));
    assert_eq!(empty.throttling, Throttling::Throttled);
    let finding = found(&empty, FindingId::BurstCreditLow)[0];
    assert_eq!(finding.subject, "LUN 1 log");
    assert!(
        finding
            .message
            .starts_with("100 % of the burst credit of LUN 1 log for IOPS was used")
    );
    assert!(found(&spare, FindingId::BurstCreditLow).is_empty());
}

#[test]
fn credit_of_the_vm_goes_by_other_names_in_the_api() {
    let metrics = [
        steady("VM Cached IOPS Consumed Percentage", None, minutes(10.0, 5)),
        steady(
            "VM Local Used Burst IO Credits Percentage",
            None,
            minutes(85.0, 1),
        ),
        steady(
            "VM Uncached IOPS Consumed Percentage",
            None,
            minutes(10.0, 5),
        ),
        steady(
            "VM Uncached Used Burst IO Credits Percentage",
            None,
            minutes(3.0, 1),
        ),
    ];
    let judgement = judged(&metrics, &d8s_v3(vec![]));
    let used: Vec<_> = judgement
        .credits
        .iter()
        .map(|c| (c.subject, c.highest_used))
        .collect();
    assert_eq!(
        used,
        [(Subject::VmCached, 85.0), (Subject::VmUncached, 3.0)]
    );
    assert_eq!(
        found(&judgement, FindingId::BurstCreditLow)[0].severity,
        Severity::Info
    );
}

/// A whole day of minutes for LUN 2 on both axes.
#[test]
fn shares_of_reads_and_writes() {
    let metrics = [
        steady("Data Disk Read Operations/Sec", Some(0), [300.0, 0.0]),
        steady("Data Disk Write Operations/Sec", Some(0), [100.0, 400.0]),
        steady("Data Disk Read Bytes/sec", Some(0), [1e6, 0.0]),
        steady("Data Disk Write Bytes/sec", Some(0), [3e6, 4e6]),
        steady("Data Disk Latency (Preview)", Some(0), [1.5, 9.5]),
        steady("Premium Data Disk Cache Read Hit", Some(0), [80.0, 40.0]),
    ];
    let judgement = judged(&metrics, &d8s_v3(vec![p30(0, "data")]));
    let [used] = judgement.disks.as_slice() else {
        panic!("one disk, not {:?}", judgement.disks);
    };
    // 500 of 800 I/Os, 7 of 8 MB.
    assert_eq!(used.write_share, Some(0.625));
    assert_eq!(used.write_byte_share, Some(0.875));
    assert_eq!(used.peak_iops, Some(400.0));
    assert_eq!(used.peak_mbps, Some(4.0));
    assert_eq!(used.highest_latency_ms, Some(9.5));
    assert_eq!(used.cache_read_hit, Some(60.0));
    // The disk is cached: what the VM asked of it need not have reached it.
    assert_eq!(judgement.throttling, Throttling::Unknown);
    assert!(judgement.ceilings.is_empty());
}

#[test]
fn without_a_percentage_reads_and_writes_tell_where_nothing_is_cached() {
    let disk = DiskLimits {
        caching: Some(HostCaching::None),
        ..p30(0, "data")
    };
    let metrics = [
        steady("Data Disk Read Operations/Sec", Some(0), [3_000.0, 100.0]),
        steady("Data Disk Write Operations/Sec", Some(0), [1_995.0, 100.0]),
    ];
    let judgement = judged(&metrics, &d8s_v3(vec![disk]));
    let used = &judgement.ceilings[0];
    assert!(used.computed);
    // 4,995 of 5,000.
    assert!((used.highest_average.unwrap() - 99.9).abs() < 1e-9);
    assert_eq!(judgement.throttling, Throttling::Throttled);
}

#[test]
fn metrics_of_a_managed_disk_join_those_of_its_vm() {
    let id = "/subscriptions/s1/resourceGroups/RG1/providers/Microsoft.Compute/disks/Data";
    let of_disk = |name: &str, value: f64| {
        json!({ "id": format!("{id}/providers/Microsoft.Insights/metrics/x"), "name": { "value": name },
            "timeseries": [{ "data": [point(0, json!(value), Value::Null)] }] })
    };
    // As the API calls the one and the portal the other.
    let answer = json!({ "interval": "PT1M", "value": [
        of_disk("Composite Disk Read Operations/sec", 4_000.0),
        of_disk("Disk Write Operations/sec", 1_000.0),
        of_disk("DiskPaidBurstIOPS", 7.0),
    ] });
    let metrics = Metrics::read(answer.to_string().as_bytes(), "disk.json").unwrap();
    let disk_id = ResourceId::new(&id.to_lowercase()).unwrap();
    let disk = DiskLimits {
        id: Some(disk_id.clone()),
        ..p30(0, "Data")
    };
    let limits = d8s_v3(vec![disk]);
    let vm = metrics.vm(None, "db1", &limits.disk_ids()).unwrap();
    let judgement = judge(&vm, &limits);
    assert_eq!(judgement.ceilings[0].highest_average, Some(100.0));
    assert_eq!(judgement.disks[0].paid_bursts, Some(7.0));
    assert_eq!(judgement.disks[0].write_share, Some(0.2));
}

#[test]
fn one_name_for_all_data_disks_is_said_to_be_a_mean() {
    let metrics = [steady("Data Disk IOPS Consumed Percentage", None, [42.0])];
    let judgement = judged(&metrics, &d8s_v3(vec![p30(0, "data")]));
    assert_eq!(judgement.ceilings[0].subject, Subject::DataDisks);
    assert!(
        judgement
            .notes
            .iter()
            .any(|n| n.contains("not split by LUN"))
    );
}

#[test]
fn nothing_read_is_nothing_known() {
    let judgement = judged(
        &[steady("OS Disk Queue Depth", None, [1.0])],
        &d8s_v3(vec![]),
    );
    assert_eq!(judgement.throttling, Throttling::Unknown);
    assert!(judgement.summary.starts_with("not known"));
    assert!(judgement.findings.is_empty());
}

#[test]
fn a_judgement_survives_json() {
    let metrics = [steady(
        "VM Cached IOPS Consumed Percentage",
        None,
        minutes(100.0, 3),
    )];
    let judgement = judged(&metrics, &d8s_v3(vec![]));
    let text = serde_json::to_string(&judgement).unwrap();
    let back: MetricsJudgement = serde_json::from_str(&text).unwrap();
    assert_eq!(back, judgement);
}

/// A busy VM, as a person reads it.
fn busy() -> MetricsJudgement {
    let with_peak = |name: &str, averages: Vec<f64>, peak: f64| {
        let points = averages.into_iter().zip(0..);
        let points = points.map(|(v, at)| point(at, json!(v), json!(v.max(peak))));
        metric(name, None, points.collect())
    };
    let cached: Vec<f64> = minutes(40.0, 10)
        .chain(minutes(100.0, 30))
        .chain(minutes(30.0, 20))
        .collect();
    let uncached: Vec<f64> = minutes(30.0, 10)
        .chain(minutes(80.0, 30))
        .chain(minutes(20.0, 20))
        .collect();
    let metrics = [
        with_peak("VM Cached Bandwidth Consumed Percentage", cached, 45.0),
        with_peak("VM Uncached Bandwidth Consumed Percentage", uncached, 45.0),
        steady(
            "Data Disk IOPS Consumed Percentage",
            Some(1),
            minutes(130.0, 2).chain(minutes(100.0, 5)),
        ),
        steady(
            "Data Disk Used Burst IO Credits Percentage",
            Some(1),
            [60.0, 97.0],
        ),
        steady("Data Disk Read Operations/Sec", Some(0), [300.0, 0.0]),
        steady("Data Disk Write Operations/Sec", Some(0), [100.0, 400.0]),
        steady("Data Disk Latency", Some(0), [1.5, 9.5]),
    ];
    judged(&metrics, &d8s_v3(vec![p30(0, "data"), p20()]))
}

/// A D8s_v3 with one disk has three ceilings of two axes: cached where the disk is, uncached, and the disk's own.
#[test]
fn that_nothing_throttled_is_said_of_all_ceilings_only() {
    let of = |name: &str, lun| steady(name, lun, minutes(20.0, 60));
    let uncached = [
        of("VM Uncached IOPS Consumed Percentage", None),
        of("VM Uncached Bandwidth Consumed Percentage", None),
        of("Data Disk IOPS Consumed Percentage", Some(0)),
        of("Data Disk Bandwidth Consumed Percentage", Some(0)),
    ];
    let not_cached = DiskLimits {
        caching: Some(HostCaching::None),
        ..p30(0, "data")
    };
    let all = judged(&uncached, &d8s_v3(vec![not_cached.clone()]));
    assert_eq!(all.throttling, Throttling::None);
    assert!(all.without_metrics.is_empty());
    // A cached disk passes the cached ceiling, too.
    let cached = judged(&uncached, &d8s_v3(vec![p30(0, "data")]));
    assert_eq!(cached.throttling, Throttling::NotSeen);
    assert_eq!(
        cached.without_metrics,
        ["VM cached IOPS", "VM cached bandwidth"]
    );
    let one = judged(&uncached[..1], &d8s_v3(vec![not_cached]));
    assert_eq!(one.throttling, Throttling::NotSeen);
    assert_eq!(
        one.summary,
        "no throttling seen in 60 min at the ceilings that there are metrics of (1 of 4); nearest mean: VM uncached IOPS at 20 %"
    );
    assert!(one.notes.contains(
        &"Of VM uncached bandwidth, LUN 0 data IOPS, LUN 0 data bandwidth there are no metrics: whether these ceilings were \
          reached is not known."
            .to_owned()
    ));
}

/// An OS disk is one disk, and v2 and Ultra cannot be one.
#[test]
fn a_throttled_os_disk_is_advised_what_an_os_disk_can_be() {
    let os = DiskLimits {
        lun: None,
        caching: Some(HostCaching::None),
        ..p30(0, "db1-os")
    };
    let full = [steady(
        "OS Disk IOPS Consumed Percentage",
        None,
        minutes(100.0, 60),
    )];
    let judgement = judged(&full, &d8s_v3(vec![os]));
    let fix = found(&judgement, FindingId::ThrottledDisk)[0].fix.clone();
    assert_eq!(
        fix.as_deref(),
        Some(
            "give it more than 5,000 IOPS: a larger size, or a higher performance tier of Premium SSD; an OS disk is one disk, \
             and none of which IOPS and MB/s are set"
        )
    );
}

#[test]
fn what_people_see() {
    use diskcap::report::{Format, RenderOptions, render};
    let judgement = busy();
    let shown = |format, width| {
        let options = RenderOptions {
            width,
            ..RenderOptions::default()
        };
        String::from_utf8(render(&judgement, format, &options).unwrap()).unwrap()
    };
    insta::assert_snapshot!("metrics_80", shown(Format::Table, Some(80)));
    insta::assert_snapshot!("metrics_wide", shown(Format::Table, Some(200)));
    insta::assert_snapshot!("metrics_markdown", shown(Format::Markdown, None));
}
