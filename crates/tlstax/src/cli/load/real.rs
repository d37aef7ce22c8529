//! The flags for real servers, and for one that runs already.

use tlstax_peers::servers::External;
use tlstax_run::Limit;
use tlstax_spec::{Method, Page, Sessions};

use crate::cli::values::{bytes, names, number};
use crate::failure::Usage;

/// How real servers are set up, and one that runs already.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Real servers")]
pub(super) struct Real {
    /// A server that runs already. It is looked at first, and what it negotiates is measured.
    #[arg(long, value_name = "HOST:PORT", conflicts_with = "library")]
    pub(super) server: Option<String>,

    /// Its process, which with all that come from it must hold the socket that listens at --server; found by that socket if
    /// absent. Their CPU time is the server's.
    #[arg(long, value_name = "PID", requires = "server")]
    pub(super) server_pid: Option<u32>,

    /// What it is asked for.
    #[arg(long, value_name = "PATH", requires = "server")]
    pub(super) path: Option<String>,

    /// The name for SNI and the Host header.
    #[arg(long, value_name = "NAME", requires = "server")]
    pub(super) server_name: Option<String>,

    /// How uploads are sent.
    #[arg(long, value_name = "METHOD", requires = "server", default_value = "POST", value_parser = names::<Method>())]
    pub(super) method: Method,

    /// Consent to load another machine, to its limit: the address of --server, in numbers, a second time.
    #[arg(long, value_name = "ADDRESS:PORT", requires = "server")]
    pub(super) remote: Option<String>,

    /// Files, or pages that a program makes.
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "static", value_parser = names::<Page>())]
    pub(super) page: Vec<Page>,

    /// Whether plain HTTP uses sendfile(2).
    #[arg(long, value_name = "BOOL", value_delimiter = ',', default_value = "true")]
    pub(super) sendfile: Vec<bool>,

    /// The most that is encrypted into one record, up to 16k, as nginx's ssl_buffer_size; 0 is the server's own choice.
    #[arg(long, value_name = "SIZE", value_delimiter = ',', default_value = "0", value_parser = bytes(Limit::TLS_BUFFER))]
    pub(super) tls_buffer: Vec<u64>,

    /// Worker processes, or threads.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1", value_parser = number(Limit::WORKERS))]
    pub(super) workers: Vec<u64>,

    /// Whether the server is kept on one core.
    #[arg(long, value_name = "BOOL", value_delimiter = ',', default_value = "true")]
    pub(super) pinned: Vec<bool>,

    /// Which workers know a session: all, or the one that made it.
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "shared", value_parser = names::<Sessions>())]
    pub(super) sessions: Vec<Sessions>,
}

impl Real {
    /// The server that the user has named, if any; another machine only with consent.
    pub(super) fn external(&self) -> Result<Option<External>, Usage> {
        let Some(text) = &self.server else { return Ok(None) };
        let server =
            External::at(text, self.remote.as_deref()).map_err(|problem| Usage(problem.to_string()))?;
        let server = server.asked(self.path.clone(), self.server_name.clone(), self.method);
        server.map(Some).map_err(|problem| Usage(problem.to_string()))
    }
}
