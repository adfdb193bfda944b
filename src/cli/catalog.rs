//! The catalogue that commands reckon with.

use std::sync::OnceLock;

use super::config::Settings;
use super::failure::say;
use diskcap::catalog::Catalog;
use diskcap::catalog::refresh;

/// The embedded catalogue with what `skus update` brought laid over it. A copy that cannot be used is said once.
pub fn catalog(settings: &Settings) -> &'static Catalog {
    static REFRESHED: OnceLock<Option<Catalog>> = OnceLock::new();
    let refreshed = REFRESHED.get_or_init(|| {
        let folder = settings.price_folder().ok()?;
        let (catalog, set_aside) = refresh::catalog(&folder);
        if let Some(error) = set_aside {
            say(&format!(
                "warning: refreshed VM sizes and disks are not used: {error}"
            ));
        }
        catalog
    });
    refreshed.as_ref().unwrap_or_else(|| Catalog::embedded())
}
