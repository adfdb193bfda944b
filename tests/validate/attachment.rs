//! VMs and disks that do not agree on which of them belong together, and disks whose VMs were not read.

use diskcap::azure::validate::FleetValidation;
use diskcap::planner::{FindingId, Severity};
use serde_json::{Value, json};

use crate::fixtures::{attached, disk, judge, limits, of, path, vm};

/// A P30 that says it is attached to `vms`: the first as its owner, the others as those that share it.
fn held(name: &str, state: &str, vms: &[&str]) -> Value {
    let mut disk = disk(name, "Premium_LRS", 1024, &limits(5000, 200));
    disk["properties"]["diskState"] = json!(state);
    let ids = vms.iter().map(|vm| path("virtualMachines", vm));
    let mut ids = ids.collect::<Vec<_>>().into_iter();
    disk["managedBy"] = json!(ids.next());
    disk["managedByExtended"] = json!(ids.collect::<Vec<_>>());
    disk
}

/// db1 with `disks` at lun0 and so on.
fn db1(disks: &[&str]) -> Value {
    let data: Vec<Value> = (0..)
        .zip(disks)
        .map(|(lun, name)| attached(lun, name, "None"))
        .collect();
    vm("db1", "Standard_D8s_v5", &data)
}

fn mismatches(validation: &FleetValidation) -> Vec<(&str, &str)> {
    of(validation.findings(), FindingId::AttachmentMismatch)
}

#[test]
fn a_disk_that_agrees_with_its_vm_is_not_mentioned() {
    let validation = judge(&[db1(&["a"]), held("a", "Attached", &["db1"])]);
    assert!(mismatches(&validation).is_empty());
    assert!(validation.problems.is_empty());
    // Nothing is said where the disk says nothing.
    let validation = judge(&[db1(&["a"]), held("a", "Attached", &[])]);
    assert!(mismatches(&validation).is_empty());
}

#[test]
fn a_disk_that_its_vm_does_not_have_is_found() {
    let validation = judge(&[db1(&["a"]), held("b", "Attached", &["DB1"])]);
    let found = mismatches(&validation);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "b");
    assert!(
        found[0]
            .1
            .starts_with("says that it is attached to db1, which does not have it"),
        "{found:?}"
    );
    // Its VM was read: it is no disk of an absent one.
    assert!(validation.problems.is_empty());
}

#[test]
fn a_vm_with_a_disk_that_is_another_s_or_nobody_s_is_found() {
    for (state, vms, says) in [
        ("Unattached", &[][..], "attached to no VM"),
        ("Attached", &["web7"][..], "attached to web7"),
    ] {
        let validation = judge(&[db1(&["a"]), held("a", state, vms)]);
        let found = mismatches(&validation);
        assert_eq!(found.len(), 1, "{says}");
        assert_eq!(found[0].0, "lun0");
        assert!(
            found[0].1.contains("is among the disks of db1"),
            "{found:?}"
        );
        assert!(found[0].1.contains(says), "{found:?}");
    }
}

#[test]
fn a_shared_disk_that_one_of_its_vms_lacks_is_found() {
    let db2 = vm("db2", "Standard_D8s_v5", &[]);
    let mut shared = held("a", "Attached", &["db1", "db2"]);
    shared["properties"]["maxShares"] = json!(2);
    let validation = judge(&[db1(&["a"]), db2, shared]);
    let found = mismatches(&validation);
    assert_eq!(found.len(), 1);
    assert!(found[0].1.contains("attached to db2, which"), "{found:?}");
}

#[test]
fn disks_of_vms_that_were_not_read_are_counted_once() {
    let names = ["v1", "v2", "v3", "v4", "v5", "v6"];
    let mut resources = vec![db1(&["a"]), held("a", "Attached", &["db1"])];
    resources.extend(names.map(|vm| held(&format!("{vm}-data"), "Attached", &[vm])));
    resources.push(held("v6-log", "Attached", &["v6"]));
    let validation = judge(&resources);
    assert!(mismatches(&validation).is_empty());
    let [note] = validation.problems.as_slice() else {
        panic!("{:?}", validation.problems);
    };
    assert_eq!(note.severity, Severity::Info);
    assert!(
        note.text.starts_with(
            "7 disk(s) are attached to VMs that are not among these (v1, v2, v3, v4, v5 and 1 more)"
        ),
        "{}",
        note.text
    );
}

/// `az vm` knows no instance of a scale set.
#[test]
fn a_disk_of_an_instance_is_detached_from_its_scale_set() {
    let mut machine = db1(&["a", "b"]);
    machine["id"] = json!(path("virtualMachineScaleSets", "set1") + "/virtualMachines/3");
    let validation = judge(&[machine, held("b", "Attached", &["db2"])]);
    let mut findings = validation.findings();
    let found = findings
        .find(|f| f.id == FindingId::AttachmentMismatch)
        .unwrap();
    let fix = found.fix.as_deref().unwrap();
    assert!(
        fix.contains("`az vmss disk detach -g shop --vmss-name set1 --instance-id 3 --lun 1`"),
        "{fix}"
    );
}
