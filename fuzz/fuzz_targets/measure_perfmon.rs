//! PerfMon and typeperf CSV.
#![no_main]

use diskcap::measure::series::results::perfmon;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = perfmon::sniff(text);
    let _ = perfmon::parse(text);
});
