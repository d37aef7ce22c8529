#!/usr/bin/env python3
"""Are the libraries as far apart here as in the trial that came before tlstax?

The trial was a throwaway program for each library, on another CPU: a Sapphire Rapids with VAES and SHA extensions. Its
handshakes were TLS 1.3 with X25519, ECDSA P-256 and TLS_AES_128_GCM_SHA256, one self-signed certificate verified with
its name, no tickets, and 4 bytes sent to and fro; making connections is in its handshakes/s and not in what the sides
took. Its rates are of AES-128-GCM and SHA-256 on 16 KB. Ratios to one library are compared, because CPUs differ less in
those than in the figures.
"""

import argparse
from dataclasses import dataclass

import program
import show

# The library that the others are compared with.
BASE = "openssl-3.6"
LIMIT = 0.05
SIZE = 16384
CIPHER, HASH = "aes-128-gcm", "sha256"


@dataclass(frozen=True)
class Trial:
    """What the trial found: handshakes/s, microseconds of both sides, and MB/s of both primitives."""

    rate: float
    client: float
    server: float
    cipher: float = 0
    hash: float = 0


TRIAL = {
    "aws-lc": Trial(3765, 154, 85, 12434, 1352),
    "boringssl": Trial(3490, 168, 110, 12451, 1350),
    "wolfssl": Trial(2886, 220, 104, 9875, 1290),
    "openssl-1.1.1-weak": Trial(2619, 230, 140, 5237, 1381),
    "openssl-3.6": Trial(2229, 262, 169, 12494, 1383),
    "openssl-3.5": Trial(2192, 265, 173, 12290, 1387),
    "openssl-4.0": Trial(2145, 271, 176, 12573, 1403),
    "openssl-3.0.8": Trial(1736, 378, 183, 5179, 1390),
    "gnutls": Trial(1607, 415, 203, 5010),
    "openssl": Trial(1393, 477, 221, 5020, 1295),
    "botan": Trial(1285, 559, 213, 6120),
    "openssl-3.6-without-asm": Trial(590, 802, 873, 121, 243),
    "nss": Trial(363, 2177, 553, 4230),
    "mbedtls": Trial(217, 2742, 1862, 284),
}


def bench():
    arguments = parse()
    present = [row["id"] for row in program.libraries() if not row.get("unavailable") and row["id"] in TRIAL]
    if BASE not in present:
        raise program.Cannot(f"{BASE} is not there: target/release/tlstax libraries build {BASE}")
    common = ["--library", ",".join(present), "--budget", f"{arguments.budget}s"]
    with program.scratch() as folder:
        handshakes = program.measure(folder, "handshakes", "handshake", "--chain", "1", *common)
        rates = program.measure(folder, "rates", "speed", CIPHER, HASH, "--size", SIZE, *common)
    print_head(arguments, present)
    off = print_handshakes(handshakes, present)
    ciphers = print_rates(rates, present)
    missing = [library for library in TRIAL if library not in present]
    print(f"\nnot there: {', '.join(missing) or 'none'}")
    print(f"ratios to {BASE} against those of the trial: handshakes/s {judged(off)}; {CIPHER} {judged(ciphers)}")


def judged(off):
    """How many ratios are near those of the trial, and which is furthest."""
    if not off:
        return "none"
    within = sum(abs(value - 1) <= LIMIT for value in off.values())
    worst = max(off, key=lambda library: abs(off[library] - 1))
    return f"{within} of {len(off)} within {LIMIT * 100:.0f} %, worst {show.deviation(off[worst])} ({worst})"


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--budget", type=float, default=30, help="of the handshakes, and again of the rates")
    parser.add_argument("--quick", action="store_true", help="10 s each")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.budget = 10
    return arguments


def print_head(arguments, present):
    show.heading("Ratios between libraries, beside those of the trial")
    print(
        f"{len(present)} libraries, {arguments.budget:g} s each for handshakes and rates; ratios to {BASE}.\n"
        "us: of one side for one handshake. here / trial: what the ratio is here, by what it was in the trial.\n",
        flush=True,
    )


def print_handshakes(run, present):
    """Prints client and server; returns how far each ratio of handshakes/s is from that of the trial."""
    ours = {library: sides(run, library) for library in present}
    ours = {library: found for library, found in ours.items() if found}
    if BASE not in ours:
        raise program.Cannot(f"{BASE} has no figure for the handshake")
    base = TRIAL[BASE]
    rows, off = [], {}
    for library, (client, server) in sorted(ours.items(), key=lambda item: sum(item[1])):
        trial = TRIAL[library]
        here = sum(ours[BASE]) / (client + server)
        there = trial.rate / base.rate
        parts = [
            show.deviation(ours[BASE][0] / client / (base.client / trial.client)),
            show.deviation(ours[BASE][1] / server / (base.server / trial.server)),
        ]
        times = map(show.number, (client, trial.client, server, trial.server, here, there))
        rows.append([library, *times, show.deviation(here / there), *parts])
        if library != BASE:
            off[library] = here / there
    head = ["library", "client us", "trial", "server us", "trial", "handshakes/s: ratio", "trial", "here / trial"]
    show.table([*head, "of it the client", "the server"], rows)
    return off


def sides(run, library):
    """Microseconds of client and server, or none."""
    figures = [run.figure(m["id"], side) for m in run.measurements(library=library) for side in ("client", "server")]
    return [figure["value"] / 1000 for figure in figures] if figures and all(figures) else None


def print_rates(run, present):
    """Prints both primitives; returns how far each ratio of the cipher is from that of the trial."""
    ours = {library: [rate(run, library, name) for name in (CIPHER, HASH)] for library in present}
    rows, off = [], {}
    for library, found in ours.items():
        trial = (TRIAL[library].cipher, TRIAL[library].hash)
        cells = []
        for mine, there, base, base_there in zip(found, trial, ours[BASE], (TRIAL[BASE].cipher, TRIAL[BASE].hash)):
            known = mine and base and there
            cells += [show.number(mine), show.number(there or None)]
            cells += [show.number(mine / base if known else None), show.number(there / base_there if known else None)]
        rows.append([library, *cells])
        if library != BASE and found[0] and ours[BASE][0]:
            off[library] = found[0] / ours[BASE][0] / (trial[0] / TRIAL[BASE].cipher)
    print()
    names = [cell for name in (CIPHER, HASH) for cell in (f"{name} MB/s", "trial", "ratio", "trial")]
    show.table(["library", *names], rows)
    return off


def rate(run, library, algorithm):
    """MB/s of the first operation, which encrypts or hashes."""
    operation = "encrypt" if algorithm == CIPHER else "digest"
    for measurement in run.measurements(library=library, algorithm=algorithm, op=operation):
        if figure := run.figure(measurement["id"], "cpu"):
            return SIZE * 1e3 / figure["value"]
    return None


if __name__ == "__main__":
    program.main(bench)
