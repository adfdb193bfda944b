//! What stands in the way where there is no answer: the need, or only that prices are not known.

use super::notes::and_more;
use crate::catalog::{Axis, size_name};
use crate::recommend::may_deliver::{MayDeliver, SizeMayDeliver, UnknownCeiling};
use crate::recommend::model::{Blame, Recommendations};
use crate::report::views::money::amount;
use crate::report::views::month::fetches;
use crate::report::{Cell, Column, Row, Section, Table};
use crate::units::grouped;

pub(super) fn title(result: &Recommendations) -> String {
    if let Some(first) = result.partly_priced.first() {
        return format!(
            "Of what delivers this need only a part of the price is known: {} for {} a month plus use",
            size_name(&first.size, first.interface),
            first.month
        );
    }
    if result.only_prices_missing {
        "What delivers this need has no known price"
    } else if result.retired_sizes.is_empty() {
        match result.is_in_doubt() {
            false => "Nothing delivers this need",
            true => "Nothing is known to deliver this need",
        }
    } else {
        "Only retired sizes deliver this need"
    }
    .to_owned()
}

pub(super) fn sections(result: &Recommendations) -> Vec<Section> {
    let blamed = |title| (!result.blame.is_empty()).then(|| Section::Table(blame(result, title)));
    if result.only_prices_missing {
        let missing = text("Only prices are missing", missing(result));
        let others = blamed("What has a price: each change by itself, all else as asked");
        return std::iter::once(missing).chain(others).collect();
    }
    let retired = retired(result).map(|words| text("Retired", vec![words]));
    let by_itself = blamed("What stands in the way: each by itself, all else as asked");
    let several = "No constraint is to blame by itself: relax several of them.".to_owned();
    let blamed = by_itself.unwrap_or_else(|| text("What stands in the way", vec![several]));
    let unknown = result.is_in_doubt().then(|| unknown(result));
    retired.into_iter().chain(unknown).chain([blamed]).collect()
}

/// So many of the sizes that may deliver are told.
const SIZES_TOLD: usize = 3;

/// What decides and is not known, and how it is got.
fn unknown(result: &Recommendations) -> Section {
    let mut paragraphs: Vec<String> = result.may_deliver.iter().map(disk).collect();
    if !paragraphs.is_empty() {
        paragraphs.push(
            "Measure one I/O at a time on such a disk: `diskcap plan` judges it with the result as latency=."
                .to_owned(),
        );
    }
    let sizes = &result.sizes_may_deliver;
    paragraphs.extend(sizes.iter().take(SIZES_TOLD).map(size));
    match sizes.len().saturating_sub(SIZES_TOLD) {
        0 => {}
        1 => paragraphs.push("So may 1 more size, dearer with its disks.".to_owned()),
        n => paragraphs.push(format!(
            "So may {} more sizes, dearer with their disks.",
            grouped(n as f64, 0)
        )),
    }
    text("What is not known", paragraphs)
}

/// Disks that may deliver, and what of their latency decides.
fn disk(may: &MayDeliver) -> String {
    let needed = may.latency_needed;
    let decides = match (may.queue_depth, may.iops) {
        (Some(depth), Some(iops)) => format!(
            "queue depth {depth} makes {iops} IOPS where an I/O takes no more than {needed}"
        ),
        _ => format!("an I/O has to take less than {needed}"),
    };
    let promise = may.promise.as_ref();
    format!(
        "{} may deliver {}: its latency is not known, and {decides}{}.",
        may.family.name(),
        may.volume,
        promise.map_or_else(String::new, |words| format!(" (promised: {words})"))
    )
}

/// A size that may deliver, and what it has to let through.
fn size(may: &SizeMayDeliver) -> String {
    let needs = |of: &UnknownCeiling| {
        let digits = usize::from(of.axis == Axis::Mbps);
        let figure = grouped(of.needs, digits);
        format!("{} {} ({figure} needed)", of.place, of.axis)
    };
    let needs: Vec<String> = may.unknown.iter().map(needs).collect();
    format!(
        "{} may deliver, for {} a month with its disks. Not known of it: {}.",
        size_name(&may.size, may.interface),
        may.month,
        needs.join(", ")
    )
}

/// The sizes that would deliver and are retired.
fn retired(result: &Recommendations) -> Option<String> {
    let sizes = and_more(&result.retired_sizes)?;
    Some(format!(
        "{sizes} would deliver: no new VM can be made of a size that is retired."
    ))
}

fn text(title: &str, paragraphs: Vec<String>) -> Section {
    Section::Text {
        title: title.to_owned(),
        paragraphs,
    }
}

/// Which prices are missing, and how they are got.
fn missing(result: &Recommendations) -> Vec<String> {
    let prices = &result.prices;
    let mut paragraphs = Vec::new();
    if let Some((first, rest)) = result.unpriced_sizes.split_first() {
        let sizes = match rest.len() {
            0 => format!("{first} delivers this need, and has"),
            n => format!(
                "{} sizes deliver this need, {first} among them, and have",
                grouped((n + 1) as f64, 0)
            ),
        };
        paragraphs.push(format!(
            "{sizes} no known price for {} in {}.",
            result.offer.label(),
            prices.region
        ));
    }
    // Where sizes are named, every volume has disks with a price.
    let of_disks = result.unpriced_sizes.is_empty();
    let disks = result.left_out.iter();
    let disks = disks.filter(|left_out| of_disks && left_out.unpriced);
    paragraphs.extend(disks.map(|left_out| {
        format!(
            "{} carries {}, and what it costs in {} is not known: {}.",
            left_out.family, left_out.volume, prices.region, left_out.reason
        )
    }));
    paragraphs.push(fetches(prices));
    paragraphs
}

fn blame(result: &Recommendations, title: &str) -> Table {
    let row = |blame: &Blame| {
        let constraint = match &blame.volume {
            Some(volume) => format!("{} of {volume}", blame.constraint.name()),
            None => blame.constraint.name().to_owned(),
        };
        Row::new(vec![
            Cell::text(constraint),
            Cell::text(&blame.asked),
            Cell::text(&blame.nearest),
            Cell::text(&blame.size),
            amount(Some(blame.month)),
        ])
    };
    Table {
        id: "blame".to_owned(),
        title: title.to_owned(),
        columns: vec![
            Column::new("constraint", "Constraint"),
            Column::new("asked", "Asked"),
            Column::new("nearest", "Nearest that delivers"),
            Column::new("size", "On"),
            Column::new("month", "A month"),
        ],
        rows: result.blame.iter().map(row).collect(),
    }
}
