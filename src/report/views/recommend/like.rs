//! The deployment that a need was taken from.

use crate::catalog::price::{Money, VmOffer};
use crate::recommend::like::{Like, LikeVolume, Wanted};
use crate::recommend::model::{Recommendation, Recommendations};
use crate::report::{Cell, Column, Row, Section, Table};
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

/// What the best answer has not that it has: before anything else, as no figure shows it.
pub(super) fn lost(like: &Like) -> Option<Section> {
    let sentence = |lost: &String| format!("Beware: {lost}.");
    (!like.lost.is_empty()).then(|| Section::Text {
        title: format!("What {} has and this answer has not", like.name),
        paragraphs: like.lost.iter().map(sentence).collect(),
    })
}

/// What it costs beside the best answer, and what was left out.
pub(super) fn notes(result: &Recommendations) -> Vec<String> {
    let Some(like) = &result.like else {
        return Vec::new();
    };
    let best = result.best.first();
    let mut notes: Vec<String> = best
        .map(|best| cost(result, like, best))
        .into_iter()
        .collect();
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
    notes.extend(left(result, like));
    notes
}

/// What was left as it is, and whether it counts.
fn left(result: &Recommendations, like: &Like) -> Vec<String> {
    let kept = &result.need.kept;
    let is_counted = |name: &&String| kept.iter().any(|kept| kept.load.name == **name);
    let (counted, others): (Vec<&String>, Vec<&String>) = like.left.iter().partition(is_counted);
    let note = |names: Vec<&String>, what: &str| {
        let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
        (!names.is_empty()).then(|| format!("{what}: {}.", names.join(", ")))
    };
    let counted = note(
        counted,
        "Left as it is, its load counted at the ceilings of the VM, its price in neither sum",
    );
    let others = note(
        others,
        "Left as it is, neither its load nor its price counted",
    );
    counted.into_iter().chain(others).collect()
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
