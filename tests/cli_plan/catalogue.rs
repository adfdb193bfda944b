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
