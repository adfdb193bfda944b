//! The deployment that a need was taken from.

use crate::catalog::price::{Money, VmOffer};
use crate::recommend::like::{Like, LikeVolume, Wanted};
use crate::recommend::model::{Recommendation, Recommendations};
use crate::report::{Cell, Column, Row, Table};
use crate::units::{Iops, MBps};

/// Its volumes as they are.
pub(super) fn table(like: &Like) -> Table {
    let row = |volume: &LikeVolume| {
        Row::new(vec![
            Cell::text(&volume.volume),
            Cell::text(&volume.sku),
            Cell::known(volume.iops.map(Iops::get), 0),
            Cell::known(volume.mbps.map(MBps::get), 1),
        ])
    };
    let what = match like.wanted {
        Wanted::Delivered => "what it delivers, all volumes at once, sustained",
        Wanted::Provisioned => "what its disks are provisioned for",
    };
    let size = like.size.as_deref().unwrap_or("no VM");
    Table {
        id: "like".to_owned(),
        title: format!("{} today ({size}): {what}", like.name),
        columns: vec![
            Column::new("volume", "Volume"),
            Column::new("sku", "SKU"),
            Column::new("iops", "IOPS"),
            Column::new("mbps", "MB/s"),
        ],
        rows: like.volumes.iter().map(row).collect(),
    }
}

/// What it costs beside the best answer, what that has not, and what was left out.
pub(super) fn notes(result: &Recommendations) -> Vec<String> {
    let Some(like) = &result.like else {
        return Vec::new();
    };
    let best = result.best.first();
    let mut notes: Vec<String> = best
        .map(|best| cost(result, like, best))
        .into_iter()
        .collect();
    notes.extend(like.lost.iter().map(|lost| format!("Beware: {lost}.")));
    let bound = like.volumes.iter().filter(|volume| volume.queue_bound);
    notes.extend(bound.map(|volume| {
        format!(
            "{}: its queue depth lets no more I/Os pass, whatever the disks could do.",
            volume.volume
        )
    }));
    if like.volumes.iter().any(|volume| volume.mbps.is_none()) {
        notes.push(
            "MB/s are not asked by themselves: the one workload asks both by its blocks."
                .to_owned(),
        );
    }
    if !like.left.is_empty() {
        notes.push(format!(
            "Not in the need and out of the sums, as OS and local disks are left as they are: {}.",
            like.left.join(", ")
        ));
    }
    notes
}

fn cost(result: &Recommendations, like: &Like, best: &Recommendation) -> String {
    let name = &like.name;
    let Some(today) = like.month else {
        return match like.unpriced.as_slice() {
            [] => format!(
                "What {name} costs today is not in what was saved: save it with --cost to have it compared."
            ),
            unpriced => format!(
                "What {name} costs today is not known: {}.",
                unpriced.join("; ")
            ),
        };
    };
    let here = result.prices.region.to_string();
    let region = like.region.as_ref().filter(|region| **region != here);
    let offer = like.offer.filter(|offer| *offer != result.offer);
    if region.is_some() || offer.is_some() || today.currency != best.month.currency {
        return format!(
            "{name} costs {today} a month today, in {} and as {}; this answer is priced in {here} as {}: not compared.",
            like.region.as_deref().unwrap_or("an unknown region"),
            like.offer.map_or("unknown", VmOffer::label),
            result.offer.label(),
        );
    }
    let less = today.amount - best.month.amount;
    let difference = Money::new(less.abs(), today.currency);
    let word = if less >= 0.0 { "less" } else { "more" };
    format!(
        "{name} costs {today} a month today; the best answer {}, {difference} {word}.",
        best.month
    )
}
