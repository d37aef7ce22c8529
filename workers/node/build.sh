#!/usr/bin/env bash
# build.sh OUT: nothing is compiled; OUT becomes a program that starts the worker where it lies.
set -euo pipefail
readonly here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)" out="${1:?usage: build.sh OUT}"
command -v node >/dev/null || { echo "there is no node on the PATH: apt-get install nodejs" >&2; exit 1; }
printf '#!/bin/sh\nexec node %q "$@"\n' "$here/worker.mjs" >"$out"
chmod 755 "$out"
