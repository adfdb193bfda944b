//! Laying refreshed rows over the embedded ones.

use std::collections::HashMap;

use super::Catalog;
use super::info::{Dataset, Refreshed};
use super::limits::{Ceiling, Limits};
use super::lookup::NameIndex;
use super::vm::{Interface, TempDisk, VmSize, retire_with_parents};

/// Rows of VM sizes that were read from a live API, to take the place of the embedded ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlay {
    /// Where they come from ("Azure Resource SKUs API, eastus") and of what date they are.
    pub data: Dataset,
    /// The rows.
    pub vms: Vec<VmSize>,
}

impl Catalog {
    /// This catalogue with the refreshed rows in place of those of the same name and controller. A row without a
    /// controller takes the place of the one that a look-up without controller answers.
    ///
    /// What an API does not tell and the documentation does (bursts, the ceiling of Premium SSD v2 and Ultra, premium
    /// caching, a temp disk's own limits) is kept from the row replaced.
    #[must_use]
    pub fn overlay(mut self, overlay: Overlay) -> Self {
        let (mut replaced, mut added) = (0, 0);
        let places = self.places();
        let mut fresh = Vec::new();
        for row in overlay.vms {
            let rows = places.get(&row.name.to_ascii_lowercase());
            match self.position(rows.map_or(&[], Vec::as_slice), &row) {
                Some(position) => {
                    if let Some(old) = self.vms.get_mut(position) {
                        *old = refreshed(old, row);
                        replaced += 1;
                    }
                }
                None => {
                    fresh.push(row);
                    added += 1;
                }
            }
        }
        self.vms.append(&mut fresh);
        self.vms
            .sort_by(|one, other| (&one.name, rank(one)).cmp(&(&other.name, rank(other))));
        retire_with_parents(&mut self.vms);
        self.names = NameIndex::new(&self.vms);
        self.info.refreshed.push(Refreshed {
            data: overlay.data,
            replaced,
            added,
        });
        self
    }

    /// This catalogue without the sizes that `leave` names.
    #[must_use]
    pub(crate) fn without(&self, leave: impl Fn(&VmSize) -> bool) -> Self {
        let vms: Vec<VmSize> = self
            .vms
            .iter()
            .filter(|size| !leave(size))
            .cloned()
            .collect();
        Self {
            names: NameIndex::new(&vms),
            vms,
            ..self.clone()
        }
    }

    /// Where the rows of every size are, by its name in lower case.
    fn places(&self) -> HashMap<String, Vec<usize>> {
        let mut places: HashMap<String, Vec<usize>> = HashMap::with_capacity(self.vms.len());
        for (place, row) in self.vms.iter().enumerate() {
            let name = row.name.to_ascii_lowercase();
            places.entry(name).or_default().push(place);
        }
        places
    }

    /// Where the row is that `row` replaces, among the `rows` of its name.
    fn position(&self, rows: &[usize], row: &VmSize) -> Option<usize> {
        let on = |interface| {
            let is = |place: &&usize| {
                let old = self.vms.get(**place);
                old.is_some_and(|old| old.interface == interface)
            };
            rows.iter().find(is).copied()
        };
        on(row.interface).or_else(|| {
            let default = [Some(Interface::Scsi), Some(Interface::Nvme)];
            default
                .into_iter()
                .filter(|_| row.interface.is_none())
                .find_map(on)
        })
    }
}

/// Order of the rows of one size: without controller, NVMe, SCSI.
fn rank(row: &VmSize) -> u8 {
    match row.interface {
        None => 0,
        Some(Interface::Nvme) => 1,
        Some(Interface::Scsi) => 2,
    }
}

/// `new`, with what it does not tell taken from `old`. That it has no temp disk or local NVMe is something told.
fn refreshed(old: &VmSize, new: VmSize) -> VmSize {
    let controllers = if new.controllers.is_empty() {
        old.controllers.clone()
    } else {
        new.controllers
    };
    VmSize {
        name: old.name.clone(),
        series: old.series.clone(),
        interface: old.interface,
        controllers,
        parent: new.parent.or_else(|| old.parent.clone()),
        memory: new.memory.or(old.memory),
        arch: new.arch.or_else(|| old.arch.clone()),
        max_data_disks: new.max_data_disks.or(old.max_data_disks),
        premium_storage: new.premium_storage.or(old.premium_storage),
        premium_caching: new.premium_caching.or(old.premium_caching),
        ultra: new.ultra.or(old.ultra),
        uncached: documented(old.uncached, new.uncached),
        cached: documented(old.cached, new.cached),
        remote: new.remote.or(old.remote),
        cache_size: new.cache_size.or(old.cache_size),
        temp: new.temp.map(|temp| own_limits(temp, old.temp.as_ref())),
        retirement: new.retirement.or_else(|| old.retirement.clone()),
        note: new.note.or_else(|| old.note.clone()),
        ..new
    }
}

/// A temp disk with its own limits, which only the documentation tells.
fn own_limits(mut temp: TempDisk, old: Option<&TempDisk>) -> TempDisk {
    if let Some(old) = old {
        temp.read = or_old(temp.read, old.read);
        temp.write = or_old(temp.write, old.write);
    }
    temp
}

fn or_old(new: Limits, old: Limits) -> Limits {
    Limits {
        iops: new.iops.or(old.iops),
        mbps: new.mbps.or(old.mbps),
    }
}

/// The ceiling of a refreshed row: its own base, the documented burst, and the printed figure while it is one of the
/// same cap.
fn documented(old: Ceiling, new: Ceiling) -> Ceiling {
    let base = or_old(new.base, old.base);
    let listed = old.listed_mbps.filter(|_| base.mbps == old.base.mbps);
    Ceiling {
        base,
        burst: new.burst.or(old.burst),
        listed_mbps: new.listed_mbps.or(listed),
    }
}
