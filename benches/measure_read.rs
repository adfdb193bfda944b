//! How fast benchmark results are read: fio JSON+ and JSON from a file, as large as is asked for.
//!
//! `DISKCAP_BENCH_MB` sets the size of the generated files (default 100), `DISKCAP_BENCH_DIR` a folder in which they are
//! kept, for other readers to be timed on the same files.

use std::fmt::Write as _;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use diskcap::measure::read::read_path;

/// Bins of one histogram: what a test of some minutes on a cloud disk has.
const BINS: u64 = 900;

/// A small generator of repeatable figures (xorshift).
struct Figures(u64);

impl Figures {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Adds `lines` as the members of an object.
fn object(out: &mut String, indent: usize, name: &str, members: &[String]) {
    let pad = " ".repeat(indent);
    let inner = members.join(&format!(",\n{pad}  "));
    write!(out, "{pad}\"{name}\" : {{\n{pad}  {inner}\n{pad}}}").expect("a string takes all");
}

fn latency(figures: &mut Figures, name: &str, ios: u64, percentiles: bool, bins: bool) -> String {
    let mut members = vec![
        format!("\"min\" : {}", ios.min(34_000)),
        format!("\"max\" : {}", ios.min(1) * 9_000_000),
        format!(
            "\"mean\" : {}.{:06}",
            ios.min(1) * 640_000,
            figures.below(1_000_000)
        ),
        format!(
            "\"stddev\" : {}.{:06}",
            ios.min(1) * 90_000,
            figures.below(1_000_000)
        ),
        format!("\"N\" : {ios}"),
    ];
    if percentiles && ios > 0 {
        let list = [
            1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9,
            99.95, 99.99,
        ];
        let list: Vec<String> = list
            .iter()
            .map(|p| format!("\"{p:.6}\" : {}", 500_000 + (p * 2_000.0) as u64))
            .collect();
        let mut text = String::new();
        object(&mut text, 10, "percentile", &list);
        members.push(text.trim_start().to_owned());
    }
    if bins && ios > 0 {
        let list: Vec<String> = (0..BINS)
            .map(|bin| {
                format!(
                    "\"{}\" : {}",
                    34_048 + bin * 8_192,
                    1 + figures.below(9_000)
                )
            })
            .collect();
        let mut text = String::new();
        object(&mut text, 10, "bins", &list);
        members.push(text.trim_start().to_owned());
    }
    let mut text = String::new();
    object(&mut text, 8, name, &members);
    text.trim_start().to_owned()
}

fn direction(figures: &mut Figures, name: &str, ios: u64, bins: bool) -> String {
    let runtime = if ios > 0 { 60_001 } else { 0 };
    let rate = ios * 1000 / runtime.max(1);
    let members = vec![
        format!("\"io_bytes\" : {}", ios * 4096),
        format!("\"io_kbytes\" : {}", ios * 4),
        format!("\"bw_bytes\" : {}", rate * 4096),
        format!("\"bw\" : {}", rate * 4),
        format!(
            "\"iops\" : {}.{:06}",
            rate,
            if ios > 0 { figures.below(1_000_000) } else { 0 }
        ),
        format!("\"runtime\" : {runtime}"),
        format!("\"total_ios\" : {ios}"),
        "\"short_ios\" : 0".to_owned(),
        "\"drop_ios\" : 0".to_owned(),
        latency(figures, "slat_ns", ios, false, false),
        latency(figures, "clat_ns", ios, true, bins),
        latency(figures, "lat_ns", ios, false, false),
        format!("\"bw_min\" : {}", rate * 3),
        format!("\"bw_max\" : {}", rate * 5),
        "\"bw_agg\" : 100.000000".to_owned(),
        format!("\"bw_mean\" : {}.500000", rate * 4),
        "\"bw_dev\" : 3252.380542".to_owned(),
        "\"bw_samples\" : 120".to_owned(),
        format!("\"iops_min\" : {}", rate / 2),
        format!("\"iops_max\" : {}", rate * 2),
        format!("\"iops_mean\" : {rate}.250000"),
        "\"iops_stddev\" : 813.156506".to_owned(),
        "\"iops_samples\" : 120".to_owned(),
    ];
    let mut text = String::new();
    object(&mut text, 6, name, &members);
    text.trim_start().to_owned()
}

fn shares(name: &str, steps: &[&str]) -> String {
    let members: Vec<String> = steps
        .iter()
        .map(|step| format!("\"{step}\" : 0.012345"))
        .collect();
    let mut text = String::new();
    object(&mut text, 6, name, &members);
    text.trim_start().to_owned()
}

fn job(figures: &mut Figures, number: usize, bins: bool) -> String {
    let ios = 150_000 + figures.below(50_000);
    let depths = ["1", "2", "4", "8", "16", "32", ">=64"];
    let steps = [
        "2", "4", "10", "20", "50", "100", "250", "500", "750", "1000",
    ];
    let members = vec![
        format!("\"jobname\" : \"step-{number}\""),
        format!("\"groupid\" : {number}"),
        "\"error\" : 0".to_owned(),
        "\"eta\" : 0".to_owned(),
        "\"elapsed\" : 61".to_owned(),
        "\"job options\" : {\n        \"rw\" : \"randread\",\n        \"bs\" : \"4k\",\n        \"iodepth\" : \"16\",\n        \"numjobs\" : \"1\"\n      }".to_owned(),
        direction(figures, "read", ios, bins),
        direction(figures, "write", 0, bins),
        direction(figures, "trim", 0, bins),
        "\"job_runtime\" : 60000".to_owned(),
        "\"usr_cpu\" : 7.620000".to_owned(),
        "\"sys_cpu\" : 38.710000".to_owned(),
        "\"ctx\" : 198879".to_owned(),
        "\"majf\" : 0".to_owned(),
        "\"minf\" : 36".to_owned(),
        shares("iodepth_level", &depths),
        shares("iodepth_submit", &depths),
        shares("iodepth_complete", &depths),
        shares("latency_ns", &steps),
        shares("latency_us", &steps),
        shares("latency_ms", &steps),
        "\"latency_depth\" : 16".to_owned(),
        "\"latency_target\" : 0".to_owned(),
        "\"latency_percentile\" : 100.000000".to_owned(),
        "\"latency_window\" : 0".to_owned(),
    ];
    format!("    {{\n      {}\n    }}", members.join(",\n      "))
}

/// Writes one fio document of at least `bytes`.
fn generate(path: &Path, bytes: usize, bins: bool) -> std::io::Result<()> {
    let mut figures = Figures(0x9E37_79B9_7F4A_7C15);
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(b"{\n  \"fio version\" : \"fio-3.36\",\n  \"time\" : \"Mon Jan  1 00:00:00 2024\",\n  \"global options\" : {\n    \"ioengine\" : \"libaio\",\n    \"direct\" : \"1\"\n  },\n  \"jobs\" : [\n")?;
    let (mut written, mut number) = (0, 0);
    while written < bytes {
        if number > 0 {
            file.write_all(b",\n")?;
        }
        let text = job(&mut figures, number, bins);
        file.write_all(text.as_bytes())?;
        written += text.len();
        number += 1;
    }
    file.write_all(b"\n  ]\n}\n")?;
    file.flush()
}

fn read(criterion: &mut Criterion) {
    let size = std::env::var("DISKCAP_BENCH_MB")
        .ok()
        .and_then(|text| text.parse::<usize>().ok());
    let bytes = size.unwrap_or(100) * 1_000_000;
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder =
        std::env::var_os("DISKCAP_BENCH_DIR").map_or(scratch.path().to_owned(), PathBuf::from);
    let mut group = criterion.benchmark_group("read");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(10));
    for (name, bins) in [("fio-json-plus", true), ("fio-json", false)] {
        let path = folder.join(format!("{name}.json"));
        generate(&path, bytes, bins).expect("room for the generated file");
        let length = std::fs::metadata(&path).expect("the generated file").len();
        group.throughput(Throughput::BytesDecimal(length));
        group.bench_function(name, |bencher| {
            bencher.iter(|| read_path(black_box(&path)).expect("generated results are read"));
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
