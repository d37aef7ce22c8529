"""An nginx of a bench's own, loaded by tlstax and observed meanwhile.

What belongs here: its configuration, start and end, one capture under load. What does not: what is made of the profile.
"""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import program
from program import ROOT, TLSTAX, Cannot

# Files that it has, and their sizes.
FILES = {"small": 1024, "large": 100 * 1024}

# A load has begun in earnest when the server has worked for so long, and it does so in this time; seconds.
WARM, PATIENCE = 0.2, 20


class Nginx:
    """A server with one worker process on loopback, until the block ends: of HTTPS if it is given a key, else of HTTP."""

    def __init__(self, folder, port, key=None, libraries=None):
        self.folder, self.port, self.libraries = folder / f"nginx-{port}", port, libraries
        self.pki = ROOT / "pki" / key if key else None

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "html").mkdir(parents=True)
        for name, size in FILES.items():
            (self.folder / "html" / name).write_bytes(os.urandom(size))
        configuration = self.folder / "nginx.conf"
        configuration.write_text(self.configuration())
        environment = {**os.environ, **({"LD_LIBRARY_PATH": str(self.libraries)} if self.libraries else {})}
        words = ["taskset", "-c", str(program.measuring_core()), "nginx", "-p", str(self.folder), "-c", str(configuration)]
        self.process = subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        if self.process.poll() is not None:
            raise Cannot(f"nginx does not start on port {self.port}: {self.process.stderr.read().strip()}")
        return self

    def configuration(self):
        places = " ".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        # As in the servers of tlstax's own loads: nobody comes back, so there are no tickets.
        tickets = "ssl_session_tickets off; ssl_session_cache off; ssl_conf_command NumTickets 0;"
        certificate = f"ssl_certificate {self.pki}/server-2.pem; ssl_certificate_key {self.pki}/server.key;"
        secure = f"{certificate} ssl_protocols TLSv1.2 TLSv1.3; {tickets}" if self.pki else ""
        return f"""
daemon off;
{'user root;' if os.geteuid() == 0 else ''}
worker_processes 1;
error_log {self.folder}/error.log;
pid {self.folder}/nginx.pid;
events {{ worker_connections 512; }}
http {{
    access_log off;
    {places}
    # TLS has to send files through the process; HTTP beside it does the same.
    sendfile off;
    server {{
        listen 127.0.0.1:{self.port}{' ssl' if self.pki else ''};
        {secure}
        keepalive_requests 100000000;
        keepalive_timeout 300s;
        root {self.folder}/html;
    }}
}}
"""

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def load(self, folder, words, seconds, is_observed=True):
        """The results of a load, and the profile of so many seconds of it."""
        results, profile = folder / "load.json", folder / "profile.json"
        profile.unlink(missing_ok=True)
        client = [TLSTAX, "load", "--server", f"127.0.0.1:{self.port}", *words, "--budget", f"{seconds + 8}s"]
        client += ["--precision", "0.01", "--quiet", "--output", results]
        loading = subprocess.Popen(list(map(str, client)), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if is_observed and self.is_at_work(loading):
            program.tlstax("observe", "--pid", self.process.pid, "--for", f"{seconds}s", "--quiet", "--json", "--output", profile)
        error = loading.communicate()[1]
        if loading.returncode != 0:
            raise Cannot(f"the load ended with exit code {loading.returncode}: {error.strip()[-400:] or 'no figure in that time'}")
        if is_observed and not profile.exists():
            raise Cannot(f"the server had no load within {PATIENCE} s: leave the machine alone meanwhile")
        return json.loads(results.read_text()), json.loads(profile.read_text()) if is_observed else None

    def is_at_work(self, loading):
        """Waits until the worker process is under load; whether it is."""
        begun, until = self.worked(), time.monotonic() + PATIENCE
        while self.worked() < begun + WARM and loading.poll() is None and time.monotonic() < until:
            time.sleep(0.1)
        return self.worked() >= begun + WARM

    def worked(self):
        """Seconds of CPU time of the worker processes."""
        master = self.process.pid
        workers = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        return sum(int(Path(f"/proc/{worker}/schedstat").read_text().split()[0]) for worker in workers) / 1e9
