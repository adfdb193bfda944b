//! Where a plan is read from: a plan file, or a result that was saved.

use std::path::{Path, PathBuf};

use super::failure::{Failure, say};
use super::input::read_text;
use diskcap::deployment::plan_file::PlanFile;
use diskcap::report::saved::{Assessed, read_assessed};

/// Why no VM of a saved result can be taken.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("'{0}' has no VM of which disks are known")]
    None(String),
    #[error("'{file}' has {count} VMs: name one{how}")]
    Several {
        file: String,
        count: usize,
        how: String,
    },
    #[error("'{file}' has no VM '{asked}': it has {}", .names.join(", "))]
    Unknown {
        file: String,
        asked: String,
        names: Vec<String>,
    },
    #[error("'{file}', {name}: {source}")]
    Spec {
        file: String,
        name: String,
        source: Box<diskcap::deployment::SpecError>,
    },
}

/// The plan at `path`: a plan file, or of a result that `plan` or `validate` saved as JSON what was planned or is deployed.
pub fn read(path: &Path) -> Result<PlanFile, Failure> {
    let Some(saved) = saved(path)? else {
        return Ok(PlanFile::read(path)?);
    };
    let file = path.display().to_string();
    let replanned = saved.replan().map_err(|source| SourceError::Spec {
        file: file.clone(),
        name: saved.name,
        source: Box::new(source),
    })?;
    if !replanned.unknown.is_empty() {
        say(&format!(
            "note: '{file}' does not know the limits of {}: custom volumes without limits and caching take their place; \
             --disk NAME=SPEC says what they are",
            replanned.unknown.join(", ")
        ));
    }
    if !replanned.left_out.is_empty() {
        say(&format!(
            "note: the workloads of '{file}' are left out, of which a plan has one ({}): --profile asks for them",
            replanned.left_out.join(", ")
        ));
    }
    Ok(PlanFile {
        path: Some(file),
        ..replanned.plan
    })
}

/// What was saved at `path`, of one VM; `None` for another file.
pub fn saved(path: &Path) -> Result<Option<Assessed>, Failure> {
    let Some((file, vm)) = named(path) else {
        return Ok(None);
    };
    let (text, file) = read_text(&file)?;
    let such_as = |name: &str| format!(", such as {file}#{name}");
    let all = read_assessed(&text, &file)?;
    Ok(Some(one(all, &file, vm.as_deref(), such_as)?))
}

/// The one that is meant, named by `asked` where there are several; `such_as` says how one is named.
pub fn one(
    mut all: Vec<Assessed>,
    file: &str,
    asked: Option<&str>,
    such_as: impl Fn(&str) -> String,
) -> Result<Assessed, SourceError> {
    let meant = |one: &Assessed| asked.is_none_or(|asked| one.name.eq_ignore_ascii_case(asked));
    let (file, count) = (file.to_owned(), all.len());
    match (all.iter().position(meant), asked) {
        (Some(_), None) if count > 1 => Err(SourceError::Several {
            file,
            count,
            how: such_as(&all[0].name),
        }),
        (Some(index), _) => Ok(all.swap_remove(index)),
        (None, Some(asked)) => Err(SourceError::Unknown {
            file,
            asked: asked.to_owned(),
            names: all.into_iter().map(|one| one.name).collect(),
        }),
        (None, None) => Err(SourceError::None(file)),
    }
}

/// The file of a saved result, and the VM of it that is meant: `FILE.json`, `FILE.json#VM`; `None` for another file.
pub fn named(path: &Path) -> Option<(PathBuf, Option<String>)> {
    let is_json = |path: &Path| {
        let ending = path.extension();
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
    };
    if is_json(path) {
        return Some((path.to_owned(), None));
    }
    let (file, vm) = path.to_str()?.rsplit_once('#')?;
    let named = !vm.is_empty() && is_json(Path::new(file)) && !path.exists();
    named.then(|| (file.into(), Some(vm.to_owned())))
}
