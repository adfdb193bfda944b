//! How fast logs are read, in bytes of text a second on one core, and how fast a long series is judged.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use diskcap::measure::series::analysis::{Known, analyse};
use diskcap::measure::series::{ReadOptions, read};

/// The size of a log that is read once for a measurement.
const LOG_BYTES: usize = 16 << 20;

/// A number that changes from line to line.
fn wobble(i: usize) -> usize {
    i.wrapping_mul(2_654_435_761) % 1000
}

/// Lines until the log is large enough.
fn log(head: &str, line: impl Fn(&mut String, usize)) -> String {
    let mut text = String::with_capacity(LOG_BYTES + 1024);
    text.push_str(head);
    let mut i = 0;
    while text.len() < LOG_BYTES {
        line(&mut text, i);
        i += 1;
    }
    text
}

fn fio_single_ios() -> String {
    log("", |text, i| {
        let _ = writeln!(
            text,
            "{}, {}, {}, 4096, {}, 0",
            i / 20,
            90_000 + wobble(i) * 300,
            i % 2,
            wobble(i) * 4096
        );
    })
}

fn fio_windows() -> String {
    log("", |text, i| {
        let _ = writeln!(text, "{}, {}, 0, 0", (i + 1) * 1000, 20_000 + wobble(i));
    })
}

fn iostat() -> String {
    const HEAD: &str = "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   \
                        wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     \
                        f/s f_await  aqu-sz  %util";
    log(
        "Linux 6.1.0 (host) \t2024-03-14 \t_x86_64_\t(8 CPU)\n\n",
        |text, i| {
            let _ = writeln!(text, "{HEAD}");
            for disk in 0..8 {
                let n = wobble(i * 8 + disk);
                let _ = writeln!(
                    text,
                    "nvme{disk}n1       {n}.25   {n}98.75     0.00   0.00    0.55    41.48   {n}.18   {n}29.42     0.00   \
                 0.00    0.40    18.04    0.00      0.00     0.00   0.00    0.00     0.00    0.00    0.00    \
                 {n}.01   0.34"
                );
            }
            text.push('\n');
        },
    )
}

fn perfmon() -> String {
    const COUNTERS: [&str; 6] = [
        "Disk Reads/sec",
        "Disk Writes/sec",
        "Disk Read Bytes/sec",
        "Disk Write Bytes/sec",
        "Avg. Disk sec/Read",
        "Avg. Disk sec/Write",
    ];
    let mut head = String::from("\"(PDH-CSV 4.0)\"");
    for disk in 0..8 {
        for counter in COUNTERS {
            let _ = write!(head, ",\"\\\\HOST\\PhysicalDisk({disk} C:)\\{counter}\"");
        }
    }
    head.push('\n');
    log(&head, |text, i| {
        let (hour, minute, second) = (i / 3600 % 24, i / 60 % 60, i % 60);
        let day = 1 + i / 86_400 % 28;
        let _ = write!(
            text,
            "\"03/{day:02}/2024 {hour:02}:{minute:02}:{second:02}.308\""
        );
        for column in 0..48 {
            let _ = write!(text, ",\"{}.199608\"", wobble(i + column));
        }
        text.push('\n');
    })
}

fn reading(c: &mut Criterion) {
    let logs = [
        (
            "fio, an entry for every I/O",
            "x_lat.1.log",
            fio_single_ios(),
        ),
        ("fio, averaged", "x_iops.1.log", fio_windows()),
        ("iostat -x", "iostat.txt", iostat()),
        ("PerfMon CSV", "perfmon.csv", perfmon()),
    ];
    let mut group = c.benchmark_group("read");
    group.sample_size(10);
    for (name, file, text) in &logs {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(*name, |b| {
            b.iter(|| read(file, black_box(text.as_bytes()), &ReadOptions::default()));
        });
    }
    group.finish();
}

fn judging(c: &mut Criterion) {
    let text = fio_windows();
    let Ok(series) = read("x_iops.1.log", text.as_bytes(), &ReadOptions::default()) else {
        return;
    };
    let mut group = c.benchmark_group("judge");
    group.sample_size(10);
    for disk in &series.disks {
        group.throughput(Throughput::Elements(disk.len() as u64));
        group.bench_function("a long series", |b| {
            b.iter(|| analyse(black_box(disk), &Known::default()));
        });
    }
    group.finish();
}

criterion_group!(benches, reading, judging);
criterion_main!(benches);
