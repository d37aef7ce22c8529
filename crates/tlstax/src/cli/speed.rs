//! `tlstax speed`: primitives, from flags.

use std::process::ExitCode;

use tlstax_run::{PrimitiveMatrix, Study};
use tlstax_spec::{Algorithm, Id, Op};

use super::common::Measuring;
use super::lists::Lists;
use super::measuring;
use super::project::Project;
use super::values::names;

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

    #[command(flatten)]
    lists: Lists<PrimitiveMatrix>,

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

pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let mut study = Study::named(Id::literal("speed"), "How fast are these primitives?");
    study.budget_s = 30.0;
    study.primitive.push(PrimitiveMatrix {
        algorithms: if args.algorithms.is_empty() { COMMON.to_vec() } else { args.algorithms },
        ops: args.op,
        ..args.lists.matrix
    });
    measuring::measure(study, args.measuring, project)
}
