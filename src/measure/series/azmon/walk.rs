//! Finds the metrics in a JSON document, whatever they are wrapped in, without keeping the document.
//!
//! The API, the CLI (which sorts the keys), PowerShell (with its capital letters), saved request logs and search
//! engines each put something of their own around the same objects, so these are looked for at any depth. What an
//! object says of its interval and resource may come before or behind its metrics: it is filled in at its end.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::{Span, SpanRelativeTo, Timestamp, Unit};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::head::{Head, Sink};
use super::metric::meaning;
use super::point::{Point, Points};
use super::resource::Named;

/// More resources than this in one document are not told apart from two.
const TOLD_APART: usize = 2;

/// What is remembered of a document while it is read.
pub(super) struct Document<'c> {
    sink: &'c mut dyn Sink,
    resources: BTreeSet<Named>,
}

impl<'c> Document<'c> {
    /// A document whose metrics go to `sink`.
    pub fn new(sink: &'c mut dyn Sink) -> Self {
        Self {
            sink,
            resources: BTreeSet::new(),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<(), D::Error> {
        let from = self.sink.heads();
        Search(&mut self).deserialize(deserializer)?;
        // Where one resource only is named anywhere, all of the document is about it.
        if self.resources.len() == 1 {
            let only = self.resources.pop_first();
            self.sink.fill(from, only.as_ref(), None);
        }
        Ok(())
    }
}

/// Looks at any value; gives the text that it is, or that its member `value` is.
struct Search<'d, 'c>(&'d mut Document<'c>);

impl<'de> DeserializeSeed<'de> for Search<'_, '_> {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Search<'_, '_> {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON of Azure Monitor or Metricbeat")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element_seed(Search(self.0))?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let from = self.0.sink.heads();
        let mut object = Object::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.to_ascii_lowercase().as_str() {
                "timeseries" => object.series = map.next_value::<Option<Vec<Entry>>>()?,
                "azure" => object.azure = map.next_value::<Maybe<Beat>>()?.is(),
                "cloud" => {
                    let cloud = map.next_value::<Maybe<Cloud>>()?.is();
                    object.instance = cloud.and_then(|cloud| cloud.instance.name);
                }
                key => {
                    let text = map.next_value_seed(Search(self.0))?;
                    object.take(key, text);
                }
            }
        }
        Ok(object.finish(from, self.0))
    }
}

/// What is said in an object beside what is below it.
#[derive(Default)]
struct Object {
    name: Option<String>,
    value: Option<String>,
    interval_ms: Option<u32>,
    resource: Option<Named>,
    timestamp: Option<Timestamp>,
    series: Option<Vec<Entry>>,
    azure: Option<Beat>,
    instance: Option<String>,
}

impl Object {
    fn take(&mut self, key: &str, text: Option<String>) {
        let Some(text) = text else { return };
        match key {
            "name" => self.name = Some(text),
            "value" => self.value = Some(text),
            "interval" => self.interval_ms = span_ms(&text),
            "id" | "resourceid" => {
                self.resource = Named::of(&text).or(self.resource.take());
            }
            "@timestamp" => self.timestamp = text.parse().ok(),
            _ => {}
        }
    }

    /// Hands on what the object says, and fills in what it says of the metrics below it, from number `from` on.
    fn finish(mut self, from: usize, document: &mut Document<'_>) -> Option<String> {
        if let (Some(name), Some(series)) = (&self.name, self.series.take()) {
            metric(name, series, document);
        }
        if let (Some(beat), Some(at)) = (self.azure.take(), self.timestamp)
            && at.as_millisecond() >= 0
        {
            event(beat, at, self.instance.take(), document);
        }
        let resource = self.resource.as_ref();
        document.sink.fill(from, resource, self.interval_ms);
        if let Some(resource) = self.resource
            && document.resources.len() < TOLD_APART
        {
            document.resources.insert(resource);
        }
        self.value
    }
}

/// One series of a metric.
#[derive(Deserialize)]
struct Entry {
    #[serde(default, alias = "Metadatavalues", alias = "metadataValues")]
    metadatavalues: Option<Vec<Dimension>>,
    #[serde(default, alias = "Data")]
    data: Points,
}

impl Entry {
    /// The value of a dimension.
    fn dimension(&self, name: &str) -> Option<&str> {
        let dimensions = self.metadatavalues.as_deref().unwrap_or_default();
        let named = |d: &&Dimension| d.name.text().is_some_and(|n| n.eq_ignore_ascii_case(name));
        dimensions.iter().find(named)?.value.text()
    }
}

#[derive(Deserialize)]
struct Dimension {
    #[serde(alias = "Name", default)]
    name: Text,
    #[serde(alias = "Value", default)]
    value: Text,
}

/// A text, or an object with a text `value`.
#[derive(Deserialize, Default)]
#[serde(untagged)]
enum Text {
    Plain(String),
    Wrapped {
        #[serde(alias = "Value")]
        value: String,
    },
    Other(IgnoredAny),
    #[default]
    Missing,
}

impl Text {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Plain(text) | Self::Wrapped { value: text } => Some(text),
            Self::Other(_) | Self::Missing => None,
        }
    }
}

/// Hands on a metric.
fn metric(name: &str, series: Vec<Entry>, document: &mut Document<'_>) {
    let Some(meaning) = meaning(name) else {
        return;
    };
    for entry in series {
        let resource = entry.dimension("microsoft.resourceid").and_then(Named::of);
        let lun = entry.dimension("lun").or_else(|| entry.dimension("slotid"));
        let head = Head {
            metric: name.to_owned(),
            meaning,
            resource,
            lun: lun.map(str::to_owned),
            interval_ms: None,
            usual_ms: entry.data.spacing_ms(),
        };
        document.sink.add(head, &mut entry.data.iter());
    }
}

/// Something of this shape, or of any other under the same name.
#[derive(Deserialize)]
#[serde(untagged)]
enum Maybe<T> {
    Is(T),
    Not(IgnoredAny),
}

impl<T> Maybe<T> {
    fn is(self) -> Option<T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Not(_) => None,
        }
    }
}

/// What Metricbeat stores of Azure.
#[derive(Deserialize)]
struct Beat {
    #[serde(alias = "compute_vm_scaleset", default)]
    compute_vm: Option<BTreeMap<String, Maybe<Point>>>,
    #[serde(default)]
    timegrain: Option<String>,
    #[serde(default)]
    dimensions: Option<Lun>,
}

#[derive(Deserialize)]
struct Lun {
    #[serde(default)]
    lun: Option<String>,
}

#[derive(Deserialize, Default)]
struct Cloud {
    #[serde(default)]
    instance: Instance,
}

#[derive(Deserialize, Default)]
struct Instance {
    #[serde(default)]
    name: Option<String>,
}

/// Hands on an event of Metricbeat.
fn event(beat: Beat, at: Timestamp, host: Option<String>, document: &mut Document<'_>) {
    let lun = beat.dimensions.and_then(|dimensions| dimensions.lun);
    for (name, point) in beat.compute_vm.unwrap_or_default() {
        let (Some(meaning), Some(point)) = (meaning(&name), point.is()) else {
            continue;
        };
        let head = Head {
            metric: name,
            meaning,
            resource: host.clone().map(Named::plain),
            lun: lun.clone(),
            interval_ms: beat.timegrain.as_deref().and_then(span_ms),
            usual_ms: None,
        };
        let mut point = std::iter::once((at.as_millisecond(), point));
        document.sink.add(head, &mut point);
    }
}

/// Milliseconds of an ISO 8601 duration (`PT1M`, `P1D`).
fn span_ms(text: &str) -> Option<u32> {
    let span: Span = text.parse().ok()?;
    let whole_days = SpanRelativeTo::days_are_24_hours();
    let ms = span.total((Unit::Millisecond, whole_days)).ok()?;
    (ms >= 1.0 && ms <= f64::from(u32::MAX)).then_some(ms as u32)
}
