//! The rules of findings whose ground is the model itself, or the data that it reckons with.

use super::FindingId;

/// Where it is written which figures are known.
const DATA: &str = "sku-data/SOURCES.md";

/// The rule of `id` and its source, where the model is its ground.
#[must_use]
pub(crate) const fn rule(id: FindingId) -> Option<(&'static str, &'static str)> {
    Some(match id {
        FindingId::DemandUnmet => (
            "A volume with a stated demand does not get it for good while all volumes are at work. The finding says what \
             it gets once credit is used up and what stops it then, and how long burst credit meets the demand where it \
             does. A disk in the fix is enough without credit.",
            "the model's max-min allocation",
        ),
        FindingId::NeighbourBurst => (
            "Under a VM ceiling that is full, a disk that bursts takes a larger part of it, and another volume may get \
             less than when nobody bursts.",
            "the model's max-min allocation",
        ),
        FindingId::CreditLow => (
            "A bucket of burst credit falls below 10 % of what it holds, and is not used up in the time that is looked at. \
             A load that lasts a little longer or is a little heavier empties it, and then the base limit holds. The \
             finding says the lowest level, when it was reached, and how long the rest would have lasted at the rate \
             that led there.",
            "the model's simulation",
        ),
        FindingId::HitShareUnused => (
            "A share of cache hits says how many reads the host cache answers. A volume without host caching sends every \
             read to its disk: the share changes nothing there. A share that holds for all volumes is taken to be meant \
             for those that are cached, where there are some.",
            "the model's paths of an I/O",
        ),
        FindingId::BacklogLeft => (
            "What was asked for and has to wait is worked off when there is room. Where some of it still waits at the \
             end, the workload is too large for the disks or the VM, or the time looked at is too short.",
            "the model's simulation",
        ),
        FindingId::UnknownCap => (
            "No source gives the figure. Results that depend on it are upper bounds and marked so: unknown is never \
             taken for zero or for unlimited.",
            DATA,
        ),
        FindingId::LatencyUnknown => (
            "Little's law: outstanding I/Os = IOPS x latency. Where no source gives the latency of a disk, nobody knows what \
             a queue depth makes of it. A rate at a stated queue depth is then an upper bound and marked so, unless the \
             provider's promise (\"under 10 ms\") is enough for it. The finding says the latency that an I/O must not exceed \
             for the rate: queue depth / rate. A promise is no figure: it is never reckoned with in another way. Of local \
             NVMe disks it is assumed that they are no slower than the temp disk.",
            DATA,
        ),
        FindingId::ControllerUnknown => (
            "No source says which disk controllers the size has, so that the one asked for can neither be confirmed nor \
             refused. The figures are those of the size, whatever the controller.",
            DATA,
        ),
        _ => return None,
    })
}
