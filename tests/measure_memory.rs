//! Reading never takes more than four times the input in memory, whatever the input.
//!
//! One test, since the allocator counts for the whole process.

use std::fs;
use std::path::Path;

use diskcap::measure::read::{read_bytes, read_stream};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What any reading may take: buffers, and the results that every input may have.
const BASE: usize = 5 << 20;

/// Peak of what `work` takes beyond what was there before.
fn peak(work: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    work();
    MEMORY.peak_usage().saturating_sub(before)
}

#[track_caller]
fn within_four_times(name: &str, input: &[u8]) {
    // The input itself counts as one of the four.
    let taken = peak(|| drop(read_bytes(input, name))) + input.len();
    assert!(
        taken <= 4 * input.len() + BASE,
        "{name}: {taken} bytes for an input of {}",
        input.len()
    );
}

/// At least `bytes` of copies of a fixture.
fn copies(name: &str, bytes: usize) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/measure");
    let one = fs::read(folder.join(name)).expect("the fixture is there");
    one.repeat(bytes / one.len() + 1)
}

#[test]
fn memory_stays_in_proportion_to_the_input() {
    const LARGE: usize = 2 << 20;
    for name in [
        "cdm9-real-then-peak.txt",
        "cdm5-comment.utf16le.txt",
        "cdm3-japanese-page.shift_jis.txt",
        "fio3-mixed-error-idle-trim.txt",
        "fio3-jsonplus-two-documents-wrapped.utf16le.json",
        "fio3-text-mixed.txt",
        "fio2-text-two-runs-of-clones.log",
        "fio-terse-2-to-5.txt",
    ] {
        within_four_times(name, &copies(name, LARGE));
    }
    // As many results in as few bytes as can be.
    for (name, head, part) in [
        ("rows", "", "RND4K Q1T1:1 MB/s\n"),
        ("rates", "", "read:IOPS=1\n"),
        ("sums", "", "READ: bw=1B/s\n"),
        ("setups", "read:IOPS=1\n", ": (g=0): rw=,\n"),
        ("complaints", "", "fio: err\n"),
        (
            "jobs",
            "{\"jobname\":0,\"jobs\":[",
            "{\"jobname\":0,\"read\":{\"iops\":1}},",
        ),
        ("idle jobs", "{\"jobname\":0,\"jobs\":[", "{\"jobname\":0},"),
        (
            "bins",
            "{\"jobname\":0,\"jobs\":[{\"jobname\":0,\"read\":{\"iops\":1,\"lat\":{\"mean\":1,\"bins\":{",
            "\"1\":1,",
        ),
        (
            "percentiles",
            "{\"jobname\":0,\"jobs\":[{\"jobname\":0,\"read\":{\"iops\":1,\"lat\":{\"mean\":1,\"percentile\":{",
            "\"1\":1,",
        ),
        (
            "options",
            "{\"jobname\":0,\"global options\":{",
            "\"filename\":\"a\",",
        ),
        ("one key", "{\"jobname", "x"),
        ("depth", "{\"jobname\":0,\"a\":", "[{\"a\":"),
        (
            "documents",
            "\"jobname\"",
            "{\"jobs\":[{\"jobname\":0,\"read\":{\"iops\":1}}]}",
        ),
        ("device lines", "Device r/s w/s\n", "a 1 1\n"),
        ("reports", "", "Device r/s w/s\na 1 1\n\n"),
        (
            "reports in JSON",
            "{\"sysstat\":{\"hosts\":[{\"statistics\":[",
            "{\"disk\":[{\"disk_device\":\"a\",\"r/s\":1}]},",
        ),
        (
            "devices in JSON",
            "{\"sysstat\":{\"hosts\":[{\"statistics\":[{\"disk\":[",
            "{\"disk_device\":\"a\",\"r/s\":1},",
        ),
        (
            "counters",
            "\"(PDH-CSV 4.0)\",\"\\\\H\\PhysicalDisk(0 C:)\\Disk Reads/sec\"\n",
            "\"01/01/2024 00:00:00\",\"1\"\n",
        ),
        (
            "points",
            "{\"value\":[{\"name\":\"OS Disk Queue Depth\",\"timeseries\":[{\"data\":[",
            "{\"timeStamp\":\"2024-01-01T00:00:00Z\",\"average\":1},",
        ),
        (
            "metrics",
            "{\"timeseries\":0,\"timeStamp\":0,\"value\":[",
            "{\"name\":\"OS Disk Latency\",\"timeseries\":[{\"data\":[{\"timeStamp\":\"2024-01-01T00:00:00Z\",\"average\":1}]}]},",
        ),
        (
            "events",
            "",
            "{\"@timestamp\":\"2024-01-01T00:00:00Z\",\"azure\":{\"compute_vm\":{\"os_disk_latency\":{\"avg\":1}}}}\n",
        ),
    ] {
        let text = format!("{head}{}", part.repeat(LARGE / part.len()));
        within_four_times(name, text.as_bytes());
    }
    // What is streamed takes no more for a larger input, but for its results.
    let streamed = |bytes| {
        let input = copies("fio3-jsonplus-two-documents-wrapped.utf16le.json", bytes);
        peak(|| drop(read_stream(input.as_slice(), "streamed")))
    };
    let (once, twice) = (streamed(9 << 20), streamed(18 << 20));
    assert!(twice < once + (2 << 20), "{once} and {twice} bytes");
}
