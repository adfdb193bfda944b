//! What a recommendation costs over the whole catalogue: `cargo bench --bench recommend`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use diskcap::catalog::Catalog;
use diskcap::catalog::price::{Region, VmOffer, embedded};
use diskcap::recommend::{Market, Need, VolumeNeed, recommend};

const ONE: [&str; 1] = ["data:size=2TiB,iops=20000,mbps=500"];
const THREE: [&str; 3] = [
    "data:size=2TiB,iops=20000,mbps=500,read=70%,hit=50%",
    "log:size=256,mbps=150,block=60KiB,read=0,latency=1ms",
    "tempdb:size=512,iops=8000,block=8KiB,read=50%,hit=30%",
];

fn need(volumes: &[&str]) -> Need {
    let volumes = volumes.iter().filter_map(|v| v.parse::<VolumeNeed>().ok());
    Need::new(volumes.collect())
}

fn benches(c: &mut Criterion) {
    let Ok(book) = embedded(&Region::default_region()) else {
        return;
    };
    let market = Market {
        catalog: Catalog::embedded(),
        book: &book,
        offer: VmOffer::Linux,
    };
    let mut impossible = need(&["data:size=2TiB,iops=300000"]);
    impossible.size.series = vec!["Dsv*".to_owned()];
    let mut wide = need(&THREE);
    wide.max_stripe = 16;
    for (name, need) in [
        ("one volume", need(&ONE)),
        ("three volumes", need(&THREE)),
        ("three volumes, stripes of up to 16", wide),
        ("one volume that nothing delivers, with blame", impossible),
    ] {
        c.bench_function(name, |b| {
            b.iter(|| recommend(black_box(&market), black_box(&need), 5));
        });
    }
}

criterion_group!(recommend_benches, benches);
criterion_main!(recommend_benches);
