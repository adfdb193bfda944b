//! Terraform, provider azurerm: `azurerm_linux_virtual_machine` or `azurerm_windows_virtual_machine`,
//! `azurerm_managed_disk` and `azurerm_virtual_machine_data_disk_attachment`.

use std::fmt::Write as _;

use super::{EmitDisk, EmitPlan, OS_DISK, comments, ubuntu};

pub(super) fn write(plan: &EmitPlan) -> String {
    let mut out = comments(&plan.remarks, "#");
    variables(plan, &mut out);
    machine(plan, &mut out);
    for disk in &plan.disks {
        managed_disk(plan, disk, &mut out);
        attachment(plan, disk, &mut out);
    }
    out
}

/// A string of HCL: quotes, backslashes and template signs are escaped.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace("${", "$${").replace("%{", "%%{"))
}

fn variables(plan: &EmitPlan, out: &mut String) {
    let zone: &[(&str, Option<&str>)] = if plan.zonal {
        &[("zone", Some("1"))]
    } else {
        &[]
    };
    let plain = [
        ("resource_group_name", None),
        ("location", Some(plan.region.as_str())),
        ("vm_name", Some("vm-disks")),
        ("network_interface_id", None),
        ("admin_username", Some("azureuser")),
        (secret(plan), None),
    ];
    for (name, default) in plain.iter().chain(zone) {
        let mut keys = vec![("type", "string".to_owned())];
        keys.extend(default.map(|default| ("default", quoted(default))));
        keys.extend((*name == PASSWORD).then(|| ("sensitive", "true".to_owned())));
        let _ = writeln!(out, "variable {} {{", quoted(name));
        assignments(&keys, out);
        out.push_str("}\n\n");
    }
}

const PASSWORD: &str = "admin_password";

/// The variable that lets the administrator in.
const fn secret(plan: &EmitPlan) -> &'static str {
    if plan.windows {
        PASSWORD
    } else {
        "admin_ssh_key"
    }
}

const fn machine_kind(plan: &EmitPlan) -> &'static str {
    if plan.windows {
        "azurerm_windows_virtual_machine"
    } else {
        "azurerm_linux_virtual_machine"
    }
}

/// The image, and for Linux the key that lets the administrator in.
const LINUX: &str = "
  admin_ssh_key {
    username   = var.admin_username
    public_key = var.admin_ssh_key
  }

  source_image_reference {
    publisher = \"Canonical\"
    offer     = \"ubuntu-24_04-lts\"
    sku       = \"UBUNTU\"
    version   = \"latest\"
  }
}
";
const WINDOWS: &str = "
  source_image_reference {
    publisher = \"MicrosoftWindowsServer\"
    offer     = \"WindowsServer\"
    sku       = \"2022-datacenter-g2\"
    version   = \"latest\"
  }
}
";

fn machine(plan: &EmitPlan, out: &mut String) {
    let _ = write!(
        out,
        "resource \"{}\" \"vm\" {{
  name                  = var.vm_name
  resource_group_name   = var.resource_group_name
  location              = var.location
  size                  = {}
  admin_username        = var.admin_username
  network_interface_ids = [var.network_interface_id]
",
        machine_kind(plan),
        quoted(&plan.size)
    );
    if plan.windows {
        out.push_str("  admin_password        = var.admin_password\n");
    }
    if plan.zonal {
        out.push_str("  zone                  = var.zone\n");
    }
    if let Some(controller) = plan.controller {
        let _ = writeln!(
            out,
            "  disk_controller_type  = {}",
            quoted(controller.name())
        );
    }
    if plan.ultra {
        out.push_str("\n  additional_capabilities {\n    ultra_ssd_enabled = true\n  }\n");
    }
    let _ = write!(
        out,
        "
  os_disk {{
    caching              = \"ReadWrite\"
    storage_account_type = \"{OS_DISK}\"
  }}
"
    );
    if plan.windows {
        out.push_str(WINDOWS);
    } else {
        out.push_str(&LINUX.replace("UBUNTU", ubuntu(plan)));
    }
}

fn managed_disk(plan: &EmitPlan, disk: &EmitDisk, out: &mut String) {
    let mut keys = vec![
        ("name", format!("\"${{var.vm_name}}-{}\"", disk.name)),
        ("resource_group_name", "var.resource_group_name".to_owned()),
        ("location", "var.location".to_owned()),
        ("storage_account_type", quoted(disk.sku)),
        ("create_option", quoted("Empty")),
        ("disk_size_gb", disk.size.to_string()),
    ];
    let number = |key, value: Option<u32>| value.map(|value| (key, value.to_string()));
    keys.extend(number("disk_iops_read_write", disk.iops));
    keys.extend(number("disk_mbps_read_write", disk.mbps));
    keys.extend(disk.tier.as_ref().map(|tier| ("tier", quoted(tier))));
    let flag = |key, on: bool| on.then(|| (key, "true".to_owned()));
    keys.extend(flag("performance_plus_enabled", disk.performance_plus));
    keys.extend(flag("on_demand_bursting_enabled", disk.bursting));
    keys.extend((disk.shares > 1).then(|| ("max_shares", disk.shares.to_string())));
    // A zonal VM attaches disks of its own zone, and zone-redundant ones.
    keys.extend((plan.zonal && !disk.zone_redundant()).then(|| ("zone", "var.zone".to_owned())));
    block("azurerm_managed_disk", &disk.symbol, &keys, out);
}

fn attachment(plan: &EmitPlan, disk: &EmitDisk, out: &mut String) {
    let id = format!("azurerm_managed_disk.{}.id", disk.symbol);
    let keys = [
        ("managed_disk_id", id),
        (
            "virtual_machine_id",
            format!("{}.vm.id", machine_kind(plan)),
        ),
        ("lun", disk.lun.to_string()),
        ("caching", quoted(disk.caching)),
    ];
    block(
        "azurerm_virtual_machine_data_disk_attachment",
        &disk.symbol,
        &keys,
        out,
    );
}

fn block(kind: &str, name: &str, keys: &[(&str, String)], out: &mut String) {
    let _ = writeln!(out, "\nresource \"{kind}\" \"{name}\" {{");
    assignments(keys, out);
    out.push_str("}\n");
}

/// The lines of a block, aligned as `terraform fmt` has them.
fn assignments(keys: &[(&str, String)], out: &mut String) {
    let width = keys.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    for (key, value) in keys {
        let _ = writeln!(out, "  {key:width$} = {value}");
    }
}
