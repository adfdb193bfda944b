//! The comparison of all Premium tiers and v2 at 512 GiB on Standard_D8s_v5, in every format: each is read back by a
//! reader that is not ours and has the numbers of the JSON.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use calamine::{Data, Reader};
use serde_json::Value;

/// Each disk's numbers: by disk, then by column.
type Numbers = BTreeMap<String, BTreeMap<&'static str, Option<f64>>>;

/// The columns that are looked at: the id in CSV, the head that people read, and the place in the JSON.
const COLUMNS: [(&str, &str, &str); 16] = [
    ("size_gib", "GiB", "/size_gib"),
    ("provisioned_iops", "IOPS", "/provisioned/iops"),
    ("provisioned_mbps", "MB/s", "/provisioned/mbps"),
    ("burst_iops", "Burst IOPS", "/burst/limits/iops"),
    ("burst_mbps", "Burst MB/s", "/burst/limits/mbps"),
    ("vm_iops", "IOPS on VM", "/on_vm/reach/iops/sustained/iops"),
    ("vm_mbps", "MB/s on VM", "/on_vm/reach/mbps/sustained/mbps"),
    (
        "vm_burst_iops",
        "Burst IOPS on VM",
        "/on_vm/reach/iops/burst/iops",
    ),
    (
        "vm_burst_mbps",
        "Burst MB/s on VM",
        "/on_vm/reach/mbps/burst/mbps",
    ),
    ("unusable_iops", "Unusable IOPS", "/on_vm/unusable/iops"),
    ("unusable_mbps", "Unusable MB/s", "/on_vm/unusable/mbps"),
    ("month_usd", "Price a month", "/month/fixed/amount"),
    (
        "per_1000_iops_usd",
        "Per 1,000 IOPS",
        "/per_1000_iops/amount",
    ),
    (
        "queue_depth_1_iops",
        "QD1 ceiling, IOPS",
        "/queue_depth_1/ceiling_iops",
    ),
    ("mbps_at_8kib", "MB/s at 8 KiB", "/throughput/0/mbps"),
    ("most_iops", "Settable IOPS", "/most/iops"),
];

/// Exports the comparison as the file `name` and reads its bytes.
fn exported(folder: &Path, name: &str) -> Vec<u8> {
    let words = format!("compare disks P* v2:size=512GiB --vm Standard_D8s_v5 --output {name}");
    let output = cli::run_in(folder, &words);
    assert!(output.status.success(), "{}", cli::shown(&words, &output));
    assert!(output.stdout.is_empty());
    fs::read(folder.join(name)).unwrap()
}

fn json_numbers(bytes: &[u8]) -> Numbers {
    let comparison: Value = serde_json::from_slice(bytes).unwrap();
    let disks = comparison["disks"].as_array().unwrap().iter();
    let numbers = |disk: &Value| {
        let of = |(id, _, place): &(&'static str, &str, &str)| {
            (*id, disk.pointer(place).and_then(Value::as_f64))
        };
        COLUMNS.iter().map(of).collect()
    };
    disks
        .map(|disk| (disk["name"].as_str().unwrap().to_owned(), numbers(disk)))
        .collect()
}

/// Puts together what tables with heads show: rows of words, the first of which names the disk.
fn from_tables(tables: &[Vec<Vec<String>>], number: impl Fn(&str) -> Option<f64>) -> Numbers {
    let mut numbers = Numbers::new();
    for table in tables {
        let (heads, rows) = table.split_first().unwrap();
        for row in rows {
            let disk = numbers.entry(row[0].clone()).or_default();
            for (id, head, _) in COLUMNS {
                if let Some(at) = heads.iter().position(|other| other == head) {
                    disk.insert(id, number(&row[at]));
                }
            }
        }
    }
    numbers
}

/// The number that people read: without its hint, its currency and the grouping of thousands.
fn plain(shown: &str) -> Option<f64> {
    let shown = shown.split(" (").next().unwrap_or_default();
    shown.replace(',', "").trim_end_matches(" USD").parse().ok()
}

/// The same numbers, but for `unit`: half of what people's formats round to.
#[track_caller]
fn assert_same(format: &str, read: &Numbers, wanted: &Numbers, unit: f64) {
    assert_eq!(read.len(), 15, "{format}: {read:?}");
    for (disk, columns) in wanted {
        for (id, wanted) in columns {
            let found = read[disk].get(id).copied().flatten();
            match (found, wanted) {
                (Some(found), Some(wanted)) => {
                    assert!(
                        (found - wanted).abs() <= unit,
                        "{format}: {id} of {disk}: {found}, not {wanted}"
                    );
                }
                (found, wanted) => assert_eq!(found, *wanted, "{format}: {id} of {disk}"),
            }
        }
    }
}

#[test]
fn every_format_has_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = json_numbers(&exported(folder.path(), "disks.json"));
    // What the rules say of some of them, so that they are not only alike.
    assert_eq!(wanted["P30"]["vm_iops"], Some(5000.0));
    assert_eq!(wanted["P70"]["unusable_iops"], Some(5200.0));
    assert_eq!(wanted["P20"]["burst_mbps"], Some(170.0));
    assert_eq!(wanted["v2"]["burst_mbps"], None);

    let csv = exported(folder.path(), "disks.csv");
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(&csv[..]);
    let mut rows: Vec<Vec<String>> = reader
        .records()
        .map(|record| record.unwrap().iter().map(ToOwned::to_owned).collect())
        .collect();
    // Heads of CSV are ids.
    for (id, head, _) in COLUMNS {
        let at = rows[0].iter().position(|other| other == id);
        let at = at.unwrap_or_else(|| panic!("no column {id} in {:?}", rows[0]));
        head.clone_into(&mut rows[0][at]);
    }
    assert_same(
        "csv",
        &from_tables(&[rows], |field| field.parse().ok()),
        &wanted,
        1e-9,
    );

    let xlsx = exported(folder.path(), "disks.xlsx");
    assert_same(
        "xlsx",
        &from_tables(&sheets(xlsx), |cell| cell.parse().ok()),
        &wanted,
        1e-9,
    );

    let html = String::from_utf8(exported(folder.path(), "disks.html")).unwrap();
    assert_same(
        "html",
        &from_tables(&html_tables(&html), |cell| cell.parse().ok()),
        &wanted,
        1e-9,
    );

    let markdown = String::from_utf8(exported(folder.path(), "disks.md")).unwrap();
    assert_same(
        "markdown",
        &from_tables(&markdown_tables(&markdown), plain),
        &wanted,
        0.5,
    );

    let words = "compare disks P* v2:size=512GiB --vm Standard_D8s_v5 --width 400";
    let terminal = from_tables(&terminal_tables(&cli::stdout(words)), plain);
    assert_same("table", &terminal, &wanted, 0.5);
}

/// The cells of the sheets, as words; heads in the first row.
fn sheets(bytes: Vec<u8>) -> Vec<Vec<Vec<String>>> {
    let mut book: calamine::Xlsx<_> =
        calamine::open_workbook_from_rs(std::io::Cursor::new(bytes)).unwrap();
    let names = book.sheet_names();
    assert_eq!(names.last().map(String::as_str), Some("About"));
    let tables = names.iter().take(3).map(|name| {
        let range = book.worksheet_range(name).unwrap();
        let words = |cell: &Data| match cell {
            Data::Empty => String::new(),
            other => other.to_string(),
        };
        range
            .rows()
            .map(|row| row.iter().map(words).collect())
            .collect()
    });
    tables.collect()
}

/// The cells of every table: numbers as the page holds them for sorting.
fn html_tables(html: &str) -> Vec<Vec<Vec<String>>> {
    let page = scraper::Html::parse_document(html);
    let select = |selector: &str| scraper::Selector::parse(selector).unwrap();
    let cell = |cell: scraper::ElementRef| match cell.attr("data-value") {
        Some(value) => value.to_owned(),
        None => cell.text().collect(),
    };
    let row = |row: scraper::ElementRef| row.select(&select("th,td")).map(cell).collect();
    let tables = select("table.data");
    page.select(&tables)
        .map(|table| table.select(&select("tr")).map(row).collect())
        .collect()
}

/// The cells of every table, as a CommonMark reader with pipe tables reads them.
fn markdown_tables(markdown: &str) -> Vec<Vec<Vec<String>>> {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let mut tables: Vec<Vec<Vec<String>>> = Vec::new();
    let mut cell = String::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Table(_)) => tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                tables.last_mut().unwrap().push(Vec::new())
            }
            Event::Start(Tag::TableCell) => cell.clear(),
            Event::Text(words) | Event::Code(words) => cell.push_str(&words),
            Event::End(TagEnd::TableCell) => {
                tables
                    .last_mut()
                    .unwrap()
                    .last_mut()
                    .unwrap()
                    .push(cell.clone());
            }
            _ => {}
        }
    }
    tables
}

/// The cells of every table on a terminal: heads of several lines are put together.
fn terminal_tables(shown: &str) -> Vec<Vec<Vec<String>>> {
    let cells = |line: &str| -> Vec<String> {
        line.split('│').map(|cell| cell.trim().to_owned()).collect()
    };
    let is_row = |line: &&str| line.contains('│') || line.contains('┼');
    let mut tables = Vec::new();
    let lines: Vec<&str> = shown.lines().collect();
    for block in lines
        .split(|line| !is_row(line))
        .filter(|block| !block.is_empty())
    {
        let rule = block.iter().position(|line| line.contains('┼')).unwrap();
        let mut heads = cells(block[0]);
        for line in &block[1..rule] {
            for (head, more) in heads.iter_mut().zip(cells(line)) {
                *head = format!("{head} {more}").trim().to_owned();
            }
        }
        let mut table = vec![heads];
        table.extend(block[rule + 1..].iter().map(|line| cells(line)));
        tables.push(table);
    }
    tables
}
