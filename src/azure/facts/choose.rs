//! Which of the VMs that were read are asked about.

use super::{DiskFacts, FleetFacts, ResourceId, Target, VmFacts};
use crate::catalog::lookup::{did_you_mean, nearest};

/// How many names a message lists.
const LISTED: usize = 20;

/// What is asked about among saved answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chosen {
    /// The VMs of this name, of whatever group.
    Name(String),
    /// What an id names. (What is below a management group, saved answers do not say: nothing is.)
    Target(Target),
}

/// Nothing that was read is what is asked about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no VM {what} in what was read, which has {}{}", listed(.known), did_you_mean(.nearest))]
pub struct NotThere {
    /// What was asked about, in words.
    pub what: String,
    /// The nearest names of VMs.
    pub nearest: Vec<String>,
    /// The names of all VMs.
    pub known: Vec<String>,
}

impl NotThere {
    /// What was read has no VM of this name.
    #[must_use]
    pub fn of_name(name: &str, facts: &FleetFacts) -> Self {
        Chosen::Name(name.to_owned()).not_there(facts)
    }
}

fn listed(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(LISTED).map(String::as_str).collect();
    match names.len().saturating_sub(LISTED) {
        _ if names.is_empty() => "none".to_owned(),
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn same(own: Option<&str>, other: &str) -> bool {
    own.is_some_and(|own| own.eq_ignore_ascii_case(other))
}

impl Chosen {
    fn has_vm(&self, vm: &VmFacts) -> bool {
        let id = vm.id.as_ref();
        match self {
            Self::Name(name) => vm.name.eq_ignore_ascii_case(name),
            Self::Target(Target::Vm(own)) => id == Some(own),
            Self::Target(Target::ScaleSet(set)) => {
                let own = id
                    .and_then(ResourceId::scale_set)
                    .or(vm.scale_set.as_deref());
                let own = own.map(|own| own.rsplit('/').next().unwrap_or(own));
                same(own, set.name()) && is_beside(id, set)
            }
            Self::Target(_) => self.holds(id),
        }
    }

    /// Whether a resource is in the group or the subscription.
    fn holds(&self, id: Option<&ResourceId>) -> bool {
        let in_subscription = |wanted: &str| same(id.and_then(ResourceId::subscription), wanted);
        match self {
            Self::Target(Target::Group {
                subscription,
                group,
            }) => {
                in_subscription(subscription)
                    && same(id.and_then(ResourceId::resource_group), group)
            }
            Self::Target(Target::Subscription(subscription)) => in_subscription(subscription),
            _ => false,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Name(name) => format!("'{name}'"),
            Self::Target(Target::Vm(id)) => format!("'{id}'"),
            Self::Target(Target::ScaleSet(id)) => format!("of the scale set '{id}'"),
            Self::Target(target) => format!("of the {target}"),
        }
    }

    fn not_there(&self, facts: &FleetFacts) -> NotThere {
        let mut known: Vec<String> = facts.vms.iter().map(|vm| vm.name.to_string()).collect();
        known.sort_unstable();
        known.dedup();
        let near = match self {
            Self::Name(name) => nearest(name, known.iter().map(String::as_str)),
            Self::Target(Target::Vm(id)) => nearest(id.name(), known.iter().map(String::as_str)),
            _ => Vec::new(),
        };
        NotThere {
            what: self.words(),
            nearest: near,
            known,
        }
    }
}

/// Whether both are in the same group of the same subscription.
fn is_beside(id: Option<&ResourceId>, other: &ResourceId) -> bool {
    let part = |of: fn(&ResourceId) -> Option<&str>| match (id.and_then(of), of(other)) {
        (Some(own), Some(other)) => own.eq_ignore_ascii_case(other),
        _ => false,
    };
    part(ResourceId::subscription) && part(ResourceId::resource_group)
}

impl FleetFacts {
    /// Leaves only what is asked about: the VMs and their disks; of groups and subscriptions also the disks that no VM
    /// has. SKUs and what was odd stay.
    ///
    /// # Errors
    /// [`NotThere`] for the first that is not among what was read.
    pub fn only(mut self, chosen: &[Chosen]) -> Result<Self, NotThere> {
        let lacks = |one: &&Chosen| {
            !self.vms.iter().any(|vm| one.has_vm(vm))
                && !self.disks.iter().any(|disk| one.holds(disk.id.as_ref()))
        };
        if let Some(lacking) = chosen.iter().find(lacks) {
            return Err(lacking.not_there(&self));
        }
        let vms = std::mem::take(&mut self.vms);
        let wanted = |vm: &VmFacts| chosen.iter().any(|one| one.has_vm(vm));
        let vms: Vec<VmFacts> = vms.into_iter().filter(wanted).collect();
        let disks: Vec<bool> = {
            let attached = vms.iter().flat_map(|vm| {
                let own = vm.disks().filter_map(|disk| self.behind(disk, vm));
                own.map(std::ptr::from_ref::<DiskFacts>)
            });
            let attached: std::collections::HashSet<_> = attached.collect();
            let is_wanted = |disk: &DiskFacts| {
                attached.contains(&std::ptr::from_ref(disk))
                    || chosen.iter().any(|one| one.holds(disk.id.as_ref()))
            };
            self.disks.iter().map(is_wanted).collect()
        };
        let all = std::mem::take(&mut self.disks);
        let wanted = all.into_iter().zip(disks).filter(|(_, wanted)| *wanted);
        let mut only = Self::default();
        vms.into_iter().for_each(|vm| only.add_vm(vm));
        wanted.for_each(|(disk, _)| only.add_disk(disk));
        only.absorb(self);
        Ok(only)
    }
}
