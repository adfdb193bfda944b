//! Which device of a log is which volume of a deployment.

use std::str::FromStr;

use wildmatch::WildMatch;

use super::label::Labelled;
use crate::deployment::{Deployment, Volume};

/// A device of the logs, or a pattern for several, and the volume that it is or is part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The device as the log names it, with or without its host (`sdc`, `web1 sdc`); `*` and `?` stand for any letters;
    /// case and blanks do not matter.
    pub device: String,
    /// The volume.
    pub volume: String,
}

/// A text that is no binding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{input}' binds no device to a volume: write DEVICE=VOLUME, such as sdc=data")]
pub struct BindingError {
    input: String,
}

impl FromStr for Binding {
    type Err = BindingError;

    /// `DEVICE=VOLUME`; the last `=` counts, for no volume's name holds one.
    fn from_str(input: &str) -> Result<Self, BindingError> {
        let parts = input.rsplit_once('=');
        let (device, volume) = parts
            .map(|(device, volume)| (device.trim(), volume.trim()))
            .filter(|(device, volume)| !device.is_empty() && !volume.is_empty())
            .ok_or_else(|| BindingError {
                input: input.to_owned(),
            })?;
        Ok(Self {
            device: device.to_owned(),
            volume: volume.to_owned(),
        })
    }
}

/// A name without its blanks: `lun0` is `LUN 0`.
fn close(name: &str) -> String {
    name.split_whitespace().collect()
}

/// A device of a log.
#[derive(Debug, Clone, Copy)]
pub(in crate::measure) struct Device<'a> {
    /// What the report calls it.
    pub label: &'a str,
    /// What its log calls it.
    pub name: &'a str,
    /// The host that it is of, where the log says so.
    pub host: Option<&'a str>,
}

impl<'a> From<&'a Labelled<'_>> for Device<'a> {
    fn from(disk: &'a Labelled<'_>) -> Self {
        Self {
            label: &disk.label,
            name: &disk.series.name,
            host: disk.series.host.as_deref(),
        }
    }
}

impl Binding {
    fn fits(&self, device: &Device<'_>) -> bool {
        let pattern = WildMatch::new_case_insensitive(&close(&self.device));
        let name = device.name;
        let host = device.host.unwrap_or_default();
        let matches = |name: &str| pattern.matches(&close(name));
        matches(device.label)
            || matches(name)
            || matches(&format!("{host} {name}"))
            || matches(&format!("{host}/{name}"))
    }
}

/// Why devices cannot be bound to volumes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// A device is bound to a volume that there is not.
    #[error("'{device}={volume}': there is no volume '{volume}'; {}", volumes(.known))]
    UnknownVolume {
        /// The device as given.
        device: String,
        /// The volume as given.
        volume: String,
        /// The volumes that there are.
        known: Vec<String>,
    },
    /// A binding names a device that no log has.
    #[error("'{device}={volume}': no log has a device '{device}'; devices are {}", .known.join(", "))]
    UnknownDevice {
        /// The device as given.
        device: String,
        /// The volume as given.
        volume: String,
        /// The devices that there are.
        known: Vec<String>,
    },
    /// Several devices, and nothing says which of them is which volume.
    #[error(
        "which device is {}? Say so with --map DEVICE={}; devices are {}",
        .volumes.join(", "), .volumes.first().map_or("VOLUME", String::as_str), .devices.join(", ")
    )]
    WhichDevice {
        /// The volumes.
        volumes: Vec<String>,
        /// The devices.
        devices: Vec<String>,
    },
    /// More or fewer devices of a volume than it has members.
    #[error(
        "{devices} devices are bound to '{volume}', which has {members} member(s): bind the one device that is the \
         whole volume, or each of its members; or name each disk by itself with --disk"
    )]
    Members {
        /// The volume.
        volume: String,
        /// How many members it has.
        members: usize,
        /// How many devices are bound to it.
        devices: usize,
    },
}

/// The volumes that there are, as an error tells them.
pub(in crate::measure) fn volumes(known: &[String]) -> String {
    if known.is_empty() {
        "name disks with --disk".to_owned()
    } else {
        format!("volumes are {}", known.join(", "))
    }
}

/// What a disk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::measure) struct Bound {
    /// The volume, by its place in the deployment.
    pub volume: usize,
    /// How many devices make up the volume: 1 for one that is the whole of it.
    pub of: usize,
}

/// What each disk is: as the bindings say; else the volume of its name; else the only volume, where there is one disk.
/// Several disks may be alike: a volume of one member stands for each of them.
pub(super) fn bind(
    disks: &[Labelled<'_>],
    deployment: Option<&Deployment>,
    bindings: &[Binding],
) -> Result<Vec<Option<Bound>>, BindError> {
    let devices: Vec<Device<'_>> = disks.iter().map(Device::from).collect();
    check(bindings, &devices, deployment)?;
    let Some(deployment) = deployment else {
        return Ok(vec![None; disks.len()]);
    };
    let only = disks.len() == 1 && deployment.volumes.len() == 1;
    let volume_of = |device| volume_of(device, deployment, bindings).or(only.then_some(0));
    let places: Vec<Option<usize>> = devices.iter().map(volume_of).collect();
    if places.iter().all(Option::is_none) {
        return Err(BindError::WhichDevice {
            volumes: deployment.volume_names(),
            devices: labels(&devices),
        });
    }
    bound(&places, deployment)
}

/// The volume of a device: as the bindings say; else that of its name.
pub(in crate::measure) fn volume_of(
    device: &Device<'_>,
    deployment: &Deployment,
    bindings: &[Binding],
) -> Option<usize> {
    let bound = bindings.iter().find(|binding| binding.fits(device));
    bound
        .and_then(|binding| deployment.position(&binding.volume))
        .or_else(|| deployment.position(device.label))
        .or_else(|| deployment.position(device.name))
}

/// How many devices make up the volume of each.
///
/// # Errors
/// [`BindError::Members`] where there are more or fewer of them than the volume has members.
pub(in crate::measure) fn bound(
    places: &[Option<usize>],
    deployment: &Deployment,
) -> Result<Vec<Option<Bound>>, BindError> {
    let mut devices = vec![0_usize; deployment.volumes.len()];
    for place in places.iter().flatten() {
        if let Some(devices) = devices.get_mut(*place) {
            *devices += 1;
        }
    }
    for (volume, devices) in deployment.volumes.iter().zip(&devices) {
        check_members(volume, *devices)?;
    }
    let bound = |place: usize| {
        let members = deployment.volumes.get(place).map_or(1, |v| v.members.len());
        let is_whole = devices.get(place) == Some(&members);
        let of = if is_whole { members } else { 1 };
        Bound { volume: place, of }
    };
    Ok(places.iter().map(|place| place.map(bound)).collect())
}

fn labels(devices: &[Device<'_>]) -> Vec<String> {
    devices
        .iter()
        .map(|device| device.label.to_owned())
        .collect()
}

/// Whether every binding names something on both sides.
///
/// # Errors
/// [`BindError`] where one does not.
pub(in crate::measure) fn check(
    bindings: &[Binding],
    devices: &[Device<'_>],
    deployment: Option<&Deployment>,
) -> Result<(), BindError> {
    for binding in bindings {
        let (device, volume) = (binding.device.clone(), binding.volume.clone());
        if deployment.and_then(|d| d.position(&volume)).is_none() {
            return Err(BindError::UnknownVolume {
                device,
                volume,
                known: deployment.map_or_else(Vec::new, Deployment::volume_names),
            });
        }
        if !devices.iter().any(|own| binding.fits(own)) {
            return Err(BindError::UnknownDevice {
                device,
                volume,
                known: labels(devices),
            });
        }
    }
    Ok(())
}

fn check_members(volume: &Volume, devices: usize) -> Result<(), BindError> {
    let members = volume.members.len();
    if devices <= 1 || members == 1 || devices == members {
        return Ok(());
    }
    Err(BindError::Members {
        volume: volume.name.clone(),
        members,
        devices,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_make_no_other_device() {
        assert_eq!(close("LUN 0"), close(" LUN0 "));
        let pattern = WildMatch::new_case_insensitive(&close("lun*"));
        assert!(pattern.matches(&close("LUN 12")));
    }
}
