//! The view of one workload.

use tlstax_doc::Workload;

use crate::model::View;

/// The view of one workload; `name` is that of its file.
pub fn workload_view(name: &str, _workload: &Workload) -> View {
    View {
        title: "What the traffic was".to_owned(),
        about: name.to_owned(),
        sections: Vec::new(),
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: Vec::new(),
        traffic: Vec::new(),
    }
}
