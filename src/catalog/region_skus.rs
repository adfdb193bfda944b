//! What one region sells, as it was read from a live API: kept beside the refreshed prices and laid over the embedded
//! catalogue.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::azure::BURST_BUCKET_SECONDS;
use super::azure::tiers::Tier;
use super::info::Dataset;
use super::limits::Limits;
use super::overlay::Overlay;
use super::vm::{Origin, VmSize};
use super::{Catalog, Family, Redundancy};

/// What one region sells.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RegionSkus {
    /// The region, as the API writes it (`westeurope`).
    pub region: String,
    /// The VM sizes.
    pub vms: Vec<VmSize>,
    /// The limits of disk tiers.
    pub tiers: Vec<TierSku>,
    /// The disks that are offered, each kind once.
    pub offers: Vec<DiskOffer>,
}

/// The limits of one disk tier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TierSku {
    /// ARM's name of the family (`Premium_LRS`).
    pub sku: String,
    /// The tier (`P30`).
    pub tier: String,
    /// The limits without bursting.
    pub limits: Limits,
    /// The limits while bursting, by credit or on demand.
    pub burst: Option<Limits>,
    /// How many VMs may attach a disk of it.
    pub max_shares: Option<u32>,
}

/// A kind of disk that is offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskOffer {
    /// ARM's name (`PremiumV2_LRS`).
    pub sku: String,
    /// The zones that have it; empty where the region has none, or names none.
    pub zones: BTreeSet<u8>,
}

impl RegionSkus {
    /// The list as text. What is not known is left out, which makes it half as long.
    ///
    /// # Errors
    /// When a figure has no JSON form; those of the types here have.
    pub fn to_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut value = serde_json::to_value(self)?;
        drop_nulls(&mut value);
        serde_json::to_vec(&value)
    }
}

fn drop_nulls(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

impl Catalog {
    /// This catalogue with what a region sells laid over it: VM sizes ([`overlay`](Self::overlay)), the limits of disk
    /// tiers, and the disks that the region offers, which take the place of those recorded of it.
    #[must_use]
    pub fn with_region(self, skus: RegionSkus, data: Dataset) -> Self {
        let origin = Origin {
            source: data.source.clone(),
            date: data.date.clone(),
        };
        let with_origin = |vm: VmSize| VmSize {
            origin: origin.clone(),
            ..vm
        };
        let vms = skus.vms.into_iter().map(with_origin).collect();
        let mut catalog = self.overlay(Overlay { data, vms });
        for sku in &skus.tiers {
            catalog.refresh_tier(sku);
        }
        let offers = skus.offers.into_iter().filter_map(|offer| {
            let (family, redundancy) = Family::from_arm_sku(&offer.sku)?;
            Some((family, redundancy, offer.zones.into_iter().collect()))
        });
        catalog.regions.replace(&skus.region, offers.collect());
        catalog
    }

    fn refresh_tier(&mut self, sku: &TierSku) {
        // Zone-redundant disks have the limits of locally redundant ones.
        let Some((family, Redundancy::Lrs)) = Family::from_arm_sku(&sku.sku) else {
            return;
        };
        if let Some(tier) = self.tiers.named_mut(family, &sku.tier) {
            tier.refresh(sku);
        }
    }
}

impl Tier {
    /// The limits that the API tells, in place of the known ones; what it does not tell is kept.
    fn refresh(&mut self, sku: &TierSku) {
        let over = |new: Limits, old: Limits| Limits {
            iops: new.iops.or(old.iops),
            mbps: new.mbps.or(old.mbps),
        };
        self.limits = over(sku.limits, self.limits);
        if let Some(burst) = sku.burst {
            // The API has one pair for both ways to burst; a tier has one of them.
            match (&mut self.on_demand, &mut self.credit_burst) {
                (Some(on_demand), _) => *on_demand = over(burst, *on_demand),
                (None, Some((credit, _))) => *credit = over(burst, *credit),
                (None, None) => self.credit_burst = Some((burst, BURST_BUCKET_SECONDS)),
            }
        }
        self.max_shares = sku.max_shares.unwrap_or(self.max_shares);
    }
}
