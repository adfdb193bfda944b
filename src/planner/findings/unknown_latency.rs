//! Queue depths on disks of unknown latency: nobody knows what they make.

use super::{Context, Finding, FindingId, Severity, of_all};
use crate::catalog::Catalog;
use crate::deployment::{Deployment, Volume};
use crate::planner::assessment::WorkloadView;
use crate::planner::evaluate::Outcome;
use crate::units::{Iops, Latency};
use crate::workload::{Demand, Workload};

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let standard = Workload::standard_set(0);
    // The queue depths of the standard tests are nothing that anybody asked for.
    let asked = |workload: &&WorkloadView| !standard.iter().any(|w| w.name == workload.name);
    let workloads = context.assessment.workloads.iter().filter(asked);
    let workloads: Vec<&WorkloadView> = workloads.collect();
    let of_volume = |index: usize| {
        let all = workloads.iter().filter_map(|workload| {
            let doubt = Doubt::of(workload, index)?;
            Some(Doubt {
                prefix: context.prefix(workload),
                ..doubt
            })
        });
        strictest(all)
    };
    let doubts = (0..context.deployment.volumes.len()).filter_map(of_volume);
    let found = finding(context.catalog, context.deployment, doubts.collect());
    found.into_iter().collect()
}

/// A rate that the queue depth of a volume makes only where an I/O takes no longer than a latency that nobody knows.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::planner) struct Doubt {
    /// Index of the volume in the deployment.
    pub(in crate::planner) volume: usize,
    /// The workload, where several are looked at.
    pub(in crate::planner) prefix: String,
    /// The rate.
    pub(in crate::planner) rate: Iops,
    /// What an I/O must not exceed for it.
    pub(in crate::planner) needed: Latency,
    /// Whether the rate, or more, is asked for.
    pub(in crate::planner) demanded: bool,
}

impl Doubt {
    /// That of the volume at `index` under `workload`: without credit before with it, by itself before with the others.
    fn of(workload: &WorkloadView, index: usize) -> Option<Self> {
        let result = workload.volumes.get(index)?;
        let (alone, together) = (&result.alone, &result.together);
        let outcomes = [
            alone.sustained,
            together.sustained,
            alone.burst,
            together.burst,
        ];
        let in_doubt = |outcome: &Outcome| outcome.iops.zip(outcome.latency_needed);
        let (rate, needed) = outcomes.iter().find_map(in_doubt)?;
        Some(Self {
            volume: index,
            prefix: String::new(),
            rate,
            needed,
            demanded: result.io.demand != Demand::Max,
        })
    }

    /// The outstanding I/Os.
    fn depth(&self) -> f64 {
        (self.rate.get() * self.needed.seconds()).round()
    }

    fn told(&self, catalog: &Catalog, volume: &Volume) -> String {
        let promise = promise(catalog, volume);
        let promise = promise.map_or_else(String::new, |words| format!(" (promised: {words})"));
        format!(
            "{}{} IOPS at queue depth {} hold only where an I/O takes no more than {}{promise}",
            self.prefix,
            self.rate,
            self.depth(),
            self.needed
        )
    }
}

/// The one that asks for the shortest latency.
pub(in crate::planner) fn strictest(doubts: impl Iterator<Item = Doubt>) -> Option<Doubt> {
    doubts.min_by(|a, b| a.needed.micros().total_cmp(&b.needed.micros()))
}

/// What is promised of the disks of `volume` whose latency is not known.
fn promise<'a>(catalog: &'a Catalog, volume: &Volume) -> Option<&'a str> {
    let unknown = |disk: &&crate::deployment::Disk| disk.model.latency.is_none();
    let disk = volume.members.iter().find(unknown)?;
    catalog.latency(disk.model.family)?.promise.as_deref()
}

/// All of them as one finding, about the volume or the whole.
pub(in crate::planner) fn finding(
    catalog: &Catalog,
    deployment: &Deployment,
    doubts: Vec<Doubt>,
) -> Option<Finding> {
    let volume = |doubt: &Doubt| deployment.volumes.get(doubt.volume);
    let (subject, text) = match doubts.as_slice() {
        [] => return None,
        [one] => {
            let volume = volume(one)?;
            let text = format!("its latency is not known: {}", one.told(catalog, volume));
            (volume.name.as_str(), text)
        }
        several => {
            let each = several.iter().filter_map(|doubt| {
                let volume = volume(doubt)?;
                Some(format!("{}: {}", volume.name, doubt.told(catalog, volume)))
            });
            let each: Vec<String> = each.collect();
            let text = format!("the latency of disks is not known. {}", each.join(". "));
            (of_all(deployment), text)
        }
    };
    let severity = match doubts.iter().any(|doubt| doubt.demanded) {
        true => Severity::Warning,
        false => Severity::Info,
    };
    let mut finding = Finding::new(FindingId::LatencyUnknown, severity, subject, text);
    for doubt in &doubts {
        finding = finding
            .figure("queue_depth", doubt.depth(), "I/Os")
            .figure("rate", doubt.rate.get(), "IOPS")
            .figure("latency_needed", doubt.needed.micros(), "us");
    }
    Some(finding.usual_fix())
}
