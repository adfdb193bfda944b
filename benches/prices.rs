//! What money costs: unpacking one region's prices, and asking them.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use diskcap::catalog::price::{
    BilledDisk, DiskUse, Need, Region, VmOffer, alternatives, diff, embedded,
};
use diskcap::catalog::{Catalog, Redundancy};
use diskcap::units::{GiB, Iops, MBps};

fn prices(c: &mut Criterion) {
    let region = Region::default_region();
    c.bench_function("prices: unpack one region", |b| {
        b.iter(|| embedded(black_box(&region)));
    });
    let Ok(book) = embedded(&region) else {
        return;
    };
    c.bench_function("prices: bill of a VM", |b| {
        b.iter(|| book.vm_bill(black_box("Standard_D2s_v3"), VmOffer::Linux));
    });
    if let Ok(tier) = "P30".parse() {
        let disk = BilledDisk::tiered(tier, Redundancy::Lrs);
        c.bench_function("prices: bill of a disk", |b| {
            b.iter(|| book.disk_bill(black_box(&disk), &DiskUse::default()));
        });
    }
    let need = Need {
        size: GiB::whole(1024),
        iops: Iops::whole(7500),
        block_size: None,
        mbps: MBps::whole(250),
        redundancy: Redundancy::Lrs,
        max_shares: 1,
        hours: None,
        most_disks: 16,
    };
    c.bench_function("prices: every way to a need", |b| {
        b.iter(|| alternatives(Catalog::embedded(), &book, black_box(&need)));
    });
    let Ok(other) = embedded(&Region::new("westeurope")) else {
        return;
    };
    c.bench_function("prices: difference of two books", |b| {
        b.iter(|| diff(black_box(&book), &other));
    });
}

criterion_group!(benches, prices);
criterion_main!(benches);
