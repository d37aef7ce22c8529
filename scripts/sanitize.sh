#!/usr/bin/env bash
# The C side of workers/native under AddressSanitizer (with leaks) and UndefinedBehaviorSanitizer, by a short run of the
# conformance suite, for each backend whose library the system has. The libraries themselves are not instrumented.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/steps.sh

# A finding ends the run: the suite must not count it as one failed check among many.
export ASAN_OPTIONS="halt_on_error=1:detect_leaks=1"
export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1"
readonly target=target/sanitized

main() {
    step "installing what is missing"
    scripts/setup.sh test
    step "building tlstax"
    cargo build --quiet --locked -p tlstax
    has_openssl && sanitize openssl "libssl libcrypto"
    pkg-config --exists gnutls 2>/dev/null && sanitize gnutls gnutls
    pkg-config --exists nss 2>/dev/null && sanitize nss nss
    all_done "the sanitizers found nothing"
}

# sanitize BACKEND MODULES
sanitize() {
    step "workers/native, backend $1, under ASan and UBSan"
    TLSTAX_BACKEND="$1" TLSTAX_MODULES="$2" TLSTAX_SANITIZE=address,undefined \
        cargo build --quiet --locked --release --manifest-path workers/native/Cargo.toml --target-dir "$target"
    # The runtime must be there before all else, which a program linked by rustc does not see to.
    local runtime log="$target/$1.log"
    runtime="$(cc -print-file-name=libasan.so)"
    LD_PRELOAD="$runtime" "$target/release/tlstax-worker-native" --conformance pki >"$log" 2>&1 </dev/null ||
        found "$1" "$log"
    note "$(tail -n 1 "$log")"
    over_the_bridge "$1" "$runtime" >"$log" 2>&1 || found "$1" "$log"
    note "$(tail -n 1 "$log")"
}

# over_the_bridge BACKEND RUNTIME: the short suite, with the program as the one library of a project of its own.
over_the_bridge() {
    local home="$target/home/$1"
    mkdir -p "$home/workers"
    ln -sfn "$PWD/pki" "$home/pki"
    printf '[[library]]\nid = "%s"\nabout = "under sanitizers"\nprogram = ["%s"]\nenv = { LD_PRELOAD = "%s" }\n' \
        "$1" "$PWD/$target/release/tlstax-worker-native" "$2" >"$home/workers/workers.toml"
    target/debug/tlstax libraries conform "$1" --short --home "$home"
}

# found BACKEND LOG
found() {
    fail "backend $1: see $2" "$(grep -m 5 -A 12 -e '^FAIL' -e 'ERROR: ' -e 'runtime error' "$2" || tail -n 20 "$2")"
}

main
