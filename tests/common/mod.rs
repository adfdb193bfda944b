//! What the integration tests share: plans from a line of text.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

use diskcap::catalog::Catalog;
use diskcap::deployment::{DiskSpec, Plan, PlanRequest};
use diskcap::planner::assessment::{Assessment, VolumeResult, WorkloadView};
use diskcap::planner::{Finding, Outcome, assess};
use diskcap::units::{BlockSize, Iops, MBps, QueueDepth, Share};
use diskcap::workload::{Demand, IoSettings};

/// A plan request for `vm` (empty: none) with the given disk specs.
pub fn request(vm: &str, disks: &[&str]) -> PlanRequest {
    PlanRequest {
        vm: (!vm.is_empty()).then(|| vm.to_owned()),
        volumes: disks
            .iter()
            .map(|d| d.parse::<DiskSpec>().unwrap().into())
            .collect(),
        ..PlanRequest::default()
    }
}

/// Settings from words such as `block=4KiB read=0.7 hit=0.8 depth=4 iops=5000 mbps=20`.
pub fn settings(words: &str) -> IoSettings {
    let mut settings = IoSettings::default();
    for word in words.split_whitespace() {
        let (key, value) = word.split_once('=').unwrap();
        match key {
            "block" => settings.block_size = Some(value.parse::<BlockSize>().unwrap()),
            "read" => settings.read_share = Some(value.parse::<Share>().unwrap()),
            "hit" => settings.hit_share = Some(value.parse::<Share>().unwrap()),
            "depth" => settings.queue_depth = Some(value.parse::<QueueDepth>().unwrap()),
            "iops" => settings.demand = Some(Demand::Iops(value.parse::<Iops>().unwrap())),
            "mbps" => settings.demand = Some(Demand::Mbps(value.parse::<MBps>().unwrap())),
            other => panic!("no setting {other}"),
        }
    }
    settings
}

/// The assessment of a request.
pub fn assessed(request: PlanRequest) -> Assessment {
    let catalog = Catalog::embedded();
    let Plan {
        deployment,
        workloads,
        ..
    } = request.build(catalog).unwrap();
    assess(catalog, &deployment, &workloads)
}

/// The assessment of disks under a workload in words.
pub fn plan(vm: &str, disks: &[&str], words: &str) -> Assessment {
    assessed(PlanRequest {
        settings: settings(words),
        ..request(vm, disks)
    })
}

/// The assessment of disks that each have their own demand.
pub fn plan_with_demands(
    vm: &str,
    disks: &[&str],
    words: &str,
    demands: &[(&str, Demand)],
) -> Assessment {
    assessed(PlanRequest {
        settings: settings(words),
        demands: demands
            .iter()
            .map(|(name, demand)| ((*name).to_owned(), *demand))
            .collect(),
        ..request(vm, disks)
    })
}

/// What `volume` gets under the workload called `workload`; the only workload when the name is empty.
pub fn result<'a>(assessment: &'a Assessment, workload: &str, volume: &str) -> &'a VolumeResult {
    let view: &WorkloadView = assessment
        .workloads
        .iter()
        .find(|w| workload.is_empty() || w.name == workload)
        .unwrap();
    view.volumes.iter().find(|v| v.volume == volume).unwrap()
}

/// The IOPS of an outcome.
pub fn iops(outcome: &Outcome) -> f64 {
    outcome.iops.unwrap().get()
}

/// The MB/s of an outcome.
pub fn mbps(outcome: &Outcome) -> f64 {
    outcome.mbps.unwrap().get()
}

/// The codes of the findings.
pub fn codes(assessment: &Assessment) -> Vec<&'static str> {
    assessment.findings.iter().map(|f| f.id.code()).collect()
}

/// Fails unless `a` and `b` differ by at most `tolerance`.
#[track_caller]
pub fn close(a: f64, b: f64, tolerance: f64) {
    assert!(
        (a - b).abs() <= tolerance,
        "{a} is not {b} within {tolerance}"
    );
}

/// The words of a fix that name disks, each of which somebody may type: a tier or a family, alone or before its settings.
pub fn disks_in(fix: &str) -> Vec<&str> {
    let is_disk = |word: &&str| {
        let sku = word.split(':').next().unwrap_or_default();
        let sku = sku.rsplit(['x', '=']).next().unwrap_or_default();
        let tier = sku.strip_prefix(['P', 'E', 'S']);
        let is_tier = tier.is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
        is_tier || word.contains("v2:") || word.contains("ultra:") || word.contains("Premium:")
    };
    fix.split_whitespace()
        .map(|word| word.trim_matches(['(', ')', ',', ';', '.']))
        .map(|word| word.strip_suffix(':').unwrap_or(word))
        .filter(is_disk)
        .collect()
}

/// That every disk that a fix of `findings` names can be typed, and has no caching that a finding about its volume warns
/// of.
pub fn check_disks_of_fixes(findings: &[Finding]) {
    let warned = |subject: &str, codes: &[&str]| {
        let of_subject = |f: &&Finding| f.subject == subject;
        let mut found = findings.iter().filter(of_subject);
        found.any(|f| codes.contains(&f.id.code()))
    };
    for finding in findings {
        let Some(fix) = &finding.fix else { continue };
        assert!(!fix.contains(" x "), "{fix}");
        for word in disks_in(fix) {
            assert!(word.parse::<DiskSpec>().is_ok(), "'{word}' in: {fix}");
            let sku = word.split(':').next().unwrap();
            assert!(!sku.contains('='), "a name in '{word}' in: {fix}");
            let is_cached = word.contains("cache=ro") || word.contains("cache=rw");
            let against = ["WRITE-HEAVY-CACHE", "SIZE-CACHING"];
            assert!(!is_cached || !warned(&finding.subject, &against), "{fix}");
            let writes = word.contains("cache=rw");
            assert!(
                !writes || !warned(&finding.subject, &["RW-CACHE-DATA"]),
                "{fix}"
            );
        }
    }
}
