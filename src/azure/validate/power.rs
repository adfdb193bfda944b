//! Whether a VM runs: as it says, else as the states of its disks do.

use super::model::Unknown;
use crate::azure::facts::{DiskState, FleetFacts, Power, VmFacts};

/// The power state of a VM, where it is known.
pub(super) fn of(facts: &FleetFacts, vm: &VmFacts) -> Option<Power> {
    match &vm.power {
        Some(said) => said.known(),
        None => by_disks(facts, vm),
    }
}

/// Disks of a deallocated VM are reserved for it, those of one that is not are attached. A shared disk may be attached by
/// another VM.
fn by_disks(facts: &FleetFacts, vm: &VmFacts) -> Option<Power> {
    let disks = vm.disks().filter_map(|disk| facts.behind(disk, vm));
    let own = disks.filter(|disk| disk.max_shares.is_none_or(|shares| shares <= 1));
    let states = own.filter_map(|disk| disk.state.as_ref()?.known());
    let is_reserved = |state| matches!(state, DiskState::Reserved | DiskState::Frozen);
    let all = states.map(is_reserved).reduce(|all, one| all && one);
    all?.then_some(Power::Deallocated)
}

/// That nothing says whether a VM runs.
pub(super) fn unknown(facts: &FleetFacts, vm: &VmFacts) -> Option<Unknown> {
    let is_said = vm.power.is_some() || by_disks(facts, vm).is_some();
    (!is_said).then(|| Unknown {
        subject: vm.name.to_string(),
        what: "its power state, which the answer does not say: it is judged and billed as if it ran (`az vm list -d` says it)"
            .to_owned(),
    })
}
