//! What to do about findings of deployed VMs and of their metrics, whatever their numbers. A finding whose fix needs no numbers
//! says the same words.

use crate::planner::{Finding, FindingId as Id};

/// What to do about it; `None` where the planner says so, or it only says something worth knowing.
#[must_use]
pub(crate) const fn remedy(id: Id) -> Option<&'static str> {
    match of_metrics(id) {
        Some(words) => Some(words),
        None => of_deployed(id),
    }
}

/// The finding with those words.
pub(crate) fn with_remedy(finding: Finding) -> Finding {
    let words = remedy(finding.id).map(ToOwned::to_owned);
    finding.fix_if(words)
}

const fn of_metrics(id: Id) -> Option<&'static str> {
    Some(match id {
        Id::ThrottledVmCached => {
            "set host caching to None where a disk writes much or misses the cache, or take a size with a higher cached \
             ceiling"
        }
        Id::ThrottledVmUncached => {
            "take a size with a higher uncached ceiling; host caching ReadOnly takes reads that hit off this ceiling"
        }
        Id::ThrottledDisk => {
            "give it more: a larger size or performance tier; for data also a stripe, or a family where IOPS and MB/s can be set"
        }
        Id::BurstCreditLow => {
            "give it a sustained ceiling that holds this load, or spread the load"
        }
        Id::OnDemandBurstUnused => {
            "turn on-demand bursting off (`az disk update --enable-bursting false`), unless the load of another time needs it"
        }
        Id::PaidUnused => {
            "provision what its peak needs, lower the performance tier, or take a slower family or a smaller size, unless \
             another time needs more"
        }
        _ => return None,
    })
}

const fn of_deployed(id: Id) -> Option<&'static str> {
    Some(match id {
        Id::PaidBurst => {
            "disable it where bursts are rare (`az disk update --enable-bursting false`): credit bursting ends at 512 GiB, a higher tier for the busy time may cost less"
        }
        Id::ImplausibleValue => "check the disk with `az disk show`",
        Id::DisksUnknown => "save it anew, whole: `az vm show`, or ConvertTo-Json -Depth 20",
        Id::UnknownSize => "add the SKU list of its region: `az vm list-skus --location REGION`",
        Id::UnknownDiskSku => "look its limits up, or use a newer version",
        Id::DeployedLimits => {
            "check the disk with `az disk show`: it is computed with what it reports, for Azure may have raised its limits since"
        }
        Id::WriteHeavyCache => "set host caching to None",
        Id::DiskUnattached => {
            "keep a snapshot of it, which is billed for what is used only, and delete it where nobody needs it"
        }
        Id::AttachmentMismatch => {
            "save VMs and disks anew, one right after the other; where they still differ, detach the disk \
             (`az vm disk detach`), or attach it again"
        }
        Id::VmStopped => "deallocate it: `az vm deallocate`",
        Id::VmDeallocated => {
            "while it is off, lower raised performance tiers and provisioned figures, or change its disks to a cheaper \
             family: the fix names what goes"
        }
        Id::TierRaised => "lower it to the tier of its size when the busy time is over",
        Id::UltraReservation => {
            "set ultraSSDEnabled to false while it is deallocated: `az vm update --ultra-ssd-enabled false`"
        }
        Id::UltraNotEnabled => {
            "set it while the VM is deallocated: `az vm update --ultra-ssd-enabled true`"
        }
        Id::ZoneMismatch => "save VM and disks anew: they cannot be attached like this",
        Id::ZoneNotOffered => {
            "check the zones with `az vm list-skus --zone`, or move to one that offers it"
        }
        Id::SizeNotOffered => {
            "ask Azure support for the size in this region, or resize the VM to one that it can have \
             (`az vm list-vm-resize-options`)"
        }
        Id::StripeZones => "make the members alike",
        Id::Controller => {
            "check the VM with `az vm show`; where the image lacks the drivers, install them, or change the controller"
        }
        Id::NoTempDisk => {
            "see that the OS disk has room for paging; sizes with a 'd' in their names have a local disk: up to version 5 a \
             temp disk, from version 6 on NVMe disks that are to be formatted first; a VM without one must be made anew for \
             them, as it cannot be resized to them"
        }
        Id::WriteAccelerator => {
            "disable it (`az vm update --write-accelerator LUN=false`), or move the log to a Premium SSD of an M-series VM"
        }
        Id::UnmanagedDisk => {
            "convert it to a managed disk, with all others of the VM and while that is deallocated: `az vm convert`"
        }
        _ => return None,
    })
}
