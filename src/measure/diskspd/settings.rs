//! What a DiskSpd run was asked to do to one target.

use super::super::scan::{after, number, whole};
use crate::units::{BlockSize, Share};
use crate::workload::Pattern;

/// The settings of one target, as far as the report tells them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Settings {
    pub path: Option<String>,
    pub block_size: Option<BlockSize>,
    pub pattern: Option<Pattern>,
    pub read_share: Option<Share>,
    /// Outstanding I/Os of each thread.
    pub queue_depth: Option<u32>,
    pub threads: Option<u32>,
    /// What makes the figures something else than the target's limit.
    pub notes: Vec<String>,
}

impl Settings {
    /// What a command line asks of each target. Sizes and counts that it does not say are DiskSpd's defaults (its
    /// documentation: blocks of 64 KiB, 2 outstanding I/Os, one thread a target, reads).
    pub fn of_command(command: &str) -> Self {
        let flags: Vec<&str> = command
            .split_whitespace()
            .filter_map(|word| word.strip_prefix(['-', '/']))
            .collect();
        let value = |letter: char| {
            let mut all = flags.iter().filter_map(|flag| flag.strip_prefix(letter));
            all.next()
        };
        let count = |letter: char, default: u32| match value(letter) {
            Some(text) => text.parse().ok(),
            None => Some(default),
        };
        // Threads and I/Os of all targets together are no setting of one.
        let shared = value('F').is_some() || value('O').is_some();
        let partly = flags.iter().any(|flag| flag.starts_with("rs"));
        let pattern = match value('r') {
            _ if partly => None,
            Some(_) => Some(Pattern::Random),
            None => Some(Pattern::Sequential),
        };
        let writes = count('w', 0).filter(|&writes| writes <= 100);
        Self {
            block_size: match value('b') {
                Some(size) => size.parse().ok(),
                None => Some(BlockSize::KIB_64),
            },
            pattern,
            read_share: writes.and_then(|writes| Share::new(1.0 - f64::from(writes) / 100.0).ok()),
            queue_depth: count('o', 2).filter(|_| !shared),
            threads: count('t', 1).filter(|_| !shared),
            ..Self::default()
        }
    }

    /// Takes in one line of the text report's `Input parameters`; a line that says nothing of use is passed over.
    pub fn read_line(&mut self, line: &str) {
        if let Some(size) = after(line, "block size:") {
            self.block_size = size.parse().ok();
        } else if let Some(what) = after(line, "performing") {
            self.read_share = read_share(what);
        } else if let Some(what) = after(line, "using") {
            self.read_using(what);
        } else if let Some(rest) = after(line, "number of outstanding I/O operations") {
            self.queue_depth = behind_colon(rest);
        } else if let Some(count) = after(line, "threads per file:") {
            self.threads = count.parse().ok();
        } else if let Some(time) = after(line, "think time:") {
            self.note_think_time(number(time).map_or(0.0, |(ms, _)| ms));
        } else if let Some(limit) = after(line, "throughput rate-limited to") {
            self.note_rate_limit(limit);
        }
    }

    /// Lines that begin with `using`: the pattern, or a cache in the way.
    fn read_using(&mut self, what: &str) {
        if what.starts_with("random I/O") {
            self.pattern = Some(Pattern::Random);
        } else if what.contains("mixed random/sequential") {
            self.note_part_random(what);
        } else if what.contains("sequential I/O") {
            self.pattern = Some(Pattern::Sequential);
        } else if what.starts_with("software cache") || what.starts_with("software and hardware") {
            self.note_file_cache();
        }
    }

    /// The pattern was partly random and partly sequential.
    pub fn note_part_random(&mut self, how: &str) {
        self.note(&format!("random and sequential I/O were mixed: {how}"));
    }

    /// The file cache of the operating system was on.
    pub fn note_file_cache(&mut self) {
        self.note("the Windows file cache was on: the figures may be memory's, not the disk's");
    }

    /// The threads paused between I/Os.
    pub fn note_think_time(&mut self, ms: f64) {
        if ms > 0.0 {
            self.note(&format!(
                "threads paused {ms} ms between I/Os: the figures are a demand, not a limit"
            ));
        }
    }

    /// DiskSpd itself held the rate down.
    pub fn note_rate_limit(&mut self, limit: &str) {
        self.note(&format!(
            "DiskSpd held the rate to {limit}: the figures are a demand, not a limit"
        ));
    }

    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }
}

/// `read test`, `write test`, `mix test (read/write ratio: 70/30)`; old versions print the ratio the other way round.
fn read_share(what: &str) -> Option<Share> {
    if what.starts_with("read") {
        return Some(Share::ALL);
    }
    if what.starts_with("write") {
        return Some(Share::NONE);
    }
    let (_, ratio) = what.split_once("ratio:")?;
    let (first, rest) = number(ratio)?;
    let (second, _) = number(rest.strip_prefix('/')?)?;
    let reads = if what.contains("write/read") {
        second
    } else {
        first
    };
    Share::new(reads / (first + second)).ok()
}

/// The whole number behind the first colon.
fn behind_colon(text: &str) -> Option<u32> {
    let (_, value) = text.split_once(':')?;
    u32::try_from(whole(value)?.0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Settings {
        let mut settings = Settings::default();
        for line in lines {
            settings.read_line(line);
        }
        settings
    }

    #[test]
    fn old_and_new_spellings() {
        let old = read(&[
            "block size: 65536",
            "performing mix test (read/write ratio: 70/30)",
            "using random I/O (alignment: 65536)",
            "number of outstanding I/O operations: 8",
            "threads per file: 4",
        ]);
        assert_eq!(old.block_size, Some(BlockSize::KIB_64));
        assert_eq!(old.read_share, Some(Share::new(0.7).unwrap()));
        assert_eq!(old.pattern, Some(Pattern::Random));
        assert_eq!((old.queue_depth, old.threads), (Some(8), Some(4)));
        assert!(old.notes.is_empty());

        let new = read(&[
            "block size: 64KiB",
            "performing write test",
            "using interlocked sequential I/O (stride: 64KiB)",
            "number of outstanding I/O operations per thread: 2",
        ]);
        assert_eq!(new.block_size, Some(BlockSize::KIB_64));
        assert_eq!(new.read_share, Some(Share::NONE));
        assert_eq!(new.pattern, Some(Pattern::Sequential));
        assert_eq!((new.queue_depth, new.threads), (Some(2), None));
    }

    #[test]
    fn what_is_in_the_way_of_the_disk_is_noted() {
        let held = read(&[
            "using software cache",
            "think time: 5ms",
            "throughput rate-limited to 1000 IOPS",
        ]);
        assert_eq!(held.notes.len(), 3);
        assert!(held.notes[2].contains("1000 IOPS"));
        assert!(
            read(&["think time: 0ms", "software cache disabled"])
                .notes
                .is_empty()
        );
    }

    #[test]
    fn a_part_random_pattern_is_neither() {
        let mixed =
            read(&["using mixed random/sequential I/O (30% random) (alignment/stride: 4KiB)"]);
        assert_eq!(mixed.pattern, None);
        assert!(mixed.notes[0].contains("30% random"));
    }
}
