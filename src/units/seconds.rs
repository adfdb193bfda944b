//! A length of time in seconds.

use std::str::FromStr;

use jiff::{Span, SpanRelativeTo, Unit};

use super::{Deserialize, JsonSchema, Serialize, UnitError};

quantity! {
    /// A length of time in seconds.
    Seconds, "a length of time"
}

impl FromStr for Seconds {
    type Err = UnitError;

    /// `90s`, `20min`, `1h 30m`, `2 days`, `PT20M`; a day is 24 hours. The unit is needed: a bare number would be a
    /// guess.
    fn from_str(input: &str) -> Result<Self, UnitError> {
        let what = "a length of time";
        let form = || UnitError::Form {
            input: input.to_owned(),
            what,
            form: "a time with its unit, such as 90s, 20min, 1h 30m or 2 days",
        };
        let span: Span = input.trim().parse().map_err(|_| form())?;
        let seconds = span
            .total((Unit::Second, SpanRelativeTo::days_are_24_hours()))
            .map_err(|_| form())?;
        Self::new(seconds).map_err(|_| UnitError::Range {
            input: input.to_owned(),
            what,
            range: "0 or more",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, seconds) in [
            ("90s", 90.0),
            ("20min", 1200.0),
            ("20 minutes", 1200.0),
            ("1h 30m", 5400.0),
            ("0.5h", 1800.0),
            ("2 days", 172_800.0),
            ("PT20M", 1200.0),
            (" 250ms ", 0.25),
        ] {
            assert_eq!(text.parse::<Seconds>().unwrap().get(), seconds, "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_the_form() {
        for text in ["", "20", "20 parsecs", "1 month", "min", "1h-"] {
            let error = text.parse::<Seconds>().unwrap_err().to_string();
            assert!(error.contains("20min"), "{text}: {error}");
        }
        let error = "-5s".parse::<Seconds>().unwrap_err().to_string();
        assert!(error.contains("0 or more"), "{error}");
    }
}
