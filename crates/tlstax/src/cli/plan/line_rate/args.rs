//! The flags of `tlstax plan line-rate`.

use std::path::PathBuf;

use tlstax_names::Written;
use tlstax_plan::line::Line;
use tlstax_report::IpVersion;
use tlstax_spec::{Bytes, Limit};

use crate::cli::common::Form;
use crate::cli::{report, values};

/// Say how many cores it takes to fill a line, by suite, from what was measured.
///
/// A byte of data costs a core so much; a line takes so many of them in a second, after what records, TCP, IP and Ethernet add.
/// Three kinds of figures answer it, each marked: the record layer of a library with data in memory (tlstax bulk), which has no
/// kernel in it; a real server with its kernel (tlstax measure large-transfer); and the cipher alone (tlstax measure primitives),
/// which is the most that hardware could take away.
///
/// One stream is one core: the table says which part of a line it fills. Many streams take as many cores as the table says, as long
/// as cores do not stand in each other's way: tlstax plan scale says whether they do.
///
/// With ciphers at the sizes of packets, TLS is set beside IPsec ESP, WireGuard and MACsec: modelled, from the standards. With
/// handshakes, or --rtt, the time to the first byte of a response is told for each way to open a connection.
///
/// Without results it is arithmetic on a rate: --rate 99.02MB/s --bytes 100MB --gbit 1.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax plan line-rate results/bulk-….json\n  tlstax plan line-rate results/bulk-….json --gbit 10,25 \
                        --record 4k --mtu 9000\n  tlstax plan line-rate results/primitives-….json -l openssl   # beside IPsec, WireGuard \
                        and MACsec\n  tlstax plan line-rate results/quick-….json --rtt 80ms --loss 0.5%    # the first byte, too\n  \
                        tlstax plan line-rate --rate 99.02MB/s --bytes 100MB --gbit 1         # a rate that you know"
)]
pub struct Args {
    /// A file that tlstax measure, bulk, speed, handshake or load wrote.
    #[arg(required_unless_present = "rate")]
    pub results: Option<PathBuf>,

    /// Lines in Gbit/s: above 0.
    #[arg(long, value_name = "GBIT", value_delimiter = ',', value_parser = line, default_value = "1,10,25,40,100,200,400,800")]
    pub gbit: Vec<Line>,

    /// The data in a record: from 512 to 16k. Where it was not measured, it is between sizes that were.
    #[arg(long, value_name = "SIZE", value_parser = sized(Limit::new(512, 16_384, "a record size in bytes")), default_value = "16k")]
    pub record: Bytes,

    /// The largest packet: 1500 as on Ethernet if absent.
    #[arg(long, value_name = "BYTES", value_parser = values::number(Limit::NONE))]
    pub mtu: Option<u64>,

    /// Which IP: 4 if absent, with a header of 20 bytes, or 6, with 40.
    #[arg(long, value_name = "VERSION", value_parser = report::ip_version())]
    pub ip: Option<IpVersion>,

    /// What one core encrypts in a second, in place of results or beside them: 99.02MB/s, 3GB/s.
    #[arg(long, value_name = "SIZE/s", value_parser = rate)]
    pub rate: Option<f64>,

    /// Also say how long so many bytes take to encrypt and to send: 100MB.
    #[arg(long, value_name = "SIZE", value_parser = sized(Limit::new(1, 1 << 60, "an amount of data in bytes")))]
    pub bytes: Option<Bytes>,

    /// The time to the client and back: 20ms if absent. From 1us to 60s.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub rtt: Option<f64>,

    /// The part of packets that is lost: 0% to 20%; 0% if absent.
    #[arg(long, value_name = "PERCENT", value_parser = loss)]
    pub loss: Option<f64>,

    /// The certificates that the server sends, in bytes; those that were measured if absent. A flight that is larger than the initial
    /// window of TCP costs a round trip.
    #[arg(long, value_name = "SIZE", value_parser = sized(Limit::new(1, 1 << 24, "a chain in bytes")))]
    pub chain_bytes: Option<Bytes>,

    /// Only these libraries and servers.
    #[arg(long, short, value_name = "ID", value_delimiter = ',')]
    pub library: Vec<String>,

    #[command(flatten)]
    pub form: Form,
}

fn line(text: &str) -> Result<Line, String> {
    let gbit: f64 = text.parse().map_err(|_| format!("'{text}' is no number of Gbit/s: write 10 or 2.5"))?;
    Line::new(gbit).map_err(|error| error.to_string())
}

fn sized(limit: Limit) -> impl Fn(&str) -> Result<Bytes, String> + Clone {
    move |text| Bytes::parse(text, Some(limit))
}

/// The most bytes that a core can be thought to encrypt in a second.
const FASTEST: u64 = 1_000_000_000_000;

/// Reads 99.02MB/s as bytes in a second.
fn rate(text: &str) -> Result<f64, String> {
    let size = text.strip_suffix("/s").ok_or_else(|| format!("'{text}' is no rate: write 99.02MB/s"))?;
    let limit = Limit::new(1, FASTEST, "a rate in bytes per second");
    Bytes::parse(size, Some(limit)).map(|Bytes(bytes)| bytes as f64)
}

/// Reads 20ms, 0.5ms, 80us or 1s as seconds.
fn time(text: &str) -> Result<f64, String> {
    const UNITS: [(&str, f64); 3] = [("ms", 1e-3), ("us", 1e-6), ("s", 1.0)];
    let wrong = || format!("'{text}' is no time: write 20ms, 500us or 1s");
    let unit = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = unit.ok_or_else(wrong)?;
    let time = number.trim().parse::<f64>().map_err(|_| wrong())? * seconds;
    match (1e-6..=60.0).contains(&time) {
        true => Ok(time),
        false => Err(format!("{text} is out of range: a round-trip time must be from 1us to 60s")),
    }
}

/// Reads 0.1% as 0.001.
fn loss(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').unwrap_or(text).trim();
    let percent: f64 = percent.parse().map_err(|_| format!("'{text}' is no percentage: write 0.1%"))?;
    match (0.0..=20.0).contains(&percent) {
        true => Ok(percent / 100.0),
        false => Err(format!("{text} is out of range: a loss must be from 0% to 20%")),
    }
}
