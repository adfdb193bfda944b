//! Logs over time, as arguments.

use clap::{Args, ValueEnum};

use super::file::FileArg;
use crate::cli::failure::Failure;
use diskcap::measure::over_time::{Binding, Input};
use diskcap::measure::series::{LatencyUnit, LogKind, ReadOptions, read, read_files};
use diskcap::units::Seconds;

/// Logs, and how they are to be read where they do not say it.
#[derive(Debug, Args)]
pub struct Logs {
    /// Logs; NAME=FILE names what a log is of; - is stdin. The fio logs of one job (_bw, _iops, _lat) belong together
    #[arg(value_name = "[NAME=]FILE", required = true)]
    files: Vec<FileArg>,
    /// Which device is which volume: DEVICE=VOLUME, such as sdc=data or 'sd?=data'; repeat for more
    #[arg(long, value_name = "DEVICE=VOLUME")]
    pub map: Vec<Binding>,
    /// Only these devices, as the logs name them
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    device: Vec<String>,
    /// Time between samples, for logs without times (iostat without -t), such as 5s
    #[arg(long, value_name = "TIME", help_heading = "Reading logs")]
    interval: Option<Seconds>,
    /// Time that logs of single I/Os are summed up over
    #[arg(
        long,
        value_name = "TIME",
        default_value = "1s",
        help_heading = "Reading logs"
    )]
    bin: Seconds,
    /// What a fio log records, where its name does not say it
    #[arg(long, value_name = "KIND", help_heading = "Reading logs")]
    fio_kind: Option<KindArg>,
    /// Unit of the latencies in fio logs: ns since fio 3, us before; told by rule unless given
    #[arg(long, value_name = "ns|us", help_heading = "Reading logs")]
    fio_latency: Option<UnitArg>,
    /// The first block of iostat is a sample like the others (iostat -y), not the average since boot
    #[arg(long, help_heading = "Reading logs")]
    first_block_counts: bool,
}

/// The kind of a fio log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KindArg {
    /// KiB a second.
    Bw,
    /// I/Os a second.
    Iops,
    /// Time of the whole I/O.
    Lat,
    /// Time from submission to completion.
    Clat,
    /// Time of submission.
    Slat,
}

impl From<KindArg> for LogKind {
    fn from(arg: KindArg) -> Self {
        match arg {
            KindArg::Bw => Self::Bandwidth,
            KindArg::Iops => Self::Iops,
            KindArg::Lat => Self::Latency,
            KindArg::Clat => Self::CompletionLatency,
            KindArg::Slat => Self::SubmissionLatency,
        }
    }
}

/// The unit of latencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum UnitArg {
    /// Nanoseconds.
    Ns,
    /// Microseconds.
    Us,
}

impl From<UnitArg> for LatencyUnit {
    fn from(arg: UnitArg) -> Self {
        match arg {
            UnitArg::Ns => Self::Nanoseconds,
            UnitArg::Us => Self::Microseconds,
        }
    }
}

impl Logs {
    /// Whether devices are asked for by name.
    pub fn names_devices(&self) -> bool {
        !self.device.is_empty()
    }

    /// Reads the logs, each with the name that it was given.
    pub fn read(&self) -> Result<Vec<Input>, Failure> {
        let options = self.options();
        let mut inputs: Vec<Input> = Vec::new();
        let (piped, named): (Vec<&FileArg>, Vec<&FileArg>) =
            self.files.iter().partition(|file| file.is_stdin());
        let paths: Vec<_> = named.iter().map(|file| &file.path).collect();
        let mut left = named.iter();
        for series in read_files(&paths, &options)? {
            let log = series.disks.first().map(|disk| disk.log.as_str());
            // Logs come in the order of their files, of several that belong together in that of the first.
            let file = left.find(|file| Some(file.path.to_string_lossy().as_ref()) == log);
            inputs.push(Input {
                name: file.and_then(|file| file.name.clone()),
                series,
            });
        }
        if let Some(file) = piped.first() {
            inputs.push(Input {
                name: file.name.clone(),
                series: read("stdin", std::io::stdin().lock(), &options)?,
            });
        }
        Ok(inputs)
    }

    fn options(&self) -> ReadOptions {
        let ms = |time: Seconds| (time.get() * 1e3).round().clamp(1.0, f64::from(u32::MAX)) as u32;
        ReadOptions {
            interval_ms: self.interval.map(ms),
            bin_ms: ms(self.bin),
            disks: self.device.clone(),
            fio_latency: self.fio_latency.map(LatencyUnit::from),
            fio_kind: self.fio_kind.map(LogKind::from),
            first_block_counts: self.first_block_counts,
        }
    }
}
