//! Measured figures as bars, and latencies as curves.

use super::tests;
use crate::measure::bench::{Bench, RunReport};
use crate::measure::judge::TestReport;
use crate::report::views::latency_chart::{self, Spread};
use crate::report::{Bar, Chart, ChartKind};
use crate::units::{Iops, KIB, MBps};

/// Blocks from here on are compared in MB/s, 64 KiB; below, in IOPS.
const LARGE_BLOCK: u64 = 64 * KIB;

pub(super) fn charts(bench: &Bench) -> Vec<Chart> {
    let large = |test: &TestReport| {
        test.kind
            .block_size
            .is_some_and(|block| block.bytes() >= LARGE_BLOCK)
    };
    let small = bars(bench, "iops", "IOPS", |test| {
        let figures = [test.iops, test.predicted_iops, test.predicted_most_iops];
        (!large(test)).then_some(figures.map(|rate| rate.map(Iops::get)))
    });
    let large = bars(bench, "mbps", "MB/s", |test| {
        let figures = [test.mbps, test.predicted_mbps, test.predicted_most_mbps];
        large(test).then_some(figures.map(|rate| rate.map(MBps::get)))
    });
    let mut charts: Vec<Chart> = small.into_iter().chain(large).collect();
    charts.extend(latency_chart::charts(&spreads(bench)));
    charts
}

/// How the latencies of all tests are spread.
fn spreads(bench: &Bench) -> Vec<Spread<'_>> {
    let several = bench.runs.len() > 1;
    let of_run = |run| {
        let run: &RunReport = run;
        run.latencies.iter().map(move |latency| Spread {
            name: name(several, run, &latency.test),
            percentiles: &latency.percentiles,
            bins: &latency.bins,
        })
    };
    bench.runs.iter().flat_map(of_run).collect()
}

/// A test's name, with its run where there are several.
fn name(several: bool, run: &RunReport, test: &str) -> String {
    if several {
        format!("{} {test}", run.label)
    } else {
        test.to_owned()
    }
}

fn bars_of((name, values): (String, Vec<Option<f64>>)) -> (String, Vec<Bar>) {
    (name, values.into_iter().map(Bar::from).collect())
}

fn bars(
    bench: &Bench,
    id: &str,
    unit: &str,
    figures: impl Fn(&TestReport) -> Option<[Option<f64>; 3]>,
) -> Option<Chart> {
    let several = bench.runs.len() > 1;
    let mut groups: Vec<(String, Vec<Option<f64>>)> = tests(bench)
        .filter_map(|(run, test)| Some((name(several, run, &test.name), figures(test)?.to_vec())))
        .filter(|(_, values)| values.first().is_some_and(Option::is_some))
        .collect();
    let has = |place: usize| {
        let values = |(_, values): &(String, Vec<Option<f64>>)| {
            values.get(place).is_some_and(Option::is_some)
        };
        groups.iter().any(values)
    };
    let predicted = has(1);
    let series: &[&str] = match (predicted, has(2)) {
        (true, true) => &["measured", "predicted", "with credit or cache"],
        (true, false) => &["measured", "predicted"],
        (false, _) => &["measured"],
    };
    for (_, values) in &mut groups {
        values.truncate(series.len());
    }
    (!groups.is_empty()).then(|| Chart {
        id: format!("measured-{id}"),
        title: if predicted {
            format!("Measured and predicted, {unit}")
        } else {
            format!("Measured, {unit}")
        },
        kind: ChartKind::Bars {
            unit: unit.to_owned(),
            series: series.iter().map(|name| (*name).to_owned()).collect(),
            groups: groups.into_iter().map(bars_of).collect(),
            caps: Vec::new(),
        },
    })
}
