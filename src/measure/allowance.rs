//! How many results an input may give, so that no input, however made, takes memory out of all proportion to its size.

/// Results that any input may give. More than a thousand CrystalDiskMark exports have.
const FREE: usize = 8192;

/// Input bytes for each further result. A result takes some 400 bytes in memory with its share of the run's, and 60 to
/// 6,000 in the file; so the results of a large input stay below twice its size.
const BYTES_A_RESULT: usize = 256;

/// What readers say where results had to be left out.
pub const USED_UP: &str =
    "more results than an input of this size can sensibly have: the rest is left out";

/// The results that an input may still give.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    given: usize,
    taken: usize,
}

impl Allowance {
    /// For an input of `bytes`, or as much of it as has been read.
    #[must_use]
    pub const fn of(bytes: usize) -> Self {
        Self {
            given: FREE + bytes / BYTES_A_RESULT,
            taken: 0,
        }
    }

    /// The same, after `bytes` in all have been read.
    pub const fn grow_to(&mut self, bytes: usize) {
        self.given = FREE + bytes / BYTES_A_RESULT;
    }

    /// Takes `results`; `false` where so many are not left.
    pub const fn take(&mut self, results: usize) -> bool {
        let left = self.taken + results <= self.given;
        if left {
            self.taken += results;
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_input_has_more_than_a_small_one() {
        let count = |mut allowance: Allowance| (0..).take_while(|_| allowance.take(1)).count();
        assert_eq!(count(Allowance::of(0)), 8192);
        assert_eq!(count(Allowance::of(2_560_000)), 18_192);
        let mut growing = Allowance::of(0);
        growing.grow_to(25_600);
        assert_eq!(count(growing), 8292);
    }
}
