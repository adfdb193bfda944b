//! Saved files that are odd, broken or something else, and what is said of them.

use diskcap::azure::facts::{Named, Problem, Weight};
use diskcap::catalog::Limits;
use serde_json::json;

use crate::fixtures::{disk, fleet, problems, read, vm};

#[test]
fn impossible_limits_are_pointed_out_and_not_believed() {
    let mut exchanged = disk("rg1", "d", 200, 125, 3000);
    exchanged["sku"]["name"] = json!("UltraSSD_LRS");
    let facts = read(exchanged.to_string());
    assert_eq!(facts.disks[0].limits, Limits::UNKNOWN);
    assert_eq!(
        problems(&facts),
        [
            "saved.json, disk d: diskIOPSReadWrite 125 with diskMBpsReadWrite 3000 cannot be: 125 IOPS carry at most 33 MB/s; the two look exchanged: not believed, taken as unknown"
        ]
    );
    let mut few = disk("rg1", "d", 200, 500, 100);
    few["sku"]["name"] = json!("PremiumV2_LRS");
    let facts = read(few.to_string());
    assert_eq!(facts.disks[0].limits, Limits::UNKNOWN);
    assert!(problems(&facts)[0].contains("3,000 IOPS or more"));
}

#[test]
fn odd_values_are_named_and_unknown() {
    let mut odd = disk("rg1", "d", 512, 2300, 150);
    odd["properties"]["diskIOPSReadWrite"] = json!("plenty");
    odd["properties"]["diskMBpsReadWrite"] = json!(-5);
    odd["properties"]["maxShares"] = json!(1.5);
    odd["properties"]["diskState"] = json!("Teleporting");
    let facts = read(odd.to_string());
    let mut told = problems(&facts);
    told.sort();
    assert_eq!(
        told,
        [
            "saved.json, disk d: diskIOPSReadWrite is 'plenty', not a number: taken as unknown",
            "saved.json, disk d: diskMBpsReadWrite is -5, not a number above 0: taken as unknown",
            "saved.json, disk d: maxShares is 1.5, not a whole number: taken as unknown",
        ]
    );
    assert_eq!(facts.disks[0].limits, Limits::UNKNOWN);
    assert_eq!(
        facts.disks[0].state,
        Some(Named::Other("Teleporting".into()))
    );
}

#[test]
fn what_is_of_no_use_is_counted_by_kind() {
    let nic = json!({ "id": "/x/nic1", "type": "Microsoft.Network/networkInterfaces" });
    let text = json!([nic, nic, { "a": 1, "b": 2 }, vm("rg1", "a")]).to_string();
    let facts = read(text);
    assert_eq!(facts.vms.len(), 1);
    assert_eq!(
        problems(&facts),
        [
            "saved.json: 2 object(s) of no use here were passed over: Microsoft.Network/networkInterfaces",
            "saved.json: 1 object(s) of no use here were passed over: object with a, b",
        ]
    );
    assert!(
        facts
            .problems
            .iter()
            .all(|p| p.problem.weight() == Weight::Info)
    );
}

#[test]
fn a_cut_off_file_is_named_with_its_line_and_what_came_before_is_kept() {
    let whole = serde_json::to_string_pretty(&json!([vm("rg1", "a"), vm("rg1", "b")])).unwrap();
    let cut = &whole[..whole.len() * 3 / 4];
    let facts = read(cut);
    assert_eq!(facts.vms.len(), 1);
    let [problem] = facts.problems.as_slice() else {
        panic!("one problem: {:?}", facts.problems);
    };
    assert_eq!(problem.problem, Problem::Truncated);
    assert_eq!(problem.line, Some(cut.lines().count()));
    assert_eq!(problem.problem.weight(), Weight::Error);
}

#[test]
fn a_malformed_line_does_not_hide_the_others() {
    let [a, b, d] = fleet();
    let facts = read(format!("{a}\n{{\"name\": oops}}\n{b}\n{d}\n"));
    assert_eq!((facts.vms.len(), facts.disks.len()), (2, 1));
    assert_eq!(
        problems(&facts),
        ["saved.json, line 2: malformed JSON: expected value (column 10)"]
    );
}

#[test]
fn what_is_no_json_is_described() {
    let cases = [
        ("", "saved.json: empty: there is nothing to read"),
        (" \n\t", "saved.json: empty: there is nothing to read"),
        (
            "<html><head><title>Sign in</title></head></html>",
            "saved.json: not JSON but a web page titled 'Sign in': save the answer as JSON (the Azure CLI writes it with '-o json')",
        ),
        (
            "Name    ResourceGroup\n------  ------\nvm1     rg1\n",
            "saved.json: not JSON but text ('Name    ResourceGroup'): save the answer as JSON (the Azure CLI writes it with '-o json')",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(&read(text)), [expected]);
    }
}

#[test]
fn warnings_in_front_of_the_json_are_passed_over() {
    let text = format!(
        "WARNING: This command is in preview.\nWARNING: again\n{}\n",
        serde_json::to_string_pretty(&json!(fleet())).unwrap()
    );
    let facts = read(text);
    assert_eq!((facts.vms.len(), facts.disks.len()), (2, 1));
    assert_eq!(
        problems(&facts),
        ["saved.json: 2 line(s) of text around the JSON were passed over"]
    );
}

#[test]
fn an_error_answer_in_a_file_is_told() {
    let error = json!({ "error": { "code": "AuthorizationFailed", "message": "no right" } });
    let twice = json!(error.to_string());
    for text in [error.to_string(), twice.to_string()] {
        assert_eq!(
            problems(&read(text)),
            [
                "saved.json: holds an error answer instead of resources: AuthorizationFailed: no right"
            ]
        );
    }
}

/// No text makes the reader panic, and none makes it forget to say something.
mod any_text {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_survived(text in "\\PC*") {
            let facts = read(&text);
            prop_assert!(facts.is_empty());
        }

        #[test]
        fn of_json_is_survived(text in json_like(4)) {
            read(&text);
        }

        #[test]
        fn cut_anywhere_is_told(cut in 1_usize..1500) {
            let whole = json!([vm("rg1", "a"), disk("rg1", "d", 512, 2300, 150)]).to_string();
            let cut = cut.min(whole.len() - 1);
            let facts = read(&whole[..cut]);
            prop_assert!(facts.problems.iter().any(|p| p.problem.weight() == Weight::Error));
        }
    }

    /// JSON with the names that matter, and values of any kind in their places.
    fn json_like(depth: u32) -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            any::<f32>()
                .prop_filter("finite", |n| n.is_finite())
                .prop_map(|n| n.to_string()),
            "[a-zA-Z0-9/_{}\\[\\]]{0,12}".prop_map(|s| serde_json::to_string(&s).unwrap()),
        ];
        let key = prop_oneof![
            Just("id"),
            Just("name"),
            Just("type"),
            Just("value"),
            Just("data"),
            Just("rows"),
            Just("columns"),
            Just("properties"),
            Just("storageProfile"),
            Just("dataDisks"),
            Just("osDisk"),
            Just("managedDisk"),
            Just("diskSizeGB"),
            Just("diskIOPSReadWrite"),
            Just("zones"),
            Just("sku"),
            Just("capabilities"),
            Just("resourceType"),
            Just("locationInfo"),
            Just("error"),
            Just("statuses"),
            Just("hardwareProfile"),
        ];
        leaf.prop_recursive(depth, 48, 6, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5)
                    .prop_map(|items| format!("[{}]", items.join(","))),
                proptest::collection::vec((key.clone(), inner), 0..6).prop_map(|fields| {
                    let fields: Vec<String> = fields
                        .into_iter()
                        .map(|(key, value)| format!("\"{key}\":{value}"))
                        .collect();
                    format!("{{{}}}", fields.join(","))
                }),
            ]
        })
    }
}

#[test]
fn picked_fields_are_told_with_what_is_missing() {
    let picked = |text: &str| {
        let facts = read(text);
        assert!(facts.vms.is_empty() && facts.disks.is_empty());
        let [problem] = problems(&facts).try_into().unwrap();
        assert_eq!(facts.problems[0].problem.weight(), Weight::Warning);
        problem
    };
    let told = picked(r#"[{"name":"db1","size":"Standard_D8s_v5"},{"name":"db2","size":"x"}]"#);
    assert!(
        told.starts_with(
            "saved.json: 2 object(s) have only name, size, as `az ... --query` picks them"
        ),
        "{told}"
    );
    assert!(
        told.contains("storageProfile of a VM") && told.contains("`az vm list -d -o json`"),
        "{told}"
    );
    // Lists of lists and of bare values, as `--query "[].[name, location]"` gives them.
    for text in [
        r#"[["db1","eastus"],["db2","eastus"]]"#,
        r#"["db1","db2","db3","db4"]"#,
    ] {
        let told = picked(text);
        assert!(
            told.starts_with("saved.json: only 4 bare value(s), as `az"),
            "{told}"
        );
    }
    // Beside a resource a stray value is nothing.
    assert!(problems(&read(json!([vm("rg1", "a"), "b"]).to_string())).is_empty());
}

/// A lost character makes another name of a disk: that is said with its line, and the rest is read.
#[test]
fn characters_that_are_no_text_are_pointed_out() {
    let text = "[\n{\"name\": \"caf\u{e9}\", \"type\": \"Microsoft.Compute/disks\"},\n\
                {\"name\": \"data\", \"type\": \"Microsoft.Compute/disks\"}]";
    let mut bytes = text.as_bytes().to_vec();
    let at = bytes.iter().position(|byte| *byte == 0xC3).unwrap();
    bytes.remove(at);
    let facts = read(&bytes);
    let names: Vec<&str> = facts.disks.iter().map(|disk| &*disk.name).collect();
    assert_eq!(names, ["caf\u{fffd}", "data"]);
    assert_eq!(
        problems(&facts),
        [
            "saved.json, line 2: holds characters that are no valid UTF-8, read as '\u{fffd}': names with them are not the \
             real ones; save it again as UTF-8"
        ]
    );
    assert!(read(text).problems.is_empty());
}
