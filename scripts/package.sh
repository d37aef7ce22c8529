#!/usr/bin/env bash
# Makes the packages of tlstax: a .deb and a wheel, in target/packages. Both hold the program, and workers that were built here and link
# the libraries of the system when they start: no copy of a TLS library but those that rustls is compiled with.
#   scripts/package.sh            what is missing is built
#   scripts/package.sh --no-build of what is built already
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/steps.sh

readonly out=target/packages stage=target/packages/stage
# Workers that a package holds. Go's is larger than all others together.
readonly workers=(openssl gnutls nss rustls-aws-lc rustls-ring rustls-graviola lean control java)
# What a worker is built from, for those who add a library of their own.
readonly sources=(Cargo.toml LICENSE-APACHE LICENSE-MIT pki studies workers/workers.toml workers/sources workers/native workers/rustls
    workers/lean workers/go workers/java workers/node crates/spec crates/stats crates/measure crates/worker)

main() {
    if [[ "${1:-}" != --no-build ]]; then
        step "building tlstax and its workers"
        scripts/setup.sh test
        cargo build --quiet --locked --release -p tlstax
        target/release/tlstax libraries build "${workers[@]}"
    fi
    step "laying out what is installed"
    lay_out
    step "making the .deb"
    scripts/package/deb.sh "$stage" "$out"
    step "making the wheel"
    scripts/package/wheel.sh "$stage" "$out"
    ls -l "$out"/*.deb "$out"/*.whl
    all_done "packaged"
}

# The files as they are below a prefix: bin/tlstax, share/tlstax, man pages, completions.
lay_out() {
    local share="$stage/share/tlstax"
    rm -rf "$stage"
    mkdir -p "$stage/bin" "$share/target/workers/bin"
    strip --strip-unneeded -o "$stage/bin/tlstax" target/release/tlstax
    git ls-files -z -- "${sources[@]}" | tar --null --files-from=- --create | tar --extract --directory "$share"
    # Where this file is, nothing is written.
    echo "tlstax is installed here; what it and you add goes to the state folder: docs/installing.md" >"$share/installed"
    cp crates/spec/src/known_answers.json "$share/workers/go/"
    local worker
    for worker in "${workers[@]}"; do put_worker "$worker" "$share/target/workers/bin"; done
    put_node "$share/target/workers/bin"
    target/release/tlstax generate man "$stage/share/man/man1" >/dev/null
    gzip --no-name --best "$stage"/share/man/man1/*
    mkdir -p "$stage/share/bash-completion/completions" "$stage/share/zsh/site-functions"
    target/release/tlstax generate completions bash >"$stage/share/bash-completion/completions/tlstax"
    target/release/tlstax generate completions zsh >"$stage/share/zsh/site-functions/_tlstax"
}

# put_worker ID FOLDER: a worker and its record.
put_worker() {
    local from="target/workers/bin/$1"
    [[ -f "$from" ]] || { note "$1 is not built, so no package has it"; return; }
    # Java's is a script with a jar behind it.
    if [[ "$(head -c 4 "$from")" == $'\x7fELF' ]]; then strip --strip-unneeded -o "$2/$1" "$from"; else cp "$from" "$2/$1"; fi
    cp "$from.json" "$2/$1.json"
}

# put_node FOLDER: Node's starts its script, wherever it was installed.
put_node() {
    [[ -f target/workers/bin/node.json ]] || return 0
    printf '#!/bin/sh\nexec node "$(dirname "$0")/../../../workers/node/worker.mjs" "$@"\n' >"$1/node"
    chmod 755 "$1/node"
    cp target/workers/bin/node.json "$1/"
}

main "$@"
