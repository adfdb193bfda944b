//! Whole inputs of any encoding and format: any bytes give a result or an error.
#![no_main]

use diskcap::measure::read::read_bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = read_bytes(bytes, "fuzz");
});
