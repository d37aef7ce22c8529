#!/usr/bin/env bash
# Tests of the Python package: python/test.sh. They need Python 3.10 or later and nothing else; what needs the program, mypy or a
# package of data frames is left out, with the reason, where that is not there. PYTHON names another interpreter.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
PYTHONPATH=src exec "${PYTHON:-python3}" -B -W error -m unittest discover --start-directory tests "$@"
