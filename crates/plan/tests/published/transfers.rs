//! The transfers of the write-up on large files, by its own primitives: what a client spends on a byte is what it spends on it without
//! TLS, and the cipher and the hash of the suite one after the other. `transfers.txt` has the error of each cell.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use tlstax_doc::{read, write};

use crate::table::rows;

const PRIMITIVES: &str = include_str!("../../../../reference/primitives.csv");
const TRANSFERS: &str = include_str!("../../../../reference/transfers.csv");

/// The `source` of both.
const SOURCE: &str = "000_c0a22a47f0e9824d.txt";

/// Programs count in these; `openssl speed` in millions of bytes.
const MIB: f64 = 1_048_576.0;

/// What a byte goes through on the side that sends it, and on the one that receives it.
const SUITES: [(&str, &[&str], &[&str]); 5] = [
    ("NULL-MD5", &["md5 digest"], &["md5 digest"]),
    ("RC4-MD5", &["rc4 encrypt", "md5 digest"], &["rc4 encrypt", "md5 digest"]),
    ("AES128-SHA", &["aes-128-cbc encrypt", "sha1 digest"], &["aes-128-cbc decrypt", "sha1 digest"]),
    ("ECDHE-RSA-AES128-GCM-SHA256", &["aes-128-gcm encrypt"], &["aes-128-gcm encrypt"]),
    ("ECDHE-RSA-AES256-GCM-SHA384", &["aes-256-gcm encrypt"], &["aes-256-gcm encrypt"]),
];

/// Why a prediction is off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It is not, by much: the parts of the suite are nearly all that there is.
    Parts,
    /// OpenSSL does cipher and hash of this suite in one loop on x86-64, so that both together take less than one after the other:
    /// RC4 with MD5, and AES-CBC with SHA-1 where it encrypts.
    Stitched,
    /// Records are copied and framed besides, which counts where the core is slow, and where the suite is cheap.
    Copying,
    /// The hardware of the machine does AES in long runs of its benchmark, and not as fast in records.
    Engine,
    /// GnuTLS, and the primitives are OpenSSL's.
    OtherLibrary,
}

impl Kind {
    /// Between which errors of a client's CPU time the cells of the kind lie.
    const fn errors(self) -> (f64, f64) {
        match self {
            Self::Parts => (-0.02, 0.15),
            Self::Stitched => (-0.40, -0.25),
            Self::Copying => (0.04, 0.75),
            Self::Engine => (0.65, 1.60),
            Self::OtherLibrary => (0.15, 16.0),
        }
    }
}

struct Cell {
    machine: String,
    suite: String,
    client: String,
    is_download: bool,
    /// MiB in a second of the client's CPU time, and of time.
    measured: (f64, f64),
    predicted: (f64, f64),
}

impl Cell {
    fn kind(&self) -> Kind {
        let is = |machine: &str, suite: &str| self.machine.starts_with(machine) && self.suite == suite;
        let is_x86_64 = is("AMD Athlon", &self.suite) || is("Intel Xeon", &self.suite);
        match self.suite.as_str() {
            _ if self.client.starts_with("wget") => Kind::OtherLibrary,
            "RC4-MD5" if is_x86_64 => Kind::Stitched,
            "AES128-SHA" if is("Intel Xeon", "AES128-SHA") && !self.is_download => Kind::Stitched,
            "AES128-SHA" if is("VIA Nano", "AES128-SHA") => Kind::Engine,
            "NULL-MD5" => Kind::Copying,
            "RC4-MD5" | "AES128-SHA" if !is_x86_64 => Kind::Copying,
            _ => Kind::Parts,
        }
    }

    /// Of CPU time, and of time.
    fn errors(&self) -> (f64, f64) {
        (self.predicted.0 / self.measured.0 - 1.0, self.predicted.1 / self.measured.1 - 1.0)
    }
}

/// Bytes a second by machine and primitive.
fn primitives() -> BTreeMap<(String, String), f64> {
    rows(PRIMITIVES)
        .into_iter()
        .filter(|row| row["source"] == SOURCE)
        .map(|row| {
            let name = format!("{} {}", row["algorithm"], row["operation"]);
            ((row["machine"].clone(), name), row["value"].parse::<f64>().unwrap() * 1e6)
        })
        .collect()
}

fn cells() -> Vec<Cell> {
    let (primitives, transfers) = (primitives(), rows(TRANSFERS));
    let rate = |row: &BTreeMap<String, String>, column: &str| row[column].parse::<f64>().unwrap();
    let both = |row: &BTreeMap<String, String>| (rate(row, "client_cpu_mb_s"), rate(row, "transfer_mb_s"));
    let without_tls = |row: &BTreeMap<String, String>| {
        let same = |other: &&BTreeMap<String, String>| {
            ["machine", "client", "direction"].iter().all(|column| other[*column] == row[*column])
        };
        both(transfers.iter().filter(same).find(|other| other["suite"] == "(plain HTTP)").unwrap())
    };
    let cell = |row: &BTreeMap<String, String>| {
        let (_, sending, receiving) = SUITES.iter().find(|(suite, ..)| *suite == row["suite"])?;
        let machine = &row["machine"];
        let seconds = |parts: &[&str]| -> f64 {
            parts.iter().map(|part| primitives[&(machine.clone(), (*part).to_owned())].recip()).sum()
        };
        let is_download = row["direction"] == "download";
        let (client, server) = match is_download {
            true => (seconds(receiving), seconds(sending)),
            false => (seconds(sending), seconds(receiving)),
        };
        // Two sides on one core take turns; on two cores the slower one is waited for.
        let of_both = if machine.starts_with("VIA Nano") { client + server } else { client.max(server) };
        let (cpu, wall) = without_tls(row);
        let with = |without: f64, seconds: f64| (without.recip() + seconds * MIB).recip();
        Some(Cell {
            machine: machine.clone(),
            suite: row["suite"].clone(),
            client: row["client"].clone(),
            is_download,
            measured: both(row),
            predicted: (with(cpu, client), with(wall, of_both)),
        })
    };
    transfers.iter().filter_map(cell).collect()
}

#[test]
fn the_error_of_each_cell_is_known() {
    let mut text = String::from(
        "MiB/s of the client's CPU time and of time: measured, predicted, error. See transfers.rs.\n\n",
    );
    for cell in cells() {
        let ((cpu, wall), way) = (cell.errors(), if cell.is_download { "download" } else { "upload" });
        writeln!(
            text,
            "{:29} {:27} {:14} {way:8} {:8.1} {:8.1} {:+6.0} %  {:8.1} {:8.1} {:+6.0} %  {:?}",
            cell.machine,
            cell.suite,
            cell.client,
            cell.measured.0,
            cell.predicted.0,
            cpu * 100.0,
            cell.measured.1,
            cell.predicted.1,
            wall * 100.0,
            cell.kind(),
        )
        .unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/published/transfers.txt");
    if std::env::var_os("TLSTAX_BLESS").is_some() {
        write(&path, text.as_bytes()).unwrap();
    }
    assert_eq!(read(&path).unwrap(), text, "look at it, and if it is right: TLSTAX_BLESS=1");
}

#[test]
fn errors_of_cpu_time_are_of_their_kind() {
    for cell in cells() {
        let (least, most) = cell.kind().errors();
        let (error, _) = cell.errors();
        let Cell { machine, suite, client, .. } = &cell;
        assert!(
            (least..=most).contains(&error),
            "{machine}, {suite}, {client}: {error:+.3} is not {:?}",
            cell.kind()
        );
    }
}

/// What TLS costs without a cipher, found on NULL-MD5, holds what the parts leave out: with it none is predicted faster by more than
/// 6 % than it was, nor slower by more than 16 %.
#[test]
fn copying_is_bounded_by_a_suite_without_a_cipher() {
    let cells = cells();
    let rest = |cell: &Cell| {
        let same = |other: &&Cell| {
            other.machine == cell.machine
                && other.is_download == cell.is_download
                && other.suite == "NULL-MD5"
        };
        let null = cells.iter().find(same).unwrap();
        null.measured.0.recip() - null.predicted.0.recip()
    };
    for cell in cells.iter().filter(|cell| matches!(cell.kind(), Kind::Parts | Kind::Copying)) {
        let with_rest = (cell.predicted.0.recip() + rest(cell)).recip();
        let error = with_rest / cell.measured.0 - 1.0;
        assert!((-0.16..=0.06).contains(&error), "{}, {}: {error:+.3}", cell.machine, cell.suite);
    }
}

/// Of time, GCM by OpenSSL at both ends: predicted from 7 % slower to a quarter faster than it was.
#[test]
fn transfers_by_gcm_take_what_the_slower_side_takes() {
    let is_gcm = |cell: &&Cell| cell.suite.contains("GCM") && cell.kind() == Kind::Parts;
    for cell in cells().iter().filter(is_gcm) {
        let (_, error) = cell.errors();
        assert!((-0.07..=0.26).contains(&error), "{}, {}: {error:+.3}", cell.machine, cell.suite);
    }
}
