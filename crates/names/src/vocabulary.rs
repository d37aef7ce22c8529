//! Every vocabulary that people choose from, with all spellings, for the list of names.

use tlstax_spec::{
    Algorithm, Contexts, Direction, Group, Http, Key, Method, Op, Page, Pattern, Resumption, Sessions, Suite,
    Switch, Version,
};

use super::aliases::Aliased;

#[derive(Debug)]
pub struct Vocabulary {
    /// What kind of name it is.
    pub what: &'static str,
    /// The names, in the order tables show them.
    pub members: Vec<Spelled>,
}

/// A name with its other spellings.
#[derive(Debug)]
pub struct Spelled {
    /// The one name, as documents have it.
    pub name: &'static str,
    /// What is read as the same.
    pub aliases: Vec<String>,
}

fn vocabulary<T: Aliased>() -> Vocabulary {
    let spelled = |member: &T| Spelled { name: member.canonical_name(), aliases: member.aliases() };
    Vocabulary { what: T::WHAT, members: T::MEMBERS.iter().map(spelled).collect() }
}

/// Every vocabulary that flags and studies choose from.
pub fn vocabularies() -> Vec<Vocabulary> {
    vec![
        vocabulary::<Version>(),
        vocabulary::<Suite>(),
        vocabulary::<Group>(),
        vocabulary::<Key>(),
        vocabulary::<Resumption>(),
        vocabulary::<Contexts>(),
        vocabulary::<Direction>(),
        vocabulary::<Http>(),
        vocabulary::<Method>(),
        vocabulary::<Page>(),
        vocabulary::<Sessions>(),
        vocabulary::<Algorithm>(),
        vocabulary::<Op>(),
        vocabulary::<Pattern>(),
        vocabulary::<Switch>(),
    ]
}
