//! `tlstax load`: requests over loopback, from flags.

mod real;
mod seen;

use std::process::ExitCode;

use tlstax_libraries::Entry;
use tlstax_run::{Limit, LoadMatrix, Study};
use tlstax_spec::{Direction, Http, Id, Resumption};

use self::real::Real;
use super::common::{self, Measuring};
use super::complete;
use super::negotiation::Negotiation;
use super::project::Project;
use super::values::{bytes, names, number};
use crate::failure::Usage;
use crate::output::warn;

/// The bodies that are measured where none are named.
const BODIES: [u64; 5] = [0, 1024, 10_240, 102_400, 1_048_576];

/// Measure HTTP and HTTPS requests over loopback, client and server apart.
///
/// Server and client are workers, each in a process and on a core of its own; nothing leaves this machine. Each row
/// says who saturated: a row whose client was the bottleneck is never a figure of the server.
///
/// Sizes are bytes, or have a unit: k, M, G and KiB, MiB, GiB count in 1024s, kB, MB, GB in 1000s.
///
/// With --server, a server that runs already is measured. It is looked at first, by at most ten connections: what it
/// negotiates and answers is printed, and is measured where no flag says otherwise.
#[derive(Debug, Clone, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax load --body 0,1k,100k\n  tlstax load --requests 1 --resumption full,psk\n  \
                        tlstax load -l openssl --client rustls-aws-lc --key rsa-2048 --requests 1\n  \
                        tlstax load --server 127.0.0.1:8443 --path /index.html\n  \
                        tlstax load --server 127.0.0.1:8443 --direction upload --body 10k --method PUT --path /upload"
)]
pub struct Args {
    #[command(flatten)]
    negotiation: Negotiation,

    /// Leave plain HTTP out.
    #[arg(long)]
    no_plain: bool,

    /// How much is taken over from an earlier connection: full (nothing); TLS 1.2: session-id, ticket; TLS 1.3: psk, early-data.
    #[arg(long, short, value_name = "KIND", value_delimiter = ',', default_value = "full", value_parser = names::<Resumption>(), hide_possible_values = true)]
    resumption: Vec<Resumption>,

    /// The clients: libraries in workers, lean, or programs: see `tlstax libraries`. The server's own library if absent, lean for
    /// a real server.
    #[arg(long, value_name = "ID", value_delimiter = ',', add = complete::ids())]
    client: Vec<Id>,

    /// The version of HTTP; http/1.1 if absent.
    #[arg(long, value_name = "VERSION", value_delimiter = ',', value_parser = names::<Http>())]
    http: Vec<Http>,

    /// Of a hundred connections so many resume, with --resumption: 1 to 100.
    #[arg(long, value_name = "PERCENT", value_delimiter = ',', default_value = "100", value_parser = number(Limit::RESUMED))]
    resumed: Vec<u64>,

    /// Requests per second to begin, answered or not: an open loop; 0 is a closed loop.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "0", value_parser = number(Limit::RATE))]
    rate: Vec<u64>,

    /// Which way the body goes: upload puts it into the request.
    #[arg(long, value_name = "WAY", value_delimiter = ',', default_value = "download", value_parser = names::<Direction>())]
    direction: Vec<Direction>,

    /// Threads of the client.
    #[arg(long, short, value_name = "N", value_delimiter = ',', default_value = "1", value_parser = number(Limit::THREADS))]
    threads: Vec<u64>,

    /// Connections open at the same time.
    #[arg(long, short, value_name = "N", value_delimiter = ',', default_value = "16", value_parser = number(Limit::CONNECTIONS))]
    connections: Vec<u64>,

    /// Requests on one connection before a new one is opened; 0, so if absent, is no limit.
    #[arg(long, short = 'n', value_name = "N", value_delimiter = ',', value_parser = number(Limit::REQUESTS))]
    requests: Vec<u64>,

    /// The size of a body: bytes, or 10k, 1M; up to 2G. 0, 1k, 10k, 100k and 1M if absent. A server that runs already sends what
    /// it has, so with --server it is for uploads.
    #[arg(long, short, value_name = "SIZE", value_delimiter = ',', value_parser = bytes(Limit::BODY))]
    body: Vec<u64>,

    /// CPU microseconds that the application spends on a request: a dynamic page.
    #[arg(long, short, value_name = "US", value_delimiter = ',', default_value = "0", value_parser = number(Limit::WORK))]
    work: Vec<u64>,

    #[command(flatten)]
    real: Real,

    #[command(flatten)]
    measuring: Measuring,
}

/// Measures requests.
pub fn run(mut args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let mut registry = project.registry.clone();
    let mut study = Study::named(
        Id::literal("load"),
        "How many requests, and what does each cost the client and the server?",
    );
    study.budget_s = 60.0;
    match args.real.external()? {
        None => study.load.push(args.matrix(!args.no_plain, Some(&args.negotiation))),
        Some(server) => {
            args.check_bodies()?;
            let seen = tlstax_run::look(&project.home, &registry, &server)?;
            let server =
                server.owned_by(args.real.server_pid).map_err(|problem| Usage(problem.to_string()))?;
            if !args.measuring.quiet {
                warn(&seen::told(&server, &seen));
            }
            study.load = args.matrices(&seen);
            let entry = Entry::external(server.looked_at(seen));
            args.measuring.library = vec![entry.id.clone()];
            registry.peers.push(entry);
        }
    }
    let project = &Project { home: project.home.clone(), registry };
    common::measure(study, args.measuring, project)
}

impl Args {
    /// All that the flags say, with and without TLS.
    fn matrix(&self, plain: bool, negotiation: Option<&Negotiation>) -> LoadMatrix {
        let args = self.clone();
        LoadMatrix {
            plain,
            versions: negotiation.map(Negotiation::versions).unwrap_or_default(),
            suites: negotiation.map(Negotiation::suites).unwrap_or_default(),
            groups: negotiation.map(Negotiation::groups).unwrap_or_default(),
            keys: negotiation.map(Negotiation::keys).unwrap_or_default(),
            resumptions: args.resumption,
            clients: args.client,
            http: if args.http.is_empty() { vec![Http::Http1] } else { args.http },
            resumed_percent: args.resumed,
            rates: args.rate,
            directions: args.direction,
            threads: args.threads,
            pages: args.real.page,
            sendfile: args.real.sendfile,
            tls_buffers: args.real.tls_buffer,
            workers: args.real.workers,
            pinned: args.real.pinned,
            sessions: args.real.sessions,
            connections: args.connections,
            requests_per_connection: if args.requests.is_empty() { vec![0] } else { args.requests },
            bodies: if args.body.is_empty() { BODIES.to_vec() } else { args.body },
            work_us: args.work,
            ..LoadMatrix::default()
        }
    }

    /// A server that runs already sends what it has, whatever is asked of it.
    fn check_bodies(&self) -> Result<(), Usage> {
        match self.body.is_empty() || self.direction == [Direction::Upload] {
            true => Ok(()),
            false => Err(Usage(
                "--body: what a server that runs already sends is its own affair; name another --path, or add --direction \
                 upload to send it bodies"
                    .to_owned(),
            )),
        }
    }
}
