//! The metrics of VMs and disks as they were read.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::track::Track;
use crate::azure::facts::{FleetFacts, ResourceId, VmFacts};
use crate::measure::series::azmon::Measure;
use crate::measure::series::{GaugeKind, Notice};

/// What a metric is about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// The cached path of the VM: disks with host caching, and the temp disk.
    VmCached,
    /// The uncached path of the VM.
    VmUncached,
    /// The OS disk.
    OsDisk,
    /// The data disk with this LUN.
    Lun(u32),
    /// The mean over all data disks: the metric was not split by LUN.
    DataDisks,
    /// The temp disk.
    TempDisk,
    /// All disks together.
    AllDisks,
    /// A managed disk, measured as a resource of its own.
    ManagedDisk,
}

/// The metrics of one resource. What is asked of them is [`judge`](super::judge()).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResourceMetrics {
    pub(crate) tracks: Vec<(Subject, Measure, Track)>,
}

impl ResourceMetrics {
    /// The values of a metric; nothing where there are none.
    pub(crate) fn track(&self, subject: Subject, measure: Measure) -> Option<&Track> {
        self.tracks
            .iter()
            .find(|(s, m, track)| (*s, *m) == (subject, measure) && !track.is_empty())
            .map(|(.., track)| track)
    }

    /// The values of a percentage.
    pub(crate) fn gauge(&self, subject: Subject, kind: GaugeKind) -> Option<&Track> {
        self.track(subject, Measure::Gauge(kind))
    }

    /// What it has metrics of.
    pub(crate) fn subjects(&self) -> Vec<Subject> {
        let mut all: Vec<Subject> = self.tracks.iter().map(|(subject, ..)| *subject).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Adds what another reading says of the same resource.
    fn absorb(&mut self, other: Self) {
        for (subject, measure, track) in other.tracks {
            self.add(subject, measure, track);
        }
    }

    /// Adds values of a metric.
    pub(crate) fn add(&mut self, subject: Subject, measure: Measure, track: Track) {
        let same = |(s, m, _): &&mut (Subject, Measure, Track)| (*s, *m) == (subject, measure);
        match self.tracks.iter_mut().find(same) {
            Some((.., known)) => {
                let mut samples = std::mem::take(known).into_samples();
                samples.extend(track.into_samples());
                *known = Track::new(samples);
            }
            None => self.tracks.push((subject, measure, track)),
        }
    }
}

/// Whose metrics they are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// The resource with this id, in lower case.
    Id(String),
    /// A resource of which no more than the name is said, in lower case.
    Name(String),
    /// The source does not say.
    Unsaid,
}

/// Metrics of any number of VMs and disks, from any number of sources.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metrics {
    pub(crate) of: BTreeMap<Owner, ResourceMetrics>,
    pub(crate) notices: Vec<(Arc<str>, Notice)>,
}

/// What is known of one VM: its own metrics, and those of its managed disks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VmMetrics {
    pub(crate) own: ResourceMetrics,
    pub(crate) disks: Vec<(ResourceId, ResourceMetrics)>,
    /// Of the disks that other VMs may have too: what those ask of them.
    pub(crate) shared: Vec<Shared>,
}

/// A disk that several VMs may have: each has metrics of its own part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shared {
    /// What the VM at hand calls it.
    pub(crate) subject: Subject,
    /// The other VMs that have it.
    pub(crate) others: Vec<Sharer>,
}

/// Another VM that has a disk.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sharer {
    /// Its name.
    pub(crate) vm: String,
    /// What it calls the disk, and its metrics; `None` where there are none.
    pub(crate) metrics: Option<(Subject, ResourceMetrics)>,
}

impl Metrics {
    /// Whether nothing was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Adds what was read from another source. Values of the same time are taken once.
    pub fn absorb(&mut self, other: Self) {
        for (owner, metrics) in other.of {
            self.of.entry(owner).or_default().absorb(metrics);
        }
        self.notices.extend(other.notices);
    }

    /// What a reader should know of the figures: the source, and a sentence.
    pub fn notices(&self) -> impl Iterator<Item = (&str, String)> {
        self.notices
            .iter()
            .map(|(source, notice)| (&**source, notice.to_string()))
    }

    /// The metrics of a VM and of its managed disks; `None` where there are none of the VM or any of its disks.
    ///
    /// The VM is told by its id; by its name, where that is all that the source says. Metrics that name no resource
    /// are [`unnamed`](Self::unnamed).
    #[must_use]
    pub fn vm(
        &self,
        id: Option<&ResourceId>,
        name: &str,
        disks: &[ResourceId],
    ) -> Option<VmMetrics> {
        let mut own = ResourceMetrics::default();
        for metrics in self.of_vm(id, name) {
            own.absorb(metrics.clone());
        }
        let disks: Vec<_> = disks
            .iter()
            .filter_map(|disk| Some((disk.clone(), self.of.get(&owner_of(disk))?.clone())))
            .collect();
        let any = !own.tracks.is_empty() || !disks.is_empty();
        any.then_some(VmMetrics {
            own,
            disks,
            shared: Vec::new(),
        })
    }

    /// What a VM says of `subject` alone; `None` where that is nothing.
    pub(crate) fn of_subject(
        &self,
        id: Option<&ResourceId>,
        name: &str,
        subject: Subject,
    ) -> Option<ResourceMetrics> {
        let mut own = ResourceMetrics::default();
        for (of, measure, track) in self.of_vm(id, name).flat_map(|metrics| &metrics.tracks) {
            if *of == subject {
                own.add(*of, *measure, track.clone());
            }
        }
        (!own.tracks.is_empty()).then_some(own)
    }

    /// The metrics of a VM: by its id, and by its name.
    fn of_vm(&self, id: Option<&ResourceId>, name: &str) -> impl Iterator<Item = &ResourceMetrics> {
        let owners = [id.map(owner_of), Some(Owner::Name(name.to_lowercase()))];
        let owners = owners.into_iter().flatten();
        owners.filter_map(|owner| self.of.get(&owner))
    }

    /// Like [`vm`](Self::vm), for the only VM there is: what names no resource is of it, too.
    #[must_use]
    pub fn only_vm(
        &self,
        id: Option<&ResourceId>,
        name: &str,
        disks: &[ResourceId],
    ) -> Option<VmMetrics> {
        let unnamed = self.of.get(&Owner::Unsaid).cloned();
        let mut metrics = match (self.vm(id, name, disks), &unnamed) {
            (Some(metrics), _) => metrics,
            (None, Some(_)) => VmMetrics::default(),
            (None, None) => return None,
        };
        metrics.own.absorb(unnamed.unwrap_or_default());
        Some(metrics)
    }

    /// The metrics that name no resource: those of a VM, where only one is asked about.
    #[must_use]
    pub fn unnamed(&self) -> Option<VmMetrics> {
        let own = self.of.get(&Owner::Unsaid)?.clone();
        Some(VmMetrics {
            own,
            ..VmMetrics::default()
        })
    }

    /// The names of the resources that there are metrics of: the last part of an id, or the name that is said.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        fn name(owner: &Owner) -> Option<&str> {
            match owner {
                Owner::Id(id) => id.rsplit('/').next(),
                Owner::Name(name) => Some(name),
                Owner::Unsaid => None,
            }
        }
        self.of.keys().filter_map(name).collect()
    }

    /// The resources that there are metrics of and that are neither a VM nor a disk of `facts`: their names, or their
    /// whole ids where something else has the name.
    #[must_use]
    pub fn strangers(&self, facts: &FleetFacts) -> Vec<&str> {
        if self.of.is_empty() {
            return Vec::new();
        }
        let attached = || facts.vms.iter().flat_map(VmFacts::disks);
        let of_vms = facts.vms.iter().filter_map(|vm| vm.id.as_ref());
        let of_disks = facts.disks.iter().filter_map(|disk| disk.id.as_ref());
        let of_attached = attached().filter_map(|disk| disk.id.as_ref());
        let ids = of_vms.chain(of_disks).chain(of_attached);
        let ids: HashSet<String> = ids.map(|id| id.to_string().to_ascii_lowercase()).collect();
        let of_vms = facts.vms.iter().map(|vm| vm.name.to_lowercase());
        let of_disks = facts.disks.iter().map(|disk| disk.name.to_lowercase());
        let of_ids = ids
            .iter()
            .filter_map(|id| Some(id.rsplit('/').next()?.to_owned()));
        let names: HashSet<String> = of_vms.chain(of_disks).chain(of_ids).collect();
        let stranger = |owner| match owner {
            &Owner::Unsaid => None,
            Owner::Name(name) => Some(name.as_str()).filter(|name| !names.contains(*name)),
            Owner::Id(id) if ids.contains(id) => None,
            Owner::Id(id) => Some(match id.rsplit('/').next() {
                Some(name) if !names.contains(name) => name,
                _ => id,
            }),
        };
        self.of.keys().filter_map(stranger).collect()
    }

    /// Whether some of them name no resource.
    #[must_use]
    pub fn has_unnamed(&self) -> bool {
        self.of.contains_key(&Owner::Unsaid)
    }
}

fn owner_of(id: &ResourceId) -> Owner {
    Owner::Id(id.to_string().to_ascii_lowercase())
}
