//! JSON: pretty, keys in the order of the model, one newline at the end.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

use super::{Document, Format, Render, RenderOptions, ReportError};
use crate::units::without_noise;

/// Numbers as every JSON that is written has them: without the noise of binary arithmetic (399.99999999999994 is 400).
struct Plain;

impl Formatter for Plain {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        CompactFormatter.write_f64(writer, without_noise(value))
    }
}

/// The same with indents.
struct Indented<'a>(PrettyFormatter<'a>);

impl Formatter for Indented<'_> {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        Plain.write_f64(writer, value)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

/// Adds any model to `bytes` as JSON on one line.
///
/// # Errors
/// Where the model has something that JSON cannot say.
pub(super) fn compact<T: Serialize + ?Sized>(
    bytes: &mut Vec<u8>,
    model: &T,
) -> Result<(), serde_json::Error> {
    model.serialize(&mut Serializer::with_formatter(bytes, Plain))
}

/// The same as a text.
///
/// # Errors
/// As [`compact`].
pub(super) fn one_line<T: Serialize + ?Sized>(model: &T) -> Result<String, serde_json::Error> {
    let mut bytes = Vec::new();
    compact(&mut bytes, model)?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

/// Writes any model as JSON that people can read and diffs can compare.
///
/// Keys keep the order in which the model declares them; a model with maps should use sorted ones.
///
/// # Errors
/// [`ReportError::Library`] when the model has something that JSON cannot say (a map with keys that are no text).
pub fn pretty<T: Serialize + ?Sized>(model: &T) -> Result<Vec<u8>, ReportError> {
    let mut bytes = Vec::new();
    let indented = Indented(PrettyFormatter::new());
    model
        .serialize(&mut Serializer::with_formatter(&mut bytes, indented))
        .map_err(ReportError::library(Format::Json))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The document itself as JSON, for results that have no public JSON of their own.
#[derive(Debug, Clone, Copy)]
pub struct Json;

impl Render for Json {
    fn draw(&self, document: &Document, _options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        pretty(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.1 + 0.2 is 0.30000000000000004 in binary; 1 / 3 keeps 15 digits; whole numbers stay as they are.
    #[test]
    fn numbers_are_written_without_noise() {
        let model = [0.1 + 0.2, 1.0 / 3.0, 5000.0];
        assert_eq!(one_line(&model).unwrap(), "[0.3,0.333333333333333,5000.0]");
        let text = String::from_utf8(pretty(&[model]).unwrap()).unwrap();
        assert_eq!(
            text,
            "[\n  [\n    0.3,\n    0.333333333333333,\n    5000.0\n  ]\n]\n"
        );
        let object = serde_json::json!({ "a": { "b": [] }, "c": 0.1 + 0.2 });
        assert_eq!(
            String::from_utf8(pretty(&object).unwrap()).unwrap(),
            "{\n  \"a\": {\n    \"b\": []\n  },\n  \"c\": 0.3\n}\n"
        );
    }
}
