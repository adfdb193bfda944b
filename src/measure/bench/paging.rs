//! Paging at measured latency, on the drives of the runs; at typical latency, on volumes that nothing was measured of.
//! A run may have had burst credit: where its disk is named, what holds without credit bounds the rate as well.

use super::{Bench, Request, RunReport};
use crate::catalog::{Basis, Catalog};
use crate::measure::identify::Place;
use crate::measure::judge::predict::sustained;
use crate::measure::judge::{LATENCY_BLOCK, TestReport};
use crate::planner::paging::{Paging, PagingDrive, PagingTime};
use crate::units::{BlockSize, GiB, Iops, Latency, MBps, Share};
use crate::workload::{Io, Pattern};

/// The drives of all runs, and what the deployment or the VM has beside them.
pub(super) fn of_runs(
    catalog: &Catalog,
    bench: &Bench,
    request: &Request<'_>,
    amount: GiB,
) -> Paging {
    let mut drives: Vec<PagingDrive> = bench
        .runs
        .iter()
        .map(|run| drive(run, request, amount))
        .collect();
    if let Some(deployment) = request.deployment {
        let typical = Paging::of_deployment(catalog, deployment, amount).drives;
        let measured = |drive: &PagingDrive| {
            bench
                .runs
                .iter()
                .any(|run| run.volume.as_deref() == Some(drive.name.as_str()))
        };
        drives.extend(typical.into_iter().filter(|drive| !measured(drive)));
    }
    Paging::of_drives(amount, drives)
}

fn drive(run: &RunReport, request: &Request<'_>, amount: GiB) -> PagingDrive {
    let latency = |direction| one_at_a_time(run, direction);
    let time = |direction| {
        let most = most_mbps(run, direction);
        PagingTime::new(amount, |block| {
            let alone = latency(direction)?.queue_depth_1_ceiling();
            let measured = most.map(|mbps: MBps| mbps.iops_at(block));
            let bounds = measured
                .into_iter()
                .chain(held(run, request, block, direction));
            Some(bounds.fold(alone, Iops::min))
        })
    };
    let read = latency(Share::ALL);
    PagingDrive {
        name: run.label.clone(),
        local: is_local(run, request),
        latency_us: read,
        basis: read.map(|_| Basis::Measured),
        page_in: time(Share::ALL),
        page_out: time(Share::NONE),
    }
}

/// The rate of such I/O that the named disk and its VM hold without burst credit or cached pages.
fn held(
    run: &RunReport,
    request: &Request<'_>,
    block_size: BlockSize,
    read_share: Share,
) -> Option<Iops> {
    let deployment = request.deployment?;
    let volume = deployment.position(run.volume.as_deref()?)?;
    let io = Io {
        block_size,
        read_share,
        ..Io::RANDOM_4K
    };
    sustained(deployment, volume, &io).map(|limit| limit.iops)
}

fn is_local(run: &RunReport, request: &Request<'_>) -> bool {
    match (&run.identification, &run.volume, request.deployment) {
        (Some(identification), ..) => identification.place.is_local(),
        (None, Some(volume), Some(deployment)) => deployment
            .position(volume)
            .and_then(|index| deployment.volumes.get(index))
            .is_some_and(|v| v.members.iter().all(|d| d.model.family.is_local())),
        _ => false,
    }
}

/// The latency of small random I/O in one direction, one at a time.
fn one_at_a_time(run: &RunReport, direction: Share) -> Option<Latency> {
    let is = |test: &&TestReport| {
        test.kind.outstanding() == Some(1)
            && test.kind.read_share == Some(direction)
            && test.kind.pattern != Some(Pattern::Sequential)
            && test
                .kind
                .block_size
                .is_some_and(|block| block <= LATENCY_BLOCK)
    };
    let test = run.judgement.tests.iter().find(is)?;
    test.latency_us.or(test.implied_latency_us)
}

fn most_mbps(run: &RunReport, direction: Share) -> Option<MBps> {
    let tests = run.judgement.tests.iter();
    tests
        .filter(|test| test.kind.read_share == Some(direction))
        .filter_map(|test| test.mbps)
        .reduce(MBps::max)
}

/// Whether a page file does not belong on what was measured: it is persistent and far slower than an SSD.
pub(super) fn unfit(run: &RunReport) -> bool {
    let place = run
        .identification
        .as_ref()
        .map(|identification| identification.place);
    matches!(place, Some(Place::Persistent { slow: true, .. }))
}
