//! fio's JSON and JSON+ (`--output-format=json`, `json+`), 2.x and 3.x, also of several clients.
//!
//! Documents are found anywhere in a text, one after the other or within other JSON, and read from a stream: what is
//! held at a time is one job, whatever the size of the file.

use std::io::Read;

use memchr::memmem;

use super::bins::Bins;
use super::lenient::Word;
use super::options::Options;
use super::report::Report;
use super::scan::{Broken, Scanner};
use super::stats::JobEntry;
use super::{COMPLAINT_CHARS, Complaints, complaint, version};
use crate::measure::allowance::Allowance;
use crate::measure::error::ParseError;
use crate::measure::model::{CUT_OFF, Format, Run};

const LOOKED_FOR: &str =
    "a JSON object with \"jobs\" or \"client_stats\" of which at least one did I/O";

/// Bins kept of all histograms together (16 bytes each); what comes later is left out and said so.
const BINS_KEPT: usize = 1 << 20;

/// Objects within objects that are searched for a fio document.
const DEPTH_LIMIT: usize = 32;

/// Bytes of a key or a short text.
const TEXT_LIMIT: usize = 1024;

/// Whether `text` has a fio JSON document anywhere.
#[must_use]
pub fn sniff(text: &str) -> bool {
    memmem::find(text.as_bytes(), b"\"jobname\"").is_some()
}

/// Reads every fio JSON document in `text`.
///
/// # Errors
/// [`ParseError`] where no job did I/O: with fio's own error line where there is one.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    parse_stream(&mut text.as_bytes()).or_else(|error| bare_jobs(text).ok_or(error))
}

/// What is cut out by hand is short; a longer text is read as a stream, in bounded memory, or not at all.
const LONGEST_CUT: usize = 1 << 20;

/// The runs of a text that is a job alone, or a list of jobs, without the report around them.
fn bare_jobs(text: &str) -> Option<Vec<Run>> {
    if text.len() > LONGEST_CUT {
        return None;
    }
    let text = text.trim();
    let whole = if text.starts_with('[') {
        format!("{{\"jobs\":{text}}}")
    } else if text.starts_with('{') {
        format!("{{\"jobs\":[{text}]}}")
    } else {
        return None;
    };
    parse_stream(&mut whole.as_bytes()).ok()
}

/// Reads every fio JSON document in a stream of UTF-8.
///
/// # Errors
/// As [`parse`]. An error of the stream counts as its end.
pub fn parse_stream(input: &mut dyn Read) -> Result<Vec<Run>, ParseError> {
    let mut documents = Documents {
        scanner: Scanner::new(input),
        runs: Vec::new(),
        complaints: Complaints::default(),
        malformed: None,
        bins_left: BINS_KEPT,
        allowance: Allowance::of(0),
        job: Vec::new(),
    };
    documents.read();
    documents.finish()
}

/// All documents of one input.
struct Documents<'r> {
    scanner: Scanner<'r>,
    runs: Vec<Run>,
    /// fio's error lines that do not yet belong to a run.
    complaints: Complaints,
    malformed: Option<ParseError>,
    bins_left: usize,
    allowance: Allowance,
    /// The job at hand.
    job: Vec<u8>,
}

impl Documents<'_> {
    fn read(&mut self) {
        loop {
            let complaints = &mut self.complaints;
            let found = self.scanner.text_until_brace(COMPLAINT_CHARS, |line| {
                if line.starts_with(b"fio: ")
                    && let Some(complaint) = complaint(&String::from_utf8_lossy(line))
                {
                    complaints.add(complaint);
                }
            });
            if !found {
                return;
            }
            if self.scanner.in_object() {
                // What is broken is told in the notes of its run; the search goes on behind it.
                let _ = self.object(0);
            }
        }
    }

    /// The object whose brace has just been taken: a document, or one that may hold documents.
    fn object(&mut self, depth: usize) -> Result<(), Broken> {
        let mut report = Report::default();
        let result = self.members(&mut report, depth);
        if result == Err(Broken::Ended) && !report.is_empty() {
            report.notes.push(format!(
                "{CUT_OFF}: it ends in the middle of this report, and what came after is missing"
            ));
        } else if result == Err(Broken::Ended) && report.version.is_some() {
            let line = self.scanner.line();
            let cut = format!("{CUT_OFF}: it ends before the first job of a report is complete");
            self.wrong(&mut report, line, &cut);
        } else if result == Err(Broken::Syntax) && report.version.is_some() {
            let line = self.scanner.line();
            self.wrong(&mut report, line, "this is not valid JSON");
        }
        if report.is_empty() {
            report
                .notes
                .into_iter()
                .for_each(|note| self.complaints.add(note));
        } else {
            let mut runs = report.into_runs(Format::FioJson);
            if let Some(first) = runs.first_mut() {
                self.complaints.move_to(first);
            }
            self.runs.append(&mut runs);
        }
        result
    }

    fn members(&mut self, report: &mut Report, depth: usize) -> Result<(), Broken> {
        let mut key = Vec::new();
        loop {
            match self.scanner.after_blanks().ok_or(Broken::Ended)? {
                b'}' => {
                    self.scanner.next();
                    return Ok(());
                }
                b',' => {
                    self.scanner.next();
                }
                b'"' => {
                    self.scanner.next();
                    key.clear();
                    self.scanner.string(&mut key, TEXT_LIMIT)?;
                    if self.scanner.after_blanks() != Some(b':') {
                        return Err(Broken::Syntax);
                    }
                    self.scanner.next();
                    self.member(report, &key, depth)?;
                }
                _ => return Err(Broken::Syntax),
            }
        }
    }

    fn member(&mut self, report: &mut Report, key: &[u8], depth: usize) -> Result<(), Broken> {
        match (key, self.scanner.after_blanks().ok_or(Broken::Ended)?) {
            (b"jobs" | b"client_stats", b'[') => self.jobs(report, depth),
            (b"global options", b'{') => self.globals(report),
            // As a list of one, in some versions.
            (b"global options", b'[') => {
                self.scanner.next();
                self.elements(|this| match this.scanner.peek() {
                    Some(b'{') => this.globals(report),
                    _ => this.scanner.skip_value(),
                })
            }
            (b"fio version", b'"') => {
                report.version = version(&self.short_text()?);
                Ok(())
            }
            (b"time", b'"') => {
                report.date =
                    Some(self.short_text()?.trim().to_owned()).filter(|time| !time.is_empty());
                Ok(())
            }
            _ => self.other(depth),
        }
    }

    fn globals(&mut self, report: &mut Report) -> Result<(), Broken> {
        let mut json = Vec::new();
        self.scanner.copy_value(&mut json, &mut Vec::new())?;
        let options = parsed::<Options>(&json).unwrap_or_default();
        report.globals = options.or(&report.globals);
        Ok(())
    }

    /// A value that is no part of a document, but may hold one.
    fn other(&mut self, depth: usize) -> Result<(), Broken> {
        match self.scanner.after_blanks() {
            Some(b'{') if depth < DEPTH_LIMIT => {
                self.scanner.next();
                self.object(depth + 1)
            }
            Some(b'[') if depth < DEPTH_LIMIT => {
                self.scanner.next();
                self.elements(|this| this.other(depth + 1))
            }
            _ => self.scanner.skip_value(),
        }
    }

    /// The elements of the array whose bracket has just been taken.
    fn elements(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        loop {
            match self.scanner.after_blanks().ok_or(Broken::Ended)? {
                b']' => {
                    self.scanner.next();
                    return Ok(());
                }
                b',' => {
                    self.scanner.next();
                }
                b'}' | b':' => return Err(Broken::Syntax),
                _ => element(self)?,
            }
        }
    }

    fn jobs(&mut self, report: &mut Report, depth: usize) -> Result<(), Broken> {
        self.scanner.next();
        self.elements(|this| match this.scanner.peek() {
            Some(b'{') => this.job(report),
            _ => this.other(depth + 1),
        })
    }

    /// Cuts out the job that begins here and adds it to the report.
    fn job(&mut self, report: &mut Report) -> Result<(), Broken> {
        let line = self.scanner.line();
        let mut histograms = Vec::new();
        self.job.clear();
        let copied = self.scanner.copy_value(&mut self.job, &mut histograms);
        if copied == Err(Broken::TooLarge) {
            self.wrong(
                report,
                line,
                "a job's JSON object is larger than any that fio writes",
            );
        }
        copied?;
        self.limit_bins(report, &mut histograms);
        match parsed::<JobEntry>(&self.job) {
            // Another tool's jobs.
            Ok(JobEntry {
                name: Word(None), ..
            }) => {}
            Ok(entry) => {
                let (job, results) = entry.into_results(&mut histograms, report.version.as_deref());
                self.allowance.grow_to(self.scanner.consumed());
                report.push(job, results, &mut self.allowance);
            }
            Err(error) => self.wrong(report, line, &format!("a job is not valid JSON ({error})")),
        }
        Ok(())
    }

    /// Leaves histograms out once the input has had too many.
    fn limit_bins(&mut self, report: &mut Report, histograms: &mut [Bins]) {
        let bins: usize = histograms.iter().map(|bins| bins.pairs.len()).sum();
        if bins <= self.bins_left {
            self.bins_left -= bins;
            return;
        }
        if self.bins_left > 0 {
            report.notes.push(format!(
                "histograms are left out after the first {BINS_KEPT} bins"
            ));
            self.bins_left = 0;
        }
        histograms
            .iter_mut()
            .for_each(|bins| bins.pairs = Vec::new());
    }

    /// Notes a job that cannot be read, beside those that can.
    fn wrong(&mut self, report: &mut Report, line: usize, what: &str) {
        report.note(format!("line {line}: {what}; left out"));
        let what = what.to_owned();
        self.malformed
            .get_or_insert(ParseError::Malformed { line, what });
    }

    fn short_text(&mut self) -> Result<String, Broken> {
        let mut text = Vec::new();
        self.scanner.next();
        self.scanner.string(&mut text, TEXT_LIMIT)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn finish(mut self) -> Result<Vec<Run>, ParseError> {
        if let Some(last) = self.runs.last_mut() {
            self.complaints.move_to(last);
            return Ok(self.runs);
        }
        Err(self
            .malformed
            .unwrap_or_else(|| self.complaints.into_error(LOOKED_FOR)))
    }
}

/// Parses a piece of JSON, as it stands or else with fio's known mistakes mended.
fn parsed<T: serde::de::DeserializeOwned>(json: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(json).or_else(|_| serde_json::from_slice(&mended(json)))
}

/// Mends what fio wrote wrongly at times: bare `nan` and `inf`, single backslashes of Windows paths, bytes that are not
/// UTF-8.
fn mended(json: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(json);
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.char_indices().peekable();
    let mut in_string = false;
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => in_string = !in_string,
            '\\' if in_string => {
                let escape = chars.next_if(|(_, next)| {
                    matches!(next, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')
                });
                out.push('\\');
                out.push(escape.map_or('\\', |(_, next)| next));
                continue;
            }
            _ if !in_string && c != 't' && c != 'f' && (c.is_ascii_alphabetic() || c == '-') => {
                let word = bare_word(text.get(at..).unwrap_or_default());
                if word.chars().any(|c| c == 'n' || c == 'i') {
                    out.push_str("null");
                    for _ in 1..word.len() {
                        chars.next();
                    }
                    continue;
                }
            }
            c if in_string && c.is_control() => {
                out.push(' ');
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out.into_bytes()
}

/// A sign and the letters behind it.
fn bare_word(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c.is_ascii_alphabetic() || c == '-'))
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
