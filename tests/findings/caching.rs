//! Host caching and its hits.

use crate::common::{codes, plan, result};
use crate::finding;
use diskcap::planner::Severity;

/// Two P30 have 10,000 IOPS and 400 MB/s; what hits is bound by the 16,000 cached IOPS of a D8s_v3 alone.
#[test]
fn a_cached_ceiling_that_hits_fill_is_told() {
    let words = "block=8KiB read=1 hit=1";
    let a = plan("Standard_D8s_v3", &["data=2xP30:cache=ro"], words);
    let found = finding(&a, "VM-CACHED-IOPS", "Standard_D8s_v3");
    assert_eq!(found.severity, Severity::Info);
    assert!(
        found
            .message
            .contains("every read of data hits the host cache")
            && found.message.contains("16,000 IOPS on Standard_D8s_v3"),
        "{}",
        found.message
    );
    let fix = found.fix.as_deref().unwrap();
    assert!(
        fix.contains("Standard_D16s_v3 (32,000 cached IOPS)"),
        "{fix}"
    );
    // Half of it misses: the disk bound it, and no hit is blamed.
    let misses = plan(
        "Standard_D8s_v3",
        &["data=P30:cache=ro"],
        "block=8KiB read=1 hit=0.5",
    );
    assert!(!codes(&misses).contains(&"VM-CACHED-IOPS"));
}

/// Hits are stated for all volumes: where one is cached they are meant for it; where none is they change nothing.
#[test]
fn hits_without_a_cache_are_pointed_out() {
    let alone = plan("Standard_D16s_v5", &["P30"], "hit=0.8");
    let found = finding(&alone, "HIT-SHARE-UNUSED", "P30");
    assert!(
        found
            .message
            .starts_with("80 % cache hits are stated, but it"),
        "{}",
        found.message
    );
    let both = plan("Standard_D16s_v5", &["data=P30", "log=P20"], "hit=0.8");
    let found = finding(&both, "HIT-SHARE-UNUSED", "Standard_D16s_v5");
    assert!(found.message.contains("data, log"), "{}", found.message);
    for (disks, words) in [
        (["data=P30:cache=ro", "log=P20"], "hit=0.8"),
        (["data=P30", "log=P20"], ""),
    ] {
        let a = plan("Standard_D16s_v5", &disks, words);
        assert!(
            !codes(&a).contains(&"HIT-SHARE-UNUSED"),
            "{disks:?} {words}"
        );
    }
}

/// Reads that a warm cache answers pass nothing that is known without a VM: what a queue depth makes of the cache's
/// latency is no figure of a machine.
#[test]
fn a_warm_cache_without_a_vm_is_unknown() {
    for words in ["", "block=4KiB depth=32"] {
        let a = plan("", &["P30:cache=ro"], words);
        for workload in &a.workloads {
            let cache = workload.volumes[0].cache.unwrap();
            assert_eq!((cache.warm.iops, cache.warm.at_most), (None, true));
            assert!(cache.cold.iops.is_some());
        }
    }
}

/// Four P30 have 20,000 IOPS and 800 MB/s; E8ds_v5 lets 12,800 through uncached, 500 MB/s cached. Of 100 I/Os of OLTP 30
/// write and 28 miss with 60 % hits: 58 pass the uncached ceiling, 12,800 / 0.58 = 22,069 with the cache, 12,800 without.
/// Nobody is told to take off what gives so much. Without hits there is nothing to lose.
#[test]
fn a_cache_that_gives_more_stays_on() {
    let fix = |words: &str| {
        let a = plan("E8ds_v5", &["data=4xP30:cache=ro"], words);
        let iops = result(&a, "", "data").alone.sustained.iops.unwrap().get();
        let fix = finding(&a, "UNUSABLE", "data").fix.clone().unwrap();
        (iops.round(), fix)
    };
    let (iops, told) = fix("block=8KiB read=0.7 hit=0.6 depth=32");
    assert_eq!(iops, 22_069.0);
    assert!(!told.contains("cache=none"), "{told}");
    let (iops, told) = fix("block=8KiB read=0.7 hit=0 depth=32");
    assert_eq!(iops, 12_800.0);
    assert!(told.contains("cache=none"), "{told}");
}

/// By documentation a disk that mostly writes has no cache: more than half of its I/Os, by the workload that is named.
#[test]
fn a_cached_volume_that_mostly_writes_is_told() {
    let on = |disk: &str, words: &str| plan("E16ds_v5", &[disk], words);
    let code = "WRITE-HEAVY-CACHE";
    let a = on("log=P30:cache=ro", "block=64KiB read=0");
    let found = finding(&a, code, "log");
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "host caching ReadOnly with 100 % writes: the cache answers none of them; each counts against the VM's cached \
         ceiling besides"
    );
    assert_eq!(found.fix.as_deref(), Some("set cache=none"));
    for (disk, words) in [
        ("log=P30:cache=ro", ""),
        ("log=P30:cache=ro", "read=0.5"),
        ("log=P30", "read=0"),
        ("log=P30:os", "read=0"),
    ] {
        let found = codes(&on(disk, words));
        assert!(!found.contains(&code), "{disk} {words}");
    }
}

/// A P20 has 2,300 IOPS and 3,500 in burst: 4,000 take a P30. Nine of ten write, so that a cache answers nearly none: what
/// is named in its place has none. A volume that mostly reads and is cached for writes is advised ReadOnly.
#[test]
fn a_fix_has_no_caching_that_another_finding_warns_of() {
    let fix = |disk: &str, read: &str| {
        let words = format!("block=4KiB read={read} iops=4000");
        let a = plan("D16s_v5", &[disk], &words);
        finding(&a, "DEMAND-UNMET", "d").fix.clone().unwrap()
    };
    assert!(fix("d=P20:cache=rw", "0.1").starts_with(
        "take P30 or v2:size=512,iops=4000,mbps=125 (uncached, as WRITE-HEAVY-CACHE advises)"
    ));
    assert_eq!(
        fix("d=P20:cache=rw", "0.9"),
        "take P30:cache=ro (ReadOnly, as RW-CACHE-DATA advises)"
    );
    assert_eq!(fix("d=P20:cache=ro", "0.9"), "take P30:cache=ro");
}

/// Alone a volume has the whole ceiling of the VM, beside another half of it; each finding says which it speaks of.
#[test]
fn what_holds_by_itself_and_what_beside_the_others_is_said() {
    let two = ["a=P30", "b=P30"];
    let a = plan("Standard_D2s_v3", &two, "iops=3500");
    let alone = &finding(&a, "VM-BURST-ONLY", "a").message;
    assert!(
        alone.starts_with("by itself, only from credit: 3,500 IOPS for"),
        "{alone}"
    );
    let unmet = &finding(&a, "DEMAND-UNMET", "a").message;
    assert!(
        unmet.starts_with("3,500 IOPS asked, 1,600 sustained with all volumes at work (46 %)"),
        "{unmet}"
    );
    let one = plan("Standard_D2s_v3", &two[..1], "iops=3500");
    let alone = &finding(&one, "VM-BURST-ONLY", "a").message;
    assert!(alone.starts_with("only from credit"), "{alone}");
}
