#!/bin/bash
# Builds the worker into one file: build.sh OUT. OUT is a launcher with the jar behind it, so that it can be copied.
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: build.sh OUT" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
command -v "${bin}javac" >/dev/null || { echo "no javac: install a JDK (17 or later) or set JAVA_HOME" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${bin}javac" --release 17 -Xlint:all -Werror -d "$work/classes" "$here"/src/tlstax/worker/*.java
cp "$here/../../crates/spec/src/known_answers.json" "$work/classes/"
"${bin}jar" --create --file "$work/worker.jar" --main-class tlstax.worker.Main -C "$work/classes" .

mkdir -p "$(dirname "$1")"
cat "$here/launcher.sh" "$work/worker.jar" > "$work/out"
chmod +x "$work/out"
mv "$work/out" "$1"
