//! Why a cheaper size is not the answer: a reason that holds for every choice of disks on it.

use diskcap::recommend::model::SizeFails;
use diskcap::recommend::recommend;

use crate::market::{book, market, need, of_series};

/// The dearest of the sizes below the best answer.
fn next_cheaper(volumes: &[&str], series: &str, best: &str) -> SizeFails {
    let book = book();
    let found = recommend(&market(&book), &of_series(need(volumes), series), 1).unwrap();
    assert_eq!(found.best[0].size, best);
    found.best[0].cheaper_sizes[0].clone()
}

#[test]
fn what_is_needed_is_the_least_that_any_disks_need() {
    // D2s_v3: 3,200 uncached, 4,000 cached IOPS. 2,000 reads of which half hit, and 2,400 without a cache: 1,000 + 2,400
    // go by the uncached ceiling at the least, not 4,400.
    let volumes = ["a:size=64,iops=2000,hit=50%", "b:size=64,iops=2400"];
    let fails = next_cheaper(&volumes, "Dsv3", "Standard_D4s_v3");
    assert_eq!(fails.size, "Standard_D2s_v3");
    assert_eq!(fails.reason, "3,200 uncached IOPS, 3,400 are needed");
    let short = fails.short.unwrap();
    assert_eq!((short.capacity, short.used), (3200.0, 3400.0));
    // 200 less fit.
    let book = book();
    let less = ["a:size=64,iops=2000,hit=50%", "b:size=64,iops=2200"];
    let found = recommend(&market(&book), &of_series(need(&less), "Dsv3"), 1).unwrap();
    assert_eq!(found.best[0].size, "Standard_D2s_v3");
}

#[test]
fn where_each_way_is_short_of_another_ceiling_both_are_named() {
    // 5,000 reads: too many for 3,200 uncached IOPS. With half of them hits 2,500 would pass there, and 5,000 are too many
    // for 4,000 cached IOPS.
    let fails = next_cheaper(
        &["data:size=64,iops=5000,hit=50%"],
        "Dsv3",
        "Standard_D4s_v3",
    );
    assert_eq!(
        fails.reason,
        "without host caching 3,200 uncached IOPS, 5,000 are needed; with it 4,000 cached IOPS, 5,000 are needed"
    );
    assert_eq!(fails.short, None);
}

#[test]
fn a_cache_that_would_do_and_is_not_documented_is_named() {
    // EC8eds_v5: 12,800 uncached IOPS. Half of 13,000 reads would be hits; that it caches is said nowhere.
    let fails = next_cheaper(
        &["data:size=64,iops=13000,hit=50%"],
        "ECedsv5",
        "Standard_EC16eds_v5",
    );
    assert_eq!(fails.size, "Standard_EC8eds_v5");
    assert_eq!(
        fails.reason,
        "12,800 uncached IOPS, 13,000 are needed; host caching is not documented for it"
    );
    // With two hits in five, 27,000 of 45,000 are too many as well: then the cache is not what is missing.
    let fails = next_cheaper(
        &["data:size=64,iops=45000,hit=40%"],
        "ECedsv5",
        "Standard_EC32eds_v5",
    );
    assert_eq!(fails.size, "Standard_EC16eds_v5");
    assert_eq!(fails.reason, "25,600 uncached IOPS, 45,000 are needed");
}
