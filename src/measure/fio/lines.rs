//! Single lines of fio's normal report.

use super::options::{self, Direction, Options};
use super::quantity::{Time, bytes, rate, scaled};
use super::report::Between;
use crate::measure::model::{LatencyStats, Percentile};
use crate::units::{BlockSize, Latency, MBps};

/// A job's setup, printed before it starts:
/// `name: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) ..., ioengine=libaio, iodepth=4`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setup {
    pub name: String,
    pub group: i64,
    pub options: Options,
}

impl Setup {
    pub fn read(line: &str) -> Option<Self> {
        let (name, rest) = line.split_once(": (g=")?;
        let (group, rest) = rest.split_once("): rw=")?;
        let (rw, _) = rest.split_once(',')?;
        let mut options = Options::default();
        options.set("rw", rw);
        if let Some((_, after)) = rest.split_once("bs=") {
            let sizes = after.split(", ioengine").next().unwrap_or_default();
            options.blocks = block_ranges(sizes);
        }
        if let Some(engine) = value(rest, "ioengine=") {
            options.set("ioengine", engine);
        }
        if let Some((_, after)) = rest.split_once("iodepth=") {
            options.set("iodepth", after);
        }
        Some(Self {
            name: name.trim().to_owned(),
            group: group.trim().parse().ok()?,
            options,
        })
    }
}

/// `(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B` or `4K-4K/4K-4K/4K-4K`; a real range is no block size.
fn block_ranges(sizes: &str) -> [Option<BlockSize>; 3] {
    let mut ranges = sizes.split(['/', ',']).map(|range| {
        let range = range
            .trim()
            .trim_start_matches(['(', ')', 'R', 'W', 'T', ' ']);
        let (least, most) = range.split_once('-').unwrap_or((range, range));
        (least == most).then(|| options::block(least)).flatten()
    });
    let mut next = || ranges.next().flatten();
    [next(), next(), next()]
}

/// The head of a job's results: `name: (groupid=0, jobs=8): err= 0: pid=4567: Mon May  1 12:34:56 2023`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JobHead {
    pub name: String,
    pub group: i64,
    pub jobs: Option<u32>,
    pub error: i64,
    pub date: Option<String>,
}

impl JobHead {
    pub fn read(line: &str) -> Option<Self> {
        let (name, rest) = line.split_once(": (groupid=")?;
        let (group, rest) = rest.split_once(", jobs=")?;
        let (jobs, rest) = rest.split_once(')')?;
        let error = rest
            .split_once("err=")
            .map(|(_, after)| leading_number(after));
        let date = rest
            .split_once("pid=")
            .and_then(|(_, after)| after.split_once(": "));
        Some(Self {
            name: name.trim().to_owned(),
            group: group.trim().parse().ok()?,
            jobs: jobs.trim().parse().ok(),
            error: error.flatten().unwrap_or(0),
            date: date
                .map(|(_, date)| date.trim().to_owned())
                .filter(|date| !date.is_empty()),
        })
    }
}

/// The whole number that a text begins with.
fn leading_number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let text = text.trim_start();
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

/// The rates of one direction.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rates {
    pub direction: Direction,
    /// Cut to a whole number, or rounded to three digits.
    pub iops: Option<f64>,
    pub mbps: Option<MBps>,
    pub bytes: Option<Between>,
    pub seconds: Option<f64>,
}

impl Rates {
    /// `read: IOPS=5000, BW=19.5MiB/s (20.5MB/s)(1172MiB/60001msec)`, or
    /// `write: io=1024.0MB, bw=20000KB/s, iops=5000, runt= 52429msec`.
    pub fn read(line: &str) -> Option<Self> {
        let (word, rest) = line.trim().split_once(':')?;
        let direction = direction(word)?;
        let rest = rest.trim_start();
        // `sysbench` begins the same way, and goes on without `BW=`.
        let rates = if rest.starts_with("IOPS=") && rest.contains("BW=") {
            Self::new_form(direction, rest)
        } else if rest.starts_with("io=") && rest.contains("bw=") {
            Self::old_form(direction, rest)
        } else {
            return None;
        };
        (rates.iops.is_some() || rates.mbps.is_some()).then_some(rates)
    }

    /// Whether it says that there was no I/O: 0 IOPS, and no byte.
    pub fn is_idle(&self) -> bool {
        let none = |bytes: &Between| bytes.high < 1.0;
        self.iops.is_none_or(|iops| iops == 0.0)
            && self.mbps.is_none_or(|mbps| mbps.get() == 0.0)
            && self.bytes.as_ref().is_none_or(none)
    }

    fn new_form(direction: Direction, rest: &str) -> Self {
        let mut parts = rest
            .split(['(', ')'])
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let head = parts.next().unwrap_or_default();
        let bracketed = parts.next().and_then(decimal_rate);
        let total = parts.next().and_then(|part| part.split_once('/'));
        Self {
            direction,
            iops: value(head, "IOPS=").and_then(scaled),
            mbps: bracketed.or_else(|| rate(value(head, "BW=")?, false)),
            bytes: total.and_then(|(amount, _)| amount_between(amount, false)),
            seconds: total.and_then(|(_, time)| seconds(time)),
        }
    }

    fn old_form(direction: Direction, rest: &str) -> Self {
        Self {
            direction,
            iops: value(rest, "iops=").and_then(scaled),
            mbps: value(rest, "bw=").and_then(|text| rate(text, true)),
            bytes: value(rest, "io=").and_then(|text| amount_between(text, true)),
            seconds: value(rest, "runt=").and_then(seconds),
        }
    }
}

/// The rates of a whole group:
/// `READ: bw=19.5MiB/s (20.5MB/s), 19.5MiB/s-19.5MiB/s (...), io=1172MiB (1229MB), run=60001-60001msec`, or
/// `WRITE: io=1024.0MB, aggrb=20000KB/s, minb=20000KB/s, maxb=20000KB/s, mint=52429msec, maxt=52429msec`.
pub(super) fn group_rates(line: &str) -> Option<Rates> {
    let (word, rest) = line.trim().split_once(": ")?;
    if word.chars().any(|c| !c.is_ascii_uppercase()) {
        return None;
    }
    let direction = direction(&word.to_ascii_lowercase())?;
    let old = rest.contains("aggrb=");
    let mbps = if old {
        value(rest, "aggrb=").and_then(|text| rate(text, true))
    } else {
        let bracketed = rest
            .split_once('(')
            .and_then(|(_, after)| after.split_once(')'));
        let decimal = bracketed.and_then(|(inside, _)| decimal_rate(inside));
        decimal.or_else(|| rate(value(rest, "bw=")?, false))
    };
    let longest = value(rest, "maxt=").or_else(|| value(rest, "run=")?.rsplit('-').next());
    Some(Rates {
        direction,
        iops: None,
        mbps: Some(mbps?),
        bytes: value(rest, "io=").and_then(|text| amount_between(text, old)),
        seconds: longest.and_then(seconds),
    })
}

fn direction(word: &str) -> Option<Direction> {
    let word = word.trim();
    Direction::ALL
        .into_iter()
        .find(|direction| direction.word() == word)
}

/// The value behind `key`, up to a comma, blank or bracket. A key within another word is not that key.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(key)?;
        let start = at + key.len();
        let before = text.get(..at)?.chars().next_back();
        if before.is_none_or(|c| !c.is_ascii_alphanumeric()) {
            let rest = text.get(start..)?.trim_start();
            let end = rest.find([',', ' ', '(', ')']).unwrap_or(rest.len());
            return rest.get(..end);
        }
        from = start;
    }
}

/// The rate in brackets, where it is the decimal one; with `kb_base=1000` fio puts the binary one there.
fn decimal_rate(text: &str) -> Option<MBps> {
    if text.contains("iB/s") || text.contains("ibit/s") || text.ends_with('i') {
        None
    } else {
        rate(text, false)
    }
}

/// An amount of data, with the uncertainty of its last printed digit.
fn amount_between(text: &str, kb_is_kib: bool) -> Option<Between> {
    let middle = bytes(text, kb_is_kib)?;
    let number = text
        .trim()
        .trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let plain: f64 = number.parse().ok()?;
    let decimals = number.split_once('.').map_or(0, |(_, after)| after.len());
    let half_digit = 0.5 * 10_f64.powi(-i32::try_from(decimals).ok()?);
    let unit = if plain > 0.0 { middle / plain } else { 1.0 };
    Some(Between {
        low: (middle - half_digit * unit).max(0.0),
        high: middle + half_digit * unit,
    })
}

/// `60001msec` or `10sec` in seconds; `None` for 0.
fn seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let (digits, in_a_second) = match text.strip_suffix("msec") {
        Some(digits) => (digits, 1e3),
        None => (text.strip_suffix("sec")?, 1.0),
    };
    let seconds = digits.trim().parse::<f64>().ok()? / in_a_second;
    (seconds.is_finite() && seconds > 0.0).then_some(seconds)
}

/// Which of fio's latencies a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Clat,
    Lat,
    /// Of flushes.
    Sync,
    /// Submission: not the latency of an I/O.
    Other,
}

/// `clat (usec): min=40, max=1200k, avg=50.25, stdev= 8.50`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LatencyLine {
    pub kind: Kind,
    pub mean: Option<Latency>,
    pub min: Option<Latency>,
    pub max: Option<Latency>,
}

impl LatencyLine {
    pub fn read(line: &str) -> Option<Self> {
        let (head, rest) = line.trim().split_once(": min=")?;
        let (word, unit) = head.split_once(" (")?;
        let unit = Time::named(unit.strip_suffix(')')?)?;
        let rest = format!("min={rest}");
        let time = |key| unit.latency(scaled(value(&rest, key)?)?);
        Some(Self {
            kind: kind(word),
            mean: time("avg="),
            min: time("min="),
            max: time("max="),
        })
    }

    /// With the percentiles that are listed below it.
    pub fn into_stats(self, percentiles: Vec<Percentile>) -> LatencyStats {
        LatencyStats {
            mean: self.mean,
            min: self.min,
            max: self.max,
            percentiles,
        }
    }
}

/// `clat percentiles (usec):`, before lines of percentiles: which latency, and in what unit.
pub(super) fn percentiles_head(line: &str) -> Option<(Kind, Time)> {
    let (word, rest) = line.trim().split_once(" percentiles (")?;
    Some((kind(word), Time::named(rest.split(')').next()?)?))
}

/// `|  1.00th=[   42],  5.00th=[   43]`: percent and time.
pub(super) fn percentiles(line: &str) -> Option<Vec<(f64, f64)>> {
    let list = line.trim().strip_prefix('|')?;
    let entries = list.split(',').filter_map(|entry| {
        let (percent, rest) = entry.split_once("th=[")?;
        let percent = percent
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|p| *p > 0.0 && *p <= 100.0)?;
        Some((percent, scaled(rest.split(']').next()?)?))
    });
    Some(entries.collect())
}

fn kind(word: &str) -> Kind {
    match word.trim() {
        "clat" => Kind::Clat,
        "lat" => Kind::Lat,
        "sync" => Kind::Sync,
        _ => Kind::Other,
    }
}

/// The I/Os issued.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Issued {
    pub reads: Option<f64>,
    pub writes: Option<f64>,
    pub trims: Option<f64>,
    /// Flushes: the fourth number, which engines that wait for each I/O leave at 0 and count among the short reads
    /// instead, of which a job that does not read has none.
    pub flushes: Option<f64>,
}

impl Issued {
    /// `issued rwts: total=300000,0,0,0 short=...`, or `issued    : total=r=0/w=300000/d=0, short=...`.
    pub fn read(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("issued")?;
        let (_, totals) = rest.split_once("total=")?;
        let (totals, short) = totals.split_once("short=").unwrap_or((totals, ""));
        let [reads, writes, trims, flushes] = counts(totals);
        let [short_reads, ..] = counts(short);
        Some(Self {
            reads,
            writes,
            trims,
            flushes: flushes.or(short_reads.filter(|_| reads.is_none())),
        })
    }
}

/// The numbers of `0,218489,0,218488` or `r=0/w=104/d=0,`, where they are more than 0.
fn counts(text: &str) -> [Option<f64>; 4] {
    let text = text.split_whitespace().next().unwrap_or_default();
    let mut counts = text.split([',', '/']).map(|count| {
        let digits = count.rsplit('=').next().unwrap_or_default();
        digits.parse::<f64>().ok().filter(|count| *count > 0.0)
    });
    let mut next = || counts.next().flatten();
    [next(), next(), next(), next()]
}

/// `IO depths    : 1=100.0%, 2=0.0%, ...`: whether every I/O was issued alone. With a flush behind each of them fio counts
/// 200 %.
pub(super) fn one_at_a_time(line: &str) -> Option<bool> {
    let (_, depths) = line.trim().strip_prefix("IO depths")?.split_once(": 1=")?;
    let alone: f64 = depths.split('%').next()?.parse().ok()?;
    Some(alone >= 100.0 && depths.contains(", 2=0.0%"))
}

/// `latency   : target=0, window=0, percentile=100.00%, depth=16`.
pub(super) fn latency_depth(line: &str) -> Option<u32> {
    let rest = line.trim().strip_prefix("latency ")?;
    leading_number(rest.split_once(", depth=")?.1).filter(|&depth| depth > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Pattern;

    #[test]
    fn setups_of_both_versions() {
        let new = Setup::read(
            "my job: (g=2): rw=randrw, bs=(R) 8192B-8192B, (W) 64.0KiB-64.0KiB, (T) 4096B-16.0KiB, ioengine=libaio, iodepth=24",
        )
        .unwrap();
        assert_eq!((new.name.as_str(), new.group), ("my job", 2));
        assert_eq!(
            new.options.blocks,
            [Some(BlockSize::KIB_8), Some(BlockSize::KIB_64), None]
        );
        assert_eq!(
            (new.options.pattern, new.options.depth),
            (Some(Pattern::Random), Some(24))
        );
        let old =
            Setup::read("w: (g=0): rw=write, bs=1M-1M/128K-128K/4K-4K, ioengine=sync, iodepth=1")
                .unwrap();
        let kib = |n| Some(BlockSize::kib(n));
        assert_eq!(old.options.blocks, [kib(1024), kib(128), kib(4)]);
    }

    #[test]
    fn job_heads_with_and_without_error() {
        let head =
            JobHead::read("a: b: (groupid=3, jobs=8): err= 0: pid=31: Mon May  1 12:34:56 2023")
                .unwrap();
        assert_eq!(
            (head.name.as_str(), head.group, head.jobs, head.error),
            ("a: b", 3, Some(8), 0)
        );
        assert_eq!(head.date.as_deref(), Some("Mon May  1 12:34:56 2023"));
        let head = JobHead::read(
            "a: (groupid=0, jobs=1): err= 5 (file:x.c:1, error=Input/output error): pid=7: Fri",
        )
        .unwrap();
        assert_eq!(head.error, 5);
    }

    #[test]
    fn the_decimal_rate_is_taken_and_old_kb_are_kib() {
        let rates = Rates::read(
            "  read: IOPS=2500, BW=9.77MiB/s (10.2MB/s)(97.7MiB/10001msec); 0 zone resets",
        )
        .unwrap();
        assert_eq!(rates.mbps.unwrap().get(), 10.2);
        assert_eq!((rates.iops, rates.seconds), (Some(2500.0), Some(10.001)));
        let swapped =
            Rates::read("  read: IOPS=2500, BW=10.2MB/s (9.77MiB/s)(102MB/10001msec)").unwrap();
        assert_eq!(swapped.mbps.unwrap().get(), 10.2);
        let old =
            Rates::read("  read : io=100.0MB, bw=10000KB/s, iops=2500, runt= 10240msec").unwrap();
        assert_eq!(old.mbps.unwrap().get(), 10.24);
        assert_eq!(old.direction, Direction::Read);
        let bytes = old.bytes.unwrap();
        assert!(bytes.low < 104_857_600.0 && 104_857_600.0 < bytes.high);
    }

    #[test]
    fn group_lines_of_both_versions() {
        let new = group_rates("   READ: bw=1.00GiB/s (1074MB/s), 1.00GiB/s-1.00GiB/s (1074MB/s-1074MB/s), io=10.0GiB (10.7GB), run=10000-10002msec").unwrap();
        assert_eq!(
            (new.mbps.unwrap().get(), new.seconds),
            (1074.0, Some(10.002))
        );
        let old = group_rates("  WRITE: io=4.0GB, aggrb=1000KB/s, minb=500KB/s, maxb=500KB/s, mint=9msec, maxt=12msec").unwrap();
        assert_eq!((old.mbps.unwrap().get(), old.seconds), (1.024, Some(0.012)));
        assert_eq!(group_rates("READ: nothing here"), None);
    }

    #[test]
    fn latencies_in_all_units() {
        let line =
            LatencyLine::read("    clat (nsec): min=300, max=1200k, avg=640500.25, stdev=1000.00")
                .unwrap();
        let us = |latency: Option<Latency>| latency.unwrap().micros();
        assert_eq!(line.kind, Kind::Clat);
        assert!((us(line.mean) - 640.500_25).abs() < 1e-9);
        assert!((us(line.max) - 1_200.0).abs() < 1e-9);
        let line =
            LatencyLine::read("     lat (msec): min=1, max=80, avg=12.50, stdev= 3.00").unwrap();
        assert_eq!((line.kind, us(line.mean)), (Kind::Lat, 12_500.0));
        assert_eq!(
            LatencyLine::read("  lat (usec)   : 250=90.00%, 500=10.00%"),
            None
        );
        assert_eq!(
            LatencyLine::read("    sync (usec): min=1, max=3, avg=2.00")
                .unwrap()
                .kind,
            Kind::Sync
        );
    }

    #[test]
    fn percentiles_counts_and_depths() {
        assert_eq!(
            percentiles_head("    clat percentiles (msec):"),
            Some((Kind::Clat, Time::Millis))
        );
        assert_eq!(
            percentiles("     |  1.00th=[    6], 99.50th=[  68], 99.90th=[ 1.5k]"),
            Some(vec![(1.0, 6.0), (99.5, 68.0), (99.9, 1500.0)])
        );
        assert_eq!(
            Issued::read("     issued rwts: total=19,0,3,0 short=0,0,0,0"),
            Some(Issued {
                reads: Some(19.0),
                trims: Some(3.0),
                ..Issued::default()
            })
        );
        assert_eq!(
            Issued::read("     issued    : total=r=0/w=104/d=0, short=r=0/w=0/d=0"),
            Some(Issued {
                writes: Some(104.0),
                ..Issued::default()
            })
        );
        let flushes = |line| Issued::read(line).and_then(|issued| issued.flushes);
        assert_eq!(
            flushes("issued rwts: total=0,218489,0,218488 short=0,0,0,0 dropped=0,0,0,0"),
            Some(218_488.0)
        );
        assert_eq!(
            flushes("issued rwts: total=0,10029,0,0 short=10028,0,0,0 dropped=0,0,0,0"),
            Some(10_028.0)
        );
        assert_eq!(
            flushes("issued rwts: total=9,10029,0,0 short=9,0,0,0"),
            None
        );
        assert_eq!(
            one_at_a_time("  IO depths    : 1=200.0%, 2=0.0%, 4=0.0%"),
            Some(true)
        );
        assert_eq!(
            one_at_a_time("  IO depths    : 1=100.0%, 2=0.0%"),
            Some(true)
        );
        assert_eq!(
            one_at_a_time("  IO depths    : 1=0.1%, 2=100.0%"),
            Some(false)
        );
        assert_eq!(
            latency_depth("     latency   : target=0, window=0, percentile=100.00%, depth=16"),
            Some(16)
        );
    }
}
