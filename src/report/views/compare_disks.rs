//! Disks side by side as a document.

use super::capped_chart::{CappedChart, ChartCap};
use super::compare_disk_tables::{at_block_sizes, disks, uses};
use super::month::{footnotes_of, unpriced, without_price};
use super::outcome::{burst_doubts, load_sources, unknown_latencies};
use crate::catalog::azure::caching::LARGEST_CACHED;
use crate::catalog::{Axis, BurstKind, Limits, VmSize};
use crate::compare::disks::{Chosen, DiskRow, Unmet};
use crate::compare::reach::Reach;
use crate::compare::{DiskComparison, DiskNeed};
use crate::report::{Bar, Chart, Document, Note, Notes, Report, Section};
use crate::units::{BlockSize, GiB, Iops, MBps};

impl Report for DiskComparison {
    fn document(&self) -> Document {
        let mut sections = vec![Section::Table(disks(self))];
        let mut unfilled_tables = vec![at_block_sizes(self), uses(self)];
        if !self.disks.is_empty() {
            sections.extend(unfilled_tables.drain(..).map(Section::Table));
        }
        let refused = refused(self);
        if !refused.items.is_empty() {
            sections.push(Section::Notes(refused));
        }
        if !self.unmet.is_empty() {
            sections.push(Section::Notes(unmet(self)));
        }
        sections.extend(charts(self).into_iter().map(Section::Chart));
        Document {
            title: title(self),
            subtitle: subtitle(self),
            sections,
            unfilled_tables,
            footnotes: footnotes(self),
            ..Document::default()
        }
    }
}

fn title(comparison: &DiskComparison) -> String {
    match &comparison.vm {
        Some(vm) => format!("Disks compared, on {}", vm.label()),
        None => "Disks compared".to_owned(),
    }
}

/// What was asked of the families, and what each disk on the VM does.
fn subtitle(comparison: &DiskComparison) -> Option<String> {
    let need = comparison.need.map(|need| {
        let parts = [
            need.capacity.map(|v| v.to_string()),
            need.iops.map(|iops| iops_asked(iops, need.block_size())),
            need.mbps.map(|mbps| mbps_asked(mbps, &need)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let stripes = match need.max_stripe {
            0 | 1 => String::new(),
            most => format!(", striped over {most} disks at most"),
        };
        format!("Asked of each family: {}{stripes}", parts.join(", "))
    });
    let loads = comparison.loads.as_ref();
    let on_vm = loads.map(|loads| format!("On the VM, each by itself: {}", loads.caption()));
    let parts: Vec<String> = need.into_iter().chain(on_vm).collect();
    (!parts.is_empty()).then(|| parts.join(". "))
}

/// IOPS with what they move, which a disk must carry, too.
fn iops_asked(iops: Iops, block: BlockSize) -> String {
    format!("{iops} IOPS of {block} ({} MB/s)", iops.throughput(block))
}

/// MB/s; where they are asked in blocks of a size, with the IOPS that it takes.
fn mbps_asked(mbps: MBps, need: &DiskNeed) -> String {
    match need.block_size.filter(|_| need.iops.is_none()) {
        Some(block) => format!(
            "{mbps} MB/s in blocks of {block} ({} IOPS)",
            mbps.iops_at(block)
        ),
        None => format!("{mbps} MB/s"),
    }
}

fn refused(comparison: &DiskComparison) -> Notes {
    let of_row = |row: &DiskRow| {
        let name = row.name.clone();
        row.refused
            .iter()
            .map(move |finding| Note {
                subject: name.clone(),
                ..Note::from(finding)
            })
            .collect::<Vec<_>>()
    };
    Notes {
        id: "refused".to_owned(),
        title: "Cannot be deployed as asked".to_owned(),
        items: comparison.disks.iter().flat_map(of_row).collect(),
    }
}

fn unmet(comparison: &DiskComparison) -> Notes {
    let note = |unmet: &Unmet| Note {
        subject: unmet.family.name().to_owned(),
        text: unmet.reason.clone(),
        ..Note::default()
    };
    Notes {
        id: "unmet".to_owned(),
        title: "Families that do not have it".to_owned(),
        items: comparison.unmet.iter().map(note).collect(),
    }
}

/// Bars of what is provisioned, the burst, and what is reached on the VM, with the VM's ceilings across.
fn charts(comparison: &DiskComparison) -> Vec<Chart> {
    let mut caps: Vec<ChartCap> = Vec::new();
    if let Some(vm) = &comparison.vm {
        caps.push(ChartCap::new("VM uncached", &vm.uncached));
        caps.extend(
            vm.remote
                .iter()
                .map(|c| ChartCap::new(&format!("VM {}", VmSize::REMOTE_NAME), c)),
        );
    }
    [Axis::Iops, Axis::Mbps]
        .into_iter()
        .filter_map(|axis| {
            let mut series = vec!["provisioned", "in burst"];
            if comparison.vm.is_some() {
                series.push("on the VM, sustained");
            }
            let group = |row: &DiskRow| {
                let mut values = vec![
                    Bar::from(row.provisioned.on(axis)),
                    row.burst
                        .and_then(|burst| burst.limits.on(axis))
                        .or_else(|| row.provisioned.on(axis))
                        .into(),
                ];
                if let Some(on) = &row.on_vm {
                    let reached = match axis {
                        Axis::Iops => on.reach.iops.sustained.iops.map(Iops::get),
                        Axis::Mbps => on.reach.mbps.sustained.mbps.map(MBps::get),
                    };
                    values.push(reached.into());
                }
                (row.name.clone(), values)
            };
            CappedChart {
                id: "disks",
                title: "Disks",
                axis,
                series: &series,
                groups: comparison.disks.iter().map(group).collect(),
                caps: &caps,
            }
            .chart()
        })
        .collect()
}

/// Whether a disk was chosen as large as host caching allows, where its tier holds more.
fn is_just_cached(row: &DiskRow) -> bool {
    let all = LARGEST_CACHED.get() * row.members as f64;
    row.chosen != Chosen::Given && row.host_caching && row.size_gib.map(GiB::get) == Some(all)
}

/// Of which families nothing says in which zones the region has them.
fn zones_unknown(comparison: &DiskComparison) -> Option<String> {
    let region = comparison.region.as_deref()?;
    let rows = comparison.disks.iter();
    let unknown = rows.filter(|row| row.zones.is_none() && row.offered.is_none());
    let managed = unknown.filter(|row| !row.redundancies.is_empty());
    let mut families: Vec<&str> = managed.map(|row| row.family.name()).collect();
    families.sort_unstable();
    families.dedup();
    (!families.is_empty()).then(|| {
        format!(
            "Zones -: whether {region} has {}, and in which zones, is not recorded here; `diskcap skus update --region \
             {region} --subscription ID` asks for it.",
            families.join(" and ")
        )
    })
}

fn footnotes(comparison: &DiskComparison) -> Vec<String> {
    let mut notes = vec![format!("Data: {}.", comparison.data)];
    let months = comparison.disks.iter().filter_map(|row| row.month.as_ref());
    notes.extend(footnotes_of(comparison.prices.as_ref(), months));
    notes.extend(unpriced(
        comparison.prices.as_ref(),
        comparison
            .disks
            .iter()
            .flat_map(|row| without_price(row.month.as_ref())),
    ));
    let rows = comparison.disks.iter();
    notes.extend(burst_doubts(
        rows.map(|row| (row.name.as_str(), row.burst_doubt.as_deref())),
    ));
    notes.extend(unknown_latencies(comparison.disks.iter().map(|row| {
        let reach = row.on_vm.as_ref().map(|on| &on.reach);
        (row.name.as_str(), reach.and_then(Reach::latency_needed))
    })));
    let on_demand = |row: &DiskRow| row.burst.is_some_and(|b| b.kind == BurstKind::OnDemand);
    if comparison.vm.is_some() && comparison.disks.iter().any(on_demand) {
        notes.push(
            "On-demand bursting holds as long as it is paid for: what such a disk comes to on the VM has it in it."
                .to_owned(),
        );
    }
    if comparison
        .disks
        .iter()
        .any(|row| row.queue_depth_1.is_some())
    {
        notes.push(
            "A latency marked typical is that of one 4 KiB read of the family in a field report; no promise of the \
             provider."
                .to_owned(),
        );
    }
    if comparison
        .disks
        .iter()
        .any(|row| row.most != Limits::UNKNOWN)
    {
        notes.push(
            "Settable IOPS and MB/s: what a disk of this size can be set to (performance tier, performance plus, or as \
             provisioned), without bursting."
                .to_owned(),
        );
    }
    if comparison.disks.iter().any(|row| row.members > 1) {
        notes.push("Figures of several disks are of all of them together; one I/O at a time goes to one of them.".to_owned());
    }
    if comparison
        .need
        .is_some_and(|need| need.iops.is_some() || need.mbps.is_some())
    {
        notes.push(
            "A family meets a need without bursting: by a tier, a performance tier, performance plus, or as provisioned, \
             with MB/s enough for the IOPS. Where prices are known, the cheapest of all these is shown."
                .to_owned(),
        );
    }
    if comparison.disks.iter().any(is_just_cached) {
        notes.push(format!(
            "A disk of {LARGEST_CACHED} is of a tier that holds one GiB more for the same price: with that one it could \
             not be cached on the host."
        ));
    }
    notes.extend(zones_unknown(comparison));
    notes.extend(load_sources(comparison.loads.as_ref()));
    if let Some(vm) = &comparison.vm {
        notes.push(format!(
            "{}: {}, {}.",
            vm.label(),
            vm.origin.source,
            vm.origin.date
        ));
    }
    notes
}
