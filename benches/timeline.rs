//! What a day costs to simulate: 1,440 steps of a minute for 64 bursting disks on one VM.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use diskcap::catalog::Catalog;
use diskcap::deployment::{Deployment, DiskSpec, VolumeSpec};
use diskcap::planner::simulate;
use diskcap::units::{BlockSize, Iops, Seconds};
use diskcap::workload::{Demand, Io, Schedule, Step};

const VOLUMES: u32 = 64;
const MINUTES: u32 = 1440;

fn deployment() -> Deployment {
    let catalog = Catalog::embedded();
    let vm = catalog.vm("Standard_D64s_v5", None).ok();
    let volume = |index: u32| {
        let spec: DiskSpec = ["P10", "P20", "E20"][index as usize % 3]
            .parse()
            .expect("a tier");
        VolumeSpec {
            name: Some(format!("d{index}")),
            members: vec![spec],
        }
    };
    Deployment::new(catalog, vm, (0..VOLUMES).map(volume).collect()).expect("a deployment")
}

/// Demands between nothing and `most`, other ones each minute for each disk; blocks of 4 KiB, or of 1 to 64 KiB.
fn day(most: u32, blocks_vary: bool) -> Schedule {
    let load = |minute: u32, volume: u32| {
        // A multiplicative hash: spread out, and the same every time.
        let random = (minute * VOLUMES + volume).wrapping_mul(2_654_435_761) >> 8;
        let block = if blocks_vary {
            BlockSize::kib(1 + random % 64)
        } else {
            BlockSize::KIB_4
        };
        Io {
            block_size: block,
            demand: Demand::Iops(Iops::whole(random % most)),
            ..Io::RANDOM_4K
        }
    };
    let step = |minute: u32| Step {
        lasts: Seconds::whole(60),
        loads: (0..VOLUMES).map(|volume| load(minute, volume)).collect(),
    };
    Schedule::new((0..MINUTES).map(step).collect(), std::num::NonZeroU32::MIN).expect("a schedule")
}

fn timeline(c: &mut Criterion) {
    let catalog = Catalog::embedded();
    let deployment = deployment();
    for (name, schedule) in [
        ("everything fits", day(400, false)),
        ("disks throttle", day(2000, false)),
        ("disks and VM throttle", day(5000, false)),
        ("disks and VM throttle, blocks vary", day(5000, true)),
    ] {
        c.bench_function(&format!("timeline: a day of 64 disks, {name}"), |b| {
            b.iter(|| simulate(catalog, black_box(&deployment), black_box(&schedule)));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = timeline
}
criterion_main!(benches);
