//! One quantity over time, kept compactly: a plain vector of numbers in which "not said" takes no extra room.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A quantity that a column can hold: made from a plain number in its unit, and turned back into one.
pub trait Quantity: Copy + Into<f64> + TryFrom<f64> {}

impl<Q: Copy + Into<f64> + TryFrom<f64>> Quantity for Q {}

/// The values of one quantity, sample by sample. A sample without a value reads as `None`, never as 0.
///
/// A column that nothing was ever said about stays empty and takes no memory; as JSON it is an array that ends with the
/// last value that is said.
#[derive(Debug, Clone, PartialEq)]
pub struct Column<Q> {
    /// Plain numbers in the unit of `Q`; NaN means "not said". May be shorter than the series.
    values: Vec<f64>,
    unit: PhantomData<Q>,
}

impl<Q> Default for Column<Q> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            unit: PhantomData,
        }
    }
}

impl<Q: Quantity> Column<Q> {
    /// The value at sample `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Q> {
        Q::try_from(self.number(index)?).ok()
    }

    /// The value at sample `index` as a plain number in the unit of `Q`.
    #[must_use]
    pub fn number(&self, index: usize) -> Option<f64> {
        self.values.get(index).copied().filter(|v| !v.is_nan())
    }

    /// Whether nothing was said at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.iter().all(|v| v.is_nan())
    }

    /// The numbers of the first `len` samples, NaN where nothing was said.
    #[must_use]
    pub fn numbers(&self, len: usize) -> Vec<f64> {
        (0..len)
            .map(|i| self.values.get(i).copied().unwrap_or(f64::NAN))
            .collect()
    }

    /// Sets sample `index`, leaving those skipped before it unsaid. What is not a value of `Q` stays unsaid.
    pub(super) fn set(&mut self, index: usize, value: Option<f64>) {
        let Some(value) = value.filter(|v| Q::try_from(*v).is_ok() && v.is_finite()) else {
            return;
        };
        // The usual case: sample after sample.
        if self.values.len() == index {
            self.values.push(value);
            return;
        }
        if self.values.len() < index {
            self.values.resize(index + 1, f64::NAN);
        }
        if let Some(slot) = self.values.get_mut(index) {
            *slot = value;
        }
    }
}

impl<Q: Quantity> Serialize for Column<Q> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.values.iter().map(|v| (!v.is_nan()).then_some(*v)))
    }
}

impl<'de, Q: Quantity> Deserialize<'de> for Column<Q> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut column = Self::default();
        for (i, value) in Vec::<Option<f64>>::deserialize(deserializer)?
            .into_iter()
            .enumerate()
        {
            column.set(i, value);
        }
        Ok(column)
    }
}

impl<Q> JsonSchema for Column<Q> {
    fn schema_name() -> Cow<'static, str> {
        "Column".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<Option<f64>>::json_schema(generator)
    }

    fn inline_schema() -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Iops;

    #[test]
    fn what_was_not_said_reads_as_none() {
        let mut column = Column::<Iops>::default();
        assert!(column.is_empty());
        column.set(2, Some(5.0));
        column.set(3, Some(-1.0));
        column.set(4, Some(f64::INFINITY));
        assert_eq!(column.get(0), None);
        assert_eq!(column.get(2), Some(Iops::whole(5)));
        assert_eq!(column.get(3), None);
        assert_eq!(column.get(99), None);
        let json = serde_json::to_string(&column).unwrap();
        assert_eq!(json, "[null,null,5.0]");
        assert_eq!(
            serde_json::from_str::<Column<Iops>>(&json)
                .unwrap()
                .number(2),
            Some(5.0)
        );
    }
}
