//! Puts the present output in the place of what a page shows, with the same parts left out.

use std::ops::Range;

use crate::transcript::ELISION;

/// Lines less alike than this are not the same line with other figures.
const ALIKE: f64 = 0.5;

/// `printed`, cut as `expected` is: each stretch between two elisions is found again by its first and last line. All of
/// it where one is not found.
pub fn refreshed(expected: &[String], printed: &[&str]) -> Vec<String> {
    cut(expected, printed).unwrap_or_else(|| printed.iter().map(|line| shown(line)).collect())
}

fn shown(line: &str) -> String {
    line.trim_end().to_owned()
}

fn is_elision(line: &str) -> bool {
    line.trim() == ELISION
}

fn cut(expected: &[String], printed: &[&str]) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut from = 0;
    let mut rest = expected;
    let mut elided = false;
    while !rest.is_empty() {
        if is_elision(&rest[0]) {
            lines.push(ELISION.to_owned());
            (elided, rest) = (true, &rest[1..]);
            continue;
        }
        let length = rest.iter().position(|line| is_elision(line));
        let (stretch, behind) = rest.split_at(length.unwrap_or(rest.len()));
        let found = find(stretch, printed, from, elided, behind.is_empty())?;
        lines.extend(printed[found.clone()].iter().map(|line| shown(line)));
        (from, rest, elided) = (found.end, behind, false);
    }
    Some(lines)
}

/// Where a stretch is in `printed`, from line `from` on; `floats` unless it begins there, to the end where it is `last`.
fn find(
    stretch: &[String],
    printed: &[&str],
    from: usize,
    floats: bool,
    last: bool,
) -> Option<Range<usize>> {
    let start = if floats {
        nearest(&stretch[0], printed, from..printed.len(), from)?
    } else {
        from
    };
    if last {
        return Some(start..printed.len());
    }
    let guess = start + stretch.len() - 1;
    let window = start..printed.len().min(start + 2 * stretch.len() + 4);
    Some(start..nearest(stretch.last()?, printed, window, guess)? + 1)
}

/// The line of `range` that is most like `line`; of equal ones the nearest to `guess`.
fn nearest(line: &str, printed: &[&str], range: Range<usize>, guess: usize) -> Option<usize> {
    let likeness =
        |at: usize| strsim::normalized_levenshtein(line.trim_end(), printed[at].trim_end());
    let found = range
        .map(|at| (at, likeness(at)))
        .max_by(|(a, x), (b, y)| {
            let nearer = b.abs_diff(guess).cmp(&a.abs_diff(guess));
            x.total_cmp(y).then(nearer)
        })?;
    (found.1 >= ALIKE).then_some(found.0)
}

#[test]
fn new_figures_are_put_in_and_the_same_parts_left_out() {
    let expected = [
        "...",
        "Table of a",
        "data 500",
        "log 100",
        "...",
        "Note 1",
        "...",
    ];
    let expected: Vec<String> = expected.map(str::to_owned).into();
    let printed = [
        "head",
        "Table of a",
        "data 700",
        "more 1",
        "log 150",
        "x",
        "y",
        "Note 2",
        "z",
    ];
    let new = [
        "...",
        "Table of a",
        "data 700",
        "more 1",
        "log 150",
        "...",
        "Note 2",
        "...",
    ];
    assert_eq!(refreshed(&expected, &printed), new);
    assert_eq!(refreshed(&expected, &["other"]), ["other"]);
    let whole: Vec<String> = vec!["a".to_owned()];
    assert_eq!(refreshed(&whole, &["b", "c"]), ["b", "c"]);
}
