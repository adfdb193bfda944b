//! What a deployment has, and the answer that is to be like it has not.

use super::{Like, LikeVolume};
use crate::catalog::azure::zonal::only_in_zones;
use crate::catalog::{Axis, Catalog, Family, Interface, Limits, VmSize};
use crate::deployment::HostCaching;
use crate::planner::latency::slower_read;
use crate::recommend::model::Recommendation;
use crate::units::grouped;

impl Like {
    /// Says what the deployment has and `best` has not, as far as `catalog` knows both.
    pub fn compare(&mut self, catalog: &Catalog, best: &Recommendation) {
        self.compare_sizes(catalog, best);
        self.lost.extend(self.not_accelerated(catalog, best));
        let shared = |volume: &LikeVolume| {
            let shares = volume.max_shares?;
            Some(format!(
                "{} is on a disk that {shares} VMs may attach at once, and this answer does not look for that: see that its \
                 disks can be shared as well",
                volume.volume
            ))
        };
        self.lost.extend(self.volumes.iter().filter_map(shared));
        self.lost.extend(self.not_zonal(catalog, best));
        self.lost.extend(self.not_cached(catalog, best));
        for volume in &best.volumes {
            let mut own = self.volumes.iter();
            let family = own
                .find(|own| own.volume == volume.volume)
                .and_then(|own| own.family);
            let read = |family| Some(catalog.latency(family)?.figure?.read);
            let slower = family
                .filter(|family| *family != volume.family)
                .and_then(|family| {
                    let words = slower_read(read(family), read(volume.family))?;
                    Some(format!(
                        "{} moves from {family} to {}: {words}",
                        volume.volume, volume.family
                    ))
                });
            self.lost.extend(slower);
        }
    }

    /// That the answer has disks for VMs in a zone only, and the deployment is in none and has no such disks.
    fn not_zonal(&self, catalog: &Catalog, best: &Recommendation) -> Vec<String> {
        let Some(region) = self.region.as_deref().filter(|_| self.in_no_zone) else {
            return Vec::new();
        };
        let is_new = |family: &Family| self.volumes.iter().all(|own| own.family != Some(*family));
        let mut families: Vec<Family> = best.volumes.iter().map(|of| of.family).collect();
        families.sort();
        families.dedup();
        let new = families.into_iter().filter(is_new);
        let rule = new.filter_map(|family| only_in_zones(catalog, region, family));
        let words = rule.map(|rule| {
            format!(
                "{} is in no zone, and {rule}, which it gets when it is made: see that the region attaches them to a VM \
                 without, or make the VM anew in a zone",
                self.name
            )
        });
        words.collect()
    }

    /// That volumes are cached by the host and are not in the answer, where nothing said which reads the cache answers.
    fn not_cached(&self, catalog: &Catalog, best: &Recommendation) -> Vec<String> {
        let today = self.size.as_ref();
        let today = today.and_then(|size| catalog.vm(size, self.controller).ok());
        let cached = today.map(|size| size.cached.base).unwrap_or_default();
        let mut groups: Vec<((HostCaching, Limits), Vec<&str>)> = Vec::new();
        for own in &self.volumes {
            let next = best.volumes.iter().find(|of| of.volume == own.volume);
            let next = next.filter(|next| next.caching == HostCaching::None);
            let Some(alike) = own.uncounted_cache.zip(next.map(|next| next.provisioned)) else {
                continue;
            };
            match groups.iter_mut().find(|(key, _)| *key == alike) {
                Some((_, names)) => names.push(&own.volume),
                None => groups.push((alike, vec![&own.volume])),
            }
        }
        let words = |((caching, next), names): ((HostCaching, Limits), Vec<&str>)| {
            let (are, each) = match names.len() {
                1 => ("is", ""),
                _ => ("are", " each"),
            };
            format!(
                "{} {are} cached by the host today ({}) and {are} not in this answer, which counts no reads that the cache \
                 answers: today these have up to {} of the VM, then {} of the disks{each}; to have them counted, save it \
                 with --hit-share",
                names.join(", "),
                caching.name(),
                pair(cached),
                pair(next)
            )
        };
        groups.into_iter().map(words).collect()
    }

    /// That volumes have Write Accelerator, and the answer cannot have it, or nobody knows.
    fn not_accelerated(&self, catalog: &Catalog, best: &Recommendation) -> Option<String> {
        let next = catalog.vm(&best.size, best.interface).ok()?;
        let is_it = |name: &String, of: &str| name.eq_ignore_ascii_case(of);
        let volumes = best.volumes.iter();
        let mut moved =
            volumes.filter(|of| self.accelerated.iter().any(|name| is_it(name, &of.volume)));
        let disks: u32 = moved.clone().map(|volume| volume.disks).sum();
        let (has, why) = match next.most_accelerated() {
            Some(0) => ("has not", "only M-series sizes do"),
            None => ("is not known to have", "look it up for the size"),
            Some(most) if most < disks => ("has not for as many disks", "look for fewer"),
            Some(_) if moved.any(|of| of.family != Family::PremiumSsd) => {
                ("has not for these disks", "only Premium SSD does")
            }
            Some(_) => return None,
        };
        (!self.accelerated.is_empty()).then(|| {
            let names = self.accelerated.join(", ");
            let have = if self.accelerated.len() == 1 {
                "has"
            } else {
                "have"
            };
            format!(
                "{names} {have} Write Accelerator today, which {} {has}: {why}",
                next.name
            )
        })
    }

    /// Says what the deployment's size has and that of `best` has not.
    fn compare_sizes(&mut self, catalog: &Catalog, best: &Recommendation) {
        let today = self
            .size
            .as_ref()
            .and_then(|size| catalog.vm(size, None).ok());
        let (Some(today), Ok(next)) = (today, catalog.vm(&best.size, best.interface)) else {
            return;
        };
        let local = |size: &VmSize| size.temp.is_some() || size.nvme.is_some();
        if local(today) && !local(next) {
            self.lost.push(format!(
                "{} has no local disk, as {} has: page file and tempdb need another place, or ask with --temp",
                next.name, today.name
            ));
        }
        if let Some(nvme) = today.nvme.as_ref().filter(|_| next.nvme.is_none()) {
            let total = nvme.total.map_or_else(String::new, |total| {
                format!("{} GiB of ", grouped(total.get(), 0))
            });
            self.lost.push(format!(
                "{} has no local NVMe disks, {} has {total}them: what is kept there needs another place",
                next.name, today.name
            ));
        }
        if let Some(own) = self.controller.or_else(|| today.first_controller())
            && !next.likely_runs_on(own)
        {
            let other = match own {
                Interface::Scsi => Interface::Nvme,
                Interface::Nvme => Interface::Scsi,
            };
            self.lost.push(format!(
                "{} runs with {other}, {} with {own}: its image needs the driver for {other}",
                next.name, self.name
            ));
        }
        if next.has_cpu_credit() && !today.has_cpu_credit() {
            self.lost.push(format!(
                "the CPU of {} is held back once its credit is used up, that of {} is not: --not-series 'B*' leaves such \
                 sizes out",
                next.name, today.name
            ));
        }
    }
}

/// `6,000 IOPS and 190 MB/s`.
fn pair(limits: Limits) -> String {
    let shown = |axis: Axis, decimals| match limits.on(axis) {
        Some(value) => format!("{} {axis}", grouped(value, decimals)),
        None => format!("unknown {axis}"),
    };
    format!("{} and {}", shown(Axis::Iops, 0), shown(Axis::Mbps, 1))
}
