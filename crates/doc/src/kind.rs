//! Which document a text is, before it is read as one.

use serde::Deserialize;

/// The documents of tlstax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    Results,
    Profile,
}

/// Which document a text is, as far as it says so: results do not, and neither does what is none of ours.
pub fn document_kind(text: &str) -> DocumentKind {
    #[derive(Deserialize)]
    struct Head {
        document: Option<String>,
    }
    match serde_json::from_str::<Head>(text) {
        Ok(Head { document: Some(document) }) if document == "profile" => DocumentKind::Profile,
        // A profile that was cut off is still one: the word stands near its beginning.
        Err(error)
            if error.is_eof()
                && text.chars().take(200).collect::<String>().contains("\"document\":\"profile\"") =>
        {
            DocumentKind::Profile
        }
        _ => DocumentKind::Results,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_says_which_it_is_even_if_it_was_cut() {
        assert_eq!(document_kind(r#"{"schema":{},"document":"profile","x":[1]}"#), DocumentKind::Profile);
        assert_eq!(
            document_kind(r#"{"schema":{"major":1,"minor":0},"document":"profile","x":[1"#),
            DocumentKind::Profile
        );
        assert_eq!(document_kind(r#"{"schema":{},"study":"profile"}"#), DocumentKind::Results);
        assert_eq!(document_kind("no document"), DocumentKind::Results);
    }
}
