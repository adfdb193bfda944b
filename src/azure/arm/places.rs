//! Where resources stand in the files that they were read from: for formats that point at lines.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use encoding_rs_io::DecodeReaderBytesBuilder;

use super::read::encoding_of;

/// How much of a file is looked at to tell its encoding.
const SNIFF: u64 = 1024;

/// The lines of resources, by file and id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places(HashMap<String, HashMap<String, usize>>);

impl Places {
    /// Looks for resources in their files, each read once; pairs of a file and an id. What is no file, or is none that
    /// holds the id, has no place.
    pub fn look<'r>(resources: impl Iterator<Item = (&'r str, &'r str)>) -> Self {
        let mut wanted: HashMap<String, HashMap<String, usize>> = HashMap::new();
        for (path, id) in resources {
            let of_file = wanted.entry(path.to_owned()).or_default();
            of_file.insert(id.to_lowercase(), 0);
        }
        for (path, lines) in &mut wanted {
            // A file that cannot be read again has no lines: the report is no worse for it.
            let _ = File::open(path).and_then(|file| find(file, lines));
            lines.retain(|_, line| *line > 0);
        }
        Self(wanted)
    }

    /// The line of a resource in a file; `None` where it was not found.
    #[must_use]
    pub fn line(&self, path: &str, id: &str) -> Option<usize> {
        self.0.get(path)?.get(&id.to_lowercase()).copied()
    }
}

/// Gives the ids of `lines` the lines on which they first stand as an `id` of their own.
fn find(mut file: impl Read, lines: &mut HashMap<String, usize>) -> io::Result<()> {
    let mut head = Vec::new();
    file.by_ref().take(SNIFF).read_to_end(&mut head)?;
    let encoding = encoding_of(&head);
    let decoded = DecodeReaderBytesBuilder::new()
        .encoding(Some(encoding))
        .bom_override(true)
        .build(io::Cursor::new(head).chain(file));
    let mut reader = BufReader::new(decoded);
    let mut text = Vec::new();
    for number in 1.. {
        text.clear();
        if reader.read_until(b'\n', &mut text)? == 0 {
            break;
        }
        for id in ids(&text) {
            if let Some(line) = lines.get_mut(&id.to_lowercase()).filter(|line| **line == 0) {
                *line = number;
            }
        }
    }
    Ok(())
}

/// The texts that stand behind `"id":` on a line.
fn ids(line: &[u8]) -> impl Iterator<Item = &str> {
    const KEY: &[u8] = b"\"id\"";
    let keys = memchr::memmem::find_iter(line, KEY);
    keys.filter_map(|at| {
        let value = line[at + KEY.len()..].trim_ascii_start();
        let value = value.strip_prefix(b":")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"")?;
        let end = memchr::memchr(b'"', value)?;
        std::str::from_utf8(&value[..end]).ok()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn lines(text: &[u8], ids: &[&str]) -> Vec<usize> {
        let mut lines = ids.iter().map(|id| (id.to_lowercase(), 0)).collect();
        find(text, &mut lines).unwrap();
        ids.iter().map(|id| lines[&id.to_lowercase()]).collect()
    }

    #[test]
    fn the_line_is_that_of_the_own_id() {
        let text = "[{\n\"set\": {\"id\": \"/s/set\"},\n  \"id\" : \"/s/VM1\",\n\"vm\": \"/s/vm2\"},\n{\"id\":\"/s/vm2\"}]";
        assert_eq!(
            lines(text.as_bytes(), &["/S/vm1", "/s/vm2", "/s/vm3"]),
            [3, 5, 0]
        );
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(lines(&wide, &["/s/vm1", "/s/vm2"]), [3, 5]);
        // One document a line, with ids of others before its own.
        let text = "{\"set\":{\"id\":\"/s/set\"},\"id\":\"/s/vm1\"}\n{\"set\":{\"id\":\"/s/set\"},\"id\":\"/s/vm2\"}\n";
        assert_eq!(lines(text.as_bytes(), &["/s/vm2", "/s/vm1"]), [2, 1]);
    }
}
