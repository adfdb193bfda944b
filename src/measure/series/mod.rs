//! Disks over time: logs and counters as series, what their shape says, and how peers compare.
//!
//! [`read`] and [`read_files`] turn a log of any kind into [`Series`], streaming and in bounded memory.
//! [`analysis`] judges one disk over time, [`twins`] a disk against its peers. The judgements are pure.

mod align;
pub mod analysis;
pub(crate) mod azmon;
mod builder;
mod clock;
mod column;
mod detect;
mod error;
mod fio_log;
mod iostat;
mod lines;
mod log;
mod model;
mod notice;
mod number;
mod options;
mod perfmon;
mod plain_csv;
mod read;
pub mod results;
mod row;
mod sum;
mod summary;
pub mod twins;

pub use align::aligned;
pub use column::{Column, Quantity};
pub use detect::source_of;
pub use error::SeriesError;
pub use fio_log::{LogKind, LogName};
pub use model::{
    Aggregation, Cap, CapKind, DiskSeries, Gauge, GaugeKind, Lane, Quality, Series, Source,
    StartTime,
};
pub use notice::{LatencyUnit, Notice, UnitRule};
pub use options::ReadOptions;
pub(in crate::measure) use plain_csv::is_over_time;
pub use read::{read, read_files};
pub use sum::sum;
