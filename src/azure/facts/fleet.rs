//! All facts of a fleet, joined by id.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::collector::Lists;
use super::disk::DiskFacts;
use super::id::ResourceId;
use super::pool::Pool;
use super::problem::{Problem, ReadProblem};
use super::sku::SkuFacts;
use super::vm::{AttachedDisk, VmFacts};

/// Everything that was read: VMs, disks, SKUs, and what was odd.
///
/// A resource that is read more than once is one: the last reading holds, and what it does not say is taken from the
/// earlier ones.
#[derive(Debug, Default)]
pub struct FleetFacts {
    /// The virtual machines, in the order they were first read.
    pub vms: Vec<VmFacts>,
    /// The managed disks, in the order they were first read.
    pub disks: Vec<DiskFacts>,
    /// The SKUs, in the order they were first read.
    pub skus: Vec<SkuFacts>,
    /// The scale sets whose models were read.
    pub scale_sets: Vec<ScaleSetFacts>,
    /// The sources that hold Azure Monitor metrics.
    pub metric_sources: Vec<Arc<str>>,
    /// What was odd, in the order it was met.
    pub problems: Vec<ReadProblem>,
    pub(super) pool: Pool,
    vm_index: Index,
    disk_index: Index,
    /// Positions of the disks that were read without an id, by their names in lower case.
    without_id: HashMap<String, Vec<usize>>,
    sku_index: HashMap<String, usize>,
    pub(super) lists: Lists,
}

/// A scale set: its instances are what has disks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaleSetFacts {
    /// Resource id.
    pub id: ResourceId,
    /// Whether its instances are VMs in their own right, listed with the other VMs.
    pub flexible: bool,
}

/// Positions by id, without a second copy of the ids.
#[derive(Debug, Default)]
struct Index {
    state: RandomState,
    slots: HashMap<u64, u32, RandomState>,
}

impl Index {
    /// The position of `id`, or the free slot to put it into. `id_at` tells which id a position has.
    fn find<'a>(
        &self,
        id: &ResourceId,
        id_at: impl Fn(usize) -> Option<&'a ResourceId>,
    ) -> Result<usize, u64> {
        let mut slot = self.state.hash_one(id);
        loop {
            match self.slots.get(&slot) {
                None => return Err(slot),
                Some(&position) if id_at(position as usize) == Some(id) => {
                    return Ok(position as usize);
                }
                Some(_) => slot = slot.wrapping_add(1),
            }
        }
    }

    fn put(&mut self, slot: u64, position: usize) {
        if let Ok(position) = u32::try_from(position) {
            self.slots.insert(slot, position);
        }
    }
}

impl FleetFacts {
    /// The VM with this id.
    #[must_use]
    pub fn vm(&self, id: &ResourceId) -> Option<&VmFacts> {
        let at = |i: usize| self.vms.get(i).and_then(|vm| vm.id.as_ref());
        self.vms.get(self.vm_index.find(id, at).ok()?)
    }

    /// The disk with this id.
    #[must_use]
    pub fn disk(&self, id: &ResourceId) -> Option<&DiskFacts> {
        let at = |i: usize| self.disks.get(i).and_then(|disk| disk.id.as_ref());
        self.disks.get(self.disk_index.find(id, at).ok()?)
    }

    /// The managed disk behind a disk of `vm`, where it was read too: the one of its id; else the only one without an
    /// id that has its name and resource group.
    #[must_use]
    pub fn behind(&self, attached: &AttachedDisk, vm: &VmFacts) -> Option<&DiskFacts> {
        let by_id = attached.id.as_ref().and_then(|id| self.disk(id));
        by_id.or_else(|| self.disks.get(self.behind_by_name(attached, vm)?))
    }

    /// The position of the disk that only its name and resource group tell to be that behind a disk of `vm`.
    pub(crate) fn behind_by_name(&self, attached: &AttachedDisk, vm: &VmFacts) -> Option<usize> {
        if self.without_id.is_empty() {
            return None;
        }
        let id = attached.id.as_ref();
        if id.is_some_and(|id| self.disk(id).is_some()) {
            return None;
        }
        let name = attached.name.as_deref().or(id.map(ResourceId::name))?;
        let group = id.and_then(ResourceId::resource_group);
        let group = group.or(vm.resource_group.as_deref())?;
        let same = self.without_id.get(&name.to_lowercase())?;
        let mut same = same.iter().copied().filter(|position| {
            let of = self
                .disks
                .get(*position)
                .and_then(|disk| disk.resource_group.as_deref());
            of.is_some_and(|of| of.eq_ignore_ascii_case(group))
        });
        let first = same.next()?;
        same.next().is_none().then_some(first)
    }

    /// Whether a disk of this name was read that has no id.
    pub(crate) fn has_disk_without_id(&self, name: &str) -> bool {
        !self.without_id.is_empty() && self.without_id.contains_key(&name.to_lowercase())
    }

    /// Adds a VM, or completes the one with the same id.
    pub fn add_vm(&mut self, vm: VmFacts) {
        if let Some(id) = &vm.id {
            let at = |i: usize| self.vms.get(i).and_then(|vm| vm.id.as_ref());
            match self.vm_index.find(id, at) {
                Ok(position) => {
                    if let Some(known) = self.vms.get_mut(position) {
                        let what = known.differs_in(&vm);
                        let states = [&known.source, &vm.source].map(Arc::clone);
                        let subject = format!("VM {}", vm.name);
                        self.problems.extend(other_state(what, states, subject));
                        known.merge(vm);
                    }
                    return;
                }
                Err(slot) => self.vm_index.put(slot, self.vms.len()),
            }
        }
        self.vms.push(vm);
    }

    /// Adds a disk, or completes the one with the same id.
    pub fn add_disk(&mut self, disk: DiskFacts) {
        if let Some(id) = &disk.id {
            let at = |i: usize| self.disks.get(i).and_then(|disk| disk.id.as_ref());
            match self.disk_index.find(id, at) {
                Ok(position) => {
                    if let Some(known) = self.disks.get_mut(position) {
                        let what = known.differs_in(&disk);
                        let states = [&known.source, &disk.source].map(Arc::clone);
                        let subject = format!("disk {}", disk.name);
                        self.problems.extend(other_state(what, states, subject));
                        known.merge(disk);
                    }
                    return;
                }
                Err(slot) => self.disk_index.put(slot, self.disks.len()),
            }
        }
        if disk.id.is_none() {
            let positions = self.without_id.entry(disk.name.to_lowercase()).or_default();
            positions.push(self.disks.len());
        }
        self.disks.push(disk);
    }

    /// Adds a SKU, or completes the one with the same name.
    pub fn add_sku(&mut self, sku: SkuFacts) {
        let next = self.skus.len();
        let position = *self.sku_index.entry(sku.key()).or_insert(next);
        match self.skus.get_mut(position) {
            Some(known) => known.merge(sku),
            None => self.skus.push(sku),
        }
    }

    /// Adds all of `other`, as what was read after this.
    pub fn absorb(&mut self, other: Self) {
        self.problems.extend(other.problems);
        // Where there are none yet, the lists stay where they are: those of a large fleet are long.
        if self.vms.is_empty() {
            (self.vms, self.vm_index) = (other.vms, other.vm_index);
        } else {
            other.vms.into_iter().for_each(|vm| self.add_vm(vm));
        }
        if self.disks.is_empty() {
            (self.disks, self.disk_index) = (other.disks, other.disk_index);
            self.without_id = other.without_id;
        } else {
            other.disks.into_iter().for_each(|disk| self.add_disk(disk));
        }
        other.skus.into_iter().for_each(|sku| self.add_sku(sku));
        self.scale_sets.extend(other.scale_sets);
        self.metric_sources.extend(other.metric_sources);
        self.lists.absorb(other.lists);
    }

    /// Whether nothing of use was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vms.is_empty() && self.disks.is_empty() && self.skus.is_empty()
    }
}

/// That a resource was read in two states, from the first of `sources` and then from the second.
fn other_state(
    what: Vec<&'static str>,
    [before, source]: [Arc<str>; 2],
    subject: String,
) -> Option<ReadProblem> {
    let what = (!what.is_empty()).then(|| what.join(", "))?;
    Some(ReadProblem {
        source,
        line: None,
        subject: Some(subject),
        problem: Problem::OtherState { before, what },
    })
}
