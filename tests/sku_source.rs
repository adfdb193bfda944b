//! Compares every cell of `sku-data/` with the lists that it was made from, where those are at hand.
//! `tests/sku_data.rs` verifies the data without them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

type Row = BTreeMap<String, String>;

fn source_folder() -> Option<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/sku-source"));
    folder.is_dir().then(|| folder.to_owned())
}

fn rows(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).expect("a CSV file");
    reader
        .deserialize()
        .map(|row| row.expect("a row"))
        .collect()
}

fn our_rows(file: &str) -> Vec<Row> {
    rows(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("sku-data")
            .join(file),
    )
}

fn cell<'a>(row: &'a Row, column: &str) -> &'a str {
    row.get(column)
        .unwrap_or_else(|| panic!("no column {column}"))
}

fn number(row: &Row, column: &str) -> Option<f64> {
    cell(row, column).parse().ok()
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// Our rows of VM sizes by name and controller.
type Index = BTreeMap<(String, String), Row>;

fn index() -> Index {
    our_rows("azure-vm-sizes.csv")
        .into_iter()
        .map(|row| {
            (
                (
                    cell(&row, "size").to_owned(),
                    cell(&row, "interface").to_owned(),
                ),
                row,
            )
        })
        .collect()
}

/// The columns of ours and theirs that must hold the same, unless ours is empty and the note says why.
fn compare(ours: &Row, theirs: &Row, columns: &[(&str, &str)], problems: &mut Vec<String>) {
    let explained = cell(ours, "note").contains("dropped");
    for (mine, their) in columns {
        let (mine_cell, their_cell) = (cell(ours, mine), cell(theirs, their));
        if mine_cell != their_cell && !(mine_cell.is_empty() && explained) {
            problems.push(format!(
                "{} {}: {mine} is '{mine_cell}', the source has {their} '{their_cell}'",
                cell(ours, "size"),
                cell(ours, "interface")
            ));
        }
    }
}

const REMOTE: [&str; 7] = [
    "uncached_iops",
    "uncached_burst_iops",
    "uncached_burst_mbps",
    "v2_iops",
    "v2_mbps",
    "v2_burst_iops",
    "v2_burst_mbps",
];

/// What the documentation gives where the API says nothing: `SOURCES.md` names the sizes.
const COMPLETED: [&str; 3] = ["retirement", "nvme_read_iops", "nvme_read_bytes_per_s"];

const SAME_IN_THE_API: [(&str, &str); 20] = [
    ("vcpus", "vcpus_active"),
    ("memory_gib", "memory_gib"),
    ("max_data_disks", "max_data_disks"),
    ("arch", "arch"),
    ("premium_storage", "premium_storage"),
    ("premium_caching", "premium_caching"),
    ("ultra", "ultra_supported"),
    ("cached_iops", "cached_iops"),
    ("cached_read_bytes_per_s", "cached_read_bytes_per_s"),
    ("cached_burst_iops", "cached_burst_iops"),
    ("cached_burst_mbps", "cached_burst_mbps"),
    ("cache_bytes", "cache_bytes"),
    ("temp_mib", "temp_mib"),
    ("nvme_total_mib", "nvme_total_mib"),
    ("nvme_write_iops", "nvme_write_iops"),
    ("nvme_write_bytes_per_s", "nvme_write_bytes_per_s"),
    ("uncached_bytes_per_s", "uncached_bytes_per_s"),
    ("doc_page", "doc_page"),
    ("doc_date", "doc_date"),
    ("uncached_iops", "uncached_iops"),
];

/// The printed figure stands beside exact bytes only where it prints the same cap as another number.
fn check_print(ours: &Row, theirs: &Row, what: &str, bytes: &str, problems: &mut Vec<String>) {
    let printed = cell(theirs, &format!("doc_{what}_mbps"));
    let kept = cell(ours, &format!("{what}_mbps"));
    let expected = match (number(theirs, bytes), printed.parse::<f64>()) {
        (Some(exact), Ok(page)) if !cell(ours, bytes).is_empty() => {
            let exact = exact / 1e6;
            let decimals = printed.split_once('.').map_or(0, |(_, tail)| tail.len());
            let same = format!("{exact:.decimals$}") == printed;
            let near = (0.94..=1.06).contains(&(exact / page));
            if !same && !near && !cell(ours, "note").contains(&format!("the page {printed}")) {
                problems.push(format!(
                    "{}: the note does not say that the page prints {printed} {what} MB/s",
                    cell(ours, "size")
                ));
            }
            if near && !same { printed } else { "" }
        }
        _ => return,
    };
    if kept != expected {
        problems.push(format!(
            "{}: {what}_mbps is '{kept}', not '{expected}'",
            cell(ours, "size")
        ));
    }
}

fn check_api_row(ours: &Row, theirs: &Row, problems: &mut Vec<String>) {
    compare(ours, theirs, &SAME_IN_THE_API, problems);
    for column in COMPLETED {
        if !cell(theirs, column).is_empty() {
            compare(ours, theirs, &[(column, column)], problems);
        }
    }
    compare(
        ours,
        theirs,
        &REMOTE.map(|column| (column, column)),
        problems,
    );
    check_print(ours, theirs, "uncached", "uncached_bytes_per_s", problems);
    check_print(ours, theirs, "cached", "cached_read_bytes_per_s", problems);
    let size = cell(ours, "size");
    let write = cell(theirs, "cached_write_bytes_per_s");
    let read = cell(theirs, "cached_read_bytes_per_s");
    let expected = if write == read { "" } else { write };
    if cell(ours, "cached_write_bytes_per_s") != expected {
        problems.push(format!(
            "{size}: cached_write_bytes_per_s is not '{expected}'"
        ));
    }
    let mut theirs_on: Vec<String> = cell(theirs, "controllers")
        .split_whitespace()
        .map(str::to_lowercase)
        .collect();
    theirs_on.sort_by(|one, other| other.cmp(one));
    if cell(ours, "controllers") != theirs_on.join(" ") {
        problems.push(format!("{size}: controllers"));
    }
    let parent = cell(theirs, "parent_size");
    if !parent.is_empty() && parent != size && cell(ours, "parent") != parent {
        problems.push(format!("{size}: parent is not {parent}"));
    }
    for note in cell(theirs, "note").split("; ") {
        if !cell(ours, "note").contains(note) {
            problems.push(format!("{size}: the note lost '{note}'"));
        }
    }
    if let (Some(each), Some(all)) = (
        number(theirs, "nvme_disk_mib"),
        number(theirs, "nvme_total_mib"),
    ) && number(ours, "nvme_disks") != Some((all / each).round())
    {
        problems.push(format!("{size}: nvme_disks"));
    }
}

#[test]
fn vm_sizes_of_the_api() {
    let Some(folder) = source_folder() else {
        return;
    };
    let ours = index();
    let mut problems = Vec::new();
    for theirs in rows(&folder.join("azure-vm-sizes.csv")) {
        let key = |interface: &str| (cell(&theirs, "size").to_owned(), interface.to_owned());
        match ours.get(&key("")).or_else(|| ours.get(&key("scsi"))) {
            Some(row) => check_api_row(row, &theirs, &mut problems),
            // A size without SCSI has its NVMe row only, from the documentation.
            None if cell(&theirs, "controllers") == "NVMe" && ours.contains_key(&key("nvme")) => {}
            None => problems.push(format!("{} is missing", cell(&theirs, "size"))),
        }
    }
    assert_none(&problems);
}

fn check_doc_row(ours: &Row, theirs: &Row, problems: &mut Vec<String>) {
    compare(
        ours,
        theirs,
        &REMOTE.map(|column| (column, column)),
        problems,
    );
    let same = [
        "memory_gib",
        "max_data_disks",
        "premium_storage",
        "premium_caching",
        "uncached_mbps",
        "cached_iops",
        "cached_mbps",
        "doc_page",
        "doc_date",
    ];
    compare(ours, theirs, &same.map(|column| (column, column)), problems);
    let size = cell(ours, "size");
    let vcpus = cell(theirs, "vcpus");
    if cell(ours, "vcpus") != vcpus && !vcpus.is_empty() {
        problems.push(format!("{size}: vcpus is not {vcpus}"));
    }
    let disks = number(theirs, "temp_disks").unwrap_or(1.0);
    let mib = number(theirs, "temp_gib").map(|gib| gib * disks * 1024.0);
    let local = [number(ours, "temp_mib"), number(ours, "nvme_total_mib")];
    let explained = cell(ours, "note").contains("dropped");
    if mib.is_some() && !local.contains(&mib) && !explained {
        problems.push(format!(
            "{size}: {mib:?} MiB of local disks, ours {local:?}"
        ));
    }
    for (temp, nvme, scale) in [
        ("temp_read_iops", "nvme_read_iops", 1.0),
        ("temp_write_iops", "nvme_write_iops", 1.0),
        ("temp_read_mbps", "nvme_read_bytes_per_s", 1e6),
        ("temp_write_mbps", "nvme_write_bytes_per_s", 1e6),
    ] {
        let figure = number(theirs, temp);
        let as_temp = ours.get(temp).and_then(|cell| cell.parse::<f64>().ok());
        let as_nvme = number(ours, nvme).map(|figure| figure / scale);
        if figure.is_some() && figure != as_temp && figure != as_nvme {
            problems.push(format!("{size}: {temp} {figure:?} is missing"));
        }
    }
}

#[test]
fn vm_sizes_of_the_documentation() {
    let Some(folder) = source_folder() else {
        return;
    };
    let ours = index();
    let mut problems = Vec::new();
    for theirs in rows(&folder.join("azure-vm-sizes-doc-only.csv")) {
        let key = |interface: &str| (cell(&theirs, "size").to_owned(), interface.to_owned());
        let interface = cell(&theirs, "interface");
        let general = ours.get(&key(""));
        match (interface, ours.get(&key(interface)), general) {
            ("", Some(row), _) => check_doc_row(row, &theirs, &mut problems),
            ("nvme", Some(row), _) => {
                let columns = REMOTE.map(|column| (column, column));
                compare(row, &theirs, &columns, &mut problems);
                compare(
                    row,
                    &theirs,
                    &[("uncached_mbps", "uncached_mbps")],
                    &mut problems,
                );
            }
            // The page repeats the figures of the API for NVMe.
            ("nvme", None, Some(row)) => {
                compare(
                    row,
                    &theirs,
                    &REMOTE.map(|column| (column, column)),
                    &mut problems,
                );
            }
            // The API has the figures of SCSI.
            ("scsi", ..) if general.is_some() || ours.contains_key(&key("scsi")) => {}
            _ => problems.push(format!("{} {interface} is missing", cell(&theirs, "size"))),
        }
    }
    assert_none(&problems);
}

#[test]
fn nothing_is_invented() {
    let Some(folder) = source_folder() else {
        return;
    };
    let mut known: Vec<String> = Vec::new();
    for file in ["azure-vm-sizes.csv", "azure-vm-sizes-doc-only.csv"] {
        known.extend(
            rows(&folder.join(file))
                .iter()
                .map(|row| cell(row, "size").to_owned()),
        );
    }
    let problems: Vec<String> = index()
        .keys()
        .filter(|(size, _)| !known.contains(size))
        .map(|(size, _)| format!("{size} is in no source"))
        .collect();
    assert_none(&problems);
}

#[test]
fn tiers_and_regions() {
    let Some(folder) = source_folder() else {
        return;
    };
    let family = |row: &mut Row| {
        let id = match cell(row, "family") {
            "Premium" => "premium-ssd",
            "StandardSSD" => "standard-ssd",
            "Standard" => "standard-hdd",
            other => panic!("family {other}"),
        };
        row.insert("family".to_owned(), id.to_owned());
    };
    let mut theirs = rows(&folder.join("azure-disk-tiers.csv"));
    theirs.iter_mut().for_each(family);
    let mut ours = our_rows("azure-disk-tiers.csv");
    let key = |row: &Row| cell(row, "tier").to_owned();
    theirs.sort_by_key(key);
    ours.sort_by_key(key);
    assert_eq!(ours, theirs);
    let mut theirs = rows(&folder.join("azure-disk-regions.csv"));
    let mut ours = our_rows("azure-disk-regions.csv");
    theirs.sort();
    ours.sort();
    assert_eq!(ours, theirs);
}

#[test]
fn latencies() {
    let Some(folder) = source_folder() else {
        return;
    };
    let read = |path: PathBuf| -> toml::Table {
        let text = std::fs::read_to_string(path).expect("a TOML file");
        text.parse().expect("TOML")
    };
    let theirs = read(folder.join("azure-latency.toml"));
    let ours = read(Path::new(env!("CARGO_MANIFEST_DIR")).join("sku-data/azure-latency.toml"));
    let names = [
        ("premium", "premium-ssd"),
        ("premium_v2", "premium-ssd-v2"),
        ("temp", "temp"),
        ("standard_ssd", "standard-ssd"),
        ("standard_hdd", "standard-hdd"),
        ("ultra", "ultra"),
    ];
    assert_eq!(theirs.len(), names.len());
    assert_eq!(ours.len(), names.len());
    for (their, our) in names {
        for figure in ["read_us", "write_us"] {
            assert_eq!(ours[our].get(figure), theirs[their].get(figure), "{our}");
        }
    }
}
