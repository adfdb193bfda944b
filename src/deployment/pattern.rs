//! Several disks in one spec: a tier with `*` and `?` stands for every tier that it fits.

use super::spec::{DiskSpec, SpecError, SpecProblem, split_count};
use crate::catalog::Catalog;
use crate::catalog::query::NamePattern;

/// The disks that `text` names: one as a plain spec does, or one for each tier that its SKU fits (`P*`, `2xE?0:zrs`),
/// small to large.
///
/// # Errors
/// [`SpecError`] as of [`DiskSpec`]; also where no tier fits.
pub fn disks_named(catalog: &Catalog, text: &str) -> Result<Vec<DiskSpec>, SpecError> {
    let failed = |problem| SpecError {
        input: text.to_owned(),
        problem,
    };
    let (head, keys) = text.split_at(text.find(':').unwrap_or(text.len()));
    let named = head.rfind('=').map_or(0, |at| at + 1);
    let (name, rest) = head.split_at(named);
    let (count, sku) = split_count(rest.trim()).map_err(failed)?;
    if !sku.contains(['*', '?']) {
        return Ok(vec![text.parse()?]);
    }
    let pattern = NamePattern::new(sku);
    let tiers = catalog.tiers().all().iter();
    let specs: Vec<DiskSpec> = tiers
        .filter(|tier| pattern.fits(&tier.name))
        .map(|tier| format!("{name}{count}x{}{keys}", tier.name).parse())
        .collect::<Result<_, _>>()?;
    if specs.is_empty() {
        return Err(failed(SpecProblem::Sku {
            sku: sku.to_owned(),
            nearest: Vec::new(),
        }));
    }
    Ok(specs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<String> {
        let specs = disks_named(Catalog::embedded(), text).unwrap();
        specs.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_pattern_stands_for_every_tier_that_it_fits() {
        let premium = named("P*");
        assert_eq!(premium.len(), 14);
        assert_eq!((premium[0].as_str(), premium[13].as_str()), ("P1", "P80"));
        assert_eq!(named("2xp?0:cache=ro")[0], "2xP10:cache=ro");
        assert_eq!(named("4*P30"), ["4xP30"]);
        assert_eq!(named("v2:size=512"), ["v2:size=512"]);
    }

    #[test]
    fn what_fits_nothing_is_said() {
        let refused = |text| {
            disks_named(Catalog::embedded(), text)
                .unwrap_err()
                .to_string()
        };
        assert!(refused("Q*").contains("unknown SKU 'Q*'"));
        assert!(refused("P*:cach=ro").contains("'cach'"));
        assert!(refused("").contains("no SKU"));
    }
}
