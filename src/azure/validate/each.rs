//! Every VM of a fleet, judged on all processors and handed over in order.

use std::num::NonZeroUsize;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::model::{FleetValidation, SCHEMA, VmValidation};
use super::summary::Tally;
use super::{DiskValidation, Validator};
use crate::azure::facts::DiskFacts;

/// How many VMs or disks are judged before they are handed over: enough to make handing over cheap, few enough to be
/// held in memory.
pub(super) const PART: usize = 128;

/// How many parts each thread may be ahead of what was handed over.
const AHEAD: usize = 2;

/// Fewer VMs than this are judged without other threads.
const WORTH_THREADS: usize = 32;

/// As many threads as there are processors.
#[must_use]
pub fn all_processors() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Works on `items` in parts on several threads, and hands over what becomes of each part in the order of the items.
/// No more than a few parts a thread are held at once.
///
/// # Errors
/// What `take` answers first.
fn in_order<'i, I: Sync, T: Send, E>(
    items: &'i [I],
    threads: NonZeroUsize,
    work: impl Fn(&'i [I]) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.get();
    if threads == 1 || items.len() < WORTH_THREADS {
        return items.chunks(PART).try_for_each(|part| take(work(part)));
    }
    thread::scope(|scope| {
        let work = &work;
        // Thread n has every part whose number leaves n when divided by the number of threads.
        let lane = |number: usize| {
            let (sender, receiver) = sync_channel(AHEAD);
            let parts = items.chunks(PART).skip(number).step_by(threads);
            let running = scope.spawn(move || {
                for part in parts {
                    if sender.send(work(part)).is_err() {
                        break;
                    }
                }
            });
            (receiver, running)
        };
        let lanes: Vec<_> = (0..threads).map(lane).collect();
        for number in 0..items.len().div_ceil(PART) {
            match lanes[number % threads].0.recv() {
                Ok(done) => take(done)?,
                Err(_) => break,
            }
        }
        for (receiver, running) in lanes {
            drop(receiver);
            if let Err(panic) = running.join() {
                std::panic::resume_unwind(panic);
            }
        }
        Ok(())
    })
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
        in_order(&self.facts.vms, threads, judge, take)
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
        in_order(&others, threads, judge, take)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn the_order_is_that_of_the_items_on_any_number_of_threads() {
        let items: Vec<usize> = (0..5 * PART + 7).collect();
        for count in [1, 2, 3, 8] {
            let mut seen = Vec::new();
            let done: Result<(), ()> = in_order(
                &items,
                threads(count),
                |part| part.to_vec(),
                |part| {
                    seen.extend(part);
                    Ok(())
                },
            );
            assert_eq!(done, Ok(()));
            assert_eq!(seen, items, "{count} threads");
        }
    }

    #[test]
    fn an_output_that_fails_ends_the_work() {
        let items = vec![0u8; 100 * PART];
        let worked = std::sync::atomic::AtomicUsize::new(0);
        let count = |part: &[u8]| {
            worked.fetch_add(part.len(), std::sync::atomic::Ordering::Relaxed);
        };
        let outcome = in_order(&items, threads(2), count, |()| Err("full"));
        assert_eq!(outcome, Err("full"));
        let most = PART * 2 * (AHEAD + 2);
        assert!(worked.into_inner() <= most);
    }

    #[test]
    #[should_panic(expected = "a part that panics")]
    fn a_panic_is_not_lost() {
        let items: Vec<usize> = (0..4 * PART).collect();
        let work = |part: &[usize]| assert!(part[0] != 2 * PART, "a part that panics");
        let _: Result<(), ()> = in_order(&items, threads(2), work, |()| Ok(()));
    }
}
