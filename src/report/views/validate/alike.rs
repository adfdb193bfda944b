//! What is not known of many VMs, and what was odd: for people the same once, for machines a row each.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::tables;
use crate::azure::validate::{ReadNote, Unknown};
use crate::report::{Cell, Readers, Row, Table};

/// So many of the same are one row for people.
const SAME: usize = 2;

/// So many names are in a row.
const NAMED: usize = 3;

/// What is not known; `unknowns` are with the names of those whose they are.
pub(super) fn unknowns(unknowns: Vec<(String, &Unknown)>) -> Table {
    let groups = alike(unknowns.iter().map(|(_, unknown)| unknown.what.as_str()));
    let rows = groups.iter().map(|group| together(&unknowns, group));
    let rows: Vec<Row> = rows.collect();
    let mut table = tables::unknowns(true, unknowns.into_iter());
    replace(&mut table, &groups, rows);
    table
}

/// What was odd about the answers: of the same about one thing the last, which holds.
pub(super) fn problems<'n>(notes: impl Iterator<Item = &'n ReadNote>) -> Table {
    let notes: Vec<&ReadNote> = notes.collect();
    let kind = |note: &&'n ReadNote| {
        let head = note
            .text
            .split_once(':')
            .map_or(&*note.text, |(head, _)| head);
        (note.severity, note.subject.as_deref(), head)
    };
    // What is about nothing in particular is a fault of its source, each another.
    let groups = alike(notes.iter().map(kind));
    let of_one = |group: &Vec<usize>| group.iter().all(|at| notes[*at].subject.is_some());
    let groups: Vec<Vec<usize>> = groups.into_iter().filter(of_one).collect();
    let rows = groups.iter().filter_map(|group| {
        let last = notes[*group.last()?];
        let more = match group.len().saturating_sub(1) {
            1 => "once more".to_owned(),
            times => format!("{times} times more"),
        };
        let text = format!("{} (and {more})", last.text);
        let one = ReadNote {
            text,
            ..last.clone()
        };
        let row = tables::problems(std::iter::once(&one)).rows.pop()?;
        Some(row.only_for(Readers::People))
    });
    let rows: Vec<Row> = rows.collect();
    let mut table = tables::problems(notes.iter().copied());
    replace(&mut table, &groups, rows);
    table
}

/// The positions of what has one key, where there are several.
fn alike<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut places: HashMap<K, usize> = HashMap::new();
    for (index, key) in keys.enumerate() {
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups.retain(|group| group.len() >= SAME);
    groups
}

/// Shows people one row in place of each group; machines keep every row.
fn replace(table: &mut Table, groups: &[Vec<usize>], rows: Vec<Row>) {
    for index in groups.iter().flatten() {
        if let Some(row) = table.rows.get_mut(*index) {
            row.readers = Readers::Machines;
        }
    }
    // From the last on, so that positions before stay what they are; groups come in the order of their first.
    for (group, row) in groups.iter().zip(rows).rev() {
        let first = group.first().map_or(0, |first| *first);
        table.rows.insert(first.min(table.rows.len()), row);
    }
}

/// The same of several things, as one row.
fn together(unknowns: &[(String, &Unknown)], group: &[usize]) -> Row {
    let of = || group.iter().map(|index| &unknowns[*index]);
    let what = of().next().map_or("", |(_, unknown)| &unknown.what);
    Row::new(vec![
        Cell::text(named(of().map(|(owner, _)| owner.as_str()))),
        Cell::text(named(of().map(|(_, unknown)| unknown.subject.as_str()))),
        Cell::text(what),
    ])
    .only_for(Readers::People)
}

/// The first names, each once, and how many others there are.
fn named<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut seen = HashSet::new();
    let all: Vec<&str> = names.filter(|name| seen.insert(*name)).collect();
    let shown = all
        .iter()
        .take(NAMED)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    match all.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
