//! Two disks of the same kind under the same load: is one of them slow, and what does that cost a mirror of them?

use std::fmt::Write;

use diskcap::catalog::Catalog;
use diskcap::measure::over_time::{Input, Request, peers};
use diskcap::measure::series::{ReadOptions, read};
use diskcap::report::{Format, RenderOptions, render};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Five minutes of both, a sample a second, as any tool could have written them.
    let mut log = String::from("time,iops:left,latency_ms:left,iops:right,latency_ms:right\n");
    for second in 0..300 {
        let left = 6.0 + f64::from(second * 7 % 10) / 10.0;
        // The right one answers late, and every fifteen seconds hardly at all.
        let right = if second % 15 < 2 { 90.0 } else { 1.8 * left };
        let iops = |latency_ms: f64| 32.0 / latency_ms * 1e3;
        writeln!(
            log,
            "{second},{},{left},{},{right}",
            iops(left),
            iops(right)
        )?;
    }
    let series = read("both.csv", log.as_bytes(), &ReadOptions::default())?;
    let inputs = [Input { name: None, series }];
    let report = peers(Catalog::embedded(), &inputs, &Request::default(), None)?;
    let text = render(&report, Format::Table, &RenderOptions::default())?;
    std::io::Write::write_all(&mut std::io::stdout(), &text)?;
    Ok(())
}
