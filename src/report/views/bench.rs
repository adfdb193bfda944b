//! Measured results as a document.

use super::findings;
use super::latency_chart::{self, Spread};
use crate::catalog::Basis;
use crate::measure::bench::{Bench, RunReport, STDIN};
use crate::measure::identify::RuledOut;
use crate::measure::judge::measured::Unjudged;
use crate::measure::judge::verdict::Verdict;
use crate::measure::judge::{QueueDepth1Check, Raise, TestReport};
use crate::report::{
    Bar, Cell, Chart, ChartKind, Checked, Column, Document, Report, Row, Section, SourceFile,
    Table, Tone,
};
use crate::units::{Iops, KIB, Latency, MBps, grouped};

/// How many sentences are listed; all of them stand in the table's `meaning` column.
const MOST_SENTENCES: usize = 24;

impl Report for Bench {
    fn document(&self) -> Document {
        let mut sections: Vec<Section> = incomplete(self).into_iter().collect();
        sections.push(Section::Table(results(self)));
        sections.extend(meaning(self));
        sections.extend(queue_depth_1(self).map(Section::Table));
        if self.runs.iter().any(|run| run.identification.is_some()) {
            sections.push(identified(self));
            sections.extend(matches(self).map(Section::Table));
        }
        if let Some(comparison) = &self.comparison {
            sections.extend(super::comparison::sections(comparison));
        }
        if let Some(paging) = &self.paging {
            let named = self.runs.iter().all(|run| run.volume.is_some());
            sections.extend(super::paging::sections(paging, named));
        }
        sections.extend(findings::sections(&self.findings));
        sections.extend(charts(self).into_iter().map(Section::Chart));
        Document {
            title: title(self),
            subtitle: subtitle(self),
            sections,
            footnotes: footnotes(self),
            ..Document::default()
        }
    }

    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_> {
        Box::new(self.runs.iter().map(|run| checked(self, run)))
    }
}

/// A run with what was found on it.
fn checked(bench: &Bench, run: &RunReport) -> Checked {
    let own = bench.findings.iter().filter(|f| f.subject == run.label);
    let file = (run.file != STDIN).then(|| SourceFile {
        path: run.file.clone(),
        ..SourceFile::default()
    });
    Checked {
        name: run.label.clone(),
        vm: bench.vm.clone(),
        file,
        findings: own.cloned().collect(),
        ..Checked::default()
    }
}

fn title(bench: &Bench) -> String {
    let on = bench
        .vm
        .as_ref()
        .map_or_else(String::new, |vm| format!(" on {vm}"));
    let cut = bench.runs.iter().any(|run| run.incomplete.is_some());
    let whole = if cut { " (incomplete)" } else { "" };
    match bench.runs.as_slice() {
        [one] => {
            let of = one
                .sku
                .as_ref()
                .map_or_else(String::new, |sku| format!(" of {sku}"));
            format!("Measured: {}{of}{on}{whole}", one.label)
        }
        runs => format!("Measured: {} runs{on}{whole}", runs.len()),
    }
}

/// What is missing, before anything that is there: who reads on must not take it for the whole.
fn incomplete(bench: &Bench) -> Option<Section> {
    let cut = bench.runs.iter().filter_map(|run| {
        let why = run.incomplete.as_ref()?;
        let held = run.judgement.tests.len();
        let held = grouped(held as f64, 0);
        Some(format!(
            "{}: {why}. Complete in it: {held} test(s), which are shown; run it again, or copy the whole file.",
            run.label
        ))
    });
    let paragraphs: Vec<String> = cut.collect();
    (!paragraphs.is_empty()).then(|| Section::Text {
        title: "Incomplete".to_owned(),
        paragraphs,
    })
}

fn subtitle(bench: &Bench) -> Option<String> {
    let [run] = bench.runs.as_slice() else {
        return None;
    };
    let tool = match &run.version {
        Some(version) => format!("{} {version}", run.tool),
        None => run.tool.clone(),
    };
    let parts = [
        Some(tool),
        run.os.clone(),
        run.date.clone(),
        run.measured.clone(),
    ];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// Every test of every run, with its run.
fn tests(bench: &Bench) -> impl Iterator<Item = (&RunReport, &TestReport)> {
    let of_run = |run| -> Vec<(&RunReport, &TestReport)> {
        let run: &RunReport = run;
        run.judgement.tests.iter().map(|test| (run, test)).collect()
    };
    bench.runs.iter().flat_map(of_run)
}

/// A column for the run, shown where there are several.
fn run_column(bench: &Bench) -> Column {
    let column = Column::new("run", "Run");
    if bench.runs.len() > 1 {
        column
    } else {
        column.on_request()
    }
}

fn results(bench: &Bench) -> Table {
    let judged = bench.runs.iter().any(|run| run.volume.is_some());
    let predicted = |column: Column| if judged { column } else { column.on_request() };
    let raised = raised(bench);
    let most = |column: Column| match raised {
        Some(_) => column,
        None => column.on_request(),
    };
    let raised = raised.unwrap_or("Burst");
    Table {
        id: "results".to_owned(),
        title: if judged {
            "Measured against predicted"
        } else {
            "Measured"
        }
        .to_owned(),
        columns: vec![
            run_column(bench),
            Column::new("volume", "Volume").on_request(),
            Column::new("test", "Test"),
            Column::new("iops", "IOPS"),
            Column::new("mbps", "MB/s"),
            Column::new("latency_us", "Latency us").ranked(4),
            Column::new("implied_latency_us", "Implied us").ranked(5),
            predicted(Column::new("predicted_iops", "Pred. IOPS").ranked(2)),
            most(Column::new("predicted_most_iops", format!("{raised} IOPS")).ranked(2)),
            predicted(Column::new("predicted_mbps", "Pred. MB/s").ranked(3)),
            most(Column::new("predicted_most_mbps", format!("{raised} MB/s")).ranked(3)),
            Column::new("held_against_iops", "Held against").on_request(),
            predicted(Column::new("ratio", "Ratio")),
            predicted(Column::new("verdict", "Verdict")),
            Column::new("meaning", "Meaning").on_request(),
        ],
        rows: tests(bench)
            .map(|(run, test)| result_row(run, test))
            .collect(),
    }
}

fn result_row(run: &RunReport, test: &TestReport) -> Row {
    let micros = |latency: Option<Latency>| Cell::known(latency.map(Latency::micros), 0);
    let bounded = |at_most: bool, value: Option<f64>, decimals| match value {
        Some(value) if at_most => Cell::at_most(value, decimals),
        value => Cell::known(value, decimals),
    };
    let predicted = |value, decimals| bounded(test.predicted_at_most, value, decimals);
    let most = |value, decimals| bounded(test.predicted_most_at_most, value, decimals);
    let verdict = match &test.verdict {
        Verdict::Unjudged { .. } => Cell::EMPTY,
        verdict => Cell::text(verdict.title()).toned(tone(verdict)),
    };
    Row::new(vec![
        Cell::text(&run.label),
        run.volume.as_ref().map_or(Cell::EMPTY, Cell::text),
        Cell::text(&test.name),
        Cell::known(
            test.iops.map(Iops::get),
            decimals(test.iops.map(Iops::get), 0),
        ),
        Cell::known(
            test.mbps.map(MBps::get),
            decimals(test.mbps.map(MBps::get), 1),
        ),
        micros(test.latency_us),
        micros(test.implied_latency_us),
        predicted(
            test.predicted_iops.map(Iops::get),
            decimals(test.predicted_iops.map(Iops::get), 0),
        ),
        most(
            test.predicted_most_iops.map(Iops::get),
            decimals(test.predicted_most_iops.map(Iops::get), 0),
        ),
        predicted(
            test.predicted_mbps.map(MBps::get),
            decimals(test.predicted_mbps.map(MBps::get), 1),
        ),
        most(
            test.predicted_most_mbps.map(MBps::get),
            decimals(test.predicted_most_mbps.map(MBps::get), 1),
        ),
        Cell::known(test.held_against_iops.map(Iops::get), 0),
        Cell::known(test.ratio, decimals(test.ratio, 2)),
        verdict,
        Cell::text(&test.words),
    ])
}

/// What raises predictions above what holds without end, in a word; `None` where nothing does.
fn raised(bench: &Bench) -> Option<&'static str> {
    let by = |raise| tests(bench).any(|(_, test)| test.predicted_most_by == Some(raise));
    match (by(Raise::Credit), by(Raise::HostCache)) {
        (true, true) => Some("Burst/cached"),
        (true, false) => Some("Burst"),
        (false, true) => Some("Cached"),
        (false, false) => None,
    }
}

/// How many decimals show something of a rate that is not nothing, and would be shown as 0.
pub(super) fn decimals(value: Option<f64>, usual: u8) -> u8 {
    let shown_as_zero = |value: &f64| *value > 0.0 && value * 10_f64.powi(usual.into()) < 0.5;
    let small = value.filter(shown_as_zero);
    // Two figures, and no more than six decimals.
    small.map_or(usual, |value| (1.0 - value.log10().floor()).min(6.0) as u8)
}

const fn tone(verdict: &Verdict) -> Tone {
    match verdict {
        Verdict::At { .. } => Tone::Good,
        Verdict::LatencyBound { .. } | Verdict::AskedForLess | Verdict::Unjudged { .. } => {
            Tone::Plain
        }
        Verdict::AboveEveryLimit { .. }
        | Verdict::FasterThanDisk { .. }
        | Verdict::BetweenLimits { .. }
        | Verdict::Queued { .. } => Tone::Warning,
        Verdict::BelowEveryLimit { .. } => Tone::Bad,
    }
}

/// The verdicts in sentences, then what the tests of each run say about each other.
fn meaning(bench: &Bench) -> Option<Section> {
    let several = bench.runs.len() > 1;
    let prefix = |run: &RunReport| {
        if several {
            format!("{}: ", run.label)
        } else {
            String::new()
        }
    };
    let told = |test: &TestReport| {
        let silent = match &test.verdict {
            Verdict::Unjudged { reason } => {
                !matches!(reason, Unjudged::LatencyAlone | Unjudged::NoBlockSize)
            }
            _ => false,
        };
        !silent && !test.words.is_empty()
    };
    // What a finding quotes is not said twice, unless several tests have the name that it quotes it by.
    let quoted = |run: &RunReport, test: &TestReport| {
        let alike = run.judgement.tests.iter();
        if alike.filter(|other| other.name == test.name).count() > 1 {
            return false;
        }
        let words = format!(": {}", test.words);
        let mut own = bench.findings.iter().filter(|f| f.subject == run.label);
        own.any(|f| {
            let rest = f.message.strip_prefix(&test.name);
            f.suppressed.is_none() && rest.is_some_and(|rest| rest.contains(&words))
        })
    };
    let mut paragraphs: Vec<String> = tests(bench)
        .filter(|(run, test)| told(test) && !quoted(run, test))
        .map(|(run, test)| format!("{}{}: {}.", prefix(run), test.name, test.words))
        .collect();
    for run in &bench.runs {
        let relations = run.judgement.relations.iter();
        paragraphs.extend(relations.map(|relation| format!("{}{relation}.", prefix(run))));
    }
    let more = paragraphs.len().saturating_sub(MOST_SENTENCES);
    paragraphs.truncate(MOST_SENTENCES);
    if more > 0 {
        paragraphs.push(format!("{more} more in the column `meaning`."));
    }
    (!paragraphs.is_empty()).then(|| Section::Text {
        title: "What each figure means".to_owned(),
        paragraphs,
    })
}

fn queue_depth_1(bench: &Bench) -> Option<Table> {
    let rows: Vec<Row> = bench
        .runs
        .iter()
        .flat_map(|run| {
            run.judgement
                .queue_depth_1
                .iter()
                .map(move |check| queue_row(run, check))
        })
        .collect();
    let shown = |shown: bool, column: Column| if shown { column } else { column.on_request() };
    let checks = || {
        bench
            .runs
            .iter()
            .flat_map(|run| &run.judgement.queue_depth_1)
    };
    let typical = checks().any(|check| check.typical_latency_us.is_some());
    let reach = checks().any(|check| check.depth_to_reach_limit.is_some());
    let application = checks().find_map(|check| check.application);
    let depth = application.map_or_else(|| "N".to_owned(), |at| at.queue_depth.to_string());
    (!rows.is_empty()).then(|| Table {
        id: "queue-depth-1".to_owned(),
        title: "One I/O at a time: the rate is 1 / latency, whatever the disk is provisioned for"
            .to_owned(),
        columns: vec![
            run_column(bench),
            Column::new("test", "Test"),
            Column::new("iops", "IOPS"),
            Column::new("latency_us", "Latency us").ranked(2),
            Column::new("implied_latency_us", "Implied us"),
            Column::new("ceiling_iops", "1 / latency").on_request(),
            shown(typical, Column::new("typical_latency_us", "Usual us")),
            shown(
                typical,
                Column::new("ratio_to_typical", "Times usual").ranked(1),
            ),
            shown(reach, Column::new("depth_to_reach_limit", "QD for limit")),
            shown(
                application.is_some(),
                Column::new("application_iops", format!("IOPS at QD {depth}")),
            ),
            shown(
                application.is_some(),
                Column::new("application_latency_us", format!("us at QD {depth}")).ranked(4),
            ),
        ],
        rows,
    })
}

fn queue_row(run: &RunReport, check: &QueueDepth1Check) -> Row {
    let micros = |latency: Option<Latency>| Cell::known(latency.map(Latency::micros), 0);
    let usual = micros(check.typical_latency_us);
    let cached = check.cache_latency_us.map(|us| grouped(us.micros(), 0));
    let application = check.application;
    Row::new(vec![
        Cell::text(&run.label),
        Cell::text(&check.test),
        Cell::number(check.iops.get(), 0),
        micros(check.latency_us),
        micros(Some(check.implied_latency_us)),
        Cell::number(check.ceiling_iops.get(), 0),
        match (check.typical_basis.map(usual_basis), cached) {
            (Some(basis), Some(cached)) => usual.hinted(format!("{basis}; cached {cached}")),
            (Some(basis), None) => usual.hinted(basis),
            (None, Some(cached)) => usual.hinted(format!("cached {cached}")),
            (None, None) => usual,
        },
        Cell::known(check.ratio_to_typical, 2),
        Cell::known(check.depth_to_reach_limit, 0),
        application.map_or(Cell::EMPTY, |at| match at.at_most {
            true => Cell::at_most(at.iops.get(), 0),
            false => Cell::number(at.iops.get(), 0),
        }),
        micros(application.and_then(|at| at.latency_us)),
    ])
}

/// How sure a usual latency is: beside measured ones a figure of the spec is one that was given.
const fn usual_basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Measured => "given",
        other => super::outcome::basis(other),
    }
}

/// What was measured, where no disk was named.
fn identified(bench: &Bench) -> Section {
    let several = bench.runs.len() > 1;
    let mut paragraphs = Vec::new();
    for run in &bench.runs {
        let Some(identification) = &run.identification else {
            continue;
        };
        let prefix = if several {
            format!("{}: ", run.label)
        } else {
            String::new()
        };
        let place = identification.place.headline();
        paragraphs.push(format!("{prefix}{place}; {}.", identification.conclusion));
        if !identification.reasons.is_empty() {
            let reasons = identification.reasons.join("; ");
            paragraphs.push(format!("{prefix}why: {reasons}."));
        }
        for RuledOut { name, reason } in &identification.ruled_out {
            paragraphs.push(format!("{prefix}not the {name}: {reason}."));
        }
    }
    Section::Text {
        title: "What it is, by its figures".to_owned(),
        paragraphs,
    }
}

fn matches(bench: &Bench) -> Option<Table> {
    let mut rows = Vec::new();
    for run in &bench.runs {
        for found in run
            .identification
            .iter()
            .flat_map(|identification| &identification.matches)
        {
            let mbps = Cell::known(found.mbps.map(MBps::get), 1);
            rows.push(Row::new(vec![
                Cell::text(&run.label),
                Cell::text(&found.name),
                Cell::known(found.iops.map(Iops::get), 0),
                match found.listed_mbps {
                    Some(listed) => mbps.hinted(format!("listed as {listed}")),
                    None => mbps,
                },
                Cell::number(found.iops_hits as f64, 0),
                Cell::number(found.mbps_hits as f64, 0),
                Cell::number(found.distance * 100.0, 1),
                Cell::text(found.reasons.join("; ")),
            ]));
        }
    }
    (!rows.is_empty()).then(|| Table {
        id: "fits".to_owned(),
        title: "Limits that the figures fit, best first".to_owned(),
        columns: vec![
            run_column(bench),
            Column::new("limit", "Limit"),
            Column::new("iops", "IOPS"),
            Column::new("mbps", "MB/s"),
            Column::new("iops_tests", "Tests at IOPS").ranked(2),
            Column::new("mbps_tests", "Tests at MB/s").ranked(2),
            Column::new("distance_percent", "Off %").ranked(1),
            Column::new("reasons", "Reasons").on_request(),
        ],
        rows,
    })
}

/// Blocks from here on are compared in MB/s, 64 KiB; below, in IOPS.
const LARGE_BLOCK: u64 = 64 * KIB;

fn charts(bench: &Bench) -> Vec<Chart> {
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

fn footnotes(bench: &Bench) -> Vec<String> {
    let mut notes = vec![
        format!("Data: {}.", bench.data),
        format!(
            "At a limit: within {} %. Implied latency is queue depth over IOPS (Little's law).",
            grouped(bench.tolerance * 100.0, 2)
        ),
    ];
    if raised(bench).is_some() {
        notes.push(
            "Predicted: what the disk itself makes without end; burst, cached: with full credit, from a full host cache. \
             Ratio: to the figure that the verdict names, not always the predicted one."
                .to_owned(),
        );
    }
    let checks = || {
        bench
            .runs
            .iter()
            .flat_map(|run| &run.judgement.queue_depth_1)
    };
    if checks().any(|check| check.depth_to_reach_limit.is_some()) {
        notes.push(
            "QD for limit and at a queue depth: by the latency that was measured, within what holds without burst \
             credit, but no less than one I/O at a time made; - where that latency is not the disk's."
                .to_owned(),
        );
    }
    if bench.runs.iter().any(|run| run.format.is_counters()) {
        notes.push(
            "Counters say what was asked of a disk, not what it can do: `diskcap bench series` judges them over time."
                .to_owned(),
        );
    }
    notes.extend(notes_of_runs(bench));
    notes
}

/// What is noted of runs: each note once, with the runs that it is of. What makes a run incomplete stands above.
fn notes_of_runs(bench: &Bench) -> impl Iterator<Item = String> {
    let mut noted: Vec<(String, Vec<&str>)> = Vec::new();
    for run in &bench.runs {
        let own = run.notes.iter();
        let own = own.filter(|note| run.incomplete.as_ref() != Some(note));
        let assumed = run.judgement.tests.iter().flat_map(|test| &test.assumed);
        let assumed = assumed.map(|note| format!("assumed {note}"));
        for note in own.cloned().chain(assumed) {
            match noted.iter_mut().find(|(known, _)| *known == note) {
                Some((_, runs)) if runs.contains(&run.label.as_str()) => {}
                Some((_, runs)) => runs.push(&run.label),
                None => noted.push((note, vec![&run.label])),
            }
        }
    }
    let all = bench.runs.len();
    noted.into_iter().map(move |(note, runs)| match runs.len() {
        1 => format!("{}: {note}.", runs.join("")),
        number if number == all => format!("All runs: {note}."),
        _ => format!("{}: {note}.", runs.join(", ")),
    })
}
