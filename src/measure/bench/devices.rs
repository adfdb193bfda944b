//! Logs of counters: each of their devices is held against its own volume.

use std::collections::BTreeSet;

use super::{BenchError, Input, Request};
use crate::deployment::Deployment;
use crate::measure::model::Run;
use crate::measure::over_time::bind::{self, Bound, Device};

/// The devices that a run of counters is of; none of other results.
pub(super) fn devices(run: &Run) -> Vec<&str> {
    let tests = run.tests.iter().filter(|_| run.format.is_counters());
    let mut found: Vec<&str> = Vec::new();
    for device in tests.filter_map(|test| test.target.as_deref()) {
        if !found.contains(&device) {
            found.push(device);
        }
    }
    found
}

/// What a run of counters says of one of its devices.
pub(super) fn only(run: &Run, device: &str) -> Run {
    let is_it = |target: &String| target.eq_ignore_ascii_case(device);
    let tests = run.tests.iter();
    let tests = tests.filter(|test| test.target.as_ref().is_some_and(is_it));
    Run {
        target: Some(device.to_owned()),
        tests: tests.cloned().collect(),
        ..run.clone()
    }
}

/// The inputs with a run for each device of logs that have several.
pub(super) fn apart(inputs: &[Input]) -> Vec<Input> {
    let parts = |run: &Run| -> Vec<Run> {
        match devices(run).as_slice() {
            [] | [_] => vec![run.clone()],
            several => several.iter().map(|device| only(run, device)).collect(),
        }
    };
    let each = inputs.iter();
    each.map(|input| Input {
        runs: input.runs.iter().flat_map(parts).collect(),
        ..input.clone()
    })
    .collect()
}

/// What a run of a log is called that is of one of several devices: by the device, with the host where there are several,
/// and with the file, if one is given.
pub(super) fn label(run: &Run, input: &Input, file: Option<String>) -> Option<String> {
    let device = run.target.clone().filter(|_| run.format.is_counters())?;
    let hosts: BTreeSet<&Option<String>> = input.runs.iter().map(|run| &run.host).collect();
    let host = run.host.clone().filter(|_| hosts.len() > 1);
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
    let runs = inputs
        .iter()
        .flat_map(|input| input.runs.iter().map(move |run| (input, run)));
    let all: Vec<(&Input, Option<Device<'_>>)> = runs
        .zip(labels)
        .map(|((input, run), label)| (input, device(run, label)))
        .collect();
    let known: Vec<Device<'_>> = all.iter().filter_map(|(_, device)| *device).collect();
    bind::check(&request.bindings, &known, request.deployment)?;
    let Some(deployment) = request.deployment else {
        return Ok(vec![None; all.len()]);
    };
    let mut places = Vec::new();
    for (input, device) in &all {
        let of_input = all.iter().filter(|(other, _)| std::ptr::eq(*other, *input));
        let beside: Vec<Device<'_>> = of_input.filter_map(|(_, device)| *device).collect();
        places.push(match device {
            Some(device) => place(input, device, &beside, known.len(), deployment, request)?,
            None => None,
        });
    }
    let bound = bind::bound(&places, deployment)?;
    let each = all.iter().zip(bound);
    Ok(each
        .map(|((_, device), bound)| device.map(|_| bound))
        .collect())
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

/// The volume of a device among those of its log (`beside`) and of all.
fn place(
    input: &Input,
    device: &Device<'_>,
    beside: &[Device<'_>],
    all: usize,
    deployment: &Deployment,
    request: &Request<'_>,
) -> Result<Option<usize>, BenchError> {
    let named = |device: &Device<'_>| bind::volume_of(device, deployment, &request.bindings);
    let target = match &input.target {
        None => None,
        Some(name) => Some(
            deployment
                .position(name)
                .ok_or_else(|| BenchError::UnknownTarget {
                    name: name.clone(),
                    file: input.name.clone(),
                    known: deployment.volume_names(),
                })?,
        ),
    };
    let only = match target {
        Some(target) => (beside.len() == 1).then_some(target),
        None => (all == 1 && deployment.volumes.len() == 1).then_some(0),
    };
    if let Some(volume) = only.or_else(|| named(device)) {
        return Ok(Some(volume));
    }
    let is_wanted = |place: usize| target.is_none_or(|target| target == place);
    if beside.iter().filter_map(named).any(is_wanted) {
        return Ok(None);
    }
    let wanted = |name: &String| match target {
        Some(target) => deployment.position(name) == Some(target),
        None => true,
    };
    Err(BenchError::WhichDevice {
        file: input.name.clone(),
        volumes: deployment
            .volume_names()
            .into_iter()
            .filter(wanted)
            .collect(),
        devices: beside.iter().map(|device| device.name.to_owned()).collect(),
    })
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
