#!/usr/bin/env python3
"""Two questions to `tlstax observe` on nginx under load: what does observing cost it, and does what samples say of TLS account for what
HTTPS adds to plain HTTP?

Overhead: the same load with and without `tlstax observe` beside it, in turns; CPU time of the server for a request, by the account that
the loads have of it anyway.

Account: HTTP and HTTPS are loaded and observed in turns, HTTP without sendfile, since TLS has to send files through the process. The CPU
time of a request by samples is split by what it is for, and each part of HTTP is taken from that of HTTPS. The parts add up to what
HTTPS adds by samples; by the kernel's account it must be the same, within 2 points of the cost of HTTPS. So one sees by name how much of
what HTTPS adds is TLS, and how much the kernel and nginx do more because of it.
"""

import argparse
from statistics import median

import profiles
import program
import show
from nginx import Nginx

# The promises.
OVERHEAD = 0.01
POINTS = 2.0

KINDS = {
    "a handshake for each request, 1 KiB": ["--requests", "1", "--path", "/small"],
    "kept connections, 1 KiB": ["--path", "/small"],
    "kept connections, 100 KiB": ["--path", "/large"],
}
KEY, TLS = "ecdsa-p256", ["--suite", "TLS_AES_128_GCM_SHA256", "--group", "X25519", "--tls", "TLSv1.3"]

# Parts of the account that are no row of their own below this share of the cost of HTTPS.
SMALL = 0.005


def bench():
    arguments = parse()
    with program.scratch() as folder, Servers(folder, arguments.seconds) as servers:
        for kind, words in KINDS.items():
            show.heading(kind)
            if not arguments.account:
                print(overhead(servers, words, arguments.rounds), flush=True)
            account(servers, words, arguments.rounds)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=12, help="of each run")
    parser.add_argument("--account", action="store_true", help="the account alone")
    parser.add_argument("--quick", action="store_true", help="two rounds")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds = 2
    return arguments


class Servers:
    """One nginx of HTTP and one of HTTPS, each with one worker on the measuring core."""

    def __init__(self, folder, seconds):
        self.folder, self.seconds = folder, seconds
        self.http, self.https = Nginx(folder, 18450), Nginx(folder, 18451, KEY)

    def __enter__(self):
        self.http.__enter__()
        self.https.__enter__()
        return self

    def __exit__(self, *why):
        self.http.__exit__(*why)
        self.https.__exit__(*why)

    def load_http(self, words):
        return self.http.load(self.folder, words, self.seconds)

    def load_https(self, words, is_observed=True):
        return self.https.load(self.folder, [*words, *TLS], self.seconds, is_observed)


def server_cost(results):
    """Nanoseconds of the server for a request: the median over windows."""
    found = [m for m in results["measurements"] if program.batches(m)]
    if not found:
        raise program.Cannot("a load has no figure: " + "; ".join(map(program.hole, results["measurements"])))
    return median(batch["server_ns"] / batch["iterations"] for batch in program.batches(found[0]))


def overhead(servers, words, rounds):
    ratios = []
    for _ in range(rounds):
        without = server_cost(servers.load_https(words, is_observed=False)[0])
        observed = server_cost(servers.load_https(words)[0])
        ratios.append(observed / without)
    off = median(ratios) - 1
    reach = f"{show.deviation(min(ratios))} to {show.deviation(max(ratios))}".replace("  ", " ")
    line = f"observing makes a request {off * 100:+.2f} % dearer ({reach}), asked {show.percent(OVERHEAD, 0)}: "
    return line + show.verdict(off <= OVERHEAD)


class Side:
    """What a request costs by one observed load: by the kernel's account, and by samples, part by part."""

    def __init__(self, results, profile):
        self.account = server_cost(results)
        # How much of a request a sample stands for: by the kernel's account of the server in the time of the capture.
        scale = self.account * (profiles.sampled_by_account(profile) or 1.0) / profiles.total(profile)
        self.parts = {name: weight * scale for name, weight in profiles.summed(profile, part_of).items()}


def part_of(profile, stack):
    """The group of a stack and its name in the group."""
    cost = stack["cost"]
    if cost not in profiles.NOT_TLS:
        return "TLS", cost
    if cost == "application" and profiles.is_in_c_library(profile, stack):
        return "C library outside of TLS", ""
    if cost in ("kernel", "socket"):
        return {"kernel": "other kernel work", "socket": "sockets in the kernel"}[cost], short(stack["evidence"]["what"])
    return cost, ""


def short(name):
    for prefix in ("__x64_sys_", "__arm64_sys_", "__do_sys_", "__sys_"):
        name = name.removeprefix(prefix)
    return name


def account(servers, words, rounds):
    pairs = []
    for _ in range(rounds):
        http = Side(*servers.load_http(words))
        pairs.append((http, Side(*servers.load_https(words))))
    whole = median(https.account for _, https in pairs)
    show.table(["what", "HTTP, us", "HTTPS, us", "added, us", "% of HTTPS"], rows(pairs, whole))
    added = [(https.account - http.account) / https.account * 100 for http, https in pairs]
    sampled = [(sum(https.parts.values()) - sum(http.parts.values())) / https.account * 100 for http, https in pairs]
    tls = [sum(part_sums(https, "TLS")) / https.account * 100 for _, https in pairs]
    apart = median(one - other for one, other in zip(sampled, added))
    rest = [one - other for one, other in zip(sampled, tls)]
    print(f"HTTPS adds {show.spread(added)} % of its cost by the kernel's account: TLS is {show.spread(tls)} %, and {show.spread(rest)} % is elsewhere, by name above")
    print(
        f"it adds {show.spread(sampled)} % by samples of both: {apart:+.1f} points, asked {POINTS:g}: {show.verdict(abs(apart) <= POINTS)}",
        flush=True,
    )


def part_sums(side, group):
    return [ns for (of, _), ns in side.parts.items() if of == group]


def rows(pairs, whole):
    """A row for each group, and below it the parts that matter; the groups add up."""
    keys = {key for pair in pairs for side in pair for key in side.parts}
    table = []
    for group in sorted({group for group, _ in keys}, key=lambda group: (group != "TLS", group)):
        table.append(row(group, pairs, whole, lambda side, group=group: sum(part_sums(side, group))))
        inner = sorted(key for key in keys if key[0] == group and key[1])
        below = [row(f"  {key[1]}", pairs, whole, lambda side, key=key: side.parts.get(key, 0.0)) for key in inner]
        table += sorted((one for one in below if one), key=lambda one: -float(one[3]))
    table.append(row("by samples", pairs, whole, lambda side: sum(side.parts.values())))
    table.append(row("by the kernel's account", pairs, whole, lambda side: side.account))
    return [one for one in table if one]


def row(name, pairs, whole, value):
    """Medians over the rounds, microseconds; nothing if it adds next to nothing."""
    http, https = (median(value(pair[side]) for pair in pairs) for side in (0, 1))
    added = median(value(https) - value(http) for http, https in pairs)
    if abs(added) < SMALL * whole:
        return None
    cells = [f"{ns / 1000:.2f}" for ns in (http, https, added)]
    return [name, *map(show.Right, cells), show.Right(f"{added / whole * 100:+.1f}")]


if __name__ == "__main__":
    program.main(bench)
