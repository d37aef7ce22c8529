//! The flags of `tlstax traffic`.

use std::path::PathBuf;

use clap::Subcommand;
use tlstax_traffic::SUGGESTED;

use super::time::{self, Time};
use super::{merge, replay};
use crate::cli::answer::Extent;
use crate::cli::values;

/// Tell what your servers were really asked for: handshakes, full and resumed, suites, requests and bytes.
///
/// Reads access logs and captures, counts, and writes a workload: numbers only. No address, URL, cookie, user agent or name of a
/// server gets into it. Logs are read in parallel and may be packed by gzip or zstd; the format is recognised where it can be.
///
/// What a source does not tell is unknown, and never zero: tlstax traffic --suggest nginx prints the log_format that tells all.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  tlstax traffic /var/log/nginx/access.log*\n  \
                  tlstax traffic access.log --format nginx:/etc/nginx/nginx.conf         # by the server's own log_format\n  \
                  tlstax traffic access.log --format nginx:/etc/nginx/nginx.conf#tls     # by the one of that name\n  \
                  tlstax traffic ssl_access_log --format apache='%h %t \"%r\" %>s %O %{SSL_PROTOCOL}x'\n  \
                  tlstax traffic access.log --since 2026-11-01 --until 2026-11-08        # a week, in UTC\n  \
                  tlstax traffic access.log --since 2h                                   # the last two hours\n  \
                  tlstax traffic access.log --class 'api=api.*' --class 'shop=*.example.com'\n  \
                  journalctl -u haproxy -o cat | tlstax traffic -\n  \
                  tlstax traffic capture.pcapng\n  \
                  tlstax traffic --interface eth0 --for 60s\n  \
                  tlstax traffic --suggest nginx                                         # the log_format that tells most\n  \
                  tlstax traffic merge web-*.json -o fleet.json                          # exactly what one run would say\n  \
                  tlstax traffic replay fleet.json > fleet.toml                          # as a load to measure\n  \
                  tlstax report fleet.json"
)]
pub struct Args {
    #[command(subcommand)]
    pub other: Option<Other>,

    /// Logs or captures, packed or not. - is standard input.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The format of all of them, if it is not recognised: nginx:FILE, apache:FILE, haproxy:FILE or lighttpd:FILE with the
    /// server's configuration, and behind it #NAME where that has several; nginx='FORMAT' with the format itself; or a word, such
    /// as combined. A word that is none lists them all.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,

    /// Only from this time on: 2026-11-22T08:00:00Z, 2026-11-22 (UTC), or 90m, 2h, 3d ago.
    #[arg(long, value_name = "TIME", value_parser = time::read, help_heading = "What counts")]
    pub since: Option<Time>,

    /// Only before this time.
    #[arg(long, value_name = "TIME", value_parser = time::read, help_heading = "What counts")]
    pub until: Option<Time>,

    /// Count by classes of server names: those that end so, as *.example.com, or are called so. The names get nowhere. May be given
    /// several times; the first that fits decides.
    #[arg(long, value_name = "NAME=PATTERN", help_heading = "What counts")]
    pub class: Vec<String>,

    /// What times that are logged without their zone are east of UTC: +01:00. Taken for UTC if absent.
    #[arg(
        long,
        value_name = "OFFSET",
        value_parser = time::offset,
        allow_hyphen_values = true,
        help_heading = "What counts"
    )]
    pub utc_offset: Option<i64>,

    /// Count the packets of an interface in place of files, for as long as --for says. Needs the capability CAP_NET_RAW.
    #[arg(long, value_name = "NAME", requires = "duration", conflicts_with_all = ["files", "format"], help_heading = "Live")]
    pub interface: Option<String>,

    /// How long to count the packets of an interface: 60s, 10m.
    #[arg(long = "for", id = "duration", value_name = "TIME", value_parser = values::budget, requires = "interface", help_heading = "Live")]
    pub duration: Option<f64>,

    /// Print what to write into the configuration of a server, so that its log tells all that a plan needs.
    #[arg(long, value_name = "SERVER", value_parser = SUGGESTED, conflicts_with_all = ["files", "interface"])]
    pub suggest: Option<String>,

    /// Show the first bad lines themselves on standard error, and not only their places. They may hold what is personal.
    #[arg(long, help_heading = "Results")]
    pub show_bad: bool,

    /// Threads that count; as many as there are CPUs if absent. Archives are unpacked beside them.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// The file of the workload; results/workload-TIME.json if absent. A page is written beside it.
    #[arg(long, short, value_name = "FILE", help_heading = "Results")]
    pub output: Option<PathBuf>,

    /// Print the report as JSON.
    #[arg(long, help_heading = "Results")]
    pub json: bool,

    #[command(flatten)]
    pub extent: Extent,

    /// No progress, only the answer, what is missing from it, and failures.
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
pub enum Other {
    Merge(merge::Args),
    Replay(replay::Args),
}
