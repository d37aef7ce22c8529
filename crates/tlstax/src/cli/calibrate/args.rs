//! The flags of `tlstax calibrate`.

use std::path::PathBuf;

use tlstax_plan::Scope;
use tlstax_spec::{Http, Id, Resumption};

use crate::cli::answer::Extent;
use crate::cli::common::Measuring;
use crate::cli::complete;
use crate::cli::negotiation::Negotiation;
use crate::cli::values::names;

// What is known where nothing is named is not what other verbs measure then: see `Scope::default`.
const VERSIONS: &str = "Protocol versions whose costs are to be known; TLSv1.3 and TLSv1.2 if none is named";
const SUITES: &str = "Cipher suites beside AES-128-GCM, by the names of the IANA or of OpenSSL; AES-256-GCM and ChaCha20-Poly1305 of TLS 1.3 if \
                      none are named. `tlstax generate names` lists them";
const GROUPS: &str = "Key exchange groups beside X25519; secp256r1 and X25519MLKEM768 if none is named";
const KEYS: &str = "Keys in the server's certificate; rsa-2048 and ecdsa-p256 if none is named";

/// Fit a cost model to a server: what a connection, a handshake, a request and a byte cost it, each with its interval.
///
/// Not every combination is measured, but a small set of loads that tells these costs apart best in the time given: some 50 in ten
/// minutes, from the lean client over loopback. The cost of each load is a sum: of connections, handshakes by version and key,
/// resumptions, groups, requests, bodies by size, and of what other suites and smaller records add. The sums are solved for
/// the costs by least squares; leaving out one load at a time shows how well the others predict it.
///
/// The model is what `tlstax plan` predicts from. The results that it is fitted to stay beside it: --from fits them again, alone or
/// with more. A run that is stopped is fitted to what there is, and goes on with `tlstax measure --resume`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tlstax calibrate -l nginx\n  \
                        tlstax calibrate -l nginx --key rsa-2048,rsa-4096 --group x25519mlkem768 --budget 5m -o model.json\n  \
                        tlstax calibrate -l nginx --list                      # the loads that would be measured\n  \
                        tlstax calibrate --from model.results.json more.json  # fit results that exist\n  \
                        tlstax calibrate -l nginx --with handshakes.json      # what is not measured: from the library in memory")]
#[command(mut_arg("versions", |arg| arg.help(VERSIONS)))]
#[command(mut_arg("suites", |arg| arg.help(SUITES)))]
#[command(mut_arg("groups", |arg| arg.help(GROUPS)))]
#[command(mut_arg("keys", |arg| arg.help(KEYS)))]
pub struct Args {
    #[command(flatten)]
    pub negotiation: Negotiation,

    /// Ways to resume whose cost is to be known, beside full handshakes: psk, early-data, ticket, session-id; all but early-data if
    /// none is named, and none with full.
    #[arg(
        long,
        short,
        value_name = "KIND",
        value_delimiter = ',',
        value_parser = names::<Resumption>(),
        help_heading = "Negotiation"
    )]
    pub resumption: Vec<Resumption>,

    /// Versions of HTTP over TLS; both if none is named, and of a library in a worker HTTP/1.1.
    #[arg(long, value_name = "VERSION", value_delimiter = ',', value_parser = names::<Http>(), help_heading = "Negotiation")]
    pub http: Vec<Http>,

    /// The client of all loads.
    #[arg(long, value_name = "ID", default_value = "lean", add = complete::ids(), help_heading = "Measuring")]
    pub client: Id,

    /// Measure nothing: fit results that exist, of one server on one machine. Of several servers --library names one.
    #[arg(
        long,
        value_name = "RESULTS",
        num_args = 1..,
        conflicts_with_all = ["budget", "precision", "seed", "list", "verify", "observe"]
    )]
    pub from: Vec<PathBuf>,

    /// In-memory results (tlstax handshake, tlstax bulk) of the server's library: they give what no load does, a key, a group or a
    /// suite, brought to the server by what both know; marked, and with wider intervals.
    #[arg(long, value_name = "RESULTS", num_args = 1..)]
    pub with: Vec<PathBuf>,

    #[command(flatten)]
    pub measuring: Measuring,

    #[command(flatten)]
    pub extent: Extent,
}

impl Args {
    /// What the model is to know.
    pub fn scope(&self) -> Scope {
        let usual = Scope::default();
        let Negotiation { versions, suites, groups, keys } = self.negotiation.clone();
        Scope {
            versions: or(versions, usual.versions),
            suites: or(suites, usual.suites),
            groups: or(groups, usual.groups),
            keys: or(keys, usual.keys),
            resumptions: or(self.resumption.clone(), usual.resumptions),
            http: or(self.http.clone(), usual.http),
        }
    }
}

fn or<T>(named: Vec<T>, usual: Vec<T>) -> Vec<T> {
    if named.is_empty() { usual } else { named }
}
