//! ioping and dd.

use diskcap::measure::{dd, ioping};
use diskcap::units::BlockSize;
use diskcap::workload::Pattern;

use crate::{iops, mbps, mean_ms, near, read, share};

#[test]
fn ioping_old_new_and_cut_off() {
    let runs = read(ioping::parse, "ioping-several.txt");
    let [old, new, cut] = runs.as_slice() else {
        panic!("{} runs", runs.len());
    };
    let test = &old.tests[0];
    near(iops(test), 1000.0);
    near(mbps(test), 3.9 * 1.048_576);
    near(mean_ms(test), 1.0);
    assert_eq!(test.kind.read_share, share(100));
    assert_eq!(test.kind.block_size, Some(BlockSize::KIB_4));
    assert_eq!(old.target.as_deref(), Some("/srv"));

    let test = &new.tests[0];
    near(iops(test), 400.0);
    near(mean_ms(test), 2.5);
    assert_eq!(test.kind.read_share, share(0));
    assert_eq!((test.io_count, test.seconds), (Some(10), Some(10.0)));

    // 200, 600 and 1,600 us; the warm-up does not count.
    let test = &cut.tests[0];
    near(mean_ms(test), 0.8);
    near(iops(test), 1250.0);
    assert_eq!(test.kind.block_size.map(BlockSize::bytes), Some(16_384));
    assert_eq!(cut.target.as_deref(), Some("/dev/vdc"));
}

#[test]
fn ioping_sequential_is_told_by_its_flag_alone() {
    let statistics = "--- /dev/sda (device 465.8 GiB) ioping statistics ---\n\
                      800 requests completed in 3000.0 ms, 280 iops, 70.0 MiB/s\nmin/avg/max/mdev = 2.0/3.6/28.9/2.0 ms\n";
    let alone = &ioping::parse(statistics).unwrap()[0].tests[0];
    assert_eq!(alone.kind.block_size.map(BlockSize::bytes), Some(262_144));
    assert_eq!((alone.kind.pattern, alone.kind.read_share), (None, None));
    let told = format!("$ ioping -RL /dev/sda\n{statistics}");
    let told = &ioping::parse(&told).unwrap()[0].tests[0];
    assert_eq!(told.kind.pattern, Some(Pattern::Sequential));
    assert_eq!(told.kind.read_share, share(100));
}

#[test]
fn dd_in_many_languages() {
    let runs = read(dd::parse, "dd-languages.txt");
    let rates: Vec<f64> = runs.iter().map(|run| mbps(&run.tests[0])).collect();
    // 536,870,912 bytes in 4, 0.5, 10, 8, 20 and 16 s.
    let expected = [
        134.217_728,
        1_073.741_824,
        53.687_091_2,
        67.108_864,
        26.843_545_6,
        33.554_432,
    ];
    assert_eq!(rates.len(), expected.len());
    for (rate, expected) in rates.into_iter().zip(expected) {
        near(rate, expected);
    }
    let direct = &runs[0].tests[0];
    assert_eq!(direct.kind.read_share, share(0));
    assert_eq!(direct.kind.queue_depth, Some(1));
    assert_eq!(runs[0].target.as_deref(), Some("/srv/t"));
    near(iops(direct), 128.0);
    let cached = &runs[1].tests[0];
    assert_eq!(cached.kind.read_share, share(100));
    assert_eq!(cached.kind.queue_depth, None);
    assert!(cached.notes[0].contains("page cache"));
    // 536,870,912 bytes in 4,096 full records are blocks of 128 KiB; nothing says which way they went.
    let french = &runs[2].tests[0];
    assert_eq!(french.kind.block_size.map(BlockSize::bytes), Some(131_072));
    assert_eq!(french.kind.read_share, None);
    assert_eq!(runs[4].tests[0].kind.block_size, None);
    assert_eq!(runs[4].tests[0].iops, None);
}

#[test]
fn dd_s_progress_is_not_a_result() {
    let runs = read(dd::parse, "dd-progress.txt");
    assert_eq!(runs.len(), 1);
    let test = &runs[0].tests[0];
    assert_eq!(test.seconds, Some(20.982));
    assert_eq!(test.kind.block_size.map(BlockSize::bytes), Some(4 << 20));
    assert_eq!(test.io_count, Some(501));
}

#[test]
fn dd_needs_a_rate_that_agrees() {
    for text in [
        "100 bytes (1 kB) copied, 1 s, 200 MB/s",
        "0 bytes copied, 0.1 s, 0.0 kB/s",
        "moved 3 of 5, 2 s, 1 MB/s",
        "16+0 records out",
    ] {
        assert!(!dd::sniff(text), "{text}");
        assert!(dd::parse(text).is_err(), "{text}");
    }
}
