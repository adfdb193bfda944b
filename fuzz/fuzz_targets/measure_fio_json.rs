//! fio's JSON, as text.
#![no_main]

use diskcap::measure::fio::json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = json::parse(text);
});
