//! Workloads over time: burst credit spent and earned, volumes throttled, I/O delayed and worked off.
//!
//! [`simulate`] runs a [`Schedule`] through a deployment, exactly: between two events every rate is constant, and the
//! next event (a bucket empty or full, a backlog worked off, a step's end) is computed, not sampled.
//!
//! * **Credit.** Every limit that bursts from credit has a bucket of (burst − base) × 1,800 s, apart for IOPS and MB/s,
//!   for each disk and for each ceiling of the VM. It drains by (use − base), fills by (base − use), and stays within
//!   empty and full. While credit is left, the limit is the burst; then the base.
//! * **Demand.** A volume that states a demand and gets less queues the rest, and takes as much as it gets until that is
//!   worked off (at most what its queue depth allows). What waits is served first in, first out, as it was asked: with
//!   the block size, reads and hits of its own step; what the next step asks waits behind it. A volume without a stated
//!   demand takes as much as it gets, and what an earlier step left waiting first.
//! * **Sharing** is the planner's: weighted max-min fairness with the planner's weights. A volume that is asked nothing
//!   new and still has a backlog keeps its last weight.
//! * **ReadWrite caching** follows the sustained path throughout: what is written is destaged at the same rate. How much
//!   a cache absorbs before that is not published.

mod candidates;
mod engine;
mod findings;
pub mod model;
pub mod money;
mod outlook;
pub mod paid;
mod record;
pub mod sizing;
pub(in crate::planner) mod steady;
mod summary;

use engine::Engine;
pub use model::{SCHEMA, Simulation};
use record::Recorder;

use super::assess::{assess, vm_view};
use super::findings::caching::Advised;
use super::findings::{Finding, FindingId, Severity};
use super::system::System;
use crate::catalog::Catalog;
use crate::deployment::Deployment;
use crate::units::Seconds;
use crate::workload::{Io, Schedule};

/// How long a constant load is run to see all that comes of it: longer than any bucket lasts that drains noticeably,
/// 3,000 days.
const HORIZON: Seconds = Seconds::whole(3_000 * 86_400);

/// Runs `schedule` through `deployment`. `catalog` serves the search for the smallest VM and disks that would do.
///
/// The steps must have one load for each volume; volumes without one are left out of the result.
#[must_use]
pub fn simulate(catalog: &Catalog, deployment: &Deployment, schedule: &Schedule) -> Simulation {
    let recorder = record(deployment, schedule);
    let seconds = schedule.seconds();
    let of_caching = findings::of_caching(deployment, schedule);
    let advised = Advised::of(deployment, &of_caching);
    let mut simulation = Simulation {
        schema: SCHEMA.to_owned(),
        data: catalog.info().clone(),
        name: None,
        vm: deployment.vm.as_ref().map(|vm| vm_view(vm, deployment)),
        seconds,
        start_credit: schedule.credit,
        traced: None,
        volumes: summary::volume_runs(&deployment.volumes, &recorder.segments, &recorder.at_most),
        buckets: recorder.buckets(),
        paid_bursts: (recorder.meters.iter())
            .filter_map(|meter| meter.read(catalog, &advised.deployment, seconds))
            .collect(),
        prices: None,
        cost: None,
        sizing: sizing::size(catalog, deployment, &advised.deployment, schedule),
        findings: Vec::new(),
        segments: recorder.segments,
    };
    let mut found = whatever_is_asked(assess(catalog, deployment, &[]).findings);
    found.extend(findings::all(&simulation, &advised, schedule));
    found.extend(findings::of_latency(catalog, deployment, &simulation));
    found.extend(of_caching);
    found.sort_by_key(|finding| (finding.severity, finding.id));
    simulation.findings = found;
    simulation
}

/// Of the findings about a deployment, those that concern every workload over time: what the provider would refuse, and
/// a size that goes.
fn whatever_is_asked(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.retain(|finding| {
        finding.severity == Severity::Error || finding.id == FindingId::RetiringSize
    });
    findings
}

/// What becomes of a constant load from full credit on; `None` of no load at all.
pub(in crate::planner) fn record_constant(
    deployment: &Deployment,
    loads: &[Io],
) -> Option<Recorder> {
    let schedule = Schedule::constant(loads.to_vec(), HORIZON).ok()?;
    Some(record(deployment, &schedule))
}

fn record(deployment: &Deployment, schedule: &Schedule) -> Recorder {
    let first = schedule.steps().first().map_or(&[][..], |step| &step.loads);
    let system = System::new(deployment, first);
    let mut engine = Engine::new(deployment, system, schedule, |_| true);
    let mut recorder = Recorder::new(deployment, engine.system(), schedule.credit.get());
    // A recorder never breaks off.
    let _ = engine.run(schedule, &mut recorder);
    recorder
}
