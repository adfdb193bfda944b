//! The price snapshot inside the program: packed by region at build time, unpacked only for the region asked for.

use std::io::Read;
use std::ops::Range;

use flate2::read::DeflateDecoder;
use jiff::civil::Date;

use super::PriceError;
use super::book::{BookInfo, PriceBook, PriceSource};
use super::money::Currency;
use super::region::Region;
use super::rows;
use crate::catalog::lookup::{did_you_mean, nearest};

/// Where the packed tables of one region lie in [`BLOB`].
struct Block {
    region: &'static str,
    vms: Range<usize>,
    disks: Range<usize>,
    /// The day of the VM prices; empty where there are none.
    vms_of: &'static str,
    /// The day of the disk prices; empty where there are none.
    disks_of: &'static str,
}

/// The deflated tables, one after the other.
static BLOB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/prices.bin"));
/// One entry a region, sorted by its name.
static INDEX: &[Block] = include!(concat!(env!("OUT_DIR"), "/price_index.rs"));

/// The currency of the snapshot.
pub const EMBEDDED_CURRENCY: Currency = Currency::USD;

/// The regions that the snapshot has prices of, sorted.
pub fn embedded_regions() -> impl Iterator<Item = &'static str> {
    INDEX.iter().map(|block| block.region)
}

/// The tail of an error about a region that there is not: the nearest names, or where the list is.
#[must_use]
pub fn regions_hint(nearest: &[String]) -> String {
    if nearest.is_empty() {
        "; a region is written like westeurope, and `diskcap skus update --help` lists them"
            .to_owned()
    } else {
        did_you_mean(nearest)
    }
}

/// What the snapshot has of a region, without unpacking its prices; `None` for a region that it lacks.
#[must_use]
pub fn embedded_info(region: &Region) -> Option<BookInfo> {
    block(region).map(info)
}

/// The prices of a region in the snapshot.
///
/// # Errors
/// [`PriceError::UnknownRegion`] with the nearest names when the snapshot has no such region,
/// [`PriceError::Table`] or [`PriceError::Packed`] when the snapshot is damaged.
pub fn embedded(region: &Region) -> Result<PriceBook, PriceError> {
    let block = block(region).ok_or_else(|| unknown(region))?;
    let mut book = PriceBook::new(info(block));
    if let Some(text) = unpack(&block.vms)? {
        rows::read_vms(rows::EMBEDDED_VMS, &text, &mut book)?;
    }
    if let Some(text) = unpack(&block.disks)? {
        rows::read_disks(rows::EMBEDDED_DISKS, &text, &mut book)?;
    }
    Ok(book)
}

fn block(region: &Region) -> Option<&'static Block> {
    let place = INDEX.binary_search_by(|block| block.region.cmp(region.as_str()));
    place.ok().and_then(|place| INDEX.get(place))
}

fn unknown(region: &Region) -> PriceError {
    PriceError::UnknownRegion {
        region: region.clone(),
        nearest: nearest(region.as_str(), embedded_regions()),
    }
}

fn info(block: &Block) -> BookInfo {
    BookInfo {
        region: Region::new(block.region),
        currency: EMBEDDED_CURRENCY,
        vm_prices_of: block.vms_of.parse::<Date>().ok(),
        disk_prices_of: block.disks_of.parse::<Date>().ok(),
        source: PriceSource::Embedded,
    }
}

/// The table that lies there; `None` where the region has none.
fn unpack(range: &Range<usize>) -> Result<Option<String>, PriceError> {
    let packed = BLOB.get(range.clone()).unwrap_or_default();
    if packed.is_empty() {
        return Ok(None);
    }
    let mut text = String::new();
    DeflateDecoder::new(packed)
        .read_to_string(&mut text)
        .map_err(PriceError::Packed)?;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_region_unpacks_and_has_the_prices_that_its_dates_promise() {
        for name in embedded_regions() {
            let book = embedded(&Region::new(name)).unwrap();
            assert_eq!(book.info().region.as_str(), name);
            assert_eq!(
                book.vms().next().is_some(),
                book.info().vm_prices_of.is_some(),
                "{name}"
            );
            assert_eq!(
                !book.disks().is_empty(),
                book.info().disk_prices_of.is_some(),
                "{name}"
            );
        }
    }

    #[test]
    fn regions_are_sorted_so_that_the_search_finds_them() {
        assert!(embedded_regions().is_sorted());
        for name in embedded_regions() {
            assert!(embedded_info(&Region::new(name)).is_some(), "{name}");
        }
    }

    #[test]
    fn an_unknown_region_is_answered_with_the_nearest() {
        let error = embedded(&Region::new("West Europ")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no prices of region 'westeurop'; did you mean westeurope?"
        );
    }
}
