//! A VM's disks as volumes: the OS disk, every data disk by itself, and the stripes that were named.

use std::fmt;
use std::str::FromStr;

use super::disk::{Seen, Understood, understand};
use crate::azure::facts::{AttachedDisk, FleetFacts, VmFacts};
use crate::catalog::{Catalog, Family, VmSize};
use crate::deployment::{Deployment, Role, Volume, free_name};

/// The name of the OS disk's volume.
pub const OS_VOLUME: &str = "os";

/// Disks that the guest stripes into one volume: `data=lun0,lun1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stripe {
    /// The volume's name.
    pub name: String,
    /// Its members: `lunN`, or names of disks.
    pub members: Vec<String>,
}

/// A text that names no stripe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{input}' is no stripe: {why}")]
pub struct StripeError {
    /// The text.
    pub input: String,
    /// What is wrong with it.
    pub why: &'static str,
}

/// What is wrong with the stripes of one VM.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StripeFaults {
    /// The stripes that have some of their members, and the members that the VM does not have.
    pub incomplete: Vec<(String, Vec<String>)>,
    /// The stripes that have none of their members.
    pub absent: Vec<String>,
    /// The disks that two stripes have: the disk, and the stripes.
    pub shared: Vec<(String, [String; 2])>,
}

impl FromStr for Stripe {
    type Err = StripeError;

    fn from_str(input: &str) -> Result<Self, StripeError> {
        let error = |why| StripeError {
            input: input.to_owned(),
            why,
        };
        let wrong = || {
            error(
                "write NAME=lun0,lun1 with two members or more; lun0 is that of every VM, names of disks (NAME=db1-data0,db1-data1) are of one",
            )
        };
        let is_os = |name: &str| name.trim().eq_ignore_ascii_case(OS_VOLUME);
        let (name, members) = input.split_once('=').ok_or_else(wrong)?;
        let name = crate::deployment::spec::check_name(name).map_err(|_| wrong())?;
        if is_os(&name) {
            return Err(error(
                "the OS disk is called os: give the stripe another name",
            ));
        }
        let mut found: Vec<String> = Vec::new();
        for member in members.split(',').map(str::trim) {
            if is_os(member) {
                return Err(error(
                    "an OS disk is one disk and no member: name data disks",
                ));
            }
            let twice = found.iter().any(|known| known.eq_ignore_ascii_case(member));
            if member.is_empty() || twice {
                return Err(wrong());
            }
            found.push(member.to_owned());
        }
        if found.len() < 2 {
            return Err(wrong());
        }
        Ok(Self {
            name,
            members: found,
        })
    }
}

impl fmt::Display for Stripe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.members.join(","))
    }
}

/// A disk of a VM: what is seen of it, what it is, and the volume it belongs to.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) seen: Seen<'a>,
    pub(super) understood: Understood,
    /// Index of its volume in the deployment.
    pub(super) volume: usize,
}

impl Assembled<'_> {
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
    let os = vm.os_disk.iter().map(|disk| (disk, true));
    let data = vm.data_disks.iter().map(|disk| (disk, false));
    for (attached, os) in os.chain(data) {
        let seen = Seen {
            attached: Some(attached),
            itself: facts.behind(attached, vm),
            os,
        };
        let understood = understand(catalog, size, seen);
        let stripe = stripes.iter().find(|stripe| {
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
            volumes,
        },
        members,
        plain_names,
    })
}

/// What is wrong with `stripes` on `vm`.
pub(super) fn stripe_faults(facts: &FleetFacts, vm: &VmFacts, stripes: &[Stripe]) -> StripeFaults {
    let seen = |attached| Seen {
        attached: Some(attached),
        itself: facts.behind(attached, vm),
        os: false,
    };
    let disks: Vec<(&AttachedDisk, Seen<'_>)> = vm
        .data_disks
        .iter()
        .map(|disk| (disk, seen(disk)))
        .collect();
    let mut faults = StripeFaults::default();
    for stripe in stripes {
        let is_there = |member: &&String| {
            let mut disks = disks.iter();
            disks.any(|(attached, seen)| is_named(attached, *seen, member))
        };
        let missing: Vec<String> = stripe
            .members
            .iter()
            .filter(|member| !is_there(member))
            .cloned()
            .collect();
        if missing.len() == stripe.members.len() {
            faults.absent.push(stripe.name.clone());
        } else if !missing.is_empty() {
            faults.incomplete.push((stripe.name.clone(), missing));
        }
    }
    for (attached, seen) in &disks {
        let of = stripes.iter().filter(|stripe| {
            let mut members = stripe.members.iter();
            members.any(|member| is_named(attached, *seen, member))
        });
        let of: Vec<&Stripe> = of.collect();
        if let [first, second, ..] = of.as_slice() {
            let lun = attached.lun.map(|lun| format!("lun{lun}"));
            let name = lun.or_else(|| attached.name.as_deref().map(str::to_owned));
            let both = [first.name.clone(), second.name.clone()];
            faults.shared.push((name.unwrap_or_default(), both));
        }
    }
    faults
}

/// Whether `member` means this disk: `lunN`, the number alone, or a disk's name.
fn is_named(attached: &AttachedDisk, seen: Seen<'_>, member: &str) -> bool {
    let is = |name: Option<&str>| name.is_some_and(|name| name.eq_ignore_ascii_case(member));
    let digits = match member.get(..3) {
        Some(head) if head.eq_ignore_ascii_case("lun") => &member[3..],
        _ => member,
    };
    let lun = digits.parse().ok();
    (lun.is_some() && lun == attached.lun)
        || is(attached.name.as_deref())
        || is(seen.itself.map(|disk| &*disk.name))
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
    Some(bytes)
}
