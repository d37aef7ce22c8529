#!/bin/sh
# Builds the worker: build.sh OUT. With --check it formats nothing, but vets and tests.
# TAGS=purego builds it without assembly, GOAMD64=v3 for newer CPUs.
set -eu

case "${1:-}" in
"") echo "usage: $0 OUT | --check" >&2; exit 2 ;;
--check) out= ;;
/*) out=$1 ;;
*) out=$PWD/$1 ;;
esac

cd "$(dirname "$0")"
# An embedded file must lie inside the module; this one belongs to crates/spec.
cmp -s ../../crates/spec/src/known_answers.json known_answers.json || cp ../../crates/spec/src/known_answers.json known_answers.json
export GOFLAGS="-mod=readonly -trimpath" CGO_ENABLED=0 GOTOOLCHAIN=local
if [ -n "$out" ]; then
    exec go build -tags "${TAGS:-}" -o "$out" .
fi
unformatted=$(gofmt -l .)
if [ -n "$unformatted" ]; then
    echo "gofmt would change: $unformatted" >&2
    exit 1
fi
go vet ./...
exec go test ./...
