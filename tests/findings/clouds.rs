//! That the planner knows no cloud.

use std::path::{Path, PathBuf};

/// A rule of a cloud, and what it calls its things, is the catalogue's: the planner asks for it.
#[test]
fn the_planner_names_no_cloud() {
    const NAMES: [&str; 14] = [
        "azure",
        "microsoft",
        "amazon",
        "aws",
        "google",
        "premium ssd",
        "standard ssd",
        "standard hdd",
        "ultra disk",
        "v2/ultra",
        "az vm",
        "family::premium",
        "family::standard",
        "family::ultra",
    ];
    let mut files = Vec::new();
    sources(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/planner"),
        &mut files,
    );
    assert!(files.len() > 20, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap().to_lowercase();
        // Examples in tests may be of any cloud.
        let rules = text.split("#[cfg(test)]").next().unwrap();
        for name in NAMES {
            let mut found = rules.match_indices(name);
            let is_word = |at: usize| !rules[..at].ends_with(char::is_alphabetic);
            assert!(
                !found.any(|(at, _)| is_word(at)),
                "{}: {name}",
                file.display()
            );
        }
    }
}

fn sources(folder: PathBuf, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(path, files);
        } else {
            files.push(path);
        }
    }
}
