//! How long a fleet takes from saved files to the output, and how much memory: 100,000 VMs with four disks each.
//!
//! `cargo bench --bench fleet`; another number of VMs as its argument. The files are written to the temporary folder
//! and removed. No statistics: a run takes seconds, and what is asked for is a limit.

mod generate;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use diskcap::azure::arm::files::read_paths;
use diskcap::azure::validate::{Options, Validator};
use diskcap::catalog::Catalog;
use diskcap::gate::Gate;
use diskcap::report::fleet::Stream;
use diskcap::report::{Format, Selection};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Counts what is written and keeps nothing.
#[derive(Default)]
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    let vms: usize = asked.unwrap_or(100_000);
    let folder = tempfile::tempdir()?;
    for (what, kinds) in [
        ("4,000 kinds of VM", 4000),
        ("every VM of its own kind", usize::MAX),
    ] {
        let files = save(folder.path(), vms, kinds)?;
        let bytes: u64 = files
            .iter()
            .filter_map(|file| file.metadata().ok())
            .map(|of| of.len())
            .sum();
        out(&format!(
            "{vms} VMs, {what}: {} MB of JSON",
            bytes / 1_000_000
        ));
        run(&files, "ndjson", Format::Ndjson, None)?;
        if kinds < vms {
            run(&files, "csv, findings", Format::Csv, Some("findings"))?;
            run(&files, "parquet, VMs", Format::Parquet, None)?;
        }
    }
    Ok(())
}

/// Two files, as the two commands save them.
fn save(folder: &Path, vms: usize, kinds: usize) -> io::Result<[PathBuf; 2]> {
    let files = [folder.join("vms.json"), folder.join("disks.json")];
    let mut to = BufWriter::new(File::create(&files[0])?);
    generate::write_vms(&mut to, vms, kinds)?;
    to.flush()?;
    let mut to = BufWriter::new(File::create(&files[1])?);
    generate::write_disks(&mut to, vms, kinds)?;
    to.flush()?;
    Ok(files)
}

fn run(
    files: &[PathBuf],
    name: &str,
    format: Format,
    table: Option<&str>,
) -> Result<(), Box<dyn std::error::Error>> {
    let selection = Selection {
        table: table.map(str::to_owned),
        ..Selection::default()
    };
    let stream = Stream::of(format, &selection).ok_or("no format of streams")?;
    MEMORY.reset_peak_usage();
    let began = Instant::now();
    let facts = read_paths(files)?;
    let (read, held) = (began.elapsed(), MEMORY.current_usage());
    let options = Options::default();
    let validator = Validator::new(Catalog::embedded(), &facts, &options).in_brief();
    let mut gate = Gate::new(Vec::new(), jiff::civil::date(2026, 6, 15), None);
    let (whole, written) = stream.write(&validator, &mut gate, Count::default(), |_| ())?;
    let whole_time = began.elapsed();
    out(&format!(
        "  {name:<14} {:5.1} s (reading {:4.1} s), peak {} MB (facts {} MB), {} MB written, {} findings",
        whole_time.as_secs_f64(),
        read.as_secs_f64(),
        MEMORY.peak_usage() / 1_000_000,
        held / 1_000_000,
        written.0 / 1_000_000,
        whole.summary.errors + whole.summary.warnings + whole.summary.infos,
    ));
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a benchmark reports on stdout")]
fn out(line: &str) {
    println!("{line}");
}
