//! Any document renders in every format, and nothing in it can harm a terminal, a spreadsheet or a browser.

use diskcap::planner::findings::{Figure, Suppressed};
use diskcap::planner::{Finding, FindingId, Severity};
use diskcap::report::{
    Axis, Bar, Cap, Cell, Chart, ChartKind, Checked, Column, Document, Format, Note, Notes, Panel,
    RenderOptions, ReportError, Row, Scale, Section, Series, Shape, SourceFile, Span, Table, Tone,
    Value, render_document,
};
use proptest::prelude::*;

use crate::agreement::markdown_tables;
use crate::pipelines::{assert_junit, assert_sarif};

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ -~]{0,24}",
        1 => "\\PC{0,12}",
        1 => any::<String>(),
        1 => prop::sample::select(vec![
            "=cmd|' /C calc'!A0", "@SUM(1)", "-1+2", "+x", "a|b\\|c", "磁盘阵列的名字很长很长", "line\nline\r\nline",
            "\u{1b}[31mred\u{7}", "</script><script>alert(1)</script>", "<!--", "]]>", "\u{202E}gnp", "\u{0}\u{FFFF}",
            "_a_ *b* `c` ~~d~~ [e](f) ![g](h) &lt; $i$", "# no heading", "- no list", "1. no list", "'", "History",
        ]).prop_map(ToOwned::to_owned),
    ]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -1e7..1e7, 1 => any::<f64>(), 1 => prop::sample::select(vec![0.0, -0.0, f64::MAX, f64::MIN_POSITIVE, f64::NAN, f64::INFINITY])]
}

fn tone() -> impl Strategy<Value = Tone> {
    prop::sample::select(vec![
        Tone::Plain,
        Tone::Good,
        Tone::Warning,
        Tone::Bad,
        Tone::Faint,
    ])
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Empty),
        words().prop_map(Value::Text),
        any::<bool>().prop_map(Value::Flag),
        (number(), any::<u8>(), any::<bool>(), any::<bool>()).prop_map(
            |(value, decimals, at_most, fixed)| Value::Number {
                value,
                decimals,
                at_most,
                fixed,
            }
        ),
        number().prop_map(|seconds| Value::Duration { seconds }),
        (number(), words()).prop_map(|(amount, currency)| Value::Money { amount, currency }),
    ]
}

fn cell() -> impl Strategy<Value = Cell> {
    (value(), tone(), prop::option::of(words())).prop_map(|(value, tone, hint)| Cell {
        value,
        tone,
        hint,
    })
}

fn table() -> impl Strategy<Value = Table> {
    let column = (
        words(),
        words(),
        any::<bool>(),
        (any::<u8>(), any::<bool>()),
        prop::option::of(words()),
    )
        .prop_map(|(id, title, default, (rank, essential), currency)| Column {
            id: id.into(),
            title,
            default,
            rank,
            essential,
            currency,
        });
    let row = (prop::collection::vec(cell(), 0..6), tone()).prop_map(|(cells, tone)| Row {
        cells,
        tone,
        ..Row::default()
    });
    (
        words(),
        words(),
        prop::collection::vec(column, 0..6),
        prop::collection::vec(row, 0..4),
    )
        .prop_map(|(id, title, columns, rows)| Table {
            id,
            title,
            columns,
            rows,
        })
}

fn notes() -> impl Strategy<Value = Notes> {
    let note = (
        words(),
        tone(),
        words(),
        words(),
        words(),
        prop::option::of(words()),
    )
        .prop_map(|(label, tone, id, subject, text, fix)| Note {
            label,
            tone,
            id,
            subject,
            owner: None,
            text,
            fix,
            fix_for_all: None,
        });
    (words(), words(), prop::collection::vec(note, 0..4)).prop_map(|(id, title, items)| Notes {
        id,
        title,
        items,
    })
}

fn caps() -> impl Strategy<Value = Vec<Cap>> {
    prop::collection::vec(
        (words(), number()).prop_map(|(name, value)| Cap { name, value }),
        0..3,
    )
}

fn series() -> impl Strategy<Value = Vec<Series>> {
    let points = prop::collection::vec((number(), prop::option::of(number())), 0..8);
    let shape = prop::sample::select(vec![Shape::Linear, Shape::Step]);
    let one = (words(), points, shape).prop_map(|(name, points, shape)| Series {
        name,
        points,
        shape,
    });
    prop::collection::vec(one, 0..8)
}

fn bar() -> impl Strategy<Value = Bar> {
    prop_oneof![
        number().prop_map(Bar::Value),
        Just(Bar::Unknown),
        Just(Bar::Absent)
    ]
}

fn chart() -> impl Strategy<Value = Chart> {
    let scale = || prop::sample::select(vec![Scale::Linear, Scale::Log, Scale::Nines]);
    let axis = move || (words(), scale()).prop_map(|(title, scale)| Axis { title, scale });
    let groups = prop::collection::vec((words(), prop::collection::vec(bar(), 0..4)), 0..4);
    let bars = (
        words(),
        prop::collection::vec(words(), 0..8),
        groups,
        caps(),
    )
        .prop_map(|(unit, series, groups, caps)| ChartKind::Bars {
            unit,
            series,
            groups,
            caps,
        });
    let panel =
        (words(), words(), series(), caps()).prop_map(|(title, unit, series, caps)| Panel {
            title,
            unit,
            series,
            caps,
        });
    let span = (number(), number(), words()).prop_map(|(from, to, label)| Span { from, to, label });
    let time = (
        prop::collection::vec(panel, 0..3),
        prop::collection::vec(span, 0..4),
    )
        .prop_map(|(panels, spans)| ChartKind::Time { panels, spans });
    let curve = (axis(), axis(), series(), caps())
        .prop_map(|(x, y, series, caps)| ChartKind::Curve { x, y, series, caps });
    (words(), words(), prop_oneof![bars, time, curve]).prop_map(|(id, title, kind)| Chart {
        id,
        title,
        kind,
    })
}

fn finding() -> impl Strategy<Value = Finding> {
    let id = prop::sample::select(FindingId::ALL);
    let severity = prop::sample::select(vec![Severity::Error, Severity::Warning, Severity::Info]);
    let figures = prop::collection::vec((words(), number(), words()), 0..2);
    let suppressed = prop::option::of((words(), words()));
    let texts = (words(), words(), prop::option::of(words()));
    (id, severity, texts, figures, suppressed).prop_map(
        |(id, severity, (subject, message, fix), figures, suppressed)| Finding {
            id,
            severity,
            subject,
            message,
            figures: figures
                .into_iter()
                .map(|(name, value, unit)| Figure { name, value, unit })
                .collect(),
            fix,
            suppressed: suppressed.map(|(reason, source)| {
                Box::new(Suppressed {
                    reason,
                    expires: None,
                    source,
                })
            }),
        },
    )
}

fn checked() -> impl Strategy<Value = Checked> {
    let findings = prop::collection::vec(finding(), 0..4);
    let file = prop::option::of((words(), words(), 1usize..9));
    let names = (
        words(),
        prop::option::of(words()),
        prop::option::of(words()),
    );
    (names, file, findings).prop_map(|((name, id, vm), file, findings)| Checked {
        name,
        id,
        vm,
        file: file.map(|(path, subject, line)| SourceFile {
            path,
            lines: [(subject, line)].into(),
        }),
        findings,
    })
}

fn document() -> impl Strategy<Value = Document> {
    let section = prop_oneof![
        3 => table().prop_map(Section::Table),
        1 => notes().prop_map(Section::Notes),
        1 => (words(), prop::collection::vec(words(), 0..3)).prop_map(|(title, paragraphs)| Section::Text { title, paragraphs }),
        2 => chart().prop_map(Section::Chart),
    ];
    let footnotes = prop::collection::vec(words(), 0..3);
    (
        words(),
        prop::option::of(words()),
        prop::collection::vec(section, 0..4),
        footnotes,
        prop::collection::vec(checked(), 0..3),
    )
        .prop_map(|(title, subtitle, sections, footnotes, checked)| Document {
            title,
            subtitle,
            sections,
            footnotes,
            checked,
            ..Document::default()
        })
}

fn options() -> impl Strategy<Value = RenderOptions> {
    (
        prop::option::of(0usize..220),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(width, color, ascii, header)| RenderOptions {
            width,
            color,
            ascii,
            header,
            ..RenderOptions::default()
        })
}

/// The text of a format that documents may have nothing for.
fn text(document: &Document, format: Format, options: &RenderOptions) -> Option<String> {
    match render_document(document, format, options) {
        Ok(bytes) => Some(String::from_utf8(bytes).unwrap()),
        Err(ReportError::Nothing { .. }) => None,
        Err(error) => panic!("{format}: {error}"),
    }
}

/// The table of a section that gets a sheet of its own.
fn sheet_of(section: &Section) -> Option<Table> {
    match section {
        Section::Table(table) => Some(table.clone()),
        Section::Notes(notes) => Some(notes.to_table()),
        _ => None,
    }
}

fn columns_of(line: &str) -> usize {
    textwrap::core::display_width(line)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_terminal_is_never_overrun_nor_controlled(document in document(), options in options()) {
        let options = RenderOptions { color: false, ..options };
        let shown = text(&document, Format::Table, &options).unwrap();
        prop_assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
        if let Some(width) = options.width {
            for line in shown.lines() {
                prop_assert!(columns_of(line) <= width.max(40), "{} > {width}: {line:?}", columns_of(line));
            }
        }
    }

    #[test]
    fn csv_has_fields_of_one_count_and_no_formulas(document in document(), options in options()) {
        if let Some(csv) = text(&document, Format::Csv, &options) {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
            for record in reader.records() {
                for field in &record.unwrap() {
                    let computed = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
                    prop_assert!(!computed, "{field:?}");
                }
            }
        }
    }

    #[test]
    fn markdown_tables_keep_their_cells(table in table()) {
        let document = Document { sections: vec![Section::Table(table.clone())], ..Document::default() };
        let markdown = text(&document, Format::Markdown, &RenderOptions::default()).unwrap();
        let tables = markdown_tables(&markdown);
        let columns = table.default_columns();
        if columns.is_empty() || table.rows.is_empty() {
            prop_assert!(tables.is_empty());
        } else {
            prop_assert_eq!(tables.len(), 1, "{}", markdown);
            prop_assert_eq!(tables[0].len(), table.rows.len() + 1);
            let cleaned = document.cleaned();
            let expected = cleaned.tables().next().unwrap();
            for (cells, row) in tables[0].iter().skip(1).zip(&expected.rows) {
                prop_assert_eq!(cells.len(), columns.len());
                for (cell, &index) in cells.iter().zip(&columns) {
                    prop_assert_eq!(squeezed(cell), squeezed(&row.cell(index).for_people()), "{}", markdown);
                }
            }
        }
    }

    #[test]
    fn a_page_has_one_script_and_parses_without_errors(document in document()) {
        let page = text(&document, Format::Html, &RenderOptions::default()).unwrap();
        let page = scraper::Html::parse_document(&page);
        let count = |selector: &str| page.select(&scraper::Selector::parse(selector).unwrap()).count();
        prop_assert_eq!(count("script"), 1);
        prop_assert_eq!(count("main"), 1);
        prop_assert_eq!(count("[src],[onload],[onclick],iframe,object,link"), 0);
        prop_assert!(page.errors.is_empty(), "{:?}", page.errors);
    }

    #[test]
    fn pictures_are_well_formed(document in document()) {
        if let Some(svg) = text(&document, Format::Svg, &RenderOptions::default()) {
            let parsed = roxmltree::Document::parse(&svg);
            prop_assert!(parsed.is_ok(), "{:?}\n{svg}", parsed.err());
        }
    }

    #[test]
    fn workbooks_open_and_keep_texts(document in document(), options in options()) {
        use calamine::{Data, Reader, Xlsx};
        let bytes = render_document(&document, Format::Xlsx, &options).unwrap();
        let mut book: Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(bytes)).unwrap();
        let names = book.sheet_names();
        prop_assert!(names.iter().all(|name| (1..=31).contains(&name.encode_utf16().count())), "{names:?}");
        let tables = document.tables().count() + document.notes().count();
        prop_assert_eq!(names.len(), tables + 1);
        let cleaned = document.cleaned();
        for (table, name) in cleaned.sections.iter().filter_map(sheet_of).zip(&names) {
            let range = book.worksheet_range(name).unwrap();
            for (row, number) in table.rows.iter().zip(u32::from(options.header)..) {
                for (index, column) in (0..table.columns.len()).zip(0u32..) {
                    if let Value::Text(text) = &row.cell(index).value {
                        let read = range.get_value((number, column)).map(ToString::to_string);
                        prop_assert_eq!(read.unwrap_or_default(), text.as_str());
                    }
                }
            }
        }
        for name in names {
            for (.., cell) in book.worksheet_range(&name).unwrap().cells() {
                prop_assert!(!matches!(cell, Data::Error(_)), "{cell:?}");
            }
            prop_assert!(book.worksheet_formula(&name).unwrap().is_empty());
        }
    }

    #[test]
    fn what_pipelines_read_is_well_formed_and_whole(document in document(), fails_from in prop::sample::select(vec![
        Severity::Error, Severity::Warning, Severity::Info,
    ])) {
        let options = RenderOptions { fails_from, ..RenderOptions::default() };
        let sarif = text(&document, Format::Sarif, &options);
        let junit = text(&document, Format::Junit, &options);
        prop_assert_eq!(sarif.is_none(), document.checked.is_empty());
        prop_assert_eq!(junit.is_none(), document.checked.is_empty());
        let cleaned = document.cleaned();
        if let (Some(sarif), Some(junit)) = (sarif, junit) {
            assert_sarif(&sarif, &cleaned.checked);
            assert_junit(&junit, &cleaned.checked, fails_from);
        }
    }

    #[test]
    fn json_is_json(document in document()) {
        let json = text(&document, Format::Json, &RenderOptions::default()).unwrap();
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
        prop_assert_eq!(json.lines().last(), Some("}"));
    }
}

proptest! {
    // Pixels are slow to make without optimisation.
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn pixels_are_drawn_of_any_chart(chart in chart()) {
        let document = Document { sections: vec![Section::Chart(chart)], ..Document::default() };
        match render_document(&document, Format::Png, &RenderOptions::default()) {
            Ok(_) | Err(ReportError::Nothing { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
