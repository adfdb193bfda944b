//! Findings that are right only when their numbers are.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

mod common;

use std::path::{Path, PathBuf};

use common::{close, codes, plan, result};
use diskcap::planner::{Assessment, Finding};

fn finding<'a>(a: &'a Assessment, code: &str, subject: &str) -> &'a Finding {
    let found = a
        .findings
        .iter()
        .find(|f| f.id.code() == code && f.subject == subject);
    found.unwrap_or_else(|| panic!("no {code} about {subject}: {:?}", codes(a)))
}

fn figure(finding: &Finding, name: &str, unit: &str) -> f64 {
    let found = finding
        .figures
        .iter()
        .find(|f| f.name == name && f.unit == unit);
    found.unwrap().value
}

/// Misses and writes of a cached disk pass the cached ceiling too: 200 - 131.072 = 68.928 MB/s of a P30 are lost.
#[test]
fn unusable_counts_the_cached_ceiling() {
    let a = plan("Standard_D8s_v3", &["P30:cache=ro"], "block=1MiB");
    close(
        a.volumes[0].unusable_sustained.mbps.unwrap().get(),
        68.928,
        1e-9,
    );
    let small = plan("Standard_D2s_v3", &["P30:cache=ro"], "block=1MiB");
    close(
        small.volumes[0].unusable_sustained.mbps.unwrap().get(),
        167.232,
        1e-9,
    );
}

/// Ten P30 are paid for 50,000 IOPS and 2,000 MB/s; a D8s_v3 sustains 12,800 and 192: none by itself loses an IOPS.
#[test]
fn unusable_is_added_up_over_volumes() {
    let names: Vec<String> = (0..10).map(|n| format!("d{n}=P30")).collect();
    let disks: Vec<&str> = names.iter().map(String::as_str).collect();
    let a = plan("Standard_D8s_v3", &disks, "block=4KiB");
    let found = finding(&a, "UNUSABLE", "Standard_D8s_v3");
    close(figure(found, "unusable_sustained", "IOPS"), 37_200.0, 1e-6);
    close(figure(found, "unusable_sustained", "MB/s"), 1808.0, 1e-6);
}

/// A ceiling that is asked for more than it has, and is not full, holds nobody back.
#[test]
fn only_a_full_ceiling_is_blamed() {
    let a = plan("Standard_D8s_v3", &["P30:cache=ro"], "block=1MiB");
    assert!(codes(&a).contains(&"VM-CACHED-MBPS"));
    assert!(!codes(&a).contains(&"VM-UNCACHED-MBPS"));
}

/// A temp disk has no limit of its own: it asks for what it gets, not for its queue depth over its latency.
#[test]
fn a_temp_disk_does_not_ask_for_millions() {
    let a = plan("Standard_D8_v3", &["S30", "temp"], "");
    assert!(
        !codes(&a).iter().any(|c| c.starts_with("VM-CACHED")),
        "{:?}",
        codes(&a)
    );
}

/// Queue depth 5 at 1 ms reaches the 5,000 IOPS of a P30: the disk is the limit, and five are enough.
#[test]
fn a_queue_depth_that_just_suffices_is_no_finding() {
    let a = plan("", &["P30"], "block=4KiB depth=5");
    assert_eq!(
        result(&a, "", "P30").alone.sustained.bottleneck.to_string(),
        "disk IOPS"
    );
    assert!(!codes(&a).contains(&"QUEUE-DEPTH"));
}

#[test]
fn os_disks_and_stripes_that_cannot_be() {
    let a = plan("Standard_D8s_v3", &["a=P10:os", "b=P10:os"], "");
    finding(&a, "OS-DISKS", "b");
    let a = plan("Standard_D8s_v3", &["os=2xP30:os"], "");
    finding(&a, "OS-DISKS", "os");
}

#[test]
fn settings_that_cost_or_mislead_are_remarked_on() {
    let a = plan("Standard_D16s_v5", &["P30:burst=on"], "");
    finding(&a, "ON-DEMAND-BURST", "P30");
    let a = plan("Standard_D16s_v5", &["P30:shares=2"], "");
    finding(&a, "SHARED-DISK", "P30");
    let a = plan("Standard_D16s_v5", &["P30:size=512"], "");
    finding(&a, "TIER-BY-SIZE", "P30");
}

/// A rule of a cloud, and what it calls its things, is the catalogue's: the planner asks for it.
#[test]
fn the_planner_names_no_cloud() {
    const NAMES: [&str; 14] = [
        "azure",
        "microsoft",
        "amazon",
        "aws",
        "google",
        "premium ssd",
        "standard ssd",
        "standard hdd",
        "ultra disk",
        "v2/ultra",
        "az vm",
        "family::premium",
        "family::standard",
        "family::ultra",
    ];
    let mut files = Vec::new();
    sources(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/planner"),
        &mut files,
    );
    assert!(files.len() > 20, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap().to_lowercase();
        // Examples in tests may be of any cloud.
        let rules = text.split("#[cfg(test)]").next().unwrap();
        for name in NAMES {
            let mut found = rules.match_indices(name);
            let is_word = |at: usize| !rules[..at].ends_with(char::is_alphabetic);
            assert!(
                !found.any(|(at, _)| is_word(at)),
                "{}: {name}",
                file.display()
            );
        }
    }
}

fn sources(folder: PathBuf, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(path, files);
        } else {
            files.push(path);
        }
    }
}
