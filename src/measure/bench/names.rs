//! What runs are called in tables.

use super::target::is_column;
use super::{Input, devices};
use crate::measure::compare::columns;
use crate::measure::csv::UNNAMED;
use crate::measure::model::{Format, Run};
use crate::measure::numbered::numbered;

/// A name for every run: a column's head; the volume that a file is bound to; else the file, without folder and ending.
/// Of a single file it is what was measured. Names that would be the same are numbered.
pub(super) fn labels(inputs: &[Input]) -> Vec<String> {
    let mut names = Vec::new();
    for input in inputs {
        let several_hosts = devices::has_several_hosts(input);
        for column in columns(&input.runs) {
            let file = (inputs.len() > 1).then(|| stem(&input.name));
            let is_bound = input.target.is_some() && input.runs.len() == 1;
            let device = || devices::label(column.run, file, several_hosts);
            if let Some(device) = (!is_bound).then(device).flatten() {
                names.push(device);
                continue;
            }
            let bound = input.target.clone().filter(|_| !is_column(column.run));
            names.push(match bound {
                Some(target) => target,
                None if inputs.len() > 1 && is_unnamed(column.run) => {
                    (input.target.clone()).unwrap_or_else(|| stem(&input.name))
                }
                None if is_column(column.run) => letter(column.label),
                None if inputs.len() == 1 => drive(column.label),
                None => stem(&input.name),
            });
        }
    }
    numbered(&names)
}

/// Whether the rows of a CSV say neither their run nor their disk.
fn is_unnamed(run: &Run) -> bool {
    run.format == Format::Csv && run.target.is_none() && run.tool == UNNAMED
}

/// The letter of a drive that a column is headed with: `D:` goes by `D`.
pub(super) fn letter(label: String) -> String {
    match label.strip_suffix(':') {
        Some(letter) if letter.len() == 1 => letter.to_owned(),
        _ => label,
    }
}

/// The letter of a drive that a tool describes at length: `C: 10.2% (12.9/127.0 GiB)` goes by `C`.
fn drive(label: String) -> String {
    match label.split_once(' ') {
        Some((letter, _)) if letter.len() == 2 && letter.ends_with(':') => {
            letter.trim_end_matches(':').to_owned()
        }
        _ => label,
    }
}

fn stem(file: &str) -> String {
    let stem = std::path::Path::new(file).file_stem();
    stem.map_or_else(
        || file.to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}
