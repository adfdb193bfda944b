//! The tables of validations.

use super::super::findings::tone;
use super::super::metrics::throttling;
use super::super::money::{amount, total};
use crate::azure::validate::{
    DeployedDisk, DiskValidation, FleetValidation, ReadNote, Unknown, VmValidation,
};
use crate::catalog::price::{Currency, Total};
use crate::catalog::{Axis, BurstKind};
use crate::deployment::Role;
use crate::planner::findings::duration;
use crate::planner::{Finding, Severity};
use crate::report::{Cell, Column, Row, Table};
use crate::units::{GiB, Iops, MBps, grouped};

/// A text, or unknown.
pub(super) fn text(text: Option<&String>) -> Cell {
    text.map_or(Cell::EMPTY, Cell::text)
}

fn texts(texts: &[String]) -> Cell {
    if texts.is_empty() {
        Cell::EMPTY
    } else {
        Cell::text(texts.join(", "))
    }
}

pub(super) fn shown_if(holds: bool, column: Column) -> Column {
    if holds { column } else { column.on_request() }
}

pub(super) fn count(findings: &[Finding], severity: Severity) -> usize {
    let open = findings.iter().filter(|f| f.suppressed.is_none());
    open.filter(|f| f.severity == severity).count()
}

/// How many findings of a severity; those that are some stand out.
fn count_cell(findings: &[Finding], severity: Severity) -> Cell {
    let count = count(findings, severity);
    let cell = Cell::number(count as f64, 0);
    if count > 0 {
        cell.toned(tone(severity))
    } else {
        cell
    }
}

pub(super) fn worst(severity: Option<Severity>) -> Cell {
    severity.map_or(Cell::EMPTY, |severity| {
        Cell::text(severity.name()).toned(tone(severity))
    })
}

/// The VMs, a line each, in the order of `vms`.
pub(super) fn vms(validation: &FleetValidation, vms: &[&VmValidation]) -> Table {
    let money = !validation.prices.is_empty();
    let metrics = vms.iter().any(|vm| vm.metrics.is_some());
    let unread = unread(&validation.problems);
    let columns = vec![
        Column::new("vm", "VM"),
        Column::new("resource_group", "Group").ranked(5),
        Column::new("subscription", "Subscription").on_request(),
        Column::new("size", "Size").ranked(1),
        Column::new("region", "Region").ranked(3),
        Column::new("zones", "Zone").ranked(8),
        Column::new("os", "OS").ranked(4),
        Column::new("power", "Power").ranked(2),
        Column::new("disks", "Disks").ranked(6),
        Column::new("worst", "Worst"),
        // The worst severity says whether there are some, and the findings follow.
        Column::new("errors", "Errors").ranked(7),
        Column::new("warnings", "Warnings"),
        Column::new("infos", "Infos").ranked(7),
        shown_if(metrics, Column::new("throttled", "Throttled")),
        Column::new("unknowns", "Unknown").ranked(9),
        shown_if(money, month(validation)),
        Column::new("month_complete", "Month complete").on_request(),
        shown_if(
            !unread.is_empty() || vms.iter().any(|vm| vm.assessment.is_none()),
            Column::new("not_judged", "Not judged"),
        ),
        Column::new("scale_set", "Scale set").on_request(),
        Column::new("id", "Id").on_request(),
        Column::new("source", "Source").on_request(),
    ];
    let row = |vm: &&VmValidation| {
        let of = &vm.vm;
        Row::new(vec![
            Cell::text(&of.name),
            text(of.resource_group.as_ref()),
            text(of.subscription.as_ref()),
            text(of.size.as_ref()),
            text(of.region.as_ref()),
            texts(&of.zones),
            text(of.os.as_ref()),
            text(of.power.as_ref()),
            Cell::number(vm.disks.len() as f64, 0),
            worst(vm.worst()),
            count_cell(&vm.findings, Severity::Error),
            count_cell(&vm.findings, Severity::Warning),
            count_cell(&vm.findings, Severity::Info),
            vm.metrics.as_ref().map_or(Cell::EMPTY, throttling),
            Cell::number(vm.unknowns.len() as f64, 0),
            vm.month().map_or(Cell::EMPTY, total),
            is_complete(vm.month()),
            not_judged(vm),
            text(of.scale_set.as_ref()),
            text(of.id.as_ref()),
            Cell::text(&of.source),
        ])
    };
    let unread = unread.iter().map(|vm| unread_row(&columns, vm));
    let rows = vms.iter().map(row).chain(unread).collect();
    Table {
        id: "vms".to_owned(),
        title: "Virtual machines".to_owned(),
        columns,
        rows,
    }
}

/// A month's price. Its head for machines is that of the currency whether or not there are prices: of US dollars, where none
/// were asked for.
pub(super) fn month(validation: &FleetValidation) -> Column {
    let column = Column::new("month", "A month");
    let mut currencies = validation.prices.iter().map(|book| book.currency);
    let first = currencies.next().unwrap_or(Currency::USD);
    match currencies.all(|other| other == first) {
        true => column.in_currency(first.to_string()),
        false => column,
    }
}

/// Whether a sum has everything but what is billed by use; nothing where there are no prices.
fn is_complete(month: Option<&Total>) -> Cell {
    month.map_or(Cell::EMPTY, |month| Cell::flag(month.is_complete()))
}

/// Why a VM could not be assessed.
fn not_judged(vm: &VmValidation) -> Cell {
    if vm.assessment.is_some() {
        return Cell::EMPTY;
    }
    let own = vm.unknowns.iter().filter(|of| of.subject == vm.vm.name);
    let whats: Vec<&str> = own.map(|unknown| unknown.what.as_str()).collect();
    Cell::text(whats.join("; "))
}

/// A VM that could not be read, and why.
struct Unread<'v> {
    name: &'v str,
    source: &'v str,
    why: String,
}

/// The VMs that problems name and that were left out for them, each once.
fn unread(problems: &[ReadNote]) -> Vec<Unread<'_>> {
    let mut all: Vec<Unread<'_>> = Vec::new();
    for note in problems {
        let subject = note.subject.as_deref();
        let Some(name) = subject.and_then(|subject| subject.strip_prefix("VM ")) else {
            continue;
        };
        match all.last_mut() {
            Some(last) if (last.name, last.source) == (name, &*note.source) => {
                last.why.push_str("; ");
                last.why.push_str(&note.text);
            }
            _ => all.push(Unread {
                name,
                source: &note.source,
                why: note.text.clone(),
            }),
        }
    }
    all
}

fn unread_row(columns: &[Column], vm: &Unread<'_>) -> Row {
    let cell = |column: &Column| match &*column.id {
        "vm" => Cell::text(vm.name),
        "not_judged" => Cell::text(&vm.why),
        "source" => Cell::text(vm.source),
        _ => Cell::EMPTY,
    };
    Row::new(columns.iter().map(cell).collect())
}

/// What is deployed: the disks of `vms`, a line each.
pub(super) fn deployed(validation: &FleetValidation, vms: &[&VmValidation]) -> Table {
    let several = vms.len() > 1;
    let mut columns = vec![
        shown_if(several, Column::new("vm", "VM")),
        Column::new("resource_group", "Group").on_request(),
        Column::new("volume", "Volume"),
    ];
    columns.extend(disk_columns(validation));
    let rows = vms.iter().flat_map(|vm| {
        vm.disks.iter().map(|disk| {
            let mut cells = vec![
                Cell::text(&vm.vm.name),
                text(vm.vm.resource_group.as_ref()),
                Cell::text(&disk.volume),
            ];
            cells.extend(disk_cells(disk));
            Row::new(cells)
        })
    });
    Table {
        id: "deployed".to_owned(),
        title: "What is deployed".to_owned(),
        columns,
        rows: rows.collect(),
    }
}

fn disk_columns(validation: &FleetValidation) -> Vec<Column> {
    let money = !validation.prices.is_empty();
    vec![
        Column::new("lun", "LUN").on_request(),
        Column::new("disk", "Disk").ranked(3),
        Column::new("sku", "SKU").on_request(),
        Column::new("kind", "Kind"),
        Column::new("size_gib", "GiB").ranked(1),
        Column::new("caching", "Cache"),
        Column::new("iops", "IOPS"),
        Column::new("mbps", "MB/s"),
        Column::new("burst", "Burst of a disk").ranked(4),
        Column::new("zones", "Zone").ranked(6),
        Column::new("max_shares", "Shares").on_request(),
        Column::new("role", "Role").on_request(),
        Column::new("tier", "Tier").on_request(),
        Column::new("known_from", "Known from").ranked(5),
        shown_if(money, month(validation)),
        Column::new("month_complete", "Month complete").on_request(),
        Column::new("id", "Id").on_request(),
    ]
}

fn disk_cells(disk: &DeployedDisk) -> Vec<Cell> {
    let role = match disk.role {
        Role::Os => "os",
        Role::Data => "data",
        Role::Local => "local",
    };
    vec![
        Cell::known(disk.lun.map(f64::from), 0),
        text(disk.name.as_ref()),
        text(disk.sku.as_ref()),
        Cell::text(&disk.label),
        Cell::known(disk.size_gib.map(GiB::get), 0),
        Cell::text(disk.caching.name()),
        Cell::known(disk.limits.iops.map(Iops::get), 0),
        Cell::known(disk.limits.mbps.map(MBps::get), 1),
        burst(disk),
        texts(&disk.zones),
        Cell::known(disk.max_shares.map(f64::from), 0),
        Cell::text(role),
        text(disk.tier.as_ref()),
        Cell::text(if disk.read_itself {
            "the disk"
        } else {
            "its VM"
        }),
        disk.month.as_ref().map_or(Cell::EMPTY, total),
        is_complete(disk.month.as_ref()),
        text(disk.id.as_ref()),
    ]
}

fn burst(disk: &DeployedDisk) -> Cell {
    let Some(burst) = disk.burst else {
        return Cell::EMPTY;
    };
    let figure = |axis| {
        let value = burst.limits.on(axis);
        value.map_or_else(|| "?".to_owned(), |value| grouped(value, 1))
    };
    let kind = match burst.kind {
        BurstKind::Credit { seconds } => duration(seconds),
        BurstKind::OnDemand => "on demand, billed".to_owned(),
    };
    Cell::text(format!(
        "{} / {}, {kind}",
        figure(Axis::Iops),
        figure(Axis::Mbps)
    ))
}

/// The disks that no VM has.
pub(super) fn other_disks(validation: &FleetValidation, disks: &[&DiskValidation]) -> Table {
    // Who has a disk is the first question about it; where nobody has one the column is empty.
    let some_attached = disks.iter().any(|disk| !disk.attached_to.is_empty());
    let rank = if some_attached { 1 } else { 9 };
    let mut columns = vec![
        Column::new("resource_group", "Group").ranked(7),
        Column::new("subscription", "Subscription").on_request(),
        Column::new("region", "Region").ranked(8),
        Column::new("worst", "Worst"),
        Column::new("attached_to", "Attached to").ranked(rank),
    ];
    columns.extend(disk_columns(validation).into_iter().map(|column| {
        match &*column.id {
            // The name comes first here, and no VM says how it is cached.
            "disk" => Column { rank: 0, ..column },
            "caching" | "known_from" => column.on_request(),
            _ => column,
        }
    }));
    let position = columns.iter().position(|column| column.id == "disk");
    let row = |disk: &&DiskValidation| {
        let mut cells = vec![
            text(disk.resource_group.as_ref()),
            text(disk.subscription.as_ref()),
            text(disk.region.as_ref()),
            worst(disk.worst()),
            texts(&names(&disk.attached_to)),
        ];
        cells.extend(disk_cells(&disk.disk));
        if let Some(position) = position {
            cells[..=position].rotate_right(1);
        }
        Row::new(cells)
    };
    let rows = disks.iter().map(row).collect();
    if let Some(position) = position {
        columns[..=position].rotate_right(1);
    }
    Table {
        id: "disks".to_owned(),
        title: "Disks that none of these VMs has".to_owned(),
        columns,
        rows,
    }
}

/// The last parts of resource ids.
fn names(ids: &[String]) -> Vec<String> {
    let name = |id: &String| id.rsplit('/').next().unwrap_or_default().to_owned();
    ids.iter().map(name).collect()
}

/// The findings by id, and what they cost.
pub(super) fn by_finding(validation: &FleetValidation) -> Table {
    let money = !validation.prices.is_empty();
    let counted = &validation.summary.by_finding;
    let row = |counted: &crate::azure::validate::summary::FindingCount| {
        Row::new(vec![
            worst(Some(counted.severity)),
            Cell::text(counted.id.code()),
            Cell::text(counted.id.explanation().title),
            Cell::number(counted.count as f64, 0),
            Cell::number(counted.vms as f64, 0),
            Cell::number(counted.disks as f64, 0),
            amount(counted.month),
        ])
    };
    let title = Column::new("title", "What it is");
    Table {
        id: "summary".to_owned(),
        title: "Findings by id".to_owned(),
        columns: vec![
            // The same id may be met with several severities.
            Column::new("severity", "Severity"),
            Column::new("id", "Id"),
            // The findings themselves follow, where there are VMs or disks.
            match validation.vms.is_empty() && validation.disks.is_empty() {
                true => title.ranked(2),
                false => title.on_request(),
            },
            Column::new("count", "Count"),
            Column::new("vms", "VMs").ranked(1),
            Column::new("disks", "Disks alone").ranked(2),
            shown_if(money, month(validation)),
        ],
        rows: counted.iter().map(row).collect(),
    }
}

/// The findings that cost most.
pub(super) fn by_money(validation: &FleetValidation) -> Table {
    let row = |costly: &crate::azure::validate::summary::CostlyFinding| {
        Row::new(vec![
            Cell::text(&costly.owner),
            text(costly.resource_group.as_ref()),
            Cell::text(costly.id.code()),
            Cell::text(&costly.subject),
            amount(Some(costly.month)),
        ])
    };
    Table {
        id: "costliest".to_owned(),
        title: match validation.prices.is_empty() {
            true => "The findings that cost most (prices are needed: --cost)",
            false => "The findings that cost most",
        }
        .to_owned(),
        columns: vec![
            Column::new("owner", "VM or disk"),
            Column::new("resource_group", "Group").ranked(2),
            Column::new("id", "Id"),
            Column::new("subject", "Subject").ranked(1),
            month(validation),
        ],
        rows: validation.summary.costliest.iter().map(row).collect(),
    }
}

/// What is not known; `owners` names whose it is, where there are several.
pub(super) fn unknowns<'u>(
    several: bool,
    unknowns: impl Iterator<Item = (String, &'u Unknown)>,
) -> Table {
    let row = |(owner, unknown): (String, &Unknown)| {
        Row::new(vec![
            Cell::text(owner),
            Cell::text(&unknown.subject),
            Cell::text(&unknown.what),
        ])
    };
    Table {
        id: "unknown".to_owned(),
        title: "Not known".to_owned(),
        columns: vec![
            shown_if(several, Column::new("owner", "VM or disk")),
            Column::new("subject", "Subject"),
            Column::new("what", "What is not known"),
        ],
        rows: unknowns.map(row).collect(),
    }
}

/// What was odd about the answers.
pub(super) fn problems<'n>(notes: impl Iterator<Item = &'n ReadNote>) -> Table {
    let row = |note: &ReadNote| {
        Row::new(vec![
            worst(Some(note.severity)),
            text(note.subject.as_ref()),
            Cell::text(&note.text),
            Cell::text(&note.source),
            Cell::known(note.line.map(|line| line as f64), 0),
        ])
    };
    Table {
        id: "problems".to_owned(),
        title: "Read with difficulty".to_owned(),
        columns: vec![
            Column::new("severity", "Severity"),
            Column::new("subject", "Subject"),
            Column::new("text", "What is the matter"),
            Column::new("source", "Source").ranked(1),
            Column::new("line", "Line").ranked(2),
        ],
        rows: notes.map(row).collect(),
    }
}

/// The sections of tables that have rows; those that have none go to `unfilled`.
pub(super) fn sorted(
    tables: impl IntoIterator<Item = Table>,
    unfilled: &mut Vec<Table>,
) -> Vec<crate::report::Section> {
    let (filled, empty): (Vec<Table>, Vec<Table>) =
        tables.into_iter().partition(|table| !table.rows.is_empty());
    unfilled.extend(empty);
    filled
        .into_iter()
        .map(crate::report::Section::Table)
        .collect()
}
