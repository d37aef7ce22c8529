//! The recipe for DuckDB gives the workload of the log itself.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stderr)]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use tlstax_doc::{Tool, Workload, merge_workloads};
use tlstax_traffic::{JsonLog, Reader, Table, Window};

const RECIPES: &str = include_str!("../../../docs/traffic-recipes.md");

/// Where `scripts/setup.sh test` puts it.
fn python() -> Option<PathBuf> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/duckdb/bin/python");
    let can_import = |python: &PathBuf| Command::new(python).args(["-c", "import duckdb"]).status();
    let found = python.is_file() && can_import(&python).is_ok_and(|status| status.success());
    if !found {
        let remedy = "scripts/setup.sh test installs it";
        assert!(std::env::var_os("CI").is_none(), "there is no DuckDB here: {remedy}");
        eprintln!("NOT TESTED: the recipe for DuckDB, which is not here: {remedy}");
    }
    found.then_some(python)
}

/// The statement of a recipe.
fn statement(name: &str) -> &'static str {
    let (_, recipe) = RECIPES.split_once(&format!("<!-- duckdb: {name} -->\n```sql\n")).unwrap();
    recipe.split_once("```").unwrap().0
}

/// A log as nginx writes it, of numbers that are not drawn but follow from the line's own.
fn log(lines: std::ops::Range<u64>) -> String {
    let mut log = String::new();
    for line in lines {
        let mixed = line.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let (protocol, suite, curve) = match mixed % 10 {
            0 => ("", "", ""),
            1 => ("TLSv1.2", "ECDHE-RSA-AES128-GCM-SHA256", "prime256v1"),
            2 => ("TLSv1.3", "TLS_CHACHA20_POLY1305_SHA256", "X25519"),
            _ => ("TLSv1.3", "TLS_AES_256_GCM_SHA384", "X25519"),
        };
        let reused = if protocol.is_empty() { "" } else { [".", "r", "r"][(mixed / 10 % 3) as usize] };
        let http = if mixed % 50 == 7 { "" } else { ["HTTP/1.1", "HTTP/2.0"][(mixed / 30 % 2) as usize] };
        writeln!(
            log,
            "{{\"msec\":\"{}.{:03}\",\"remote_addr\":\"203.0.113.{}\",\"ssl_protocol\":\"{protocol}\",\"ssl_cipher\":\"{suite}\",\
             \"ssl_curve\":\"{curve}\",\"ssl_session_reused\":\"{reused}\",\"server_protocol\":\"{http}\",\
             \"connection_requests\":{},\"bytes_sent\":{},\"request_length\":{}}}",
            1_795_384_617 + line / 40,
            mixed % 1_000,
            mixed % 250,
            mixed / 60 % 6 + 1,
            [310, 900, 20_480, 20_481, 1 << 20][(mixed / 7 % 5) as usize],
            79 + mixed % 4
        )
        .unwrap();
    }
    log
}

/// Without the sources, which cannot be the same.
fn counted(reader: impl Reader + 'static, text: &[u8]) -> Workload {
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    let reader: Arc<dyn Reader> = Arc::new(reader);
    let mut part = reader.part(Window::default());
    part.lines(text, &mut |_, _, _| ());
    let workload = part.finish(&tool);
    assert_eq!(workload.sources[0].bad.len(), 0, "{:?}", workload.sources);
    Workload { sources: Vec::new(), ..workload }
}

fn by_nginx(text: &str) -> Workload {
    let names = [
        "msec",
        "ssl_protocol",
        "ssl_cipher",
        "ssl_curve",
        "ssl_session_reused",
        "server_protocol",
        "connection_requests",
        "bytes_sent",
        "request_length",
    ];
    counted(JsonLog::of_nginx(names.map(|name| (name, name))), text.as_bytes())
}

fn by_duckdb(python: &Path, text: &str) -> Workload {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("access.json"), text).unwrap();
    let statements = [statement("the log"), statement("the table")];
    let script = "import duckdb, sys\nfor statement in sys.argv[1:]: duckdb.execute(statement)\n";
    let ran = Command::new(python).current_dir(folder.path()).args(["-c", script]).args(statements).output();
    let ran = ran.unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let table = std::fs::read(folder.path().join("traffic.csv")).unwrap();
    let header = table.split(|byte| *byte == b'\n').next().unwrap();
    counted(Table::of_header(header).unwrap(), &table)
}

fn document(workload: &Workload) -> String {
    serde_json::to_string(workload).unwrap()
}

#[test]
fn duckdb_does_the_map_and_gives_the_workload_of_the_log() {
    let Some(python) = python() else { return };
    let whole = by_nginx(&log(0..5_000));
    assert_eq!(document(&by_duckdb(&python, &log(0..5_000))), document(&whole));
    let parts = [3_000..5_000, 0..1_200, 1_200..3_000].map(|lines| by_duckdb(&python, &log(lines)));
    assert_eq!(document(&merge_workloads(&whole.tool, &parts)), document(&whole));
}
