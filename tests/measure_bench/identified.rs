//! What a disk is, by its figures alone.

use diskcap::catalog::Catalog;
use diskcap::measure::identify::candidates::CandidateKind;
use diskcap::measure::identify::{Identification, Place, identify};
use diskcap::measure::model::{Format, Test};
use diskcap::units::Share;

use crate::{fixture, run, test};

fn identified(name: &str, vm: Option<&str>) -> Identification {
    let catalog = Catalog::embedded();
    let vm = vm.map(|vm| catalog.vm(vm, None).unwrap());
    identify(catalog, &fixture(name)[0], vm, 0.075)
}

#[test]
fn a_cached_limit_is_told_from_the_disk_behind_it() {
    let named = identified("cached.txt", Some("D8s_v3"));
    assert_eq!(named.place, Place::HostCache);
    let best = &named.matches[0];
    assert_eq!(best.kind, CandidateKind::VmCached);
    assert_eq!((best.iops_hits, best.mbps_hits), (2, 4));
    assert_eq!(
        named.conclusion,
        "IOPS and MB/s fit the cached limit of Standard_D8s_v3 (16,000 IOPS, 131.1 MB/s, listed as 128): the VM's limit, not the disk's"
    );
    assert!(
        named
            .ruled_out
            .iter()
            .any(|out| out.name.starts_with("uncached limit"))
    );
    // Without the size the limit is found all the same, with every size that has it.
    let unnamed = identified("cached.txt", None);
    assert!(
        unnamed
            .conclusion
            .contains("16,000 IOPS, 131.1 MB/s, listed as 128"),
        "{}",
        unnamed.conclusion
    );
    assert!(unnamed.conclusion.contains("more sizes"));
}

#[test]
fn three_drives_are_told_apart() {
    // 112 IOPS one at a time are 8.93 ms; 260 with 32 outstanding are 2.3 times that.
    let system = identified("system.txt", None);
    assert_eq!(system.place.words(), "persistent, throttled");
    assert_eq!(
        system.place.headline(),
        "persistent, throttled: a remote disk at its limit, or a hard disk"
    );
    // 7,200 are 139 us.
    assert_eq!(identified("temp.txt", None).place, Place::LocalTemporary);
    // 3,300 are 303 us, and 18,500 IOPS are more than any remote disk of 1.4 GiB has.
    assert_eq!(identified("small.txt", None).place, Place::Local);
}

fn unnamed(tests: Vec<Test>) -> Identification {
    let run = run(Format::FioJson, tests);
    identify(Catalog::embedded(), &run, None, 0.075)
}

#[test]
fn one_test_is_too_few_to_tell() {
    let one = unnamed(vec![test("RND4K Q32T1 read", 5000.0)]);
    assert_eq!(
        one.conclusion,
        "too few tests to tell; 5,000 IOPS would be a P30"
    );
    // Two random tests at a P30's limit, none that moves large blocks.
    let random = unnamed(vec![
        test("RND4K Q32T1 read", 5000.0),
        test("RND4K Q32T1 write", 5000.0),
    ]);
    assert!(
        random.conclusion.starts_with("the IOPS fit the P30")
            && random.conclusion.ends_with("there is no sequential test"),
        "{}",
        random.conclusion
    );
}

#[test]
fn what_a_test_of_one_io_lacks_is_said() {
    let mut mixed = test("RND4K Q1T1 read", 800.0);
    mixed.kind.read_share = Share::new(0.7).ok();
    let reasons = unnamed(vec![mixed]).reasons;
    assert!(reasons[0].contains("is a mixed one"), "{reasons:?}");
    let mut untold = test("RND4K Q1T1 read", 800.0);
    untold.kind.pattern = None;
    let reasons = unnamed(vec![untold]).reasons;
    assert!(reasons[0].contains("not said whether"), "{reasons:?}");
}

#[test]
fn the_page_cache_fits_no_disk() {
    let mut buffered = run(
        Format::Sysbench,
        vec![
            test("RND4K Q1T1 read", 5000.0),
            test("RND4K Q1T1 write", 5000.0),
        ],
    );
    buffered
        .notes
        .push("files were opened without O_DIRECT: the page cache may have answered".to_owned());
    let found = identify(Catalog::embedded(), &buffered, None, 0.075);
    assert_eq!(found.place, Place::Memory);
    assert!(found.matches.is_empty());
    assert!(found.conclusion.contains("direct I/O"));
}

#[test]
fn one_at_a_time_names_no_tier() {
    // 2,167 is near a P20's 2,300, and 1 / 461 us.
    let of = |name| {
        let run = run(Format::Csv, vec![test(name, 2167.0)]);
        identify(Catalog::embedded(), &run, None, 0.075).conclusion
    };
    assert_eq!(of("RND4K Q1T1 read"), "too few tests to tell");
    assert!(of("RND4K Q32T1 read").contains("would be a P20"));
}

#[test]
fn a_single_figure_at_a_limit_is_told_beside_others() {
    let of = |tests: Vec<Test>| {
        let run = run(Format::Csv, tests);
        identify(Catalog::embedded(), &run, None, 0.075).conclusion
    };
    // A P30 makes 5,000 IOPS. What one I/O at a time makes is its latency's and no figure to go by.
    let deep = test("RND4K Q32T1 read", 5004.0);
    assert_eq!(
        of(vec![deep.clone(), test("RND4K Q1T1 read", 950.0)]),
        "too few tests to tell; 5,004 IOPS would be a P30"
    );
    assert_eq!(
        of(vec![deep, test("RND4K Q32T1 write", 1700.0)]),
        "no limit of a managed disk or VM size fits two figures; RND4K Q32T1 read: 5,004 IOPS would be a P30; \
         RND4K Q32T1 write is at none"
    );
    // 3,000 IOPS come with Premium SSD v2, and with settings that are paid for.
    let likeliest = of(vec![test("RND4K Q32T1 read", 3004.0)]);
    assert!(
        likeliest.contains("3,004 IOPS would be a Premium SSD v2 as it comes or "),
        "{likeliest}"
    );
}

#[test]
fn a_figure_is_told_in_the_unit_of_the_limit_that_it_is_at() {
    // 3,030 I/Os of 64 KiB: 198.6 MB/s are near a P30's 200, and 3,030 near the 3,000 IOPS of others.
    let large = test("SEQ64K Q32T1 read", 3030.0);
    let run = run(Format::Csv, vec![large]);
    let told = identify(Catalog::embedded(), &run, None, 0.075).conclusion;
    assert!(
        told.starts_with("too few tests to tell; 198.6 MB/s would be a P30, and 3,030 IOPS a Premium SSD v2 as it comes, but with more MB/s or E40 with performance plus"),
        "{told}"
    );
}

#[test]
fn a_figure_that_others_rule_out_is_still_told() {
    let of = |tests: Vec<Test>| {
        let run = run(Format::Csv, tests);
        identify(Catalog::embedded(), &run, None, 0.075).conclusion
    };
    // 90 I/Os of 1 MiB are 94.4 MB/s: a P10's 100 and those of E1 to E50, of which none makes 3,079 IOPS.
    let large = || test("SEQ1M Q8T1 read", 90.0);
    assert_eq!(
        of(vec![large()]),
        "too few tests to tell; 94.4 MB/s would be a P10 or E1 to E50"
    );
    let told = of(vec![test("RND4K Q32T1 read", 3079.0), large()]);
    assert!(
        told.ends_with(
            "SEQ1M Q8T1 read: 94.4 MB/s would be a P10 or E1 to E50, which other figures rule out"
        ),
        "{told}"
    );
}

#[test]
fn premium_ssd_v2_may_have_more_mbps_than_it_comes_with() {
    let of = |large: f64| {
        let tests = vec![
            test("RND4K Q32T1 read", 3004.0),
            test("RND4K Q32T1 write", 3001.0),
            test("SEQ1M Q8T1 read", large),
        ];
        let run = run(Format::Csv, tests);
        identify(Catalog::embedded(), &run, None, 0.075).conclusion
    };
    // 143 I/Os of 1 MiB are 150 MB/s: more than the 125 that it comes with, within the 750 of 3,000 IOPS.
    let told = of(143.0);
    assert!(
        told.starts_with(
            "the IOPS fit the Premium SSD v2 as it comes, but with more MB/s (3,000 IOPS)"
        ),
        "{told}"
    );
    // 800 I/Os are 839 MB/s: more than 3,000 IOPS may have.
    let told = of(800.0);
    assert!(!told.contains("but with more MB/s"), "{told}");
    // 60 I/Os are 63 MB/s, which it has as it comes.
    let told = of(60.0);
    assert!(
        told.contains("Premium SSD v2 as it comes (3,000 IOPS, 125 MB/s)"),
        "{told}"
    );
}
