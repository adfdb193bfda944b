//! What an object is, by its type where it says one and by its fields where not.

use super::list::List;
use super::loose::{Loose, Node};
use super::shape::Resource;

/// What an object turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A virtual machine, also an instance of a scale set.
    Vm,
    /// A managed disk.
    Disk,
    /// A resource SKU: a VM size, a disk tier or something else that is sold.
    Sku,
    /// An Azure Monitor metric with its values.
    Metric,
    /// An instance view without the VM that it belongs to.
    InstanceView,
    /// The model of a scale set (its instances are what has disks).
    ScaleSet,
    /// A part of a VM, cut out of it: a disk entry or a storage profile.
    PartOfVm,
    /// A VM size without its limits, from the list of sizes.
    PlainSize,
    /// An error answer.
    Error,
    /// None of these.
    Other,
}

/// Says what `resource` (laid flat) is.
#[must_use]
pub fn kind_of(resource: &Resource) -> Kind {
    declared(resource).unwrap_or_else(|| by_fields(resource))
}

/// The resource type that the object states, such as `Microsoft.Compute/disks`.
#[must_use]
pub fn stated_type(resource: &Resource) -> Option<&str> {
    [&resource.kind, &resource.resource_type]
        .into_iter()
        .filter_map(|field| field.as_str())
        .find(|text| text.contains('/'))
}

fn declared(resource: &Resource) -> Option<Kind> {
    let stated = stated_type(resource)?.to_ascii_lowercase();
    let kind = match stated.as_str() {
        "microsoft.compute/virtualmachines"
        | "microsoft.compute/virtualmachinescalesets/virtualmachines" => Kind::Vm,
        "microsoft.compute/disks" => Kind::Disk,
        "microsoft.compute/virtualmachinescalesets" => Kind::ScaleSet,
        "microsoft.insights/metrics" => Kind::Metric,
        other if other.starts_with("microsoft.") => Kind::Other,
        _ => return None,
    };
    Some(kind)
}

fn by_fields(resource: &Resource) -> Kind {
    let there = |fields: &[&dyn Loose]| fields.iter().any(|field| !field.is_absent());
    let r = resource;
    let named = there(&[&r.name, &r.id, &r.resource_id]);
    let disks = there(&[&r.os_disk, &r.data_disks]);
    if !r.resource_type.is_absent() && there(&[&r.capabilities, &r.locations, &r.location_info]) {
        Kind::Sku
    } else if there(&[&r.storage, &r.hardware]) || named && (disks || there(&[&r.vm_size])) {
        Kind::Vm
    } else if disks || there(&[&r.lun, &r.caching, &r.managed, &r.vhd]) {
        Kind::PartOfVm
    } else if there(&[&r.most_data_disks]) {
        Kind::PlainSize
    } else if there(&[&r.vm_profile]) {
        Kind::ScaleSet
    } else if there(&[&r.timeseries]) {
        Kind::Metric
    } else if there(&[
        &r.disk_size_gb,
        &r.disk_size_bytes,
        &r.disk_state,
        &r.creation,
    ]) {
        Kind::Disk
    } else if there(&[&r.statuses]) && there(&[&r.vm_agent, &r.computer_name]) {
        Kind::InstanceView
    } else if error_of(r).is_some() {
        Kind::Error
    } else {
        Kind::Other
    }
}

/// Code and message of an error answer, with or without its envelope. The first detail is the true cause where the
/// outer message is empty.
#[must_use]
pub fn error_of(resource: &Resource) -> Option<(String, String)> {
    match &resource.error {
        Node::Known(body) => {
            let detail = first(&body.details);
            let code = body.code.text().or(detail.0);
            let message = body.message.text().or(detail.1);
            (code.is_some() || message.is_some())
                .then(|| (code.unwrap_or_default(), message.unwrap_or_default()))
        }
        // OAuth endpoints answer `"error": "invalid_client"`.
        Node::Odd(text) => Some((text.clone(), resource.message.text().unwrap_or_default())),
        Node::Absent => Some((resource.code.text()?, resource.message.text()?)),
    }
}

fn first(details: &List<super::shape::ErrorDetail>) -> (Option<String>, Option<String>) {
    details.items.first().map_or((None, None), |detail| {
        (detail.code.text(), detail.message.text())
    })
}
