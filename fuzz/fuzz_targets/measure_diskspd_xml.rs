//! DiskSpd's XML report.
#![no_main]

use diskcap::measure::diskspd::xml;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = xml::sniff(text);
    let _ = xml::parse(text);
});
