//! The answer of a profile, in sentences.

use tlstax_doc::{Class, Cost};

use super::account::{Account, is_any, is_tls};
use super::evidence;
use super::name::class_name;
use crate::model::Quantity;
use crate::number;

/// So many parts of TLS are named.
const NAMED: usize = 4;

/// The share of TLS first, then its largest parts, then how sure that is.
pub(super) fn sentences(account: &Account<'_>) -> Vec<String> {
    if account.samples == 0 {
        return vec!["There are no samples.".to_owned()];
    }
    [share(account), parts(account), operations(account), certainty(account)].into_iter().flatten().collect()
}

fn share(account: &Account<'_>) -> Option<String> {
    let of_process = account.share(&is_tls, &is_any)?;
    let of_machine =
        account.of_machine(&is_tls).map(|share| format!(", and {} of the machine", shown(&share)));
    Some(format!(
        "TLS takes {} of the CPU time of {}{}.",
        shown(&of_process),
        who(account),
        of_machine.unwrap_or_default()
    ))
}

fn who(account: &Account<'_>) -> String {
    match account.captures.as_slice() {
        [one] => one.target.clone(),
        several => format!("{} captures", several.len()),
    }
}

/// The classes of TLS that take most of it.
fn parts(account: &Account<'_>) -> Option<String> {
    let mut classes: Vec<(Class, u64)> = account
        .totals
        .iter()
        .map(|(class, weight)| (*class, *weight))
        .filter(|(class, _)| is_tls(*class))
        .collect();
    classes.sort_by_key(|(class, weight)| (std::cmp::Reverse(*weight), *class));
    let named = classes.iter().take(NAMED).filter_map(|(meant, _)| {
        let share = account.share(&|class| class == *meant, &is_tls)?;
        Some(format!("{} {}", class_name(*meant), shown(&share)))
    });
    let named: Vec<String> = named.collect();
    let (last, first) = named.split_last()?;
    let list = if first.is_empty() { last.clone() } else { format!("{} and {last}", first.join(", ")) };
    Some(format!("Of that: {list}."))
}

/// Handshakes against records: the question behind most others.
fn operations(account: &Account<'_>) -> Option<String> {
    let public =
        |class: Class| matches!(class.cost, Cost::Signature | Cost::Verification | Cost::KeyExchange);
    let records = |class: Class| matches!(class.cost, Cost::RecordCipher | Cost::RecordCopy);
    if account.weight(&public) + account.weight(&records) == 0 {
        return None;
    }
    let (public, records) = (account.share(&public, &is_tls)?, account.share(&records, &is_tls)?);
    Some(format!(
        "Public keys take {} of TLS, the protection of records {}.",
        shown(&public),
        shown(&records)
    ))
}

fn certainty(account: &Account<'_>) -> Option<String> {
    let told_apart = evidence::told_apart(account.profile)? * 100.0;
    Some(format!(
        "{} % of the samples within TLS have a class by better evidence than the file they are in.",
        number::three_digits(told_apart)
    ))
}

/// A share with half its interval in points: what people add and subtract.
pub(super) fn shown(share: &Quantity) -> String {
    let reach = (share.high - share.low) / 2.0;
    if share.value == 0.0 {
        return format!("less than {} %", number::significant(share.high, 2));
    }
    if reach == 0.0 {
        return format!("{} %", number::three_digits(share.value));
    }
    let decimals = if reach >= 0.95 {
        0
    } else if reach >= 0.095 {
        1
    } else {
        2
    };
    format!("{:.decimals$} % (±{reach:.decimals$})", share.value)
}
