//! Answers shaped like the service's, with made-up names and numbers, and clients that ask a local server.

use std::sync::Arc;
use std::time::Duration;

use diskcap::azure::arm::read::read_stream;
use diskcap::azure::client::{AuthMethod, Client, Settings, SignIn};
use diskcap::azure::facts::{FleetFacts, ResourceId};
use diskcap::azure::fetch::Patience;
use serde_json::{Value, json};
use wiremock::MockServer;

pub const TOKEN: &str = "test-token-0001";
pub const SUBSCRIPTION: &str = "0f0f0f0f-0000-4000-8000-000000000001";

/// Settings for `server`: a ready token, and pauses too short to be felt.
pub fn settings(server: &str) -> Settings {
    Settings {
        sign_in: SignIn {
            methods: vec![AuthMethod::Token],
            environment: Arc::new(|name| {
                (name == "DISKCAP_ACCESS_TOKEN").then(|| TOKEN.to_owned())
            }),
            ..SignIn::default()
        },
        endpoint: Some(server.parse().unwrap()),
        patience: Patience {
            attempts: 3,
            first_pause: Duration::from_millis(1),
            longest_pause: Duration::from_secs(10),
            timeout: Duration::from_secs(5),
        },
        ..Settings::default()
    }
}

pub fn client(server: &MockServer) -> Client {
    Client::new(settings(&server.uri())).unwrap()
}

/// What a saved text holds.
pub fn read(text: impl AsRef<[u8]>) -> FleetFacts {
    let mut facts = FleetFacts::default();
    read_stream(text.as_ref(), "saved.json".into(), &mut facts);
    facts
}

pub fn problems(facts: &FleetFacts) -> Vec<String> {
    facts.problems.iter().map(ToString::to_string).collect()
}

/// Two VMs and a disk.
pub fn fleet() -> [Value; 3] {
    [
        vm("rg1", "a"),
        vm("rg1", "b"),
        disk("rg1", "d", 512, 2300, 150),
    ]
}

pub fn compute_path(group: &str, kind: &str, name: &str) -> String {
    format!(
        "/subscriptions/{SUBSCRIPTION}/resourceGroups/{group}/providers/Microsoft.Compute/{kind}/{name}"
    )
}

pub fn id(group: &str, kind: &str, name: &str) -> ResourceId {
    ResourceId::new(&compute_path(group, kind, name)).unwrap()
}

/// A VM with one data disk; the disk's group is spelt in capitals, as the service does.
pub fn vm(group: &str, name: &str) -> Value {
    let disk = |part: &str| compute_path(&group.to_uppercase(), "disks", &format!("{name}-{part}"));
    json!({
        "name": name,
        "id": compute_path(group, "virtualMachines", name),
        "type": "Microsoft.Compute/virtualMachines",
        "location": "westeurope",
        "zones": ["2"],
        "properties": {
            "hardwareProfile": { "vmSize": "Standard_D8s_v5" },
            "storageProfile": {
                "osDisk": {
                    "osType": "Linux",
                    "name": format!("{name}-os"),
                    "caching": "ReadWrite",
                    "managedDisk": { "storageAccountType": "Premium_LRS", "id": disk("os") },
                    "diskSizeGB": 64
                },
                "dataDisks": [{
                    "lun": 0,
                    "name": format!("{name}-data"),
                    "caching": "ReadOnly",
                    "managedDisk": { "storageAccountType": "Premium_LRS", "id": disk("data") },
                    "diskSizeGB": 512
                }]
            },
            "instanceView": { "statuses": [
                { "code": "ProvisioningState/succeeded" },
                { "code": "PowerState/running" }
            ]}
        }
    })
}

pub fn disk(group: &str, name: &str, gib: u32, iops: u32, mbps: u32) -> Value {
    json!({
        "name": name,
        "id": compute_path(group, "disks", name),
        "type": "Microsoft.Compute/disks",
        "location": "westeurope",
        "zones": ["2"],
        "sku": { "name": "Premium_LRS", "tier": "Premium" },
        "properties": {
            "creationData": { "createOption": "Empty" },
            "diskSizeGB": gib,
            "diskIOPSReadWrite": iops,
            "diskMBpsReadWrite": mbps,
            "diskState": "Attached"
        }
    })
}

pub fn size_sku(name: &str) -> Value {
    json!({
        "resourceType": "virtualMachines",
        "name": name,
        "tier": "Standard",
        "locations": ["westeurope"],
        "locationInfo": [{
            "location": "WestEurope",
            "zones": ["1", "2"],
            "zoneDetails": [{
                "Name": ["2"],
                "capabilities": [{ "name": "UltraSSDAvailable", "value": "True" }]
            }]
        }],
        "capabilities": [
            { "name": "vCPUs", "value": "8" },
            { "name": "MemoryGB", "value": "32" },
            { "name": "MaxDataDiskCount", "value": "16" },
            { "name": "PremiumIO", "value": "True" },
            { "name": "UncachedDiskIOPS", "value": "12345" },
            { "name": "UncachedDiskBytesPerSecond", "value": "250000000" }
        ],
        "restrictions": []
    })
}
