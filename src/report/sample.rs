//! A series of points, averaged over even stretches of its axis.

use super::chart::Shape;

/// The mean of the series over each of `count` even stretches from `low` to `high`; `None` where nothing is known.
/// The points' x ascend; both coordinates are finite.
pub fn means(
    points: &[(f64, Option<f64>)],
    shape: Shape,
    (low, high): (f64, f64),
    count: usize,
) -> Vec<Option<f64>> {
    let step = (high - low) / count.max(1) as f64;
    let mut sums = vec![(0.0, 0.0); count];
    for pair in points.windows(2) {
        if let [(from, Some(start)), (to, end)] = pair {
            let slope = match (shape, end) {
                (Shape::Linear, Some(end)) if to > from => (end - start) / (to - from),
                (Shape::Linear, None) => continue,
                _ => 0.0,
            };
            let first = index_of((from - low) / step, count);
            let last = index_of((to - low) / step, count);
            for (cell, sum) in sums.iter_mut().enumerate().take(last + 1).skip(first) {
                let begin = from.max(low + step * cell as f64);
                let end = to.min(low + step * (cell + 1) as f64);
                if end > begin {
                    let middle = f64::midpoint(begin, end);
                    sum.0 += (start + slope * (middle - from)) * (end - begin);
                    sum.1 += end - begin;
                }
            }
        }
    }
    sums.into_iter()
        .map(|(sum, known)| (known > 0.0).then(|| sum / known))
        .collect()
}

/// The stretch that a position falls into.
fn index_of(position: f64, count: usize) -> usize {
    (position.max(0.0) as usize).min(count.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_hold_until_the_next_point() {
        let points = [(0.0, Some(200.0)), (30.0, Some(48.0)), (60.0, Some(48.0))];
        assert_eq!(
            means(&points, Shape::Step, (0.0, 60.0), 4),
            [Some(200.0), Some(200.0), Some(48.0), Some(48.0)]
        );
        // A stretch across the fall has the mean by time: 10 minutes of 200, 20 of 48.
        let three = means(&points, Shape::Step, (20.0, 50.0), 1);
        assert!((three[0].unwrap() - (10.0 * 200.0 + 20.0 * 48.0) / 30.0).abs() < 1e-9);
    }

    #[test]
    fn lines_are_averaged_by_their_middle() {
        let points = [(0.0, Some(0.0)), (10.0, Some(10.0))];
        assert_eq!(
            means(&points, Shape::Linear, (0.0, 10.0), 2),
            [Some(2.5), Some(7.5)]
        );
    }

    #[test]
    fn gaps_are_unknown() {
        let points = [
            (0.0, Some(1.0)),
            (1.0, None),
            (2.0, Some(3.0)),
            (3.0, Some(3.0)),
        ];
        assert_eq!(
            means(&points, Shape::Step, (0.0, 4.0), 4),
            [Some(1.0), None, Some(3.0), None]
        );
        assert_eq!(
            means(&points, Shape::Linear, (0.0, 4.0), 4),
            [None, None, Some(3.0), None]
        );
        assert_eq!(means(&[], Shape::Step, (0.0, 0.0), 2), [None, None]);
    }
}
