//! JSON: pretty, keys in the order of the model, one newline at the end.

use serde::Serialize;

use super::{Document, Format, Render, RenderOptions, ReportError};

/// Writes any model as JSON that people can read and diffs can compare.
///
/// Keys keep the order in which the model declares them; a model with maps should use sorted ones.
///
/// # Errors
/// [`ReportError::Library`] when the model has something that JSON cannot say (a map with keys that are no text).
pub fn pretty<T: Serialize + ?Sized>(model: &T) -> Result<Vec<u8>, ReportError> {
    let mut bytes = serde_json::to_vec_pretty(model).map_err(ReportError::library(Format::Json))?;
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
