//! Whether the stripes that were named are there.

use super::super::failure::{Failure, say};
use super::{LISTED, Nothing};
use diskcap::azure::facts::{FleetFacts, VmFacts};
use diskcap::azure::validate::{Stripe, Validator};

/// A member that the only VM does not have, and a disk in two stripes, are slips of the pen. Of many VMs some may lack
/// a member: they are named.
pub(super) fn check(
    stripes: &[Stripe],
    validator: &Validator<'_>,
    facts: &FleetFacts,
) -> Result<(), Failure> {
    if stripes.is_empty() {
        return Ok(());
    }
    let mut lacking: Vec<String> = Vec::new();
    for vm in &facts.vms {
        let faults = validator.stripe_faults(vm);
        if let Some((disk, [one, other])) = faults.shared.first() {
            return Err(Nothing(format!(
                "{} of {} is in two stripes, '{one}' and '{other}': a disk is in one",
                disk, vm.name
            ))
            .into());
        }
        for (stripe, missing) in &faults.incomplete {
            let missing = missing.join(", ");
            if facts.vms.len() == 1 {
                return Err(Nothing(format!(
                    "stripe '{stripe}': {} has no data disk {missing}; there are {}",
                    vm.name,
                    data_disks(vm)
                ))
                .into());
            }
            lacking.push(format!("{} has no {missing} for '{stripe}'", vm.name));
        }
    }
    if !lacking.is_empty() {
        let more = match lacking.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        lacking.truncate(LISTED);
        say(&format!(
            "note: stripes with the members that are there: {}{more}",
            lacking.join("; ")
        ));
    }
    Ok(())
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
