#!/usr/bin/env python3
"""Whether `compare` finds a thousandth by counts, and how far counts of the same build differ.

A library is preloaded into the worker of OpenSSL that executes a few instructions more in functions which a digest and each side
of a handshake call once. How many, is read from its environment, so both runs load the same files and differ in nothing else.
First a run with none tells what a thousandth is. Then runs with and without it take turns, through the whole program: measure,
compare, verdict.

    bench/counts.py                 ten pairs of runs with OpenSSL, then the spread of openssl and rustls-aws-lc
    bench/counts.py --pairs 100     what docs/method.md promises: found in all, and never where there is nothing
    bench/counts.py --spread 5      only the spread, over five runs

Needs valgrind, cc and the workers of both libraries. Counts are the same on a busy machine: nothing has to be quiet.
"""

import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess

from program import ROOT, TLSTAX, Cannot, main, scratch

# What is planted, as a part of the count.
PLANTED = 0.001

# A loop of so many instructions, as the processor counts them.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

typedef struct ssl_st SSL;
typedef struct evp_md_ctx_st EVP_MD_CTX;

/* A handshake hashes too: there nothing is planted into that. */
static int shakes_hands;

static void more(const char *name) {
    const char *text = getenv(name);
    long times = text == NULL ? 0 : atol(text) / 2;
    if (times > 0)
        __asm__ volatile("1: dec %0\n jnz 1b" : "+r"(times));
}

void SSL_set_accept_state(SSL *ssl) {
    static void (*real)(SSL *);
    if (real == NULL)
        real = dlsym(RTLD_NEXT, "SSL_set_accept_state");
    shakes_hands = 1;
    more("PLANTED_SERVER");
    real(ssl);
}

void SSL_set_connect_state(SSL *ssl) {
    static void (*real)(SSL *);
    if (real == NULL)
        real = dlsym(RTLD_NEXT, "SSL_set_connect_state");
    shakes_hands = 1;
    more("PLANTED_CLIENT");
    real(ssl);
}

int EVP_DigestFinal_ex(EVP_MD_CTX *context, unsigned char *digest, unsigned int *length) {
    static int (*real)(EVP_MD_CTX *, unsigned char *, unsigned int *);
    if (real == NULL)
        real = dlsym(RTLD_NEXT, "EVP_DigestFinal_ex");
    if (!shakes_hands)
        more("PLANTED_DIGEST");
    return real(context, digest, length);
}
"""

# What is planted into, by the metric and the variable that tells how much.
CASES = {
    "instructions": "PLANTED_DIGEST",
    "client-instructions": "PLANTED_CLIENT",
    "server-instructions": "PLANTED_SERVER",
}

STUDY = """
name = "counts"
question = "Is a thousandth found?"
budget_s = 3600

[[primitive]]
algorithms = ["sha256"]
ops = ["digest"]
sizes = [16384]

[[handshake]]
versions = ["TLSv1.3"]
suites = ["TLS_AES_128_GCM_SHA256"]
groups = ["X25519"]
keys = ["ecdsa-p256"]
resumptions = ["full"]
chains = [2]
"""


class Project:
    """A project of its own, whose registry has the worker with the preloaded library under one id, however much it plants."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "workers").mkdir()
        for name in ("pki", "studies"):
            (folder / name).symlink_to(ROOT / name)
        (folder / "workers/workers.toml").write_text((ROOT / "workers/workers.toml").read_text())
        self.study = folder / "study.toml"
        self.study.write_text(STUDY)
        source, self.shim = folder / "shim.c", folder / "shim.so"
        source.write_text(SHIM)
        compiler = os.environ.get("CC", "cc")
        run(compiler, "-O1", "-shared", "-fPIC", "-o", self.shim, source, "-ldl")

    def count(self, name, planted):
        """The results of a run in which so many instructions were planted, by the variable."""
        variables = {"LD_PRELOAD": str(self.shim)}
        # As many characters however much it is: the environment lies on the stack.
        variables |= {name: f"{planted.get(name, 0):08d}" for name in CASES.values()}
        env = ", ".join(f'{key} = "{value}"' for key, value in variables.items())
        worker = ROOT / "target/workers/bin/openssl"
        (self.folder / "workers/own.toml").write_text(
            f'[[library]]\nid = "planted"\nabout = "OpenSSL with something planted"\nprogram = ["{worker}"]\nenv = {{ {env} }}\n'
        )
        results = self.folder / f"{name}.json"
        words = ["measure", self.study, "-l", "planted", "--count", "callgrind", "-q", "--if-busy", "go", "-o", results]
        run(TLSTAX, *words, env={**os.environ, "TLSTAX_HOME": str(self.folder)})
        return results


def run(*words, env=None):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=env, check=False)
    if done.returncode != 0:
        raise Cannot(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def counts(results):
    """The count of an iteration in each batch, by case and metric; the control row is left out."""
    found = {}
    for measurement in json.loads(results.read_text())["measurements"]:
        if measurement["case"]["library"] == "control" or measurement["outcome"]["is"] != "measured":
            continue
        for batch in measurement["outcome"]["batches"]:
            sides = ("client_instructions", "server_instructions")
            for name in [side for side in sides if side in batch] or ["instructions"]:
                key = (measurement["id"], name.replace("_", "-"))
                found.setdefault(key, []).append(batch[name] / batch["iterations"])
    if not found:
        raise Cannot(f"{results}: nothing was counted")
    return found


def verdicts(old, new):
    """The verdict of `compare` on each figure, by its metric, and its words on the change."""
    figures = json.loads(run(TLSTAX, "compare", old, new, "--json"))["figures"]
    return {figure["metric"]: figure for figure in figures if figure["case"]["library"] != "control"}


def planted(project, pairs):
    """How often a thousandth is found, and how often something where nothing is."""
    plain = counts(project.count("first", {}))
    more = {CASES[metric]: round(statistics.median(all_) * PLANTED) for (_, metric), all_ in plain.items()}
    print(f"planted: {more}")
    hits, false, before = [], [], None
    for pair in range(pairs):
        without = project.count(f"without-{pair}", {})
        with_it = project.count(f"with-{pair}", more)
        for figure in verdicts(without, with_it).values():
            hits.append(figure["verdict"] == "slower")
            report("planted", pair, figure)
        if before is not None:
            for figure in verdicts(before, without).values():
                false.append(figure["verdict"] in ("slower", "faster"))
                report("nothing", pair, figure)
        before = without
        found, wrong = sum(hits), sum(false)
        print(f"after {pair + 1} pairs: planted found {found} of {len(hits)}; false {wrong} of {len(false)}", flush=True)
    print("0.1 % found in all, nothing where there is nothing:", "met" if all(hits) and not any(false) else "not met")


def report(what, pair, figure):
    change = [(figure[end] - 1) * 100 for end in ("value", "low", "high")]
    print(f"  {pair} {what} {figure['metric']}: {change[0]:+.4f} % [{change[1]:+.4f}, {change[2]:+.4f}] {figure['verdict']}")


def spread(folder, runs):
    """How far the figures of the same build differ over runs, and the batches within them."""
    all_runs = []
    study = folder / "spread.toml"
    study.write_text(STUDY.replace('["sha256"]', '["sha256", "aes-128-gcm", "x25519", "ecdsa-p256"]').replace('ops = ["digest"]\n', ""))
    for number in range(runs):
        results = folder / f"spread-{number}.json"
        words = ["measure", study, "-l", "openssl,rustls-aws-lc", "--count", "callgrind", "-q", "--if-busy", "go", "-o", results]
        run(TLSTAX, *words)
        all_runs.append(counts(results))
    print(f"range over {runs} runs of the figures, and of all processes, in percent:")
    for key in all_runs[0]:
        medians = [statistics.median(one[key]) for one in all_runs]
        processes = list(itertools.chain.from_iterable(one[key] for one in all_runs))
        print(f"  {width(medians):.4f} {width(processes):.4f} {key[1]} {key[0]}")


def width(values):
    return (max(values) / min(values) - 1) * 100


def bench():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10, help="pairs of runs with and without what is planted")
    parser.add_argument("--spread", type=int, help="only the spread, over so many runs")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        raise Cannot("there is no valgrind: on Debian, apt-get install valgrind")
    with scratch() as folder:
        if arguments.spread is None:
            (folder / "project").mkdir()
            planted(Project(folder / "project"), arguments.pairs)
        spread(folder, arguments.spread or 3)


if __name__ == "__main__":
    main(bench)
