//! What stands above the code, and what the VM is to run.

use super::OS_DISK;
use crate::catalog::Limits;
use crate::catalog::price::BookInfo;
use crate::catalog::size_name;
use crate::deployment::{Deployment, Volume};
use crate::planner::unusable::provisioned;
use crate::recommend::model::{Caveat, Recommendation, Recommendations};
use crate::recommend::need::{Need, VolumeNeed};
use crate::units::{Iops, MBps, grouped};

/// What is said in comments above the code, and what the VM is to run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// Whether the VM is to run Windows; else Linux.
    pub windows: bool,
    /// What is said above the code, a line each.
    pub lines: Vec<String>,
}

impl About {
    /// About `best` of `result`: what was needed, what it is, and from when its prices are.
    #[must_use]
    pub fn of(result: &Recommendations, best: &Recommendation) -> Self {
        let mut lines = needed(&result.need, best);
        let size = format!(
            "{} and its disks: {} a month{}, {} in {}",
            size_name(&best.size, best.interface),
            best.month,
            if best.is_priced() {
                ""
            } else {
                " and what is billed by use"
            },
            result.offer.label(),
            result.prices.region
        );
        lines.push(format!("{size}{}", of_when(&result.prices)));
        lines.push(format!(
            "The price is without the OS disk ({OS_DISK} of the image's size), whose traffic passes the VM's ceilings too"
        ));
        let left = result.like.iter().filter(|like| !like.left.is_empty());
        lines.extend(
            left.map(|like| format!("Not part of it: {} of {}", like.left.join(", "), like.name)),
        );
        let lost = result.like.iter().flat_map(|like| &like.lost);
        lines.extend(lost.map(|lost| format!("Beware: {lost}")));
        if best.caveats.contains(&Caveat::SpecialHardware) {
            lines.push(format!(
                "{} is made for accelerators, HPC or confidential computing: the image and the security settings that it \
                 may need are not part of this code",
                best.size
            ));
        }
        let retired = best.retirement.as_ref();
        lines.extend(retired.map(|day| format!("{} retires on {day}", best.size)));
        Self {
            windows: result.offer.is_windows(),
            lines,
        }
    }
}

/// The whole need, and what is left of it when burst credit is used up.
fn needed(need: &Need, best: &Recommendation) -> Vec<String> {
    let conditions = need.conditions().join(", ");
    let mut lines: Vec<String> = match need.volumes.as_slice() {
        [one] => vec![format!("Needed: {}; {conditions}", one.in_words())],
        several => {
            let volumes = several.iter().map(VolumeNeed::in_words);
            let all = format!("all at once, {conditions}");
            let needed = volumes.chain([all]);
            needed.map(|line| format!("Needed: {line}")).collect()
        }
    };
    let kept = need.kept.iter();
    lines.extend(kept.map(|kept| format!("Beside it, as it is: {}", kept.load.in_words())));
    let without = best.without_credit(need);
    lines.extend(without.map(|less| format!("When the burst credit is used up, it gives {less}")));
    lines
}

fn words(limits: Limits) -> impl Iterator<Item = String> {
    let iops = limits
        .iops
        .map(|v| format!("{} IOPS", grouped(Iops::get(v), 0)));
    let mbps = limits
        .mbps
        .map(|v| format!("{} MB/s", grouped(MBps::get(v), 1)));
    iops.into_iter().chain(mbps)
}

fn of_when(prices: &BookInfo) -> String {
    let vm = prices.vm_prices_of.map(|day| format!("VM of {day}"));
    let disks = prices.disk_prices_of.map(|day| format!("disks of {day}"));
    let days: Vec<String> = vm.into_iter().chain(disks).collect();
    if days.is_empty() {
        String::new()
    } else {
        format!(" (prices: {})", days.join(", "))
    }
}

/// What is left to do in the guest, a line for each stripe.
pub(super) fn stripes(deployment: &Deployment) -> Vec<String> {
    let stripes = deployment.volumes.iter().filter(|v| v.is_stripe());
    stripes.map(stripe).collect()
}

fn stripe(volume: &Volume) -> String {
    let disks = volume.members.len();
    let reached: Vec<String> = words(provisioned(volume)).collect();
    let reached = if reached.is_empty() {
        "what they do together".to_owned()
    } else {
        reached.join(" and ")
    };
    format!(
        "{}: stripe these {disks} disks in the guest to reach {reached}",
        volume.name
    )
}
