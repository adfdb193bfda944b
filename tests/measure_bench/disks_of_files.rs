//! Tables and files of several disks, and options that hold a test back.

use crate::of_text;

/// The VM of them all.
const VM: &str = "E8ds_v5";

/// Two disks in one table, the first column of which names them.
const TWO_DISKS: &str = "disk,test,iops,latency_ms\n\
                         data,RND8K Q32T4 read,10021,12.8\n\
                         log,RND8K Q32T1 write,3500,9.1\n";

#[test]
fn the_disks_of_a_table_are_runs_of_their_own() {
    let bars = "| Disk | Test | IOPS | Latency (ms) |\n|---|---|---|---|\n\
                | data | RND8K Q32T4 read | 10021 | 12.8 |\n| log | RND8K Q32T1 write | 3500 | 9.1 |\n";
    for text in [TWO_DISKS, bars] {
        let result = of_text(text, VM, &["data=2xP30", "log=P20"]);
        let volumes: Vec<_> = result
            .runs
            .iter()
            .map(|run| run.volume.as_deref())
            .collect();
        assert_eq!(volumes, [Some("data"), Some("log")]);
        // Rows of a disk that was not named are held against none.
        let result = of_text(text, VM, &["data=2xP30"]);
        let volumes: Vec<_> = result
            .runs
            .iter()
            .map(|run| run.volume.as_deref())
            .collect();
        assert_eq!(volumes, [Some("data"), None]);
    }
}

#[test]
fn options_of_fio_that_hold_a_job_back_are_named() {
    let job = |options: &str| {
        format!(
            r#"{{"fio version": "fio-3.28", "jobs": [{{"jobname": "r", "error": 0,
            "job options": {{"rw": "randread", "bs": "8k", "iodepth": "32", "filename": "/dev/sdc", {options}}},
            "read": {{"io_bytes": 983040000, "bw_bytes": 16384000, "iops": 2000.0, "runtime": 60000, "total_ios": 120000,
            "lat_ns": {{"min": 900000, "max": 2000000, "mean": 1050000.0, "stddev": 1.0, "N": 120000}}}}}}]}}"#
        )
    };
    let result = of_text(&job(r#""direct": "1", "rate_iops": "2000""#), VM, &["P30"]);
    let test = &result.runs[0].judgement.tests[0];
    assert_eq!(test.verdict.title(), "asked for less");
    assert!(test.words.contains("rate_iops=2000"), "{}", test.words);
    let result = of_text(&job(r#""direct": "0""#), VM, &["P30"]);
    let notes = result.runs[0].notes.join("; ");
    assert!(notes.contains("direct=0"), "{notes}");
}
