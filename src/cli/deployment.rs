//! The arguments that describe a deployment.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::day::today;
use super::failure::Failure;
use super::plan_source;
use diskcap::catalog::Interface;
use diskcap::deployment::{DiskSpec, PlanRequest};

/// A VM size and its disks, from a plan file, from flags, or from both.
#[derive(Debug, Args)]
pub struct DeploymentArgs {
    /// A plan file, or what plan or validate saved as JSON (of one VM among several: FILE.json#VM); flags go over what it
    /// says
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// VM size, such as Standard_D8s_v5, D8s_v5 or "d8s v5"; without one only the disks are looked at
    #[arg(long, value_name = "SIZE")]
    vm: Option<String>,
    /// Disk: [NAME=][Nx]SKU[:key=value,...]; repeat for more; takes the place of the plan file's disk of that NAME
    #[arg(long, short, value_name = "SPEC")]
    disk: Vec<DiskSpec>,
    /// Disk controller, where the size has different caps on them
    #[arg(long, value_name = "scsi|nvme")]
    interface: Option<InterfaceArg>,
}

/// A disk controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InterfaceArg {
    /// SCSI.
    Scsi,
    /// NVMe.
    Nvme,
}

impl From<InterfaceArg> for Interface {
    fn from(arg: InterfaceArg) -> Self {
        match arg {
            InterfaceArg::Scsi => Self::Scsi,
            InterfaceArg::Nvme => Self::Nvme,
        }
    }
}

impl DeploymentArgs {
    /// The plan file, where one is given.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Reads the plan file, where one is given, and puts the flags beside it.
    pub fn request(self) -> Result<PlanRequest, Failure> {
        let file = self.file.as_deref().map(plan_source::read).transpose()?;
        Ok(PlanRequest {
            file: file.unwrap_or_default(),
            vm: self.vm,
            interface: self.interface.map(Interface::from),
            day: Some(today()),
            volumes: self.disk.into_iter().map(Into::into).collect(),
            ..PlanRequest::default()
        })
    }
}
