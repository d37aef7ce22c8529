//! Several unknowns from sums of them: weighted linear least squares.

/// Something observed that is a sum of the unknowns.
#[derive(Debug, Clone, PartialEq)]
pub struct Equation {
    /// How many times each unknown is in it.
    pub times: Vec<f64>,
    pub value: f64,
    /// The standard deviation of the value; above zero.
    pub deviation: f64,
}

/// The unknowns that fit some equations best.
#[derive(Debug, Clone, PartialEq)]
pub struct LeastSquares {
    /// Zero for those that are lost.
    pub unknowns: Vec<f64>,
    /// By rows and columns of unknowns.
    pub covariance: Vec<Vec<f64>>,
    /// Unknowns that the equations do not tell from those before them, by their places.
    pub lost: Vec<usize>,
}

/// An unknown whose column has less than this share of its square outside of the space of those before it cannot be told from them:
/// its deviation would be more than ten thousand times what it would be alone.
const TOLD_APART: f64 = 1e-8;

/// Solves the normal equations, with columns brought to one scale, by Cholesky's factors (Golub and van Loan, "Matrix computations",
/// section 5.3.2). None without equations, or where one has another number of unknowns or a deviation that is not above zero.
pub fn least_squares(equations: &[Equation]) -> Option<LeastSquares> {
    let count = equations.first()?.times.len();
    let is_usable = |one: &Equation| one.times.len() == count && one.deviation > 0.0 && one.value.is_finite();
    if !equations.iter().all(is_usable) {
        return None;
    }
    let weighted: Vec<Vec<f64>> =
        equations.iter().map(|one| one.times.iter().map(|times| times / one.deviation).collect()).collect();
    let scale: Vec<f64> = (0..count)
        .map(|column| weighted.iter().map(|row| row[column].powi(2)).sum::<f64>().sqrt())
        .map(|norm| if norm > 0.0 { norm.recip() } else { 0.0 })
        .collect();
    let product = |one: usize, other: usize| -> f64 {
        weighted.iter().map(|row| row[one] * row[other]).sum::<f64>() * scale[one] * scale[other]
    };
    let normal: Vec<Vec<f64>> =
        (0..count).map(|row| (0..=row).map(|column| product(row, column)).collect()).collect();
    let (inverse, lost) = inverse(&normal);
    let covariance: Vec<Vec<f64>> = (0..count)
        .map(|row| (0..count).map(|column| inverse[row][column] * scale[row] * scale[column]).collect())
        .collect();
    let towards: Vec<f64> = (0..count)
        .map(|column| {
            let part = |(row, one): (&Vec<f64>, &Equation)| row[column] * one.value / one.deviation;
            weighted.iter().zip(equations).map(part).sum()
        })
        .collect();
    let unknowns = covariance.iter().map(|row| dot(row, &towards)).collect();
    Some(LeastSquares { unknowns, covariance, lost })
}

impl LeastSquares {
    /// The value of a sum by the fit.
    pub fn at(&self, times: &[f64]) -> f64 {
        dot(&self.unknowns, times)
    }

    /// The variance of that.
    pub fn variance_at(&self, times: &[f64]) -> f64 {
        let by_row = |(times_of, row): (&f64, &Vec<f64>)| times_of * dot(row, times);
        times.iter().zip(&self.covariance).map(by_row).sum::<f64>().max(0.0)
    }

    /// How much of its own value an equation of the fit is: 0 where the others say all of it, 1 where they say nothing.
    pub fn leverage(&self, equation: &Equation) -> f64 {
        (self.variance_at(&equation.times) / equation.deviation.powi(2)).min(1.0)
    }
}

/// The inverse of a symmetric matrix whose diagonal is 1, given by its rows up to the diagonal. Rows and columns that depend on those
/// before them are zero, and named.
fn inverse(matrix: &[Vec<f64>]) -> (Vec<Vec<f64>>, Vec<usize>) {
    let count = matrix.len();
    let (lower, lost) = cholesky(matrix);
    // The inverse of the lower factor, column by column.
    let mut solved = vec![vec![0.0; count]; count];
    for column in (0..count).filter(|column| !lost.contains(column)) {
        for row in (column..count).filter(|row| !lost.contains(row)) {
            let own = if row == column { 1.0 } else { 0.0 };
            let known: f64 = (column..row).map(|one| lower[row][one] * solved[one][column]).sum();
            solved[row][column] = (own - known) / lower[row][row];
        }
    }
    let entry = |one: usize, other: usize| -> f64 {
        (one.max(other)..count).map(|row| solved[row][one] * solved[row][other]).sum()
    };
    ((0..count).map(|row| (0..count).map(|column| entry(row, column)).collect()).collect(), lost)
}

fn cholesky(matrix: &[Vec<f64>]) -> (Vec<Vec<f64>>, Vec<usize>) {
    let count = matrix.len();
    let (mut lower, mut lost) = (vec![vec![0.0; count]; count], Vec::new());
    for row in 0..count {
        for column in 0..row {
            let known = dot(&lower[row][..column], &lower[column][..column]);
            let is_lost = lower[column][column] == 0.0;
            lower[row][column] =
                if is_lost { 0.0 } else { (matrix[row][column] - known) / lower[column][column] };
        }
        let pivot = matrix[row][row] - dot(&lower[row][..row], &lower[row][..row]);
        if pivot > TOLD_APART {
            lower[row][row] = pivot.sqrt();
        } else {
            lower[row].fill(0.0);
            lost.push(row);
        }
    }
    (lower, lost)
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn equation(times: &[f64], value: f64, deviation: f64) -> Equation {
        Equation { times: times.to_vec(), value, deviation }
    }

    #[test]
    fn a_mean_and_its_variance() {
        let fit = least_squares(&[equation(&[1.0], 9.0, 1.0), equation(&[1.0], 12.0, 2.0)]).unwrap();
        // Weights 1 and 1/4.
        assert!((fit.unknowns[0] - 9.6).abs() < 1e-12 && (fit.covariance[0][0] - 0.8).abs() < 1e-12);
        assert!((fit.leverage(&equation(&[1.0], 9.0, 1.0)) - 0.8).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_told_apart_is_named() {
        let both = [equation(&[1.0, 2.0, 0.0], 5.0, 1.0), equation(&[2.0, 4.0, 0.0], 10.0, 1.0)];
        let fit = least_squares(&both).unwrap();
        assert_eq!(fit.lost, [1, 2]);
        assert!((fit.unknowns[0] - 5.0).abs() < 1e-9 && fit.unknowns[1] == 0.0);
        assert!((fit.at(&[1.0, 2.0, 7.0]) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_no_equation_is_refused() {
        assert_eq!(least_squares(&[]), None);
        assert_eq!(least_squares(&[equation(&[1.0], 1.0, 0.0)]), None);
        assert_eq!(least_squares(&[equation(&[1.0], f64::NAN, 1.0)]), None);
        assert_eq!(least_squares(&[equation(&[1.0], 1.0, 1.0), equation(&[1.0, 2.0], 1.0, 1.0)]), None);
    }

    proptest! {
        /// Unknowns of very different sizes are found where the equations hold exactly and tell them apart.
        #[test]
        fn planted_unknowns_are_found(
            unknowns in prop::collection::vec(-1e6..1e6f64, 4),
            more in prop::collection::vec(prop::collection::vec(0.0..100.0f64, 4), 8),
        ) {
            let own = (0..4).map(|place| (0..4).map(|one| if one == place { 3.0 } else { 0.0 }).collect());
            let rows: Vec<Vec<f64>> = own.chain(more).collect();
            let equations: Vec<Equation> =
                rows.iter().map(|row| equation(row, dot(row, &unknowns), 1.0 + row[0])).collect();
            let fit = least_squares(&equations).unwrap();
            prop_assert!(fit.lost.is_empty());
            for (found, planted) in fit.unknowns.iter().zip(&unknowns) {
                prop_assert!((found - planted).abs() < 1e-4, "{found} {planted}");
            }
            let leverages: f64 = equations.iter().map(|one| fit.leverage(one)).sum();
            prop_assert!((leverages - 4.0).abs() < 1e-6, "they add up to the number of unknowns: {leverages}");
        }
    }
}
