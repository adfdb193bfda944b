//! What is worth knowing of a simulation, as findings.

use super::model::{BucketPlace, BucketRun, Segment, Simulation, VolumeRun};
use super::paid::PaidBurst;
use super::sizing::{DiskNeed, VmNeed};
use crate::catalog::{Axis, Catalog, size_name};
use crate::deployment::Deployment;
use crate::planner::evaluate::Bottleneck;
use crate::planner::findings::caching::{Advised, hits_without_cache, write_heavy};
use crate::planner::findings::queueing::{or_faster, severity};
use crate::planner::findings::unknown_latency::{self, Doubt};
use crate::planner::findings::{Finding, FindingId, Severity, duration};
use crate::units::{Iops, QueueDepth, grouped};
use crate::workload::{Io, Schedule};

/// What is worth knowing of the host caching of `deployment` under `schedule`.
pub(super) fn of_caching(deployment: &Deployment, schedule: &Schedule) -> Vec<Finding> {
    let mut found = mostly_writing(deployment, loads(schedule));
    found.extend(hits_without_cache(deployment, loads(schedule)));
    found
}

/// What nobody knows of the queue depths in `simulation`, which is of `deployment`.
pub(super) fn of_latency(
    catalog: &Catalog,
    deployment: &Deployment,
    simulation: &Simulation,
) -> Option<Finding> {
    let of_volume = |index: usize| {
        let parts = simulation.segments.iter();
        let parts = parts.filter_map(|segment| segment.volumes.get(index));
        unknown_latency::strictest(parts.filter_map(|part| {
            Some(Doubt {
                volume: index,
                prefix: String::new(),
                rate: part.served?.iops,
                needed: part.latency_needed?,
                demanded: part.asked.is_some(),
            })
        }))
    };
    let doubts = (0..simulation.volumes.len()).filter_map(of_volume);
    unknown_latency::finding(catalog, deployment, doubts.collect())
}

/// The loads of the steps of `schedule`.
fn loads(schedule: &Schedule) -> impl Iterator<Item = &[Io]> + Clone {
    schedule.steps().iter().map(|step| step.loads.as_slice())
}

/// Every other finding about `simulation`, which is of a deployment under `schedule`; `advised` is the caching that those
/// of [`of_caching`] advise.
pub(super) fn all(simulation: &Simulation, advised: &Advised, schedule: &Schedule) -> Vec<Finding> {
    let mut found = Vec::new();
    for (index, volume) in simulation.volumes.iter().enumerate() {
        let depth = deepest(loads(schedule), index);
        let larger = larger(simulation, volume, &advised.words(index));
        let instead = after_depth(simulation, volume, larger.clone());
        found.extend(behind_for_depth(simulation, index, depth, larger));
        found.extend(throttled(simulation, volume, instead.clone()));
        found.extend(backlog_left(
            volume,
            depth.and_then(|d| made_of(simulation, index, d)),
            instead,
        ));
    }
    for bucket in &simulation.buckets {
        let of_bucket = credit_empty(simulation, bucket, advised);
        found.extend(of_bucket.or_else(|| credit_low(simulation, bucket, advised)));
    }
    let paid_bursts = simulation.paid_bursts.iter();
    found.extend(paid_bursts.filter_map(|paid| paid_burst(simulation, paid, advised)));
    found
}

/// Cached volumes that mostly write, whenever something is asked of them; the part that is written least decides.
fn mostly_writing<'a>(
    deployment: &Deployment,
    loads: impl Iterator<Item = &'a [Io]> + Clone,
) -> Vec<Finding> {
    let is_asked = |io: &&Io| !io.demand.is_nothing();
    let volumes = deployment.volumes.iter().enumerate();
    let found = volumes.filter_map(|(index, volume)| {
        let of_volume = loads.clone().filter_map(|loads| loads.get(index));
        let shares = of_volume.filter(is_asked).map(|io| io.read_share);
        let most = shares.max_by(|a, b| a.get().total_cmp(&b.get()))?;
        write_heavy(volume, volume.caching(), most)
    });
    found.collect()
}

fn throttled(
    simulation: &Simulation,
    volume: &VolumeRun,
    instead: Option<String>,
) -> Option<Finding> {
    let seconds = volume.throttled_seconds;
    if seconds <= 0.0 {
        return None;
    }
    let by: Vec<String> = (volume.held_by.iter().filter(|held| held.throttles))
        .map(|held| format!("{} {}", held.by, duration(held.seconds)))
        .collect();
    let mut text = format!(
        "throttled for {} of {}: {}",
        duration(seconds),
        duration(simulation.seconds),
        by.join(", "),
    );
    let backlog = volume.backlog;
    if backlog.peak.mb > 0.0 {
        text += &format!("; {} wait", backlog.most());
    }
    Some(
        Finding::new(FindingId::Throttled, Severity::Warning, &volume.name, text)
            .figure("throttled", seconds, "s")
            .figure("backlog", backlog.peak.mb, "MB")
            .fix_if(instead),
    )
}

/// The disks, cached as `caching` says, and the VM that would be enough, where the present ones are not; `None` where that
/// is not known of both.
fn larger(simulation: &Simulation, volume: &VolumeRun, caching: &str) -> Option<String> {
    let sizing = &simulation.sizing;
    let mut parts: Vec<String> = Vec::new();
    let disks = need_of(simulation, &volume.name);
    if let Some(need) = disks.filter(|need| !need.present_lasts_at_depth) {
        parts.push(need.smallest_spec()? + caching);
    }
    let vm = (sizing.vm.as_ref()).filter(|need| !need.present_lasts_at_depth);
    if let (Some(need), Some(present)) = (vm, &simulation.vm) {
        parts.push(sizes(need, &present.size)?);
    }
    let driver = vm.and_then(|need| need.other_controller);
    let driver = driver.map_or_else(String::new, |other| {
        format!(
            "; {other} takes an image with the driver: compute with --interface {}",
            other.name().to_lowercase()
        )
    });
    let never = "would never throttle it";
    (!parts.is_empty()).then(|| format!("{} {never}{driver}", parts.join(" on ")))
}

/// What the volume named `name` needs of its disks.
fn need_of<'a>(simulation: &'a Simulation, name: &str) -> Option<&'a DiskNeed> {
    let mut needs = simulation.sizing.disks.iter();
    needs.find(|need| need.volume == name)
}

/// How many I/Os have to be outstanding on the disks that are enough, where the volume named `name` keeps fewer.
fn keep(simulation: &Simulation, name: &str) -> Option<String> {
    let needed = need_of(simulation, name)?.queue_depth_needed?;
    Some(format!("keep {} I/Os outstanding", grouped(needed, 0)))
}

/// What lifts the limits of `volume`, where its queue depth does not stop it before them; then both.
fn after_depth(
    simulation: &Simulation,
    volume: &VolumeRun,
    larger: Option<String>,
) -> Option<String> {
    match (keep(simulation, &volume.name), larger) {
        (Some(keep), Some(larger)) => Some(format!("{keep}; with them {larger}")),
        (_, larger) => larger,
    }
}

/// The sizes that would be enough in place of `present`; `None` where none would.
fn sizes(need: &VmNeed, present: &str) -> Option<String> {
    let twin = need.other_controller;
    let twin = twin.map(|other| size_name(present, Some(other)));
    let smallest = need.smallest.as_ref().map(|size| {
        let retires = need.smallest_retires.as_ref();
        let day = retires.map_or_else(String::new, |day| {
            format!(", which retires on {day} as well,")
        });
        size_name(size, need.smallest_interface) + &day
    });
    let all: Vec<String> = twin.into_iter().chain(smallest).collect();
    (!all.is_empty()).then(|| all.join(" or "))
}

/// The most I/Os that a step lets the volume at `index` keep outstanding.
fn deepest<'a>(loads: impl Iterator<Item = &'a [Io]>, index: usize) -> Option<QueueDepth> {
    loads
        .filter_map(|loads| loads.get(index)?.queue_depth)
        .max()
}

/// What waits because too few I/Os are outstanding at once (`depth` at most); `larger` is what lifts the limits that it
/// meets with enough of them.
fn behind_for_depth(
    simulation: &Simulation,
    index: usize,
    depth: Option<QueueDepth>,
    larger: Option<String>,
) -> Option<Finding> {
    let volume = simulation.volumes.get(index)?;
    let held = volume
        .held_by
        .iter()
        .find(|held| held.by == Bottleneck::QueueDepth)?;
    let peak = volume.backlog.peak;
    (peak.mb > 0.0).then(|| {
        let unlimited = match volume.throttled_seconds == 0.0 {
            true => " though no limit is reached",
            false => "",
        };
        let text = format!(
            "its queue depth holds it back for {}: {} wait{unlimited}",
            duration(held.seconds),
            volume.backlog.most(),
        );
        let deeper = depth.and_then(|depth| deep_enough(simulation, index, depth));
        let deeper = deeper.map(|deeper| match larger {
            Some(larger) => format!("{deeper}; then {larger}"),
            None => deeper,
        });
        Finding::new(FindingId::QueueDepth, severity(depth), &volume.name, text)
            .figure("held", held.seconds, "s")
            .figure("backlog", peak.mb, "MB")
            .usual_fix()
            .fix_if(deeper)
    })
}

/// What is asked of the volume at `index` and what its queue depth makes of it, where that is least of what is asked.
fn held_by_depth(simulation: &Simulation, index: usize) -> Option<(Iops, Iops)> {
    let segments = simulation.segments.iter();
    let held = segments.filter_map(|segment| segment.volumes.get(index));
    let held = held.filter(|volume| volume.bottleneck == Bottleneck::QueueDepth);
    let rates = held.filter_map(|volume| Some((volume.asked?.iops, volume.served?.iops)));
    let times = |(asked, served): &(Iops, Iops)| asked.get() / served.get();
    rates.max_by(|a, b| times(a).total_cmp(&times(b)))
}

/// What `depth` outstanding I/Os of the volume at `index` make of what is asked, where that is less.
fn made_of(simulation: &Simulation, index: usize, depth: QueueDepth) -> Option<String> {
    let (asked, served) = held_by_depth(simulation, index)?;
    let less = served.get() < asked.get() * (1.0 - ROUNDING);
    less.then(|| format!("queue depth {depth} makes {served} of the {asked} IOPS that are asked"))
}

/// How many I/Os have to be outstanding, or how fast a disk has to answer, for what the volume at `index` is asked while
/// `depth` of them make less.
fn deep_enough(simulation: &Simulation, index: usize, depth: QueueDepth) -> Option<String> {
    let (asked, served) = held_by_depth(simulation, index)?;
    let needed = (f64::from(depth.get()) * asked.get() / served.get() - ROUNDING).ceil();
    (needed > f64::from(depth.get())).then(|| {
        format!(
            "keep {} I/Os outstanding{}",
            grouped(needed, 0),
            or_faster(depth, asked)
        )
    })
}

/// What is more than a number of I/Os by less than this part of one is so by rounding.
const ROUNDING: f64 = 1e-9;

/// `by_depth` is what its queue depth makes of what is asked, where that is why something waits; `instead` is what would
/// never throttle the volume.
fn backlog_left(
    volume: &VolumeRun,
    by_depth: Option<String>,
    instead: Option<String>,
) -> Option<Finding> {
    let left = volume.backlog.left;
    (left.mb > 0.0).then(|| {
        let why = by_depth.map_or_else(String::new, |why| format!(": {why}"));
        let text = format!(
            "{} I/Os ({} MB) that were asked for still wait at the end{why}",
            grouped(left.ios, 0),
            grouped(left.mb, 0),
        );
        let by_depth = (volume.held_by.iter())
            .any(|held| held.by == Bottleneck::QueueDepth)
            .then(|| "keep more I/Os outstanding, as QUEUE-DEPTH advises".to_owned());
        Finding::new(
            FindingId::BacklogLeft,
            Severity::Warning,
            &volume.name,
            text,
        )
        .figure("backlog", left.mb, "MB")
        .fix_if(instead.or(by_depth))
    })
}

fn credit_empty(simulation: &Simulation, bucket: &BucketRun, advised: &Advised) -> Option<Finding> {
    let first = *bucket.emptied_at.first()?;
    if bucket.empty_seconds <= 0.0 {
        return Some(just_enough(simulation, bucket, first));
    }
    let (subject, whose, axis) = (subject(simulation, bucket), whose(bucket), bucket.axis);
    let used = used_before(simulation, bucket, first).unwrap_or(bucket.burst);
    let mut text = format!(
        "{whose} burst credit for {axis} is used up after {}: {} {axis} become {}",
        duration(first),
        grouped(used, 1),
        grouped(bucket.base, 1),
    );
    if bucket.emptied_at.len() > 1 {
        text += &format!("; this happens {} times", bucket.emptied_at.len());
    }
    text += &format!(
        "; it is empty for {} in all",
        duration(bucket.empty_seconds)
    );
    Some(
        Finding::new(FindingId::CreditEmpty, Severity::Warning, subject, text)
            .figure("empty_at", first, "s")
            .figure("empty", bucket.empty_seconds, "s")
            .figure("burst", bucket.burst, axis)
            .figure("base", bucket.base, axis)
            .fix_if(without_credit(simulation, bucket, advised)),
    )
}

/// What carries the load however often it comes again, in place of that whose credit `bucket` is; `None` where that is
/// not known, or what is there does.
fn without_credit(
    simulation: &Simulation,
    bucket: &BucketRun,
    advised: &Advised,
) -> Option<String> {
    let sizing = &simulation.sizing;
    let mut first = None;
    let instead = match &bucket.place {
        BucketPlace::Disk { volume, .. } => {
            let mut runs = simulation.volumes.iter();
            let index = runs.position(|run| run.name == *volume)?;
            let need = need_of(simulation, volume)?;
            let disks = (need.smallest_spec()).filter(|_| !need.present_lasts_at_depth)?;
            first = keep(simulation, volume);
            disks + &advised.words(index)
        }
        BucketPlace::Vm { .. } => {
            let need = (sizing.vm.as_ref()).filter(|need| !need.present_lasts_at_depth)?;
            sizes(need, &simulation.vm.as_ref()?.size)?
        }
    };
    let first = first.map_or_else(String::new, |keep| format!("{keep}, and "));
    Some(format!(
        "{first}take {instead}: that carries the load however often it comes again"
    ))
}

/// Credit that is used up at the very moment at which it is needed no more: nothing is held back for it.
fn just_enough(simulation: &Simulation, bucket: &BucketRun, at: f64) -> Finding {
    let axis = bucket.axis;
    let when = match at < simulation.seconds {
        true => "as less is asked: nothing is held back for it".to_owned(),
        false => format!(
            "as the time that is looked at ends: a load that lasts longer is then held to {} {axis}",
            grouped(bucket.base, 1)
        ),
    };
    let text = format!(
        "{} burst credit for {axis} is used up after {}, just {when}",
        whose(bucket),
        duration(at),
    );
    let subject = subject(simulation, bucket);
    Finding::new(FindingId::CreditEmpty, Severity::Info, subject, text)
        .figure("empty_at", at, "s")
        .figure("empty", bucket.empty_seconds, "s")
        .figure("burst", bucket.burst, bucket.axis)
        .figure("base", bucket.base, bucket.axis)
}

/// A bucket with less than this part of what it holds is low.
const LOW: f64 = 0.1;

/// A bucket that is never empty, but comes near it.
fn credit_low(simulation: &Simulation, bucket: &BucketRun, advised: &Advised) -> Option<Finding> {
    let left = bucket.lowest / bucket.full;
    // What it holds at the start is given, not a consequence of the load.
    if left >= LOW || bucket.lowest >= bucket.start {
        return None;
    }
    let at = lowest_at(simulation, bucket)?;
    let (whose, axis) = (whose(bucket), bucket.axis);
    let used = used_before(simulation, bucket, at)?;
    let lasts = bucket.lowest / (used - bucket.base);
    let unit = match axis {
        Axis::Iops => "I/Os",
        Axis::Mbps => "MB",
    };
    let text = format!(
        "{whose} burst credit for {axis} falls to {} % after {} ({} of {} {unit}): at that rate it would be empty in \
         another {}, and {} {axis} become {}",
        grouped(left * 100.0, 1),
        duration(at),
        grouped(bucket.lowest, 0),
        grouped(bucket.full, 0),
        duration(lasts),
        grouped(used, 1),
        grouped(bucket.base, 1),
    );
    let subject = subject(simulation, bucket);
    Some(
        Finding::new(FindingId::CreditLow, Severity::Warning, subject, text)
            .figure("lowest", bucket.lowest, unit)
            .figure("full", bucket.full, unit)
            .figure("lowest_at", at, "s")
            .figure("empty_in", lasts, "s")
            .fix_if(without_credit(simulation, bucket, advised)),
    )
}

/// When a bucket holds least, at first.
fn lowest_at(simulation: &Simulation, bucket: &BucketRun) -> Option<f64> {
    let index = simulation.buckets.iter().position(|one| one == bucket)?;
    let is_lowest = |segment: &&Segment| {
        segment
            .buckets
            .get(index)
            .is_some_and(|b| b.to <= bucket.lowest)
    };
    simulation
        .segments
        .iter()
        .find(is_lowest)
        .map(|segment| segment.end)
}

/// Whose bucket it is, as a finding's subject.
fn subject(simulation: &Simulation, bucket: &BucketRun) -> String {
    match (&bucket.place, &simulation.vm) {
        (BucketPlace::Disk { volume, .. }, _) => volume.clone(),
        (BucketPlace::Vm { .. }, Some(vm)) => vm.size.clone(),
        (BucketPlace::Vm { .. }, None) => String::new(),
    }
}

/// Whose bucket it is, in a sentence.
fn whose(bucket: &BucketRun) -> String {
    match &bucket.place {
        BucketPlace::Disk { .. } => "the disk's".to_owned(),
        BucketPlace::Vm { ceiling } => format!("the VM's {}", ceiling.name()),
    }
}

/// What was used of the limit of `bucket` just before `seconds`: its base and what it spent.
fn used_before(simulation: &Simulation, bucket: &BucketRun, seconds: f64) -> Option<f64> {
    let index = simulation.buckets.iter().position(|one| one == bucket)?;
    let before = |segment: &&Segment| segment.start < seconds;
    let segment = simulation.segments.iter().rev().find(before)?;
    let change = segment.buckets.get(index)?;
    Some(bucket.base + (change.from - change.to) / segment.seconds())
}

fn paid_burst(simulation: &Simulation, paid: &PaidBurst, advised: &Advised) -> Option<Finding> {
    let mut runs = simulation.volumes.iter();
    let index = runs.position(|run| run.name == paid.volume);
    let caching = index.map_or_else(String::new, |index| advised.words(index));
    (paid.transactions > 0.0).then(|| {
        let text = format!(
            "{} burst transactions in {} ({} billed units of 10,000), besides {} h of enablement",
            grouped(paid.transactions, 0),
            duration(paid.seconds),
            grouped(paid.billed_units, 1),
            grouped(paid.enabled_hours, 0),
        );
        let plus = paid.sufficient_plus.as_ref().map(|spec| {
            format!("{spec}{caching} does as much without bursting and without a price for it, where the disk can be made anew")
        });
        let tier = paid.sufficient_tier.as_ref().map(|tier| {
            format!("performance tier {tier} does as much without bursting: compare its price")
        });
        let ways: Vec<String> = plus.into_iter().chain(tier).collect();
        let fix = (!ways.is_empty()).then(|| ways.join("; or "));
        Finding::new(FindingId::PaidBurst, Severity::Info, &paid.volume, text)
            .figure("transactions", paid.transactions, "transactions")
            .figure("enabled", paid.enabled_hours, "h")
            .fix_if(fix)
    })
}
