#!/usr/bin/env python3
"""Is the undisturbed figure of tlstax what an undisturbed machine takes?

The same workers are asked by the protocol for single iterations, 100,000 of each case, each timed by itself, and the lowest
mode of those is held against the figure. An iteration of some 20 to 1,000 us is shorter than most states of a machine, so
even one that is busy most of the time leaves some of them alone. lowest.py says how the mode is found; it has nothing in
common with the estimator in crates/stats.

Half of the iterations come before the run of tlstax and half after it, from several processes each, since processes differ.
tlstax says what a case takes at the usual clock of its run, and the clock of a core may go up and down by some percent
within seconds. So each hundred iterations stand between two readings of a clock that is a case, too: a hash, whose steps
wait for each other. What is held against each other is both at the same clock: the case as a multiple of that hash, here and
in the figures of tlstax. What the clocks did not change is printed beside it.
"""

import argparse
from dataclasses import dataclass, field
from statistics import median

import program
import show
from cases import BULK, DIGEST, ENCRYPT, FULL, PSK, SIGN, VERIFY
from lowest import lowest_mode
from worker import Worker, parts

# The promise.
LIMIT = 0.02

# Iterations of one request, which should see one clock.
REQUEST = 100
WARMUP = 10

# The hash that shows the clock: parts of a reading, and iterations of each.
CLOCK = "openssl"
CLOCK_PARTS, CLOCK_PART = 8, 4

# Two cases of each library, each dear enough to be timed alone.
STUDY = """
name = "modes"
question = "What does it cost undisturbed?"

[[primitive]]
algorithms = ["ecdsa-p256"]
ops = ["verify"]

[[primitive]]
algorithms = ["rsa-2048"]
ops = ["sign"]

[[primitive]]
algorithms = ["aes-128-gcm", "sha256"]
ops = ["encrypt", "digest"]
sizes = [16384]

[[handshake]]
versions = ["TLSv1.3"]
suites = ["TLS_AES_128_GCM_SHA256"]
groups = ["X25519"]
keys = ["ecdsa-p256"]
resumptions = ["full", "psk"]

[[bulk]]
versions = ["TLSv1.3"]
suites = ["TLS_AES_128_GCM_SHA256"]
groups = ["X25519"]
keys = ["ecdsa-p256"]
directions = ["download"]
"""

WANTED = {
    "openssl": (FULL, BULK),
    "rustls-aws-lc": (PSK, BULK),
    "gnutls": (VERIFY, PSK),
    "nss": (VERIFY, BULK),
    "mbedtls": (ENCRYPT, BULK),
    "aws-lc": (SIGN, PSK),
}


@dataclass
class Single:
    """The single iterations of one case by metric, in nanoseconds and as multiples of the hash."""

    case: dict
    costs: dict = field(default_factory=dict)
    levelled: dict = field(default_factory=dict)
    # The lowest mode of each process, of the multiples.
    modes: dict = field(default_factory=dict)

    def name(self):
        words = ("resumption", "algorithm", "op", "size")
        return " ".join(str(self.case[word]) for word in ("kind", *words) if self.case.get(word))

    def ask(self, requests, clock):
        """Some more of them from a process of its own."""
        found = {}
        with Worker(self.case["library"]) as worker:
            worker.prepare(0, self.case)
            before = read(clock)
            for _ in range(requests):
                sample = worker.run(0, REQUEST, part=1, warmup=WARMUP)
                after = read(clock)
                for metric, costs in parts(sample).items():
                    self.costs.setdefault(metric, []).extend(costs)
                    # What disturbs one of the two readings makes it longer.
                    found.setdefault(metric, []).extend(cost / min(before, after) for cost in costs)
                before = after
        if not found:
            raise program.Cannot(f"the worker of {self.case['library']} tells no parts: build it anew")
        for metric, levelled in found.items():
            self.levelled.setdefault(metric, []).extend(levelled)
            self.modes.setdefault(metric, []).append(lowest_mode(levelled))


def read(clock):
    """What the hash takes now, in nanoseconds."""
    sample = clock.run(0, CLOCK_PARTS * CLOCK_PART, part=CLOCK_PART, warmup=CLOCK_PART)
    return median(parts(sample)["cpu"]) / CLOCK_PART


def bench():
    arguments = parse()
    show.heading(f"The undisturbed figure beside the lowest mode of {arguments.iterations} single iterations")
    libraries = [row["id"] for row in program.libraries() if row["id"] in WANTED and not row.get("unavailable")]
    if CLOCK not in libraries:
        raise program.Cannot(f"{CLOCK} is not there, which shows the clock: target/release/tlstax libraries build {CLOCK}")
    missing = [library for library in WANTED if library not in libraries]
    print(f"{', '.join(libraries)}; not there: {', '.join(missing) or 'none'}\n", flush=True)
    with program.scratch() as folder:
        study = folder / "modes.toml"
        study.write_text(STUDY)
        singles = [Single({"library": library, **case}) for library in libraries for case in WANTED[library]]
        requests = max(1, round(arguments.iterations / REQUEST / arguments.processes))
        ask(singles, requests, arguments.processes // 2)
        words = ["measure", study, "--library", ",".join(libraries), "--budget", arguments.budget]
        run = program.measure(folder, "modes", *words)
        ask(singles, requests, arguments.processes - arguments.processes // 2)
    print_verdict(print_cases(singles, run))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=100_000, help="of each case")
    parser.add_argument("--processes", type=int, default=20, help="from which they come")
    parser.add_argument("--budget", type=float, default=60, help="of the run of tlstax, in seconds")
    parser.add_argument("--quick", action="store_true", help="10,000 iterations, 20 s")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.iterations, arguments.processes, arguments.budget = 10_000, 4, 20
    return arguments


def ask(singles, requests, processes):
    """All cases take turns, so that each sees all hours of the machine."""
    for _ in range(processes):
        # The clock is a new process as well: those differ.
        with Worker(CLOCK) as clock:
            clock.prepare(0, {"library": CLOCK, **DIGEST})
            for single in singles:
                single.ask(requests, clock)


def print_cases(singles, run):
    """Prints every case; returns by id how far it is off at worst."""
    hash_of_run = run.figure(identity_of({"library": CLOCK, **DIGEST}, run), "cpu")
    if not hash_of_run:
        raise program.Cannot("tlstax has no figure of the hash that shows the clock: give more time with --budget")
    rows, off = [], {}
    for single in singles:
        identity = identity_of(single.case, run)
        for metric, levelled in single.levelled.items():
            figure, lowest = run.figure(identity, metric), lowest_mode(levelled)
            mode = lowest * hash_of_run["value"] if lowest else None
            as_it_was = lowest_mode(single.costs[metric])
            times = [figure and figure["value"], mode, as_it_was, median(single.costs[metric])]
            ratio = figure["value"] / mode if figure and mode else None
            processes = [one / lowest for one in single.modes[metric] if one and lowest]
            rows.append([
                single.case["library"], single.name(), metric, *(show.number(ns and ns / 1000) for ns in times),
                show.deviation(ratio), show.percent(half_width(figure), 2), reach(processes), figure["basis"] if figure else "no figure",
            ])
            # A side without a figure is a case without one.
            off[identity] = max(off.get(identity, 0), abs(ratio - 1)) if ratio and off.get(identity, 0) is not None else None
    head = ["", "case", "", "tlstax us", "lowest mode", "at any clock", "median", "tlstax / mode", "half width", "modes of processes", "basis"]
    show.table(head, rows)
    return off


def identity_of(case, run):
    """The id that tlstax has given the very case that was asked for here."""
    found = [measurement["id"] for measurement in run.measurements(**case)]
    if len(found) != 1:
        raise program.Cannot(f"the study has {len(found)} cases like {case}, not one")
    return found[0]


def half_width(figure):
    return (figure["high"] - figure["low"]) / 2 / figure["value"] if figure else None


def reach(ratios):
    return show.Right(f"{show.deviation(min(ratios))} to {show.deviation(max(ratios))}" if ratios else "-")


def print_verdict(off):
    known = {identity: value for identity, value in off.items() if value is not None}
    within = sum(value <= LIMIT for value in known.values())
    worst = max(known, key=known.get, default=None)
    said = f", worst {show.percent(known[worst])} ({worst})" if worst else ""
    said += f", {len(off) - len(known)} without a figure" if len(known) < len(off) else ""
    libraries = len({identity.partition("/")[0] for identity in off})
    print(
        f"\n{within} of {len(off)} cases of {libraries} libraries within {show.percent(LIMIT, 0)} of the lowest mode"
        f"{said}: {show.verdict(within == len(off))}"
    )


if __name__ == "__main__":
    program.main(bench)
