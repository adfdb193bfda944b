//! Disks side by side.

use serde_json::Value;

use crate::cli::{run, shown, stdout};
use crate::fixtures::{TIERS_ON_D8S_V5, close, json, number, row};

#[test]
fn disks_on_a_size_have_the_figures_of_the_rules() {
    let comparison = json(TIERS_ON_D8S_V5);
    let disks = &comparison["disks"];
    // P1 to P80, and v2.
    assert_eq!(disks.as_array().unwrap().len(), 15);
    let p30 = row(disks, "/name", "P30");
    close(number(p30, "/provisioned/iops"), 5000.0);
    close(number(p30, "/on_vm/reach/iops/sustained/iops"), 5000.0);
    close(number(p30, "/on_vm/reach/mbps/sustained/mbps"), 200.0);
    assert_eq!(p30["burst"], Value::Null);
    // 1 ms typical: 1,000 one after the other.
    close(number(p30, "/queue_depth_1/ceiling_iops"), 1000.0);
    // 5,000 x 8,192 bytes; at 64 KiB (327.68) and 1 MiB the 200 MB/s bind.
    close(number(p30, "/throughput/0/mbps"), 40.96);
    close(number(p30, "/throughput/1/mbps"), 200.0);
    close(number(p30, "/throughput/2/mbps"), 200.0);
    // Performance plus of a P30.
    close(number(p30, "/most/iops"), 8000.0);
    // 135.17 USD a month over 5 times 1,000 IOPS.
    close(number(p30, "/month/fixed/amount"), 135.17);
    close(number(p30, "/per_1000_iops/amount"), 27.034);
    // The size lets 12,800 IOPS and 290 MB/s through; 20,000 and 1,200 in burst.
    let p80 = row(disks, "/name", "P80");
    close(number(p80, "/on_vm/reach/iops/sustained/iops"), 12_800.0);
    close(number(p80, "/on_vm/reach/mbps/sustained/mbps"), 290.0);
    close(number(p80, "/on_vm/reach/iops/burst/iops"), 20_000.0);
    close(number(p80, "/on_vm/reach/mbps/burst/mbps"), 900.0);
    close(number(p80, "/on_vm/unusable/iops"), 7200.0);
    close(number(p80, "/on_vm/unusable/mbps"), 610.0);
    let p10 = row(disks, "/name", "P10");
    close(number(p10, "/burst/limits/iops"), 3500.0);
    close(number(p10, "/burst/kind/seconds"), 1800.0);
    // 500 x 8,192 bytes and 500 x 65,536 bytes.
    close(number(p10, "/throughput/0/mbps"), 4.096);
    close(number(p10, "/throughput/1/mbps"), 32.768);
    let v2 = row(disks, "/name", "v2");
    close(number(v2, "/provisioned/iops"), 3000.0);
    close(number(v2, "/most/iops"), 80_000.0);
    close(number(v2, "/queue_depth_1/ceiling_iops"), 1e6 / 650.0);
    assert_eq!(v2["os_disk"], false);
    assert_eq!(v2["host_caching"], false);
}

#[test]
fn each_family_shows_what_it_has_for_a_capacity() {
    let comparison = json("compare disks --capacity 512GiB");
    let disks = comparison["disks"].as_array().unwrap();
    let names: Vec<&str> = disks.iter().map(|d| d["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["P20", "v2", "Ultra", "E20", "S20"]);
    assert!(disks.iter().all(|d| d["chosen"] == "capacity"));
    // 513 GiB is the next tier.
    let comparison = json("compare disks --capacity 513");
    let first = &comparison["disks"][0];
    assert_eq!(
        (first["name"].as_str(), number(first, "/size_gib")),
        (Some("P30"), 513.0)
    );
    // A disk named is not shown again for its family; a word without a size takes the capacity.
    let comparison = json("compare disks P20 v2 --capacity 512GiB");
    let disks = comparison["disks"].as_array().unwrap();
    let names: Vec<&str> = disks.iter().map(|d| d["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["P20", "v2", "Ultra", "E20", "S20"]);
    assert_eq!(disks[1]["chosen"], "given");
}

#[test]
fn each_family_shows_its_cheapest_setting_for_a_need() {
    let comparison = json("compare disks --capacity 1TiB --iops 7500 --mbps 250");
    let disks = &comparison["disks"];
    // A P30 with performance plus has 8,000 / 300 at the price of a P30; a P40 costs 259.05.
    let premium = row(disks, "/family", "premium-ssd");
    assert_eq!(premium["name"], "P30 perfplus");
    close(number(premium, "/month/fixed/amount"), 135.17);
    // 1,024 x 0.00011 x 730 + 4,500 x 0.000007 x 730 + 125 x 0.000055 x 730
    let v2 = row(disks, "/family", "premium-ssd-v2");
    assert_eq!(v2["spec"], "v2:size=1024,iops=7500,mbps=250");
    close(number(v2, "/month/fixed/amount"), 110.24095);
    let unmet = row(&comparison["unmet"], "/family", "standard-hdd");
    // Performance plus of the largest: 3,000 IOPS, 500 MB/s.
    assert_eq!(
        unmet["reason"],
        "at most 3,000 IOPS and 500 MB/s on one disk"
    );
    // Three S40 with performance plus: 3 x 3,000 IOPS, 3 x 300 MB/s.
    let striped = json("compare disks --capacity 1TiB --iops 7500 --mbps 250 --max-stripe 4");
    let hdd = row(&striped["disks"], "/family", "standard-hdd");
    assert_eq!(hdd["members"], 3);
    assert!(number(hdd, "/provisioned/iops") >= 7500.0);
    // v2 gives 3,000 IOPS and 125 MB/s of every disk free: three disks or four need none that cost, and 4 x 256 GiB are
    // less than 3 x 342. 1,024 x 0.00011 x 730.
    let v2 = row(&striped["disks"], "/family", "premium-ssd-v2");
    assert_eq!(v2["members"], 4);
    close(number(v2, "/month/fixed/amount"), 82.2272);
}

/// IOPS are of 4 KiB where no workload says another size, and a disk must carry them as MB/s, too: 100,000 x 4,096 bytes
/// are 409.6 MB/s, 20,000 x 4,096 are 81.92, and 2,000 x 65,536 are 131.072. Provisioned are whole MB/s.
#[test]
fn a_disk_set_for_iops_carries_them() {
    let spec = |words: &str, family: &str| {
        let comparison = json(words);
        row(&comparison["disks"], "/family", family)["spec"].clone()
    };
    let many = "compare disks --iops 100000";
    assert_eq!(spec(many, "ultra"), "ultra:size=100,iops=100000,mbps=410");
    let some = "compare disks --capacity 1TiB --iops 20000";
    assert_eq!(spec(some, "ultra"), "ultra:size=1024,iops=20000,mbps=82");
    // The 125 MB/s that are free suffice.
    assert_eq!(
        spec(some, "premium-ssd-v2"),
        "v2:size=1024,iops=20000,mbps=125"
    );
    let block = |words: &str| json(words)["need"]["block_size_bytes"].clone();
    assert_eq!(
        (block(many), block("compare disks --mbps 50")),
        (4096.into(), Value::Null)
    );
    let larger = "compare disks --iops 2000 --vm E16ds_v5 --block-size 64KiB";
    assert_eq!(
        spec(larger, "premium-ssd-v2"),
        "v2:size=1,iops=3000,mbps=132"
    );
    assert!(
        stdout("compare disks --iops 2000 --vm E16ds_v5 --profile sql-log --width 200")
            .contains("2,000 IOPS of 60 KiB (122.9 MB/s)")
    );
}

/// A Premium SSD counts an I/O of 1 MiB as four of 256 KiB: 800 of them are 3,200 and move 838.9 MB/s, more than the 750
/// MB/s of a P60 and less than the 900 of a P70; 900 move 943.7.
#[test]
fn large_ios_count_as_the_disk_counts_them() {
    let words = |iops| format!("compare disks --iops {iops} --vm E16ds_v5 --block-size 1MiB");
    let comparison = json(&words(800));
    let premium = row(&comparison["disks"], "/family", "premium-ssd");
    assert!(number(premium, "/provisioned/mbps") >= 838.8608);
    assert!(number(premium, "/provisioned/iops") >= 3200.0);
    let comparison = json(&words(900));
    row(&comparison["unmet"], "/family", "premium-ssd");
}

/// Disks that are made of the same are told apart by what their specs say besides, equal ones by a number.
#[test]
fn disks_alike_are_named_by_what_differs() {
    let names = |words: &str| -> Vec<String> {
        let comparison = json(words);
        let disks = comparison["disks"].as_array().unwrap().iter();
        disks
            .map(|row| row["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        names("compare disks P30 P30:cache=ro --vm D8s_v5"),
        ["P30", "P30 cache=ro"]
    );
    assert_eq!(
        names("compare disks v2:size=512,iops=3000 v2:size=512,iops=4000 P10 P10 own=P30 P30"),
        ["v2 iops=3000", "v2 iops=4000", "P10", "P10-2", "own", "P30"]
    );
}

/// A Premium SSD goes up to 32,767 GiB, 8,000 IOPS and 300 MB/s at the size of a P30: two of them to twice that.
#[test]
fn what_a_stripe_can_be_made_is_of_all_its_disks() {
    let comparison = json("compare disks P30 2xP30");
    let two = row(&comparison["disks"], "/name", "2 x P30");
    close(number(two, "/largest_gib"), 65_534.0);
    close(number(two, "/most/iops"), 16_000.0);
    close(number(two, "/most/mbps"), 600.0);
}

/// An Ultra disk has 4 GiB at least, a v2 1: that is what each has for less. Nothing is no capacity.
#[test]
fn a_small_capacity_is_met_by_the_smallest_disk() {
    let comparison = json("compare disks --capacity 1.5GiB");
    assert!(comparison["unmet"].as_array().unwrap().is_empty());
    let size = |family| number(row(&comparison["disks"], "/family", family), "/size_gib");
    close(size("ultra"), 4.0);
    close(size("premium-ssd-v2"), 2.0);
    close(size("premium-ssd"), 2.0);
    let none = run("compare disks --capacity 0");
    assert_eq!(none.status.code(), Some(2));
    let told = String::from_utf8(none.stderr).unwrap();
    assert_eq!(
        told,
        "error: --capacity needs more than 0, such as 512GiB\n"
    );
}

/// Standard_D8_v5 has no premium storage: what a P30 reaches on it is not shown without that.
#[test]
fn a_disk_that_is_refused_is_marked_in_each_table() {
    let text = stdout("compare disks P30 S30 --vm D8_v5 --width 100");
    assert_eq!(text.matches("P30 (refused)").count(), 3, "{text}");
    assert!(!text.contains("S30 (refused)"), "{text}");
}

#[test]
fn tables_without_a_disk_are_left_out() {
    let text = stdout("compare disks --capacity 100TiB --width 80");
    assert_eq!(text.matches("(none)").count(), 1, "{text}");
    assert!(text.contains("102,400 GiB do not fit on one disk: the largest is 32,767 GiB"));
    // Machines get the same head as ever.
    let csv = stdout("compare disks --capacity 100TiB --format csv --columns disk,size_gib");
    assert_eq!(csv, "disk,size_gib\r\n");
    let blocks = stdout("compare disks --capacity 100TiB --format csv --table blocks");
    assert!(blocks.starts_with("disk,latency_us,"), "{blocks}");
}

#[test]
fn a_need_without_prices_is_met_by_the_smallest() {
    let comparison = json("compare disks --iops 3000 --no-prices");
    assert_eq!(comparison["prices"], Value::Null);
    let premium = row(&comparison["disks"], "/family", "premium-ssd");
    assert_eq!(
        (premium["name"].as_str(), premium["chosen"].as_str()),
        (Some("P30"), Some("smallest"))
    );
    assert_eq!(premium["month"], Value::Null);
}

#[test]
fn disks_that_would_be_refused_say_so_and_do_not_hide_the_others() {
    let output = run("compare disks v2:size=5,iops=10000 P30 --width 100");
    let words = shown("", &output);
    assert_eq!(output.status.code(), Some(0), "{words}");
    assert!(
        words.contains("V2-RANGE") && words.contains("P30"),
        "{words}"
    );
    assert!(
        words.contains("note: v2 cannot be deployed as asked"),
        "{words}"
    );
}

/// P40: 7,500 IOPS and 250 MB/s; 7,500 x 8,192 bytes = 61.44 MB/s. Bursting on demand, it does 30,000 and 1,000.
#[test]
fn block_sizes_are_without_bursting_that_is_paid_for() {
    let words = "compare disks P40 P40:burst=on";
    let comparison = json(words);
    for name in ["P40", "P40 burst=on"] {
        let disk = row(&comparison["disks"], "/name", name);
        close(number(disk, "/throughput/0/mbps"), 61.44);
        close(number(disk, "/throughput/1/mbps"), 250.0);
        close(number(disk, "/throughput/2/mbps"), 250.0);
    }
    let text = stdout("compare disks P40 P40:burst=on --vm E16ds_v5 --width 200");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("On-demand bursting holds as long as it is paid for"));
    assert!(text.contains("No price is known in eastus of "), "{text}");
}

/// P50 with performance plus (20,000 IOPS, 900 MB/s) is paid for up to 4,096 GiB; of 4,095 it can be cached, too.
#[test]
fn a_tier_taken_for_its_speed_can_be_cached_where_it_may() {
    let comparison = json("compare disks --capacity 2TiB --iops 20000 --mbps 500");
    let premium = row(&comparison["disks"], "/family", "premium-ssd");
    assert_eq!(premium["sku"], "P50 perfplus");
    close(number(premium, "/size_gib"), 4095.0);
    assert_eq!(premium["host_caching"], true);
    let words = "compare disks --capacity 2TiB --iops 20000 --mbps 500 --width 200";
    let said = "A disk of 4,095 GiB is of a tier that holds one GiB more for the same price: with that one it could not be \
                cached on the host.";
    let text = stdout(words)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(text.contains(said), "{text}");
}

/// 120 MB/s in blocks of 60 KiB are 120,000,000 / 61,440 = 1,953.1 IOPS: a P20 has 2,300, an Ultra disk is set to 1,954.
#[test]
fn mbps_are_met_in_the_blocks_that_are_asked() {
    let words = "compare disks --capacity 512 --mbps 120 --block-size 60KiB --vm E16bds_v5";
    let comparison = json(words);
    let ultra = row(&comparison["disks"], "/family", "ultra");
    close(number(ultra, "/provisioned/iops"), 1954.0);
    let premium = row(&comparison["disks"], "/family", "premium-ssd");
    assert_eq!(premium["sku"], "P20");
    for disk in comparison["disks"].as_array().unwrap() {
        let reached = number(disk, "/on_vm/reach/mbps/sustained/mbps");
        assert!(reached > 119.9, "{disk}");
    }
    // In blocks as large as it takes, 480 IOPS carry 120 MB/s on an Ultra disk: 4 for each MB/s.
    let comparison = json("compare disks --capacity 4 --mbps 120");
    let ultra = row(&comparison["disks"], "/family", "ultra");
    close(number(ultra, "/provisioned/iops"), 480.0);
}

/// The block size is part of what is asked of the families; the rest of a workload is of a VM.
#[test]
fn a_block_size_is_asked_without_a_vm() {
    let comparison = json("compare disks --capacity 512 --iops 5000 --block-size 64KiB");
    close(number(&comparison["need"], "/block_size_bytes"), 65_536.0);
    // 5,000 x 65,536 bytes = 327.68 MB/s
    let v2 = row(&comparison["disks"], "/family", "premium-ssd-v2");
    close(number(v2, "/provisioned/mbps"), 328.0);
    for words in [
        "compare disks P30 --block-size 8KiB",
        "compare disks --capacity 512 --iops 5000 --read-share 0.5",
    ] {
        assert_eq!(run(words).status.code(), Some(2), "{words}");
    }
}

/// Of eastus the zones of Premium SSD are recorded, those of Premium SSD v2 are not.
#[test]
fn zones_that_are_not_recorded_are_said_to_be_unknown() {
    let text = stdout("compare disks P30 v2:size=512 --region eastus --width 200");
    let said =
        "Zones -: whether eastus has Premium SSD v2, and in which zones, is not recorded here";
    assert!(text.contains(said), "{text}");
    let text = stdout("compare disks P30 --region eastus --width 200");
    assert!(!text.contains("Zones -"), "{text}");
}
