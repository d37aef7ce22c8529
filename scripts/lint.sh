#!/usr/bin/env bash
# Format, clippy with every warning an error, and cargo-deny, for the workspace and for each worker.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/steps.sh
PATH="$PWD/target/tools/bin:$PATH"

main() {
    step "installing what is missing"
    scripts/setup.sh lint

    step "format"
    cargo fmt --all --check
    local manifest
    for manifest in workers/*/Cargo.toml; do
        cargo fmt --check --manifest-path "$manifest"
    done
    if has_go; then
        local unformatted
        unformatted="$(gofmt -l workers/go)"
        [[ -z "$unformatted" ]] || fail "not as gofmt wants it:" "$unformatted"
    fi

    step "clippy: workspace"
    cargo clippy --quiet --locked --workspace --all-targets -- -D warnings
    clippy_worker mock
    clippy_worker lean
    local provider
    for provider in $rustls_providers; do
        clippy_worker rustls --no-default-features --features "$provider"
    done
    if has_openssl; then
        clippy_worker native
    else
        note "not checked: workers/native, for want of the headers of OpenSSL"
    fi

    step "fuzz targets"
    cargo check --quiet --locked --manifest-path fuzz/Cargo.toml --target-dir target/fuzz

    step "dependencies: bans, licences, sources"
    deny Cargo.toml deny.toml bans licenses sources
    for manifest in workers/*/Cargo.toml; do
        deny "$manifest" workers/deny.toml licenses sources
    done
    advisories
    all_done "nothing to complain about"
}

# clippy_worker FOLDER [CARGO-ARGUMENTS...]
clippy_worker() {
    local folder="$1"
    shift
    step "clippy: workers/$folder${*:+ $*}"
    cargo clippy --quiet --locked --release --all-targets --manifest-path "workers/$folder/Cargo.toml" --target-dir target/workers \
        "$@" -- -D warnings
}

# deny MANIFEST CONFIGURATION CHECK...
deny() {
    local manifest="$1" configuration="$2"
    shift 2
    cargo deny --locked --manifest-path "$manifest" --config "$configuration" check --hide-inclusion-graph "$@"
}

# Known vulnerabilities are looked up in a database on the network, which not every machine may reach.
advisories() {
    step "dependencies: advisories"
    if ! timeout 120 cargo deny --config deny.toml fetch db >/dev/null 2>&1; then
        note "not checked: the advisory database could not be fetched"
        return
    fi
    deny Cargo.toml deny.toml advisories
    local manifest
    for manifest in workers/*/Cargo.toml; do
        deny "$manifest" workers/deny.toml advisories
    done
}

main
