//! What disks together deliver: as fast as the slowest of them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PeerReport, PeerVerdict};
use crate::measure::series::analysis::DiskReport;
use crate::units::{Iops, Latency, MBps};

/// How disks are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Every write goes to all of them and is done when the slowest is.
    Mirror,
    /// I/Os are spread evenly; with one behind, all wait for it.
    Stripe,
}

/// What they deliver, from what each did while it was measured: where less was asked of them than they can, they can
/// do more than this says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Delivery {
    /// How they are put together.
    pub layout: Layout,
    /// The member that the others wait for.
    pub slowest: String,
    /// I/Os per second with it (writes, of a mirror).
    pub iops: Option<Iops>,
    /// MB/s with it.
    pub mbps: Option<MBps>,
    /// Mean latency of the slowest member.
    pub latency: Option<Latency>,
    /// I/Os per second when it is replaced by one like the others; unknown where these do as much as it does.
    pub replaced_iops: Option<Iops>,
    /// MB/s when it is replaced.
    pub replaced_mbps: Option<MBps>,
    /// The rate when it is replaced, as a multiple of the present one.
    pub gain: Option<f64>,
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = match self.layout {
            Layout::Mirror => "a mirror",
            Layout::Stripe => "a stripe",
        };
        let rate = |iops: Option<Iops>, mbps: Option<MBps>| match (iops, mbps) {
            (Some(iops), _) => format!("{iops} IOPS"),
            (None, Some(mbps)) => format!("{mbps} MB/s"),
            (None, None) => "an unknown rate".to_owned(),
        };
        write!(
            f,
            "{layout} of them runs at {}: '{}' is what the others wait for",
            rate(self.iops, self.mbps),
            self.slowest
        )?;
        if let Some(gain) = self.gain {
            let after = rate(self.replaced_iops, self.replaced_mbps);
            write!(f, "; with it replaced {after} ({gain:.2} times as much)")?;
        }
        Ok(())
    }
}

/// Rates that differ by less than this are even: a stripe levels those of its members.
const EVEN: f64 = 1.1;

/// What the peers deliver in `layout`; `None` where their rates are not known. Where one is slow, what they deliver when it
/// is replaced by one like the others, if rates tell that.
pub(super) fn delivery(layout: Layout, peers: &[PeerReport]) -> Option<Delivery> {
    let slowest = slowest(peers)?;
    let is_slow = slowest.verdict == PeerVerdict::Slow;
    let all: Vec<&DiskReport> = peers.iter().map(|peer| &peer.report).collect();
    let others = peers.iter().filter(|peer| !std::ptr::eq(*peer, slowest));
    let others: Vec<&DiskReport> = others.map(|peer| &peer.report).collect();
    let count = match layout {
        Layout::Mirror => 1.0,
        Layout::Stripe => peers.len() as f64,
    };
    let least = |of: fn(&DiskReport) -> Option<f64>, among: &[&DiskReport]| {
        let values: Option<Vec<f64>> = among.iter().map(|m| of(m)).collect();
        values?.into_iter().reduce(f64::min).map(|v| v * count)
    };
    let now = least(rate, &all).filter(|now| *now > 0.0)?;
    // Members that do as much tell nothing of what they could do without the slow one.
    let gain = least(rate, &others).map(|then| then / now);
    let gain = gain.filter(|gain| is_slow && *gain > EVEN);
    let replaced = |of: fn(&DiskReport) -> Option<f64>| gain.and_then(|_| least(of, &others));
    Some(Delivery {
        layout,
        slowest: slowest.name.clone(),
        iops: least(iops, &all).and_then(|v| Iops::new(v).ok()),
        mbps: least(mbps, &all).and_then(|v| MBps::new(v).ok()),
        latency: slowest.report.latency.map(|d| d.mean),
        replaced_iops: replaced(iops).and_then(|v| Iops::new(v).ok()),
        replaced_mbps: replaced(mbps).and_then(|v| MBps::new(v).ok()),
        gain,
    })
}

fn iops(disk: &DiskReport) -> Option<f64> {
    disk.iops.map(|d| d.mean.get())
}

fn mbps(disk: &DiskReport) -> Option<f64> {
    disk.mbps.map(|d| d.mean.get())
}

fn rate(disk: &DiskReport) -> Option<f64> {
    iops(disk).or_else(|| mbps(disk))
}

/// The one that the others wait for: the slowest of those that are called slow; else that with the longest latency where
/// rates are even, and with the lowest rate where they are not.
fn slowest(peers: &[PeerReport]) -> Option<&PeerReport> {
    let slow = peers
        .iter()
        .filter(|peer| peer.verdict == PeerVerdict::Slow);
    let ratio = |peer: &PeerReport| peer.slowness.map_or(0.0, |of| of.ratio);
    let by_rate = |a: &&PeerReport, b: &&PeerReport| {
        let of = |peer: &PeerReport| rate(&peer.report).unwrap_or(f64::MAX);
        of(a).total_cmp(&of(b))
    };
    let (least, most) = (peers.iter().min_by(by_rate)?, peers.iter().max_by(by_rate)?);
    let is_even = rate(&most.report)? <= rate(&least.report)? * EVEN;
    let latency = |peer: &PeerReport| peer.report.latency.map(|of| of.mean.micros());
    let latencies = || peers.iter().filter_map(|peer| Some((peer, latency(peer)?)));
    let longest = latencies().max_by(|a, b| a.1.total_cmp(&b.1));
    let longest = longest.filter(|_| is_even && latencies().count() == peers.len());
    slow.max_by(|a, b| ratio(a).total_cmp(&ratio(b)))
        .or(longest.map(|(peer, _)| peer))
        .or(Some(least))
}
