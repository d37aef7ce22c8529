#!/bin/sh
# Runs the fuzz targets that are named, or all of them, each for SECONDS (20). A finding stays in fuzz/artifacts/.
set -eu
cd "$(dirname "$0")"
seconds=${SECONDS_EACH:-20}
host=$(rustc -vV | sed -n 's/^host: //p')
out=${CARGO_TARGET_DIR:-../target/fuzz}
targets=${*:-$(ls targets | sed 's/\.rs$//')}

# The counters that libFuzzer steers by, as `cargo fuzz` asks for them; these flags a stable compiler takes too.
# No sanitizer: there is no unsafe code on the paths, and overflows panic by the profile.
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
# With a target named, build scripts and macros are built without the counters.
nice -n 10 cargo build --quiet --release --locked --target "$host" --target-dir "$out"

for target in $targets; do
    mkdir -p "corpus/$target" "artifacts/$target"
    echo "== $target, $seconds s"
    log=artifacts/$target/log
    if ! nice -n 10 "$out/$host/release/$target" "corpus/$target" "seeds/$target" \
        -artifact_prefix="artifacts/$target/" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
        -max_len=16384 -verbosity=1 >"$log" 2>&1; then
        tail -40 "$log"
        exit 1
    fi
    grep -E '^Done|DONE' "$log" | tail -2
done
