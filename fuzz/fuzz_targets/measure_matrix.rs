//! Pasted result matrices.
#![no_main]

use diskcap::measure::matrix;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = matrix::sniff(text);
    let _ = matrix::parse(text);
});
