//! What may deliver where nothing is known to: disks whose latency nobody knows, so that neither is what a queue depth makes
//! of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::need::{Need, VolumeNeed};
use super::run::Market;
use crate::catalog::Family;
use crate::units::{Iops, Latency, QueueDepth};

/// Disks that would deliver if they answered fast enough.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MayDeliver {
    /// For which volume.
    pub volume: String,
    /// The family.
    pub family: Family,
    /// The queue depth that is asked for.
    pub queue_depth: QueueDepth,
    /// What it has to make, headroom included.
    pub iops: Iops,
    /// What an I/O must not exceed for that: queue depth / IOPS.
    #[serde(rename = "latency_needed_us")]
    pub latency_needed: Latency,
    /// What the provider promises of the family's latency, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promise: Option<String>,
}

/// Each volume of `need` with the families of unknown latency that would deliver it, were there I/Os enough.
pub(super) fn may_deliver(market: &Market<'_>, need: &Need) -> Vec<MayDeliver> {
    let mut found = Vec::new();
    for (index, volume) in need.volumes.iter().enumerate() {
        let unknown = |family: &&Family| {
            let known = market.catalog.latency(**family);
            known.is_none_or(|known| known.figure.is_none())
        };
        let families = need.families.iter().filter(unknown);
        let of_depth = families.filter(|family| is_for_depth(market, need, index, **family));
        found.extend(of_depth.filter_map(|family| of(market, need, volume, *family)));
    }
    found
}

/// Whether `family` delivers but for the queue depth of the volume at `index`.
fn is_for_depth(market: &Market<'_>, need: &Need, index: usize, family: Family) -> bool {
    let of_family = Need {
        families: vec![family],
        ..need.clone()
    };
    let mut deep = of_family.clone();
    let depth = deep
        .volumes
        .get_mut(index)
        .map(|volume| &mut volume.queue_depth);
    let stated = depth.and_then(Option::take).is_some();
    let is_feasible = |need: &Need| market.search(need).is_feasible();
    stated && is_feasible(&deep) && !is_feasible(&of_family)
}

fn of(market: &Market<'_>, need: &Need, volume: &VolumeNeed, family: Family) -> Option<MayDeliver> {
    let loads = volume.loads(need.headroom);
    let rates = loads.iter().filter_map(|io| io.demand.iops(io.block_size));
    let iops = rates.reduce(Iops::max)?;
    let queue_depth = volume.queue_depth?;
    let seconds = f64::from(queue_depth.get()) / iops.get();
    Some(MayDeliver {
        volume: volume.name.clone(),
        family,
        queue_depth,
        iops,
        latency_needed: Latency::from_micros(seconds * 1e6).ok()?,
        promise: market
            .catalog
            .latency(family)
            .and_then(|of| of.promise.clone()),
    })
}
