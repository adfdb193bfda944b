//! What lowers the bill of disks while their VM is off.

use super::Case;
use crate::azure::validate::assemble::Member;
use crate::azure::validate::commands::{Target, disk_words};
use crate::catalog::price::{BilledDisk, DiskUse, Money, PriceBook, Total};
use crate::catalog::{Catalog, DiskModel, Family};
use crate::deployment::Disk;
use crate::units::grouped;

/// A way to pay less for a disk that nobody uses for now; in the order in which they are named.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// The performance tier down to that of the size.
    Tier(String),
    /// The figures of a provisioned disk down to the least, IOPS and MB/s.
    Figures(u32, u32),
    /// Another family, by its name and ARM's; a disk's family is changed in place.
    Family(Family, Family, &'static str),
}

impl Way {
    fn words(&self) -> String {
        match self {
            Self::Tier(tier) => format!("lower the raised tier to {tier}, that of the size"),
            Self::Figures(iops, mbps) => format!(
                "lower the figures to {} IOPS and {} MB/s",
                grouped(f64::from(*iops), 0),
                grouped(f64::from(*mbps), 0)
            ),
            Self::Family(from, to, _) => format!("change {from} to {to}"),
        }
    }

    fn options(&self) -> String {
        match self {
            Self::Tier(tier) => format!("--set tier={tier}"),
            Self::Figures(iops, mbps) => {
                format!("--disk-iops-read-write {iops} --disk-mbps-read-write {mbps}")
            }
            Self::Family(.., sku) => format!("--sku {sku}"),
        }
    }

    /// How it begins where it is another choice of the same disks as `before`.
    fn instead_of(&self, before: Option<&Self>) -> Option<String> {
        match (self, before?) {
            (Self::Family(from, to, _), Self::Family(other, ..)) if from == other => {
                Some(format!(" or to {to}"))
            }
            _ => None,
        }
    }
}

/// The ways in words, each with its command and the disks that it is for.
fn words(mut ways: Vec<(Way, Target)>) -> Vec<String> {
    ways.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut words: Vec<String> = Vec::new();
    let mut before: Option<(&Way, Vec<&Target>)> = None;
    for alike in ways.chunk_by(|(one, _), (other, _)| one == other) {
        let Some((way, _)) = alike.first() else {
            continue;
        };
        let disks: Vec<&Target> = alike.iter().map(|(_, disk)| disk).collect();
        let owned: Vec<Target> = disks.iter().map(|disk| (*disk).clone()).collect();
        let (names, each) = disk_words(&owned);
        let command = format!(" (`az disk update {names} {}`){each}", way.options());
        let same = before.as_ref().filter(|(_, others)| *others == disks);
        let choice = way.instead_of(same.map(|(before, _)| *before));
        match (words.last_mut(), choice) {
            (Some(last), Some(choice)) => last.push_str(&(choice + &command)),
            _ => words.push(way.words() + &command),
        }
        before = Some((way, disks));
    }
    words
}

/// What to do, and what it saves a month where prices say.
pub(super) fn cheaper(case: &Case<'_>) -> Option<(String, Option<Money>)> {
    let (ways, saved) = match case.book {
        Some(book) => {
            let chosen = chosen(case, book);
            let months = chosen.iter().map(|(.., saved)| *saved);
            let sum = months.reduce(|sum, more| sum.plus(more).unwrap_or(sum));
            let ways = chosen.into_iter();
            let ways = ways.map(|(member, way, _)| (way, target(member)));
            (ways.collect(), sum)
        }
        None => (unpriced(case), None),
    };
    let named = words(ways);
    if named.is_empty() {
        return None;
    }
    let mut words = format!("while it is off, {}", named.join("; "));
    if let Some(saved) = saved {
        words.push_str(&format!(": {saved} less a month"));
    }
    words.push_str("; set it back before the VM starts");
    Some((words, saved))
}

/// A disk on which money is saved while its VM is off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::azure::validate) struct OffSaving {
    /// What findings call the disk.
    pub(in crate::azure::validate) disk: String,
    /// Whether bursting by use ends with it.
    pub(in crate::azure::validate) ends_bursts: bool,
}

/// The disks on which [`cheaper`] says that money is saved.
pub(super) fn savings(case: &Case<'_>) -> Vec<OffSaving> {
    let chosen = case.book.map(|book| chosen(case, book));
    let chosen = chosen.into_iter().flatten();
    let saving = |(member, way, _): (&Member<'_>, Way, Money)| OffSaving {
        disk: case.subject_of_disk(member).into_owned(),
        ends_bursts: matches!(way, Way::Family(..)),
    };
    chosen.map(saving).collect()
}

/// The disks that no other VM has.
fn own<'a>(case: &Case<'a>) -> impl Iterator<Item = &'a Member<'a>> {
    let members = case.assembled.members.iter();
    members.filter(|member| case.beside(member).is_empty())
}

/// The ways that there are, whatever they save.
fn unpriced(case: &Case<'_>) -> Vec<(Way, Target)> {
    let of = own(case).flat_map(|member| {
        let ways = ways(case.catalog, &member.understood.disk).into_iter();
        ways.map(|(way, _)| (way, target(member)))
    });
    of.collect()
}

/// A disk as commands name it.
fn target(member: &Member<'_>) -> Target {
    let (attached, itself) = (member.seen.attached, member.seen.itself);
    let id = itself.and_then(|disk| disk.id.as_ref());
    let name = itself.map(|disk| &*disk.name);
    Target::new(
        id.or_else(|| attached?.id.as_ref()),
        name.or_else(|| attached?.name.as_deref()),
    )
}

/// The way that saves most on each disk, and what it saves a month.
fn chosen<'a>(case: &Case<'a>, book: &PriceBook) -> Vec<(&'a Member<'a>, Way, Money)> {
    let best = |member: &'a Member<'a>| {
        let disk = &member.understood.disk;
        let own = BilledDisk::of(case.catalog, &disk.spec.request, &disk.model);
        let own = month(book, &own)?;
        let cheaper = ways(case.catalog, disk).into_iter();
        let cheaper = cheaper.filter_map(|(way, billed)| {
            let saved = own.plus(month(book, &billed)?.times(-1.0)).ok()?;
            (saved.amount > 0.0).then_some((member, way, saved))
        });
        cheaper.max_by(|(.., a), (.., b)| a.amount.total_cmp(&b.amount))
    };
    own(case).filter_map(best).collect()
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
    if let Some(baseline) = catalog.tiers().of_size_beside(model) {
        let tier = baseline.name.parse().ok();
        found.push((
            Way::Tier(baseline.name.clone()),
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
        let figures = Way::Figures(rules.min_iops.get() as u32, rules.min_mbps.get() as u32);
        found.extend((!is_least).then_some((figures, least)));
    }
    if !request.performance_plus {
        found.extend(slower(model).filter_map(|to| {
            let tier = catalog.tiers().for_size(to, model.size?)?.name.parse();
            let billed = BilledDisk::tiered(tier.ok()?, model.redundancy);
            let sku = to.arm_sku(model.redundancy)?;
            Some((Way::Family(model.family, to, sku), billed))
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
