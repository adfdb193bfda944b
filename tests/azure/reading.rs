//! Saved files, in every arrangement and spelling that tools write.

use std::path::Path;

use diskcap::azure::arm::files::{ReadError, read_paths};
use diskcap::azure::facts::{Backing, DiskState, FleetFacts, Named, Os, Power, Problem, Weight};
use diskcap::catalog::{Family, Interface, Limits, Redundancy};
use diskcap::deployment::HostCaching;
use diskcap::units::GiB;
use serde_json::{Value, json};

use crate::fixtures::{compute_path, disk, fleet, problems, read, size_sku, vm};

/// VMs `a` and `b` and disk `d` were read, and nothing was odd.
fn assert_is_the_fleet(facts: &FleetFacts) {
    assert_eq!(problems(facts), Vec::<String>::new());
    let names: Vec<&str> = facts.vms.iter().map(|vm| &*vm.name).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(facts.disks.len(), 1);
    assert_eq!(facts.disks[0].limits, Limits::whole(2300, 150));
}

#[test]
fn every_arrangement_of_the_same_resources_is_read_alike() {
    let [a, b, d] = fleet();
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    let arrangements = [
        json!([a, b, d]).to_string(),
        pretty(&json!([a, b, d])),
        json!({ "value": [a, b, d], "nextLink": null }).to_string(),
        pretty(&json!({ "value": [a, b, d] })),
        json!({ "count": 3, "data": [a, b, d], "skip_token": null, "total_records": 3 })
            .to_string(),
        json!([{ "value": [a] }, { "value": [b] }, [d]]).to_string(),
        json!({ "vms": [a, b], "disks": [d] }).to_string(),
        json!({ "Value": [a, b, d], "Count": 3 }).to_string(),
        json!(json!([a, b, d]).to_string()).to_string(),
        format!("{a}\n{b}\n\n{d}\n"),
        format!("{a}\r\n{b}\r\n{d}"),
        format!("{}\n{}\n{}\n", pretty(&a), pretty(&b), pretty(&d)),
        format!("\u{feff}{}", json!([a, b, d])),
    ];
    for text in arrangements {
        assert_is_the_fleet(&read(text));
    }
}

#[test]
fn every_encoding_that_shells_write_is_read() {
    let text = json!(fleet()).to_string();
    let utf16 = |bom: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("{bom}{text}")
            .encode_utf16()
            .flat_map(bytes)
            .collect()
    };
    assert_is_the_fleet(&read(utf16("\u{feff}", u16::to_le_bytes)));
    assert_is_the_fleet(&read(utf16("\u{feff}", u16::to_be_bytes)));
    assert_is_the_fleet(&read(utf16("", u16::to_le_bytes)));
    assert_is_the_fleet(&read(utf16("", u16::to_be_bytes)));
}

#[test]
fn a_resource_graph_table_is_read_row_by_row() {
    let columns = [
        "type",
        "id",
        "name",
        "location",
        "properties",
        "sku",
        "zones",
        "tenantId",
    ];
    let row = |resource: &Value| -> Vec<Value> {
        columns
            .iter()
            .map(|column| resource.get(*column).cloned().unwrap_or_default())
            .collect()
    };
    let columns: Vec<Value> = columns
        .iter()
        .map(|name| json!({ "name": name, "type": "string" }))
        .collect();
    let rows: Vec<Vec<Value>> = fleet().iter().map(row).collect();
    let table = json!({
        "totalRecords": 3, "count": 3,
        "data": { "columns": columns, "rows": rows },
        "facets": [], "resultTruncated": "false"
    });
    assert_is_the_fleet(&read(table.to_string()));
}

#[test]
fn the_csv_of_the_portal_is_read_row_by_row() {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record([
        "ID",
        "NAME",
        "TYPE",
        "LOCATION",
        "PROPERTIES",
        "SKU",
        "ZONES",
    ])
    .unwrap();
    for resource in fleet() {
        let text = |key: &str| resource[key].as_str().unwrap_or_default().to_owned();
        let object = |key: &str| resource.get(key).map(Value::to_string).unwrap_or_default();
        csv.write_record([
            text("id"),
            text("name"),
            text("type"),
            text("location"),
            object("properties"),
            object("sku"),
            object("zones"),
        ])
        .unwrap();
    }
    let facts = read(csv.into_inner().unwrap());
    assert_is_the_fleet(&facts);
    assert_eq!(facts.vms[0].zones, ["2".into()]);
    assert_eq!(facts.vms[0].data_disks[0].size, Some(GiB::whole(512)));
}

/// As `az vm show -d` prints: flat, keys in alphabetical order, `diskSizeGb`, nulls everywhere.
#[test]
fn the_azure_cli_is_understood() {
    let shown = json!({
        "additionalCapabilities": { "hibernationEnabled": null, "ultraSsdEnabled": true },
        "availabilitySet": null,
        "hardwareProfile": { "vmSize": "Standard_E4ds_v5", "vmSizeProperties": null },
        "id": compute_path("RG7", "virtualMachines", "sql7"),
        "instanceView": null,
        "location": "North Europe",
        "name": "sql7",
        "powerState": "VM deallocated",
        "resourceGroup": "RG7",
        "storageProfile": {
            "dataDisks": [{
                "caching": "None", "createOption": "Attach", "diskIopsReadWrite": null, "diskSizeGb": 2048,
                "lun": 3, "managedDisk": {
                    "id": compute_path("rg7", "disks", "log"), "storageAccountType": "PremiumV2_LRS"
                },
                "name": "log", "vhd": null, "writeAcceleratorEnabled": null
            }],
            "diskControllerType": "NVMe",
            "osDisk": {
                "caching": "ReadOnly", "diffDiskSettings": { "option": "Local", "placement": "CacheDisk" },
                "diskSizeGb": 30, "managedDisk": { "id": null, "storageAccountType": "Standard_LRS" },
                "name": "os7", "osType": "Windows", "vhd": null
            }
        },
        "type": "Microsoft.Compute/virtualMachines",
        "zones": ["1"]
    });
    let facts = read(shown.to_string());
    assert_eq!(problems(&facts), Vec::<String>::new());
    let sql7 = &facts.vms[0];
    assert_eq!(sql7.size.as_deref(), Some("Standard_E4ds_v5"));
    assert_eq!(sql7.region.as_ref().unwrap().as_str(), "northeurope");
    assert_eq!(sql7.ultra_enabled, Some(true));
    assert_eq!(sql7.controller, Some(Named::Known(Interface::Nvme)));
    assert_eq!(sql7.power, Some(Named::Known(Power::Deallocated)));
    assert_eq!(sql7.os, Some(Named::Known(Os::Windows)));
    let os = sql7.os_disk.as_ref().unwrap();
    assert_eq!(
        os.backing,
        Backing::Ephemeral {
            placement: Some("CacheDisk".into())
        }
    );
    assert_eq!(os.size, Some(GiB::whole(30)));
    let log = &sql7.data_disks[0];
    assert_eq!((log.lun, log.size), (Some(3), Some(GiB::whole(2048))));
    assert_eq!(log.caching, Some(Named::Known(HostCaching::None)));
    assert_eq!(log.write_accelerator, None);
    assert_eq!(log.sku.as_ref().unwrap().family, Some(Family::PremiumSsdV2));
}

/// As `Get-AzVM | ConvertTo-Json -Depth 20` prints: capitalised, enumerations as numbers, a list of one unwrapped,
/// another wrapped, dates of old.
#[test]
fn powershell_is_understood() {
    let vm = json!({
        "ResourceGroupName": "RG8", "Id": compute_path("RG8", "virtualMachines", "app8"), "Name": "app8",
        "Type": "Microsoft.Compute/virtualMachines", "Location": "westus2", "Zones": "3",
        "HardwareProfile": { "VmSize": "Standard_D4s_v5" },
        "StorageProfile": {
            "OsDisk": { "OsType": 1, "Caching": 2, "DiskSizeGB": 64, "Name": "os8" },
            "DataDisks": { "Lun": 0, "Name": "data8", "Caching": 1, "DiskSizeGB": 256 }
        },
        "Statuses": { "value": [{ "Code": "PowerState/stopped" }], "Count": 1 },
        "TimeCreated": "/Date(1577836800000)/"
    });
    let disk = json!({
        "ResourceGroupName": "RG8", "Id": compute_path("RG8", "disks", "data8"), "Name": "data8",
        "Sku": { "Name": "PremiumLRS", "Tier": "Premium" }, "DiskSizeGB": "256", "DiskIOPSReadWrite": "1100",
        "DiskMBpsReadWrite": "125", "DiskState": "Unattached", "Tier": "P15", "BurstingEnabled": "False",
        "CreationData": { "PerformancePlus": null }, "MaxShares": 2,
        "ManagedByExtended": [compute_path("RG8", "virtualMachines", "app8"), compute_path("rg8", "virtualMachines", "APP8")]
    });
    let facts = read(json!([vm, disk]).to_string());
    assert_eq!(problems(&facts), Vec::<String>::new());
    let app8 = &facts.vms[0];
    assert_eq!(app8.os, Some(Named::Known(Os::Linux)));
    assert_eq!(app8.zones, ["3".into()]);
    assert_eq!(app8.power, Some(Named::Known(Power::Stopped)));
    assert_eq!(app8.created, Some("2020-01-01T00:00:00Z".parse().unwrap()));
    assert_eq!(app8.data_disks.len(), 1);
    assert_eq!(
        app8.data_disks[0].caching,
        Some(Named::Known(HostCaching::ReadOnly))
    );
    let data8 = &facts.disks[0];
    assert_eq!(data8.limits, Limits::whole(1100, 125));
    assert_eq!(data8.size, Some(GiB::whole(256)));
    assert_eq!(
        data8.sku.as_ref().unwrap().redundancy,
        Some(Redundancy::Lrs)
    );
    assert_eq!(data8.state, Some(Named::Known(DiskState::Unattached)));
    assert_eq!(data8.on_demand_burst, Some(false));
    assert_eq!(data8.max_shares, Some(2));
    assert_eq!(data8.attached_to.len(), 1);
}

#[test]
fn an_export_of_too_small_a_depth_is_explained() {
    let vm = json!({
        "Name": "cut", "Type": "Microsoft.Compute/virtualMachines",
        "HardwareProfile": { "VmSize": "Standard_D4s_v5" },
        "StorageProfile": "Microsoft.Azure.Management.Compute.Models.StorageProfile"
    });
    let facts = read(vm.to_string());
    assert_eq!(
        problems(&facts),
        [
            "saved.json, VM cut: storageProfile was cut off by the export: raise its depth (PowerShell: ConvertTo-Json -Depth 20)"
        ]
    );
    assert_eq!(facts.vms[0].size.as_deref(), Some("Standard_D4s_v5"));
}

#[test]
fn a_vm_finds_its_disk_whatever_the_case_of_the_group() {
    let facts = read(json!([vm("rg1", "a"), disk("Rg1", "a-data", 512, 2300, 150)]).to_string());
    let data = &facts.vms[0].data_disks[0];
    assert_ne!(
        data.id.as_ref().unwrap().to_string(),
        facts.disks[0].id.as_ref().unwrap().to_string()
    );
    assert_eq!(&*facts.behind(data, &facts.vms[0]).unwrap().name, "a-data");
    assert!(
        facts
            .behind(facts.vms[0].os_disk.as_ref().unwrap(), &facts.vms[0])
            .is_none()
    );
}

#[test]
fn a_resource_read_twice_is_one_and_keeps_what_only_one_says() {
    let mut again = vm("RG1", "a");
    again["properties"]["instanceView"] = Value::Null;
    again["properties"]["hardwareProfile"]["vmSize"] = json!("Standard_D16s_v5");
    let facts = read(json!([vm("rg1", "a"), again]).to_string());
    assert_eq!(facts.vms.len(), 1);
    assert_eq!(facts.vms[0].size.as_deref(), Some("Standard_D16s_v5"));
    assert_eq!(facts.vms[0].power, Some(Named::Known(Power::Running)));
}

#[test]
fn old_answers_say_less() {
    let old = json!({
        "name": "old", "id": compute_path("rg1", "virtualMachines", "old"),
        "type": "Microsoft.Compute/virtualMachines",
        "properties": {
            "hardwareProfile": { "vmSize": "Basic_A0" },
            "storageProfile": {
                "osDisk": { "name": "o", "vhd": { "uri": "https://s.blob.example/vhds/o.vhd" }, "caching": "ReadWrite" },
                "dataDisks": [{ "lun": "0", "name": "d", "managedDisk": { "id": compute_path("rg1", "disks", "d") } }]
            }
        }
    });
    let facts = read(old.to_string());
    assert_eq!(problems(&facts), Vec::<String>::new());
    let os = facts.vms[0].os_disk.as_ref().unwrap();
    assert_eq!(
        os.backing,
        Backing::Vhd {
            uri: "https://s.blob.example/vhds/o.vhd".into()
        }
    );
    assert_eq!(os.size, None);
    let data = &facts.vms[0].data_disks[0];
    assert_eq!(
        (data.lun, data.size, data.caching.clone()),
        (Some(0), None, None)
    );
    assert_eq!(data.sku, None);
}

#[test]
fn folders_are_read_whole_and_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    let [a, b, d] = fleet();
    write("2-disks/d.JSON", &d.to_string());
    write("1-vms/b.json", &b.to_string());
    write("1-vms/a.json", &a.to_string());
    write("skus.ndjson", &format!("{}\n", size_sku("Standard_X8s_v9")));
    write("notes.md", "nothing");
    write(".hidden.json", "{");
    let facts = read_paths(&[folder.path()]).unwrap();
    let names: Vec<&str> = facts.vms.iter().map(|vm| &*vm.name).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!((facts.disks.len(), facts.skus.len()), (1, 1));
    let [problem] = facts.problems.as_slice() else {
        panic!("one file was skipped: {:?}", facts.problems);
    };
    assert!(matches!(
        &problem.problem,
        Problem::FilesSkipped { count: 1, .. }
    ));
}

#[test]
fn paths_that_lead_nowhere_are_errors() {
    let missing = read_paths(&[Path::new("no-such-file.json")]).unwrap_err();
    assert!(matches!(missing, ReadError::Open { .. }));
    assert!(
        missing
            .to_string()
            .starts_with("cannot open 'no-such-file.json': ")
    );
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(
        read_paths(&[empty.path()]),
        Err(ReadError::EmptyFolder { .. })
    ));
    // Beside a path that can be read they are problems of what was read.
    let good = tempfile::tempdir().unwrap();
    std::fs::write(good.path().join("vms.json"), "[]").unwrap();
    let facts = read_paths(&[Path::new("no-such-file.json"), empty.path(), good.path()]).unwrap();
    let unreadable = facts.problems.iter().filter(|problem| {
        matches!(problem.problem, Problem::Unreadable { .. })
            && problem.problem.weight() == Weight::Error
    });
    assert_eq!(unreadable.count(), 2);
}

#[test]
fn the_body_of_a_request_is_no_disk() {
    let example = json!({
        "parameters": { "disk": { "location": "westus", "properties": { "diskSizeGB": 200 } } },
        "responses": { "200": { "body": disk("rg1", "d", 512, 2300, 150) } }
    });
    let facts = read(example.to_string());
    assert_eq!(facts.disks.len(), 1);
    assert_eq!(problems(&facts), Vec::<String>::new());
}
