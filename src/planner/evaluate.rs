//! One evaluation: what every flow gets in a phase, and what stops it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::allocate::{Contender, Grant, Stop, allocate};
use super::assessment::CeilingName;
use super::latency;
use super::system::{Flow, Phase, Place, Resource, System};
use crate::catalog::Axis;
use crate::units::{Iops, Latency, MBps};

/// What a flow is stopped by. Always exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Bottleneck {
    /// It gets all that it wants.
    Demand,
    /// Its queue depth: no more I/Os are outstanding, each takes its latency.
    QueueDepth,
    /// A limit of one of its disks.
    Disk {
        /// Which limit.
        axis: Axis,
        /// Whether the limit is a burst limit.
        burst: bool,
    },
    /// The VM's ceiling of uncached traffic.
    VmUncached {
        /// Which limit.
        axis: Axis,
        /// Whether the limit is a burst limit.
        burst: bool,
    },
    /// The VM's ceiling of all remote traffic, that of the families with a higher ceiling among it; where it is no higher,
    /// that of these families alone.
    VmRemote {
        /// Which limit.
        axis: Axis,
        /// Whether the limit is a burst limit.
        burst: bool,
    },
    /// The VM's ceiling of host cache and temp disk.
    VmCached {
        /// Which limit.
        axis: Axis,
        /// Whether the limit is a burst limit.
        burst: bool,
    },
    /// Nothing that is known: no limit on its path has a known figure.
    Unknown,
}

impl Bottleneck {
    /// A full `resource`; in [`Phase::Burst`] it still has credit.
    pub(crate) fn of(resource: &Resource, phase: Phase) -> Self {
        let axis = resource.axis;
        let burst = phase == Phase::Burst && resource.burst > resource.base;
        match resource.place {
            Place::Disk { .. } => Self::Disk { axis, burst },
            Place::Uncached => Self::VmUncached { axis, burst },
            Place::Remote => Self::VmRemote { axis, burst },
            Place::Cached => Self::VmCached { axis, burst },
        }
    }

    /// In words; of a demand that is met only if what is unknown lets it (`at_most`), they say so.
    #[must_use]
    pub fn told(self, at_most: bool) -> String {
        match self {
            Self::Demand if at_most => "none known (demand met)".to_owned(),
            bottleneck => bottleneck.to_string(),
        }
    }

    /// Whether it is a ceiling of the VM.
    #[must_use]
    pub const fn is_vm(self) -> bool {
        matches!(
            self,
            Self::VmUncached { .. } | Self::VmRemote { .. } | Self::VmCached { .. }
        )
    }

    /// Which of the VM's ceilings it is, where it is one.
    #[must_use]
    pub const fn ceiling(self) -> Option<CeilingName> {
        match self {
            Self::VmUncached { .. } => Some(CeilingName::Uncached),
            Self::VmRemote { .. } => Some(CeilingName::Remote),
            Self::VmCached { .. } => Some(CeilingName::Cached),
            _ => None,
        }
    }

    /// The axis of the limit, where it is one.
    #[must_use]
    pub const fn axis(self) -> Option<Axis> {
        match self {
            Self::Disk { axis, .. }
            | Self::VmUncached { axis, .. }
            | Self::VmRemote { axis, .. }
            | Self::VmCached { axis, .. } => Some(axis),
            Self::Demand | Self::QueueDepth | Self::Unknown => None,
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Iops => "IOPS",
            Self::Mbps => "MB/s",
        })
    }
}

impl fmt::Display for Bottleneck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use CeilingName::{Cached, Remote, Uncached};
        let (whose, limit, axis, burst) = match *self {
            Self::Demand => return f.pad("none (demand met)"),
            Self::QueueDepth => return f.pad("queue depth"),
            Self::Unknown => return f.pad("unknown"),
            Self::Disk { axis, burst } => ("", "disk", axis, burst),
            Self::VmUncached { axis, burst } => ("VM ", Uncached.name(), axis, burst),
            Self::VmRemote { axis, burst } => ("VM ", Remote.name(), axis, burst),
            Self::VmCached { axis, burst } => ("VM ", Cached.name(), axis, burst),
        };
        let burst = if burst { " (burst)" } else { "" };
        f.pad(&format!("{whose}{limit} {axis}{burst}"))
    }
}

/// What one volume gets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// I/Os per second; `None` when no limit on the path is known.
    pub iops: Option<Iops>,
    /// MB/s at the block size of the workload.
    pub mbps: Option<MBps>,
    /// A limit on the path is unknown, or what the queue depth makes (`latency_needed_us`): the true figure may be lower,
    /// not higher.
    pub at_most: bool,
    /// What stops it.
    pub bottleneck: Bottleneck,
    /// Latency of one I/O at this rate: of the disk by itself, more where I/Os queue; `None` when unknown.
    #[serde(rename = "latency_us")]
    pub latency: Option<Latency>,
    /// Of a disk of unknown latency at a stated queue depth: the mean latency that an I/O must not exceed for this rate.
    /// `None` where the latency is known, no queue depth is stated, or the provider's promise is enough for the rate.
    #[serde(
        rename = "latency_needed_us",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub latency_needed: Option<Latency>,
}

impl Outcome {
    /// What stops it, in words; of a demand that is met only if what is unknown lets it, it says so.
    #[must_use]
    pub fn stopped_by(&self) -> String {
        self.bottleneck.told(self.at_most)
    }

    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self {
        iops: None,
        mbps: None,
        at_most: true,
        bottleneck: Bottleneck::Unknown,
        latency: None,
        latency_needed: None,
    };

    /// Whether a disk's limit or the demand itself bounds it.
    pub(super) const fn is_bounded(&self) -> bool {
        matches!(
            self.bottleneck,
            Bottleneck::Disk { .. } | Bottleneck::Demand
        )
    }
}

/// Everything that one evaluation says.
#[derive(Debug, Clone, PartialEq)]
pub struct Allocation {
    /// What each flow gets, in the system's order.
    pub outcomes: Vec<Outcome>,
    /// Use of each resource, IOPS or MB/s, in the system's order; `None` where an unlimited flow passes.
    pub used: Vec<Option<f64>>,
}

/// Shares the resources of `system` among its flows in `phase`.
#[must_use]
pub fn evaluate(system: &System, phase: Phase) -> Allocation {
    evaluate_with(system, phase, |resource| resource.capacity(phase))
}

/// As [`evaluate`], with the capacities that `capacity_of` says: `None` is unknown, infinity no limit at all.
#[must_use]
pub fn evaluate_with(
    system: &System,
    phase: Phase,
    capacity_of: impl Fn(&Resource) -> Option<f64>,
) -> Allocation {
    let known: Vec<Option<f64>> = system.resources.iter().map(capacity_of).collect();
    let capacities: Vec<f64> = known.iter().map(|c| c.unwrap_or(f64::INFINITY)).collect();
    let contenders: Vec<Contender<'_>> = system
        .flows
        .iter()
        .map(|flow| Contender {
            uses: flow.uses(phase),
            weight: flow.weight,
            bound: flow.demand().min(flow.latency_bound(phase)),
        })
        .collect();
    let grants = allocate(&contenders, &capacities);
    let used = used(system, &grants, phase);
    let full = |index: usize| used[index].is_some_and(|u| u >= capacities[index] * (1.0 - FULL));
    let levels = levels(system, &grants, capacities.len());
    let outcomes = system
        .flows
        .iter()
        .zip(&grants)
        .map(|(flow, grant)| {
            let uses = flow.uses(phase);
            let unknown = flow.passes_unknown(phase, |index| known[index].is_none());
            let on_path = uses
                .iter()
                .map(|used| used.resource)
                .find(|index| full(*index) && level(flow, *grant) >= levels[*index] * (1.0 - FULL));
            outcome(
                system,
                flow,
                settled(flow, *grant, phase, on_path),
                phase,
                unknown,
            )
        })
        .collect();
    Allocation { outcomes, used }
}

/// A resource is full when its use comes this near to its capacity: the rest is rounding.
const FULL: f64 = 1e-9;

/// How far a flow has risen, in proportion to its weight.
fn level(flow: &Flow, grant: Grant) -> f64 {
    grant.rate / flow.weight
}

/// How far the flows have risen that stopped at each resource: a flow that stopped below would have got more of it.
fn levels(system: &System, grants: &[Grant], resources: usize) -> Vec<f64> {
    let mut levels = vec![0.0_f64; resources];
    for (flow, grant) in system.flows.iter().zip(grants) {
        if let Stop::Resource(index) = grant.stop {
            levels[index] = levels[index].max(level(flow, *grant));
        }
    }
    levels
}

/// Where a queue depth and a limit bind at the same rate, the limit is named: more outstanding I/Os would not help.
fn settled(flow: &Flow, grant: Grant, phase: Phase, full: Option<usize>) -> Grant {
    let by_depth = grant.stop == Stop::Bound && flow.demand() > flow.latency_bound(phase);
    match full {
        Some(index) if by_depth => Grant {
            stop: Stop::Resource(index),
            ..grant
        },
        _ => grant,
    }
}

fn outcome(system: &System, flow: &Flow, grant: Grant, phase: Phase, unknown: bool) -> Outcome {
    let bottleneck = match grant.stop {
        Stop::Bound if flow.demand() <= flow.latency_bound(phase) => Bottleneck::Demand,
        Stop::Bound => Bottleneck::QueueDepth,
        Stop::Resource(index) => Bottleneck::of(&system.resources[index], phase),
        Stop::Nothing => Bottleneck::Unknown,
    };
    // Without a VM a cache that answers everything has no limit that is known: what a queue depth makes of it is no
    // figure of any machine.
    if bottleneck == Bottleneck::QueueDepth && flow.uses(phase).is_empty() {
        return Outcome::UNKNOWN;
    }
    let iops = Iops::new(grant.rate).ok();
    let depth = flow.io.queue_depth.map(|d| f64::from(d.get()));
    // With its demand met, a flow does not keep its queue full: the disk's own latency is what it sees.
    let outstanding = depth.filter(|_| bottleneck != Bottleneck::Demand);
    let needed = flow.latency_needed(phase, grant.rate);
    let latency_needed = needed.and_then(|s| Latency::from_micros(s * 1e6).ok());
    Outcome {
        iops,
        mbps: iops.map(|rate| rate.throughput(flow.io.block_size)),
        at_most: unknown || latency_needed.is_some(),
        bottleneck,
        // At a rate that is only an upper bound, no latency follows from the queue depth.
        latency: iops
            .filter(|_| latency_needed.is_none())
            .and_then(|rate| latency::at_depth(flow.latency_seconds(phase), outstanding, rate)),
        latency_needed,
    }
}

fn used(system: &System, grants: &[Grant], phase: Phase) -> Vec<Option<f64>> {
    let mut sums = vec![0.0; system.resources.len()];
    for (flow, grant) in system.flows.iter().zip(grants) {
        for used in flow.uses(phase) {
            sums[used.resource] += grant.rate * used.per_io;
        }
    }
    sums.into_iter()
        .map(|sum| sum.is_finite().then_some(sum))
        .collect()
}
