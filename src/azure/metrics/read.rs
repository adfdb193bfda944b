//! Metrics from saved answers: `az monitor metrics list`, the API itself, PowerShell, Metricbeat.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;

use super::model::{Metrics, Owner, Subject};
use super::track::{Sample, Track};
use crate::measure::series::azmon::{Head, Measure, Named, Point, Scope, Sink, series_of};
use crate::measure::series::{Aggregation, Notice, SeriesError};

impl Metrics {
    /// Reads metrics from JSON: one answer of the API, several, or one a line, whatever they are wrapped in, in any
    /// encoding, also gzip. `source` is its name for messages.
    ///
    /// An answer without any metric of disks gives none: that is no error.
    ///
    /// # Errors
    /// [`SeriesError`] when the input cannot be read or is no JSON.
    pub fn read(bytes: impl Read, source: &str) -> Result<Self, SeriesError> {
        let mut collector = Collector::default();
        let ended = series_of(source, bytes, &mut collector)?;
        let mut metrics = collector.finish(&Arc::from(source));
        metrics
            .notices
            .extend(ended.map(|notice| (Arc::from(source), notice)));
        Ok(metrics)
    }
}

/// Collects series as they come.
#[derive(Default)]
struct Collector {
    series: Vec<(Head, Vec<(i64, Point)>)>,
}

impl Sink for Collector {
    fn heads(&self) -> usize {
        self.series.len()
    }

    fn add(&mut self, head: Head, points: &mut dyn Iterator<Item = (i64, Point)>) {
        self.series.push((head, points.collect()));
    }

    fn fill(&mut self, from: usize, resource: Option<&Named>, interval_ms: Option<u32>) {
        for (head, _) in self.series.get_mut(from..).unwrap_or_default() {
            head.fill(resource, interval_ms);
        }
    }
}

impl Collector {
    fn finish(self, source: &Arc<str>) -> Metrics {
        let mut metrics = Metrics::default();
        let mut not_rates = BTreeMap::new();
        for (head, points) in self.series {
            let Some(subject) = subject(&head) else {
                continue;
            };
            let measure = head.meaning.1;
            let length_ms = head.length_ms();
            let samples = points.iter().filter_map(|(at_ms, point)| {
                sample(measure, *at_ms, length_ms, point).unwrap_or_else(|instead| {
                    not_rates.insert(head.metric.clone(), instead);
                    None
                })
            });
            let track = Track::new(samples.collect());
            let of = metrics.of.entry(owner(&head)).or_default();
            of.add(subject, measure, track);
        }
        let notices = not_rates
            .into_iter()
            .map(|(metric, instead)| Notice::NotARate {
                metric,
                aggregation: instead.to_owned(),
            });
        metrics.notices = notices.map(|notice| (source.clone(), notice)).collect();
        metrics
    }
}

fn owner(head: &Head) -> Owner {
    match &head.resource {
        Some(Named { id: Some(id), .. }) => Owner::Id(id.clone()),
        Some(named) => Owner::Name(named.name.to_lowercase()),
        None => Owner::Unsaid,
    }
}

/// What a series is about; `None` for a LUN that is no number.
fn subject(head: &Head) -> Option<Subject> {
    let of_disk = head.resource.as_ref().is_some_and(Named::is_disk);
    Some(match (head.meaning.0, &head.lun) {
        (Scope::VmCached, _) => Subject::VmCached,
        (Scope::VmUncached, _) => Subject::VmUncached,
        (Scope::OsDisk, _) => Subject::OsDisk,
        (Scope::DataDisk, Some(lun)) => Subject::Lun(lun.trim().parse().ok()?),
        (Scope::DataDisk, None) => Subject::DataDisks,
        (Scope::TempDisk, _) => Subject::TempDisk,
        (Scope::ManagedDisk, _) => Subject::ManagedDisk,
        // The portal calls the metrics of a managed disk as it calls those of all disks of a VM.
        (Scope::AllDisks, _) if of_disk => Subject::ManagedDisk,
        (Scope::AllDisks, _) => Subject::AllDisks,
    })
}

/// A point as a sample. The error is the aggregation that there is instead of a value.
fn sample(
    measure: Measure,
    at_ms: i64,
    length_ms: u32,
    point: &Point,
) -> Result<Option<Sample>, &'static str> {
    let average = match measure.value(point) {
        Some(Ok((value, Aggregation::Mean))) => Some(value),
        Some(Ok(_)) | None => None,
        Some(Err(instead)) => return Err(instead),
    };
    let maximum = match measure {
        // The largest of its parts is not the largest sum.
        Measure::ByteSum(_) => None,
        _ => point.maximum(),
    };
    let sample = Sample {
        at_ms,
        length_ms,
        average,
        maximum,
    };
    Ok(sample.highest().map(|_| sample))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::azure::facts::ResourceId;
    use crate::measure::series::GaugeKind;

    const VM: &str =
        "/subscriptions/s/resourceGroups/RG/providers/Microsoft.Compute/virtualMachines/db1";

    fn answer(metric: &str, lun: &str, points: &str) -> String {
        format!(
            r#"{{"interval":"PT1M","value":[{{"id":"{VM}/providers/Microsoft.Insights/metrics/{metric}",
            "name":{{"value":"{metric}"}},"timeseries":[{{"metadatavalues":[{lun}],"data":[{points}]}}]}}]}}"#
        )
    }

    #[test]
    fn means_and_maxima_are_kept_apart_and_nothing_is_no_zero() {
        let points = r#"{"timeStamp":"2026-01-01T00:00:00Z","average":80.5,"maximum":100.0},
            {"timeStamp":"2026-01-01T00:01:00Z"},
            {"timeStamp":"2026-01-01T00:02:00Z","average":null,"maximum":12.0}"#;
        let text = answer("VM Cached IOPS Consumed Percentage", "", points);
        let metrics = Metrics::read(text.as_bytes(), "m.json").unwrap();
        let id = ResourceId::new(&VM.to_uppercase()).unwrap();
        let vm = metrics.vm(Some(&id), "other", &[]).unwrap();
        let track = vm.own.gauge(Subject::VmCached, GaugeKind::IopsConsumed);
        let samples = track.unwrap().samples();
        let values: Vec<_> = samples.iter().map(|s| (s.average, s.maximum)).collect();
        assert_eq!(values, [(Some(80.5), Some(100.0)), (None, Some(12.0))]);
        assert_eq!(samples[1].at_ms - samples[0].at_ms, 120_000);
    }

    #[test]
    fn luns_and_files_come_together() {
        let lun = |n| format!(r#"{{"name":{{"value":"LUN"}},"value":"{n}"}}"#);
        let at = |minute| format!(r#"{{"timeStamp":"2026-01-01T00:0{minute}:00Z","average":5}}"#);
        let name = "Data Disk IOPS Consumed Percentage";
        let mut metrics = Metrics::default();
        for text in [
            answer(name, &lun(0), &at(1)),
            answer(name, &lun(0), &at(0)),
            answer(name, &lun(3), &at(0)),
        ] {
            metrics.absorb(Metrics::read(text.as_bytes(), "m.json").unwrap());
        }
        let vm = metrics.vm(None, "nobody", &[]);
        assert!(vm.is_none());
        let id = ResourceId::new(VM).unwrap();
        let vm = metrics.vm(Some(&id), "db1", &[]).unwrap();
        assert_eq!(vm.own.subjects(), [Subject::Lun(0), Subject::Lun(3)]);
        let track = vm
            .own
            .gauge(Subject::Lun(0), GaugeKind::IopsConsumed)
            .unwrap();
        assert_eq!(track.samples().len(), 2);
    }

    #[test]
    fn counts_alone_are_no_values() {
        let point = r#"{"timeStamp":"2026-01-01T00:00:00Z","count":72}"#;
        let text = answer("Data Disk Max Burst IOPS", "", point);
        let metrics = Metrics::read(text.as_bytes(), "m.json").unwrap();
        let notices: Vec<_> = metrics.notices().collect();
        assert_eq!(notices[0].0, "m.json");
        assert!(notices[0].1.contains("comes as count only"), "{notices:?}");
    }
}
