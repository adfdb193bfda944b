//! Measured results as a document.

mod charts;
mod footnotes;
mod identified;
mod meaning;
mod queue;
mod results;

use super::findings;
use crate::measure::bench::{Bench, RunReport, STDIN};
use crate::measure::judge::TestReport;
use crate::report::{Checked, Column, Document, Report, Section, SourceFile};
use crate::units::grouped;

impl Report for Bench {
    fn document(&self) -> Document {
        let mut sections: Vec<Section> = incomplete(self).into_iter().collect();
        sections.push(Section::Table(results::results(self)));
        sections.extend(meaning::meaning(self));
        sections.extend(queue::queue_depth_1(self).map(Section::Table));
        if self.runs.iter().any(|run| run.identification.is_some()) {
            sections.push(identified::identified(self));
            sections.extend(identified::matches(self).map(Section::Table));
        }
        if let Some(comparison) = &self.comparison {
            sections.extend(super::comparison::sections(comparison));
        }
        if let Some(paging) = &self.paging {
            let named = self.runs.iter().all(|run| run.volume.is_some());
            sections.extend(super::paging::sections(paging, named));
        }
        sections.extend(findings::sections(&self.findings));
        sections.extend(charts::charts(self).into_iter().map(Section::Chart));
        Document {
            title: title(self),
            subtitle: subtitle(self),
            sections,
            footnotes: footnotes::footnotes(self),
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
