//! Traces: what disks did over time, as a workload for a simulation.
//!
//! [`Trace::of`] takes the series that [`series`](super::series) read from logs, finds the volume of every device, and
//! puts them side by side in time. [`Trace::steps`] makes a workload over time of it. Pure.
//!
//! * **Load.** A sample asks for its IOPS and MB/s, in blocks of their quotient (to the byte), with the share of reads
//!   that it had. IOPS are exact then, and MB/s to half a byte an I/O. A mean block that lies less than
//!   [`NEAR_A_UNIT`] above whole units of 256 KiB is taken for these, and the bytes stay exact: logs round their rates,
//!   and a rounded mean of 256.1 KiB would count as two I/Os against a disk's limit.
//! * **One rate only.** Where a sample says IOPS without MB/s, or the other way round, the block size of the sample before
//!   it tells the other. Where no sample tells both, block size and share of reads are for the plan to say.
//! * **Gaps.** Where a device has no sample, its load is taken to be as before, or none, as [`Gaps`] says; how long that
//!   is together is told. fio logs nothing where no I/O finishes, so a gap in its logs is no I/O.
//! * **Several devices** of a volume add up. Several logs of a device (one of IOPS, one of MB/s; one a day) are put
//!   together; where two say the same at the same time, that is an error.
//! * **What was served** is what a trace tells. Where the measured disk was at a limit, more may have been wanted.

mod build;
mod clock;
mod devices;
mod error;
mod load;
mod percentile;
mod pieces;
mod steps;

use std::path::Path;

use crate::measure::series::{ReadOptions, Series, read_files};
use crate::units::Seconds;
use crate::workload::traced::Traced;

pub use devices::{Mapping, MappingError};
pub use error::{Clock, TraceError};
pub use load::{Load, NEAR_A_UNIT};
pub use pieces::Piece;

/// What a volume did where its trace has a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gaps {
    /// What it did before.
    #[default]
    Hold,
    /// Nothing.
    Idle,
}

/// How traces become a workload.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TraceOptions {
    /// Which devices are which volumes; the others are told by their names.
    pub map: Vec<Mapping>,
    /// Time between samples, for logs that do not tell it.
    pub interval: Option<Seconds>,
    /// The length to average over; `None` for every sample by itself.
    pub every: Option<Seconds>,
    /// What is done in gaps.
    pub gaps: Gaps,
}

impl TraceOptions {
    /// The time between samples in milliseconds, where it is given.
    fn interval_ms(&self) -> Result<Option<u32>, TraceError> {
        let ms = self.interval.map(|interval| (interval.get() * 1e3).round());
        match ms {
            Some(ms) if !(1.0..=f64::from(u32::MAX)).contains(&ms) => Err(TraceError::Interval),
            ms => Ok(ms.map(|ms| ms as u32)),
        }
    }
}

/// What the volumes of a deployment did, side by side in time.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The volumes that a trace was found for, in the order of the deployment.
    pub volumes: Vec<VolumeTrace>,
    /// What the traces are and say, for a reader.
    pub traced: Traced,
}

/// What one volume did: pieces that follow one another without a gap, from the start of the traces to their end.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeTrace {
    /// Its position among the volumes.
    pub volume: usize,
    /// What it did.
    pub pieces: Vec<Piece>,
}

/// Reads logs, as [`read_files`] does, with the interval of `options`.
///
/// # Errors
/// [`TraceError`] when a log cannot be read.
pub fn read<P: AsRef<Path>>(
    files: &[P],
    options: &TraceOptions,
) -> Result<Vec<Series>, TraceError> {
    let read = ReadOptions {
        interval_ms: options.interval_ms()?,
        ..ReadOptions::default()
    };
    Ok(read_files(files, &read)?)
}
