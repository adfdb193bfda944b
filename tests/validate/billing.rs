//! What is provisioned beyond what a VM lets through, or beyond the size of a disk, in money.

use diskcap::azure::validate::VmValidation;
use diskcap::catalog::Redundancy;
use diskcap::catalog::price::{BurstPart, DiskMeter, Region, VmOffer, embedded};
use diskcap::planner::{FindingId, Severity};
use serde_json::{Value, json};

use crate::fixtures::{
    attached, close, disk, judge, limits, month, of, only, priced, priced_by, vm, vm_of_v2,
};

#[test]
fn a_raised_tier_costs_the_difference() {
    let raised = json!({ "diskIOPSReadWrite": 7500, "diskMBpsReadWrite": 250, "tier": "P40" });
    let resources = [
        vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]),
        disk("data", "Premium_LRS", 1024, &raised),
    ];
    let vm = only(priced(&resources));
    assert_eq!(
        of(&vm.findings, FindingId::TierRaised),
        [(
            "lun0",
            "set to P40 (7,500 IOPS and 250 MB/s), its size is P30 (5,000 IOPS and 200 MB/s)"
        )]
    );
    // P40 less P30: 259.0457 - 135.17 USD a month.
    close(month(&vm.findings, FindingId::TierRaised), 123.8757);
}

#[test]
fn on_demand_bursting_costs_its_enablement() {
    let bursting =
        json!({ "diskIOPSReadWrite": 5000, "diskMBpsReadWrite": 200, "burstingEnabled": true });
    let resources = [
        vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]),
        disk("data", "Premium_LRS", 1024, &bursting),
    ];
    // The embedded prices know no enablement: 24.5 USD a month is made up.
    let mut book = embedded(&Region::new("eastus")).unwrap();
    let enablement = DiskMeter::Burst {
        redundancy: Redundancy::Lrs,
        part: BurstPart::Enablement,
    };
    book.set_disk(enablement, 24.5);
    let vm = only(priced_by(book, &resources));
    close(month(&vm.findings, FindingId::PaidBurst), 24.5);
    let vm = only(priced(&resources));
    assert!(of(&vm.findings, FindingId::PaidBurst).is_empty());
    assert_eq!(of(&vm.findings, FindingId::OnDemandBurst).len(), 1);
}

#[test]
fn v2_that_the_vm_does_not_let_through_costs_money() {
    // 6,000 IOPS and 125 MB/s behind 3,200 IOPS and 48 MB/s, 4,000 and 200 in burst: 2,000 IOPS never pass, and iops=4000
    // saves what they cost. The 800 that pass in burst are no waste, and what is free (3,000 IOPS, 125 MB/s) costs
    // nothing.
    let resources = [
        vm("web", "Standard_D2s_v3", &[attached(0, "data", "None")]),
        disk("data", "PremiumV2_LRS", 100, &limits(6000, 125)),
    ];
    let vm = only(priced(&resources));
    close(
        month(
            vm.findings.iter().filter(|f| f.subject == "lun0"),
            FindingId::Unusable,
        ),
        2000.0 * 7e-6 * 730.0,
    );
    let unusable = |vm: &VmValidation| {
        let mut own = vm.findings.iter();
        own.find(|f| f.id == FindingId::Unusable && f.subject == "lun0")
            .cloned()
            .unwrap()
    };
    let fix = unusable(&vm).fix.unwrap();
    assert!(
        fix.starts_with(
            "`az disk update -g shop -n data --disk-iops-read-write 4000 --disk-mbps-read-write 125` pays for no more"
        ),
        "{fix}"
    );
    // 4,000 IOPS all pass in burst: that is worth knowing and no money to save, so it is in no sum.
    let resources = [
        vm_of_v2(),
        disk("data", "PremiumV2_LRS", 100, &limits(4000, 125)),
    ];
    let in_burst = unusable(&only(priced(&resources)));
    assert_eq!(
        (in_burst.severity, in_burst.per_month()),
        (Severity::Info, None)
    );
    assert!(
        in_burst.message.contains("a month of it costs 4.09 USD"),
        "{}",
        in_burst.message
    );
}

/// D8s_v5 sustains 12,800 IOPS and 290 MB/s uncached, and 20,000 and 1,200 in burst.
#[test]
fn what_only_bursts_of_the_vm_let_through_says_what_to_do() {
    let fix = |sku: &str, gib: u32, properties: &Value| {
        let machine = vm("web", "Standard_D8s_v5", &[attached(0, "data", "None")]);
        let vm = only(judge(&[machine, disk("data", sku, gib, properties)]));
        let mut found = vm.findings.into_iter();
        let found = found.find(|f| f.id == FindingId::Unusable && f.subject == "lun0");
        let found = found.unwrap();
        assert_eq!(found.severity, Severity::Info);
        found.fix.unwrap()
    };
    let otherwise = "leave it where the VM's bursts are what it is for; to have all of it all the time, take a larger size";
    assert_eq!(
        fix("PremiumV2_LRS", 500, &limits(18_000, 500)),
        format!(
            "`az disk update -g shop -n data --disk-iops-read-write 12800 --disk-mbps-read-write 290` pays for no more than this VM sustains; \
             {otherwise}"
        )
    );
    // A P60 has 16,000 IOPS and 500 MB/s, and no setting below.
    assert_eq!(fix("Premium_LRS", 8192, &limits(16_000, 500)), otherwise);
}

/// P40 and P50 have 7,500 IOPS and 250 MB/s; a D4s_v5 lets 6,400 and 145 of them through. P30 (5,000) has too little.
#[test]
fn a_raised_tier_that_another_does_the_same_for_less_says_so() {
    let raised = json!({ "diskIOPSReadWrite": 7500, "diskMBpsReadWrite": 250, "tier": "P50" });
    let resources = [
        vm("web", "Standard_D4s_v5", &[attached(0, "data", "None")]),
        disk("data", "Premium_LRS", 1024, &raised),
    ];
    let vm = only(priced(&resources));
    let fix = |id: FindingId| {
        let found = vm
            .findings
            .iter()
            .find(|f| f.id == id && f.subject == "lun0");
        found.unwrap().fix.clone().unwrap()
    };
    // P50 less P40: 495.5657 - 259.0457 USD a month.
    let tier = fix(FindingId::TierRaised);
    let same = "; as long as it is busy, P40 does the same (`az disk update -g shop -n data --set tier=P40`): 236.52 USD less a month";
    assert!(tier.ends_with(same), "{tier}");
    // The tier is raised for nothing: that, and no IOPS, is what the money is paid for.
    let unusable = vm.findings.iter().find(|f| f.id == FindingId::Unusable);
    let message = &unusable.unwrap().message;
    assert!(
        message.ends_with("; TIER-RAISED says what its tier costs"),
        "{message}"
    );
    let unusable = fix(FindingId::Unusable);
    let lower = "`az disk update -g shop -n data --set tier=P40` has the same IOPS and MB/s; or leave it where the VM's bursts";
    assert!(unusable.starts_with(lower), "{unusable}");
}

/// v2 has 500 IOPS for each GiB above 6, and 3,000 of a smaller disk: the 4,000 that a D2s_v3 lets through in
/// burst are refused for 4 GiB.
#[test]
fn no_setting_is_advised_that_the_capacity_does_not_allow() {
    let resources = |gib: u32| {
        [
            vm("web", "Standard_D2s_v3", &[attached(0, "data", "None")]),
            disk("data", "PremiumV2_LRS", gib, &limits(9000, 125)),
        ]
    };
    let fix = |gib: u32| {
        let vm = only(judge(&resources(gib)));
        let mut found = vm.findings.into_iter();
        found
            .find(|f| f.id == FindingId::Unusable && f.subject == "lun0")
            .unwrap()
            .fix
            .unwrap()
    };
    assert!(
        fix(64).starts_with("`az disk update -g shop -n data --disk-iops-read-write 4000 "),
        "{}",
        fix(64)
    );
    assert_eq!(
        fix(4),
        "take a larger size of a series that stays: of a disk with more than is known as possible no lower setting is known"
    );
}

/// Standard HDD is what OS-DISK-HDD warns of.
#[test]
fn an_os_disk_is_not_sent_to_standard_hdd() {
    let mut machine = vm("web", "Standard_A1_v2", &[attached(0, "data", "None")]);
    let os = &mut machine["properties"]["storageProfile"]["osDisk"];
    os["diskSizeGB"] = json!(4095);
    os["managedDisk"]["storageAccountType"] = json!("StandardSSD_LRS");
    let resources = [
        machine,
        disk("web-os", "StandardSSD_LRS", 32767, &limits(6000, 750)),
        disk("data", "StandardSSD_LRS", 32767, &limits(6000, 750)),
    ];
    let vm = only(judge(&resources));
    let fix = |subject: &str| {
        let mut found = vm.findings.iter();
        let is_it =
            |f: &&diskcap::planner::Finding| f.id == FindingId::Unusable && f.subject == subject;
        found.find(is_it).unwrap().fix.clone().unwrap()
    };
    assert!(fix("lun0").contains("slower family"), "{}", fix("lun0"));
    assert!(!fix("os").contains("slower family"), "{}", fix("os"));
}

/// Without prices, too, a saved result says how its VM is billed.
#[test]
fn a_saved_vm_says_how_it_is_billed() {
    let offer = |os: &str, license: Option<&str>| {
        let mut machine = vm("web", "Standard_D4s_v5", &[]);
        machine["properties"]["storageProfile"]["osDisk"]["osType"] = json!(os);
        if let Some(license) = license {
            machine["properties"]["licenseType"] = json!(license);
        }
        let text = serde_json::to_string(&judge(&[machine])).unwrap();
        let read = diskcap::report::saved::read_assessed(&text, "saved.json").unwrap();
        read[0].deployed.offer
    };
    assert_eq!(offer("Windows", None), Some(VmOffer::Windows));
    assert_eq!(
        offer("Windows", Some("Windows_Server")),
        Some(VmOffer::Linux)
    );
    assert_eq!(offer("Linux", None), Some(VmOffer::Linux));
}
