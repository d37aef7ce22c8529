#!/usr/bin/env python3
"""The same library measured by tlstax and by the benchmark program of its own people.

rustls-bench and openssl-bench time client and server apart, in memory, as tlstax does. They run in turns on the same
core, half of theirs before ours and half after, and the ratio is taken within such a turn: at the same time on one core
they would double each other's figures, which are elapsed time. Ratios are those of means over all that was timed, on
both sides, noisy moments included. The headline figure of tlstax, of quiet moments only, stands beside them.

The programs are built here, over the same libraries as our workers, with our certificates. Where they time something
else than tlstax, or set up something else, their copy is changed before it is built: changes.py has the list. With
--unchanged they are as their authors have them.
"""

import argparse
import os
import random
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median

import harnesses
import program
import show
from harnesses import Case

# The promise.
LIMIT = 0.05

ECDHE_ECDSA = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
ECDHE_RSA = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
AES_128, AES_256 = "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"

# What both programs of theirs have, rustls-bench being the one with a fixed list of suites and keys.
CASES = [
    Case("TLSv1.3", AES_128, "ecdsa-p256", "full"),
    Case("TLSv1.3", AES_128, "rsa-2048", "full"),
    Case("TLSv1.2", ECDHE_ECDSA, "ecdsa-p256", "full"),
    Case("TLSv1.2", ECDHE_RSA, "rsa-2048", "full"),
    Case("TLSv1.3", AES_128, "ecdsa-p256", "psk"),
    Case("TLSv1.2", ECDHE_ECDSA, "ecdsa-p256", "ticket"),
    Case("TLSv1.2", ECDHE_ECDSA, "ecdsa-p256", "session-id"),
    Case("TLSv1.3", AES_128, "ecdsa-p256"),
    Case("TLSv1.3", AES_256, "ecdsa-p256"),
]

SIDES = ("client", "server")

# How much they do at a multiplier of 1: handshakes, resumptions, bytes. And the one to begin with.
WORK = {"full": 512, "": 2**30}
RESUMPTIONS = 4096
TRIAL = 0.05
# Of application data, in bytes; harnesses.py gives the same to theirs.
BUFFER = 16384


@dataclass
class Found:
    """What the rounds gave for one side of one case, in nanoseconds for a handshake or for a byte."""

    theirs: list = field(default_factory=list)
    ours: list = field(default_factory=list)
    headline: list = field(default_factory=list)

    def ratios(self):
        """Rates of ours by rates of theirs."""
        return [theirs / ours for ours, theirs in zip(self.ours, self.theirs)]


def bench():
    arguments = parse()
    peers = build(arguments)
    if not peers:
        raise program.Cannot("none of the libraries is there: target/release/tlstax libraries build")
    pairs = [(library, case) for library in peers for case in CASES]
    print_head(arguments, peers)
    found = {(library, case, side): Found() for library, case in pairs for side in SIDES}
    halves = {(library, case): multiplier(peers[library], case, arguments.seconds / 2) for library, case in pairs}
    order = random.Random(arguments.seed)
    with program.scratch() as folder:
        for _ in range(arguments.rounds):
            order.shuffle(pairs)
            for library, case in pairs:
                one_after_the_other(
                    partial(peers[library].run, case, halves[library, case]),
                    partial(measure, folder, library, case, peers[library], arguments.budget),
                    [found[library, case, side] for side in SIDES],
                )
    print_cases(found)
    print_verdict(found)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", default="rustls-aws-lc,openssl,openssl-3.6", help="only these, with commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.8, help="of each run of theirs")
    parser.add_argument("--budget", type=float, default=2, help="of each run of tlstax; half goes to the control row")
    parser.add_argument("--seed", type=int, default=1, help="of the order of cases")
    parser.add_argument("--rustls", type=Path, metavar="DIR", help="a repository of rustls; cloned if absent")
    parser.add_argument("--openssl-bench", type=Path, metavar="DIR", help="one of openssl-bench; cloned if absent")
    parser.add_argument("--prefix", type=Path, help="where OpenSSL 3.6 is installed; found in the cache if absent")
    parser.add_argument("--unchanged", action="store_true", help="their programs as their authors have them")
    parser.add_argument("--quick", action="store_true", help="two short rounds")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seconds, arguments.budget = 2, 0.3, 1
    return arguments


def build(arguments):
    """Their programs by the libraries that are there and wanted."""
    wanted = arguments.library.split(",")
    present = {row["id"]: row["hello"] for row in program.libraries() if not row.get("unavailable")}
    peers = {}
    for library in wanted:
        if library not in present:
            print(f"{library} is not there: target/release/tlstax libraries build {library}")
        else:
            peers[library] = harness(library, present[library]["version"], arguments)
    return peers


def harness(library, version, arguments):
    print(f"building the program beside {version}", flush=True)
    if library.startswith("rustls"):
        repository = harnesses.source(arguments.rustls, harnesses.RUSTLS_URL)
        return harnesses.rustls(repository, version, arguments.unchanged)
    repository = harnesses.source(arguments.openssl_bench, harnesses.OPENSSL_URL)
    prefix = None if library == "openssl" else arguments.prefix or cached(library)
    return harnesses.openssl(repository, prefix, version, arguments.unchanged)


def cached(library):
    """Where `tlstax libraries build` has put a library that it built."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tlstax"
    cache = Path(os.environ.get("TLSTAX_CACHE") or usual)
    found = sorted(cache.glob(f"libraries/{library}-????????????????/prefix"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise program.Cannot(f"{cache} has no {library}; name its install prefix with --prefix")
    return found[-1]


def multiplier(harness, case, seconds):
    """With which theirs takes about so long."""
    client, server = harness.run(case, TRIAL)
    return seconds * 1e9 / (client + server) / WORK.get(case.resumption, RESUMPTIONS)


def one_after_the_other(theirs, ours, found):
    """Half of theirs, ours, the other half of theirs: a machine that becomes slower meanwhile does so for both."""
    before, mine, after = theirs(), ours(), theirs()
    for one, ns, headline, halves in zip(found, *mine, zip(before, after)):
        one.theirs.append(sum(halves) / 2)
        one.ours.append(ns)
        one.headline.append(headline)


def measure(folder, library, case, harness, budget):
    """The same by tlstax: nanoseconds of client and server, means over everything, and the headline figures."""
    words = ["--library", library, "--tls", case.version, "--suite", case.suite, "--key", case.key]
    words += ["--group", harness.group if case.version == "TLSv1.3" else "X25519"]
    # A precision that is never reached: it goes on until the budget is spent.
    words += ["--budget", f"{budget}s", "--precision", "0.001"]
    if case.resumption:
        words = ["handshake", "--resumption", case.resumption, "--chain", "2", *words]
    else:
        words = ["bulk", "--direction", "download", "--write", BUFFER, "--buffer", BUFFER, *words]
    run = program.measure(folder, "peer", *words)
    (measurement,) = run.measurements(library=library)
    batches = program.batches(measurement)
    if not batches:
        print(f"{measurement['id']}: {program.hole(measurement)}")
        return [], []
    # Elapsed time, as theirs; a batch that was kept from the core would charge that to one side.
    batches = [batch for batch in batches if undisturbed(batch)] or batches
    unit = "iterations" if case.resumption else "bytes"
    amount = sum(batch[unit] for batch in batches)
    sides = [sum(batch[f"{side}_ns"] for batch in batches) / amount for side in SIDES]
    figures = [run.figure(measurement["id"], side) for side in SIDES]
    each = 1 if case.resumption else BUFFER
    return sides, [figure and figure["value"] / each for figure in figures]


def undisturbed(batch):
    """Whether the thread had the core for as long as the sides took."""
    return batch["cpu_ns"] >= 0.98 * (batch["client_ns"] + batch["server_ns"])


def print_head(arguments, peers):
    show.heading("tlstax beside rustls-bench and openssl-bench")
    how = "as their authors have them" if arguments.unchanged else "changed where they time something else"
    print(
        "\n".join(harness.name for harness in peers.values()) + f"\n{how}; our certificates, a chain of 2.\n"
        f"{arguments.rounds} rounds on CPU {program.measuring_core()}: half of theirs, {arguments.seconds:g} s in all, "
        f"tlstax with {arguments.budget:g} s, the other half.\n"
        "handshakes/s or MB/s (10^6) of one side, median [range] over rounds, means over the whole of each.\n"
        "ratio: tlstax / theirs within rounds, its median and range. headline: what tlstax prints (quiet moments).\n",
        flush=True,
    )


def print_cases(found):
    head = ["library", "version", "key", "what", "side", "theirs", "tlstax", "ratio", "range", "headline"]
    show.table(head, [row(*key, one) for key, one in found.items() if one.ours])


def row(library, case, side, found):
    what = case.resumption or ("AES-128" if case.suite == AES_128 else "AES-256") + "-GCM, 16 KiB"
    unit = 1e9 if case.resumption else 1e3
    rates = [[unit / ns for ns in values] for values in (found.theirs, found.ours)]
    headlines = [unit / ns for ns in found.headline if ns]
    ratios = found.ratios()
    reach = show.Right(f"{show.deviation(min(ratios))} to {show.deviation(max(ratios))}")
    figures = [*map(show.spread, rates), show.deviation(median(ratios)), reach]
    name = side if case.resumption else {"client": "receiver", "server": "sender"}[side]
    headline = show.number(median(headlines) if headlines else None)
    return [library, case.version, case.key, what, name, *figures, headline]


def print_verdict(found):
    off = {key: median(one.ratios()) - 1 for key, one in found.items() if one.ours}
    within = sum(abs(value) <= LIMIT for value in off.values())
    if not off:
        raise program.Cannot("no case has a figure")
    library, case, side = worst = max(off, key=lambda key: abs(off[key]))
    name = f"{library} {case.version} {case.key} {case.resumption or 'bulk'} {side}"
    missing = f"; {len(found) - len(off)} without a figure" if len(off) < len(found) else ""
    print(
        f"\n{within} of {len(off)} within {LIMIT * 100:.0f} %, "
        f"worst {show.deviation(off[worst] + 1)} ({name}){missing}: {show.verdict(within == len(off))}"
    )


if __name__ == "__main__":
    program.main(bench)
