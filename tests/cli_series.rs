//! `diskcap bench series` and `diskcap bench twins` as a person meets them.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;
#[allow(dead_code, reason = "each test binary uses its own part")]
#[path = "series/generated.rs"]
mod generated;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Output;

use cli::{command, run, run_in, shown, stdout, transcript};
use generated::{Noise, array_one, array_two, closed_loop, csv};
use tempfile::TempDir;

/// A folder with these logs.
fn folder(logs: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in logs {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The report of the mirrored arrays, as logs.
fn arrays() -> TempDir {
    folder(&[
        ("one.csv", &csv("array", &array_one(1, 600))),
        ("two.csv", &csv("array", &array_two(2, 600))),
    ])
}

/// A P10 and a Premium SSD v2 on a Standard_D2s_v3, 32 I/Os of 4 KiB outstanding on each: for a minute the P10 bursts to
/// its 3,500 IOPS and the VM to its 4,000, so that 500 are left for the v2; then the P10 falls to 500 and the VM to 3,200.
fn shared_vm() -> TempDir {
    let mut noise = Noise::new(5);
    let mut text =
        String::from("time,iops:sdc,mbps:sdc,latency_ms:sdc,iops:sdd,mbps:sdd,latency_ms:sdd\n");
    for second in 0..900 {
        let (c, d) = if second < 60 {
            (3500.0, 500.0)
        } else {
            (500.0, 2700.0)
        };
        write!(text, "{second}").unwrap();
        for rate in [c, d] {
            let iops = rate * (1.0 + 0.008 * noise.normal());
            let (mbps, latency) = (iops * 4096.0 / 1e6, 32e3 / iops);
            write!(text, ",{iops:.1},{mbps:.4},{latency:.3}").unwrap();
        }
        text.push('\n');
    }
    folder(&[("vm.csv", &text)])
}

/// A P10 with 32 I/Os outstanding: 29 minutes at 3,500 IOPS, half an hour at 500; or, `fast`, at first above its burst.
fn burst(fast: bool) -> TempDir {
    let mut text = String::from("time,disk,iops,latency_ms\n");
    for minute in 0..59 {
        let iops = match minute {
            0 if fast => 9000.0,
            0..29 => 3500.0,
            _ => 500.0,
        };
        writeln!(text, "{},sdc,{iops},{}", minute * 60, 32e3 / iops).unwrap();
    }
    folder(&[("io.csv", &text)])
}

#[test]
fn credit_that_ran_out_is_named() {
    let words = "bench series io.csv --vm D4s_v5 --disk data=P10";
    let said = |fast| {
        let output = run_in(burst(fast).path(), words);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = said(false);
    assert!(
        text.contains("its burst credit had run out, after 29 min at 3,500 IOPS"),
        "{text}"
    );
    assert!(!text.contains("ABOVE-LIMITS"), "{text}");
    // 9,000 IOPS are 2.57 times the 3,500 that a P10 bursts to.
    let text = said(true);
    assert!(
        text.contains("reaches 9,000 IOPS, 2.57 times the highest limit on its way"),
        "{text}"
    );
}

const SHARED: &str = "bench series vm.csv --vm D2s_v3 --disk v1=P10 --disk v2=v2:size=130,iops=6000,mbps=250 \
                      --map sdc=v1 --map sdd=v2";

fn text_of(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.replace("\r\n", "\n")
}

#[track_caller]
fn said(folder: &Path, words: &str) -> String {
    let output = run_in(folder, words);
    assert!(output.status.success(), "{}", shown(words, &output));
    text_of(&output)
}

#[test]
fn the_slow_array_of_a_mirror_is_named_with_the_reason() {
    let folder = arrays();
    let words = "bench twins one=one.csv two=two.csv --width 80";
    insta::assert_snapshot!(
        "mirrored_arrays",
        shown(words, &run_in(folder.path(), words))
    );
}

#[test]
fn rates_sit_on_limits_of_disk_and_vm() {
    let folder = shared_vm();
    let words = format!("{SHARED} --width 100");
    insta::assert_snapshot!("shared_vm", shown(&words, &run_in(folder.path(), &words)));
}

#[test]
fn a_stripe_s_members_share_its_limits() {
    let folder = shared_vm();
    // Two P10 of 500 IOPS each, and the VM's 3,200 for both: 1,600 each. The second runs at 2,700: none of its limits.
    let words = "bench series vm.csv --vm D2s_v3 --disk d=2xP10 --map sd?=d --format json";
    let json: serde_json::Value = serde_json::from_str(&said(folder.path(), words)).unwrap();
    let limits = json["disks"][0]["limits"].as_array().unwrap();
    let found: Vec<(&str, f64)> = limits
        .iter()
        .filter_map(|cap| Some((cap["name"].as_str()?, cap["limits"]["iops"].as_f64()?)))
        .collect();
    assert_eq!(
        found,
        [
            ("the disk's IOPS limit, 500 IOPS, one disk of 2", 500.0),
            (
                "the VM's uncached IOPS limit, 3,200 IOPS, shared by 2 disks",
                1600.0
            ),
            (
                "the disk's IOPS limit in burst, 3,500 IOPS, one disk of 2",
                3500.0
            ),
            (
                "the VM's uncached IOPS limit in burst, 4,000 IOPS, shared by 2 disks",
                2000.0
            ),
        ]
    );
}

#[test]
fn fail_on_turns_a_slow_peer_and_a_throttled_disk_into_exit_code_1() {
    let arrays = arrays();
    let twins = "bench twins one=one.csv two=two.csv --fail-on";
    let code = |folder: &Path, words: &str| run_in(folder, words).status.code();
    assert_eq!(code(arrays.path(), &format!("{twins} warning")), Some(1));
    assert_eq!(code(arrays.path(), &format!("{twins} error")), Some(0));
    let alike = "bench twins one.csv again=one.csv --fail-on info";
    assert_eq!(code(arrays.path(), alike), Some(0));
    // Array two chokes: a warning. Array one is asked for less at times: none.
    let series = |file| format!("bench series {file} --fail-on warning");
    assert_eq!(code(arrays.path(), &series("two.csv")), Some(1));
    assert_eq!(code(arrays.path(), &series("one.csv")), Some(0));
    let shared = shared_vm();
    assert_eq!(
        code(shared.path(), &format!("{SHARED} --fail-on warning")),
        Some(1)
    );
}

#[test]
fn a_fleet_is_compared_within_its_groups() {
    // Two hosts with two disks each; sdd of the second is slow for a P30, and usual for the P10s.
    let disks = |latencies: [f64; 2], seed: u64| {
        let mut text = String::from("time,iops:sdc,latency_ms:sdc,iops:sdd,latency_ms:sdd\n");
        let of = |latency, seed| closed_loop(seed, 300, 8.0, latency, 0.1, 0.3);
        let [c, d] = latencies;
        for (i, (c, d)) in of(c, seed).iter().zip(&of(d, seed + 1)).enumerate() {
            writeln!(
                text,
                "{i},{},{},{},{}",
                c.iops, c.latency_ms, d.iops, d.latency_ms
            )
            .unwrap();
        }
        text
    };
    let folder = folder(&[
        ("web1.csv", &disks([1.0, 5.0], 1)),
        ("web2.csv", &disks([1.0, 5.0], 3)),
        ("web3.csv", &disks([3.0, 5.0], 5)),
    ]);
    let words = "bench twins web1.csv web2.csv web3.csv --disk fast=P30 --disk slow=P10 --map sdc=fast --map sdd=slow \
                 --format csv --columns disk,group,verdict";
    assert_eq!(
        said(folder.path(), words),
        "disk,group,verdict\n\
         web1 sdd,P10,alike\nweb2 sdd,P10,alike\nweb3 sdd,P10,alike\n\
         web1 sdc,P30,alike\nweb2 sdc,P30,alike\nweb3 sdc,P30,slow\n"
    );
    // Without a word on what they are, all are of one kind, and too unlike for one to stand out.
    let words = "bench twins web1.csv web2.csv web3.csv --group-by file --format csv --columns disk,group,verdict";
    let by_file = said(folder.path(), words);
    assert!(by_file.contains("web1 sdd,web1.csv,slow\n"), "{by_file}");
}

#[test]
fn every_format_is_written_and_saved_results_are_shown_again() {
    for (folder, words, title) in [
        (
            arrays(),
            "bench twins one=one.csv two=two.csv",
            "Peers: one deserves a look",
        ),
        (shared_vm(), SHARED, "Disks over time on Standard_D2s_v3"),
    ] {
        for (ending, start) in [
            ("html", &b"<!DOCTYPE"[..]),
            ("xlsx", b"PK"),
            ("svg", b"<svg"),
            ("png", b"\x89PNG"),
            ("md", b"# "),
            ("csv", b"disk,"),
            ("json", b"{"),
        ] {
            said(folder.path(), &format!("{words} --output out.{ending}"));
            let bytes = std::fs::read(folder.path().join(format!("out.{ending}"))).unwrap();
            assert!(bytes.starts_with(start), "{words} as {ending}");
        }
        let again = said(folder.path(), "render out.json");
        assert!(again.starts_with(title), "{again}");
        assert_eq!(again, said(folder.path(), words));
        let svg = std::fs::read(folder.path().join("out.svg")).unwrap();
        let again = said(folder.path(), "render out.json --format svg");
        assert_eq!(again.as_bytes(), svg);
    }
}

#[test]
fn a_log_comes_from_stdin_and_a_file_may_be_called_like_a_command() {
    let folder = folder(&[(
        "series",
        &csv("disk", &closed_loop(1, 60, 8.0, 1.0, 0.1, 0.3)),
    )]);
    let log = std::fs::File::open(folder.path().join("series")).unwrap();
    let output = command()
        .args([
            "bench",
            "series",
            "-",
            "--format",
            "csv",
            "--columns",
            "disk,samples",
        ])
        .stdin(log)
        .output()
        .unwrap();
    assert_eq!(text_of(&output), "disk,samples\ndisk,60\n");
    // The file is found, not the command: it is told to be a log over time.
    let words = "bench ./series --format csv --columns test";
    let output = run_in(folder.path(), words);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("'./series' is a CSV time series"), "{told}");
}

#[test]
fn wrong_input_is_named_with_what_would_be_right() {
    let folder = shared_vm();
    for (name, words) in [
        ("no_log", "bench series"),
        ("missing", "bench series missing.csv"),
        ("which_device", "bench series vm.csv --disk P10"),
        (
            "unknown_device",
            "bench series vm.csv --disk P10 --map sdx=P10",
        ),
        (
            "unknown_volume",
            "bench series vm.csv --disk P10 --map sdc=P20",
        ),
        ("map_without_disk", "bench series vm.csv --map sdc=P10"),
        ("members", "bench series vm.csv --disk d=3xP10 --map sd?=d"),
        ("no_binding", "bench series vm.csv --map sdc"),
        ("no_such_device", "bench twins vm.csv --device sdx"),
        ("group", "bench twins vm.csv --group-by colour"),
    ] {
        let output = run_in(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{}", shown(words, &output));
        insta::assert_snapshot!(format!("error_{name}"), shown(words, &output));
    }
}

#[test]
fn every_id_is_explained() {
    for id in [
        "SERIES-FENCE",
        "series-throttled",
        "PEER-SLOW",
        "PEER-NOT-ENOUGH",
    ] {
        let text = stdout(&format!("explain {id}"));
        assert!(text.contains("Source: diskcap's"), "{text}");
    }
}

#[test]
fn help_is_kept_under_review() {
    for command in ["series", "twins"] {
        insta::assert_snapshot!(
            format!("help_{command}"),
            transcript(&format!("bench {command} --help"))
        );
    }
}

#[test]
fn every_sample_log_is_shown_or_refused_with_a_reason() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/samples"));
    for kind in ["fiolog", "iostat", "perfmon", "azmon"] {
        let Ok(files) = std::fs::read_dir(root.join(kind)) else {
            return;
        };
        for file in files {
            for what in ["series", "twins"] {
                let path = file.as_ref().unwrap().path();
                let output = command().args(["bench", what]).arg(&path).output().unwrap();
                let text = shown(&path.display().to_string(), &output);
                match output.status.code() {
                    Some(0) => assert!(output.stderr.is_empty(), "{text}"),
                    Some(2) => assert!(text.contains("export it with the average"), "{text}"),
                    _ => panic!("{text}"),
                }
            }
        }
    }
}

#[test]
fn what_is_no_text_or_nothing_is_said_to_be_so() {
    let folder = folder(&[
        ("empty.log", ""),
        ("blank.log", " \n\n"),
        ("one.csv", "time,iops\n"),
    ]);
    let bytes: Vec<u8> = (0..4096_u32).map(|i| (i * 7 % 256) as u8).collect();
    std::fs::write(folder.path().join("bin"), bytes).unwrap();
    for command in ["series", "twins"] {
        for (file, wanted) in [
            ("empty.log", "'empty.log' is empty"),
            ("blank.log", "'blank.log' is empty"),
            ("bin", "'bin' is binary data, not text"),
        ] {
            let output = run_in(folder.path(), &format!("bench {command} {file}"));
            let told = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{told}");
            assert!(told.contains(wanted), "{told}");
        }
    }
}

#[test]
fn one_disk_alone_has_no_peer() {
    let output = run_in(arrays().path(), "bench twins one.csv --width 100");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.starts_with("Peers: one disk only, none to compare it with"),
        "{text}"
    );
    assert!(text.contains("it is the only disk"), "{text}");
    assert!(!text.contains("enough"), "{text}");
}

/// The text says 99.9 % where the table would round to 100.
#[test]
fn nothing_is_quite_sure() {
    let output = run_in(
        arrays().path(),
        "bench twins one=one.csv two=two.csv --table peers --columns disk,confidence_pct --format csv",
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("two,99.9"), "{text}");
    assert!(!text.contains("100"), "{text}");
}

#[test]
fn bare_seconds_are_time_and_what_explains_a_rate_is_named() {
    // D4s_v5 bursts to 20,000 IOPS uncached; a P30 has 5,000.
    let folder = tempfile::tempdir().unwrap();
    let line = |second: u32| {
        let iops = if second < 20 { 20_000 } else { 4_000 } + second % 3;
        format!("{second},{iops}\n")
    };
    let lines: String = (0..40).map(line).collect();
    std::fs::write(folder.path().join("log.csv"), format!("t,iops\n{lines}")).unwrap();
    let output = run_in(folder.path(), "bench series log.csv --vm D4s_v5 --disk P30");
    let text = String::from_utf8(output.stdout).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("a cache or another disk answered then; the rate fits the VM's uncached IOPS limit in burst, 20,000 IOPS"),
        "{text}"
    );
    // `bench` takes no rate over time for results of tests with so many threads.
    let told = run_in(folder.path(), "bench log.csv");
    let told = String::from_utf8(told.stderr).unwrap();
    assert!(told.contains("bench series log.csv"), "{told}");
}

#[test]
fn a_device_to_name_is_no_other_command() {
    let output =
        run("bench series tests/fixtures/series/iostat-12-pretty.txt --vm D4s_v5 --disk P30");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("--map DEVICE=P30") && !told.contains("tip:"),
        "{told}"
    );
}

#[test]
fn no_credit_ran_out_where_there_is_none() {
    // Ten seconds at 9,000 IOPS, fifty at 2,900: a Premium SSD v2 has no credit, a P20 has.
    let folder = tempfile::tempdir().unwrap();
    let line = |second: u32| {
        format!(
            "{second},{}\n",
            if second < 10 {
                9000
            } else {
                2900 + 7 * (second % 5)
            }
        )
    };
    let lines: String = (0..60).map(line).collect();
    std::fs::write(folder.path().join("log.csv"), format!("t,iops\n{lines}")).unwrap();
    let of = |disk: &str| {
        let output = run_in(folder.path(), &format!("bench series log.csv {disk}"));
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let none = of("--disk v2:size=100");
    assert!(
        none.contains("a cache that ran out (there is no burst credit on its way)"),
        "{none}"
    );
    for open in ["", "--disk P20"] {
        let either = of(open);
        assert!(
            either.contains("a cache or burst credit that ran out"),
            "{either}"
        );
    }
}

/// A pair of fio's logs, one sample a second: rates, and latencies in ms.
fn fio_pair(samples: impl Iterator<Item = (f64, f64)>) -> TempDir {
    let (mut rates, mut latencies) = (String::new(), String::new());
    for (second, (iops, ms)) in (1..).zip(samples) {
        writeln!(rates, "{}, {iops:.0}, 0, 0, 0", second * 1000).unwrap();
        writeln!(latencies, "{}, {:.0}, 0, 0, 0", second * 1000, ms * 1e6).unwrap();
    }
    folder(&[("a_iops.1.log", &rates), ("a_lat.1.log", &latencies)])
}

/// The findings of `bench series` on what is in a folder.
fn found_in(folder: &TempDir, words: &str) -> String {
    let words = format!("bench series {words} --table findings --format csv");
    let output = run_in(folder.path(), &words);
    assert!(output.status.success(), "{}", shown(&words, &output));
    String::from_utf8(output.stdout).unwrap()
}

/// The logs of such a pair.
const PAIR: &str = "a_iops.1.log a_lat.1.log";

#[test]
fn a_spell_of_latency_alone_is_told() {
    // 1,500 IOPS throughout; from 5 to 7 minutes each I/O takes 2.4 ms in place of 1.2.
    let mut noise = Noise::new(7);
    let pair = fio_pair((0..1200).map(|second| {
        let ms = if (300..420).contains(&second) {
            2.4
        } else {
            1.2
        };
        let mut off = || 1.0 + 0.03 * noise.normal();
        (1500.0 * off(), ms * off())
    }));
    let told = found_in(&pair, PAIR);
    assert!(told.contains("SERIES-STEP"), "{told}");
    assert!(told.contains("3 levels in turn: 1,"), "{told}");
    assert!(told.contains(" at 1.2 ms; from 5 min on 1,"), "{told}");
    assert!(
        told.contains(" ms (it got slower); from 7 min on "),
        "{told}"
    );
}

#[test]
fn a_spell_of_three_percent_of_a_long_log_is_told() {
    // Three hours of 5,000 IOPS, six minutes of them at half the rate: 3.3 %.
    let mut noise = Noise::new(11);
    let pair = fio_pair((0..10_800).map(|second| {
        let slow = (3600..3960).contains(&second);
        let (iops, ms) = if slow { (2500.0, 8.0) } else { (5000.0, 4.0) };
        let mut off = || 1.0 + 0.03 * noise.normal();
        (iops * off(), ms * off())
    }));
    let told = found_in(&pair, PAIR);
    assert!(told.contains("3 levels in turn"), "{told}");
    assert!(told.contains("from 60 min on 2,"), "{told}");
    assert!(told.contains("(it got slower); from 66 min on "), "{told}");
}

#[test]
fn a_slow_device_of_a_stripe_is_told_from_the_others() {
    // Two members at 1,000 IOPS of 8 KiB, far below a P30's limits: one answers in 1 ms, the other in 2.6.
    let mut noise = Noise::new(3);
    let mut text =
        String::from("time,iops:sdc,mbps:sdc,latency_ms:sdc,iops:sdd,mbps:sdd,latency_ms:sdd\n");
    for second in 0..300 {
        write!(text, "{second}").unwrap();
        for ms in [1.0, 2.6] {
            let iops = 1000.0 * (1.0 + 0.03 * noise.normal());
            let (mbps, ms) = (iops * 8192.0 / 1e6, ms * (1.0 + 0.03 * noise.normal()));
            write!(text, ",{iops:.1},{mbps:.4},{ms:.3}").unwrap();
        }
        text.push('\n');
    }
    let logs = folder(&[("vm.csv", &text)]);
    let plan = "--vm E8ds_v5 --disk data=2xP30 --map sdc=data --map sdd=data";
    let told = found_in(&logs, &format!("vm.csv {plan}"));
    let slow: Vec<&str> = told
        .lines()
        .filter(|line| line.contains("SLOW-LATENCY"))
        .collect();
    assert_eq!(slow.len(), 1, "{told}");
    assert!(slow[0].contains("sdd"), "{told}");
    // A P30 usually takes 1 ms, and up to 1.5 times that counts as usual.
    assert!(slow[0].contains("where up to 1.5 ms is usual"), "{told}");
}

#[test]
fn noise_is_no_constant_rate() {
    for seed in 1..=6 {
        let mut noise = Noise::new(seed);
        let pair = fio_pair((0..600).map(|_| {
            let mut off = || 1.0 + 0.03 * noise.normal();
            (3200.0 * off(), 1.25 * off())
        }));
        let told = found_in(&pair, PAIR);
        assert!(!told.contains("flat at"), "{seed}: {told}");
    }
}
