//! The built book: every link, picture and anchor leads to something that is there.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use scraper::{Html, Selector};

/// A page: the ids on it, and what it points to.
struct Built {
    ids: HashSet<String>,
    targets: Vec<String>,
}

fn read(path: &Path) -> Built {
    let html = Html::parse_document(&std::fs::read_to_string(path).unwrap());
    let values = |selector: &str, attribute: &str| -> Vec<String> {
        html.select(&Selector::parse(selector).unwrap())
            .filter_map(|element| element.value().attr(attribute))
            .map(str::to_owned)
            .collect()
    };
    let mut targets = values("a[href], link[href]", "href");
    targets.extend(values("img[src], script[src]", "src"));
    Built {
        ids: values("[id]", "id").into_iter().collect(),
        targets,
    }
}

fn html_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "html") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// `a/../b` is `b`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

/// What is wrong with the links of the book in `folder`.
pub fn broken_links(folder: &Path) -> Vec<String> {
    let pages: HashMap<PathBuf, Built> = html_files(folder)
        .into_iter()
        // Its links are relative to whichever address was not found.
        .filter(|path| !path.ends_with("404.html"))
        .map(|path| (normal(&path), read(&path)))
        .collect();
    assert!(pages.len() > 10, "no book in {}", folder.display());
    let mut problems = Vec::new();
    for (path, page) in &pages {
        for target in &page.targets {
            if let Some(problem) = problem(path, target, &pages) {
                problems.push(format!("{}: {target} {problem}", path.display()));
            }
        }
    }
    problems.sort();
    problems
}

fn problem(from: &Path, target: &str, pages: &HashMap<PathBuf, Built>) -> Option<&'static str> {
    let outside = ["http://", "https://", "mailto:", "data:", "javascript:"];
    if outside.iter().any(|scheme| target.starts_with(scheme)) {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() {
        from.to_owned()
    } else {
        normal(&from.parent()?.join(file))
    };
    if !path.exists() {
        return Some("is not there");
    }
    let known = anchor.is_empty() || pages.get(&path).is_some_and(|p| p.ids.contains(anchor));
    (!known).then_some("has no such anchor")
}
