#!/usr/bin/env bash
# Tables 2 to 4 of H. Hansen, W. Penczek and A. Valmari, "Stuttering-insensitive automata for
# on-the-fly detection of livelock properties" (2002): how many states eight searches go through
# until they find that something can wait for ever.
#
#     tests/benchmarks/livelock_searches.sh [philosophers|fischer|token_ring]...
#
# C and D search in one pass, breadth first, E and F depth first; G and I are nested depth-first
# searches that take steps to accepting states first, H and J such that take them last; C, E, G and H
# take steps forward, the others in reverse. Prints for each system and search how many runs took at
# least 10000, 1000 and 100 states, of how many; then the paper's numbers of the three; then the
# fewest and the most states of a run. Where all three systems are asked for, the tables in
# docs/livelock_searches.md are written anew.
#
# Ends with 1 if a run does not find its violation, or if on philosophers or Fischer's protocol
# another search than C and D needs fewest states, or one of these more than 80 for a philosopher.
set -euo pipefail

cd "$(dirname "$0")/../.."
if [ -z "${STUBBORN:-}" ]; then
    cargo build --quiet --release --package stubborn
    STUBBORN=${CARGO_TARGET_DIR:-target}/release/stubborn
fi
# Searches with error last are no option of the program.
cargo build --quiet --release --package stubborn --example error_last
error_last=${CARGO_TARGET_DIR:-target}/release/examples/error_last
page=docs/livelock_searches.md
[ $# -gt 0 ] && written= || written=$page
[ $# -gt 0 ] || set -- philosophers fischer token_ring

# What the JSON object in $2 has under the name $1, a number or a word.
told() { sed -n "s/.*\"$1\":[ ]*\"\{0,1\}\([0-9a-z.-]*\).*/\1/p" <<<"$2" | head -n 1; }

# The states of one run: a file, its N, a property, and how to search.
states() {
    local file=$1 n=$2 property=$3 found status=0
    shift 3
    found=$("$STUBBORN" check "examples/$file.tester" -D "N=$n" --property "$property" "$@" \
        --reduction none --keep-dead-variables --threads 1 --format json) || status=$?
    found=$(tr '\n' ' ' <<<"$found")
    found=${found#*\"properties\":}
    if [ "$status" != 1 ] || [ "$(told verdict "$found")" != violated ]; then
        echo "$file, N=$n, $property, $*: it is not found that this is violated: $found" >&2
        return 1
    fi
    told states "$found"
}

searches='C one-pass bfs forward
D one-pass bfs reverse
E one-pass dfs forward
F one-pass dfs reverse
G nested dfs forward
H nested-error-last dfs forward
I nested dfs reverse
J nested-error-last dfs reverse'

# The paper's numbers of runs with at least 10000, 1000 and 100 states, C to J.
paper() {
    case $1 in
    token_ring) echo '0/5/20 0/5/19 0/4/10 2/11/16 1/13/23 0/8/15 1/11/28 0/5/22' ;;
    philosophers) echo '0/0/1 0/0/1 2/4/7 2/4/8 1/4/10 0/4/7 1/4/10 0/4/7' ;;
    fischer) echo '0/0/4 0/0/4 3/6/9 3/6/9 2/12/12 2/12/12 2/12/12 2/12/12' ;;
    esac
}

properties() {
    case $1 in
    philosophers) seq -f 'never_starves(%g)' 0 9 ;;
    fischer) seq -f 'never_starves(%g)' 1 12 ;;
    token_ring)
        for place in wanting waiting asked relaying waiting_asked; do
            seq -f "never_starves_$place(%g)" 0 5
        done
        ;;
    esac
}

tables=$(mktemp)
trap 'rm -f "$tables"' EXIT
failed=0
for system in "$@"; do
    case $system in
    philosophers) file=philosophers n=10 title='Ten dining philosophers (59 048 states)' ;;
    fischer) file=fischer n=12 title="Fischer's protocol with twelve servers (49 153 states)" ;;
    token_ring) file=token_ring_broken n=6 title='A broken token ring of six servers (29 569 states)' ;;
    *) echo "$system is none of philosophers, fischer and token_ring" >&2 && exit 3 ;;
    esac
    {
        echo "### $title"
        echo
        echo '| search | ≥ 10000 | ≥ 1000 | ≥ 100 | of | in the paper | fewest | most | in all |'
        echo '|---|---|---|---|---|---|---|---|---|'
    } | tee -a "$tables"
    theirs=($(paper "$system"))
    least_of_others= most_of_breadth=0 total_of_breadth=0
    while read -r letter liveness search order; do
        runs=0 over=(0 0 0) fewest= most=0 sum=0
        for property in $(properties "$system"); do
            if [ "$liveness" = nested-error-last ]; then
                count=$("$error_last" "examples/$file.tester" "$n" "$property" "$order") || exit 1
            else
                count=$(states "$file" "$n" "$property" \
                    --liveness "$liveness" --search "$search" --order "$order") || exit 1
            fi
            runs=$((runs + 1)) sum=$((sum + count))
            for k in 0 1 2; do
                bound=(10000 1000 100)
                [ "$count" -lt "${bound[k]}" ] || over[k]=$((over[k] + 1))
            done
            [ -n "$fewest" ] && [ "$fewest" -le "$count" ] || fewest=$count
            [ "$most" -ge "$count" ] || most=$count
        done
        printf '| %s %s, %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$letter" \
            "$liveness $search" "$order" "${over[@]}" "$runs" "${theirs[0]}" "$fewest" "$most" "$sum"
        theirs=("${theirs[@]:1}")
        case $letter in
        C | D)
            [ "$most_of_breadth" -ge "$most" ] || most_of_breadth=$most
            [ "$total_of_breadth" -ge "$sum" ] || total_of_breadth=$sum
            ;;
        *)
            [ -n "$least_of_others" ] && [ "$least_of_others" -le "$sum" ] || least_of_others=$sum
            ;;
        esac
        echo "$most_of_breadth $total_of_breadth $least_of_others" >"$tables.sums"
    done <<<"$searches" | tee -a "$tables"
    read -r most_of_breadth total_of_breadth least_of_others <"$tables.sums"
    rm -f "$tables.sums"
    echo | tee -a "$tables"
    if [ "$system" = philosophers ] && [ "$most_of_breadth" -gt 80 ]; then
        echo "C or D needs $most_of_breadth states for a philosopher, more than 80" >&2
        failed=1
    fi
    if [ "$system" != token_ring ] && [ "$total_of_breadth" -gt "${least_of_others:-0}" ]; then
        echo "another search needs fewer states than C and D on $system" >&2
        failed=1
    fi
done

if [ -n "$written" ] && [ "$failed" = 0 ]; then
    # What stands between the two marks is written anew.
    awk -v tables="$tables" '
        /<!-- end of the tables -->/ { skipped = 0 }
        !skipped
        /<!-- the tables -->/ { skipped = 1; print ""; while ((getline line < tables) > 0) print line }
    ' "$page" >"$page.new"
    mv "$page.new" "$page"
    echo "written to $page"
fi
exit "$failed"
