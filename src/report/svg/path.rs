//! From points to pixels.

use super::canvas::Point;
use crate::report::chart::Shape;

/// The last point whose value is known.
pub(super) fn last_known(points: &[(f64, Option<f64>)]) -> Option<(f64, f64)> {
    points.iter().rev().find_map(|(x, y)| Some((*x, (*y)?)))
}

/// The line in pixels, in as many pieces as gaps make it, with no more points than a screen can show.
pub(super) fn pieces(
    points: &[(f64, Option<f64>)],
    shape: Shape,
    to_pixels: impl Fn(f64, f64) -> Point,
) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    let mut piece: Vec<Point> = Vec::new();
    let mut before: Option<f64> = None;
    for (x, y) in points {
        if let (Shape::Step, Some(held)) = (shape, before) {
            piece.push(to_pixels(*x, held));
        }
        match y {
            Some(y) => piece.push(to_pixels(*x, *y)),
            None => pieces.push(std::mem::take(&mut piece)),
        }
        before = *y;
    }
    pieces.push(piece);
    pieces.retain(|piece| !piece.is_empty());
    pieces.iter().map(|piece| thinned(piece)).collect()
}

/// The same line with at most four points in a column of pixels: its first, lowest, highest and last.
fn thinned(points: &[Point]) -> Vec<Point> {
    let mut out: Vec<Point> = Vec::with_capacity(points.len().min(4096));
    for column in points.chunk_by(|a, b| a.0 == b.0) {
        if column.len() <= 4 {
            out.extend(column);
            continue;
        }
        let highest = column.iter().min_by_key(|point| point.1);
        let lowest = column.iter().max_by_key(|point| point.1);
        let kept = [column.first(), highest, lowest, column.last()];
        out.extend(kept.into_iter().flatten());
    }
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(x: f64, y: f64) -> Point {
        (x as i32, y as i32)
    }

    #[test]
    fn steps_get_their_corners_and_gaps_break_the_line() {
        let points = [
            (0.0, Some(5.0)),
            (2.0, Some(1.0)),
            (4.0, None),
            (6.0, Some(3.0)),
            (7.0, Some(3.0)),
        ];
        assert_eq!(
            pieces(&points, Shape::Step, pixels),
            [vec![(0, 5), (2, 5), (2, 1), (4, 1)], vec![(6, 3), (7, 3)]]
        );
        assert_eq!(
            pieces(&points, Shape::Linear, pixels),
            [vec![(0, 5), (2, 1)], vec![(6, 3), (7, 3)]]
        );
        assert_eq!(last_known(&points), Some((7.0, 3.0)));
    }

    #[test]
    fn a_long_trace_keeps_its_peaks() {
        let points: Vec<Point> = (0..1000)
            .map(|i| (i / 500, if i == 77 { 99 } else { i % 3 }))
            .collect();
        let thin = thinned(&points);
        assert!(thin.len() <= 8 && thin.contains(&(0, 99)), "{thin:?}");
    }
}
