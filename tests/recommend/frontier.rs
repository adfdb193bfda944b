//! Why there is nothing on a frontier from some performance on.

use diskcap::catalog::Family;
use diskcap::recommend::Need;
use diskcap::recommend::frontier::{FrontierAxis, FrontierPoint, frontier};

use crate::market::{book, market, need, of_series};

/// The points of `need` on one axis.
fn points(need: &Need, axis: FrontierAxis) -> Vec<FrontierPoint> {
    let book = book();
    let points = frontier(&market(&book), need).into_iter();
    points.filter(|point| point.axis == axis).collect()
}

/// Why nothing delivers `multiple` times the need.
#[track_caller]
fn reason(points: &[FrontierPoint], multiple: f64) -> &str {
    let point = points.iter().find(|p| p.multiple == Some(multiple));
    let point = point.unwrap();
    assert_eq!((point.month, &point.size), (None, &None));
    point.reason.as_deref().unwrap()
}

fn with(volume: &str, series: &str, family: Family) -> Need {
    let mut need = of_series(need(&[volume]), series);
    need.families = vec![family];
    need
}

/// Two at a time of 650 us each are 3,076.9 a second.
#[test]
fn a_queue_depth_ends_the_curve() {
    let wanted = "wal:size=128,iops=3000,block=8KiB,depth=2";
    let points = points(
        &with(wanted, "Dsv5", Family::PremiumSsdV2),
        FrontierAxis::Iops,
    );
    for multiple in [1.25, 10.0] {
        assert_eq!(
            reason(&points, multiple),
            "queue depth 2 at 650 us makes 3,076 IOPS at most"
        );
    }
    let delivers = points.iter().filter(|p| p.reason.is_none());
    assert!(delivers.clone().all(|point| point.month.is_some()));
    assert_eq!(delivers.count(), 4);
}

/// Four at a time of 650 us each are 6,153.8 a second; of 61,440 bytes 378.0 MB/s. The other volume is named as well.
#[test]
fn a_queue_depth_is_told_in_mbps_where_these_are_asked() {
    let volumes = [
        "data:size=64,mbps=10",
        "log:size=256,mbps=150,block=60KiB,depth=4",
    ];
    let mut wanted = of_series(need(&volumes), "Dsv5");
    wanted.families = vec![Family::PremiumSsdV2];
    let points = points(&wanted, FrontierAxis::Mbps);
    assert_eq!(
        reason(&points, 3.0),
        "log: queue depth 4 at 650 us makes 6,153 IOPS, 378 MB/s in blocks of 60 KiB at most"
    );
}

/// D64s_v3, the largest of its series, lets 80,000 uncached IOPS through.
#[test]
fn the_ceiling_of_the_nearest_size_ends_the_curve() {
    let points = points(
        &with("data:size=1TiB,iops=30000", "Dsv3", Family::PremiumSsdV2),
        FrontierAxis::Iops,
    );
    assert_eq!(
        reason(&points, 3.0),
        "Standard_D64s_v3, the nearest: 80,000 uncached IOPS, 90,000 are needed"
    );
}

/// No Premium SSD does more than 20,000 IOPS: 90,000 are 4.5 of them.
#[test]
fn a_stripe_ends_the_curve() {
    let points = points(
        &with("data:size=1TiB,iops=30000", "Dsv5", Family::PremiumSsd),
        FrontierAxis::Iops,
    );
    assert_eq!(
        reason(&points, 3.0),
        "a stripe of at most 4 disks, 5 are needed"
    );
}

/// What Premium SSD v2 makes is known, and of Ultra Disk nothing: it is no "at most" for both.
#[test]
fn what_is_not_known_of_a_latency_is_said() {
    let mut wanted = with(
        "wal:size=128,iops=3000,block=8KiB,depth=2",
        "Ebdsv5",
        Family::PremiumSsdV2,
    );
    wanted.families.push(Family::Ultra);
    assert_eq!(
        reason(&points(&wanted, FrontierAxis::Iops), 10.0),
        "queue depth 2 at 650 us makes 3,076 IOPS at most; not known of Ultra Disk"
    );
}
