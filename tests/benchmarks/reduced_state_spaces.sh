#!/usr/bin/env bash
# Table I of A. Valmari, "Stop it, and be stubborn!" (ACSD 2015): what stubborn sets leave of the
# state spaces of four models of Peterson's algorithm, for n customers.
#
#     tests/benchmarks/reduced_state_spaces.sh [N...]        2, 3 and 4 if nothing is said
#
# Prints for each model the paper's figures, for which a modeller wrote the rules; those that rules
# are known to reach which look into the current state and at what the others can still do from there; and the program's, in the order of steps
# in which it finds fewer where the search ends at an error. Ends with 1 if these are above the
# paper's, or by more than 2% above the known ones, or if a verdict is another. Four customers take
# some minutes.
set -euo pipefail

cd "$(dirname "$0")/../.."
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
sizes=" ${*:-2 3 4} "

# What the JSON object in $2 has under the name $1, a number or a word.
told() { sed -n "s/.*\"$1\":[ ]*\"\{0,1\}\([0-9a-z.-]*\).*/\1/p" <<<"$2" | head -n 1; }

check() {
    local found status=0
    found=$("$STUBBORN" check "examples/$1.stb" -D "N=$2" --property mutex --reduction stubborn \
        --keep-dead-variables --threads 1 --order "$3" --format json) || status=$?
    if [ "$status" -gt 2 ]; then
        echo "$1, N=$2: the program ended with $status: $found" >&2
        return 1
    fi
    tr '\n' ' ' <<<"$found"
}

failed=0
printf '%-26s %s  %23s  %23s  %23s  %s\n' model n paper known found seconds
# model n | verdict | the paper's states and edges | the known ones
while read -r model n verdict paper_states paper_edges known_states known_edges; do
    [[ $sizes == *" $n "* ]] || continue
    states= edges= seconds= wrong=
    for order in forward reverse; do
        [ "$order" = forward ] || [ "$verdict" = violated ] || continue
        found=$(check "$model" "$n" "$order")
        found=${found#*\"properties\":}
        [ "$(told verdict "$found")" = "$verdict" ] || wrong="the verdict is not that it is $verdict"
        [ "$(told reduction "$found")" = stubborn ] || wrong="it was not decided by stubborn sets"
        if [ -z "$states" ] || [ "$(told states "$found")" -lt "$states" ]; then
            states=$(told states "$found") edges=$(told edges "$found") seconds=$(told seconds "$found")
        fi
    done
    if [ "$states" -gt "$paper_states" ] || [ "$edges" -gt "$paper_edges" ]; then
        wrong="above the paper's"
    elif [ $((states * 100)) -gt $((known_states * 102)) ] || [ $((edges * 100)) -gt $((known_edges * 102)) ]; then
        wrong="more than 2% above what is known to be enough"
    fi
    printf '%-26s %s  %23s  %23s  %23s  %s%s\n' "$model" "$n" "$paper_states/$paper_edges" \
        "$known_states/$known_edges" "$states/$edges" "$seconds" "${wrong:+  WRONG: $wrong}"
    [ -z "$wrong" ] || failed=1
done <<'END'
peterson_not_revealing 2 holds 88 124 51 60
peterson_not_revealing 3 holds 18817 34083 8918 12527
peterson_not_revealing 4 holds 4312993 8988034 1627421 2614419
peterson_revealing 2 holds 116 162 78 93
peterson_revealing 3 holds 23134 41562 11177 15540
peterson_revealing 4 holds 5316461 10903336 1964708 3095496
peterson_correct 2 holds 378 522 342 463
peterson_correct 3 holds 44868 78750 28510 45096
peterson_correct 4 holds 9318636 18581236 4626266 7993411
peterson_mutex_violating 2 violated 219 258 191 218
peterson_mutex_violating 3 violated 15164 22100 9030 11584
peterson_mutex_violating 4 violated 2116738 3527255 1099732 1534960
END
exit "$failed"
