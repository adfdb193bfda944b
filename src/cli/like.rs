//! Naming a deployment that something is to be like.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::failure::Failure;
use super::input::read_text;
use super::plan_source::{named, one};
use diskcap::catalog::Catalog;
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

/// Why a file cannot be taken.
#[derive(Debug, thiserror::Error)]
enum LikeArgError {
    #[error(
        "'{0}' is a plan file, and what it delivers is wanted: diskcap plan {0} --cost --format json --output plan.json, then --like plan.json"
    )]
    PlanFile(String),
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
        let (path, vm) = named(path).unwrap_or_else(|| (path.clone(), None));
        let (text, file) = read_text(&path)?;
        let asked = self.like_vm.as_deref().or(vm.as_deref());
        let such_as = |name: &str| format!(" with --like-vm, such as {name}");
        let today = one(read_assessed(&text, &file)?, &file, asked, such_as)?;
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
}
