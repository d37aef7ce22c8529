"""The programs that bench/traffic.py holds `tlstax traffic` against, and what each of them has counted.

What belongs here: how each is asked for the same counts, and reading its answer. What does not: times, tables. A program's answer is a
dictionary: (protocol, suite, resumed) to (requests or connections, bytes), in the words of nginx; where it tells less, fewer parts of
the key are there, and where it only counts, it is a number.
"""

import json
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from typing import Callable

import traffic_inputs
from program import TLSTAX, Cannot

DUCKDB = "duckdb==2.0.0"
ZLIB_NG = "zlib-ng"


@dataclass(frozen=True)
class Program:
    """How it is started, and what its output says."""

    name: str
    words: list
    answer: Callable
    # Ours are judged; a floor does less than was asked for.
    is_floor: bool = False


IANA = {
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256": "ECDHE-RSA-AES128-GCM-SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256": "ECDHE-ECDSA-AES128-GCM-SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384": "ECDHE-ECDSA-AES256-GCM-SHA384",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256": "ECDHE-RSA-CHACHA20-POLY1305",
}


def tlstax(path, folder, threads, *more, of="requests"):
    document = folder / "workload.json"
    words = [TLSTAX, "traffic", path, "--threads", threads, "--quiet", "--output", document, *more]
    return Program(f"tlstax, {plural(threads, 'thread')}", words, lambda _: workload(document, of))


def workload(document, of):
    """What a workload has counted."""
    counts = defaultdict(lambda: (0, 0))
    for share in json.loads(document.read_text())["shares"]:
        suite = share.get("suite", "-")
        resumed = {None: "-", "full": "."}.get(share.get("resumed"), "r")
        key = share.get("protocol", "-"), IANA.get(suite, suite), resumed
        known = counts[key]
        counts[key] = (known[0] + share[of], known[1] + share.get("out", {}).get("bytes", 0))
    document.unlink()
    return dict(counts)


def plural(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


MAWK = (
    '{ key = $(NF-2) " " $(NF-1) " " $NF; requests[key]++; bytes[key] += $10 } '
    'END { for (key in requests) printf "%s %.0f %.0f\\n", key, requests[key], bytes[key] }'
)


def mawk(path):
    return Program("mawk", [found("mawk"), MAWK, path], rows)


def rows(output):
    """Lines of protocol, suite, resumed, requests, bytes."""
    split = [line.split() for line in output.splitlines()]
    return {tuple(words[:-2]): (int(words[-2]), int(words[-1])) for words in split}


def lines(path):
    return Program("wc -l", ["wc", "-l", path], lambda output: int(output.split()[0]), is_floor=True)


def pipe(name, words, path):
    """A decoder and a counter of lines."""
    found(words.split()[0])
    return Program(name, ["sh", "-c", f'{words} "$1" | wc -l', "sh", path], int, is_floor=True)


def decoder(name, words):
    found(words[0])
    return Program(name, ["sh", "-c", '"$@" >/dev/null', "sh", *words], lambda _: None, is_floor=True)


# Words after the script: threads, what is asked.
ASK_DUCKDB = (
    "import duckdb, sys\n"
    "duck = duckdb.connect()\n"
    "duck.execute('SET threads TO ' + sys.argv[1])\n"
    "for row in duck.execute(sys.argv[2], [sys.argv[3]]).fetchall(): print(*row)\n"
)
FIELDS = ["address", "dash", "user", "time", "zone", "request", "status", "bytes", "referer", "agent", "ordinal"]
FIELDS += ["protocol", "suite", "resumed"]
COLUMNS = ", ".join(f"'{field}': '{'BIGINT' if field == 'bytes' else 'VARCHAR'}'" for field in FIELDS)
OF_NGINX = (
    "SELECT protocol, suite, resumed, count(*), sum(bytes)::BIGINT FROM read_csv(?, delim = ' ', quote = '\"', escape = '\"', "
    f"header = false, auto_detect = false, columns = {{{COLUMNS}}}) GROUP BY ALL"
)
OF_CADDY = (
    "SELECT request.tls.version, request.tls.cipher_suite, request.tls.resumed, count(*), sum(size)::BIGINT FROM read_json(?, "
    "format = 'newline_delimited', columns = {request: 'STRUCT(tls STRUCT(version BIGINT, cipher_suite BIGINT, resumed BOOLEAN))', "
    "size: 'BIGINT'}) GROUP BY ALL"
)


def duckdb(path, threads, question, answer=rows):
    words = [python(DUCKDB), "-c", ASK_DUCKDB, str(threads), question, path]
    return Program(f"DuckDB, {plural(threads, 'thread')}", words, answer)


def of_code_points(output):
    """Rows whose protocol and suite are code points."""
    by_name = {}
    for (version, suite, resumed), counts in rows(output).items():
        by_name[traffic_inputs.named(int(version), int(suite), resumed.lower() == "true")] = counts
    return by_name


# Bytes decoded by zlib-ng and thrown away.
INFLATE = (
    "import sys\nfrom zlib_ng import gzip_ng\nbuffer = bytearray(1 << 18)\nview = memoryview(buffer)\n"
    "with gzip_ng.open(sys.argv[1], 'rb') as file:\n    while file.readinto(view): pass\n"
)


def zlib_ng(path):
    return Program("zlib-ng alone", [python(ZLIB_NG), "-c", INFLATE, path], lambda _: None, is_floor=True)


def python(package):
    """The interpreter of a virtual environment that has the package."""
    place = traffic_inputs.folder() / "venv" / package.split("=")[0]
    interpreter, whole = place / "bin/python", place / package
    if not whole.exists():
        made = subprocess.run([sys.executable, "-m", "venv", place], capture_output=True, text=True, check=False)
        if made.returncode == 0:
            pip = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]
            made = subprocess.run(pip, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise Cannot(f"{package} cannot be installed: {(made.stderr or made.stdout).strip()[-300:]}")
        whole.touch()
    return interpreter


GOACCESS = '%h %^ %^ [%d:%t %^] "%r" %s %b "%R" "%u" %^ %K %k %^'


def goaccess(path, folder):
    report = folder / "goaccess.json"
    words = [found("goaccess"), path, f"--log-format={GOACCESS}", "--date-format=%d/%b/%Y", "--time-format=%T", "--no-global-config"]
    words += ["--no-progress", "--no-parsing-spinner", "--output", report]
    return Program("GoAccess", words, lambda _: of_goaccess(report))


def of_goaccess(report):
    """Protocols and suites; it has no word for resumption."""
    counts = {}
    for protocol in json.loads(report.read_text())["tls_type"]["data"]:
        for suite in protocol["items"]:
            name = suite["data"].split("/")[-1]
            counts[protocol["data"], name] = (suite["hits"]["count"], suite["bytes"]["count"])
    report.unlink()
    return counts


JQ = (
    'reduce inputs as $line ({}; ($line.request.tls | "\\(.version) \\(.cipher_suite) \\(.resumed)") as $key '
    '| .[$key][0] += 1 | .[$key][1] += $line.size) | to_entries[] | "\\(.key) \\(.value[0]) \\(.value[1])"'
)


def jq(path):
    return Program("jq", [found("jq"), "-n", "-r", JQ, path], of_code_points)


def tcpdump(path):
    return Program("tcpdump -w", [found("tcpdump"), "-r", path, "-w", "/dev/null"], lambda _: None, is_floor=True)


TSHARK_FIELDS = ["tcp.stream", "tls.handshake.type", "tls.handshake.ciphersuite", "tls.handshake.extensions.supported_version"]
TSHARK_FIELDS += ["tls.handshake.extension.type"]


def tshark(path):
    words = [found("tshark"), "-n", "-r", path, "-Y", "tls.handshake.type == 2 || tls.handshake.type == 11", "-T", "fields"]
    return Program("tshark", words + [word for field in TSHARK_FIELDS for word in ("-e", field)], of_tshark)


def of_tshark(output):
    """Connections by what their ServerHello says; in TLS 1.2 the one without a certificate is resumed."""
    hellos, certified = {}, set()
    for line in output.splitlines():
        stream, kinds, suite, version, extensions = line.split("\t")
        kinds = kinds.split(",")
        if "2" in kinds:
            is_tls13 = "0x0304" in version.split(",")
            hellos[stream] = (is_tls13, int(suite.split(",")[0], 16), "41" in extensions.split(","))
        if "11" in kinds:
            certified.add(stream)
    counts = defaultdict(int)
    for stream, (is_tls13, suite, has_psk) in hellos.items():
        is_resumed = has_psk if is_tls13 else stream not in certified
        counts[traffic_inputs.named(772 if is_tls13 else 771, suite, is_resumed)] += 1
    return {key: (connections, None) for key, connections in counts.items()}


def found(program):
    """Where a program is."""
    path = shutil.which(program)
    if path is None:
        raise Cannot(f"{program} is missing: on Debian, apt-get install {program}")
    return path
