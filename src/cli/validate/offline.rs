//! What was saved.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::{Timestamp, tz::TimeZone};

use super::super::failure::{Failure, USAGE};
use super::super::progress::Watch;
use super::{Gathered, Nothing};
use diskcap::azure::arm::files::read_paths_through;
use diskcap::azure::arm::read::read_stream;
use diskcap::azure::facts::{Chosen, FleetFacts, SkuFacts, Weight};
use diskcap::azure::metrics::Metrics;
use diskcap::catalog::Dataset;

/// What was saved of the cloud.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Saved answers")]
pub struct OfflineArgs {
    /// Files and folders of saved answers (JSON, NDJSON, Resource Graph CSV); - is standard input
    #[arg(
        long,
        value_name = "DIR|FILE",
        num_args = 1..,
        conflicts_with_all = ["subscription", "resource_group", "management_group"]
    )]
    from: Vec<PathBuf>,
}

/// What is looked for in files, in words.
const WANTED: &str = "`az vm show|list`, `az disk show|list`, answers of the REST API, PowerShell or Resource Graph exports";

impl OfflineArgs {
    /// Whether there are saved answers to read.
    pub const fn asked(&self) -> bool {
        !self.from.is_empty()
    }

    /// Reads them, and leaves what is `chosen`: everything where nothing is.
    pub fn gather(&self, chosen: &[Chosen], watch: &Watch) -> Result<Gathered, Failure> {
        if self.from.is_empty() {
            return Err(Nothing(
                "name what to validate: saved answers with --from, or --subscription (with --resource-group and --vm), \
                 --id or --management-group"
                    .to_owned(),
            )
            .into());
        }
        let mut facts = read(&self.from, watch)?;
        let some = !facts.vms.is_empty() || !facts.disks.is_empty();
        if some && !chosen.is_empty() {
            facts = facts.only(chosen)?;
        }
        let names: Vec<String> = self
            .from
            .iter()
            .map(|path| format!("'{}'", path.display()))
            .collect();
        let unusable = facts
            .problems
            .iter()
            .filter(|problem| problem.problem.weight() == Weight::Error);
        Ok(Gathered {
            what: format!("{} (looked for {WANTED})", names.join(", ")),
            skus: list_of(&facts),
            failed: unusable.map(ToString::to_string).collect(),
            code: USAGE,
            metrics: Metrics::default(),
            facts,
        })
    }
}

fn read(paths: &[PathBuf], watch: &Watch) -> Result<FleetFacts, Failure> {
    let is_stdin = |path: &&PathBuf| path.as_os_str() == "-";
    let (stdin, named): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(is_stdin);
    let bar = watch.bytes();
    let read = read_paths_through(&named, |file| bar.wrap_read(file));
    let mut facts = match read {
        Err(error) if !stdin.is_empty() => {
            let mut facts = FleetFacts::default();
            error.note(&mut facts);
            facts
        }
        read => read?,
    };
    if !stdin.is_empty() {
        let source: Arc<str> = "standard input".into();
        read_stream(bar.wrap_read(io::stdin().lock()), source, &mut facts);
    }
    facts.conclude();
    bar.finish_and_clear();
    Ok(facts)
}

/// Where the SKUs come from: their file, and the day it was saved.
fn list_of(facts: &FleetFacts) -> Dataset {
    let first = facts.skus.iter().find_map(|sku| match sku {
        SkuFacts::Vm(vm) => Some(vm.size.origin.source.as_str()),
        SkuFacts::Disk(_) => None,
    });
    let file = first.unwrap_or_default();
    let saved = Path::new(file).metadata().and_then(|of| of.modified());
    let day = saved.ok().and_then(|time| Timestamp::try_from(time).ok());
    Dataset {
        source: format!("the SKU list in {file}"),
        date: day.map_or_else(
            || "unknown date".to_owned(),
            |day| {
                let day = TimeZone::UTC.to_datetime(day).date();
                format!("file of {day} (the list itself has no date)")
            },
        ),
    }
}
