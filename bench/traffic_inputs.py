"""The inputs of bench/traffic.py, made once in a cache outside the tree: an access log of nginx, one of Caddy, parts of both, and what
is true of them.

What belongs here: making inputs. What does not: programs that read them. Everything is drawn from one seed, so the same seed makes the
same bytes; a name has seed and size in it. Nobody's traffic is in them: addresses are those of RFC 5737 and RFC 3849.
"""

import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

from program import Cannot

SEED = 14

# In /etc/nginx/nginx.conf this is the format of the log.
FORMAT = (
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" '
    "$connection_requests $ssl_protocol $ssl_cipher $ssl_session_reused"
)

# Share of connections, protocol and suite as nginx writes them, and their code points.
SUITES = [
    (52, "TLSv1.3", "TLS_AES_256_GCM_SHA384", 772, 4866),
    (24, "TLSv1.3", "TLS_AES_128_GCM_SHA256", 772, 4865),
    (6, "TLSv1.3", "TLS_CHACHA20_POLY1305_SHA256", 772, 4867),
    (12, "TLSv1.2", "ECDHE-RSA-AES128-GCM-SHA256", 771, 49199),
    (5, "TLSv1.2", "ECDHE-ECDSA-AES256-GCM-SHA384", 771, 49196),
    (1, "TLSv1.2", "ECDHE-RSA-CHACHA20-POLY1305", 771, 52392),
]
RESUMED = 0.81

# 2026-11-20 00:00:00 UTC.
BEGIN = 1795132800
PER_SECOND = 60
BLOCK = 12_000


def folder():
    """The cache of tlstax, where the user has it."""
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    found = Path(os.environ.get("TLSTAX_CACHE") or caches / "tlstax") / "bench-traffic"
    found.mkdir(parents=True, exist_ok=True)
    return found


class Input:
    """A file, and how many requests and bytes there are of each protocol, suite and resumption in it."""

    def __init__(self, path):
        self.path = path
        self.size = path.stat().st_size
        counted = json.loads(beside(path).read_text())
        self.counts = {tuple(key): tuple(value) for key, value in counted}
        self.entries = sum(requests for requests, _ in self.counts.values())


def beside(path):
    return path.with_name(path.name + ".counts.json")


def made(path, make):
    """The input at this path; made first if it is not there. What was begun and not ended is under another name."""
    if not (path.exists() and beside(path).exists()):
        print(f"making {path}", file=sys.stderr, flush=True)
        new = path.with_name(path.name + ".new")
        counts = make(new)
        beside(path).write_text(json.dumps([[list(key), list(value)] for key, value in sorted(counts.items())]))
        new.rename(path)
    return Input(path)


def nginx_configuration():
    path = folder() / "nginx.conf"
    path.write_text(f"events {{}}\nhttp {{\n    log_format bench '{FORMAT}';\n    access_log access.log bench;\n}}\n")
    return path


def nginx_log(size, seed):
    return made(folder() / f"nginx-{size // 10**6}mb-{seed}.log", lambda path: write(path, size, seed, nginx_lines))


def caddy_log(size, seed):
    return made(folder() / f"caddy-{size // 10**6}mb-{seed}.json", lambda path: write(path, size, seed, caddy_lines))


def packed(source, program, ending):
    """A compressed copy."""
    path = source.path.with_name(source.path.name + ending)
    if not shutil.which(program):
        raise Cannot(f"{program} is missing: on Debian, apt-get install {program}")

    def make(new):
        with new.open("wb") as file:
            subprocess.run([program, "-c", source.path], stdout=file, check=True)
        return source.counts

    return made(path, make)


def write(path, size, seed, lines):
    """Blocks of lines until there are so many bytes."""
    draw, counts, written, at = random.Random(seed), {}, 0, BEGIN
    world = World(draw)
    with path.open("wb") as file:
        while written < size:
            seen, text = lines(world, draw, BLOCK, at)
            at += BLOCK // PER_SECOND
            written += file.write(text.encode())
            for key, value in seen:
                known = counts.get(key, (0, 0))
                counts[key] = (known[0] + value[0], known[1] + value[1])
    return counts


class World:
    """Who asks, and for what."""

    def __init__(self, draw):
        addresses = [f"{net}.{last}" for net in ("192.0.2", "198.51.100", "203.0.113") for last in range(1, 255)]
        self.addresses = addresses + [f"2001:db8::{draw.randrange(1 << 16):x}" for _ in range(100)]
        words = ["static", "img", "js", "css", "api", "v1", "items", "users", "cart", "search", "feed", "assets"]
        self.paths = ["/" + "/".join(draw.choices(words, k=draw.randint(1, 3))) + ending(draw) for _ in range(20_000)]
        self.agents = [agent(draw) for _ in range(1_500)]
        self.referers = ["-"] * 3 + [f"https://www.example/{word}" for word in words]
        self.sizes = [min(int(draw.lognormvariate(8, 1.6)), 50_000_000) for _ in range(50_000)]
        # Connections as (protocol, suite, resumed), by their number.
        self.kinds = [kind for kind in SUITES for _ in range(kind[0])]

    def requests(self, draw, count):
        """The parts of so many requests."""
        resumed = draw.choices([True, False], [RESUMED, 1 - RESUMED], k=count)
        return zip(
            draw.choices(self.addresses, k=count),
            draw.choices(["GET", "GET", "GET", "HEAD", "POST"], k=count),
            draw.choices(self.paths, k=count),
            draw.choices([200, 200, 200, 200, 304, 404, 206], k=count),
            draw.choices(self.sizes, k=count),
            draw.choices(self.referers, k=count),
            draw.choices(self.agents, k=count),
            draw.choices([1, 1, 2, 3, 4, 5, 6, 12], k=count),
            draw.choices(self.kinds, k=count),
            resumed,
        )


def ending(draw):
    kinds = ["", f"/{draw.randrange(10**6)}", ".js", ".css", ".png", ".html", f"?q={draw.randrange(10**4)}"]
    return draw.choice(kinds)


def agent(draw):
    """One of a browser or of a program."""
    if draw.random() < 0.25:
        return f"{draw.choice(['curl', 'okhttp', 'python-requests', 'Go-http-client'])}/{draw.randint(1, 9)}.{draw.randrange(90)}"
    systems = ["X11; Linux x86_64", "Windows NT 10.0", "Macintosh", "Android 14"]
    return f"Mozilla/5.0 ({draw.choice(systems)}) Gecko/{draw.randint(100, 140)}.0 Firefox/{draw.randint(100, 140)}.{draw.randrange(10)}"


def counted(keys, sizes):
    requests, bytes_of = Counter(keys), Counter()
    for key, size in zip(keys, sizes):
        bytes_of[key] += size
    return [(key, (requests[key], bytes_of[key])) for key in requests]


def nginx_lines(world, draw, count, at):
    lines, keys, sizes = [], [], []
    stamps = [stamp(at + second) for second in range(count // PER_SECOND + 1)]
    for index, (address, method, path, status, size, referer, agent_, ordinal, kind, resumed) in enumerate(world.requests(draw, count)):
        _, protocol, suite, _, _ = kind
        reused = "r" if resumed else "."
        lines.append(
            f'{address} - - [{stamps[index // PER_SECOND]}] "{method} {path} HTTP/1.1" {status} {size} "{referer}" "{agent_}" '
            f"{ordinal} {protocol} {suite} {reused}\n"
        )
        keys.append((protocol, suite, reused))
        sizes.append(size)
    return counted(keys, sizes), "".join(lines)


def stamp(at):
    return datetime.fromtimestamp(at, timezone.utc).strftime("%d/%b/%Y:%H:%M:%S +0000")


def caddy_lines(world, draw, count, at):
    lines, keys, sizes = [], [], []
    for index, (address, method, path, status, size, _, agent_, ordinal, kind, resumed) in enumerate(world.requests(draw, count)):
        _, _, _, version, suite = kind
        is_resumed = "true" if resumed else "false"
        port = 1024 + (index - ordinal) % 60_000
        lines.append(
            f'{{"level":"info","ts":{at + index / PER_SECOND:.7f},"logger":"http.log.access.site","msg":"handled request",'
            f'"request":{{"remote_ip":"{address}","remote_port":"{port}","proto":"HTTP/2.0","method":"{method}",'
            f'"host":"www.example","uri":"{path}","headers":{{"User-Agent":["{agent_}"],"Accept":["*/*"],'
            f'"Accept-Encoding":["gzip, deflate, br"]}},"tls":{{"resumed":{is_resumed},"version":{version},'
            f'"cipher_suite":{suite},"proto":"h2","server_name":"www.example"}}}},"user_id":"","duration":0.000929675,'
            f'"size":{size},"status":{status},"resp_headers":{{"Server":["Caddy"],"Content-Type":["text/html; charset=utf-8"],'
            f'"Etag":["\\"r4q1ej{index % 997}\\""]}}}}\n'
        )
        keys.append((version, suite, resumed))
        sizes.append(size)
    return counted([named(*key) for key in keys], sizes), "".join(lines)


NAMES = {(version, code): (protocol, suite) for _, protocol, suite, version, code in SUITES}


def named(version, code, resumed):
    """A kind by code points, in the words of nginx."""
    protocol, suite = NAMES[version, code]
    return protocol, suite, "r" if resumed else "."
