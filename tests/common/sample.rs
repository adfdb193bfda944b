//! A report with one of everything, for tests of the formats. All names and numbers are made up.

use diskcap::planner::findings::{Figure, Suppressed};
use diskcap::planner::{Finding, FindingId, Severity};
use diskcap::report::{
    Axis, Bar, Cap, Cell, Chart, ChartKind, Checked, Column, Document, Note, Notes, Panel, Row,
    Scale, Section, Series, Shape, SourceFile, Span, Table, Tone,
};

/// The report.
pub fn document() -> Document {
    Document {
        title: "Size_A4_v9 with 4 volumes".into(),
        subtitle: Some(
            "What 4 volumes reach on Size_A4_v9 at 8 KiB random, catalogue of 2031-05-01".into(),
        ),
        sections: vec![
            Section::Table(volumes()),
            Section::Table(ceilings()),
            Section::Notes(findings()),
            Section::Chart(bars()),
            Section::Chart(time()),
            Section::Chart(curve()),
            Section::Text {
                title: "How the limits come about".into(),
                paragraphs: vec![
                    "Every I/O uses the disk and the ceiling of the size that its path crosses; \
                     the first one that is full is the bottleneck."
                        .into(),
                    "* 1. This paragraph | begins like a list <b>and</b> is none.".into(),
                ],
            },
        ],
        footnotes: vec![
            "Sizes: example catalogue, 2031-05-01.".into(),
            "A latency marked typical is no promise of the provider.".into(),
        ],
        checked: checked(),
        ..Document::default()
    }
}

/// A VM with a finding of each severity, one of them suppressed, and one that is clean.
pub fn checked() -> Vec<Checked> {
    let finding = |id, severity, subject: &str, fix: Option<&str>| Finding {
        id,
        severity,
        subject: subject.into(),
        message: format!("{subject} <is> \"wrong\" & more"),
        figures: vec![Figure {
            name: "capacity".into(),
            value: 4.0,
            unit: "disks".into(),
        }],
        fix: fix.map(Into::into),
        suppressed: None,
    };
    let suppressed = Suppressed {
        reason: "meant so".into(),
        expires: Some(jiff::civil::date(2031, 12, 31)),
        source: "accepted.toml, line 3".into(),
    };
    let findings = vec![
        finding(
            FindingId::TooManyDisks,
            Severity::Error,
            "Size_A4_v9",
            Some("take 4"),
        ),
        finding(FindingId::Unusable, Severity::Warning, "data", None),
        Finding {
            suppressed: Some(Box::new(suppressed)),
            ..finding(FindingId::RwCacheData, Severity::Warning, "log", None)
        },
        finding(FindingId::QueueDepth, Severity::Info, "data", None),
        finding(FindingId::QueueDepth, Severity::Info, "data", None),
    ];
    let file = SourceFile {
        path: "plans/new one.toml".into(),
        lines: [("data".to_owned(), 7)].into(),
    };
    vec![
        Checked {
            name: "orders".into(),
            vm: Some("Size_A4_v9".into()),
            file: Some(file),
            findings,
            ..Checked::default()
        },
        Checked {
            name: "web-1".into(),
            id: Some("/subscriptions/s/virtualMachines/web-1".into()),
            vm: Some("web-1".into()),
            ..Checked::default()
        },
    ]
}

fn volumes() -> Table {
    let columns = vec![
        Column::new("name", "Volume"),
        Column::new("sku", "SKU").ranked(1),
        Column::new("size_gib", "Size GiB").ranked(4),
        Column::new("caching", "Host caching").ranked(3),
        Column::new("provisioned_iops", "Provisioned IOPS").ranked(2),
        Column::new("provisioned_mbps", "Provisioned MB/s").ranked(2),
        Column::new("sustained_iops", "Sustained IOPS"),
        Column::new("sustained_mbps", "Sustained MB/s"),
        Column::new("bottleneck", "Bottleneck").ranked(1),
        Column::new("qd1_iops", "QD1 ceiling IOPS").ranked(5),
        Column::new("unusable_iops", "Unusable IOPS").ranked(4),
        Column::new("month_usd", "Price a month").ranked(6),
        Column::new("zone_redundant", "Zone redundant").on_request(),
    ];
    let row = |name: &str, sku: &str, numbers: [Cell; 9], caching: &str, bottleneck: &str| {
        let [
            size,
            iops,
            mbps,
            sustained_iops,
            sustained_mbps,
            qd1,
            unusable,
            month,
            zone,
        ] = numbers;
        let (caching, bottleneck) = (Cell::text(caching), Cell::text(bottleneck));
        Row::new(vec![
            Cell::text(name),
            Cell::text(sku),
            size,
            caching,
            iops,
            mbps,
            sustained_iops,
            sustained_mbps,
            bottleneck,
            qd1,
            unusable,
            month,
            zone,
        ])
    };
    let n = Cell::number;
    let slow = Tone::Warning;
    Table {
        id: "volumes".into(),
        title: "Volumes".into(),
        columns,
        rows: vec![
            row(
                "data",
                "X30",
                [
                    n(1024.0, 0),
                    n(5100.0, 0),
                    n(201.326_592, 1).hinted("listed as 192"),
                    n(5100.0, 0),
                    n(41.7792, 1),
                    n(1_538.461_538, 0),
                    n(0.0, 0),
                    Cell::money(131.5, "USD"),
                    Cell::flag(false),
                ],
                "read-only",
                "disk IOPS",
            ),
            row(
                "log|redo",
                "X10",
                [
                    n(128.0, 0),
                    n(510.0, 0),
                    n(104.8576, 1).hinted("listed as 100"),
                    n(433.25, 0).toned(slow),
                    n(3.549_184, 1).toned(slow),
                    n(1_538.461_538, 0),
                    n(76.75, 0),
                    Cell::money(19.0, "USD"),
                    Cell::flag(false),
                ],
                "none",
                "size's uncached MB/s",
            ),
            row(
                "temp",
                "local",
                [
                    n(150.0, 0),
                    Cell::EMPTY,
                    Cell::EMPTY,
                    Cell::at_most(19_200.0, 0),
                    Cell::at_most(157.2864, 1),
                    Cell::EMPTY,
                    Cell::EMPTY,
                    Cell::EMPTY,
                    Cell::EMPTY,
                ],
                "none",
                "size's cached IOPS",
            ),
            row(
                "磁盘 archive",
                "Y4",
                [
                    n(32_767.0, 0),
                    n(500.0, 0).toned(Tone::Bad),
                    n(60.0, 1),
                    n(500.0, 0),
                    n(4.096, 1),
                    n(125.0, 0),
                    n(0.0, 0),
                    Cell::money(1_310.72, "USD"),
                    Cell::flag(true),
                ],
                "none",
                "disk IOPS",
            ),
        ],
    }
}

fn ceilings() -> Table {
    let row = |name: &str, cap: Cell, burst: Cell, asked: f64, ratio: f64, tone| Row {
        cells: vec![
            Cell::text(name),
            cap,
            burst,
            Cell::number(asked, 0),
            Cell::number(ratio, 2),
        ],
        tone,
        ..Row::default()
    };
    Table {
        id: "ceilings".into(),
        title: "Ceilings of Size_A4_v9".into(),
        columns: vec![
            Column::new("ceiling", "Ceiling"),
            Column::new("cap", "Cap"),
            Column::new("burst", "Burst").ranked(1),
            Column::new("asked", "Asked").ranked(1),
            Column::new("ratio", "Asked / cap"),
        ],
        rows: vec![
            row(
                "uncached IOPS",
                Cell::number(6400.0, 0),
                Cell::number(20_000.0, 0),
                6110.0,
                0.9547,
                Tone::Plain,
            ),
            row(
                "uncached MB/s",
                Cell::number(100.663_296, 1).hinted("listed as 96"),
                Cell::EMPTY,
                366.183_792,
                3.6377,
                Tone::Bad,
            ),
            row(
                "cached IOPS",
                Cell::EMPTY,
                Cell::EMPTY,
                19_200.0,
                f64::NAN,
                Tone::Faint,
            ),
        ],
    }
}

fn findings() -> Notes {
    Notes {
        id: "findings".into(),
        title: "Findings".into(),
        items: vec![
            Note {
                label: "error".into(),
                tone: Tone::Bad,
                id: "TOO-MANY-DISKS".into(),
                subject: "Size_A4_v9".into(),
                owner: None,
                text: "5 data disks are planned, and the size takes 4.".into(),
                fix: Some("Size_A8_v9 takes 8.".into()),
                fix_for_all: None,
            },
            Note {
                label: "warning".into(),
                tone: Tone::Warning,
                id: "VM-UNCACHED-MBPS".into(),
                subject: "Size_A4_v9".into(),
                owner: None,
                text: "The volumes may move 366.2 MB/s together, and the size lets 100.7 MB/s (listed as 96) \
                       through uncached: 265.5 MB/s of what is paid for cannot be used."
                    .into(),
                fix: Some("Size_A16_v9 is the cheapest of its series that lifts the cap (402.7 MB/s, +310 USD a month).".into()),
                fix_for_all: None,
            },
            Note {
                label: "info".into(),
                tone: Tone::Plain,
                id: "QUEUE-DEPTH".into(),
                subject: "log|redo".into(),
                owner: None,
                text: "One I/O at a time reaches 1,538 IOPS at the typical 0.65 ms.".into(),
                fix: None,
                fix_for_all: None,
            },
        ],
    }
}

fn bars() -> Chart {
    let group =
        |name: &str, values: [Option<f64>; 3]| (name.to_owned(), values.map(Bar::from).to_vec());
    Chart {
        id: "volumes-iops".into(),
        title: "Volumes: IOPS".into(),
        kind: ChartKind::Bars {
            unit: "IOPS".into(),
            series: vec!["asked".into(), "provisioned".into(), "effective".into()],
            groups: vec![
                group("data", [Some(6000.0), Some(5100.0), Some(5100.0)]),
                group("log|redo", [Some(600.0), Some(510.0), Some(433.25)]),
                group("temp <local>", [None, None, Some(5000.0)]),
            ],
            caps: vec![Cap {
                name: "size uncached".into(),
                value: 6400.0,
            }],
        },
    }
}

fn time() -> Chart {
    let steps = |name: &str, points: &[(f64, Option<f64>)]| Series {
        name: name.into(),
        points: points.to_vec(),
        shape: Shape::Step,
    };
    let throughput = Panel {
        title: "Throughput".into(),
        unit: "MB/s".into(),
        series: vec![
            steps("asked", &[(0.0, Some(210.0)), (60.0, Some(210.0))]),
            steps(
                "served",
                &[
                    (0.0, Some(210.0)),
                    (25.0, Some(52.0)),
                    (50.0, None),
                    (55.0, Some(52.0)),
                    (60.0, Some(52.0)),
                ],
            ),
        ],
        caps: vec![
            Cap {
                name: "size uncached".into(),
                value: 52.0,
            },
            Cap {
                name: "size burst".into(),
                value: 220.0,
            },
        ],
    };
    let credit = Panel {
        title: "Burst credit left".into(),
        unit: "%".into(),
        series: vec![Series {
            name: "size MB/s".into(),
            points: vec![(0.0, Some(100.0)), (25.0, Some(0.0)), (60.0, Some(0.0))],
            shape: Shape::Linear,
        }],
        caps: vec![],
    };
    Chart {
        id: "timeline".into(),
        title: "One hour of full load".into(),
        kind: ChartKind::Time {
            panels: vec![throughput, credit],
            spans: vec![Span {
                from: 25.0,
                to: 60.0,
                label: "throttled by the size's uncached MB/s".into(),
            }],
        },
    }
}

fn curve() -> Chart {
    let points = |factor: f64| {
        let percents = [50.0, 75.0, 90.0, 99.0, 99.9, 99.99];
        let curve = percents.iter().zip([0.6, 0.7, 0.9, 2.1, 8.0, 35.0]);
        curve
            .map(|(percent, ms)| (*percent, Some(ms * factor)))
            .collect::<Vec<_>>()
    };
    let series = |name: &str, factor| Series {
        name: name.into(),
        points: points(factor),
        shape: Shape::Linear,
    };
    Chart {
        id: "latency".into(),
        title: "Read latency".into(),
        kind: ChartKind::Curve {
            x: Axis {
                title: "Percentile".into(),
                scale: Scale::Nines,
            },
            y: Axis {
                title: "Latency (ms)".into(),
                scale: Scale::Log,
            },
            series: vec![series("QD1", 1.0), series("QD32", 3.0)],
            caps: vec![Cap {
                name: "typical".into(),
                value: 0.65,
            }],
        },
    }
}
