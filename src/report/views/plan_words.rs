//! The maths of a plan in words: for each volume, what it is provisioned for, what stops it, and what is left.

use crate::catalog::Axis;
use crate::planner::Assessment;
use crate::planner::assessment::{CeilingName, VolumeResult, VolumeView, WorkloadView};
use crate::planner::evaluate::{Bottleneck, Outcome};
use crate::planner::findings::duration;
use crate::units::{Iops, MBps, grouped};

/// What becomes of each volume by itself: a sentence for IOPS and one for MB/s where these are looked at under different
/// workloads, else one.
pub(super) fn sentences(assessment: &Assessment) -> Vec<String> {
    let Some((iops, mbps)) = assessment.headline() else {
        return Vec::new();
    };
    let mut sentences = Vec::new();
    for (index, view) in assessment.volumes.iter().enumerate() {
        let mut say = |axis: Option<Axis>, workload: &WorkloadView| {
            if let Some(result) = workload.volumes.get(index) {
                let words = Words {
                    view,
                    result,
                    workload,
                    axis,
                };
                sentences.push(words.sentence());
            }
        };
        if iops.name == mbps.name {
            say(None, iops);
        } else {
            say(Some(Axis::Iops), iops);
            say(Some(Axis::Mbps), mbps);
        }
    }
    sentences
}

/// What one sentence is about.
struct Words<'a> {
    view: &'a VolumeView,
    result: &'a VolumeResult,
    workload: &'a WorkloadView,
    /// Of IOPS or of MB/s; `None` for both.
    axis: Option<Axis>,
}

impl Words<'_> {
    fn sentence(&self) -> String {
        let name = &self.view.name;
        let sustained = &self.result.alone.sustained;
        let mut text = format!(
            "{name}: {}; {}: {}",
            self.provisioned(),
            self.reason(sustained, false),
            self.rate(sustained)
        );
        let burst = &self.result.alone.burst;
        if burst.iops != sustained.iops {
            text.push_str(&format!(
                ". In burst {}: {}{}",
                self.reason(burst, true),
                self.rate(burst),
                self.lasts()
            ));
        }
        text.push('.');
        text
    }

    fn axes(&self) -> Vec<Axis> {
        self.axis
            .map_or_else(|| vec![Axis::Iops, Axis::Mbps], |axis| vec![axis])
    }

    fn provisioned(&self) -> String {
        let known = |axis: Axis| Some(quantity(self.view.provisioned.on(axis)?, axis));
        let known: Vec<String> = self.axes().into_iter().filter_map(known).collect();
        if known.is_empty() {
            "its own limits are not known".to_owned()
        } else {
            format!("provisioned {}", known.join(" and "))
        }
    }

    fn rate(&self, outcome: &Outcome) -> String {
        let rate = |axis: Axis| Some(quantity(rate(outcome, axis)?, axis));
        let rates: Vec<String> = self.axes().into_iter().filter_map(rate).collect();
        match rates.as_slice() {
            [] => "unknown".to_owned(),
            rates if outcome.at_most => format!("at most {}", rates.join(", ")),
            rates => rates.join(", "),
        }
    }

    /// What stops it, with the limit that does.
    fn reason(&self, outcome: &Outcome, burst: bool) -> String {
        match outcome.bottleneck {
            Bottleneck::Demand if outcome.latency_needed.is_some() => {
                "no more is asked, and what its queue depth makes is not known".to_owned()
            }
            Bottleneck::Demand => "no more is asked".to_owned(),
            Bottleneck::QueueDepth => self.queue_depth(outcome),
            Bottleneck::Unknown => "no limit on its way is known".to_owned(),
            Bottleneck::Disk { axis, .. } => self.disk(axis, outcome, burst),
            Bottleneck::VmUncached { axis, .. } => {
                self.vm(CeilingName::Uncached, axis, outcome, burst)
            }
            Bottleneck::VmRemote { axis, .. } => self.vm(CeilingName::Remote, axis, outcome, burst),
            Bottleneck::VmCached { axis, .. } => self.vm(CeilingName::Cached, axis, outcome, burst),
        }
    }

    fn queue_depth(&self, outcome: &Outcome) -> String {
        let depth = self.result.io.queue_depth.map_or(0, |depth| depth.get());
        let outstanding = if depth == 1 {
            "one I/O at a time".to_owned()
        } else {
            format!("{depth} I/Os at a time")
        };
        match outcome.latency {
            Some(latency) => format!("{outstanding}, each {latency}, make no more"),
            None => format!("{outstanding} make no more"),
        }
    }

    fn disk(&self, axis: Axis, outcome: &Outcome, burst: bool) -> String {
        let block = self.result.io.block_size;
        let units = self.view.family.accounting_unit();
        let counted = units
            .filter(|_| axis == Axis::Iops)
            .map_or(1, |unit| block.units_of(unit));
        let of_burst = self.view.burst.filter(|_| burst);
        let own = of_burst.and_then(|burst| burst.limits.on(axis));
        let limit = own
            .map(|each| each * self.view.members as f64)
            .or_else(|| self.view.provisioned.on(axis));
        let counts = if counted > 1 {
            format!(", an I/O of {block} counting as {counted}")
        } else {
            String::new()
        };
        let which = if own.is_some() {
            "burst limit"
        } else {
            "own limit"
        };
        let through = limit.map(|limit| limit / counted as f64);
        format!(
            "its {which}{} is reached{counts}{}{}",
            limit.map_or_else(String::new, |limit| format!(
                " of {}",
                quantity(limit, axis)
            )),
            passing(through, rate(outcome, axis)),
            self.at_block(axis),
        )
    }

    /// How much the VM lets through, and what part of the volume's I/O goes that way.
    fn vm(&self, name: CeilingName, axis: Axis, outcome: &Outcome, burst: bool) -> String {
        let mut rows = self.workload.ceilings.iter();
        let row = rows.find(|row| row.ceiling == name && row.axis == axis);
        let capacity = row.and_then(|row| {
            let raised = row.burst_capacity.filter(|_| burst);
            raised.or(row.capacity)
        });
        let Some(capacity) = capacity else {
            return format!("the VM's {} {axis} are reached", name.name());
        };
        format!(
            "the VM lets {} through ({}){}{}",
            quantity(capacity, axis),
            name.name(),
            passing(Some(capacity), rate(outcome, axis)),
            self.at_block(axis),
        )
    }

    /// The block size, where a limit on one axis decides the other.
    fn at_block(&self, limiting: Axis) -> String {
        match self.axis {
            Some(axis) if axis != limiting => {
                format!(", at {} an I/O", self.result.io.block_size)
            }
            _ => String::new(),
        }
    }

    /// How long the first rate lasts from full credit.
    fn lasts(&self) -> String {
        match self.result.plateaus.first().and_then(|p| p.lasts_seconds) {
            Some(seconds) => format!(", for {} from full credit", duration(seconds)),
            None => String::new(),
        }
    }
}

fn rate(outcome: &Outcome, axis: Axis) -> Option<f64> {
    match axis {
        Axis::Iops => outcome.iops.map(Iops::get),
        Axis::Mbps => outcome.mbps.map(MBps::get),
    }
}

/// What part of the I/O passes a limit, where it is not all: the host cache answers the rest.
fn passing(limit: Option<f64>, rate: Option<f64>) -> String {
    let share = limit.zip(rate).map(|(limit, rate)| limit / rate);
    match share.filter(|share| *share < 0.999) {
        Some(share) => format!(", where {} % of its I/O pass", grouped(share * 100.0, 0)),
        None => String::new(),
    }
}

fn quantity(value: f64, axis: Axis) -> String {
    match axis {
        Axis::Iops => format!("{} IOPS", grouped(value, 0)),
        Axis::Mbps => format!("{} MB/s", grouped(value, 1)),
    }
}
