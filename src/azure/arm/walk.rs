//! Finds the resources in a JSON document of any arrangement, one at a time, without holding the document.
//!
//! Resources lie alone, in arrays, in `{"value": [...]}` and `{"data": [...]}`, in the rows of a Resource Graph
//! table, in JSON inside a JSON string, or under keys that somebody made up. Each is handed to the [`Sink`] as soon as
//! its closing brace has been read.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::kind::{Kind, error_of, kind_of, stated_type};
use super::list::List;
use super::loose::{FoldedKey, Loose, Scalar, Shape, set};
use super::shape::Resource;

/// Objects whose names Resource Graph and people put in front of those of their fields.
const JOINED: [&str; 3] = ["properties", "hardwareprofile", "storageprofile"];

/// How many field names describe an object that nobody knows.
const NAMED_KEYS: usize = 4;

/// How many fields of a selection are told.
const PICKED_FIELDS: usize = 6;

/// Fields by which a selection of `az ... --query` shows, as people name them.
const PICKED: [&str; 14] = [
    "name",
    "size",
    "vmsize",
    "sku",
    "location",
    "region",
    "resourcegroup",
    "rg",
    "disk",
    "tier",
    "caching",
    "os",
    "ostype",
    "powerstate",
];

/// Takes what a document turns out to hold.
pub trait Sink {
    /// A resource that is of use: a VM, a disk, a SKU, a metric, an instance view or a scale set, laid flat.
    fn resource(&mut self, kind: Kind, resource: &Resource);
    /// An error answer lies where a resource was expected.
    fn error(&mut self, code: String, message: String);
    /// An object of no use here, named by its type or its fields.
    fn unknown(&mut self, label: String);
    /// A list of resources has ended; whether the service has `more` of it in further pages.
    fn list_end(&mut self, _more: bool) {}
    /// An object with fields that somebody picked of a resource, without what tells which and of what kind it is.
    fn picked(&mut self, fields: &str) {
        self.unknown(with(fields));
    }
    /// A value that stands where a resource was expected.
    fn bare(&mut self) {}
}

/// Reads one JSON value and hands every resource in it to `sink`.
///
/// # Errors
/// Those of the JSON reader: cut off, malformed or unreadable. What came before has been handed over.
pub fn walk<'de, D: Deserializer<'de>>(
    deserializer: D,
    sink: &mut dyn Sink,
) -> Result<(), D::Error> {
    let mut spare = Vec::new();
    Walk::new(sink, &mut spare)
        .deserialize(deserializer)
        .map(|_| ())
}

/// Takes one object whose fields are `map` and hands the resource to `sink`.
///
/// # Errors
/// Those of the reader behind `map`.
pub fn walk_object<'de, A: MapAccess<'de>>(map: A, sink: &mut dyn Sink) -> Result<(), A::Error> {
    let mut spare = Vec::new();
    Walk::new(sink, &mut spare).visit_map(map).map(|_| ())
}

/// A position in the document. Yields how many resources were found from there on.
struct Walk<'s> {
    sink: &'s mut dyn Sink,
    /// What objects that have passed left to be used again: there are many, and a [`Passing`] is large.
    spare: &'s mut Spare,
    /// Below a key that is none of ours: only resources deserve a word.
    quiet: bool,
}

/// Objects that have passed, emptied.
type Spare = Vec<Box<Passing>>;

/// What is learnt of an object while its fields pass by.
#[derive(Default)]
struct Passing {
    /// The name of the field that is read.
    key: String,
    resource: Resource,
    columns: Vec<String>,
    /// A key that holds lists of resources was there.
    wrapper: bool,
    /// Another page follows.
    more: bool,
    /// How many resources the service has, where it says so.
    total: Option<f64>,
    found: usize,
    keys: Vec<String>,
    /// The first of all its fields, known or not, while it has no id.
    fields: Fields,
}

impl Passing {
    /// Forgets everything and keeps the room that it took.
    fn clear(&mut self) {
        self.resource.clear();
        self.columns.clear();
        self.keys.clear();
        self.fields.clear();
        (self.wrapper, self.more) = (false, false);
        (self.total, self.found) = (None, 0);
    }
}

/// Names of fields for a message. There are many objects: they lie in one text.
#[derive(Default)]
struct Fields {
    names: String,
    count: usize,
    /// Whether one of them is of a kind that people pick.
    some_picked: bool,
}

impl Fields {
    fn clear(&mut self) {
        self.names.clear();
        (self.count, self.some_picked) = (0, false);
    }

    fn add(&mut self, name: &str) {
        if self.count >= PICKED_FIELDS {
            return;
        }
        if self.count > 0 {
            self.names.push_str(", ");
        }
        self.names.push_str(name);
        self.count += 1;
        self.some_picked |= PICKED.contains(&name);
    }
}

impl<'s> Walk<'s> {
    fn new(sink: &'s mut dyn Sink, spare: &'s mut Spare) -> Self {
        Self {
            sink,
            spare,
            quiet: false,
        }
    }
}

impl Walk<'_> {
    fn below(&mut self, quiet: bool) -> Walk<'_> {
        Walk {
            sink: &mut *self.sink,
            spare: &mut *self.spare,
            quiet: self.quiet || quiet,
        }
    }

    /// Takes a value that is no resource and holds none.
    fn value(self) -> usize {
        if !self.quiet {
            self.sink.bare();
        }
        0
    }

    /// Takes the value of `key`, whatever it is.
    fn field<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        passing: &mut Passing,
    ) -> Result<(), A::Error> {
        if !self.quiet && passing.resource.id.is_absent() {
            passing.fields.add(key);
        }
        match key {
            "value" | "data" => {
                passing.wrapper = true;
                passing.found += map.next_value_seed(self.below(false))?;
            }
            "columns" => {
                let columns: List<Column> = map.next_value()?;
                passing.columns = columns.items.iter().filter_map(|c| c.name.text()).collect();
            }
            "rows" => {
                passing.wrapper = true;
                let rows = Rows {
                    columns: &passing.columns,
                    walk: self.below(false),
                };
                passing.found += map.next_value_seed(rows)?;
            }
            "nextlink" | "skiptoken" | "$skiptoken" | "@odata.nextlink" => {
                passing.more |= map.next_value::<Scalar>()?.as_str().is_some();
            }
            "resulttruncated" => {
                passing.more |= map.next_value::<Scalar>()?.flag() == Some(true);
            }
            "totalrecords" => passing.total = map.next_value::<Scalar>()?.number().ok().flatten(),
            _ if take(&mut passing.resource, key, map)? => {}
            _ => {
                if !self.quiet && passing.keys.len() < NAMED_KEYS {
                    passing.keys.push(key.to_owned());
                }
                passing.found += map.next_value_seed(self.below(true))?;
            }
        }
        Ok(())
    }

    /// Hands over what the object was.
    fn conclude(&mut self, passing: &mut Passing) -> usize {
        if passing.wrapper && passing.found > 0 {
            let more = passing
                .total
                .is_some_and(|total| total > passing.found as f64);
            self.sink.list_end(more || passing.more);
        }
        passing.resource.flatten();
        let resource = &passing.resource;
        // Bodies of requests lie in examples and scripts: no resources, unless their limits are worth a look.
        let fragment = resource.id.is_absent()
            && resource.name.is_absent()
            && (resource.disk_iops.is_absent() || resource.disk_mbps.is_absent());
        match kind_of(resource) {
            Kind::Error if !self.quiet => {
                if let Some((code, message)) = error_of(resource) {
                    self.sink.error(code, message);
                }
            }
            Kind::Error => {}
            Kind::Other if passing.wrapper || passing.found > 0 || self.quiet => {}
            Kind::Other if is_picked(resource, &passing.fields) => {
                self.sink.picked(&passing.fields.names);
            }
            Kind::Other => self.sink.unknown(label(resource, &passing.keys)),
            Kind::Vm | Kind::Disk | Kind::PartOfVm if self.quiet && fragment => {}
            kind => {
                self.sink.resource(kind, resource);
                return passing.found + 1;
            }
        }
        passing.found
    }
}

/// Takes the value of `key` into `resource`, also where a query joined the names of objects within each other:
/// `properties_hardwareProfile_vmSize`.
fn take<'de, A: MapAccess<'de>>(
    resource: &mut Resource,
    key: &str,
    map: &mut A,
) -> Result<bool, A::Error> {
    let mut rest = key;
    loop {
        if resource.take(rest, map)? {
            return Ok(true);
        }
        let below = JOINED.iter().find_map(|outer| rest.strip_prefix(outer));
        match below.filter(|below| !below.is_empty()) {
            Some(below) => rest = below,
            None => return Ok(false),
        }
    }
}

/// Names an object by its type, or else by its fields.
fn label(resource: &Resource, keys: &[String]) -> String {
    if let Some(stated) = stated_type(resource) {
        return stated.to_owned();
    }
    match (keys, resource.name.as_str()) {
        ([], None) => "empty object".to_owned(),
        ([], Some(name)) => format!("object named '{name}'"),
        (keys, _) => with(&keys.join(", ")),
    }
}

fn with(fields: &str) -> String {
    format!("object with {fields}")
}

/// Whether the fields are a selection of those of a resource.
fn is_picked(resource: &Resource, fields: &Fields) -> bool {
    fields.some_picked && resource.id.is_absent() && stated_type(resource).is_none()
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = usize;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("resources")
    }
    fn visit_unit<E>(self) -> Result<usize, E> {
        Ok(0)
    }
    fn visit_bool<E>(self, _: bool) -> Result<usize, E> {
        Ok(self.value())
    }
    fn visit_i64<E>(self, _: i64) -> Result<usize, E> {
        Ok(self.value())
    }
    fn visit_u64<E>(self, _: u64) -> Result<usize, E> {
        Ok(self.value())
    }
    fn visit_f64<E>(self, _: f64) -> Result<usize, E> {
        Ok(self.value())
    }
    /// A text may hold JSON once more: some gateways encode their answers twice.
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<usize, E> {
        if self.quiet || !text.trim_start().starts_with(['{', '[']) {
            return Ok(self.value());
        }
        let mut inner = serde_json::Deserializer::from_str(text);
        self.deserialize(&mut inner).map_err(E::custom)
    }
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<usize, A::Error> {
        let mut found = 0;
        while let Some(more) = seq.next_element_seed(self.below(false))? {
            found += more;
        }
        Ok(found)
    }
    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<usize, A::Error> {
        let mut passing = self.spare.pop().unwrap_or_default();
        let mut key = std::mem::take(&mut passing.key);
        while map.next_key_seed(FoldedKey(&mut key))?.is_some() {
            self.field(&key, &mut map, &mut passing)?;
        }
        let found = self.conclude(&mut passing);
        passing.key = key;
        passing.clear();
        self.spare.push(passing);
        Ok(found)
    }
}

/// One column of a Resource Graph table.
#[derive(Default)]
struct Column {
    name: Scalar,
}

impl Shape for Column {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "name" => set(&mut self.name, map),
            _ => Ok(false),
        }
    }
}

/// The rows of a table; each is an object whose keys are the columns.
struct Rows<'c, 's> {
    columns: &'c [String],
    walk: Walk<'s>,
}

impl<'de> DeserializeSeed<'de> for Rows<'_, '_> {
    type Value = usize;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Rows<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the rows of a table")
    }
    fn visit_unit<E>(self) -> Result<usize, E> {
        Ok(0)
    }
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<usize, A::Error> {
        let mut found = 0;
        while let Some(more) = seq.next_element_seed(Row {
            columns: self.columns,
            walk: self.walk.below(false),
        })? {
            found += more;
        }
        Ok(found)
    }
}

struct Row<'c, 's> {
    columns: &'c [String],
    walk: Walk<'s>,
}

impl<'de> DeserializeSeed<'de> for Row<'_, '_> {
    type Value = usize;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Row<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one row of a table, after its columns")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<usize, A::Error> {
        let cells = Cells {
            columns: self.columns.iter(),
            seq: &mut seq,
        };
        let found = self.walk.visit_map(cells)?;
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(found)
    }
    /// Some tools write each row as an object already.
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<usize, A::Error> {
        self.walk.visit_map(map)
    }
}

/// A row seen as an object.
struct Cells<'c, 'a, A> {
    columns: std::slice::Iter<'c, String>,
    seq: &'a mut A,
}

impl<'de, A: SeqAccess<'de>> MapAccess<'de> for Cells<'_, '_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        self.columns
            .next()
            .map(|name| seed.deserialize(StrDeserializer::new(name)))
            .transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.seq
            .next_element_seed(seed)?
            .ok_or_else(|| A::Error::custom("a row of the table has fewer cells than columns"))
    }
}
