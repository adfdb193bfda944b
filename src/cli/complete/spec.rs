//! Completion of disk specs, part by part: `[NAME=][Nx]SKU[:key=value,...]`.

use clap_complete::CompletionCandidate;

use super::values::{about_tier, beginning};
use diskcap::catalog::{Catalog, Family};
use diskcap::deployment::spec::KEYS;
use diskcap::deployment::{DiskSpec, HostCaching};

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
            (part, Spec::of(&begun[..end]).goes_on(part))
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

/// What of a spec is there before the part that is begun.
struct Spec<'a> {
    /// Up to the keys, without the name and how many there are.
    sku: &'a str,
    /// `key=value`, as many as are whole.
    keys: Vec<&'a str>,
}

impl<'a> Spec<'a> {
    fn of(written: &'a str) -> Self {
        let (head, keys) = written.split_once(':').unwrap_or((written, ""));
        Self {
            sku: behind_count(head.rsplit('=').next().unwrap_or(head)),
            keys: keys.split(',').filter(|key| !key.is_empty()).collect(),
        }
    }

    /// A key that the disk takes and has not yet, or behind its `=` the value.
    fn goes_on(&self, begun: &str) -> Vec<CompletionCandidate> {
        let Some((key, value)) = begun.split_once('=') else {
            let keys = KEYS.into_iter().filter(|key| !self.has(key));
            let keys = keys.filter(|key| self.takes(key)).map(|key| match key {
                "os" | "perfplus" | "zrs" => (key.to_owned(), about_key(key)),
                _ => (format!("{key}="), about_key(key)),
            });
            let keys: Vec<(String, &str)> = keys.collect();
            return beginning(
                begun,
                keys.iter().map(|(key, about)| (key.as_str(), *about)),
            );
        };
        let values = beginning(value, self.values(key).into_iter().map(|value| (value, "")));
        let key = &begun[..begun.len() - value.len()];
        values
            .into_iter()
            .map(|value| value.add_prefix(key))
            .collect()
    }

    fn has(&self, key: &str) -> bool {
        let mut names = self.keys.iter().filter_map(|key| key.split('=').next());
        names.any(|name| name == key)
    }

    /// The values of a key that has few.
    fn values(&self, key: &str) -> Vec<&'static str> {
        match key {
            "cache" => vec!["none", "ro", "rw"],
            "burst" | "perfplus" | "os" | "zrs" => vec!["on", "off"],
            "tier" => {
                let tiers = Catalog::embedded().tiers().of(Family::PremiumSsd);
                let names = tiers.map(|tier| tier.name.as_str());
                let taken = |name: &&str| self.stands(&format!("tier={name}")) != Some(false);
                names.filter(taken).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the disk can have that key, by the rules of its family; where nothing can be said, it may.
    fn takes(&self, key: &str) -> bool {
        let example = match key {
            "size" => "size=1024",
            "iops" => "iops=5000",
            "mbps" => "mbps=200",
            "cache" => "cache=ro",
            "latency" => "latency=1ms",
            "shares" => "shares=2",
            "burst" => "burst=on",
            "tier" => return !self.values(key).is_empty(),
            other => other,
        };
        // A tier takes each of its own sizes.
        let is_tier = Catalog::embedded().tiers().any_named(self.sku).is_ok();
        key == "size" && is_tier || self.stands(example) != Some(false)
    }

    /// Whether the provider takes the disk with this key besides; `None` where it cannot be understood at all.
    fn stands(&self, key: &str) -> Option<bool> {
        let catalog = Catalog::embedded();
        let plain: DiskSpec = self.with(&[]).parse().ok()?;
        let Ok(asked) = self.with(&[key]).parse::<DiskSpec>() else {
            return Some(false);
        };
        let family = plain.request.family;
        if asked.os && !family.can_be_os_disk() {
            return Some(false);
        }
        let Ok(resolved) = catalog.disk(&asked.request) else {
            return Some(false);
        };
        let cached = asked
            .caching
            .is_none_or(|caching| caching == HostCaching::None);
        Some(resolved.violations.is_empty() && (cached || resolved.model.cacheable))
    }

    /// The spec with `more` keys, and with what its family must be given.
    fn with(&self, more: &[&str]) -> String {
        let has = |key: &str| {
            let named = |given: &&str| given.split('=').next() == Some(key);
            self.keys.iter().chain(more).any(named)
        };
        let is_tier = Catalog::embedded().tiers().any_named(self.sku).is_ok();
        let family = self.sku.parse().map(|spec: DiskSpec| spec.request.family);
        let needed: &[&str] = match family {
            Ok(Family::PremiumSsdV2 | Family::Ultra) => &["size=1024", "iops=5000", "mbps=200"],
            Ok(family) if family.is_tiered() && !is_tier => &["size=1024"],
            _ => &[],
        };
        let missing = |key: &&&str| !key.split('=').next().is_some_and(has);
        let keys: Vec<&str> = (self.keys.iter().chain(more))
            .chain(needed.iter().filter(missing))
            .copied()
            .collect();
        match keys.is_empty() {
            true => self.sku.to_owned(),
            false => format!("{}:{}", self.sku, keys.join(",")),
        }
    }
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
    use super::super::values::texts;
    use super::*;

    fn words(begun: &str) -> Vec<String> {
        texts(candidates(begun))
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
        // A P30 has no IOPS and MB/s to set; what is said already is not said again.
        assert_eq!(
            words("P30:"),
            [
                "P30:size=",
                "P30:cache=",
                "P30:tier=",
                "P30:burst=",
                "P30:perfplus",
                "P30:os",
                "P30:latency=",
                "P30:zrs",
                "P30:shares="
            ]
        );
        assert!(words("P30:cache=ro,c").is_empty());
        assert_eq!(words("P30:cache=ro,p"), ["P30:cache=ro,perfplus"]);
        assert_eq!(
            words("data=v2:"),
            [
                "data=v2:size=",
                "data=v2:iops=",
                "data=v2:mbps=",
                "data=v2:latency=",
                "data=v2:shares="
            ]
        );
        // No bursting on demand up to 512 GiB, no host caching beyond 4,095.
        assert!(words("P20:bu").is_empty() && words("P60:ca").is_empty());
        assert_eq!(words("4xP10:tier=P5"), ["4xP10:tier=P50"]);
        for nothing in ["Q", "P30:size=", "P30:cache=é", "é", "4xé", "data=é"] {
            assert!(words(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn every_key_says_what_it_is() {
        assert!(KEYS.iter().all(|key| !about_key(key).is_empty()));
    }
}
