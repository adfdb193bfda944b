//! What is paid for and was not used.

use diskcap::azure::metrics::{DiskLimits, Lowering, MetricsJudgement, Throttling};
use diskcap::catalog::azure::premium_v2;
use diskcap::catalog::{Axis, Ceiling, Limits};
use diskcap::deployment::HostCaching;
use diskcap::planner::FindingId;
use serde_json::{Value, json};

use crate::{d8s_v3, found, judged, metric, minutes, p30, point, steady};

fn day(iops: f64, mbps: f64) -> [Value; 2] {
    [
        steady(
            "Data Disk IOPS Consumed Percentage",
            Some(2),
            minutes(iops, 1_440),
        ),
        steady(
            "Data Disk Bandwidth Consumed Percentage",
            Some(2),
            minutes(mbps, 1_440),
        ),
    ]
}

#[test]
fn on_demand_bursting_that_was_not_used() {
    let disk = DiskLimits {
        on_demand: Some(true),
        ceiling: Ceiling {
            burst: Some(Limits::whole(30_000, 1_000)),
            ..p30(2, "wide").ceiling
        },
        ..p30(2, "wide")
    };
    let unused = judged(&day(60.0, 90.0), &d8s_v3(vec![disk.clone()]));
    let finding = found(&unused, FindingId::OnDemandBurstUnused)[0];
    assert_eq!(
        finding.message,
        "on-demand bursting of LUN 2 wide is on and was not used in 24 h: at most 60 % of the provisioned IOPS and 90 % of the \
         bandwidth; its enablement is billed all the same"
    );
    let used = judged(&day(180.0, 90.0), &d8s_v3(vec![disk.clone()]));
    assert!(found(&used, FindingId::OnDemandBurstUnused).is_empty());
    assert_eq!(used.throttling, Throttling::NotSeen);
    // An hour is too short to say so.
    let hour = [
        steady(
            "Data Disk IOPS Consumed Percentage",
            Some(2),
            minutes(5.0, 60),
        ),
        steady(
            "Data Disk Bandwidth Consumed Percentage",
            Some(2),
            minutes(5.0, 60),
        ),
    ];
    let hour = judged(&hour, &d8s_v3(vec![disk]));
    assert!(hour.findings.is_empty(), "{:?}", hour.findings);
}

#[test]
fn what_is_provisioned_far_above_the_peak() {
    let v2 = DiskLimits {
        ceiling: Ceiling {
            base: Limits::whole(20_000, 600),
            ..Ceiling::default()
        },
        lowering: Lowering::Settable(&premium_v2::RULES),
        caching: Some(HostCaching::None),
        ..p30(2, "v2")
    };
    let judgement = judged(&day(30.0, 10.0), &d8s_v3(vec![v2.clone()]));
    let finding = found(&judgement, FindingId::PaidUnused)[0];
    assert_eq!(
        finding.message,
        "LUN 2 v2 was used far below what is paid for in 24 h: at most 30 % of 20,000 IOPS and 10 % of 600 MB/s"
    );
    // 6,000 and 60 with a fifth to spare: 7,200 IOPS; 72 MB/s is below the 125 that cost nothing.
    assert_eq!(
        finding.fix.as_deref(),
        Some(
            "provision 7,200 IOPS and 125 MB/s (`az disk update --disk-iops-read-write 7200 --disk-mbps-read-write 125`) \
             unless another time needs more"
        )
    );
    // Of a shared disk that is the part of one VM: nothing is set by it.
    let shared = DiskLimits {
        is_shared: true,
        ..v2.clone()
    };
    let shared = judged(&day(30.0, 10.0), &d8s_v3(vec![shared]));
    let shared = found(&shared, FindingId::PaidUnused)[0];
    assert!(shared.message.contains("by this VM; it is a shared disk"));
    assert!(shared.fix.iter().all(|fix| !fix.contains("az disk update")));
    // A peak that needs what is provisioned, and free performance that is not used, are no waste.
    let busy = judged(&day(70.0, 10.0), &d8s_v3(vec![v2.clone()]));
    // 10 % of the bandwidth; 125 MB/s are enough.
    assert_eq!(found(&busy, FindingId::PaidUnused)[0].figures.len(), 2);
    let free = DiskLimits {
        ceiling: Ceiling {
            base: Limits::whole(3_000, 125),
            ..Ceiling::default()
        },
        ..v2
    };
    let free = judged(&day(3.0, 1.0), &d8s_v3(vec![free]));
    assert!(found(&free, FindingId::PaidUnused).is_empty());
}

/// A day of means and maxima: of a v2 disk of 12,000 IOPS and 500 MB/s.
fn peaks(reads: [f64; 2], writes: [f64; 2]) -> MetricsJudgement {
    let rate = |name: &str, [mean, most]: [f64; 2], unit: f64| {
        let of_day = (0..1_440).map(|n| point(n, json!(mean * unit), json!(most * unit)));
        metric(name, Some(0), of_day.collect())
    };
    let metrics = [
        rate("Data Disk Read Operations/Sec", reads, 1.0),
        rate("Data Disk Write Operations/Sec", writes, 1.0),
        rate("Data Disk Read Bytes/sec", reads, 40_000.0),
        rate("Data Disk Write Bytes/sec", writes, 40_000.0),
    ];
    let v2 = DiskLimits {
        ceiling: Ceiling {
            base: Limits::whole(12_000, 500),
            ..Ceiling::default()
        },
        lowering: Lowering::Settable(&premium_v2::RULES),
        caching: Some(HostCaching::None),
        ..p30(0, "data")
    };
    judged(&metrics, &d8s_v3(vec![v2]))
}

#[test]
fn maxima_of_reads_and_writes_are_peaks_of_a_disk() {
    // Reads 600 and at most 7,500, writes 300 and at most 4,000: surely 62.5 % of 12,000, perhaps 11,500 (95.8 %).
    let busy = peaks([600.0, 7_500.0], [300.0, 4_000.0]);
    let of_iops = busy.ceilings.iter().find(|c| c.axis == Axis::Iops).unwrap();
    let near = |value: Option<f64>, percent: f64| {
        assert!(
            (value.unwrap() - percent).abs() < 1e-9,
            "{value:?} is not {percent}"
        );
    };
    near(of_iops.highest_average, 7.5);
    near(of_iops.highest_maximum, 62.5);
    near(of_iops.highest_possible, 11_500.0 / 120.0);
    assert!(found(&busy, FindingId::PaidUnused).is_empty());
    assert_eq!(busy.throttling, Throttling::NotSeen);
    assert!(busy.notes.iter().all(|note| !note.contains("not exported")));
    // The peak of a disk is its highest mean.
    assert_eq!(busy.disks[0].peak_iops, Some(900.0));
    // At most 1,200 + 1,200 = 2,400 IOPS are 20 %: 2,880 with a fifth to spare, the least are 3,000. 96 MB/s are 19.2 %.
    let idle = peaks([600.0, 1_200.0], [300.0, 1_200.0]);
    let unused = found(&idle, FindingId::PaidUnused);
    assert_eq!(
        unused[0].message,
        "LUN 0 data was used far below what is paid for in 24 h: at most 20 % of 12,000 IOPS and 19 % of 500 MB/s"
    );
    assert!(
        unused[0]
            .fix
            .as_ref()
            .unwrap()
            .starts_with("provision 3,000 IOPS and 125 MB/s")
    );
}
