#!/usr/bin/env bash
# What stubborn sets, symmetry, and both together leave of models of like processes.
#
#     tests/benchmarks/symmetry.sh [MODEL...]        all models if none is named; `deadlocking`, `peterson`, …
#
# Prints for each model and size the states of a search for `errors`, and the seconds that it took by the clock on one
# thread: with nothing but slices and dead variables, with stubborn sets, with symmetry, with both, wherever it pays or not;
# of `peterson` for `deadlock`, `termination` and `mutex` too. What takes more than 20,000,000 states, or LONGEST seconds (120
# where nothing is said), is not waited for, and a dash stands for it; so it does for what does not hold. `deadlocking` is the version of Peterson's algorithm of which A. Valmari speaks in "Stop It, and Be
# Stubborn!" (ACSD 2015, section VII), as far as it is described there: the test over all other customers is one step, two
# can wait for each other, and both means together leave a number of states that is quadratic in the number of
# customers: 3n² - 3n + 2 from seven customers on. `yielding` is another one, in which it is not.
# Last, as `worth`, whole checks of all properties as nobody asks for anything, beside `--symmetry off`.
set -euo pipefail

cd "$(dirname "$0")/../.."
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
models=tests/benchmarks/models/symmetric
property=errors

# The number that the JSON object on standard input has under the name $1.
figure() { sed -n "s/^ *\"$1\": \([0-9.]*\),\{0,1\}$/\1/p" | head -n 1; }

# searched MODEL ARGUMENTS...: states and seconds, or a dash.
searched() {
    local model=$1 said status=0
    shift
    said=$("$STUBBORN" check "$model" --property "$property" --threads 1 --max-states 20000000 --timeout "${LONGEST:-120}" \
        --format json "$@") || status=$?
    if [ "$status" -ne 0 ]; then
        printf '%14s %8s' - ''
        return
    fi
    printf '%14s %8.2f' "$(figure states <<<"$said")" "$(figure seconds <<<"$said")"
}

# table NAME MODEL "FIXED ARGUMENTS" PARAMETER SIZES...
table() {
    local name=$1 model=$2 fixed=$3 parameter=$4 size
    shift 4
    printf '\n%-24s%23s%23s%23s%23s\n' "$name" plain stubborn symmetry both
    for size in "$@"; do
        printf '%-24s' "$parameter=$size"
        for how in "none off" "stubborn off" "none always" "stubborn always"; do
            # The arguments are words.
            # shellcheck disable=SC2086
            searched "$model" $fixed -D "$parameter=$size" --reduction "${how% *}" --symmetry "${how#* }"
        done
        printf '\n'
    done
}

# checked MODEL ARGUMENTS...: states of the largest search, and seconds of all by the clock.
checked() {
    local said began=$EPOCHREALTIME
    # Some properties are violated.
    said=$("$STUBBORN" check "$@" --threads 1 --timeout "${LONGEST:-120}" --format json) || true
    awk -v began="$began" -v ended="$EPOCHREALTIME" '/^ *"states": / { gsub(/[^0-9]/, ""); if ($0 + 0 > most) most = $0 + 0 }
        END { printf "%d %.2f\n", most, ended - began }' <<<"$said"
}

# worth NAME MODEL "ARGUMENTS"
worth() {
    local states seconds
    printf '%-32s' "$1"
    for how in off auto; do
        # The arguments are words.
        # shellcheck disable=SC2086
        read -r states seconds < <(checked "$2" $3 --symmetry "$how")
        printf '%14s %8s' "$states" "$seconds"
    done
    printf '\n'
}

all=${*:-deadlocking yielding peterson gates readers buffer election cache worth}
for name in $all; do
    case $name in
        deadlocking) table deadlocking $models/peterson_deadlocking.stb "" N 2 3 4 5 6 7 8 9 10 11 12 ;;
        yielding) table yielding $models/peterson_yielding.stb "" N 2 3 4 5 6 7 8 9 10 11 12 ;;
        peterson)
            for property in errors deadlock termination mutex; do
                table "peterson, $property" examples/peterson.stb "" N 2 3 4 5 6
            done
            property=errors
            ;;
        gates) table "peterson with its gates" examples/peterson_correct.stb "" N 2 3 4 ;;
        readers) table "readers and writers" examples/readers_writers.stb "-D WRITERS=3" READERS 2 3 4 ;;
        buffer) table "bounded buffer" examples/bounded_buffer.stb "" PRODUCERS 2 3 4 5 ;;
        election) table election $models/election.stb "" N 2 3 4 5 6 7 8 ;;
        cache) table cache $models/cache.stb "" N 2 3 4 5 ;;
        worth)
            printf '\n%-32s%23s%23s\n' "all properties" "off" "auto"
            worth "peterson 4" examples/peterson.stb "-D N=4"
            worth "peterson 5" examples/peterson.stb "-D N=5"
            worth "peterson with its gates 4" examples/peterson_correct.stb "-D N=4"
            worth "readers and writers 4, 3" examples/readers_writers.stb "-D READERS=4 -D WRITERS=3"
            worth "bounded buffer 5" examples/bounded_buffer.stb "-D PRODUCERS=5"
            worth "philosophers 10" examples/philosophers_polite.stb "-D N=10"
            worth "cache coherence 3" examples/cache_coherence.stb "-D CACHES=3"
            worth "lost wakeup" examples/lost_wakeup.stb "-D PRODUCERS=3 -D CONSUMERS=3"
            worth "lease 4" examples/lease.stb "-D CLIENTS=4"
            worth "deadlocking 8" $models/peterson_deadlocking.stb "-D N=8"
            worth "election 8" $models/election.stb "-D N=8"
            worth "cache 5" $models/cache.stb "-D N=5"
            ;;
        *) echo "no model is called $name" >&2; exit 2 ;;
    esac
done
