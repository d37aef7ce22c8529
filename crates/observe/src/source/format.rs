//! [`Format`]: the formats that profiles come in.

use std::fmt;
use std::str::FromStr;

/// A format that profiles come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// What `perf record` writes.
    PerfData,
    /// What `perf script` prints.
    PerfScript,
    /// `profile.proto` of pprof, which Go, Parca and Pyroscope write.
    Pprof,
    /// One stack a line with a count, as flame graphs are made of.
    Folded,
    /// The processed profile of the Firefox profiler, which samply writes, too.
    Firefox,
}

impl Format {
    pub const ALL: [Self; 5] = [Self::PerfData, Self::PerfScript, Self::Pprof, Self::Folded, Self::Firefox];

    /// As documents and people name it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::PerfData => "perf.data",
            Self::PerfScript => "perf script",
            Self::Pprof => "pprof",
            Self::Folded => "folded",
            Self::Firefox => "firefox",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// By its word, where a `-` or nothing may stand for the space or the dot of it.
impl FromStr for Format {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let plain = |word: &str| word.to_ascii_lowercase().replace(['-', '.', ' ', '_'], "");
        let found = Self::ALL.into_iter().find(|format| plain(format.word()) == plain(word));
        found.ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|format| format.word().replace(' ', "-")).collect();
            format!("no format is called {word:?}: give one of {}", known.join(", "))
        })
    }
}
