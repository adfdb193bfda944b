//! What the figures rest on, and what is noted of runs.

use super::results::raised;
use crate::measure::bench::Bench;
use crate::report::views::outcome::AT_MOST;
use crate::units::grouped;

const RATIO: &str = "Ratio: to the figure that the verdict names, not always the predicted one.";

pub(super) fn footnotes(bench: &Bench) -> Vec<String> {
    let mut notes = vec![
        format!("Data: {}.", bench.data),
        format!(
            "At a limit: within {} %. Implied latency is queue depth over IOPS (Little's law).",
            grouped(bench.tolerance * 100.0, 2)
        ),
    ];
    let is_raised = raised(bench).is_some();
    if is_raised {
        notes.push(format!(
            "Predicted: what the disk itself makes without end; burst, cached: with full credit, from a full host cache. {RATIO}"
        ));
    }
    let mut tests = bench.runs.iter().flat_map(|run| &run.judgement.tests);
    if tests.any(|test| test.predicted_at_most || test.predicted_most_at_most) {
        notes.push(AT_MOST.to_owned());
        notes.extend((!is_raised).then(|| RATIO.to_owned()));
    }
    let checks = || {
        bench
            .runs
            .iter()
            .flat_map(|run| &run.judgement.queue_depth_1)
    };
    if checks().any(|check| check.depth_to_reach_limit.is_some()) {
        notes.push(
            "QD for limit and at a queue depth: by the latency that was measured, within what holds without burst \
             credit, but no less than one I/O at a time made; - where that latency is not the disk's, or the same run \
             made less with a queue as deep."
                .to_owned(),
        );
    }
    if bench.runs.iter().any(|run| run.format.is_counters()) {
        notes.push(
            "Counters say what was asked of a disk, not what it can do: `diskcap bench series` judges them over time."
                .to_owned(),
        );
    }
    notes.extend(notes_of_runs(bench));
    notes
}

/// What is noted of runs: each note once, with the runs that it is of. What makes a run incomplete stands above.
fn notes_of_runs(bench: &Bench) -> impl Iterator<Item = String> {
    let mut noted: Vec<(String, Vec<&str>)> = Vec::new();
    for run in &bench.runs {
        let own = run.notes.iter();
        let own = own.filter(|note| run.incomplete.as_ref() != Some(note));
        let assumed = run.judgement.tests.iter().flat_map(|test| &test.assumed);
        let assumed = assumed.map(|note| format!("assumed {note}"));
        for note in own.cloned().chain(assumed) {
            match noted.iter_mut().find(|(known, _)| *known == note) {
                Some((_, runs)) if runs.contains(&run.label.as_str()) => {}
                Some((_, runs)) => runs.push(&run.label),
                None => noted.push((note, vec![&run.label])),
            }
        }
    }
    let all = bench.runs.len();
    noted.into_iter().map(move |(note, runs)| match runs.len() {
        1 => format!("{}: {note}.", runs.join("")),
        number if number == all => format!("All runs: {note}."),
        _ => format!("{}: {note}.", runs.join(", ")),
    })
}
