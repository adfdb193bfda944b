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
    let mut filling = Filling::new(flows, capacities);
    while let Some(level) = filling.next_event() {
        filling.freeze_at(level);
    }
    filling.grants
}

struct Filling<'a> {
    flows: &'a [Contender<'a>],
    capacities: &'a [f64],
    grants: Vec<Grant>,
    active: Vec<bool>,
    /// Use by frozen flows.
    frozen: Vec<f64>,
    /// Use by active flows per unit of level.
    slope: Vec<f64>,
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
        };
        for (index, flow) in flows.iter().enumerate() {
            if flow.bound <= 0.0 {
                filling.active[index] = false;
                filling.grants[index] = Grant {
                    rate: 0.0,
                    stop: Stop::Bound,
                };
            }
        }
        filling
    }

    /// The level of the next event among active flows, `None` when none is active or nothing limits them.
    fn next_event(&mut self) -> Option<f64> {
        self.slope.fill(0.0);
        let mut level = f64::INFINITY;
        for (flow, _) in self.flows.iter().zip(&self.active).filter(|(_, a)| **a) {
            level = level.min(flow.bound / flow.weight);
            for used in flow.uses {
                self.slope[used.resource] += flow.weight * used.per_io;
            }
        }
        for resource in 0..self.capacities.len() {
            level = level.min(self.full_at(resource));
        }
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
        let stops: Vec<Option<Stop>> = (0..self.flows.len())
            .map(|index| {
                let flow = &self.flows[index];
                if !self.active[index] {
                    None
                } else if reached(flow.bound / flow.weight) {
                    Some(Stop::Bound)
                } else {
                    let full =
                        |used: &&Use| used.per_io > 0.0 && reached(self.full_at(used.resource));
                    let found = flow.uses.iter().find(full);
                    found.map(|used| Stop::Resource(used.resource))
                }
            })
            .collect();
        for (index, stop) in stops.into_iter().enumerate() {
            let Some(stop) = stop else { continue };
            let flow = &self.flows[index];
            let rate = (flow.weight * level).min(flow.bound);
            self.grants[index] = Grant { rate, stop };
            self.active[index] = false;
            for used in flow.uses {
                self.frozen[used.resource] += rate * used.per_io;
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
