//! The copies on disk: full disks, damage, several of them.

use std::cell::Cell;
use std::io;
use std::path::Path;

use diskcap::azure::update::{FileSystem, Files};
use diskcap::catalog::price::{Currency, PriceError, Region, embedded};
use diskcap::catalog::refresh::{PriceFolder, RefreshError, prices};
use tempfile::TempDir;

use crate::fixtures::{FIRST, Place, SECOND, client, server, update};

/// A file system that is full after so many writes; the write that fails leaves half of its file.
struct FullAfter {
    left: Cell<usize>,
}

impl FullAfter {
    fn take(&self) -> io::Result<()> {
        let left = self
            .left
            .get()
            .checked_sub(1)
            .ok_or(io::ErrorKind::StorageFull)?;
        self.left.set(left);
        Ok(())
    }
}

impl Files for FullAfter {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        FileSystem.make_folder(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.take().inspect_err(|_| {
            std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        })?;
        FileSystem.write(path, bytes)
    }

    fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.take()?;
        FileSystem.replace(path, bytes)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        FileSystem.remove(path)
    }
}

#[tokio::test]
async fn a_full_disk_changes_nothing_wherever_it_strikes() {
    let place = Place::with_earlier().await;
    let server = server(&[("eastus", 130.0, 0.15), ("westus", 131.0, 0.16)]).await;
    // four files of two regions, then the manifest
    for room in 0..5 {
        let files = FullAfter {
            left: Cell::new(room),
        };
        let update = update(&["eastus", "westus"], SECOND);
        let error = update
            .run(&client(&server.uri()), &place.folder, &files)
            .await
            .unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with("prices not updated, the earlier ones are kept: "),
            "{error}"
        );
        assert!(
            error.ends_with("cannot be written (no storage space)"),
            "{error}"
        );
        place.assert_untouched();
    }
    let files = FullAfter { left: Cell::new(5) };
    let update = update(&["eastus", "westus"], SECOND);
    update
        .run(&client(&server.uri()), &place.folder, &files)
        .await
        .unwrap();
    assert_eq!(place.p30("eastus"), 130.0);
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let folder = PriceFolder::at(file.join("prices"));
    let server = server(&[("eastus", 130.0, 0.15)]).await;
    let outcome = update(&["eastus"], FIRST)
        .run(&client(&server.uri()), &folder, &FileSystem)
        .await;
    let error = outcome.unwrap_err().to_string();
    assert!(
        error.contains(&folder.path().display().to_string()),
        "{error}"
    );
}

#[tokio::test]
async fn a_damaged_copy_is_set_aside_and_written_anew() {
    let place = Place::with_earlier().await;
    let eastus = Region::new("eastus");
    let snapshot = embedded(&eastus).unwrap();
    let read = || prices(&eastus, Currency::USD, Some(&place.folder)).unwrap();
    let manifest = std::fs::read_to_string(place.folder.manifest_path()).unwrap();
    let write = |text: &str| std::fs::write(place.folder.manifest_path(), text).unwrap();

    write(&manifest[..40]);
    let found = read();
    assert!(matches!(
        found.set_aside,
        Some(RefreshError::Damaged { .. })
    ));
    assert_eq!(found.book, snapshot);

    write(&manifest.replace("\"schema\": 1", "\"schema\": 9"));
    assert!(matches!(
        read().set_aside,
        Some(RefreshError::OtherSchema { found: 9, .. })
    ));

    write(&manifest.replace("\"vms_file\": \"", "\"vms_file\": \"../"));
    assert!(matches!(
        read().set_aside,
        Some(RefreshError::Damaged { .. })
    ));

    write(&manifest);
    let entry = place.folder.manifest().unwrap().books[0].clone();
    let vms = place.folder.path().join(&entry.vms_file);
    let text = std::fs::read_to_string(&vms).unwrap();
    std::fs::write(&vms, text.replace("0.11", "0.0")).unwrap();
    let error = read().set_aside.unwrap().to_string();
    assert!(
        error.contains("column 'linux': '0.0' is not a price above 0"),
        "{error}"
    );
    std::fs::remove_file(&vms).unwrap();
    assert!(matches!(read().set_aside, Some(RefreshError::Read { .. })));

    write("{}");
    let server = server(&[("eastus", 130.0, 0.15)]).await;
    let updated = place.run(&server.uri(), &["eastus"], SECOND).await.unwrap();
    assert!(matches!(
        updated.discarded,
        Some(RefreshError::Damaged { .. })
    ));
    assert_eq!(place.p30("eastus"), 130.0);
}

#[tokio::test]
async fn the_newer_of_two_copies_holds() {
    let place = Place::new();
    let server = server(&[("eastus", 99.0, 0.15)]).await;
    // older than the embedded snapshot
    place
        .run(&server.uri(), &["eastus"], "2026-02-01T00:00:00Z")
        .await
        .unwrap();
    assert_eq!(place.p30("eastus"), 135.17);
}

#[test]
fn other_currencies_and_regions_are_asked_for_by_name() {
    let of = |region: &str, currency: &str| {
        prices(&Region::new(region), currency.parse().unwrap(), None)
    };
    assert_eq!(
        of("eastus", "EUR").unwrap_err().to_string(),
        "no EUR prices of eastus: the embedded prices are in USD; \
         `diskcap skus update --region eastus --currency EUR` fetches them"
    );
    assert!(matches!(
        of("eastsu", "USD"),
        Err(PriceError::UnknownRegion { .. })
    ));
    assert!(of("eastus", "USD").is_ok());
}
