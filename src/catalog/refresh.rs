//! The refreshed copy: prices that the user fetched later, kept in the user's cache folder.
//!
//! A manifest names, for each region and currency, the files of its prices. New files get new names and the manifest
//! is replaced last and at once, so that a reader finds the old copy or the new one whole, never a mixture, whatever
//! stops a writer midway.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::DataError;
use super::price::{
    BookInfo, Currency, EMBEDDED_CURRENCY, PriceBook, PriceError, PriceSource, Region, embedded,
    embedded_info, rows,
};

/// The form of manifest and price files that this version writes and reads.
pub const SCHEMA: u32 = 1;

/// The name of the manifest in the folder.
const MANIFEST: &str = "manifest.json";

/// What the folder holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The form of manifest and price files.
    pub schema: u32,
    /// One entry a region and currency, sorted by both.
    pub books: Vec<Entry>,
}

impl Default for Manifest {
    fn default() -> Self {
        Self {
            schema: SCHEMA,
            books: Vec::new(),
        }
    }
}

impl Manifest {
    /// Whether `file` is one of its files.
    pub(crate) fn names(&self, file: &str) -> bool {
        self.books.iter().any(|entry| entry.files().contains(&file))
    }
}

/// The prices of one region in one currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The region.
    pub region: Region,
    /// The currency.
    pub currency: Currency,
    /// When they were fetched.
    pub fetched_at: Timestamp,
    /// Where they were fetched from.
    pub fetched_from: String,
    /// The day of the VM prices; `None` where there are none.
    pub vm_prices_of: Option<Date>,
    /// The day of the disk prices; `None` where there are none.
    pub disk_prices_of: Option<Date>,
    /// How many VM sizes have a price.
    pub vm_sizes: usize,
    /// How many disk meters have a price.
    pub disk_meters: usize,
    /// How many items of the price list they were made from.
    pub items: usize,
    /// The file of the VM prices, within the folder.
    pub vms_file: String,
    /// The file of the disk prices, within the folder.
    pub disks_file: String,
}

impl Entry {
    fn is_for(&self, region: &Region, currency: Currency) -> bool {
        self.region == *region && self.currency == currency
    }

    /// The files of the entry.
    pub(crate) fn files(&self) -> [&str; 2] {
        [&self.vms_file, &self.disks_file]
    }
}

/// Why the refreshed copy cannot be used. The embedded prices still can.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// The system does not say where the user's cache is.
    #[error("no cache folder for refreshed prices: {0}")]
    NoHome(String),
    /// A file cannot be read.
    #[error("refreshed prices: {} cannot be read ({cause}); `diskcap skus update` writes it anew", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A file is not of the form.
    #[error("refreshed prices: {} is damaged ({what}); `diskcap skus update` writes it anew", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Another version of the program wrote the folder.
    #[error(
        "refreshed prices: {} has form {found}, this version reads {SCHEMA}; `diskcap skus update` writes it anew",
        .path.display()
    )]
    OtherSchema {
        /// The manifest.
        path: PathBuf,
        /// Its form.
        found: u32,
    },
}

/// A folder with refreshed prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceFolder(PathBuf);

impl PriceFolder {
    /// The folder at `path`. It need not exist.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The folder in the user's cache, where the platform keeps such things.
    ///
    /// # Errors
    /// [`RefreshError::NoHome`] when the user has no home folder.
    pub fn of_user() -> Result<Self, RefreshError> {
        let strategy =
            choose_base_strategy().map_err(|error| RefreshError::NoHome(error.to_string()))?;
        Ok(Self(strategy.cache_dir().join("diskcap").join("prices")))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where its manifest is.
    #[must_use]
    pub fn manifest_path(&self) -> PathBuf {
        self.0.join(MANIFEST)
    }

    /// What the folder holds: nothing where it does not exist.
    ///
    /// # Errors
    /// [`RefreshError`] when the manifest cannot be read, is damaged or of another form.
    pub fn manifest(&self) -> Result<Manifest, RefreshError> {
        /// The part of a manifest that every form has.
        #[derive(Deserialize)]
        struct Form {
            schema: u32,
        }
        let path = self.manifest_path();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Manifest::default()),
            Err(cause) => return Err(RefreshError::Read { path, cause }),
        };
        let damaged = |error: serde_json::Error| RefreshError::Damaged {
            path: path.clone(),
            what: error.to_string(),
        };
        let form: Form = serde_json::from_str(&text).map_err(damaged)?;
        if form.schema != SCHEMA {
            return Err(RefreshError::OtherSchema {
                path,
                found: form.schema,
            });
        }
        serde_json::from_str(&text).map_err(damaged)
    }

    /// The refreshed prices of a region in a currency; `None` where there are none.
    ///
    /// # Errors
    /// [`RefreshError`] when they cannot be read or are damaged.
    pub fn book(
        &self,
        region: &Region,
        currency: Currency,
    ) -> Result<Option<PriceBook>, RefreshError> {
        let manifest = self.manifest()?;
        let entry = manifest
            .books
            .iter()
            .find(|entry| entry.is_for(region, currency));
        entry.map(|entry| self.read(entry)).transpose()
    }

    fn read(&self, entry: &Entry) -> Result<PriceBook, RefreshError> {
        let mut book = PriceBook::new(BookInfo {
            region: entry.region.clone(),
            currency: entry.currency,
            vm_prices_of: entry.vm_prices_of,
            disk_prices_of: entry.disk_prices_of,
            source: PriceSource::Refreshed,
        });
        let [vms, disks] = entry.files();
        self.read_table(vms, |text| rows::read_vms(vms, text, &mut book))?;
        self.read_table(disks, |text| rows::read_disks(disks, text, &mut book))?;
        Ok(book)
    }

    fn read_table(
        &self,
        name: &str,
        mut parse: impl FnMut(&str) -> Result<(), DataError>,
    ) -> Result<(), RefreshError> {
        let path = self.0.join(name);
        let damaged = |what: String| RefreshError::Damaged {
            path: path.clone(),
            what,
        };
        if Path::new(name)
            .file_name()
            .is_none_or(|plain| plain != name)
        {
            return Err(damaged("the name leads out of the folder".to_owned()));
        }
        let text = fs::read_to_string(&path).map_err(|cause| RefreshError::Read {
            path: path.clone(),
            cause,
        })?;
        parse(&text).map_err(|error| damaged(error.to_string()))
    }
}

/// The prices to use, and what stood in the way of better ones.
#[derive(Debug)]
pub struct Prices {
    /// The prices.
    pub book: PriceBook,
    /// Why the refreshed copy was not looked at, where it should have been: worth a warning.
    pub set_aside: Option<RefreshError>,
}

/// The newest prices of a region in a currency: the refreshed copy in `folder` where it is at least as new as the
/// embedded snapshot, else the snapshot. A damaged copy is set aside.
///
/// # Errors
/// [`PriceError::UnknownRegion`] with the nearest names, [`PriceError::OtherCurrency`] when only the embedded prices
/// know the region, and in another currency.
pub fn prices(
    region: &Region,
    currency: Currency,
    folder: Option<&PriceFolder>,
) -> Result<Prices, PriceError> {
    let (refreshed, set_aside) = match folder.map(|folder| folder.book(region, currency)) {
        Some(Ok(book)) => (book, None),
        Some(Err(error)) => (None, Some(error)),
        None => (None, None),
    };
    let snapshot = embedded_info(region).filter(|_| currency == EMBEDDED_CURRENCY);
    let newest = |info: &BookInfo| info.vm_prices_of.max(info.disk_prices_of);
    let book = match (refreshed, snapshot) {
        (Some(book), Some(info)) if newest(&info) > newest(book.info()) => embedded(region)?,
        (Some(book), _) => book,
        (None, Some(_)) => embedded(region)?,
        (None, None) if embedded_info(region).is_some() => {
            return Err(PriceError::OtherCurrency {
                region: region.clone(),
                currency,
            });
        }
        (None, None) => embedded(region)?,
    };
    Ok(Prices { book, set_aside })
}
