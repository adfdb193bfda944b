//! What disks together deliver: as fast as the slowest of them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// Mean latency: that of the slowest member.
    pub latency: Option<Latency>,
    /// I/Os per second when it is replaced by one like the others.
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

/// What the members deliver in `layout`; `None` where their rates are not known. With `blamed`, what they deliver when
/// the slowest is replaced by one like the others.
pub(super) fn delivery(layout: Layout, members: &[DiskReport], blamed: bool) -> Option<Delivery> {
    let iops = |m: &DiskReport| m.iops.map(|d| d.mean.get());
    let mbps = |m: &DiskReport| m.mbps.map(|d| d.mean.get());
    let rate = |m: &DiskReport| iops(m).or_else(|| mbps(m));
    let all: Vec<&DiskReport> = members.iter().collect();
    let slowest = all.iter().copied().min_by(|a, b| {
        rate(a)
            .unwrap_or(f64::MAX)
            .total_cmp(&rate(b).unwrap_or(f64::MAX))
    })?;
    let others: Vec<&DiskReport> = all
        .iter()
        .copied()
        .filter(|m| blamed && !std::ptr::eq(*m, slowest))
        .collect();
    let count = match layout {
        Layout::Mirror => 1.0,
        Layout::Stripe => members.len() as f64,
    };
    let least = |of: &dyn Fn(&DiskReport) -> Option<f64>, among: &[&DiskReport]| {
        let values: Option<Vec<f64>> = among.iter().map(|m| of(m)).collect();
        values?.into_iter().reduce(f64::min).map(|v| v * count)
    };
    let latency = members.iter().filter_map(|m| m.latency).map(|d| d.mean);
    let now = least(&rate, &all)?;
    let then = least(&rate, &others);
    Some(Delivery {
        layout,
        slowest: slowest.disk.clone(),
        iops: least(&iops, &all).and_then(|v| Iops::new(v).ok()),
        mbps: least(&mbps, &all).and_then(|v| MBps::new(v).ok()),
        latency: latency.reduce(Latency::max),
        replaced_iops: least(&iops, &others).and_then(|v| Iops::new(v).ok()),
        replaced_mbps: least(&mbps, &others).and_then(|v| MBps::new(v).ok()),
        gain: then.filter(|_| now > 0.0).map(|then| then / now),
    })
}
