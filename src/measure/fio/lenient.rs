//! JSON values as fio's versions really write them: whatever is not what was expected is absent, never an error.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A struct read from a map: unknown keys are passed over, of repeated ones the last counts.
macro_rules! lenient {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty = $key:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        pub(super) struct $name {
            $(pub $field: $type,)*
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Fields;
                impl<'de> serde::de::Visitor<'de> for Fields {
                    type Value = $name;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        let mut value = $name::default();
                        while let Some($crate::measure::fio::lenient::Key(key)) = map.next_key()? {
                            match key.as_ref() {
                                $($key => value.$field = map.next_value()?,)*
                                _ => {
                                    map.next_value::<serde::de::IgnoredAny>()?;
                                }
                            }
                        }
                        Ok(value)
                    }
                }
                deserializer.deserialize_map(Fields)
            }
        }
    };
}

pub(super) use lenient;

/// A key, borrowed where it has no escapes.
pub(super) struct Key<'a>(pub Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// A number, or nothing: whatever else stands there is passed over.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Num(pub Option<f64>);

impl Num {
    /// The number, where it is more than 0. fio prints 0 for what it did not measure.
    pub fn positive(self) -> Option<f64> {
        self.0.filter(|value| value.is_finite() && *value > 0.0)
    }
}

/// A text, or nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Word(pub Option<String>);

/// A scalar of any type, as number and as text.
macro_rules! scalar {
    ($name:ident, |$number:ident| $from_number:expr, |$text:ident| $from_text:expr) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Any;
                impl<'de> Visitor<'de> for Any {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("a number or a text")
                    }
                    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<$name, E> {
                        self.visit_f64(value as f64)
                    }
                    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<$name, E> {
                        self.visit_f64(value as f64)
                    }
                    fn visit_f64<E>(self, $number: f64) -> Result<$name, E> {
                        Ok($from_number)
                    }
                    fn visit_str<E>(self, $text: &str) -> Result<$name, E> {
                        Ok($from_text)
                    }
                    fn visit_bool<E>(self, _: bool) -> Result<$name, E> {
                        Ok($name(None))
                    }
                    fn visit_unit<E>(self) -> Result<$name, E> {
                        Ok($name(None))
                    }
                    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<$name, A::Error> {
                        while seq.next_element::<IgnoredAny>()?.is_some() {}
                        Ok($name(None))
                    }
                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                        Ok($name(None))
                    }
                }
                deserializer.deserialize_any(Any)
            }
        }
    };
}

scalar!(Num, |number| Num(Some(number)), |text| Num(text
    .trim()
    .parse()
    .ok()));
scalar!(Word, |number| Word(Some(number.to_string())), |text| Word(
    Some(text.to_owned()).filter(|text| !text.is_empty())
));
