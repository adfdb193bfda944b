//! The refreshed copy: prices, and what regions sell, that the user fetched later, kept in the user's cache folder.
//!
//! A manifest names, for each region and currency, the files of its prices, and for each region the file of what it
//! sells. New files get new names and the manifest
//! is replaced last and at once, so that a reader finds the old copy or the new one whole, never a mixture, whatever
//! stops a writer midway.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::price::{
    BookInfo, Currency, EMBEDDED_CURRENCY, PriceBook, PriceError, PriceSource, Region, embedded,
    embedded_info, rows,
};
use super::{Catalog, DataError, Dataset, RegionSkus};

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
    /// What regions sell, one entry a region, sorted; none where nobody was signed in.
    #[serde(default)]
    pub skus: Vec<SkuEntry>,
}

impl Default for Manifest {
    fn default() -> Self {
        Self {
            schema: SCHEMA,
            books: Vec::new(),
            skus: Vec::new(),
        }
    }
}

impl Manifest {
    /// Whether `file` is one of its files.
    pub(crate) fn names(&self, file: &str) -> bool {
        self.files().any(|name| name == file)
    }

    /// All its files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        let books = self.books.iter().flat_map(Entry::files);
        books.chain(self.skus.iter().map(|entry| entry.file.as_str()))
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

/// What one region sells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SkuEntry {
    /// The region.
    pub region: Region,
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// Where it was fetched from.
    pub fetched_from: String,
    /// How many VM sizes it has.
    pub vm_sizes: usize,
    /// How many disk tiers it has.
    pub disk_tiers: usize,
    /// The file, within the folder.
    pub file: String,
}

impl SkuEntry {
    /// Where its figures come from, and of what date they are.
    #[must_use]
    pub fn data(&self) -> Dataset {
        Dataset {
            source: format!("the Resource SKUs API, {}", self.region),
            date: TimeZone::UTC
                .to_datetime(self.fetched_at)
                .date()
                .to_string(),
        }
    }
}

/// Why the refreshed copy cannot be used. The embedded data still can.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// The system does not say where the user's cache is.
    #[error("no cache folder for refreshed data: {0}")]
    NoHome(String),
    /// A file cannot be read.
    #[error(
        "refreshed data: {} cannot be read ({cause}); make its folder readable, or name another one (data_dir in the \
         configuration, or DISKCAP_DATA_DIR)",
        .path.display()
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A file is not of the form.
    #[error("refreshed data: {} is damaged ({what}); `diskcap skus update` writes it anew", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Another version of the program wrote the folder.
    #[error(
        "refreshed data: {} has form {found}, this version reads {SCHEMA}; `diskcap skus update` writes it anew",
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

    /// What a region sells, as its entry says.
    ///
    /// # Errors
    /// [`RefreshError`] when it cannot be read or is damaged.
    pub fn skus(&self, entry: &SkuEntry) -> Result<RegionSkus, RefreshError> {
        let mut skus = RegionSkus::default();
        self.read_file(&entry.file, |text| {
            skus = serde_json::from_str(text)?;
            Ok::<_, serde_json::Error>(())
        })?;
        Ok(skus)
    }

    fn read_table(
        &self,
        name: &str,
        parse: impl FnMut(&str) -> Result<(), DataError>,
    ) -> Result<(), RefreshError> {
        self.read_file(name, parse)
    }

    fn read_file<E: std::fmt::Display>(
        &self,
        name: &str,
        mut parse: impl FnMut(&str) -> Result<(), E>,
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

/// The catalogue to reckon with: the embedded one, and over it what regions sell by the refreshed copy in `folder`,
/// oldest first. `None` where the embedded one stands alone. What is older than that, or damaged, is set aside.
#[must_use]
pub fn catalog(folder: &PriceFolder) -> (Option<Catalog>, Option<RefreshError>) {
    let embedded = Catalog::embedded();
    let mut catalog: Option<Catalog> = None;
    let mut manifest = match folder.manifest() {
        Ok(manifest) => manifest,
        Err(error) => return (None, Some(error)),
    };
    manifest.skus.sort_by_key(|entry| entry.fetched_at);
    let mut set_aside = None;
    for entry in &manifest.skus {
        let data = entry.data();
        // Both are dates as YYYY-MM-DD.
        if data.date < embedded.info().vm_sizes.date {
            continue;
        }
        match folder.skus(entry) {
            Ok(skus) => {
                let below = catalog.unwrap_or_else(|| embedded.clone());
                catalog = Some(below.with_region(skus, data));
            }
            Err(error) => set_aside = Some(error),
        }
    }
    (catalog, set_aside)
}
