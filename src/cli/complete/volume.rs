//! Completion of what is needed of a volume: `[NAME:]size=2TiB,iops=20000,profile=oltp`.

use clap_complete::CompletionCandidate;

use super::values::{beginning, profiles};
use diskcap::recommend::VOLUME_KEYS;

/// How a volume can go on: a key, or behind its `=` the value.
pub fn candidates(begun: &str) -> Vec<CompletionCandidate> {
    let part = begun
        .rfind([':', ','])
        .map_or(begun, |end| &begun[end + 1..]);
    let (word, options) = match part.split_once('=') {
        None => (part, keys(part)),
        Some(("profile", value)) => (value, profiles(value)),
        Some((_, value)) => (value, Vec::new()),
    };
    let kept = &begun[..begun.len() - word.len()];
    options
        .into_iter()
        .map(|option| option.add_prefix(kept))
        .collect()
}

fn keys(begun: &str) -> Vec<CompletionCandidate> {
    let keys = VOLUME_KEYS.map(|key| match key {
        "zrs" => (key.to_owned(), about(key)),
        _ => (format!("{key}="), about(key)),
    });
    beginning(
        begun,
        keys.iter().map(|(key, about)| (key.as_str(), *about)),
    )
}

fn about(key: &str) -> &'static str {
    match key {
        "size" => "capacity, such as 2TiB",
        "iops" => "I/Os a second",
        "mbps" => "MB/s",
        "profile" => "block size, reads and queue depth of a named workload",
        "block" => "block size, such as 8KiB",
        "read" => "share of reads, such as 70%",
        "hit" => "share of the reads that the host cache answers",
        "depth" => "outstanding I/Os at most",
        "latency" => "one I/O at a time takes less, such as 1ms",
        "zrs" => "zone-redundant disks only",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::texts;
    use super::*;

    fn words(begun: &str) -> Vec<String> {
        texts(candidates(begun))
    }

    #[test]
    fn each_part_goes_on_by_its_own() {
        assert_eq!(words("si"), ["size="]);
        assert_eq!(words("data:size=1TiB,io"), ["data:size=1TiB,iops="]);
        assert_eq!(words("log:profile=sql"), ["log:profile=sql-log"]);
        assert_eq!(words("log:").len(), VOLUME_KEYS.len());
        for nothing in ["size=", "log:block=é", "é"] {
            assert!(words(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn every_key_says_what_it_is() {
        assert!(VOLUME_KEYS.iter().all(|key| !about(key).is_empty()));
    }
}
