//! Tables written another way round, turned into lines that begin with a test's name.

use super::super::test_name;
use super::head::without_unit;
use super::tables::Table;

/// The lines of a table with the tests above and the configurations at the side, turned over; `None` where it is none.
pub(super) fn turned(table: &Table) -> Option<Vec<(usize, String)>> {
    let (_, heads) = table.heads().split_first()?;
    let is_test = |text: &String| test_name::parse(&without_unit(text)).is_some();
    let rows: Vec<&[String]> = table.rows().map(|(_, row)| row).collect();
    let configured = rows.iter().all(|row| {
        let width = row.len() == heads.len() + 1;
        width
            && row
                .first()
                .is_some_and(|name| !name.is_empty() && !is_test(name))
    });
    if heads.is_empty() || !configured || !heads.iter().all(is_test) {
        return None;
    }
    let line = |at: usize, name: &str| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        let cells: Vec<&str> = cells.map(String::as_str).collect();
        format!("| {name} | {} |", cells.join(" | "))
    };
    let head = line(0, "");
    let tests = heads.iter().enumerate();
    let lines = tests.map(|(index, name)| line(index + 1, name));
    let number = table.start + 1;
    Some(
        std::iter::once(head)
            .chain(lines)
            .map(|line| (number, line))
            .collect(),
    )
}

/// The lines of a table whose label (`Sequential Read`) is the beginning of its rows' names (`4K`), with the whole
/// names; `None` where rows have names of their own.
pub(super) fn labelled(table: &Table) -> Option<Vec<(usize, String)>> {
    let (label, heads) = table.heads().split_first()?;
    test_name::parse(label)?;
    let row = |(number, row): (usize, &[String])| {
        let (name, cells) = row.split_first()?;
        let whole = format!("{label} {name}");
        let named = test_name::parse(name).is_none() && test_name::parse(&whole).is_some();
        named.then(|| (number, format!("| {whole} | {} |", cells.join(" | "))))
    };
    let rows: Option<Vec<(usize, String)>> = table.rows().map(row).collect();
    let head = (table.start + 1, format!("| | {} |", heads.join(" | ")));
    let caption = table.caption.clone().map(|caption| (table.start, caption));
    Some(caption.into_iter().chain([head]).chain(rows?).collect())
}
