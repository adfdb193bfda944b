//! Real result files, where the folder with them is there: all are read, or refused for the reason that their index
//! gives, and figures are held against the files by other means than the readers'.

#![expect(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::fs;
use std::path::{Path, PathBuf};

use diskcap::measure::model::{Format, Run, Test};
use diskcap::measure::read::read_path;
use diskcap::measure::text::decode;
use serde_json::Value;

/// The files of one folder of samples; none where they are not there.
fn samples(folder: &str) -> Vec<PathBuf> {
    let all = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/samples")).join(folder);
    let Ok(entries) = fs::read_dir(all) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn read(path: &Path) -> Vec<Run> {
    read_path(path).unwrap_or_else(|error| panic!("{error}"))
}

/// The only file whose name begins so; `None` where the samples are not there.
fn sample(folder: &str, start: &str) -> Option<Vec<Run>> {
    let named = |path: &PathBuf| {
        path.file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with(start)
    };
    let path = samples(folder).into_iter().find(named)?;
    Some(read(&path))
}

fn tests(runs: &[Run]) -> impl Iterator<Item = &Test> {
    runs.iter().flat_map(|run| &run.tests)
}

#[test]
fn crystaldiskmark_gives_every_line_with_its_figures() {
    for path in samples("cdm") {
        let runs = read(&path);
        let bytes = fs::read(&path).unwrap();
        let text = decode(&bytes);
        // Lines with a figure in front of the unit: the last word before "MB/s", and the word before "IOPS".
        let word_before = |line: &str, unit: &str| -> Option<f64> {
            let head = line
                .split(unit)
                .next()
                .filter(|head| head.len() < line.len())?;
            head.split_whitespace()
                .next_back()?
                .trim_matches(['[', ':'])
                .parse()
                .ok()
        };
        let expected: Vec<(f64, Option<f64>)> = text
            .lines()
            .filter_map(|line| Some((word_before(line, "MB/s")?, word_before(line, "IOPS"))))
            .collect();
        let found: Vec<(f64, Option<f64>)> = tests(&runs)
            .map(|test| (test.mbps.unwrap().get(), test.iops.map(f64::from)))
            .collect();
        assert_eq!(found, expected, "{}", path.display());
        for test in tests(&runs) {
            assert_eq!(test.notes, [""; 0], "{}: {}", path.display(), test.name);
            assert!(test.kind.read_share.is_some() && test.kind.block_size.is_some());
        }
    }
}

#[test]
fn crystaldiskmark_values_read_by_eye() {
    let Some(runs) = sample("cdm", "cdm521-azure") else {
        return;
    };
    let run = &runs[0];
    assert_eq!(run.version.as_deref(), Some("5.2.1"));
    assert_eq!(run.target.as_deref(), Some("C: 10.2% (12.9/127.0 GiB)"));
    assert_eq!(run.tests[2].iops.unwrap().get(), 16_456.8);
    assert_eq!(run.tests[2].kind.queue_depth, Some(32));
    let Some(runs) = sample("cdm", "cdm700-hdd-64GiB") else {
        return;
    };
    let slowest = &runs[0].tests[6];
    assert_eq!(
        slowest.latency.as_ref().unwrap().mean.unwrap().micros(),
        1_069_197.10
    );
    let Some(runs) = sample("cdm", "cdm804") else {
        return;
    };
    assert_eq!(runs[0].tests.len(), 12);
    assert_eq!(runs[0].tests[11].kind.read_share.unwrap().get(), 0.7);
    let Some(runs) = sample("cdm", "cdm3-no-header") else {
        return;
    };
    assert_eq!(runs.len(), 2);
}

/// The JSON document in a file with text before it.
fn document(path: &Path) -> Option<Value> {
    let text = fs::read_to_string(path).unwrap();
    let start = text.find("\n{").map_or(0, |at| at + 1);
    serde_json::from_str(text.get(start..)?).ok()
}

#[test]
fn fio_json_gives_every_direction_with_its_figures() {
    for path in samples("fio") {
        let Some(document) = document(&path) else {
            continue;
        };
        let runs = read(&path);
        let jobs = ["jobs", "client_stats"]
            .iter()
            .find_map(|key| document.get(key)?.as_array());
        let mut expected = Vec::new();
        for job in jobs.unwrap() {
            for direction in ["read", "write", "trim"] {
                let figures = &job[direction];
                if figures["io_bytes"].as_u64() > Some(0) {
                    let kib = figures["bw"].as_f64().unwrap() * 1024.0;
                    let bytes = figures["bw_bytes"].as_f64().unwrap_or(kib);
                    let mean = figures["lat_ns"]["mean"].as_f64().map(|ns| ns / 1e3);
                    let mean = mean.or(figures["lat"]["mean"].as_f64());
                    let name = job["jobname"].as_str().unwrap().to_owned();
                    expected.push((
                        name,
                        figures["iops"].as_f64().unwrap(),
                        bytes / 1e6,
                        mean.unwrap(),
                    ));
                }
            }
        }
        // Sums are not in the file.
        let given = |test: &&Test| !test.name.ends_with("jobs, read");
        let found: Vec<(String, f64, f64, f64)> = tests(&runs)
            .filter(given)
            .map(|test| {
                let mean = test.latency.as_ref().unwrap().mean.unwrap().micros();
                (
                    test.name.clone(),
                    test.iops.unwrap().get(),
                    test.mbps.unwrap().get(),
                    mean,
                )
            })
            .collect();
        assert_eq!(found, expected, "{}", path.display());
    }
}

#[test]
fn one_run_reads_alike_from_json_and_text() {
    let (Some(json), Some(text)) = (sample("fio", "fio340-json"), sample("fio", "fio340-normal"))
    else {
        return;
    };
    assert_eq!(json[0].tests.len(), text[0].tests.len());
    for (a, b) in json[0].tests.iter().zip(&text[0].tests) {
        let near = |x: f64, y: f64| (x / y - 1.0).abs() < 0.005;
        assert_eq!(
            (&a.name, a.io_count, a.kind.block_size),
            (&b.name, b.io_count, b.kind.block_size)
        );
        assert_eq!(
            (a.kind.queue_depth, a.kind.threads),
            (b.kind.queue_depth, b.kind.threads)
        );
        assert!(near(a.iops.unwrap().get(), b.iops.unwrap().get()));
        assert!(near(a.mbps.unwrap().get(), b.mbps.unwrap().get()));
        let (x, y) = (a.latency.as_ref().unwrap(), b.latency.as_ref().unwrap());
        assert!(near(x.mean.unwrap().micros(), y.mean.unwrap().micros()));
        assert_eq!(x.percentiles.len(), y.percentiles.len());
    }
}

#[test]
fn fio_text_and_terse_values_read_by_eye() {
    let Some(runs) = sample("fio", "fio2210") else {
        return;
    };
    assert_eq!(runs.len(), 5);
    let first = &runs[0].tests[0];
    // 53,966 KB/s of 1,024 bytes; 8 jobs of queue depth 16.
    assert_eq!(first.mbps.unwrap().get(), 53_966.0 * 1024.0 / 1e6);
    assert_eq!(first.kind.outstanding(), Some(128));
    let Some(runs) = sample("fio", "fio31-normal") else {
        return;
    };
    assert_eq!(runs[0].tests[0].mbps.unwrap().get(), 21.6);
    let Some(runs) = sample("fio", "fio38git") else {
        return;
    };
    let write = &runs[0].tests[0];
    assert_eq!(
        (runs[0].format, write.kind.read_share.unwrap().get()),
        (Format::FioTerse, 0.0)
    );
    assert_eq!(write.kind.block_size.unwrap().bytes(), 8192);
    let Some(runs) = sample("fio", "fio332") else {
        return;
    };
    assert_eq!((runs.len(), runs[0].format), (1, Format::FioText));
    let Some(runs) = sample("fio", "fio339") else {
        return;
    };
    let test = &runs[0].tests[0];
    assert_eq!(
        test.histogram.as_ref().unwrap().count(),
        test.io_count.unwrap()
    );
}

#[test]
fn client_mode_gives_each_host_and_fio_s_own_sum() {
    let Some(runs) = sample("fio", "fio37-json-client") else {
        return;
    };
    let [one, other, all] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    // Five clones on each host, and their sum.
    for host in [one, other] {
        assert!(host.host.is_some());
        assert_eq!(host.tests.len(), 6);
        let sum = host.tests.last().unwrap();
        assert!(
            host.tests[..5]
                .iter()
                .all(|part| part.part_of.as_ref() == Some(&sum.name))
        );
        assert_eq!(sum.kind.threads, Some(5));
    }
    let sums: u64 = [one, other]
        .iter()
        .map(|run| run.tests[5].io_count.unwrap())
        .sum();
    assert_eq!(all.tests[0].name, "All clients");
    assert_eq!(all.tests[0].io_count, Some(sums));
    assert_eq!(all.tests[0].kind.threads, Some(10));
}

#[test]
fn a_file_of_errors_is_refused_with_fio_s_words() {
    let files = samples("fio");
    let Some(path) = files
        .iter()
        .find(|path| path.to_string_lossy().contains("error-only"))
    else {
        return;
    };
    let message = read_path(path).unwrap_err().to_string();
    assert!(message.contains("fio: pid="), "{message}");
    assert!(message.contains("looked for"), "{message}");
}
