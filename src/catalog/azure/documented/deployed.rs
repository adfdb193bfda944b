//! What is documented of what is deployed, and what its answers mean.

use super::{BILLING, DATA, DISK_TYPES, PERFORMANCE_TIERS, REMOTE_NVME, STATES, ZONES};
use crate::catalog::Documented;

pub(super) const TEXTS: &[Documented] = &[
    Documented::new(
        "IMPLAUSIBLE-VALUE",
        "Values that contradict each other or what is possible are pointed out and taken as unknown: no disk carries \
         more than 256 KiB for each I/O that it is provisioned for, published examples of Premium SSD v2 and Ultra have \
         IOPS and MB/s exchanged, and more than twice what the largest disk of a kind is known to have is an error rather \
         than a limit that Azure has raised.",
        DISK_TYPES,
    ),
    Documented::new(
        "DISKS-UNKNOWN",
        "The answer that was read names no disk of the VM: it was cut off, or is not the VM's own. Nothing can be \
         judged of it.",
        "the answer that was read",
    ),
    Documented::new(
        "UNKNOWN-SIZE",
        "Without a known size there are no ceilings of the VM: its disks are looked at by themselves, and what they \
         reach is an upper bound. A list of SKUs (`az vm list-skus`) beside the VM makes the size known.",
        DATA,
    ),
    Documented::new(
        "UNKNOWN-DISK-SKU",
        "A SKU that no rule here knows is taken as a remote disk with the limits that it reports itself, without \
         bursting and host caching; what it does not report is unknown.",
        DATA,
    ),
    Documented::new(
        "DEPLOYED-LIMITS",
        "What the platform says of a deployed disk wins over documentation: its figures are used as reported. Where \
         they differ from the rules known here, either the rules have changed, or a setting is not in the answer \
         (performance plus), or what was saved is of different times.",
        DISK_TYPES,
    ),
    Documented::new(
        "DISK-UNATTACHED",
        "A managed disk is billed for its provisioned size and performance whether or not a VM uses it.",
        BILLING,
    ),
    Documented::new(
        "ATTACHMENT-MISMATCH",
        "A VM lists its disks, and a disk names the VM that it is attached to. Where the two do not agree, they were \
         saved at different times, or an attach or detach stopped half-way: what the VM lists is what its figures are \
         made of, and the disk may be billed for nothing.",
        STATES,
    ),
    Documented::new(
        "VM-STOPPED",
        "A VM that was shut down from within stays allocated: its size is billed as if it ran. Only a deallocated VM is \
         not.",
        STATES,
    ),
    Documented::new(
        "VM-DEALLOCATED",
        "Deallocating a VM ends the billing of its size; its disks are billed on for what they are provisioned.",
        STATES,
    ),
    Documented::new(
        "TIER-RAISED",
        "A raised performance tier is billed as the larger disk until it is lowered again. It is meant for busy times \
         and easily forgotten; it can be lowered 12 hours after the last change. Where performance plus does as much, it lifts \
         nothing.",
        PERFORMANCE_TIERS,
    ),
    Documented::titled(
        "ULTRA-RESERVATION",
        "Ultra disks are enabled and none is attached",
        "A VM that may use Ultra disks and has none attached is billed a reservation for each vCPU.",
        BILLING,
    ),
    Documented::titled(
        "ULTRA-NOT-ENABLED",
        "an Ultra disk on a VM that does not say that it may have one",
        "A VM must be set to allow Ultra disks (additionalCapabilities.ultraSSDEnabled), which is possible only while \
         it is deallocated.",
        "Azure, using Ultra disks",
    ),
    Documented::new(
        "ZONE-MISMATCH",
        "A locally redundant disk can be attached to VMs of its own zone only. Where answers say otherwise, they are of \
         different times.",
        ZONES,
    ),
    Documented::new(
        "ZONE-NOT-OFFERED",
        "Premium SSD v2 and Ultra disks are offered in some regions and zones only; Ultra also only with some sizes in \
         each zone.",
        "Azure, resource SKUs (zones, UltraSSDAvailable)",
    ),
    Documented::new(
        "SIZE-NOT-OFFERED",
        "A list of SKUs says which sizes a region sells, in which zones, and what of that is closed to the subscription \
         (NotAvailableForSubscription, QuotaId). What runs there is left alone. A VM gets its place on a host anew whenever it is \
         made, resized or started after it was deallocated, and a size that is closed may be refused then (SkuNotAvailable, \
         AllocationFailed). A list that was saved without --all leaves out what is closed; that a size is not in it is \
         therefore told as information.",
        "Azure, resolve errors for SKU not available; allocation failures of virtual machines",
    ),
    Documented::new(
        "STRIPE-ZONES",
        "Disks of one stripe are attached to one VM, so that they must be in its zone; a stripe is as available as all \
         its members together.",
        ZONES,
    ),
    Documented::new(
        "CONTROLLER",
        "A size offers SCSI, NVMe or both, and an image says which of them its drivers take. A VM with another one \
         cannot be started or resized as it is.",
        REMOTE_NVME,
    ),
    Documented::new(
        "NO-TEMP-DISK",
        "Windows images put the page file on the temp disk, and SQL Server often has its tempdb there. A size without \
         one leaves the page file on the OS disk, where it takes part in its IOPS; local NVMe disks come unformatted, \
         so that neither is put there by itself.",
        "Azure, VM sizes with no local temporary disk",
    ),
    Documented::titled(
        "WRITE-ACCELERATOR",
        "Write Accelerator where it cannot be",
        "Write Accelerator exists for Premium SSD on M-series sizes, with host caching None or ReadOnly, and for a \
         number of disks that follows from the size.",
        "Azure, enable Write Accelerator",
    ),
    Documented::titled(
        "UNMANAGED-DISK",
        "a disk that is a page blob in a storage account",
        "Unmanaged disks retired on 2026-03-31: a VM with one can no longer be started. Their limits depend on the \
         storage account, which is not read here, and are unknown.",
        "Azure, unmanaged disks retirement",
    ),
];
