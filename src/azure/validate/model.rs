//! What a validation says. Its JSON form is public and versioned ([`SCHEMA`]).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::commands::disks_of;
use super::each::PART;
use super::summary::{Summary, Tally};
use crate::azure::facts::{ReadProblem, Weight};
use crate::azure::metrics::MetricsJudgement;
use crate::catalog::price::{BookInfo, Total, VmOffer};
use crate::catalog::{Burst, DataInfo, Interface, Limits};
use crate::deployment::{HostCaching, Role};
use crate::gate::Gate;
use crate::measure::bench::Bench;
use crate::planner::{Assessment, Finding, Severity};
use crate::units::GiB;

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const SCHEMA: &str = "diskcap.validate/1";

/// What is deployed, judged: every VM, and every disk that no VM among them has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FleetValidation {
    /// [`SCHEMA`].
    pub schema: String,
    /// The data that the figures rest on.
    pub data: DataInfo,
    /// The prices used, one a region; empty where none were asked for.
    pub prices: Vec<BookInfo>,
    /// All together.
    pub summary: Summary,
    /// The VMs, in the order they were read.
    pub vms: Vec<VmValidation>,
    /// The disks that none of these VMs has, in the order they were read.
    pub disks: Vec<DiskValidation>,
    /// What stood in the way of reading and belongs to no VM or disk.
    pub problems: Vec<ReadNote>,
}

impl FleetValidation {
    /// Counts all together anew, after something was added.
    pub fn recount(&mut self) {
        // Part by part, as a fleet is counted that is written out while it is judged: sums of money are the same.
        let mut tally = Tally::default();
        let vms = self.vms.chunks(PART).map(Tally::of_vms);
        let disks = self.disks.chunks(PART).map(Tally::of_disks);
        vms.chain(disks).for_each(|part| tally.absorb(part));
        self.summary = tally.finish();
    }

    /// Has every VM and disk judged, and counts anew what is left. A VM goes by its name, its resource id and its size; a
    /// disk that none of them has by its name and its id.
    pub fn judge(&mut self, gate: &mut Gate) {
        self.vms.iter_mut().for_each(|vm| vm.judge(gate));
        self.disks.iter_mut().for_each(|disk| disk.judge(gate));
        self.recount();
    }

    /// The files or addresses with the ids of what was read from them.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        let vms = self.vms.iter().map(|vm| (&vm.vm.source, &vm.vm.id));
        let disks = self.disks.iter().map(|disk| (&disk.source, &disk.disk.id));
        let all = vms.chain(disks);
        all.filter_map(|(source, id)| Some((source.as_str(), id.as_deref()?)))
    }

    /// Every finding.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        let of_vms = self.vms.iter().flat_map(|vm| &vm.findings);
        of_vms.chain(self.disks.iter().flat_map(|disk| &disk.findings))
    }
}

/// One VM, judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VmValidation {
    /// Which VM it is.
    pub vm: VmIdentity,
    /// Its disks as they are deployed, the OS disk first.
    pub disks: Vec<DeployedDisk>,
    /// What the planner says of them; `None` where no disk is known. Its findings are among `findings`.
    #[serde(with = "shared")]
    #[schemars(with = "Option<Assessment>")]
    pub assessment: Option<Arc<Assessment>>,
    /// What is wrong or worth knowing, weightiest first.
    pub findings: Vec<Finding>,
    /// What is not known, and what was assumed in its place.
    pub unknowns: Vec<Unknown>,
    /// What was odd about the answers that it was read from.
    pub problems: Vec<ReadNote>,
    /// What Azure Monitor's metrics say of it, where some were given. Its findings are among `findings`.
    pub metrics: Option<MetricsJudgement>,
    /// Measured results held against it, where some were given.
    pub bench: Option<Bench>,
}

impl VmValidation {
    /// Marks its findings that `gate` suppresses, and has the others counted.
    pub fn judge(&mut self, gate: &mut Gate) {
        let of = &self.vm;
        let names = [Some(&of.name), of.id.as_ref(), of.size.as_ref()];
        let mut names: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
        names.extend(of.size.as_ref().and_then(|s| s.strip_prefix("Standard_")));
        let disks = &self.disks;
        let of_disks = |subject: &str| -> Vec<&str> {
            let found = disks_of(disks, subject);
            let names = found.flat_map(|disk| [disk.name.as_deref(), disk.id.as_deref()]);
            names.flatten().collect()
        };
        gate.judge_by_names(&names, of_disks, &mut self.findings);
    }

    /// The weightiest severity among its findings that are not suppressed.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        worst(&self.findings)
    }

    /// A month of it with its disks, where prices were asked for.
    #[must_use]
    pub fn month(&self) -> Option<&Total> {
        let cost = self.assessment.as_ref()?.cost.as_ref()?;
        Some(&cost.total)
    }
}

/// A disk that none of the VMs has, judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskValidation {
    /// Resource group.
    pub resource_group: Option<String>,
    /// Subscription.
    pub subscription: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// The disk.
    pub disk: DeployedDisk,
    /// The VMs that it is attached to and that were not read.
    pub attached_to: Vec<String>,
    /// What is wrong or worth knowing, weightiest first.
    pub findings: Vec<Finding>,
    /// What is not known, and what was assumed in its place.
    pub unknowns: Vec<Unknown>,
    /// What was odd about the answer that it was read from.
    pub problems: Vec<ReadNote>,
    /// The file or address it was read from.
    pub source: String,
}

impl DiskValidation {
    /// Marks its findings that `gate` suppresses, and has the others counted.
    pub fn judge(&mut self, gate: &mut Gate) {
        let names = [self.disk.name.as_deref(), self.disk.id.as_deref()];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        gate.judge(&names, &mut self.findings);
    }

    /// The weightiest severity among its findings that are not suppressed.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        worst(&self.findings)
    }
}

fn worst(findings: &[Finding]) -> Option<Severity> {
    let open = findings.iter().filter(|f| f.suppressed.is_none());
    open.map(|finding| finding.severity).min()
}

/// Which VM is meant, and what is known of it besides its disks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VmIdentity {
    /// Name.
    pub name: String,
    /// Resource id.
    pub id: Option<String>,
    /// Resource group.
    pub resource_group: Option<String>,
    /// Subscription.
    pub subscription: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// Availability zones.
    pub zones: Vec<String>,
    /// Size as it is written in the answer.
    pub size: Option<String>,
    /// Operating system (`Windows`, `Linux`).
    pub os: Option<String>,
    /// Whether it runs (`running`, `deallocated`).
    pub power: Option<String>,
    /// Disk controller, where the answer says it.
    pub controller: Option<Interface>,
    /// The scale set that it is an instance of.
    pub scale_set: Option<String>,
    /// The file or address it was read from.
    pub source: String,
    /// How it is billed, pay as you go, by its operating system, licence and whether it is a spot VM; `None` where its
    /// operating system is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<VmOffer>,
    /// Whether its OS disk says that it is of generation 1, which takes no disks over NVMe.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_generation_1: bool,
}

/// What lies behind a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BackingKind {
    /// A managed disk.
    Managed,
    /// The local SSD of the host: an ephemeral OS disk.
    Ephemeral,
    /// A page blob in a storage account.
    Unmanaged,
    /// The answer does not say.
    Unknown,
}

/// A disk as it is deployed. `None` means that nothing says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeployedDisk {
    /// The volume that it is, or is a member of.
    pub volume: String,
    /// What it is for.
    pub role: Role,
    /// Logical unit number; the OS disk has none.
    pub lun: Option<u32>,
    /// Name of the disk.
    pub name: Option<String>,
    /// Resource id of the managed disk.
    pub id: Option<String>,
    /// What lies behind it.
    pub backing: BackingKind,
    /// SKU as it is written in the answer (`Premium_LRS`).
    pub sku: Option<String>,
    /// What it is, in short (`P30`, `P30 as P40`, `v2`).
    pub label: String,
    /// Capacity.
    pub size_gib: Option<GiB>,
    /// The performance tier that the answer names.
    pub tier: Option<String>,
    /// Host caching as it is set; what is reckoned with may be less, as the findings say.
    pub caching: HostCaching,
    /// Limits without bursting.
    pub limits: Limits,
    /// Limits while bursting.
    pub burst: Option<Burst>,
    /// Availability zones.
    pub zones: Vec<String>,
    /// How many VMs may attach it, where that is more than one.
    pub max_shares: Option<u32>,
    /// Whether the disk itself was read; where it was not, its figures are those of its kind.
    pub read_itself: bool,
    /// A month of it, where prices were asked for.
    pub month: Option<Total>,
    /// Whether it is set to have Write Accelerator.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub write_accelerator: bool,
}

/// Something that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unknown {
    /// What it is about: a volume, the VM or its size.
    pub subject: String,
    /// What is not known, and what is assumed in its place.
    pub what: String,
}

/// What stood in the way of reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadNote {
    /// How much it matters: an error where a source, or a part of it, could not be used.
    pub severity: Severity,
    /// The file, or the address that was asked.
    pub source: String,
    /// The line in the file, where known.
    pub line: Option<usize>,
    /// The resource it is about, where it is about one.
    pub subject: Option<String>,
    /// What is the matter.
    pub text: String,
    /// Whether resources are missing for it: what is shown is a part of what there is.
    #[serde(default)]
    pub leaves_out: bool,
}

impl From<&ReadProblem> for ReadNote {
    fn from(problem: &ReadProblem) -> Self {
        Self {
            severity: match problem.problem.weight() {
                Weight::Error => Severity::Error,
                Weight::Warning => Severity::Warning,
                Weight::Info => Severity::Info,
            },
            source: problem.source.to_string(),
            line: problem.line,
            subject: problem.subject.clone(),
            text: problem.problem.to_string(),
            leaves_out: problem.problem.leaves_out(),
        }
    }
}

/// An assessment that several VMs of one shape share, as JSON each with its own.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::planner::Assessment;

    pub(super) fn serialize<S: Serializer>(
        assessment: &Option<Arc<Assessment>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        assessment.as_deref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Arc<Assessment>>, D::Error> {
        Ok(Option::<Assessment>::deserialize(deserializer)?.map(Arc::new))
    }
}
