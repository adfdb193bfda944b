//! What each measured figure was limited by: held against the planner's prediction for the same I/O, or, where no disk is
//! named, against nothing but itself.

pub mod consistency;
pub mod credit;
pub mod flushes;
pub mod measured;
pub mod predict;
mod queue;
mod relations;
mod usual;
pub mod verdict;
mod words;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identify::candidates::{self, Candidate, CandidateKind};
use super::identify::is_too_fast;
use super::model::{Run, Test, TestKind};
use crate::catalog::{Axis, Catalog};
use crate::deployment::{Deployment, HostCaching, Role};
use crate::units::{Iops, Latency, MBps, QueueDepth, Share};
use crate::workload::Io;
use consistency::Mismatch;
use credit::{Credit, Ledger, seconds_of};
use flushes::{FlushTime, setting_the_pace};
use measured::{Measured, Unjudged};
pub use predict::Raise;
use predict::{predictions, reach, reach_of_large, unknown_limits};
pub use queue::{AtDepth, QueueDepth1Check};
pub use relations::ASYMMETRY;
pub(super) use relations::shallow_and_deep;
pub use usual::LATENCY_BLOCK;
use usual::Usual;
pub(super) use usual::longest_usual;
use verdict::{Against, Decision, ExpectedLatency, Fit, LatencySource, Verdict, decide};

/// How to judge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How far from a limit still counts as at it.
    pub tolerance: f64,
    /// The queue depth that the application keeps, to say what the measured latency means for it.
    pub queue_depth: Option<QueueDepth>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tolerance: verdict::TOLERANCE,
            queue_depth: None,
        }
    }
}

/// A volume of a deployment, to hold a run against.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The deployment.
    pub deployment: &'a Deployment,
    /// Which of its volumes was measured.
    pub volume: usize,
}

/// One test, judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestReport {
    /// The test in words (`RND4K Q32T16 read`), or as its tool names it where that says more.
    pub name: String,
    /// What it did.
    pub kind: TestKind,
    /// I/Os per second, as told or from MB/s.
    pub iops: Option<Iops>,
    /// MB/s, as told or from IOPS.
    pub mbps: Option<MBps>,
    /// Mean latency as measured, microseconds.
    pub latency_us: Option<Latency>,
    /// Outstanding I/Os over IOPS, microseconds.
    pub implied_latency_us: Option<Latency>,
    /// What its flushes took, where it made some and its tool says how long they took.
    #[serde(default)]
    pub flushes: Option<FlushTime>,
    /// The rate that is predicted for such I/O and queue depth without burst credit and with nothing in the host cache,
    /// whatever was measured; `None` where nothing is known.
    pub predicted_iops: Option<Iops>,
    /// The same in MB/s.
    pub predicted_mbps: Option<MBps>,
    /// Whether what is predicted is an upper bound: a limit on its path is not known, or the latency that its queue depth is of.
    #[serde(default)]
    pub predicted_at_most: bool,
    /// The most that is predicted with full burst credit and a full host cache, where that is more.
    #[serde(default)]
    pub predicted_most_iops: Option<Iops>,
    /// The same in MB/s.
    #[serde(default)]
    pub predicted_most_mbps: Option<MBps>,
    /// Whether that is an upper bound: as of the other, or the latency of the host cache is only assumed.
    #[serde(default)]
    pub predicted_most_at_most: bool,
    /// What makes that more.
    #[serde(default)]
    pub predicted_most_by: Option<Raise>,
    /// The rate that the verdict holds it against: the limit that it is at, above or below, or what its queue depth makes.
    #[serde(default)]
    pub held_against_iops: Option<Iops>,
    /// Measured over the rate that it is held against.
    pub ratio: Option<f64>,
    /// What limited it.
    pub verdict: Verdict,
    /// The verdict in a sentence.
    pub words: String,
    /// Limits on its path that are not known: what is predicted is an upper bound.
    pub unknown_limits: Vec<String>,
    /// What was taken for granted because the tool does not say it.
    pub assumed: Vec<String>,
    /// Figures of the test that do not go together.
    pub mismatches: Vec<Mismatch>,
}

/// Everything that the judgement of one run says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// The tests, in the order of the report.
    pub tests: Vec<TestReport>,
    /// One I/O at a time: latency against its ceiling; reads first.
    pub queue_depth_1: Vec<QueueDepth1Check>,
    /// What the tests say about each other.
    pub relations: Vec<String>,
}

/// Judges `run` against `target`; where there is none, against itself.
#[must_use]
pub fn judge(
    catalog: &Catalog,
    run: &Run,
    target: Option<Target<'_>>,
    options: &Options,
) -> Judgement {
    let mut judge = Judge {
        run,
        target,
        tolerance: options.tolerance,
        candidates: target.map_or_else(Vec::new, |target| elsewhere(catalog, target)),
        ledger: Ledger::default(),
    };
    let tests: Vec<TestReport> = run.tests.iter().map(|test| judge.test(test)).collect();
    let any_disk = match target {
        None => candidates::disks(catalog),
        Some(_) => Vec::new(),
    };
    Judgement {
        queue_depth_1: queue::checks(run, &tests, target, options.queue_depth),
        relations: relations::relations(run, &tests, &any_disk, options.tolerance),
        tests,
    }
}

/// What a figure above every limit may fit instead: the VM's limits first, then any disk's.
fn elsewhere(catalog: &Catalog, target: Target<'_>) -> Vec<Candidate> {
    let vm = target.deployment.vm.as_ref();
    let mut found = vm.map_or_else(Vec::new, |vm| candidates::of_vm(catalog, vm));
    found.extend(candidates::disks(catalog));
    found
}

struct Judge<'a> {
    run: &'a Run,
    target: Option<Target<'a>>,
    tolerance: f64,
    candidates: Vec<Candidate>,
    ledger: Ledger,
}

impl Judge<'_> {
    fn test(&mut self, test: &Test) -> TestReport {
        let measured = Measured::new(test);
        let mut report = blank(test, measured.as_ref().ok());
        let judged = match (measured, self.target) {
            (Err(reason), _) => Err(reason),
            (Ok(_), None) => Err(Unjudged::NoDisk),
            (Ok(measured), Some(target)) => Ok((measured, target)),
        };
        match judged {
            Err(reason) => {
                report.words = reason.to_string();
                report.verdict = Verdict::Unjudged { reason };
            }
            Ok((measured, target)) => self.against(target, test, &measured, &mut report),
        }
        report
    }

    fn against(
        &mut self,
        target: Target<'_>,
        test: &Test,
        measured: &Measured,
        report: &mut TestReport,
    ) {
        let (deployment, volume) = (target.deployment, target.volume);
        let found = predictions(deployment, volume, &measured.io);
        let seconds = seconds_of(test, self.run.format);
        let burst = found
            .iter()
            .max_by(|a, b| a.iops.get().total_cmp(&b.iops.get()));
        let usual = Usual::new(target, measured.io.block_size, measured.io.read_share);
        let took = consistency::latency(test);
        let lowest = found.iter().map(|limit| limit.iops).reduce(Iops::min);
        let is_latency = |one: &ExpectedLatency| {
            !self.is_held(one, lowest, &usual) && !usual.is_too_fast(one.latency_us, self.tolerance)
        };
        let same_run = self.same_run(test, measured).filter(is_latency);
        let expected = || usual.of(took, self.tolerance).cloned();
        let expected = same_run.clone().or_else(expected);
        let mut against = Against {
            predictions: &found,
            by_cache: expected.is_some() && expected != usual.disk && same_run.is_none(),
            expected,
            disk: usual.disk.clone().filter(|_| same_run.is_none()),
            least: (usual.least.clone())
                .filter(|_| same_run.is_none() && !self.run.format.is_counters()),
            credit: Credit::Unknown,
            run_limit: None,
            with_credit: credit::with_credit(deployment, volume, &measured.io),
            host_cache: (deployment.volumes.get(volume))
                .is_some_and(|volume| usual::may_answer(volume, measured.io.read_share)),
            is_counters: self.run.format.is_counters(),
            held_back: test.held_back(),
            tolerance: self.tolerance,
        };
        let by_cache = against.host_cache;
        if let Some(burst) = burst {
            // So few I/Os at a time that they do not reach the burst limit draw less.
            let bound = against.latency_bound(measured);
            let bound = bound.or_else(|| against.least_bound(measured));
            let rate = bound.map_or(burst.iops, |bound| bound.min(burst.iops));
            against.credit = self
                .ledger
                .credit(deployment, volume, measured, rate, seconds, by_cache);
        }
        let run_limit = || (self.ledger).run_limit(deployment, volume, measured, seconds);
        against.run_limit = (!by_cache).then(run_limit).flatten();
        let fits = || self.fits(measured, took);
        let mut decision = decide(measured, &against, fits);
        if same_run.is_some() && decision.falls_short() {
            // Short of what one I/O of the same run makes, but no slower than is usual for the disk.
            let by_usual = Against {
                expected: usual.of(took, self.tolerance).cloned(),
                disk: usual.disk.clone(),
                least: usual.least.clone(),
                ..against.clone()
            };
            let other = decide(measured, &by_usual, fits);
            if matches!(other.verdict, Verdict::LatencyBound { .. }) {
                (decision, against) = (other, by_usual);
            }
        }
        let Decision { verdict, predicted } = self.of_the_load(test, decision, &against, &usual);
        self.predict(target, measured, report);
        report.held_against_iops = predicted;
        report.ratio = predicted.map(|rate| measured.iops.get() / rate.get());
        report.unknown_limits = unknown_limits(deployment, volume, &measured.io);
        let alone = measured.outstanding == Some(1.0) && against.disk.is_none();
        report.predicted_at_most |=
            report.predicted_iops.is_some() && (alone || !report.unknown_limits.is_empty());
        report.predicted_most_at_most |=
            report.predicted_at_most && report.predicted_most_iops.is_some();
        let deeper = queue::deeper(self.run, test);
        report.words = words::sentence(&verdict, measured, &against, report, deeper.as_ref());
        if matches!(verdict, Verdict::BelowEveryLimit { .. }) {
            report.words.push_str(&self.if_cached(target, measured));
        }
        report.verdict = verdict;
        self.ledger
            .book(deployment, volume, measured, seconds, by_cache);
    }

    /// The decision, where it may be the load and not the disk that it is short of: counters, which are no attempt to reach
    /// a limit, and tests that did not keep their queue full although the disk answered as fast as usual; or the flushes that
    /// its writes waited for.
    fn of_the_load(
        &self,
        test: &Test,
        decision: Decision,
        against: &Against<'_>,
        usual: &Usual,
    ) -> Decision {
        if let Some(flushes) = setting_the_pace(test).filter(|_| decision.is_below_limits()) {
            return Decision {
                verdict: Verdict::FlushBound { flushes },
                ..decision
            };
        }
        let falls_short = decision.falls_short();
        if !self.run.format.is_counters() {
            let is_usual = consistency::measured_latency(test)
                .is_some_and(|took| !usual.is_slow(took, self.tolerance));
            let idle = || (consistency::mismatches(test).iter()).any(Mismatch::is_of_an_idle_queue);
            return match falls_short && is_usual && idle() {
                true => Decision {
                    verdict: Verdict::AskedForLess,
                    ..decision
                },
                false => decision,
            };
        }
        match decision.verdict.of_counters() {
            Verdict::AskedForLess => {
                let queued = usual.disk.clone();
                let queued = queued.filter(|usual| has_queue(test, usual, self.tolerance));
                let queued = queued.map(|expected| Verdict::Queued { expected });
                Decision {
                    verdict: queued.unwrap_or(Verdict::AskedForLess),
                    predicted: against.lowest().map(|limit| limit.iops),
                }
            }
            verdict => Decision {
                verdict,
                predicted: decision.predicted,
            },
        }
    }

    /// The VM's cached limit, where a figure that is below those of an uncached disk fits it.
    fn if_cached(&self, target: Target<'_>, measured: &Measured) -> String {
        let volume = target.deployment.volumes.get(target.volume);
        let is_uncached = volume.is_some_and(|volume| {
            volume.caching() == HostCaching::None && volume.role != Role::Local
        });
        let is_read = measured.io.read_share != Share::NONE;
        let fit = self
            .candidates
            .iter()
            .filter(|of| is_uncached && is_read && of.kind == CandidateKind::VmCached)
            .find_map(|of| self.fit(of, measured));
        fit.map_or_else(String::new, |fit| {
            format!("; it fits the {}: is the disk cached?", fit.name)
        })
    }

    /// What is predicted for the test, whatever rate it reached. The queue depth of counters is what was asked for, and
    /// bounds nothing; a latency is known for small blocks only, and what it makes of larger ones is an upper bound.
    fn predict(&self, target: Target<'_>, measured: &Measured, report: &mut TestReport) {
        let (is_counters, block) = (self.run.format.is_counters(), measured.io.block_size);
        let outstanding = report.kind.outstanding().filter(|_| !is_counters);
        let io = Io {
            queue_depth: outstanding.and_then(QueueDepth::new),
            ..measured.io
        };
        let reach = match block <= LATENCY_BLOCK {
            true => reach(target.deployment, target.volume, &io),
            false => reach_of_large(target.deployment, target.volume, &io),
        };
        let Some(reach) = reach else {
            return;
        };
        report.predicted_iops = Some(reach.least);
        report.predicted_mbps = Some(reach.least.throughput(block));
        report.predicted_at_most = reach.at_most;
        report.predicted_most_iops = reach.most.map(|most| most.iops);
        report.predicted_most_mbps = reach.most.map(|most| most.iops.throughput(block));
        report.predicted_most_by = reach.most.map(|most| most.by);
        report.predicted_most_at_most = reach.most.is_some_and(|most| most.at_most);
    }

    /// Whether one I/O at a time waited for a limit, so that how long it took is no latency: it reached the `lowest` limit,
    /// and took longer than is usual.
    fn is_held(&self, one: &ExpectedLatency, lowest: Option<Iops>, usual: &Usual) -> bool {
        let took = one.latency_us;
        let reached = lowest.is_some_and(|lowest| {
            took.queue_depth_1_ceiling().get() >= lowest.get() * (1.0 - self.tolerance)
        });
        reached && usual.is_slow(took, self.tolerance)
    }

    /// The latency of a test of the same run that did the same one at a time; `None` of such a test itself.
    fn same_run(&self, test: &Test, measured: &Measured) -> Option<ExpectedLatency> {
        let alone = |other: &&Test| {
            let one = TestKind {
                queue_depth: Some(1),
                threads: other.kind.threads,
                ..test.kind
            };
            consistency::one_at_a_time(other) && other.kind == one
        };
        let own = measured.outstanding == Some(1.0);
        let same_run = self.run.tests.iter().filter(|_| !own).find(alone);
        same_run.and_then(|other| {
            Some(ExpectedLatency {
                latency_us: consistency::latency(other)?,
                source: LatencySource::SameRun {
                    test: super::test_name::describe(&other.kind),
                },
            })
        })
    }

    /// A limit that the figure is at, within the tolerance.
    fn fit(&self, candidate: &Candidate, measured: &Measured) -> Option<Fit> {
        let (rate, axis) = candidate.rate(measured.io.block_size)?;
        let ratio = measured.iops.get() / rate;
        let figure = match axis {
            Axis::Iops => format!("{} IOPS", candidate.limits.iops?),
            Axis::Mbps => format!("{} MB/s", candidate.limits.mbps?),
        };
        ((ratio - 1.0).abs() <= self.tolerance).then(|| Fit {
            name: format!("{} ({figure})", candidate.name),
            ratio,
        })
    }

    /// What a figure fits that is above every limit on its path, nearest first; not what never answers so fast.
    fn fits(&self, measured: &Measured, latency: Option<Latency>) -> Vec<Fit> {
        // Beside a page cache a figure is near some limit by chance.
        if self.run.page_cache().is_some() {
            return Vec::new();
        }
        let alone = measured.outstanding == Some(1.0) && measured.io.block_size <= LATENCY_BLOCK;
        let mut fits: Vec<Fit> = self
            .candidates
            .iter()
            .filter(|candidate| !latency.is_some_and(|took| is_too_fast(candidate, took)))
            // What one small I/O at a time makes is its latency's, and near the limit of a disk by chance.
            .filter(|candidate| !alone || candidate.kind.is_local())
            .filter_map(|candidate| self.fit(candidate, measured))
            .collect();
        fits.sort_by(|a, b| (a.ratio - 1.0).abs().total_cmp(&(b.ratio - 1.0).abs()));
        fits.truncate(MOST_FITS);
        fits
    }
}

/// Whether counters show a queue: I/Os that took longer than such a disk takes, while several were outstanding.
fn has_queue(test: &Test, usual: &ExpectedLatency, tolerance: f64) -> bool {
    let took = consistency::latency(test);
    took.zip(consistency::rate(test))
        .is_some_and(|(took, rate)| {
            took.micros() > usual.latency_us.micros() * usual.slack(tolerance)
                && took.outstanding(rate) >= FEWEST_QUEUED
        })
}

/// So many I/Os outstanding on average are a queue, 2: of one at a time nothing waits.
const FEWEST_QUEUED: f64 = 2.0;

/// How many other limits a figure above all is said to fit.
const MOST_FITS: usize = 3;

/// The report of a test before it is held against anything.
fn blank(test: &Test, measured: Option<&Measured>) -> TestReport {
    let iops = consistency::rate(test);
    let block = measured
        .map(|measured| measured.io.block_size)
        .or(test.kind.block_size);
    TestReport {
        name: name_of(test),
        kind: test.kind,
        iops,
        mbps: test.mbps.or_else(|| Some(iops?.throughput(block?))),
        latency_us: consistency::measured_latency(test),
        implied_latency_us: consistency::implied_latency(test),
        flushes: FlushTime::of(test),
        predicted_iops: None,
        predicted_mbps: None,
        predicted_at_most: false,
        predicted_most_iops: None,
        predicted_most_mbps: None,
        predicted_most_at_most: false,
        predicted_most_by: None,
        held_against_iops: None,
        ratio: None,
        verdict: Verdict::Unjudged {
            reason: Unjudged::NoDisk,
        },
        words: String::new(),
        unknown_limits: Vec::new(),
        assumed: measured.map_or_else(Vec::new, |measured| measured.assumed.clone()),
        mismatches: consistency::mismatches(test),
    }
}

/// The kind in words, with the tool's own name where it is a name of the user's.
fn name_of(test: &Test) -> String {
    let kind = super::test_name::describe(&test.kind);
    let own = test.name.trim();
    if own.is_empty() || own == kind || is_said(own, &test.kind) {
        kind
    } else if kind == "test" {
        own.to_owned()
    } else {
        format!("{own}: {kind}")
    }
}

/// Whether a name says nothing of a test that its kind does not say too.
fn is_said(name: &str, kind: &TestKind) -> bool {
    let said = |named: bool, known: bool| known || !named;
    super::test_name::parse(name).is_some_and(|named| {
        said(named.pattern.is_some(), kind.pattern.is_some())
            && said(named.read_share.is_some(), kind.read_share.is_some())
            && said(named.block_size.is_some(), kind.block_size.is_some())
            && said(named.queue_depth.is_some(), kind.queue_depth.is_some())
            && said(named.threads.is_some(), kind.threads.is_some())
    })
}
