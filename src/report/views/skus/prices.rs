//! What a VM size costs, one row for each way to buy it.

use serde::Serialize;

use crate::catalog::price::{BookInfo, HOURS_PER_MONTH, Money, PriceBook, VmOffer};
use crate::report::views::money::amount;
use crate::report::{Cell, Column, Row, Table};

/// What a VM costs, bought one way.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OfferPrice {
    /// How it is bought.
    pub offer: VmOffer,
    /// An hour; `None` where it is not known.
    pub hour: Option<Money>,
    /// A month of 730 hours.
    pub month: Option<Money>,
}

/// What the VM `size` costs in `book`, every offer.
pub(super) fn offers(book: &PriceBook, size: &str) -> Vec<OfferPrice> {
    let prices = book.vm(size).ok();
    let price = |offer| {
        let hour = prices.and_then(|prices| prices.per_hour(offer));
        let hour = hour.map(|amount| Money::new(amount, book.currency()));
        OfferPrice {
            offer,
            hour,
            month: hour.map(|hour| hour.times(HOURS_PER_MONTH)),
        }
    };
    VmOffer::ALL.map(price).to_vec()
}

/// Decimals of the price of an hour, as price lists have them: a month is many times as much.
const HOUR_DECIMALS: u8 = 5;

/// The offers as a table.
pub(super) fn offers_table(prices: &BookInfo, offers: &[OfferPrice]) -> Table {
    let money = |id: &'static str, title: &str| {
        Column::new(id, title).in_currency(prices.currency.to_string())
    };
    let row = |price: &OfferPrice| {
        Row::new(vec![
            Cell::text(price.offer.label()),
            Cell::known(price.hour.map(|hour| hour.amount), HOUR_DECIMALS),
            amount(price.month),
        ])
    };
    Table {
        id: "prices".to_owned(),
        title: format!("What it costs in {}, without disks", prices.region),
        columns: vec![
            Column::new("offer", "Bought as"),
            money("hour", &format!("An hour, {}", prices.currency)),
            money("month", "A month"),
        ],
        rows: offers.iter().map(row).collect(),
    }
}
