//! Values of plan and need files as people write them, and what to say of those that are none.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::units::UnitError;

/// Reads a quantity written as a number (`size = 512`) or as a text with its unit (`size = "1TiB"`).
pub(crate) fn quantity<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
    T::Err: fmt::Display + 'static,
{
    Quantity::deserialize(deserializer).map(|Quantity(value)| Some(value))
}

/// As [`quantity`], for a key that must be there.
pub(crate) fn required<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
    T::Err: fmt::Display + 'static,
{
    Quantity::deserialize(deserializer).map(|Quantity(value)| value)
}

/// A quantity written as a number or as a text with its unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quantity<T>(pub(crate) T);

impl<'de, T> Deserialize<'de> for Quantity<T>
where
    T: FromStr,
    T::Err: fmt::Display + 'static,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = deserializer.deserialize_any(NumberOrText(PhantomData))?;
        Ok(Self(value))
    }
}

struct NumberOrText<T>(PhantomData<T>);

impl<T> NumberOrText<T>
where
    T: FromStr,
    T::Err: fmt::Display + 'static,
{
    fn number<E: de::Error>(number: &str) -> Result<T, E> {
        number.parse().map_err(|error: T::Err| {
            let unit: Option<&UnitError> = (&error as &dyn Any).downcast_ref();
            let quoted = unit.and_then(quoted);
            E::custom(quoted.unwrap_or_else(|| error.to_string()))
        })
    }
}

impl<T> Visitor<'_> for NumberOrText<T>
where
    T: FromStr,
    T::Err: fmt::Display + 'static,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or a text in quotes with a unit")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        Self::number(&number.to_string())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        Self::number(&number.to_string())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<T, E> {
        Self::number(&number.to_string())
    }
}

/// What to write in place of a bare number that lacks its unit: in a file a unit needs quotes.
fn quoted(error: &UnitError) -> Option<String> {
    match error {
        UnitError::NoUnit { number } => Some(format!(
            "'{number}' is {number} bytes: write \"{number}KiB\", or \"{number}B\" if that is meant"
        )),
        UnitError::Percent { number } => Some(format!(
            "'{number}' is not a share: write it from 0 to 1, or in per cent as \"{number}%\""
        )),
        UnitError::Form { .. } => Some(format!("{error}, in quotes")),
        UnitError::Bits { .. } | UnitError::DecimalComma { .. } | UnitError::Range { .. } => None,
    }
}

/// A value kept as it is written: the rules of disk specs and of the catalogue read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word(pub(crate) String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyWord)
    }
}

struct AnyWord;

impl Visitor<'_> for AnyWord {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text in quotes")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Word, E> {
        Ok(Word(text.to_owned()))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Word, E> {
        Ok(Word(value.to_string()))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Word, E> {
        Ok(Word(number.to_string()))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Word, E> {
        Ok(Word(number.to_string()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Word, E> {
        Ok(Word(number.to_string()))
    }
}

/// Several texts; a single one may stand by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words(pub(crate) Vec<String>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMany)
    }
}

struct OneOrMany;

impl<'de> Visitor<'de> for OneOrMany {
    type Value = Words;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of texts, such as [\"one\", \"two\"]")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Words, E> {
        Ok(Words(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Words, A::Error> {
        let words = Vec::<Word>::deserialize(SeqAccessDeserializer::new(seq))?;
        Ok(Words(words.into_iter().map(|word| word.0).collect()))
    }
}

/// How often or how many: a whole number from 1 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count(pub(crate) NonZeroU32);

impl FromStr for Count {
    type Err = UnitError;

    fn from_str(input: &str) -> Result<Self, UnitError> {
        let count = input.trim().parse().map(Self);
        count.map_err(|_| UnitError::Range {
            input: input.to_owned(),
            what: "a count",
            range: "a whole number, 1 or more",
        })
    }
}

/// Whether something is so: `true`, or as on the command line `"on"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flag(pub(crate) bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Word(word) = Word::deserialize(deserializer)?;
        match word.to_lowercase().as_str() {
            "true" | "on" | "yes" => Ok(Self(true)),
            "false" | "off" | "no" => Ok(Self(false)),
            _ => Err(de::Error::custom(format!(
                "'{word}' is neither yes nor no: write true or false"
            ))),
        }
    }
}

/// Tables of which there may be several; a single pair of brackets is answered with what to write.
pub(crate) struct Tables<T> {
    key: &'static str,
    of: PhantomData<T>,
}

impl<T> Tables<T> {
    /// Those called `key`.
    pub(crate) const fn new(key: &'static str) -> Self {
        Self {
            key,
            of: PhantomData,
        }
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Tables<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a [[{}]] table, in two pairs of brackets, for each",
            self.key
        )
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Vec<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(seq))
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Vec<T>, A::Error> {
        Err(de::Error::custom(format!(
            "there may be several of these: write [[{}]], in two pairs of brackets, for each",
            self.key
        )))
    }
}
