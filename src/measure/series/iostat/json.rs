//! `iostat -o JSON`, report by report: only one is in memory at a time.

use std::fmt;
use std::io::{BufReader, Read};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::blocks::Blocks;
use super::columns::Field;
use crate::measure::series::builder::TooManyDisks;
use crate::measure::series::clock::read_stamp;
use crate::measure::series::error::SeriesError;
use crate::measure::series::log::{Input, Log, io_error, too_many};
use crate::measure::series::model::Source;
use crate::measure::series::notice::Notice;
use crate::measure::series::row::Row;

/// What a report looks like, for the message that there is none.
const LOOKED_FOR: &str =
    "sysstat, hosts, statistics, disk with figures such as `r/s` and `w/s` (iostat -x -o JSON)";

/// One report.
#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    timestamp: Option<String>,
    #[serde(default)]
    disk: Vec<Device>,
}

/// One device of a report. Its keys are column heads.
struct Device {
    name: String,
    row: Row,
}

/// A value of a device: its name or a figure.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Figure(f64),
    Text(String),
    Other(IgnoredAny),
}

impl<'de> Deserialize<'de> for Device {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DeviceVisitor)
    }
}

struct DeviceVisitor;

impl<'de> Visitor<'de> for DeviceVisitor {
    type Value = Device;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a device with its figures")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Device, A::Error> {
        let mut device = Device {
            name: String::new(),
            row: Row::default(),
        };
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            match (Field::of(&key), value) {
                (Some(field), Value::Figure(figure)) => field.put(figure, &mut device.row),
                (Some(field), Value::Text(text)) => {
                    if let Some(figure) = field.figure(text.as_bytes()) {
                        field.put(figure, &mut device.row);
                    }
                }
                (None, Value::Text(text)) if key == "disk_device" => device.name = text,
                _ => {}
            }
        }
        Ok(device)
    }
}

/// Walks down to the reports, handing each to the blocks.
struct Walk<'b, 'o> {
    blocks: &'b mut Blocks<'o>,
    run: Run,
    level: Level,
}

/// What is said of a host beside its reports.
#[derive(Debug, Default, Clone)]
struct Run {
    os: Option<String>,
    date: Option<String>,
    crowded: bool,
}

#[derive(Debug, Clone, Copy)]
enum Level {
    Top,
    Sysstat,
    Hosts,
    Host,
    Statistics,
}

impl<'b, 'o> Walk<'b, 'o> {
    fn below(&mut self, level: Level) -> Walk<'_, 'o> {
        Walk {
            blocks: self.blocks,
            run: self.run.clone(),
            level,
        }
    }

    /// Hands one report to the blocks.
    fn report(&mut self, report: Report, first: bool) {
        let stamp = report.timestamp.and_then(|stamp| read_stamp(&stamp, None));
        self.blocks.begin(stamp, first);
        for device in report.disk {
            self.run.crowded |= self.blocks.device(&device.name, device.row).is_err();
        }
    }

    /// Takes a text of a host.
    fn say(&mut self, key: &str, text: String) {
        match key {
            "nodename" => self.blocks.host(&text),
            "sysname" => self.run.os = Some(text),
            "release" => {
                let name = self.run.os.take().unwrap_or_default();
                self.run.os = Some(format!("{name} {text}").trim().to_owned());
            }
            "date" => self.run.date = Some(text),
            _ => {}
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_, '_> {
    type Value = Run;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Run, D::Error> {
        match self.level {
            Level::Hosts | Level::Statistics => deserializer.deserialize_seq(self),
            Level::Top | Level::Sysstat | Level::Host => deserializer.deserialize_map(self),
        }
    }
}

impl<'de> Visitor<'de> for Walk<'_, '_> {
    type Value = Run;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what iostat -o JSON prints")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Run, A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let below = match (self.level, key.as_str()) {
                (Level::Top, "sysstat") => Some(Level::Sysstat),
                (Level::Sysstat, "hosts") => Some(Level::Hosts),
                (Level::Host, "statistics") => Some(Level::Statistics),
                _ => None,
            };
            match below {
                Some(level) => self.run = map.next_value_seed(self.below(level))?,
                None => {
                    if let Value::Text(text) = map.next_value::<Value>()? {
                        self.say(&key, text);
                    }
                }
            }
        }
        Ok(self.run)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Run, A::Error> {
        if matches!(self.level, Level::Hosts) {
            while let Some(run) = seq.next_element_seed(self.below(Level::Host))? {
                self.run = run;
            }
            return Ok(self.run);
        }
        let mut first = true;
        while let Some(report) = seq.next_element::<Report>()? {
            self.report(report, first);
            first = false;
        }
        Ok(self.run)
    }
}

/// Reads iostat's JSON. One that ends in the middle is read as far as it goes.
pub(crate) fn read(input: Input<'_>) -> Result<Log, SeriesError> {
    let name = input.name;
    let mut blocks = Blocks::new(Source::IostatJson, input.options);
    let bytes = BufReader::with_capacity(64 << 10, input.lines);
    let (run, cut) = walk(name, bytes, &mut blocks)?;
    let (disks, mut notices) = blocks.finish(name)?;
    if cut {
        notices.push(Notice::CutShort);
    }
    Log {
        disks,
        notices,
        os: run.os,
        date: run.date,
    }
    .checked(name, Source::IostatJson, LOOKED_FOR)
}

fn walk(name: &str, bytes: impl Read, blocks: &mut Blocks<'_>) -> Result<(Run, bool), SeriesError> {
    let mut deserializer = serde_json::Deserializer::from_reader(bytes);
    let walk = Walk {
        blocks,
        run: Run::default(),
        level: Level::Top,
    };
    match walk.deserialize(&mut deserializer) {
        Ok(run) if run.crowded => Err(too_many(name)(TooManyDisks)),
        Ok(run) => Ok((run, false)),
        Err(e) if e.is_eof() => Ok((Run::default(), true)),
        Err(e) if e.is_io() => Err(io_error(name, e.into())),
        Err(e) => Err(SeriesError::Malformed {
            name: name.to_owned(),
            line: e.line() as u64,
            what: format!("{e}: this is not what iostat -o JSON prints"),
        }),
    }
}

/// Whether the text looks like iostat's JSON.
pub(crate) fn sniff(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with('{') && start.contains("\"sysstat\"") && start.contains("\"statistics\"")
}
