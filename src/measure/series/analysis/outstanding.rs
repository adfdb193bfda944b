//! Outstanding I/Os: as the log counts them, or by Little's law.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::distribution::Distribution;
use super::stats::{median, spread};
use super::view::View;

/// Up to this spread, as a part of the median, the number is constant.
const CONSTANT: f64 = 0.15;

/// Outstanding I/Os.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outstanding {
    /// The log counts them; else they are IOPS x latency (Little's law).
    pub counted: bool,
    /// How they spread over the samples, weighted by time.
    pub spread: Distribution<f64>,
    /// They hardly change, as those of a benchmark with a fixed queue depth: whatever changes then is the device.
    pub constant: bool,
}

/// The outstanding I/Os of a series; `None` where they are not known.
pub(super) fn outstanding(view: &View<'_>) -> Option<Outstanding> {
    let middle = median(&view.outstanding)?;
    let wide = spread(&view.outstanding)?;
    Some(Outstanding {
        counted: !view.disk.queue_depth.is_empty(),
        spread: Distribution::of(&view.outstanding, &view.seconds)?,
        constant: middle > 0.0 && wide <= middle * CONSTANT,
    })
}
