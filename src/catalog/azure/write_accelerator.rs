//! How many disks of a VM size may have Write Accelerator.

use crate::catalog::vm::VmSize;

/// Disks by the vCPUs in the names of sizes without a version and of version 2. Source: Azure, enable Write Accelerator.
const BY_VCPUS: [(u32, u32); 8] = [
    (8, 1),
    (16, 2),
    (32, 4),
    (64, 8),
    (128, 16),
    (192, 16),
    (208, 8),
    (416, 16),
];

impl VmSize {
    /// How many of its disks may have Write Accelerator: none where it is not of an M series, or takes no premium disks;
    /// `None` where no source gives the number.
    #[must_use]
    pub fn most_accelerated(&self) -> Option<u32> {
        if !self.series.starts_with('M') || self.premium_storage == Some(false) {
            return Some(0);
        }
        let name = self.name.strip_prefix("Standard_M")?;
        let is_documented = match name.rsplit_once("_v") {
            Some((_, version)) => version == "2",
            None => true,
        };
        let digits = name.split(|c: char| !c.is_ascii_digit()).next()?;
        let vcpus: u32 = digits.parse().ok()?;
        let row = BY_VCPUS.iter().find(|(row, _)| *row == vcpus)?;
        is_documented.then_some(row.1)
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::Catalog;

    /// Source: Azure, enable Write Accelerator, the table of VM sizes.
    #[test]
    fn disks_by_size_are_those_of_the_documentation() {
        for (size, most) in [
            ("M8ms", Some(1)),
            ("M8-2ms", Some(1)),
            ("M16ms", Some(2)),
            ("M32ts", Some(4)),
            ("M64s_v2", Some(8)),
            ("M128ms", Some(16)),
            ("M192ims_v2", Some(16)),
            ("M208ms_v2", Some(8)),
            ("M416s_8_v2", Some(16)),
            ("M24s_v3", None),
            ("E32as_v5", Some(0)),
        ] {
            let vm = Catalog::embedded().vm(size, None).unwrap();
            assert_eq!(vm.most_accelerated(), most, "{size}");
        }
    }
}
