//! One result line of CrystalDiskMark, in the layouts of version 3 to 9.
//!
//! | version | line |
//! |---|---|
//! | 3 | `Sequential Read :   410.500 MB/s`, `Random Read 4KB (QD=32) :   204.800 MB/s [ 50000.0 IOPS]` |
//! | 4 to 6 | `Sequential Read (Q= 32,T= 1) :   150.250 MB/s`, `Random Write 4KiB (Q=  8,T= 8) : ...` |
//! | 7 | `Sequential 1MiB (Q=  8, T= 1):   104.858 MB/s [    100.0 IOPS] < 80000.50 us>` under `[Read]` |
//! | 8, 9 | `SEQ    1MiB (Q=  8, T= 1):   524.288 MB/s [    500.0 IOPS] < 16000.25 us>` under `[Read]` |
//! | labels of the window | `SEQ1M Q8T1`, `RND4K Q32T16`, `4KiB Q8T8` |

use crate::measure::local_number::{is_grouped, shows_decimal_comma, shows_decimal_point};
use crate::measure::scan::{micros, rounded_block_size};
use crate::measure::test_name;
use crate::units::{BlockSize, MB, Share};
use crate::workload::Pattern;

/// Whether a line or a section is about reads, writes or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Direction {
    Read,
    Write,
    Mix,
}

/// What the label of a line says of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Label {
    pub pattern: Pattern,
    pub direction: Option<Direction>,
    pub block: Option<BlockSize>,
    pub queue: Option<u32>,
    pub threads: Option<u32>,
}

/// A result line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// The label as printed, with single blanks.
    pub name: String,
    pub label: Label,
    /// MB/s, 10^6 bytes per second as the tool's header says.
    pub mbps: f64,
    pub iops: Option<f64>,
    /// Mean latency in microseconds.
    pub latency_us: Option<f64>,
}

/// How far MB/s over IOPS may be from the size of the I/Os: both are rounded.
const ROUNDED_BY: f64 = 0.05;

/// Decimals of every MB/s figure that CrystalDiskMark prints.
const MBPS_DECIMALS: usize = 3;

/// What a comma is in the figures of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comma {
    /// The decimal point: figures of the text show it, or the text is the tool's, which groups no thousands.
    Decimal,
    /// It parts thousands where three digits stand behind it: `1,200 MB/s`.
    Thousands,
}

impl Comma {
    /// What it is in a text of such lines; `is_of_tool` where the tool is named in it. One text is of one region.
    pub fn of<T: AsRef<str>>(lines: impl Iterator<Item = T>, is_of_tool: bool) -> Self {
        let (mut comma, mut point, mut of_tool) = (false, false, is_of_tool);
        for line in lines {
            let line = line.as_ref();
            if !line.contains("B/s") && !line.contains("IOPS") {
                continue;
            }
            for word in line.split(|c: char| c.is_whitespace() || ":;|()[]<>=".contains(c)) {
                let number = word.trim_end_matches(|c: char| !c.is_ascii_digit());
                comma |= number.contains(',') && shows_decimal_comma(number);
                point |= shows_decimal_point(number);
                // Points before three decimals are how the tool prints: commas there are a region's points.
                let decimals = number.split_once('.').map(|(_, decimals)| decimals.len());
                of_tool |= decimals == Some(MBPS_DECIMALS);
            }
        }
        if comma || (of_tool && !point) {
            Self::Decimal
        } else {
            Self::Thousands
        }
    }

    /// Whether the commas of a figure part thousands.
    fn groups(self, figure: &str) -> bool {
        let twice = figure.matches(',').count() > 1;
        is_grouped(figure, ',') && (twice || self == Self::Thousands)
    }
}

impl Row {
    /// The results in a line: one, or several where a page has lost its line ends.
    ///
    /// A throughput without a name of its own makes the line a row of a table with several columns, which is none.
    pub fn all(line: &str, comma: Comma) -> Vec<Self> {
        let mut rows = Vec::new();
        let tails = line.split("MB/s").skip(1);
        for (head, tail) in line.split("MB/s").zip(tails) {
            match Self::read(head, tail, comma) {
                Some(row) => rows.push(row),
                None if !rows.is_empty() && decimal(split_figure(head).1, comma).is_some() => {
                    return Vec::new();
                }
                None => {}
            }
        }
        if rows.is_empty() {
            rows.extend(Self::of_iops(line, comma));
        }
        rows
    }

    /// Reads a line that says IOPS alone, once; MB/s follow from the size of the I/Os, which must stand there.
    fn of_iops(line: &str, comma: Comma) -> Option<Self> {
        let mut parts = line.split("IOPS");
        let (head, tail) = (parts.next()?, parts.next()?);
        if parts.next().is_some() || line.contains("B/s") {
            return None;
        }
        let (label, figure) = split_figure(head);
        let iops = decimal(figure, comma)?;
        let text = label_text(label)?;
        let parsed = Label::read(text)?;
        let block = parsed.block.filter(|_| parsed.is_of_window(text))?;
        Some(Self {
            name: name_of(text),
            label: parsed.with_defaults(),
            mbps: iops * block.bytes_f64() / MB,
            iops: Some(iops),
            latency_us: latency(tail, comma).filter(|&us| us > 0.0),
        })
    }

    /// Reads what stands in front of and behind one `MB/s`; `None` where that is no result.
    fn read(head: &str, tail: &str, comma: Comma) -> Option<Self> {
        let (label, figure) = split_figure(head);
        let mbps = decimal(figure, comma)?;
        let text = label_text(label)?;
        let parsed = Label::read(text)?;
        // Words such as `seq read 1M` are anybody's, and nothing is to be added to them: only the tool's own form of
        // figure, or its whole label, counts.
        let is_of_tool = decimals(figure) == MBPS_DECIMALS && !comma.groups(figure);
        if !parsed.is_of_window(text) && !is_of_tool {
            return None;
        }
        let iops = before(tail, "IOPS").and_then(|figure| decimal(figure, comma));
        Some(Self {
            name: name_of(text),
            label: parsed.with_block_of(mbps, iops).with_defaults(),
            mbps,
            iops,
            latency_us: latency(tail, comma).filter(|&us| us > 0.0),
        })
    }
}

/// Splits the figure off the end of what stands before a unit.
fn split_figure(head: &str) -> (&str, &str) {
    let head = head.trim_end();
    let label = head.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    head.split_at(label.len())
}

/// The part of `label` that begins with the test's name, without list marks and quote marks before it.
fn label_text(label: &str) -> Option<&str> {
    const STARTS: [&str; 4] = ["sequential", "random", "seq", "rnd"];
    // Same length as `label`: only ASCII letters change.
    let lower = label.to_ascii_lowercase();
    let word = STARTS.iter().filter_map(|start| lower.find(start)).min();
    // The window of version 4 to 6 labels random tests by their size alone: "4KiB Q8T8".
    let size = || {
        lower
            .find(|c: char| c.is_ascii_digit())
            .filter(|_| lower.contains('q'))
    };
    label.get(word.or_else(size)?..)
}

/// The label with single blanks and without the colon.
fn name_of(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_end_matches([':', ' ']).to_owned()
}

impl Label {
    /// Reads a label; `None` where anything in it is not understood. Pages fill the gap behind it with dots, and the
    /// window of version 4 to 6 leaves out that a test is random.
    fn read(text: &str) -> Option<Self> {
        let kind = test_name::parse(&text.replace('.', " "))?;
        let says_mix = || text.to_lowercase().contains("mix");
        Some(Self {
            pattern: kind.pattern.unwrap_or(Pattern::Random),
            direction: match kind.read_share {
                Some(Share::ALL) => Some(Direction::Read),
                Some(Share::NONE) => Some(Direction::Write),
                Some(_) => Some(Direction::Mix),
                None => says_mix().then_some(Direction::Mix),
            },
            block: kind.block_size,
            queue: kind.queue_depth,
            threads: kind.threads,
        })
    }

    /// Whether it is a label of the tool's window, at length or retyped: `SEQ1M Q8T1`, `RND4K QD32`.
    fn is_of_window(&self, text: &str) -> bool {
        let short = text.starts_with("SEQ") || text.starts_with("RND");
        self.queue.is_some() && (short || self.threads.is_some())
    }

    /// With the size of the I/Os that MB/s over IOPS are, where it is not printed and they tell a power of two.
    fn with_block_of(mut self, mbps: f64, iops: Option<f64>) -> Self {
        let bytes = iops.filter(|iops| *iops > 0.0).map(|iops| mbps * MB / iops);
        self.block = self
            .block
            .or_else(|| rounded_block_size(bytes?, ROUNDED_BY));
        self
    }

    /// Fills in what the version that prints such a label always does, and does not print:
    /// one queue and one thread where none are named; sequential blocks of 128 KiB with queues and of 1 MiB without
    /// (CrystalDiskMark 3 to 6; its DiskSpd calls are `-b128K -o<Q> -t<T>` and `-b1M -o1 -t1`).
    fn with_defaults(mut self) -> Self {
        if self.pattern == Pattern::Sequential && self.block.is_none() {
            let queued = self.queue.is_some();
            self.block = Some(if queued {
                BlockSize::kib(128)
            } else {
                BlockSize::MIB_1
            });
        }
        self.queue = self.queue.or(Some(1));
        self.threads = self.threads.or(Some(1));
        self
    }
}

/// The figure between the last bracket, blank or colon and `word`.
fn before<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.split_once(word)?.0.trim_end();
    head.rsplit(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
        .next()
}

/// The figure of a latency column: `< 80000.50 us>`.
fn latency(tail: &str, comma: Comma) -> Option<f64> {
    let Some(column) = tail.find('<').and_then(|at| tail.get(at..)) else {
        return plain_latency(tail, comma);
    };
    ["us", "\u{b5}s", "\u{3bc}s"]
        .iter()
        .find_map(|unit| before(column, unit))
        .and_then(|figure| decimal(figure, comma))
}

/// A latency by itself behind the rates, as people write it: `5000 IOPS 6.4 ms`.
fn plain_latency(tail: &str, comma: Comma) -> Option<f64> {
    let rest = tail.split_once("IOPS").map_or(tail, |(_, rest)| rest);
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || ",;()[]@".contains(c));
    let end = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))?;
    let (figure, unit) = rest.split_at_checked(end)?;
    micros(decimal(figure, comma)?, unit.trim())
}

/// How many decimals a figure has.
fn decimals(figure: &str) -> usize {
    figure
        .rsplit_once(['.', ','])
        .map_or(0, |(_, after)| after.len())
}

/// A figure with a decimal point or, as some regions retype it, a decimal comma.
/// Where both stand, the last is the decimal mark. A comma before it parts the cells of a table.
pub(super) fn decimal(figure: &str, comma: Comma) -> Option<f64> {
    if figure.starts_with(',') {
        return None;
    }
    if comma.groups(figure) {
        return figure.replace(',', "").parse().ok();
    }
    let (whole, fraction) = figure.rsplit_once(['.', ',']).unwrap_or((figure, ""));
    let whole = whole.replace(['.', ','], "");
    if whole.is_empty() {
        return None;
    }
    format!("{whole}.{fraction}0").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(line: &str) -> Vec<Row> {
        Row::all(line, Comma::of([line].iter(), true))
    }

    #[test]
    fn a_comma_before_three_digits_parts_thousands_unless_the_text_shows_decimals() {
        let of = |text: &str, is_of_tool| {
            let comma = Comma::of(text.lines(), is_of_tool);
            let rows = text.lines().flat_map(|line| Row::all(line, comma));
            rows.map(|row| (row.mbps, row.iops)).collect::<Vec<_>>()
        };
        let plain = "SEQ1M Q8T1 read: 1,200 MB/s";
        assert_eq!(of(plain, false), [(1200.0, None)]);
        assert_eq!(of(plain, true), [(1.2, None)]);
        let german = "SEQ1M Q8T1 read: 1,200 MB/s [ 1,1 IOPS]";
        assert_eq!(of(german, false), [(1.2, Some(1.1))]);
        // 43.49 shows what a point is, and 20,000 x 4,096 bytes are 81.92 MB/s.
        let english = "SEQ1M Q8T1 read: 1,200 MB/s\nSEQ1M Q1T1 read: 43.49 MB/s\nRND4K Q32T1 read: 20,000 IOPS";
        let expected = [(1200.0, None), (43.49, None), (81.92, Some(20_000.0))];
        assert_eq!(of(english, true), expected);
        // Anybody's words with thousands are not the tool's.
        assert_eq!(of("seq read 1M QD8: 1,200 MB/s", false), []);
    }

    fn label(line: &str) -> (Pattern, Option<Direction>, Option<u64>, u32, u32) {
        let row = all(line)
            .into_iter()
            .next()
            .unwrap_or_else(|| panic!("not read: {line}"));
        let label = row.label;
        (
            label.pattern,
            label.direction,
            label.block.map(BlockSize::bytes),
            label.queue.unwrap(),
            label.threads.unwrap(),
        )
    }

    #[test]
    fn labels_of_all_versions() {
        use Direction::{Read, Write};
        use Pattern::{Random, Sequential};
        for (line, expected) in [
            (
                "           Sequential Read :   401.250 MB/s",
                (Sequential, Some(Read), Some(1_048_576), 1, 1),
            ),
            (
                "        Random Write 512KB :   140.001 MB/s",
                (Random, Some(Write), Some(524_288), 1, 1),
            ),
            (
                "   Random Read 4KB (QD=32) :   200.000 MB/s [ 48828.1 IOPS]",
                (Random, Some(Read), Some(4096), 32, 1),
            ),
            (
                "  Sequential Write (Q= 32,T= 1) :    90.100 MB/s",
                (Sequential, Some(Write), Some(131_072), 32, 1),
            ),
            (
                "         Sequential Read (T= 1) :    95.500 MB/s",
                (Sequential, Some(Read), Some(1_048_576), 1, 1),
            ),
            (
                " Random Write 4KiB (Q=  8,T= 8) :   300.000 MB/s [ 73242.2 IOPS]",
                (Random, Some(Write), Some(4096), 8, 8),
            ),
            (
                "Sequential 1MiB (Q=  8, T= 1):   108.000 MB/s [    103.0 IOPS] < 77000.00 us>",
                (Sequential, None, Some(1_048_576), 8, 1),
            ),
            (
                "  SEQ  128KiB (Q= 32, T= 1):  2000.000 MB/s [  15258.8 IOPS] <  2090.00 us>",
                (Sequential, None, Some(131_072), 32, 1),
            ),
            (
                "RND4K Q32T16: 300.0 MB/s",
                (Random, None, Some(4096), 32, 16),
            ),
            (
                "> SEQ1M Q8T1  7000 MB/s",
                (Sequential, None, Some(1_048_576), 8, 1),
            ),
            (
                "SEQ128K QD32 : 700.0 MB/s",
                (Sequential, None, Some(131_072), 32, 1),
            ),
            ("4KiB Q8T8 : 812.5 MB/s", (Random, None, Some(4096), 8, 8)),
        ] {
            assert_eq!(label(line), expected, "{line}");
        }
    }

    #[test]
    fn figures_also_where_they_fill_the_field_or_carry_a_comma() {
        let row =
            all("    Random 4KiB (Q= 32, T=16):     0.475 MB/s [    116.0 IOPS] <1070000.25 us>")
                .pop();
        let row = row.unwrap();
        assert_eq!(
            (row.mbps, row.iops, row.latency_us),
            (0.475, Some(116.0), Some(1_070_000.25))
        );
        let row = all("RND 4KiB (Q= 1, T= 1): 1234,567 MB/s [ 301408,0 IOPS] < 3,25 us>").pop();
        let row = row.unwrap();
        assert_eq!(
            (row.mbps, row.iops, row.latency_us),
            (1234.567, Some(301_408.0), Some(3.25))
        );
        assert_eq!(row.name, "RND 4KiB (Q= 1, T= 1)");
        let row = all("SEQ 1MiB (Q= 8, T= 1): 1,234.567 MB/s [ 1177.4 IOPS] <     0.00 us>")
            .pop()
            .unwrap();
        assert_eq!((row.mbps, row.latency_us), (1234.567, None));
    }

    #[test]
    fn rates_tell_the_size_of_sequential_blocks_and_iops_may_stand_alone() {
        // 2,600 MB/s over 2,480 IOPS are 1,048,387 bytes.
        let line = "Sequential Read (Q= 32,T= 1) : 2600MB/s [2480 IOPS]";
        assert_eq!(label(line).2, Some(1_048_576));
        let row = all("  RND    4KiB (Q= 32, T=16):  2500.000 IOPS")
            .pop()
            .unwrap();
        assert_eq!((row.iops, row.mbps), (Some(2500.0), 10.24));
        for line in [
            "RND4K Q1T1 100 IOPS 200 IOPS",
            "Random Read: 100 IOPS",
            "| RND4K Q1T1 | 5 IOPS |",
        ] {
            assert_eq!(all(line), [], "{line}");
        }
    }

    #[test]
    fn a_latency_may_stand_by_itself() {
        let of = |line: &str| all(line).first().and_then(|row| row.latency_us);
        assert_eq!(of("RND4K Q32T1 read 5000 IOPS 6.4 ms"), Some(6400.0));
        assert_eq!(of("RND4K Q1T1 read: 4.1 MB/s, 950 us"), Some(950.0));
        assert_eq!(of("RND4K Q32T1 read 5000 IOPS on 3 ms disks"), None);
    }

    #[test]
    fn a_line_may_hold_several() {
        let line = "Sequential Read : 101.500 MB/s Random Read 4KB (QD=1) : 4.096 MB/s [ 1000.0 IOPS] \
                    Random Write 4KB (QD=1) : 2.048 MB/s [ 500.0 IOPS]";
        let rows: Vec<(f64, Option<f64>)> =
            all(line).iter().map(|row| (row.mbps, row.iops)).collect();
        assert_eq!(
            rows,
            [(101.5, None), (4.096, Some(1000.0)), (2.048, Some(500.0))]
        );
    }

    #[test]
    fn other_lines_are_not_results() {
        assert!(all("seq read,1M,8,145 MB/s,200 MB/s").is_empty());
        for line in [
            "",
            "* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]",
            "Sequential read: 550 MB/s (data sheet)",
            "> Disk  Sequential 64.0 Read                   547.560 MB/s          9.0",
            "a random remark: 12.345 MB/s",
            "Sequential MB/s",
            "RND4K Q99999999999T1: 1.000 MB/s",
            "RND0K Q1T1: 1.000 MB/s",
            "SEQ1M Q8T1 7000.000 MB/s 6500.000 MB/s",
            "ランダム 4KiB: 12.345 MB/s",
        ] {
            assert_eq!(all(line), [], "{line}");
        }
    }
}
