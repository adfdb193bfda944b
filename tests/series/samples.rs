//! Published logs, where a folder of them lies beside the project: read, and held against what a plain look at the
//! same text says. Without the folder there is nothing to do here; the fixtures cover the same layouts.

use std::path::PathBuf;

use diskcap::measure::series::{DiskSeries, ReadOptions, SeriesError, read_files};

fn samples(kind: &str) -> Option<PathBuf> {
    let folder =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/samples")).join(kind);
    folder.is_dir().then_some(folder)
}

fn disks(paths: &[PathBuf]) -> Vec<DiskSeries> {
    read_files(paths, &ReadOptions::default())
        .unwrap()
        .into_iter()
        .flat_map(|series| series.disks)
        .collect()
}

#[test]
fn fio_logs_agree_with_each_other() {
    let Some(folder) = samples("fiolog") else {
        return;
    };
    let paths = ["bw", "iops", "clat"].map(|kind| folder.join(format!("fio37-4col_{kind}.1.log")));
    let [disk] = <[DiskSeries; 1]>::try_from(disks(&paths)).unwrap();
    let lines = std::fs::read_to_string(&paths[1]).unwrap().lines().count();
    assert_eq!(disk.len(), lines);
    for i in 0..disk.len() {
        // One block size throughout, and one queue depth: MB/s over IOPS and IOPS x latency hardly change.
        let size = disk.total.mbps.number(i).unwrap() * 1e6 / disk.total.iops.number(i).unwrap();
        assert!((size / 4096.0 - 1.0).abs() < 0.001, "{size}");
        let outstanding = disk.outstanding(i).unwrap();
        assert!((outstanding / 32.0 - 1.0).abs() < 0.03, "{outstanding}");
    }
}

#[test]
fn iostat_has_every_device_with_the_sum_of_its_directions() {
    let Some(folder) = samples("iostat") else {
        return;
    };
    for name in ["iostat-x-centos77.txt", "iostat-x-ubuntu2010.txt"] {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().skip_while(|l| !l.starts_with("Device"));
        let heads: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
        let column = |name: &str| heads.iter().position(|h| *h == name).unwrap();
        let rows: Vec<Vec<&str>> = lines
            .map(|l| l.split_whitespace().collect::<Vec<_>>())
            .filter(|cells| !cells.is_empty())
            .collect();
        let disks = disks(&[path]);
        assert_eq!(disks.len(), rows.len(), "{name}");
        for (disk, row) in disks.iter().zip(&rows) {
            assert_eq!(disk.name, row[0]);
            let cell = |name: &str| row[column(name)].parse::<f64>().unwrap();
            let iops = disk.total.iops.number(0).unwrap();
            assert!(
                (iops - cell("r/s") - cell("w/s")).abs() < 1e-9,
                "{name} {}",
                disk.name
            );
            let mbps = disk.total.mbps.number(0).unwrap();
            assert!((mbps - (cell("rkB/s") + cell("wkB/s")) * 1024.0 / 1e6).abs() < 1e-9);
        }
    }
}

#[test]
fn iostat_json_leaves_the_first_report_out() {
    let Some(folder) = samples("iostat") else {
        return;
    };
    let path = folder.join("iostat-json-sysstat12.json");
    let reports = std::fs::read_to_string(&path)
        .unwrap()
        .matches("\"timestamp\"")
        .count();
    for disk in disks(&[path]) {
        assert_eq!(disk.len(), reports - 1, "{}", disk.name);
        assert!(disk.host.is_some() && disk.start.is_some());
    }
}

#[test]
fn perfmon_keeps_the_single_disk_and_its_sums() {
    let Some(folder) = samples("perfmon") else {
        return;
    };
    let path = folder.join("typeperf-physicaldisk-all-instances.csv");
    let rows = std::fs::read_to_string(&path).unwrap().lines().count() - 1;
    let [disk] = <[DiskSeries; 1]>::try_from(disks(&[path])).unwrap();
    assert_eq!(disk.len(), rows);
    for i in 0..disk.len() {
        let (read, write) = (
            disk.read.iops.number(i).unwrap(),
            disk.write.iops.number(i).unwrap(),
        );
        assert!((disk.total.iops.number(i).unwrap() - read - write).abs() < 1e-4);
        // Windows measures queue and latency on their own: Little's law has to bring them together.
        let little = disk
            .total
            .latency
            .get(i)
            .unwrap()
            .outstanding(disk.total.iops.get(i).unwrap());
        let counted = disk.queue_depth.number(i).unwrap();
        assert!((little / counted - 1.0).abs() < 0.02, "{little} {counted}");
    }
}

#[test]
fn azure_metrics_without_values_are_refused_and_events_are_read() {
    let Some(folder) = samples("azmon") else {
        return;
    };
    let counts = folder.join("azmon-spec-example-data-disk-max-burst-iops.json");
    let error = read_files(&[counts], &ReadOptions::default()).unwrap_err();
    assert!(
        matches!(&error, SeriesError::NoSamples { instead: Some(what), .. } if what.contains("count"))
    );
    let event = disks(&[folder.join("metricbeat-azure-compute_vm-disk-metrics.json")]);
    assert!(event.iter().any(|disk| disk.name == "OS disk"));
    assert!(
        event
            .iter()
            .all(|disk| disk.interval_ms == 300_000 && disk.host.is_some())
    );
}
