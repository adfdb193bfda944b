//! Fleets that are written while they are judged: counts that follow from how the estate is made, the same answers as
//! one by one, the same bytes on any number of threads, and what cannot be read beside the rest.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;
#[path = "../benches/fleet/generate.rs"]
mod generate;

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::Path;

use diskcap::azure::arm::read::read_stream;
use diskcap::azure::facts::FleetFacts;
use diskcap::azure::validate::lines::{Line, SCHEMA, VmLine};
use diskcap::azure::validate::{FleetValidation, Options, Summary, Validator};
use diskcap::catalog::Catalog;
use diskcap::gate::Gate;
use diskcap::planner::FindingId;
use diskcap::report::fleet::{FleetTable, Stream};
use diskcap::report::{Format, Selection};

/// How many VMs most tests have.
const VMS: usize = 2000;
/// Of how many kinds they are.
const KINDS: usize = 500;

fn facts(vms: usize) -> FleetFacts {
    let mut facts = FleetFacts::default();
    let mut text = Vec::new();
    generate::write_vms(&mut text, vms, KINDS).unwrap();
    read_stream(&text[..], "vms.json".into(), &mut facts);
    text.clear();
    generate::write_disks(&mut text, vms, KINDS).unwrap();
    read_stream(&text[..], "disks.json".into(), &mut facts);
    facts
}

fn written(
    facts: &FleetFacts,
    format: Format,
    table: Option<FleetTable>,
    threads: usize,
) -> (FleetValidation, Vec<u8>) {
    let options = Options::default();
    let validator = Validator::new(Catalog::embedded(), facts, &options).in_brief();
    let selection = Selection {
        table: table.map(|table| table.id().to_owned()),
        ..Selection::default()
    };
    let stream = Stream::of(format, &selection).unwrap();
    stream.check(&validator).unwrap();
    let stream = stream.threads(NonZeroUsize::new(threads).unwrap());
    let mut told = 0;
    let written = stream
        .write(&validator, &mut open_gate(), Vec::new(), |count| {
            told += count
        })
        .unwrap();
    assert_eq!(told, facts.vms.len() as u64);
    written
}

/// Nothing is suppressed, nothing fails.
fn open_gate() -> Gate {
    Gate::new(Vec::new(), jiff::civil::date(2026, 6, 15), None)
}

fn lines(bytes: &[u8]) -> Vec<Line> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn vms_of(lines: Vec<Line>) -> Vec<VmLine> {
    let vm = |line| match line {
        Line::Vm(vm) => Some(*vm),
        _ => None,
    };
    lines.into_iter().filter_map(vm).collect()
}

fn vms_with(summary: &Summary, id: FindingId) -> usize {
    // Each severity is counted apart.
    let counts = summary.by_finding.iter().filter(|count| count.id == id);
    counts.map(|count| count.vms).sum()
}

/// The uncached IOPS of the sizes, base and burst, as Microsoft's pages of the series print them.
fn uncached_iops(size: &str) -> (usize, usize) {
    match size {
        "Standard_D4s_v5" | "Standard_D4as_v5" | "Standard_E4s_v4" => (6400, 20_000),
        "Standard_D8s_v5" | "Standard_E8s_v5" => (12_800, 20_000),
        "Standard_D8s_v3" | "Standard_F8s_v2" => (12_800, 16_000),
        "Standard_D16s_v5" | "Standard_E16s_v5" => (25_600, 40_000),
        "Standard_D32s_v5" => (51_200, 80_000),
        other => panic!("{other}"),
    }
}

#[test]
fn the_counts_are_those_of_the_estate() {
    let (whole, bytes) = written(&facts(VMS), Format::Ndjson, None, 2);
    let summary = &whole.summary;
    assert_eq!(summary.vms, VMS);
    assert_eq!(summary.attached_disks, 4 * VMS);
    assert_eq!(summary.other_disks, VMS / generate::UNATTACHED);
    assert_eq!(summary.vms_without_assessment, 0);
    assert_eq!(
        vms_with(summary, FindingId::VmStopped),
        VMS / generate::STOPPED
    );
    let unattached = summary
        .by_finding
        .iter()
        .find(|count| count.id == FindingId::DiskUnattached)
        .unwrap();
    assert_eq!(
        (unattached.vms, unattached.disks),
        (0, VMS / generate::UNATTACHED)
    );
    // Reads of 4 KiB that miss every cache: the disks together ask for what they are provisioned for, or for what they
    // burst to.
    let short = |n: &usize| {
        let (base, burst) = uncached_iops(generate::size(*n, KINDS));
        generate::provisioned_iops(*n, KINDS) > base || generate::burst_iops(*n, KINDS) > burst
    };
    let expected = (0..VMS).filter(short).count();
    assert!(expected > 100, "{expected}");
    assert_eq!(vms_with(summary, FindingId::VmUncachedIops), expected);

    let lines = lines(&bytes);
    match (lines.first(), lines.last()) {
        (Some(Line::Fleet(head)), Some(Line::Summary(last))) => {
            assert_eq!(head.schema, SCHEMA);
            assert_eq!(last, summary);
        }
        other => panic!("{other:?}"),
    }
    let names: Vec<String> = vms_of(lines).into_iter().map(|vm| vm.vm.name).collect();
    let expected: Vec<String> = (0..VMS).map(|n| format!("vm{n:06}")).collect();
    assert_eq!(names, expected);
}

#[test]
fn the_answers_are_those_of_one_by_one_and_of_everything_at_once() {
    let facts = facts(VMS);
    let (streamed, bytes) = written(&facts, Format::Ndjson, None, 2);
    let all = vms_of(lines(&bytes));
    let options = Options::default();
    for n in (0..VMS).step_by(97) {
        // A validator of its own shares nothing with other VMs.
        let alone = Validator::new(Catalog::embedded(), &facts, &options);
        let line = read_back(VmLine::from(alone.vm(&facts.vms[n])));
        assert_eq!(all[n], line, "VM {n}");
    }
    let whole = Validator::new(Catalog::embedded(), &facts, &options).all();
    assert_eq!(streamed.summary, whole.summary);
    let whole: Vec<VmLine> = (whole.vms.into_iter())
        .map(|vm| read_back(VmLine::from(vm)))
        .collect();
    assert_eq!(all, whole);
}

/// The line as a reader of the written one has it: numbers are written without the noise of binary arithmetic.
fn read_back(line: VmLine) -> VmLine {
    serde_json::from_slice(&diskcap::report::json::pretty(&line).unwrap()).unwrap()
}

#[test]
fn the_bytes_are_the_same_on_any_number_of_threads() {
    let facts = facts(700);
    for (format, table) in [
        (Format::Ndjson, None),
        (Format::Csv, Some(FleetTable::Findings)),
        #[cfg(feature = "parquet")]
        (Format::Parquet, Some(FleetTable::Deployed)),
    ] {
        let one = written(&facts, format, table, 1).1;
        assert!(!one.is_empty());
        for threads in [2, 5] {
            let many = written(&facts, format, table, threads).1;
            assert!(one == many, "{format} on {threads} threads");
        }
    }
}

#[test]
fn every_line_keeps_to_the_committed_schema() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/diskcap.validate-lines-1.json");
    let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let mut facts = facts(100);
    facts.vms.truncate(40);
    read_stream(&br#"[{"foo": 1}]"#[..], "odd.json".into(), &mut facts);
    let (_, bytes) = written(&facts, Format::Ndjson, None, 1);
    let mut kinds: HashMap<String, usize> = HashMap::new();
    for line in std::str::from_utf8(&bytes).unwrap().lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let errors: Vec<String> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {line}");
        *kinds
            .entry(value["kind"].as_str().unwrap().to_owned())
            .or_default() += 1;
    }
    assert_eq!((kinds["fleet"], kinds["vm"], kinds["summary"]), (1, 40, 1));
    assert!(kinds["disk"] > 0 && kinds["problem"] > 0, "{kinds:?}");
}

/// Heads and rows of a CSV.
fn csv_of(bytes: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(bytes);
    let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    let heads = texts(reader.headers().unwrap());
    let rows = reader.records().map(|record| texts(&record.unwrap()));
    (heads, rows.collect())
}

#[test]
fn csv_has_a_row_for_each_of_what_a_table_is_of() {
    const VMS: usize = 500;
    let facts = facts(VMS);
    let rows = |table| {
        let (whole, bytes) = written(&facts, Format::Csv, Some(table), 2);
        (whole.summary, csv_of(&bytes))
    };
    let (summary, (heads, findings)) = rows(FleetTable::Findings);
    assert_eq!(
        findings.len(),
        summary.errors + summary.warnings + summary.infos
    );
    let owner = heads.iter().position(|head| head == "owner").unwrap();
    let mut owners: Vec<&String> = findings.iter().map(|row| &row[owner]).collect();
    owners.dedup();
    assert_eq!(
        owners.len(),
        summary.vms_with_findings + summary.other_disks
    );
    assert_eq!(rows(FleetTable::Vms).1.1.len(), VMS);
    assert_eq!(
        rows(FleetTable::Disks).1.1.len(),
        VMS / generate::UNATTACHED
    );
    let (heads, deployed) = rows(FleetTable::Deployed).1;
    assert_eq!(deployed.len(), 4 * VMS);
    let iops = heads.iter().position(|head| head == "iops").unwrap();
    for (n, disks) in deployed.chunks(4).enumerate() {
        let iops: usize = disks
            .iter()
            .map(|disk| disk[iops].parse::<usize>().unwrap())
            .sum();
        assert_eq!(iops, generate::provisioned_iops(n, KINDS));
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_what_csv_holds() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let facts = facts(300);
    for table in FleetTable::ALL {
        let (whole, bytes) = written(&facts, Format::Parquet, Some(table), 2);
        let (_, text) = written(&facts, Format::Csv, Some(table), 2);
        let (heads, rows) = csv_of(&text);
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &bytes).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let meta = reader.metadata().file_metadata();
        assert_eq!(meta.num_rows(), rows.len() as i64, "{table:?}");
        let own = meta.schema().get_fields().iter().map(|field| field.name());
        assert!(own.eq(heads.iter()), "{table:?}");
        let facts = meta.key_value_metadata().unwrap();
        let summary = facts
            .iter()
            .find(|fact| fact.key == "diskcap.summary")
            .unwrap();
        let summary: Summary = serde_json::from_str(summary.value.as_ref().unwrap()).unwrap();
        assert_eq!(summary, whole.summary);
        for (row, cells) in reader.get_row_iter(None).unwrap().zip(&rows) {
            let row = row.unwrap();
            for ((_, field), cell) in row.get_column_iter().zip(cells) {
                match field {
                    Field::Null => assert_eq!(cell, ""),
                    Field::Str(text) => assert_eq!(text, cell),
                    Field::Long(number) => assert_eq!(*number, cell.parse::<i64>().unwrap()),
                    Field::Double(number) => assert_eq!(*number, cell.parse::<f64>().unwrap()),
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

/// A folder with an estate of so many VMs, and with more files.
fn folder(vms: usize, more: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| std::fs::File::create(folder.path().join(name)).unwrap();
    generate::write_vms(&mut file("vms.json"), vms, KINDS).unwrap();
    generate::write_disks(&mut file("disks.json"), vms, KINDS).unwrap();
    for (name, text) in more {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn what_cannot_be_read_or_judged_is_a_row_with_its_reason() {
    let odd = r#"[
        {"name": "bare", "type": "Microsoft.Compute/virtualMachines", "hardwareProfile": {"vmSize": "Standard_D4s_v5"}},
        {"type": "Microsoft.Compute/virtualMachines", "hardwareProfile": {"vmSize": "Standard_D4s_v5"}},
        {"name": "cut", "type": "Microsoft.Compute/virtualMachines", "hardwareProfile": {"vmSi"#;
    let folder = folder(3, &[("odd.json", odd)]);
    let output = cli::run_in(folder.path(), "validate --from . --format csv --quiet");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.contains("odd.json") && errors.contains("cut off"),
        "{errors}"
    );
    let (heads, rows) = csv_of(&output.stdout);
    let why = heads.iter().position(|head| head == "not_judged").unwrap();
    let shown: Vec<(&str, bool)> = rows
        .iter()
        .map(|row| (&*row[0], row[why].is_empty()))
        .collect();
    assert_eq!(
        shown,
        [
            ("bare", false),
            ("vm000000", true),
            ("vm000001", true),
            ("vm000002", true),
            ("without a name", false)
        ]
    );
    assert!(rows[0][why].contains("its disks"), "{:?}", rows[0]);
}

#[test]
fn the_summary_is_on_stderr_unless_it_is_to_be_quiet() {
    let folder = folder(50, &[]);
    let run = |words: &str| {
        let output = cli::run_in(folder.path(), words);
        assert!(output.status.success(), "{output:?}");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    let (lines, said) = run("validate --from . --format ndjson");
    assert_eq!(lines.lines().count(), 1 + 50 + 1 + 1);
    assert!(
        said.contains("50 VMs") && said.contains("VM-STOPPED"),
        "{said}"
    );
    assert_eq!(
        run("validate --from . --format ndjson --quiet"),
        (lines, String::new())
    );
    #[cfg(feature = "parquet")]
    {
        let (rows, said) = run("validate --from . --output fleet.parquet --table findings");
        assert_eq!(rows, "");
        assert!(said.contains("50 VMs"), "{said}");
        let file = std::fs::read(folder.path().join("fleet.parquet")).unwrap();
        assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
    }
    let (table, _) = run("validate --from . --table summary --format csv --columns id,vms");
    assert!(
        table.starts_with("id,vms\r\n") && table.contains("VM-STOPPED,2\r\n"),
        "{table}"
    );
    let (rows, _) = run("validate --from . --table vms --format ndjson --columns vm,disks");
    assert_eq!(rows.lines().next(), Some(r#"{"vm":"vm000000","disks":4}"#));
}

#[test]
fn sorted_rows_and_other_formats_are_those_of_the_whole() {
    let folder = folder(40, &[]);
    let run = |words: &str| {
        let output = cli::run_in(folder.path(), words);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let sorted = run("validate --from . --format csv --sort vm:desc --columns vm,disks");
    assert!(sorted.starts_with("vm,disks\r\nvm000039,4\r\n"), "{sorted}");
    assert!(run("validate --from . --format markdown").contains("# Validate: 40 VMs"));
}

#[test]
fn usage_is_checked_before_anything_is_written() {
    let folder = folder(3, &[("none.json", "[]")]);
    let failed = |words: &str| {
        let output = cli::run_in(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let message = failed("validate --from . --format csv --columns vm,dsks");
    assert!(
        message.contains("no column 'dsks'; did you mean disks?"),
        "{message}"
    );
    let message = failed("validate --from . --format ndjson --stripe data=lun7,lun8");
    assert!(message.contains("stripe 'data'"), "{message}");
    let message = failed("validate --from none.json --format ndjson");
    assert!(
        message.contains("no virtual machine and no disk was found"),
        "{message}"
    );
    let message = failed("validate --from . --output missing/fleet.parquet");
    assert!(
        message.contains("there is no folder 'missing'"),
        "{message}"
    );
}
