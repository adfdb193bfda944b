//! All facts of a fleet, joined by id.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use super::disk::DiskFacts;
use super::id::{Pool, ResourceId};
use super::problem::{Notes, Problem, ReadProblem};
use super::sku::SkuFacts;
use super::vm::{AttachedDisk, VmFacts};
use crate::azure::arm::kind::Kind;
use crate::azure::arm::shape::Resource;
use crate::azure::arm::walk::Sink;

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
    pool: Pool,
    vm_index: Index,
    disk_index: Index,
    /// Positions of the disks that were read without an id, by their names in lower case.
    without_id: HashMap<String, Vec<usize>>,
    sku_index: HashMap<String, usize>,
    lists: Lists,
}

/// Lists that the service hands out in pages.
#[derive(Debug, Default)]
struct Lists {
    /// The kinds of which a list came to its end.
    ended: Vec<Kind>,
    /// Pages after which others follow: the kind, and where the page was read.
    open: Vec<(Kind, Arc<str>)>,
}

impl Lists {
    fn page(&mut self, kind: Kind, source: &Arc<str>, more: bool) {
        if !more {
            self.ended.push(kind);
        } else if !self.open.iter().any(|(known, _)| *known == kind) {
            self.open.push((kind, Arc::clone(source)));
        }
    }

    /// The kinds of which pages were read but never the last, each with the source of one page.
    fn missing(&mut self) -> Vec<(Kind, Arc<str>)> {
        self.open.retain(|(kind, _)| !self.ended.contains(kind));
        std::mem::take(&mut self.open)
    }

    fn absorb(&mut self, other: Self) {
        self.ended.extend(other.ended);
        self.open.extend(other.open);
    }
}

/// What a list of this kind is of.
const fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Vm => "VMs",
        Kind::Disk => "disks",
        Kind::Sku => "SKUs",
        _ => "resources",
    }
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
    slots: HashMap<u64, u32>,
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

    /// Adds all of `other`.
    pub fn absorb(&mut self, other: Self) {
        other.vms.into_iter().for_each(|vm| self.add_vm(vm));
        other.disks.into_iter().for_each(|disk| self.add_disk(disk));
        other.skus.into_iter().for_each(|sku| self.add_sku(sku));
        self.scale_sets.extend(other.scale_sets);
        self.metric_sources.extend(other.metric_sources);
        self.problems.extend(other.problems);
        self.lists.absorb(other.lists);
    }

    /// Whether nothing of use was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vms.is_empty() && self.disks.is_empty() && self.skus.is_empty()
    }

    /// A sink that puts what one source holds into these facts. Call [`Collector::finish`] at its end.
    #[must_use]
    pub fn collector(&mut self, source: Arc<str>) -> Collector<'_> {
        Collector {
            facts: self,
            source,
            unknown: Vec::new(),
            on_page: Vec::new(),
            plain_sizes: false,
            picked: Vec::new(),
            bare: 0,
            yields: false,
        }
    }

    /// Says of which lists further pages are missing. Call it when all sources are read: the page that ends a list may
    /// be in another file.
    pub fn conclude(&mut self) {
        for (kind, source) in self.lists.missing() {
            let of = plural(kind);
            self.problems.push(ReadProblem {
                source,
                line: None,
                subject: None,
                problem: Problem::MorePages { of },
            });
        }
    }
}

/// Turns the resources of one source into facts.
pub struct Collector<'a> {
    facts: &'a mut FleetFacts,
    source: Arc<str>,
    /// Labels of unknown objects, with their counts, in the order they were met.
    unknown: Vec<(String, usize)>,
    /// The kinds of the resources since the last list ended.
    on_page: Vec<Kind>,
    /// Whether sizes were met of which no limits are said.
    plain_sizes: bool,
    /// Selections of fields, with their counts.
    picked: Vec<(String, usize)>,
    /// Values where resources were expected.
    bare: usize,
    /// Whether a resource was there.
    yields: bool,
}

impl Collector<'_> {
    /// Writes down a problem of the source itself.
    pub fn problem(&mut self, line: Option<usize>, problem: Problem) {
        self.facts.problems.push(ReadProblem {
            source: Arc::clone(&self.source),
            line,
            subject: None,
            problem,
        });
    }

    /// Writes down what was of no use, by kind and number.
    pub fn finish(mut self) {
        for (label, count) in std::mem::take(&mut self.unknown) {
            self.problem(None, Problem::Unknown { label, count });
        }
        if self.plain_sizes {
            self.problem(None, Problem::PlainSizes);
        }
        if self.bare > 0 && self.picked.is_empty() && !self.yields {
            self.picked.push((String::new(), self.bare));
        }
        for (fields, count) in std::mem::take(&mut self.picked) {
            self.problem(None, Problem::Picked { fields, count });
        }
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

/// A name for messages: `vm db1`, `disk data0`.
fn subject(what: &str, resource: &Resource) -> String {
    let name = resource
        .name
        .text()
        .or_else(|| resource.id.text())
        .or_else(|| resource.computer_name.text())
        .unwrap_or_else(|| "without a name".to_owned());
    match (what, resource.size.text()) {
        ("SKU", Some(size)) if !name.contains(&size) => format!("SKU {name} {size}"),
        _ => format!("{what} {name}"),
    }
}

/// Counts one more of this name.
fn count(counts: &mut Vec<(String, usize)>, name: String) {
    match counts.iter_mut().find(|(known, _)| *known == name) {
        Some((_, count)) => *count += 1,
        None => counts.push((name, 1)),
    }
}

impl Sink for Collector<'_> {
    fn resource(&mut self, kind: Kind, resource: Resource) {
        self.yields = true;
        let what = match kind {
            Kind::Vm => "VM",
            Kind::Disk => "disk",
            Kind::Sku => "SKU",
            Kind::ScaleSet => "scale set",
            Kind::InstanceView => "instance view of",
            Kind::PartOfVm => "part",
            Kind::PlainSize | Kind::Metric | Kind::Error | Kind::Other => "object",
        };
        if !self.on_page.contains(&kind) {
            self.on_page.push(kind);
        }
        let facts = &mut *self.facts;
        let mut notes = Notes::new(
            &mut facts.problems,
            &self.source,
            &mut facts.pool,
            subject(what, &resource),
        );
        if resource.properties.odd().is_some() {
            notes.add(Problem::CutShort {
                field: "properties",
            });
        }
        match kind {
            Kind::Vm => {
                if let Some(vm) = VmFacts::read(&resource, &mut notes) {
                    facts.add_vm(vm);
                }
            }
            Kind::Disk => {
                if let Some(disk) = DiskFacts::read(&resource, &mut notes) {
                    facts.add_disk(disk);
                }
            }
            Kind::Sku => {
                if let Some(sku) = SkuFacts::read(&resource, &mut notes) {
                    facts.add_sku(sku);
                }
            }
            Kind::Metric => {
                if facts.metric_sources.last() != Some(&self.source) {
                    facts.metric_sources.push(Arc::clone(&self.source));
                }
            }
            Kind::InstanceView => notes.add(Problem::InstanceViewAlone),
            Kind::PartOfVm => notes.add(Problem::PartOfVm),
            Kind::PlainSize => self.plain_sizes = true,
            Kind::ScaleSet => {
                let flexible = resource.orchestration_mode.as_str();
                let flexible = flexible.is_some_and(|mode| mode.eq_ignore_ascii_case("Flexible"));
                if let Some(id) = resource.id.as_str().and_then(ResourceId::new) {
                    facts.scale_sets.push(ScaleSetFacts { id, flexible });
                }
            }
            Kind::Error | Kind::Other => {}
        }
    }

    fn error(&mut self, code: String, message: String) {
        self.problem(None, Problem::ErrorAnswer { code, message });
    }

    fn list_end(&mut self, more: bool) {
        for kind in self.on_page.drain(..) {
            if matches!(kind, Kind::Vm | Kind::Disk | Kind::Sku) {
                self.facts.lists.page(kind, &self.source, more);
            }
        }
    }

    fn unknown(&mut self, label: String) {
        count(&mut self.unknown, label);
    }

    fn picked(&mut self, fields: &[String]) {
        count(&mut self.picked, fields.join(", "));
    }

    fn bare(&mut self) {
        self.bare += 1;
    }
}
