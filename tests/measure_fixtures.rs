//! Drop a result file into `tests/fixtures/measure/` and it is a test: what is read from it must equal the golden of the
//! same name in `golden/`. `DISKCAP_BLESS=1` writes the goldens; read them before they are committed.

#![expect(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::fs;
use std::path::{Path, PathBuf};

use diskcap::measure::read::read_path;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/measure")
}

/// What reading gives, as JSON; the input goes by its bare name, so that messages do not depend on the place.
fn reading(path: &Path) -> Value {
    match read_path(path) {
        Ok(runs) => json!(runs),
        Err(error) => {
            let shown = path.display().to_string();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            json!({ "error": error.to_string().replace(&shown, &name) })
        }
    }
}

#[test]
fn every_fixture_reads_as_its_golden_says() {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    assert!(
        files.len() >= 20,
        "only {} fixtures were found",
        files.len()
    );
    let bless = std::env::var_os("DISKCAP_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in &files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let golden = folder().join("golden").join(format!("{name}.json"));
        let text = format!("{:#}\n", reading(path));
        if bless {
            fs::write(&golden, &text).unwrap();
        }
        if fs::read_to_string(&golden).ok().as_deref() != Some(text.as_str()) {
            wrong.push(name);
        }
    }
    assert!(
        wrong.is_empty(),
        "read otherwise than their goldens say (DISKCAP_BLESS=1 writes them anew): {wrong:?}"
    );
}

#[test]
fn every_golden_has_its_fixture() {
    for entry in fs::read_dir(folder().join("golden")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let fixture = name.strip_suffix(".json").unwrap();
        assert!(folder().join(fixture).is_file(), "{name} has no fixture");
    }
}
