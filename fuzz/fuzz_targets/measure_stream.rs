//! The stream reader of fio JSON on bytes that need not be UTF-8, a few at a time.
#![no_main]

use std::io::Read;

use diskcap::measure::fio::json::parse_stream;
use libfuzzer_sys::fuzz_target;

/// Gives at most seven bytes at once, so that all lies across borders.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let room = buffer.len().min(7);
        self.0.read(&mut buffer[..room])
    }
}

fuzz_target!(|bytes: &[u8]| {
    let slow = parse_stream(&mut Slow(bytes));
    let mut whole = bytes;
    assert_eq!(slow, parse_stream(&mut whole));
});
