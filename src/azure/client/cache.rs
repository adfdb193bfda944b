//! SKU lists kept between runs: a region's list has some ten megabytes and changes rarely.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::Client;
use super::cloud::Cloud;
use super::error::CloudError;
use crate::azure::arm::read::read_stream;
use crate::azure::facts::{FleetFacts, Weight};

/// How long a kept list is good.
pub const FRESH_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder of kept SKU lists, one file a cloud, subscription and region: subscriptions see different restrictions.
#[derive(Debug, Clone)]
pub struct SkuCache {
    folder: PathBuf,
    fresh_for: Duration,
}

impl SkuCache {
    /// A cache in `folder`, which need not exist.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            fresh_for: FRESH_FOR,
        }
    }

    /// The cache in the folder where the platform keeps such things; `None` when the user has no home folder.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        use etcetera::BaseStrategy;
        let strategy = etcetera::choose_base_strategy().ok()?;
        Some(Self::new(strategy.cache_dir().join("diskcap").join("skus")))
    }

    /// The same cache with another idea of fresh; zero reads nothing that is kept.
    #[must_use]
    pub const fn fresh_for(mut self, fresh_for: Duration) -> Self {
        self.fresh_for = fresh_for;
        self
    }

    /// The SKUs of a region: those kept, where they are fresh, else those of the service, which are then kept.
    ///
    /// A cache that cannot be read or written is no error: the service is asked instead.
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn skus(
        &self,
        client: &Client,
        cloud: Cloud,
        subscription: &str,
        region: &str,
    ) -> Result<FleetFacts, CloudError> {
        let file = self.file(cloud, subscription, region);
        if let Some(facts) = self.kept(&file) {
            return Ok(facts);
        }
        let (facts, bodies) = client.skus_with_bodies(subscription, region).await?;
        // The next run asks again where this fails.
        let _ = keep(&file, &bodies);
        Ok(facts)
    }

    fn file(&self, cloud: Cloud, subscription: &str, region: &str) -> PathBuf {
        let plain = |text: &str| -> String {
            text.chars()
                .map(|c| {
                    if c.is_ascii_alphanumeric() {
                        c.to_ascii_lowercase()
                    } else {
                        '-'
                    }
                })
                .collect()
        };
        self.folder.join(format!(
            "skus-{cloud}-{}-{}.json.gz",
            plain(subscription),
            plain(region)
        ))
    }

    fn kept(&self, file: &Path) -> Option<FleetFacts> {
        let age = SystemTime::now()
            .duration_since(file.metadata().ok()?.modified().ok()?)
            .unwrap_or_default();
        if age >= self.fresh_for {
            return None;
        }
        let mut text = Vec::new();
        MultiGzDecoder::new(fs::File::open(file).ok()?)
            .read_to_end(&mut text)
            .ok()?;
        let mut facts = FleetFacts::default();
        read_stream(
            text.as_slice(),
            file.display().to_string().into(),
            &mut facts,
        );
        let broken = facts
            .problems
            .iter()
            .any(|problem| problem.problem.weight() == Weight::Error);
        (!facts.skus.is_empty() && !broken).then_some(facts)
    }
}

/// Writes the pages one after another; the file appears whole or not at all.
fn keep(file: &Path, bodies: &[azure_core::Bytes]) -> io::Result<()> {
    let Some(folder) = file.parent() else {
        return Ok(());
    };
    fs::create_dir_all(folder)?;
    let mut gzip = GzEncoder::new(
        tempfile::NamedTempFile::new_in(folder)?,
        Compression::fast(),
    );
    for body in bodies {
        gzip.write_all(body)?;
        gzip.write_all(b"\n")?;
    }
    gzip.finish()?.persist(file).map_err(|error| error.error)?;
    Ok(())
}
