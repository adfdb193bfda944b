//! What people see, as snapshots.

use diskcap::report::{Document, Format, RenderOptions, Section, Selection, render_document};

use crate::sample::document;

fn rendered(document: &Document, format: Format, options: &RenderOptions) -> String {
    let bytes = render_document(document, format, options).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn terminal(width: Option<usize>) -> RenderOptions {
    RenderOptions {
        width,
        ..RenderOptions::default()
    }
}

#[test]
fn terminal_at_40_80_and_200_columns() {
    for columns in [40, 80, 200] {
        let text = rendered(&document(), Format::Table, &terminal(Some(columns)));
        insta::assert_snapshot!(format!("terminal-{columns}"), text);
    }
}

#[test]
fn terminal_in_colour_says_the_same_words() {
    let options = RenderOptions {
        color: true,
        ..terminal(Some(80))
    };
    let text = rendered(&document(), Format::Table, &options);
    insta::assert_snapshot!("terminal-80-colour", text.replace('\u{1b}', "␛"));
    let plain = rendered(&document(), Format::Table, &terminal(Some(80)));
    let mut without = String::new();
    for part in text.split('\u{1b}') {
        without.push_str(
            part.strip_prefix('[')
                .and_then(|p| p.split_once('m'))
                .map_or(part, |(_, rest)| rest),
        );
    }
    // A coloured line may keep blanks that end before its last code.
    let trimmed = |text: &str| {
        text.lines()
            .map(|line| line.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(trimmed(&without), trimmed(&plain));
}

#[test]
fn terminal_in_ascii_uses_no_other_signs_of_its_own() {
    let options = RenderOptions {
        ascii: true,
        ..terminal(Some(80))
    };
    let text = rendered(&document(), Format::Table, &options);
    insta::assert_snapshot!("terminal-80-ascii", text);
    let foreign: String = text.chars().filter(|c| !c.is_ascii()).collect();
    assert_eq!(foreign, "磁盘", "only what the report itself says");
}

#[test]
fn terminal_becomes_cards_where_the_columns_that_matter_do_not_fit() {
    let mut document = document();
    let keep = |column: &&mut diskcap::report::Column| column.rank < 3;
    if let Some(Section::Table(table)) = document.sections.first_mut() {
        table
            .columns
            .iter_mut()
            .filter(keep)
            .for_each(|column| column.rank = 0);
    }
    document.sections.truncate(1);
    insta::assert_snapshot!(
        "terminal-40-cards",
        rendered(&document, Format::Table, &terminal(Some(40)))
    );
}

#[test]
fn markdown_and_csv() {
    let options = RenderOptions::default();
    insta::assert_snapshot!(
        "markdown",
        rendered(&document(), Format::Markdown, &options)
    );
    insta::assert_snapshot!("csv", rendered(&document(), Format::Csv, &options));
}

#[test]
fn without_heads() {
    let options = RenderOptions {
        header: false,
        ..terminal(Some(80))
    };
    let selection = Selection {
        table: Some("ceilings".into()),
        columns: vec!["ceiling".into(), "cap".into()],
        sort: vec!["cap:desc".parse().unwrap()],
    };
    let document = selection.apply(document()).unwrap();
    let all = [Format::Table, Format::Markdown, Format::Csv]
        .map(|format| rendered(&document, format, &options));
    insta::assert_snapshot!("without-heads", all.join("=====\n"));
}

#[test]
fn html_without_its_style_script_and_pictures() {
    let mut document = document();
    document
        .sections
        .retain(|section| !matches!(section, Section::Chart(_)));
    let mut page = rendered(&document, Format::Html, &RenderOptions::default());
    for (open, close) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let (begin, end) = (page.find(open).unwrap(), page.find(close).unwrap());
        page.replace_range(begin + open.len()..end, "…");
    }
    // One element a line reads better in a diff.
    insta::assert_snapshot!("html", page.replace("><", ">\n<"));
}

#[test]
fn svg_of_a_bar_chart() {
    let mut document = document();
    document
        .sections
        .retain(|section| matches!(section, Section::Chart(chart) if chart.id == "volumes-iops"));
    insta::assert_snapshot!(
        "svg-bars",
        rendered(&document, Format::Svg, &RenderOptions::default())
    );
}

#[test]
fn a_report_without_rows_says_so() {
    let mut document = document();
    for section in &mut document.sections {
        match section {
            Section::Table(table) => table.rows.clear(),
            Section::Notes(notes) => notes.items.clear(),
            _ => {}
        }
    }
    document.sections.truncate(3);
    let all = [Format::Table, Format::Markdown]
        .map(|format| rendered(&document, format, &terminal(Some(80))));
    insta::assert_snapshot!("empty", all.join("=====\n"));
}
