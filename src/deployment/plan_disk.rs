//! `[[disk]]` of a plan file: its keys, and a volume made of them.

use serde::Deserialize;
use toml::Spanned;

use super::VolumeSpec;
use super::plan_workload::RawWorkload;
use super::spec::{self, DiskSpec, SpecError};
use super::toml_values::{Word, Words};

/// A value of a disk, and where it stands in the text.
type Value = Option<Spanned<Word>>;

#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table: [[disk]] on a line, and below it sku = \"P30\""
)]
pub(super) struct RawDisk {
    pub(super) name: Value,
    spec: Value,
    sku: Value,
    members: Option<Spanned<Words>>,
    count: Value,
    size: Value,
    iops: Value,
    mbps: Value,
    latency: Value,
    cache: Value,
    tier: Value,
    burst: Value,
    perfplus: Value,
    os: Value,
    zrs: Value,
    shares: Value,
    #[serde(default)]
    pub(super) workload: RawWorkload,
}

/// What is wrong with a disk, and where where one key is to blame.
pub(super) struct Fault {
    pub(super) at: Option<usize>,
    pub(super) problem: String,
}

impl Fault {
    fn of_disk(problem: impl ToString) -> Self {
        Self {
            at: None,
            problem: problem.to_string(),
        }
    }

    fn of<T>(key: &Spanned<T>, problem: impl ToString) -> Self {
        Self {
            at: Some(key.span().start),
            problem: problem.to_string(),
        }
    }
}

impl RawDisk {
    pub(super) fn into_volume(self) -> Result<VolumeSpec, Fault> {
        let members = self.members()?;
        let own = self.name.as_ref().map(|name| {
            let checked = spec::check_name(&name.get_ref().0);
            checked.map_err(|problem| Fault::of(name, problem))
        });
        let names = members.iter().filter_map(|member| member.name.clone());
        let mut names = own.transpose()?.into_iter().chain(names);
        let name = names.next();
        if let (Some(one), Some(other)) = (&name, names.find(|other| Some(other) != name.as_ref()))
        {
            return Err(Fault::of_disk(format!(
                "it is named twice, '{one}' and '{other}': leave out one of the names"
            )));
        }
        Ok(VolumeSpec { name, members })
    }

    /// The members by whichever of the three ways they are named.
    fn members(&self) -> Result<Vec<DiskSpec>, Fault> {
        match (&self.spec, &self.sku, &self.members) {
            (Some(one), None, None) | (None, Some(one), None) => {
                Ok(vec![self.member(&one.get_ref().0, one.span().start)?])
            }
            (None, None, Some(list)) if list.get_ref().0.is_empty() => {
                Err(Fault::of(list, "members is empty: name at least one disk"))
            }
            (None, None, Some(list)) => {
                let texts = list.get_ref().0.iter();
                texts
                    .map(|text| self.member(text, list.span().start))
                    .collect()
            }
            _ => Err(Fault::of_disk(
                "say what it is once: sku = \"P30\", or spec = \"4xP30:cache=ro\", or members = [\"P30\", \"P40\"]",
            )),
        }
    }

    /// One member: its own text, which stands at `at`, with the keys of the table put over it.
    fn member(&self, text: &str, at: usize) -> Result<DiskSpec, Fault> {
        let mut disk: DiskSpec = text.parse().map_err(|error: SpecError| Fault {
            at: Some(at),
            problem: error.to_string(),
        })?;
        if let Some(count) = &self.count {
            let asked = &count.get_ref().0;
            let range = 1..=spec::MAX_COUNT;
            disk.count = (asked.parse().ok())
                .filter(|number| range.contains(number))
                .ok_or_else(|| {
                    let most = spec::MAX_COUNT;
                    Fault::of(count, format!("count = {asked}: write 1 to {most}"))
                })?;
        }
        for (key, value) in self.keys() {
            if let Some(value) = value {
                let set = spec::apply_key(key, Some(&value.get_ref().0), &mut disk);
                set.map_err(|problem| Fault::of(value, problem))?;
            }
        }
        Ok(disk)
    }

    /// The keys that disk specs have too.
    const fn keys(&self) -> [(&'static str, &Value); 11] {
        [
            ("size", &self.size),
            ("iops", &self.iops),
            ("mbps", &self.mbps),
            ("latency", &self.latency),
            ("cache", &self.cache),
            ("tier", &self.tier),
            ("burst", &self.burst),
            ("perfplus", &self.perfplus),
            ("os", &self.os),
            ("zrs", &self.zrs),
            ("shares", &self.shares),
        ]
    }
}
