//! What lowers the bill of disks while their VM is off.

use super::Case;
use super::disk::baseline_below;
use crate::azure::validate::assemble::Member;
use crate::catalog::price::{BilledDisk, DiskUse, Money, PriceBook, Total};
use crate::catalog::{Catalog, DiskModel, Family};
use crate::deployment::Disk;

/// A way to pay less for a disk that nobody uses for now; in the order in which they are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// The performance tier down to that of the size.
    Tier,
    /// The figures of a provisioned disk down to the least.
    Figures,
    /// Another family; a disk's family is changed in place.
    Family(Family, Family),
}

/// The ways in words; the families that one family can become are named together.
fn words(mut ways: Vec<Way>) -> Vec<String> {
    ways.sort_unstable();
    ways.dedup();
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for way in ways {
        let family = match way {
            Way::Tier => {
                words.push("lower raised performance tiers to those of the sizes".to_owned());
                None
            }
            Way::Figures => {
                words.push("lower the figures of Premium SSD v2 and Ultra disks".to_owned());
                None
            }
            Way::Family(from, to) => {
                match words.last_mut().filter(|_| before == Some(from)) {
                    Some(last) => last.push_str(&format!(" or {to}")),
                    None => words.push(format!("change {from} to {to}")),
                }
                Some(from)
            }
        };
        before = family;
    }
    words
}

/// What to do, and what it saves a month where prices say.
pub(super) fn cheaper(case: &Case<'_>) -> Option<(String, Option<Money>)> {
    let members = &case.assembled.members;
    let ways = match case.book {
        Some(book) => priced(case.catalog, book, members),
        None => (unpriced(case.catalog, members), None),
    };
    let (ways, saved) = ways;
    let named = words(ways);
    if named.is_empty() {
        return None;
    }
    let mut words = format!("while it is off, {}", named.join(", "));
    if let Some(saved) = saved {
        words.push_str(&format!(": {saved} less a month"));
    }
    words.push_str("; set it back before the VM starts");
    Some((words, saved))
}

/// The ways that there are, whatever they save.
fn unpriced(catalog: &Catalog, members: &[Member<'_>]) -> Vec<Way> {
    let of = members.iter().flat_map(|member| {
        let disk = &member.understood.disk;
        ways(catalog, disk).into_iter().map(|(way, _)| way)
    });
    of.collect()
}

/// The way that saves most on each disk, and what they save together.
fn priced(
    catalog: &Catalog,
    book: &PriceBook,
    members: &[Member<'_>],
) -> (Vec<Way>, Option<Money>) {
    let mut chosen = Vec::new();
    let mut sum: Option<Money> = None;
    for member in members {
        let disk = &member.understood.disk;
        let own = BilledDisk::of(catalog, &disk.spec.request, &disk.model);
        let Some(own) = month(book, &own) else {
            continue;
        };
        let cheaper = ways(catalog, disk).into_iter().filter_map(|(way, billed)| {
            let saved = own.plus(month(book, &billed)?.times(-1.0)).ok()?;
            (saved.amount > 0.0).then_some((way, saved))
        });
        if let Some((way, saved)) = cheaper.max_by(|a, b| a.1.amount.total_cmp(&b.1.amount)) {
            chosen.push(way);
            sum = match sum {
                Some(sum) => sum.plus(saved).ok(),
                None => Some(saved),
            };
        }
    }
    (chosen, sum)
}

/// A month where every price is known. What is billed by use is nothing: nobody uses the disk.
fn month(book: &PriceBook, disk: &BilledDisk) -> Option<Money> {
    let total: Total = book.disk_bill(disk, &DiskUse::default()).total();
    total.is_priced().then_some(total.known)
}

/// What can be done about a disk, with the disk that is billed then. A disk that several VMs share may be in use by
/// another, and performance plus stays what a disk was created with: these are left as they are.
fn ways(catalog: &Catalog, disk: &Disk) -> Vec<(Way, BilledDisk)> {
    let (request, model) = (&disk.spec.request, &disk.model);
    let own = BilledDisk::of(catalog, request, model);
    if own.shared {
        return Vec::new();
    }
    let mut found = Vec::new();
    if let Some(baseline) = baseline_below(catalog, model) {
        let tier = baseline.name.parse().ok();
        found.push((
            Way::Tier,
            BilledDisk {
                tier,
                ..own.clone()
            },
        ));
    }
    if let Some(rules) = model.family.provisioned_rules() {
        let is_least =
            model.base.iops == Some(rules.min_iops) && model.base.mbps == Some(rules.min_mbps);
        let (iops, mbps) = (Some(rules.min_iops), Some(rules.min_mbps));
        let least = BilledDisk { iops, mbps, ..own };
        found.extend((!is_least).then_some((Way::Figures, least)));
    }
    if !request.performance_plus {
        found.extend(slower(model).filter_map(|to| {
            let tier = catalog.tiers().for_size(to, model.size?)?.name.parse();
            let billed = BilledDisk::tiered(tier.ok()?, model.redundancy);
            Some((Way::Family(model.family, to), billed))
        }));
    }
    found
}

/// The families that a disk can be changed to and that have its redundancy.
fn slower(model: &DiskModel) -> impl Iterator<Item = Family> {
    let families = model.family.slower().iter().copied();
    let redundancy = model.redundancy;
    families.filter(move |family| family.arm_sku(redundancy).is_some())
}
