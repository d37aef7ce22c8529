#!/usr/bin/env bash
# gate.sh BASE HEAD [FLAG...]: tlstax gate as a step of a CI job, with its summary in Markdown. LIKE is the library that prefixes
# are used like. Exit codes are those of tlstax gate.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

[[ $# -ge 2 ]] || { printf 'usage: %s BASE HEAD [FLAG...]\n' "$0" >&2 && exit 2; }
cargo build --quiet --locked --release -p tlstax --manifest-path "$root/Cargo.toml" >&2
"$root/target/release/tlstax" libraries build "${LIKE:-openssl}" >&2
"$root/target/release/tlstax" gate --base "$1" --head "$2" --like "${LIKE:-openssl}" --format md "${@:3}" \
    >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
