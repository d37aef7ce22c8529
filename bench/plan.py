#!/usr/bin/env python3
"""Predicted against measured CPU time of real servers, on workloads drawn at random, and the rules of thumb that people size by now.

The model is fitted to a designed set of loads (`tlstax calibrate`); the workloads are others, drawn anew for each seed. Usually both are
one study: calibration and workloads take turns within the same minutes, so that the machine's state cancels, and the results are split
afterwards, so that the fit sees nothing of the workloads. With --apart the model comes from a run of its own, or from --model: then both
are undisturbed costs at the usual clock of their runs, and the clocks are printed.

A workload is covered if the 95 % interval of its prediction holds what was measured.
"""

import argparse
import json
import random
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import plan_rules
import plan_workloads
import program
import show


@dataclass(frozen=True)
class Promise:
    """Of a server: errors in the median and at worst, and how many workloads there are, of which so many are covered."""

    median: float
    worst: float
    workloads: int
    covered: int


PROMISES = {"nginx": Promise(0.03, 0.08, 24, 22), "apache": Promise(0.05, 0.12, 8, 7), "haproxy": Promise(0.05, 0.12, 8, 7)}

# Seconds for each case of an interleaved run; of a calibration; of a look at its cases; of one at what the server has.
PER_CASE, CALIBRATION, LOOK, PROBE = 20, 600, 30, 3
QUICK_CASE, QUICK_CALIBRATION = 5, 120

# How a kept file of a run is called; see --keep.
RESULTS = "results-{}.json"


def bench():
    arguments = parse()
    lines = []
    with program.scratch() as scratch:
        folder = arguments.keep or scratch
        folder.mkdir(parents=True, exist_ok=True)
        for server in arguments.server.split(","):
            lines += Trial(server, arguments, folder).go()
    show.heading("Promises")
    print("\n".join(lines))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default=",".join(PROMISES), help="of nginx, apache, haproxy: these, with commas; or nginx@LIBRARY")
    parser.add_argument("--workloads", type=int, help="for each server; as many as are promised if absent")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="of the workloads; drawn if absent")
    parser.add_argument("--apart", action="store_true", help="calibrate in a run of its own, before")
    parser.add_argument("--model", type=Path, help="a model that is there already, of the one server that is named")
    parser.add_argument("--budget", type=int, metavar="SECONDS", help="of the run that has the workloads; by the number of its cases if absent")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where studies, results and models stay")
    parser.add_argument("--quick", action="store_true", help="few workloads and short runs: whether it goes, and no figure")
    arguments = parser.parse_args()
    if unknown := {program_of(server) for server in arguments.server.split(",")} - set(PROMISES):
        parser.error(f"nothing is promised of {', '.join(sorted(unknown))}: it is one of {', '.join(PROMISES)}")
    if arguments.model and "," in arguments.server:
        parser.error("a model is of one server: name it with --server")
    return arguments


def program_of(server):
    return server.split("@")[0]


class Trial:
    """One server: its model, its workloads, and what became of the predictions."""

    def __init__(self, server, arguments, folder):
        self.server, self.arguments, self.folder = server, arguments, folder
        self.promise = PROMISES[program_of(server)]
        usual = 4 if arguments.quick else self.promise.workloads
        self.number = arguments.workloads or usual

    def go(self):
        # A server's workloads do not depend on which others are asked for.
        draw = random.Random(f"{self.arguments.seed} {self.server}")
        show.heading(f"{self.server}: {self.number} workloads, seed {self.arguments.seed}")
        has_hybrid = self.has_hybrid()
        if self.arguments.model or self.arguments.apart:
            known = []
            model = self.arguments.model or self.calibrated(self.calibration_budget(), "apart")
            cases = plan_workloads.draw(draw, self.number, known, has_hybrid)
            results = self.run(cases)
        else:
            known = self.design()
            cases = plan_workloads.draw(draw, self.number, known, has_hybrid)
            model, results = self.interleaved(known, cases)
        return self.judged(cases, checked(results, model), model, results, not known)

    def has_hybrid(self):
        """Whether the server has the hybrid group; if not, it is told and not drawn."""
        results = self.run([plan_workloads.of_hybrid()], PROBE)
        (measurement,) = json.loads(results.read_text())["measurements"]
        if measurement["outcome"]["is"] != "unsupported":
            return True
        print(f"{self.server} has no {plan_workloads.HYBRID}, and no workload has it; nginx@openssl-3.6 would")
        return False

    def calibration_budget(self):
        return QUICK_CALIBRATION if self.arguments.quick else CALIBRATION

    def calibrated(self, budget, name):
        """A model by a run of its own."""
        model = self.model(name)
        program.tlstax(*self.calibration(budget, model))
        return model

    def design(self):
        """The cases that a calibration measures. It is interrupted as soon as it has begun: its results name them all."""
        model = self.model("design")
        said = program.interrupted(LOOK, *self.calibration(self.calibration_budget(), model))
        if not (beside := beside_model(model)):
            raise program.Cannot(f"no results are beside {model}, so the cases of the calibration are not known: {said}")
        return [m["case"] for m in json.loads(beside.read_text())["measurements"]]

    def calibration(self, budget, model):
        return ["calibrate", "-l", self.server, "--budget", f"{budget}s", "--quiet", "-o", model]

    def model(self, *name):
        """The path of a model that is to be made; nothing is there and beside it."""
        model = self.folder / ("-".join(["model", self.server, *name]) + ".json")
        for path in (model, beside_model(model)):
            if path:
                path.unlink(missing_ok=True)
        return model

    def interleaved(self, known, cases):
        """One run of both, split: the model, and the results that have the workloads alone."""
        whole = self.run([*known, *cases])
        document = json.loads(whole.read_text())
        drawn = {plan_workloads.key_of(case) for case in cases}
        is_drawn = [plan_workloads.key_of(m["case"]) in drawn for m in document["measurements"]]
        parts = {}
        for name, wanted in (("calibration", False), ("workloads", True)):
            rows = [m for m, is_one in zip(document["measurements"], is_drawn) if is_one == wanted]
            parts[name] = self.folder / RESULTS.format(f"{self.server}-{name}")
            parts[name].write_text(json.dumps({**document, "measurements": rows}))
        model = self.model()
        program.tlstax("calibrate", "--quiet", "--from", parts["calibration"], "-o", model)
        return model, parts["workloads"]

    def run(self, cases, budget=None):
        """Measures cases as one study; they take turns."""
        seconds = QUICK_CASE if self.arguments.quick else PER_CASE
        budget = budget or self.arguments.budget or seconds * len(cases)
        study = self.folder / f"study-{self.server}.toml"
        study.write_text(plan_workloads.study(self.server, cases, budget))
        results = self.folder / RESULTS.format(self.server)
        results.unlink(missing_ok=True)
        words = ["measure", study, "--budget", f"{budget}s", "--seed", self.arguments.seed, "--json", "--quiet", "--output", results]
        try:
            program.tlstax(*words)
        except program.Cannot:
            # Some case without a figure is no reason to lose the others.
            if not results.exists():
                raise
        return results

    def judged(self, cases, rows, model, results, is_apart):
        print(machine(model, results, is_apart), flush=True)
        budget = 2 if self.arguments.quick else plan_rules.HANDSHAKES
        seconds = 1 if self.arguments.quick else plan_rules.SECONDS
        primitives = plan_rules.measure(self.folder, self.library(), seconds, budget)
        found = [(case, row) for case in cases if (row := of_case(rows, case, results))]
        if not found:
            raise program.Cannot(f"no workload of {self.server} has a figure and a prediction; look into {results}")
        table(found, primitives)
        rules([case for case, _ in found], [row.measured for _, row in found], primitives)
        return self.last_lines([row for _, row in found])

    def library(self):
        """That the server was built with: the system's, or the one that its id names."""
        return self.server.partition("@")[2] or "openssl"

    def last_lines(self, rows):
        off = sorted(abs(row.error) for row in rows)
        covered = sum(row.is_covered for row in rows)
        # Of fewer or more workloads than are promised, the same share.
        asked = self.promise.covered / self.promise.workloads * self.number
        holes = f"; {self.number - len(rows)} without a figure" if len(rows) < self.number else ""
        lines = [
            f"median error {show.percent(median(off))}, asked {show.percent(self.promise.median, 0)}: {show.verdict(median(off) <= self.promise.median)}",
            f"worst {show.percent(off[-1])}, asked {show.percent(self.promise.worst, 0)}: {show.verdict(off[-1] <= self.promise.worst)}",
            f"{covered} of {self.number} covered, asked {asked:.0f}: {show.verdict(covered >= asked)}",
        ]
        return [f"{self.server}, seed {self.arguments.seed}: " + "; ".join(lines) + holes]


@dataclass(frozen=True)
class Row:
    """Of a workload: nanoseconds of the server's CPU time for a request."""

    case: str
    measured: float
    predicted: float
    low: float
    high: float

    @property
    def error(self):
        return self.predicted / self.measured - 1

    @property
    def is_covered(self):
        return self.low <= self.measured <= self.high


def checked(results, model):
    """What `tlstax plan --check-results` says, by the id of the case."""
    words = ["plan", "--check-results", results, "--model", model, "--format", "json"]
    rows = json.loads(program.tlstax(*words))["rows"]
    with_figures = [row for row in rows if row.get("measured") and row.get("predicted")]
    return {row["case"]: Row(row["case"], row["measured"]["value"], *(row["predicted"][end] for end in ("value", "low", "high"))) for row in with_figures}


def of_case(rows, case, results):
    """The row of a workload; none where it has no figure, which is told."""
    key = plan_workloads.key_of(case)
    for measurement in json.loads(results.read_text())["measurements"]:
        if plan_workloads.key_of(measurement["case"]) == key:
            if row := rows.get(measurement["id"]):
                return row
            print(f"no figure: {plan_workloads.name(case)}: {program.hole(measurement) or 'no prediction'}")
    return None


def beside_model(model):
    """The results that a calibration leaves beside its model; none if they are gone."""
    path = model.with_suffix(".results.json")
    return path if path.exists() else None


def machine(model, results, is_apart):
    """In which state of the machine both were found: the reading of the latency kernel, which follows the clock."""
    here = clock(json.loads(results.read_text()))
    if not is_apart:
        return f"Calibration and workloads took turns in one run; latency kernel {here / 1000:.2f} us."
    beside = beside_model(model)
    there = clock(json.loads(beside.read_text())) if beside else None
    other = f"{there / 1000:.2f} us, {show.deviation(here / there).strip()} since" if there else "not known"
    return f"Calibration and workloads are undisturbed costs of two runs; latency kernel {here / 1000:.2f} us, while calibrating {other}."


def clock(document):
    return median(reading["latency_ns"] for reading in document["slices"])


def table(found, primitives):
    head = ["workload", "measured, us", "predicted, us", "interval", "error", "covered", *plan_rules.RULES]
    show.table(head, [line(case, row, primitives) for case, row in sorted(found, key=lambda pair: pair[1].measured)])


def line(case, row, primitives):
    cells = [show.number(row.measured / 1000), show.number(row.predicted / 1000)]
    cells.append(show.Right(f"{show.number(row.low / 1000)} - {show.number(row.high / 1000)}"))
    cells += [show.deviation(1 + row.error), "yes" if row.is_covered else "NO"]
    return [plan_workloads.name(case), *cells, *(show.deviation(rule(case, primitives) / row.measured) for rule in plan_rules.RULES.values())]


def rules(cases, measured, primitives):
    """The errors of the rules on the same workloads."""
    print("\nrules of thumb on the same workloads; scaled: by the one factor that is best for these workloads")
    rows = []
    for rule in plan_rules.RULES:
        as_it_is, scaled = ([abs(error) for error in errors] for errors in plan_rules.errors(rule, cases, measured, primitives))
        rows.append([rule, *(show.percent(of(errors)) for errors in (as_it_is, scaled) for of in (median, max))])
    show.table(["rule", "median error", "worst", "scaled: median", "worst"], rows)


if __name__ == "__main__":
    program.main(bench)
