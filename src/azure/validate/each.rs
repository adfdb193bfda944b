//! Every VM of a fleet, judged on all processors and handed over in order.

use std::num::NonZeroUsize;
use std::thread;

use super::model::{FleetValidation, SCHEMA, VmValidation};
use super::summary::Tally;
use super::{DiskValidation, Validator};
use crate::azure::facts::VmFacts;

/// How many VMs each processor judges before they are handed over: enough to make threads worth their start, few
/// enough to be held in memory.
const BATCH: usize = 256;

/// Fewer VMs than this are judged without other threads.
const WORTH_THREADS: usize = 32;

impl<'a> Validator<'a> {
    /// Judges every VM and hands each over, in the order they were read.
    ///
    /// # Errors
    /// What `take` answers first.
    pub fn each_vm<E>(&self, mut take: impl FnMut(VmValidation) -> Result<(), E>) -> Result<(), E> {
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        for round in self.facts.vms.chunks(BATCH * threads) {
            let judge = |vms: &'a [VmFacts]| -> Vec<VmValidation> {
                vms.iter().map(|vm| self.vm(vm)).collect()
            };
            let judged: Vec<Vec<VmValidation>> = if round.len() < WORTH_THREADS {
                vec![judge(round)]
            } else {
                let part = round.len().div_ceil(threads);
                thread::scope(|scope| {
                    let parts = round.chunks(part);
                    let running: Vec<_> =
                        parts.map(|vms| scope.spawn(move || judge(vms))).collect();
                    running
                        .into_iter()
                        .map(|running| match running.join() {
                            Ok(judged) => judged,
                            Err(panic) => std::panic::resume_unwind(panic),
                        })
                        .collect()
                })
            };
            judged.into_iter().flatten().try_for_each(&mut take)?;
        }
        Ok(())
    }

    /// Judges every disk that no VM has, and hands each over.
    ///
    /// # Errors
    /// What `take` answers first.
    pub fn each_other_disk<E>(
        &self,
        mut take: impl FnMut(DiskValidation) -> Result<(), E>,
    ) -> Result<(), E> {
        self.other_disks()
            .try_for_each(|disk| take(self.disk(disk)))
    }

    /// Judges everything.
    #[must_use]
    pub fn all(&self) -> FleetValidation {
        let mut tally = Tally::default();
        let (mut vms, mut disks) = (Vec::new(), Vec::new());
        let Ok(()) = self.each_vm(|vm| {
            tally.add_vm(&vm);
            vms.push(vm);
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(()) = self.each_other_disk(|disk| {
            tally.add_disk(&disk);
            disks.push(disk);
            Ok::<(), std::convert::Infallible>(())
        });
        let prices = self.options.prices.as_ref();
        let books = prices.map(|prices| prices.books.values());
        FleetValidation {
            schema: SCHEMA.to_owned(),
            data: self.catalog.info().clone(),
            prices: books
                .into_iter()
                .flatten()
                .map(|book| book.info().clone())
                .collect(),
            summary: tally.finish(),
            vms,
            disks,
            problems: self.other_problems(),
        }
    }
}
