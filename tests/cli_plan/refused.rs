//! What is refused, and what would be right.

use crate::cli::{run, run_in, shown, stdout};

#[test]
fn wrong_input_is_named_with_what_would_be_right() {
    for (name, words) in [
        ("no_arguments", ""),
        ("unknown_command", "pln"),
        ("unknown_size", "plan --vm D2s_v33 --disk P30"),
        ("unknown_tier", "plan --vm D2s_v3 --disk P35"),
        ("unknown_key", "plan --vm D2s_v3 --disk P30:cach=ro"),
        (
            "wrong_separator",
            "plan --vm D2s_v3 --disk v2:size=100:iops=3000",
        ),
        ("no_disk", "plan --vm D2s_v3"),
        ("iops_on_a_tier", "plan --disk P30:iops=9000"),
        ("limit_of_0", "plan --disk custom:iops=0,mbps=100"),
        ("no_such_file", "plan missing.toml"),
        (
            "two_profiles_of_a_volume",
            "plan --vm D8s_v5 --disk data=P30 --profile data=oltp --profile data=backup",
        ),
        (
            "unknown_volume",
            "plan --vm D2s_v3 --disk P30 --iops data=5",
        ),
        ("block_size_0", "plan --disk P30 --block-size 0"),
        ("unknown_format", "plan --disk P30 --format pdf"),
        ("unknown_column", "plan --disk P30 --columns volume,iopz"),
        ("unknown_finding", "explain VM-UNCACHED"),
        ("unknown_profile", "plan --disk P30 --profile oltpp"),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{}", shown(words, &output));
        insta::assert_snapshot!(format!("error_{name}"), shown(words, &output));
    }
}

#[test]
fn numbers_without_their_unit_are_asked_about() {
    let said = |words: &str| {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let of = |flags: &str| said(&format!("plan --disk P30 --iops 100 {flags}"));
    let block = "'8' is 8 bytes: write 8KiB, or 8B if that is meant";
    assert!(of("--block-size 8").contains(block));
    assert!(of("--read-share 70").contains("did you mean 70%?"));
    assert!(of("--read-share -0.1").contains("'-0.1' is not a share: it must be 0 or more"));
    let digits = "9".repeat(30);
    let long = of(&format!("--mbps {digits}"));
    let told = "'999999999999999999999999...' is not a throughput: it must be less than 10^15";
    assert!(long.contains(told), "{long}");
    assert!(!of("--read-share 170").contains("did you mean"));
    assert_eq!(
        run("plan --disk P30 --block-size 8B --iops 9")
            .status
            .code(),
        Some(0)
    );
    assert_eq!(
        run("plan --disk P30 --block-size 8192 --iops 9")
            .status
            .code(),
        Some(0)
    );
}

#[test]
fn words_that_no_size_has_are_errors() {
    for (words, wanted) in [
        (
            "skus list --arch mips",
            "'mips' is no CPU architecture: write x64 or Arm64",
        ),
        ("skus list --series Dsv55", "did you mean Dsv5?"),
        (
            "skus list --series xyzzy",
            "'xyzzy': `diskcap skus list --columns series,name` lists all",
        ),
        // The name of a size is near to its own series.
        ("skus list --series D8s_v5", "did you mean Dsv5? `"),
        ("skus list --series Standard_E8-4ds_v5", "mean Edsv5? `"),
        (
            "compare vms --series NC24ads_A100_v4",
            "mean NCadsA100v4? `",
        ),
        (
            "skus list --series Dsv99",
            "mean one of DSv2, Dsv3, Dsv4, Dsv5? `",
        ),
        (
            "skus list P30",
            "'P30' is a disk tier, not a VM size; `diskcap skus show P30` shows it, `diskcap skus list --tiers`",
        ),
        (
            "plan --vm v2 --disk P30",
            "'v2' is a disk family, not a VM size",
        ),
        ("skus show D8*", "name one; `diskcap skus list 'D8*'` lists"),
        ("skus show temp", "'temp' is a local disk of a VM size"),
        ("skus show custom", "'custom' stands for a disk of your own"),
        ("skus list D8s_v55", "did you mean Standard_D8s_v5?"),
        ("skus list Q*", "no VM size is called 'Q*'"),
        ("skus list --tiers Q*", "unknown disk tier 'Q*'"),
        (
            "skus list --tiers P30 --vcpus 8",
            "--tiers lists disk tiers",
        ),
        ("compare vms --vcpus 8 --arch mips", "write x64 or Arm64"),
        ("compare vms --series Dsv55", "did you mean Dsv5?"),
        ("compare vms Q*", "no VM size is called 'Q*'"),
        (
            "recommend --capacity 1TiB --not-series Dsv55",
            "did you mean Dsv5?",
        ),
        (
            "recommend --capacity 1TiB --family P30",
            "'P30' is one disk",
        ),
        (
            "recommend --capacity 1TiB --vcpus 8..4",
            "write the least first",
        ),
        (
            "plan --disk P30 --region atlantis",
            "unknown region 'atlantis'; a region is written like westeurope, and `diskcap skus update --help` lists them",
        ),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(wanted), "{words}: {told}");
        assert!(output.stdout.is_empty(), "{words}");
    }
    // A spelling without separators, a pattern of series and another word for an architecture are known.
    for words in [
        "skus list d8sv5",
        "skus list --series E* --vcpus 8",
        "skus list --arch amd64 --series Dsv5",
    ] {
        let text = stdout(&format!("{words} --format csv"));
        assert!(text.lines().count() > 1, "{words}: {text}");
    }
}

#[test]
fn what_was_given_in_the_wrong_place_is_told_where_it_belongs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty"), "").unwrap();
    let noise: Vec<u8> = (1..3000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    std::fs::write(folder.path().join("noise"), noise).unwrap();
    for (words, wanted) in [
        (
            "plan --vm P30 --disk P40",
            "tip: 'P30' is a disk: give it with --disk",
        ),
        (
            "plan --vm P30 --disk D8s_v5",
            "'D8s_v5' is a VM size, and a disk spec names a SKU",
        ),
        ("plan D8s_v5", "tip: a VM size is given with --vm"),
        (
            "bench empty",
            "'empty' is empty: a benchmark result is wanted",
        ),
        ("render empty", "'empty' is empty: a result is wanted"),
        ("bench noise", "'noise' is binary data, not text"),
        ("validate --from noise", "noise: not JSON but binary data"),
    ] {
        let output = run_in(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(wanted), "{words}: {told}");
        assert!(!told.contains("it is a plan file"), "{words}: {told}");
    }
}

#[test]
fn numbers_that_are_none_are_answered_with_what_is_one() {
    for (words, wanted) in [
        (
            "plan --disk P30 --cost --max-age abc",
            "write a whole number without a unit",
        ),
        (
            "plan --disk P30 --width wide",
            "write a whole number without a unit",
        ),
        (
            "simulate --disk P30 --repeat 2.5",
            "write a whole number, 1 or more",
        ),
        (
            "recommend --capacity 1TiB --top few",
            "write a whole number, 1 or more",
        ),
        (
            "recommend --capacity 1TiB --peak 20min",
            "write a number without a unit",
        ),
        (
            "recommend --capacity 1TiB --busy-hours inf",
            "write a number without a unit",
        ),
        (
            "recommend --volume data=2TiB",
            "a name stands before a colon",
        ),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(wanted), "{words}: {told}");
    }
}

#[test]
fn a_volume_has_one_demand() {
    for words in [
        "plan --disk P30 --iops 3000 --mbps 100",
        "plan --disk a=P30 --iops a=3000 --mbps a=100",
        "simulate --disk P30 --iops 3000 --mbps 100 --for 1h",
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("--iops and --mbps are both given"), "{told}");
    }
    let apart = "plan --disk data=P30 --disk log=P30 --iops data=3000 --mbps log=100";
    assert_eq!(run(apart).status.code(), Some(0));
}
