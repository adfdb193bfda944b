//! Logs of counters: each of their devices is held against its own volume.

use std::collections::{HashMap, HashSet};

use super::target::bound_to;
use super::{BenchError, Input, Request};
use crate::deployment::Deployment;
use crate::measure::model::{Run, Test};
use crate::measure::over_time::bind::{self, Bound, Device};

/// The devices that a run of counters is of; none of other results.
pub(super) fn devices(run: &Run) -> Vec<&str> {
    let tests = run.tests.iter().filter(|_| run.format.is_counters());
    let mut known = HashSet::new();
    let devices = tests.filter_map(|test| test.target.as_deref());
    devices.filter(|device| known.insert(*device)).collect()
}

/// What a run of counters says of each of its devices that `is_meant`.
pub(super) fn each(run: &Run, is_meant: impl Fn(&str) -> bool) -> Vec<Run> {
    let mut devices = devices(run);
    devices.retain(|device| is_meant(device));
    if devices.is_empty() {
        return Vec::new();
    }
    let mut bare = run.clone();
    let mut tests: HashMap<Option<String>, Vec<Test>> = HashMap::new();
    for test in std::mem::take(&mut bare.tests) {
        tests.entry(test.target.clone()).or_default().push(test);
    }
    let of = |device: &str| {
        let target = Some(device.to_owned());
        Run {
            tests: tests.remove(&target).unwrap_or_default(),
            target,
            ..bare.clone()
        }
    };
    devices.into_iter().map(of).collect()
}

/// The inputs with a run for each device of logs that have several.
pub(super) fn apart(inputs: &[Input]) -> Vec<Input> {
    let parts = |run: &Run| match devices(run).len() {
        0 | 1 => vec![run.clone()],
        _ => each(run, |_| true),
    };
    let one = |input: &Input| Input {
        name: input.name.clone(),
        target: input.target.clone(),
        runs: input.runs.iter().flat_map(parts).collect(),
    };
    inputs.iter().map(one).collect()
}

/// Whether the runs of a file are of several hosts.
pub(super) fn has_several_hosts(input: &Input) -> bool {
    let mut hosts = input.runs.iter().map(|run| &run.host);
    let first = hosts.next();
    hosts.any(|host| Some(host) != first)
}

/// What a run of a log is called that is of one of several devices: by the device, with the host where there are several,
/// and with the file, if one is given.
pub(super) fn label(run: &Run, file: Option<String>, several_hosts: bool) -> Option<String> {
    let device = run.target.clone().filter(|_| run.format.is_counters())?;
    let host = run.host.clone().filter(|_| several_hosts);
    let words: Vec<String> = file.into_iter().chain(host).chain([device]).collect();
    Some(words.join(" "))
}

/// What each run is, where it is of a device; `None` for other results.
///
/// A device is the volume that the bindings say, else that of its name, else the one that its file is bound to or the only
/// one, where it is the only device.
///
/// # Errors
/// [`BenchError`] where a binding names nothing, or it is open which device of a log is meant.
pub(super) fn bind(
    inputs: &[Input],
    labels: &[String],
    request: &Request<'_>,
) -> Result<Vec<Option<Option<Bound>>>, BenchError> {
    let mut names = labels.iter();
    let of_input = |input| (input, own_devices(input, &mut names));
    let all: Vec<(&Input, Vec<Option<Device<'_>>>)> = inputs.iter().map(of_input).collect();
    let devices = all.iter().flat_map(|(_, own)| own);
    let known: Vec<Device<'_>> = devices.flatten().copied().collect();
    bind::check(&request.bindings, &known, request.deployment)?;
    let Some(deployment) = request.deployment else {
        return Ok(vec![None; labels.len()]);
    };
    let mut places = Vec::new();
    for (input, own) in &all {
        places.extend(self::places(input, own, known.len(), deployment, request)?);
    }
    let bound = bind::bound(&places, deployment)?;
    let devices = all.iter().flat_map(|(_, own)| own);
    Ok(devices
        .zip(bound)
        .map(|(device, bound)| device.map(|_| bound))
        .collect())
}

/// The device of each run of a file, which takes the label of each.
fn own_devices<'a>(
    input: &'a Input,
    labels: &mut impl Iterator<Item = &'a String>,
) -> Vec<Option<Device<'a>>> {
    let runs = input.runs.iter().zip(labels);
    runs.map(|(run, label)| device(run, label)).collect()
}

fn device<'a>(run: &'a Run, label: &'a str) -> Option<Device<'a>> {
    let devices = devices(run);
    let name = devices.first()?;
    Some(Device {
        label,
        name,
        host: run.host.as_deref(),
    })
}

/// The volumes of the devices of one log, of `all` that there are.
fn places(
    input: &Input,
    own: &[Option<Device<'_>>],
    all: usize,
    deployment: &Deployment,
    request: &Request<'_>,
) -> Result<Vec<Option<usize>>, BenchError> {
    let beside: Vec<Device<'_>> = own.iter().flatten().copied().collect();
    if beside.is_empty() {
        return Ok(vec![None; own.len()]);
    }
    let target = bound_to(input, Some(deployment))?;
    let only = match target {
        Some(target) => (beside.len() == 1).then_some(target),
        None => (all == 1 && deployment.volumes.len() == 1).then_some(0),
    };
    let named = |device: &Device<'_>| bind::volume_of(device, deployment, &request.bindings);
    let place = |device: &Device<'_>| only.or_else(|| named(device));
    let places: Vec<Option<usize>> = own
        .iter()
        .map(|device| device.as_ref().and_then(place))
        .collect();
    let is_wanted = |place: &usize| target.is_none_or(|target| target == *place);
    let open = || {
        own.iter()
            .zip(&places)
            .any(|(device, place)| device.is_some() && place.is_none())
    };
    if !places.iter().flatten().any(is_wanted) && open() {
        return Err(which_device(input, &beside, target, deployment));
    }
    Ok(places)
}

fn which_device(
    input: &Input,
    devices: &[Device<'_>],
    target: Option<usize>,
    deployment: &Deployment,
) -> BenchError {
    let wanted = |name: &String| match target {
        Some(target) => deployment.position(name) == Some(target),
        None => true,
    };
    let volumes = deployment.volume_names().into_iter();
    BenchError::WhichDevice {
        file: input.name.clone(),
        volumes: volumes.filter(wanted).collect(),
        devices: devices.iter().map(|own| own.name.to_owned()).collect(),
    }
}

/// What is to be told of a device that is held against no volume; `None` where it is, or the run is of no device.
pub(super) fn unbound(
    bound: Option<Option<Bound>>,
    run: &Run,
    file: &str,
    deployment: &Deployment,
) -> Option<String> {
    let device = *devices(run).first()?;
    match bound? {
        None => Some(format!(
            "bound to no volume, so that it was held against none: `VOLUME={file}#{device}` would bind it"
        )),
        Some(bound) if bound.of > 1 => {
            let volume = deployment.volumes.get(bound.volume);
            let name = volume.map_or("", |volume| volume.name.as_str());
            let of = bound.of;
            Some(format!(
                "one of the {of} disks of '{name}', which no figure is held against alone: `diskcap bench series` does"
            ))
        }
        Some(_) => None,
    }
}
