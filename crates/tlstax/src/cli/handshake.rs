//! `tlstax handshake`: handshakes in memory, from flags.

use std::process::ExitCode;

use tlstax_run::{HandshakeMatrix, Limit, Study};
use tlstax_spec::{Contexts, Id, Resumption};

use super::common::{self, Measuring};
use super::negotiation::Negotiation;
use super::project::Project;
use super::values::{names, number};

/// Measure handshakes in memory, client and server apart.
///
/// Client and server take turns in one thread; each step is charged to its side. A resumption that does not happen is
/// a failure, never a figure. The row "control" does the same without crypto: it is what the harness itself costs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tlstax handshake --key rsa-2048,ecdsa-p256 --resumption full,psk\n  \
                        tlstax handshake --tls TLSv1.2,TLSv1.3 --group X25519,secp256r1 --mutual true\n  \
                        tlstax handshake -l rustls-aws-lc --group X25519,X25519MLKEM768")]
pub struct Args {
    #[command(flatten)]
    negotiation: Negotiation,

    /// How much is taken over from an earlier handshake: full (nothing); TLS 1.2: session-id, ticket; TLS 1.3: psk, early-data.
    #[arg(long, short, value_name = "KIND", value_delimiter = ',', default_value = "full", value_parser = names::<Resumption>(), hide_possible_values = true)]
    resumption: Vec<Resumption>,

    /// Certificates that the server sends, root excluded: 1 to 3.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "2", value_parser = number(Limit::CHAIN))]
    chain: Vec<u64>,

    /// Without and with a client certificate.
    #[arg(long, value_name = "BOOL", value_delimiter = ',', default_value = "false")]
    mutual: Vec<bool>,

    /// Threads that make handshakes at the same time; several numbers give a scaling curve: 1 to 1024.
    #[arg(long, short, value_name = "N", value_delimiter = ',', default_value = "1", value_parser = number(Limit::THREADS))]
    threads: Vec<u64>,

    /// Which handshakes have one context in common: shared (all threads), per-thread, per-connection.
    #[arg(long, value_name = "SHARING", value_delimiter = ',', default_value = "shared", value_parser = names::<Contexts>(), hide_possible_values = true)]
    contexts: Vec<Contexts>,

    #[command(flatten)]
    measuring: Measuring,
}

/// Measures handshakes.
pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let mut study =
        Study::named(Id::literal("handshake"), "What does a handshake cost the client and the server?");
    study.budget_s = 30.0;
    study.handshake.push(HandshakeMatrix {
        quick: Default::default(),
        suites: args.negotiation.suites(),
        versions: args.negotiation.versions(),
        groups: args.negotiation.groups(),
        keys: args.negotiation.keys(),
        chains: args.chain,
        resumptions: args.resumption,
        mutual: args.mutual,
        threads: args.threads,
        contexts: args.contexts,
    });
    common::measure(study, args.measuring, project)
}
