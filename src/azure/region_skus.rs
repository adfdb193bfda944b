//! What regions sell, fetched for the user's copy: the live list as rows for the catalogue.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::stream;
use futures_util::{StreamExt, TryStreamExt};

use super::client::Client;
use super::facts::sku::Restricted;
use super::facts::{DiskSkuFacts, FleetFacts, Offer, SkuFacts};
use super::update::UpdateError;
use crate::catalog::price::Region;
use crate::catalog::{DiskOffer, Origin, RegionSkus, TierSku, VmSize};

/// Where what regions sell is asked: a client that is signed in, and a subscription that it may read.
#[derive(Debug)]
pub struct SkuSource<'a> {
    /// The client.
    pub client: &'a Client,
    /// The subscription. What a region offers may be restricted for it.
    pub subscription: &'a str,
    /// The address that is asked, for the copy to say.
    pub name: &'a str,
}

/// What one region sells.
#[derive(Debug, Clone, PartialEq)]
pub struct FetchedSkus {
    /// The region.
    pub region: Region,
    /// What it sells.
    pub skus: RegionSkus,
    /// What was odd about the list.
    pub problems: Vec<String>,
}

impl SkuSource<'_> {
    /// What `regions` sell, some at once, in their order. The first failure ends it.
    pub(super) async fn fetch(
        &self,
        regions: &[Region],
        at_once: usize,
    ) -> Result<Vec<FetchedSkus>, UpdateError> {
        stream::iter(regions)
            .map(|region| self.region(region))
            .buffered(at_once.max(1))
            .try_collect()
            .await
    }

    async fn region(&self, region: &Region) -> Result<FetchedSkus, UpdateError> {
        let answer = self.client.skus(self.subscription, region.as_str()).await;
        let facts = answer.map_err(|cause| UpdateError::Skus {
            region: region.clone(),
            cause: Box::new(cause),
        })?;
        let skus = region_skus(&facts, region);
        if skus.vms.is_empty() {
            return Err(UpdateError::NoSkus {
                region: region.clone(),
            });
        }
        let problems = facts.problems.iter().map(ToString::to_string);
        Ok(FetchedSkus {
            region: region.clone(),
            skus,
            problems: problems.collect(),
        })
    }
}

/// The list of one region as rows for the catalogue. VM sizes that the subscription cannot have there are rows, too:
/// their caps hold elsewhere.
#[must_use]
pub fn region_skus(facts: &FleetFacts, region: &Region) -> RegionSkus {
    let mut skus = RegionSkus {
        region: region.as_str().to_owned(),
        ..RegionSkus::default()
    };
    let mut offers: BTreeMap<String, BTreeSet<u8>> = BTreeMap::new();
    for sku in &facts.skus {
        match sku {
            // Their origin is that of the whole list.
            SkuFacts::Vm(vm) => skus.vms.push(VmSize {
                origin: Origin::default(),
                ..vm.size.clone()
            }),
            SkuFacts::Disk(disk) => {
                skus.tiers.extend(tier(disk));
                let here = disk.offers.iter();
                let here = here.filter(|offer| offer.region.as_str() == region.as_str());
                for zones in here.filter_map(zones) {
                    let known = offers.entry(disk.sku.name.to_string()).or_default();
                    known.extend(zones);
                }
            }
        }
    }
    skus.offers = offers
        .into_iter()
        .map(|(sku, zones)| DiskOffer { sku, zones })
        .collect();
    skus
}

/// The limits of a tier; none of a family whose limits are provisioned.
fn tier(disk: &DiskSkuFacts) -> Option<TierSku> {
    if !disk.sku.family?.is_tiered() {
        return None;
    }
    Some(TierSku {
        sku: disk.sku.name.to_string(),
        tier: disk.tier.as_deref()?.to_owned(),
        limits: disk.limits,
        burst: disk.burst,
        max_shares: disk.max_shares,
    })
}

/// The zones of an offer that the subscription can have; `None` where it cannot have it at all.
fn zones(offer: &Offer) -> Option<BTreeSet<u8>> {
    let restricted = &offer.restrictions;
    if restricted.iter().any(|r| r.zones.is_empty()) {
        return None;
    }
    let open = offer.zones.iter().filter(|zone| {
        let is = |r: &Restricted| r.zones.contains(zone);
        !restricted.iter().any(is)
    });
    let numbers: BTreeSet<u8> = open.filter_map(|zone| zone.parse().ok()).collect();
    (offer.zones.is_empty() || !numbers.is_empty()).then_some(numbers)
}
