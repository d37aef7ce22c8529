#!/usr/bin/env bash
# Every bench, one after another, and their last lines again at the end. Let nothing else run on the machine meanwhile.
#   bench/run.sh           an hour
#   bench/run.sh --quick   some minutes: fewer rounds, and figures that say less
#   bench/run.sh --full    two hours and a half: every size, every seed, as README.md shows it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/steps.sh

names=()
last_lines="$(mktemp -d)"
trap 'rm -rf "$last_lines"' EXIT

main() {
    cargo build --quiet --locked --release -p tlstax
    target/release/tlstax libraries build
    case "${1:-}" in
    --quick) all --quick ;;
    --full) all ;;
    "")
        bench openssl_speed --size 64,8192
        bench sweep
        bench accounting
        bench overhead
        bench repeat
        bench planted --seeds 20
        bench gate --rounds 5
        bench claims --seeds 10
        bench modes --iterations 20000 --processes 4
        bench peers
        bench ratios
        bench loads
        bench observe --rounds 3
        bench observe_symbols --rounds 2
        bench observe_classes
        bench observe_callgrind
        bench traffic
        bench plan --server nginx --workloads 8
        ;;
    *) fail "'$1' is no option of this script." "It knows --quick and --full." ;;
    esac
    summary
}

all() {
    local name
    for name in openssl_speed sweep accounting overhead repeat planted gate claims modes peers ratios loads observe observe_symbols observe_classes observe_callgrind traffic plan; do
        bench "$name" "$@"
    done
}

# bench NAME [ARGUMENTS...]: runs it, and keeps its last line. One that cannot run does not stop the others.
bench() {
    local name="$1"
    shift
    names+=("$name")
    python3 "bench/$name.py" "$@" 2>&1 | tee "$last_lines/$name" || true
}

summary() {
    printf '\n'
    step "summary"
    local name
    for name in "${names[@]}"; do
        printf '%s: %s\n' "$name" "$(tail -n 1 "$last_lines/$name")"
    done
}

main "$@"
