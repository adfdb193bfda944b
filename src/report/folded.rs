//! Remarks of one id, read together: what many things have is said once, and all are named.

use std::collections::HashMap;
use std::hash::Hash;

use super::document::{Note, Tone};

/// From so many on, remarks of one thing that say the same are one.
pub(super) const ALIKE: usize = 3;

/// So many wordings of one id are told each; of more the first stands for all.
const TOLD: usize = 2;

/// What stands below remarks of which one is told for several; `id` is that of their list.
fn one_for_all(id: &str) -> String {
    format!("Of several, 'such as' shows one: --table {id} shows each, --vm NAME those of one VM.")
}

/// Remarks of one weight and id together, weightiest first: those with the same words as one; where the words of many
/// differ, those of the first stand for all. What is wrong beyond a warning is always told. `list` is the id of the list.
pub(super) fn by_id(list: &str, items: &[Note]) -> Vec<Note> {
    let mut groups = grouped(items, |note| (&note.label, &note.id));
    groups.sort_by_key(|group| group.first().map_or(u8::MAX, |note| weight(note.tone)));
    refer_back(&mut groups);
    let mut told: Vec<Note> = Vec::new();
    let mut is_folded = false;
    for group in groups {
        // What one is to do may be wrong for another: only one advice stands for all.
        for group in grouped(group, advice) {
            let wordings = grouped(group.iter().copied(), |note| {
                (&note.text, note.common_fix())
            });
            let is_bad = group.iter().any(|note| note.tone == Tone::Bad);
            if is_bad || wordings.len() <= TOLD {
                told.extend(wordings.iter().filter_map(|same| alike(same)));
            } else {
                is_folded = true;
                told.extend(such_as(&group));
            }
        }
    }
    told.extend(is_folded.then(|| Note {
        text: one_for_all(list),
        ..Note::default()
    }));
    told
}

/// Puts what is referred to (`as for VM-UNCACHED-IOPS: ...`) before what refers to it, where it weighs as much.
fn refer_back(groups: &mut Vec<Vec<&Note>>) {
    let refers = |from: &[&Note], to: &[&Note]| {
        let Some(to) = to.first() else { return false };
        let words = format!("as for {}:", to.id);
        let mut notes = from.iter();
        notes.any(|note| {
            weight(note.tone) == weight(to.tone)
                && note.fix.as_ref().is_some_and(|fix| fix.starts_with(&words))
        })
    };
    for later in 1..groups.len() {
        let earlier = (0..later).find(|earlier| refers(&groups[*earlier], &groups[later]));
        if let Some(earlier) = earlier {
            let group = groups.remove(later);
            groups.insert(earlier, group);
        }
    }
}

/// What is to be done, whatever its numbers and the names of disks and sizes in it.
fn advice(note: &Note) -> Option<String> {
    let words = note.common_fix()?.split_whitespace();
    let is_plain = |word: &&str| !word.contains(|c: char| c.is_ascii_digit());
    Some(words.filter(is_plain).collect::<Vec<_>>().join(" "))
}

/// The remarks with the same key in groups, in the order in which each is met first.
fn grouped<'n, K: Eq + Hash>(
    items: impl IntoIterator<Item = &'n Note>,
    key: impl Fn(&'n Note) -> K,
) -> Vec<Vec<&'n Note>> {
    let mut groups: Vec<Vec<&Note>> = Vec::new();
    let mut places: HashMap<K, usize> = HashMap::new();
    for note in items {
        let place = *places.entry(key(note)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(note),
            None => groups.push(vec![note]),
        }
    }
    groups
}

const fn weight(tone: Tone) -> u8 {
    match tone {
        Tone::Bad => 0,
        Tone::Warning => 1,
        _ => 2,
    }
}

/// Remarks with the same words.
fn alike(same: &[&Note]) -> Option<Note> {
    let (first, rest) = same.split_first()?;
    if rest.is_empty() {
        return Some((*first).clone());
    }
    Some(first.for_all(format!("{} alike: {}", same.len(), subjects(same))))
}

/// Remarks with other words each: those of the first.
fn such_as(group: &[&Note]) -> Option<Note> {
    let first = group.first()?;
    let one_fix = group
        .iter()
        .all(|note| note.common_fix() == first.common_fix());
    let of_first = |text: &String| format!("{}: {text}", first.subject);
    let for_all = first.for_all(format!("{}: {}", group.len(), subjects(group)));
    Some(Note {
        text: format!("such as {}", of_first(&first.text)),
        fix: match one_fix {
            true => for_all.fix.clone(),
            false => first.fix.as_ref().map(of_first),
        },
        ..for_all
    })
}

/// What all are about, by their owners: `db1 (os, lun0, the VM), web1/os, web2`.
fn subjects(group: &[&Note]) -> String {
    let mut owners: Vec<(&str, Vec<Option<&str>>)> = Vec::new();
    for note in group {
        let owner = note.owner.as_deref().unwrap_or(&note.subject);
        // What is about one owner comes together.
        match owners.last_mut().filter(|(name, _)| *name == owner) {
            Some((_, parts)) => parts.push(note.part()),
            None => owners.push((owner, vec![note.part()])),
        }
    }
    let named = owners.iter().flat_map(|(owner, parts)| {
        let is_whole = parts.iter().all(Option::is_none);
        match parts.as_slice() {
            // Disks of one name in several groups.
            whole if is_whole => vec![(*owner).to_owned(); whole.len()],
            [Some(part)] => vec![format!("{owner}/{part}")],
            parts => {
                let parts = parts.iter().map(|part| part.unwrap_or("the VM"));
                vec![format!(
                    "{owner} ({})",
                    parts.collect::<Vec<_>>().join(", ")
                )]
            }
        }
    });
    named.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(id: &str, owner: &str, part: &str, text: &str, tone: Tone) -> Note {
        Note {
            label: format!("{tone:?}"),
            tone,
            id: id.to_owned(),
            subject: format!("{owner}{part}"),
            owner: Some(owner.to_owned()),
            text: text.to_owned(),
            fix: Some(format!("mend {text}")),
            fix_for_all: None,
        }
    }

    fn told(items: &[Note]) -> Vec<(String, String)> {
        let told = by_id("findings", items).into_iter();
        told.map(|note| (note.subject, note.text)).collect()
    }

    fn pair(subject: &str, text: &str) -> (String, String) {
        (subject.to_owned(), text.to_owned())
    }

    #[test]
    fn every_subject_is_named_and_one_text_stands_for_many() {
        let warning = |owner, part, text| note("CAP", owner, part, text, Tone::Warning);
        let items = [
            warning("a", "/os", "1"),
            warning("a", "/lun0", "2"),
            warning("a", "", "3"),
            warning("b", "", "4"),
        ];
        assert_eq!(
            told(&items),
            [
                pair("4: a (os, lun0, the VM), b", "such as a/os: 1"),
                pair("", &one_for_all("findings"))
            ]
        );
        assert_eq!(
            by_id("findings", &items)[0].fix.as_deref(),
            Some("a/os: mend 1")
        );
        // Two wordings are told each.
        assert_eq!(told(&items[..2]), [pair("a/os", "1"), pair("a/lun0", "2")]);
    }

    #[test]
    fn commands_with_names_are_one_where_their_words_are() {
        let with = |owner: &str| Note {
            fix: Some(format!("`stop -n {owner}`")),
            fix_for_all: Some("`stop -n VM`".to_owned()),
            ..note("STOPPED", owner, "", "is stopped", Tone::Warning)
        };
        let both = by_id("findings", &[with("a"), with("b")]);
        assert_eq!(both.len(), 1);
        assert_eq!(both[0].subject, "2 alike: a, b");
        assert_eq!(both[0].fix.as_deref(), Some("`stop -n VM`"));
        let one = by_id("findings", &[with("a")]);
        assert_eq!(one[0].fix.as_deref(), Some("`stop -n a`"));
    }

    #[test]
    fn what_is_referred_to_stands_before() {
        let with = |id: &str, owner: &str, fix: &str| Note {
            fix: Some(fix.to_owned()),
            ..note(id, owner, "", "x", Tone::Warning)
        };
        let items = [
            with("MBPS", "a", "take X"),
            with("MBPS", "b", "as for IOPS: Y"),
            with("IOPS", "b", "take Y"),
        ];
        let told = by_id("findings", &items);
        let ids: Vec<&str> = told.iter().map(|note| note.id.as_str()).collect();
        assert_eq!(ids, ["IOPS", "MBPS", "MBPS"]);
    }

    #[test]
    fn other_advice_is_told_apart() {
        let with = |owner, text, fix: &str| Note {
            fix: Some(fix.to_owned()),
            ..note("UNATTACHED", owner, "", text, Tone::Warning)
        };
        let items = [
            with("a", "12 USD", "delete it: 12 USD less"),
            with("b", "40 USD", "delete it: 40 USD less"),
            with("c", "50 USD", "find out who exports it"),
            with("d", "60 USD", "delete it: 60 USD less"),
        ];
        assert_eq!(
            told(&items),
            [
                pair("3: a, b, d", "such as a: 12 USD"),
                pair("c", "50 USD"),
                pair("", &one_for_all("findings"))
            ]
        );
    }

    #[test]
    fn errors_come_first_and_each_of_their_texts_is_told() {
        let errors = ["1", "2", "3", "4"].map(|text| note("BAD", "a", "/os", text, Tone::Bad));
        let mut items = vec![note("SMALL", "c", "", "x", Tone::Warning)];
        items.extend(errors);
        items.push(note("SMALL", "d", "", "x", Tone::Warning));
        let texts: Vec<String> = told(&items).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["1", "2", "3", "4", "x"]);
        assert_eq!(told(&items)[4].0, "2 alike: c, d");
    }
}
