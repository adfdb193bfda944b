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
/// equals first); else wrapping down to whole words; else as cards.
pub(super) fn fit(needs: &[Need], room: Option<usize>) -> Fit {
    let room = room.unwrap_or(usize::MAX);
    let mut kept: Vec<usize> = (0..needs.len()).collect();
    let of = |index: &usize| needs.get(*index).copied().unwrap_or_default();
    loop {
        let kept_needs: Vec<Need> = kept.iter().map(of).collect();
        let space = room.saturating_sub(GAP * kept.len().saturating_sub(1));
        if let Some(widths) = widths(&kept_needs, space, |need| need.tight) {
            return Fit::Columns(kept.into_iter().zip(widths).collect());
        }
        match kept
            .iter()
            .rposition(|index| Some(of(index).rank) == highest(&kept_needs))
        {
            Some(position) => kept.remove(position),
            None => {
                return widths(&kept_needs, space, |need| need.word).map_or(Fit::Cards, |widths| {
                    Fit::Columns(kept.into_iter().zip(widths).collect())
                });
            }
        };
    }
}

/// The highest rank that may be left out.
fn highest(needs: &[Need]) -> Option<u8> {
    needs
        .iter()
        .map(|need| need.rank)
        .max()
        .filter(|rank| *rank > 0)
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
        }
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let needs = [need(0, 10, 5), need(3, 20, 6)];
        let as_is = Fit::Columns(vec![(0, 10), (1, 20)]);
        assert_eq!(fit(&needs, None), as_is);
        assert_eq!(fit(&needs, Some(33)), as_is);
    }

    #[test]
    fn texts_wrap_before_columns_go() {
        let needs = [need(0, 10, 5), need(3, 40, 6)];
        // 10 + 3 + 17: the second column wraps into what is left.
        assert_eq!(fit(&needs, Some(30)), Fit::Columns(vec![(0, 10), (1, 17)]));
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
            fit(&needs, Some(40)),
            Fit::Columns(vec![(0, 10), (1, 10), (2, 10)])
        );
        assert_eq!(fit(&needs, Some(30)), Fit::Columns(vec![(0, 10), (2, 10)]));
    }

    #[test]
    fn the_most_important_wrap_to_words_then_become_cards() {
        let needs = [need(0, 30, 8), need(0, 30, 8)];
        assert_eq!(fit(&needs, Some(21)), Fit::Columns(vec![(0, 9), (1, 9)]));
        assert_eq!(fit(&needs, Some(18)), Fit::Cards);
    }

    #[test]
    fn cells_come_onto_one_line_before_heads() {
        let number = Need {
            rank: 0,
            full: 20,
            body: 5,
            tight: 10,
            word: 10,
        };
        // 3 between, 10 for the number, 25 for the text: all of it goes to the text.
        assert_eq!(
            fit(&[need(0, 25, 8), number], Some(38)),
            Fit::Columns(vec![(0, 25), (1, 10)])
        );
    }

    #[test]
    fn no_columns_fit_anywhere() {
        assert_eq!(fit(&[], Some(20)), Fit::Columns(vec![]));
    }
}
