//! `diskcap plan`, `skus` and `explain` as a person meets them.

#[path = "common/cli.rs"]
mod cli;

use cli::{command, run, run_in, shown, stdout, transcript};

const FIELD_REPORT: &str = "plan --vm Standard_D2s_v3 --disk v1=P10 --disk v2base=v2:size=129,iops=3000,mbps=125 \
                            --disk v2double=v2:size=130,iops=6000,mbps=250";

#[test]
fn the_field_report_reads_well_at_80_and_at_200_columns() {
    insta::assert_snapshot!(
        "field_report_80",
        transcript(&format!("{FIELD_REPORT} --width 80"))
    );
    insta::assert_snapshot!(
        "field_report_200",
        transcript(&format!("{FIELD_REPORT} --width 200"))
    );
}

#[test]
fn every_text_format_shows_the_same_plan() {
    for format in ["csv", "markdown", "json"] {
        insta::assert_snapshot!(
            format!("field_report_{format}"),
            transcript(&format!("{FIELD_REPORT} --format {format}"))
        );
    }
}

#[test]
fn colour_comes_only_when_asked() {
    let plain = stdout(FIELD_REPORT);
    assert!(!plain.contains('\u{1b}'));
    let coloured = stdout(&format!("{FIELD_REPORT} --color always"));
    assert!(coloured.contains('\u{1b}'));
}

#[test]
fn a_profile_and_cached_disks() {
    let words = "plan --vm E8ds_v5 --disk os=P10:os,cache=rw --disk data=2xP30:cache=ro --disk log=v2:size=256,iops=6000,mbps=200 \
                 --profile oltp --hit-share 0.5 --width 120";
    insta::assert_snapshot!("oltp_cached", transcript(words));
}

#[test]
fn plans_that_cannot_be_deployed_end_with_2_and_say_why() {
    let cases = [
        ("plan --vm D2s_v3 --disk v2:size=5,iops=10000", "V2-RANGE"),
        ("plan --vm D2s_v3 --disk v2:size=100,cache=ro", "V2-CACHING"),
        (
            "plan --vm D2s_v3 --disk ultra:size=64,iops=5000,mbps=100,cache=rw",
            "ULTRA-CACHING",
        ),
        ("plan --vm D2s_v3 --disk P60:cache=ro", "LARGE-DISK-CACHING"),
        (
            "plan --vm D2s_v3 --disk P30:cache=ro,shares=2",
            "SHARED-DISK-CACHING",
        ),
        ("plan --vm D2s_v3 --disk 5xP10", "TOO-MANY-DISKS"),
        ("plan --vm A2_v2 --disk P30", "PREMIUM-UNSUPPORTED"),
        ("plan --vm D2s_v3 --disk P10:tier=P80", "PERFORMANCE-TIER"),
        ("plan --vm D2s_v3 --disk P30:tier=P10", "PERFORMANCE-TIER"),
        (
            "plan --vm D2s_v3 --disk P10:burst=on",
            "FEATURE-NOT-OFFERED",
        ),
        (
            "plan --vm D2s_v3 --disk P10:perfplus",
            "FEATURE-NOT-OFFERED",
        ),
        ("plan --vm D2s_v3 --disk os=v2:size=64,os", "OS-DISK-KIND"),
        (
            "plan --vm D2s_v3 --disk ultra:size=64,iops=500000,mbps=100",
            "ULTRA-RANGE",
        ),
        ("plan --vm D2s_v3 --disk v2:size=0", "V2-RANGE"),
    ];
    for (words, id) in cases {
        let output = run(words);
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert_eq!(output.status.code(), Some(2), "{}", shown(words, &output));
        assert!(
            out.contains(id) && err.contains(id),
            "{}",
            shown(words, &output)
        );
    }
}

#[test]
fn what_is_only_unwise_is_a_finding_and_ends_with_0() {
    let cases = [
        ("plan --vm D8s_v3 --disk P30:cache=rw", "RW-CACHE-DATA"),
        ("plan --vm B2ms --disk P10:cache=ro", "SIZE-CACHING"),
        ("plan --vm D8s_v3 --disk os=S10:os,cache=rw", "OS-DISK-HDD"),
        ("plan --vm D8s_v3 --disk os=P10:os", "OS-CACHE-DEFAULT"),
        ("plan --vm DS3_v2 --disk P10", "RETIRING-SIZE"),
        ("plan --vm D8s_v3 --disk custom:iops=9000", "UNKNOWN-CAP"),
        ("plan --vm E8bds_v5 --disk 8xP30", "INTERFACE-CAPS"),
        (
            "plan --vm D8s_v3 --interface nvme --disk P30",
            "CONTROLLER-UNKNOWN",
        ),
        ("plan --vm D2s_v3 --disk temp", "LOCAL-DATA"),
        (
            "plan --vm D8s_v3 --disk P30 --block-size 64KiB",
            "BLOCK-SIZE-MBPS",
        ),
        ("plan --vm D8s_v3 --disk P30 --queue-depth 2", "QUEUE-DEPTH"),
        (
            "plan --vm D64s_v3 --disk E10 --block-size 1MiB --iops 1000",
            "BLOCK-SIZE-MBPS",
        ),
    ];
    for (words, id) in cases {
        let output = run(words);
        assert_eq!(output.status.code(), Some(0), "{}", shown(words, &output));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(id), "{}", shown(words, &output));
    }
}

#[test]
fn fail_on_turns_findings_into_exit_code_1() {
    let words = "plan --vm D2s_v3 --disk P30";
    assert_eq!(run(words).status.code(), Some(0));
    assert_eq!(
        run(&format!("{words} --fail-on warning")).status.code(),
        Some(1)
    );
    assert_eq!(
        run(&format!("{words} --fail-on error")).status.code(),
        Some(0)
    );
}

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
fn a_plan_file_gives_what_its_flags_would() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[vm]\nsize = 'd2s v3'\n\n[[disk]]\nname = 'v1'\nsku = 'P10'\n\n[[disk]]\nname = 'v2base'\nsku = 'v2'\nsize = 129\niops = 3000\n\
                mbps = 125\n\n[[disk]]\nname = 'v2double'\nspec = 'v2:size=130,iops=6000,mbps=250'\n";
    std::fs::write(folder.path().join("plan.toml"), text).unwrap();
    let from_file = run_in(folder.path(), "plan plan.toml --format csv");
    assert_eq!(
        String::from_utf8_lossy(&from_file.stdout),
        stdout(&format!("{FIELD_REPORT} --format csv"))
    );
    std::fs::write(
        folder.path().join("typo.toml"),
        text.replace("sku = 'P10'", "sku = 'P10'\ncahce = 'ro'"),
    )
    .unwrap();
    let output = run_in(folder.path(), "plan typo.toml");
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!("error_misspelt_key", shown("plan typo.toml", &output));
}

#[test]
fn the_printed_example_is_a_plan_that_works() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), stdout("plan --example")).unwrap();
    let output = run_in(folder.path(), "plan plan.toml --width 120");
    insta::assert_snapshot!("example_plan", shown("plan plan.toml", &output));
    assert_eq!(output.status.code(), Some(0));
}

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

#[test]
fn a_reader_that_goes_is_no_error() {
    use std::io::Read;
    let mut child = command()
        .args(["skus", "list", "--format", "json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0_u8; 16];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        shown("skus list | head", &output)
    );
    assert!(output.stderr.is_empty());
}

#[test]
fn money_is_shown_when_asked() {
    insta::assert_snapshot!(
        "field_report_cost",
        transcript(&format!(
            "{FIELD_REPORT} --cost --table cost --columns all --width 200"
        ))
    );
    // 0.096 USD an hour x 730 h: Standard_D2s_v3, Linux, eastus.
    let csv = stdout(&format!(
        "{FIELD_REPORT} --cost --format csv --table cost --columns item,month"
    ));
    assert!(csv.contains("\"VM, Linux\",70.08"), "{csv}");
    let output = run("plan --disk P30 --cost --region nowhere");
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(
        "error_unknown_region",
        shown("plan --disk P30 --cost --region nowhere", &output)
    );
}

#[test]
fn offline_is_offline() {
    let output = run("skus update --offline");
    assert_eq!(output.status.code(), Some(3));
    insta::assert_snapshot!(
        "skus_update_offline",
        shown("skus update --offline", &output)
    );
}

/// A volume that is cached is not offered what cannot be, an OS disk not what does not boot.
#[test]
fn cheaper_ways_keep_the_host_cache_and_boot() {
    let ways = |disk: &str| {
        stdout(&format!(
            "plan --vm E8ds_v5 --disk {disk} --cost --region eastus --width 160"
        ))
    };
    let title = "Cheaper ways";
    let after = |text: &str| {
        let at = text.find(title).unwrap_or(text.len());
        text[at..].to_owned()
    };
    let plain = after(&ways("data=4xP30"));
    assert!(plain.contains("Premium SSD v2"), "{plain}");
    let cached = after(&ways("data=4xP30:cache=ro"));
    assert!(!cached.contains("Premium SSD v2"), "{cached}");
    let os = after(&ways("os=P30:os,cache=none"));
    assert!(!os.contains("v2") && !os.contains("stripe"), "{os}");
}

/// 256 GiB x 0.00013 x 730 h; four members of a stripe each cost a tier.
#[test]
fn parts_of_a_bill_multiply_to_their_sum() {
    let parts = |disk: &str| {
        stdout(&format!(
            "plan --vm E8ds_v5 --disk {disk} --cost --region eastus --format csv --table cost"
        ))
    };
    let v2 = parts("d=v2:size=256");
    assert!(v2.contains(" an hour x 730 h = "), "{v2}");
    let stripe = parts("d=4xP30");
    assert!(stripe.contains("4 members, each: "), "{stripe}");
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
fn several_disks_in_one_flag_are_told_apart() {
    let output = run("plan --disk P30,P40");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("repeat --disk for each of P30, P40"),
        "{said}"
    );
}

#[test]
fn cache_hits_are_told_only_where_something_is_cached() {
    let plain = stdout("plan --vm D8s_v5 --disk P30 --hit-share 50% --table effective");
    assert!(!plain.contains("cache hits"), "{plain}");
    let mixed = stdout(
        "plan --vm D8s_v5 --disk P30 --disk a=P40:cache=ro --hit-share 50% --columns volume,load",
    );
    assert!(
        mixed.contains("random 4 KiB, reads, 50 % cache hits"),
        "{mixed}"
    );
    let of = |volume: &str| {
        let row = mixed.lines().find(|line| line.starts_with(volume));
        row.unwrap_or_default().to_owned()
    };
    assert!(!of("P30").contains("cache hits"), "{mixed}");
    assert!(of("a ").contains("50 % cache hits"), "{mixed}");
}

#[test]
fn what_stops_a_volume_is_shown_at_any_width() {
    let words = "plan --vm D8s_v5 --disk data=P30 --disk log=v2:size=256 --table together --width";
    for width in [30, 40, 50, 60, 80, 120] {
        let text = stdout(&format!("{words} {width}"));
        let (shown, left_out) = text.split_once("Left out").unwrap_or((&text, ""));
        assert!(shown.contains("stopped"), "{width}: {text}");
        assert!(!left_out.contains("stopped"), "{width}: {text}");
        assert!(text.contains("uncached"), "{width}: {text}");
    }
    let narrow = stdout(&format!("{words} 50"));
    assert!(
        narrow.contains("Left out at this width: SKU, IOPS burst"),
        "{narrow}"
    );
}

#[test]
fn what_is_wrong_with_a_plan_file_is_told_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let told = |text: &str| {
        std::fs::write(folder.path().join("p.toml"), text).unwrap();
        let output = run_in(folder.path(), "plan p.toml");
        assert_eq!(output.status.code(), Some(2), "{text}");
        String::from_utf8(output.stderr).unwrap()
    };
    for (text, wanted) in [
        (
            "[vm]\nsize = 'D8s_v9'\n[[disk]]\nsku = 'P30'",
            "'p.toml', line 1: unknown VM size 'D8s_v9'",
        ),
        (
            "\n[[disk]]\nsku = 'P31'",
            "'p.toml', line 2: disk 'P31': unknown disk tier",
        ),
        (
            "[[disk]]\nname='a'\nsku='P30'\n[[disk]]\nname='a'\nsku='P30'",
            "'p.toml', line 4: two volumes are named 'a'",
        ),
        (
            "[[disk]]\nsku = 'P30'\n[[step]]\nfor = '1h'\nvolume.x = { iops = 1 }",
            "step 1 for 'x': there is no such volume",
        ),
        ("name = 'x'", "'p.toml': no disk was given"),
        (
            "[[disk]]\nsku = 'v2'\nsize = 'big'",
            "'p.toml', line 3, disk number 1: size: 'big'",
        ),
    ] {
        let told = told(text);
        assert!(told.contains(wanted), "{text}: {told}");
    }
    // What a flag says wrong is not the file's fault.
    std::fs::write(folder.path().join("p.toml"), "[[disk]]\nsku = 'P30'").unwrap();
    let output = run_in(folder.path(), "plan p.toml --vm D8s_v9");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("error: unknown VM size"), "{told}");
}

#[test]
fn words_that_no_size_has_are_errors() {
    for (words, wanted) in [
        (
            "skus list --arch mips",
            "'mips' is no CPU architecture: write x64 or Arm64",
        ),
        ("skus list --series Dsv55", "did you mean Dsv5?"),
        ("skus list --series xyzzy", "series are A, Av2"),
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
            "regions are attatlanta1",
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

/// 5,000 of 12,000 IOPS: the gate looks at findings, and this is one.
#[test]
fn a_demand_that_is_not_met_fails_the_gate() {
    let words = "plan --vm D8s_v5 --disk data=P30 --iops 12k --fail-on warning";
    assert_eq!(run(words).status.code(), Some(1));
    let met = "plan --vm D8s_v5 --disk data=P60 --iops 12k --fail-on warning";
    assert_eq!(run(met).status.code(), Some(0));
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

#[test]
fn no_finding_is_an_empty_table() {
    for words in [
        "plan --disk P30 --table findings",
        "simulate --disk P30 --iops 100 --for 1h --table findings",
    ] {
        for format in ["table", "json", "ndjson", "csv", "markdown", "html"] {
            let output = run(&format!("{words} --format {format}"));
            assert_eq!(output.status.code(), Some(0), "{words} {format}");
        }
        assert_eq!(
            stdout(&format!("{words} --format csv")),
            "severity,id,subject,text,fix\r\n"
        );
        assert!(stdout(words).contains("(none)"));
    }
}

#[test]
fn steps_and_decimal_units_are_remarked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("day.toml");
    let text = "[[disk]]\nsku = \"P30\"\n[[step]]\nfor = \"1h\"\niops = 1000\n";
    std::fs::write(&file, text).unwrap();
    let told = |words: &str| {
        let output = run_in(folder.path(), words);
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(told("plan day.toml").contains("the steps of the file are for `diskcap simulate`"));
    assert_eq!(told("simulate day.toml"), "");
    assert_eq!(
        told("plan --disk v2:size=1.5TB,iops=3000"),
        "note: 1.5TB is read as 1.5 TiB (1,536 GiB), as clouds print it\n"
    );
    assert_eq!(told("plan --disk v2:size=1.5TiB"), "");
}

/// A P30 is 135.17 USD a month; a VM without a price is missing in the sum, not free.
#[test]
fn a_vm_without_a_price_is_missing_in_the_sum() {
    let words = "plan --vm D8s_v5 --disk P30 --cost --offer reserved3y";
    let text = stdout(&format!("{words} --width 160"));
    let line = text.lines().find(|line| line.starts_with("(total)"));
    assert!(
        line.is_some_and(|line| line.contains("135.17 USD (and more)")),
        "{line:?}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&format!("{words} --format json"))).expect("JSON");
    let missing = &json["cost"]["total"]["missing"][0];
    assert_eq!(missing["what"], "VM Standard_D8s_v5");
    assert_eq!(missing["why"], "no-price");
    let csv = stdout(&format!("{words} --format csv --table cost"));
    let sum = csv.lines().find(|line| line.starts_with("(total)"));
    let wanted = "(total),135.17,VM Standard_D8s_v5: price unknown,";
    assert!(sum.is_some_and(|line| line.starts_with(wanted)), "{csv}");
}

/// A P40 does 7,500 random I/Os of 8 KiB; a P20 at queue depth 1 does one in 1,000 us: 1,000 I/Os of 60 KiB are 61.44 MB/s.
#[test]
fn each_volume_can_have_its_own_profile() {
    let disks = "--vm D8s_v5 --disk data=P40 --disk log=P20";
    let served = |words: &str, columns: &str| {
        let csv = stdout(&format!(
            "{words} {disks} --format csv --columns {columns} --no-header"
        ));
        csv.trim().replace("\r\n", "; ")
    };
    let both = "--profile data=oltp --profile log=sql-log";
    let columns = "volume,sustained_iops,sustained_mbps";
    let wanted = "data,7500,61.44; log,1000,61.44";
    assert_eq!(served(&format!("plan {both}"), columns), wanted);
    // One for all, and another for one of them, whose name is in any case.
    let all = "--profile oltp --profile LOG=SQL-LOG";
    assert_eq!(served(&format!("plan {all}"), columns), wanted);
    // What else the flags say goes over the profiles.
    let text = stdout(&format!("plan {both} {disks} --queue-depth 2"));
    assert!(text.contains("random 8 KiB"), "{text}");
    assert!(text.contains("queue depth 2"), "{text}");
    let simulated = served(&format!("simulate --for 1h {both}"), "volume,served_iops");
    assert_eq!(simulated, "data,7500; log,1000");
    for (words, wanted) in [
        (
            "--profile dta=oltp",
            "profile for 'dta': there is no such volume; did you mean data? Volumes are data, log",
        ),
        (
            "--profile data=oltb",
            "unknown workload profile 'oltb'; did you mean oltp? The profiles are oltp,",
        ),
    ] {
        let output = run(&format!("plan {disks} {words}"));
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(wanted), "{text}");
    }
}
