//! SARIF 2.1.0: findings as code-scanning services read them, one result a line.
//!
//! Rules are those of `diskcap explain`, all of them in every report, so that an index means the same rule in each.
//! A result's message holds the finding and its fix; where the plan came from a file, it has the place in it. Its
//! fingerprint is made of names only, so that a finding stays the same one when its numbers change.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;

use super::checked::{Checked, ChecksHead, ChecksWriter, SourceFile, draw};
use super::{Document, Format, Render, RenderOptions, ReportError};
use crate::planner::findings::{Figure, Suppressed};
use crate::planner::{Finding, FindingId, Severity};

/// Where the schema of this version lies. Source: OASIS, SARIF version 2.1.0, errata 01.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The base that relative paths are understood from: the top of the working folder, as other tools call it.
const BASE: &str = "%SRCROOT%";

/// The findings of a document.
#[derive(Debug, Clone, Copy)]
pub struct Sarif;

impl Render for Sarif {
    fn draw(&self, document: &Document, options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        draw(document, options, Format::Sarif)
    }
}

/// Writes the head: the tool with its rules.
pub(super) fn begin<'w>(
    mut out: impl Write + 'w,
    head: &ChecksHead,
) -> io::Result<Box<dyn ChecksWriter + 'w>> {
    writeln!(out, "{{\n\"$schema\": {},", text(&SCHEMA)?)?;
    writeln!(out, "\"version\": \"2.1.0\",\n\"runs\": [{{")?;
    writeln!(out, "\"tool\": {{ \"driver\": {{")?;
    writeln!(out, "\"name\": {},", text(&env!("CARGO_PKG_NAME"))?)?;
    writeln!(out, "\"version\": {},", text(&env!("CARGO_PKG_VERSION"))?)?;
    let about = json!({ "text": env!("CARGO_PKG_DESCRIPTION") });
    writeln!(out, "\"shortDescription\": {about},\n\"rules\": [")?;
    for (index, id) in FindingId::ALL.iter().enumerate() {
        let end = if index + 1 < FindingId::ALL.len() {
            ","
        } else {
            ""
        };
        writeln!(out, "{}{end}", text(&Rule::from(*id))?)?;
    }
    writeln!(out, "]\n}} }},")?;
    writeln!(out, "\"invocations\": [{}],", invocation(&head.unread))?;
    let properties = json!({ "title": head.title, "notes": head.notes });
    writeln!(out, "\"properties\": {properties},\n\"results\": [")?;
    Ok(Box::new(Writer {
        out,
        results: 0,
        vms: Vms::default(),
    }))
}

/// How the check itself went: not well where something could not be read.
fn invocation(unread: &[String]) -> serde_json::Value {
    let notification = |text: &String| json!({ "level": "error", "message": { "text": text } });
    let notifications: Vec<serde_json::Value> = unread.iter().map(notification).collect();
    match notifications.is_empty() {
        true => json!({ "executionSuccessful": true }),
        false => json!({
            "executionSuccessful": false,
            "toolExecutionNotifications": notifications
        }),
    }
}

/// A value as JSON on one line.
fn text(value: &impl Serialize) -> io::Result<String> {
    Ok(super::json::one_line(value)?)
}

/// Results that are being written.
struct Writer<W> {
    out: W,
    results: usize,
    vms: Vms,
}

/// The VMs so far: each is a logical location, and its disks refer to it by its index.
#[derive(Default)]
struct Vms {
    /// JSON of each.
    locations: Vec<String>,
    /// Index by full name.
    index: HashMap<String, usize>,
}

impl Vms {
    fn index_of(&mut self, name: &str, full: &str) -> usize {
        if let Some(index) = self.index.get(full) {
            return *index;
        }
        let index = self.locations.len();
        let location = json!({ "name": name, "fullyQualifiedName": full, "kind": RESOURCE });
        self.locations.push(location.to_string());
        self.index.insert(full.to_owned(), index);
        index
    }
}

/// What VMs and disks are among the kinds of logical locations.
const RESOURCE: &str = "resource";

impl<W: Write> ChecksWriter for Writer<W> {
    fn add(&mut self, checked: &Checked) -> io::Result<()> {
        let checked = checked.cleaned();
        let vm = checked.vm.as_deref().map(|vm| {
            let full = checked.id.as_deref().unwrap_or(vm);
            (vm, full, self.vms.index_of(vm, full))
        });
        for (finding, number) in checked.numbered() {
            if self.results > 0 {
                writeln!(self.out, ",")?;
            }
            let result = Found::new(&checked, vm, finding, number);
            write!(self.out, "{}", text(&result)?)?;
            self.results += 1;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let end = if self.results > 0 { "\n" } else { "" };
        write!(self.out, "{end}]")?;
        if !self.vms.locations.is_empty() {
            let locations = self.vms.locations.join(",\n");
            write!(self.out, ",\n\"logicalLocations\": [\n{locations}\n]")?;
        }
        writeln!(self.out, "\n}}]\n}}")?;
        self.out.flush()
    }
}

/// How SARIF calls severities.
const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

#[derive(Serialize)]
struct Message {
    text: String,
}

impl Message {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

/// A `reportingDescriptor`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: String,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: Configuration,
}

/// A `reportingConfiguration`.
#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

impl From<FindingId> for Rule {
    fn from(id: FindingId) -> Self {
        let explanation = id.explanation();
        Self {
            id: id.code(),
            name: format!("{id:?}"),
            short_description: Message::new(explanation.title),
            full_description: Message::new(explanation.rule),
            help: Message::new(format!(
                "{}\n\nSource: {}.",
                explanation.rule, explanation.source
            )),
            default_configuration: Configuration {
                level: level(id.usual_severity()),
            },
        }
    }
}

/// A `result`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location<'a>; 1],
    partial_fingerprints: Fingerprints,
    suppressions: Vec<Suppression<'a>>,
    properties: Properties<'a>,
}

/// Named and versioned, as the standard asks.
#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "findingNames/v1")]
    names: String,
}

#[derive(Serialize)]
struct Properties<'a> {
    figures: &'a [Figure],
}

impl<'a> Found<'a> {
    fn new(
        checked: &'a Checked,
        vm: Option<(&'a str, &'a str, usize)>,
        finding: &'a Finding,
        number: usize,
    ) -> Self {
        let fix = finding.fix.as_ref();
        let fix = fix.map_or_else(String::new, |fix| format!("\nFix: {fix}"));
        let text = format!("{}: {}{fix}", finding.subject, finding.message);
        Self {
            rule_id: finding.id.code(),
            rule_index: finding.id as usize,
            level: level(finding.severity),
            message: Message::new(text),
            locations: [Location::new(checked.file.as_ref(), vm, finding)],
            partial_fingerprints: Fingerprints {
                names: fingerprint(checked, finding, number),
            },
            suppressions: finding.suppressed.iter().map(|s| (&**s).into()).collect(),
            properties: Properties {
                figures: &finding.figures,
            },
        }
    }
}

/// Names only: no number that another size, price or measurement would change. What is about the VM as a whole does not
/// name its size either.
fn fingerprint(checked: &Checked, finding: &Finding, number: usize) -> String {
    let whole = checked.vm.as_ref() == Some(&finding.subject);
    let subject = if whole { "" } else { &finding.subject };
    format!(
        "{}|{}|{subject}|{number}",
        finding.id.code(),
        checked.identity()
    )
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    logical_locations: [LogicalLocation<'a>; 1],
}

impl<'a> Location<'a> {
    fn new(
        file: Option<&SourceFile>,
        vm: Option<(&'a str, &str, usize)>,
        finding: &'a Finding,
    ) -> Self {
        Self {
            physical_location: file.map(|file| PhysicalLocation::new(file, &finding.subject)),
            logical_locations: [LogicalLocation::new(vm, &finding.subject)],
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation<'a> {
    name: &'a str,
    fully_qualified_name: String,
    kind: &'static str,
    /// Its own place in the run's list: a VM.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    /// The place of the VM that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_index: Option<usize>,
}

impl<'a> LogicalLocation<'a> {
    fn new(vm: Option<(&'a str, &str, usize)>, subject: &'a str) -> Self {
        let plain = Self {
            name: subject,
            fully_qualified_name: subject.to_owned(),
            kind: RESOURCE,
            index: None,
            parent_index: None,
        };
        match vm {
            Some((name, full, index)) if name == subject => Self {
                fully_qualified_name: full.to_owned(),
                index: Some(index),
                ..plain
            },
            Some((_, full, index)) => Self {
                fully_qualified_name: format!("{full}/{subject}"),
                parent_index: Some(index),
                ..plain
            },
            None => plain,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    /// Without one, the whole file is meant: better than a line that says something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
}

impl PhysicalLocation {
    /// The line of `subject`; where it is not known, the file.
    fn new(file: &SourceFile, subject: &str) -> Self {
        let uri = uri(&file.path);
        Self {
            region: (file.lines.get(subject)).map(|line| Region { start_line: *line }),
            artifact_location: ArtifactLocation {
                uri_base_id: (!uri.starts_with("file:")).then_some(BASE),
                uri,
            },
        }
    }
}

/// A path as a URI: relative as it is, absolute as that of a file.
fn uri(path: &str) -> String {
    let slashed = if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.to_owned()
    };
    let mut out = String::new();
    let drive = slashed.as_bytes().get(1) == Some(&b':') && cfg!(windows);
    if drive || slashed.starts_with('/') {
        out.push_str(if drive { "file:///" } else { "file://" });
    }
    let relative = slashed.strip_prefix("./").unwrap_or(&slashed);
    for byte in relative.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into());
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// A `suppression` that stands in a file of its own.
#[derive(Serialize)]
struct Suppression<'a> {
    kind: &'static str,
    status: &'static str,
    justification: &'a str,
    properties: SuppressionProperties<'a>,
}

#[derive(Serialize)]
struct SuppressionProperties<'a> {
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<jiff::civil::Date>,
}

impl<'a> From<&'a Suppressed> for Suppression<'a> {
    fn from(suppressed: &'a Suppressed) -> Self {
        Self {
            kind: "external",
            status: "accepted",
            justification: &suppressed.reason,
            properties: SuppressionProperties {
                source: &suppressed.source,
                expires: suppressed.expires,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("plans/a.toml"), "plans/a.toml");
        assert_eq!(uri("./my plan #1.toml"), "my%20plan%20%231.toml");
        assert_eq!(uri("C:é.toml"), "C%3A%C3%A9.toml");
        assert_eq!(uri("/srv/a.toml"), "file:///srv/a.toml");
    }

    #[test]
    fn an_id_is_its_own_index_among_the_rules() {
        for (index, id) in FindingId::ALL.iter().enumerate() {
            assert_eq!(*id as usize, index);
        }
    }
}
