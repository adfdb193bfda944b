//! HTML reports in a real Chromium: no error, nothing overflows, heads sort, the filter filters, text has contrast.
//!
//! Run with `tests/browser/run.sh`, which installs Chromium where it is missing.

#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is not as it must be"
)]

#[path = "../common/cli.rs"]
mod cli;
#[path = "../common/sample.rs"]
mod sample;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use diskcap::report::{
    Cell, Column, Document, Format, RenderOptions, Row, Section, Table, render_document,
};
use serde::Deserialize;

/// The least contrast of text that WCAG 2 level AA asks for.
const CONTRAST: f64 = 4.5;

/// What `probe.js` found.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Probe {
    errors: Vec<String>,
    width: u32,
    scroll_width: u32,
    beyond: Vec<String>,
    charts: usize,
    contrast: f64,
    faintest: String,
    orders: Vec<Order>,
    filtered: Option<Filtered>,
}

/// A column after a click on its head.
#[derive(Debug, Deserialize)]
struct Order {
    head: String,
    wanted: Option<String>,
    said: Option<String>,
    cells: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Filtered {
    shown: usize,
    said: String,
}

/// A browser with a folder of its own.
struct Browser {
    folder: tempfile::TempDir,
}

impl Browser {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// Runs Chromium on a page and gives its output and its log.
    fn run(&self, page: &Path, more: &[&str]) -> (String, String) {
        let profile = tempfile::tempdir_in(self.folder.path()).unwrap();
        let output = assert_cmd::Command::new("chromium")
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args([
                "--hide-scrollbars",
                "--force-device-scale-factor=1",
                "--enable-logging=stderr",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("--window-size=1600,2400")
            .args(more)
            .arg(format!("file://{}", page.display()))
            .timeout(Duration::from_secs(120))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr))
    }

    /// Opens a page with the probe in it, in a frame of exactly this width (a window has a least one).
    fn probe(&self, name: &str, html: &str, width: u32, more: &[&str]) -> Probe {
        let head = format!("<head><script>{}</script>", include_str!("probe-head.js"));
        let tail = format!("<script>{}</script></body>", include_str!("probe.js"));
        let probed = html
            .replacen("<head>", &head, 1)
            .replacen("</body>", &tail, 1);
        let frame = self.frame(name, &probed, width);
        let arguments = ["--dump-dom", "--virtual-time-budget=10000"];
        let (dom, log) = self.run(&frame, &[&arguments, more].concat());
        assert!(!log.contains("CONSOLE"), "{name}: {log}");
        let found = dom
            .split_once("<pre>")
            .and_then(|(_, rest)| rest.split_once("</pre>"));
        let (found, _) = found.unwrap_or_else(|| panic!("the probe did not run: {dom}"));
        let found = found
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
        let probe: Probe = serde_json::from_str(&found).unwrap();
        assert_eq!(probe.width, width);
        if let Some(folder) = std::env::var_os("DISKCAP_SCREENSHOTS") {
            let frame = self.frame(name, html, width);
            let picture = PathBuf::from(folder).join(format!("{name}-{width}.png"));
            let picture = format!("--screenshot={}", picture.display());
            self.run(&frame, &[&[picture.as_str()], more].concat());
        }
        probe
    }

    /// Writes a page, and one that shows it in a frame and what it is told by it.
    fn frame(&self, name: &str, html: &str, width: u32) -> PathBuf {
        fs::write(self.folder.path().join(format!("{name}-page.html")), html).unwrap();
        let frame = self.folder.path().join(format!("{name}-frame.html"));
        let content = format!(
            r#"<!DOCTYPE html><body style="margin:0"><script>
addEventListener("message", (event) => {{
  const pre = document.createElement("pre");
  pre.textContent = event.data;
  document.body.append(pre);
}});
</script><iframe src="{name}-page.html" style="border:0;width:{width}px;height:2400px"></iframe>"#
        );
        fs::write(&frame, content).unwrap();
        frame
    }

    /// What every page must keep.
    fn check(&self, name: &str, html: &str) -> Vec<Probe> {
        let dark = "--blink-settings=preferredColorScheme=0";
        let looks = [(360, None), (1600, None), (1600, Some(dark))];
        let probes = looks.map(|(width, more)| {
            let name = if more.is_some() {
                format!("{name}-dark")
            } else {
                name.to_owned()
            };
            let probe = self.probe(&name, html, width, more.as_slice());
            assert_eq!(probe.errors, Vec::<String>::new(), "{name} at {width}");
            assert_eq!(probe.beyond, Vec::<String>::new(), "{name} at {width}");
            assert!(
                probe.scroll_width <= width,
                "{name}: {} is wider than {width}",
                probe.scroll_width
            );
            assert!(
                probe.contrast >= CONTRAST,
                "{name} at {width}: {} in {}",
                probe.contrast,
                probe.faintest
            );
            probe
        });
        probes.into()
    }
}

fn page(document: &Document) -> String {
    let bytes = render_document(document, Format::Html, &RenderOptions::default()).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// A comparison of many sizes: long names, many columns, numbers in no order, some unknown.
fn large() -> Document {
    let mut columns = vec![
        Column::new("size", "Size with a name of some length"),
        Column::new("note", "Limits of use"),
    ];
    columns.extend((0..14).map(|n| Column::new(format!("c{n}_iops"), format!("Column {n} IOPS"))));
    let row = |index: u32| {
        let number = |n: u32| match (index * 7 + n * 3) % 11 {
            0 => Cell::EMPTY,
            rest => Cell::number(f64::from(rest) * 12_345.678 / f64::from(n + 1), 1)
                .hinted("listed as 96"),
        };
        let mut cells = vec![
            Cell::text(format!(
                "Standard_Example{index}abcdefghijklmnop_v5 row {index:02}"
            )),
            Cell::text("no host caching, no operating-system disk, zones 1 and 2 only"),
        ];
        cells.extend((0..14).map(number));
        Row::new(cells)
    };
    let table = Table {
        id: "sizes".into(),
        title: "Sizes".into(),
        columns,
        rows: (0..40).map(row).collect(),
    };
    Document {
        title: "A_comparison_with_a_very_long_headline_without_any_blank_in_it_to_break_at"
            .repeat(2),
        sections: vec![Section::Table(table)],
        ..Document::default()
    }
}

/// The numbers of a column's cells; `None` for unknown.
fn numbers(cells: &[String]) -> Vec<Option<f64>> {
    let number = |cell: &String| {
        let digits = cell
            .split(" (")
            .next()
            .unwrap()
            .replace([',', '≤', ' '], "");
        digits.trim_end_matches("USD").parse().ok()
    };
    cells.iter().map(number).collect()
}

/// Whether known numbers come in order and unknown ones last.
fn in_order(cells: &[String], descending: bool) -> bool {
    let numbers = numbers(cells);
    let known: Vec<f64> = numbers.iter().map_while(|number| *number).collect();
    let tail_unknown = numbers.iter().skip(known.len()).all(Option::is_none);
    let pairs = known.windows(2).all(|pair| {
        if descending {
            pair[0] >= pair[1]
        } else {
            pair[0] <= pair[1]
        }
    });
    tail_unknown && pairs
}

#[test]
#[ignore = "needs Chromium: tests/browser/run.sh"]
fn a_report_reads_well_on_a_telephone_and_on_a_wide_screen() {
    let browser = Browser::new();
    for probe in browser.check("sample", &page(&sample::document())) {
        // Of the two drawings of each chart, one is shown.
        assert_eq!(probe.charts, 3);
        for order in &probe.orders {
            assert_eq!(order.said, order.wanted, "{}", order.head);
        }
        let of = |head: &str, wanted: Option<&str>| {
            let order = probe
                .orders
                .iter()
                .find(|o| o.head == head && o.wanted.as_deref() == wanted);
            order.unwrap().cells.clone()
        };
        let volumes = ["data", "log|redo", "temp", "磁盘 archive"];
        assert_eq!(of("Volume", None), volumes);
        assert_eq!(
            of("Volume", Some("descending")),
            ["磁盘 archive", "temp", "log|redo", "data"]
        );
        assert_eq!(
            of("Sustained IOPS", Some("ascending")),
            ["433", "500", "5,100", "≤ 19,200"]
        );
        assert_eq!(
            of("Provisioned IOPS", Some("descending")),
            ["5,100", "510", "500", "-"]
        );
    }
}

#[test]
#[ignore = "needs Chromium: tests/browser/run.sh"]
fn a_large_comparison_sorts_filters_and_stays_within_the_screen() {
    let browser = Browser::new();
    for probe in browser.check("large", &page(&large())) {
        for order in probe
            .orders
            .iter()
            .filter(|order| order.head.starts_with("Column"))
        {
            if let Some(wanted) = &order.wanted {
                assert!(in_order(&order.cells, wanted == "descending"), "{order:?}");
            }
        }
        let filtered = probe.filtered.expect("a long table has a filter");
        assert_eq!(
            (filtered.shown, filtered.said.as_str()),
            (1, "1 of 40 rows")
        );
    }
}

#[test]
#[ignore = "needs Chromium: tests/browser/run.sh"]
fn a_plan_has_charts_of_volumes_and_vm_and_the_maths_in_words() {
    let words = "plan --vm Standard_D2s_v3 --disk v1=P10 --disk v2double=v2:size=130,iops=6000,mbps=250 --format html";
    let html = cli::stdout(words);
    assert!(html.contains(
        "v2double: provisioned 6,000 IOPS; the VM lets 3,200 IOPS through (uncached): 3,200 IOPS."
    ));
    for probe in Browser::new().check("plan", &html) {
        // Volumes and ceilings of the VM, IOPS and MB/s.
        assert_eq!(probe.charts, 4);
    }
}

#[test]
#[ignore = "needs Chromium: tests/browser/run.sh"]
fn a_comparison_of_disks_sorts_by_its_numbers_and_stays_within_the_screen() {
    let html = cli::stdout("compare disks P* v2:size=512GiB --vm Standard_D8s_v5 --format html");
    for probe in Browser::new().check("disks", &html) {
        assert_eq!(probe.charts, 2);
        for order in &probe.orders {
            assert_eq!(order.said, order.wanted, "{}", order.head);
            if let ("Price a month", Some(wanted)) = (order.head.as_str(), &order.wanted) {
                assert!(in_order(&order.cells, wanted == "descending"), "{order:?}");
            }
        }
    }
}

#[test]
#[ignore = "needs Chromium: tests/browser/run.sh"]
fn pages_given_by_hand_have_no_errors_and_stay_within_the_screen() {
    let Some(folder) = std::env::var_os("DISKCAP_PAGES") else {
        return;
    };
    let browser = Browser::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "html") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            browser.check(&name, &fs::read_to_string(&path).unwrap());
        }
    }
}
