//! [`Server`]: whose logs are lines.

/// A server whose logs are lines by a format string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Server {
    Nginx,
    Apache,
    Lighttpd,
    HAProxy,
    /// Load balancers of Amazon Web Services.
    Alb,
    /// Common to several: nobody can tell by the lines whose they are.
    Any,
}

impl Server {
    /// The word in documents.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Apache => "apache",
            Self::Lighttpd => "lighttpd",
            Self::HAProxy => "haproxy",
            Self::Alb => "alb",
            Self::Any => "combined",
        }
    }

    /// What sentences call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Apache => "Apache",
            Self::Lighttpd => "lighttpd",
            Self::HAProxy => "HAProxy",
            Self::Alb => "an AWS load balancer",
            Self::Any => "a web server",
        }
    }
}
