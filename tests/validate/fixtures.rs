//! VMs and disks shaped like the service's answers, with made-up names and numbers.

use diskcap::azure::arm::read::read_stream;
use diskcap::azure::facts::FleetFacts;
use diskcap::azure::validate::{
    DeployedDisk, FleetValidation, Options, Prices, Validator, VmValidation, with_listed_sizes,
};
use diskcap::catalog::price::{PriceBook, Region, embedded};
use diskcap::catalog::{Catalog, Dataset};
use diskcap::planner::{Finding, FindingId};
use serde_json::{Value, json};

pub const SUBSCRIPTION: &str = "0f0f0f0f-0000-4000-8000-000000000002";

pub fn path(kind: &str, name: &str) -> String {
    format!(
        "/subscriptions/{SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.Compute/{kind}/{name}"
    )
}

/// A running Linux VM in zone 1 of East US, with a P10 as OS disk that is not cached.
pub fn vm(name: &str, size: &str, data_disks: &[Value]) -> Value {
    json!({
        "id": path("virtualMachines", name),
        "name": name,
        "type": "Microsoft.Compute/virtualMachines",
        "location": "eastus",
        "zones": ["1"],
        "properties": {
            "hardwareProfile": { "vmSize": size },
            "storageProfile": {
                "osDisk": {
                    "osType": "Linux",
                    "name": format!("{name}-os"),
                    "caching": "None",
                    "diskSizeGB": 128,
                    "managedDisk": {
                        "storageAccountType": "Premium_LRS",
                        "id": path("disks", &format!("{name}-os"))
                    }
                },
                "dataDisks": data_disks
            },
            "instanceView": { "statuses": [{ "code": "PowerState/running" }] }
        }
    })
}

/// A data disk as its VM sees it.
pub fn attached(lun: u32, name: &str, caching: &str) -> Value {
    json!({
        "lun": lun,
        "name": name,
        "caching": caching,
        "managedDisk": { "id": path("disks", name).to_uppercase() }
    })
}

/// A disk by itself, attached and in zone 1.
pub fn disk(name: &str, sku: &str, gib: u32, properties: &Value) -> Value {
    let mut disk = json!({
        "id": path("disks", name),
        "name": name,
        "type": "Microsoft.Compute/disks",
        "location": "eastus",
        "zones": ["1"],
        "sku": { "name": sku },
        "properties": { "diskSizeGB": gib, "diskState": "Attached" }
    });
    for (key, value) in properties.as_object().unwrap() {
        disk["properties"][key] = value.clone();
    }
    disk
}

pub fn limits(iops: u32, mbps: u32) -> Value {
    json!({ "diskIOPSReadWrite": iops, "diskMBpsReadWrite": mbps })
}

pub fn facts(resources: &[Value]) -> FleetFacts {
    let mut facts = FleetFacts::default();
    let text = json!(resources).to_string();
    read_stream(text.as_bytes(), "saved.json".into(), &mut facts);
    facts
}

/// Judges `resources`.
pub fn judge_with(resources: &[Value], options: &Options) -> FleetValidation {
    let facts = facts(resources);
    let data = Dataset {
        source: "a list of SKUs".to_owned(),
        date: "2026-01-02".to_owned(),
    };
    let catalog = with_listed_sizes(Catalog::embedded(), &facts, data);
    Validator::new(&catalog, &facts, options).all()
}

pub fn judge(resources: &[Value]) -> FleetValidation {
    judge_with(resources, &Options::default())
}

/// Judges `resources` with the embedded prices of East US.
pub fn priced(resources: &[Value]) -> FleetValidation {
    judge_with(resources, &with_prices())
}

/// Judges `resources` with the prices of `book`.
pub fn priced_by(book: PriceBook, resources: &[Value]) -> FleetValidation {
    judge_with(resources, &by(book))
}

/// With the embedded prices of East US.
pub fn with_prices() -> Options {
    by(embedded(&Region::new("eastus")).unwrap())
}

fn by(book: PriceBook) -> Options {
    Options {
        prices: Some(Prices {
            books: [("eastus".to_owned(), book)].into(),
            region: None,
            offer: None,
        }),
        ..Options::default()
    }
}

/// The only VM.
pub fn only(validation: FleetValidation) -> VmValidation {
    match <[VmValidation; 1]>::try_from(validation.vms) {
        Ok([vm]) => vm,
        Err(vms) => panic!("one VM, not {}", vms.len()),
    }
}

pub fn volume<'v>(vm: &'v VmValidation, name: &str) -> &'v DeployedDisk {
    vm.disks.iter().find(|disk| disk.volume == name).unwrap()
}

/// The findings of an id, by subject.
pub fn of<'f>(
    findings: impl IntoIterator<Item = &'f Finding>,
    id: FindingId,
) -> Vec<(&'f str, &'f str)> {
    let found = findings.into_iter().filter(|finding| finding.id == id);
    found
        .map(|finding| (finding.subject.as_str(), finding.message.as_str()))
        .collect()
}

/// What a finding of this id costs a month.
pub fn month<'f>(findings: impl IntoIterator<Item = &'f Finding>, id: FindingId) -> f64 {
    let mut found = findings.into_iter().filter(|finding| finding.id == id);
    found.next().unwrap().per_month().unwrap().amount
}

#[track_caller]
pub fn close(actual: f64, expected: f64) {
    assert!(
        (actual - expected).abs() < 1e-6,
        "{actual} is not {expected}"
    );
}

/// A VM of a size with P30 disks of 1 TiB, at LUN 0 and on, each cached as said.
pub fn with_p30(size: &str, caching: &[&str]) -> Vec<Value> {
    let on_vm = caching.iter().enumerate();
    let on_vm: Vec<Value> = on_vm
        .map(|(lun, caching)| attached(lun as u32, &format!("data{lun}"), caching))
        .collect();
    let mut resources = vec![vm("web", size, &on_vm)];
    resources.extend((0..caching.len()).map(|lun| {
        disk(
            &format!("data{lun}"),
            "Premium_LRS",
            1024,
            &limits(5000, 200),
        )
    }));
    resources
}

pub fn found(resources: &[Value], id: FindingId) -> Vec<String> {
    let vm: VmValidation = only(judge(resources));
    let found = of(&vm.findings, id);
    found
        .iter()
        .map(|(subject, text)| format!("{subject}: {text}"))
        .collect()
}

pub fn vm_of_v2() -> Value {
    vm("web", "Standard_D2s_v3", &[attached(0, "data", "None")])
}
