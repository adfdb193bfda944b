//! Plain numbers of flags, and what to say of a text that is none.

use std::num::NonZeroU32;
use std::str::FromStr;

/// Reads a whole number.
pub fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    let number = text.trim().parse();
    number.map_err(|_| "write a whole number without a unit, such as 4".to_owned())
}

/// Reads how often or how many.
pub fn count(text: &str) -> Result<NonZeroU32, String> {
    let number = text.trim().parse();
    number.map_err(|_| "write a whole number, 1 or more, without a unit".to_owned())
}

/// Reads a number.
pub fn plain(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    let finite = number.filter(|number| number.is_finite());
    finite.ok_or_else(|| "write a number without a unit, such as 20".to_owned())
}
