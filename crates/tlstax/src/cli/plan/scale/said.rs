//! What curves say, in sentences.

use tlstax_plan::scale::{At, Curve, Law, Measured, Regime};

use super::name;
use super::tables::{beyond, too_few};
use crate::cli::plan::figures::{digits, ranged};

/// A sentence for each curve, and one for each prediction.
pub fn sentences(measured: &[Measured], at: &[u16]) -> Vec<String> {
    let of = |one: &Measured| match &one.curve {
        None => vec![format!("{}: {}.", name(one), too_few(one))],
        Some(curve) => {
            let predictions = at.iter().map(|threads| prediction(one, curve, *threads));
            std::iter::once(regime(one, curve)).chain(predictions).collect()
        }
    };
    measured.iter().flat_map(of).collect()
}

fn regime(measured: &Measured, curve: &Curve) -> String {
    let most = curve.points().last().map(|point| point.threads).unwrap_or_default();
    let lost = digits((curve.lost() * 100.0).max(0.0));
    let what = match curve.regime {
        Regime::Linear => "each does what it does where they are fewest".to_owned(),
        Regime::Contended => format!("each loses {lost} %"),
        Regime::LockBound => format!("half as many do as much, and each loses {lost} %"),
    };
    let law = match curve.law {
        Some(Law::Universal(usl)) if curve.regime != Regime::Linear => match usl.peak() {
            Some(peak) if peak <= f64::from(most) => {
                format!("; by the universal law the most is done with {peak:.0}")
            }
            _ => String::new(),
        },
        Some(Law::Lock(lock)) => {
            format!("; one lock allows {} {} at most", digits(lock.cap()), measured.unit)
        }
        _ => String::new(),
    };
    format!("{}: {} up to {most} {}: {what}{law}.", name(measured), curve.regime.name(), measured.of)
}

fn prediction(measured: &Measured, curve: &Curve, threads: u16) -> String {
    let said = match curve.at(threads) {
        At::Measured(rate) => {
            format!("{threads} {}: {} {}, measured", measured.of, ranged(rate), measured.unit)
        }
        At::Between(rate) => {
            format!("{threads} {}: {} {}, predicted", measured.of, ranged(rate), measured.unit)
        }
        At::Beyond { .. } => format!("no prediction: {}", beyond(measured, curve, threads)),
    };
    format!("{}: {said}.", name(measured))
}
