//! Charts: well-formed, self-contained, and what is unknown is not drawn.

use diskcap::report::{
    Bar, Cap, Chart, ChartKind, Document, Format, Panel, RenderOptions, ReportError, Section,
    Series, Shape, render_document,
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

fn bars(groups: Vec<(String, Vec<Bar>)>, caps: Vec<Cap>) -> Document {
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
        .filter(|node| node.has_tag_name((SVG, "title")));
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

const SVG: &str = "http://www.w3.org/2000/svg";

/// Every text of a picture with its x.
fn texts(svg: &str) -> impl Iterator<Item = (f64, String)> {
    let xml = Xml::parse(svg).unwrap();
    let texts = xml
        .descendants()
        .filter(|node| node.has_tag_name((SVG, "text")));
    let texts = texts.filter_map(|node| {
        let x = node.attribute("x")?.parse().ok()?;
        Some((x, node.text()?.trim().to_owned()))
    });
    texts.collect::<Vec<_>>().into_iter()
}

/// The width of the filled bars of a picture.
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
        ("a".to_owned(), vec![Bar::Value(1000.0), Bar::Value(500.0)]),
        ("b".to_owned(), vec![Bar::Unknown, Bar::Value(250.0)]),
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
    assert!(svg.contains("unknown: asked") && svg.contains("size 2,000"));
}

#[test]
fn what_is_unknown_is_said_in_words_and_what_is_absent_is_not() {
    let groups = vec![
        ("a".to_owned(), vec![Bar::Absent, Bar::Value(250.0)]),
        ("b".to_owned(), vec![Bar::Unknown, Bar::Unknown]),
    ];
    let svg = picture(&bars(groups, vec![]));
    assert_eq!(bar_widths(&svg).len(), 1);
    let words = texts(&svg).filter(|(_, text)| text.starts_with("unknown"));
    let words: Vec<_> = words.map(|(_, text)| text).collect();
    assert_eq!(words, ["unknown: asked, effective"]);
    let xml = Xml::parse(&svg).unwrap();
    let spoken = xml
        .descendants()
        .find(|node| node.has_tag_name((SVG, "desc")));
    assert_eq!(
        spoken.and_then(|node| node.text()),
        Some("In IOPS. a: effective 250; b: unknown: asked, effective.")
    );
}

/// A chart over time of one panel: lines of `points`, minutes and values.
fn over_time(title: &str, lines: &[(&str, &[(f64, f64)])]) -> Section {
    let series = |(name, points): &(&str, &[(f64, f64)])| Series {
        name: (*name).to_owned(),
        points: points.iter().map(|(x, y)| (*x, Some(*y))).collect(),
        shape: Shape::Linear,
    };
    let panel = Panel {
        title: "I/Os".into(),
        unit: "IOPS".into(),
        series: lines.iter().map(series).collect(),
        caps: Vec::new(),
    };
    Section::Chart(Chart {
        id: title.into(),
        title: title.into(),
        kind: ChartKind::Time {
            panels: vec![panel],
            spans: Vec::new(),
        },
    })
}

#[test]
fn times_of_pictures_of_one_document_stand_in_line() {
    let sections = vec![
        over_time("a", &[("a", &[(0.0, 5.0), (4.0, 5.0)])]),
        over_time("b", &[("a longer name", &[(0.0, 1e6), (4.0, 2_500_000.0)])]),
    ];
    let svg = picture(&Document {
        sections,
        ..Document::default()
    });
    for mark in ["1 min", "2 min", "4 min"] {
        let mut at = texts(&svg).filter(|(_, text)| text == mark).map(|(x, _)| x);
        let (first, last) = (at.next().unwrap(), at.last().unwrap());
        assert!((first - last).abs() < 0.5, "{mark}: {first} and {last}");
    }
}

#[test]
fn what_belongs_to_a_name_does_not_look_like_data() {
    let lines: [(&str, &[(f64, f64)]); 2] = [
        ("asked", &[(0.0, 9.0), (4.0, 9.0)]),
        ("served", &[(0.0, 3.0), (4.0, 9.0)]),
    ];
    let svg = picture(&Document {
        sections: vec![over_time("a", &lines)],
        ..Document::default()
    });
    let xml = Xml::parse(&svg).unwrap();
    let edge = texts(&svg).find(|(_, text)| text == "4 min").unwrap().0;
    let strokes = xml.descendants().filter_map(|node| {
        let points = node.attribute("points")?.split_whitespace();
        let points: Vec<(f64, f64)> = points
            .map(|point| {
                let (x, y) = point.split_once(',').unwrap();
                (x.parse().unwrap(), y.parse().unwrap())
            })
            .collect();
        let dashed_or_colored = node.attribute("stroke")? != "#595959";
        Some((points, dashed_or_colored, node.attribute("stroke-width")?))
    });
    let beyond = strokes.filter(|(points, ..)| points.iter().any(|(x, _)| *x > edge + 2.0));
    let mut samples = 0;
    let mut leaders = 0;
    for (points, like_a_line, wide) in beyond {
        // Off the plot, as a whole.
        assert!(points.iter().all(|(x, _)| *x > edge + 2.0), "{points:?}");
        if like_a_line {
            samples += 1;
            assert!(points.iter().all(|(_, y)| *y == points[0].1), "{points:?}");
        } else {
            leaders += 1;
            assert_eq!(wide, "1");
        }
    }
    // Both lines end in one point, so one of the names had to be moved.
    assert_eq!((samples, leaders), (2, 1));
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
    let document = bars(
        vec![("a".to_owned(), vec![Bar::Value(1.0), Bar::Absent])],
        vec![],
    );
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
