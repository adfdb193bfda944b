//! Tables with bars, whole: their heads are needed before a row can be understood.

/// Longest heading above a table that names it, characters.
const LONGEST_CAPTION: usize = 80;

/// A table with bars.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    /// The line of heads, counted from 0.
    pub start: usize,
    /// The heading above it.
    pub caption: Option<String>,
    /// The lines with their cells, heads first; those that only rule off are empty.
    pub lines: Vec<Vec<String>>,
}

impl Table {
    /// The heads of its columns.
    pub fn heads(&self) -> &[String] {
        self.lines.first().map_or(&[], Vec::as_slice)
    }

    /// The rows below the heads with their line numbers, counted from 1.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &[String])> {
        let numbered = self.lines.iter().enumerate().skip(1);
        numbered
            .filter(|(_, row)| !row.is_empty())
            .map(|(index, row)| (self.start + index + 1, row.as_slice()))
    }
}

/// Every table in `text`: heads and at least one row.
pub(super) fn tables(text: &str) -> Vec<Table> {
    let mut found = Vec::new();
    let mut above = "";
    let mut open: Option<Table> = None;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start_matches(['>', ' ', '\t', '\u{feff}']).trim();
        if let Some(cells) = cells(line) {
            let table = open.get_or_insert_with(|| Table {
                start: index,
                caption: caption(above),
                lines: Vec::new(),
            });
            // A rule above the heads is none of the table.
            if cells.is_empty() && table.lines.is_empty() {
                table.start += 1;
            } else {
                table.lines.push(cells);
            }
            continue;
        }
        found.extend(open.take());
        if !line.is_empty() && !is_rule(line) && !line.starts_with("```") {
            above = line;
        }
    }
    found.extend(open);
    found.retain(|table| table.rows().next().is_some());
    found
}

/// The table that a text of separated values is, where its first line heads two or three columns and `is_result` is true of
/// one of them.
pub(super) fn separated(text: &str, is_result: impl Fn(&str) -> bool) -> Option<Table> {
    let (start, head) = text
        .lines()
        .enumerate()
        .find(|(_, line)| !line.trim().is_empty())?;
    if head.len() > super::LONGEST_ROW {
        return None;
    }
    let delimiter = [',', ';', '\t'].into_iter().find(|delimiter| {
        let heads = head.split(*delimiter);
        (2..=3).contains(&heads.clone().count()) && heads.map(str::trim).any(&is_result)
    })?;
    let records = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .delimiter(u8::try_from(delimiter).ok()?)
        .from_reader(text.as_bytes())
        .into_records();
    let cells = |record: csv::StringRecord| record.iter().map(plain).collect();
    let lines: Vec<Vec<String>> = records.map_while(Result::ok).map(cells).collect();
    let table = Table {
        start,
        caption: None,
        lines,
    };
    (table.lines.len() > 1).then_some(table)
}

/// A line as the name of the table below it; `None` for a sentence.
pub(super) fn caption(line: &str) -> Option<String> {
    let name = super::caption(line);
    (!name.is_empty() && name.chars().count() <= LONGEST_CAPTION).then_some(name)
}

/// Whether a line only rules off.
pub(super) fn is_rule(line: &str) -> bool {
    line.chars().all(|c| "-=:|+ \t_".contains(c))
}

/// The cells of a line of a table; none where it only rules off, `None` where it is no such line.
fn cells(line: &str) -> Option<Vec<String>> {
    if line.len() > super::LONGEST_ROW || !line.contains('|') {
        return None;
    }
    if is_rule(line) {
        return Some(Vec::new());
    }
    let inner = line.strip_prefix('|').unwrap_or(line);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let cells: Vec<String> = inner.split('|').map(plain).collect();
    (cells.len() > 1).then_some(cells)
}

/// A cell without Markdown's emphasis, links and line breaks.
pub(super) fn plain(cell: &str) -> String {
    let text = cell.replace("<br>", " ").replace("<br/>", " ");
    let text = text.trim().trim_matches(['*', '`']).trim();
    let link = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]("));
    link.map_or(text, |(name, _)| name).replace('\t', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_with_their_captions() {
        let text = "# Disk A\n\n| Test | IOPS |\n|---|--:|\n| **a** | [5](#x) |\n\nno | bar\n";
        let found = tables(text);
        assert_eq!(found.len(), 1);
        let table = &found[0];
        assert_eq!((table.start, table.caption.as_deref()), (2, Some("Disk A")));
        assert_eq!(table.heads(), ["Test", "IOPS"]);
        let rows: Vec<_> = table.rows().collect();
        assert_eq!(rows, [(5, ["a".to_owned(), "5".to_owned()].as_slice())]);
    }
}
