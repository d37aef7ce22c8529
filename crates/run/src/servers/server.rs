//! A [`Server`]: a server program that people run, and how to set it up for a case.

use std::path::PathBuf;

use tlstax_spec::{Direction, Group, Http, Load, Page, Params, Resumption, Suite, Tuning, Version};

/// One server program. Each is a file of its own and an entry in [`super::SERVERS`].
pub trait Server: Sync + std::fmt::Debug {
    /// What studies, flags and results call it.
    fn id(&self) -> &'static str;

    /// One line for people.
    fn about(&self) -> &'static str;

    /// The Debian packages that bring it.
    fn packages(&self) -> &'static [&'static str];

    /// The name of the program; it is looked for in PATH and where Debian keeps servers.
    fn program(&self) -> &'static str;

    /// The arguments that make it print its version.
    fn version_arguments(&self) -> &'static [&'static str];

    /// Name and version from what it printed then: `nginx 1.22.1`.
    fn version(&self, printed: &str) -> Option<String>;

    /// Why it cannot be what the site wants, whatever TLS library it has; none if it can. Of what the TLS library lacks it
    /// complains itself when it starts.
    fn lacks(&self, site: &Site) -> Option<String>;

    /// Its configuration for a site.
    fn render(&self, site: &Site, place: &Place) -> Rendered;

    /// Reads one line of its access log; none if it is not one of ours.
    fn hit(&self, line: &str) -> Option<Hit>;
}

/// What a server is to be: all that its configuration depends on. Cases that agree in it share a process.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Site {
    /// What must be negotiated, and nothing else may be; none is plain HTTP.
    pub params: Option<Params>,
    /// Full: no session is kept and no ticket issued. Session id: a cache and no tickets. Ticket: tickets and no cache. Psk: one
    /// ticket in each handshake, where that can be set. Early data: that, and requests in early data are taken.
    pub resumption: Resumption,
    /// The version of HTTP: the only one that is offered.
    pub http: Http,
    /// What `/` is asked for: a download of `body` bytes, or an upload.
    pub direction: Direction,
    /// Bytes in the body of a download.
    pub body: u32,
    /// Whether `/` is a file, or what [`Place::application`] answers.
    pub page: Page,
    /// Buffers, workers and caches.
    pub tuning: Tuning,
}

impl Site {
    /// What a load wants of its server.
    pub fn of(load: &Load) -> Self {
        Self {
            params: load.params,
            resumption: load.resumption,
            http: load.http,
            direction: load.direction,
            body: if load.direction == Direction::Download { load.body } else { 0 },
            page: load.page,
            tuning: load.tuning,
        }
    }
}

/// Where a server finds and leaves its files. All paths are absolute; the folder is empty and writable for it.
#[derive(Debug, Clone)]
pub struct Place {
    /// A folder of its own, for its configuration, logs and temporary files.
    pub folder: PathBuf,
    /// The port on 127.0.0.1 that it must listen on.
    pub port: u16,
    /// A folder that holds `index.html`, of as many bytes as the body of the site.
    pub root: PathBuf,
    /// The certificate chain, PEM, end entity first.
    pub certificate: PathBuf,
    /// Its private key, PEM, PKCS#8: one of the project's test keys.
    pub key: PathBuf,
    /// The chain and the key in one file, for servers that want it so.
    pub both: PathBuf,
    /// Where the access log must be written: a line for each request, in the form that [`Server::hit`] reads.
    pub log: PathBuf,
    /// The Unix socket of a FastCGI program that answers with `body` bytes; there only with [`Page::FastCgi`].
    pub application: PathBuf,
}

impl Place {
    /// A file in the folder, as text for a configuration.
    pub fn file(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }
}

/// A configuration, ready to be started with.
#[derive(Debug, Clone, Default)]
pub struct Rendered {
    /// Files in the folder of the place: name and contents.
    pub files: Vec<(String, String)>,
    /// The program's arguments. It must stay in the foreground.
    pub arguments: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
}

/// One request, as the server's access log tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hit {
    /// The status of the response.
    pub status: u16,
    /// Bytes of its body that were sent.
    pub bytes: u64,
    /// Whether it was the first request on its connection.
    pub is_first: bool,
    /// Whether the connection's session was resumed, where the server tells.
    pub resumed: Option<bool>,
    /// Whether the request came as early data.
    pub early: bool,
    /// The protocol version; none over plain HTTP.
    pub version: Option<Version>,
    /// The cipher suite.
    pub suite: Option<Suite>,
    /// The group, where the server tells.
    pub group: Option<Group>,
}
