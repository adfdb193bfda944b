//! CSV with named columns.
#![no_main]

use diskcap::measure::csv;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = csv::sniff(text);
    let _ = csv::parse(text);
});
