#!/usr/bin/env python3
"""The lean client against its peers, on the same nginx in the same minutes: what does it cost, does it saturate the server, and does
the server notice?

Windows of all clients take turns in shuffled order, round by round; a ratio is taken within a round, and the median and the range over
rounds are printed. CPU time is that of the client's process, start-up included where a client is a program;
its windows are chosen so that this hardly shows. The server's CPU time comes from the scheduler's account of nginx' processes, and
independently from its control group.
"""

import argparse
import os
import threading
from pathlib import Path
from statistics import median

import program
import show

# The promises: our cost as a share of the named client's, or of the best of several.
HANDSHAKES = {"wrk": 1 / 10, "oha": 0.35}
SMALL, LARGE, BULK = 0.6, 0.35, 0.25
BUSY = 0.97
ACCOUNTS = 0.01
UNCHANGED = 0.05
MEMORY = 200e6

# Seconds for a case that is compared with nothing.
SHORT = 8

ECDSA = ["--suite", "TLS_AES_128_GCM_SHA256", "--group", "X25519", "--key", "ecdsa-p256", "--tls", "TLSv1.3", "--no-plain"]


def bench():
    arguments = parse()
    with program.scratch() as folder:
        bench_of = Bench(folder, 40 if arguments.quick else arguments.budget)
        parts = {
            "handshakes": bench_of.handshakes,
            "small": lambda: bench_of.keep_alive(1024, "Keep-alive, 1 KB over HTTPS", SMALL),
            "large": lambda: bench_of.keep_alive(1 << 20, "Keep-alive, 1 MB over HTTPS", LARGE),
            "bulk": bench_of.bulk,
            "unchanged": bench_of.unchanged,
            "libraries": bench_of.libraries,
            "crowd": lambda: bench_of.crowd(arguments.crowd),
        }
        for name in arguments.only.split(",") if arguments.only else parts:
            parts[name]()
        bench_of.last_lines()


class Bench:
    """All rounds of all comparisons, and what became of the promises."""

    def __init__(self, folder, budget):
        self.folder, self.budget = folder, budget
        self.lines = []
        self.accounts = []

    def run(self, name, budget, *words):
        run = program.measure(self.folder, name, "load", *words, "--budget", f"{budget:g}s")
        for measurement in run.results["measurements"]:
            if program.hole(measurement):
                print(f"  {measurement['id']}: {program.hole(measurement)}", flush=True)
            self.accounts.extend(account(batch) for batch in program.batches(measurement) if account(batch) is not None)
        return run

    def rounds_of(self, name, *words):
        """For each round of windows, the cases by client, each with its window of that round."""
        run = self.run(name, self.budget, *words)
        found = {m["case"]["client"]: m for m in run.results["measurements"] if program.batches(m)}
        rounds = min((len(program.batches(m)) for m in found.values()), default=0)
        print(f"  {rounds} rounds", flush=True)
        return [{client: window(m, number) for client, m in found.items()} for number in range(rounds)]

    def promise(self, what, values, limit, form=show.number):
        """Prints a figure beside its promise: at most `limit`."""
        if not values:
            self.lines.append(f"{what}: no figure")
            return
        met = show.verdict(median(values) <= limit)
        self.lines.append(f"{what}: {show.spread(values, form)}, at most {form(limit).strip()}: {met}")
        print(f"  {self.lines[-1]}", flush=True)

    def handshakes(self):
        show.heading("Full TLS 1.3 handshakes on nginx, ECDSA P-256, one core each side: CPU time of the client for one")
        words = ["-l", "nginx", "--requests", "1", "--body", "1024", "--connections", "16", *ECDSA]
        rounds = self.rounds_of("handshakes", "--client", "lean,wrk,oha,h2load,ab", *words)
        self.table(rounds)
        for peer, limit in HANDSHAKES.items():
            self.promise(f"handshake, lean / {peer}", ratios(rounds, "lean", [peer]), limit)
        busy = [1 - busy_share(cases["lean"]) for cases in rounds if "lean" in cases]
        self.promise("handshake, idle time of the server's core", busy, 1 - BUSY, show.percent)

    def keep_alive(self, body, title, limit):
        show.heading(f"{title}: CPU time of the client for one request")
        words = ["-l", "nginx", "--body", str(body), "--connections", "16", *ECDSA]
        rounds = self.rounds_of(f"keep-{body}", "--client", "lean,wrk,h2load,oha", *words)
        self.table(rounds)
        self.promise(f"{title}: lean / best of wrk, h2load, oha", ratios(rounds, "lean", ["wrk", "h2load", "oha"]), limit)

    def bulk(self):
        show.heading("One large file over HTTPS (256 MiB): CPU time of the client for one")
        words = ["-l", "nginx", "--body", str(256 << 20), "--connections", "1", *ECDSA]
        rounds = self.rounds_of("bulk", "--client", "lean,curl", *words)
        self.table(rounds)
        self.promise("bulk, lean / curl", ratios(rounds, "lean", ["curl"]), BULK)

    def unchanged(self):
        show.heading("CPU time of the server for one handshake, seen through the lean and through a full client")
        words = ["-l", "nginx", "--requests", "1", "--body", "1024", "--connections", "16", *ECDSA]
        rounds = self.rounds_of("unchanged", "--client", "lean,rustls-aws-lc,openssl", *words)
        self.table(rounds)
        for full in ("rustls-aws-lc", "openssl"):
            values = [server_cost(cases["lean"]) / server_cost(cases[full]) for cases in rounds if {"lean", full} <= cases.keys()]
            if values:
                off = abs(median(values) - 1)
                print(f"  through lean as a share of {full}: {show.spread(values)}")
                self.promise(f"server's cost through lean against {full}, difference of the median", [off], UNCHANGED, show.percent)

    def libraries(self):
        show.heading("The embedded server with each library: is one client core enough?")
        present = [row["id"] for row in program.libraries() if not row.get("unavailable") and row["hello"]["versions"]]
        idle = []
        rows = []
        for library in present:
            if library in ("control", "lean"):
                continue
            try:
                run = self.run(f"library-{library}", SHORT, "-l", library, "--client", "lean", "--requests", "1", "--body", "1024", *ECDSA)
            except program.Cannot as reason:
                # A virtual machine takes longer than this to warm up.
                print(f"  {library}: {str(reason).splitlines()[0]}", flush=True)
                continue
            for measurement in filter(program.batches, run.results["measurements"]):
                share = busy_share(measurement)
                idle.append(1 - share)
                rows.append([library, show.percent(share), show.number(client_cost(measurement) / 1e3),
                             show.number(server_cost(measurement) / 1e3)])
        show.table(["library", "server busy", "client us", "server us"], rows)
        self.promise("idle time of a saturated server, every library", [max(idle)] if idle else [], 0.05, show.percent)

    def crowd(self, connections):
        show.heading(f"{connections} connections held by one core")
        peak = Peak("lean")
        with peak:
            run = self.run("crowd", 45, "-l", "nginx", "--client", "lean", "--connections", str(connections), "--body", "1", *ECDSA)
        found = [m for m in run.results["measurements"] if program.batches(m)]
        # What was prepared made a handshake for each connection; one that a window had to open anew was lost before.
        lost = found[0]["outcome"]["proof"]["handshakes"] - connections if found else connections
        if found:
            print(f"  resident set of the client: {peak.bytes / 1e6:.0f} MB; requests on them: "
                  f"{sum(b['iterations'] for b in program.batches(found[0]))}")
            self.promise(f"memory of {connections} connections in MB", [peak.bytes / 1e6], MEMORY / 1e6)
        self.promise(f"connections lost of {connections}", [float(lost)], 0)

    def table(self, rounds):
        clients = list(dict.fromkeys(client for cases in rounds for client in cases))
        rows = []
        for client in clients:
            of = [cases[client] for cases in rounds if client in cases]
            rows.append([client, show.spread([client_cost(m) / 1e3 for m in of]), show.spread([server_cost(m) / 1e3 for m in of]),
                         show.spread([busy_share(m) for m in of], show.percent)])
        show.table(["client", "client us", "server us", "server busy"], rows)

    def last_lines(self):
        if self.accounts:
            off = [abs(share - 1) for share in self.accounts]
            self.promise("server's CPU time, control group against scheduler, median difference", [median(off)], ACCOUNTS, show.percent)
            print(f"  the worst window of {len(off)}: {show.percent(max(off)).strip()}")
        show.heading("Promises")
        for line in self.lines:
            print(line)


class Peak:
    """The largest resident set of a worker while something runs."""

    def __init__(self, name):
        self.name, self.bytes, self.over = name, 0, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def watch(self):
        while not self.over.wait(0.05):
            for pid in filter(str.isdigit, os.listdir("/proc")):
                self.bytes = max(self.bytes, self.resident(Path("/proc") / pid))

    def resident(self, process):
        try:
            if os.path.basename(os.readlink(process / "exe")) != self.name:
                return 0
            return int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            return 0

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def window(measurement, number):
    """A measurement of one window."""
    return {**measurement, "outcome": {**measurement["outcome"], "batches": [program.batches(measurement)[number]]}}


def account(batch):
    """The control group's account of the server as a share of the scheduler's."""
    seen, server = batch.get("observed_server_ns"), batch.get("server_ns")
    return seen / server if seen and server else None


def per_request(measurement, field):
    """The median over windows: on a shared machine a mean is the mean of its neighbours."""
    return median(batch[field] / batch["iterations"] for batch in program.batches(measurement))


def client_cost(measurement):
    return per_request(measurement, "client_ns")


def server_cost(measurement):
    return per_request(measurement, "server_ns")


def busy_share(measurement):
    return median(batch["server_ns"] / batch["wall_ns"] for batch in program.batches(measurement))


def ratios(rounds, ours, theirs):
    """Our cost by that of the best of theirs, round by round."""
    found = []
    for cases in rounds:
        costs = [client_cost(cases[peer]) for peer in theirs if peer in cases]
        if costs and ours in cases:
            found.append(client_cost(cases[ours]) / min(costs))
    return found


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=90, help="seconds for one comparison (90)")
    parser.add_argument("--crowd", type=int, default=10_000, help="connections to be held at once (10000)")
    parser.add_argument("--only", default="", help="of handshakes, small, large, bulk, unchanged, libraries, crowd: these, with commas")
    parser.add_argument("--quick", action="store_true", help="40 seconds for each: figures that say less")
    return parser.parse_args()


if __name__ == "__main__":
    program.main(bench)
