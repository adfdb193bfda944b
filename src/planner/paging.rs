//! How long paging takes on each drive, and where the page file belongs.
//!
//! A hard fault waits for its page: paging goes one I/O at a time, at 1 / latency, not at the drive's MB/s. Two bounds
//! are told: every page by itself, and pages that lie beside each other moved in clusters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evaluate::evaluate;
use super::latency::basis;
use super::system::{Phase, System};
use crate::catalog::{Basis, Catalog};
use crate::deployment::{Deployment, DiskSpec, VolumeSpec};
use crate::units::{BlockSize, GiB, Iops, Latency, QueueDepth, Share};
use crate::workload::Io;

/// The size of a page, 4 KiB (x64, and Arm64 as Windows and most of Linux run it).
pub const PAGE: BlockSize = BlockSize::KIB_4;

/// How much is moved at once where pages lie beside each other, 64 KiB: an assumption. Windows gathers up to 16 modified
/// pages of 4 KiB in one write to the page file; what it reads back at once, and what Linux does (8 pages, `vm.page-cluster`
/// 3, unless set otherwise), is less.
pub const CLUSTER: BlockSize = BlockSize::KIB_64;

/// The amount that is reckoned with when none is given, 1 GiB.
pub const DEFAULT_AMOUNT: GiB = GiB::whole(1);

/// The name of the workload profile that stands for paging.
pub const PROFILE: &str = "paging";

/// Paging in or out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PagingTime {
    /// Every page by itself, seconds; `None` where the latency is unknown.
    pub random_seconds: Option<f64>,
    /// In clusters, seconds; `None` where the latency is unknown.
    pub clustered_seconds: Option<f64>,
}

impl PagingTime {
    /// The times for `amount` at the rates that `rate` gives for one I/O of a size at a time.
    #[must_use]
    pub fn new(amount: GiB, rate: impl Fn(BlockSize) -> Option<Iops>) -> Self {
        let seconds = |block: BlockSize| {
            let rate = rate(block)?.get();
            (rate > 0.0).then(|| (amount.bytes() / block.bytes_f64()).ceil() / rate)
        };
        Self {
            random_seconds: seconds(PAGE),
            clustered_seconds: seconds(CLUSTER),
        }
    }
}

/// One drive that a page file may lie on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PagingDrive {
    /// Its name.
    pub name: String,
    /// Whether it is local to the host, so that what is on it does not survive.
    pub local: bool,
    /// Latency of one read of a page, microseconds.
    pub latency_us: Option<Latency>,
    /// How sure that is.
    pub basis: Option<Basis>,
    /// Paging in.
    pub page_in: PagingTime,
    /// Paging out.
    pub page_out: PagingTime,
}

/// Paging a given amount on each drive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Paging {
    /// How much is paged.
    pub amount_gib: GiB,
    /// Bytes of a page.
    pub page_bytes: BlockSize,
    /// Bytes of a cluster.
    pub cluster_bytes: BlockSize,
    /// The drives.
    pub drives: Vec<PagingDrive>,
    /// The drive that the page file belongs on; `None` where no latency is known.
    pub best: Option<String>,
    /// Why, in a sentence.
    pub advice: String,
}

impl Paging {
    /// Of drives, and where the page file belongs among them.
    #[must_use]
    pub fn of_drives(amount: GiB, drives: Vec<PagingDrive>) -> Self {
        let best = best(&drives);
        Self {
            amount_gib: amount,
            page_bytes: PAGE,
            cluster_bytes: CLUSTER,
            advice: advice(&drives, best),
            best: best.map(|drive| drive.name.clone()),
            drives,
        }
    }

    /// Of every volume of `deployment` by itself, and of the size's local disk where the deployment does not name it.
    #[must_use]
    pub fn of_deployment(catalog: &Catalog, deployment: &Deployment, amount: GiB) -> Self {
        let mut drives: Vec<PagingDrive> = (0..deployment.volumes.len())
            .map(|index| drive(deployment, index, amount))
            .collect();
        if !drives.iter().any(|drive| drive.local) {
            drives.extend(temp_disk(catalog, deployment, amount));
        }
        Self::of_drives(amount, drives)
    }
}

/// Local drives first, then the one that pages in fastest. Only drives whose time is known count.
fn best(drives: &[PagingDrive]) -> Option<&PagingDrive> {
    let time = |drive: &PagingDrive| drive.page_in.random_seconds;
    let mut known: Vec<&PagingDrive> = drives.iter().filter(|d| time(d).is_some()).collect();
    known.sort_by(|a, b| {
        let seconds = |d: &PagingDrive| time(d).unwrap_or(f64::INFINITY);
        b.local
            .cmp(&a.local)
            .then(seconds(a).total_cmp(&seconds(b)))
    });
    known.first().copied()
}

fn advice(drives: &[PagingDrive], best: Option<&PagingDrive>) -> String {
    let Some(best) = best else {
        return "no latency is known of any of these drives: measure random 4 KiB reads at queue depth 1".to_owned();
    };
    let why = if best.local {
        "it is local to the host, and that it is lost at deallocation does not matter to a page file"
    } else if drives.len() > 1 {
        "none of them is local to the host, and it answers fastest"
    } else {
        "there is no local disk"
    };
    format!("the page file belongs on {}: {why}", best.name)
}

/// One volume by itself, without burst credit or cached pages.
fn drive(deployment: &Deployment, index: usize, amount: GiB) -> PagingDrive {
    let volume = deployment.volumes.get(index);
    let time = |read_share| {
        PagingTime::new(amount, |block| {
            one_at_a_time(deployment, index, block, read_share)?.0
        })
    };
    let local = volume.is_some_and(|v| v.members.iter().all(|d| d.model.family.is_local()));
    PagingDrive {
        name: volume.map_or_else(String::new, |volume| volume.name.clone()),
        local,
        latency_us: one_at_a_time(deployment, index, PAGE, Share::ALL).map(|(_, latency)| latency),
        basis: volume.and_then(basis),
        page_in: time(Share::ALL),
        page_out: time(Share::NONE),
    }
}

/// The sustained rate of one I/O at a time, and its latency; `None` where the latency is unknown.
fn one_at_a_time(
    deployment: &Deployment,
    index: usize,
    block_size: BlockSize,
    read_share: Share,
) -> Option<(Option<Iops>, Latency)> {
    let io = Io {
        block_size,
        read_share,
        queue_depth: Some(QueueDepth::ONE),
        ..Io::RANDOM_4K
    };
    let system = System::alone(deployment, index, &vec![io; deployment.volumes.len()]);
    let seconds = system.flows.first()?.latency_seconds(Phase::Sustained)?;
    let outcome = *evaluate(&system, Phase::Sustained).outcomes.first()?;
    Some((outcome.iops, Latency::from_micros(seconds * 1e6).ok()?))
}

/// The local disk of the size, as if it had been named.
fn temp_disk(catalog: &Catalog, deployment: &Deployment, amount: GiB) -> Option<PagingDrive> {
    let spec: DiskSpec = "temp".parse().ok()?;
    let vm = deployment.vm.as_ref()?;
    let alone = Deployment::new(catalog, Some(vm), vec![VolumeSpec::from(spec)]).ok()?;
    let name = format!("the local disk of {}", vm.name);
    Some(PagingDrive {
        name,
        ..drive(&alone, 0, amount)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deployment(vm: Option<&str>, disks: &[&str]) -> Deployment {
        let catalog = Catalog::embedded();
        let vm = vm.map(|vm| catalog.vm(vm, None).unwrap());
        let specs = disks
            .iter()
            .map(|disk| disk.parse::<DiskSpec>().unwrap().into());
        Deployment::new(catalog, vm, specs.collect()).unwrap()
    }

    #[test]
    fn a_page_at_a_time_takes_the_latency_of_each() {
        // 400 MiB are 102,400 pages: at 1 ms and no lower limit 102.4 s; 6,400 clusters at 1 ms take 6.4 s (65.5 MB/s).
        let plan = deployment(None, &["P30"]);
        let paging = Paging::of_deployment(Catalog::embedded(), &plan, "400MiB".parse().unwrap());
        let page_in = paging.drives[0].page_in;
        assert!((page_in.random_seconds.unwrap() - 102.4).abs() < 1e-9);
        assert!((page_in.clustered_seconds.unwrap() - 6.4).abs() < 1e-9);
    }

    #[test]
    fn the_throughput_limit_bounds_clusters() {
        // Reported: a list of 400 MB comes back from a hard disk at 20 MB/s in about 20 s. 400 MiB / 20 MB/s = 20.97 s;
        // clusters at 1 ms each would be faster, so the throughput decides.
        let plan = deployment(None, &["custom:iops=100000,mbps=20,latency=1ms"]);
        let paging = Paging::of_deployment(Catalog::embedded(), &plan, "400MiB".parse().unwrap());
        let seconds = paging.drives[0].page_in.clustered_seconds.unwrap();
        assert!((seconds - 20.971_52).abs() < 1e-6, "{seconds}");
    }

    #[test]
    fn the_iops_limit_bounds_pages() {
        // P10: 500 IOPS sustained are fewer than 1 / 1 ms: 102,400 / 500 = 204.8 s.
        let plan = deployment(None, &["P10"]);
        let paging = Paging::of_deployment(Catalog::embedded(), &plan, "400MiB".parse().unwrap());
        assert_eq!(paging.drives[0].page_in.random_seconds, Some(204.8));
        assert_eq!(paging.best.as_deref(), Some("P10"));
    }

    #[test]
    fn the_local_disk_of_the_size_comes_first() {
        // 102,400 pages at 250 us = 25.6 s.
        let plan = deployment(Some("D2s_v3"), &["P10"]);
        let paging = Paging::of_deployment(Catalog::embedded(), &plan, "400MiB".parse().unwrap());
        assert_eq!(
            paging.best.as_deref(),
            Some("the local disk of Standard_D2s_v3")
        );
        assert_eq!(paging.drives[1].page_in.random_seconds, Some(25.6));
        // Standard_D2s_v5 has no local disk.
        let plan = deployment(Some("D2s_v5"), &["P10", "v2:size=100"]);
        let paging = Paging::of_deployment(Catalog::embedded(), &plan, "400MiB".parse().unwrap());
        assert_eq!(paging.best.as_deref(), Some("v2"));
    }

    #[test]
    fn an_unknown_latency_is_no_time() {
        let plan = deployment(None, &["S10"]);
        let paging = Paging::of_deployment(Catalog::embedded(), &plan, DEFAULT_AMOUNT);
        assert_eq!(paging.drives[0].page_in.random_seconds, None);
        assert_eq!(paging.best, None);
    }
}
