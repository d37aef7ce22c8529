//! [`Unit`]: what a figure of a claim is given in.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A multiple.
    Times,
    Percent,
    /// Decimal megabytes per second of CPU time of one core.
    MegabytesPerSecond,
    /// Operations per second of CPU time of one core.
    OperationsPerSecond,
    /// CPU seconds for a decimal gigabyte.
    SecondsPerGigabyte,
    Bytes,
    /// Cores that are busy all the time.
    Cores,
    RoundTrips,
}

impl Unit {
    pub const ALL: [Self; 8] = [
        Self::Times,
        Self::Percent,
        Self::MegabytesPerSecond,
        Self::OperationsPerSecond,
        Self::SecondsPerGigabyte,
        Self::Bytes,
        Self::Cores,
        Self::RoundTrips,
    ];

    /// As it stands behind a figure, and in a claims file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Times => "x",
            Self::Percent => "%",
            Self::MegabytesPerSecond => "MB/s",
            Self::OperationsPerSecond => "op/s",
            Self::SecondsPerGigabyte => "s/GB",
            Self::Bytes => "B",
            Self::Cores => "cores",
            Self::RoundTrips => "round trips",
        }
    }

    /// A figure in this unit: "2.2x", "1 core", "2 round trips".
    pub fn behind(self, figure: &str) -> String {
        match (self, figure) {
            (Self::Times, _) => format!("{figure}x"),
            (Self::Cores, "1") => "1 core".to_owned(),
            (Self::RoundTrips, "1") => "1 round trip".to_owned(),
            _ => format!("{figure} {}", self.name()),
        }
    }
}
