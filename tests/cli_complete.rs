//! Completion scripts and manual pages, as shells and `man` meet them.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use cli::{command, run, shown, stdout};

/// What bash offers for the words typed so far, cut as bash cuts them: at blanks, `=` and `:`.
#[cfg(unix)]
fn offered(line: &str) -> Vec<String> {
    const DRIVER: &str = r#"
        source <(diskcap completions bash)
        complete -p diskcap > /dev/null || exit 9
        COMP_LINE="$1" COMP_POINT=${#1}
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        current="${COMP_WORDS[COMP_CWORD]}"
        [[ "$current" == [=:] ]] && current=""
        _diskcap_complete diskcap "$current" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut words = Vec::new();
    for word in line.split(' ') {
        let mut rest = word;
        while let Some(at) = rest.find(['=', ':']) {
            if at > 0 {
                words.push(&rest[..at]);
            }
            words.push(&rest[at..=at]);
            rest = &rest[at + 1..];
        }
        if !rest.is_empty() || word.is_empty() {
            words.push(rest);
        }
    }
    let built = std::path::Path::new(env!("CARGO_BIN_EXE_diskcap"))
        .parent()
        .unwrap();
    let old = std::env::var("PATH").unwrap_or_default();
    let output = std::process::Command::new("bash")
        .args(["--norc", "--noprofile", "-c", DRIVER, "bash", line])
        .args(words)
        .env("PATH", format!("{}:{old}", built.display()))
        .env("DISKCAP_CONFIG", "none")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", shown(line, &output));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(unix)]
#[test]
fn bash_completes_sizes_specs_and_the_rest() {
    let d8s = ["D8s_v3", "D8s_v4", "D8s_v5", "D8s_v6", "D8s_v7"];
    assert_eq!(offered("diskcap plan --vm D8s_"), d8s);
    assert_eq!(offered("diskcap plan --vm d8s_"), d8s);
    assert_eq!(offered("diskcap plan --vm=D8s_"), d8s);
    assert!(offered("diskcap plan --vm Standard_D8s_").contains(&"Standard_D8s_v5".to_owned()));
    assert!(offered("diskcap bench x --vm D8").contains(&"D8ds_v5".to_owned()));

    let tiers = offered("diskcap plan --disk P");
    assert!(
        ["P1", "P30", "P80", "Premium_LRS"]
            .iter()
            .all(|tier| tiers.contains(&(*tier).to_owned())),
        "{tiers:?}"
    );
    // Behind = and : bash replaces only the last piece, so only that is answered.
    assert_eq!(offered("diskcap plan --disk data=4xP3"), ["4xP3", "4xP30"]);
    assert_eq!(
        offered("diskcap plan --vm D8s_v5 --disk data=P30:ca"),
        ["cache="]
    );
    assert_eq!(
        offered("diskcap plan --disk data=P30:cache="),
        ["none", "ro", "rw"]
    );
    assert_eq!(offered("diskcap plan --disk v2:size=256,io"), ["256,iops="]);

    // A disk is offered the keys that it takes and has not yet.
    assert_eq!(
        offered("diskcap plan --disk data=v2:"),
        ["size=", "iops=", "mbps=", "latency=", "shares="]
    );
    assert_eq!(
        offered("diskcap plan --disk P30:cache=ro,p"),
        ["ro,perfplus"]
    );
    assert!(offered("diskcap plan --disk P30:cache=ro,c").is_empty());
    let families = ["premium", "standardssd", "hdd", "v2", "ultra"];
    assert_eq!(offered("diskcap recommend --family "), families);
    for family in families {
        assert!(diskcap::recommend::families(family).is_ok());
    }

    // A deployed VM's name and a resource's id are nobody's to guess.
    assert!(offered("diskcap validate --vm D8").is_empty());
    assert!(offered("diskcap validate --id V2").is_empty());
    assert_eq!(offered("diskcap validate --auth m"), ["managed"]);

    assert_eq!(offered("diskcap pl"), ["plan"]);
    assert_eq!(offered("diskcap plan --tab"), ["--table"]);
    assert_eq!(offered("diskcap plan --color n"), ["never"]);
    assert_eq!(offered("diskcap plan --region westeu"), ["westeurope"]);
    assert_eq!(offered("diskcap explain V2-C"), ["V2-CACHING"]);
    assert_eq!(offered("diskcap skus show ul"), ["ultra", "UltraSSD_LRS"]);
    assert_eq!(offered("diskcap bench CHANGEL"), ["CHANGELOG.md"]);
    assert!(offered("diskcap plan --vm Q").is_empty());
}

#[test]
fn there_is_a_script_for_each_shell() {
    for (shell, words) in [
        ("bash", "complete -o bashdefault"),
        ("zsh", "#compdef diskcap"),
        ("fish", "complete --keep-order"),
        ("powershell", "Register-ArgumentCompleter"),
        ("nushell", "export extern \"diskcap compare vms\""),
    ] {
        let script = stdout(&format!("completions {shell}"));
        assert!(script.contains(words), "{script}");
    }
    let output = run("completions tcsh");
    assert_eq!(output.status.code(), Some(2));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(
        err.contains("bash, zsh, fish, powershell, nushell"),
        "{err}"
    );
}

#[test]
fn nushell_asks_for_long_lists() {
    let script = stdout("completions nushell");
    assert!(!script.contains("\"@"), "{script}");
    for words in [
        "skus list --format csv --columns size --no-header",
        "skus list --tiers --format csv --columns tier --no-header",
        "explain --format csv --columns id --no-header",
    ] {
        assert!(script.contains(&format!("^diskcap {words} | lines")));
        assert!(stdout(words).lines().count() > 20);
    }
    assert!(stdout("skus list --format csv --columns size --no-header").contains("D8s_v5"));
}

#[test]
fn a_mistaken_request_for_completions_is_no_crash() {
    let output = command()
        .env("DISKCAP_COMPLETE", "tcsh")
        .args(["--", "diskcap", ""])
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{}", shown("", &output));
    assert!(err.contains("unknown shell"), "{err}");
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let page = stdout("man");
    assert!(
        page.contains(".TH DISKCAP 1") && page.contains("DISKCAP_REGION"),
        "{page}"
    );
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    stdout(&format!("man {}", pages.display()));
    for name in [
        "diskcap",
        "diskcap-plan",
        "diskcap-compare-vms",
        "diskcap-config-show",
        "diskcap-skus-update",
    ] {
        let text = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert!(
            text.contains(&format!(".TH {} 1", name.to_uppercase())),
            "{text}"
        );
        assert!(text.contains(".SH OPTIONS"), "{text}");
    }
    let plan = std::fs::read_to_string(pages.join("diskcap-plan.1")).unwrap();
    assert!(plan.contains(".SH EXAMPLES\n.nf\n"), "{plan}");
    let output = run("man Cargo.toml/x");
    assert_eq!(output.status.code(), Some(2), "{}", shown("", &output));
}

/// Whatever tables a report has, `--table` offers; the rest of the list is of other reports of the command.
#[cfg(unix)]
#[test]
fn tables_are_offered_by_command() {
    assert_eq!(offered("diskcap skus show x --table prop"), ["properties"]);
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
    let spec = "--vm D8s_v5 --disk data=P40:cache=ro --disk log=P20 --cost";
    for (command, words) in [
        ("plan", format!("plan {spec} --paging 1GiB")),
        (
            "simulate",
            format!("simulate {spec} --iops 9000 --for 8h --credit 50%"),
        ),
        (
            "recommend",
            "recommend --capacity 2TiB --iops 9000 --frontier".to_owned(),
        ),
        (
            "bench",
            format!("bench {fixtures}/bench/system.txt {fixtures}/bench/temp.txt"),
        ),
        (
            "bench series",
            format!("bench series {fixtures}/help/iostat.log"),
        ),
        (
            "bench twins",
            format!(
                "bench twins a={fixtures}/help/data_lat.1.log b={fixtures}/help/right_lat.1.log"
            ),
        ),
        (
            "validate",
            format!("validate --from {fixtures}/help/az-vms.json {fixtures}/help/az-disks.json"),
        ),
        (
            "compare disks",
            "compare disks P30 P40 --vm D8s_v5".to_owned(),
        ),
        (
            "compare vms",
            "compare vms D8s_v5 E8s_v5 --disk P30".to_owned(),
        ),
        (
            "compare plans",
            format!("compare plans {fixtures}/help/plan.toml {fixtures}/help/../help/plan.toml"),
        ),
        ("skus list", "skus list".to_owned()),
        ("skus show", "skus show v2".to_owned()),
        ("explain", "explain".to_owned()),
        ("config show", "config show".to_owned()),
    ] {
        let output = run(&format!("{words} --table nosuch"));
        let error = String::from_utf8(output.stderr).unwrap();
        let there = error.split("; there are ").nth(1);
        let there = there.unwrap_or_else(|| panic!("{words}: {error}"));
        let offered = offered(&format!("diskcap {command} --table "));
        for id in there.lines().next().unwrap().split(", ") {
            // What is of one volume is called after it.
            let known = id.starts_with("ways-") || offered.contains(&id.to_owned());
            assert!(known, "{command}: {id} of {offered:?}");
        }
        columns_are_offered(command, &words);
    }
}

/// The columns of the first table of `words`, for those commands that have a list of them.
#[cfg(unix)]
fn columns_are_offered(command: &str, words: &str) {
    let columns = offered(&format!("diskcap {command} --columns "));
    assert_eq!(offered(&format!("diskcap {command} --sort ")), columns);
    let listed = [
        "plan",
        "simulate",
        "recommend",
        "compare disks",
        "compare vms",
        "skus list",
        "explain",
        "config show",
    ];
    assert_eq!(!columns.is_empty(), listed.contains(&command), "{command}");
    if columns.is_empty() {
        return;
    }
    let output = run(&format!("{words} --columns nosuch"));
    let error = String::from_utf8(output.stderr).unwrap();
    let there = error.split("; it has ").nth(1).unwrap().trim_end();
    let there = there.split(" (--table").next().unwrap();
    for id in there.split(", ") {
        assert!(
            columns.contains(&id.to_owned()),
            "{command}: {id} of {columns:?}"
        );
    }
}
