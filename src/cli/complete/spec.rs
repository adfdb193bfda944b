//! Completion of disk specs, part by part: `[NAME=][Nx]SKU[:key=value,...]`.

use clap_complete::CompletionCandidate;

use super::values::{about_tier, beginning};
use diskcap::catalog::{Catalog, Family};
use diskcap::deployment::spec::KEYS;

/// The words for families that have no tiers, or where the size chooses the tier.
const FAMILIES: [(&str, Family); 8] = [
    ("v2", Family::PremiumSsdV2),
    ("ultra", Family::Ultra),
    ("temp", Family::Temp),
    ("nvme", Family::LocalNvme),
    ("custom", Family::Custom),
    ("premium", Family::PremiumSsd),
    ("standardssd", Family::StandardSsd),
    ("standardhdd", Family::StandardHdd),
];

/// How a spec can go on.
pub fn candidates(begun: &str) -> Vec<CompletionCandidate> {
    let (part, options) = match begun.rfind([':', ',']) {
        Some(end) if begun.contains(':') => {
            let part = &begun[end + 1..];
            (part, of_key(part))
        }
        _ => {
            let part = behind_count(begun.rsplit('=').next().unwrap_or(begun));
            (part, skus(part))
        }
    };
    let kept = &begun[..begun.len() - part.len()];
    options
        .into_iter()
        .map(|option| option.add_prefix(kept))
        .collect()
}

/// What is behind `4x`.
fn behind_count(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(['x', 'X']) {
        Some(sku) if rest.len() < text.len() => sku,
        _ => text,
    }
}

/// Tiers, families and the cloud's own names.
pub fn skus(begun: &str) -> Vec<CompletionCandidate> {
    let tiers = Catalog::embedded().tiers().all().iter();
    let mut all = beginning(
        begun,
        tiers.map(|tier| (tier.name.as_str(), about_tier(tier))),
    );
    all.extend(beginning(
        begun,
        FAMILIES.map(|(word, family)| (word, family.name())),
    ));
    all.extend(beginning(begun, Family::arm_skus().map(|name| (name, ""))));
    all
}

/// A key, or behind its `=` the value.
fn of_key(begun: &str) -> Vec<CompletionCandidate> {
    let Some((key, value)) = begun.split_once('=') else {
        let keys = KEYS.map(|key| match key {
            "os" | "perfplus" | "zrs" => (key.to_owned(), about_key(key)),
            _ => (format!("{key}="), about_key(key)),
        });
        return beginning(
            begun,
            keys.iter().map(|(key, about)| (key.as_str(), *about)),
        );
    };
    let values: Vec<&str> = match key {
        "cache" => vec!["none", "ro", "rw"],
        "burst" | "perfplus" | "os" | "zrs" => vec!["on", "off"],
        "tier" => {
            let tiers = Catalog::embedded().tiers().of(Family::PremiumSsd);
            tiers.map(|tier| tier.name.as_str()).collect()
        }
        _ => Vec::new(),
    };
    let values = beginning(value, values.into_iter().map(|value| (value, "")));
    let key = &begun[..begun.len() - value.len()];
    values
        .into_iter()
        .map(|value| value.add_prefix(key))
        .collect()
}

fn about_key(key: &str) -> &'static str {
    match key {
        "size" => "capacity, such as 512GiB",
        "iops" => "provisioned IOPS",
        "mbps" => "provisioned MB/s",
        "cache" => "host caching",
        "tier" => "performance tier",
        "burst" => "on-demand bursting",
        "perfplus" => "performance plus",
        "os" => "OS disk",
        "latency" => "one I/O at a time, such as 0.65ms",
        "zrs" => "zone-redundant",
        "shares" => "VMs that may attach it at once",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(begun: &str) -> Vec<String> {
        let words = candidates(begun).into_iter();
        words
            .map(|word| word.get_value().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn each_part_goes_on_by_its_own() {
        assert_eq!(words("P3"), ["P3", "P30"]);
        assert_eq!(words("data=4xp3"), ["data=4xP3", "data=4xP30"]);
        assert_eq!(words("v"), ["v2"]);
        assert_eq!(words("ul"), ["ultra", "UltraSSD_LRS"]);
        assert_eq!(words("log=v2:size=256,io"), ["log=v2:size=256,iops="]);
        assert_eq!(words("P30:cache=r"), ["P30:cache=ro", "P30:cache=rw"]);
        assert_eq!(words("data=P30:os,cache=n"), ["data=P30:os,cache=none"]);
        assert_eq!(words("P30:tier=P5"), ["P30:tier=P50"]);
        assert_eq!(words("P30:pe"), ["P30:perfplus"]);
        assert_eq!(words("P30:").len(), KEYS.len());
        for nothing in ["Q", "P30:size=", "P30:cache=é", "é", "4xé", "data=é"] {
            assert!(words(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn every_key_says_what_it_is() {
        assert!(KEYS.iter().all(|key| !about_key(key).is_empty()));
    }
}
