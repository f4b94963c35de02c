#!/usr/bin/env bash
# How soon a check that takes minutes tells of a violation that is a few steps deep.
#
#     tests/benchmarks/as_they_fall.sh [KIND...]     invariant, progress, must, recurrence, ltl, tester, reachable; all if none is named
#
# To `examples/peterson.stb` with six customers, whose own properties take minutes, it adds one property of each kind that is
# violated within ten steps, and checks all of them. The clock runs from the start of the program until the line of that property
# is there; then the check is ended. Beside it stands how long it takes to ask for that property alone, from the start until the
# program ends. Prints both in milliseconds, the median of REPETITIONS (5), and with how many steps the run is.
set -euo pipefail

cd "$(dirname "$0")/../.."
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Of which somebody asks for something within ten steps.
added() {
    case $1 in
        invariant) echo 'invariant shallow: count(i in Id: gate[i] > 0) < 3' ;;
        progress) echo 'progress shallow: may customer(0)@critical' ;;
        must) echo 'progress shallow: must customer(0)@critical' ;;
        recurrence) echo 'recurrence shallow: infinitely ask(*) implies infinitely enter(0)' ;;
        ltl) echo 'ltl shallow: always gate[0] + gate[1] < 2' ;;
        tester) printf 'tester shallow {\n    initial state none { on ask(0) -> one }\n    state one { on ask(1) -> two }\n    reject state two\n}\n' ;;
        reachable) echo 'reachable shallow: count(i in Id: gate[i] > 0) == 3' ;;
        *) echo "no such kind: $1" >&2; return 1 ;;
    esac
}

now() { echo $((${EPOCHREALTIME/./} / 1000)); }

median() { sort -n | sed -n "$(((${REPETITIONS:-5} + 1) / 2))p"; }

# Until the line of `shallow` is there.
among_all() {
    local begun line told
    begun=$(now)
    coproc CHECK { exec "$STUBBORN" check "$1" -D N=6 --color never --timeout 120 2>/dev/null; }
    while IFS= read -r line <&"${CHECK[0]}"; do
        if [[ $line == *shallow* ]]; then
            told=$(($(now) - begun))
            break
        fi
    done
    # Once it is ended there is nothing to wait for.
    kill "$CHECK_PID" 2>/dev/null || true
    wait "$CHECK_PID" 2>/dev/null || true
    echo "${told:-never}"
}

alone() {
    local begun
    begun=$(now)
    "$STUBBORN" check "$1" -D N=6 --property shallow --color never >"$folder/alone" || true
    echo $(($(now) - begun))
}

printf '%-12s%16s%16s   %s\n' kind 'among all, ms' 'alone, ms' 'of it alone'
for kind in "${@:-invariant progress must recurrence ltl tester reachable}"; do
    for one in $kind; do
        { cat examples/peterson.stb; added "$one"; } >"$folder/$one.stb"
        all=() own=()
        for ((n = 0; n < ${REPETITIONS:-5}; n++)); do
            all+=("$(among_all "$folder/$one.stb")")
            own+=("$(alone "$folder/$one.stb")")
        done
        printf '%-12s%16s%16s   %s\n' "$one" "$(printf '%s\n' "${all[@]}" | median)" "$(printf '%s\n' "${own[@]}" | median)" \
            "$(grep -m 1 shallow "$folder/alone" || echo 'nothing is told')"
    done
done
