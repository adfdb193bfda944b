//! A VM's disks as volumes: the OS disk, every data disk by itself, and the stripes that were named.

use super::disk::{Seen, Understood, understand};
use super::stripes::{self, Stripe, is_named};
use crate::azure::facts::{AttachedDisk, FleetFacts, VmFacts};
use crate::catalog::{Catalog, Family, VmSize};
use crate::deployment::{Deployment, Role, Standing, Volume, free_name};

/// The name of the OS disk's volume.
pub const OS_VOLUME: &str = "os";

/// A disk of a VM: what is seen of it, what it is, and the volume it belongs to.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) seen: Seen<'a>,
    pub(super) understood: Understood,
    /// Index of its volume in the deployment.
    pub(super) volume: usize,
}

impl<'a> Assembled<'a> {
    /// The disks of the volume at `index`.
    pub(super) fn members_of(&self, index: usize) -> impl Iterator<Item = &Member<'a>> {
        let members = self.members.iter();
        members.filter(move |member| member.volume == index)
    }

    /// The name of the volume that `name` means: its own, `lunN`, or the name of one of its disks.
    pub(super) fn volume_of(&self, name: &str) -> Option<&str> {
        let volumes = &self.deployment.volumes;
        let own = self.deployment.position(name);
        let position = own.or_else(|| {
            let mut members = self.members.iter();
            let means = |member: &&Member<'_>| {
                let attached = member.seen.attached;
                attached.is_some_and(|attached| is_named(attached, member.seen, name))
            };
            Some(members.find(means)?.volume)
        })?;
        Some(&volumes.get(position)?.name)
    }
}

/// A VM put together.
#[derive(Debug)]
pub(super) struct Assembled<'a> {
    pub(super) deployment: Deployment,
    pub(super) members: Vec<Member<'a>>,
    /// Whether every volume is named by its number alone, so that VMs of one shape have the same names.
    pub(super) plain_names: bool,
}

/// Puts a VM together; `None` where it has no disk that is known.
pub(super) fn assemble<'a>(
    catalog: &Catalog,
    facts: &'a FleetFacts,
    vm: &'a VmFacts,
    size: Option<&VmSize>,
    stripes: &[Stripe],
) -> Option<Assembled<'a>> {
    let mut members: Vec<Member<'a>> = Vec::new();
    let mut volumes: Vec<Volume> = Vec::new();
    let mut plain_names = true;
    let stripes = stripes::of(stripes, vm);
    let os = vm.os_disk.iter().map(|disk| (disk, true));
    let data = vm.data_disks.iter().map(|disk| (disk, false));
    for (attached, os) in os.chain(data) {
        let seen = Seen {
            attached: Some(attached),
            itself: facts.behind(attached, vm),
            os,
        };
        let understood = understand(catalog, size, seen);
        let stripe = stripes.iter().copied().find(|stripe| {
            !os && stripe
                .members
                .iter()
                .any(|member| is_named(attached, seen, member))
        });
        let disk = understood.disk.clone();
        let of_stripe = |volume: &Volume| stripe.is_some_and(|stripe| stripe.name == volume.name);
        let volume = match volumes.iter().position(of_stripe) {
            Some(position) => position,
            None => {
                let (name, plain) = name(attached, os, stripe, &volumes);
                plain_names &= plain;
                volumes.push(Volume {
                    name,
                    role: if os { Role::Os } else { Role::Data },
                    members: Vec::new(),
                    also_on: Vec::new(),
                });
                volumes.len() - 1
            }
        };
        volumes[volume].members.push(disk);
        members.push(Member {
            seen,
            understood,
            volume,
        });
    }
    (!volumes.is_empty()).then(|| Assembled {
        deployment: Deployment {
            vm: size.cloned(),
            cache_latency: catalog.host_cache_latency(),
            interface: None,
            region: None,
            standing: Standing::Deployed(None),
            volumes,
        },
        members,
        plain_names,
    })
}

/// The name of a new volume, and whether it follows from its number alone.
fn name(
    attached: &AttachedDisk,
    os: bool,
    stripe: Option<&Stripe>,
    volumes: &[Volume],
) -> (String, bool) {
    let taken = |name: &str| {
        let mut names = volumes.iter().map(|volume| &volume.name);
        names.any(|other| other.eq_ignore_ascii_case(name))
    };
    let (wanted, plain) = match (stripe, attached.lun) {
        (Some(stripe), _) => (stripe.name.clone(), false),
        (None, _) if os => (OS_VOLUME.to_owned(), true),
        (None, Some(lun)) => (format!("lun{lun}"), true),
        (None, None) => {
            let name = attached.name.as_deref().unwrap_or("disk");
            (name.to_owned(), false)
        }
    };
    if taken(&wanted) {
        let names: Vec<String> = volumes.iter().map(|volume| volume.name.clone()).collect();
        return (free_name(&wanted, &names), false);
    }
    (wanted, plain)
}

/// What decides an assessment, as bytes: VMs with the same are of one shape and share it. `None` where a disk has
/// something that the bytes do not say.
pub(super) fn shape(assembled: &Assembled<'_>) -> Option<Vec<u8>> {
    if !assembled.plain_names {
        return None;
    }
    let mut bytes = Vec::with_capacity(48 * assembled.members.len() + 24);
    let text = |text: &str, bytes: &mut Vec<u8>| {
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0);
    };
    if let Some(size) = &assembled.deployment.vm {
        text(&size.name, &mut bytes);
        bytes.push(size.interface.map_or(0, |interface| interface as u8 + 1));
    }
    for member in &assembled.members {
        let disk = &member.understood.disk;
        let (model, request) = (&disk.model, &disk.spec.request);
        if model.family == Family::Custom {
            return None;
        }
        let lun = member.seen.attached.and_then(|attached| attached.lun);
        bytes.push(b'd');
        bytes.extend_from_slice(&lun.map_or(-1, i64::from).to_le_bytes());
        text(&model.label, &mut bytes);
        bytes.extend([
            model.family as u8,
            model.redundancy as u8,
            disk.caching as u8,
            disk.spec.caching.map_or(9, |caching| caching as u8),
            u8::from(disk.spec.os),
            u8::from(request.on_demand_burst),
            u8::from(request.performance_plus),
            u8::from(model.burst.is_some()),
            u8::from(disk.write_accelerator),
            u8::from(member.seen.itself.is_some()),
        ]);
        bytes.extend_from_slice(&request.max_shares.to_le_bytes());
        let figures = [
            model.size.map(crate::units::GiB::get),
            model.base.iops.map(crate::units::Iops::get),
            model.base.mbps.map(crate::units::MBps::get),
        ];
        for figure in figures {
            let bits = figure.map_or(u64::MAX, f64::to_bits);
            bytes.extend_from_slice(&bits.to_le_bytes());
        }
    }
    for (volume, index) in assembled.deployment.volumes.iter().zip(0_u32..) {
        for vm in &volume.also_on {
            bytes.push(b'o');
            bytes.extend_from_slice(&index.to_le_bytes());
            text(vm, &mut bytes);
        }
    }
    Some(bytes)
}
