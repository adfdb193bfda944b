//! fio's normal report.
#![no_main]

use diskcap::measure::fio::text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let found = text::parse(text);
    assert!(found.is_err() || text::sniff(text), "what is parsed must be sniffed");
});
