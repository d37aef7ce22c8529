//! A [`Server`]: a server program that people run, and how to set it up for a case.

use std::path::{Path, PathBuf};

use tlstax_spec::{
    Direction, Group, Http, Load, Page, Params, Resumption, Suite, Tuning, Version, padding_value,
};

use crate::product::Product;

/// One server program. Each is a file of its own and an entry in [`super::SERVERS`].
#[derive(Debug)]
pub struct Server {
    /// How it is called, found and asked for its version.
    pub product: Product,
    /// Why it cannot be what the site wants, whatever TLS library it has; none if it can. Of what the TLS library lacks it
    /// complains itself when it starts.
    pub lacks: fn(&Site) -> Option<String>,
    /// The files that it loads when it runs, beside those that it is linked to: where its TLS library comes in.
    pub modules: &'static [&'static str],
    /// The setting by which it compresses in TLS what it sends, if its TLS library can; none if it forbids that always.
    pub compression: Option<&'static str>,
    /// Whether it writes the last request of a connection down only when something more happens on that connection.
    pub lags: fn(&Site) -> bool,
    /// Its configuration for a site.
    pub render: fn(&Site, &Place) -> Rendered,
    /// How its sentences begin by which it ends when its TLS library lacks a suite or a group, and for no other reason.
    pub refusals: &'static [&'static str],
    /// Before what differs in such a sentence from start to start, as ports and files do; none where nothing does.
    pub refusal_end: Option<&'static str>,
    /// How many processes serve a site, with the first, which may start the others when it listens already.
    pub processes: fn(&Site) -> usize,
    /// Whether it has got so far that it lives if it listens.
    pub is_ready: fn(&Place) -> bool,
    /// Whether it writes its access log to its standard output, as it can nowhere else, and not to [`Place::log`].
    pub logs_to_output: bool,
    /// What no path in its configuration may contain, however it is quoted.
    pub unquotable: &'static [&'static str],
    /// Whether a line of its access log tells of a request; others are the server's own affairs.
    pub is_hit: fn(&str) -> bool,
    /// What each of its worker processes says when it was sent SIGHUP and has written out the lines that it held back; none if it
    /// holds none back for long.
    pub written_out: Option<&'static str>,
    /// Reads such a line; none if it is not in the form that was asked for.
    pub hit: fn(&str) -> Option<Hit>,
}

impl Server {
    /// A server of one process, of which nothing else is to be known.
    pub const fn of(
        product: Product,
        lacks: fn(&Site) -> Option<String>,
        render: fn(&Site, &Place) -> Rendered,
        hit: fn(&str) -> Option<Hit>,
    ) -> Self {
        Self {
            product,
            lacks,
            modules: &[],
            compression: None,
            lags: |_| false,
            render,
            refusals: &[],
            refusal_end: None,
            processes: |_| 1,
            is_ready: |_| true,
            logs_to_output: false,
            unquotable: &[],
            is_hit: |_| true,
            written_out: None,
            hit,
        }
    }

    pub const fn id(&self) -> &'static str {
        self.product.id
    }

    /// The sentence of [`Self::refusals`] in what it printed when it did not start; none if that was not why.
    pub fn refusal(&self, output: &str) -> Option<String> {
        output.lines().find_map(|line| {
            let from = self.refusals.iter().filter_map(|words| line.find(words)).min()?;
            let end = self.refusal_end.and_then(|end| line[from..].find(end));
            let sentence = end.map_or(&line[from..], |end| &line[from..from + end]);
            Some(format!("{} says: {}", self.id(), sentence.trim_end()))
        })
    }
}

/// Of servers that answer a form only by way of a program behind them.
pub const NO_FORM: &str = "a form needs a program behind this server, whose CPU time would be most of the figure; nginx reads \
                           it by itself";

/// The Unix socket of a FastCGI program, in [`Place::own`].
pub const APPLICATION: &str = "fcgi.sock";

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
    /// Whether an upload is a form, which is read as a whole and answered, and not kept.
    pub form: bool,
    /// Bytes in the body of a download.
    pub body: u32,
    /// The value of the field `x-tlstax-padding` that every response has; none if there is no such field.
    pub padding: Option<String>,
    /// Whether `/` is a file, or what [`Place::application`] answers.
    pub page: Page,
    pub tuning: Tuning,
}

impl Site {
    pub fn of(load: &Load) -> Self {
        Self {
            params: load.params,
            resumption: load.resumption,
            http: load.http,
            direction: load.direction,
            form: load.form,
            body: if load.direction == Direction::Download { load.body } else { 0 },
            padding: padding_value(load.response_headers),
            page: load.page,
            tuning: load.tuning,
        }
    }
}

/// Where a server finds and leaves its files. All paths are absolute.
#[derive(Debug, Clone)]
pub struct Place {
    /// The folder of its configuration, which it can read and not change.
    pub folder: PathBuf,
    /// The folder for all that it writes: logs, temporary files, sockets and, in `uploads`, what is put there.
    pub own: PathBuf,
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
    /// A file of its configuration, as an argument.
    pub fn file(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }
}

/// A path in double quotes, as nginx, Apache, HAProxy and lighttpd read it; what they read otherwise nonetheless is
/// [`Server::unquotable`].
pub fn quoted(path: impl AsRef<Path>) -> String {
    let path = path.as_ref().display().to_string();
    format!("\"{}\"", path.replace('\\', r"\\").replace('"', "\\\""))
}

/// A configuration, ready to be started with.
#[derive(Debug, Clone, Default)]
pub struct Rendered {
    /// Files in the folder of the place: name and contents.
    pub files: Vec<(String, String)>,
    /// The program's arguments. It must stay in the foreground.
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
}

/// One request, as the server's access log tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hit {
    pub status: u16,
    /// Bytes of its body that were sent.
    pub bytes: u64,
    /// How many requests there were on its connection before; none if the server does not count them.
    pub before: Option<u64>,
    /// The client's port, where that count does not tell for sure which request is the first on its connection: it is
    /// the first from a port on which no connection is known to be open.
    pub port: Option<u16>,
    /// Whether it says that its connection ends with it.
    pub is_last: bool,
    /// Whether the connection's session was resumed, where the server tells.
    pub resumed: Option<bool>,
    /// Whether the request came as early data.
    pub early: bool,
    /// The protocol version; none over plain HTTP.
    pub version: Option<Version>,
    pub suite: Option<Suite>,
    /// The group, where the server tells.
    pub group: Option<Group>,
}
