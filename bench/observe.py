#!/usr/bin/env python3
"""Two questions to `tlstax observe` on nginx under load: what does observing cost it, and is the share of TLS that samples show what
TLS adds to plain HTTP?

Overhead: the same load with and without `--observe`, in turns; CPU time of the server for a request, by the account that the loads
have of it anyway. Share: loads of HTTP and HTTPS in one run give what TLS adds, with plain HTTP sent through the process as TLS has to
(no sendfile); a run of HTTPS alone is observed in turn with them. What samples call TLS is work of the library; what TLS adds has also
what the kernel and nginx do more or less because of it, so that the two are apart by as much.
"""

import argparse
from statistics import median

import program
import show

# The promises.
OVERHEAD = 0.01
POINTS = 2.0

KINDS = {
    "a handshake for each request, 1 KiB": ["--requests", "1", "--body", "1024"],
    "kept connections, 1 KiB": ["--body", "1024"],
    "kept connections, 100 KiB": ["--body", "102400"],
}
COMMON = ["-l", "nginx", "--suite", "TLS_AES_128_GCM_SHA256", "--group", "X25519", "--key", "ecdsa-p256", "--tls", "TLSv1.3"]
COMMON += ["--connections", "16"]


def bench():
    arguments = parse()
    with program.scratch() as folder:
        runs = Runs(folder, arguments.seconds)
        for kind, words in KINDS.items():
            show.heading(kind)
            print(overhead(runs, words, arguments.rounds), flush=True)
            print(share(runs, words, arguments.rounds), flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=12, help="of each run")
    parser.add_argument("--quick", action="store_true", help="two rounds")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds = 2
    return arguments


class Runs:
    def __init__(self, folder, seconds):
        self.folder, self.seconds = folder, seconds

    def load(self, words, *more):
        """A run, and its profile if it was observed."""
        run = program.measure(self.folder, "run", "load", *COMMON, *words, *more, "--budget", f"{self.seconds}s")
        path = self.folder / "run.profile.json"
        profile = program.json.loads(path.read_text()) if path.exists() else None
        path.unlink(missing_ok=True)
        return run, profile


def server_cost(run, has_tls):
    """Nanoseconds of the server for a request: the median over windows."""
    is_meant = (lambda case: "version" in case) if has_tls else (lambda case: case.get("sendfile") is False)
    found = [m for m in run.results["measurements"] if is_meant(m["case"]) and program.batches(m)]
    if not found:
        raise program.Cannot("a run has no figure: " + "; ".join(map(program.hole, run.results["measurements"])))
    return median(batch["server_ns"] / batch["iterations"] for batch in program.batches(found[0]))


def overhead(runs, words, rounds):
    ratios = []
    for _ in range(rounds):
        without = server_cost(runs.load(words, "--no-plain")[0], True)
        observed = server_cost(runs.load(words, "--no-plain", "--observe")[0], True)
        ratios.append(observed / without)
    off = median(ratios) - 1
    reach = f"{show.deviation(min(ratios))} to {show.deviation(max(ratios))}".replace("  ", " ")
    line = f"observing makes a request {off * 100:+.2f} % dearer ({reach}), asked {show.percent(OVERHEAD, 0)}: "
    return line + show.verdict(off <= OVERHEAD)


TLS_ENDS = {"socket", "softirq", "kernel", "http2", "compression", "cryptography", "application", "unknown"}


def tls_share(profile):
    weights = [(stack["weight"], stack["cost"] not in TLS_ENDS) for stack in profile["stacks"]]
    return sum(weight for weight, is_tls in weights if is_tls) / sum(weight for weight, _ in weights) * 100


def share(runs, words, rounds):
    added, sampled = [], []
    for _ in range(rounds):
        run, _ = runs.load(words, "--sendfile", "true,false")
        https, http = server_cost(run, True), server_cost(run, False)
        added.append((https - http) / https * 100)
        _, profile = runs.load(words, "--no-plain", "--observe")
        if profile is None:
            raise program.Cannot("nothing was sampled: see tlstax observe --help for who may")
        sampled.append(tls_share(profile))
    apart = median(sampled) - median(added)
    line = f"TLS is {show.spread(sampled)} % by samples, and adds {show.spread(added)} %: {apart:+.1f} points, asked {POINTS:g}: "
    return line + show.verdict(abs(apart) <= POINTS)


if __name__ == "__main__":
    program.main(bench)
