//! From what somebody asked for (a plan file, flags, or both) to a deployment and its workloads.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::over_time::check_names;
use super::plan_file::PlanFile;
use super::plan_workload::Asked;
use super::{Deployment, DeploymentError, Standing, VolumeSpec};
use crate::catalog::lookup::{did_you_mean, nearest};
use crate::catalog::price::{Region, embedded_regions, regions_hint};
use crate::catalog::{Catalog, Interface, UnknownVm};
use crate::units::BlockSize;
use crate::workload::{Demand, Io, IoSettings, Pattern, Profile, ScheduleError, Workload};

/// A plan as asked for, before anything is looked up. What is set here goes over what the file says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanRequest {
    /// A plan file.
    pub file: PlanFile,
    /// The VM size.
    pub vm: Option<String>,
    /// The disk controller.
    pub interface: Option<Interface>,
    /// The region.
    pub region: Option<String>,
    /// The day on which the VM is to be made: a size that is retired by then is refused. Without one, that of the newest
    /// data.
    pub day: Option<Date>,
    /// Volumes: one named like a volume of the file takes its place, keeps its workload and stays the OS disk where it
    /// is that; the others stand behind those of the file.
    pub volumes: Vec<VolumeSpec>,
    /// Workloads by name; each is looked at by itself.
    pub profiles: Vec<&'static Profile>,
    /// Profiles of single volumes, by name, whatever the others do; at most one of a volume.
    pub volume_profiles: Vec<(String, &'static Profile)>,
    /// Settings for every volume.
    pub settings: IoSettings,
    /// Demands of single volumes, by name.
    pub demands: Vec<(String, Demand)>,
}

/// A deployment with its workloads, ready for the planner.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What it is called.
    pub name: Option<String>,
    /// The deployment.
    pub deployment: Deployment,
    /// The workloads, at least one.
    pub workloads: Vec<Workload>,
}

/// What the flags name for one volume.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OfVolume {
    pub(super) profile: Option<&'static Profile>,
    pub(super) demand: Option<Demand>,
}

/// Why a request cannot become a plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// What is wrong stands in the plan file.
    #[error("plan file '{path}'{}: {source}", at_line(*.line))]
    InFile {
        /// The file as given.
        path: String,
        /// The line, where one is to blame.
        line: Option<usize>,
        /// What is wrong.
        source: Box<PlanError>,
    },
    /// The VM size is not in the catalogue.
    #[error(transparent)]
    Vm(#[from] UnknownVm),
    /// The disks cannot be put together.
    #[error(transparent)]
    Deployment(#[from] DeploymentError),
    /// The region is in no data.
    #[error("unknown region '{input}'{}", regions_hint(.nearest))]
    UnknownRegion {
        /// The name as given.
        input: String,
        /// The nearest names.
        nearest: Vec<String>,
    },
    /// A demand, a profile or a step names a volume that there is not.
    #[error("{what} for '{name}': there is no such volume{}", volumes_hint(.name, .known))]
    UnknownVolume {
        /// What names it: a demand, a profile, a step.
        what: String,
        /// The name as given.
        name: String,
        /// The volumes that there are.
        known: Vec<String>,
    },
    /// Two profiles for one volume: it has one in a workload, and the other would be left out unseen.
    #[error(
        "two profiles for volume '{volume}', {first} and {second}: it has one in a workload; leave out one of them"
    )]
    TwoProfiles {
        /// The volume.
        volume: String,
        /// The name of the first profile.
        first: &'static str,
        /// The name of the second profile.
        second: &'static str,
    },
    /// A workload over time with more than one profile.
    #[error(
        "several profiles: over time there is one workload; give one profile, or one a step in a plan file"
    )]
    SeveralProfiles,
    /// Steps in the plan file beside a trace.
    #[error(
        "the plan file has steps and there is a trace: over time there is one workload; leave out one of them"
    )]
    StepsAndTrace,
    /// A demand for every volume beside a trace.
    #[error(
        "a demand for every volume and a trace: the trace says what is asked; a volume without one can be given a \
         demand by its name"
    )]
    DemandAndTrace,
    /// A demand of a volume beside its trace.
    #[error("a demand for '{name}', whose trace says what is asked of it: leave out one of them")]
    DemandOfTraced {
        /// The volume.
        name: String,
    },
    /// A volume without trace and demand.
    #[error(
        "no trace is of volume '{name}', and nothing says what is asked of it: map a device to it (--map DEVICE={name}), \
         or state its demand (--iops {name}=0 for none)"
    )]
    NotTraced {
        /// The volume.
        name: String,
    },
    /// A demand in IOPS and one in MB/s in one place: a flow has one, and the other would be left out unseen.
    #[error(
        "--iops and --mbps are both given{}, and a workload has one demand: leave out one of them",
        for_volume(.volume.as_deref())
    )]
    TwoDemands {
        /// The volume, where they are for one.
        volume: Option<String>,
    },
    /// The steps make no workload over time.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}

/// The volumes that there are, those first whose names are near.
fn volumes_hint(name: &str, known: &[String]) -> String {
    let nearest = nearest(name, known.iter().map(String::as_str));
    let volumes = known.join(", ");
    match did_you_mean(&nearest) {
        question if question.is_empty() => format!("; volumes are {volumes}"),
        question => format!("{question} Volumes are {volumes}"),
    }
}

fn at_line(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

fn for_volume(volume: Option<&str>) -> String {
    volume.map_or_else(String::new, |name| format!(" for '{name}'"))
}

impl PlanRequest {
    /// Asks for `profile` of the volume named, or of every volume. Asked again it is the same once.
    pub fn ask_profile(&mut self, volume: Option<String>, profile: &'static Profile) {
        let is_it = |known: &&'static Profile| known.name == profile.name;
        match volume {
            None if !self.profiles.iter().any(is_it) => self.profiles.push(profile),
            Some(name) => {
                let mut asked = self.volume_profiles.iter();
                if !asked.any(|(volume, known)| *volume == name && is_it(known)) {
                    self.volume_profiles.push((name, profile));
                }
            }
            None => {}
        }
    }

    /// Asks for `demand` of the volume named, or of every volume; what was asked of the same in the same unit before is
    /// replaced.
    ///
    /// # Errors
    /// [`PlanError::TwoDemands`] where the same was asked in the other unit.
    pub fn ask(&mut self, volume: Option<String>, demand: Demand) -> Result<(), PlanError> {
        let known = match &volume {
            None => self.settings.demand,
            Some(name) => {
                let of_it = |(named, _): &&(String, Demand)| named == name;
                self.demands
                    .iter()
                    .rev()
                    .find(of_it)
                    .map(|(_, demand)| *demand)
            }
        };
        let other_unit =
            |known: Demand| std::mem::discriminant(&known) != std::mem::discriminant(&demand);
        if known.is_some_and(other_unit) {
            return Err(PlanError::TwoDemands { volume });
        }
        match volume {
            None => self.settings.demand = Some(demand),
            Some(name) => self.demands.push((name, demand)),
        }
        Ok(())
    }

    /// Looks everything up in `catalog`.
    ///
    /// # Errors
    /// [`PlanError`] when a name is unknown or a disk cannot be understood.
    pub fn build(self, catalog: &Catalog) -> Result<Plan, PlanError> {
        let file = PlanFile {
            // Only these are told of: the workloads have been understood.
            path: self.file.path.clone(),
            lines: self.file.lines.clone(),
            volumes: self.file.volumes.clone(),
            ..PlanFile::default()
        };
        let size_by_flag = self.vm.is_some();
        let disks_by_flag = !self.volumes.is_empty();
        self.looked_up(catalog).map_err(|error| match error {
            PlanError::Vm(_) if size_by_flag => error,
            PlanError::Vm(_) => file.to_blame(file.lines.vm, error),
            PlanError::Deployment(_) if disks_by_flag => error,
            PlanError::Deployment(ref why) => {
                let line = why.disk().and_then(|name| file.line_of_volume(name));
                file.to_blame(line, error)
            }
            _ => error,
        })
    }

    fn looked_up(self, catalog: &Catalog) -> Result<Plan, PlanError> {
        let name = self.vm.as_ref().or(self.file.vm.as_ref());
        let interface = self.interface.or_else(|| self.interface_of_file(catalog));
        let vm = name.map(|name| catalog.vm(name, interface)).transpose()?;
        let mut deployment = Deployment::new(catalog, vm, self.all_volumes())?;
        deployment.interface = interface;
        deployment.standing = Standing::Planned(self.day);
        let region = self.region.as_ref().or(self.file.region.as_ref());
        deployment.region = region.map(|name| known_region(name)).transpose()?;
        let workloads = self.workloads(&deployment)?;
        for (index, step) in self.file.steps.iter().enumerate() {
            check_names(&deployment, index, step)?;
        }
        Ok(Plan {
            name: self.file.name,
            deployment,
            workloads,
        })
    }

    /// The controller that the file names. That of its size is none of another size, named by a flag, that has it not.
    fn interface_of_file(&self, catalog: &Catalog) -> Option<Interface> {
        let named = self.file.interface;
        let has =
            |size: &String| catalog.vm(size, named).is_ok() || catalog.vm(size, None).is_err();
        named.filter(|_| self.vm.as_ref().is_none_or(has))
    }

    /// The volumes of the file, those that flags name anew as these say, and the others of the flags.
    fn all_volumes(&self) -> Vec<VolumeSpec> {
        let mut volumes = self.file.volumes.clone();
        for (index, volume) in self.volumes.iter().enumerate() {
            match self.takes_place_of(index) {
                Some(place) => volumes[place].become_as(volume),
                None => volumes.push(volume.clone()),
            }
        }
        volumes
    }

    /// Which volume of the file the one at `index` of the flags takes the place of: that of its name, where no earlier
    /// one of the flags does.
    fn takes_place_of(&self, index: usize) -> Option<usize> {
        let name = self.volumes.get(index)?.name.as_deref()?;
        let called = |volume: &VolumeSpec| volume.name.as_deref() == Some(name);
        let is_first = !self.volumes.iter().take(index).any(called);
        let mut of_file = self.file.volumes.iter();
        of_file.position(called).filter(|_| is_first)
    }

    /// The line of the plan file that each volume of `deployment` and its VM stand in, by name; those of flags are in
    /// none.
    #[must_use]
    pub fn lines(&self, deployment: &Deployment) -> BTreeMap<String, usize> {
        let flags = 0..self.volumes.len();
        let replaced: Vec<usize> = flags.filter_map(|at| self.takes_place_of(at)).collect();
        let volumes = deployment.volumes.iter().zip(&self.file.lines.volumes);
        let of_file = volumes
            .enumerate()
            .filter(|(index, _)| !replaced.contains(index));
        let mut lines: BTreeMap<String, usize> = of_file
            .map(|(_, (volume, line))| (volume.name.clone(), *line))
            .collect();
        if let (None, Some(vm), Some(line)) = (&self.vm, &deployment.vm, self.file.lines.vm) {
            lines.insert(vm.name.clone(), line);
        }
        lines
    }

    /// The workloads: one for each profile asked for; else the one that the settings and the file describe;
    /// else the standard set.
    pub(crate) fn workloads(&self, deployment: &Deployment) -> Result<Vec<Workload>, PlanError> {
        let count = deployment.volumes.len();
        let own = self.of_volumes(deployment)?;
        let mut workloads = if !self.profiles.is_empty() {
            let named = |p: &&'static Profile| Workload::from_profile(p, count);
            self.profiles.iter().map(named).collect()
        } else if self.says_nothing() {
            Workload::standard_set(count)
        } else {
            vec![self.described(&own)]
        };
        for workload in &mut workloads {
            for (load, own) in workload.loads.iter_mut().zip(&own) {
                let base = own.profile.filter(|_| !self.profiles.is_empty());
                let base = base.map_or(*load, |profile| profile.io);
                *load = self.flags(*own).settings.over(base);
            }
            self.name_own_profiles(workload);
        }
        Ok(workloads)
    }

    /// A workload in which volumes have profiles of their own says so: `oltp, log=sql-log`.
    fn name_own_profiles(&self, workload: &mut Workload) {
        let own = self.volume_profiles.iter();
        let own: Vec<String> = own
            .map(|(volume, profile)| format!("{volume}={}", profile.name))
            .collect();
        if own.is_empty() {
            return;
        }
        let others = self.profiles.first().map(|_| workload.name.clone());
        let parts: Vec<String> = others.into_iter().chain(own).collect();
        workload.name = parts.join(", ");
        workload.title = "each volume with its own profile".to_owned();
    }

    fn says_nothing(&self) -> bool {
        self.settings.is_empty()
            && self.demands.is_empty()
            && self.volume_profiles.is_empty()
            && self.file.workload.is_empty()
            && self.file.volume_workloads.iter().all(Asked::is_empty)
    }

    /// The workload that the file and the settings describe, each volume with its own part.
    fn described(&self, own: &[OfVolume]) -> Workload {
        let file = &self.file;
        let settings_say = !self.settings.is_empty() || !file.workload.settings.is_empty();
        let mixed = !file.volume_workloads.iter().all(Asked::is_empty);
        let plain =
            !settings_say && !mixed && self.demands.is_empty() && self.volume_profiles.is_empty();
        let loads = own.iter().enumerate();
        match file.workload.profile.filter(|_| plain) {
            Some(profile) => Workload::from_profile(profile, own.len()),
            None => Workload {
                name: "as given".to_owned(),
                title: "the workload as given".to_owned(),
                source: String::new(),
                loads: loads
                    .map(|(volume, own)| self.load_of(volume, *own, &[]))
                    .collect(),
            },
        }
    }

    /// What is asked of the volume at `index`: by the file, by the file for this volume, by `step`, and by the flags,
    /// which name `own` for it.
    pub(super) fn load_of(&self, index: usize, own: OfVolume, step: &[Asked]) -> Io {
        let in_file = self.file.volume_workloads.get(index).copied();
        let mut layers = vec![self.file.workload, in_file.unwrap_or_default()];
        layers.extend_from_slice(step);
        layers.push(self.flags(own));
        layered(&layers)
    }

    /// What the flags ask of a volume for which they name `own`.
    fn flags(&self, own: OfVolume) -> Asked {
        let mut settings = self.settings;
        settings.demand = own.demand.or(settings.demand);
        Asked {
            profile: own.profile.or(self.profiles.first().copied()),
            settings,
        }
    }

    /// What the flags name for each volume.
    pub(super) fn of_volumes(&self, deployment: &Deployment) -> Result<Vec<OfVolume>, PlanError> {
        let mut volumes = vec![OfVolume::default(); deployment.volumes.len()];
        let position = |what: &str, name: &str| {
            let index = deployment.position(name);
            index.ok_or_else(|| PlanError::UnknownVolume {
                what: what.to_owned(),
                name: name.to_owned(),
                known: deployment.volume_names(),
            })
        };
        for (name, demand) in &self.demands {
            volumes[position("demand", name)?].demand = Some(*demand);
        }
        for (name, profile) in &self.volume_profiles {
            let before = volumes[position("profile", name)?].profile.replace(profile);
            if let Some(before) = before {
                return Err(PlanError::TwoProfiles {
                    volume: name.clone(),
                    first: before.name,
                    second: profile.name,
                });
            }
        }
        Ok(volumes)
    }
}

impl PlanFile {
    /// The error with the place in this file; as it is where there is no file.
    fn to_blame(&self, line: Option<usize>, error: PlanError) -> PlanError {
        match &self.path {
            Some(path) => PlanError::InFile {
                path: path.clone(),
                line,
                source: Box::new(error),
            },
            None => error,
        }
    }

    /// The line in which the volume of this name begins; of several the last.
    fn line_of_volume(&self, name: &str) -> Option<usize> {
        let called = |volume: &VolumeSpec| volume.name.as_deref() == Some(name);
        let given = self.volumes.iter().rposition(called);
        let named = super::volume_names(&self.volumes).ok();
        let position = given.or_else(|| named?.iter().position(|known| known.as_str() == name))?;
        self.lines.volumes.get(position).copied()
    }
}

/// The region as the price lists spell it.
///
/// # Errors
/// [`PlanError::UnknownRegion`] with the nearest names, where no price list has it.
pub fn known_region(name: &str) -> Result<String, PlanError> {
    let region = Region::new(name);
    if embedded_regions().any(|known| known == region.as_str()) {
        return Ok(region.as_str().to_owned());
    }
    Err(PlanError::UnknownRegion {
        input: name.to_owned(),
        nearest: nearest(region.as_str(), embedded_regions()),
    })
}

/// What several places of a plan ask for together: the last one that names a profile decides it, and what they say
/// besides is put over it in their order.
fn layered(layers: &[Asked]) -> Io {
    let demand = layers.iter().rev().find_map(|layer| layer.settings.demand);
    let profile = layers.iter().rev().find_map(|layer| layer.profile);
    let base = profile.map_or_else(|| default_io(demand), |p| p.io);
    layers
        .iter()
        .fold(base, |io, layer| layer.settings.over(io))
}

/// What is meant when no profile is named: random 4 KiB reads; where the demand is in MB/s, sequential 1 MiB reads,
/// the block size that throughput is quoted at.
fn default_io(demand: Option<Demand>) -> Io {
    match demand {
        Some(Demand::Mbps(_)) => Io {
            pattern: Pattern::Sequential,
            block_size: BlockSize::MIB_1,
            ..Io::RANDOM_4K
        },
        _ => Io::RANDOM_4K,
    }
}
