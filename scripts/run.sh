#!/usr/bin/env bash
# Measures this machine: builds tlstax and the default libraries, and runs the study "quick".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/steps.sh

main() {
    step "installing what is missing"
    scripts/setup.sh
    step "building tlstax"
    cargo build --quiet --locked --release -p tlstax
    step "building the libraries and their workers"
    target/release/tlstax libraries build default
    step "measuring"
    target/release/tlstax measure quick
    # On a terminal the answer is the last word.
    [[ -t 1 ]] || all_done "measured"
}

main
