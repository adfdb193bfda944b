//! A cloud that answers like the real one, with made-up names and numbers.

use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;
use wiremock::matchers::{header, method, path, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, ResponseTemplate};

pub const TOKEN: &str = "test-token-0002";
pub const SUBSCRIPTION: &str = "0f0f0f0f-0000-4000-8000-000000000004";
pub const COMPUTE: &str = "/subscriptions/0f0f0f0f-0000-4000-8000-000000000004/resourceGroups/shop/providers/Microsoft.Compute";

/// The server, and a cache of SKU lists of its own.
pub struct Cloud {
    server: MockServer,
    cache: TempDir,
}

fn vm(name: &str) -> Value {
    json!({
        "name": name,
        "id": format!("{COMPUTE}/virtualMachines/{name}"),
        "type": "Microsoft.Compute/virtualMachines",
        "location": "westeurope",
        "properties": {
            "hardwareProfile": { "vmSize": "Standard_D8s_v5" },
            "storageProfile": {
                "osDisk": {
                    "osType": "Linux", "name": format!("{name}-os"), "caching": "ReadWrite",
                    "managedDisk": { "id": format!("{COMPUTE}/disks/{name}-os") }
                },
                "dataDisks": [{
                    "lun": 0, "name": format!("{name}-data"), "caching": "None",
                    "managedDisk": { "id": format!("{COMPUTE}/disks/{name}-data") }
                }]
            },
            "instanceView": { "statuses": [{ "code": "PowerState/running" }] }
        }
    })
}

fn disk(name: &str, sku: &str, gib: u32, iops: u32, mbps: u32) -> Value {
    json!({
        "name": name,
        "id": format!("{COMPUTE}/disks/{name}"),
        "type": "Microsoft.Compute/disks",
        "location": "westeurope",
        "sku": { "name": sku },
        "properties": {
            "diskSizeGB": gib, "diskIOPSReadWrite": iops, "diskMBpsReadWrite": mbps,
            "diskState": "Attached"
        }
    })
}

/// A size with so many uncached IOPS.
pub fn size(name: &str, uncached_iops: u32) -> Value {
    json!({
        "resourceType": "virtualMachines",
        "name": name,
        "locations": ["westeurope"],
        "capabilities": [
            { "name": "vCPUs", "value": "8" },
            { "name": "UncachedDiskIOPS", "value": uncached_iops.to_string() }
        ]
    })
}

impl Cloud {
    pub async fn start() -> Self {
        Self {
            server: MockServer::start().await,
            cache: tempfile::tempdir().unwrap(),
        }
    }

    async fn get(&self, at: &str, answer: ResponseTemplate) {
        Mock::given(method("GET"))
            .and(path(at))
            .and(query_param_is_missing("statusOnly"))
            .and(header("authorization", format!("Bearer {TOKEN}")))
            .respond_with(answer)
            .mount(&self.server)
            .await;
    }

    fn json(body: &Value) -> ResponseTemplate {
        ResponseTemplate::new(200).set_body_json(body)
    }

    /// Answers for a VM with an OS disk and a data disk.
    pub async fn vm(&self, name: &str) {
        let at = format!("{COMPUTE}/virtualMachines/{name}");
        self.get(&at, Self::json(&vm(name))).await;
    }

    pub async fn disk(&self, name: &str, sku: &str, gib: u32, iops: u32, mbps: u32) {
        let at = format!("{COMPUTE}/disks/{name}");
        self.get(&at, Self::json(&disk(name, sku, gib, iops, mbps)))
            .await;
    }

    pub async fn skus(&self, answer: ResponseTemplate) {
        let at = format!("/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Compute/skus");
        self.get(&at, answer).await;
    }

    /// Lists of two VMs on two pages, their disks, and no scale set; of the whole subscription or of the group.
    pub async fn lists(&self, subscription: bool) {
        let whole = format!("/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Compute");
        let base = if subscription {
            whole.as_str()
        } else {
            COMPUTE
        };
        let next = format!("{}/next-page", self.server.uri());
        let first = json!({ "value": [vm("db1")], "nextLink": next });
        self.get(&format!("{base}/virtualMachines"), Self::json(&first))
            .await;
        self.get("/next-page", Self::json(&json!({ "value": [vm("web1")] })))
            .await;
        let disks = ["db1", "web1"].map(|name| {
            [
                disk(&format!("{name}-os"), "Premium_LRS", 128, 500, 100),
                disk(&format!("{name}-data"), "Premium_LRS", 1024, 5000, 200),
            ]
        });
        let disks = json!({ "value": disks.concat() });
        self.get(&format!("{base}/disks"), Self::json(&disks)).await;
        let none = json!({ "value": [] });
        let sets = format!("{base}/virtualMachineScaleSets");
        self.get(&sets, Self::json(&none)).await;
        Mock::given(method("GET"))
            .and(path(format!("{whole}/virtualMachines")))
            .and(query_param("statusOnly", "true"))
            .respond_with(Self::json(&none))
            .mount(&self.server)
            .await;
    }

    /// Refuses to tell of a VM.
    pub async fn refuses(&self, name: &str, status: u16, error: &str) {
        let body = json!({ "error": { "code": error, "message": "no" } });
        self.answers(name, ResponseTemplate::new(status).set_body_json(body))
            .await;
    }

    /// Answers so when asked for a VM.
    pub async fn answers(&self, name: &str, answer: ResponseTemplate) {
        self.get(&format!("{COMPUTE}/virtualMachines/{name}"), answer)
            .await;
    }

    /// Answers so the first time that a VM is asked for.
    pub async fn answers_once(&self, name: &str, answer: ResponseTemplate) {
        Mock::given(method("GET"))
            .and(path(format!("{COMPUTE}/virtualMachines/{name}")))
            .respond_with(answer)
            .up_to_n_times(1)
            .with_priority(1)
            .mount(&self.server)
            .await;
    }

    /// The command in the subscription.
    pub fn command(&self, words: &str) -> Command {
        self.of_targets(&format!("--subscription {SUBSCRIPTION} {words}"))
    }

    fn of_targets(&self, words: &str) -> Command {
        let mut command = super::cli::command();
        command
            .arg("validate")
            .args(words.split_whitespace())
            .args(["--auth", "token", "--endpoint", &self.server.uri()])
            .env("DISKCAP_ACCESS_TOKEN", TOKEN)
            .env("XDG_CACHE_HOME", self.cache.path());
        for proxy in [
            "HTTP_PROXY",
            "http_proxy",
            "HTTPS_PROXY",
            "https_proxy",
            "ALL_PROXY",
            "all_proxy",
        ] {
            command.env_remove(proxy);
        }
        command
    }

    pub fn validate(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// Like [`validate`](Self::validate), the targets being named in full.
    pub fn validate_targets(&self, words: &str) -> Output {
        self.of_targets(words).output().unwrap()
    }

    /// What was asked so far: method, path, and query as a person reads it; disks sorted by name.
    pub async fn asked(&self) -> Vec<String> {
        let requests = self.server.received_requests().await.unwrap();
        let line = |request: &wiremock::Request| {
            let pairs = request.url.query_pairs();
            let pairs: Vec<String> = pairs.map(|(key, value)| format!("{key}={value}")).collect();
            format!(
                "{} {} {}",
                request.method,
                request.url.path(),
                pairs.join("&")
            )
        };
        let mut asked: Vec<String> = requests.iter().map(line).collect();
        let disks = asked.iter().filter(|line| line.contains("/disks/")).count();
        if disks > 0
            && let Some(first) = asked.iter().position(|line| line.contains("/disks/"))
        {
            asked[first..first + disks].sort();
        }
        asked
    }
}
