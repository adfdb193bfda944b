//! Volumes that stay as they are beside those that are looked for: an OS disk draws on the VM's ceilings too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::need::VolumeNeed;
use crate::catalog::{Catalog, VmSize};
use crate::deployment::{Deployment, DiskSpec, HostCaching, SpecError, Volume, VolumeSpec};
use crate::units::Share;
use crate::workload::Io;

/// A volume that stays as it is: what it does counts at the VM's ceilings, what it costs does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeptVolume {
    /// What it does beside the others.
    pub load: VolumeNeed,
    /// Its disks, as specs.
    pub spec: Vec<String>,
}

impl KeptVolume {
    /// The volume `spec` under `load`; `None` where `catalog` does not understand its disks.
    #[must_use]
    pub fn of(catalog: &Catalog, load: VolumeNeed, spec: Vec<String>) -> Option<Self> {
        let kept = Self { load, spec };
        kept.volume(catalog).is_some().then_some(kept)
    }

    /// What it is asked for, as [`VolumeNeed::loads`] has it. Headroom is for what grows, which it does not.
    #[must_use]
    pub fn loads(&self) -> Vec<Io> {
        self.load.loads(Share::NONE)
    }

    /// Its disks as they would be on `vm`.
    pub(super) fn spec_on(&self, vm: &VmSize) -> Result<VolumeSpec, SpecError> {
        let mut spec = self.as_is()?;
        if !caches(vm) {
            let members = spec.members.iter_mut();
            members.for_each(|disk| disk.caching = Some(HostCaching::None));
        }
        Ok(spec)
    }

    /// The volume by itself, whatever the VM; `None` where its disks are not understood.
    pub(super) fn volume(&self, catalog: &Catalog) -> Option<Volume> {
        let deployment = Deployment::new(catalog, None, vec![self.as_is().ok()?]).ok()?;
        deployment.volumes.into_iter().next()
    }

    fn as_is(&self) -> Result<VolumeSpec, SpecError> {
        let members = self.spec.iter().map(|spec| spec.parse::<DiskSpec>());
        Ok(VolumeSpec {
            name: Some(self.load.name.clone()),
            members: members.collect::<Result<_, _>>()?,
        })
    }
}

/// The volume as `vm` caches it: not at all where no host caching is documented for it.
pub(super) fn cached_by(vm: &VmSize, volume: &mut Volume) {
    if !caches(vm) {
        let members = volume.members.iter_mut();
        members.for_each(|disk| disk.caching = HostCaching::None);
    }
}

fn caches(vm: &VmSize) -> bool {
    vm.premium_caching == Some(true)
}
