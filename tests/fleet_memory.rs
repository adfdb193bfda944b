//! Writing a fleet takes no more memory the more VMs there are: what is judged is not kept.
//!
//! One test, since the allocator counts for the whole process.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "../benches/fleet/generate.rs"]
mod generate;

use std::io;
use std::num::NonZeroUsize;

use diskcap::azure::arm::read::read_stream;
use diskcap::azure::facts::FleetFacts;
use diskcap::azure::validate::{Options, Validator};
use diskcap::catalog::Catalog;
use diskcap::gate::Gate;
use diskcap::report::fleet::Stream;
use diskcap::report::{Format, Selection};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Kinds of VM, of which one assessment each is kept.
const KINDS: usize = 40;

/// What validator and output take at most besides the facts, for so many VMs.
fn taken(vms: usize, format: Format) -> usize {
    let mut facts = FleetFacts::default();
    let mut text = Vec::new();
    generate::write_vms(&mut text, vms, KINDS).unwrap();
    read_stream(&text[..], "vms.json".into(), &mut facts);
    text.clear();
    generate::write_disks(&mut text, vms, KINDS).unwrap();
    read_stream(&text[..], "disks.json".into(), &mut facts);
    drop(text);
    let options = Options::default();
    let validator = Validator::new(Catalog::embedded(), &facts, &options).in_brief();
    let stream = Stream::of(format, &Selection::default()).unwrap();
    let stream = stream.threads(NonZeroUsize::new(2).unwrap());
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut gate = Gate::new(Vec::new(), jiff::civil::date(2026, 6, 15), None);
    stream
        .write(&validator, &mut gate, io::sink(), |_| ())
        .unwrap();
    MEMORY.peak_usage().saturating_sub(before)
}

#[test]
fn memory_does_not_grow_with_the_fleet() {
    for format in [Format::Ndjson, Format::Csv] {
        // The first run has what is made once. How far one thread runs ahead of the other is not the same each time; what
        // grew with the fleet would be five times as much, and tens of megabytes.
        taken(1200, format);
        let (some, many) = (taken(1200, format), taken(6000, format));
        assert!(
            many < 2 * some + (4 << 20),
            "{format}: {some} bytes for 1,200 VMs, {many} for 6,000"
        );
    }
}
