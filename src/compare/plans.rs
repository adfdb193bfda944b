//! Whole plans side by side: what differs, what is the same, which findings only some of them have.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use super::figures::FigureValue;
use super::figures::{self, Figure, Subject};
use super::reach::LoadPair;
use crate::catalog::price::{BookInfo, MissingPrice, VmOffer};
use crate::catalog::{DataInfo, Interface};
use crate::deployment::DiskSpec;
use crate::planner::assessment::VolumeView;
use crate::planner::{Assessment, Finding};

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const SCHEMA: &str = "diskcap.compare-plans/1";

/// One of the plans to compare.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanInput {
    /// What it is called in the comparison; unique.
    pub label: String,
    /// What the planner says of it, with its cost where prices are to be compared.
    pub assessment: Assessment,
}

/// Plans side by side. Lists of values and changes are in the order of `plans`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanComparison {
    /// [`SCHEMA`].
    pub schema: String,
    /// The prices shown; `None` where none were asked for.
    pub prices: Option<BookInfo>,
    /// The plans; changes are against the first.
    pub plans: Vec<PlanShort>,
    /// The figures that differ.
    pub differences: Vec<Difference>,
    /// The figures that are the same in all plans.
    pub same: Vec<Same>,
    /// The findings that not all plans have, weightiest first.
    pub findings: Vec<FindingDifference>,
    /// How many findings all plans have.
    pub findings_in_all: usize,
}

/// A plan, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanShort {
    /// What it is called in the comparison.
    pub label: String,
    /// The VM size.
    pub vm: Option<String>,
    /// The disk controller that the caps hold for, where they differ by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface: Option<Interface>,
    /// How the VM is bought in the price; `None` where none was asked for or there is no VM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<VmOffer>,
    /// Its volumes.
    pub volumes: Vec<String>,
    /// The workloads that it was looked at under.
    pub loads: Option<LoadPair>,
    /// The data that its figures rest on.
    pub data: DataInfo,
    /// How many findings it has.
    pub findings: usize,
    /// What its price leaves out: what is billed by use, or whose price is unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<MissingPrice>,
}

/// A figure that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// What it is of: `VM`, `all volumes`, or a volume's name; names of a pair that differ stand side by side.
    pub subject: String,
    /// Its stable id.
    pub figure: String,
    /// The figure in words.
    pub title: String,
    /// Its unit; empty for words and counts.
    pub unit: String,
    /// Its value in each plan; `None` where the plan has none or it is unknown.
    pub values: Vec<Option<FigureValue>>,
    /// How each plan differs from the first; `None` for the first, for words and where either is unknown.
    pub changes: Vec<Option<Change>>,
}

/// How a number differs from that of the first plan.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Above or below it, in the unit of the figure.
    pub absolute: f64,
    /// In percent of it; `None` where it is 0.
    pub percent: Option<f64>,
}

/// Figures of one subject that are the same in all plans.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Same {
    /// What they are of.
    pub subject: String,
    /// The figures in words.
    pub figures: Vec<String>,
    /// Whether the subject has no figure that differs.
    pub wholly: bool,
}

/// A finding that not all plans have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingDifference {
    /// The finding, with the numbers of the first plan that has it.
    pub finding: Finding,
    /// The plans that have it, by label.
    pub plans: Vec<String>,
}

/// Puts plans side by side. Volumes are matched by name; those that were not named by hand, and match no other, by their
/// order.
#[must_use]
pub fn compare_plans(plans: &[PlanInput]) -> PlanComparison {
    let pairing = Pairing::of(plans);
    let (differences, same) = sorted_out(plans, &pairing);
    let (findings, findings_in_all) = findings(plans, &pairing);
    PlanComparison {
        schema: SCHEMA.to_owned(),
        prices: plans
            .iter()
            .find_map(|plan| Some(plan.assessment.cost.as_ref()?.prices.clone())),
        plans: plans.iter().map(PlanShort::from).collect(),
        differences,
        same,
        findings,
        findings_in_all,
    }
}

impl PlanComparison {
    /// The subject of what is of all volumes together.
    pub const OF_ALL: &str = "all volumes";
}

impl From<&PlanInput> for PlanShort {
    fn from(plan: &PlanInput) -> Self {
        let assessment = &plan.assessment;
        Self {
            label: plan.label.clone(),
            vm: assessment.vm.as_ref().map(|vm| vm.size.clone()),
            interface: assessment.vm.as_ref().and_then(|vm| vm.interface),
            offer: (assessment.cost.iter()).find_map(|cost| Some(cost.vm.as_ref()?.offer)),
            volumes: assessment.volumes.iter().map(|v| v.name.clone()).collect(),
            loads: LoadPair::of(assessment),
            data: assessment.data.clone(),
            findings: assessment.findings.len(),
            left_out: (assessment.cost.iter())
                .flat_map(|cost| cost.total.missing.clone())
                .collect(),
        }
    }
}

/// Which volumes of the plans are the same one: for each, its position in every plan that has it.
struct Pairing(Vec<Vec<Option<usize>>>);

impl Pairing {
    fn of(plans: &[PlanInput]) -> Self {
        let mut subjects: Vec<Vec<Option<usize>>> = Vec::new();
        for (number, plan) in plans.iter().enumerate() {
            let volumes = &plan.assessment.volumes;
            let mut left: Vec<usize> = (0..volumes.len()).collect();
            let named = |subject: &[Option<usize>], name: &str| {
                views(plans, subject).any(|view| view.name.eq_ignore_ascii_case(name))
            };
            for subject in &mut subjects {
                let same = left
                    .iter()
                    .position(|&index| named(subject, &volumes[index].name));
                subject.push(same.map(|at| left.remove(at)));
            }
            // Volumes that are named after their disks change their name with them.
            for subject in subjects.iter_mut().filter(|s| s[number].is_none()) {
                if views(plans, subject).all(is_unnamed) {
                    let next = left.iter().position(|&index| is_unnamed(&volumes[index]));
                    subject[number] = next.map(|at| left.remove(at));
                }
            }
            let added = left.into_iter().map(|index| {
                let mut subject = vec![None; number];
                subject.push(Some(index));
                subject
            });
            subjects.extend(added);
        }
        Self(subjects)
    }

    /// The subject that the volume at `index` of plan `number` belongs to.
    fn subject(&self, number: usize, index: usize) -> Option<usize> {
        let at = |subject: &Vec<Option<usize>>| subject.get(number) == Some(&Some(index));
        self.0.iter().position(at)
    }

    /// Whether every plan has the volume.
    fn in_all(&self, subject: usize) -> bool {
        self.0
            .get(subject)
            .is_some_and(|plans| plans.iter().all(Option::is_some))
    }

    /// The volume's name; several side by side where it has several.
    fn name(&self, plans: &[PlanInput], subject: usize) -> String {
        let mut names: Vec<&str> = Vec::new();
        for view in self
            .0
            .get(subject)
            .into_iter()
            .flat_map(|s| views(plans, s))
        {
            if !names
                .iter()
                .any(|name| name.eq_ignore_ascii_case(&view.name))
            {
                names.push(&view.name);
            }
        }
        names.join(" / ")
    }
}

/// The volumes of a subject, in the plans that have it.
fn views<'a>(
    plans: &'a [PlanInput],
    subject: &'a [Option<usize>],
) -> impl Iterator<Item = &'a VolumeView> {
    let place = |(plan, index): (&'a PlanInput, &Option<usize>)| {
        index.and_then(|index| plan.assessment.volumes.get(index))
    };
    plans.iter().zip(subject).filter_map(place)
}

/// Whether the volume bears the name of its disks, as those do that nobody named.
fn is_unnamed(view: &VolumeView) -> bool {
    let numbered = |rest: &str| rest.is_empty() || rest.starts_with('-');
    let first = view.spec.first().and_then(|spec| spec.parse().ok());
    first.is_some_and(|spec: DiskSpec| {
        spec.name.is_none() && view.name.strip_prefix(&spec.sku()).is_some_and(numbered)
    })
}

/// What a figure is of, across plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Vm,
    All,
    Volume(usize),
}

/// One figure across plans.
struct Line {
    key: Key,
    figure: Figure,
    values: Vec<Option<FigureValue>>,
}

/// The figures that differ, and those that are the same.
fn sorted_out(plans: &[PlanInput], pairing: &Pairing) -> (Vec<Difference>, Vec<Same>) {
    let mut differences = Vec::new();
    let mut same: Vec<(Key, Same)> = Vec::new();
    let mut differing = Vec::new();
    for line in lines(plans, pairing) {
        let subject = match line.key {
            Key::Vm => "VM".to_owned(),
            Key::All => PlanComparison::OF_ALL.to_owned(),
            Key::Volume(subject) => pairing.name(plans, subject),
        };
        if line.is_same() {
            if line.values.iter().all(Option::is_none) {
                continue;
            }
            let title = line.figure.title.to_owned();
            match same.iter_mut().find(|(key, _)| *key == line.key) {
                Some((_, same)) => same.figures.push(title),
                None => same.push((
                    line.key,
                    Same {
                        subject,
                        figures: vec![title],
                        wholly: true,
                    },
                )),
            }
        } else {
            differing.push(line.key);
            differences.push(line.difference(subject));
        }
    }
    for (key, same) in &mut same {
        same.wholly = !differing.contains(key);
    }
    (
        differences,
        same.into_iter().map(|(_, same)| same).collect(),
    )
}

/// Every figure across plans: the VM's, then those of all volumes, then volume by volume. Of a volume that not every
/// plan has, only what it is made of and reaches.
fn lines(plans: &[PlanInput], pairing: &Pairing) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let has_own = |plan: &PlanInput| {
        let vm = plan.assessment.vm.as_ref();
        vm.is_some_and(|vm| vm.remote.is_some())
    };
    let remote = plans.iter().any(has_own);
    for (number, plan) in plans.iter().enumerate() {
        for figure in figures::all(plan, remote) {
            let key = match figure.subject {
                Subject::Vm => Key::Vm,
                Subject::All => Key::All,
                Subject::Volume(index) => match pairing.subject(number, index) {
                    Some(subject) => Key::Volume(subject),
                    None => continue,
                },
            };
            let lone = matches!(key, Key::Volume(subject) if !pairing.in_all(subject));
            if lone && !SHOWN_OF_LONE.contains(&figure.id) {
                continue;
            }
            let known = lines
                .iter_mut()
                .find(|line| line.key == key && line.figure.id == figure.id);
            match known {
                Some(line) => line.values[number] = figure.value,
                None => {
                    let mut values = vec![None; plans.len()];
                    values[number] = figure.value.clone();
                    lines.push(Line {
                        key,
                        figure,
                        values,
                    });
                }
            }
        }
    }
    // Figures that only a later plan has came last: back to their subject.
    let order = |line: &Line| match line.key {
        Key::Vm => 0,
        Key::All => 1,
        Key::Volume(subject) => subject + 2,
    };
    lines.sort_by_key(order);
    lines
}

/// What is shown of a volume that not every plan has.
const SHOWN_OF_LONE: [&str; 4] = ["sku", "sustained_iops", "sustained_mbps", "month"];

impl Line {
    fn is_same(&self) -> bool {
        let Some((first, rest)) = self.values.split_first() else {
            return true;
        };
        rest.iter().all(|value| match (first, value) {
            (Some(a), Some(b)) => a.same(b),
            (a, b) => a.is_none() && b.is_none(),
        })
    }

    fn difference(self, subject: String) -> Difference {
        let number = |value: &Option<FigureValue>| value.as_ref().and_then(FigureValue::number);
        let first = self.values.first().and_then(number);
        let change = |(index, value): (usize, &Option<FigureValue>)| {
            let (base, other) = (first?, number(value)?);
            (index > 0).then(|| Change {
                absolute: other - base,
                percent: (base != 0.0).then(|| (other - base) / base * 100.0),
            })
        };
        Difference {
            subject,
            figure: self.figure.id.to_owned(),
            title: self.figure.title.to_owned(),
            unit: self.figure.unit,
            changes: self.values.iter().enumerate().map(change).collect(),
            values: self.values,
        }
    }
}

/// The findings that not all plans have, and how many all have. Findings are the same when id and subject are: the same
/// volume, or the VM whatever its size.
fn findings(plans: &[PlanInput], pairing: &Pairing) -> (Vec<FindingDifference>, usize) {
    let key = |number: usize, plan: &PlanInput, finding: &Finding| {
        let volumes = &plan.assessment.volumes;
        let volume = volumes.iter().position(|v| v.name == finding.subject);
        let subject = volume.and_then(|index| pairing.subject(number, index));
        (finding.id, subject)
    };
    let mut seen: Vec<(
        (crate::planner::FindingId, Option<usize>),
        FindingDifference,
    )> = Vec::new();
    for (number, plan) in plans.iter().enumerate() {
        for finding in &plan.assessment.findings {
            let key = key(number, plan, finding);
            match seen.iter_mut().find(|(known, _)| *known == key) {
                Some((_, known)) if known.plans.last() != Some(&plan.label) => {
                    known.plans.push(plan.label.clone());
                }
                Some(_) => {}
                None => seen.push((
                    key,
                    FindingDifference {
                        finding: finding.clone(),
                        plans: vec![plan.label.clone()],
                    },
                )),
            }
        }
    }
    let all = seen.len();
    let mut some: Vec<FindingDifference> = seen
        .into_iter()
        .map(|(_, finding)| finding)
        .filter(|finding| finding.plans.len() < plans.len())
        .collect();
    some.sort_by_key(|f| (f.finding.severity, f.finding.id));
    let in_all = all - some.len();
    (some, in_all)
}
