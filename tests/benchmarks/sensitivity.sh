#!/usr/bin/env bash
# Tables 1 and 2 of L. Brim, I. Černá, P. Moravec and J. Šimša, "Under-Approximation Generation using Partial Order
# Reduction" (FI MU, 2005), with models of the same kinds: Peterson's algorithm, right and wrong, a protocol over
# channels that lose messages, dining philosophers, and a ring with a token. The paper describes none of its models.
#
#     tests/benchmarks/sensitivity.sh [PROGRAM]         what is built here if nothing is said
#
# Prints for each property how many states there are in all; how many a search with stubborn sets generates, with the
# full condition on cycles where it needs one; how many all rounds of algorithm A generate together (`--reduction
# sensitive`), and of algorithm B (`sensitive-cycles`), with the number of rounds. All go depth first, so that it is
# not the order that makes the difference; breadth first with SEARCH=bfs. Then the geometric means of A and B over the full reduction, of what is
# violated and of what holds. Ends with 1 if a verdict is not the one that is found where nothing is left out.
set -euo pipefail

cd "$(dirname "$0")/../.."
program=${1:-${STUBBORN:-}}
if [ -z "$program" ]; then
    cargo build --quiet --release --package stubborn
    program=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
models=tests/benchmarks/models/sensitivity

# What the JSON in $2 has under the name $1, a number or a word; nothing where it is not there.
told() { sed -n "s/.*\"$1\":[ ]*\"\{0,1\}\([0-9a-z.-]*\).*/\1/p" <<<"$2" | head -n 1; }

# FILE PROPERTY REDUCTION OPTION…: the verdict, the states of all rounds together, and how many rounds.
check() {
    local file=$1 property=$2 reduction=$3 found status=0 states before rounds
    shift 3
    found=$("$program" check "$file" --property "$property" --reduction "$reduction" --search "${SEARCH:-dfs}" \
        --threads 1 --format json "$@") || status=$?
    if [ "$status" -gt 2 ]; then
        echo "$file, $property: the program ended with $status: $found" >&2
        return 1
    fi
    # A trace may be long, and come to the same names.
    found=$(sed -n '/"properties"/,/"trace"/p' <<<"$found")
    states=$(told states "$found")
    before=$(told statesBefore "$found")
    rounds=$(told number "$found")
    echo "$(told verdict "$found") $((states + ${before:-0})) ${rounds:-1}"
}

failed=0
printf '%-34s %-9s %9s %9s %14s %14s %6s %6s\n' property verdict all full A B A/full B/full
results=$(mktemp)
trap 'rm -f "$results"' EXIT
while read -r file property options; do
    # shellcheck disable=SC2086
    {
        read -r right all _ < <(check "$file" "$property" none $options)
        read -r verdict full _ < <(check "$file" "$property" stubborn $options)
        read -r verdict_a a rounds_a < <(check "$file" "$property" sensitive $options)
        read -r verdict_b b rounds_b < <(check "$file" "$property" sensitive-cycles $options)
    }
    wrong=
    for one in "$verdict" "$verdict_a" "$verdict_b"; do
        [ "$one" = "$right" ] || wrong=" WRONG: it is $right"
    done
    [ -z "$wrong" ] || failed=1
    name=$(basename "$file")
    ratios=$(awk -v f="$full" -v a="$a" -v b="$b" 'BEGIN { printf "%6.2f %6.2f", a / f, b / f }')
    printf '%-34s %-9s %9d %9d %9d in %d %9d in %d %s%s\n' "${name%.*} $property" "$right" "$all" "$full" "$a" \
        "$rounds_a" "$b" "$rounds_b" "$ratios" "$wrong"
    echo "$right $full $a $b" >>"$results"
done <<END
examples/peterson_mutex_violating.stb mutex -D N=3
$models/peterson.tester alone(0) -D N=3
$models/peterson.tester alone(1) -D N=3
$models/peterson.tester alone(2) -D N=3
$models/peterson.tester comes_in(0) -D N=3
$models/peterson.tester comes_in(1) -D N=3
$models/peterson.tester comes_in(2) -D N=3
$models/peterson.tester looks(1) -D N=3
examples/peterson_correct.stb mutex -D N=3
$models/peterson_correct.tester alone(1) -D N=3
$models/peterson_correct.tester comes_in(0) -D N=3
$models/peterson_correct.tester comes_in(1) -D N=3
$models/peterson_correct.tester comes_in(2) -D N=3
$models/peterson_correct.tester looks(1) -D N=3
$models/lossy_protocol.stb in_order
$models/lossy_protocol.stb right
$models/lossy_protocol.stb delivered
$models/lossy_protocol.stb without_loss
$models/lossy_protocol.stb in_order -D FLAW=0
$models/lossy_protocol.stb right -D FLAW=0
$models/lossy_protocol.stb gets_through -D FLAW=0
$models/philosophers.tester not_all_wait -D N=8
$models/philosophers.tester dines(3) -D N=8
$models/philosophers.tester thinks(3) -D N=8
$models/philosophers.tester apart -D N=8
$models/token_ring.tester never_starves(0) -D N=5
$models/token_ring.tester never_starves(2) -D N=5
$models/token_ring.tester serves_on(2) -D N=5
$models/token_ring.tester asked_for -D N=5
$models/token_ring.tester never_starves(2) -D N=5 -D FLAW=0
$models/token_ring.tester serves_on(2) -D N=5 -D FLAW=0
examples/token_ring.stb line_is_shared -D N=5
examples/fischer.tester never_starves(1) -D N=4
examples/fischer.tester never_starves(4) -D N=4
END
for verdict in violated holds; do
    awk -v which="$verdict" '$1 == which { n++; a += log($3 / $2); b += log($4 / $2) }
        END { if (n) printf "%s, %d properties: A %.2f, B %.2f of the states of the full reduction\n", which, n, exp(a / n), exp(b / n) }' "$results"
done
exit "$failed"
