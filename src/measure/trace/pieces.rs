//! Series as pieces of time with one load each, and what is done with pieces.

use super::load::Load;
use crate::measure::series::DiskSeries;

/// A stretch of time with one load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// When it begins, milliseconds since the start of the trace.
    pub start_ms: u64,
    /// When it ends.
    pub end_ms: u64,
    /// What is done in it.
    pub load: Load,
}

impl Piece {
    /// How long it lasts, milliseconds.
    #[must_use]
    pub const fn ms(&self) -> u64 {
        self.end_ms - self.start_ms
    }
}

/// A stretch from the first to the last moment of a trace, milliseconds since its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub from_ms: u64,
    pub to_ms: u64,
}

/// The samples of a series that say how much I/O there is, `shift_ms` later, in the order of time and without overlap.
///
/// A pause of less than half a sample is the jitter of a clock: the sample behind it counts for it too. A single sample
/// whose length the log does not say has that of `single_ms`.
pub(super) fn pieces(series: &DiskSeries, shift_ms: u64, single_ms: Option<u32>) -> Vec<Piece> {
    let usual = u64::from(series.interval_ms);
    let mut pieces: Vec<Piece> = Vec::with_capacity(series.len());
    for (index, end) in series.end_ms.iter().enumerate() {
        let mut start_ms = series
            .start_of(index)
            .unwrap_or(*end)
            .saturating_add(shift_ms);
        let mut end_ms = end.saturating_add(shift_ms);
        if series.len() == 1 && start_ms == end_ms {
            end_ms = end_ms.saturating_add(single_ms.unwrap_or(0).into());
        }
        if let Some(before) = pieces.last().map(|piece| piece.end_ms) {
            let pause = start_ms.saturating_sub(before);
            if pause.saturating_mul(2) <= usual {
                start_ms = before;
            }
        }
        let load = load(series, index);
        if load.is_known() && start_ms < end_ms {
            pieces.push(Piece {
                start_ms,
                end_ms,
                load,
            });
        }
    }
    pieces
}

fn load(series: &DiskSeries, index: usize) -> Load {
    let (total, read, write) = (&series.total, &series.read, &series.write);
    let reads = |total: Option<f64>, read: Option<f64>, write: Option<f64>| {
        // A direction that is not said is none of it, where the other one is said.
        read.or_else(|| Some((total? - write?).max(0.0)))
    };
    let (iops, mbps) = (total.iops.number(index), total.mbps.number(index));
    Load {
        iops,
        mbps,
        read_iops: reads(iops, read.iops.number(index), write.iops.number(index)),
        read_mbps: reads(mbps, read.mbps.number(index), write.mbps.number(index)),
    }
}

/// Goes through the time that any of `lists` covers, from change to change: `each` gets the stretch and the load of
/// every list in it, `None` where a list has nothing there.
pub(super) fn overlay(lists: &[Vec<Piece>], mut each: impl FnMut(u64, u64, &[Option<Load>])) {
    let edges = edges(lists);
    let mut next = vec![0; lists.len()];
    let mut loads = vec![None; lists.len()];
    for pair in edges.windows(2) {
        let &[start, end] = pair else { continue };
        for ((list, next), load) in lists.iter().zip(&mut next).zip(&mut loads) {
            while list.get(*next).is_some_and(|piece| piece.end_ms <= start) {
                *next += 1;
            }
            let here = list.get(*next).filter(|piece| piece.start_ms <= start);
            *load = here.map(|piece| piece.load);
        }
        each(start, end, &loads);
    }
}

/// The moments at which something changes, in order.
pub(super) fn edges(lists: &[Vec<Piece>]) -> Vec<u64> {
    let pieces = lists.iter().flatten();
    let mut edges: Vec<u64> = pieces.flat_map(|p| [p.start_ms, p.end_ms]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// One list of pieces out of several that tell of the same device, and for how long two of them told the same quantity.
pub(super) fn merged(mut lists: Vec<Vec<Piece>>) -> (Vec<Piece>, u64) {
    if lists.len() == 1 {
        return (lists.swap_remove(0), 0);
    }
    let (mut pieces, mut twice_ms) = (Vec::new(), 0);
    overlay(&lists, |start_ms, end_ms, loads| {
        let mut said = loads.iter().flatten().copied();
        let Some(mut load) = said.next() else { return };
        let mut twice = false;
        for other in said {
            twice |= load.both_say(other);
            load = load.or(other);
        }
        if twice {
            twice_ms += end_ms - start_ms;
        }
        pieces.push(Piece {
            start_ms,
            end_ms,
            load,
        });
    });
    (pieces, twice_ms)
}

/// The sum of lists without gaps over the same time.
pub(super) fn sum(mut lists: Vec<Vec<Piece>>) -> Vec<Piece> {
    if lists.len() == 1 {
        return lists.swap_remove(0);
    }
    let mut pieces = Vec::new();
    overlay(&lists, |start_ms, end_ms, loads| {
        let load = loads.iter().copied().map(Option::unwrap_or_default);
        pieces.push(Piece {
            start_ms,
            end_ms,
            load: load.fold(Load::IDLE, Load::plus),
        });
    });
    pieces
}

/// `pieces` with every gap in `range` filled, and how long the gaps were together: with no load where `idle`, else
/// with the load before it (at the start, with that behind it).
pub(super) fn filled(pieces: Vec<Piece>, range: Range, idle: bool) -> (Vec<Piece>, u64) {
    let mut filled: Vec<Piece> = Vec::with_capacity(pieces.len() + 2);
    let (mut at, mut gap_ms) = (range.from_ms, 0);
    let mut fill = |filled: &mut Vec<Piece>, at: u64, to: u64, next: Load| {
        if to > at {
            let held = filled.last().map_or(next, |before| before.load);
            gap_ms += to - at;
            filled.push(Piece {
                start_ms: at,
                end_ms: to,
                load: if idle { Load::IDLE } else { held },
            });
        }
    };
    for piece in pieces {
        fill(&mut filled, at, piece.start_ms, piece.load);
        at = piece.end_ms;
        filled.push(piece);
    }
    fill(&mut filled, at, range.to_ms, Load::IDLE);
    (filled, gap_ms)
}

/// Reckons IOPS or MB/s where a piece says only the other one, with the block size of the nearest piece before that
/// says both, else of the first behind. Says in how many pieces.
pub(super) fn completed(pieces: &mut [Piece]) -> usize {
    let first = pieces.iter().find_map(|piece| piece.load.bytes_per_io());
    let Some(mut bytes) = first else { return 0 };
    let mut count = 0;
    for piece in pieces {
        let load = &mut piece.load;
        bytes = load.bytes_per_io().unwrap_or(bytes);
        let mb = bytes / crate::units::MB;
        match (load.iops, load.mbps) {
            (Some(iops), None) => load.mbps = Some(iops * mb),
            (None, Some(mbps)) => load.iops = Some(mbps / mb),
            _ => continue,
        }
        count += 1;
    }
    count
}

/// The means of pieces without gaps over stretches of `every_ms`, the last one as long as is left: as many I/Os and
/// bytes in each as in the pieces.
pub(super) fn averaged(pieces: &[Piece], every_ms: u64) -> Vec<Piece> {
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
        return Vec::new();
    };
    let mut means = Vec::new();
    let (mut start_ms, mut next) = (first.start_ms, 0);
    while start_ms < last.end_ms {
        let end_ms = start_ms.saturating_add(every_ms.max(1)).min(last.end_ms);
        let mut sum = Load::IDLE;
        while let Some(piece) = pieces.get(next).filter(|piece| piece.start_ms < end_ms) {
            let ms = piece.end_ms.min(end_ms) - piece.start_ms.max(start_ms);
            sum = sum.plus(piece.load.times(ms as f64));
            if piece.end_ms > end_ms {
                break;
            }
            next += 1;
        }
        means.push(Piece {
            start_ms,
            end_ms,
            load: sum.times(1.0 / (end_ms - start_ms) as f64),
        });
        start_ms = end_ms;
    }
    means
}
