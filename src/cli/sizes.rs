//! Which VM sizes are meant: names and filters.

use clap::Args;

use super::deployment::InterfaceArg;
use super::failure::Failure;
use super::number::whole;
use diskcap::catalog::query::{Bounds, NamePattern, VmFilter};
use diskcap::catalog::{Catalog, Interface, Limits};
use diskcap::units::{GiB, Iops, MBps};

/// VM sizes by name, or by what they are like.
#[derive(Debug, Clone, Default, Args)]
pub struct SizeArgs {
    /// Names with * and ?, such as 'D*s_v5'
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Series, such as Dsv5 or 'E*'; repeat for more
    #[arg(long, value_name = "SERIES")]
    pub series: Vec<String>,
    /// vCPUs: N, MIN.., ..MAX or MIN..MAX
    #[arg(long, value_name = "RANGE")]
    pub vcpus: Option<Bounds<u32>>,
    /// Memory in GiB: N, MIN.., ..MAX or MIN..MAX
    #[arg(long, value_name = "RANGE")]
    pub memory: Option<Bounds<GiB>>,
    /// At least so many uncached IOPS
    #[arg(long, value_name = "IOPS")]
    pub min_uncached_iops: Option<Iops>,
    /// At least so many uncached MB/s
    #[arg(long, value_name = "MB/s")]
    pub min_uncached_mbps: Option<MBps>,
    /// At least so many IOPS for Premium SSD v2 and Ultra
    #[arg(long, value_name = "IOPS")]
    pub min_v2_iops: Option<Iops>,
    /// At least so many MB/s for Premium SSD v2 and Ultra
    #[arg(long, value_name = "MB/s")]
    pub min_v2_mbps: Option<MBps>,
    /// At least so many cached IOPS
    #[arg(long, value_name = "IOPS")]
    pub min_cached_iops: Option<Iops>,
    /// At least so many cached MB/s
    #[arg(long, value_name = "MB/s")]
    pub min_cached_mbps: Option<MBps>,
    /// At least so many data disks
    #[arg(long, value_name = "N", value_parser = whole::<u32>)]
    pub min_data_disks: Option<u32>,
    /// Only sizes that take premium disks
    #[arg(long)]
    pub premium: bool,
    /// Only sizes documented with premium-storage caching
    #[arg(long)]
    pub caching: bool,
    /// Only sizes that offer Ultra disks in a region at least
    #[arg(long)]
    pub ultra: bool,
    /// Only sizes with a SCSI temp disk
    #[arg(long)]
    pub temp: bool,
    /// Only sizes with local NVMe disks
    #[arg(long)]
    pub nvme: bool,
    /// CPU architecture: x64 or Arm64
    #[arg(long, value_name = "ARCH")]
    pub arch: Option<String>,
    /// Only sizes that run with this disk controller
    #[arg(long, value_name = "scsi|nvme")]
    pub interface: Option<InterfaceArg>,
}

impl SizeArgs {
    /// Whether anything but names is asked for.
    pub fn has_conditions(&self, catalog: &Catalog) -> Result<bool, Failure> {
        let unnamed = Self {
            names: Vec::new(),
            ..self.clone()
        };
        Ok(unnamed.filter(catalog)? != VmFilter::default())
    }

    /// The filter that these make; words that no size of `catalog` has are errors.
    pub fn filter(&self, catalog: &Catalog) -> Result<VmFilter, Failure> {
        let limits = |iops, mbps| Limits { iops, mbps };
        let interface = self.interface.map(Interface::from);
        let names = self.names.iter();
        let filter = VmFilter {
            vcpus: self.vcpus.unwrap_or_default(),
            memory: self.memory.unwrap_or_default(),
            series: self.series.clone(),
            names: names
                .map(|name| NamePattern::in_catalog(catalog, name, interface))
                .collect::<Result<_, _>>()?,
            min_uncached: limits(self.min_uncached_iops, self.min_uncached_mbps),
            min_remote: limits(self.min_v2_iops, self.min_v2_mbps),
            min_cached: limits(self.min_cached_iops, self.min_cached_mbps),
            min_data_disks: self.min_data_disks,
            premium: self.premium,
            caching: self.caching,
            ultra: self.ultra,
            temp: self.temp,
            nvme: self.nvme,
            arch: self.arch.clone(),
            interface,
            in_service_on: None,
        };
        filter.check(catalog.vms())?;
        Ok(filter)
    }
}
