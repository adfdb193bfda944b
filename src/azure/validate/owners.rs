//! Which VMs have which disk: several may have one that is shared.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::assemble::Member;
use crate::azure::facts::{DiskFacts, FleetFacts, ResourceId, VmFacts};
use crate::units::and;

/// The VMs of every disk.
#[derive(Debug)]
pub(super) struct Owners<'a> {
    /// The first VM that has a managed disk.
    first: HashMap<&'a ResourceId, &'a VmFacts, RandomState>,
    /// The others that have it.
    others: HashMap<&'a ResourceId, Vec<&'a VmFacts>, RandomState>,
    /// Positions of the disks without an id that VMs have.
    joined: HashSet<usize>,
}

impl<'a> Owners<'a> {
    pub(super) fn new(facts: &'a FleetFacts) -> Self {
        let mut owners = Self {
            first: HashMap::default(),
            others: HashMap::default(),
            joined: HashSet::new(),
        };
        for vm in &facts.vms {
            for disk in vm.disks() {
                if let Some(id) = &disk.id {
                    owners.add(id, vm);
                }
                owners.joined.extend(facts.behind_by_name(disk, vm));
            }
        }
        owners
    }

    fn add(&mut self, id: &'a ResourceId, vm: &'a VmFacts) {
        let first = *self.first.entry(id).or_insert(vm);
        if !is_same(first, vm) {
            self.others.entry(id).or_default().push(vm);
        }
    }

    /// Whether any VM has the disk that stands at `position` of those that were read.
    pub(super) fn have(&self, position: usize, disk: &DiskFacts) -> bool {
        match &disk.id {
            Some(id) => self.first.contains_key(id),
            None => self.joined.contains(&position),
        }
    }

    /// The other VMs that have a disk of `vm`: those that say so, and those of which only the disk says so.
    pub(super) fn beside(
        &self,
        facts: &'a FleetFacts,
        vm: &VmFacts,
        member: &Member<'a>,
    ) -> Vec<Beside<'a>> {
        let id = id_of(member);
        let others = id.and_then(|id| Some((self.first.get(id)?, self.others.get(id)?)));
        let read = others.into_iter();
        let read = read.flat_map(|(first, others)| std::iter::once(first).chain(others));
        let read = read.filter(|other| !is_same(other, vm));
        let read = read.map(|other| Beside {
            name: &other.name,
            vm: Some(other),
        });
        let itself = member.seen.itself;
        let named = itself.into_iter().flat_map(|disk| &disk.attached_to);
        let unread = named.filter(|id| vm.id.as_ref() != Some(*id) && facts.vm(id).is_none());
        let unread = unread.map(|id| Beside {
            name: id.name(),
            vm: None,
        });
        read.chain(unread).collect()
    }

    /// The same of several disks of `vm`, each VM once.
    pub(super) fn beside_any<'m>(
        &self,
        facts: &'a FleetFacts,
        vm: &VmFacts,
        members: impl Iterator<Item = &'m Member<'a>>,
    ) -> Vec<Beside<'a>>
    where
        'a: 'm,
    {
        let mut all: Vec<Beside<'_>> = Vec::new();
        for other in members.flat_map(|member| self.beside(facts, vm, member)) {
            if !all.iter().any(|known| known.is_same(&other)) {
                all.push(other);
            }
        }
        all
    }

    /// The VM before `vm` that has a disk of it too: a disk is billed once, and sums over VMs have it with the first.
    pub(super) fn before(&self, vm: &VmFacts, member: &Member<'a>) -> Option<&'a VmFacts> {
        let first = *self.first.get(id_of(member)?)?;
        (!is_same(first, vm)).then_some(first)
    }
}

/// Another VM that has a disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside<'a> {
    pub(super) name: &'a str,
    /// What was read of it, where it was.
    pub(super) vm: Option<&'a VmFacts>,
}

impl Beside<'_> {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self.vm, other.vm) {
            (Some(one), Some(other)) => is_same(one, other),
            (None, None) => self.name.eq_ignore_ascii_case(other.name),
            _ => false,
        }
    }
}

/// `db1`, `db1 and db2`, `db1, db2 and db3`.
pub(super) fn names(beside: &[Beside<'_>]) -> String {
    let names: Vec<&str> = beside.iter().map(|other| other.name).collect();
    and(&names)
}

/// The id of the disk, as its VM names it.
pub(super) fn id_of<'m>(member: &Member<'m>) -> Option<&'m ResourceId> {
    member.seen.attached?.id.as_ref()
}

/// Whether both are one VM.
fn is_same(one: &VmFacts, other: &VmFacts) -> bool {
    std::ptr::eq(one, other) || (one.id.is_some() && one.id == other.id)
}
