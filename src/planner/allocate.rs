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
    while let Some(level) = filling.next_event() {
        filling.freeze_at(level);
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
            let alone = flow.uses.iter().filter(|used| !self.is_shared[used.resource]);
            alone.fold(flow.bound / flow.weight, |level, used| {
                level.min(self.full_at(used.resource))
            })
        };
        let own_level: Vec<f64> = self.flows.iter().map(own_level).collect();
        self.order = (0..self.flows.len()).filter(|f| self.active[*f]).collect();
        self.order
            .sort_by(|a, b| own_level[*a].total_cmp(&own_level[*b]));
        self.own_level = own_level;
    }

    /// The level of the next event among active flows, `None` when none is active or nothing limits them.
    fn next_event(&mut self) -> Option<f64> {
        let behind = |flow: &&usize| !self.active[**flow];
        self.passed += self.order[self.passed..].iter().take_while(behind).count();
        let first = self.order.get(self.passed).map(|f| self.own_level[*f]);
        let full = self.shared.iter().map(|r| self.full_at(*r));
        let level = full.fold(first.unwrap_or(f64::INFINITY), f64::min);
        level.is_finite().then_some(level)
    }

    /// The level at which `resource` is full.
    fn full_at(&self, resource: usize) -> f64 {
        if self.slope[resource] > 0.0 {
            ((self.capacities[resource] - self.frozen[resource]) / self.slope[resource]).max(0.0)
        } else {
            f64::INFINITY
        }
    }

    /// Freezes every active flow that stops at `level`: its bound counts before a resource, an earlier resource on its
    /// path before a later one.
    fn freeze_at(&mut self, level: f64) {
        let reached = |event: f64| event <= level * (1.0 + SAME);
        let some_full = self.shared.iter().any(|r| reached(self.full_at(*r)));
        let ahead = &self.order[self.passed..];
        let candidates = ahead
            .iter()
            .take_while(|flow| some_full || reached(self.own_level[**flow]))
            .filter(|flow| self.active[**flow]);
        let stops: Vec<(usize, Stop)> = candidates
            .filter_map(|&index| {
                let flow = &self.flows[index];
                if reached(flow.bound / flow.weight) {
                    return Some((index, Stop::Bound));
                }
                let full = |used: &&Use| used.per_io > 0.0 && reached(self.full_at(used.resource));
                let found = flow.uses.iter().find(full)?;
                Some((index, Stop::Resource(found.resource)))
            })
            .collect();
        for (index, stop) in stops {
            self.freeze(index, stop, level);
        }
        self.add_up_slopes();
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
            if self.slope[resource] * 2.0 <= self.added_up[resource] && self.added_up[resource] > 0.0 {
                let active = self.flows.iter().zip(&self.active).filter(|(_, a)| **a);
                let parts = active.flat_map(|(flow, _)| {
                    let on_it = flow.uses.iter().filter(|used| used.resource == resource);
                    on_it.map(|used| flow.weight * used.per_io)
                });
                let sum: f64 = parts.sum();
                self.slope[resource] = sum;
                self.added_up[resource] = sum;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
