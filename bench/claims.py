#!/usr/bin/env python3
"""Is a verdict on a claim ever the opposite of the truth? A scripted worker plays recorded machines.

Claims are planted whose truth lies 5 % to either side of what was claimed: above a border, below one, at either end of a range.
The figures go the whole way through the program: rounds, results, ratios, verdicts. What counts is how often a claim that is true
is said not to hold, or one that is false is said to hold; `cannot tell` is no error, and is counted beside it.
"""

import argparse
import json
import os
import random
from itertools import product

import planted
import program
import show

# The promise: verdicts that are the opposite of the truth.
WRONG = 0.01

# The truth by the border.
FACTORS = (1.05, 0.95)

# What is claimed of a ratio, the border that the truth lies beside, and whether the claim is true above it.
CLAIMED = {
    "above 2": ("above = 2", 2, True),
    "below 2": ("below = 2", 2, False),
    "from 2, at its lower end": ("from = 2\nto = 4", 2, True),
    "to 4, at its upper end": ("from = 2\nto = 4", 4, False),
}

# One pair of cases for each claim and factor: their size tells them apart, and costs nothing in a script.
PLANTED = list(product(CLAIMED, FACTORS))
SIZES = [1000 + place for place in range(len(PLANTED))]

# The dearer of two hashes is planted; the other one always costs the same.
DEARER, CHEAPER, NANOSECONDS = "sha256", "sha1", 20_000

STUDY = f"""
name = "planted-claims"
question = "Is a verdict the opposite of the truth?"
max_rounds = {{rounds}}

[[primitive]]
algorithms = ["{DEARER}", "{CHEAPER}"]
sizes = {SIZES}
"""

CLAIM = """
[[claim]]
id = "planted-{size}"
source = "bench"
words = "{claimed}, with the truth at {factor} of it"
kind = "ratio"
libraries = ["scripted"]
case.dearer = {{ kind = "primitive", algorithm = "{dearer}", size = {size} }}
case.cheaper = {{ kind = "primitive", algorithm = "{cheaper}", size = {size} }}
[[claim.check]]
words = "dearer / cheaper"
rule = "ratio"
value = "dearer / cheaper"
{rule}
"""

SAID = ("holds", "does not hold", "cannot tell")


def bench():
    arguments = parse()
    noises = planted.recorded(arguments.noise)
    show.heading(f"Claims whose truth lies {show.percent(FACTORS[0] - 1)} beside what was claimed")
    lines = []
    with program.scratch() as folder:
        (folder / "study.toml").write_text(STUDY.format(rounds=arguments.rounds))
        (folder / "claims.toml").write_text("".join(claim(*one, size) for one, size in zip(PLANTED, SIZES)))
        for name, noise in noises.items():
            lines.append(f"{name}: {judged(folder, name, noise, arguments)}")
    print("\n" + "; ".join(lines))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=40, help=f"runs for each kind of noise, of {len(PLANTED)} claims each")
    parser.add_argument("--rounds", type=int, default=100, help="of each run")
    parser.add_argument("--noise", help="only these recordings, separated by commas")
    parser.add_argument("--quick", action="store_true", help="5 seeds")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.seeds = 5
    return arguments


def claim(claimed, factor, size):
    rule, _, _ = CLAIMED[claimed]
    return CLAIM.format(size=size, claimed=claimed, factor=factor, rule=rule, dearer=DEARER, cheaper=CHEAPER)


def truth(claimed, factor):
    _, _, is_true_above = CLAIMED[claimed]
    return "holds" if (factor > 1) == is_true_above else "does not hold"


def judged(folder, name, noise, arguments):
    """Prints a table for one kind of noise; returns what became of the promise."""
    rng = random.Random(1)
    told = {one: [] for one in PLANTED}
    for _ in range(arguments.seeds):
        for one, verdict in zip(PLANTED, verdicts(folder, noise, rng.randrange(1 << 32))):
            told[one].append(verdict)
    print()
    rows = [[f"{claimed}, {factor}", truth(claimed, factor), *counts(said)] for (claimed, factor), said in told.items()]
    show.table([name, "truth", *SAID], rows)
    opposite = sum(is_opposite(truth(*one), verdict) for one, said in told.items() for verdict in said)
    open_ = sum(said.count("cannot tell") for said in told.values())
    every = sum(map(len, told.values()))
    line = (
        f"{opposite} of {every} verdicts are the opposite of the truth, asked at most 1 in 100: "
        f"{show.verdict(opposite <= WRONG * every)}; {open_} cannot tell"
    )
    print(line, flush=True)
    return line


def counts(said):
    return [show.Right(said.count(verdict)) for verdict in SAID]


def is_opposite(true, verdict):
    return verdict in ("holds", "does not hold") and verdict != true


def verdicts(folder, noise, seed):
    """The verdict on each planted claim in one run of its own."""
    costs = [
        {"case": f"*/{DEARER}/*/{size}", "ns": NANOSECONDS * CLAIMED[claimed][1] * factor}
        for (claimed, factor), size in zip(PLANTED, SIZES)
    ]
    costs.append({"case": f"*/{CHEAPER}/*", "ns": NANOSECONDS})
    script, registry = folder / "claims.script", folder / "registry.toml"
    script.write_text(json.dumps({"seed": seed, "noise": noise, "costs": costs}))
    worker = program.ROOT / "target/workers/bin/control"
    if not os.access(worker, os.X_OK):
        raise program.Cannot("the mock worker is not built: target/release/tlstax libraries build control")
    registry.write_text(planted.REGISTRY.format(program=json.dumps(str(worker)), script=json.dumps(str(script))))
    program.measure(folder, "claims", "measure", folder / "study.toml", "--registry", registry, "--seed", seed)
    words = ["claims", "--file", folder / "claims.toml", "--from", folder / "claims.json", "--json"]
    rows = {row["claim"]: row["verdict"] for row in json.loads(program.tlstax(*words))["claims"]}
    return [rows[f"planted-{size}"] for size in SIZES]


if __name__ == "__main__":
    program.main(bench)
