//! Runs side by side, as a table and notes.

use crate::measure::compare::{
    Cell as Figure, Comparison, Note as Remark, Row as TestRow, Subject,
};
use crate::report::{Cell, Column, Note, Notes, Row, Section, Table, Tone};
use crate::units::{Iops, MBps, grouped};

/// The table of the tests, and what it means.
pub(super) fn sections(comparison: &Comparison) -> Vec<Section> {
    let mut sections = vec![Section::Table(table(comparison))];
    if !comparison.notes.is_empty() {
        sections.push(Section::Notes(Notes {
            id: "comparison-notes".to_owned(),
            title: "What the comparison says".to_owned(),
            items: comparison
                .notes
                .iter()
                .map(|note| remark(comparison, note))
                .collect(),
        }));
    }
    sections
}

/// Whether every figure is told in MB/s; IOPS are shown where one is not.
fn in_mbps(comparison: &Comparison) -> bool {
    let mut cells = comparison
        .rows
        .iter()
        .flat_map(|row| row.cells.iter().flatten());
    cells.all(|cell| cell.mbps.is_some())
}

fn table(comparison: &Comparison) -> Table {
    let mbps = in_mbps(comparison);
    let unit = if mbps { "MB/s" } else { "IOPS" };
    let mut columns = vec![Column::new("test", "Test")];
    for (index, label) in comparison.columns.iter().enumerate() {
        let number = index + 1;
        columns.push(Column::new(
            format!("run_{number}_{}", if mbps { "mbps" } else { "iops" }),
            label,
        ));
        columns.push(
            Column::new(format!("run_{number}_ratio"), format!("{label} ratio")).on_request(),
        );
    }
    columns.push(Column::new("best", "Best").ranked(5));
    columns.push(
        Column::new("best_disk", "Best that may be the disk")
            .ranked(6)
            .on_request(),
    );
    let baseline = label(comparison, Some(comparison.baseline));
    let subject = match comparison.subject {
        Subject::SameDisk => "one disk in several configurations",
        Subject::DifferentDisks => "different disks",
    };
    let assumed = if comparison.subject_assumed {
        ", assumed"
    } else {
        ""
    };
    Table {
        id: "comparison".to_owned(),
        title: format!("Side by side, {unit} (ratio to {baseline}; {subject}{assumed})"),
        columns,
        rows: comparison
            .rows
            .iter()
            .map(|row| table_row(comparison, row, mbps))
            .collect(),
    }
}

fn label(comparison: &Comparison, column: Option<usize>) -> String {
    let label = column.and_then(|column| comparison.columns.get(column));
    label.cloned().unwrap_or_default()
}

fn table_row(comparison: &Comparison, row: &TestRow, mbps: bool) -> Row {
    let mut cells = vec![Cell::text(&row.name)];
    for (index, figure) in row.cells.iter().enumerate() {
        let best = row.best_disk == Some(index);
        let own = figure.as_ref();
        cells.push(own.map_or(Cell::EMPTY, |own| {
            figure_cell(own, mbps, index == comparison.baseline, best)
        }));
        cells.push(Cell::known(own.and_then(|own| own.ratio), 3));
    }
    let named = |column: Option<usize>| match column {
        Some(_) => Cell::text(label(comparison, column)),
        None => Cell::EMPTY,
    };
    cells.push(named(row.best));
    cells.push(named(row.best_disk));
    Row::new(cells)
}

fn figure_cell(figure: &Figure, mbps: bool, is_baseline: bool, best: bool) -> Cell {
    let value = if mbps {
        Cell::known(figure.mbps.map(MBps::get), 2)
    } else {
        Cell::known(figure.iops.map(Iops::get), 0)
    };
    let ratio = figure.ratio.filter(|_| !is_baseline);
    let times = ratio.map(|ratio| {
        let decimals = if ratio < 10.0 { 2 } else { 0 };
        format!("{}x", grouped(ratio, decimals))
    });
    let hints: Vec<String> = times
        .into_iter()
        .chain(figure.not_the_disk.then(|| "not the disk".to_owned()))
        .collect();
    let value = if hints.is_empty() {
        value
    } else {
        value.hinted(hints.join(", "))
    };
    value.toned(match (figure.not_the_disk, best) {
        (true, _) => Tone::Faint,
        (false, true) => Tone::Good,
        (false, false) => Tone::Plain,
    })
}

fn remark(comparison: &Comparison, note: &Remark) -> Note {
    let subject: Vec<String> = note
        .columns
        .iter()
        .map(|column| label(comparison, Some(*column)))
        .collect();
    Note {
        label: note.severity.name().to_owned(),
        tone: super::findings::tone(note.severity),
        id: note.id.code().to_owned(),
        subject: subject.join(", "),
        owner: None,
        text: note.message.clone(),
        fix: note.fix.clone(),
        fix_for_all: None,
    }
}
