//! Layouts as code: Terraform is read back with an HCL parser, Bicep and the az script are checked by their shape.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use diskcap::catalog::Catalog;
use diskcap::deployment::{Deployment, DiskSpec};
use diskcap::recommend::emit::{About, Language, emit};

/// Five disks: a cached stripe of two with performance plus, a raised tier, a v2 and an Ultra.
fn written(language: Language) -> String {
    written_about(language, &About::default())
}

fn written_about(language: Language, about: &About) -> String {
    let catalog = Catalog::embedded();
    let vm = catalog
        .vm("Standard_E8bds_v5", Some(diskcap::catalog::Interface::Nvme))
        .unwrap();
    let disks = [
        "data=2xP30:cache=ro,perfplus",
        "mid=P20:tier=P30",
        "1log.x=v2:size=100,iops=4000,mbps=150",
        "hot=ultra:size=64,iops=9000,mbps=300",
    ];
    let volumes = disks.iter().map(|d| d.parse::<DiskSpec>().unwrap().into());
    let mut deployment = Deployment::new(catalog, Some(vm), volumes.collect()).unwrap();
    deployment.region = Some("westeurope".to_owned());
    emit(&deployment, language, about).unwrap()
}

fn attribute<'a>(block: &'a hcl::Block, key: &str) -> Option<&'a hcl::Expression> {
    let mut found = block.body().attributes().filter(|a| a.key() == key);
    found.next().map(hcl::Attribute::expr)
}

#[track_caller]
fn text(block: &hcl::Block, key: &str) -> String {
    match attribute(block, key).unwrap() {
        hcl::Expression::String(text) => text.clone(),
        other => hcl::format::to_string(other).unwrap(),
    }
}

fn resources<'a>(body: &'a hcl::Body, kind: &str) -> Vec<&'a hcl::Block> {
    let named = |b: &&hcl::Block| b.labels().first().is_some_and(|l| l.as_str() == kind);
    body.blocks()
        .filter(|b| b.identifier() == "resource")
        .filter(named)
        .collect()
}

#[test]
fn terraform_parses_and_holds_every_setting() {
    let body: hcl::Body = hcl::parse(&written(Language::Terraform)).unwrap();
    let vm = resources(&body, "azurerm_linux_virtual_machine")[0];
    assert_eq!(text(vm, "size"), "Standard_E8bds_v5");
    assert_eq!(text(vm, "disk_controller_type"), "NVMe");
    assert_eq!(text(vm, "zone"), "var.zone");
    let extra = vm
        .body()
        .blocks()
        .find(|b| b.identifier() == "additional_capabilities");
    assert_eq!(text(extra.unwrap(), "ultra_ssd_enabled"), "true");

    let disks = resources(&body, "azurerm_managed_disk");
    let names: Vec<&str> = disks.iter().map(|d| d.labels()[1].as_str()).collect();
    assert_eq!(names, ["data_1", "data_2", "mid", "disk_1log_x", "hot"]);
    assert_eq!(text(disks[0], "storage_account_type"), "Premium_LRS");
    assert_eq!(text(disks[0], "disk_size_gb"), "1024");
    assert_eq!(text(disks[0], "performance_plus_enabled"), "true");
    assert_eq!(text(disks[2], "tier"), "P30");
    assert_eq!(attribute(disks[2], "disk_iops_read_write"), None);
    assert_eq!(text(disks[3], "storage_account_type"), "PremiumV2_LRS");
    assert_eq!(text(disks[3], "disk_iops_read_write"), "4000");
    assert_eq!(text(disks[3], "disk_mbps_read_write"), "150");
    assert_eq!(text(disks[4], "storage_account_type"), "UltraSSD_LRS");

    let attachments = resources(&body, "azurerm_virtual_machine_data_disk_attachment");
    let lun = |a: &&hcl::Block| (text(a, "lun"), text(a, "caching"));
    let luns: Vec<(String, String)> = attachments.iter().map(lun).collect();
    let expected = ["ReadOnly", "ReadOnly", "None", "None", "None"];
    for (index, (lun, caching)) in luns.iter().enumerate() {
        assert_eq!(
            (lun.as_str(), caching.as_str()),
            (index.to_string().as_str(), expected[index])
        );
    }
    assert_eq!(
        text(attachments[3], "managed_disk_id"),
        "azurerm_managed_disk.disk_1log_x.id"
    );

    // Every variable that is used is declared, and the other way round.
    let declared: Vec<&str> = body
        .blocks()
        .filter(|b| b.identifier() == "variable")
        .map(|b| b.labels()[0].as_str())
        .collect();
    let whole = written(Language::Terraform);
    for name in &declared {
        assert!(whole.contains(&format!("var.{name}")), "{name} is not used");
    }
    for part in whole.split("var.").skip(1) {
        let end = part
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap();
        assert!(
            declared.contains(&&part[..end]),
            "{} is not declared",
            &part[..end]
        );
    }
}

/// E8ads_v7 runs with NVMe only, E8bds_v5 with both, D4s_v3 says nothing of controllers.
#[test]
fn a_size_that_runs_with_nvme_only_is_written_with_it() {
    let controller = |series: &str, language: &str| {
        let words = format!("recommend --capacity 64 --series {series} --top 1 --emit {language}");
        let text = cli::stdout(&words);
        text.contains("NVMe")
    };
    for language in ["terraform", "bicep", "az"] {
        assert!(controller("Eadsv7", language), "{language}");
        assert!(!controller("Dsv3", language), "{language}");
    }
    let words = "recommend --capacity 64 --series Eadsv7 --top 1 --emit terraform";
    let body: hcl::Body = hcl::parse(&cli::stdout(words)).unwrap();
    let vm = resources(&body, "azurerm_linux_virtual_machine")[0];
    assert_eq!(text(vm, "disk_controller_type"), "NVMe");
}

/// An image for x64 does not start on Arm64.
#[test]
fn arm64_gets_the_image_of_arm64() {
    for language in ["terraform", "bicep", "az"] {
        let of = |series: &str| {
            let words = "recommend --capacity 64 --top 1 --emit";
            cli::stdout(&format!("{words} {language} --series {series}"))
        };
        assert!(of("Dpsv5").contains("server-arm64"), "{language}");
        assert!(!of("Dsv5").contains("arm64"), "{language}");
    }
}

#[test]
fn every_language_names_the_same_os_disk_and_says_that_its_price_is_not_in_it() {
    let words = "recommend --capacity 64 --series Dsv3 --top 1 --emit";
    for (language, os_disk) in [
        ("terraform", "storage_account_type = \"StandardSSD_LRS\""),
        ("bicep", "storageAccountType: 'StandardSSD_LRS'"),
        ("az", "--storage-sku os=StandardSSD_LRS"),
    ] {
        let text = cli::stdout(&format!("{words} {language}"));
        assert!(text.contains(os_disk), "{text}");
        assert!(text.contains("The price is without the OS disk"), "{text}");
    }
}

#[test]
fn bicep_has_every_setting_and_balanced_braces() {
    let bicep = written(Language::Bicep);
    for (open, close) in [('{', '}'), ('[', ']'), ('(', ')')] {
        assert_eq!(
            bicep.matches(open).count(),
            bicep.matches(close).count(),
            "{open}{close}"
        );
    }
    assert!(
        bicep
            .lines()
            .all(|line| line.matches('\'').count() % 2 == 0),
        "{bicep}"
    );
    assert_eq!(bicep.matches("'Microsoft.Compute/disks@").count(), 5);
    assert_eq!(bicep.matches("createOption: 'Attach'").count(), 5);
    for part in [
        "param location string = 'westeurope'",
        "vmSize: 'Standard_E8bds_v5'",
        "diskControllerType: 'NVMe'",
        "ultraSSDEnabled: true",
        "diskIOPSReadWrite: 4000",
        "diskMBpsReadWrite: 150",
        "performancePlus: true",
        "tier: 'P30'",
        "id: disk_1log_x.id",
        "caching: 'ReadOnly'",
        "lun: 4",
    ] {
        assert!(bicep.contains(part), "{part} is missing in\n{bicep}");
    }
}

#[test]
fn the_az_script_creates_and_attaches_every_disk() {
    let script = written(Language::Az);
    // Commands go over several lines: joined again, each begins with az.
    let joined = script.replace(" \\\n  ", " ");
    let commands: Vec<&str> = joined.lines().filter(|l| l.starts_with("az ")).collect();
    assert_eq!(commands.len(), 11);
    assert!(commands[0].contains("--size 'Standard_E8bds_v5'"));
    assert!(commands[0].contains("--ultra-ssd-enabled true"));
    assert!(commands[0].contains("--disk-controller-type NVMe"));
    assert!(
        commands[1].contains("--performance-plus true") && commands[1].contains("--size-gb 1024")
    );
    assert!(commands[2].contains("--lun 0 --caching ReadOnly"));
    assert!(commands[5].contains("--tier P30"));
    let log = commands[7];
    assert!(log.contains(
        "--sku PremiumV2_LRS --size-gb 100 --disk-iops-read-write 4000 --disk-mbps-read-write 150"
    ));
    assert!(commands[10].contains("--name \"$vm\"-'hot' --lun 4 --caching None"));
}

#[test]
fn the_command_writes_the_best_answer_as_code() {
    let words = "recommend --capacity 1TiB --iops 4000 --series Dsv3 --max-stripe 1 --emit";
    let body: hcl::Body = hcl::parse(&cli::stdout(&format!("{words} terraform"))).unwrap();
    let vm = resources(&body, "azurerm_linux_virtual_machine")[0];
    assert_eq!(text(vm, "size"), "Standard_D4s_v3");
    assert!(cli::stdout(&format!("{words} bicep")).contains("vmSize: 'Standard_D4s_v3'"));
    assert!(cli::stdout(&format!("{words} az")).starts_with("#!/bin/sh\n"));
    let wrong = cli::run(&format!("{words} pulumi"));
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("terraform, bicep or az"));
}

/// Who reads the code knows nothing else: a P10 does 500 IOPS, and more on credit.
#[test]
fn the_whole_need_stands_above_the_code() {
    let words = "recommend --volume wal:size=128,iops=3000,block=8KiB,read=20%,depth=32,latency=2ms --peak 30 \
                 --headroom 10% --family premium --series Dsv5 --max-stripe 1 --emit";
    for (language, mark) in [("terraform", "#"), ("bicep", "//"), ("az", "#")] {
        let text = cli::stdout(&format!("{words} {language}"));
        for line in [
            "Needed: wal: 128 GiB, 3,000 IOPS, blocks of 8 KiB, 20 % reads, queue depth 32, latency below 2 ms; \
             for 30 min from full burst credit, 10 % headroom",
            "When the burst credit is used up, it gives wal 500 of 3,000 IOPS",
        ] {
            assert!(text.contains(&format!("{mark} {line}\n")), "{text}");
        }
    }
    let several = "recommend --volume a:size=64 --volume b:size=64 --series Dsv5 --emit az";
    let text = cli::stdout(several);
    assert!(
        text.contains("# Needed: all at once, sustained\n"),
        "{text}"
    );
}

/// Two P30 have 10,000 IOPS and 400 MB/s.
#[test]
fn windows_is_written_as_windows_and_the_remarks_above() {
    let about = About {
        windows: true,
        lines: vec!["Needed: data: 1 TiB".to_owned()],
    };
    let stripe = "data: stripe these 2 disks in the guest to reach";
    let terraform = written_about(Language::Terraform, &about);
    let body: hcl::Body = hcl::parse(&terraform).unwrap();
    assert_eq!(resources(&body, "azurerm_windows_virtual_machine").len(), 1);
    assert!(
        terraform.starts_with(&format!("# Needed: data: 1 TiB\n# {stripe}")),
        "{terraform}"
    );
    assert!(terraform.contains("  type      = string\n  sensitive = true\n"));
    assert!(terraform.contains("  type    = string\n  default = \"westeurope\"\n"));
    let bicep = written_about(Language::Bicep, &about);
    assert!(bicep.starts_with("// Needed") && bicep.contains("windowsConfiguration: {"));
    assert_eq!(bicep.matches('{').count(), bicep.matches('}').count());
    let az = written_about(Language::Az, &about);
    assert!(az.starts_with("#!/bin/sh\n# Needed") && az.contains("--image Win2022Datacenter"));
    for text in [terraform, bicep, az] {
        let linux = ["ssh", "linux", "Ubuntu", "Canonical"];
        assert!(linux.iter().all(|word| !text.contains(word)), "{text}");
    }
}

#[test]
fn windows_on_arm64_is_refused_and_linux_gets_an_image_of_its_own() {
    let catalog = Catalog::embedded();
    let vm = catalog.vm("Standard_D4ps_v5", None).unwrap();
    let disks = vec!["P10".parse::<DiskSpec>().unwrap().into()];
    let deployment = Deployment::new(catalog, Some(vm), disks).unwrap();
    for language in [Language::Terraform, Language::Bicep, Language::Az] {
        let windows = About {
            windows: true,
            ..About::default()
        };
        let error = emit(&deployment, language, &windows).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Standard_D4ps_v5 has an Arm64 CPU, and there is no image of Windows Server for Arm64: take an x64 size \
             (--arch x64), or emit it for Linux"
        );
        let linux = emit(&deployment, language, &About::default()).unwrap();
        assert!(linux.to_lowercase().contains("arm64"), "{linux}");
    }
}

/// Volumes may be called what the template calls something else.
#[test]
fn symbols_of_bicep_are_unique() {
    let volumes = "--volume vm:size=64 --volume location:size=64 --volume zone:size=64";
    let bicep = cli::stdout(&format!(
        "recommend {volumes} --family v2 --series Dsv5 --emit bicep"
    ));
    let second = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
    let of = |kind: &str| -> Vec<String> {
        let lines = bicep.lines().filter(|line| line.starts_with(kind));
        lines.filter_map(second).collect()
    };
    let all: Vec<String> = of("resource ").into_iter().chain(of("param ")).collect();
    let unique: std::collections::BTreeSet<&String> = all.iter().collect();
    assert_eq!(all.len(), unique.len(), "{all:?}");
    assert_eq!(of("resource "), ["vm_", "location_", "zone_", "vm"]);
}
