//! What each disk is called in a report of several logs: as short as tells it apart.

use std::path::Path;

use super::{DiskSeries, Input};
use crate::measure::numbered::numbered;

/// A disk and what it is called.
#[derive(Debug, Clone)]
pub(super) struct Labelled<'s> {
    /// Unique in the report.
    pub label: String,
    /// What it did.
    pub series: &'s DiskSeries,
}

/// Every disk of the inputs, in order: called by the name that its log was given, else as the log calls it, with the
/// host, else the file, where several logs use the same name.
pub(super) fn labelled(inputs: &[Input]) -> Vec<Labelled<'_>> {
    let disks: Vec<(Option<String>, &DiskSeries)> = inputs.iter().flat_map(of_input).collect();
    let choices: Vec<[String; 3]> = disks
        .iter()
        .map(|(given, disk)| match given {
            Some(name) => [name.clone(), name.clone(), name.clone()],
            None => [disk.name.clone(), with_host(disk), with_file(disk)],
        })
        .collect();
    let unique = |rank: usize, label: &String| {
        let same = choices
            .iter()
            .filter(|names| names.get(rank) == Some(label));
        same.count() == 1
    };
    let labels: Vec<String> = choices
        .iter()
        .map(|names| {
            let mut ranked = names.iter().enumerate();
            let first = ranked.find(|(rank, name)| unique(*rank, name));
            first.map_or_else(|| names[2].clone(), |(_, name)| name.clone())
        })
        .collect();
    numbered(&labels)
        .into_iter()
        .zip(disks)
        .map(|(label, (_, series))| Labelled { label, series })
        .collect()
}

/// The disks of one input with the name that it was given; that of the disk behind it where there are several.
fn of_input(input: &Input) -> impl Iterator<Item = (Option<String>, &DiskSeries)> {
    let single = input.series.disks.len() == 1;
    input.series.disks.iter().map(move |disk| {
        let given = input.name.as_ref().map(|name| {
            if single {
                name.clone()
            } else {
                format!("{name} {}", disk.name)
            }
        });
        (given, disk)
    })
}

fn with_host(disk: &DiskSeries) -> String {
    match &disk.host {
        Some(host) => format!("{host} {}", disk.name),
        None => disk.name.clone(),
    }
}

fn with_file(disk: &DiskSeries) -> String {
    let stem = Path::new(&disk.log).file_stem();
    stem.map_or_else(
        || disk.name.clone(),
        |stem| format!("{} {}", stem.to_string_lossy(), disk.name),
    )
}
