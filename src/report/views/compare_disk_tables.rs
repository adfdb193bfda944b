//! The tables of a comparison of disks.

use super::fields::{Field, table};
use super::money::amount;
use super::month::{month, per_month_missing};
use super::outcome::{basis, bottleneck, iops_of, mbps_of};
use crate::catalog::{Axis, BurstKind, Limits};
use crate::compare::DiskComparison;
use crate::compare::disks::{BLOCKS, Chosen, DiskRow, OnVm};
use crate::report::{Cell, Column, Table, Tone};
use crate::units::{GiB, Iops, MBps};

type DiskField = Field<DiskRow>;

fn field(column: Column, cell: impl Fn(&DiskRow) -> Cell + 'static) -> DiskField {
    Field::new(column, cell)
}

const fn tone(row: &DiskRow) -> Tone {
    if row.refused.is_empty() {
        Tone::Plain
    } else {
        Tone::Bad
    }
}

/// The main table: it holds every column, so that formats of one table say everything; those that other tables show
/// are not shown in it unless asked for.
pub(super) fn disks(comparison: &DiskComparison) -> Table {
    let mut fields = vec![name()];
    fields.extend(made_of(comparison));
    fields.extend(provisioned());
    if comparison.vm.is_some() {
        fields.extend(on_vm(comparison));
    }
    if let Some(info) = &comparison.prices {
        fields.extend(prices(comparison, &info.currency.to_string()));
    }
    let elsewhere = one_by_one()
        .into_iter()
        .chain(block_sizes())
        .chain(limits(comparison));
    fields.extend(elsewhere.map(Field::on_request));
    let title = match comparison.disks.is_empty() {
        true => "Disks that have it",
        false => "What they give",
    };
    table("disks", title, fields, &comparison.disks, tone)
}

pub(super) fn at_block_sizes(comparison: &DiskComparison) -> Table {
    let mut fields = vec![name()];
    fields.extend(one_by_one());
    fields.extend(block_sizes());
    let title = "One I/O at a time, and MB/s at block sizes (the disk by itself, without bursting)";
    table("blocks", title, fields, &comparison.disks, tone)
}

pub(super) fn uses(comparison: &DiskComparison) -> Table {
    let mut fields = vec![name()];
    fields.extend(limits(comparison));
    table(
        "use",
        "What they can be used for",
        fields,
        &comparison.disks,
        tone,
    )
}

fn name() -> DiskField {
    field(Column::new("disk", "Disk"), |row| {
        let name = Cell::text(&row.name);
        match row.refused.is_empty() {
            true => name,
            false => name.hinted("refused"),
        }
    })
}

fn made_of(comparison: &DiskComparison) -> Vec<DiskField> {
    let several = comparison
        .disks
        .iter()
        .any(|row| row.chosen != Chosen::Given);
    let named = comparison.disks.iter().any(|row| row.name != row.sku);
    vec![
        field(Column::new("sku", "SKU").ranked(4), |row| {
            Cell::text(&row.sku)
        })
        .shown_if(named),
        field(Column::new("family", "Family").on_request(), |row| {
            Cell::text(row.family.name())
        }),
        field(Column::new("chosen", "Why").ranked(9), |row| {
            Cell::text(row.chosen.name())
        })
        .shown_if(several),
        field(Column::new("spec", "Spec").on_request(), |row| {
            Cell::text(&row.spec)
        }),
        field(Column::new("members", "Disks").on_request(), |row| {
            Cell::number(row.members as f64, 0)
        }),
        field(Column::new("size_gib", "GiB").ranked(5), |row| {
            Cell::known(row.size_gib.map(GiB::get), 0)
        }),
    ]
}

fn iops(limits: Limits) -> Cell {
    Cell::known(limits.iops.map(Iops::get), 0)
}

fn mbps(limits: Limits) -> Cell {
    Cell::known(limits.mbps.map(MBps::get), 1)
}

fn provisioned() -> Vec<DiskField> {
    let burst = |row: &DiskRow| row.burst.map_or(Limits::UNKNOWN, |burst| burst.limits);
    let minutes = |row: &DiskRow| match row.burst.map(|burst| burst.kind) {
        Some(BurstKind::Credit { seconds }) => Some(seconds / 60.0),
        Some(BurstKind::OnDemand) | None => None,
    };
    let paid = |row: &DiskRow| {
        row.burst.map_or(Cell::EMPTY, |burst| {
            Cell::flag(burst.kind == BurstKind::OnDemand)
        })
    };
    vec![
        field(Column::new("provisioned_iops", "IOPS"), |row| {
            iops(row.provisioned)
        }),
        field(Column::new("provisioned_mbps", "MB/s"), |row| {
            mbps(row.provisioned)
        }),
        field(
            Column::new("burst_iops", "Burst IOPS").ranked(6),
            move |row| iops(burst(row)),
        ),
        field(
            Column::new("burst_mbps", "Burst MB/s").ranked(6),
            move |row| mbps(burst(row)),
        ),
        field(
            Column::new("burst_minutes", "Burst min").ranked(7),
            move |row| Cell::known(minutes(row), 0),
        ),
        field(
            Column::new("burst_on_demand", "Burst is billed").on_request(),
            paid,
        ),
    ]
}

/// A column of what a disk comes to on the VM.
fn vm_field(column: Column, cell: impl Fn(&OnVm) -> Cell + 'static) -> DiskField {
    field(column, move |row| {
        row.on_vm.as_ref().map_or(Cell::EMPTY, &cell)
    })
}

fn on_vm(comparison: &DiskComparison) -> Vec<DiskField> {
    let any_unusable = comparison.disks.iter().any(is_unusable);
    let unusable = |cell: Cell| match cell.value.as_number() {
        Some(number) if number > 0.0 => cell.toned(Tone::Warning),
        _ => cell,
    };
    vec![
        vm_field(Column::new("vm_iops", "IOPS on VM"), |on| {
            iops_of(&on.reach.iops.sustained)
        }),
        vm_field(Column::new("vm_mbps", "MB/s on VM"), |on| {
            mbps_of(&on.reach.mbps.sustained)
        }),
        vm_field(
            Column::new("vm_burst_iops", "Burst IOPS on VM").ranked(3),
            |on| iops_of(&on.reach.iops.burst),
        ),
        vm_field(
            Column::new("vm_burst_mbps", "Burst MB/s on VM").ranked(3),
            |on| mbps_of(&on.reach.mbps.burst),
        ),
        vm_field(
            Column::new("bottleneck_iops", "IOPS stopped by").ranked(4),
            |on| bottleneck(&on.reach.iops.sustained),
        ),
        vm_field(
            Column::new("bottleneck_mbps", "MB/s stopped by").ranked(4),
            |on| bottleneck(&on.reach.mbps.sustained),
        ),
        vm_field(
            Column::new("burst_bottleneck_iops", "Burst IOPS stopped by").on_request(),
            |on| bottleneck(&on.reach.iops.burst),
        ),
        vm_field(
            Column::new("burst_bottleneck_mbps", "Burst MB/s stopped by").on_request(),
            |on| bottleneck(&on.reach.mbps.burst),
        ),
        vm_field(
            Column::new("unusable_iops", "Unusable IOPS").ranked(7),
            move |on| unusable(iops(on.unusable)),
        )
        .shown_if(any_unusable),
        vm_field(
            Column::new("unusable_mbps", "Unusable MB/s").ranked(7),
            move |on| unusable(mbps(on.unusable)),
        )
        .shown_if(any_unusable),
    ]
}

/// Whether the VM does not let all of it through.
fn is_unusable(row: &DiskRow) -> bool {
    let beyond = row.on_vm.map_or(Limits::UNKNOWN, |on| on.unusable);
    [Axis::Iops, Axis::Mbps]
        .iter()
        .any(|axis| beyond.on(*axis).is_some_and(|beyond| beyond > 0.0))
}

fn prices(comparison: &DiskComparison, currency: &str) -> Vec<DiskField> {
    let money = |id: &'static str, title| Column::new(id, title).in_currency(currency);
    let mut fields = vec![
        field(money("month", "Price a month").ranked(1), |row| {
            month(row.month.as_ref())
        }),
        field(
            Column::new("month_without", "Not in the price").on_request(),
            |row| per_month_missing(row.month.as_ref()),
        ),
        field(money("per_1000_iops", "Per 1,000 IOPS").ranked(2), |row| {
            amount(row.per_1000_iops)
        }),
    ];
    if comparison.vm.is_some() {
        fields.push(vm_field(
            money("per_1000_effective_iops", "Per 1,000 IOPS on VM").on_request(),
            |on| amount(on.per_1000_effective_iops),
        ));
    }
    fields
}

fn one_by_one() -> Vec<DiskField> {
    let latency = |row: &DiskRow| {
        row.queue_depth_1.map_or(Cell::EMPTY, |one| {
            Cell::number(one.latency_us.micros(), 0).hinted(basis(one.basis))
        })
    };
    vec![
        field(
            Column::new("latency_us", "QD1 latency, us").ranked(1),
            latency,
        ),
        field(
            Column::new("queue_depth_1_iops", "QD1 ceiling, IOPS"),
            |row| Cell::known(row.queue_depth_1.map(|one| one.ceiling_iops.get()), 0),
        ),
    ]
}

fn block_sizes() -> Vec<DiskField> {
    let names = [
        ("mbps_at_8kib", "MB/s at 8 KiB", 0),
        ("mbps_at_64kib", "MB/s at 64 KiB", 0),
        ("mbps_at_1mib", "MB/s at 1 MiB", 0),
    ];
    names
        .into_iter()
        .zip(BLOCKS)
        .map(|((id, title, rank), block)| {
            field(Column::new(id, title).ranked(rank), move |row| {
                let rate = row
                    .throughput
                    .iter()
                    .find(|rate| rate.block_size_bytes == block);
                Cell::known(rate.and_then(|rate| rate.mbps).map(MBps::get), 1)
            })
        })
        .collect()
}

fn limits(comparison: &DiskComparison) -> Vec<DiskField> {
    let redundancies = |row: &DiskRow| match row.redundancies.as_slice() {
        [] => Cell::EMPTY,
        all => Cell::text(joined(all, ", ")),
    };
    let zones = |row: &DiskRow| match row.zones.as_deref() {
        None if row.offered == Some(false) => Cell::text("not offered"),
        None => Cell::EMPTY,
        Some([]) => Cell::text("none"),
        Some(zones) => Cell::text(joined(zones, " ")),
    };
    let mut fields = vec![
        field(Column::new("most_iops", "Settable IOPS").ranked(6), |row| {
            iops(row.most)
        }),
        field(Column::new("most_mbps", "Settable MB/s").ranked(6), |row| {
            mbps(row.most)
        }),
        field(Column::new("largest_gib", "Largest GiB").ranked(2), |row| {
            Cell::known(row.largest_gib.map(GiB::get), 0)
        }),
        field(
            Column::new("host_caching", "Host caching").ranked(1),
            |row| Cell::flag(row.host_caching),
        ),
        field(Column::new("os_disk", "OS disk").ranked(3), |row| {
            Cell::flag(row.os_disk)
        }),
        field(
            Column::new("redundancy_offered", "Redundancy").ranked(3),
            redundancies,
        ),
        field(Column::new("max_shares", "Shared by").ranked(4), |row| {
            Cell::known(row.max_shares.map(f64::from), 0)
        }),
    ];
    if let Some(region) = &comparison.region {
        let column = Column::new("zones", format!("Zones in {region}")).ranked(5);
        fields.push(field(column, zones));
    }
    fields.push(field(
        Column::new("limits_of_use", "Limits of use"),
        |row| match row.limits_of_use.join("; ") {
            none if none.is_empty() => Cell::EMPTY,
            some => Cell::text(some),
        },
    ));
    fields
}

fn joined<T: std::fmt::Display>(items: &[T], between: &str) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(between)
}
