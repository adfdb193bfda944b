//! Judgements of Azure Monitor's metrics as documents, and as parts of larger ones.

use jiff::Timestamp;

use super::fields::{Field, table};
use super::findings;
use crate::azure::metrics::{
    CeilingUse, CreditUse, DiskUse, Level, MetricsJudgement, Span, Throttling,
};
use crate::catalog::Axis;
use crate::planner::findings::duration;
use crate::report::{Cell, Checked, Column, Document, Report, Section, Table, Tone};

/// The most spans that people are shown; machine formats that carry the result itself have all.
const MOST_SPANS: usize = 20;

/// From here on a ceiling deserves a look, percent in use.
const NEAR: f64 = 90.0;

impl Report for MetricsJudgement {
    fn document(&self) -> Document {
        let mut sections = sections(&[self], false);
        sections.extend(findings::sections(&self.findings));
        Document {
            title: format!("Metrics of {}", self.vm),
            subtitle: Some(self.summary.clone()),
            sections,
            footnotes: self.notes.clone(),
            ..Document::default()
        }
    }

    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_> {
        let checked = findings::checked(&self.vm, Some(&self.vm), &self.findings);
        Box::new(std::iter::once(checked))
    }
}

/// A row of the judgement of one VM.
type Of<'a, T> = (&'a MetricsJudgement, &'a T);

/// The tables of judgements, without their findings and notes: how near every ceiling came, when one was reached, burst
/// credits, and what disks were used for. In a fleet, rows name their VM, and each has its nearest ceiling only.
#[must_use]
pub fn sections(judgements: &[&MetricsJudgement], fleet: bool) -> Vec<Section> {
    let tables = [
        ceilings(&rows(judgements, |j| nearest(j, fleet)), fleet),
        spans(&rows(judgements, |j| &j.spans), fleet),
        credits(&rows(judgements, |j| &j.credits), fleet),
        disks(&rows(judgements, |j| &j.disks), fleet),
    ];
    let filled = tables.into_iter().filter(|table| !table.rows.is_empty());
    filled.map(Section::Table).collect()
}

/// The ceilings to be shown: the nearest is the first.
fn nearest(judgement: &MetricsJudgement, only: bool) -> &[CeilingUse] {
    let all = judgement.ceilings.as_slice();
    all.get(..1).filter(|_| only).unwrap_or(all)
}

fn rows<'a, T>(
    judgements: &[&'a MetricsJudgement],
    of: impl Fn(&'a MetricsJudgement) -> &'a [T],
) -> Vec<Of<'a, T>> {
    let each = judgements.iter();
    each.flat_map(|judgement| of(judgement).iter().map(move |row| (*judgement, row)))
        .collect()
}

fn vm<'a, T>(several: bool) -> Field<Of<'a, T>> {
    let column = Column::new("vm", "VM");
    Field::new(column, |(judgement, _): &Of<'a, T>| {
        Cell::text(&judgement.vm)
    })
    .shown_if(several)
}

const fn axis(axis: Axis) -> &'static str {
    match axis {
        Axis::Iops => "IOPS",
        Axis::Mbps => "MB/s",
    }
}

const fn decimals(axis: Axis) -> u8 {
    match axis {
        Axis::Iops => 0,
        Axis::Mbps => 1,
    }
}

/// A moment to the minute, UTC; machine formats get it in the same form.
fn moment(at: Option<Timestamp>) -> Cell {
    at.map_or(Cell::EMPTY, |at| {
        Cell::text(at.strftime("%Y-%m-%d %H:%M").to_string())
    })
}

fn seconds(value: f64) -> Cell {
    let cell = Cell::number(value, 0);
    if value >= 120.0 {
        cell.hinted(duration(value))
    } else {
        cell
    }
}

fn percent(value: Option<f64>) -> Cell {
    let tone = match value {
        Some(value) if value >= NEAR => Tone::Warning,
        _ => Tone::Plain,
    };
    Cell::known(value, 1).toned(tone)
}

fn ceilings(rows: &[Of<'_, CeilingUse>], several: bool) -> Table {
    let any = |says: fn(&CeilingUse) -> bool| rows.iter().any(|(_, c)| says(c));
    let missing = any(|c| c.missing > 0);
    let computed = any(|c| c.computed);
    let bursts = any(|c| c.bursting_seconds > 0.0);
    let maxima = any(|c| c.highest_maximum.is_some());
    let touched = any(|c| c.touched_seconds > 0.0);
    let bad = |value: f64| match value {
        v if v > 0.0 => seconds(v).toned(Tone::Warning),
        v => seconds(v),
    };
    type C<'a> = Of<'a, CeilingUse>;
    let fields: Vec<Field<C<'_>>> = vec![
        vm(several),
        Field::new(Column::new("ceiling", "Ceiling of"), |(_, c): &C<'_>| {
            Cell::text(&c.label)
        }),
        Field::new(Column::new("unit", "Unit"), |(_, c): &C<'_>| {
            Cell::text(axis(c.axis))
        }),
        Field::new(Column::new("limit", "Limit").ranked(2), |(_, c): &C<'_>| {
            Cell::known(c.ceiling, decimals(c.axis))
        }),
        Field::new(
            Column::new("burst_limit", "Burst limit").ranked(7),
            |(_, c): &C<'_>| Cell::known(c.burst, decimals(c.axis)),
        )
        .shown_if(any(|c| c.burst.is_some())),
        Field::new(
            Column::new("highest_average_percent", "Highest mean %"),
            |(_, c): &C<'_>| percent(c.highest_average),
        ),
        Field::new(
            Column::new("highest_at", "At, UTC").ranked(4),
            |(_, c): &C<'_>| moment(c.highest_at),
        ),
        Field::new(
            Column::new("highest_maximum_percent", "Highest maximum %").ranked(1),
            |(_, c): &C<'_>| percent(c.highest_maximum),
        )
        .shown_if(maxima),
        Field::new(
            Column::new("highest_possible_percent", "Highest together %").ranked(3),
            |(_, c): &C<'_>| percent(c.highest_possible),
        )
        .shown_if(any(|c| c.highest_possible.is_some())),
        Field::new(
            Column::new("throttled_s", "Throttled s"),
            move |(judgement, c): &C<'_>| match c.throttled_seconds {
                s if s > 0.0 && judgement.is_unsure(c) => {
                    bad(s).hinted(format!("possibly {}", duration(s)))
                }
                s => bad(s),
            },
        ),
        Field::new(
            Column::new("touched_s", "In parts of s").ranked(3),
            |(_, c): &C<'_>| seconds(c.touched_seconds),
        )
        .shown_if(touched),
        Field::new(
            Column::new("bursting_s", "Bursting s").ranked(5),
            |(_, c): &C<'_>| seconds(c.bursting_seconds),
        )
        .shown_if(bursts),
        Field::new(Column::new("samples", "Values"), |(_, c): &C<'_>| {
            Cell::number(c.samples as f64, 0)
        })
        .on_request(),
        Field::new(
            Column::new("missing", "Missing").ranked(6),
            |(_, c): &C<'_>| Cell::number(c.missing as f64, 0),
        )
        .shown_if(missing),
        Field::new(
            Column::new("computed", "Computed").ranked(6),
            |(_, c): &C<'_>| Cell::flag(c.computed),
        )
        .shown_if(computed),
    ];
    let tone = |(_, c): &C<'_>| match c.throttled_seconds {
        s if s > 0.0 => Tone::Warning,
        _ => Tone::Plain,
    };
    let title = if several {
        "The nearest ceiling of every VM"
    } else {
        "Highest use of every ceiling"
    };
    table("metrics_ceilings", title, fields, rows, tone)
}

fn spans(rows: &[Of<'_, Span>], several: bool) -> Table {
    type S<'a> = Of<'a, Span>;
    let title = match rows.len() {
        count if count > MOST_SPANS => {
            format!("When a ceiling was reached: the longest {MOST_SPANS} of {count} times")
        }
        _ => "When a ceiling was reached".to_owned(),
    };
    let shown = rows.get(..MOST_SPANS).unwrap_or(rows);
    let fields: Vec<Field<S<'_>>> = vec![
        vm(several),
        Field::new(Column::new("from", "From, UTC"), |(_, s): &S<'_>| {
            moment(Some(s.start))
        }),
        Field::new(Column::new("to", "To, UTC").ranked(4), |(_, s): &S<'_>| {
            moment(Some(s.end))
        }),
        Field::new(Column::new("seconds", "Length s"), |(_, s): &S<'_>| {
            seconds(s.seconds)
        }),
        Field::new(
            Column::new("whole_s", "Throttled s").ranked(5),
            |(_, s): &S<'_>| seconds(s.whole_seconds),
        )
        .shown_if(rows.iter().any(|(_, s)| s.whole_seconds < s.seconds)),
        Field::new(Column::new("by", "By"), |(_, s): &S<'_>| {
            Cell::text(format!("{} {}", s.label, axis(s.axis)))
        }),
        Field::new(
            Column::new("level", "Ceiling").ranked(2),
            |(_, s): &S<'_>| {
                Cell::text(match s.level {
                    Level::Sustained => "sustained",
                    Level::Burst => "burst",
                })
            },
        ),
        Field::new(
            Column::new("highest_average_percent", "Highest mean %").ranked(3),
            |(_, s): &S<'_>| Cell::known(s.highest_average, 1),
        ),
        Field::new(
            Column::new("meanwhile", "Meanwhile").ranked(6),
            |(_, s): &S<'_>| beside(s),
        ),
    ];
    table("metrics_spans", &title, fields, shown, |_| Tone::Plain)
}

fn beside(span: &Span) -> Cell {
    let shown: Vec<String> = span
        .beside
        .iter()
        .map(|b| format!("{} {} {:.0} %", b.label, axis(b.axis), b.highest_average))
        .collect();
    if shown.is_empty() {
        return Cell::EMPTY;
    }
    Cell::text(shown.join(", "))
}

fn credits(rows: &[Of<'_, CreditUse>], several: bool) -> Table {
    type C<'a> = Of<'a, CreditUse>;
    let fields: Vec<Field<C<'_>>> = vec![
        vm(several),
        Field::new(
            Column::new("credit", "Burst credit of"),
            |(_, c): &C<'_>| Cell::text(&c.label),
        ),
        Field::new(Column::new("unit", "Unit"), |(_, c): &C<'_>| {
            Cell::text(axis(c.axis))
        }),
        Field::new(
            Column::new("highest_used_percent", "Most used up %"),
            |(_, c): &C<'_>| percent(Some(c.highest_used)),
        ),
        Field::new(Column::new("at", "At, UTC").ranked(1), |(_, c): &C<'_>| {
            moment(Some(c.at))
        }),
    ];
    table("metrics_credits", "Burst credits", fields, rows, |_| {
        Tone::Plain
    })
}

fn disks(rows: &[Of<'_, DiskUse>], several: bool) -> Table {
    type D<'a> = Of<'a, DiskUse>;
    let any = |says: fn(&DiskUse) -> bool| rows.iter().any(|(_, d)| says(d));
    let share = |share: Option<f64>| Cell::known(share.map(|share| share * 100.0), 0);
    let fields: Vec<Field<D<'_>>> = vec![
        vm(several),
        Field::new(Column::new("disk", "Disk"), |(_, d): &D<'_>| {
            Cell::text(&d.label)
        }),
        Field::new(
            Column::new("peak_iops", "Highest mean IOPS").ranked(1),
            |(_, d): &D<'_>| Cell::known(d.peak_iops, 0),
        ),
        Field::new(
            Column::new("peak_mbps", "Highest mean MB/s").ranked(1),
            |(_, d): &D<'_>| Cell::known(d.peak_mbps, 1),
        ),
        Field::new(
            Column::new("write_percent", "Writes % of I/Os"),
            move |(_, d): &D<'_>| share(d.write_share),
        ),
        Field::new(
            Column::new("write_byte_percent", "Writes % of bytes").ranked(3),
            move |(_, d): &D<'_>| share(d.write_byte_share),
        ),
        Field::new(
            Column::new("cache_read_hit_percent", "Cache read hits %").ranked(2),
            |(_, d): &D<'_>| Cell::known(d.cache_read_hit, 0),
        )
        .shown_if(any(|d| d.cache_read_hit.is_some())),
        Field::new(
            Column::new("highest_latency_ms", "Highest latency ms").ranked(2),
            |(_, d): &D<'_>| Cell::known(d.highest_latency_ms, 1),
        )
        .shown_if(any(|d| d.highest_latency_ms.is_some())),
        Field::new(
            Column::new("highest_latency_at", "At, UTC").ranked(4),
            |(_, d): &D<'_>| moment(d.highest_latency_at),
        )
        .shown_if(any(|d| d.highest_latency_at.is_some())),
        Field::new(
            Column::new("paid_bursts", "Billed bursts").ranked(3),
            |(_, d): &D<'_>| Cell::known(d.paid_bursts, 0),
        )
        .shown_if(any(|d| d.paid_bursts.is_some())),
    ];
    table(
        "metrics_disks",
        "What disks were used for",
        fields,
        rows,
        |_| Tone::Plain,
    )
}

/// Whether nothing is certain that would have throttled.
fn is_unsure(judgement: &MetricsJudgement) -> bool {
    let mut held = (judgement.ceilings.iter()).filter(|of| of.throttled_seconds > 0.0);
    judgement.throttling == Throttling::Throttled && held.all(|of| judgement.is_unsure(of))
}

/// The summary of a judgement as a sentence.
#[must_use]
pub fn sentence(judgement: &MetricsJudgement) -> String {
    if judgement.throttling == Throttling::NotSeen {
        return format!("Metrics: {}.", judgement.summary);
    }
    let lead = match is_unsure(judgement) {
        true => "Possibly",
        false => "Really",
    };
    format!("{lead} {}.", judgement.summary)
}

/// The summary of a judgement as a cell, for tables of VMs.
#[must_use]
pub fn throttling(judgement: &MetricsJudgement) -> Cell {
    let (text, tone) = match judgement.throttling {
        Throttling::Throttled if is_unsure(judgement) => ("throttled?", Tone::Warning),
        Throttling::Throttled => ("throttled", Tone::Warning),
        Throttling::Touched => ("in parts", Tone::Warning),
        Throttling::None => ("no", Tone::Plain),
        Throttling::NotSeen => ("not seen", Tone::Plain),
        Throttling::Unknown => return Cell::EMPTY,
    };
    Cell::text(text).toned(tone)
}
