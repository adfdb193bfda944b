//! Plans side by side as a document: differences first.

use super::month::{footnotes_of, unpriced};
use crate::catalog::price::{VmOffer, WhyMissing};
use crate::catalog::size_name;
use crate::compare::PlanComparison;
use crate::compare::plans::{Change, Difference, FigureValue, FindingDifference, PlanShort, Same};
use crate::report::{Cell, Column, Document, Note, Notes, Report, Row, Section, Table};

impl Report for PlanComparison {
    fn document(&self) -> Document {
        let mut sections = vec![Section::Table(differences(self))];
        if !self.findings.is_empty() {
            sections.push(Section::Notes(findings(self)));
        }
        sections.push(Section::Text {
            title: "The same in all".to_owned(),
            paragraphs: sameness(self),
        });
        sections.push(Section::Table(plans(self)));
        let names: Vec<&str> = self.plans.iter().map(|plan| plan.label.as_str()).collect();
        Document {
            title: format!("Plans compared: {}", names.join(", ")),
            subtitle: Some(summary(self)),
            sections,
            footnotes: footnotes(self),
            ..Document::default()
        }
    }
}

fn summary(comparison: &PlanComparison) -> String {
    let figures = match comparison.differences.len() {
        0 => "No figure differs".to_owned(),
        1 => "1 figure differs".to_owned(),
        many => format!("{many} figures differ"),
    };
    let findings = match comparison.findings.len() {
        0 if comparison.findings_in_all == 0 => "no plan has findings".to_owned(),
        0 => "all have the same findings".to_owned(),
        1 => "1 finding is not in all".to_owned(),
        many => format!("{many} findings are not in all"),
    };
    let against = match comparison.plans.as_slice() {
        [first, _, _, ..] => format!(". Changes are against {}", first.label),
        _ => String::new(),
    };
    format!("{figures}, {findings}{against}")
}

fn differences(comparison: &PlanComparison) -> Table {
    let several = comparison.plans.len() > 2;
    let mut columns = vec![
        Column::new("subject", "Of"),
        Column::new("figure", "Figure"),
        Column::new("unit", "Unit").ranked(4),
    ];
    for (number, plan) in comparison.plans.iter().enumerate() {
        let column = Column::new(format!("plan_{}", number + 1), &plan.label);
        columns.push(column.essential());
        if number > 0 {
            let of = if several {
                format!(" of {}", plan.label)
            } else {
                String::new()
            };
            let number = number + 1;
            let change = Column::new(format!("change_{number}"), format!("Change{of}"));
            let percent = Column::new(format!("percent_{number}"), format!("Change{of}, %"));
            columns.extend([change.ranked(3), percent.ranked(2)]);
        }
    }
    columns.push(Column::new("id", "Id").on_request());
    Table {
        id: "differences".to_owned(),
        title: "Differences".to_owned(),
        columns,
        rows: (comparison.differences.iter())
            .map(|difference| row(comparison, difference))
            .collect(),
    }
}

fn row(comparison: &PlanComparison, difference: &Difference) -> Row {
    let figure = Shown::of(comparison, difference);
    let mut cells = vec![
        Cell::text(&difference.subject),
        Cell::text(&difference.title),
        if difference.unit.is_empty() {
            Cell::EMPTY
        } else {
            Cell::text(&difference.unit)
        },
    ];
    let changes = difference.changes.iter();
    for (number, (value, change)) in difference.values.iter().zip(changes).enumerate() {
        let shown = figure.cell(value.as_ref());
        cells.push(
            match value.is_some() && has_more(comparison, difference, number) {
                true => shown.hinted("and more"),
                false => shown,
            },
        );
        if number > 0 {
            let part = |part: fn(&Change) -> Option<f64>| change.as_ref().and_then(part);
            let absolute = part(|change| Some(change.absolute));
            cells.push(absolute.map_or(Cell::EMPTY, |by| figure.number(by)));
            cells.push(Cell::known(part(|change| change.percent), 1));
        }
    }
    cells.push(Cell::text(&difference.figure));
    Row::new(cells)
}

/// Whether the price in `difference` misses something of the plan of this number.
fn has_more(comparison: &PlanComparison, difference: &Difference, number: usize) -> bool {
    let left_out = comparison.plans.get(number).map(|plan| &plan.left_out);
    let of_all = difference.subject == PlanComparison::OF_ALL && difference.figure == "month";
    of_all && left_out.is_some_and(|left_out| !left_out.is_empty())
}

/// How the numbers of a figure and their changes are shown. More is not better in itself, so there is no emphasis.
#[derive(Clone, Copy)]
enum Shown {
    /// As money, whose currency stands in the column of units.
    Money,
    /// With so many decimals.
    Plain(u8),
}

impl Shown {
    fn of(comparison: &PlanComparison, difference: &Difference) -> Self {
        let currency = comparison.prices.as_ref().map(|prices| prices.currency);
        match difference.unit.as_str() {
            unit if currency.is_some_and(|currency| currency.code() == unit) => Self::Money,
            "MB/s" => Self::Plain(1),
            _ => Self::Plain(0),
        }
    }

    fn number(self, value: f64) -> Cell {
        match self {
            Self::Money => Cell::fixed(value, 2),
            Self::Plain(decimals) => Cell::number(value, decimals),
        }
    }

    fn cell(self, value: Option<&FigureValue>) -> Cell {
        match (value, self) {
            (None, _) => Cell::EMPTY,
            (Some(FigureValue::Number(number)), _) => self.number(*number),
            (Some(FigureValue::AtMost(number)), Self::Plain(decimals)) => {
                Cell::at_most(*number, decimals)
            }
            (Some(FigureValue::AtMost(number)), Self::Money) => Cell::at_most(*number, 2),
            (Some(FigureValue::Text(text)), _) => Cell::text(text),
        }
    }
}

fn findings(comparison: &PlanComparison) -> Notes {
    let note = |difference: &FindingDifference| {
        let note = Note::from(&difference.finding);
        Note {
            subject: format!("{}, only in {}", note.subject, difference.plans.join(", ")),
            ..note
        }
    };
    Notes {
        id: "findings".to_owned(),
        title: "Findings that not all have".to_owned(),
        items: comparison.findings.iter().map(note).collect(),
    }
}

fn sameness(comparison: &PlanComparison) -> Vec<String> {
    let line = |same: &Same| match (same.wholly, same.figures.len()) {
        (true, 1) => format!("{}: its only figure.", same.subject),
        (true, count) => format!("{}: all {count} figures.", same.subject),
        (false, _) => format!("{}: {}.", same.subject, same.figures.join("; ")),
    };
    let mut lines: Vec<String> = comparison.same.iter().map(line).collect();
    lines.push(match comparison.findings_in_all {
        0 if comparison.findings.is_empty() => "No plan has a finding.".to_owned(),
        0 => "No finding is in all.".to_owned(),
        1 => "1 finding is in all.".to_owned(),
        many => format!("{many} findings are in all."),
    });
    lines
}

fn plans(comparison: &PlanComparison) -> Table {
    let row = |plan: &PlanShort| {
        Row::new(vec![
            Cell::text(&plan.label),
            plan.vm
                .as_ref()
                .map_or(Cell::EMPTY, |vm| Cell::text(size_name(vm, plan.interface))),
            Cell::text(plan.volumes.join(", ")),
            plan.loads
                .as_ref()
                .map_or(Cell::EMPTY, |loads| Cell::text(loads.caption())),
            Cell::number(plan.findings as f64, 0),
        ])
    };
    Table {
        id: "plans".to_owned(),
        title: "The plans".to_owned(),
        columns: vec![
            Column::new("plan", "Plan"),
            Column::new("vm", "VM size"),
            Column::new("volumes", "Volumes"),
            Column::new("workload", "Workload").ranked(1),
            Column::new("findings", "Findings"),
        ],
        rows: comparison.plans.iter().map(row).collect(),
    }
}

/// How the VMs are bought in the prices; plan by plan where they differ in it.
fn bought(comparison: &PlanComparison) -> Option<String> {
    let offers = comparison.plans.iter();
    let offers = offers.filter_map(|plan| Some((plan.label.as_str(), plan.offer?)));
    let offers: Vec<(&str, VmOffer)> = offers.collect();
    let (_, first) = offers.first()?;
    if offers.iter().all(|(_, offer)| offer == first) {
        return Some(super::month::bought(*first));
    }
    let each: Vec<String> = (offers.iter())
        .map(|(plan, offer)| format!("{plan}: {}", offer.label()))
        .collect();
    Some(format!("VMs as bought: {}.", each.join("; ")))
}

fn footnotes(comparison: &PlanComparison) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for plan in &comparison.plans {
        let left_out = plan.left_out.iter();
        notes.extend(
            left_out.map(|missing| format!("Not in the price of {}: {missing}.", plan.label)),
        );
        let note = format!("Data: {}.", plan.data);
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes.extend(footnotes_of(comparison.prices.as_ref(), std::iter::empty()));
    notes.extend(bought(comparison));
    let missing = comparison.plans.iter().flat_map(|plan| &plan.left_out);
    let no_price = missing.filter(|missing| missing.why == WhyMissing::NoPrice);
    let no_price = no_price.map(|missing| missing.what.clone());
    notes.extend(unpriced(comparison.prices.as_ref(), no_price));
    notes.push(
        "Each volume by itself unless said otherwise, without bursting unless said. A volume that only some plans have \
         is listed with what it is made of and reaches."
            .to_owned(),
    );
    notes
}
