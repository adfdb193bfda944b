//! A shell script of Azure CLI commands: `az vm create`, `az disk create`, `az vm disk attach`.

use std::fmt::Write as _;

use super::{EmitDisk, EmitPlan, OS_DISK, comments, ubuntu};

pub(super) fn write(plan: &EmitPlan) -> String {
    let mut out = format!(
        "#!/bin/sh
{}set -eu
resource_group=${{RESOURCE_GROUP:?the resource group to create in}}
location={}
vm=${{VM_NAME:-vm-disks}}
",
        comments(&plan.remarks, "#"),
        quoted(&plan.region)
    );
    if plan.windows {
        out.push_str("admin_password=${ADMIN_PASSWORD:?the password of the administrator}\n");
    }
    if plan.zonal {
        out.push_str("zone=${ZONE:-1}\n");
    }
    out.push('\n');
    machine(plan, &mut out);
    for disk in &plan.disks {
        managed_disk(plan, disk, &mut out);
    }
    out
}

/// A word of the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn machine(plan: &EmitPlan, out: &mut String) {
    let mut words = vec![
        "az vm create".to_owned(),
        "--resource-group \"$resource_group\"".to_owned(),
        "--name \"$vm\"".to_owned(),
        "--location \"$location\"".to_owned(),
        format!("--size {}", quoted(&plan.size)),
        format!(
            "--image {}",
            if plan.windows {
                "Win2022Datacenter".to_owned()
            } else if plan.arm64 {
                // The short name is that of the image for x64.
                format!("Canonical:ubuntu-24_04-lts:{}:latest", ubuntu(plan))
            } else {
                "Ubuntu2404".to_owned()
            }
        ),
        "--admin-username azureuser".to_owned(),
    ];
    words.push(if plan.windows {
        "--admin-password \"$admin_password\"".to_owned()
    } else {
        "--generate-ssh-keys".to_owned()
    });
    words.push(format!("--storage-sku os={OS_DISK}"));
    words.push("--os-disk-caching ReadWrite".to_owned());
    words.extend(plan.zonal.then(|| "--zone \"$zone\"".to_owned()));
    let controller = plan
        .controller
        .map(|one| format!("--disk-controller-type {}", one.name()));
    words.extend(controller);
    words.extend(plan.ultra.then(|| "--ultra-ssd-enabled true".to_owned()));
    command(&words, out);
}

fn managed_disk(plan: &EmitPlan, disk: &EmitDisk, out: &mut String) {
    let name = format!("--name \"$vm\"-{}", quoted(&disk.name));
    let mut words = vec![
        "az disk create".to_owned(),
        "--resource-group \"$resource_group\"".to_owned(),
        name.clone(),
        "--location \"$location\"".to_owned(),
        format!("--sku {}", disk.sku),
        format!("--size-gb {}", disk.size),
    ];
    words.extend(
        disk.iops
            .map(|iops| format!("--disk-iops-read-write {iops}")),
    );
    words.extend(
        disk.mbps
            .map(|mbps| format!("--disk-mbps-read-write {mbps}")),
    );
    words.extend(disk.tier.as_ref().map(|tier| format!("--tier {tier}")));
    let plus = disk
        .performance_plus
        .then(|| "--performance-plus true".to_owned());
    words.extend(plus);
    words.extend(disk.bursting.then(|| "--enable-bursting true".to_owned()));
    words.extend((disk.shares > 1).then(|| format!("--max-shares {}", disk.shares)));
    let in_zone = plan.zonal && !disk.zone_redundant();
    words.extend(in_zone.then(|| "--zone \"$zone\"".to_owned()));
    command(&words, out);
    command(
        &[
            "az vm disk attach".to_owned(),
            "--resource-group \"$resource_group\"".to_owned(),
            "--vm-name \"$vm\"".to_owned(),
            name,
            format!("--lun {}", disk.lun),
            format!("--caching {}", disk.caching),
        ],
        out,
    );
}

fn command(words: &[String], out: &mut String) {
    let _ = writeln!(out, "{}\n", words.join(" \\\n  "));
}
