//! The series of a VM size, as people write it.

use crate::catalog::vm::Interface;

/// The series that a size belongs to, derived from its name: `Standard_E8bds_v5` is `Ebdsv5`, `Standard_E32-16ds_v5`
/// is `Edsv5`, `Standard_NC24ads_A100_v4` is `NCadsA100v4`.
///
/// The family letters, the feature letters, the accelerator and the version make the name. Numbers are left out
/// (vCPUs, constrained vCPUs, memory variants such as `_12_`), and so are feature letters that the documentation does
/// not split a series by: `i` (isolated) and `r` (RDMA) everywhere; `m`, `l`, `t`, `x` (more or less memory) in the
/// A, B and M families, where one page has them all; `m` in NV and NG; `l` in NC; every letter in the HPC families HB, HC
/// and HX.
#[must_use]
pub fn series_of(size: &str) -> String {
    let (prefix, name) = match size.split_once('_') {
        Some(("Standard", name)) => ("", name),
        Some(("Basic", name)) => ("Basic ", name),
        _ => ("", size),
    };
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default();
    let family_end = first
        .find(|c: char| !c.is_ascii_uppercase())
        .unwrap_or(first.len());
    let (family, rest) = first.split_at(family_end);
    let features = rest
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '-')
        .chars()
        .take_while(char::is_ascii_lowercase)
        .filter(|&letter| splits_series(family, letter));

    let mut series = String::with_capacity(16);
    series.push_str(prefix);
    series.push_str(family);
    series.extend(features);
    for part in parts.filter(|part| names_series(part)) {
        series.push_str(part);
    }
    series
}

/// Whether sizes of `series` have a CPU that bursts from credit and is held back without: the B family.
/// Source: Azure, B-series burstable virtual machine sizes.
#[must_use]
pub fn has_cpu_credit(series: &str) -> bool {
    let family_end = series.find(|c: char| !c.is_ascii_uppercase());
    series.get(..family_end.unwrap_or(series.len())) == Some("B") && !series.starts_with("Basic ")
}

/// The CPU architecture of sizes of `series` where no source names it: a `p` in the name stands for an Arm64 CPU. Of N
/// families, some of which have Arm64 without it, nothing is concluded. Source: Azure, VM size naming conventions.
#[must_use]
pub fn usual_arch(series: &str) -> Option<&'static str> {
    match series {
        _ if series.starts_with('N') => None,
        _ if series.contains('p') => Some("Arm64"),
        _ => Some("x64"),
    }
}

/// The version in the name of a size: 5 for `Standard_D8s_v5`, 1 where it has none.
#[must_use]
pub fn generation(size: &str) -> u32 {
    let version = |part: &str| part.strip_prefix(['v', 'V'])?.parse().ok();
    size.split('_').rev().find_map(version).unwrap_or(1)
}

/// Whether sizes of `series` have hardware that others lack, or need an image made for them: accelerators (N families and
/// PB, an FPGA), HPC (H families), confidential computing (DC and EC). Source: Azure, sizes for virtual machines, families.
#[must_use]
pub fn is_special(series: &str) -> bool {
    ["N", "PB", "H", "DC", "EC"]
        .iter()
        .any(|family| series.starts_with(family))
}

/// The disk controller that sizes of `series` have where no source names theirs: NVMe from version 6 on, SCSI before.
/// Source: Azure, remote NVMe disks, general FAQ. Of the sizes from version 6 on whose controllers the API names, only
/// Arm and confidential ones have SCSI.
#[must_use]
pub fn usual_controller(series: &str) -> Interface {
    let version = series
        .rsplit_once('v')
        .map(|(_, version)| version.parse::<u32>());
    match version {
        Some(Ok(6..)) => Interface::Nvme,
        _ => Interface::Scsi,
    }
}

/// Whether two series differ at most in the letter of premium storage: `Dsv3` and `Dv3`, `DSv2` and `Dv2` are twins.
#[must_use]
pub fn are_premium_twins(one: &str, other: &str) -> bool {
    let without = |series: &str| -> String {
        let letters = series.chars();
        letters.filter(|c| !matches!(c, 's' | 'S')).collect()
    };
    without(one) == without(other)
}

/// Whether two series differ at most in the letter of a local disk: `Dsv5` and `Ddsv5` are twins.
#[must_use]
pub fn are_local_disk_twins(one: &str, other: &str) -> bool {
    let without = |series: &str| series.replace('d', "");
    without(one) == without(other)
}

fn splits_series(family: &str, feature: char) -> bool {
    !matches!(
        (family, feature),
        (_, 'i' | 'r')
            | ("HB" | "HC" | "HX", _)
            | ("A" | "B" | "M", 'm' | 'l' | 't' | 'x')
            | ("NV" | "NG", 'm')
            | ("NC", 'l')
    )
}

/// Memory variants (`12`), the size class `xl` and the fabric `NDR` do not name a series.
fn names_series(part: &str) -> bool {
    !matches!(part, "xl" | "NDR") && !part.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{generation, has_cpu_credit, series_of, usual_controller};
    use crate::catalog::Interface;

    #[test]
    fn generations_are_the_versions_of_names() {
        for (name, version) in [
            ("Standard_D8s_v5", 5),
            ("Standard_NC24ads_A100_v4", 4),
            ("Standard_M416s_9_v2", 2),
            ("Standard_D1", 1),
            ("Standard_B2ms", 1),
            ("", 1),
        ] {
            assert_eq!(generation(name), version, "{name}");
        }
    }

    #[test]
    fn the_controller_follows_the_version() {
        for (size, controller) in [
            ("Standard_E16bs_v6", Interface::Nvme),
            ("Standard_D8s_v7", Interface::Nvme),
            ("Standard_D8s_v5", Interface::Scsi),
            ("Standard_NC24ads_A100_v4", Interface::Scsi),
            ("Standard_B2ms", Interface::Scsi),
        ] {
            assert_eq!(usual_controller(&series_of(size)), controller, "{size}");
        }
    }

    #[test]
    fn only_the_b_family_has_cpu_credit() {
        for size in ["Standard_B8s_v2", "Standard_B2ms", "Standard_B2pls_v2"] {
            assert!(has_cpu_credit(&series_of(size)), "{size}");
        }
        for size in ["Basic_A1", "Standard_D8s_v5", "Standard_E8bds_v5"] {
            assert!(!has_cpu_credit(&series_of(size)), "{size}");
        }
    }

    #[test]
    fn series_as_the_documentation_names_them() {
        let cases = [
            ("Standard_D2s_v3", "Dsv3"),
            ("Standard_D2_v3", "Dv3"),
            ("Standard_E8bds_v5", "Ebdsv5"),
            ("Standard_E32-16ds_v5", "Edsv5"),
            ("Standard_E112ibds_v5", "Ebdsv5"),
            ("Standard_E64is_v3", "Esv3"),
            ("Standard_L8s_v2", "Lsv2"),
            ("Standard_L160iaos_v5", "Laosv5"),
            ("Standard_DS3_v2", "DSv2"),
            ("Standard_DS11-1_v2", "DSv2"),
            ("Standard_D15i_v2", "Dv2"),
            ("Standard_D1", "D"),
            ("Standard_D11_v2_Promo", "Dv2Promo"),
            ("Standard_B2ms", "Bs"),
            ("Standard_B2pts_v2", "Bpsv2"),
            ("Standard_A4m_v2", "Av2"),
            ("Standard_A8", "A"),
            ("Basic_A0", "Basic A"),
            ("Standard_M208ms_v2", "Msv2"),
            ("Standard_M416s_9_v2", "Msv2"),
            ("Standard_M32-8ms", "Ms"),
            ("Standard_M96-48bds_2_v3", "Mbdsv3"),
            ("Standard_M1792ixds_32_v3", "Mdsv3"),
            ("Standard_M16lds_v4", "Mdsv4"),
            ("Standard_D2lds_v5", "Dldsv5"),
            ("Standard_F16-4amds_v7", "Famdsv7"),
            ("Standard_FX12-6mds_v2", "FXmdsv2"),
            ("Standard_GS5-16", "GS"),
            ("Standard_DC16ads_cc_v5", "DCadsccv5"),
            ("Standard_EC128ieds_v5", "ECedsv5"),
            ("Standard_NC24ads_A100_v4", "NCadsA100v4"),
            ("Standard_NC80adis_H100_v5", "NCadsH100v5"),
            ("Standard_NC24rs_v3", "NCsv3"),
            ("Standard_NC4as_T4_v3", "NCasT4v3"),
            (
                "Standard_NC36lds_xl_RTXPRO6000BSE_v6",
                "NCdsRTXPRO6000BSEv6",
            ),
            ("Standard_ND40rs_v2", "NDsv2"),
            ("Standard_ND96amsr_A100_v4", "NDamsA100v4"),
            ("Standard_ND96isr_MI300X_v5", "NDsMI300Xv5"),
            ("Standard_ND128isr_NDR_GB200_v6", "NDsGB200v6"),
            ("Standard_ND128isrG5_GB300_v6", "NDsGB300v6"),
            ("Standard_NV36adms_A10_v5", "NVadsA10v5"),
            ("Standard_HB120-16rs_v3", "HBv3"),
            ("Standard_HC44rs", "HC"),
            ("Standard_HX176-24rs", "HX"),
            ("Standard_NP10s", "NPs"),
        ];
        for (size, series) in cases {
            assert_eq!(series_of(size), series, "{size}");
        }
    }

    #[test]
    fn odd_names_do_not_panic() {
        for name in [
            "",
            "_",
            "Standard_",
            "Standard",
            "é_v3",
            "Standard_é",
            "__",
            "1",
        ] {
            let _ = series_of(name);
        }
    }
}
