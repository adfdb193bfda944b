//! The flags that ask for money.

use clap::{Args, ValueEnum};
use jiff::{Timestamp, tz::TimeZone};

use super::failure::{Failure, say};
use diskcap::catalog::price::{Currency, PriceBook, Region, VmOffer};
use diskcap::catalog::refresh::{PriceFolder, prices};

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
    /// Region of the prices; without one that of the plan file, else eastus
    #[arg(long, value_name = "REGION", env = "DISKCAP_REGION")]
    pub region: Option<String>,
    /// Currency of the prices, such as EUR; other ones than USD after `diskcap skus update --currency`
    #[arg(long, value_name = "CODE")]
    pub currency: Option<Currency>,
    /// How the VM is bought
    #[arg(long, value_name = "OFFER")]
    pub offer: Option<OfferArg>,
    /// Warn when the prices are older than so many days
    #[arg(long, value_name = "DAYS")]
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
    pub fn book(&self, planned: Option<&str>) -> Result<Option<PriceBook>, Failure> {
        let wanted = !self.no_prices;
        wanted.then(|| self.prices.book(planned)).transpose()
    }
}

impl PriceArgs {
    /// How the VM is bought.
    pub fn offer(&self) -> VmOffer {
        self.offer.map_or(VmOffer::Linux, VmOffer::from)
    }

    /// The region asked for, else `planned`, else the default region.
    pub fn region(&self, planned: Option<&str>) -> Region {
        let region = self.region.as_deref().or(planned);
        region.map_or_else(Region::default_region, Region::new)
    }

    /// The prices to reckon with: of the region asked for, else `planned`, else the default region.
    pub fn book(&self, planned: Option<&str>) -> Result<PriceBook, Failure> {
        let region = self.region(planned);
        let currency = self
            .currency
            .unwrap_or(diskcap::catalog::price::EMBEDDED_CURRENCY);
        let folder = PriceFolder::of_user().ok();
        let found = prices(&region, currency, folder.as_ref())?;
        if let Some(error) = found.set_aside {
            say(&format!(
                "warning: the refreshed prices are not used: {error}"
            ));
        }
        self.warn_of_age(&found.book);
        Ok(found.book)
    }

    fn warn_of_age(&self, book: &PriceBook) {
        let age = book
            .info()
            .age_days(TimeZone::UTC.to_datetime(Timestamp::now()).date());
        if let (Some(age), Some(most)) = (age, self.max_age)
            && age > most
        {
            say(&format!(
                "warning: prices are {age} days old; `diskcap skus update` fetches new ones"
            ));
        }
    }
}
