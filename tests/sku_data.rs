//! Verifies `sku-data/`: every file sorted, unique and plausible; and values checked by hand against the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use diskcap::catalog::{Axis, Catalog, Family, Interface, Limits, VmSize, azure};
use diskcap::units::{GiB, Iops, MBps};
use jiff::civil::Date;

/// The rows of a CSV file by column.
type Rows = Vec<BTreeMap<String, String>>;

fn data_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sku-data")
}

fn read_rows(path: &Path) -> Rows {
    let mut reader = csv::Reader::from_path(path).expect("a CSV file");
    reader
        .deserialize()
        .map(|row| row.expect("a row with as many cells as the head"))
        .collect()
}

fn cell<'a>(row: &'a BTreeMap<String, String>, column: &str) -> &'a str {
    row.get(column)
        .unwrap_or_else(|| panic!("no column {column}"))
}

/// Fails with every problem at once.
fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// The keys of neighbours that are not in ascending order, or twice there.
fn unsorted<K: Ord + std::fmt::Debug>(file: &str, keys: &[K]) -> Vec<String> {
    keys.windows(2)
        .filter(|pair| pair[0] >= pair[1])
        .map(|pair| {
            format!(
                "{file}: {:?} must come after {:?}, and only once",
                pair[0], pair[1]
            )
        })
        .collect()
}

#[test]
fn every_file_is_sorted_and_unique() {
    let folder = data_folder();
    let keys = |file: &str, columns: &[&str]| -> Vec<Vec<String>> {
        read_rows(&folder.join(file))
            .iter()
            .map(|row| {
                columns
                    .iter()
                    .map(|column| cell(row, column).to_owned())
                    .collect()
            })
            .collect()
    };
    let mut problems = unsorted(
        "azure-vm-sizes.csv",
        &keys("azure-vm-sizes.csv", &["size", "interface"]),
    );
    problems.extend(unsorted(
        "azure-disk-regions.csv",
        &keys("azure-disk-regions.csv", &["region", "sku"]),
    ));
    let tiers: Vec<(String, u32)> = read_rows(&folder.join("azure-disk-tiers.csv"))
        .iter()
        .map(|row| {
            let min = cell(row, "min_gib").parse().expect("a number");
            (cell(row, "family").to_owned(), min)
        })
        .collect();
    problems.extend(unsorted("azure-disk-tiers.csv", &tiers));
    assert_none(&problems);
}

#[test]
fn sources_are_named_for_every_file() {
    let folder = data_folder();
    let sources = std::fs::read_to_string(folder.join("SOURCES.md")).expect("SOURCES.md");
    let mut problems = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("sku-data") {
        let name = entry.expect("a file").file_name();
        let name = name.to_string_lossy();
        if name != "SOURCES.md" && !sources.contains(&format!("`{name}`")) {
            problems.push(format!("SOURCES.md does not name {name}"));
        }
    }
    for date in [azure::SKUS_API_DATE, azure::DISK_SKUS_API_DATE] {
        if !sources.contains(date) {
            problems.push(format!("SOURCES.md does not name the data of {date}"));
        }
    }
    assert_none(&problems);
}

/// What is implausible about a pair of limits. An I/O of 2 KB to 300 KB is what IOPS and MB/s of one cap are made for.
fn implausible(what: &str, limits: Limits) -> Option<String> {
    let (iops, mbps) = (limits.iops?.get(), limits.mbps?.get());
    let kb = mbps * 1e3 / iops;
    (!(2.0..=300.0).contains(&kb))
        .then(|| format!("{what}: {mbps} MB/s at {iops} IOPS would be {kb:.1} KB an I/O"))
}

fn problems_of(vm: &VmSize, names: &BTreeSet<&str>) -> Vec<String> {
    let mut problems = Vec::new();
    let ceilings = [
        ("uncached", Some(vm.uncached)),
        ("v2", vm.remote),
        ("cached", Some(vm.cached)),
    ];
    for (what, ceiling) in ceilings {
        let Some(ceiling) = ceiling else { continue };
        problems.extend(implausible(what, ceiling.base));
        for axis in [Axis::Iops, Axis::Mbps] {
            let burst = ceiling.burst.and_then(|burst| burst.on(axis));
            if let (Some(base), Some(burst)) = (ceiling.base.on(axis), burst)
                && burst < base
            {
                problems.push(format!("{what}: burst {burst} is below the base {base}"));
            }
            if ceiling.base.on(axis) == Some(0.0) {
                problems.push(format!("{what}: 0 {axis:?} instead of unknown"));
            }
        }
        if let (Some(exact), Some(listed)) = (ceiling.base.mbps, ceiling.listed_mbps) {
            let ratio = exact.get() / listed.get();
            if !(0.94..=1.06).contains(&ratio) || exact == listed {
                problems.push(format!("{what}: {listed} MB/s is no print of {exact}"));
            }
        }
    }
    if let Some(nvme) = &vm.nvme {
        problems.extend(implausible("NVMe read", nvme.read));
        problems.extend(implausible("NVMe write", nvme.write));
        if let (Some(read), Some(write)) = (nvme.read.mbps, nvme.write.mbps)
            && !(1.0..=4.0).contains(&(read.get() / write.get()))
        {
            problems.push(format!("NVMe: {read} MB/s of reads and {write} of writes"));
        }
        if nvme.disks == Some(0) || nvme.total == Some(GiB::ZERO) {
            problems.push("NVMe: 0 instead of unknown".to_owned());
        }
    }
    if vm.vcpus == 0 || vm.max_data_disks == Some(0) {
        problems.push("0 vCPUs or data disks".to_owned());
    }
    if let Some(parent) = &vm.parent
        && (!names.contains(parent.as_str()) || *parent == vm.name)
    {
        problems.push(format!("parent {parent} is no other size"));
    }
    for date in vm.retirement.iter().chain([&vm.origin.date]) {
        if date.parse::<Date>().is_err() {
            problems.push(format!("'{date}' is not a date"));
        }
    }
    if !vm.series.starts_with(|c: char| c.is_ascii_uppercase()) {
        problems.push(format!("series '{}'", vm.series));
    }
    problems
}

#[test]
fn vm_sizes_are_plausible() {
    let catalog = Catalog::embedded();
    let names: BTreeSet<&str> = catalog.vms().iter().map(|vm| vm.name.as_str()).collect();
    let problems: Vec<String> = catalog
        .vms()
        .iter()
        .flat_map(|vm| {
            let row = format!("{} {:?}", vm.name, vm.interface);
            problems_of(vm, &names)
                .into_iter()
                .map(move |problem| format!("azure-vm-sizes.csv, {row}: {problem}"))
        })
        .collect();
    assert_none(&problems);
}

#[test]
fn rows_of_one_size_differ_by_controller() {
    let catalog = Catalog::embedded();
    let mut by_name: BTreeMap<&str, Vec<Option<Interface>>> = BTreeMap::new();
    for vm in catalog.vms() {
        by_name.entry(&vm.name).or_default().push(vm.interface);
    }
    let (scsi, nvme) = (Some(Interface::Scsi), Some(Interface::Nvme));
    let problems: Vec<String> = by_name
        .iter()
        .filter(|(_, rows)| ![vec![None], vec![nvme], vec![nvme, scsi]].contains(rows))
        .map(|(name, rows)| format!("azure-vm-sizes.csv, {name}: rows for {rows:?}"))
        .collect();
    assert_none(&problems);
}

#[test]
fn tiers_rise_with_the_size() {
    let tiers = Catalog::embedded().tiers();
    let mut problems = Vec::new();
    for family in [Family::PremiumSsd, Family::StandardSsd, Family::StandardHdd] {
        let all: Vec<_> = tiers.of(family).collect();
        assert_eq!(
            all.last().map(|tier| tier.max_gib),
            Some(32_767),
            "{family}"
        );
        for pair in all.windows(2) {
            let (small, large) = (pair[0], pair[1]);
            for axis in [Axis::Iops, Axis::Mbps] {
                if large.limits.on(axis) < small.limits.on(axis)
                    || large.performance_plus.and_then(|p| p.on(axis))
                        < small.performance_plus.and_then(|p| p.on(axis))
                {
                    problems.push(format!("{}: {axis:?} below {}", large.name, small.name));
                }
            }
            if large.max_shares < small.max_shares {
                problems.push(format!("{}: fewer shares than {}", large.name, small.name));
            }
        }
        for tier in all {
            let higher = [
                tier.credit_burst.map(|(limits, _)| limits),
                tier.on_demand,
                tier.performance_plus,
            ];
            for limits in higher.into_iter().flatten() {
                for axis in [Axis::Iops, Axis::Mbps] {
                    if limits.on(axis) < tier.limits.on(axis) {
                        problems.push(format!(
                            "{}: a burst or expansion below the base",
                            tier.name
                        ));
                    }
                }
            }
            if tier.name.chars().next() != family.tier_prefix() {
                problems.push(format!("{} is not named like {family}", tier.name));
            }
            if tier
                .credit_burst
                .is_some_and(|(_, seconds)| seconds != azure::BURST_BUCKET_SECONDS)
            {
                problems.push(format!("{}: its bucket does not last 1,800 s", tier.name));
            }
        }
    }
    assert_none(&problems);
}

#[test]
fn zones_are_numbered_upwards() {
    let problems: Vec<String> = read_rows(&data_folder().join("azure-disk-regions.csv"))
        .iter()
        .filter(|row| {
            let zones: Vec<&str> = cell(row, "zones").split(' ').collect();
            !zones.is_sorted() || zones.iter().any(|zone| !["", "1", "2", "3"].contains(zone))
        })
        .map(|row| format!("azure-disk-regions.csv: {row:?}"))
        .collect();
    assert_none(&problems);
}

fn vm(name: &str) -> &'static VmSize {
    Catalog::embedded().vm(name, None).expect("a known size")
}

/// IOPS and exact bytes per second.
fn pair(iops: u32, bytes_per_s: f64) -> Limits {
    Limits::new(
        Iops::whole(iops),
        MBps::from_bytes_per_s(bytes_per_s).expect("a throughput"),
    )
}

// The values below were read off the recorded API answers and the documentation pages by hand.

#[test]
fn d2s_v3_and_d8s_v3() {
    let d2 = vm("Standard_D2s_v3");
    assert_eq!(d2.uncached.base, pair(3200, 48_000_000.0));
    assert_eq!(d2.uncached.burst, Some(Limits::whole(4000, 200)));
    assert_eq!(d2.uncached.listed_mbps, None);
    assert_eq!(d2.cached.base, pair(4000, 32_768_000.0));
    assert_eq!(d2.cached.listed_mbps, Some(MBps::whole(32)));
    assert_eq!(d2.remote, None);
    assert_eq!((d2.vcpus, d2.memory), (2, Some(GiB::whole(8))));
    assert_eq!(d2.max_data_disks, Some(4));
    assert_eq!(d2.temp.as_ref().map(|temp| temp.size), Some(GiB::whole(16)));
    assert_eq!(d2.cache_size, Some(GiB::whole(50)));
    assert_eq!(d2.premium_caching, Some(true));
    assert_eq!(d2.ultra, Some(true));
    let d8 = vm("Standard_D8s_v3");
    assert_eq!(d8.uncached.base, pair(12_800, 192_000_000.0));
    assert_eq!(d8.cached.base, pair(16_000, 131_072_000.0));
    assert_eq!(d8.cached.listed_mbps, Some(MBps::whole(128)));
    assert_eq!(d8.cached.burst, Some(Limits::whole(16_000, 400)));
}

#[test]
fn l8s_v2_has_exact_bytes_and_no_separate_v2_pair() {
    let l8 = vm("Standard_L8s_v2");
    assert_eq!(l8.uncached.base, pair(8000, 167_772_160.0));
    assert_eq!(l8.uncached.listed_mbps, Some(MBps::whole(160)));
    assert_eq!(l8.uncached.burst, Some(Limits::whole(8000, 1280)));
    assert_eq!(l8.remote, None);
    // The page of Lsv3 has a burst for Premium SSD (20,000 IOPS, 1,200 MB/s) and none for the equal pair of v2 and Ultra.
    let l8_v3 = vm("Standard_L8s_v3");
    let own = l8_v3.remote.expect("a pair without burst");
    assert_eq!(own.base, Limits::whole(12_800, 290));
    assert_eq!(own.burst, None);
    assert!(own.is_within(&l8_v3.uncached) && !l8_v3.uncached.is_within(&own));
    assert_eq!(l8.premium_caching, Some(false));
    assert_eq!(l8.retirement.as_deref(), Some("2028-11-15"));
    let nvme = l8.nvme.as_ref().expect("local NVMe");
    assert_eq!(nvme.disks, Some(1));
    // The page: 400,000 IOPS and 2,000 MB/s of reads; of writes nothing is said.
    assert_eq!(nvme.read, Limits::whole(400_000, 2000));
    assert_eq!(nvme.write, Limits::UNKNOWN);
}

#[test]
fn e8bds_v5_differs_by_controller() {
    let catalog = Catalog::embedded();
    let scsi = vm("Standard_E8bds_v5");
    assert_eq!(scsi.interface, Some(Interface::Scsi));
    assert_eq!(scsi.uncached.base, pair(24_200, 680_000_000.0));
    let shared = scsi.remote.expect("a v2 pair");
    assert_eq!(shared.base, Limits::whole(32_400, 680));
    assert_eq!(shared.burst, Some(Limits::whole(60_000, 1200)));
    let nvme = catalog
        .vm("Standard_E8bds_v5", Some(Interface::Nvme))
        .expect("a row for NVMe");
    assert_eq!(nvme.uncached.base, Limits::whole(33_000, 930));
    assert_eq!(nvme.uncached.burst, Some(Limits::whole(40_000, 1200)));
    assert_eq!(
        nvme.remote.map(|r| r.base),
        Some(Limits::whole(44_200, 1200))
    );
    // What does not depend on the controller is the same.
    assert_eq!(nvme.cached, scsi.cached);
    assert_eq!(nvme.temp, scsi.temp);
    assert_eq!(nvme.memory, Some(GiB::whole(64)));
}

#[test]
fn e112ibds_v5_has_only_nvme() {
    let catalog = Catalog::embedded();
    let e112 = vm("Standard_E112ibds_v5");
    assert_eq!(e112.interface, Some(Interface::Nvme));
    assert_eq!(e112.uncached.base, Limits::whole(260_000, 8000));
    assert_eq!(
        e112.remote.map(|r| r.base),
        Some(Limits::whole(400_000, 10_000))
    );
    assert!(
        e112.note
            .as_deref()
            .is_some_and(|note| note.contains("API says 4000"))
    );
    assert!(catalog.vm("E112ibds_v5", Some(Interface::Scsi)).is_err());
}

#[test]
fn d8s_v6_has_a_separate_pair_for_v2() {
    let d8 = vm("Standard_D8s_v6");
    assert_eq!(d8.uncached.base, pair(12_800, 424_000_000.0));
    assert_eq!(d8.uncached.burst, Some(Limits::whole(40_000, 1250)));
    let remote = d8.remote.expect("a v2 pair");
    assert_eq!(remote.base, Limits::whole(16_667, 496));
    assert_eq!(remote.burst, Some(Limits::whole(52_083, 1463)));
    assert_eq!(d8.temp, None);
    assert_eq!(d8.controllers, [Interface::Nvme]);
}

#[test]
fn d8ds_v6_has_local_nvme() {
    let nvme = vm("Standard_D8ds_v6").nvme.clone().expect("local NVMe");
    assert_eq!(nvme.disks, Some(1));
    assert_eq!(nvme.total, Some(GiB::whole(440)));
    assert_eq!(nvme.read, Limits::whole(150_000, 720));
    assert_eq!(nvme.write, Limits::whole(60_000, 360));
    assert_eq!(
        vm("Standard_D16ds_v6").nvme.as_ref().and_then(|n| n.disks),
        Some(2)
    );
}

#[test]
fn b2ms_ds3_v2_and_m32_8ms() {
    let b2 = vm("Standard_B2ms");
    assert_eq!(b2.uncached.base, pair(1920, 22_500_000.0));
    assert_eq!(b2.uncached.burst, Some(Limits::whole(4000, 100)));
    // 22.528 MB/s is what the page prints as 22.5: the same figure, not another one.
    assert_eq!(b2.cached.base, pair(2400, 22_528_000.0));
    assert_eq!(b2.cached.listed_mbps, None);
    assert_eq!(b2.premium_caching, Some(false));
    let ds3 = vm("Standard_DS3_v2");
    assert_eq!(ds3.uncached.base, pair(12_800, 192_000_000.0));
    assert_eq!(ds3.uncached.burst, None);
    assert_eq!(ds3.cache_size, Some(GiB::whole(172)));
    assert_eq!(ds3.retirement.as_deref(), Some("2028-05-01"));
    let m32 = vm("Standard_M32-8ms");
    assert_eq!(m32.vcpus, 8);
    assert_eq!(m32.parent.as_deref(), Some("Standard_M32ms"));
    assert_eq!(m32.uncached.base, pair(20_000, 500_000_000.0));
    assert_eq!(m32.memory, Some(GiB::whole(875)));
}

#[test]
fn the_api_wins_and_the_row_says_so() {
    let m128 = vm("Standard_M128ms");
    assert_eq!(m128.cached.base, pair(250_000, 4_000_000_000.0));
    assert_eq!(m128.cached.listed_mbps, None);
    let note = m128.note.as_deref().expect("a note");
    assert!(
        note.contains("the page 1600") && note.contains("the page 160000"),
        "{note}"
    );
    let a1 = vm("Standard_A1_v2");
    assert_eq!(a1.uncached.base, pair(1600, 24_000_000.0));
    assert_eq!(
        a1.cached_write_mbps,
        MBps::from_bytes_per_s(10_485_760.0).ok()
    );
}

#[test]
fn impossible_prints_are_unknown_and_the_row_says_so() {
    let m16 = vm("Standard_M16ls_v4");
    assert_eq!(m16.uncached.base.iops, Some(Iops::whole(20_000)));
    assert_eq!(m16.uncached.base.mbps, None);
    assert_eq!(m16.remote, None);
    assert!(m16.note.as_deref().is_some_and(|note| note.contains("400")));
    let e192 = vm("Standard_E192ids_v6");
    assert_eq!(e192.uncached.burst, None);
    assert!(
        e192.note
            .as_deref()
            .is_some_and(|note| note.contains("1440000"))
    );
}

#[test]
fn sizes_that_only_the_documentation_lists() {
    let e64 = vm("Standard_E64is_v3");
    assert_eq!(e64.cached.base, Limits::whole(128_000, 1024));
    assert_eq!(e64.cached.listed_mbps, None);
    assert_eq!(e64.cache_size, Some(GiB::whole(1600)));
    assert_eq!(e64.origin.date, "2026-09-24");
    let temp = vm("Standard_E64i_v3").temp.clone().expect("a temp disk");
    assert_eq!(temp.read, Limits::whole(96_000, 1000));
    assert_eq!(temp.write.mbps, Some(MBps::whole(500)));
    let l32 = vm("Standard_L32as_v5").nvme.clone().expect("local NVMe");
    assert_eq!((l32.disks, l32.total), (Some(2), Some(GiB::whole(7680))));
    assert_eq!(l32.read, Limits::whole(2_400_000, 12_000));
    let basic = vm("Basic_A0");
    assert_eq!(basic.uncached.base, Limits::UNKNOWN);
    assert_eq!(basic.memory, None);
}

#[test]
fn half_known_pairs_stay_half_known() {
    let e48 = vm("Standard_E48nds_v6").remote.expect("a v2 pair");
    assert_eq!(e48.base.iops, None);
    assert_eq!(e48.burst_on(Axis::Iops), None);
    assert_eq!(e48.base.mbps, Some(MBps::whole(2976)));
    let d96 = vm("Standard_D96ds_v7").remote.expect("a v2 pair");
    assert_eq!(d96.burst_on(Axis::Iops), Some(240_000.0));
    assert_eq!(d96.burst_on(Axis::Mbps), Some(6675.0));
}

#[test]
fn regions_and_latencies() {
    let catalog = Catalog::embedded();
    let offers = |region, family, redundancy| catalog.region_offers(region, family, redundancy);
    use diskcap::catalog::Redundancy::{Lrs, Zrs};
    assert_eq!(
        offers("East US", Family::PremiumSsd, Lrs),
        Some(&[1, 2, 3][..])
    );
    assert_eq!(offers("eastus", Family::PremiumSsd, Zrs), Some(&[][..]));
    assert_eq!(
        offers("AustraliaEast", Family::PremiumSsdV2, Lrs),
        Some(&[1, 2, 3][..])
    );
    assert_eq!(offers("eastus", Family::PremiumSsdV2, Lrs), None);
    assert_eq!(catalog.regions().names().count(), 45);
    assert!(!catalog.regions().knows("atlantis"));
    let read_us = |family| {
        catalog
            .latency(family)
            .and_then(|latency| latency.figure)
            .map(|figure| figure.read.micros())
    };
    assert_eq!(read_us(Family::PremiumSsd), Some(1000.0));
    assert_eq!(read_us(Family::PremiumSsdV2), Some(650.0));
    assert_eq!(read_us(Family::Temp), Some(250.0));
    assert_eq!(read_us(Family::Ultra), None);
    let ultra = catalog.latency(Family::Ultra).expect("a promise");
    assert_eq!(ultra.promise.as_deref(), Some("submillisecond"));
    assert_eq!(catalog.latency(Family::Custom), None);
    // The bounds that the words name; of local NVMe disks the temp disk's 0.25 ms are assumed.
    let bound = |family| {
        let bound = catalog.latency_bound(family)?;
        Some((bound.read.millis(), bound.write.millis()))
    };
    assert_eq!(bound(Family::StandardHdd), Some((20.0, 10.0)));
    assert_eq!(bound(Family::StandardSsd), Some((10.0, 10.0)));
    assert_eq!(bound(Family::Ultra), Some((1.0, 1.0)));
    assert_eq!(bound(Family::LocalNvme), Some((0.25, 0.25)));
    assert_eq!(bound(Family::Custom), None);
}

/// Days of the provider's list of retirements of 2026-09-24, for sizes of which the API gives none; a constrained size goes
/// with its parent, a newer series stays.
#[test]
fn sizes_have_the_documented_day_of_retirement() {
    for (size, day) in [
        ("Standard_D2s_v3", "2029-11-15"),
        ("Standard_E64i_v3", "2029-11-15"),
        ("Standard_E8-2s_v3", "2029-11-15"),
        ("Standard_DC4ds_v3", "2029-10-31"),
        ("Standard_EC20as_cc_v5", "2026-09-01"),
        ("Standard_NC24rs_v3", "2025-09-30"),
        ("Standard_NV48s_v3", "2026-09-30"),
        ("Standard_NV32as_v4", "2026-09-30"),
        ("Standard_M192idms_v2", "2027-03-31"),
        ("Standard_NP20s", "2027-05-31"),
        ("Standard_HB120-16rs_v2", "2027-05-31"),
        ("Standard_A8_v2", "2028-11-15"),
        ("Basic_A1", "2024-08-31"),
    ] {
        assert_eq!(vm(size).retirement.as_deref(), Some(day), "{size}");
    }
    for size in ["Standard_D2s_v4", "Standard_E8s_v5", "Standard_M128s_v2"] {
        assert_eq!(vm(size).retirement, None, "{size}");
    }
}
