//! [`ProfileWitness`]: what a profile says to claims that no results can answer.

use tlstax_claims::{Span, Verb, Witness};
use tlstax_doc::{Algorithm, Class, Profile};

use super::account::{Account, is_any, is_tls};
use crate::model::Quantity;

/// A profile as a witness of claims.
pub struct ProfileWitness<'p>(pub &'p Profile);

impl Witness for ProfileWitness<'_> {
    fn figure(&self, verb: Verb, ask: &str) -> Option<Result<Span, String>> {
        let question = QUESTIONS.iter().find(|question| verb == Verb::Observe && question.ask == ask)?;
        let account = Account::of(self.0);
        if account.weight(&is_tls) == 0 {
            return Some(Err("the profile has no sample within TLS".to_owned()));
        }
        Some((question.answer)(&account))
    }
}

/// A question of a claim, by its word, and its answer.
struct Question {
    ask: &'static str,
    answer: fn(&Account<'_>) -> Result<Span, String>,
}

const QUESTIONS: &[Question] = &[
    // Percent of the CPU time of what was observed.
    Question { ask: "tls-share", answer: |account| of(account.share(&is_tls, &is_any)) },
    // Percent of TLS.
    Question { ask: "rsa-share", answer: rsa },
    Question { ask: "p256-to-x25519", answer: p256_to_x25519 },
];

fn rsa(account: &Account<'_>) -> Result<Span, String> {
    if account.weight(&is_rsa) == 0 {
        return Err("the profile has no sample of RSA".to_owned());
    }
    of(account.share(&is_rsa, &is_tls))
}

fn is_rsa(class: Class) -> bool {
    use Algorithm::{Rsa, Rsa2048, Rsa3072, Rsa4096};
    class.algorithm.is_some_and(|algorithm| matches!(algorithm, Rsa | Rsa2048 | Rsa3072 | Rsa4096))
}

/// All that P-256 takes, signatures included, by all that X25519 takes.
fn p256_to_x25519(account: &Account<'_>) -> Result<Span, String> {
    let share = |algorithm: Algorithm| {
        let is = |class: Class| class.algorithm == Some(algorithm);
        let none = || format!("the profile has no sample of {}", algorithm.title());
        let share = account.share(&is, &is_tls).filter(|share| share.low > 0.0);
        share.ok_or_else(none)
    };
    let (p256, x25519) = (share(Algorithm::P256)?, share(Algorithm::X25519)?);
    let value = p256.value / x25519.value;
    // Shares of one whole: their relative half widths joined by their squares.
    let reach = |own: f64, other: f64| ((own / p256.value).powi(2) + (other / x25519.value).powi(2)).sqrt();
    let below = reach(p256.value - p256.low, x25519.high - x25519.value);
    let above = reach(p256.high - p256.value, x25519.value - x25519.low);
    Ok(Span { value, low: value / (1.0 + below), high: value * (1.0 + above) })
}

fn of(share: Option<Quantity>) -> Result<Span, String> {
    let share = share.ok_or_else(|| "the profile has no samples".to_owned())?;
    Ok(Span { value: share.value, low: share.low, high: share.high })
}
