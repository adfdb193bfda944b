//! Work on many things on several threads, handed over in their order.

use std::num::NonZeroUsize;
use std::sync::mpsc::sync_channel;
use std::thread;

/// How many parts each thread may be ahead of what was handed over.
pub(crate) const AHEAD: usize = 2;

/// As many threads as there are processors.
#[must_use]
pub fn all_processors() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Works on `items` in parts of `size` on several threads, and hands over what becomes of each part in the order of
/// the items. No more than a few parts a thread are held at once.
///
/// # Errors
/// What `take` answers first.
pub(crate) fn in_order<'i, I: Sync, T: Send, E>(
    items: &'i [I],
    size: usize,
    threads: NonZeroUsize,
    work: impl Fn(&'i [I]) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.get();
    if threads == 1 || items.len() <= 1 {
        return items.chunks(size).try_for_each(|part| take(work(part)));
    }
    thread::scope(|scope| {
        let work = &work;
        // Thread n has every part whose number leaves n when divided by the number of threads.
        let lane = |number: usize| {
            let (sender, receiver) = sync_channel(AHEAD);
            let parts = items.chunks(size).skip(number).step_by(threads);
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
        for number in 0..items.len().div_ceil(size) {
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

#[cfg(test)]
mod tests {
    use super::*;

    const PART: usize = 16;

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
                PART,
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
        let outcome = in_order(&items, PART, threads(2), count, |()| Err("full"));
        assert_eq!(outcome, Err("full"));
        let most = PART * 2 * (AHEAD + 2);
        assert!(worked.into_inner() <= most);
    }

    #[test]
    #[should_panic(expected = "a part that panics")]
    fn a_panic_is_not_lost() {
        let items: Vec<usize> = (0..4 * PART).collect();
        let work = |part: &[usize]| assert!(part[0] != 2 * PART, "a part that panics");
        let _: Result<(), ()> = in_order(&items, PART, threads(2), work, |()| Ok(()));
    }
}
