//! The TOML plan file: a VM, its disks and its workload, written down.
//!
//! `diskcap plan --example` prints [`EXAMPLE`], a commented file with every key.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8};
use serde::Deserialize;
use serde::de::Deserializer;
use toml::Spanned;

use super::VolumeSpec;
use super::plan_disk::RawDisk;
use super::plan_workload::{Asked, RawStep, RawWorkload, StepSpec, TwoDemands};
use super::toml_values::{Count, Tables, Word, quantity};
use crate::catalog::Interface;
use crate::catalog::price::VmOffer;
use crate::units::Share;

/// A commented plan file with every key.
pub const EXAMPLE: &str = include_str!("plan_example.toml");

/// Why a plan file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanFileError {
    /// The file cannot be read.
    #[error("cannot read plan file '{path}': {source}")]
    Read {
        /// The path as given.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no text that can be read.
    #[error(
        "plan file '{path}': it is neither UTF-8 nor UTF-16 with a byte order mark: save it as UTF-8"
    )]
    Encoding {
        /// The path as given.
        path: String,
    },
    /// The file is not TOML, or has a key or value that a plan file does not have.
    #[error("plan file '{path}': {source}")]
    Toml {
        /// The path as given.
        path: String,
        /// What and where, with the line itself.
        source: Box<toml::de::Error>,
    },
    /// A disk cannot be understood.
    #[error("plan file '{path}', line {line}, disk {disk}: {problem}")]
    Disk {
        /// The path as given.
        path: String,
        /// The line of the key, else that in which the disk begins.
        line: usize,
        /// Which disk: its name, or its number in the file.
        disk: String,
        /// What is wrong.
        problem: String,
    },
    /// A workload asks for IOPS and for MB/s in one place.
    #[error(
        "plan file '{path}', line {line}: iops and mbps are both given, and a workload has one demand: leave out one of them"
    )]
    TwoDemands {
        /// The path as given.
        path: String,
        /// The line of the second.
        line: usize,
    },
}

/// A plan file, read and checked, before anything is looked up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanFile {
    /// The path as given, where it was read from a file.
    pub path: Option<String>,
    /// What the plan is called, where it says so.
    pub name: Option<String>,
    /// The VM size as written.
    pub vm: Option<String>,
    /// The disk controller.
    pub interface: Option<Interface>,
    /// The region.
    pub region: Option<String>,
    /// How the VM is bought, where it was read from what is deployed.
    pub offer: Option<VmOffer>,
    /// The volumes.
    pub volumes: Vec<VolumeSpec>,
    /// The workload of the whole plan.
    pub workload: Asked,
    /// The workloads of single volumes, in the order of `volumes`.
    pub volume_workloads: Vec<Asked>,
    /// The workload over time.
    pub steps: Vec<StepSpec>,
    /// How often the steps follow one another.
    pub repeat: Option<NonZeroU32>,
    /// How full the buckets of burst credit are at the start.
    pub credit: Option<Share>,
    /// Where the file says what.
    pub lines: PlanLines,
}

/// Lines of a plan file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanLines {
    /// Where the VM begins.
    pub vm: Option<usize>,
    /// Where each volume begins, in the order of the file.
    pub volumes: Vec<usize>,
}

impl PlanFile {
    /// Whether it says nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let nothing = Self {
            path: self.path.clone(),
            ..Self::default()
        };
        *self == nothing
    }

    /// That it has steps, which only a workload over time looks at, as a note; `None` where it has none.
    #[must_use]
    pub fn note_of_steps(&self) -> Option<String> {
        let path = self.path.as_ref();
        let which = path.map_or_else(|| "the file".to_owned(), |path| format!("'{path}'"));
        (!self.steps.is_empty()).then(|| {
            format!("note: the steps of {which} are for `diskcap simulate`: they are left out here")
        })
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`PlanFileError`], which names the file, the line where there is one, and what would be right.
    pub fn read(path: &Path) -> Result<Self, PlanFileError> {
        let shown = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| PlanFileError::Read {
            path: shown.clone(),
            source,
        })?;
        let text = decoded(&bytes).ok_or_else(|| PlanFileError::Encoding {
            path: shown.clone(),
        })?;
        Self::parse(&text, &shown)
    }

    /// Reads `text`; `path` is only named in errors.
    ///
    /// # Errors
    /// As [`PlanFile::read`].
    pub fn parse(text: &str, path: &str) -> Result<Self, PlanFileError> {
        let text = text.trim_start_matches('\u{feff}');
        let raw: RawPlan = toml::from_str(text).map_err(|source| PlanFileError::Toml {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        let lines = PlanLines {
            vm: raw.vm.as_ref().map(|vm| line_of(text, vm)),
            volumes: raw.disk.iter().map(|disk| line_of(text, disk)).collect(),
        };
        let vm = raw.vm.map(Spanned::into_inner);
        let two_demands = |two: TwoDemands| PlanFileError::TwoDemands {
            path: path.to_owned(),
            line: line_at(text, two.at),
        };
        let steps = raw.step.iter().map(RawStep::resolve);
        let mut plan = Self {
            path: Some(path.to_owned()),
            name: raw.name.map(|name| name.0),
            vm: vm.as_ref().map(|vm| vm.size.0.clone()),
            interface: vm.as_ref().and_then(|vm| vm.interface),
            region: vm.and_then(|vm| vm.region).map(|region| region.0),
            workload: raw.workload.resolve().map_err(two_demands)?,
            steps: steps.collect::<Result<_, _>>().map_err(two_demands)?,
            repeat: raw.repeat.map(|count| count.0),
            credit: raw.credit,
            lines,
            ..Self::default()
        };
        for (index, disk) in raw.disk.into_iter().enumerate() {
            let begins = disk.span().start;
            let disk = disk.into_inner();
            let name = disk.name.as_ref().map(|name| name.get_ref().0.clone());
            let workload = disk.workload.resolve().map_err(two_demands)?;
            let volume = disk.into_volume().map_err(|fault| PlanFileError::Disk {
                path: path.to_owned(),
                line: line_at(text, fault.at.unwrap_or(begins)),
                disk: name.unwrap_or_else(|| format!("number {}", index + 1)),
                problem: fault.problem,
            })?;
            plan.volumes.push(volume);
            plan.volume_workloads.push(workload);
        }
        Ok(plan)
    }
}

/// The text of a file: what its byte order mark says, else UTF-8.
pub(crate) fn decoded(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    encoding.decode_without_bom_handling_and_without_replacement(bytes.get(mark..)?)
}

/// The line, from 1 on, in which a part of `text` begins.
fn line_of<T>(text: &str, part: &Spanned<T>) -> usize {
    line_at(text, part.span().start)
}

/// The line, from 1 on, of a position in `text`.
fn line_at(text: &str, position: usize) -> usize {
    let before = text.as_bytes().get(..position);
    let breaks = before.unwrap_or_default().iter().filter(|b| **b == b'\n');
    breaks.count() + 1
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlan {
    name: Option<Word>,
    vm: Option<Spanned<RawVm>>,
    #[serde(default)]
    workload: RawWorkload,
    #[serde(default, deserialize_with = "disks")]
    disk: Vec<Spanned<RawDisk>>,
    #[serde(default, deserialize_with = "steps")]
    step: Vec<RawStep>,
    #[serde(default, deserialize_with = "quantity")]
    repeat: Option<Count>,
    #[serde(default, deserialize_with = "quantity")]
    credit: Option<Share>,
}

#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table: [vm] on a line, and below it size = \"D8s_v5\""
)]
struct RawVm {
    size: Word,
    interface: Option<Interface>,
    region: Option<Word>,
}

fn disks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Spanned<RawDisk>>, D::Error> {
    deserializer.deserialize_any(Tables::new("disk"))
}

fn steps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<RawStep>, D::Error> {
    deserializer.deserialize_any(Tables::new("step"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deployment::HostCaching;
    use crate::units::{GiB, Iops, MBps};
    use crate::workload::Demand;

    fn error(text: &str) -> String {
        PlanFile::parse(text, "plan.toml").unwrap_err().to_string()
    }

    #[test]
    fn the_example_is_a_plan_file() {
        let plan = PlanFile::parse(EXAMPLE, "example").unwrap();
        assert_eq!(plan.vm.as_deref(), Some("Standard_E8ds_v5"));
        assert!(plan.volumes.len() >= 3);
    }

    #[test]
    fn numbers_and_texts_with_units_mean_the_same() {
        let plan = PlanFile::parse(
            "[[disk]]\nsku = 'v2'\nsize = 1024\niops = '6k'\n[[disk]]\nsku = 'v2'\nsize = '1TiB'\niops = 6000\ncache='none'",
            "t",
        )
        .unwrap();
        let [a, b] = [0, 1].map(|i| plan.volumes[i].members[0].request.clone());
        assert_eq!(a, b);
        assert_eq!(a.size, Some(GiB::whole(1024)));
        assert_eq!(plan.volumes[1].members[0].caching, Some(HostCaching::None));
    }

    #[test]
    fn a_misspelt_key_is_named_with_its_line() {
        let message = error("[vm]\nsize = 'D2s_v3'\n[[disk]]\nsku = 'P30'\ncahce = 'ro'\n");
        assert!(
            message.contains("cahce") && message.contains("line 5"),
            "{message}"
        );
        assert!(message.contains("cache"), "{message}");
    }

    #[test]
    fn wrong_values_say_which_disk_and_what_is_right() {
        let message = error("[[disk]]\nname = 'log'\nsku = 'P30'\ncache = 'full'");
        assert!(
            message.contains("disk log") && message.contains("ReadOnly"),
            "{message}"
        );
        let message = error("[[disk]]\nsku = 'P30'\nspec = 'P40'");
        assert!(
            message.contains("number 1") && message.contains("once"),
            "{message}"
        );
        let message = error("[workload]\nblock_size = 0\n[[disk]]\nsku='P30'");
        assert!(
            message.contains("line 2") && message.contains("1 byte"),
            "{message}"
        );
        assert!(error("[workload]\nprofile = 'x'").contains("oltp"));
    }

    #[test]
    fn every_key_says_its_line_and_what_is_right() {
        let disk = |keys: &str| format!("[[disk]]\nsku = 'v2'\nsize = 256\n{keys}");
        let asked = |keys: &str| format!("[workload]\n{keys}\n[[disk]]\nsku = 'P30'");
        for (text, line, right) in [
            ("vm = 'D8s_v5'".to_owned(), 1, "[vm] on a line"),
            ("credit = 50".to_owned(), 1, "\"50%\""),
            ("repeat = 2.5".to_owned(), 1, "a whole number, 1 or more"),
            (asked("block_size = 8"), 2, "\"8KiB\""),
            (asked("read_share = 70"), 2, "\"70%\""),
            (asked("profile = 'x'"), 2, "oltp"),
            (asked("pattern = 'rand'"), 2, "random"),
            (asked("queue_depth = 1.5"), 2, "a whole number from 1"),
            (asked("iops = 5\nmbps = 5"), 3, "leave out one"),
            (disk("workload = 'oltp'"), 4, "{ profile = \"oltp\" }"),
            (disk("count = 0"), 4, "write 1 to 256"),
            (disk("iops = 'many'"), 4, "5000 or 5k"),
            (disk("mbps = -1"), 4, "0 or more"),
            (disk("latency = 0.7"), 4, "0.65ms"),
            (disk("cache = true"), 4, "ReadOnly"),
            (disk("burst = 'maybe'"), 4, "on or off"),
            (disk("shares = 0"), 4, "shares"),
            (disk("name = 'a b'"), 4, "letters, digits"),
            ("\n[[disk]]\nmembers = []".to_owned(), 3, "at least one"),
            ("\n[[disk]]\nname = 'x'".to_owned(), 2, "once"),
            ("[[disk]]\nsku = 30".to_owned(), 2, "P1 to P80"),
            ("[[step]]\nfor = 1".to_owned(), 2, "in quotes"),
        ] {
            let message = error(&text);
            let says_line = message.contains(&format!("line {line}"));
            assert!(says_line && message.contains(right), "{text}: {message}");
            assert!(message.contains("'plan.toml'"), "{message}");
            for inside in ["u32", "f64", "Raw", "sequence", "map"] {
                assert!(!message.contains(inside), "{text}: {message}");
            }
        }
    }

    #[test]
    fn what_can_mean_one_thing_only_is_read() {
        let plan = |keys: &str| PlanFile::parse(&format!("[[disk]]\n{keys}"), "t").unwrap();
        assert_eq!(
            plan("sku = 'P30'\ncount = '4'").volumes,
            plan("spec = '4xP30'").volumes
        );
        assert_eq!(plan("members = 'P30'").volumes, plan("sku = 'P30'").volumes);
        assert_eq!(
            plan("sku = 'P40'\nburst = 'on'").volumes,
            plan("sku = 'P40'\nburst = true").volumes
        );
    }

    #[test]
    fn one_pair_of_brackets_is_answered_with_two() {
        for key in ["disk", "step"] {
            let message = error(&format!("[{key}]\nfor = '1h'\nsku = 'P30'"));
            assert!(
                message.contains("line 1") && message.contains(&format!("[[{key}]]")),
                "{message}"
            );
        }
    }

    #[test]
    fn two_names_of_one_disk_are_refused() {
        let message = error("[[disk]]\nname = 'data'\nspec = 'log=P30'");
        assert!(
            message.contains("'data'") && message.contains("'log'"),
            "{message}"
        );
        let same = "[[disk]]\nname = 'data'\nspec = 'data=P30'";
        let plan = PlanFile::parse(same, "t").unwrap();
        assert_eq!(plan.volumes[0].name.as_deref(), Some("data"));
    }

    #[test]
    fn a_file_saved_as_utf_16_is_read() {
        let utf_16 =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        assert_eq!(
            decoded(&utf_16("\u{feff}name = 'ä'")).unwrap(),
            "name = 'ä'"
        );
        assert_eq!(decoded("\u{feff}name".as_bytes()).unwrap(), "name");
        assert_eq!(decoded(b"name = '\xe4'"), None);
    }

    #[test]
    fn every_part_has_its_line() {
        let text = "\u{feff}name = 'n'\n\n[vm]\nsize = 'D2s_v3'\n\n# data\n[[disk]]\nsku = 'P30'\n[disk.workload]\niops = 5\n\
                    [[disk]]\nsku = 'P40'\n";
        let lines = PlanFile::parse(text, "t").unwrap().lines;
        assert_eq!((lines.vm, lines.volumes), (Some(3), vec![7, 11]));
        let inline =
            "vm = { size = 'D2s_v3' }\ndisk = [\n  { sku = 'P30' },\n  { sku = 'P40' },\n]";
        let lines = PlanFile::parse(inline, "t").unwrap().lines;
        assert_eq!((lines.vm, lines.volumes), (Some(1), vec![3, 4]));
    }

    #[test]
    fn members_make_an_uneven_stripe() {
        let plan = PlanFile::parse(
            "[[disk]]\nname = 'data'\nmembers = ['P30', '2xP40']\ncache = 'ro'",
            "t",
        )
        .unwrap();
        let volume = &plan.volumes[0];
        assert_eq!(volume.name.as_deref(), Some("data"));
        assert_eq!(volume.members.iter().map(|m| m.count).sum::<u32>(), 3);
        assert!(
            volume
                .members
                .iter()
                .all(|m| m.caching == Some(HostCaching::ReadOnly))
        );
    }

    #[test]
    fn steps_are_read_in_their_order() {
        let plan = PlanFile::parse(
            "repeat = 3\ncredit = '50%'\n[[step]]\nfor = '20min'\niops = '3.5k'\n[[step]]\nfor = '1h 30m'\n\
             profile = 'backup'\n[step.volume.data]\nmbps = 20",
            "t",
        )
        .unwrap();
        let lengths: Vec<f64> = plan.steps.iter().map(|step| step.lasts.get()).collect();
        assert_eq!(lengths, [1200.0, 5400.0]);
        let [first, second] = [0, 1].map(|i| &plan.steps[i]);
        assert_eq!(
            first.workload.settings.demand,
            Some(Demand::Iops(Iops::whole(3500)))
        );
        assert_eq!(second.workload.profile.unwrap().name, "backup");
        let (name, data) = &second.volumes[0];
        assert_eq!(name, "data");
        assert_eq!(data.settings.demand, Some(Demand::Mbps(MBps::whole(20))));
        assert_eq!(plan.repeat.unwrap().get(), 3);
        assert_eq!(plan.credit, Some(Share::percent(50)));
    }

    #[test]
    fn wrong_steps_say_where_and_what_is_right() {
        for (text, line, words) in [
            ("[[step]]\niops = 5", "line 1", "missing field `for`"),
            ("[[step]]\nfor = 20", "line 2", "20min"),
            ("[[step]]\nfor = '20 parsecs'", "line 2", "20min"),
            ("[[step]]\nfor = '1h'\nipos = 5", "line 3", "ipos"),
            (
                "[[step]]\nfor = '1h'\nvolume.d = { ipos = 5 }",
                "line 3",
                "ipos",
            ),
            ("repeat = 0", "line 1", "1 or more"),
            ("credit = 2", "line 1", "from 0 to 1"),
        ] {
            let message = error(text);
            assert!(
                message.contains(line) && message.contains(words),
                "{text}: {message}"
            );
        }
        assert!(error("[[step]]\nfor = '1h'\nprofile = 'x'").contains("oltp"));
    }
}
