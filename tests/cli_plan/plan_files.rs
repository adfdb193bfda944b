//! Plans from a file.

use std::path::Path;
use std::process::Output;

use crate::FIELD_REPORT;
use crate::cli::{run_in, shown, stdout};

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
fn steps_and_decimal_units_are_remarked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("day.toml");
    let text = "[[disk]]\nsku = \"P30\"\n[[step]]\nfor = \"1h\"\niops = 1000\n";
    std::fs::write(&file, text).unwrap();
    let told = |words: &str| {
        let output = run_in(folder.path(), words);
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(told("plan day.toml").contains("the steps of 'day.toml' are for `diskcap simulate`"));
    assert_eq!(told("simulate day.toml"), "");
    assert_eq!(
        told("plan --disk v2:size=1.5TB,iops=3000"),
        "note: 1.5TB is read as 1.5 TiB (1,536 GiB), as clouds print it\n"
    );
    assert_eq!(told("plan --disk v2:size=1.5TiB"), "");
}

/// What a run printed, its lines ended alike.
fn lines(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n")
}

/// What was saved is where the next plan begins: the same figures for the same VM, other ones for another.
#[test]
fn a_saved_plan_can_be_planned_again() {
    let folder = tempfile::tempdir().unwrap();
    let flags = "plan --vm E8ds_v5 --disk data=4xP30:cache=ro --disk log=v2:size=256,iops=6000,mbps=250 --profile oltp";
    let save = run_in(folder.path(), &format!("{flags} --output now.json"));
    assert_eq!(save.status.code(), Some(0), "{}", shown("", &save));
    let again = run_in(folder.path(), "plan now.json --format csv");
    let direct = stdout(&format!("{flags} --format csv"));
    assert_eq!(String::from_utf8_lossy(&again.stdout), direct);
    // E16ds_v5 lets 25,600 IOPS through uncached, and all that these disks do: 20,000 and 6,000 IOPS each by itself.
    let moved = run_in(
        folder.path(),
        "plan now.json --vm E16ds_v5 --format csv --columns volume,iops",
    );
    let moved = lines(&moved);
    assert_eq!(moved, "volume,sustained_iops\ndata,20000\nlog,6000\n");
}

/// A deployed VM of several; a disk of which the saved answer knew no limit is not what such disks have by default.
#[test]
fn a_validated_vm_can_be_planned_on() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shop = root.join("tests/fixtures/azure/shop");
    let validate = |from: &Path, to: &str| {
        let from = from.display();
        let output = run_in(
            folder.path(),
            &format!("validate --from {from} --quiet --output {to}"),
        );
        assert_eq!(output.status.code(), Some(0), "{}", shown("", &output));
    };
    validate(&shop, "shop.json");
    let several = run_in(folder.path(), "plan shop.json");
    assert_eq!(several.status.code(), Some(2));
    let told = String::from_utf8_lossy(&several.stderr).into_owned();
    assert!(told.contains("name one, such as shop.json#db1"), "{told}");
    let one = run_in(
        folder.path(),
        "plan shop.json#db1 --vm D16s_v5 --format csv --table effective --columns volume,sku,iops",
    );
    // 16,000 is what the v2 disk is set to.
    let wanted = "volume,sku,sustained_iops\nos,P10,500\nlun0,P30,5000\nlun1,P30 as P40,7500\nlun2,v2,16000\n";
    assert_eq!(lines(&one), wanted);
    validate(&shop.join("vms.json"), "vms.json");
    let half = run_in(
        folder.path(),
        "plan vms.json#db1 --format csv --table effective --columns volume,sku",
    );
    let told = String::from_utf8_lossy(&half.stderr).into_owned();
    assert!(
        told.contains("does not know the limits of os, lun0, lun1, lun2"),
        "{told}"
    );
    assert!(lines(&half).contains("lun2,custom\n"), "{}", lines(&half));
}

/// A disk of a flag takes the place of the file's disk of its name and keeps its workload; others are added.
#[test]
fn a_disk_of_a_flag_goes_over_that_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[[disk]]\nname = 'data'\nsku = 'P30'\nworkload = { iops = 6000 }\n[[disk]]\nname = 'log'\nsku = 'P20'\n\
                [[step]]\nfor = '1h'\nvolume.data = { iops = 7000 }\n";
    std::fs::write(folder.path().join("p.toml"), text).unwrap();
    let told = |words: &str| {
        let output = run_in(folder.path(), words);
        (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let columns = "--format csv --table effective --columns volume,sku,sustained_iops";
    let (plan, _) = told(&format!(
        "plan p.toml --disk data=P40 --disk v2:size=64 {columns}"
    ));
    // A P40 has 7,500 IOPS, of which 6,000 are asked; the others are asked for all they have.
    assert_eq!(
        plan.lines().skip(1).collect::<Vec<_>>(),
        ["data,P40,6000", "log,P20,2300", "v2,v2,3000"]
    );
    let (steps, _) = told(
        "simulate p.toml --disk data=P40 --format csv --table volumes --columns volume,sku,served_iops",
    );
    assert!(steps.contains("data,P40,7000"), "{steps}");
    let (_, error) = told("plan p.toml --disk data=P40 --disk data=P50");
    assert!(error.contains("two volumes are named 'data'"), "{error}");
}

/// A plan asks for one workload: that several were looked at is said, not forgotten. How the VM was bought is kept.
#[test]
fn what_a_saved_plan_asks_is_kept_or_said() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| run_in(folder.path(), words);
    run("plan --vm D8s_v5 --disk data=P30 --profile oltp --profile backup --output two.json");
    let told = String::from_utf8_lossy(&run("plan two.json").stderr).into_owned();
    assert!(
        told.contains(
            "the workloads of 'two.json' are left out, of which a plan has one (oltp, backup)"
        ),
        "{told}"
    );
    run("plan --vm D8s_v5 --disk data=4xP40 --cost --offer windows --output win.json");
    assert_eq!(String::from_utf8_lossy(&run("plan win.json").stderr), "");
    let cost = |words: &str| lines(&run(&format!("{words} --format csv --table cost")));
    let direct = cost("plan --vm D8s_v5 --disk data=4xP40 --cost --offer windows");
    assert_eq!(cost("plan win.json --cost"), direct);
    // Priced again, what findings say of money is not said twice.
    let both = lines(&run("compare plans win.json two.json --format json"));
    let unusable = both
        .lines()
        .filter(|line| line.contains("a month of what never passes costs"));
    for line in unusable {
        assert_eq!(line.matches("a month of").count(), 1, "{line}");
    }
}
