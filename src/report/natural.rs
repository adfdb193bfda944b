//! The order in which people list names: runs of digits by their number.

use std::cmp::Ordering;

/// Texts without regard to case, runs of digits by their number: `P4`, `P10`, `P30`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (lower_a, lower_b) = (a.to_lowercase(), b.to_lowercase());
    let (mut rest_a, mut rest_b) = (lower_a.as_str(), lower_b.as_str());
    while !rest_a.is_empty() && !rest_b.is_empty() {
        let (part_a, part_b) = (leading_run(rest_a), leading_run(rest_b));
        let order = match (digits(part_a), digits(part_b)) {
            (Some(x), Some(y)) => x.len().cmp(&y.len()).then(x.cmp(y)),
            _ => part_a.cmp(part_b),
        };
        if order.is_ne() {
            return order;
        }
        (rest_a, rest_b) = (&rest_a[part_a.len()..], &rest_b[part_b.len()..]);
    }
    rest_a.len().cmp(&rest_b.len()).then_with(|| a.cmp(b))
}

/// The digits of a run of digits, without leading zeros.
fn digits(run: &str) -> Option<&str> {
    run.starts_with(|c: char| c.is_ascii_digit())
        .then(|| run.trim_start_matches('0'))
}

/// The longest start of a text that is all digits or has none.
fn leading_run(text: &str) -> &str {
    let numeric = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != numeric);
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natural_order_is_total_on_odd_names() {
        assert_eq!(natural("a007", "a7"), "a007".cmp("a7"));
        assert_eq!(natural("10", "9a"), Ordering::Greater);
        assert_eq!(natural("", "x"), Ordering::Less);
        assert_eq!(
            natural("a99999999999999999999999", "a99999999999999999999998"),
            Ordering::Greater
        );
    }
}
