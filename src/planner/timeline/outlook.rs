//! What becomes of a workload that is repeated: whether it is throttled at once, sooner or later, or never.

use std::ops::ControlFlow;

use super::engine::{Engine, Observer, SAME, Stretch};
use super::record::is_throttled;
use crate::catalog::{Axis, Limits};
use crate::deployment::{Deployment, Disk};
use crate::planner::system::{Resource, System};
use crate::workload::Schedule;

/// What becomes of the volume at `index` with its present disks, without a VM.
pub(super) fn outlook_of_disks(
    alone: &mut Deployment,
    index: usize,
    schedule: &Schedule,
    peak: Limits,
) -> Option<Outlook> {
    let members = alone.volumes.get(index)?.members.clone();
    Some(outlook_with(alone, index, schedule, peak, &members))
}

/// What becomes of the volume at `index` with `members` in place of its own, without a VM; it has its own again then.
pub(super) fn outlook_with(
    alone: &mut Deployment,
    index: usize,
    schedule: &Schedule,
    peak: Limits,
    members: &[Disk],
) -> Outlook {
    let volume = &mut alone.volumes[index];
    let loads = || {
        schedule
            .steps()
            .iter()
            .filter_map(|step| step.loads.get(index))
    };
    let is_shallow = loads().any(|io| io.queue_depth.is_some());
    let plainly = volume
        .members
        .first()
        .and_then(|m| plainly_enough(members, m, peak));
    match plainly {
        Some(true) if !is_shallow => return Outlook::FOR_GOOD,
        Some(false) => return Outlook::THROTTLED,
        _ => {}
    }
    let own = std::mem::replace(&mut volume.members, members.to_vec());
    let first = schedule.steps().first().map_or(&[][..], |step| &step.loads);
    let system = System::alone(alone, index, first);
    let outlook = Outlook::of(alone, system, schedule, |_| true);
    alone.volumes[index].members = own;
    outlook
}

/// What can be said of disks that carry the same traffic as `present` without looking at time: limits that hold without
/// end and are not below `peak` are enough; burst limits below it are not. `None` where time decides.
fn plainly_enough(members: &[Disk], present: &Disk, peak: Limits) -> Option<bool> {
    let same_traffic = |disk: &Disk| {
        disk.model.accounting_unit == present.model.accounting_unit
            && disk.effective_caching() == present.effective_caching()
            && disk.model.write.is_none()
            && present.model.write.is_none()
    };
    if !members.iter().all(same_traffic) {
        return None;
    }
    let on = |limits: Limits, axis| limits.on(axis).unwrap_or(0.0);
    let reaches = |limits: Limits| {
        let axes = [Axis::Iops, Axis::Mbps];
        axes.iter()
            .all(|axis| on(limits, *axis) >= peak.on(*axis).unwrap_or(f64::INFINITY))
    };
    if members.iter().all(|disk| reaches(disk.model.base)) {
        return Some(true);
    }
    let falls_short = |disk: &Disk| {
        let most = disk
            .model
            .burst
            .map_or(disk.model.base, |burst| burst.limits);
        let axes = [Axis::Iops, Axis::Mbps];
        axes.iter().any(|axis| {
            let most = on(most, *axis).max(on(disk.model.base, *axis));
            most < peak.on(*axis).unwrap_or(0.0) * (1.0 - SAME)
        })
    };
    members.iter().any(falls_short).then_some(false)
}

/// What becomes of a workload that is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outlook {
    /// It is throttled in the simulated time.
    pub throttled: bool,
    /// It is not, and lives on credit that is used up sooner or later.
    pub credit_falls: bool,
    /// It is not, and more and more waits, since too few I/Os are outstanding.
    pub backlog_grows: bool,
}

impl Outlook {
    /// Nothing is throttled, however often the workload is repeated.
    pub const FOR_GOOD: Self = Self {
        throttled: false,
        credit_falls: false,
        backlog_grows: false,
    };
    pub const THROTTLED: Self = Self {
        throttled: true,
        ..Self::FOR_GOOD
    };

    /// However often the workload is repeated.
    pub const fn never_throttles(self) -> bool {
        !self.throttled && !self.credit_falls
    }

    /// That of `system` under `schedule`; only the resources that count throttle it.
    ///
    /// As long as nothing is throttled, what is used does not depend on the credit that is left, and once through the
    /// steps changes a bucket by the same amount each time, less what a full one does not take. So a bucket that has
    /// less after one more time through them has less after each, and one that has not never will.
    pub fn of(
        deployment: &Deployment,
        system: System,
        schedule: &Schedule,
        counts: impl Fn(&Resource) -> bool,
    ) -> Self {
        let unknown = |r: &Resource| counts(r) && r.base.is_none();
        let mut watch = Watch(system.resources.iter().map(unknown).collect());
        let full: Vec<f64> = system
            .resources
            .iter()
            .map(|r| r.bucket().unwrap_or(0.0))
            .collect();
        let mut engine = Engine::new(deployment, system, schedule, &counts);
        if engine.run(schedule, &mut watch).is_break() {
            return Self::THROTTLED;
        }
        let (credit, waiting) = (engine.credit_left(), engine.backlogs());
        if engine
            .run_steps(schedule.steps().iter(), &mut watch)
            .is_break()
        {
            // How much would wait in the end is not known: what waits already may well be more each time.
            return Self {
                throttled: false,
                credit_falls: true,
                backlog_grows: waiting.iter().any(|waits| *waits > 0.0),
            };
        }
        let (left, waits) = (engine.credit_left(), engine.backlogs());
        let falls = left.iter().zip(&credit).zip(&full);
        let mut falls = falls.map(|((left, had), full)| had - left > SAME * full);
        let mut grows = waits.iter().zip(&waiting);
        Self {
            throttled: false,
            credit_falls: falls.any(|falls| falls),
            backlog_grows: grows.any(|(waits, had)| *waits > had * (1.0 + SAME) + SAME),
        }
    }
}

/// Breaks off at the first throttling, and where a resource whose limit is unknown is used. Holds which these are.
struct Watch(Vec<bool>);

impl Observer for Watch {
    fn stretch(&mut self, stretch: &Stretch<'_>) -> ControlFlow<()> {
        let throttled = stretch
            .queues
            .iter()
            .any(|queue| is_throttled(stretch, queue));
        let unsure = self
            .0
            .iter()
            .zip(stretch.buckets)
            .any(|(unknown, b)| *unknown && b.used > 0.0);
        if throttled || unsure {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
