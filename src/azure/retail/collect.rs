//! From items to price books: which of several prices of one meter is the current one.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;

use super::classify::{Skipped, Target, classify};
use super::item::Item;
use crate::catalog::price::{BookInfo, Currency, PriceBook, PriceSource, Region};

/// What became of the items.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Items that became a price.
    pub used: usize,
    /// Items among them whose end has passed: they were the newest of their meter all the same.
    pub ended: usize,
    /// Items that were not used, by reason.
    pub skipped: BTreeMap<Skipped, usize>,
    /// What is wrong with the first item that is not of the form, where there is one.
    pub first_malformed: Option<String>,
}

impl Tally {
    fn skip(&mut self, reason: Skipped) {
        *self.skipped.entry(reason).or_default() += 1;
    }

    /// How many items there were.
    #[must_use]
    pub fn items(&self) -> usize {
        self.used + self.skipped.values().sum::<usize>()
    }
}

/// A price that may be the current one of its meter.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    price: f64,
    ended: bool,
    primary: bool,
    start: Option<Date>,
    tier_minimum: f64,
}

impl Candidate {
    /// Whether `self` is to be taken rather than `other`: not ended before ended, the meter that bills use before
    /// others, the later start, the lower tier; between equals the higher price, which never understates a bill.
    fn beats(&self, other: &Self) -> bool {
        other
            .ended
            .cmp(&self.ended)
            .then(self.primary.cmp(&other.primary))
            .then(self.start.cmp(&other.start))
            .then(other.tier_minimum.total_cmp(&self.tier_minimum))
            .then(self.price.total_cmp(&other.price))
            == Ordering::Greater
    }
}

/// Collects items, page by page, into a book for each region.
#[derive(Debug)]
pub struct Collector {
    currency: Currency,
    day: Date,
    only: Option<Region>,
    found: HashMap<(Region, Target), Candidate>,
    tally: Tally,
}

impl Collector {
    /// Prices in `currency` that hold on `day`, of every region.
    #[must_use]
    pub fn new(currency: Currency, day: Date) -> Self {
        Self {
            currency,
            day,
            only: None,
            found: HashMap::new(),
            tally: Tally::default(),
        }
    }

    /// Prices of one region only.
    #[must_use]
    pub fn only(mut self, region: Region) -> Self {
        self.only = Some(region);
        self
    }

    /// Takes an item, or counts why it is not taken.
    pub fn add(&mut self, item: &Result<Item, String>) {
        let checked = match item {
            Ok(item) => self.check(item),
            Err(what) => {
                self.tally
                    .first_malformed
                    .get_or_insert_with(|| what.clone());
                Err(Skipped::Malformed)
            }
        };
        match checked {
            Ok((key, candidate)) => self.keep(key, candidate),
            Err(reason) => self.tally.skip(reason),
        }
    }

    /// The books, by region, and what became of the items.
    #[must_use]
    pub fn finish(mut self) -> (BTreeMap<Region, PriceBook>, Tally) {
        let mut books: BTreeMap<Region, PriceBook> = BTreeMap::new();
        for ((region, target), candidate) in self.found {
            self.tally.used += 1;
            self.tally.ended += usize::from(candidate.ended);
            let book = books.entry(region).or_insert_with_key(|region| {
                PriceBook::new(BookInfo {
                    region: region.clone(),
                    currency: self.currency,
                    vm_prices_of: None,
                    disk_prices_of: None,
                    source: PriceSource::Refreshed,
                })
            });
            match target {
                Target::Vm { size, offer } => book.set_vm(&size, offer, candidate.price),
                Target::Disk(meter) => book.set_disk(meter, candidate.price),
            }
        }
        for book in books.values_mut() {
            book.date_prices(self.day);
        }
        (books, self.tally)
    }

    /// What the item is the price of, and how it ranks.
    fn check(&self, item: &Item) -> Result<((Region, Target), Candidate), Skipped> {
        let (target, price) = classify(item)?;
        let region = Region::new(Item::text(&item.arm_region_name));
        if !region.is_geographic() {
            return Err(Skipped::NoRegion);
        }
        if self.only.as_ref().is_some_and(|only| *only != region) {
            return Err(Skipped::OtherRegion);
        }
        if Item::text(&item.currency_code).parse() != Ok(self.currency) {
            return Err(Skipped::OtherCurrency);
        }
        let (start, end) = (item.start(), item.end());
        if start.zip(end).is_some_and(|(start, end)| end < start) {
            return Err(Skipped::Void);
        }
        if start.is_some_and(|start| start > self.day) {
            return Err(Skipped::NotYet);
        }
        let candidate = Candidate {
            price,
            ended: end.is_some_and(|end| end < self.day),
            primary: item.is_primary_meter_region.unwrap_or(false),
            start,
            tier_minimum: item.tier_minimum_units.unwrap_or(0.0),
        };
        Ok(((region, target), candidate))
    }

    fn keep(&mut self, key: (Region, Target), candidate: Candidate) {
        match self.found.get_mut(&key) {
            None => {
                self.found.insert(key, candidate);
            }
            Some(best) => {
                self.tally.skip(Skipped::Superseded);
                if candidate.beats(best) {
                    *best = candidate;
                }
            }
        }
    }
}
