//! A layout as code: a VM of the size with its managed disks attached, to be filled in and deployed.
//!
//! LUNs count up in the order of the volumes; the members of a stripe stand together. What the guest does with them
//! (striping, formatting) is not part of it. Local disks come with the size and are not written.

mod about;
mod az;
mod bicep;
mod terraform;

use std::str::FromStr;

pub use about::About;

use crate::catalog::{Family, Interface, Redundancy, VmSize};
use crate::deployment::{Deployment, Disk};
use crate::units::{GiB, Iops, MBps};

/// The languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Terraform, provider azurerm.
    Terraform,
    /// Bicep.
    Bicep,
    /// A shell script of Azure CLI commands.
    Az,
}

impl Language {
    /// All of them, by their names.
    pub const ALL: [(&'static str, Self); 3] = [
        ("terraform", Self::Terraform),
        ("bicep", Self::Bicep),
        ("az", Self::Az),
    ];
}

/// A text that names no language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a language to write: terraform, bicep or az")]
pub struct UnknownLanguage(pub String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(input: &str) -> Result<Self, UnknownLanguage> {
        let wanted = input.trim().to_lowercase();
        let named = Self::ALL.iter().find(|(name, _)| *name == wanted);
        match (named, wanted.as_str()) {
            (Some((_, language)), _) => Ok(*language),
            (None, "tf") => Ok(Self::Terraform),
            (None, "cli") => Ok(Self::Az),
            _ => Err(UnknownLanguage(input.to_owned())),
        }
    }
}

/// There is no image that the VM could start from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{size} has an Arm64 CPU, and there is no image of Windows Server for Arm64: take an x64 size (--arch x64), or emit it \
     for Linux"
)]
pub struct NoImage {
    /// The size.
    pub size: String,
}

/// `deployment` in `language`, and what there is to say `about` it; nothing but a comment where it has no VM.
///
/// # Errors
/// [`NoImage`] for Windows on Arm64.
pub fn emit(deployment: &Deployment, language: Language, about: &About) -> Result<String, NoImage> {
    let plan = EmitPlan::of(deployment, about);
    if plan.windows && plan.arm64 {
        return Err(NoImage { size: plan.size });
    }
    Ok(match language {
        Language::Terraform => terraform::write(&plan),
        Language::Bicep => bicep::write(&plan),
        Language::Az => az::write(&plan),
    })
}

/// The OS disk that is written, by ARM's name, so that its price does not hang on a default. It is not in the price
/// above.
const OS_DISK: &str = "StandardSSD_LRS";

/// The SKU of Canonical's image of Ubuntu, for the plan's CPU.
const fn ubuntu(plan: &EmitPlan) -> &'static str {
    if plan.arm64 { "server-arm64" } else { "server" }
}

/// What is written, whatever the language.
struct EmitPlan {
    size: String,
    region: String,
    /// `NVMe` or `SCSI`, where the size's caps hold for one of them only, or it runs with no other than NVMe.
    controller: Option<Interface>,
    ultra: bool,
    /// Whether a zone must be named: Premium SSD v2 and Ultra are zonal where zones exist.
    zonal: bool,
    /// Whether the VM is to run Windows; else Linux.
    windows: bool,
    /// Whether its CPU is an Arm64 one, for which Linux has an image of its own.
    arm64: bool,
    /// What is said above the code.
    remarks: Vec<String>,
    disks: Vec<EmitDisk>,
}

/// One managed disk.
struct EmitDisk {
    /// Unique: the volume, numbered in a stripe.
    name: String,
    /// The name as an identifier: letters, digits and `_`.
    symbol: String,
    lun: usize,
    sku: &'static str,
    size: u32,
    iops: Option<u32>,
    mbps: Option<u32>,
    tier: Option<String>,
    performance_plus: bool,
    bursting: bool,
    shares: u32,
    caching: &'static str,
}

impl EmitPlan {
    fn of(deployment: &Deployment, about: &About) -> Self {
        let mut disks: Vec<EmitDisk> = Vec::new();
        for volume in &deployment.volumes {
            let stripe = volume.is_stripe();
            for (index, disk) in volume.members.iter().enumerate() {
                let name = if stripe {
                    format!("{}-{}", volume.name, index + 1)
                } else {
                    volume.name.clone()
                };
                let symbol = symbol(&name, &disks);
                disks.extend(EmitDisk::of(disk, name, symbol, disks.len()));
            }
        }
        let has = |family| {
            let mut members = deployment.volumes.iter().flat_map(|v| &v.members);
            members.any(|disk| disk.model.family == family)
        };
        let vm = deployment.vm.as_ref();
        Self {
            size: vm.map_or_else(String::new, |vm| vm.name.clone()),
            region: deployment
                .region
                .clone()
                .unwrap_or_else(|| "eastus".to_owned()),
            controller: vm.and_then(controller),
            ultra: has(Family::Ultra),
            zonal: has(Family::Ultra) || has(Family::PremiumSsdV2),
            windows: about.windows,
            arm64: vm.is_some_and(VmSize::is_arm64),
            remarks: (about.lines.iter().cloned())
                .chain(about::stripes(deployment))
                .collect(),
            disks,
        }
    }
}

/// The controller that must be named: that of the row, or NVMe where there is no other. Without a word SCSI is meant,
/// and a size without it is refused.
fn controller(vm: &VmSize) -> Option<Interface> {
    let only_nvme = vm.controllers.as_slice() == [Interface::Nvme];
    vm.interface.or(only_nvme.then_some(Interface::Nvme))
}

/// `remarks` as comments that begin with `mark`, and an empty line where there are any.
fn comments(remarks: &[String], mark: &str) -> String {
    let mut lines: String = remarks
        .iter()
        // A line break within would end the comment.
        .map(|line| format!("{mark} {}\n", line.replace(['\n', '\r'], " ")))
        .collect();
    if !lines.is_empty() {
        lines.push('\n');
    }
    lines
}

impl EmitDisk {
    fn of(disk: &Disk, name: String, symbol: String, lun: usize) -> Option<Self> {
        let (model, request) = (&disk.model, &disk.spec.request);
        let provisioned = model.family.provisioned_rules().is_some();
        let whole = |value: f64| value.round() as u32;
        Some(Self {
            name,
            symbol,
            lun,
            sku: model.family.arm_sku(model.redundancy)?,
            size: model.size.map(GiB::get).map(whole)?,
            iops: model
                .base
                .iops
                .map(Iops::get)
                .map(whole)
                .filter(|_| provisioned),
            mbps: model
                .base
                .mbps
                .map(MBps::get)
                .map(whole)
                .filter(|_| provisioned),
            tier: request.performance_tier.clone(),
            performance_plus: request.performance_plus,
            bursting: request.on_demand_burst,
            shares: request.max_shares,
            caching: disk.effective_caching().name(),
        })
    }

    fn zone_redundant(&self) -> bool {
        Family::from_arm_sku(self.sku).is_some_and(|(_, copies)| copies == Redundancy::Zrs)
    }
}

/// Names that the code has besides its disks.
const TAKEN: [&str; 8] = [
    "vm",
    "location",
    "zone",
    "vmName",
    "networkInterfaceId",
    "adminUsername",
    "adminPassword",
    "adminSshKey",
];

/// `name` as an identifier that nothing else has.
fn symbol(name: &str, taken: &[EmitDisk]) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut symbol: String = name.chars().map(letter).collect();
    if !symbol.starts_with(|c: char| c.is_ascii_alphabetic()) {
        symbol.insert_str(0, "disk_");
    }
    let is_taken =
        |symbol: &str| TAKEN.contains(&symbol) || taken.iter().any(|disk| disk.symbol == symbol);
    while is_taken(&symbol) {
        symbol.push('_');
    }
    symbol
}
