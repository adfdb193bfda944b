//! The same numbers in every format, each read back by a reader that is not ours.

use calamine::{Data, Reader, Xlsx};
use diskcap::report::{Document, Format, RenderOptions, render_document};
use serde_json::Value as Json;

use crate::sample::document;

/// What a cell holds, as far as formats can differ.
#[derive(Debug, Clone, PartialEq)]
enum Read {
    Number(f64),
    Words(String),
    Unknown,
}

type Grid = Vec<Vec<Read>>;

fn bytes(document: &Document, format: Format) -> Vec<u8> {
    render_document(document, format, &RenderOptions::default()).unwrap()
}

fn text(document: &Document, format: Format) -> String {
    String::from_utf8(bytes(document, format)).unwrap()
}

/// The ids of a table's columns, which of them are shown by default, and its cells, from the document's JSON.
struct Source {
    ids: Vec<String>,
    shown: Vec<bool>,
    cells: Grid,
}

fn sources(document: &Document) -> Vec<Source> {
    let json: Json = serde_json::from_slice(&bytes(document, Format::Json)).unwrap();
    let sections = json["sections"].as_array().unwrap();
    sections
        .iter()
        .filter_map(|section| section.get("table"))
        .map(source)
        .collect()
}

fn source(table: &Json) -> Source {
    let columns = table["columns"].as_array().unwrap();
    let cell = |cell: &Json| match &cell["value"] {
        Json::String(word) => {
            assert_eq!(word, "empty");
            Read::Unknown
        }
        value => {
            let (kind, content) = value.as_object().unwrap().iter().next().unwrap();
            match kind.as_str() {
                "text" => Read::Words(content.as_str().unwrap().to_owned()),
                "flag" => Read::Words(content.as_bool().unwrap().to_string()),
                "number" => content["value"]
                    .as_f64()
                    .map_or(Read::Unknown, Read::Number),
                "money" => content["amount"]
                    .as_f64()
                    .map_or(Read::Unknown, Read::Number),
                other => panic!("unexpected {other}"),
            }
        }
    };
    let row = |row: &Json| row["cells"].as_array().unwrap().iter().map(cell).collect();
    Source {
        ids: columns
            .iter()
            .map(|column| column["id"].as_str().unwrap().to_owned())
            .collect(),
        shown: columns
            .iter()
            .map(|column| column["default"].as_bool().unwrap())
            .collect(),
        cells: table["rows"].as_array().unwrap().iter().map(row).collect(),
    }
}

impl Source {
    fn default_cells(&self) -> Grid {
        let shown = |row: &Vec<Read>| {
            row.iter()
                .zip(&self.shown)
                .filter(|(_, shown)| **shown)
                .map(|(cell, _)| cell.clone())
                .collect()
        };
        self.cells.iter().map(shown).collect()
    }
}

/// Equal but for the last digits that a double does not surely hold.
fn assert_same(read: &Grid, expected: &Grid) {
    assert_eq!(read.len(), expected.len(), "rows");
    for (read, expected) in read.iter().flatten().zip(expected.iter().flatten()) {
        match (read, expected) {
            (Read::Number(a), Read::Number(b)) => {
                assert!((a - b).abs() <= b.abs() * 1e-14, "{a} is not {b}");
            }
            (a, b) => assert_eq!(a, b),
        }
    }
}

/// Equal as far as the rounding of what people read goes.
fn assert_rounded(shown: &str, expected: &Read) {
    match expected {
        Read::Unknown => assert_eq!(shown, "-"),
        Read::Words(words) => assert!(
            words == shown || matches!(words.as_str(), "true" | "false"),
            "{shown}"
        ),
        Read::Number(number) => {
            let plain = shown
                .split('(')
                .next()
                .unwrap()
                .replace(['≤', ',', ' '], "")
                .replace("USD", "");
            let decimals = plain
                .split_once('.')
                .map_or(0, |(_, fraction)| fraction.len());
            let read: f64 = plain
                .parse()
                .unwrap_or_else(|_| panic!("{shown:?} is no number"));
            // Trailing zeros are not shown, so the last shown digit may be one of two decimals.
            let unit = 10f64
                .powi(-(i32::try_from(decimals.max(usize::from(*number < 10.0) * 2)).unwrap()));
            let tolerance = if decimals == 0 && *number >= 10.0 {
                0.5
            } else {
                unit.max(0.05)
            };
            assert!(
                (read - number).abs() <= tolerance + 1e-9,
                "{shown} is not {number}"
            );
        }
    }
}

#[test]
fn csv_says_what_the_model_says() {
    let document = document();
    let source = &sources(&document)[0];
    let csv = text(&document, Format::Csv);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let heads: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(ToOwned::to_owned)
        .collect();
    let wanted: Vec<usize> = source
        .ids
        .iter()
        .map(|id| heads.iter().position(|head| head == id).unwrap())
        .collect();
    let read: Grid = reader
        .records()
        .map(|record| {
            let record = record.unwrap();
            wanted
                .iter()
                .map(|&index| read_field(&record[index]))
                .collect()
        })
        .collect();
    assert_same(&read, &source.cells);
}

fn read_field(field: &str) -> Read {
    match field.parse() {
        Ok(number) => Read::Number(number),
        Err(_) if field.is_empty() => Read::Unknown,
        Err(_) => Read::Words(field.to_owned()),
    }
}

#[test]
fn xlsx_says_what_the_model_says() {
    let document = document();
    let mut book: Xlsx<_> =
        calamine::open_workbook_from_rs(std::io::Cursor::new(bytes(&document, Format::Xlsx)))
            .unwrap();
    assert_eq!(
        book.sheet_names(),
        ["Volumes", "Ceilings of Size_A4_v9", "Findings", "About"]
    );
    for (source, sheet) in sources(&document)
        .iter()
        .zip(["Volumes", "Ceilings of Size_A4_v9"])
    {
        let range = book.worksheet_range(sheet).unwrap();
        let (rows, columns) = (source.cells.len() + 1, source.ids.len());
        let at = |row: usize, column: usize| {
            let position = (u32::try_from(row).unwrap(), u32::try_from(column).unwrap());
            range.get_value(position).cloned().unwrap_or(Data::Empty)
        };
        let read = |row| {
            (0..columns)
                .map(|column| read_cell(&at(row, column)))
                .collect()
        };
        let grid: Grid = (1..rows).map(read).collect();
        assert_same(&grid, &source.cells);
    }
    let findings = book.worksheet_range("Findings").unwrap();
    assert_eq!(
        findings.get_value((2, 1)),
        Some(&Data::String("VM-UNCACHED-MBPS".into()))
    );
}

fn read_cell(cell: &Data) -> Read {
    match cell {
        Data::Float(number) => Read::Number(*number),
        Data::Int(number) => Read::Number(*number as f64),
        Data::Bool(flag) => Read::Words(flag.to_string()),
        Data::String(words) => Read::Words(words.clone()),
        Data::Empty => Read::Unknown,
        other => panic!("unexpected {other:?}"),
    }
}

#[test]
fn html_says_what_the_model_says() {
    let document = document();
    let page = scraper::Html::parse_document(&text(&document, Format::Html));
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    let select = |selector: &str| scraper::Selector::parse(selector).unwrap();
    let tables: Vec<_> = page.select(&select("table.data")).collect();
    let sources = sources(&document);
    assert_eq!(tables.len(), sources.len());
    for (table, source) in tables.iter().zip(&sources) {
        let read: Grid = table
            .select(&select("tbody tr"))
            .map(|row| row.select(&select("td,th")).map(read_element).collect())
            .collect();
        assert_same(&read, &source.default_cells());
        let heads = table.select(&select("thead th[scope=col]")).count();
        assert_eq!(heads, source.shown.iter().filter(|shown| **shown).count());
    }
}

fn read_element(cell: scraper::ElementRef) -> Read {
    if let Some(value) = cell.attr("data-value") {
        return Read::Number(value.parse().unwrap());
    }
    match cell.attr("data-unknown") {
        Some(_) => Read::Unknown,
        None => Read::Words(cell.text().collect()),
    }
}

#[test]
fn markdown_shows_the_model_s_numbers_rounded() {
    let document = document();
    let tables = markdown_tables(&text(&document, Format::Markdown));
    let sources = sources(&document);
    assert_eq!(tables.len(), sources.len());
    for (table, source) in tables.iter().zip(&sources) {
        let expected = source.default_cells();
        assert_eq!(table.len(), expected.len() + 1, "a head and the rows");
        for (shown, expected) in table.iter().skip(1).zip(&expected) {
            assert_eq!(shown.len(), expected.len());
            shown
                .iter()
                .zip(expected)
                .for_each(|(shown, expected)| assert_rounded(shown, expected));
        }
    }
}

/// The cells of every table, as a CommonMark reader with pipe tables reads them.
pub fn markdown_tables(markdown: &str) -> Vec<Vec<Vec<String>>> {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let mut tables: Vec<Vec<Vec<String>>> = Vec::new();
    let mut cell = String::new();
    for event in Parser::new_ext(
        markdown,
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH,
    ) {
        match event {
            Event::Start(Tag::Table(_)) => tables.push(Vec::new()),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                tables.last_mut().unwrap().push(Vec::new())
            }
            Event::Start(Tag::TableCell) => cell.clear(),
            Event::Text(words) | Event::Code(words) => cell.push_str(&words),
            Event::InlineHtml(tag) => {
                assert_eq!(&*tag, "<br>");
                cell.push('\n');
            }
            Event::End(TagEnd::TableCell) => tables
                .last_mut()
                .unwrap()
                .last_mut()
                .unwrap()
                .push(cell.clone()),
            _ => {}
        }
    }
    tables
}

#[test]
fn the_terminal_shows_the_model_s_numbers_rounded() {
    let document = document();
    let shown = text(&document, Format::Table);
    let source = &sources(&document)[0];
    let rows = shown.lines().skip_while(|line| !line.contains('┼')).skip(1);
    for (line, expected) in rows.zip(source.default_cells()) {
        let cells: Vec<&str> = line.split('│').map(str::trim).collect();
        assert_eq!(cells.len(), expected.len(), "{line}");
        cells
            .iter()
            .zip(&expected)
            .for_each(|(shown, expected)| assert_rounded(shown, expected));
    }
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    for format in Format::ALL {
        assert!(
            bytes(&document(), format) == bytes(&document(), format),
            "{format}"
        );
    }
}
