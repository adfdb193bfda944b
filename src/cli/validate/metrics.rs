//! Azure Monitor's metrics: of the live cloud, or saved.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::super::failure::{Failure, say};
use super::Nothing;
use diskcap::azure::facts::FleetFacts;
use diskcap::azure::metrics::Metrics;
use diskcap::azure::metrics::ask::{Lookback, LookbackError};

/// How far back the live cloud is asked, or a file of saved metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetricsArg {
    Lookback(Lookback),
    File(PathBuf),
}

impl FromStr for MetricsArg {
    type Err = LookbackError;

    /// A time, unless there is a file of that name; what is neither is taken for the one that it looks like.
    fn from_str(input: &str) -> Result<Self, LookbackError> {
        let path = PathBuf::from(input);
        let begins_as_time = input.starts_with(|c: char| c.is_ascii_digit());
        if path.exists() || !begins_as_time || input.contains(['/', '\\', '.']) {
            return Ok(Self::File(path));
        }
        input.parse().map(Self::Lookback)
    }
}

/// What of `--metrics` is to be read from where.
#[derive(Debug, Default)]
pub struct Wanted {
    /// How far back the live cloud is asked.
    pub lookback: Option<Lookback>,
    /// Files.
    pub files: Vec<PathBuf>,
}

impl Wanted {
    /// Sorts the arguments out.
    pub fn new(args: &[MetricsArg], live: bool) -> Result<Self, Failure> {
        let mut wanted = Self::default();
        for arg in args {
            match arg {
                MetricsArg::File(path) => wanted.files.push(path.clone()),
                MetricsArg::Lookback(_) if !live => {
                    return Err(Nothing(
                        "--metrics with a time asks the live cloud: beside --from name files of `az monitor metrics \
                         list`, or put them among those of --from"
                            .to_owned(),
                    )
                    .into());
                }
                MetricsArg::Lookback(lookback) => wanted.lookback = Some(*lookback),
            }
        }
        Ok(wanted)
    }

    /// Adds what the files say, and those among the saved answers that hold metrics, to `metrics`.
    pub fn read(&self, facts: &FleetFacts, metrics: &mut Metrics) -> Result<(), Failure> {
        for path in &self.files {
            let read = read(path)?;
            if read.is_empty() {
                return Err(Nothing(format!(
                    "{}: no metrics of disks were found; wanted is the JSON of `az monitor metrics list` with metrics \
                     such as 'VM Uncached IOPS Consumed Percentage' (a CSV of IOPS and MB/s over time is for `diskcap \
                     bench series` and `diskcap simulate --trace`)",
                    path.display()
                ))
                .into());
            }
            metrics.absorb(read);
        }
        for source in &facts.metric_sources {
            let path = Path::new(&**source);
            if path.is_file() {
                metrics.absorb(read(path)?);
            } else {
                say(&format!(
                    "note: the metrics on {source} are not looked at: name a file with --metrics"
                ));
            }
        }
        Ok(())
    }
}

fn read(path: &Path) -> Result<Metrics, Failure> {
    let name = path.display().to_string();
    let file = File::open(path)
        .map_err(|error| Nothing(format!("--metrics: cannot open '{name}': {error}")))?;
    Ok(Metrics::read(file, &name)?)
}

/// Says what is odd about the metrics, and of which names there is no VM.
pub fn tell(metrics: &Metrics, facts: &FleetFacts) {
    for (source, notice) in metrics.notices() {
        say(&format!("note: {source}: {notice}"));
    }
    let vms = facts.vms.len();
    if vms > 1 && metrics.has_unnamed() {
        say(&format!(
            "note: metrics that name no resource are not looked at: there are {vms} VMs (--vm picks one)"
        ));
    }
    let strangers = metrics.strangers(facts);
    if !strangers.is_empty() {
        let shown = strangers.iter().take(10).copied().collect::<Vec<_>>();
        let more = match strangers.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        say(&format!(
            "note: metrics of {}{more}, of which no VM or disk was read, are not looked at",
            shown.join(", ")
        ));
    }
}
