#!/bin/bash
# Runs the worker's own tests with a plain java.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${bin}javac" --release 17 -Xlint:all -Werror -d "$work" "$here"/src/tlstax/worker/*.java "$here"/test/tlstax/worker/*.java
cp "$here/../../crates/spec/src/known_answers.json" "$work/"
"${bin}java" -ea -XX:+UseSerialGC -cp "$work" tlstax.worker.Tests "$here/../../pki"
