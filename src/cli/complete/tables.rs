//! The tables that the reports of each command can have, for `--table`, and the columns of the first, for `--columns` and
//! `--sort`.

use clap::{Arg, Command};
use clap_complete::engine::ArgValueCompleter;

use super::values::beginning;
use diskcap::catalog::query::VmColumn;
use diskcap::report::views::skus::VM_MONTH;

/// By the words of a command, the ids of its tables and remarks in reading order.
const TABLES: &[(&str, &[&str])] = &[
    (
        "plan",
        &[
            "effective",
            "together",
            "disks",
            "cache",
            "ceilings",
            "paging",
            "cost",
            "findings",
            "suppressed",
        ],
    ),
    (
        "simulate",
        &[
            "volumes",
            "segments",
            "buckets",
            "held-back",
            "sizes",
            "paid-bursts",
            "cost",
            "traces",
            "findings",
            "suppressed",
        ],
    ),
    (
        "recommend",
        &[
            "best",
            "volumes",
            "limits",
            "cheaper",
            "partly-priced",
            "like",
            "from-trace",
            "frontier-iops",
            "frontier-mbps",
            "frontier-latency",
            "blame",
        ],
    ),
    (
        "bench",
        &[
            "results",
            "queue-depth-1",
            "fits",
            "comparison",
            "comparison-notes",
            "paging",
            "findings",
            "suppressed",
        ],
    ),
    (
        "bench series",
        &["disks", "plateaus", "io-latency", "findings", "suppressed"],
    ),
    (
        "bench twins",
        &[
            "peers",
            "figures",
            "reasons",
            "together",
            "findings",
            "suppressed",
        ],
    ),
    (
        "validate",
        &[
            "vms",
            "summary",
            "costliest",
            "deployed",
            "metrics_ceilings",
            "metrics_spans",
            "metrics_credits",
            "metrics_disks",
            "effective",
            "together",
            "disks",
            "cache",
            "ceilings",
            "cost",
            "unknown",
            "problems",
            "findings",
            "suppressed",
        ],
    ),
    (
        "compare disks",
        &["disks", "blocks", "use", "unmet", "refused"],
    ),
    ("compare vms", &["sizes", "matrix", "effective"]),
    ("compare plans", &["differences", "plans", "findings"]),
    ("skus list", &["sizes", "tiers"]),
    (
        "skus show",
        &["ceilings", "properties", "prices", "tiers", "ranges"],
    ),
    ("skus diff", &["changes", "skus"]),
    ("explain", &["findings"]),
    ("config show", &["settings"]),
];

/// By the words of a command, the ids of the columns of its first table; those of sizes are in [`columns`].
const COLUMNS: &[(&str, &[&str])] = &[
    (
        "plan",
        &[
            "volume",
            "sku",
            "load",
            "caching",
            "sustained_iops",
            "burst_iops",
            "sustained_mbps",
            "burst_mbps",
            "bottleneck_iops",
            "bottleneck_mbps",
            "burst_bottleneck_iops",
            "burst_bottleneck_mbps",
            "provisioned_iops",
            "provisioned_mbps",
            "queue_depth_1_iops",
            "queue_depth_to_saturate",
            "unusable_iops",
            "unusable_mbps",
        ],
    ),
    (
        "simulate",
        &[
            "volume",
            "sku",
            "caching",
            "asked_iops",
            "served_iops",
            "asked_mbps",
            "served_mbps",
            "throttled_s",
            "throttled_percent",
            "backlog_peak_ios",
            "backlog_peak_mb",
            "backlog_s",
            "worked_off_at_s",
            "backlog_left_ios",
            "backlog_left_mb",
        ],
    ),
    (
        "recommend",
        &[
            "rank",
            "size",
            "interface",
            "vcpus",
            "memory_gib",
            "arch",
            "disks",
            "month",
            "vm_month",
            "disks_month",
            "tightest",
            "headroom_percent",
            "retirement",
        ],
    ),
    (
        "compare disks",
        &[
            "disk",
            "sku",
            "family",
            "chosen",
            "spec",
            "members",
            "size_gib",
            "provisioned_iops",
            "provisioned_mbps",
            "burst_iops",
            "burst_mbps",
            "burst_minutes",
            "burst_on_demand",
            "vm_iops",
            "vm_mbps",
            "vm_burst_iops",
            "vm_burst_mbps",
            "bottleneck_iops",
            "bottleneck_mbps",
            "burst_bottleneck_iops",
            "burst_bottleneck_mbps",
            "unusable_iops",
            "unusable_mbps",
            "month",
            "month_without",
            "per_1000_iops",
            "per_1000_effective_iops",
            "latency_us",
            "queue_depth_1_iops",
            "mbps_at_8kib",
            "mbps_at_64kib",
            "mbps_at_1mib",
            "most_iops",
            "most_mbps",
            "largest_gib",
            "host_caching",
            "os_disk",
            "redundancy_offered",
            "max_shares",
            "zones",
            "limits_of_use",
        ],
    ),
    (
        "compare vms",
        &[
            "size",
            "series",
            "interface",
            "vcpus",
            "memory_gib",
            "data_disks",
            "arch",
            "premium_storage",
            "premium_caching",
            "ultra",
            "temp_gib",
            "nvme_gib",
            "retirement",
            "reached_iops",
            "reached_mbps",
            "reached_burst_iops",
            "reached_burst_mbps",
            "lifts_every_cap",
            "held_back_by",
            "refused",
            "uncached_iops",
            "uncached_mbps",
            "uncached_burst_iops",
            "uncached_burst_mbps",
            "v2_iops",
            "v2_mbps",
            "v2_burst_iops",
            "v2_burst_mbps",
            "cached_iops",
            "cached_mbps",
            "cached_burst_iops",
            "cached_burst_mbps",
            "nvme_read_iops",
            "nvme_read_mbps",
            "nvme_write_iops",
            "nvme_write_mbps",
            "vm_month",
            "month",
        ],
    ),
    (
        "explain",
        &["id", "title", "rule", "fix", "related", "source"],
    ),
    (
        "config show",
        &["key", "value", "from", "meaning", "variable"],
    ),
];

/// The ids of the columns of the first table of the command whose words are `path`; none where it has no list.
fn columns(path: &str) -> Vec<&'static str> {
    if path == "skus list" {
        let columns = VmColumn::ALL.iter().map(|column| column.id());
        return columns.chain([VM_MONTH]).collect();
    }
    listed(COLUMNS, path)
}

fn listed(lists: &[(&str, &'static [&'static str])], path: &str) -> Vec<&'static str> {
    let known = lists.iter().find(|(words, _)| *words == path);
    known.map_or_else(Vec::new, |(_, ids)| ids.to_vec())
}

/// The command, whose words are `path`, with the tables and columns that it completes; what it has no list of stays as it
/// is.
pub fn put_on(command: Command, path: &str) -> Command {
    let lists = [
        ("table", listed(TABLES, path)),
        ("columns", columns(path)),
        ("sort", columns(path)),
    ];
    let lists = lists.into_iter().filter(|(_, ids)| !ids.is_empty());
    lists.fold(command, |command, (argument, ids)| {
        if command.get_arguments().any(|arg| arg.get_id() == argument) {
            command.mut_arg(argument, |arg| complete(arg, ids))
        } else {
            command
        }
    })
}

fn complete(arg: Arg, ids: Vec<&'static str>) -> Arg {
    arg.add(ArgValueCompleter::new(move |begun: &std::ffi::OsStr| {
        let words = ids.iter().map(|id| (*id, ""));
        begun
            .to_str()
            .map_or_else(Vec::new, |begun| beginning(begun, words))
    }))
}
