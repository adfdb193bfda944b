//! What somebody may have meant who gave a command a file that it cannot use: looked up once the command has failed.

use std::path::Path;

use clap::ArgMatches;

use diskcap::catalog::Catalog;
use diskcap::deployment::DiskSpec;
use diskcap::deployment::plan_file::PlanFile;
use diskcap::measure::model::Run;
use diskcap::measure::read::read_path;
use diskcap::report::saved;

use super::input::read_text;

/// The arguments that name files.
const FILES: [&str; 2] = ["file", "files"];

/// Larger files are not looked into: an answer is wanted at once.
const LARGEST: u64 = 16 << 20;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plan,
    /// A saved result.
    Saved,
    /// A saved result that holds a plan.
    Assessed,
    Measured,
    /// Counters over time.
    Logged,
}

/// A tip for whoever typed these arguments; `None` where nothing is recognised.
pub fn of(matches: &ArgMatches) -> Option<String> {
    let (mut words, mut matches) = (Vec::new(), matches);
    while let Some((name, below)) = matches.subcommand() {
        words.push(name);
        matches = below;
    }
    let command = words.join(" ");
    let given = FILES
        .iter()
        .filter_map(|id| matches.try_get_raw(id).ok().flatten());
    let mut given = given.flatten().filter_map(|word| word.to_str());
    let of_files = given.find_map(|word| {
        let path = Path::new(word);
        if path.is_file() {
            other_command(&command, path)
        } else {
            flag(&command, word, matches)
        }
    });
    of_files.or_else(|| disk_for_size(matches))
}

/// A disk where a VM size belongs.
fn disk_for_size(matches: &ArgMatches) -> Option<String> {
    let mut given = matches.try_get_raw("vm").ok().flatten()?;
    let word = given.next()?.to_str()?;
    let is_disk = word.parse::<DiskSpec>().is_ok() && Catalog::embedded().vm(word, None).is_err();
    is_disk.then(|| format!("'{word}' is a disk: give it with --disk, and the VM size with --vm"))
}

/// The flag for a word that is no file.
fn flag(command: &str, word: &str, matches: &ArgMatches) -> Option<String> {
    let takes = |id: &str| matches.try_contains_id(id).is_ok();
    if takes("vm") && Catalog::embedded().vm(word, None).is_ok() {
        return Some(format!(
            "a VM size is given with --vm: diskcap {command} --vm {word}"
        ));
    }
    let is_disk = word.parse::<DiskSpec>().is_ok();
    (takes("disk") && is_disk)
        .then(|| format!("a disk is given with --disk: diskcap {command} --disk {word}"))
}

/// The command for a file that is something else.
fn other_command(command: &str, path: &Path) -> Option<String> {
    let (takers, tip): (&[&str], _) = match kind(path)? {
        Kind::Plan => (&["plan", "simulate", "compare plans"], "it is a plan file"),
        Kind::Saved => (&["render"], "it is a saved result"),
        Kind::Assessed => (
            &["render", "compare plans", "plan", "simulate"],
            "it is a saved result",
        ),
        Kind::Measured => (&["bench"], "measured results are judged with"),
        Kind::Logged => (
            &["bench series", "bench twins", "bench"],
            "disks over time are judged with",
        ),
    };
    // Where the command takes such files, something else is wrong, and it has been said.
    let elsewhere = !takers.contains(&command);
    elsewhere.then(|| format!("{tip}: diskcap {} {}", takers[0], path.display()))
}

fn kind(path: &Path) -> Option<Kind> {
    if path.metadata().ok()?.len() > LARGEST {
        return None;
    }
    let (text, name) = read_text(path).ok()?;
    if saved::read_assessed(&text, &name).is_ok() {
        return Some(Kind::Assessed);
    }
    if saved::read(&text, &name).is_ok() {
        return Some(Kind::Saved);
    }
    let plan = PlanFile::parse(&text, &name);
    if plan.is_ok_and(|plan| !plan.is_empty()) {
        return Some(Kind::Plan);
    }
    // Only what `bench` would judge: a file without a figure is none.
    let figures = |runs: &[Run]| {
        let mut tests = runs.iter().flat_map(|run| &run.tests);
        tests.any(|test| test.iops.is_some() || test.mbps.is_some())
    };
    let runs = read_path(path).ok()?;
    let logged = runs.iter().all(|run| run.format.is_counters());
    let kind = if logged { Kind::Logged } else { Kind::Measured };
    figures(&runs).then_some(kind)
}
