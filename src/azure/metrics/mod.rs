//! Azure Monitor's metrics of VMs and disks: read from saved answers or asked of the cloud, and judged.
//!
//! | file | concern |
//! |---|---|
//! | `read` | saved answers, by the reader that time series share |
//! | `model`, `track` | metrics by resource, values by time |
//! | [`ask`] | which metrics are asked for, in how many questions |
//! | `judge` | throttled, when, by what, how near else |
//!
//! ```
//! use diskcap::azure::metrics::{Metrics, Throttling, VmLimits, judge};
//!
//! let saved = br#"{"interval": "PT1M", "value": [{"name": {"value": "VM Cached IOPS Consumed Percentage"},
//!     "timeseries": [{"data": [{"timeStamp": "2026-01-01T00:00:00Z", "average": 100.0}]}]}]}"#;
//! let metrics = Metrics::read(saved.as_slice(), "metrics.json")?;
//! let vm = metrics.unnamed().ok_or("no metrics")?;
//! let judgement = judge(&vm, &VmLimits::default());
//! assert_eq!(judgement.throttling, Throttling::Throttled);
//! assert_eq!(judgement.spans[0].seconds, 60.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod ask;
mod judge;
mod model;
mod read;
mod track;

pub(crate) use judge::judge_priced;
pub use judge::{
    Beside, CeilingUse, CreditUse, DiskLimits, DiskUse, Level, Lowering, MetricsJudgement,
    SharedUse, Span, Throttling, VmLimits, judge,
};
pub use model::{Metrics, ResourceMetrics, Subject, VmMetrics};
pub(crate) use model::{Shared, Sharer};
