//! From a plan file's steps and the flags beside them to a workload over time.

use std::num::NonZeroU32;

use super::plan_workload::{Asked, StepSpec};
use super::request::OfVolume;
use super::{Deployment, PlanError, PlanRequest};
use crate::units::{Seconds, Share};
use crate::workload::{Demand, Io, IoSettings, Schedule, Step};

/// How long a workload lasts for which nothing is said: an hour, twice what a full bucket lasts at full burst.
pub const DEFAULT_LENGTH: Seconds = Seconds::whole(3600);

/// What is said beside a plan file about a workload over time; it goes over what the file says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OverTime {
    /// How long it lasts. The file's steps are left out then: what the plan asks for holds throughout.
    pub lasts: Option<Seconds>,
    /// How often the steps follow one another.
    pub repeat: Option<NonZeroU32>,
    /// How full the buckets of burst credit are at the start.
    pub credit: Option<Share>,
}

/// A step of a workload that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredStep {
    /// How long it lasts.
    pub lasts: Seconds,
    /// What it asks of every volume, in the deployment's order; `None` for a volume that was not measured.
    pub volumes: Vec<Option<IoSettings>>,
}

impl PlanRequest {
    /// The workload over time of `deployment`, which was built of this request: the file's steps, each over what the
    /// file asks for throughout; without steps one of the length that is given, else of [`DEFAULT_LENGTH`]. A volume
    /// for which nothing is said is asked for as much as it gets, in random reads of 4 KiB.
    ///
    /// # Errors
    /// [`PlanError`] when a step or a demand names a volume that there is not, several profiles are given, or the steps
    /// are no schedule.
    pub fn schedule(
        &self,
        deployment: &Deployment,
        over_time: OverTime,
    ) -> Result<Schedule, PlanError> {
        let steps = match over_time.lasts {
            None if !self.file.steps.is_empty() => self.steps(deployment)?,
            lasts => vec![Step {
                lasts: lasts.unwrap_or(DEFAULT_LENGTH),
                loads: self.loads(deployment, None)?,
            }],
        };
        self.over_time(steps, over_time)
    }

    /// The workload over time that was measured, over what the file asks for throughout: what `steps` say of a volume
    /// goes over what the file says of it, and under what the flags say.
    ///
    /// # Errors
    /// As [`PlanRequest::schedule`]; also when the file has steps of its own, the flags state a demand of a volume that
    /// was measured, or nothing says what is asked of one that was not.
    pub fn measured_schedule(
        &self,
        deployment: &Deployment,
        steps: &[MeasuredStep],
        over_time: OverTime,
    ) -> Result<Schedule, PlanError> {
        if !self.file.steps.is_empty() {
            return Err(PlanError::StepsAndTrace);
        }
        if self.settings.demand.is_some() {
            return Err(PlanError::DemandAndTrace);
        }
        let volumes = self.of_volumes(deployment)?;
        let name = |index: usize| deployment.volumes[index].name.clone();
        let load = |(index, measured): (usize, &Option<IoSettings>)| {
            let own = volumes.get(index).copied().unwrap_or_default();
            if own.demand.is_some() && measured.is_some() {
                return Err(PlanError::DemandOfTraced { name: name(index) });
            }
            let layer = measured.map(|settings| Asked {
                profile: None,
                settings,
            });
            let io = self.load_of(index, own, layer.as_slice());
            match io.demand {
                Demand::Max => Err(PlanError::NotTraced { name: name(index) }),
                _ => Ok(io),
            }
        };
        let steps = steps.iter().map(|step| {
            Ok(Step {
                lasts: step.lasts,
                loads: (step.volumes.iter().enumerate())
                    .map(load)
                    .collect::<Result<_, _>>()?,
            })
        });
        let steps = steps.collect::<Result<_, PlanError>>()?;
        self.over_time(steps, over_time)
    }

    fn over_time(&self, steps: Vec<Step>, over_time: OverTime) -> Result<Schedule, PlanError> {
        if self.profiles.len() > 1 {
            return Err(PlanError::SeveralProfiles);
        }
        let repeat = over_time
            .repeat
            .or(self.file.repeat)
            .unwrap_or(NonZeroU32::MIN);
        let credit = over_time.credit.or(self.file.credit).unwrap_or(Share::ALL);
        Ok(Schedule::new(steps, repeat)?.from_credit(credit))
    }

    fn steps(&self, deployment: &Deployment) -> Result<Vec<Step>, PlanError> {
        let steps = self.file.steps.iter().enumerate().map(|(index, step)| {
            check_names(deployment, index, step)?;
            Ok(Step {
                lasts: step.lasts,
                loads: self.loads(deployment, Some(step))?,
            })
        });
        steps.collect()
    }

    /// What is asked of every volume in a step, or throughout.
    fn loads(
        &self,
        deployment: &Deployment,
        step: Option<&StepSpec>,
    ) -> Result<Vec<Io>, PlanError> {
        let volumes = self.of_volumes(deployment)?;
        let load = |(index, own): (usize, &OfVolume)| {
            let of_step = step.map_or_else(Vec::new, |step| {
                let own = of_volume(step, &deployment.volumes[index].name);
                [Some(step.workload), own].into_iter().flatten().collect()
            });
            self.load_of(index, *own, &of_step)
        };
        Ok(volumes.iter().enumerate().map(load).collect())
    }
}

fn of_volume(step: &StepSpec, name: &str) -> Option<Asked> {
    let mut volumes = step.volumes.iter();
    volumes.find_map(|(known, asked)| known.eq_ignore_ascii_case(name).then_some(*asked))
}

/// Whether there is every volume that a step names.
pub(super) fn check_names(
    deployment: &Deployment,
    index: usize,
    step: &StepSpec,
) -> Result<(), PlanError> {
    for (name, _) in &step.volumes {
        if deployment.position(name).is_none() {
            return Err(PlanError::UnknownVolume {
                what: format!("step {}", index + 1),
                name: name.clone(),
                known: deployment.volume_names(),
            });
        }
    }
    Ok(())
}
