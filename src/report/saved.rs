//! Results that were saved as JSON, read again: every result model whose JSON names its schema.
//!
//! [`KINDS`] is the one list of them. A new result model adds its line there, and `render` and the schema check know it.

use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Checked, Document, Report, ReportError, json};
use crate::azure::validate::{self, FleetValidation, VmValidation};
use crate::catalog::price::VmOffer;
use crate::compare::{DiskComparison, PlanComparison, VmComparison, disks, plans, vms};
use crate::deployment::SpecError;
use crate::measure::bench::{self, Bench};
use crate::measure::over_time::{self, PeersReport, SeriesReport};
use crate::planner::replan::Replanned;
use crate::planner::{Assessment, Simulation, assessment, timeline};
use crate::recommend::like::Deployed;
use crate::recommend::{self, Recommendations};

/// A result that was read, whatever its kind.
pub trait Saved {
    /// What it has to say.
    fn document(&self) -> Document;

    /// What was checked and what was found on it.
    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_>;

    /// The result itself as JSON again.
    ///
    /// # Errors
    /// [`ReportError`] when it has something that JSON cannot say.
    fn json(&self) -> Result<Vec<u8>, ReportError>;
}

impl<R: Report> Saved for R {
    fn document(&self) -> Document {
        Report::document(self)
    }

    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_> {
        Report::checked(self)
    }

    fn json(&self) -> Result<Vec<u8>, ReportError> {
        json::pretty(self)
    }
}

/// A kind of result: the name of its schema, and how it is read and described.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The name and version that its JSON bears in `schema`.
    pub schema: &'static str,
    read: fn(&str) -> serde_json::Result<Box<dyn Saved>>,
    describe: fn() -> schemars::Schema,
}

impl Kind {
    /// The kind of `R`, whose JSON bears `schema`.
    const fn of<R: Report + DeserializeOwned + schemars::JsonSchema + 'static>(
        schema: &'static str,
    ) -> Self {
        Self {
            schema,
            read: |text| Ok(Box::new(serde_json::from_str::<R>(text)?)),
            describe: || schemars::schema_for!(R),
        }
    }

    /// The JSON schema of the kind.
    #[must_use]
    pub fn json_schema(&self) -> schemars::Schema {
        (self.describe)()
    }
}

/// Every kind of result that can be read again.
pub static KINDS: [Kind; 10] = [
    Kind::of::<Assessment>(assessment::SCHEMA),
    Kind::of::<Simulation>(timeline::SCHEMA),
    Kind::of::<Bench>(bench::SCHEMA),
    Kind::of::<FleetValidation>(validate::SCHEMA),
    Kind::of::<SeriesReport>(over_time::SCHEMA),
    Kind::of::<PeersReport>(over_time::PEERS_SCHEMA),
    Kind::of::<Recommendations>(recommend::model::SCHEMA),
    Kind::of::<DiskComparison>(disks::SCHEMA),
    Kind::of::<VmComparison>(vms::SCHEMA),
    Kind::of::<PlanComparison>(plans::SCHEMA),
];

/// Why a text is no result that was saved.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// There is nothing in it.
    #[error("'{name}' is empty: a result is wanted that was saved with --format json")]
    Empty {
        /// What the text is called.
        name: String,
    },
    /// It is no JSON.
    #[error("'{name}' is not JSON: {source}")]
    Json {
        /// What the text is called.
        name: String,
        /// Where and why.
        source: serde_json::Error,
    },
    /// It does not say which result it is.
    #[error(
        "'{name}' is JSON without a \"schema\" that names one of our results: these are {}",
        known()
    )]
    NoSchema {
        /// What the text is called.
        name: String,
    },
    /// It is another kind of result, or one of another version.
    #[error(
        "'{name}' has the schema '{schema}', which this version does not read: it reads {}",
        known()
    )]
    UnknownSchema {
        /// What the text is called.
        name: String,
        /// The schema that it names.
        schema: String,
    },
    /// It is a result, but not of the kind that is wanted.
    #[error("'{name}' is {schema}, where {wanted} is wanted")]
    Other {
        /// What the text is called.
        name: String,
        /// The schema that it names.
        schema: &'static str,
        /// What is wanted.
        wanted: &'static str,
    },
    /// It is not what its schema says.
    #[error("'{name}' says that it is {schema}, and is not whole: {source}")]
    Form {
        /// What the text is called.
        name: String,
        /// The schema that it names.
        schema: &'static str,
        /// Where and what.
        source: serde_json::Error,
    },
}

fn known() -> String {
    KINDS.each_ref().map(|kind| kind.schema).join(", ")
}

/// The schema that a JSON object names; everything else of it is skipped.
#[derive(Deserialize)]
struct Named {
    schema: Option<String>,
}

/// Reads a result from `text`; `name` is only named in errors.
///
/// # Errors
/// [`SavedError`], which names the schemas that can be read.
pub fn read(text: &str, name: &str) -> Result<Box<dyn Saved>, SavedError> {
    let text = text.trim_start_matches('\u{feff}');
    let kind = kind_of(text, name)?;
    (kind.read)(text).map_err(|source| SavedError::form(name, kind, source))
}

/// Something that was assessed.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessed {
    /// What it is called: the VM, or the plan.
    pub name: String,
    /// What is known of it besides.
    pub deployed: Deployed,
    /// What was found.
    pub assessment: Assessment,
}

/// Reads what was assessed: of a plan the plan itself, of a validation every VM of which disks are known. `name` is only
/// named in errors, and stands for a plan without a name.
///
/// # Errors
/// [`SavedError`]; [`SavedError::Other`] when it is another result.
pub fn read_assessed(text: &str, name: &str) -> Result<Vec<Assessed>, SavedError> {
    let text = text.trim_start_matches('\u{feff}');
    let kind = kind_of(text, name)?;
    let form = |source| SavedError::form(name, kind, source);
    if kind.schema == validate::SCHEMA {
        let fleet: FleetValidation = serde_json::from_str(text).map_err(form)?;
        let assessed = fleet.vms.into_iter().filter_map(|vm| {
            let deployed = deployed(&vm);
            let mut assessment = Arc::unwrap_or_clone(vm.assessment?);
            assessment.name.get_or_insert_with(|| vm.vm.name.clone());
            assessment.findings = vm.findings;
            Some(Assessed {
                name: vm.vm.name,
                deployed,
                assessment,
            })
        });
        return Ok(assessed.collect());
    }
    if kind.schema != assessment::SCHEMA {
        return Err(SavedError::Other {
            name: name.to_owned(),
            schema: kind.schema,
            wanted: "a plan or a validation",
        });
    }
    let plan: Assessment = serde_json::from_str(text).map_err(form)?;
    let bought = |plan: &Assessment| Some(plan.cost.as_ref()?.vm.as_ref()?.offer);
    let priced_in = |plan: &Assessment| Some(plan.cost.as_ref()?.prices.region.to_string());
    Ok(vec![Assessed {
        name: plan.name.clone().unwrap_or_else(|| name.to_owned()),
        deployed: Deployed {
            region: plan.region.clone().or_else(|| priced_in(&plan)),
            offer: bought(&plan),
            ..Deployed::default()
        },
        assessment: plan,
    }])
}

impl Assessed {
    /// The plan that it is where it begins: what is deployed or was planned, in its region, bought as it is.
    ///
    /// # Errors
    /// [`SpecError`] when the specification of a volume is none.
    pub fn replan(&self) -> Result<Replanned, SpecError> {
        let mut replanned = self.assessment.replan()?;
        let plan = &mut replanned.plan;
        plan.region = plan.region.take().or_else(|| self.deployed.region.clone());
        plan.offer = self.deployed.offer;
        Ok(replanned)
    }
}

/// What a validation says of a VM besides its assessment.
fn deployed(vm: &VmValidation) -> Deployed {
    let accelerated = vm.disks.iter().filter(|disk| disk.write_accelerator);
    let mut accelerated: Vec<String> = accelerated.map(|disk| disk.volume.clone()).collect();
    accelerated.dedup();
    let by_os = vm.vm.is_windows().then_some(VmOffer::Windows);
    Deployed {
        region: vm.vm.region.clone(),
        offer: vm.vm.offer.or(by_os),
        controller: vm.vm.controller,
        accelerated,
        in_no_zone: vm.vm.zones.is_empty(),
        is_generation_1: vm.vm.is_generation_1,
    }
}

impl SavedError {
    fn form(name: &str, kind: &Kind, source: serde_json::Error) -> Self {
        Self::Form {
            name: name.to_owned(),
            schema: kind.schema,
            source,
        }
    }
}

/// The kind of result that `text` says it is.
fn kind_of(text: &str, name: &str) -> Result<&'static Kind, SavedError> {
    let name = || name.to_owned();
    if text.trim().is_empty() {
        return Err(SavedError::Empty { name: name() });
    }
    if let Err(source) = serde_json::from_str::<serde::de::IgnoredAny>(text) {
        return Err(SavedError::Json {
            name: name(),
            source,
        });
    }
    let named = serde_json::from_str::<Named>(text).ok();
    let Some(schema) = named.and_then(|named| named.schema) else {
        return Err(SavedError::NoSchema { name: name() });
    };
    let kind = KINDS.iter().find(|kind| kind.schema == schema);
    kind.ok_or_else(|| SavedError::UnknownSchema {
        name: name(),
        schema,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        match read(text, "x.json") {
            Ok(_) => panic!("{text} was read"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_is_none_of_ours_is_answered_with_the_known_schemas() {
        assert!(refusal("{\"schema\":").starts_with("'x.json' is not JSON: EOF"));
        for foreign in ["{}", "[1, 2]", "3", "{\"schema\": 1}", "{\"schema\": null}"] {
            let message = refusal(foreign);
            assert!(
                message.contains("diskcap.plan/1, diskcap.simulate/1"),
                "{message}"
            );
        }
        let message = refusal("{\"schema\": \"diskcap.plan/9\"}");
        assert!(message.contains("'diskcap.plan/9'") && message.contains("diskcap.plan/1"));
        let message = refusal("{\"schema\": \"diskcap.plan/1\", \"data\": 3}");
        assert!(
            message.contains("is not whole") && message.contains("line 1"),
            "{message}"
        );
    }

    #[test]
    fn schemas_are_unique() {
        let mut names = KINDS.each_ref().map(|kind| kind.schema);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
