//! The verdicts in sentences.

use super::tests;
use crate::measure::bench::{Bench, RunReport};
use crate::measure::judge::TestReport;
use crate::measure::judge::measured::Unjudged;
use crate::measure::judge::verdict::Verdict;
use crate::report::Section;

/// How many sentences are listed; all of them stand in the table's `meaning` column.
const MOST_SENTENCES: usize = 24;

/// The verdicts in sentences, then what the tests of each run say about each other.
pub(super) fn meaning(bench: &Bench) -> Option<Section> {
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
