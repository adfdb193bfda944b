//! Figures without a unit: taken as MB/s, said, and refused where they can hardly be.

use super::super::error::ParseError;
use super::super::model::Test;
use crate::units::{BlockSize, MBps};
use crate::workload::Pattern;

/// The largest blocks that count as small.
const SMALL: BlockSize = BlockSize::kib(16);

/// Random I/O of small blocks above this, MB/s, is hardly MB/s where sequential I/O is slower.
const MUCH: f64 = 1000.0;

/// What to write.
const WRITE: &str = "write IOPS or MB/s over the column (`Disk A (IOPS)`), over the names of the tests or behind the \
                     figures";

/// What is noted of figures without a unit.
pub(super) fn note_of_assumed() -> String {
    format!("figures without a unit were taken as MB/s: if they are not, {WRITE}")
}

/// Checks `tests` of which figures from `line` on say no unit against `all` of the same run.
///
/// # Errors
/// [`ParseError::Malformed`] where random I/O of small blocks would be above 1 GB/s and faster than sequential I/O, if
/// there is any: that is IOPS.
pub(super) fn check_assumed(tests: &[Test], all: &[Test], line: usize) -> Result<(), ParseError> {
    // IOPS that say no more than the throughput were worked out from it.
    let told = |test: &Test| {
        let own = test.mbps.zip(test.kind.block_size);
        let own = own.map(|(mbps, block)| mbps.iops_at(block));
        test.iops.is_some() && test.iops != own
    };
    let rate = |test: &Test| test.mbps.filter(|_| !told(test)).map(MBps::get);
    let sequential = all
        .iter()
        .filter(|test| test.kind.pattern == Some(Pattern::Sequential))
        .filter_map(rate)
        .reduce(f64::max);
    let small = tests.iter().filter(|test| {
        let block = test.kind.block_size;
        test.kind.pattern == Some(Pattern::Random) && block.is_some_and(|block| block <= SMALL)
    });
    for test in small {
        let Some(random) =
            rate(test).filter(|random| *random > MUCH.max(sequential.unwrap_or(0.0)))
        else {
            continue;
        };
        let than = sequential.map_or_else(
            || "no disk is so fast".to_owned(),
            |sequential| format!("it would be faster than sequential I/O ({sequential})"),
        );
        return Err(ParseError::Malformed {
            line,
            what: format!(
                "figures say no unit, and '{}' with {random} MB/s cannot be, as {than}: {WRITE}",
                test.name
            ),
        });
    }
    Ok(())
}
