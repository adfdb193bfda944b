//! Colours, only where they were asked for.

use anstyle::{AnsiColor, Style};

use crate::report::Tone;

/// Colours text, or leaves it as it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint {
    on: bool,
}

impl Paint {
    pub(super) const fn new(on: bool) -> Self {
        Self { on }
    }

    pub(super) fn tone(self, text: &str, tone: Tone) -> String {
        let style = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Good => AnsiColor::Green.on_default(),
            Tone::Warning => AnsiColor::Yellow.on_default(),
            Tone::Bad => AnsiColor::Red.on_default().bold(),
            Tone::Faint => Style::new().dimmed(),
        };
        self.with(style, text)
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.with(Style::new().bold(), text)
    }

    pub(super) fn faint(self, text: &str) -> String {
        self.with(Style::new().dimmed(), text)
    }

    /// Every line apart, so that a table can lay the lines side by side.
    fn with(self, style: Style, text: &str) -> String {
        if !self.on || text.is_empty() {
            return text.to_owned();
        }
        let lines = text
            .split('\n')
            .map(|line| format!("{style}{line}{style:#}"));
        lines.collect::<Vec<_>>().join("\n")
    }
}
