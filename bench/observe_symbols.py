#!/usr/bin/env python3
"""Whether a stripped OpenSSL is told apart as well as one with symbols.

Our static build of OpenSSL is linked to shared libraries that export what the distribution's do: once as it is, once stripped. Two
nginx of the distribution, each with one of the copies, are loaded in turns by the same load and observed meanwhile. What share of
TLS each class has must be the same by both, and of the stripped one's samples within TLS nearly all must have a class by better
evidence than the name of the file.

Needs nginx, cc, strip, the library openssl-3.6 and the right to sample.
"""

import argparse
import shutil
import subprocess
from pathlib import Path
from statistics import median

import profiles
import program
import show
from nginx import Nginx
from program import ROOT, Cannot

FOLDER = ROOT / "target/observe"
COPIES = ["with symbols", "stripped"]

# The promises: of samples within TLS, and between the two copies, in points of TLS.
TOLD_APART = 0.97
POINTS = 2.0

# Kinds of load: a handshake for each request, and kept connections with bodies of 100 KiB.
LOADS = {
    "handshakes, P-256": ["--requests", "1", "--path", "/small"],
    "handshakes, RSA-2048": ["--requests", "1", "--path", "/small"],
    "records": ["--path", "/large"],
}
KEYS = {"handshakes, P-256": "ecdsa-p256", "handshakes, RSA-2048": "rsa-2048", "records": "ecdsa-p256"}


def bench():
    arguments = parse()
    show.heading("nginx with OpenSSL 3.6, stripped and with symbols")
    copies = build()
    found = {load: {copy: [] for copy in COPIES} for load in LOADS}
    with program.scratch() as folder:
        for number in range(arguments.rounds):
            for load, words in LOADS.items():
                for place, copy in enumerate(COPIES):
                    with Nginx(folder, 18440 + place, KEYS[load], copies[copy]) as nginx:
                        found[load][copy].append(nginx.load(folder, words, arguments.seconds)[1])
            print(f"round {number + 1} of {arguments.rounds}", flush=True)
    print_found(found)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=15, help="of each capture")
    parser.add_argument("--quick", action="store_true", help="one round of 8 s")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seconds = 1, 8
    return arguments


def build():
    """The folder of each copy: our static build of OpenSSL, linked as a distribution's is, with public names only."""
    archives = sorted(Path.home().glob(".cache/tlstax/libraries/openssl-3.6-*/prefix/lib"))
    archives = [folder for folder in archives if (folder / "libcrypto.a").exists()]
    if not archives:
        raise Cannot("OpenSSL 3.6 is not built: tlstax libraries build openssl-3.6")
    copies = {name: FOLDER / name.replace(" ", "-") for name in COPIES}
    for name, folder in copies.items():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for library, needs in (("crypto", ["-ldl", "-lpthread"]), ("ssl", ["-L.", "-l:libcrypto.so.3"])):
            made = f"lib{library}.so.3"
            (folder / "versions.map").write_text(f"OPENSSL_3.0.0 {{ global: {public_names(made, archives[-1])} local: *; }};\n")
            words = ["cc", "-shared", "-o", made, f"-Wl,-soname,{made}", "-Wl,--version-script=versions.map"]
            words += ["-Wl,--whole-archive", str(archives[-1] / f"lib{library}.a"), "-Wl,--no-whole-archive", *needs]
            call(folder, *words)
        if name == "stripped":
            call(folder, "strip", "--strip-all", "libcrypto.so.3", "libssl.so.3")
    return copies


def public_names(library, archives):
    """What the distribution's own library of that name exports, and what our libssl needs of libcrypto, for a version script."""
    path = words_of("sh", "-c", f"ldconfig -p | sed -n 's/.*{library} .*=> //p'")[0]
    exported = words_of("nm", "-D", "--defined-only", "--format=just-symbols", path)
    needed = words_of("nm", "-u", "--format=just-symbols", archives / "libssl.a") if "crypto" in library else []
    return " ".join(sorted({name.split("@")[0] + ";" for name in exported + needed if not name.endswith(":")}))


def words_of(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True).stdout.split()


def call(folder, *words):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Cannot(f"{' '.join(words)} in {folder}: {done.stderr.strip()[-500:]}")


def shares(profile, name_of):
    """Percent of TLS by class, and the share of TLS whose class stands on more than a file's name."""
    classes, known, whole = {}, 0, 0
    for stack in profile["stacks"]:
        if stack["cost"] in profiles.NOT_TLS:
            continue
        name = name_of(stack)
        classes[name] = classes.get(name, 0) + stack["weight"]
        whole += stack["weight"]
        known += stack["weight"] * (stack["evidence"]["by"] not in ("module", "nothing"))
    if whole == 0:
        raise Cannot("a profile has no sample within TLS")
    return {name: weight / whole * 100 for name, weight in classes.items()}, known / whole


def with_algorithm(stack):
    return " ".join(filter(None, [stack["cost"], stack.get("algorithm")]))


def print_found(found):
    worst = print_classes(found, "class", lambda stack: stack["cost"])
    print()
    worst_algorithm = print_classes(found, "class and algorithm", with_algorithm)
    known = [median(shares(one, with_algorithm)[1] for one in ones) for copies in found.values() for ones in copies.values()]
    print(
        f"\nworst class {worst:.2f} points apart, asked {POINTS}: {show.verdict(worst <= POINTS)}; with its algorithm "
        f"{worst_algorithm:.2f}: {show.verdict(worst_algorithm <= POINTS)}; told apart at the least {show.percent(min(known))}, asked "
        f"{show.percent(TOLD_APART, 0)}: {show.verdict(min(known) >= TOLD_APART)}"
    )


def print_classes(found, title, name_of):
    """A table of the classes in both copies; how far the worst is apart, in points."""
    rows, worst = [], 0.0
    for load, copies in found.items():
        both = {copy: [shares(profile, name_of)[0] for profile in profiles] for copy, profiles in copies.items()}
        for name in sorted({name for ones in both.values() for one in ones for name in one}):
            values = [[one.get(name, 0.0) for one in both[copy]] for copy in COPIES]
            apart = median(values[1]) - median(values[0])
            worst = max(worst, abs(apart))
            rows.append([load, name, *map(show.spread, values), show.Right(f"{apart:+.2f}")])
    show.table(["load", title, "with symbols, % of TLS", "stripped", "points"], rows)
    return worst


if __name__ == "__main__":
    program.main(bench)
