//! Verdicts as sentences.

use super::TestReport;
use super::credit::{Credit, RunLimit};
use super::flushes::FlushTime;
use super::measured::Measured;
use super::predict::{CacheState, Prediction};
use super::queue::Deeper;
use super::verdict::{Against, ExpectedLatency, Fit, LATENCY_SLACK, LatencySource, Verdict};
use crate::catalog::Basis;
use crate::planner::{Bottleneck, Phase};
use crate::units::{Latency, grouped};

/// The sentence for one verdict.
pub(super) fn sentence(
    verdict: &Verdict,
    measured: &Measured,
    against: &Against<'_>,
    report: &TestReport,
    deeper: Option<&Deeper>,
) -> String {
    let mut text = match verdict {
        Verdict::At { prediction } => {
            let holds = if is_of_spent_disks(prediction, against) {
                let rest = what_holds(against, measured, report);
                format!("; the disk's burst credit is used up, the VM's is not{rest}")
            } else if is_lent(prediction, against) {
                while_it_lasts(
                    against,
                    Lender::of_limit(prediction.limit, against, measured),
                    measured,
                    report,
                )
            } else {
                String::new()
            };
            format!("at {}{holds}", prediction.words())
        }
        Verdict::LatencyBound { expected, .. } => {
            latency_bound(expected.as_ref(), measured, against, report, deeper)
        }
        Verdict::AboveEveryLimit {
            run_limit: Some(limit),
            ..
        } => beyond_credit(limit, against, report),
        Verdict::AboveEveryLimit { fits, .. } => above(fits, measured, report),
        Verdict::FasterThanDisk {
            expected, above, ..
        } => {
            let each = each_took(measured, report);
            let more = match above {
                Some(highest) => format!("; it is also above {}", highest.words()),
                None => String::new(),
            };
            format!(
                "faster than the disk: {each} ({}){}: {}{more}{}",
                usual(expected, against),
                times(expected, report),
                who_answered(verdict),
                also(verdict),
            )
        }
        Verdict::BetweenLimits {
            lower,
            upper,
            credit_lasts,
        } => {
            let limits = format!("above {} and below {}", lower.words(), upper.words());
            let why = in_between(upper, *credit_lasts, measured, against);
            format!("{limits}: {why}")
        }
        Verdict::BelowEveryLimit { expected, exceeded } => {
            let more = exceeded.as_ref().map_or_else(String::new, |held| {
                format!("; above what holds without end, {}", held.words())
            });
            let below = below(expected.as_ref(), measured, against, report);
            format!("{below}{more}")
        }
        Verdict::Queued { expected } => queued(expected, measured, against, report),
        Verdict::FlushBound { flushes } => flush_bound(flushes, report),
        Verdict::AskedForLess => asked_for_less(measured, against, report),
        Verdict::Unjudged { reason } => reason.to_string(),
    };
    if !report.unknown_limits.is_empty() {
        text.push_str(&format!(
            "; not known: {}",
            report.unknown_limits.join(", ")
        ));
    }
    text
}

/// Why a rate is between what holds without end and what holds in burst.
fn in_between(
    upper: &Prediction,
    credit_lasts: bool,
    measured: &Measured,
    against: &Against<'_>,
) -> String {
    let run = against.run_limit.filter(|run| {
        let off = measured.iops.get() / run.iops.get() - 1.0;
        off.abs() <= against.tolerance && run.iops.get() < upper.iops.get()
    });
    let why = match (upper.phase, upper.cache, run) {
        (Phase::Sustained, Some(CacheState::Warm), _) => {
            "the host cache answered a part of the reads".to_owned()
        }
        (.., Some(run)) => format!(
            "burst credit gave out on the way: full, it makes {} IOPS on average of a run of {} s",
            run.iops,
            grouped(run.seconds, 0)
        ),
        _ if credit_lasts => "full burst credit lasts longer than such a run: it was not full, or something else held \
                              it back (the guest, neighbours on the VM, another limit)"
            .to_owned(),
        _ => format!(
            "{} gave out on the way, or was not full",
            Lender::of(against, measured).words()
        ),
    };
    if against.is_counters {
        format!("{why}; or no more was asked of the disk")
    } else {
        why
    }
}

/// What makes a rate that does not hold without end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lender {
    /// Burst credit of disk or VM.
    Credit,
    /// The host cache.
    Cache,
    /// One of them: which is not known.
    Either,
}

impl Lender {
    /// Which there are for such a test, of those that make as much as was measured.
    fn of(against: &Against<'_>, measured: &Measured) -> Self {
        let most = 1.0 + against.tolerance;
        let credit = against.with_credit;
        let credit = credit.is_some_and(|rate| measured.iops.get() <= rate.get() * most);
        match (credit, against.host_cache) {
            (true, true) => Self::Either,
            (false, true) => Self::Cache,
            (_, false) => Self::Credit,
        }
    }

    /// Which one lifts to a limit that is reached in burst: a ReadWrite cache absorbs writes then.
    fn of_limit(limit: Bottleneck, against: &Against<'_>, measured: &Measured) -> Self {
        match limit {
            Bottleneck::Disk { burst: true, .. }
            | Bottleneck::VmUncached { burst: true, .. }
            | Bottleneck::VmRemote { burst: true, .. } => Self::Credit,
            Bottleneck::VmCached { burst: false, .. } => Self::Cache,
            _ => Self::of(against, measured),
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Credit => "burst credit",
            Self::Cache => "the host cache",
            Self::Either => "burst credit or the host cache",
        }
    }
}

/// Whether burst credit or a full host cache makes a limit the one that holds: without them it is another.
fn is_lent(prediction: &Prediction, against: &Against<'_>) -> bool {
    let of_cache = prediction.cache == Some(CacheState::Warm);
    let more = (against.exceeded(prediction.iops)).is_some_and(|held| held != *prediction);
    prediction.phase == Phase::Burst || (of_cache && more)
}

/// Whether it is what a disk makes whose burst credit is gone, while the VM's lets it through.
fn is_of_spent_disks(prediction: &Prediction, against: &Against<'_>) -> bool {
    let most = |of: &Prediction| {
        let credit = against.with_credit;
        credit.is_some_and(|credit| of.iops.get() * (1.0 + 1e-9) < credit.get())
    };
    prediction.phase == Phase::Burst
        && matches!(prediction.limit, Bottleneck::Disk { burst: false, .. })
        && most(prediction)
}

/// `, what holds without end is the disk's IOPS limit, 500 IOPS`.
fn what_holds(against: &Against<'_>, measured: &Measured, report: &TestReport) -> String {
    let first = (against.predictions.iter()).find(|of| of.phase == Phase::Sustained);
    first.map_or_else(String::new, |held| {
        let few = few_make(held, measured, report);
        few.map_or_else(
            || format!(", what holds without end is {}", held.words()),
            |few| format!(", without it {few}"),
        )
    })
}

/// `1 at a time make 1,000 IOPS`: what the queue depth makes of the disk by itself, where that is less than what holds.
fn few_make(held: &Prediction, measured: &Measured, report: &TestReport) -> Option<String> {
    let (makes, outstanding) = report.predicted_iops.zip(measured.outstanding)?;
    let few = makes.get() * (1.0 + 1e-9) < held.iops.get();
    few.then(|| format!("{} at a time make {makes} IOPS", grouped(outstanding, 0)))
}

/// What holds once what was lent is used up, and whether a run like this one can use it up: of a cache that is not known.
fn while_it_lasts(
    against: &Against<'_>,
    lender: Lender,
    measured: &Measured,
    report: &TestReport,
) -> String {
    let rest = what_holds(against, measured, report);
    if rest.is_empty() {
        return rest;
    }
    let why = match (lender, against.credit) {
        (Lender::Credit, Credit::Fits) => "a run this short fits in burst credit",
        (Lender::Credit, Credit::Exceeds) => "burst credit does not last a run this long",
        (Lender::Credit, Credit::Unknown) => "only while burst credit lasts",
        (Lender::Cache, _) => "only while the host cache answers",
        (Lender::Either, _) => "only while burst credit lasts or the host cache answers",
    };
    format!("; {why}{rest}")
}

/// `one I/O at a time, each taking 1 ms`.
fn each_took(measured: &Measured, report: &TestReport) -> String {
    let outstanding = measured.outstanding.unwrap_or(1.0);
    let took = report.latency_us.or(report.implied_latency_us);
    let took = took.map_or_else(|| "?".to_owned(), |took| took.to_string());
    let many = if outstanding == 1.0 {
        "one I/O at a time".to_owned()
    } else {
        format!("{} I/Os outstanding", grouped(outstanding, 0))
    };
    format!("{many}, each taking {took}")
}

fn latency_bound(
    expected: Option<&ExpectedLatency>,
    measured: &Measured,
    against: &Against<'_>,
    report: &TestReport,
    deeper: Option<&Deeper>,
) -> String {
    let held = expected.map_or_else(
        || "no usual latency is known for such I/O".to_owned(),
        |expected| usual(expected, against),
    );
    let more = match deeper.filter(|deeper| deeper.iops.get() <= measured.iops.get()) {
        Some(deeper) => format!(
            "no limit of disk or VM binds, and yet a deeper queue made no more ({}: {} IOPS)",
            deeper.name, deeper.iops
        ),
        None => match against.exceeded(measured.iops) {
            Some(_) if against.takes_credit(measured.iops) => {
                format!(
                    "no limit binds while it bursts{}",
                    while_it_lasts(against, Lender::of(against, measured), measured, report)
                )
            }
            Some(held) => {
                let without = few_make(&held, measured, report)
                    .unwrap_or_else(|| format!("what holds is {}", held.words()));
                format!("no limit binds while the host cache answers; where it does not, {without}")
            }
            None => "no limit binds, a deeper queue would make more".to_owned(),
        },
    };
    let fast = expected.filter(|_| report.ratio.is_some_and(|ratio| ratio > LATENCY_SLACK));
    let hint = fast.map_or_else(String::new, |expected| {
        let times = times(expected, report);
        let times = times.trim_start_matches(", ");
        format!("; {times}: a cache answered, or it is another disk")
    });
    let each = each_took(measured, report);
    format!("latency-bound: {each} ({held}); {more}{hint}")
}

/// What it fits where it is above every limit, or what holds without end where that is less.
fn also(verdict: &Verdict) -> String {
    match verdict {
        Verdict::FasterThanDisk { fits, .. } if !fits.is_empty() => {
            format!("; it fits the {}", fit_names(fits))
        }
        Verdict::FasterThanDisk {
            exceeded: Some(held),
            ..
        } => format!("; it is also more than holds without end, {}", held.words()),
        _ => String::new(),
    }
}

/// What answered instead of the disk.
const fn who_answered(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::FasterThanDisk {
            host_cache: true, ..
        } => "the host cache that was named took them, if no other cache did",
        _ => "a cache answered, or it is another disk",
    }
}

/// `, 5.40 times what the typical 1 ms makes`.
fn times(expected: &ExpectedLatency, report: &TestReport) -> String {
    let basis = match &expected.source {
        LatencySource::Disk { basis } => format!("{} ", basis_words(*basis)),
        LatencySource::SameRun { .. } => String::new(),
    };
    report.ratio.map_or_else(String::new, |ratio| {
        format!(
            ", {ratio:.2} times what the {basis}{} makes",
            expected.latency_us
        )
    })
}

fn fit_names(fits: &[Fit]) -> String {
    let names: Vec<&str> = fits.iter().map(|fit| fit.name.as_str()).collect();
    names.join("; the ")
}

/// `typical: 1 ms`, `host cache, assumed: 250 us`.
fn usual(expected: &ExpectedLatency, against: &Against<'_>) -> String {
    match &expected.source {
        LatencySource::Disk { basis } => {
            let whose = if against.by_cache { "host cache, " } else { "" };
            format!("{whose}{}: {}", basis_words(*basis), expected.latency_us)
        }
        LatencySource::SameRun { test } => format!("{test} took {}", expected.latency_us),
    }
}

/// How sure a latency is, in a word.
const fn basis_words(basis: Basis) -> &'static str {
    match basis {
        Basis::Documented => "documented",
        Basis::Measured => "given",
        Basis::Typical => "typical",
        Basis::Assumed => "assumed",
    }
}

/// `flush-bound: flushes of 16.9 ms each took 99 % of the time, the writes between them 54 us each`.
fn flush_bound(flushes: &FlushTime, report: &TestReport) -> String {
    let writes = report.latency_us.map_or_else(String::new, |took| {
        format!(", the writes between them {took} each")
    });
    format!(
        "flush-bound: {}{writes}; no limit of disk or VM binds: how long a flush takes is the disk's latency and the file \
         system's doing, and fewer of them make more",
        flushes.words()
    )
}

/// Counters, or a test that did not keep its queue full.
fn asked_for_less(measured: &Measured, against: &Against<'_>, report: &TestReport) -> String {
    let lowest = against.lowest();
    let limit = lowest.map_or_else(|| "every limit".to_owned(), |limit| limit.words());
    let flight = report.latency_us.zip(measured.outstanding);
    let why = match flight.filter(|_| !against.is_counters) {
        Some((took, outstanding)) => format!(
            "at {took} each, {} of {} I/Os were in flight on average{}",
            grouped(took.outstanding(measured.iops), 1),
            grouped(outstanding, 0),
            (against.held_back).map_or_else(String::new, |options| format!(
                ": the test's own options hold it back ({options})"
            ))
        ),
        None => "counters do not say what it can do".to_owned(),
    };
    format!("below {limit}: no more was asked of the disk ({why})")
}

/// Counters of a disk that had a queue and yet is below its limits.
fn queued(
    expected: &ExpectedLatency,
    measured: &Measured,
    against: &Against<'_>,
    report: &TestReport,
) -> String {
    let limit = (against.lowest()).map_or_else(|| "every limit".to_owned(), |of| of.words());
    let took = report.latency_us.or(report.implied_latency_us);
    let queue = took.map_or_else(String::new, |took| {
        let many = grouped(took.outstanding(measured.iops), 0);
        format!(
            "{many} I/Os outstanding, each taking {took} ({})",
            usual(expected, against)
        )
    });
    format!(
        "below {limit}, and yet with a queue: {queue}; something else held it, such as a limit that other disks share: \
         `diskcap bench series` with --map tells"
    )
}

/// `1.75 times what burst credit makes of a run this long: 2,000 IOPS on average over 3,600 s`.
fn beyond_credit(limit: &RunLimit, against: &Against<'_>, report: &TestReport) -> String {
    let times = report
        .ratio
        .map_or_else(String::new, |ratio| format!("{ratio:.2} times "));
    let after = if limit.after_others {
        " after the tests before it, if they ran one right after another"
    } else {
        ""
    };
    let held = against.lowest().map_or_else(String::new, |held| {
        format!("; what holds without end is {}", held.words())
    });
    format!(
        "{times}what burst credit makes of a run this long{after}: {} IOPS on average over {} s{held}",
        limit.iops,
        grouped(limit.seconds, 0)
    )
}

fn above(fits: &[Fit], measured: &Measured, report: &TestReport) -> String {
    let times = report
        .ratio
        .map_or_else(String::new, |ratio| format!("{ratio:.2} times "));
    let figure = report.held_against_iops.map_or_else(String::new, |iops| {
        let mbps = iops.throughput(measured.io.block_size);
        format!("{iops} IOPS or {mbps} MB/s")
    });
    let possible = if fits.is_empty() {
        "no other limit of this VM or of a managed disk fits: a cache in memory or another machine's disk".to_owned()
    } else {
        format!("it fits the {}", fit_names(fits))
    };
    format!("{times}the highest limit on the path ({figure}); {possible}")
}

fn below(
    expected: Option<&ExpectedLatency>,
    measured: &Measured,
    against: &Against<'_>,
    report: &TestReport,
) -> String {
    // Of the ratio as the table shows it: 0.475 is 0.47 there, and 47 %.
    let shown = |ratio: f64| format!("{ratio:.2}").parse().unwrap_or(ratio);
    let percent = report.ratio.map_or_else(String::new, |ratio| {
        let ratio = if ratio < 0.01 { ratio } else { shown(ratio) };
        format!("{} % of ", grouped(ratio * 100.0, 0))
    });
    if let Some(expected) = expected {
        let took = report.latency_us.or(report.implied_latency_us);
        let took = took
            .as_ref()
            .map_or_else(|| "?".to_owned(), Latency::to_string);
        return format!(
            "{percent}what its queue depth makes at the usual latency: each I/O took {took} ({})",
            usual(expected, against)
        );
    }
    let limit = against.main().map_or_else(String::new, |main| main.words());
    let each = match (
        measured.outstanding,
        report.implied_latency_us,
        report.latency_us,
    ) {
        (Some(outstanding), Some(implied), told) => {
            let latency = told.unwrap_or(implied);
            let many = grouped(outstanding, 0);
            format!("; {many} outstanding took {latency} each")
        }
        (_, _, Some(latency)) => {
            let many = grouped(latency.outstanding(measured.iops), 0);
            format!("; each I/O took {latency}, so about {many} were outstanding")
        }
        _ => "; the queue depth is not told".to_owned(),
    };
    format!("{percent}{limit}{each}")
}
