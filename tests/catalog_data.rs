//! Reading a catalogue from texts, and laying refreshed rows over it.

use diskcap::catalog::{Catalog, Ceiling, Dataset, Interface, Limits, Overlay, Parts, VmSize};
use diskcap::units::{Iops, MBps};

/// The error of a catalogue in which one file is replaced.
fn error_of(parts: Parts<'_>) -> String {
    Catalog::from_parts(&parts)
        .expect_err("an error")
        .to_string()
}

/// The embedded VM sizes, with one cell of the first D2s_v3 row replaced.
fn with_cell(column: &str, value: &str) -> String {
    let text = Parts::EMBEDDED.vm_sizes;
    let head = text.lines().next().expect("a head");
    let position = head
        .split(',')
        .position(|name| name == column)
        .expect("a column");
    let row = text
        .lines()
        .find(|line| line.starts_with("Standard_D2s_v3,"))
        .expect("a row");
    let mut cells: Vec<&str> = row.split(',').collect();
    cells[position] = value;
    format!("{head}\n{}\n", cells.join(","))
}

fn error_of_cell(column: &str, value: &str) -> String {
    error_of(Parts {
        vm_sizes: &with_cell(column, value),
        ..Parts::EMBEDDED
    })
}

#[test]
fn a_wrong_cell_is_named_with_file_line_and_column() {
    assert_eq!(
        error_of_cell("uncached_iops", "many"),
        "azure-vm-sizes.csv, line 2, column 'uncached_iops': 'many' is not a number, 0 or more"
    );
    assert_eq!(
        error_of_cell("premium_storage", "true"),
        "azure-vm-sizes.csv, line 2, column 'premium_storage': 'true' is not yes, no or empty"
    );
    for (column, value) in [
        ("uncached_bytes_per_s", "-1"),
        ("uncached_bytes_per_s", "inf"),
        ("memory_gib", "NaN"),
        ("vcpus", ""),
        ("vcpus", "2.5"),
        ("size", ""),
        ("interface", "ide"),
        ("controllers", "scsi ide"),
        ("source", "rumour"),
    ] {
        let error = error_of_cell(column, value);
        assert!(
            error.contains(&format!("line 2, column '{column}'")),
            "{error}"
        );
    }
}

#[test]
fn a_wrong_head_or_line_is_named() {
    let text = Parts::EMBEDDED.vm_sizes.replacen("vcpus", "cpus", 1);
    let error = error_of(Parts {
        vm_sizes: &text,
        ..Parts::EMBEDDED
    });
    assert_eq!(
        error,
        "azure-vm-sizes.csv, line 1: column 3 must be 'vcpus', not 'cpus'"
    );
    let error = error_of(Parts {
        disk_regions: "region,sku,zones\neastus,Premium_LRS\n",
        ..Parts::EMBEDDED
    });
    assert_eq!(
        error,
        "azure-disk-regions.csv, line 2: 2 cells where the head has 3"
    );
    let error = error_of(Parts {
        disk_regions: "",
        ..Parts::EMBEDDED
    });
    assert!(error.contains("column 1 must be 'region'"), "{error}");
    let error = error_of(Parts {
        disk_regions: "region,sku,zones\neastus,Floppy_LRS,1\n",
        ..Parts::EMBEDDED
    });
    assert!(
        error.contains("line 2, column 'sku': 'Floppy_LRS'"),
        "{error}"
    );
}

#[test]
fn a_gap_between_tiers_is_named() {
    let text = Parts::EMBEDDED
        .disk_tiers
        .replace("premium-ssd,P2,5,8", "premium-ssd,P2,6,8");
    let error = error_of(Parts {
        disk_tiers: &text,
        ..Parts::EMBEDDED
    });
    assert!(
        error.contains("tier P2 covers 6 to 8 GiB where it should start at 5 GiB"),
        "{error}"
    );
}

#[test]
fn latencies_that_cannot_be_used_are_named() {
    let error = |latency: &str| {
        error_of(Parts {
            latency,
            ..Parts::EMBEDDED
        })
    };
    assert!(error("[floppy]\n").contains("'floppy' is not a family"));
    assert!(error("[temp]\nread_us = 250\n").contains("[temp]: read_us and write_us"));
    assert!(error("[temp]\nread_us = 0\nwrite_us = 1\n").contains("0 is not a latency"));
    assert!(
        error("[ultra]\npromised_read_us = 1000\n")
            .contains("promised_read_us and promised_write_us")
    );
    assert!(error("[temp]\nspeed = 1\n").contains("speed"));
    assert!(error("[temp\n").starts_with("azure-latency.toml: "));
}

/// What an API would tell of a size: base figures only.
fn fresh(name: &str, iops: u32, mbps: u32) -> VmSize {
    VmSize {
        name: name.to_owned(),
        series: "made up".to_owned(),
        vcpus: 2,
        uncached: Ceiling {
            base: Limits::whole(iops, mbps),
            ..Ceiling::default()
        },
        ..VmSize::default()
    }
}

fn refreshed(vms: Vec<VmSize>) -> Catalog {
    Catalog::embedded().clone().overlay(Overlay {
        data: Dataset {
            source: "Azure Resource SKUs API, eastus".to_owned(),
            date: "2027-01-02".to_owned(),
        },
        vms,
    })
}

#[test]
fn refreshed_rows_replace_and_keep_what_only_the_documentation_tells() {
    let catalog = refreshed(vec![
        fresh("standard_d2s_v3", 3300, 50),
        fresh("Standard_New1", 7, 8),
    ]);
    let d2 = catalog.vm("D2s_v3", None).expect("a size");
    assert_eq!(d2.name, "Standard_D2s_v3");
    assert_eq!(d2.uncached.base, Limits::whole(3300, 50));
    assert_eq!(d2.uncached.burst, Some(Limits::whole(4000, 200)));
    assert_eq!(d2.premium_caching, Some(true));
    // The API said nothing of the cache, so what was known stays, with its printed figure.
    assert_eq!(d2.cached.base.iops, Some(Iops::whole(4000)));
    assert_eq!(d2.cached.listed_mbps, Some(MBps::whole(32)));
    assert_eq!(catalog.vm("new1", None).map(|vm| vm.vcpus), Ok(2));
    assert_eq!(catalog.vms().len(), Catalog::embedded().vms().len() + 1);
    let copy = &catalog.info().refreshed[0];
    assert_eq!((copy.replaced, copy.added), (1, 1));
    assert_eq!(
        catalog.info().to_string(),
        "VM sizes of 2026-08-17, disks of 2026-08-01 (embedded); \
         2 VM sizes of 2027-01-02 from Azure Resource SKUs API, eastus"
    );
}

#[test]
fn a_printed_figure_goes_with_the_cap_that_it_prints() {
    let mut row = fresh("Standard_D8s_v3", 12_800, 192);
    row.cached.base = Limits::whole(16_000, 150);
    let catalog = refreshed(vec![row]);
    let d8 = catalog.vm("D8s_v3", None).expect("a size");
    assert_eq!(d8.cached.base.mbps, Some(MBps::whole(150)));
    assert_eq!(d8.cached.listed_mbps, None);
}

#[test]
fn a_row_without_controller_refreshes_that_of_scsi() {
    let catalog = refreshed(vec![fresh("Standard_E8bds_v5", 25_000, 700)]);
    let row = |interface| catalog.vm("E8bds_v5", interface).expect("a row");
    assert_eq!(row(None).uncached.base, Limits::whole(25_000, 700));
    assert_eq!(row(None).interface, Some(Interface::Scsi));
    assert_eq!(
        row(Some(Interface::Nvme)).uncached.base,
        Limits::whole(33_000, 930)
    );
}
