//! Findings from metrics.

use super::hold::CREDIT_EMPTY;
use super::limits::{DiskLimits, Lowering, VmLimits};
use super::model::{CeilingUse, CreditUse, Level, MetricsJudgement, Span};
use super::words::{axis, ceiling, limit, minute, name, percent, times};
use super::{Saving, unused};
use crate::azure::metrics::Subject;
use crate::azure::remedies::with_remedy;
use crate::planner::findings::duration;
use crate::planner::{Finding, FindingId, Severity};
use crate::units::grouped;

/// From here on burst credit counts as low, percent used up.
const CREDIT_LOW: f64 = 80.0;

pub(super) fn findings(
    judgement: &MetricsJudgement,
    limits: &VmLimits,
    saving: &Saving<'_>,
) -> Vec<Finding> {
    let mut found: Vec<Finding> = judgement
        .ceilings
        .iter()
        .filter_map(|of| throttled(judgement, limits, of))
        .collect();
    let credits = judgement.credits.iter();
    found.extend(credits.filter_map(|credit| credit_low(limits, credit)));
    found.extend(unused::findings(judgement, limits, saving));
    found.sort_by_key(|finding| (finding.severity, finding.id));
    found
}

/// A ceiling that was reached.
fn throttled(judgement: &MetricsJudgement, limits: &VmLimits, of: &CeilingUse) -> Option<Finding> {
    let spans = judgement
        .spans
        .iter()
        .filter(|span| (span.subject, span.axis) == (of.subject, of.axis));
    let longest = spans.clone().next()?;
    let id = match of.subject {
        Subject::VmCached => FindingId::ThrottledVmCached,
        Subject::VmUncached => FindingId::ThrottledVmUncached,
        _ => FindingId::ThrottledDisk,
    };
    let (severity, for_how_long) = if of.throttled_seconds > 0.0 {
        let how_long = duration(of.throttled_seconds);
        (Severity::Warning, format!("for {how_long}"))
    } else {
        let how_long = duration(of.touched_seconds);
        (Severity::Info, format!("for parts of {how_long}"))
    };
    let mut text = format!(
        "{} at {}{} {for_how_long}{}",
        name(of),
        level(longest),
        ceiling(limits, of),
        when(spans.count(), longest),
    );
    let unsure = longest.level == Level::Sustained && judgement.lacks_credit(of);
    if unsure {
        text.push_str(", if its burst credit was used up, which no metric here says: with credit left it is not held there");
    }
    if let Some(other) = other_path(longest) {
        text.push_str(&other);
    }
    let finding = Finding::new(id, severity, limits.subject(of.subject), text)
        .figure("throttled", of.throttled_seconds, "s")
        .figure("touched", of.touched_seconds, "s");
    let finding = match of.highest_average {
        Some(highest) => finding.figure("highest_average", highest, "%"),
        None => finding,
    };
    let fix = fix(limits, of);
    Some(finding.fix(match unsure {
        true => format!(
            "export its Used Burst Credits Percentage too, to be sure; where it is used up, {fix}"
        ),
        false => fix,
    }))
}

const fn level(span: &Span) -> &'static str {
    match span.level {
        Level::Sustained => "its ceiling",
        Level::Burst => "its burst ceiling",
    }
}

fn when(spans: usize, longest: &Span) -> String {
    let start = minute(longest.start);
    match spans {
        1 => format!(", from {start}"),
        more => {
            let length = duration(longest.seconds);
            format!(", {}, the longest {length} from {start}", times(more))
        }
    }
}

/// What the other path of the VM showed meanwhile: each percentage has a ceiling of its own, and a low one says
/// nothing of another.
fn other_path(span: &Span) -> Option<String> {
    let path = match span.subject {
        Subject::VmCached => Subject::VmUncached,
        Subject::VmUncached => Subject::VmCached,
        _ => return None,
    };
    let others = span.beside.iter().filter(|b| b.subject == path);
    let shown = others.reduce(|a, b| {
        if b.highest_average > a.highest_average {
            b
        } else {
            a
        }
    })?;
    Some(format!(
        "; {} {} showed {} meanwhile, a percentage of another ceiling",
        shown.label,
        axis(shown.axis),
        percent(shown.highest_average)
    ))
}

fn fix(limits: &VmLimits, of: &CeilingUse) -> String {
    let more = of.ceiling.map_or_else(
        || format!("more {}", axis(of.axis)),
        |value| format!("more than {}", limit(value, of.axis)),
    );
    match of.subject {
        Subject::VmCached => {
            let cached = cached_disks(limits);
            format!(
                "set host caching to None where a disk writes much or misses the cache{cached}, or take a size with \
                 {more} cached"
            )
        }
        Subject::VmUncached => format!("take a size with {more} uncached{}", to_cache(limits)),
        subject => match limits.disk(subject).map(|disk| disk.lowering) {
            Some(Lowering::Settable(_)) => format!("provision {more}"),
            _ if subject == Subject::OsDisk => format!(
                "give it {more}: a larger size, or a higher performance tier of Premium SSD; an OS disk is one disk, and none \
                 of which IOPS and MB/s are set"
            ),
            _ => format!(
                "give it {more}: a larger size or performance tier, a stripe, or a family where it can be set"
            ),
        },
    }
}

fn cached_disks(limits: &VmLimits) -> String {
    use crate::deployment::HostCaching::None as Uncached;
    let cached: Vec<String> = limits
        .disks
        .iter()
        .filter(|disk| disk.caching.is_some_and(|caching| caching != Uncached))
        .map(|disk| limits.label(disk.subject()))
        .collect();
    if cached.is_empty() {
        return String::new();
    }
    format!(" (cached: {})", cached.join(", "))
}

/// That host caching takes reads off the uncached ceiling, for the disks that have none and may.
fn to_cache(limits: &VmLimits) -> String {
    use crate::deployment::HostCaching::None as Uncached;
    let may = |disk: &&DiskLimits| disk.caching == Some(Uncached) && disk.cacheable != Some(false);
    let disks = limits.disks.iter().filter(may);
    let disks: Vec<String> = disks.map(|disk| limits.label(disk.subject())).collect();
    let words = "host caching ReadOnly takes reads that hit off this ceiling";
    match (disks.as_slice(), limits.disks.is_empty()) {
        ([], true) => format!("; {words}"),
        ([], false) => String::new(),
        (some, _) => format!("; {words} ({} without)", some.join(", ")),
    }
}

/// Burst credit that was nearly or wholly used up.
fn credit_low(limits: &VmLimits, credit: &CreditUse) -> Option<Finding> {
    let (severity, what) = match credit.highest_used {
        used if used >= CREDIT_EMPTY => (
            Severity::Warning,
            "used up: the sustained ceiling holds until it refills",
        ),
        used if used >= CREDIT_LOW => (
            Severity::Info,
            "nearly used up: when it is, the sustained ceiling holds",
        ),
        _ => return None,
    };
    let text = format!(
        "{} of the burst credit of {} for {} was used at {}, {what}",
        percent(credit.highest_used),
        credit.label,
        axis(credit.axis),
        minute(credit.at)
    );
    let subject = limits.subject(credit.subject);
    let finding = Finding::new(FindingId::BurstCreditLow, severity, subject, text);
    Some(with_remedy(finding.figure(
        "used",
        credit.highest_used,
        "%",
    )))
}

impl MetricsJudgement {
    /// The time covered, in words.
    pub(super) fn period(&self) -> String {
        let (Some(from), Some(until)) = (self.from, self.until) else {
            return "the time looked at".to_owned();
        };
        duration(until.duration_since(from).as_secs_f64())
    }

    /// Whether a sustained ceiling was reached that is exceeded while burst credit lasts, and nothing says how much of
    /// that was left.
    pub(super) fn lacks_credit(&self, of: &CeilingUse) -> bool {
        let mut credits = self.credits.iter();
        let is_its = |credit: &CreditUse| (credit.subject, credit.axis) == (of.subject, of.axis);
        let mut spans = self.spans.iter();
        let sustained = spans.any(|span| {
            (span.subject, span.axis, span.level) == (of.subject, of.axis, Level::Sustained)
        });
        sustained && of.burst.is_some() && !credits.any(is_its)
    }

    /// Whether it is not certain that a ceiling held anything back: all of its time was at the sustained level, and
    /// nothing says whether burst credit was left.
    #[must_use]
    pub fn is_unsure(&self, of: &CeilingUse) -> bool {
        let mut spans = self.spans.iter();
        let held_in_burst = spans.any(|span| {
            (span.subject, span.axis, span.level) == (of.subject, of.axis, Level::Burst)
                && span.whole_seconds > 0.0
        });
        self.lacks_credit(of) && !held_in_burst
    }

    /// How much time the values of a ceiling cover, seconds.
    pub(super) fn covered_seconds(&self, of: &CeilingUse) -> f64 {
        let all = of.samples + of.missing;
        let (Some(from), Some(until)) = (self.from, self.until) else {
            return 0.0;
        };
        let samples = of.shared.as_ref().map_or(of.samples, |of| of.whole);
        let share = samples as f64 / all.max(1) as f64;
        until.duration_since(from).as_secs_f64() * share
    }
}

/// What a reader should know of the figures.
pub(super) fn notes(judgement: &MetricsJudgement) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(seconds) = judgement.interval_seconds {
        let length = duration(seconds);
        notes.push(format!(
            "Values are means over {length}: a ceiling that was reached for some seconds of it shows in the maximum, if \
             at all."
        ));
    }
    if judgement
        .ceilings
        .iter()
        .all(|c| c.highest_maximum.is_none())
        && !judgement.ceilings.is_empty()
    {
        notes.push(
            "The maxima were not exported: ask for the aggregations Average and Maximum to see shorter peaks."
                .to_owned(),
        );
    }
    notes.extend(without_metrics(judgement));
    notes.extend(not_all_sharers(judgement));
    let without_credit: Vec<String> = judgement
        .ceilings
        .iter()
        .filter(|c| c.throttled_seconds > 0.0 && judgement.lacks_credit(c))
        .map(name)
        .collect();
    if !without_credit.is_empty() {
        notes.push(format!(
            "No burst credit was exported of {}: at 100 % it is taken for used up.",
            without_credit.join(", ")
        ));
    }
    let missing: Vec<String> = judgement
        .ceilings
        .iter()
        .filter(|c| c.missing > 0)
        .map(|c| format!("{} {}", name(c), grouped(c.missing as f64, 0)))
        .collect();
    if !missing.is_empty() {
        notes.push(format!(
            "Intervals without a value are not known, not idle: {}.",
            missing.join(", ")
        ));
    }
    if judgement
        .ceilings
        .iter()
        .any(|c| c.subject == Subject::DataDisks)
    {
        notes.push(
            "Data disks were not split by LUN: their percentages are means over all of them, and a single disk may be at \
             its ceiling while the mean is low."
                .to_owned(),
        );
    }
    if judgement.ceilings.iter().any(|c| c.computed) {
        let mut note =
            "Percentages marked as computed are reads and writes over what the disk is provisioned for".to_owned();
        if judgement
            .ceilings
            .iter()
            .any(|c| c.highest_possible.is_some())
        {
            note.push_str(
                "; their maxima need not be of the same second: shown is the higher of both, \
                 and what is paid and unused is told of their sum",
            );
        }
        notes.push(note + ".");
    }
    notes
}

/// So many ceilings without metrics are named; more are a number.
const NAMED: usize = 6;

/// That of some ceilings nothing is known.
fn without_metrics(judgement: &MetricsJudgement) -> Option<String> {
    let lacking = &judgement.without_metrics;
    if lacking.is_empty() || judgement.ceilings.is_empty() {
        return None;
    }
    let named = lacking.get(..NAMED).unwrap_or(lacking).join(", ");
    let more = match lacking.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "Of {named}{more} there are no metrics: whether these ceilings were reached is not known."
    ))
}

/// That of some VMs that have a shared disk nothing is known that could be added.
fn not_all_sharers(judgement: &MetricsJudgement) -> Option<String> {
    let unknown = |of: &CeilingUse| {
        let shared = of.shared.as_ref().filter(|shared| !shared.is_complete())?;
        Some(format!("{} ({})", name(of), shared.unknown.join(", ")))
    };
    let all: Vec<String> = judgement.ceilings.iter().filter_map(unknown).collect();
    (!all.is_empty()).then(|| {
        format!(
            "Other VMs that share a disk and have no metrics of the same intervals here are in none of its figures, which are at least what they say: {}.",
            all.join(", ")
        )
    })
}
