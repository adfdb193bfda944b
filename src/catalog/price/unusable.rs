//! The price of provisioned performance that cannot be used.

use super::bill::{Bill, BilledDisk, Priced, WhyMissing};
use super::book::PriceBook;
use super::meter::{DiskMeter, ProvisionedPart};
use super::money::{Money, Total};
use crate::catalog::{Axis, Catalog, DiskModel, DiskRequest, Limits};

impl PriceBook {
    /// What `beyond` of a disk's provisioned IOPS and MB/s cost a month: what is provisioned and cannot be used. An
    /// axis of `beyond` that is `None` counts as nothing.
    ///
    /// Of Premium SSD v2 and Ultra it is the price of those IOPS and MB/s, as far as they are billed at all. Of a
    /// tiered disk it is the difference to the cheapest performance tier of the same disk that delivers the rest;
    /// nothing where the disk's size leaves none below. Other disks have no price of their own.
    #[must_use]
    pub fn unusable(
        &self,
        catalog: &Catalog,
        request: &DiskRequest,
        model: &DiskModel,
        beyond: Limits,
    ) -> Total {
        if model.family.is_tiered() {
            self.unusable_tier(catalog, request, model, beyond)
        } else if model.family.provisioned_rules().is_some() {
            self.unusable_settings(&BilledDisk::of(catalog, request, model), beyond)
        } else {
            Total::zero(self.currency())
        }
    }

    fn unusable_settings(&self, disk: &BilledDisk, beyond: Limits) -> Total {
        let billed = disk.billed_performance();
        let mut bill = Bill::new(self.currency());
        for (axis, part) in [
            (Axis::Iops, ProvisionedPart::Iops),
            (Axis::Mbps, ProvisionedPart::Mbps),
        ] {
            let meter = DiskMeter::Provisioned {
                family: disk.family,
                redundancy: disk.redundancy,
                part,
            };
            let beyond = beyond.on(axis).unwrap_or(0.0);
            let wasted = billed.on(axis).map(|billed| billed.min(beyond));
            bill.add_if_known(meter, wasted, WhyMissing::NoSetting, self.disk(meter));
        }
        bill.total()
    }

    fn unusable_tier(
        &self,
        catalog: &Catalog,
        request: &DiskRequest,
        model: &DiskModel,
        beyond: Limits,
    ) -> Total {
        let needed = |axis| Some(model.base.on(axis)? - beyond.on(axis).unwrap_or(0.0));
        let delivers = |limits: Limits| {
            [Axis::Iops, Axis::Mbps].into_iter().all(|axis| {
                needed(axis).is_none_or(|needed| limits.on(axis).is_some_and(|has| has >= needed))
            })
        };
        let cheapest = catalog
            .tiers()
            .of(model.family)
            .filter_map(|tier| {
                let lower = DiskRequest {
                    tier: None,
                    size: model.size,
                    performance_tier: Some(tier.name.clone()),
                    ..request.clone()
                };
                let resolved = catalog.disk(&lower).ok()?;
                let fits = resolved.violations.is_empty() && delivers(resolved.model.base);
                fits.then(|| self.tier_price(&resolved.model))?
            })
            .fold(f64::INFINITY, f64::min);
        let mut bill = Bill::new(self.currency());
        let Some(paid) = self.tier_price(model) else {
            bill.miss(&Priced::Unlisted(model.family), WhyMissing::NoPrice);
            return bill.total();
        };
        Total {
            known: Money::new((paid - cheapest).max(0.0), self.currency()),
            missing: Vec::new(),
        }
    }

    /// The month's price of the tier that a disk is billed as.
    fn tier_price(&self, model: &DiskModel) -> Option<f64> {
        let tier = model.tier.as_deref()?.parse().ok()?;
        let price = self.disk(DiskMeter::tier(tier, model.redundancy))?;
        Some(price.price.amount)
    }
}
