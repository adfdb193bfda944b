//! Turns the resources of a source into facts, and watches over the lists that come in pages.

use std::sync::Arc;

use super::disk::DiskFacts;
use super::fleet::{FleetFacts, ScaleSetFacts};
use super::id::ResourceId;
use super::problem::{Notes, Problem, ReadProblem};
use super::sku::SkuFacts;
use super::vm::VmFacts;
use crate::azure::arm::kind::Kind;
use crate::azure::arm::shape::Resource;
use crate::azure::arm::walk::Sink;

impl FleetFacts {
    /// A sink that puts what one source holds into these facts. Call [`Collector::finish`] at its end.
    #[must_use]
    pub fn collector(&mut self, source: Arc<str>) -> Collector<'_> {
        Collector {
            facts: self,
            source,
            unknown: Vec::new(),
            on_page: Vec::new(),
            plain_sizes: false,
            picked: Vec::new(),
            bare: 0,
            yields: false,
        }
    }

    /// Says of which lists further pages are missing. Call it when all sources are read: the page that ends a list may
    /// be in another file.
    pub fn conclude(&mut self) {
        for (kind, source) in self.lists.missing() {
            let of = plural(kind);
            self.problems.push(ReadProblem {
                source,
                line: None,
                subject: None,
                problem: Problem::MorePages { of },
            });
        }
    }
}

/// Turns the resources of one source into facts.
pub struct Collector<'a> {
    facts: &'a mut FleetFacts,
    source: Arc<str>,
    /// Labels of unknown objects, with their counts, in the order they were met.
    unknown: Vec<(String, usize)>,
    /// The kinds of the resources since the last list ended.
    on_page: Vec<Kind>,
    /// Whether sizes were met of which no limits are said.
    plain_sizes: bool,
    /// Selections of fields, with their counts.
    picked: Vec<(String, usize)>,
    /// Values where resources were expected.
    bare: usize,
    /// Whether a resource was there.
    yields: bool,
}

impl Collector<'_> {
    /// Writes down a problem of the source itself.
    pub fn problem(&mut self, line: Option<usize>, problem: Problem) {
        self.facts.problems.push(ReadProblem {
            source: Arc::clone(&self.source),
            line,
            subject: None,
            problem,
        });
    }

    /// Writes down what was of no use, by kind and number.
    pub fn finish(mut self) {
        for (label, count) in std::mem::take(&mut self.unknown) {
            self.problem(None, Problem::Unknown { label, count });
        }
        if self.plain_sizes {
            self.problem(None, Problem::PlainSizes);
        }
        if self.bare > 0 && self.picked.is_empty() && !self.yields {
            self.picked.push((String::new(), self.bare));
        }
        for (fields, count) in std::mem::take(&mut self.picked) {
            self.problem(None, Problem::Picked { fields, count });
        }
    }
}

/// Lists that the service hands out in pages.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The kinds of which a list came to its end.
    ended: Vec<Kind>,
    /// Pages after which others follow: the kind, and where the page was read.
    open: Vec<(Kind, Arc<str>)>,
}

impl Lists {
    fn page(&mut self, kind: Kind, source: &Arc<str>, more: bool) {
        if !more {
            self.ended.push(kind);
        } else if !self.open.iter().any(|(known, _)| *known == kind) {
            self.open.push((kind, Arc::clone(source)));
        }
    }

    /// The kinds of which pages were read but never the last, each with the source of one page.
    fn missing(&mut self) -> Vec<(Kind, Arc<str>)> {
        self.open.retain(|(kind, _)| !self.ended.contains(kind));
        std::mem::take(&mut self.open)
    }

    pub(super) fn absorb(&mut self, other: Self) {
        self.ended.extend(other.ended);
        self.open.extend(other.open);
    }
}

/// What a list of this kind is of.
const fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Vm => "VMs",
        Kind::Disk => "disks",
        Kind::Sku => "SKUs",
        _ => "resources",
    }
}

/// Counts one more of this name.
fn count(counts: &mut Vec<(String, usize)>, name: String) {
    match counts.iter_mut().find(|(known, _)| *known == name) {
        Some((_, count)) => *count += 1,
        None => counts.push((name, 1)),
    }
}

impl Sink for Collector<'_> {
    fn resource(&mut self, kind: Kind, resource: &Resource) {
        self.yields = true;
        let what = match kind {
            Kind::Vm => "VM",
            Kind::Disk => "disk",
            Kind::Sku => "SKU",
            Kind::ScaleSet => "scale set",
            Kind::InstanceView => "instance view of",
            Kind::PartOfVm => "part",
            Kind::PlainSize | Kind::Metric | Kind::Error | Kind::Other => "object",
        };
        if !self.on_page.contains(&kind) {
            self.on_page.push(kind);
        }
        let facts = &mut *self.facts;
        let mut notes = Notes::new(
            &mut facts.problems,
            &self.source,
            &mut facts.pool,
            (what, resource),
        );
        if resource.properties.odd().is_some() {
            notes.add(Problem::CutShort {
                field: "properties",
            });
        }
        match kind {
            Kind::Vm => {
                if let Some(vm) = VmFacts::read(resource, &mut notes) {
                    facts.add_vm(vm);
                }
            }
            Kind::Disk => {
                if let Some(disk) = DiskFacts::read(resource, &mut notes) {
                    facts.add_disk(disk);
                }
            }
            Kind::Sku => {
                if let Some(sku) = SkuFacts::read(resource, &mut notes) {
                    facts.add_sku(sku);
                }
            }
            Kind::Metric => {
                if facts.metric_sources.last() != Some(&self.source) {
                    facts.metric_sources.push(Arc::clone(&self.source));
                }
            }
            Kind::InstanceView => notes.add(Problem::InstanceViewAlone),
            Kind::PartOfVm => notes.add(Problem::PartOfVm),
            Kind::PlainSize => self.plain_sizes = true,
            Kind::ScaleSet => {
                let flexible = resource.orchestration_mode.as_str();
                let flexible = flexible.is_some_and(|mode| mode.eq_ignore_ascii_case("Flexible"));
                if let Some(id) = resource.id.as_str().and_then(ResourceId::new) {
                    facts.scale_sets.push(ScaleSetFacts { id, flexible });
                }
            }
            Kind::Error | Kind::Other => {}
        }
    }

    fn error(&mut self, code: String, message: String) {
        self.problem(None, Problem::ErrorAnswer { code, message });
    }

    fn list_end(&mut self, more: bool) {
        for kind in self.on_page.drain(..) {
            if matches!(kind, Kind::Vm | Kind::Disk | Kind::Sku) {
                self.facts.lists.page(kind, &self.source, more);
            }
        }
    }

    fn unknown(&mut self, label: String) {
        count(&mut self.unknown, label);
    }

    fn picked(&mut self, fields: &str) {
        count(&mut self.picked, fields.to_owned());
    }

    fn bare(&mut self) {
        self.bare += 1;
    }
}
