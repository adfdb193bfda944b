//! Parquet: one table in columns, for data lakes and the tools that read them (DuckDB, Spark, pandas, Power BI).
//!
//! It holds the table that a CSV would hold, with the same names. Every column is optional: unknown is null, never 0.
//! Numbers are `DOUBLE` (counts of fleets `INT64`), words `STRING`, yes or no `BOOLEAN`; compressed with Snappy.

use super::document::Document;
use super::flat::left_out;
use super::{Format, Render, RenderOptions, ReportError};

#[cfg(feature = "parquet")]
pub(super) use write::{Columns, Writer};

/// One table in columns.
#[derive(Debug, Clone, Copy)]
pub struct Parquet;

impl Render for Parquet {
    #[cfg(feature = "parquet")]
    fn draw(&self, document: &Document, _options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        use super::flat::{Layout, primary};
        let table = primary(document).ok_or(ReportError::Nothing {
            format: Format::Parquet,
            wants: "table",
        })?;
        let layout = Layout::of(&table);
        let mut writer = Writer::new(Vec::new(), &table.id, &layout)?;
        writer.add(Columns::of(&layout, &table.rows))?;
        writer.finish(&[])
    }

    #[cfg(not(feature = "parquet"))]
    fn draw(&self, _document: &Document, _options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::NotBuilt {
            format: Format::Parquet,
            feature: "parquet",
        })
    }

    fn left_out(&self, document: &Document) -> Vec<String> {
        left_out(document)
    }
}

#[cfg(feature = "parquet")]
mod write {
    use std::io::Write;
    use std::sync::Arc;

    use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
    use parquet::column::writer::ColumnWriter;
    use parquet::data_type::ByteArray;
    use parquet::errors::ParquetError;
    use parquet::file::metadata::KeyValue;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::types::{Type, TypePtr};

    use super::{Format, ReportError};
    use crate::report::Row;
    use crate::report::flat::{Field, Kind, Layout, Plain};
    use crate::report::value::machine;

    /// How many rows make a group: enough for compression to pay, few enough to be held in memory.
    const GROUP: usize = 16_384;

    /// What the library says becomes what this format says.
    fn failed(error: ParquetError) -> ReportError {
        ReportError::library(Format::Parquet)(error)
    }

    /// Rows, column by column.
    #[derive(Debug)]
    pub(in crate::report) struct Columns {
        columns: Vec<Values>,
        rows: usize,
    }

    /// The known values of a column, and for each row whether it has one.
    #[derive(Debug)]
    struct Values {
        known: Known,
        levels: Vec<i16>,
    }

    #[derive(Debug)]
    enum Known {
        Text(Vec<ByteArray>),
        Whole(Vec<i64>),
        Real(Vec<f64>),
        Flag(Vec<bool>),
    }

    impl Columns {
        fn empty(layout: &Layout) -> Self {
            let columns = layout.fields().iter().map(|field| Values {
                known: match field.kind {
                    Kind::Text => Known::Text(Vec::new()),
                    Kind::Whole => Known::Whole(Vec::new()),
                    Kind::Real | Kind::Money => Known::Real(Vec::new()),
                    Kind::Flag => Known::Flag(Vec::new()),
                },
                levels: Vec::new(),
            });
            Self {
                columns: columns.collect(),
                rows: 0,
            }
        }

        pub(in crate::report) fn of(layout: &Layout, rows: &[Row]) -> Self {
            let mut all = Self::empty(layout);
            all.rows = rows.len();
            for (field, column) in layout.fields().iter().zip(&mut all.columns) {
                for row in rows {
                    column.push(field.plain(row));
                }
            }
            all
        }

        fn append(&mut self, more: Self) {
            self.rows += more.rows;
            for (column, more) in self.columns.iter_mut().zip(more.columns) {
                column.levels.extend(more.levels);
                match (&mut column.known, more.known) {
                    (Known::Text(all), Known::Text(more)) => all.extend(more),
                    (Known::Whole(all), Known::Whole(more)) => all.extend(more),
                    (Known::Real(all), Known::Real(more)) => all.extend(more),
                    (Known::Flag(all), Known::Flag(more)) => all.extend(more),
                    // Pieces of one table have one layout.
                    _ => {}
                }
            }
        }
    }

    impl Values {
        /// Adds the value of the next row. Words hold everything; what a column of numbers cannot hold is unknown.
        fn push(&mut self, plain: Plain<'_>) {
            let is_known = match (&mut self.known, plain) {
                (_, Plain::Empty) => false,
                (Known::Text(all), plain) => {
                    all.push(ByteArray::from(text(plain).into_bytes()));
                    true
                }
                (Known::Whole(all), Plain::Number(number)) => {
                    all.push(number as i64);
                    true
                }
                (Known::Real(all), Plain::Number(number)) => {
                    all.push(number);
                    true
                }
                (Known::Flag(all), Plain::Flag(flag)) => {
                    all.push(flag);
                    true
                }
                _ => false,
            };
            self.levels.push(i16::from(is_known));
        }

        fn write(&self, writer: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
            let levels = Some(self.levels.as_slice());
            match (writer, &self.known) {
                (ColumnWriter::ByteArrayColumnWriter(to), Known::Text(all)) => {
                    to.write_batch(all.as_slice(), levels, None)?;
                }
                (ColumnWriter::Int64ColumnWriter(to), Known::Whole(all)) => {
                    to.write_batch(all.as_slice(), levels, None)?;
                }
                (ColumnWriter::DoubleColumnWriter(to), Known::Real(all)) => {
                    to.write_batch(all.as_slice(), levels, None)?;
                }
                (ColumnWriter::BoolColumnWriter(to), Known::Flag(all)) => {
                    to.write_batch(all.as_slice(), levels, None)?;
                }
                _ => {
                    let why = "a column's values are not of its type";
                    return Err(ParquetError::General(why.to_owned()));
                }
            }
            Ok(())
        }
    }

    fn text(plain: Plain<'_>) -> String {
        match plain {
            Plain::Empty => String::new(),
            Plain::Text(text) => text.into_owned(),
            Plain::Number(number) => machine(number),
            Plain::Flag(flag) => flag.to_string(),
        }
    }

    /// A file that grows by row groups.
    pub(in crate::report) struct Writer<W: Write + Send> {
        file: SerializedFileWriter<W>,
        layout: Layout,
        pending: Columns,
    }

    impl<W: Write + Send> Writer<W> {
        pub(in crate::report) fn new(
            out: W,
            table: &str,
            layout: &Layout,
        ) -> Result<Self, ReportError> {
            let properties = WriterProperties::builder()
                .set_compression(Compression::SNAPPY)
                .set_created_by(format!("diskcap version {}", env!("CARGO_PKG_VERSION")))
                .build();
            let schema = schema(table, layout).map_err(failed)?;
            let file = SerializedFileWriter::new(out, schema, Arc::new(properties));
            Ok(Self {
                file: file.map_err(failed)?,
                pending: Columns::empty(layout),
                layout: layout.clone(),
            })
        }

        /// Adds rows; what makes a group is written.
        pub(in crate::report) fn add(&mut self, more: Columns) -> Result<(), ReportError> {
            self.pending.append(more);
            if self.pending.rows >= GROUP {
                self.flush().map_err(failed)?;
            }
            Ok(())
        }

        fn flush(&mut self) -> Result<(), ParquetError> {
            let columns = std::mem::replace(&mut self.pending, Columns::empty(&self.layout));
            if columns.rows == 0 {
                return Ok(());
            }
            let mut group = self.file.next_row_group()?;
            for values in &columns.columns {
                if let Some(mut column) = group.next_column()? {
                    values.write(column.untyped())?;
                    column.close()?;
                }
            }
            group.close()?;
            Ok(())
        }

        /// Ends the file. `facts` are kept in it by name.
        pub(in crate::report) fn finish(
            mut self,
            facts: &[(&str, String)],
        ) -> Result<W, ReportError> {
            self.flush().map_err(failed)?;
            for (name, value) in facts {
                let fact = KeyValue::new((*name).to_owned(), value.clone());
                self.file.append_key_value_metadata(fact);
            }
            self.file.into_inner().map_err(failed)
        }
    }

    fn schema(table: &str, layout: &Layout) -> Result<TypePtr, ParquetError> {
        let fields: Vec<TypePtr> = layout
            .fields()
            .iter()
            .map(|field| column(field).map(Arc::new))
            .collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder(table).with_fields(fields);
        Ok(Arc::new(schema.build()?))
    }

    fn column(field: &Field) -> Result<Type, ParquetError> {
        let (physical, logical) = match field.kind {
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Whole => (Physical::INT64, None),
            Kind::Real | Kind::Money => (Physical::DOUBLE, None),
            Kind::Flag => (Physical::BOOLEAN, None),
        };
        Type::primitive_type_builder(&field.head, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
    }
}
