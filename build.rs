//! Packs the price tables of `sku-data/` for embedding: one deflated block a region and table, and an index of them,
//! so that a run that asks for money unpacks one region only. The tables themselves stay plain text in the repository.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The rows of a table by region, each block with the head line, both without the region column.
fn by_region(path: &Path) -> Result<BTreeMap<String, String>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let mut lines = text.lines();
    let head = lines.next().and_then(|head| head.strip_prefix("region,"));
    let head =
        head.ok_or_else(|| format!("{}: the first column must be region", path.display()))?;
    let mut blocks: BTreeMap<String, String> = BTreeMap::new();
    for line in lines {
        let (region, rest) = line
            .split_once(',')
            .ok_or_else(|| format!("{}: '{line}' has one column only", path.display()))?;
        let block = blocks
            .entry(region.to_owned())
            .or_insert_with(|| format!("{head}\n"));
        writeln!(block, "{rest}")?;
    }
    Ok(blocks)
}

/// Appends `text`, deflated, to `blob`; where it lies there, as a Rust range.
fn pack(text: Option<&String>, blob: &mut Vec<u8>) -> Result<String, Box<dyn Error>> {
    let start = blob.len();
    if let Some(text) = text {
        let mut encoder = DeflateEncoder::new(&mut *blob, Compression::best());
        encoder.write_all(text.as_bytes())?;
        encoder.finish()?;
    }
    Ok(format!("{start}..{}", blob.len()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let data = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("sku-data");
    let out = env::var("OUT_DIR")?;
    let tables = [
        "azure-vm-prices.csv",
        "azure-disk-prices.csv",
        "azure-price-regions.csv",
    ];
    for table in tables {
        println!("cargo::rerun-if-changed=sku-data/{table}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    let [vms, disks, _] = tables;
    let vms = by_region(&data.join(vms))?;
    let disks = by_region(&data.join(disks))?;

    let mut blob = Vec::new();
    let mut index = String::from("&[\n");
    let regions = fs::read_to_string(data.join("azure-price-regions.csv"))?;
    let mut known = Vec::new();
    for line in regions.lines().skip(1) {
        let [region, vms_of, disks_of] = line.split(',').collect::<Vec<_>>()[..] else {
            return Err(format!("azure-price-regions.csv: '{line}' has not three columns").into());
        };
        let vms = pack(vms.get(region), &mut blob)?;
        let disks = pack(disks.get(region), &mut blob)?;
        writeln!(
            index,
            "    Block {{ region: {region:?}, vms: {vms}, disks: {disks}, vms_of: {vms_of:?}, disks_of: {disks_of:?} }},"
        )?;
        known.push(region.to_owned());
    }
    index.push(']');
    if let Some(region) = vms
        .keys()
        .chain(disks.keys())
        .find(|region| !known.contains(region))
    {
        return Err(format!("azure-price-regions.csv lacks {region}").into());
    }
    fs::write(Path::new(&out).join("prices.bin"), blob)?;
    fs::write(Path::new(&out).join("price_index.rs"), index)?;
    Ok(())
}
