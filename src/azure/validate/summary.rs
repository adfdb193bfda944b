//! Many VMs in a few figures: how many have which finding, and what it costs. Counted one by one, so that a fleet need
//! not be held in memory for it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::{DiskValidation, VmValidation};
use crate::catalog::price::{Money, Total};
use crate::planner::{Finding, FindingId, Severity};

/// How many of the costliest findings are kept.
const COSTLIEST: usize = 10;

/// All VMs and disks together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// How many VMs were judged.
    pub vms: usize,
    /// How many of them have a finding.
    pub vms_with_findings: usize,
    /// How many of them could not be assessed, for no disk of theirs is known.
    pub vms_without_assessment: usize,
    /// How many disks they have.
    pub attached_disks: usize,
    /// How many disks none of them has.
    pub other_disks: usize,
    /// Findings of severity error.
    pub errors: usize,
    /// Findings of severity warning.
    pub warnings: usize,
    /// Findings of severity info.
    pub infos: usize,
    /// Findings that are suppressed; no other figure counts them.
    #[serde(default)]
    pub suppressed: usize,
    /// The findings by severity and id, weightiest first.
    pub by_finding: Vec<FindingCount>,
    /// The findings that cost most a month, costliest first.
    pub costliest: Vec<CostlyFinding>,
    /// A month of everything, where prices were asked for.
    pub month: Option<Total>,
}

/// How often one finding was met with one severity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingCount {
    /// Its id.
    pub id: FindingId,
    /// The severity that these have; the same id may be met with another one, which is counted apart.
    pub severity: Severity,
    /// How often it was met.
    pub count: usize,
    /// How many VMs have it.
    pub vms: usize,
    /// How many disks that no VM has, have it.
    pub disks: usize,
    /// What it costs a month, where prices were asked for and money is in it.
    pub month: Option<Money>,
}

/// One finding that costs money.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostlyFinding {
    /// The VM, or the disk that no VM has.
    pub owner: String,
    /// Its resource group.
    pub resource_group: Option<String>,
    /// The finding.
    pub id: FindingId,
    /// What it is about.
    pub subject: String,
    /// What it costs a month.
    pub month: Money,
}

/// Counts VMs and disks as they come.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    summary: Summary,
    ids: BTreeMap<(Severity, FindingId), FindingCount>,
    /// The disks that several VMs may have, by their ids in lower case: each is billed once.
    shared: BTreeMap<String, Option<Money>>,
}

/// Whose findings are counted.
struct Owner<'a> {
    name: &'a str,
    resource_group: Option<&'a String>,
    is_vm: bool,
}

impl Tally {
    /// Counts some VMs.
    #[must_use]
    pub fn of_vms(vms: &[VmValidation]) -> Self {
        let mut tally = Self::default();
        vms.iter().for_each(|vm| tally.add_vm(vm));
        tally
    }

    /// Counts some disks that no VM has.
    #[must_use]
    pub fn of_disks(disks: &[DiskValidation]) -> Self {
        let mut tally = Self::default();
        disks.iter().for_each(|disk| tally.add_disk(disk));
        tally
    }

    /// Counts a VM.
    pub fn add_vm(&mut self, vm: &VmValidation) {
        let summary = &mut self.summary;
        summary.vms += 1;
        summary.vms_with_findings += usize::from(vm.worst().is_some());
        summary.vms_without_assessment += usize::from(vm.assessment.is_none());
        summary.attached_disks += vm.disks.len();
        add_month(&mut summary.month, vm.month());
        for disk in vm.disks.iter().filter(|disk| disk.max_shares.is_some()) {
            if let Some(id) = &disk.id {
                let month = disk.month.as_ref().map(|month| month.known);
                self.bill_once(id.to_lowercase(), month);
            }
        }
        let owner = Owner {
            name: &vm.vm.name,
            resource_group: vm.vm.resource_group.as_ref(),
            is_vm: true,
        };
        self.add_findings(&owner, &vm.findings);
    }

    /// Takes a shared disk out of the sum where it is in it already.
    fn bill_once(&mut self, id: String, month: Option<Money>) {
        if self.shared.insert(id, month).is_none() {
            return;
        }
        if let (Some(sum), Some(month)) = (&mut self.summary.month, month) {
            let without = sum.known.plus(month.times(-1.0));
            sum.known = without.unwrap_or(sum.known);
        }
    }

    /// Counts a disk that no VM has.
    pub fn add_disk(&mut self, disk: &DiskValidation) {
        self.summary.other_disks += 1;
        add_month(&mut self.summary.month, disk.disk.month.as_ref());
        let owner = Owner {
            name: disk.disk.name.as_deref().unwrap_or(&disk.disk.volume),
            resource_group: disk.resource_group.as_ref(),
            is_vm: false,
        };
        self.add_findings(&owner, &disk.findings);
    }

    fn add_findings(&mut self, owner: &Owner<'_>, findings: &[Finding]) {
        let suppressed = findings.iter().filter(|f| f.suppressed.is_some());
        self.summary.suppressed += suppressed.count();
        let open = |finding: &&Finding| finding.suppressed.is_none();
        let findings: Vec<&Finding> = findings.iter().filter(open).collect();
        for (index, finding) in findings.iter().enumerate() {
            match finding.severity {
                Severity::Error => self.summary.errors += 1,
                Severity::Warning => self.summary.warnings += 1,
                Severity::Info => self.summary.infos += 1,
            }
            let is_alike =
                |other: &&Finding| (other.severity, other.id) == (finding.severity, finding.id);
            let first = findings.iter().position(is_alike) == Some(index);
            let month = finding.per_month().filter(|money| money.amount > 0.0);
            self.count(finding, month, owner.is_vm, first);
            if let Some(month) = month {
                self.keep_costliest(owner, finding, month);
            }
        }
    }

    /// Adds one finding to its like; `first` where its owner had none such yet.
    fn count(&mut self, finding: &Finding, month: Option<Money>, is_vm: bool, first: bool) {
        let like = (finding.severity, finding.id);
        let entry = self.ids.entry(like).or_insert_with(|| FindingCount {
            id: finding.id,
            severity: finding.severity,
            count: 0,
            vms: 0,
            disks: 0,
            month: None,
        });
        entry.count += 1;
        entry.vms += usize::from(first && is_vm);
        entry.disks += usize::from(first && !is_vm);
        entry.month = plus(entry.month, month);
    }

    fn keep_costliest(&mut self, owner: &Owner<'_>, finding: &Finding, month: Money) {
        if self.place_of(month) >= COSTLIEST {
            return;
        }
        self.insert_costly(CostlyFinding {
            owner: owner.name.to_owned(),
            resource_group: owner.resource_group.cloned(),
            id: finding.id,
            subject: finding.subject.clone(),
            month,
        });
    }

    /// Behind those that cost as much.
    fn place_of(&self, month: Money) -> usize {
        let kept = &self.summary.costliest;
        kept.partition_point(|other| other.month.amount >= month.amount)
    }

    fn insert_costly(&mut self, costly: CostlyFinding) {
        let place = self.place_of(costly.month);
        let kept = &mut self.summary.costliest;
        kept.insert(place, costly);
        kept.truncate(COSTLIEST);
    }

    /// Adds what another counted of the VMs and disks that come next.
    pub fn absorb(&mut self, next: Self) {
        let (sum, more) = (&mut self.summary, next.summary);
        sum.vms += more.vms;
        sum.vms_with_findings += more.vms_with_findings;
        sum.vms_without_assessment += more.vms_without_assessment;
        sum.attached_disks += more.attached_disks;
        sum.other_disks += more.other_disks;
        sum.errors += more.errors;
        sum.warnings += more.warnings;
        sum.infos += more.infos;
        sum.suppressed += more.suppressed;
        add_month(&mut sum.month, more.month.as_ref());
        for (id, month) in next.shared {
            self.bill_once(id, month);
        }
        more.costliest
            .into_iter()
            .for_each(|costly| self.insert_costly(costly));
        for (id, more) in next.ids {
            match self.ids.entry(id) {
                Entry::Vacant(free) => {
                    free.insert(more);
                }
                Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    known.count += more.count;
                    known.vms += more.vms;
                    known.disks += more.disks;
                    known.month = plus(known.month, more.month);
                }
            }
        }
    }

    /// What was counted.
    #[must_use]
    pub fn finish(self) -> Summary {
        Summary {
            by_finding: self.ids.into_values().collect(),
            ..self.summary
        }
    }
}

fn plus(sum: Option<Money>, more: Option<Money>) -> Option<Money> {
    match (sum, more) {
        (Some(sum), Some(more)) => Some(sum.plus(more).unwrap_or(sum)),
        (sum, more) => sum.or(more),
    }
}

/// Adds a total; what is missing in it is named once.
fn add_month(sum: &mut Option<Total>, more: Option<&Total>) {
    let Some(more) = more else {
        return;
    };
    let Some(total) = sum else {
        *sum = Some(more.clone());
        return;
    };
    total.known = total.known.plus(more.known).unwrap_or(total.known);
    for missing in &more.missing {
        if !total.missing.contains(missing) {
            total.missing.push(missing.clone());
        }
    }
}
