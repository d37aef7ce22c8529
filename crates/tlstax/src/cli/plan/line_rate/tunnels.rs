//! TLS beside IPsec, WireGuard and MACsec.

use tlstax_doc::model::Bounds;
use tlstax_plan::line::Line;
use tlstax_plan::tunnel::{Protection, Tunnel};
use tlstax_report::{Cell, Column, Quantity, Row, Section, Table};

use super::asked::{Asked, named};
use crate::cli::plan::figures::{digits, quantity};

const INTRO: &str = "\
    Modelled, not measured: what the cipher costs at the size of a packet, from primitives, and the bytes that the standards add (ESP in \
    tunnel mode: RFC 4303, 4106; WireGuard; MACsec: IEEE 802.1AE). TLS has the cipher at the size of a record, shared by its packets. \
    Neither the kernel, nor copies, nor what a network card takes over is in it. Full packets of TCP in all of them.";

pub(super) fn section(asked: &Asked, tunnels: &[Tunnel]) -> Section {
    Section::new("tunnels", "TLS beside tunnels (modelled)", INTRO)
        .with([table(asked, tunnels)])
        .saying(sentence(tunnels).into_iter().collect())
}

fn table(asked: &Asked, tunnels: &[Tunnel]) -> Table {
    let packet = &asked.packet;
    let columns = [
        Column::plain("adds", "B").ranked(2),
        Column::plain("data of the line", "%"),
        Column::quantity("cipher, a packet", "ns"),
        Column::plain("one core", "Gbit/s"),
    ];
    let row = |tunnel: &Tunnel| {
        let labels = [tunnel.library.clone(), tunnel.protection.name().to_owned(), tunnel.cipher.to_string()];
        let cost = |of: &dyn Fn(Bounds) -> Quantity| -> Cell { tunnel.encrypts.clone().map(of).into() };
        let cells = [
            Quantity::exact(tunnel.overhead, "B").into(),
            Quantity::exact(tunnel.goodput(packet) * 100.0, "%").into(),
            cost(&|ns| quantity(ns, "ns")),
            cost(&|ns| quantity(Tunnel::one_core(ns, packet), "Gbit/s")),
        ];
        let cores = |line: &Line| cost(&|ns| quantity(Tunnel::cores(ns, *line, packet), "cores"));
        let lines = asked.lines.iter().map(cores);
        Row::plain(labels.map(Cell::from).into_iter().chain(cells).chain(lines).collect())
    };
    let lines = asked.lines.iter().map(|line| Column::plain(named(*line), "cores").ranked(1));
    let heads = ["library", "protection", "cipher"].map(Column::label);
    Table {
        caption: "Modelled: a packet, one core, and cores to encrypt a full line".to_owned(),
        columns: heads.into_iter().chain(columns).chain(lines).collect(),
        rows: tunnels.iter().map(row).collect(),
    }
}

/// What it costs to encrypt packets and not records, by the first cipher that has both.
fn sentence(tunnels: &[Tunnel]) -> Option<String> {
    let cost = |tunnel: &Tunnel| tunnel.encrypts.as_ref().ok().map(|ns| ns.value / tunnel.data);
    let is_tls = |tunnel: &&Tunnel| tunnel.protection == Protection::Tls && tunnel.encrypts.is_ok();
    let tls = tunnels.iter().find(is_tls)?;
    let is_kin = |tunnel: &&Tunnel| {
        tunnel.protection != Protection::Tls && tunnel.library == tls.library && tunnel.cipher == tls.cipher
    };
    let multiple = |tunnel: &Tunnel| {
        let name = tunnel.protection.name();
        Some(format!("{name} {} times", digits(cost(tunnel)? / cost(tls)?)))
    };
    let told: Vec<String> = tunnels.iter().filter(is_kin).filter_map(multiple).collect();
    (!told.is_empty()).then(|| {
        format!(
            "Modelled: with {}, {}, the cipher for a byte costs in packets as many times what it costs in TLS records: {}.",
            tls.library,
            tls.cipher,
            told.join(", ")
        )
    })
}
