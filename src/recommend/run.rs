//! From a need to answers that are proven and explained.

use super::disks::{Layout, SAME, TooSlow, UnknownLatency};
use super::fails::why;
use super::may_deliver::May;
use super::model::{
    Caveat, DisksFail, LeftOut, LimitUse, OtherAnswer, Recommendation, Recommendations, SCHEMA,
    SizeFails, VolumeChoice,
};
use super::need::{Hold, Need, NeedError};
use super::proof::{delivered, proof};
use super::search::{Answer, Search};
use crate::catalog::price::{Money, PriceBook, VmOffer};
use crate::catalog::{Axis, Catalog, Family, UnknownVm, VmSize};
use crate::deployment::{Deployment, DeploymentError, DiskSpec, SpecError, Volume, VolumeSpec};
use crate::planner::unusable::provisioned;
use crate::units::{GiB, Latency};

/// What is sold, and for how much.
#[derive(Debug, Clone, Copy)]
pub struct Market<'a> {
    /// VM sizes and disks.
    pub catalog: &'a Catalog,
    /// Their prices.
    pub book: &'a PriceBook,
    /// How the VM is bought.
    pub offer: VmOffer,
}

impl<'a> Market<'a> {
    pub(super) fn search(&self, need: &Need) -> Search<'a> {
        self.search_with(need, UnknownLatency::Refused)
    }

    /// A search that also chooses from disks of which nobody knows whether they answer fast enough.
    pub(super) fn hopeful_search(&self, need: &Need) -> Search<'a> {
        self.search_with(need, UnknownLatency::Hoped)
    }

    fn search_with(&self, need: &Need, unknown: UnknownLatency) -> Search<'a> {
        Search::new(self.catalog, self.book, self.offer, need, unknown)
    }

    pub(super) const fn money(&self, amount: f64) -> Money {
        Money::new(amount, self.book.currency())
    }
}

/// The cheapest ways to deliver `need`, at most `top` sizes of them, each proven by the planner and explained. Where
/// nothing delivers, what stands in the way.
///
/// # Errors
/// [`NeedError`] when the need cannot be looked for.
pub fn recommend(
    market: &Market<'_>,
    need: &Need,
    top: usize,
) -> Result<Recommendations, NeedError> {
    need.check()?;
    need.size.check_series(market.catalog.vms())?;
    let mut search = market.search(need);
    let answers = search.best(top.max(1));
    let best: Vec<Recommendation> = answers
        .iter()
        .filter_map(|answer| Explainer { market, need }.explain(&mut search, answer))
        .collect();
    let blame = if best.is_empty() {
        super::relax::blame(market, need)
    } else {
        Vec::new()
    };
    let may = match best.is_empty() {
        true => super::may_deliver::may_deliver(market, need),
        false => May::default(),
    };
    let best_x64 = best.first().and_then(|best| best_x64(market, need, best));
    let is_special = |best: &&Recommendation| best.caveats.contains(&Caveat::SpecialHardware);
    let best_ordinary = (best.first().filter(is_special)).and_then(|_| best_ordinary(market, need));
    let left_out = search.choices.left_out.iter().map(|left_out| LeftOut {
        volume: need.volumes[left_out.volume].name.clone(),
        family: left_out.family,
        reason: left_out.reason.clone(),
        unpriced: left_out.unpriced,
    });
    let left_out: Vec<LeftOut> = left_out.collect();
    let unpriced_sizes = delivering(search.unpriced.clone(), &mut search);
    let retired_sizes = delivering(search.retired.clone(), &mut search);
    let latency_unknown = latency_unknown(&search);
    let than = best.first().map(|best| best.month.amount);
    let partly_priced = search.partly_priced(top.max(1), than);
    let partly_priced = partly_priced
        .iter()
        .filter_map(|answer| Explainer { market, need }.proven(&search, answer));
    let partly_priced: Vec<Recommendation> = partly_priced.collect();
    // The last use of the search: it then counts disks without a price too.
    let only_prices_missing =
        answers.is_empty() && (!unpriced_sizes.is_empty() || search.delivers_at_unknown_prices());
    Ok(Recommendations {
        schema: SCHEMA.to_owned(),
        data: market.catalog.info().clone(),
        prices: market.book.info().clone(),
        offer: market.offer,
        need: need.clone(),
        sizes_looked_at: search.sizes.len(),
        best,
        partly_priced,
        blame,
        may_deliver: may.disks,
        sizes_may_deliver: may.sizes,
        left_out,
        unpriced_sizes,
        retired_sizes,
        only_prices_missing,
        best_x64,
        best_ordinary,
        frontier: Vec::new(),
        latency_unknown,
        from_trace: None,
        like: None,
    })
}

/// The families among the choices of which no latency is known.
fn latency_unknown(search: &Search<'_>) -> Vec<Family> {
    let kinds = search.choices.kinds.iter();
    let unknown = kinds.filter(|kind| kind.latency.is_none());
    let mut families: Vec<Family> = unknown.map(|kind| kind.family).collect();
    families.sort();
    families.dedup();
    families
}

/// The names of those of `sizes` that would deliver, the smallest first.
fn delivering(mut sizes: Vec<&VmSize>, search: &mut Search<'_>) -> Vec<String> {
    sizes.sort_by(|a, b| {
        let memory = |vm: &VmSize| vm.memory.map_or(f64::INFINITY, GiB::get);
        let by_memory = memory(a).total_cmp(&memory(b));
        let by_size = a.vcpus.cmp(&b.vcpus).then(by_memory);
        by_size.then_with(|| a.name.cmp(&b.name))
    });
    let mut names: Vec<String> = sizes
        .into_iter()
        .filter(|vm| search.on(vm).is_some())
        .map(|vm| vm.name.clone())
        .collect();
    names.dedup();
    names
}

/// The best ordinary answer on x64, where the best of all is on Arm64 and no architecture was asked: what runs on the one
/// need not run on the other.
fn best_x64(market: &Market<'_>, need: &Need, best: &Recommendation) -> Option<OtherAnswer> {
    if !best.is_arm64() || need.size.arch.is_some() {
        return None;
    }
    let mut need = need.clone();
    need.size.arch = Some("x64".to_owned());
    best_ordinary(market, &need)
}

/// The best answer on a size without hardware of its own.
fn best_ordinary(market: &Market<'_>, need: &Need) -> Option<OtherAnswer> {
    let mut search = market.search(need);
    search.only_ordinary();
    let answers = search.best(1);
    let found = Explainer { market, need }.explain(&mut search, answers.first()?)?;
    Some(OtherAnswer {
        size: found.size,
        month: found.month,
    })
}

/// The layout of a volume as it is deployed.
fn chosen(name: String, spec: DiskSpec) -> VolumeSpec {
    VolumeSpec {
        name: Some(name),
        members: vec![spec],
    }
}

/// Why a saved recommendation cannot be put together again.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RebuildError {
    /// The size is not in the catalogue.
    #[error(transparent)]
    Vm(#[from] UnknownVm),
    /// The text of the disks is no spec.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The disks cannot be put together.
    #[error(transparent)]
    Deployment(#[from] DeploymentError),
}

impl Recommendation {
    /// What is recommended, as the planner takes it; in the region of `book`.
    ///
    /// # Errors
    /// [`RebuildError`] when `catalog` does not have what was found in another.
    pub fn deployment(
        &self,
        catalog: &Catalog,
        book: &PriceBook,
    ) -> Result<Deployment, RebuildError> {
        let vm = catalog.vm(&self.size, self.interface)?;
        let mut volumes = Vec::new();
        for volume in &self.volumes {
            volumes.push(chosen(volume.volume.clone(), volume.spec.parse()?));
        }
        let mut deployment = Deployment::new(catalog, Some(vm), volumes)?;
        deployment.region = Some(book.info().region.to_string());
        Ok(deployment)
    }
}

struct Explainer<'a> {
    market: &'a Market<'a>,
    need: &'a Need,
}

impl Explainer<'_> {
    /// The answer with its reasons; `None` where the planner does not confirm it.
    fn explain(&self, search: &mut Search<'_>, answer: &Answer<'_>) -> Option<Recommendation> {
        let proven = self.proven(search, answer)?;
        Some(Recommendation {
            cheaper_sizes: self.cheaper_sizes(search, answer),
            ..proven
        })
    }

    /// The answer without the sizes that it was chosen over; `None` where the planner does not confirm it.
    fn proven(&self, search: &Search<'_>, answer: &Answer<'_>) -> Option<Recommendation> {
        let Explainer { market, need } = self;
        let layouts: Vec<Layout> = search.picked(answer).cloned().collect();
        let names = need.volumes.iter().map(|volume| volume.name.clone());
        let specs = layouts.iter().map(|layout| layout.spec.clone());
        let found = names.zip(specs).map(|(name, spec)| chosen(name, spec));
        let mut volumes: Vec<VolumeSpec> = found.collect();
        for kept in &need.kept {
            volumes.push(kept.spec_on(answer.vm).ok()?);
        }
        let deployment = Deployment::new(market.catalog, Some(answer.vm), volumes).ok()?;
        let proof = proof(need, &deployment)?;
        let rates =
            |hold| [Axis::Iops, Axis::Mbps].map(|axis| delivered(need, &deployment, hold, axis));
        let rate = |rates: &[Vec<Option<f64>>; 2], slot: usize, index: usize| {
            rates[slot].get(index).copied().flatten()
        };
        let asked = rates(need.hold);
        let without_credit = (need.hold != Hold::Sustained).then(|| rates(Hold::Sustained));
        let volumes = deployment
            .volumes
            .iter()
            .zip(layouts)
            .enumerate()
            .map(|(index, (volume, layout))| {
                let choice = self.choice(search, volume, &layout)?;
                let sustained = |slot| rate(without_credit.as_ref()?, slot, index);
                Some(VolumeChoice {
                    delivered_iops: rate(&asked, 0, index),
                    delivered_mbps: rate(&asked, 1, index),
                    sustained_iops: sustained(0),
                    sustained_mbps: sustained(1),
                    ..choice
                })
            })
            .collect::<Option<Vec<_>>>()?;
        let vm = answer.vm;
        Some(Recommendation {
            size: vm.name.clone(),
            series: vm.series.clone(),
            interface: vm.interface,
            arch: vm.likely_arch().map(str::to_owned),
            vcpus: vm.vcpus,
            memory_gib: vm.memory,
            retirement: vm.retirement.clone(),
            caveats: Caveat::of(vm),
            month: market.money(answer.month()),
            vm_month: market.money(answer.vm_month),
            disks_month: market.money(answer.picks.month),
            volumes,
            tightest: tightest(&proof.limits),
            limits: proof.limits,
            cheaper_sizes: Vec::new(),
        })
    }

    fn choice(
        &self,
        search: &Search<'_>,
        volume: &Volume,
        layout: &Layout,
    ) -> Option<VolumeChoice> {
        let kind = &search.choices.kinds[layout.kind];
        let first = volume.members.first()?;
        Some(VolumeChoice {
            volume: volume.name.clone(),
            spec: layout.spec.to_string(),
            sku: volume.label(),
            family: first.model.family,
            disks: layout.spec.count,
            size_gib: volume.size(),
            caching: volume.caching(),
            provisioned: provisioned(volume),
            latency_us: kind
                .latency
                .and_then(|s| Latency::from_micros(s * 1e6).ok()),
            delivered_iops: None,
            delivered_mbps: None,
            sustained_iops: None,
            sustained_mbps: None,
            month: self.market.money(layout.month),
            unpriced: layout.unpriced.clone(),
            transactions_month: layout.transactions.filter(|count| *count > 0.0),
            slower_disks: self.slower_disks(search, layout),
        })
    }

    /// The dearest of the disks of the same kind that cost less and are too slow; the fewest disks of those.
    fn slower_disks(&self, search: &Search<'_>, layout: &Layout) -> Option<DisksFail> {
        let below = layout.month * (1.0 - SAME);
        let cheaper = |slow: &&TooSlow| slow.kind == layout.kind && slow.month < below;
        let slow = search.choices.too_slow.iter().filter(cheaper);
        let slow = slow.max_by(|a, b| {
            let by_disks = b.spec.count.cmp(&a.spec.count);
            a.month.total_cmp(&b.month).then(by_disks)
        })?;
        Some(DisksFail {
            sku: slow.label.clone(),
            spec: slow.spec.to_string(),
            month: self.market.money(slow.month),
            axis: slow.axis,
            has: slow.has,
            needs: slow.needs,
        })
    }

    /// The dearest of the cheaper sizes that do not deliver, the dearest of those of the same series, and the dearest that
    /// delivers and is dearer with its disks.
    fn cheaper_sizes(&self, search: &mut Search<'_>, answer: &Answer<'_>) -> Vec<SizeFails> {
        let (mut fails, mut of_series, mut dearer) = (None, None, None);
        let cheaper = search.sizes.partition_point(|s| s.month < answer.vm_month);
        for index in (0..cheaper).rev() {
            let size = search.sizes[index];
            let alike = size.vm.series == answer.vm.series;
            let wanted = of_series.is_none() && (alike || fails.is_none());
            let of_interest = wanted || dearer.is_none();
            if !of_interest {
                continue;
            }
            let row = |reason, short| SizeFails {
                size: size.vm.name.clone(),
                interface: size.vm.interface,
                vm_month: self.market.money(size.month),
                reason,
                short,
            };
            if let Some(picks) = search.on(size.vm) {
                let month = size.month + picks.month;
                if dearer.is_none() && month > answer.month() {
                    dearer = Some(row(self.dearer_with_disks(month), None));
                }
                continue;
            }
            if !wanted {
                continue;
            }
            let model = search.size(size.vm);
            let why = why(self.need, &search.choices, &model);
            let place = if alike { &mut of_series } else { &mut fails };
            *place = Some(row(why.reason, why.short));
        }
        [fails, of_series, dearer].into_iter().flatten().collect()
    }

    fn dearer_with_disks(&self, month: f64) -> String {
        let month = self.market.money(month);
        format!("delivers, but is dearer with the disks that it needs: {month} a month in all")
    }
}

/// The limit with the least headroom.
fn tightest(limits: &[LimitUse]) -> Option<LimitUse> {
    let least = |a: &&LimitUse, b: &&LimitUse| a.headroom().total_cmp(&b.headroom());
    limits.iter().min_by(least).cloned()
}
