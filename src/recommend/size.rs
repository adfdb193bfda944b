//! What a VM size lets through, and what each kind of layout takes of it.

use super::disks::{Choices, SAME};
use crate::catalog::{Axis, Catalog, Family, VmSize};
use crate::deployment::{Deployment, HostCaching, Role, Standing, Volume};
use crate::planner::assessment::CeilingName;
use crate::planner::{Phase, Place, System};
use crate::workload::Io;

use super::need::Hold;

/// The ceilings that a size may have, in the order of [`SizeModel::caps`].
pub(super) const CEILINGS: [(CeilingName, Axis); 6] = [
    (CeilingName::Uncached, Axis::Iops),
    (CeilingName::Uncached, Axis::Mbps),
    (CeilingName::Remote, Axis::Iops),
    (CeilingName::Remote, Axis::Mbps),
    (CeilingName::Cached, Axis::Iops),
    (CeilingName::Cached, Axis::Mbps),
];

/// A figure for each of [`CEILINGS`].
pub(super) type PerCeiling = [f64; 6];

/// A size as the search sees it.
#[derive(Debug, Clone)]
pub(super) struct SizeModel {
    /// What holds for as long as the need does; `None` where unknown.
    pub caps: [Option<f64>; 6],
    /// What each kind takes: the most of its loads.
    pub takes: Vec<PerCeiling>,
    /// Whether each kind can be attached.
    pub allows: Vec<Result<(), &'static str>>,
    /// How many data disks can be attached.
    pub disks: Option<u32>,
}

impl SizeModel {
    /// Whether all of `takes` pass together: no ceiling that is used is unknown or exceeded.
    pub fn passes(&self, takes: &PerCeiling) -> bool {
        (0..CEILINGS.len()).all(|i| !self.is_short(i, takes[i]))
    }

    pub fn is_short(&self, ceiling: usize, take: f64) -> bool {
        take > 0.0 && self.caps[ceiling].is_none_or(|cap| take > cap * (1.0 + SAME))
    }
}

/// Puts the planner's question to one size after the other.
pub(super) struct Probe {
    deployment: Deployment,
    loads: Vec<Io>,
    /// The kind of each flow.
    owners: Vec<usize>,
    kinds: Vec<(Family, HostCaching)>,
    hold: Hold,
}

impl Probe {
    pub fn new(catalog: &Catalog, choices: &Choices, hold: Hold) -> Self {
        let mut probe = Self {
            deployment: Deployment {
                vm: None,
                cache_latency: catalog.host_cache_latency(),
                interface: None,
                region: None,
                standing: Standing::Planned(None),
                volumes: Vec::new(),
            },
            loads: Vec::new(),
            owners: Vec::new(),
            kinds: choices
                .kinds
                .iter()
                .map(|k| (k.family, k.caching))
                .collect(),
            hold,
        };
        for (index, kind) in choices.kinds.iter().enumerate() {
            for io in &kind.loads {
                probe.deployment.volumes.push(Volume {
                    name: String::new(),
                    role: Role::Data,
                    members: vec![kind.sample.clone()],
                });
                probe.loads.push(*io);
                probe.owners.push(index);
            }
        }
        probe
    }

    pub fn on(&mut self, vm: &VmSize) -> SizeModel {
        self.deployment.vm = Some(vm.clone());
        let system = System::new(&self.deployment, &self.loads);
        let slot = |index: usize| {
            let resource = system.resources.get(index)?;
            let ceiling = match resource.place {
                Place::Disk { .. } => return None,
                Place::Uncached => 0,
                Place::Remote => 2,
                Place::Cached => 4,
            };
            Some(ceiling + usize::from(resource.axis == Axis::Mbps))
        };
        let mut model = SizeModel {
            caps: [None; 6],
            takes: vec![[0.0; 6]; self.kinds.len()],
            allows: self.kinds.iter().map(|&(f, c)| allows(vm, f, c)).collect(),
            disks: vm.max_data_disks,
        };
        for (index, resource) in system.resources.iter().enumerate() {
            if let Some(slot) = slot(index) {
                model.caps[slot] = self.hold.capacity(resource);
            }
        }
        for (flow, owner) in system.flows.iter().zip(&self.owners) {
            for used in flow.uses(Phase::Sustained) {
                if let Some(slot) = slot(used.resource) {
                    let take = &mut model.takes[*owner][slot];
                    *take = take.max(used.per_io * flow.demand());
                }
            }
        }
        model
    }
}

/// Whether disks of `family` with `caching` can be attached to `vm`, as far as is known: what is unknown does not count.
fn allows(vm: &VmSize, family: Family, caching: HostCaching) -> Result<(), &'static str> {
    let premium = family.needs_premium_storage();
    if premium && vm.premium_storage != Some(true) {
        return Err("it has no premium storage");
    }
    if family == Family::Ultra && vm.ultra != Some(true) {
        return Err("it is not known to offer Ultra disks");
    }
    if caching != HostCaching::None && vm.premium_caching != Some(true) {
        return Err("host caching is not documented for it");
    }
    Ok(())
}
