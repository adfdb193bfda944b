//! Why a size delivers with no choice of layouts: a reason that holds for every one of them.

use super::disks::{Choices, Layout};
use super::model::{LimitUse, LimitedPlace};
use super::search::fits_alone;
use super::size::{CEILINGS, PerCeiling, SizeModel, plus};
use crate::catalog::Axis;
use crate::deployment::HostCaching;
use crate::planner::assessment::CeilingName;
use crate::units::{Share, grouped};

/// Why `size`, on which nothing delivers, does not: in words, and the ceiling that is short where it is one.
///
/// What a ceiling is short of is what the layouts need that need the least of it. So no other choice would do.
pub(super) fn why(
    choices: &Choices,
    size: &SizeModel,
    headroom: Share,
) -> (String, Option<LimitUse>) {
    if let Err(reason) = size.allows_kept {
        return (format!("{reason}, which a disk that stays needs"), None);
    }
    if let Some(reason) = unattachable(choices, size) {
        return (reason, None);
    }
    let attachable = |layout: &Layout| size.allows[layout.kind].is_ok();
    let least = choices.layouts.iter().fold(size.kept, |sum, layouts| {
        plus(&sum, &least(size, layouts, attachable))
    });
    if let Some(ceiling) = shortest(size, &least) {
        let (text, short) = too_low(ceiling, size.caps[ceiling], least[ceiling], headroom);
        let text = match spared(choices, size, ceiling) {
            Some(reason) => format!("{text}; {reason}"),
            None => text,
        };
        return (text, short);
    }
    if let Some(text) = alone(choices, size, headroom) {
        return (text, None);
    }
    (together(choices, size), None)
}

/// Why no layout of some volume can be attached at all.
fn unattachable(choices: &Choices, size: &SizeModel) -> Option<String> {
    let none = |layouts: &&Vec<Layout>| layouts.iter().all(|l| size.allows[l.kind].is_err());
    let layouts = choices.layouts.iter().find(none)?;
    let reasons = layouts.iter().filter_map(|l| size.allows[l.kind].err());
    let mut reasons: Vec<&str> = reasons.collect();
    reasons.sort_unstable();
    reasons.dedup();
    if reasons.is_empty() {
        return Some("no disks deliver it".to_owned());
    }
    Some(reasons.join(", "))
}

/// The least that any of `layouts` takes of each ceiling.
fn least(size: &SizeModel, layouts: &[Layout], of: impl Fn(&Layout) -> bool) -> PerCeiling {
    let takes = |ceiling: usize| {
        let of = layouts.iter().filter(|layout| of(layout));
        of.map(|layout| size.takes[layout.kind][ceiling])
            .reduce(f64::min)
    };
    std::array::from_fn(|ceiling| takes(ceiling).unwrap_or(0.0))
}

/// The ceiling that is the most short of `takes`.
fn shortest(size: &SizeModel, takes: &PerCeiling) -> Option<usize> {
    let ratio = |i: &usize| size.caps[*i].map_or(f64::INFINITY, |cap| takes[*i] / cap);
    (0..CEILINGS.len())
        .filter(|&ceiling| size.is_short(ceiling, takes[ceiling]))
        .max_by(|a, b| ratio(a).total_cmp(&ratio(b)))
}

/// Why layouts are not attached that would take less of `ceiling` and let it be enough.
fn spared(choices: &Choices, size: &SizeModel, ceiling: usize) -> Option<&'static str> {
    let mut taken = size.kept[ceiling];
    let mut reason = None;
    for layouts in &choices.layouts {
        let attachable = least(size, layouts, |l| size.allows[l.kind].is_ok())[ceiling];
        let take = |layout: &&Layout| size.takes[layout.kind][ceiling];
        let by_take = |a: &&Layout, b: &&Layout| take(a).total_cmp(&take(b));
        let layout = layouts.iter().min_by(by_take)?;
        if take(&layout) < attachable {
            reason = reason.or(size.allows[layout.kind].err());
        }
        taken += take(&layout).min(attachable);
    }
    reason.filter(|_| !size.is_short(ceiling, taken))
}

/// Why no layout of some volume passes by itself, where each is short of another ceiling: with and without the host
/// cache.
fn alone(choices: &Choices, size: &SizeModel, headroom: Share) -> Option<String> {
    let none = |layouts: &&Vec<Layout>| !layouts.iter().any(|l| fits_alone(size, l));
    let layouts = choices.layouts.iter().find(none)?;
    let with = |caching: HostCaching| {
        let of =
            |l: &Layout| size.allows[l.kind].is_ok() && choices.kinds[l.kind].caching == caching;
        let takes = plus(&size.kept, &least(size, layouts, of));
        let ceiling = shortest(size, &takes)?;
        Some(too_low(ceiling, size.caps[ceiling], takes[ceiling], headroom).0)
    };
    Some(
        match (with(HostCaching::None), with(HostCaching::ReadOnly)) {
            (Some(plain), Some(cached)) => {
                format!("without host caching {plain}; with it {cached}")
            }
            _ => "no layout fits all its ceilings at once".to_owned(),
        },
    )
}

/// Why layouts that each pass by themselves do not pass together.
fn together(choices: &Choices, size: &SizeModel) -> String {
    let fewest = |layouts: &Vec<Layout>| {
        let fit = layouts.iter().filter(|l| fits_alone(size, l));
        fit.map(|l| l.spec.count).min()
    };
    let disks: u32 = choices.layouts.iter().filter_map(fewest).sum();
    match size.disks {
        None => "how many data disks it takes is not known".to_owned(),
        Some(most) if disks > most => {
            format!("it takes {most} data disks, at least {disks} are needed")
        }
        Some(most) => format!("no layouts fit its ceilings and its {most} data disks together"),
    }
}

fn too_low(
    ceiling: usize,
    capacity: Option<f64>,
    used: f64,
    headroom: Share,
) -> (String, Option<LimitUse>) {
    let (name, axis) = CEILINGS[ceiling];
    let decimals = usize::from(axis == Axis::Mbps);
    let Some(capacity) = capacity else {
        return (format!("its {} {axis} are not known", name.name()), None);
    };
    let with = match headroom == Share::NONE {
        true => String::new(),
        false => format!(" with {headroom} headroom"),
    };
    let text = format!(
        "{} {} {axis}, {} are needed{with}",
        grouped(capacity, decimals),
        name.name(),
        grouped(used, decimals)
    );
    let place = match name {
        CeilingName::Uncached => LimitedPlace::Uncached,
        CeilingName::Remote => LimitedPlace::Remote,
        CeilingName::Cached => LimitedPlace::Cached,
    };
    let short = LimitUse {
        place,
        axis,
        capacity,
        used,
        asked: None,
    };
    (text, Some(short))
}
