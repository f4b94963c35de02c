#!/usr/bin/env bash
# Build times: from a clean clone to the first verdict, and after a change of one line in the searches.
#
#     tests/benchmarks/build_time.sh
#
# Builds in a folder of its own, which is removed afterwards, and changes no file of the checkout: the changed
# line is in a copy. Prints a table in Markdown: seconds by the clock and of processor time, of all processes
# together. Dependencies are fetched before anything is timed.
set -euo pipefail

cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git clone --quiet . "$scratch/clone"
cd "$scratch/clone"
export CARGO_TARGET_DIR=$scratch/target
cargo fetch --quiet

# timed NAME COMMAND...: a row of the table.
timed() {
    local name=$1
    shift
    python3 - "$name" "$@" <<'PYTHON'
import resource, subprocess, sys, time
began = time.monotonic()
code = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
wall = time.monotonic() - began
took = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"| {sys.argv[1]} | `{' '.join(sys.argv[2:])}` | {wall:.0f} | {took.ru_utime + took.ru_stime:.0f} |")
sys.exit(code)
PYTHON
}

# Changes one line of what every search goes by.
change() { sed -i "s/^const BETWEEN_LOOKS.*/&  \/\/ $1/" checker/explorer/src/search/layers/pool.rs; }

echo "| what | command | seconds | processor seconds |"
echo "|---|---|--:|--:|"
timed "clone to verdict" cargo run --release -p stubborn -- check examples/peterson.stb
change one
timed "one line of the engine, release" cargo build --release -p stubborn
timed "all tests, first build" cargo test --no-run
change two
timed "one line of the engine, its tests" cargo test --no-run -p stubborn-explorer
change three
timed "one line of the engine, tests of the engine" cargo test --no-run -p stubborn-engine
size=$(stat -c %s "$CARGO_TARGET_DIR/release/stubborn")
echo
echo "Size of the program: $((size / 1000000)) MB"
