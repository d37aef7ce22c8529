//! The flags of `tlstax load`, and the matrix that they stand for.

use tlstax_run::LoadMatrix;
use tlstax_spec::{Direction, Id};

use super::real::Real;
use crate::cli::common::Measuring;
use crate::cli::complete;
use crate::cli::lists::Lists;
use crate::cli::negotiation::Negotiation;
use crate::failure::Usage;

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
    pub(super) negotiation: Negotiation,

    /// Leave plain HTTP out.
    #[arg(long)]
    pub(super) no_plain: bool,

    /// The clients: libraries in workers, lean, or programs: see `tlstax libraries`. The server's own library if absent, lean for
    /// a real server.
    #[arg(long, value_name = "ID", value_delimiter = ',', add = complete::ids())]
    pub(super) client: Vec<Id>,

    #[command(flatten)]
    pub(super) lists: Lists<LoadMatrix>,

    #[command(flatten)]
    pub(super) real: Real,

    #[command(flatten)]
    pub(super) measuring: Measuring,
}

impl Args {
    /// All that the flags say, with TLS as it is negotiated: without it, if nothing is.
    pub(super) fn matrix(&self, plain: bool, negotiation: Negotiation) -> LoadMatrix {
        let Negotiation { versions, suites, groups, keys } = negotiation;
        let clients = self.client.clone();
        LoadMatrix { plain, versions, suites, groups, keys, clients, ..self.lists.matrix.clone() }
    }

    /// A server that runs already sends what it has, whatever is asked of it.
    pub(super) fn check_bodies(&self) -> Result<(), Usage> {
        match !self.lists.gives("body") || self.lists.matrix.directions == [Direction::Upload] {
            true => Ok(()),
            false => Err(Usage(
                "--body: what a server that runs already sends is its own affair; name another --path, or add --direction \
                 upload to send it bodies"
                    .to_owned(),
            )),
        }
    }
}
