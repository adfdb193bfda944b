//! The tables of a fleet in pieces: the rows of some VMs, some disks or some problems at a time.

use super::super::money::amount;
use super::tables;
use crate::azure::validate::{DiskValidation, FleetValidation, Unknown, VmIdentity, VmValidation};
use crate::planner::Finding;
use crate::report::flat::Kind;
use crate::report::{Cell, Column, Row, Table};

/// A table of a fleet whose rows follow from one VM, disk or problem each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FleetTable {
    /// A row a VM.
    Vms,
    /// A row a finding that is not suppressed.
    Findings,
    /// A row a suppressed finding.
    Suppressed,
    /// A row an attached disk.
    Deployed,
    /// A row a disk that no VM has.
    Disks,
    /// A row an unknown.
    Unknown,
    /// A row a read problem.
    Problems,
}

impl FleetTable {
    /// Every table.
    pub const ALL: [Self; 7] = [
        Self::Vms,
        Self::Findings,
        Self::Suppressed,
        Self::Deployed,
        Self::Disks,
        Self::Unknown,
        Self::Problems,
    ];

    /// Its id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Vms => "vms",
            Self::Findings => "findings",
            Self::Suppressed => "suppressed",
            Self::Deployed => "deployed",
            Self::Disks => "disks",
            Self::Unknown => "unknown",
            Self::Problems => "problems",
        }
    }
}

/// What the columns of all these tables hold.
pub(in crate::report) fn kind(column: &str) -> Kind {
    match column {
        "disks" | "errors" | "warnings" | "infos" | "unknowns" | "lun" | "max_shares" | "line" => {
            Kind::Whole
        }
        "size_gib" | "iops" | "mbps" => Kind::Real,
        "month" => Kind::Money,
        "month_complete" => Kind::Flag,
        _ => Kind::Text,
    }
}

/// The rows of some VMs. `head` says whether there are prices.
pub(in crate::report) fn of_vms(
    table: FleetTable,
    head: &FleetValidation,
    vms: &[VmValidation],
) -> Table {
    let all: Vec<&VmValidation> = vms.iter().collect();
    match table {
        FleetTable::Vms => tables::vms(head, &all),
        FleetTable::Deployed => tables::deployed(head, &all),
        FleetTable::Disks => tables::other_disks(head, &[]),
        FleetTable::Findings | FleetTable::Suppressed => {
            owned(
                table,
                finding_columns(head),
                vms.iter().flat_map(|vm| {
                    of_owner(table, &Owner::of_vm(&vm.vm), &vm.findings, |finding| {
                        match super::is_about(&vm.vm, finding) {
                            true => &vm.vm.name,
                            false => &finding.subject,
                        }
                    })
                }),
            )
        }
        FleetTable::Unknown => tables::unknowns(true, unknowns_of_vms(vms)),
        FleetTable::Problems => tables::problems(vms.iter().flat_map(|vm| &vm.problems)),
    }
}

/// The rows of some disks that no VM has.
pub(in crate::report) fn of_disks(
    table: FleetTable,
    head: &FleetValidation,
    disks: &[DiskValidation],
) -> Table {
    let all: Vec<&DiskValidation> = disks.iter().collect();
    match table {
        FleetTable::Vms | FleetTable::Deployed => Table::default(),
        FleetTable::Disks => tables::other_disks(head, &all),
        FleetTable::Findings | FleetTable::Suppressed => owned(
            table,
            finding_columns(head),
            disks.iter().flat_map(|disk| {
                of_owner(table, &Owner::of_disk(disk), &disk.findings, |finding| {
                    &finding.subject
                })
            }),
        ),
        FleetTable::Unknown => tables::unknowns(
            true,
            disks.iter().flat_map(|disk| {
                let owner = &disk.disk.volume;
                disk.unknowns
                    .iter()
                    .map(move |unknown| (owner.clone(), unknown))
            }),
        ),
        FleetTable::Problems => tables::problems(disks.iter().flat_map(|disk| &disk.problems)),
    }
}

/// The rows of what could not be read: `head` with the problems of the fleet.
pub(in crate::report) fn of_problems(table: FleetTable, head: &FleetValidation) -> Table {
    match table {
        FleetTable::Vms => tables::vms(head, &[]),
        FleetTable::Problems => tables::problems(head.problems.iter()),
        _ => Table::default(),
    }
}

fn unknowns_of_vms(vms: &[VmValidation]) -> impl Iterator<Item = (String, &Unknown)> {
    vms.iter().flat_map(|vm| {
        vm.unknowns
            .iter()
            .map(|unknown| (vm.vm.name.clone(), unknown))
    })
}

fn owned(table: FleetTable, columns: Vec<Column>, rows: impl Iterator<Item = Row>) -> Table {
    Table {
        id: table.id().to_owned(),
        title: match table {
            FleetTable::Suppressed => "Suppressed findings",
            _ => "Findings",
        }
        .to_owned(),
        columns,
        rows: rows.collect(),
    }
}

/// Whose finding it is.
struct Owner<'v> {
    kind: &'static str,
    name: &'v str,
    resource_group: Option<&'v String>,
    subscription: Option<&'v String>,
    region: Option<&'v String>,
    size: Option<&'v String>,
    id: Option<&'v String>,
}

impl<'v> Owner<'v> {
    fn of_vm(vm: &'v VmIdentity) -> Self {
        Self {
            kind: "vm",
            name: &vm.name,
            resource_group: vm.resource_group.as_ref(),
            subscription: vm.subscription.as_ref(),
            region: vm.region.as_ref(),
            size: vm.size.as_ref(),
            id: vm.id.as_ref(),
        }
    }

    fn of_disk(disk: &'v DiskValidation) -> Self {
        Self {
            kind: "disk",
            name: &disk.disk.volume,
            resource_group: disk.resource_group.as_ref(),
            subscription: disk.subscription.as_ref(),
            region: disk.region.as_ref(),
            size: None,
            id: disk.disk.id.as_ref(),
        }
    }
}

fn finding_columns(head: &FleetValidation) -> Vec<Column> {
    vec![
        Column::new("severity", "Severity"),
        Column::new("id", "Id"),
        Column::new("subject", "Subject"),
        Column::new("text", "Finding"),
        Column::new("fix", "Fix"),
        tables::month(head),
        Column::new("owner_kind", "VM or disk"),
        Column::new("owner", "Whose it is"),
        Column::new("resource_group", "Group"),
        Column::new("subscription", "Subscription"),
        Column::new("region", "Region"),
        Column::new("size", "Size"),
        Column::new("owner_id", "Resource id"),
        Column::new("suppressed", "Suppressed for"),
    ]
}

/// The rows of its findings, the suppressed ones or the others; `subject` is what each is about, by the name that every
/// output has.
fn of_owner<'v>(
    table: FleetTable,
    owner: &Owner<'v>,
    findings: &'v [Finding],
    subject: impl Fn(&'v Finding) -> &'v String,
) -> Vec<Row> {
    let row = |finding: &'v Finding| {
        Row::new(vec![
            Cell::text(finding.severity.name()),
            Cell::text(finding.id.code()),
            Cell::text(subject(finding)),
            Cell::text(&finding.message),
            tables::text(finding.fix.as_ref()),
            amount(finding.per_month()),
            Cell::text(owner.kind),
            Cell::text(owner.name),
            tables::text(owner.resource_group),
            tables::text(owner.subscription),
            tables::text(owner.region),
            tables::text(owner.size),
            tables::text(owner.id),
            tables::text(finding.suppressed.as_ref().map(|by| &by.reason)),
        ])
    };
    let suppressed = table == FleetTable::Suppressed;
    let wanted = |finding: &&Finding| finding.suppressed.is_some() == suppressed;
    findings.iter().filter(wanted).map(row).collect()
}
