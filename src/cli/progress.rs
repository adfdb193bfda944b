//! How far long work is, on stderr, and only where somebody watches.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Whether progress is shown at all.
#[derive(Debug)]
pub struct Watch {
    quiet: bool,
    shown: bool,
}

/// How often a sign of life moves.
const BEAT: Duration = Duration::from_millis(120);

impl Watch {
    /// Progress is shown on a terminal; not in CI, and not where it is to be quiet.
    pub fn new(quiet: bool) -> Self {
        let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        let shown = !quiet && !in_ci && std::io::stderr().is_terminal();
        Self { quiet, shown }
    }

    /// Whether stderr is to have nothing but errors.
    pub const fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// While files are read.
    pub fn bytes(&self) -> ProgressBar {
        self.beating("{spinner} reading {decimal_bytes} ({decimal_bytes_per_sec})")
    }

    /// While the cloud answers.
    pub fn answers(&self) -> ProgressBar {
        self.beating("{spinner} asking: {msg}")
    }

    /// While VMs are judged.
    pub fn vms(&self, count: usize) -> ProgressBar {
        let bar = self.bar("judging [{bar:30}] {human_pos} of {human_len} VMs, {eta} to go");
        bar.set_length(count as u64);
        bar
    }

    fn beating(&self, template: &str) -> ProgressBar {
        let bar = self.bar(template);
        if self.shown {
            bar.enable_steady_tick(BEAT);
        }
        bar
    }

    fn bar(&self, template: &str) -> ProgressBar {
        if !self.shown {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::no_length();
        match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        }
    }
}
