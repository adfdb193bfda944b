//! Disks that guests stripe into one volume, as they are named.

use std::fmt;
use std::str::FromStr;

use super::assemble::OS_VOLUME;
use super::disk::Seen;
use crate::azure::facts::{AttachedDisk, FleetFacts, VmFacts};

/// Disks that the guest stripes into one volume: `data=lun0,lun1` of every VM that has them, `db1/data=lun0,lun1` of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stripe {
    /// The VM whose it is, by its name (`db1`) or with its group (`shop/db1`); `None` for every VM.
    pub vm: Option<String>,
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
    /// The stripes that are called like a disk which is no member of them.
    pub taken: Vec<String>,
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
                "write NAME=lun0,lun1 with two members or more, which is that of every VM, or VM/NAME=lun0,lun1 for that of one; \
                 names of disks (NAME=db1-data0,db1-data1) do as well as lun0",
            )
        };
        let is_os = |name: &str| name.trim().eq_ignore_ascii_case(OS_VOLUME);
        let (volume, members) = input.split_once('=').ok_or_else(wrong)?;
        let (vm, name) = match volume.rsplit_once('/') {
            Some((vm, name)) => (Some(vm.trim()), name),
            None => (None, volume),
        };
        if vm.is_some_and(|vm| vm.split('/').any(str::is_empty)) {
            return Err(wrong());
        }
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
            vm: vm.map(ToOwned::to_owned),
            name,
            members: found,
        })
    }
}

impl fmt::Display for Stripe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.volume(), self.members.join(","))
    }
}

impl Stripe {
    /// The volume as it was named: with its VM, where it is of one.
    #[must_use]
    pub fn volume(&self) -> String {
        match &self.vm {
            Some(vm) => format!("{vm}/{}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether it is of this VM and no other.
    pub(super) fn is_only_of(&self, vm: &VmFacts) -> bool {
        let Some(own) = self.vm.as_deref() else {
            return false;
        };
        let (group, name) = match own.rsplit_once('/') {
            Some((group, name)) => (Some(group), name),
            None => (None, own),
        };
        let is_group = |group: &str| {
            let own = vm.resource_group.as_deref();
            own.is_some_and(|own| own.eq_ignore_ascii_case(group))
        };
        vm.name.eq_ignore_ascii_case(name) && group.is_none_or(is_group)
    }
}

/// The stripes that `vm` may have: its own, and those of every VM that none of its own is called like.
pub(super) fn of<'s>(stripes: &'s [Stripe], vm: &VmFacts) -> Vec<&'s Stripe> {
    let is_own = |stripe: &&Stripe| stripe.is_only_of(vm);
    let own: Vec<&Stripe> = stripes.iter().filter(is_own).collect();
    let is_taken = |stripe: &&Stripe| {
        let mut names = own.iter().map(|own| &own.name);
        names.any(|name| name.eq_ignore_ascii_case(&stripe.name))
    };
    let general = stripes.iter().filter(|stripe| stripe.vm.is_none());
    let general: Vec<&Stripe> = general.filter(|stripe| !is_taken(stripe)).collect();
    own.into_iter().chain(general).collect()
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
    let stripes = of(stripes, vm);
    for stripe in &stripes {
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
        // Of its own stripes a VM is to have every member.
        if missing.len() == stripe.members.len() && stripe.vm.is_none() {
            faults.absent.push(stripe.name.clone());
        } else if !missing.is_empty() {
            faults.incomplete.push((stripe.volume(), missing));
        }
        let is_other = |(attached, seen): &(&AttachedDisk, Seen<'_>)| {
            let is = |name: &String| is_named(attached, *seen, name);
            is(&stripe.name) && !stripe.members.iter().any(is)
        };
        let is_absent = faults.absent.last() == Some(&stripe.name);
        if !is_absent && disks.iter().any(is_other) {
            faults.taken.push(stripe.volume());
        }
    }
    for (attached, seen) in &disks {
        let having = stripes.iter().filter(|stripe| {
            let mut members = stripe.members.iter();
            members.any(|member| is_named(attached, *seen, member))
        });
        let having: Vec<&&Stripe> = having.collect();
        if let [first, second, ..] = having.as_slice() {
            let lun = attached.lun.map(|lun| format!("lun{lun}"));
            let name = lun.or_else(|| attached.name.as_deref().map(str::to_owned));
            let both = [first.volume(), second.volume()];
            faults.shared.push((name.unwrap_or_default(), both));
        }
    }
    faults
}

/// Whether `member` means this disk: `lunN`, the number alone, or a disk's name.
pub(super) fn is_named(attached: &AttachedDisk, seen: Seen<'_>, member: &str) -> bool {
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
