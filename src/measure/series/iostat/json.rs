//! `iostat -o JSON`, report by report: only one is in memory at a time.

use std::fmt;
use std::io::{BufReader, Read};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::blocks::Blocks;
use super::columns::{Field, digits_of};
use super::sizes::{DECIMALS, Sizes, decimals_of};
use crate::measure::series::builder::TooManyDisks;
use crate::measure::series::clock::read_stamp;
use crate::measure::series::error::SeriesError;
use crate::measure::series::log::{Input, Log, io_error, too_many};
use crate::measure::series::model::{Source, StartTime};
use crate::measure::series::notice::Notice;
use crate::measure::series::row::Row;

/// What a report looks like, for the message that there is none.
const LOOKED_FOR: &str =
    "sysstat, hosts, statistics, disk with figures such as `r/s` and `w/s` (iostat -x -o JSON)";

/// How many lines of something else may come before.
const PREAMBLE: usize = 50;

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
        let mut sizes = Sizes::default();
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            match (Field::of(&key), value) {
                (Some(field), Value::Figure(figure)) => {
                    field.put(figure, &mut device.row);
                    sizes.take(field, figure, figure, DECIMALS);
                }
                (Some(field), Value::Text(text)) => {
                    if let Some(figure) = field.figure(text.as_bytes()) {
                        field.put(figure, &mut device.row);
                        let digits = digits_of(text.as_bytes()).unwrap_or(figure);
                        sizes.take(field, figure, digits, decimals_of(text.as_bytes()));
                    }
                }
                (None, Value::Text(text)) if key == "disk_device" => device.name = text,
                _ => {}
            }
        }
        sizes.refine(&mut device.row);
        Ok(device)
    }
}

/// Walks down to the devices, handing each to the blocks.
struct Walk<'w, 'o> {
    blocks: &'w mut Blocks<'o>,
    run: &'w mut Run,
    level: Level,
}

/// What is said of a host beside its reports.
#[derive(Debug, Default)]
struct Run {
    os: Option<String>,
    date: Option<String>,
    /// The stamp of the report that is being read.
    stamp: Option<StartTime>,
    /// No report of the host came yet.
    first: bool,
    crowded: Option<TooManyDisks>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Level {
    Top,
    Sysstat,
    Hosts,
    Host,
    Statistics,
    Report,
    Devices,
}

impl<'o> Walk<'_, 'o> {
    fn below(&mut self, level: Level) -> Walk<'_, 'o> {
        Walk {
            blocks: self.blocks,
            run: self.run,
            level,
        }
    }

    /// Takes a text.
    fn say(&mut self, key: &str, text: String) {
        match key {
            "nodename" => self.blocks.host(&text),
            "sysname" => self.run.os = Some(text),
            "release" => {
                let name = self.run.os.take().unwrap_or_default();
                self.run.os = Some(format!("{name} {text}").trim().to_owned());
            }
            "date" => self.run.date = Some(text),
            "timestamp" => self.run.stamp = read_stamp(&text, None),
            _ => {}
        }
    }

    /// What a key leads to.
    fn leads_to(&self, key: &str) -> Option<Level> {
        match (self.level, key) {
            (Level::Top, "sysstat") => Some(Level::Sysstat),
            (Level::Sysstat, "hosts") => Some(Level::Hosts),
            (Level::Host, "statistics") => Some(Level::Statistics),
            (Level::Report, "disk") => Some(Level::Devices),
            _ => None,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.level {
            Level::Hosts | Level::Statistics | Level::Devices => deserializer.deserialize_seq(self),
            Level::Top | Level::Sysstat | Level::Host | Level::Report => {
                deserializer.deserialize_map(self)
            }
        }
    }
}

impl<'de> Visitor<'de> for Walk<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what iostat -o JSON prints")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match self.leads_to(&key) {
                Some(level) => map.next_value_seed(self.below(level))?,
                None => {
                    if let Value::Text(text) = map.next_value::<Value>()? {
                        self.say(&key, text);
                    }
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        match self.level {
            Level::Hosts => while seq.next_element_seed(self.below(Level::Host))?.is_some() {},
            Level::Statistics => {
                self.run.first = true;
                while seq.next_element_seed(self.below(Level::Report))?.is_some() {}
            }
            _ => {
                let first = std::mem::take(&mut self.run.first);
                self.blocks.begin(self.run.stamp.take(), first);
                while let Some(device) = seq.next_element::<Device>()? {
                    let added = self.blocks.device(&device.name, device.row);
                    self.run.crowded = self.run.crowded.or(added.err());
                }
            }
        }
        Ok(())
    }
}

/// Reads iostat's JSON. One that ends in the middle is read as far as it goes.
pub(crate) fn read(input: Input<'_>) -> Result<Log, SeriesError> {
    let name = input.name;
    let mut blocks = Blocks::new(Source::IostatJson, input.options);
    let mut lines = input.lines;
    lines
        .skip_to(b"{", PREAMBLE)
        .map_err(|e| io_error(name, e))?;
    let bytes = BufReader::with_capacity(64 << 10, lines);
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
    let mut run = Run::default();
    let walk = Walk {
        blocks,
        run: &mut run,
        level: Level::Top,
    };
    match walk.deserialize(&mut deserializer) {
        Ok(()) => match run.crowded {
            Some(crowded) => Err(too_many(name)(crowded)),
            None => Ok((run, false)),
        },
        Err(e) if e.is_eof() => Ok((run, true)),
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
    text.contains("\"sysstat\"") && text.contains("\"statistics\"")
}
