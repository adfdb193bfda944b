//! VM sizes side by side.

use serde_json::Value;

use crate::cli::{run, stdout};
use crate::fixtures::{close, json, number, row};

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

/// The embedded prices have no reservations in eastus: the reason stands below the table.
#[test]
fn a_price_that_is_not_known_has_its_reason() {
    let text = stdout("compare vms D8s_v5 D16s_v5 --disk data=P30 --offer reserved3y --width 200");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "No price is known in eastus of Standard_D8s_v5 reserved for three years, Standard_D16s_v5 reserved for \
                three years. `diskcap skus update --region eastus` fetches today's prices";
    assert!(text.contains(said), "{text}");
}

/// The temp disk of a D8ds_v5 does 38,000 IOPS, that of a D16ds_v5 75,000: of 50,000 only the latter lets all through.
#[test]
fn a_demand_that_a_temp_disk_does_not_meet_is_not_lifted() {
    let sizes = json("compare vms D8ds_v5 D16ds_v5 --disk tempdb=temp --iops tempdb=50000");
    let [small, large] = [0, 1].map(|index| &sizes["sizes"][index]["reach"]);
    assert_eq!(small["lifts_every_cap"], false);
    close(number(small, "/caps/0/capacity"), 38_000.0);
    close(number(small, "/caps/0/asked"), 50_000.0);
    assert_eq!(large["lifts_every_cap"], true);
    assert_eq!(sizes["first_lifting"], "Standard_D16ds_v5");
    // Without a demand it takes what there is, which is its own limit.
    let sizes = json("compare vms D8ds_v5 --disk tempdb=temp");
    assert_eq!(sizes["sizes"][0]["reach"]["lifts_every_cap"], true);
}

#[test]
fn figures_of_refused_sizes_are_promised_where_there_are_some() {
    let promised = "(their figures are what would hold if they could)";
    let words = "compare vms E16as_v7 E16ds_v5 --disk data=P30 --disk tempdb=temp --width 120";
    let text = stdout(words);
    assert!(
        text.contains("Sizes that cannot take the disks\nrefused  disk 'tempdb'"),
        "{text}"
    );
    assert!(!text.contains(promised), "{text}");
    assert!(stdout("compare vms D2s_v5 D4s_v5 --disk 8xP30").contains(promised));
}
