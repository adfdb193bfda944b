//! Whether what was named is there: a stripe, a demand or a member that no VM has is a slip of the pen.

use std::collections::BTreeSet;

use super::Validator;
use crate::azure::facts::{NotThere, VmFacts};

/// How many names a message lists.
const LISTED: usize = 20;

/// What was named and is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// A stripe, or a demand, that no VM has.
    #[error("{what} '{name}': no VM has such a disk or volume; there are {}", .known.join(", "))]
    NoVolume {
        /// What names it.
        what: &'static str,
        /// The name as given.
        name: String,
        /// The volumes that there are, the first of them.
        known: Vec<String>,
    },
    /// A stripe of a VM that is not there.
    #[error("stripe '{stripe}': {not_there}")]
    NoVm {
        /// The stripe.
        stripe: String,
        /// The VM, and those that there are.
        not_there: NotThere,
    },
    /// A disk in two stripes.
    #[error("{disk} of {vm} is in two stripes, '{}' and '{}': a disk is in one", .stripes[0], .stripes[1])]
    TwoStripes {
        /// The disk.
        disk: String,
        /// Its VM.
        vm: String,
        /// The stripes.
        stripes: [String; 2],
    },
    /// Two stripes of one name.
    #[error(
        "stripe '{stripe}' is named twice: name all of its members in one, as in {stripe}=lun0,lun1,lun2,lun3"
    )]
    Twice {
        /// The stripe.
        stripe: String,
    },
    /// A stripe that is called like a disk that is no member of it.
    #[error(
        "stripe '{stripe}': {vm} has a disk of that name, which is no member: give the stripe another name"
    )]
    TakenName {
        /// The stripe.
        stripe: String,
        /// The VM.
        vm: String,
    },
    /// A member that the VM of the stripe, or the only VM, does not have.
    #[error("stripe '{stripe}': {vm} has no data disk {missing}; there are {known}")]
    NoMember {
        /// The stripe.
        stripe: String,
        /// The VM.
        vm: String,
        /// The members that it lacks.
        missing: String,
        /// The data disks that it has.
        known: String,
    },
}

impl Validator<'_> {
    /// Whether a VM has every volume that a stripe or a demand of the options names.
    ///
    /// # Errors
    /// [`NameError::NoVolume`] for the first that none has.
    pub fn check_names(&self) -> Result<(), NameError> {
        let of_all = self.options.stripes.iter().filter(|of| of.vm.is_none());
        let stripes = of_all.map(|stripe| ("stripe", &stripe.name));
        let demands = self.options.workload.demands.iter();
        let demands = demands.map(|(name, _)| ("demand for", name));
        let mut wanted: Vec<_> = stripes.chain(demands).collect();
        let mut known = BTreeSet::new();
        for vm in &self.facts.vms {
            if wanted.is_empty() {
                return Ok(());
            }
            let volumes = self.volumes(vm);
            let is_there = |name: &str| volumes.iter().any(|own| own.eq_ignore_ascii_case(name));
            wanted.retain(|(_, name)| !is_there(name));
            known.extend(volumes);
            while known.len() > LISTED {
                known.pop_last();
            }
        }
        wanted.first().map_or(Ok(()), |(what, name)| {
            Err(NameError::NoVolume {
                what,
                name: (*name).clone(),
                known: known.into_iter().collect(),
            })
        })
    }

    /// Whether the stripes have their members. Of many VMs some may lack one: these are told in words.
    ///
    /// # Errors
    /// [`NameError`] when a stripe is named twice or like another disk, a disk is in two stripes, the VM of a stripe is not there, or that VM or the only one lacks a
    /// member.
    pub fn check_stripes(&self) -> Result<Option<String>, NameError> {
        if self.options.stripes.is_empty() {
            return Ok(None);
        }
        let stripes = &self.options.stripes;
        for (index, stripe) in stripes.iter().enumerate() {
            let name = stripe.volume();
            let mut earlier = stripes.iter().take(index);
            if earlier.any(|other| other.volume().eq_ignore_ascii_case(&name)) {
                return Err(NameError::Twice { stripe: name });
            }
            let Some(own) = &stripe.vm else {
                continue;
            };
            if !self.facts.vms.iter().any(|vm| stripe.is_only_of(vm)) {
                return Err(NameError::NoVm {
                    stripe: stripe.volume(),
                    not_there: NotThere::of_name(own, self.facts),
                });
            }
        }
        let mut lacking: Vec<String> = Vec::new();
        for vm in &self.facts.vms {
            let faults = self.stripe_faults(vm);
            if let Some((disk, [one, other])) = faults.shared.first() {
                return Err(NameError::TwoStripes {
                    disk: disk.to_string(),
                    vm: vm.name.to_string(),
                    stripes: [one.to_string(), other.to_string()],
                });
            }
            if let Some(stripe) = faults.taken.first() {
                return Err(NameError::TakenName {
                    stripe: stripe.clone(),
                    vm: vm.name.to_string(),
                });
            }
            for (stripe, missing) in &faults.incomplete {
                let missing = missing.join(", ");
                // With its VM before it: the user said which VM has these members.
                let of_one = stripe.contains('/');
                if of_one || self.facts.vms.len() == 1 {
                    return Err(NameError::NoMember {
                        stripe: stripe.to_string(),
                        vm: vm.name.to_string(),
                        missing,
                        known: data_disks(vm),
                    });
                }
                lacking.push(format!("{} has no {missing} for '{stripe}'", vm.name));
            }
        }
        Ok(note(lacking))
    }
}

fn note(mut lacking: Vec<String>) -> Option<String> {
    let more = match lacking.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    lacking.truncate(LISTED);
    let list = lacking.join("; ");
    (!lacking.is_empty()).then(|| format!("stripes with the members that are there: {list}{more}"))
}

/// The data disks as stripes name them: `lun0 (data0), lun1 (data1)`.
fn data_disks(vm: &VmFacts) -> String {
    let named = vm
        .data_disks
        .iter()
        .map(|disk| match (disk.lun, &disk.name) {
            (Some(lun), Some(name)) => format!("lun{lun} ({name})"),
            (Some(lun), None) => format!("lun{lun}"),
            (None, name) => name
                .as_deref()
                .unwrap_or("a disk without a name")
                .to_owned(),
        });
    let named: Vec<String> = named.collect();
    if named.is_empty() {
        "none".to_owned()
    } else {
        named.join(", ")
    }
}
