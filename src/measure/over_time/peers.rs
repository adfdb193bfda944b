//! Disks beside their peers, in groups of one kind.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bind::{self, BindError, Bound};
use super::findings::NoPeer;
use super::label::Labelled;
use super::trace::{self, Trace};
use super::{Input, Request, caps, chosen, findings, volume_of};
use crate::catalog::{Catalog, DataInfo};
use crate::measure::identify::candidates;
use crate::measure::refused::refused;
use crate::measure::series::Notice;
use crate::measure::series::analysis::{DiskReport, analyse};
use crate::measure::series::twins::{FleetMember, Peer, PeerReport, TwinsReport, fleet, twins};
use crate::planner::Finding;
use crate::units::GiB;

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const PEERS_SCHEMA: &str = "diskcap.peers/1";

/// What makes peers of disks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GroupBy {
    /// All are of one kind.
    Nothing,
    /// SKU and size of the volume that they are.
    Sku,
    /// The host that they are attached to.
    Host,
    /// The log that they are in.
    File,
}

impl GroupBy {
    /// Why a disk of the group `name` has no peer there, where it is the only one of it.
    fn no_peer(self, name: &str) -> NoPeer {
        let what = match self {
            Self::Nothing => "kind",
            Self::Sku => "SKU",
            Self::Host => "host",
            Self::File => "log",
        };
        let none = "there is none to compare it with";
        match (self, name) {
            (Self::Sku, "") => NoPeer {
                why: format!(
                    "it is not said which volume it is, so that its SKU is not known: {none}"
                ),
                fix: "say it with --map, or compare all of them with --group-by nothing",
            },
            (_, "") => NoPeer {
                why: format!("its {what} is not known: {none}"),
                fix: "compare all of them with --group-by nothing",
            },
            (_, name) => NoPeer {
                why: format!("no other disk is of its {what} {name}: {none}"),
                fix: "compare disks of one kind, or all of them with --group-by nothing",
            },
        }
    }
}

/// Peers of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeerGroup {
    /// What they have in common: the SKU, the host, the log; empty where all disks are one group.
    pub name: String,
    /// The size, where peers are of one SKU and size and it is known.
    pub size: Option<GiB>,
    /// How they compare.
    pub report: TwinsReport,
    /// Their rates and latency over time, in the order of the peers.
    pub traces: Vec<Trace>,
}

impl PeerGroup {
    /// The disks that deserve a look.
    pub fn suspicious(&self) -> impl Iterator<Item = &PeerReport> {
        self.report.suspicious()
    }
}

/// Disks beside their peers, in groups of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeersReport {
    /// [`PEERS_SCHEMA`].
    pub schema: String,
    /// The data that SKUs come from.
    pub data: DataInfo,
    /// What made peers of them.
    pub grouped_by: GroupBy,
    /// The groups.
    pub groups: Vec<PeerGroup>,
    /// What deserves a look or is worth knowing, weightiest first.
    pub findings: Vec<Finding>,
    /// What is to be known of the figures.
    pub notices: Vec<Notice>,
}

impl PeersReport {
    /// Every peer with its group.
    pub fn peers(&self) -> impl Iterator<Item = (&PeerGroup, &PeerReport)> {
        let groups = self.groups.iter();
        groups.flat_map(|group| group.report.peers.iter().map(move |peer| (group, peer)))
    }
}

/// Compares every disk of `inputs` with its peers: those of its SKU and size where disks are named and nothing else is
/// asked, else all others.
///
/// # Errors
/// [`BindError`] when a binding names nothing, or it is open which device is which volume.
pub fn peers(
    catalog: &Catalog,
    inputs: &[Input],
    request: &Request<'_>,
    by: Option<GroupBy>,
) -> Result<PeersReport, BindError> {
    let (disks, notices) = chosen(inputs, request.keep_idle);
    let bound = bind::bind(&disks, request.deployment, &request.bindings)?;
    let by = by.unwrap_or(match request.deployment {
        Some(_) => GroupBy::Sku,
        None => GroupBy::Nothing,
    });
    let origin = trace::origin(&disks);
    let of_label: BTreeMap<&str, (&Labelled<'_>, &Option<Bound>)> = disks
        .iter()
        .zip(&bound)
        .map(|(disk, bound)| (disk.label.as_str(), (disk, bound)))
        .collect();
    // What the limits that are known hold is told by their names.
    let named = |mut report: TwinsReport| {
        for peer in &mut report.peers {
            let Some((disk, bound)) = of_label.get(peer.name.as_str()) else {
                continue;
            };
            let expected = caps::of(catalog, request, disk.series, bound.as_ref());
            if !expected.caps.is_empty() {
                let usual = expected.longest_usual;
                peer.as_usual = usual
                    .zip(peer.report.latency)
                    .is_some_and(|(most, took)| took.mean <= most);
                let disk_name = std::mem::take(&mut peer.report.disk);
                peer.report = DiskReport {
                    disk: disk_name,
                    ..analyse(disk.series, &expected.known(request.tolerance))
                };
            }
        }
        report
    };
    let group = |name: String, size: Option<GiB>, report: TwinsReport| PeerGroup {
        traces: report
            .peers
            .iter()
            .filter_map(|peer| of_label.get(peer.name.as_str()))
            .map(|(disk, _)| Trace::of(disk.series, origin))
            .collect(),
        name,
        size,
        report: named(report),
    };
    let groups: Vec<PeerGroup> = if by == GroupBy::Nothing {
        let all: Vec<Peer<'_>> = disks
            .iter()
            .map(|disk| Peer {
                name: &disk.label,
                series: disk.series,
            })
            .collect();
        vec![group(String::new(), None, twins(&all))]
    } else {
        let keys: Vec<(String, Option<GiB>)> = disks
            .iter()
            .zip(&bound)
            .map(|(disk, bound)| key(by, disk, bound.as_ref(), request))
            .collect();
        let members: Vec<FleetMember<'_>> = disks
            .iter()
            .zip(&keys)
            .map(|(disk, (sku, size))| FleetMember {
                name: &disk.label,
                sku,
                size: *size,
                series: disk.series,
            })
            .collect();
        let groups = fleet(&members).into_iter();
        groups.map(|g| group(g.sku, g.size, g.report)).collect()
    };
    let tiers = candidates::disks(catalog);
    let of_peers = |group: &PeerGroup| {
        let alone = (groups.len() > 1).then(|| by.no_peer(&group.name));
        findings::of_peers(&group.report, alone.as_ref(), &tiers)
    };
    let mut found: Vec<Finding> = groups.iter().flat_map(of_peers).collect();
    found.extend(refused(catalog, request.deployment));
    found.sort_by_key(|finding| (finding.severity, finding.id));
    Ok(PeersReport {
        schema: PEERS_SCHEMA.to_owned(),
        data: catalog.info().clone(),
        grouped_by: by,
        groups,
        findings: found,
        notices,
    })
}

/// What a disk has in common with its peers.
fn key(
    by: GroupBy,
    disk: &Labelled<'_>,
    bound: Option<&Bound>,
    request: &Request<'_>,
) -> (String, Option<GiB>) {
    let series = disk.series;
    match by {
        GroupBy::Nothing => (String::new(), None),
        GroupBy::Host => (series.host.clone().unwrap_or_default(), None),
        GroupBy::File => (series.log.clone(), None),
        GroupBy::Sku => {
            let volume = volume_of(request, bound);
            let member = volume.and_then(|volume| volume.members.first());
            match (volume, member, bound) {
                // One device of several that a volume is made of.
                (Some(_), Some(member), Some(Bound { of: 2.., .. })) => {
                    (member.model.label.clone(), member.model.size)
                }
                (Some(volume), _, _) => (volume.label(), volume.size()),
                _ => (String::new(), None),
            }
        }
    }
}
