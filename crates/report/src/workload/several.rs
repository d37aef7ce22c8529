//! Several workloads beside each other, a column for each.

use tlstax_doc::Workload;

use crate::model::View;

/// The view of several workloads, each under a name of its own, such as that of its file.
pub fn workloads_side_by_side(workloads: &[(String, &Workload)]) -> View {
    View {
        title: "What the traffic was".to_owned(),
        about: workloads.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "),
        sections: Vec::new(),
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: Vec::new(),
        traffic: Vec::new(),
    }
}
