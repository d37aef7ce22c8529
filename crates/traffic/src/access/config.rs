//! [`Configuration`]: log formats in configurations of servers.

mod apache;
mod found;
mod haproxy;
mod lighttpd;
mod nginx;

use self::found::{Format, Found};
use super::error::{FormatError, Problem};
use super::field::Escape;
use super::layout::Layout;
use super::server::Server;

/// The log formats in the configuration of a server, file by file.
#[derive(Debug, Clone)]
pub struct Configuration {
    server: Server,
    found: Found,
}

impl Configuration {
    pub fn new(server: Server) -> Self {
        let mut found = Found::default();
        if server == Server::Nginx {
            // It is there without being defined.
            found.add("combined", nginx::COMBINED, Escape::Backslash, "nginx".to_owned());
        }
        Self { server, found }
    }

    /// Takes a file, by its text and what it is called. Returns the files that it includes, as they stand there: patterns, relative
    /// to the folder of the configuration.
    ///
    /// # Errors
    /// A statement or a quote in it is not complete.
    pub fn read(&mut self, text: &str, place: &str) -> Result<Vec<String>, FormatError> {
        match self.server {
            Server::Nginx => nginx::read(&mut self.found, text, place),
            Server::Apache | Server::Any => apache::read(&mut self.found, text, place),
            Server::Lighttpd => lighttpd::read(&mut self.found, text, place),
            Server::HAProxy => haproxy::read(&mut self.found, text, place),
            Server::Alb => Ok(Vec::new()),
        }
    }

    /// The names of its formats.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.found.formats.iter().map(|format| format.name.as_str())
    }

    /// The name of the format that a log has, by its path, or else by the name of its file.
    pub fn format_of(&self, path: &str) -> Option<&str> {
        let file = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let by_path = self.found.logs.iter().rfind(|log| log.path == path);
        let mut by_file = self.found.logs.iter().filter(|log| file(&log.path) == file(path));
        let found = by_path.or_else(|| {
            let first = by_file.next()?;
            by_file.all(|other| other.format == first.format).then_some(first)
        });
        found.map(|log| log.format.as_str())
    }

    /// The layout of the format of a name.
    ///
    /// # Errors
    /// There is none, or it cannot be used.
    pub fn layout(&self, name: &str) -> Result<Layout, FormatError> {
        // The last definition counts.
        let found = self.found.formats.iter().rfind(|format| format.name == name);
        let known = self.known();
        let missing = || Problem::NoSuchFormat { name: name.to_owned(), known }.at(self.server.title());
        self.compile(found.ok_or_else(missing)?)
    }

    /// The layout of the only format that logs have, or that there is.
    ///
    /// # Errors
    /// There is none, there are several, or it cannot be used.
    pub fn only_layout(&self) -> Result<Layout, FormatError> {
        let mut used: Vec<&str> = self.found.logs.iter().map(|log| log.format.as_str()).collect();
        if used.is_empty() {
            used = self.names().filter(|name| self.server != Server::Nginx || *name != "combined").collect();
        }
        used.sort_unstable();
        used.dedup();
        match used[..] {
            [only] => self.layout(only),
            [] if self.found.formats.is_empty() => Err(Problem::NoFormat.at(self.server.title())),
            [] => self.compile(&self.found.formats[0]),
            _ => Err(Problem::SeveralFormats { known: used.join(", ") }.at(self.server.title())),
        }
    }

    fn compile(&self, format: &Format) -> Result<Layout, FormatError> {
        compile(self.server, &format.text, format.escape).map_err(|problem| problem.at(&format.place))
    }

    fn known(&self) -> String {
        match self.found.formats.is_empty() {
            true => "none".to_owned(),
            false => self.names().collect::<Vec<_>>().join(", "),
        }
    }
}

impl Layout {
    /// The layout of a format string of a server, as it is without the quotes of the configuration. Before nginx's may stand
    /// `escape=none `.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn compiled(server: Server, format: &str) -> Result<Self, FormatError> {
        let (escape, format) = match format.strip_prefix("escape=").and_then(|rest| rest.split_once(' ')) {
            Some((word, rest)) if server == Server::Nginx => (super::nginx::escape(word), rest),
            _ => (Escape::Backslash, format),
        };
        compile(server, format, escape)
            .map_err(|problem| problem.at(format!("the format of {}", server.title())))
    }
}

fn compile(server: Server, format: &str, escape: Escape) -> Result<Layout, Problem> {
    match server {
        Server::Nginx => super::nginx::compile(format, escape),
        Server::Apache | Server::Lighttpd | Server::Any => super::apache::compile(format, server),
        Server::HAProxy => super::haproxy::compile(format),
        Server::Alb => super::aws::compile(format),
    }
}
