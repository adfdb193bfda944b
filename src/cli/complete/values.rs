//! What the arguments of the command line can be, by their ids: the one place that knows.

use std::ffi::OsStr;

use clap::{Arg, ValueHint};
use clap_complete::{ArgValueCompleter, CompletionCandidate};

use super::{spec, volume};
use diskcap::azure::client::{AuthMethod, Cloud};
use diskcap::azure::retail::CURRENCIES;
use diskcap::catalog::price::embedded_regions;
use diskcap::catalog::{Catalog, Tier, VmOrder, VmSize};
use diskcap::recommend::emit::Language;
use diskcap::report::Format;
use diskcap::report::views::explain::Explained;
use diskcap::units::GiB;
use diskcap::workload::PROFILES;

/// What can stand for a text that was begun.
type Completer = fn(&str) -> Vec<CompletionCandidate>;

/// How each argument is completed, by its id and the name of its value: `--vm NAME` of a deployed VM is no size.
const COMPLETERS: [(&str, &str, Completer); 19] = [
    ("vm", "SIZE", sizes),
    ("names", "NAME", sizes),
    ("name", "NAME", skus),
    ("disk", "SPEC", spec::candidates),
    ("disks", "SPEC", spec::candidates),
    ("region", "REGION", regions),
    ("profile", "NAME", profiles),
    ("profile", "[VOLUME=]NAME", profiles_of_volumes),
    ("volume", "NAME:KEY=VALUE,...", volume::candidates),
    ("id", "FINDING-ID", findings),
    ("format", "FORMAT", formats),
    ("series", "SERIES", series),
    ("series", "SERIES,...", series),
    ("not_series", "SERIES,...", series),
    ("family", "NAME,...", families),
    ("cloud", "CLOUD", clouds),
    ("auth", "METHOD", ways_to_sign_in),
    ("emit", "LANGUAGE", languages),
    ("currency", "CODE", currencies),
];

/// Arguments that are files, where their type does not say so.
const FILES: [&str; 1] = ["files"];

/// The argument with what it can be.
pub fn put_on(arg: Arg) -> Arg {
    let id = arg.get_id().as_str();
    if FILES.contains(&id) {
        return arg.value_hint(ValueHint::FilePath);
    }
    let completer = COMPLETERS
        .iter()
        .find(|(known, value, _)| *known == id && is_of(&arg, value));
    match completer {
        Some((.., completer)) => arg.add(ArgValueCompleter::new(lossless(*completer))),
        None => arg,
    }
}

/// Whether the argument's value goes by this name.
pub fn is_of(arg: &Arg, value: &str) -> bool {
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().any(|name| name.as_str() == value)
}

/// The completer for words as the system has them; those that are no text have no completions.
fn lossless(completer: Completer) -> impl Fn(&OsStr) -> Vec<CompletionCandidate> {
    move |begun| begun.to_str().map_or_else(Vec::new, completer)
}

/// The words that go on where `begun` ends, in any case, each with a few words about it.
pub fn beginning<'a, H: Into<String>>(
    begun: &str,
    words: impl IntoIterator<Item = (&'a str, H)>,
) -> Vec<CompletionCandidate> {
    let fits = |word: &str| {
        let head = word.get(..begun.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(begun))
    };
    let words = words.into_iter().filter(|(word, _)| fits(word));
    words
        .map(|(word, help)| {
            let help: String = help.into();
            CompletionCandidate::new(word).help((!help.is_empty()).then(|| help.into()))
        })
        .collect()
}

/// VM sizes, without `Standard_` unless it was begun so. No letters yet stand for every size.
fn sizes(begun: &str) -> Vec<CompletionCandidate> {
    let mut sizes: Vec<&VmSize> = Catalog::embedded().vms().iter().collect();
    VmOrder::default().sort(&mut sizes);
    sizes.dedup_by(|a, b| a.name == b.name);
    let whole = begun.len() > 1 && "standard_".starts_with(&begun.to_ascii_lowercase())
        || begun.to_ascii_lowercase().starts_with("standard_");
    let words = sizes.iter().map(|vm| {
        let short = vm.name.strip_prefix("Standard_").unwrap_or(&vm.name);
        (if whole { &vm.name } else { short }, about_size(vm))
    });
    beginning(begun, words)
}

/// `8 vCPUs, 32 GiB, 12,800 IOPS`; what is not known is left out.
fn about_size(vm: &VmSize) -> String {
    let memory = vm.memory.map(|memory| memory.to_string());
    let iops = vm.uncached.base.iops;
    let parts = [
        Some(format!("{} vCPUs", vm.vcpus)),
        memory,
        iops.map(|iops| format!("{iops} uncached IOPS")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Everything that `skus show` shows.
fn skus(begun: &str) -> Vec<CompletionCandidate> {
    let mut all = spec::skus(begun);
    all.extend(sizes(begun));
    all
}

/// `1,024 GiB, 5,000 IOPS, 200 MB/s`.
pub fn about_tier(tier: &Tier) -> String {
    let iops = tier.limits.iops.map(|iops| format!("{iops} IOPS"));
    let mbps = tier.limits.mbps.map(|mbps| format!("{mbps} MB/s"));
    let capacity = GiB::new(f64::from(tier.max_gib)).ok();
    let parts = [capacity.map(|gib| gib.to_string()), iops, mbps];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn regions(begun: &str) -> Vec<CompletionCandidate> {
    beginning(begun, embedded_regions().map(|region| (region, "")))
}

fn languages(begun: &str) -> Vec<CompletionCandidate> {
    beginning(begun, Language::ALL.map(|(name, _)| (name, "")))
}

fn currencies(begun: &str) -> Vec<CompletionCandidate> {
    beginning(begun, CURRENCIES.map(|code| (code, "")))
}

pub fn profiles(begun: &str) -> Vec<CompletionCandidate> {
    beginning(
        begun,
        PROFILES.iter().map(|profile| (profile.name, profile.title)),
    )
}

/// Profiles, behind the volume where one was begun with.
fn profiles_of_volumes(begun: &str) -> Vec<CompletionCandidate> {
    match begun.split_once('=') {
        None => profiles(begun),
        Some((volume, begun)) => {
            let found = profiles(begun).into_iter();
            found
                .map(|profile| profile.add_prefix(format!("{volume}=")))
                .collect()
        }
    }
}

fn findings(begun: &str) -> Vec<CompletionCandidate> {
    beginning(begun, Explained::all().map(|found| (found.id, found.title)))
}

fn formats(begun: &str) -> Vec<CompletionCandidate> {
    beginning(begun, Format::ALL.map(|format| (format.name(), "")))
}

fn series(begun: &str) -> Vec<CompletionCandidate> {
    let mut all: Vec<&str> = Catalog::embedded()
        .vms()
        .iter()
        .map(|vm| vm.series.as_str())
        .collect();
    all.sort_unstable();
    all.dedup();
    beginning(begun, all.into_iter().map(|series| (series, "")))
}

/// The families that disks are chosen from.
const FAMILIES: [&str; 5] = ["premium", "standardssd", "hdd", "v2", "ultra"];

fn families(begun: &str) -> Vec<CompletionCandidate> {
    beginning(begun, FAMILIES.map(|word| (word, "")))
}

fn clouds(begun: &str) -> Vec<CompletionCandidate> {
    beginning(begun, Cloud::ALL.map(|cloud| (cloud.name(), "")))
}

fn ways_to_sign_in(begun: &str) -> Vec<CompletionCandidate> {
    beginning(
        begun,
        AuthMethod::ALL.map(|way| (way.name(), way.to_string())),
    )
}

/// The words of candidates.
#[cfg(test)]
pub fn texts(candidates: Vec<CompletionCandidate>) -> Vec<String> {
    let words = candidates.into_iter();
    words
        .map(|word| word.get_value().to_string_lossy().into_owned())
        .collect()
}
