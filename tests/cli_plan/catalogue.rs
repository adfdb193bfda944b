//! Help, the catalogue and the explanations.

use crate::cli::{stdout, transcript};

#[test]
fn help_is_kept_under_review() {
    for words in [
        "--help",
        "plan --help",
        "skus --help",
        "skus list --help",
        "skus show --help",
        "explain --help",
    ] {
        let name = format!(
            "help_{}",
            words
                .replace(" --help", "")
                .replace("--help", "top")
                .replace(' ', "_")
        );
        insta::assert_snapshot!(name, transcript(words));
    }
}

#[test]
fn the_catalogue_is_listed_and_shown() {
    insta::assert_snapshot!(
        "skus_dsv3",
        transcript("skus list --series Dsv3 --width 120")
    );
    insta::assert_snapshot!("skus_show_size", transcript("skus show d8s_v3"));
    insta::assert_snapshot!("skus_show_tier", transcript("skus show p30 --width 160"));
    insta::assert_snapshot!("skus_show_v2", transcript("skus show v2"));
    let csv = stdout(
        "skus list E*bds_v5 --interface nvme --format csv --columns name,uncached_iops --sort uncached_iops:desc",
    );
    assert_eq!(csv.lines().next(), Some("name,uncached_iops"), "{csv}");
    let first: f64 = csv
        .lines()
        .nth(1)
        .unwrap()
        .rsplit(',')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let last: f64 = csv
        .lines()
        .last()
        .unwrap()
        .rsplit(',')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!(first > last);
}

#[test]
fn every_finding_is_explained() {
    insta::assert_snapshot!("explain", transcript("explain cache-lowers-throughput"));
    assert!(stdout("explain").contains("V2-CACHING"));
}

/// What is known of a tier is shown at every width; a v2 of up to 6 GiB may have 3,000 IOPS though 500 per GiB are less.
#[test]
fn a_lone_disk_is_shown_whole() {
    for width in [40, 80, 120] {
        let text = stdout(&format!("skus show P30 --width {width}"));
        assert!(text.starts_with("P30, Premium SSD\n"), "{text}");
        assert!(text.contains("30,000") && text.contains("8,000"), "{text}");
        assert!(!text.contains("Left out at this width"), "{text}");
    }
    let v2 = stdout("skus show v2 --width 120");
    assert!(
        v2.contains("at most 500 per GiB, 3,000 up to 6 GiB; 3,000 IOPS and 125 MB/s are included"),
        "{v2}"
    );
    assert!(
        v2.contains("`diskcap explain V2-RANGE` tells the rule"),
        "{v2}"
    );
    let ultra = stdout("skus show ultra --width 120");
    assert!(ultra.contains("at most 1,000 per GiB\n"), "{ultra}");
}

/// D8s_v5 in westeurope: 0.46 USD an hour, 0.828 with Windows; x 730. P30 in eastus: 135.17 a month. v2 in eastus: 0.00011 a
/// GiB and hour, x 730.
#[test]
fn the_catalogue_has_prices() {
    let month = |flags: &str| {
        let words =
            format!("skus list D8s_v5 --region westeurope --format csv --columns vm_month {flags}");
        stdout(&words).replace('\r', "")
    };
    assert_eq!(month(""), "vm_month_usd\n335.8\n");
    assert_eq!(month("--offer windows"), "vm_month_usd\n604.44\n");
    let text = stdout("skus list D8s_v5 --region westeurope --width 120");
    assert!(
        text.contains("335.80 USD") && text.contains("VMs as bought: Linux."),
        "{text}"
    );
    // Prices are not shown unless they are asked for.
    assert!(!stdout("skus list D8s_v5 --width 200").contains("USD"));
    let size = stdout("skus show D8s_v5 --region westeurope --width 120");
    assert!(size.contains("0.46 │ 335.80 USD"), "{size}");
    let unknown = "No price is known in westeurope of Windows spot, reserved for one year, reserved for three years.";
    assert!(
        size.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(unknown),
        "{size}"
    );
    assert!(stdout("skus show P30 --width 120").contains("135.17 USD"));
    let v2 = stdout("skus show v2 --width 120");
    assert!(
        v2.contains("the first 3,000 are free") && v2.contains("650 us"),
        "{v2}"
    );
}
