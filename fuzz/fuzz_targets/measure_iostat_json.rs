//! iostat's JSON.
#![no_main]

use diskcap::measure::series::results::iostat_json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = iostat_json::sniff(text);
    let _ = iostat_json::parse(text);
});
