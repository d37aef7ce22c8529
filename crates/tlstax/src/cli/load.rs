//! `tlstax load`: requests over loopback, from flags.

use std::process::ExitCode;

use tlstax_run::{Entry, External, Limit, LoadMatrix, Study};
use tlstax_spec::{Direction, Http, Id, Page, Resumption, Sessions};

use super::common::{self, Measuring};
use super::complete;
use super::negotiation::Negotiation;
use super::top::Project;
use super::values::{bytes, names, number};
use crate::failure::Usage;

/// The bodies that are measured where none are named.
const BODIES: [u64; 5] = [0, 1024, 10_240, 102_400, 1_048_576];

/// Measure HTTP and HTTPS requests over loopback, client and server apart.
///
/// Server and client are workers, each in a process and on a core of its own; nothing leaves this machine. Each row
/// says who saturated: a row whose client was the bottleneck is never a figure of the server.
///
/// Sizes are bytes, or have a unit: k, M, G and KiB, MiB, GiB count in 1024s, kB, MB, GB in 1000s.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax load --body 0,1k,100k\n  tlstax load --requests 1 --resumption full,psk\n  \
                        tlstax load -l openssl --client rustls-aws-lc --key rsa-2048 --requests 1"
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

    /// The version of HTTP.
    #[arg(long, value_name = "VERSION", value_delimiter = ',', default_value = "http/1.1", value_parser = names::<Http>())]
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

    /// Requests on one connection before a new one is opened; 0 is no limit.
    #[arg(long, short = 'n', value_name = "N", value_delimiter = ',', default_value = "0", value_parser = number(Limit::REQUESTS))]
    requests: Vec<u64>,

    /// The size of a body: bytes, or 10k, 1M; up to 2G. 0, 1k, 10k, 100k and 1M if absent. A server that runs already sends what it has.
    #[arg(long, short, value_name = "SIZE", value_delimiter = ',', value_parser = bytes(Limit::BODY), conflicts_with = "server")]
    body: Vec<u64>,

    /// CPU microseconds that the application spends on a request: a dynamic page.
    #[arg(long, short, value_name = "US", value_delimiter = ',', default_value = "0", value_parser = number(Limit::WORK))]
    work: Vec<u64>,

    #[command(flatten)]
    real: Real,

    #[command(flatten)]
    measuring: Measuring,
}

/// How real servers are set up, and one that runs already.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Real servers")]
struct Real {
    /// A server that runs already, on this machine.
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "library")]
    server: Option<String>,

    /// Its process: with all that come from it, its CPU time is read.
    #[arg(long, value_name = "PID", requires = "server")]
    server_pid: Option<u32>,

    /// What it is asked for.
    #[arg(long, value_name = "PATH", requires = "server")]
    path: Option<String>,

    /// The name for SNI and the Host header.
    #[arg(long, value_name = "NAME", requires = "server")]
    server_name: Option<String>,

    /// Consent to load another machine, to its limit: the address of --server, in numbers, a second time.
    #[arg(long, value_name = "ADDRESS:PORT", requires = "server")]
    remote: Option<String>,

    /// Files, or pages that a program makes.
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "static", value_parser = names::<Page>())]
    page: Vec<Page>,

    /// Whether plain HTTP uses sendfile(2).
    #[arg(long, value_name = "BOOL", value_delimiter = ',', default_value = "true")]
    sendfile: Vec<bool>,

    /// The most that is encrypted into one record, up to 16k, as nginx's ssl_buffer_size; 0 is the server's own choice.
    #[arg(long, value_name = "SIZE", value_delimiter = ',', default_value = "0", value_parser = bytes(Limit::TLS_BUFFER))]
    tls_buffer: Vec<u64>,

    /// Worker processes, or threads.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1", value_parser = number(Limit::WORKERS))]
    workers: Vec<u64>,

    /// Whether the server is kept on one core.
    #[arg(long, value_name = "BOOL", value_delimiter = ',', default_value = "true")]
    pinned: Vec<bool>,

    /// Which workers know a session: all, or the one that made it.
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "shared", value_parser = names::<Sessions>())]
    sessions: Vec<Sessions>,
}

impl Real {
    /// The server that the user has named, if any; another machine only with consent.
    fn external(&self) -> Result<Option<External>, Usage> {
        let Some(text) = &self.server else { return Ok(None) };
        let server = External::at(text, self.remote.as_deref(), self.server_pid);
        let server = server.map_err(|problem| Usage(problem.to_string()))?;
        Ok(Some(server.asked(self.path.clone(), self.server_name.clone())))
    }
}

/// Measures requests.
pub fn run(mut args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let mut registry = project.registry.clone();
    if let Some(external) = args.real.external()? {
        let entry = Entry::external(external);
        args.measuring.library = vec![entry.id.clone()];
        registry.peers.push(entry);
    }
    let project = &Project { home: project.home.clone(), registry };
    if args.body.is_empty() {
        // What a server of the user's sends is its own affair: one row.
        args.body = if args.real.server.is_some() { vec![0] } else { BODIES.to_vec() };
    }
    let mut study = Study::named(
        Id::literal("load"),
        "How many requests, and what does each cost the client and the server?",
    );
    study.budget_s = 60.0;
    study.load.push(LoadMatrix {
        plain: !args.no_plain,
        suites: args.negotiation.suites(),
        versions: args.negotiation.versions,
        groups: args.negotiation.groups,
        keys: args.negotiation.keys,
        resumptions: args.resumption,
        clients: args.client,
        http: args.http,
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
        requests_per_connection: args.requests,
        bodies: args.body,
        work_us: args.work,
        ..LoadMatrix::default()
    });
    common::measure(study, args.measuring, project)
}
