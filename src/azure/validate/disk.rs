//! What a deployed disk can do: the facts of it through the rules of its family, and the platform's own figures over
//! them.

use crate::azure::facts::{AttachedDisk, Backing, DiskFacts, DiskSku};
use crate::catalog::{
    Catalog, DiskModel, DiskRequest, Family, Limits, Redundancy, Resolved, Tier, Violation, VmSize,
};
use crate::deployment::{Disk, DiskSpec, HostCaching};
use crate::units::GiB;

/// A disk as its VM sees it, as it says itself, or both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) attached: Option<&'a AttachedDisk>,
    pub(super) itself: Option<&'a DiskFacts>,
    pub(super) os: bool,
}

/// A disk that was understood, and what was not.
#[derive(Debug, Clone)]
pub(super) struct Understood {
    pub(super) disk: Disk,
    /// What is not known, and what is assumed in its place.
    pub(super) unknowns: Vec<String>,
    /// What differs from the rules known here.
    pub(super) oddities: Vec<Oddity>,
}

/// What of a deployed disk differs from the rules known here.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Oddity {
    /// A setting that the rules know as refused.
    Beyond(Violation),
    /// Other limits than those of its tier.
    Differs { reported: Limits, rules: Limits },
    /// A tier that the tables do not have.
    UnknownTier(String),
    /// A SKU that no rule knows.
    UnknownSku(String),
}

impl<'a> Seen<'a> {
    pub(super) fn sku(&self) -> Option<&'a DiskSku> {
        let own = self.itself.and_then(|disk| disk.sku.as_ref());
        own.or_else(|| self.attached?.sku.as_ref())
    }

    pub(super) fn size(&self) -> Option<GiB> {
        let own = self.itself.and_then(|disk| disk.size);
        own.or_else(|| self.attached?.size)
    }

    /// The limits that the answers say.
    fn limits(&self) -> Limits {
        let own = self.itself.map_or(Limits::UNKNOWN, |disk| disk.limits);
        let on_vm = self.attached.map_or(Limits::UNKNOWN, |disk| disk.limits);
        Limits {
            iops: own.iops.or(on_vm.iops),
            mbps: own.mbps.or(on_vm.mbps),
        }
    }

    pub(super) fn tier(&self) -> Option<&'a str> {
        self.itself?.tier.as_deref()
    }

    pub(super) fn backing(&self) -> &'a Backing {
        match self.attached {
            Some(attached) => &attached.backing,
            None => &Backing::Managed,
        }
    }

    /// Host caching as set; `None` where nothing says.
    pub(super) fn caching(&self) -> Option<HostCaching> {
        self.attached?.caching.as_ref()?.known()
    }
}

/// Puts the facts through the rules. `size` is the VM's, where it is known.
pub(super) fn understand(catalog: &Catalog, size: Option<&VmSize>, seen: Seen<'_>) -> Understood {
    let mut unknowns = Vec::new();
    let mut oddities = Vec::new();
    let (request, model) = match seen.backing() {
        Backing::Ephemeral { placement } => {
            ephemeral(catalog, size, seen, placement.as_deref(), &mut unknowns)
        }
        Backing::Vhd { .. } => {
            unknowns.push(
                "its limits, which follow from its storage account: the account is not read"
                    .to_owned(),
            );
            // Host caching is a setting of unmanaged disks as well.
            let (request, model) = unnamed(seen, "VHD");
            let cacheable = true;
            (request, DiskModel { cacheable, ..model })
        }
        Backing::Managed | Backing::Unknown => managed(catalog, seen, &mut unknowns, &mut oddities),
    };
    let caching = caching(seen, &model, &mut unknowns);
    let spec = DiskSpec {
        caching: seen.caching().filter(|_| !model.family.is_local()),
        os: seen.os,
        ..DiskSpec::new(request)
    };
    Understood {
        disk: Disk {
            spec,
            model,
            violations: Vec::new(),
            caching,
            write_accelerator: seen.attached.and_then(|disk| disk.write_accelerator) == Some(true),
        },
        unknowns,
        oddities,
    }
}

/// The caching to reckon with: as set; where nothing says, the platform's default.
fn caching(seen: Seen<'_>, model: &DiskModel, unknowns: &mut Vec<String>) -> HostCaching {
    if model.family.is_local() {
        return HostCaching::None;
    }
    let Some(attached) = seen.attached else {
        return HostCaching::None;
    };
    match &attached.caching {
        Some(crate::azure::facts::Named::Known(caching)) => *caching,
        Some(crate::azure::facts::Named::Other(name)) => {
            unknowns.push(format!("its host caching '{name}': computed with None"));
            HostCaching::None
        }
        None if seen.os && model.cacheable => HostCaching::ReadWrite,
        None if model.cacheable => {
            unknowns.push("its host caching, which is not said: computed with None".to_owned());
            HostCaching::None
        }
        None => HostCaching::None,
    }
}

type Made = (DiskRequest, DiskModel);

fn managed(
    catalog: &Catalog,
    seen: Seen<'_>,
    unknowns: &mut Vec<String>,
    oddities: &mut Vec<Oddity>,
) -> Made {
    let Some(sku) = seen.sku() else {
        unknowns.push("its SKU, which is not said".to_owned());
        return unnamed(seen, "unknown SKU");
    };
    let Some(family) = sku.family else {
        unknowns.push(format!("its SKU {sku}, which no rule here knows"));
        oddities.push(Oddity::UnknownSku(sku.to_string()));
        return unnamed(seen, &sku.name);
    };
    let request = DiskRequest {
        size: seen.size(),
        redundancy: sku.redundancy.unwrap_or_default(),
        max_shares: seen.itself.and_then(|disk| disk.max_shares).unwrap_or(1),
        on_demand_burst: seen.itself.and_then(|disk| disk.on_demand_burst) == Some(true),
        performance_plus: seen.itself.and_then(|disk| disk.performance_plus) == Some(true),
        ..DiskRequest::new(family)
    };
    if seen.size().is_none() && (!family.is_tiered() || seen.tier().is_none()) {
        unknowns.push("its capacity, which is not said".to_owned());
        return sizeless(catalog, seen, request);
    }
    if family.is_tiered() {
        not_read(catalog, seen, family, unknowns);
        tiered(catalog, seen, request, oddities)
    } else {
        provisioned(catalog, seen, request, unknowns, oddities)
    }
}

/// Says what only the disk itself tells, where it was not read: what a disk of its size can have.
fn not_read(catalog: &Catalog, seen: Seen<'_>, family: Family, unknowns: &mut Vec<String>) {
    if seen.itself.is_some() {
        return;
    }
    let tier = seen
        .size()
        .and_then(|size| catalog.tiers().for_size(family, size));
    // Of a size that is not said anything may be.
    let can = |has: fn(&Tier) -> bool| tier.is_none_or(has);
    let whats = [
        (family == Family::PremiumSsd).then_some("its performance tier"),
        can(|tier| tier.on_demand.is_some()).then_some("on-demand bursting"),
        can(|tier| tier.performance_plus.is_some()).then_some("performance plus"),
    ];
    let whats: Vec<&str> = whats.into_iter().flatten().collect();
    let what = match whats.as_slice() {
        [] => return,
        [one @ "performance plus"] => format!("whether it has {one}"),
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        some => some.join(", "),
    };
    unknowns.push(format!(
        "{what}: the disk itself was not read, the limits are those of its size"
    ));
}

/// A disk of a tiered family: its tier, and the platform's own figures over it.
fn tiered(
    catalog: &Catalog,
    seen: Seen<'_>,
    mut request: DiskRequest,
    oddities: &mut Vec<Oddity>,
) -> Made {
    request.performance_tier = raised(catalog, seen, request.family, oddities);
    if request.size.is_none() {
        request.tier = request.performance_tier.take();
    }
    let reported = seen.limits();
    infer_performance_plus(catalog, seen, &mut request, reported);
    let Ok(Resolved {
        mut model,
        violations,
    }) = catalog.disk(&request)
    else {
        return sizeless(catalog, seen, request);
    };
    oddities.extend(violations.into_iter().map(Oddity::Beyond));
    take_reported(&mut model, reported, oddities);
    shorten(catalog, &mut request);
    (request, model)
}

/// The tier that the disk says it has, where that is above the tier of its size.
fn raised(
    catalog: &Catalog,
    seen: Seen<'_>,
    family: Family,
    oddities: &mut Vec<Oddity>,
) -> Option<String> {
    let name = seen.tier()?;
    let Ok(tier) = catalog.tiers().named(family, name) else {
        oddities.push(Oddity::UnknownTier(name.to_owned()));
        return None;
    };
    let own = seen
        .size()
        .and_then(|size| catalog.tiers().for_size(family, size));
    match own {
        Some(own) if own.name == tier.name => None,
        _ => Some(tier.name.clone()),
    }
}

/// Performance plus shows by the limits where the answer does not name it.
fn infer_performance_plus(
    catalog: &Catalog,
    seen: Seen<'_>,
    request: &mut DiskRequest,
    reported: Limits,
) {
    let said = seen.itself.and_then(|disk| disk.performance_plus);
    if said.is_some() || request.performance_tier.is_some() {
        return;
    }
    let tier = request
        .size
        .and_then(|size| catalog.tiers().for_size(request.family, size));
    if let Some(tier) = tier
        && reported != tier.limits
        && tier.performance_plus == Some(reported)
    {
        request.performance_plus = true;
    }
}

/// What the platform says of a deployed disk wins over the tables.
fn take_reported(model: &mut DiskModel, reported: Limits, oddities: &mut Vec<Oddity>) {
    let rules = model.base;
    let taken = Limits {
        iops: reported.iops.or(rules.iops),
        mbps: reported.mbps.or(rules.mbps),
    };
    if taken == rules {
        return;
    }
    oddities.push(Oddity::Differs { reported, rules });
    model.base = taken;
    if let Some(burst) = &mut model.burst {
        burst.limits = taken.higher(burst.limits);
        if burst.limits == taken {
            model.burst = None;
        }
    }
}

/// A full disk of a tier is written as the tier.
fn shorten(catalog: &Catalog, request: &mut DiskRequest) {
    let Some(size) = request.size else {
        return;
    };
    let tier = catalog.tiers().for_size(request.family, size);
    if let Some(tier) = tier.filter(|tier| GiB::whole(tier.max_gib) == size) {
        request.tier = Some(tier.name.clone());
        request.size = None;
    }
}

/// A disk whose IOPS and MB/s are provisioned: as the answer says them, unknown where it does not.
fn provisioned(
    catalog: &Catalog,
    seen: Seen<'_>,
    mut request: DiskRequest,
    unknowns: &mut Vec<String>,
    oddities: &mut Vec<Oddity>,
) -> Made {
    let reported = seen.limits();
    let missing = match (reported.iops, reported.mbps) {
        (Some(_), Some(_)) => None,
        (None, Some(_)) => Some("provisioned IOPS"),
        (Some(_), None) => Some("provisioned MB/s"),
        (None, None) => Some("provisioned IOPS and MB/s"),
    };
    if let Some(missing) = missing {
        let why = match seen.itself {
            None => "the disk itself was not read",
            Some(_) => "the answer has no figures that can be used",
        };
        unknowns.push(format!("its {missing}: {why}"));
    }
    request.iops = reported.iops;
    request.mbps = reported.mbps;
    let least = request.family.provisioned_rules();
    let filled = DiskRequest {
        iops: request.iops.or(least.map(|rules| rules.min_iops)),
        mbps: request.mbps.or(least.map(|rules| rules.min_mbps)),
        ..request.clone()
    };
    let Ok(Resolved {
        mut model,
        violations,
    }) = catalog.disk(&filled)
    else {
        return sizeless(catalog, seen, request);
    };
    if missing.is_none() {
        oddities.extend(violations.into_iter().map(Oddity::Beyond));
    }
    model.base = reported;
    (request, model)
}

/// A disk of a known family and unknown capacity: with the limits that it says itself.
fn sizeless(catalog: &Catalog, seen: Seen<'_>, request: DiskRequest) -> Made {
    let family = request.family;
    let latency = catalog.latency(family).and_then(|typical| typical.figure);
    let model = DiskModel {
        family,
        lane: family.lane(),
        accounting_unit: family.accounting_unit(),
        latency,
        latency_bound: catalog.latency_bound(family),
        // A size that is not said is not one that is too large.
        cacheable: family.is_tiered() && request.max_shares <= 1,
        ..model(seen, family.name())
    };
    (request, model)
}

/// A remote disk of no known family. Caching that the platform let be set is taken to work.
fn unnamed(seen: Seen<'_>, label: &str) -> Made {
    let request = DiskRequest {
        size: seen.size(),
        iops: seen.limits().iops,
        mbps: seen.limits().mbps,
        ..DiskRequest::new(Family::Custom)
    };
    let model = DiskModel {
        cacheable: true,
        ..model(seen, label)
    };
    (request, model)
}

fn model(seen: Seen<'_>, label: &str) -> DiskModel {
    DiskModel {
        label: label.to_owned(),
        family: Family::Custom,
        tier: None,
        size: seen.size(),
        redundancy: Redundancy::Lrs,
        lane: Family::Custom.lane(),
        base: seen.limits(),
        write: None,
        burst: None,
        accounting_unit: None,
        latency: None,
        latency_bound: None,
        cacheable: false,
    }
}

/// An ephemeral OS disk: a part of the host's SSD. On the cache or the temp disk it lies behind the cached ceiling of
/// the VM, on local NVMe behind the limits of that.
fn ephemeral(
    catalog: &Catalog,
    size: Option<&VmSize>,
    seen: Seen<'_>,
    placement: Option<&str>,
    unknowns: &mut Vec<String>,
) -> Made {
    let on_nvme = match placement {
        Some(placement) => placement.eq_ignore_ascii_case("NvmeDisk"),
        None => {
            unknowns.push("where its ephemeral disk is placed: taken as the cache disk".to_owned());
            false
        }
    };
    let family = if on_nvme {
        Family::LocalNvme
    } else {
        Family::Temp
    };
    let request = DiskRequest::new(family);
    let local = size.and_then(|size| catalog.local_disk(size, &request).ok());
    let resolved = local.or_else(|| catalog.disk(&request).ok());
    let latency = catalog.host_cache_latency();
    let mut model = resolved.map_or_else(
        || DiskModel {
            family,
            lane: family.lane(),
            latency,
            ..model(seen, "")
        },
        |resolved| resolved.model,
    );
    if family == Family::Temp {
        unknowns.push(
            "limits of its own: none are published of an ephemeral disk, it shares the cached ceiling of the VM"
                .to_owned(),
        );
    }
    model.label = "ephemeral".to_owned();
    model.size = seen.size();
    (request, model)
}
