//! dd's transfer lines.
#![no_main]

use diskcap::measure::dd;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = dd::sniff(text);
    let _ = dd::parse(text);
});
