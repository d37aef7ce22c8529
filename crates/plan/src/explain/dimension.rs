//! [`Dimension`]: something in which the traffic before and after can differ.

/// Something in which the traffic before and after can differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// Whether there is TLS at all.
    Tls,
    Version,
    Suite,
    Key,
    Group,
    Resumption,
    Http,
    Connections,
    Requests,
    Bytes,
}

impl Dimension {
    pub const ALL: [Self; 10] = [
        Self::Tls,
        Self::Version,
        Self::Suite,
        Self::Key,
        Self::Group,
        Self::Resumption,
        Self::Http,
        Self::Connections,
        Self::Requests,
        Self::Bytes,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Tls => "TLS",
            Self::Version => "version",
            Self::Suite => "suite",
            Self::Key => "key",
            Self::Group => "group",
            Self::Resumption => "resumption",
            Self::Http => "HTTP",
            Self::Connections => "connections",
            Self::Requests => "requests",
            Self::Bytes => "bytes",
        }
    }
}

/// Some dimensions: those in which the traffic is already that after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changed(u16);

impl Changed {
    pub const NONE: Self = Self(0);

    pub const fn with(self, dimension: Dimension) -> Self {
        Self(self.0 | 1 << dimension as u16)
    }

    pub const fn has(self, dimension: Dimension) -> bool {
        self.0 & 1 << dimension as u16 != 0
    }
}
