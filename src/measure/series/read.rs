//! The way in: one log, or files of any kind, with the fio logs of one job put together.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::detect::source_of;
use super::error::SeriesError;
use super::fio_log::FioLog;
use super::lines::Lines;
use super::log::{Input, Log, io_error};
use super::model::{Series, Source};
use super::options::ReadOptions;
use super::{azmon, fio_log, iostat, perfmon, plain_csv};
use crate::measure::text::{decode, is_binary, packed};

/// What one input held.
enum Held {
    Whole(Log),
    /// One of possibly several logs of a job.
    Fio(FioLog),
}

/// Reads one log of any kind. `name` is for messages; it is also what tells the kind of a fio log.
///
/// # Errors
/// [`SeriesError`] when the input cannot be read, is no log that is known, or holds no sample.
///
/// ```
/// use diskcap::measure::series::{ReadOptions, read};
///
/// let log = "1000, 250, 0, 0\n2000, 240, 0, 0\n";
/// let series = read("data_iops.1.log", log.as_bytes(), &ReadOptions::default())?;
/// assert_eq!(series.disks[0].name, "data");
/// assert_eq!(series.disks[0].total.iops.number(1), Some(240.0));
/// # Ok::<(), diskcap::measure::series::SeriesError>(())
/// ```
pub fn read(name: &str, input: impl Read, options: &ReadOptions) -> Result<Series, SeriesError> {
    Ok(match held(name, input, options)? {
        Held::Whole(log) => log.into_series(),
        Held::Fio(log) => fio_log::join(&[log], options).into_series(),
    })
}

/// Reads files. Each gives one [`Series`], but fio logs of the same job (`x_bw.1.log`, `x_iops.1.log`,
/// `x_lat.1.log`) give one together, in place of the first of them.
///
/// # Errors
/// [`SeriesError`] of the first file that cannot be read.
pub fn read_files<P: AsRef<Path>>(
    files: &[P],
    options: &ReadOptions,
) -> Result<Vec<Series>, SeriesError> {
    let mut all: Vec<Vec<Held>> = Vec::new();
    for path in files {
        let path = path.as_ref();
        let name = path.to_string_lossy();
        if path.is_dir() {
            return Err(SeriesError::Folder {
                name: name.into_owned(),
            });
        }
        let file = File::open(path).map_err(|e| io_error(&name, e))?;
        let held = held(&name, file, options)?;
        let same_job = |group: &&mut Vec<Held>| match (group.first(), &held) {
            (Some(Held::Fio(first)), Held::Fio(log)) => first.same_run(log),
            _ => false,
        };
        match all.iter_mut().find(same_job) {
            Some(group) => group.push(held),
            None => all.push(vec![held]),
        }
    }
    Ok(all
        .into_iter()
        .map(|group| series(group, options))
        .collect())
}

fn series(group: Vec<Held>, options: &ReadOptions) -> Series {
    let mut fio = Vec::new();
    for held in group {
        match held {
            Held::Whole(log) => return log.into_series(),
            Held::Fio(log) => fio.push(log),
        }
    }
    fio_log::join(&fio, options).into_series()
}

/// Why a beginning is of no log.
fn unrecognised(name: &str, head: &[u8]) -> SeriesError {
    let name = name.to_owned();
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    match decode(head) {
        _ if head.iter().all(is_blank) => SeriesError::Empty { name },
        text if is_binary(&text) => SeriesError::Binary { name },
        text => match plain_csv::nearly(&text) {
            Some((line, what)) => SeriesError::Malformed { name, line, what },
            None => SeriesError::Unrecognised { name },
        },
    }
}

fn held(name: &str, input: impl Read, options: &ReadOptions) -> Result<Held, SeriesError> {
    let mut lines = Lines::new(input).map_err(|e| io_error(name, e))?;
    let head = lines.peek().map_err(|e| io_error(name, e))?;
    if let Some(kind) = packed(head) {
        let name = name.to_owned();
        return Err(SeriesError::Packed { name, kind });
    }
    if fio_log::is_histogram(head) {
        let input = Input {
            name,
            lines,
            options,
        };
        return Ok(Held::Fio(fio_log::read_histogram(input)?));
    }
    let source = source_of(head).ok_or_else(|| unrecognised(name, head))?;
    let input = Input {
        name,
        lines,
        options,
    };
    Ok(Held::Whole(match source {
        Source::FioLog => return Ok(Held::Fio(fio_log::read(input)?)),
        Source::IostatText => iostat::text::read(input)?,
        Source::IostatJson => iostat::json::read(input)?,
        Source::Perfmon => perfmon::read(input)?,
        Source::AzureMonitor => azmon::read(input)?,
        Source::Csv => plain_csv::read(input)?,
    }))
}
