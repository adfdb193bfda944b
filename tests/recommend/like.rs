//! A need taken from what is delivered today.

use diskcap::catalog::{Catalog, Interface};
use diskcap::planner::Assessment;
use diskcap::recommend::like::{Deployed, LikeError, Wanted, like};
use diskcap::recommend::recommend;
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
