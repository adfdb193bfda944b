//! What figures may fit: the tiers of every family, and the ceilings of one VM size or of all.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{Axis, Catalog, Ceiling, Family, LatencyFigure, Limits, Tier, VmSize};
use crate::measure::IN_BURST;
use crate::units::{BlockSize, GiB, MBps, grouped};

/// What a candidate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CandidateKind {
    /// A managed disk of a family.
    Disk(Family),
    /// A VM's ceiling of uncached traffic.
    VmUncached,
    /// A VM's ceiling of all remote traffic, Premium SSD v2 and Ultra among it.
    VmRemote,
    /// A VM's ceiling of host cache and temp disk.
    VmCached,
    /// A size's own temp disk, where its limits are documented apart.
    Temp,
    /// A size's local NVMe disks.
    LocalNvme,
}

impl CandidateKind {
    /// Whether its I/O stays on the host.
    #[must_use]
    pub const fn is_local(self) -> bool {
        matches!(self, Self::VmCached | Self::Temp | Self::LocalNvme)
    }
}

/// What limits take that a disk or VM has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitState {
    /// Nothing: they hold without end.
    Plain,
    /// Burst credit.
    Burst,
    /// A setting of the disk that is paid for: on-demand bursting, performance plus.
    Setting,
}

/// One pair of limits that figures may fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// What it is.
    pub kind: CandidateKind,
    /// Its name: `P1 to P20 in burst`, `cached limit of Standard_DS3_v2`.
    pub name: String,
    /// The limits.
    pub limits: Limits,
    /// The throughput that documentation prints, where it differs.
    pub listed_mbps: Option<MBps>,
    /// An I/O larger than this counts as several.
    pub accounting_unit: Option<BlockSize>,
    /// The smallest and the largest such disk; `None` where capacity does not matter.
    pub sizes: Option<(GiB, GiB)>,
    /// What the limits take.
    pub state: LimitState,
    /// How many VM sizes have this limit; 1 for disks.
    pub count: usize,
    /// The latency that is usual for it.
    pub typical: Option<LatencyFigure>,
}

impl Candidate {
    /// The rate in IOPS at which it is full with I/Os of `block`, and on which axis.
    #[must_use]
    pub fn rate(&self, block: BlockSize) -> Option<(f64, Axis)> {
        let units = self
            .accounting_unit
            .map_or(1.0, |unit| block.units_of(unit) as f64);
        let ios = self
            .limits
            .iops
            .map(|iops| (iops.get() / units, Axis::Iops));
        let bytes = self
            .limits
            .mbps
            .map(|mbps| (mbps.iops_at(block).get(), Axis::Mbps));
        match (ios, bytes) {
            (Some(ios), Some(bytes)) if bytes.0 < ios.0 => Some(bytes),
            (Some(ios), _) => Some(ios),
            (None, bytes) => bytes,
        }
    }

    /// Of a disk that can be provisioned, as it comes: it, the same with MB/s that are set to any figure, and the most that
    /// can be set at its IOPS.
    pub(super) fn with_more_mbps(&self) -> Option<(&Self, Self, MBps)> {
        let CandidateKind::Disk(family) = self.kind else {
            return None;
        };
        let rules = family.provisioned_rules()?;
        let iops = self.limits.iops?;
        self.limits.mbps?;
        let more = Self {
            name: format!("{}, but with more MB/s", self.name),
            limits: Limits {
                mbps: None,
                ..self.limits
            },
            ..self.clone()
        };
        Some((self, more, rules.mbps_cap(iops)))
    }

    /// Whether its MB/s can be set to any figure.
    pub(super) const fn is_of_any_mbps(&self) -> bool {
        matches!(self.kind, CandidateKind::Disk(_)) && self.limits.mbps.is_none()
    }

    /// The name with its figures: `cached limit of Standard_DS3_v2 (16,000 IOPS, 131.1 MB/s, listed as 128)`.
    #[must_use]
    pub fn title(&self) -> String {
        let iops = self.limits.iops.map(|iops| format!("{iops} IOPS"));
        let mbps = self.limits.mbps.map(|mbps| match self.listed_mbps {
            Some(listed) => format!("{mbps} MB/s, listed as {listed}"),
            None => format!("{mbps} MB/s"),
        });
        let figures: Vec<String> = iops.into_iter().chain(mbps).collect();
        format!("{} ({})", self.name, figures.join(", "))
    }
}

/// Which limits of a tier are meant.
type LimitsOf = fn(&Tier) -> Option<Limits>;

/// The limits of every tier, with and without burst, those of neighbours that are the same in one; and of Premium SSD v2
/// as it comes. What v2 and Ultra are provisioned for can be any figure, and so is no evidence.
#[must_use]
pub fn disks(catalog: &Catalog) -> Vec<Candidate> {
    let mut found = Vec::new();
    for family in [Family::PremiumSsd, Family::StandardSsd, Family::StandardHdd] {
        let groups: [(&str, LimitState, LimitsOf); 4] = [
            ("", LimitState::Plain, |tier| Some(tier.limits)),
            (IN_BURST, LimitState::Burst, |tier| {
                tier.credit_burst.map(|(limits, _)| limits)
            }),
            (" with on-demand bursting", LimitState::Setting, |tier| {
                tier.on_demand
            }),
            (" with performance plus", LimitState::Setting, |tier| {
                tier.performance_plus
            }),
        ];
        for (suffix, state, limits) in groups {
            let named = grouped_tiers(catalog, family, suffix, limits);
            found.extend(named.into_iter().map(|disk| Candidate { state, ..disk }));
        }
    }
    let v2 = Family::PremiumSsdV2;
    let included = v2.provisioned_rules().and_then(|rules| rules.included);
    found.extend(included.map(|limits| Candidate {
        kind: CandidateKind::Disk(v2),
        name: "Premium SSD v2 as it comes".to_owned(),
        limits,
        listed_mbps: None,
        accounting_unit: v2.accounting_unit(),
        sizes: None,
        state: LimitState::Plain,
        count: 1,
        typical: typical(catalog, v2),
    }));
    found
}

fn typical(catalog: &Catalog, family: Family) -> Option<LatencyFigure> {
    catalog.latency(family)?.figure
}

fn grouped_tiers(
    catalog: &Catalog,
    family: Family,
    suffix: &str,
    limits: LimitsOf,
) -> Vec<Candidate> {
    let mut groups: Vec<(Limits, &Tier, &Tier)> = Vec::new();
    for tier in catalog.tiers().of(family) {
        let Some(limits) = limits(tier) else { continue };
        match groups.last_mut().filter(|group| group.0 == limits) {
            Some(group) => group.2 = tier,
            None => groups.push((limits, tier, tier)),
        }
    }
    let candidate = |(limits, first, last): (Limits, &Tier, &Tier)| {
        let names = if first.name == last.name {
            first.name.clone()
        } else {
            format!("{} to {}", first.name, last.name)
        };
        Candidate {
            kind: CandidateKind::Disk(family),
            name: format!("{names}{suffix}"),
            limits,
            listed_mbps: None,
            accounting_unit: family.accounting_unit(),
            sizes: Some((GiB::whole(first.min_gib), GiB::whole(last.max_gib))),
            state: LimitState::Plain,
            count: 1,
            typical: typical(catalog, family),
        }
    };
    groups.into_iter().map(candidate).collect()
}

/// The ceilings and local disks of one size.
#[must_use]
pub fn of_vm(catalog: &Catalog, vm: &VmSize) -> Vec<Candidate> {
    let mut found = Vec::new();
    let remote = vm.remote.unwrap_or_default();
    for (kind, what, ceiling) in [
        (CandidateKind::VmUncached, "uncached", &vm.uncached),
        (CandidateKind::VmRemote, VmSize::REMOTE_NAME, &remote),
        (CandidateKind::VmCached, "cached", &vm.cached),
    ] {
        found.extend(ceiling_candidates(catalog, kind, what, &vm.name, ceiling));
    }
    let temp = vm
        .temp_model()
        .map(|model| (CandidateKind::Temp, "temp disk", model));
    let nvme = vm
        .nvme_model()
        .map(|model| (CandidateKind::LocalNvme, "local NVMe disks", model));
    for (kind, what, model) in temp.into_iter().chain(nvme) {
        let name = format!("{what} of {}", vm.name);
        found.push(plain(catalog, kind, name, model.base, None));
    }
    found.retain(|candidate| candidate.limits != Limits::UNKNOWN);
    found
}

fn ceiling_candidates(
    catalog: &Catalog,
    kind: CandidateKind,
    what: &str,
    of: &str,
    ceiling: &Ceiling,
) -> Vec<Candidate> {
    let name = format!("{what} limit of {of}");
    let burst = ceiling.burst.filter(|burst| *burst != ceiling.base);
    let burst = burst.map(|limits| Candidate {
        state: LimitState::Burst,
        ..plain(catalog, kind, format!("{name}{IN_BURST}"), limits, None)
    });
    let base = plain(catalog, kind, name, ceiling.base, ceiling.listed());
    std::iter::once(base).chain(burst).collect()
}

fn plain(
    catalog: &Catalog,
    kind: CandidateKind,
    name: String,
    limits: Limits,
    listed_mbps: Option<MBps>,
) -> Candidate {
    let family = match kind {
        CandidateKind::Disk(family) => family,
        // The fastest remote family: no limit of a VM makes its disks answer faster.
        CandidateKind::VmUncached | CandidateKind::VmRemote => Family::PremiumSsdV2,
        CandidateKind::VmCached | CandidateKind::Temp => Family::Temp,
        CandidateKind::LocalNvme => Family::LocalNvme,
    };
    Candidate {
        kind,
        name,
        limits,
        listed_mbps,
        accounting_unit: None,
        sizes: None,
        state: LimitState::Plain,
        count: 1,
        typical: typical(catalog, family),
    }
}

/// The ceilings and local disks of every size, those that are the same in one.
#[must_use]
pub fn of_all_vms(catalog: &Catalog) -> Vec<Candidate> {
    let mut groups: Vec<(Candidate, Vec<&str>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for vm in catalog.vms() {
        for candidate in of_vm(catalog, vm) {
            let what = candidate.name.replace(&vm.name, "");
            let bits = |value: Option<f64>| value.map(f64::to_bits);
            let key = (
                what,
                bits(candidate.limits.on(Axis::Iops)),
                bits(candidate.limits.on(Axis::Mbps)),
            );
            let place = *places.entry(key).or_insert(groups.len());
            match groups.get_mut(place) {
                Some((_, sizes)) if sizes.last() == Some(&vm.name.as_str()) => {}
                Some((_, sizes)) => sizes.push(&vm.name),
                None => groups.push((candidate, vec![&vm.name])),
            }
        }
    }
    let named = |(candidate, sizes): (Candidate, Vec<&str>)| {
        let first = sizes.first().copied().unwrap_or_default();
        Candidate {
            name: candidate.name.replace(first, &size_list(&sizes)),
            count: sizes.len(),
            ..candidate
        }
    };
    groups.into_iter().map(named).collect()
}

/// How many sizes of a group are named.
const NAMED_SIZES: usize = 3;

fn size_list(sizes: &[&str]) -> String {
    let named = sizes.get(..NAMED_SIZES).unwrap_or(sizes).join(", ");
    match sizes.len().saturating_sub(NAMED_SIZES) {
        0 => named,
        more => format!("{named} and {} more sizes", grouped(more as f64, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_of_the_same_limits_are_one_candidate() {
        let all = disks(Catalog::embedded());
        let burst = all.iter().find(|c| c.name == "P1 to P20 in burst").unwrap();
        assert_eq!(burst.limits, Limits::whole(3500, 170));
        assert!(all.iter().any(|c| c.name == "S4 to S50"));
    }

    #[test]
    fn sizes_of_the_same_ceiling_are_one_candidate() {
        let all = of_all_vms(Catalog::embedded());
        let ds3 = all
            .iter()
            .filter(|c| c.kind == CandidateKind::VmCached)
            .find(|c| {
                c.limits.iops.is_some_and(|i| i.get() == 16_000.0) && c.name.contains("more sizes")
            })
            .unwrap();
        assert!(
            ds3.title().contains("131.1 MB/s, listed as 128"),
            "{}",
            ds3.title()
        );
        assert!(all.len() < 900, "{}", all.len());
    }

    #[test]
    fn large_blocks_fill_the_throughput() {
        let p10 = disks(Catalog::embedded())
            .into_iter()
            .find(|c| c.name == "P10")
            .unwrap();
        // 100 MB/s / 1 MiB = 95.37; 500 / 4 units of 256 KiB = 125
        let (rate, axis) = p10.rate(BlockSize::MIB_1).unwrap();
        assert!((rate - 95.367).abs() < 1e-3 && axis == Axis::Mbps);
        assert_eq!(p10.rate(BlockSize::KIB_4), Some((500.0, Axis::Iops)));
    }
}
