//! DiskSpd's XML report (`-Rxml`).

use std::borrow::Cow;

use serde::Deserialize;

use super::super::error::ParseError;
use super::super::model::{Format, LatencyStats, Run};
use super::super::runs::Runs;
use super::settings::Settings;
use super::{INTERRUPTED, Side, Sides, Span, TOOL, Tally, number_spans, spread};
use crate::units::{BlockSize, Share};
use crate::workload::Pattern;

/// What a report without results should have held.
const LOOKED_FOR: &str = "DiskSpd's <Results> with a <TimeSpan> that has threads and a test time";

/// The elements that frame a report.
const OPEN: &str = "<Results";
const CLOSE: &str = "</Results>";

/// Whether `text` holds a DiskSpd XML report.
#[must_use]
pub fn sniff(text: &str) -> bool {
    text.contains(OPEN) && text.contains("<TimeSpan>")
}

/// Reads every report in `text`, whatever stands around it.
///
/// # Errors
/// [`ParseError::Malformed`] when the XML is broken, [`ParseError::NoResult`] when no time span was measured.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    let mut runs = Runs::of(text);
    let mut from = 0;
    while let Some((start, report)) = next_report(text, from) {
        from = start + report.len();
        let line = text.get(..start).map_or(1, line_number);
        runs.push(run(read(report, line)?));
    }
    runs.finish(LOOKED_FOR)
}

/// The next report at or after byte `from`, with its place; a report that is cut off reaches to the end.
fn next_report(text: &str, from: usize) -> Option<(usize, &str)> {
    let rest = text.get(from..)?;
    let start = rest.find(OPEN)?;
    let report = rest.get(start..)?;
    let length = report
        .find(CLOSE)
        .map_or(report.len(), |end| end + CLOSE.len());
    Some((from + start, report.get(..length)?))
}

fn read(report: &str, first_line: usize) -> Result<Results, ParseError> {
    let escaped = escape_ampersands(report);
    quick_xml::de::from_str(&escaped).map_err(|error| ParseError::Malformed {
        line: first_line,
        what: format!("the <Results> that begins here is not DiskSpd's XML: {error}"),
    })
}

/// The number of the line that begins behind `before`.
fn line_number(before: &str) -> usize {
    before.bytes().filter(|byte| *byte == b'\n').count() + 1
}

/// DiskSpd writes paths and command lines as they are: an `&` in them that begins no entity is escaped.
fn escape_ampersands(report: &str) -> Cow<'_, str> {
    if !report.contains('&') {
        return Cow::Borrowed(report);
    }
    let mut parts = report.split('&');
    let mut out = String::with_capacity(report.len() + 16);
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let entity = ["amp;", "lt;", "gt;", "quot;", "apos;", "#"];
        let begins = entity.iter().any(|name| part.starts_with(name));
        out.push_str(if begins { "&" } else { "&amp;" });
        out.push_str(part);
    }
    Cow::Owned(out)
}

/// `<Results>`, as far as it is of use. Names are DiskSpd's.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Results {
    system: Option<System>,
    profile: Option<Profile>,
    #[serde(rename = "TimeSpan", default)]
    time_spans: Vec<TimeSpan>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct System {
    computer_name: Option<String>,
    tool: Option<Tool>,
    run_time: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Tool {
    version: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Profile {
    time_spans: Option<AskedTimeSpans>,
}

#[derive(Debug, Deserialize)]
struct AskedTimeSpans {
    #[serde(rename = "TimeSpan", default)]
    list: Vec<AskedTimeSpan>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct AskedTimeSpan {
    thread_count: Option<u32>,
    request_count: Option<u32>,
    targets: Option<AskedTargets>,
}

#[derive(Debug, Deserialize)]
struct AskedTargets {
    #[serde(rename = "Target", default)]
    list: Vec<AskedTarget>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct AskedTarget {
    path: Option<String>,
    block_size: Option<u64>,
    /// Alignment of random I/O; absent where it is sequential.
    random: Option<String>,
    /// Percent of random I/O, where it is neither none nor all.
    random_ratio: Option<f64>,
    stride_size: Option<String>,
    #[serde(rename = "DisableOSCache")]
    disable_os_cache: Option<bool>,
    disable_local_cache: Option<bool>,
    /// Since 2.0.15; before that, `DisableAllCache` said that no cache was used.
    disable_all_cache: Option<bool>,
    think_time: Option<f64>,
    request_count: Option<u32>,
    write_ratio: Option<f64>,
    throughput: Option<Throughput>,
    threads_per_file: Option<u32>,
}

/// A rate that DiskSpd held, bytes per millisecond unless it says `IOPS`; 0 for none.
#[derive(Debug, Deserialize)]
struct Throughput {
    #[serde(rename = "@unit")]
    unit: Option<String>,
    #[serde(rename = "$text")]
    value: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct TimeSpan {
    error: Option<String>,
    test_time_seconds: Option<f64>,
    thread_count: Option<u32>,
    request_count: Option<u32>,
    latency: Option<LatencyTable>,
    #[serde(rename = "Thread", default)]
    threads: Vec<Thread>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct LatencyTable {
    average_read_milliseconds: Option<f64>,
    average_write_milliseconds: Option<f64>,
    #[serde(rename = "Bucket", default)]
    buckets: Vec<Bucket>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Bucket {
    percentile: Option<f64>,
    read_milliseconds: Option<f64>,
    write_milliseconds: Option<f64>,
    total_milliseconds: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Thread {
    #[serde(rename = "Target", default)]
    targets: Vec<Target>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Target {
    path: Option<String>,
    #[serde(default)]
    read_bytes: u64,
    #[serde(default)]
    read_count: u64,
    #[serde(default)]
    write_bytes: u64,
    #[serde(default)]
    write_count: u64,
    average_read_latency_milliseconds: Option<f64>,
    average_write_latency_milliseconds: Option<f64>,
}

/// Turns a report into a run.
fn run(results: Results) -> Run {
    let asked: Vec<Vec<Settings>> = results
        .profile
        .and_then(|profile| profile.time_spans)
        .map(|spans| spans.list.into_iter().map(asked_settings).collect())
        .unwrap_or_default();
    let interrupted = results.time_spans.iter().any(|span| span.error.is_some());
    let mut tests: Vec<_> = results
        .time_spans
        .into_iter()
        .enumerate()
        .map(|(index, measured)| {
            let settings = asked.get(index).map_or(&[][..], Vec::as_slice);
            span(measured).tests(settings)
        })
        .filter(|tests| !tests.is_empty())
        .collect();
    number_spans(&mut tests);
    let system = results.system;
    let (host, date, tool) = system.map_or((None, None, None), |system| {
        (system.computer_name, system.run_time, system.tool)
    });
    Run {
        format: Format::DiskspdXml,
        tool: TOOL.to_owned(),
        version: tool.and_then(|tool| tool.version),
        host,
        os: None,
        date,
        target: None,
        comment: None,
        tests: tests.into_iter().flatten().collect(),
        notes: interrupted
            .then(|| INTERRUPTED.to_owned())
            .into_iter()
            .collect(),
    }
}

/// The settings of every target of a time span. With a shared pool of threads (`-F`) those of the span hold.
fn asked_settings(span: AskedTimeSpan) -> Vec<Settings> {
    let pool = span.thread_count.filter(|count| *count > 0);
    let shared_requests = span.request_count.filter(|count| *count > 0);
    let targets = span.targets.map(|targets| targets.list).unwrap_or_default();
    let several = targets.len() > 1;
    targets
        .into_iter()
        .map(|target| {
            let mut settings = target_settings(target);
            if pool.is_some() {
                settings.threads = pool;
            }
            if let Some(requests) = shared_requests {
                // Outstanding I/Os of a thread over all targets: how many fall to each of several is not known.
                settings.queue_depth = (!several).then_some(requests);
            }
            settings
        })
        .collect()
}

fn target_settings(target: AskedTarget) -> Settings {
    let mut settings = Settings {
        pattern: pattern(&target),
        path: target.path,
        block_size: target
            .block_size
            .and_then(|bytes| BlockSize::from_bytes(bytes).ok()),
        read_share: target
            .write_ratio
            .and_then(|percent| Share::new((100.0 - percent) / 100.0).ok()),
        queue_depth: target.request_count,
        threads: target.threads_per_file,
        notes: Vec::new(),
    };
    if let Some(percent) = target.random_ratio {
        settings.note_part_random(&format!("{percent} % random"));
    }
    let uncached = [
        target.disable_os_cache,
        target.disable_local_cache,
        target.disable_all_cache,
    ];
    if !uncached.contains(&Some(true)) {
        settings.note_file_cache();
    }
    settings.note_think_time(target.think_time.unwrap_or(0.0));
    if let Some(limit) = target.throughput.and_then(|limit| limit.words()) {
        settings.note_rate_limit(&limit);
    }
    settings
}

fn pattern(target: &AskedTarget) -> Option<Pattern> {
    match (&target.random, &target.stride_size) {
        _ if target.random_ratio.is_some() => None,
        (Some(_), _) => Some(Pattern::Random),
        (None, Some(_)) => Some(Pattern::Sequential),
        (None, None) => None,
    }
}

impl Throughput {
    /// The rate in words; `None` for no limit.
    fn words(&self) -> Option<String> {
        let value = self.value.filter(|value| *value > 0.0)?;
        let unit = self.unit.as_deref().unwrap_or("bytes per ms");
        Some(format!("{value} {unit}"))
    }
}

/// Adds up what the threads counted.
fn span(measured: TimeSpan) -> Span {
    let mut span = Span {
        threads: measured.thread_count,
        request_count: measured.request_count.filter(|count| *count > 0),
        ..Span::default()
    };
    if let Some(seconds) = measured.test_time_seconds.filter(|seconds| *seconds > 0.0) {
        span.time(seconds, seconds);
    }
    for target in measured.threads.iter().flat_map(|thread| &thread.targets) {
        let counted = span.target(target.path.as_deref());
        counted.threads += 1;
        let read = Tally::new(
            target.read_bytes,
            target.read_count,
            target.average_read_latency_milliseconds,
        );
        let write = Tally::new(
            target.write_bytes,
            target.write_count,
            target.average_write_latency_milliseconds,
        );
        counted.tally.read.get_or_insert_default().add(read);
        counted.tally.write.get_or_insert_default().add(write);
    }
    if let Some(latency) = &measured.latency {
        add_latency(&mut span, latency);
    }
    span
}

/// The latencies of the whole time span, which are a target's own only where it is the only one.
fn add_latency(span: &mut Span, latency: &LatencyTable) {
    let [only] = span.counted.as_mut_slice() else {
        return;
    };
    let means = [
        (Side::Read, latency.average_read_milliseconds),
        (Side::Write, latency.average_write_milliseconds),
    ];
    for (side, mean) in means {
        if let (Some(tally), Some(mean)) = (only.tally.get_mut(side), mean) {
            *tally = Tally::new(tally.bytes, tally.ios, Some(mean));
        }
    }
    let spread_of = |side: fn(&Bucket) -> Option<f64>| -> Option<LatencyStats> {
        let points = latency.buckets.iter();
        spread(
            points
                .filter_map(|bucket| Some((bucket.percentile?, side(bucket)?)))
                .collect(),
        )
    };
    only.spread = Sides {
        total: spread_of(|bucket| bucket.total_milliseconds),
        read: spread_of(|bucket| bucket.read_milliseconds),
        write: spread_of(|bucket| bucket.write_milliseconds),
    };
}
