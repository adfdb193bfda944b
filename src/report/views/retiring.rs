//! What is said of sizes whose day of retirement is announced.

use std::collections::BTreeMap;

/// So many sizes of a day are named; of more it is told how many there are.
const NAMED: usize = 3;

/// Which of `sizes`, with the day of those that have one, retire, by day; nothing where none does.
pub(super) fn note<'a>(
    sizes: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
) -> Option<String> {
    let mut days: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (size, day) in sizes {
        let Some(day) = day else { continue };
        let of_day = days.entry(day).or_default();
        // A size has a row for each controller.
        if of_day.last() != Some(&size) {
            of_day.push(size);
        }
    }
    let of_day = |(day, sizes): (&str, Vec<&str>)| {
        let (named, rest) = sizes.split_at(sizes.len().min(NAMED));
        let more = match rest.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("on {day} {}{more}", named.join(", "))
    };
    let days: Vec<String> = days.into_iter().map(of_day).collect();
    (!days.is_empty()).then(|| format!("Retirement: {}.", days.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::note;

    #[test]
    fn sizes_are_told_by_their_days() {
        let (late, soon) = (Some("2029-11-15"), Some("2027-03-31"));
        let sizes = [
            ("A", late),
            ("B", None),
            ("C", late),
            ("D", soon),
            ("D", soon),
            ("E", late),
            ("F", late),
            ("G", late),
        ];
        assert_eq!(
            note(sizes).as_deref(),
            Some("Retirement: on 2027-03-31 D; on 2029-11-15 A, C, E and 2 more.")
        );
        assert_eq!(note([("B", None)]), None);
    }
}
