//! Answers that a person cut, pasted or queried: pages, text around, tables, parts and projections.

use diskcap::azure::arm::read::read_stream;
use diskcap::azure::facts::{FleetFacts, Named};
use diskcap::catalog::{Family, Redundancy};
use diskcap::deployment::HostCaching;
use diskcap::units::GiB;
use serde_json::{Value, json};

use crate::fixtures::{compute_path, disk, problems, read, vm};

const MORE_VMS: &str = "a list of VMs goes on in further pages";

/// Everything that these sources hold together.
fn read_all(sources: &[Value]) -> FleetFacts {
    let mut facts = FleetFacts::default();
    for (number, source) in sources.iter().enumerate() {
        let name = format!("{number}.json").into();
        read_stream(source.to_string().as_bytes(), name, &mut facts);
    }
    facts.conclude();
    facts
}

#[test]
fn a_page_without_the_next_is_told() {
    let next = "https://management.azure.com/subscriptions/x?$skiptoken=abc";
    let first = json!({ "value": [vm("rg1", "a")], "nextLink": next });
    let last = json!({ "value": [vm("rg1", "b")] });
    let of_disks = json!({ "value": [disk("rg1", "d", 512, 2300, 150)] });

    let alone = problems(&read_all(std::slice::from_ref(&first)));
    assert!(
        alone[0].starts_with(&format!("0.json: {MORE_VMS}")),
        "{alone:?}"
    );
    // The end of another list is not the end of this one.
    let beside = problems(&read_all(&[first.clone(), of_disks]));
    assert!(beside[0].contains(MORE_VMS), "{beside:?}");
    assert_eq!(problems(&read_all(&[first.clone(), last.clone()])), [""; 0]);
    assert_eq!(problems(&read_all(&[last, first])), [""; 0]);
}

#[test]
fn a_query_that_was_cut_at_its_page_is_told() {
    let rows = json!([vm("rg1", "a")]);
    for page in [
        json!({ "count": 1, "data": rows, "skip_token": "ew0K", "total_records": 1500 }),
        json!({ "count": 1, "data": rows, "skip_token": null, "total_records": 1500 }),
        json!({ "totalRecords": 2, "count": 1, "data": rows, "resultTruncated": "true" }),
        json!({ "totalRecords": 1, "count": 1, "data": rows, "$skipToken": "ew0K" }),
    ] {
        let told = problems(&read_all(&[page]));
        assert!(told[0].contains(MORE_VMS), "{told:?}");
    }
    let whole = json!({ "count": 1, "data": rows, "skip_token": null, "total_records": 1 });
    assert_eq!(problems(&read_all(&[whole])), [""; 0]);
}

#[test]
fn text_around_the_answers_is_passed_over() {
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    let (a, b) = (pretty(&vm("rg1", "a")), pretty(&vm("rg1", "b")));
    let transcripts = [
        format!("[Warning] This output may hold secrets.\n{a}\n{b}\n"),
        format!("PS C:\\> az vm show\n{a}\nPS C:\\> az vm show\n{b}\nPS C:\\> "),
        format!("# The VMs\n\n```json\n{a}\n```\n\n```json\n{b}\n```\n"),
        format!("{a}\n{b}\n\nYou have 2 updates available.\n"),
        format!("[\n{a},\n{b}\n]\u{1a}"),
    ];
    for text in transcripts {
        let facts = read(&text);
        let names: Vec<&str> = facts.vms.iter().map(|vm| &*vm.name).collect();
        assert_eq!(names, ["a", "b"], "{text}");
        let told = problems(&facts);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].ends_with("of text around the JSON were passed over"));
    }
}

#[test]
fn what_is_malformed_behind_text_is_told_with_its_line() {
    let facts = read("$ az vm show\n{\n  \"name\": \"a\",\n  oops\n}\n");
    let told = problems(&facts);
    assert!(
        told[0].starts_with("saved.json, line 4: malformed JSON"),
        "{told:?}"
    );
}

#[test]
fn hard_spaces_of_a_web_page_are_spaces() {
    let text = serde_json::to_string_pretty(&vm("rg1", "a")).unwrap();
    let facts = read(text.replace("  ", "\u{a0}\u{a0}"));
    assert_eq!(facts.vms[0].size.as_deref(), Some("Standard_D8s_v5"));
    assert_eq!(problems(&facts), [""; 0]);
}

#[test]
fn tables_are_read_with_the_separators_and_prefaces_that_tools_write() {
    let id = compute_path("rg1", "disks", "d");
    let row = |separator: &str| {
        let cells = [
            &*id,
            "d",
            "microsoft.compute/disks",
            "{\"\"name\"\":\"\"Premium_LRS\"\"}",
        ];
        cells.map(|cell| format!("\"{cell}\"")).join(separator)
    };
    let tables = [
        format!("\"ID\",\"NAME\",\"TYPE\",\"SKU\"\n{}\n", row(",")),
        format!("id;name;type;sku\r\n{}\r\n", row(";")),
        format!("id\tname\ttype\tsku\n{}\n", row("\t")),
        format!("sep=;\nid;name;type;sku\n{}\n", row(";")),
        format!(
            "#TYPE Selected.Object\n\"id\",\"name\",\"type\",\"sku\"\n{}\n",
            row(",")
        ),
    ];
    for table in tables {
        let facts = read(&table);
        assert_eq!(problems(&facts), [""; 0], "{table}");
        let sku = facts.disks[0].sku.as_ref().unwrap();
        assert_eq!(
            (&*facts.disks[0].name, sku.family),
            ("d", Some(Family::PremiumSsd))
        );
    }
}

#[test]
fn parts_of_a_vm_are_no_disks() {
    let whole = vm("rg1", "a");
    let profile = &whole["properties"]["storageProfile"];
    let unmanaged = json!({
        "name": "old", "lun": 1, "diskSizeGb": 64, "managedDisk": null,
        "vhd": { "uri": "https://store.blob.core.windows.net/vhds/old.vhd" }
    });
    for part in [profile, &profile["dataDisks"], &unmanaged] {
        let facts = read(part.to_string());
        assert!(facts.is_empty());
        let told = problems(&facts);
        assert!(told[0].contains("save the whole VM"), "{told:?}");
    }
}

#[test]
fn what_a_query_took_out_of_its_object_is_found() {
    let id = compute_path("rg1", "disks", "d");
    for disk in [
        json!({ "id": id, "name": "d", "sku": "StandardSSD_ZRS", "diskSizeGb": 512 }),
        json!({ "id": id, "name": "d", "sku_name": "StandardSSD_ZRS", "properties_diskSizeGB": 512 }),
    ] {
        let facts = read(json!([disk]).to_string());
        assert_eq!(problems(&facts), [""; 0]);
        let sku = facts.disks[0].sku.as_ref().unwrap();
        assert_eq!(sku.family, Some(Family::StandardSsd));
        assert_eq!(sku.redundancy, Some(Redundancy::Zrs));
        assert_eq!(facts.disks[0].size, Some(GiB::whole(512)));
    }
    let whole = vm("rg1", "a");
    let profile = &whole["properties"]["storageProfile"];
    let vm = json!({
        "name": "a",
        "properties_hardwareProfile_vmSize": "Standard_D4s_v5",
        "osDisk": profile["osDisk"],
        "properties_storageProfile_dataDisks": profile["dataDisks"],
    });
    let facts = read(vm.to_string());
    let vm = &facts.vms[0];
    assert_eq!(vm.size.as_deref(), Some("Standard_D4s_v5"));
    assert_eq!(vm.os_disk.as_ref().unwrap().name.as_deref(), Some("a-os"));
    assert_eq!(
        vm.data_disks[0].caching,
        Some(Named::Known(HostCaching::ReadOnly))
    );
}

/// An object that PowerShell cut at its depth is no SKU.
#[test]
fn the_name_of_a_type_is_no_sku() {
    let disk = json!({ "name": "d", "diskSizeGb": 512, "sku": "Microsoft.Azure.Models.DiskSku" });
    let facts = read(disk.to_string());
    assert!(facts.disks[0].sku.is_none());
    assert!(problems(&facts)[0].contains("sku was cut off by the export"));
}

#[test]
fn instance_metadata_says_size_and_zone_beside_the_profiles() {
    let answer = json!({ "compute": {
        "name": "web1",
        "resourceId": compute_path("rg1", "virtualMachines", "web1"),
        "location": "westeurope",
        "vmSize": "Standard_D4s_v5",
        "zone": "3",
        "storageProfile": {
            "osDisk": {
                "name": "web1_os", "caching": "ReadWrite", "diskSizeGB": "30",
                "managedDisk": { "storageAccountType": "Premium_LRS" }
            },
            "dataDisks": []
        }
    }});
    let facts = read(answer.to_string());
    let vm = &facts.vms[0];
    assert_eq!(vm.size.as_deref(), Some("Standard_D4s_v5"));
    assert_eq!((vm.zones.len(), &*vm.zones[0]), (1, "3"));
    assert_eq!(vm.resource_group.as_deref(), Some("rg1"));
}

/// Disks of the first version of the API, and what a finished operation put out.
#[test]
fn old_disks_and_results_of_operations_are_read() {
    let owner = compute_path("rg1", "virtualMachines", "old");
    let mut old = disk("rg1", "d", 128, 500, 100);
    old.as_object_mut().unwrap().remove("sku");
    old["properties"]["accountType"] = "Premium_LRS".into();
    old["properties"]["ownerId"] = owner.into();
    let operation = json!({
        "status": "Succeeded", "startTime": "2026-01-05T10:00:00Z",
        "properties": { "output": old }
    });
    for answer in [old.clone(), operation] {
        let facts = read(answer.to_string());
        let disk = &facts.disks[0];
        assert_eq!(disk.sku.as_ref().unwrap().family, Some(Family::PremiumSsd));
        assert_eq!(disk.attached_to[0].name(), "old");
        assert_eq!(disk.size, Some(GiB::whole(128)));
    }
}

#[test]
fn a_list_of_sizes_without_limits_names_the_list_that_has_them() {
    let sizes = json!([{ "name": "Standard_D2s_v5", "numberOfCores": 2, "maxDataDiskCount": 4 }]);
    let told = problems(&read(sizes.to_string()));
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("az vm list-skus"), "{told:?}");
}
