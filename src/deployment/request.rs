//! From what somebody asked for (a plan file, flags, or both) to a deployment and its workloads.

use super::plan_file::PlanFile;
use super::{Deployment, DeploymentError, VolumeSpec};
use crate::catalog::lookup::{did_you_mean, nearest};
use crate::catalog::price::{Region, embedded_regions};
use crate::catalog::{Catalog, Interface, UnknownVm};
use crate::units::BlockSize;
use crate::workload::{Demand, Io, IoSettings, Pattern, Profile, Workload};

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
    /// Volumes, behind those of the file.
    pub volumes: Vec<VolumeSpec>,
    /// Workloads by name; each is looked at by itself.
    pub profiles: Vec<&'static Profile>,
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

/// Why a request cannot become a plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The VM size is not in the catalogue.
    #[error(transparent)]
    Vm(#[from] UnknownVm),
    /// The disks cannot be put together.
    #[error(transparent)]
    Deployment(#[from] DeploymentError),
    /// The region is in no data.
    #[error("unknown region '{input}'{}", did_you_mean(.nearest))]
    UnknownRegion {
        /// The name as given.
        input: String,
        /// The nearest names.
        nearest: Vec<String>,
    },
    /// A demand names a volume that there is not.
    #[error("demand for '{name}': there is no such volume; volumes are {}", .known.join(", "))]
    UnknownVolume {
        /// The name as given.
        name: String,
        /// The volumes that there are.
        known: Vec<String>,
    },
}

impl PlanRequest {
    /// Looks everything up in `catalog`.
    ///
    /// # Errors
    /// [`PlanError`] when a name is unknown or a disk cannot be understood.
    pub fn build(self, catalog: &Catalog) -> Result<Plan, PlanError> {
        let name = self.vm.as_ref().or(self.file.vm.as_ref());
        let interface = self.interface.or(self.file.interface);
        let vm = name.map(|name| catalog.vm(name, interface)).transpose()?;
        let mut volumes = self.file.volumes.clone();
        volumes.extend(self.volumes.iter().cloned());
        let mut deployment = Deployment::new(catalog, vm, volumes)?;
        let region = self.region.as_ref().or(self.file.region.as_ref());
        deployment.region = region.map(|name| known_region(name)).transpose()?;
        let workloads = self.workloads(&deployment)?;
        Ok(Plan {
            name: self.file.name,
            deployment,
            workloads,
        })
    }

    /// The workloads: one for each profile asked for; else the one that the settings and the file describe;
    /// else the standard set.
    fn workloads(&self, deployment: &Deployment) -> Result<Vec<Workload>, PlanError> {
        let count = deployment.volumes.len();
        let mut workloads = if !self.profiles.is_empty() {
            let named = |p: &&'static Profile| Workload::from_profile(p, count);
            self.profiles.iter().map(named).collect()
        } else if self.says_nothing() {
            Workload::standard_set(count)
        } else {
            vec![self.described(count)]
        };
        let demands = self.demands_by_position(deployment)?;
        for workload in &mut workloads {
            for (index, load) in workload.loads.iter_mut().enumerate() {
                let demand = demands
                    .iter()
                    .rev()
                    .find(|(i, _)| *i == index)
                    .map(|(_, d)| *d);
                let mut settings = self.settings;
                settings.demand = demand.or(settings.demand);
                *load = settings.over(*load);
            }
        }
        Ok(workloads)
    }

    fn says_nothing(&self) -> bool {
        let volumes_say = |(profile, settings): &(Option<&Profile>, IoSettings)| {
            profile.is_some() || !settings.is_empty()
        };
        self.settings.is_empty()
            && self.demands.is_empty()
            && self.file.profile.is_none()
            && self.file.settings.is_empty()
            && !self.file.volume_settings.iter().any(volumes_say)
    }

    /// The workload that the file and the settings describe, each volume with its own part.
    fn described(&self, count: usize) -> Workload {
        let loads: Vec<Io> = (0..count).map(|index| self.load_of(index)).collect();
        let profile = self.file.profile;
        let settings_say = !self.settings.is_empty() || !self.file.settings.is_empty();
        let mixed = self
            .file
            .volume_settings
            .iter()
            .any(|(p, s)| p.is_some() || !s.is_empty());
        match profile.filter(|_| !settings_say && !mixed && self.demands.is_empty()) {
            Some(profile) => Workload::from_profile(profile, count),
            None => Workload {
                name: "as given".to_owned(),
                title: "the workload as given".to_owned(),
                source: String::new(),
                loads,
            },
        }
    }

    fn load_of(&self, index: usize) -> Io {
        let nothing = (None, IoSettings::default());
        let (own_profile, own) = self
            .file
            .volume_settings
            .get(index)
            .copied()
            .unwrap_or(nothing);
        let plan_demand = self
            .settings
            .demand
            .or(own.demand)
            .or(self.file.settings.demand);
        let base = own_profile
            .or(self.file.profile)
            .map_or_else(|| default_io(plan_demand), |p| p.io);
        own.over(self.file.settings.over(base))
    }

    fn demands_by_position(
        &self,
        deployment: &Deployment,
    ) -> Result<Vec<(usize, Demand)>, PlanError> {
        let position = |(name, demand): &(String, Demand)| {
            let found = deployment.position(name).map(|index| (index, *demand));
            found.ok_or_else(|| PlanError::UnknownVolume {
                name: name.clone(),
                known: deployment.volumes.iter().map(|v| v.name.clone()).collect(),
            })
        };
        self.demands.iter().map(position).collect()
    }
}

/// The region as the price lists spell it.
fn known_region(name: &str) -> Result<String, PlanError> {
    let region = Region::new(name);
    if embedded_regions().any(|known| known == region.as_str()) {
        return Ok(region.as_str().to_owned());
    }
    Err(PlanError::UnknownRegion {
        input: name.to_owned(),
        nearest: nearest(region.as_str(), embedded_regions()),
    })
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
