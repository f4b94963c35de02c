#!/usr/bin/env bash
# The large state spaces that papers count, built in full by the program as it is released:
#
#     tests/benchmarks/plain_state_spaces.sh [EXAMPLE...]
#
# Each example names them at its top, in lines like
#
#     // benchmark N=4: 26209918 states, 104839672 edges, 72 terminal
#
# Prints for each what was found, how long it took, and how much memory; ends with 1 if a figure
# is another. Four customers of Peterson's algorithm take a few seconds and a few hundred
# megabytes each.
set -euo pipefail

cd "$(dirname "$0")/../.."
cargo build --quiet --release --package stubborn
program="${CARGO_TARGET_DIR:-target}/release/stubborn"

examples=("$@")
if [ "${#examples[@]}" -eq 0 ]; then
    examples=(examples/*.stb)
fi

# The number that the object on standard input has under a name.
figure() { sed -n "s/.*\"$1\":[ ]*\([0-9.]*\).*/\1/p" <<<"$2" | head -n 1; }

failed=0
for example in "${examples[@]}"; do
    while read -r parameter states edges terminal; do
        found=$("$program" explore "$example" -D "$parameter" \
            --reduction none --keep-dead-variables --format json | tr -d '\n')
        seconds=$(figure seconds "$found")
        bytes=$(figure bytes_per_state "$found")
        got="$(figure states "$found") $(figure edges "$found") $(figure terminal "$found")"
        if [ "$got" = "$states $edges $terminal" ]; then
            word=right
        else
            word="WRONG: should be $states $edges $terminal"
            failed=1
        fi
        printf '%-40s %s: %s states, %s edges, %s terminal; %s s, %s bytes a state: %s\n' \
            "$example" "$parameter" $got "$seconds" "$bytes" "$word"
    done < <(sed -n 's|^// benchmark \([^:]*\): \([0-9]*\) states, \([0-9]*\) edges, \([0-9]*\) terminal$|\1 \2 \3 \4|p' "$example")
done
exit "$failed"
