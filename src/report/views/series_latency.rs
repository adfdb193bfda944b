//! How long the I/Os of disks over time took, all of them: percentiles by their number.

use crate::measure::model::Percentile;
use crate::measure::over_time::SeriesReport;
use crate::measure::series::analysis::DiskReport;
use crate::report::{Cell, Column, Row, Table};
use crate::units::grouped;

/// The percentiles of the disks whose logs count I/Os; `None` without any.
pub(super) fn io_latency(report: &SeriesReport) -> Option<Table> {
    let counted = || {
        report
            .all()
            .map(|disk| &disk.report)
            .filter(|disk| !disk.io_latency.is_empty())
    };
    let mut percents: Vec<f64> = counted()
        .flat_map(|disk| &disk.io_latency)
        .map(|p| p.percent)
        .collect();
    percents.sort_by(f64::total_cmp);
    percents.dedup();
    let heads = percents.iter().map(|percent| {
        let digits = grouped(*percent, 6);
        let id = format!("p{}_ms", digits.replace('.', "_"));
        Column::new(id, format!("p{digits} ms"))
    });
    let rows: Vec<Row> = counted().map(|disk| row(disk, &percents)).collect();
    (!rows.is_empty()).then(|| Table {
        id: "io-latency".to_owned(),
        title: "Latency of all I/Os, percentiles by their number".to_owned(),
        columns: std::iter::once(Column::new("disk", "Disk"))
            .chain(heads)
            .collect(),
        rows,
    })
}

fn row(disk: &DiskReport, percents: &[f64]) -> Row {
    let at = |percent: &f64| {
        let found = disk
            .io_latency
            .iter()
            .find(|p: &&Percentile| p.percent == *percent);
        Cell::known(found.map(|p| p.latency.millis()), 3)
    };
    Row::new(
        std::iter::once(Cell::text(&disk.disk))
            .chain(percents.iter().map(at))
            .collect(),
    )
}
