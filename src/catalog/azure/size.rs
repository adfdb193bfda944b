//! The size of a disk, of whatever family: whole GiB, within what the family has.

use super::refusals::out_of_range;
use crate::catalog::disk::{Family, Setting, Violation};
use crate::units::GiB;

/// `asked` in whole GiB and within `min` and `max`; what is outside is a violation.
pub(super) fn within(
    family: Family,
    (min, max): (GiB, GiB),
    asked: GiB,
    violations: &mut Vec<Violation>,
) -> GiB {
    let figures = [asked, min, max].map(GiB::get);
    violations.extend(out_of_range(Setting::Size, figures, || {
        format!("{family} has {min} to {max}")
    }));
    let whole = GiB::new(asked.get().ceil()).unwrap_or(max);
    whole.max(min).min(max)
}
