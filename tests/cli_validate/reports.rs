//! What is shown, in every format.

use serde_json::{Value, json};

use crate::cli::{files_begin, run, run_in, stdout, transcript};
use crate::{ONE, SHOP, cloud, fails};

#[test]
fn one_vm_shows_its_findings_first() {
    insta::assert_snapshot!("one_vm", transcript(&format!("{ONE} --cost --width 80")));
    insta::assert_snapshot!(
        "one_vm_striped",
        transcript(&format!(
            "{ONE} --stripe data=lun0,lun1 --profile vdi --width 110"
        ))
    );
}

#[test]
fn many_vms_have_a_line_each() {
    insta::assert_snapshot!(
        "many_vms",
        transcript(&format!("{SHOP} --cost --width 120"))
    );
    insta::assert_snapshot!("many_vms_narrow", transcript(&format!("{SHOP} --width 80")));
}

#[test]
fn every_text_format_says_the_same() {
    for format in ["csv", "markdown"] {
        let words = format!("{SHOP} --cost --format {format}");
        insta::assert_snapshot!(format!("many_vms_{format}"), transcript(&words));
    }
    let csv = stdout(&format!("{SHOP} --format csv --table findings"));
    assert!(csv.starts_with("severity,id,subject,text,fix"), "{csv}");
    let csv = stdout(&format!(
        "{SHOP} --format csv --table deployed --columns vm,volume,iops"
    ));
    assert!(csv.contains("db1,lun2,16000"), "{csv}");
}

#[test]
fn json_has_every_vm_and_is_rendered_again() {
    let text = stdout(&format!("{SHOP} --cost --format json"));
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], "diskcap.validate/1");
    assert_eq!(value["vms"].as_array().unwrap().len(), 4);
    assert_eq!(value["disks"][0]["disk"]["name"], "old-data");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("saved.json"), &text).unwrap();
    let again = run_in(folder.path(), "render saved.json --width 120");
    let direct = run(&format!("{SHOP} --cost --width 120"));
    assert_eq!(again.stdout, direct.stdout);
}

#[test]
fn formats_for_files_are_written() {
    for words in [ONE, SHOP] {
        files_begin(words, &[("html", b"<!DOCTYPE"), ("xlsx", b"PK")]);
    }
}

#[test]
fn help_is_complete() {
    insta::assert_snapshot!("help", transcript("validate --help"));
}

#[test]
fn findings_of_many_vms_name_their_owner() {
    let csv = stdout(&format!("{SHOP} --format csv --table findings --sort id"));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("severity,id,owner,subject,text,fix"));
    let owners: std::collections::BTreeSet<&str> =
        lines.filter_map(|line| line.split(',').nth(2)).collect();
    let known = stdout(&format!(
        "{SHOP} --format csv --table vms --columns vm --no-header"
    ));
    let known: Vec<&str> = known.lines().chain(["old-data"]).collect();
    assert!(owners.len() > 1, "{csv}");
    assert!(
        owners.iter().all(|owner| known.contains(owner)),
        "{owners:?} {known:?}"
    );
}

#[test]
fn a_line_of_a_vm_says_whether_its_month_is_complete() {
    let lines = |words: &str| -> Vec<Value> {
        let text = stdout(words);
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.filter(|line: &Value| line["kind"] == "vm").collect()
    };
    let priced = lines(&format!("{SHOP} --cost --format ndjson"));
    assert_eq!(priced.len(), 4);
    for line in priced {
        let missing = line["month"]["missing"].as_array().map(Vec::is_empty);
        assert_eq!(line["month_complete"].as_bool(), missing, "{line}");
    }
    for line in lines(&format!("{SHOP} --format ndjson")) {
        assert_eq!(line["month_complete"], Value::Null);
    }
}

#[test]
fn a_windows_vm_with_its_own_licence_is_not_called_linux() {
    let folder = tempfile::tempdir().unwrap();
    let licensed = |license: Value, os: &str| {
        let vm = json!({
            "id": format!("{}/virtualMachines/w1", cloud::COMPUTE),
            "name": "w1", "type": "Microsoft.Compute/virtualMachines", "location": "eastus",
            "properties": {
                "hardwareProfile": { "vmSize": "Standard_D8s_v5" },
                "licenseType": license,
                "storageProfile": {
                    "osDisk": { "osType": os, "name": "w1-os", "diskSizeGB": 128,
                                "managedDisk": { "storageAccountType": "Premium_LRS" } },
                    "dataDisks": []
                }
            }
        });
        std::fs::write(folder.path().join("w.json"), vm.to_string()).unwrap();
        let output = run_in(
            folder.path(),
            "validate --from w.json --cost --format csv --table cost --columns item,month",
        );
        String::from_utf8(output.stdout).unwrap()
    };
    // Standard_D8s_v5 in eastus: 0.384 USD an hour without a licence, 0.752 with one, for 730 hours.
    let own = licensed(json!("Windows_Server"), "Windows");
    assert!(
        own.contains("\"VM, without Windows licence\",280.32"),
        "{own}"
    );
    let bought = licensed(Value::Null, "Windows");
    assert!(bought.contains("\"VM, Windows\",548.96"), "{bought}");
    let linux = licensed(Value::Null, "Linux");
    assert!(linux.contains("\"VM, Linux\",280.32"), "{linux}");
}

#[test]
fn a_column_of_money_has_the_name_that_its_head_says() {
    let words = format!("{SHOP} --cost --format csv --columns vm,month_usd");
    assert!(
        stdout(&words).starts_with("vm,month_usd\n")
            || stdout(&words).starts_with("vm,month_usd\r\n")
    );
    // The head is the same whether prices were asked for or not, of every table with money.
    for table in [
        "vms",
        "findings",
        "deployed",
        "disks",
        "summary",
        "costliest",
    ] {
        let head = |cost: &str| {
            let all = stdout(&format!("{SHOP} {cost} --format csv --table {table}"));
            all.lines().next().unwrap_or_default().to_owned()
        };
        assert!(head("").contains("month_usd"), "{table}: {}", head(""));
        assert_eq!(head(""), head("--cost"), "{table}");
    }
    let told = fails(
        &run(&format!("{SHOP} --cost --format csv --columns vm,mont")),
        2,
    );
    assert!(told.contains("month_complete? It has vm"), "{told}");
}

/// Host caching is not for disks above 4,095 GiB: it is set, and reckoned with as None.
#[test]
fn caching_is_shown_as_it_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let group = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute";
    let disk = json!({
        "lun": 0, "name": "big", "caching": "ReadOnly", "diskSizeGB": 8192,
        "managedDisk": { "id": format!("{group}/disks/big"), "storageAccountType": "Premium_LRS" },
    });
    let vm = json!([{
        "id": format!("{group}/virtualMachines/db1"), "name": "db1", "location": "westeurope",
        "hardwareProfile": { "vmSize": "Standard_D8s_v5" },
        "storageProfile": { "dataDisks": [disk] },
    }]);
    std::fs::write(folder.path().join("vms.json"), vm.to_string()).unwrap();
    let output = run_in(folder.path(), "validate --from vms.json --format json");
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        value["vms"][0]["disks"][0]["caching"], "read-only",
        "{value:#}"
    );
}

#[test]
fn who_has_a_disk_is_shown_at_every_width() {
    let folder = tempfile::tempdir().unwrap();
    let id = |kind: &str, name: &str| {
        format!("/subscriptions/s/resourceGroups/shop/providers/Microsoft.Compute/{kind}/{name}")
    };
    let disk = |name: &str| {
        json!({
            "id": id("disks", name), "name": name, "location": "westeurope", "zones": ["2"],
            "sku": { "name": "Premium_LRS" }, "diskSizeGB": 512, "diskState": "Attached",
            "managedBy": id("virtualMachines", "web7")
        })
    };
    let disks = json!([disk("web7-data"), disk("web7-log")]).to_string();
    std::fs::write(folder.path().join("disks.json"), disks).unwrap();
    for width in ["80", "100"] {
        let output = run_in(
            folder.path(),
            &format!("validate --from disks.json --width {width}"),
        );
        let text = String::from_utf8(output.stdout).unwrap();
        // The head and the note may wrap.
        let words: Vec<&str> = text.split_whitespace().collect();
        let shown = |word| words.contains(&word);
        assert!(shown("Attached") && shown("web7"), "{text}");
        let note = "2 disk(s) are attached to VMs";
        assert!(words.join(" ").contains(note), "{text}");
    }
}

/// The lines of the ids in the files: those of db1, web1, app1 and lab1, and of the disk that nobody has.
#[test]
fn findings_for_pipelines_stand_at_the_lines_of_their_vms() {
    let line_in = |file: &str, name: &str| {
        let path = format!(
            "{}/tests/fixtures/azure/shop/{file}",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(path).unwrap();
        let is_it = |line: &str| line.contains("\"id\"") && line.ends_with(&format!("/{name}\","));
        text.lines().position(is_it).unwrap() + 1
    };
    let sarif: Value = serde_json::from_str(&stdout(&format!("{SHOP} --format sarif"))).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for result in results {
        let location = &result["locations"][0];
        let logical = location["logicalLocations"][0]["fullyQualifiedName"]
            .as_str()
            .unwrap();
        let mut owner = logical
            .rsplit("virtualMachines/")
            .next()
            .unwrap()
            .split('/');
        let name = owner.next().unwrap();
        let file = if name == "old-data" {
            "disks.json"
        } else {
            "vms.json"
        };
        let line = line_in(file, name);
        assert_eq!(
            location["physicalLocation"]["region"]["startLine"], line,
            "{name}"
        );
        seen.insert(name.to_owned());
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
}
