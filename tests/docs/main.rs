//! The documentation holds: its commands run and print what it shows, its pictures and generated pages are those of
//! the code, its links lead somewhere.
//!
//! `UPDATE_DOCS=1 cargo test --test docs` writes output, pictures and generated pages anew; look at what changed.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

mod built;
mod complete;
mod generated;
mod pages;
mod refresh;
mod shell;
mod transcript;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use pages::{Page, book, book_pages, root, top_pages};

/// Whether files are to be written anew.
fn updating() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}

/// Compares a committed file with what it should be, or writes it.
fn check_file(path: &Path, wanted: &[u8], problems: &mut Vec<String>) {
    if std::fs::read(path).is_ok_and(|is| is == wanted) {
        return;
    }
    if updating() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, wanted).unwrap();
    } else {
        problems.push(format!("{} is out of date", path.display()));
    }
}

#[track_caller]
fn none(problems: &[String]) {
    assert!(
        problems.is_empty(),
        "{}\n\nUPDATE_DOCS=1 cargo test --test docs writes what the code says now",
        problems.join("\n\n")
    );
}

/// Runs the commands of every page, a few pages at a time; outcomes in the order of the pages.
fn outcomes(pages: &[Page]) -> Vec<shell::Outcome> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some((index, page)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            pages.get(index).map(|page| (index, page))
        } {
            let outcome = shell::run(page);
            done.lock().unwrap().push((index, outcome));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

fn run_pages(pages: &[Page]) {
    let mut problems = Vec::new();
    for (page, outcome) in pages.iter().zip(outcomes(pages)) {
        if updating() && outcome.corrected != page.text {
            std::fs::write(&page.path, &outcome.corrected).unwrap();
        }
        let named = |problem: String| format!("{}: {problem}", page.name());
        problems.extend(outcome.problems.into_iter().map(named));
        for (name, bytes) in outcome.pictures {
            check_file(&book().join("img").join(name), &bytes, &mut problems);
        }
    }
    none(&problems);
}

#[test]
fn commands_of_the_readme_run_and_print_what_it_shows() {
    run_pages(&[Page::read(root().join("README.md"))]);
}

#[test]
fn commands_of_the_book_run_and_print_what_it_shows() {
    run_pages(&book_pages());
}

#[test]
fn generated_pages_are_those_of_the_code() {
    let mut problems = Vec::new();
    for (name, text) in generated::pages() {
        check_file(&book().join(name), text.as_bytes(), &mut problems);
    }
    none(&problems);
}

#[test]
fn the_reference_names_every_command_format_key_and_schema() {
    let missing = complete::missing();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The file that a link of `page` leads to; `None` for one that leaves the project or stays on the page.
fn linked(page: &Page, link: &str) -> Option<std::path::PathBuf> {
    let path = link.split('#').next().unwrap_or("");
    if path.is_empty() || link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let target = page.path.parent()?.join(path);
    // The schemas are put beside the built pages.
    let schema = path.trim_start_matches("../").strip_prefix("schema/");
    Some(schema.map_or(target, |name| root().join("docs/schema").join(name)))
}

#[test]
fn links_lead_to_files() {
    let pages = book_pages();
    let mut problems = Vec::new();
    for page in pages.iter().chain(&top_pages()) {
        for link in page.links() {
            if linked(page, &link).is_some_and(|target| !target.exists()) {
                problems.push(format!("{}: {link} leads nowhere", page.name()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_page_is_in_the_table_of_contents_and_every_picture_and_example_is_used() {
    let pages = book_pages();
    let summary = pages.iter().find(|p| p.path.ends_with("SUMMARY.md"));
    let listed = summary.unwrap().links();
    let texts: String = pages.iter().chain(&top_pages()).map(|p| &*p.text).collect();
    let mut problems = Vec::new();
    for page in &pages {
        let name = page.path.strip_prefix(book()).unwrap();
        if !page.path.ends_with("SUMMARY.md") && !listed.iter().any(|l| Path::new(l) == name) {
            problems.push(format!("{} is not in SUMMARY.md", page.name()));
        }
    }
    for folder in ["img", "examples"] {
        for entry in std::fs::read_dir(book().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if !texts.contains(&name) {
                problems.push(format!("{folder}/{name} is on no page"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
#[ignore = "needs the built book: docs/build.sh"]
fn links_and_anchors_of_the_built_book_lead_somewhere() {
    let folder = std::env::var_os("DISKCAP_BOOK").map_or(root().join("docs/book"), Into::into);
    let problems = built::broken_links(&folder);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
