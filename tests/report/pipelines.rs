//! SARIF and JUnit: what they say, read back, and what their standards ask of every file.

use std::collections::BTreeSet;

use diskcap::planner::{FindingId, Severity};
use diskcap::report::checked::{ChecksHead, Totals};
use diskcap::report::{Checked, Document, Format, RenderOptions, ReportError, render_document};
use roxmltree::{Document as Xml, Node};
use serde_json::{Value, json};

use crate::sample::{checked, document};

fn rendered(format: Format, fails_from: Severity) -> String {
    let options = RenderOptions {
        fails_from,
        ..RenderOptions::default()
    };
    String::from_utf8(render_document(&document(), format, &options).unwrap()).unwrap()
}

fn sarif() -> Value {
    serde_json::from_str(&rendered(Format::Sarif, Severity::Error)).unwrap()
}

/// What SARIF 2.1.0 requires of the objects that are used here (sections 3.13 to 3.52 of the standard), and that every
/// finding is there.
#[track_caller]
pub fn assert_sarif(text: &str, checked: &[Checked]) {
    let log: Value = serde_json::from_str(text).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(log["runs"].as_array().unwrap().len(), 1);
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].is_string() && driver["version"].is_string());
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);

    let rules = driver["rules"].as_array().unwrap();
    let ids: BTreeSet<&str> = rules.iter().map(|r| r["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), FindingId::ALL.len());
    for rule in rules {
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(!rule[text]["text"].as_str().unwrap().is_empty(), "{rule}");
        }
        assert_level(&rule["defaultConfiguration"]["level"]);
    }
    let vms = run["logicalLocations"].as_array();
    let vms = vms.map_or(&[][..], Vec::as_slice);
    let unique: BTreeSet<String> = vms.iter().map(Value::to_string).collect();
    assert_eq!(unique.len(), vms.len());

    let findings = checked
        .iter()
        .flat_map(|c| c.findings.iter().map(move |f| (c, f)));
    let findings: Vec<_> = findings.collect();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), findings.len());
    for (result, (checked, finding)) in results.iter().zip(findings) {
        assert_eq!(result["ruleId"], finding.id.code());
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert_level(&result["level"]);
        let message = result["message"]["text"].as_str().unwrap();
        assert!(message.contains(&finding.message));
        assert!(message.contains(finding.fix.as_deref().unwrap_or("")));
        let [location] = result["locations"].as_array().unwrap().as_slice() else {
            panic!("{result}");
        };
        let logical = &location["logicalLocations"][0];
        assert_eq!(logical["name"], *finding.subject);
        for key in ["index", "parentIndex"] {
            if let Some(index) = logical[key].as_u64() {
                let vm = &vms[usize::try_from(index).unwrap()];
                assert_eq!(vm["name"].as_str(), checked.vm.as_deref());
            }
        }
        assert_eq!(
            location["physicalLocation"].is_object(),
            checked.file.is_some()
        );
        if checked.file.is_some() {
            let physical = &location["physicalLocation"];
            let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
            assert!(uri.bytes().all(|b| b.is_ascii_graphic()), "{uri}");
            let line = physical.get("region").map(|region| &region["startLine"]);
            assert!(line.is_none_or(|line| line.as_u64().unwrap() >= 1));
        }
        let suppressions = result["suppressions"].as_array().unwrap();
        assert_eq!(
            suppressions.len(),
            usize::from(finding.suppressed.is_some())
        );
        for (written, suppressed) in suppressions.iter().zip(&finding.suppressed) {
            assert_eq!(written["kind"], "external");
            assert_eq!(written["justification"], *suppressed.reason);
        }
    }
}

#[track_caller]
fn assert_level(level: &Value) {
    assert!(["error", "warning", "note"].contains(&level.as_str().unwrap()));
}

fn number(node: Node<'_, '_>, name: &str) -> usize {
    node.attribute(name).unwrap().parse().unwrap()
}

fn children<'a, 'd>(node: Node<'a, 'd>, name: &'a str) -> impl Iterator<Item = Node<'a, 'd>> {
    node.children().filter(move |n| n.has_tag_name(name))
}

/// That the counts are those of the cases, that cases of a suite have names of their own, and that every finding is
/// there with what became of it.
#[track_caller]
pub fn assert_junit(text: &str, checked: &[Checked], fails_from: Severity) {
    let xml = Xml::parse(text).unwrap();
    let root = xml.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let suites: Vec<Node<'_, '_>> = children(root, "testsuite").collect();
    assert_eq!(suites.len(), checked.len());
    let mut sums = [0; 3];
    for (suite, checked) in suites.iter().zip(checked) {
        assert_eq!(suite.attribute("name"), Some(checked.name.as_str()));
        let cases: Vec<Node<'_, '_>> = children(*suite, "testcase").collect();
        let with = |name: &str| {
            cases
                .iter()
                .filter(|c| children(**c, name).next().is_some())
                .count()
        };
        let counts = [cases.len(), with("failure"), with("skipped")];
        assert_eq!(
            counts,
            ["tests", "failures", "skipped"].map(|name| number(*suite, name))
        );
        assert_eq!(number(*suite, "errors"), 0);
        (0..3).for_each(|i| sums[i] += counts[i]);
        let names: BTreeSet<_> = cases.iter().map(|c| c.attribute("name").unwrap()).collect();
        // Two subjects may be called alike to the last sign but the number behind them.
        assert!(
            names.len() == cases.len() || checked.findings.iter().any(|f| f.subject.ends_with(')'))
        );
        assert_eq!(cases.len(), checked.findings.len().max(1));
        for (case, finding) in cases.iter().zip(&checked.findings) {
            let child = case.first_element_child().unwrap();
            let expected = match &finding.suppressed {
                Some(_) => "skipped",
                None if finding.severity <= fails_from => "failure",
                None => "system-out",
            };
            assert_eq!(child.tag_name().name(), expected);
            let text: String = case.descendants().filter_map(|n| n.text()).collect();
            assert!(
                text.contains(&finding.message),
                "{text:?} {:?}",
                finding.message
            );
            if expected == "failure" {
                assert_eq!(child.attribute("message"), Some(finding.message.as_str()));
            }
        }
    }
    if root.has_attribute("tests") {
        let of_root = ["tests", "failures", "skipped"].map(|name| number(root, name));
        assert_eq!(of_root, sums);
    }
}

#[test]
fn both_keep_to_their_standards() {
    assert_sarif(&rendered(Format::Sarif, Severity::Error), &checked());
    for fails_from in [Severity::Error, Severity::Warning, Severity::Info] {
        assert_junit(&rendered(Format::Junit, fails_from), &checked(), fails_from);
    }
}

#[test]
fn a_result_says_where_what_and_how_to_mend_it() {
    let log = sarif();
    let results = &log["runs"][0]["results"];
    let location = |result: usize| &results[result]["locations"][0];
    assert_eq!(
        results[0]["message"]["text"],
        "Size_A4_v9: Size_A4_v9 <is> \"wrong\" & more\nFix: take 4"
    );
    assert_eq!(
        *location(0),
        json!({
            "physicalLocation": {
                "artifactLocation": { "uri": "plans/new%20one.toml", "uriBaseId": "%SRCROOT%" }
            },
            "logicalLocations": [{
                "name": "Size_A4_v9", "fullyQualifiedName": "Size_A4_v9", "kind": "resource", "index": 0
            }]
        })
    );
    assert_eq!(location(1)["physicalLocation"]["region"]["startLine"], 7);
    assert_eq!(
        location(1)["logicalLocations"],
        json!([{
            "name": "data", "fullyQualifiedName": "Size_A4_v9/data", "kind": "resource", "parentIndex": 0
        }])
    );
    let levels: Vec<&Value> = (0..5).map(|i| &results[i]["level"]).collect();
    assert_eq!(levels, ["error", "warning", "warning", "note", "note"]);
    assert_eq!(
        results[2]["suppressions"],
        json!([{
            "kind": "external", "status": "accepted", "justification": "meant so",
            "properties": { "source": "accepted.toml, line 3", "expires": "2031-12-31" }
        }])
    );
    assert_eq!(results[1]["suppressions"], json!([]));
    let vms = &log["runs"][0]["logicalLocations"];
    assert_eq!(
        vms[1]["fullyQualifiedName"],
        "/subscriptions/s/virtualMachines/web-1"
    );
}

#[test]
fn fingerprints_are_unique_and_made_of_names() {
    let prints = |log: &Value| -> Vec<String> {
        let results = log["runs"][0]["results"].as_array().unwrap();
        let of = |r: &Value| {
            r["partialFingerprints"]["findingNames/v1"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        results.iter().map(of).collect()
    };
    assert_eq!(
        prints(&sarif()),
        [
            "TOO-MANY-DISKS|orders||1",
            "UNUSABLE|orders|data|1",
            "RW-CACHE-DATA|orders|log|1",
            "QUEUE-DEPTH|orders|data|1",
            "QUEUE-DEPTH|orders|data|2"
        ]
    );
    // Another size, other numbers, another order: the same findings.
    let mut other = document();
    let orders = &mut other.checked[0];
    orders.vm = Some("Size_A8_v9".to_owned());
    orders.findings[0].subject = "Size_A8_v9".to_owned();
    orders.findings[1].message = "other numbers".to_owned();
    orders.findings.reverse();
    let bytes = render_document(&other, Format::Sarif, &RenderOptions::default()).unwrap();
    let mut of_other = prints(&serde_json::from_slice(&bytes).unwrap());
    of_other.sort_unstable();
    let mut expected = prints(&sarif());
    expected.sort_unstable();
    assert_eq!(of_other, expected);
}

#[test]
fn tests_fail_from_the_severity_on_that_is_asked() {
    for (fails_from, failures) in [
        (Severity::Error, 1),
        (Severity::Warning, 2),
        (Severity::Info, 4),
    ] {
        let text = rendered(Format::Junit, fails_from);
        let xml = Xml::parse(&text).unwrap();
        let root = xml.root_element();
        let counts = ["tests", "failures", "errors", "skipped"].map(|name| number(root, name));
        assert_eq!(counts, [6, failures, 0, 1], "{fails_from}");
    }
    let text = rendered(Format::Junit, Severity::Error);
    let xml = Xml::parse(&text).unwrap();
    let names: Vec<_> = xml
        .descendants()
        .filter(|n| n.has_tag_name("testcase"))
        .map(|n| {
            (
                n.attribute("classname").unwrap(),
                n.attribute("name").unwrap(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            ("orders", "TOO-MANY-DISKS Size_A4_v9"),
            ("orders", "UNUSABLE data"),
            ("orders", "RW-CACHE-DATA log"),
            ("orders", "QUEUE-DEPTH data"),
            ("orders", "QUEUE-DEPTH data (2)"),
            ("web-1", "no findings"),
        ]
    );
    let skipped = xml
        .descendants()
        .find(|n| n.has_tag_name("skipped"))
        .unwrap();
    assert_eq!(
        skipped.attribute("message"),
        Some("suppressed: meant so (until 2031-12-31)")
    );
}

#[test]
fn a_fleet_is_written_one_vm_after_the_other() {
    let whole = document();
    let head = ChecksHead {
        title: whole.title.clone(),
        unread: Vec::new(),
        notes: whole.footnotes.clone(),
        fails_from: Severity::Error,
        totals: None,
    };
    for format in [Format::Sarif, Format::Junit] {
        let mut bytes = Vec::new();
        let mut writer = format.checks(&mut bytes, &head).unwrap().unwrap();
        for checked in &whole.checked {
            writer.add(checked).unwrap();
        }
        writer.finish().unwrap();
        let streamed = String::from_utf8(bytes).unwrap();
        let totals = r#" tests="6" failures="1" errors="0" skipped="1" time="0""#;
        let expected = rendered(format, Severity::Error).replacen(totals, "", 1);
        assert_eq!(streamed, expected);
    }
    let none = Format::Csv.checks(Vec::new(), &head);
    assert!(none.is_none());
    let clean = Totals::of(&whole.checked[1], Severity::Info);
    assert_eq!((clean.tests, clean.failures, clean.skipped), (1, 0, 0));
}

#[test]
fn what_judges_nothing_has_nothing_for_a_pipeline() {
    let document = Document::default();
    for format in [Format::Sarif, Format::Junit] {
        let error = render_document(&document, format, &RenderOptions::default()).unwrap_err();
        assert!(matches!(error, ReportError::Nothing { .. }));
        let message = error.to_string();
        assert!(message.contains("no findings to look for"), "{message}");
    }
}
