#!/usr/bin/env bash
# glibc.sh FILE...: the oldest version of glibc that has every symbol that these programs ask for.
set -euo pipefail

for file in "$@"; do
    # Scripts ask for none.
    objdump -T "$file" 2>/dev/null || true
done | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -n 1
