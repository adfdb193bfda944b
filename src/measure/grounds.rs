//! The rules by which measured results are judged, as `explain` tells them.

use crate::planner::{Finding, FindingId};

const JUDGEMENT: &str = "diskcap's judgement of measured results";
const OVER_TIME: &str = "diskcap's judgement of disks over time";
const PEERS: &str = "diskcap's comparison of peers (rank tests, median and MAD)";

/// The rule of `id` and its source, where it is one of judging measurements.
#[must_use]
pub(crate) fn rule(id: FindingId) -> Option<(&'static str, &'static str)> {
    let because = |rule: Option<&'static str>, source| Some((rule?, source));
    because(of_a_test(id), JUDGEMENT)
        .or_else(|| because(over_time(id), OVER_TIME))
        .or_else(|| because(of_peers(id), PEERS))
}

/// What to do about a finding of measurements, whatever its numbers; `None` where it only says something worth knowing. A
/// finding whose fix needs no numbers says the same words.
#[must_use]
pub(crate) const fn remedy(id: FindingId) -> Option<&'static str> {
    Some(match id {
        FindingId::BelowPrediction => {
            "measure again with nothing else at work on the VM and from the disk itself (no file system cache); check that \
             size, disk and caching are those that were named"
        }
        FindingId::AboveLimits => {
            "measure the disk itself: direct I/O, a test file larger than every cache, on the disk that was named; or \
             name the disk, size and caching that were measured"
        }
        FindingId::TempDrive => {
            "hold it against the temp disk: --disk d=temp; or name the disk d, if that is its drive"
        }
        FindingId::SlowLatency => {
            "write the latency that is usual for you into the disk's spec (`latency=`) to hold it against that; a disk family with a lower latency, or a \
             cache, makes a single I/O faster, more IOPS do not"
        }
        FindingId::InconsistentResult => {
            "give IOPS, MB/s, block size and queue depth of one and the same test; measure again where the queue was not \
             kept full"
        }
        FindingId::PageFilePlace => {
            "move it to the local temp disk where the size has one, else to the disk that answers fastest at queue depth 1"
        }
        FindingId::SeriesStalls => {
            "look at what else happened then: timeouts and resets in the guest's log, maintenance of the host, a member \
             of a stripe or mirror that stood still; where it comes back, ask who runs the host or the storage"
        }
        FindingId::SeriesFence => {
            "find what runs as often: a background task, flushes of a cache, a member of a stripe or mirror that answers \
             late; `diskcap bench twins` compares members"
        }
        FindingId::SeriesDips => {
            "see what else used the disk or its host then; where the device choked, compare it with others of its kind: \
             `diskcap bench twins`"
        }
        FindingId::SeriesThrottled => {
            "lift the limit that is named, or spread the load; where none is named, name the VM and its disks (--vm, \
             --disk) to see which limit that is"
        }
        FindingId::SeriesSaturated => {
            "see which limit that is with --vm and --disk; then lift it, or spread the load"
        }
        FindingId::SeriesStep => {
            "see what changed at that moment: name the VM and its disks (--vm, --disk) to see whether a limit holds since \
             then, and look at what else began or ended"
        }
        FindingId::SeriesRateDrift => {
            "measure for longer, under a load that does not change, to see where it ends"
        }
        FindingId::SeriesLatencyDrift => {
            "see whether more is asked of the disk or its queue grows; else measure for longer, under a load that does \
             not change"
        }
        FindingId::SeriesWarmUp => {
            "measure for longer than the beginning lasts, and go by what follows it"
        }
        FindingId::SeriesNotJudged | FindingId::PeerNotEnough => {
            "log for longer, or at shorter intervals; of a disk that changed on the way, compare the time before and after by itself"
        }
        FindingId::PeerSlow => {
            "check that its size, caching and path are those of its peers; where they are, replace it or move its data"
        }
        FindingId::PeerErratic => {
            "look at what else happened when it stalled or choked; where its peers saw nothing of it, replace it or move \
             its data"
        }
        FindingId::PeerBusier => "spread the load evenly, and compare again",
        _ => return None,
    })
}

/// The finding with those words.
pub(crate) fn with_remedy(finding: Finding) -> Finding {
    let words = remedy(finding.id).map(ToOwned::to_owned);
    finding.fix_if(words)
}

/// What single tests are judged by.
const fn of_a_test(id: FindingId) -> Option<&'static str> {
    Some(match id {
        FindingId::BelowPrediction => {
            "A test stays below every limit on its path by more than the tolerance (7.5 % unless told), and its queue \
             depth does not explain it: it is slower than queue depth over the latency of the disk as well. Something \
             else holds it back: neighbours on the same VM, the guest's CPU, drivers or file system, a disk or size \
             that is not the one that was named."
        }
        FindingId::AboveLimits => {
            "A test is above every limit on its path by more than the tolerance: a warning, for what was measured is a \
             cache, another disk, another size, or a burst that the settings do not name. The limits that the figure does \
             fit are listed. Above them is, too, what burst credit lets through, but not for as long as the test ran. \
             Or it is more than 1.5 times as fast as its queue depth over the latency of the disk makes, \
             at a rate that the limits would let through: an info, for typical latencies are no promise."
        }
        FindingId::TempDrive => {
            "On Windows the temp disk of a size that has one is drive D, unless the letter was changed. A result of a file \
             on D that is held against a disk of another name is most likely one of the temp disk."
        }
        FindingId::SlowLatency => {
            "At queue depth 1 the rate is 1 / latency where no limit is below that, so that the figure is the latency of \
             the disk itself. Typical latencies are one field report's and no promise: only what takes more than 1.5 times as \
             long is named. Over a log it is the median of I/Os of a size that is known, where the rate stays below 90 % of every \
             limit on the way that is known, so that none of these makes them wait; it says whether all are known."
        }
        FindingId::InconsistentResult => {
            "IOPS x block size = MB/s, and outstanding I/Os = IOPS x latency (Little's law). Where the figures of one \
             test break either, the tool mixes units or block sizes, its queue was not kept full, or the latency is not \
             that of the same I/Os."
        }
        _ => return None,
    })
}

/// What logs over time are judged by.
const fn over_time(id: FindingId) -> Option<&'static str> {
    Some(match id {
        FindingId::SeriesStalls => {
            "For a sample or more the rate was below 1 % of the usual although I/Os were outstanding: counted as a \
             queue, as a busy disk, or seen by an I/O right behind that took at least half as long. Databases log this \
             as I/O that takes many seconds. It speaks against the device, its path or the host, not against the load."
        }
        FindingId::SeriesFence => {
            "A dip is a fall below 70 % of the usual rate that comes back. Seven dips or more, of whose distances three \
             in four are within 25 % of the median, are a fence. Where the latency peaks as the rate collapses (1.5 \
             times the usual, with 70 % of the I/Os still outstanding), the device chokes: a member that answers late, \
             a cache that is flushed, a background task. Where the latency falls with the rate, the load pauses \
             regularly, and the disk is not at fault."
        }
        FindingId::SeriesDips => {
            "A dip is a fall below 70 % of the usual rate, and below its noise, that comes back. Latency at least 1.5 \
             times the usual with the I/Os still outstanding means that the device choked; latency that falls with the \
             rate, with fewer I/Os outstanding, means that less was asked of it. Between the two it is not told."
        }
        FindingId::SeriesThrottled => {
            "A rate that stays within 5 % for a tenth of the time, with next to nothing above it, is held by something: \
             a limit that is known by name and within the tolerance (7.5 % unless told), else some limit where I/Os \
             queue up behind it, else the load. Limits are those of the planner for the size and the direction of the \
             I/O that was seen, and those that the log states itself. It is the load where fewer than two I/Os are \
             outstanding, or where each takes no longer than usual for the disk that is named (1.5 times the typical \
             latency). A limit that is not known is told by more than a rate that is even, for noise may be close to its \
             mean, too: by I/Os that take 1.5 times as long as the quickest of the log, three times the longest that is \
             usual or more than 20 ms, or by rates that pile up where I/Os queue (more than eight at a time, where no usual \
             latency is known): one level below another, or 5 % of the time or more below the level and its noise, and a \
             tenth of that above it at most."
        }
        FindingId::SeriesStep => {
            "Where the rate, else the latency, has two levels, one up to a moment and one from then on, 1.25 times apart or \
             more and by more than four standard deviations of either, with next to no sample (5 %) nearer to the other \
             one. Fewer I/Os that take longer, or as many that do, are slower; more or fewer I/Os that take no longer are \
             another load, and so are I/Os of another size (1.5 times). Three levels and more, each of 60 \
             samples (5 % of a shorter log), are told one by one where each differs as much from the next. Within the first third of the log it is told as its beginning."
        }
        FindingId::SeriesRateDrift => {
            "A trend by the Theil-Sen slope that the Mann-Kendall test finds sure, over the whole of the log but its \
             beginning. A cache that fills, a disk that fragments, or a load that changes."
        }
        FindingId::SeriesLatencyDrift => {
            "A trend by the Theil-Sen slope that the Mann-Kendall test finds sure, over the whole of the log but its \
             beginning."
        }
        FindingId::SeriesWarmUp => {
            "The first samples, at most a third of the log, are 30 % or more off a rate that is steady afterwards: \
             above it a cache or burst credit that ran out, below it a cache that had to fill; or another load, where \
             I/Os took no longer when there were more of them. A benchmark that is as short as its beginning measures \
             that."
        }
        FindingId::SeriesNotJudged => {
            "Every judgement needs a number of samples below which accidents look like patterns. What is not judged is \
             said, never guessed."
        }
        FindingId::SeriesSteady => {
            "No plateau at a limit that is known, no collapse, no standstill, no step, no drift, and a beginning like the rest. A rate \
             that is above what holds without end is on burst credit, and it is said how long a full bucket lasts."
        }
        _ => return None,
    })
}

/// What peers are compared by.
const fn of_peers(id: FindingId) -> Option<&'static str> {
    Some(match id {
        FindingId::PeerSlow => {
            "Slowness is latency where all peers have it, else the rate, of logs of fio alone: what others log is what \
             was asked as much as what was answered. A peer is called slow when it is 1.25 times as \
             slow as the others or more, a rank test over independent blocks of samples is 99 % sure (corrected for the \
             number of peers; moment by moment where they were measured at the same time), it is 3.5 robust standard \
             deviations out where there are three or more, and it is not merely asked for more. A mirror or stripe runs \
             at the pace of its slowest member. Where the disks are named and it takes no longer than usual for such a \
             disk, it is an info."
        }
        FindingId::PeerErratic => {
            "On the whole as fast as its peers, but it stalls, chokes or gets slower for good, and fewer than half of the \
             others do."
        }
        FindingId::PeerBusier => {
            "Slower than its peers, but with 1.25 times their I/Os or I/Os of 1.5 times their size: load, not fault."
        }
        FindingId::PeerNotEnough => {
            "Neighbouring samples are alike. The autocorrelation says how many of them are worth one, and a comparison \
             needs eight such blocks of each peer. A peer that did less is not judged, either, where no latency says \
             whether less was asked of it; nor is one that has less than a tenth of the I/Os in flight that the others \
             have: it is hardly used, and the latency of its few I/Os tells nothing."
        }
        FindingId::PeerAlike => "Nothing speaks against it.",
        _ => return None,
    })
}
