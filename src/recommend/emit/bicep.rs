//! Bicep: `Microsoft.Compute/disks` and a `Microsoft.Compute/virtualMachines` that attaches them.

use std::fmt::Write as _;

use super::{EmitDisk, EmitPlan, OS_DISK, comments, ubuntu};

/// The API version that is written: it has performance plus and disk controllers.
const API: &str = "2024-07-01";
/// The API version of disks.
const DISK_API: &str = "2024-03-02";

/// What follows the data disks.
const LINUX: &str = "      ]
    }
    osProfile: {
      computerName: vmName
      adminUsername: adminUsername
      linuxConfiguration: {
        disablePasswordAuthentication: true
        ssh: {
          publicKeys: [
            {
              path: '/home/${adminUsername}/.ssh/authorized_keys'
              keyData: adminSshKey
            }
          ]
        }
      }
    }
";
/// The same for Windows.
const WINDOWS: &str = "      ]
    }
    osProfile: {
      computerName: vmName
      adminUsername: adminUsername
      adminPassword: adminPassword
      windowsConfiguration: {
        provisionVMAgent: true
      }
    }
";
const NETWORK: &str = "    networkProfile: {
      networkInterfaces: [
        {
          id: networkInterfaceId
        }
      ]
    }
  }
}
";

pub(super) fn write(plan: &EmitPlan) -> String {
    let mut out = comments(&plan.remarks, "//");
    let _ = write!(
        out,
        "param location string = {}
param vmName string = 'vm-disks'
param networkInterfaceId string
param adminUsername string = 'azureuser'
",
        quoted(&plan.region)
    );
    out.push_str(if plan.windows {
        "@secure()\nparam adminPassword string\n"
    } else {
        "param adminSshKey string\n"
    });
    if plan.zonal {
        out.push_str("param zone string = '1'\n");
    }
    for disk in &plan.disks {
        managed_disk(plan, disk, &mut out);
    }
    machine(plan, &mut out);
    out
}

/// A string of Bicep.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('\'', "\\'");
    format!("'{}'", escaped.replace("${", "\\${"))
}

fn managed_disk(plan: &EmitPlan, disk: &EmitDisk, out: &mut String) {
    let symbol = &disk.symbol;
    let _ = write!(
        out,
        "
resource {symbol} 'Microsoft.Compute/disks@{DISK_API}' = {{
  name: '${{vmName}}-{}'
  location: location
",
        disk.name
    );
    if plan.zonal && !disk.zone_redundant() {
        out.push_str("  zones: [zone]\n");
    }
    let _ = write!(
        out,
        "  sku: {{
    name: {}
  }}
  properties: {{
    diskSizeGB: {}
",
        quoted(disk.sku),
        disk.size
    );
    let mut keys: Vec<(&str, String)> = Vec::new();
    keys.extend(disk.iops.map(|v| ("diskIOPSReadWrite", v.to_string())));
    keys.extend(disk.mbps.map(|v| ("diskMBpsReadWrite", v.to_string())));
    keys.extend(disk.tier.as_ref().map(|tier| ("tier", quoted(tier))));
    keys.extend(
        disk.bursting
            .then(|| ("burstingEnabled", "true".to_owned())),
    );
    keys.extend((disk.shares > 1).then(|| ("maxShares", disk.shares.to_string())));
    for (key, value) in keys {
        let _ = writeln!(out, "    {key}: {value}");
    }
    out.push_str("    creationData: {\n      createOption: 'Empty'\n");
    if disk.performance_plus {
        out.push_str("      performancePlus: true\n");
    }
    out.push_str("    }\n  }\n}\n");
}

fn machine(plan: &EmitPlan, out: &mut String) {
    let _ = write!(
        out,
        "
resource vm 'Microsoft.Compute/virtualMachines@{API}' = {{
  name: vmName
  location: location
"
    );
    if plan.zonal {
        out.push_str("  zones: [zone]\n");
    }
    out.push_str("  properties: {\n");
    if plan.ultra {
        out.push_str("    additionalCapabilities: {\n      ultraSSDEnabled: true\n    }\n");
    }
    let _ = write!(
        out,
        "    hardwareProfile: {{
      vmSize: {}
    }}
    storageProfile: {{
",
        quoted(&plan.size)
    );
    if let Some(controller) = plan.controller {
        let _ = writeln!(
            out,
            "      diskControllerType: {}",
            quoted(controller.name())
        );
    }
    let [publisher, offer, sku] = if plan.windows {
        [
            "MicrosoftWindowsServer",
            "WindowsServer",
            "2022-datacenter-g2",
        ]
    } else {
        ["Canonical", "ubuntu-24_04-lts", ubuntu(plan)]
    };
    let _ = write!(
        out,
        "      imageReference: {{
        publisher: '{publisher}'
        offer: '{offer}'
        sku: '{sku}'
        version: 'latest'
      }}
"
    );
    let _ = write!(
        out,
        "      osDisk: {{
        createOption: 'FromImage'
        caching: 'ReadWrite'
        managedDisk: {{
          storageAccountType: '{OS_DISK}'
        }}
      }}
      dataDisks: [
"
    );
    for disk in &plan.disks {
        let _ = write!(
            out,
            "        {{
          lun: {}
          createOption: 'Attach'
          caching: {}
          managedDisk: {{
            id: {}.id
          }}
        }}
",
            disk.lun,
            quoted(disk.caching),
            disk.symbol
        );
    }
    out.push_str(if plan.windows { WINDOWS } else { LINUX });
    out.push_str(NETWORK);
}
