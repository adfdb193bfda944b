//! What the tests of workloads over time share.
#![allow(
    dead_code,
    unused_imports,
    reason = "each test binary uses its own part"
)]
#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "mod.rs"]
#[allow(
    clippy::module_inception,
    reason = "shared by test binaries that have it as a module"
)]
mod common;

pub use common::{close, plan, request, result, settings};
use diskcap::catalog::{Axis, Catalog};
use diskcap::deployment::Deployment;
use diskcap::planner::simulate;
use diskcap::planner::timeline::Simulation;
use diskcap::planner::timeline::model::{BucketPlace, BucketRun, VolumeRun, VolumeSegment};
use diskcap::workload::{Io, Schedule, Step};

pub fn deployment(vm: &str, disks: &[&str]) -> Deployment {
    request(vm, disks)
        .build(Catalog::embedded())
        .unwrap()
        .deployment
}

/// Steps from a duration and words for every volume: `("20min", "block=4KiB iops=500")`, or each volume's own words
/// divided by `|`.
pub fn schedule(volumes: usize, steps: &[(&str, &str)]) -> Schedule {
    let step = |(lasts, words): &(&str, &str)| {
        let parts: Vec<&str> = words.split('|').collect();
        let load = |volume: usize| settings(parts[volume.min(parts.len() - 1)]).over(Io::RANDOM_4K);
        Step {
            lasts: lasts.parse().unwrap(),
            loads: (0..volumes).map(load).collect(),
        }
    };
    Schedule::new(steps.iter().map(step).collect(), 1.try_into().unwrap()).unwrap()
}

pub fn run(vm: &str, disks: &[&str], steps: &[(&str, &str)]) -> Simulation {
    let schedule = schedule(disks.len(), steps);
    simulate(Catalog::embedded(), &deployment(vm, disks), &schedule)
}

pub fn bucket<'a>(simulation: &'a Simulation, volume: &str, axis: Axis) -> &'a BucketRun {
    let wanted = |b: &&BucketRun| {
        b.axis == axis
            && match &b.place {
                BucketPlace::Disk { volume: name, .. } => name == volume,
                BucketPlace::Vm { ceiling } => ceiling.name() == volume,
            }
    };
    simulation.buckets.iter().find(wanted).unwrap()
}

pub fn volume<'a>(simulation: &'a Simulation, name: &str) -> &'a VolumeRun {
    simulation.volumes.iter().find(|v| v.name == name).unwrap()
}

/// What the first volume does at `seconds`.
pub fn at(simulation: &Simulation, seconds: f64) -> VolumeSegment {
    let segment = simulation
        .segments
        .iter()
        .find(|s| (s.start..s.end).contains(&seconds));
    segment.unwrap().volumes[0]
}

pub fn iops(part: &VolumeSegment) -> f64 {
    part.served.unwrap().iops.get()
}

pub fn mbps(part: &VolumeSegment) -> f64 {
    part.served.unwrap().mbps.get()
}
