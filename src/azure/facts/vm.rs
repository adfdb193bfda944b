//! What is known of one virtual machine.

use std::ops::Deref;
use std::sync::Arc;

use jiff::Timestamp;

use super::id::{Region, ResourceId};
use super::named::{self, DiskSku, Named, Os, Power, differ};
use super::problem::{Notes, Problem};
use crate::azure::arm::list::List;
use crate::azure::arm::loose::{Node, Scalar};
use crate::azure::arm::shape::{self, Resource, Status};
use crate::catalog::{Interface, Limits};
use crate::deployment::HostCaching;
use crate::units::{GiB, Iops, MBps};

/// One virtual machine as it is deployed. `None` means that the source does not say.
#[derive(Debug, Clone, PartialEq)]
pub struct VmFacts {
    /// Resource id.
    pub id: Option<ResourceId>,
    /// Name.
    pub name: Box<str>,
    /// Resource group.
    pub resource_group: Option<Arc<str>>,
    /// Region.
    pub region: Option<Region>,
    /// Availability zones.
    pub zones: Vec<Arc<str>>,
    /// Size, as written.
    pub size: Option<Arc<str>>,
    /// vCPUs that the guest sees, where set apart from the size's own.
    pub vcpus: Option<u32>,
    /// Operating system.
    pub os: Option<Named<Os>>,
    /// Whether its Windows licence is brought along (Azure Hybrid Benefit), so that the size is billed without one.
    pub own_license: Option<bool>,
    /// Whether it is a Spot VM.
    pub spot: Option<bool>,
    /// Disk controller.
    pub controller: Option<Named<Interface>>,
    /// Whether Ultra disks may be attached.
    pub ultra_enabled: Option<bool>,
    /// Whether it runs.
    pub power: Option<Named<Power>>,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// The scale set that it is an instance of.
    pub scale_set: Option<Arc<str>>,
    /// The OS disk.
    pub os_disk: Option<AttachedDisk>,
    /// The data disks, in the order of the source.
    pub data_disks: Vec<AttachedDisk>,
    /// The file or address it was read from.
    pub source: Arc<str>,
}

/// What lies behind an attached disk.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Backing {
    /// A managed disk.
    Managed,
    /// The local SSD of the host: an ephemeral OS disk.
    Ephemeral {
        /// `CacheDisk`, `ResourceDisk` or `NvmeDisk`, where said.
        placement: Option<Box<str>>,
    },
    /// A page blob in a storage account.
    Vhd {
        /// Its address.
        uri: Box<str>,
    },
    /// The source does not say.
    Unknown,
}

/// A disk as its VM sees it.
///
/// What many disks of a fleet have alike lies in its [`Attachment`], whose fields are read as the disk's own.
#[derive(Debug, Clone, PartialEq)]
pub struct AttachedDisk {
    /// Name.
    pub name: Option<Box<str>>,
    /// The managed disk's id.
    pub id: Option<ResourceId>,
    /// All else, held once for all disks that have it alike.
    pub attachment: Arc<Attachment>,
}

impl Deref for AttachedDisk {
    type Target = Attachment;

    fn deref(&self) -> &Attachment {
        &self.attachment
    }
}

/// How a VM has a disk.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Attachment {
    /// Logical unit number; the OS disk has none.
    pub lun: Option<u32>,
    /// What lies behind it.
    pub backing: Backing,
    /// SKU, where the VM repeats it.
    pub sku: Option<DiskSku>,
    /// Capacity, where the VM repeats it.
    pub size: Option<GiB>,
    /// Limits, where the VM repeats them.
    pub limits: Limits,
    /// Host caching.
    pub caching: Option<Named<HostCaching>>,
    /// Write Accelerator.
    pub write_accelerator: Option<bool>,
}

impl VmFacts {
    /// Reads a VM, or an instance of a scale set; `None`, with a note, where it has neither name nor id.
    pub(crate) fn read(resource: &Resource, notes: &mut Notes<'_>) -> Option<Self> {
        let id = resource_id(resource, notes);
        let Some(name) = resource
            .name
            .text()
            .or_else(|| id.as_ref().map(|id| id.name().to_owned()))
        else {
            notes.add(Problem::Nameless { what: "a VM" });
            return None;
        };
        let storage = node(&resource.storage, "storageProfile", notes);
        let os_shape = node(
            storage.map_or(&resource.os_disk, |s| &s.os_disk),
            "osDisk",
            notes,
        );
        let data_disks = data_disks(
            storage.map_or(&resource.data_disks, |s| &s.data_disks),
            notes,
        );
        Some(Self {
            name: name.into(),
            resource_group: resource_group(resource, id.as_ref(), notes),
            region: notes.region(&resource.location),
            zones: zones(resource, notes),
            size: size(resource, notes),
            vcpus: vcpus(resource, notes),
            os: os_shape.and_then(|disk| named::os(&disk.os_type)),
            own_license: resource.license_type.as_str().map(is_windows_license),
            spot: resource.priority.as_str().map(is_spot),
            controller: storage.and_then(|s| named::controller(&s.controller)),
            ultra_enabled: node(&resource.capabilities_on, "additionalCapabilities", notes)
                .and_then(|on| notes.flag("ultraSSDEnabled", &on.ultra_ssd_enabled)),
            power: power(resource),
            created: named::timestamp(&resource.time_created),
            scale_set: scale_set(resource, id.as_ref(), notes),
            os_disk: os_shape.map(|disk| AttachedDisk::read(disk, notes)),
            data_disks,
            id,
            source: notes.source(),
        })
    }

    /// What another reading of the same VM says otherwise.
    pub(crate) fn differs_in(&self, other: &Self) -> Vec<&'static str> {
        let disks = |vm: &Self| -> Option<Vec<String>> {
            let names = vm.disks().filter_map(|disk| disk.name.as_deref());
            let mut names: Vec<String> = names.map(str::to_lowercase).collect();
            names.sort_unstable();
            (!names.is_empty()).then_some(names)
        };
        let size = |vm: &Self| vm.size.as_deref().map(str::to_lowercase);
        let differences = [
            ("size", differ(size(self).as_ref(), size(other).as_ref())),
            (
                "power state",
                differ(self.power.as_ref(), other.power.as_ref()),
            ),
            (
                "set of disks",
                differ(disks(self).as_ref(), disks(other).as_ref()),
            ),
        ];
        let differing = differences.into_iter().filter(|(_, differs)| *differs);
        differing.map(|(what, _)| what).collect()
    }

    /// The same VM read again: what `newer` does not say is kept.
    pub(crate) fn merge(&mut self, newer: Self) {
        let disks_known = newer.os_disk.is_some() || !newer.data_disks.is_empty();
        let older = std::mem::replace(self, newer);
        if !disks_known {
            self.os_disk = older.os_disk;
            self.data_disks = older.data_disks;
        }
        if self.zones.is_empty() {
            self.zones = older.zones;
        }
        self.resource_group = self.resource_group.take().or(older.resource_group);
        self.region = self.region.take().or(older.region);
        self.size = self.size.take().or(older.size);
        self.vcpus = self.vcpus.or(older.vcpus);
        self.os = self.os.take().or(older.os);
        self.own_license = self.own_license.or(older.own_license);
        self.spot = self.spot.or(older.spot);
        self.controller = self.controller.take().or(older.controller);
        self.ultra_enabled = self.ultra_enabled.or(older.ultra_enabled);
        self.power = self.power.take().or(older.power);
        self.created = self.created.or(older.created);
        self.scale_set = self.scale_set.take().or(older.scale_set);
    }

    /// The OS disk and the data disks.
    pub fn disks(&self) -> impl Iterator<Item = &AttachedDisk> {
        self.os_disk.iter().chain(&self.data_disks)
    }
}

/// Whether a licence type is one of Windows that is brought along. Source: Azure, REST API of virtual machines,
/// `licenseType`.
fn is_windows_license(text: &str) -> bool {
    ["Windows_Server", "Windows_Client"]
        .iter()
        .any(|own| own.eq_ignore_ascii_case(text))
}

/// Whether a priority is that of Spot VMs; `Low` is its older name.
fn is_spot(text: &str) -> bool {
    ["Spot", "Low"]
        .iter()
        .any(|spot| spot.eq_ignore_ascii_case(text))
}

/// The object, or a note that an export cut it off.
pub(super) fn node<'r, T>(
    field: &'r Node<T>,
    name: &'static str,
    notes: &mut Notes<'_>,
) -> Option<&'r T> {
    if field.odd().is_some() {
        notes.add(Problem::CutShort { field: name });
    }
    field.get()
}

/// The id, under whichever name it goes.
pub(super) fn resource_id(resource: &Resource, notes: &mut Notes<'_>) -> Option<ResourceId> {
    notes
        .id(&resource.id)
        .or_else(|| notes.id(&resource.resource_id))
}

/// The zones, of whichever field says them.
pub(super) fn zones(resource: &Resource, notes: &mut Notes<'_>) -> Vec<Arc<str>> {
    let said = [&resource.zones.items, &resource.zone.items];
    let zones = said.into_iter().find(|zones| !zones.is_empty());
    let zones = zones.into_iter().flatten();
    zones.map(|zone| notes.pool(zone)).collect()
}

/// The resource group, from the id or from the field that tools add.
pub(super) fn resource_group(
    resource: &Resource,
    id: Option<&ResourceId>,
    notes: &mut Notes<'_>,
) -> Option<Arc<str>> {
    if let Some(group) = id.and_then(ResourceId::resource_group) {
        return Some(notes.pool(group));
    }
    notes
        .shared(&resource.resource_group)
        .or_else(|| notes.shared(&resource.resource_group_name))
}

/// The size: of the hardware profile, beside it, or of the SKU that scale-set instances have instead.
fn size(resource: &Resource, notes: &mut Notes<'_>) -> Option<Arc<str>> {
    let hardware = node(&resource.hardware, "hardwareProfile", notes);
    hardware
        .and_then(|hardware| notes.shared(&hardware.vm_size))
        .or_else(|| notes.shared(&resource.vm_size))
        .or_else(|| notes.shared(&resource.sku.get()?.name))
}

fn vcpus(resource: &Resource, notes: &mut Notes<'_>) -> Option<u32> {
    let properties = resource.hardware.get()?.size_properties.get()?;
    notes.whole("vCPUsAvailable", &properties.vcpus_available)
}

/// The scale set, from the instance's id or, in flexible orchestration, from the VM's reference to it.
fn scale_set(
    resource: &Resource,
    id: Option<&ResourceId>,
    notes: &mut Notes<'_>,
) -> Option<Arc<str>> {
    if let Some(name) = id.and_then(ResourceId::scale_set) {
        return Some(notes.pool(name));
    }
    let reference = notes.id(&resource.scale_set.get()?.id)?;
    Some(notes.pool(reference.name()))
}

/// The power state, from whichever of the four places that tools keep it in.
fn power(resource: &Resource) -> Option<Named<Power>> {
    let of_statuses = |statuses: &List<Status>| {
        let codes = statuses.items.iter().map(|status| &status.code);
        codes.filter(|code| is_power(code)).find_map(named::power)
    };
    let views = [
        resource.instance_view.get(),
        resource.extended.get().and_then(|e| e.instance_view.get()),
    ];
    views
        .into_iter()
        .flatten()
        .find_map(|view| {
            of_statuses(&view.statuses)
                .or_else(|| view.power_state.get().and_then(|s| named::power(&s.code)))
        })
        .or_else(|| of_statuses(&resource.statuses))
        .or_else(|| named::power(&resource.power_state))
}

fn is_power(code: &Scalar) -> bool {
    code.as_str()
        .and_then(|code| code.split_once('/'))
        .is_some_and(|(head, _)| head.eq_ignore_ascii_case("PowerState"))
}

fn data_disks(list: &List<shape::AttachedDisk>, notes: &mut Notes<'_>) -> Vec<AttachedDisk> {
    if list.odd.is_some() {
        notes.add(Problem::CutShort { field: "dataDisks" });
    }
    list.items
        .iter()
        .map(|disk| AttachedDisk::read(disk, notes))
        .collect()
}

impl AttachedDisk {
    fn read(disk: &shape::AttachedDisk, notes: &mut Notes<'_>) -> Self {
        let managed = node(&disk.managed, "managedDisk", notes);
        let ephemeral = node(&disk.ephemeral, "diffDiskSettings", notes);
        let vhd = node(&disk.vhd, "vhd", notes).and_then(|vhd| vhd.uri.text());
        let backing = match (ephemeral, vhd, managed) {
            (Some(settings), _, _)
                if settings.option.words().is_some() || settings.placement.words().is_some() =>
            {
                Backing::Ephemeral {
                    placement: settings.placement.text().map(Into::into),
                }
            }
            (_, Some(uri), _) => Backing::Vhd { uri: uri.into() },
            (_, None, Some(_)) => Backing::Managed,
            (_, None, None) => Backing::Unknown,
        };
        let attachment = Attachment {
            lun: notes.whole("lun", &disk.lun),
            backing,
            sku: managed.and_then(|m| notes.disk_sku(&m.storage_account_type)),
            size: notes.quantity::<GiB>("diskSizeGB", &disk.disk_size_gb),
            limits: Limits {
                iops: notes.quantity::<Iops>("diskIOPSReadWrite", &disk.disk_iops),
                mbps: notes.quantity::<MBps>("diskMBpsReadWrite", &disk.disk_mbps),
            },
            caching: named::caching(&disk.caching),
            write_accelerator: notes.flag("writeAcceleratorEnabled", &disk.write_accelerator),
        };
        Self {
            name: disk.name.text().map(Into::into),
            id: managed.and_then(|m| notes.id(&m.id)),
            attachment: notes.attachment(attachment),
        }
    }
}
