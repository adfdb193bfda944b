//! Lists as tools really write them: also one value where a list belongs, and lists wrapped in an object.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::loose::{FoldedKey, Loose, Node, Scalar, Shape, excerpt};

/// A list of objects. One object alone is a list of one (shells unwrap such lists), and
/// `{"value": [...], "Count": n}` is the list inside (Windows PowerShell wraps some).
#[derive(Debug, Clone, PartialEq)]
pub struct List<T> {
    /// The objects.
    pub items: Vec<T>,
    /// What stands there in place of a list or of one of its objects.
    pub odd: Option<String>,
    present: bool,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            odd: None,
            present: false,
        }
    }
}

impl<T> Loose for List<T> {
    fn is_absent(&self) -> bool {
        !self.present
    }
}

impl<T> List<T> {
    fn present(items: Vec<T>) -> Self {
        Self {
            items,
            odd: None,
            present: true,
        }
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Shape> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }
    fn visit_unit<E>(self) -> Result<List<T>, E> {
        Ok(List::default())
    }
    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<List<T>, E> {
        self.visit_str(&value.to_string())
    }
    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<List<T>, E> {
        self.visit_str(&value.to_string())
    }
    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<List<T>, E> {
        self.visit_str(&value.to_string())
    }
    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<List<T>, E> {
        self.visit_str(&value.to_string())
    }
    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<List<T>, E> {
        let text = value.trim();
        if text.is_empty() {
            return Ok(List::default());
        }
        if text.starts_with(['[', '{'])
            && let Ok(list) = serde_json::from_str(text)
        {
            return Ok(list);
        }
        Ok(List {
            odd: Some(excerpt(text)),
            ..List::present(Vec::new())
        })
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
        let mut list = List::present(Vec::new());
        while let Some(node) = seq.next_element::<Node<T>>()? {
            match node {
                Node::Known(item) => list.items.push(*item),
                Node::Odd(text) => list.odd = Some(text),
                Node::Absent => {}
            }
        }
        Ok(list)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<List<T>, A::Error> {
        let mut single = T::default();
        let mut wrapped: Option<List<T>> = None;
        let mut key = String::new();
        while map.next_key_seed(FoldedKey(&mut key))?.is_some() {
            if single.take(&key, &mut map)? {
                continue;
            }
            if key == "value" {
                wrapped = Some(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(wrapped.unwrap_or_else(|| List::present(vec![single])))
    }
}

impl<'de, T: Shape> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListVisitor(PhantomData))
    }
}

/// A list of leaves (zones, locations). One leaf alone is a list of one; `"1, 2, 3"` and `"{1, 2, 3}"` are lists
/// of three.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Leaves {
    /// The texts, trimmed, without empty ones.
    pub items: Vec<String>,
    present: bool,
}

impl Loose for Leaves {
    fn is_absent(&self) -> bool {
        !self.present
    }
}

struct LeavesVisitor;

impl<'de> Visitor<'de> for LeavesVisitor {
    type Value = Leaves;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of texts")
    }
    fn visit_unit<E>(self) -> Result<Leaves, E> {
        Ok(Leaves::default())
    }
    fn visit_bool<E>(self, _: bool) -> Result<Leaves, E> {
        Ok(Leaves::default())
    }
    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Leaves, E> {
        self.visit_str(&value.to_string())
    }
    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Leaves, E> {
        self.visit_str(&value.to_string())
    }
    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Leaves, E> {
        self.visit_str(&value.to_string())
    }
    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Leaves, E> {
        let items: Vec<String> = value
            .split(',')
            .map(|part| part.trim_matches(|c: char| c.is_whitespace() || "[]{}\"".contains(c)))
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect();
        Ok(Leaves {
            present: !items.is_empty(),
            items,
        })
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Leaves, A::Error> {
        let mut items = Vec::new();
        while let Some(leaf) = seq.next_element::<Scalar>()? {
            items.extend(leaf.text());
        }
        Ok(Leaves {
            items,
            present: true,
        })
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Leaves, A::Error> {
        let mut found = Leaves::default();
        let mut key = String::new();
        while map.next_key_seed(FoldedKey(&mut key))?.is_some() {
            if key == "value" {
                found = map.next_value()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

impl<'de> Deserialize<'de> for Leaves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LeavesVisitor)
    }
}
