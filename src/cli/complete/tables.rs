//! The tables that the reports of each command can have, for `--table`.

use clap::{Arg, Command};
use clap_complete::engine::ArgValueCompleter;

use super::values::beginning;

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
    ("skus show", &["ceilings", "properties", "tiers", "ranges"]),
    ("skus diff", &["changes", "skus"]),
    ("explain", &["findings"]),
    ("config show", &["settings"]),
];

/// The command, whose words are `path`, with the tables that it completes; what it has no list of stays as it is.
pub fn put_on(command: Command, path: &str) -> Command {
    let known = TABLES.iter().find(|(words, _)| *words == path);
    match known {
        Some((_, ids)) if command.get_arguments().any(|arg| arg.get_id() == "table") => {
            command.mut_arg("table", |arg| complete(arg, ids))
        }
        _ => command,
    }
}

fn complete(arg: Arg, ids: &'static [&'static str]) -> Arg {
    arg.add(ArgValueCompleter::new(move |begun: &std::ffi::OsStr| {
        let words = ids.iter().map(|id| (*id, ""));
        begun
            .to_str()
            .map_or_else(Vec::new, |begun| beginning(begun, words))
    }))
}
