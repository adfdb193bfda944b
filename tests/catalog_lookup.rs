//! Finding VM sizes by name, filtering and ordering them.

use std::collections::BTreeSet;

use diskcap::catalog::{
    Bounds, Catalog, Interface, Limits, NamePattern, UnknownVm, VmColumn, VmFilter, VmOrder, VmSize,
};
use diskcap::units::{GiB, Iops, MBps};
use proptest::prelude::*;

fn name_of(input: &str) -> &'static str {
    match Catalog::embedded().vm(input, None) {
        Ok(vm) => &vm.name,
        Err(error) => panic!("{error}"),
    }
}

fn nearest(input: &str) -> Vec<String> {
    match Catalog::embedded().vm(input, None) {
        Err(UnknownVm::Unknown { nearest, .. }) => nearest,
        other => panic!("{input}: {other:?}"),
    }
}

#[test]
fn spellings_that_are_understood() {
    let d2 = "Standard_D2s_v3";
    for input in [
        "Standard_D2s_v3",
        "standard_d2s_v3",
        "STANDARD D2S V3",
        "d2s v3",
        "D2sv3",
        "D2s-v3",
        "  d2s_v3 ",
        "Standard D2sv3",
        "standardd2sv3",
    ] {
        assert_eq!(name_of(input), d2, "{input}");
    }
    for input in ["E32-16ds v5", "e32_16ds_v5", "E32 16ds v5", "E3216dsv5"] {
        assert_eq!(name_of(input), "Standard_E32-16ds_v5", "{input}");
    }
    assert_eq!(name_of("a0"), "Standard_A0");
    assert_eq!(name_of("basic a0"), "Basic_A0");
    assert_eq!(name_of("D11_v2_promo"), "Standard_D11_v2_Promo");
    assert_eq!(name_of("nc24ads a100 v4"), "Standard_NC24ads_A100_v4");
    assert_eq!(name_of("m416s-12-v3"), "Standard_M416s_12_v3");
}

#[test]
fn separators_inside_a_part_are_not_understood() {
    assert_eq!(nearest("D1 28ds_v6"), ["Standard_D128ds_v6"]);
    assert_eq!(nearest("D2_s_v3"), ["Standard_D2s_v3"]);
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    assert_eq!(nearest("D2s_v33"), ["Standard_D2s_v3"]);
    assert_eq!(nearest("Standrad_D2s_v3"), ["Standard_D2s_v3"]);
    assert_eq!(nearest("standart d2s_v33"), ["Standard_D2s_v3"]);
    assert_eq!(
        nearest("D9s_v3"),
        ["Standard_D2s_v3", "Standard_D4s_v3", "Standard_D8s_v3"]
    );
    // A name without its version is answered with the versions that there are.
    let versions = nearest("E104is");
    assert_eq!(versions, ["Standard_E104is_v5"]);
    assert!(nearest("D2s").contains(&"Standard_D2s_v5".to_owned()));
    assert!(nearest("foo").is_empty());
    assert!(nearest("").is_empty());
    let message = Catalog::embedded()
        .vm("D2s_v33", None)
        .expect_err("unknown")
        .to_string();
    assert_eq!(
        message,
        "unknown VM size 'D2s_v33'; did you mean Standard_D2s_v3?"
    );
}

#[test]
fn an_ambiguous_spelling_lists_what_it_fits() {
    let size = |name: &str| VmSize {
        name: name.to_owned(),
        vcpus: 1,
        ..VmSize::default()
    };
    let catalog = Catalog::embedded()
        .clone()
        .overlay(diskcap::catalog::Overlay {
            data: Catalog::embedded().info().vm_sizes.clone(),
            vms: vec![size("Standard_X1-23s_v1"), size("Standard_X12-3s_v1")],
        });
    assert_eq!(
        catalog.vm("X123s_v1", None),
        Err(UnknownVm::Ambiguous {
            input: "X123s_v1".to_owned(),
            candidates: vec![
                "Standard_X1-23s_v1".to_owned(),
                "Standard_X12-3s_v1".to_owned()
            ],
        })
    );
    let exact = catalog.vm("x12-3s v1", None).expect("exact");
    assert_eq!(exact.name, "Standard_X12-3s_v1");
}

#[test]
fn controllers_choose_the_row() {
    let catalog = Catalog::embedded();
    let row = |name: &str, interface| catalog.vm(name, interface).map(|vm| vm.interface);
    let (scsi, nvme) = (Some(Interface::Scsi), Some(Interface::Nvme));
    assert_eq!(row("E8bds_v5", None), Ok(scsi));
    assert_eq!(row("E8bds_v5", scsi), Ok(scsi));
    assert_eq!(row("E8bds_v5", nvme), Ok(nvme));
    // No controller is recorded of older sizes, so any will do.
    assert_eq!(row("D2s_v3", nvme), Ok(None));
    assert_eq!(row("D8s_v6", nvme), Ok(None));
    let error = row("D8s_v6", scsi).expect_err("NVMe only");
    assert_eq!(
        error.to_string(),
        "Standard_D8s_v6 is not offered with SCSI controllers, only with NVMe"
    );
}

/// A name as somebody might type it: case, separators and `Standard_` at will.
fn mangled() -> impl Strategy<Value = (String, String)> {
    let names: Vec<String> = Catalog::embedded()
        .vms()
        .iter()
        .map(|vm| vm.name.clone())
        .collect();
    (
        proptest::sample::select(names),
        proptest::collection::vec((any::<bool>(), 0..4_usize), 48),
        any::<bool>(),
    )
        .prop_map(|(name, choices, keep)| {
            let kept = if keep {
                name.as_str()
            } else {
                name.trim_start_matches("Standard_")
            };
            let typed = kept
                .chars()
                .zip(choices)
                .map(|(letter, (upper, separator))| match letter {
                    '_' | '-' => ["_", "-", " ", ""][separator].to_owned(),
                    _ if upper => letter.to_uppercase().to_string(),
                    _ => letter.to_lowercase().to_string(),
                })
                .collect();
            (name, typed)
        })
}

proptest! {
    #[test]
    fn every_name_is_found_in_any_spelling((name, typed) in mangled()) {
        prop_assert_eq!(name_of(&typed), name);
    }

    #[test]
    fn no_name_panics(input in ".{0,40}") {
        let _ = Catalog::embedded().vm(&input, None);
        let _ = NamePattern::new(&input).fits(&input);
    }
}

fn names(filter: &VmFilter) -> BTreeSet<&'static str> {
    filter
        .of(Catalog::embedded().vms())
        .map(VmSize::short_name)
        .collect()
}

#[test]
fn filters_by_shape() {
    let filter = VmFilter {
        vcpus: Bounds::exactly(8),
        series: vec!["dsv3".to_owned(), "Esv3".to_owned()],
        ..VmFilter::default()
    };
    // The constrained E16-8s_v3 and E32-8s_v3 have 8 vCPUs too.
    let expected = ["D8s_v3", "E16-8s_v3", "E32-8s_v3", "E8s_v3"];
    assert_eq!(names(&filter), BTreeSet::from(expected));
    let filter = VmFilter {
        names: vec![NamePattern::new("standard_d?s v5")],
        memory: Bounds {
            min: Some(GiB::whole(16)),
            max: None,
        },
        ..VmFilter::default()
    };
    assert_eq!(names(&filter), BTreeSet::from(["D4s_v5", "D8s_v5"]));
    let glob = NamePattern::new("D*s_v5");
    assert!(glob.fits("Standard_D2ds_v5") && !glob.fits("Standard_D2s_v50"));
    // 1,501 sizes of the API, 127 that only the documentation lists.
    assert_eq!(names(&VmFilter::default()).len(), 1501 + 127);
}

#[test]
fn unknown_figures_satisfy_no_minimum() {
    let minimum = |filter: VmFilter| VmFilter {
        names: vec![NamePattern::new("M16ls_v4")],
        ..filter
    };
    let iops = minimum(VmFilter {
        min_uncached: Limits {
            iops: Some(Iops::whole(20_000)),
            mbps: None,
        },
        ..VmFilter::default()
    });
    assert_eq!(names(&iops).len(), 1);
    // Its MB/s are unknown.
    let mbps = minimum(VmFilter {
        min_uncached: Limits {
            iops: None,
            mbps: Some(MBps::whole(1)),
        },
        ..VmFilter::default()
    });
    assert!(names(&mbps).is_empty());
    assert!(
        !Bounds {
            min: Some(1),
            max: None
        }
        .admit(None)
    );
    assert!(Bounds::<u32>::default().admit(None));
}

#[test]
fn filters_by_ceilings_and_features() {
    let series = |series: &str, filter: VmFilter| {
        names(&VmFilter {
            series: vec![series.to_owned()],
            ..filter
        })
    };
    // v2 figures of Dsv6: 12,800 uncached and 16,667 for v2 on D8s_v6; D4s_v6 has 8,333.
    let remote = VmFilter {
        min_remote: Limits {
            iops: Some(Iops::whole(16_667)),
            mbps: None,
        },
        ..VmFilter::default()
    };
    let found = series("Dsv6", remote);
    assert!(found.contains("D8s_v6") && !found.contains("D4s_v6"));
    let nvme = VmFilter {
        nvme: true,
        ..VmFilter::default()
    };
    assert!(series("Ddsv6", nvme.clone()).contains("D2ds_v6"));
    assert!(series("Dsv6", nvme).is_empty());
    let arm = VmFilter {
        arch: Some("arm64".to_owned()),
        ..VmFilter::default()
    };
    assert_eq!(series("Dpsv5", arm.clone()).len(), 7);
    assert!(series("Dsv5", arm).is_empty());
    let caching = VmFilter {
        caching: true,
        ..VmFilter::default()
    };
    assert!(series("Lsv2", caching).is_empty());
}

#[test]
fn retired_sizes_can_be_left_out() {
    let on = |day: &str| {
        names(&VmFilter {
            names: vec![NamePattern::new("L8s_v2"), NamePattern::new("D2s_v5")],
            in_service_on: day.parse().ok(),
            ..VmFilter::default()
        })
    };
    assert_eq!(on("2028-11-14"), BTreeSet::from(["D2s_v5", "L8s_v2"]));
    assert_eq!(on("2028-11-15"), BTreeSet::from(["D2s_v5"]));
}

#[test]
fn one_row_a_controller() {
    let rows = |interface| -> Vec<Option<Interface>> {
        VmFilter {
            names: vec![NamePattern::new("E8bds_v5")],
            interface,
            ..VmFilter::default()
        }
        .of(Catalog::embedded().vms())
        .map(|vm| vm.interface)
        .collect()
    };
    assert_eq!(rows(None).len(), 2);
    assert_eq!(rows(Some(Interface::Nvme)), [Some(Interface::Nvme)]);
}

#[test]
fn every_column_sorts_with_unknown_last() {
    for &column in VmColumn::ALL {
        for descending in [false, true] {
            let mut rows: Vec<&VmSize> = Catalog::embedded().vms().iter().collect();
            VmOrder { column, descending }.sort(&mut rows);
            let known = rows
                .iter()
                .take_while(|vm| column.value(vm).is_some())
                .count();
            assert!(
                rows.iter().skip(known).all(|vm| column.value(vm).is_none()),
                "{column}: an unknown value before a known one"
            );
        }
        assert_eq!(column.id().parse(), Ok(column));
        assert_eq!(
            column.to_string().to_uppercase().replace('_', "-").parse(),
            Ok(column)
        );
        assert_eq!(serde_json::to_value(column).expect("JSON"), column.id());
    }
    let order: VmOrder = "-uncached_mbps".parse().expect("an order");
    assert!(order.descending && order.column == VmColumn::UncachedMbps);
    let error = "size".parse::<VmColumn>().expect_err("no such column");
    assert!(error.to_string().contains("uncached_iops"));
}

#[test]
fn names_sort_as_people_count() {
    let filter = VmFilter {
        series: vec!["Dsv5".to_owned()],
        ..VmFilter::default()
    };
    let mut rows: Vec<&VmSize> = filter.of(Catalog::embedded().vms()).collect();
    VmOrder::default().sort(&mut rows);
    let names: Vec<&str> = rows.iter().map(|vm| vm.short_name()).collect();
    assert_eq!(
        names,
        [
            "D2s_v5", "D4s_v5", "D8s_v5", "D16s_v5", "D32s_v5", "D48s_v5", "D64s_v5", "D96s_v5"
        ]
    );
    let order = VmOrder {
        column: VmColumn::UncachedIops,
        descending: true,
    };
    order.sort(&mut rows);
    assert_eq!(rows.last().map(|vm| vm.short_name()), Some("D2s_v5"));
}
