#!/usr/bin/env bash
# How fast the plain state space is built, beside SPIN, on the same models: every step of the one is a
# step of the other (docs/peers.md).
#
#     tests/benchmarks/beside_spin.sh [RUNS [NAME...]]
#
# Builds SPIN's `pan` from the Promela twins (`-o1 -o2 -o3`, `-O2 -DSAFETY -DNOREDUCE`), and runs it and
# `stubborn explore --reduction none --keep-dead-variables` in turn, RUNS times (3), each on one and the
# same processor; with NAMEs those models alone. Prints a table in Markdown: states; states a second of
# processor time, the median of each, and how many times SPIN's that is; bytes of resident memory a state
# at the peak, SPIN's also as it takes least without losing states (`-DCOLLAPSE`, one run); and the seconds from
# the text to the end of it, SPIN's with `spin -a` and the compiler.
# Last the geometric means of the ratios, of speed and of memory. Ends with 1 where the states or edges are not the same.
# With MODELS=realistic the models are designs of tests/benchmarks/models/realistic.
#
# Needs `spin`, `gcc` and `python3` (tests/peers/install.sh). The program is built as it is released, or is what the
# variable STUBBORN names.
set -euo pipefail

cd "$(dirname "$0")/../.."
runs=${1:-3}
shift || true
wanted=" $* "
for tool in spin gcc taskset; do
    command -v "$tool" >/dev/null || { echo "$tool is missing; see tests/peers/install.sh" >&2; exit 2; }
done
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
touch "$scratch/ratios"

realistic=tests/benchmarks/models/realistic
# model, its parameters, the twin, how deep SPIN goes at the most, definitions
models=$(
    cat <<'END'
examples/peterson_correct.stb N=4 peterson_steps.pml 30000000 -DCORRECT
tests/peers/models/dolev_klawe_rodeh.stb N=7 dolev_klawe_rodeh.pml 1000000
examples/philosophers_polite.stb N=10 philosophers_polite.pml 10000000
examples/bounded_buffer.stb PRODUCERS=5 bounded_buffer.pml 10000000
examples/fischer.stb N=16 fischer.pml 10000000
examples/philosophers.stb N=12 philosophers.pml 10000000
tests/peers/models/ricart_agrawala.stb N=3 ricart_agrawala.pml 1000000
examples/sliding_window.stb MESSAGES=7,CAPACITY=4,LOSSES=3 sliding_window.pml 10000000
END
)
[ "${MODELS:-}" != realistic ] || models=$(
    cat <<END
$realistic/seqlock.stb READERS=2,WRITERS=3 seqlock.pml 10000000
$realistic/ring_buffer.stb PRODUCERS=3,CONSUMERS=2 ring_buffer.pml 10000000
$realistic/work_queue.stb JOBS=3,WORKERS=3 work_queue.pml 10000000
$realistic/log_shipping.stb ENTRIES=2,CAPACITY=2 log_shipping.pml 10000000
$realistic/task_wakeups.stb SOURCES=4,EVENTS=2 task_wakeups.pml 10000000
$realistic/hazard_pointers.stb READERS=4,NODES=3 hazard_pointers.pml 20000000
$realistic/snapshot.stb NODES=3,MONEY=1,CAPACITY=2 snapshot.pml 10000000
$realistic/gc_handshake.stb MUTATORS=2 gc_handshake.pml 10000000
END
)

# timed FILE COMMAND...: what the command says goes into FILE; prints "processor wall kilobytes" of it alone.
timed() {
    taskset -c 0 python3 -c '
import resource, subprocess, sys, time
with open(sys.argv[1], "w") as said, open(sys.argv[1] + ".complaints", "w") as complaints:
    began = time.monotonic()
    code = subprocess.run(sys.argv[2:], stdout=said, stderr=complaints).returncode
    wall = time.monotonic() - began
took = resource.getrusage(resource.RUSAGE_CHILDREN)
print(took.ru_utime + took.ru_stime, wall, took.ru_maxrss)
sys.exit(code)' "$@"
}

# The middle one of some numbers, one a line.
median() { sort -g | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

figure() { sed -n "s/^ *\"$1\": \([0-9][0-9]*\),\{0,1\}$/\1/p" "$2" | head -n 1; }

echo "| model | states | states/s | SPIN's | times | bytes/state | SPIN's | collapsed | s from the text | SPIN's |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
same=true
while read -r model parameters twin depth definitions <&3; do
    name=$(basename "$model" .stb)
    [ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || continue
    folder=$(mktemp -d "$scratch/XXXXXX")
    cp "tests/peers/spin/$twin" "$folder/model.pml"
    began=$(date +%s.%N)
    # shellcheck disable=SC2086  # definitions are a list
    (cd "$folder" && spin -D${parameters//,/ -D} $definitions -o1 -o2 -o3 -a model.pml >&2 &&
        sed -i 's/%9\.8g/%9.0f/' pan.c &&
        gcc -O2 -w -DSAFETY -DNOREDUCE -DMEMLIM=16000 -o pan pan.c)
    made=$(awk "BEGIN { print $(date +%s.%N) - $began }")
    (cd "$folder" && gcc -O2 -w -DSAFETY -DNOREDUCE -DCOLLAPSE -DMEMLIM=16000 -o collapsing pan.c)
    timed "$folder/collapsed" "$folder/collapsing" "-m$depth" -w20 -E -c0 -n >"$folder/collapsed.times"
    for run in $(seq "$runs"); do
        # shellcheck disable=SC2086  # parameters are a list
        timed "$folder/ours" "$STUBBORN" explore "$model" -D ${parameters//,/ -D } --reduction none \
            --keep-dead-variables --threads 1 --format json >>"$folder/ours.times"
        timed "$folder/spins" "$folder/pan" "-m$depth" -w24 -E -c0 -n >>"$folder/spins.times"
    done
    states=$(figure states "$folder/ours")
    edges=$(figure edges "$folder/ours")
    read -r spin_states spin_edges < <(awk '/ states, stored/ { s = $1 }
        / transitions \(= stored\+matched\)/ { t = $1 } END { print s, t - 1 }' "$folder/spins")
    if [ "$states $edges" != "$spin_states $spin_edges" ]; then
        echo "$name: $states and $edges, in SPIN $spin_states and $spin_edges" >&2
        same=false
    fi
    of() { cut -d' ' -f"$2" "$folder/$1.times" | median; }
    awk -v name="$name $parameters" -v states="$states" -v made="$made" \
        -v ours="$(of ours 1)" -v spins="$(of spins 1)" -v wall="$(of ours 2)" \
        -v spin_wall="$(of spins 2)" -v kb="$(of ours 3)" -v spin_kb="$(of spins 3)" -v least="$(of collapsed 3)" \
        -v ratios="$scratch/ratios" 'BEGIN {
        if (ours < 0.01) ours = 0.01
        if (spins < 0.01) spins = 0.01
        printf "| %s | %d | %.2f M | %.2f M | %.1f | %.0f | %.0f | %.0f | %.2f | %.2f |\n", name, states,
            states / ours / 1e6, states / spins / 1e6, spins / ours, kb * 1024 / states,
            spin_kb * 1024 / states, least * 1024 / states, wall, spin_wall + made
        print spins / ours, least / kb >>ratios
    }'
    rm -rf "$folder"
done 3<<<"$models"
awk '{ speed += log($1); memory += log($2) } END { if (NR) printf "\n%.1f times SPIN'"'"'s states a second in the geometric mean, and %.2f of its memory collapsed\n",
    exp(speed / NR), exp(-memory / NR) }' "$scratch/ratios"
$same
