#!/usr/bin/env bash
# Every test: the workspace, each worker's own tests, every library that can be had here through the conformance suite, and
# each with others over sockets.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/steps.sh

main() {
    step "installing what is missing"
    scripts/setup.sh test

    step "checking the test certificates"
    pki/check.sh

    # With its tests, whose dependencies have more features: built alone, most of it would be compiled twice. An optimised build
    # would take longer and show nothing else.
    step "building tlstax and its tests"
    cargo test --quiet --locked --workspace --no-run

    local libraries
    read -r -a libraries <<<"$(libraries)"
    step "building the libraries; each worker passes the conformance suite: ${libraries[*]}"
    target/debug/tlstax libraries build --strict "${libraries[@]}"

    # Tests through the whole program mostly wait for processes, so two of them share a core.
    step "testing the workspace"
    RUST_TEST_THREADS=$((2 * $(nproc))) cargo test --quiet --locked --workspace

    test_worker mock
    test_worker lean
    test_rustls
    test_worker native has_openssl
    test_by_script go has_go workers/go/build.sh --check
    test_by_script java has_java workers/java/test.sh
    test_python

    interop
    real_servers
    real_study
    report_page
    all_done "all tests passed"
}

# libraries: the ids of what can be built on this machine. Two are made at a time: the slowest first, so that none is left alone.
libraries() {
    local ids=(rustls-aws-lc)
    # Built from source in a minute and a half; the others are the user's to ask for.
    has_cmake && ids+=(mbedtls)
    has_java && ids+=(java)
    has_cmake && ids+=(aws-lc)
    pkg-config --exists gnutls 2>/dev/null && ids+=(gnutls)
    has_openssl && ids+=(openssl)
    pkg-config --exists nss 2>/dev/null && ids+=(nss)
    has_go && ids+=(go)
    ids+=(rustls-ring rustls-graviola lean control)
    has_node && ids+=(node)
    echo "${ids[*]}"
}

# Each library that was built, as server and as client of itself, of OpenSSL and of rustls, on new connections and on those that
# are kept alive. Providers of rustls differ in primitives alone; the others meet in `tlstax libraries check`.
interop() {
    local one ids=() partners=()
    for one in openssl rustls-aws-lc gnutls nss go java mbedtls aws-lc lean; do
        [[ ! -x "target/workers/bin/$one" ]] || ids+=("$one")
    done
    for one in openssl rustls-aws-lc; do
        [[ ! -x "target/workers/bin/$one" ]] || partners+=("$one")
    done
    step "letting libraries meet over sockets: ${ids[*]}"
    local found
    found="$(target/debug/tlstax libraries check "${ids[@]}" --against "$(IFS=,; echo "${partners[*]}")" 2>/dev/null)" ||
        fail "libraries that cannot talk to each other:" "$found"
    note "${found%%$'\n'*}"
}

# Each server that is installed here, started for a client of ours: what both count must agree.
real_servers() {
    local one ids=()
    for one in nginx apache haproxy lighttpd caddy; do
        if has_program "${one/apache/apache2}"; then
            ids+=("$one")
        else
            note "not tested: $one, which is not installed"
        fi
    done
    [[ ${#ids[@]} -gt 0 ]] || return 0
    step "loading real servers: ${ids[*]}"
    local found
    found="$(target/debug/tlstax load -l "$(IFS=,; echo "${ids[*]}")" --client rustls-aws-lc --requests 0,1 --body 1024 \
        --verify --quiet)" || fail "a server that cannot be loaded:" "$found"
    grep -v ': works$' <<<"$found" || true
}

# Every case of the study that a newcomer runs, once, with the real libraries.
real_study() {
    step "verifying the study quick"
    local found
    found="$(target/debug/tlstax measure quick --verify --quiet)" || fail "a case of the study quick failed:" "$found"
    grep -v ': works$' <<<"$found" || true
}

# The page that a newcomer opens, in a real browser where there is one.
report_page() {
    step "opening a report page"
    rm -rf target/page
    target/debug/tlstax speed sha256 x25519 --library rustls-aws-lc --budget 10s --quiet \
        --output target/page/report >/dev/null
    web/check.sh target/page/report.html
    target/debug/tlstax claims S1-sha S3-sha S3-ecdsa-rsa --budget 10s --quiet --output target/page/claims >/dev/null
    web/check.sh target/page/claims.html
    target/debug/tlstax report crates/report/tests/golden/plan.json --format html >target/page/plan.html
    web/check.sh target/page/plan.html
}

# test_worker FOLDER [CONDITION]
test_worker() {
    if [[ $# -gt 1 ]] && ! "$2"; then
        note "not tested: workers/$1, for want of its library"
        return
    fi
    step "testing workers/$1"
    cargo test --quiet --locked --release --manifest-path "workers/$1/Cargo.toml" --target-dir target/workers
}

test_rustls() {
    local provider
    for provider in $rustls_providers; do
        step "testing workers/rustls with $provider"
        cargo test --quiet --locked --release --manifest-path workers/rustls/Cargo.toml --target-dir target/workers \
            --no-default-features --features "$provider"
    done
}

# With the program of these tests, whose figures the package takes.
test_python() {
    has_python || { note "not tested: the Python package, for want of Python 3.10"; return; }
    step "testing the Python package"
    TLSTAX="$PWD/target/debug/tlstax" python/test.sh
}

# test_by_script NAME CONDITION COMMAND...
test_by_script() {
    if ! "$2"; then
        note "not tested: workers/$1, for want of its language"
        return
    fi
    step "testing workers/$1"
    "${@:3}"
}

main
