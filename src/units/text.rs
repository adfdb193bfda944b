//! How quantities are read and printed.

use super::UnitError;

/// Splits `input` into its leading number and the trimmed, lower-cased suffix behind it.
/// Thousands may be grouped with `_` or with `,` before three digits.
fn number_and_suffix(input: &str) -> Option<(f64, String)> {
    let text = input.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '_')))
        .unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    let plain = ungroup(digits)?;
    let value: f64 = plain.parse().ok()?;
    value
        .is_finite()
        .then(|| (value, suffix.trim().to_lowercase()))
}

/// Removes thousands separators; `None` where a comma does not stand before exactly three digits.
fn ungroup(digits: &str) -> Option<String> {
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.contains(',') {
        let mut groups = whole.split(',');
        let first = groups.next().unwrap_or_default();
        if first.is_empty() || first.len() > 3 || groups.any(|group| group.len() != 3) {
            return None;
        }
    }
    if fraction.contains(',') || fraction.contains('.') {
        return None;
    }
    Some(digits.replace([',', '_'], ""))
}

/// Prints `value` with grouped thousands and at most `decimals` decimals, without trailing zeros.
#[must_use]
pub fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((text.as_str(), ""));
    let (sign, digits) = whole
        .strip_prefix('-')
        .map_or(("", whole), |rest| ("-", rest));
    let mut out = String::from(sign);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    if out == "-0" { "0".into() } else { out }
}

/// `value` without the noise of binary arithmetic: itself where it is whole, else with the 15 significant digits that a
/// double surely holds. `329.96` for the `329.96000000000004` that a sum of prices makes.
#[must_use]
pub fn without_noise(value: f64) -> f64 {
    if value.fract() == 0.0 {
        return value;
    }
    format!("{value:.14e}").parse().unwrap_or(value)
}

/// More than anything that people write of any unit; far from where sums of such numbers are no numbers any more.
const MOST: f64 = 1e15;

/// Parses a number with one of the `suffixes`, each with its factor to the unit.
pub(super) fn parse_scaled(
    input: &str,
    what: &'static str,
    form: &'static str,
    suffixes: &[(&str, f64)],
) -> Result<f64, UnitError> {
    let form_error = || UnitError::Form {
        input: input.to_owned(),
        what,
        form,
    };
    if input.trim().starts_with('-') {
        return Err(UnitError::Range {
            input: input.to_owned(),
            what,
            range: "0 or more",
        });
    }
    let factor_of = |suffix: &str| {
        let is_it = |(name, factor): &(&str, f64)| (*name == suffix).then_some(*factor);
        suffixes.iter().find_map(is_it)
    };
    let scaled = |text: &str| {
        let (value, suffix) = number_and_suffix(text)?;
        Some(value * factor_of(&suffix)?)
    };
    let with_point = || Some(input.replacen(',', ".", 1)).filter(|text| scaled(text).is_some());
    let value = scaled(input).ok_or_else(|| match with_point() {
        Some(meant) if meant != input => UnitError::DecimalComma {
            input: input.to_owned(),
            what,
            meant,
        },
        _ => form_error(),
    })?;
    if value > MOST {
        return Err(UnitError::Range {
            input: shortened(input),
            what,
            range: "less than 10^15",
        });
    }
    Ok(value)
}

/// The beginning of a number of very many digits.
fn shortened(input: &str) -> String {
    const SHOWN: usize = 24;
    match input.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &input[..end]),
        None => input.to_owned(),
    }
}

/// Names as a sentence lists them: `db1`, `db1 and db2`, `db1, db2 and db3`.
pub(crate) fn and<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
