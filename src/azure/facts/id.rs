//! Resource ids and region names, compared as Azure means them: without regard to case.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::pool::Pool;

/// Ids are folded for hashing in pieces of so many bytes, without an allocation.
const HASH_CHUNK: usize = 64;

/// The id of a resource, such as `/subscriptions/…/resourceGroups/RG/providers/Microsoft.Compute/disks/data0`.
///
/// Printed as it was written; equal and hashed without regard to case, because a VM and its disk spell the resource
/// group differently as often as not. All but the name is shared between the resources of a group.
#[derive(Debug, Clone)]
pub struct ResourceId {
    /// All before the last slash.
    folder: Arc<str>,
    /// All after it.
    name: Box<str>,
}

impl ResourceId {
    /// An id from its text. The host of a full URL, a query and a trailing slash are left out.
    /// `None` for what is no id at all.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let (folder, name) = Self::split(text)?;
        Some(Self {
            folder: folder.into(),
            name: name.into(),
        })
    }

    /// Like [`new`](Self::new), sharing what `pool` has.
    pub(crate) fn pooled(text: &str, pool: &mut Pool) -> Option<Self> {
        let (folder, name) = Self::split(text)?;
        Some(Self {
            folder: pool.get(folder),
            name: name.into(),
        })
    }

    fn split(text: &str) -> Option<(&str, &str)> {
        let text = text.trim();
        let url = (!text.starts_with('/')).then(|| text.split_once("://"));
        let path = match url.flatten() {
            Some((_, rest)) => rest.get(rest.find('/')?..)?,
            None => text,
        };
        let path = path.split(['?', '#']).next()?.trim_end_matches('/');
        if !path.starts_with('/') {
            return None;
        }
        path.rsplit_once('/')
    }

    /// The segment that follows `key` in front of the name, such as the group after `resourceGroups`.
    fn after(&self, key: &str) -> Option<&str> {
        let mut segments = self.folder.split('/');
        segments.find(|segment| segment.eq_ignore_ascii_case(key))?;
        segments.next().filter(|segment| !segment.is_empty())
    }

    /// The subscription that the resource is in.
    #[must_use]
    pub fn subscription(&self) -> Option<&str> {
        self.after("subscriptions")
    }

    /// The resource group that the resource is in.
    #[must_use]
    pub fn resource_group(&self) -> Option<&str> {
        self.after("resourceGroups")
    }

    /// The name: the last segment.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The scale set that the resource is an instance of.
    #[must_use]
    pub fn scale_set(&self) -> Option<&str> {
        self.after("virtualMachineScaleSets")
    }
}

impl PartialEq for ResourceId {
    fn eq(&self, other: &Self) -> bool {
        self.name.eq_ignore_ascii_case(&other.name)
            && self.folder.eq_ignore_ascii_case(&other.folder)
    }
}

impl Eq for ResourceId {}

impl Hash for ResourceId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for part in [self.name.as_bytes(), self.folder.as_bytes()] {
            for chunk in part.chunks(HASH_CHUNK) {
                let mut folded = [0; HASH_CHUNK];
                let folded = &mut folded[..chunk.len()];
                folded.copy_from_slice(chunk);
                folded.make_ascii_lowercase();
                state.write(folded);
            }
            state.write_u8(0xff);
        }
    }
}

impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.folder, self.name)
    }
}

/// A region in its canonical form: `West US`, `WestUS` and `westus` are one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region(Arc<str>);

impl Region {
    /// A region from any spelling; `None` for an empty one.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        Self::pooled(text, &mut Pool::default())
    }

    /// Like [`new`](Self::new), sharing what `pool` has.
    pub(crate) fn pooled(text: &str, pool: &mut Pool) -> Option<Self> {
        let name: String = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| c.to_ascii_lowercase())
            .collect();
        (!name.is_empty()).then(|| Self(pool.get(&name)))
    }

    /// The canonical name, lower case without spaces.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const VM: &str =
        "/subscriptions/0a/resourceGroups/Rg1/providers/Microsoft.Compute/virtualMachines/db1";

    #[test]
    fn parts_of_an_id_are_found_whatever_their_case() {
        let id = ResourceId::new(&VM.to_ascii_uppercase()).unwrap();
        assert_eq!(id.subscription(), Some("0A"));
        assert_eq!(id.resource_group(), Some("RG1"));
        assert_eq!(id.name(), "DB1");
        assert_eq!(id.scale_set(), None);
    }

    #[test]
    fn ids_are_equal_and_hashed_without_regard_to_case() {
        let mut set = HashSet::new();
        set.insert(ResourceId::new(VM).unwrap());
        assert!(set.contains(&ResourceId::new(&VM.to_ascii_lowercase()).unwrap()));
        assert!(!set.contains(&ResourceId::new(&format!("{VM}2")).unwrap()));
    }

    #[test]
    fn urls_queries_and_slashes_are_left_out() {
        let id = ResourceId::new(&format!("https://host.example{VM}/?api-version=1")).unwrap();
        assert_eq!(id.to_string(), VM);
    }

    #[test]
    fn what_is_no_id_is_none() {
        for text in ["", " ", "/", "db1", "https://host.example", "-"] {
            assert!(ResourceId::new(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn scale_set_instances_know_their_set() {
        let id = ResourceId::new(
            "/subscriptions/0a/resourceGroups/r/providers/Microsoft.Compute/virtualMachineScaleSets/set1/virtualMachines/3",
        )
        .unwrap();
        assert_eq!(id.scale_set(), Some("set1"));
        assert_eq!(id.name(), "3");
    }

    #[test]
    fn regions_have_one_spelling() {
        assert_eq!(Region::new("West US 2"), Region::new("westus2"));
        assert_eq!(
            Region::new("CentralIndia").unwrap().as_str(),
            "centralindia"
        );
        assert_eq!(Region::new("  "), None);
    }
}
