//! What occurs over and over in a fleet, each kept once.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::disk::DiskSettings;
use super::vm::Attachment;

/// Texts (groups, sizes, regions) and settings that many resources share.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    texts: HashSet<Arc<str>, RandomState>,
    settings: HashSet<Arc<DiskSettings>, RandomState>,
    attachments: HashSet<Arc<Attachment>, RandomState>,
}

impl Pool {
    /// The one copy of `text`.
    pub(crate) fn get(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&new));
        new
    }

    /// The one copy of these settings of a disk.
    pub(crate) fn settings(&mut self, settings: DiskSettings) -> Arc<DiskSettings> {
        one(&mut self.settings, settings)
    }

    /// The one copy of this attachment.
    pub(crate) fn attachment(&mut self, attachment: Attachment) -> Arc<Attachment> {
        one(&mut self.attachments, attachment)
    }
}

fn one<T: Eq + Hash>(known: &mut HashSet<Arc<T>, RandomState>, value: T) -> Arc<T> {
    if let Some(known) = known.get(&value) {
        return Arc::clone(known);
    }
    let new = Arc::new(value);
    known.insert(Arc::clone(&new));
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_once() {
        let mut pool = Pool::default();
        let (one, same, other) = (pool.get("eastus"), pool.get("eastus"), pool.get("EastUS"));
        assert!(Arc::ptr_eq(&one, &same));
        assert_eq!(&*other, "EastUS");
    }
}
