//! Which data a catalogue holds, for every report to say.

use std::fmt;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One set of data: where it comes from, and of what date it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dataset {
    /// The document or API.
    pub source: String,
    /// Its date, `YYYY-MM-DD`.
    pub date: String,
}

impl Dataset {
    pub(super) fn new(source: &str, date: &str) -> Self {
        Self {
            source: source.to_owned(),
            date: date.to_owned(),
        }
    }
}

/// A refreshed copy that was laid over the embedded data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refreshed {
    /// Where the refreshed rows come from, and of what date they are.
    pub data: Dataset,
    /// How many rows of VM sizes they replaced.
    pub replaced: usize,
    /// How many rows of VM sizes they added.
    pub added: usize,
}

/// Which data a catalogue holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DataInfo {
    /// The embedded VM sizes.
    pub vm_sizes: Dataset,
    /// The embedded disk tiers and regions.
    pub disks: Dataset,
    /// Refreshed copies, oldest first; empty where the embedded data stands alone.
    pub refreshed: Vec<Refreshed>,
}

impl DataInfo {
    /// The day of the newest VM sizes; `None` where the data says none.
    #[must_use]
    pub fn newest(&self) -> Option<Date> {
        let refreshed = self.refreshed.iter().map(|copy| &copy.data);
        let all = refreshed.chain([&self.vm_sizes]);
        all.filter_map(|data| data.date.parse().ok()).max()
    }

    /// The age in whole days of the newest VM sizes on the day `today`; `None` where the data says no date, 0 where it
    /// is of a later day.
    #[must_use]
    pub fn age_days(&self, today: Date) -> Option<u32> {
        let newest = self.newest()?;
        let days = today.since(newest).map(|span| span.get_days()).unwrap_or(0);
        Some(u32::try_from(days).unwrap_or(0))
    }
}

impl fmt::Display for DataInfo {
    /// One line: `VM sizes of 2026-08-17, disks of 2026-08-01 (embedded)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "VM sizes of {}, disks of {} (embedded)",
            self.vm_sizes.date, self.disks.date
        )?;
        for copy in &self.refreshed {
            let count = copy.replaced + copy.added;
            let sizes = if count == 1 { "size" } else { "sizes" };
            let (date, source) = (&copy.data.date, &copy.data.source);
            match date.parse::<Date>() {
                Ok(_) => write!(f, "; {count} VM {sizes} of {date} from {source}")?,
                // The words say what is known of the date.
                Err(_) => write!(f, "; {count} VM {sizes} from {source}, {date}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(source: &str, date: &str) -> Dataset {
        Dataset {
            source: source.to_owned(),
            date: date.to_owned(),
        }
    }

    #[test]
    fn a_list_without_a_date_is_not_given_one() {
        let copy = |source, date, added| Refreshed {
            data: data(source, date),
            replaced: 0,
            added,
        };
        let info = DataInfo {
            vm_sizes: data("v", "2026-08-17"),
            disks: data("d", "2026-08-01"),
            refreshed: vec![
                copy("the API", "2026-10-02", 1),
                copy(
                    "the SKU list in s.json",
                    "file of 2026-11-30 (the list itself has no date)",
                    218,
                ),
            ],
        };
        assert_eq!(
            info.to_string(),
            "VM sizes of 2026-08-17, disks of 2026-08-01 (embedded); 1 VM size of 2026-10-02 from the API; \
             218 VM sizes from the SKU list in s.json, file of 2026-11-30 (the list itself has no date)"
        );
        assert_eq!(info.age_days(Date::constant(2026, 10, 5)), Some(3));
    }
}
