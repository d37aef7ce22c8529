#!/usr/bin/env python3
"""Is a slowdown found that was put there? A scripted worker plays recorded machines.

Once as it is, once with one case a little slower and once again without, for many seeds and each kind of noise. The script's
figures go the whole way through the program: rounds, estimates, documents, compare. The noise is that of real machines
(recordings/, made by record.py), and that of one that is made up and not judged.
"""

import argparse
import json
import os
import random
from statistics import median

import program
import show

# The promises: slowdowns found per run, and false alarms per case.
FOUND = 0.95
FALSE = 0.01

RECORDINGS = program.ROOT / "bench/recordings"

# Cases of the scripted study, one of which is slowed in each run: cheap and dear ones.
SLOWED = ["aes-128-gcm/encrypt/1350", "sha256/digest/16384", "rsa-2048/sign", "ecdsa-p256/verify", "x25519/derive"]
# A script takes no time, so rounds and not the budget end a run: 5 s of the machine that is played, 0.4 s of each case.
STUDY = """
name = "planted"
question = "Is a small slowdown seen?"
max_rounds = 200

[[primitive]]
algorithms = ["aes-128-gcm", "sha256"]
ops = ["encrypt", "digest"]
sizes = [64, 1350, 16384]

[[primitive]]
algorithms = ["rsa-2048", "ecdsa-p256", "ed25519", "x25519"]
"""

# A machine like the one that the first method was tried on: a neighbour that comes and goes for whole batches.
MADE_UP = {"jitter": 0.004, "drift": 0.01, "busy": 0.3, "busy_slowdown": 0.4, "busy_length": 20}

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
    noises = recorded(arguments.noise)
    show.heading(f"A slowdown of {show.percent(arguments.factor - 1)} in a scripted worker")
    lines = []
    with program.scratch() as folder:
        (folder / "planted.toml").write_text(STUDY)
        for name, noise in noises.items():
            lines.append(f"{name}: {planted(folder, name, noise, arguments)}")
        if not arguments.noise:
            planted(folder, "made up", MADE_UP, arguments)
    print(f"\nplanted {show.percent(arguments.factor - 1)}: " + "; ".join(lines))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", "--rounds", type=int, default=100, help="runs with a slowdown, for each kind of noise")
    parser.add_argument("--factor", type=float, default=1.01, help="the slowdown")
    parser.add_argument("--budget", type=float, help="of each run, in seconds of the real machine")
    parser.add_argument("--noise", help="only these recordings, separated by commas")
    parser.add_argument("--quick", action="store_true", help="10 seeds")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.seeds = 10
    return arguments


def recorded(wanted):
    """The noise of each recording by its name: of those that are wanted, separated by commas; of all where none is named."""
    names = wanted.split(",") if wanted else None
    paths = [path for path in sorted(RECORDINGS.glob("*.json")) if names is None or path.stem in names]
    if not paths:
        raise program.Cannot(f"there is no such recording in {RECORDINGS.relative_to(program.ROOT)}")
    return {path.stem: {"recording": str(path)} for path in paths}


def planted(folder, name, noise, arguments):
    """Prints a table for one kind of noise; returns what became of the promises."""
    found, called, false, others = 0, 0, 0, 0
    told = {}
    rng = random.Random(1)
    for at in range(arguments.seeds):
        slowed = SLOWED[at % len(SLOWED)]
        plain, slow, again = (
            scripted_run(folder, side, noise, rng.randrange(1 << 32), {slowed: factor}, arguments.budget)
            for side, factor in (("plain", 1.0), ("slow", arguments.factor), ("again", 1.0))
        )
        for row in program.compare(plain, slow):
            if row["id"].endswith("/" + slowed):
                found += row["verdict"] == "slower"
                called += row["verdict"] == "faster"
                told.setdefault(slowed, []).append(row)
        unchanged = program.compare(plain, again)
        others += len(unchanged)
        false += sum(row["verdict"] in CHANGED for row in unchanged)
    print_planted(name, told)
    enough, few = found >= FOUND * arguments.seeds, false <= FALSE * others
    line = (
        f"found in {found} of {arguments.seeds} runs (the wrong way in {called}), asked 95 in 100: {show.verdict(enough)}; "
        f"without it {false} of {others} cases called changed: {show.verdict(few)}"
    )
    print(line, flush=True)
    return line


def print_planted(name, told):
    def row(case, rows):
        return [case, *counts(rows), show.spread([row["value"] for row in rows]), show.percent(half_width(rows), 2)]

    print()
    head = [name, "runs", "same", "cannot tell", "faster", "slower", "new / old", "half width"]
    show.table(head, [row(case, rows) for case, rows in told.items()])


def counts(figures):
    said = [row["verdict"] for row in figures]
    return [show.Right(len(said)), *(show.Right(said.count(v)) for v in ("same", "cannot tell", *CHANGED))]


def half_width(figures):
    """The median over the figures of how far the interval reaches to each side."""
    known = [row for row in figures if row["low"] is not None]
    return median((row["high"] - row["low"]) / 2 / row["value"] for row in known) if known else None


def scripted_run(folder, name, noise, seed, slowdowns, budget):
    script, registry = folder / f"{name}.script", folder / f"{name}.toml"
    rules = [{"case": f"*/{case}", "factor": factor} for case, factor in slowdowns.items()]
    script.write_text(json.dumps({"seed": seed, "noise": noise, "slowdowns": rules}))
    worker = program.ROOT / "target/workers/bin/control"
    if not os.access(worker, os.X_OK):
        raise program.Cannot("the mock worker is not built: target/release/tlstax libraries build control")
    registry.write_text(REGISTRY.format(program=json.dumps(str(worker)), script=json.dumps(str(script))))
    # The order of batches is seeded too, so that a run can be had again.
    words = ["--registry", registry, "--seed", seed, *(["--budget", budget] if budget else [])]
    program.measure(folder, name, "measure", folder / "planted.toml", *words)
    return folder / f"{name}.json"


if __name__ == "__main__":
    program.main(bench)
