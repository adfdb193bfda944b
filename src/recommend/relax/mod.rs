//! Which constraint is to blame: each is relaxed by itself, all else as asked.

mod size;

use super::disks::Kind;
use super::fewest::fewest;
use super::model::{Blame, Constraint};
use super::need::{DEFAULT_STRIPE, MAX_STRIPE, Need, VolumeNeed};
use super::run::Market;
use super::search::Answer;
use crate::catalog::{Family, Redundancy};
use crate::units::{GiB, Iops, Latency, MBps, QueueDepth, Share, grouped};

/// The constraints of `need` without which, one at a time, something delivers, each with the nearest value that does.
pub(super) fn blame(market: &Market<'_>, need: &Need) -> Vec<Blame> {
    let relaxer = Relaxer { market, need };
    let mut found = Vec::new();
    for volume in 0..need.volumes.len() {
        found.extend(relaxer.iops(volume));
        found.extend(relaxer.mbps(volume));
        found.extend(relaxer.capacity(volume));
        found.extend(relaxer.latency(volume));
        found.extend(relaxer.queue_depth(volume));
        found.extend(relaxer.zrs(volume));
    }
    found.extend(relaxer.headroom());
    found.extend(relaxer.stripe());
    found.extend(relaxer.families());
    found.extend(relaxer.sizes());
    found
}

struct Relaxer<'a> {
    market: &'a Market<'a>,
    need: &'a Need,
}

impl Relaxer<'_> {
    fn with(&self, change: impl FnOnce(&mut Need)) -> Need {
        let mut need = self.need.clone();
        change(&mut need);
        need
    }

    fn feasible(&self, need: &Need) -> bool {
        self.market.search(need).is_feasible()
    }

    /// The blame of `constraint` when `relaxed` delivers; in words what was asked and what is nearest.
    fn found(
        &self,
        constraint: Constraint,
        volume: Option<usize>,
        relaxed: &Need,
        words: impl FnOnce(&Answer<'_>) -> (String, String),
    ) -> Option<Blame> {
        let best = self.market.search(relaxed).best(1);
        Some(self.blame(constraint, volume, best.first()?, words))
    }

    /// The blame of `constraint` with an answer that delivers without it.
    fn blame(
        &self,
        constraint: Constraint,
        volume: Option<usize>,
        answer: &Answer<'_>,
        words: impl FnOnce(&Answer<'_>) -> (String, String),
    ) -> Blame {
        let (asked, nearest) = words(answer);
        Blame {
            constraint,
            volume: volume.map(|index| self.need.volumes[index].name.clone()),
            asked,
            nearest,
            size: answer.vm.name.clone(),
            month: self.market.money(answer.month()),
        }
    }

    /// The largest whole number below `asked`, and above 0, with which `change` makes the need one that is delivered.
    fn most(&self, asked: f64, change: impl Fn(&mut Need, f64)) -> Option<(f64, Need)> {
        let with = |value: u64| self.with(|need| change(need, value as f64));
        let (mut yes, mut no) = (1_u64, asked.ceil() as u64);
        // Most constraints are not to blame: their least value tells it at once.
        if no <= yes || !self.feasible(&with(yes)) {
            return None;
        }
        while no - yes > 1 {
            let middle = yes + (no - yes) / 2;
            if self.feasible(&with(middle)) {
                yes = middle;
            } else {
                no = middle;
            }
        }
        Some((yes as f64, with(yes)))
    }

    fn iops(&self, volume: usize) -> Option<Blame> {
        let asked = self.need.volumes[volume].iops?;
        let figure = (asked.get(), asked.to_string());
        self.rate(Constraint::Iops, volume, figure, |wanted, value| {
            wanted.iops = Iops::new(value).ok();
        })
    }

    fn mbps(&self, volume: usize) -> Option<Blame> {
        let asked = self.need.volumes[volume].mbps?;
        let figure = (asked.get(), asked.to_string());
        self.rate(Constraint::Mbps, volume, figure, |wanted, value| {
            wanted.mbps = MBps::new(value).ok();
        })
    }

    /// The blame of a rate of a volume, asked as a figure and in words, which `set` sets.
    fn rate(
        &self,
        constraint: Constraint,
        volume: usize,
        (asked, words): (f64, String),
        set: impl Fn(&mut VolumeNeed, f64),
    ) -> Option<Blame> {
        let change = |need: &mut Need, value| set(&mut need.volumes[volume], value);
        let (most, need) = self.most(asked, change)?;
        self.found(constraint, Some(volume), &need, |_| {
            (words, grouped(most, 0))
        })
    }

    fn capacity(&self, volume: usize) -> Option<Blame> {
        let asked = self.need.volumes[volume].capacity_gib;
        let change = |need: &mut Need, value| {
            need.volumes[volume].capacity_gib = GiB::new(value).unwrap_or(asked);
        };
        let (most, need) = self.most(asked.get(), change)?;
        let nearest = GiB::new(most).map_or_else(|_| String::new(), |size| size.to_string());
        self.found(Constraint::Capacity, Some(volume), &need, |_| {
            (asked.to_string(), nearest)
        })
    }

    /// The least latency of what delivers when latency does not matter.
    fn latency(&self, volume: usize) -> Option<Blame> {
        let asked = self.need.volumes[volume].latency_below?;
        let any = self.with(|need| need.volumes[volume].latency_below = None);
        let search = self.market.search(&any);
        let mut known: Vec<f64> = search
            .choices
            .kinds
            .iter()
            .filter(|kind| kind.volume == volume)
            .filter_map(Kind::below_micros)
            .collect();
        known.sort_by(f64::total_cmp);
        known.dedup();
        for micros in known {
            let above = Latency::from_micros(micros).ok()?;
            let need = self.with(|need| need.volumes[volume].latency_below = Some(above));
            let words =
                |_: &Answer<'_>| (format!("below {asked}"), format!("below {}", exact(above)));
            if let Some(blame) = self.found(Constraint::Latency, Some(volume), &need, words) {
                return Some(blame);
            }
        }
        self.found(Constraint::Latency, Some(volume), &any, |_| {
            (
                format!("below {asked}"),
                "only disks whose latency is not known".to_owned(),
            )
        })
    }

    fn queue_depth(&self, volume: usize) -> Option<Blame> {
        let asked = self.need.volumes[volume].queue_depth?;
        let with = |depth: u32| {
            self.with(|need| need.volumes[volume].queue_depth = QueueDepth::new(depth))
        };
        let deep = fewest(asked.get(), 1 << 20, |depth| self.feasible(&with(depth)))?;
        self.found(Constraint::QueueDepth, Some(volume), &with(deep), |_| {
            (asked.to_string(), deep.to_string())
        })
    }

    fn zrs(&self, volume: usize) -> Option<Blame> {
        if self.need.volumes[volume].redundancy == Redundancy::Lrs {
            return None;
        }
        let need = self.with(|need| need.volumes[volume].redundancy = Redundancy::Lrs);
        self.found(Constraint::Zrs, Some(volume), &need, |_| {
            ("ZRS".to_owned(), "LRS".to_owned())
        })
    }

    /// The headroom, in whole per cent.
    fn headroom(&self) -> Option<Blame> {
        let asked = self.need.headroom;
        let change = |need: &mut Need, percent: f64| {
            need.headroom = Share::new(percent / 100.0).unwrap_or(asked);
        };
        if asked == Share::NONE {
            return None;
        }
        let none = self.with(|need| need.headroom = Share::NONE);
        let (nearest, need) = match self.most(asked.get() * 100.0, change) {
            Some((percent, need)) => (format!("{percent} %"), need),
            None => ("none".to_owned(), none),
        };
        self.found(Constraint::Headroom, None, &need, |_| {
            (asked.to_string(), nearest)
        })
    }

    fn stripe(&self) -> Option<Blame> {
        let asked = self.need.max_stripe;
        let with = |disks: u32| self.with(|need| need.max_stripe = disks);
        let wide = fewest(asked, MAX_STRIPE, |disks| self.feasible(&with(disks)))?;
        let asked = match asked {
            DEFAULT_STRIPE => format!("{asked}, the default"),
            _ => asked.to_string(),
        };
        self.found(Constraint::MaxStripe, None, &with(wide), |_| {
            (asked, wide.to_string())
        })
    }

    fn families(&self) -> Option<Blame> {
        let all: Vec<Family> = Family::ALL.into_iter().filter(|f| f.is_managed()).collect();
        let names = |families: &[Family]| {
            let names: Vec<&str> = families.iter().map(|f| f.name()).collect();
            names.join(", ")
        };
        let others = all.iter().filter(|f| !self.need.families.contains(f));
        let feasible = others
            .copied()
            .filter(|family| self.feasible(&self.with(|need| need.families.push(*family))));
        let feasible: Vec<Family> = feasible.collect();
        if feasible.is_empty() {
            return None;
        }
        let need = self.with(|need| need.families.extend(&feasible));
        self.found(Constraint::Families, None, &need, |_| {
            (
                names(&self.need.families),
                format!("also {}", names(&feasible)),
            )
        })
    }
}

/// A latency of whole microseconds as it can be asked, which a rounded one of milliseconds could not.
fn exact(latency: Latency) -> String {
    format!("{:.0} us", latency.micros())
}
