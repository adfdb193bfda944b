//! Charts: well-formed, self-contained, and what is unknown is not drawn.

use diskcap::report::{
    Cap, Chart, ChartKind, Document, Format, RenderOptions, ReportError, Section, render_document,
};
use roxmltree::Document as Xml;

use crate::sample::document;

fn picture(document: &Document) -> String {
    let bytes = render_document(document, Format::Svg, &RenderOptions::default()).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn only(chart: Chart) -> Document {
    Document {
        sections: vec![Section::Chart(chart)],
        ..Document::default()
    }
}

fn bars(groups: Vec<(String, Vec<Option<f64>>)>, caps: Vec<Cap>) -> Document {
    let series = vec!["asked".to_owned(), "effective".to_owned()];
    let kind = ChartKind::Bars {
        unit: "IOPS".into(),
        series,
        groups,
        caps,
    };
    only(Chart {
        id: "c".into(),
        title: "Bars".into(),
        kind,
    })
}

#[test]
fn all_charts_stand_in_one_well_formed_picture() {
    let svg = picture(&document());
    let xml = Xml::parse(&svg).unwrap();
    let titles = xml
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    let titles: Vec<_> = titles.filter_map(|node| node.text()).collect();
    assert_eq!(
        titles,
        ["Volumes: IOPS", "One hour of full load", "Read latency"]
    );
    // Whatever is referred to is there.
    for reference in svg.split("url(#").skip(1) {
        let id = reference.split(')').next().unwrap();
        assert!(svg.contains(&format!("<pattern id=\"{id}\"")), "{id}");
    }
    // No stand-in colour is left.
    for color in ["#D100", "#F100", "#F200", "#D200"] {
        assert!(!svg.contains(color), "{color}");
    }
}

/// The x and the width of the filled bars of a picture.
fn bar_widths(svg: &str) -> Vec<f64> {
    let xml = Xml::parse(svg).unwrap();
    let bars = xml.descendants().filter(|node| {
        node.attribute("fill")
            .is_some_and(|fill| fill.starts_with("url("))
            && node.attribute("width") != Some("22")
    });
    bars.filter_map(|node| node.attribute("width")?.parse().ok())
        .collect()
}

#[test]
fn bars_are_as_long_as_their_values() {
    let groups = vec![
        ("a".to_owned(), vec![Some(1000.0), Some(500.0)]),
        ("b".to_owned(), vec![None, Some(250.0)]),
    ];
    let svg = picture(&bars(
        groups,
        vec![Cap {
            name: "size".into(),
            value: 2000.0,
        }],
    ));
    let widths = bar_widths(&svg);
    // Three bars, for the unknown one is none; the longest is half of the axis, which the cap ends.
    assert_eq!(widths.len(), 3);
    assert!((widths[0] / widths[1] - 2.0).abs() < 0.02, "{widths:?}");
    assert!((widths[0] / widths[2] - 4.0).abs() < 0.05, "{widths:?}");
    assert!(svg.contains("unknown") && svg.contains("size 2,000"));
}

#[test]
fn a_report_without_known_values_has_no_picture() {
    let document = bars(vec![], vec![]);
    let error = render_document(&document, Format::Svg, &RenderOptions::default()).unwrap_err();
    assert!(matches!(error, ReportError::Nothing { .. }));
    assert_eq!(
        error.to_string(),
        "this report has no chart with known values, so there is nothing to show as svg"
    );
}

#[test]
fn a_png_is_twice_the_size_of_the_svg() {
    let document = bars(vec![("a".to_owned(), vec![Some(1.0), None])], vec![]);
    let svg = picture(&document);
    let side = |name: &str| {
        Xml::parse(&svg)
            .unwrap()
            .root_element()
            .attribute(name)
            .unwrap()
            .parse::<u32>()
            .unwrap()
    };
    let (width, height) = (side("width"), side("height"));
    let png = render_document(&document, Format::Png, &RenderOptions::default()).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(png[16..20], (2 * width).to_be_bytes());
    assert_eq!(png[20..24], (2 * height).to_be_bytes());
}
