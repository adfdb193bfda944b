//! iostat's text, line by line.

use super::blocks::Blocks;
use super::columns::{Field, digits_of};
use super::sizes::{Sizes, decimals_of};
use crate::measure::series::builder::TooManyDisks;
use crate::measure::series::clock::read_stamp;
use crate::measure::series::error::SeriesError;
use crate::measure::series::log::{Input, Log, Skipped, io_error, too_many};
use crate::measure::series::model::{Source, StartTime};
use crate::measure::series::row::Row;

/// What a report looks like, for the message that there is none.
const LOOKED_FOR: &str = "a line of column heads such as `Device r/s w/s rkB/s wkB/s ...` with device lines below it \
                          (iostat -x)";

/// The columns of a report.
#[derive(Debug, Default, PartialEq)]
struct Head {
    fields: Vec<Option<Field>>,
    device: usize,
    /// It begins a report; else it goes on with one.
    begins: bool,
}

impl Head {
    /// The columns that a line names; `None` where it is no line of heads.
    fn of(line: &str) -> Option<Self> {
        let names: Vec<&str> = line.split_ascii_whitespace().collect();
        let fields: Vec<Option<Field>> = names.iter().map(|name| Field::of(name)).collect();
        let has = |name: &str| names.contains(&name);
        let device = names
            .iter()
            .position(|name| name.trim_end_matches(':') == "Device");
        // The first table of a report is known in any language; further ones name the device.
        let begins = (has("r/s") || has("tps")) && fields.iter().flatten().count() > 1;
        let further = device.is_some() && (has("w/s") || has("d/s") || has("f/s"));
        if !begins && !further {
            return None;
        }
        Some(Self {
            fields,
            device: device.unwrap_or(0),
            begins,
        })
    }

    /// The device and the figures of a line; `None` where it does not fit the columns.
    fn row<'l>(&self, line: &'l [u8]) -> Option<(&'l str, Row)> {
        let mut row = Row::default();
        let mut sizes = Sizes::default();
        let mut device = None;
        let mut cells = line
            .split(u8::is_ascii_whitespace)
            .filter(|cell| !cell.is_empty());
        for (i, field) in self.fields.iter().enumerate() {
            let cell = cells.next()?;
            if i == self.device {
                device = std::str::from_utf8(cell).ok();
            } else if let Some(field) = field {
                let figure = field.figure(cell)?;
                field.put(figure, &mut row);
                sizes.take(*field, figure, digits_of(cell)?, decimals_of(cell));
            }
        }
        sizes.refine(&mut row);
        let device = device?.trim_end_matches(':');
        (cells.next().is_none() && !device.is_empty()).then_some((device, row))
    }
}

/// Where in a report the reader is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    /// Between reports.
    Outside,
    /// Below `avg-cpu`.
    Cpu,
    /// Below the heads of the devices.
    Devices,
}

struct Reader<'o> {
    blocks: Blocks<'o>,
    head: Head,
    place: Place,
    first_of_run: bool,
    date: Option<String>,
    os: Option<String>,
    stamp: Option<StartTime>,
    skipped: Skipped,
}

/// Reads iostat's text.
pub(crate) fn read(input: Input<'_>) -> Result<Log, SeriesError> {
    let Input {
        name,
        mut lines,
        options,
    } = input;
    let mut reader = Reader {
        blocks: Blocks::new(Source::IostatText, options),
        head: Head::default(),
        place: Place::Outside,
        first_of_run: false,
        date: None,
        os: None,
        stamp: None,
        skipped: Skipped::default(),
    };
    while let Some(line) = lines.next_line().map_err(|e| io_error(name, e))? {
        let known = reader.line(line).map_err(too_many(name))?;
        if !known && !is_wrapping(line) {
            reader.skipped.at(lines.line_number());
        }
    }
    let (disks, notices) = reader.blocks.finish(name)?;
    let log = Log {
        disks,
        notices,
        os: reader.os,
        date: reader.date,
    };
    log.with_skipped(reader.skipped)
        .checked(name, Source::IostatText, LOOKED_FOR)
}

impl Reader<'_> {
    /// Takes one line; whether it is one that iostat prints.
    fn line(&mut self, line: &[u8]) -> Result<bool, TooManyDisks> {
        if line.trim_ascii().is_empty() {
            self.place = Place::Outside;
            return Ok(true);
        }
        if self.place == Place::Devices
            && let Some((device, row)) = self.head.row(line)
        {
            self.blocks.device(device, row)?;
            return Ok(true);
        }
        if line.starts_with(b"avg-cpu") {
            self.place = Place::Cpu;
            return Ok(true);
        }
        let text = String::from_utf8_lossy(line);
        if self.place == Place::Devices
            && !text.starts_with("Device")
            && !text.starts_with("Linux ")
        {
            return Ok(false);
        }
        Ok(self.other(&text))
    }

    /// A line that is no device: the head of a run, of a report, or a stamp.
    fn other(&mut self, text: &str) -> bool {
        if let Some(head) = Head::of(text) {
            if head.begins {
                self.blocks.begin(self.stamp.take(), self.first_of_run);
                self.first_of_run = false;
            } else {
                self.blocks.further();
            }
            self.head = head;
            self.place = Place::Devices;
            return true;
        }
        if self.place == Place::Cpu {
            return true;
        }
        if text.starts_with("Linux ") {
            self.run(text);
            return true;
        }
        self.stamp = read_stamp(text, None).or_else(|| self.time_of_day(text));
        self.stamp.is_some()
    }

    /// `Linux 5.8.0-53-generic (ubuntu)   12/02/2021   _x86_64_   (2 CPU)`
    fn run(&mut self, text: &str) {
        self.first_of_run = true;
        let mut parts = text.split('\t');
        let system = parts.next().unwrap_or_default();
        let (os, host) = system.split_once(" (").unwrap_or((system, ""));
        self.os = Some(os.trim().to_owned());
        let (host, after) = host.split_once(')').unwrap_or((host, ""));
        self.blocks.host(host.trim());
        let date = parts
            .next()
            .or_else(|| after.split_ascii_whitespace().next())
            .map(str::trim)
            .filter(|date| date.starts_with(|c: char| c.is_ascii_digit()));
        self.date = date.map(str::to_owned).or(self.date.take());
    }

    /// `Time: 10:15:01 AM`, as sysstat before 9 prints it: the date is that of the run.
    fn time_of_day(&self, text: &str) -> Option<StartTime> {
        let time = text.strip_prefix("Time:")?;
        read_stamp(&format!("{} {}", self.date.as_ref()?, time.trim()), None)
    }
}

/// Whether a line stands around the log where it was pasted: a fence of Markdown, or a prompt of a shell with its command.
fn is_wrapping(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let starts = |mark: &&[u8]| line.starts_with(mark);
    let fences: [&[u8]; 2] = [b"```", b"~~~"];
    let prompts: [&[u8]; 4] = [b"$ ", b"# ", b"% ", b"> "];
    // `user@host:~$ iostat -x 1`, `[root@host ~]# ^C`.
    let behind_host = || {
        let text = String::from_utf8_lossy(line);
        let prompt = text.split_once(['$', '#', '%', '>']).map(|(head, _)| head);
        prompt.is_some_and(|head| head.contains('@') && head.split_whitespace().count() <= 2)
    };
    let interrupted = line == b"^C";
    fences.iter().any(starts) || prompts.iter().any(starts) || interrupted || behind_host()
}

/// Whether the text looks like iostat's: a line of heads of its devices.
pub(crate) fn sniff(text: &str) -> bool {
    text.lines().take(400).any(|line| Head::of(line).is_some())
}
