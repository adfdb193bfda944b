//! Azure Monitor's metrics held against a deployed VM.

use super::Validator;
use super::assemble::{Assembled, Member};
use super::owners::id_of;
use crate::azure::facts::{AttachedDisk, VmFacts};
use crate::azure::metrics::{
    DiskLimits, DiskUse, Metrics, MetricsJudgement, ResourceMetrics, Shared, Sharer, Subject,
    VmLimits, judge_priced,
};
use crate::azure::remedies::with_remedy;
use crate::catalog::price::{BilledDisk, DiskUse as BilledUse, Money, PriceBook};
use crate::catalog::{Catalog, Limits, VmSize};
use crate::planner::findings::caching::write_heavy;
use crate::planner::{Finding, FindingId};
use crate::units::Share;

impl<'a> Validator<'a> {
    /// What the metrics say of a VM; `None` where there are none of it. Their findings join `findings`, and what was
    /// measured takes the place of what was assumed of the workload.
    pub(super) fn measured(
        &self,
        vm: &VmFacts,
        size: Option<&VmSize>,
        assembled: &Assembled<'a>,
        book: Option<&PriceBook>,
        findings: &mut Vec<Finding>,
    ) -> Option<MetricsJudgement> {
        let all = self.options.metrics.as_ref()?;
        let disks = assembled.members.iter().map(|m| limits(assembled, m));
        let limits = VmLimits::of(&vm.name, size, disks.collect());
        let (id, ids) = (vm.id.as_ref(), limits.disk_ids());
        let mut metrics = match self.facts.vms.as_slice() {
            [_] => all.only_vm(id, &vm.name, &ids),
            _ => all.vm(id, &vm.name, &ids),
        }?;
        metrics.shared = self.shared_metrics(vm, assembled, all);
        let saving = |of: &DiskLimits, settings: Limits| {
            let members = assembled.members.iter();
            let mut members = members.filter(|m| subject_of(m) == Some(of.subject()));
            saved(self.catalog, book?, members.next()?, settings)
        };
        let mut judged = judge_priced(&metrics, &limits, &saving);
        judged
            .findings
            .iter_mut()
            .for_each(|unused| take_over(unused, book.is_some(), findings));
        findings.append(&mut judged.findings);
        for used in &judged.disks {
            let of_disk = assembled.members.iter();
            let mut of_disk = of_disk.filter(|member| subject_of(member) == Some(used.subject));
            if let Some(member) = of_disk.next() {
                caching(assembled, member, used, findings);
            }
        }
        Some(judged)
    }
}

impl<'a> Validator<'a> {
    /// What other VMs ask of the disks that they share with `vm`.
    fn shared_metrics(
        &self,
        vm: &VmFacts,
        assembled: &Assembled<'a>,
        all: &Metrics,
    ) -> Vec<Shared> {
        let of_member = |member: &Member<'a>| {
            let others = self.owners.beside(self.facts, vm, member);
            let may_be_shared = member.understood.disk.spec.request.max_shares > 1;
            if others.is_empty() && !may_be_shared {
                return None;
            }
            let others = others.into_iter().map(|other| Sharer {
                vm: other.name.to_owned(),
                metrics: other.vm.and_then(|vm| part_of(vm, member, all)),
            });
            Some(Shared {
                subject: subject_of(member)?,
                others: others.collect(),
            })
        };
        assembled.members.iter().filter_map(of_member).collect()
    }
}

/// What `vm` calls the disk of a member of another, and its metrics of it.
fn part_of(vm: &VmFacts, member: &Member<'_>, all: &Metrics) -> Option<(Subject, ResourceMetrics)> {
    let id = id_of(member)?;
    let is_it = |disk: &&AttachedDisk| disk.id.as_ref() == Some(id);
    let subject = match vm.os_disk.iter().any(|disk| is_it(&disk)) {
        true => Subject::OsDisk,
        false => Subject::Lun(vm.data_disks.iter().find(is_it)?.lun?),
    };
    let metrics = all.of_subject(vm.id.as_ref(), &vm.name, subject)?;
    Some((subject, metrics))
}

/// What a month of a disk costs less with these IOPS and MB/s.
fn saved(
    catalog: &Catalog,
    book: &PriceBook,
    member: &Member<'_>,
    settings: Limits,
) -> Option<Money> {
    let disk = &member.understood.disk;
    let own = BilledDisk::of(catalog, &disk.spec.request, &disk.model);
    let lower = BilledDisk {
        iops: settings.iops,
        mbps: settings.mbps,
        ..own.clone()
    };
    let month = |disk| {
        book.disk_bill(disk, &BilledUse::default())
            .total()
            .complete()
    };
    month(&own)?.plus(month(&lower)?.times(-1.0)).ok()
}

/// Bursting that is known to be unused says what it costs, in place of the remark that it costs something.
fn take_over(unused: &mut Finding, is_priced: bool, others: &mut Vec<Finding>) {
    if unused.id != FindingId::OnDemandBurstUnused {
        return;
    }
    let remark = others.iter().position(|other| {
        other.id == FindingId::PaidBurst
            && other.subject == unused.subject
            && other.per_month().is_some()
    });
    if let Some(remark) = remark {
        let other = others.remove(remark);
        unused.figures.extend(other.figures);
        if let Some(month) = unused.per_month() {
            unused.message.push_str(&format!(": {month} a month"));
        }
    } else if is_priced {
        let words = ", for a fee whose price is not among those that are known here";
        unused.message.push_str(words);
    }
}

fn subject_of(member: &Member<'_>) -> Option<Subject> {
    if member.seen.os {
        return Some(Subject::OsDisk);
    }
    Some(Subject::Lun(member.seen.attached?.lun?))
}

fn limits(assembled: &Assembled<'_>, member: &Member<'_>) -> DiskLimits {
    let attached = member.seen.attached;
    let own = member.seen.itself.and_then(|disk| disk.id.as_ref());
    let name = member.seen.itself.map(|disk| &*disk.name);
    let lun = attached
        .filter(|_| !member.seen.os)
        .and_then(|disk| disk.lun);
    let volumes = &assembled.deployment.volumes;
    DiskLimits {
        volume: volumes.get(member.volume).map(|v| v.name.clone()),
        ..DiskLimits::of(
            &member.understood.disk,
            lun,
            name.or_else(|| attached?.name.as_deref()),
            own.or_else(|| attached?.id.as_ref()),
        )
    }
}

/// Host caching against the share of writes that was measured.
fn caching(
    assembled: &Assembled<'_>,
    member: &Member<'_>,
    used: &DiskUse,
    findings: &mut Vec<Finding>,
) {
    let volume = assembled.deployment.volumes.get(member.volume);
    let (Some(volume), Some(writes)) = (volume, used.write_share) else {
        return;
    };
    let Ok(reads) = Share::new(1.0 - writes) else {
        return;
    };
    findings.retain(|f| f.id != FindingId::WriteHeavyCache || f.subject != volume.name);
    let caching = member.understood.disk.effective_caching();
    findings.extend(write_heavy(volume, caching, reads).map(with_remedy));
}
