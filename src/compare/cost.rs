//! What disks and VMs cost a month, as comparisons show it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::price::{MissingPrice, Money, PriceBook, Total, VmOffer};
use crate::catalog::{Catalog, VmSize};
use crate::deployment::Volume;
use crate::planner::money::volume_month;

/// A month's cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Month {
    /// What is billed whether it is used or not; `None` where a price of that is unknown.
    pub fixed: Option<Money>,
    /// What is billed by use and comes on top, or whose price is unknown.
    pub without: Vec<MissingPrice>,
}

impl From<Total> for Month {
    fn from(total: Total) -> Self {
        Self {
            fixed: total.is_priced().then_some(total.known),
            without: total.missing,
        }
    }
}

impl Month {
    /// The fixed cost for each of `delivered`; `None` where it is unknown or nothing is delivered.
    #[must_use]
    pub fn per(&self, delivered: f64) -> Option<Money> {
        let fixed = self.fixed?;
        (delivered > 0.0).then(|| fixed.times(1.0 / delivered))
    }

    /// Both together; the fixed part is unknown where either is.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let sum = |(a, b): (Money, Money)| a.plus(b).ok();
        let mut without = self.without.clone();
        without.extend(other.without.iter().cloned());
        without.dedup();
        Self {
            fixed: self.fixed.zip(other.fixed).and_then(sum),
            without,
        }
    }
}

/// What the disks of `volume` cost. What is billed by use (transactions, mounts, bursting) stays out of the fixed part.
pub(super) fn of_volume(catalog: &Catalog, book: &PriceBook, volume: &Volume) -> Month {
    volume_month(catalog, book, volume).into()
}

/// What the VM costs, bought as `offer`, without its disks; unknown where the region has no price of it.
pub(super) fn of_vm(book: &PriceBook, vm: &VmSize, offer: VmOffer) -> Option<Month> {
    let bill = book.vm_bill(&vm.name, offer).ok()?;
    Some(bill.total().into())
}
