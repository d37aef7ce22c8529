//! Libraries with something switched off, known by their ids: `openssl-without-aes` is `openssl` without aes.

/// What stands in an id between a library and what it does without.
const WITHOUT: &str = "-without-";

/// A library with something switched off, beside the same library with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Switched<'a> {
    /// The library without it.
    pub off: &'a str,
    /// The library with it.
    pub on: &'a str,
    /// What is switched off: "aes", "aes and sha".
    pub what: String,
}

/// The library as one with something switched off; none where the same library with it is not among these.
pub(crate) fn switched<'a>(library: &'a str, among: &[&str]) -> Option<Switched<'a>> {
    let at = |(place, _): (usize, &str)| {
        let (on, what) = (&library[..place], &library[place + WITHOUT.len()..]);
        among.contains(&on).then(|| Switched { off: library, on, what: what.replace('-', " and ") })
    };
    // From the end: a build without something may have something else switched off.
    library.rmatch_indices(WITHOUT).find_map(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_is_what_stands_before_the_switch() {
        let found = |id| switched(id, &["openssl", "openssl-3.6", "openssl-3.6-without-asm"]);
        let found = |id| found(id).map(|found| (found.on, found.what));
        assert_eq!(found("openssl-without-aes-sha"), Some(("openssl", "aes and sha".to_owned())));
        assert_eq!(found("openssl-3.6-without-asm"), Some(("openssl-3.6", "asm".to_owned())));
        assert_eq!(
            found("openssl-3.6-without-asm-without-aes"),
            Some(("openssl-3.6-without-asm", "aes".to_owned()))
        );
        assert_eq!(found("gnutls-without-aes"), None);
        assert_eq!(found("openssl"), None);
    }
}
