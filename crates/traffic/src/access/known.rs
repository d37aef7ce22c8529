//! Formats that are known by a word.

use super::error::Problem;
use super::layout::Layout;
use super::server::Server;
use super::{apache, aws, haproxy};
use crate::suggest;

/// A format that is known by a word.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// What the user calls it: `combined`.
    pub word: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    pub server: Server,
    format: &'static str,
}

const KNOWN: [Known; 15] = [
    Known {
        word: "combined",
        about: "the usual format of nginx and Apache",
        server: Server::Any,
        format: r#"%h - %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#,
    },
    Known {
        word: "common",
        about: "the Common Log Format",
        server: Server::Any,
        format: r#"%h - %u %t "%r" %>s %b"#,
    },
    Known {
        word: "vhost-combined",
        about: "Apache's vhost_combined, as Debian has it",
        server: Server::Apache,
        format: r#"%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i""#,
    },
    Known {
        word: "lighttpd",
        about: "the usual format of lighttpd",
        server: Server::Lighttpd,
        // A user without spaces: otherwise it would fit lines that begin with a host, too.
        format: r#"%h %V %l %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#,
    },
    Known {
        word: "nginx-tls",
        about: "nginx's combined with what --suggest nginx adds",
        server: Server::Nginx,
        format: suggest::NGINX,
    },
    Known {
        word: "apache-tls",
        about: "Apache's combined with what --suggest apache adds",
        server: Server::Apache,
        format: suggest::APACHE,
    },
    Known {
        word: "lighttpd-tls",
        about: "lighttpd's format with what --suggest lighttpd adds",
        server: Server::Lighttpd,
        format: suggest::LIGHTTPD,
    },
    Known {
        word: "haproxy-tls",
        about: "HAProxy's httplog with what --suggest haproxy adds",
        server: Server::HAProxy,
        format: suggest::HAPROXY,
    },
    Known {
        word: "haproxy-http",
        about: "HAProxy's option httplog",
        server: Server::HAProxy,
        format: haproxy::HTTP,
    },
    Known {
        word: "haproxy-https",
        about: "HAProxy's option httpslog",
        server: Server::HAProxy,
        format: haproxy::HTTPS,
    },
    Known {
        word: "haproxy-tcp",
        about: "HAProxy's option tcplog",
        server: Server::HAProxy,
        format: haproxy::TCP,
    },
    Known {
        word: "haproxy-clf",
        about: "HAProxy's option httplog clf",
        server: Server::HAProxy,
        format: haproxy::CLF,
    },
    Known {
        word: "alb",
        about: "access logs of AWS Application Load Balancers",
        server: Server::Alb,
        format: aws::REQUESTS,
    },
    Known {
        word: "alb-connections",
        about: "connection logs of AWS Application Load Balancers",
        server: Server::Alb,
        format: aws::CONNECTIONS,
    },
    Known {
        word: "nlb",
        about: "access logs of AWS Network Load Balancers",
        server: Server::Alb,
        format: aws::TLS,
    },
];

/// All formats that are known by a word.
pub fn known_formats() -> impl Iterator<Item = &'static Known> {
    KNOWN.iter()
}

impl Known {
    /// The layout of its lines.
    pub fn layout(&self) -> Layout {
        self.compiled().expect("the formats that are known are compiled by a test")
    }

    pub(super) fn compiled(&self) -> Result<Layout, Problem> {
        match self.server {
            Server::Nginx => super::nginx::compile(self.format, super::field::Escape::Backslash),
            Server::Apache | Server::Lighttpd | Server::Any => apache::compile(self.format, self.server),
            Server::HAProxy => haproxy::compile(self.format),
            Server::Alb => aws::compile(self.format),
        }
    }
}
