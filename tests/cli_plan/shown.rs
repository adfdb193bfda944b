//! What is shown, in every format and at every width.

use crate::FIELD_REPORT;
use crate::cli::{command, run, shown, stdout, transcript};

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
