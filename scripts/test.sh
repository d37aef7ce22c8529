#!/usr/bin/env bash
# Every test: the workspace, each worker's own tests, and the conformance suite of every worker that was built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/steps.sh

main() {
    step "checking the test certificates"
    pki/check.sh

    step "building tlstax and the workers"
    cargo build --quiet --locked --release -p tlstax
    # The end-to-end tests below run the mock worker.
    if has_openssl; then
        target/release/tlstax libraries build --strict
    else
        target/release/tlstax libraries build
    fi

    step "testing the workspace"
    cargo test --quiet --locked --workspace

    test_worker mock
    test_worker rustls
    test_worker rustls --no-default-features --features ring
    if has_openssl; then
        test_worker native
    else
        note "not tested: workers/native, for want of the headers of OpenSSL"
    fi

    local words
    while read -r -a words; do
        conformance "${words[@]}"
    done < <(programs)
    real_study
    report_page
    step "all tests passed"
}

# Every case of the study that a newcomer runs, once, with the real libraries.
real_study() {
    step "verifying the study quick"
    local found
    found="$(target/release/tlstax measure quick --verify --quiet)" || fail "a case of the study quick failed:" "$found"
    grep -v ': works$' <<<"$found" || true
}

# The page that a newcomer opens, in a real browser where there is one.
report_page() {
    step "opening a report page"
    rm -rf target/page
    target/release/tlstax speed sha256 x25519 --library rustls-aws-lc --budget 10s --quiet \
        --output target/page/report >/dev/null
    web/check.sh target/page/report.html
}

# test_worker FOLDER [CARGO-ARGUMENTS...]
test_worker() {
    local folder="$1"
    shift
    step "testing workers/$folder${*:+ $*}"
    cargo test --quiet --locked --release --manifest-path "workers/$folder/Cargo.toml" --target-dir target/workers "$@"
}

# programs: one line for each program of workers.toml: how it is started. Blocks may share one.
programs() { sed -n 's/^program *= *\[\(.*\)\].*/\1/p' workers/workers.toml | tr -d '",' | sort -u; }

# conformance PROGRAM [ARGUMENTS...]: what a library claims must work before it may be timed.
conformance() {
    step "conformance: ${1##*/}"
    if [[ -x "$1" ]]; then
        # Not the list that the loop reads.
        "$@" --conformance pki </dev/null
    elif [[ "$1" == */openssl ]] && ! has_openssl; then
        note "not built, for want of the headers of OpenSSL"
    else
        fail "$1 was not built." "Run target/release/tlstax libraries build and read why."
    fi
}

main
