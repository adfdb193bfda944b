//! Why logs are no workload over time.

use crate::measure::series::SeriesError;
use crate::workload::ScheduleError;

/// How many names a message lists.
const NAMED: usize = 24;

/// Why logs are no workload over time.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// A log cannot be read.
    #[error(transparent)]
    Read(#[from] SeriesError),
    /// A log without times.
    #[error(
        "'{log}' says no times: give the time between its samples, such as --interval 5s (or log with them: iostat -t)"
    )]
    NoTimes {
        /// The log.
        log: String,
    },
    /// A log that holds one average, not a series.
    #[error(
        "'{log}' holds only averages since boot, no figures over time: log with `iostat -xt 5`"
    )]
    SinceBoot {
        /// The log.
        log: String,
    },
    /// A log with a single sample that has no length.
    #[error(
        "'{log}' has one sample of '{device}' and does not say how long it is: give it with --interval"
    )]
    NoLength {
        /// The log.
        log: String,
        /// The device.
        device: String,
    },
    /// A device whose log says latencies, or the like, but no rates.
    #[error(
        "'{log}' says neither IOPS nor MB/s of '{device}': with fio, give its _iops or _bw log too"
    )]
    NoRates {
        /// The log.
        log: String,
        /// The device.
        device: String,
    },
    /// IOPS at one time or of one device, MB/s at another, and no block size that tells one from the other.
    #[error(
        "the traces of volume '{volume}' say IOPS at some times or of some devices, only MB/s at others, and never both: \
         how much it does cannot be told"
    )]
    NeverBoth {
        /// The volume.
        volume: String,
    },
    /// Logs whose clocks cannot be compared.
    #[error(
        "'{first}' tells {} and '{second}' {}: they cannot be put side by side",
        clock(.first_clock),
        clock(.second_clock)
    )]
    Clocks {
        /// A log.
        first: String,
        /// What it tells.
        first_clock: Clock,
        /// Another log.
        second: String,
        /// What that one tells.
        second_clock: Clock,
    },
    /// Two logs say the same of a device at the same time.
    #[error(
        "'{device}' is in '{first}' and in '{second}' at the same time: leave one of them out, or rename it"
    )]
    Twice {
        /// The device.
        device: String,
        /// A log.
        first: String,
        /// Another log.
        second: String,
    },
    /// A volume that there is not.
    #[error("--map {device}={volume}: there is no volume '{volume}'; volumes are {}", listed(.known))]
    UnknownVolume {
        /// The device that is mapped.
        device: String,
        /// The volume as given.
        volume: String,
        /// The volumes that there are.
        known: Vec<String>,
    },
    /// A device that is in no trace.
    #[error("--map {device}={volume}: no trace has a device '{device}'; devices are {}", listed(.known))]
    UnknownDevice {
        /// The device as given.
        device: String,
        /// The volume that it was mapped to.
        volume: String,
        /// The devices that there are.
        known: Vec<String>,
    },
    /// A device of which several hosts have one.
    #[error("several hosts have a device '{device}': say which with --map HOST/DEVICE=VOLUME; devices are {}", listed(.known))]
    Ambiguous {
        /// The device.
        device: String,
        /// All devices.
        known: Vec<String>,
    },
    /// A device that is mapped to two volumes.
    #[error("'{device}' is mapped to '{first}' and to '{second}': its I/O is that of one volume")]
    MappedTwice {
        /// The device.
        device: String,
        /// A volume.
        first: String,
        /// Another volume.
        second: String,
    },
    /// No device has the name of a volume.
    #[error(
        "no device of the traces is named as a volume: say which is which with --map DEVICE=VOLUME; devices are {}; \
         volumes are {}",
        listed(.devices),
        listed(.volumes)
    )]
    NothingMatches {
        /// The devices.
        devices: Vec<String>,
        /// The volumes.
        volumes: Vec<String>,
    },
    /// An average over less than a millisecond.
    #[error("--every: traces can be averaged over 1 ms or more")]
    TooShort,
    /// Samples that are not apart, or too far.
    #[error("--interval: samples are from 1 ms to 49 days apart")]
    Interval,
    /// The steps make no workload.
    #[error("{0} (a trace is made coarser with --every, such as --every 5min)")]
    Schedule(#[from] ScheduleError),
}

/// What kind of times a log tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Moments in time.
    Utc,
    /// What a clock on the wall showed, in a time zone that is not said.
    Local,
    /// Time since its own start.
    Own,
}

const fn clock(clock: &Clock) -> &'static str {
    match clock {
        Clock::Utc => "moments in time (its time zone is known)",
        Clock::Local => "the time of a clock without its time zone",
        Clock::Own => "the time since its own start only",
    }
}

/// Names, as many as a message can take.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().take(NAMED).map(|n| format!("'{n}'")).collect();
    let rest = names.len().saturating_sub(NAMED);
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    quoted.join(", ") + &more
}
