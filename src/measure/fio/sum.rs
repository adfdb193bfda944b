//! Results that belong together: jobs of one group, or the reads and writes of one job, ran at the same time on the
//! same disk, so only their sum can be held against a limit.
//!
//! The parts stay in the report and name their sum in [`Test::part_of`].

use std::collections::{BTreeMap, BTreeSet};

use super::merge::{common_kind, read_share, sum};
use super::options::Direction;
use super::report::{Entry, Report};
use crate::measure::model::{Test, TestKind};

/// Takes the entry `whole` as the sum of all others, as fio gives it for several clients of one host.
pub(super) fn under_one(report: &mut Report, whole: usize) {
    describe_whole(report, whole);
    let Some(sum) = report.entries.get(whole) else {
        return;
    };
    let name = sum.job.name.clone();
    let own: Vec<(usize, Direction)> = tests_of(sum).collect();
    let parts: Vec<usize> = others(report, whole)
        .flat_map(tests_of)
        .map(|(at, _)| at)
        .collect();
    let threads = threads_of(others(report, whole));
    mark(report, &parts, &name);
    total_of_directions(report, &own, &name, threads);
}

/// Fills in for the entry `whole`, which sums up all others, what they have in common.
pub(super) fn describe_whole(report: &mut Report, whole: usize) {
    let own: Vec<(usize, Direction)> = report
        .entries
        .get(whole)
        .into_iter()
        .flat_map(tests_of)
        .collect();
    for (index, direction) in own {
        let parts: Vec<&Test> = others(report, whole)
            .flat_map(tests_of)
            .filter(|(_, other)| *other == direction)
            .filter_map(|(at, _)| report.tests.get(at))
            .collect();
        let kind = common_kind(&parts, add_threads(&parts));
        if let Some(test) = report.tests.get_mut(index) {
            let block_size = test.kind.block_size.or(kind.block_size);
            test.kind = TestKind { block_size, ..kind };
        }
    }
}

/// All entries but `whole`.
fn others(report: &Report, whole: usize) -> impl Iterator<Item = &Entry> {
    let entries = report.entries.iter().enumerate();
    entries
        .filter(move |(at, _)| *at != whole)
        .map(|(_, entry)| entry)
}

/// Adds the sums of every group of jobs, and of the directions of every single job.
pub(super) fn by_group(report: &mut Report) {
    let mut order: Vec<usize> = (0..report.entries.len()).collect();
    let key = |report: &Report, at: usize| report.entries.get(at)?.job.group;
    order.sort_by_key(|&at| key(report, at));
    let groups: Vec<Vec<usize>> = order
        .chunk_by(|&a, &b| key(report, a).is_some() && key(report, a) == key(report, b))
        .map(<[usize]>::to_vec)
        .collect();
    let several = names_of_several_groups(report);
    for group in groups {
        one_group(report, &group, &several);
    }
}

/// The names that jobs of more than one group bear: a sum is not told by them alone.
fn names_of_several_groups(report: &Report) -> BTreeSet<String> {
    let mut first = BTreeMap::new();
    let jobs = report.entries.iter().map(|entry| &entry.job);
    let repeated = jobs.filter(|job| *first.entry(&job.name).or_insert(job.group) != job.group);
    repeated.map(|job| job.name.clone()).collect()
}

/// Adds the sums of the entries `group`.
fn one_group(report: &mut Report, group: &[usize], several: &BTreeSet<String>) {
    let entries: Vec<&Entry> = group
        .iter()
        .filter_map(|&at| report.entries.get(at))
        .collect();
    let Some(first) = entries.first() else {
        return;
    };
    let members: Vec<(usize, Direction)> =
        entries.iter().flat_map(|entry| tests_of(entry)).collect();
    let same = entries.iter().all(|entry| entry.job.name == first.job.name);
    let name = match first.job.group {
        Some(group) if !same => format!("group {group}"),
        Some(group) if several.contains(&first.job.name) => {
            format!("{} of group {group}", first.job.name)
        }
        _ => first.job.name.clone(),
    };
    let threads = threads_of(entries.iter().copied());
    let jobs = entries.len();
    if jobs < 2 {
        total_of_directions(report, &members, &name, threads);
        return;
    }
    let mut sums = Vec::new();
    for direction in Direction::ALL {
        let parts: Vec<usize> = members
            .iter()
            .filter(|(_, of)| *of == direction)
            .map(|&(at, _)| at)
            .collect();
        match parts.as_slice() {
            [] => {}
            [only] => sums.push((*only, direction)),
            _ => {
                let title = format!("{name}: {jobs} jobs, {}", direction.word());
                sums.push((add_sum(report, &parts, &title, None), direction));
            }
        }
    }
    total_of_directions(report, &sums, &format!("{name}: {jobs} jobs"), threads);
}

/// Adds the sum over several directions, or takes the tool's own where it has one (`mixed`).
/// The same `threads` make the I/O of all directions.
fn total_of_directions(
    report: &mut Report,
    sums: &[(usize, Direction)],
    name: &str,
    threads: Option<u32>,
) {
    if sums.len() < 2 {
        return;
    }
    let title = format!("{name}: all directions");
    let mixed = sums
        .iter()
        .find(|(_, direction)| *direction == Direction::Mixed);
    let indexes: Vec<usize> = sums.iter().map(|&(at, _)| at).collect();
    match mixed {
        Some(&(own, _)) => {
            let parts: Vec<usize> = indexes.into_iter().filter(|&at| at != own).collect();
            let share = {
                let parts: Vec<&Test> = parts
                    .iter()
                    .filter_map(|&at| report.tests.get(at))
                    .collect();
                read_share(&parts)
            };
            if let Some(test) = report.tests.get_mut(own) {
                test.name.clone_from(&title);
                test.kind.read_share = share.or(test.kind.read_share);
            }
            mark(report, &parts, &title);
        }
        None => {
            add_sum(report, &indexes, &title, threads);
        }
    }
}

/// Where the results of an entry stand, with their directions.
fn tests_of(entry: &Entry) -> impl Iterator<Item = (usize, Direction)> + '_ {
    (entry.first..).zip(entry.directions.iter().copied())
}

/// Names the sum of the tests `parts`.
fn mark(report: &mut Report, parts: &[usize], name: &str) {
    for &at in parts {
        if let Some(test) = report.tests.get_mut(at) {
            test.part_of = Some(name.to_owned());
        }
    }
}

/// The threads of several jobs.
fn threads_of<'a>(mut entries: impl Iterator<Item = &'a Entry>) -> Option<u32> {
    entries.try_fold(0_u32, |sum, entry| {
        Some(sum.saturating_add(entry.job.options.threads()?))
    })
}

/// The threads of tests of several jobs in one direction.
fn add_threads(parts: &[&Test]) -> Option<u32> {
    parts.iter().try_fold(0_u32, |sum, part| {
        Some(sum.saturating_add(part.kind.threads?))
    })
}

/// Adds the sum of the tests `parts`, marks them as its parts, and gives its place.
/// Without `threads`, those of the parts are added up.
fn add_sum(report: &mut Report, parts: &[usize], name: &str, threads: Option<u32>) -> usize {
    let tests: Vec<&Test> = parts
        .iter()
        .filter_map(|&at| report.tests.get(at))
        .collect();
    let sum = sum(&tests, name, threads.or_else(|| add_threads(&tests)));
    mark(report, parts, name);
    report.tests.push(sum);
    report.tests.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::allowance::Allowance;
    use crate::measure::fio::report::Job;
    use crate::measure::model::{Bin, Format, Histogram, LatencyStats};
    use crate::units::{BlockSize, Iops, Latency, Share};

    fn result(iops: u32, mean_us: f64, count: u64) -> Test {
        let latency = Latency::from_micros(mean_us).unwrap();
        let iops = Iops::whole(iops);
        Test {
            kind: TestKind {
                block_size: Some(BlockSize::KIB_4),
                ..TestKind::default()
            },
            iops: Some(iops),
            mbps: Some(iops.throughput(BlockSize::KIB_4)),
            latency: Some(LatencyStats {
                mean: Some(latency),
                min: Some(latency),
                max: Some(latency),
                percentiles: Vec::new(),
            }),
            histogram: Some(Histogram::from_bins([Bin { latency, count }])),
            io_count: Some(count),
            seconds: Some(10.0),
            ..Test::default()
        }
    }

    fn job(name: &str, group: i64) -> Job {
        let mut job = Job {
            name: name.to_owned(),
            group: Some(group),
            ..Job::default()
        };
        job.options.set("iodepth", "8");
        job
    }

    #[test]
    fn a_mean_is_weighted_by_io_count_never_plain() {
        let mut report = Report::default();
        let allowance = &mut Allowance::of(0);
        report.push(
            job("a", 0),
            vec![(Direction::Read, result(100, 1000.0, 1000))],
            allowance,
        );
        report.push(
            job("a", 0),
            vec![(Direction::Read, result(300, 200.0, 3000))],
            allowance,
        );
        let run = &report.into_runs(Format::FioJson)[0];
        let sum = run.tests.last().unwrap();
        // (1,000 x 1,000 + 3,000 x 200) / 4,000 = 400, where a plain mean would be 600.
        assert_eq!(sum.latency.as_ref().unwrap().mean.unwrap().micros(), 400.0);
        assert_eq!(sum.name, "a: 2 jobs, read");
        assert_eq!(sum.iops, Some(Iops::whole(400)));
        assert_eq!(sum.io_count, Some(4000));
        assert_eq!((sum.kind.queue_depth, sum.kind.threads), (Some(8), Some(2)));
        assert_eq!(run.tests[0].part_of.as_deref(), Some("a: 2 jobs, read"));
        assert_eq!(sum.part_of, None);
    }

    #[test]
    fn reads_and_writes_of_a_job_share_its_queue() {
        let mut report = Report::default();
        let allowance = &mut Allowance::of(0);
        let parts = vec![
            (Direction::Read, result(700, 100.0, 7000)),
            (Direction::Write, result(300, 900.0, 3000)),
        ];
        report.push(job("mix", 0), parts, allowance);
        let run = &report.into_runs(Format::FioText)[0];
        let sum = run.tests.last().unwrap();
        assert_eq!(sum.name, "mix: all directions");
        assert_eq!(sum.kind.read_share, Some(Share::percent(70)));
        assert_eq!(sum.kind.outstanding(), Some(8));
        assert_eq!(sum.latency.as_ref().unwrap().mean.unwrap().micros(), 340.0);
        let histogram = sum.histogram.as_ref().unwrap();
        assert_eq!(histogram.percentile(70.0).unwrap().micros(), 100.0);
        assert_eq!(histogram.percentile(71.0).unwrap().micros(), 900.0);
    }

    #[test]
    fn parts_that_end_early_are_told() {
        let mut report = Report::default();
        let allowance = &mut Allowance::of(0);
        let mut short = result(100, 1.0, 1);
        short.seconds = Some(4.0);
        report.push(job("a", 0), vec![(Direction::Read, short)], allowance);
        report.push(
            job("a", 0),
            vec![(Direction::Read, result(100, 1.0, 1))],
            allowance,
        );
        let run = &report.into_runs(Format::FioJson)[0];
        let notes = &run.tests.last().unwrap().notes;
        assert!(notes[1].contains("4 to 10 s"), "{notes:?}");
    }

    #[test]
    fn other_groups_and_hosts_stay_apart() {
        let mut report = Report::default();
        let allowance = &mut Allowance::of(0);
        for (name, group, host) in [("a", 0, "here"), ("b", 1, "here"), ("a", 0, "there")] {
            let mut job = job(name, group);
            job.host = Some(host.into());
            let results = vec![(Direction::Read, result(100, 1.0, 1))];
            report.push(job, results, allowance);
        }
        let runs = report.into_runs(Format::FioJson);
        let hosts: Vec<Option<&str>> = runs.iter().map(|run| run.host.as_deref()).collect();
        assert_eq!(hosts, [Some("here"), Some("there")]);
        assert_eq!((runs[0].tests.len(), runs[1].tests.len()), (2, 1));
        let mut tests = runs.iter().flat_map(|run| &run.tests);
        assert!(tests.all(|test| test.part_of.is_none()));
    }

    #[test]
    fn sums_of_several_groups_have_names_of_their_own() {
        let mut report = Report::default();
        let allowance = &mut Allowance::of(0);
        for group in [0, 0, 1, 1] {
            let results = vec![(Direction::Write, result(100, 1.0, 1))];
            report.push(job("a", group), results, allowance);
        }
        let run = &report.into_runs(Format::FioJson)[0];
        let names: Vec<&str> = run.tests[4..]
            .iter()
            .map(|test| test.name.as_str())
            .collect();
        assert_eq!(
            names,
            ["a of group 0: 2 jobs, write", "a of group 1: 2 jobs, write"]
        );
        assert_eq!(run.tests[3].part_of.as_deref(), Some(names[1]));
    }

    #[test]
    fn different_jobs_of_a_group_have_a_mean_block_size() {
        let mut report = Report::default();
        let allowance = &mut Allowance::of(0);
        report.push(
            job("small", 3),
            vec![(Direction::Read, result(300, 1.0, 300))],
            allowance,
        );
        let mut large = result(100, 1.0, 100);
        large.kind.block_size = Some(BlockSize::KIB_64);
        large.mbps = Some(Iops::whole(100).throughput(BlockSize::KIB_64));
        report.push(job("large", 3), vec![(Direction::Read, large)], allowance);
        let run = &report.into_runs(Format::FioJson)[0];
        let sum = run.tests.last().unwrap();
        assert_eq!(sum.name, "group 3: 2 jobs, read");
        // (300 x 4 KiB + 100 x 64 KiB) / 400 = 19 KiB
        assert_eq!(sum.kind.block_size, Some(BlockSize::kib(19)));
    }
}
