//! Published reports, where they are at hand.

use diskcap::catalog::Catalog;
use diskcap::measure::identify::{Place, identify};
use diskcap::measure::read::{read_bytes, read_path};
use std::path::Path;

/// CrystalDiskMark 5 text of the drives of a field report, where its figures are at hand.
fn report_drive(drive: &toml::Table, letter: &str) -> String {
    let number = |value: &toml::Value| value.as_float().unwrap();
    let mbps = |key: &str| number(&drive[key]);
    let random = |key: &str| (number(&drive[key]["mbps"]), number(&drive[key]["iops"]));
    let mut lines = vec!["CrystalDiskMark 5.1.2 x64 (C) 2007-2016 hiyohiyo".to_owned()];
    for (name, key) in [
        ("Sequential Read (Q= 32,T= 1)", "seq_q32t1_read"),
        ("Sequential Write (Q= 32,T= 1)", "seq_q32t1_write"),
        ("Sequential Read (T= 1)", "seq_t1_read"),
        ("Sequential Write (T= 1)", "seq_t1_write"),
    ] {
        lines.push(format!("{name} : {} MB/s", mbps(key)));
    }
    for (name, key) in [
        ("Random Read 4KiB (Q= 32,T= 1)", "rnd4k_q32t1_read"),
        ("Random Write 4KiB (Q= 32,T= 1)", "rnd4k_q32t1_write"),
        ("Random Read 4KiB (Q= 1,T= 1)", "rnd4k_q1t1_read"),
        ("Random Write 4KiB (Q= 1,T= 1)", "rnd4k_q1t1_write"),
    ] {
        let (mbps, iops) = random(key);
        lines.push(format!("{name} : {mbps} MB/s [{iops} IOPS]"));
    }
    let size = drive["size"].as_str().unwrap();
    let (size, used) = size.split_once(", ").unwrap();
    let used = used.trim_end_matches(" % used");
    lines.push(format!(
        "  Test : 500 MiB [{letter}: {used}% (1.0/{size})] (x5)  [Interval=5 sec]"
    ));
    lines.join("\n") + "\n"
}

#[test]
fn the_three_drives_of_the_report_are_told_apart() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/cases/measured-reports.toml"
    );
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    let cases: toml::Table = text.parse().unwrap();
    let report = &cases["report"][0];
    for (letter, words) in [
        ("C", "persistent, throttled"),
        ("D", "local temporary"),
        ("E", "local"),
    ] {
        let drive = report["drive"][letter].as_table().unwrap();
        let runs = read_bytes(report_drive(drive, letter).as_bytes(), letter).unwrap();
        let found = identify(Catalog::embedded(), &runs[0], None, 0.075);
        assert_eq!(found.place.words(), words, "{letter}");
        let expected = report["expect"]["implied_qd1_read_latency_ms"][letter]
            .as_float()
            .unwrap();
        let latency = found.queue_depth_1_latency_us.unwrap().millis();
        assert!((latency - expected).abs() < 0.005, "{letter}: {latency}");
    }
}

#[test]
fn a_real_cached_disk_and_one_of_another_cloud() {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/samples/cdm"
    ));
    let Ok(azure) = read_path(&folder.join("cdm521-azure-1.txt")) else {
        return;
    };
    let catalog = Catalog::embedded();
    let vm = catalog.vm("Standard_DS3_v2", None).unwrap();
    let found = identify(catalog, &azure[0], Some(vm), 0.075);
    assert_eq!(found.place, Place::HostCache);
    assert!(
        found
            .conclusion
            .contains("cached limit of Standard_DS3_v2 (16,000 IOPS, 131.1 MB/s, listed as 128)")
    );
    assert!(found.conclusion.ends_with("not the disk's"));
    let other = read_path(&folder.join("cdm521-aws-1.txt")).unwrap();
    let found = identify(catalog, &other[0], None, 0.075);
    assert!(
        found.matches.iter().all(|fit| !fit.on_both_axes()),
        "{found:?}"
    );
    // 94.4 MB/s are within 7.5 % of 100, and 3,084 IOPS above the 500 of these disks.
    let mbps = "by itself 94.4 MB/s would be an E1 to E50, which other figures rule out";
    assert!(found.conclusion.contains(mbps), "{}", found.conclusion);
}
