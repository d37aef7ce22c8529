//! `tlstax suites`: what a cipher string means, and what it costs.

mod study;

use std::process::ExitCode;

use tlstax_doc::{Library, Note, Results};
use tlstax_report::{ListedSuite, SuiteList, View, suites_view};
use tlstax_run::{Expanded, Expansion, Mozilla, NoExpansion, RunError, Wanted, expand};
use tlstax_spec::{Group, Id, Key};

use self::study::Asked;
use super::common::{self, Measuring, Printed, Showing};
use super::measuring;
use super::project::Project;
use super::values::names;
use crate::failure::Usage;
use crate::output::{print, warn};

/// Expand a cipher string, and measure each suite that it stands for.
///
/// The library itself expands the string, so the order and the suites are those that a server with it would have: the same
/// string means other suites in other libraries. Words that do nothing are named. modern, intermediate and old are the lists
/// of Mozilla's Server Side TLS, version 5.7; a library without cipher strings is held against them by names.
///
/// Each suite is then measured in memory: a full handshake, with every --key that fits, and a gigabyte in records of 16 KiB.
///
/// What does preferring AES-256 cost? Two figures answer it: how much dearer a gigabyte becomes, and how much that is of a whole
/// connection. AES-256 makes 14 rounds where AES-128 makes 10, and its suites hash with SHA-384, which is felt in the handshake.
/// A small server hardly sends bulk data: most of its CPU for TLS goes into handshakes. So 11 % on bulk data cannot make the CPU
/// of a small server rise fivefold. New connections where sessions were resumed, RSA where the key was ECDSA, or DHE where it
/// was ECDHE, can: compare the handshakes in the table.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tlstax suites 'EECDH+AESGCM:EDH+AESGCM:AES256+EECDH' -l openssl\n  \
                        tlstax suites intermediate -l openssl,rustls-aws-lc --budget 2m\n  \
                        tlstax suites old --no-measure\n  \
                        tlstax suites NORMAL -l gnutls --no-measure     # a priority string\n  \
                        tlstax suites DEFAULT -l rustls-aws-lc          # the suites of its provider")]
pub struct Args {
    /// A cipher string in the words of the library (OpenSSL, BoringSSL, AWS-LC; a priority string for GnuTLS), or modern,
    /// intermediate or old.
    #[arg(value_name = "STRING")]
    string: String,

    /// Keys in the server's certificate: each suite is measured with those that fit it.
    #[arg(
        long = "key",
        short,
        value_name = "KEY",
        value_delimiter = ',',
        value_parser = names::<Key>(),
        default_value = "ecdsa-p256,rsa-2048",
        help_heading = "Negotiation"
    )]
    keys: Vec<Key>,

    /// The key exchange group; suites with DHE take ffdhe2048 where this is no finite field.
    #[arg(
        long = "group",
        short,
        value_name = "GROUP",
        value_parser = names::<Group>(),
        default_value = "X25519",
        help_heading = "Negotiation"
    )]
    group: Group,

    /// Only say what the string means.
    #[arg(long, conflicts_with_all = ["list", "verify"])]
    no_measure: bool,

    #[command(flatten)]
    measuring: Measuring,
}

pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let wanted = Wanted::new(&args.string);
    let nothing = study::named(&args.string);
    let (registry, ids) = common::cast(&args.measuring, &nothing, project)?;
    let expanded = expand(&project.home, &registry.choose(&ids)?, &wanted)?;
    some(&args.string, &expanded)?;
    let asked = Asked { string: args.string, keys: args.keys, group: args.group, expanded };
    let study = study::of(&asked);
    let nothing_to_measure = study.handshake.is_empty();
    if nothing_to_measure && !args.no_measure {
        warn(
            "nothing is measured: no suite is one that tlstax knows and that fits a --key and the --group; try --key ecdsa-p256,rsa-2048",
        );
    }
    if nothing_to_measure || args.no_measure {
        print(args.measuring.form.draw(&view(&asked, None))?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let library = asked.expanded.iter().filter(|(_, found)| found.is_ok()).map(|(id, _)| id.clone());
    let flags = Measuring { library: library.collect(), without: Vec::new(), ..args.measuring };
    let showing = Showing {
        view: &|results| view(&asked, Some(results)),
        again: common::REPORT,
        printed: Printed::Everything,
    };
    measuring::measure_as(study, flags, project, &showing)
}

/// That at least one library expands the string; otherwise what each has against it.
fn some(string: &str, expanded: &[Expanded]) -> anyhow::Result<()> {
    let refusals: Vec<(&Id, &NoExpansion)> =
        expanded.iter().filter_map(|(id, found)| Some((id, found.as_ref().err()?))).collect();
    if refusals.len() < expanded.len() {
        return Ok(());
    }
    if refusals.iter().all(|(_, why)| matches!(why, NoExpansion::Missing(_))) {
        let missing = |(id, why): (&Id, &NoExpansion)| Library {
            unavailable: Some(why.to_string()),
            ..Library::new(id.clone())
        };
        return Err(RunError::NoLibrary { libraries: refusals.into_iter().map(missing).collect() }.into());
    }
    let lines: String = refusals.iter().map(|(id, why)| format!("\n  {id}: {why}")).collect();
    Err(Usage(format!("no library expands '{string}':{lines}")).into())
}

/// The expansions as a view; with results, what the suites cost.
fn view(asked: &Asked, results: Option<&Results>) -> View {
    let listed = |name: &String| ListedSuite { name: name.clone(), keys: study::keys(asked, name) };
    let list = |expansion: &Expansion| SuiteList {
        version: expansion.version.clone(),
        is_expanded: expansion.by_library,
        suites: expansion.suites.iter().map(listed).collect(),
        notes: expansion.notes(),
    };
    let lists: Vec<(Id, Result<SuiteList, Note>)> = asked
        .expanded
        .iter()
        .map(|(id, found)| (id.clone(), found.as_ref().map(list).map_err(NoExpansion::note)))
        .collect();
    let quoted = format!("'{}'", asked.string);
    let (name, source) = match Mozilla::named(&asked.string) {
        Some(_) => (
            format!("Mozilla's list {quoted}"),
            Some(format!("Mozilla's Server Side TLS, {}", Mozilla::source())),
        ),
        None => (quoted, None),
    };
    suites_view(&name, source, &lists, results)
}
