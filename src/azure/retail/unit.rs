//! Units of measure of the price list (`1 Hour`, `1/Month`, `1 GiB/Hour`, `10K`).

/// A span of time that a price is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Period {
    Hour,
    Month,
}

/// A unit of measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    /// How many things the price is for.
    pub count: f64,
    /// Whether the things are GiB.
    pub gib: bool,
    /// The span of time, where it is for one.
    pub period: Option<Period>,
}

impl Unit {
    /// Reads a unit; `None` for one that no disk or VM is priced in.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let digits = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        let (number, rest) = text.split_at(digits);
        let number: f64 = number.parse().ok().filter(|number| *number > 0.0)?;
        let (scale, rest) = match rest.chars().next() {
            Some('k') => (1e3, rest.get(1..)?),
            // `1M` is a million; `1/Month` and `1 Month` do not begin with the letter here
            Some('m') if !rest.starts_with("month") => (1e6, rest.get(1..)?),
            _ => (1.0, rest),
        };
        let mut unit = Self {
            count: number * scale,
            gib: false,
            period: None,
        };
        for word in rest.split(['/', ' ']).filter(|word| !word.is_empty()) {
            match word {
                "gib" | "gb" => unit.gib = true,
                "hour" | "hours" => unit.period = Some(Period::Hour),
                "month" | "months" => unit.period = Some(Period::Month),
                _ => return None,
            }
        }
        Some(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_the_price_list() {
        let parsed = |text| Unit::parse(text).map(|unit| (unit.count, unit.gib, unit.period));
        assert_eq!(parsed("1 Hour"), Some((1.0, false, Some(Period::Hour))));
        assert_eq!(parsed("1/Hour"), Some((1.0, false, Some(Period::Hour))));
        assert_eq!(
            parsed("100 Hours"),
            Some((100.0, false, Some(Period::Hour)))
        );
        assert_eq!(parsed("1/Month "), Some((1.0, false, Some(Period::Month))));
        assert_eq!(parsed("1 /Month"), Some((1.0, false, Some(Period::Month))));
        assert_eq!(parsed("1 GiB/Hour"), Some((1.0, true, Some(Period::Hour))));
        assert_eq!(parsed("1 GB/Month"), Some((1.0, true, Some(Period::Month))));
        assert_eq!(parsed("10K"), Some((1e4, false, None)));
        assert_eq!(parsed("1M"), Some((1e6, false, None)));
        assert_eq!(parsed("1 TB"), None);
        assert_eq!(parsed("1/Day"), None);
        assert_eq!(parsed("Hour"), None);
        assert_eq!(parsed("0 Hour"), None);
        assert_eq!(parsed(""), None);
    }
}
