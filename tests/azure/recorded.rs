//! Answers of the real service, where a collection of them lies beside the project. They add to the other tests and
//! replace none.

use std::path::{Path, PathBuf};

use diskcap::azure::arm::files::read_paths;
use diskcap::azure::facts::{FleetFacts, Problem, ReadProblem, SkuFacts, Weight};

/// The collection, where there is one.
fn collection() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/arm");
    folder.is_dir().then_some(folder)
}

fn read(part: &str) -> Option<FleetFacts> {
    Some(read_paths(&[collection()?.join(part)]).unwrap())
}

fn errors(facts: &FleetFacts) -> Vec<String> {
    facts
        .problems
        .iter()
        .filter(|p| p.problem.weight() == Weight::Error)
        .map(ToString::to_string)
        .collect()
}

#[test]
fn vms_and_disks_are_read_and_only_the_broken_one_is_refused() {
    let Some(facts) = read("vm_disk") else { return };
    assert!(facts.vms.iter().all(|vm| vm.size.is_some()));
    assert!(facts.vms.iter().all(|vm| vm.os_disk.is_some()));
    assert!(
        facts
            .disks
            .iter()
            .all(|disk| disk.size.is_some() && disk.sku.is_some())
    );
    let told = errors(&facts);
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(
        told[0].contains("as-published.txt, line 26: the JSON ends"),
        "{told:#?}"
    );
}

#[test]
fn the_same_vm_is_the_same_in_resource_graph_and_in_arm() {
    let (Some(graph), Some(arm)) = (
        read("resource_graph/arg-virtualmachines-table-2019.json"),
        read("resource_graph/arm-virtualmachines-same-vm.json"),
    ) else {
        return;
    };
    assert_eq!(graph.problems, []);
    assert_eq!(arm.problems, []);
    let (one, other) = (&graph.vms[0], &arm.vms[0]);
    assert_eq!(one.id, other.id);
    assert_eq!(
        (
            &one.size,
            &one.region,
            &one.os,
            &one.os_disk,
            &one.data_disks
        ),
        (
            &other.size,
            &other.region,
            &other.os,
            &other.os_disk,
            &other.data_disks
        )
    );
}

#[test]
fn sku_lists_are_read_and_only_what_cannot_be_is_said() {
    let Some(facts) = read("skus") else { return };
    // The service lists 77,000 MB/s for a size with 77,000 IOPS.
    let odd = |p: &&ReadProblem| p.subject.as_deref() != Some("SKU Standard_DC8s_v3");
    let others: Vec<_> = facts.problems.iter().filter(odd).collect();
    assert!(others.is_empty(), "{others:?}");
    let sizes = facts
        .skus
        .iter()
        .filter(|sku| matches!(sku, SkuFacts::Vm(_)))
        .count();
    assert!(sizes > 200, "{sizes}");
}

#[test]
fn published_examples_are_read_and_exchanged_limits_not_believed() {
    let Some(facts) = read("spec_examples") else {
        return;
    };
    assert_eq!(errors(&facts), Vec::<String>::new());
    assert!(!facts.vms.is_empty() && !facts.disks.is_empty() && !facts.skus.is_empty());
    let exchanged = facts
        .problems
        .iter()
        .filter(|p| matches!(p.problem, Problem::Implausible { .. }))
        .count();
    assert_eq!(exchanged, 2);
}

#[test]
fn error_answers_are_told_as_such() {
    let Some(facts) = read("errors") else { return };
    assert!(facts.is_empty());
    assert_eq!(errors(&facts).len(), 8);
}
