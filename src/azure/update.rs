//! Refreshing the user's copy of the prices and, for who is signed in, of what regions sell.
//!
//! Everything is fetched before anything is written, and what is written becomes visible at once, when the manifest is
//! replaced. Whatever stops an update before that (a refusal, a broken page, a full disk, Ctrl-C) leaves the earlier
//! copy as it was.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::task::{JoinError, JoinSet};

use super::client::CloudError;
use super::region_skus::{FetchedSkus, SkuSource};
use super::retail::{FetchedRegion, RetailClient, RetailError};
use crate::catalog::price::{Currency, PriceError, Region, rows};
use crate::catalog::refresh::{Entry, Manifest, PriceFolder, RefreshError, SCHEMA, SkuEntry};

/// Why an update failed. The earlier copy is as it was.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// The prices of a region could not be fetched.
    #[error("prices of {region} not updated, the earlier ones are kept: {cause}")]
    Region {
        /// The region.
        region: Region,
        /// Why.
        cause: Box<RetailError>,
    },
    /// What a region sells could not be fetched.
    #[error("nothing updated, the earlier prices and SKUs are kept: what {region} sells: {cause}")]
    Skus {
        /// The region.
        region: Region,
        /// Why.
        cause: Box<CloudError>,
    },
    /// A region's list has no VM size.
    #[error(
        "nothing updated, the earlier prices and SKUs are kept: the list of {region} has no VM size; check the name of the region"
    )]
    NoSkus {
        /// The region.
        region: Region,
    },
    /// A file could not be written.
    #[error("prices not updated, the earlier ones are kept: {} cannot be written ({cause})", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The prices have no text form.
    #[error("prices not updated, the earlier ones are kept: {0}")]
    Text(#[from] PriceError),
    /// A task was stopped.
    #[error("prices not updated, the earlier ones are kept: a download was stopped ({0})")]
    Stopped(#[from] JoinError),
}

/// What an update writes with: the file system, or a stand-in that fails.
pub trait Files {
    /// Makes a folder and those above it.
    ///
    /// # Errors
    /// When it cannot.
    fn make_folder(&self, path: &Path) -> io::Result<()>;
    /// Writes a new file, down to the disk.
    ///
    /// # Errors
    /// When it cannot, or cannot wholly.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Replaces a file at once: a reader sees the old content or the new, whatever happens.
    ///
    /// # Errors
    /// When it cannot; the old content is still there.
    fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Removes a file.
    ///
    /// # Errors
    /// When it cannot.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct FileSystem;

impl Files for FileSystem {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = fs::File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// What to update.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// The regions.
    pub regions: Vec<Region>,
    /// The currency.
    pub currency: Currency,
    /// The time of the update.
    pub now: Timestamp,
    /// How many regions are fetched at once.
    pub at_once: usize,
}

/// What an update did.
#[derive(Debug)]
pub struct Updated {
    /// The new prices, sorted by region.
    pub regions: Vec<FetchedRegion>,
    /// What the regions sell, sorted by region; nothing where it was not asked.
    pub skus: Vec<FetchedSkus>,
    /// What the folder holds now.
    pub manifest: Manifest,
    /// What was wrong with the earlier copy, where something was; its other regions are gone.
    pub discarded: Option<RefreshError>,
}

impl Update {
    /// Fetches the prices and puts them into `folder`, in place of earlier ones of the same regions and currency.
    ///
    /// # Errors
    /// [`UpdateError`] when anything fails; the folder's earlier prices are then as they were.
    pub async fn run(
        &self,
        client: &RetailClient,
        folder: &PriceFolder,
        files: &impl Files,
    ) -> Result<Updated, UpdateError> {
        self.run_with(client, None, folder, files).await
    }

    /// Like [`run`](Self::run), and beside the prices fetches what the regions sell, where a source is given. Both
    /// take effect together, or neither does.
    ///
    /// # Errors
    /// [`UpdateError`] when anything fails; the folder's earlier data is then as it was.
    pub async fn run_with(
        &self,
        client: &RetailClient,
        skus: Option<&SkuSource<'_>>,
        folder: &PriceFolder,
        files: &impl Files,
    ) -> Result<Updated, UpdateError> {
        let fetched = Fetched {
            // The quick answer first: who is not signed in need not wait for the prices to hear it.
            skus: match skus {
                Some(source) => source.fetch(&self.distinct_regions(), self.at_once).await?,
                None => Vec::new(),
            },
            sku_source: skus.map_or("", |source| source.name).to_owned(),
            prices: self.fetch(client).await?,
            price_source: client.base().to_string(),
            now: self.now,
        };
        Store { folder, files }.put(fetched)
    }

    /// The regions, sorted and each once.
    fn distinct_regions(&self) -> Vec<Region> {
        let mut regions = self.regions.clone();
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    /// Fetches every region, some at once. The first failure stops the others.
    async fn fetch(&self, client: &RetailClient) -> Result<Vec<FetchedRegion>, UpdateError> {
        let day = TimeZone::UTC.to_datetime(self.now).date();
        let mut waiting = self.distinct_regions();
        waiting.reverse();
        let mut running = JoinSet::new();
        let mut fetched = Vec::with_capacity(waiting.len());
        loop {
            while running.len() < self.at_once.max(1) {
                let Some(region) = waiting.pop() else { break };
                let (client, currency) = (client.clone(), self.currency);
                running.spawn(async move {
                    let outcome = client.region(&region, currency, day).await;
                    outcome.map_err(|cause| UpdateError::Region {
                        region,
                        cause: Box::new(cause),
                    })
                });
            }
            match running.join_next().await {
                Some(outcome) => fetched.push(outcome??),
                None => break,
            }
        }
        fetched.sort_by(|a, b| a.book.info().region.cmp(&b.book.info().region));
        Ok(fetched)
    }
}

/// All that was fetched.
struct Fetched {
    prices: Vec<FetchedRegion>,
    price_source: String,
    skus: Vec<FetchedSkus>,
    sku_source: String,
    now: Timestamp,
}

/// Writes into a folder.
struct Store<'a, F> {
    folder: &'a PriceFolder,
    files: &'a F,
}

impl<F: Files> Store<'_, F> {
    fn put(&self, fetched: Fetched) -> Result<Updated, UpdateError> {
        let (old, discarded) = match self.folder.manifest() {
            Ok(manifest) => (manifest, None),
            Err(error) => (Manifest::default(), Some(error)),
        };
        let folder = self.folder.path();
        self.files
            .make_folder(folder)
            .map_err(|cause| write_error(folder, cause))?;
        let mut written = Vec::new();
        let outcome = self.commit(&old, &fetched, &mut written);
        match outcome {
            Ok(manifest) => {
                self.remove(stale(&old, &manifest));
                Ok(Updated {
                    regions: fetched.prices,
                    skus: fetched.skus,
                    manifest,
                    discarded,
                })
            }
            Err(error) => {
                self.remove(written);
                Err(error)
            }
        }
    }

    /// Writes the new files, then the manifest. The names of files begun are added to `written`.
    fn commit(
        &self,
        old: &Manifest,
        fetched: &Fetched,
        written: &mut Vec<String>,
    ) -> Result<Manifest, UpdateError> {
        let mut manifest = Manifest {
            schema: SCHEMA,
            ..old.clone()
        };
        for region in &fetched.prices {
            let entry = entry(region, &fetched.price_source, fetched.now, old);
            let texts = [
                rows::write_vms(&region.book)?,
                rows::write_disks(&region.book)?,
            ];
            for (name, text) in entry.files().into_iter().zip(texts) {
                self.write(name, &text, written)?;
            }
            manifest
                .books
                .retain(|old| (&old.region, old.currency) != (&entry.region, entry.currency));
            manifest.books.push(entry);
        }
        manifest
            .books
            .sort_by(|a, b| (&a.region, a.currency).cmp(&(&b.region, b.currency)));
        for region in &fetched.skus {
            let entry = sku_entry(region, &fetched.sku_source, fetched.now, old);
            let text = region.skus.to_json().map_err(|error| {
                write_error(&self.folder.path().join(&entry.file), error.into())
            })?;
            self.write(&entry.file, &text, written)?;
            manifest.skus.retain(|old| old.region != entry.region);
            manifest.skus.push(entry);
        }
        manifest.skus.sort_by(|a, b| a.region.cmp(&b.region));
        let path = self.folder.manifest_path();
        let text = serde_json::to_vec_pretty(&manifest)
            .map_err(|error| write_error(&path, error.into()))?;
        self.files
            .replace(&path, &text)
            .map_err(|cause| write_error(&path, cause))?;
        Ok(manifest)
    }

    /// Writes a new file.
    fn write(&self, name: &str, text: &[u8], written: &mut Vec<String>) -> Result<(), UpdateError> {
        written.push(name.to_owned());
        let path = self.folder.path().join(name);
        self.files
            .write(&path, text)
            .map_err(|cause| write_error(&path, cause))
    }

    /// Removes files that nothing names. One that stays behind does no harm.
    fn remove(&self, names: Vec<String>) {
        for name in names {
            let _ = self.files.remove(&self.folder.path().join(name));
        }
    }
}

fn write_error(path: &Path, cause: io::Error) -> UpdateError {
    UpdateError::Write {
        path: path.to_owned(),
        cause,
    }
}

/// The files that the old manifest names and the new one does not.
fn stale(old: &Manifest, new: &Manifest) -> Vec<String> {
    old.files()
        .filter(|name| !new.names(name))
        .map(str::to_owned)
        .collect()
}

/// The manifest's entry of a region, with names for its files that no earlier copy has.
fn entry(fetched: &FetchedRegion, source: &str, now: Timestamp, old: &Manifest) -> Entry {
    let info = fetched.book.info();
    let currency = info.currency.code().to_lowercase();
    let [vms_file, disks_file] = fresh_names(now, old, |stamp| {
        ["vms", "disks"].map(|table| format!("{}-{currency}-{stamp}-{table}.csv", info.region))
    });
    Entry {
        region: info.region.clone(),
        currency: info.currency,
        fetched_at: now,
        fetched_from: source.to_owned(),
        vm_prices_of: info.vm_prices_of,
        disk_prices_of: info.disk_prices_of,
        vm_sizes: fetched.book.vms().count(),
        disk_meters: fetched.book.disks().len(),
        items: fetched.tally.items(),
        vms_file,
        disks_file,
    }
}

/// The manifest's entry of what a region sells.
fn sku_entry(fetched: &FetchedSkus, source: &str, now: Timestamp, old: &Manifest) -> SkuEntry {
    let region = &fetched.region;
    let [file] = fresh_names(now, old, |stamp| [format!("{region}-{stamp}-skus.json")]);
    SkuEntry {
        region: region.clone(),
        fetched_at: now,
        fetched_from: source.to_owned(),
        vm_sizes: fetched.skus.vms.len(),
        disk_tiers: fetched.skus.tiers.len(),
        file,
    }
}

/// Names with a time in them that no earlier copy has.
fn fresh_names<const N: usize>(
    now: Timestamp,
    old: &Manifest,
    names: impl Fn(i64) -> [String; N],
) -> [String; N] {
    let mut stamp = now.as_millisecond();
    while names(stamp).iter().any(|name| old.names(name)) {
        stamp += 1;
    }
    names(stamp)
}
