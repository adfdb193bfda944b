//! From what was assessed back to a plan: what is deployed, or was planned, is where the next plan begins.

use super::assessment::{Assessment, VolumeView, WorkloadView};
use super::money::price;
use crate::catalog::price::{PriceBook, VmOffer};
use crate::catalog::{Catalog, DiskRequest, Family};
use crate::deployment::plan_file::PlanFile;
use crate::deployment::plan_workload::Asked;
use crate::deployment::{DiskSpec, PlanError, PlanRequest, Role, SpecError, VolumeSpec};
use crate::workload::{Demand, Io, IoSettings, Profile, Workload};

/// A plan that was made of an assessment.
#[derive(Debug, Clone, PartialEq)]
pub struct Replanned {
    /// The plan.
    pub plan: PlanFile,
    /// The volumes of which the assessment knows no limit. They are custom volumes without limits in the plan: what their
    /// SKU has by default is not what they were set to.
    pub unknown: Vec<String>,
    /// The workloads that are left out: a plan asks for one, or for the standard set.
    pub left_out: Vec<String>,
}

impl Assessment {
    /// The plan that this is the assessment of: its VM, its volumes and what was asked of them. Steps over time are not
    /// part of an assessment.
    ///
    /// # Errors
    /// [`SpecError`] when the specification of a volume is none, as in a file that was changed by hand.
    pub fn replan(&self) -> Result<Replanned, SpecError> {
        let unknown = self.volumes.iter().filter(|volume| is_unknown(volume));
        let ((workload, volume_workloads), left_out) = match self.workloads.as_slice() {
            [one] => (asked(one), Vec::new()),
            several => ((Asked::default(), Vec::new()), named_by_hand(several)),
        };
        Ok(Replanned {
            plan: PlanFile {
                name: self.name.clone(),
                vm: self.vm.as_ref().map(|vm| vm.size.clone()),
                interface: self.vm.as_ref().and_then(|vm| vm.interface),
                region: self.region.clone(),
                volumes: self.volumes.iter().map(volume).collect::<Result<_, _>>()?,
                workload,
                volume_workloads,
                ..PlanFile::default()
            },
            unknown: unknown.map(|volume| volume.name.clone()).collect(),
            left_out,
        })
    }
}

/// Why what was assessed cannot be planned again.
#[derive(Debug, thiserror::Error)]
pub enum ReplanError {
    /// The specification of a volume is none.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The plan cannot be put together.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl Assessment {
    /// Takes the prices of `book` in place of those that it has, so that plans of different days and regions can be
    /// compared. A plan with disks of unknown limits has no price then.
    ///
    /// # Errors
    /// [`ReplanError`] when the plan cannot be put together, as in a file that was changed by hand.
    pub fn price_again(
        &mut self,
        catalog: &Catalog,
        book: &PriceBook,
        offer: VmOffer,
    ) -> Result<(), ReplanError> {
        let Replanned { plan, unknown, .. } = self.replan()?;
        // What the findings say of money stays as it was said.
        let mut bare = Self {
            findings: Vec::new(),
            cost: None,
            ..self.clone()
        };
        if unknown.is_empty() {
            let request = PlanRequest {
                file: plan,
                ..PlanRequest::default()
            };
            let deployment = request.build(catalog)?.deployment;
            price(catalog, &deployment, book, offer, &mut bare);
        }
        self.cost = bare.cost;
        Ok(())
    }
}

/// Whether a limit is unknown that a disk of the family has; a custom volume may have one limit only.
const fn is_unknown(volume: &VolumeView) -> bool {
    let limits = volume.provisioned;
    match volume.family {
        Family::Custom => limits.iops.is_none() && limits.mbps.is_none(),
        family => !family.is_local() && (limits.iops.is_none() || limits.mbps.is_none()),
    }
}

fn volume(view: &VolumeView) -> Result<VolumeSpec, SpecError> {
    let members = match (is_unknown(view), view.spec.as_slice()) {
        (true, _) => vec![without_limits(view)],
        (false, [alike]) => vec![DiskSpec {
            count: view.members.try_into().unwrap_or(u32::MAX),
            ..member(alike)?
        }],
        (false, each) => each
            .iter()
            .map(|spec| member(spec))
            .collect::<Result<_, _>>()?,
    };
    Ok(VolumeSpec {
        name: Some(view.name.clone()),
        members,
    })
}

/// A member by its specification; it is named by its volume.
fn member(spec: &str) -> Result<DiskSpec, SpecError> {
    let spec: DiskSpec = spec.parse()?;
    Ok(DiskSpec { name: None, ..spec })
}

/// A custom volume, which has no host caching, in place of one whose limits are unknown.
fn without_limits(view: &VolumeView) -> DiskSpec {
    DiskSpec {
        os: view.role == Role::Os,
        ..DiskSpec::new(DiskRequest {
            size: view.size_gib,
            ..DiskRequest::new(Family::Custom)
        })
    }
}

/// The names of several workloads, but of the standard set, which a plan that asks for nothing gets.
fn named_by_hand(workloads: &[WorkloadView]) -> Vec<String> {
    let names = workloads.iter().map(|workload| workload.name.clone());
    let standard = Workload::standard_set(0);
    match names
        .clone()
        .eq(standard.into_iter().map(|workload| workload.name))
    {
        true => Vec::new(),
        false => names.collect(),
    }
}

/// What a workload asked of all volumes, and of each. That of a profile is told by its name.
fn asked(workload: &WorkloadView) -> (Asked, Vec<Asked>) {
    let loads = || workload.volumes.iter().map(|result| result.io);
    let profile = Profile::named(&workload.name).ok();
    let of_all = Asked {
        profile,
        settings: IoSettings::default(),
    };
    if profile.is_some_and(|profile| loads().all(|io| io == profile.io)) {
        return (of_all, Vec::new());
    }
    let of_volume = |io: Io| Asked {
        profile: None,
        settings: IoSettings {
            pattern: Some(io.pattern),
            block_size: Some(io.block_size),
            read_share: Some(io.read_share),
            hit_share: Some(io.hit_share),
            queue_depth: io.queue_depth,
            demand: (io.demand != Demand::Max).then_some(io.demand),
        },
    };
    (Asked::default(), loads().map(of_volume).collect())
}
