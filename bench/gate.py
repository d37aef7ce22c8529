#!/usr/bin/env python3
"""Does a gate let the same build pass, and find the case that became slower?

A library of this machine is held against itself, again and again: nothing is slower or faster. Then a scripted worker is held against one in
which a case is a little slower. Each script is a machine of its own, so recorded noise would be that of two machines; there is jitter alone.
"""

import argparse
import json
import os

import planted
import program
import show

# The promise: figures without a verdict that they changed, and slowdowns found.
QUIET = 0.99
FOUND = 0.95

STUDY = """
name = "gate"
question = "Is the same build called slower?"

[[handshake]]
versions = ["TLSv1.3"]
suites = ["TLS_AES_128_GCM_SHA256"]
groups = ["X25519"]
keys = ["ecdsa-p256", "rsa-2048"]
resumptions = ["full", "psk"]

[[primitive]]
algorithms = ["aes-128-gcm", "sha256", "x25519"]
sizes = [64, 16384]
"""

REGISTRY = """
[[library]]
id = "{name}"
about = "a worker that plays a script"
program = [{program}, "script", {script}]
"""

JITTER = {"jitter": 0.004}


def bench():
    arguments = parse()
    with program.scratch() as folder:
        (folder / "gate.toml").write_text(STUDY)
        # Rounds and not the budget end a run that takes no time.
        (folder / "planted.toml").write_text(planted.STUDY)
        lines = [of_itself(folder, arguments), of_planted(folder, arguments)]
    print("\ngate: " + "; ".join(lines))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20, help="gates of each kind")
    parser.add_argument("--library", default="openssl", help="what is held against itself")
    parser.add_argument("--budget", default="60s", help="of each gate of it")
    parser.add_argument("--fail-above", type=float, default=3.0, help="the change that is let pass, in percent")
    parser.add_argument("--factor", type=float, default=1.05, help="the planted slowdown")
    parser.add_argument("--quick", action="store_true", help="3 gates of each kind, of 20 s")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.budget = 3, "20s"
    return arguments


def of_itself(folder, arguments):
    """Prints what became of gates without a change; returns the line for the promise."""
    show.heading(f"{arguments.library} against itself")
    rows, failed = [], 0
    for _ in range(arguments.rounds):
        sides = ["--base", arguments.library, "--head", arguments.library]
        code, figures = gate(folder, arguments, folder / "gate.toml", *sides, "--budget", arguments.budget)
        rows += figures
        failed += code != 0
    told(rows)
    quiet = sum(row["verdict"] not in planted.CHANGED for row in rows)
    line = f"{arguments.library} against itself: {quiet} of {len(rows)} figures without a change, asked 99 in 100: "
    line += f"{show.verdict(quiet >= QUIET * len(rows))}; {failed} of {arguments.rounds} gates failed"
    print(line, flush=True)
    return line


def of_planted(folder, arguments):
    """The same of gates with one slower case."""
    show.heading(f"A slowdown of {show.percent(arguments.factor - 1)} in a scripted worker")
    slow, others, found, false = [], [], 0, 0
    for at in range(arguments.rounds):
        case = planted.SLOWED[at % len(planted.SLOWED)]
        registry = scripted(folder, at, {case: arguments.factor})
        sides = ["--registry", registry, "--base", "before", "--head", "after"]
        _, figures = gate(folder, arguments, folder / "planted.toml", *sides, "--seed", at)
        slow += (mine := [row for row in figures if row["id"].endswith("/" + case)])
        others += (rest := [row for row in figures if row not in mine])
        found += any(row["verdict"] == "slower" for row in mine)
        false += sum(row["verdict"] in planted.CHANGED for row in rest)
    told(slow)
    line = f"planted: found and named in {found} of {arguments.rounds} gates, asked 95 in 100: "
    line += f"{show.verdict(found >= FOUND * arguments.rounds)}; {false} of {len(others)} other figures called changed"
    print(line, flush=True)
    return line


def gate(folder, arguments, study, *words):
    """The exit code of a gate, and its figures."""
    words = ["gate", "--study", study, *words, "--fail-above", arguments.fail_above, "--json", "--quiet"]
    code, out = program.ended(*words, "--output", folder / "gated.json")
    if code not in (0, 1):
        raise program.Cannot(f"a gate ended with {code}: {' '.join(map(str, words))}")
    return code, json.loads(out)["figures"]


def scripted(folder, seed, slowdowns):
    """A registry of two scripted libraries, of which the second is slower."""
    worker = program.ROOT / "target/workers/bin/control"
    if not os.access(worker, os.X_OK):
        raise program.Cannot("the mock worker is not built: target/release/tlstax libraries build control")
    blocks = ""
    rules = [{"case": f"*/{case}", "factor": factor} for case, factor in slowdowns.items()]
    for at, (name, slower) in enumerate({"before": [], "after": rules}.items()):
        script = folder / f"{name}.script"
        script.write_text(json.dumps({"seed": 2 * seed + at, "noise": JITTER, "slowdowns": slower}))
        blocks += REGISTRY.format(name=name, program=json.dumps(str(worker)), script=json.dumps(str(script)))
    (folder / "registry.toml").write_text(blocks)
    return folder / "registry.toml"


def told(figures):
    head = ["figures", "same", "cannot tell", "faster", "slower", "head / base", "half width"]
    values = [row["value"] for row in figures if row["value"] is not None]
    half_width = show.percent(planted.half_width(figures), 2)
    show.table(head, [[*planted.counts(figures), show.spread(values), half_width]])


if __name__ == "__main__":
    program.main(bench)
