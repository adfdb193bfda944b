//! What the figures of a comparison mean, by rule.

use super::note::{Note, NoteId};
use super::range::{Gain, figure, range, spreads};
use super::rows::{Cell, Row};
use super::thresholds::{
    COLLAPSE, FASTEST_DISK, HYPERVISOR_ROWS, HYPERVISOR_SHARE, MEMORY_GAIN, SLOW_DEVICE,
    VERY_SLOW_DEVICE, WRITES_ALONE, alike, remote_latency, within_noise,
};
use super::{Comparison, Subject};
use crate::planner::findings::Figure;
use crate::units::{Latency, MBps};
use crate::workload::Pattern;

/// Adds the notes, marks the cells that cannot be the disk and ranks the rows anew.
pub(super) fn judge(comparison: &mut Comparison) {
    let mut notes = Vec::new();
    let view = View::new(comparison);
    let common = |row: &Row| row.cells.iter().flatten().count() > 1;
    if !view.rows().iter().any(common) {
        notes.push(view.note(
            NoteId::NoCommonTest,
            &[],
            &[],
            "the runs have no test in common: nothing can be held against each other".into(),
        ));
    }
    if comparison.subject == Subject::SameDisk {
        view.one_disk(&mut notes);
    }
    for column in 0..comparison.columns.len() {
        let cached = notes
            .iter()
            .any(|note| note.id == NoteId::HostCacheReads && note.columns.contains(&column));
        if !cached {
            notes.extend(view.not_remote(column));
        }
    }
    notes.sort_by_key(|note| note.id);
    mark(comparison, &notes);
    comparison.notes = notes;
}

/// Marks what the notes say is not the disk.
fn mark(comparison: &mut Comparison, notes: &[Note]) {
    let memory = |id| matches!(id, NoteId::HostCacheReads | NoteId::VolatileWriteCache);
    for note in notes.iter().filter(|note| memory(note.id)) {
        for &row in &note.rows {
            for &column in &note.columns {
                let cell = comparison
                    .rows
                    .get_mut(row)
                    .and_then(|row| row.cells.get_mut(column));
                if let Some(cell) = cell.and_then(Option::as_mut) {
                    cell.not_the_disk = true;
                }
            }
        }
    }
    for row in &mut comparison.rows {
        row.rank();
    }
}

/// Which rows a rule looks at.
type Of = fn(&Row) -> bool;

/// The comparison, and the column that shows the device.
struct View<'a> {
    comparison: &'a Comparison,
    /// The baseline, unless its reads at queue depth 1 are those of a cache beside another column's.
    reference: usize,
}

impl<'a> View<'a> {
    fn new(comparison: &'a Comparison) -> Self {
        let mut view = Self {
            comparison,
            reference: comparison.baseline,
        };
        let time = |column: usize| view.device_time(column, Row::reads).map(|(_, time)| time);
        let slowest = (0..comparison.columns.len())
            .filter_map(|column| Some((column, time(column)?)))
            .fold(
                None,
                |slowest: Option<(usize, Latency)>, next| match slowest {
                    Some(known) if known.1 >= next.1 => slowest,
                    _ => Some(next),
                },
            );
        if let (Some((column, longest)), Some(own)) = (slowest, time(comparison.baseline))
            && longest >= SLOW_DEVICE
            && longest.micros() >= MEMORY_GAIN * own.micros()
        {
            view.reference = column;
        }
        view
    }

    fn rows(&self) -> &'a [Row] {
        &self.comparison.rows
    }

    fn label(&self, column: usize) -> &'a str {
        self.comparison
            .columns
            .get(column)
            .map_or("", String::as_str)
    }

    /// The other columns.
    fn others(&self) -> impl Iterator<Item = usize> {
        let reference = self.reference;
        (0..self.comparison.columns.len()).filter(move |column| *column != reference)
    }

    /// The time of one I/O at queue depth 1 and the row that tells it: random I/O of the smallest block before
    /// sequential.
    fn device_time(&self, column: usize, of: Of) -> Option<(usize, Latency)> {
        let told = self.rows().iter().enumerate().filter_map(|(index, row)| {
            let time = row.cell(column)?.time()?;
            (row.one_outstanding() && of(row)).then_some((index, row, time))
        });
        told.min_by_key(|(_, row, _)| (!row.is(Pattern::Random), row.kind.block_size))
            .map(|(index, _, time)| (index, time))
    }

    /// A column's rates over the reference's.
    fn gains(&self, column: usize, of: Of) -> Vec<Gain> {
        let rows = self.rows().iter().enumerate();
        rows.filter(|(_, row)| of(row))
            .filter_map(|(index, row)| {
                let ratio = row.cell(column)?.over(row.cell(self.reference)?)?;
                Some(Gain { row: index, ratio })
            })
            .collect()
    }

    /// The notes that hold for configurations of one disk.
    fn one_disk(&self, notes: &mut Vec<Note>) {
        let mut alike = vec![self.reference];
        let mut cached = false;
        for column in self.others() {
            let reads = self.memory_rows(column, Row::reads);
            let writes = self.memory_rows(column, Row::writes);
            cached |= !reads.is_empty() || !writes.is_empty();
            notes.extend(self.cached_reads(column, &reads));
            notes.extend(self.cached_writes(column, &writes));
            notes.extend(self.writes_collapse(column, !reads.is_empty()));
            if reads.is_empty()
                && writes.is_empty()
                && let Some(note) = self.same_device(column)
            {
                alike.push(column);
                notes.push(note);
            }
        }
        if cached {
            notes.extend(self.hidden_device(&alike));
        }
        for column in 0..self.comparison.columns.len() {
            notes.extend(self.hypervisor_share(column));
        }
    }

    /// The rows of a direction that come from memory, where one of them proves it.
    fn memory_rows(&self, column: usize, of: Of) -> Vec<Gain> {
        let gained: Vec<Gain> = self
            .gains(column, of)
            .into_iter()
            .filter(|gain| gain.ratio >= MEMORY_GAIN)
            .collect();
        let proven = gained
            .iter()
            .any(|gain| self.proves_memory(column, gain.row));
        if proven { gained } else { Vec::new() }
    }

    /// Whether a gain in this row cannot be the device's: at queue depth 1 beside a slow device, or beyond any disk
    /// behind a network.
    fn proves_memory(&self, column: usize, index: usize) -> bool {
        let Some(row) = self.rows().get(index) else {
            return false;
        };
        let time = |column: usize| row.cell(column).and_then(Cell::time);
        let slow =
            row.one_outstanding() && time(self.reference).is_some_and(|time| time >= SLOW_DEVICE);
        slow || beyond_remote(row, column)
    }

    fn cached_reads(&self, column: usize, gains: &[Gain]) -> Option<Note> {
        let range = range(gains)?;
        let (own, other) = (self.label(column), self.label(self.reference));
        let most = self.most_mbps(column, gains);
        let message = format!(
            "reads in {own} are {} times those of {other}{}{}: they come from the host's page cache, not from the disk",
            range.words(),
            self.times(column, Row::reads),
            most.map(|most| format!(", and up to {most} MB/s are read"))
                .unwrap_or_default(),
        );
        let mut note = self.note(NoteId::HostCacheReads, &[column], gains, message);
        note.figures = range.figures("times");
        note.figures.extend(self.time_figures(column, Row::reads));
        Some(note)
    }

    fn cached_writes(&self, column: usize, gains: &[Gain]) -> Option<Note> {
        let range = range(gains)?;
        let (own, other) = (self.label(column), self.label(self.reference));
        let message = format!(
            "writes in {own} are {} times those of {other}{}: one and the same disk cannot do both, so these are acknowledged from a volatile write-back cache before they are on the disk, and what is not flushed is lost when the host fails",
            range.words(),
            self.times(column, Row::writes),
        );
        let mut note = self.note(NoteId::VolatileWriteCache, &[column], gains, message);
        note.figures = range.figures("times");
        note.figures.extend(self.time_figures(column, Row::writes));
        note.fix = note.fix.map(|fix| self.unless_different(fix));
        Some(note)
    }

    /// A fix that rests on the columns being of one disk, with what to do where that was assumed and is not so.
    fn unless_different(&self, fix: String) -> String {
        match self.comparison.subject_assumed {
            true => {
                format!("{fix}; if these are different disks, say so: --subject different-disks")
            }
            false => fix,
        }
    }

    fn writes_collapse(&self, column: usize, reads_cached: bool) -> Option<Note> {
        let mut gains = self.gains(column, |row| row.writes() && row.is(Pattern::Sequential));
        let sequential = !gains.is_empty();
        if !sequential {
            gains = self.gains(column, Row::writes);
        }
        let (fall, reads) = (range(&gains)?, range(&self.gains(column, Row::reads))?);
        if fall.highest > COLLAPSE || reads.lowest < WRITES_ALONE * fall.highest {
            return None;
        }
        let cause = if reads_cached {
            "reads come from memory and every write waits for the medium, as with a write-through cache"
        } else {
            "reads do not, so it is the writes' own path: a flush or a write through for each"
        };
        let message = format!(
            "{} in {} fall to {} of {}: {cause}",
            if sequential {
                "sequential writes"
            } else {
                "writes"
            },
            self.label(column),
            fall.words(),
            self.label(self.reference),
        );
        let mut note = self.note(NoteId::WritesCollapse, &[column], &gains, message);
        note.figures = fall.figures("times");
        Some(note)
    }

    /// Random I/O that is slow and the same in both: of a very slow device within the noise of its few I/Os, else every
    /// figure, random with one and with many outstanding and sequential.
    fn same_device(&self, column: usize) -> Option<Note> {
        let of = |row: &Row| row.is(Pattern::Random) && (row.reads() || row.writes());
        let told: Of = |row| row.is(Pattern::Random) && row.reads();
        let (index, own) = self
            .device_time(column, told)
            .or_else(|| self.device_time(column, of))?;
        let row = self.rows().get(index)?;
        let base = row.cell(self.reference)?;
        let other = base.time()?;
        let ratio = row.cell(column)?.over(base)?;
        if other < SLOW_DEVICE || !within_noise(ratio) {
            return None;
        }
        let random = self.gains(column, of);
        let sequential = self.gains(column, |row| {
            row.is(Pattern::Sequential) && (row.reads() || row.writes())
        });
        let all = || random.iter().chain(&sequential);
        let very_slow = other.min(own) >= VERY_SLOW_DEVICE;
        let steady = all().all(|gain| alike(gain.ratio));
        if !(steady || very_slow && random.iter().all(|gain| within_noise(gain.ratio))) {
            return None;
        }
        let message = format!(
            "{} takes {other} in {} and {own} in {}: the same slow device ({})",
            row.name,
            self.label(self.reference),
            self.label(column),
            spreads(range(&sequential), range(&random)),
        );
        let shown: Vec<Gain> = sequential.iter().chain(&random).copied().collect();
        let mut note = self.note(
            NoteId::SameSlowDevice,
            &[self.reference, column],
            &shown,
            message,
        );
        note.figures = vec![
            figure(self.label(self.reference), other.millis(), "ms"),
            figure(self.label(column), own.millis(), "ms"),
        ];
        Some(note)
    }

    /// What the cache hides: the time of the columns that show the device.
    fn hidden_device(&self, alike: &[usize]) -> Option<Note> {
        let random: Of = |row| row.is(Pattern::Random) && row.reads();
        let times: Vec<(usize, Latency)> = alike
            .iter()
            .filter_map(|column| Some((*column, self.device_time(*column, random)?.1)))
            .collect();
        let (_, first) = times.first()?;
        if *first < SLOW_DEVICE {
            return None;
        }
        let mean = times.iter().map(|(_, time)| time.millis()).sum::<f64>() / times.len() as f64;
        let each: Vec<String> = times
            .iter()
            .map(|(column, time)| format!("{time} in {}", self.label(*column)))
            .collect();
        let message = format!(
            "cache mode hides the device, it does not mend it: a random read at queue depth 1 that the cache does not answer takes about {mean:.0} ms ({})",
            each.join(", "),
        );
        let columns: Vec<usize> = times.iter().map(|(column, _)| *column).collect();
        let mut note = self.note(NoteId::CacheHidesDevice, &columns, &[], message);
        note.figures = times
            .iter()
            .map(|(column, time)| figure(self.label(*column), time.millis(), "ms"))
            .collect();
        Some(note)
    }

    /// The same third of the baseline in every test.
    fn hypervisor_share(&self, column: usize) -> Option<Note> {
        let ratios: Vec<Gain> = self
            .rows()
            .iter()
            .enumerate()
            .filter(|(_, row)| !row.part)
            .filter_map(|(index, row)| {
                let ratio = row.cell(column)?.ratio?;
                Some(Gain { row: index, ratio })
            })
            .collect();
        let all = ratios
            .iter()
            .all(|gain| HYPERVISOR_SHARE.contains(&gain.ratio));
        if !all || ratios.len() < HYPERVISOR_ROWS {
            return None;
        }
        let range = range(&ratios)?;
        let message = format!(
            "every test in {} is at {} of {}: a share that is the same for all I/O is the price of the path through the hypervisor, not the device's",
            self.label(column),
            range.words(),
            self.label(self.comparison.baseline),
        );
        let mut note = self.note(NoteId::HypervisorShare, &[column], &ratios, message);
        note.figures = range.figures("times");
        Some(note)
    }

    /// Reads that no disk behind a network makes.
    fn not_remote(&self, column: usize) -> Option<Note> {
        let rows: Vec<Gain> = self
            .rows()
            .iter()
            .enumerate()
            .filter(|(_, row)| row.reads() && beyond_remote(row, column))
            .map(|(row, _)| Gain { row, ratio: 1.0 })
            .collect();
        let first = self.rows().get(rows.first()?.row)?;
        let cell = first.cell(column)?;
        let time = cell.time().filter(|_| first.one_outstanding());
        let shown = time
            .map(|time| format!("{} takes {time}", first.name))
            .or_else(|| Some(format!("{} reads {} MB/s", first.name, cell.mbps?)))?;
        let message = format!(
            "{shown} in {}: faster than any disk behind a network, so a local disk or a cache in memory",
            self.label(column)
        );
        Some(self.note(NoteId::NotARemoteDisk, &[column], &rows, message))
    }

    fn note(&self, id: NoteId, columns: &[usize], gains: &[Gain], message: String) -> Note {
        let mut rows: Vec<usize> = gains.iter().map(|gain| gain.row).collect();
        rows.sort_unstable();
        Note {
            id,
            severity: id.severity(),
            columns: columns.to_vec(),
            rows,
            message,
            figures: Vec::new(),
            fix: id.remedy().map(ToOwned::to_owned),
        }
    }

    /// ` (RND4K Q1T1 read: 52 us against 17.81 ms)`, where both are known.
    fn times(&self, column: usize, of: Of) -> String {
        let told = || {
            let (index, own) = self.device_time(column, of)?;
            let row = self.rows().get(index)?;
            let other = row.cell(self.reference)?.time()?;
            Some(format!(" ({}: {own} against {other})", row.name))
        };
        told().unwrap_or_default()
    }

    fn time_figures(&self, column: usize, of: Of) -> Vec<Figure> {
        [column, self.reference]
            .into_iter()
            .filter_map(|column| {
                let (_, time) = self.device_time(column, of)?;
                Some(figure(self.label(column), time.millis(), "ms"))
            })
            .collect()
    }

    /// The highest throughput of a column in the rows of `gains`.
    fn most_mbps(&self, column: usize, gains: &[Gain]) -> Option<MBps> {
        gains
            .iter()
            .filter_map(|gain| self.rows().get(gain.row)?.cell(column)?.mbps)
            .reduce(MBps::max)
    }
}

/// Whether a figure is beyond any disk behind a network: in time at queue depth 1, or in throughput.
fn beyond_remote(row: &Row, column: usize) -> bool {
    let Some(cell) = row.cell(column) else {
        return false;
    };
    let quick = row.one_outstanding()
        && cell
            .time()
            .is_some_and(|time| time < remote_latency(row.kind.block_size));
    quick || cell.mbps.is_some_and(|mbps| mbps > FASTEST_DISK)
}
