//! Several volumes.

use crate::cli::{run, stdout};

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
