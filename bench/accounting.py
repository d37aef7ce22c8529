#!/usr/bin/env python3
"""The books of the handshakes in memory: do the two sides add up to what the thread spent? What does the harness cost?

One thread plays client and server in turn. Each side's part is read off the clock at every turn; the thread's CPU time
is read once around the batch, by the scheduler's own accounting. The two must agree. A batch in which the thread was
preempted has more elapsed time than CPU time, so its sides come out too large: such batches are counted and shown, not
hidden. The control row does the same without crypto: its cost is the harness's own.
"""

import argparse
from dataclasses import dataclass
from statistics import median

import program
import show

# The promise.
LIMIT = 0.02

# Every variable of a handshake takes part; what is not a handshake does not.
STUDY = """
name = "accounting"
question = "Do the two sides add up?"

[[handshake]]
versions = ["TLSv1.3"]
suites = ["TLS_AES_128_GCM_SHA256"]
groups = ["X25519", "secp256r1", "X25519MLKEM768"]
keys = ["ecdsa-p256", "rsa-2048"]
resumptions = ["full", "psk"]

[[handshake]]
versions = ["TLSv1.3"]
suites = ["TLS_AES_256_GCM_SHA384"]
groups = ["X25519"]
keys = ["ecdsa-p256"]
chains = [1, 3]
mutual = [false, true]

[[handshake]]
versions = ["TLSv1.3"]
suites = ["TLS_AES_128_GCM_SHA256"]
groups = ["X25519"]
keys = ["ecdsa-p256"]
resumptions = ["early-data"]

[[handshake]]
versions = ["TLSv1.2"]
suites = [
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
]
groups = ["X25519", "ffdhe2048"]
keys = ["ecdsa-p256", "rsa-2048"]
resumptions = ["full", "session-id", "ticket"]
"""


@dataclass
class Books:
    """One case: in every batch, what the sides sum to as a share of the thread's CPU time; and its cost in ns."""

    library: str
    identity: str
    sums: list
    costs: list

    def off(self):
        return abs(median(self.sums) - 1)


def bench():
    arguments = parse()
    present = [row for row in program.libraries() if not row.get("unavailable")]
    libraries = [row["id"] for row in present if row["hello"]["family"] != "control"]
    if not libraries:
        raise program.Cannot("no library can be measured: target/release/tlstax libraries build")
    show.heading("The two sides of a handshake against the thread's CPU time")
    print(f"{arguments.budget:g} s; libraries {', '.join(libraries)} and the control row\n", flush=True)
    with program.scratch() as folder:
        study = folder / "accounting.toml"
        study.write_text(STUDY)
        words = ["measure", study, "--library", ",".join(libraries), "--budget", arguments.budget]
        run = program.measure(folder, "accounting", *words)
    handshakes = run.measurements(kind="handshake")
    books = [book(m) for m in handshakes if program.batches(m)]
    print_libraries(books, [m for m in handshakes if not program.batches(m)])
    print_control(books)
    print_verdict(books)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--budget", type=float, default=60, help="in seconds")
    parser.add_argument("--quick", action="store_true", help="20 s")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.budget = 20
    return arguments


def book(measurement):
    batches = [b for b in program.batches(measurement) if b["cpu_ns"] > 0]
    return Books(
        measurement["case"]["library"],
        measurement["id"],
        [(b["client_ns"] + b["server_ns"]) / b["cpu_ns"] for b in batches],
        [b["cpu_ns"] / b["iterations"] for b in batches],
    )


def print_libraries(books, holes):
    rows = []
    for library in dict.fromkeys(one.library for one in books):
        mine = [one for one in books if one.library == library]
        sums = [ratio for one in mine for ratio in one.sums]
        worst = max(mine, key=Books.off)
        rows.append([
            library,
            show.Right(len(mine)),
            show.Right(sum(hole["case"]["library"] == library for hole in holes)),
            show.Right(len(sums)),
            show.deviation(median(sums)),
            show.percent(share(sums)),
            show.deviation(median(worst.sums)),
            worst.identity.removeprefix(library + "/handshake/"),
        ])
    head = ["library", "cases", "holes", "batches", "median", "batches within 2 %", "worst case", ""]
    show.table(head, rows)


def share(sums):
    return sum(abs(ratio - 1) <= LIMIT for ratio in sums) / len(sums)


def print_control(books):
    """What the harness costs, and its share of each library's handshakes."""
    control = {one.identity.partition("/")[2]: median(one.costs) for one in books if one.library == "control"}
    shares = {}
    for one in books:
        bare = control.get(one.identity.partition("/")[2])
        if bare and one.library != "control":
            shares.setdefault(one.library, []).append(bare / median(one.costs))
    if not control:
        print("\nno control row")
        return
    bare = show.spread([ns / 1000 for ns in control.values()])
    print(f"\ncontrol row: {bare} us a handshake; as a share of the same case of")
    for library, found in shares.items():
        print(f"  {library}: {show.spread(found, lambda value: show.percent(value, 2))}")


def print_verdict(books):
    real = [one for one in books if one.library != "control"]
    sums = [ratio for one in real for ratio in one.sums]
    within = sum(one.off() <= LIMIT for one in real)
    worst = max(real, key=Books.off)
    control = [one for one in books if one.library == "control"]
    middle = show.deviation(median(median(one.sums) for one in real))
    print(
        f"\nsum of the sides against the thread's CPU time, medians over batches: median over cases {middle}, "
        f"worst {show.deviation(median(worst.sums))} ({worst.identity}); "
        f"{within} of {len(real)} cases within 2 %: {show.verdict(within == len(real))}; "
        f"{show.percent(share(sums))} of the batches; control row {'printed' if control else 'missing'}"
    )


if __name__ == "__main__":
    program.main(bench)
