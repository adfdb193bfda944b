//! What stands below recommendations.

use super::{frontier, like};
use crate::catalog::size_name;
use crate::deployment::HostCaching;
use crate::recommend::model::{Caveat, LeftOut, Recommendations, VolumeChoice};
use crate::report::views::month::fetches;
use crate::report::views::{retiring, traced};
use crate::units::{Share, grouped};

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
    notes.extend(trusted(result));
    notes.extend(unused_hits(result));
    notes.extend(without_credit(result));
    notes.extend(headroom(result));
    notes.extend(transactions(result));
    notes.extend(result.left_out.iter().map(|one| left_out(result, one)));
    if !result.only_prices_missing {
        let unranked = and_more(&result.unpriced_sizes);
        notes.extend(unranked.as_ref().map(|sizes| {
            format!("Not ranked, for want of a price: {sizes} would deliver too, and may cost less; the smallest is named.")
        }));
        if unranked.is_some() || result.left_out.iter().any(|one| one.unpriced) {
            notes.push(fetches(&result.prices));
        }
    }
    let is_told = result.best.is_empty() && !result.only_prices_missing;
    if let Some(sizes) = and_more(&result.retired_sizes).filter(|_| !is_told) {
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
    if result.first().is_some() && result.need.kept.is_empty() {
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
    let proof = if result.first().is_none() {
        ""
    } else {
        "; every answer is confirmed by the planner"
    };
    format!("{sizes}{proof}.{arm}")
}

/// Why a family is not among the answers, or not among those whose whole price is known.
fn left_out(result: &Recommendations, one: &LeftOut) -> String {
    let is_it = |choice: &VolumeChoice| {
        (choice.family, &choice.volume) == (one.family, &one.volume) && !choice.unpriced.is_empty()
    };
    let mut choices = result.partly_priced.iter().flat_map(|of| &of.volumes);
    let (family, volume) = (one.family, &one.volume);
    match choices
        .find(|choice| is_it(choice))
        .map(|choice| choice.unpriced.as_slice())
    {
        Some([missing, ..]) => {
            format!("{family} ranked apart for {volume}, by what is known of its price: {missing}.")
        }
        _ => format!("{family} not chosen from for {volume}: {}.", one.reason),
    }
}

/// What has the headroom in it, where one is asked.
fn headroom(result: &Recommendations) -> Option<String> {
    let headroom = result.need.headroom;
    (headroom != Share::NONE && result.first().is_some()).then(|| {
        format!(
            "Headroom: what is left of a cap beyond what is asked, never less than {headroom}. What disks and sizes lack \
             that were not chosen is told with these {headroom} in it."
        )
    })
}

/// What the first answer gives after the time that is asked.
fn without_credit(result: &Recommendations) -> Option<String> {
    let first = result.first()?;
    let less = first.without_credit(&result.need)?;
    let size = size_name(&first.size, first.interface);
    Some(format!(
        "When the burst credit is used up, {size} gives {less}."
    ))
}

/// How many transactions are counted of answers with disks that bill them.
fn transactions(result: &Recommendations) -> Option<String> {
    let answers = result.best.iter().chain(&result.partly_priced);
    let volumes = answers.flat_map(|one| &one.volumes);
    let mut families: Vec<&str> = Vec::new();
    let mut counted = false;
    for volume in volumes.filter(|volume| volume.family.bills_transactions()) {
        counted |= volume.transactions_month.is_some();
        if !families.contains(&volume.family.name()) {
            families.push(volume.family.name());
        }
    }
    let families = Some(families.join(" and ")).filter(|names| !names.is_empty())?;
    Some(match counted {
        true => format!(
            "Each I/O to {families} is billed, up to a cap an hour that is not known of every tier: all that are asked are \
             counted, in {} hours of the month (--busy-hours).",
            grouped(result.need.busy_hours, 0)
        ),
        false => format!(
            "Each I/O to {families} is billed, and comes on top: none is asked here, so none is counted."
        ),
    })
}

/// Disks of unknown latency that were chosen because what is promised of them is enough.
fn trusted(result: &Recommendations) -> Option<String> {
    let asks = |name: &str| {
        let mut volumes = result.need.volumes.iter().filter(|of| of.name == name);
        volumes.any(|of| {
            let has_rate = of.iops.is_some() || of.mbps.is_some();
            of.latency_below.is_some() || (of.queue_depth.is_some() && has_rate)
        })
    };
    let mut told: Vec<String> = Vec::new();
    let answers = result.best.iter().chain(&result.partly_priced);
    let chosen = answers.flat_map(|one| &one.volumes);
    for choice in chosen.filter(|of| of.latency_us.is_none() && asks(&of.volume)) {
        let words = format!("{} for {}", choice.family, choice.volume);
        if !told.contains(&words) {
            told.push(words);
        }
    }
    (!told.is_empty()).then(|| {
        format!(
            "Chosen by the promise of the provider, which is enough for what is asked, as the latency itself is not known: {}.",
            told.join(", ")
        )
    })
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
    // A frontier has answers of its own, which may be cached.
    let none = match result.frontier.is_empty() {
        true => "No answer",
        false => "None of the cheapest answers, one a size,",
    };
    (!names.is_empty() && !result.best.is_empty()).then(|| {
        format!(
            "{none} has host caching for {}: the cache hits that were asked are not counted on.",
            names.join(", ")
        )
    })
}

/// Every VM has a disk that no need names.
const OS_DISK: &str = "The OS disk is not part of the need: its price and its traffic come on top; --headroom leaves room \
                       for its traffic.";

/// The first of `names`, and how many more there are.
pub(super) fn and_more(names: &[String]) -> Option<String> {
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
