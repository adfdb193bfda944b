//! The text form of a price book: two CSV tables, the same for the embedded snapshot and for a refreshed copy.
//!
//! VMs: a size and its price of each offer, for an hour. Disks: a meter and its price, for the meter's unit, which the
//! row repeats. An empty cell is an unknown price; 0 is refused.

use super::PriceError;
use super::book::{PriceBook, VmOffer, VmPrices};
use super::meter::DiskMeter;
use crate::catalog::table::{Row, read_rows};
use crate::catalog::{DataError, Family, Redundancy};

/// The name of the embedded table of VM prices.
pub(super) const EMBEDDED_VMS: &str = "azure-vm-prices.csv";
/// The name of the embedded table of disk prices.
pub(super) const EMBEDDED_DISKS: &str = "azure-disk-prices.csv";

const VM_COLUMNS: &[&str] = &[
    "size",
    "linux",
    "windows",
    "spot_linux",
    "spot_windows",
    "reserved_1y",
    "reserved_3y",
];
const DISK_COLUMNS: &[&str] = &["family", "meter", "redundancy", "price", "unit"];

/// The price in a cell, where there is one: a number above 0.
fn price(row: &Row<'_>, column: usize) -> Result<Option<f64>, DataError> {
    let price = row.quantity(column, 1.0, Ok)?;
    if price.is_some_and(|price| !price.is_finite() || price <= 0.0) {
        return Err(row.wrong(column, "a price above 0"));
    }
    Ok(price)
}

/// Reads a table of VM prices into `book`.
///
/// # Errors
/// [`DataError`] when a row is not of the form, or a price not a number above 0.
pub(crate) fn read_vms(file: &str, text: &str, book: &mut PriceBook) -> Result<(), DataError> {
    read_rows(file, text, VM_COLUMNS, |row| {
        let mut prices = VmPrices {
            size: row.needed(0, row.owned(0), "the name of a VM size")?,
            ..VmPrices::default()
        };
        for (offer, column) in VmOffer::ALL.into_iter().zip(1..) {
            if let Some(price) = price(row, column)? {
                prices.set(offer, price);
            }
        }
        book.insert_vm(prices);
        Ok(())
    })
}

/// Reads a table of disk prices into `book`.
///
/// # Errors
/// [`DataError`] when a row is not of the form, a meter or its unit unknown, or a price not a number above 0.
pub(crate) fn read_disks(file: &str, text: &str, book: &mut PriceBook) -> Result<(), DataError> {
    let [family, meter, redundancy, cost, unit] = [0, 1, 2, 3, 4];
    read_rows(file, text, DISK_COLUMNS, |row| {
        let of = Family::from_id(row.text(family));
        let of = row.needed(family, of, "a family of disks")?;
        let copies = match row.text(redundancy) {
            "LRS" => Redundancy::Lrs,
            "ZRS" => Redundancy::Zrs,
            _ => return Err(row.wrong(redundancy, "LRS or ZRS")),
        };
        let priced = DiskMeter::from_item(of, copies, row.text(meter));
        let priced = row.needed(meter, priced, "a meter of its family")?;
        if row.text(unit) != priced.unit().label() {
            return Err(row.wrong(unit, priced.unit().label()));
        }
        let price = row.needed(cost, price(row, cost)?, "a price above 0")?;
        book.set_disk(priced, price);
        Ok(())
    })
}

/// Writes a table.
fn write(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>, PriceError> {
    let text = |error: csv::Error| PriceError::Text(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns).map_err(text)?;
    for row in rows {
        writer.write_record(row).map_err(text)?;
    }
    writer
        .into_inner()
        .map_err(|error| PriceError::Text(error.to_string()))
}

/// The table of VM prices of `book`, sorted by size.
///
/// # Errors
/// [`PriceError::Text`] when a row cannot be written.
pub(crate) fn write_vms(book: &PriceBook) -> Result<Vec<u8>, PriceError> {
    let rows = book.vms().map(|prices| {
        let cell = |offer| {
            prices
                .per_hour(offer)
                .map_or_else(String::new, |price| price.to_string())
        };
        std::iter::once(prices.size.clone())
            .chain(VmOffer::ALL.map(cell))
            .collect()
    });
    write(VM_COLUMNS, rows)
}

/// The table of disk prices of `book`, sorted by meter.
///
/// # Errors
/// [`PriceError::Text`] when a row cannot be written.
pub(crate) fn write_disks(book: &PriceBook) -> Result<Vec<u8>, PriceError> {
    let rows = book.disks().into_iter().map(|(meter, price)| {
        vec![
            meter.family().id().to_owned(),
            meter.item(),
            meter.redundancy().to_string(),
            price.to_string(),
            meter.unit().label().to_owned(),
        ]
    });
    write(DISK_COLUMNS, rows)
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
    fn empty_cells_are_unknown_prices() {
        let mut book = empty();
        let head = VM_COLUMNS.join(",");
        read_vms(
            "v.csv",
            &format!("{head}\nStandard_X1,0.25,,,,,\n"),
            &mut book,
        )
        .unwrap();
        let prices = book.vm("x1").unwrap();
        assert_eq!(prices.linux, Some(0.25));
        assert_eq!(prices.windows, None);
        assert_eq!(prices.reserved_3y, None);
    }

    #[test]
    fn wrong_cells_are_named() {
        let error_of = |row: &str| {
            let head = DISK_COLUMNS.join(",");
            let text = format!("{head}\nultra,iops,LRS,7e-5,IOPS-hour\n{row}\n");
            read_disks("d.csv", &text, &mut empty())
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            error_of("premium-ssd,P30,LRS,0,month"),
            "d.csv, line 3, column 'price': '0' is not a price above 0"
        );
        assert_eq!(
            error_of("premium-ssd,P30,LRS,5,hour"),
            "d.csv, line 3, column 'unit': 'hour' is not month"
        );
        assert_eq!(
            error_of("premium-ssd,E30,LRS,5,month"),
            "d.csv, line 3, column 'meter': 'E30' is not a meter of its family"
        );
        for cell in ["", "NaN", "inf", "-1", "one"] {
            assert!(error_of(&format!("premium-ssd,P30,LRS,{cell},month")).contains("'price'"));
        }
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
            read_vms("v.csv", std::str::from_utf8(&write_vms(&book).unwrap()).unwrap(), &mut back).unwrap();
            read_disks("d.csv", std::str::from_utf8(&write_disks(&book).unwrap()).unwrap(), &mut back).unwrap();
            prop_assert_eq!(back, book);
        }
    }
}
