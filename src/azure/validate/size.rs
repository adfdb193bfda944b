//! The catalogue's row of a deployed VM.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::model::Unknown;
use crate::azure::facts::{FleetFacts, Named, SkuFacts, VmFacts};
use crate::azure::remedies::with_remedy;
use crate::catalog::{Catalog, Dataset, Origin, Overlay, UnknownVm, VmSize};
use crate::planner::{Finding, FindingId, Severity};

/// The catalogue with the VM sizes of the SKU lists that were read in place of its own. `data` says where they come
/// from and of what date they are.
#[must_use]
pub fn with_listed_sizes<'c>(
    catalog: &'c Catalog,
    facts: &FleetFacts,
    data: Dataset,
) -> Cow<'c, Catalog> {
    let listed = facts.skus.iter().filter_map(|sku| match sku {
        SkuFacts::Vm(vm) => Some(VmSize {
            origin: Origin {
                source: data.source.clone(),
                date: data.date.clone(),
            },
            ..vm.size.clone()
        }),
        SkuFacts::Disk(_) => None,
    });
    let vms: Vec<VmSize> = listed.collect();
    if vms.is_empty() {
        return Cow::Borrowed(catalog);
    }
    Cow::Owned(catalog.clone().overlay(Overlay { data, vms }))
}

/// A VM's size, or what is not known of it.
#[derive(Debug)]
pub(super) struct Sized<'c> {
    pub(super) size: Option<&'c VmSize>,
    pub(super) unknown: Option<Unknown>,
    pub(super) finding: Option<Finding>,
}

/// Looks sizes up. Those that are not known are remembered: finding what they may have been called takes long.
#[derive(Debug)]
pub(super) struct Sizes<'c> {
    catalog: &'c Catalog,
    unknown: Mutex<HashMap<String, Finding>>,
}

impl<'c> Sizes<'c> {
    pub(super) fn new(catalog: &'c Catalog) -> Self {
        Self {
            catalog,
            unknown: Mutex::default(),
        }
    }

    /// The size of a VM, on its disk controller where it says one.
    pub(super) fn of(&self, vm: &VmFacts) -> Sized<'c> {
        let Some(name) = vm.size.as_deref() else {
            return Sized {
                size: None,
                unknown: Some(Unknown {
                    subject: vm.name.to_string(),
                    what: "its size, which is not said: its disks are looked at by themselves"
                        .to_owned(),
                }),
                finding: None,
            };
        };
        let known_unknown = self.unknown().get(name).cloned();
        let found = match known_unknown {
            Some(finding) => Err(finding),
            None => self.find(name, vm),
        };
        match found {
            Ok(size) => Sized {
                size: Some(size),
                unknown: None,
                finding: None,
            },
            Err(finding) => Sized {
                size: None,
                unknown: Some(Unknown {
                    subject: name.to_owned(),
                    what: "the size, and with it the ceilings of the VM: its disks are looked at by themselves"
                        .to_owned(),
                }),
                finding: Some(finding),
            },
        }
    }

    fn find(&self, name: &str, vm: &VmFacts) -> Result<&'c VmSize, Finding> {
        let controller = vm.controller.as_ref().and_then(Named::known);
        let found = match self.catalog.vm(name, controller) {
            // The size has another controller: that is a finding of its own.
            Err(UnknownVm::Interface { .. }) => self.catalog.vm(name, None),
            found => found,
        };
        found.map_err(|error| {
            let finding = unknown_size(name, &error);
            self.unknown().insert(name.to_owned(), finding.clone());
            finding
        })
    }

    fn unknown(&self) -> MutexGuard<'_, HashMap<String, Finding>> {
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown_size(name: &str, error: &UnknownVm) -> Finding {
    let text = match error {
        UnknownVm::Unknown { nearest, .. } if !nearest.is_empty() => format!(
            "is not in the catalogue (known are {}): what its disks reach is an upper bound",
            nearest.join(", ")
        ),
        _ => "is not in the catalogue: what its disks reach is an upper bound".to_owned(),
    };
    let id = FindingId::UnknownSize;
    with_remedy(Finding::new(id, Severity::Warning, name, text))
}
