//! What more or less performance would cost: the cheapest answer at multiples of what is asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::need::Need;
use super::run::Market;
use crate::catalog::Axis;
use crate::catalog::price::Money;
use crate::units::{Iops, MBps};

/// The multiples of what is asked that are looked at.
const MULTIPLES: [f64; 12] = [
    0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0,
];

/// The cheapest answer for so much performance. More performance never costs less, so the points are those that
/// nothing among them beats in both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FrontierPoint {
    /// What is varied: IOPS or MB/s of all volumes, in proportion.
    pub axis: Axis,
    /// How many times what is asked.
    pub multiple: f64,
    /// All volumes together, IOPS or MB/s.
    pub performance: f64,
    /// A month of the cheapest answer; `None` where nothing delivers.
    pub month: Option<Money>,
    /// Its size.
    pub size: Option<String>,
    /// Its disks, by volume.
    pub disks: Vec<String>,
}

/// The cheapest answers at multiples of the IOPS of `need`, then of its MB/s; none for what is not asked.
#[must_use]
pub fn frontier(market: &Market<'_>, need: &Need) -> Vec<FrontierPoint> {
    let mut points = Vec::new();
    for axis in [Axis::Iops, Axis::Mbps] {
        let asked = asked(need, axis);
        if asked > 0.0 {
            points.extend(MULTIPLES.map(|multiple| point(market, need, axis, multiple)));
        }
    }
    points
}

/// What all volumes ask together.
fn asked(need: &Need, axis: Axis) -> f64 {
    let one = |volume: &super::VolumeNeed| match axis {
        Axis::Iops => volume.iops.map_or(0.0, Iops::get),
        Axis::Mbps => volume.mbps.map_or(0.0, MBps::get),
    };
    need.volumes.iter().map(one).sum()
}

fn point(market: &Market<'_>, need: &Need, axis: Axis, multiple: f64) -> FrontierPoint {
    let mut raised = need.clone();
    for volume in &mut raised.volumes {
        match axis {
            Axis::Iops => {
                let iops = volume.iops.and_then(|v| Iops::new(v.get() * multiple).ok());
                volume.iops = iops;
            }
            Axis::Mbps => {
                let mbps = volume.mbps.and_then(|v| MBps::new(v.get() * multiple).ok());
                volume.mbps = mbps;
            }
        }
    }
    let mut search = market.search(&raised);
    let answer = search.best(1).into_iter().next();
    let disks = answer.as_ref().map_or_else(Vec::new, |answer| {
        let picks = search.choices.layouts.iter().zip(&answer.picks.layouts);
        picks
            .filter_map(|(of, &pick)| of.get(pick))
            .map(|layout| layout.spec.to_string())
            .collect()
    });
    FrontierPoint {
        axis,
        multiple,
        performance: asked(&raised, axis),
        month: answer.as_ref().map(|a| market.money(a.month())),
        size: answer.map(|a| a.vm.name.clone()),
        disks,
    }
}
