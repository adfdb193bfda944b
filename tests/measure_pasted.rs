//! Tables and logs as people paste them, with values worked out by hand.

#![expect(clippy::unwrap_used, reason = "a test may fail by a panic")]

use diskcap::measure::model::{Run, Test};
use diskcap::measure::read::read_bytes;

fn runs(text: &str) -> Vec<Run> {
    read_bytes(text.as_bytes(), "x").unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> String {
    read_bytes(text.as_bytes(), "x").unwrap_err().to_string()
}

fn iops(test: &Test) -> f64 {
    test.iops.unwrap().get().round()
}

fn mbps(test: &Test) -> f64 {
    (test.mbps.unwrap().get() * 100.0).round() / 100.0
}

fn micros(test: &Test) -> f64 {
    test.latency
        .as_ref()
        .unwrap()
        .mean
        .unwrap()
        .micros()
        .round()
}

fn names(run: &Run) -> Vec<&str> {
    run.tests.iter().map(|test| test.name.as_str()).collect()
}

#[test]
fn a_row_with_figures_of_both_directions_is_two_tests() {
    let all = runs(
        "Block Size,Pattern,Queue Depth,Threads,Read IOPS,Write IOPS,Read MiB/s,Write MiB/s,Write Latency (ms)\n\
         8 KiB,random,16,2,4000,1000,31.25,7.8125,32\n",
    );
    let tests = &all[0].tests;
    assert_eq!(names(&all[0]), ["RND8K Q16T2 read", "RND8K Q16T2 write"]);
    assert_eq!((iops(&tests[0]), iops(&tests[1])), (4000.0, 1000.0));
    // 31.25 MiB/s = 32.768 MB/s, a quarter of which is 8.192.
    assert_eq!((mbps(&tests[0]), mbps(&tests[1])), (32.77, 8.19));
    assert_eq!(tests[0].latency, None);
    assert_eq!(micros(&tests[1]), 32_000.0);
}

#[test]
fn directions_that_ran_together_are_summed() {
    let all = runs(
        "name,rw,bs,iodepth,read_iops,write_iops,read_bw_KiB/s,write_bw_KiB/s,read_lat_us,write_lat_us\n\
         oltp,randrw,4k,8,3000,1000,12000,4000,1000,3000\n",
    );
    assert_eq!(
        names(&all[0]),
        ["oltp read", "oltp write", "oltp: all directions"]
    );
    let [read, write, both] = all[0].tests.as_slice() else {
        panic!("three tests");
    };
    assert_eq!(read.part_of.as_ref(), Some(&both.name));
    assert_eq!(
        (iops(read), iops(write), iops(both)),
        (3000.0, 1000.0, 4000.0)
    );
    // 16,000 KiB/s; (3 x 1,000 + 1 x 3,000) / 4 us.
    assert_eq!(mbps(both), 16.38);
    assert_eq!(micros(both), 1500.0);
    assert_eq!(both.kind.read_share.map(f64::from), Some(0.75));
}

#[test]
fn a_list_of_settings_is_no_matrix() {
    let text = error(
        "label;Threads used;Block of I/O;Result A;Result B\nRND4K Q32;4;4;100;200\nRND4K Q1;1;4;10;20\n",
    );
    assert!(
        text.contains("Threads used") && text.contains("block_size"),
        "{text}"
    );
}

#[test]
fn a_unit_over_one_column_is_not_that_of_the_others() {
    let all = runs("Test\tA (IOPS)\tB\nRND4K Q1T1 read\t1000\t5\n");
    assert_eq!(iops(&all[0].tests[0]), 1000.0);
    assert_eq!(mbps(&all[1].tests[0]), 5.0);
    assert!(
        all[1].notes[0].contains("taken as MB/s"),
        "{:?}",
        all[1].notes
    );
    assert!(all[0].notes.is_empty());
}

#[test]
fn figures_without_a_unit_that_can_hardly_be_mb_per_s_are_refused() {
    let table =
        "           old   new\nSEQ1M Q8T1 read   150   180\nRND4K Q32T16 read   2400   3100\n";
    let text = error(table);
    assert!(
        text.contains("RND4K Q32T16 read") && text.contains("IOPS"),
        "{text}"
    );
    let all = runs(&table.replace("           old", "IOPS       old"));
    assert_eq!(iops(&all[1].tests[1]), 3100.0);
}

#[test]
fn points_and_blanks_part_thousands() {
    let all = runs("test;iops;mb/s\nRND4K Q32T1 read;7.500;30,72\nRND4K Q1T1 read;900;3,69\n");
    assert_eq!(iops(&all[0].tests[0]), 7500.0);
    assert_eq!(mbps(&all[0].tests[0]), 30.72);
    for blank in [" ", "\u{a0}", "\u{202f}"] {
        let all = runs(&format!(
            "test;iops;mb/s\nRND4K Q32T1 read;7{blank}500;30,72\n"
        ));
        assert_eq!(iops(&all[0].tests[0]), 7500.0, "{blank:?}");
    }
    let all = runs("Test\tA (IOPS)\tB (MB/s)\nRND4K Q32T1\t7.500\t30,72\n");
    assert_eq!(iops(&all[0].tests[0]), 7500.0);
}

#[test]
fn bits_and_bytes_per_second() {
    let all = runs("test,Mb/s\nSEQ1M Q8T1 read,200\n");
    assert_eq!(mbps(&all[0].tests[0]), 200.0);
    assert!(
        all[0].notes[0].contains("'Mb/s' was taken as bytes"),
        "{:?}",
        all[0].notes
    );
    let all = runs("test,Throughput (Mbit/s)\nSEQ1M Q8T1 read,1600\n");
    assert_eq!(mbps(&all[0].tests[0]), 200.0);
}

#[test]
fn heads_and_names_of_many_kinds() {
    let all = runs(
        "Type,Block size,QD,Threads,IOPS,bw_kib,avg_latency_ms\nrandwrite,4k,32,1,2000,8000,16\n",
    );
    assert_eq!(names(&all[0]), ["RND4K Q32T1 write"]);
    assert_eq!(mbps(&all[0].tests[0]), 8.19);
    let all =
        runs("Test;IOPS;Latenz (ms)\nRND4K Q32T1 lesen;5.000,5;6,4\nRND4K Q32T1 abends;4000;8\n");
    let tests = &all[0].tests;
    assert_eq!(tests[0].kind.read_share.map(f64::from), Some(1.0));
    assert_eq!(micros(&tests[0]), 6400.0);
    assert_eq!(tests[1].kind.queue_depth, Some(32));
}

#[test]
fn quoted_logs_are_read_like_plain_ones() {
    let log = "Linux 5.15.0 (h) \t11/30/2026 \t_x86_64_\t(2 CPU)\n\n11/30/2026 10:00:00 AM\n\
               Device            r/s     w/s     rkB/s     wkB/s   await  %util\n\
               sdb             10.00   20.00     40.00     80.00    1.00   9.00\n\n\
               11/30/2026 10:00:05 AM\n\
               Device            r/s     w/s     rkB/s     wkB/s   await  %util\n\
               sdb             100.00   200.00     400.00     800.00    2.00   90.00\n\n\
               11/30/2026 10:00:10 AM\n\
               Device            r/s     w/s     rkB/s     wkB/s   await  %util\n\
               sdb             110.00   210.00     440.00     840.00    2.00   90.00\n";
    let quoted = format!(
        "Hi,\nplease see:\n\n{}",
        log.replace("\n", "\n> ").replacen("Linux", "> Linux", 1)
    );
    let (plain, mail) = (runs(log), runs(&quoted));
    assert_eq!(plain[0].tests, mail[0].tests);
    assert_eq!(plain[0].date, mail[0].date);
    let csv = runs("> test,iops\n> RND4K Q1T1 read,900\n");
    assert_eq!(iops(&csv[0].tests[0]), 900.0);
}

#[test]
fn a_log_of_which_little_is_understood_is_an_error() {
    let read = diskcap::measure::series::read(
        "x.csv",
        format!("time,iops\n0,5\n{}", "1,x\n".repeat(10)).as_bytes(),
        &diskcap::measure::series::ReadOptions::default(),
    );
    let text = read.unwrap_err().to_string();
    assert!(
        text.contains("line 3") && text.contains("9 others"),
        "{text}"
    );
}

#[test]
fn fio_3_counts_bytes_and_jobs_may_stand_alone() {
    // 60 s at 1,000 IOPS of 4 KiB: 245,760,000 bytes.
    let job = r#"{"jobname": "a", "read": {"io_bytes": 245760000, "total_ios": 60000, "iops": 1000, "bw": 4000}}"#;
    let all = runs(&format!(
        r#"{{"fio version": "fio-3.28", "jobs": [{job}]}}"#
    ));
    assert_eq!(
        all[0].tests[0].kind.block_size.map(|block| block.bytes()),
        Some(4096)
    );
    assert_eq!(mbps(&all[0].tests[0]), 4.1);
    let only = r#"{"jobname": "b", "write": {"bw": 4000}}"#;
    assert_eq!(mbps(&runs(&format!("[{only}]"))[0].tests[0]), 4.1);
    assert_eq!(mbps(&runs(only)[0].tests[0]), 4.1);
}

#[test]
fn packed_files_and_histograms_are_named() {
    let packed = read_bytes(b"PK\x03\x04\x14\x00", "r.zip")
        .unwrap_err()
        .to_string();
    assert_eq!(packed, "'r.zip' is a zip file: unpack it first");
    let packed = read_bytes(b"\x1f\x8b\x08\x00", "r.gz")
        .unwrap_err()
        .to_string();
    assert_eq!(packed, "'r.gz' is a gzip file: unpack it first");
    let folder = std::env::temp_dir();
    let text = diskcap::measure::read::read_path(&folder)
        .unwrap_err()
        .to_string();
    assert!(
        text.ends_with("is a folder: give the files in it"),
        "{text}"
    );
    let line = format!("1000, 0, 4096{}\n", ", 7".repeat(29));
    let histogram = diskcap::measure::read::read_bytes(line.as_bytes(), "x_clat_hist.1.log");
    assert!(
        histogram
            .unwrap_err()
            .to_string()
            .contains("judge it with `diskcap bench series x_clat_hist.1.log`")
    );
}

#[test]
fn a_row_without_a_direction_beside_others_says_so() {
    let all = runs("test,iops\nRND4K Q32T1 read,900\nRND4K Q1T1,300\n");
    assert!(all[0].tests[0].notes.is_empty());
    assert!(all[0].tests[1].notes[0].contains("judged as reads"));
}

#[test]
fn columns_that_are_not_known_are_listed() {
    let text = error("Block Size,Depth,Colour,Ops\n4 KiB,32,red,5000\n");
    assert!(
        text.contains("Block Size, Depth are known, but not Colour, Ops"),
        "{text}"
    );
}

#[test]
fn a_log_over_time_is_no_table_of_tests() {
    for text in [
        "time,iops,MB/s\n0,500,2\n5,510,2.1\n",
        "timestamp,disk,read_iops,write_iops\n2026-01-01T00:00:00Z,a,5,6\n",
    ] {
        assert!(error(text).contains("bench series"), "{}", error(text));
    }
}

#[test]
fn lines_by_hand_beside_crystaldiskmark_count_too() {
    let all = runs(
        "Disk F:\n\
         Random Read 4KB (QD=32) :    41.000 MB/s [ 10009.8 IOPS]\n\
         Sequential Read :   120.000 MB/s\n\
         rand write 4k qd1: 800 IOPS\n\
         seq write 1M qd8: 118 MB/s\n\
         it was slower on Tuesday\n",
    );
    let [tool, by_hand] = all.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!(tool.tests.len(), 2);
    assert_eq!(names(by_hand), ["rand write 4k qd1", "seq write 1M qd8"]);
    // 800 x 4,096 bytes are 3.28 MB/s; 118 MB/s of 1,048,576 bytes are 113 IOPS.
    assert_eq!(
        (iops(&by_hand.tests[0]), mbps(&by_hand.tests[0])),
        (800.0, 3.28)
    );
    assert_eq!(iops(&by_hand.tests[1]), 113.0);
}

#[test]
fn lines_by_hand_beside_another_tool_are_told_of() {
    let all = runs(
        "10485760 bytes (10 MB, 10 MiB) copied, 0.1 s, 105 MB/s\n\
         rand read 4k qd1: 800 IOPS\n",
    );
    assert_eq!(all.len(), 1);
    let notes = all[0].notes.join("; ");
    assert!(
        notes.contains("tell figures too and were not read: rand read 4k qd1"),
        "{notes}"
    );
}

#[test]
fn a_test_a_row_with_its_result_as_separated_values() {
    for (mark, result) in [
        (",", "\"3,480 IOPS\""),
        (";", "3480 IOPS"),
        ("\t", "3480 IOPS"),
    ] {
        let text = format!(
            "Disk{mark}Test{mark}Result\nP10{mark}rand read 4k qd32{mark}{result}\nP30{mark}rand read 4k qd1{mark}0.9 ms\n"
        );
        let all = runs(&text);
        assert_eq!(all.len(), 2, "{text}");
        assert_eq!((all[0].tool.as_str(), all[1].tool.as_str()), ("P10", "P30"));
        assert_eq!(iops(&all[0].tests[0]), 3480.0);
        assert_eq!(micros(&all[1].tests[0]), 900.0);
    }
    let told = error("Disk;Test;Result\nP10;rand read 4k qd32;3.480 IOPS\n");
    assert!(told.contains("line 2: '3.480'"), "{told}");
    let told = error(
        "| Disk | Test | Result |\n|---|---|---|\n| P10 | rand read 4k qd32 | 3.480 IOPS |\n",
    );
    assert!(told.contains("line 3: '3.480'"), "{told}");
    let one = runs("Test,Result\nrand read 4k qd32,\"3,480 IOPS\"\nseq read 1M,200 MB/s\n");
    assert_eq!(names(&one[0]), ["rand read 4k qd32", "seq read 1M"]);
    assert_eq!(iops(&one[0].tests[0]), 3480.0);
    let told = error("Disk,Test,Result\nP10,rand read 4k qd32,3480\n");
    assert!(
        told.contains("figures under 'Result' need their unit in the cell"),
        "{told}"
    );
}

#[test]
fn a_rate_over_bare_seconds_is_no_number_of_threads() {
    let told = error("t,iops\n0,500\n1,3500\n2,3500\n3,500\n");
    assert!(told.contains("is a CSV time series"), "{told}");
    // Numbers of threads are no even steps of time, or say what they are.
    assert_eq!(
        runs("t,iops\n1,500\n2,900\n4,1500\n8,1600\n")[0]
            .tests
            .len(),
        4
    );
    assert_eq!(
        runs("threads,iops\n1,500\n2,900\n3,1300\n4,1500\n")[0]
            .tests
            .len(),
        4
    );
}

#[test]
fn a_comma_before_three_digits_parts_thousands() {
    let all = runs("seq read 1M QD8: 1,200 MB/s\n4k random read QD32: 20,000 IOPS\n");
    assert_eq!(all.len(), 1);
    assert_eq!(mbps(&all[0].tests[0]), 1200.0);
    assert_eq!(iops(&all[0].tests[1]), 20_000.0);
    let all = runs("SEQ1M Q8T1 read: 1,200 MB/s\nRND4K Q32T1 read: 20,000 IOPS\n");
    assert_eq!((all.len(), mbps(&all[0].tests[0])), (1, 1200.0));
    // 43,5 shows that the comma is the decimal point.
    let all = runs("SEQ1M Q8T1 read: 1,200 MB/s\nRND4K Q32T1 read: 43,5 MB/s\n");
    assert_eq!(mbps(&all[0].tests[0]), 1.2);
}

#[test]
fn a_mix_without_its_share_of_reads_is_half_and_half() {
    let all = runs("name,rw,bs,iodepth,iops\na,randread,4k,32,5000\nc,randrw,4k,32,5000\n");
    let share = |test: &Test| test.kind.read_share.map(|share| share.get());
    let tests = &all[0].tests;
    assert_eq!((share(&tests[0]), share(&tests[1])), (Some(1.0), Some(0.5)));
    assert!(tests[0].notes.is_empty());
    assert!(
        tests[1].notes[0].contains("fio's default"),
        "{:?}",
        tests[1].notes
    );
}

/// Jobs one after another (`stonewall`): fio dates each group at its end, and the lines with `rw=` stand before them all.
#[test]
fn groups_that_ran_one_after_another_are_one_run() {
    let heads = "r: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32\n\
                 w: (g=1): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=1\n\
                 ...\nfio-3.28\nStarting 3 processes\n\n";
    let read = "r: (groupid=0, jobs=1): err= 0: pid=4: Mon Sep 14 10:20:30 2026\n  \
                read: IOPS=5002, BW=19.5MiB/s (20.5MB/s)(1172MiB/60010msec)\n";
    let write = |minute: u32| {
        format!(
            "w: (groupid=1, jobs=1): err= 0: pid=5: Mon Sep 14 10:{minute}:31 2026\n  \
             write: IOPS=405, BW=1620KiB/s (1659kB/s)(94.9MiB/60001msec)\n"
        )
    };
    let sums = "\nRun status group 0 (all jobs):\n   READ: bw=19.5MiB/s (20.5MB/s), io=1172MiB (1229MB), run=60010-60010msec\n\n\
                Run status group 1 (all jobs):\n  WRITE: bw=3240KiB/s (3318kB/s), io=190MiB (199MB), run=60001-60001msec\n";
    let two = write(21).repeat(2);
    let all = runs(&format!("{heads}{read}{two}{sums}"));
    assert_eq!(all.len(), 1);
    let depths: Vec<_> = all[0]
        .tests
        .iter()
        .map(|test| test.kind.queue_depth)
        .collect();
    assert_eq!(depths[..3], [Some(32), Some(1), Some(1)]);
    // The same group at another time is of another run, and so is an earlier one.
    let again = runs(&format!("{read}{}{}", write(21), write(35)));
    assert_eq!(again.len(), 2);
    let earlier = runs(&format!("{}{read}", write(21)));
    assert_eq!(earlier.len(), 2);
}

#[test]
fn rows_without_a_figure_are_told_of() {
    let all = runs(
        "test,block_size,queue_depth,iops\nRND4K Q2 read,4KiB,2,900\na,4KiB,2,\nb,4KiB,2,n/a\nc,4KiB\nd,4KiB,NaN,800\ne,4KiB,,700\n",
    );
    assert_eq!(names(&all[0]), ["RND4K Q2 read", "d", "e"]);
    assert_eq!(
        all[0].notes,
        ["lines 3, 4, 5 were left out: neither IOPS, throughput nor latency is in them"]
    );
    assert_eq!(all[0].tests[1].kind.queue_depth, None);
    let no_number = "queue_depth: 'NaN' is no number and was taken for not told";
    let is_told = |test: &Test| test.notes.iter().any(|note| note == no_number);
    let told: Vec<bool> = all[0].tests.iter().map(is_told).collect();
    assert_eq!(told, [false, true, false]);
    // The first row may be the one without.
    let all = runs("test,rw,block_size,iops\na,read,4KiB,NaN\nb,read,4KiB,700\n");
    assert_eq!(all[0].tests.len(), 1);
    assert!(
        all[0].notes[0].starts_with("line 2 was left out"),
        "{:?}",
        all[0].notes
    );
}

#[test]
fn a_row_without_a_number_is_named_with_its_line_and_column() {
    for cell in ["abc", "NaN", "inf", ""] {
        for head in [
            "test,rw,block_size,queue_depth,iops",
            "name,rw,bs,iodepth,iops",
        ] {
            let said = error(&format!("{head}\na,randread,4KiB,2,{cell}\n"));
            let wanted =
                format!("line 2: column 5 ('iops'): '{cell}' is not right here: write a number");
            assert!(said.contains(&wanted), "{said}");
        }
    }
}

#[test]
fn thousands_between_semicolons_are_doubted_unless_something_shows_them() {
    let said = error("test;rw;block_size;iops\na;randread;4KiB;5,000\n");
    assert!(
        said.contains("'5,000' may be 5000 or a number with three decimals"),
        "{said}"
    );
    let all = runs("test;rw;block_size;iops;latency_ms\na;randread;4KiB;5,000;0.5\n");
    assert_eq!(iops(&all[0].tests[0]), 5000.0);
}
