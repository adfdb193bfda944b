//! What the tests of a run say about each other: reads against writes of the same kind, what a deeper queue brings; and
//! what flushes took of a test.

use super::TestReport;
use super::consistency::{one_at_a_time, rate};
use super::flushes::FlushTime;
use super::usual::LATENCY_BLOCK;
use super::verdict::Verdict;
use crate::measure::identify::candidates::{Candidate, LimitState};
use crate::measure::model::{Run, Test, TestKind};
use crate::measure::test_name;
use crate::units::{BlockSize, Share, grouped};
use crate::workload::Pattern;

/// Reads and writes of the same kind that differ by this much are worth saying: 2 times.
pub const ASYMMETRY: f64 = 2.0;

/// Flushes that took this part of the time are worth saying: 5 %.
const WORTH_SAYING: f64 = 0.05;

/// Everything of `run`, whose tests are judged. Where no disk was named, `disks` are those whose limits its figures may be
/// at, within the tolerance.
pub(super) fn relations(
    run: &Run,
    judged: &[TestReport],
    disks: &[Candidate],
    tolerance: f64,
) -> Vec<String> {
    let each: Vec<Judged<'_>> = (run.tests.iter().zip(judged))
        .map(|(test, report)| Judged { test, report })
        .collect();
    let asymmetries = (each.iter()).filter_map(|read| asymmetry(&each, read, disks, tolerance));
    let flushes = each.iter().filter_map(flushes);
    asymmetries.chain(queue_gain(run)).chain(flushes).collect()
}

/// A test with what is said of it.
#[derive(Clone, Copy)]
struct Judged<'a> {
    test: &'a Test,
    report: &'a TestReport,
}

fn asymmetry(
    each: &[Judged<'_>],
    read: &Judged<'_>,
    disks: &[Candidate],
    tolerance: f64,
) -> Option<String> {
    let whole = |test: &Test| test.part_of.is_none();
    let kind = read.test.kind;
    if kind.read_share != Some(Share::ALL) || !whole(read.test) {
        return None;
    }
    let opposite = TestKind {
        read_share: Some(Share::NONE),
        ..kind
    };
    let mut all = each.iter().filter(|of| whole(of.test));
    let write = all.find(|of| of.test.kind == opposite)?;
    let ratio = rate(write.test)?.get() / rate(read.test)?.get();
    let (faster, slower, times) = if ratio >= ASYMMETRY {
        ("writes", "reads", ratio)
    } else if ratio > 0.0 && ratio * ASYMMETRY <= 1.0 {
        ("reads", "writes", 1.0 / ratio)
    } else {
        return None;
    };
    let both = TestKind {
        read_share: None,
        ..kind
    };
    let why = at_limits(read, write)
        .or_else(|| by_flushes(write, faster))
        .or_else(|| by_credit(read, write, disks, tolerance))
        .unwrap_or_else(|| {
            let why = match faster {
                "writes" => "a cache on the way takes them, or reads miss one",
                _ => "a cache answers them, or writes wait for the medium",
            };
            why.to_owned()
        });
    Some(format!(
        "{}: {faster} are {} times {slower}: {why}",
        test_name::describe(&both),
        grouped(times, 1)
    ))
}

/// The limits that both are at, which explain the difference.
fn at_limits(read: &Judged<'_>, write: &Judged<'_>) -> Option<String> {
    let (reads, writes) = (held(&read.report.verdict)?, held(&write.report.verdict)?);
    Some(format!("the reads are {reads}, the writes {writes}"))
}

/// Where limits hold a test.
fn held(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::At { prediction } => Some(format!("at {}", prediction.words())),
        Verdict::BetweenLimits { lower, upper, .. } => {
            Some(format!("between {} and {}", lower.words(), upper.words()))
        }
        _ => None,
    }
}

/// The flushes that slower writes wait for.
fn by_flushes(write: &Judged<'_>, faster: &str) -> Option<String> {
    let flushes = write.report.flushes.filter(FlushTime::sets_the_pace)?;
    let wait = || format!("the writes wait for flushes, {} each", flushes.mean_us);
    (faster == "reads").then(wait)
}

/// A disk whose limit in burst the figure of one direction fits, and the one without that of the other.
fn by_credit(
    read: &Judged<'_>,
    write: &Judged<'_>,
    disks: &[Candidate],
    tolerance: f64,
) -> Option<String> {
    let block = read.test.kind.block_size?;
    let (reads, writes) = (rate(read.test)?.get(), rate(write.test)?.get());
    // What one small I/O at a time makes is its latency's, and near a limit by chance.
    if one_at_a_time(read.test) && block <= LATENCY_BLOCK {
        return None;
    }
    let reads_burst = reads > writes;
    let (more, less) = (reads.max(writes), reads.min(writes));
    let in_burst = disks.iter().filter(|disk| disk.state == LimitState::Burst);
    let pairs = in_burst.flat_map(|burst| {
        let of_it =
            move |disk: &&Candidate| disk.state == LimitState::Plain && is_within(disk, burst);
        (disks.iter().filter(of_it)).map(move |base| (burst, base))
    });
    let near = pairs.filter_map(|(burst, base)| {
        let (a, b) = (off(burst, block, more)?, off(base, block, less)?);
        (a.max(b) <= tolerance).then_some((burst, base, a + b))
    });
    let (burst, base, _) = near.min_by(|a, b| a.2.total_cmp(&b.2))?;
    let (first, second) = match reads_burst {
        true => (burst, base),
        false => (base, burst),
    };
    Some(format!(
        "the reads fit the {}, the writes the {}, as burst credit that is there for one of them alone makes, or a cache",
        first.title(),
        second.title()
    ))
}

/// Whether a disk is one of those that share a limit in burst.
fn is_within(disk: &Candidate, burst: &Candidate) -> bool {
    let sizes = disk.sizes.zip(burst.sizes);
    let inside = sizes.is_some_and(|(own, all)| own.0 >= all.0 && own.1 <= all.1);
    disk.kind == burst.kind && inside
}

/// How far a rate is from the limit of a disk, as a share of it.
fn off(disk: &Candidate, block: BlockSize, rate: f64) -> Option<f64> {
    let (limit, _) = disk.rate(block)?;
    Some((rate / limit - 1.0).abs())
}

/// The flushes of a test, but those that its verdict tells of, and those of one direction of two, which their sum tells of.
fn flushes(of: &Judged<'_>) -> Option<String> {
    let flushes = of.report.flushes.filter(|_| of.test.part_of.is_none())?;
    let is_told = matches!(of.report.verdict, Verdict::FlushBound { .. });
    let told = (!is_told && flushes.share.get() >= WORTH_SAYING).then(|| flushes.words())?;
    let pace = match flushes.sets_the_pace() {
        true => ", and set the pace",
        false => "",
    };
    Some(format!("{}: {told}{pace}", of.report.name))
}

/// The random small read tests with one and with the most outstanding.
pub(in crate::measure) fn shallow_and_deep(run: &Run) -> Option<(&Test, &Test)> {
    let reads = || {
        run.tests.iter().filter(|test| {
            test.part_of.is_none()
                && test.kind.pattern == Some(Pattern::Random)
                && test.kind.read_share == Some(Share::ALL)
                && rate(test).is_some_and(|rate| rate.get() > 0.0)
        })
    };
    let shallow = reads().find(|test| one_at_a_time(test))?;
    let same = |test: &&Test| test.kind.block_size == shallow.kind.block_size;
    let deep = reads()
        .filter(same)
        .max_by_key(|test| test.kind.outstanding())?;
    (deep.kind.outstanding()? > 1).then_some((shallow, deep))
}

fn queue_gain(run: &Run) -> Option<String> {
    let (shallow, deep) = shallow_and_deep(run)?;
    let gain = rate(deep)?.get() / rate(shallow)?.get();
    let depth = deep.kind.outstanding()?;
    Some(format!(
        "{depth} random reads at a time make {gain:.1} times the rate of one ({} and {} IOPS)",
        rate(deep)?,
        rate(shallow)?
    ))
}
