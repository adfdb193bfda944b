//! What a run shows that tells disks apart: rates by block size, latency at queue depth 1, the capacity, the drive.

use crate::catalog::Axis;
use crate::measure::judge::consistency::{self, one_at_a_time};
use crate::measure::judge::flushes::setting_the_pace;
use crate::measure::judge::measured::Measured;
use crate::measure::judge::{LATENCY_BLOCK, shallow_and_deep};
use crate::measure::model::{Format, Run, Test};
use crate::measure::test_name;
use crate::units::{BlockSize, GiB, Latency, MBps, Share};
use crate::workload::Pattern;

/// One figure.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Point {
    /// The test in words.
    pub name: String,
    /// Bytes of one I/O.
    pub block: BlockSize,
    /// I/Os per second.
    pub rate: f64,
    /// The throughput that goes with it, as told where it is.
    pub mbps: MBps,
    /// Whether small I/Os were done one at a time, so that their latency makes the rate.
    pub alone: bool,
}

impl Point {
    /// The axis whose limit binds I/Os of its size: large ones move bytes, small ones count I/Os.
    pub fn axis(&self) -> Axis {
        if self.block >= BlockSize::KIB_64 {
            Axis::Mbps
        } else {
            Axis::Iops
        }
    }
}

/// The latency of one random small I/O at a time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OneAtATime {
    /// The test in words.
    pub name: String,
    /// Mean latency, measured or implied.
    pub latency: Latency,
    /// Bytes of one I/O.
    pub block: Option<BlockSize>,
}

/// Everything that a run shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evidence {
    /// The figures of whole tests.
    pub points: Vec<Point>,
    /// Reads one at a time, else writes.
    pub one: Option<OneAtATime>,
    /// Why there is no such test, where there is none.
    pub no_one: &'static str,
    /// What so many outstanding random reads make over one, and how many they are.
    pub queue_gain: Option<(f64, u32)>,
    /// The fastest read.
    pub most_read: Option<MBps>,
    /// The capacity of what was measured, where the tool tells it.
    pub capacity: Option<GiB>,
    /// What was measured, as the tool names it.
    pub target: Option<String>,
    /// Whether the tool or the host is Windows.
    pub windows: bool,
}

impl Evidence {
    pub(super) fn new(run: &Run) -> Self {
        let reads =
            |test: &&Test| test.kind.read_share == Some(Share::ALL) && test.part_of.is_none();
        Self {
            points: run.tests.iter().filter_map(point).collect(),
            one: one(run, Share::ALL).or_else(|| one(run, Share::NONE)),
            no_one: no_one(run),
            queue_gain: queue_gain(run),
            most_read: run
                .tests
                .iter()
                .filter(reads)
                .filter_map(|t| t.mbps)
                .reduce(MBps::max),
            capacity: run.measured().and_then(capacity_in),
            windows: is_windows(run),
            target: run.measured().map(str::to_owned),
        }
    }

    /// The figures that are not made by the latency of one small I/O at a time, which may be near a limit by chance.
    pub(super) fn queued(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| !point.alone)
    }

    /// Whether some test is of a block that the limit of an axis binds.
    pub(super) fn tested(&self, axis: Axis) -> bool {
        self.points.iter().any(|point| point.axis() == axis)
    }

    /// Whether what was measured goes by the name that Azure gives the temporary disk: drive D: on Windows; on Linux the
    /// second SCSI disk, mounted on `/mnt` or `/mnt/resource`.
    pub(super) fn is_temp_by_name(&self) -> bool {
        let Some(target) = self.target.as_deref() else {
            return false;
        };
        let starts = |start: &str| {
            target
                .get(..start.len())
                .is_some_and(|s| s.eq_ignore_ascii_case(start))
        };
        let mounted = |path: &str| {
            target
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if self.windows {
            starts("D:")
        } else {
            mounted("/mnt/resource")
                || target == "/mnt"
                || mounted("/dev/sdb")
                || mounted("/dev/disk/azure/resource")
        }
    }
}

fn is_windows(run: &Run) -> bool {
    let tool = matches!(
        run.format,
        Format::CrystalDiskMark | Format::DiskspdText | Format::DiskspdXml | Format::Perfmon
    );
    let on_letter = |target: &String| {
        let mut chars = target.chars();
        chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':')
    };
    tool || run.target.as_ref().is_some_and(on_letter)
        || run
            .os
            .as_deref()
            .is_some_and(|os| os.to_lowercase().contains("windows"))
}

/// The figure of a test; none where its flushes set the pace: a rate that they leave is near some limit by chance.
fn point(test: &Test) -> Option<Point> {
    if setting_the_pace(test).is_some() {
        return None;
    }
    let measured = Measured::new(test).ok()?;
    Some(Point {
        name: test_name::describe(&test.kind),
        block: measured.io.block_size,
        rate: measured.iops.get(),
        mbps: (test.mbps).unwrap_or_else(|| measured.iops.throughput(measured.io.block_size)),
        alone: one_at_a_time(test) && measured.io.block_size <= LATENCY_BLOCK,
    })
}

/// The random small test of one direction with one I/O outstanding.
fn one(run: &Run, direction: Share) -> Option<OneAtATime> {
    let test = run.tests.iter().find(|test| {
        one_at_a_time(test)
            && setting_the_pace(test).is_none()
            && test.kind.pattern == Some(Pattern::Random)
            && test.kind.read_share == Some(direction)
            && test
                .kind
                .block_size
                .is_some_and(|block| block <= LATENCY_BLOCK)
    })?;
    Some(OneAtATime {
        name: test_name::describe(&test.kind),
        latency: consistency::latency(test)?,
        block: test.kind.block_size,
    })
}

/// Which test comes nearest to one random I/O of one direction at a time, and what it lacks.
fn no_one(run: &Run) -> &'static str {
    let alone = || {
        run.tests.iter().filter(|test| {
            let block = test.kind.block_size;
            one_at_a_time(test) && block.is_none_or(|block| block <= LATENCY_BLOCK)
        })
    };
    if alone().any(|test| test.kind.pattern == Some(Pattern::Random)) {
        "the only test with one random I/O at a time is a mixed one: the latency of reads alone would tell"
    } else if alone().any(|test| test.kind.pattern.is_none()) {
        "of the test with one I/O at a time it is not said whether it is random: the latency of random I/O would tell"
    } else {
        "there is no test with one random I/O at a time: its latency would tell"
    }
}

fn queue_gain(run: &Run) -> Option<(f64, u32)> {
    let (shallow, deep) = shallow_and_deep(run)?;
    let gain = consistency::rate(deep)?.get() / consistency::rate(shallow)?.get();
    Some((gain, deep.kind.outstanding()?))
}

/// The capacity in a drive as CrystalDiskMark names it: `C: 10.2% (12.9/127.0 GiB)`.
fn capacity_in(target: &str) -> Option<GiB> {
    let (_, behind) = target.rsplit_once('/')?;
    behind.trim_end_matches([')', ']', ' ']).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_capacity_is_read_from_the_drive() {
        assert_eq!(capacity_in("F: 1.2% (6.1/511.5 GiB)"), GiB::new(511.5).ok());
        assert_eq!(
            capacity_in("E: 41.4% (635.1/1536.0 MiB)"),
            GiB::new(1.5).ok()
        );
        assert_eq!(capacity_in("/dev/sdb"), None);
        assert_eq!(capacity_in("D:"), None);
    }
}
