//! What a cloud's documentation says about the ids of findings. The texts lie beside the rules of each cloud.

use super::{Catalog, azure};

/// What is documented about one id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Documented {
    /// The id.
    pub id: &'static str,
    /// One line, where it names what only this cloud has.
    pub title: Option<&'static str>,
    /// The rule, and what follows from it.
    pub rule: &'static str,
    /// The document that says so.
    pub source: &'static str,
}

impl Documented {
    pub(super) const fn new(id: &'static str, rule: &'static str, source: &'static str) -> Self {
        Self {
            id,
            title: None,
            rule,
            source,
        }
    }

    pub(super) const fn titled(
        id: &'static str,
        title: &'static str,
        rule: &'static str,
        source: &'static str,
    ) -> Self {
        Self {
            title: Some(title),
            ..Self::new(id, rule, source)
        }
    }
}

impl Catalog {
    /// What is documented about an id; `None` where no cloud's documentation is its ground.
    #[must_use]
    pub fn documented(id: &str) -> Option<&'static Documented> {
        Self::all_documented().find(|text| text.id == id)
    }

    /// Everything that is documented, by theme.
    pub fn all_documented() -> impl Iterator<Item = &'static Documented> {
        azure::documented::TEXTS.into_iter().flatten()
    }
}
