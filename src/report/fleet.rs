//! A fleet written out while it is judged, so that its size does not matter: NDJSON records, or one table as CSV,
//! NDJSON or Parquet. The order is that in which VMs and disks were read, on any number of threads.

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use super::columns::{chosen, same};
use super::document::Row;
use super::flat::Layout;
use super::json::one_line;
use super::pieces::{Encoder, Piece, Pieces};
use super::views::validate::rows;
use super::{ColumnError, Format, Selection, ndjson};
use crate::azure::validate::each::all_processors;
use crate::azure::validate::lines::{FleetLine, Line};
use crate::azure::validate::{DiskValidation, FleetValidation, Tally, Validator, VmValidation};
use crate::gate::Gate;

pub use super::pieces::StreamError;
pub use super::views::validate::rows::FleetTable;

/// How a fleet is written.
#[derive(Debug)]
pub struct Stream {
    content: Content,
    format: Format,
    header: bool,
    threads: NonZeroUsize,
}

/// What is written of each VM.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    /// A record.
    Records,
    /// The rows of a table, with these columns.
    Table(FleetTable, Vec<String>),
}

impl Stream {
    /// What is written where `format` and `selection` are asked for; `None` where the whole result is needed first:
    /// another format or table, or rows in another order.
    #[must_use]
    pub fn of(format: Format, selection: &Selection) -> Option<Self> {
        if !matches!(format, Format::Csv | Format::Ndjson | Format::Parquet)
            || !selection.sort.is_empty()
        {
            return None;
        }
        let content = match &selection.table {
            None if format == Format::Ndjson && selection.columns.is_empty() => Content::Records,
            None => Content::Table(FleetTable::Vms, selection.columns.clone()),
            Some(id) => {
                let mut tables = FleetTable::ALL.into_iter();
                let table = tables.find(|table| same(table.id(), id))?;
                Content::Table(table, selection.columns.clone())
            }
        };
        Some(Self {
            content,
            format,
            header: true,
            threads: all_processors(),
        })
    }

    /// With or without the names of the columns.
    #[must_use]
    pub fn header(self, header: bool) -> Self {
        Self { header, ..self }
    }

    /// On so many threads.
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// Its format.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Checks that the columns asked for are there.
    ///
    /// # Errors
    /// [`ColumnError`] that names those that are.
    pub fn check(&self, validator: &Validator<'_>) -> Result<(), ColumnError> {
        if let Content::Table(table, wanted) = &self.content {
            chosen(&rows::of_vms(*table, &validator.head(), &[]), wanted)?;
        }
        Ok(())
    }

    /// Judges a fleet and writes it to `out`; `gate` says which findings are suppressed, and counts. `told` hears how many VMs were written since. The result has no VMs and
    /// no disks: what was written is not kept.
    ///
    /// # Errors
    /// [`StreamError`] of the format or the output.
    pub fn write<W: Write + Send>(
        &self,
        validator: &Validator<'_>,
        gate: &mut Gate,
        out: W,
        mut told: impl FnMut(u64),
    ) -> Result<(FleetValidation, W), StreamError> {
        let mut head = validator.head();
        let writer = Writer::new(self, &head);
        let mut pieces = writer.begin(self, out, &head)?;
        let mut tally = Tally::default();
        let gate = Shared::new(gate);
        validator.each_vms(
            self.threads,
            |mut vms| {
                gate.vms(&mut vms);
                (vms.len(), Tally::of_vms(&vms), writer.vms(&head, vms))
            },
            |(count, counted, piece)| {
                tally.absorb(counted);
                pieces.add(piece?)?;
                told(count as u64);
                Ok::<(), StreamError>(())
            },
        )?;
        validator.each_disks(
            self.threads,
            |mut disks| {
                gate.disks(&mut disks);
                (Tally::of_disks(&disks), writer.disks(&head, disks))
            },
            |(counted, piece)| {
                tally.absorb(counted);
                pieces.add(piece?)
            },
        )?;
        head.problems = validator.other_problems();
        head.summary = tally.finish();
        pieces.add(writer.end(&head)?)?;
        let out = pieces.finish(&facts(&head)?)?;
        Ok((head, out))
    }

    /// Judges a fleet and keeps nothing but the summary and what could not be read.
    #[must_use]
    pub fn summary(
        validator: &Validator<'_>,
        gate: &mut Gate,
        mut told: impl FnMut(u64),
    ) -> FleetValidation {
        let mut tally = Tally::default();
        let gate = Shared::new(gate);
        let threads = all_processors();
        let Ok(()) = validator.each_vms(
            threads,
            |mut vms| {
                gate.vms(&mut vms);
                (vms.len(), Tally::of_vms(&vms))
            },
            |(count, counted)| {
                tally.absorb(counted);
                told(count as u64);
                Ok::<(), std::convert::Infallible>(())
            },
        );
        let Ok(()) = validator.each_disks(
            threads,
            |mut disks| {
                gate.disks(&mut disks);
                Tally::of_disks(&disks)
            },
            |counted| {
                tally.absorb(counted);
                Ok::<(), std::convert::Infallible>(())
            },
        );
        FleetValidation {
            summary: tally.finish(),
            problems: validator.other_problems(),
            ..validator.head()
        }
    }
}

/// A gate that several threads pass: what it counts does not depend on their order.
struct Shared<'g>(Mutex<&'g mut Gate>);

impl<'g> Shared<'g> {
    const fn new(gate: &'g mut Gate) -> Self {
        Self(Mutex::new(gate))
    }

    fn vms(&self, vms: &mut [VmValidation]) {
        let mut gate = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        vms.iter_mut().for_each(|vm| vm.judge(&mut gate));
    }

    fn disks(&self, disks: &mut [DiskValidation]) {
        let mut gate = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        disks.iter_mut().for_each(|disk| disk.judge(&mut gate));
    }
}

/// What a table of columns keeps beside its rows.
fn facts(head: &FleetValidation) -> Result<Vec<(&'static str, String)>, super::ReportError> {
    let json = |text: serde_json::Result<String>| {
        text.map_err(super::ReportError::library(Format::Parquet))
    };
    Ok(vec![
        ("diskcap.data", json(one_line(&head.data))?),
        ("diskcap.prices", json(one_line(&head.prices))?),
        ("diskcap.summary", json(one_line(&head.summary))?),
    ])
}

/// Makes VMs, disks and problems ready to be written.
enum Writer {
    Records,
    Table(FleetTable, Encoder),
}

impl Writer {
    fn new(stream: &Stream, head: &FleetValidation) -> Self {
        let Content::Table(table, wanted) = &stream.content else {
            return Self::Records;
        };
        let columns = rows::of_vms(*table, head, &[]);
        // Columns that are not there were complained about before.
        let chosen = chosen(&columns, wanted).unwrap_or_default();
        let mut currencies: Vec<String> = head
            .prices
            .iter()
            .map(|book| book.currency.to_string())
            .collect();
        currencies.sort_unstable();
        currencies.dedup();
        let layout = Layout::declared(&columns.columns, &chosen, rows::kind, &currencies);
        Self::Table(
            *table,
            Encoder {
                format: stream.format,
                layout,
            },
        )
    }

    fn begin<W: Write + Send>(
        &self,
        stream: &Stream,
        mut out: W,
        head: &FleetValidation,
    ) -> Result<Pieces<W>, StreamError> {
        match self {
            Self::Records => {
                out.write_all(&lines([Line::Fleet(FleetLine::from(head))])?)?;
                Ok(Pieces::Through(out))
            }
            Self::Table(table, encoder) => Pieces::begin(out, table.id(), encoder, stream.header),
        }
    }

    fn vms(&self, head: &FleetValidation, vms: Vec<VmValidation>) -> Result<Piece, StreamError> {
        match self {
            Self::Records => records(vms.into_iter().map(|vm| Line::Vm(Box::new(vm.into())))),
            Self::Table(table, encoder) => encoded(encoder, &rows::of_vms(*table, head, &vms).rows),
        }
    }

    fn disks(
        &self,
        head: &FleetValidation,
        disks: Vec<DiskValidation>,
    ) -> Result<Piece, StreamError> {
        match self {
            Self::Records => records(disks.into_iter().map(|disk| Line::Disk(Box::new(disk)))),
            Self::Table(table, encoder) => {
                encoded(encoder, &rows::of_disks(*table, head, &disks).rows)
            }
        }
    }

    /// What could not be read, and the summary.
    fn end(&self, head: &FleetValidation) -> Result<Piece, StreamError> {
        match self {
            Self::Records => {
                let problems = head.problems.iter().cloned().map(Line::Problem);
                records(problems.chain([Line::Summary(head.summary.clone())]))
            }
            Self::Table(table, encoder) => encoded(encoder, &rows::of_problems(*table, head).rows),
        }
    }
}

fn encoded(encoder: &Encoder, rows: &[Row]) -> Result<Piece, StreamError> {
    Ok(encoder.encode(rows)?)
}

fn records(all: impl IntoIterator<Item = Line>) -> Result<Piece, StreamError> {
    Ok(Piece::Bytes(lines(all)?))
}

fn lines(all: impl IntoIterator<Item = Line>) -> Result<Vec<u8>, StreamError> {
    let mut bytes = Vec::new();
    for line in all {
        ndjson::line(&mut bytes, &line)?;
    }
    Ok(bytes)
}
