//! CrystalDiskMark's text.
#![no_main]

use diskcap::measure::crystaldiskmark;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let found = crystaldiskmark::parse(text);
    assert!(found.is_err() || crystaldiskmark::sniff(text), "what is parsed must be sniffed");
});
