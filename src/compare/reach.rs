//! What volumes reach, and under which loads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::planner::assessment::{PhasePair, VolumeResult, WorkloadView};
use crate::planner::{Assessment, Outcome};
use crate::units::Latency;

/// What one volume reaches: IOPS under one workload, MB/s under the same or another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reach {
    /// Under the workload that IOPS are looked at under.
    pub iops: PhasePair<Outcome>,
    /// Under the workload that MB/s are looked at under.
    pub mbps: PhasePair<Outcome>,
}

impl Reach {
    /// The shortest latency that an I/O must not exceed for a figure, where nobody knows it ([`Outcome::latency_needed`]).
    #[must_use]
    pub fn latency_needed(&self) -> Option<Latency> {
        let pairs = [&self.iops, &self.mbps];
        let outcomes = pairs
            .into_iter()
            .flat_map(|pair| [pair.sustained, pair.burst]);
        let needed = outcomes.filter_map(|outcome| outcome.latency_needed);
        needed.min_by(|a, b| a.micros().total_cmp(&b.micros()))
    }
}

/// A workload, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoadView {
    /// Short name.
    pub name: String,
    /// What it does: the I/O where every volume has the same, else what it stands for.
    pub title: String,
    /// Where its figures come from; empty when they were given.
    pub source: String,
}

impl From<&WorkloadView> for LoadView {
    fn from(workload: &WorkloadView) -> Self {
        let title = match workload.loads().as_slice() {
            [one] => one.clone(),
            _ => workload.title.clone(),
        };
        Self {
            name: workload.name.clone(),
            title,
            source: workload.source.clone(),
        }
    }
}

/// The workloads that IOPS and MB/s are looked at under; the same one unless the standard set is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoadPair {
    /// For IOPS.
    pub iops: LoadView,
    /// For MB/s.
    pub mbps: LoadView,
}

impl LoadPair {
    /// The headline workloads of `assessment`; `None` where it has none.
    #[must_use]
    pub fn of(assessment: &Assessment) -> Option<Self> {
        let (iops, mbps) = assessment.headline()?;
        Some(Self {
            iops: iops.into(),
            mbps: mbps.into(),
        })
    }

    /// Whether both are the same workload.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.iops == self.mbps
    }

    /// Both in words.
    #[must_use]
    pub fn caption(&self) -> String {
        if self.is_one() {
            self.iops.title.clone()
        } else {
            format!("IOPS: {}; MB/s: {}", self.iops.title, self.mbps.title)
        }
    }
}

/// What the volume at `index` reaches with nothing else at work; `None` where it is not in the assessment.
#[must_use]
pub fn alone(assessment: &Assessment, index: usize) -> Option<Reach> {
    of(assessment, index, |result| result.alone)
}

/// What the volume at `index` reaches with all volumes at work; `None` where it is not in the assessment.
#[must_use]
pub fn together(assessment: &Assessment, index: usize) -> Option<Reach> {
    of(assessment, index, |result| result.together)
}

fn of(
    assessment: &Assessment,
    index: usize,
    part: fn(&VolumeResult) -> PhasePair<Outcome>,
) -> Option<Reach> {
    let (iops, mbps) = assessment.headline()?;
    Some(Reach {
        iops: part(iops.volumes.get(index)?),
        mbps: part(mbps.volumes.get(index)?),
    })
}
