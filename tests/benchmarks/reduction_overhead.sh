#!/usr/bin/env bash
# What it costs to choose which steps to take: the processor time of searches under a reduction
# and without one, in turn, in one run.
#
#     tests/benchmarks/reduction_overhead.sh [REPETITIONS]        5 if nothing is said
#
# Prints for each model the medians, and two ratios of a search under the reduction to one
# without: of the time for each state that was generated, at most 3; and of the whole time, which
# where nothing could be left out must be at most 1.3. Ends with 1 if one of them is higher. The
# time that the program needs to start and to read the model is measured too and taken off.
# Where fewer states than 20,000 are left, the time for each is told and not judged; what is not
# judged stands in parentheses.
set -euo pipefail

cd "$(dirname "$0")/../.."
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
repetitions=${1:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The number that the JSON object in the file $2 has under the name $1, where it stands last: in
# `check` that is the property's.
figure() { sed -n "s/^ *\"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$2" | tail -n 1; }

# timed FILE ARGUMENTS...: runs the program, adds its processor time in seconds to FILE.
timed() {
    local file=$1 status=0 TIMEFORMAT='%3U %3S'
    shift
    { time "$STUBBORN" "$@" --keep-dead-variables --threads 1 --format json \
        >"$scratch/said" 2>"$scratch/errors"; } 2>"$scratch/time" || status=$?
    if [ "$status" -gt 2 ]; then
        cat "$scratch/said" "$scratch/errors" >&2
        return 1
    fi
    awk '{ print $1 + $2 }' "$scratch/time" >>"$file"
}

median() { sort -g "$1" | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

failed=0
printf '%-57s %20s %20s %16s %9s %9s\n' '' 'none: states/edges' 'stubborn' 'states/s' 'per state' 'in all'
while IFS='|' read -r arguments; do
    read -r -a arguments <<<"$arguments"
    rm -f "$scratch"/*.times
    for ((repetition = 0; repetition < repetitions; repetition++)); do
        timed "$scratch/start.times" "${arguments[@]}" --reduction none --max-states 1
        timed "$scratch/none.times" "${arguments[@]}" --reduction none
        full_states=$(figure states "$scratch/said") full_edges=$(figure edges "$scratch/said")
        timed "$scratch/stubborn.times" "${arguments[@]}" --reduction stubborn
        states=$(figure states "$scratch/said") edges=$(figure edges "$scratch/said")
    done
    model=$(sed -E 's#[a-z_/]*/([a-z_]*)\.stb#\1#; s# -D##g; s# --property##' <<<"${arguments[*]}")
    awk -v model="$model" -v fs="$full_states" -v fe="$full_edges" -v s="$states" -v e="$edges" \
        -v start="$(median "$scratch/start.times")" -v none="$(median "$scratch/none.times")" \
        -v stubborn="$(median "$scratch/stubborn.times")" '
        function positive(time) { return time > 0.001 ? time : 0.001 }
        BEGIN {
            none = positive(none - start)
            stubborn = positive(stubborn - start)
            each = (stubborn / s) / (none / fs)
            all = stubborn / none
            is_judged = s >= 20000
            leaves_out_nothing = s >= fs && e >= fe
            if (is_judged && each > 3) wrong = wrong "  TOO SLOW for each state"
            if (leaves_out_nothing && all > 1.3) wrong = wrong "  TOO SLOW where nothing is left out"
            printf "%-57s %20s %20s %16s %9s %9s%s\n", model, fs "/" fe, s "/" e, \
                sprintf("%dk %dk", fs / none / 1000, s / stubborn / 1000), \
                sprintf(is_judged ? "%.2f" : "(%.2f)", each), \
                sprintf(leaves_out_nothing ? "%.2f" : "(%.2f)", all), wrong
            exit wrong != ""
        }' || failed=1
done <<'END'
explore tests/benchmarks/models/shared_counter.stb -D N=7
check tests/benchmarks/models/shared_counter.stb -D N=7 --property stays
explore tests/benchmarks/models/many_local_states.stb -D K=32
check tests/benchmarks/models/many_local_states.stb -D K=32 --property stays
check tests/benchmarks/models/replicas.stb -D WRITERS=1 --property counted
check tests/benchmarks/models/replicas.stb -D WRITERS=3 --property counted
check tests/benchmarks/models/replicas_by_kind.stb --property counted
check tests/benchmarks/models/replicas_with_bags.stb --property counted
explore examples/fischer.stb -D N=13
explore examples/philosophers.stb -D N=11
explore examples/philosophers_polite.stb -D N=8
check examples/philosophers_polite.stb -D N=8 --property forks_are_held
explore examples/peterson_mutex_violating.stb -D N=3
check examples/peterson_correct.stb -D N=3 --property errors
check examples/peterson_correct.stb -D N=3 --property mutex
check examples/peterson.stb -D N=4 --property mutex
explore examples/bounded_buffer.stb -D SIZE=3 -D PRODUCERS=3 -D ITEMS=4
check examples/bounded_buffer.stb -D SIZE=3 -D PRODUCERS=3 -D ITEMS=4 --property slots_are_fresh
explore tests/peers/models/dolev_klawe_rodeh.stb -D N=6
check tests/peers/models/dolev_klawe_rodeh.stb -D N=6 --property one_leader
END
exit "$failed"
