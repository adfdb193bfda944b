//! Recorded answers, where they lie beside the project: each gives a report or a reason.

use std::path::{Path, PathBuf};

use diskcap::azure::arm::files::read_paths;
use diskcap::azure::validate::{Options, Validator, with_listed_sizes};
use diskcap::catalog::{Catalog, Dataset};
use diskcap::report::{Format, RenderOptions, render};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path
            .extension()
            .is_some_and(|ending| ending == "json" || ending == "txt")
        {
            found.push(path);
        }
    }
}

/// The recorded answers; none where the folder does not lie beside the project.
fn recorded() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/arm");
    let mut found = Vec::new();
    if folder.is_dir() {
        files(&folder, &mut found);
    }
    found.sort();
    found
}

#[test]
fn each_recorded_answer_gives_a_report_or_a_reason() {
    let options = Options::default();
    for path in recorded() {
        let name = path.display().to_string();
        let facts = read_paths(&[&path]).unwrap();
        let data = Dataset {
            source: name.clone(),
            date: "unknown".to_owned(),
        };
        let catalog = with_listed_sizes(Catalog::embedded(), &facts, data);
        let validation = Validator::new(&catalog, &facts, &options).all();
        if facts.vms.is_empty() && facts.disks.is_empty() {
            let has_reason = !facts.problems.is_empty() || !facts.skus.is_empty();
            let is_empty_list = name.contains("empty");
            assert!(has_reason || is_empty_list, "{name}");
            continue;
        }
        assert_eq!(validation.vms.len(), facts.vms.len(), "{name}");
        for (vm, of) in validation.vms.iter().zip(&facts.vms) {
            let disks = of.disks().count();
            assert_eq!(vm.disks.len(), disks, "{name}");
            assert_eq!(vm.assessment.is_some(), disks > 0, "{name}");
            if disks == 0 {
                assert!(!vm.unknowns.is_empty(), "{name}");
            }
        }
        for format in [Format::Table, Format::Json, Format::Csv, Format::Markdown] {
            render(&validation, format, &RenderOptions::default()).unwrap();
        }
    }
}

#[test]
fn recorded_disks_say_what_their_recorder_noted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/arm/vm_disk");
    if !folder.is_dir() {
        return;
    }
    let label = |file: &str| {
        let facts = read_paths(&[folder.join(file)]).unwrap();
        let options = Options::default();
        let validation = Validator::new(Catalog::embedded(), &facts, &options).all();
        validation.disks[0].disk.label.clone()
    };
    let plus = "azcli-performance-plus/disk-performancePlus.json";
    assert_eq!(label(plus), "P30 perfplus");
    let raised = "azps-tier-override/disk-datadisktier-P40-override.json";
    assert_eq!(label(raised), "P30 as P40");
    assert_eq!(
        label("azps-tier-override/disk-datadisktier-P30.json"),
        "P30"
    );
}
