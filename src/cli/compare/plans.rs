//! `diskcap compare plans`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::cli::catalog::catalog;
use crate::cli::config::Settings;
use crate::cli::day::today;
use crate::cli::failure::{Failure, say};
use crate::cli::money::{PriceArgs, ShownPriceArgs};
use crate::cli::output::OutputArgs;
use crate::cli::plan_source;
use diskcap::catalog::Catalog;
use diskcap::catalog::price::{PriceBook, VmOffer};
use diskcap::compare::{PlanInput, compare_plans};
use diskcap::deployment::PlanRequest;
use diskcap::deployment::plan_file::PlanFile;
use diskcap::planner::money::price;
use diskcap::planner::{Assessment, assess};
use diskcap::report::saved::Assessed;

/// Two or more plans side by side, differences first
///
/// Changes are against the first plan. Volumes are matched by name; those that nobody named by hand, by their order. What
/// plan or validate saved as JSON is taken, too (of one VM among several: FILE.json#VM). All are priced alike, whichever prices
/// were saved, in the region of the first plan that names one.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  diskcap compare plans today.toml tomorrow.toml
  diskcap compare plans small.toml large.toml larger.toml --format markdown
  diskcap compare plans saved.json plan.toml --table differences --format csv")]
pub struct Args {
    /// Plan files, two or more
    #[arg(value_name = "FILE", num_args = 2.., required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    prices: ShownPriceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// A plan that was read.
enum Read {
    File(Box<PlanFile>),
    Saved(Box<Assessed>),
}

pub fn run(args: &Args, settings: &Settings) -> Result<ExitCode, Failure> {
    let mut plans = Vec::new();
    for path in &args.files {
        plans.push((path, read(path)?));
    }
    let region = plans.iter().find_map(|(_, read)| match read {
        Read::File(file) => file.region.clone(),
        Read::Saved(saved) => saved.deployed.region.clone(),
    });
    let book = args.prices.book(region.as_deref(), settings)?;
    let prices = &args.prices.prices;
    let mut inputs = Vec::new();
    for (_, read) in plans {
        inputs.push(input(catalog(settings), read, book.as_ref(), prices)?);
    }
    let labels = labels(&args.files, &inputs);
    for (input, label) in inputs.iter_mut().zip(labels) {
        input.label = label;
    }
    args.output.show(&compare_plans(&inputs), settings)?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Read, Failure> {
    if let Some(saved) = plan_source::saved(path)? {
        return Ok(Read::Saved(Box::new(saved)));
    }
    let file = PlanFile::read(path)?;
    if let Some(note) = file.note_of_steps() {
        say(&note);
    }
    Ok(Read::File(Box::new(file)))
}

fn input(
    catalog: &Catalog,
    read: Read,
    book: Option<&PriceBook>,
    prices: &PriceArgs,
) -> Result<PlanInput, Failure> {
    let assessment = match read {
        Read::Saved(saved) => priced(catalog, *saved, book, prices)?,
        Read::File(file) => assessed(catalog, *file, book, prices.offer())?,
    };
    Ok(PlanInput {
        label: String::new(),
        assessment,
    })
}

/// A saved result with the prices of the comparison, whichever it was saved with; bought as it was, unless a flag says
/// otherwise.
fn priced(
    catalog: &Catalog,
    saved: Assessed,
    book: Option<&PriceBook>,
    prices: &PriceArgs,
) -> Result<Assessment, Failure> {
    let mut assessment = saved.assessment;
    let offer = prices.offer_of(saved.deployed.offer);
    match book {
        Some(book) => assessment.price_again(catalog, book, offer)?,
        None => assessment.cost = None,
    }
    Ok(assessment)
}

fn assessed(
    catalog: &Catalog,
    file: PlanFile,
    book: Option<&PriceBook>,
    offer: VmOffer,
) -> Result<Assessment, Failure> {
    let request = PlanRequest {
        file,
        day: Some(today()),
        ..PlanRequest::default()
    };
    let plan = request.build(catalog)?;
    let mut assessment = assess(catalog, &plan.deployment, &plan.workloads);
    assessment.name = plan.name;
    if let Some(book) = book {
        price(catalog, &plan.deployment, book, offer, &mut assessment);
    }
    Ok(assessment)
}

/// What the plans are called: by their names where every one has its own, else by their files' names, else by their
/// paths.
fn labels(files: &[PathBuf], plans: &[PlanInput]) -> Vec<String> {
    let names = plans.iter().map(|plan| plan.assessment.name.clone());
    let stems = files.iter().map(|path| {
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        stem.to_string_lossy().into_owned()
    });
    let names: Option<Vec<String>> = names.collect();
    let stems: Vec<String> = stems.collect();
    if let Some(distinct) = names
        .into_iter()
        .chain([stems])
        .find(|labels| are_distinct(labels))
    {
        return distinct;
    }
    let paths = files.iter().enumerate();
    paths
        .map(|(number, path)| {
            let again = files[..number].contains(path);
            let path = path.display();
            if again {
                format!("{path} ({})", number + 1)
            } else {
                path.to_string()
            }
        })
        .collect()
}

fn are_distinct(labels: &[String]) -> bool {
    let mut sorted: Vec<&String> = labels.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}
