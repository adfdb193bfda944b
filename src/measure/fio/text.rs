//! fio's normal report, 2.x and 3.x: whole, or pasted in pieces.
//!
//! | version | line |
//! |---|---|
//! | 2.x | `write: io=1024.0MB, bw=20000KB/s, iops=5000, runt= 52429msec`, where KB means 1,024 bytes |
//! | 3.x | `read: IOPS=5000, BW=19.5MiB/s (20.5MB/s)(1172MiB/60001msec)` |
//!
//! Of the two rates of 3.x the decimal one is taken. fio prints IOPS cut to a whole number or rounded to three digits,
//! so the exact rate is worked out from the counts (`issued rwts`) where they agree.

use jiff::civil::DateTime;
use memchr::memmem;

use super::lines::{
    Issued, JobHead, Kind, LatencyLine, Rates, Setup, group_rates, latency_depth, one_at_a_time,
    percentiles, percentiles_head,
};
use super::options::{Direction, Options};
use super::quantity::Time;
use super::report::{Between, Entry, Job, Report, mean_block};
use super::stats::exact_rate;
use super::{Complaints, complaint, version};
use crate::measure::allowance::Allowance;
use crate::measure::error::ParseError;
use crate::measure::model::{Flushes, Format, LatencyStats, Percentile, Run, Test};
use crate::units::Iops;

const LOOKED_FOR: &str = "a line such as `read: IOPS=5000, BW=19.5MiB/s (20.5MB/s)(...)` or `read : io=1024MB, bw=20000KB/s, iops=5000, ...`";

/// The name of results that were pasted without their job's line.
const UNNAMED: &str = "unnamed";

/// The name of a group's sum that was pasted without the jobs.
const ALL_JOBS: &str = "all jobs";

/// Seconds within which fio prints all results of a group.
const SAME_RUN_SECONDS: i64 = 2;

/// Whether `text` has a result of fio's normal report, or an error line of fio.
#[must_use]
pub fn sniff(text: &str) -> bool {
    let mark = |word: &str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    let results = ["IOPS=", "iops=", "aggrb=", "bw=", "BW="]
        .iter()
        .any(|word| mark(word));
    let result = |line| Rates::read(line).is_some() || group_rates(line).is_some();
    (results && lines(text).any(|(_, line)| result(line)))
        || (mark("fio: ") && lines(text).any(|(_, line)| complaint(line).is_some()))
}

/// Reads every normal report in `text`.
///
/// # Errors
/// [`ParseError`] where there is no result: with fio's own error line where there is one.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    let mut reader = Reader {
        runs: Vec::new(),
        report: Report::default(),
        setups: Vec::new(),
        open: None,
        percentiles: None,
        groups: Vec::new(),
        group: None,
        ended: false,
        of_clients: false,
        last: None,
        complaints: Complaints::default(),
        allowance: Allowance::of(text.len()),
    };
    for (client, line) in lines(text) {
        reader.line(client, line);
    }
    reader.finish()
}

/// The lines of `text` without marks of quotation, each with the client that a server's report names: `<host> line`.
fn lines(text: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let lines = text.lines().flat_map(|line| line.split('\r'));
    lines.map(|line| {
        let line = line.trim_start_matches(['>', ' ', '\t']);
        let client = line
            .strip_prefix('<')
            .and_then(|rest| rest.split_once("> "));
        client.map_or((None, line), |(client, line)| (Some(client), line))
    })
}

/// All reports of one text.
struct Reader {
    runs: Vec<Run>,
    report: Report,
    setups: Vec<Setup>,
    open: Option<Open>,
    /// Of what the percentiles in the coming lines are, and in which unit, where they are wanted.
    percentiles: Option<(Kind, Time)>,
    /// The sums that fio prints at the end of a run; needed where they are all that there is.
    groups: Vec<Group>,
    /// The group that the coming sums are of.
    group: Option<i64>,
    /// The sums have begun: what comes next is another run, unless several clients give theirs one by one.
    ended: bool,
    /// The report is a server's, of several clients.
    of_clients: bool,
    /// When the last job ended.
    last: Option<JobDate>,
    complaints: Complaints,
    allowance: Allowance,
}

/// When a job's results were printed, and whose they are.
struct JobDate {
    client: Option<String>,
    group: i64,
    date: Option<DateTime>,
}

impl JobDate {
    fn of(client: Option<&str>, head: &JobHead) -> Self {
        let date = head.date.as_deref();
        Self {
            client: client.map(str::to_owned),
            group: head.group,
            date: date.and_then(|date| DateTime::strptime("%a %b %e %H:%M:%S %Y", date).ok()),
        }
    }

    /// Whether the results are of another run than those before them. fio prints all of a group at once, with the time at
    /// which they ended; a later group of the same run (`stonewall`) ended later.
    fn is_of_another_run(&self, before: &Self) -> bool {
        let Some((then, now)) = before.date.zip(self.date) else {
            return false;
        };
        let apart = now.duration_since(then).as_secs();
        let later_group = self.client == before.client && self.group > before.group && apart > 0;
        apart.abs() > SAME_RUN_SECONDS && !later_group
    }
}

/// The sum of a group's jobs in one direction.
struct Group {
    number: Option<i64>,
    rates: Rates,
}

/// A job being read.
#[derive(Default)]
struct Open {
    job: Job,
    results: Vec<Found>,
    issued: Issued,
    flushes: Option<LatencyStats>,
    /// The lines below the results of all directions have been seen.
    complete: bool,
    /// A direction says that it had no I/O.
    idle: bool,
}

/// One direction of a job being read.
struct Found {
    rates: Rates,
    /// Mean, least and most of `lat`, or of `clat` while there is no `lat`.
    latency: Option<LatencyLine>,
    percentiles: Vec<Percentile>,
    /// Whose percentiles they are.
    listed: Option<Kind>,
}

impl Reader {
    fn line(&mut self, client: Option<&str>, line: &str) {
        if line.is_empty() {
            self.end_of_pasted();
        }
        let of = self.percentiles.take();
        if let Some((of, entries)) = of.zip(percentiles(line)) {
            self.percentiles = Some(of);
            self.add_percentiles(of, &entries);
        } else if let Some(setup) = Setup::read(line) {
            self.next_run_unless_empty();
            if self.allowance.take(1) {
                self.setups.push(setup);
            }
        } else if let Some(head) = JobHead::read(line) {
            self.job(client, head);
        } else if let Some(rates) = Rates::read(line) {
            self.rates(rates);
        } else if let Some(rates) = group_rates(line) {
            if self.allowance.take(1) && !rates.is_idle() {
                let number = self.group;
                self.groups.push(Group { number, rates });
            }
        } else if let Some(number) = line.strip_prefix("Run status group") {
            self.ended = true;
            self.group = number
                .split_whitespace()
                .next()
                .and_then(|number| number.parse().ok());
        } else if let Some(options) = command(line) {
            self.next_run_unless_empty();
            self.report.globals = options;
        } else if let Some((version, greeting)) = version_in(line) {
            self.next_run_unless_empty();
            self.report.version = Some(version);
            self.of_clients |= greeting;
        } else if let Some(complaint) = complaint(line) {
            self.complaints.add(complaint);
        } else {
            self.detail(line);
        }
    }

    /// A line that says more of the results at hand.
    fn detail(&mut self, line: &str) {
        let Some(open) = &mut self.open else {
            return;
        };
        if let Some(latency) = LatencyLine::read(line) {
            if latency.kind == Kind::Sync {
                open.flushes = Some(latency.into_stats(Vec::new()));
                return;
            }
            let result = open
                .results
                .last_mut()
                .filter(|_| latency.kind != Kind::Other);
            if let Some(result) = result
                && (latency.kind == Kind::Lat || result.latency.is_none())
            {
                result.latency = Some(latency);
            }
        } else if let Some((kind, unit)) = percentiles_head(line) {
            let wanted = match (kind, open.results.last_mut()) {
                (Kind::Sync, _) => open.flushes.is_some(),
                (_, result) => result.is_some_and(|result| result.lists(kind)),
            };
            self.percentiles = wanted.then_some((kind, unit));
        } else if let Some(issued) = Issued::read(line) {
            open.issued = issued;
            open.complete = true;
        } else if let Some(alone) = one_at_a_time(line) {
            open.job.one_at_a_time = alone;
            open.complete = true;
        } else if let Some(depth) = latency_depth(line) {
            open.job.latency_depth = Some(depth);
        }
    }

    fn add_percentiles(&mut self, (kind, unit): (Kind, Time), entries: &[(f64, f64)]) {
        let Some(open) = &mut self.open else {
            return;
        };
        let kept = match kind {
            Kind::Sync => (open.flushes.as_mut()).map(|stats| &mut stats.percentiles),
            _ => (open.results.last_mut()).map(|result| &mut result.percentiles),
        };
        if let Some(kept) = kept {
            kept.extend(entries.iter().filter_map(|&(percent, time)| {
                let latency = unit.latency(time)?;
                Some(Percentile { percent, latency })
            }));
        }
    }

    /// A job's results begin.
    fn job(&mut self, client: Option<&str>, head: JobHead) {
        let next = self.ended && !self.of_clients;
        let of = JobDate::of(client, &head);
        if next
            || self
                .last
                .as_ref()
                .is_some_and(|last| of.is_of_another_run(last))
        {
            self.next_run();
        }
        self.last = Some(of);
        self.ended = false;
        self.close();
        self.report.date = self.report.date.take().or(head.date);
        let same_name = |setup: &&Setup| setup.name == head.name;
        let of_group = |setup: &&Setup| setup.name == head.name && setup.group == head.group;
        let setup = self
            .setups
            .iter()
            .find(of_group)
            .or_else(|| self.setups.iter().find(same_name));
        let mut job = Job {
            name: head.name.clone(),
            group: Some(head.group),
            host: client.map(Into::into),
            error: head.error,
            ..Job::default()
        };
        if let Some(setup) = setup {
            job.options = setup.options.clone();
        }
        job.options.known = true;
        job.options.jobs = head.jobs;
        job.options.grouped = Some(true);
        self.open = Some(Open {
            job,
            ..Open::default()
        });
    }

    /// The results of one direction begin: of another job, where this one is complete or has that direction already.
    fn rates(&mut self, rates: Rates) {
        if rates.is_idle() {
            if let Some(open) = &mut self.open {
                open.idle = true;
            }
            return;
        }
        let seen = |found: &Found| found.rates.direction == rates.direction;
        let done = |open: &Open| open.complete || open.results.iter().any(seen);
        let pasted = self.open.as_ref().is_none_or(done) || self.ended;
        if pasted {
            self.next_run_unless_empty();
            let mut open = Open::default();
            open.job.name = UNNAMED.to_owned();
            self.open = Some(open);
        }
        if let Some(open) = &mut self.open {
            open.results.push(rates.into());
        }
    }

    /// A blank line ends results without a job's line; fio prints none within a job.
    fn end_of_pasted(&mut self) {
        if let Some(open) = self.open.as_mut().filter(|open| open.job.name == UNNAMED) {
            open.complete = true;
        }
    }

    /// Ends the job at hand.
    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            if open.results.is_empty() && !open.complete && !open.idle && open.job.error == 0 {
                let name = &open.job.name;
                self.report
                    .note(format!("the results of job '{name}' are cut off"));
                return;
            }
            let issued = open.issued;
            let flushes = open.flushes.map(|latency| Flushes {
                count: issued.flushes.map(|count| count as u64),
                latency,
            });
            let job = Job {
                flushes,
                ..open.job
            };
            let results = open.results.into_iter().map(|result| {
                let direction = result.rates.direction;
                (direction, result.into_test(count(issued, direction)))
            });
            self.report
                .push(job, results.collect(), &mut self.allowance);
        }
    }

    fn next_run_unless_empty(&mut self) {
        let read = self.open.is_some() || !self.report.is_empty() || self.ended;
        if read {
            self.next_run();
        }
    }

    fn next_run(&mut self) {
        self.close();
        let report = std::mem::take(&mut self.report);
        let mut groups = std::mem::take(&mut self.groups);
        self.setups.clear();
        self.group = None;
        self.ended = false;
        self.of_clients = false;
        self.last = None;
        // Sums of what is not in the report were pasted without their jobs.
        groups.retain(|group| {
            let direction = group.rates.direction;
            let has = |entry: &Entry| {
                direction == Direction::Mixed || entry.directions.contains(&direction)
            };
            !report.entries.iter().any(has)
        });
        self.add_run(report);
        if !groups.is_empty() {
            let report = report_of_groups(groups, &mut self.allowance);
            self.add_run(report);
        }
    }

    fn add_run(&mut self, report: Report) {
        if report.is_empty() {
            report
                .notes
                .into_iter()
                .for_each(|note| self.complaints.add(note));
        } else {
            let mut runs = report.into_runs(Format::FioText);
            if let Some(first) = runs.first_mut() {
                self.complaints.move_to(first);
            }
            self.runs.append(&mut runs);
        }
    }

    fn finish(mut self) -> Result<Vec<Run>, ParseError> {
        self.next_run();
        if let Some(last) = self.runs.last_mut() {
            self.complaints.move_to(last);
            return Ok(self.runs);
        }
        Err(self.complaints.into_error(LOOKED_FOR))
    }
}

/// A report of which only the sums are there. Groups run one after the other, so that their sums are never added up.
fn report_of_groups(groups: Vec<Group>, allowance: &mut Allowance) -> Report {
    let mut report = Report::default();
    let several = groups
        .iter()
        .any(|group| group.number != groups.first().and_then(|first| first.number));
    // The same direction twice is of two groups whose heads were not pasted.
    let same = |a: &Group, b: &Group| a.number == b.number && a.rates.direction < b.rates.direction;
    for group in groups.chunk_by(same) {
        let number = group.first().and_then(|first| first.number);
        let name = match number.filter(|_| several) {
            Some(number) => format!("{ALL_JOBS} of group {number}"),
            None => ALL_JOBS.to_owned(),
        };
        let job = Job {
            name,
            group: number,
            ..Job::default()
        };
        let results = group.iter().map(|Group { rates, .. }| {
            let direction = rates.direction;
            (direction, Found::from(rates.clone()).into_test(None))
        });
        report.push(job, results.collect(), allowance);
    }
    report
}

/// The I/Os of one direction.
fn count(issued: Issued, direction: Direction) -> Option<f64> {
    match direction {
        Direction::Read => issued.reads,
        Direction::Write => issued.writes,
        Direction::Trim => issued.trims,
        Direction::Mixed => {
            let each = [issued.reads, issued.writes, issued.trims];
            let all = each.iter().flatten().sum::<f64>();
            (all > 0.0).then_some(all)
        }
    }
}

impl From<Rates> for Found {
    fn from(rates: Rates) -> Self {
        Self {
            rates,
            latency: None,
            percentiles: Vec::new(),
            listed: None,
        }
    }
}

impl Found {
    /// Begins a list of percentiles; `false` where it is not wanted. Those of `lat` go before those of `clat`.
    fn lists(&mut self, kind: Kind) -> bool {
        let wanted = match kind {
            Kind::Lat => true,
            Kind::Clat => self.listed != Some(Kind::Lat),
            Kind::Sync | Kind::Other => false,
        };
        if wanted {
            self.percentiles.clear();
            self.listed = Some(kind);
        }
        wanted
    }

    fn into_test(self, count: Option<f64>) -> Test {
        let rates = self.rates;
        let iops = exact_rate(rates.iops, count, rates.seconds);
        let mut test = Test {
            iops: iops.and_then(|iops| Iops::new(iops).ok()),
            mbps: rates.mbps,
            latency: self.latency.map(|line| line.into_stats(self.percentiles)),
            io_count: count.map(|count| count as u64),
            seconds: rates.seconds,
            ..Test::default()
        };
        let counted = rates.bytes.zip(count.map(Between::exactly));
        test.kind.block_size = counted.and_then(|(bytes, ios)| mean_block(bytes, ios));
        test
    }
}

/// The options in a command line of fio (`$ fio --name=a --filename=/dev/sdc --rw=randread ...`) with one job.
fn command(line: &str) -> Option<Options> {
    let mut words = line.split_whitespace();
    words.find(|word| *word == "fio" || word.ends_with("/fio"))?;
    let mut options = Options::default();
    let mut jobs = 0;
    for word in words {
        let word = word.trim_start_matches('-');
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        jobs += i32::from(name == "name");
        options.set(name, value.trim_matches(['\'', '"']));
    }
    (jobs == 1).then_some(options)
}

/// fio's version: on a line of its own, or in a client's greeting (`hostname=a, be=0, ..., fio=fio-3.7, flags=1`), and
/// whether it is one.
fn version_in(line: &str) -> Option<(String, bool)> {
    let line = line.trim();
    let greeting = line
        .strip_prefix("hostname=")
        .and_then(|rest| rest.split_once(", fio="));
    let text = match greeting {
        Some((_, after)) => after.split(',').next()?.to_owned(),
        // fio 1.x writes a blank.
        None => line.replacen("fio ", "fio-", 1),
    };
    let number = |version: &String| {
        version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(char::is_whitespace)
    };
    Some((version(&text).filter(number)?, greeting.is_some()))
}
