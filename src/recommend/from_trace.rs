//! Needs taken from what disks were measured to do over time.
//!
//! The need of a volume is a percentile over time: the IOPS, and by themselves the MB/s, that it did not exceed for so
//! much of the time. The block size of the IOPS and the share of reads are those of the time at or above it. What the
//! need says itself of a volume stays. Volumes are taken by themselves, so that all together may be more than they ever
//! did at once.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::need::{Need, VolumeNeed};
use crate::measure::trace::{Load, Trace, VolumeTrace};
use crate::units::{BlockSize, Iops, MBps, Share};
use crate::workload::traced::Traced;

/// For what share of the time a need covers what was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Covered(pub Share);

impl Covered {
    /// The 95th percentile: what is looked at unless said otherwise.
    pub const DEFAULT: Self = Self(Share::percent(95));
}

/// A text that is no percentile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no percentile of the time: write a number above 0 and up to 100, such as 95 or 99.9, or max"
)]
pub struct CoveredError(String);

impl FromStr for Covered {
    type Err = CoveredError;

    /// `95`, `99.9`, `95%`, `max`.
    fn from_str(input: &str) -> Result<Self, CoveredError> {
        let text = input.trim();
        if text.eq_ignore_ascii_case("max") {
            return Ok(Self(Share::ALL));
        }
        let percent: Option<f64> = text.trim_end_matches('%').trim_end().parse().ok();
        percent
            .filter(|percent| *percent > 0.0)
            .and_then(|percent| Share::new(percent / 100.0).ok())
            .map(Self)
            .ok_or_else(|| CoveredError(input.to_owned()))
    }
}

impl fmt::Display for Covered {
    /// `95th percentile`, `most`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == Share::ALL {
            return f.pad("most");
        }
        // To a thousandth, so that 0.999 x 100 is 99.9.
        let percent = (self.0.get() * 1e5).round() / 1e3;
        let ending = match (
            percent.fract() == 0.0,
            percent as u32 % 10,
            percent as u32 / 10,
        ) {
            (true, 1, tens) if tens != 1 => "st",
            (true, 2, tens) if tens != 1 => "nd",
            (true, 3, tens) if tens != 1 => "rd",
            _ => "th",
        };
        f.pad(&format!("{percent}{ending} percentile"))
    }
}

/// What of a need was taken from traces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FromTrace {
    /// For what share of the time the need covers the traces.
    pub covered: Covered,
    /// What the traces say, in the order of [`Traced::volumes`].
    pub volumes: Vec<VolumeFromTrace>,
    /// The traces.
    pub traces: Traced,
}

/// What a trace says of one volume at the percentile. Nothing of it was taken where the need says it itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeFromTrace {
    /// The volume.
    pub volume: String,
    /// IOPS, rounded up to whole ones, but not above the highest of the trace; `None` where the trace does not say them.
    pub iops: Option<Iops>,
    /// MB/s, rounded up to tenths, but not above the highest of the trace; `None` where the trace does not say them.
    pub mbps: Option<MBps>,
    /// Mean block size of the time at or above these IOPS; `None` where the trace does not say IOPS and MB/s both.
    #[serde(rename = "block_size_bytes")]
    pub block_size: Option<BlockSize>,
    /// Share of reads in that time; `None` where the trace does not tell reads from writes.
    pub read_share: Option<Share>,
}

impl FromTrace {
    /// Completes `need` by what `trace`, which is of its volumes, says at the percentile.
    #[must_use]
    pub fn complete(need: &mut Need, trace: Trace, covered: Covered) -> Self {
        let mut volumes = Vec::new();
        for volume in &trace.volumes {
            if let Some(need) = need.volumes.get_mut(volume.volume) {
                let taken = VolumeFromTrace::new(&need.name, volume, covered);
                taken.complete(need);
                volumes.push(taken);
            }
        }
        Self {
            covered,
            volumes,
            traces: trace.traced,
        }
    }
}

impl VolumeFromTrace {
    fn new(name: &str, trace: &VolumeTrace, covered: Covered) -> Self {
        let iops_of: fn(&Load) -> Option<f64> = |load| load.iops;
        let mbps_of: fn(&Load) -> Option<f64> = |load| load.mbps;
        let iops = trace.percentile(covered.0, iops_of);
        let mbps = trace.percentile(covered.0, mbps_of);
        let needed = |rate: Option<f64>, parts, of: fn(&Load) -> Option<f64>| {
            let highest = trace.percentile(Share::ALL, of)?;
            Some(rounded_up(rate?, parts).min(highest))
        };
        let busy = match (iops, mbps) {
            (Some(iops), _) => trace.at_or_above(iops, iops_of),
            (None, Some(mbps)) => trace.at_or_above(mbps, mbps_of),
            (None, None) => None,
        };
        Self {
            volume: name.to_owned(),
            iops: needed(iops, 1.0, iops_of).and_then(|iops| Iops::new(iops).ok()),
            mbps: needed(mbps, 10.0, mbps_of).and_then(|mbps| MBps::new(mbps).ok()),
            block_size: busy.and_then(|load| Some(load.asked_block()?.0)),
            read_share: busy.and_then(Load::read_share),
        }
    }

    /// Puts it where the need says nothing. (A need that wants reads only is as one that does not say.)
    fn complete(&self, need: &mut VolumeNeed) {
        if need.iops.is_none() {
            need.iops = self.iops;
            need.block_size = need.block_size.or(self.block_size);
        }
        need.mbps = need.mbps.or(self.mbps);
        if need.read_share == Share::ALL {
            need.read_share = self.read_share.unwrap_or(Share::ALL);
        }
    }
}

/// Rounded up to a whole number of parts, `parts` of which make one.
fn rounded_up(value: f64, parts: f64) -> f64 {
    (value * parts * (1.0 - 1e-12)).ceil() / parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_read_and_said_as_people_do() {
        let said = |text: &str| text.parse::<Covered>().map(|covered| covered.to_string());
        for (text, words) in [
            ("95", "95th percentile"),
            ("99.9", "99.9th percentile"),
            ("91 %", "91st percentile"),
            ("11", "11th percentile"),
            ("max", "most"),
            ("100", "most"),
        ] {
            assert_eq!(said(text).as_deref(), Ok(words), "{text}");
        }
        for wrong in ["0", "101", "many", "-5", "", "nan"] {
            assert!(wrong.parse::<Covered>().is_err(), "{wrong}");
        }
    }
}
