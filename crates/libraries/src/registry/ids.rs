//! What the ids of a registry mean beside naming a library, and which of them no library may have.

use tlstax_spec::{Id, Switch};

/// The mark in an id that asks for a library with something switched off: `openssl-without-aes-sha`.
pub(crate) const WITHOUT: &str = "-without-";

/// The mark in an id that asks for a server with a library of ours: `nginx@openssl-3.6`.
pub(crate) const LIBRARY_MARK: char = '@';

/// The words that stand for several libraries.
pub(crate) const GROUPS: [&str; 4] = ["default", "fast", "standard", "all"];

/// Why no library of a registry may be called so, although it is an id; none where it may.
pub(crate) fn reserved(id: &Id) -> Option<String> {
    if GROUPS.contains(&id.as_str()) {
        return Some(format!(
            "has the name of a group of libraries ({}); give it another id",
            GROUPS.join(", ")
        ));
    }
    if let Some(mark) = id.chars().find(|one| !one.is_ascii_alphanumeric() && !matches!(one, '.' | '-' | '_'))
    {
        let means = if mark == LIBRARY_MARK { ", which names a server with another library" } else { "" };
        return Some(format!(
            "has a '{mark}' in its id{means}; give it another id, of letters, digits, '.', '-' and '_'"
        ));
    }
    // A build of its own may be called after what it was built without; no other library is without it.
    let name = id.strip_suffix(Switch::Asm.name()).and_then(|rest| rest.strip_suffix(WITHOUT)).unwrap_or(id);
    asks_for_less(name)
}

/// Why an id may not be that of a library: with such a mark it asks for a library with something switched off.
pub(crate) fn asks_for_less(id: &str) -> Option<String> {
    let problem =
        format!("has '{WITHOUT}' in its id, which asks for another library with something switched off");
    id.contains(WITHOUT).then(|| format!("{problem}; give it another id"))
}

/// The library that an id asks for with something switched off, and what that is; none where it asks for no such thing.
pub(crate) fn variant(id: &Id) -> Option<(Id, Vec<Switch>)> {
    // From the end: a build without something may be told to do without something else.
    let (base, names) = id.rsplit_once(WITHOUT)?;
    let without = names.split('-').map(str::parse).collect::<Result<_, _>>();
    Some((base.parse().ok()?, without.ok()?))
}
