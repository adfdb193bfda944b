//! What the metrics of Azure Monitor mean, by the names of the API and of Metricbeat.
//!
//! `Data Disk Read Operations/Sec`, `OS Disk Queue Depth`, `VM Uncached IOPS Consumed Percentage`,
//! `Composite Disk Write Bytes/sec` ... Metricbeat writes the same in snake case, and the portal shows some by other
//! names: `VM Cached Used Burst IO Credits Percentage` is `VM Local Used Burst IO Credits Percentage` to the API,
//! `Data Disk Latency (Preview)` is `Data Disk Latency`, `Disk On-demand Burst Operations` is `DiskPaidBurstIOPS`.
//! Sources: the supported metrics of `Microsoft.Compute/virtualMachines` and `Microsoft.Compute/disks`.

use crate::measure::series::model::GaugeKind;
use crate::measure::series::row::Row;
use crate::units::MB;

/// What a metric is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Scope {
    /// The OS disk.
    OsDisk,
    /// One data disk where split by LUN, else all of them.
    DataDisk,
    /// The temp disk.
    TempDisk,
    /// A managed disk, as a resource of its own.
    ManagedDisk,
    /// All disks of the VM together.
    AllDisks,
    /// The cached path of the VM.
    VmCached,
    /// The uncached path of the VM.
    VmUncached,
}

impl Scope {
    /// What it is called, where no LUN or resource says it better.
    pub const fn words(self) -> &'static str {
        match self {
            Self::OsDisk => "OS disk",
            Self::DataDisk => "data disks",
            Self::TempDisk => "temp disk",
            Self::ManagedDisk => "disk",
            Self::AllDisks => "all disks",
            Self::VmCached => "VM cached",
            Self::VmUncached => "VM uncached",
        }
    }
}

/// Reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Read,
    Write,
}

/// What a metric measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Bytes per second.
    ByteRate(Way),
    /// I/Os per second.
    Iops(Way),
    /// Bytes in the interval.
    ByteSum(Way),
    /// I/Os outstanding.
    QueueDepth,
    /// Milliseconds.
    Latency,
    /// A percentage.
    Gauge(GaugeKind),
    /// A limit in I/Os per second; the burst limit if true.
    IopsLimit(bool),
    /// A limit in bytes per second; the burst limit if true.
    ByteLimit(bool),
    /// Burst transactions that are billed.
    PaidBursts,
}

impl Measure {
    /// Whether it is a rate of I/Os or bytes.
    pub const fn is_rate(self) -> bool {
        matches!(self, Self::ByteRate(_) | Self::Iops(_))
    }

    /// Puts a value into a row, in our units, where the row does not have one yet. `seconds` is the length of the
    /// interval. Limits are no part of a row.
    pub(in crate::measure::series) fn put(self, value: f64, seconds: f64, row: &mut Row) {
        let mbps = value / MB;
        match self {
            Self::ByteRate(Way::Read) => first(&mut row.read.mbps, mbps),
            Self::ByteRate(Way::Write) => first(&mut row.write.mbps, mbps),
            Self::ByteSum(_) if seconds <= 0.0 => {}
            Self::ByteSum(Way::Read) => first(&mut row.read.mbps, mbps / seconds),
            Self::ByteSum(Way::Write) => first(&mut row.write.mbps, mbps / seconds),
            Self::Iops(Way::Read) => first(&mut row.read.iops, value),
            Self::Iops(Way::Write) => first(&mut row.write.iops, value),
            Self::QueueDepth => first(&mut row.queue_depth, value),
            Self::Latency => first(&mut row.total.latency, value * 1e3),
            Self::Gauge(kind) => row.gauge(kind, Some(value)),
            Self::IopsLimit(_) | Self::ByteLimit(_) | Self::PaidBursts => {}
        }
    }
}

fn first(slot: &mut Option<f64>, value: f64) {
    if slot.is_none() {
        *slot = Some(value);
    }
}

/// The scopes by the beginning of a metric's name; longer ones first.
const SCOPES: [(&str, Scope); 15] = [
    ("premiumosdisk", Scope::OsDisk),
    ("premiumdatadisk", Scope::DataDisk),
    ("compositedisk", Scope::ManagedDisk),
    ("osperdisk", Scope::OsDisk),
    ("osdisk", Scope::OsDisk),
    ("datadisk", Scope::DataDisk),
    ("tempdisk", Scope::TempDisk),
    ("perdisk", Scope::DataDisk),
    ("vmuncached", Scope::VmUncached),
    ("vmcached", Scope::VmCached),
    ("vmlocal", Scope::VmCached),
    ("vmremote", Scope::VmUncached),
    ("diskpaid", Scope::ManagedDisk),
    ("diskondemand", Scope::ManagedDisk),
    ("disk", Scope::AllDisks),
];

/// The meaning of a metric by its name; `None` for those that are not of disks or not needed.
pub(crate) fn meaning(name: &str) -> Option<(Scope, Measure)> {
    let letters: String = name
        .to_ascii_lowercase()
        .replace("_per_sec", "sec")
        // As some answers spell it.
        .replace("percentange", "percentage")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let letters = letters.strip_suffix("preview").unwrap_or(&letters);
    let (rest, scope) = SCOPES
        .iter()
        .find_map(|(begin, scope)| letters.strip_prefix(begin).map(|rest| (rest, *scope)))?;
    let measure = match rest {
        "readbytessec" => Measure::ByteRate(Way::Read),
        "writebytessec" => Measure::ByteRate(Way::Write),
        "readoperationssec" => Measure::Iops(Way::Read),
        "writeoperationssec" => Measure::Iops(Way::Write),
        "readbytes" => Measure::ByteSum(Way::Read),
        "writebytes" => Measure::ByteSum(Way::Write),
        "queuedepth" | "qd" => Measure::QueueDepth,
        "latency" => Measure::Latency,
        "iopsconsumedpercentage" => Measure::Gauge(GaugeKind::IopsConsumed),
        "bandwidthconsumedpercentage" => Measure::Gauge(GaugeKind::BandwidthConsumed),
        "usedburstiocreditspercentage" => Measure::Gauge(GaugeKind::BurstIopsUsed),
        "usedburstbpscreditspercentage" => Measure::Gauge(GaugeKind::BurstBandwidthUsed),
        "cachereadhit" => Measure::Gauge(GaugeKind::CacheReadHit),
        "targetiops" => Measure::IopsLimit(false),
        "maxburstiops" => Measure::IopsLimit(true),
        "targetbandwidth" => Measure::ByteLimit(false),
        "maxburstbandwidth" => Measure::ByteLimit(true),
        "burstiops" | "burstoperations" if scope == Scope::ManagedDisk => Measure::PaidBursts,
        _ => return None,
    };
    Some((scope, measure))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn api_names_and_metricbeat_names_mean_the_same() {
        for (api, beat) in [
            (
                "Data Disk Read Operations/Sec",
                "data_disk_read_operations_per_sec",
            ),
            ("OS Disk Write Bytes/sec", "os_disk_write_bytes_per_sec"),
            ("OS Disk Queue Depth", "os_disk_queue_depth"),
            ("Disk Read Bytes", "disk_read_bytes"),
            // What the portal shows, or showed.
            (
                "VM Local Used Burst BPS Credits Percentage",
                "VM Cached Used Burst BPS Credits Percentage",
            ),
            (
                "VM Remote Used Burst IO Credits Percentage",
                "VM Uncached Used Burst IO Credits Percentage",
            ),
            ("Data Disk Latency", "Data Disk Latency (Preview)"),
            (
                "VM Cached Bandwidth Consumed Percentage",
                "VM Cached Bandwidth Consumed Percentange",
            ),
            ("DiskPaidBurstIOPS", "Disk On-demand Burst Operations"),
        ] {
            assert!(meaning(api).is_some(), "{api}");
            assert_eq!(meaning(api), meaning(beat), "{api}");
        }
    }

    #[test]
    fn names_and_their_meanings() {
        let of = |name| meaning(name).unwrap();
        assert_eq!(
            of("VM Uncached IOPS Consumed Percentage"),
            (Scope::VmUncached, Measure::Gauge(GaugeKind::IopsConsumed))
        );
        assert_eq!(
            of("Data Disk Used Burst BPS Credits Percentage"),
            (
                Scope::DataDisk,
                Measure::Gauge(GaugeKind::BurstBandwidthUsed)
            )
        );
        assert_eq!(
            of("Composite Disk Read Bytes/sec"),
            (Scope::ManagedDisk, Measure::ByteRate(Way::Read))
        );
        assert_eq!(
            of("Data Disk Max Burst IOPS"),
            (Scope::DataDisk, Measure::IopsLimit(true))
        );
        assert_eq!(
            of("Disk Write Operations/Sec"),
            (Scope::AllDisks, Measure::Iops(Way::Write))
        );
        for name in ["Percentage CPU", "Network In", "", "Available Memory Bytes"] {
            assert_eq!(meaning(name), None, "{name}");
        }
    }
}
