//! The catalogue's row of a deployed VM.

use std::borrow::Cow;

use super::model::Unknown;
use crate::azure::facts::{FleetFacts, Named, SkuFacts, VmFacts};
use crate::catalog::{Catalog, Dataset, Overlay, UnknownVm, VmSize};
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
        SkuFacts::Vm(vm) => Some(vm.size.clone()),
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

/// Looks the size of a VM up, on its disk controller where it says one.
pub(super) fn size_of<'c>(catalog: &'c Catalog, vm: &VmFacts) -> Sized<'c> {
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
    let controller = vm.controller.as_ref().and_then(Named::known);
    let found = match catalog.vm(name, controller) {
        // The size has another controller: that is a finding of its own.
        Err(UnknownVm::Interface { .. }) => catalog.vm(name, None),
        found => found,
    };
    match found {
        Ok(size) => Sized {
            size: Some(size),
            unknown: None,
            finding: None,
        },
        Err(error) => Sized {
            size: None,
            unknown: Some(Unknown {
                subject: name.to_owned(),
                what: "the size, and with it the ceilings of the VM: its disks are looked at by themselves"
                    .to_owned(),
            }),
            finding: Some(unknown_size(name, &error)),
        },
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
    Finding::new(FindingId::UnknownSize, Severity::Warning, name, text)
        .fix("add the SKU list of its region: `az vm list-skus --location REGION`")
}
