//! Disks that several VMs have: what is billed and what can be saved counts once.

use diskcap::azure::metrics::{CeilingUse, Metrics, Subject};
use diskcap::azure::validate::{FleetValidation, Options, VmValidation};
use diskcap::catalog::Axis;
use diskcap::planner::{Finding, FindingId, Severity};
use serde_json::{Value, json};

use crate::fixtures::{
    attached, close, disk, judge_with, month, of, path, priced, vm, with_prices,
};

/// A VM that has the disk `shared` at LUN 0.
fn sharing(name: &str, size: &str, power: &str) -> Value {
    let mut machine = vm(name, size, &[attached(0, "shared", "None")]);
    machine["properties"]["instanceView"]["statuses"][0]["code"] =
        json!(format!("PowerState/{power}"));
    machine
}

/// A P30 that is set to P40 and that the VMs of these names have.
fn raised(vms: &[&str]) -> Value {
    let ids: Vec<String> = vms.iter().map(|vm| path("virtualMachines", vm)).collect();
    let settings = json!({
        "diskIOPSReadWrite": 7500, "diskMBpsReadWrite": 250, "tier": "P40", "maxShares": 2
    });
    let mut shared = disk("shared", "Premium_LRS", 1024, &settings);
    shared["managedByExtended"] = json!(ids);
    shared
}

/// A v2 disk of 125 MB/s and so many IOPS that VMs of these names have.
fn v2(name: &str, iops: u32, vms: &[&str]) -> Value {
    let settings =
        json!({ "diskIOPSReadWrite": iops, "diskMBpsReadWrite": 125, "maxShares": vms.len() });
    let mut shared = disk(name, "PremiumV2_LRS", 100, &settings);
    let ids: Vec<String> = vms.iter().map(|vm| path("virtualMachines", vm)).collect();
    shared["managedByExtended"] = json!(ids);
    shared
}

fn finding(vm: &VmValidation, id: FindingId) -> &Finding {
    vm.findings.iter().find(|of| of.id == id).unwrap()
}

/// What all findings of an id say together that a month costs.
fn together(fleet: &FleetValidation, id: FindingId) -> f64 {
    let mut counts = fleet.summary.by_finding.iter();
    let count = counts.find(|count| count.id == id).unwrap();
    count.month.unwrap().amount
}

/// East US, a month: P40 259.0457, P30 135.17, P10 19.71 and S10 5.888 USD.
#[test]
fn a_disk_that_a_running_vm_shares_is_not_billed_for_nothing() {
    let fleet = priced(&[
        sharing("a", "Standard_D8s_v5", "deallocated"),
        sharing("b", "Standard_D8s_v5", "running"),
        raised(&["a", "b"]),
    ]);
    let [a, b] = fleet.vms.as_slice() else {
        panic!("two VMs");
    };
    let off = finding(a, FindingId::VmDeallocated);
    assert_eq!(
        off.message,
        "is deallocated; its disk is billed on (os P10): 19.71 USD a month; lun0 is shared with b, which is not deallocated"
    );
    close(month(&a.findings, FindingId::VmDeallocated), 19.71 - 5.888);
    // The raised tier is no part of that, and is there once.
    close(month(&a.findings, FindingId::TierRaised), 123.8757);
    close(together(&fleet, FindingId::TierRaised), 123.8757);
    let once = &finding(b, FindingId::TierRaised).message;
    assert!(once.ends_with("; sums have its money with a"), "{once}");
}

#[test]
fn a_disk_of_two_vms_that_are_off_is_billed_once() {
    let fleet = priced(&[
        sharing("a", "Standard_D8s_v5", "deallocated"),
        sharing("b", "Standard_D8s_v5", "deallocated"),
        raised(&["a", "b"]),
    ]);
    let said: Vec<&str> = fleet
        .vms
        .iter()
        .flat_map(|vm| of(&vm.findings, FindingId::VmDeallocated))
        .map(|(_, text)| text)
        .collect();
    assert_eq!(
        said,
        [
            "is deallocated; its 2 disks are billed on (os P10, lun0 P30 as P40): 278.76 USD a month",
            "is deallocated; its disk is billed on (os P10): 19.71 USD a month; lun0 is shared, and counted with a"
        ]
    );
    close(together(&fleet, FindingId::TierRaised), 123.8757);
    close(
        together(&fleet, FindingId::VmDeallocated),
        2.0 * (19.71 - 5.888),
    );
}

/// What is said of a v2 disk of 100 GiB, 125 MB/s and so many IOPS on D2s_v3: 3,200 IOPS and 48 MB/s sustained, 4,000 and 200 in
/// burst. `b` is the other VM that the disk names; `read` is it where it was read.
fn unusable(iops: u32, read: Option<&str>) -> Vec<Finding> {
    let shared = v2("shared", iops, &["a", "b"]);
    let mut all = vec![sharing("a", "Standard_D2s_v3", "running"), shared];
    all.extend(read.map(|size| sharing("b", size, "running")));
    let fleet = priced(&all);
    let found = fleet.vms.iter().flat_map(|vm| &vm.findings);
    let found = found.filter(|of| of.id == FindingId::Unusable && of.subject == "lun0");
    found.cloned().collect()
}

#[test]
fn what_one_vm_does_not_let_through_another_may_use() {
    // 2,000 of 6,000 IOPS never pass one of them, which both together let through; in burst at least: a D8s_v5 all the time.
    assert!(unusable(6000, Some("Standard_D8s_v5")).is_empty());
    let in_burst = unusable(8000, Some("Standard_D2s_v3"));
    assert_eq!(in_burst.len(), 2);
    for finding in &in_burst {
        assert_eq!(
            (finding.severity, finding.per_month()),
            (Severity::Info, None)
        );
        let text = "1,600 IOPS (8,000 - 6,400) and 29 MB/s (125 - 96) of what";
        assert!(finding.message.starts_with(text), "{}", finding.message);
        let text = " are let through by a and b together only while they have burst credit; in brackets what is provisioned - \
                    what they let through";
        assert!(finding.message.contains(text), "{}", finding.message);
    }
}

/// Both D2s_v3 let 8,000 of 12,000 IOPS through in burst: 4,000 at 0.000007 USD for each hour are paid in vain, once.
#[test]
fn what_all_vms_together_do_not_let_through_is_paid_in_vain_once() {
    let found = unusable(12_000, Some("Standard_D2s_v3"));
    let [first, second] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(first.severity, Severity::Warning);
    let text = "4,000 IOPS (12,000 - 8,000) of what it is provisioned for are never let through by a and b together, 5,600 IOPS \
                (12,000 - 6,400) and 29 MB/s (125 - 96) once";
    assert!(first.message.starts_with(text), "{}", first.message);
    assert!(
        first
            .message
            .ends_with("; a month of what never passes costs 20.44 USD"),
        "{}",
        first.message
    );
    close(first.per_month().unwrap().amount, 4000.0 * 7e-6 * 730.0);
    assert_eq!(second.per_month(), None);
    assert!(
        second.message.ends_with("; sums have its money with a"),
        "{}",
        second.message
    );
    assert_eq!(
        first.fix.as_deref(),
        Some(
            "`az disk update -g shop -n shared --disk-iops-read-write 8000 --disk-mbps-read-write 125` gives all that a and b \
             let through together in burst; or take larger sizes"
        )
    );
}

#[test]
fn where_a_vm_that_shares_a_disk_was_not_read_nothing_is_to_be_cut() {
    let found = unusable(6000, None);
    let [alone] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!((alone.severity, alone.per_month()), (Severity::Info, None));
    assert!(
        alone
            .message
            .starts_with("by this VM itself: 2,000 IOPS (6,000 - 4,000)")
            && alone
                .message
                .ends_with("; b has the disk too, and what is let through there is not known"),
        "{}",
        alone.message
    );
    let fix = alone.fix.as_deref().unwrap();
    assert!(!fix.contains("az disk update"), "{fix}");
}

/// A day of metrics of a resource, `every` minutes: their names and their means and maxima.
fn metrics(id: &str, every: u32, all: &[(&str, f64, Option<f64>)]) -> Value {
    let metric = |(name, mean, most): &(&str, f64, Option<f64>)| {
        let at = |minute: u32| format!("2026-03-01T{:02}:{:02}:00Z", minute / 60, minute % 60);
        let point = |minute| json!({ "timeStamp": at(minute), "average": mean, "maximum": most });
        let points = (0..1440).step_by(every as usize).map(point);
        let dimensions = match id.contains("virtualMachines") {
            true => json!([{ "name": { "value": "LUN" }, "value": "0" }]),
            false => json!([]),
        };
        json!({
            "id": format!("{id}/providers/Microsoft.Insights/metrics/{name}"),
            "name": { "value": name },
            "timeseries": [{ "metadatavalues": dimensions, "data": points.collect::<Vec<Value>>() }]
        })
    };
    let all: Vec<Value> = all.iter().map(metric).collect();
    json!({ "interval": format!("PT{every}M"), "value": all })
}

/// A day of what the VM `name` has of the disk at LUN 0 in use, percent of its IOPS and its MB/s.
fn day(name: &str, percent: [f64; 2]) -> Value {
    day_of(name, 1, percent)
}

fn day_of(name: &str, every: u32, [iops, mbps]: [f64; 2]) -> Value {
    let all = [
        ("Data Disk IOPS Consumed Percentage", iops, None),
        ("Data Disk Bandwidth Consumed Percentage", mbps, None),
    ];
    metrics(&path("virtualMachines", name), every, &all)
}

/// Two D8s_v5 that share a v2 disk of 20,000 IOPS and 600 MB/s, with metrics.
fn measured(days: &[Value]) -> FleetValidation {
    measured_of(
        json!({ "diskIOPSReadWrite": 20_000, "diskMBpsReadWrite": 600, "maxShares": 2 }),
        days,
    )
}

/// The same, where the disk says this of itself.
fn measured_of(settings: Value, days: &[Value]) -> FleetValidation {
    let mut shared = disk("shared", "PremiumV2_LRS", 1024, &settings);
    shared["managedByExtended"] = json!(["a", "b"].map(|vm| path("virtualMachines", vm)));
    let resources = [
        sharing("a", "Standard_D8s_v5", "running"),
        sharing("b", "Standard_D8s_v5", "running"),
        shared,
    ];
    let metrics = json!(days).to_string();
    let metrics = Metrics::read(metrics.as_bytes(), "m.json").unwrap();
    let options = Options {
        metrics: Some(metrics),
        ..with_prices()
    };
    judge_with(&resources, &options)
}

/// 15 and 10 % of the IOPS, 6 and 4 % of the MB/s: 5,000 and 60 together. A fifth more are 6,000 IOPS; 125 MB/s are the least.
/// East US: 0.000007 USD for an IOPS and 0.000055 for an MB/s, each hour.
#[test]
fn what_several_vms_use_of_a_disk_is_added_up() {
    let fleet = measured(&[day("a", [15.0, 6.0]), day("b", [10.0, 4.0])]);
    let [a, b] = fleet.vms.as_slice() else {
        panic!("two VMs");
    };
    let unused = finding(a, FindingId::PaidUnused);
    assert_eq!(
        unused.message,
        "LUN 0 shared (a + b) was used far below what is paid for in 24 h: at most 25 % of 20,000 IOPS and 10 % of 600 MB/s"
    );
    assert_eq!(unused.severity, Severity::Warning);
    let fix = unused.fix.as_deref().unwrap();
    assert!(
        fix.starts_with("provision 6,000 IOPS and 125 MB/s (`az disk update -g shop -n shared "),
        "{fix}"
    );
    let saved = (14_000.0 * 7e-6 + 475.0 * 5.5e-5) * 730.0;
    close(unused.per_month().unwrap().amount, saved);
    close(together(&fleet, FindingId::PaidUnused), saved);
    let again = &finding(b, FindingId::PaidUnused).message;
    assert!(again.ends_with("; sums have its money with a"), "{again}");
    let metrics = b.metrics.as_ref().unwrap();
    let of_disk = metrics.ceilings.iter().find(|c| c.axis == Axis::Iops);
    let of_disk = of_disk.unwrap();
    assert_eq!(of_disk.highest_average, Some(25.0));
    let whose = of_disk.shared.as_ref().unwrap();
    assert_eq!(
        (whose.vms.as_slice(), whose.whole),
        (&["a".to_owned(), "b".to_owned()][..], 1440)
    );
    assert!(whose.is_complete());
}

/// Neither 60 nor 40 % is at the ceiling; both together are.
#[test]
fn a_disk_is_held_back_by_what_all_vms_ask_of_it() {
    let fleet = measured(&[day("a", [60.0, 10.0]), day("b", [40.0, 10.0])]);
    for vm in &fleet.vms {
        let held = &finding(vm, FindingId::ThrottledDisk).message;
        assert!(
            held.starts_with("LUN 0 shared (a + b) IOPS at its ceiling (20,000 IOPS) for 24 h"),
            "{held}"
        );
    }
}

#[test]
fn what_only_some_vms_use_of_a_disk_is_the_least() {
    let fleet = measured(&[day("a", [15.0, 6.0])]);
    let [a, b] = fleet.vms.as_slice() else {
        panic!("two VMs");
    };
    let unused = finding(a, FindingId::PaidUnused);
    assert_eq!(
        (unused.severity, unused.per_month()),
        (Severity::Info, None)
    );
    assert_eq!(
        unused.message,
        "LUN 0 shared was used far below what is paid for in 24 h: at most 15 % of 20,000 IOPS and 6 % of 600 MB/s by this \
         VM; it is a shared disk, and what b may use of it at the same time is not in that figure"
    );
    let fix = unused.fix.as_deref().unwrap();
    assert!(!fix.contains("az disk update"), "{fix}");
    let notes = &a.metrics.as_ref().unwrap().notes;
    let note =
        "which are at least what they say: LUN 0 shared IOPS (b), LUN 0 shared bandwidth (b).";
    assert!(notes.iter().any(|of| of.ends_with(note)), "{notes:?}");
    assert!(b.metrics.is_none());
}

/// What is said of the IOPS of LUN 0 of the only VM `name`: its highest mean, the most that it can be, and whose it is.
fn iops_of<'f>(fleet: &'f FleetValidation, name: &str) -> &'f CeilingUse {
    let vm = fleet.vms.iter().find(|vm| vm.vm.name == name).unwrap();
    let ceilings = &vm.metrics.as_ref().unwrap().ceilings;
    let mut of_disk = ceilings.iter().filter(|c| c.subject == Subject::Lun(0));
    of_disk.find(|c| c.axis == Axis::Iops).unwrap()
}

/// 7,000 reads and 3,000 writes that the disk counts are 50 % of 20,000 IOPS. The 20 % that `b` has of it are among them.
#[test]
fn what_a_disk_counts_holds_what_every_vm_uses() {
    let counted = metrics(
        &path("disks", "shared"),
        1,
        &[
            ("Composite Disk Read Operations/sec", 7000.0, None),
            ("Composite Disk Write Operations/sec", 3000.0, None),
        ],
    );
    let fleet = measured(&[counted, day("b", [20.0, 4.0])]);
    for name in ["a", "b"] {
        let iops = iops_of(&fleet, name);
        close(iops.highest_average.unwrap(), 50.0);
        assert!(iops.computed);
        let whose = iops.shared.as_ref().unwrap();
        assert_eq!(
            (whose.vms.as_slice(), whose.whole),
            (&["a".to_owned(), "b".to_owned()][..], 1440)
        );
        assert!(whose.is_complete());
    }
}

/// Reads of at most 7,500 and writes of at most 4,000 need not be of the same second: of 20,000 IOPS 37.5 % are sure, and
/// 57.5 % possible, whether or not anything is known of the other VM.
#[test]
fn the_most_that_one_vm_can_have_used_of_a_shared_disk_is_reads_and_writes() {
    let a = metrics(
        &path("virtualMachines", "a"),
        1,
        &[
            ("Data Disk Read Operations/Sec", 600.0, Some(7500.0)),
            ("Data Disk Write Operations/Sec", 300.0, Some(4000.0)),
        ],
    );
    let alone = measured(std::slice::from_ref(&a));
    let iops = iops_of(&alone, "a");
    close(iops.highest_average.unwrap(), 4.5);
    close(iops.highest_maximum.unwrap(), 37.5);
    close(iops.highest_possible.unwrap(), 57.5);
    let whose = iops.shared.as_ref().unwrap();
    assert_eq!(
        (whose.unknown.as_slice(), whose.whole),
        (&["b".to_owned()][..], 1440)
    );
    // With 10 % of the other; the figures are computed as soon as one part is.
    let both = measured(&[a, day("b", [10.0, 4.0])]);
    for name in ["a", "b"] {
        let iops = iops_of(&both, name);
        close(iops.highest_average.unwrap(), 14.5);
        assert!(iops.computed, "{name}");
    }
}

/// 15 % in each minute and 10 % in every five are no sum of either.
#[test]
fn values_of_other_intervals_are_not_added() {
    let fleet = measured(&[day("a", [15.0, 6.0]), day_of("b", 5, [10.0, 4.0])]);
    for (name, other, percent, count) in [("a", "b", 15.0, 1440), ("b", "a", 10.0, 288)] {
        let iops = iops_of(&fleet, name);
        close(iops.highest_average.unwrap(), percent);
        let whose = iops.shared.as_ref().unwrap();
        assert_eq!(whose.vms, [name]);
        assert_eq!(
            (whose.unknown.as_slice(), whose.whole),
            (&[other.to_owned()][..], count)
        );
    }
}

/// Two v2 disks of 6,000 IOPS and 125 MB/s as a stripe of both VMs, D2s_v3 with 4,000 IOPS and 200 MB/s in burst each: 4,000 of
/// 12,000 IOPS never pass, at 0.000007 USD for each hour, once.
#[test]
fn a_stripe_of_shared_disks_is_billed_once() {
    let names = ["shared0", "shared1"];
    let luns = [attached(0, names[0], "None"), attached(1, names[1], "None")];
    let mut all = Vec::from(["a", "b"].map(|name| vm(name, "Standard_D2s_v3", &luns)));
    all.extend(names.map(|name| v2(name, 6000, &["a", "b"])));
    let options = Options {
        stripes: vec!["data=lun0,lun1".parse().unwrap()],
        ..with_prices()
    };
    let fleet = judge_with(&all, &options);
    let [a, b] = fleet.vms.as_slice() else {
        panic!("two VMs");
    };
    let first = about(a, FindingId::Unusable, "data");
    assert!(
        first
            .message
            .starts_with("4,000 IOPS (12,000 - 8,000) of what it is provisioned for are never let through by a and b together"),
        "{}",
        first.message
    );
    close(first.per_month().unwrap().amount, 4000.0 * 7e-6 * 730.0);
    let again = about(b, FindingId::Unusable, "data");
    assert_eq!(again.per_month(), None);
    assert!(
        again.message.ends_with("; sums have its money with a"),
        "{}",
        again.message
    );
    close(together(&fleet, FindingId::Unusable), 4000.0 * 7e-6 * 730.0);
    let shared = &about(b, FindingId::SharedDisk, "data").message;
    assert!(
        shared.ends_with("; it is billed once: sums of all VMs have it with a"),
        "{shared}"
    );
    assert!(
        !about(a, FindingId::SharedDisk, "data")
            .message
            .contains("billed once")
    );
}

/// The finding about a volume.
fn about<'v>(vm: &'v VmValidation, id: FindingId, volume: &str) -> &'v Finding {
    let is_it = |of: &&Finding| of.id == id && of.subject == volume;
    vm.findings.iter().find(is_it).unwrap()
}

#[test]
fn what_is_not_let_through_is_no_warning_of_a_vm_that_is_off() {
    let fleet = priced(&[
        sharing("a", "Standard_D2s_v3", "deallocated"),
        sharing("b", "Standard_D2s_v3", "running"),
        v2("shared", 12_000, &["a", "b"]),
    ]);
    for (vm, severity) in fleet.vms.iter().zip([Severity::Info, Severity::Warning]) {
        assert_eq!(about(vm, FindingId::Unusable, "lun0").severity, severity);
    }
}

/// The VM that shares a disk may run: nothing says that it does not.
#[test]
fn a_vm_of_unknown_power_is_not_taken_for_off() {
    let off = sharing("a", "Standard_D8s_v5", "deallocated");
    let mut unknown = sharing("b", "Standard_D8s_v5", "running");
    unknown["properties"]["instanceView"] = Value::Null;
    let said = |all: &[Value]| {
        finding(&priced(all).vms[0], FindingId::VmDeallocated)
            .message
            .clone()
    };
    let os = "is deallocated; its disk is billed on (os P10): 19.71 USD a month";
    let words = format!("{os}; lun0 is shared with b, which is not known to be deallocated");
    // Read without its power, and not read.
    assert_eq!(
        said(&[off.clone(), unknown.clone(), raised(&["a", "b"])]),
        words
    );
    assert_eq!(said(&[off.clone(), raised(&["a", "b"])]), words);
    let running = sharing("c", "Standard_D8s_v5", "running");
    assert_eq!(
        said(&[
            off.clone(),
            unknown,
            running.clone(),
            raised(&["a", "b", "c"])
        ]),
        format!(
            "{os}; lun0 is shared with c, which is not deallocated, and with b, which is not known to be deallocated"
        )
    );
    let mut without_own = off;
    without_own["properties"]["storageProfile"]["osDisk"] = Value::Null;
    assert_eq!(
        said(&[without_own, running, raised(&["a", "c"])]),
        "is deallocated; lun0 is shared with c, which is not deallocated"
    );
}

/// A v2 disk of 3,000 IOPS and 125 MB/s, the least there are, on two DS1_v2 with 3,200 IOPS and 48 MB/s each.
#[test]
fn no_setting_is_advised_that_the_disk_has_already() {
    let fleet = priced(&[
        sharing("a", "Standard_DS1_v2", "running"),
        sharing("b", "Standard_DS1_v2", "running"),
        v2("shared", 3000, &["a", "b"]),
    ]);
    for vm in &fleet.vms {
        let vain = about(vm, FindingId::Unusable, "lun0");
        let text = "29 MB/s (125 - 96) of what it is provisioned for are never let through by a and b together; in";
        assert!(vain.message.starts_with(text), "{}", vain.message);
        assert_eq!(
            vain.fix.as_deref(),
            Some("take larger sizes: no setting of such a disk is lower")
        );
    }
}

/// Two v2 disks of 3,500 IOPS and a P10 are 7,500 IOPS and 350 MB/s on D2s_v3 with 4,000 and 200 in burst; each disk is shared
/// with another VM, which was not read.
#[test]
fn every_shared_volume_is_named_with_the_vms_that_have_it() {
    let luns = [attached(0, "one", "None"), attached(1, "two", "None")];
    let fleet = priced(&[
        vm("a", "Standard_D2s_v3", &luns),
        v2("one", 3500, &["a", "b"]),
        v2("two", 3500, &["a", "c"]),
    ]);
    let of = |subject: &str| about(&fleet.vms[0], FindingId::Unusable, subject);
    let all = of("Standard_D2s_v3");
    assert_eq!((all.severity, all.per_month()), (Severity::Info, None));
    assert!(
        all.message
            .starts_with("all volumes together are provisioned for 3,500 IOPS (7,500 - 4,000) and 150 MB/s (350 - 200) more"),
        "{}",
        all.message
    );
    let words =
        "; of that lun0 and lun1 are shared, and b and c may use what this VM does not let through";
    assert!(all.message.ends_with(words), "{}", all.message);
    assert!(
        all.fix.as_ref().unwrap().starts_with("take a larger size"),
        "{all:?}"
    );
    for (lun, other) in [("lun0", "b"), ("lun1", "c")] {
        let alone = of(lun);
        let text = "by this VM itself: 300 IOPS (3,500 - 3,200) and 77 MB/s (125 - 48) of";
        assert!(alone.message.starts_with(text), "{}", alone.message);
        let words =
            format!("; {other} has the disk too, and what is let through there is not known");
        assert!(alone.message.ends_with(&words), "{}", alone.message);
        let figure = alone.figures.iter().find(|figure| figure.name == "shares");
        assert_eq!(figure.map(|figure| figure.value), Some(2.0));
    }
}

/// Two VMs alike, each with a disk of its own that another VM has.
#[test]
fn vms_of_one_shape_name_their_own_others() {
    let alike = |name: &str, disk: &str| vm(name, "Standard_D2s_v3", &[attached(0, disk, "None")]);
    let fleet = priced(&[
        alike("a1", "one"),
        alike("a2", "two"),
        v2("one", 6000, &["a1", "b1"]),
        v2("two", 6000, &["a2", "b2"]),
    ]);
    for (vm, other) in fleet.vms.iter().zip(["b1", "b2"]) {
        let said = &about(vm, FindingId::Unusable, "lun0").message;
        assert!(
            said.contains(&format!("; {other} has the disk too")),
            "{said}"
        );
    }
}

/// The VMs say that they have it; how many may attach it, the disk does not say.
#[test]
fn a_disk_of_two_vms_is_shared_whatever_it_says() {
    let settings = json!({ "diskIOPSReadWrite": 20_000, "diskMBpsReadWrite": 600 });
    let fleet = measured_of(settings, &[day("a", [15.0, 6.0])]);
    let unused = finding(&fleet.vms[0], FindingId::PaidUnused);
    assert_eq!(
        (unused.severity, unused.per_month()),
        (Severity::Info, None)
    );
    let fix = unused.fix.as_deref().unwrap();
    assert!(!fix.contains("az disk update"), "{fix}");
}
