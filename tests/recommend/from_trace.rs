//! A need that is completed by what was measured over time.

use diskcap::measure::series::{ReadOptions, read};
use diskcap::measure::trace::{Trace, TraceOptions};
use diskcap::recommend::Need;
use diskcap::recommend::from_trace::FromTrace;
use diskcap::units::{BlockSize, Iops, MBps, Share};

use crate::market::need;

/// Twenty minutes at 100, 200, ... 2,000 IOPS: up to 1,000 in blocks of 8 KiB and half of them reads, then in blocks of
/// 16 KiB and three quarters reads.
fn twenty_minutes() -> String {
    let mut text = "time,disk,read_iops,write_iops,mbps\n".to_owned();
    for minute in 1..=20_u32 {
        let iops = f64::from(minute) * 100.0;
        let (bytes, reads) = if minute <= 10 {
            (8192.0, 0.5)
        } else {
            (16_384.0, 0.75)
        };
        let (read, write) = (iops * reads, iops * (1.0 - reads));
        let mbps = iops * bytes / 1e6;
        text += &format!("{},sdc,{read},{write},{mbps}\n", minute * 60);
    }
    text
}

fn traced(need: &mut Need, covered: &str) -> FromTrace {
    let options = TraceOptions {
        map: vec!["sdc=data".parse().unwrap()],
        ..TraceOptions::default()
    };
    let logs = [read(
        "t.csv",
        twenty_minutes().as_bytes(),
        &ReadOptions::default(),
    )
    .unwrap()];
    let names: Vec<String> = need.volumes.iter().map(|v| v.name.clone()).collect();
    let trace = Trace::of(&logs, &names, &options).unwrap();
    FromTrace::complete(need, trace, covered.parse().unwrap())
}

#[test]
fn a_need_is_taken_from_a_trace() {
    // 19 of the 20 minutes are at or below 1,900 IOPS; 1,900 x 16,384 B are 31.13 MB/s, rounded up to 31.2.
    let mut asked = need(&["data:size=512", "log:size=64,iops=50"]);
    let taken = traced(&mut asked, "95");
    let data = &asked.volumes[0];
    assert_eq!(data.iops, Some(Iops::whole(1900)));
    assert_eq!(data.mbps, MBps::new(31.2).ok());
    assert_eq!(data.block_size, Some(BlockSize::kib(16)));
    assert_eq!(data.read_share, Share::percent(75));
    assert_eq!(asked.volumes[1], need(&["log:size=64,iops=50"]).volumes[0]);
    assert_eq!(taken.volumes.len(), 1);
    assert_eq!(taken.traces.volumes[0].peak_iops, Some(Iops::whole(2000)));
    // Half of the time: 1,000 IOPS; of the minutes at or above them 1,000 of 16,500 I/Os are of 8 KiB.
    let mut half = need(&["data:size=512"]);
    let taken = traced(&mut half, "50");
    assert_eq!(half.volumes[0].iops, Some(Iops::whole(1000)));
    let bytes = (1000.0 * 8192.0 + 15_500.0 * 16_384.0) / 16_500.0_f64;
    let block = taken.volumes[0].block_size.unwrap().bytes() as f64;
    assert_eq!(block, bytes.round());
    let mut all = need(&["data:size=512"]);
    traced(&mut all, "max");
    assert_eq!(all.volumes[0].iops, Some(Iops::whole(2000)));
    // The highest is 2,000 x 16,384 B: nothing above it is asked.
    assert_eq!(all.volumes[0].mbps, MBps::new(32.768).ok());
}

#[test]
fn what_a_need_says_goes_over_its_trace() {
    let mut asked = need(&["data:size=512,iops=700,read=20%"]);
    let taken = traced(&mut asked, "95");
    let data = &asked.volumes[0];
    assert_eq!((data.iops, data.block_size), (Some(Iops::whole(700)), None));
    assert_eq!(data.read_share, Share::percent(20));
    assert_eq!(data.mbps, MBps::new(31.2).ok());
    assert_eq!(taken.volumes[0].iops, Some(Iops::whole(1900)));
}
