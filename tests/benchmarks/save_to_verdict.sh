#!/usr/bin/env bash
# From a model's text to its verdicts, beside SPIN.
#
#     tests/benchmarks/save_to_verdict.sh [RUNS]
#
# For each of some models: the seconds that `stubborn check` takes as it is (stubborn sets, dead values forgotten,
# straight runs of steps merged) for all its properties, on one thread and on two; and those that `spin -a`, the compiler and the exact search
# of its Promela twin take (`-o1 -o2 -o3`, `-O2 -DSAFETY`), in full (`-DNOREDUCE`) and with SPIN's own partial order reduction,
# which look for deadlocks and broken assertions alone. All run in turn, RUNS times (3); medians, in Markdown, and how many times
# ours the best of SPIN's takes.
#
# Needs `spin` and `gcc` (tests/peers/install.sh). The program is built as it is released, or is what the
# variable STUBBORN names.
set -euo pipefail

cd "$(dirname "$0")/../.."
runs=${1:-3}
for tool in spin gcc; do
    command -v "$tool" >/dev/null || { echo "$tool is missing; see tests/peers/install.sh" >&2; exit 2; }
done
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
STUBBORN=$(realpath "$STUBBORN")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# model, its parameter, the twin, how deep SPIN goes at the most, definitions
models=$(
    cat <<'END'
examples/peterson_correct.stb N=4 peterson_steps.pml 30000000 -DCORRECT
tests/peers/models/dolev_klawe_rodeh.stb N=7 dolev_klawe_rodeh.pml 1000000
examples/philosophers_polite.stb N=10 philosophers_polite.pml 10000000
examples/philosophers.stb N=12 philosophers.pml 10000000
END
)

# seconds COMMAND...: how long it takes, whatever it ends with.
seconds() {
    local began
    began=$(date +%s.%N)
    "$@" >/dev/null 2>&1 || true
    awk "BEGIN { print $(date +%s.%N) - $began }"
}

# spins FOLDER TWIN DEPTH DEFINITIONS...: from the text to the end of SPIN's search.
spins() (
    cd "$1"
    # shellcheck disable=SC2086  # definitions are a list
    spin "-D$4" $5 -o1 -o2 -o3 -a "$2" && sed -i 's/%9\.8g/%9.0f/' pan.c &&
        gcc -O2 -w -DSAFETY $6 -DMEMLIM=16000 -o pan pan.c && ./pan "-m$3" -w24 -c0 -n
)

# The middle one of some numbers, one a line.
median() { sort -g | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

echo "| model | ours, s | on two threads | SPIN in full, s | with its reduction | the best of them, times ours |"
echo "|---|--:|--:|--:|--:|--:|"
while read -r model definition twin depth definitions <&3; do
    folder=$(mktemp -d "$scratch/XXXXXX")
    cp "tests/peers/spin/$twin" "$folder"
    for run in $(seq "$runs"); do
        for threads in 1 2; do
            seconds "$STUBBORN" check "$model" -D "$definition" --threads "$threads" >>"$folder/ours$threads"
        done
        seconds spins "$folder" "$twin" "$depth" "$definition" "$definitions" -DNOREDUCE >>"$folder/full"
        seconds spins "$folder" "$twin" "$depth" "$definition" "$definitions" "" >>"$folder/reduced"
    done
    awk -v name="$(basename "$model" .stb) $definition" -v one="$(median <"$folder/ours1")" \
        -v two="$(median <"$folder/ours2")" -v full="$(median <"$folder/full")" \
        -v reduced="$(median <"$folder/reduced")" 'BEGIN {
        ours = one < two ? one : two
        best = full < reduced ? full : reduced
        printf "| %s | %.2f | %.2f | %.1f | %.1f | %.0f |\n", name, one, two, full, reduced, best / ours
    }'
done 3<<<"$models"
