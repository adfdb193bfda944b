//! What the catalogue costs: reading it, and asking it.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use diskcap::catalog::{Catalog, DiskRequest, Family, Parts};
use diskcap::units::GiB;

fn catalog(c: &mut Criterion) {
    c.bench_function("catalog: read all embedded files", |b| {
        b.iter(|| Catalog::from_parts(black_box(&Parts::EMBEDDED)));
    });
    let catalog = Catalog::embedded();
    c.bench_function("catalog: look a VM size up", |b| {
        b.iter(|| catalog.vm(black_box("d2s v3"), None));
    });
    c.bench_function("catalog: answer an unknown VM size", |b| {
        b.iter(|| catalog.vm(black_box("Standrad_D2s_v33"), None));
    });
    let request = DiskRequest {
        size: Some(GiB::whole(100)),
        ..DiskRequest::new(Family::PremiumSsd)
    };
    c.bench_function("catalog: resolve a disk", |b| {
        b.iter(|| catalog.disk(black_box(&request)));
    });
}

criterion_group!(benches, catalog);
criterion_main!(benches);
