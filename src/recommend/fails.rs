//! Why a size delivers with no choice of layouts: a reason that holds for every one of them.

use super::disks::{Choices, Layout};
use super::fewest::fewest;
use super::model::LimitUse;
use super::need::Need;
use super::search::delivers;
use super::size::{CEILINGS, PerCeiling, SizeModel, place, plus};
use crate::catalog::Axis;
use crate::deployment::HostCaching;
use crate::units::{Share, grouped};

/// Why a size does not deliver.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Why {
    /// In words, with numbers.
    pub reason: String,
    /// The ceiling that is short, where every way is short of the same one: with the least that is needed of it.
    pub short: Option<LimitUse>,
    /// How many times what it has would be needed at the least; infinite where no more of anything would help.
    pub lack: f64,
}

impl Why {
    const fn never(reason: String) -> Self {
        Self {
            reason,
            short: None,
            lack: f64::INFINITY,
        }
    }
}

/// Why `size`, on which nothing delivers, does not.
///
/// Disks take the less of the VM's ceilings of remote traffic the more the host cache answers, and take of those of the
/// cache instead. So each way to cache the volumes has a need of its own, and is short of something of its own.
pub(super) fn why(need: &Need, choices: &Choices, size: &SizeModel) -> Why {
    if let Err(reason) = size.allows_kept {
        return Why::never(format!("{reason}, which a disk that stays needs"));
    }
    if let Some(reason) = unattachable(choices, size) {
        return Why::never(reason);
    }
    let ways: Option<Vec<(Way, Lack)>> = ways(choices, size)
        .into_iter()
        .map(|way| Lack::of(size, &way.takes).map(|lack| (way, lack)))
        .collect();
    match ways {
        Some(ways) => Shortage {
            need,
            choices,
            size,
            ways,
        }
        .why(),
        None => too_many_disks(choices, size),
    }
}

/// Why no layout of some volume can be attached at all.
fn unattachable(choices: &Choices, size: &SizeModel) -> Option<String> {
    let none = |layouts: &&Vec<Layout>| layouts.iter().all(|l| size.allows[l.kind].is_err());
    let layouts = choices.layouts.iter().find(none)?;
    let reasons = layouts.iter().filter_map(|l| size.allows[l.kind].err());
    let mut reasons: Vec<&str> = reasons.collect();
    reasons.sort_unstable();
    reasons.dedup();
    if reasons.is_empty() {
        return Some("no disks deliver it".to_owned());
    }
    Some(reasons.join(", "))
}

/// Which of the volumes are cached, and the least that all of them then take of each ceiling.
#[derive(Debug, Clone)]
struct Way {
    cached: Vec<usize>,
    takes: PerCeiling,
}

/// Every way to cache the volumes that `size` allows.
fn ways(choices: &Choices, size: &SizeModel) -> Vec<Way> {
    let mut ways = vec![Way {
        cached: Vec::new(),
        takes: size.kept,
    }];
    for (volume, layouts) in choices.layouts.iter().enumerate() {
        let takes = |cached: bool| {
            let is_that = |layout: &Layout| {
                size.allows[layout.kind].is_ok() && is_cached(choices, layout) == cached
            };
            least(size, layouts, is_that).map(|takes| (cached, takes))
        };
        let of_volume: Vec<(bool, PerCeiling)> =
            [false, true].into_iter().filter_map(takes).collect();
        ways = ways
            .iter()
            .flat_map(|begun| {
                of_volume.iter().map(move |(cached, takes)| Way {
                    cached: (begun.cached.iter().copied())
                        .chain(cached.then_some(volume))
                        .collect(),
                    takes: plus(&begun.takes, takes),
                })
            })
            .collect();
    }
    ways
}

fn is_cached(choices: &Choices, layout: &Layout) -> bool {
    choices.kinds[layout.kind].caching != HostCaching::None
}

/// The least that any of `layouts` takes of each ceiling; `None` where none is such a one.
fn least(
    size: &SizeModel,
    layouts: &[Layout],
    is_such: impl Fn(&Layout) -> bool,
) -> Option<PerCeiling> {
    let takes = layouts
        .iter()
        .filter(|layout| is_such(layout))
        .map(|layout| size.takes[layout.kind]);
    takes.reduce(|a, b| std::array::from_fn(|ceiling| a[ceiling].min(b[ceiling])))
}

/// A ceiling that is short: what it lets through, and what is taken of it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Low {
    ceiling: usize,
    capacity: f64,
    takes: f64,
}

impl Low {
    /// How many times what there is would be needed.
    fn ratio(&self) -> f64 {
        self.takes / self.capacity
    }
}

/// What stands in the way of what is taken.
#[derive(Debug, Clone, PartialEq)]
enum Lack {
    /// The ceiling that is the most short.
    Low(Low),
    /// Nothing is known to be short, and these are not known.
    Unknown(Vec<usize>),
}

impl Lack {
    fn of(size: &SizeModel, takes: &PerCeiling) -> Option<Self> {
        let short: Vec<usize> = (0..CEILINGS.len())
            .filter(|&ceiling| size.is_short(ceiling, takes[ceiling]))
            .collect();
        let low = short.iter().filter_map(|&ceiling| {
            Some(Low {
                ceiling,
                capacity: size.caps[ceiling]?,
                takes: takes[ceiling],
            })
        });
        let lowest = low.max_by(|a, b| a.ratio().total_cmp(&b.ratio()));
        let unknown = || (!short.is_empty()).then(|| Self::Unknown(short.clone()));
        lowest.map(Self::Low).or_else(unknown)
    }

    /// How many times what there is would be needed. What is not known may just do.
    fn ratio(&self) -> f64 {
        self.low().map_or(1.0, |low| low.ratio())
    }

    /// The ceiling that is short, where one is known to be.
    const fn low(&self) -> Option<Low> {
        match self {
            Self::Low(low) => Some(*low),
            Self::Unknown(_) => None,
        }
    }
}

/// Every way is short of something.
struct Shortage<'a> {
    need: &'a Need,
    choices: &'a Choices,
    size: &'a SizeModel,
    ways: Vec<(Way, Lack)>,
}

impl Shortage<'_> {
    fn why(&self) -> Why {
        let short = self.short();
        let spared = short
            .as_ref()
            .and_then(|(ceiling, _)| self.spared(*ceiling));
        let reason = self.raised(self.reason());
        let lacks = self.ways.iter().map(|(_, lack)| lack.ratio());
        Why {
            reason: match spared {
                Some(spared) => format!("{reason}; {spared}"),
                None => reason,
            },
            short: short.map(|(_, limit)| limit),
            lack: lacks.fold(f64::INFINITY, f64::min),
        }
    }

    /// The ceiling that every way is short of, with the least that any takes of it.
    fn short(&self) -> Option<(usize, LimitUse)> {
        let lows: Option<Vec<Low>> = self.ways.iter().map(|(_, l)| l.low()).collect();
        let lows = lows?;
        let Low {
            ceiling, capacity, ..
        } = *lows.first()?;
        if lows.iter().any(|other| other.ceiling != ceiling) {
            return None;
        }
        let (name, axis) = CEILINGS[ceiling];
        let takes = lows.iter().map(|low| low.takes);
        let limit = LimitUse {
            place: place(name),
            axis,
            capacity,
            used: takes.fold(f64::INFINITY, f64::min),
            asked: None,
        };
        Some((ceiling, limit))
    }

    /// What is short without host caching and what with it, where both can be had; with it, the way that comes nearest.
    fn reason(&self) -> String {
        let plain = self.ways.iter().find(|(way, _)| way.cached.is_empty());
        let plain = plain.map(|(_, lack)| lack);
        let cached = self.ways.iter().filter(|(way, _)| !way.cached.is_empty());
        let cached = cached.min_by(|(_, a), (_, b)| a.ratio().total_cmp(&b.ratio()));
        match (plain, cached) {
            (Some(plain), Some((way, cached))) => self.both(plain, cached, &self.names(way)),
            (Some(plain), None) if self.hits_are_asked() => lacks(plain, " without host caching"),
            (Some(plain), None) => lacks(plain, ""),
            (None, Some((_, cached))) => lacks(cached, " with host caching"),
            (None, None) => "no disks deliver it".to_owned(),
        }
    }

    fn both(&self, plain: &Lack, cached: &Lack, names: &str) -> String {
        if let (Some(low), Some(with)) = (plain.low(), cached.low())
            && low.ceiling == with.ceiling
        {
            let shown = |low: Low| figure(low.ceiling, low.takes);
            let (takes, less) = (shown(low), shown(with));
            let needed = match takes == less {
                true => format!("{takes} are needed"),
                false => {
                    format!("{takes} are needed without host caching, {less} with it{names}")
                }
            };
            return too_low(low, &needed);
        }
        let (without, with) = (lacks(plain, ""), lacks(cached, ""));
        format!("without host caching {without}; with it{names} {with}")
    }

    fn hits_are_asked(&self) -> bool {
        let mut kinds = self.choices.kinds.iter();
        kinds.any(|kind| kind.caching != HostCaching::None)
    }

    /// Which volumes are cached, where only some of those are of which hits are asked.
    fn names(&self, way: &Way) -> String {
        let volumes = self.need.volumes.iter();
        let asked = volumes.filter(|volume| volume.hit_share.is_some());
        if asked.count() == way.cached.len() {
            return String::new();
        }
        let names = way
            .cached
            .iter()
            .map(|&volume| self.need.volumes[volume].name.as_str());
        format!(" for {}", names.collect::<Vec<_>>().join(", "))
    }

    /// `reason`, with the headroom that its figures have in them.
    fn raised(&self, reason: String) -> String {
        let headroom = self.need.headroom;
        match headroom == Share::NONE || self.ways.iter().all(|(_, l)| l.low().is_none()) {
            true => reason,
            false => format!("{reason} ({headroom} headroom included)"),
        }
    }

    /// Why layouts are not attached that would take less of `ceiling` and let it be enough.
    fn spared(&self, ceiling: usize) -> Option<&'static str> {
        let size = self.size;
        let mut taken = size.kept[ceiling];
        let mut reason = None;
        for layouts in &self.choices.layouts {
            let attachable = least(size, layouts, |l| size.allows[l.kind].is_ok())?[ceiling];
            let take = |layout: &&Layout| size.takes[layout.kind][ceiling];
            let by_take = |a: &&Layout, b: &&Layout| take(a).total_cmp(&take(b));
            let layout = layouts.iter().min_by(by_take)?;
            if take(&layout) < attachable {
                reason = reason.or(size.allows[layout.kind].err());
            }
            taken += take(&layout).min(attachable);
        }
        reason.filter(|_| !size.is_short(ceiling, taken))
    }
}

fn lacks(lack: &Lack, with: &str) -> String {
    match lack {
        Lack::Low(low) => {
            let takes = figure(low.ceiling, low.takes);
            too_low(*low, &format!("{takes} are needed{with}"))
        }
        Lack::Unknown(ceilings) => unknown(ceilings),
    }
}

fn too_low(low: Low, needed: &str) -> String {
    let (name, axis) = CEILINGS[low.ceiling];
    let has = figure(low.ceiling, low.capacity);
    format!("{has} {} {axis}, {needed}", name.name())
}

fn figure(ceiling: usize, value: f64) -> String {
    let (_, axis) = CEILINGS[ceiling];
    grouped(value, usize::from(axis == Axis::Mbps))
}

/// `its cached IOPS and MB/s are not known`.
fn unknown(ceilings: &[usize]) -> String {
    let mut words: Vec<String> = Vec::new();
    for (index, &ceiling) in ceilings.iter().enumerate() {
        let (name, axis) = CEILINGS[ceiling];
        let before = index
            .checked_sub(1)
            .map(|before| CEILINGS[ceilings[before]].0);
        words.push(match before == Some(name) {
            true => axis.to_string(),
            false => format!("{} {axis}", name.name()),
        });
    }
    format!("its {} are not known", words.join(" and "))
}

/// Why layouts that its ceilings would let through do not fit: each of them is of too many disks.
fn too_many_disks(choices: &Choices, size: &SizeModel) -> Why {
    let Some(most) = size.disks else {
        return Why {
            lack: 1.0,
            ..Why::never("how many data disks it takes is not known".to_owned())
        };
    };
    match fewest_disks(choices, size, most) {
        Some(fewest) => Why {
            reason: format!("it takes {most} data disks, at least {fewest} are needed"),
            short: None,
            lack: f64::from(fewest) / f64::from(most),
        },
        None => Why::never("no layouts fit all its ceilings at once".to_owned()),
    }
}

/// The fewest disks with which something fits the ceilings of `size`, which are more than `too_few`.
fn fewest_disks(choices: &Choices, size: &SizeModel, too_few: u32) -> Option<u32> {
    let with = |disks: u32| {
        let size = SizeModel {
            disks: Some(disks),
            ..size.clone()
        };
        delivers(choices, &size)
    };
    let disks_of = |layouts: &Vec<Layout>| layouts.iter().map(|l| l.spec.count).max();
    let enough = choices.layouts.iter().filter_map(disks_of).sum();
    fewest(too_few, enough, with)
}
