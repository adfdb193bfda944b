//! A need taken from what is delivered today.

use diskcap::catalog::{Catalog, Interface};
use diskcap::planner::Assessment;
use diskcap::recommend::like::{Deployed, LikeError, Wanted, like};
use diskcap::recommend::model::{LimitedPlace, Recommendation};
use diskcap::recommend::{Need, SizeNeed, VolumeNeed, recommend};
use diskcap::units::{BlockSize, GiB, Iops, MBps, Share};

use crate::common::plan;
use crate::fixtures::close;
use crate::market::{book, market, of_series};

/// A P30 (1,024 GiB, 5,000 IOPS, 200 MB/s) on a D2s_v3 is let through 3,200 IOPS and 48 MB/s of it, sustained.
fn d2s_v3_with_a_p30() -> Assessment {
    plan("Standard_D2s_v3", &["data=P30"], "")
}

#[test]
fn like_wants_what_is_delivered_today() {
    let catalog = Catalog::embedded();
    let today = d2s_v3_with_a_p30();
    let (need, like) = like(catalog, &today, "db1", Wanted::Delivered).unwrap();
    let volume = &need.volumes[0];
    assert_eq!(
        (volume.name.as_str(), volume.capacity_gib),
        ("data", GiB::whole(1024))
    );
    assert_eq!(volume.iops, Some(Iops::whole(3200)));
    assert_eq!(volume.mbps, Some(MBps::whole(48)));
    assert_eq!(need.size.vcpus.min, Some(2));
    assert_eq!(need.size.memory_gib.min, Some(GiB::whole(8)));
    assert_eq!(need.size.arch.as_deref(), Some("x64"));
    assert_eq!(
        (like.size.as_deref(), like.month),
        (Some("Standard_D2s_v3"), None)
    );
    // Two Premium SSD v2 of 512 GiB have 3,000 IOPS each for nothing: 1,024 x 0.073 = 74.752 a month, the P30 140.
    let book = book();
    let found = recommend(&market(&book), &of_series(need, "Dsv3"), 1).unwrap();
    assert_eq!(found.best[0].size, "Standard_D2s_v3");
    close(found.best[0].disks_month.amount, 74.752);
}

#[test]
fn like_without_caps_wants_what_is_provisioned() {
    let catalog = Catalog::embedded();
    let today = d2s_v3_with_a_p30();
    let (need, _) = like(catalog, &today, "db1", Wanted::Provisioned).unwrap();
    assert_eq!(need.volumes[0].iops, Some(Iops::whole(5000)));
    assert_eq!(need.volumes[0].mbps, Some(MBps::whole(200)));
    // D8s_v3 lets 192 MB/s through, D16s_v3 384.
    let book = book();
    let found = recommend(&market(&book), &of_series(need, "Dsv3"), 1).unwrap();
    assert_eq!(found.best[0].size, "Standard_D16s_v3");
}

#[test]
fn like_under_one_workload_keeps_its_io() {
    // 64 KiB: 200,000,000 / 65,536 = 3,051.8 I/Os a second are what the P30 can do.
    let catalog = Catalog::embedded();
    let today = plan(
        "Standard_D8s_v3",
        &["data=P30", "os=P10:os"],
        "block=64KiB read=70%",
    );
    let (need, like) = like(catalog, &today, "db1", Wanted::Provisioned).unwrap();
    let volume = &need.volumes[0];
    assert_eq!(volume.iops, Some(Iops::whole(3051)));
    assert_eq!(
        (volume.mbps, volume.block_size),
        (None, Some(BlockSize::kib(64)))
    );
    assert_eq!(volume.read_share, Share::percent(70));
    assert_eq!(like.left, ["os"]);
}

#[test]
fn like_says_what_is_not_known() {
    let catalog = Catalog::embedded();
    let of = |disks: &[&str]| {
        let today = plan("Standard_D8s_v3", disks, "");
        like(catalog, &today, "db1", Wanted::Delivered).unwrap_err()
    };
    assert!(matches!(
        of(&["d=custom:iops=500,mbps=50"]),
        LikeError::NoCapacity { .. }
    ));
    assert!(matches!(
        of(&["d=custom:size=100,iops=500"]),
        LikeError::NotKnown { .. }
    ));
    assert!(matches!(of(&["os=P10:os"]), LikeError::NoVolume { .. }));
}

#[test]
fn like_without_caps_counts_cache_hits_and_queue_depth() {
    let catalog = Catalog::embedded();
    let of = |disk: &str, words: &str| {
        let today = plan("Standard_E8ds_v5", &[disk], words);
        let (need, like) = like(catalog, &today, "db1", Wanted::Provisioned).unwrap();
        (
            need.volumes[0].iops.unwrap().get(),
            like.volumes[0].queue_bound,
        )
    };
    // Four reads in ten reach the disk: 5,000 / 0.4.
    assert_eq!(
        of("d=P30:cache=ro", "block=4KiB hit=0.6"),
        (12_500.0, false)
    );
    // One at a time: 1 / 650 us = 1,538.5, whatever is provisioned.
    assert_eq!(
        of("d=v2:size=256,iops=6000,mbps=250", "block=4KiB depth=1"),
        (1538.0, true)
    );
}

/// What the best answer of a series has not, in words.
fn lost(vm: &str, disk: &str, deployed: Deployed, series: &str) -> Vec<String> {
    let catalog = Catalog::embedded();
    let today = plan(vm, &[disk], "");
    let (need, mut like) = like(catalog, &today, "db1", Wanted::Delivered).unwrap();
    like.heed(deployed);
    let book = book();
    let found = recommend(&market(&book), &of_series(need, series), 1).unwrap();
    like.compare(catalog, &found.best[0]);
    like.lost
}

#[test]
fn like_says_what_the_disks_of_the_answer_lack() {
    let shared = lost(
        "Standard_D2s_v3",
        "data=P30:shares=2",
        Deployed::default(),
        "Dsv3",
    );
    assert!(
        shared
            .iter()
            .any(|l| l.starts_with("data is on a disk that 2 VMs may attach at once")),
        "{shared:?}"
    );
    let accelerated = Deployed {
        accelerated: vec!["data".to_owned()],
        ..Deployed::default()
    };
    let d = lost("Standard_D2s_v3", "data=P30", accelerated, "Dsv3");
    assert_eq!(
        d,
        ["data has Write Accelerator today, which Standard_D2s_v3 has not: only M-series sizes do"]
    );
    assert!(lost("Standard_D2s_v3", "data=P30", Deployed::default(), "Dsv3").is_empty());
    // No figure of Ultra is published.
    let ultra = lost(
        "Standard_D2s_v3",
        "data=ultra:size=256,iops=3000,mbps=48",
        Deployed::default(),
        "Dsv3",
    );
    assert_eq!(
        ultra,
        ["data moves from Ultra Disk to Premium SSD v2: how its latency compares is not known"]
    );
}

#[test]
fn like_says_when_the_image_needs_another_driver() {
    let on = |controller: Interface| {
        let catalog = Catalog::embedded();
        let today = plan("Standard_D2s_v3", &["data=P30"], "");
        let (need, mut like) = like(catalog, &today, "db1", Wanted::Delivered).unwrap();
        let book = book();
        let mut found = recommend(&market(&book), &of_series(need, "Dsv3"), 1).unwrap();
        // Sizes of version 6 have NVMe only.
        found.best[0].size = "Standard_D2s_v6".to_owned();
        like.heed(Deployed {
            controller: Some(controller),
            ..Deployed::default()
        });
        like.compare(catalog, &found.best[0]);
        like.lost
            .into_iter()
            .filter(|l| l.contains("driver"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        on(Interface::Scsi),
        ["Standard_D2s_v6 runs with NVMe, db1 with SCSI: its image needs the driver for NVMe"]
    );
    assert!(on(Interface::Nvme).is_empty());
}

/// On D4s_v3 (6,400 IOPS, 96 MB/s) a P20 (2,300, 150) and an OS disk like it have 2,300 IOPS and 48 MB/s each.
#[test]
fn the_os_disk_takes_its_part_of_the_ceilings() {
    let catalog = Catalog::embedded();
    let today = plan("Standard_D4s_v3", &["data=P20", "os=P20:os,cache=none"], "");
    let (mut need, like) = like(catalog, &today, "db1", Wanted::Delivered).unwrap();
    let pair = |of: &VolumeNeed| (of.iops, of.mbps);
    let each = (Some(Iops::whole(2300)), Some(MBps::whole(48)));
    assert_eq!(pair(&need.volumes[0]), each);
    assert_eq!(pair(&need.kept[0].load), each);
    assert_eq!(like.left, ["os"]);
    need.size.vcpus.min = None;
    need.size.memory_gib.min = None;
    let book = book();
    let of = |need: &Need| {
        let found = recommend(&market(&book), &of_series(need.clone(), "Dsv3"), 1).unwrap();
        found.best[0].clone()
    };
    // 4,600 IOPS and 96 MB/s at once: D2s_v3 lets 3,200 and 48 through.
    let best = of(&need);
    assert_eq!(best.size, "Standard_D4s_v3");
    let uncached = |best: &Recommendation| {
        let limits = best.limits.iter();
        let limits = limits.filter(|limit| limit.place == LimitedPlace::Uncached);
        limits
            .map(|limit| (limit.capacity, limit.used))
            .collect::<Vec<_>>()
    };
    assert_eq!(uncached(&best), [(6400.0, 4600.0), (96.0, 96.0)]);
    // Its own limits and its price are no part of the answer.
    assert!(
        best.limits
            .iter()
            .all(|limit| limit.place.to_string() != "each disk of os")
    );
    assert_eq!(best.volumes.len(), 1);
    need.kept.clear();
    assert_eq!(of(&need).size, "Standard_D2s_v3");
}

#[test]
fn an_os_disk_that_is_kept_needs_what_its_family_needs() {
    let catalog = Catalog::embedded();
    let today = plan("Standard_D4s_v3", &["data=E10", "os=P10:os"], "");
    let (mut need, _) = like(catalog, &today, "db1", Wanted::Delivered).unwrap();
    need.size = SizeNeed::default();
    let book = book();
    // Sizes of Dv3 take no premium disks.
    let of = |need: &Need| recommend(&market(&book), &of_series(need.clone(), "Dv3"), 1).unwrap();
    assert!(of(&need).best.is_empty());
    need.put_over(vec![VolumeNeed::new("OS", GiB::whole(64))]);
    assert!(need.kept.is_empty());
    need.volumes.pop();
    assert_eq!(of(&need).best.len(), 1);
}

#[test]
fn a_vm_in_no_zone_is_told_of_disks_for_zones() {
    let in_region = |region: &str| Deployed {
        region: Some(region.to_owned()),
        in_no_zone: true,
        ..Deployed::default()
    };
    let of = |disk: &str, deployed: Deployed| {
        let lost = lost("Standard_D2s_v3", disk, deployed, "Dsv3");
        let zonal = lost.into_iter().filter(|lost| lost.contains("zone"));
        zonal.collect::<Vec<_>>()
    };
    // Premium SSD v2 in place of a P30. East US has zones 1, 2 and 3, West US has none.
    assert_eq!(
        of("data=P30", in_region("eastus")),
        [
            "db1 is in no zone, and most regions with zones, as eastus is one, attach Premium SSD v2 only to VMs in a zone, \
          which it gets when it is made: see that the region attaches them to a VM without, or make the VM anew in a zone"
        ]
    );
    assert!(of("data=P30", in_region("westus")).is_empty());
    let zonal = Deployed {
        in_no_zone: false,
        ..in_region("eastus")
    };
    assert!(of("data=P30", zonal).is_empty());
    // Who has such a disk knows that the region attaches it.
    let v2 = "data=v2:size=1024,iops=4000,mbps=125";
    assert!(of(v2, in_region("eastus")).is_empty());
}

#[test]
fn a_cache_that_is_given_up_is_told() {
    // D2s_v3: 4,000 IOPS and 32 MB/s cached (32.768 by ARM). Two v2 disks in its place.
    let lost = lost(
        "Standard_D2s_v3",
        "data=P30:cache=ro",
        Deployed::default(),
        "Dsv3",
    );
    let told = lost.iter().find(|lost| lost.contains("cached by the host"));
    let told = told.expect("the cache is not in the answer");
    assert!(
        told.starts_with("data is cached by the host today (ReadOnly)"),
        "{told}"
    );
    assert!(
        told.contains("4,000 IOPS and 32.8 MB/s of the VM"),
        "{told}"
    );
}
