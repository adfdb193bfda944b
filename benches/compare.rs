//! What comparing costs: `cargo bench --bench compare`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use diskcap::catalog::Catalog;
use diskcap::catalog::price::{Region, VmOffer, embedded};
use diskcap::compare::{DiskNeed, DiskQuestion, VmQuestion, compare_disks, compare_vms};
use diskcap::deployment::pattern::disks_named;
use diskcap::deployment::{DiskSpec, PlanRequest};
use diskcap::report::Report;
use diskcap::units::{GiB, Iops, MBps};

fn benches(c: &mut Criterion) {
    let catalog = Catalog::embedded();
    let Ok(book) = embedded(&Region::default_region()) else {
        return;
    };
    let Ok(tiers) = disks_named(catalog, "P*") else {
        return;
    };
    let on_vm = DiskQuestion {
        disks: tiers,
        plan: PlanRequest {
            vm: Some("Standard_D8s_v5".to_owned()),
            ..PlanRequest::default()
        },
        book: Some(&book),
        ..DiskQuestion::default()
    };
    c.bench_function("14 tiers on a size, with prices", |b| {
        b.iter(|| compare_disks(catalog, black_box(&on_vm)));
    });
    let need = DiskQuestion {
        need: Some(DiskNeed {
            capacity: Some(GiB::whole(2048)),
            iops: Some(Iops::whole(20_000)),
            block_size: None,
            mbps: Some(MBps::whole(500)),
            max_stripe: 16,
        }),
        book: Some(&book),
        ..DiskQuestion::default()
    };
    c.bench_function("cheapest of each family, stripes to 16", |b| {
        b.iter(|| compare_disks(catalog, black_box(&need)));
    });
    let disks = ["data=4xP30:cache=ro", "log=v2:size=256,iops=8000,mbps=400"];
    let every_size = VmQuestion {
        sizes: catalog.vms().iter().collect(),
        plan: PlanRequest {
            volumes: disks
                .iter()
                .filter_map(|text| text.parse::<DiskSpec>().ok())
                .map(Into::into)
                .collect(),
            ..PlanRequest::default()
        },
        book: Some(&book),
        offer: VmOffer::Linux,
    };
    c.bench_function("every size with 2 volumes, with prices", |b| {
        b.iter(|| compare_vms(catalog, black_box(&every_size)));
    });
    if let Ok(comparison) = compare_vms(catalog, &every_size) {
        c.bench_function("every size with 2 volumes, as a document", |b| {
            b.iter(|| black_box(&comparison).document());
        });
    }
}

criterion_group!(compare, benches);
criterion_main!(compare);
