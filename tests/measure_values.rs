//! Values of the fixtures, worked out by hand from the files, beside the goldens that the reader itself wrote.

#![expect(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::path::Path;

use diskcap::measure::model::{Format, Run, Test};
use diskcap::measure::read::{read_bytes, read_path, read_stream};
use diskcap::workload::Pattern;

fn fixture(name: &str) -> Vec<Run> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/measure");
    read_path(&folder.join(name)).unwrap_or_else(|error| panic!("{error}"))
}

fn error(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/measure");
    read_path(&folder.join(name)).unwrap_err().to_string()
}

fn mbps(test: &Test) -> f64 {
    test.mbps.unwrap().get()
}

fn iops(test: &Test) -> f64 {
    test.iops.unwrap().get()
}

fn mean(test: &Test) -> f64 {
    test.latency.as_ref().unwrap().mean.unwrap().micros()
}

fn share(test: &Test) -> Option<f64> {
    test.kind.read_share.map(f64::from)
}

fn block(test: &Test) -> Option<u64> {
    test.kind.block_size.map(|block| block.bytes())
}

/// Queue depth and threads.
fn queue(test: &Test) -> (Option<u32>, Option<u32>) {
    (test.kind.queue_depth, test.kind.threads)
}

#[track_caller]
fn about(value: f64, expected: f64) {
    assert!(
        (value / expected - 1.0).abs() < 1e-9,
        "{value} is not {expected}"
    );
}

#[test]
fn crystaldiskmark_3_in_a_japanese_page() {
    let runs = fixture("cdm3-japanese-page.shift_jis.txt");
    let [run] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    assert_eq!(run.version.as_deref(), Some("3.0.4"));
    assert_eq!(run.target.as_deref(), Some("F: 61.5% (615.0/1000.0 GB)"));
    assert_eq!(run.date.as_deref(), Some("2014/09/30 7:05:09"));
    assert_eq!(run.comment.as_deref(), Some("データ用ドライブ"));
    assert_eq!(run.tests.len(), 8);
    let random = &run.tests[6];
    assert_eq!(random.name, "Random Read 4KB (QD=32)");
    assert_eq!((mbps(random), iops(random)), (20.48, 5000.0));
    assert_eq!((share(random), block(random)), (Some(1.0), Some(4096)));
    assert_eq!(queue(random), (Some(32), Some(1)));
    let half = &run.tests[3];
    assert_eq!((share(half), block(half)), (Some(0.0), Some(512 * 1024)));
    assert_eq!(half.iops, None);
    let sequential = &run.tests[0];
    assert_eq!(
        (block(sequential), queue(sequential)),
        (Some(1 << 20), (Some(1), Some(1)))
    );
}

#[test]
fn crystaldiskmark_5_with_its_unlabelled_comment() {
    let runs = fixture("cdm5-comment.utf16le.txt");
    let run = &runs[0];
    assert_eq!(run.comment.as_deref(), Some("P20, host caching none"));
    assert_eq!(
        run.os.as_deref(),
        Some("Windows Server 2012 R2 Datacenter (Full installation) [6.3 Build 9600] (x64)")
    );
    let queued = &run.tests[0];
    assert_eq!(
        (block(queued), queue(queued)),
        (Some(128 * 1024), (Some(32), Some(1)))
    );
    assert_eq!(mbps(queued), 151.5);
    let single = &run.tests[4];
    assert_eq!(
        (block(single), queue(single)),
        (Some(1 << 20), (Some(1), Some(1)))
    );
    assert_eq!(iops(&run.tests[6]), 1500.0);
}

#[test]
fn crystaldiskmark_7_latencies_that_fill_their_field_and_a_test_not_run() {
    let runs = fixture("cdm7-slow-disk.utf16be-without-mark.txt");
    let run = &runs[0];
    assert_eq!(run.tests.len(), 5);
    assert_eq!(mean(&run.tests[1]), 1_023_456.78);
    assert_eq!(queue(&run.tests[1]), (Some(32), Some(16)));
    assert_eq!(share(&run.tests[3]), Some(0.0));
    assert!(
        run.notes.iter().any(|note| note.contains("was not run")),
        "{:?}",
        run.notes
    );
    assert_eq!(run.target, None);
}

#[test]
fn crystaldiskmark_8_quoted_with_a_mix() {
    let runs = fixture("cdm8-nvme-mix-quoted.txt");
    let [run] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    assert_eq!(run.tests.len(), 12);
    assert_eq!(run.version.as_deref(), Some("8.0.5"));
    assert_eq!(
        run.comment.as_deref(),
        Some("temp disk, before CrystalDiskMark 9 came")
    );
    let mix = &run.tests[10];
    assert_eq!(mix.name, "RND 4KiB (Q= 32, T=16)");
    assert_eq!(
        (share(mix), mbps(mix), iops(mix)),
        (Some(0.7), 225.0, 54_931.6)
    );
    assert_eq!(mean(mix), 9320.8);
    assert_eq!(mix.seconds, Some(30.0));
    assert!(
        run.notes
            .contains(&"test file of 8 GiB, best of 5 passes".to_owned())
    );
}

#[test]
fn crystaldiskmark_runs_one_after_the_other_stay_apart() {
    let runs = fixture("cdm9-real-then-peak.txt");
    let [real, peak] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    assert_eq!((real.tests.len(), peak.tests.len()), (4, 4));
    assert!(real.notes.contains(&"profile Real".to_owned()));
    assert!(peak.notes.contains(&"profile Peak".to_owned()));
    assert_eq!(iops(&peak.tests[1]), 5000.0);
    let runs = fixture("cdm-labels-only.txt");
    let [before, after] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    assert_eq!(mbps(&before.tests[2]), 125.5);
    assert_eq!(mbps(&after.tests[0]), 500.0);
    // 9,000 x 4,096 bytes are 36.9 MB/s, where 40.96 are printed.
    assert_eq!(after.tests[1].notes.len(), 1);
    assert!(before.tests.iter().all(|test| test.notes.is_empty()));
}

#[test]
fn crystaldiskmark_in_a_page_of_html() {
    let runs = fixture("cdm-html-page.html");
    let [run] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    let figures: Vec<f64> = run.tests.iter().map(mbps).collect();
    assert_eq!(figures, [151.5, 6.144, 101.5, 99.25, 4.096, 81.92]);
    assert_eq!(iops(&run.tests[1]), 1500.0);
    assert_eq!(
        (mean(&run.tests[5]), share(&run.tests[5])),
        (49.5, Some(1.0))
    );
}

#[test]
fn a_likeness_of_crystaldiskmark_goes_by_its_own_name() {
    let runs = fixture("kdiskmark.txt");
    assert_eq!(
        (runs[0].tool.as_str(), runs[0].version.as_deref()),
        ("KDiskMark", Some("3.1.4"))
    );
    assert_eq!(
        (block(&runs[0].tests[3]), iops(&runs[0].tests[3])),
        (Some(4096), 5000.0)
    );
    assert_eq!(runs[0].target, None);
}

#[test]
fn fio_json_with_text_around_it() {
    let runs = fixture("fio3-mixed-error-idle-trim.txt");
    let [run] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    assert_eq!(
        (run.format, run.version.as_deref()),
        (Format::FioJson, Some("3.36"))
    );
    assert_eq!(run.date.as_deref(), Some("Mon Jan  8 09:10:11 2024"));
    let [read, write, verify, trim, sum] = run.tests.as_slice() else {
        panic!("{} tests", run.tests.len())
    };
    // 70,000 I/Os of 8 KiB in 10 s: 57,344,000 bytes a second.
    assert_eq!(
        (iops(read), mbps(read), share(read)),
        (7000.0, 57.344, Some(1.0))
    );
    assert_eq!((mean(read), mean(write)), (2000.0, 6000.0));
    assert_eq!(read.target.as_deref(), Some("/dev/sdc"));
    assert_eq!(read.kind.pattern, Some(Pattern::Random));
    assert_eq!(read.part_of.as_deref(), Some(sum.name.as_str()));
    // (70,000 x 2,000 + 30,000 x 6,000) / 100,000
    assert_eq!(
        (iops(sum), mean(sum), share(sum)),
        (10_000.0, 3200.0, Some(0.7))
    );
    about(mbps(sum), 81.92);
    assert_eq!(sum.kind.outstanding(), Some(32));
    assert_eq!(verify.notes, ["the job ended with error 84"]);
    assert_eq!((share(trim), block(trim)), (None, Some(65_536)));
    assert!(
        run.notes
            .iter()
            .any(|note| note.starts_with("fio: pid=4711, err=84/"))
    );
    assert!(
        run.notes
            .iter()
            .any(|note| note.contains("'never'") && note.contains("28"))
    );
}

#[test]
fn clones_are_judged_by_their_sum_and_a_synchronous_job_by_its_real_depth() {
    let runs = fixture("fio3-clones-and-sync-engine.json");
    let tests = &runs[0].tests;
    let sum = tests.last().unwrap();
    assert_eq!(sum.name, "scan: 3 jobs, read");
    assert_eq!((iops(sum), queue(sum)), (4000.0, (Some(8), Some(3))));
    // (10,000 x 8 ms + 20,000 x 4 ms + 10,000 x 8 ms) / 40,000 = 6 ms; a plain mean would be 6.67 ms.
    assert_eq!(mean(sum), 6000.0);
    assert!(
        tests[..3]
            .iter()
            .all(|part| part.part_of.as_ref() == Some(&sum.name))
    );
    assert_eq!(tests[0].target.as_deref(), Some("/mnt/data"));
    let log = &tests[3];
    assert_eq!((log.name.as_str(), queue(log)), ("log", (Some(1), Some(1))));
    assert_eq!((block(log), share(log)), (Some(16_384), Some(0.0)));
    assert!(log.notes[0].contains("queue depth of 32"));
    assert_eq!(log.part_of, None);
}

#[test]
fn json_plus_within_other_json_keeps_its_bins() {
    let runs = fixture("fio3-jsonplus-two-documents-wrapped.utf16le.json");
    let [grouped, pair] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    let test = &grouped.tests[0];
    assert_eq!(queue(test), (Some(16), Some(4)));
    let histogram = test.histogram.as_ref().unwrap();
    assert_eq!(histogram.count(), 100);
    // 10 at 100 us, 60 at 101 us, 25 at 102 us, 4 at 140 us, 1 at 1 ms.
    assert_eq!(histogram.percentile(70.0).unwrap().micros(), 101.0);
    assert_eq!(histogram.percentile(99.0).unwrap().micros(), 140.0);
    let sum = pair.tests.last().unwrap();
    assert_eq!((mean(sum), iops(sum), mbps(sum)), (125.0, 4000.0, 524.288));
    // 150 at 50 us, 200 at 150 us, 50 at 250 us.
    let median = sum
        .latency
        .as_ref()
        .unwrap()
        .percentiles
        .iter()
        .find(|p| p.percent == 50.0);
    assert_eq!(median.unwrap().latency.micros(), 150.0);
}

#[test]
fn each_client_of_a_server_is_a_run_and_fio_s_own_sum_another() {
    let runs = fixture("fio3-client-server.txt");
    let [alpha, beta, all] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    assert_eq!(
        (
            alpha.host.as_deref(),
            beta.host.as_deref(),
            all.host.as_deref()
        ),
        (Some("alpha"), Some("beta"), None)
    );
    assert_eq!(
        (iops(&alpha.tests[0]), mean(&beta.tests[0])),
        (4000.0, 2500.0)
    );
    let sum = &all.tests[0];
    assert_eq!(sum.name, "All clients");
    assert_eq!(
        (iops(sum), mean(sum), queue(sum)),
        (6000.0, 1500.0, (Some(4), Some(2)))
    );
    assert_eq!(sum.kind.pattern, Some(Pattern::Random));
    assert!(sum.notes[0].contains("2 hosts"), "{:?}", sum.notes);
    assert!(
        runs.iter()
            .flat_map(|run| &run.tests)
            .all(|test| test.part_of.is_none())
    );
}

#[test]
fn fio_2_counts_in_kib_and_microseconds() {
    let runs = fixture("fio2-json-nan-and-windows-path.json");
    let [big, small] = runs[0].tests.as_slice() else {
        panic!()
    };
    // 102,400 KiB/s are 104.8576 MB/s: MiB and MB do not mix.
    assert_eq!(
        (mbps(big), iops(big), mean(big)),
        (104.8576, 100.0, 640_000.0)
    );
    assert_eq!(block(big), Some(1 << 20));
    assert_eq!(
        (mbps(small), block(small), share(small)),
        (2.048, Some(4096), Some(0.0))
    );
    assert_eq!(small.target.as_deref(), Some("D:\\fio data"));
    assert_eq!(small.latency.as_ref().unwrap().percentiles.len(), 17);
}

#[test]
fn a_cut_off_document_gives_what_is_whole() {
    let runs = fixture("fio3-cut-off.json");
    assert_eq!(runs[0].tests.len(), 1);
    assert!(runs[0].notes[0].contains("ends in the middle"));
}

#[test]
fn fio_text_of_a_mixed_job() {
    let runs = fixture("fio3-text-mixed.txt");
    let [read, write, sum] = runs[0].tests.as_slice() else {
        panic!()
    };
    assert_eq!(runs[0].version.as_deref(), Some("3.28"));
    // The decimal rate, not the binary 54.7 beside it.
    assert_eq!(
        (mbps(read), iops(read), mean(read)),
        (57.3, 7000.0, 12_000.0)
    );
    assert_eq!(
        (block(read), queue(read)),
        (Some(8192), (Some(32), Some(4)))
    );
    assert_eq!(read.target.as_deref(), Some("/dev/sdd"));
    // In milliseconds.
    assert_eq!((mean(write), share(write)), (14_750.0, Some(0.0)));
    // (70,000 x 12 ms + 30,000 x 14.75 ms) / 100,000
    assert_eq!((mean(sum), sum.kind.outstanding()), (12_825.0, Some(128)));
    let most = read.latency.as_ref().unwrap().max.unwrap();
    assert_eq!(most.micros(), 41_000.0);
}

#[test]
fn fio_text_in_pieces() {
    let runs = fixture("fio3-text-fragments.txt");
    let [read, write, sums] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    // 125,012 in 10.001 s, which fio prints as 12.5k.
    about(iops(&read.tests[0]), 125_012.0 / 10.001);
    assert_eq!(block(&read.tests[0]), Some(4096));
    // 38 in 10 s, which fio cuts to 3.
    assert_eq!(
        (iops(&write.tests[0]), block(&write.tests[0])),
        (3.8, Some(1 << 20))
    );
    assert_eq!((mbps(&sums.tests[0]), sums.tests[0].iops), (125.0, None));
    assert_eq!(sums.tests[0].seconds, Some(60.001));
}

#[test]
fn fio_2_text_of_several_runs() {
    let runs = fixture("fio2-text-two-runs-of-clones.log");
    assert_eq!(runs.len(), 2);
    for run in &runs {
        let sum = run.tests.last().unwrap();
        // 98,304 KiB/s, which fio 2 calls KB/s.
        about(mbps(sum), 100.663_296);
        assert_eq!(
            (iops(sum), queue(sum), block(sum)),
            (1536.0, (Some(4), Some(2)), Some(65_536))
        );
        // (10,240 x 3 ms + 5,120 x 9 ms) / 15,360 = 5 ms; a plain mean would be 6 ms.
        assert_eq!(mean(sum), 5000.0);
    }
}

#[test]
fn fio_1_text() {
    let runs = fixture("fio1-text.txt");
    let [backup, lookup] = runs[0].tests.as_slice() else {
        panic!()
    };
    assert_eq!(runs[0].version.as_deref(), Some("1.59"));
    // 51,200 and 6,250 KiB/s.
    assert_eq!((mbps(backup), mbps(lookup)), (52.4288, 6.4));
    assert_eq!((iops(backup), iops(lookup)), (50.0, 390.6));
    assert_eq!((mean(backup), mean(lookup)), (19_500.0, 5112.0));
    assert_eq!(
        (block(lookup), queue(lookup)),
        (Some(16_384), (Some(2), Some(1)))
    );
}

#[test]
fn fio_text_of_several_clients() {
    let runs = fixture("fio3-text-client.txt");
    let [gamma, delta, all] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    assert_eq!(
        (gamma.host.as_deref(), delta.host.as_deref()),
        (Some("gamma"), Some("delta"))
    );
    assert_eq!(
        (iops(&all.tests[0]), queue(&all.tests[0])),
        (4000.0, (Some(16), Some(2)))
    );
    assert_eq!(delta.tests[0].notes, ["the job ended with error 5"]);
    assert!(
        runs.iter()
            .all(|run| run.version.as_deref() == Some("3.19"))
    );
}

#[test]
fn fio_text_of_all_directions_as_one() {
    let runs = fixture("fio3-text-unified-lat-percentiles.txt");
    let test = &runs[0].tests[0];
    assert_eq!(
        (iops(test), share(test), test.io_count),
        (900.0, None, Some(9000))
    );
    let latency = test.latency.as_ref().unwrap();
    let percentiles: Vec<(f64, f64)> = latency
        .percentiles
        .iter()
        .map(|p| (p.percent, p.latency.micros()))
        .collect();
    // Those of lat, not of clat, and not of fsync.
    assert_eq!(percentiles, [(50.0, 1000.0), (99.0, 5000.0)]);
    assert_eq!((mean(test), queue(test)), (1101.0, (Some(1), Some(1))));
}

#[test]
fn terse_lines_of_every_version() {
    let runs = fixture("fio-terse-2-to-5.txt");
    let [three, four, five, two] = runs.as_slice() else {
        panic!("{} runs", runs.len())
    };
    // Two lines with the same disk figures are of one call.
    assert_eq!(iops(three.tests.last().unwrap()), 1500.0);
    about(mbps(&three.tests[0]), 4.096);
    assert_eq!(
        (block(&three.tests[0]), three.tests[0].kind.queue_depth),
        (Some(4096), Some(1))
    );
    let mix = four.tests.last().unwrap();
    assert_eq!((share(mix), iops(mix)), (Some(0.7), 1250.0));
    let test = &five.tests[0];
    assert_eq!(
        (share(test), mbps(test), block(test)),
        (Some(0.0), 104.8576, Some(1 << 20))
    );
    assert_eq!(test.notes, ["the job ended with error 5"]);
    assert_eq!((two.version.as_deref(), two.tests[0].iops), (None, None));
    assert_eq!(mean(&two.tests[0]), 901.0);
}

#[test]
fn one_run_in_two_formats_is_one_run() {
    let runs = fixture("fio3-terse-and-normal.txt");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].format, Format::FioText);
    assert!(runs[0].notes[0].contains("fio terse lines"));
}

#[test]
fn an_input_without_a_result_is_told_what_was_looked_for() {
    let message = error("fio-only-errors.txt");
    assert!(message.contains("fio-only-errors.txt"), "{message}");
    assert!(
        message.contains("failed opening blockdev /dev/sdz"),
        "{message}"
    );
    assert!(message.contains("IOPS="), "{message}");
    let message = error("no-result.txt");
    assert!(
        message.contains("CrystalDiskMark") && message.contains("fio JSON"),
        "{message}"
    );
    assert!(error("empty.txt").contains("empty"));
    assert!(error("fio-idle.json").contains("error 2"));
    assert!(error("other.json").contains("no benchmark result"));
    let missing = read_path(Path::new("no/such/file.json"))
        .unwrap_err()
        .to_string();
    assert!(missing.contains("no/such/file.json"), "{missing}");
}

#[test]
fn the_file_s_name_does_not_matter() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/measure");
    let bytes = std::fs::read(folder.join("fio3-clones-and-sync-engine.json")).unwrap();
    let expected = fixture("fio3-clones-and-sync-engine.json");
    assert_eq!(read_bytes(&bytes, "CrystalDiskMark.csv").unwrap(), expected);
    assert_eq!(read_stream(bytes.as_slice(), "-").unwrap(), expected);
}

#[test]
fn a_large_input_is_streamed_to_the_same_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/measure");
    let one = std::fs::read_to_string(folder.join("fio3-clones-and-sync-engine.json")).unwrap();
    // Over the size that is read whole.
    let blanks = " ".repeat(9 << 20);
    let text = format!("{one}{blanks}\n{one}");
    let expected = &fixture("fio3-clones-and-sync-engine.json")[0];
    let runs = read_stream(text.as_bytes(), "two documents far apart").unwrap();
    assert_eq!(runs.iter().collect::<Vec<_>>(), [expected, expected]);
    let utf16: Vec<u8> = one.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let blanks = b"\0 ".repeat(5 << 20);
    let text = [utf16.as_slice(), &blanks, &utf16].concat();
    let runs = read_stream(text.as_slice(), "the same in UTF-16").unwrap();
    assert_eq!(runs.iter().collect::<Vec<_>>(), [expected, expected]);
}
