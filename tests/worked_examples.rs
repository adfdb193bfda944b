//! Published worked examples and a field report, with the answers that their sources give.

mod common;

use common::{close, codes, iops, mbps, plan, plan_with_demands, result};
use diskcap::units::{Iops, MBps};
use diskcap::workload::Demand;

const RANDOM: &str = "cdm-rnd4k-q32t16";
const SEQUENTIAL: &str = "cdm-seq1m-q8t1";
const ONE_AT_A_TIME: &str = "cdm-rnd4k-q1t1";

fn demand(iops: u32) -> Demand {
    Demand::Iops(Iops::whole(iops))
}

fn throughput(mbps: u32) -> Demand {
    Demand::Mbps(MBps::whole(mbps))
}

/// Azure, virtual machine and disk performance: disk-level capping.
#[test]
fn disks_cap_at_500_each() {
    let a = plan_with_demands(
        "Standard_D8s_v3",
        &["os=E30:os,cache=none", "d1=E30", "d2=E30"],
        "block=4KiB",
        &[
            ("os", demand(1000)),
            ("d1", demand(4500)),
            ("d2", demand(4500)),
        ],
    );
    for volume in ["os", "d1", "d2"] {
        let outcome = result(&a, "", volume).together.sustained;
        assert_eq!(iops(&outcome), 500.0);
        assert_eq!(outcome.bottleneck.to_string(), "disk IOPS");
    }
    assert_eq!(a.workloads[0].total.sustained.iops, Some(1500.0));
}

/// Azure, virtual machine and disk performance: VM-level capping.
#[test]
fn a_vm_caps_three_disks_at_12_800() {
    let a = plan_with_demands(
        "Standard_D8s_v3",
        &["os=P30:os,cache=none", "d1=P30", "d2=P30"],
        "block=4KiB",
        &[
            ("os", demand(5000)),
            ("d1", demand(5000)),
            ("d2", demand(5000)),
        ],
    );
    for volume in ["os", "d1", "d2"] {
        let outcome = result(&a, "", volume).together.sustained;
        close(iops(&outcome), 12_800.0 / 3.0, 1e-6);
        assert_eq!(outcome.bottleneck.to_string(), "VM uncached IOPS");
    }
    close(a.workloads[0].total.sustained.iops.unwrap(), 12_800.0, 1e-6);
    assert!(codes(&a).contains(&"VM-UNCACHED-IOPS"));
}

/// Azure, virtual machine and disk performance: a P30 on Standard_D2s_v3, uncached and cached.
#[test]
fn a_p30_on_a_small_vm() {
    let a = plan("Standard_D2s_v3", &["d1=P30"], "block=4KiB");
    assert_eq!(iops(&result(&a, "", "d1").alone.sustained), 3200.0);
    let warm = plan("Standard_D2s_v3", &["d1=P30:cache=ro"], "block=4KiB hit=1");
    assert_eq!(iops(&result(&warm, "", "d1").alone.sustained), 4000.0);
    let large = plan("Standard_D2s_v3", &["d1=P30:cache=ro"], "block=1MiB hit=1");
    close(
        mbps(&result(&large, "", "d1").alone.sustained),
        32.768,
        1e-9,
    );
}

/// Azure, virtual machine and disk performance: cached limit.
#[test]
fn three_cached_disks_meet_16_000() {
    let a = plan_with_demands(
        "Standard_D8s_v3",
        &["os=P30:os,cache=rw", "d1=P30:cache=rw", "d2=P30:cache=rw"],
        "block=4KiB hit=1 read=1",
        &[
            ("os", demand(5400)),
            ("d1", demand(5300)),
            ("d2", demand(5300)),
        ],
    );
    close(a.workloads[0].total.sustained.iops.unwrap(), 16_000.0, 1e-6);
}

/// Azure, virtual machine and disk performance: cached and uncached limits add up.
#[test]
fn cached_and_uncached_traffic_add_up_to_25_000() {
    let names = ["os", "d1", "d2", "d3", "d4"];
    let a = plan_with_demands(
        "Standard_D8s_v3",
        &[
            "os=P30:os,cache=rw",
            "d1=P30:cache=rw",
            "d2=P30:cache=rw",
            "d3=P30",
            "d4=P30",
        ],
        "block=4KiB hit=1 read=1",
        &names.map(|n| (n, demand(5000))),
    );
    let view = &a.workloads[0];
    close(view.total.sustained.iops.unwrap(), 25_000.0, 1e-6);
    let used = |ceiling: &str| {
        let row = view
            .ceilings
            .iter()
            .find(|c| c.ceiling.name() == ceiling && c.axis.to_string() == "IOPS");
        row.unwrap().used.sustained.unwrap()
    };
    close(used("cached"), 15_000.0, 1e-6);
    close(used("uncached"), 10_000.0, 1e-6);
    for volume in names {
        let bottleneck = result(&a, "", volume).together.sustained.bottleneck;
        assert_eq!(bottleneck.to_string(), "none (demand met)");
    }
}

/// Azure, managed disk bursting: burstable VM with non-burstable disks.
#[test]
fn a_bursting_vm_lets_three_p50_have_600() {
    let a = plan_with_demands(
        "Standard_L8s_v2",
        &["os=P50:os,cache=none", "d1=P50", "d2=P50"],
        "block=256KiB",
        &["os", "d1", "d2"].map(|n| (n, throughput(200))),
    );
    let total = a.workloads[0].total;
    close(total.burst.mbps.unwrap(), 600.0, 1e-6);
    close(total.sustained.mbps.unwrap(), 167.772_16, 1e-6);
    let uncached = a.vm.as_ref().unwrap().uncached;
    assert_eq!(uncached.burst.unwrap().mbps, Some(MBps::whole(1280)));
    assert_eq!(uncached.listed_mbps, Some(MBps::whole(160)));
}

/// Azure, managed disk bursting: burstable VM with burstable disks.
#[test]
fn bursting_p4_on_a_bursting_vm() {
    let a = plan_with_demands(
        "Standard_L8s_v2",
        &["os=P4:os,cache=none", "d1=P4", "d2=P4"],
        "block=256KiB",
        &[
            ("os", throughput(20)),
            ("d1", throughput(170)),
            ("d2", throughput(170)),
        ],
    );
    for (volume, burst, sustained) in [("os", 20.0, 20.0), ("d1", 170.0, 25.0), ("d2", 170.0, 25.0)]
    {
        let got = result(&a, "", volume).together;
        close(mbps(&got.burst), burst, 1e-6);
        close(mbps(&got.sustained), sustained, 1e-6);
    }
    let total = a.workloads[0].total;
    close(total.burst.mbps.unwrap(), 360.0, 1e-6);
    close(total.sustained.mbps.unwrap(), 70.0, 1e-6);
}

/// Azure, premium storage performance: the nature of I/O requests, with KB and MB as powers of ten.
#[test]
fn block_size_decides_which_limit_binds() {
    for (block, expected_iops, expected_mbps) in [
        (8_000, 5000.0, 40.0),
        (1_000_000, 200.0, 200.0),
        (64_000, 3125.0, 200.0),
        (32_000, 5000.0, 160.0),
    ] {
        let a = plan("", &["d=P30"], &format!("block={block}B"));
        let got = result(&a, "", "d").alone.sustained;
        close(iops(&got), expected_iops, 1e-6);
        close(mbps(&got), expected_mbps, 1e-6);
    }
}

/// Field report: Premium SSD v1 and v2 on Standard_D2s_v3, East US, December 2022, each disk measured alone.
#[test]
fn field_report_of_v1_and_v2_on_a_d2s_v3() {
    let a = plan(
        "Standard_D2s_v3",
        &[
            "v1=P10",
            "v2base=v2:size=129,iops=3000,mbps=125",
            "v2double=v2:size=130,iops=6000,mbps=250",
        ],
        "",
    );
    let burst = |v| {
        let random = result(&a, RANDOM, v).alone.burst;
        let sequential = result(&a, SEQUENTIAL, v).alone.burst;
        (random, sequential)
    };
    for (volume, burst_iops, burst_mbps, sustained_iops, sustained_mbps) in [
        ("v1", 3500.0, 170.0, 500.0, 48.0),
        ("v2base", 3000.0, 125.0, 3000.0, 48.0),
        ("v2double", 4000.0, 200.0, 3200.0, 48.0),
    ] {
        close(iops(&burst(volume).0), burst_iops, 1e-6);
        close(mbps(&burst(volume).1), burst_mbps, 1e-6);
        close(
            iops(&result(&a, RANDOM, volume).alone.sustained),
            sustained_iops,
            1e-6,
        );
        close(
            mbps(&result(&a, SEQUENTIAL, volume).alone.sustained),
            sustained_mbps,
            1e-6,
        );
    }
    assert_eq!(burst("v1").0.bottleneck.to_string(), "disk IOPS (burst)");
    assert_eq!(burst("v2base").0.bottleneck.to_string(), "disk IOPS");
    assert_eq!(
        burst("v2double").0.bottleneck.to_string(),
        "VM uncached IOPS (burst)"
    );

    let double = &a.volumes[2];
    assert_eq!(double.unusable_burst.iops, Some(Iops::whole(2000)));
    assert_eq!(double.unusable_burst.mbps, Some(MBps::whole(50)));

    let ceiling = |index: usize| a.volumes[index].queue_depth_1.unwrap().ceiling_iops.get();
    assert_eq!(ceiling(0), 1000.0);
    close(ceiling(1), 1538.0, 0.5);
    close(
        iops(&result(&a, ONE_AT_A_TIME, "v2double").alone.sustained),
        1538.0,
        0.5,
    );

    // One I/O at a time and all at once: v1 has risen to 1 / 1 ms and stops. The others share the 3,000 that are left
    // of the VM's burst, which is less than 1 / 0.65 ms each.
    let at_once = |volume| result(&a, ONE_AT_A_TIME, volume).together.burst;
    close(iops(&at_once("v1")), 1000.0, 1e-6);
    assert_eq!(at_once("v1").bottleneck.to_string(), "queue depth");
    for volume in ["v2base", "v2double"] {
        close(iops(&at_once(volume)), 1500.0, 1e-6);
        assert_eq!(
            at_once(volume).bottleneck.to_string(),
            "VM uncached IOPS (burst)"
        );
    }

    for expected in [
        "VM-UNCACHED-IOPS",
        "VM-UNCACHED-MBPS",
        "BURST-ONLY",
        "VM-BURST-ONLY",
    ] {
        assert!(
            codes(&a).contains(&expected),
            "{expected} is missing: {:?}",
            codes(&a)
        );
    }
    let lasting = a
        .findings
        .iter()
        .find(|f| f.id.code() == "VM-BURST-ONLY" && f.subject == "v2double")
        .unwrap();
    assert!(lasting.message.contains("30 min"), "{}", lasting.message);
}

/// The same three disks at once, worked by hand from equal weights: in burst v1 takes room from its neighbours.
#[test]
fn field_report_all_at_once() {
    let a = plan(
        "Standard_D2s_v3",
        &[
            "v1=P10",
            "v2base=v2:size=129,iops=3000,mbps=125",
            "v2double=v2:size=130,iops=6000,mbps=250",
        ],
        "",
    );
    for (volume, sustained_iops) in [("v1", 500.0), ("v2base", 1350.0), ("v2double", 1350.0)] {
        let random = result(&a, RANDOM, volume).together;
        let sequential = result(&a, SEQUENTIAL, volume).together;
        close(iops(&random.sustained), sustained_iops, 1e-6);
        close(mbps(&sequential.sustained), 16.0, 1e-6);
        close(iops(&random.burst), 4000.0 / 3.0, 1e-6);
        close(mbps(&sequential.burst), 200.0 / 3.0, 1e-6);
    }
    // 1,333 in burst is less than 1,350 sustained: the neighbours of v1 are robbed.
    assert!(codes(&a).contains(&"NEIGHBOUR-BURST"));
}

/// The temp disk of the field report: 4,000 random reads, 250 us one at a time.
#[test]
fn the_temp_disk_sits_behind_the_cached_ceiling() {
    let a = plan("Standard_D2s_v3", &["temp"], "");
    assert_eq!(iops(&result(&a, RANDOM, "temp").alone.sustained), 4000.0);
    close(
        mbps(&result(&a, SEQUENTIAL, "temp").alone.sustained),
        32.768,
        1e-9,
    );
    assert_eq!(
        a.volumes[0].queue_depth_1.unwrap().ceiling_iops,
        Iops::whole(4000)
    );
}

/// Public report, 2020: ReadOnly caching held a Standard_D8s_v3 to 128 MB/s (131.072 exactly), None gives 192.
#[test]
fn caching_lowers_throughput() {
    let a = plan("Standard_D8s_v3", &["os=P30:os,cache=ro"], "");
    close(
        mbps(&result(&a, SEQUENTIAL, "os").alone.sustained),
        131.072,
        1e-9,
    );
    let cache = result(&a, SEQUENTIAL, "os").cache.unwrap();
    close(mbps(&cache.uncached), 192.0, 1e-9);
    assert!(codes(&a).contains(&"CACHE-LOWERS-THROUGHPUT"));
    let uncached = plan("Standard_D8s_v3", &["os=P30:os,cache=none"], "");
    close(
        mbps(&result(&uncached, SEQUENTIAL, "os").alone.sustained),
        192.0,
        1e-9,
    );
}

/// Worked by hand from the path table: each read uses 1 cached, 0.5 disk, 0.5 uncached: 5,000 / 0.5.
#[test]
fn half_of_the_reads_hit() {
    let a = plan(
        "Standard_D8s_v3",
        &["d1=P30:cache=ro"],
        "block=4KiB read=1 hit=0.5",
    );
    let got = result(&a, "", "d1").alone.sustained;
    close(iops(&got), 10_000.0, 1e-6);
    assert_eq!(got.bottleneck.to_string(), "disk IOPS");
}

/// Worked by hand: 0.7 x 0.2 + 0.3 = 0.44 of the I/Os reach the disk: 5,000 / 0.44.
#[test]
fn mixed_reads_and_writes_through_a_read_cache() {
    let a = plan(
        "Standard_D8s_v3",
        &["d1=P30:cache=ro"],
        "block=4KiB read=0.7 hit=0.8",
    );
    let got = result(&a, "", "d1").alone.sustained;
    close(iops(&got), 5000.0 / 0.44, 1e-6);
    assert_eq!(got.bottleneck.to_string(), "disk IOPS");
}

/// Little's law: a P30 at 1 ms gives 4,000 of its 5,000 IOPS at queue depth 4; a stripe of four needs 20 to reach
/// 20,000, and the D8s_v3 stops it at 12,800.
#[test]
fn queue_depth_bounds_a_disk_and_a_stripe() {
    let a = plan("Standard_D8s_v3", &["d1=P30"], "block=4KiB depth=4");
    let got = result(&a, "", "d1").alone.sustained;
    close(iops(&got), 4000.0, 1e-6);
    assert_eq!(got.bottleneck.to_string(), "queue depth");
    assert!(codes(&a).contains(&"QUEUE-DEPTH"));

    let a = plan("Standard_D8s_v3", &["s=4xP30"], "block=4KiB depth=20");
    let got = result(&a, "", "s").alone.sustained;
    close(iops(&got), 12_800.0, 1e-6);
    assert_eq!(got.bottleneck.to_string(), "VM uncached IOPS");
    assert_eq!(a.volumes[0].queue_depth_to_saturate, Some(20.0));
    let alone = plan("", &["s=4xP30"], "block=4KiB depth=20");
    close(
        iops(&result(&alone, "", "s").alone.sustained),
        20_000.0,
        1e-6,
    );
}

/// A P30 (5,000 IOPS) written to through a ReadWrite cache on Standard_D8s_v3: the cache takes 16,000 IOPS for a while.
#[test]
fn what_a_cache_absorbs_does_not_last() {
    let findings = |words| {
        let a = plan("Standard_D8s_v3", &["d=P30:cache=rw"], words);
        let found = a
            .findings
            .into_iter()
            .find(|f| f.id.code() == "CACHE-BURST");
        found.map(|f| f.message)
    };
    let told = findings("block=4KiB read=0").unwrap();
    assert!(told.ends_with("16,000 IOPS, then 5,000"), "{told}");
    // Reads that miss are as fast with an empty cache as with a full one.
    assert_eq!(findings("block=4KiB read=1"), None);
}
