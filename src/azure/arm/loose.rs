//! Values as tools really write them: numbers in quotes, single values where a list belongs, texts where an object
//! was cut off, and null anywhere.
//!
//! Nothing in here fails on a value of the wrong kind: it is kept as what it is, and whoever needs the number asks
//! for the number and learns that it is none.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

/// Room for the longest names of fields.
const KEY: usize = 32;

/// How many characters of an odd value are kept for a message.
const EXCERPT: usize = 60;

/// The first characters of a text, for a message.
pub(crate) fn excerpt(text: &str) -> String {
    let text = text.trim();
    let mut out: String = text.chars().take(EXCERPT).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// Says whether a value adds nothing.
pub trait Loose {
    /// True for null and for what was not there.
    fn is_absent(&self) -> bool;
}

/// A leaf of any kind.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Scalar {
    /// Not there, null or an empty text.
    #[default]
    Absent,
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// An object or a list where a leaf belongs.
    Nested,
}

impl Loose for Scalar {
    fn is_absent(&self) -> bool {
        *self == Self::Absent
    }
}

impl Scalar {
    /// The text, trimmed; numbers and flags as they would be written.
    #[must_use]
    pub fn words(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(text) => Some(text.trim().into()),
            Self::Number(number) => Some(number.to_string().into()),
            Self::Flag(flag) => Some(flag.to_string().into()),
            Self::Absent | Self::Nested => None,
        }
    }

    /// A copy of the [`words`](Self::words).
    #[must_use]
    pub fn text(&self) -> Option<String> {
        self.words().map(Cow::into_owned)
    }

    /// The text where it is one, without copying.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text.trim()),
            _ => None,
        }
    }

    /// The number, also from a text such as `"1024"`, `" 1,024 "` or `"0.75"`.
    ///
    /// # Errors
    /// What stands there instead of a finite number.
    pub fn number(&self) -> Result<Option<f64>, String> {
        match self {
            Self::Absent => Ok(None),
            Self::Number(number) if number.is_finite() => Ok(Some(*number)),
            Self::Text(text) => parse_number(text)
                .map(Some)
                .ok_or_else(|| format!("'{}'", excerpt(text))),
            Self::Number(number) => Err(number.to_string()),
            Self::Flag(flag) => Err(flag.to_string()),
            Self::Nested => Err("an object".to_owned()),
        }
    }

    /// Yes or no, also from `"True"`, `"false"`, 1 and 0; `None` for what is neither.
    #[must_use]
    pub fn flag(&self) -> Option<bool> {
        match self {
            Self::Flag(flag) => Some(*flag),
            Self::Number(number) if *number == 0.0 => Some(false),
            Self::Number(number) if *number == 1.0 => Some(true),
            Self::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "1" => Some(true),
                "false" | "no" | "0" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A finite number in a text; commas are taken for thousands only where three digits follow each.
fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = if text.contains(',') {
        let mut groups = text.split('.').next()?.split(',');
        let head = groups.next()?;
        if head.is_empty() || head.len() > 3 || !groups.all(|group| group.len() == 3) {
            return None;
        }
        text.replace(',', "")
    } else {
        text.to_owned()
    };
    plain
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar::Absent)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar::Flag(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value as f64))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value as f64))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar::Number(value))
    }
    fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
        Ok(match value.trim_start() {
            "" => Scalar::Absent,
            _ => Scalar::Text(value.to_owned()),
        })
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Scalar, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Nested)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Nested)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

/// Reads a key in lower case and without underscores into a buffer: `diskSizeGB`, `diskSizeGb`, `DiskSizeGB` and
/// `disk_size_gb` are one name.
pub(crate) struct FoldedKey<'a>(pub &'a mut String);

impl<'de> DeserializeSeed<'de> for FoldedKey<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for FoldedKey<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }
    fn visit_str<E>(self, key: &str) -> Result<(), E> {
        fold_into(self.0, key);
        Ok(())
    }
}

/// Writes the folded form of `name` into `out`.
fn fold_into(out: &mut String, name: &str) {
    out.clear();
    out.push_str(name.trim());
    out.make_ascii_lowercase();
    if out.contains('_') {
        out.retain(|c| c != '_');
    }
}

/// An object of the outside world with the fields that matter here.
pub trait Shape: Default {
    /// Takes the value of `key` (folded) from `map` into the field it belongs to.
    /// Returns false, with the value still unread, where no field has this name.
    ///
    /// # Errors
    /// Those of the underlying reader.
    fn take<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error>;
}

/// Reads a whole object into `shape`, passing over what it does not know.
pub(crate) fn fill<'de, T: Shape, A: MapAccess<'de>>(
    shape: &mut T,
    map: &mut A,
) -> Result<(), A::Error> {
    let mut key = String::with_capacity(KEY);
    while map.next_key_seed(FoldedKey(&mut key))?.is_some() {
        if !shape.take(&key, map)? {
            map.next_value::<IgnoredAny>()?;
        }
    }
    Ok(())
}

/// Sets a field unless the new value adds nothing.
pub(crate) fn set<'de, T, A>(field: &mut T, map: &mut A) -> Result<bool, A::Error>
where
    T: Loose + Deserialize<'de>,
    A: MapAccess<'de>,
{
    let value: T = map.next_value()?;
    if !value.is_absent() {
        *field = value;
    }
    Ok(true)
}

/// An object inside an object.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Node<T> {
    /// Not there or null.
    #[default]
    Absent,
    /// There.
    Known(Box<T>),
    /// A text stands where the object belongs (an export cut at too small a depth).
    Odd(String),
}

impl<T> Loose for Node<T> {
    fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl<T> Node<T> {
    /// The object, where it is there.
    #[must_use]
    pub fn get(&self) -> Option<&T> {
        match self {
            Self::Known(inner) => Some(inner),
            Self::Absent | Self::Odd(_) => None,
        }
    }

    /// What stands in the place of the object.
    #[must_use]
    pub fn odd(&self) -> Option<&str> {
        match self {
            Self::Odd(text) => Some(text),
            Self::Absent | Self::Known(_) => None,
        }
    }
}

struct NodeVisitor<T>(PhantomData<T>);

impl<'de, T: Shape> Visitor<'de> for NodeVisitor<T> {
    type Value = Node<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_unit<E>(self) -> Result<Node<T>, E> {
        Ok(Node::Absent)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Node<T>, E> {
        Ok(Node::Odd(value.to_string()))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Node<T>, E> {
        Ok(Node::Odd(value.to_string()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Node<T>, E> {
        Ok(Node::Odd(value.to_string()))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Node<T>, E> {
        Ok(Node::Odd(value.to_string()))
    }
    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Node<T>, E> {
        match value.trim() {
            "" => Ok(Node::Absent),
            text if text.starts_with('{') => {
                Ok(serde_json::from_str(text).unwrap_or_else(|_| Node::Odd(excerpt(text))))
            }
            text => Ok(Node::Odd(excerpt(text))),
        }
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node<T>, A::Error> {
        let mut first = Node::Absent;
        while let Some(node) = seq.next_element::<Node<T>>()? {
            if first.is_absent() {
                first = node;
            }
        }
        Ok(first)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node<T>, A::Error> {
        let mut shape = Box::<T>::default();
        fill(&mut *shape, &mut map)?;
        Ok(Node::Known(shape))
    }
}

impl<'de, T: Shape> Deserialize<'de> for Node<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor(PhantomData))
    }
}
