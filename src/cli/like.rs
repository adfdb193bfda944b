//! Naming a deployment that something is to be like.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::failure::Failure;
use super::input::read_text;
use diskcap::catalog::Catalog;
use diskcap::planner::Assessment;
use diskcap::recommend::Need;
use diskcap::recommend::like::{Like, Wanted, like};
use diskcap::report::saved::read_assessed;

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
    /// The need of the deployment that is named, where one is.
    pub fn read(&self, catalog: &Catalog) -> Result<Option<(Need, Like)>, Failure> {
        let Some(path) = &self.like else {
            return Ok(None);
        };
        let (text, file) = read_text(path)?;
        let (name, assessment) = self.one(read_assessed(&text, &file)?, file)?;
        let wanted = if self.uncapped {
            Wanted::Provisioned
        } else {
            Wanted::Delivered
        };
        Ok(Some(like(catalog, &assessment, &name, wanted)?))
    }

    /// The one that is meant.
    fn one(
        &self,
        mut all: Vec<(String, Assessment)>,
        file: String,
    ) -> Result<(String, Assessment), LikeArgError> {
        let names =
            |all: &[(String, Assessment)]| all.iter().map(|(name, _)| name.clone()).collect();
        if let Some(asked) = &self.like_vm {
            let found = all
                .iter()
                .position(|(name, _)| name.eq_ignore_ascii_case(asked));
            return match found {
                Some(position) => Ok(all.swap_remove(position)),
                None => Err(LikeArgError::Unknown {
                    file,
                    asked: asked.clone(),
                    names: names(&all),
                }),
            };
        }
        match all.pop() {
            None => Err(LikeArgError::None(file)),
            Some(only) if all.is_empty() => Ok(only),
            Some(last) => {
                all.push(last);
                Err(LikeArgError::Several {
                    file,
                    names: names(&all),
                })
            }
        }
    }
}
