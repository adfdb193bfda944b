//! Which column of a PerfMon log is what of which disk.

use jiff::tz::Offset;

use super::counter::{Counter, Object, by_position};
use super::delimiter;
use super::path::CounterPath;
use crate::measure::series::builder::{SeriesBuilder, TooManyDisks};
use crate::measure::series::log::Wanted;
use crate::measure::series::notice::Notice;
use crate::measure::series::options::ReadOptions;

/// One instance with its columns.
struct Instance<'h> {
    object: Object,
    path: CounterPath<'h>,
    columns: Vec<(usize, &'h str)>,
    known_object: bool,
}

impl<'h> Instance<'h> {
    fn is(&self, object: Object, path: &CounterPath<'_>) -> bool {
        self.object == object
            && self.path.instance == path.instance
            && self.path.host == path.host
            && self.path.object == path.object
    }

    /// The meanings of its columns, and whether they were told by position.
    fn counters(&self) -> (Vec<Option<Counter>>, bool) {
        let named: Vec<Option<Counter>> = self
            .columns
            .iter()
            .map(|(_, name)| Counter::of(name))
            .collect();
        if self.known_object && named.iter().any(Option::is_some) {
            return (named, false);
        }
        match by_position(self.columns.len()) {
            Some(counters) => (counters, true),
            None => (named, false),
        }
    }
}

/// Which column is what.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The disks: their places in the builder.
    pub places: Vec<usize>,
    /// What each column behind the time means: a counter of one of these disks, or nothing.
    pub columns: Vec<Option<(usize, Counter)>>,
    /// The time zone, where the head says it.
    pub offset: Option<Offset>,
    /// What is to be known of the figures.
    pub notices: Vec<Notice>,
    /// Disks that were not asked for.
    pub wanted: Wanted,
}

impl Plan {
    /// The plan of a log with this head.
    pub fn of(
        head: &str,
        options: &ReadOptions,
        builder: &mut SeriesBuilder,
    ) -> Result<Self, TooManyDisks> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter(head))
            .from_reader(head.as_bytes());
        let fields: Vec<String> = reader
            .records()
            .filter_map(Result::ok)
            .next()
            .map(|record| record.iter().map(str::to_owned).collect())
            .unwrap_or_default();
        Self::of_fields(&fields, options, builder)
    }

    /// The plan of a log with these fields in its head.
    fn of_fields(
        fields: &[String],
        options: &ReadOptions,
        builder: &mut SeriesBuilder,
    ) -> Result<Self, TooManyDisks> {
        let mut plan = Self {
            offset: fields.first().and_then(|first| offset(first)),
            columns: vec![None; fields.len().saturating_sub(1)],
            ..Self::default()
        };
        let all = instances(fields);
        let first_host = all.first().map(|instance| instance.path.host);
        let several_hosts = all.iter().any(|i| Some(i.path.host) != first_host);
        for instance in plan.chosen(all, options) {
            let (counters, by_position) = instance.counters();
            if counters.iter().all(Option::is_none) {
                continue;
            }
            if by_position {
                let object = instance.path.object.to_owned();
                let notice = Notice::CountersByPosition { object };
                if !plan.notices.contains(&notice) {
                    plan.notices.push(notice);
                }
            }
            let name = match instance.path.host.filter(|_| several_hosts) {
                Some(host) => format!("{host} {}", instance.path.instance),
                None => instance.path.instance.to_owned(),
            };
            let place = builder.disk(&name, plan.places.len())?;
            if let Some(series) = builder.series_mut(place) {
                series.host = instance.path.host.map(str::to_owned);
            }
            plan.add(&instance, &counters, place);
        }
        Ok(plan)
    }

    fn add(&mut self, instance: &Instance<'_>, counters: &[Option<Counter>], place: usize) {
        let has_mean_queue = counters.contains(&Some(Counter::MeanQueue));
        let meant = |counter: &Counter| !(has_mean_queue && *counter == Counter::PresentQueue);
        let disk = self.places.len();
        self.places.push(place);
        for ((column, _), counter) in instance.columns.iter().zip(counters) {
            let counter = counter.filter(|counter| meant(counter));
            if let Some(slot) = column.checked_sub(1).and_then(|i| self.columns.get_mut(i)) {
                *slot = counter.map(|counter| (disk, counter));
            }
        }
    }

    /// The instances to read: those asked for; without the sum of all beside single ones; physical ones rather than
    /// logical ones, which count the same I/O, unless one is asked for by name.
    fn chosen<'h>(&mut self, all: Vec<Instance<'h>>, options: &ReadOptions) -> Vec<Instance<'h>> {
        let single = |object: Object| all.iter().any(|i| i.object == object && !i.path.is_total());
        let (physical, logical) = (single(Object::Physical), single(Object::Logical));
        let any_physical = all.iter().any(|i| i.object == Object::Physical);
        let (mut totals, mut logicals) = (false, false);
        let chosen = all
            .into_iter()
            .filter(|instance| {
                let name = instance.path.instance;
                if options.names(name) {
                    return true;
                }
                let beside = match instance.object {
                    Object::Physical => physical,
                    Object::Logical => logical,
                };
                if instance.path.is_total() && beside {
                    totals = true;
                    return false;
                }
                if instance.object == Object::Logical && any_physical {
                    logicals = true;
                    return false;
                }
                self.wanted.check(name, options)
            })
            .collect();
        if totals {
            self.notices.push(Notice::TotalLeftOut);
        }
        if logicals && options.disks.is_empty() {
            self.notices.push(Notice::LogicalDisksLeftOut);
        }
        chosen
    }
}

/// The disks' instances that the head names, with their columns.
fn instances(fields: &[String]) -> Vec<Instance<'_>> {
    let mut found: Vec<Instance<'_>> = Vec::new();
    for (column, field) in fields.iter().enumerate().skip(1) {
        let Some(path) = CounterPath::of(field) else {
            continue;
        };
        let known = Object::of(path.object);
        let Some(object) = known.or(path.looks_physical().then_some(Object::Physical)) else {
            continue;
        };
        let counter = path.counter;
        match found.iter_mut().rev().find(|i| i.is(object, &path)) {
            Some(instance) => instance.columns.push((column, counter)),
            None => found.push(Instance {
                object,
                path,
                columns: vec![(column, counter)],
                known_object: known.is_some(),
            }),
        }
    }
    // An object that is not known to be one of disks has to have all their counters.
    found.retain(|i| i.known_object || by_position(i.columns.len()).is_some());
    found
}

/// The time zone in the head: `(PDH-CSV 4.0) (Pacific Standard Time)(480)`, minutes that UTC is ahead.
fn offset(first: &str) -> Option<Offset> {
    let (_, behind) = first.trim().trim_end_matches(')').rsplit_once('(')?;
    let minutes: i32 = behind.trim().parse().ok()?;
    Offset::from_seconds(minutes.checked_mul(-60)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zone_of_the_head() {
        assert_eq!(
            offset("(PDH-CSV 4.0) (W. Europe Standard Time)(-60)"),
            Offset::from_seconds(3600).ok()
        );
        assert_eq!(offset("(PDH-CSV 4.0)"), None);
        assert_eq!(offset(""), None);
    }
}
