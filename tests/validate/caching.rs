//! What is advised about host caching.

use diskcap::azure::validate::Options;
use diskcap::deployment::PlanRequest;
use diskcap::planner::FindingId;
use diskcap::report::{Format, RenderOptions, Report, render_document};
use diskcap::units::Share;
use diskcap::workload::{IoSettings, Profile};
use serde_json::Value;

use crate::fixtures::{attached, disk, judge, judge_with, limits, of, only, vm, with_p30};

/// The fixes of the findings about host caching on a P30 with ReadWrite caching.
fn advice(size: &str, options: &Options) -> Vec<(FindingId, String)> {
    let resources: [Value; 2] = [
        vm("web", size, &[attached(0, "data", "ReadWrite")]),
        disk("data", "Premium_LRS", 1024, &limits(5000, 200)),
    ];
    let vm = only(judge_with(&resources, options));
    let ids = [
        FindingId::CacheLowersThroughput,
        FindingId::RwCacheData,
        FindingId::WriteHeavyCache,
    ];
    let found = vm.findings.into_iter();
    let found = found.filter(|f| f.subject == "lun0" && ids.contains(&f.id));
    found.map(|f| (f.id, f.fix.unwrap())).collect()
}

/// Where the cached ceiling is the lower one, ReadOnly is held by it as well: 128 MB/s of D8s_v3, 192 without caching.
#[test]
fn one_disk_has_one_advice_about_its_caching() {
    let none = Options::default();
    assert_eq!(
        advice("Standard_D8s_v3", &none),
        [
            (
                FindingId::CacheLowersThroughput,
                "set host caching to None, unless latency of cached reads matters more".to_owned()
            ),
            (
                FindingId::RwCacheData,
                "set host caching to None, as CACHE-LOWERS-THROUGHPUT advises; ReadOnly where the latency of cached reads \
                 matters more"
                    .to_owned()
            ),
        ]
    );
    // 70 % writes: ReadOnly is no way out.
    let writing = Options {
        workload: PlanRequest {
            settings: IoSettings {
                read_share: Some(Share::percent(30)),
                ..IoSettings::default()
            },
            ..PlanRequest::default()
        },
        ..Options::default()
    };
    let found = advice("Standard_D8s_v3", &writing);
    let of = |id| found.iter().find(|(found, _)| *found == id).unwrap();
    assert_eq!(
        of(FindingId::RwCacheData).1,
        "set host caching to None, as WRITE-HEAVY-CACHE advises"
    );
    assert_eq!(of(FindingId::WriteHeavyCache).1, "set host caching to None");
    // 256 MB/s cached, 192 uncached: nothing but the risk speaks against it.
    let found = advice("Standard_D8s_v5", &none);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0].1,
        "use ReadOnly for read-heavy data, None for logs and write-heavy data"
    );
}

/// Whether host caching against writes is found under a workload.
fn write_heavy(workload: PlanRequest) -> Vec<String> {
    let options = Options {
        workload,
        ..Options::default()
    };
    let vm = only(judge_with(
        &with_p30("Standard_D8s_v5", &["ReadOnly", "None"]),
        &options,
    ));
    let found = of(&vm.findings, FindingId::WriteHeavyCache);
    found
        .iter()
        .map(|(subject, text)| format!("{subject}: {text}"))
        .collect()
}

#[test]
fn host_caching_is_held_against_the_share_of_writes() {
    let reading = |percent| PlanRequest {
        settings: IoSettings {
            read_share: Some(Share::percent(percent)),
            ..IoSettings::default()
        },
        ..PlanRequest::default()
    };
    let heavy = write_heavy(reading(30));
    assert_eq!(heavy.len(), 1);
    assert!(
        heavy[0].starts_with("lun0: host caching ReadOnly with 70 % writes"),
        "{heavy:?}"
    );
    assert!(write_heavy(reading(60)).is_empty());
    // Nobody said what is written: the standard tests do not.
    assert!(write_heavy(PlanRequest::default()).is_empty());
    // The profile of a desktop says 80 % writes.
    let profiles = vec![Profile::named("vdi").unwrap()];
    let vdi = write_heavy(PlanRequest {
        profiles,
        ..PlanRequest::default()
    });
    assert!(vdi[0].contains("80 % writes"), "{vdi:?}");
}

/// Premium disks are what A-series is documented without caching for; a ceiling that no source gives is no figure, and
/// 32 outstanding hits over the latency of the cache are none either.
#[test]
fn a_cached_hdd_on_a_size_of_unknown_ceilings_has_no_warm_figure() {
    let resources = [
        vm("web", "Basic_A0", &[attached(0, "data", "ReadOnly")]),
        disk("data", "Standard_LRS", 128, &limits(500, 60)),
    ];
    let vm = judge(&resources);
    assert!(of(vm.findings(), FindingId::SizeCaching).is_empty());
    let text = render_document(&vm.document(), Format::Markdown, &RenderOptions::default());
    let text = String::from_utf8(text.unwrap()).unwrap();
    assert!(!text.contains("2,048,000"), "{text}");
}

#[test]
fn a_stripe_of_cached_and_other_disks_is_mixed() {
    let resources = with_p30("Standard_D8s_v5", &["ReadOnly", "None"]);
    let options = Options {
        stripes: vec!["data=lun0,lun1".parse().unwrap()],
        ..Options::default()
    };
    for resources in [
        resources,
        with_p30("Standard_D8s_v5", &["None", "ReadOnly"]),
    ] {
        let vm = only(judge_with(&resources, &options));
        let assessment = vm.assessment.unwrap();
        assert!(assessment.volumes[1].mixed_caching);
        assert!(assessment.workloads[0].volumes[1].cache.is_some());
    }
}
