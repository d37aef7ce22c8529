//! The flags for a server that runs already.

use tlstax_peers::servers::External;
use tlstax_spec::Method;

use crate::cli::values::names;
use crate::failure::Usage;

/// A server that runs already.
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
}

impl Real {
    /// The server that the user has named, if any; another machine only with consent.
    pub(super) fn external(&self) -> Result<Option<External>, Usage> {
        let Some(text) = &self.server else { return Ok(None) };
        let asked = |server: External| server.asked(self.path.clone(), self.server_name.clone(), self.method);
        let server = External::at(text, self.remote.as_deref()).and_then(asked);
        server.map(Some).map_err(|problem| Usage(problem.to_string()))
    }
}
