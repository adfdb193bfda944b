//! Finds the metrics in a JSON document, whatever they are wrapped in.
//!
//! The API, the CLI, PowerShell (with its capital letters), saved request logs and search engines each put something
//! of their own around the same objects, so these are looked for at any depth.

use std::collections::BTreeSet;

use jiff::{Span, SpanRelativeTo, Timestamp, Unit};
use serde_json::{Map, Value};

use super::collect::{Collector, Origin, Point};
use super::metric::meaning;

/// How deep is looked.
const DEEPEST: usize = 32;
/// The interval where nothing says it: that of the platform's metrics.
const ONE_MINUTE_MS: u32 = 60_000;

/// What is said above a metric.
#[derive(Debug, Clone, Copy, Default)]
struct Context<'d> {
    interval_ms: Option<u32>,
    host: Option<&'d str>,
}

/// Takes all metrics of a document.
pub(super) fn document(document: &Value, collector: &mut Collector) {
    let mut hosts = BTreeSet::new();
    resources(document, 0, &mut hosts);
    let only = (hosts.len() == 1).then(|| hosts.into_iter().next());
    let context = Context {
        host: only.flatten(),
        ..Context::default()
    };
    search(document, context, 0, collector);
}

/// The resources that a document names anywhere. Where there is one only, all of it is about that one.
fn resources<'d>(value: &'d Value, depth: usize, found: &mut BTreeSet<&'d str>) {
    let below: Vec<&Value> = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(object) => {
            found.extend(Context::default().within(object).host);
            object.values().collect()
        }
        _ => return,
    };
    for value in below.into_iter().filter(|_| depth < DEEPEST) {
        resources(value, depth + 1, found);
    }
}

fn search<'d>(value: &'d Value, context: Context<'d>, depth: usize, collector: &mut Collector) {
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::Array(items) => {
            for item in items {
                search(item, context, depth + 1, collector);
            }
        }
        Value::Object(object) => {
            let context = context.within(object);
            if event(object, collector) || metric(object, context, collector) {
                return;
            }
            for item in object.values() {
                search(item, context, depth + 1, collector);
            }
        }
        _ => {}
    }
}

impl<'d> Context<'d> {
    /// The context inside an object.
    fn within(self, object: &'d Map<String, Value>) -> Self {
        let interval = text(object, "interval").and_then(span_ms);
        let id = text(object, "resourceid").or_else(|| text(object, "id"));
        Self {
            interval_ms: interval.or(self.interval_ms),
            host: id.and_then(resource_name).or(self.host),
        }
    }
}

/// A field without regard to case: PowerShell writes capitals.
fn field<'d>(object: &'d Map<String, Value>, name: &str) -> Option<&'d Value> {
    object.get(name).or_else(|| {
        object
            .iter()
            .find_map(|(key, value)| key.eq_ignore_ascii_case(name).then_some(value))
    })
}

fn text<'d>(object: &'d Map<String, Value>, name: &str) -> Option<&'d str> {
    field(object, name)?.as_str()
}

fn number(object: &Map<String, Value>, name: &str) -> Option<f64> {
    field(object, name)?.as_f64()
}

fn list<'d>(object: &'d Map<String, Value>, name: &str) -> Option<&'d Vec<Value>> {
    field(object, name)?.as_array()
}

/// The VM or disk that a resource id is of, or is below.
fn resource_name(id: &str) -> Option<&str> {
    let mut parts = id.split('/');
    let kinds = ["virtualMachines", "disks", "virtualMachineScaleSets"];
    while let Some(part) = parts.next() {
        if kinds.iter().any(|kind| part.eq_ignore_ascii_case(kind)) {
            return parts.next().filter(|name| !name.is_empty());
        }
    }
    None
}

/// Milliseconds of an ISO 8601 duration (`PT1M`, `P1D`).
fn span_ms(text: &str) -> Option<u32> {
    let span: Span = text.parse().ok()?;
    let whole_days = SpanRelativeTo::days_are_24_hours();
    let ms = span.total((Unit::Millisecond, whole_days)).ok()?;
    (ms >= 1.0 && ms <= f64::from(u32::MAX)).then_some(ms as u32)
}

/// Takes a metric: an object with a `name` and `timeseries`; whether it is one.
fn metric(object: &Map<String, Value>, context: Context<'_>, collector: &mut Collector) -> bool {
    let (Some(series), Some(name)) = (list(object, "timeseries"), metric_name(object)) else {
        return false;
    };
    let Some(meaning) = meaning(name) else {
        return true;
    };
    for entry in series.iter().filter_map(Value::as_object) {
        let dimensions = list(entry, "metadatavalues").map_or(&[][..], Vec::as_slice);
        let resource = dimension(dimensions, "microsoft.resourceid").and_then(resource_name);
        let Some(data) = list(entry, "data") else {
            continue;
        };
        let origin = Origin {
            metric: name,
            meaning,
            host: resource.or(context.host),
            lun: dimension(dimensions, "lun").or_else(|| dimension(dimensions, "slotid")),
            interval_ms: context
                .interval_ms
                .or_else(|| spacing(data))
                .unwrap_or(ONE_MINUTE_MS),
        };
        for point in data.iter().filter_map(Value::as_object) {
            if let Some(at) = text(point, "timestamp").and_then(moment) {
                collector.add(&origin, at, &values(point));
            }
        }
    }
    true
}

/// A metric's name stands in `name.value`, or plainly in `name`.
fn metric_name(object: &Map<String, Value>) -> Option<&str> {
    match field(object, "name")? {
        Value::String(name) => Some(name),
        Value::Object(name) => text(name, "value"),
        _ => None,
    }
}

/// The value of a dimension.
fn dimension<'d>(dimensions: &'d [Value], name: &str) -> Option<&'d str> {
    dimensions
        .iter()
        .filter_map(Value::as_object)
        .find(|object| metric_name(object).is_some_and(|n| n.eq_ignore_ascii_case(name)))
        .and_then(|object| text(object, "value"))
}

fn values(point: &Map<String, Value>) -> Point {
    Point {
        average: number(point, "average"),
        total: number(point, "total"),
        maximum: number(point, "maximum"),
        minimum: number(point, "minimum"),
        count: number(point, "count"),
    }
}

/// A point in time; Windows PowerShell writes `/Date(1718000000000)/`.
fn moment(text: &str) -> Option<Timestamp> {
    if let Ok(moment) = text.parse() {
        return Some(moment);
    }
    let ms = text.strip_prefix("/Date(")?.strip_suffix(")/")?;
    Timestamp::from_millisecond(ms.parse().ok()?).ok()
}

/// The time between the first two points.
fn spacing(data: &[Value]) -> Option<u32> {
    let mut times = data
        .iter()
        .filter_map(Value::as_object)
        .filter_map(|point| text(point, "timestamp").and_then(moment))
        .map(Timestamp::as_millisecond);
    let (first, second) = (times.next()?, times.next()?);
    u32::try_from(second - first).ok().filter(|ms| *ms > 0)
}

/// Takes an event of Metricbeat: an object with `azure.compute_vm`; whether it is one.
fn event(object: &Map<String, Value>, collector: &mut Collector) -> bool {
    let Some(azure) = object.get("azure").and_then(Value::as_object) else {
        return false;
    };
    let metrics = ["compute_vm", "compute_vm_scaleset"]
        .into_iter()
        .find_map(|name| azure.get(name)?.as_object());
    let at = text(object, "@timestamp").and_then(moment);
    let (Some(metrics), Some(at)) = (metrics, at) else {
        return false;
    };
    let instance = object
        .get("cloud")
        .and_then(|cloud| cloud.get("instance"))
        .and_then(|instance| instance.get("name"));
    let lun = azure.get("dimensions").and_then(|d| d.get("lun"));
    for (name, values) in metrics {
        let (Some(meaning), Some(values)) = (meaning(name), values.as_object()) else {
            continue;
        };
        let origin = Origin {
            metric: name,
            meaning,
            host: instance.and_then(Value::as_str),
            lun: lun.and_then(Value::as_str),
            interval_ms: text(azure, "timegrain")
                .and_then(span_ms)
                .unwrap_or(ONE_MINUTE_MS),
        };
        let point = Point {
            average: number(values, "avg"),
            total: number(values, "total"),
            maximum: number(values, "max"),
            minimum: number(values, "min"),
            count: number(values, "count"),
        };
        collector.add(&origin, at, &point);
    }
    true
}
