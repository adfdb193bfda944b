//! Many disks: grouped by SKU and size, each group compared within itself.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Peer, PeerReport, TwinsReport, twins};
use crate::measure::series::model::DiskSeries;
use crate::units::GiB;

/// A disk of a fleet.
#[derive(Debug, Clone, Copy)]
pub struct FleetMember<'s> {
    /// What to call it.
    pub name: &'s str,
    /// Its SKU (`P30`, `PremiumV2_LRS`), without regard to case.
    pub sku: &'s str,
    /// Its size.
    pub size: Option<GiB>,
    /// What it did.
    pub series: &'s DiskSeries,
}

/// Disks of one SKU and size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FleetGroup {
    /// The SKU as it was first written.
    pub sku: String,
    /// The size.
    pub size: Option<GiB>,
    /// How they compare; a disk that is alone in its group has nothing to be compared with.
    pub report: TwinsReport,
}

impl FleetGroup {
    /// The disks that deserve a look.
    pub fn suspicious(&self) -> impl Iterator<Item = &PeerReport> {
        self.report.suspicious()
    }
}

/// Compares every disk of a fleet with those of its SKU and size. Groups come in the order of SKU and size.
#[must_use]
pub fn fleet(members: &[FleetMember<'_>]) -> Vec<FleetGroup> {
    let mut groups: BTreeMap<(String, Option<u64>), Vec<&FleetMember<'_>>> = BTreeMap::new();
    for member in members {
        // Sizes are compared to a hundredth of a GiB: APIs round them differently.
        let size = member.size.map(|size| (size.get() * 100.0).round() as u64);
        let key = (member.sku.trim().to_lowercase(), size);
        groups.entry(key).or_default().push(member);
    }
    groups
        .into_values()
        .map(|group| {
            let peers: Vec<Peer<'_>> = group
                .iter()
                .map(|member| Peer {
                    name: member.name,
                    series: member.series,
                })
                .collect();
            FleetGroup {
                sku: group.first().map_or("", |m| m.sku).trim().to_owned(),
                size: group.first().and_then(|m| m.size),
                report: twins(&peers),
            }
        })
        .collect()
}
