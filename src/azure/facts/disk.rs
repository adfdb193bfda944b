//! What is known of one managed disk.

use std::ops::Deref;
use std::sync::Arc;

use jiff::Timestamp;

use super::belief::believed;
use super::id::{Region, ResourceId};
use super::named::{self, DiskSku, DiskState, Named, Os, differ};
use super::problem::{Notes, Problem};
use super::vm::{node, resource_group, resource_id, zones};
use crate::azure::arm::shape::Resource;
use crate::catalog::{Interface, Limits};
use crate::units::{GIB, GiB};

/// One managed disk as it is deployed. `None` means that the source does not say.
///
/// What many disks of a fleet have alike lies in its [`DiskSettings`], whose fields are read as the disk's own.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskFacts {
    /// Resource id.
    pub id: Option<ResourceId>,
    /// Name.
    pub name: Box<str>,
    /// The VMs that it is attached to.
    pub attached_to: Vec<ResourceId>,
    /// Since when on-demand bursting is on.
    pub on_demand_burst_since: Option<Timestamp>,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// When it was last attached or detached.
    pub ownership_changed: Option<Timestamp>,
    /// All else, held once for all disks that have it alike.
    pub settings: Arc<DiskSettings>,
}

impl Deref for DiskFacts {
    type Target = DiskSettings;

    fn deref(&self) -> &DiskSettings {
        &self.settings
    }
}

/// What disks may have alike.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DiskSettings {
    /// Resource group.
    pub resource_group: Option<Arc<str>>,
    /// Region.
    pub region: Option<Region>,
    /// Availability zones.
    pub zones: Vec<Arc<str>>,
    /// SKU.
    pub sku: Option<DiskSku>,
    /// Capacity.
    pub size: Option<GiB>,
    /// Provisioned limits; unknown where the source is silent or says something that cannot be.
    pub limits: Limits,
    /// Limits of read-only mounts of a shared disk.
    pub read_only_limits: Limits,
    /// Performance tier (`P30`).
    pub tier: Option<Arc<str>>,
    /// A tier that the disk is changing to.
    pub target_tier: Option<Arc<str>>,
    /// On-demand bursting.
    pub on_demand_burst: Option<bool>,
    /// Performance plus.
    pub performance_plus: Option<bool>,
    /// How many VMs may attach it.
    pub max_shares: Option<u32>,
    /// Sector size in bytes, where said (Ultra, Premium SSD v2).
    pub sector_bytes: Option<u32>,
    /// Whether it is attached.
    pub state: Option<Named<DiskState>>,
    /// Operating system on it.
    pub os: Option<Named<Os>>,
    /// Whether the VM that it boots is of generation 1, where said.
    pub is_generation_1: Option<bool>,
    /// Controllers that the image on it supports; empty where not said.
    pub controllers: Vec<Interface>,
    /// The file or address it was read from.
    pub source: Arc<str>,
}

impl DiskFacts {
    /// Reads a disk; `None`, with a note, where it has neither name nor id.
    pub(crate) fn read(resource: &Resource, notes: &mut Notes<'_>) -> Option<Self> {
        let id = resource_id(resource, notes);
        // Read before the name is looked for: limits that cannot be are worth a word in the body of a request, too.
        let settings = DiskSettings::read(resource, id.as_ref(), notes);
        let name = resource.name.text().map(Box::from);
        let Some(name) = name.or_else(|| id.as_ref().map(|id| id.name().into())) else {
            notes.add(Problem::Nameless { what: "a disk" });
            return None;
        };
        Some(Self {
            name,
            attached_to: attached_to(resource, notes),
            on_demand_burst_since: named::timestamp(&resource.bursting_enabled_time),
            created: named::timestamp(&resource.time_created),
            ownership_changed: named::timestamp(&resource.last_ownership_update),
            settings: notes.settings(settings),
            id,
        })
    }

    /// What another reading of the same disk says otherwise.
    pub(crate) fn differs_in(&self, other: &Self) -> Vec<&'static str> {
        let (own, others) = (&self.limits, &other.limits);
        let differences = [
            ("SKU", differ(self.sku.as_ref(), other.sku.as_ref())),
            ("size", differ(self.size.as_ref(), other.size.as_ref())),
            (
                "IOPS limit",
                differ(own.iops.as_ref(), others.iops.as_ref()),
            ),
            (
                "MB/s limit",
                differ(own.mbps.as_ref(), others.mbps.as_ref()),
            ),
            (
                "performance tier",
                differ(self.tier.as_ref(), other.tier.as_ref()),
            ),
        ];
        let differing = differences.into_iter().filter(|(_, differs)| *differs);
        differing.map(|(what, _)| what).collect()
    }

    /// The same disk read again: what `newer` does not say is kept.
    pub(crate) fn merge(&mut self, newer: Self) {
        let older = std::mem::replace(self, newer);
        if self.attached_to.is_empty() && self.state.is_none() {
            self.attached_to = older.attached_to;
        }
        self.on_demand_burst_since = self.on_demand_burst_since.or(older.on_demand_burst_since);
        self.created = self.created.or(older.created);
        self.ownership_changed = self.ownership_changed.or(older.ownership_changed);
        if self.settings != older.settings {
            Arc::make_mut(&mut self.settings).fill_from(&older.settings);
        }
    }
}

impl DiskSettings {
    fn read(resource: &Resource, id: Option<&ResourceId>, notes: &mut Notes<'_>) -> Self {
        let creation = node(&resource.creation, "creationData", notes);
        let sku = sku(resource, notes);
        let limits = Limits {
            iops: notes.quantity("diskIOPSReadWrite", &resource.disk_iops),
            mbps: notes.quantity("diskMBpsReadWrite", &resource.disk_mbps),
        };
        let family = sku.as_ref().and_then(|sku| sku.family);
        let limits = believed(limits, family, notes);
        let updates = &resource.updates_in_progress;
        let updates = node(updates, "propertyUpdatesInProgress", notes);
        Self {
            resource_group: resource_group(resource, id, notes),
            region: notes.region(&resource.location),
            zones: zones(resource, notes),
            size: size(resource, notes),
            limits,
            read_only_limits: Limits {
                iops: notes.quantity("diskIOPSReadOnly", &resource.disk_iops_read_only),
                mbps: notes.quantity("diskMBpsReadOnly", &resource.disk_mbps_read_only),
            },
            tier: notes.shared(&resource.tier),
            target_tier: updates.and_then(|updates| notes.shared(&updates.target_tier)),
            on_demand_burst: notes.flag("burstingEnabled", &resource.bursting_enabled),
            performance_plus: creation
                .and_then(|data| notes.flag("performancePlus", &data.performance_plus)),
            max_shares: notes.whole("maxShares", &resource.max_shares),
            sector_bytes: creation
                .and_then(|data| notes.whole("logicalSectorSize", &data.logical_sector_size)),
            state: named::disk_state(&resource.disk_state),
            os: named::os(&resource.os_type),
            is_generation_1: resource
                .hyper_v_generation
                .words()
                .map(|generation| generation.eq_ignore_ascii_case("V1")),
            controllers: node(&resource.supported, "supportedCapabilities", notes)
                .map(|supported| named::controllers(&supported.controllers))
                .unwrap_or_default(),
            sku,
            source: notes.source(),
        }
    }

    /// Takes from `older` what is not said here.
    fn fill_from(&mut self, older: &Self) {
        fn keep<T: Clone>(own: &mut Option<T>, older: &Option<T>) {
            if own.is_none() {
                own.clone_from(older);
            }
        }
        if self.zones.is_empty() {
            self.zones.clone_from(&older.zones);
        }
        if self.controllers.is_empty() {
            self.controllers.clone_from(&older.controllers);
        }
        keep(&mut self.limits.iops, &older.limits.iops);
        keep(&mut self.limits.mbps, &older.limits.mbps);
        keep(&mut self.resource_group, &older.resource_group);
        keep(&mut self.region, &older.region);
        keep(&mut self.sku, &older.sku);
        keep(&mut self.size, &older.size);
        keep(&mut self.tier, &older.tier);
        keep(&mut self.on_demand_burst, &older.on_demand_burst);
        keep(&mut self.performance_plus, &older.performance_plus);
        keep(&mut self.max_shares, &older.max_shares);
        keep(&mut self.sector_bytes, &older.sector_bytes);
        keep(&mut self.state, &older.state);
        keep(&mut self.os, &older.os);
        keep(&mut self.is_generation_1, &older.is_generation_1);
    }
}

/// The SKU: in its object, or as the text that a query made of it.
fn sku(resource: &Resource, notes: &mut Notes<'_>) -> Option<DiskSku> {
    let as_text = resource
        .sku
        .odd()
        .map(|text| DiskSku::new(notes.pool(text)));
    if let Some(sku) = as_text.filter(|sku| sku.family.is_some()) {
        return Some(sku);
    }
    node(&resource.sku, "sku", notes)
        .and_then(|sku| notes.disk_sku(&sku.name))
        .or_else(|| notes.disk_sku(&resource.sku_name))
        .or_else(|| notes.disk_sku(&resource.account_type))
}

/// The capacity: as stated in GiB, else from the bytes.
fn size(resource: &Resource, notes: &mut Notes<'_>) -> Option<GiB> {
    notes
        .quantity("diskSizeGB", &resource.disk_size_gb)
        .or_else(|| {
            let bytes = notes.number("diskSizeBytes", &resource.disk_size_bytes)?;
            GiB::new(bytes / GIB as f64).ok()
        })
        .filter(|size| size.get() > 0.0)
}

/// Every VM that the disk says it is attached to, each once.
fn attached_to(resource: &Resource, notes: &mut Notes<'_>) -> Vec<ResourceId> {
    let managed_by = notes.id(&resource.managed_by);
    let owner = managed_by.or_else(|| notes.id(&resource.owner_id));
    let mut vms: Vec<ResourceId> = owner.into_iter().collect();
    let extended = &resource.managed_by_extended.items;
    let extended = extended.iter().filter_map(|text| ResourceId::new(text));
    let shares = &resource.share_info.items;
    let shares = shares
        .iter()
        .filter_map(|share| ResourceId::new(share.vm_uri.as_str()?));
    for id in extended.chain(shares) {
        if !vms.contains(&id) {
            vms.push(id);
        }
    }
    vms
}
