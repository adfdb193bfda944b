//! Disk-spec strings: `[NAME=][Nx]SKU[:key=value,...]`.
//!
//! ```
//! use diskcap::deployment::DiskSpec;
//!
//! let spec: DiskSpec = "data=4xP30:cache=ro".parse()?;
//! assert_eq!(spec.name.as_deref(), Some("data"));
//! assert_eq!(spec.count, 4);
//! assert_eq!(spec.to_string(), "data=4xP30:cache=ro");
//! # Ok::<(), diskcap::deployment::SpecError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::HostCaching;
use crate::catalog::lookup::{did_you_mean, nearest};
use crate::catalog::{Catalog, DiskRequest, Family, Redundancy};
use crate::units::{Latency, UnitError};

/// The most disks that one spec may stand for. No VM size takes more data disks than 64; this leaves room for typos
/// to be told from intent without letting `99999999xP30` allocate.
pub const MAX_COUNT: u32 = 256;

/// The keys that a disk spec knows.
pub const KEYS: [&str; 11] = [
    "size", "iops", "mbps", "cache", "tier", "burst", "perfplus", "os", "latency", "zrs", "shares",
];

/// Every word for a family, besides tier names and the clouds' own SKU names.
const WORDS: [(&str, Family); 11] = [
    ("v2", Family::PremiumSsdV2),
    ("premiumv2", Family::PremiumSsdV2),
    ("pv2", Family::PremiumSsdV2),
    ("ultra", Family::Ultra),
    ("premium", Family::PremiumSsd),
    ("standardssd", Family::StandardSsd),
    ("standardhdd", Family::StandardHdd),
    ("hdd", Family::StandardHdd),
    ("temp", Family::Temp),
    ("nvme", Family::LocalNvme),
    ("custom", Family::Custom),
];

/// Why a text is not a disk spec.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("disk spec '{input}': {problem}")]
pub struct SpecError {
    /// The whole spec as given.
    pub input: String,
    /// What is wrong with it.
    pub problem: SpecProblem,
}

/// What is wrong with a disk spec.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SpecProblem {
    /// No SKU.
    #[error("no SKU: write [NAME=][Nx]SKU[:key=value,...], such as data=2xP30:cache=ro")]
    NoSku,
    /// The name has characters that a name cannot have, or is empty.
    #[error("'{0}' is not a name: use letters, digits, '.', '_' and '-'")]
    Name(String),
    /// The SKU is no known one.
    #[error("unknown SKU '{sku}'{}: tiers are P1 to P80, E1 to E80, S4 to S80; also v2, ultra, temp, nvme, custom, or a name such as Premium_LRS", did_you_mean(.nearest))]
    Sku {
        /// The SKU as written.
        sku: String,
        /// The nearest known ones.
        nearest: Vec<String>,
    },
    /// Several specs in one.
    #[error("one spec names one disk: repeat --disk for each of {0}")]
    Several(String),
    /// A sign that stands where another one belongs.
    #[error("{why}: did you mean {meant}?")]
    Sign {
        /// What the signs are for.
        why: &'static str,
        /// The spec with the right one.
        meant: String,
    },
    /// The name of a file.
    #[error(
        "'{0}' is the name of a file, and a disk spec names a SKU, such as P30 or data=2xP30:cache=ro; a plan file is given by itself"
    )]
    File(String),
    /// The name of a VM size.
    #[error(
        "'{0}' is a VM size, and a disk spec names a SKU, such as P30: give the size with --vm"
    )]
    Size(String),
    /// The number of disks is out of range.
    #[error("'{0}' is not a number of disks: write 1 to {MAX_COUNT}, such as 4xP30")]
    Count(String),
    /// A key that there is not.
    #[error("unknown key '{key}'{}: keys are {}", did_you_mean(.nearest), KEYS.join(", "))]
    Key {
        /// The key as written.
        key: String,
        /// The nearest known ones.
        nearest: Vec<String>,
    },
    /// Something other than a comma between keys.
    #[error("'{0}': keys are separated by ',', such as P30:cache=ro,os")]
    Separator(String),
    /// A key given twice.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// A key without its value.
    #[error("'{key}' needs a value: {form}")]
    NoValue {
        /// The key.
        key: String,
        /// What to write.
        form: &'static str,
    },
    /// A value that the key cannot have.
    #[error("'{key}={value}': {form}")]
    Value {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What to write.
        form: &'static str,
    },
    /// A value that is not the quantity that the key wants.
    #[error("{key}: {source}")]
    Unit {
        /// The key.
        key: String,
        /// Why.
        source: UnitError,
    },
}

/// One disk (or several equal ones striped), as somebody asked for it.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskSpec {
    /// The name, where one was given.
    pub name: Option<String>,
    /// How many equal disks, striped.
    pub count: u32,
    /// What is asked of the catalogue.
    pub request: DiskRequest,
    /// Host caching, where said.
    pub caching: Option<HostCaching>,
    /// Whether it is the OS disk.
    pub os: bool,
}

impl DiskSpec {
    /// One unnamed disk of what `request` says.
    #[must_use]
    pub const fn new(request: DiskRequest) -> Self {
        Self {
            name: None,
            count: 1,
            request,
            caching: None,
            os: false,
        }
    }

    /// The SKU in its shortest spelling: the tier, or the word for the family.
    #[must_use]
    pub fn sku(&self) -> String {
        if let Some(tier) = &self.request.tier {
            return tier.clone();
        }
        let word = match self.request.family {
            Family::PremiumSsd => "Premium",
            Family::StandardSsd => "StandardSSD",
            Family::StandardHdd => "StandardHDD",
            Family::PremiumSsdV2 => "v2",
            Family::Ultra => "ultra",
            Family::Temp => "temp",
            Family::LocalNvme => "nvme",
            Family::Custom => "custom",
        };
        word.to_owned()
    }
}

/// Whether `input` is specs with commas between them.
fn is_several(input: &str) -> bool {
    input.contains(',') && input.split(',').all(|one| parse(one.trim()).is_ok())
}

impl FromStr for DiskSpec {
    type Err = SpecError;

    fn from_str(input: &str) -> Result<Self, SpecError> {
        parse(input.trim()).map_err(|problem| SpecError {
            input: input.to_owned(),
            problem: match problem {
                SpecProblem::Sku { .. } | SpecProblem::Name(_) if is_file_name(input) => {
                    SpecProblem::File(input.to_owned())
                }
                SpecProblem::Sku { sku, .. } if Catalog::embedded().vm(&sku, None).is_ok() => {
                    SpecProblem::Size(sku)
                }
                SpecProblem::Sku { .. } if is_several(input) => {
                    SpecProblem::Several(input.replace(',', ", "))
                }
                SpecProblem::Sku { .. } | SpecProblem::Name(_) => {
                    other_sign(input.trim()).unwrap_or(problem)
                }
                problem => problem,
            },
        })
    }
}

/// What is wrong with a text that is a spec but for one sign: `data:P30`, `P30,cache=ro`.
fn other_sign(input: &str) -> Option<SpecProblem> {
    let signs = [
        (':', "=", "a name and its SKU are joined by '='"),
        (',', ":", "the keys of a SKU stand behind ':'"),
    ];
    signs.into_iter().find_map(|(sign, instead, why)| {
        let meant = input.replacen(sign, instead, 1);
        (meant != input && parse(&meant).is_ok()).then_some(SpecProblem::Sign { why, meant })
    })
}

/// Whether a text that is no spec looks like the name of a file.
fn is_file_name(input: &str) -> bool {
    let endings = ["toml", "json", "csv", "txt", "md"];
    let ending = input.rsplit_once('.').map(|(_, ending)| ending);
    input.contains(['/', '\\']) || ending.is_some_and(|ending| endings.contains(&ending))
}

fn parse(input: &str) -> Result<DiskSpec, SpecProblem> {
    let (head, keys) = input.split_once(':').unwrap_or((input, ""));
    let (name, sku) = match head.split_once('=') {
        Some((name, sku)) => (Some(check_name(name)?), sku),
        None => (None, head),
    };
    let (count, sku) = split_count(sku.trim())?;
    let (family, redundancy, tier) = parse_sku(sku)?;
    let mut request = DiskRequest::new(family);
    request.tier = tier;
    request.redundancy = redundancy;
    let mut spec = DiskSpec::new(request);
    spec.name = name;
    spec.count = count;
    parse_keys(keys, &mut spec)?;
    Ok(spec)
}

/// Checks that `name` can stand in a spec, a file name and a table.
///
/// # Errors
/// [`SpecProblem::Name`] when it is empty or has other characters.
pub fn check_name(name: &str) -> Result<String, SpecProblem> {
    let name = name.trim();
    let good = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    if !name.is_empty() && name.chars().all(good) {
        Ok(name.to_owned())
    } else {
        Err(SpecProblem::Name(name.to_owned()))
    }
}

/// Splits `4xP30` into 4 and `P30`.
pub(super) fn split_count(text: &str) -> Result<(u32, &str), SpecProblem> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = text.split_at(digits);
    let Some(sku) = rest
        .strip_prefix(['x', 'X', '*', '×'])
        .filter(|_| digits > 0)
    else {
        return Ok((1, text));
    };
    match number.parse() {
        Ok(count @ 1..=MAX_COUNT) => Ok((count, sku.trim())),
        _ => Err(SpecProblem::Count(number.to_owned())),
    }
}

/// Reads the SKU: a tier name is passed on for the catalogue to look up, other words are known here.
fn parse_sku(sku: &str) -> Result<(Family, Redundancy, Option<String>), SpecProblem> {
    if sku.is_empty() {
        return Err(SpecProblem::NoSku);
    }
    if let Some((family, redundancy)) = Family::from_arm_sku(sku) {
        return Ok((family, redundancy, None));
    }
    let lower = sku.to_lowercase();
    if let Some((_, family)) = WORDS.iter().find(|(word, _)| *word == lower) {
        return Ok((*family, Redundancy::Lrs, None));
    }
    match tier_family(&lower) {
        Some(family) => Ok((family, Redundancy::Lrs, Some(sku.to_uppercase()))),
        None => Err(SpecProblem::Sku {
            sku: sku.to_owned(),
            nearest: nearest(
                &lower,
                WORDS
                    .iter()
                    .map(|(word, _)| *word)
                    .chain(Family::arm_skus()),
            ),
        }),
    }
}

/// The family whose letter `text` starts with, where only a number follows.
fn tier_family(text: &str) -> Option<Family> {
    let mut chars = text.chars();
    let letter = chars.next()?.to_ascii_uppercase();
    let number = chars.as_str();
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    Family::ALL
        .into_iter()
        .find(|family| is_number && family.tier_prefix() == Some(letter))
}

fn parse_keys(keys: &str, spec: &mut DiskSpec) -> Result<(), SpecProblem> {
    let mut seen: Vec<String> = Vec::new();
    for item in keys.split(',').map(str::trim).filter(|i| !i.is_empty()) {
        let (key, value) = match item.split_once('=') {
            Some((key, value)) => (key.trim(), Some(value.trim())),
            None => (item, None),
        };
        let key = key.to_lowercase();
        if let Some(value) = value.filter(|value| value.contains(':')) {
            return Err(SpecProblem::Separator(value.to_owned()));
        }
        if seen.contains(&key) {
            return Err(SpecProblem::Twice(key));
        }
        apply_key(&key, value, spec)?;
        seen.push(key);
    }
    Ok(())
}

/// Sets what one `key=value` says.
///
/// # Errors
/// [`SpecProblem`] when there is no such key, or the value is not one of its.
pub fn apply_key(key: &str, value: Option<&str>, spec: &mut DiskSpec) -> Result<(), SpecProblem> {
    let request = &mut spec.request;
    match key {
        "size" => request.size = Some(quantity(key, value, "a capacity such as 512GiB or 1TiB")?),
        "iops" => request.iops = Some(quantity(key, value, "a number such as 6000")?),
        "mbps" => request.mbps = Some(quantity(key, value, "MB/s such as 250")?),
        "latency" => {
            let latency: Latency = quantity(key, value, "a time such as 0.65ms")?;
            request.latency = Some(latency);
        }
        "tier" => {
            let form = "a Premium performance tier such as P50";
            request.performance_tier = Some(needed(key, value, form)?.to_uppercase());
        }
        "cache" => spec.caching = Some(caching(key, value)?),
        "burst" => request.on_demand_burst = switch(key, value)?,
        "perfplus" => request.performance_plus = switch(key, value)?,
        "os" => spec.os = switch(key, value)?,
        "zrs" => request.redundancy = Redundancy::of_zones(switch(key, value)?),
        "shares" => request.max_shares = shares(key, value)?,
        _ => {
            return Err(SpecProblem::Key {
                key: key.to_owned(),
                nearest: nearest(key, KEYS.iter().copied()),
            });
        }
    }
    Ok(())
}

fn needed<'a>(
    key: &str,
    value: Option<&'a str>,
    form: &'static str,
) -> Result<&'a str, SpecProblem> {
    value
        .filter(|v| !v.is_empty())
        .ok_or_else(|| SpecProblem::NoValue {
            key: key.to_owned(),
            form,
        })
}

fn quantity<T: FromStr<Err = UnitError>>(
    key: &str,
    value: Option<&str>,
    form: &'static str,
) -> Result<T, SpecProblem> {
    needed(key, value, form)?
        .parse()
        .map_err(|source| SpecProblem::Unit {
            key: key.to_owned(),
            source,
        })
}

fn wrong(key: &str, value: &str, form: &'static str) -> SpecProblem {
    SpecProblem::Value {
        key: key.to_owned(),
        value: value.to_owned(),
        form,
    }
}

/// `burst=on`, `os`, `perfplus=yes`: a key alone means on.
fn switch(key: &str, value: Option<&str>) -> Result<bool, SpecProblem> {
    match value.map(str::to_lowercase).as_deref() {
        None | Some("on" | "yes" | "true") => Ok(true),
        Some("off" | "no" | "false") => Ok(false),
        Some(other) => Err(wrong(key, other, "write on or off")),
    }
}

fn caching(key: &str, value: Option<&str>) -> Result<HostCaching, SpecProblem> {
    let form = "write none, ro (ReadOnly) or rw (ReadWrite)";
    let value = needed(key, value, form)?;
    match value.to_lowercase().as_str() {
        "none" | "off" => Ok(HostCaching::None),
        "ro" | "readonly" | "read-only" => Ok(HostCaching::ReadOnly),
        "rw" | "readwrite" | "read-write" => Ok(HostCaching::ReadWrite),
        _ => Err(wrong(key, value, form)),
    }
}

fn shares(key: &str, value: Option<&str>) -> Result<u32, SpecProblem> {
    let form = "write how many VMs may attach it, 1 or more";
    let value = needed(key, value, form)?;
    match value.parse() {
        Ok(shares @ 1..=1000) => Ok(shares),
        _ => Err(wrong(key, value, form)),
    }
}

impl fmt::Display for DiskSpec {
    /// The spec as it can be read again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}=")?;
        }
        if self.count > 1 {
            write!(f, "{}x", self.count)?;
        }
        f.write_str(&self.sku())?;
        let keys = self.keys();
        if !keys.is_empty() {
            write!(f, ":{}", keys.join(","))?;
        }
        Ok(())
    }
}

impl DiskSpec {
    /// The keys that differ from a plain disk, as written in a spec.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        let request = &self.request;
        let mut keys = Vec::new();
        keys.extend(request.size.map(|v| format!("size={}", v.get())));
        keys.extend(request.iops.map(|v| format!("iops={}", v.get())));
        keys.extend(request.mbps.map(|v| format!("mbps={}", v.get())));
        keys.extend(self.caching.map(|c| {
            let word = match c {
                HostCaching::None => "none",
                HostCaching::ReadOnly => "ro",
                HostCaching::ReadWrite => "rw",
            };
            format!("cache={word}")
        }));
        keys.extend(
            request
                .performance_tier
                .as_ref()
                .map(|t| format!("tier={t}")),
        );
        keys.extend(request.on_demand_burst.then(|| "burst=on".to_owned()));
        keys.extend(request.performance_plus.then(|| "perfplus".to_owned()));
        keys.extend(self.os.then(|| "os".to_owned()));
        keys.extend(request.latency.map(|v| format!("latency={}us", v.micros())));
        keys.extend((request.redundancy == Redundancy::Zrs).then(|| "zrs".to_owned()));
        keys.extend((request.max_shares > 1).then(|| format!("shares={}", request.max_shares)));
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{GiB, Iops, MBps};

    fn spec(text: &str) -> DiskSpec {
        text.parse().unwrap()
    }

    fn problem(text: &str) -> String {
        text.parse::<DiskSpec>().unwrap_err().to_string()
    }

    #[test]
    fn every_part_is_read() {
        let s = spec("v2double=v2:size=130,iops=6000,mbps=250");
        assert_eq!(s.name.as_deref(), Some("v2double"));
        assert_eq!(s.request.family, Family::PremiumSsdV2);
        assert_eq!(s.request.size, Some(GiB::whole(130)));
        assert_eq!(s.request.iops, Some(Iops::whole(6000)));
        assert_eq!(s.request.mbps, Some(MBps::whole(250)));
        let s = spec("4xp30:cache=ro,burst=on,size=1TiB,tier=p50,zrs");
        assert_eq!((s.count, s.request.tier.as_deref()), (4, Some("P30")));
        assert_eq!(s.caching, Some(HostCaching::ReadOnly));
        assert!(s.request.on_demand_burst);
        assert_eq!(s.request.performance_tier.as_deref(), Some("P50"));
        assert_eq!(s.request.redundancy, Redundancy::Zrs);
        assert!(spec("os=E30:os,cache=none").os);
        assert_eq!(
            spec("Premium_LRS:size=600").request.family,
            Family::PremiumSsd
        );
    }

    #[test]
    fn a_spec_prints_as_it_is_read() {
        for text in [
            "P30",
            "data=4xP30:cache=ro",
            "v2:size=129,iops=3000,mbps=125",
            "os=E30:cache=none,os",
            "P40:size=1500,tier=P50,burst=on,latency=900us,zrs,shares=2",
            "custom:iops=20000,mbps=800,latency=450us",
        ] {
            assert_eq!(spec(text).to_string(), text);
        }
    }

    #[test]
    fn wrong_specs_name_what_is_wrong() {
        assert!(problem("").contains("no SKU"));
        assert!(problem("data=").contains("no SKU"));
        assert!(problem("=P30").contains("not a name"));
        assert!(problem("0xP30").contains("'0' is not a number of disks"));
        assert!(problem("99999999999xP30").contains("number of disks"));
        assert!(problem("P30:cach=ro").contains("did you mean cache?"));
        assert!(problem("P30:cache=full").contains("none, ro"));
        assert!(problem("v2:size=100:cache=ro").contains("separated by ','"));
        assert!(problem("P30:size=1,size=2").contains("given twice"));
        assert!(problem("P30:size").contains("needs a value"));
        assert!(problem("v2:iops=-5").contains("0 or more"));
        assert!(problem("v2:latency=5").contains("650us"));
        assert!(problem("ultr").contains("did you mean ultra?"));
        assert!(problem("data:P30").contains("did you mean data=P30?"));
        assert!(problem("P30,cache=ro").contains("did you mean P30:cache=ro?"));
        assert!(problem("data=P30,cache=ro").contains("did you mean data=P30:cache=ro?"));
        assert!(problem("data=D8s_v5").contains("'D8s_v5' is a VM size"));
        assert!(problem("/etc/passwd").contains("name of a file"));
    }
}
