//! Decimals of rates that are so small that they matter.

/// How many decimals show something of a rate that is not nothing, and would be shown as 0.
pub(super) fn decimals(value: Option<f64>, usual: u8) -> u8 {
    let shown_as_zero = |value: &f64| *value > 0.0 && value * 10_f64.powi(usual.into()) < 0.5;
    let small = value.filter(shown_as_zero);
    // Two figures, and no more than six decimals.
    small.map_or(usual, |value| (1.0 - value.log10().floor()).min(6.0) as u8)
}
