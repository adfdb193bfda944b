//! Many VMs as a document: a line each, the findings by id and by money, then the findings themselves.

use std::collections::HashMap;

use super::super::findings::{ALL_SUPPRESSED, accepted, open, open_notes, suppressed_notes};
use super::super::metrics;
use super::{alike, tables};
use crate::azure::metrics::Throttling;
use crate::azure::validate::{DiskValidation, FleetValidation, VmValidation, commands};
use crate::planner::{Finding, Severity};
use crate::report::{Document, Note, Section};
use crate::units::grouped;

pub(super) fn document(validation: &FleetValidation) -> Document {
    let vms = weightiest_first(&validation.vms, VmValidation::worst, |vm| &vm.findings);
    let disks = weightiest_first(&validation.disks, DiskValidation::worst, |disk| {
        &disk.findings
    });
    let labels = Labels::new(&validation.vms);
    let findings = listed(&labels, &vms, &disks, open);
    let mut unfilled_tables = Vec::new();
    let mut sections = tables::sorted(
        [
            tables::vms(validation, &vms),
            tables::by_finding(validation),
            tables::by_money(validation),
            tables::other_disks(validation, &disks),
        ],
        &mut unfilled_tables,
    );
    let judged: Vec<_> = vms.iter().filter_map(|vm| vm.metrics.as_ref()).collect();
    sections.extend(metrics::sections(&judged, true));
    if validation.summary.by_finding.is_empty() {
        let clean = match validation.summary.suppressed {
            0 => {
                let mut known = vms.iter().all(|vm| vm.unknowns.is_empty());
                known &= disks.iter().all(|disk| disk.unknowns.is_empty());
                super::clean(known)
            }
            _ => ALL_SUPPRESSED,
        };
        sections.push(Section::Text {
            title: "Findings".to_owned(),
            paragraphs: vec![clean.to_owned()],
        });
    } else if !findings.is_empty() {
        sections.push(Section::Notes(open_notes(findings)));
    }
    let accepted = suppressed_notes(listed(&labels, &vms, &disks, accepted));
    sections.extend(accepted.map(Section::Notes));
    let of_vms = vms
        .iter()
        .flat_map(|vm| vm.unknowns.iter().map(|unknown| (labels.of(vm), unknown)));
    let of_disks = disks.iter().flat_map(|disk| {
        let name = &disk.disk.volume;
        disk.unknowns
            .iter()
            .map(move |unknown| (name.clone(), unknown))
    });
    let unknowns: Vec<_> = of_vms.chain(of_disks).collect();
    let problems = vms.iter().flat_map(|vm| &vm.problems);
    let problems = problems.chain(disks.iter().flat_map(|disk| &disk.problems));
    sections.extend(tables::sorted(
        [
            tables::deployed(validation, &vms),
            alike::unknowns(unknowns),
            alike::problems(problems.chain(&validation.problems)),
        ],
        &mut unfilled_tables,
    ));
    Document {
        title: title(validation),
        subtitle: Some(subtitle(validation)),
        sections,
        footnotes: super::footnotes(validation)
            .into_iter()
            .chain(lacking_metrics(validation))
            .collect(),
        incomplete: super::incomplete(validation),
        unread: super::unread(validation),
        unfilled: super::super::findings::unfilled(),
        unfilled_tables,
        in_short: in_short(validation),
        without_charts: Some("chart: of several VMs there is none, of one there are (--vm NAME)"),
        ..Document::default()
    }
}

/// That throttling of some VMs was not seen, and at how few of their ceilings it was looked for.
fn lacking_metrics(validation: &FleetValidation) -> Option<String> {
    let judged = validation.vms.iter().filter_map(|vm| vm.metrics.as_ref());
    let lacking = judged.filter(|judged| judged.throttling == Throttling::NotSeen);
    let vms = lacking.clone().count();
    let (given, all) = lacking.fold((0, 0), |(given, all), judged| {
        let known = judged.ceilings.len();
        (given + known, all + known + judged.without_metrics.len())
    });
    (vms > 0).then(|| {
        format!(
            "Throttled, not seen: there are metrics of {given} of the {all} ceilings of these VMs ({vms}); --vm NAME names those \
             without."
        )
    })
}

/// So many rows of disks are shown in a terminal; of more their number.
const SHOWN_DISKS: usize = 20;

/// What a terminal says in place of many rows.
fn in_short(validation: &FleetValidation) -> Vec<(String, String)> {
    let disks: usize = validation.vms.iter().map(|vm| vm.disks.len()).sum();
    let long = disks > SHOWN_DISKS;
    let text = format!(
        "{} disks: --table deployed lists them, --vm NAME those of one VM.",
        grouped(disks as f64, 0)
    );
    long.then(|| ("deployed".to_owned(), text))
        .into_iter()
        .collect()
}

fn title(validation: &FleetValidation) -> String {
    let number = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{} {many}", grouped(count as f64, 0))),
    };
    let (vms, disks) = (validation.summary.vms, validation.summary.other_disks);
    let parts = [
        number(vms, "VM", "VMs"),
        number(
            disks,
            "disk that none of them has",
            "disks that none of them has",
        )
        .filter(|_| vms > 0),
        number(disks, "disk", "disks").filter(|_| vms == 0),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("Validate: {}", parts.join(", "))
}

fn subtitle(validation: &FleetValidation) -> String {
    let summary = &validation.summary;
    let partly = validation.problems.iter().any(|note| note.leaves_out);
    let mut text = counts(summary.errors, summary.warnings, summary.infos);
    if summary.suppressed > 0 {
        text.push_str(&format!(", {} suppressed", summary.suppressed));
    }
    if summary.vms > 0 {
        text.push_str(&format!(
            "; {} of {} {} findings",
            grouped(summary.vms_with_findings as f64, 0),
            grouped(summary.vms as f64, 0),
            if summary.vms == 1 {
                "VM has"
            } else {
                "VMs have"
            }
        ));
    }
    if let Some(month) = &summary.month {
        let more = if month.missing.is_empty() {
            ""
        } else {
            " and more"
        };
        text.push_str(&format!("; {}{more} a month", month.known));
    }
    if partly {
        text.push_str("; incomplete: the answers leave VMs or disks out");
    }
    text
}

/// `1 error, 2 warnings, 3 infos`; `no findings`.
pub(super) fn counts(errors: usize, warnings: usize, infos: usize) -> String {
    let named = [(errors, "error"), (warnings, "warning"), (infos, "info")];
    let some = named.into_iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = some
        .map(|(count, word)| {
            let ending = if count == 1 { "" } else { "s" };
            format!("{} {word}{ending}", grouped(count as f64, 0))
        })
        .collect();
    if words.is_empty() {
        "no findings".to_owned()
    } else {
        words.join(", ")
    }
}

/// By severity, then by how many findings; equal ones keep their order.
fn weightiest_first<T>(
    all: &[T],
    worst: impl Fn(&T) -> Option<Severity>,
    findings: impl Fn(&T) -> &Vec<Finding>,
) -> Vec<&T> {
    let mut sorted: Vec<&T> = all.iter().collect();
    let weight = |item: &&T| {
        let worst = worst(item);
        let of_worst = findings(item).iter().filter(|f| Some(f.severity) == worst);
        (
            worst.map_or(u8::MAX, |severity| severity as u8),
            std::cmp::Reverse(of_worst.count()),
        )
    };
    sorted.sort_by_key(weight);
    sorted
}

/// What VMs are called: their names, with the group where several share one.
struct Labels<'v>(HashMap<&'v str, usize>);

impl<'v> Labels<'v> {
    fn new(vms: &'v [VmValidation]) -> Self {
        let mut count: HashMap<&str, usize> = HashMap::new();
        for vm in vms {
            *count.entry(&vm.vm.name).or_default() += 1;
        }
        Self(count)
    }

    fn of(&self, vm: &VmValidation) -> String {
        let name = &vm.vm.name;
        let is_shared = self.0.get(name.as_str()).is_some_and(|count| *count > 1);
        match &vm.vm.resource_group {
            Some(group) if is_shared => format!("{group}/{name}"),
            _ => name.clone(),
        }
    }
}

/// Every finding that `say` has words for, each under the name of its VM.
fn listed(
    labels: &Labels<'_>,
    vms: &[&VmValidation],
    disks: &[&DiskValidation],
    say: fn(&Finding) -> Option<Note>,
) -> Vec<Note> {
    let of_vms = vms.iter().flat_map(|vm| {
        let label = labels.of(vm);
        let findings = vm.findings.iter();
        findings.filter_map(move |finding| {
            let own = super::is_about(&vm.vm, finding);
            let subject = match own {
                true => label.clone(),
                false => format!("{label}/{}", finding.subject),
            };
            let note = say(finding)?;
            Some(Note {
                subject,
                owner: Some(label.clone()),
                fix_for_all: note
                    .fix
                    .as_deref()
                    .and_then(|fix| commands::general(vm, fix)),
                ..note
            })
        })
    });
    let of_disks = disks.iter().flat_map(|disk| {
        let notes = disk.findings.iter().filter_map(say);
        notes.map(|note| Note {
            owner: Some(disk.disk.volume.clone()),
            fix_for_all: note
                .fix
                .as_deref()
                .and_then(|fix| commands::general_of_disk(disk, fix)),
            ..note
        })
    });
    of_vms.chain(of_disks).collect()
}
