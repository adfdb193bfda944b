//! What is known of one managed disk.

use std::sync::Arc;

use jiff::Timestamp;

use super::id::{Region, ResourceId};
use super::named::{self, DiskSku, DiskState, Named, Os, differ};
use super::problem::{Notes, Problem};
use super::vm::{node, resource_group, resource_id, zones};
use crate::azure::arm::shape::Resource;
use crate::catalog::{Family, Interface, Limits};
use crate::units::{BlockSize, GIB, GiB, Iops, MB};

/// The largest I/O that one provisioned IOPS may carry: no Azure disk offers more throughput per IOPS
/// (Premium SSD v2 and Ultra: 0.25 MB/s per provisioned IOPS, in older limits 256 KiB/s; tiers stay below).
const LARGEST_IO: BlockSize = BlockSize::kib(256);

/// The fewest IOPS that a Premium SSD v2 disk is given: the free baseline.
const V2_LEAST_IOPS: Iops = Iops::whole(3_000);

/// One managed disk as it is deployed. `None` means that the source does not say.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskFacts {
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
    /// Since when on-demand bursting is on.
    pub on_demand_burst_since: Option<Timestamp>,
    /// Performance plus.
    pub performance_plus: Option<bool>,
    /// How many VMs may attach it.
    pub max_shares: Option<u32>,
    /// Sector size in bytes, where said (Ultra, Premium SSD v2).
    pub sector_bytes: Option<u32>,
    /// Whether it is attached.
    pub state: Option<Named<DiskState>>,
    /// The VMs that it is attached to.
    pub attached_to: Vec<ResourceId>,
    /// Operating system on it.
    pub os: Option<Named<Os>>,
    /// Controllers that the image on it supports; empty where not said.
    pub controllers: Vec<Interface>,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// When it was last attached or detached.
    pub ownership_changed: Option<Timestamp>,
    /// The file or address it was read from.
    pub source: Arc<str>,
}

impl DiskFacts {
    /// Reads a disk; `None`, with a note, where it has neither name nor id.
    pub(crate) fn read(resource: &Resource, notes: &mut Notes<'_>) -> Option<Self> {
        let creation = node(&resource.creation, "creationData", notes);
        let sku = sku(resource, notes);
        let limits = Limits {
            iops: notes.quantity("diskIOPSReadWrite", &resource.disk_iops),
            mbps: notes.quantity("diskMBpsReadWrite", &resource.disk_mbps),
        };
        let family = sku.as_ref().and_then(|sku| sku.family);
        let limits = believed(limits, family, notes);
        let id = resource_id(resource, notes);
        let Some(name) = resource
            .name
            .text()
            .or_else(|| id.as_ref().map(|id| id.name().to_owned()))
        else {
            notes.add(Problem::Nameless { what: "a disk" });
            return None;
        };
        Some(Self {
            name: name.into(),
            resource_group: resource_group(resource, id.as_ref(), notes),
            region: notes.region(&resource.location),
            zones: zones(resource),
            size: size(resource, notes),
            limits,
            read_only_limits: Limits {
                iops: notes.quantity("diskIOPSReadOnly", &resource.disk_iops_read_only),
                mbps: notes.quantity("diskMBpsReadOnly", &resource.disk_mbps_read_only),
            },
            tier: notes.shared(&resource.tier),
            target_tier: node(
                &resource.updates_in_progress,
                "propertyUpdatesInProgress",
                notes,
            )
            .and_then(|updates| notes.shared(&updates.target_tier)),
            on_demand_burst: notes.flag("burstingEnabled", &resource.bursting_enabled),
            on_demand_burst_since: named::timestamp(&resource.bursting_enabled_time),
            performance_plus: creation
                .and_then(|data| notes.flag("performancePlus", &data.performance_plus)),
            max_shares: notes.whole("maxShares", &resource.max_shares),
            sector_bytes: creation
                .and_then(|data| notes.whole("logicalSectorSize", &data.logical_sector_size)),
            state: named::disk_state(&resource.disk_state),
            attached_to: attached_to(resource, notes),
            os: named::os(&resource.os_type),
            controllers: node(&resource.supported, "supportedCapabilities", notes)
                .map(|supported| named::controllers(&supported.controllers))
                .unwrap_or_default(),
            created: named::timestamp(&resource.time_created),
            ownership_changed: named::timestamp(&resource.last_ownership_update),
            sku,
            id,
            source: notes.source(),
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
        if self.zones.is_empty() {
            self.zones = older.zones;
        }
        if self.attached_to.is_empty() && self.state.is_none() {
            self.attached_to = older.attached_to;
        }
        if self.controllers.is_empty() {
            self.controllers = older.controllers;
        }
        self.limits.iops = self.limits.iops.or(older.limits.iops);
        self.limits.mbps = self.limits.mbps.or(older.limits.mbps);
        self.resource_group = self.resource_group.take().or(older.resource_group);
        self.region = self.region.take().or(older.region);
        self.sku = self.sku.take().or(older.sku);
        self.size = self.size.or(older.size);
        self.tier = self.tier.take().or(older.tier);
        self.on_demand_burst = self.on_demand_burst.or(older.on_demand_burst);
        self.on_demand_burst_since = self.on_demand_burst_since.or(older.on_demand_burst_since);
        self.performance_plus = self.performance_plus.or(older.performance_plus);
        self.max_shares = self.max_shares.or(older.max_shares);
        self.sector_bytes = self.sector_bytes.or(older.sector_bytes);
        self.state = self.state.take().or(older.state);
        self.os = self.os.take().or(older.os);
        self.created = self.created.or(older.created);
        self.ownership_changed = self.ownership_changed.or(older.ownership_changed);
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

/// The limits, unless they cannot be true. Published examples of Premium SSD v2 and Ultra have the two exchanged.
fn believed(limits: Limits, family: Option<Family>, notes: &mut Notes<'_>) -> Limits {
    let (Some(iops), Some(mbps)) = (limits.iops, limits.mbps) else {
        return limits;
    };
    let most = iops.throughput(LARGEST_IO);
    let too_few = family == Some(Family::PremiumSsdV2) && iops < V2_LEAST_IOPS;
    // Azure rounds to whole MB/s.
    let too_much = mbps.get() > most.get() + 1.0;
    if !too_few && !too_much {
        return limits;
    }
    let mut reason = format!(
        "diskIOPSReadWrite {} with diskMBpsReadWrite {}",
        iops.get(),
        mbps.get()
    );
    if too_much {
        reason.push_str(&format!(
            " cannot be: {} IOPS carry at most {:.0} MB/s",
            iops.get(),
            most.get()
        ));
    } else {
        reason.push_str(" cannot be: a Premium SSD v2 disk has 3,000 IOPS or more");
    }
    let exchanged = mbps.get() * LARGEST_IO.bytes_f64() / MB >= iops.get();
    if too_much && exchanged {
        reason.push_str("; the two look exchanged");
    }
    notes.add(Problem::Implausible { reason });
    Limits::UNKNOWN
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
