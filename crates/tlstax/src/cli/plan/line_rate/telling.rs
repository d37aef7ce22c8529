//! The streams that say most, and what they are called.

use tlstax_plan::line::{Stream, StreamBasis};

/// The streams of the first basis that there is: it says most.
pub(super) fn telling(streams: &[Stream]) -> impl Iterator<Item = &Stream> {
    // What a server sends without TLS stands in the tables beside them.
    let has_figure = |stream: &&Stream| stream.sends.is_ok() && stream.expansion > 1.0;
    let basis: Option<StreamBasis> = streams.iter().find(has_figure).map(|stream| stream.basis);
    streams.iter().filter(has_figure).filter(move |stream| Some(stream.basis) == basis)
}

/// Who it is.
pub(super) fn name(stream: &Stream) -> String {
    match stream.what.as_str() {
        "" => "the rate that was given".to_owned(),
        what => format!("{}, {what}", stream.library),
    }
}
