//! What the tests of comparisons share.

use serde_json::Value;

use crate::cli::stdout;

/// A comparison as JSON.
#[track_caller]
pub fn json(words: &str) -> Value {
    serde_json::from_str(&stdout(&format!("{words} --format json"))).unwrap()
}

/// The row of `list` whose `key` is `name`.
#[track_caller]
pub fn row<'a>(list: &'a Value, key: &str, name: &str) -> &'a Value {
    let rows = list.as_array().unwrap();
    let found = rows.iter().find(|row| row.pointer(key).unwrap() == name);
    found.unwrap_or_else(|| panic!("no {name} in {list}"))
}

/// The number at `pointer`.
#[track_caller]
pub fn number(value: &Value, pointer: &str) -> f64 {
    let found = value.pointer(pointer).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("no number at {pointer} of {value}"))
}

#[track_caller]
pub fn close(value: f64, wanted: f64) {
    assert!(
        (value - wanted).abs() < 1e-6 * wanted.abs().max(1.0),
        "{value} is not {wanted}"
    );
}

pub const TIERS_ON_D8S_V5: &str = "compare disks P* v2:size=512GiB --vm Standard_D8s_v5";
