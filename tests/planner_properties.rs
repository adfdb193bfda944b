//! What must hold of every plan, whatever the disks and the workload.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

mod common;

use common::{check_disks_of_fixes, close};
use diskcap::catalog::{Axis, Catalog, Limits, VmSize};
use diskcap::deployment::{Deployment, DiskSpec, HostCaching, PlanRequest, VolumeSpec};
use diskcap::planner::evaluate::{Allocation, Bottleneck, evaluate};
use diskcap::planner::{Phase, System, assess};
use diskcap::units::{BlockSize, Iops, MBps, QueueDepth, Share};
use diskcap::workload::{Demand, Io, Pattern, Workload};
use proptest::prelude::*;

const SIZES: [&str; 8] = [
    "Standard_D2s_v3",
    "Standard_D8s_v3",
    "Standard_L8s_v2",
    "Standard_E8bds_v5",
    "Standard_D8s_v6",
    "Standard_B2ms",
    "Standard_DS3_v2",
    "Standard_D64ds_v5",
];

const DISKS: [&str; 14] = [
    "P10",
    "P20",
    "P30",
    "P30:burst=on",
    "P30:perfplus",
    "P50",
    "P60",
    "E30",
    "S40",
    "2xP30",
    "4xP20",
    "v2:size=200,iops=20000,mbps=600",
    "ultra:size=512,iops=50000,mbps=2000",
    "custom:iops=9000,mbps=700,latency=2ms",
];

fn io() -> impl Strategy<Value = Io> {
    let block = prop_oneof![
        Just(4096_u64),
        Just(8192),
        Just(65_536),
        Just(262_144),
        Just(262_145),
        Just(1 << 20),
        1_u64..2_000_000
    ];
    let depth = prop_oneof![Just(None), (1_u32..600).prop_map(Some)];
    let demand = prop_oneof![
        3 => Just(Demand::Max),
        1 => (0_u32..60_000).prop_map(|n| Demand::Iops(Iops::whole(n))),
        1 => (0_u32..2000).prop_map(|n| Demand::Mbps(MBps::whole(n))),
    ];
    (block, 0_u8..=100, 0_u8..=100, depth, demand).prop_map(|(block, read, hit, depth, demand)| {
        Io {
            pattern: Pattern::Random,
            block_size: BlockSize::from_bytes(block).unwrap(),
            read_share: Share::percent(read),
            hit_share: Share::percent(hit),
            queue_depth: depth.and_then(QueueDepth::new),
            demand,
        }
    })
}

fn caching() -> impl Strategy<Value = HostCaching> {
    prop_oneof![
        Just(HostCaching::None),
        Just(HostCaching::ReadOnly),
        Just(HostCaching::ReadWrite)
    ]
}

type Part = (usize, HostCaching, Io);

fn parts() -> impl Strategy<Value = Vec<Part>> {
    prop::collection::vec((0..DISKS.len(), caching(), io()), 1..7)
}

fn size(index: usize) -> VmSize {
    Catalog::embedded().vm(SIZES[index], None).unwrap().clone()
}

fn deployment(vm: &VmSize, parts: &[Part]) -> (Deployment, Vec<Io>) {
    let volumes = parts.iter().map(|(disk, caching, _)| {
        let mut spec: DiskSpec = DISKS[*disk].parse().unwrap();
        spec.caching = Some(*caching);
        VolumeSpec::from(spec)
    });
    let deployment = Deployment::new(Catalog::embedded(), Some(vm), volumes.collect()).unwrap();
    (deployment, parts.iter().map(|(.., io)| *io).collect())
}

fn rate(allocation: &Allocation, flow: usize) -> f64 {
    allocation.outcomes[flow]
        .iops
        .map_or(f64::INFINITY, Iops::get)
}

/// Weighted rates, ascending: what max-min fairness makes as large as it can, the smallest first.
fn fairness(system: &System, phase: Phase) -> Vec<f64> {
    let allocation = evaluate(system, phase);
    let mut levels: Vec<f64> = (0..system.flows.len())
        .map(|flow| rate(&allocation, flow) / system.flows[flow].weight)
        .collect();
    levels.sort_by(f64::total_cmp);
    levels
}

fn lexicographically_at_least(a: &[f64], b: &[f64]) -> bool {
    for (x, y) in a.iter().zip(b) {
        let slack = 1e-9 * y.abs().max(1.0);
        if *x > y + slack {
            return true;
        }
        if *x < y - slack {
            return false;
        }
    }
    true
}

fn raise(limits: &mut Limits, factor: f64) {
    limits.iops = limits.iops.map(|v| Iops::new(v.get() * factor).unwrap());
    limits.mbps = limits.mbps.map(|v| MBps::new(v.get() * factor).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn what_was_assessed_can_be_planned_again(vm in 0..SIZES.len(), parts in parts()) {
        let (catalog, (deployment, loads)) = (Catalog::embedded(), deployment(&size(vm), &parts));
        let workload = Workload { loads, ..Workload::standard_set(parts.len()).remove(0) };
        let first = assess(catalog, &deployment, &[Workload { name: "as given".to_owned(), ..workload }]);
        let request = PlanRequest { file: first.replan().unwrap().plan, ..PlanRequest::default() };
        let again = request.build(catalog).unwrap();
        let again = assess(catalog, &again.deployment, &again.workloads);
        for (one, other) in first.workloads[0].volumes.iter().zip(&again.workloads[0].volumes) {
            prop_assert_eq!(one.together, other.together);
        }
        for (one, other) in first.volumes.iter().zip(&again.volumes) {
            prop_assert_eq!((&one.name, one.members, one.provisioned), (&other.name, other.members, other.provisioned));
        }
    }

    #[test]
    fn no_resource_is_used_beyond_its_capacity_and_uses_add_up(vm in 0..SIZES.len(), parts in parts()) {
        let (deployment, loads) = deployment(&size(vm), &parts);
        let system = System::new(&deployment, &loads);
        for phase in Phase::ALL {
            let allocation = evaluate(&system, phase);
            for (index, resource) in system.resources.iter().enumerate() {
                let sum: f64 = system
                    .flows
                    .iter()
                    .enumerate()
                    .flat_map(|(flow, f)| f.uses(phase).iter().map(move |u| (flow, u)))
                    .filter(|(_, used)| used.resource == index)
                    .map(|(flow, used)| rate(&allocation, flow) * used.per_io)
                    .sum();
                let used = allocation.used[index].unwrap();
                close(used, sum, 1e-6 * sum.max(1.0));
                if let Some(capacity) = resource.capacity(phase) {
                    prop_assert!(used <= capacity * (1.0 + 1e-9), "{resource:?} carries {used}");
                }
            }
        }
    }

    #[test]
    fn whoever_gets_less_than_asked_sits_on_the_limit_that_is_named(vm in 0..SIZES.len(), parts in parts()) {
        let (deployment, loads) = deployment(&size(vm), &parts);
        let system = System::new(&deployment, &loads);
        for phase in Phase::ALL {
            let allocation = evaluate(&system, phase);
            for (index, flow) in system.flows.iter().enumerate() {
                let (rate, outcome) = (rate(&allocation, index), allocation.outcomes[index]);
                match outcome.bottleneck {
                    Bottleneck::Demand => close(rate, flow.demand(), 1e-9 * rate.max(1.0)),
                    Bottleneck::QueueDepth => {
                        close(rate, flow.latency_bound(phase), 1e-9 * rate.max(1.0));
                    }
                    Bottleneck::Unknown => prop_assert!(outcome.iops.is_none()),
                    limit => {
                        let full = flow.uses(phase).iter().any(|used| {
                            let resource = &system.resources[used.resource];
                            let capacity = resource.capacity(phase).unwrap_or(f64::INFINITY);
                            let is_full = allocation.used[used.resource].unwrap() >= capacity * (1.0 - 1e-9);
                            is_full && limit.axis() == Some(resource.axis) && limit.is_vm() == resource.is_vm()
                        });
                        prop_assert!(full, "{limit} is not full");
                        prop_assert!(rate <= flow.demand() && rate <= flow.latency_bound(phase));
                    }
                }
            }
        }
    }

    #[test]
    fn a_deeper_queue_helps_where_it_is_what_holds_and_nowhere_else(vm in 0..SIZES.len(), parts in parts()) {
        let (deployment, loads) = deployment(&size(vm), &parts);
        let system = System::new(&deployment, &loads);
        for phase in Phase::ALL {
            let allocation = evaluate(&system, phase);
            for (index, flow) in system.flows.iter().enumerate() {
                let Some(deeper) = flow.io.queue_depth.and_then(|depth| QueueDepth::new(2 * depth.get())) else {
                    continue;
                };
                let rate_before = rate(&allocation, index);
                let mut changed = system.clone();
                changed.flows[index].io.queue_depth = Some(deeper);
                let rate_after = rate(&evaluate(&changed, phase), index);
                if allocation.outcomes[index].bottleneck == Bottleneck::QueueDepth {
                    prop_assert!(rate_after > rate_before, "{rate_before} and then {rate_after}");
                } else {
                    close(rate_after, rate_before, 1e-6 * rate_before.max(1.0));
                }
            }
        }
    }

    #[test]
    fn alone_a_volume_never_gets_less_from_burst_or_a_raised_cap(
        vm in 0..SIZES.len(),
        part in (0..DISKS.len(), caching(), io()),
        factor in 1.0..4.0_f64,
    ) {
        let plain = size(vm);
        let mut raised = plain.clone();
        raise(&mut raised.uncached.base, factor);
        raise(&mut raised.cached.base, factor);
        let rates = |vm: &VmSize| {
            let (deployment, loads) = deployment(vm, std::slice::from_ref(&part));
            let system = System::new(&deployment, &loads);
            Phase::ALL.map(|phase| rate(&evaluate(&system, phase), 0))
        };
        let ([burst, sustained], [raised_burst, raised_sustained]) = (rates(&plain), rates(&raised));
        let not_less = |a: f64, b: f64| a >= b * (1.0 - 1e-9);
        prop_assert!(not_less(burst, sustained));
        prop_assert!(not_less(raised_burst, burst) && not_less(raised_sustained, sustained));
    }

    #[test]
    fn a_raised_cap_never_makes_the_sorted_weighted_rates_smaller(
        vm in 0..SIZES.len(),
        parts in parts(),
        factor in 1.0..4.0_f64,
        which in 0_usize..64,
    ) {
        let (deployment, loads) = deployment(&size(vm), &parts);
        let system = System::new(&deployment, &loads);
        let mut raised = system.clone();
        let which = which % raised.resources.len();
        let resource = &mut raised.resources[which];
        resource.base = resource.base.map(|v| v * factor);
        resource.burst = resource.burst.map(|v| v * factor);
        for phase in Phase::ALL {
            let (before, after) = (fairness(&system, phase), fairness(&raised, phase));
            prop_assert!(lexicographically_at_least(&after, &before), "{before:?} became {after:?}");
        }
    }

    #[test]
    fn the_order_of_the_disks_does_not_matter(vm in 0..SIZES.len(), parts in parts(), by in 0_usize..6) {
        let vm = size(vm);
        let by = by % parts.len();
        let mut turned = parts.clone();
        turned.rotate_left(by);
        let rates = |parts: &[Part]| {
            let (deployment, loads) = deployment(&vm, parts);
            let system = System::new(&deployment, &loads);
            Phase::ALL.map(|phase| {
                let allocation = evaluate(&system, phase);
                (0..parts.len()).map(|f| rate(&allocation, f)).collect::<Vec<_>>()
            })
        };
        for (straight, mut turned) in rates(&parts).into_iter().zip(rates(&turned)) {
            turned.rotate_right(by);
            for (a, b) in straight.iter().zip(turned) {
                close(*a, b, 1e-9 * b.max(1.0));
            }
        }
    }

    #[test]
    fn a_stripe_is_its_members_added_up(members in 1_u32..32, disk in 0_usize..3) {
        let sku = ["P30", "P50", "S40"][disk];
        let of = |text: String| {
            let spec: DiskSpec = text.parse().unwrap();
            let deployment = Deployment::new(Catalog::embedded(), None, vec![spec.into()]).unwrap();
            let system = System::new(&deployment, &[Io::RANDOM_4K]);
            rate(&evaluate(&system, Phase::Sustained), 0)
        };
        let (one, many) = (of(sku.to_owned()), of(format!("{members}x{sku}")));
        close(many, one * f64::from(members), 1e-6 * many);
    }

    #[test]
    fn specs_print_as_they_are_read(
        disk in 0..DISKS.len(),
        count in 1_u32..20,
        caching in caching(),
        size in prop::option::of(1_u32..32_767),
    ) {
        let mut spec: DiskSpec = DISKS[disk].parse().unwrap();
        spec.count = count;
        spec.caching = Some(caching);
        spec.request.size = size.map(diskcap::units::GiB::whole).or(spec.request.size);
        prop_assert_eq!(spec.to_string().parse::<DiskSpec>(), Ok(spec));
    }

    #[test]
    fn any_text_is_a_spec_or_an_error(text in "\\PC{0,40}") {
        let _ = text.parse::<DiskSpec>();
    }
}

/// Axes are compared by what they print in the property above; they must not print alike.
#[test]
fn axes_have_names_of_their_own() {
    assert_ne!(Axis::Iops.to_string(), Axis::Mbps.to_string());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A fix is something to do: what it names can be typed, and no other finding warns of it.
    #[test]
    fn what_a_fix_names_can_be_typed_and_is_not_warned_of(vm in 0..SIZES.len(), parts in parts()) {
        let (deployment, loads) = deployment(&size(vm), &parts);
        let workload = Workload { loads, ..Workload::standard_set(parts.len()).remove(0) };
        let assessment = assess(Catalog::embedded(), &deployment, &[workload]);
        check_disks_of_fixes(&assessment.findings);
    }
}
