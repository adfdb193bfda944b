//! The text form of a price book: two CSV tables, the same for the embedded snapshot and for a refreshed copy.
//!
//! VMs: `size,linux,windows,spot_linux,spot_windows,reserved_1y,reserved_3y`, prices for an hour (columns may be left
//! out). Disks: `family,meter,redundancy,price,unit`. An empty cell is an unknown price; 0 is refused.

use serde::{Deserialize, Serialize};

use super::PriceError;
use super::book::{PriceBook, VmOffer, VmPrices};
use super::meter::DiskMeter;
use crate::catalog::{Family, Redundancy};

#[derive(Debug, Serialize, Deserialize)]
struct DiskRow {
    family: Family,
    meter: String,
    redundancy: Redundancy,
    price: f64,
    unit: String,
}

/// The error for line `line` of the table `table`.
fn wrong(table: &'static str, line: u64, what: impl Into<String>) -> PriceError {
    PriceError::Data {
        table,
        line,
        what: what.into(),
    }
}

/// Whether `price` can be one: unknown prices are absent, never 0.
fn is_price(price: f64) -> bool {
    price.is_finite() && price > 0.0
}

/// Reads the table of VM prices into `book`.
///
/// # Errors
/// [`PriceError::Data`] when a row is not of the form, or a price not a positive number.
pub(crate) fn read_vms(text: &str, book: &mut PriceBook) -> Result<(), PriceError> {
    const TABLE: &str = "VM prices";
    for (row, line) in csv::Reader::from_reader(text.as_bytes())
        .into_deserialize::<VmPrices>()
        .zip(2..)
    {
        let prices = row.map_err(|error| wrong(TABLE, line, error.to_string()))?;
        for offer in VmOffer::ALL {
            if prices.per_hour(offer).is_some_and(|price| !is_price(price)) {
                let what = format!("{} of {} is not a price", offer.label(), prices.size);
                return Err(wrong(TABLE, line, what));
            }
        }
        book.insert_vm(prices);
    }
    Ok(())
}

/// Reads the table of disk prices into `book`.
///
/// # Errors
/// [`PriceError::Data`] when a row is not of the form, a meter or its unit unknown, or a price not a positive number.
pub(crate) fn read_disks(text: &str, book: &mut PriceBook) -> Result<(), PriceError> {
    const TABLE: &str = "disk prices";
    for (row, line) in csv::Reader::from_reader(text.as_bytes())
        .into_deserialize::<DiskRow>()
        .zip(2..)
    {
        let row = row.map_err(|error| wrong(TABLE, line, error.to_string()))?;
        let meter =
            DiskMeter::from_item(row.family, row.redundancy, &row.meter).ok_or_else(|| {
                wrong(
                    TABLE,
                    line,
                    format!("'{}' is no meter of its family", row.meter),
                )
            })?;
        if row.unit != meter.unit().label() {
            let what = format!(
                "{meter} is priced per {}, not per {}",
                meter.unit().label(),
                row.unit
            );
            return Err(wrong(TABLE, line, what));
        }
        if !is_price(row.price) {
            return Err(wrong(
                TABLE,
                line,
                format!("{} of {meter} is not a price", row.price),
            ));
        }
        book.set_disk(meter, row.price);
    }
    Ok(())
}

/// Writes rows as CSV. Writing into memory fails only on a row that CSV cannot hold.
fn write<R: Serialize>(
    table: &'static str,
    rows: impl IntoIterator<Item = R>,
) -> Result<Vec<u8>, PriceError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (row, line) in rows.into_iter().zip(2..) {
        writer
            .serialize(row)
            .map_err(|error| wrong(table, line, error.to_string()))?;
    }
    writer
        .into_inner()
        .map_err(|error| wrong(table, 0, error.to_string()))
}

/// The table of VM prices of `book`, sorted by size.
///
/// # Errors
/// [`PriceError::Data`] when a row cannot be written.
pub(crate) fn write_vms(book: &PriceBook) -> Result<Vec<u8>, PriceError> {
    write("VM prices", book.vms())
}

/// The table of disk prices of `book`, sorted by meter.
///
/// # Errors
/// [`PriceError::Data`] when a row cannot be written.
pub(crate) fn write_disks(book: &PriceBook) -> Result<Vec<u8>, PriceError> {
    let rows = book.disks().into_iter().map(|(meter, price)| DiskRow {
        family: meter.family(),
        meter: meter.item(),
        redundancy: meter.redundancy(),
        price,
        unit: meter.unit().label().to_owned(),
    });
    write("disk prices", rows)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalog::price::{
        BookInfo, BurstPart, Currency, PriceSource, ProvisionedPart, Region, TierPart,
    };

    fn empty() -> PriceBook {
        PriceBook::new(BookInfo {
            region: Region::new("eastus"),
            currency: Currency::USD,
            vm_prices_of: None,
            disk_prices_of: None,
            source: PriceSource::Refreshed,
        })
    }

    #[test]
    fn columns_may_be_left_out_and_cells_empty() {
        let mut book = empty();
        read_vms("size,linux,windows\nStandard_X1,0.25,\n", &mut book).unwrap();
        let prices = book.vm("x1").unwrap();
        assert_eq!(prices.linux, Some(0.25));
        assert_eq!(prices.windows, None);
        assert_eq!(prices.reserved_3y, None);
    }

    #[test]
    fn wrong_rows_are_named_by_line() {
        let line_of = |text: &str| match read_disks(text, &mut empty()) {
            Err(PriceError::Data { line, what, .. }) => (line, what),
            other => panic!("{other:?}"),
        };
        let head = "family,meter,redundancy,price,unit\nultra,iops,LRS,7e-5,IOPS-hour\n";
        let (line, what) = line_of(&format!("{head}premium-ssd,P30,LRS,0,month\n"));
        assert_eq!(
            (line, what.as_str()),
            (3, "0 of P30 LRS disk is not a price")
        );
        let (_, what) = line_of(&format!("{head}premium-ssd,P30,LRS,5,hour\n"));
        assert_eq!(what, "P30 LRS disk is priced per month, not per hour");
        let (_, what) = line_of(&format!("{head}premium-ssd,E30,LRS,5,month\n"));
        assert_eq!(what, "'E30' is no meter of its family");
        assert!(read_vms("size,linux\nStandard_X1,-1\n", &mut empty()).is_err());
        assert!(read_vms("size,linux\nStandard_X1,one\n", &mut empty()).is_err());
    }

    /// One of the meters that exist.
    fn meter() -> impl Strategy<Value = DiskMeter> {
        let redundancy = prop_oneof![Just(Redundancy::Lrs), Just(Redundancy::Zrs)];
        (redundancy, 0_u8..3, 0_u8..4, 1_u16..90, any::<bool>()).prop_map(
            |(redundancy, kind, part, number, other)| match kind {
                0 => DiskMeter::Tier {
                    tier: super::super::TierName {
                        family: if other {
                            Family::StandardSsd
                        } else {
                            Family::PremiumSsd
                        },
                        number,
                    },
                    redundancy,
                    part: [
                        TierPart::Disk,
                        TierPart::Reserved1Year,
                        TierPart::Mount,
                        TierPart::Transactions,
                    ][usize::from(part)],
                },
                1 => DiskMeter::Provisioned {
                    family: if other {
                        Family::Ultra
                    } else {
                        Family::PremiumSsdV2
                    },
                    redundancy,
                    part: [
                        ProvisionedPart::Capacity,
                        ProvisionedPart::Iops,
                        ProvisionedPart::Mbps,
                        ProvisionedPart::VcpuReservation,
                    ][usize::from(part)],
                },
                _ => DiskMeter::Burst {
                    redundancy,
                    part: if other {
                        BurstPart::Enablement
                    } else {
                        BurstPart::Transactions
                    },
                },
            },
        )
    }

    proptest! {
        #[test]
        fn books_round_trip(
            vms in prop::collection::btree_map("Standard_[A-Z][0-9]{1,2}s_v[1-9]", (1e-9_f64..1e4, prop::option::of(1e-9_f64..1e6)), 0..20),
            disks in prop::collection::hash_map(meter(), 1e-9_f64..1e6, 0..20),
        ) {
            let mut book = empty();
            for (size, (linux, reserved)) in &vms {
                book.set_vm(size, VmOffer::Linux, *linux);
                if let Some(price) = reserved {
                    book.set_vm(size, VmOffer::Reserved3Years, *price);
                }
            }
            for (meter, price) in &disks {
                book.set_disk(*meter, *price);
            }
            let mut back = empty();
            read_vms(std::str::from_utf8(&write_vms(&book).unwrap()).unwrap(), &mut back).unwrap();
            read_disks(std::str::from_utf8(&write_disks(&book).unwrap()).unwrap(), &mut back).unwrap();
            prop_assert_eq!(back, book);
        }
    }
}
