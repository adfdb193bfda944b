//! Pieces as the steps of a workload.

use super::load::Load;
use super::pieces::{Piece, edges, overlay};
use super::{Trace, TraceError};
use crate::deployment::over_time::MeasuredStep;
use crate::units::{Iops, MBps, Seconds};
use crate::workload::schedule::{MOST_CELLS, ScheduleError};
use crate::workload::{Demand, IoSettings};

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
                block_size: loads().find_map(|load| Some(load.asked_block()?.0)),
                read_share: loads().find_map(Load::read_share),
                ..IoSettings::default()
            },
        }
    }

    fn settings(&mut self, load: Load) -> IoSettings {
        let block = load.asked_block();
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
