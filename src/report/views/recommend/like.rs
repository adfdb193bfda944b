//! The deployment that a need was taken from.

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

/// What it costs beside the best answer, and what was left out.
pub(super) fn notes(result: &Recommendations) -> Vec<String> {
    let Some(like) = &result.like else {
        return Vec::new();
    };
    let mut notes: Vec<String> = result
        .best
        .first()
        .map(|best| cost(like, best))
        .into_iter()
        .collect();
    if !like.left.is_empty() {
        notes.push(format!(
            "Left as they are and out of the sums: {}.",
            like.left.join(", ")
        ));
    }
    notes
}

fn cost(like: &Like, best: &Recommendation) -> String {
    match like
        .month
        .filter(|today| today.currency == best.month.currency)
    {
        None => format!(
            "What {} costs today is not in what was saved (in this currency): save it with --cost to have it compared.",
            like.name
        ),
        Some(today) => {
            let less = today.amount - best.month.amount;
            let difference = crate::catalog::price::Money::new(less.abs(), today.currency);
            let word = if less >= 0.0 { "less" } else { "more" };
            format!(
                "{} costs {today} a month today; the best answer {}, {difference} {word}.",
                like.name, best.month
            )
        }
    }
}
