//! `tlstax bulk`: application data in memory, from flags.

use std::process::ExitCode;

use tlstax_run::{BulkMatrix, IdleMatrix, Study};
use tlstax_spec::{Compression, Id, Side, Version};

use super::common::Measuring;
use super::lists::{Lists, limit};
use super::measuring;
use super::negotiation::Negotiation;
use super::project::Project;
use super::values::number;

/// Measure application data in memory, sender and receiver apart.
///
/// The figure is CPU seconds per gigabyte (10^9 bytes) on each side, without any network: records are made
/// and opened, and what copies them from one end to the other is left out. --buffer larger than the cache shows what main
/// memory adds; --memory adds what an idle connection takes. --compression none,deflate adds what TLS compression takes, in a
/// library that still has it, such as openssl-1.1.1-weak: of TLS 1.2, if no version is named, since 1.3 has none.
///
/// Sizes are bytes, or have a unit: k, M, G and KiB, MiB, GiB count in 1024s, kB, MB, GB in 1000s.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax bulk --suite TLS_AES_128_GCM_SHA256,TLS_CHACHA20_POLY1305_SHA256\n  \
                        tlstax bulk --record 1k,4k,16k\n  tlstax bulk --buffer 256k,64M\n  \
                        tlstax bulk --compression none,deflate --content text,random -l openssl-1.1.1-weak"
)]
pub struct Args {
    #[command(flatten)]
    negotiation: Negotiation,

    #[command(flatten)]
    lists: Lists<BulkMatrix>,

    /// Also measure the memory of this many idle connections.
    #[arg(long, value_name = "CONNECTIONS", value_delimiter = ',', value_parser = number(limit::<IdleMatrix>("connections")))]
    memory: Vec<u64>,

    #[command(flatten)]
    measuring: Measuring,
}

pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let mut study = Study::named(Id::literal("bulk"), "What does a gigabyte cost each side?");
    study.budget_s = 30.0;
    let matrix = args.lists.matrix;
    let mut negotiation = args.negotiation;
    let compresses = matrix.compressions.iter().any(|method| *method != Compression::None);
    if compresses && negotiation.versions.is_empty() {
        negotiation.versions.push(Version::Tls12);
    }
    let Negotiation { versions, suites, groups, keys } = negotiation.or_usual();
    let bulk = BulkMatrix { versions, suites, groups, keys, ..matrix };
    if !args.memory.is_empty() {
        study.idle.push(IdleMatrix {
            versions: bulk.versions.clone(),
            suites: bulk.suites.clone(),
            groups: bulk.groups.clone(),
            keys: bulk.keys.clone(),
            sides: Side::ALL.to_vec(),
            connections: args.memory,
            ..IdleMatrix::default()
        });
    }
    study.bulk.push(bulk);
    measuring::measure(study, args.measuring, project)
}
