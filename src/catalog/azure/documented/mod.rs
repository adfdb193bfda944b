//! What the documentation says about the ids of findings: one file a theme.

mod bursts;
mod caching;
mod deployed;
mod disks;
mod metrics;
mod sizes;

use crate::catalog::Documented;

const BILLING: &str = "Azure, understand Azure Disk Storage billing";
const BURSTING: &str = "Azure, managed disk bursting";
const DATA: &str = "sku-data/SOURCES.md";
const DISK_METRICS: &str =
    "Azure, disk performance metrics (learn.microsoft.com/azure/virtual-machines/disks-metrics)";
const DISK_TYPES: &str = "Azure, managed disk types";
const PERFORMANCE: &str = "Azure, virtual machine and disk performance";
const PERFORMANCE_TIERS: &str = "Azure, performance tiers for managed disks";
const PREMIUM: &str = "Azure, premium storage: design for high performance";
const REMOTE_NVME: &str = "Azure, remote NVMe disks and the controllers of sizes and images";
const SHARED_DISKS: &str = "Azure, share an Azure managed disk";
const STATES: &str = "Azure, states and billing status of virtual machines";
const TEMP_DISK: &str = "Azure, temporary disk";
const ZONES: &str = "Azure, availability zones and managed disks";

/// What is documented, by theme.
pub(in crate::catalog) const TEXTS: [&[Documented]; 6] = [
    disks::TEXTS,
    caching::TEXTS,
    sizes::TEXTS,
    bursts::TEXTS,
    deployed::TEXTS,
    metrics::TEXTS,
];

#[cfg(test)]
mod tests {
    use crate::catalog::Catalog;
    use crate::catalog::azure::caching::LARGEST_CACHED;
    use crate::catalog::azure::provisioned::ProvisionedRules;
    use crate::catalog::azure::{premium_v2, ultra};

    fn text(id: &str) -> String {
        let text = Catalog::documented(id).unwrap();
        format!("{} {}", text.title.unwrap_or_default(), text.rule)
    }

    #[test]
    fn the_texts_name_the_numbers_of_the_rules() {
        let numbers = |rules: &ProvisionedRules| {
            [
                format!("{} to 64 TiB", rules.min_size),
                format!("at most {}", rules.max_iops),
                format!("{} MB/s per provisioned IOPS", rules.mbps_per_iops),
                format!("at most {}", rules.max_mbps),
            ]
        };
        for rules in [premium_v2::RULES, ultra::RULES] {
            let said = text(rules.range_id);
            assert_eq!(rules.max_size.get(), 64.0 * 1024.0);
            for number in numbers(&rules) {
                assert!(said.contains(&number), "{}: {number}", rules.range_id);
            }
            assert!(text(rules.caching_id).contains("not support host caching"));
        }
        let large = text("LARGE-DISK-CACHING");
        assert_eq!(large.matches(&LARGEST_CACHED.to_string()).count(), 2);
    }
}
