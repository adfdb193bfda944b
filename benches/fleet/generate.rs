//! An estate of any size, as `az vm list` and `az disk list` save it: nothing about it is random, so that what is wrong
//! with it can be counted by hand.
//!
//! VM number n is of kind n modulo the number of kinds; a kind says the size (one of [`SIZES`], in turn), the OS disk and
//! three data disks. No two kinds are the same. Every [`STOPPED`]th VM is stopped without being deallocated. Behind the disks of the VMs come those that no VM
//! has, one for every [`UNATTACHED`] VMs.

#![allow(dead_code, reason = "each program uses its own part")]

use std::io::{self, Write};

/// The sizes, in turn.
pub const SIZES: [&str; 10] = [
    "Standard_D4s_v5",
    "Standard_D8s_v5",
    "Standard_D16s_v5",
    "Standard_E8s_v5",
    "Standard_E16s_v5",
    "Standard_D8s_v3",
    "Standard_D4as_v5",
    "Standard_E4s_v4",
    "Standard_D32s_v5",
    "Standard_F8s_v2",
];

/// Every so many VMs one is stopped and not deallocated.
pub const STOPPED: usize = 25;

/// For every so many VMs there is a disk that none has.
pub const UNATTACHED: usize = 50;

/// Data disks of every VM; the OS disk comes before them.
pub const DATA_DISKS: usize = 3;

const SUBSCRIPTION: &str = "/subscriptions/00000000-0000-0000-0000-00000000f1ee/resourceGroups";
const REGIONS: [&str; 3] = ["westeurope", "northeurope", "eastus"];

/// A disk as its VM attaches it, and as it is.
struct Disk {
    sku: &'static str,
    gib: usize,
    iops: usize,
    mbps: usize,
    tier: &'static str,
    caching: &'static str,
}

const fn disk(
    sku: &'static str,
    gib: usize,
    iops: usize,
    mbps: usize,
    tier: &'static str,
    caching: &'static str,
) -> Disk {
    Disk {
        sku,
        gib,
        iops,
        mbps,
        tier,
        caching,
    }
}

const OS: [Disk; 2] = [
    disk("Premium_LRS", 128, 500, 100, "P10", "ReadWrite"),
    disk("StandardSSD_LRS", 128, 500, 100, "E10", "ReadWrite"),
];

const DATA: [Disk; 6] = [
    disk("Premium_LRS", 1024, 5000, 200, "P30", "ReadOnly"),
    disk("Premium_LRS", 512, 2300, 150, "P20", "None"),
    disk("Premium_LRS", 256, 1100, 125, "P15", "ReadOnly"),
    disk("StandardSSD_LRS", 1024, 500, 100, "E30", "None"),
    disk("Premium_LRS", 2048, 7500, 250, "P40", "None"),
    disk("PremiumV2_LRS", 512, 3000, 125, "", "None"),
];

/// How many kinds of VM there are without asking for IOPS of its own for a disk.
const PLAIN_KINDS: usize = SIZES.len() * OS.len() * 216;

/// The size of VM `n`.
pub fn size(n: usize, kinds: usize) -> &'static str {
    SIZES[n % kinds % SIZES.len()]
}

/// The disks of VM `n`, where there are so many kinds of VM.
fn disks(n: usize, kinds: usize) -> Vec<Disk> {
    let kind = n % kinds;
    let mut rest = kind / SIZES.len();
    let mut all = vec![pick(&OS, rest)];
    rest /= OS.len();
    // Each data disk counts on when the one before it has been through all kinds.
    for _ in 0..DATA_DISKS {
        all.push(pick(&DATA, rest));
        rest /= DATA.len();
    }
    if kind >= PLAIN_KINDS {
        all[DATA_DISKS] = Disk {
            iops: 3000 + kind / (PLAIN_KINDS / DATA.len()),
            ..pick(&DATA, DATA.len() - 1)
        };
    }
    all
}

/// What all disks of VM `n` are provisioned for together, IOPS.
pub fn provisioned_iops(n: usize, kinds: usize) -> usize {
    disks(n, kinds).iter().map(|disk| disk.iops).sum()
}

/// What all disks of VM `n` reach together while they have burst credit, IOPS: the figures that Microsoft's page of
/// disk scalability targets prints for the tiers.
pub fn burst_iops(n: usize, kinds: usize) -> usize {
    let burst = |disk: &Disk| match disk.tier {
        "P10" | "P15" | "P20" => 3500,
        "E10" => 600,
        "E30" => 1000,
        _ => disk.iops,
    };
    disks(n, kinds).iter().map(burst).sum()
}

const fn pick<const N: usize>(from: &[Disk; N], index: usize) -> Disk {
    let of = &from[index % N];
    disk(of.sku, of.gib, of.iops, of.mbps, of.tier, of.caching)
}

/// The group of VM `n`: forty VMs each.
fn group(n: usize) -> String {
    format!("rg-{:04}", n / 40)
}

fn disk_id(n: usize, k: usize) -> String {
    let group = group(n);
    format!("{SUBSCRIPTION}/{group}/providers/Microsoft.Compute/disks/vm{n:06}-disk{k}")
}

fn vm_id(n: usize) -> String {
    let group = group(n);
    format!("{SUBSCRIPTION}/{group}/providers/Microsoft.Compute/virtualMachines/vm{n:06}")
}

/// Writes `az vm list -d` of `vms` VMs.
pub fn write_vms(out: &mut impl Write, vms: usize, kinds: usize) -> io::Result<()> {
    for n in 0..vms {
        out.write_all(if n == 0 { b"[\n" } else { b",\n" })?;
        let power = if n % STOPPED == 0 {
            "VM stopped"
        } else {
            "VM running"
        };
        let (size, region) = (size(n, kinds), REGIONS[n / 40 % REGIONS.len()]);
        write!(
            out,
            r#"  {{"id": "{}", "name": "vm{n:06}", "resourceGroup": "{}", "location": "{region}", "type": "Microsoft.Compute/virtualMachines", "zones": null, "tags": {{"owner": "team {}", "stage": "production"}}, "powerState": "{power}", "provisioningState": "Succeeded", "vmId": "00000000-0000-0000-0000-{n:012}", "timeCreated": "2026-03-01T08:00:00.0000000+00:00", "hardwareProfile": {{"vmSize": "{size}", "vmSizeProperties": null}}, "#,
            vm_id(n),
            group(n),
            n % 17,
        )?;
        write!(
            out,
            r#""networkProfile": {{"networkInterfaces": [{{"id": "{SUBSCRIPTION}/{}/providers/Microsoft.Network/networkInterfaces/vm{n:06}-nic", "primary": null, "resourceGroup": "{}"}}]}}, "osProfile": {{"adminUsername": "azureuser", "computerName": "vm{n:06}", "linuxConfiguration": {{"disablePasswordAuthentication": true, "provisionVMAgent": true}}}}, "storageProfile": {{"diskControllerType": "SCSI", "imageReference": {{"offer": "server", "publisher": "example", "sku": "lts", "version": "latest"}}, "#,
            group(n),
            group(n),
        )?;
        for (k, disk) in disks(n, kinds).iter().enumerate() {
            match k {
                0 => out.write_all(b"\"osDisk\": {\"osType\": \"Linux\", ")?,
                1 => write!(out, ", \"dataDisks\": [{{\"lun\": 0, ")?,
                _ => write!(out, ", {{\"lun\": {}, ", k - 1)?,
            }
            write!(
                out,
                r#""name": "vm{n:06}-disk{k}", "caching": "{}", "createOption": "Attach", "deleteOption": "Detach", "diskSizeGB": {}, "managedDisk": {{"id": "{}", "storageAccountType": "{}", "diskEncryptionSet": null}}, "writeAcceleratorEnabled": null}}"#,
                disk.caching,
                disk.gib,
                disk_id(n, k),
                disk.sku,
            )?;
        }
        out.write_all(b"]}}")?;
    }
    out.write_all(if vms == 0 { b"[]\n" } else { b"\n]\n" })
}

/// Writes `az disk list` of the disks of `vms` VMs and of those that none has.
pub fn write_disks(out: &mut impl Write, vms: usize, kinds: usize) -> io::Result<()> {
    let mut first = true;
    for n in 0..vms {
        for (k, disk) in disks(n, kinds).iter().enumerate() {
            out.write_all(if first { b"[\n" } else { b",\n" })?;
            first = false;
            write_disk(out, &disk_id(n, k), n, disk, Some(&vm_id(n)))?;
        }
    }
    for n in (0..vms).step_by(UNATTACHED) {
        out.write_all(b",\n")?;
        let id = format!("{}-left", disk_id(n, 9));
        write_disk(out, &id, n, &pick(&DATA, 0), None)?;
    }
    out.write_all(if first { b"[]\n" } else { b"\n]\n" })
}

fn write_disk(
    out: &mut impl Write,
    id: &str,
    n: usize,
    disk: &Disk,
    owner: Option<&str>,
) -> io::Result<()> {
    let name = id.rsplit('/').next().unwrap_or_default();
    let state = if owner.is_some() {
        "Attached"
    } else {
        "Unattached"
    };
    let region = REGIONS[n / 40 % REGIONS.len()];
    write!(
        out,
        r#"  {{"id": "{id}", "name": "{name}", "resourceGroup": "{}", "location": "{region}", "type": "Microsoft.Compute/disks", "zones": null, "sku": {{"name": "{}"}}, "diskSizeGB": {}, "diskSizeBytes": {}, "diskIOPSReadWrite": {}, "diskMBpsReadWrite": {}, "#,
        group(n),
        disk.sku,
        disk.gib,
        disk.gib << 30,
        disk.iops,
        disk.mbps,
    )?;
    if !disk.tier.is_empty() {
        write!(out, r#""tier": "{}", "#, disk.tier)?;
    }
    if let Some(owner) = owner {
        write!(out, r#""managedBy": "{owner}", "#)?;
    }
    write!(
        out,
        r#""creationData": {{"createOption": "Empty", "logicalSectorSize": null}}, "diskState": "{state}", "encryption": {{"type": "EncryptionAtRestWithPlatformKey"}}, "networkAccessPolicy": "AllowAll", "provisioningState": "Succeeded", "tags": {{}}, "timeCreated": "2026-03-01T08:00:00.0000000+00:00", "uniqueId": "00000000-0000-0000-0000-{n:012}"}}"#,
    )
}
