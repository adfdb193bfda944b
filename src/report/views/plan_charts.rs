//! A plan in pictures: what each volume asks, is provisioned for and gets, and how the VM's ceilings stand.

use super::capped_chart::{CappedChart, ChartCap};
use crate::catalog::Axis;
use crate::planner::assessment::{CeilingName, CeilingUse, VmView, VolumeResult, WorkloadView};
use crate::planner::{Assessment, Outcome};
use crate::report::{Bar, Chart};
use crate::units::{Iops, MBps};
use crate::workload::Demand;

/// One chart of the volumes and one of the VM's ceilings, for IOPS and for MB/s.
pub(super) fn charts(assessment: &Assessment) -> Vec<Chart> {
    let Some((iops, mbps)) = assessment.headline() else {
        return Vec::new();
    };
    let axes = [(Axis::Iops, iops), (Axis::Mbps, mbps)];
    let volumes = axes.map(|(axis, workload)| volumes(assessment, workload, axis));
    let ceilings = axes.map(|(axis, workload)| ceilings(workload, axis));
    volumes.into_iter().chain(ceilings).flatten().collect()
}

/// Each volume by itself; across, the ceilings of the VM that anything is asked of.
fn volumes(assessment: &Assessment, workload: &WorkloadView, axis: Axis) -> Option<Chart> {
    let group = |(view, result): (&crate::planner::assessment::VolumeView, &VolumeResult)| {
        let values = vec![
            Bar::or_absent(asked(result, axis)),
            view.provisioned.on(axis).into(),
            rate(&result.alone.sustained, axis).into(),
            rate(&result.alone.burst, axis).into(),
        ];
        (view.name.clone(), values)
    };
    let caps: Vec<ChartCap> = assessment
        .vm
        .iter()
        .flat_map(|vm| caps(vm, workload))
        .collect();
    let groups = assessment.volumes.iter().zip(&workload.volumes).map(group);
    CappedChart {
        id: "volumes",
        title: "Volumes, each by itself",
        axis,
        series: &["asked", "provisioned", "sustained", "in burst"],
        groups: groups.collect(),
        caps: &caps,
    }
    .chart()
}

/// The demand on one axis; `None` where as much as possible is asked.
fn asked(result: &VolumeResult, axis: Axis) -> Option<f64> {
    let io = result.io;
    match axis {
        Axis::Iops => io.demand.iops(io.block_size).map(Iops::get),
        Axis::Mbps => match io.demand {
            Demand::Max => None,
            Demand::Iops(iops) => Some(iops.throughput(io.block_size).get()),
            Demand::Mbps(mbps) => Some(mbps.get()),
        },
    }
}

fn rate(outcome: &Outcome, axis: Axis) -> Option<f64> {
    match axis {
        Axis::Iops => outcome.iops.map(Iops::get),
        Axis::Mbps => outcome.mbps.map(MBps::get),
    }
}

/// The ceilings that the workload draws on.
fn caps(vm: &VmView, workload: &WorkloadView) -> Vec<ChartCap> {
    let asked = |name| {
        let drawn = |row: &CeilingUse| row.ceiling == name && row.asked.sustained != Some(0.0);
        workload.ceilings.iter().any(drawn)
    };
    let all = [
        (CeilingName::Uncached, Some(&vm.uncached)),
        (CeilingName::Remote, vm.remote.as_ref()),
        (CeilingName::Cached, Some(&vm.cached)),
    ];
    all.into_iter()
        .filter(|(name, _)| asked(*name))
        .filter_map(|(name, ceiling)| Some(ChartCap::new(&format!("VM {}", name.name()), ceiling?)))
        .collect()
}

/// Each ceiling of the VM with all volumes at work.
fn ceilings(workload: &WorkloadView, axis: Axis) -> Option<Chart> {
    let drawn = |row: &&CeilingUse| {
        row.axis == axis && (row.asked.sustained, row.asked.burst) != (Some(0.0), Some(0.0))
    };
    let group = |row: &CeilingUse| {
        let values = vec![
            // As much as there is where no limit is known.
            Bar::or_absent(row.asked.sustained),
            row.used.sustained.into(),
            row.capacity.into(),
            Bar::or_absent(row.burst_capacity),
        ];
        (row.ceiling.name().to_owned(), values)
    };
    CappedChart {
        id: "vm",
        title: "Ceilings of the VM, all volumes at once",
        axis,
        series: &["asked", "used", "cap", "cap in burst"],
        groups: workload.ceilings.iter().filter(drawn).map(group).collect(),
        caps: &[],
    }
    .chart()
}
