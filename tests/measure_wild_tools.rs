//! Reports of tools as they are found in mails, logs and pages: cut, behind prefixes, with figures cut off. Values
//! worked out by hand.

#[path = "common/measured.rs"]
mod measured;

use diskcap::measure::model::Test;
use diskcap::workload::Pattern;

use measured::{mbps, runs, share};

fn iops(test: &Test) -> Option<f64> {
    test.iops.map(|iops| (iops.get() * 100.0).round() / 100.0)
}

#[test]
fn iops_that_fio_cut_to_nothing_follow_from_the_throughput() {
    let setup = "big: (g=0): rw=write, bs=(R) 64.0MiB-64.0MiB, (W) 64.0MiB-64.0MiB, (T) 64.0MiB-64.0MiB, ioengine=libaio, iodepth=1\n";
    let result = "big: (groupid=0, jobs=1): err= 0: pid=1: Tue Jul  4 16:19:12 2023\n\
                  \u{20} write: IOPS=0, BW=32.0MiB/s (33.6MB/s)(1920MiB/60000msec)\n";
    let known = runs(&format!("{setup}fio-3.30\n{result}"));
    // 33.6e6 / 67,108,864 = 0.50
    assert_eq!(iops(&known[0].tests[0]), Some(0.5));
    let unknown = runs(result);
    assert_eq!(iops(&unknown[0].tests[0]), None);
    assert_eq!(mbps(&unknown[0].tests[0]), Some(33.6));
}

#[test]
fn engines_that_wait_have_one_io_outstanding() {
    let report = |engine: &str| {
        format!(
            "a: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine={engine}, iodepth=16\n\
             a: (groupid=0, jobs=2): err= 0: pid=1: Tue Jul  4 16:19:12 2023\n\
             \u{20} read: IOPS=5000, BW=19.5MiB/s (20.5MB/s)(1172MiB/60001msec)\n"
        )
    };
    let depth = |engine| runs(&report(engine))[0].tests[0].kind.queue_depth;
    for engine in ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"] {
        assert_eq!(depth(engine), Some(1), "{engine}");
    }
    assert_eq!(depth("io_uring"), Some(16));
}

#[test]
fn groups_whose_sums_alone_are_there_ran_one_after_the_other() {
    let all = runs(
        "Run status group 0 (all jobs):\n\
         \u{20}  READ: bw=40.0MiB/s (41.9MB/s), 40.0MiB/s-40.0MiB/s (41.9MB/s-41.9MB/s), io=400MiB (419MB), run=10000-10000msec\n\
         Run status group 1 (all jobs):\n\
         \u{20}  READ: bw=60.0MiB/s (62.9MB/s), 60.0MiB/s-60.0MiB/s (62.9MB/s-62.9MB/s), io=600MiB (629MB), run=10000-10000msec\n",
    );
    let tests: Vec<&Test> = all.iter().flat_map(|run| &run.tests).collect();
    let found: Vec<_> = tests
        .iter()
        .map(|test| (test.name.as_str(), mbps(test)))
        .collect();
    assert_eq!(
        found,
        [
            ("all jobs of group 0", Some(41.9)),
            ("all jobs of group 1", Some(62.9)),
        ]
    );
}

#[test]
fn a_direction_without_io_is_no_result() {
    let all = runs(
        "a: (groupid=0, jobs=1): err= 0: pid=1: Thu Nov 28 22:13:10 2024\n\
         \u{20} read: IOPS=2000, BW=7.81MiB/s (8.19MB/s)(78.1MiB/10000msec)\n\
         \u{20} mixed: IOPS=0, BW=0 (0)(0B/10000msec)\n",
    );
    assert_eq!(all[0].tests.len(), 1);
    assert_eq!(iops(&all[0].tests[0]), Some(2000.0));
}

#[test]
fn a_job_whose_results_were_cut_off_is_told_so() {
    let all = runs(
        "a: (groupid=0, jobs=1): err= 0: pid=1: Thu Nov 28 22:13:10 2024\n\
         \u{20} read: IOPS=2000, BW=7.81MiB/s (8.19MB/s)(78.1MiB/10000msec)\n\
         b: (groupid=0, jobs=1): err= 0: pid=2: Thu Nov 28 22:13:10 2024\n",
    );
    assert_eq!(all[0].notes, ["the results of job 'b' are cut off"]);
}

#[test]
fn rates_of_clients_without_bytes_per_second() {
    let all = runs(
        "All clients: (groupid=0, jobs=2): err= 0: pid=0: Thu Jun 12 12:38:19 2025\n\
         \u{20} write: IOPS=10.0k, BW=1250Mi (1311M)(200MiB/160msec)\n",
    );
    assert_eq!(mbps(&all[0].tests[0]), Some(1311.0));
}

#[test]
fn unified_results_of_one_direction_know_it() {
    let all = runs(
        "w: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=8\n\
         w: (groupid=0, jobs=1): err= 0: pid=1: Thu Nov 28 22:13:10 2024\n\
         \u{20} mixed: IOPS=2000, BW=7.81MiB/s (8.19MB/s)(78.1MiB/10000msec)\n",
    );
    assert_eq!(share(&all[0].tests[0]), Some(0.0));
}

#[test]
fn a_sum_of_sizes_that_are_not_known_has_none() {
    let all = runs(
        "a: (groupid=0, jobs=1): err= 0: pid=1: Thu Nov 28 22:13:10 2024\n\
         \u{20} read: IOPS=2000, BW=7.81MiB/s (8.19MB/s)(78.1MiB/10000msec)\n\
         \u{20} write: IOPS=1000, BW=7.81MiB/s (8.19MB/s)(78.1MiB/10000msec)\n",
    );
    let sum = all[0].tests.last().unwrap();
    assert_eq!((iops(sum), mbps(sum)), (Some(3000.0), Some(16.38)));
    assert_eq!(sum.kind.block_size, None);
}

#[test]
fn fio_behind_a_prefix_of_its_lines() {
    let report = [
        "a: (groupid=0, jobs=1): err= 0: pid=1: Thu Nov 28 22:13:10 2024",
        "  read: IOPS=2000, BW=7.81MiB/s (8.19MB/s)(78.1MiB/10000msec)",
        "    clat (usec): min=50, max=900, avg=490.50, stdev=11.62",
    ];
    let comments: Vec<String> = report.iter().map(|line| format!("# {line}\n")).collect();
    let stamps: Vec<String> = (1..)
        .zip(report)
        .map(|(second, line)| format!("10:20:{second:02} DEBUG| [stdout] {line}\n"))
        .collect();
    for text in [comments.concat(), stamps.concat()] {
        let all = runs(&text);
        let test = &all[0].tests[0];
        assert_eq!(
            (test.name.as_str(), iops(test)),
            ("a", Some(2000.0)),
            "{text}"
        );
        let mean = test.latency.as_ref().unwrap().mean.unwrap();
        assert_eq!(mean.micros(), 490.5);
    }
}

#[test]
fn the_last_progress_of_dd_is_no_result() {
    let all = runs(
        "$ dd if=/dev/zero of=big bs=1M count=2000 oflag=direct status=progress\n\
         2097152000 bytes (2,1 GB, 2,0 GiB) copied, 5 s, 419 MB/s\n\
         2000+0 records in\n2000+0 records out\n\
         2097152000 bytes (2,1 GB, 2,0 GiB) copied, 4,8 s, 437 MB/s\n",
    );
    assert_eq!(all.len(), 1);
    // 2,097,152,000 / 4.8 s = 436.91 MB/s
    assert_eq!(mbps(&all[0].tests[0]), Some(436.91));
}

#[test]
fn dd_into_dev_zero_reads() {
    let all = runs(
        "$ dd if=/srv/data of=/dev/zero bs=1M\n100+0 records in\n100+0 records out\n\
         104857600 bytes (105 MB, 100 MiB) copied, 0.5 s, 210 MB/s\n",
    );
    assert_eq!(share(&all[0].tests[0]), Some(1.0));
    assert_eq!(all[0].target.as_deref(), Some("/srv/data"));
}

#[test]
fn sysbench_beside_dd_and_with_its_throughput_alone() {
    let all = runs(
        "$ sysbench fileio --file-test-mode=rndrw run\nThroughput:\n    read, MiB/s:                  6.00\n    written, MiB/s:               4.00\n\n\
         $ dd if=/dev/zero of=/tmp/a bs=1M count=100\n100+0 records in\n100+0 records out\n\
         104857600 bytes (105 MB, 100 MiB) copied, 0.5 s, 210 MB/s\n",
    );
    assert_eq!(all.len(), 2);
    let [read, write, sum] = all[0].tests.as_slice() else {
        panic!("{all:?}")
    };
    // 6 and 4 MiB/s are 6.29 and 4.19 MB/s.
    assert_eq!(
        (mbps(read), mbps(write), mbps(sum)),
        (Some(6.29), Some(4.19), Some(10.49))
    );
    assert_eq!(
        (iops(read), read.kind.pattern),
        (None, Some(Pattern::Random))
    );
}

#[test]
fn sysbench_of_which_the_total_alone_is_left() {
    let all = runs(
        "# sysbench --test=fileio --file-test-mode=seqwr --file-block-size=1M run\n\
         sysbench 0.4.12:  multi-threaded system evaluation benchmark\n...\n\
         Read 0b  Written 2Gb  Total transferred 2Gb  (100Mb/sec)\n",
    );
    let test = &all[0].tests[0];
    // sysbench counts in powers of two.
    assert_eq!((mbps(test), iops(test)), (Some(104.86), Some(100.0)));
    assert_eq!(
        (share(test), test.kind.pattern),
        (Some(0.0), Some(Pattern::Sequential))
    );
}

#[test]
fn ioping_without_its_statistics() {
    let all = runs(
        "$ ioping -c 10 -s 1M /mnt\n10 requests completed in 9.0 s, 200 iops, 200.0 MiB/s\n\
         $ ioping -c 10 -s 1M /tmp\n10 requests completed in 9.0 s, 2.0 k iops, 2.0 GiB/s\n",
    );
    let found: Vec<_> = all.iter().map(|run| iops(&run.tests[0])).collect();
    assert_eq!(found, [Some(200.0), Some(2000.0)]);
    assert_eq!(mbps(&all[0].tests[0]), Some(209.72));
    assert_eq!(all[0].tests[0].kind.block_size.unwrap().bytes(), 1 << 20);
    assert_eq!(all[0].tests[0].latency, None);
}

#[test]
fn diskspd_s_command_line_says_what_the_parameters_do_not() {
    let table = "Total IO\n\
        thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  |  file\n\
        -----------------------------------------------------------------\n\
        \u{20}    0 |    8192000 |     1000 |   0.78 |   100.00 |   10.000 | a.dat (1GiB)\n\
        -----------------------------------------------------------------\n\
        total:        8192000 |     1000 |   0.78 |   100.00 |   10.000\n";
    let all = runs(&format!(
        "C:\\> diskspd.exe -b8K -t1 -w30 -o4 -r -d10 a.dat\n{table}"
    ));
    let kind = all[0].tests[0].kind;
    assert_eq!(kind.pattern, Some(Pattern::Random));
    assert_eq!((kind.queue_depth, kind.threads), (Some(4), Some(1)));
    assert_eq!(kind.read_share.unwrap().get(), 0.7);
    assert_eq!(kind.block_size.unwrap().bytes(), 8192);
}

#[test]
fn diskspd_rows_that_were_cut_out_leave_the_total() {
    let target = |path: &str| {
        format!(
            "path: '{path}'\nperforming read test\nblock size: 4096\nusing random I/O (alignment: 4096)\n\
             number of outstanding I/O operations: 8\nthreads per file: 2\n"
        )
    };
    let all = runs(&format!(
        "Input parameters:\ntimespan:   1\n{}{}Results for timespan 1:\nactual test time:       10.00s\nthread count:           4\n\
         Total IO\nthread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  |  file\n\
         \u{20}    0 |    4096000 |     1000 |   0.39 |   100.00 |   10.000 | a.dat (1GiB)\n\
         \u{20}    2 |    4096000 |     1000 |   0.39 |   100.00 |   10.000 | b.dat (1GiB)\n\
         total:       16384000 |     4000 |   1.56 |   400.00 |   10.000\n",
        target("a.dat"),
        target("b.dat")
    ));
    let [total] = all[0].tests.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!((iops(total), mbps(total)), (Some(400.0), Some(1.64)));
    assert_eq!(
        (total.kind.queue_depth, total.kind.threads),
        (Some(8), Some(4))
    );
    assert_eq!(total.name, "RND4K Q8T4 read on 2 targets");
}

#[test]
fn throughput_that_is_off_alike_is_told_once() {
    // 1,000 IOPS of 4 KiB are 4.096 MB/s; KiB/s over 1,000 make 4.0.
    let all = runs(
        "KDiskMark (3.0.0): https://github.com/JonMagon/KDiskMark\n[Read]\n\
         Random 4 KiB (Q= 32, T= 1):   400.000 MB/s [ 100000.0 IOPS] <   320.00 us>\n\
         Random 4 KiB (Q=  1, T= 1):    40.000 MB/s [  10000.0 IOPS] <   100.00 us>\n",
    );
    assert!(all[0].tests.iter().all(|test| test.notes.is_empty()));
    let told = all[0]
        .notes
        .iter()
        .filter(|note| note.contains("lower than IOPS times block size"));
    assert_eq!(told.count(), 1);
}

/// A log with a damaged figure is still one of fio: what is left of its line says the throughput.
#[test]
fn a_damaged_line_of_fio_is_known_by_what_is_left() {
    let text = "seqwrite: (groupid=0, jobs=1): err= 0: pid=31: Tue May  2 08:15:30 2023\n\
                \x20 write: io=640.00MB, bw=65536KB/s, iops?1024, runt= 10000msec\n";
    let runs = diskcap::measure::read::read_bytes(text.as_bytes(), "x").unwrap();
    let mbps = runs[0].tests[0].mbps.unwrap().get();
    assert!((mbps - 65_536.0 * 1024.0 / 1e6).abs() < 1e-6, "{mbps}");
}
