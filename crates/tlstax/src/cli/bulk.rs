//! `tlstax bulk`: application data in memory, from flags.

use std::process::ExitCode;

use tlstax_run::{BulkMatrix, IdleMatrix, Study};
use tlstax_spec::{Direction, Id, Side};

use super::common::{self, Measuring};
use super::negotiation::Negotiation;
use super::top::Project;

/// Measure application data in memory, sender and receiver apart.
///
/// The figure is CPU seconds per gigabyte (10^9 bytes) on each side, without any network: records are made, copied
/// and opened. --buffer larger than the cache shows what main memory adds; --memory adds what an idle connection takes.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax bulk --suite TLS_AES_128_GCM_SHA256,TLS_CHACHA20_POLY1305_SHA256\n  \
                        tlstax bulk --record 1024,4096,16384\n  tlstax bulk --buffer 262144,67108864"
)]
pub struct Args {
    #[command(flatten)]
    negotiation: Negotiation,

    /// Which way the data flows: download, upload.
    #[arg(long, short, value_name = "WAY", value_delimiter = ',', default_value = "download")]
    direction: Vec<Direction>,

    /// The largest plaintext in a record, bytes: 512 to 16384.
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_value = "16384")]
    record: Vec<u64>,

    /// Bytes handed to the library in one write.
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_value = "16384")]
    write: Vec<u64>,

    /// Bytes written before the other side reads them.
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_value = "262144")]
    buffer: Vec<u64>,

    /// Also measure the memory of this many idle connections.
    #[arg(long, value_name = "CONNECTIONS", value_delimiter = ',')]
    memory: Vec<u64>,

    #[command(flatten)]
    measuring: Measuring,
}

/// Measures application data.
pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let mut study = Study::named(Id::literal("bulk"), "What does a gigabyte cost each side?");
    study.budget_s = 30.0;
    let Negotiation { versions, groups, keys, .. } = args.negotiation.clone();
    if !args.memory.is_empty() {
        study.idle.push(IdleMatrix {
            quick: Default::default(),
            versions: versions.clone(),
            suites: args.negotiation.suites(),
            groups: groups.clone(),
            keys: keys.clone(),
            sides: Side::ALL.to_vec(),
            connections: args.memory,
        });
    }
    study.bulk.push(BulkMatrix {
        quick: Default::default(),
        suites: args.negotiation.suites(),
        versions,
        groups,
        keys,
        directions: args.direction,
        records: args.record,
        writes: args.write,
        buffers: args.buffer,
    });
    common::measure(study, args.measuring, project)
}
