//! A load that changes over time, from code: when is burst credit used up, and what would be enough?
//!
//! `cargo run --example simulate_over_time`

use std::error::Error;
use std::num::NonZeroU32;

use diskcap::catalog::Catalog;
use diskcap::deployment::{DiskSpec, PlanRequest};
use diskcap::planner::simulate;
use diskcap::units::{BlockSize, Iops, Seconds};
use diskcap::workload::{Demand, Io, Schedule, Step};

#[expect(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Box<dyn Error>> {
    let catalog = Catalog::embedded();
    let disk: DiskSpec = "data=P20".parse()?;
    let request = PlanRequest {
        vm: Some("E4ds_v5".to_owned()),
        volumes: vec![disk.into()],
        ..PlanRequest::default()
    };
    let deployment = request.build(catalog)?.deployment;

    // A working hour of 900 IOPS and a batch of 3,500, four times over.
    let step = |seconds, iops| Step {
        lasts: Seconds::whole(seconds),
        loads: vec![Io {
            block_size: BlockSize::KIB_8,
            demand: Demand::Iops(Iops::whole(iops)),
            ..Io::RANDOM_4K
        }],
    };
    let four = NonZeroU32::MIN.saturating_add(3);
    let schedule = Schedule::new(vec![step(3600, 900), step(2400, 3500)], four)?;

    let simulation = simulate(catalog, &deployment, &schedule);
    for segment in &simulation.segments {
        for volume in &segment.volumes {
            let served = volume.served.as_ref().map_or(0.0, |rate| rate.iops.get());
            println!(
                "{:>6.0} s to {:>6.0} s: {served:>5.0} IOPS, stopped by {}",
                segment.start, segment.end, volume.bottleneck
            );
        }
    }
    for finding in &simulation.findings {
        println!("{} {}: {}", finding.severity, finding.id, finding.message);
    }
    Ok(())
}
