//! `diskcap recommend`.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args as ClapArgs;

use super::catalog::catalog;
use super::config::Settings;
use super::day::today;
use super::deployment::InterfaceArg;
use super::failure::{Failure, USAGE, say};
use super::like::LikeArgs;
use super::money::MoneyArgs;
use super::number::{count, plain, whole};
use super::output::OutputArgs;
use super::trace::TraceArgs;
use diskcap::catalog::{Bounds, Family, Interface, Redundancy};
use diskcap::measure::trace::Trace;
use diskcap::recommend::emit::{About, Language, emit};
use diskcap::recommend::from_trace::{Covered, FromTrace};
use diskcap::recommend::{
    EXAMPLE, Hold, Market, Need, NeedFile, Recommendations, VolumeNeed, frontier, recommend,
};
use diskcap::report::{Destination, Format};
use diskcap::units::{BlockSize, GiB, Iops, Latency, MBps, QueueDepth, Share};
use diskcap::workload::{Profile, UnknownProfile};

/// The cheapest VM size and disks that really deliver what is needed
///
/// Looks at every size that has a price, with every tier, setting and stripe of every disk family, and puts each answer
/// before the planner, all volumes at once. Says what is reached first, why the next cheaper size fails, and, where
/// nothing delivers, which constraint is to blame. Performance is sustained: burst credit counts only with --peak.
/// With --like, the need is what a plan or a deployed VM delivers: the same for less. With --trace, IOPS, MB/s, block size and read share are what disks were measured to do over time.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = EXAMPLES, mut_arg("cost", |arg| arg.hide(true)))]
pub struct Args {
    /// A need file; flags go over what it says
    #[arg(value_name = "FILE.toml")]
    file: Option<PathBuf>,
    /// Print a commented need file with every key
    #[arg(long, exclusive = true)]
    example: bool,
    /// How many answers to show, one a size
    #[arg(long, value_name = "N", default_value = "5", value_parser = count)]
    top: NonZeroU32,
    /// Also show what more or less performance would cost: at 1.5 x asked, every volume's IOPS (or MB/s) are half as much
    /// again
    #[arg(long)]
    frontier: bool,
    /// Write the best answer as code instead: terraform, bicep or az
    #[arg(long, value_name = "LANGUAGE", conflicts_with_all = ["format", "table", "columns", "frontier"])]
    emit: Option<Language>,
    #[command(flatten)]
    volume: VolumeArgs,
    #[command(flatten)]
    like: LikeArgs,
    #[command(flatten)]
    trace: TraceArgs,
    /// How much of what the traces show must be met: a percentile of the time, or max
    #[arg(
        long,
        value_name = "N|max",
        requires = "trace",
        default_value = "95",
        help_heading = "Trace"
    )]
    percentile: Covered,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    size: SizeArgs,
    #[command(flatten)]
    money: MoneyArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Volume, in short:
  [NAME:]size=2TiB[,KEY=VALUE,...]
  keys besides size: iops=N, mbps=N, profile=oltp, block=8KiB, read=70%,
  hit=50%, depth=N, latency=1ms, zrs

Examples:
  diskcap recommend --capacity 2TiB --iops 20000 --mbps 500
  diskcap recommend --capacity 1TiB --iops 4000 --profile oltp --series Dsv5
  diskcap recommend --volume data:size=2TiB,iops=20000,block=8KiB,read=70% --volume log:size=128,mbps=100,read=0,latency=1ms
  diskcap recommend --volume data:size=1TiB --volume log:size=64 --trace iostat.log --map sdc=data --map sdd=log
  diskcap validate --from vms.json disks.json --cost --format json > now.json && diskcap recommend --like now.json
  diskcap recommend --like plan.json --uncapped --series Ddsv5
  diskcap recommend --capacity 1TiB --mbps 250 --emit terraform > disks.tf
  diskcap recommend --example > need.toml && diskcap recommend need.toml --frontier --output need.html";

/// What is needed of one volume; several with --volume or a need file.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Volume")]
struct VolumeArgs {
    /// Capacity of a volume called data, such as 2TiB
    #[arg(long, value_name = "SIZE")]
    capacity: Option<GiB>,
    /// I/Os a second
    #[arg(long, value_name = "N", requires = "capacity")]
    iops: Option<Iops>,
    /// MB/s
    #[arg(long, value_name = "N", requires = "capacity")]
    mbps: Option<MBps>,
    /// Block size, reads and queue depth of a named workload, such as oltp (`plan --help` lists them)
    #[arg(long, value_name = "NAME", requires = "capacity", value_parser = profile)]
    profile: Option<&'static Profile>,
    /// Block size of the IOPS (4 KiB without one), or of the MB/s where no IOPS are asked (else 1 MiB)
    #[arg(long, value_name = "SIZE", requires = "capacity")]
    block_size: Option<BlockSize>,
    /// Share of reads, such as 70%
    #[arg(long, value_name = "SHARE", requires = "capacity")]
    read_share: Option<Share>,
    /// Share of the reads that the host cache answers; caching is looked at only with it
    #[arg(long, value_name = "SHARE", requires = "capacity")]
    hit_share: Option<Share>,
    /// Outstanding I/Os at most
    #[arg(long, value_name = "N", requires = "capacity")]
    queue_depth: Option<QueueDepth>,
    /// One I/O at a time takes less than this, such as 1ms
    #[arg(long, value_name = "TIME", requires = "capacity")]
    latency: Option<Latency>,
    /// Zone-redundant disks only
    #[arg(long, requires = "capacity")]
    zrs: bool,
    /// A volume in short; repeat for more
    #[arg(long, value_name = "NAME:KEY=VALUE,...")]
    volume: Vec<VolumeNeed>,
}

/// What holds for all volumes.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// How much more than asked must be possible, such as 20%
    #[arg(long, value_name = "SHARE")]
    headroom: Option<Share>,
    /// At most so many disks are striped to one volume [default: 4]
    #[arg(long, value_name = "N", value_parser = whole::<u32>)]
    max_stripe: Option<u32>,
    /// Families to choose from: premium, standardssd, hdd, v2, ultra [default: all but hdd]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = family)]
    family: Vec<Family>,
    /// Met for so many minutes from full burst credit, instead of without end
    #[arg(long, value_name = "MINUTES", value_parser = plain)]
    peak: Option<f64>,
    /// Hours of the month in which the need is there: Standard SSD and HDD bill transactions, of which the embedded prices
    /// know none (`diskcap skus update` fetches them) [default: 730]
    #[arg(long, value_name = "HOURS", value_parser = plain)]
    busy_hours: Option<f64>,
}

/// What the VM size must be like.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "VM size")]
struct SizeArgs {
    /// vCPUs: N, MIN.., ..MAX or MIN..MAX
    #[arg(long, value_name = "RANGE")]
    vcpus: Option<Bounds<u32>>,
    /// Memory in GiB: N, MIN.., ..MAX or MIN..MAX
    #[arg(long, value_name = "RANGE")]
    memory: Option<Bounds<GiB>>,
    /// Series that are allowed, such as Dsv5 or 'E*'
    #[arg(long, value_name = "SERIES,...", value_delimiter = ',')]
    series: Vec<String>,
    /// Series that are not wanted, such as 'B*'
    #[arg(long, value_name = "SERIES,...", value_delimiter = ',')]
    not_series: Vec<String>,
    /// Generation, the version in the name: N, MIN.., ..MAX or MIN..MAX
    #[arg(long, value_name = "RANGE")]
    generation: Option<Bounds<u32>>,
    /// CPU architecture: x64 or Arm64
    #[arg(long, value_name = "ARCH")]
    arch: Option<String>,
    /// Only sizes with a local disk, SCSI temp or NVMe (what is needed is never put on it)
    #[arg(long)]
    temp: bool,
    /// Only sizes that run with this disk controller
    #[arg(long, value_name = "scsi|nvme")]
    interface: Option<InterfaceArg>,
}

fn profile(name: &str) -> Result<&'static Profile, UnknownProfile> {
    Profile::named(name)
}

fn family(word: &str) -> Result<Family, String> {
    let families = diskcap::recommend::families(word)?;
    families.first().copied().ok_or_else(|| word.to_owned())
}

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    if args.example {
        Destination::Stdout.write(EXAMPLE.as_bytes(), Format::Table)?;
        return Ok(ExitCode::SUCCESS);
    }
    let file = args.file.as_deref().map(NeedFile::read).transpose()?;
    let like = args.like.read(catalog(settings))?;
    let (mut need, mut like, region) = match (like, file) {
        (Some((need, like)), _) => {
            let region = like.region.clone();
            (need, Some(like), region)
        }
        (None, Some(file)) => (file.need, None, file.region),
        (None, None) => (Need::new(Vec::new()), None, None),
    };
    args.volume.apply(&mut need);
    args.limits.apply(&mut need);
    args.size.apply(&mut need);
    need.check()?;
    let from_trace = from_trace(args.trace, &mut need, args.percentile)?;
    let book = args.money.prices.book(region.as_deref(), settings)?;
    let market = Market {
        catalog: catalog(settings),
        book: &book,
        offer: match (args.money.prices.offer, like.as_ref().and_then(|l| l.offer)) {
            (None, Some(today)) => today,
            _ => args.money.prices.offer(),
        },
    };
    if args.emit.is_none() {
        code_wants_emit(&args.output)?;
    }
    let mut result = recommend(&market, &need, args.top.get() as usize)?;
    result.from_trace = from_trace;
    if let (Some(like), Some(best)) = (&mut like, result.first()) {
        like.compare(market.catalog, best);
    }
    result.like = like;
    if args.frontier {
        result.frontier = frontier(&market, &need);
    }
    let code = if result.first().is_none() {
        ExitCode::from(USAGE)
    } else {
        ExitCode::SUCCESS
    };
    match args.emit {
        Some(language) if result.first().is_some() => {
            write(&args.output, &market, &result, language)?;
        }
        // A file that is to be code stays empty: reasons in it would be run.
        Some(_) => {}
        None => args.output.show(&result, settings)?,
    }
    if result.first().is_none() {
        let why = if result.only_prices_missing {
            "no price is known of what delivers this need"
        } else if result.is_in_doubt() {
            "nothing is known to deliver this need"
        } else {
            "nothing delivers this need"
        };
        match args.emit {
            Some(_) => say(&format!(
                "{why}: there is no code; leave --emit out to see why"
            )),
            None => say(why),
        }
    }
    Ok(code)
}

/// The name of a file of code, and no language.
#[derive(Debug, thiserror::Error)]
#[error("a file of code is written with --emit: add --emit {0}")]
struct CodeWithoutEmit(&'static str);

/// A file that is named like code is to be code.
fn code_wants_emit(output: &OutputArgs) -> Result<(), Failure> {
    let named = output.output.as_deref().map(Path::new);
    let ending = named.and_then(Path::extension).and_then(|e| e.to_str());
    let language = match ending {
        Some("tf") => "terraform",
        Some("bicep") => "bicep",
        Some("sh") => "az",
        _ => return Ok(()),
    };
    if output.format.is_some() {
        return Ok(());
    }
    Err(CodeWithoutEmit(language).into())
}

/// Completes the need by what the traces say, where some are named.
fn from_trace(
    args: TraceArgs,
    need: &mut Need,
    covered: Covered,
) -> Result<Option<FromTrace>, Failure> {
    let Some((logs, options)) = args.read()? else {
        return Ok(None);
    };
    let names: Vec<String> = need.volumes.iter().map(|v| v.name.clone()).collect();
    let trace = Trace::of(&logs, &names, &options)?;
    Ok(Some(FromTrace::complete(need, trace, covered)))
}

/// Writes the best answer as code.
fn write(
    output: &OutputArgs,
    market: &Market<'_>,
    result: &Recommendations,
    language: Language,
) -> Result<(), Failure> {
    if let Some(best) = result.first() {
        let deployment = best.deployment(market.catalog, market.book)?;
        let text = emit(&deployment, language, &About::of(result, best))?;
        let destination = Destination::from_argument(output.output.as_deref());
        destination.write(text.as_bytes(), Format::Table)?;
    }
    Ok(())
}

impl VolumeArgs {
    fn apply(mut self, need: &mut Need) {
        let mut given = std::mem::take(&mut self.volume);
        given.extend(self.plain(need));
        need.put_over(given);
    }

    /// The volume that --capacity and the flags beside it are of: what they do not say stays as the need has it.
    fn plain(self, need: &Need) -> Option<VolumeNeed> {
        let capacity = self.capacity?;
        let known = need.named(VolumeNeed::PLAIN).cloned();
        let known = known.unwrap_or_else(|| VolumeNeed::new(VolumeNeed::PLAIN, capacity));
        let known = known.with_profile(self.profile);
        let zoned = self.zrs || known.redundancy == Redundancy::Zrs;
        Some(VolumeNeed {
            capacity_gib: capacity,
            iops: self.iops.or(known.iops),
            mbps: self.mbps.or(known.mbps),
            block_size: self.block_size.or(known.block_size),
            read_share: self.read_share.unwrap_or(known.read_share),
            hit_share: self.hit_share.or(known.hit_share),
            queue_depth: self.queue_depth.or(known.queue_depth),
            latency_below: self.latency.or(known.latency_below),
            redundancy: Redundancy::of_zones(zoned),
            ..known
        })
    }
}

impl LimitArgs {
    fn apply(self, need: &mut Need) {
        need.headroom = self.headroom.unwrap_or(need.headroom);
        need.max_stripe = self.max_stripe.unwrap_or(need.max_stripe);
        need.busy_hours = self.busy_hours.unwrap_or(need.busy_hours);
        if !self.family.is_empty() {
            need.families = self.family;
        }
        if let Some(minutes) = self.peak {
            need.hold = Hold::Peak { minutes };
        }
    }
}

impl SizeArgs {
    fn apply(self, need: &mut Need) {
        let size = &mut need.size;
        size.vcpus = self.vcpus.unwrap_or(size.vcpus);
        size.memory_gib = self.memory.unwrap_or(size.memory_gib);
        size.generation = self.generation.unwrap_or(size.generation);
        if !self.series.is_empty() {
            size.series = self.series;
        }
        if !self.not_series.is_empty() {
            size.not_series = self.not_series;
        }
        size.arch = self.arch.or(size.arch.take());
        size.local_disk |= self.temp;
        size.interface = self.interface.map(Interface::from).or(size.interface);
        size.in_service_on = Some(today());
    }
}
