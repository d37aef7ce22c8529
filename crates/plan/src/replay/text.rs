//! The study, as text.

use tlstax_spec::Resumption;

use super::case::Case;
use crate::workload::rate::Rate;

/// The study of some cases, each with the share of connections that it stands for.
pub fn study(
    cases: &[(Case, f64)],
    covered: f64,
    rate: Rate,
    left_out: &[String],
    assumed: &[String],
) -> String {
    let mut text = format!(
        "# Traffic as loads, made by `tlstax traffic replay`. Each [[load]] stands for a kind of connection, with the requests a\n\
         # second that it has {}. Responses have the mean size of the kind: what they cost grows with their bytes.\n\
         # Together they stand for {:.1} % of connections.\n",
        rate.meaning(),
        covered * 100.0
    );
    left_out.iter().for_each(|sentence| text += &format!("# Left out: {sentence}.\n"));
    assumed.iter().for_each(|sentence| text += &format!("# Assumed: {sentence}.\n"));
    text += &format!(
        "name = \"replay\"\nquestion = \"\"\"\nWhat does the traffic that was counted cost?\n\"\"\"\nbudget_s = {}\nprecision = 0.01\n",
        (30 + 30 * cases.len()).min(86_400)
    );
    cases.iter().for_each(|(case, share)| text += &load(case, *share));
    text
}

fn load(case: &Case, share: f64) -> String {
    let mut text = format!("\n# {:.1} % of connections.\n[[load]]\n", share * 100.0);
    match &case.tls {
        None => text += "plain = true\n",
        Some(params) => {
            let group = params.group.map_or("X25519", |group| group.name());
            text += &format!(
                "versions = [\"{}\"]\nsuites = [\"{}\"]\ngroups = [\"{group}\"]\nkeys = [\"{}\"]\n",
                params.version.name(),
                params.suite.name(),
                params.key.name()
            );
        }
    }
    if case.resumption != Resumption::Full {
        let (way, percent) = (case.resumption.name(), case.resumed_percent);
        text += &format!("resumptions = [\"{way}\"]\nresumed_percent = [{percent}]\n");
    }
    text + &format!(
        "clients = [\"lean\"]\nhttp = [\"{}\"]\nrequests_per_connection = [{}]\nbodies = [{}]\nrates = [{}]\n",
        case.http.name(),
        case.requests_per_connection,
        case.body,
        case.rate
    )
}
