//! The flags that ask for money.

use std::collections::{BTreeMap, BTreeSet};

use std::sync::Once;

use clap::{Args, ValueEnum};

use super::catalog::catalog;
use super::config::Settings;
use super::day::today;
use super::failure::{Failure, say};
use super::number::whole;
use diskcap::catalog::price::{
    Currency, EMBEDDED_CURRENCY, PriceBook, PriceError, Region, VmOffer,
};
use diskcap::catalog::refresh::{Prices, prices};

/// What things cost, where that is asked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cost")]
pub struct MoneyArgs {
    /// Show what it costs a month; also asked for by --currency and --offer
    #[arg(long)]
    pub cost: bool,
    #[command(flatten)]
    pub prices: PriceArgs,
}

/// Which prices are meant.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cost")]
pub struct PriceArgs {
    /// Region of the prices; without one that of the VM or the plan file, else the configured one, else eastus
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// Currency of the prices, such as EUR; other ones than USD after `diskcap skus update --currency`
    #[arg(long, value_name = "CODE")]
    pub currency: Option<Currency>,
    /// How the VM is bought. The embedded prices know linux, windows and spot-linux; the other offers have one after
    /// `diskcap skus update`
    #[arg(long, value_name = "OFFER")]
    pub offer: Option<OfferArg>,
    /// Warn when prices or VM sizes are older than so many days
    #[arg(long, value_name = "DAYS", value_parser = whole::<u32>)]
    pub max_age: Option<u32>,
}

/// What things cost, unless that is not wanted.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cost")]
pub struct ShownPriceArgs {
    #[command(flatten)]
    pub prices: PriceArgs,
    /// Leave prices out
    #[arg(long)]
    no_prices: bool,
    /// Taken as everywhere else: a comparison shows prices anyway
    #[arg(long, hide = true, conflicts_with = "no_prices")]
    cost: bool,
}

/// How a VM is bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OfferArg {
    /// Pay as you go, without a Windows licence.
    Linux,
    /// Pay as you go, with a Windows licence.
    Windows,
    /// Spot, without a Windows licence.
    SpotLinux,
    /// Spot, with a Windows licence.
    SpotWindows,
    /// Reserved for one year.
    Reserved1y,
    /// Reserved for three years.
    Reserved3y,
}

impl From<OfferArg> for VmOffer {
    fn from(arg: OfferArg) -> Self {
        match arg {
            OfferArg::Linux => Self::Linux,
            OfferArg::Windows => Self::Windows,
            OfferArg::SpotLinux => Self::SpotLinux,
            OfferArg::SpotWindows => Self::SpotWindows,
            OfferArg::Reserved1y => Self::Reserved1Year,
            OfferArg::Reserved3y => Self::Reserved3Years,
        }
    }
}

impl MoneyArgs {
    /// Whether money was asked for at all: prices are read only then.
    pub const fn asked(&self) -> bool {
        let prices = &self.prices;
        self.cost || prices.currency.is_some() || prices.offer.is_some() || prices.max_age.is_some()
    }
}

impl ShownPriceArgs {
    /// The prices to show; `None` where they are not wanted.
    pub fn book(
        &self,
        planned: Option<&str>,
        settings: &Settings,
    ) -> Result<Option<PriceBook>, Failure> {
        let wanted = !self.no_prices;
        wanted
            .then(|| self.prices.book(planned, settings))
            .transpose()
    }
}

impl PriceArgs {
    /// How the VM is bought.
    pub fn offer(&self) -> VmOffer {
        self.offer_of(None)
    }

    /// The same of a VM that is bought as `planned` says, where no flag says otherwise.
    pub fn offer_of(&self, planned: Option<VmOffer>) -> VmOffer {
        let asked = self.offer.map(VmOffer::from);
        asked.or(planned).unwrap_or(VmOffer::Linux)
    }

    /// The region that somebody named: the one asked for, else `planned`, else the one that is set.
    pub fn named_region(&self, planned: Option<&str>, settings: &Settings) -> Option<String> {
        let set = settings.region.as_deref();
        let named = self.region.as_deref().or(planned).or(set);
        named.map(str::to_owned)
    }

    /// The region: the one that somebody named, else the default region.
    pub fn region(&self, planned: Option<&str>, settings: &Settings) -> Region {
        let named = self.named_region(planned, settings);
        named.map_or_else(Region::default_region, |name| Region::new(&name))
    }

    /// The prices of the [`region`](Self::region) to reckon with.
    pub fn book(&self, planned: Option<&str>, settings: &Settings) -> Result<PriceBook, Failure> {
        let found = self.found(&self.region(planned, settings), settings)?;
        if let Some(error) = found.set_aside {
            say(&format!(
                "warning: the refreshed prices are not used: {error}"
            ));
        }
        self.warn_of_age(&found.book, settings);
        Ok(found.book)
    }

    /// Whether any price is asked for by a flag.
    pub const fn is_given(&self) -> bool {
        self.region.is_some()
            || self.currency.is_some()
            || self.offer.is_some()
            || self.max_age.is_some()
    }

    /// The prices of the region, which must be there where they are `asked` for; else `None` where there are none.
    pub fn book_if_known(
        &self,
        asked: bool,
        settings: &Settings,
    ) -> Result<Option<PriceBook>, Failure> {
        if asked {
            return self.book(None, settings).map(Some);
        }
        let found = self.found(&self.region(None, settings), settings);
        Ok(found.ok().map(|found| found.book))
    }

    /// The prices of several regions, or of the one asked for. A region that has none is left out.
    pub fn books<'r>(
        &self,
        regions: impl Iterator<Item = &'r str>,
        settings: &Settings,
    ) -> Result<BTreeMap<String, PriceBook>, Failure> {
        let wanted: BTreeSet<Region> = match &self.region {
            Some(region) => [Region::new(region)].into(),
            None => regions.map(Region::new).collect(),
        };
        let priced = |region: &Region| {
            self.region.is_some()
                || !matches!(
                    self.found(region, settings),
                    Err(PriceError::UnknownRegion { .. })
                )
        };
        let wanted = wanted.into_iter().filter(priced);
        wanted
            .map(|region| {
                Ok((
                    region.as_str().to_owned(),
                    self.book(Some(region.as_str()), settings)?,
                ))
            })
            .collect()
    }

    fn found(&self, region: &Region, settings: &Settings) -> Result<Prices, PriceError> {
        let currency = self.currency.or(settings.currency);
        let currency = currency.unwrap_or(EMBEDDED_CURRENCY);
        let folder = settings.price_folder().ok();
        prices(region, currency, folder.as_ref())
    }

    fn warn_of_age(&self, book: &PriceBook, settings: &Settings) {
        let age = book.info().age_days(today());
        if let (Some(age), Some(most)) = (age, self.max_age)
            && age > most
        {
            say(&format!(
                "warning: prices are {age} days old; `diskcap skus update` fetches new ones"
            ));
        }
        self.warn_of_catalog(settings);
    }

    /// Once: a fleet has prices of several regions.
    fn warn_of_catalog(&self, settings: &Settings) {
        static SAID: Once = Once::new();
        let today = today();
        if let (Some(age), Some(most)) = (catalog(settings).info().age_days(today), self.max_age)
            && age > most
        {
            SAID.call_once(|| {
                say(&format!(
                    "warning: VM sizes are {age} days old; `diskcap skus update --subscription ID` fetches new ones"
                ));
            });
        }
    }
}
