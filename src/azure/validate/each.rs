//! Every VM of a fleet, judged on all processors and handed over in order.

use std::num::NonZeroUsize;

use super::model::{FleetValidation, SCHEMA, VmValidation};
use super::summary::Tally;
use super::{DiskValidation, Validator};
use crate::azure::facts::DiskFacts;
pub use crate::azure::in_order::all_processors;
use crate::azure::in_order::in_order;

/// How many VMs or disks are judged before they are handed over: enough to make handing over cheap, few enough to be
/// held in memory.
pub(super) const PART: usize = 128;

/// Fewer VMs than this are judged without other threads.
const WORTH_THREADS: usize = 32;

/// Judges parts of `items` on so many threads, or on this one where they are few.
fn in_parts<'i, I: Sync, T: Send, E>(
    items: &'i [I],
    threads: NonZeroUsize,
    judge: impl Fn(&'i [I]) -> T + Sync,
    take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let few = items.len() < WORTH_THREADS;
    let threads = if few { NonZeroUsize::MIN } else { threads };
    in_order(items, PART, threads, judge, take)
}

impl<'a> Validator<'a> {
    /// Judges every VM on so many threads and lets `work` see them there, some at a time; hands what comes of it over,
    /// in the order they were read.
    ///
    /// # Errors
    /// What `take` answers first.
    pub fn each_vms<T: Send, E>(
        &self,
        threads: NonZeroUsize,
        work: impl Fn(Vec<VmValidation>) -> T + Sync,
        take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let judge = |vms: &'a [_]| work(vms.iter().map(|vm| self.vm(vm)).collect());
        in_parts(&self.facts.vms, threads, judge, take)
    }

    /// Judges every VM and hands each over, in the order they were read.
    ///
    /// # Errors
    /// What `take` answers first.
    pub fn each_vm<E>(&self, mut take: impl FnMut(VmValidation) -> Result<(), E>) -> Result<(), E> {
        let threads = all_processors();
        self.each_vms(threads, std::convert::identity, |vms| {
            vms.into_iter().try_for_each(&mut take)
        })
    }

    /// Judges every disk that no VM has, as [`Self::each_vms`] does VMs.
    ///
    /// # Errors
    /// What `take` answers first.
    pub fn each_disks<T: Send, E>(
        &self,
        threads: NonZeroUsize,
        work: impl Fn(Vec<DiskValidation>) -> T + Sync,
        take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let others: Vec<&'a DiskFacts> = self.other_disks().collect();
        let judge =
            |disks: &[&'a DiskFacts]| work(disks.iter().map(|disk| self.disk(disk)).collect());
        in_parts(&others, threads, judge, take)
    }

    /// How many VMs there are to judge.
    #[must_use]
    pub const fn vm_count(&self) -> usize {
        self.facts.vms.len()
    }

    /// The result before anything was judged: its data and prices.
    #[must_use]
    pub fn head(&self) -> FleetValidation {
        let prices = self.options.prices.as_ref();
        let books = prices.map(|prices| prices.books.values());
        let books = books.into_iter().flatten();
        FleetValidation {
            schema: SCHEMA.to_owned(),
            data: self.catalog.info().clone(),
            prices: books.map(|book| book.info().clone()).collect(),
            summary: Tally::default().finish(),
            vms: Vec::new(),
            disks: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Judges everything.
    #[must_use]
    pub fn all(&self) -> FleetValidation {
        let mut all = FleetValidation {
            problems: self.other_problems(),
            ..self.head()
        };
        let threads = all_processors();
        let Ok(()) = self.each_vms(threads, std::convert::identity, |vms| {
            all.vms.extend(vms);
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(()) = self.each_disks(threads, std::convert::identity, |disks| {
            all.disks.extend(disks);
            Ok::<(), std::convert::Infallible>(())
        });
        all.recount();
        all
    }
}
