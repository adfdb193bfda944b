//! The transfer lines of `dd`: GNU (any language), BSD and busybox.
//!
//! `1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.5 s, 429 MB/s` says bytes and time, from which the throughput is
//! computed; the printed rate only proves that the line is one. The `records` lines before it give the block size,
//! a `dd if=... of=...` command line the direction and whether the page cache was in the way.

use super::error::ParseError;
use super::model::{Format, Run, Test, TestKind};
use super::runs::Runs;
use super::scan::{lines, number, whole};
use super::test_name;
use crate::units::{BlockSize, KIB, MBps, Share};
use crate::workload::Pattern;

/// What a text without a result should have held.
const LOOKED_FOR: &str = "dd's '... bytes (...) copied, ... s, ... MB/s'";

/// How far the printed rate may be from bytes over time: it has two or three digits.
const RATE_TOLERANCE: f64 = 0.1;

/// Progress lines round to whole seconds, so that the last of them may be later than the end.
const PROGRESS_SECONDS: f64 = 1.0;

/// The notes of figures that memory may have made.
const CACHED: &str =
    "neither direct I/O nor a flush was asked for: the page cache may have taken part";
const UNKNOWN: &str = "dd's command line is not there: the page cache may have taken part";

/// Whether `text` holds a transfer line of `dd`.
#[must_use]
pub fn sniff(text: &str) -> bool {
    let rate = text.contains("B/") || text.contains("bytes/");
    rate && lines(text).any(|(_, line)| transfer(line).is_some())
}

/// Reads every transfer in `text`, each into a run of its own: every call of `dd` is a measurement.
///
/// # Errors
/// [`ParseError::NoResult`] when there is no transfer line.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    let mut reader = Reader::new(text);
    for (number, line) in lines(text) {
        reader.line(number, line);
    }
    reader.finish();
    reader.runs.finish(LOOKED_FOR)
}

/// Bytes moved, in so many seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Transfer {
    bytes: u64,
    seconds: f64,
}

/// What a command line says.
#[derive(Debug, Clone, Default, PartialEq)]
struct Command {
    text: String,
    input: Option<String>,
    output: Option<String>,
    block_size: Option<BlockSize>,
    direct: bool,
    /// Every block was to be on the medium before the next (`oflag=dsync`).
    synchronous: bool,
    /// All was to be on the medium at the end (`conv=fdatasync`).
    flushed: bool,
}

/// Reads line by line.
#[derive(Debug)]
struct Reader {
    runs: Runs,
    command: Option<Command>,
    /// Full records written and whether a partial one was, from the line before.
    records: Option<(u64, bool)>,
    /// A transfer line without records before it, and its line number: progress, or a result that was pasted alone.
    pending: Option<(usize, Transfer)>,
}

impl Reader {
    fn new(text: &str) -> Self {
        Self {
            runs: Runs::of(text),
            command: None,
            records: None,
            pending: None,
        }
    }

    fn line(&mut self, number: usize, line: &str) {
        if let Some(command) = command(line) {
            self.finish();
            self.command = Some(command);
        } else if let Some(records) = records(line) {
            self.records = Some(records);
        } else if let Some(transfer) = transfer(line) {
            self.transfer(number, transfer);
        }
    }

    /// With records before it a transfer is final, and what grew into it was its progress. Without, it is progress
    /// where a carriage return alone parts it from the next.
    fn transfer(&mut self, number: usize, transfer: Transfer) {
        let records = self.records.take();
        let progress = self.pending.is_some_and(|(line, earlier)| {
            let grew = earlier.bytes <= transfer.bytes
                && earlier.seconds < transfer.seconds + PROGRESS_SECONDS;
            if records.is_some() {
                grew
            } else {
                line == number
            }
        });
        if progress {
            self.pending = None;
        } else {
            self.finish();
        }
        if records.is_some() {
            self.push(transfer, records);
        } else {
            self.pending = Some((number, transfer));
        }
    }

    /// Takes a transfer without records as it is.
    fn finish(&mut self) {
        if let Some((_, transfer)) = self.pending.take() {
            self.push(transfer, None);
        }
    }

    fn push(&mut self, transfer: Transfer, records: Option<(u64, bool)>) {
        let command = self.command.take();
        self.runs.push(run(transfer, command, records));
    }
}

fn run(transfer: Transfer, command: Option<Command>, records: Option<(u64, bool)>) -> Run {
    let share = command.as_ref().and_then(Command::read_share);
    let kind = TestKind {
        pattern: Some(Pattern::Sequential),
        read_share: share,
        block_size: command
            .as_ref()
            .and_then(|command| command.block_size)
            .or_else(|| block_size(transfer, records)),
        queue_depth: command
            .as_ref()
            .and_then(|command| command.waits().then_some(1)),
        threads: Some(1),
    };
    let mbps = MBps::from_bytes_per_s(transfer.bytes as f64 / transfer.seconds).ok();
    let test = Test {
        name: test_name::describe(&kind),
        iops: mbps
            .zip(kind.block_size)
            .map(|(mbps, block)| mbps.iops_at(block)),
        kind,
        mbps,
        io_count: kind
            .block_size
            .map(|block| transfer.bytes.div_ceil(block.bytes())),
        seconds: Some(transfer.seconds),
        notes: cache_note(command.as_ref()).into_iter().collect(),
        ..Test::default()
    };
    Run {
        format: Format::Dd,
        tool: "dd".to_owned(),
        version: None,
        host: None,
        os: None,
        date: None,
        target: command.as_ref().and_then(Command::target),
        comment: command.map(|command| command.text),
        tests: vec![test],
        notes: Vec::new(),
    }
}

/// What a reader must know of the page cache's part.
fn cache_note(command: Option<&Command>) -> Option<String> {
    match command {
        None => Some(UNKNOWN.to_owned()),
        Some(command) if command.waits() || command.flushed => None,
        Some(_) => Some(CACHED.to_owned()),
    }
}

/// Bytes over full records, where no partial record was among them.
fn block_size(transfer: Transfer, records: Option<(u64, bool)>) -> Option<BlockSize> {
    let (full, partial) = records?;
    let exact = full > 0 && !partial && transfer.bytes.is_multiple_of(full);
    exact
        .then(|| BlockSize::from_bytes(transfer.bytes / full).ok())
        .flatten()
}

impl Command {
    /// From `/dev/zero` or `/dev/urandom` it is a write, to `/dev/null` (or `/dev/zero`, which swallows as well) a read;
    /// a copy is both.
    fn read_share(&self) -> Option<Share> {
        let source = |path: &str| matches!(path, "/dev/zero" | "/dev/random" | "/dev/urandom");
        let sink = |path: &str| matches!(path, "/dev/null" | "/dev/zero");
        match (self.input.as_deref(), self.output.as_deref()) {
            (Some(input), Some(output)) if source(input) && !sink(output) => Some(Share::NONE),
            (Some(input), Some(output)) if sink(output) && !source(input) => Some(Share::ALL),
            _ => None,
        }
    }

    /// What was measured: the end that is a disk.
    fn target(&self) -> Option<String> {
        let reads = self.read_share()? == Share::ALL;
        if reads {
            self.input.clone()
        } else {
            self.output.clone()
        }
    }

    /// Whether each block was waited for, so that one I/O was outstanding.
    fn waits(&self) -> bool {
        self.direct || (self.synchronous && self.read_share() == Some(Share::NONE))
    }

    fn operand(&mut self, name: &str, value: &str) {
        match name {
            "if" => self.input = Some(value.to_owned()),
            "of" => self.output = Some(value.to_owned()),
            "bs" | "ibs" | "obs" => self.block_size = block_operand(value).or(self.block_size),
            "iflag" | "oflag" => {
                for flag in value.split(',') {
                    self.direct |= flag == "direct";
                    self.synchronous |= matches!(flag, "sync" | "dsync") && name == "oflag";
                }
            }
            "conv" => {
                let flush = |name| matches!(name, "fsync" | "fdatasync");
                self.flushed |= value.split(',').any(flush);
            }
            _ => {}
        }
    }
}

/// A line that calls `dd` with at least one operand, with or without a prompt before it.
fn command(line: &str) -> Option<Command> {
    let own_word = |at: &usize| {
        line.get(..*at).is_some_and(|before| {
            before.is_empty() || before.ends_with([' ', '\t', '$', '#', '/', '`'])
        })
    };
    let at = line.match_indices("dd ").map(|(at, _)| at).find(own_word)?;
    let text = line.get(at..)?.trim_end_matches('`');
    let mut command = Command {
        text: text.to_owned(),
        ..Command::default()
    };
    for word in text.split_whitespace() {
        if let Some((name, value)) = word.split_once('=') {
            command.operand(name, value);
        }
    }
    let called = command.input.is_some() || command.output.is_some();
    called.then_some(command)
}

/// `64k`, `1M`, `4096`, `512b`, `1MB`: dd's own multipliers.
fn block_operand(value: &str) -> Option<BlockSize> {
    let (count, unit) = whole(value)?;
    let factor = match unit {
        "" | "c" => 1,
        "w" => 2,
        "b" => 512,
        "k" | "K" | "KiB" => KIB,
        "kB" | "KB" => 1000,
        "m" | "M" | "MiB" => KIB * KIB,
        "MB" => 1_000_000,
        "g" | "G" | "GiB" => KIB * KIB * KIB,
        _ => return None,
    };
    BlockSize::from_bytes(count.checked_mul(factor)?).ok()
}

/// `16384+0 records out` in any language: full and partial records. Of the two lines the second, `out`, stays.
fn records(line: &str) -> Option<(u64, bool)> {
    let digits = line.find(|c: char| c.is_ascii_digit())?;
    let (full, rest) = whole(line.get(digits..)?)?;
    let (partial, rest) = whole(rest.strip_prefix('+')?)?;
    let words = !rest.is_empty() || digits > 0;
    (words && !rest.contains(|c: char| c.is_ascii_digit())).then_some((full, partial > 0))
}

/// A transfer line: bytes first, time and rate last, in GNU's languages and BSD's form.
fn transfer(line: &str) -> Option<Transfer> {
    if !line.contains('/') || !line.ends_with(|c: char| c.is_alphabetic() || c == ')') {
        return None;
    }
    let found = bsd(line).or_else(|| gnu(line))?;
    (found.bytes > 0 && found.seconds > 0.0).then_some(found)
}

/// `1073741824 bytes transferred in 2.500000 secs (429496730 bytes/sec)`.
fn bsd(line: &str) -> Option<Transfer> {
    let (bytes, rest) = whole(line)?;
    let (_, rest) = rest.split_once("transferred in ")?;
    let (seconds, rest) = number(rest)?;
    let (rate, unit) = number(rest.split_once('(')?.1)?;
    let agrees = unit.starts_with("bytes/s") && agree(bytes as f64 / seconds, rate);
    agrees.then_some(Transfer { bytes, seconds })
}

/// `1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.5 s, 429 MB/s`. In other languages the words differ, the comma may be
/// the decimal point or a wide one, and words may stand before the bytes; number, time and rate keep their places.
fn gnu(line: &str) -> Option<Transfer> {
    let wide = line.contains(['，', '、', '（', '）']);
    let plain;
    let line = if wide {
        plain = line
            .replace(['，', '、'], ", ")
            .replace('（', " (")
            .replace('）', ") ");
        plain.as_str()
    } else {
        line
    };
    let mut fields = line.rsplit(", ");
    let (rate, rate_unit) = localized(fields.next()?)?;
    let (seconds, _) = localized(fields.next()?)?;
    let head_length = line
        .rfind(", ")
        .and_then(|end| line.get(..end)?.rfind(", "))?;
    let head = line.get(..head_length)?;
    let digits = head.find(|c: char| c.is_ascii_digit())?;
    let (bytes, _) = whole(head.get(digits..)?)?;
    let computed = bytes as f64 / seconds;
    let proven = rate_factors(rate_unit)?
        .iter()
        .any(|factor| agree(computed, rate * factor));
    proven.then_some(Transfer { bytes, seconds })
}

/// A number with a decimal point or comma, and the unit behind it.
fn localized(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | 'e' | '-' | '+')))
        .unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let (value, rest) =
        number(&digits.replace(',', ".")).map(|(value, rest)| (value, rest.is_empty()))?;
    rest.then(|| (value, unit.trim()))
}

/// Bytes per second of one of the printed unit: decimal (GNU) or binary (busybox).
fn rate_factors(unit: &str) -> Option<[f64; 2]> {
    let (size, _per) = unit.split_once('/')?;
    let power = match size {
        "B" | "bytes" => 0,
        "kB" | "KB" | "kiB" | "KiB" => 1,
        "MB" | "MiB" => 2,
        "GB" | "GiB" => 3,
        "TB" | "TiB" => 4,
        _ => return None,
    };
    Some([1000_f64.powi(power), 1024_f64.powi(power)])
}

/// Whether two rates are the same but for rounding.
fn agree(computed: f64, printed: f64) -> bool {
    (computed - printed).abs() <= RATE_TOLERANCE * computed
}
