//! `tlstax handshake`: handshakes in memory, from flags.

use std::process::ExitCode;

use tlstax_run::{HandshakeMatrix, Study};
use tlstax_spec::Id;

use super::common::Measuring;
use super::lists::Lists;
use super::measuring;
use super::negotiation::Negotiation;
use super::project::Project;

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

    #[command(flatten)]
    lists: Lists<HandshakeMatrix>,

    #[command(flatten)]
    measuring: Measuring,
}

pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let mut study =
        Study::named(Id::literal("handshake"), "What does a handshake cost the client and the server?");
    study.budget_s = 30.0;
    let Negotiation { versions, suites, groups, keys } = args.negotiation.or_usual();
    study.handshake.push(HandshakeMatrix { versions, suites, groups, keys, ..args.lists.matrix });
    measuring::measure(study, args.measuring, project)
}
