//! The flags that describe a workload.

use std::str::FromStr;

use clap::Args;

use diskcap::deployment::{PlanError, PlanRequest};
use diskcap::units::{BlockSize, Iops, MBps, QueueDepth, Share, UnitError};
use diskcap::workload::{Demand, IoSettings, Pattern, Profile, UnknownProfile};

/// What is asked of the disks.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Workload")]
pub struct WorkloadArgs {
    /// A named workload, of every volume or of one: oltp, olap-scan, sql-log, boot, paging, vdi, backup, cdm-...; several
    /// of every volume are looked at apart
    #[arg(long, value_name = "[VOLUME=]NAME", value_parser = named_profile)]
    pub profile: Vec<Named<&'static Profile>>,
    #[command(flatten)]
    pub io: IoArgs,
    #[command(flatten)]
    pub demand: DemandArgs,
}

/// How much is asked of the disks.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Workload")]
pub struct DemandArgs {
    /// Demand in I/Os per second, of every volume or of one; without a demand: as much as it gets
    #[arg(long, value_name = "[VOLUME=]N")]
    pub iops: Vec<Named<Iops>>,
    /// Demand in MB/s, of every volume or of one
    #[arg(long, value_name = "[VOLUME=]N")]
    pub mbps: Vec<Named<MBps>>,
}

/// What each I/O is like.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Workload")]
pub struct IoArgs {
    /// Block size, such as 8KiB or 1MiB
    #[arg(long, value_name = "SIZE")]
    pub block_size: Option<BlockSize>,
    /// Share of reads, such as 0.7 or 70%
    #[arg(long, value_name = "SHARE")]
    pub read_share: Option<Share>,
    /// Share of the reads that the host cache answers (cached disks only)
    #[arg(long, value_name = "SHARE")]
    pub hit_share: Option<Share>,
    /// Outstanding I/Os (queue depth times threads); without it as many as it takes
    #[arg(long, value_name = "N")]
    pub queue_depth: Option<QueueDepth>,
    /// Sequential instead of random I/O
    #[arg(long)]
    pub sequential: bool,
}

impl IoArgs {
    /// What was given.
    pub fn settings(&self) -> IoSettings {
        IoSettings {
            pattern: self.sequential.then_some(Pattern::Sequential),
            block_size: self.block_size,
            read_share: self.read_share,
            hit_share: self.hit_share,
            queue_depth: self.queue_depth,
            demand: None,
        }
    }
}

/// A value for every volume, or for the one that is named.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<T> {
    name: Option<String>,
    value: T,
}

impl<T> Named<T> {
    /// For every volume.
    pub const fn of_all(value: T) -> Self {
        Self { name: None, value }
    }

    fn read<E>(input: &str, value: impl Fn(&str) -> Result<T, E>) -> Result<Self, E> {
        let (name, text) = match input.split_once('=') {
            Some((name, text)) => (Some(name.trim().to_owned()), text),
            None => (None, input),
        };
        let value = value(text)?;
        Ok(Self { name, value })
    }
}

impl<T: FromStr<Err = UnitError>> FromStr for Named<T> {
    type Err = UnitError;

    fn from_str(input: &str) -> Result<Self, UnitError> {
        Self::read(input, str::parse)
    }
}

fn named_profile(input: &str) -> Result<Named<&'static Profile>, UnknownProfile> {
    Named::read(input, Profile::named)
}

impl WorkloadArgs {
    /// Puts what was given into `request`; fails where a volume is given two demands.
    pub fn apply(self, request: &mut PlanRequest) -> Result<(), PlanError> {
        for profile in self.profile {
            request.ask_profile(profile.name, profile.value);
        }
        request.settings = self.io.settings();
        let iops = self.demand.iops.into_iter();
        let mbps = self.demand.mbps.into_iter();
        let iops = iops.map(|n| (n.name, Demand::Iops(n.value)));
        let mbps = mbps.map(|n| (n.name, Demand::Mbps(n.value)));
        for (name, value) in iops.chain(mbps) {
            request.ask(name, value)?;
        }
        Ok(())
    }
}
