//! The cheapest setting of one family of disks.

use super::alternatives::{Layout, Need, Search, Way, cheaper};
use super::book::PriceBook;
use crate::catalog::{Catalog, Family};

/// The settings that a disk of a tiered family can be given one by one.
const TIERED: [Way; 3] = [Way::Tier, Way::PerformanceTier, Way::PerformancePlus];

/// The cheapest layout of `family` that delivers what is needed without bursting: every tier, performance tier and
/// performance plus of a tiered family, the least settings of a provisioned one, each as one disk or striped over as
/// many as [`Need::most_disks`] allows. `None` where the family does not deliver it, or is no managed disk.
///
/// Where the price of none is known (a book without prices) it is the smallest: fewest disks, then lowest tier.
#[must_use]
pub fn cheapest(
    catalog: &Catalog,
    book: &PriceBook,
    family: Family,
    need: &Need,
) -> Option<Layout> {
    let search = Search {
        catalog,
        book,
        need,
    };
    let layouts = |disks| -> Vec<Layout> {
        if family.is_tiered() {
            let ways = TIERED.into_iter();
            ways.flat_map(|way| search.tiered(family, way, disks))
                .collect()
        } else {
            search.provisioned(family, disks).into_iter().collect()
        }
    };
    (1..=need.most_disks.max(1))
        .flat_map(layouts)
        .min_by(cheaper)
}
