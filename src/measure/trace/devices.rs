//! Which device of the traces is which volume.

use super::error::TraceError;
use crate::measure::series::{DiskSeries, Series};

/// Says that a device of the traces is a volume of the deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The device as the traces name it, without regard to case; `HOST/DEVICE` where several hosts have it.
    pub device: String,
    /// The volume's name, without regard to case.
    pub volume: String,
}

/// A text that is no mapping.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' does not say which device is which volume: write DEVICE=VOLUME, such as sdc=data")]
pub struct MappingError(String);

impl std::str::FromStr for Mapping {
    type Err = MappingError;

    fn from_str(input: &str) -> Result<Self, Self::Err> {
        let (device, volume) = input.rsplit_once('=').unwrap_or_default();
        let (device, volume) = (device.trim().to_owned(), volume.trim().to_owned());
        if device.is_empty() || volume.is_empty() {
            return Err(MappingError(input.to_owned()));
        }
        Ok(Self { device, volume })
    }
}

/// One device, with everything that the traces say of it.
pub(super) struct Device<'a> {
    pub name: &'a str,
    host: Option<&'a str>,
    pub series: Vec<&'a DiskSeries>,
}

impl Device<'_> {
    /// Whether another series is of the same device, too: no two hosts have one in common.
    fn has(&self, series: &DiskSeries) -> bool {
        let hosts = self.host.zip(series.host.as_deref());
        self.name.eq_ignore_ascii_case(&series.name)
            && hosts.is_none_or(|(a, b)| a.eq_ignore_ascii_case(b))
    }

    /// Its name with its host.
    fn full_name(&self) -> String {
        match self.host {
            Some(host) if !self.name.starts_with(host) => format!("{host}/{}", self.name),
            _ => self.name.to_owned(),
        }
    }

    fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name) || self.full_name().eq_ignore_ascii_case(name)
    }
}

/// The devices of all logs, in their order.
pub(super) fn devices(logs: &[Series]) -> Vec<Device<'_>> {
    let mut devices: Vec<Device<'_>> = Vec::new();
    for series in logs.iter().flat_map(|log| &log.disks) {
        match devices.iter_mut().find(|device| device.has(series)) {
            Some(device) => {
                device.host = device.host.or(series.host.as_deref());
                device.series.push(series);
            }
            None => devices.push(Device {
                name: &series.name,
                host: series.host.as_deref(),
                series: vec![series],
            }),
        }
    }
    devices
}

/// The names of devices, with their hosts where there are several.
pub(super) fn names(devices: &[Device<'_>]) -> Vec<String> {
    let mut hosts = devices.iter().filter_map(|device| device.host);
    let first = hosts.next();
    let several = hosts.any(|host| Some(host) != first);
    let name = |device: &Device<'_>| {
        if several {
            device.full_name()
        } else {
            device.name.to_owned()
        }
    };
    devices.iter().map(name).collect()
}

/// The position of each device's volume in `volumes`; `None` for devices that are none. A device is the volume that
/// `map` says; else that of its own name; else the only device is the only volume.
pub(super) fn assigned(
    devices: &[Device<'_>],
    volumes: &[String],
    map: &[Mapping],
) -> Result<Vec<Option<usize>>, TraceError> {
    let mut places: Vec<Option<usize>> = vec![None; devices.len()];
    for mapping in map {
        let volume = position(volumes, &mapping.volume);
        let volume = volume.ok_or_else(|| TraceError::UnknownVolume {
            device: mapping.device.clone(),
            volume: mapping.volume.clone(),
            known: volumes.to_vec(),
        })?;
        let device = mapped(devices, mapping)?;
        match places[device] {
            Some(other) if other != volume => {
                return Err(TraceError::MappedTwice {
                    device: mapping.device.clone(),
                    first: volumes[other].clone(),
                    second: volumes[volume].clone(),
                });
            }
            _ => places[device] = Some(volume),
        }
    }
    let free = |volume: &usize| !places.contains(&Some(*volume));
    let free: Vec<usize> = (0..volumes.len()).filter(free).collect();
    for volume in free {
        let called = |index: &usize| {
            places[*index].is_none() && devices[*index].name.eq_ignore_ascii_case(&volumes[volume])
        };
        let named: Vec<usize> = (0..devices.len()).filter(called).collect();
        match named.as_slice() {
            [] => {}
            [device] => places[*device] = Some(volume),
            [device, ..] => return Err(ambiguous(devices, devices[*device].name)),
        }
    }
    if let ([place @ None], [_]) = (places.as_mut_slice(), volumes) {
        *place = Some(0);
    }
    if places.iter().all(Option::is_none) {
        return Err(TraceError::NothingMatches {
            devices: names(devices),
            volumes: volumes.to_vec(),
        });
    }
    Ok(places)
}

fn position(volumes: &[String], name: &str) -> Option<usize> {
    volumes.iter().position(|v| v.eq_ignore_ascii_case(name))
}

fn mapped(devices: &[Device<'_>], mapping: &Mapping) -> Result<usize, TraceError> {
    let called = devices.iter().enumerate();
    let called = called.filter(|(_, device)| device.is_called(&mapping.device));
    let found: Vec<usize> = called.map(|(index, _)| index).collect();
    match found.as_slice() {
        [device] => Ok(*device),
        [] => Err(TraceError::UnknownDevice {
            device: mapping.device.clone(),
            volume: mapping.volume.clone(),
            known: names(devices),
        }),
        _ => Err(ambiguous(devices, &mapping.device)),
    }
}

fn ambiguous(devices: &[Device<'_>], device: &str) -> TraceError {
    TraceError::Ambiguous {
        device: device.to_owned(),
        known: names(devices),
    }
}
