//! Money with its currency, and totals that say what they miss.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bill::{MissingPrice, WhyMissing};
use crate::units::grouped;

/// Why an amount of money is not one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// The text is no currency code.
    #[error("'{0}' is not a currency code: write three letters such as USD or EUR (ISO 4217)")]
    Currency(String),
    /// Amounts of two currencies met in one sum.
    #[error("cannot add {right} to {left}: ask for prices in one currency")]
    Mixed {
        /// The currency of the sum.
        left: Currency,
        /// The currency of what should have been added.
        right: Currency,
    },
}

/// An ISO 4217 currency code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Currency([u8; 3]);

impl Currency {
    /// The US dollar, the currency that Azure sets its prices in.
    pub const USD: Self = Self(*b"USD");

    /// The code as text.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for Currency {
    type Err = MoneyError;

    /// Three letters in any case.
    fn from_str(input: &str) -> Result<Self, MoneyError> {
        match input.trim().as_bytes() {
            &[a, b, c] if [a, b, c].iter().all(u8::is_ascii_alphabetic) => {
                Ok(Self([a, b, c].map(|letter| letter.to_ascii_uppercase())))
            }
            _ => Err(MoneyError::Currency(input.to_owned())),
        }
    }
}

impl TryFrom<String> for Currency {
    type Error = MoneyError;
    fn try_from(input: String) -> Result<Self, MoneyError> {
        input.parse()
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.code().to_owned()
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// An amount of one currency, unrounded; written without the noise of binary arithmetic. Amounts of different currencies
/// never add up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Money {
    /// How much.
    pub amount: f64,
    /// Of what.
    pub currency: Currency,
}

impl Money {
    /// An amount of `currency`.
    #[must_use]
    pub const fn new(amount: f64, currency: Currency) -> Self {
        Self { amount, currency }
    }

    /// Nothing, in `currency`.
    #[must_use]
    pub const fn zero(currency: Currency) -> Self {
        Self::new(0.0, currency)
    }

    /// The sum.
    ///
    /// # Errors
    /// [`MoneyError::Mixed`] when the currencies differ.
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        if self.currency == other.currency {
            Ok(Self::new(self.amount + other.amount, self.currency))
        } else {
            Err(MoneyError::Mixed {
                left: self.currency,
                right: other.currency,
            })
        }
    }

    /// This many times the amount.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self::new(self.amount * factor, self.currency)
    }
}

impl fmt::Display for Money {
    /// `1,234.50 USD`; small amounts keep the digits that make them differ from nothing (`0.000007 USD`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.amount.abs();
        let text = if magnitude >= 0.1 || magnitude == 0.0 {
            let cents = grouped(self.amount, 2);
            match cents.split_once('.') {
                None => format!("{cents}.00"),
                Some((_, fraction)) if fraction.len() == 1 => format!("{cents}0"),
                Some(_) => cents,
            }
        } else {
            grouped(self.amount, 9)
        };
        f.pad(&format!("{text} {}", self.currency))
    }
}

/// A sum of prices, some of which may be unknown: what is known, and what it misses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Total {
    /// The sum of what is known.
    pub known: Money,
    /// What is not in the sum.
    pub missing: Vec<MissingPrice>,
}

impl Total {
    /// Nothing yet, in `currency`.
    #[must_use]
    pub const fn zero(currency: Currency) -> Self {
        Self {
            known: Money::zero(currency),
            missing: Vec::new(),
        }
    }

    /// Whether nothing is missing.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// Whether every price of what is there all month is known: what is missing, if anything, is billed by use.
    #[must_use]
    pub fn is_priced(&self) -> bool {
        self.missing
            .iter()
            .all(|missing| matches!(missing.why, WhyMissing::NoUse | WhyMissing::NoUseNorPrice))
    }

    /// The whole amount; `None` where something is missing.
    #[must_use]
    pub fn complete(&self) -> Option<Money> {
        self.is_complete().then_some(self.known)
    }

    /// Has `part` missing in it, before all else that is.
    pub fn miss(&mut self, part: MissingPrice) {
        if !self.missing.contains(&part) {
            self.missing.insert(0, part);
        }
    }

    /// The sum of two totals; it misses what either misses, each once.
    ///
    /// # Errors
    /// [`MoneyError::Mixed`] when the currencies differ.
    pub fn plus(mut self, other: &Self) -> Result<Self, MoneyError> {
        self.known = self.known.plus(other.known)?;
        for missing in &other.missing {
            if !self.missing.contains(missing) {
                self.missing.push(missing.clone());
            }
        }
        Ok(self)
    }

    /// The amount for each of `delivered` (effective IOPS or MB/s, say); `None` where the total is not whole or nothing
    /// is delivered.
    #[must_use]
    pub fn per(&self, delivered: f64) -> Option<Money> {
        let whole = self.complete()?;
        (delivered > 0.0).then(|| whole.times(1.0 / delivered))
    }

    /// This many of it (a stripe of equal disks).
    #[must_use]
    pub fn times(mut self, factor: f64) -> Self {
        self.known = self.known.times(factor);
        self
    }
}

impl fmt::Display for Total {
    /// `135.17 USD`; where something is missing `at least 135.17 USD (not counted: …)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_complete() {
            return write!(f, "{}", self.known);
        }
        let missing: Vec<String> = self.missing.iter().map(ToString::to_string).collect();
        write!(
            f,
            "at least {} (not counted: {})",
            self.known,
            missing.join("; ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EUR: Currency = Currency(*b"EUR");

    #[test]
    fn currencies_parse_in_any_case_and_refuse_what_is_none() {
        assert_eq!("usd".parse(), Ok(Currency::USD));
        assert_eq!(" Eur ".parse(), Ok(EUR));
        for wrong in ["", "US", "USDX", "U$D", "€"] {
            assert_eq!(
                wrong.parse::<Currency>(),
                Err(MoneyError::Currency(wrong.to_owned()))
            );
        }
    }

    #[test]
    fn different_currencies_never_add_up() {
        let dollars = Money::new(1.0, Currency::USD);
        assert_eq!(
            dollars.plus(Money::new(2.0, EUR)),
            Err(MoneyError::Mixed {
                left: Currency::USD,
                right: EUR
            })
        );
        assert_eq!(
            dollars.plus(Money::new(2.5, Currency::USD)),
            Ok(Money::new(3.5, Currency::USD))
        );
        assert!(Total::zero(Currency::USD).plus(&Total::zero(EUR)).is_err());
    }

    #[test]
    fn money_prints_cents_and_small_prices() {
        let show = |amount| Money::new(amount, Currency::USD).to_string();
        assert_eq!(show(1234.5), "1,234.50 USD");
        assert_eq!(show(0.0), "0.00 USD");
        assert_eq!(show(19.0), "19.00 USD");
        assert_eq!(show(7e-6), "0.000007 USD");
        assert_eq!(show(5.5e-5), "0.000055 USD");
        assert_eq!(show(-3.25), "-3.25 USD");
    }
}
