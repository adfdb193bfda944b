//! The arguments that name traces.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::failure::Failure;
use diskcap::measure::series::Series;
use diskcap::measure::trace::{self, Gaps, Mapping, TraceOptions};
use diskcap::units::Seconds;

/// Logs of disks over time.
#[derive(Debug, Args)]
#[command(next_help_heading = "Trace")]
pub struct TraceArgs {
    /// Logs of disks over time: fio (_bw, _iops), iostat, PerfMon CSV, Azure Monitor JSON, CSV with a time column
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub trace: Vec<PathBuf>,
    /// Which device of the traces is which volume; without it the one of the same name, or the only one
    #[arg(long, value_name = "DEVICE=VOLUME", requires = "trace")]
    map: Vec<Mapping>,
    /// Time between samples, for a log that does not tell it (iostat without -t)
    #[arg(long, value_name = "TIME", requires = "trace")]
    interval: Option<Seconds>,
    /// Average the traces over stretches of this length, such as 5min; I/Os and bytes stay the same
    #[arg(long, value_name = "TIME", requires = "trace")]
    every: Option<Seconds>,
    /// What a volume does while its trace has no sample: what it did before, or nothing [default: hold]
    #[arg(long, value_name = "hold|idle", requires = "trace")]
    gaps: Option<GapsArg>,
}

/// What is done in gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GapsArg {
    /// What was done before.
    Hold,
    /// Nothing.
    Idle,
}

impl From<GapsArg> for Gaps {
    fn from(arg: GapsArg) -> Self {
        match arg {
            GapsArg::Hold => Self::Hold,
            GapsArg::Idle => Self::Idle,
        }
    }
}

impl TraceArgs {
    /// Reads the traces, where some are named, and says how they are meant.
    pub fn read(self) -> Result<Option<(Vec<Series>, TraceOptions)>, Failure> {
        if self.trace.is_empty() {
            return Ok(None);
        }
        let options = TraceOptions {
            map: self.map,
            interval: self.interval,
            every: self.every,
            gaps: self.gaps.map_or(Gaps::default(), Gaps::from),
        };
        let logs = trace::read(&self.trace, &options)?;
        Ok(Some((logs, options)))
    }
}
