//! Which volume a run is held against.

use super::names::letter;
use super::{BenchError, Input};
use crate::deployment::Deployment;
use crate::measure::compare::columns;
use crate::measure::judge::Target;
use crate::measure::model::{Format, Run};
use crate::measure::over_time::bind::Bound;

/// The volume that a device is the whole of.
pub(super) fn of_whole(
    device: Option<Bound>,
    deployment: Option<&Deployment>,
) -> Option<Target<'_>> {
    let (bound, deployment) = device.filter(|bound| bound.of == 1).zip(deployment)?;
    let volume = bound.volume;
    Some(Target { deployment, volume })
}

/// The volume that a file is bound to; `None` where it is bound to none.
///
/// # Errors
/// [`BenchError::UnknownTarget`] where there is no such volume.
pub(super) fn bound_to(
    input: &Input,
    deployment: Option<&Deployment>,
) -> Result<Option<usize>, BenchError> {
    let Some(name) = &input.target else {
        return Ok(None);
    };
    match deployment.and_then(|all| all.position(name)) {
        Some(volume) => Ok(Some(volume)),
        None => Err(BenchError::UnknownTarget {
            name: name.clone(),
            file: input.name.clone(),
            known: deployment.map_or_else(Vec::new, Deployment::volume_names),
        }),
    }
}

/// The volume that a run is held against: the one that its file is bound to, the one that a column is named after, or
/// the only one.
///
/// # Errors
/// [`BenchError`] where its file is bound to a volume that there is not, or it is open which one was measured.
pub(super) fn target<'a>(
    input: &Input,
    run: &Run,
    label: &str,
    deployment: Option<&'a Deployment>,
) -> Result<Option<Target<'a>>, BenchError> {
    let bound = bound_to(input, deployment)?;
    let Some(deployment) = deployment else {
        return Ok(None);
    };
    let named = own_volume(run, label, deployment);
    let volume = match &input.target {
        Some(target) if is_of_others(input, run, target) => named,
        Some(_) => bound,
        None if named.is_some() => named,
        // A table that has a column of a volume's name has others of other disks.
        None if is_column(run) && has_column_of(input, deployment) => None,
        None if deployment.volumes.len() == 1 => Some(0),
        None => {
            return Err(BenchError::WhichTarget {
                file: input.name.clone(),
                columns: names_of_columns(input),
                known: deployment.volume_names(),
            });
        }
    };
    Ok(volume.map(|volume| Target { deployment, volume }))
}

/// Whether a run is of another disk than `target`, which its file is bound to: a table that has rows of that volume says of
/// the others whose they are.
fn is_of_others(input: &Input, run: &Run, target: &str) -> bool {
    !is_named(run, target) && input.runs.iter().any(|run| is_named(run, target))
}

/// The volume that a column of a table is named after, or whose name its rows give for their disk.
fn own_volume(run: &Run, label: &str, deployment: &Deployment) -> Option<usize> {
    let of_rows = || deployment.position(&letter(run.target.clone()?));
    let named = deployment.position(label).or_else(of_rows);
    named.filter(|_| is_column(run))
}

/// Whether the rows of a table's run give `volume` for their disk.
pub(super) fn is_named(run: &Run, volume: &str) -> bool {
    let disk = run.target.clone().filter(|_| is_column(run)).map(letter);
    disk.is_some_and(|disk| disk.eq_ignore_ascii_case(volume))
}

/// Whether a column of the table is of a volume by its name or that of its disk.
fn has_column_of(input: &Input, deployment: &Deployment) -> bool {
    let own = columns(&input.runs).into_iter();
    let mut own = own.map(|column| (letter(column.label), column.run));
    own.any(|(label, run)| own_volume(run, &label, deployment).is_some())
}

/// The names of the columns of a table; none of other results.
fn names_of_columns(input: &Input) -> Vec<String> {
    let own = columns(&input.runs).into_iter();
    let own = own.filter(|column| is_column(column.run));
    own.map(|column| column.label).collect()
}

/// Whether a run is a named column of a table, not the output of a tool.
pub(super) const fn is_column(run: &Run) -> bool {
    matches!(run.format, Format::Matrix | Format::Csv)
}
