//! The price tables in their normal form: sorted, unique, plausible, with their sources named.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use diskcap::catalog::Catalog;
use diskcap::catalog::price::{Region, TierName};

fn text(file: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("sku-data")
            .join(file),
    )
    .unwrap()
}

/// The rows of a table behind its head, cell by cell.
fn rows(file: &str, head: &str) -> Vec<Vec<String>> {
    let text = text(file);
    assert!(
        text.ends_with('\n') && !text.contains('\r') && !text.contains('"'),
        "{file}"
    );
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(head), "{file}");
    let columns = head.split(',').count();
    lines
        .map(|line| {
            let cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            assert_eq!(cells.len(), columns, "{file}: {line}");
            cells
        })
        .collect()
}

fn vms() -> Vec<Vec<String>> {
    let head = "region,size,linux,windows,spot_linux,spot_windows,reserved_1y,reserved_3y";
    rows("azure-vm-prices.csv", head)
}

fn disks() -> Vec<Vec<String>> {
    rows(
        "azure-disk-prices.csv",
        "region,family,meter,redundancy,price,unit",
    )
}

fn price(cell: &str) -> Option<f64> {
    (!cell.is_empty()).then(|| cell.parse().unwrap())
}

/// Rows are in order by their first `key` cells, none twice.
fn assert_sorted(rows: &[Vec<String>], key: usize) {
    for pair in rows.windows(2) {
        assert!(
            pair[0][..key] < pair[1][..key],
            "{:?} does not come before {:?}",
            pair[0],
            pair[1]
        );
    }
}

#[test]
fn tables_are_sorted_and_unique() {
    assert_sorted(&vms(), 2);
    assert_sorted(&disks(), 4);
    assert_sorted(
        &rows(
            "azure-price-regions.csv",
            "region,vm_prices_of,disk_prices_of",
        ),
        1,
    );
}

#[test]
fn every_region_with_prices_is_dated() {
    let dates = rows(
        "azure-price-regions.csv",
        "region,vm_prices_of,disk_prices_of",
    );
    let with = |column: usize| -> BTreeSet<String> {
        let dated = dates.iter().filter(|row| !row[column].is_empty());
        dated.map(|row| row[0].clone()).collect()
    };
    let of = |rows: Vec<Vec<String>>| -> BTreeSet<String> {
        rows.into_iter().map(|row| row[0].clone()).collect()
    };
    assert_eq!(with(1), of(vms()));
    assert_eq!(with(2), of(disks()));
    for row in &dates {
        assert_eq!(Region::new(&row[0]).as_str(), row[0]);
        for date in row[1..].iter().filter(|date| !date.is_empty()) {
            date.parse::<jiff::civil::Date>().unwrap();
        }
    }
}

#[test]
fn vm_prices_are_plausible() {
    for row in vms() {
        let name = format!("{} {}", row[0], row[1]);
        assert!(
            row[1].starts_with("Standard_") || row[1].starts_with("Basic_"),
            "{name}"
        );
        let prices: Vec<Option<f64>> = row[2..].iter().map(|cell| price(cell)).collect();
        assert!(
            prices.iter().any(Option::is_some),
            "{name} has no price at all"
        );
        for price in prices.iter().flatten() {
            assert!((0.0005..1000.0).contains(price), "{name}: {price} an hour");
        }
        let [linux, windows, spot, ..] = prices[..] else {
            panic!("{name}")
        };
        if let (Some(linux), Some(windows)) = (linux, windows) {
            assert!(
                windows > linux,
                "{name}: a Windows licence is not free: {windows} of {linux}"
            );
        }
        if let (Some(linux), Some(spot)) = (linux, spot) {
            assert!(spot <= linux, "{name}: spot {spot} above {linux}");
        }
    }
}

#[test]
fn disk_prices_are_plausible() {
    let mut tiers: BTreeMap<(String, String, String), Vec<(TierName, f64)>> = BTreeMap::new();
    for row in disks() {
        let [region, family, meter, redundancy, cost, unit] = &row[..] else {
            panic!("{row:?}")
        };
        let cost = price(cost).unwrap();
        assert!(cost > 0.0, "{row:?}");
        match unit.as_str() {
            "month" => {
                let tier: TierName = meter.parse().unwrap();
                assert_eq!(tier.family.id(), family);
                tiers
                    .entry((region.clone(), family.clone(), redundancy.clone()))
                    .or_default()
                    .push((tier, cost));
            }
            // a GiB costs 0.05 to 0.5 a month
            "GiB-hour" => assert!((0.05..0.5).contains(&(cost * 730.0)), "{row:?}"),
            "IOPS-hour" => assert!((1e-6..1e-3).contains(&cost), "{row:?}"),
            "MB/s-hour" => assert!((1e-5..1e-2).contains(&cost), "{row:?}"),
            "vCPU-hour" => assert!((1e-3..0.1).contains(&cost), "{row:?}"),
            other => panic!("{other}"),
        }
    }
    for (key, tiers) in &mut tiers {
        tiers.sort_by_key(|(tier, _)| *tier);
        for pair in tiers.windows(2) {
            assert!(
                pair[0].1 < pair[1].1,
                "{key:?}: a larger tier costs no more: {pair:?}"
            );
        }
    }
    for ((region, family, redundancy), zrs) in &tiers {
        if redundancy != "ZRS" {
            continue;
        }
        let lrs = &tiers[&(region.clone(), family.clone(), "LRS".to_owned())];
        for (tier, price) in zrs {
            let plain = lrs.iter().find(|(other, _)| other == tier);
            assert!(
                plain.is_some_and(|(_, plain)| plain <= price),
                "{region} {tier} ZRS"
            );
        }
    }
}

#[test]
fn priced_tiers_are_those_of_the_catalogue() {
    let known: BTreeSet<&str> = Catalog::embedded()
        .tiers()
        .all()
        .iter()
        .map(|tier| tier.name.as_str())
        .collect();
    let rows = disks();
    let priced: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row[5] == "month")
        .map(|row| row[2].as_str())
        .collect();
    assert_eq!(priced, known);
}

#[test]
fn sizes_of_the_catalogue_have_a_price_somewhere() {
    let rows = vms();
    let priced: BTreeSet<String> = rows.iter().map(|row| row[1].to_lowercase()).collect();
    let catalogue = Catalog::embedded().vms();
    let with = catalogue
        .iter()
        .filter(|size| priced.contains(&size.name.to_lowercase()))
        .count();
    // A few sizes are listed before they are sold; that most are missing would be a slip of names.
    assert!(
        with * 10 > catalogue.len() * 9,
        "{with} of {}",
        catalogue.len()
    );
}

/// Read off the source tables by eye.
#[test]
fn figures_read_by_eye() {
    let disks = disks();
    let disk = |region: &str, meter: &str, redundancy: &str| {
        let row = disks.iter().find(|row| {
            (row[0].as_str(), row[2].as_str(), row[3].as_str()) == (region, meter, redundancy)
        });
        row.map(|row| row[4].as_str())
    };
    assert_eq!(disk("eastus", "P30", "LRS"), Some("135.17"));
    assert_eq!(disk("eastus", "P30", "ZRS"), Some("202.73"));
    assert_eq!(disk("eastus", "E30", "LRS"), Some("76.8"));
    assert_eq!(disk("eastus", "S30", "LRS"), Some("40.96"));
    assert_eq!(disk("eastus", "vcpu", "LRS"), Some("0.006"));
    assert_eq!(disk("attatlanta1", "E10", "LRS"), Some("9.6"));
    let vms = vms();
    let vm = |region: &str, size: &str| {
        let row = vms
            .iter()
            .find(|row| (row[0].as_str(), row[1].as_str()) == (region, size));
        row.map(|row| row[2..5].join(" "))
    };
    assert_eq!(
        vm("eastus", "Standard_D2s_v3").as_deref(),
        Some("0.096 0.188 0.018816")
    );
    assert_eq!(
        vm("australiacentral", "Standard_A1").as_deref(),
        Some("0.071  ")
    );
    // listed with a price of 0 before it was sold: unknown
    assert_eq!(vm("eastus", "Standard_M16bs_v4"), None);
    assert_eq!(
        vm("malaysiawest", "Standard_E2as_v6").as_deref(),
        Some("0.135  0.024948")
    );
}

/// Against the lists that the tables are made from, where they are at hand: nothing added, nothing altered, and
/// nothing left out but what has no price, is not a disk's, or is a Windows price in the place of Linux's.
#[test]
fn tables_say_what_their_sources_say() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/sku-source"));
    let Ok(text) = fs::read_to_string(folder.join("azure-vm-prices-usd.csv")) else {
        return;
    };
    let above_0 = |cell: &str| price(cell).filter(|price| *price > 0.0);
    let source: BTreeMap<(String, String), Vec<Option<f64>>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|cells| {
            let key = (cells[0].to_owned(), cells[1].to_owned());
            let mut prices: Vec<_> = cells[2..].iter().map(|cell| above_0(cell)).collect();
            if prices[0] == prices[1] {
                prices[0] = None;
            }
            (key, prices)
        })
        .filter(|(_, prices): &(_, Vec<Option<f64>>)| prices.iter().any(Option::is_some))
        .collect();
    let ours: BTreeMap<(String, String), Vec<Option<f64>>> = vms()
        .into_iter()
        .map(|row| {
            let prices = row[2..5].iter().map(|cell| price(cell)).collect();
            ((row[0].clone(), row[1].clone()), prices)
        })
        .collect();
    assert!(ours == source, "VM prices differ from their source");

    let text = fs::read_to_string(folder.join("azure-disk-prices-usd.csv")).unwrap();
    let mut source: Vec<(String, f64)> = text
        .lines()
        .skip(1)
        .filter(|line| !line.contains("Snapshots") && !line.contains("Confidential"))
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|cells| (cells[0].to_owned(), cells[4].parse().unwrap()))
        .collect();
    let mut ours: Vec<(String, f64)> = disks()
        .into_iter()
        .map(|row| (row[0].clone(), row[4].parse().unwrap()))
        .collect();
    let order = |a: &(String, f64), b: &(String, f64)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
    source.sort_by(order);
    ours.sort_by(order);
    assert!(ours == source, "disk prices differ from their source");
}

/// What help and documentation say that the embedded prices do not have: these offers, and the transactions of disks.
#[test]
fn what_is_said_to_be_missing_is_missing() {
    for row in vms() {
        assert!(row[5..].iter().all(String::is_empty), "{row:?}");
    }
    let is_transactions =
        |row: &&Vec<String>| row[2].contains("transaction") || row[2].contains("operation");
    assert_eq!(disks().iter().find(is_transactions), None);
}
