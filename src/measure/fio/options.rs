//! What a fio job was told to do, as far as a test's kind needs it.

use crate::units::{BlockSize, Share};
use crate::workload::Pattern;

/// The direction of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Direction {
    Read,
    Write,
    Trim,
    /// `unified_rw_reporting`: all directions as one.
    Mixed,
}

impl Direction {
    /// All, in the order of fio's reports.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Trim, Self::Mixed];

    /// fio's word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Trim => "trim",
            Self::Mixed => "mixed",
        }
    }

    /// Where its block size stands in `bs=read,write,trim`.
    const fn index(self) -> usize {
        match self {
            Self::Read | Self::Mixed => 0,
            Self::Write => 1,
            Self::Trim => 2,
        }
    }
}

/// Engines that wait for each I/O: fio caps their queue depth at 1 ("both iodepth >= 1 and synchronous I/O engine are
/// selected").
const SYNCHRONOUS: [&str; 6] = ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"];

/// Options of a job, or of the global section; `None` where not given.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Options {
    pub pattern: Option<Pattern>,
    /// `rwmixread` in percent.
    pub read_percent: Option<u8>,
    /// Block sizes of reads, writes and trims.
    pub blocks: [Option<BlockSize>; 3],
    pub depth: Option<u32>,
    /// The share of reads that `rw` says, where it is of one direction.
    pub only: Option<Share>,
    /// Whether the engine waits for each I/O, so that a job has never more than one outstanding.
    pub waits: Option<bool>,
    pub jobs: Option<u32>,
    /// `group_reporting`: one entry stands for all jobs of a section.
    pub grouped: Option<bool>,
    /// File, device or directory.
    pub target: Option<Box<str>>,
    /// `direct`: whether the page cache is passed by.
    pub direct: Option<bool>,
    /// Options that hold a job back whatever the disk could do, as they are written (`rate_iops=2000`).
    pub held_back: Vec<Box<str>>,
    /// Whether any option is known at all.
    pub known: bool,
}

/// Options that hold a job back: rate limits, pauses, and flushes that each write waits for.
const HOLD_BACK: [&str; 7] = [
    "rate",
    "rate_iops",
    "thinktime",
    "fsync",
    "fdatasync",
    "sync",
    "flow",
];

impl Options {
    /// Takes one option by fio's name.
    pub fn set(&mut self, name: &str, value: &str) {
        self.known = true;
        match name {
            "rw" | "readwrite" => {
                self.pattern = pattern(value);
                self.only = only(value);
            }
            "ioengine" => self.waits = Some(SYNCHRONOUS.contains(&value.trim())),
            "bs" | "blocksize" => self.blocks = blocks(value),
            "iodepth" => self.depth = value.trim().parse().ok().filter(|&depth| depth > 0),
            "numjobs" => self.jobs = value.trim().parse().ok().filter(|&jobs| jobs > 0),
            "group_reporting" => self.grouped = Some(value.trim() != "0"),
            "rwmixread" => self.read_percent = percent(value),
            "rwmixwrite" => self.read_percent = percent(value).map(|writes| 100 - writes),
            "filename" => self.target = target(value),
            "direct" => self.direct = Some(value.trim() != "0"),
            "buffered" => self.direct = Some(value.trim() == "0"),
            name if HOLD_BACK.contains(&name) && !matches!(value.trim(), "" | "0" | "none") => {
                self.held_back
                    .push(format!("{name}={}", value.trim()).into());
            }
            "directory" if self.target.is_none() => self.target = target(value),
            _ => {}
        }
    }

    /// These options, with `globals` where they say nothing.
    pub fn or(mut self, globals: &Self) -> Self {
        self.pattern = self.pattern.or(globals.pattern);
        self.read_percent = self.read_percent.or(globals.read_percent);
        if self.blocks.iter().all(Option::is_none) {
            self.blocks = globals.blocks;
        }
        self.depth = self.depth.or(globals.depth);
        self.only = self.only.or(globals.only);
        self.waits = self.waits.or(globals.waits);
        self.jobs = self.jobs.or(globals.jobs);
        self.grouped = self.grouped.or(globals.grouped);
        self.direct = self.direct.or(globals.direct);
        if self.held_back.is_empty() {
            self.held_back.clone_from(&globals.held_back);
        }
        if self.target.is_none() {
            self.target.clone_from(&globals.target);
        }
        self.known |= globals.known;
        self
    }

    /// The block size of one direction, where it is a single one.
    pub fn block(&self, direction: Direction) -> Option<BlockSize> {
        self.blocks.get(direction.index()).copied().flatten()
    }

    /// The share of reads in a direction; trims are neither.
    pub fn read_share(&self, direction: Direction) -> Option<Share> {
        match direction {
            Direction::Read => Some(Share::ALL),
            Direction::Write => Some(Share::NONE),
            Direction::Trim => None,
            Direction::Mixed => self.only.or(self.read_percent.map(Share::percent)),
        }
    }

    /// Jobs behind one entry of the report: `numjobs` with `group_reporting`, else one each.
    pub fn threads(&self) -> Option<u32> {
        if !self.known {
            return None;
        }
        Some(match (self.grouped, self.jobs) {
            (Some(true), Some(jobs)) => jobs,
            _ => 1,
        })
    }
}

/// `randread`, `rw`, `randwrite:8`, ...
pub(super) fn pattern(value: &str) -> Option<Pattern> {
    let word = value.split(':').next().unwrap_or_default().trim();
    let (kind, pattern) = match word.strip_prefix("rand") {
        Some(kind) => (kind, Pattern::Random),
        None => (word, Pattern::Sequential),
    };
    let kinds = ["read", "write", "rw", "readwrite", "trim", "trimwrite"];
    kinds.contains(&kind).then_some(pattern)
}

/// The share of reads of `randread`, `write`, ...; `None` for both directions and for trims.
fn only(value: &str) -> Option<Share> {
    let word = value.split(':').next().unwrap_or_default().trim();
    match word.strip_prefix("rand").unwrap_or(word) {
        "read" => Some(Share::ALL),
        "write" => Some(Share::NONE),
        _ => None,
    }
}

/// `4k`; `8k,32k` for reads and the rest; `8k,32k,4k` for reads, writes and trims. A part left empty is not known.
fn blocks(value: &str) -> [Option<BlockSize>; 3] {
    let mut parts = value.split(',').map(block);
    let read = parts.next().flatten();
    let write = parts.next().unwrap_or(read);
    [read, write, parts.next().unwrap_or(write)]
}

/// One block size: `4k`, `4KiB`, `4Ki`, `4096B`, `64.0KiB`.
pub(super) fn block(text: &str) -> Option<BlockSize> {
    let text = text.trim();
    let unit = if text.ends_with(['i', 'I']) { "b" } else { "" };
    format!("{text}{unit}").parse().ok()
}

fn percent(value: &str) -> Option<u8> {
    value.trim().parse().ok().filter(|&percent| percent <= 100)
}

/// A path. fio 2.x did not escape `D:\temp` in its JSON, so that a reader of JSON sees a tab in it; no path has one.
fn target(value: &str) -> Option<Box<str>> {
    const ESCAPES: [(char, &str); 5] = [
        ('\u{8}', "\\b"),
        ('\u{c}', "\\f"),
        ('\n', "\\n"),
        ('\r', "\\r"),
        ('\t', "\\t"),
    ];
    let value = value.trim();
    let as_written = ESCAPES
        .iter()
        .fold(value.to_owned(), |text, (control, escape)| {
            text.replace(*control, escape)
        });
    (!value.is_empty()).then(|| as_written.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_rw() {
        for (word, expected) in [
            ("randread", Some(Pattern::Random)),
            ("randrw", Some(Pattern::Random)),
            ("randwrite:8", Some(Pattern::Random)),
            ("read", Some(Pattern::Sequential)),
            ("readwrite", Some(Pattern::Sequential)),
            ("trimwrite", Some(Pattern::Sequential)),
            ("sideways", None),
        ] {
            assert_eq!(pattern(word), expected, "{word}");
        }
    }

    #[test]
    fn block_sizes_by_direction() {
        let kib = |n| Some(BlockSize::kib(n));
        assert_eq!(blocks("4k"), [kib(4), kib(4), kib(4)]);
        assert_eq!(blocks("8k,32K"), [kib(8), kib(32), kib(32)]);
        assert_eq!(blocks("8k,32k,"), [kib(8), kib(32), None]);
        assert_eq!(blocks(",1Mi"), [None, kib(1024), kib(1024)]);
        assert_eq!(blocks("4096B"), [kib(4), kib(4), kib(4)]);
        assert_eq!(blocks("4k-16k"), [None, None, None]);
    }

    #[test]
    fn a_job_s_own_options_win_over_the_global_ones() {
        let mut globals = Options::default();
        globals.set("bs", "64k");
        globals.set("iodepth", "32");
        globals.set("numjobs", "4");
        globals.set("group_reporting", "");
        let mut own = Options::default();
        own.set("iodepth", "1");
        own.set("rw", "randread");
        let merged = own.or(&globals);
        assert_eq!(merged.depth, Some(1));
        assert_eq!(merged.block(Direction::Write), Some(BlockSize::KIB_64));
        assert_eq!(merged.threads(), Some(4));
    }

    #[test]
    fn clones_that_are_reported_singly_are_one_thread_each() {
        let mut options = Options::default();
        assert_eq!(options.threads(), None);
        options.set("numjobs", "5");
        assert_eq!(options.threads(), Some(1));
        options.set("group_reporting", "1");
        assert_eq!(options.threads(), Some(5));
    }
}
