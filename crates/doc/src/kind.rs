//! Which document a text is, before it is read as one.

use serde::Deserialize;

/// The documents of tlstax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    Results,
    Profile,
    Workload,
    Model,
    Plan,
}

/// Which document a text is, as far as it says so: results do not, and neither does what is none of ours.
pub fn document_kind(text: &str) -> DocumentKind {
    #[derive(Deserialize)]
    struct Head {
        document: Option<String>,
    }
    let is_cut = match serde_json::from_str::<Head>(text) {
        Ok(Head { document }) => {
            return document.and_then(|word| of_word(&word)).unwrap_or(DocumentKind::Results);
        }
        Err(error) => error.is_eof(),
    };
    // One that was cut off is still what it was: the word stands near its beginning.
    let beginning: String = text.chars().take(200).collect();
    let word = beginning.split("\"document\":\"").nth(1).and_then(|rest| rest.split('"').next());
    word.filter(|_| is_cut).and_then(of_word).unwrap_or(DocumentKind::Results)
}

fn of_word(word: &str) -> Option<DocumentKind> {
    match word {
        "profile" => Some(DocumentKind::Profile),
        "workload" => Some(DocumentKind::Workload),
        "model" => Some(DocumentKind::Model),
        "plan" => Some(DocumentKind::Plan),
        _ => None,
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
