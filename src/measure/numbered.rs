//! Names that several share, numbered: `a`, `b #1`, `b #2`.

use std::collections::HashMap;

/// The names, those that several share numbered in their order.
pub(super) fn numbered(names: &[String]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut told: HashMap<&str, usize> = HashMap::new();
    let own = names.iter().map(|name| {
        if counts.get(name.as_str()) == Some(&1) {
            return name.clone();
        }
        let number = told.entry(name).or_default();
        *number += 1;
        format!("{name} #{number}")
    });
    own.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_several_are_numbered() {
        let names = ["a", "b", "a", "c", "a"].map(str::to_owned);
        assert_eq!(numbered(&names), ["a #1", "b", "a #2", "c", "a #3"]);
    }
}
