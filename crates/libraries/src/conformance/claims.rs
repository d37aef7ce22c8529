//! Whether the worker describes its library in words of the vocabulary, and whole.

use std::str::FromStr;

use tlstax_spec::known_answers::{name, operations};
use tlstax_spec::wire::Hello;
use tlstax_spec::{Compression, Group, Key, Pattern, Resumption, Suite, Switch, UnknownName, Version};

use super::checks::Checks;
use super::subject::Miss;

pub(super) fn check(checks: &mut Checks<'_>) {
    checks.check("claims", |subject| {
        in_the_vocabulary(&subject.hello)?;
        whole(&subject.hello)
    });
}

fn in_the_vocabulary(hello: &Hello) -> Result<(), Miss> {
    fn known<T: FromStr<Err = UnknownName>>(names: &[String]) -> Result<(), Miss> {
        let strange = names.iter().find_map(|name| name.parse::<T>().err());
        strange.map_or(Ok(()), |error| Err(error.to_string().into()))
    }
    let is_known = |claim: &&String| operations().any(|(algorithm, op)| name(algorithm, op) == **claim);
    if let Some(claim) = hello.primitives.iter().find(|claim| !is_known(claim)) {
        return Err(format!("claims '{claim}', which is no operation of any algorithm").into());
    }
    known::<Pattern>(&hello.patterns)?;
    known::<Version>(&hello.versions)?;
    known::<Suite>(&hello.suites)?;
    known::<Group>(&hello.groups)?;
    known::<Key>(&hello.keys)?;
    known::<Resumption>(&hello.resumptions)?;
    known::<Compression>(&hello.compressions)?;
    known::<Switch>(&hello.without)
}

/// A family and a version; something to measure; and for every version that is claimed a combination and full handshakes.
fn whole(hello: &Hello) -> Result<(), Miss> {
    if hello.family.is_empty() || hello.version.is_empty() {
        return Err("does not say its family or version".into());
    }
    if hello.primitives.is_empty() && hello.versions.is_empty() {
        return Err("claims neither a primitive nor a version".into());
    }
    if !hello.versions.is_empty() && !hello.resumptions.iter().any(|kind| kind == Resumption::Full.name()) {
        return Err("claims a version and no full handshakes".into());
    }
    if hello.compresses && hello.compressions.is_empty() {
        return Err("claims to compress by itself, and no compression".into());
    }
    let combinations = hello.combinations();
    let is_bare = |version: &&String| !combinations.iter().any(|params| params.version.name() == **version);
    match hello.versions.iter().find(is_bare) {
        Some(version) => Err(format!("claims {version}, and no suite, group and key for it").into()),
        None => Ok(()),
    }
}
