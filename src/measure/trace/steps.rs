//! Pieces as the steps of a workload.

use super::load::Load;
use super::pieces::{Piece, edges, overlay};
use super::{Trace, TraceError};
use crate::deployment::over_time::MeasuredStep;
use crate::units::{BlockSize, Iops, MBps, Seconds};
use crate::workload::schedule::{MOST_CELLS, ScheduleError};
use crate::workload::{Demand, IoSettings};

/// Disks count a large I/O as several of this size (Premium and Standard SSD).
const UNIT: f64 = 256.0 * 1024.0;

/// A mean block size that lies above a whole number of units of 256 KiB by less than this part is taken for these.
pub const NEAR_A_UNIT: f64 = 0.01;

impl Trace {
    /// The trace as steps for a deployment of `volumes` volumes: a new one wherever any of them changes.
    ///
    /// # Errors
    /// [`ScheduleError::TooMany`] when they are more than can be simulated.
    pub fn steps(&self, volumes: usize) -> Result<Vec<MeasuredStep>, TraceError> {
        let lists: Vec<Vec<Piece>> = self.volumes.iter().map(|v| v.pieces.clone()).collect();
        let count = edges(&lists).len().saturating_sub(1);
        if count.saturating_mul(volumes) > MOST_CELLS {
            return Err(TraceError::Schedule(ScheduleError::TooMany {
                steps: count,
                repeat: 1,
                volumes,
            }));
        }
        let mut asked: Vec<Asking> = lists.iter().map(|list| Asking::new(list)).collect();
        let mut steps = Vec::with_capacity(count);
        overlay(&lists, |start_ms, end_ms, loads| {
            let mut all = vec![None; volumes];
            for ((trace, asking), load) in self.volumes.iter().zip(&mut asked).zip(loads) {
                if let Some(place) = all.get_mut(trace.volume) {
                    *place = Some(asking.settings(load.unwrap_or_default()));
                }
            }
            steps.push(MeasuredStep {
                lasts: Seconds::new((end_ms - start_ms) as f64 / 1e3).unwrap_or(Seconds::ZERO),
                volumes: all,
            });
        });
        Ok(steps)
    }
}

/// What a volume asks for, from load to load. Where nothing is done, block size and share of reads stay as they were:
/// what still waits is worked off as it was asked for.
struct Asking {
    known: IoSettings,
}

impl Asking {
    /// Begins with the first block size and share of reads that there will be.
    fn new(pieces: &[Piece]) -> Self {
        let loads = || pieces.iter().map(|piece| piece.load);
        Self {
            known: IoSettings {
                block_size: loads().find_map(|load| Some(block(load)?.0)),
                read_share: loads().find_map(Load::read_share),
                ..IoSettings::default()
            },
        }
    }

    fn settings(&mut self, load: Load) -> IoSettings {
        let block = block(load);
        if let Some((size, _)) = block {
            self.known.block_size = Some(size);
        }
        self.known.read_share = load.read_share().or(self.known.read_share);
        let iops = || load.iops.and_then(|iops| Iops::new(iops).ok());
        let mbps = || load.mbps.and_then(|mbps| MBps::new(mbps).ok());
        let by_bytes = block.is_some_and(|(_, rounded)| rounded) || load.iops == Some(0.0);
        let demand = if by_bytes {
            mbps()
                .map(Demand::Mbps)
                .or_else(|| iops().map(Demand::Iops))
        } else {
            iops()
                .map(Demand::Iops)
                .or_else(|| mbps().map(Demand::Mbps))
        };
        IoSettings {
            demand,
            ..self.known
        }
    }
}

/// The block size of a load, and whether it was rounded to whole units.
fn block(load: Load) -> Option<(BlockSize, bool)> {
    let bytes = load.bytes_per_io()?;
    let units = (bytes / UNIT).floor();
    let whole = units * UNIT;
    let rounded = units >= 1.0 && bytes > whole && bytes <= whole * (1.0 + NEAR_A_UNIT);
    let bytes = if rounded { whole } else { bytes.round() };
    Some((BlockSize::from_bytes(bytes as u64).ok()?, rounded))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(iops: f64, mbps: f64) -> Load {
        Load {
            iops: Some(iops),
            mbps: Some(mbps),
            ..Load::default()
        }
    }

    #[test]
    fn a_block_is_the_quotient_to_the_byte() {
        // 1,000 IOPS and 10 MB/s: 10,000 bytes each.
        let size = BlockSize::from_bytes(10_000).unwrap();
        assert_eq!(block(load(1000.0, 10.0)), Some((size, false)));
        assert_eq!(block(load(0.0, 10.0)), None);
        assert_eq!(block(load(10.0, 0.0)), None);
        // A byte a second at a thousand million IOPS is no block.
        assert_eq!(block(load(1e9, 1e-6)), None);
    }

    #[test]
    fn a_rounded_mean_just_above_whole_units_counts_as_these() {
        // 250 IOPS of 256 KiB are 65.536 MB/s; one I/O a second too few in the log makes blocks of 263,197 bytes.
        let unit = BlockSize::kib(256);
        assert_eq!(block(load(250.0, 65.536)), Some((unit, false)));
        assert_eq!(block(load(249.0, 65.536)), Some((unit, true)));
        // 10 % more is another size.
        let other = BlockSize::from_bytes(288_358).unwrap();
        assert_eq!(block(load(250.0, 72.0896)), Some((other, false)));
    }
}
