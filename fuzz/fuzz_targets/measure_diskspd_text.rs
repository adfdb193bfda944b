//! DiskSpd's text report.
#![no_main]

use diskcap::measure::diskspd::text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = text::sniff(text);
    let _ = text::parse(text);
});
