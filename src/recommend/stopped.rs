//! Why nothing delivers a need, in a phrase: what no disks of a volume do, else what the size that comes nearest lacks.

use super::disks::{Choices, Kind, UnknownLatency, at_depth, choices};
use super::fails::why;
use super::fewest::fewest;
use super::need::{MAX_STRIPE, Need};
use super::run::Market;
use super::search::Search;
use crate::catalog::{Family, Redundancy, size_name};
use crate::units::{BlockSize, Iops, QueueDepth, grouped};
use crate::workload::{Demand, Io};

/// What stops `need`, which nothing with a known price delivers.
pub(super) fn stopped(market: &Market<'_>, need: &Need) -> String {
    if market.search(need).delivers_at_unknown_prices() {
        return "what delivers it has no known price".to_owned();
    }
    let mut search = market.search(need);
    match search.choices.layouts.iter().position(Vec::is_empty) {
        Some(volume) => no_disks(market, need, volume, &search.choices),
        None => nearest(need, &mut search),
    }
}

/// What the size lacks that comes nearest, the cheapest of equally near ones.
fn nearest(need: &Need, search: &mut Search<'_>) -> String {
    let sizes = search.sizes.clone();
    let whys = sizes.iter().map(|size| {
        let model = search.size(size.vm);
        (size.vm, why(need, &search.choices, &model))
    });
    let nearest = whys.min_by(|(_, a), (_, b)| a.lack.total_cmp(&b.lack));
    nearest.map_or_else(
        || "no size in service is like that and has a known price".to_owned(),
        |(vm, why)| {
            format!(
                "{}, the nearest: {}",
                size_name(&vm.name, vm.interface),
                why.reason
            )
        },
    )
}

/// Why no disks carry the load of `volume`.
fn no_disks(market: &Market<'_>, need: &Need, volume: usize, found: &Choices) -> String {
    let name = &need.volumes[volume].name;
    let disks = Disks {
        market,
        need: Need {
            volumes: vec![need.volumes[volume].clone()],
            kept: Vec::new(),
            ..need.clone()
        },
    };
    let reason = disks.reason().unwrap_or_else(|| {
        let mut left_out = found.left_out.iter().filter(|one| one.volume == volume);
        let first = left_out
            .next()
            .map(|one| format!("{}: {}", one.family, one.reason));
        first.unwrap_or_else(|| "no disks carry it".to_owned())
    });
    match need.volumes.len() {
        1 => reason,
        _ => format!("{name}: {reason}"),
    }
}

/// The disks of one volume, which is all of the need.
struct Disks<'a> {
    market: &'a Market<'a>,
    need: Need,
}

impl Disks<'_> {
    /// The constraint that alone stands in the way.
    fn reason(&self) -> Option<String> {
        self.depth()
            .or_else(|| self.latency())
            .or_else(|| self.stripe())
            .or_else(|| self.families())
            .or_else(|| self.copies())
    }

    /// What can be chosen with `change`, priced or not; `None` where nothing can.
    fn with(&self, change: impl FnOnce(&mut Need)) -> Option<Choices> {
        let mut need = self.need.clone();
        change(&mut need);
        let mut found = choices(
            self.market.catalog,
            self.market.book,
            &need,
            UnknownLatency::Refused,
        );
        found.take_unpriced();
        (!found.layouts.first()?.is_empty()).then_some(found)
    }

    fn depth(&self) -> Option<String> {
        let depth = self.need.volumes[0].queue_depth?;
        let any = self.with(|need| need.volumes[0].queue_depth = None)?;
        let kinds: Vec<&Kind> = (any.layouts[0].iter())
            .map(|layout| &any.kinds[layout.kind])
            .collect();
        let known = kinds.iter().filter_map(|kind| Some((kind.latency?, kind)));
        let fastest = known.min_by(|(a, _), (b, _)| a.total_cmp(b));
        let fastest = fastest.map(|(seconds, kind)| most_at_depth(depth, seconds, &kind.loads));
        Some(match (fastest, unknown_latency(&kinds)) {
            (Some(fastest), None) => fastest,
            (Some(fastest), Some(others)) => format!("{fastest}; not known of {others}"),
            (None, others) => format!(
                "what {} makes of queue depth {depth} is not known",
                others.unwrap_or_default()
            ),
        })
    }

    fn latency(&self) -> Option<String> {
        let below = self.need.volumes[0].latency_below?;
        self.with(|need| need.volumes[0].latency_below = None)?;
        Some(format!("no disks are known to stay below {below}"))
    }

    fn stripe(&self) -> Option<String> {
        let most = self.need.max_stripe;
        let would_do = |disks: u32| self.with(|need| need.max_stripe = disks).is_some();
        let needed = fewest(most, MAX_STRIPE, would_do)?;
        Some(format!(
            "a stripe of at most {most} disks, {needed} are needed"
        ))
    }

    fn families(&self) -> Option<String> {
        let of = |family: Family| self.with(|need| need.families = vec![family]);
        let others = Family::ALL.into_iter().filter(|family| {
            family.is_managed() && !self.need.families.contains(family) && of(*family).is_some()
        });
        let names: Vec<&str> = others.map(Family::name).collect();
        (!names.is_empty()).then(|| {
            format!(
                "no disks to choose from carry it, {} would",
                names.join(" or ")
            )
        })
    }

    fn copies(&self) -> Option<String> {
        let is_zoned = self.need.volumes[0].redundancy == Redundancy::Zrs;
        let local = |need: &mut Need| need.volumes[0].redundancy = Redundancy::Lrs;
        (is_zoned && self.with(local).is_some())
            .then(|| "no zone-redundant disks carry it".to_owned())
    }
}

/// What `depth` I/Os of so many seconds make of the largest of `loads`, in the unit in which that is asked.
fn most_at_depth(depth: QueueDepth, seconds: f64, loads: &[Io]) -> String {
    let (made, words) = at_depth(depth.get(), seconds);
    let load = loads.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)));
    match load.map(|load| (load.demand, load.block_size)) {
        Some((Demand::Mbps(_), block)) => format!("{words}, {} at most", moved(made, block)),
        _ => format!("{words} at most"),
    }
}

/// The families among `kinds` whose latency is not known.
fn unknown_latency(kinds: &[&Kind]) -> Option<String> {
    let unknown = kinds.iter().filter(|kind| kind.latency.is_none());
    let mut names: Vec<&str> = unknown.map(|kind| kind.family.name()).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| names.join(" or "))
}

fn rate(io: &Io) -> f64 {
    io.demand.iops(io.block_size).map_or(0.0, Iops::get)
}

/// `378 MB/s in blocks of 60 KiB`.
fn moved(iops: f64, block: BlockSize) -> String {
    let mbps = iops * block.bytes_f64() / crate::units::MB;
    format!("{} MB/s in blocks of {block}", grouped(mbps, 0))
}
