#!/usr/bin/env bash
# Installs what a build needs and this machine lacks. Changes nothing where all is there.
#   scripts/setup.sh         to build, run and test
#   scripts/setup.sh lint    the tools of `make lint` as well
#   scripts/setup.sh test    the libraries, languages, servers and clients that the tests use, and a browser, as far as they can
#                            be had; no service is started
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/steps.sh

# The version that is known to read our deny.toml with the oldest compiler we support.
readonly cargo_deny_version=0.20.2
readonly duckdb_version=2.0.0

main() {
    need_rust
    need_packages
    if [[ "${1:-}" == lint ]]; then
        need_component fmt rustfmt
        need_component clippy clippy
        need_cargo_deny
    elif [[ "${1:-}" == test ]]; then
        want_libraries
        want_servers
        want_browser
        want_duckdb
    fi
}

need_rust() {
    local wanted have
    wanted="$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)"
    local remedy=(
        "Get a current one from https://rustup.rs, or with the distribution's package:"
        "  sudo apt-get install rustup && rustup default stable    (Debian 13, Ubuntu 24.04 and later)"
    )
    command -v cargo >/dev/null || fail "there is no Rust on the PATH; tlstax needs $wanted or later." "${remedy[@]}"
    # A rustup without a toolchain has a cargo that only explains itself.
    have="$({ cargo --version 2>/dev/null || true; } | sed -n 's/^cargo \([0-9.]*\).*/\1/p')"
    [[ -n "$have" ]] || fail "cargo does not run: $(cargo --version 2>&1 | head -n 1 || true)" "${remedy[@]}"
    at_least "$have" "$wanted" || fail "Rust $have is too old; tlstax needs $wanted or later." "${remedy[@]}"
}

# at_least HAVE WANTED: compares version numbers.
at_least() { [[ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" == "$2" ]]; }

need_packages() {
    local packages
    packages="$(missing_packages)"
    if [[ -n "$packages" ]]; then
        step "installing with apt-get:$packages"
        # shellcheck disable=SC2086 # a list of words
        install $packages || note "apt-get could not install them (its message is above)"
    fi
    command -v cc >/dev/null || fail "there is no C compiler." "Install one: on Debian, apt-get install gcc libc6-dev"
    has_openssl || note "no headers of OpenSSL here: going on without the library \"openssl\"." \
        "To have it: on Debian, apt-get install libssl-dev pkg-config"
}

missing_packages() {
    command -v cc >/dev/null || printf ' gcc libc6-dev'
    command -v make >/dev/null || printf ' make'
    command -v openssl >/dev/null || printf ' openssl'
    command -v pkg-config >/dev/null || printf ' pkg-config'
    # Without pkg-config this installs one package too many rather than one too few.
    has_openssl || printf ' libssl-dev'
}

# install PACKAGE...: quietly.
install() {
    may_be_root || { note "not root, and there is no sudo"; return 1; }
    command -v apt-get >/dev/null || { note "there is no apt-get here"; return 1; }
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
    # Package lists of a fresh image are empty or old. Where they cannot be had, what is in the cache may still do.
    as_root "${apt[@]}" update || note "the package lists could not be brought up to date"
    # --no-upgrade: a newer OpenSSL under the programs of this machine is not ours to decide, and it would change figures.
    as_root "${apt[@]}" install --no-install-recommends --no-upgrade "$@" >/dev/null
}

may_be_root() { [[ "$(id -u)" == 0 ]] || command -v sudo >/dev/null; }

# as_root COMMAND...: with sudo where we are not; it asks for a password only where somebody can give it.
as_root() {
    if [[ "$(id -u)" == 0 ]]; then
        "$@"
    elif [[ -t 0 ]]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

# without_services COMMAND...: what it installs is not started. Debian asks this file before it starts a service; 101 is no.
# In a subshell, which ends with the trap.
without_services() (
    readonly policy=/usr/sbin/policy-rc.d
    may_be_root || { note "not root, and there is no sudo"; return 1; }
    if [[ -e "$policy" || -L "$policy" ]]; then
        forbids_services || { note "$policy is there, and lets services start: left alone, and nothing installed"; return 1; }
    else
        # noclobber: nor one that comes into being at this moment.
        as_root sh -c 'set -C; printf "#!/bin/sh\nexit 101\n" >"$0" && chmod 755 "$0"' "$policy" || return 1
        trap 'as_root rm -f "$policy"' EXIT
        trap 'exit 130' INT
        trap 'exit 143' TERM HUP
    fi
    "$@"
)

forbids_services() {
    local answer=0
    /usr/sbin/policy-rc.d nginx start >/dev/null 2>&1 || answer=$?
    [[ "$answer" == 101 ]]
}

# need_component COMMAND COMPONENT: a part of the Rust toolchain.
need_component() {
    cargo "$1" --version >/dev/null 2>&1 && return
    command -v rustup >/dev/null || fail "there is no cargo $1." "Install the package $2 of the distribution, or use rustup."
    step "installing $2"
    rustup component add "$2"
}

# What the tests go on without, saying so.
want_libraries() {
    local packages=""
    pkg-config --exists gnutls nettle 2>/dev/null || packages+=" libgnutls28-dev nettle-dev"
    pkg-config --exists nss 2>/dev/null || packages+=" libnss3-dev"
    has_cmake || packages+=" cmake g++"
    has_java || packages+=" openjdk-17-jdk-headless"
    has_node || packages+=" nodejs"
    has_program valgrind || packages+=" valgrind"
    if [[ -n "$packages" ]]; then
        step "installing with apt-get:$packages"
        # shellcheck disable=SC2086 # a list of words
        install $packages || note "not all of them could be installed: what they are for will not be tested"
    fi
    has_go || note "no Go of the version in workers/go/go.mod: its worker will not be tested"
}

# Servers and clients that people run. Without them their tests say what they leave out.
want_servers() {
    local one packages="" services=""
    for one in nginx haproxy lighttpd caddy; do
        has_program "$one" || { packages+=" $one"; services+=" $one"; }
    done
    # This one has the program and no service.
    has_program apache2 || packages+=" apache2-bin"
    for one in openssl webdav; do
        [[ -e "/usr/lib/lighttpd/mod_$one.so" ]] || packages+=" lighttpd-mod-$one"
    done
    perl -MFCGI -e 1 2>/dev/null || packages+=" libfcgi-perl"
    has_program curl || packages+=" curl"
    has_program wget || packages+=" wget"
    has_program ab || packages+=" apache2-utils"
    has_program h2load || packages+=" nghttp2-client"
    has_program wrk || packages+=" wrk"
    has_program tcpdump || packages+=" tcpdump"
    [[ -n "$packages" ]] || return 0
    step "installing with apt-get, without starting a service:$packages"
    # shellcheck disable=SC2086 # a list of words
    without_services install $packages || note "not all of them could be installed: what they are for will not be tested"
    # Nor at the next boot.
    for one in $services; do
        if has_program "$one" && command -v systemctl >/dev/null; then
            as_root systemctl --quiet disable "$one.service" >/dev/null 2>&1 || true
        fi
    done
}

want_browser() {
    command -v chromium >/dev/null || command -v google-chrome >/dev/null && return
    step "installing with apt-get: chromium"
    install chromium || note "no browser: the report page will not be opened in one"
}

# The database that a recipe of docs/traffic-recipes.md is for, in a folder of its own.
want_duckdb() {
    target/duckdb/bin/python -c 'import duckdb' 2>/dev/null && return
    has_program python3 || { note "no python3: the recipe for DuckDB will not be tested"; return; }
    step "installing DuckDB $duckdb_version into target/duckdb"
    python3 -c 'import ensurepip' 2>/dev/null || install python3-venv || true
    python3 -m venv target/duckdb && target/duckdb/bin/pip install --quiet --disable-pip-version-check "duckdb==$duckdb_version" ||
        note "it could not be installed: its recipe will not be tested"
}

need_cargo_deny() {
    PATH="$PWD/target/tools/bin:$PATH" command -v cargo-deny >/dev/null && return
    step "building cargo-deny $cargo_deny_version into target/tools (once; a few minutes)"
    # Its own release profile is for those who ship it: it would take several times as long to build.
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
        cargo install --quiet --locked --root target/tools "cargo-deny@$cargo_deny_version"
}

main "$@"
