"""A worker asked by the protocol itself, without tlstax: docs/protocol.md.

What belongs here: starting a worker, requests and answers. What does not: what is made of the samples.
"""

import json
import os
import subprocess

import program
from program import ROOT, Cannot

PROTOCOL = 2


class Worker:
    """One process of a library's worker, on the measuring core."""

    def __init__(self, library, *arguments, under=()):
        program_file = ROOT / "target/workers/bin" / library
        if not os.access(program_file, os.X_OK):
            raise Cannot(f"the worker of {library} is not built: target/release/tlstax libraries build {library}")
        self.library = library
        core = str(program.measuring_core())
        self.process = subprocess.Popen(
            ["taskset", "-c", core, *under, program_file, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        hello = self.ask({"do": "hello", "protocol": PROTOCOL, "pki": str(ROOT / "pki")}, "hello")
        if hello["protocol"] < PROTOCOL:
            raise Cannot(f"the worker of {library} speaks protocol {hello['protocol']}, which has no parts: build it anew")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # The end of its input ends a worker.
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def ask(self, request, wanted):
        """The answer of this kind; any other stops the bench."""
        self.process.stdin.write(json.dumps(request) + "\n")
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"is": "nothing"}
        if answer["is"] != wanted:
            raise Cannot(f"{self.library} does not answer {request['do']} with {wanted}: {line.strip()[:300]}")
        return answer

    def prepare(self, slot, case):
        """Prepares a case as a document has it."""
        self.ask({"do": "prepare", "slot": slot, **case}, "ready")

    def run(self, slot, iterations, part=0, warmup=0):
        """One batch: its sample."""
        request = {"do": "run", "slot": slot, "iterations": iterations, "warmup": warmup, "part": part}
        return self.ask(request, "sampled")


def parts(sample):
    """What each part of a batch took, by metric, in nanoseconds."""
    names = {"cpu": "parts_ns", "client": "client_parts_ns", "server": "server_parts_ns"}
    return {metric: sample[name] for metric, name in names.items() if name in sample}
