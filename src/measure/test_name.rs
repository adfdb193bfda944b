//! Test names as people and CrystalDiskMark write them, read into a [`TestKind`] and written from one.
//!
//! Old (`Random Read 4KiB (Q= 32,T= 1)`, `Random Read 4KB (QD=32)`), new (`RND4K Q32T16`,
//! `SEQ    1MiB (Q=  8, T= 1)`) and free forms (`4k randread qd1, 4 jobs`) are one grammar: a pattern, a block size,
//! a queue depth, a number of threads and a direction, in any order, each at most where it is known.

use crate::measure::model::TestKind;
use crate::units::{BlockSize, KIB, MIB, Share, grouped};
use crate::workload::Pattern;

/// Characters that part the words of a name.
const FILLERS: &str = "()[]:,;=_-/%&+*\"'“”„‟«»‘’";

/// Words for reading and writing in the languages that benchmark tools speak.
const READ: [&str; 18] = [
    "read",
    "reads",
    "rd",
    "lesen",
    "lecture",
    "lectura",
    "lettura",
    "leitura",
    "чтение",
    "odczyt",
    "lezen",
    "läsning",
    "读",
    "读取",
    "讀取",
    "読み込み",
    "リード",
    "읽기",
];
const WRITE: [&str; 19] = [
    "write",
    "writes",
    "wr",
    "schreiben",
    "écriture",
    "ecriture",
    "escritura",
    "scrittura",
    "escrita",
    "запись",
    "zapis",
    "schrijven",
    "skrivning",
    "写",
    "写入",
    "寫入",
    "書き込み",
    "ライト",
    "쓰기",
];

/// Words for the patterns, longer ones before their own beginnings.
const SEQUENTIAL: [&str; 8] = [
    "sequentiell",
    "sequential",
    "séquentielle",
    "séquentiel",
    "secuencial",
    "sequenziale",
    "sequencial",
    "seq",
];
const RANDOM: [&str; 10] = [
    "zufällig",
    "zufaellig",
    "aléatoire",
    "aleatorio",
    "aleatoria",
    "aleatório",
    "casuale",
    "random",
    "rand",
    "rnd",
];

/// The share of reads that a word for a direction means, in lower case.
pub(crate) fn direction_word(word: &str) -> Option<Share> {
    if READ.contains(&word) {
        Some(Share::ALL)
    } else if WRITE.contains(&word) {
        Some(Share::NONE)
    } else {
        None
    }
}

/// A word or a whole number of a name.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Number(u32),
    /// A number with a sign of percent.
    Percent(u32),
}

/// Reads a test name.
///
/// `None` when a word of it is unknown, or when it says neither a pattern nor a block size with a queue depth: then
/// it is no test name. What the name does not say is `None` in the kind.
#[must_use]
pub fn parse(name: &str) -> Option<TestKind> {
    let (kind, known) = read_tokens(&tokens(name)?);
    let named = kind.pattern.is_some() || (kind.block_size.is_some() && kind.queue_depth.is_some());
    (known && named).then_some(kind)
}

/// Reads a test name up to the first word that is unknown (`RND4K Q32T1 after the resize`).
///
/// For places where a name is known to stand: `None` when the beginning says no two of pattern, block size and queue
/// depth, unless the whole is a name.
#[must_use]
pub fn parse_beginning(name: &str) -> Option<TestKind> {
    let beginning = |text: &str| {
        let (kind, _) = read_tokens(&tokens(text)?);
        let said = [
            kind.pattern.is_some(),
            kind.block_size.is_some(),
            kind.queue_depth.is_some(),
        ];
        (said.iter().filter(|said| **said).count() > 1).then_some(kind)
    };
    let strange = |c: char| !(c.is_alphanumeric() || c.is_whitespace() || FILLERS.contains(c));
    let end = name.find(strange).unwrap_or(name.len());
    parse(name).or_else(|| beginning(name.get(..end)?))
}

/// Reads tokens up to the first that is unknown, and says whether none was.
fn read_tokens(tokens: &[Token]) -> (TestKind, bool) {
    let mut kind = TestKind {
        pattern: None,
        read_share: None,
        block_size: None,
        queue_depth: None,
        threads: None,
    };
    let mut rest = tokens;
    while !rest.is_empty() {
        let Some(used) = take(rest, &mut kind) else {
            return (kind, false);
        };
        rest = rest.get(used..).unwrap_or_default();
    }
    (kind, true)
}

/// Writes a kind as a short name: `RND4K Q32T16 read`, `SEQ1M Q8T1 write`, `RND8K Q4T1 70 % read`.
/// Unknown parts are left out; a kind that says nothing is `test`.
#[must_use]
pub fn describe(kind: &TestKind) -> String {
    let pattern = match kind.pattern {
        Some(Pattern::Random) => "RND",
        Some(Pattern::Sequential) => "SEQ",
        None => "",
    };
    let block = kind.block_size.map(short_size).unwrap_or_default();
    let queue = kind.queue_depth.map(|depth| format!("Q{depth}"));
    let threads = kind.threads.map(|threads| format!("T{threads}"));
    let parts = [
        format!("{pattern}{block}"),
        queue.unwrap_or_default() + &threads.unwrap_or_default(),
        kind.read_share.map(direction).unwrap_or_default(),
    ];
    let name = parts
        .iter()
        .filter(|part| !part.is_empty())
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" ");
    if name.is_empty() { "test".into() } else { name }
}

/// `read`, `write` or the share of reads.
pub(crate) fn direction(share: Share) -> String {
    if share == Share::ALL {
        "read".into()
    } else if share == Share::NONE {
        "write".into()
    } else {
        format!("{share} read")
    }
}

/// `4K`, `1M`, `512B`; a mean of several sizes rounded: `~26.5K`.
fn short_size(size: BlockSize) -> String {
    match size.bytes() {
        bytes if bytes.is_multiple_of(MIB) => format!("{}M", bytes / MIB),
        bytes if bytes.is_multiple_of(KIB) => format!("{}K", bytes / KIB),
        bytes if bytes < KIB => format!("{bytes}B"),
        bytes => {
            let (number, unit) = rounded(bytes);
            format!("~{number}{unit}")
        }
    }
}

/// A size in words, rounded where it is a mean of several: `8 KiB`, `about 26.5 KiB`.
pub(crate) fn size_in_words(size: BlockSize) -> String {
    let bytes = size.bytes();
    if bytes < KIB || bytes.is_multiple_of(KIB) {
        return size.to_string();
    }
    let (number, unit) = rounded(bytes);
    format!("about {number} {unit}iB")
}

/// The number with one decimal at most, and its unit.
fn rounded(bytes: u64) -> (String, &'static str) {
    let (unit, name) = if bytes < MIB { (KIB, "K") } else { (MIB, "M") };
    (grouped(bytes as f64 / unit as f64, 1), name)
}

/// Splits a name at blanks, punctuation and every change between letters and digits.
/// `None` when a number does not fit or a character belongs in no name (a decimal point, say).
fn tokens(name: &str) -> Option<Vec<Token>> {
    let mut out = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let end = |same: fn(char) -> bool| rest.find(|c| !same(c)).unwrap_or(rest.len());
        let length = if first.is_ascii_digit() {
            let length = end(|c| c.is_ascii_digit());
            out.push(Token::Number(rest.get(..length)?.parse().ok()?));
            length
        } else if first.is_alphabetic() {
            let length = end(char::is_alphabetic);
            out.push(Token::Word(rest.get(..length)?.to_lowercase()));
            length
        } else if let ('%', Some(Token::Number(number))) = (first, out.last().cloned()) {
            out.pop();
            out.push(Token::Percent(number));
            1
        } else if first.is_whitespace() || FILLERS.contains(first) {
            first.len_utf8()
        } else {
            return None;
        };
        rest = rest.get(length..)?;
    }
    Some(out)
}

/// Reads the first one or two tokens into `kind` and says how many were used; `None` where they mean nothing.
fn take(tokens: &[Token], kind: &mut TestKind) -> Option<usize> {
    match tokens {
        [Token::Number(number), Token::Word(unit), ..] => take_amount(*number, unit, kind),
        [Token::Percent(percent), Token::Word(word), ..] => take_percent(*percent, word, kind),
        [
            Token::Word(word),
            Token::Number(number) | Token::Percent(number),
            ..,
        ] => take_labelled(word, *number, kind).or_else(|| take_word(word, kind)),
        [Token::Word(word), ..] => take_word(word, kind),
        _ => None,
    }
}

/// `70% read`, `30% write`.
fn take_percent(percent: u32, word: &str, kind: &mut TestKind) -> Option<usize> {
    let share = Share::new(f64::from(percent) / 100.0).ok()?;
    kind.read_share = Some(if direction_word(word)? == Share::ALL {
        share
    } else {
        Share::new(1.0 - share.get()).ok()?
    });
    Some(2)
}

/// `4 KiB`, `16 threads`.
fn take_amount(number: u32, unit: &str, kind: &mut TestKind) -> Option<usize> {
    let factor = match unit {
        "b" | "byte" | "bytes" => 1,
        "k" | "kb" | "kib" => KIB,
        "m" | "mb" | "mib" => MIB,
        "thread" | "threads" | "thrd" | "job" | "jobs" | "proc" | "procs" => {
            kind.threads = Some(number);
            return Some(2);
        }
        _ => return None,
    };
    kind.block_size = Some(BlockSize::from_bytes(u64::from(number) * factor).ok()?);
    Some(2)
}

/// `Q 32`, `T 16`, `R 70`.
fn take_labelled(word: &str, number: u32, kind: &mut TestKind) -> Option<usize> {
    match word {
        "q" | "qd" | "depth" | "iodepth" | "queuedepth" => kind.queue_depth = Some(number),
        "t" | "threads" | "jobs" | "numjobs" => kind.threads = Some(number),
        "r" => kind.read_share = Some(Share::new(f64::from(number) / 100.0).ok()?),
        // The other half of `R70% W30%`.
        "w" => {
            let reads = 100_u32.checked_sub(number)?;
            kind.read_share = Some(Share::new(f64::from(reads) / 100.0).ok()?);
        }
        _ => return None,
    }
    Some(2)
}

/// A pattern, a direction, both in one word, or a word that only fills.
fn take_word(word: &str, kind: &mut TestKind) -> Option<usize> {
    let (pattern, rest) = if let Some(rest) = strip_any(word, &SEQUENTIAL) {
        (Some(Pattern::Sequential), rest)
    } else if let Some(rest) = strip_any(word, &RANDOM) {
        (Some(Pattern::Random), rest)
    } else {
        (None, word)
    };
    kind.pattern = pattern.or(kind.pattern);
    match rest {
        "" if pattern.is_some() => {}
        "mix" | "mixed" | "rw" | "readwrite" => kind.read_share = None,
        "queue" | "io" | "at" | "with" | "and" | "test" if pattern.is_none() => {}
        other => kind.read_share = Some(direction_word(other)?),
    }
    Some(1)
}

/// What follows the first of the `prefixes` that `word` begins with.
fn strip_any<'a>(word: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    prefixes.iter().find_map(|prefix| word.strip_prefix(prefix))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kind(
        pattern: Pattern,
        share: Option<f64>,
        block: Option<u64>,
        depth: Option<u32>,
        threads: Option<u32>,
    ) -> TestKind {
        TestKind {
            pattern: Some(pattern),
            read_share: share.map(|share| Share::new(share).unwrap()),
            block_size: block.map(|bytes| BlockSize::from_bytes(bytes).unwrap()),
            queue_depth: depth,
            threads,
        }
    }

    #[test]
    fn names_of_all_ages() {
        use Pattern::{Random, Sequential};
        let cases = [
            (
                "RND4K Q32T16",
                kind(Random, None, Some(4096), Some(32), Some(16)),
            ),
            (
                "SEQ1M Q8T1",
                kind(Sequential, None, Some(1 << 20), Some(8), Some(1)),
            ),
            (
                "SEQ    1MiB (Q=  8, T= 1):",
                kind(Sequential, None, Some(1 << 20), Some(8), Some(1)),
            ),
            (
                "SEQ128K Q32T1 Write",
                kind(Sequential, Some(0.0), Some(131_072), Some(32), Some(1)),
            ),
            (
                "Random Read 4KiB (Q= 32,T= 1)",
                kind(Random, Some(1.0), Some(4096), Some(32), Some(1)),
            ),
            (
                "Random Write 4KB (QD=32)",
                kind(Random, Some(0.0), Some(4096), Some(32), None),
            ),
            (
                "Random Read 512KB",
                kind(Random, Some(1.0), Some(524_288), None, None),
            ),
            (
                "Sequential Write (T= 1)",
                kind(Sequential, Some(0.0), None, None, Some(1)),
            ),
            (
                "4k randread qd1, 4 jobs",
                kind(Random, Some(1.0), Some(4096), Some(1), Some(4)),
            ),
            (
                "RND4K Q1T1 (R70%/W30%)",
                kind(Random, Some(0.7), Some(4096), Some(1), Some(1)),
            ),
            ("seq", kind(Sequential, None, None, None, None)),
        ];
        for (name, expected) in cases {
            assert_eq!(parse(name), Some(expected), "{name}");
        }
    }

    #[test]
    fn a_name_without_a_pattern_needs_block_and_depth() {
        let read = parse("4KiB Q8T8").unwrap();
        assert_eq!(read.pattern, None);
        assert_eq!((read.queue_depth, read.threads), (Some(8), Some(8)));
        assert_eq!(parse("4KiB"), None);
        assert_eq!(parse("Q8T8"), None);
    }

    #[test]
    fn names_in_other_languages_and_with_words_behind() {
        let expected = kind(Pattern::Random, Some(1.0), Some(4096), Some(32), Some(1));
        for name in ["RND4K Q32T1 lesen", "RND4K Q32T1 Lecture"] {
            assert_eq!(parse(name), Some(expected), "{name}");
        }
        assert_eq!(
            parse("SEQ1M Q8T1 écriture").unwrap().read_share,
            Some(Share::NONE)
        );
        for name in ["4K zufällig lesen Q32T1", "Lecture aléatoire 4K Q32T1"] {
            assert_eq!(parse(name), Some(expected), "{name}");
        }
        let write = parse("Sequentiell schreiben 1M").unwrap();
        assert_eq!(
            (write.pattern, write.read_share),
            (Some(Pattern::Sequential), Some(Share::NONE))
        );
        for name in ["RND4K Q32T1 read after resize", "RND4K Q32T1 read @ noon"] {
            assert_eq!(parse(name), None, "{name}");
            assert_eq!(parse_beginning(name), Some(expected), "{name}");
        }
        assert_eq!(parse_beginning("Random number generator"), None);
        assert_eq!(parse_beginning("backup of 4 disks"), None);
    }

    #[test]
    fn other_words_are_no_names() {
        for text in [
            "",
            "Read",
            "Average",
            "RND4K Q1T1 23.07",
            "Random number generator",
            "12",
            "SEQ 7",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn short_names_are_written() {
        let write = kind(Pattern::Random, Some(0.0), Some(4096), Some(32), Some(16));
        assert_eq!(describe(&write), "RND4K Q32T16 write");
        let mix = kind(Pattern::Sequential, Some(0.7), Some(512), None, None);
        assert_eq!(describe(&mix), "SEQ512B 70 % read");
        // 27,179 bytes are 26.54 KiB, a mean of several sizes; 1,500,000 are 1.43 MiB.
        let mean = |bytes| TestKind {
            block_size: BlockSize::from_bytes(bytes).ok(),
            ..write
        };
        assert_eq!(describe(&mean(27_179)), "RND~26.5K Q32T16 write");
        assert_eq!(describe(&mean(1_500_000)), "RND~1.4M Q32T16 write");
        let size = mean(27_179).block_size.unwrap();
        assert_eq!(size_in_words(size), "about 26.5 KiB");
        assert_eq!(size_in_words(BlockSize::KIB_8), "8 KiB");
        let nothing = TestKind {
            pattern: None,
            ..kind(Pattern::Random, None, None, None, None)
        };
        assert_eq!(describe(&nothing), "test");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            random in any::<bool>(),
            read in prop::option::of(any::<bool>()),
            kib in prop::option::of(1_u32..4096),
            depth in prop::option::of(1_u32..1024),
            threads in prop::option::of(1_u32..256),
        ) {
            let kind = TestKind {
                pattern: Some(if random { Pattern::Random } else { Pattern::Sequential }),
                read_share: read.map(|read| if read { Share::ALL } else { Share::NONE }),
                block_size: kib.map(BlockSize::kib),
                queue_depth: depth,
                threads,
            };
            prop_assert_eq!(parse(&describe(&kind)), Some(kind));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            let _ = parse(&text);
        }
    }
}
