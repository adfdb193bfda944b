//! Answers of which only a part has a known price.

use crate::catalog::price::MissingPrice;
use crate::recommend::model::{Recommendation, Recommendations, VolumeChoice};
use crate::report::views::money::amount;
use crate::report::{Cell, Column, Row, Table};
use crate::units::grouped;

use super::{disks_of, size};

/// An amount that leaves out what has no known price.
pub(super) fn at_least(money: Cell, is_whole: bool) -> Cell {
    match is_whole {
        true => money,
        false => money.hinted("plus use"),
    }
}

/// The answers with what is not in their price; nothing where there are none.
pub(super) fn table(result: &Recommendations) -> Option<Table> {
    let best = result.best.first();
    let row = |(index, one): (usize, &Recommendation)| {
        let disks: Vec<String> = one.volumes.iter().map(disks_of).collect();
        Row::new(vec![
            Cell::number(index as f64 + 1.0, 0),
            size(one),
            Cell::text(disks.join(" + ")),
            at_least(amount(Some(one.month)), false),
            Cell::text(missing(one)),
            amount(best.and_then(|best| one.cheaper_below(best))),
        ])
    };
    let below = Column::new("cheaper_below", "Cheaper if 10,000 cost below");
    let currency = result.prices.currency.to_string();
    (!result.partly_priced.is_empty()).then(|| Table {
        id: "partly-priced".to_owned(),
        title: match best {
            Some(_) => "Perhaps cheaper: only a part of the price is known".to_owned(),
            None => "What delivers, by the part of its price that is known".to_owned(),
        },
        columns: vec![
            Column::new("rank", "#"),
            Column::new("size", "Size"),
            Column::new("disks", "Disks").ranked(1),
            Column::new("month", "A month, at least"),
            Column::new("missing", "Not in the price").ranked(2),
            if best.is_some() {
                below.in_currency(currency).ranked(1)
            } else {
                below.in_currency(currency).on_request()
            },
        ],
        rows: result.partly_priced.iter().enumerate().map(row).collect(),
    })
}

/// What is not in the price, with how much of it is billed: `E40 LRS transactions (105,120 x 10,000 a month)`.
fn missing(one: &Recommendation) -> String {
    let part = |volume: &VolumeChoice, missing: &MissingPrice| {
        let count = volume.transactions_month.map_or_else(String::new, |count| {
            format!(" ({} x 10,000 a month)", grouped(count / 1e4, 0))
        });
        format!("{}{count}", missing.what)
    };
    let volumes = one.volumes.iter();
    let parts = volumes.flat_map(|volume| volume.unpriced.iter().map(move |m| part(volume, m)));
    parts.collect::<Vec<_>>().join("; ")
}
