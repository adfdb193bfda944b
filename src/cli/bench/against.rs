//! What measurements are held against: a VM size and its disks, as arguments.

use std::path::PathBuf;

use clap::Args;

use crate::cli::deployment::InterfaceArg;
use crate::cli::failure::Failure;
use crate::cli::plan_source;
use diskcap::catalog::{Catalog, Interface, VmSize};
use diskcap::deployment::{Deployment, DiskSpec, PlanRequest};

/// The VM and disks that were measured; none of them has to be named.
#[derive(Debug, Args)]
pub struct Against {
    /// VM size that the results are from
    #[arg(long, value_name = "SIZE")]
    vm: Option<String>,
    /// Disk: [NAME=][Nx]SKU[:key=value,...]; repeat for more (see plan --help)
    #[arg(long, short, value_name = "SPEC")]
    disk: Vec<DiskSpec>,
    /// Take VM and disks from a plan file, or from what plan or validate saved as JSON (FILE.json#VM); flags go over what it
    /// says
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Disk controller, where the size has different caps on them
    #[arg(long, value_name = "scsi|nvme")]
    interface: Option<InterfaceArg>,
}

/// The same, looked up.
pub struct LookedUp<'c> {
    /// The VM size, where one is named.
    pub vm: Option<&'c VmSize>,
    /// The disks, where some are named.
    pub deployment: Option<Deployment>,
}

impl Against {
    /// Reads the plan file, where one is given, and looks everything up.
    pub fn look_up(self, catalog: &Catalog) -> Result<LookedUp<'_>, Failure> {
        let file = self.plan.as_deref().map(plan_source::read).transpose()?;
        let plan = PlanRequest {
            file: file.unwrap_or_default(),
            vm: self.vm,
            interface: self.interface.map(Interface::from),
            volumes: self.disk.into_iter().map(Into::into).collect(),
            ..PlanRequest::default()
        };
        let named = plan.vm.as_ref().or(plan.file.vm.as_ref());
        let interface = plan.interface.or(plan.file.interface);
        let vm = named.map(|name| catalog.vm(name, interface)).transpose()?;
        let has_disks = !plan.volumes.is_empty() || !plan.file.volumes.is_empty();
        let plan = has_disks.then(|| plan.build(catalog)).transpose()?;
        Ok(LookedUp {
            vm,
            deployment: plan.map(|plan| plan.deployment),
        })
    }
}
