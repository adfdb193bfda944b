//! Today.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The day of UTC, so that a pipeline decides alike wherever it runs.
pub fn today() -> Date {
    TimeZone::UTC.to_datetime(Timestamp::now()).date()
}
