//! Naming a deployment that something is to be like.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::failure::Failure;
use super::input::read_text;
use diskcap::catalog::Catalog;
use diskcap::recommend::Need;
use diskcap::recommend::like::{Like, Wanted, like};
use diskcap::report::saved::{Assessed, read_assessed};

/// A need that is taken from what is planned or deployed.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Like")]
pub struct LikeArgs {
    /// What a plan or a deployed VM delivers today: a result saved by plan or validate with --format json (- is stdin)
    #[arg(long, value_name = "FILE.json", conflicts_with = "file")]
    like: Option<PathBuf>,
    /// Which VM of a validation with several
    #[arg(long, value_name = "NAME", requires = "like")]
    like_vm: Option<String>,
    /// Not what it delivers, but all that its disks are provisioned for: lifts the ceilings that hold them back
    #[arg(long, requires = "like")]
    uncapped: bool,
}

/// Why no VM of a file can be taken.
#[derive(Debug, thiserror::Error)]
enum LikeArgError {
    #[error(
        "'{0}' is a plan file, and what it delivers is wanted: diskcap plan {0} --cost --format json --output plan.json, then --like plan.json"
    )]
    PlanFile(String),
    #[error("'{0}' has no VM of which disks are known")]
    None(String),
    #[error("'{file}' has {} VMs: name one with --like-vm, such as {}", .names.len(), .names[0])]
    Several { file: String, names: Vec<String> },
    #[error("'{file}' has no VM '{asked}': it has {}", .names.join(", "))]
    Unknown {
        file: String,
        asked: String,
        names: Vec<String>,
    },
}

impl LikeArgs {
    /// The need of the deployment that is named, where one is, in its region unless another is told.
    pub fn read(&self, catalog: &Catalog) -> Result<Option<(Need, Like)>, Failure> {
        let Some(path) = &self.like else {
            return Ok(None);
        };
        let is_plan_file = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("toml"));
        if is_plan_file {
            return Err(LikeArgError::PlanFile(path.display().to_string()).into());
        }
        let (text, file) = read_text(path)?;
        let today = self.one(read_assessed(&text, &file)?, file)?;
        let wanted = if self.uncapped {
            Wanted::Provisioned
        } else {
            Wanted::Delivered
        };
        let (mut need, mut like) = like(catalog, &today.assessment, &today.name, wanted)?;
        today.deployed.constrain(&mut need);
        like.heed(today.deployed);
        Ok(Some((need, like)))
    }

    /// The one that is meant.
    fn one(&self, mut all: Vec<Assessed>, file: String) -> Result<Assessed, LikeArgError> {
        let names = |all: &[Assessed]| all.iter().map(|one| one.name.clone()).collect();
        if let Some(asked) = &self.like_vm {
            let found = all
                .iter()
                .position(|one| one.name.eq_ignore_ascii_case(asked));
            return match found {
                Some(position) => Ok(all.swap_remove(position)),
                None => Err(LikeArgError::Unknown {
                    file,
                    asked: asked.clone(),
                    names: names(&all),
                }),
            };
        }
        match all.len() {
            0 => Err(LikeArgError::None(file)),
            1 => Ok(all.swap_remove(0)),
            _ => Err(LikeArgError::Several {
                file,
                names: names(&all),
            }),
        }
    }
}
