#!/usr/bin/env python3
"""What `tlstax compare` says of two runs of one build, and of a slowdown that was put there.

Twice the same: a study of real libraries is run in pairs; whatever is called faster or slower is a false alarm.
Planted: a scripted worker on a made-up noisy machine, once as it is, once with one case a little slower and once
again without; many seeds. The script's figures go the whole way through the program: rounds, gate, documents, compare.
"""

import argparse
import json
import os
import random
from statistics import median

import program
import show

# The promises: false alarms per case, and slowdowns found per run.
FALSE = 0.01
FOUND = 0.95

STUDY = """
name = "repeat"
question = "Does the same come out twice?"

[[primitive]]
algorithms = ["aes-128-gcm", "aes-256-gcm", "chacha20-poly1305", "sha256", "sha384", "hmac-sha256"]
ops = ["encrypt", "digest", "mac"]
sizes = [64, 1350, 16384]

[[primitive]]
algorithms = ["rsa-2048", "ecdsa-p256", "ed25519", "ecdh-p256", "x25519"]

[[handshake]]
versions = ["TLSv1.3"]
suites = ["TLS_AES_128_GCM_SHA256"]
groups = ["X25519", "secp256r1"]
keys = ["ecdsa-p256", "rsa-2048"]
resumptions = ["full", "psk"]

[[handshake]]
versions = ["TLSv1.2"]
suites = ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"]
groups = ["X25519"]
keys = ["ecdsa-p256", "rsa-2048"]
resumptions = ["full", "ticket"]
"""

# Cases of the scripted study, one of which is slowed in each run: cheap and dear ones.
SCRIPTED = ["aes-128-gcm/encrypt/1350", "sha256/digest/16384", "rsa-2048/sign", "ecdsa-p256/verify", "x25519/derive"]
SCRIPTED_STUDY = """
name = "planted"
question = "Is a small slowdown seen?"

[[primitive]]
algorithms = ["aes-128-gcm", "sha256"]
ops = ["encrypt", "digest"]
sizes = [64, 1350, 16384]

[[primitive]]
algorithms = ["rsa-2048", "ecdsa-p256", "ed25519", "x25519"]
"""

# A machine like the one that the method was tried on: quiet for most of the time, a neighbour that comes and goes.
NOISE = {"jitter": 0.004, "drift": 0.01, "busy": 0.3, "busy_slowdown": 0.4, "busy_length": 20}

REGISTRY = """
[[library]]
id = "scripted"
about = "a worker that plays a script"
default = true
program = [{program}, "script", {script}]
"""

CHANGED = ("faster", "slower")


def bench():
    arguments = parse()
    with program.scratch() as folder:
        same = twice_the_same(folder, arguments)
        planted = planted_slowdowns(folder, arguments)
    print(f"\n{same}; {planted}")


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="pairs of runs of the real study")
    parser.add_argument("--budget", type=float, default=25, help="of each real run, in seconds")
    parser.add_argument("--seeds", type=int, default=100, help="runs of the scripted study with a slowdown")
    parser.add_argument("--factor", type=float, default=1.03, help="the slowdown")
    parser.add_argument("--quick", action="store_true", help="one pair, 20 seeds")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seeds = 1, 20
    return arguments


# ---- the same twice ----


def twice_the_same(folder, arguments):
    study = folder / "repeat.toml"
    study.write_text(STUDY)
    show.heading("The same study twice")
    rows, changed, cases = [], 0, 0
    for pair in range(arguments.rounds):
        old, new = (real_run(folder, f"{pair}-{side}", study, arguments.budget) for side in ("old", "new"))
        figures = program.compare(old, new)
        wrong = {row["id"] for row in figures if row["verdict"] in CHANGED}
        changed, cases = changed + len(wrong), cases + len({row["id"] for row in figures})
        rows.append([f"pair {pair + 1}", *counts(figures), show.percent(half_width(figures))])
        for row in figures:
            if row["verdict"] in CHANGED:
                print(f"pair {pair + 1}: {row['id']} ({row['metric']}) {row['verdict']}: {ratio(row)}")
    show.table(["", "figures", "same", "cannot tell", "faster", "slower", "half width"], rows)
    if not cases:
        raise program.Cannot("the two runs have no case in common")
    return (
        f"twice the same: {changed} of {cases} cases called changed ({show.percent(changed / cases)}), "
        f"asked at most 1 in 100: {show.verdict(changed <= FALSE * cases)}"
    )


def real_run(folder, name, study, budget):
    program.measure(folder, name, "measure", study, "--library", "openssl,rustls-aws-lc", "--budget", budget)
    return folder / f"{name}.json"


def counts(figures):
    said = [row["verdict"] for row in figures]
    return [show.Right(len(said)), *(show.Right(said.count(v)) for v in ("same", "cannot tell", *CHANGED))]


def half_width(figures):
    """The median over the figures of how far the interval reaches to each side."""
    known = [row for row in figures if row["low"] is not None]
    return median((row["high"] - row["low"]) / 2 / row["value"] for row in known) if known else None


def ratio(row):
    return f"{row['value'] * 100:.1f} % [{row['low'] * 100:.1f} - {row['high'] * 100:.1f}]"


# ---- planted slowdowns ----


def planted_slowdowns(folder, arguments):
    show.heading(f"A slowdown of {show.percent(arguments.factor - 1)} in a scripted worker")
    study = folder / "planted.toml"
    study.write_text(SCRIPTED_STUDY)
    found, called, false, others = 0, 0, 0, 0
    told = {}
    rng = random.Random(1)
    for at in range(arguments.seeds):
        slowed = SCRIPTED[at % len(SCRIPTED)]
        seeds = [rng.randrange(1 << 32) for _ in range(3)]
        plain, slow, again = (
            scripted_run(folder, f"{name}", study, seed, {slowed: factor})
            for name, seed, factor in zip(("plain", "slow", "again"), seeds, (1.0, arguments.factor, 1.0))
        )
        for row in program.compare(plain, slow):
            if row["id"].endswith("/" + slowed):
                found += row["verdict"] == "slower"
                called += row["verdict"] == "faster"
                told.setdefault(slowed, []).append(row)
        unchanged = program.compare(plain, again)
        others += len(unchanged)
        false += sum(row["verdict"] in CHANGED for row in unchanged)
    print_planted(told)
    enough, few = found >= FOUND * arguments.seeds, false <= FALSE * others
    return (
        f"planted {show.percent(arguments.factor - 1, 0)}: found in {found} of {arguments.seeds} runs "
        f"(the wrong way in {called}), asked 95 in 100: {show.verdict(enough)}; "
        f"without it {false} of {others} cases called changed: {show.verdict(few)}"
    )


def print_planted(told):
    def row(case, rows):
        return [case, *counts(rows), show.spread([row["value"] for row in rows]), show.percent(half_width(rows))]

    head = ["slowed case", "runs", "same", "cannot tell", "faster", "slower", "new / old", "half width"]
    show.table(head, [row(case, rows) for case, rows in told.items()])


def scripted_run(folder, name, study, seed, slowdowns):
    script, registry = folder / f"{name}.script", folder / f"{name}.toml"
    rules = [{"case": f"*/{case}", "factor": factor} for case, factor in slowdowns.items()]
    script.write_text(json.dumps({"seed": seed, "noise": NOISE, "slowdowns": rules}))
    worker = program.ROOT / "target/workers/bin/control"
    if not os.access(worker, os.X_OK):
        raise program.Cannot("the mock worker is not built: target/release/tlstax libraries build control")
    registry.write_text(REGISTRY.format(program=json.dumps(str(worker)), script=json.dumps(str(script))))
    # The order of batches is seeded too, so that a run can be had again.
    program.measure(folder, name, "measure", study, "--registry", registry, "--seed", seed)
    return folder / f"{name}.json"


if __name__ == "__main__":
    program.main(bench)
