//! Azure Monitor metrics JSON.
#![no_main]

use diskcap::measure::series::results::azure_monitor;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = azure_monitor::sniff(text);
    let _ = azure_monitor::parse(text);
});
