//! Recommendations as a document.

use super::money::amount;
use super::traced;
use crate::catalog::Axis as Limit;
use crate::catalog::size_name;
use crate::recommend::model::{
    Caveat, LimitUse, OtherAnswer, Recommendation, Recommendations, SizeFails, VolumeChoice,
};
use crate::recommend::{Need, VolumeNeed};
use crate::report::{Cell, Column, Document, Report, Row, Section, Table, Tone};
use crate::units::{GiB, Iops, Latency, MBps, Share, grouped};

mod frontier;
mod like;
mod notes;
mod nothing;
mod partly;

impl Report for Recommendations {
    fn document(&self) -> Document {
        let mut sections = Vec::new();
        let partly = partly::table(self).map(Section::Table);
        match self.best.first() {
            None => {
                sections.extend(partly);
                if let Some(first) = self.partly_priced.first() {
                    sections.push(Section::Table(volumes(&self.partly_priced)));
                    sections.push(Section::Table(limits(self, first)));
                }
                sections.extend(nothing::sections(self));
            }
            Some(first) => {
                sections.extend(self.like.as_ref().and_then(like::lost));
                sections.push(Section::Table(best(self)));
                sections.push(Section::Table(volumes(&self.best)));
                sections.push(Section::Table(limits(self, first)));
                sections.extend(cheaper(self).map(Section::Table));
                sections.extend(partly);
            }
        }
        sections.extend(self.like.as_ref().map(like::table).map(Section::Table));
        sections.extend(frontier::sections(self));
        sections.extend(
            self.from_trace
                .as_ref()
                .map(traced::need)
                .map(Section::Table),
        );
        Document {
            title: match self.best.first() {
                Some(first) => recommended(self, first),
                None => nothing::title(self),
            },
            subtitle: Some(asked(&self.need)),
            sections,
            footnotes: notes::footnotes(self),
            ..Document::default()
        }
    }
}

/// The best answer in one line, with what speaks against it; where it is on Arm64 and that was not asked, the best on x64
/// beside it.
fn recommended(result: &Recommendations, first: &Recommendation) -> String {
    let arm = first.is_arm64() && (result.best_x64.is_some() || result.need.size.arch.is_none());
    let mut against: Vec<String> = arm.then(|| "Arm64".to_owned()).into_iter().collect();
    against.extend(first.caveats.iter().map(|caveat| {
        match caveat {
            Caveat::CpuCredit => "burstable CPU",
            Caveat::SpecialHardware => "special hardware",
        }
        .to_owned()
    }));
    let day = first.retirement.as_ref();
    against.extend(day.map(|day| format!("retires on {day}")));
    let against = match against.as_slice() {
        [] => String::new(),
        all => format!(" ({})", all.join(", ")),
    };
    let other = |kind: &str, other: &Option<OtherAnswer>| {
        let other = other.as_ref();
        other.map_or_else(String::new, |other| {
            format!("; on {kind} {} for {}", other.size, other.month)
        })
    };
    format!(
        "Recommended: {} for {} a month{}{against}{}{}",
        size_name(&first.size, first.interface),
        first.month,
        if first.is_month_whole() {
            ""
        } else {
            " plus use"
        },
        other("x64", &result.best_x64),
        other("ordinary hardware", &result.best_ordinary),
    )
}

/// The need in one line.
fn asked(need: &Need) -> String {
    let mut parts: Vec<String> = need.volumes.iter().map(VolumeNeed::in_words).collect();
    let kept = need.kept.iter();
    parts.extend(kept.map(|kept| format!("beside {}", kept.load.in_words())));
    parts.extend(need.conditions());
    parts.join("; ")
}

fn best(result: &Recommendations) -> Table {
    let columns = vec![
        Column::new("rank", "#"),
        Column::new("size", "Size"),
        Column::new("interface", "Controller").on_request(),
        Column::new("vcpus", "vCPUs").ranked(3),
        Column::new("memory_gib", "GiB").ranked(4),
        Column::new("arch", "CPU").ranked(6),
        Column::new("disks", "Disks").ranked(1),
        Column::new("month", "A month"),
        Column::new("vm_month", "VM").ranked(2),
        Column::new("disks_month", "Disks a month").ranked(2),
        Column::new("tightest", "Reached first").ranked(5),
        Column::new("headroom_percent", "Headroom %").ranked(5),
        if result.best.iter().any(|one| one.retirement.is_some()) {
            Column::new("retirement", "Retires on").ranked(1)
        } else {
            Column::new("retirement", "Retires on").on_request()
        },
    ];
    let row = |(index, one): (usize, &Recommendation)| {
        let text = |text: Option<&str>| text.map_or(Cell::EMPTY, Cell::text);
        let disks: Vec<String> = one.volumes.iter().map(disks_of).collect();
        let tightest = one.tightest.as_ref();
        Row {
            cells: vec![
                Cell::number(index as f64 + 1.0, 0),
                size(one),
                text(one.interface.map(|i| i.name())),
                Cell::number(f64::from(one.vcpus), 0),
                Cell::known(one.memory_gib.map(GiB::get), 1),
                text(one.arch.as_deref()),
                Cell::text(disks.join(" + ")),
                partly::at_least(amount(Some(one.month)), one.is_month_whole()),
                amount(Some(one.vm_month)),
                partly::at_least(amount(Some(one.disks_month)), one.is_month_whole()),
                tightest.map_or(Cell::EMPTY, |limit| {
                    Cell::text(format!("{} {}", limit.place, limit.axis))
                }),
                Cell::known(tightest.map(|limit| limit.headroom() * 100.0), 0),
                text(one.retirement.as_deref()),
            ],
            tone: if index == 0 { Tone::Good } else { Tone::Plain },
            ..Row::default()
        }
    };
    Table {
        id: "best".to_owned(),
        title: "Cheapest answers, one a size".to_owned(),
        columns,
        rows: result.best.iter().enumerate().map(row).collect(),
    }
}

/// The size; beside it the controller that its caps hold for, where they differ by it.
fn size(one: &Recommendation) -> Cell {
    let cell = Cell::text(&one.size);
    match one.interface {
        Some(interface) => cell.hinted(interface.name()),
        None => cell,
    }
}

fn disks_of(volume: &VolumeChoice) -> String {
    match volume.caching {
        crate::deployment::HostCaching::None => volume.sku.clone(),
        caching => format!("{} {}", volume.sku, caching.name()),
    }
}

/// The disks of `answers`.
fn volumes(answers: &[Recommendation]) -> Table {
    let mut choices = answers.iter().flat_map(|one| &one.volumes);
    let columns = vec![
        Column::new("rank", "#"),
        Column::new("volume", "Volume"),
        Column::new("spec", "Disks"),
        Column::new("size_gib", "GiB").ranked(2),
        Column::new("provisioned_iops", "IOPS"),
        Column::new("provisioned_mbps", "MB/s"),
        Column::new("latency_us", "QD1 us").ranked(4),
        Column::new("month", "A month"),
        if choices.any(|volume| volume.slower_disks.is_some()) {
            Column::new("too_slow", "Why nothing cheaper").ranked(3)
        } else {
            Column::new("too_slow", "Why nothing cheaper").on_request()
        },
    ];
    let mut rows = Vec::new();
    for (ranks, one) in grouped_by(answers, |one| &one.volumes) {
        rows.extend(one.volumes.iter().map(|volume| {
            Row::new(vec![
                Cell::text(&ranks),
                Cell::text(&volume.volume),
                Cell::text(&volume.spec),
                Cell::known(volume.size_gib.map(GiB::get), 0),
                Cell::known(volume.provisioned.iops.map(Iops::get), 0),
                Cell::known(volume.provisioned.mbps.map(MBps::get), 1),
                Cell::known(volume.latency_us.map(Latency::micros), 0),
                partly::at_least(amount(Some(volume.month)), volume.is_month_whole()),
                too_slow(volume),
            ])
        }));
    }
    Table {
        id: "volumes".to_owned(),
        title: "Their disks".to_owned(),
        columns,
        rows,
    }
}

fn too_slow(volume: &VolumeChoice) -> Cell {
    volume.slower_disks.as_ref().map_or(Cell::EMPTY, |slow| {
        Cell::text(format!(
            "{} for {} gives {} of {} {}",
            slow.sku,
            slow.month,
            figure(slow.axis, slow.has),
            figure(slow.axis, slow.needs),
            slow.axis
        ))
    })
}

fn figure(axis: Limit, value: f64) -> String {
    grouped(value, usize::from(decimals(axis)))
}

const fn decimals(axis: Limit) -> u8 {
    match axis {
        Limit::Iops => 0,
        Limit::Mbps => 1,
    }
}

/// What the first answer uses of every limit: what is asked, and with the headroom of the need.
fn limits(result: &Recommendations, best: &Recommendation) -> Table {
    let headroom = result.need.headroom;
    let asked = Column::new("asked", "Asked");
    let columns = vec![
        Column::new("limit", "Limit"),
        Column::new("unit", "Unit"),
        Column::new("capacity", "Cap"),
        match headroom == Share::NONE {
            true => asked.on_request(),
            false => asked,
        },
        match headroom == Share::NONE {
            true => Column::new("used", "Used"),
            false => Column::new("used", format!("With {headroom} on top")),
        },
        Column::new("headroom_percent", "Headroom %"),
    ];
    let row = |limit: &LimitUse| {
        let places = decimals(limit.axis);
        let is_tightest = best.tightest.as_ref() == Some(limit);
        Row {
            cells: vec![
                Cell::text(limit.place.to_string()),
                Cell::text(limit.axis.to_string()),
                Cell::number(limit.capacity, places),
                Cell::known(limit.asked, places),
                Cell::number(limit.used, places),
                Cell::number(limit.headroom() * 100.0, 0),
            ],
            tone: if is_tightest {
                Tone::Warning
            } else {
                Tone::Plain
            },
            ..Row::default()
        }
    };
    Table {
        id: "limits".to_owned(),
        title: format!(
            "What {} and its disks let through, all volumes at work",
            best.size
        ),
        columns,
        rows: best.limits.iter().map(row).collect(),
    }
}

/// The answers of which something differs from the answer before, with the ranks that share it: `1`, `2-4`.
fn grouped_by<T: PartialEq>(
    answers: &[Recommendation],
    of: fn(&Recommendation) -> &T,
) -> Vec<(String, &Recommendation)> {
    let mut start = 1;
    let chunks = answers.chunk_by(|a, b| of(a) == of(b));
    chunks
        .filter_map(|chunk| {
            let (first, end) = (start, start + chunk.len() - 1);
            start = end + 1;
            let ranks = if first == end {
                first.to_string()
            } else {
                format!("{first}-{end}")
            };
            Some((ranks, chunk.first()?))
        })
        .collect()
}

/// The next cheaper sizes, and why they are not chosen; nothing where there are none.
fn cheaper(result: &Recommendations) -> Option<Table> {
    let mut rows = Vec::new();
    for (ranks, one) in grouped_by(&result.best, |one| &one.cheaper_sizes) {
        rows.extend(
            one.cheaper_sizes
                .iter()
                .map(|fails| fails_row(&ranks, fails)),
        );
    }
    (!rows.is_empty()).then(|| Table {
        id: "cheaper".to_owned(),
        title: "The next cheaper sizes, and why they are not chosen".to_owned(),
        columns: vec![
            Column::new("rank", "#"),
            Column::new("size", "Cheaper size"),
            Column::new("vm_month", "VM a month"),
            Column::new("reason", "Why not"),
        ],
        rows,
    })
}

fn fails_row(ranks: &str, fails: &SizeFails) -> Row {
    let size = size_name(&fails.size, fails.interface);
    Row::new(vec![
        Cell::text(ranks),
        Cell::text(size),
        amount(Some(fails.vm_month)),
        Cell::text(&fails.reason),
    ])
}
