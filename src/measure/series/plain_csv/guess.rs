//! Whether a text is such a CSV, or nearly one.

use super::super::number::decimal;
use super::HEAD_WITHIN;
use super::heads::Columns;

/// The longest line of column names that is looked at, bytes.
const LONGEST_HEAD: usize = 4096;
/// What is wrong with a table whose first line names a time and nothing over it that is known, and the line; `None` of
/// others.
pub(in crate::measure::series) fn nearly(text: &str) -> Option<(u64, String)> {
    let lines = text.lines().zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.trim().is_empty());
    let ((head, number), (row, _)) = (lines.next()?, lines.next()?);
    let columns = Columns::with_time(head).filter(|_| head.len() <= LONGEST_HEAD)?;
    let cells = |line: &str| line.split(char::from(columns.delimiter)).count();
    let unknown = columns.fields.is_empty() && !columns.ignored.is_empty();
    (unknown && cells(head) == cells(row)).then(|| {
        let names = columns.ignored.join(", ");
        let what = format!(
            "of its columns a time is known, but not {names}: name one of iops, mbps, latency_ms (or read_iops, \
             write_mbps, ...)"
        );
        (number, what)
    })
}

/// Fewest lines whose times show that they go on in even steps.
const FEWEST_STEPS: usize = 3;
/// How far one step may be from another, as a share.
const EVEN: f64 = 0.01;

/// Whether a text of column names and figures tells a rate over time, though its first column may be read as a setting or a
/// running time (`t,iops`): it goes on in even steps, and nothing names tests or disks.
pub(in crate::measure) fn is_over_time(text: &str) -> bool {
    let Some(head) = text.lines().find(|line| !line.trim().is_empty()) else {
        return false;
    };
    if head.len() > LONGEST_HEAD {
        return false;
    }
    let Some(columns) = Columns::of(head).filter(|of| of.loose && of.disk.is_none()) else {
        return false;
    };
    let times = text.lines().filter(|line| !line.trim().is_empty()).skip(1);
    let times = times.map_while(|line| {
        let cell = line
            .split(char::from(columns.delimiter))
            .nth(columns.time.0)?;
        decimal(cell.trim().trim_matches('"').as_bytes())
    });
    let times: Vec<f64> = times.take(HEAD_WITHIN as usize).collect();
    let steps = times.iter().zip(times.iter().skip(1)).map(|(a, b)| b - a);
    let mut steps = steps.peekable();
    let first = steps.peek().copied().unwrap_or_default();
    times.len() > FEWEST_STEPS && first > 0.0 && steps.all(|step| (step / first - 1.0).abs() < EVEN)
}

/// Whether one of the text's first lines names a time column and something over it.
pub(in crate::measure::series) fn sniff(text: &str) -> bool {
    text.lines()
        .take(HEAD_WITHIN as usize)
        .any(|line| Columns::of(line).is_some())
}
