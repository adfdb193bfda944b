//! What a terminal shows of many VMs: short, and everything named.

use diskcap::azure::validate::FleetValidation;
use diskcap::planner::Severity;
use diskcap::report::{Format, RenderOptions, Report, Selection, render, render_document};
use serde_json::Value;

use crate::fixtures::{attached, disk, judge, limits, vm};

/// VMs with a v2 disk each that is too large for them, each other figures; the OS disks are not read.
fn wasteful(count: u32) -> FleetValidation {
    let one = |index: u32| -> [Value; 2] {
        let data = format!("vm{index}-data");
        let figures = limits(30_000 + 100 * index, 1_000);
        [
            vm(
                &format!("vm{index}"),
                "Standard_D8s_v5",
                &[attached(0, &data, "None")],
            ),
            disk(&data, "PremiumV2_LRS", 1024, &figures),
        ]
    };
    judge(&(0..count).flat_map(one).collect::<Vec<_>>())
}

fn shown(validation: &FleetValidation, format: Format) -> String {
    let options = RenderOptions {
        width: Some(100),
        ..RenderOptions::default()
    };
    String::from_utf8(render(validation, format, &options).unwrap()).unwrap()
}

/// A text on one line, as it was before it was wrapped.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn findings_that_differ_in_figures_are_one_and_name_every_vm() {
    let validation = wasteful(12);
    let text = on_one_line(&shown(&validation, Format::Table));
    // In the summary, and said once of the disks and once of the VMs, which have another fix.
    assert_eq!(text.matches("UNUSABLE").count(), 3, "{text}");
    let all: Vec<String> = (0..12).map(|index| format!("vm{index}/lun0")).collect();
    // 30,000 - 20,000, which is what D8s_v5 lets through in burst.
    let one = format!(
        "UNUSABLE 12: {} such as vm0/lun0: 10,000 IOPS",
        all.join(", ")
    );
    assert!(text.contains(&one), "{text}");
    assert!(text.contains("--table findings shows each"), "{text}");
    // What machines read has each, and so does the table by itself.
    let warnings = validation.findings();
    let warnings = warnings.filter(|f| f.severity == Severity::Warning).count();
    let csv = shown_table(&validation, "findings", Format::Csv);
    let rows = csv.lines().filter(|line| line.starts_with("warning,"));
    assert_eq!(rows.count(), warnings);
    assert!(!shown_table(&validation, "findings", Format::Table).contains("such as"));
}

fn shown_table(validation: &FleetValidation, id: &str, format: Format) -> String {
    let selection = Selection {
        table: Some(id.to_owned()),
        ..Selection::default()
    };
    let document = selection.apply(validation.document()).unwrap();
    let bytes = render_document(&document, format, &RenderOptions::default()).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn many_disks_are_a_number_in_a_terminal_and_listed_elsewhere() {
    // An OS disk and a data disk each: 20 are listed, 22 are not.
    let listed = shown(&wasteful(10), Format::Table);
    assert!(!listed.contains("--table deployed"), "{listed}");
    let many = wasteful(11);
    let short = shown(&many, Format::Table);
    assert!(
        short.contains("22 disks: --table deployed lists them, --vm NAME those of one VM."),
        "{short}"
    );
    assert_eq!(
        shown_table(&many, "deployed", Format::Table)
            .matches("vm10 ")
            .count(),
        2
    );
    assert!(shown(&many, Format::Html).contains("vm10-data"));
}

#[test]
fn what_is_not_known_of_many_is_said_once() {
    let validation = wasteful(5);
    let said = "its performance tier: the disk itself was not read";
    for format in [Format::Table, Format::Markdown] {
        let text = on_one_line(&shown(&validation, format));
        let text = text.replace(['│', '|'], " ");
        let text = on_one_line(&text);
        assert!(text.contains("vm0, vm1, vm2 and 2 more"), "{text}");
    }
    let csv = shown_table(&validation, "unknown", Format::Csv);
    assert_eq!(csv.matches(said).count(), 5, "{csv}");
}

#[test]
fn that_nothing_was_found_is_said_with_what_is_not_known() {
    let clean = "Nothing is wrong by the rules known here";
    let of = |sku: Value| {
        let mut alone = disk("kept", "Standard_LRS", 128, &limits(500, 60));
        alone["properties"]["diskState"] = Value::from("Reserved");
        alone["sku"]["name"] = sku;
        on_one_line(&shown(&judge(&[alone]), Format::Table))
    };
    let known = of(Value::from("Standard_LRS"));
    assert!(known.contains(&format!("{clean}. ")), "{known}");
    let unknown = of(Value::Null);
    assert!(
        unknown.contains(&format!("{clean}, as far as the answers tell")),
        "{unknown}"
    );
}

#[test]
fn what_was_odd_about_one_vm_again_and_again_is_said_once() {
    let web = |luns: u32| {
        let on_vm = (0..luns).map(|lun| attached(lun, &format!("web-{lun}"), "None"));
        vm("web", "Standard_D8s_v5", &on_vm.collect::<Vec<_>>())
    };
    let other = vm("other", "Standard_D8s_v5", &[]);
    let validation = judge(&[other, web(1), web(2), web(3), web(1)]);
    // The report stands in a table: its words come in cells.
    let text = shown(&validation, Format::Table).replace('│', " ");
    let text = on_one_line(&text);
    assert_eq!(text.matches("read twice with").count(), 1, "{text}");
    assert!(text.contains("(and 2 times more)"), "{text}");
    let csv = shown_table(&validation, "problems", Format::Csv);
    assert_eq!(csv.matches("read twice with").count(), 3, "{csv}");
    assert!(!csv.contains("more)"), "{csv}");
}
