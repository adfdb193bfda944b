//! Judgements in words.

use jiff::Timestamp;

use super::limits::VmLimits;
use super::model::{CeilingUse, MetricsJudgement, Throttling};
use crate::azure::metrics::Subject;
use crate::catalog::Axis;
use crate::planner::findings::duration;
use crate::units::grouped;

/// `IOPS` or `bandwidth`: what the platform's metrics call the axes.
pub(super) const fn axis(axis: Axis) -> &'static str {
    match axis {
        Axis::Iops => "IOPS",
        Axis::Mbps => "bandwidth",
    }
}

/// A limit with its unit: `6,400 IOPS`, `134.2 MB/s`.
pub(super) fn limit(value: f64, of: Axis) -> String {
    match of {
        Axis::Iops => format!("{} IOPS", grouped(value, 0)),
        Axis::Mbps => format!("{} MB/s", grouped(value, 1).trim_end_matches(".0")),
    }
}

/// The sustained ceiling with the figure that documentation prints beside it, in brackets; nothing where unknown.
pub(super) fn ceiling(limits: &VmLimits, of: &CeilingUse) -> String {
    let Some(value) = of.ceiling else {
        return String::new();
    };
    let stated = match of.subject {
        Subject::VmCached => Some(limits.cached),
        Subject::VmUncached => Some(limits.uncached),
        _ => None,
    };
    let listed = stated
        .filter(|_| of.axis == Axis::Mbps)
        .and_then(|ceiling| ceiling.listed())
        .map(|listed| format!(", listed as {}", listed.get()))
        .unwrap_or_default();
    format!(" ({}{listed})", limit(value, of.axis))
}

/// `80 %`; a decimal below 10.
pub(super) fn percent(value: f64) -> String {
    let decimals = usize::from(value < 9.95 && value.fract() != 0.0);
    format!("{value:.decimals$} %")
}

/// A moment to the minute, UTC.
pub(super) fn minute(at: Timestamp) -> String {
    format!("{} UTC", at.strftime("%Y-%m-%d %H:%M"))
}

/// `once`, `twice`, `5 times`.
pub(super) fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

/// A ceiling by its name: `VM cached bandwidth`, `LUN 0 data IOPS`.
pub(super) fn name(of: &CeilingUse) -> String {
    format!("{} {}", of.label, axis(of.axis))
}

/// The judgement in one sentence.
pub(super) fn summary(judgement: &MetricsJudgement) -> String {
    let period = match (judgement.from, judgement.until) {
        (Some(from), Some(until)) => {
            let seconds = until.duration_since(from).as_secs_f64();
            format!(" in {}", duration(seconds))
        }
        _ => String::new(),
    };
    let held: Vec<String> = judgement
        .ceilings
        .iter()
        .filter(|c| c.throttled_seconds > 0.0)
        .map(|c| {
            let unsure = if judgement.lacks_credit(c) {
                " (if its burst credit was used up)"
            } else {
                ""
            };
            format!("{} for {}{unsure}", name(c), duration(c.throttled_seconds))
        })
        .collect();
    let nearest = judgement
        .ceilings
        .iter()
        .filter(|c| c.throttled_seconds == 0.0)
        .filter_map(|c| Some((c, c.highest_average?)))
        .reduce(|a, b| if b.1 > a.1 { b } else { a });
    let next = |lead: &str| {
        nearest.map_or_else(String::new, |(c, highest)| {
            format!("; {lead}: {} at {}", name(c), percent(highest))
        })
    };
    match judgement.throttling {
        Throttling::Throttled => {
            format!("throttled by {}{period}{}", held.join(", "), next("next"))
        }
        Throttling::Touched => {
            let length = judgement.interval_seconds.filter(|seconds| *seconds > 0.0);
            let within = |c: &CeilingUse| {
                let of = name(c);
                let Some(length) = length else {
                    return of;
                };
                let count = (c.touched_seconds / length).round();
                let noun = if count == 1.0 {
                    "interval"
                } else {
                    "intervals"
                };
                format!("{of} within {} {noun}", grouped(count, 0))
            };
            let touched = judgement.ceilings.iter();
            let touched: Vec<String> = touched
                .filter(|c| c.touched_seconds > 0.0)
                .map(within)
                .collect();
            format!(
                "not throttled for a whole interval, but touched the ceiling of {}{period}{}",
                touched.join(", "),
                next("nearest mean")
            )
        }
        Throttling::None => format!("not throttled{period}{}", next("nearest mean")),
        Throttling::NotSeen => {
            let given = judgement.ceilings.len();
            let all = given + judgement.without_metrics.len();
            format!(
                "no throttling seen{period} at the ceilings that there are metrics of ({given} of {all}){}",
                next("nearest mean")
            )
        }
        Throttling::Unknown => {
            "not known: the metrics hold no consumed percentage of any ceiling, and too little to \
                                compute one"
                .to_owned()
        }
    }
}
