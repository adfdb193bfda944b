//! What is wrong with a deployment or worth knowing about it, each with a stable id, its numbers and a fix.

mod absorbing;
mod beside_temp;
mod bursts;
pub(crate) mod caching;
mod elsewhere;
pub(crate) mod grounds;
mod ids;
mod lifting;
pub(crate) mod lost;
pub(super) mod queueing;
mod raised;
mod remedies;
mod retirement;
mod rules;
mod sizes;
pub(crate) mod spend;
pub(super) mod suggest;
pub(super) mod unknown_latency;
mod unmet;
mod vm_caps;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assessment::{Assessment, WorkloadView};
use crate::catalog::Catalog;
use crate::catalog::price::Money;
use crate::deployment::Deployment;
pub use ids::{Explanation, FindingId, Severity, UnknownFinding};

/// One finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Its stable id.
    pub id: FindingId,
    /// How much it weighs.
    pub severity: Severity,
    /// What it is about: a volume's name, or the VM size.
    pub subject: String,
    /// What is the matter, with its numbers.
    pub message: String,
    /// The numbers by themselves, for scripts.
    pub figures: Vec<Figure>,
    /// What to do about it, with its numbers.
    pub fix: Option<String>,
    /// Set by a gate, where somebody has accepted the finding; the planner itself never sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<Box<Suppressed>>,
}

/// Why a finding is accepted, and how long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suppressed {
    /// Why.
    pub reason: String,
    /// The last day on which that holds; `None` without end.
    #[schemars(with = "Option<String>")]
    pub expires: Option<Date>,
    /// Where it is written down.
    pub source: String,
}

/// A number that made a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// What it is (`capacity`, `asked`).
    pub name: String,
    /// The number.
    pub value: f64,
    /// Its unit (`IOPS`, `MB/s`, `s`, `GiB`, `disks`).
    pub unit: String,
}

impl Finding {
    /// What it costs a month, where prices were asked for: the sum of its figures in money.
    #[must_use]
    pub fn per_month(&self) -> Option<Money> {
        let amounts = self.figures.iter().filter_map(Figure::per_month);
        amounts.reduce(|sum, more| sum.plus(more).unwrap_or(sum))
    }

    pub(crate) fn new(
        id: FindingId,
        severity: Severity,
        subject: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            id,
            severity,
            subject: subject.into(),
            message: message.into(),
            figures: Vec::new(),
            fix: None,
            suppressed: None,
        }
    }

    pub(crate) fn figure(mut self, name: &str, value: f64, unit: impl std::fmt::Display) -> Self {
        self.figures.push(Figure {
            name: name.to_owned(),
            value,
            unit: unit.to_string(),
        });
        self
    }

    pub(crate) fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// With the words that its id has for what to do, where there are some.
    pub(crate) fn usual_fix(self) -> Self {
        let remedy = self.id.remedy().map(ToOwned::to_owned);
        self.fix_if(remedy)
    }

    pub(crate) fn fix_if(mut self, fix: Option<String>) -> Self {
        self.fix = fix.or(self.fix);
        self
    }
}

impl Figure {
    /// The amount, where the figure is money a month.
    pub(crate) fn per_month(&self) -> Option<Money> {
        let currency = self.unit.parse().ok()?;
        self.name
            .ends_with(PER_MONTH)
            .then(|| Money::new(self.value, currency))
    }
}

/// How the names of figures end that are money a month; their unit is the currency.
const PER_MONTH: &str = "_per_month";

/// What every rule looks at.
pub(crate) struct Context<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) deployment: &'a Deployment,
    pub(crate) assessment: &'a Assessment,
    /// The deployment with the host caching that findings advise.
    pub(crate) advised: caching::Advised,
    /// The findings with a fix that others can refer to.
    pub(crate) told: Vec<FindingId>,
}

impl Context<'_> {
    /// The subject of what is said of all volumes together.
    fn of_all(&self) -> &str {
        of_all(self.deployment)
    }

    /// The workload that a sentence is about, where several are looked at: `oltp: `.
    fn prefix(&self, workload: &WorkloadView) -> String {
        match self.assessment.workloads.len() {
            1 => String::new(),
            _ => format!("{}: ", workload.name),
        }
    }

    /// `by itself` where there are other volumes, of what a volume gets when no other is at work.
    fn by_itself(&self) -> &'static str {
        match self.deployment.volumes.len() {
            0 | 1 => "",
            _ => "by itself, ",
        }
    }

    /// `with all volumes at work` where there are others.
    fn with_all(&self) -> &'static str {
        match self.deployment.volumes.len() {
            0 | 1 => "",
            _ => " with all volumes at work",
        }
    }

    /// Whether a disk of the volume named `volume` has a limit that nobody gave: what it reaches is an upper bound, from
    /// which nothing follows.
    fn has_unknown_limit(&self, volume: &str) -> bool {
        let is_it = |v: &&crate::deployment::Volume| v.name == volume;
        let volume = self.deployment.volumes.iter().find(is_it);
        volume.is_some_and(|volume| volume.members.iter().any(|disk| !disk.model.is_limited()))
    }

    /// The same of any volume.
    fn has_unknown_limits(&self) -> bool {
        let volumes = &self.deployment.volumes;
        let mut disks = volumes.iter().flat_map(|volume| &volume.members);
        disks.any(|disk| !disk.model.is_limited())
    }
}

/// The subject of what is said of all volumes of `deployment` together.
fn of_all(deployment: &Deployment) -> &str {
    let vm = deployment.vm.as_ref();
    vm.map_or("all volumes", |vm| vm.name.as_str())
}

/// Every finding about `deployment`, weightiest first.
#[must_use]
pub(crate) fn all(
    catalog: &Catalog,
    deployment: &Deployment,
    assessment: &Assessment,
) -> Vec<Finding> {
    let mut context = Context {
        catalog,
        deployment,
        assessment,
        advised: caching::Advised::of(deployment, &[]),
        told: Vec::new(),
    };
    // Those that speak against a caching come first: what the others advise has not that caching. So do those that others
    // refer to.
    let rules: [fn(&Context<'_>) -> Vec<Finding>; 4] = [
        rules::findings,
        sizes::findings,
        caching::findings,
        vm_caps::findings,
    ];
    let mut found: Vec<Finding> = rules.iter().flat_map(|rule| rule(&context)).collect();
    context.advised = caching::Advised::of(deployment, &found);
    context.told = found
        .iter()
        .filter(|f| f.fix.is_some())
        .map(|f| f.id)
        .collect();
    let rules: [fn(&Context<'_>) -> Vec<Finding>; 7] = [
        retirement::findings,
        unmet::findings,
        bursts::findings,
        absorbing::findings,
        queueing::findings,
        unknown_latency::findings,
        spend::findings,
    ];
    found.extend(rules.iter().flat_map(|rule| rule(&context)));
    caching::agree(&mut found);
    found.sort_by_key(|a| (a.severity, a.id));
    found
}

/// Once there are prices: names the cheapest sizes in the fixes that name a size.
pub(super) fn name_cheapest(
    catalog: &Catalog,
    deployment: &Deployment,
    prices: suggest::Prices<'_>,
    assessment: &mut Assessment,
) {
    let mut found = std::mem::take(&mut assessment.findings);
    let context = Context {
        catalog,
        deployment,
        assessment,
        advised: caching::Advised::of(deployment, &found),
        told: Vec::new(),
    };
    vm_caps::name_cheapest(&context, prices, &mut found);
    sizes::name_cheapest(&context, prices, &mut found);
    retirement::name_cheapest(&context, prices, &mut found);
    assessment.findings = found;
}

/// A duration as people say it: `45 s`, `30 min`, `2 h 15 min`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round();
    if whole < 120.0 {
        return format!("{whole:.0} s");
    }
    let minutes = (seconds / 60.0).round();
    if minutes < 120.0 {
        return format!("{minutes:.0} min");
    }
    let hours = (minutes / 60.0).floor();
    let rest = minutes - hours * 60.0;
    if hours >= 48.0 {
        format!("{:.0} days", (hours / 24.0).round())
    } else if rest == 0.0 {
        format!("{hours:.0} h")
    } else {
        format!("{hours:.0} h {rest:.0} min")
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_read_as_people_say_them() {
        assert_eq!(duration(45.2), "45 s");
        assert_eq!(duration(1800.0), "30 min");
        assert_eq!(duration(7200.0), "2 h");
        assert_eq!(duration(8100.0), "2 h 15 min");
        assert_eq!(duration(864_000.0), "10 days");
    }
}
