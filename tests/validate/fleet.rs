//! Many VMs: order, shapes, sums.

use std::sync::Arc;

use diskcap::azure::arm::read::read_stream;
use diskcap::azure::facts::FleetFacts;
use diskcap::azure::validate::{FleetValidation, Options, Validator};
use diskcap::catalog::Catalog;
use diskcap::planner::{FindingId, Severity};
use diskcap::report::{Format, RenderOptions, Report, Selection, render};
use serde_json::{Value, json};

use crate::fixtures::{attached, disk, facts, judge, limits, priced, vm};

/// VMs with one P30 each, every third with ReadWrite caching.
fn many(count: usize) -> Vec<Value> {
    let one = |index: usize| {
        let caching = if index.is_multiple_of(3) {
            "ReadWrite"
        } else {
            "None"
        };
        let data = format!("vm{index}-data");
        [
            vm(
                &format!("vm{index}"),
                "Standard_D8s_v5",
                &[attached(0, &data, caching)],
            ),
            disk(&data, "Premium_LRS", 1024, &limits(5000, 200)),
        ]
    };
    (0..count).flat_map(one).collect()
}

#[test]
fn vms_stay_in_order_whoever_judges_them() {
    let validation = judge(&many(700));
    let names: Vec<&str> = validation.vms.iter().map(|vm| &*vm.vm.name).collect();
    let expected: Vec<String> = (0..700).map(|index| format!("vm{index}")).collect();
    assert_eq!(names, expected);
    assert!(validation.disks.is_empty());
}

#[test]
fn vms_of_one_shape_share_an_assessment() {
    let validation = judge(&many(5));
    let of = |index: usize| validation.vms[index].assessment.as_ref().unwrap();
    assert!(Arc::ptr_eq(of(1), of(2)));
    assert!(Arc::ptr_eq(of(0), of(3)));
    assert!(!Arc::ptr_eq(of(0), of(1)));
    assert_eq!(validation.vms[1].vm.name, "vm1");
}

#[test]
fn judging_one_by_one_is_judging_all() {
    let facts = facts(&many(4));
    let options = Options::default();
    let validator = Validator::new(Catalog::embedded(), &facts, &options);
    let all = validator.all();
    let single: Vec<_> = facts.vms.iter().map(|vm| validator.vm(vm)).collect();
    assert_eq!(all.vms, single);
}

#[test]
fn a_taker_that_fails_ends_the_judging() {
    let facts = facts(&many(40));
    let options = Options::default();
    let validator = Validator::new(Catalog::embedded(), &facts, &options);
    let mut taken = 0;
    let outcome = validator.each_vm(|_| {
        taken += 1;
        if taken == 3 { Err("full") } else { Ok(()) }
    });
    assert_eq!((outcome, taken), (Err("full"), 3));
}

#[test]
fn the_summary_counts_findings_vms_and_money() {
    let mut resources = many(3);
    for name in ["old1", "old2"] {
        let mut left = disk(name, "Premium_LRS", 512, &limits(2300, 150));
        left["properties"]["diskState"] = json!("Unattached");
        resources.push(left);
    }
    let validation = priced(&resources);
    let summary = &validation.summary;
    assert_eq!(
        (summary.vms, summary.attached_disks, summary.other_disks),
        (3, 6, 2)
    );
    let of = |id: FindingId| summary.by_finding.iter().find(|c| c.id == id).unwrap();
    let rw = of(FindingId::RwCacheData);
    assert_eq!((rw.count, rw.vms, rw.severity), (1, 1, Severity::Warning));
    let left = of(FindingId::DiskUnattached);
    assert_eq!((left.count, left.vms, left.disks), (2, 0, 2));
    // A P20 LRS in East US costs 73.22 USD a month.
    let money = left.month.unwrap();
    assert!((money.amount - 2.0 * 73.22).abs() < 1e-9);
    assert!(
        summary
            .costliest
            .windows(2)
            .all(|w| w[0].month.amount >= w[1].month.amount)
    );
    let severities: Vec<Severity> = summary.by_finding.iter().map(|c| c.severity).collect();
    assert!(severities.is_sorted());
}

#[test]
fn a_finding_of_two_severities_is_counted_by_each() {
    // A P10 as OS disk bursts, an info; a P20 as data disk does, a warning. Two VMs have both, one the first only.
    let with_p20 = |name: &str| {
        let data = format!("{name}-data");
        [
            vm(name, "Standard_D8s_v5", &[attached(0, &data, "None")]),
            disk(&data, "Premium_LRS", 512, &limits(2300, 150)),
            disk(&format!("{name}-os"), "Premium_LRS", 128, &limits(500, 100)),
        ]
    };
    let mut resources: Vec<Value> = ["a", "b"].into_iter().flat_map(with_p20).collect();
    resources.push(vm("c", "Standard_D8s_v5", &[]));
    resources.push(disk("c-os", "Premium_LRS", 128, &limits(500, 100)));
    let summary = judge(&resources).summary;
    let counted: Vec<_> = summary
        .by_finding
        .iter()
        .filter(|c| c.id == FindingId::BurstOnly)
        .map(|c| (c.severity, c.vms))
        .collect();
    assert_eq!(counted, [(Severity::Warning, 2), (Severity::Info, 3)]);
    let of = |severity| {
        let own = summary.by_finding.iter().filter(|c| c.severity == severity);
        own.map(|c| c.count).sum::<usize>()
    };
    assert_eq!(
        (
            of(Severity::Error),
            of(Severity::Warning),
            of(Severity::Info)
        ),
        (summary.errors, summary.warnings, summary.infos)
    );
}

#[test]
fn what_many_have_alike_is_said_once() {
    let mut resources = Vec::new();
    for name in ["a", "b", "c"] {
        resources.push(vm(name, "Standard_D8s_v5", &[]));
        let os = format!("{name}-os");
        resources.push(disk(&os, "Premium_LRS", 128, &limits(500, 100)));
    }
    let validation = judge(&resources);
    let shown = |format| {
        let bytes = render(&validation, format, &RenderOptions::default()).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    for format in [Format::Table, Format::Markdown] {
        let text = shown(format);
        assert_eq!(text.matches("only from credit").count(), 1, "{text}");
        assert!(text.contains("3 alike: a/os, b/os, c/os"), "{text}");
    }
    // For machines a finding is a finding.
    assert_eq!(
        validation
            .findings()
            .filter(|f| f.id == FindingId::BurstOnly)
            .count(),
        3
    );
    let notes = validation.document();
    let notes = notes.notes().find(|notes| notes.id == "findings").unwrap();
    assert_eq!(notes.to_table().rows.len(), notes.items.len());
}

#[test]
fn a_table_without_rows_is_there_to_be_asked_for() {
    let validation = judge(&many(2));
    let only = |id: &str| {
        let selection = Selection {
            table: Some(id.to_owned()),
            ..Selection::default()
        };
        selection
            .apply(validation.document())
            .map(|of| of.tables().next().unwrap().rows.len())
    };
    assert_eq!(only("problems"), Ok(0));
    assert_eq!(only("costliest"), Ok(0));
    assert!(only("nonsense").is_err());
    let error = render(&validation, Format::Svg, &RenderOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this report has no chart: of several VMs there is none, of one there are (--vm NAME), so there is nothing to \
         show as svg"
    );
}

#[test]
fn a_list_that_goes_on_is_said_above() {
    let page = json!({ "value": many(2), "nextLink": "https://example.com/more" });
    let mut facts = FleetFacts::default();
    read_stream(page.to_string().as_bytes(), "saved.json".into(), &mut facts);
    facts.conclude();
    let options = Options::default();
    let whole = Validator::new(Catalog::embedded(), &facts, &options).all();
    let said = |of: &FleetValidation| of.document().subtitle.unwrap();
    assert!(
        said(&whole).ends_with("incomplete: the answers leave VMs or disks out"),
        "{}",
        said(&whole)
    );
    assert!(!said(&judge(&many(2))).contains("incomplete"));
}

#[test]
fn json_is_read_back_the_same() {
    let validation = priced(&many(3));
    let text = serde_json::to_string(&validation).unwrap();
    let again: FleetValidation = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
}

#[test]
fn every_format_shows_one_and_many() {
    for count in [1, 3] {
        let validation = priced(&many(count));
        let document = validation.document();
        let ids = document.ids();
        for wanted in ["vms", "deployed", "findings"] {
            assert!(ids.contains(&wanted), "{wanted}: {ids:?}");
        }
        for format in [
            Format::Table,
            Format::Csv,
            Format::Markdown,
            Format::Html,
            Format::Xlsx,
        ] {
            let bytes = render(&validation, format, &RenderOptions::default()).unwrap();
            assert!(!bytes.is_empty(), "{format}");
        }
        let csv = render(&validation, Format::Csv, &RenderOptions::default()).unwrap();
        let csv = String::from_utf8(csv).unwrap();
        assert!(csv.starts_with("vm,resource_group,"), "{csv}");
        assert_eq!(csv.lines().count(), count + 1);
    }
}

#[test]
fn vms_of_one_name_are_told_apart() {
    let mut twin = vm("vm0", "Standard_D2s_v3", &[]);
    let id = twin["id"].as_str().unwrap().replace("/shop/", "/store/");
    twin["id"] = json!(id);
    let mut resources = many(1);
    resources.push(twin);
    let validation = judge(&resources);
    let document = validation.document();
    let notes = document.notes().next().unwrap();
    let subjects: Vec<&str> = notes
        .items
        .iter()
        .map(|note| note.subject.as_str())
        .collect();
    assert!(
        subjects
            .iter()
            .any(|subject| subject.starts_with("shop/vm0")),
        "{subjects:?}"
    );
    assert!(
        subjects
            .iter()
            .any(|subject| subject.starts_with("store/vm0")),
        "{subjects:?}"
    );
}
