//! Whether runs are of one disk or of several, by what they say.

use super::{Column, Subject};
use crate::measure::model::Format;

/// What volumes are called by their use.
const USES: [&str; 19] = [
    "data", "log", "logs", "os", "system", "boot", "root", "home", "temp", "tmp", "tempdb",
    "backup", "swap", "journal", "wal", "redo", "archive", "scratch", "pagefile",
];

/// Words before the number or the letter of a disk.
const NUMBERED: [&str; 5] = ["disk", "drive", "volume", "lun", "physicaldrive"];

/// How the names of devices begin, before their letters or numbers.
const DEVICES: [&str; 4] = ["nvme", "xvd", "vd", "sd"];

/// Columns of a matrix or a CSV are configurations of one disk (or what is taken where they do not say it) unless they name
/// several; other runs are of one disk only where all name the same target, and no two name different hosts.
pub(super) fn of(columns: &[Column<'_>], unsaid: Option<Subject>) -> Subject {
    let table = columns
        .iter()
        .all(|column| matches!(column.run.format, Format::Matrix | Format::Csv));
    let targets: Vec<Option<&str>> = columns.iter().map(|column| column.run.measured()).collect();
    let told = targets.iter().all(Option::is_some);
    let hosts = columns.iter().map(|column| column.run.host.clone());
    let heads = columns.iter().map(|column| disk(&column.label));
    if differ(targets) || differ(hosts) {
        Subject::DifferentDisks
    } else if told {
        Subject::SameDisk
    } else if !table || differ(heads) {
        Subject::DifferentDisks
    } else {
        unsaid.unwrap_or(Subject::SameDisk)
    }
}

/// Whether two of the names that are known differ.
fn differ<T: PartialEq>(names: impl IntoIterator<Item = Option<T>>) -> bool {
    let mut known = names.into_iter().flatten();
    let first = known.next();
    known.any(|other| Some(other) != first)
}

/// A name that is a disk's by its words, not a configuration's (`data`, `Disk A`, `sdc`); case does not matter.
fn disk(name: &str) -> Option<String> {
    let name = name.trim().to_lowercase();
    let is_short = |rest: &str| (1..=2).contains(&rest.trim().chars().count());
    let after = |words: &[&str]| {
        let mut rests = words.iter().filter_map(|word| name.strip_prefix(word));
        rests.next().map(str::to_owned)
    };
    let numbered = || after(&NUMBERED).is_some_and(|rest| is_short(&rest));
    let is_device = |rest: &str| !rest.is_empty() && rest.chars().all(char::is_alphanumeric);
    let device = || after(&DEVICES).is_some_and(|rest| is_device(&rest));
    (USES.contains(&name.as_str()) || numbered() || device()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::disk;

    #[test]
    fn names_of_disks_are_no_configurations() {
        for name in [
            "data",
            "Log",
            "Disk A",
            "lun 12",
            "PhysicalDrive0",
            "sdc",
            "nvme0n1",
        ] {
            assert!(disk(name).is_some(), "{name}");
        }
        for name in [
            "raw",
            "writeback",
            "data cached",
            "disk cache",
            "v1",
            "sd",
            "virtio",
            "",
        ] {
            assert_eq!(disk(name), None, "{name}");
        }
    }
}
