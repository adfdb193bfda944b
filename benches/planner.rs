//! What planning costs: `cargo bench --bench planner`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use diskcap::catalog::Catalog;
use diskcap::deployment::{Deployment, DiskSpec, VolumeSpec};
use diskcap::planner::{Phase, System, assess, evaluate};
use diskcap::workload::{Io, Workload};

fn disks() -> Vec<VolumeSpec> {
    [
        "os=P10:os,cache=rw",
        "data=2xP30:cache=ro",
        "log=v2:size=256,iops=8000,mbps=400",
        "backup=E30",
    ]
    .iter()
    .filter_map(|text| text.parse::<DiskSpec>().ok())
    .map(VolumeSpec::from)
    .collect()
}

fn benches(c: &mut Criterion) {
    let catalog = Catalog::embedded();
    let Ok(vm) = catalog.vm("Standard_E8ds_v5", None) else {
        return;
    };
    let Ok(deployment) = Deployment::new(catalog, Some(vm), disks()) else {
        return;
    };
    let loads = vec![Io::RANDOM_4K; deployment.volumes.len()];
    let system = System::new(&deployment, &loads);
    c.bench_function("evaluate 4 volumes, one phase", |b| {
        b.iter(|| evaluate(black_box(&system), Phase::Sustained));
    });
    c.bench_function("system and evaluate 4 volumes, both phases", |b| {
        b.iter(|| {
            let system = System::new(black_box(&deployment), &loads);
            (
                evaluate(&system, Phase::Burst),
                evaluate(&system, Phase::Sustained),
            )
        });
    });
    let workloads = Workload::standard_set(deployment.volumes.len());
    c.bench_function("assess 4 volumes, standard set, with findings", |b| {
        b.iter(|| assess(catalog, black_box(&deployment), &workloads));
    });
    c.bench_function("evaluate every size with 4 volumes", |b| {
        b.iter(|| {
            let sizes = catalog.vms().iter().filter_map(|vm| {
                let mut other = deployment.clone();
                other.vm = Some(vm.clone());
                let system = System::new(&other, &loads);
                evaluate(&system, Phase::Sustained).outcomes[0].iops
            });
            sizes.count()
        });
    });
}

criterion_group!(planner, benches);
criterion_main!(planner);
