//! What more or less performance would cost: the cheapest answer at multiples of what is asked, and for every latency
//! that disks have.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::need::Need;
use super::run::Market;
use super::search::{Answer, Search};
use super::stopped::stopped;
use crate::catalog::Interface;
use crate::catalog::price::Money;
use crate::units::{Iops, Latency, MBps};

/// The multiples of what is asked that are looked at.
const MULTIPLES: [f64; 12] = [
    0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0,
];

/// A latency counts as reached a little above it: what is wanted is to stay below.
const JUST_ABOVE: f64 = 1.001;

/// What is varied along a frontier.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum FrontierAxis {
    /// IOPS of all volumes, in proportion.
    Iops,
    /// MB/s of all volumes, in proportion.
    Mbps,
    /// How long one I/O at a time takes at most, on any of the volumes.
    Latency,
}

/// The cheapest answer for so much performance. More performance never costs less, so the points are those that
/// nothing among them beats in both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FrontierPoint {
    /// What is varied.
    pub axis: FrontierAxis,
    /// How many times what is asked; `None` for latencies.
    pub multiple: Option<f64>,
    /// IOPS or MB/s of all volumes together; the latency of the slowest of them in microseconds, `None` where one is not
    /// known.
    pub performance: Option<f64>,
    /// A month of the cheapest answer; `None` where nothing delivers.
    pub month: Option<Money>,
    /// Its size.
    pub size: Option<String>,
    /// The disk controller that this holds for, where the size's caps differ by it.
    pub interface: Option<Interface>,
    /// Its disks, by volume.
    pub disks: Vec<String>,
    /// Why nothing delivers; `None` where something does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The cheapest answers at multiples of the IOPS of `need`, then of its MB/s (none for what is not asked), then for
/// every latency that the disks to choose from have, the shortest first.
#[must_use]
pub fn frontier(market: &Market<'_>, need: &Need) -> Vec<FrontierPoint> {
    let mut points = Vec::new();
    for axis in [FrontierAxis::Iops, FrontierAxis::Mbps] {
        let asked = asked(need, axis);
        if asked > 0.0 {
            points.extend(MULTIPLES.map(|multiple| point(market, need, axis, multiple)));
        }
    }
    points.extend(latencies(market, need));
    points
}

/// What all volumes ask together.
fn asked(need: &Need, axis: FrontierAxis) -> f64 {
    let one = |volume: &super::VolumeNeed| match axis {
        FrontierAxis::Iops => volume.iops.map_or(0.0, Iops::get),
        FrontierAxis::Mbps => volume.mbps.map_or(0.0, MBps::get),
        FrontierAxis::Latency => 0.0,
    };
    need.volumes.iter().map(one).sum()
}

fn point(market: &Market<'_>, need: &Need, axis: FrontierAxis, multiple: f64) -> FrontierPoint {
    let mut raised = need.clone();
    for volume in &mut raised.volumes {
        match axis {
            FrontierAxis::Iops => {
                let iops = volume.iops.and_then(|v| Iops::new(v.get() * multiple).ok());
                volume.iops = iops;
            }
            FrontierAxis::Mbps => {
                let mbps = volume.mbps.and_then(|v| MBps::new(v.get() * multiple).ok());
                volume.mbps = mbps;
            }
            FrontierAxis::Latency => {}
        }
    }
    let mut search = market.search(&raised);
    let answer = search.best(1).into_iter().next();
    FrontierPoint {
        axis,
        multiple: Some(multiple),
        performance: Some(asked(&raised, axis)),
        month: answer.as_ref().map(|a| market.money(a.month())),
        disks: answer.as_ref().map_or_else(Vec::new, |a| disks(&search, a)),
        interface: answer.as_ref().and_then(|a| a.vm.interface),
        reason: answer.is_none().then(|| stopped(market, &raised)),
        size: answer.map(|a| a.vm.name.clone()),
    }
}

fn disks(search: &Search<'_>, answer: &Answer<'_>) -> Vec<String> {
    let picks = search.picked(answer);
    picks.map(|layout| layout.spec.to_string()).collect()
}

/// The cheapest answers for each latency that disks have, whatever latency is asked for, and last the cheapest of all
/// where it has disks of unknown latency. Only those that no shorter latency is as cheap as.
fn latencies(market: &Market<'_>, need: &Need) -> Vec<FrontierPoint> {
    let bounded = |below: Option<Latency>| {
        let mut need = need.clone();
        for volume in &mut need.volumes {
            volume.latency_below = below;
        }
        need
    };
    let kinds = market.search(&bounded(None)).choices.kinds;
    let mut known: Vec<f64> = kinds.iter().filter_map(|kind| kind.latency).collect();
    known.sort_by(f64::total_cmp);
    known.dedup();
    let above = |seconds: &f64| Latency::from_micros(seconds * 1e6 * JUST_ABOVE).ok();
    let bounds = known.iter().filter_map(above).map(Some).chain([None]);
    let mut points: Vec<FrontierPoint> = Vec::new();
    for below in bounds {
        let mut search = market.search(&bounded(below));
        let Some(answer) = search.best(1).into_iter().next() else {
            continue;
        };
        let month = market.money(answer.month());
        let before = points.last().and_then(|point| point.month);
        if before.is_some_and(|before| month.amount >= before.amount) {
            continue;
        }
        points.push(FrontierPoint {
            axis: FrontierAxis::Latency,
            multiple: None,
            performance: slowest(&search, &answer),
            month: Some(month),
            disks: disks(&search, &answer),
            interface: answer.vm.interface,
            size: Some(answer.vm.name.clone()),
            reason: None,
        });
    }
    points
}

/// The latency of the slowest volume, microseconds; `None` where one is not known.
fn slowest(search: &Search<'_>, answer: &Answer<'_>) -> Option<f64> {
    let mut picks = search.picked(answer);
    picks.try_fold(0.0, |most: f64, layout| {
        let seconds = search.choices.kinds[layout.kind].latency?;
        Some(most.max(seconds * 1e6))
    })
}
