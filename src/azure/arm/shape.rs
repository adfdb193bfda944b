//! The objects of Azure Resource Manager as they lie on the wire, with the fields that matter here.
//!
//! Every struct stands for one object and all its spellings: field names are matched in lower case and without
//! underscores, because the REST API writes `diskSizeGB`, the Azure CLI `diskSizeGb` and PowerShell `DiskSizeGB`.
//! Nothing is interpreted in this file; [`crate::azure::facts`] does that.

use serde::de::MapAccess;

use super::list::{Leaves, List};
use super::loose::{Loose, Node, Scalar, Shape, set};

/// Defines structs of the outside world: each field with the (folded) name that it has there.
macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $key:literal => $field:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $ty,)*
        }

        impl Shape for $name {
            fn take<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
                match key {
                    $($key => set(&mut self.$field, map),)*
                    _ => Ok(false),
                }
            }
        }

        impl $name {
            /// Takes from `other` what is absent here.
            pub fn fill_from(&mut self, other: &mut Self) {
                $(if self.$field.is_absent() {
                    self.$field = std::mem::take(&mut other.$field);
                })*
            }

            /// Forgets everything.
            pub fn clear(&mut self) {
                $(if !self.$field.is_absent() {
                    self.$field = Default::default();
                })*
            }
        }
    )*};
}

/// An object of which only the presence matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ignored;

impl Shape for Ignored {
    fn take<'de, A: MapAccess<'de>>(&mut self, _: &str, _: &mut A) -> Result<bool, A::Error> {
        Ok(false)
    }
}

impl Resource {
    /// Lays its `properties` flat, and what a finished operation put out.
    pub fn flatten(&mut self) {
        for inner in [&mut self.properties, &mut self.output].map(std::mem::take) {
            if let Node::Known(mut inner) = inner {
                inner.flatten();
                self.fill_from(&mut inner);
            }
        }
    }
}

shapes! {
    /// Any resource: a virtual machine, a scale-set instance, a managed disk, a resource SKU or something else.
    /// [`Resource::flatten`] lays the `properties` object of the REST API flat, as the command-line tools do.
    Resource {
        /// Where the REST API and Resource Graph keep most fields.
        "properties" => properties: Node<Resource>,
        /// Long-running operation: the resource that came of it.
        "output" => output: Node<Resource>,
        /// Resource id.
        "id" => id: Scalar,
        /// Resource name (of a metric: an object, which counts as nested).
        "name" => name: Scalar,
        /// Resource type, such as `Microsoft.Compute/disks`, in any case.
        "type" => kind: Scalar,
        /// Region.
        "location" => location: Scalar,
        /// Resource group, where the tool adds it.
        "resourcegroup" => resource_group: Scalar,
        /// Resource group, as PowerShell names it.
        "resourcegroupname" => resource_group_name: Scalar,
        /// Resource id, as the instance metadata service names it.
        "resourceid" => resource_id: Scalar,
        /// Availability zones.
        "zones" => zones: Leaves,
        /// Availability zone, as the instance metadata service names it.
        "zone" => zone: Leaves,
        /// The SKU of a disk, or the size of a scale-set instance.
        "sku" => sku: Node<SkuName>,
        /// The name of the SKU, where a query took it out of its object.
        "skuname" => sku_name: Scalar,
        /// When it was created.
        "timecreated" => time_created: Scalar,
        /// What ARM last did with it.
        "provisioningstate" => provisioning_state: Scalar,

        /// VM: its size.
        "hardwareprofile" => hardware: Node<HardwareProfile>,
        /// VM: its disks.
        "storageprofile" => storage: Node<StorageProfile>,
        /// VM: its size, where it stands beside the profiles (instance metadata, queries).
        "vmsize" => vm_size: Scalar,
        /// VM: its OS disk, where a query took it out of the storage profile.
        "osdisk" => os_disk: Node<AttachedDisk>,
        /// VM: its data disks, where a query took them out of the storage profile.
        "datadisks" => data_disks: List<AttachedDisk>,
        /// VM: switches such as Ultra Disk support.
        "additionalcapabilities" => capabilities_on: Node<AdditionalCapabilities>,
        /// VM: what it is doing.
        "instanceview" => instance_view: Node<InstanceView>,
        /// VM: where Resource Graph keeps the instance view.
        "extended" => extended: Node<Extended>,
        /// VM: power state as the command-line tools add it (`VM running`).
        "powerstate" => power_state: Scalar,
        /// VM: whose licences it uses (`Windows_Server`: brought along).
        "licensetype" => license_type: Scalar,
        /// VM: `Regular`, `Spot` or `Low`.
        "priority" => priority: Scalar,
        /// VM: statuses laid flat by PowerShell's `-Status`, and of an instance view that stands alone.
        "statuses" => statuses: List<Status>,
        /// Scale-set instance: its number or name in the set.
        "instanceid" => instance_id: Scalar,
        /// VM: the scale set that it belongs to.
        "virtualmachinescaleset" => scale_set: Node<Reference>,
        /// Scale set: the model of its instances.
        "virtualmachineprofile" => vm_profile: Node<Ignored>,
        /// Scale set: `Uniform` or `Flexible`.
        "orchestrationmode" => orchestration_mode: Scalar,
        /// Instance view that stands alone: the guest's name.
        "computername" => computer_name: Scalar,
        /// Instance view that stands alone: the guest agent.
        "vmagent" => vm_agent: Node<Ignored>,

        /// Disk: the VM that it is attached to.
        "managedby" => managed_by: Scalar,
        /// Disk: the VM that it is attached to, in the first version of the API.
        "ownerid" => owner_id: Scalar,
        /// Disk: its SKU, in the first version of the API.
        "accounttype" => account_type: Scalar,
        /// Disk of a VM, cut out of it: its number.
        "lun" => lun: Scalar,
        /// Disk of a VM, cut out of it: host caching.
        "caching" => caching: Scalar,
        /// Disk of a VM, cut out of it: the managed disk behind it.
        "manageddisk" => managed: Node<ManagedDisk>,
        /// Disk of a VM, cut out of it: the blob behind it.
        "vhd" => vhd: Node<Vhd>,
        /// Disk: all VMs that a shared disk is attached to.
        "managedbyextended" => managed_by_extended: Leaves,
        /// Disk: how it was made.
        "creationdata" => creation: Node<CreationData>,
        /// Disk: size in GiB (the API says GB).
        "disksizegb" => disk_size_gb: Scalar,
        /// Disk: size in bytes.
        "disksizebytes" => disk_size_bytes: Scalar,
        /// Disk: provisioned IOPS.
        "diskiopsreadwrite" => disk_iops: Scalar,
        /// Disk: provisioned throughput, MB/s.
        "diskmbpsreadwrite" => disk_mbps: Scalar,
        /// Disk: IOPS of read-only mounts of a shared disk.
        "diskiopsreadonly" => disk_iops_read_only: Scalar,
        /// Disk: throughput of read-only mounts of a shared disk, MB/s.
        "diskmbpsreadonly" => disk_mbps_read_only: Scalar,
        /// Disk: attached or not. (SKU lists have no such field.)
        "diskstate" => disk_state: Scalar,
        /// Disk: performance tier (`P30`). SKU: `Standard` or `Premium`.
        "tier" => tier: Scalar,
        /// Disk: on-demand bursting.
        "burstingenabled" => bursting_enabled: Scalar,
        /// Disk: since when.
        "burstingenabledtime" => bursting_enabled_time: Scalar,
        /// Disk: how many VMs may attach it.
        "maxshares" => max_shares: Scalar,
        /// Disk: who shares it.
        "shareinfo" => share_info: List<Share>,
        /// Disk: operating system on it.
        "ostype" => os_type: Scalar,
        /// Disk: `V1` or `V2`, on OS disks.
        "hypervgeneration" => hyper_v_generation: Scalar,
        /// Disk: what the image on it can do.
        "supportedcapabilities" => supported: Node<SupportedCapabilities>,
        /// Disk: when it was last attached or detached.
        "lastownershipupdatetime" => last_ownership_update: Scalar,
        /// Disk: a change of tier that is under way.
        "propertyupdatesinprogress" => updates_in_progress: Node<UpdatesInProgress>,

        /// SKU: what it is a SKU of (`virtualMachines`, `disks`). `Get-AzResource`: the resource type.
        "resourcetype" => resource_type: Scalar,
        /// SKU: short name (`D8s_v3`, `P30`).
        "size" => size: Scalar,
        /// SKU: family (`standardDSv3Family`).
        "family" => family: Scalar,
        /// SKU: regions.
        "locations" => locations: Leaves,
        /// SKU: zones by region.
        "locationinfo" => location_info: List<LocationInfo>,
        /// SKU: name and value pairs.
        "capabilities" => capabilities: List<Capability>,
        /// SKU: where this subscription cannot have it.
        "restrictions" => restrictions: List<Restriction>,

        /// Entry of a list of sizes without their limits.
        "maxdatadiskcount" => most_data_disks: Scalar,

        /// Metric: its unit.
        "unit" => unit: Scalar,
        /// Metric: its values.
        "timeseries" => timeseries: List<Ignored>,

        /// Error answer.
        "error" => error: Node<ErrorBody>,
        /// Error answer without an envelope: the code.
        "code" => code: Scalar,
        /// Error answer without an envelope: the message.
        "message" => message: Scalar,
    }

    /// `sku` of a disk or a scale-set instance.
    SkuName {
        /// `Premium_LRS`, or the VM size.
        "name" => name: Scalar,
    }

    /// A reference to another resource.
    Reference {
        /// Its id.
        "id" => id: Scalar,
    }

    /// `hardwareProfile` of a VM.
    HardwareProfile {
        /// The size.
        "vmsize" => vm_size: Scalar,
        /// Customised vCPUs.
        "vmsizeproperties" => size_properties: Node<SizeProperties>,
    }

    /// `vmSizeProperties`: vCPUs set apart from the size's own.
    SizeProperties {
        /// vCPUs that the guest sees.
        "vcpusavailable" => vcpus_available: Scalar,
    }

    /// `additionalCapabilities` of a VM.
    AdditionalCapabilities {
        /// Whether Ultra and Premium SSD v2 disks may be attached.
        "ultrassdenabled" => ultra_ssd_enabled: Scalar,
    }

    /// `storageProfile` of a VM.
    StorageProfile {
        /// The OS disk.
        "osdisk" => os_disk: Node<AttachedDisk>,
        /// The data disks.
        "datadisks" => data_disks: List<AttachedDisk>,
        /// `SCSI` or `NVMe`.
        "diskcontrollertype" => controller: Scalar,
    }

    /// An OS or data disk in a VM's storage profile.
    AttachedDisk {
        /// Logical unit number.
        "lun" => lun: Scalar,
        /// Disk name.
        "name" => name: Scalar,
        /// Host caching: `None`, `ReadOnly`, `ReadWrite` (0, 1, 2 where PowerShell wrote the enumeration).
        "caching" => caching: Scalar,
        /// Write Accelerator.
        "writeacceleratorenabled" => write_accelerator: Scalar,
        /// Size in GiB.
        "disksizegb" => disk_size_gb: Scalar,
        /// The managed disk behind it.
        "manageddisk" => managed: Node<ManagedDisk>,
        /// The blob behind it, for an unmanaged disk.
        "vhd" => vhd: Node<Vhd>,
        /// Ephemeral OS disk.
        "diffdisksettings" => ephemeral: Node<DiffDiskSettings>,
        /// Operating system, on the OS disk.
        "ostype" => os_type: Scalar,
        /// IOPS, where the API repeats them (scale-set instances).
        "diskiopsreadwrite" => disk_iops: Scalar,
        /// MB/s, where the API repeats them.
        "diskmbpsreadwrite" => disk_mbps: Scalar,
    }

    /// `managedDisk` of an attached disk.
    ManagedDisk {
        /// The disk's id.
        "id" => id: Scalar,
        /// The disk's SKU.
        "storageaccounttype" => storage_account_type: Scalar,
    }

    /// `vhd` of an unmanaged disk.
    Vhd {
        /// The blob.
        "uri" => uri: Scalar,
    }

    /// `diffDiskSettings` of an ephemeral OS disk.
    DiffDiskSettings {
        /// `Local`.
        "option" => option: Scalar,
        /// `CacheDisk`, `ResourceDisk`, `NvmeDisk`.
        "placement" => placement: Scalar,
    }

    /// `instanceView` of a VM.
    InstanceView {
        /// Provisioning and power states.
        "statuses" => statuses: List<Status>,
        /// Power state, as Resource Graph lays it out.
        "powerstate" => power_state: Node<Status>,
    }

    /// `properties.extended` of a VM in Resource Graph.
    Extended {
        /// The instance view.
        "instanceview" => instance_view: Node<InstanceView>,
    }

    /// One status of an instance view.
    Status {
        /// `PowerState/running`.
        "code" => code: Scalar,
    }

    /// `creationData` of a disk.
    CreationData {
        /// `Empty`, `FromImage`, `Copy`, …
        "createoption" => create_option: Scalar,
        /// Performance plus.
        "performanceplus" => performance_plus: Scalar,
        /// 512 or 4096 bytes (Ultra, Premium SSD v2).
        "logicalsectorsize" => logical_sector_size: Scalar,
    }

    /// One entry of `shareInfo`.
    Share {
        /// The VM.
        "vmuri" => vm_uri: Scalar,
    }

    /// `supportedCapabilities` of a disk.
    SupportedCapabilities {
        /// `SCSI`, or `SCSI, NVMe`.
        "diskcontrollertypes" => controllers: Scalar,
    }

    /// `propertyUpdatesInProgress` of a disk.
    UpdatesInProgress {
        /// The tier that it is changing to.
        "targettier" => target_tier: Scalar,
    }

    /// One entry of `locationInfo`.
    LocationInfo {
        /// The region.
        "location" => location: Scalar,
        /// The zones that have the SKU.
        "zones" => zones: Leaves,
        /// What only some zones can do.
        "zonedetails" => zone_details: List<ZoneDetails>,
    }

    /// One entry of `zoneDetails`.
    ZoneDetails {
        /// The zones.
        "name" => names: Leaves,
        /// What they can do.
        "capabilities" => capabilities: List<Capability>,
    }

    /// One capability of a SKU; values are texts whatever they mean.
    Capability {
        /// `UncachedDiskIOPS`.
        "name" => name: Scalar,
        /// `12800`.
        "value" => value: Scalar,
    }

    /// One entry of `restrictions`.
    Restriction {
        /// `Location` or `Zone`.
        "type" => kind: Scalar,
        /// The regions or zones meant.
        "values" => values: Leaves,
        /// Zones and regions, spelt out.
        "restrictioninfo" => info: Node<RestrictionInfo>,
        /// `NotAvailableForSubscription`, `QuotaId`.
        "reasoncode" => reason: Scalar,
    }

    /// `restrictionInfo`.
    RestrictionInfo {
        /// The regions.
        "locations" => locations: Leaves,
        /// The zones.
        "zones" => zones: Leaves,
    }

    /// `error` of an answer.
    ErrorBody {
        /// `AuthorizationFailed`.
        "code" => code: Scalar,
        /// What happened.
        "message" => message: Scalar,
        /// What lies below, mostly with the true cause.
        "details" => details: List<ErrorDetail>,
    }

    /// One entry of `details`.
    ErrorDetail {
        /// The code.
        "code" => code: Scalar,
        /// The message.
        "message" => message: Scalar,
    }
}
