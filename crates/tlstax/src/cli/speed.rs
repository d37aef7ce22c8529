//! `tlstax speed`: primitives, from flags.

use std::process::ExitCode;

use tlstax_run::{Limit, PrimitiveMatrix, Study};
use tlstax_spec::{Algorithm, Id, Op, Pattern};

use super::common::{self, Measuring};
use super::project::Project;
use super::values::{bytes, names, number};

/// Measure primitives: ciphers, hashes, signatures, key exchange.
///
/// Ciphers are called as TLS calls them: a new nonce and 13 bytes of additional data per message; --pattern speed
/// calls them as `openssl speed` does, to compare with it. Every primitive is checked against a known answer first.
///
/// Sizes are bytes, or have a unit: k, M, G and KiB, MiB, GiB count in 1024s, kB, MB, GB in 1000s.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax speed\n  tlstax speed aes-128-gcm chacha20-poly1305 --size 1350,16k\n  \
                        tlstax speed rsa-2048 --op sign --threads 1,2"
)]
pub struct Args {
    /// Algorithms; `tlstax generate names` lists them. The common ones of TLS if none are named.
    #[arg(value_name = "ALGORITHM", value_parser = names::<Algorithm>(), hide_possible_values = true)]
    algorithms: Vec<Algorithm>,

    /// Operations; all that each algorithm has if none are named.
    #[arg(long, value_name = "OP", value_delimiter = ',', value_parser = names::<Op>())]
    op: Vec<Op>,

    /// Message sizes: bytes, or 16k, 1MiB; up to 64MiB.
    #[arg(
        long,
        short,
        value_name = "SIZE",
        value_delimiter = ',',
        default_value = "16,64,256,1024,1350,8192,16384",
        value_parser = bytes(Limit::MESSAGE)
    )]
    size: Vec<u64>,

    /// Layout of the calls: as TLS makes them, or as `openssl speed` does.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', default_value = "tls", value_parser = names::<Pattern>())]
    pattern: Vec<Pattern>,

    /// Threads in one process that do the same at the same time; several numbers give a scaling curve: 1 to 1024.
    #[arg(long, short, value_name = "N", value_delimiter = ',', default_value = "1", value_parser = number(Limit::THREADS))]
    threads: Vec<u64>,

    #[command(flatten)]
    measuring: Measuring,
}

/// The algorithms of today's TLS, when none is named.
const COMMON: [Algorithm; 12] = [
    Algorithm::Aes128Gcm,
    Algorithm::Aes256Gcm,
    Algorithm::ChaCha20Poly1305,
    Algorithm::Sha256,
    Algorithm::Sha384,
    Algorithm::HmacSha256,
    Algorithm::Rsa2048,
    Algorithm::EcdsaP256,
    Algorithm::Ed25519,
    Algorithm::EcdhP256,
    Algorithm::X25519,
    Algorithm::MlKem768,
];

/// Measures primitives.
pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let mut study = Study::named(Id::literal("speed"), "How fast are these primitives?");
    study.budget_s = 30.0;
    study.primitive.push(PrimitiveMatrix {
        quick: Default::default(),
        algorithms: if args.algorithms.is_empty() { COMMON.to_vec() } else { args.algorithms },
        ops: args.op,
        sizes: args.size,
        patterns: args.pattern,
        threads: args.threads,
    });
    common::measure(study, args.measuring, project)
}
