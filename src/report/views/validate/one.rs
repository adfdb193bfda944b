//! One VM as a document: findings first, then what is deployed, then what a plan shows.

use super::super::findings::{ALL_SUPPRESSED, accepted, open, open_notes, suppressed_notes};
use super::super::metrics;
use super::super::money::without_licence;
use super::tables;
use crate::azure::validate::{FleetValidation, VmValidation, commands};
use crate::planner::{Finding, Severity};
use crate::report::{Document, Note, Report, Section};

pub(super) fn document(validation: &FleetValidation, vm: &VmValidation) -> Document {
    let mut sections = vec![verdict(vm)];
    sections.extend(suppressed_notes(listed(vm, accepted)).map(Section::Notes));
    let mut footnotes = super::footnotes(validation);
    let mut unfilled_tables = Vec::new();
    sections.extend(tables::sorted(
        [
            tables::vms(validation, &[vm]),
            tables::deployed(validation, &[vm]),
        ],
        &mut unfilled_tables,
    ));
    if let Some(metrics) = &vm.metrics {
        sections.push(Section::Text {
            title: "Azure Monitor's metrics".to_owned(),
            paragraphs: vec![metrics::sentence(metrics)],
        });
        sections.extend(metrics::sections(&[metrics], false));
        footnotes.extend(metrics.notes.iter().cloned());
    }
    if let Some(assessment) = &vm.assessment {
        let mut plan = assessment.document();
        let cost = assessment.cost.as_ref();
        if let Some(cost) = cost.filter(|_| vm.vm.is_windows()) {
            without_licence(cost, &mut plan.sections);
        }
        sections.extend(plan.sections);
        let new = plan.footnotes.into_iter();
        let new: Vec<String> = new.filter(|note| !footnotes.contains(note)).collect();
        footnotes.extend(new);
    }
    if let Some(bench) = &vm.bench {
        let measured = Report::document(bench);
        let is_findings =
            |section: &Section| matches!(section, Section::Notes(notes) if notes.id == "findings");
        let of_bench = measured.sections.into_iter();
        sections.extend(of_bench.filter(|section| !is_findings(section)));
        footnotes.extend(measured.footnotes.into_iter().skip(1));
    }
    let unknowns = vm
        .unknowns
        .iter()
        .map(|unknown| (vm.vm.name.clone(), unknown));
    let problems = vm.problems.iter().chain(&validation.problems);
    sections.extend(tables::sorted(
        [
            tables::unknowns(false, unknowns),
            tables::problems(problems),
        ],
        &mut unfilled_tables,
    ));
    Document {
        title: title(vm),
        subtitle: Some(subtitle(vm)),
        sections,
        footnotes,
        incomplete: super::incomplete(validation),
        unread: super::unread(validation),
        unfilled: super::super::findings::unfilled(),
        unfilled_tables,
        ..Document::default()
    }
}

fn title(vm: &VmValidation) -> String {
    match &vm.vm.size {
        Some(size) => format!("Validate: {} ({size})", vm.vm.name),
        None => format!("Validate: {}", vm.vm.name),
    }
}

fn subtitle(vm: &VmValidation) -> String {
    let of = &vm.vm;
    let mut parts: Vec<String> = of.resource_group.iter().cloned().collect();
    let zones = match of.zones.as_slice() {
        [] => String::new(),
        zones => format!(" zone {}", zones.join(", ")),
    };
    parts.extend(of.region.as_ref().map(|region| format!("{region}{zones}")));
    parts.extend(of.os.iter().cloned());
    parts.extend(of.power.iter().cloned());
    parts.extend(
        of.controller
            .map(|controller| format!("{controller} controller")),
    );
    let noun = if vm.disks.len() == 1 { "disk" } else { "disks" };
    parts.push(format!("{} {noun}", vm.disks.len()));
    parts.join(", ")
}

/// The findings that `say` has words for, as a report of many VMs has them: with the VM whose they are, and by its name
/// where they are about all of it.
fn listed(vm: &VmValidation, say: fn(&Finding) -> Option<Note>) -> Vec<Note> {
    let name = &vm.vm.name;
    let note = |finding: &Finding| {
        let note = say(finding)?;
        let subject = match super::is_about(&vm.vm, finding) {
            true => name.clone(),
            false => note.subject,
        };
        Some(Note {
            subject,
            owner: Some(name.clone()),
            fix_for_all: note
                .fix
                .as_deref()
                .and_then(|fix| commands::general(vm, fix)),
            ..note
        })
    };
    vm.findings.iter().filter_map(note).collect()
}

/// The findings; where there are none, that there are none.
fn verdict(vm: &VmValidation) -> Section {
    if vm.worst().is_none() {
        let clean = match vm.findings.len() {
            0 => super::clean(vm.unknowns.is_empty()),
            _ => ALL_SUPPRESSED,
        };
        return Section::Text {
            title: "Findings".to_owned(),
            paragraphs: vec![clean.to_owned()],
        };
    }
    let mut findings = open_notes(listed(vm, open));
    let count = |severity| tables::count(&vm.findings, severity);
    findings.title = format!(
        "Findings ({})",
        super::fleet::counts(
            count(Severity::Error),
            count(Severity::Warning),
            count(Severity::Info)
        )
    );
    Section::Notes(findings)
}
