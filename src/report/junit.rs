//! JUnit XML: findings as CI servers show tests.
//!
//! A suite is a VM (or a plan, or a run), a test case is a finding: servers list what failed by name, and the rules
//! that found nothing, some fifty a VM, would only bury it. What was checked and is clean has one test that passed.
//! Findings from `--fail-on` on (errors, where it is not given) fail; lesser ones pass and say what they have to say in
//! `system-out`; suppressed ones are skipped, with the reason. What could not be read is a suite of tests with an error.

use std::io::{self, Write};

use quick_xml::Writer as Xml;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::checked::{Checked, ChecksHead, ChecksWriter, Totals, draw};
use super::{Document, Format, Render, RenderOptions, ReportError};
use crate::planner::{Finding, Severity};

/// The findings of a document.
#[derive(Debug, Clone, Copy)]
pub struct Junit;

impl Render for Junit {
    fn draw(&self, document: &Document, options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        draw(document, options, Format::Junit)
    }
}

/// The test of what has no finding.
const CLEAN: &str = "no findings";

/// Writes the head.
pub(super) fn begin<'w>(
    out: impl Write + 'w,
    head: &ChecksHead,
) -> io::Result<Box<dyn ChecksWriter + 'w>> {
    let mut xml = Xml::new_with_indent(out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let mut suites = BytesStart::new("testsuites");
    suites.push_attribute(("name", head.title.as_str()));
    let unread = Totals::of_unread(&head.unread);
    if let Some(totals) = head.totals {
        push_totals(&mut suites, totals.plus(unread));
    }
    xml.write_event(Event::Start(suites))?;
    if !head.unread.is_empty() {
        write_unread(&mut xml, &head.unread)?;
    }
    Ok(Box::new(Writer {
        xml,
        fails_from: head.fails_from,
        notes: head.notes.clone(),
    }))
}

/// A suite of what could not be read: a test each, which could not be run.
fn write_unread<W: Write>(xml: &mut Xml<W>, unread: &[String]) -> io::Result<()> {
    let mut suite = BytesStart::new("testsuite");
    suite.push_attribute(("name", UNREAD));
    push_totals(&mut suite, Totals::of_unread(unread));
    xml.write_event(Event::Start(suite))?;
    for what in unread {
        let case = xml.create_element("testcase");
        let case = case.with_attributes([
            ("name", what.as_str()),
            ("classname", UNREAD),
            ("time", "0"),
        ]);
        case.write_inner_content(|xml| {
            let error = xml.create_element("error");
            let error = error.with_attributes([("message", what.as_str()), ("type", "unread")]);
            error.write_empty()?;
            Ok(())
        })?;
    }
    xml.write_event(Event::End(BytesEnd::new("testsuite")))
}

/// The suite of what could not be read.
const UNREAD: &str = "what could not be read";

/// The counts of a suite, or of all. Nothing is timed: the time is 0, for readers that want one.
fn push_totals(element: &mut BytesStart<'_>, totals: Totals) {
    element.push_attribute(("tests", totals.tests.to_string().as_str()));
    element.push_attribute(("failures", totals.failures.to_string().as_str()));
    element.push_attribute(("errors", totals.errors.to_string().as_str()));
    element.push_attribute(("skipped", totals.skipped.to_string().as_str()));
    element.push_attribute(("time", "0"));
}

/// Suites that are being written.
struct Writer<W: Write> {
    xml: Xml<W>,
    fails_from: Severity,
    notes: Vec<String>,
}

impl<W: Write> ChecksWriter for Writer<W> {
    fn add(&mut self, checked: &Checked) -> io::Result<()> {
        let checked = checked.cleaned();
        let mut suite = BytesStart::new("testsuite");
        suite.push_attribute(("name", checked.name.as_str()));
        push_totals(&mut suite, Totals::of(&checked, self.fails_from));
        self.xml.write_event(Event::Start(suite))?;
        self.properties(&checked)?;
        if checked.findings.is_empty() {
            self.case(CLEAN, &checked.name, None)?;
        }
        for (finding, number) in checked.numbered() {
            let again = if number > 1 {
                format!(" ({number})")
            } else {
                String::new()
            };
            let name = format!("{} {}{again}", finding.id, finding.subject);
            self.case(&name, &checked.name, Some((&checked, finding)))?;
        }
        self.xml.write_event(Event::End(BytesEnd::new("testsuite")))
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.xml
            .write_event(Event::End(BytesEnd::new("testsuites")))?;
        writeln!(self.xml.get_mut())?;
        self.xml.get_mut().flush()
    }
}

impl<W: Write> Writer<W> {
    /// What the suite is about, and what the figures rest on.
    fn properties(&mut self, checked: &Checked) -> io::Result<()> {
        let file = checked.file.as_ref().map(|file| file.path.as_str());
        let named = [
            ("vm", checked.vm.as_deref()),
            ("id", checked.id.as_deref()),
            ("file", file),
        ];
        let named = named
            .iter()
            .filter_map(|(name, value)| Some((*name, (*value)?)));
        let notes = self.notes.iter().map(|note| ("note", note.as_str()));
        let all: Vec<(&str, &str)> = named.chain(notes).collect();
        if all.is_empty() {
            return Ok(());
        }
        let properties = self.xml.create_element("properties");
        properties.write_inner_content(|xml| {
            for (name, value) in all {
                let property = xml.create_element("property");
                let property = property.with_attributes([("name", name), ("value", value)]);
                property.write_empty()?;
            }
            Ok(())
        })?;
        Ok(())
    }

    fn case(
        &mut self,
        name: &str,
        suite: &str,
        found: Option<(&Checked, &Finding)>,
    ) -> io::Result<()> {
        let fails_from = self.fails_from;
        let case = self.xml.create_element("testcase");
        let case = case.with_attributes([("name", name), ("classname", suite), ("time", "0")]);
        match found {
            None => case.write_empty()?,
            Some((checked, finding)) => case.write_inner_content(|xml| {
                outcome(xml, &words(checked, finding), finding, fails_from)
            })?,
        };
        Ok(())
    }
}

/// What became of the test of `finding`, which `words` tell of.
fn outcome<W: Write>(
    xml: &mut Xml<W>,
    words: &str,
    finding: &Finding,
    fails_from: Severity,
) -> io::Result<()> {
    if let Some(suppressed) = &finding.suppressed {
        let until = suppressed.expires;
        let until = until.map_or_else(String::new, |day| format!(" (until {day})"));
        let message = format!("suppressed: {}{until}", suppressed.reason);
        let skipped = xml.create_element("skipped");
        skipped
            .with_attribute(("message", message.as_str()))
            .write_empty()?;
    } else if finding.severity <= fails_from {
        let severity = finding.severity.name();
        let failure = xml.create_element("failure");
        let failure =
            failure.with_attributes([("message", finding.message.as_str()), ("type", severity)]);
        failure.write_text_content(BytesText::new(words))?;
        return Ok(());
    }
    let out = xml.create_element("system-out");
    out.write_text_content(BytesText::new(words))?;
    Ok(())
}

/// The finding as a text of a few lines.
fn words(checked: &Checked, finding: &Finding) -> String {
    let mut lines = vec![format!("{}: {}", finding.severity, finding.message)];
    lines.extend(finding.fix.iter().map(|fix| format!("fix: {fix}")));
    if let Some(file) = &checked.file {
        let line = file.lines.get(&finding.subject);
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        lines.push(format!("at: {}{line}", file.path));
    }
    lines.push(format!("rule: diskcap explain {}", finding.id));
    lines.join("\n")
}
