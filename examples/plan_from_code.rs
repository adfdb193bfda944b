//! Plans from code: what three disks really do on a small VM.
//!
//! `cargo run --example plan_from_code`

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;

use diskcap::catalog::Catalog;
use diskcap::deployment::{DiskSpec, PlanRequest};
use diskcap::planner::assess;

fn main() -> Result<(), Box<dyn Error>> {
    let catalog = Catalog::embedded();
    let disks = ["v1=P10", "v2=v2:size=130,iops=6000,mbps=250"];
    let disks: Result<Vec<DiskSpec>, _> = disks.iter().map(|text| text.parse()).collect();
    let request = PlanRequest {
        vm: Some("Standard_D2s_v3".to_owned()),
        volumes: disks?.into_iter().map(Into::into).collect(),
        ..PlanRequest::default()
    };
    let plan = request.build(catalog)?;
    let assessment = assess(catalog, &plan.deployment, &plan.workloads);
    for workload in &assessment.workloads {
        println!("{}", workload.title);
        for result in &workload.volumes {
            let (sustained, burst) = (result.alone.sustained, result.alone.burst);
            let shown = |iops: Option<diskcap::units::Iops>| {
                iops.map_or("unknown".into(), |i| i.to_string())
            };
            println!(
                "  {:4} {:>6} IOPS, {:>6} in burst; stopped by {}",
                result.volume,
                shown(sustained.iops),
                shown(burst.iops),
                sustained.bottleneck
            );
        }
    }
    for finding in &assessment.findings {
        println!(
            "{} {} ({}): {}",
            finding.severity, finding.id, finding.subject, finding.message
        );
    }
    Ok(())
}
