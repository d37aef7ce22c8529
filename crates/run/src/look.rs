//! What a server of the user's negotiates and answers, found by a few connections before anything is measured.

use tlstax_libraries::{Home, Registry, Seat, Session};
use tlstax_peers::Refused;
use tlstax_peers::servers::{External, Seen};
use tlstax_spec::Version;

use crate::error::{RunError, cores};
use crate::study::LEAN;

/// Looks at a server through the worker of the lean client.
///
/// # Errors
/// The worker cannot be asked, or nothing at the address answers.
pub fn look(home: &Home, registry: &Registry, server: &External) -> Result<Seen, RunError> {
    let client = registry.entry(&LEAN)?;
    let seat = Seat { cpus: vec![cores()?.client], remote: server.consent(), ..Seat::default() };
    let mut session = Session::start(client, home, seat, 0).map_err(|refused| unasked(server, &refused))?;
    let seen = looked(&mut session, server);
    session.end();
    seen
}

fn looked(session: &mut Session, server: &External) -> Result<Seen, RunError> {
    let mut reasons = Vec::new();
    let mut ask =
        |version: Option<Version>| match session.look(server.address().port(), server.target(), version) {
            Ok(sight) => Ok(Some(sight)),
            Err(Refused::Failed(failure)) if !failure.lost => {
                let over = version.map_or("plain HTTP", Version::name);
                reasons.push((over, failure.message));
                Ok(None)
            }
            Err(refused) => Err(unasked(server, &refused)),
        };
    let plain = ask(None)?;
    // On a port for TLS, many servers answer plain HTTP with an error page, or send it elsewhere.
    if plain.as_ref().is_some_and(|sight| sight.status == Some(200)) {
        return Ok(Seen { plain, tls: Vec::new() });
    }
    let mut tls = Vec::new();
    for version in [Version::Tls13, Version::Tls12] {
        tls.extend(ask(Some(version))?);
    }
    match (tls.is_empty(), plain) {
        (true, None) => Err(RunError::Look(format!(
            "nothing at {} could be talked to ({}); check that the server runs, and its address",
            server.address(),
            joined(&reasons)
        ))),
        (true, plain) => Ok(Seen { plain, tls }),
        (false, _) => Ok(Seen { plain: None, tls }),
    }
}

/// Why each way to talk failed, once where it is the same for all.
fn joined(reasons: &[(&str, String)]) -> String {
    match reasons {
        [(_, first), others @ ..] if others.iter().all(|(_, other)| other == first) => first.clone(),
        _ => reasons.iter().map(|(over, why)| format!("{over}: {why}")).collect::<Vec<_>>().join("; "),
    }
}

fn unasked(server: &External, refused: &Refused) -> RunError {
    match refused {
        Refused::Interrupted => RunError::Interrupted,
        refused => RunError::Look(format!("cannot look at {}: {refused}", server.address())),
    }
}
