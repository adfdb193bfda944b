//! The figures of a plan that a comparison looks at, each with a name and a unit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cost::Month;
use super::plans::PlanInput;
use super::reach::{self, Reach};
use crate::catalog::price::Total as Cost;
use crate::catalog::{Ceiling, Limits};
use crate::planner::Outcome;
use crate::planner::assessment::{PhasePair, Total, VmView, VolumeView};
use crate::units::{GiB, Iops, Latency, MBps};

/// What a figure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The VM, and the plan as a whole.
    Vm,
    /// All volumes at once.
    All,
    /// The volume at this position of the plan.
    Volume(usize),
}

/// A value of a figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FigureValue {
    /// A number in the unit of the figure.
    Number(f64),
    /// A number that the true one does not exceed: a limit on the way is unknown.
    AtMost(f64),
    /// Words.
    Text(String),
}

impl FigureValue {
    /// The number, where it is one for sure.
    #[must_use]
    pub const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::AtMost(_) | Self::Text(_) => None,
        }
    }

    /// Whether two values are the same but for rounding.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) | (Self::AtMost(a), Self::AtMost(b)) => {
                (a - b).abs() <= a.abs().max(b.abs()) * 1e-9
            }
            (a, b) => a == b,
        }
    }
}

/// A number, or an upper bound where a limit on its way is unknown.
fn sure(value: Option<f64>, at_most: bool) -> Option<FigureValue> {
    value.map(|value| match at_most {
        true => FigureValue::AtMost(value),
        false => FigureValue::Number(value),
    })
}

/// What a cost is called.
const MONTH: &str = "Price a month";

/// One figure of one plan.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    pub(super) subject: Subject,
    /// Stable id with its unit.
    pub(super) id: &'static str,
    /// What people read.
    pub(super) title: &'static str,
    /// Empty for words.
    pub(super) unit: String,
    pub(super) value: Option<FigureValue>,
}

/// Every figure of a plan, in the order they are shown; the ceiling of Premium SSD v2 and Ultra only where `remote` asks
/// for it, as it says nothing new where no size has one of its own.
pub(super) fn all(plan: &PlanInput, remote: bool) -> Vec<Figure> {
    let mut figures = Collector {
        remote,
        ..Collector::default()
    };
    figures.plan(plan);
    figures.all_volumes(plan);
    for (index, view) in plan.assessment.volumes.iter().enumerate() {
        figures.subject = Subject::Volume(index);
        let load = plan
            .assessment
            .headline()
            .and_then(|(iops, _)| iops.volumes.get(index));
        figures.text("load", "Load", load.map(|result| result.load().to_string()));
        figures.volume(view);
        if let Some(reach) = reach::alone(&plan.assessment, index) {
            figures.reach(&reach, &ALONE);
        }
        if plan.assessment.volumes.len() > 1
            && let Some(reach) = reach::together(&plan.assessment, index)
        {
            figures.reach(&reach, &TOGETHER);
        }
        let cost = plan.assessment.cost.as_ref();
        let volume = cost.and_then(|cost| cost.volumes.get(index));
        figures.month(volume.map(|volume| &volume.month));
    }
    figures.found
}

/// The ids and titles of what a volume reaches: sustained and burst IOPS, sustained and burst MB/s, what stops each.
type Names = [(&'static str, &'static str); 6];

const ALONE: Names = [
    ("sustained_iops", "IOPS"),
    ("burst_iops", "IOPS in burst"),
    ("sustained_mbps", "MB/s"),
    ("burst_mbps", "MB/s in burst"),
    ("bottleneck_iops", "IOPS stopped by"),
    ("bottleneck_mbps", "MB/s stopped by"),
];

const TOGETHER: Names = [
    ("together_sustained_iops", "IOPS, all at once"),
    ("together_burst_iops", "IOPS in burst, all at once"),
    ("together_sustained_mbps", "MB/s, all at once"),
    ("together_burst_mbps", "MB/s in burst, all at once"),
    ("together_bottleneck_iops", "IOPS stopped by, all at once"),
    ("together_bottleneck_mbps", "MB/s stopped by, all at once"),
];

const IOPS: &str = "IOPS";
const MBPS: &str = "MB/s";

struct Collector {
    subject: Subject,
    remote: bool,
    found: Vec<Figure>,
}

impl Default for Collector {
    fn default() -> Self {
        Self {
            subject: Subject::Vm,
            remote: false,
            found: Vec::new(),
        }
    }
}

impl Collector {
    fn push(
        &mut self,
        id: &'static str,
        title: &'static str,
        unit: &str,
        value: Option<FigureValue>,
    ) {
        self.found.push(Figure {
            subject: self.subject,
            id,
            title,
            unit: unit.to_owned(),
            value,
        });
    }

    fn number(&mut self, id: &'static str, title: &'static str, unit: &str, value: Option<f64>) {
        self.push(id, title, unit, value.map(FigureValue::Number));
    }

    fn text(&mut self, id: &'static str, title: &'static str, value: Option<String>) {
        self.push(id, title, "", value.map(FigureValue::Text));
    }

    fn iops(&mut self, id: &'static str, title: &'static str, value: Option<Iops>) {
        self.number(id, title, IOPS, value.map(Iops::get));
    }

    fn mbps(&mut self, id: &'static str, title: &'static str, value: Option<MBps>) {
        self.number(id, title, MBPS, value.map(MBps::get));
    }

    fn month(&mut self, month: Option<&Cost>) {
        self.priced(MONTH, month);
    }

    fn priced(&mut self, title: &'static str, month: Option<&Cost>) {
        let Some(total) = month else { return };
        // A price that is not known has its row all the same: unknown is no reason to say nothing.
        let fixed = Month::from(total.clone()).fixed;
        let unit = total.known.currency.to_string();
        self.number("month", title, &unit, fixed.map(|fixed| fixed.amount));
    }

    fn plan(&mut self, plan: &PlanInput) {
        self.subject = Subject::Vm;
        let assessment = &plan.assessment;
        let load = assessment.headline().map(|(iops, mbps)| {
            if iops.name == mbps.name {
                iops.name.clone()
            } else {
                format!("{}, {}", iops.name, mbps.name)
            }
        });
        self.text("workload", "Workload", load);
        if let Some(vm) = &assessment.vm {
            self.vm(vm);
        }
        let vm = assessment.cost.as_ref().and_then(|cost| cost.vm.as_ref());
        self.month(vm.and_then(|vm| vm.month.as_ref()));
    }

    fn vm(&mut self, vm: &VmView) {
        self.text("vm", "VM size", Some(vm.size.clone()));
        self.text(
            "interface",
            "Controller",
            vm.interface.map(|i| i.to_string()),
        );
        self.number("vcpus", "vCPUs", "", Some(f64::from(vm.vcpus)));
        self.number("memory_gib", "Memory", "GiB", vm.memory_gib.map(GiB::get));
        self.number(
            "max_data_disks",
            "Data disks, at most",
            "",
            vm.max_data_disks.map(f64::from),
        );
        let names = [
            ("uncached_iops", "Uncached IOPS"),
            ("uncached_mbps", "Uncached MB/s"),
            ("uncached_burst_iops", "Uncached IOPS in burst"),
            ("uncached_burst_mbps", "Uncached MB/s in burst"),
        ];
        self.ceiling(names, Some(&vm.uncached));
        let names = [
            ("v2_iops", "v2/Ultra IOPS"),
            ("v2_mbps", "v2/Ultra MB/s"),
            ("v2_burst_iops", "v2/Ultra IOPS in burst"),
            ("v2_burst_mbps", "v2/Ultra MB/s in burst"),
        ];
        if self.remote {
            // Without a pair of their own, v2 and Ultra share the uncached one.
            self.ceiling(names, vm.remote.as_ref().or(Some(&vm.uncached)));
        }
        let names = [
            ("cached_iops", "Cached IOPS"),
            ("cached_mbps", "Cached MB/s"),
            ("cached_burst_iops", "Cached IOPS in burst"),
            ("cached_burst_mbps", "Cached MB/s in burst"),
        ];
        self.ceiling(names, Some(&vm.cached));
    }

    fn ceiling(&mut self, names: [(&'static str, &'static str); 4], ceiling: Option<&Ceiling>) {
        let base = ceiling.map_or(Limits::UNKNOWN, |c| c.base);
        let burst = ceiling.and_then(|c| c.burst).unwrap_or(Limits::UNKNOWN);
        self.iops(names[0].0, names[0].1, base.iops);
        self.mbps(names[1].0, names[1].1, base.mbps);
        self.iops(names[2].0, names[2].1, burst.iops);
        self.mbps(names[3].0, names[3].1, burst.mbps);
    }

    fn all_volumes(&mut self, plan: &PlanInput) {
        self.subject = Subject::All;
        if let Some((iops, mbps)) = plan.assessment.headline() {
            let sum = |total: &Total, value: Option<f64>| sure(value, total.at_most);
            let PhasePair { burst, sustained } = &iops.total;
            self.push(ALONE[0].0, ALONE[0].1, IOPS, sum(sustained, sustained.iops));
            self.push(ALONE[1].0, ALONE[1].1, IOPS, sum(burst, burst.iops));
            let PhasePair { burst, sustained } = &mbps.total;
            self.push(ALONE[2].0, ALONE[2].1, MBPS, sum(sustained, sustained.mbps));
            self.push(ALONE[3].0, ALONE[3].1, MBPS, sum(burst, burst.mbps));
        }
        if let Some(cost) = &plan.assessment.cost {
            let title = match &cost.vm {
                Some(_) => "Price a month, VM and disks",
                None => MONTH,
            };
            self.priced(title, Some(&cost.total));
        }
    }

    fn volume(&mut self, view: &VolumeView) {
        self.text("sku", "Disks", Some(view.sku.clone()));
        self.number("size_gib", "Size", "GiB", view.size_gib.map(GiB::get));
        let caching = view.caching.name().to_owned();
        self.text("caching", "Host caching", Some(caching));
        let Limits { iops, mbps } = view.provisioned;
        self.iops("provisioned_iops", "Provisioned IOPS", iops);
        self.mbps("provisioned_mbps", "Provisioned MB/s", mbps);
        let qd1 = view.queue_depth_1;
        let latency = qd1.map(|q| Latency::micros(q.latency_us));
        self.number("latency_us", "Latency at queue depth 1", "us", latency);
        let ceiling = qd1.map(|q| q.ceiling_iops);
        self.iops("queue_depth_1_iops", "IOPS at queue depth 1", ceiling);
        let depth = view.queue_depth_to_saturate;
        self.number(
            "queue_depth_to_saturate",
            "Queue depth for provisioned IOPS",
            "",
            depth,
        );
        let Limits { iops, mbps } = view.unusable_sustained;
        self.iops("unusable_iops", "Unusable IOPS", iops);
        self.mbps("unusable_mbps", "Unusable MB/s", mbps);
    }

    fn reach(&mut self, reach: &Reach, names: &Names) {
        let value = |figure, outcome: &Outcome| sure(figure, outcome.at_most);
        let iops = |outcome: &Outcome| value(outcome.iops.map(Iops::get), outcome);
        let mbps = |outcome: &Outcome| value(outcome.mbps.map(MBps::get), outcome);
        let stopped = |outcome: &Outcome| Some(outcome.stopped_by());
        self.push(names[0].0, names[0].1, IOPS, iops(&reach.iops.sustained));
        self.push(names[1].0, names[1].1, IOPS, iops(&reach.iops.burst));
        self.push(names[2].0, names[2].1, MBPS, mbps(&reach.mbps.sustained));
        self.push(names[3].0, names[3].1, MBPS, mbps(&reach.mbps.burst));
        self.text(names[4].0, names[4].1, stopped(&reach.iops.sustained));
        self.text(names[5].0, names[5].1, stopped(&reach.mbps.sustained));
    }
}
