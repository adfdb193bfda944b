//! Logs of counters with several devices, each held against its own volume.

use diskcap::catalog::Catalog;
use diskcap::measure::bench::{Bench, BenchError, Input, Request, bench};
use diskcap::measure::over_time::Binding;
use diskcap::measure::read::read_bytes;

use crate::deployment;

/// Two disks at 2,300 and 5,000 IOPS of 8 KiB, those of a P20 and a P30; the first block is the average since boot.
const IOSTAT: &str = "Linux 5.15.0-1050-azure (db1) \t09/14/2026 \t_x86_64_\t(8 CPU)

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util
sdc            220.00   1760.00     0.00   0.00    1.30     8.00  140.00   1120.00     0.00   0.00    1.90     8.00    0.55  12.00
sdd            220.00   1760.00     0.00   0.00    1.30     8.00  140.00   1120.00     0.00   0.00    1.90     8.00    0.55  12.00

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util
sdc           1610.00  12880.00     0.00   0.00   13.90     8.00  690.00   5520.00     0.00   0.00   14.10     8.00   32.13 100.00
sdd           3500.00  28000.00     0.00   0.00    6.40     8.00 1500.00  12000.00     0.00   0.00    6.40     8.00   32.00 100.00
";

fn input(target: Option<&str>) -> Input {
    Input {
        name: "io.txt".to_owned(),
        target: target.map(str::to_owned),
        runs: read_bytes(IOSTAT.as_bytes(), "io.txt").unwrap(),
    }
}

fn held(input: Input, disks: &[&str], bindings: &[&str]) -> Result<Bench, BenchError> {
    let deployment = deployment(Some("D8s_v5"), disks);
    let bindings = bindings
        .iter()
        .map(|binding| binding.parse::<Binding>().unwrap());
    let request = Request {
        vm: deployment.vm.as_ref(),
        deployment: Some(&deployment),
        bindings: bindings.collect(),
        ..Request::default()
    };
    bench(Catalog::embedded(), &[input], &request)
}

/// The label, volume and first verdict of every run.
fn verdicts(bench: &Bench) -> Vec<(&str, Option<&str>, String)> {
    let runs = bench.runs.iter();
    runs.map(|run| {
        let verdict = run.judgement.tests[0].verdict.title();
        (run.label.as_str(), run.volume.as_deref(), verdict)
    })
    .collect()
}

#[test]
fn devices_are_the_volumes_of_their_names() {
    for target in [None, Some("sdc")] {
        let result = held(input(target), &["sdc=P20", "sdd=P30"], &[]).unwrap();
        let at = |name| (name, Some(name), "at disk IOPS".to_owned());
        assert_eq!(verdicts(&result), [at("sdc"), at("sdd")]);
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}

#[test]
fn devices_are_bound_and_others_are_held_against_none() {
    let result = held(input(None), &["data=P30"], &["sdd=data"]).unwrap();
    assert_eq!(result.runs[0].volume, None);
    assert_eq!(result.runs[1].volume.as_deref(), Some("data"));
    let notes = result.runs[0].notes.join("; ");
    assert!(notes.contains("bound to no volume"), "{notes}");
    assert!(
        notes.contains("`VOLUME=io.txt#sdc` would bind it"),
        "{notes}"
    );
    // One volume may stand for several disks that are alike.
    let both = held(input(None), &["data=P30"], &["sd?=data"]).unwrap();
    assert!(both.runs.iter().all(|run| run.volume.is_some()));
    // The members of a stripe are not the stripe.
    let members = held(input(None), &["data=2xP20"], &["sd?=data"]).unwrap();
    assert!(members.runs.iter().all(|run| run.volume.is_none()));
}

#[test]
fn an_open_question_is_answered_as_the_error_says() {
    let open = held(input(None), &["data=P20"], &[])
        .unwrap_err()
        .to_string();
    assert!(
        open.contains(
            "which device is data? Say so with one of them for DEVICE: data=io.txt#DEVICE"
        ),
        "{open}"
    );
    assert!(open.contains("devices are sdc, sdd"), "{open}");
    let bound = input(Some("data"));
    assert_eq!(
        held(bound.clone(), &["data=P20"], &[])
            .unwrap_err()
            .to_string(),
        open
    );
    let one = bound.only("sdc").unwrap();
    let result = held(one, &["data=P20"], &[]).unwrap();
    let expected = ("data", Some("data"), "at disk IOPS".to_owned());
    assert_eq!(verdicts(&result), [expected]);
    let missing = input(None).only("sde").unwrap_err().to_string();
    assert!(missing.ends_with("is 'sdc', 'sdd'"), "{missing}");
    // The host of the log is no device of it.
    let host = input(None).only("db1").unwrap_err().to_string();
    assert!(host.ends_with("is 'sdc', 'sdd'"), "{host}");
}

/// Three thousand devices: what each says is taken out once. The square of that would take minutes.
#[test]
fn a_log_of_very_many_devices_is_parted_once() {
    let head = "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util\n";
    let mut text = IOSTAT.lines().next().unwrap().to_owned() + "\n\n";
    for _ in 0..2 {
        text.push_str(head);
        for device in 0..3000 {
            text.push_str(&format!("dev{device} 1610.00 12880.00 0.00 0.00 13.90 8.00 690.00 5520.00 0.00 0.00 14.10 8.00 32.13 100.00\n"));
        }
        text.push('\n');
    }
    let input = Input {
        name: "io.txt".to_owned(),
        target: None,
        runs: read_bytes(text.as_bytes(), "io.txt").unwrap(),
    };
    let one = input.clone().only("dev2999").unwrap();
    assert_eq!(one.runs.len(), 1);
    assert_eq!(one.runs[0].target.as_deref(), Some("dev2999"));
    let result = held(input, &["data=P20"], &["dev2999=data"]).unwrap();
    assert_eq!(result.runs.len(), 3000);
    let bound = result.runs.iter().filter(|run| run.volume.is_some());
    let bound: Vec<&str> = bound.map(|run| run.label.as_str()).collect();
    assert_eq!(bound, ["dev2999"]);
}
