//! The pages: which there are, their fenced blocks and their links.

use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// The top of the package.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sources of the book.
pub fn book() -> PathBuf {
    root().join("docs/src")
}

/// A page and its text.
pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

impl Page {
    pub fn read(path: PathBuf) -> Self {
        let text = std::fs::read_to_string(&path).unwrap();
        Self { path, text }
    }

    /// Its path from the top of the package, for messages.
    pub fn name(&self) -> String {
        let short = self.path.strip_prefix(root()).unwrap_or(&self.path);
        short.display().to_string()
    }

    /// Where links point to, and those of pictures.
    pub fn links(&self) -> Vec<String> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES)
            .filter_map(|event| match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    Some(dest_url.to_string())
                }
                _ => None,
            })
            .collect()
    }

    /// The fenced blocks: what stands behind the fence, and where their content is.
    pub fn blocks(&self) -> Vec<(String, Range<usize>)> {
        let mut blocks = Vec::new();
        let mut open: Option<(String, Option<Range<usize>>)> = None;
        for (event, range) in Parser::new_ext(&self.text, Options::ENABLE_TABLES).into_offset_iter()
        {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    open = Some((info.to_string(), None));
                }
                Event::Text(_) => {
                    if let Some((_, content)) = &mut open {
                        let start = content.as_ref().map_or(range.start, |c| c.start);
                        *content = Some(start..range.end);
                    }
                }
                Event::End(TagEnd::CodeBlock) => {
                    if let Some((info, Some(content))) = open.take() {
                        blocks.push((info, content));
                    }
                }
                _ => {}
            }
        }
        blocks
    }
}

/// Every page of the book, in the order of their names.
pub fn book_pages() -> Vec<Page> {
    let mut found = Vec::new();
    let mut folders = vec![book()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("examples") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found.into_iter().map(Page::read).collect()
}

/// The pages beside the code.
pub fn top_pages() -> Vec<Page> {
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .map(|name| Page::read(root().join(name)))
        .into()
}
