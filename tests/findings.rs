//! Findings that are right only when their numbers are.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

mod common;

use std::path::{Path, PathBuf};

use common::{close, codes, plan, request, result};
use diskcap::catalog::price::{
    BookInfo, Currency, PriceBook, PriceSource, Region, VmOffer, embedded,
};
use diskcap::catalog::{Catalog, Interface};
use diskcap::deployment::PlanRequest;
use diskcap::planner::money::price;
use diskcap::planner::{Assessment, Finding, Severity, assess};
use diskcap::units::Iops;
use diskcap::workload::{Demand, Profile};

fn finding<'a>(a: &'a Assessment, code: &str, subject: &str) -> &'a Finding {
    let found = a
        .findings
        .iter()
        .find(|f| f.id.code() == code && f.subject == subject);
    found.unwrap_or_else(|| panic!("no {code} about {subject}: {:?}", codes(a)))
}

fn figure(finding: &Finding, name: &str, unit: &str) -> f64 {
    let found = finding
        .figures
        .iter()
        .find(|f| f.name == name && f.unit == unit);
    found.unwrap().value
}

/// Misses and writes of a cached disk pass the cached ceiling too: 200 - 131.072 = 68.928 MB/s of a P30 are lost.
#[test]
fn unusable_counts_the_cached_ceiling() {
    let a = plan("Standard_D8s_v3", &["P30:cache=ro"], "block=1MiB");
    close(
        a.volumes[0].unusable_sustained.mbps.unwrap().get(),
        68.928,
        1e-9,
    );
    let small = plan("Standard_D2s_v3", &["P30:cache=ro"], "block=1MiB");
    close(
        small.volumes[0].unusable_sustained.mbps.unwrap().get(),
        167.232,
        1e-9,
    );
}

/// Ten P30 are paid for 50,000 IOPS and 2,000 MB/s; a D8s_v3 sustains 12,800 and 192: none by itself loses an IOPS.
#[test]
fn unusable_is_added_up_over_volumes() {
    let names: Vec<String> = (0..10).map(|n| format!("d{n}=P30")).collect();
    let disks: Vec<&str> = names.iter().map(String::as_str).collect();
    let a = plan("Standard_D8s_v3", &disks, "block=4KiB");
    let found = finding(&a, "UNUSABLE", "Standard_D8s_v3");
    close(figure(found, "unusable_sustained", "IOPS"), 37_200.0, 1e-6);
    close(figure(found, "unusable_sustained", "MB/s"), 1808.0, 1e-6);
}

/// A ceiling that is asked for more than it has, and is not full, holds nobody back.
#[test]
fn without_burst_what_is_unusable_is_one_figure() {
    // Two P6 have 50 MB/s each; DS1_v2 lets 48 through and does not burst. D2s_v3 lets 48 of two P20 (150 each) through,
    // 200 in burst.
    let words = |vm, disks: [&str; 2]| {
        let a = priced(vm, &disks);
        let found = a
            .findings
            .iter()
            .find(|f| f.id.code() == "UNUSABLE" && f.message.starts_with("all volumes together"));
        found.unwrap().message.clone()
    };
    let without = words("DS1_v2", ["P6", "P6"]);
    assert!(
        without.starts_with(
            "all volumes together are provisioned for 52 MB/s (100 - 48) more than the VM lets through; in brackets"
        ),
        "{without}"
    );
    let with = words("D2s_v3", ["P20", "P20"]);
    assert!(
        with.contains("252 MB/s (300 - 48) more than the VM sustains")
            && with.contains("100 MB/s (300 - 200) more than in burst"),
        "{with}"
    );
}

#[test]
fn only_a_full_ceiling_is_blamed() {
    let a = plan("Standard_D8s_v3", &["P30:cache=ro"], "block=1MiB");
    assert!(codes(&a).contains(&"VM-CACHED-MBPS"));
    assert!(!codes(&a).contains(&"VM-UNCACHED-MBPS"));
}

/// A temp disk has no limit of its own: it asks for what it gets, not for its queue depth over its latency.
#[test]
fn a_temp_disk_does_not_ask_for_millions() {
    let a = plan("Standard_D8_v3", &["S30", "temp"], "");
    assert!(
        !codes(&a).iter().any(|c| c.starts_with("VM-CACHED")),
        "{:?}",
        codes(&a)
    );
}

/// Queue depth 5 at 1 ms reaches the 5,000 IOPS of a P30: the disk is the limit, and five are enough.
#[test]
fn a_queue_depth_that_just_suffices_is_no_finding() {
    let a = plan("", &["P30"], "block=4KiB depth=5");
    assert_eq!(
        result(&a, "", "P30").alone.sustained.bottleneck.to_string(),
        "disk IOPS"
    );
    assert!(!codes(&a).contains(&"QUEUE-DEPTH"));
}

#[test]
fn os_disks_and_stripes_that_cannot_be() {
    let a = plan("Standard_D8s_v3", &["a=P10:os", "b=P10:os"], "");
    finding(&a, "OS-DISKS", "b");
    let a = plan("Standard_D8s_v3", &["os=2xP30:os"], "");
    finding(&a, "OS-DISKS", "os");
}

#[test]
fn settings_that_cost_or_mislead_are_remarked_on() {
    let a = plan("Standard_D16s_v5", &["P30:burst=on"], "");
    finding(&a, "ON-DEMAND-BURST", "P30");
    let a = plan("Standard_D16s_v5", &["P30:shares=2"], "");
    assert_eq!(finding(&a, "SHARED-DISK", "P30").severity, Severity::Info);
    // Sources do not agree on Standard HDD.
    let a = plan("Standard_D16s_v5", &["S30:shares=2"], "");
    let doubtful = finding(&a, "SHARED-DISK", "S30");
    assert_eq!(doubtful.severity, Severity::Warning);
    assert!(doubtful.message.contains("Doubtful: the list of SKUs"));
    let a = plan("Standard_D16s_v5", &["P30:size=512"], "");
    finding(&a, "TIER-BY-SIZE", "P30");
}

/// `disks` on `vm` under the standard workloads with the prices of eastus.
fn priced(vm: &str, disks: &[&str]) -> Assessment {
    priced_by(&eastus(), vm, disks)
}

fn priced_by(book: &PriceBook, vm: &str, disks: &[&str]) -> Assessment {
    let catalog = Catalog::embedded();
    let plan = request(vm, disks).build(catalog).unwrap();
    let mut assessment = assess(catalog, &plan.deployment, &plan.workloads);
    price(
        catalog,
        &plan.deployment,
        book,
        VmOffer::Linux,
        &mut assessment,
    );
    assessment
}

/// The fix of a finding of `disks` on `vm` by the standard workloads, once prices are known.
fn priced_fix(book: &PriceBook, vm: &str, disks: &[&str], code: &str) -> String {
    let assessment = priced_by(book, vm, disks);
    let vm = &assessment.vm.as_ref().unwrap().size;
    finding(&assessment, code, vm).fix.clone().unwrap()
}

fn eastus() -> PriceBook {
    embedded(&Region::new("eastus")).unwrap()
}

/// A book with these prices an hour and nothing else.
fn book(prices: &[(&str, f64)]) -> PriceBook {
    let mut book = PriceBook::new(BookInfo {
        region: Region::new("eastus"),
        currency: Currency::USD,
        vm_prices_of: None,
        disk_prices_of: None,
        source: PriceSource::Embedded,
    });
    for (size, price) in prices {
        book.set_vm(size, VmOffer::Linux, *price);
    }
    book
}

/// A P40 does 250 MB/s, a D8s_v3 192, a D16s_v3 384: (0.768 - 0.384) x 730 h = 280.32 more. Of all sizes with 8 vCPUs,
/// 32 GiB and 250 MB/s the cheapest in eastus are B8s_v2 (0.333; its CPU runs on credit), DC8as_cc_v5 and DC8as_v6
/// (0.344, 0.363; confidential) and D8s_v5 (0.384 as well, 290 MB/s), which has no temp disk.
#[test]
fn with_prices_a_fix_names_the_cheapest_sizes() {
    let fix = priced_fix(&eastus(), "D8s_v3", &["P40"], "VM-UNCACHED-MBPS");
    assert_eq!(
        fix,
        "Standard_D16s_v3 is the cheapest Dsv3 size that lifts every cap met here (384 uncached MB/s), for 280.32 USD \
         a month more, but retires on 2029-11-15 as well; of all sizes that take what is deployed, Standard_D8s_v5 is \
         the cheapest that lifts every cap (290 uncached MB/s), at the same price, without a local disk: a deployed VM must be made anew for it"
    );
}

/// With the temp disk in use D8s_v5 does not do. D8ds_v5 has 300 GiB where D8s_v3 has 64: (0.452 - 0.384) x 730 = 49.64.
#[test]
fn a_temp_disk_in_use_has_to_be_there() {
    let fix = priced_fix(&eastus(), "D8s_v3", &["P40", "temp"], "VM-UNCACHED-MBPS");
    assert!(fix.ends_with(
        "Standard_D8ds_v5 is the cheapest that lifts every cap (290 uncached MB/s), for 49.64 USD a month more"
    ), "{fix}");
}

/// A book in which the larger size is the cheaper one: (0.5 - 0.4) x 730 h = 73.
#[test]
fn the_cheapest_of_a_series_need_not_be_the_smallest() {
    let prices = [
        ("Standard_D8s_v3", 0.4),
        ("Standard_D16s_v3", 0.9),
        ("Standard_D32s_v3", 0.5),
    ];
    let fix = priced_fix(&book(&prices), "D8s_v3", &["P40"], "VM-UNCACHED-MBPS");
    assert_eq!(
        fix,
        "Standard_D32s_v3 is the cheapest Dsv3 size that lifts every cap met here (768 uncached MB/s), for 73.00 USD a \
         month more, but retires on 2029-11-15 as well"
    );
    // D2s_v3 takes 4 data disks, D4s_v3 8: the larger ones have prices.
    let disks = ["a=P4", "b=P4", "c=P4", "d=P4", "e=P4"];
    let fix = priced_fix(&book(&prices), "D2s_v3", &disks, "TOO-MANY-DISKS");
    assert_eq!(
        fix,
        "Standard_D8s_v3 is the cheapest Dsv3 size that takes 5 (16), but retires on 2029-11-15 as well"
    );
}

/// DS1_v2 lets 48 MB/s through, a P20 does 150: DS3_v2 (192) does, and retires on the same day as every DSv2. E2bds_v5 has a
/// temp disk, as DS1_v2 has, lets 170 through and stays.
#[test]
fn a_size_that_retires_is_no_advice_by_itself() {
    let a = plan("DS1_v2", &["P20"], "");
    assert_eq!(
        finding(&a, "RETIRING-SIZE", "Standard_DS1_v2").severity,
        Severity::Warning
    );
    assert_eq!(
        finding(&a, "VM-UNCACHED-MBPS", "Standard_DS1_v2")
            .fix
            .as_deref(),
        Some(
            "Standard_DS3_v2 is the smallest DSv2 size that lifts every cap met here (192 uncached MB/s), but retires on \
             2028-05-01 as well; of all sizes that take what is deployed, Standard_E2bds_v5 (SCSI) is the smallest that \
             lifts every cap (170 uncached MB/s)"
        )
    );
}

/// NCv3 went on 2025-09-30, before the day of the data: no larger one of it is named.
#[test]
fn a_size_that_is_retired_is_no_advice_at_all() {
    let a = plan("NC6s_v3", &["4xP40"], "");
    let fix = &finding(&a, "VM-UNCACHED-MBPS", "Standard_NC6s_v3").fix;
    let fix = fix.as_deref().unwrap();
    assert!(
        fix.starts_with("the NCsv3 sizes that lift every cap are retired as well"),
        "{fix}"
    );
}

/// D8s_v3 has 8 vCPUs, 32 GiB, a temp disk, 12,800 IOPS and 192 MB/s, 16,000 and 400 in burst. Without prices D8ads_v5 is
/// the first of the newest generation on SCSI with a temp disk, 12,800 and 200, 20,000 and 600. By price it is D8as_v4,
/// with the same ceilings as D8s_v3: (0.48 - 0.46) x 730 = 14.60.
#[test]
fn a_size_that_retires_names_one_to_resize_to() {
    let code = "RETIRING-SIZE";
    let a = plan("D8s_v3", &["P20"], "");
    let found = finding(&a, code, "Standard_D8s_v3");
    assert_eq!(
        found.message,
        "Standard_D8s_v3 retires on 2029-11-15: from then no VM of it runs and none can be made"
    );
    let text = "size to resize to that stays, takes what is deployed and has no less of vCPUs, memory and base ceilings";
    assert_eq!(
        found.fix,
        Some(format!("Standard_D8ads_v5 is the smallest {text}"))
    );
    let prices = [
        ("Standard_D8s_v3", 0.48),
        ("Standard_D8as_v4", 0.46),
        ("Standard_D8ds_v5", 0.544),
        ("Standard_D8s_v5", 0.3),
    ];
    assert_eq!(
        priced_fix(&book(&prices), "D8s_v3", &["P20"], code),
        format!("Standard_D8as_v4 is the cheapest {text}, for 14.60 USD a month less")
    );
    // With cached disks the cached ceiling counts: D8as_v4 has the 131.072 MB/s of D8s_v3. Not without its price.
    let cached = priced_fix(&book(&prices[2..]), "D8s_v3", &["P20:cache=ro"], code);
    assert!(cached.starts_with("Standard_D8ds_v5"), "{cached}");
}

/// An accelerator has no other size in its place.
#[test]
fn special_hardware_has_no_size_in_its_place() {
    let a = plan("NV12s_v3", &["P20"], "");
    let found = finding(&a, "RETIRING-SIZE", "Standard_NV12s_v3");
    assert_eq!(
        found.fix.as_deref(),
        Some("plan for a size of a newer generation")
    );
}

/// What never passes and cannot be provisioned apart from the size has a fix, too.
#[test]
fn what_never_passes_has_a_fix_on_every_family() {
    let fix = |disk| {
        let a = plan("D2s_v3", &[disk], "");
        finding(&a, "UNUSABLE", disk.split(':').next().unwrap())
            .fix
            .clone()
            .unwrap()
    };
    // A P40 does 7,500 IOPS, and D2s_v3 4,000 in burst.
    assert!(fix("P40").starts_with("take a larger size; or a smaller disk"));
    assert!(fix("v2:size=200,iops=7500").starts_with("iops=4000,"));
}

/// A D8s_v5 lets 20,000 IOPS and 1,200 MB/s through in burst, 12,800 and 290 sustained. Of eight v2 with 3,000 and 125
/// each is left 2,500, and no v2 has less than 3,000: five of them are 15,000 and 625. With 200 MB/s each, 1,600 in all,
/// 150 pass: that one can be set, beside 3,000 IOPS.
#[test]
fn no_setting_below_the_least_of_a_family_is_advised() {
    let fix = |vm, disk| {
        let a = plan(vm, &[disk], "");
        finding(&a, "UNUSABLE", "data").fix.clone().unwrap()
    };
    let fewer = fix("D8s_v5", "data=8xv2:size=64,iops=3000,mbps=125");
    let said =
        "5 such disks are enough for what this VM sustains (12,800 IOPS, 290 MB/s), all 8 for what";
    assert!(fewer.starts_with(said), "{fewer}");
    let lower = fix("D8s_v5", "data=8xv2:size=64,iops=3000,mbps=200");
    let said = "iops=3000,mbps=150 is the lowest setting that does all that this VM lets through";
    assert!(lower.starts_with(said), "{lower}");
}

/// Where the region has no price for the series, its smallest size is named; another may still have one.
#[test]
fn without_a_price_the_smallest_of_the_series_is_named() {
    let code = "VM-UNCACHED-MBPS";
    let smallest = "Standard_D16s_v3 is the smallest Dsv3 size that lifts every cap met here (384 uncached MB/s), but \
                    retires on 2029-11-15 as well";
    let a = plan("D8s_v3", &["P40"], "");
    let fix = finding(&a, code, "Standard_D8s_v3").fix.as_deref().unwrap();
    let stays = "; of all sizes that take what is deployed, Standard_D8ds_v5 is the smallest that lifts every cap (290 \
                 uncached MB/s)";
    assert_eq!(fix, format!("{smallest}{stays}"));
    assert_eq!(priced_fix(&book(&[]), "D8s_v3", &["P40"], code), smallest);
    // D8s_v6 lets 424 MB/s through, but has an NVMe controller only, for which an image may have no driver. Of E16bs_v6
    // no source names the controller; those of its generation have NVMe.
    let others = [
        ("Standard_E16bs_v6", 0.1),
        ("Standard_D8s_v6", 0.2),
        ("Standard_E16s_v5", 0.3),
    ];
    let fix = priced_fix(&book(&others), "D8s_v3", &["P40"], code);
    let elsewhere = "; of all sizes that take what is deployed, Standard_E16s_v5 is the cheapest that lifts every cap (600 uncached \
                     MB/s), without a local disk: a deployed VM must be made anew for it";
    assert_eq!(fix, format!("{smallest}{elsewhere}"));
}

/// The largest Dsv3 size lets 1,200 MB/s through, eight P40 do 2,000, an E104is_v5 lets 4,000 through. The price of D64s_v3
/// is not known, and so neither is the difference.
#[test]
fn another_series_may_be_the_only_one() {
    let disks = ["8xP40"];
    let code = "VM-UNCACHED-MBPS";
    let none = priced_fix(&book(&[]), "D64s_v3", &disks, code);
    assert_eq!(
        none,
        "no Dsv3 size lets all of it through (2,000 MB/s here): look for another series, or provision less"
    );
    let fix = priced_fix(
        &book(&[("Standard_E104is_v5", 6.0)]),
        "D64s_v3",
        &disks,
        code,
    );
    assert_eq!(
        fix,
        "no Dsv3 size lets all of it through (2,000 MB/s here); of all sizes that take what is deployed, \
         Standard_E104is_v5 is the cheapest that lifts every cap (4,000 uncached MB/s), without a local disk: a deployed VM must be made anew for it"
    );
}

/// Two P30 have 10,000 IOPS and 400 MB/s; what hits is bound by the 16,000 cached IOPS of a D8s_v3 alone.
#[test]
fn a_cached_ceiling_that_hits_fill_is_told() {
    let words = "block=8KiB read=1 hit=1";
    let a = plan("Standard_D8s_v3", &["data=2xP30:cache=ro"], words);
    let found = finding(&a, "VM-CACHED-IOPS", "Standard_D8s_v3");
    assert_eq!(found.severity, Severity::Info);
    assert!(
        found
            .message
            .contains("every read of data hits the host cache")
            && found.message.contains("16,000 IOPS on Standard_D8s_v3"),
        "{}",
        found.message
    );
    let fix = found.fix.as_deref().unwrap();
    assert!(
        fix.contains("Standard_D16s_v3 (32,000 cached IOPS)"),
        "{fix}"
    );
    // Half of it misses: the disk bound it, and no hit is blamed.
    let misses = plan(
        "Standard_D8s_v3",
        &["data=P30:cache=ro"],
        "block=8KiB read=1 hit=0.5",
    );
    assert!(!codes(&misses).contains(&"VM-CACHED-IOPS"));
}

/// Hits are stated for all volumes: where one is cached they are meant for it; where none is they change nothing.
#[test]
fn hits_without_a_cache_are_pointed_out() {
    let alone = plan("Standard_D16s_v5", &["P30"], "hit=0.8");
    let found = finding(&alone, "HIT-SHARE-UNUSED", "P30");
    assert!(
        found
            .message
            .starts_with("80 % cache hits are stated, but it"),
        "{}",
        found.message
    );
    let both = plan("Standard_D16s_v5", &["data=P30", "log=P20"], "hit=0.8");
    let found = finding(&both, "HIT-SHARE-UNUSED", "Standard_D16s_v5");
    assert!(found.message.contains("data, log"), "{}", found.message);
    for (disks, words) in [
        (["data=P30:cache=ro", "log=P20"], "hit=0.8"),
        (["data=P30", "log=P20"], ""),
    ] {
        let a = plan("Standard_D16s_v5", &disks, words);
        assert!(
            !codes(&a).contains(&"HIT-SHARE-UNUSED"),
            "{disks:?} {words}"
        );
    }
}

/// What the catalogue refuses comes with the id of its finding.
#[test]
fn what_a_disk_cannot_be_is_said_with_its_own_id() {
    let first = |vm: &str, disk: &str, code: &str| {
        let a = plan(vm, &[disk], "");
        let found = a.findings.into_iter().find(|f| f.id.code() == code);
        found.unwrap_or_else(|| panic!("no {code} about {disk}"))
    };
    for (disk, code, severity, why) in [
        (
            "v2:size=100,cache=ro",
            "V2-CACHING",
            Severity::Error,
            "Premium SSD v2 has no host caching",
        ),
        (
            "ultra:size=100,iops=5000,mbps=200,cache=ro",
            "ULTRA-CACHING",
            Severity::Error,
            "no host caching",
        ),
        (
            "P30:shares=2,cache=ro",
            "SHARED-DISK-CACHING",
            Severity::Error,
            "a shared disk cannot be cached",
        ),
        (
            "P60:cache=ro",
            "LARGE-DISK-CACHING",
            Severity::Error,
            "the largest is 4,095 GiB",
        ),
        (
            "v2:size=100,os",
            "OS-DISK-KIND",
            Severity::Error,
            "v2 cannot be an OS disk",
        ),
        (
            "S30:os",
            "OS-DISK-HDD",
            Severity::Warning,
            "Standard HDD as OS disk",
        ),
        (
            "v2:size=100,iops=90000",
            "V2-RANGE",
            Severity::Error,
            "90,000 IOPS asked",
        ),
        (
            "ultra:size=2,iops=1000,mbps=10",
            "ULTRA-RANGE",
            Severity::Error,
            "2 GiB asked",
        ),
        (
            "P30:size=40TiB",
            "DISK-RANGE",
            Severity::Error,
            "40,960 GiB asked",
        ),
    ] {
        let found = first("Standard_D8s_v5", disk, code);
        assert_eq!(found.severity, severity, "{code}");
        assert!(found.message.contains(why), "{code}: {}", found.message);
    }
    let ultra = "ultra:size=100,iops=5000,mbps=200";
    let unlisted = first("Standard_D8ps_v5", ultra, "ULTRA-UNLISTED");
    assert_eq!(
        unlisted.fix.as_deref(),
        Some("check the size's zones with `az vm list-skus`, or use Premium SSD v2")
    );
    let plain = first("Standard_D8_v3", ultra, "PREMIUM-UNSUPPORTED");
    assert_eq!(
        plain.fix.as_deref(),
        Some("Standard_D8s_v3 has the same vCPUs and memory with premium storage")
    );
}

/// A rule of a cloud, and what it calls its things, is the catalogue's: the planner asks for it.
#[test]
fn the_planner_names_no_cloud() {
    const NAMES: [&str; 14] = [
        "azure",
        "microsoft",
        "amazon",
        "aws",
        "google",
        "premium ssd",
        "standard ssd",
        "standard hdd",
        "ultra disk",
        "v2/ultra",
        "az vm",
        "family::premium",
        "family::standard",
        "family::ultra",
    ];
    let mut files = Vec::new();
    sources(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/planner"),
        &mut files,
    );
    assert!(files.len() > 20, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap().to_lowercase();
        // Examples in tests may be of any cloud.
        let rules = text.split("#[cfg(test)]").next().unwrap();
        for name in NAMES {
            let mut found = rules.match_indices(name);
            let is_word = |at: usize| !rules[..at].ends_with(char::is_alphabetic);
            assert!(
                !found.any(|(at, _)| is_word(at)),
                "{}: {name}",
                file.display()
            );
        }
    }
}

fn sources(folder: PathBuf, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(path, files);
        } else {
            files.push(path);
        }
    }
}

/// Of Ebsv6 no source says the cached ceiling. Three P50 and a cached P3 draw 3 x 7,500 + 120 IOPS through the uncached
/// one, which is 8,800 on E2bs_v6 and 36,300 on E8bs_v6: 13,820 of them are paid in vain.
#[test]
fn an_unknown_ceiling_does_not_hide_what_is_known_of_another() {
    let a = plan("E2bs_v6", &["a=3xP50", "b=P3:cache=ro"], "block=4KiB");
    let fix = finding(&a, "VM-UNCACHED-IOPS", "Standard_E2bs_v6")
        .fix
        .as_deref();
    assert!(
        fix.unwrap().starts_with("Standard_E8bs_v6 is the smallest"),
        "{fix:?}"
    );
    let lost = finding(&a, "UNUSABLE", "Standard_E2bs_v6");
    close(figure(lost, "unusable_sustained", "IOPS"), 13_820.0, 1e-6);
}

/// A P30 has 5,000 IOPS without credit (that above is for P20 and less): 5,000 of 12,000 are 41.67 %. P40 has 7,500,
/// and 16,000 with performance plus; a Premium SSD v2 of 1,024 GiB may have 12,000 IOPS, and 125 MB/s are the least.
#[test]
fn a_demand_that_a_disk_does_not_meet_is_a_finding() {
    let a = plan("Standard_D8s_v5", &["data=P30"], "iops=12000");
    let found = finding(&a, "DEMAND-UNMET", "data");
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "12,000 IOPS asked, 5,000 sustained (42 %): stopped by disk IOPS"
    );
    assert_eq!(
        found.fix.as_deref(),
        Some("take P40:perfplus or v2:size=1024,iops=12000,mbps=125")
    );
    let met = plan("Standard_D8s_v5", &["data=P60"], "iops=12000");
    assert!(!codes(&met).contains(&"DEMAND-UNMET"));
}

/// A P10 has 500 IOPS, and 3,500 while credit lasts: (3,500 - 500) x 1,800 s of credit, spent at 3,000 - 500 a second,
/// last 2,160 s. A D2s_v3 lets 3,200 IOPS through, which 3,000 do not meet.
#[test]
fn a_demand_that_is_met_only_in_burst_says_for_how_long() {
    let a = plan("Standard_D2s_v3", &["data=P10"], "iops=3000");
    let found = finding(&a, "DEMAND-UNMET", "data");
    // The warning is that of the credit.
    assert_eq!(found.severity, Severity::Info);
    assert_eq!(
        finding(&a, "BURST-ONLY", "data").severity,
        Severity::Warning
    );
    assert_eq!(
        found.message,
        "3,000 IOPS asked, 500 sustained (17 %): stopped by disk IOPS; met only in burst, for 36 min from full credit on"
    );
    assert!(
        found
            .fix
            .as_deref()
            .unwrap()
            .starts_with("take P30 or v2:size=128,iops=3000")
    );
}

/// Where the VM is in the way its own finding names a size; this one is what a gate looks at. A D2s_v3 lets 3,200 IOPS
/// through, 64 % of 5,000, and 4,000 while its credit lasts.
#[test]
fn a_demand_that_the_vm_holds_back_is_a_finding_too() {
    let a = plan("Standard_D2s_v3", &["data=P30"], "iops=5000");
    let found = finding(&a, "DEMAND-UNMET", "data");
    assert_eq!(
        found.message,
        "5,000 IOPS asked, 3,200 sustained (64 %): stopped by VM uncached IOPS; in burst 4,000"
    );
    assert_eq!(found.fix, None);
    assert!(codes(&a).contains(&"VM-UNCACHED-IOPS"));
    // Two of 2,500 share it: 1,600 each.
    let two = plan("Standard_D2s_v3", &["a=P30", "b=P30"], "iops=2500");
    let found = finding(&two, "DEMAND-UNMET", "b");
    close(figure(found, "sustained", "IOPS"), 1600.0, 1e-6);
}

/// Reads that a warm cache answers pass nothing that is known without a VM: what a queue depth makes of the cache's
/// latency is no figure of a machine.
#[test]
fn a_warm_cache_without_a_vm_is_unknown() {
    for words in ["", "block=4KiB depth=32"] {
        let a = plan("", &["P30:cache=ro"], words);
        for workload in &a.workloads {
            let cache = workload.volumes[0].cache.unwrap();
            assert_eq!((cache.warm.iops, cache.warm.at_most), (None, true));
            assert!(cache.cold.iops.is_some());
        }
    }
}

/// A B2ms lets 22.5 MB/s through uncached and hardly more cached: misses of two cached disks ask both for 300 sustained,
/// and the uncached ceiling is what is full. Where the disks fit sustained, that is said.
#[test]
fn a_ceiling_behind_another_is_not_said_to_fit() {
    let a = plan(
        "Standard_B2ms",
        &["os=E6:cache=rw", "d=P40:cache=rw"],
        "block=1MiB",
    );
    let uncached = finding(&a, "VM-UNCACHED-MBPS", "Standard_B2ms");
    assert!(figure(uncached, "asked", "MB/s") > 22.5);
    let cached = finding(&a, "VM-CACHED-MBPS", "Standard_B2ms");
    let end = "cached ceiling. Sustained the uncached ceiling stops them first";
    assert!(cached.message.ends_with(end), "{}", cached.message);
    // What is lost is the same in burst and sustained on MB/s: it is said once.
    let lost = finding(&a, "UNUSABLE", "os");
    assert!(
        !lost.message.contains("once the VM's burst credit"),
        "{}",
        lost.message
    );
}

/// E16ds_v5: 75,000 IOPS cached, 25,600 uncached. Four cached P30 (20,000) and a log of 8,000 share the uncached one; the
/// temp disk takes what they leave of the cached one. Not held back by it, the P30 would draw 20,000 of it and leave
/// 55,000: 75,000 in all, which is what it has. Sixteen P30 would draw 80,000, and it is still the uncached one that
/// stops them.
#[test]
fn a_temp_disk_that_takes_the_rest_of_a_ceiling_holds_nobody_back() {
    let disks = |data: &'static str| {
        let log = "log=v2:size=256,iops=8000,mbps=400";
        plan("E16ds_v5", &[data, log, "tempdb=temp"], "block=8KiB")
    };
    for (data, asked) in [
        ("data=2xP30:cache=ro", 75_000.0),
        ("data=4xP30:cache=ro", 75_000.0),
        ("data=6xP30:cache=ro", 75_000.0),
        ("data=16xP30:cache=ro", 80_000.0),
    ] {
        let a = disks(data);
        let found = codes(&a);
        let cached = found.iter().any(|c| c.starts_with("VM-CACHED"));
        assert!(!cached, "{data}: {found:?}");
        let rows = &a.workloads[0].ceilings;
        let is_it = |row: &&diskcap::planner::assessment::CeilingUse| {
            row.ceiling == diskcap::planner::assessment::CeilingName::Cached
                && row.axis == diskcap::catalog::Axis::Iops
        };
        let row = rows.iter().find(is_it).unwrap();
        close(row.asked.sustained.unwrap(), asked, 1e-6);
        close(row.used.sustained.unwrap(), 75_000.0, 1e-6);
    }
}

/// D8s_v3: 192 MB/s uncached, 131.072 cached. Four cached P30 could draw 800; the temp disk and they get half of the
/// cached ceiling each, 65.536, and 800 + 65.536 are asked of it: there it is the ceiling that holds the disks back.
#[test]
fn a_temp_disk_beside_disks_that_the_cached_ceiling_stops_is_a_finding() {
    let disks = ["data=4xP30:cache=ro", "tempdb=temp"];
    let a = plan("Standard_D8s_v3", &disks, "block=1MiB");
    let found = finding(&a, "VM-CACHED-MBPS", "Standard_D8s_v3");
    close(figure(found, "asked", "MB/s"), 865.536, 1e-6);
}

/// D16s_v3: 32,000 IOPS cached, 262.144 MB/s. Four cached P30 are 20,000 IOPS and 800 MB/s: the IOPS have room for them,
/// and the temp disk would fill the rest of any size. D32s_v3 has 524.288 MB/s, D48s_v3 1,048.576: on that one all is well.
#[test]
fn the_size_that_lifts_a_cached_cap_beside_a_temp_disk_has_no_such_finding() {
    let disks = ["a=4xP30:cache=ro", "t=temp"];
    let a = plan("D16s_v3", &disks, "");
    let fix = finding(&a, "VM-CACHED-MBPS", "Standard_D16s_v3")
        .fix
        .as_deref();
    let said = "Standard_D48s_v3 is the smallest Dsv3 size that lifts every cap met here (1,048.6 cached MB/s)";
    assert!(fix.unwrap().starts_with(said), "{fix:?}");
    let warns = |f: &&&Finding| f.severity == Severity::Warning;
    assert_eq!(of_cached(&a).iter().filter(warns).count(), 1);
    let larger = plan("D48s_v3", &disks, "");
    assert_eq!(of_cached(&larger).iter().filter(warns).count(), 0);
}

/// The findings about the cached ceiling.
fn of_cached(a: &Assessment) -> Vec<&Finding> {
    let found = a.findings.iter();
    found
        .filter(|f| f.id.code().starts_with("VM-CACHED"))
        .collect()
}

/// E16ds_v5: 1,000 MB/s cached, and four cached P30 draw 800: what is beyond the ceiling is what the temp disk would take of
/// any size.
#[test]
fn the_appetite_of_a_temp_disk_needs_no_larger_size() {
    for size in ["E16ds_v5", "E20ds_v5", "E32ds_v5", "E48ds_v5", "E64ds_v5"] {
        let a = plan(size, &["data=4xP30:cache=ro", "tempdb=temp"], "block=1MiB");
        let held: Vec<&Finding> = of_cached(&a);
        assert!(
            held.iter().all(|f| f.severity == Severity::Info),
            "{size}: {held:?}"
        );
    }
}

/// A fix that speaks of a credit names disks that need none for what the present one does with it. E10: 600 IOPS and
/// 150 MB/s in burst; E20 and E50 have 500 and 100, E30 with performance plus 1,500 and 150. P15: 3,500 and 170; P20 has
/// 2,300, P30 5,000.
#[test]
fn disks_in_place_of_credit_do_as_much_without() {
    for (disk, take) in [
        (
            "E10",
            "take E30:perfplus or v2:size=128,iops=3000,mbps=150, provisioned for as much",
        ),
        (
            "P15",
            "take P30 or v2:size=256,iops=3500,mbps=170, provisioned for as much",
        ),
        (
            "2xP15",
            "take 2xP30 or 2xv2:size=256,iops=3500,mbps=170, provisioned for as much",
        ),
    ] {
        let a = plan("", &[&format!("d={disk}")], "");
        let fix = finding(&a, "BURST-ONLY", "d").fix.clone().unwrap();
        assert!(fix.ends_with(take), "{disk}: {fix}");
    }
}

/// A P20 bursts from 2,300 to 3,500 IOPS: on a D16s_v5 (25,600 uncached) four P30 and it fall from 23,500 to 22,300 by
/// the disk's credit under oltp, and no VM size changes that; under backup (600 MB/s, 1,200 in burst) by the VM's.
#[test]
fn each_credit_has_its_own_finding() {
    let request = diskcap::deployment::request::PlanRequest {
        profiles: ["oltp", "backup"]
            .map(|name| Profile::named(name).unwrap())
            .to_vec(),
        ..request("D16s_v5", &["data=4xP30:cache=ro", "log=P20"])
    };
    let a = common::assessed(request);
    let all: Vec<&Finding> = (a.findings.iter())
        .filter(|f| {
            f.message
                .starts_with("all volumes at once: only from credit")
        })
        .collect();
    assert!(!all.is_empty(), "{:?}", codes(&a));
    for finding in all {
        let of = if finding.id.code() == "BURST-ONLY" {
            "oltp: "
        } else {
            "backup: "
        };
        let head = format!("all volumes at once: only from credit: {of}");
        assert!(finding.message.starts_with(&head), "{}", finding.message);
    }
}

/// 1,200 MB/s need 1,200 / 0.25 = 4,800 IOPS on v2; 20,000 IOPS need 20,000 / 500 = 40 GiB.
#[test]
fn a_setting_out_of_range_has_the_setting_that_allows_it() {
    for (disk, set) in [
        ("v2:size=200,iops=3000,mbps=1200", "MB/s, or set iops=4800"),
        ("v2:size=20,iops=20000", "IOPS, or set size=40"),
        (
            "v2:size=8,iops=3000,mbps=1200",
            "MB/s, or set iops=4800 and size=10",
        ),
        // No disk has as much.
        ("v2:size=200,iops=3000,mbps=99000", "MB/s"),
        // Less than the least is no matter of other settings.
        ("v2:size=200,iops=100", "IOPS"),
    ] {
        let a = plan("", &[&format!("d={disk}")], "");
        let fix = finding(&a, "V2-RANGE", "d").fix.clone().unwrap();
        assert!(fix.ends_with(set), "{disk}: {fix}");
    }
}

/// 2 TiB is a P40 by its size; 128 GiB a P10.
#[test]
fn a_tier_that_does_not_fit_is_told_by_the_size() {
    for (disk, said) in [
        (
            "P30:size=2TiB",
            "P30 was named with 2,048 GiB, which makes it P40",
        ),
        (
            "P40:tier=P30",
            "performance tier P30 is below P40, which 2,048 GiB has by its size",
        ),
        (
            "P10:tier=P60",
            "performance tier P60 is too high for a disk of 128 GiB: P50 is the highest",
        ),
    ] {
        let a = plan("", &[&format!("d={disk}")], "");
        let message = &finding(&a, "PERFORMANCE-TIER", "d").message;
        assert!(message.starts_with(said), "{disk}: {message}");
    }
}

/// E32bds_v5: 2,740 MB/s of v2 and Ultra on SCSI, 4,800 on NVMe. 8 x 250 + 500 + 1,200 = 3,700 are asked.
#[test]
fn a_cap_that_the_other_controller_lifts_needs_no_larger_size() {
    let disks = [
        "data=8xP40",
        "redo=ultra:size=128,iops=20000,mbps=500",
        "fra=v2:size=4TiB,iops=16000,mbps=1200",
    ];
    let a = plan("E32bds_v5", &disks, "block=1MiB");
    let fix = finding(&a, "VM-REMOTE-MBPS", "Standard_E32bds_v5")
        .fix
        .clone()
        .unwrap();
    let said =
        "the same size on NVMe lifts every cap met here (4,800 v2/Ultra MB/s) at the same price";
    assert!(fix.starts_with(said), "{fix}");
    let caps = &finding(&a, "INTERFACE-CAPS", "Standard_E32bds_v5").message;
    assert!(caps.contains("on NVMe the size has 130,000 IOPS, 3,700 MB/s uncached; 174,200 IOPS, 4,800 MB/s v2/Ultra"), "{caps}");
}

/// E8bs_v5 has 33,000 IOPS and 930 MB/s on NVMe, 24,200 and 680 on SCSI: the other controller is advice on SCSI only.
#[test]
fn the_lower_controller_is_no_advice() {
    let on = |interface| {
        let a = common::assessed(PlanRequest {
            interface: Some(interface),
            ..request("E8bs_v5", &["data=6xP30"])
        });
        finding(&a, "INTERFACE-CAPS", "Standard_E8bs_v5")
            .fix
            .clone()
    };
    assert_eq!(on(Interface::Nvme), None);
    assert_eq!(
        on(Interface::Scsi).as_deref(),
        Some("compute with --interface nvme")
    );
}

/// Two v2 of 80,000 IOPS and 1,200 MB/s: E48bds_v5 has 120,000 IOPS uncached, and 160,000 for v2 and Ultra.
#[test]
fn the_ceiling_that_lifts_a_cap_is_the_one_in_brackets() {
    let disk = |name: &str| format!("{name}=v2:size=1024,iops=80000,mbps=1200");
    let a = plan("D4s_v5", &[&disk("a"), &disk("b")], "");
    let fix = finding(&a, "VM-UNCACHED-IOPS", "Standard_D4s_v5")
        .fix
        .clone()
        .unwrap();
    assert!(fix.contains("(160,000 v2/Ultra IOPS)"), "{fix}");
    assert!(!fix.contains("uncached IOPS)"), "{fix}");
}

/// E16bs_v5 lets a P60 and an Ultra of 30,000 IOPS and 1,000 MB/s through on NVMe only.
#[test]
fn a_size_that_lifts_a_cap_on_one_controller_is_named_with_it() {
    let a = priced(
        "D8s_v6",
        &["a=P60", "b=ultra:size=512,iops=30000,mbps=1000"],
    );
    let fixes: Vec<&str> = a.findings.iter().filter_map(|f| f.fix.as_deref()).collect();
    assert!(
        fixes
            .iter()
            .any(|fix| fix.contains("Standard_E16bs_v5 (NVMe)")),
        "{fixes:?}"
    );
}

/// One size lifts all caps: the first fix tells about it, the others only what it lets through there.
#[test]
fn the_fix_of_several_caps_is_told_once() {
    let a = plan("D8s_v5", &["data=8xP40"], "");
    let fix = |code| finding(&a, code, "Standard_D8s_v5").fix.clone().unwrap();
    // 8 x 7,500 = 60,000 IOPS, 2,000 MB/s: D48s_v5 has 76,800 and 1,315, D64s_v5 80,000 and 1,735, D96s_v5 80,000 and
    // 2,600.
    assert!(fix("VM-UNCACHED-IOPS").starts_with("Standard_D96s_v5 is the smallest Dsv5 size"));
    assert_eq!(
        fix("VM-UNCACHED-MBPS"),
        "as for VM-UNCACHED-IOPS: Standard_D96s_v5 (2,600 uncached MB/s)"
    );
}

/// No Dsv5 size lets 2 x 1,500 MB/s through (2,600 at most): another series is named without prices, too.
#[test]
fn another_series_is_named_where_the_own_has_no_size() {
    let a = plan(
        "D16s_v5",
        &[
            "v=2xP30",
            "w=v2:size=4TiB,iops=80000,mbps=2000",
            "x=v2:size=4TiB,iops=80000,mbps=1000",
        ],
        "block=1MiB",
    );
    let fix = finding(&a, "VM-UNCACHED-MBPS", "Standard_D16s_v5")
        .fix
        .clone()
        .unwrap();
    assert!(fix.starts_with("no Dsv5 size lets all of it through (3,400 MB/s here); of all sizes that take what is deployed, "), "{fix}");
    assert!(
        fix.contains(" is the smallest that lifts every cap ("),
        "{fix}"
    );
}

/// Six P30 are 30,000 IOPS and 1,200 MB/s; a D8s_v5 sustains 12,800 and 290 (three disks: 15,000 and 600), in burst
/// 20,000 and 1,200 (six, for their MB/s). A P30 is 135.17 USD a month.
#[test]
fn a_stripe_of_more_disks_than_the_vm_lets_through_says_how_many_are_enough() {
    let a = priced("D8s_v5", &["data=6xP30"]);
    let found = finding(&a, "UNUSABLE", "data");
    let fix = found.fix.as_deref().unwrap();
    let said = "3 such disks are enough for what this VM sustains (12,800 IOPS, 290 MB/s), all 6 for what it does in burst";
    assert!(fix.starts_with(said), "{fix}");
    assert!(
        found
            .message
            .ends_with("saves nothing, each disk fewer saves 135.17 USD a month"),
        "{}",
        found.message
    );
    // Two P40 are 15,000 IOPS, and a D2s_v5 lets 10,000 through in burst, 3,750 sustained: one P40 has 7,500.
    let two = plan("D2s_v5", &["data=2xP40"], "");
    let fix = finding(&two, "UNUSABLE", "data").fix.clone().unwrap();
    assert!(fix.contains(", both for what it does in burst"), "{fix}");
}

/// What is paid for as a burst is part of what another way has to do: 30,000 IOPS and 1,000 MB/s of a P40 that bursts on
/// demand; a v2 of 7,500 and 250 is not the same.
#[test]
fn a_cheaper_way_does_the_burst_that_is_paid_for() {
    let ways = |disk: &str| {
        let a = priced("D16s_v5", &[&format!("d={disk}")]);
        a.cost.unwrap().volumes[0].alternatives.clone()
    };
    let does = |way: &diskcap::planner::money::Way| way.reason.contains("30,000 IOPS, 1,000 MB/s");
    assert!(
        ways("P40:burst=on").iter().all(does),
        "{:?}",
        ways("P40:burst=on")
    );
    assert!(!ways("P40").is_empty());
    // Of Ultra no latency is known; a Premium SSD is another family.
    let of_ultra = ways("ultra:size=128,iops=20000,mbps=500");
    let premium = of_ultra
        .iter()
        .find(|way| way.way == "performance plus")
        .unwrap();
    assert!(
        premium
            .reason
            .ends_with("; how its latency compares is not known"),
        "{}",
        premium.reason
    );
}

/// The temp disk of the same series with the letter d.
#[test]
fn a_size_without_a_local_disk_names_the_one_with_it() {
    let error = request("D16s_v5", &["m=temp"])
        .build(Catalog::embedded())
        .unwrap_err();
    let said = "Standard_D16s_v5 has no temp disk; Standard_D16ds_v5 has one";
    assert!(error.to_string().ends_with(said), "{error}");
    // On the sixth generation it is local NVMe.
    let error = request("D8s_v6", &["m=temp"])
        .build(Catalog::embedded())
        .unwrap_err();
    let said = "Standard_D8s_v6 has no temp disk; Standard_D8ds_v6 has one";
    assert!(error.to_string().ends_with(said), "{error}");
    assert!(
        request("D8ds_v6", &["m=temp"])
            .build(Catalog::embedded())
            .is_ok()
    );
}

/// 1,500 MB/s take 1,500 / 0.25 = 6,000 IOPS, and they 6,000 / 500 = 12 GiB; 1,200 MB/s take 4,800 IOPS, fewer than the
/// 5,000 asked, which take 10 GiB. Both findings name the same setting, and with it there is none.
#[test]
fn settings_out_of_range_together_have_one_setting_that_allows_all() {
    for (asked, mbps, set, works) in [
        (
            5000,
            1500,
            "or set iops=6000 and size=12",
            "size=12,iops=6000",
        ),
        (5000, 1200, "or set size=10", "size=10,iops=5000"),
    ] {
        let a = plan("", &[&format!("d=v2:size=5,iops={asked},mbps={mbps}")], "");
        let fixes = a.findings.iter().filter(|f| f.id.code() == "V2-RANGE");
        let fixes: Vec<&str> = fixes.filter_map(|f| f.fix.as_deref()).collect();
        assert_eq!(fixes.len(), 2);
        assert!(fixes.iter().all(|fix| fix.ends_with(set)), "{fixes:?}");
        let a = plan("", &[&format!("d=v2:{works},mbps={mbps}")], "");
        assert!(!codes(&a).contains(&"V2-RANGE"));
    }
}

/// 2 TiB are a P40, 100 GiB a P10. What the fix names can be typed, and is what it says.
#[test]
fn a_tier_beside_a_size_of_another_names_both_disks_that_it_may_mean() {
    for (disk, code, fix, meant) in [
        (
            "P30:size=2TiB,cache=ro",
            "PERFORMANCE-TIER",
            "take P30:cache=ro for a full disk of P30, or P40:size=2048,cache=ro for the tier of that size",
            ["P30:cache=ro", "P40:size=2048,cache=ro"],
        ),
        (
            "P40:size=100",
            "TIER-BY-SIZE",
            "take P40 for a full disk of P40, or P10:size=100 for the tier of that size",
            ["P40", "P10:size=100"],
        ),
    ] {
        let a = plan("", &[&format!("d={disk}")], "");
        assert_eq!(finding(&a, code, "d").fix.as_deref(), Some(fix));
        for spec in meant {
            let a = plan("", &[&format!("d={spec}")], "");
            assert!(!codes(&a).iter().any(|c| c.contains("TIER")), "{spec}");
        }
    }
}

/// An E20 has 100 MB/s, 150 in burst; with performance plus E30 has 150 and E40 300: of 200 asked only that is enough.
/// Of 120 asked the bucket of (150 - 100) x 1,800 = 90,000 MB lasts 90,000 / 20 = 4,500 s, and they are told in MB/s.
#[test]
fn disks_in_place_of_credit_do_what_is_asked() {
    let a = plan("", &["d=E20"], "block=1MiB mbps=200");
    let unmet = finding(&a, "DEMAND-UNMET", "d").fix.clone().unwrap();
    assert_eq!(unmet, "take E40:perfplus or v2:size=512,iops=3000,mbps=200");
    let fix = finding(&a, "BURST-ONLY", "d").fix.clone().unwrap();
    let wanted =
        "take E40:perfplus or v2:size=512,iops=3000,mbps=200, provisioned for all that is asked";
    assert!(fix.ends_with(wanted), "{fix}");
    let a = plan("", &["d=E40:perfplus"], "block=1MiB mbps=200");
    assert!(!codes(&a).contains(&"DEMAND-UNMET"));
    let a = plan("", &["d=E20"], "block=1MiB mbps=120");
    let told = &finding(&a, "BURST-ONLY", "d").message;
    let wanted = "only from credit: 120 MB/s for 75 min (the disk's MB/s credit), then 100 MB/s;";
    assert!(told.starts_with(wanted), "{told}");
}

/// DS3_v2 lets 192 MB/s through and does not burst. P6: 50 MB/s, 170 in burst; P30: 200. In burst both get 96, without it
/// the P30 has 192 - 50 = 142.
#[test]
fn a_neighbour_that_bursts_is_told_in_the_unit_of_the_ceiling() {
    let a = plan("DS3_v2", &["a=P6", "b=P30"], "block=1MiB");
    assert_eq!(
        finding(&a, "NEIGHBOUR-BURST", "b").message,
        "gets 96 MB/s at 1 MiB an I/O while its neighbours burst, 142 when they do not: they take a larger part of the \
         VM's uncached MB/s ceiling"
    );
}

/// D8ds_v5: 38,000 IOPS cached. A P30 whose cache answers 80 % reaches 5,000 / 0.2 = 25,000; beside a temp disk that takes
/// all it gets each has half of the ceiling. Once that is told to take 1,000, nothing holds the P30 back.
#[test]
fn a_cached_disk_that_a_temp_disk_holds_back_is_told() {
    let disks = ["data=P30:cache=ro", "tmp=temp"];
    let a = plan("D8ds_v5", &disks, "hit=0.8");
    let found = finding(&a, "VM-CACHED-IOPS", "Standard_D8ds_v5");
    assert_eq!(
        found.message,
        "data gets 19,000 of 25,000 IOPS: the temp disk (tmp) shares the cached ceiling of 38,000 IOPS and takes all it gets"
    );
    let fix = found.fix.as_deref().unwrap();
    assert!(fix.contains("such as --iops tmp=1000:"), "{fix}");
    let demand = Demand::Iops(Iops::whole(1000));
    let a = common::plan_with_demands("D8ds_v5", &disks, "hit=0.8", &[("tmp", demand)]);
    close(
        result(&a, "", "data")
            .together
            .sustained
            .iops
            .unwrap()
            .get(),
        25_000.0,
        1e-6,
    );
    assert!(!codes(&a).iter().any(|c| c.starts_with("VM-CACHED")));
    // A P40 more: 7,500 / 0.2. The three have a third of the ceiling each.
    let more = ["data=P30:cache=ro", "more=P40:cache=ro", "tmp=temp"];
    let a = plan("D8ds_v5", &more, "hit=0.8");
    let told = &finding(&a, "VM-CACHED-IOPS", "Standard_D8ds_v5").message;
    let wanted =
        "through its cached ceiling; the temp disk shares it, and tmp gets 12,667 IOPS of it";
    assert!(told.ends_with(wanted), "{told}");
}

/// 1 ms an I/O on a P30: 4,000 IOPS take four at a time; of 7,000 the disk stops at 5,000, which take five.
#[test]
fn a_demand_that_the_queue_depth_stops_has_both_ways_out() {
    let fix = |words| {
        let a = plan("", &["d=P30"], words);
        finding(&a, "DEMAND-UNMET", "d").fix.clone().unwrap()
    };
    let latency = "or use a disk with a lower latency";
    assert_eq!(
        fix("iops=4000 depth=2"),
        format!("keep 4 I/Os outstanding, {latency}")
    );
    assert_eq!(
        fix("iops=7000 depth=2"),
        format!("keep 5 I/Os outstanding, {latency}; then disk IOPS stops it at 5,000 IOPS")
    );
}

/// Of one workload nobody needs the name; of several each is told with its own.
#[test]
fn a_finding_names_its_workload_where_there_are_several() {
    let with = |profiles: &[&str], own: &[(&str, &str)]| {
        let named = |name: &&str| Profile::named(name).unwrap();
        let own = own
            .iter()
            .map(|(volume, name)| ((*volume).to_owned(), named(name)));
        let a = common::assessed(PlanRequest {
            profiles: profiles.iter().map(named).collect(),
            volume_profiles: own.collect(),
            ..request("", &["data=P30", "log=P20"])
        });
        finding(&a, "QUEUE-DEPTH", "log").message.clone()
    };
    let told = "queue depth 1 at 1,000 us an I/O makes 1,000 of 2,300 IOPS";
    assert_eq!(with(&[], &[("data", "oltp"), ("log", "sql-log")]), told);
    assert_eq!(with(&["oltp", "sql-log"], &[]), format!("sql-log: {told}"));
}

/// E4bds_v5 lets 16,200 IOPS of v2 disks through on SCSI and 21,400 on NVMe, E8bds_v5 32,400 and 44,200, E16bds_v5 64,800:
/// of 40,000, eight vCPUs on NVMe are as good as 16 on SCSI.
#[test]
fn a_smaller_size_on_the_other_controller_is_named_beside() {
    let fix = |vm, disk| {
        let a = plan(vm, &[disk], "block=4KiB");
        let found = a
            .findings
            .iter()
            .find(|f| f.id.code().starts_with("VM-") && f.fix.is_some());
        found.unwrap().fix.clone().unwrap()
    };
    assert_eq!(
        fix("E4bds_v5", "v2:size=1024,iops=40000,mbps=900"),
        "Standard_E16bds_v5 (SCSI) is the smallest Ebdsv5 size that lifts every cap met here (64,800 v2/Ultra IOPS); with \
         the driver for NVMe in its image, Standard_E8bds_v5 (NVMe, 44,200 v2/Ultra IOPS) is enough: compute with \
         --interface nvme"
    );
    // On NVMe it is, and nothing is left to lift.
    let a = common::assessed(PlanRequest {
        interface: Some(Interface::Nvme),
        settings: common::settings("block=4KiB"),
        ..request("E8bds_v5", &["v2:size=1024,iops=40000,mbps=900"])
    });
    assert!(
        !codes(&a).iter().any(|c| c.starts_with("VM-")),
        "{:?}",
        codes(&a)
    );
    // Nor of a v3, whose series has no other controller: E16bds_v5 has 48,400 IOPS for all disks on SCSI.
    let other = fix("D2s_v3", "v2:size=1024,iops=42000,mbps=1100");
    let wanted = "Standard_E16bds_v5 (SCSI) is the smallest that lifts every cap (48,400 uncached IOPS); with the driver \
        for NVMe in its image, Standard_E8bds_v5 (NVMe, 44,200 v2/Ultra IOPS) is enough: compute with --interface nvme";
    assert!(other.ends_with(wanted), "{other}");
}

/// A size and its controller share one bracket with its figures.
#[test]
fn a_size_on_a_controller_has_one_bracket() {
    let a = plan("D2s_v3", &["P30"], "");
    let brackets = |f: &Finding| f.fix.as_ref().is_some_and(|fix| fix.contains(") ("));
    assert!(!a.findings.iter().any(brackets), "{:?}", a.findings);
    let fix = &finding(&a, "VM-UNCACHED-MBPS", "Standard_D2s_v3").fix;
    let fix = fix.as_deref().unwrap();
    assert!(
        fix.contains("Standard_E4bds_v5 (SCSI, 340 uncached MB/s)"),
        "{fix}"
    );
}

/// Eight P10 on D4s_v5: the VM's credit ends first (20,000 of 28,000 IOPS), then the disks' (8 x 500). P10 on D2s_v3: a P30
/// has 5,000 IOPS, of which 3,200 pass; P30 on D4s_v5 pass whole.
#[test]
fn what_helps_against_one_credit_says_what_the_other_takes() {
    let fix = |vm, disk: &str, code| {
        let a = plan(vm, &[&format!("d={disk}")], "block=4KiB");
        finding(&a, code, "d").fix.clone().unwrap()
    };
    let both = fix("D4s_v5", "8xP10", "VM-BURST-ONLY");
    let wanted = "or take a size whose base ceilings are enough; and disks provisioned for as much";
    assert!(both.ends_with(wanted), "{both}");
    let larger = fix("D2s_v3", "P10", "BURST-ONLY");
    let wanted =
        "provisioned for as much, on a larger size: Standard_D2s_v3 lets 3,200 IOPS of it through";
    assert!(larger.ends_with(wanted), "{larger}");
    let enough = fix("D4s_v5", "P10", "BURST-ONLY");
    assert!(enough.ends_with("provisioned for as much"), "{enough}");
}

/// Ultra disks cannot be cached: 300 MB/s take 1,200 IOPS, and no caching. An OS disk stays one.
#[test]
fn a_disk_in_place_of_another_can_be_typed() {
    let a = plan(
        "",
        &["d=ultra:size=64,iops=5000,mbps=100,cache=ro"],
        "block=1MiB mbps=300",
    );
    assert_eq!(
        finding(&a, "DEMAND-UNMET", "d").fix.as_deref(),
        Some("take ultra:size=64,iops=1200,mbps=300")
    );
    let a = plan("", &["os=P10:os"], "block=4KiB");
    let fix = finding(&a, "BURST-ONLY", "os").fix.clone().unwrap();
    assert!(
        fix.ends_with("take P30:os, provisioned for as much"),
        "{fix}"
    );
}

/// No Dv3 takes premium disks, so none of them is advice; E2bds_v5 has 170 MB/s and takes them.
#[test]
fn a_size_without_premium_storage_is_no_advice_for_premium_disks() {
    let a = plan("D2_v3", &["P20"], "");
    let fix = finding(&a, "VM-UNCACHED-MBPS", "Standard_D2_v3")
        .fix
        .clone()
        .unwrap();
    let wanted = "no Dv3 size takes these disks; of all sizes that take what is deployed, Standard_E2bds_v5 (SCSI) is";
    assert!(fix.starts_with(wanted), "{fix}");
    let a = plan("D2_v3", &["E60"], "");
    let fix = finding(&a, "VM-UNCACHED-MBPS", "Standard_D2_v3")
        .fix
        .clone()
        .unwrap();
    assert!(
        fix.starts_with("Standard_D32_v3 is the smallest Dv3 size"),
        "{fix}"
    );
}

#[test]
fn a_size_that_is_retired_was_so() {
    let a = plan("NC6s_v3", &["P30"], "");
    assert_eq!(
        finding(&a, "RETIRING-SIZE", "Standard_NC6s_v3").message,
        "Standard_NC6s_v3 was retired on 2025-09-30: no VM of it runs and none can be made"
    );
}

/// DS13_v2: 262.144 MB/s cached and 384 uncached. Two P30 have 400.
#[test]
fn what_a_cached_disk_loses_may_be_the_cache_s() {
    let fix = |disk: &str| {
        let a = plan("DS13_v2", &[&format!("d={disk}")], "block=8KiB");
        finding(&a, "UNUSABLE", "d").fix.clone().unwrap()
    };
    let cached = fix("2xP30:cache=ro");
    assert!(
        cached.starts_with("cache=none loses only 16 MB/s (400 - 384); or "),
        "{cached}"
    );
    assert!(fix("2xP30").starts_with("take a larger size"));
}
