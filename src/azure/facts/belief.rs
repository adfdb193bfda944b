//! Which limits of a disk can be true.

use super::problem::{Notes, Problem};
use crate::catalog::{Catalog, Family, Limits};
use crate::units::{BlockSize, Iops, MB, MBps};

/// The largest I/O that one provisioned IOPS may carry: no Azure disk offers more throughput per IOPS
/// (Premium SSD v2 and Ultra: 0.25 MB/s per provisioned IOPS, in older limits 256 KiB/s; tiers stay below).
const LARGEST_IO: BlockSize = BlockSize::kib(256);

/// The fewest IOPS that a Premium SSD v2 disk is given: the free baseline.
const V2_LEAST_IOPS: Iops = Iops::whole(3_000);

/// Ten times what the largest Ultra disk has, 400,000 IOPS and 10,000 MB/s: what is more was never read from a disk.
const MOST: Limits = Limits::new(Iops::whole(4_000_000), MBps::whole(100_000));

/// Limits are raised now and then: up to so many times what the largest disk of a kind is known to have is believed.
const RAISED: f64 = 2.0;

/// The limits, unless they cannot be true. Published examples of Premium SSD v2 and Ultra have the two exchanged.
pub(super) fn believed(limits: Limits, family: Option<Family>, notes: &mut Notes<'_>) -> Limits {
    let reason = too_large(limits, family).or_else(|| contradicting(limits, family));
    match reason {
        Some(reason) => {
            notes.add(Problem::Implausible { reason });
            Limits::UNKNOWN
        }
        None => limits,
    }
}

/// Why figures are larger than those of any disk, or of any of its kind.
fn too_large(limits: Limits, family: Option<Family>) -> Option<String> {
    if let Some(beyond) = beyond(limits, MOST) {
        return Some(format!(
            "{beyond} cannot be: no disk comes near {}",
            pair(MOST, " or ")
        ));
    }
    let family = family?;
    let most = largest(family)?;
    let beyond = beyond(limits, most.times(RAISED))?;
    Some(format!(
        "{beyond} cannot be: the largest {family} disk has {}",
        pair(most, " and ")
    ))
}

/// The figures that are more than `most`, by their names in the answer.
fn beyond(limits: Limits, most: Limits) -> Option<String> {
    let iops = limits
        .iops
        .filter(|own| most.iops.is_some_and(|m| *own > m));
    let mbps = limits
        .mbps
        .filter(|own| most.mbps.is_some_and(|m| *own > m));
    let parts = [
        iops.map(|v| format!("diskIOPSReadWrite {v}")),
        mbps.map(|v| format!("diskMBpsReadWrite {v}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" with "))
}

fn pair(limits: Limits, between: &str) -> String {
    let iops = limits.iops.map(|v| format!("{v} IOPS"));
    let mbps = limits.mbps.map(|v| format!("{v} MB/s"));
    let parts: Vec<String> = iops.into_iter().chain(mbps).collect();
    parts.join(between)
}

/// The most that a disk of a kind is known to have.
fn largest(family: Family) -> Option<Limits> {
    if let Some(rules) = family.provisioned_rules() {
        return Some(Limits::new(rules.max_iops, rules.max_mbps));
    }
    let tiers = Catalog::embedded().tiers().of(family);
    let all = tiers.flat_map(|tier| [Some(tier.limits), tier.performance_plus]);
    all.flatten().reduce(Limits::higher)
}

/// Why IOPS and MB/s cannot be those of one disk.
fn contradicting(limits: Limits, family: Option<Family>) -> Option<String> {
    let (iops, mbps) = (limits.iops?, limits.mbps?);
    let most = iops.throughput(LARGEST_IO);
    let too_few = family == Some(Family::PremiumSsdV2) && iops < V2_LEAST_IOPS;
    // Azure rounds to whole MB/s.
    let too_much = mbps.get() > most.get() + 1.0;
    if !too_few && !too_much {
        return None;
    }
    let mut reason = format!(
        "diskIOPSReadWrite {} with diskMBpsReadWrite {}",
        iops.get(),
        mbps.get()
    );
    if too_much {
        reason.push_str(&format!(
            " cannot be: {} IOPS carry at most {:.0} MB/s",
            iops.get(),
            most.get()
        ));
    } else {
        reason.push_str(" cannot be: a Premium SSD v2 disk has 3,000 IOPS or more");
    }
    let exchanged = mbps.get() * LARGEST_IO.bytes_f64() / MB >= iops.get();
    if too_much && exchanged {
        reason.push_str("; the two look exchanged");
    }
    Some(reason)
}
