//! What is deployed, judged: facts through the planner and through the rules about deployed VMs and disks.
//!
//! Pure: the same facts, catalogue and options give the same result. A [`Validator`] judges one VM or one disk at a
//! time ([`Validator::vm`], [`Validator::disk`]), so that a fleet can be written out as it is judged; VMs of one shape
//! share one assessment. [`Validator::all`] collects everything.
//!
//! | file | concern |
//! |---|---|
//! | `options` | how to judge: workload, stripes, prices; what they come to on one VM |
//! | `stripes` | stripes as they are named, and what is wrong with them on a VM |
//! | `named` | whether what was named (stripes, demands) is there |
//! | `size` | the catalogue's row of a VM, and SKU lists over the catalogue |
//! | `disk` | what a deployed disk can do |
//! | `assemble` | disks as volumes and stripes; the shape of a VM |
//! | `power` | whether a VM runs |
//! | `owners` | which VMs have which disk |
//! | `offers` | where sizes and disks are offered |
//! | `market` | what a VM can be resized to |
//! | `rules` | what is judged besides the planner's findings |
//! | `savings` | money that is saved counts once |
//! | `shared` | what disks that several VMs have give all of them together |
//! | `measured` | metrics held against it |
//! | `problems` | read problems by the resource that they are about |
//! | [`commands`] | the commands of fixes, with the names of what they are for |
//! | `absent` | disks whose VMs are not there |
//! | [`summary`] | many VMs in a few figures |
//! | [`model`] | the result |
//! | [`each`] | all of a fleet on several threads |
//! | [`lines`] | a fleet as records, one a VM |

mod absent;
mod assemble;
pub mod commands;
mod disk;
pub mod each;
pub mod lines;
mod market;
mod measured;
pub mod model;
mod named;
mod offers;
mod options;
mod owners;
mod power;
mod problems;
mod rules;
mod savings;
mod shapes;
mod shared;
mod size;
mod stripes;
pub mod summary;
mod view;
mod words;

use std::collections::HashMap;

pub use assemble::OS_VOLUME;
pub use model::{
    BackingKind, DeployedDisk, DiskValidation, FleetValidation, ReadNote, SCHEMA, Unknown,
    VmIdentity, VmValidation,
};
pub use named::NameError;
pub use options::{Options, Prices};
pub use size::with_listed_sizes;
pub use stripes::{Stripe, StripeError, StripeFaults};
pub use summary::{Summary, Tally};

use self::assemble::{Assembled, assemble};
use self::disk::{Seen, understand};
use self::market::Place;
use self::offers::{Listing, Offers};
use self::owners::Owners;
use self::problems::{Problems, implausible, not_believed, notes};
use self::rules::{Case, DiskCase};
use self::shapes::Shapes;
use self::size::Sizes;
use crate::azure::facts::{DiskFacts, FleetFacts, Power, ResourceId, VmFacts};
use crate::catalog::{Catalog, VmSize};
use crate::deployment::Standing;
use crate::measure::bench::{BenchError, Input, Request, bench};
use crate::planner::Finding;
use crate::planner::money::disk_month;

/// Judges the VMs and disks of a fleet.
#[derive(Debug)]
pub struct Validator<'a> {
    catalog: &'a Catalog,
    facts: &'a FleetFacts,
    options: &'a Options,
    offers: Offers<'a>,
    problems: Problems<'a>,
    owners: Owners<'a>,
    sizes: Sizes<'a>,
    /// What can be had in place of what is deployed, where that is not all there is.
    markets: HashMap<Place<'a>, Catalog>,
    shapes: Shapes,
}

impl<'a> Validator<'a> {
    /// A validator of what `facts` hold. `catalog` has the sizes of the facts' own SKU lists where these are to count
    /// ([`with_listed_sizes`]).
    #[must_use]
    pub fn new(catalog: &'a Catalog, facts: &'a FleetFacts, options: &'a Options) -> Self {
        let offers = Offers::new(facts);
        Self {
            markets: market::markets(catalog, facts, &offers),
            catalog,
            facts,
            options,
            offers,
            problems: Problems::new(facts),
            owners: Owners::new(facts),
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
                let power = power::of(self.facts, vm);
                unknowns.extend(power::unknown(self.facts, vm));
                let is_off = power == Some(Power::Deallocated);
                let planned = assessed.findings.iter().cloned();
                match is_off {
                    true => findings.extend(planned.filter_map(words::while_off)),
                    false => findings.extend(planned),
                }
                let cost = assessed.assessment.cost.as_ref();
                let vm_cost = cost.and_then(|cost| cost.vm.as_ref()?.month.as_ref());
                let vm_month = vm_cost.map(|month| month.known);
                unknowns.extend(
                    cost.and_then(|cost| words::zonal_ways(self.catalog, vm, assembled, cost)),
                );
                assessment = Some(assessed.assessment);
                let case = Case {
                    catalog: self.catalog,
                    facts: self.facts,
                    vm,
                    size: sized.size,
                    assembled,
                    offers: &self.offers,
                    owners: &self.owners,
                    power,
                    book,
                    vm_month,
                };
                findings.extend(rules::of_vm(&case));
                unknowns.extend(view::unknowns(assembled));
                unknowns.extend(self.without_id(assembled));
                for member in &assembled.members {
                    if let Some(itself) = member.seen.itself {
                        let of_disk = self.problems.of_disk(&itself.name);
                        let volume = &assembled.deployment.volumes[member.volume].name;
                        findings.extend(implausible(volume, of_disk));
                        not_believed(volume, of_disk, &mut findings);
                        own_problems.extend_from_slice(of_disk);
                    }
                }
                disks = view::disks(self.catalog, assembled, book);
                metrics = self.measured(vm, sized.size, assembled, book, &mut findings);
                self.say_of_shared(&case, &mut findings);
                savings::of_shared(&case, &mut findings);
                words::agree(&mut findings);
                savings::counted_once(&case, &mut findings);
            }
        }
        if let Some(assembled) = &assembled {
            words::zonal(self.catalog, vm, assembled, &mut findings);
            self.say_what_is_listed(vm, sized.size, &mut findings);
        }
        sort(&mut findings);
        let mut validation = VmValidation {
            vm: view::identity(self.facts, vm),
            disks,
            assessment,
            findings,
            unknowns,
            problems: notes(&own_problems),
            metrics,
            bench: None,
        };
        commands::complete(&mut validation);
        validation
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
        findings.extend(rules::of_lacking(self.facts, disk));
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
        let mut validation = DiskValidation {
            resource_group: disk.resource_group.as_deref().map(str::to_owned),
            subscription: id.and_then(ResourceId::subscription).map(str::to_owned),
            region: disk.region.as_ref().map(ToString::to_string),
            attached_to: disk.attached_to.iter().map(ToString::to_string).collect(),
            disk: view::other_disk(seen, &understood, month),
            findings,
            unknowns,
            problems: notes(problems),
            source: disk.source.to_string(),
        };
        commands::complete_disk(&mut validation);
        validation
    }

    /// The disks that none of the VMs has.
    pub fn other_disks(&self) -> impl Iterator<Item = &'a DiskFacts> + '_ {
        let other = |(position, disk): &(usize, &DiskFacts)| !self.owners.have(*position, disk);
        let disks = self.facts.disks.iter().enumerate();
        disks.filter(other).map(|(_, disk)| disk)
    }

    /// What stood in the way of reading and belongs to no VM or disk.
    #[must_use]
    pub fn other_problems(&self) -> Vec<ReadNote> {
        let mut others = notes(&self.problems.others);
        others.extend(absent::notes(self.facts, self.other_disks()));
        others
    }

    /// Holds measured results against a VM. Files are bound to volumes, by their names or by those of their disks; columns of
    /// a table are by what heads them.
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
        let named = |input: &Input| -> Option<String> {
            let assembled = assembled.as_ref()?;
            let names = input.names_of_volume();
            let volume = names.iter().find_map(|name| assembled.volume_of(name));
            volume.map(str::to_owned)
        };
        let parts = inputs.iter().flat_map(|input| {
            let columns = input.clone().by_column();
            match columns.iter().any(|column| named(column).is_some()) {
                true => columns,
                false => vec![input.clone()],
            }
        });
        let mut inputs: Vec<Input> = parts.collect();
        for input in &mut inputs {
            if let Some(volume) = named(input) {
                input.target = Some(volume);
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

    /// Disks that were not joined with the VM's, for what was read of their name has no id.
    fn without_id<'v>(
        &'v self,
        assembled: &'v Assembled<'_>,
    ) -> impl Iterator<Item = Unknown> + 'v {
        let unread = assembled.members.iter().filter_map(|member| {
            let attached = member.seen.attached?;
            let name = attached.name.as_deref()?;
            let is_it = member.seen.itself.is_none() && self.facts.has_disk_without_id(name);
            is_it.then_some(member.volume)
        });
        unread.map(|volume| Unknown {
            subject: assembled.deployment.volumes[volume].name.clone(),
            what: "a disk of this name was read but has no id: it may be another, and is not taken for it"
                .to_owned(),
        })
    }

    /// Where a list says what its region sells: that what is advised is looked for among that, and what of it the list lacks.
    fn say_what_is_listed(&self, vm: &VmFacts, size: Option<&VmSize>, findings: &mut [Finding]) {
        let Some(region) = vm
            .region
            .as_ref()
            .filter(|region| self.offers.lists_sizes_of(region))
        else {
            return;
        };
        let is_listed =
            |name: &str| self.offers.listing(name, region, &vm.zones) != Listing::NotSaid;
        for fix in findings
            .iter_mut()
            .filter_map(|finding| finding.fix.as_mut())
        {
            words::listed(fix, size, region, &vm.zones, is_listed);
        }
    }

    /// What is wrong with the stripes on a VM.
    #[must_use]
    pub fn stripe_faults(&self, vm: &VmFacts) -> StripeFaults {
        stripes::stripe_faults(self.facts, vm, &self.options.stripes)
    }

    fn assemble(&self, vm: &'a VmFacts, size: Option<&VmSize>) -> Option<Assembled<'a>> {
        let stripes = &self.options.stripes;
        let mut assembled = assemble(self.catalog, self.facts, vm, size, stripes)?;
        assembled.deployment.standing = Standing::Deployed(self.options.workload.day);
        for index in 0..assembled.deployment.volumes.len() {
            let members = assembled.members_of(index);
            let beside = self.owners.beside_any(self.facts, vm, members);
            let names = beside.iter().map(|other| other.name.to_owned());
            assembled.deployment.volumes[index].also_on = names.collect();
        }
        Some(assembled)
    }
}

/// Weightiest first.
fn sort(findings: &mut [Finding]) {
    findings.sort_by_key(|finding| (finding.severity, finding.id));
}
