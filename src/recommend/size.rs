//! What a VM size lets through, and what each kind of layout takes of it.

use super::disks::{Choices, SAME};
use crate::catalog::{Axis, Catalog, Family, VmSize};
use crate::deployment::{Deployment, HostCaching, Role, Standing, Volume};
use crate::planner::assessment::CeilingName;
use crate::planner::{Phase, Place, System};
use crate::workload::Io;

use super::kept::cached_by;
use super::model::LimitedPlace;
use super::need::{Hold, Need};

/// The ceilings that a size may have, in the order of [`SizeModel::caps`].
pub(super) const CEILINGS: [(CeilingName, Axis); 6] = [
    (CeilingName::Uncached, Axis::Iops),
    (CeilingName::Uncached, Axis::Mbps),
    (CeilingName::Remote, Axis::Iops),
    (CeilingName::Remote, Axis::Mbps),
    (CeilingName::Cached, Axis::Iops),
    (CeilingName::Cached, Axis::Mbps),
];

/// Where a ceiling is, as an answer says it.
pub(super) const fn place(ceiling: CeilingName) -> LimitedPlace {
    match ceiling {
        CeilingName::Uncached => LimitedPlace::Uncached,
        CeilingName::Remote => LimitedPlace::Remote,
        CeilingName::Cached => LimitedPlace::Cached,
    }
}

/// A figure for each of [`CEILINGS`].
pub(super) type PerCeiling = [f64; 6];

/// A size as the search sees it.
#[derive(Debug, Clone)]
pub(super) struct SizeModel {
    /// What holds for as long as the need does; `None` where unknown.
    pub caps: [Option<f64>; 6],
    /// What each kind takes: the most of its loads.
    pub takes: Vec<PerCeiling>,
    /// What the volumes take that stay as they are.
    pub kept: PerCeiling,
    /// Whether these can be attached.
    pub allows_kept: Result<(), &'static str>,
    /// Whether each kind can be attached.
    pub allows: Vec<Result<(), &'static str>>,
    /// How many data disks can be attached.
    pub disks: Option<u32>,
}

impl SizeModel {
    /// Whether all of `takes`, what is kept among them, pass together: no ceiling that is used is unknown or exceeded.
    pub fn passes(&self, takes: &PerCeiling) -> bool {
        (0..CEILINGS.len()).all(|i| !self.is_short(i, takes[i]))
    }

    /// The size as if it let everything through that nobody knows of it.
    pub fn hoped(&self) -> Self {
        Self {
            caps: self.caps.map(|cap| cap.or(Some(f64::INFINITY))),
            ..self.clone()
        }
    }

    pub fn is_short(&self, ceiling: usize, take: f64) -> bool {
        take > 0.0 && self.caps[ceiling].is_none_or(|cap| take > cap * (1.0 + SAME))
    }
}

/// Puts the planner's question to one size after the other.
pub(super) struct Probe {
    deployment: Deployment,
    loads: Vec<Io>,
    owners: Vec<Owner>,
    kinds: Vec<(Family, HostCaching)>,
    kept: Vec<Volume>,
    hold: Hold,
}

/// Whose a flow is.
#[derive(Debug, Clone, Copy)]
enum Owner {
    /// A kind's.
    Kind(usize),
    /// That of a volume that stays as it is.
    Kept(usize),
}

impl Probe {
    pub fn new(catalog: &Catalog, choices: &Choices, need: &Need) -> Self {
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
            kept: (need.kept.iter())
                .filter_map(|kept| kept.volume(catalog))
                .collect(),
            hold: need.hold,
        };
        for (index, kind) in choices.kinds.iter().enumerate() {
            for io in &kind.loads {
                probe.deployment.volumes.push(Volume {
                    name: String::new(),
                    role: Role::Data,
                    members: vec![kind.sample.clone()],
                    also_on: Vec::new(),
                });
                probe.loads.push(*io);
                probe.owners.push(Owner::Kind(index));
            }
        }
        for (index, (volume, kept)) in probe.kept.iter().zip(&need.kept).enumerate() {
            for io in kept.loads() {
                probe.deployment.volumes.push(volume.clone());
                probe.loads.push(io);
                probe.owners.push(Owner::Kept(index));
            }
        }
        probe
    }

    pub fn on(&mut self, vm: &VmSize) -> SizeModel {
        self.deployment.vm = Some(vm.clone());
        self.put_kept(vm);
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
        let mut caps = [None; 6];
        for (index, resource) in system.resources.iter().enumerate() {
            if let Some(slot) = slot(index) {
                caps[slot] = self.hold.capacity(resource);
            }
        }
        let mut takes = vec![[0.0_f64; 6]; self.kinds.len()];
        let mut kept = vec![[0.0_f64; 6]; self.kept.len()];
        for (flow, owner) in system.flows.iter().zip(&self.owners) {
            let of = match *owner {
                Owner::Kind(index) => &mut takes[index],
                Owner::Kept(index) => &mut kept[index],
            };
            for used in flow.uses(Phase::Sustained) {
                if let Some(slot) = slot(used.resource) {
                    of[slot] = of[slot].max(used.per_io * flow.demand());
                }
            }
        }
        SizeModel {
            caps,
            takes,
            kept: kept.iter().fold([0.0; 6], |sum, one| plus(&sum, one)),
            allows_kept: self
                .kept
                .iter()
                .try_for_each(|volume| allows_kept(vm, volume)),
            allows: self.kinds.iter().map(|&(f, c)| allows(vm, f, c)).collect(),
            disks: vm.max_data_disks,
        }
    }

    /// The volumes that stay as they are, as `vm` caches them.
    fn put_kept(&mut self, vm: &VmSize) {
        let places = self.deployment.volumes.iter_mut().zip(&self.owners);
        for (place, owner) in places {
            if let Owner::Kept(index) = owner {
                place.clone_from(&self.kept[*index]);
                cached_by(vm, place);
            }
        }
    }
}

/// What two take together.
pub(super) fn plus(a: &PerCeiling, b: &PerCeiling) -> PerCeiling {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Whether the disks of a volume that stays as it is can be attached to `vm`.
fn allows_kept(vm: &VmSize, volume: &Volume) -> Result<(), &'static str> {
    let mut families = volume.members.iter().map(|disk| disk.model.family);
    families.try_for_each(|family| allows(vm, family, HostCaching::None))
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
