//! What a cloud does not let a disk be or have, the id of the finding that says so, and what there is instead.

use super::Catalog;
use super::azure::{self, refusals};
use super::disk::{DiskModel, DiskRequest, Family};
use super::vm::VmSize;
use jiff::civil::Date;

/// Something that a disk cannot be or have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The id of the finding that says so.
    pub id: &'static str,
    /// Why.
    pub why: String,
    /// What to do instead.
    pub instead: String,
}

impl DiskModel {
    /// Why it cannot be cached on the host, where `max_shares` VMs may attach it; `None` where it can.
    #[must_use]
    pub fn caching_refusal(&self, max_shares: u32) -> Option<Refusal> {
        if self.cacheable {
            return None;
        }
        if self.family.is_local() || self.family == Family::Custom {
            return Some(Refusal {
                id: "FEATURE-NOT-OFFERED",
                why: format!("host caching is not offered for {}", self.label),
                instead: "set cache=none".to_owned(),
            });
        }
        Some(refusals::caching(self, max_shares))
    }

    /// What speaks against attaching it to several VMs, where it counts as one that can be and sources do not agree.
    #[must_use]
    pub fn sharing_doubt(&self) -> Option<&'static str> {
        refusals::sharing_doubt(self)
    }

    /// What speaks against its burst from credit, where it was asked for as `request`: that it has one is taken over from
    /// other disks.
    #[must_use]
    pub fn burst_doubt(&self, request: &DiskRequest) -> Option<&'static str> {
        refusals::burst_doubt(self, request)
    }

    /// Why it cannot be, or had better not be, the OS disk.
    #[must_use]
    pub fn os_refusal(&self) -> Option<Refusal> {
        refusals::os_disk(self)
    }
}

impl Family {
    /// The family whose figures hold without burst credit, whatever the size: what a fix names for a disk that bursts.
    pub const STEADY: Self = azure::STEADY;

    /// The id of the finding that a setting is out of the family's range.
    #[must_use]
    pub const fn range_id(self) -> &'static str {
        match self.provisioned_rules() {
            Some(rules) => rules.range_id,
            None => "DISK-RANGE",
        }
    }
}

impl VmSize {
    /// The name of the second, higher ceiling of remote traffic, [`remote`](Self::remote).
    pub const REMOTE_NAME: &'static str = azure::FAST_CEILING;

    /// Whether it is not yet retired on `day`; so where no retirement is announced.
    #[must_use]
    pub fn is_in_service_on(&self, day: Date) -> bool {
        super::query::in_service(self, day)
    }

    /// Whether some region is known to offer disks of `family` with this size; `None` where nothing says.
    #[must_use]
    pub const fn lists(&self, family: Family) -> Option<bool> {
        match family {
            Family::Ultra => self.ultra,
            _ => Some(true),
        }
    }
}

impl Catalog {
    /// Whether `vm` is not yet retired on the day of the newest data; so where that has no day.
    #[must_use]
    pub fn is_in_service(&self, vm: &VmSize) -> bool {
        let day = self.info().newest();
        day.is_none_or(|day| vm.is_in_service_on(day))
    }

    /// Where a person looks up what the catalogue does not know of a size.
    pub const SIZE_LIST: &'static str = azure::SIZE_LIST;

    /// The size that is `vm` with premium storage: as many vCPUs, as much memory.
    #[must_use]
    pub fn premium_twin(&self, vm: &VmSize) -> Option<&VmSize> {
        let twins = |other: &VmSize| azure::series::are_premium_twins(&other.series, &vm.series);
        self.vms().iter().find(|other| {
            other.premium_storage == Some(true)
                && other.parent.is_none()
                && other.vcpus == vm.vcpus
                && other.memory == vm.memory
                && twins(other)
        })
    }

    /// The size with local disks of `family` that is the same as `vm` but for them: in its series with a local disk, with
    /// its vCPUs and memory.
    #[must_use]
    pub fn local_twin(&self, vm: &VmSize, family: Family) -> Option<&VmSize> {
        let twins = |other: &VmSize| azure::series::are_local_disk_twins(&other.series, &vm.series);
        let has_it = |other: &VmSize| match family {
            Family::Temp => other.temp_model().is_some(),
            _ => other.nvme_model().is_some(),
        };
        self.vms().iter().find(|other| {
            has_it(other)
                && other.parent.is_none()
                && other.vcpus == vm.vcpus
                && other.memory == vm.memory
                && twins(other)
        })
    }
}
