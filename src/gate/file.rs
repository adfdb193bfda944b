//! The suppression file (TOML): read as a tree with places, so that every mistake is told with its line and key.

use jiff::civil::Date;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use wildmatch::WildMatch;

use super::entry::Suppression;
use crate::catalog::lookup::{did_you_mean, nearest};
use crate::planner::FindingId;
use crate::planner::findings::UnknownFinding;

/// The keys of an entry.
const ENTRY_KEYS: &[&str] = &["id", "subject", "vm", "reason", "expires"];
/// The keys beside the entries.
const FILE_KEYS: &[&str] = &["suppress", "require_expires"];

/// Why a suppression file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SuppressionError {
    /// It is not TOML.
    #[error("suppression file '{file}': {source}")]
    Toml {
        /// The file as given.
        file: String,
        /// What and where, with the line itself.
        source: Box<toml::de::Error>,
    },
    /// It says what a suppression file cannot say.
    #[error("suppression file '{file}', line {line}: {problem}")]
    Entry {
        /// The file as given.
        file: String,
        /// The line.
        line: usize,
        /// What is wrong there, and what would be right.
        problem: Problem,
    },
}

/// What is wrong with an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is no such key.
    #[error("unknown key '{key}'{}; keys are {}", did_you_mean(.nearest), .known.join(", "))]
    UnknownKey {
        /// The key as given.
        key: String,
        /// The nearest ones.
        nearest: Vec<String>,
        /// Those that there are.
        known: &'static [&'static str],
    },
    /// A key has to be there.
    #[error("this entry has no '{key}': {wanted}")]
    Missing {
        /// Which.
        key: &'static str,
        /// What it would say.
        wanted: &'static str,
    },
    /// A value is of another type.
    #[error("'{key}' is {found}: write {wanted}")]
    Type {
        /// Of which key.
        key: &'static str,
        /// What it is.
        found: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
    /// A text says nothing.
    #[error("'{key}' is empty: {wanted}")]
    Empty {
        /// Of which key.
        key: &'static str,
        /// What it should say.
        wanted: &'static str,
    },
    /// No finding has this id.
    #[error("{0}")]
    UnknownId(UnknownFinding),
    /// No finding has an id that the pattern fits.
    #[error("the pattern '{pattern}' fits no finding's id; `diskcap explain` lists all")]
    NoSuchIds {
        /// The pattern as given.
        pattern: String,
    },
    /// No day of the calendar.
    #[error("'expires' is '{value}', which is no day: write one like 2027-03-31")]
    Day {
        /// As given.
        value: String,
    },
}

const REASON: &str = "say in 'reason' why these findings are accepted";
const ID: &str = "name a finding, such as id = \"UNUSABLE\", or a pattern such as \"VM-*\"";
const DAY: &str = "the last day on which it holds, such as expires = 2027-03-31";

impl Suppression {
    /// Reads the entries of a suppression file. `file` is what it is called, in errors and on the findings.
    ///
    /// # Errors
    /// [`SuppressionError`], which names the file, the line, the key and what would be right.
    pub fn parse_all(text: &str, file: &str) -> Result<Vec<Self>, SuppressionError> {
        let text = text.trim_start_matches('\u{feff}');
        let root = DeTable::parse(text).map_err(|source| SuppressionError::Toml {
            file: file.to_owned(),
            source: Box::new(source),
        })?;
        let reader = Reader { text, file };
        reader.entries(root.get_ref())
    }
}

/// A problem, and the place in the text that it is about.
type Placed = (usize, Problem);

/// A file that is being read.
struct Reader<'a> {
    text: &'a str,
    file: &'a str,
}

impl Reader<'_> {
    fn line(&self, offset: usize) -> usize {
        let before = self.text.as_bytes().get(..offset).unwrap_or_default();
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    fn entries(&self, root: &DeTable<'_>) -> Result<Vec<Suppression>, SuppressionError> {
        self.read_entries(root)
            .map_err(|(offset, problem)| SuppressionError::Entry {
                file: self.file.to_owned(),
                line: self.line(offset),
                problem,
            })
    }

    fn read_entries(&self, root: &DeTable<'_>) -> Result<Vec<Suppression>, Placed> {
        known_keys(root, FILE_KEYS)?;
        let must_expire = match root.get("require_expires") {
            None => false,
            Some(value) => value
                .get_ref()
                .as_bool()
                .ok_or_else(|| of_type("require_expires", value, "true or false"))?,
        };
        let Some(entries) = root.get("suppress") else {
            return Ok(Vec::new());
        };
        let wanted = "each entry under a line [[suppress]]";
        let array = entries.get_ref().as_array();
        let array = array.ok_or_else(|| of_type("suppress", entries, wanted))?;
        let entry = |value: &Spanned<DeValue<'_>>| {
            let table = value.get_ref().as_table();
            let table = table.ok_or_else(|| of_type("suppress", value, wanted))?;
            self.entry(table, value.span().start, must_expire)
        };
        array.iter().map(entry).collect()
    }

    fn entry(
        &self,
        table: &DeTable<'_>,
        start: usize,
        must_expire: bool,
    ) -> Result<Suppression, Placed> {
        known_keys(table, ENTRY_KEYS)?;
        let missing = |key, wanted| (start, Problem::Missing { key, wanted });
        let id = text_of(table, "id", ID)?.ok_or_else(|| missing("id", ID))?;
        let reason = text_of(table, "reason", REASON)?.ok_or_else(|| missing("reason", REASON))?;
        let expires = table.get("expires").map(day).transpose()?;
        if must_expire && expires.is_none() {
            return Err(missing("expires", DAY));
        }
        let pattern = |key, wanted| {
            let text = text_of(table, key, wanted)?;
            Ok(text.map(|(text, _)| WildMatch::new_case_insensitive(text)))
        };
        Ok(Suppression {
            id: id_pattern(id)?,
            subject: pattern("subject", "name a volume, or leave the key out for all")?,
            vm: pattern("vm", "name a VM, or leave the key out for all")?,
            reason: reason.0.to_owned(),
            expires,
            file: self.file.to_owned(),
            line: self.line(start),
        })
    }
}

fn known_keys(table: &DeTable<'_>, known: &'static [&'static str]) -> Result<(), Placed> {
    let unknown = table.keys().find(|key| !known.contains(&&**key.get_ref()));
    unknown.map_or(Ok(()), |key| {
        let name = key.get_ref();
        let problem = Problem::UnknownKey {
            key: name.to_string(),
            nearest: nearest(name, known.iter().copied()),
            known,
        };
        Err((key.span().start, problem))
    })
}

/// The text of a key, trimmed, and where it stands; `None` where the key is not there.
fn text_of<'t>(
    table: &'t DeTable<'_>,
    key: &'static str,
    wanted: &'static str,
) -> Result<Option<(&'t str, usize)>, Placed> {
    let Some(value) = table.get(key) else {
        return Ok(None);
    };
    let text = value.get_ref().as_str();
    let text = text.ok_or_else(|| of_type(key, value, "a text in quotes"))?;
    match text.trim() {
        "" => Err((value.span().start, Problem::Empty { key, wanted })),
        text => Ok(Some((text, value.span().start))),
    }
}

/// The pattern of ids; one without `*` and `?` has to be a finding's id.
fn id_pattern((text, offset): (&str, usize)) -> Result<WildMatch, Placed> {
    let pattern = WildMatch::new_case_insensitive(text);
    if !text.contains(['*', '?']) {
        let known = text.parse::<FindingId>();
        known.map_err(|unknown| (offset, Problem::UnknownId(unknown)))?;
    } else if !FindingId::ALL.iter().any(|id| pattern.matches(id.code())) {
        let pattern = text.to_owned();
        return Err((offset, Problem::NoSuchIds { pattern }));
    }
    Ok(pattern)
}

/// A day, as TOML writes days or as a text.
fn day(value: &Spanned<DeValue<'_>>) -> Result<Date, Placed> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.trim().to_owned(),
        DeValue::Datetime(time) => time.to_string(),
        _ => return Err(of_type("expires", value, "a day like 2027-03-31")),
    };
    let day = text
        .parse()
        .ok()
        .filter(|_| text.len() == "2027-03-31".len());
    day.ok_or((value.span().start, Problem::Day { value: text }))
}

fn of_type(key: &'static str, value: &Spanned<DeValue<'_>>, wanted: &'static str) -> Placed {
    let found = match value.get_ref() {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    (value.span().start, Problem::Type { key, found, wanted })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn refusal(text: &str) -> String {
        let error = Suppression::parse_all(text, "ci/s.toml").unwrap_err();
        error.to_string()
    }

    #[test]
    fn entries_are_read_with_their_lines_and_days() {
        let text = "\u{feff}# accepted\n\n[[suppress]]\nid = 'UNUSABLE'\nreason = ' spring '\nexpires = 2027-03-31\n\
                    [[suppress]]\nreason = 'r'\nid = 'vm-*'\nexpires = '2027-12-01'\n";
        let entries = Suppression::parse_all(text, "s.toml").unwrap();
        let seen: Vec<_> = entries
            .iter()
            .map(|e| (e.line, e.reason.as_str(), e.expires))
            .collect();
        assert_eq!(
            seen,
            [
                (3, "spring", Some(date(2027, 3, 31))),
                (7, "r", Some(date(2027, 12, 1)))
            ]
        );
        assert_eq!(Suppression::parse_all("", "s.toml").unwrap(), []);
        assert_eq!(
            Suppression::parse_all("suppress = []", "s.toml").unwrap(),
            []
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[\\[\\]a-z='\"\\n*\u{e9} 0-9:-]{0,60}", key in "id|reason|expires|vm") {
            let _ = Suppression::parse_all(&text, "s.toml");
            let _ = Suppression::parse_all(&format!("[[suppress]]\n{key} = {text}"), "s.toml");
        }
    }

    #[test]
    fn mistakes_are_told_with_file_line_and_what_would_be_right() {
        for (text, words) in [
            (
                "[[suppress]]\nid = 'UNUSABLE'\nraeson = 'r'",
                "line 3: unknown key 'raeson'; did you mean reason?; keys are id, subject, vm, reason, expires",
            ),
            (
                "\n[[supress]]\nid = 'UNUSABLE'",
                "line 2: unknown key 'supress'; did you mean suppress?; keys are suppress, require_expires",
            ),
            (
                "[[suppress]]\nreason = 'r'\nid = 'UNUSEABLE'",
                "line 3: unknown finding id 'UNUSEABLE'; did you mean UNUSABLE?",
            ),
            (
                "[[suppress]]\nreason = 'r'\nid = 'X-*'",
                "line 3: the pattern 'X-*' fits no finding's id",
            ),
            (
                "# c\n[[suppress]]\nid = 'UNUSABLE'",
                "line 2: this entry has no 'reason': say in 'reason' why",
            ),
            (
                "[[suppress]]\nid = 'UNUSABLE'\nreason = '  '",
                "line 3: 'reason' is empty: say",
            ),
            (
                "[[suppress]]\nreason = 'r'",
                "line 1: this entry has no 'id': name a finding",
            ),
            (
                "[[suppress]]\nid = ['UNUSABLE']\nreason = 'r'",
                "line 2: 'id' is a list: write a text in quotes",
            ),
            (
                "[[suppress]]\nid = '*'\nreason = 'r'\nexpires = '31.3.2027'",
                "line 4: 'expires' is '31.3.2027', which is no day: write one like 2027-03-31",
            ),
            (
                "[[suppress]]\nid = '*'\nreason = 'r'\nexpires = '2027-02-30'",
                "line 4: 'expires' is '2027-02-30', which",
            ),
            (
                "[[suppress]]\nid = '*'\nreason = 'r'\nexpires = 2027-03-31T10:00:00Z",
                "line 4: 'expires' is '2027-03-31T10",
            ),
            (
                "[[suppress]]\nid = '*'\nreason = 'r'\nexpires = 2027",
                "line 4: 'expires' is a number: write a day",
            ),
            (
                "require_expires = true\n[[suppress]]\nid = '*'\nreason = 'r'",
                "line 2: this entry has no 'expires': the last day",
            ),
            (
                "require_expires = 1",
                "line 1: 'require_expires' is a number: write true or false",
            ),
            (
                "suppress = 3",
                "line 1: 'suppress' is a number: write each entry under a line [[suppress]]",
            ),
            ("suppress = [3]", "line 1: 'suppress' is a number"),
            (
                "[[suppress]]\nid = ",
                "suppression file 'ci/s.toml': TOML parse error at line 2",
            ),
        ] {
            let message = refusal(text);
            assert!(
                message.starts_with("suppression file 'ci/s.toml'") && message.contains(words),
                "{text}\n{message}"
            );
        }
    }
}
