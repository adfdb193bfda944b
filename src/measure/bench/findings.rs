//! What is wrong with measured results or worth knowing about them, one finding a run and rule.

use super::{Bench, RunReport, paging};
use crate::catalog::VmSize;
use crate::measure::grounds::with_remedy;
use crate::measure::judge::consistency::Mismatch;
use crate::measure::judge::verdict::{ExpectedLatency, LatencySource, Verdict};
use crate::measure::judge::{LATENCY_BLOCK, TestReport};
use crate::planner::{Finding, FindingId, Severity};
use crate::units::Latency;

/// Every finding, weightiest first.
pub(super) fn all(bench: &Bench, vm: Option<&VmSize>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for run in &bench.runs {
        found.extend(short(run));
        found.extend(in_between(run));
        found.extend(slow(run));
        found.extend(above(run));
        found.extend(faster(run));
        found.extend(inconsistent(run));
        found.extend(page_file(bench, run, vm));
        found.extend(temp_drive(run, vm));
    }
    found.sort_by_key(|finding| (finding.severity, finding.id));
    found
}

/// Falling short of a typical latency is apart from falling short of a limit.
fn is_slow(test: &TestReport) -> bool {
    let disk = |expected: &ExpectedLatency| matches!(expected.source, LatencySource::Disk { .. });
    matches!(&test.verdict, Verdict::BelowEveryLimit { expected: Some(expected), .. } if disk(expected))
}

fn short(run: &RunReport) -> Option<Finding> {
    let is = |test: &TestReport| {
        matches!(test.verdict, Verdict::BelowEveryLimit { .. }) && !is_slow(test)
    };
    let (worst, count) = worst(run, is)?;
    // Where a limit is unknown the prediction is only an upper bound, and no promise is broken.
    let severity = if worst.unknown_limits.is_empty() {
        Severity::Warning
    } else {
        Severity::Info
    };
    let mut finding = with_remedy(of_test(
        FindingId::BelowPrediction,
        severity,
        run,
        worst,
        count,
    ));
    if let Some(fix) = finding.fix.as_mut().filter(|_| may_be_few(worst)) {
        fix.push_str("; measure with more outstanding I/Os");
    }
    Some(finding)
}

/// Short of burst, although full credit would carry a run this long. That it was full nobody promised.
fn in_between(run: &RunReport) -> Option<Finding> {
    let is = |test: &TestReport| {
        let lasts = |of: &Verdict| {
            matches!(
                of,
                Verdict::BetweenLimits {
                    credit_lasts: true,
                    ..
                }
            )
        };
        lasts(&test.verdict) && !run.format.is_counters()
    };
    let (worst, count) = worst(run, is)?;
    let id = FindingId::BelowPrediction;
    Some(with_remedy(of_test(id, Severity::Info, run, worst, count)))
}

/// Longer than any managed disk takes for one I/O, 20 ms: what takes longer waited in a queue.
const QUEUED: Latency = Latency::whole(20_000);

/// Whether there may have been too few outstanding I/Os. Not where their number is known, for the prediction counts them; nor
/// where they wait in a queue already, so that more of them would only wait longer.
fn may_be_few(test: &TestReport) -> bool {
    let is_known = test.implied_latency_us.is_some();
    !is_known && test.latency_us.is_none_or(|took| took < QUEUED)
}

fn slow(run: &RunReport) -> Option<Finding> {
    let (worst, count) = worst(run, is_slow)?;
    let finding = of_test(FindingId::SlowLatency, Severity::Warning, run, worst, count);
    let is_other = |test: &TestReport| {
        let one = test.kind.outstanding() == Some(1);
        one && test.kind.read_share != worst.kind.read_share && !is_slow(test)
    };
    Some(match run.judgement.tests.iter().any(is_other) {
        true => finding.fix(ONE_LATENCY),
        false => with_remedy(finding),
    })
}

/// What to do about a slow direction beside another that is not: one `latency=` in the spec holds for both.
const ONE_LATENCY: &str = "only one of reads and writes is slow here, and `latency=` in the disk's spec would be of both: \
                           to hold the slow ones against what is usual for you, judge a file of them alone by it; a disk \
                           family with a lower latency, or a cache, makes a single I/O faster, more IOPS do not";

/// What no limit lets through: one finding for those above every limit, one for those that answer too fast as well.
fn above(run: &RunReport) -> Vec<Finding> {
    let groups: [fn(&TestReport) -> bool; 2] = [
        |test| matches!(test.verdict, Verdict::AboveEveryLimit { .. }),
        |test| matches!(test.verdict, Verdict::FasterThanDisk { above: Some(_), .. }),
    ];
    let of = |is| above_limits(run, Severity::Warning, is);
    groups.into_iter().filter_map(of).collect()
}

/// Faster than such a disk answers, at a rate that its limits would let through. A typical latency is no promise. Only
/// what says the same is told together.
fn faster(run: &RunReport) -> Vec<Finding> {
    let says = |test: &TestReport| match &test.verdict {
        Verdict::FasterThanDisk {
            above: None,
            exceeded,
            host_cache,
            ..
        } => Some((exceeded.is_some(), *host_cache)),
        _ => None,
    };
    let groups = [(true, true), (true, false), (false, true), (false, false)];
    let of = |group| above_limits(run, Severity::Info, |test| says(test) == Some(group));
    groups.into_iter().filter_map(of).collect()
}

fn above_limits(
    run: &RunReport,
    severity: Severity,
    is: impl Fn(&TestReport) -> bool,
) -> Option<Finding> {
    let all: Vec<&TestReport> = run.judgement.tests.iter().filter(|test| is(test)).collect();
    let (worst, _) = furthest(run, is, |a, b| b.total_cmp(&a))?;
    let mut finding = of_test(FindingId::AboveLimits, severity, run, worst, 1);
    let others = all.into_iter().filter(|test| !std::ptr::eq(*test, worst));
    let others: Vec<&TestReport> = others.collect();
    finding.message.push_str(&also_above(&others));
    Some(match worst.verdict {
        Verdict::FasterThanDisk {
            host_cache: true, ..
        } => finding.fix(
            "where the host cache is what you want to know, nothing is amiss; to measure the disk behind it, set its host \
             caching to None, or use direct I/O on a test file larger than every cache",
        ),
        _ => with_remedy(finding),
    })
}

/// What does not go together, one finding a reason.
fn inconsistent(run: &RunReport) -> Vec<Finding> {
    let kinds: [fn(&Mismatch) -> bool; 3] = [
        |of| matches!(of, Mismatch::Rates { .. }),
        Mismatch::is_of_an_idle_queue,
        |of| matches!(of, Mismatch::LittlesLaw { .. }) && !of.is_of_an_idle_queue(),
    ];
    kinds
        .into_iter()
        .filter_map(|kind| inconsistent_in(run, kind))
        .collect()
}

fn inconsistent_in(run: &RunReport, kind: fn(&Mismatch) -> bool) -> Option<Finding> {
    let mut of = run.judgement.tests.iter().filter_map(|test| {
        let found = test.mismatches.iter().find(|found| kind(found))?;
        Some((test, found))
    });
    let (first, mismatch) = of.next()?;
    let others: Vec<String> = of
        .map(|(test, found)| format!("{} ({})", test.name, found.figures()))
        .collect();
    let also = match others.len() {
        0 => String::new(),
        _ => format!("; so with {}", named(&others)),
    };
    let message = format!("{}: {}{also}", first.name, mismatch.words());
    let id = FindingId::InconsistentResult;
    Some(with_remedy(Finding::new(
        id,
        Severity::Info,
        &run.label,
        message,
    )))
}

/// The first of `names`, and how many more there are.
fn named(names: &[String]) -> String {
    let first: Vec<&str> = (names.iter().take(MOST_NAMED).map(String::as_str)).collect();
    match names.len().saturating_sub(MOST_NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// A result of drive D, held against a disk that is not called so on a size that has a temp disk.
fn temp_drive(run: &RunReport, vm: Option<&VmSize>) -> Option<Finding> {
    let (vm, volume, measured) = (vm?, run.volume.as_ref()?, run.measured.as_ref()?);
    let is_d = measured
        .get(..2)
        .is_some_and(|drive| drive.eq_ignore_ascii_case("d:"));
    if !is_d || vm.temp.is_none() || run.is_local || volume.eq_ignore_ascii_case("d") {
        return None;
    }
    let message = format!(
        "measured on D:, which is usually the temp disk of {} on Windows, and held against {volume}",
        vm.name
    );
    let finding = Finding::new(FindingId::TempDrive, Severity::Warning, &run.label, message);
    Some(with_remedy(finding))
}

/// A page file does not belong on a slow persistent drive; where it does belong. Said where paging is asked about: results
/// of a disk do not tell that a page file is on it.
fn page_file(bench: &Bench, run: &RunReport, vm: Option<&VmSize>) -> Option<Finding> {
    if bench.paging.is_none() || !paging::unfit(run) {
        return None;
    }
    let latency = run.identification.as_ref()?.queue_depth_1_latency_us?;
    let message = format!(
        "a page file does not belong here: every hard fault waits {latency}, that is {} pages a second, {:.2} MB/s, at most",
        latency.queue_depth_1_ceiling(),
        latency
            .queue_depth_1_ceiling()
            .throughput(crate::planner::paging::PAGE)
            .get(),
    );
    let finding = Finding::new(
        FindingId::PageFilePlace,
        Severity::Info,
        &run.label,
        message,
    );
    let finding = finding.figure("latency", latency.millis(), "ms");
    Some(with_remedy(finding).fix_if(better_place(bench, vm)))
}

/// Where to, as far as it is known.
fn better_place(bench: &Bench, vm: Option<&VmSize>) -> Option<String> {
    let local = bench.runs.iter().filter_map(|run| {
        let identification = run.identification.as_ref().filter(|i| i.place.is_local())?;
        Some((run, identification))
    });
    // The temporary disk is made for it; another local disk may be too small or belong to something else.
    let by_fitness = |(_, i): &(&RunReport, &crate::measure::identify::Identification)| {
        let temporary = i.place == crate::measure::identify::Place::LocalTemporary;
        (
            !temporary,
            i.queue_depth_1_latency_us
                .map_or(f64::INFINITY, Latency::micros)
                .to_bits(),
        )
    };
    if let Some((run, identification)) = local.min_by_key(by_fitness) {
        let at = identification
            .queue_depth_1_latency_us
            .map_or_else(String::new, |latency| format!(", {latency} a page"));
        return Some(format!(
            "move it to {} ({}{at})",
            run.label,
            identification.place.words()
        ));
    }
    let vm = vm?;
    let name = &vm.name;
    Some(match (&vm.temp, &vm.nvme) {
        (Some(_), _) => format!("move it to the local temp disk that {name} has"),
        (None, Some(_)) => format!("move it to the local NVMe disk that {name} has"),
        (None, None) => format!(
            "{name} has no local disk: move it to the disk that answers fastest at queue depth 1"
        ),
    })
}

/// The test that falls shortest, and how many do.
fn worst(run: &RunReport, is: impl Fn(&TestReport) -> bool) -> Option<(&TestReport, usize)> {
    furthest(run, is, |a, b| a.total_cmp(&b))
}

fn furthest(
    run: &RunReport,
    is: impl Fn(&TestReport) -> bool,
    order: impl Fn(f64, f64) -> std::cmp::Ordering,
) -> Option<(&TestReport, usize)> {
    let of: Vec<&TestReport> = run.judgement.tests.iter().filter(|test| is(test)).collect();
    let ratio = |test: &TestReport| test.ratio.unwrap_or(1.0);
    let first = of.iter().min_by(|a, b| order(ratio(a), ratio(b)))?;
    Some((first, of.len()))
}

fn of_test(
    id: FindingId,
    severity: Severity,
    run: &RunReport,
    test: &TestReport,
    count: usize,
) -> Finding {
    let message = format!("{}{}: {}", test.name, more(count), test.words);
    let mut finding = Finding::new(id, severity, &run.label, message);
    if let Some(iops) = test.iops {
        finding = finding.figure("measured", iops.get(), "IOPS");
    }
    if let Some(held) = test.held_against_iops {
        finding = finding.figure("held against", held.get(), "IOPS");
    }
    finding
}

/// How many tests are named beside the one that a finding is about.
const MOST_NAMED: usize = 12;

/// `; also above every limit: SEQ1M Q8T1 read (1.44 times 170 MB/s), ...`: each test by itself, with how far it is above
/// what it is held against.
fn also_above(others: &[&TestReport]) -> String {
    let Some(first) = others.first() else {
        return String::new();
    };
    let more = others.len().saturating_sub(MOST_NAMED);
    let named = others.iter().take(MOST_NAMED).map(|test| by_how_much(test));
    let named: Vec<String> = named.collect();
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more, see the column `ratio`"),
    };
    let title = first.verdict.title();
    format!("; also {title}: {}{more}", named.join(", "))
}

/// In MB/s where blocks are so large that these limit it.
fn by_how_much(test: &TestReport) -> String {
    let block = test.kind.block_size.filter(|block| *block > LATENCY_BLOCK);
    let held = test.held_against_iops.map(|held| match block {
        Some(block) => format!("{} MB/s", held.throughput(block)),
        None => format!("{held} IOPS"),
    });
    match test.ratio.zip(held) {
        Some((ratio, held)) => format!("{} ({ratio:.2} times {held})", test.name),
        None => test.name.clone(),
    }
}

/// ` (and 2 tests more)`.
fn more(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        2 => " (and 1 test more)".to_owned(),
        count => format!(" (and {} tests more)", count - 1),
    }
}
