//! Figures that hold only for a while.

use super::suggest::retires;
use super::unmet::{any_of, on, on_larger_size, with_members};
use super::vm_caps::decimals;
use super::{Context, Finding, FindingId, Severity, duration};
use crate::catalog::Axis;
use crate::deployment::Deployment;
use crate::deployment::Role;
use crate::planner::assessment::{VolumeResult, VolumeView, WorkloadView};
use crate::planner::evaluate::{Bottleneck, Outcome, evaluate};
use crate::planner::plateaus::{self, EmptyBucket, Plateau};
use crate::planner::system::{Phase, System};
use crate::planner::timeline::steady;
use crate::planner::unusable::provisioned;
use crate::units::{BlockSize, Iops, MBps, QueueDepth, grouped};
use crate::workload::{Demand, Io};

/// A fall smaller than this part is not worth a finding.
const NOTICEABLE: f64 = 0.01;

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let workloads = &context.assessment.workloads;
    let mut found: Vec<Finding> = Vec::new();
    let mut data_bursts = false;
    let some_unknown = context.has_unknown_limits();
    for (index, volume) in context.assessment.volumes.iter().enumerate() {
        if context.has_unknown_limit(&volume.name) {
            continue;
        }
        let runs = workloads
            .iter()
            .filter_map(|w| Some((w, w.volumes.get(index)?.plateaus.as_slice())));
        let only = burst_only(context, Subject::Volume(index, volume), runs);
        let of_disk = only.iter().any(|f| f.id == FindingId::BurstOnly);
        data_bursts |= of_disk && volume.role != Role::Os;
        found.extend(only);
        if !some_unknown {
            found.extend(neighbour(context, index));
        }
    }
    found.extend(of_all(context, data_bursts));
    found
}

/// What falls of all volumes that draw on credit, at once; nothing of a single one. Where no data disk bursts, by the VM's
/// credit only: that of the OS disk is said with the OS disk.
fn of_all(context: &Context<'_>, data_bursts: bool) -> Vec<Finding> {
    let deployment = context.deployment;
    let count = deployment.volumes.len();
    let counted = (0..count).filter(|index| counts(context, *index)).count();
    if counted < 2 {
        return Vec::new();
    }
    let plateaus = |workload: &WorkloadView| match counted == count {
        true => workload.plateaus.clone(),
        false => of_known(context, workload),
    };
    let workloads = context.assessment.workloads.iter();
    let runs: Vec<(&WorkloadView, Vec<Plateau>)> = workloads.map(|w| (w, plateaus(w))).collect();
    let runs = runs.iter().map(|(w, plateaus)| (*w, plateaus.as_slice()));
    burst_only(context, Subject::All { data_bursts }, runs)
}

/// Whether the volume at `index` is among those that are looked at all at once: its limits are known, and credit may have a
/// part in what it gets.
fn counts(context: &Context<'_>, index: usize) -> bool {
    !is_unknown(context, index) && draws_on_credit(context.deployment, index)
}

/// Whether a limit of the volume at `index` is unknown.
fn is_unknown(context: &Context<'_>, index: usize) -> bool {
    let volume = context.deployment.volumes.get(index);
    volume.is_some_and(|volume| context.has_unknown_limit(&volume.name))
}

/// How far the volumes fall that count, as if those of unknown limits were not there: with them it is no less.
fn of_known(context: &Context<'_>, workload: &WorkloadView) -> Vec<Plateau> {
    let mut known = context.deployment.clone();
    known
        .volumes
        .retain(|volume| !context.has_unknown_limit(&volume.name));
    let results = workload.volumes.iter();
    let results = results.filter(|result| !context.has_unknown_limit(&result.volume));
    let loads: Vec<Io> = results.map(|result| result.io).collect();
    plateaus::of_some(&known, &loads, |index| draws_on_credit(&known, index))
}

/// Whether credit may have a part in what the volume at `index` gets. A local disk has none but that of the ceiling of the
/// host's SSD.
fn draws_on_credit(deployment: &Deployment, index: usize) -> bool {
    let is_local = (deployment.volumes.get(index)).is_some_and(|v| v.role == Role::Local);
    let vm = deployment.vm.as_ref();
    !is_local || vm.is_some_and(|vm| vm.cached.burst.is_some())
}

/// `all volumes at once`, and which of them are not counted.
fn all_at_once(context: &Context<'_>) -> String {
    let names = |is_out: fn(&Context<'_>, usize) -> bool| {
        let volumes = context.deployment.volumes.iter().enumerate();
        let out = volumes.filter(|(index, _)| is_out(context, *index));
        let names: Vec<&str> = out.map(|(_, volume)| volume.name.as_str()).collect();
        names.join(", ")
    };
    let without = [
        (
            names(|context, index| !is_unknown(context, index) && !counts(context, index)),
            "which has no credit",
        ),
        (names(is_unknown), "of unknown limits"),
    ];
    let without = without.iter().filter(|(names, _)| !names.is_empty());
    let without: Vec<String> = without
        .map(|(names, why)| format!("without {names}, {why}"))
        .collect();
    match without.as_slice() {
        [] => "all volumes at once: ".to_owned(),
        all => format!("all volumes at once ({}): ", all.join("; ")),
    }
}

/// What the table shows of all volumes in burst, where that is more than `first` for what a host cache absorbs, as the
/// beginning of what follows.
fn absorbed(context: &Context<'_>, workload: &WorkloadView, axis: Axis, first: f64) -> String {
    let volumes = workload.volumes.iter().enumerate();
    let counted = volumes.filter(|(index, _)| counts(context, *index));
    let rates: Option<f64> = counted
        .map(|(_, result)| on(&result.together.burst, axis))
        .sum();
    match rates.map(|rates| shown(rates, axis)) {
        Some(more) if rates > Some(first) && more != shown(first, axis) => {
            format!("{more} {axis} while a host cache absorbs writes, then ")
        }
        _ => String::new(),
    }
}

/// A workload whose rate falls on an axis, and how.
type Falling<'a> = (&'a WorkloadView, Axis, &'a [Plateau]);

/// What falls once credit is used up.
#[derive(Clone, Copy)]
enum Subject<'a> {
    /// The volume at an index by itself.
    Volume(usize, &'a VolumeView),
    /// All volumes at once, and whether a data disk among them bursts.
    All { data_bursts: bool },
}

impl Subject<'_> {
    const fn role(self) -> Role {
        match self {
            Self::Volume(_, volume) => volume.role,
            Self::All { .. } => Role::Data,
        }
    }

    /// Whether the credit of disks counts for what is said.
    const fn counts_disks(self) -> bool {
        !matches!(self, Self::All { data_bursts: false })
    }
}

/// One finding for everything about `subject` that falls once the credit of a disk is used up, and one for that of the
/// VM: what helps against the one does not help against the other.
fn burst_only<'a>(
    context: &Context<'_>,
    subject: Subject<'_>,
    runs: impl Iterator<Item = (&'a WorkloadView, &'a [Plateau])>,
) -> Vec<Finding> {
    let falling: Vec<Falling<'a>> = runs
        .filter_map(|(workload, plateaus)| {
            let axis = axis_of(plateaus, workload, subject)?;
            falls(plateaus, axis).then_some((workload, axis, plateaus))
        })
        .collect();
    let falling = heaviest(falling);
    let several = falling.len() > 1;
    let caused = |by_disk: bool| -> Vec<Falling<'a>> {
        let cause = |one: &&Falling<'a>| {
            main_cause(&[**one], subject.counts_disks()).map(|b| b.ceiling.is_none())
        };
        let those = falling.iter().filter(|one| cause(one) == Some(by_disk));
        those.copied().collect()
    };
    [true, false]
        .into_iter()
        .map(|by_disk| (by_disk, caused(by_disk)))
        .filter(|(_, falling)| !falling.is_empty())
        .map(|(by_disk, falling)| told_of(context, subject, by_disk, several, &falling))
        .collect()
}

/// The finding about what falls by the credit of a disk, or of the VM.
fn told_of(
    context: &Context<'_>,
    subject: Subject<'_>,
    by_disk: bool,
    several: bool,
    falling: &[Falling<'_>],
) -> Finding {
    let sentence = |(workload, axis, plateaus): &Falling<'_>| {
        let mut text = told(*axis, plateaus);
        if let (Subject::All { .. }, Some(first)) = (subject, plateaus.first()) {
            text = absorbed(context, workload, *axis, rate(first, *axis)) + &text;
        }
        match several {
            true => format!("{}: {text}", workload.name),
            false => text,
        }
    };
    let sentences: Vec<String> = falling.iter().map(sentence).collect();
    let id = if by_disk {
        FindingId::BurstOnly
    } else {
        FindingId::VmBurstOnly
    };
    let (name, prefix) = match subject {
        Subject::Volume(_, volume) => (volume.name.as_str(), context.by_itself().to_owned()),
        Subject::All { .. } => (context.of_all(), all_at_once(context)),
    };
    let doubt = match subject {
        Subject::Volume(index, _) if by_disk => context.deployment.volumes[index].burst_doubt(),
        _ => None,
    };
    let doubt = doubt.map_or_else(String::new, |doubt| format!("; {doubt}"));
    let text = format!("{prefix}only from credit: {}{doubt}", sentences.join(". "));
    // An OS disk is read at starts and seldom else.
    let severity = match (subject.role(), by_disk) {
        (Role::Os, true) => Severity::Info,
        _ => Severity::Warning,
    };
    let mut finding = Finding::new(id, severity, name, text);
    for (_, axis, plateaus) in falling {
        for plateau in steps(*axis, plateaus) {
            finding = finding.figure("rate", rate(&plateau, *axis), axis);
            if let Some(seconds) = plateau.lasts_seconds {
                finding = finding.figure("lasts", seconds, "s");
            }
        }
    }
    let instead = match (by_disk, subject) {
        (true, Subject::Volume(index, _)) => provisioned_for(context, index, falling),
        (true, Subject::All { .. }) => None,
        (false, _) => Some(base_ceilings(context)),
    };
    let instead = instead.unwrap_or_else(|| match subject {
        Subject::All { .. } => provisioned_disks(falling),
        Subject::Volume(..) => "disks provisioned for as much".to_owned(),
    });
    // Without the one credit there is the other: what helps takes both.
    let of_vm = |plateau: &Plateau| plateau.ended_by.as_ref().map(|b| b.ceiling.is_some());
    let mut plateaus = falling.iter().flat_map(|(_, _, plateaus)| *plateaus);
    let and = match (
        plateaus.any(|plateau| of_vm(plateau) == Some(by_disk)),
        by_disk,
    ) {
        (false, _) => String::new(),
        (true, true) if instead.contains("on a larger size") => String::new(),
        (true, true) => format!("; and {}", base_ceilings(context)),
        (true, false) => format!("; and {}", provisioned_disks(falling)),
    };
    finding.fix(format!(
        "plan with the last figures, or take {instead}{and}"
    ))
}

/// A size that does without credit what the present one does with it, in words.
fn base_ceilings(context: &Context<'_>) -> String {
    let series = match retires(context) {
        true => ", of a series that stays",
        false => "",
    };
    format!("a size whose base ceilings are enough{series}")
}

/// Disks that do without credit what the present ones do with it, in words: those whose credit ends.
fn provisioned_disks(falling: &[Falling<'_>]) -> String {
    let plateaus = falling.iter().flat_map(|(_, _, plateaus)| *plateaus);
    let mut names: Vec<&str> = Vec::new();
    let ended_by = plateaus.filter_map(|plateau| plateau.ended_by.as_ref());
    for name in ended_by.flat_map(|bucket| &bucket.volumes) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [] => "disks provisioned for as much".to_owned(),
        names => format!(
            "disks provisioned for as much in place of {}",
            names.join(", ")
        ),
    }
}

/// Disks for the volume at `index` whose provisioned figures are what the present ones do while their credit lasts; where
/// all it gets less than is asked of it, what is asked.
fn provisioned_for(context: &Context<'_>, index: usize, falling: &[Falling<'_>]) -> Option<String> {
    let mut asked = false;
    let mut load = |(workload, axis, plateaus): &Falling<'_>| -> Option<Vec<Io>> {
        let first = plateaus.first()?;
        let rate = rate(first, *axis);
        let mut loads: Vec<Io> = workload.volumes.iter().map(|v| v.io).collect();
        let own = loads.get_mut(index)?;
        own.queue_depth = None;
        // What a disk stops even while its credit lasts needs a disk for more than that.
        let stays_below = matches!(first.bottleneck, Bottleneck::Disk { .. });
        if stays_below && own.demand != Demand::Max {
            asked = true;
            return Some(loads);
        }
        own.demand = match axis {
            Axis::Iops => Demand::Iops(Iops::new(rate).ok()?),
            Axis::Mbps => Demand::Mbps(MBps::new(rate).ok()?),
        };
        Some(loads)
    };
    let loads: Option<Vec<Vec<Io>>> = falling.iter().map(&mut load).collect();
    let (mut loads, deployment) = (loads?, context.deployment);
    let of_others = |axis: &Axis| !falling.iter().any(|(_, falls, _)| falls == axis);
    let axes = [Axis::Iops, Axis::Mbps].into_iter().filter(of_others);
    let kept: Vec<Vec<Io>> = axes
        .filter_map(|axis| no_less(deployment, index, axis, loads.first()?))
        .collect();
    loads.extend(kept);
    let advised = &context.advised.deployment;
    let disks = steady::disks(context.catalog, advised, &loads, index);
    let count = deployment.volumes[index].members.len();
    let moved = with_members(advised, index, disks.first()?);
    let larger = loads.iter().take(falling.len()).find_map(|loads| {
        let system = System::alone(&moved, index, loads);
        let outcome = evaluate(&system, Phase::Sustained).outcomes[0];
        on_larger_size(context, &outcome, loads[index].demand)
    });
    let as_much = match asked {
        true => "all that is asked",
        false => "as much",
    };
    Some(format!(
        "{}{}, provisioned for {as_much}{}",
        any_of(&disks, count),
        context.advised.words(index),
        larger.unwrap_or_default()
    ))
}

/// `loads` with what the volume at `index` is provisioned for on `axis` asked of it: what takes its place has no less.
fn no_less(deployment: &Deployment, index: usize, axis: Axis, loads: &[Io]) -> Option<Vec<Io>> {
    let has = provisioned(deployment.volumes.get(index)?).on(axis)?;
    let mut loads = loads.to_vec();
    let own = loads.get_mut(index)?;
    (own.block_size, own.demand) = match axis {
        Axis::Iops => (BlockSize::KIB_4, Demand::Iops(Iops::new(has).ok()?)),
        Axis::Mbps => (BlockSize::MIB_1, Demand::Mbps(MBps::new(has).ok()?)),
    };
    Some(loads)
}

/// The credit whose end lowers the rate most; of the VM's only, where that of disks does not count.
fn main_cause<'a>(
    falling: &[(&'a WorkloadView, Axis, &'a [Plateau])],
    counts_disks: bool,
) -> Option<&'a EmptyBucket> {
    let mut most: Option<(f64, &EmptyBucket)> = None;
    for (_, axis, plateaus) in falling {
        let first = rate(plateaus.first()?, *axis);
        for pair in plateaus.windows(2) {
            let fall = (rate(&pair[0], *axis) - rate(&pair[1], *axis)) / first;
            if let Some(bucket) = &pair[0].ended_by
                && (counts_disks || bucket.ceiling.is_some())
                && most.is_none_or(|(largest, _)| fall > largest)
            {
                most = Some((fall, bucket));
            }
        }
    }
    most.map(|(_, bucket)| bucket)
}

/// Without the tests of one I/O at a time, where a deeper one falls on the same axis: it says the same, more weightily.
fn heaviest<'a>(
    falling: Vec<(&'a WorkloadView, Axis, &'a [Plateau])>,
) -> Vec<(&'a WorkloadView, Axis, &'a [Plateau])> {
    let shallow = |w: &WorkloadView| {
        let one = |v: &VolumeResult| v.io.queue_depth == Some(QueueDepth::ONE);
        w.volumes.iter().all(one)
    };
    let deep: Vec<Axis> = falling
        .iter()
        .filter(|(w, ..)| !shallow(w))
        .map(|(_, axis, _)| *axis)
        .collect();
    let keeps =
        |(w, axis, _): &(&WorkloadView, Axis, &[Plateau])| !shallow(w) || !deep.contains(axis);
    falling.into_iter().filter(keeps).collect()
}

/// The axis that the load is told on: of the credit whose end lowers it most, where a limit stops it from the start on; of
/// a demand that is met at first, the one in which it is asked.
fn axis_of(plateaus: &[Plateau], workload: &WorkloadView, subject: Subject<'_>) -> Option<Axis> {
    let in_mbps = |result: &VolumeResult| matches!(result.io.demand, Demand::Mbps(_));
    let asked_in_mbps = match subject {
        Subject::Volume(index, _) => workload.volumes.get(index).is_some_and(in_mbps),
        Subject::All { .. } => workload.volumes.iter().all(in_mbps),
    };
    let asked = match asked_in_mbps {
        true => Axis::Mbps,
        false => Axis::Iops,
    };
    let limited = plateaus.first()?.bottleneck.axis().map(|limited| {
        let falling = [(workload, limited, plateaus)];
        let cause = main_cause(&falling, subject.counts_disks()).map(|bucket| bucket.axis);
        // Of volumes with different block sizes the sum may fall in one unit and not in the other.
        cause
            .filter(|axis| falls(plateaus, *axis))
            .unwrap_or(limited)
    });
    Some(limited.unwrap_or(asked))
}

/// How `rate` reads on `axis`.
fn shown(rate: f64, axis: Axis) -> String {
    grouped(rate, decimals(axis))
}

/// The plateaus, those that follow each other and read the same as one.
fn steps(axis: Axis, plateaus: &[Plateau]) -> Vec<Plateau> {
    let mut steps: Vec<Plateau> = Vec::new();
    for plateau in plateaus {
        let reads = |of: &Plateau| shown(rate(of, axis), axis);
        match steps.last_mut() {
            Some(last) if reads(last) == reads(plateau) => {
                let lasts = last.lasts_seconds.zip(plateau.lasts_seconds);
                last.lasts_seconds = lasts.map(|(before, more)| before + more);
                last.ended_by.clone_from(&plateau.ended_by);
            }
            _ => steps.push(plateau.clone()),
        }
    }
    steps
}

fn rate(plateau: &Plateau, axis: Axis) -> f64 {
    let rate = match axis {
        Axis::Iops => plateau.iops,
        Axis::Mbps => plateau.mbps,
    };
    rate.unwrap_or(0.0)
}

fn falls(plateaus: &[Plateau], axis: Axis) -> bool {
    match (plateaus.first(), plateaus.last()) {
        (Some(first), Some(last)) => rate(last, axis) < rate(first, axis) * (1.0 - NOTICEABLE),
        _ => false,
    }
}

/// Whose credit ends: `the VM's uncached MB/s credit`, `the disk's IOPS credit`, of several volumes `IOPS credit of data`.
fn credit(bucket: &EmptyBucket) -> String {
    match (bucket.ceiling, bucket.volumes.as_slice()) {
        (Some(ceiling), _) => format!("the VM's {} {} credit", ceiling.name(), bucket.axis),
        (None, []) => format!("the disk's {} credit", bucket.axis),
        (None, volumes) => format!("{} credit of {}", bucket.axis, volumes.join(", ")),
    }
}

/// `200 MB/s for 30 min (VM uncached MB/s credit), then 48 MB/s; empty credit takes 95 min to fill when idle`.
fn told(axis: Axis, plateaus: &[Plateau]) -> String {
    let part = |plateau: &Plateau| {
        let rate = shown(rate(plateau, axis), axis);
        match (plateau.lasts_seconds, &plateau.ended_by) {
            (Some(seconds), Some(bucket)) => {
                format!(
                    "{rate} {axis} for {} ({})",
                    duration(seconds),
                    credit(bucket)
                )
            }
            (Some(seconds), None) => format!("{rate} {axis} for {}", duration(seconds)),
            (None, _) => format!("{rate} {axis}"),
        }
    };
    let steps = steps(axis, plateaus);
    let parts: Vec<String> = steps.iter().map(part).collect();
    let rises = steps
        .windows(2)
        .any(|pair| rate(&pair[1], axis) > rate(&pair[0], axis));
    let why = match rises {
        true => "; that it rises comes of volumes that take what one without credit leaves",
        false => "",
    };
    let refill = plateaus
        .iter()
        .filter_map(|p| p.ended_by.as_ref()?.refill_seconds)
        .max()
        .map(|seconds| {
            format!(
                "; empty credit takes {} to fill when idle",
                duration(seconds as f64)
            )
        });
    format!(
        "{}{why}{}",
        parts.join(", then "),
        refill.unwrap_or_default()
    )
}

/// A volume that gets less when everybody has credit than when nobody has.
fn neighbour(context: &Context<'_>, index: usize) -> Option<Finding> {
    let rate = |o: &Outcome| o.iops.map_or(f64::INFINITY, Iops::get);
    let workloads = context.assessment.workloads.iter();
    let (workload, robbed) = workloads
        .filter_map(|workload| Some((workload, workload.volumes.get(index)?)))
        .find(|(_, r)| {
            rate(&r.together.burst) < rate(&r.together.sustained) * (1.0 - NOTICEABLE)
        })?;
    let (burst, sustained) = (&robbed.together.burst, &robbed.together.sustained);
    // In the unit of the ceiling that is shared.
    let axis = burst.bottleneck.axis().unwrap_or(Axis::Iops);
    let (in_burst, without) = (on(burst, axis)?, on(sustained, axis)?);
    let number = |value: f64| grouped(value, decimals(axis));
    let ceiling = burst.bottleneck.ceiling();
    let text = format!(
        "{}gets {} {axis} at {} an I/O while its neighbours burst, {} when they do not: they take a larger part of the \
         VM's {}ceiling",
        context.prefix(workload),
        number(in_burst),
        robbed.io.block_size,
        number(without),
        ceiling.map_or_else(String::new, |ceiling| format!("{} {axis} ", ceiling.name())),
    );
    let id = FindingId::NeighbourBurst;
    Some(
        Finding::new(id, Severity::Info, &robbed.volume, text)
            .figure("burst", in_burst, axis)
            .figure("sustained", without, axis)
            .usual_fix(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::assessment::CeilingName;

    /// 484.41 and 484.44 MB/s read the same: 9,600 s and 1,080 s are one step of 10,680 s, and the credit of the second
    /// ends it.
    #[test]
    fn steps_that_read_alike_are_one() {
        let step = |mbps: f64, lasts: Option<f64>, axis: Axis| Plateau {
            iops: None,
            mbps: Some(mbps),
            bottleneck: Bottleneck::Unknown,
            lasts_seconds: lasts,
            ended_by: lasts.map(|_| EmptyBucket {
                ceiling: Some(CeilingName::Uncached),
                volumes: Vec::new(),
                axis,
                refill_seconds: None,
            }),
        };
        let plateaus = [
            step(484.41, Some(9_600.0), Axis::Iops),
            step(484.44, Some(1_080.0), Axis::Mbps),
            step(414.7, None, Axis::Mbps),
        ];
        assert_eq!(
            told(Axis::Mbps, &plateaus),
            "484.4 MB/s for 2 h 58 min (the VM's uncached MB/s credit), then 414.7 MB/s"
        );
    }
}
