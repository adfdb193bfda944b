//! Histogram logs of fio. The expected values are worked out by hand from fio's binning: 64 bins to a group, bins of
//! one value up to 127, then twice as wide from group to group; a bin stands for the middle of its range.

use diskcap::measure::series::{DiskSeries, Notice, ReadOptions, Series, read, read_files};
use proptest::prelude::*;

/// A line with `bins` bins of which some are filled.
fn line(head: &str, bins: usize, filled: &[(usize, u64)]) -> String {
    let mut counts = vec![0; bins];
    for (bin, count) in filled {
        counts[*bin] = *count;
    }
    let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
    format!("{head}, {}\n", counts.join(", "))
}

fn histogram(log: &str) -> Series {
    read(
        "job_clat_hist.1.log",
        log.as_bytes(),
        &ReadOptions::default(),
    )
    .unwrap()
}

fn only(series: &Series) -> &DiskSeries {
    assert_eq!(series.disks.len(), 1);
    &series.disks[0]
}

#[track_caller]
fn close(read: Option<f64>, expected: f64) {
    let read = read.expect("a value");
    assert!(
        (read - expected).abs() <= expected * 1e-9,
        "{read} is not {expected}"
    );
}

#[test]
fn counts_make_rates_means_and_percentiles() {
    // Bin 650 is (64 + 10) x 2^9 ns, 512 wide: 38,144. Bin 1000 is (64 + 40) x 2^14, 16,384 wide: 1,712,128.
    let log = line("1000, 0, 4096", 1856, &[(650, 99), (1000, 1)])
        + &line("2000, 0, 4096", 1856, &[(650, 50)]);
    let series = histogram(&log);
    let disk = only(&series);
    assert_eq!(
        (disk.name.as_str(), disk.end_ms.as_slice()),
        ("job", &[1000, 2000][..])
    );
    close(disk.read.iops.number(0), 100.0);
    close(disk.total.iops.number(1), 50.0);
    close(disk.total.mbps.number(0), 0.4096);
    // (99 x 38,144 + 1,712,128) / 100
    close(disk.total.latency.number(0), 54.883_84);
    close(disk.total.latency.number(1), 38.144);
    close(disk.latency_p99.number(0), 38.144);
    close(disk.latency_max.number(0), 1712.128);
    // Of 150 I/Os the slowest is the 150th: above 99 % (the 149th), at 99.9 %.
    let at = |percent: f64| {
        let found = disk.io_latency.iter().find(|p| p.percent == percent);
        found.map(|p| p.latency.micros())
    };
    close(at(50.0), 38.144);
    close(at(99.0), 38.144);
    close(at(99.9), 1712.128);
    // The bins tell the unit, so nothing is assumed.
    assert_eq!(series.notices, [Notice::CompletionLatency]);
}

#[test]
fn coarser_bins_of_fio_2_are_microseconds() {
    // 1,216 bins, four to one. Bin 160: 640 to 643 of the fine ones, 32,768 to 34,816 us.
    let times = [500, 1000, 1500];
    let log: String = times
        .map(|ms| line(&format!("{ms}, 1, 8192"), 304, &[(160, 10)]))
        .concat();
    let series = histogram(&log);
    let disk = only(&series);
    assert_eq!(disk.end_ms, times);
    for sample in 0..3 {
        close(disk.write.iops.number(sample), 20.0);
        close(disk.write.mbps.number(sample), 0.163_84);
        close(disk.write.latency.number(sample), 33_792.0);
    }
    let median = disk.io_latency[0].latency.micros();
    assert!((median / 33_792.0 - 1.0).abs() < 0.01, "{median}");
}

#[test]
fn a_window_without_io_is_idle_and_jobs_in_one_log_add_up() {
    let log = line("1000, 0, 4096", 29, &[(5, 10)])
        + &line("4000, 0, 4096", 29, &[(5, 30)])
        + &line("1001, 0, 4096", 29, &[(5, 1)]);
    let two = line("1000, 1, 4096", 29, &[(3, 4)]) + &line("2000, 1, 4096", 29, &[(3, 4)]);
    let series = histogram(&(two + &log));
    let disk = only(&series);
    let read: Vec<_> = (0..4).map(|i| disk.read.iops.number(i)).collect();
    assert_eq!(read, [Some(11.0), Some(0.0), Some(0.0), Some(30.0)]);
    assert_eq!(disk.total.iops.number(0), Some(15.0));
}

#[test]
fn windows_that_end_between_seconds_stay_apart() {
    // Since 1970, and half a second after every whole one, now a little before, now after.
    let log: String = (0..8_u64)
        .map(|i| {
            let ms = 1_700_000_000_499 + i * 1000 + i % 2 * 2;
            line(&format!("{ms}, 0, 4096"), 29, &[(4, 10)])
        })
        .collect();
    let series = histogram(&log);
    assert_eq!(only(&series).total.iops.numbers(8), [10.0; 8]);
}

#[test]
fn blocks_of_several_sizes_make_no_throughput() {
    let log = line("1000, 0, 4096", 29, &[(5, 10)]) + &line("2000, 0, 65536", 29, &[(5, 10)]);
    let series = histogram(&log);
    assert_eq!(only(&series).total.iops.number(0), Some(10.0));
    assert_eq!(only(&series).total.mbps.number(0), None);
}

#[test]
fn the_other_logs_of_the_job_say_the_rates() {
    let folder = tempfile::tempdir().unwrap();
    let hist =
        line("1000, 0, 4096", 1856, &[(650, 90)]) + &line("2000, 0, 4096", 1856, &[(650, 90)]);
    let files = [
        ("d_clat_hist.1.log", hist.as_str()),
        ("d_iops.1.log", "1000, 100, 0, 0\n2000, 110, 0, 0\n"),
        ("d_clat.1.log", "1000, 5000000, 0, 0\n2000, 5000000, 0, 0\n"),
    ];
    let paths = files.map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    });
    let all = read_files(&paths, &ReadOptions::default()).unwrap();
    let disk = only(&all[0]);
    close(disk.total.iops.number(1), 110.0);
    close(disk.total.latency.number(1), 38.144);
    close(disk.total.mbps.number(1), 90.0 * 4096.0 / 1e6);
}

#[test]
fn torn_lines_are_counted_and_other_numbers_of_bins_refused() {
    let whole = line("1000, 0, 4096", 29, &[(5, 10)]);
    let log = format!(
        "000, 0, 4096, 3\n{whole}{}2000, 0, 40",
        whole.replace("1000", "2000")
    );
    let series = histogram(&log);
    assert_eq!(only(&series).len(), 2);
    assert!(
        series
            .notices
            .contains(&Notice::MalformedLines { count: 2, first: 1 }),
        "{:?}",
        series.notices
    );
    let log = line("1000, 0, 4096", 100, &[(5, 10)]);
    let error = read("x_clat_hist.1.log", log.as_bytes(), &ReadOptions::default()).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("1,856 bins (fio 3)") && error.contains("lines with 100 bins"),
        "{error}"
    );
    let log = line("1000, 0, 4096", 29, &[]);
    let error = read("x_clat_hist.1.log", log.as_bytes(), &ReadOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("looked for I/Os in the bins"),
        "{error}"
    );
}

/// Lines of a log with some bins filled.
fn lines() -> impl Strategy<Value = String> {
    let bins = prop::sample::select(vec![29_usize, 58, 304, 1216, 1856]);
    let filled = prop::collection::vec(
        (any::<prop::sample::Index>(), 1..u64::from(u32::MAX)),
        0..12,
    );
    let lines = prop::collection::vec((0..3_u8, filled), 1..12);
    (bins, lines).prop_map(|(bins, lines)| {
        let each = lines.iter().zip(1..).map(|((direction, filled), second)| {
            let filled: Vec<(usize, u64)> = filled
                .iter()
                .map(|(at, count)| (at.index(bins), *count))
                .collect();
            line(&format!("{second}000, {direction}, 4096"), bins, &filled)
        });
        each.collect()
    })
}

fn check(series: &Series) {
    for disk in &series.disks {
        let over_all = disk.io_latency.windows(2);
        for pair in over_all {
            assert!(pair[0].percent < pair[1].percent && pair[0].latency <= pair[1].latency);
        }
        for sample in 0..disk.len() {
            let (p99, max) = (
                disk.latency_p99.number(sample),
                disk.latency_max.number(sample),
            );
            if let (Some(p99), Some(max)) = (p99, max) {
                // Both within what a bin is wide.
                assert!(p99 <= max * 1.01, "{p99} above {max}");
            }
        }
    }
}

proptest! {
    #[test]
    fn percentiles_never_fall(log in lines()) {
        if let Ok(series) = read("x_clat_hist.1.log", log.as_bytes(), &ReadOptions::default()) {
            check(&series);
        }
    }

    #[test]
    fn any_bytes_give_a_result_or_an_error(
        log in lines(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20),
        length in any::<prop::sample::Index>(),
    ) {
        let mut bytes = log.into_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(length.index(bytes.len()) + 1);
        if let Ok(series) = read("x_clat_hist.1.log", bytes.as_slice(), &ReadOptions::default()) {
            check(&series);
        }
    }
}
