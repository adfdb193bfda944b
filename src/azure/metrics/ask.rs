//! Asks the cloud for the metrics of a VM: which, of what time, in which grain.
//!
//! Three questions a VM at most: its own metrics and those of its OS disk in one, those of its data disks split by LUN
//! in another (a filter must hold for every metric of a question), and the billed bursts of each disk with on-demand
//! bursting. Each asks for means and maxima. Source: Azure Monitor, supported metrics of
//! Microsoft.Compute/virtualMachines and Microsoft.Compute/disks.

use std::str::FromStr;

use futures_util::StreamExt;
use futures_util::stream;
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp};

use super::Metrics;
use crate::azure::client::error::Answer;
use crate::azure::client::fetch::Failure;
use crate::azure::client::{Client, CloudError, MetricQuery};
use crate::azure::facts::{FleetFacts, ResourceId};

/// The most metrics of one question. Source: Azure Monitor, metrics API.
pub const MOST_METRICS: usize = 20;

/// The metrics of a VM and its OS disk, by the names of the API.
pub const OF_VM: [&str; 18] = [
    "VM Cached IOPS Consumed Percentage",
    "VM Cached Bandwidth Consumed Percentage",
    "VM Uncached IOPS Consumed Percentage",
    "VM Uncached Bandwidth Consumed Percentage",
    // The portal calls these VM Cached and VM Uncached Used Burst ... Credits Percentage.
    "VM Local Used Burst IO Credits Percentage",
    "VM Local Used Burst BPS Credits Percentage",
    "VM Remote Used Burst IO Credits Percentage",
    "VM Remote Used Burst BPS Credits Percentage",
    "OS Disk IOPS Consumed Percentage",
    "OS Disk Bandwidth Consumed Percentage",
    "OS Disk Used Burst IO Credits Percentage",
    "OS Disk Used Burst BPS Credits Percentage",
    "OS Disk Latency",
    "OS Disk Read Operations/Sec",
    "OS Disk Write Operations/Sec",
    "OS Disk Read Bytes/sec",
    "OS Disk Write Bytes/sec",
    "Premium OS Disk Cache Read Hit",
];

/// The metrics of data disks, split by LUN.
pub const OF_DATA_DISKS: [&str; 14] = [
    "Data Disk IOPS Consumed Percentage",
    "Data Disk Bandwidth Consumed Percentage",
    "Data Disk Target IOPS",
    "Data Disk Target Bandwidth",
    "Data Disk Max Burst IOPS",
    "Data Disk Max Burst Bandwidth",
    "Data Disk Used Burst IO Credits Percentage",
    "Data Disk Used Burst BPS Credits Percentage",
    "Data Disk Latency",
    "Data Disk Read Operations/Sec",
    "Data Disk Write Operations/Sec",
    "Data Disk Read Bytes/sec",
    "Data Disk Write Bytes/sec",
    "Premium Data Disk Cache Read Hit",
];

/// The bursts that are billed, of a disk with on-demand bursting.
pub const OF_ON_DEMAND_DISK: [&str; 1] = ["DiskPaidBurstIOPS"];

/// Every series of a dimension: no size takes as many data disks.
const EVERY_LUN: u32 = 128;

/// The longest time that one question answers. Source: Azure Monitor, platform metrics.
const LONGEST_DAYS: i64 = 30;

/// Of more VMs than this, coarser values are asked for.
const FEW_VMS: usize = 100;

/// How far back metrics are looked at: `24h`, `90m`, `7d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lookback(SignedDuration);

/// What is no time to look back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{input}' is no time to look back: write such as 90m, 24h or 7d, at least 5m and at most {LONGEST_DAYS}d"
)]
pub struct LookbackError {
    /// What was given.
    pub input: String,
}

impl FromStr for Lookback {
    type Err = LookbackError;

    fn from_str(input: &str) -> Result<Self, LookbackError> {
        let wrong = || LookbackError {
            input: input.to_owned(),
        };
        let span: Span = input.trim().parse().map_err(|_| wrong())?;
        let days = SpanRelativeTo::days_are_24_hours();
        let length = span.to_duration(days).map_err(|_| wrong())?;
        let longest = SignedDuration::from_hours(LONGEST_DAYS * 24);
        (SignedDuration::from_mins(5)..=longest)
            .contains(&length)
            .then_some(Self(length))
            .ok_or_else(wrong)
    }
}

impl Lookback {
    /// The time up to `now`.
    #[must_use]
    pub fn until(self, now: Timestamp) -> Window {
        let whole = now.as_second().div_euclid(60) * 60;
        let until = Timestamp::from_second(whole).unwrap_or(now);
        Window {
            from: until.saturating_sub(self.0).unwrap_or(Timestamp::MIN),
            until,
        }
    }
}

/// The time that metrics are asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Its begin.
    pub from: Timestamp,
    /// Its end.
    pub until: Timestamp,
}

impl Window {
    /// As the API takes it.
    fn timespan(&self) -> String {
        let at = |moment: Timestamp| moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        format!("{}/{}", at(self.from), at(self.until))
    }

    /// The grain for so many VMs: as fine as leaves some 2,900 points a metric at most, and a fleet in memory. The
    /// maxima keep the peaks of coarser ones.
    #[must_use]
    pub fn grain(&self, vms: usize) -> &'static str {
        let hours = self.until.duration_since(self.from).as_hours();
        match (hours, vms) {
            (..=24, ..=FEW_VMS) => "PT1M",
            (..=168, ..=FEW_VMS) | (..=24, _) => "PT5M",
            _ => "PT15M",
        }
    }
}

/// Asks for the metrics of every VM of a fleet, a bounded number at once. What fails is told beside what was read.
pub async fn metrics_of_fleet(
    client: &Client,
    facts: &FleetFacts,
    window: Window,
) -> (Metrics, Vec<Failure>) {
    let grain = window.grain(facts.vms.len());
    let asked = facts
        .vms
        .iter()
        .filter_map(|vm| Some((vm, vm.id.as_ref()?)));
    let mut answers = stream::iter(asked)
        .map(|(vm, id)| async move {
            let on_demand: Vec<ResourceId> = vm
                .disks()
                .filter_map(|disk| facts.behind(disk, vm))
                .filter(|disk| disk.on_demand_burst == Some(true))
                .filter_map(|disk| disk.id.clone())
                .collect();
            let data_disks = !vm.data_disks.is_empty();
            let answer = metrics_of(client, id, data_disks, &on_demand, window, grain).await;
            (id, answer)
        })
        .buffer_unordered(client.parallel());
    let (mut metrics, mut failures) = (Metrics::default(), Vec::new());
    while let Some((id, answer)) = answers.next().await {
        match answer {
            Ok(of_vm) => metrics.absorb(of_vm),
            Err(error) => failures.push(Failure {
                what: format!("metrics of {}", id.name()),
                error,
                needed: true,
            }),
        }
    }
    (metrics, failures)
}

/// Asks for the metrics of a VM with data disks or without, and of its disks with on-demand bursting.
///
/// A metric that the service does not have (a preview that a cloud or kind of VM lacks) is left out.
///
/// # Errors
/// [`CloudError`] of the first question that fails.
pub async fn metrics_of(
    client: &Client,
    vm: &ResourceId,
    data_disks: bool,
    on_demand: &[ResourceId],
    window: Window,
    grain: &str,
) -> Result<Metrics, CloudError> {
    let mut metrics = Metrics::default();
    metrics.absorb(ask(client, vm, &OF_VM, None, window, grain).await?);
    if data_disks {
        let split = Some("LUN eq '*'");
        metrics.absorb(ask(client, vm, &OF_DATA_DISKS, split, window, grain).await?);
    }
    for disk in on_demand {
        // It is emitted once an hour.
        metrics.absorb(ask(client, disk, &OF_ON_DEMAND_DISK, None, window, "PT1H").await?);
    }
    Ok(metrics)
}

/// Asks one question, again without the metrics that there are not.
async fn ask(
    client: &Client,
    resource: &ResourceId,
    names: &[&str],
    filter: Option<&str>,
    window: Window,
    interval: &str,
) -> Result<Metrics, CloudError> {
    let timespan = window.timespan();
    let mut names = names.to_vec();
    while !names.is_empty() {
        let query = MetricQuery {
            resource,
            names: &names,
            timespan: &timespan,
            interval,
            aggregation: "Average,Maximum",
            filter,
            top: filter.map(|_| EVERY_LUN),
        };
        let refused = match client.metrics(&query).await {
            Ok(body) => return Ok(read(&body, resource)),
            Err(error) => error,
        };
        let before = names.len();
        if let Some(unknown) = unknown_metric(&refused) {
            names.retain(|name| !name.eq_ignore_ascii_case(&unknown));
        }
        if names.len() == before {
            return Err(refused);
        }
    }
    Ok(Metrics::default())
}

/// An answer; it was checked to be JSON.
fn read(body: &[u8], resource: &ResourceId) -> Metrics {
    let source = format!("metrics of {}", resource.name());
    Metrics::read(body, &source).unwrap_or_default()
}

/// The metric that the service says it does not have.
fn unknown_metric(error: &CloudError) -> Option<String> {
    let CloudError::Refused {
        answer: Answer {
            status: 400,
            message,
            ..
        },
        ..
    } = error
    else {
        return None;
    };
    let (_, rest) = message.split_once("Failed to find metric configuration")?;
    let (_, named) = rest.split_once("metric: ")?;
    let name = named.split(", Valid metrics").next()?;
    Some(name.trim_end_matches(['.', ',']).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::series::azmon::meaning;

    #[test]
    fn every_metric_asked_for_is_understood_and_fits_one_question() {
        for names in [&OF_VM[..], &OF_DATA_DISKS, &OF_ON_DEMAND_DISK] {
            assert!(names.len() <= MOST_METRICS);
            for name in names {
                assert!(meaning(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn times_to_look_back() {
        let now: Timestamp = "2026-03-02T10:30:42Z".parse().unwrap();
        let window = |text: &str| text.parse::<Lookback>().unwrap().until(now);
        assert_eq!(
            window("24h").timespan(),
            "2026-03-01T10:30:00Z/2026-03-02T10:30:00Z"
        );
        assert_eq!(window("24h").grain(100), "PT1M");
        assert_eq!(window("24h").grain(101), "PT5M");
        assert_eq!(window("7d").grain(1), "PT5M");
        assert_eq!(window("30d").grain(1), "PT15M");
        for text in ["", "24", "0h", "31d", "-1h", "1 mo", "soon"] {
            let error = text.parse::<Lookback>().unwrap_err();
            assert!(error.to_string().contains("24h"), "{text}");
        }
    }
}
