//! The layouts of one volume: every family, tier, setting and stripe that holds its capacity and carries its load.
//!
//! A *kind* is a family with a host caching: all its layouts use the VM's ceilings alike, whatever their tier or
//! settings. So of the layouts of a kind only the cheapest of each number of disks can be part of a cheapest answer,
//! and of these only those that no cheaper one with as few disks beats.

use super::need::{Need, VolumeNeed};
use super::offers::{Offer, cacheable, offers, one_disk};
use crate::catalog::price::transactions::{Transactions, billed_transactions, transactions_per_io};
use crate::catalog::price::{BilledDisk, DiskUse, MissingPrice, PriceBook, TierName, Total};
use crate::catalog::{Axis, Catalog, DiskModel, DiskRequest, Family, LatencyFigure};
use crate::deployment::{Deployment, Disk, DiskSpec, HostCaching, Volume};
use crate::planner::{Phase, System, latency};
use crate::units::{GiB, Iops, Latency, MBps, QueueDepth, Share};
use crate::workload::Io;

/// A rounding error of this fraction is no difference.
pub(super) const SAME: f64 = 1e-9;

/// A family with a host caching, for one volume.
#[derive(Debug, Clone)]
pub(super) struct Kind {
    pub volume: usize,
    pub family: Family,
    pub caching: HostCaching,
    /// A disk of the family, as the VM's ceilings see any of them.
    pub sample: Disk,
    /// What the volume is asked for, headroom included.
    pub loads: Vec<Io>,
    /// What the whole volume takes of its disks: accounted IOPS and MB/s, the most of its loads.
    takes: [f64; 2],
    /// Each load without headroom: I/Os a second that reach the disks.
    reach_disks: Vec<(Io, f64)>,
    /// One I/O at a time, seconds; `None` where unknown.
    pub latency: Option<f64>,
    /// What it hardly ever reaches, seconds; `None` where nothing is promised.
    pub latency_bound: Option<f64>,
    /// Whether nobody knows if it is fast enough, and that is hoped.
    pub is_hoped: bool,
}

impl Kind {
    /// The least whole microseconds that can be asked for as "below" with this one staying there: the next above a latency
    /// that is known; what is promised itself, for a promise is to stay below it.
    pub fn below_micros(&self) -> Option<f64> {
        let known = |seconds: f64| (seconds * 1e6 * (1.0 + SAME)).floor() + 1.0;
        let promised = |seconds: f64| (seconds * 1e6 * (1.0 - SAME)).ceil();
        self.latency
            .map(known)
            .or_else(|| self.latency_bound.map(promised))
    }
}

/// What a latency counts as that nobody knows, where the promise is not enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnknownLatency {
    /// Too slow: an answer has to be sure.
    Refused,
    /// Fast enough: to see what may deliver.
    Hoped,
}

/// Disks of one kind that carry the load of their volume.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub kind: usize,
    pub spec: DiskSpec,
    pub month: f64,
    /// How many times the load the disks could carry.
    pub room: f64,
    /// Transactions that are billed a month, all disks together; `None` where the family bills none.
    pub transactions: Option<f64>,
    /// What has no known price and is not in `month`, which then is the least that it costs.
    pub unpriced: Vec<MissingPrice>,
}

impl Layout {
    /// Whether this one makes `other`, of the same kind, superfluous. At the same price one without performance plus, which has
    /// to be set when the disk is made, and without a raised tier does: it has more capacity.
    fn beats(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.month <= other.month
            && self.spec.count <= other.spec.count
            && (self.month < other.month
                || self.room >= other.room
                || (self.is_plain() && !other.is_plain()))
    }

    const fn is_plain(&self) -> bool {
        let request = &self.spec.request;
        !request.performance_plus && request.performance_tier.is_none()
    }
}

/// Disks that hold the capacity and do not carry the load.
#[derive(Debug, Clone)]
pub(super) struct TooSlow {
    pub kind: usize,
    pub spec: DiskSpec,
    pub label: String,
    /// A month of them, transactions not counted.
    pub month: f64,
    pub axis: Axis,
    pub has: f64,
    pub needs: f64,
}

/// Why a family is not chosen from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LeftOut {
    pub volume: usize,
    pub family: Family,
    pub reason: String,
    /// Whether the disks carry the load and only a price of them is not known.
    pub unpriced: bool,
}

/// All that can be chosen for the volumes of a need.
#[derive(Debug, Clone, Default)]
pub(super) struct Choices {
    pub kinds: Vec<Kind>,
    /// By volume, cheapest first.
    pub layouts: Vec<Vec<Layout>>,
    pub too_slow: Vec<TooSlow>,
    pub left_out: Vec<LeftOut>,
    /// Layouts that carry the load and have a part without a price, which the reason names.
    unpriced: Vec<(LeftOut, Layout)>,
}

impl Choices {
    /// Also chooses from what has no known price, at the part of it that has: to see whether it would deliver.
    pub fn take_unpriced(&mut self) {
        self.take(|_| true);
    }

    /// Also chooses from disks that have a price and use of which has none, as if that cost nothing. Whether there are
    /// any.
    pub fn take_partly_priced(&mut self) -> bool {
        self.take(|layout| layout.month > 0.0)
    }

    fn take(&mut self, which: impl Fn(&Layout) -> bool) -> bool {
        let (taken, left): (Vec<_>, Vec<_>) =
            (self.unpriced.drain(..)).partition(|(_, layout)| which(layout));
        self.unpriced = left;
        let any = !taken.is_empty();
        for (left_out, layout) in taken {
            self.layouts[left_out.volume].push(layout);
        }
        self.layouts.iter_mut().for_each(prune);
        any
    }
}

struct Finder<'a> {
    catalog: &'a Catalog,
    book: &'a PriceBook,
    need: &'a Need,
    unknown: UnknownLatency,
    found: Choices,
}

/// Everything that can be chosen for `need`.
pub(super) fn choices(
    catalog: &Catalog,
    book: &PriceBook,
    need: &Need,
    unknown: UnknownLatency,
) -> Choices {
    let mut finder = Finder {
        catalog,
        book,
        need,
        unknown,
        found: Choices::default(),
    };
    for volume in 0..need.volumes.len() {
        finder.found.layouts.push(Vec::new());
        for &family in &need.families {
            finder.family(volume, family);
        }
        if let Some(layouts) = finder.found.layouts.last_mut() {
            prune(layouts);
        }
    }
    finder.report_unpriced();
    finder.found
}

/// Cheapest first, without those that another of their kind beats.
fn prune(layouts: &mut Vec<Layout>) {
    layouts.sort_by(|a, b| {
        let by_room = b.room.total_cmp(&a.room);
        let by_disks = a.spec.count.cmp(&b.spec.count);
        let plain_first = b.is_plain().cmp(&a.is_plain());
        let by_price = a.month.total_cmp(&b.month);
        by_price.then(by_disks).then(plain_first).then(by_room)
    });
    let mut kept: Vec<Layout> = Vec::new();
    for layout in layouts.drain(..) {
        if !kept.iter().any(|k| k.beats(&layout)) {
            kept.push(layout);
        }
    }
    *layouts = kept;
}

impl Finder<'_> {
    fn family(&mut self, volume: usize, family: Family) {
        let wanted = &self.need.volumes[volume];
        let offers = offers(self.catalog, family, wanted, self.need.hold);
        let Some(sample) = offers.first() else {
            let redundancy = wanted.redundancy;
            self.leave_out(volume, family, format!("not offered with {redundancy}"));
            return;
        };
        let cached = family.is_tiered() && wanted.hit_share.is_some();
        let cachings = [HostCaching::None, HostCaching::ReadOnly];
        let before = self.found.kinds.len();
        let mut reasons = Vec::new();
        for caching in cachings.into_iter().take(if cached { 2 } else { 1 }) {
            let kind = self.kind(volume, family, caching, sample);
            match too_late(&kind, wanted) {
                Some(late) if late.is_unknown && self.unknown == UnknownLatency::Hoped => {
                    let is_hoped = true;
                    self.layouts(Kind { is_hoped, ..kind }, &offers);
                }
                Some(late) => reasons.push(late.reason),
                None => self.layouts(kind, &offers),
            }
        }
        if self.found.kinds.len() == before
            && let Some(reason) = reasons.pop()
        {
            self.leave_out(volume, family, reason);
        }
    }

    /// Leaves out the families of which layouts would carry the load and none has a price.
    fn report_unpriced(&mut self) {
        for (unpriced, _) in &self.found.unpriced {
            let LeftOut { volume, family, .. } = *unpriced;
            let is_that = |v: usize, f: Family| (v, f) == (volume, family);
            let mut known = self.found.left_out.iter();
            let of_family = |layout: &Layout| {
                let kind = &self.found.kinds[layout.kind];
                is_that(kind.volume, kind.family)
            };
            if !known.any(|l| is_that(l.volume, l.family))
                && !self.found.layouts[volume].iter().any(of_family)
            {
                self.found.left_out.push(unpriced.clone());
            }
        }
    }

    fn leave_out(&mut self, volume: usize, family: Family, reason: String) {
        self.found.left_out.push(LeftOut {
            volume,
            family,
            reason,
            unpriced: false,
        });
    }

    fn kind(&self, volume: usize, family: Family, caching: HostCaching, offer: &Offer) -> Kind {
        let wanted = &self.need.volumes[volume];
        let sample = Disk {
            spec: DiskSpec::new(offer.request.clone()),
            model: DiskModel {
                cacheable: family.is_tiered(),
                ..offer.model.clone()
            },
            violations: Vec::new(),
            caching,
            write_accelerator: false,
        };
        let alone = one_disk(self.catalog, sample.clone());
        let loads = wanted.loads(self.need.headroom);
        let mut takes = [0.0_f64; 2];
        for io in &loads {
            let system = System::new(&alone, &[*io]);
            for flow in &system.flows {
                for used in flow.uses(Phase::Sustained) {
                    let take = &mut takes[used.resource];
                    *take = take.max(used.per_io * flow.demand());
                }
            }
        }
        let plain = wanted.loads(Share::NONE).into_iter();
        let reach_disks = plain.map(|io| (io, reaching(&alone, &io))).collect();
        let one_at_a_time = |latency: OneIo| {
            let (volume, io) = alone.volumes.first().zip(loads.first())?;
            latency(volume, alone.cache_latency, io, Phase::Sustained)
        };
        let (latency, latency_bound) = (
            one_at_a_time(latency::of_one_io),
            one_at_a_time(latency::bound_of_one_io),
        );
        Kind {
            volume,
            family,
            caching,
            sample,
            loads,
            takes,
            reach_disks,
            latency,
            latency_bound,
            is_hoped: false,
        }
    }

    fn layouts(&mut self, kind: Kind, offers: &[Offer]) {
        let index = self.found.kinds.len();
        for disks in 1..=self.need.max_stripe {
            match kind.family.provisioned_rules() {
                Some(_) => self.provisioned(&kind, index, disks),
                None => {
                    for offer in offers {
                        self.tiered(&kind, index, disks, offer);
                    }
                }
            }
        }
        self.found.kinds.push(kind);
    }

    /// Adds `disks` of `offer`, where they hold the capacity and carry the load.
    fn tiered(&mut self, kind: &Kind, index: usize, disks: u32, offer: &Offer) {
        let part = self.need.volumes[kind.volume].capacity_gib.get() / f64::from(disks);
        let Some((request, model)) = cacheable(self.catalog, offer, kind.caching) else {
            return;
        };
        if model.size.is_none_or(|size| size.get() < part) {
            return;
        }
        let spec = spec(request, disks, kind.caching);
        match carries(kind, disks, offer.caps) {
            Ok(room) => self.add(kind, index, spec, &model, room),
            Err((axis, has, needs)) => {
                let label = match disks {
                    1 => model.label.clone(),
                    n => format!("{n} x {}", model.label),
                };
                let idle = Transactions {
                    per_hour: 0.0,
                    hours: self.need.busy_hours,
                };
                if let Some(month) = self.price(&spec, &model, idle).complete() {
                    self.found.too_slow.push(TooSlow {
                        kind: index,
                        spec,
                        label,
                        month: month.amount,
                        axis,
                        has,
                        needs,
                    });
                }
            }
        }
    }

    /// Adds `disks` Premium SSD v2 or Ultra disks with the least settings that do. Size, IOPS and MB/s all cost more the
    /// higher they are, and the least of each is possible at once: the MB/s that are needed; the IOPS that are needed or
    /// that these MB/s demand; the size that is needed or that these IOPS demand. So nothing else is cheaper.
    fn provisioned(&mut self, kind: &Kind, index: usize, disks: u32) {
        let Some(request) = self.least_settings(kind, disks) else {
            return;
        };
        let Ok(resolved) = self.catalog.disk(&request) else {
            return;
        };
        let caps = [Axis::Iops, Axis::Mbps].map(|axis| resolved.model.base.on(axis));
        if let (true, Ok(room)) = (resolved.violations.is_empty(), carries(kind, disks, caps)) {
            let spec = spec(request, disks, kind.caching);
            self.add(kind, index, spec, &resolved.model, room);
        }
    }

    fn least_settings(&self, kind: &Kind, disks: u32) -> Option<DiskRequest> {
        let rules = kind.family.provisioned_rules()?;
        let wanted = &self.need.volumes[kind.volume];
        let part = |whole: f64| whole_up(whole / f64::from(disks));
        let mbps = MBps::new(part(kind.takes[1])).ok()?.max(rules.min_mbps);
        let for_mbps = whole_up(rules.iops_for(mbps)?.get());
        let iops = Iops::new(part(kind.takes[0]).max(for_mbps)).ok()?;
        let iops = iops.max(rules.min_iops);
        let size = GiB::new(part(wanted.capacity_gib.get())).ok()?;
        Some(DiskRequest {
            size: Some(size.max(rules.size_for(iops)?)),
            iops: Some(iops),
            mbps: Some(mbps),
            redundancy: wanted.redundancy,
            ..DiskRequest::new(kind.family)
        })
    }

    /// Adds a layout that carries the load: to choose from where it has a price, else to those that have none.
    fn add(&mut self, kind: &Kind, index: usize, spec: DiskSpec, model: &DiskModel, room: f64) {
        let load = self.transactions(kind, model, spec.count);
        let total = self.price(&spec, model, load);
        let tier = model.tier.as_deref().and_then(|tier| tier.parse().ok());
        let billing = tier.filter(|tier: &TierName| tier.family.bills_transactions());
        let layout = Layout {
            kind: index,
            month: total.known.amount,
            room,
            transactions: billing
                .map(|tier| billed_transactions(tier, load) * f64::from(spec.count)),
            spec,
            unpriced: total.missing,
        };
        if let Some(missing) = layout.unpriced.first() {
            let left_out = LeftOut {
                volume: kind.volume,
                family: kind.family,
                reason: missing.to_string(),
                unpriced: true,
            };
            self.found.unpriced.push((left_out, layout));
        } else if let Some(layouts) = self.found.layouts.last_mut() {
            layouts.push(layout);
        }
    }

    /// The billed transactions of one of `disks` disks, in each hour of the need.
    fn transactions(&self, kind: &Kind, model: &DiskModel, disks: u32) -> Transactions {
        let tier: Option<TierName> = model.tier.as_deref().and_then(|tier| tier.parse().ok());
        let per_second = kind.reach_disks.iter().map(|(io, rate)| {
            tier.map_or(0.0, |tier| {
                rate * transactions_per_io(tier, io.block_size) as f64
            })
        });
        let per_second = per_second.fold(0.0, f64::max);
        Transactions {
            per_hour: per_second / f64::from(disks) * 3600.0,
            hours: self.need.busy_hours,
        }
    }

    /// A month of all disks of `spec`, each with these transactions.
    fn price(&self, spec: &DiskSpec, model: &DiskModel, each: Transactions) -> Total {
        let billed = BilledDisk::of(self.catalog, &spec.request, model);
        let used = DiskUse {
            transactions: Some(each),
            ..DiskUse::default()
        };
        let total = self.book.disk_bill(&billed, &used).total();
        total.times(f64::from(spec.count))
    }
}

/// The next whole number, where it is not one up to rounding.
fn whole_up(value: f64) -> f64 {
    (value - value.abs() * SAME).ceil()
}

/// How many times the load `disks` of such limits carry; else the limit that is short, with what the volume has and needs.
fn carries(kind: &Kind, disks: u32, caps: [Option<f64>; 2]) -> Result<f64, (Axis, f64, f64)> {
    let mut room = f64::INFINITY;
    for (slot, axis) in [Axis::Iops, Axis::Mbps].into_iter().enumerate() {
        let needs = kind.takes[slot];
        if needs <= 0.0 {
            continue;
        }
        let has = caps[slot].unwrap_or(0.0) * f64::from(disks);
        if needs > has * (1.0 + SAME) {
            return Err((axis, has, needs));
        }
        room = room.min(has / needs);
    }
    Ok(room)
}

fn spec(request: DiskRequest, disks: u32, caching: HostCaching) -> DiskSpec {
    DiskSpec {
        count: disks,
        caching: (caching != HostCaching::None).then_some(caching),
        ..DiskSpec::new(request)
    }
}

/// The I/Os a second of `io` that reach the disk.
fn reaching(alone: &Deployment, io: &Io) -> f64 {
    let system = System::new(alone, &[*io]);
    let bytes = system.flows.iter().flat_map(|flow| {
        let uses = flow.uses(Phase::Sustained).iter();
        uses.filter(|used| used.resource == 1)
            .map(|used| used.per_io * flow.demand())
    });
    bytes.sum::<f64>() * crate::units::MB / io.block_size.bytes_f64()
}

/// How long one I/O takes on a volume, as the planner says it.
type OneIo = fn(&Volume, Option<LatencyFigure>, &Io, Phase) -> Option<f64>;

/// Why a kind does not answer fast enough.
struct TooLate {
    reason: String,
    /// Whether that is only not known to be enough.
    is_unknown: bool,
}

impl TooLate {
    const fn known(reason: String) -> Self {
        Self {
            reason,
            is_unknown: false,
        }
    }

    const fn unknown(reason: String) -> Self {
        Self {
            reason,
            is_unknown: true,
        }
    }
}

/// Why one I/O of this kind takes too long for what is wanted: the latency asked for, or the rate at the queue depth.
fn too_late(kind: &Kind, wanted: &VolumeNeed) -> Option<TooLate> {
    not_below(kind, wanted).or_else(|| too_late_at_depth(kind, wanted))
}

/// Why this kind does not stay below the latency asked for.
fn not_below(kind: &Kind, wanted: &VolumeNeed) -> Option<TooLate> {
    let below = wanted.latency_below?;
    // A promise is enough for what it surely keeps: it is to stay below its figure.
    let is_met = |micros: f64| micros <= below.micros() * (1.0 + SAME);
    match kind.latency {
        Some(seconds) => (seconds >= below.seconds() * (1.0 - SAME))
            .then(|| TooLate::known(format!("{} is not below {below}", shown(seconds)))),
        None => (!kind.below_micros().is_some_and(is_met))
            .then(|| TooLate::unknown("its latency is not known".to_owned())),
    }
}

/// Why this kind does not make the rate at the queue depth.
fn too_late_at_depth(kind: &Kind, wanted: &VolumeNeed) -> Option<TooLate> {
    let depth = wanted.queue_depth.map(QueueDepth::get)?;
    for io in &kind.loads {
        let rate = io.demand.iops(io.block_size).map_or(0.0, Iops::get);
        if rate <= 0.0 {
            continue;
        }
        let is_slow = |seconds: f64| rate * seconds > f64::from(depth) * (1.0 + SAME);
        let Some(seconds) = kind.latency else {
            // A promise is enough for what it surely makes.
            if kind.latency_bound.is_some_and(|bound| !is_slow(bound)) {
                continue;
            }
            return Some(TooLate::unknown(format!(
                "its latency is not known, so neither is what it does at queue depth {depth}"
            )));
        };
        if is_slow(seconds) {
            return Some(TooLate::known(format!(
                "{}, {} are needed",
                at_depth(depth, seconds).1,
                crate::units::grouped(rate, 0),
            )));
        }
    }
    None
}

/// The I/Os a second that `depth` outstanding ones of so many seconds each make, and how it is said.
pub(super) fn at_depth(depth: u32, seconds: f64) -> (f64, String) {
    let iops = (f64::from(depth) / seconds * (1.0 + SAME)).floor();
    let words = format!(
        "queue depth {depth} at {} makes {} IOPS",
        shown(seconds),
        crate::units::grouped(iops, 0)
    );
    (iops, words)
}

fn shown(seconds: f64) -> String {
    Latency::from_micros(seconds * 1e6)
        .map_or_else(|_| "?".to_owned(), |latency| latency.to_string())
}
