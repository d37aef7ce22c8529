//! What shells complete beyond the names of vocabularies: libraries, servers, clients and studies, as they are on this machine,
//! and claims.

use clap::Command;
use clap_complete::engine::ValueCompleter;
use clap_complete::env::{CompleteEnv, Shells};
use clap_complete::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, Shell};
use tlstax_claims::{Book, Claim};
use tlstax_libraries::{Home, Registry};
use tlstax_run::Study;
use tlstax_spec::Switch;

/// The variable in which a shell's script says that it wants candidates.
const VARIABLE: &str = "TLSTAX_COMPLETE";

/// Prints the candidates if a shell asks for them; whether it did.
pub fn answer(command: fn() -> Command) -> anyhow::Result<bool> {
    let folder = std::env::current_dir().ok();
    let answered =
        CompleteEnv::with_factory(command).var(VARIABLE).try_complete(std::env::args_os(), folder.as_deref());
    Ok(answered?)
}

/// The script that makes a shell ask.
pub fn script(shell: Shell) -> std::io::Result<Vec<u8>> {
    let shells = Shells::builtins();
    let shell = shells
        .completer(&shell.to_string())
        .unwrap_or_else(|| unreachable!("the shells that can be named are those that are built in"));
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "tlstax", "tlstax", "tlstax", &mut script)?;
    Ok(script)
}

/// Ids of libraries, servers and clients.
pub fn ids() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        // Whoever presses TAB is not told what is wrong: the verb does that.
        let found = Home::find(None).ok().and_then(|home| Registry::read(&home, None).ok());
        let entries = found.iter().flat_map(Registry::all);
        entries
            .map(|entry| CompletionCandidate::new(entry.id.as_str()).help(Some(entry.about.clone().into())))
            .collect()
    })
}

/// Names of studies, and files.
pub fn studies() -> ArgValueCompleter {
    ArgValueCompleter::new(|word: &std::ffi::OsStr| {
        let names = Home::find(None).map(|home| Study::names(&home)).unwrap_or_default();
        let fits = |name: &String| word.to_str().is_some_and(|word| name.starts_with(word));
        let mut candidates: Vec<_> = names.into_iter().filter(fits).map(CompletionCandidate::new).collect();
        let is_study = |path: &std::path::Path| path.extension().is_some_and(|ending| ending == "toml");
        candidates.extend(PathCompleter::file().filter(is_study).complete(word));
        candidates
    })
}

/// Ids of claims, and their sources.
pub fn claims() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let book = Book::built_in();
        let mut sources: Vec<&str> = book.claims.iter().map(|claim| claim.source.as_str()).collect();
        sources.dedup();
        let claim = |claim: &Claim| {
            CompletionCandidate::new(claim.id.as_str()).help(Some(claim.words.clone().into()))
        };
        let sources = sources.into_iter().map(CompletionCandidate::new);
        sources.chain(book.claims.iter().map(claim)).collect()
    })
}

/// Features to switch off; those before the last comma are chosen already.
pub fn switches() -> ArgValueCompleter {
    ArgValueCompleter::new(|word: &std::ffi::OsStr| {
        let word = word.to_string_lossy();
        let (chosen, begun) = word.rsplit_once(',').map_or(("", &*word), |(chosen, begun)| (chosen, begun));
        let fits = Switch::ALL.iter().map(|switch| switch.name()).filter(|name| name.starts_with(begun));
        let comma = if chosen.is_empty() { "" } else { "," };
        fits.map(|name| CompletionCandidate::new(format!("{chosen}{comma}{name}"))).collect()
    })
}
