//! What stood in the way while facts were read, and what is odd about them.

use std::fmt;
use std::sync::Arc;

use super::disk::DiskSettings;
use super::id::{Region, ResourceId};
use super::named::DiskSku;
use super::pool::Pool;
use super::vm::Attachment;
use crate::azure::arm::loose::Scalar;
use crate::azure::arm::shape::Resource;

/// How much a problem matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// Good to know.
    Info,
    /// A value could not be used.
    Warning,
    /// A source, or a part of it, could not be used.
    Error,
}

/// One problem, with the place that it lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadProblem {
    /// The file, or the address that was asked.
    pub source: Arc<str>,
    /// The line in the file, where known.
    pub line: Option<usize>,
    /// The resource it is about, where it is about one.
    pub subject: Option<String>,
    /// What is the matter.
    pub problem: Problem,
}

/// What can be the matter with a source or a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The source cannot be opened or read.
    Unreadable {
        /// The reason the system gives.
        reason: String,
    },
    /// The source is empty.
    Empty,
    /// The source is something else than JSON or CSV.
    NotJson {
        /// What it looks like.
        looks: String,
    },
    /// The source is JSON, and a single value at that.
    BareValue {
        /// The value.
        value: String,
    },
    /// The JSON ends before it is complete.
    Truncated,
    /// The JSON is malformed.
    Malformed {
        /// What the reader found.
        reason: String,
    },
    /// Text around the JSON was passed over.
    TextAround {
        /// How many lines.
        lines: usize,
    },
    /// Characters that are no valid text, from the line of the problem on.
    Garbled,
    /// The service has more of a list than was read.
    MorePages {
        /// What the list is of.
        of: &'static str,
    },
    /// An error answer lies where resources were expected.
    ErrorAnswer {
        /// The service's code.
        code: String,
        /// The service's message.
        message: String,
    },
    /// The cloud could not be asked for this.
    CloudError {
        /// What happened and what to do.
        reason: String,
        /// Whether what is shown is incomplete without it.
        needed: bool,
    },
    /// Objects of no use here.
    Unknown {
        /// Their type or fields.
        label: String,
        /// How many.
        count: usize,
    },
    /// Fields that were picked of resources (`az ... --query`), without what is needed to judge these.
    Picked {
        /// The fields; empty where there are bare values only.
        fields: String,
        /// How many objects or values.
        count: usize,
    },
    /// Files of a folder that were passed over for their names.
    FilesSkipped {
        /// How many.
        count: usize,
        /// One of them.
        example: String,
    },
    /// A resource without a name or an id.
    Nameless {
        /// What it is.
        what: &'static str,
    },
    /// An instance view without its VM.
    InstanceViewAlone,
    /// A disk entry or a storage profile without its VM.
    PartOfVm,
    /// Sizes from the list that does not say their limits.
    PlainSizes,
    /// A field holds something that it cannot hold.
    Odd {
        /// The field.
        field: &'static str,
        /// What it holds.
        found: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// An object was cut off by the tool that exported it.
    CutShort {
        /// The field.
        field: &'static str,
    },
    /// A resource was read before in another state; this one is used.
    OtherState {
        /// Where it was read before.
        before: Arc<str>,
        /// What differs.
        what: String,
    },
    /// Values that contradict each other or what is possible; they are not used.
    Implausible {
        /// The values and why they cannot be.
        reason: String,
    },
}

impl Problem {
    /// Whether it is the reason where a source has neither VM nor disk.
    #[must_use]
    pub const fn leaves_nothing(&self) -> bool {
        matches!(self, Self::Picked { .. })
    }

    /// Whether resources are missing for it that the source had.
    #[must_use]
    pub const fn leaves_out(&self) -> bool {
        matches!(self, Self::MorePages { .. } | Self::Truncated)
    }

    /// Whether it is to be told at once, beside the report: what is shown is a part of what there is, or not quite it.
    #[must_use]
    pub const fn is_told(&self) -> bool {
        self.leaves_out() || matches!(self, Self::Garbled)
    }

    /// How much it matters.
    #[must_use]
    pub const fn weight(&self) -> Weight {
        match self {
            Self::Unreadable { .. }
            | Self::Empty
            | Self::NotJson { .. }
            | Self::BareValue { .. }
            | Self::Truncated
            | Self::Malformed { .. }
            | Self::ErrorAnswer { .. }
            | Self::CloudError { needed: true, .. } => Weight::Error,
            Self::CloudError { needed: false, .. }
            | Self::Nameless { .. }
            | Self::Garbled
            | Self::Odd { .. }
            | Self::CutShort { .. }
            | Self::MorePages { .. }
            | Self::PartOfVm
            | Self::OtherState { .. }
            | Self::Picked { .. }
            | Self::Implausible { .. } => Weight::Warning,
            Self::TextAround { .. }
            | Self::PlainSizes
            | Self::Unknown { .. }
            | Self::FilesSkipped { .. }
            | Self::InstanceViewAlone => Weight::Info,
        }
    }
}

/// What is missing of a selection of fields, and what would be right.
const PICKED: &str = "as `az ... --query` picks them: id, hardwareProfile and storageProfile of a VM, or id, \
                      diskSizeGB and sku of a disk are missing; save whole answers (`az vm list -d -o json`, \
                      `az disk list -o json`)";

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { reason } => write!(f, "cannot be read: {reason}"),
            Self::Empty => f.write_str("empty: there is nothing to read"),
            Self::NotJson { looks } => write!(
                f,
                "not JSON but {looks}: save the answer as JSON (the Azure CLI writes it with '-o json')"
            ),
            Self::BareValue { value } => write!(
                f,
                "JSON without resources ('{value}' is all there is): save the whole answer"
            ),
            Self::Truncated => f.write_str(
                "the JSON ends before it is complete: the file was cut off, save it again",
            ),
            Self::Malformed { reason } => write!(f, "malformed JSON: {reason}"),
            Self::TextAround { lines } => {
                write!(f, "{lines} line(s) of text around the JSON were passed over")
            }
            Self::Garbled => f.write_str(
                "holds characters that are no valid UTF-8, read as '\u{fffd}': names with them are not the real ones; save it \
                 again as UTF-8",
            ),
            Self::MorePages { of } => write!(
                f,
                "a list of {of} goes on in further pages (nextLink, skip_token): what is on them is missing here; read \
                 them too, or save the list with a tool that follows them (the Azure CLI does; 'az graph query' takes \
                 '--first 1000')"
            ),
            Self::ErrorAnswer { code, message } => {
                let message = message.lines().next().unwrap_or_default();
                write!(f, "holds an error answer instead of resources: {code}: {message}")
            }
            Self::CloudError { reason, .. } => f.write_str(reason),
            Self::Unknown { label, count } => {
                write!(f, "{count} object(s) of no use here were passed over: {label}")
            }
            Self::Picked { fields, count } => {
                match fields.as_str() {
                    "" => write!(f, "only {count} bare value(s), {PICKED}"),
                    fields => write!(f, "{count} object(s) have only {fields}, {PICKED}"),
                }
            }
            Self::FilesSkipped { count, example } => write!(
                f,
                "{count} file(s) not named .json, .ndjson, .jsonl, .csv or .txt were passed over, such as {example}"
            ),
            Self::Nameless { what } => {
                write!(f, "{what} without a name or an id cannot be told apart and was left out")
            }
            Self::InstanceViewAlone => f.write_str(
                "an instance view without its VM was passed over: save the VM with '$expand=instanceView'",
            ),
            Self::PartOfVm => f.write_str(
                "a part of a VM (a disk entry or its storage profile) was passed over: save the whole VM \
                 ('az vm show'), without '--query'",
            ),
            Self::PlainSizes => f.write_str(
                "a list of sizes without their disk limits was passed over: save 'az vm list-skus' instead of 'az vm \
                 list-sizes'",
            ),
            Self::Odd {
                field,
                found,
                wanted,
            } => write!(f, "{field} is {found}, not {wanted}: taken as unknown"),
            Self::CutShort { field } => write!(
                f,
                "{field} was cut off by the export: raise its depth (PowerShell: ConvertTo-Json -Depth 20)"
            ),
            Self::OtherState { before, what } => write!(
                f,
                "read twice with another {what}: that of {before} is left, the one here is used"
            ),
            Self::Implausible { reason } => write!(f, "{reason}: not believed, taken as unknown"),
        }
    }
}

impl fmt::Display for ReadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(subject) = &self.subject {
            write!(f, ", {subject}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

/// Reads values of one resource and writes down what is odd about them.
pub(crate) struct Notes<'a> {
    problems: &'a mut Vec<ReadProblem>,
    source: &'a Arc<str>,
    pool: &'a mut Pool,
    /// What it is, and it.
    subject: (&'static str, &'a Resource),
}

impl<'a> Notes<'a> {
    pub(crate) const fn new(
        problems: &'a mut Vec<ReadProblem>,
        source: &'a Arc<str>,
        pool: &'a mut Pool,
        subject: (&'static str, &'a Resource),
    ) -> Self {
        Self {
            problems,
            source,
            pool,
            subject,
        }
    }

    /// The source of the resource.
    pub(crate) fn source(&self) -> Arc<str> {
        Arc::clone(self.source)
    }

    /// The one copy of a text that other resources share.
    pub(crate) fn pool(&mut self, text: &str) -> Arc<str> {
        self.pool.get(text)
    }

    /// The one copy of settings that other disks share.
    pub(crate) fn settings(&mut self, settings: DiskSettings) -> Arc<DiskSettings> {
        self.pool.settings(settings)
    }

    /// The one copy of an attachment that other disks share.
    pub(crate) fn attachment(&mut self, attachment: Attachment) -> Arc<Attachment> {
        self.pool.attachment(attachment)
    }

    /// A text that other resources share.
    pub(crate) fn shared(&mut self, value: &Scalar) -> Option<Arc<str>> {
        value.words().map(|text| self.pool.get(&text))
    }

    /// Texts that other resources share.
    pub(crate) fn all_shared(&mut self, texts: &[String]) -> Vec<Arc<str>> {
        texts.iter().map(|text| self.pool.get(text)).collect()
    }

    /// A resource id.
    pub(crate) fn id(&mut self, value: &Scalar) -> Option<ResourceId> {
        ResourceId::pooled(value.as_str()?, self.pool)
    }

    /// A region.
    pub(crate) fn region(&mut self, value: &Scalar) -> Option<Region> {
        Region::pooled(value.as_str()?, self.pool)
    }

    /// A disk SKU.
    pub(crate) fn disk_sku(&mut self, value: &Scalar) -> Option<DiskSku> {
        let name = self.shared(value)?;
        Some(DiskSku::new(name))
    }

    pub(crate) fn add(&mut self, problem: Problem) {
        self.problems.push(ReadProblem {
            source: Arc::clone(self.source),
            line: None,
            subject: Some(subject(self.subject)),
            problem,
        });
    }

    /// A number, or a note that it is none.
    pub(crate) fn number(&mut self, field: &'static str, value: &Scalar) -> Option<f64> {
        match value.number() {
            Ok(number) => number,
            Err(found) => {
                self.odd(field, found, "a number");
                None
            }
        }
    }

    /// A quantity with its unit; zero is no figure of a provisioned disk or a size and counts as unknown.
    pub(crate) fn quantity<T: TryFrom<f64>>(
        &mut self,
        field: &'static str,
        value: &Scalar,
    ) -> Option<T> {
        let number = self.number(field, value)?;
        let quantity = (number > 0.0).then(|| T::try_from(number).ok()).flatten();
        if quantity.is_none() {
            self.odd(field, number.to_string(), "a number above 0");
        }
        quantity
    }

    /// A whole number that fits, 0 or more.
    pub(crate) fn whole(&mut self, field: &'static str, value: &Scalar) -> Option<u32> {
        let number = self.number(field, value)?;
        if number >= 0.0 && number <= f64::from(u32::MAX) && number.fract() == 0.0 {
            // The range was checked.
            return Some(number as u32);
        }
        self.odd(field, number.to_string(), "a whole number");
        None
    }

    /// Yes or no, or a note that it is neither.
    pub(crate) fn flag(&mut self, field: &'static str, value: &Scalar) -> Option<bool> {
        let flag = value.flag();
        if flag.is_none()
            && let Some(found) = value.words()
        {
            self.odd(field, format!("'{found}'"), "true or false");
        }
        flag
    }

    fn odd(&mut self, field: &'static str, found: String, wanted: &'static str) {
        self.add(Problem::Odd {
            field,
            found,
            wanted,
        });
    }
}

/// A name for messages: `vm db1`, `disk data0`.
fn subject((what, resource): (&str, &Resource)) -> String {
    let name = resource
        .name
        .words()
        .or_else(|| resource.id.words())
        .or_else(|| resource.computer_name.words())
        .unwrap_or("without a name".into());
    match (what, resource.size.words()) {
        ("SKU", Some(size)) if !name.contains(&*size) => format!("SKU {name} {size}"),
        _ => format!("{what} {name}"),
    }
}
