//! What would be enough, and what bursting costs, as tables.

use crate::catalog::price::transactions::SSD_TRANSACTION;
use crate::catalog::{Limits, size_name};
use crate::planner::Simulation;
use crate::planner::timeline::model::VolumeRun;
use crate::planner::timeline::paid::PaidBurst;
use crate::planner::timeline::sizing::{DiskNeed, Sizing, VmNeed};
use crate::report::views::money::total;
use crate::report::{Cell, Column, Row, Table, Tone};
use crate::units::{Iops, MBps};

use super::count;

/// The smallest VM and disks that never throttle; `None` where no volume states its demand.
pub(super) fn sizes(simulation: &Simulation) -> Option<Table> {
    let sizing = &simulation.sizing;
    if sizing.disks.is_empty() {
        return None;
    }
    let columns = vec![
        Column::new("part", "Part"),
        Column::new("present", "Present"),
        Column::new("present_is_enough", "Enough"),
        Column::new("smallest", "Smallest that never throttles"),
        Column::new("has_room", "Holds as much").ranked(3),
        Column::new("peak_iops", "Peak IOPS of a disk").ranked(1),
        Column::new("peak_mbps", "Peak MB/s of a disk").ranked(2),
    ];
    let mut rows: Vec<Row> = simulation
        .volumes
        .iter()
        .map(|volume| {
            let need = sizing.disks.iter().find(|need| need.volume == volume.name);
            disk_row(volume, need)
        })
        .collect();
    if let Some(vm) = &simulation.vm {
        rows.push(vm_row(&vm.size, sizing));
    }
    Some(Table {
        id: "sizes".to_owned(),
        title: "The smallest disks and VM size that would never throttle this workload, however often it is repeated"
            .to_owned(),
        columns,
        rows,
    })
}

/// Less than this part more is rounding.
const ROUNDING: f64 = 0.005;

/// Why disks have more to do than is asked of their volume, where they count its I/Os in parts.
pub(super) fn counted_in_parts(simulation: &Simulation) -> Option<String> {
    let most_asked = |index: usize| {
        let parts = simulation.segments.iter().map(|s| s.volumes.get(index));
        let asked = parts.filter_map(|part| Some(part?.asked?.iops.get()));
        asked.fold(0.0, f64::max)
    };
    let in_parts = |(index, volume): &(usize, &VolumeRun)| {
        let mut needs = simulation.sizing.disks.iter();
        let need = needs.find(|need| need.volume == volume.name);
        let peak = need.and_then(|need| Some(need.peak.iops?.get() * need.members as f64));
        peak.is_some_and(|peak| peak > most_asked(*index) * (1.0 + ROUNDING))
    };
    let volumes = simulation.volumes.iter().enumerate().filter(in_parts);
    let names: Vec<&str> = volumes.map(|(_, volume)| volume.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Peak IOPS of a disk are what the disk counts: an I/O larger than {} as several ({}).",
            SSD_TRANSACTION,
            names.join(", ")
        )
    })
}

fn enough(enough: bool, lasts: bool) -> Cell {
    let cell = Cell::flag(enough);
    match (enough, lasts) {
        (true, true) => cell.toned(Tone::Good),
        (true, false) => cell.hinted("from credit").toned(Tone::Warning),
        // What waits then waits for want of outstanding I/Os.
        (false, true) => cell.hinted("queue depth").toned(Tone::Warning),
        (false, false) => cell.toned(Tone::Warning),
    }
}

/// Whether the disks of `volume` are enough, as far as their latency lets them where nobody knows it.
fn enough_disks(volume: &VolumeRun, need: &DiskNeed) -> Cell {
    match volume.latency_needed {
        Some(_) if need.present_is_enough => Cell::flag(true)
            .hinted("latency unknown")
            .toned(Tone::Warning),
        _ => enough(need.present_is_enough, need.present_lasts),
    }
}

/// What it means that something is enough from credit; nothing where nothing is so.
pub(super) fn from_credit(simulation: &Simulation) -> Option<&'static str> {
    let sizing = &simulation.sizing;
    let disks = sizing.disks.iter();
    let of_vm = sizing
        .vm
        .iter()
        .map(|need| (need.present_is_enough, need.present_lasts));
    let mut all = disks
        .map(|need| (need.present_is_enough, need.present_lasts))
        .chain(of_vm);
    all.any(|each| each == (true, false)).then_some(
        "Enough from credit: not throttled in the simulated time, but throttled when the workload goes on or is repeated, \
         since more burst credit is drawn than comes back.",
    )
}

fn peaks(peak: Limits) -> [Cell; 2] {
    [
        Cell::known(peak.iops.map(Iops::get), 0),
        Cell::known(peak.mbps.map(MBps::get), 1),
    ]
}

fn disk_row(volume: &VolumeRun, need: Option<&DiskNeed>) -> Row {
    let mut cells = vec![Cell::text(&volume.name), Cell::text(&volume.sku)];
    match need {
        None => cells.extend([Cell::EMPTY, Cell::text("none: it asks for all it gets")]),
        Some(need) => {
            let smallest = match need.smallest_spec() {
                None if need.present_lasts => Cell::text("the present one"),
                None => Cell::text("none of its family"),
                Some(spec) => Cell::text(spec),
            };
            cells.extend([
                enough_disks(volume, need),
                smallest,
                need.has_room.map_or(Cell::EMPTY, Cell::flag),
            ]);
            cells.extend(peaks(need.peak));
        }
    }
    Row::new(cells)
}

fn vm_row(size: &str, sizing: &Sizing) -> Row {
    let cells = match &sizing.vm {
        None => [
            Cell::text(size),
            Cell::EMPTY,
            Cell::text("none: a volume asks for all it gets"),
        ],
        Some(need) => [
            present_vm(size, need),
            present_is_enough(need),
            smallest_vm(size, need),
        ],
    };
    Row::new(std::iter::once(Cell::text("VM")).chain(cells).collect())
}

/// The present size, with its day of retirement.
fn present_vm(size: &str, need: &VmNeed) -> Cell {
    let verb = match need.present_is_retired {
        true => "retired",
        false => "retires",
    };
    let day = need.present_retires.as_ref();
    let cell = Cell::text(size);
    day.map_or(cell.clone(), |day| cell.hinted(format!("{verb} on {day}")))
}

/// Whether the present size is enough; one that is retired is not, whatever its ceilings.
fn present_is_enough(need: &VmNeed) -> Cell {
    match need.present_is_retired {
        true => Cell::flag(false).hinted("retired").toned(Tone::Warning),
        false => enough(need.present_is_enough, need.present_lasts),
    }
}

/// The smallest of the series; before it the present size on its other controller, where that is enough.
fn smallest_vm(present: &str, need: &VmNeed) -> Cell {
    let twin = need.other_controller;
    let twin = twin.map(|other| size_name(present, Some(other)));
    let smallest = need.smallest.as_ref();
    let smallest = smallest.map(|size| size_name(size, need.smallest_interface));
    let sizes: Vec<String> = twin.into_iter().chain(smallest).collect();
    if sizes.is_empty() {
        let cell = Cell::text(format!("none of the {} series", need.series));
        return match need.present_is_retired {
            true => cell.hinted("it is retired"),
            false => cell,
        };
    }
    let cell = Cell::text(sizes.join(" or "));
    match &need.smallest_retires {
        Some(day) => cell.hinted(format!("retires on {day}")),
        None => cell,
    }
}

/// On-demand bursting and what of it is billed.
pub(super) fn paid_bursts(simulation: &Simulation) -> Option<Table> {
    let mut columns = vec![
        Column::new("volume", "Volume"),
        Column::new("disks", "Disks").ranked(4),
        Column::new("burst_s", "Bursts for"),
        Column::new("transactions", "Burst transactions"),
        Column::new("billed_units", "Billed units of 10,000"),
        Column::new("enabled_hours", "Enabled h"),
        Column::new("peak_iops", "Peak IOPS of a disk").ranked(2),
        Column::new("peak_mbps", "Peak MB/s of a disk").ranked(3),
        Column::new("sufficient_tier", "Tier that does as much"),
    ];
    if simulation.prices.is_some() {
        columns.extend([
            Column::new("simulated_cost", "Bursting in this time"),
            Column::new("month", "A month"),
            Column::new("tier_month", "A month on that tier"),
        ]);
    }
    let rows: Vec<Row> = simulation.paid_bursts.iter().map(paid_row).collect();
    (!rows.is_empty()).then(|| Table {
        id: "paid-bursts".to_owned(),
        title: "On-demand bursting".to_owned(),
        columns,
        rows,
    })
}

fn paid_row(paid: &PaidBurst) -> Row {
    let mut cells = vec![
        Cell::text(&paid.volume),
        Cell::text(count(paid.disks, &paid.sku)),
        Cell::duration(paid.seconds),
        Cell::number(paid.transactions, 0),
        Cell::number(paid.billed_units, 2),
        Cell::number(paid.enabled_hours, 0),
    ];
    cells.extend(peaks(paid.peak));
    cells.push(
        paid.sufficient_tier
            .as_ref()
            .map_or(Cell::text("none"), Cell::text),
    );
    if let Some(cost) = &paid.cost {
        let simulated = Some(&cost.simulated).filter(|total| total.is_complete());
        cells.extend([simulated.map_or(Cell::EMPTY, total), total(&cost.month)]);
        cells.extend(cost.tier_month.as_ref().map(total));
    }
    Row::new(cells)
}
