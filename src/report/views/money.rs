//! What a deployment costs, as tables.

use super::month::{fetches, missing};
use crate::catalog::price::{MissingPrice, Money, Total, VmOffer, WhyMissing};
use crate::planner::assessment::VmView;
use crate::planner::money::{Cost, Part, VolumeCost};
use crate::report::{Cell, Column, Row, Section, Table, Tone};

/// A sum; words beside it where it misses something.
#[must_use]
pub fn total(total: &Total) -> Cell {
    let cell = amount(Some(total.known));
    match (total.missing.is_empty(), total.known.amount > 0.0) {
        (true, _) => cell,
        (false, true) => cell.hinted("and more"),
        (false, false) => Cell::EMPTY.hinted("unknown"),
    }
}

/// What the sums of a cost leave out, a line each.
#[must_use]
pub fn left_out(cost: &Cost) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let vm = cost.vm.iter().filter_map(|vm| vm.why_not.as_ref());
    lines.extend(vm.map(|why| format!("Not in the sums: the VM. {why}.")));
    let vm_is_said = !lines.is_empty();
    let others = cost.total.missing.iter();
    for missing in others.filter(|missing| !(vm_is_said && missing.what.starts_with("VM "))) {
        let line = format!("Not in the sums: {missing}.");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let unpriced = |missing: &MissingPrice| {
        matches!(missing.why, WhyMissing::NoPrice | WhyMissing::NoUseNorPrice)
    };
    if vm_is_said || cost.total.missing.iter().any(unpriced) {
        lines.push(fetches(&cost.prices));
    }
    lines
}

/// What `-` says of unusable performance where that is not let through and no smaller setting would be cheaper; nothing
/// where no volume is like that.
pub(super) fn nothing_to_save(cost: &Cost) -> Option<String> {
    let volumes = cost.volumes.iter();
    let nothing = volumes
        .filter(|volume| volume.unusable_sustained.is_none() || volume.unusable_burst.is_none());
    let names: Vec<&str> = nothing.map(|volume| volume.volume.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Unusable -: not all of {} is let through, and a smaller setting would cost the same.",
            names.join(", ")
        )
    })
}

/// An amount of money, or unknown.
#[must_use]
pub fn amount(money: Option<Money>) -> Cell {
    money.map_or(Cell::EMPTY, |m| {
        Cell::money(m.amount, m.currency.to_string())
    })
}

/// The tables of a cost: what each part costs, and what else would deliver the same.
#[must_use]
pub fn tables(cost: &Cost) -> Vec<Table> {
    let mut tables = vec![costs(cost)];
    tables.extend(cost.volumes.iter().filter_map(ways));
    tables
}

/// Says of a Windows VM that is priced without a licence just that: the same price is called Linux elsewhere.
pub(super) fn without_licence(cost: &Cost, sections: &mut [Section]) {
    let Some(vm) = &cost.vm else { return };
    let words = match vm.offer {
        VmOffer::Linux => "without Windows licence",
        VmOffer::SpotLinux => "spot, without Windows licence",
        _ => return,
    };
    let tables = sections.iter_mut().filter_map(|section| match section {
        Section::Table(table) if table.id == COST_TABLE => Some(table),
        _ => None,
    });
    let items = tables.flat_map(|table| &mut table.rows);
    let items = items.filter_map(|row| row.cells.first_mut());
    for item in items.filter(|item| item.value.for_people() == vm_item(vm.offer.label())) {
        *item = Cell::text(vm_item(words));
    }
}

fn vm_item(offer: &str) -> String {
    format!("VM, {offer}")
}

/// The id of the table of what each part costs.
const COST_TABLE: &str = "cost";

/// The table of costs, and what adds it, where a report has none.
pub(super) fn by_flag(cost: Option<&Cost>) -> Vec<(&'static str, &'static str)> {
    match cost {
        Some(_) => Vec::new(),
        None => vec![(COST_TABLE, "--cost")],
    }
}

/// What each part costs a month.
pub(super) fn costs(cost: &Cost) -> Table {
    let currency = cost.total.known.currency.to_string();
    let money = |id: &'static str, title| Column::new(id, title).in_currency(&*currency);
    let columns = vec![
        Column::new("item", "Item"),
        money("month", "A month"),
        Column::new("month_without", "Not in it").on_request(),
        money("unusable_month", "Unusable").ranked(2),
        money("unusable_burst_month", "Unusable in burst").ranked(5),
        money("per_1000_iops", "Per 1,000 effective IOPS").ranked(3),
        money("per_mbps", "Per effective MB/s").ranked(4),
        Column::new("parts", "Parts of a member").on_request(),
    ];
    let mut rows: Vec<Row> = cost.volumes.iter().map(volume_row).collect();
    if let Some(vm) = &cost.vm {
        let (month, without) = match &vm.month {
            Some(month) => (total(month), missing(&month.missing)),
            None => (
                Cell::EMPTY.hinted("unknown"),
                vm.why_not.as_ref().map_or(Cell::EMPTY, Cell::text),
            ),
        };
        let item = Cell::text(vm_item(vm.offer.label()));
        rows.push(Row::new(vec![item, month, without]));
    }
    rows.push(Row {
        cells: vec![
            Cell::text("(total)"),
            total(&cost.total),
            missing(&cost.total.missing),
        ],
        tone: Tone::Good,
        ..Row::default()
    });
    Table {
        id: COST_TABLE.to_owned(),
        title: "Cost".to_owned(),
        columns,
        rows,
    }
}

fn volume_row(volume: &VolumeCost) -> Row {
    let wasted = |t: Option<&Total>| {
        let Some(t) = t else { return Cell::EMPTY };
        let cell = total(t);
        if t.known.amount > 0.0 {
            cell.toned(Tone::Warning)
        } else {
            cell
        }
    };
    Row::new(vec![
        Cell::text(&volume.volume),
        total(&volume.month),
        missing(&volume.month.missing),
        wasted(volume.unusable_sustained.as_ref()),
        wasted(volume.unusable_burst.as_ref()),
        amount(volume.per_1000_effective_iops),
        amount(volume.per_effective_mbps),
        Cell::text(parts(volume)),
    ])
}

/// The bill of a member, part by part.
fn parts(volume: &VolumeCost) -> String {
    let part = |p: &Part| {
        let hours = p
            .hours
            .map_or_else(String::new, |h| format!(" an hour x {h} h"));
        format!(
            "{}: {} x {}{hours} = {}",
            p.what, p.quantity, p.unit_price, p.month
        )
    };
    let parts: Vec<String> = volume.parts_of_a_member.iter().map(part).collect();
    let members = match (volume.members, volume.members_are_alike) {
        (0 | 1, _) => String::new(),
        (members, true) => format!("{members} members, each: "),
        (members, false) => format!("the first of {members} members: "),
    };
    format!("{members}{}", parts.join("; "))
}

/// That the ways that are named volume by volume are more disks than `vm` takes, where they are, all of them together.
pub(super) fn ways_apart(cost: &Cost, vm: &VmView) -> Option<String> {
    let (disks, most) = cost.ways_beyond(vm)?;
    Some(format!(
        "Cheaper ways: each is for one volume, the others as they are. With the widest of every volume it is {disks} data \
         disks, and {} takes {most}.",
        vm.size
    ))
}

fn ways(volume: &VolumeCost) -> Option<Table> {
    let rows: Vec<Row> = volume
        .alternatives
        .iter()
        .map(|way| {
            Row::new(vec![
                Cell::text(&way.way),
                way.spec.as_ref().map_or(Cell::EMPTY, Cell::text),
                way.month.as_ref().map_or(Cell::EMPTY, total),
                Cell::text(&way.reason),
            ])
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        id: format!("ways-{}", volume.volume),
        title: format!("Cheaper ways to provision the same as {}", volume.volume),
        columns: vec![
            Column::new("way", "Way"),
            Column::new("spec", "Spec"),
            Column::new("month", "A month"),
            Column::new("reason", "What it is").ranked(1),
        ],
        rows,
    })
}
