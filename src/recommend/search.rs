//! The exact search: the cheapest layouts on one size, and the cheapest sizes.
//!
//! Why nothing is missed. All demands are finite, so the planner's sharing gives every volume its demand exactly when
//! the uses of all volumes together fit every ceiling; and these uses add up. So an answer is a layout for each volume
//! such that six sums (IOPS and MB/s of three ceilings) and the number of disks fit. Each volume may be at its IOPS
//! or at its MB/s load: the worst combination for a ceiling is the sum of each volume's larger use, and that one is
//! looked at. Three things are cut:
//!
//! 1. a layout that another of the same kind beats ([`super::disks`]): kinds use ceilings alike, so exchanging one for
//!    the other keeps an answer an answer and makes it no dearer, nor longer in disks;
//! 2. a branch whose cost with the cheapest layouts of all volumes still open is above the best answer known: uses and
//!    disks only grow along a branch, so the bound holds;
//! 3. sizes whose price with the cheapest disks of all is above the worst of the answers that are kept: sizes come by
//!    price, so all later ones are too.

use super::disks::{Choices, Layout, SAME, UnknownLatency, choices};
use super::need::Need;
use super::size::{CEILINGS, PerCeiling, Probe, SizeModel, plus};
use crate::catalog::price::{PriceBook, VmOffer};
use crate::catalog::{Catalog, VmSize};

/// An answer: a size, and the layout of each volume by its position among the volume's choices.
#[derive(Debug, Clone)]
pub(super) struct Answer<'a> {
    pub vm: &'a VmSize,
    pub vm_month: f64,
    pub picks: Picks,
}

impl Answer<'_> {
    pub fn month(&self) -> f64 {
        self.vm_month + self.picks.month
    }

    /// Cheaper first; then fewer disks, which are less to look after, then more headroom, then the newer generation, then
    /// more vCPUs: a size with some of them switched off costs the same, and who wants fewer asks for them.
    fn is_better_than(&self, other: &Self) -> bool {
        let (mine, others) = (self.month(), other.month());
        if !same(mine, others) {
            return mine < others;
        }
        if self.picks.disks != other.picks.disks {
            return self.picks.disks < other.picks.disks;
        }
        if !same(self.picks.room, other.picks.room) {
            return self.picks.room > other.picks.room;
        }
        match self.vm.generation().cmp(&other.vm.generation()) {
            std::cmp::Ordering::Equal if self.vm.vcpus != other.vm.vcpus => {
                self.vm.vcpus > other.vm.vcpus
            }
            std::cmp::Ordering::Equal => self.vm.name < other.vm.name,
            order => order.is_gt(),
        }
    }
}

/// The layouts of one answer.
#[derive(Debug, Clone)]
pub(super) struct Picks {
    pub layouts: Vec<usize>,
    pub month: f64,
    pub disks: u32,
    /// How many times the load could be carried by what is used: the ceilings and the disks.
    pub room: f64,
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= SAME * a.abs().max(b.abs())
}

/// A size with its price, where one is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct PricedSize<'a> {
    pub vm: &'a VmSize,
    pub month: f64,
}

/// All that a search needs, made once for a need.
pub(super) struct Search<'a> {
    pub choices: Choices,
    /// Sizes that are like that and have a price, cheapest first.
    pub sizes: Vec<PricedSize<'a>>,
    /// Sizes that are like that and have none.
    pub unpriced: Vec<&'a VmSize>,
    /// Sizes that are like that and are retired.
    pub retired: Vec<&'a VmSize>,
    probe: Probe,
}

impl<'a> Search<'a> {
    pub fn new(
        catalog: &'a Catalog,
        book: &PriceBook,
        offer: VmOffer,
        need: &Need,
        unknown: UnknownLatency,
    ) -> Self {
        let choices = choices(catalog, book, need, unknown);
        let (mut sizes, mut unpriced) = (Vec::new(), Vec::new());
        let (like_that, retired) = need.size.in_service(catalog);
        let runs = |vm: &&VmSize| !(offer.is_windows() && vm.is_arm64());
        for vm in like_that.into_iter().filter(runs) {
            let bill = book.vm_bill(&vm.name, offer).ok();
            match bill.and_then(|bill| bill.total().complete()) {
                Some(month) => sizes.push(PricedSize {
                    vm,
                    month: month.amount,
                }),
                None => unpriced.push(vm),
            }
        }
        sizes.sort_by(|a, b| a.month.total_cmp(&b.month).then(a.vm.name.cmp(&b.vm.name)));
        Self {
            probe: Probe::new(catalog, &choices, need),
            choices,
            sizes,
            unpriced,
            retired,
        }
    }

    /// Looks at sizes without hardware of their own only: no accelerators, HPC or confidential computing.
    pub fn only_ordinary(&mut self) {
        self.sizes.retain(|size| size.vm.is_exchangeable());
    }

    /// Whether something delivers when what has no known price is chosen from too.
    pub fn delivers_at_unknown_prices(&mut self) -> bool {
        self.choices.take_unpriced();
        let priced = self.sizes.iter().map(|size| size.vm);
        let all: Vec<&VmSize> = priced.chain(self.unpriced.iter().copied()).collect();
        all.into_iter().any(|vm| self.on(vm).is_some())
    }

    /// The answers, at most `count`, with disks of which a part has no known price: by what is known of it, and only those
    /// that cost less than `than`. The search then chooses from such disks too.
    pub fn partly_priced(&mut self, count: usize, than: Option<f64>) -> Vec<Answer<'a>> {
        if !self.choices.take_partly_priced() {
            return Vec::new();
        }
        let mut answers = self.best(count);
        answers.retain(|answer| {
            let mut layouts = self.picked(answer);
            layouts.any(|layout| !layout.unpriced.is_empty())
                && than.is_none_or(|than| answer.month() < than && !same(answer.month(), than))
        });
        answers
    }

    /// What `vm` lets through and takes.
    pub fn size(&mut self, vm: &VmSize) -> SizeModel {
        self.probe.on(vm)
    }

    /// The cheapest layouts on `vm`; `None` where none delivers.
    pub fn on(&mut self, vm: &VmSize) -> Option<Picks> {
        let size = self.size(vm);
        Branch::best(&self.choices, &size)
    }

    /// The layouts of an answer, by volume.
    pub fn picked<'s>(&'s self, answer: &Answer<'_>) -> impl Iterator<Item = &'s Layout> {
        let picks: Vec<usize> = answer.picks.layouts.clone();
        let of_volumes = self.choices.layouts.iter().zip(picks);
        of_volumes.filter_map(|(of, pick)| of.get(pick))
    }

    /// Whether any size that has a price delivers. The dearest are asked first: what delivers is soon found there.
    pub fn is_feasible(&mut self) -> bool {
        let impossible = self.choices.layouts.iter().any(Vec::is_empty);
        !impossible
            && (0..self.sizes.len())
                .rev()
                .any(|index| self.on(self.sizes[index].vm).is_some())
    }

    /// The best answers, one a size, at most `count`.
    pub fn best(&mut self, count: usize) -> Vec<Answer<'a>> {
        let mut best: Vec<Answer<'a>> = Vec::new();
        let Some(disks) = self.cheapest_disks() else {
            return best;
        };
        for index in 0..self.sizes.len() {
            let PricedSize { vm, month } = self.sizes[index];
            let worst = best.last().filter(|_| best.len() >= count);
            if worst.is_some_and(|w| month + disks > w.month() && !same(month + disks, w.month())) {
                break;
            }
            if let Some(picks) = self.on(vm) {
                let answer = Answer {
                    vm,
                    vm_month: month,
                    picks,
                };
                keep(&mut best, answer, count);
            }
        }
        best
    }

    /// The sum of each volume's cheapest layout, whatever the size; `None` where a volume has none.
    fn cheapest_disks(&self) -> Option<f64> {
        let cheapest = |layouts: &Vec<Layout>| layouts.first().map(|layout| layout.month);
        self.choices.layouts.iter().map(cheapest).sum()
    }
}

/// Puts `answer` in its place among `best`: one a size, at most `count`.
fn keep<'a>(best: &mut Vec<Answer<'a>>, answer: Answer<'a>, count: usize) {
    if let Some(known) = best.iter().position(|b| b.vm.name == answer.vm.name) {
        if !answer.is_better_than(&best[known]) {
            return;
        }
        best.remove(known);
    }
    let place = best.partition_point(|b| b.is_better_than(&answer));
    best.insert(place, answer);
    best.truncate(count);
}

/// Branch and bound over the volumes of one size.
struct Branch<'a> {
    choices: &'a Choices,
    size: &'a SizeModel,
    /// The cheapest cost of all volumes from each on.
    rest: Vec<f64>,
    picks: Vec<usize>,
    best: Option<Picks>,
}

impl<'a> Branch<'a> {
    fn best(choices: &'a Choices, size: &'a SizeModel) -> Option<Picks> {
        size.allows_kept.ok()?;
        let mut rest = vec![0.0; choices.layouts.len() + 1];
        for (volume, layouts) in choices.layouts.iter().enumerate().rev() {
            let cheapest = layouts.iter().find(|layout| fits_alone(size, layout))?;
            rest[volume] = rest[volume + 1] + cheapest.month;
        }
        let mut branch = Self {
            choices,
            size,
            rest,
            picks: Vec::with_capacity(choices.layouts.len()),
            best: None,
        };
        branch.descend(size.kept, 0, 0.0, f64::INFINITY);
        branch.best
    }

    fn descend(&mut self, taken: PerCeiling, disks: u32, month: f64, room: f64) {
        let volume = self.picks.len();
        let Some(layouts) = self.choices.layouts.get(volume) else {
            self.arrive(&taken, disks, month, room);
            return;
        };
        for (index, layout) in layouts.iter().enumerate() {
            let cost = month + layout.month;
            // Layouts come by cost: the bound of all further ones is no lower.
            if self.is_too_dear(cost + self.rest[volume + 1]) {
                break;
            }
            let disks = disks + layout.spec.count;
            let taken = plus(&taken, &self.size.takes[layout.kind]);
            if !fits_alone(self.size, layout)
                || self.size.disks.is_none_or(|most| disks > most)
                || !self.size.passes(&taken)
            {
                continue;
            }
            self.picks.push(index);
            self.descend(taken, disks, cost, room.min(layout.room));
            self.picks.pop();
        }
    }

    fn is_too_dear(&self, bound: f64) -> bool {
        let best = self.best.as_ref();
        best.is_some_and(|best| bound > best.month && !same(bound, best.month))
    }

    fn arrive(&mut self, taken: &PerCeiling, disks: u32, month: f64, room: f64) {
        let rooms = (0..CEILINGS.len())
            .filter(|&i| taken[i] > 0.0)
            .filter_map(|i| self.size.caps[i].map(|cap| cap / taken[i]));
        let room = rooms.fold(room, f64::min);
        let better = self.best.as_ref().is_none_or(|best| {
            if !same(month, best.month) {
                return month < best.month;
            }
            disks < best.disks || (disks == best.disks && room > best.room)
        });
        if better {
            self.best = Some(Picks {
                layouts: self.picks.clone(),
                month,
                disks,
                room,
            });
        }
    }
}

/// The cheapest layouts on `size`, as it is taken to be; `None` where none delivers.
pub(super) fn cheapest_on(choices: &Choices, size: &SizeModel) -> Option<Picks> {
    Branch::best(choices, size)
}

/// Whether something delivers on `size`.
pub(super) fn delivers(choices: &Choices, size: &SizeModel) -> bool {
    Branch::best(choices, size).is_some()
}

/// Whether the layout can be attached at all and passes with nothing beside it but what is kept.
fn fits_alone(size: &SizeModel, layout: &Layout) -> bool {
    size.allows[layout.kind].is_ok() && size.passes(&plus(&size.kept, &size.takes[layout.kind]))
}
