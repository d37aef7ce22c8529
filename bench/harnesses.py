"""The benchmark programs of others: rustls-bench of the rustls project, and openssl-bench of its author.

What belongs here: getting their sources, building them in target/peers, running them, reading what they print. What
does not: statistics, tables. Nothing of theirs is kept in this repository. What is changed, by changes.py, is changed
in the copy that is built; a change that does not find its text stops the bench.
"""

import contextlib
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import changes
import program
from program import ROOT, Cannot

FOLDER = ROOT / "target/peers"
LOCK = ROOT / "workers/rustls/Cargo.lock"
KEYS = ["ecdsa-p256", "rsa-2048"]
RUSTLS_URL = "https://github.com/rustls/rustls"
OPENSSL_URL = "https://github.com/ctz/openssl-bench"

RUSTLS_MANIFEST = """
[package]
name = "rustls-bench"
version = "0.1.0"
edition = "2021"

[features]
default = ["aws-lc-rs"]
aws-lc-rs = []

[dependencies]
clap = {{ version = "4", features = ["derive", "env"] }}
rustls = {{ version = "={version}", {features} }}
rustls-test = {{ path = "../rustls-test" }}
tikv-jemallocator = {{ {allocator} }}
"""


@dataclass(frozen=True)
class Case:
    """What both measure, in our words; `resumption` is empty for application data."""

    version: str
    suite: str
    key: str
    resumption: str = ""


@dataclass(frozen=True)
class Harness:
    """A program of theirs that was built, and the folder that it has to run in."""

    binary: Path
    words: tuple
    folder: Path
    name: str
    # The group that it negotiates in TLS 1.3.
    group: str = "X25519"
    # The version that it must say at run time, if it says one.
    says: str = ""
    environment: dict = field(default_factory=dict)

    def run(self, case, multiplier):
        """Nanoseconds of client and server for a handshake, or for a byte."""
        words = ["taskset", "-c", str(program.measuring_core()), self.binary, *self.words, *self.arguments(case)]
        environment = {**os.environ, **self.environment, "BENCH_MULTIPLIER": f"{multiplier:.4f}"}
        before = cpu_seconds(), time.monotonic()
        done = subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        # Theirs is elapsed time; what the process was kept from the core is taken out of both sides alike.
        share = min(1, (cpu_seconds() - before[0]) / (time.monotonic() - before[1]))
        lines = r"\t(client|server|recv|send)\t(?:.*\t)?([\d.e+]+)\t(handshakes|MB)/s"
        rates = {side: (float(rate), unit) for side, rate, unit in re.findall(lines, done.stdout)}
        if done.returncode != 0 or len(rates) != 2:
            raise Cannot(f"{self.name}: {' '.join(map(str, words))}: {(done.stderr or done.stdout).strip()[-300:]}")
        if (said := re.findall(r"version\t(.*)", done.stderr)) and said != [self.says]:
            raise Cannot(f"two libraries: {self.name} runs with {said[0]}, tlstax with {self.says}")
        apart = {side: float(took) for side, took in re.findall(r"apart\t(\w+)\t(\S+)", done.stderr)}
        sides = ("client", "server") if case.resumption else ("recv", "send")
        return [share * nanoseconds(*rates[side], apart.get(side, 0)) for side in sides]

    def arguments(self, case):
        if self.words:
            key = ["--key-type", case.key.replace("rsa-", "rsa")]
            suite = case.suite.replace("TLS_AES", "TLS13_AES")
        else:
            key, suite = ["--" + case.key.partition("-")[0]], openssl_suite(case.suite)
        if not case.resumption:
            return [*key, "bulk", suite, "16384"]
        return [*key, VERBS[case.resumption], suite]


VERBS = {
    "full": "handshake",
    "session-id": "handshake-resume",
    "ticket": "handshake-ticket",
    "psk": "handshake-ticket",
}


def cpu_seconds():
    """The CPU time of all commands that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def nanoseconds(rate, unit, apart):
    """Of one handshake or one byte, with the seconds that were timed apart; both of them say MB and mean 2^20 bytes."""
    return 1e9 * (1 / (rate if unit == "handshakes" else rate * 2**20) + apart)


def openssl_suite(name):
    """OpenSSL's own name of a suite; in TLS 1.3 it is that of IANA."""
    if "_WITH_" not in name:
        return name
    return name.removeprefix("TLS_").replace("WITH_", "").replace("AES_", "AES").replace("_", "-")


def rustls(repository, ours, unchanged):
    """rustls-bench with the very versions of rustls and aws-lc-rs that our worker has."""
    version, provider = locked("rustls"), locked("aws-lc-rs")
    if not ours.startswith(f"rustls {version} with aws-lc-rs {provider} "):
        raise Cannot(f"the worker says {ours}, and {LOCK.relative_to(ROOT)} {version} with {provider}: build it anew")
    tag = newest_tag(repository, version)
    folder = FOLDER / ("rustls-unchanged" if unchanged else "rustls")
    with fresh(folder) as new:
        export(repository, tag, new, ["rustls-bench/src", "rustls-test/src", "test-ca"])
        for key in KEYS:
            # Its client takes the last certificate that the server sends for the root.
            certificates(new / "test-ca" / key, key, "server-2.pem", "root.pem")
        if not unchanged:
            change(new / "rustls-bench/src/main.rs", changes.RUSTLS_CHANGES)
        manifests(new, version, unchanged)
    lock(folder)
    run("cargo", "build", "--quiet", "--release", "-p", "rustls-bench", cwd=folder)
    words = ("--api", "buffered", "--provider", "aws-lc-rs")
    group = "X25519MLKEM768" if unchanged else "X25519"
    name = f"rustls-bench of {tag} with rustls {version} and aws-lc-rs {provider}"
    environment = {} if unchanged else changes.NO_REP_MOVSB
    return Harness(folder / "target/release/rustls-bench", words, folder, name, group, environment=environment)


def manifests(folder, version, unchanged):
    """Their program, built as our worker is: its locked versions, its features, its profile, the system's allocator."""
    features = 'features = ["aws_lc_rs"]'
    allocator = 'version = "0.6"'
    if not unchanged:
        features = 'default-features = false, features = ["std", "tls12", "aws_lc_rs"]'
        allocator = 'path = "../allocator", package = "system-allocator"'
        write(folder / "allocator/src/lib.rs", "pub use std::alloc::System as Jemalloc;\n")
        write(folder / "allocator/Cargo.toml", package("system-allocator"))
    manifest = RUSTLS_MANIFEST.format(version=version, features=features, allocator=allocator)
    library = f'rustls = {{ version = "={version}", default-features = false, features = ["std", "tls12"] }}'
    write(folder / "rustls-bench/Cargo.toml", manifest)
    write(folder / "rustls-test/Cargo.toml", package("rustls-test") + f"\n[dependencies]\n{library}\n")
    # Theirs is built with the profile bench of their workspace.
    profile = "\n[profile.release]\ncodegen-units = 1\nlto = true\n" if unchanged else ""
    write(folder / "Cargo.toml", f'[workspace]\nmembers = ["rustls-bench"]\nresolver = "2"\n{profile}')


def lock(folder):
    """Begins with our worker's versions; cargo adds what else rustls-bench needs, and that stays."""
    ours, begun = LOCK.read_text(encoding="utf-8"), folder / "Cargo.lock.begun"
    if not begun.exists() or begun.read_text(encoding="utf-8") != ours:
        write(folder / "Cargo.lock", ours)
        write(begun, ours)


def package(name):
    return f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n'


def openssl(repository, prefix, ours, unchanged):
    """openssl-bench over the static libraries of an install prefix, or over the system's."""
    folder = FOLDER / ("openssl-bench-unchanged" if unchanged else "openssl-bench")
    here = folder / ("installed" if prefix else "system")
    words = ["g++", "-O3", "-w"]
    with fresh(folder) as new:
        export(repository, "HEAD", new / here.name, ["bench.cc"])
        for key in KEYS:
            certificates(new / "rustls/test-ca" / key, key, "server-2.pem")
        if not unchanged:
            change(new / here.name / "bench.cc", changes.OPENSSL_CHANGES)
            write(new / here.name / "apart.h", changes.OPENSSL_HEADER)
            words += ["-include", "./apart.h"]
    libraries = ["-lssl", "-lcrypto"]
    if prefix:
        folders = [f"-L{prefix / name}" for name in ("lib", "lib64")]
        libraries = [f"-I{prefix / 'include'}", *folders, "-Wl,-Bstatic", *libraries, "-Wl,-Bdynamic", "-ldl"]
    run(*words, "-o", "bench", "bench.cc", *libraries, "-lpthread", cwd=here)
    # From this version on the default is the hybrid; our change asks for X25519 alone.
    hybrid = unchanged and tuple(map(int, re.findall(r"\d+", ours)[:2])) >= (3, 5)
    group = "X25519MLKEM768" if hybrid else "X25519"
    environment = {"OPENSSL_CONF": "/dev/null"}
    return Harness(here / "bench", (), here, f"openssl-bench over {ours}", group, ours, environment)


def certificates(folder, key, *chain):
    """Our chain, key and root under the names that theirs have."""
    folder.mkdir(parents=True, exist_ok=True)
    ours = ROOT / "pki" / key
    write(folder / "end.fullchain", "".join((ours / name).read_text(encoding="utf-8") for name in chain))
    shutil.copy(ours / "server.key", folder / "end.key")
    shutil.copy(ours / "root.pem", folder / "ca.cert")


def change(file, wanted):
    text = file.read_text(encoding="utf-8")
    for old, new, why in wanted:
        if text.count(old) != 1:
            raise Cannot(f"{file} has '{old}' {text.count(old)} times, so this cannot be changed in it: {why}")
        text = text.replace(old, new)
    write(file, text)


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@contextlib.contextmanager
def fresh(folder):
    """A folder to fill. What differs then is put into the real one; the rest is left alone, and is not built again."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)
        for file in (found for found in Path(made).rglob("*") if found.is_file()):
            place = folder / file.relative_to(made)
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.exists() or place.read_bytes() != file.read_bytes():
                place.write_bytes(file.read_bytes())


def source(given, url):
    """The folder of a repository: the one that is given, or a clone."""
    if given:
        return given
    folder = FOLDER / "sources" / url.rpartition("/")[2]
    if not folder.exists():
        run("git", "clone", "--quiet", "--bare", url, folder)
    return folder


def newest_tag(repository, version):
    """The tag of a version of rustls, or of the last one before it that the repository knows."""
    tags = run("git", "-C", repository, "tag", "--list", f"v/{version.rpartition('.')[0]}.*").split()
    last = number(f"v/{version}")
    older = [tag for tag in tags if (number(tag) or last + 1) <= last]
    if not older:
        raise Cannot(f"{repository} has no tag of rustls {version} or of one before it")
    return max(older, key=number)


def number(tag):
    """The last part of a version, if it is a release."""
    last = tag.rpartition(".")[2]
    return int(last) if last.isdigit() else None


def export(repository, revision, folder, paths):
    """Puts some files of a revision into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(
        ["git", "-C", repository, "archive", revision, *paths], capture_output=True, check=False
    )
    if archive.returncode != 0:
        raise Cannot(f"git archive of {repository}: {archive.stderr.decode().strip()}")
    subprocess.run(["tar", "x", "-C", folder], input=archive.stdout, check=True)


def locked(package):
    """The version of a package in our worker's lock file."""
    return re.search(rf'name = "{package}"\nversion = "([^"]+)"', LOCK.read_text(encoding="utf-8")).group(1)


def run(*words, cwd=ROOT):
    try:
        done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Cannot(f"{words[0]} does not run: {error}") from error
    if done.returncode != 0:
        raise Cannot(f"{' '.join(map(str, words))} in {cwd}: {done.stderr.strip()[-2000:]}")
    return done.stdout
