//! Today.

use std::sync::OnceLock;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The variable of the environment that names another day than that of the clock: a pipeline that is to decide as it did
/// then, whatever has retired or expired since.
pub const VARIABLE: &str = "DISKCAP_TODAY";

static DAY: OnceLock<Date> = OnceLock::new();

/// The variable names no day.
#[derive(Debug, thiserror::Error)]
#[error("{VARIABLE}: '{input}' is not a day: write it as 2026-12-31")]
pub struct NoDay {
    input: String,
}

/// Takes the day that the environment names, where it does.
///
/// # Errors
/// [`NoDay`] where what it names is none.
pub fn take() -> Result<(), NoDay> {
    let named = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    if let Some(named) = named {
        let input = named.to_string_lossy().into_owned();
        let day = input.parse().map_err(|_| NoDay { input })?;
        DAY.get_or_init(|| day);
    }
    Ok(())
}

/// The day of UTC, so that a pipeline decides alike wherever it runs.
pub fn today() -> Date {
    *DAY.get_or_init(|| TimeZone::UTC.to_datetime(Timestamp::now()).date())
}
