//! sysbench fileio.
#![no_main]

use diskcap::measure::sysbench;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = sysbench::sniff(text);
    let _ = sysbench::parse(text);
});
