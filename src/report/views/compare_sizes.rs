//! The main table of a comparison of VM sizes.

use super::fields::{Field, table};
use super::month::month;
use super::outcome::figure;
use crate::catalog::{Axis, Ceiling, Interface, Limits, VmSize};
use crate::compare::VmComparison;
use crate::compare::vms::{SizeRow, Sum, TotalReach};
use crate::report::{Cell, Column, Table, Tone};
use crate::units::{GiB, grouped};

type SizeField = Field<SizeRow>;

fn field(column: Column, cell: impl Fn(&SizeRow) -> Cell + 'static) -> SizeField {
    Field::new(column, cell)
}

/// The name of a size with its controller, where its caps differ by it, and behind it that it cannot take the disks.
pub(super) fn named(row: &SizeRow) -> Cell {
    marked(row, &row.size.short_label(), None)
}

/// `name`, and beside it for people `interface` and that the size cannot take the disks.
fn marked(row: &SizeRow, name: &str, interface: Option<Interface>) -> Cell {
    let refused = (!row.takes_the_disks()).then_some("refused");
    let words: Vec<&str> = interface
        .map(Interface::name)
        .into_iter()
        .chain(refused)
        .collect();
    match words.is_empty() {
        true => Cell::text(name),
        false => Cell::text(name).hinted(words.join(", ")),
    }
}

/// A size that cannot take the disks is of less interest.
pub(super) fn tone(row: &SizeRow) -> Tone {
    match row.takes_the_disks() {
        false => Tone::Faint,
        true => Tone::Plain,
    }
}

/// The table: what the sizes are and let through, and, where there are disks, what all of them reach at once.
pub(super) fn sizes(comparison: &VmComparison) -> Table {
    let with_disks = !comparison.volumes.is_empty();
    // What is reached means nothing without it, and no width leaves out the name.
    let mut fields = vec![field(Column::new("size", "Size"), |row| {
        marked(row, row.size.short_name(), row.size.interface)
    })];
    fields.extend(shape(comparison));
    if with_disks {
        fields.extend(reached(comparison));
    }
    fields.extend(ceilings(comparison, with_disks));
    if let Some(info) = &comparison.prices {
        let money =
            |id: &'static str, title| Column::new(id, title).in_currency(info.currency.to_string());
        fields.push(field(money("vm_month", "VM a month").ranked(2), |row| {
            month(row.size.month.as_ref())
        }));
        if with_disks {
            let both = money("month", "With disks a month").ranked(3);
            fields.push(field(both, |row| {
                month(row.reach.as_ref().and_then(|reach| reach.month.as_ref()))
            }));
        }
    }
    let title = if with_disks {
        "Sizes, and what the disks reach on them all at once"
    } else {
        "Sizes and their ceilings"
    };
    table("sizes", title, fields, &comparison.sizes, tone)
}

fn shape(comparison: &VmComparison) -> Vec<SizeField> {
    let alone = comparison.volumes.is_empty();
    let optional = |text: Option<&str>| text.map_or(Cell::EMPTY, Cell::text);
    let flag = |flag: Option<bool>| flag.map_or(Cell::EMPTY, Cell::flag);
    vec![
        field(Column::new("series", "Series").on_request(), |row| {
            Cell::text(&row.size.series)
        }),
        field(Column::new("interface", "Controller").on_request(), |row| {
            let known = row.size.interface.as_slice();
            let known = match known {
                [] => row.size.controllers.as_slice(),
                of_row => of_row,
            };
            let names: Vec<&str> = known.iter().map(|one| one.name()).collect();
            match names.as_slice() {
                [] => Cell::EMPTY,
                names => Cell::text(names.join(" or ")),
            }
        }),
        field(Column::new("vcpus", "vCPUs").ranked(1), |row| {
            Cell::number(f64::from(row.size.vcpus), 0)
        }),
        field(Column::new("memory_gib", "Memory GiB").ranked(6), |row| {
            Cell::known(row.size.memory_gib.map(GiB::get), 1)
        })
        .shown_if(alone),
        field(Column::new("data_disks", "Data disks").ranked(8), |row| {
            Cell::known(row.size.max_data_disks.map(f64::from), 0)
        })
        .shown_if(alone),
        field(
            Column::new("arch", "Architecture").on_request(),
            move |row| optional(row.size.arch.as_deref()),
        ),
        field(
            Column::new("premium_storage", "Premium storage").on_request(),
            move |row| flag(row.size.premium_storage),
        ),
        field(
            Column::new("premium_caching", "Premium caching").on_request(),
            move |row| flag(row.size.premium_caching),
        ),
        field(Column::new("ultra", "Ultra").on_request(), move |row| {
            flag(row.size.ultra)
        }),
        field(Column::new("temp_gib", "Temp GiB").ranked(9), |row| {
            Cell::known(row.size.temp_gib.map(GiB::get), 0)
        })
        .shown_if(alone),
        field(Column::new("nvme_gib", "NVMe GiB").on_request(), |row| {
            Cell::known(row.size.nvme_gib.map(GiB::get), 0)
        }),
        field(
            Column::new("retirement", "Retires on").on_request(),
            move |row| optional(row.size.retirement.as_deref()),
        ),
    ]
}

/// What all disks reach at once, and what stops them.
fn reached(comparison: &VmComparison) -> Vec<SizeField> {
    let any_refused = !comparison.sizes.iter().all(SizeRow::takes_the_disks);
    let total = |part: fn(&TotalReach) -> Sum, decimals| {
        move |row: &SizeRow| {
            let total = row.reach.as_ref().and_then(|reach| reach.total.as_ref());
            total.map_or(Cell::EMPTY, |total| {
                let sum = part(total);
                figure(sum.value, decimals, sum.at_most)
            })
        }
    };
    vec![
        field(
            Column::new("reached_iops", "IOPS reached"),
            total(|total| total.iops.sustained, 0),
        ),
        field(
            Column::new("reached_mbps", "MB/s reached"),
            total(|total| total.mbps.sustained, 1),
        ),
        field(
            Column::new("reached_burst_iops", "IOPS in burst").ranked(5),
            total(|total| total.iops.burst, 0),
        ),
        field(
            Column::new("reached_burst_mbps", "MB/s in burst").ranked(5),
            total(|total| total.mbps.burst, 1),
        ),
        field(
            Column::new("lifts_every_cap", "Lifts every cap").ranked(1),
            lifts,
        ),
        field(
            Column::new("held_back_by", "Held back by").ranked(4),
            held_back,
        ),
        field(
            Column::new("refused", "Cannot be deployed").ranked(1),
            refused,
        )
        .shown_if(any_refused),
    ]
}

fn lifts(row: &SizeRow) -> Cell {
    let reach = row.reach.as_ref();
    match reach.map(|reach| (reach.refused.is_empty(), reach.lifts_every_cap)) {
        Some((true, Some(true))) => Cell::flag(true).toned(Tone::Good),
        Some((true, None)) | None => Cell::EMPTY,
        Some(_) => Cell::flag(false),
    }
}

/// The ceilings that hold the disks back: `uncached IOPS and MB/s, cached MB/s`.
fn held_back(row: &SizeRow) -> Cell {
    let mut words: Vec<(&str, Vec<String>)> = Vec::new();
    for cap in row.reach.iter().flat_map(|reach| &reach.caps) {
        let (name, axis) = (cap.ceiling.name(), cap.axis.to_string());
        match words.iter_mut().find(|(known, _)| *known == name) {
            Some((_, axes)) => axes.push(axis),
            None => words.push((name, vec![axis])),
        }
    }
    let words: Vec<String> = words
        .iter()
        .map(|(name, axes)| format!("{name} {}", axes.join(" and ")))
        .collect();
    let reach = row.reach.as_ref();
    let is_held =
        reach.is_some_and(|reach| reach.refused.is_empty() && reach.lifts_every_cap == Some(false));
    match words.as_slice() {
        // Where no ceiling does, a local disk of the size is slower than what is asked of it.
        [] if is_held => Cell::text("local disk").toned(Tone::Warning),
        [] => Cell::EMPTY,
        words => Cell::text(words.join(", ")).toned(Tone::Warning),
    }
}

fn refused(row: &SizeRow) -> Cell {
    let refused = row.reach.iter().flat_map(|reach| &reach.refused);
    let mut words: Vec<String> = refused
        .map(|refusal| match refusal.id {
            Some(id) => id.code().to_owned(),
            None => refusal.message.clone(),
        })
        .collect();
    words.dedup();
    match words.as_slice() {
        [] => Cell::EMPTY,
        words => Cell::text(words.join("; ")).toned(Tone::Bad),
    }
}

/// A part of the columns of one ceiling.
type Of = fn(&SizeRow) -> &Ceiling;

fn ceilings(comparison: &VmComparison, with_disks: bool) -> Vec<SizeField> {
    let all: [(&str, &str, Of, u8); 3] = [
        ("uncached", "Uncached", |row| &row.size.uncached, 0),
        (
            "v2",
            VmSize::REMOTE_NAME,
            |row| row.size.remote_ceiling(),
            4,
        ),
        ("cached", "Cached", |row| &row.size.cached, 5),
    ];
    // Where no size has a pair of its own, that of v2 and Ultra would only say the uncached one again.
    let any_remote = comparison.sizes.iter().any(|row| row.size.remote.is_some());
    let mut fields = Vec::new();
    for (id, title, of, rank) in all {
        // Beside disks, what they reach matters more than ceilings that they may not even draw on.
        let of_interest = (!with_disks || id == "uncached") && (any_remote || id != "v2");
        let rank = if with_disks { rank + 3 } else { rank };
        let known = |limits: fn(&Ceiling) -> Limits| {
            let has = |row: &SizeRow| limits(of(row)) != Limits::UNKNOWN;
            comparison.sizes.iter().any(has)
        };
        let has_base = of_interest && known(|c| c.base);
        let has_burst = of_interest && known(burst);
        fields.extend([
            limit(
                format!("{id}_iops"),
                format!("{title} IOPS"),
                rank,
                of,
                Axis::Iops,
            )
            .shown_if(has_base),
            limit(
                format!("{id}_mbps"),
                format!("{title} MB/s"),
                rank,
                of,
                Axis::Mbps,
            )
            .shown_if(has_base),
            burst_limit(
                format!("{id}_burst_iops"),
                format!("{title} burst IOPS"),
                of,
                Axis::Iops,
            )
            .shown_if(has_burst && !with_disks),
            burst_limit(
                format!("{id}_burst_mbps"),
                format!("{title} burst MB/s"),
                of,
                Axis::Mbps,
            )
            .shown_if(has_burst && !with_disks),
        ]);
    }
    fields.extend(local(comparison));
    fields
}

fn burst(ceiling: &Ceiling) -> Limits {
    ceiling.burst.unwrap_or(Limits::UNKNOWN)
}

fn limit(id: String, title: String, rank: u8, of: Of, axis: Axis) -> SizeField {
    let decimals = if axis == Axis::Iops { 0 } else { 1 };
    field(Column::new(id, title).ranked(rank), move |row| {
        let ceiling = of(row);
        let cell = Cell::known(ceiling.base.on(axis), decimals);
        let shown = |value: f64| grouped(value, 1);
        let listed = ceiling.listed_mbps.map(crate::units::MBps::get);
        match listed.filter(|_| axis == Axis::Mbps) {
            Some(listed) if Some(shown(listed)) != ceiling.base.on(axis).map(shown) => {
                cell.hinted(format!("listed as {}", shown(listed)))
            }
            _ => cell,
        }
    })
}

fn burst_limit(id: String, title: String, of: Of, axis: Axis) -> SizeField {
    let decimals = if axis == Axis::Iops { 0 } else { 1 };
    field(Column::new(id, title).ranked(7), move |row| {
        Cell::known(burst(of(row)).on(axis), decimals)
    })
}

/// The limits of a local disk of one size.
type LimitsOf = fn(&SizeRow) -> Option<Limits>;

/// Local NVMe disks, where a size has some.
fn local(comparison: &VmComparison) -> Vec<SizeField> {
    let any = comparison.volumes.is_empty()
        && comparison
            .sizes
            .iter()
            .any(|row| row.size.nvme_read.is_some());
    let all: [(&str, &str, LimitsOf); 2] = [
        ("nvme_read", "NVMe read", |row| row.size.nvme_read),
        ("nvme_write", "NVMe write", |row| row.size.nvme_write),
    ];
    all.into_iter()
        .flat_map(|(id, title, of)| {
            [
                (Axis::Iops, "iops", "IOPS", 0),
                (Axis::Mbps, "mbps", "MB/s", 1),
            ]
            .map(|(axis, ending, unit, decimals)| {
                let column = Column::new(format!("{id}_{ending}"), format!("{title} {unit}"));
                field(column.ranked(9), move |row| {
                    Cell::known(of(row).and_then(|limits| limits.on(axis)), decimals)
                })
                .shown_if(any)
            })
        })
        .collect()
}
