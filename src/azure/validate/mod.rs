//! What is deployed, judged: facts through the planner and through the rules about deployed VMs and disks.
//!
//! Pure: the same facts, catalogue and options give the same result. A [`Validator`] judges one VM or one disk at a
//! time ([`Validator::vm`], [`Validator::disk`]), so that a fleet can be written out as it is judged; VMs of one shape
//! share one assessment. [`Validator::all`] collects everything.
//!
//! | file | concern |
//! |---|---|
//! | `size` | the catalogue's row of a VM, and SKU lists over the catalogue |
//! | `disk` | what a deployed disk can do |
//! | `assemble` | disks as volumes and stripes; the shape of a VM |
//! | `offers` | where sizes and disks are offered |
//! | `rules` | what is judged besides the planner's findings |
//! | `measured` | metrics held against it |
//! | `problems` | read problems by the resource that they are about |
//! | [`summary`] | many VMs in a few figures |
//! | [`model`] | the result |
//! | [`each`] | all of a fleet on several threads |
//! | [`lines`] | a fleet as records, one a VM |

mod assemble;
mod disk;
pub mod each;
pub mod lines;
mod measured;
pub mod model;
mod offers;
mod problems;
mod rules;
mod shapes;
mod size;
pub mod summary;
mod view;
mod words;

use std::collections::{BTreeMap, HashSet};

pub use assemble::{OS_VOLUME, Stripe, StripeError};
pub use model::{
    BackingKind, DeployedDisk, DiskValidation, FleetValidation, ReadNote, SCHEMA, Unknown,
    VmIdentity, VmValidation,
};
pub use size::with_listed_sizes;
pub use summary::{Summary, Tally};

use self::assemble::{Assembled, assemble};
use self::disk::{Seen, understand};
use self::offers::Offers;
use self::problems::{Problems, implausible, notes};
use self::rules::{Case, DiskCase};
use self::shapes::Shapes;
use self::size::Sizes;
use crate::azure::facts::{DiskFacts, FleetFacts, Named, Os, Power, Region, ResourceId, VmFacts};
use crate::azure::metrics::Metrics;
use crate::catalog::price::{PriceBook, VmOffer};
use crate::catalog::{Catalog, VmSize};
use crate::deployment::{Deployment, PlanRequest};
use crate::measure::bench::{BenchError, Input, Request, bench};
use crate::planner::Finding;
use crate::planner::money::disk_month;
use crate::workload::Workload;

/// How to judge.
#[derive(Debug, Default)]
pub struct Options {
    /// Disks that guests stripe into one volume. Only VMs that have members of a stripe have it.
    pub stripes: Vec<Stripe>,
    /// The workload: only its profiles, settings and demands are looked at. Nothing said: the standard tests. Demands
    /// of volumes that a VM does not have do not concern it.
    pub workload: PlanRequest,
    /// The prices, where costs are wanted.
    pub prices: Option<Prices>,
    /// Azure Monitor's metrics of the VMs and disks, where there are some.
    pub metrics: Option<Metrics>,
}

/// The prices of every region that VMs and disks are in.
#[derive(Debug)]
pub struct Prices {
    /// By region.
    pub books: BTreeMap<String, PriceBook>,
    /// A region whose prices hold for all; `None` for each its own.
    pub region: Option<String>,
    /// How VMs are bought; `None` for pay as you go by their operating system.
    pub offer: Option<VmOffer>,
}

impl Prices {
    fn book(&self, region: Option<&Region>) -> Option<&PriceBook> {
        let region = self.region.as_deref().or(region.map(Region::as_str))?;
        self.books.get(region)
    }
}

/// Judges the VMs and disks of a fleet.
#[derive(Debug)]
pub struct Validator<'a> {
    catalog: &'a Catalog,
    facts: &'a FleetFacts,
    options: &'a Options,
    offers: Offers<'a>,
    problems: Problems<'a>,
    attached: HashSet<&'a ResourceId>,
    sizes: Sizes<'a>,
    shapes: Shapes,
}

impl<'a> Validator<'a> {
    /// A validator of what `facts` hold. `catalog` has the sizes of the facts' own SKU lists where these are to count
    /// ([`with_listed_sizes`]).
    #[must_use]
    pub fn new(catalog: &'a Catalog, facts: &'a FleetFacts, options: &'a Options) -> Self {
        let disks = facts.vms.iter().flat_map(VmFacts::disks);
        Self {
            catalog,
            facts,
            options,
            offers: Offers::new(facts),
            problems: Problems::new(facts),
            attached: disks.filter_map(|disk| disk.id.as_ref()).collect(),
            sizes: Sizes::new(catalog),
            shapes: Shapes::default(),
        }
    }

    /// The same validator, whose assessments are in brief ([`crate::planner::Assessment::in_brief`]): for fleets, of
    /// which more shapes are remembered so.
    #[must_use]
    pub fn in_brief(mut self) -> Self {
        self.shapes.in_brief = true;
        self
    }

    /// Judges a VM.
    #[must_use]
    pub fn vm(&self, vm: &'a VmFacts) -> VmValidation {
        let sized = self.sizes.of(vm);
        let assembled = self.assemble(vm, sized.size);
        let mut unknowns: Vec<Unknown> = sized.unknown.into_iter().collect();
        let mut findings: Vec<Finding> = sized.finding.into_iter().collect();
        let mut own_problems = self.problems.of_vm(&vm.name).to_vec();
        let (mut assessment, mut disks, mut metrics) = (None, Vec::new(), None);
        match &assembled {
            None => {
                findings.push(rules::disks_unknown(&vm.name));
                unknowns.push(Unknown {
                    subject: vm.name.to_string(),
                    what: "its disks: the answer names none".to_owned(),
                });
            }
            Some(assembled) => {
                let book = self.book(vm.region.as_ref(), &vm.name, &mut unknowns);
                let workloads = self.workloads(&assembled.deployment);
                let assessed = self.assess(vm, assembled, &workloads, book);
                findings.extend(assessed.findings.iter().cloned());
                assessment = Some(assessed.assessment);
                let case = Case {
                    catalog: self.catalog,
                    vm,
                    size: sized.size,
                    assembled,
                    offers: &self.offers,
                    book,
                    named_workloads: if self.names_shares() { &workloads } else { &[] },
                };
                findings.extend(rules::of_vm(&case));
                unknowns.extend(view::unknowns(assembled));
                for member in &assembled.members {
                    if let Some(itself) = member.seen.itself {
                        let of_disk = self.problems.of_disk(&itself.name);
                        let volume = &assembled.deployment.volumes[member.volume].name;
                        findings.extend(implausible(volume, of_disk));
                        own_problems.extend_from_slice(of_disk);
                    }
                }
                disks = view::disks(self.catalog, assembled, book);
                metrics = self.measured(vm, sized.size, assembled, &mut findings);
            }
        }
        sort(&mut findings);
        VmValidation {
            vm: view::identity(vm),
            disks,
            assessment,
            findings,
            unknowns,
            problems: notes(&own_problems),
            metrics,
            bench: None,
        }
    }

    /// Judges a disk by itself.
    #[must_use]
    pub fn disk(&self, disk: &'a DiskFacts) -> DiskValidation {
        let seen = Seen {
            attached: None,
            itself: Some(disk),
            os: disk.os.is_some(),
        };
        let understood = understand(self.catalog, None, seen);
        let mut unknowns = Vec::new();
        let book = self.book(disk.region.as_ref(), &disk.name, &mut unknowns);
        let month = book.map(|book| disk_month(self.catalog, book, &understood.disk));
        let mut findings: Vec<Finding> = rules::unattached(disk, month.as_ref())
            .into_iter()
            .collect();
        let case = DiskCase {
            catalog: self.catalog,
            subject: &disk.name,
            seen,
            understood: &understood,
            book,
        };
        rules::of_disk(&case, &mut findings);
        let problems = self.problems.of_disk(&disk.name);
        findings.extend(implausible(&disk.name, problems));
        sort(&mut findings);
        let whats = understood.unknowns.iter();
        unknowns.extend(whats.map(|what| Unknown {
            subject: disk.name.to_string(),
            what: what.clone(),
        }));
        let id = disk.id.as_ref();
        DiskValidation {
            resource_group: disk.resource_group.as_deref().map(str::to_owned),
            subscription: id.and_then(ResourceId::subscription).map(str::to_owned),
            region: disk.region.as_ref().map(ToString::to_string),
            attached_to: disk.attached_to.iter().map(ToString::to_string).collect(),
            disk: view::other_disk(seen, &understood, month),
            findings,
            unknowns,
            problems: notes(problems),
            source: disk.source.to_string(),
        }
    }

    /// The disks that none of the VMs has.
    pub fn other_disks(&self) -> impl Iterator<Item = &'a DiskFacts> + '_ {
        let other = |disk: &&DiskFacts| {
            let id = disk.id.as_ref();
            id.is_none_or(|id| !self.attached.contains(id))
        };
        self.facts.disks.iter().filter(other)
    }

    /// What stood in the way of reading and belongs to no VM or disk.
    #[must_use]
    pub fn other_problems(&self) -> Vec<ReadNote> {
        notes(&self.problems.others)
    }

    /// Holds measured results against a VM. Files are bound to volumes, by their names or by those of their disks.
    ///
    /// # Errors
    /// [`BenchError`] when a file is bound to no volume of this VM.
    pub fn bench(
        &self,
        vm: &'a VmFacts,
        inputs: &[Input],
        validation: &mut VmValidation,
    ) -> Result<(), BenchError> {
        let sized = self.sizes.of(vm);
        let assembled = self.assemble(vm, sized.size);
        let mut inputs = inputs.to_vec();
        for input in &mut inputs {
            let target = input.target.as_deref().unwrap_or_default();
            if let Some(volume) = assembled.as_ref().and_then(|a| a.volume_of(target)) {
                input.target = Some(volume.to_owned());
            }
        }
        let request = Request {
            vm: sized.size,
            deployment: assembled.as_ref().map(|assembled| &assembled.deployment),
            ..Request::default()
        };
        let mut judged = bench(self.catalog, &inputs, &request)?;
        validation.findings.append(&mut judged.findings);
        sort(&mut validation.findings);
        validation.bench = Some(judged);
        Ok(())
    }

    /// The names of a VM's volumes, as stripes and demands may name them.
    #[must_use]
    pub fn volumes(&self, vm: &'a VmFacts) -> Vec<String> {
        let assembled = self.assemble(vm, self.sizes.of(vm).size);
        let volumes = assembled.map(|assembled| assembled.deployment.volumes);
        let volumes = volumes.into_iter().flatten();
        volumes.map(|volume| volume.name).collect()
    }

    fn assemble(&self, vm: &'a VmFacts, size: Option<&VmSize>) -> Option<Assembled<'a>> {
        assemble(self.catalog, self.facts, vm, size, &self.options.stripes)
    }

    /// The prices of a region; where they are wanted and there are none, that is said.
    fn book(
        &self,
        region: Option<&Region>,
        subject: &str,
        unknowns: &mut Vec<Unknown>,
    ) -> Option<&'a PriceBook> {
        let prices = self.options.prices.as_ref()?;
        let book = prices.book(region);
        if book.is_none() {
            let what = match region {
                Some(region) => format!("prices: there are none of {region}"),
                None => "prices: its region is not said".to_owned(),
            };
            unknowns.push(Unknown {
                subject: subject.to_owned(),
                what,
            });
        }
        book
    }

    /// What is asked of the volumes of one VM.
    fn workloads(&self, deployment: &Deployment) -> Vec<Workload> {
        let wanted = &self.options.workload;
        let is_there = |name: &str| deployment.position(name).is_some();
        if wanted.demands.iter().all(|(name, _)| is_there(name)) {
            return wanted.workloads(deployment).unwrap_or_default();
        }
        let mut wanted = wanted.clone();
        wanted.demands.retain(|(name, _)| is_there(name));
        wanted.workloads(deployment).unwrap_or_default()
    }

    /// Whether the workload as given says what share is written.
    fn names_shares(&self) -> bool {
        let wanted = &self.options.workload;
        !wanted.profiles.is_empty() || wanted.settings.read_share.is_some()
    }

    fn assess(
        &self,
        vm: &VmFacts,
        assembled: &Assembled<'_>,
        workloads: &[Workload],
        book: Option<&PriceBook>,
    ) -> shapes::Assessed {
        let known_power = vm.power.as_ref().and_then(Named::known);
        let windows = vm.os.as_ref().and_then(Named::known) == Some(Os::Windows);
        let by_os = if windows {
            VmOffer::Windows
        } else {
            VmOffer::Linux
        };
        let prices = self.options.prices.as_ref();
        let bill = book.map(|book| shapes::Billing {
            book,
            offer: prices.and_then(|prices| prices.offer).unwrap_or(by_os),
            is_deallocated: known_power == Some(Power::Deallocated),
        });
        self.shapes
            .assess(self.catalog, assembled, workloads, bill.as_ref())
    }
}

/// Weightiest first.
fn sort(findings: &mut [Finding]) {
    findings.sort_by_key(|finding| (finding.severity, finding.id));
}
