//! ioping.
#![no_main]

use diskcap::measure::ioping;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = ioping::sniff(text);
    let _ = ioping::parse(text);
});
