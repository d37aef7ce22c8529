//! `tlstax load`: requests over loopback, from flags.

use std::process::ExitCode;

use tlstax_run::{LoadMatrix, Study};
use tlstax_spec::Resumption;

use super::common::{self, Measuring};
use super::negotiation::Negotiation;
use super::top::Project;

/// Measure HTTP and HTTPS requests over loopback, client and server apart.
///
/// Server and client are workers, each in a process and on a core of its own; nothing leaves this machine. Each row
/// says who saturated: a row whose client was the bottleneck is never a figure of the server.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax load --body 0,1024,102400\n  tlstax load --requests 1 --resumption full,psk\n  \
                        tlstax load -l openssl --client rustls-aws-lc --key rsa-2048 --requests 1"
)]
pub struct Args {
    #[command(flatten)]
    negotiation: Negotiation,

    /// Leave plain HTTP out.
    #[arg(long)]
    no_plain: bool,

    /// full; TLS 1.2: session-id, ticket; TLS 1.3: psk, early-data.
    #[arg(long, short, value_name = "KIND", value_delimiter = ',', default_value = "full")]
    resumption: Vec<Resumption>,

    /// The library of the client; the server's own if absent.
    #[arg(long, value_name = "ID")]
    client: Option<String>,

    /// Connections open at the same time.
    #[arg(long, short, value_name = "N", value_delimiter = ',', default_value = "16")]
    connections: Vec<u64>,

    /// Requests on one connection before a new one is opened; 0 is no limit.
    #[arg(long, short = 'n', value_name = "N", value_delimiter = ',', default_value = "0")]
    requests: Vec<u64>,

    /// Bytes in a response's body.
    #[arg(
        long,
        short,
        value_name = "BYTES",
        value_delimiter = ',',
        default_value = "0,1024,10240,102400,1048576"
    )]
    body: Vec<u64>,

    /// CPU microseconds that the application spends on a request: a dynamic page.
    #[arg(long, short, value_name = "US", value_delimiter = ',', default_value = "0")]
    work: Vec<u64>,

    #[command(flatten)]
    measuring: Measuring,
}

/// Measures requests.
pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let mut study =
        Study::named("load", "How many requests, and what does each cost the client and the server?");
    study.budget_s = 60.0;
    study.load.push(LoadMatrix {
        plain: !args.no_plain,
        suites: args.negotiation.suites(),
        versions: args.negotiation.versions,
        groups: args.negotiation.groups,
        keys: args.negotiation.keys,
        resumptions: args.resumption,
        client: args.client,
        connections: args.connections,
        requests_per_connection: args.requests,
        bodies: args.body,
        work_us: args.work,
    });
    common::measure(study, args.measuring, project)
}
