//! What stands below recommendations.

use super::{frontier, like};
use crate::deployment::HostCaching;
use crate::recommend::model::{Caveat, Recommendations};
use crate::report::views::{retiring, traced};
use crate::units::grouped;

pub(super) fn footnotes(result: &Recommendations) -> Vec<String> {
    let mut notes = vec![
        format!("Data: {}.", result.data),
        format!(
            "Money: {}; 730 hours a month, {}.",
            result.prices,
            result.offer.label()
        ),
        looked_at(result),
    ];
    notes.extend(like::notes(result));
    notes.extend(result.from_trace.iter().flat_map(traced::need_notes));
    notes.extend(frontier::legend(result));
    notes.extend(frontier::note(result));
    notes.extend(unused_hits(result));
    for left_out in &result.left_out {
        notes.push(format!(
            "{} not chosen from for {}: {}.",
            left_out.family, left_out.volume, left_out.reason
        ));
    }
    if let Some(sizes) = and_more(&result.unpriced_sizes).filter(|_| !result.only_prices_missing) {
        notes.push(format!(
            "Not ranked, for want of a price: {sizes} would deliver too."
        ));
    }
    if let Some(sizes) = and_more(&result.retired_sizes) {
        notes.push(format!(
            "Left out, as they are retired: {sizes} would deliver."
        ));
    }
    notes.extend(retiring::note(
        result
            .best
            .iter()
            .map(|one| (one.size.as_str(), one.retirement.as_deref())),
    ));
    notes.extend(with_caveat(result, Caveat::CpuCredit).map(|sizes| {
        format!("Burstable: the CPU runs at full speed from credit only ({sizes}); --not-series 'B*' leaves such out.")
    }));
    notes.extend(with_caveat(result, Caveat::SpecialHardware).map(|sizes| {
        format!("Made for accelerators, HPC or confidential computing, and may need an image of its own: {sizes}.")
    }));
    if !result.best.is_empty() && result.need.kept.is_empty() {
        notes.push(OS_DISK.to_owned());
    }
    notes
}

/// How many sizes were looked at, and which were not.
fn looked_at(result: &Recommendations) -> String {
    let sizes = match result.sizes_looked_at {
        0 => "No size in service is like that and has a known price".to_owned(),
        1 => "1 size with a price looked at, with every layout".to_owned(),
        n => format!(
            "{} sizes with a price looked at, each with every layout",
            grouped(n as f64, 0)
        ),
    };
    let arm = if result.offer.is_windows() {
        " Arm64 sizes are left out: Windows Server has no image for them."
    } else {
        ""
    };
    let proof = if result.best.is_empty() {
        ""
    } else {
        "; every answer is confirmed by the planner"
    };
    format!("{sizes}{proof}.{arm}")
}

/// Volumes whose cache hits none of the answers can have.
fn unused_hits(result: &Recommendations) -> Option<String> {
    let is_cached = |name: &str| {
        let mut volumes = result.best.iter().flat_map(|one| &one.volumes);
        volumes.any(|volume| volume.volume == name && volume.caching != HostCaching::None)
    };
    let asked = result.need.volumes.iter().filter(|v| v.hit_share.is_some());
    let names: Vec<&str> = asked
        .map(|volume| volume.name.as_str())
        .filter(|name| !is_cached(name))
        .collect();
    (!names.is_empty() && !result.best.is_empty()).then(|| {
        format!(
            "No answer has host caching for {}: the cache hits that were asked are not counted on.",
            names.join(", ")
        )
    })
}

/// Every VM has a disk that no need names.
const OS_DISK: &str = "The OS disk is not part of the need: its price and its traffic come on top; --headroom leaves room \
                       for its traffic.";

/// The first of `names`, and how many more there are.
fn and_more(names: &[String]) -> Option<String> {
    let (first, rest) = names.split_first()?;
    Some(match rest.len() {
        0 => first.clone(),
        n => format!("{first} and {n} more"),
    })
}

/// The answers that `caveat` holds for.
fn with_caveat(result: &Recommendations, caveat: Caveat) -> Option<String> {
    let best = result.best.iter();
    let sizes: Vec<&str> = best
        .filter(|one| one.caveats.contains(&caveat))
        .map(|one| one.size.as_str())
        .collect();
    (!sizes.is_empty()).then(|| sizes.join(", "))
}
