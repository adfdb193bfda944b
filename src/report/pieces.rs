//! A table that is written as its rows come, in pieces: CSV, NDJSON or Parquet.

use std::io::{self, Write};

use super::document::Row;
use super::flat::Layout;
use super::{Format, ReportError, csv, ndjson};

/// Why a stream could not be written.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The format refused.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The output refused.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl StreamError {
    /// Whether nobody reads the output any more, which is no error of ours.
    #[must_use]
    pub fn is_reader_gone(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Some rows, made ready to be written.
pub(super) enum Piece {
    /// Text.
    Bytes(Vec<u8>),
    /// Columns.
    #[cfg(feature = "parquet")]
    Columns(super::parquet::Columns),
}

/// Makes rows ready, on any thread.
#[derive(Debug)]
pub(super) struct Encoder {
    pub(super) format: Format,
    pub(super) layout: Layout,
}

impl Encoder {
    pub(super) fn encode(&self, rows: &[Row]) -> Result<Piece, ReportError> {
        match self.format {
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let columns = super::parquet::Columns::of(&self.layout, rows);
                Ok(Piece::Columns(columns))
            }
            Format::Csv => csv::write(&self.layout, rows, false).map(Piece::Bytes),
            _ => ndjson::write(&self.layout, rows).map(Piece::Bytes),
        }
    }
}

/// Where pieces go, in order.
pub(super) enum Pieces<W: Write + Send> {
    /// As they are.
    Through(W),
    /// Into row groups.
    #[cfg(feature = "parquet")]
    Parquet(Box<super::parquet::Writer<W>>),
}

impl<W: Write + Send> Pieces<W> {
    /// Begins a table.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(unused_variables, reason = "only Parquet names its table")
    )]
    pub(super) fn begin(
        mut out: W,
        table: &str,
        encoder: &Encoder,
        header: bool,
    ) -> Result<Self, StreamError> {
        match encoder.format {
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let writer = super::parquet::Writer::new(out, table, &encoder.layout)?;
                Ok(Self::Parquet(Box::new(writer)))
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                let (format, feature) = (Format::Parquet, "parquet");
                Err(ReportError::NotBuilt { format, feature }.into())
            }
            Format::Csv => {
                out.write_all(&csv::write(&encoder.layout, &[], header)?)?;
                Ok(Self::Through(out))
            }
            _ => Ok(Self::Through(out)),
        }
    }

    pub(super) fn add(&mut self, piece: Piece) -> Result<(), StreamError> {
        match (self, piece) {
            (Self::Through(out), Piece::Bytes(bytes)) => out.write_all(&bytes)?,
            #[cfg(feature = "parquet")]
            (Self::Parquet(writer), Piece::Columns(columns)) => writer.add(columns)?,
            // An encoder and its output have one format.
            #[cfg(feature = "parquet")]
            _ => {}
        }
        Ok(())
    }

    /// Ends the output. `facts` are kept in it, where the format has room for them.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(unused_variables, reason = "only Parquet has room for them")
    )]
    pub(super) fn finish(self, facts: &[(&str, String)]) -> Result<W, StreamError> {
        match self {
            Self::Through(mut out) => {
                out.flush()?;
                Ok(out)
            }
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => Ok(writer.finish(facts)?),
        }
    }
}
