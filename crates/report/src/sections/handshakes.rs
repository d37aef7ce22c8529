//! What a handshake costs each side, full and resumed, and what an idle connection takes.

mod sentences;
mod tables;

use tlstax_doc::Metric;

pub(crate) use self::tables::kibibytes;
use crate::ask::{Facts, libraries, works};
use crate::grid::{Cross, Measure, too_many};
use crate::label::{HANDSHAKE, Labels};
use crate::model::Section;
use crate::notes::notes;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let (mut items, idles) = (facts.handshakes(), facts.idles());
    items.retain(|item| item.case.threads == 1);
    if items.is_empty() && idles.is_empty() {
        return None;
    }
    let libraries = libraries(&items);
    let labels = Labels::of(HANDSHAKE, &items);
    let intro = format!(
        "CPU microseconds of each side in memory, without a network: {}. Of base, of full: the server's cost beside the \
         base's, and beside the same handshake in full. Trips: round trips before the client may send its request. \
         Control: the same flights without any crypto.",
        labels.unsaid()
    );
    // The libraries beside each other, by what one side needs for each handshake.
    let beside = |metric: Metric| {
        Cross::new("handshake", labels.rows(&works(&items)), &libraries, |library, like| {
            like.by(library, &items)
        })
        .measure(Measure::micros("{}", metric))
    };
    let mut section = Section::new("handshakes", "Handshakes", intro);
    if too_many(&libraries) {
        let side = |metric: Metric| beside(metric).by_library(format!("The {}, side by side", metric.name()));
        section = section.with([Metric::Server, Metric::Client].into_iter().filter_map(side));
    }
    let notes =
        notes(items.iter().map(|item| item.measurement).chain(idles.iter().map(|item| item.measurement)));
    let section = section
        .with(libraries.iter().filter_map(|library| tables::of_library(&items, &labels, library)))
        .with(tables::idle(&idles))
        .with(beside(Metric::Server).chart("CPU time of the server for one handshake", true))
        .with(notes);
    let answers = sentences::answers(&items, &idles, &libraries);
    Some(section.saying(sentences::sentences(&items, &libraries)).answering(answers))
}
