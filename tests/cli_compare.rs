//! `diskcap compare` as a person meets it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use std::fs;

use cli::{plans, run, run_in, shown, stdout, transcript};
use serde_json::Value;

/// A comparison as JSON.
#[track_caller]
fn json(words: &str) -> Value {
    serde_json::from_str(&stdout(&format!("{words} --format json"))).unwrap()
}

/// The row of `list` whose `key` is `name`.
#[track_caller]
fn row<'a>(list: &'a Value, key: &str, name: &str) -> &'a Value {
    let rows = list.as_array().unwrap();
    let found = rows.iter().find(|row| row.pointer(key).unwrap() == name);
    found.unwrap_or_else(|| panic!("no {name} in {list}"))
}

/// The number at `pointer`.
#[track_caller]
fn number(value: &Value, pointer: &str) -> f64 {
    let found = value.pointer(pointer).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("no number at {pointer} of {value}"))
}

#[track_caller]
fn close(value: f64, wanted: f64) {
    assert!(
        (value - wanted).abs() < 1e-6 * wanted.abs().max(1.0),
        "{value} is not {wanted}"
    );
}

const TIERS_ON_D8S_V5: &str = "compare disks P* v2:size=512GiB --vm Standard_D8s_v5";

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

/// A size takes so many data disks: Standard_D2s_v5 4, Standard_D4s_v5 8. What is reached is not shown without it.
#[test]
fn sizes_that_cannot_take_the_disks_say_so_at_every_width() {
    for width in [40, 60, 80, 100, 160] {
        let words = format!("compare vms D2s_v5 D4s_v5 --disk 20xP30 --width {width}");
        let output = run(&words);
        let text = String::from_utf8(output.stdout).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("TOO-MANY-DISKS"), "{width}: {text}");
        assert!(text.contains("Standard_D2s_v5: 20 data disks, the size takes 4"));
        assert!(text.contains("(refused)"), "{width}: {text}");
        let first = text.split("Sizes that cannot").next().unwrap();
        assert_eq!(first.matches("(refused)").count(), 2, "{width}: {text}");
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "note: 2 of 2 sizes cannot take the disks\n"
        );
    }
}

/// Standard_D8s_v5 has no pair of its own for Premium SSD v2 and Ultra (12,800 uncached IOPS hold for all remote disks),
/// Standard_D8s_v6 has one.
#[test]
fn sizes_without_a_pair_for_v2_share_the_uncached_one() {
    let compared = stdout("compare vms D8s_v5 D8s_v6 --columns size,v2_iops --format csv");
    assert_eq!(compared, "size,v2_iops\r\nD8s_v5,12800\r\nD8s_v6,16667\r\n");
    let listed = stdout("skus list D8s_v5 D8s_v6 --columns name,v2_iops --format csv");
    assert_eq!(listed, "name,v2_iops\r\nD8s_v5,12800\r\nD8s_v6,16667\r\n");
    let shown = stdout("skus show D8s_v5 --table ceilings --format csv");
    assert!(
        shown.contains("\r\nv2/Ultra (as uncached),12800,"),
        "{shown}"
    );
}

/// Standard_E8bds_v5 has other caps through NVMe than through SCSI: its rows are told apart at every width.
#[test]
fn rows_of_one_size_are_told_apart_at_every_width() {
    for width in [40, 80, 120] {
        let text = stdout(&format!("compare vms E8bds_v5 --disk P30 --width {width}"));
        let first = text.split("Which size").next().unwrap();
        for controller in ["(SCSI)", "(NVMe)"] {
            assert!(first.contains(controller), "{width}: {text}");
        }
    }
    let csv = stdout("compare vms E8bds_v5 --format csv --columns size,interface,uncached_iops");
    assert_eq!(
        csv,
        "size,interface,uncached_iops\r\nE8bds_v5,SCSI,24200\r\nE8bds_v5,NVMe,33000\r\n"
    );
}

/// At no width is one of two plans left out of what differs.
#[test]
fn every_plan_is_shown_at_every_width() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |name: &str, sku: &str| {
        let disks = ["data", "log", "temp"]
            .map(|disk| format!("[[disk]]\nname = '{disk}'\nsku = '{sku}'\n"));
        fs::write(folder.path().join(name), disks.concat()).unwrap();
    };
    plan("now.toml", "P30");
    plan("then.toml", "P40");
    for width in [40, 80, 120] {
        let words = format!("compare plans now.toml then.toml --width {width}");
        let text = String::from_utf8(run_in(folder.path(), &words).stdout).unwrap();
        assert!(text.contains("15,000") && text.contains("22,500"), "{text}");
        let left = text
            .split("Left out at this width")
            .nth(1)
            .unwrap_or_default();
        assert!(
            !left.lines().next().unwrap_or_default().contains("then"),
            "{text}"
        );
    }
}

#[test]
fn heads_of_money_do_not_depend_on_known_prices() {
    let csv = |offer: &str| {
        stdout(&format!(
            "compare vms D2s_v5 --disk P10 --format csv --columns size,vm_month,month --offer {offer}"
        ))
    };
    assert!(csv("linux").starts_with("size,vm_month_usd,month_usd\r\n"));
    assert_eq!(
        csv("reserved1y"),
        "size,vm_month_usd,month_usd\r\nD2s_v5,,\r\n"
    );
    let wrong = run("compare vms D2s_v5 --format csv --columns vm_month_eur");
    assert_eq!(wrong.status.code(), Some(2));
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

#[test]
fn sizes_tell_what_disks_reach_and_which_lifts_every_cap() {
    let words = "compare vms D2s_v3 D4s_v3 D8s_v3 D16s_v3 --disk data=P30 --disk log=v2:size=130,iops=6000,mbps=250";
    let comparison = json(words);
    let sizes = &comparison["sizes"];
    let small = row(sizes, "/size/size", "Standard_D2s_v3");
    // 3,200 IOPS and 48 MB/s, shared by both.
    close(number(small, "/reach/total/iops/sustained/value"), 3200.0);
    close(number(small, "/reach/total/mbps/sustained/value"), 48.0);
    close(
        number(small, "/reach/volumes/1/alone/iops/sustained/iops"),
        3200.0,
    );
    assert_eq!(small["reach"]["lifts_every_cap"], false);
    // 5,000 + 6,000 IOPS and 200 + 250 MB/s: 12,800 / 192 is too little, 25,600 / 384 too, so D32s_v3 (51,200 / 768).
    assert_eq!(comparison["first_lifting"], Value::Null);
    let comparison = json(&words.replace("D16s_v3", "D16s_v3 D32s_v3 D64s_v3"));
    assert_eq!(comparison["first_lifting"], "Standard_D32s_v3");
    let large = row(&comparison["sizes"], "/size/size", "Standard_D32s_v3");
    close(number(large, "/reach/total/iops/sustained/value"), 11_000.0);
    close(number(large, "/reach/total/mbps/sustained/value"), 450.0);
}

/// E8bds_v5 has 38,000 cached IOPS, which is room for the 34,483 of the cached disks (5,000 x 4 / 0.58 of misses and writes);
/// beside a temp disk that takes all it gets they have half. E16bds_v5 has 75,000.
#[test]
fn a_temp_disk_that_takes_all_it_gets_holds_cached_disks_back() {
    let disks = "--disk data=4xP30:cache=ro --disk tempdb=temp --profile oltp --hit-share 0.6";
    let sizes = json(&format!(
        "compare vms E8bds_v5 E16bds_v5 --interface scsi {disks}"
    ));
    let small = &sizes["sizes"][0]["reach"];
    assert_eq!(small["lifts_every_cap"], false);
    assert_eq!(small["caps"][0]["ceiling"], "cached");
    close(number(small, "/caps/0/capacity"), 38_000.0);
    assert_eq!(sizes["sizes"][1]["reach"]["lifts_every_cap"], true);
    assert_eq!(sizes["first_lifting"], "Standard_E16bds_v5 (SCSI)");
}

/// E8bds_v5 has a row for each controller and is one size; D8_v5 has no premium storage.
#[test]
fn sizes_and_not_rows_are_counted() {
    let output = run("compare vms D8_v5 E8bds_v5 D8s_v5 --disk P30");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("1 of 3 sizes cannot take the disks"),
        "{told}"
    );
}

#[test]
fn sizes_that_cannot_take_the_disks_say_why() {
    // Eight P4: 960 IOPS and 200 MB/s.
    let comparison = json("compare vms D2s_v5 D8s_v5 A2_v2 --disk 8xP4");
    let refused = |size: &str| {
        let row = row(&comparison["sizes"], "/size/size", size);
        row["reach"]["refused"].as_array().unwrap().clone()
    };
    assert_eq!(refused("Standard_D2s_v5")[0]["id"], "TOO-MANY-DISKS");
    let old: Vec<Value> = refused("Standard_A2_v2")
        .iter()
        .map(|r| r["id"].clone())
        .collect();
    assert!(old.contains(&"PREMIUM-UNSUPPORTED".into()), "{old:?}");
    assert!(refused("Standard_D8s_v5").is_empty());
    assert_eq!(comparison["first_lifting"], "Standard_D8s_v5");
    // A size without a temp disk stands beside those that have one.
    let comparison = json("compare vms D8s_v5 D8ds_v5 --disk temp");
    let none = row(&comparison["sizes"], "/size/size", "Standard_D8s_v5");
    let message = none["reach"]["refused"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("Standard_D8s_v5 has no temp disk"),
        "{message}"
    );
    // A temp disk is the cached ceiling: the ceiling does not hold it back.
    assert_eq!(comparison["first_lifting"], "Standard_D8ds_v5");
}

#[test]
fn disks_without_known_limits_are_held_back_by_any_ceiling() {
    let comparison = json("compare vms D8s_v5 --disk custom");
    let reach = &comparison["sizes"][0]["reach"];
    assert_eq!(reach["lifts_every_cap"], false);
    assert_eq!(reach["caps"][0]["asked"], Value::Null);
    close(number(reach, "/caps/0/capacity"), 12_800.0);
    assert_eq!(reach["total"]["iops"]["sustained"]["at_most"], true);
}

#[test]
fn an_unknown_ceiling_is_neither_lifted_nor_hit() {
    // The MB/s of the host cache of this size are not known.
    let comparison = json("compare vms DC8s_v3 --disk P10:cache=ro");
    let row = &comparison["sizes"][0];
    assert_eq!(row["size"]["cached"]["base"]["mbps"], Value::Null);
    assert_eq!(row["reach"]["lifts_every_cap"], Value::Null);
    assert_eq!(row["reach"]["total"]["iops"]["sustained"]["at_most"], true);
    assert_eq!(comparison["first_lifting"], Value::Null);
    let shown = stdout(
        "compare vms DC8s_v3 --disk P10:cache=ro --no-prices --columns size,reached_iops,lifts_every_cap",
    );
    assert!(shown.contains("≤ 500 │ -"), "{shown}");
}

#[test]
fn sizes_are_chosen_by_name_pattern_and_filter() {
    let names = |words: &str| -> Vec<String> {
        let comparison = json(words);
        let sizes = comparison["sizes"].as_array().unwrap();
        let name = |row: &Value| {
            row["size"]["size"]
                .as_str()
                .unwrap()
                .replace("Standard_", "")
        };
        sizes.iter().map(name).collect()
    };
    // As named; one pattern's sizes by their vCPUs.
    assert_eq!(names("compare vms D8s_v5 d2s_v3"), ["D8s_v5", "D2s_v3"]);
    let wide = names("compare vms D*s_v3 --series Dsv3");
    assert_eq!(wide[..3], ["D2s_v3", "D4s_v3", "D8s_v3"]);
    assert_eq!(names("compare vms --series Dsv3 --vcpus 8"), ["D8s_v3"]);
    assert_eq!(
        names("compare vms E8bds_v5 --interface nvme --no-prices"),
        ["E8bds_v5"]
    );
}

#[test]
fn plans_show_what_differs_with_how_much() {
    let folder = tempfile::tempdir().unwrap();
    plans(folder.path());
    let output = run_in(
        folder.path(),
        "compare plans today.toml tomorrow.toml --format json",
    );
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    let differences = comparison["differences"].as_array().unwrap();
    let find = |subject: &str, figure: &str| {
        let found = differences
            .iter()
            .find(|d| d["subject"] == subject && d["figure"] == figure);
        found.unwrap_or_else(|| panic!("{subject} {figure}"))
    };
    // 5,000 to 7,500 IOPS: half as much again.
    let iops = find("data", "sustained_iops");
    close(number(iops, "/values/0/number"), 5000.0);
    close(number(iops, "/values/1/number"), 7500.0);
    close(number(iops, "/changes/1/absolute"), 2500.0);
    close(number(iops, "/changes/1/percent"), 50.0);
    assert_eq!(iops["changes"][0], Value::Null);
    let sku = find("data", "sku");
    assert_eq!(sku["values"][1]["text"], "P40");
    // 259.05 - 135.17
    let month = find("data", "month");
    close(number(month, "/changes/1/absolute"), 123.8757);
    assert!(differences.iter().all(|d| d["subject"] != "VM"));
    let same = row(&comparison["same"], "/subject", "VM");
    assert_eq!(same["wholly"], true);
    // The log bursts alike, and gets alike: nothing of it by itself differs.
    let log: Vec<&Value> = differences
        .iter()
        .filter(|d| d["subject"] == "log")
        .collect();
    assert!(
        log.iter()
            .all(|d| d["figure"].as_str().unwrap().starts_with("together_")),
        "{log:?}"
    );
}

#[test]
fn plans_that_are_alike_say_so_and_several_compare_against_the_first() {
    let folder = tempfile::tempdir().unwrap();
    plans(folder.path());
    fs::copy(
        folder.path().join("today.toml"),
        folder.path().join("copy.toml"),
    )
    .unwrap();
    let output = run_in(
        folder.path(),
        "compare plans today.toml copy.toml --no-prices",
    );
    insta::assert_snapshot!(
        "plans_alike",
        shown("compare plans today.toml copy.toml", &output)
    );
    let words = "compare plans today.toml tomorrow.toml larger.toml --width 160";
    insta::assert_snapshot!("three_plans", shown(words, &run_in(folder.path(), words)));
    // A plan saved as JSON is as good.
    let saved = run_in(folder.path(), "plan today.toml --output today.json");
    assert!(saved.status.success());
    let output = run_in(
        folder.path(),
        "compare plans today.json copy.toml --no-prices --format json",
    );
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(comparison["differences"], Value::Array(Vec::new()));
}

#[test]
fn volumes_are_matched_by_name_or_else_by_order() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, disks: &[&str]| {
        let disks: Vec<String> = disks
            .iter()
            .map(|d| format!("[[disk]]\nspec = '{d}'\n"))
            .collect();
        let text = format!("[vm]\nsize = 'D8s_v5'\n\n{}", disks.join("\n"));
        fs::write(folder.path().join(name), text).unwrap();
    };
    write("a.toml", &["P30", "scratch=P10"]);
    write(
        "b.toml",
        &["v2:size=1024,iops=5000,mbps=200", "archive=P10"],
    );
    let output = run_in(
        folder.path(),
        "compare plans a.toml b.toml --no-prices --format json",
    );
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut subjects: Vec<&str> = comparison["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["subject"].as_str().unwrap())
        .collect();
    subjects.dedup();
    // Unnamed ones pair; those named otherwise are other volumes. All of them together reach the same.
    assert_eq!(subjects, ["P30 / v2", "scratch", "archive"]);
}

#[test]
fn comparisons_read_well() {
    for (name, words) in [
        ("tiers_on_d8s_v5_160", format!("{TIERS_ON_D8S_V5} --width 160")),
        ("tiers_on_d8s_v5_80", format!("{TIERS_ON_D8S_V5} --width 80")),
        ("capacity", "compare disks --capacity 512GiB --width 120".to_owned()),
        (
            "cheapest",
            "compare disks --capacity 2TiB --iops 20000 --mbps 500 --max-stripe 4 --width 120".to_owned(),
        ),
        (
            "sizes_with_disks",
            "compare vms D?s_v5 D??s_v5 --disk data=4xP30:cache=ro --disk log=v2:size=256,iops=8000,mbps=400 --width 140"
                .to_owned(),
        ),
        ("ceilings", "compare vms E?bds_v5 --no-prices --width 140".to_owned()),
    ] {
        insta::assert_snapshot!(name, transcript(&words));
    }
}

#[test]
fn wrong_input_is_named_with_what_would_be_right() {
    let folder = tempfile::tempdir().unwrap();
    plans(folder.path());
    for (name, words) in [
        ("no_disks", "compare disks"),
        ("unknown_tier", "compare disks P35"),
        ("no_such_tiers", "compare disks Q*"),
        ("no_size", "compare disks v2"),
        (
            "unknown_size_of_disks",
            "compare disks --iops 900000 --vm D8s_v55",
        ),
        ("workload_without_vm", "compare disks P30 --profile oltp"),
        ("stripe_of_0", "compare disks --iops 5000 --max-stripe 0"),
        ("no_sizes", "compare vms"),
        ("unknown_size", "compare vms D8s_v55"),
        ("no_match", "compare vms Z*"),
        ("none_fits", "compare vms D8s_v5 --vcpus 4"),
        ("temp_nowhere", "compare vms D8s_v5 --disk temp"),
        (
            "unknown_volume",
            "compare vms D8s_v5 --disk P30 --iops data=5",
        ),
        (
            "two_profiles",
            "compare vms D8s_v5 --disk P30 --profile oltp --profile vdi",
        ),
        ("unknown_region", "compare disks P30 --region estus"),
        ("one_plan", "compare plans today.toml"),
        ("no_plan", "compare plans today.toml missing.toml"),
        ("no_saved", "render missing.json"),
        ("not_saved", "render today.toml"),
    ] {
        let output = run_in(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{}", shown(words, &output));
        insta::assert_snapshot!(format!("error_{name}"), shown(words, &output));
    }
}

#[test]
fn help_is_kept_under_review() {
    for words in [
        "compare --help",
        "compare disks --help",
        "compare vms --help",
        "compare plans --help",
        "render --help",
    ] {
        let name = words.replace(" --help", "").replace(' ', "_");
        insta::assert_snapshot!(format!("help_{name}"), transcript(words));
    }
}

/// What a Standard SSD is billed for by use is not in its price: the sum says that there is more. That of a P40 is whole.
#[test]
fn a_price_that_misses_something_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for (name, sku) in [("a", "E30"), ("b", "P40")] {
        let text = format!("[vm]\nsize = \"D8s_v5\"\n[[disk]]\nsku = \"{sku}\"\n");
        std::fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    }
    let output = cli::run_in(
        folder.path(),
        "compare plans a.toml b.toml --cost --width 160",
    );
    let told = String::from_utf8(output.stdout).unwrap();
    let is_price = |line: &&str| line.contains("Price a month, VM and disks");
    let row = told.lines().find(is_price).unwrap();
    assert_eq!(row.matches("and more").count(), 1, "{told}");
    assert!(
        told.contains("Not in the price of a: E30 LRS transactions"),
        "{told}"
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

/// The embedded prices have no reservations in eastus: the reason stands below the table.
#[test]
fn a_price_that_is_not_known_has_its_reason() {
    let text = stdout("compare vms D8s_v5 D16s_v5 --disk data=P30 --offer reserved3y --width 200");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "No price is known in eastus of Standard_D8s_v5 reserved for three years, Standard_D16s_v5 reserved for \
                three years. `diskcap skus update --region eastus` fetches today's prices";
    assert!(text.contains(said), "{text}");
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

#[test]
fn a_width_that_no_layout_has_is_refused() {
    let output = run("compare disks P30 --width 0");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("write 20 or more"));
}
