//! What a VM is set to and its size, image or disks do not have.

use super::Case;
use crate::azure::facts::{Backing, Named, Os};
use crate::azure::remedies::with_remedy;
use crate::azure::validate::assemble::Member;
use crate::catalog::{Family, Interface};
use crate::deployment::HostCaching;
use crate::planner::{Finding, FindingId, Severity};
use crate::units::GiB;

pub(super) fn findings(case: &Case<'_>, found: &mut Vec<Finding>) {
    found.extend(ultra_not_enabled(case));
    found.extend(controller_of_size(case));
    found.extend(controller_of_image(case));
    found.extend(no_temp_disk(case));
    found.extend(no_room_for_ephemeral(case));
    for member in &case.assembled.members {
        found.extend(write_accelerator(case, member));
    }
    found.extend(too_many_accelerated(case));
}

/// An Ultra disk, and the VM does not say that it may have one.
fn ultra_not_enabled(case: &Case<'_>) -> Option<Finding> {
    let text = match case.vm.ultra_enabled {
        Some(true) => return None,
        Some(false) => "has an Ultra disk, and ultraSSDEnabled is false",
        None => "has an Ultra disk, and does not say that ultraSSDEnabled is true",
    };
    let members = &case.assembled.members;
    let ultra = |m: &&Member<'_>| m.understood.disk.model.family == Family::Ultra;
    let member = members.iter().find(ultra)?;
    let subject = case.subject(member);
    let finding = Finding::new(FindingId::UltraNotEnabled, Severity::Warning, subject, text);
    Some(with_remedy(finding))
}

/// An ephemeral OS disk larger than the place of the size that it is put in. Source: Azure, ephemeral OS disks: the
/// image must fit in the cache or the temp disk.
fn no_room_for_ephemeral(case: &Case<'_>) -> Option<Finding> {
    let size = case.size?;
    let os = case.vm.os_disk.as_ref()?;
    let Backing::Ephemeral { placement } = &os.backing else {
        return None;
    };
    let wanted = os.size?;
    let is = |name: &str| {
        let placement = placement.as_deref();
        placement.is_some_and(|placement| placement.eq_ignore_ascii_case(name))
    };
    let (place, room) = if is("ResourceDisk") {
        let none = size.temp.is_none().then_some(GiB::whole(0));
        (
            "temp disk",
            size.temp.as_ref().map(|temp| temp.size).or(none)?,
        )
    } else if is("CacheDisk") {
        ("host cache", size.cache_size?)
    } else {
        return None;
    };
    if wanted.get() <= room.get() {
        return None;
    }
    let has = match room.get() > 0.0 {
        true => format!("a {place} of {room}"),
        false => format!("no {place}"),
    };
    let text = format!(
        "an ephemeral OS disk of {wanted} is placed on the {place}, and {} has {has}",
        size.name
    );
    let member = case.assembled.members.iter().find(|m| m.seen.os)?;
    let subject = case.subject(member);
    let id = FindingId::FeatureNotOffered;
    let finding = Finding::new(id, Severity::Error, subject, text);
    Some(finding.fix("place it elsewhere, take a smaller image, or a size with more room"))
}

fn names(controllers: &[Interface]) -> String {
    let names: Vec<&str> = controllers.iter().map(|c| c.name()).collect();
    names.join(" and ")
}

fn controller(case: &Case<'_>, text: String) -> Finding {
    Finding::new(
        FindingId::Controller,
        Severity::Warning,
        case.own_subject(),
        text,
    )
}

/// The VM's controller, and the size has another.
fn controller_of_size(case: &Case<'_>) -> Option<Finding> {
    let own = case.vm.controller.as_ref().and_then(Named::known)?;
    let size = case.size?;
    if size.controllers.is_empty() || size.controllers.contains(&own) {
        return None;
    }
    let text = format!(
        "its controller is {own}, the size has {}",
        names(&size.controllers)
    );
    let finding = controller(case, text);
    Some(finding.fix("check the VM with `az vm show`; the figures are those of the size"))
}

/// The VM's controller, or the only one that its size has, and the image on its OS disk does not take it.
fn controller_of_image(case: &Case<'_>) -> Option<Finding> {
    let only = case
        .size
        .and_then(|size| match size.controllers.as_slice() {
            [one] => Some(*one),
            _ => None,
        });
    let said = case.vm.controller.as_ref().and_then(Named::known);
    let own = said.or(only)?;
    let os = case.assembled.members.iter().find(|m| m.seen.os)?;
    let image = &os.seen.itself?.controllers;
    if image.is_empty() || image.contains(&own) {
        return None;
    }
    let text = format!(
        "runs with {own}, the image on its OS disk says {}",
        names(image)
    );
    let finding = controller(case, text);
    Some(finding.fix(
        "install the drivers and set diskControllerTypes of the OS disk, or change the controller",
    ))
}

/// Windows expects a temp disk.
fn no_temp_disk(case: &Case<'_>) -> Option<Finding> {
    let size = case.size?;
    let os = case.vm.os.as_ref().and_then(Named::known)?;
    if os != Os::Windows || size.temp.is_some() {
        return None;
    }
    let text = match size.nvme {
        Some(_) => {
            "Windows on a size whose local disks are unformatted NVMe: page file and tempdb are not put there by themselves"
        }
        None => {
            "Windows on a size without a temp disk: the page file lies on the OS disk, and tempdb needs a disk of its own"
        }
    };
    let subject = case.own_subject();
    let finding = Finding::new(FindingId::NoTempDisk, Severity::Info, subject, text);
    Some(match size.nvme {
        Some(_) => finding.fix(
            "format the local NVMe disks whenever the VM starts after it was deallocated, and point page file and tempdb \
             to them; or see that the OS disk has room for paging",
        ),
        None => with_remedy(finding),
    })
}

fn is_accelerated(member: &Member<'_>) -> bool {
    let attached = member.seen.attached;
    attached.and_then(|disk| disk.write_accelerator) == Some(true)
}

/// Write Accelerator where the size, the disk or its caching cannot have it.
fn write_accelerator(case: &Case<'_>, member: &Member<'_>) -> Option<Finding> {
    if !is_accelerated(member) {
        return None;
    }
    let disk = &member.understood.disk;
    let text = if most_accelerated(case) == Some(0) {
        format!(
            "Write Accelerator on {}, which has none: only M-series sizes do",
            case.own_subject()
        )
    } else if disk.model.family != Family::PremiumSsd {
        format!(
            "Write Accelerator on {}: only Premium SSD has it",
            disk.model.label
        )
    } else if disk.caching == HostCaching::ReadWrite {
        "Write Accelerator with host caching ReadWrite: only None and ReadOnly are possible"
            .to_owned()
    } else {
        return None;
    };
    let subject = case.subject(member);
    let finding = Finding::new(
        FindingId::WriteAccelerator,
        Severity::Warning,
        subject,
        text,
    );
    let place = place(member);
    let is_possible = most_accelerated(case) != Some(0) && disk.model.family == Family::PremiumSsd;
    Some(match is_possible {
        true => finding.fix(format!(
            "set host caching to None or ReadOnly: `az vm update --disk-caching {place}=None`"
        )),
        false => finding.fix(format!(
            "disable it (`az vm update --write-accelerator {place}=false`), or move the log to a Premium SSD of an \
             M-series VM"
        )),
    })
}

/// A disk of a VM as `az vm update` names it: its LUN, or `os`.
fn place(member: &Member<'_>) -> String {
    let lun = member.seen.attached.and_then(|disk| disk.lun);
    match lun {
        _ if member.seen.os => "os".to_owned(),
        Some(lun) => lun.to_string(),
        None => "LUN".to_owned(),
    }
}

/// More accelerated disks than the size has.
fn too_many_accelerated(case: &Case<'_>) -> Option<Finding> {
    let members = case.assembled.members.iter();
    let count = members.filter(|m| is_accelerated(m)).count();
    let most = most_accelerated(case).filter(|most| *most > 0)? as usize;
    if count <= most {
        return None;
    }
    let text = format!("Write Accelerator on {count} disks, the size has it for {most}");
    let subject = case.own_subject();
    let finding = Finding::new(
        FindingId::WriteAccelerator,
        Severity::Warning,
        subject,
        text,
    );
    Some(finding.fix(format!(
        "disable it on all but {most}: `az vm update --write-accelerator LUN=false`"
    )))
}

/// How many disks may have it: what a list of SKUs says, else the documentation.
fn most_accelerated(case: &Case<'_>) -> Option<u32> {
    let listed = case.vm.size.as_deref().and_then(|name| {
        let sku = case.offers.size(name)?;
        sku.write_accelerator_disks
    });
    listed.or_else(|| case.size?.most_accelerated())
}
