//! Weighted max-min fairness by progressive filling.
//!
//! All flows rise together in proportion to their weights. A flow stops at its own bound, or when a resource on its
//! path is full; the others go on.

/// What one I/O of a flow uses of a resource.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Use {
    /// Index of the resource.
    pub resource: usize,
    /// Units of it per I/O: 1 / n of an IOPS limit, MB of a throughput limit.
    pub per_io: f64,
}

/// One flow, as the allocation sees it.
#[derive(Debug, Clone, Copy)]
pub struct Contender<'a> {
    /// What each I/O uses.
    pub uses: &'a [Use],
    /// How fast it rises against the others; positive.
    pub weight: f64,
    /// The rate that it does not exceed; `f64::INFINITY` where it takes what it gets.
    pub bound: f64,
}

/// Where a flow stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stop {
    /// At its own bound.
    Bound,
    /// At the full resource with this index.
    Resource(usize),
    /// Nowhere: no resource on its path has a known capacity.
    Nothing,
}

/// The rate of a flow (`f64::INFINITY` with [`Stop::Nothing`]), and where it stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grant {
    /// I/Os per second.
    pub rate: f64,
    /// Where it stopped.
    pub stop: Stop,
}

/// Two fill levels that differ by less than this fraction are the same event.
const SAME: f64 = 1e-12;

/// Shares `capacities` (`f64::INFINITY` where unknown) among `flows`. One grant a flow, in their order.
#[must_use]
pub fn allocate(flows: &[Contender<'_>], capacities: &[f64]) -> Vec<Grant> {
    if let Some(grants) = all_at_their_bounds(flows, capacities) {
        return grants;
    }
    let mut filling = Filling::new(flows, capacities);
    loop {
        let full = filling.first_full();
        if filling.pass_own_stops(full) {
            continue;
        }
        if full.is_infinite() {
            break;
        }
        filling.fill(full);
    }
    filling.grants
}

/// The usual case, decided without filling: all bounds together fit into every capacity.
fn all_at_their_bounds(flows: &[Contender<'_>], capacities: &[f64]) -> Option<Vec<Grant>> {
    let mut used = vec![0.0; capacities.len()];
    for flow in flows {
        if flow.bound.is_infinite() {
            return None;
        }
        for part in flow.uses {
            used[part.resource] += flow.bound.max(0.0) * part.per_io;
        }
    }
    let fits = used.iter().zip(capacities).all(|(used, has)| used <= has);
    fits.then(|| flows.iter().map(Grant::at_bound).collect())
}

impl Grant {
    fn at_bound(flow: &Contender<'_>) -> Self {
        Self {
            rate: flow.bound.max(0.0),
            stop: Stop::Bound,
        }
    }
}

/// The state of a filling. A resource with one user is as good as a bound of that user, so only the resources that
/// several flows share have to be looked at from event to event.
struct Filling<'a> {
    flows: &'a [Contender<'a>],
    capacities: &'a [f64],
    grants: Vec<Grant>,
    active: Vec<bool>,
    /// Use by frozen flows.
    frozen: Vec<f64>,
    /// Use by active flows per unit of level.
    slope: Vec<f64>,
    /// What a shared resource's slope was when it was last added up afresh.
    added_up: Vec<f64>,
    /// Resources with a known capacity that several flows use.
    shared: Vec<usize>,
    is_shared: Vec<bool>,
    /// The level at which each flow stops, whatever the others do.
    own_level: Vec<f64>,
    /// Flows by that level, and how many of them lie behind.
    order: Vec<usize>,
    passed: usize,
}

impl<'a> Filling<'a> {
    fn new(flows: &'a [Contender<'a>], capacities: &'a [f64]) -> Self {
        let unlimited = Grant {
            rate: f64::INFINITY,
            stop: Stop::Nothing,
        };
        let mut filling = Self {
            flows,
            capacities,
            grants: vec![unlimited; flows.len()],
            active: vec![true; flows.len()],
            frozen: vec![0.0; capacities.len()],
            slope: vec![0.0; capacities.len()],
            added_up: Vec::new(),
            shared: Vec::new(),
            is_shared: vec![false; capacities.len()],
            own_level: Vec::new(),
            order: Vec::new(),
            passed: 0,
        };
        for (index, flow) in flows.iter().enumerate() {
            if flow.bound <= 0.0 {
                filling.active[index] = false;
                filling.grants[index] = Grant::at_bound(flow);
            }
        }
        filling.find_shared();
        filling.sort_flows();
        filling
    }

    fn find_shared(&mut self) {
        let mut users = vec![0_u32; self.capacities.len()];
        for (flow, _) in self.flows.iter().zip(&self.active).filter(|(_, a)| **a) {
            for used in flow.uses {
                self.slope[used.resource] += flow.weight * used.per_io;
                users[used.resource] += 1;
            }
        }
        for (resource, users) in users.into_iter().enumerate() {
            self.is_shared[resource] = users > 1 && self.capacities[resource].is_finite();
        }
        self.shared = (0..self.capacities.len())
            .filter(|r| self.is_shared[*r])
            .collect();
        self.added_up = self.slope.clone();
    }

    fn sort_flows(&mut self) {
        let own_level = |flow: &Contender<'_>| {
            let alone = flow
                .uses
                .iter()
                .filter(|used| !self.is_shared[used.resource]);
            alone.fold(flow.bound / flow.weight, |level, used| {
                level.min(self.full_at(used.resource))
            })
        };
        let own_level: Vec<f64> = self.flows.iter().map(own_level).collect();
        self.order = (0..self.flows.len()).filter(|f| self.active[*f]).collect();
        let by_level = |a: &usize, b: &usize| own_level[*a].total_cmp(&own_level[*b]);
        self.order
            .sort_unstable_by(|a, b| by_level(a, b).then(a.cmp(b)));
        self.own_level = own_level;
    }

    /// The level at which the first shared resource is full; infinite when none will be.
    fn first_full(&mut self) -> f64 {
        self.add_up_slopes();
        let full = self.shared.iter().map(|r| self.full_at(*r));
        full.fold(f64::INFINITY, f64::min)
    }

    /// The level at which `resource` is full.
    fn full_at(&self, resource: usize) -> f64 {
        if self.slope[resource] > 0.0 {
            ((self.capacities[resource] - self.frozen[resource]) / self.slope[resource]).max(0.0)
        } else {
            f64::INFINITY
        }
    }

    /// Freezes every flow that stops by itself up to `level`, each at its own level. A flow that stops leaves the
    /// resources more room, so none of them is full before `level` for it. Says whether there was any.
    fn pass_own_stops(&mut self, level: f64) -> bool {
        let mut any = false;
        while let Some(&flow) = self.order.get(self.passed) {
            let own = self.own_level[flow];
            if self.active[flow] {
                if own > level || own.is_infinite() {
                    break;
                }
                // Its own level is that of its bound, or of a resource that it has for itself.
                let stop = self.stop_at(flow, own).unwrap_or(Stop::Bound);
                self.freeze(flow, stop, own);
                any = true;
            }
            self.passed += 1;
        }
        any
    }

    /// Freezes every active flow on a resource that is full at `level`.
    fn fill(&mut self, level: f64) {
        let stops: Vec<(usize, Stop)> = self.order[self.passed..]
            .iter()
            .filter(|flow| self.active[**flow])
            .filter_map(|flow| Some((*flow, self.stop_at(*flow, level)?)))
            .collect();
        for (flow, stop) in stops {
            self.freeze(flow, stop, level);
        }
    }

    /// What stops a flow at `level`: its bound counts before a resource, an earlier resource on its path before a
    /// later one.
    fn stop_at(&self, flow: usize, level: f64) -> Option<Stop> {
        let reached = |event: f64| event <= level * (1.0 + SAME);
        let flow = &self.flows[flow];
        if reached(flow.bound / flow.weight) {
            return Some(Stop::Bound);
        }
        let full = |used: &&Use| used.per_io > 0.0 && reached(self.full_at(used.resource));
        let found = flow.uses.iter().find(full)?;
        Some(Stop::Resource(found.resource))
    }

    fn freeze(&mut self, index: usize, stop: Stop, level: f64) {
        let flow = &self.flows[index];
        let rate = (flow.weight * level).min(flow.bound);
        self.grants[index] = Grant { rate, stop };
        self.active[index] = false;
        for used in flow.uses {
            self.frozen[used.resource] += rate * used.per_io;
            self.slope[used.resource] -= flow.weight * used.per_io;
        }
    }

    /// Adds up afresh the slopes that have lost half of what they were: differences of larger numbers would no longer
    /// be as exact as sums. Halving bounds how often this happens.
    fn add_up_slopes(&mut self) {
        for position in 0..self.shared.len() {
            let resource = self.shared[position];
            if self.slope[resource] * 2.0 <= self.added_up[resource]
                && self.added_up[resource] > 0.0
            {
                let sum = self.slope_of(resource);
                self.slope[resource] = sum;
                self.added_up[resource] = sum;
            }
        }
    }

    fn slope_of(&self, resource: usize) -> f64 {
        let active = self.flows.iter().zip(&self.active).filter(|(_, a)| **a);
        let parts = active.flat_map(|(flow, _)| {
            let on_it = flow.uses.iter().filter(|used| used.resource == resource);
            on_it.map(|used| flow.weight * used.per_io)
        });
        parts.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rates(flows: &[(&[Use], f64, f64)], capacities: &[f64]) -> Vec<f64> {
        let flows: Vec<Contender<'_>> = flows
            .iter()
            .map(|&(uses, weight, bound)| Contender {
                uses,
                weight,
                bound,
            })
            .collect();
        allocate(&flows, capacities)
            .iter()
            .map(|g| g.rate)
            .collect()
    }

    const fn one(resource: usize) -> Use {
        Use {
            resource,
            per_io: 1.0,
        }
    }

    #[test]
    fn a_small_disk_leaves_its_share_to_the_others() {
        // Disks of 500, 3,000 and 6,000 under a cap of 3,200: 500, and (3,200 - 500) / 2 each.
        let uses = [[one(0), one(3)], [one(1), one(3)], [one(2), one(3)]];
        let flows = uses.each_ref().map(|u| (&u[..], 1.0, f64::INFINITY));
        assert_eq!(
            rates(&flows, &[500.0, 3000.0, 6000.0, 3200.0]),
            [500.0, 1350.0, 1350.0]
        );
    }

    #[test]
    fn weights_divide_a_shared_cap() {
        let uses = [one(0)];
        let flows = [
            (&uses[..], 1.0, f64::INFINITY),
            (&uses[..], 3.0, f64::INFINITY),
        ];
        assert_eq!(rates(&flows, &[400.0]), [100.0, 300.0]);
    }

    #[test]
    fn bounds_come_before_resources_and_nothing_limits_the_unknown() {
        let uses = [one(0)];
        let flow = |bound| Contender {
            uses: &uses,
            weight: 1.0,
            bound,
        };
        let grant = allocate(&[flow(100.0)], &[100.0])[0];
        assert_eq!((grant.rate, grant.stop), (100.0, Stop::Bound));
        let grant = allocate(&[flow(f64::INFINITY)], &[f64::INFINITY])[0];
        assert_eq!((grant.rate, grant.stop), (f64::INFINITY, Stop::Nothing));
        assert_eq!(allocate(&[flow(0.0)], &[100.0])[0].stop, Stop::Bound);
        assert!(allocate(&[], &[100.0]).is_empty());
    }

    /// Progressive filling as its definition says it: at every event everything is added up afresh.
    fn filled_event_by_event(flows: &[Contender<'_>], capacities: &[f64]) -> Vec<f64> {
        let mut rates: Vec<Option<f64>> = vec![None; flows.len()];
        let sum =
            |rates: &[Option<f64>], resource: usize, of: &dyn Fn(usize) -> f64, active: bool| {
                let parts = (0..flows.len()).filter(|f| rates[*f].is_none() == active);
                let on_it = |f: usize| flows[f].uses.iter().filter(move |u| u.resource == resource);
                parts
                    .map(|f| on_it(f).map(|u| u.per_io).sum::<f64>() * of(f))
                    .sum::<f64>()
            };
        loop {
            let full_at = |r: usize| {
                let frozen = sum(&rates, r, &|f| rates[f].unwrap_or(0.0), false);
                let slope = sum(&rates, r, &|f| flows[f].weight, true);
                if slope > 0.0 {
                    (capacities[r] - frozen) / slope
                } else {
                    f64::INFINITY
                }
            };
            let levels: Vec<f64> = (0..capacities.len()).map(full_at).collect();
            let stop_of = |f: &usize| {
                let uses = flows[*f].uses.iter().map(|u| levels[u.resource]);
                uses.fold(flows[*f].bound / flows[*f].weight, f64::min)
            };
            let active = (0..flows.len()).filter(|f| rates[*f].is_none());
            let Some(next) = active.min_by(|a, b| stop_of(a).total_cmp(&stop_of(b))) else {
                break;
            };
            rates[next] = Some((flows[next].weight * stop_of(&next)).max(0.0));
        }
        rates.into_iter().map(Option::unwrap).collect()
    }

    proptest! {
        #[test]
        fn the_fast_way_gives_what_the_definition_gives(
            flows in prop::collection::vec(
                (prop::collection::vec((0_usize..6, 0.1..4.0_f64), 1..4), 0.001..1000.0_f64, 0.0..5000.0_f64, any::<bool>()),
                1..12,
            ),
            capacities in prop::collection::vec(prop_oneof![4 => 0.0..5000.0_f64, 1 => Just(f64::INFINITY)], 12),
        ) {
            // Resources 0 to 5 are shared; each flow has one for itself behind them.
            let uses: Vec<Vec<Use>> = flows
                .iter()
                .enumerate()
                .map(|(flow, (parts, ..))| {
                    let own = Use { resource: flow.min(5) + 6, per_io: 1.0 };
                    let shared = parts.iter().map(|&(resource, per_io)| Use { resource, per_io });
                    std::iter::once(own).chain(shared).collect()
                })
                .collect();
            let contenders: Vec<Contender<'_>> = flows
                .iter()
                .zip(&uses)
                .map(|((_, weight, bound, bounded), uses)| Contender {
                    uses,
                    weight: *weight,
                    bound: if *bounded { *bound } else { f64::INFINITY },
                })
                .collect();
            let slow = filled_event_by_event(&contenders, &capacities);
            for (grant, slow) in allocate(&contenders, &capacities).iter().zip(slow) {
                prop_assert!(
                    grant.rate == slow || (grant.rate - slow).abs() <= 1e-9 * slow.max(1.0),
                    "{} instead of {slow}", grant.rate
                );
            }
        }
    }
}
