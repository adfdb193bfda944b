//! The least number that is enough.

/// The least whole number above `too_few`, and `enough` at the most, that `does`; `None` where not even `enough` does.
///
/// What does, does so with every larger number too: the search halves what is left.
pub(super) fn fewest(too_few: u32, enough: u32, does: impl Fn(u32) -> bool) -> Option<u32> {
    if enough <= too_few || !does(enough) {
        return None;
    }
    let (mut no, mut yes) = (too_few, enough);
    while yes - no > 1 {
        let middle = no + (yes - no) / 2;
        match does(middle) {
            true => yes = middle,
            false => no = middle,
        }
    }
    Some(yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_that_does_is_found_once_it_is_within_reach() {
        assert_eq!(fewest(4, 64, |n| n >= 13), Some(13));
        assert_eq!(fewest(4, 64, |_| true), Some(5));
        assert_eq!(fewest(4, 64, |n| n >= 64), Some(64));
        assert_eq!(fewest(4, 64, |_| false), None);
        assert_eq!(fewest(64, 64, |_| true), None);
    }
}
