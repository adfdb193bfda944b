//! What may deliver where nothing is known to: disks whose latency nobody knows, so that neither is whether they are fast
//! enough, and sizes with a ceiling that nobody knows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::disks::Kind;
use super::model::LimitedPlace;
use super::need::{Need, VolumeNeed};
use super::run::Market;
use super::search::{Picks, PricedSize, Search, cheapest_on};
use super::size::{CEILINGS, SizeModel, place, plus};
use crate::catalog::price::Money;
use crate::catalog::{Axis, Family, Interface};
use crate::units::{Iops, Latency, QueueDepth};

/// Disks that would deliver if they answered fast enough.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MayDeliver {
    /// For which volume.
    pub volume: String,
    /// The family.
    pub family: Family,
    /// The queue depth that is asked for; `None` where the latency that is asked for decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_depth: Option<QueueDepth>,
    /// What it has to make at that queue depth, headroom included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iops: Option<Iops>,
    /// What an I/O must not exceed for that: queue depth / IOPS; without a queue depth, what it has to stay below.
    #[serde(rename = "latency_needed_us")]
    pub latency_needed: Latency,
    /// What the provider promises of the family's latency, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promise: Option<String>,
}

/// A size that would deliver if ceilings that nobody knows let enough through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SizeMayDeliver {
    /// The size.
    pub size: String,
    /// The disk controller that this holds for, where the size's caps differ by it.
    pub interface: Option<Interface>,
    /// A month of it with the cheapest disks that may deliver.
    pub month: Money,
    /// The ceilings that are not known, with what these disks need of them.
    pub unknown: Vec<UnknownCeiling>,
}

/// A ceiling that is not known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnknownCeiling {
    /// Where.
    pub place: LimitedPlace,
    /// IOPS or MB/s.
    pub axis: Axis,
    /// What it has to let through, headroom included.
    pub needs: f64,
}

/// All that may deliver.
#[derive(Debug, Default)]
pub(super) struct May {
    pub disks: Vec<MayDeliver>,
    pub sizes: Vec<SizeMayDeliver>,
}

/// What may deliver `need`, which nothing is known to.
pub(super) fn may_deliver(market: &Market<'_>, need: &Need) -> May {
    let mut hopeful = market.hopeful_search(need);
    let in_doubt = match hopeful.is_feasible() {
        true => Vec::new(),
        false => sizes_in_doubt(&mut hopeful),
    };
    let sizes = in_doubt.iter().map(|of| of.told(market)).collect();
    May {
        disks: disks(market, need, &hopeful.choices.kinds),
        sizes,
    }
}

/// The families of unknown latency that deliver if they are fast enough, for each volume that needs that hope.
fn disks(market: &Market<'_>, need: &Need, kinds: &[Kind]) -> Vec<MayDeliver> {
    let mut hoped: Vec<(usize, Family)> = (kinds.iter())
        .filter(|kind| kind.is_hoped)
        .map(|kind| (kind.volume, kind.family))
        .collect();
    hoped.dedup();
    let alone = |&(volume, family): &(usize, Family)| {
        is_possible(market, need, volume, |of, hoped| hoped && of == family)
    };
    hoped.retain(alone);
    let needs_hope =
        |&(volume, _): &(usize, Family)| !is_possible(market, need, volume, |_, hoped| !hoped);
    // Where either of two volumes can do without, each is told.
    let (needing, others): (Vec<_>, Vec<_>) = hoped.into_iter().partition(needs_hope);
    let hoped = match needing.is_empty() {
        true => others,
        false => needing,
    };
    let told =
        |(volume, family): (usize, Family)| disk(market, need, &need.volumes[volume], family);
    hoped.into_iter().filter_map(told).collect()
}

/// Whether something may deliver where `volume` is of kinds that `which` takes, told the family and whether it is hoped.
fn is_possible(
    market: &Market<'_>,
    need: &Need,
    volume: usize,
    which: impl Fn(Family, bool) -> bool,
) -> bool {
    let mut search = market.hopeful_search(need);
    let choices = &mut search.choices;
    let kinds = &choices.kinds;
    choices.layouts[volume].retain(|layout| {
        let kind = &kinds[layout.kind];
        which(kind.family, kind.is_hoped)
    });
    search.is_feasible() || !sizes_in_doubt(&mut search).is_empty()
}

fn disk(
    market: &Market<'_>,
    need: &Need,
    volume: &VolumeNeed,
    family: Family,
) -> Option<MayDeliver> {
    let at_depth = of_depth(need, volume);
    let below = volume.latency_below;
    // The one of the two that asks for more.
    let decides = |(_, _, needed): &(QueueDepth, Iops, Latency)| {
        below.is_none_or(|below| needed.micros() < below.micros())
    };
    let at_depth = at_depth.filter(decides);
    Some(MayDeliver {
        volume: volume.name.clone(),
        family,
        queue_depth: at_depth.map(|(depth, _, _)| depth),
        iops: at_depth.map(|(_, iops, _)| iops),
        latency_needed: at_depth.map(|(_, _, needed)| needed).or(below)?,
        promise: market
            .catalog
            .latency(family)
            .and_then(|of| of.promise.clone()),
    })
}

/// The queue depth of `volume`, the rate that it has to make, and what an I/O must not exceed for that.
fn of_depth(need: &Need, volume: &VolumeNeed) -> Option<(QueueDepth, Iops, Latency)> {
    let loads = volume.loads(need.headroom);
    let rates = loads.iter().filter_map(|io| io.demand.iops(io.block_size));
    let iops = rates.reduce(Iops::max)?;
    let depth = volume.queue_depth?;
    let seconds = f64::from(depth.get()) / iops.get();
    Some((depth, iops, Latency::from_micros(seconds * 1e6).ok()?))
}

/// A size with a price that delivers only where its unknown ceilings do.
struct InDoubt<'a> {
    size: PricedSize<'a>,
    picks: Picks,
    unknown: Vec<UnknownCeiling>,
}

impl InDoubt<'_> {
    fn month(&self) -> f64 {
        self.size.month + self.picks.month
    }

    fn told(&self, market: &Market<'_>) -> SizeMayDeliver {
        SizeMayDeliver {
            size: self.size.vm.name.clone(),
            interface: self.size.vm.interface,
            month: market.money(self.month()),
            unknown: self.unknown.clone(),
        }
    }
}

/// The sizes of `search` that deliver only where their unknown ceilings do, the cheapest first.
fn sizes_in_doubt<'a>(search: &mut Search<'a>) -> Vec<InDoubt<'a>> {
    let mut found = Vec::new();
    for size in search.sizes.clone() {
        let model = search.size(size.vm);
        if model.caps.iter().all(Option::is_some) {
            continue;
        }
        let Some(picks) = cheapest_on(&search.choices, &model.hoped()) else {
            continue;
        };
        let unknown = unknown(search, &model, &picks);
        if !unknown.is_empty() {
            found.push(InDoubt {
                size,
                picks,
                unknown,
            });
        }
    }
    found.sort_by(|a, b| a.month().total_cmp(&b.month()));
    found
}

/// The unknown ceilings of `size` that `picks` and what is kept use, with what they need of them.
fn unknown(search: &Search<'_>, size: &SizeModel, picks: &Picks) -> Vec<UnknownCeiling> {
    let layouts = search.choices.layouts.iter().zip(&picks.layouts);
    let kinds = layouts.filter_map(|(of, &pick)| Some(of.get(pick)?.kind));
    let taken = kinds.fold(size.kept, |sum, kind| plus(&sum, &size.takes[kind]));
    let ceilings = CEILINGS.into_iter().zip(size.caps).zip(taken);
    ceilings
        .filter(|((_, cap), needs)| cap.is_none() && *needs > 0.0)
        .map(|(((name, axis), _), needs)| UnknownCeiling {
            place: place(name),
            axis,
            needs,
        })
        .collect()
}
