//! [`Classes`]: classes of server names, by patterns that the user gives.

/// Classes of server names, by patterns that the user gives. The names themselves get nowhere.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Classes {
    /// Each with its class; the first that fits decides.
    patterns: Vec<(Box<[u8]>, String)>,
}

/// The class of names that no pattern fits.
const OTHER: &str = "other";

/// What is wrong with a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no class of server names: write CLASS=NAME or CLASS=*.NAME, such as shop=*.shop.example")]
pub struct BadClass(String);

impl Classes {
    /// Reads patterns: `shop=*.shop.example` for a name's end, `api=api.example.com` for a name.
    ///
    /// # Errors
    /// One is not of the form.
    pub fn parse<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<Self, BadClass> {
        let parsed = patterns.into_iter().map(|text| {
            let (class, pattern) = text.split_once('=').ok_or_else(|| BadClass(text.to_owned()))?;
            let star = pattern.rfind('*');
            match !class.is_empty() && !pattern.is_empty() && star.is_none_or(|place| place == 0) {
                true => Ok((pattern.to_ascii_lowercase().into_bytes().into(), class.to_owned())),
                false => Err(BadClass(text.to_owned())),
            }
        });
        Ok(Self { patterns: parsed.collect::<Result<_, _>>()? })
    }

    pub const fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The class of a server's name; none where there are no classes.
    pub fn of(&self, name: &[u8]) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let name = name.to_ascii_lowercase();
        let fits = |pattern: &[u8]| match pattern.strip_prefix(b"*") {
            Some(end) => name.ends_with(end),
            None => name == *pattern,
        };
        let found = self.patterns.iter().find(|(pattern, _)| fits(pattern));
        Some(found.map_or(OTHER, |(_, class)| class).to_owned())
    }

    /// A class that somebody else has found, if it is one of these.
    pub fn known(&self, class: &[u8]) -> Option<String> {
        let found = self.patterns.iter().map(|(_, known)| known.as_str()).chain([OTHER]);
        found.filter(|_| !self.is_empty()).find(|known| known.as_bytes() == class).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_pattern_that_fits_decides() {
        let classes = Classes::parse(["api=api.shop.example", "shop=*.shop.example", "any=*"]).unwrap();
        let of = |name: &str| classes.of(name.as_bytes());
        assert_eq!(of("API.shop.example").as_deref(), Some("api"));
        assert_eq!(of("www.shop.example").as_deref(), Some("shop"));
        assert_eq!(of("elsewhere.example").as_deref(), Some("any"));
        assert_eq!(Classes::default().of(b"www.shop.example"), None);
        let shop = Classes::parse(["shop=*.shop.example"]).unwrap();
        assert_eq!(shop.of(b"elsewhere.example").as_deref(), Some("other"));
        assert_eq!((shop.known(b"shop").as_deref(), shop.known(b"person")), (Some("shop"), None));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for text in ["shop", "=*.shop.example", "shop=", "shop=www.*.example"] {
            assert!(Classes::parse([text]).is_err(), "{text}");
        }
    }
}
