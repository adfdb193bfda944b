//! `sku-data/azure-disk-tiers.csv`: the tiers of Premium SSD, Standard SSD and Standard HDD.

use crate::catalog::disk::{DiskError, DiskModel, Family};
use crate::catalog::limits::Limits;
use crate::catalog::lookup::nearest;
use crate::catalog::query::NamePattern;
use crate::catalog::table::{DataError, Row, read_rows};
use crate::units::GiB;

/// The file's name.
pub const FILE: &str = "azure-disk-tiers.csv";

/// One tier of a tiered family.
#[derive(Debug, Clone, PartialEq)]
pub struct Tier {
    /// The family.
    pub family: Family,
    /// The name, such as `P30`.
    pub name: String,
    /// The smallest disk of this tier, GiB.
    pub min_gib: u32,
    /// The largest disk of this tier, GiB.
    pub max_gib: u32,
    /// The limits without bursting.
    pub limits: Limits,
    /// The limits while credit lasts, and how long a full bucket lasts at full burst, in seconds.
    pub credit_burst: Option<(Limits, f64)>,
    /// The limits with on-demand bursting, where the tier offers it.
    pub on_demand: Option<Limits>,
    /// The expanded limits of performance plus, where the tier offers it.
    pub performance_plus: Option<Limits>,
    /// How many VMs may attach a disk of this tier at once.
    pub max_shares: u32,
    /// Whether zone-redundant disks of this tier are offered.
    pub zrs: bool,
}

/// The tiers of all tiered families.
#[derive(Debug, Clone, PartialEq)]
pub struct TierTable(Vec<Tier>);

const COLUMNS: &[&str] = &[
    "family",
    "tier",
    "min_gib",
    "max_gib",
    "iops",
    "mbps",
    "burst_iops",
    "burst_mbps",
    "burst_minutes",
    "on_demand_iops",
    "on_demand_mbps",
    "perfplus_iops",
    "perfplus_mbps",
    "max_shares",
    "zrs",
];

impl TierTable {
    /// Reads the file.
    ///
    /// # Errors
    /// [`DataError`] with file, line and column; also where a family's tiers leave a gap or overlap.
    pub(in crate::catalog) fn read(file: &str, text: &str) -> Result<Self, DataError> {
        let mut tiers: Vec<Tier> = Vec::new();
        read_rows(file, text, COLUMNS, |row| {
            let next = tier(row)?;
            let start = match tiers.last() {
                Some(last) if last.family == next.family => last.max_gib + 1,
                _ => 1,
            };
            if next.min_gib != start || next.max_gib < next.min_gib {
                return Err(row.error(format!(
                    "tier {} covers {} to {} GiB where it should start at {start} GiB",
                    next.name, next.min_gib, next.max_gib
                )));
            }
            tiers.push(next);
            Ok(())
        })?;
        Ok(Self(tiers))
    }

    /// Every tier, by family, small to large.
    #[must_use]
    pub fn all(&self) -> &[Tier] {
        &self.0
    }

    /// The tiers of one family, small to large; none for families without tiers.
    pub fn of(&self, family: Family) -> impl DoubleEndedIterator<Item = &Tier> + Clone {
        self.0.iter().filter(move |tier| tier.family == family)
    }

    /// The tier that a disk of `size` falls in; the largest tier for anything larger.
    #[must_use]
    pub fn for_size(&self, family: Family, size: GiB) -> Option<&Tier> {
        self.of(family)
            .find(|tier| f64::from(tier.max_gib) >= size.get())
            .or_else(|| self.of(family).next_back())
    }

    /// The tier of a disk's size, where the disk is set to another.
    #[must_use]
    pub fn of_size_beside(&self, model: &DiskModel) -> Option<&Tier> {
        let tier = model.tier.as_deref()?;
        let of_size = self.for_size(model.family, model.size?)?;
        (of_size.name != tier).then_some(of_size)
    }

    /// Whether a disk is set to a tier above that of its size, which is billed as a larger disk.
    #[must_use]
    pub fn is_raised(&self, model: &DiskModel) -> bool {
        let of_size = self.of_size_beside(model);
        let tier = model.tier.as_deref();
        let set = tier.and_then(|tier| self.named(model.family, tier).ok());
        let pair = set.zip(of_size);
        pair.is_some_and(|(set, of_size)| set.max_gib > of_size.max_gib)
    }

    /// The tier of this name in `family`, without regard to case.
    ///
    /// # Errors
    /// [`DiskError::UnknownTier`] with the nearest names.
    pub fn named(&self, family: Family, name: &str) -> Result<&Tier, DiskError> {
        find(self.of(family), name)
    }

    /// The tier of this name in `family`, to be changed.
    pub(in crate::catalog) fn named_mut(
        &mut self,
        family: Family,
        name: &str,
    ) -> Option<&mut Tier> {
        let is = |tier: &&mut Tier| tier.family == family && tier.name.eq_ignore_ascii_case(name);
        self.0.iter_mut().find(is)
    }

    /// The tier of this name in any family, without regard to case.
    ///
    /// # Errors
    /// [`DiskError::UnknownTier`] with the nearest names.
    pub fn any_named(&self, name: &str) -> Result<&Tier, DiskError> {
        find(self.0.iter(), name)
    }

    /// The tiers whose names one of these patterns fits (`P*`, `E30`), small to large; all where none is given.
    ///
    /// # Errors
    /// [`DiskError::UnknownTier`] for a name or a pattern that no tier has.
    pub fn named_like(&self, patterns: &[String]) -> Result<Vec<&Tier>, DiskError> {
        let read: Vec<NamePattern> = patterns.iter().map(|text| NamePattern::new(text)).collect();
        let fits = |pattern: &NamePattern, tier: &&Tier| pattern.fits(&tier.name);
        for (pattern, text) in read.iter().zip(patterns) {
            if !self.0.iter().any(|tier| fits(pattern, &tier)) {
                self.any_named(text)?;
            }
        }
        let wanted = |tier: &&Tier| read.is_empty() || read.iter().any(|p| fits(p, tier));
        Ok(self.0.iter().filter(wanted).collect())
    }
}

fn find<'a>(
    tiers: impl Iterator<Item = &'a Tier> + Clone,
    name: &str,
) -> Result<&'a Tier, DiskError> {
    let name = name.trim();
    tiers
        .clone()
        .find(|tier| tier.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| DiskError::UnknownTier {
            input: name.to_owned(),
            nearest: neighbours(tiers, name),
        })
}

/// The tiers on either side of a number that no tier has (`P35`: P30, P40); the nearest spellings otherwise.
fn neighbours<'a>(tiers: impl Iterator<Item = &'a Tier> + Clone, name: &str) -> Vec<String> {
    let split = |name: &str| -> Option<(char, u32)> {
        let mut letters = name.chars();
        let letter = letters.next()?.to_ascii_uppercase();
        Some((letter, letters.as_str().parse().ok()?))
    };
    if let Some((letter, wanted)) = split(name) {
        let same = tiers
            .clone()
            .filter_map(|tier| split(&tier.name).filter(|(l, _)| *l == letter))
            .map(|(_, number)| number);
        let below = same.clone().filter(|&number| number < wanted).max();
        let above = same.filter(|&number| number > wanted).min();
        let names: Vec<String> = below
            .into_iter()
            .chain(above)
            .map(|number| format!("{letter}{number}"))
            .collect();
        if !names.is_empty() {
            return names;
        }
    }
    nearest(name, tiers.map(|tier| tier.name.as_str()))
}

fn tier(row: &Row<'_>) -> Result<Tier, DataError> {
    let [
        family,
        name,
        min,
        max,
        iops,
        burst,
        minutes,
        demand,
        plus,
        shares,
        zrs,
    ] = [0, 1, 2, 3, 4, 6, 8, 9, 11, 13, 14];
    let pair = |iops: usize| -> Result<Option<Limits>, DataError> {
        let limits = Limits {
            iops: row.iops(iops)?,
            mbps: row.mbps(iops + 1)?,
        };
        Ok((limits != Limits::UNKNOWN).then_some(limits))
    };
    let count = |column| row.needed(column, row.count(column)?, "a whole number");
    let seconds = row
        .quantity(minutes, 1.0, Ok)?
        .map(|minutes| minutes * 60.0);
    Ok(Tier {
        family: match row.text(family) {
            "premium-ssd" => Family::PremiumSsd,
            "standard-ssd" => Family::StandardSsd,
            "standard-hdd" => Family::StandardHdd,
            _ => return Err(row.wrong(family, "premium-ssd, standard-ssd or standard-hdd")),
        },
        name: row.needed(name, row.owned(name), "the name of a tier")?,
        min_gib: count(min)?,
        max_gib: count(max)?,
        limits: row.needed(iops, pair(iops)?, "a number of IOPS")?,
        credit_burst: match pair(burst)? {
            Some(limits) => Some((limits, row.needed(minutes, seconds, "a number of minutes")?)),
            None => None,
        },
        on_demand: pair(demand)?,
        performance_plus: pair(plus)?,
        max_shares: count(shares)?,
        zrs: row.needed(zrs, row.flag(zrs)?, "yes or no")?,
    })
}
