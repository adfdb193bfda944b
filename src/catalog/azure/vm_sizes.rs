//! `sku-data/azure-vm-sizes.csv`: one line a VM size and disk controller.

use crate::catalog::limits::{Axis, Ceiling, Limits};
use crate::catalog::table::{DataError, Row, read_rows};
use crate::catalog::vm::{Interface, LocalNvme, Origin, TempDisk, VmSize};
use crate::units::{GIB, Iops, MBps};

use super::series::series_of;
use super::{SIZE_PAGES, SKUS_API, SKUS_API_DATE};

/// The file's name.
pub const FILE: &str = "azure-vm-sizes.csv";

/// MiB in a GiB.
const MIB_PER_GIB: f64 = 1024.0;

/// Defines the columns: their positions as constants, their names in order.
macro_rules! columns {
    ($($name:ident = $title:literal),* $(,)?) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "positions, named as the columns are")]
        #[derive(Clone, Copy)]
        enum Column { $($name),* }
        $(const $name: usize = Column::$name as usize;)*
        /// The head line of the file.
        const COLUMNS: &[&str] = &[$($title),*];
    };
}

columns! {
    SIZE = "size",
    INTERFACE = "interface",
    VCPUS = "vcpus",
    MEMORY = "memory_gib",
    DATA_DISKS = "max_data_disks",
    ARCH = "arch",
    CONTROLLERS = "controllers",
    PARENT = "parent",
    PREMIUM_STORAGE = "premium_storage",
    PREMIUM_CACHING = "premium_caching",
    ULTRA = "ultra",
    UNCACHED_IOPS = "uncached_iops",
    UNCACHED_BYTES = "uncached_bytes_per_s",
    UNCACHED_MBPS = "uncached_mbps",
    UNCACHED_BURST_IOPS = "uncached_burst_iops",
    UNCACHED_BURST_MBPS = "uncached_burst_mbps",
    V2_IOPS = "v2_iops",
    V2_MBPS = "v2_mbps",
    V2_BURST_IOPS = "v2_burst_iops",
    V2_BURST_MBPS = "v2_burst_mbps",
    CACHED_IOPS = "cached_iops",
    CACHED_READ_BYTES = "cached_read_bytes_per_s",
    CACHED_WRITE_BYTES = "cached_write_bytes_per_s",
    CACHED_MBPS = "cached_mbps",
    CACHED_BURST_IOPS = "cached_burst_iops",
    CACHED_BURST_MBPS = "cached_burst_mbps",
    CACHE_BYTES = "cache_bytes",
    TEMP_MIB = "temp_mib",
    TEMP_READ_IOPS = "temp_read_iops",
    TEMP_READ_MBPS = "temp_read_mbps",
    TEMP_WRITE_MBPS = "temp_write_mbps",
    NVME_DISKS = "nvme_disks",
    NVME_TOTAL_MIB = "nvme_total_mib",
    NVME_READ_IOPS = "nvme_read_iops",
    NVME_WRITE_IOPS = "nvme_write_iops",
    NVME_READ_BYTES = "nvme_read_bytes_per_s",
    NVME_WRITE_BYTES = "nvme_write_bytes_per_s",
    RETIREMENT = "retirement",
    SOURCE = "source",
    DOC_PAGE = "doc_page",
    DOC_DATE = "doc_date",
    NOTE = "note",
}

/// Reads the file.
///
/// # Errors
/// [`DataError`] with file, line and column.
pub(in crate::catalog) fn read(file: &str, text: &str) -> Result<Vec<VmSize>, DataError> {
    let mut sizes = Vec::with_capacity(text.len() / 150);
    read_rows(file, text, COLUMNS, |row| {
        sizes.push(size(row)?);
        Ok(())
    })?;
    Ok(sizes)
}

fn size(row: &Row<'_>) -> Result<VmSize, DataError> {
    let name = row.needed(SIZE, row.known(SIZE), "the name of a VM size")?;
    let uncached = ceiling(row, UNCACHED)?;
    let cached = ceiling(row, CACHED)?;
    let remote = separate(
        &uncached,
        Ceiling {
            base: limits(row, V2_IOPS, V2_MBPS)?,
            burst: known(limits(row, V2_BURST_IOPS, V2_BURST_MBPS)?),
            listed_mbps: None,
        },
    );
    Ok(VmSize {
        series: series_of(name),
        name: name.to_owned(),
        interface: row
            .known(INTERFACE)
            .map(|word| interface(row, INTERFACE, word))
            .transpose()?,
        controllers: row
            .text(CONTROLLERS)
            .split_ascii_whitespace()
            .map(|word| interface(row, CONTROLLERS, word))
            .collect::<Result<_, _>>()?,
        parent: row.owned(PARENT),
        vcpus: row.needed(VCPUS, row.count(VCPUS)?, "a number of vCPUs")?,
        memory: row.gib(MEMORY, 1.0)?,
        arch: row.owned(ARCH),
        max_data_disks: row.count(DATA_DISKS)?,
        premium_storage: row.flag(PREMIUM_STORAGE)?,
        premium_caching: row.flag(PREMIUM_CACHING)?,
        ultra: row.flag(ULTRA)?,
        uncached,
        remote,
        cached,
        cached_write_mbps: row.bytes_per_s(CACHED_WRITE_BYTES)?,
        cache_size: row.gib(CACHE_BYTES, GIB as f64)?,
        temp: temp(row)?,
        nvme: nvme(row)?,
        retirement: row.owned(RETIREMENT),
        note: row.owned(NOTE),
        origin: origin(row)?,
    })
}

fn interface(row: &Row<'_>, column: usize, word: &str) -> Result<Interface, DataError> {
    match word {
        "scsi" => Ok(Interface::Scsi),
        "nvme" => Ok(Interface::Nvme),
        _ => Err(row.wrong(column, "scsi or nvme")),
    }
}

fn limits(row: &Row<'_>, iops: usize, mbps: usize) -> Result<Limits, DataError> {
    Ok(Limits {
        iops: row.iops(iops)?,
        mbps: row.mbps(mbps)?,
    })
}

/// A pair of which anything is known.
fn known(limits: Limits) -> Option<Limits> {
    (limits != Limits::UNKNOWN).then_some(limits)
}

/// The columns of one ceiling.
#[derive(Clone, Copy)]
struct CeilingColumns {
    iops: usize,
    bytes: usize,
    mbps: usize,
    burst_iops: usize,
    burst_mbps: usize,
}

const UNCACHED: CeilingColumns = CeilingColumns {
    iops: UNCACHED_IOPS,
    bytes: UNCACHED_BYTES,
    mbps: UNCACHED_MBPS,
    burst_iops: UNCACHED_BURST_IOPS,
    burst_mbps: UNCACHED_BURST_MBPS,
};

const CACHED: CeilingColumns = CeilingColumns {
    iops: CACHED_IOPS,
    bytes: CACHED_READ_BYTES,
    mbps: CACHED_MBPS,
    burst_iops: CACHED_BURST_IOPS,
    burst_mbps: CACHED_BURST_MBPS,
};

/// One ceiling. The exact bytes per second go before the printed MB/s, which then are only the number that people
/// know.
fn ceiling(row: &Row<'_>, columns: CeilingColumns) -> Result<Ceiling, DataError> {
    let printed = row.mbps(columns.mbps)?;
    let exact = row.bytes_per_s(columns.bytes)?;
    Ok(Ceiling {
        base: Limits {
            iops: row.iops(columns.iops)?,
            mbps: exact.or(printed),
        },
        burst: known(limits(row, columns.burst_iops, columns.burst_mbps)?),
        listed_mbps: exact.and(printed),
    })
}

/// The ceiling of Premium SSD v2 and Ultra as a ceiling of all remote traffic: never below the uncached one on any
/// axis, and `None` where it lifts nothing, because then both are one. One that equals the uncached one, and of which no
/// burst is documented, stays as it is: these disks have no part in that one's burst.
fn separate(uncached: &Ceiling, v2: Ceiling) -> Option<Ceiling> {
    if v2 == Ceiling::default() {
        return None;
    }
    let axis = |axis| {
        let (base, floor) = (v2.base.on(axis), uncached.base.on(axis));
        let base = base.map(|base| floor.map_or(base, |floor| base.max(floor)));
        let burst = [v2.burst, uncached.burst]
            .into_iter()
            .filter_map(|pair| pair.and_then(|pair| pair.on(axis)))
            .reduce(f64::max)
            .filter(|&burst| base.is_some_and(|base| burst > base));
        (base, burst)
    };
    let ((base_iops, burst_iops), (base_mbps, burst_mbps)) = (axis(Axis::Iops), axis(Axis::Mbps));
    let remote = Ceiling {
        base: pair(base_iops, base_mbps),
        burst: known(pair(burst_iops, burst_mbps)),
        listed_mbps: None,
    };
    let steady = Ceiling {
        burst: None,
        ..remote
    };
    if v2.burst.is_none() && steady.is_within(uncached) {
        return Some(steady);
    }
    let lifts = [Axis::Iops, Axis::Mbps].into_iter().any(|axis| {
        remote.base.on(axis) != uncached.base.on(axis)
            || remote.burst_on(axis) != uncached.burst_on(axis)
    });
    lifts.then_some(remote)
}

fn pair(iops: Option<f64>, mbps: Option<f64>) -> Limits {
    Limits {
        iops: iops.and_then(|iops| Iops::new(iops).ok()),
        mbps: mbps.and_then(|mbps| MBps::new(mbps).ok()),
    }
}

fn temp(row: &Row<'_>) -> Result<Option<TempDisk>, DataError> {
    let Some(size) = row
        .gib(TEMP_MIB, MIB_PER_GIB)?
        .filter(|size| size.get() > 0.0)
    else {
        return Ok(None);
    };
    Ok(Some(TempDisk {
        size,
        read: limits(row, TEMP_READ_IOPS, TEMP_READ_MBPS)?,
        write: Limits {
            iops: None,
            mbps: row.mbps(TEMP_WRITE_MBPS)?,
        },
    }))
}

fn nvme(row: &Row<'_>) -> Result<Option<LocalNvme>, DataError> {
    let exact = |iops, bytes| -> Result<Limits, DataError> {
        Ok(Limits {
            iops: row.iops(iops)?,
            mbps: row.bytes_per_s(bytes)?,
        })
    };
    let nvme = LocalNvme {
        disks: row.count(NVME_DISKS)?,
        total: row.gib(NVME_TOTAL_MIB, MIB_PER_GIB)?,
        read: exact(NVME_READ_IOPS, NVME_READ_BYTES)?,
        write: exact(NVME_WRITE_IOPS, NVME_WRITE_BYTES)?,
    };
    Ok((nvme != LocalNvme::default()).then_some(nvme))
}

fn origin(row: &Row<'_>) -> Result<Origin, DataError> {
    let page = row.text(DOC_PAGE);
    let date = row.text(DOC_DATE);
    match row.text(SOURCE) {
        "api" if page.is_empty() => Ok(Origin {
            source: SKUS_API.to_owned(),
            date: SKUS_API_DATE.to_owned(),
        }),
        "api" => Ok(Origin {
            source: [SKUS_API, "; ", SIZE_PAGES, " ", page, " (", date, ")"].concat(),
            date: SKUS_API_DATE.to_owned(),
        }),
        "doc" => Ok(Origin {
            source: [SIZE_PAGES, " ", page].concat(),
            date: date.to_owned(),
        }),
        _ => Err(row.wrong(SOURCE, "api or doc")),
    }
}
