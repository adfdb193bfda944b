//! Sizes and disks of your own over the embedded ones: a host that only your company has, and a tier with other limits.
//!
//! `cargo run --example custom_catalogue`

use std::error::Error;

use diskcap::catalog::{Catalog, Ceiling, Dataset, Limits, Overlay, Parts, VmSize};
use diskcap::deployment::{DiskSpec, PlanRequest};
use diskcap::planner::assess;
use diskcap::units::{Iops, MBps};

#[expect(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Box<dyn Error>> {
    let catalog = own_catalogue()?;
    let disks: Result<Vec<DiskSpec>, _> =
        ["data=P30", "log=P30"].iter().map(|d| d.parse()).collect();
    let request = PlanRequest {
        vm: Some("Lab_H8".to_owned()),
        volumes: disks?.into_iter().map(Into::into).collect(),
        ..PlanRequest::default()
    };
    let plan = request.build(&catalog)?;
    let assessment = assess(&catalog, &plan.deployment, &plan.workloads);
    if let Some(workload) = assessment.workloads.first() {
        for volume in &workload.volumes {
            let alone = volume.alone.sustained;
            let together = volume.together.sustained;
            println!(
                "{:5} {:>6} IOPS by itself, {:>6} with the others; stopped by {}",
                volume.volume,
                alone.iops.map_or_else(|| "?".to_owned(), |i| i.to_string()),
                together
                    .iops
                    .map_or_else(|| "?".to_owned(), |i| i.to_string()),
                together.bottleneck
            );
        }
    }
    // Every report says which data it rests on.
    for refreshed in &catalog.info().refreshed {
        let (data, added) = (&refreshed.data, refreshed.added);
        println!("{added} size from {} of {}", data.source, data.date);
    }
    Ok(())
}

/// The embedded data, with P30 disks of 6,000 IOPS, and a size `Lab_H8`.
fn own_catalogue() -> Result<Catalog, Box<dyn Error>> {
    // The files may be replaced as texts: here one cell of one of them.
    let tiers = Parts::EMBEDDED.disk_tiers.replace(
        "premium-ssd,P30,513,1024,5000,",
        "premium-ssd,P30,513,1024,6000,",
    );
    let parts = Parts {
        disk_tiers: &tiers,
        ..Parts::EMBEDDED
    };
    let base = Catalog::from_parts(&parts)?;

    // Sizes may be laid over: one that is alike, with another name and other ceilings. What is unknown stays `None`.
    let like = base.vm("D8s_v5", None)?.clone();
    let own = VmSize {
        name: "Lab_H8".to_owned(),
        series: "Lab".to_owned(),
        uncached: Ceiling {
            base: Limits::new(Iops::whole(10_000), MBps::whole(500)),
            burst: None,
            listed_mbps: None,
        },
        ..like
    };
    Ok(base.overlay(Overlay {
        data: Dataset {
            source: "the lab's own list".to_owned(),
            date: "2026-09-14".to_owned(),
        },
        vms: vec![own],
    }))
}
