//! fio's terse lines.
#![no_main]

use diskcap::measure::fio::terse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let found = terse::parse(text);
    assert!(found.is_err() || terse::sniff(text), "what is parsed must be sniffed");
});
