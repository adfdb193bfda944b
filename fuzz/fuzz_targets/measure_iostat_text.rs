//! iostat's tables.
#![no_main]

use diskcap::measure::series::results::iostat_text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = iostat_text::sniff(text);
    let _ = iostat_text::parse(text);
});
