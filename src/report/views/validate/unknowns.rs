//! What is not known of many VMs: for people once, for machines a row each.

use std::collections::{HashMap, HashSet};

use super::tables;
use crate::azure::validate::Unknown;
use crate::report::{Cell, Readers, Row, Table};

/// So many of the same are one row for people.
const SAME: usize = 2;

/// So many names are in a row.
const NAMED: usize = 3;

/// The table; `unknowns` are with the names of those whose they are.
pub(super) fn table(unknowns: Vec<(String, &Unknown)>) -> Table {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (index, (_, unknown)) in unknowns.iter().enumerate() {
        let place = *places.entry(&unknown.what).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups.retain(|group| group.len() >= SAME);
    let mut rows_for_people: Vec<(usize, Row)> = groups
        .iter()
        .filter_map(|group| Some((*group.first()?, together(&unknowns, group))))
        .collect();
    let mut table = tables::unknowns(true, unknowns.into_iter());
    for group in &groups {
        for index in group {
            table.rows[*index].readers = Readers::Machines;
        }
    }
    // From the last on, so that positions before stay what they are.
    rows_for_people.sort_by_key(|(position, _)| std::cmp::Reverse(*position));
    for (position, row) in rows_for_people {
        table.rows.insert(position, row);
    }
    table
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
