//! What documents say to claims.

use tlstax_claims::{Answer, Book, Witness};
use tlstax_doc::model::Model;
use tlstax_doc::{Profile, Results};
use tlstax_plan::{Demand, ModelWitness, Offered, Rate, traffic};
use tlstax_report::{ProfileWitness, View, claims_view};
use tlstax_traffic::by_hand;

use super::super::documents::tool;
use crate::failure::Usage;

/// The answers to some claims.
///
/// # Errors
/// A word is neither an id nor a source.
pub fn answers<'b>(book: &'b Book, wanted: &[String], runs: &[&Results]) -> Result<Vec<Answer<'b>>, Usage> {
    tlstax_claims::answer(book, wanted, runs).map_err(|error| Usage(error.to_string()))
}

/// What is asked beside results.
#[derive(Default)]
pub struct Others {
    pub profiles: Vec<Profile>,
    pub models: Vec<Model>,
}

/// The view of claims whose words were looked at before.
pub fn view(book: &Book, wanted: &[String], runs: &[&Results], others: &Others) -> View {
    let profiles: Vec<ProfileWitness<'_>> = others.profiles.iter().map(ProfileWitness).collect();
    let models: Vec<ModelWitness> = others.models.iter().map(of_model).collect();
    let profiles = profiles.iter().map(|witness| witness as &dyn Witness);
    let witnesses: Vec<&dyn Witness> =
        profiles.chain(models.iter().map(|witness| witness as &dyn Witness)).collect();
    let answers = tlstax_claims::answer_with(book, wanted, runs, &witnesses);
    claims_view(&answers.unwrap_or_else(|error| unreachable!("the words were looked at: {error}")), runs)
}

/// The small site whose CPU time rose, before and after.
const SMALL_SITE: [&str; 2] = [
    include_str!("../../../../../docs/plan-explain-before.toml"),
    include_str!("../../../../../docs/plan-explain-after.toml"),
];

fn of_model(model: &Model) -> ModelWitness {
    let [before, after] = SMALL_SITE.map(site);
    ModelWitness { model: model.clone(), before, after }
}

fn site(text: &str) -> Vec<Demand> {
    // A test reads both files.
    let workload = by_hand(text, "docs/plan-explain", tool())
        .unwrap_or_else(|error| unreachable!("it is a part of the program: {error}"));
    let found = traffic(&workload, Offered::AsCounted(Rate::Mean))
        .unwrap_or_else(|error| unreachable!("it is a part of the program: {error}"));
    found.kinds.into_iter().map(|kind| kind.demand).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_traffic_of_the_small_site_can_be_read() {
        let [before, after] = SMALL_SITE.map(site);
        assert!(!before.is_empty() && !after.is_empty());
    }
}
