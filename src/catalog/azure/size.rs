//! The size of a disk, of whatever family: whole GiB, within what the family has.

use crate::catalog::disk::{Family, Setting, Violation};
use crate::units::GiB;

/// `asked` in whole GiB and within `min` and `max`; what is outside is a violation.
pub(super) fn within(
    family: Family,
    (min, max): (GiB, GiB),
    asked: GiB,
    violations: &mut Vec<Violation>,
) -> GiB {
    if asked < min || asked > max {
        violations.push(Violation::OutOfRange {
            setting: Setting::Size,
            asked: asked.get(),
            min: min.get(),
            max: max.get(),
            rule: format!("{family} has {min} to {max}"),
        });
    }
    let whole = GiB::new(asked.get().ceil()).unwrap_or(max);
    whole.max(min).min(max)
}
