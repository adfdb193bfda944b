//! Names of fixed sets as Azure writes them. A name that is not in the set is kept, never dropped: the cloud adds
//! names faster than any client learns them.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

use crate::azure::arm::loose::Scalar;
use crate::catalog::{Family, Interface, Redundancy};
use crate::deployment::HostCaching;

/// A name of a fixed set, or one that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Named<T> {
    /// Known.
    Known(T),
    /// Not known: the name as it was written.
    Other(Box<str>),
}

impl<T: Copy> Named<T> {
    /// The value, where it is known.
    #[must_use]
    pub const fn known(&self) -> Option<T> {
        match self {
            Self::Known(value) => Some(*value),
            Self::Other(_) => None,
        }
    }
}

impl<T> Named<T> {
    /// Looks `scalar` up among `names` without regard to case.
    fn find(scalar: &Scalar, names: impl IntoIterator<Item = (&'static str, T)>) -> Option<Self> {
        let text = scalar.words()?;
        let known = names
            .into_iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(&text));
        Some(match known {
            Some((_, value)) => Self::Known(value),
            None => Self::Other(text.into_owned().into()),
        })
    }
}

/// Host caching; 0, 1 and 2 are what PowerShell's `ConvertTo-Json` writes for the enumeration.
pub(crate) fn caching(scalar: &Scalar) -> Option<Named<HostCaching>> {
    use HostCaching::{None, ReadOnly, ReadWrite};
    let names = [
        ("None", None),
        ("ReadOnly", ReadOnly),
        ("ReadWrite", ReadWrite),
        ("0", None),
        ("1", ReadOnly),
        ("2", ReadWrite),
    ];
    Named::find(scalar, names)
}

/// Operating systems, as far as Azure tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Os {
    /// Windows.
    Windows,
    /// Linux.
    Linux,
}

/// The operating system; 0 and 1 are what PowerShell writes for the enumeration.
pub(crate) fn os(scalar: &Scalar) -> Option<Named<Os>> {
    let names = [
        ("Windows", Os::Windows),
        ("Linux", Os::Linux),
        ("0", Os::Windows),
        ("1", Os::Linux),
    ];
    Named::find(scalar, names)
}

/// The disk controller of a VM.
pub(crate) fn controller(scalar: &Scalar) -> Option<Named<Interface>> {
    Named::find(
        scalar,
        [("SCSI", Interface::Scsi), ("NVMe", Interface::Nvme)],
    )
}

/// The controllers in a list such as `SCSI, NVMe`. Unknown ones are left out.
pub(crate) fn controllers(scalar: &Scalar) -> Vec<Interface> {
    let text = scalar.words().unwrap_or_default();
    text.split(',')
        .filter_map(|part| controller(&Scalar::Text(part.to_owned())))
        .filter_map(|named| named.known())
        .collect()
}

/// Whether a VM runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Power {
    /// Running.
    Running,
    /// On its way up.
    Starting,
    /// On its way down.
    Stopping,
    /// Shut down and still billed for its size.
    Stopped,
    /// Being given back.
    Deallocating,
    /// Given back: only its disks are billed.
    Deallocated,
}

/// The power state from `PowerState/running` or `VM running`.
pub(crate) fn power(scalar: &Scalar) -> Option<Named<Power>> {
    let text = scalar.as_str()?;
    let name = match text.split_once(['/', ' ']) {
        Some((head, tail)) if head.eq_ignore_ascii_case("PowerState") => tail,
        Some((head, tail)) if head.eq_ignore_ascii_case("VM") => tail,
        _ => text,
    };
    let names = [
        ("running", Power::Running),
        ("starting", Power::Starting),
        ("stopping", Power::Stopping),
        ("stopped", Power::Stopped),
        ("deallocating", Power::Deallocating),
        ("deallocated", Power::Deallocated),
    ];
    Named::find(&Scalar::Text(name.to_owned()), names)
}

/// Whether a disk is attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiskState {
    /// Attached to no VM, and billed.
    Unattached,
    /// Attached to a running VM.
    Attached,
    /// Attached to a stopped and deallocated VM.
    Reserved,
    /// Attached to a hibernated VM.
    Frozen,
    /// Being exported through a link.
    ActiveSas,
    /// Being exported through a link while the VM is hibernated.
    ActiveSasFrozen,
    /// Waiting for an upload.
    ReadyToUpload,
    /// Being uploaded to.
    ActiveUpload,
}

/// The state of a disk.
pub(crate) fn disk_state(scalar: &Scalar) -> Option<Named<DiskState>> {
    let names = [
        ("Unattached", DiskState::Unattached),
        ("Attached", DiskState::Attached),
        ("Reserved", DiskState::Reserved),
        ("Frozen", DiskState::Frozen),
        ("ActiveSAS", DiskState::ActiveSas),
        ("ActiveSASFrozen", DiskState::ActiveSasFrozen),
        ("ReadyToUpload", DiskState::ReadyToUpload),
        ("ActiveUpload", DiskState::ActiveUpload),
    ];
    Named::find(scalar, names)
}

/// A disk SKU such as `Premium_LRS`: its name, and what it means where it is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DiskSku {
    /// The name as it was written.
    pub name: Arc<str>,
    /// The family.
    pub family: Option<Family>,
    /// The redundancy.
    pub redundancy: Option<Redundancy>,
}

impl DiskSku {
    /// What a name means. Old PowerShell modules leave out the underscore (`PremiumLRS`).
    #[must_use]
    pub fn new(name: Arc<str>) -> Self {
        let with_underscore = || {
            let (family, copies) = name.split_at_checked(name.len().checked_sub(3)?)?;
            Family::from_arm_sku(&format!("{family}_{copies}"))
        };
        let known = Family::from_arm_sku(&name).or_else(with_underscore);
        Self {
            family: known.map(|(family, _)| family),
            redundancy: known.map(|(_, redundancy)| redundancy),
            name,
        }
    }
}

impl fmt::Display for DiskSku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A point in time: RFC 3339, also without an offset (then UTC), or `/Date(1602786256712)/`.
/// `None` for anything else; no rule stands or falls with it.
pub(crate) fn timestamp(scalar: &Scalar) -> Option<Timestamp> {
    let text = scalar.as_str()?;
    if let Some(inner) = text
        .strip_prefix("/Date(")
        .and_then(|rest| rest.strip_suffix(")/"))
    {
        return Timestamp::from_millisecond(inner.parse().ok()?).ok();
    }
    text.parse().or_else(|_| format!("{text}Z").parse()).ok()
}

/// Whether two readings both say something, and not the same.
pub(super) fn differ<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one != other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> Scalar {
        Scalar::Text(value.to_owned())
    }

    #[test]
    fn unknown_names_are_kept() {
        assert_eq!(
            caching(&text("WriteOnly")),
            Some(Named::Other("WriteOnly".into()))
        );
        assert_eq!(caching(&Scalar::Absent), None);
        assert_eq!(
            disk_state(&text("activesasfrozen")),
            Some(Named::Known(DiskState::ActiveSasFrozen))
        );
    }

    #[test]
    fn numbers_of_an_enumeration_are_its_names() {
        assert_eq!(
            caching(&Scalar::Number(1.0)),
            Some(Named::Known(HostCaching::ReadOnly))
        );
        assert_eq!(os(&Scalar::Number(0.0)), Some(Named::Known(Os::Windows)));
    }

    #[test]
    fn power_states_come_in_two_spellings() {
        for spelling in ["PowerState/deallocated", "VM deallocated"] {
            assert_eq!(
                power(&text(spelling)),
                Some(Named::Known(Power::Deallocated)),
                "{spelling}"
            );
        }
    }

    #[test]
    fn disk_skus_are_family_and_redundancy() {
        let cases = [
            (
                "Premium_LRS",
                Some(Family::PremiumSsd),
                Some(Redundancy::Lrs),
            ),
            (
                "PremiumLRS",
                Some(Family::PremiumSsd),
                Some(Redundancy::Lrs),
            ),
            (
                "premiumv2_lrs",
                Some(Family::PremiumSsdV2),
                Some(Redundancy::Lrs),
            ),
            (
                "StandardSSD_ZRS",
                Some(Family::StandardSsd),
                Some(Redundancy::Zrs),
            ),
            (
                "Standard_LRS",
                Some(Family::StandardHdd),
                Some(Redundancy::Lrs),
            ),
            ("UltraSSD_LRS", Some(Family::Ultra), Some(Redundancy::Lrs)),
            ("Quantum_LRS", None, None),
            ("Q", None, None),
            ("é", None, None),
        ];
        for (name, family, redundancy) in cases {
            let sku = DiskSku::new(name.into());
            assert_eq!((sku.family, sku.redundancy), (family, redundancy), "{name}");
        }
    }

    #[test]
    fn timestamps_of_every_tool() {
        let expected: Timestamp = "2020-10-15T18:24:16.712Z".parse().unwrap();
        for spelling in [
            "2020-10-15T14:24:16.712-04:00",
            "2020-10-15T18:24:16.712",
            "2020-10-15T18:24:16.712+00:00",
            "/Date(1602786256712)/",
        ] {
            assert_eq!(timestamp(&text(spelling)), Some(expected), "{spelling}");
        }
        assert_eq!(timestamp(&text("yesterday")), None);
    }
}
