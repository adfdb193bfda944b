//! Which columns of a table fit a width, and how wide each may be.

/// Columns between the texts of two neighbours: a blank, a line, a blank.
pub(super) const GAP: usize = 3;

/// What a column needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Need {
    /// 0 is kept longest.
    pub(super) rank: u8,
    /// Its width with head and cells on one line each.
    pub(super) full: usize,
    /// Its width with every cell on one line, whatever the head needs.
    pub(super) body: usize,
    /// The least width at which it still reads well.
    pub(super) tight: usize,
    /// The width of its widest word: it must not be narrower.
    pub(super) word: usize,
    /// Whether it holds figures: of equals these are left out before words.
    pub(super) figures: bool,
}

/// How a table is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fit {
    /// These columns, by position, each so wide.
    Columns(Vec<(usize, usize)>),
    /// A row is a list of heads and values: not even the most important columns fit side by side.
    Cards,
}

/// Fits columns into `room`: as they are; else wrapping texts; else leaving out the highest ranks (the rightmost of
/// equals first); else wrapping down to whole words; else as cards, where `cards` allows it; else leaving out the most
/// important too, from the right, figures before words but never the first, and breaking words at the last.
pub(super) fn fit(needs: &[Need], room: Option<usize>, cards: bool) -> Fit {
    let room = room.unwrap_or(usize::MAX);
    let mut kept: Vec<usize> = (0..needs.len()).collect();
    let rank = |index: &usize| needs.get(*index).map_or(0, |need| need.rank);
    let try_widths = |kept: &[usize], least: fn(&Need) -> usize| {
        let needs: Vec<Need> = kept
            .iter()
            .filter_map(|index| needs.get(*index).copied())
            .collect();
        let space = room.saturating_sub(GAP * kept.len().saturating_sub(1));
        let widths = widths(&needs, space, least)?;
        Some(Fit::Columns(kept.iter().copied().zip(widths).collect()))
    };
    loop {
        if let Some(fit) = try_widths(&kept, |need| need.tight) {
            return fit;
        }
        let highest = kept.iter().map(rank).max().filter(|rank| *rank > 0);
        match kept.iter().rposition(|index| Some(rank(index)) == highest) {
            Some(position) => kept.remove(position),
            None => break,
        };
    }
    while kept.len() > 1 {
        match try_widths(&kept, |need| need.word) {
            Some(fit) => return fit,
            None if cards => return Fit::Cards,
            None => leave_out(&mut kept, needs),
        }
    }
    try_widths(&kept, |need| need.word)
        .unwrap_or_else(|| Fit::Columns(kept.iter().map(|index| (*index, room)).collect()))
}

/// Leaves out the last column of figures that is not the first column; without one, the last.
fn leave_out(kept: &mut Vec<usize>, needs: &[Need]) {
    let is_figures = |index: &usize| needs.get(*index).is_some_and(|need| need.figures);
    match kept.iter().rposition(is_figures) {
        Some(position @ 1..) => {
            kept.remove(position);
        }
        _ => {
            kept.pop();
        }
    }
}

/// The width of each column within `space`, none below `least`; `None` where that is too much.
/// What is left over first brings cells onto one line, then heads.
fn widths(needs: &[Need], space: usize, least: impl Fn(&Need) -> usize) -> Option<Vec<usize>> {
    let mut widths: Vec<usize> = needs.iter().map(least).collect();
    let mut spare = space.checked_sub(widths.iter().sum())?;
    for wanted in [|need: &Need| need.body, |need: &Need| need.full] {
        let wanted: Vec<usize> = needs.iter().map(wanted).collect();
        spare = widen(&mut widths, &wanted, spare);
    }
    Some(widths)
}

/// Gives the spare width to the columns that want more, first to those that want the least; gives back what is left.
fn widen(widths: &mut [usize], wanted: &[usize], mut spare: usize) -> usize {
    let mut wanting: Vec<(usize, &mut usize)> = widths
        .iter_mut()
        .zip(wanted)
        .map(|(width, wanted)| (wanted.saturating_sub(*width), width))
        .filter(|(more, _)| *more > 0)
        .collect();
    wanting.sort_by_key(|(more, _)| *more);
    let mut waiting = wanting.len();
    for (more, width) in wanting {
        let given = more.min(spare / waiting);
        *width += given;
        spare -= given;
        waiting -= 1;
    }
    spare
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column of text under a short head.
    fn need(rank: u8, full: usize, word: usize) -> Need {
        Need {
            rank,
            full,
            body: full,
            tight: word.max(full.min(16)),
            word,
            figures: false,
        }
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let needs = [need(0, 10, 5), need(3, 20, 6)];
        let as_is = Fit::Columns(vec![(0, 10), (1, 20)]);
        assert_eq!(fit(&needs, None, true), as_is);
        assert_eq!(fit(&needs, Some(33), true), as_is);
    }

    #[test]
    fn texts_wrap_before_columns_go() {
        let needs = [need(0, 10, 5), need(3, 40, 6)];
        // 10 + 3 + 17: the second column wraps into what is left.
        assert_eq!(
            fit(&needs, Some(30), true),
            Fit::Columns(vec![(0, 10), (1, 17)])
        );
    }

    #[test]
    fn the_least_important_go_first_from_the_right() {
        let needs = [
            need(0, 10, 10),
            need(2, 10, 10),
            need(1, 10, 10),
            need(2, 10, 10),
        ];
        assert_eq!(
            fit(&needs, Some(40), true),
            Fit::Columns(vec![(0, 10), (1, 10), (2, 10)])
        );
        assert_eq!(
            fit(&needs, Some(30), true),
            Fit::Columns(vec![(0, 10), (2, 10)])
        );
    }

    #[test]
    fn the_most_important_wrap_to_words_then_become_cards() {
        let needs = [need(0, 30, 8), need(0, 30, 8)];
        assert_eq!(
            fit(&needs, Some(21), true),
            Fit::Columns(vec![(0, 9), (1, 9)])
        );
        assert_eq!(fit(&needs, Some(18), true), Fit::Cards);
    }

    #[test]
    fn a_long_table_gives_up_columns_rather_than_become_cards() {
        let needs = [need(0, 30, 12), need(0, 30, 8)];
        assert_eq!(fit(&needs, Some(18), false), Fit::Columns(vec![(0, 18)]));
        // Not even a word of the first fits: it is broken.
        assert_eq!(fit(&needs, Some(10), false), Fit::Columns(vec![(0, 10)]));
    }

    /// 12 + 3 + 8 + 3 + 12 for whole words: the figures in the middle go, not the words at the end; the first column stays
    /// whatever it holds.
    #[test]
    fn figures_go_before_words() {
        let figures = Need {
            figures: true,
            ..need(0, 8, 8)
        };
        let table = [need(0, 12, 12), figures, need(0, 12, 12)];
        let words = Fit::Columns(vec![(0, 12), (2, 12)]);
        assert_eq!(fit(&table, Some(37), false), words);
        let first = Fit::Columns(vec![(0, 8)]);
        assert_eq!(fit(&[figures, need(0, 12, 12)], Some(10), false), first);
    }

    #[test]
    fn cells_come_onto_one_line_before_heads() {
        let number = Need {
            rank: 0,
            full: 20,
            body: 5,
            tight: 10,
            word: 10,
            figures: true,
        };
        // 3 between, 10 for the number, 25 for the text: all of it goes to the text.
        assert_eq!(
            fit(&[need(0, 25, 8), number], Some(38), true),
            Fit::Columns(vec![(0, 25), (1, 10)])
        );
    }

    #[test]
    fn no_columns_fit_anywhere() {
        assert_eq!(fit(&[], Some(20), true), Fit::Columns(vec![]));
    }
}
