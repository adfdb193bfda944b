//! Points of a metric, kept compactly.

use std::fmt;

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The aggregations of a point, by the names of the API and of Metricbeat.
const NAMES: [(&str, &str); 5] = [
    ("average", "avg"),
    ("total", "total"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("count", "count"),
];

/// The values of one point by aggregation: average, total, maximum, minimum, count. NaN: not said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point([f64; NAMES.len()]);

impl Default for Point {
    fn default() -> Self {
        Self([f64::NAN; NAMES.len()])
    }
}

impl Point {
    fn at(&self, place: usize) -> Option<f64> {
        self.0.get(place).copied().filter(|v| v.is_finite())
    }

    /// The mean of the values behind it.
    pub fn average(&self) -> Option<f64> {
        self.at(0)
    }

    /// Their sum.
    pub fn total(&self) -> Option<f64> {
        self.at(1)
    }

    /// The largest.
    pub fn maximum(&self) -> Option<f64> {
        self.at(2)
    }

    /// The smallest.
    pub fn minimum(&self) -> Option<f64> {
        self.at(3)
    }

    /// How many there are.
    pub fn count(&self) -> Option<f64> {
        self.at(4)
    }

    /// Sets the value of an aggregation; whether `name` is one.
    fn set(&mut self, name: &str, value: Option<f64>) -> bool {
        let place = NAMES
            .iter()
            .position(|(api, beat)| name.eq_ignore_ascii_case(api) || name == *beat);
        let slot = place.and_then(|i| self.0.get_mut(i));
        match (slot, value) {
            (Some(slot), Some(value)) => {
                *slot = value;
                true
            }
            (slot, _) => slot.is_some(),
        }
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stamped { point, .. } = Stamped::deserialize(deserializer)?;
        Ok(point)
    }
}

/// A number, or something else.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Number(f64),
    Text(String),
    Other(IgnoredAny),
}

/// A point with its time.
struct Stamped {
    at_ms: Option<i64>,
    point: Point,
}

impl<'de> Deserialize<'de> for Stamped {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(StampedVisitor)
    }
}

struct StampedVisitor;

impl<'de> Visitor<'de> for StampedVisitor {
    type Value = Stamped;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a point of a metric")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Stamped, A::Error> {
        let mut stamped = Stamped {
            at_ms: None,
            point: Point::default(),
        };
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            match value {
                Value::Number(value) => {
                    stamped.point.set(&key, Some(value));
                }
                Value::Text(text) if key.eq_ignore_ascii_case("timestamp") => {
                    stamped.at_ms = moment_ms(&text);
                }
                Value::Text(_) | Value::Other(_) => {}
            }
        }
        Ok(stamped)
    }
}

/// Times beyond these are no times, milliseconds since 1970 (the year 9999).
const LATEST_MS: i64 = 253_402_300_800_000;

/// A point in time; Windows PowerShell writes `/Date(1718000000000)/`.
fn moment_ms(text: &str) -> Option<i64> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment.as_millisecond());
    }
    text.strip_prefix("/Date(")?
        .strip_suffix(")/")?
        .parse()
        .ok()
}

/// The points of one series, in their order.
#[derive(Debug, Default)]
pub(super) struct Points(Vec<(i64, Point)>);

impl Points {
    /// Each with its time, milliseconds since 1970.
    pub fn iter(&self) -> impl Iterator<Item = (i64, Point)> {
        self.0.iter().copied()
    }

    /// The time between the first two, milliseconds.
    pub fn spacing_ms(&self) -> Option<u32> {
        let [(first, _), (second, _), ..] = self.0.as_slice() else {
            return None;
        };
        let spacing = second.checked_sub(*first)?;
        u32::try_from(spacing).ok().filter(|ms| *ms > 0)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PointsVisitor)
    }
}

struct PointsVisitor;

impl<'de> Visitor<'de> for PointsVisitor {
    type Value = Points;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the points of a metric")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Points, A::Error> {
        let mut points = Vec::new();
        while let Some(stamped) = seq.next_element::<Stamped>()? {
            if let Some(at_ms) = stamped.at_ms.filter(|at| (0..LATEST_MS).contains(at)) {
                points.push((at_ms, stamped.point));
            }
        }
        Ok(Points(points))
    }

    fn visit_unit<E>(self) -> Result<Points, E> {
        Ok(Points::default())
    }
}
