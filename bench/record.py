#!/usr/bin/env python3
"""Makes a recording of a machine's noise from the results of a run with parts, for the scripted worker to play.

An entry of it is one reading of the reference kernels and what the parts of the batch that came next took, in hundredths
of a percent above undisturbed. Undisturbed is the lowest mode (lowest.py) of all parts of that case in the run. Whatever
moved the case is in the recording: neighbours, interrupts, the clock of the CPU, and the luck of how each process was laid
out. A mode of each process would leave the luck out, but with it the clock, whose drift the readings show. Both sides of
a handshake or of bulk data are taken together. Parts are elapsed time. Where a batch has less CPU time than that, its thread
was kept from its core: in its longest parts, as far as those are longer than undisturbed.

The form is described in workers/mock/src/script.rs. Entries are in order of time, without a gap.
"""

import argparse
import json
from pathlib import Path
from statistics import mean

import program
import show
from lowest import lowest_mode

UNIT = 1e-4

# Nanoseconds.
SWITCH = 10_000


def bench():
    arguments = parse()
    results = json.loads(arguments.results.read_text())
    entries = list(moments(results))[arguments.skip :][: arguments.entries]
    if not entries:
        raise program.Cannot(f"{arguments.results} has no batches with parts")
    about = {"noise": arguments.about, "host": host(results), "started": results["started"]}
    # A line for each entry: a change of one shows as one.
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    arguments.recording.write_text(f'{{"about": {json.dumps(about)}, "entries": [\n{lines}\n]}}\n')
    print_shape(entries)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, help="the document of a run, with its raw batches")
    parser.add_argument("recording", type=Path, help="the file to write")
    parser.add_argument("--about", required=True, help="what went on on the machine, in a few words")
    parser.add_argument("--skip", type=int, default=0, help="entries to leave out at the beginning")
    parser.add_argument("--entries", type=int, default=800)
    return parser.parse_args()


def host(results):
    """The machine in a few words, without its name."""
    found = results["host"]
    virtual = found["virtualisation"].get("hypervisor") or "no hypervisor"
    return f"{found['cpu']['name']}, {found['topology']['threads']} CPUs, {virtual}"


def moments(results):
    """Each reading with the first batch after it; readings that none follows are left out."""
    first = {}
    for measurement in results["measurements"]:
        batches = [batch for batch in program.batches(measurement) if parts(batch)]
        undisturbed = lowest_mode([cost for batch in batches for cost in parts(batch)])
        for batch in batches if undisturbed else []:
            first.setdefault(batch["slice"], entry_of(batch, undisturbed))
    for at, reading in enumerate(results["slices"]):
        if at in first:
            yield [reading["latency_ns"], reading["throughput_ns"], *first[at]]


def entry_of(batch, undisturbed):
    """By how much each part took longer than undisturbed, and for how much of it the thread was kept off."""
    longer = [round((cost / undisturbed - 1) / UNIT) for cost in parts(batch)]
    cpu = batch["cpu_ns"] / batch["iterations"]
    left = round((mean(parts(batch)) - cpu) / undisturbed / UNIT * len(longer))
    kept_off = [0] * len(longer)
    # What is less than a switch to another thread and back takes is the difference of two clocks.
    if left * UNIT * undisturbed * batch["iterations"] / len(longer) > SWITCH:
        for at in sorted(range(len(longer)), key=longer.__getitem__, reverse=True):
            kept_off[at] = max(0, min(left, longer[at]))
            left -= kept_off[at]
    return longer, kept_off if any(kept_off) else []


def parts(batch):
    """What one iteration took in each part."""
    wholes = batch.get("parts_ns") or [sum(sides) for sides in zip(*sides_of(batch))]
    return [whole * len(wholes) / batch["iterations"] for whole in wholes]


def sides_of(batch):
    return [batch.get(f"{side}_parts_ns", []) for side in ("client", "server")]


def print_shape(entries):
    """What a recording is like: how much of it is undisturbed, and how much a disturbance costs."""
    every = sorted(part * UNIT for _, _, longer, _ in entries for part in longer)
    kept_off = sum(any(kept) for *_, kept in entries)
    quantile = {share: every[int(share * (len(every) - 1))] for share in (0.01, 0.1, 0.5, 0.9, 0.99)}
    within = sum(abs(part) <= 0.01 for part in every) / len(every)
    reach = ", ".join(f"{share:.0%}: {show.deviation(1 + value)}" for share, value in quantile.items())
    print(f"{len(entries)} entries, {len(every)} parts, {show.percent(within)} within 1 % of undisturbed; {reach}")
    print(f"the thread was kept from its core in {kept_off} of the entries")


if __name__ == "__main__":
    program.main(bench)
