//! What more or less performance would cost, as tables and curves.

use crate::catalog::size_name;
use crate::recommend::Recommendations;
use crate::recommend::frontier::{FrontierAxis, FrontierPoint};
use crate::report::views::money::amount;
use crate::report::{
    Axis, Cell, Chart, ChartKind, Column, Row, Scale, Section, Series, Shape, Table,
};

/// How an axis is shown.
struct Shown {
    id: &'static str,
    /// The column's id, with its unit.
    column: &'static str,
    name: &'static str,
    /// What stands along the curve.
    along: &'static str,
    /// How the curve runs from point to point.
    shape: Shape,
    decimals: u8,
    title: &'static str,
}

const fn shown(axis: FrontierAxis) -> Shown {
    match axis {
        FrontierAxis::Iops => Shown {
            id: "frontier-iops",
            column: "iops",
            name: "IOPS",
            along: "IOPS",
            shape: Shape::Linear,
            decimals: 0,
            title: "What more or less IOPS would cost a month",
        },
        FrontierAxis::Mbps => Shown {
            id: "frontier-mbps",
            column: "mbps",
            name: "MB/s",
            along: "MB/s",
            shape: Shape::Linear,
            decimals: 1,
            title: "What more or less MB/s would cost a month",
        },
        FrontierAxis::Latency => Shown {
            id: "frontier-latency",
            column: "latency_us",
            name: "QD1 us",
            along: "one I/O at a time, microseconds",
            // Between two latencies that disks have there is none: the price holds up to the next.
            shape: Shape::Step,
            decimals: 0,
            title: "What a shorter or longer latency at queue depth 1 would cost a month",
        },
    }
}

/// A table and a chart for each axis that was looked at.
pub(super) fn sections(result: &Recommendations) -> Vec<Section> {
    let axes = [
        FrontierAxis::Iops,
        FrontierAxis::Mbps,
        FrontierAxis::Latency,
    ];
    let of_axis = |axis| section(result, axis);
    axes.into_iter().flat_map(of_axis).collect()
}

fn section(result: &Recommendations, axis: FrontierAxis) -> Vec<Section> {
    let of_axis = |point: &&FrontierPoint| point.axis == axis;
    let points: Vec<&FrontierPoint> = result.frontier.iter().filter(of_axis).collect();
    if points.is_empty() {
        return Vec::new();
    }
    let shown = shown(axis);
    let mut sections = vec![Section::Table(table(&points, &shown))];
    // One point is no curve.
    let is_known = |point: &&&FrontierPoint| point.performance.is_some() && point.month.is_some();
    let known = points.iter().filter(is_known);
    if known.count() > 1 {
        sections.push(Section::Chart(chart(result, &points, &shown)));
    }
    sections
}

fn table(points: &[&FrontierPoint], shown: &Shown) -> Table {
    let row = |point: &&FrontierPoint| {
        Row::new(vec![
            Cell::known(point.performance, shown.decimals),
            Cell::known(point.multiple, 2),
            amount(point.month),
            point.size.as_ref().map_or(Cell::EMPTY, |size| {
                Cell::text(size_name(size, point.interface))
            }),
            disks(point),
            point.reason.as_ref().map_or(Cell::EMPTY, Cell::text),
        ])
    };
    let multiple = Column::new("multiple", "x asked").ranked(2);
    let has_multiples = points.iter().any(|point| point.multiple.is_some());
    Table {
        id: shown.id.to_owned(),
        title: shown.title.to_owned(),
        columns: vec![
            Column::new(shown.column, shown.name),
            if has_multiples {
                multiple
            } else {
                multiple.on_request()
            },
            Column::new("month", "A month"),
            Column::new("size", "Size"),
            Column::new("disks", "Disks").ranked(1),
            Column::new("reason", "Why nothing").on_request(),
        ],
        rows: points.iter().map(row).collect(),
    }
}

/// The disks; in their place, for people, why nothing delivers.
fn disks(point: &FrontierPoint) -> Cell {
    match &point.reason {
        Some(reason) => Cell::EMPTY.hinted(reason),
        None => Cell::text(point.disks.join(" + ")),
    }
}

fn chart(result: &Recommendations, points: &[&FrontierPoint], shown: &Shown) -> Chart {
    let point = |p: &&FrontierPoint| Some((p.performance?, p.month.map(|m| m.amount)));
    let axis = |title: String| Axis {
        title,
        scale: Scale::Linear,
    };
    Chart {
        id: shown.id.to_owned(),
        title: shown.title.to_owned(),
        kind: ChartKind::Curve {
            x: axis(shown.along.to_owned()),
            y: axis(format!("{} a month", result.prices.currency)),
            series: vec![Series {
                name: "cheapest".to_owned(),
                points: points.iter().filter_map(point).collect(),
                shape: shown.shape,
            }],
            caps: Vec::new(),
        },
    }
}

/// How the tables are read.
pub(super) fn legend(result: &Recommendations) -> Option<String> {
    let multiples = result
        .frontier
        .iter()
        .filter(|point| point.multiple.is_some());
    (multiples.count() > 0).then(|| {
        "x asked: times the IOPS or MB/s that are asked for. At 1.5 every volume asks for half as much again, all else \
         of the need as it is; the row is the cheapest that delivers it."
            .to_owned()
    })
}

/// What is not on the curve of latencies.
pub(super) fn note(result: &Recommendations) -> Option<String> {
    let is_without = |p: &FrontierPoint| p.axis == FrontierAxis::Latency && p.performance.is_none();
    if result.latency_unknown.is_empty() || !result.frontier.iter().any(is_without) {
        return None;
    }
    let families = result.latency_unknown.iter();
    let families: Vec<String> = families.map(ToString::to_string).collect();
    Some(format!(
        "The latency of {} is not known: a row with them has none. They stand in the last, or where their promise is enough. \
         Known latencies are typical, no promise.",
        families.join(" and ")
    ))
}
