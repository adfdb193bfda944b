//! `sku-data/azure-disk-regions.csv`: which disks a region offers, and in which zones.

use crate::catalog::disk::{Family, Redundancy};
use crate::catalog::table::{DataError, read_rows};

/// The file's name.
pub const FILE: &str = "azure-disk-regions.csv";

const COLUMNS: &[&str] = &["region", "sku", "zones"];

/// One offer: a region has disks of a family and redundancy.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Offer {
    region: String,
    family: Family,
    redundancy: Redundancy,
    zones: Vec<u8>,
}

/// The offers of all regions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regions {
    offers: Vec<Offer>,
    /// The regions whose offers are all there: what is not among them is not offered.
    complete: Vec<String>,
}

impl Regions {
    /// Reads the file.
    pub(in crate::catalog) fn read(file: &str, text: &str) -> Result<Self, DataError> {
        let [region, sku, zones] = [0, 1, 2];
        let mut offers = Vec::with_capacity(text.len() / 28);
        read_rows(file, text, COLUMNS, |row| {
            let (family, redundancy) = Family::from_arm_sku(row.text(sku))
                .ok_or_else(|| row.wrong(sku, "the ARM name of a disk SKU"))?;
            offers.push(Offer {
                region: row.needed(region, row.owned(region), "the name of a region")?,
                family,
                redundancy,
                zones: row
                    .text(zones)
                    .split_ascii_whitespace()
                    .map(|zone| {
                        zone.parse()
                            .map_err(|_| row.wrong(zones, "zone numbers, such as 1 2 3"))
                    })
                    .collect::<Result<_, _>>()?,
            });
            Ok(())
        })?;
        Ok(Self {
            offers,
            complete: Vec::new(),
        })
    }

    /// The zones in which `region` is recorded to offer such disks; an empty list means without zones.
    #[must_use]
    pub fn zones(&self, region: &str, family: Family, redundancy: Redundancy) -> Option<&[u8]> {
        let region = canonical(region);
        self.offers
            .iter()
            .find(|offer| {
                offer.region == region && offer.family == family && offer.redundancy == redundancy
            })
            .map(|offer| offer.zones.as_slice())
    }

    /// Whether `region` offers such disks; `None` where nothing says.
    #[must_use]
    pub fn offers(&self, region: &str, family: Family, redundancy: Redundancy) -> Option<bool> {
        if self.zones(region, family, redundancy).is_some() {
            return Some(true);
        }
        self.complete.contains(&canonical(region)).then_some(false)
    }

    /// Puts all that a region offers in place of what was recorded of it.
    pub(in crate::catalog) fn replace(
        &mut self,
        region: &str,
        offers: Vec<(Family, Redundancy, Vec<u8>)>,
    ) {
        let region = canonical(region);
        // A list without any disk is a list of something else.
        if offers.is_empty() {
            return;
        }
        self.offers.retain(|offer| offer.region != region);
        let own = offers.into_iter().map(|(family, redundancy, zones)| Offer {
            region: region.clone(),
            family,
            redundancy,
            zones,
        });
        self.offers.extend(own);
        self.offers.sort_by(|a, b| a.region.cmp(&b.region));
        if !self.complete.contains(&region) {
            self.complete.push(region);
        }
    }

    /// Whether anything is recorded of `region`.
    #[must_use]
    pub fn knows(&self, region: &str) -> bool {
        let region = canonical(region);
        self.offers.iter().any(|offer| offer.region == region)
    }

    /// The names of all recorded regions, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.offers
            .chunk_by(|one, other| one.region == other.region)
            .filter_map(|offers| offers.first().map(|offer| offer.region.as_str()))
    }
}

/// A region's name as the API writes it: `East US` is `eastus`.
fn canonical(region: &str) -> String {
    region
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}
